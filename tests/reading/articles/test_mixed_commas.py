"""Formulas with decimal commas in an article that writes other numbers with points, and logarithms in plain letters."""

import pytest
from checking.checked import judged, report

POINTS = "$0.25 + 0.5 = 0.75$\n\n"


def test_formulas_with_a_proof_of_their_own_are_decimal() -> None:
    text = POINTS + "$$S = -\\log_2 0,7 = 0,514$$\n$$C = -\\log_2 0,35 = 1,71$$"
    assert judged(text)[1:] == [("S", ["0,514"], []), ("C", ["1,71"], ["1,71"])]


@pytest.mark.parametrize(
    "text",
    [
        "$S = -\\log_2 0,7 = 0,514$",  # one alone is none
        "$x = (0,12)$ and $y = (0,34)$",
        "$n = 4,194,304$ $$S = -\\log_2 0,7 = 0,514$$\n$$C = -\\log_2 0,35 = 1,71$$",
        "$i = 0,12$ and $S_{0,12} = 5$, $k = 0,15,30$",
    ],
)
def test_others_are_not(text: str) -> None:
    assert not any(bad for *_, bad in judged(POINTS + text))
    assert len(judged(POINTS + text)) == 1


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$log_2 4 = 4$", "4"),
        ("$-log_2 0.25 = 3$", "3"),
        (r"$-log_2 \frac{1}{8} = 2$", "2"),
        ("$log_{10} 1000 = 4$", "4"),
        ("`log_2 8 = 4`", "4"),
    ],
)
def test_a_logarithm_without_its_backslash(text: str, number: str) -> None:
    assert judged(text)[0][1:] == ([number], [number])


@pytest.mark.parametrize("text", ["$log_2 4 = 2$", "$log_2 = 3$, $log_2 + 4 = 7$", r"$log_{10} \frac{1}{100} = -2$"])
def test_right_ones(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize("log", ["p_i log p_i", "p_ilog p_i", r"p_i \log p_i", "p_i ln p_i"])
def test_an_entropy_with_such_a_logarithm(log: str) -> None:
    assert [formula.verdict for formula in report(rf"$$H(p) = -\sum_i {log}$$").formulas] == ["holds"]
    assert [formula.verdict for formula in report(rf"$$H(p) = \sum_i {log}$$").formulas] == ["fails"]


def test_the_logarithm_of_an_entry() -> None:
    assert judged("$$p_1 = 4$$\n\n$$-log_2 p_1 = -3$$") == [("-log_2 p_1", ["-3"], ["-3"])]
