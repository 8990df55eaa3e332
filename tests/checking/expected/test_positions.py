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


GAPS = """d_model = 8

$PE(2, 0) = \\sin(2 / 10000^(0/8)) = 0.909$

```
Encoding:
        dim0    dim1   dim2   ...   dim7
pos=0  [0.000   1.000  0.000  ...   1.000]
pos=1  [0.841   0.540  0.100  ...   1.000]
pos=2  [0.909  -0.416  {}  ...   1.000]
```
"""  # sin(2 / 10000^(2/8)) = sin(0.2) = 0.199


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (GAPS.format("0.199"), []),
        (GAPS.format("0.895"), ["0.895"]),
        (GAPS.format("0.895").replace("0.540", "0.640"), None),  # no table of these positions
        (GAPS.format("0.895").replace("d_model", "seq_len"), None),  # of how many columns, nobody knows
        (GAPS.format("0.895").replace("10000^(0/8)", "500^(0/8)"), None),  # nor by which base
    ],
)
def test_a_table_of_positions_with_columns_left_out(text: str, bad: list[str] | None) -> None:
    found = [c for c in check_article("a.md", text).findings if len(c.entries) == 12]
    assert [[e.printed for e in c.bad] for c in found] == ([] if bad is None else [bad])


FORMULA = "PE(pos, 2i) = sin(pos / 10000^(2i / d_model))\nPE(pos, 2i+1) = cos(pos / 10000^(2i / d_model))"


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (f"```\n{FORMULA}\nd_model = 4\nPE(2) = [0.9093, -0.4161, 0.0200, 0.9998]\n```", []),
        (f"```\n{FORMULA}\nd_model = 4\nPE(2) = [0.9093, -0.4161, 0.0300, 0.9998]\n```", ["0.0300"]),
        ("$$PE_{(pos,2i)} = \\sin(pos/10000^{2i/d})$$\n\n$PE_1 = [0.8415, 0.5403, 0.0100, 0.9909]$", ["0.9909"]),
        (f"```\n{FORMULA}\n```\n\nPE(7) = [1, 2, 3, 4]", []),  # of something else
        (f"```\n{FORMULA}\nd_model = 512\nPE(1) = [0.8415, 0.5403, 0.8219, 0.5697]\n```", []),  # the first ones
        ("PE(2) = [0.9093, -0.4161, 0.0300, 0.9998]", []),
    ],
)
def test_the_row_of_a_position_below_its_formula(text: str, bad: list[str]) -> None:
    found = check_article(text)
    assert [e.printed for claim in found.findings for e in claim.bad] == bad


@pytest.mark.parametrize(
    "row",
    [
        "PE(1) = [0.841, 0.540, 0.822, 0.570]",  # the beginning of a row of 512
        "PE(2) = [0.909, 0.020, -0.416, 1.000]",  # sines first
        "PE(1) = [0.00, 1.00, 0.00, 1.00]",  # of position 0
    ],
)
def test_a_row_of_another_width_layout_or_first_position_is_left_alone(row: str) -> None:
    formulas = r"$PE(pos, 2i) = \sin(pos/10000^{2i/d})$ and $PE(pos, 2i+1) = \cos(pos/10000^{2i/d})$"
    assert not [e for claim in check_article(f"{formulas}\n\n${row}$\n").findings for e in claim.bad]
