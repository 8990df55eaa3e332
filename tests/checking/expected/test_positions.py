"""Tables of sinusoidal positions that are printed without their formula."""

from __future__ import annotations

import pytest

from symattn import check_article


@pytest.mark.parametrize(
    ("rows", "verdicts"),
    [
        ("[[0, 1, 0, 1], [0.8415, 0.5403, 0.0100, 1.0000]]", {"exact": 4, "rounded": 4}),
        ("[[0, 1, 0, 1], [0.8415, 0.5403, 0.0998, 0.9950]]", {"exact": 4, "rounded": 4}),
        ("[[0, 1, 0, 1], [0.8415, 0.5403, 0.0300, 0.9996]]", {}),  # by another base, or other numbers
        ("[[0, 1], [0.8415, 0.5403]]", {}),
    ],
)
def test_a_table_of_positions(rows: str, verdicts: dict[str, int]) -> None:
    assert check_article(f"It prints\n\n```\n{rows}\n```\n").summary == verdicts
