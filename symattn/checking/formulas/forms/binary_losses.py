"""Binary cross-entropy: −[y log p + (1 − y) log(1 − p)], for one example or as a sum or mean over several."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.likelihood import names_loss
from symattn.checking.formulas.forms.class_losses import NAMED
from symattn.checking.formulas.statements.binary_terms import OtherFormError, are_one, find_parts
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_NAME = regex(r"BCE|binary_?cross_?entropy|log_?loss", re.IGNORECASE)
_NAMED = regex(
    r"\bBCE|binary[- ]cross|log[- ]?loss|logistic (?:loss|regression)|二元交叉熵|二分类交叉熵|二値交差"
    r"|이진 ?(?:교차|크로스)|entropía cruzada binaria|entropia cruzada binária"
    r"|entropie croisée binaire|binäre Kreuzentropie",
    re.IGNORECASE,
)
_NEAR = 300  # characters


def judge_binary_loss(statement: Statement, context: Context) -> Formula | None:
    """A loss of two such logarithms; one with another sign, or with the classes exchanged, may be meant so."""
    sides = statement.equals
    if len(sides) != 2 or len(statement.sides) != 2:
        return None
    near = context.around(statement, _NEAR)
    if not _is_named(sides[0]) and not (names_loss(sides[0]) and (_NAMED.search(near) or NAMED.search(near))):
        return None
    try:
        parts = list(find_parts(sides[1], added=True))
    except OtherFormError:
        return None
    right = len(parts) == 2 and are_one(parts) and not any(part.added for part in parts)
    return accept(statement, Sentence("formula.cross_entropy")) if right else None


def _is_named(left: f.Expression) -> bool:
    match left:
        case f.Name(base, sub):
            return any(_NAME.fullmatch(word) for word in (base, *sub))
        case f.Call(function):
            return _NAME.fullmatch(function) is not None
    return False
