"""Scores of two places whose formula knows one of them: in e_ij = q_i k_iᵀ/√d the key is that of j."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.inference import indices_of
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_WEIGHTS = frozenset(["e", "s", "a", "α", "w", "S", "A", "E", "score"])
_INDEX = regex(r"[ijklmnst]")


def judge_missing_index(statement: Statement, context: Context) -> Formula | None:
    """A score of i and j that is made of a query and a key of i."""
    sides = statement.equals
    left = sides[0] if sides else None
    if len(sides) != 2 or not isinstance(left, f.Name) or left.base not in _WEIGHTS or left.sup:
        return None
    places = indices_of(left)
    if len(places) != 2 or len(set(places)) != 2 or not all(map(_INDEX.fullmatch, places)):
        return None
    first, second = places
    found = list(names(sides[1]))
    indexed = [name for name in found if name.base in "qkvQKV" and (name.sub or name.item)]
    if {name.base.lower() for name in indexed} < {"q", "k"} or any(indices_of(name) != (first,) for name in indexed):
        return None
    if any(name.base in "qkvQKV" and name not in indexed for name in found) or _stands_in(sides[1], second):
        return None
    return refuse(statement, Sentence("formula.missing_index", index=second), _with_index(statement, first, second))


def _stands_in(side: f.Expression, letter: str) -> bool:
    """Whether a letter is a name, an index, or what a sum or a softmax runs over."""
    for part in f.walk(side):
        match part:
            case f.Name(base, sub, sup, item) if base == letter or any(letter in m for m in (*sub, *sup, *item)):
                return True
            case f.Call(label=label) if label:
                return True
            case f.BigSum() | f.Entry():
                return True
    return False


def _with_index(statement: Statement, first: str, second: str) -> str:
    """The formula with keys and values of the second place."""
    text = statement.passage.text
    made = text[: statement.chain.end]
    for name in sorted(names(statement.equals[1]), key=lambda n: -n.start):
        if name.base in "kvKV" and name.end > name.start:
            head, mark, tail = made[name.start : name.end].rpartition(first)
            made = made[: name.start] + (head + second + tail if mark else tail) + made[name.end :]
    return made[statement.start :].strip()
