r"""Pages that lost the backslashes in front of brackets, semicolons and row ends: `[` for `\[`, `,;` for `,\;`."""

from __future__ import annotations

from symattn.reading.articles import read_article
from tests.checking.checked import judged

PAGE = r"""The logits are
[
z=[2,;1,;0]
]
so (e^2=7.389), (e^1=2.718) and (e^0=1), and with the weights
[
W=\begin{bmatrix}
0.5 & 0.5\
1 & 0
\end{bmatrix}
]
row 1 becomes
[
[0.5,0.5]-0.1[1,-2]=[0.4,;0.7]
]
"""


def test_formulas_between_brackets_without_backslashes_are_read() -> None:
    texts = [passage.text for passage in read_article("a.md", PAGE).passages]
    assert texts[:4] == ["z=[2,1,0]", "e^2=7.389", "e^1=2.718", "e^0=1"]
    assert texts[5] == "[0.5,0.5]-0.1[1,-2]=[0.4,0.7]"
    assert judged(PAGE)[-1][1:] == (["0.4", "0.7"], [])
    assert " ".join(texts[4].split()) == r"W=\begin{bmatrix} 0.5 & 0.5\\ 1 & 0 \end{bmatrix}"


def test_numbers_in_them_are_judged() -> None:
    assert judged(PAGE.replace("0.7]", "0.3]"))[-1][2] == ["0.3"]  # 0.5 + 0.2


def test_brackets_that_are_a_list_or_words_stay() -> None:
    assert read_article("a.md", "Take\n[\n1, 2, 3\n]\nas they are (0 = hidden).\n").passages[0].text == "[[1, 2, 3]]"
    kinds = {p.kind for p in read_article("a.md", 'Keys (a = b) are:\n\n{\n[\n"a = 1",\n]\n}\n').passages}
    assert kinds <= {"line"}


def test_a_gradient_by_a_letter_is_a_name_among_numbers() -> None:
    r"""[[1, 3], [2, 4]] [[1, 2], [3, 4]] = [[10, 14], [14, 20]]; \nabla_z L and ∂L/∂z are one name."""
    text = r"$\nabla_W = X^T \delta = [[1,3],[2,4]][[1,2],[3,4]] = [[10,14],[14,21]]$"
    assert judged(text)[-1][1:] == (["10", "14", "14", "21"], ["21"])
    again = r"$\nabla_z L = 2 \cdot 3 = 6$ and so $w = 1 - 0.1 \cdot \frac{\partial L}{\partial z} = 0.5$."
    assert judged(again)[-1][1:] == (["0.5"], ["0.5"])


def test_macros_of_another_file_that_are_usual_are_known() -> None:
    """softmax((2, 0)) is (0.8808, 0.1192)."""
    text = r"$$\fa = \text{softmax}\li(\bpmat 2\\ 0\epmat\ri) \approx \bpmat 0.88\\ 0.22\epmat$$"
    assert judged(text)[-1] == ("a", ["0.88", "0.22"], ["0.22"])
    own = r"\newcommand{\fr}{7} $\fr + 1 = 8$ and $\fx = 1$"
    assert judged(own)[0][1:] == (["8"], [])


def test_a_formula_on_one_line_between_such_brackets_is_read() -> None:
    page = "With (S = QK^\\top) we set\n\n[P = \\exp(S),\\quad r_i = \\sum_j P_{ij}]\n\nwhere (r) is a sum.\n"
    assert [p.text for p in read_article("a.md", page).passages][:2] == [
        "S = QK^\\top",
        "P = \\exp(S),\\quad r_i = \\sum_j P_{ij}",
    ]
    for other in ("[0.1, \\ldots, 0.3]", "[see \\alpha = 2](page.html)", '["a = \\beta"]', "[a = 1]"):
        assert not [p for p in read_article("a.md", f"Text\n\n{other}\n").passages if p.kind == "display"]


def test_brackets_around_formulas_with_marks_of_their_own_are_no_marks() -> None:
    for page, formulas in (
        ("[Note that $S = \\frac{Q}{d}$ and $P = S$.]\n", ["S = \\frac{Q}{d}", "P = S"]),
        ("[1] We note $\\sqrt{4} = 2$ and $\\sqrt{9} = 3$, see [2]\n", ["\\sqrt{4} = 2", "\\sqrt{9} = 3"]),
        ("[We set \\(a = \\frac{4}{2} = 2\\)]\n", ["a = \\frac{4}{2} = 2"]),
        ("[P = \\exp(S)]\n\n($2+2 = 4$, $3+3 = 6$)\n", ["P = \\exp(S)", "2+2 = 4", "3+3 = 6"]),
    ):
        marked = [p.text for p in read_article("a.md", page).passages if p.kind in ("inline", "display")]
        assert marked == formulas
    assert not [p for p in read_article("a.md", "[a_{t} = \\x 2] then [b = \\y 1]\n").passages if p.kind == "display"]
