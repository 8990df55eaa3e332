"""Claims against values: the verdict on each printed number of an article or a worksheet.

Names are loaded when they are first used: who wants a theorem alone need not wait for all that reads articles.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOMES = {
    "NotChecked": "symattn.reading.articles.article",
    "check_article": "symattn.checking.articles",
    "judge_claims": "symattn.checking.worksheets",
}


if not TYPE_CHECKING:  # to a type checker every name would be one

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'symattn.checking' has no attribute {name!r}")
        return getattr(import_module(_HOMES.get(name, "symattn.checking.findings")), name)
