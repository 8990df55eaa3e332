"""Every door for a second of processor time; `random_inputs.py` runs longer by hand."""

import pytest
from random_inputs import DOORS, attack


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_a_door_answers_or_refuses(door: str) -> None:
    count, broken = attack(door, 1, seed=1)
    assert count and not broken
