"""Formulas to values, by hand."""

from fractions import Fraction

import pytest

from symattn.checking.semantics.evaluation import NoValueError, evaluate, scalar, softmax
from symattn.checking.semantics.picking import pick
from symattn.reading.formula import parse
from symattn.values.balls import Balls
from symattn.values.printed import enclose


def value(text: str) -> Balls:
    return evaluate(parse(text)[0].sides[0].expression, lambda _: None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 - 3 - 2", 5),
        ("-2^2", -4),
        ("2^{3^2}", 512),
        ("1/2/2", Fraction(1, 4)),
        ("[1, 2] \\cdot [3, 4]", 11),
        ("\\frac{3 \\times 4}{2 + 4}", 2),
        ("\\sqrt{9}", 3),
        ("sqrt(9)", 3),
        ("\\|[3, 4]\\|", 5),
        ("\\|[[3], [4]]\\|", 5),
        ("\\sigma(0)", Fraction(1, 2)),
        ("\\max(-\\infty, 3)", 3),
        ("\\max(-\\infty, 3, 7)", 7),
        ("\\max(2, 9, 4)", 9),
        ("\\min(2, 3)", 2),
        ("\\min(4, 3, 5)", 3),
        ("\\mathrm{Attention}([[1]], [[1]], [[2]])", 2),
        ("\\|[[1, 1], [1, 1]]\\|", 2),
    ],
)
def test_numbers(text: str, expected: Fraction) -> None:
    result = value(text)
    assert result.shape == (1, 1) and result.rows[0][0].overlaps(scalar(Fraction(expected)).rows[0][0])


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("[[1, 2], [3, 4]] @ [5, 6]", [[17, 39]]),
        ("\\mathrm{diag}([1, 2])", [[1, 0], [0, 2]]),
        ("\\frac{[[2, 4], [6, 8]]}{[[2], [4]]}", [[1, 2], [Fraction(3, 2), 2]]),
        ("\\frac{[[2, 4]]}{[[1, 2]]}", [[2, 2]]),
        ("\\mathrm{Attention}([[1], [1]], [[1], [1]], [[2], [4]])", [[3], [3]]),
        ("\\mathrm{Concat}([[1], [2]], [[3], [4]])", [[1, 3], [2, 4]]),
        ("I_2 \\cdot [[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
    ],
)
def test_matrices(text: str, rows: list[list[Fraction]]) -> None:
    result = value(text)
    assert [
        [x.overlaps(scalar(Fraction(y)).rows[0][0]) for x, y in zip(p, q, strict=True)]
        for p, q in zip(result.rows, rows, strict=True)
    ] == [[True] * len(rows[0])] * len(rows)


def test_concat_keeps_minus_infinity() -> None:
    joined = value("Concat([[1, -\\infty]], [[2, 3]])")
    assert joined.shape == (1, 4) and joined.hidden == {(0, 1)}


def test_masked_terms_are_zero_in_softmax() -> None:
    rows = softmax(enclose([[Fraction(5), None], [Fraction(1), Fraction(1)]])).rows
    assert rows[0][0] == 1 and rows[0][1] == 0 and rows[1][0].overlaps(scalar(Fraction(1, 2)).rows[0][0])


@pytest.mark.parametrize(
    "text",
    [
        "softmax([[-\\infty, -\\infty]])",
        "\\tanh([[-\\infty, 1]])",
        "0 \\cdot [[-\\infty, 1]]",
        "[[1, 2]] \\times [[1, 2]]",
        "1/0",
        "1/(2 - 2)",
        "\\sqrt{-1}",
        "[[1, 2], [3, 4]]^2",
        "Dropout([1, 2])",
        "+\\infty",
        "\\begin{vmatrix} 1 & 2 \\\\ 3 & 4 \\end{vmatrix}",
        "|[[1, 2], [3, 4]]|",
        "[[1], [2]] + [[1, 2, 3]]",
        "[[1, 2]] \\cdot [[1, -\\infty], [2, 3]]",
        "[[1, 2]] \\odot [[-\\infty, 2]]",
        "\\frac{[[2, 4]]}{[[0, 1]]}",
        "\\frac{1}{[[1, 2], [3, 4]]}",
        "(-8)^{0.5}",
        "0^{-1}",
        "\\mathrm{diag}([[1, 2], [3, 4]])",
        "\\mathrm{diag}([-\\infty, 2])",
        "\\mathrm{Concat}([[1], [2]], [[1]])",
        "\\mathrm{Attention}([[1]], [[1, 2]], [[2]])",
        "sqrt([[4, 9], [1, 4]])",
        "\\sigma([1, 2])",
        "\\max([1, 2], [3, 0])",
        "\\max(1, [1, 2], 3)",
        "\\min(-\\infty, 3, 4)",
        "\\mathrm{softmax}(2)",
        "\\mathrm{softmax}([[1]], 1)",
        "\\mathrm{mask}([[1]])",
        "[1, \\dots, 2] + [1, 2]",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(NoValueError):
        value(text)


def test_pick() -> None:
    table = enclose([[Fraction(1), Fraction(2)], [Fraction(3), None]])
    second = pick(table, [2])
    assert second is not None and second.rows[0][0] == 3 and second.hidden == {(0, 1)}
    entry = pick(table, [12])  # S_12 of a small matrix is row 1, column 2
    assert entry is not None and entry.rows[0][0] == 2
    for beyond in ([3], [1, 3], [0], [1, 2, 1]):
        assert pick(table, beyond) is None
