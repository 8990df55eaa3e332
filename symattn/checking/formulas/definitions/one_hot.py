"""Cross-entropy with a target that is one-hot: −Σ_i y_i log p_i = −log p_k, for only y_k is not 0.

Every side is a sum of terms, with log p_k for Σ_i y_i log p_i and z_k − log Σ_j e^{z_j} for log(e^{z_k} / Σ_j e^{z_j}).
The letter of the true class is the one that stands where the index of the sum stood, if the text says no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.likelihood import names_loss, says_likelihood
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

NEAR = 600  # characters of the text before and after in which the target is looked for
_CLASS = "?"  # stands for the index of the true class
_ONE_HOT = regex(
    r"one[- ]?hot|\b(?:true|correct|right|target|gold|ground[- ]truth|actual) (?:class|label|token|word|index|category)"
    r"|独热|獨熱|ワンホット|원-?핫|真实(?:类别|标签|词)|正确(?:类别|的?类|标签|答案|词)|正解|目标(?:类别|词|token)",
    re.IGNORECASE,
)
_SMOOTHED = regex(
    r"smooth|soft (?:targets?|labels?)|平滑|软标签|(?:\bnot\b|n['’]t\b|不是|并非|非)[^.。\n]{0,20}(?:one[- ]?hot|独热)",
    re.IGNORECASE,
)
_STATED = regex(  # y_k = 1, the true class k
    r"_(?:\{(?:\w+,\s*)?(\w+)\}|(\w))\s*=\s*1(?![\d./])"
    r"|(?:true|correct|right|target|gold|actual) (?:class|index|category)\s+(?:is\s+)?\$(\w)\$"
)
Terms = Counter[f.Expression]


def judge_one_hot(statement: Statement, context: Context) -> Formula | None:
    """`L = −Σ_i y_i log p_i = −log p_k`, of which all sides but the name of the loss are worked out."""
    near = context.around(statement, NEAR)
    sides = _sides(statement)
    if len(sides) < 2 or not _ONE_HOT.search(near) or _SMOOTHED.search(near):
        return None
    summed = [side for side in sides if _target_sum(side) is not None]
    if len(summed) not in (1, len(sides) - 1):
        return None
    marks = {mark for side in sides if side not in summed for mark in _marks(side)}
    marks -= {part.index for side in summed for part in f.walk(side) if isinstance(part, f.BigSum)}
    stated = {"".join(letters) for letters in _STATED.findall(near)}
    marks = {mark for mark in marks if not mark.isdigit() and (not stated or mark in stated)}
    found = [[_terms(_at_class(side, mark)) for side in sides] for mark in sorted(marks)]
    theorem = Sentence("formula.cross_entropy")
    if any(all(a == b for a, b in pairwise(values)) for values in found):
        return accept(statement, theorem) if _is_loss(statement, sides) else None
    for values in found:
        if all(a == b or a == _negated(b) for a, b in pairwise(values)):
            return refuse(statement, theorem)
    return None


def _sides(statement: Statement) -> Sequence[f.Expression]:
    """What is said to be equal, without a name or H(p, q) in front."""
    head = statement.head
    before = head.equals if head is not None and statement.chain.sides[0].relation else ()
    own = statement.equals[1:] if before else statement.equals
    sides = (*before, *own)
    return sides[1:] if sides and isinstance(sides[0], f.Name | f.Call) and not _is_log(sides[0]) else sides


def _is_loss(statement: Statement, sides: Sequence[f.Expression]) -> bool:
    """Whether a loss in front has the sign of one: without a name in front there is none to have."""
    minus = all(isinstance(side, f.Sum) and side.signs[0] == -1 for side in sides)
    words = statement.before + statement.after
    return minus or not names_loss(statement.left) or says_likelihood(words)


def _is_log(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "log"


def _target_sum(side: f.Expression) -> f.BigSum | None:
    """The Σ_i y_i log p_i in a side."""
    return next((part for part in f.walk(side) if isinstance(part, f.BigSum) and _at_target(part) is not None), None)


def _at_target(big: f.BigSum) -> f.Expression | None:
    """The log p_? that Σ_i y_i log p_i comes to."""
    match big.body:
        case f.Product((f.Name(base, (*_, index)) as target, f.Call("log", (inside,)) as log), ("",) | ("·",)):
            pass
        case _:
            return None
    others = {part.base for part in f.walk(inside) if isinstance(part, f.Name)}
    if big.index not in (index, "") or big.condition is not None or base in others or target.sup:
        return None
    return _marked(log, index)


def _marked(e: f.Expression, index: str) -> f.Expression:
    """With a mark for an index."""

    def marked(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Name) and index in part.sub:
            return replace(part, sub=tuple(_CLASS if mark == index else mark for mark in part.sub))
        if isinstance(part, f.Entry) and index in part.indices:
            return replace(part, indices=tuple(_CLASS if mark == index else mark for mark in part.indices))
        return part

    return rewrite(e, marked)


def _marks(side: f.Expression) -> Iterator[str]:
    """The indices that may be that of the true class."""
    for part in f.walk(side):
        if isinstance(part, f.Name):
            yield from part.sub
        elif isinstance(part, f.Entry):
            yield from (mark for mark in part.indices if isinstance(mark, str))


def _at_class(side: f.Expression, mark: str) -> f.Expression:
    """A side with log p_? for the sum over the target, and for log p_k."""

    def taken(part: f.Expression) -> f.Expression:
        found = _at_target(part) if isinstance(part, f.BigSum) else None
        return part if found is None else found

    return rewrite(side, taken) if _target_sum(side) is not None else _marked(side, mark)


def _terms(e: f.Expression, sign: int = 1) -> Terms:
    """The terms of a sum, each with how often it is added."""
    match e:
        case f.Sum(terms, signs):
            found: Terms = Counter()
            for each, own in zip(terms, signs, strict=True):
                found.update(_terms(each, sign * own))
            return found
        case f.Matrix(rows=((inside,),)):
            return _terms(inside, sign)
        case f.Product((f.Number("1"), factor)):
            return _terms(factor, sign)
        case f.Call("log", (f.Quotient(f.Call("exp", (power,)), below),)):
            found = _terms(power, sign)
            found.update(_terms(f.Call("log", (below,)), -sign))
            return found
    return Counter({e: sign})


def _negated(terms: Terms) -> Terms:
    return Counter({term: -count for term, count in terms.items()})
