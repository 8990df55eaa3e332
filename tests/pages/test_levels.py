"""The same step as matrices, as vectors of tokens, and as entries: formulas of every kind, numbers from NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from symattn.cli.main import run
from tests.samples import PROJECTED, SHEETS, SMALL, derived

EVERYTHING = (
    PROJECTED
    + "W_O = [[1, 0, 2], [0, -1, 1]]\nb_Q = [1, -1]\nb_O = [1, 0, 0]\n"
    + '[attention]\nmask = "causal"\nsoftcap = 3\nbias = [[0, 1], [1, 0]]\n'
)


def told(text: str, level: str, *, detail: str = "brief", **options: object) -> str:
    return " ".join(derived(text + f'[show]\nlevel = "{level}"\n', detail).to_markdown(**options).split())


def test_entries_of_every_kind_of_step() -> None:
    page = told(EVERYTHING, "index", detail="full")
    for formula in (
        r"Q_{ij} = \sum_{k=1}^{3} X_{ik} W_{kj}^{Q} + b_{Q,j}",
        r"S_{ij} = \sum_{k=1}^{2} Q_{ik} K_{jk}",
        r"S'_{ij} = \frac{S_{ij}}{\sqrt{d_k}}",
        r"\bar{S}_{ij} = 3 \tanh\left(\frac{S'_{ij}}{3}\right)",
        r"\tilde{S}_{ij} = \begin{cases} \bar{S}_{ij} + B_{ij} & j \le i \\ -\infty & \text{otherwise}",
        r"\mu_{i} = \max_{j} \tilde{S}_{ij}",
        r"\Delta_{ij} = \tilde{S}_{ij} - \mu_{i}",
        r"E_{ij} = e^{\Delta_{ij}}",
        r"\ell_{i} = \sum_{j} E_{ij}",
        r"A_{ij} = \frac{E_{ij}}{\ell_{i}}",
        r"O_{ij} = \sum_{k=1}^{2} A_{ik} V_{kj}",
        r"C_{ij} = O_{ij}",
        r"Y_{ij} = \sum_{k=1}^{2} C_{ik} W_{kj}^{O} + b_{O,j}",
    ):
        assert formula in page
    # X = (1, 0, 2), (0, 1, -1); the second column of W_Q = (0, 1, 1); b_Q = (1, -1)
    assert r"0 \cdot 0 + 1 \cdot 1 + (-1) \cdot 1 + (-1) = -1" in page


def test_vectors_of_every_kind_of_step() -> None:
    page = told(EVERYTHING, "token")
    for formula in (
        r"q_{1} = x_{1} W^{Q} + b_{Q} = \begin{bmatrix} 1 & 0 & 2 \end{bmatrix}",
        r"S_{12} = q_{1} \cdot k_{2}",
        r"\bar{S}_{12} = 3 \tanh\left(\frac{S'_{12}}{3}\right)",
        r"\tilde{S}_{21} = \bar{S}_{21} + B_{21}",
        r"\tilde{S}_{12} = -\infty $$",
        r"c_{1} = o_{1}",
        r"y_{1} = c_{1} W^{O} + b_{O}",
    ):
        assert formula in page.replace("&=", "=").replace(r" \\ =", " =")
    symbolic = told(SHEETS["symbolic"], "token")
    assert r"\tilde{S}_{ij} = \begin{cases} \bar{S}_{ij} & j \le i" in symbolic


@pytest.mark.parametrize("level", ["token", "index"])
@pytest.mark.parametrize("name", ["by token", "softcap, bias and mask", "biases of projections", "output projection"])
def test_nothing_is_rounded_where_nothing_shall_be(name: str, level: str) -> None:
    text = re.sub(r"\[show\].*", "", SHEETS[name], flags=re.DOTALL)
    assert r"\approx" in told(text, level)
    assert r"\approx" not in told(text, level, rounded=False)


def test_conditions_are_said_in_the_language_of_the_page() -> None:
    assert r"\text{其他情况}" in told(SMALL + '[attention]\nmask = "causal"\n', "index", language="zh")


def test_entries_are_worth_what_numpy_says() -> None:
    Q, K = np.array([[1, 2], [3, -1], [0, 1]]), np.array([[2, 0], [1, 1], [-1, 2]])
    page = told(SMALL, "index")
    assert f"= {(Q @ K.T)[1, 2]}$" in page
    inside = re.findall(r"All entries: \$\$ S = \\begin{bmatrix} (.*?) \\end{bmatrix}", page)[0]
    assert [[int(x) for x in row.split("&")] for row in inside.split(r"\\")] == (Q @ K.T).tolist()


def test_the_command_line_chooses_the_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", "scaled-dot-product", "--level", "index", "--to", "text"]) == 0
    assert "S_ij = Σ_k=1..d_k Q_ik K_jk" in capsys.readouterr().out
    assert run(["derive", "scaled-dot-product", "--level", "cell"]) == 2


def test_heads_have_entries_too() -> None:
    text = (
        '[inputs]\nX = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\nW_V = "d_model x d_v"\n'
        "[attention]\nheads = 4\nkv_heads = 2\n"
    )
    page = told(text, "index")
    # i counts heads and j those of keys, so that tokens are s and t
    assert r"Q_{st}^{(i)} = \sum_{k=1}^{d_{\mathrm{model}}} X_{sk} \left(W_{i}^{Q}\right)_{kt}" in page
    assert r"S_{st}^{(i)} = \sum_{k=1}^{d_k} Q_{sk}^{(i)} K_{tk}^{(\lceil i/2 \rceil)}" in page
    assert r"\left(\mathrm{head}_{i}\right)_{st} = \sum_{k=1}^{n} A_{sk}^{(i)} V_{kt}^{(\lceil i/2 \rceil)}" in page
