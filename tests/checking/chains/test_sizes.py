"""A size under a root that is stated twice: that of a model, and that of the example."""

import pytest
from checking.checked import judged

from symattn import check_article

pytestmark = pytest.mark.slow

Q = r"$$Q = \begin{pmatrix} 1 & 0 & 1 & 0 \\ 0 & 2 & 0 & 1 \\ 1 & 1 & 0 & 0 \end{pmatrix}$$"
K = r"$$K = \begin{pmatrix} 1 & 1 & 1 & 0 \\ 0 & 1 & 0 & 2 \\ 1 & 0 & 0 & 1 \end{pmatrix}$$"
S = r"$$S = QK^\top = \begin{pmatrix} 2 & 0 & 1 \\ 2 & 4 & 1 \\ 2 & 1 & 1 \end{pmatrix}$$"
HALF = r"\begin{pmatrix} 1 & 0 & 0.5 \\ 1 & 2 & 0.5 \\ 1 & 0.5 & 0.5 \end{pmatrix}"
# softmax of the rows of HALF, to four decimals
WEIGHTS = (
    r"\begin{pmatrix} 0.5065 & 0.1863 & 0.3072 \\ 0.2312 & 0.6285 & 0.1402 \\ 0.4519 & 0.2741 & 0.2741 \end{pmatrix}"
)
MODEL = r"In the real model, $\sqrt{C} = \sqrt{384} \approx 19.6$."


def bad(*parts):
    return [wrong for _, _, wrong in judged("\n\n".join(parts)) if wrong]


@pytest.mark.parametrize("stated", ["We take T = 3 and C = 4.", "We take three tokens.", "Each has `C = 4` channels."])
@pytest.mark.parametrize("aside", [MODEL, "In the real model, $C = 384$."])
@pytest.mark.parametrize(
    "end",
    [
        rf"$$\frac{{S}}{{\sqrt{{C}}}} = {HALF}$$",
        rf"$$S' = \frac{{QK^\top}}{{\sqrt{{C}}}} = {HALF}$$",
        rf"$$S' = S C^{{-1/2}} = {HALF}$$",
        rf"$$A = \mathrm{{softmax}}(S / \sqrt{{C}}) = {WEIGHTS}$$",
        "$$S' = S / \\sqrt{C}$$\n\n" + rf"$$A = \mathrm{{softmax}}(S') = {WEIGHTS}$$",
        r"$$\frac{S_{22}}{\sqrt{C}} = 2$$",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_the_size_with_which_a_print_fits_is_meant(stated, aside, end, first):
    asides = (aside, stated, Q, K, S) if first else (stated, Q, K, S, aside)
    assert bad(*asides, "Scaling by 1/sqrt(4) = 0.5 in our example:", end) == []


@pytest.mark.parametrize("end", [r"$\sqrt{C} = 2$", r"$1/\sqrt{C} = 0.5$"])
def test_a_root_may_be_that_of_any_size_stated(end):
    assert bad("We take T = 3 and C = 4.", MODEL, f"Here, {end}.") == []


def test_words_say_the_size_where_no_matrix_does():
    assert (
        bad(MODEL, S.replace("QK^\\top = ", ""), "Scaling by 1/sqrt(4):", rf"$$\frac{{S}}{{\sqrt{{C}}}} = {HALF}$$")
        == []
    )


def test_what_fits_with_no_size_is_wrong():
    wrong = HALF.replace("& 2 &", "& 3 &")
    assert bad("We take C = 4.", Q, K, S, MODEL, rf"$$S / \sqrt{{C}} = {wrong}$$") == [["3"]]


def test_the_width_of_the_embeddings_is_not_that_of_the_keys():
    """S divided by √16 = 4 is no scaled score of keys of width 4."""
    quarter = r"\begin{pmatrix} 0.5 & 0 & 0.25 \\ 0.5 & 1 & 0.25 \\ 0.5 & 0.25 & 0.25 \end{pmatrix}"
    text = (Q, K, S, r"We have $d_k = 4$.", "Scaling by 1/sqrt(16):", rf"$$S / \sqrt{{d_k}} = {quarter}$$")
    assert bad(*text) == [["0.5", "0.25", "0.5", "1", "0.25", "0.5", "0.25", "0.25"]]


def test_a_width_that_is_printed_is_no_longer_another_number():
    matrices = r"$Q = \begin{bmatrix}1 & 2\end{bmatrix}$, $K = \begin{bmatrix}2 & 3\end{bmatrix}$"
    claim = r"$\frac{QK^T}{\sqrt{d_k}} = \frac{QK^T}{\sqrt{4}} = 4$"
    assert check_article(f"{matrices}. {claim}\n").summary == {"exact": 1}  # the author's d_k is 4
    assert check_article(f"{matrices}, $d_k = 2$. {claim}\n").summary == {"exact": 1, "wrong": 1}  # 8/√2, not 8/√4


def test_a_size_that_is_stated_right_behind_a_print_is_meant():
    known = r"With $d_k = 2$ we have $\sqrt{d_k} = 1.41$."
    assert bad(known, r"The deviation grows like $\sqrt{d_k}$ (≈ 8 with $d_k=64$).") == []
    assert bad(known, r"The deviation grows like $\sqrt{d_k}$ (≈ 9 with $d_k=64$).") == []  # which is meant is doubtful
    assert bad(known, r"It is $\sqrt{d_k} = 1.51$. With $d_k = 64$ it is more.") == [["1.51"]]
