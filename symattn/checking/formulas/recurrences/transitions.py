"""The matrix that a state is multiplied by, said in words: the transition matrix is Diag(α) − β k (Diag(α) k)ᵀ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.recurrences.judge import judge_recurrence
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.errors import FormulaError
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_SAID = re.compile(
    r"(?:转移矩阵|轉移矩陣|transition matri(?:x|ces)|遷移行列|전이 행렬)\s*(?:是|为|為|is|are|:|：|=)?\s*"
    r"[`$](?P<made>[^`$\n]{5,80})[`$]",
    re.IGNORECASE,
)


def judge_transitions(context: Context) -> Iterator[Formula]:
    """Right where an update of the article has it in front of the state, multiplied out or not."""
    for found in _SAID.finditer(context.article.words):
        made = _parse(found["made"])
        for update in context.statements:
            other = None if made is None else _with_transition(update, made)
            said = None if other is None else judge_recurrence(other, context)
            if said is not None and said.verdict == "holds":
                yield conclude_in_words(context, found.span(), "holds", Sentence("theorem.state_tried"))
                break


def _with_transition(update: Statement, made: f.Expression) -> Statement | None:
    """The update with another matrix in front of the state before."""
    match update.equals:
        case (f.Name(), f.Sum((f.Product(factors=factors), added), (1, 1))) if isinstance(factors[-1], f.Name):
            kept = f.Product((made, factors[-1]), ("",))
            side = update.chain.sides[1]
            changed = replace(side, expression=f.Sum((kept, added), (1, 1)))
            return replace(update, chain=replace(update.chain, sides=(update.chain.sides[0], changed)))
    return None


def _parse(text: str) -> f.Expression | None:
    try:
        chains = f.parse(text.strip(), algebra=True)
    except (FormulaError, RecursionError):
        return None
    return chains[0].sides[0].expression if len(chains) == 1 and len(chains[0].sides) == 1 else None
