"""Every door for a second of processor time; `random_inputs.py` runs longer by hand."""

import pytest

from tests.fuzz.random_inputs import DOORS, attack


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_a_door_answers_or_refuses(door: str) -> None:
    made = attack(door, 1, seed=1)
    assert made.count and not made.broken
