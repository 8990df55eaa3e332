"""A product that is printed over √d_k as the others of its kind: 2.52 → 2.52/2 = 1.26, and k·q = 1.26 below."""

import pytest

from tests.checking.checked import judged

GIVEN = """√d_k = √4 = 2

a = [0.6, 1.4, 0, 1.2]
b = [0.6, 1.2, 1.7, 0.4]

"""


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("s = a·b = 2.52 → 2.52/2 = 1.26\nt = b·a = 1.26\n", []),
        ("s = a·b = 2.52 → 2.52/2 = 1.26\nt = b·a = 1.25\n", ["1.25"]),
        ("t = b·a = 1.26\n", ["1.26"]),  # no other one is scaled
    ],
)
def test_it_is_listed_and_not_called_wrong(lines, wrong):
    assert [n for *_, bad in judged(GIVEN + "```\n" + lines + "```\n") for n in bad] == wrong
