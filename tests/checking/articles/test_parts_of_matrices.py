"""Parts of a matrix that is known, and fractions under its name: held against it, wherever they are printed."""

import pytest
from checking.checked import judged

from symattn import check_article

# softmax([[1, 2, 3], [1, 1, 1]]) by mpmath: 0.0900, 0.2447, 0.6652; 0.3333 three times
GIVEN = r"""
$$Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}, \quad
K = \begin{bmatrix} 1 & 1 \\ 2 & 1 \\ 3 & 1 \end{bmatrix}$$

$$S = Q K^\top$$

$$A = \mathrm{softmax}(S)$$

$$T = S / 2$$

"""
PARTS = {
    r"$$A_{:,1:2} \approx \begin{bmatrix} 0.090 & 0.245 \\ 0.333 & 0.333 \end{bmatrix}$$": ("0.245", "0.254"),
    r"$$B = A_{2,2:3} \approx \begin{bmatrix} 0.333 & 0.333 \end{bmatrix}$$": ("0.333 \\", "0.343 \\"),
    r"$$c = A_{:,3} \approx \begin{bmatrix} 0.665 \\ 0.333 \end{bmatrix}$$": ("0.665", "0.656"),
    "`A1 = A[:, :2] = [[0.090, 0.245], [0.333, 0.333]]`": ("0.245", "0.254"),
    r"$$T_{:,2:3} = \begin{bmatrix} 1 & \frac{3}{2} \\ \frac{1}{2} & \frac{1}{2} \end{bmatrix}$$": ("{3}", "{5}"),
    r"$$T = \begin{bmatrix} \frac12 & 1 & \frac{3}{2} \\ \frac12 & \frac12 & \frac12 \end{bmatrix}$$": ("{3}", "{7}"),
}


@pytest.mark.parametrize("text", PARTS)
def test_a_part_is_held_against_the_whole(text: str) -> None:
    right = check_article("a.md", GIVEN + text)
    assert not any(f.bad for f in right.findings) and len(right.findings[-1].entries) > 1
    slip, printed = PARTS[text]
    wrong = check_article("a.md", GIVEN + text.replace(slip, printed))
    assert len([e for f in wrong.findings for e in f.bad]) == 1


def test_a_span_beyond_the_matrix_is_none_of_it() -> None:
    found = check_article("a.md", GIVEN + r"$$A_{:,2:4} \approx \begin{bmatrix} 0.245 & 0.665 & 1 \end{bmatrix}$$")
    assert not found.findings or not found.findings[-1].bad


def test_fractions_that_are_given_stay_exact() -> None:
    text = r"$$X = \begin{bmatrix} \frac{1}{3} & \frac{2}{3} \end{bmatrix}$$" "\n\n"
    text += r"$$Y = 3000X = \begin{bmatrix} 1000 & 2000 \end{bmatrix}$$"
    assert [e.verdict for f in check_article("a.md", text).findings for e in f.entries] == ["exact", "exact"]


def test_a_column_is_no_entry_of_another() -> None:
    text = r"$$u = \begin{bmatrix}2\\4\end{bmatrix}, M = \begin{bmatrix}2&4\\6&3\end{bmatrix}$$" + "\n\n"
    text += r"$$u_2 = \begin{bmatrix}1\\3\end{bmatrix}$$" + "\n\n"
    text += r"$$N = \mathrm{diag}(u_2) M = \begin{bmatrix}2&4\\18&{}\end{bmatrix}$$" + "\n"
    assert [bad for *_, bad in judged(text.replace("{}", "9"))] == [[]]
    assert [bad for *_, bad in judged(text.replace("{}", "2"))] == [["2"]]
    assert judged(text.partition("$$N")[0] + r"$u_1 = 3$")[-1][2] == ["3"]  # of the first
