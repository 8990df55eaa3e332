"""Claims against values: the verdict on each printed number of an article or a worksheet."""

from symattn.checking.articles import check_article
from symattn.checking.findings import BAD, VERDICTS, Cause, Claim, Finding, Findings, Reading, Verdict
from symattn.checking.worksheets import judge_claims
from symattn.reading.articles.article import NotChecked

__all__ = [
    "BAD",
    "VERDICTS",
    "Cause",
    "Claim",
    "Finding",
    "Findings",
    "NotChecked",
    "Reading",
    "Verdict",
    "check_article",
    "judge_claims",
]
