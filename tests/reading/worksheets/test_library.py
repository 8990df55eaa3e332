"""The derivations that ship are found by name, and nothing else is."""

from __future__ import annotations

import pytest

from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import read_worksheet


@pytest.mark.parametrize("name", library.names())
def test_each_is_found_and_read(name: str) -> None:
    path = library.find(name)
    assert path is not None and path.stem == name
    assert read_worksheet(path).title == library.title(name)


@pytest.mark.parametrize("name", ["", "nothing", "../pyproject", "hand-calculation.toml", "README"])
def test_nothing_else_is_found(name: str) -> None:
    assert library.find(name) is None
