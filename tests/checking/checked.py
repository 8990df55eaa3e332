"""What the tests of checking share: an article's text to its verdicts."""

from symattn.checking import Claim, Findings, check_article
from symattn.reading.articles import read_article


def check(*formulas: str) -> Findings:
    """The report on an article of these formulas, each a display of its own."""
    return check_article(read_article("a.md", "\n\n".join(f"$${f}$$" for f in formulas) + "\n"))


def last(*formulas: str) -> Claim:
    """The claim of the last formula."""
    return check(*formulas).findings[-1]


def verdicts(*formulas: str) -> list[str]:
    """The verdicts on the last formula's claim."""
    return [e.verdict for e in last(*formulas).entries]


def cause(claim: Claim, k: int = 0) -> tuple[str, int, int]:
    because = claim.entries[k].because
    assert because is not None and hasattr(because, "subject")
    return because.subject, because.row, because.column
