"""Weights taken back from the logarithm of their sum: P_ij = exp(S_ij − LSE_i), as e^{−LSE} divides by the sum."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_LOG_SUM = regex(r"(?:\\(?:text|mathrm|operatorname)\s?\{\s?)?(?:LSE|lse|logsumexp)\b|LSE(?=_)|lse(?=_)")
_SCORES = frozenset(["S", "s", "scores", "score", "QK"])
_WEIGHTS = frozenset(["P", "A", "p", "a"])
_NEGATIVE = regex(r"negative (?:log-?sum-?exp|LSE)|(?:LSE|lse)\S{0,6}\s*(?:=|:=)\s*-|负的?\s?LSE", re.IGNORECASE)


def judge_log_sum(statement: Statement, context: Context) -> Formula | None:
    """Weights that are the exponential of scores with the logarithm of their sum added."""
    match statement.equals:
        case (f.Name(base), f.Call("exp", (f.Sum((first, second), signs),))) if base in _WEIGHTS:
            pass
        case _:
            return None
    logs = [_LOG_SUM.match(statement.printed(term).strip()) is not None for term in (first, second)]
    scores, added = (first, second) if logs[1] else (second, first)
    sign = signs[1] if logs[1] else signs[0]
    of_scores = any(isinstance(part, f.Name) and part.base in _SCORES for part in f.walk(scores))
    if sum(logs) != 1 or sign < 0 or not of_scores or context.mentions(_NEGATIVE):
        return None
    inside = f"{statement.printed(scores).strip()} - {statement.printed(added).strip()}"
    return refuse(statement, Sentence("formula.log_sum"), statement.with_text(inside, first, second).strip())
