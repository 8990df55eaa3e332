"""What a reader of a notebook sees between its formulas, and what its programs do not say of its text."""

import json

from symattn.checking import check_article
from symattn.reading.articles import read_article


def judged(*cells: tuple[str, str]) -> list[tuple[list[str], list[str]]]:
    """The numbers of each claim of a notebook, and those that are called bad."""
    made = [
        {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True), "outputs": []}
        for kind, text in cells
    ]
    report = check_article(read_article("n.ipynb", json.dumps({"cells": made}, indent=1)))
    return [([e.printed for e in c.entries], [e.printed for e in c.bad]) for c in report.findings]


def test_the_points_of_a_program_say_nothing_of_the_commas_around_it() -> None:
    text = "Así $e^{1{,}034}=2{,}81$, y $2 \\cdot 0{,}5 + 1{,}250 = 2{,}255$."
    program = "Q = [[2.0, 0.5], [1.0, 1.0]]"
    expected = [(["2{,}81"], []), (["2{,}255"], ["2{,}255"])]
    assert judged(("markdown", text), ("code", program)) == expected


def test_what_is_added_in_the_next_lines_belongs_to_a_result() -> None:
    lines = "$Z = 0.4 [1, 0] + 0.2 [0, 1] + 0.4 [1, 1]$\n\n$Z = [0.4, 0]$\n$+ [0, 0.2]$\n$+ [0.4, 0.4]$\n"
    assert judged(("markdown", lines)) == []
