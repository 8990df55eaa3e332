"""A number with the digits of one that was printed wrong before is another one, unless a name says that it is that."""

from __future__ import annotations

import pytest

from symattn.checking.patch.corrections import correct
from tests.checking.checked import judged, report


@pytest.mark.parametrize(
    ("slip", "right"),
    [
        ("0.5 \\times 3 = 1.00", r"\frac{1}{4} = 0.25"),
        ("0.5 \\times 3 = 1.00", r"\sin(1) = 0.8415"),  # 0.84147…
        ("0.5 \\times 3 = 1.00", r"\cos(1/2) = 0.8776"),  # 0.87758…
        ("0.5 \\times 3 = 2.00", r"\exp(2/4) = 1.6487"),  # 1.64872…
        ("\\cos(1) = 0.8415", r"0.8415^2 + 0.5403^2 = 1.0000"),  # sin 1 and cos 1 in the wrong order
        ("1/4 + 1/4 = 0.375", r"0.375 \cdot 8 = 3"),
    ],
)
def test_equal_digits_are_no_reason_to_doubt_arithmetic(slip: str, right: str) -> None:
    assert [bad for _, _, bad in judged(f"$h = {slip}$\n\n${right}$")][1:] == [[]]


def test_equal_numbers_of_several_steps() -> None:
    """e²/(2e² + e⁻²) = 0.4955 and e⁻²/(2e² + e⁻²) = 0.0091: which of them 0.3333 is, nothing says."""
    share = r"\frac{{\exp({})}}{{\exp(2) + \exp(2) + \exp(-2)}} = 0.3333"
    steps = [f"$$p_{k} = {share.format(x)}$$" for k, x in enumerate(("2", "2", "-2"), 1)]
    total = "$$h = 0.3333 [3, 2, 4] + 0.3333 [-1, 1, 0] + 0.3333 [2, 1, -1] = [1.33, 1.33, 1.00]$$"
    found = report("\n\n".join([*steps, total]))
    assert [[e.printed for e in c.bad] for c in found.findings] == [["0.3333"], ["0.3333"], ["0.3333"], []]
    assert correct(found).source.endswith("[1.33, 1.33, 1.00]$$\n")


@pytest.mark.parametrize(
    "text",
    [
        "$p = softmax([1, 2]) = [0.50, 0.50]$\n\nThe mean is $0.5 · 4 + 0.5 · 10 = 7$.",  # [0.27, 0.73]
        "$p = softmax([1, 2]) = [0.6, 0.4]$\n\n$0.6 · 10 + 0.4 · 5 = 8$",
        "$p = softmax([1, 2]) = [0.6, 0.4]$\n\n$y = [0.6, 0.4] · [10, 5] = 8$",
    ],
)
def test_rows_of_any_numbers_are_not_known_again(text: str) -> None:
    assert [bad for _, _, bad in judged(text)][1:] == [[]]


@pytest.mark.parametrize("name", [r"\sigma", "s", "D"])
def test_the_root_of_a_square_that_was_printed_wrong(name: str) -> None:
    """14/4 = 3.5, √3.5 = 1.87."""
    found = report(f"${name}^2 = \\frac{{4 + 1 + 9}}{{4}} = 4.5$\n\n${name} = \\sqrt{{4.5}} = 2.12$").findings
    assert [(e.verdict, e.decimal) for c in found for e in c.entries] == [("wrong", "3.5"), ("carried", "1.87")]
