"""What a line says that is not read is not guessed: here a softmax with one key more, which takes the rest of a row."""

import pytest
from checking.checked import report

SCORES = r"$$S = Q K^\top = \begin{bmatrix} 2 & -3 & 2 \\ 0 & 0 & 0 \end{bmatrix}$$"
GIVEN = (
    r"$$Q = \begin{bmatrix} 1 \\ 0 \end{bmatrix}, \quad K = \begin{bmatrix} 2 \\ -3 \\ 2 \end{bmatrix}$$"
    + "\n\n"
    + SCORES
)
# e² / (2e² + e⁻³ + e⁻²) = 0.4938, and 1 / (3 + e⁻²) = 0.3189
WEIGHTS = r"\begin{bmatrix} 0.4938 & 0.0033 & 0.4938 \\ 0.3189 & 0.3189 & 0.3189 \end{bmatrix}"
COARSE = r"\begin{bmatrix} 0.5 & 0.0 & 0.5 \\ 0.3 & 0.3 & 0.3 \end{bmatrix}"
OUTPUT = r"\approx \begin{bmatrix} 2.47 \\ 1.91 \end{bmatrix}"  # 4 · 0.4938 + 0.4938, and 6 · 0.3189


@pytest.mark.parametrize("name", ["A", "{\\textcolor{weights}{A}}", "A^{(2)}", "\\mathbf{A}_{1}"])
@pytest.mark.parametrize("weights", [WEIGHTS, COARSE])
def test_weights_of_a_softmax_that_is_not_read(name: str, weights: str) -> None:
    lines = [
        GIVEN,
        rf"$${name} = \mathrm{{softmax}}_{{\mathrm{{sink}} = -2}}\left(S\right)$$",
        rf"$${name} \approx {weights}$$",
        r"$$V = \begin{bmatrix} 4 \\ 1 \\ 1 \end{bmatrix}$$",
        rf"$$O = {name} V {OUTPUT}$$",
    ]
    assert not [e for claim in report("\n\n".join(lines)).findings for e in claim.bad]
