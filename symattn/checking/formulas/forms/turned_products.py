"""QKᵀ = KQᵀ, of two matrices that are not said to be symmetric: one side is the transpose of the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_ALIKE = regex(r"symmetri|commut|\bshared\b|\btied\b|对称|共享|相同的权重", re.IGNORECASE)


def _is_of_attention(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether the softmax of scores of Q and K is in the article: these are queries and keys, and no other matrices."""
    parts = (part for s in statements for side in s.equals for part in f.walk(side))
    calls = (part for part in parts if isinstance(part, f.Call) and part.function == "softmax")
    return any({"Q", "K"} <= {x.base for x in f.walk(call) if isinstance(x, f.Name)} for call in calls)


def judge_turned_product(statement: Statement, context: Context) -> Formula | None:
    """False for the queries and keys of an attention, where nothing makes them or their product alike."""
    if context.mentions(_ALIKE) or not context.once(_is_of_attention):
        return None
    match statement.equals:
        case (
            f.Product((f.Name() as a, f.Transpose(f.Name() as b))),
            f.Product((f.Name() as c, f.Transpose(f.Name() as d))),
        ):
            if {a.base, b.base} == {"Q", "K"} and (a.symbol, b.symbol) == (d.symbol, c.symbol):
                first, second = (statement.printed(side).strip() for side in statement.sides)
                right = f"({first})^T = {second}"
                return refuse(statement, Sentence("formula.turned_product"), right)
    return None
