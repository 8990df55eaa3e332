"""Binary cross-entropy: −[y log p + (1 − y) log(1 − p)], for one example or as a sum or mean over several."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.likelihood import names_loss, says_likelihood
from symattn.checking.formulas.forms.class_losses import NAMED
from symattn.checking.formulas.statements.binary_terms import OtherFormError, are_one, find_parts, has_slip
from symattn.checking.formulas.statements.context import Context, accept, refuse
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
    """A loss of two such logarithms; false where it has the name of this loss and one of the usual slips in it."""
    sides, (start, end) = statement.equals, statement.span
    if len(sides) != 2 or len(statement.sides) != 2:
        return None
    near = context.article.words[max(start - _NEAR, 0) : end + _NEAR]
    of_loss = names_loss(sides[0])
    named = _is_named(sides[0]) or (of_loss and _NAMED.search(near) is not None)
    if not named and not (of_loss and NAMED.search(near)):
        return None
    try:
        parts = list(find_parts(sides[1], added=True))
    except OtherFormError:
        return None
    if len(parts) != 2:
        return None
    theorem = Sentence("formula.cross_entropy")
    if are_one(parts) and not any(part.added for part in parts):
        return accept(statement, theorem)
    likely = says_likelihood(statement.before + statement.after)  # which has the other sign
    return refuse(statement, theorem) if named and not likely and has_slip(parts) else None


def _is_named(left: f.Expression) -> bool:
    match left:
        case f.Name(base, sub):
            return any(_NAME.fullmatch(word) for word in (base, *sub))
        case f.Call(function):
            return _NAME.fullmatch(function) is not None
    return False
