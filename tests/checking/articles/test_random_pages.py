"""Pages of random worksheets in every format, language, level, notation and detail: read back, nothing is wrong.

A sample runs with the suite; EVERY_CASE=1 runs many, and prints how many of their numbers are judged by format, level,
notation, detail and kind.
"""

from __future__ import annotations

from collections import Counter

import pytest

from symattn import check_article
from symattn.errors import SymattnError
from tests.checking.own_pages import SUFFIXES, Way, judged_and_missed, random_sheet, random_way, write_page
from tests.sampling import EVERY

pytestmark = pytest.mark.slow

SEEDS = range(400) if EVERY else (*range(0, 120, 20), 70, 214)  # 214: rounded unit vectors, many of them negative
FLOORS = {"markdown": 0.88, "text": 0.75}  # of the results of a derivation by matrices that are judged


def read_back(seed: int, way: Way) -> tuple[list[object], int, int] | None:
    """What is called wrong on a page, and how many of its results are judged and how many not."""
    try:
        page = write_page(random_sheet(seed), way)
    except SymattnError:  # a mask that hides a whole row, and the like
        return None
    found = check_article(f"page.{SUFFIXES[way.target]}", page)
    bad = [(c.line, c.subject, e.printed, e.decimal) for c in found.findings for e in (*c.bad, *c.misrounded)]
    judged, missed = judged_and_missed(page, SUFFIXES[way.target], found)
    return bad, judged, len(missed)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_number_of_a_random_page_is_called_wrong(seed: int) -> None:
    way = random_way(seed)
    found = read_back(seed, way)
    assert found is None or found[0] == [], way


@pytest.mark.parametrize("target", FLOORS)
def test_most_results_of_random_pages_are_judged(target: str) -> None:
    way = Way(target=target)
    found = [x for seed in range(40 if EVERY else 5) if (x := read_back(seed, way)) is not None]
    judged, missed = sum(x[1] for x in found), sum(x[2] for x in found)
    assert judged >= FLOORS[target] * (judged + missed)


@pytest.mark.skipif(not EVERY, reason="EVERY_CASE=1 prints the shares")
def test_shares(capsys: pytest.CaptureFixture[str]) -> None:
    judged, missed = Counter[str](), Counter[str]()
    for seed in SEEDS:
        way = random_way(seed)
        found = read_back(seed, way)
        for part in (way.target, way.language, way.level, way.notation, way.detail, way.kind) if found else ():
            judged[part] += found[1]
            missed[part] += found[2]
    with capsys.disabled():
        for part in judged:
            share = judged[part] / (judged[part] + missed[part])
            print(f"{part:16} {judged[part]} judged, {missed[part]} not: {share:.1%}")
    assert sum(judged.values()) > 0
