"""A page copied from a browser, with its one famous mistake."""

from pathlib import Path

from symattn.checking import BAD, check_article
from symattn.reading.articles import read_article

PAGE = Path(__file__).parents[2] / "data" / "rendered_scores.txt"


def test_findings_of_the_page() -> None:
    report = check_article(read_article(PAGE))
    found = [(e.printed, e.decimal, e.verdict) for c in report.findings for e in c.entries if e.verdict in BAD]
    # 9 * 21 + 13 * 17 = 410; 410 / √2 = 289.91; 714 / √2 = 504.87
    assert sorted(found) == [
        ("282.84", "289.91", "carried"),
        ("282.84", "289.91", "carried"),
        ("400", "410", "wrong"),
        ("400", "410", "wrong"),
        ("504.90", "504.87", "wrong"),
    ]
    verdicts = {e.printed: e.verdict for c in report.findings for e in c.entries}
    assert verdicts["165.48"] == "truncated"  # 234 / 1.414 = 165.488
    assert verdicts["41.02"] == verdicts["74.96"] == "intermediate"
