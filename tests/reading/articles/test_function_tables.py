"""Tables of a function: its argument in the first column, its name above the others."""

from __future__ import annotations

import pytest

from symattn.reading.articles import read_article


@pytest.mark.parametrize(
    ("header", "row", "equations"),
    [
        ("x | sin(x)", "1 | 0.84", ["sin(1) = 0.84"]),
        ("Position | sin | cos", "**2** | 0.91 | -0.42", ["sin(2) = 0.91", "cos(2) = -0.42"]),
        ("pos | **tanh(pos)**", "20 | ≈1", ["tanh(20) = 1"]),
        ("x | sin(y)", "1 | 0.84", []),
        ("sin | x", "1 | 0.84", []),
        ("x | sin(x) | why", "1 | 0.84 | 2", []),
    ],
)
def test_a_table_of_a_function_is_an_equation_for_each_cell(header: str, row: str, equations: list[str]) -> None:
    dashes = "|".join("---" for _ in header.split("|"))
    text = f"| {header} |\n|{dashes}|\n| {row} |\n| {row} |\n"
    found = [p.text for p in read_article("a.md", text).passages]
    assert found == [e for _ in range(2) for e in equations]
