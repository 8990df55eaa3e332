"""Losses called by their names with numbers in them; expected values are worked out by hand and with mpmath."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


@pytest.mark.parametrize(
    ("call", "right", "slip"),
    [
        ("MSE([0.5, 0.25], [1, 0])", "0.156", "0.313"),  # (0.25 + 0.0625)/2
        ("MAE([0.5, 0.25], [1, 0])", "0.375", "0.75"),
        ("BCE(logit=1.5, target=1.0)", "0.201", "0.223"),  # ln(1 + e^(−1.5))
        ("BCE(target=0, logit=1.5)", "1.701", "0.201"),
        ("BCE(0.8, 1)", "0.223", "0.248"),
        ("BCE(0, 0.8)", "1.609", "0.223"),
    ],
)
def test_losses_of_printed_numbers(call: str, right: str, slip: str) -> None:
    assert [bad for *_, bad in judged(f"```\nloss = {call} ≈ {right}\n```")] == [[]]
    assert [bad for *_, bad in judged(f"```\nloss = {call} ≈ {slip}\n```")] == [[slip]]


def test_which_of_two_numbers_is_the_target_is_not_guessed() -> None:
    assert not judged("```\nloss = BCE(0.3, 0.2) ≈ 0.5\nloss = BCE(1, 0) ≈ 0.5\nloss = MSE([1, 2], [1]) ≈ 0.5\n```")
