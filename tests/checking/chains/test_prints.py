"""Fractions and roots as cells; matrices that leave entries out."""

from __future__ import annotations

import pytest

from symattn import check_article
from tests.checking.checked import judged, listed

KNOWN = "$Q = [[1, 0], [0, 2]]$ $K = [[1, 1], [2, 0]]$\n\n"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("softmax([0, 0]) = [1/2, 1/2]", {"exact": 2}),
        ("softmax([0, 0, 0]) = [1/3, 2/3, 1/3]", {"exact": 2, "wrong": 1}),
        (
            r"$\frac{Q}{\sqrt{2}} = \begin{bmatrix} \frac{1}{\sqrt{2}} & 0 \\ 0 & \sqrt{2} \end{bmatrix}$",
            {"rounded": 2, "exact": 2},
        ),
        (r"$Q/4 = [[1/4, 0], [0, 2/4]] = [[0.25, 0], [0, 0.5]]$", {"exact": 4}),  # arithmetic still to be done
        ("softmax([5, 5]) = [5/10, 5/10] = [0.5, 0.5]", {"exact": 2}),
        ("$QK^T = [[1, …], [2, 1]]$", {"exact": 2, "wrong": 1}),
        ("$QK^T = [[1, 2], …]$", {"exact": 2}),
        ("softmax([2, 1, 0, 0]) = [0.61, …, 0.08]", {"rounded": 2}),
        ("softmax([2, 1, 0, 0]) = [0.71, …]", {"wrong": 1}),
    ],
)
def test_every_entry_that_is_printed_is_judged(text: str, verdicts: dict[str, int]) -> None:
    assert check_article(KNOWN + text + "\n").summary == verdicts


def test_a_number_told_by_how_far_it_is_from_a_whole_one_is_one_print() -> None:
    # e^-33.94 = 1.8196e-15; sigmoid(80) = 1 - 1.8049e-35
    text = r"$\mathrm{softmax}([0, -33.94]) = [1 - 1.82 \times 10^{-15}, 1.82 \times 10^{-15}]$"
    assert check_article(text).summary == {"rounded": 2}
    assert check_article("softmax([0, -80]) = [1 − 1.80 × 10⁻³⁵, 1.80 × 10⁻³⁵]").summary == {"rounded": 2}
    assert check_article("softmax([0, -80]) = [1 − 1.90 × 10⁻³⁵, 1.80 × 10⁻³⁵]").summary["wrong"] == 1


def test_an_entry_of_what_was_computed_from_rounded_numbers_is_as_uncertain_as_they_are() -> None:
    # A is given to two decimals; O_11 is the first entry of A V, for which 2.35 may stand
    weights = r"$A \approx [[0.03, 0.01, 0.46, 0.46], [0.25, 0.25, 0.25, 0.25]]$ $V = [[2], [2], [2], [3]]$"
    outputs = "$O = A V \\approx [[2.35], [2.25]]$\n\n$O_{11} = 4.7/2 \\approx 2.35$"
    assert check_article(weights + "\n\n" + outputs).summary == {"exact": 1, "intermediate": 1, "input-rounding": 1}


def test_a_drawn_column_of_numbers_near_whole_ones_is_read_whole() -> None:
    # softmax of (0, -30) is 1 - 9.36e-14, 9.36e-14; of (0, 0) it is 1/2; times (4, 0)
    text = "    S = [ 0  −30 ]\n        [ 0    0 ]\n\n    V = [ 4 ]\n        [ 0 ]\n\n    O = softmax(S) V\n\n"
    drawn = "      ≈ [ 4 − 3.74 × 10⁻¹³ ]\n        [                2 ]\n"
    report = check_article("a.txt", text + drawn)
    assert (sum(report.summary.values()), report.clean) == (2, True)
    assert [n.text for n in report.not_checked if n.reason.key == "line_unread"] == []


def test_a_term_of_rounded_numbers_may_have_had_more_digits() -> None:
    given = r"$A \approx [[0.48, 0.52], [0.30, 0.70]]$ $V = [[1], [0]]$" + "\n\n"
    assert check_article(given + "$A_{11} V_{11} + A_{12} V_{21} = 0.4785 + 0 = 0.48$\n").clean
    assert not check_article(given + "$A_{11} V_{11} + A_{12} V_{21} = 0.5785 + 0 = 0.58$\n").clean


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_print_of_a_quotient_stands_for_it_with_its_sign(sign: str) -> None:
    """-2/7 · 20 is -5.714, which -0.29 · 20 = -5.80 only comes near to."""
    text = f"$$a = \\frac{{{sign}2}}{{7}} \\approx {sign}0.29$$\n\n$$b = {sign}0.29 \\cdot 20 \\approx {sign}5.71$$\n"
    assert check_article(text).summary.get("wrong", 0) == 0


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("[sin(1), cos(1), ...] = [0.84, 0.54, ...]", []),
        ("[sin(1), cos(1), ...] = [0.84, 0.64, ...]", ["0.64"]),
        ("[cos(1), sin(1), cos(1/10000^2), ...]\n= [0.54, 0.84, 0.9998, ...]", ["0.9998"]),
        ("PE(1) = [sin(1), cos(1), ...] = [0.94, 0.54, ...]", ["0.94"]),
    ],
)
def test_the_beginning_of_a_list_that_ends_in_dots(text: str, bad: list[str]) -> None:
    assert [b for *_, b in judged(text)] == [bad] and not listed(text)


@pytest.mark.parametrize(
    "text",
    [
        "[sin(1), cos(1), ...] = [0.84, 0.64, 0.1, ...]",
        "[sin(1), cos(1), ..., sin(9)] = [0.84, ..., 0.41]",
        "[sin(w), cos(w), ...] = [0.84, 0.64, ...]",
        "[..., sin(1)] = [..., 0.94]",
    ],
)
def test_other_lists_with_dots_are_listed(text: str) -> None:
    assert not judged(text) and listed(text)
