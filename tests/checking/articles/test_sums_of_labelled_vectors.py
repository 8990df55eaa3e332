"""Sums of vectors each of which has a word beside it; the expected values are sums by hand."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def _bad(text: str) -> list[list[str]]:
    return [bad for *_, bad in judged(text)]


@pytest.mark.parametrize(
    ("text", "right", "slip"),
    [
        ("```\n[0.25, -0.5](bird) + [0.5, 0.25](third place) = [0.75, {}]\n```", "-0.25", "0.25"),
        ("```js\n[0.25, -0.5](bird) + [0.5, 0.25](third place) = [0.75, {}]\n```", "-0.25", "0.25"),
        ('```\n"owl" → Embedding [0.5, 1.5, 2.5] + PE[0, 1, 0] → [0.5, {}, 2.5]\n```', "2.5", "1.5"),
        ("Added up, E[1.5, 2] − P[0.5, 1] = [1.0, {}].", "1", "3"),
    ],
)
def test_words_at_vectors_are_no_factors(text: str, right: str, slip: str) -> None:
    assert _bad(text.format(right)) == [[]]
    assert _bad(text.format(slip)) == [[slip]]


def test_words_before_round_brackets_are_dropped_only_where_the_sum_holds() -> None:
    text = "Paris(2,3) - France(1,3) + Italy(1,0) = Rome({})"
    assert _bad(text.format("2,0")) == [[]]
    assert not _bad(text.format("2,1"))


def test_indices_and_functions_are_kept() -> None:
    assert not _bad("x[0, 1] + x[1, 0] = x[2, 1]\n")
    assert not _bad("f(1,1) - f(0,1) + f(0,0) = f(1,0)\n")
