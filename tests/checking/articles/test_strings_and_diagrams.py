"""Calculations that stand in the strings of a program or in the boxes of a diagram."""

from __future__ import annotations

from tests.checking.checked import judged


def test_boxes_of_a_diagram() -> None:
    box = 'A["<b>One</b><br/>root = √((4+1+16+9)/4) = {}"] --> B["2 × 3 = 6"]'
    for number, slips in (("2.739", []), ("2.839", ["2.839"])):
        found = judged(f"```mermaid\nflowchart LR\n    {box.format(number)}\n```")
        assert [bad for *_, bad in found] == [slips, []]


def test_strings_one_below_the_other() -> None:
    text = "    add(\n        'S = [[1, 2],\\n'\n        '     [3, 4]]\\n\\n'\n        'S / 2 = [[0.5, 1.0],\\n'\n"
    text += "        '         [1.5, {}]]'\n    )"
    assert [bad for *_, bad in judged(text.format("2.0"))] == [[]]
    assert [bad for *_, bad in judged(text.format("2.5"))] == [["2.5"]]


def test_a_string_alone_is_text() -> None:
    assert [bad for *_, bad in judged("'2 × 3 = 6'\n")] == [[]]
