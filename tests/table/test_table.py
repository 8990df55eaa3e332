"""docs/table.md says what works with what, every cell tried; `PYTHONPATH=tests python -m table.cells` writes it."""

import warnings
from pathlib import Path

import pytest
from table.cells import EMPTY, ROWS, document, line_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "table.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_every_cell(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert line_of(ROWS[name]) in PAGE


def test_the_page_is_that_of_the_rows():
    found = {line.split(" | ")[0].removeprefix("| "): line for line in PAGE.splitlines() if line.startswith("| ")}
    assert document({name: found[name] for name in ROWS}) == PAGE
    assert {row for row, _ in EMPTY if row} <= ROWS.keys() | {row.group for row in ROWS.values()}
