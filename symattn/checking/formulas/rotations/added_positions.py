"""Sinusoidal positions do not add up: PE(pos + k) turns each pair of PE(pos), and is not PE(pos) + PE(k)."""

from __future__ import annotations

import re

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ENCODINGS = frozenset(("pe", "PE", "posenc", "positionalencoding", "PosEnc"))
_SINUSOIDAL = regex(r"sinusoid|\\sin\b|\b(?:co)?sines?\b|\bsin\b|正余弦|正弦|三角函数|サイン|사인", re.IGNORECASE)


def judge_added_positions(statement: Statement, context: Context) -> Formula | None:
    """The encoding of a sum that is said to be the sum of two encodings: at 0 it would have cosines of 2."""
    sides = statement.equals
    if len(sides) != 2 or not context.mentions(_SINUSOIDAL):
        return None
    whole = _place(sides[0])
    match sides[1]:
        case f.Sum(terms=(first, second), signs=(1, 1)):
            places = [_place(first), _place(second)]
        case _:
            return None
    if whole is None or None in places or whole not in ("+".join(map(str, places)), "+".join(map(str, places[::-1]))):
        return None
    point = Counterexample(tuple((str(place), "0") for place in places), "cos 0 = 1", "cos 0 + cos 0 = 2")
    return refuse(statement, Sentence("theorem.positions_turn"), None, point)


def _place(e: f.Expression) -> str | None:
    """The position of PE(pos) or PE_pos, a + b of that of a sum."""
    match e:
        case f.Call(function=function, arguments=(place,)) if function in _ENCODINGS:
            return _spelled(place)
        case f.Name(base, (place,), ()) if base in _ENCODINGS:
            return place.replace(" ", "")
        case f.Product((f.Name("P"), f.Name("E", (place,), ())), ("",)):
            return place.replace(" ", "")
    return None


def _spelled(place: f.Expression) -> str | None:
    match place:
        case f.Name(base, (), ()):
            return base
        case f.Sum(terms=(f.Name(first, (), ()), f.Name(second, (), ())), signs=(1, 1)):
            return f"{first}+{second}"
    return None
