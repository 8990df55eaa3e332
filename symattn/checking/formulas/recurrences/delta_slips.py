"""Slips in the delta rule, S_t = S_{t-1} + β_t (v_t − S_{t-1} k_t) k_tᵀ, which erases by the key."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_QUERY = regex(r"\bquer(?:y|ies)\b|查询|クエリ|쿼리", re.IGNORECASE)
DELTA = regex(r"delta[- ]?(?:rule|net)|增量规则|[δΔ] ?(?:规则|法则)|デルタ(?:則|ルール)|델타 규칙", re.IGNORECASE)
_ANOTHER = regex(
    r"\b(?:unlike|instead|contrast\w*|differs?|different|rather|but|not|without|except)\b|不同|而不是|改为|没有",
    re.IGNORECASE,
)
NEAR = 120  # characters in front of it


def judge_delta_slip(statement: Statement, context: Context) -> Formula | None:
    """A state that is corrected by what it holds for the query, or by the whole of it."""
    match statement.equals:
        case (f.Name(state, (_,), ()), f.Sum((f.Name(same, (_,), ()) as old, f.Product(factors)), (1, 1))) if (
            state == same
        ):
            pass
        case _:
            return None
    sums = [factor for factor in factors if isinstance(factor, f.Sum) and factor.signs == (1, -1)]
    if len(sums) != 1:
        return None
    added, erased = sums[0].terms
    match erased:
        case f.Product((f.Name() as read, f.Name("q", (step,), ()) as query)) if read == old and _is(added, "v"):
            written = [_base(factor) for factor in factors]
            if "k" in written and context.mentions(_QUERY):
                right = _with(statement, query, f"k_{step}")
                return refuse(statement, Sentence("theorem.delta_by_key"), right)
        case f.Name() if erased == old and _is_pair(added) and _is_called_delta(statement):
            return refuse(statement, Sentence("theorem.delta_by_key"))
    return None


def _base(factor: f.Expression) -> str:
    plain = factor.operand if isinstance(factor, f.Transpose) else factor
    return plain.base if isinstance(plain, f.Name) else ""


def _is(factor: f.Expression, letter: str) -> bool:
    return _base(factor) == letter


def _is_pair(added: f.Expression) -> bool:
    """Whether it is the product of a value and a key."""
    return isinstance(added, f.Product) and sorted(map(_base, added.factors)) == ["k", "v"]


def _is_called_delta(statement: Statement) -> bool:
    """Whether the words right in front of it call it the delta rule, and no other one."""
    before = statement.before[-NEAR:]
    return DELTA.search(before) is not None and _ANOTHER.search(before) is None


def _with(statement: Statement, part: f.Expression, text: str) -> str:
    printed = statement.passage.text
    return (printed[statement.start : part.start] + text + printed[part.end : statement.chain.end]).strip()
