"""A matrix of plain numbers is read as one token; the tree is the same, place for place, as cell by cell."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.errors import FormulaError
from symattn.reading.formula import Chain, lexer, parse, walk

DATA = Path(__file__).parents[2] / "data"
NEVER = re.compile(r"(?!)")


def places(chains: tuple[Chain, ...]) -> list[tuple[int, int]]:
    return [(part.start, part.end) for chain in chains for side in chain.sides for part in walk(side.expression)]


def outcome(text: str) -> object:
    try:
        chains = parse(text)
    except FormulaError as error:
        return error.start, error.end, str(error)
    return chains, places(chains)


def both(text: str) -> tuple[object, object]:
    quick = outcome(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexer, "_GRID", NEVER)
        return quick, outcome(text)


def test_published_matrices_read_the_same() -> None:
    articles = json.loads((DATA / "clean_articles.json").read_text(encoding="utf-8")).values()
    texts = re.findall(r"\$\$?([^$]+)\$|\\\[(.+?)\\\]", "\n".join(articles), re.S)
    assert len(texts) > 50
    for pair in texts:
        quick, slow = both(pair[0] or pair[1])
        assert quick == slow


CELLS = st.from_regex(r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,3})?|0[0-9]|\.5|1\.|a", fullmatch=True)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=3)


@given(
    ROWS, st.sampled_from([r" \\ ", r"\\", r" \\" + "\n", r"\\\\"]), st.sampled_from(["", r" \\", "."]), st.booleans()
)
def test_made_matrices_read_the_same(rows: list[list[str]], between: str, last: str, product: bool) -> None:
    matrix = r"\begin{bmatrix} " + between.join(" & ".join(row) for row in rows) + last + r" \end{bmatrix}"
    text = f"S = {matrix} {matrix}^T, 1{{,}}024" if product else f"S = {matrix}."
    quick, slow = both(text)
    assert quick == slow
