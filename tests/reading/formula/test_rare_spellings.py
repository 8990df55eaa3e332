"""Spellings that are met seldom: each means what the usual one beside it means, or is refused at its place."""

import pytest

from symattn.errors import FormulaError
from symattn.reading.formula import Name, Quotient, Root, parse


@pytest.mark.parametrize(
    ("rare", "usual"),
    [
        ("transpose(K)", "K^T"),
        ("W^{QT} x", r"(W^Q)^\top x"),  # the Q of W^Q, and its transpose
        ("x.softmax(dim=-1)", "softmax(x, dim=-1)"),
        (r"F_t^{1\rightarrow0}", r"F_t^{1→0}"),  # from one to the other
        ("sqrt2/2", r"\frac{\sqrt 2}{2}"),
        (r"\operatorname*{softmax}(x)", r"\operatorname{softmax}(x)"),
        (r"x = \frac{a}{b} \text{ }", r"x = \frac{a}{b}"),
        (r"{a + b \over {c \over d} - e}", r"\frac{a + b}{\frac{c}{d} - e}"),
        (r"\begin{array}[t]{cc} 1 & 2 \end{array}", r"\begin{array}{cc} 1 & 2 \end{array}"),
        (r"\begin{bmatrix} 1 & \\ 2 & \end{bmatrix}", r"\begin{bmatrix} 1 \\ 2 \end{bmatrix}"),
    ],
)
def test_both_are_read_alike(rare: str, usual: str) -> None:
    assert _trees(rare) == _trees(usual)


@pytest.mark.parametrize(
    ("rare", "usual"),
    [
        (r"\sin^{2}(x)", r"(\sin(x))^2"),
        (r"\sum_{1 \le j \le n} x_j", r"\sum_{j=1}^{n} x_j"),
        (r"\sum_{1 < j < n} x_j", r"\sum_{j=1+1}^{n-1} x_j"),
    ],
)
def test_both_are_read_alike_in_algebra(rare: str, usual: str) -> None:
    assert _trees(rare, algebra=True) == _trees(usual, algebra=True)


def _trees(text: str, algebra: bool = False) -> list[list[tuple[str, object]]]:
    """What compares without the places; names and numbers are equal however they are spelled."""
    return [[(side.relation, side.expression) for side in chain.sides] for chain in parse(text, algebra=algebra)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (r"\begin{foo} 1 & 2 \end{foo}", r"\begin{foo}"),  # no environment of matrices
        (r"\begin{array}[t] 1 & 2 \end{array}", "1"),  # `[t]` is an option only before the columns
        (r"\begin{array}{c_1} 1 \end{array}", "1"),  # not what tells columns
        (r"\begin{bmatrix} \approx x \end{bmatrix}", "x"),  # about a number, not about a letter
        (r"\begin{bmatrix} 1 & & 2 \\ 3 & 4 & 5 \end{bmatrix}", r"\begin{bmatrix}"),
        (r"\begin{bmatrix} & \\ & \end{bmatrix}", r"\begin{bmatrix}"),
        ("[1, 2; [3, 4]]", "[3, 4]"),
        ("max(a; b)", ";"),
        ("K.transpose(1, 3)", ".transpose"),  # other axes than the last two
        ("K.transpose(-2, -1, out=1)", ".transpose"),
        ("W_{1,,2}", "{"),
        (r"d/dx (a · b)", "a · b"),  # of a alone, or of the product
        ("x ⊘ y", "⊘"),
    ],
)
def test_refused_at(text: str, place: str) -> None:
    for algebra in (False, True):
        with pytest.raises(FormulaError) as refusal:
            parse(text, algebra=algebra)
        assert text[refusal.value.start : refusal.value.end] == place


def test_several_places_in_brackets_are_an_entry() -> None:
    # softmax[S] is Bishop's softmax of S, but softmax[i, j] the entry of an array of that name
    assert _trees("softmax[S]") == _trees("softmax([S])")
    [[(_, entry)]] = _trees("softmax[i, j]")
    assert entry.item == ("i", "j")  # type: ignore[attr-defined]


def test_a_number_in_words_counts() -> None:
    [[(_, total)]] = _trees(r"\text{12} + 1", algebra=True)
    assert [term.value for term in total.terms] == [12, 1]  # type: ignore[attr-defined]


@pytest.mark.parametrize("root", [r"\sqrt[]{c}", r"\sqrt[2]{c}", r"\sqrt [ 2 ] {c}"])
def test_a_root_with_an_empty_index_or_2_is_the_square_root(root):
    [chain] = parse(rf"\frac{{a}}{{{root}}}", algebra=True)
    assert chain.sides[0].expression == Quotient(Name("a"), Root(Name("c")))


def test_another_root_is_not_read_as_the_square_root():
    with pytest.raises(FormulaError):
        parse(r"\sqrt[3]{c}", algebra=True)
