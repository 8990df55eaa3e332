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


def report(text: str) -> Findings:
    """The report on a Markdown text."""
    return check_article(read_article("a.md", text + "\n"))


def judged(text: str) -> list[tuple[str, list[str], list[str]]]:
    """Of each claim of a text its subject, its numbers, and those of them that are wrong or carried."""
    return [(c.subject, [e.printed for e in c.entries], [e.printed for e in c.bad]) for c in report(text).findings]


def listed(text: str) -> list[str]:
    """What of a text is listed as not checked."""
    return [n.text for n in report(text).not_checked]
