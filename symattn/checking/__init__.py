"""Claims against values: the verdict on each printed number of an article or a worksheet."""

from symattn.checking.articles import check_article
from symattn.checking.findings import (
    BAD,
    VERDICTS,
    Cause,
    Claim,
    Counterexample,
    Finding,
    Findings,
    Formula,
    Reading,
    Verdict,
)
from symattn.checking.worksheets import judge_claims
from symattn.reading.articles.article import NotChecked

__all__ = [
    "BAD",
    "VERDICTS",
    "Cause",
    "Claim",
    "Counterexample",
    "Finding",
    "Findings",
    "Formula",
    "NotChecked",
    "Reading",
    "Verdict",
    "check_article",
    "judge_claims",
]
