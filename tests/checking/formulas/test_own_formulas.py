"""The formulas and numbers of the pages that ship: none is wrong but what a page quotes as wrong."""

from pathlib import Path

import pytest

from symattn.checking import check_article
from symattn.checking.theorems import THEOREMS
from symattn.reading.articles.reader import read_article
from tests.samples import proven
from tests.sampling import sampled

pytestmark = pytest.mark.slow

PAGES = sorted((Path(__file__).parents[3] / "derivations").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_nothing_on_a_page_is_wrong(page):
    source = page.read_text(encoding="utf-8")
    findings = check_article(read_article("page.md", source))
    assert not [e for c in findings.findings for e in c.entries if e.verdict in ("wrong", "carried")]
    found = [each for each in findings.formulas if each.verdict == "fails"]
    quoted = [each for each in found if "Articles print" in source[max(each.span[0] - 40, 0) : each.span[0]]]
    assert [each.text for each in found if each not in quoted] == []


NOTATIONS = ("vaswani", "phuong-hutter")  # tokens in rows, and in columns
PROOFS = [(name, NOTATIONS[(k + turn) % 2]) for k, name in enumerate(THEOREMS) for turn in range(2)]


@pytest.mark.parametrize(("name", "notation"), sampled(PROOFS, 2))
def test_no_formula_of_a_theorem_fails(name, notation):
    source = proven(name).to_markdown(notation=notation)
    assert [
        each.text for each in check_article(read_article("page.md", source)).formulas if each.verdict == "fails"
    ] == []
