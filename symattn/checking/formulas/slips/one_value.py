"""Outputs of position i that weigh its own value alone: softmax(q_i Kᵀ) has a weight for every row of V."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_OF_POSITION = r"\W{0,6}(?:is|are|denotes?|为|是|表示|代表)[^.。，,;；\n]{0,24}(?:position|token|word|位置|词|字|时刻)"


def judge_one_value(statement: Statement, context: Context) -> Formula | None:
    """softmax(Q_i Kᵀ) V_i where the text says that V_i is the value of position i, and no head."""
    for side in statement.sides[1:]:
        match side.expression:
            case f.Product((f.Call("softmax", (scores, *_)), f.Name("V" | "v" as letter, (index,), ()) as value)):
                pass
            case _:
                continue
        marks = {name.base.upper(): name.sub for name in names(scores) if name.base.upper() in ("Q", "K")}
        if marks != {"Q": (index,), "K": ()} or not context.mentions(_said(letter, index)):
            return None
        text, start = statement.passage.text, value.start
        whole = letter if text[start : start + 1] == letter else text[start : value.end].partition("_")[0]
        right = text[statement.start : start] + whole + text[value.end : statement.chain.end]
        return refuse(statement, Sentence("formula.one_value", name=f"{letter}_{index}"), right.strip())
    return None


def _said(letter: str, index: str) -> re.Pattern[str]:
    """That V_i is something of a position."""
    return re.compile(rf"(?<![A-Za-z]){letter}_\{{?{re.escape(index)}\}}?{_OF_POSITION}", re.IGNORECASE)
