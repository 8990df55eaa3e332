"""Attention that is called scaled and is not: ScaledDotProductAttention(Q, K, V) = softmax(QKᵀ) V."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.statements.wording import near
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_SCALED = regex(r"scaled?[\s_\\-]*dot[\s_\\-]*product", re.IGNORECASE)
_BEFORE = regex(  # of queries or keys that are scaled themselves
    r"[QKqk]'?\s*=\s*(?:\\[dt]?frac\s*\{\s*[QKqk]|[QKqk]\s*/|[^=\n$]{0,20}(?:\\sqrt|√))|pre-?scal|(?:预先|提前)缩放"
)

_LEFT_OUT = regex(
    r"omit|ignor|leav(?:e|ing) out|left out|without (?:the )?scal|drop(?:ping|s|ped)? the|for simplicity|absorb"
    r"|省略|忽略|略去|不考虑|不含|吸收",
    re.IGNORECASE,
)


def judge_unscaled(statement: Statement, context: Context) -> Formula | None:
    """A side that names the scaled form beside a softmax of the bare product of queries and keys."""
    sides = statement.equals
    named = [side for side in sides if not _softmax(side) and _SCALED.search(statement.printed(side))]
    weighed = [product for side in sides if (product := _bare(_softmax(side))) is not None]
    if not named or len(weighed) != 1 or context.mentions(_BEFORE) or _LEFT_OUT.search(near(statement)):
        return None
    (product,) = weighed
    printed = statement.printed(product).strip()
    made = rf"\frac{{{printed}}}{{\sqrt{{d_k}}}}" if "\\" in statement.passage.text else f"{printed} / √d_k"
    return refuse(statement, Sentence("formula.unscaled"), statement.with_text(made, product).strip())


def _softmax(side: f.Expression) -> f.Call | None:
    calls = [part for part in f.walk(side) if isinstance(part, f.Call) and part.function == "softmax"]
    return calls[0] if len(calls) == 1 else None


def _bare(call: f.Call | None) -> f.Expression | None:
    """The product of queries and keys that a softmax is taken of, if nothing else stands there."""
    if call is None or len(call.arguments) != 1 or not isinstance(call.arguments[0], f.Product):
        return None
    product = call.arguments[0]
    return (
        product if len(product.factors) == 2 and {n.base for n in names(product)} in ({"Q", "K"}, {"q", "k"}) else None
    )
