"""Claims against values: the verdict on each printed number of an article or a worksheet."""

from symattn.checking.articles import check_article
from symattn.checking.findings import BAD, VERDICTS, Cause, Claim, Finding, Reading, Report, Verdict
from symattn.checking.worksheets import judge_claims
from symattn.reading.articles.article import NotChecked

__all__ = [
    "BAD",
    "VERDICTS",
    "Cause",
    "Claim",
    "Finding",
    "NotChecked",
    "Reading",
    "Report",
    "Verdict",
    "check_article",
    "judge_claims",
]
