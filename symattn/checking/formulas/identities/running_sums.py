"""Recurrences of sums so far: S_t = S_{t−1} + k_t k_tᵀ where S_t = Σ_{i ≤ t} k_i k_iᵀ.

Both sides are written out at the third step, with the sum's terms for S_3 and S_2; they are held against each other as
any two sides are, whatever the letters of the terms stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.findings import Formula
from symattn.checking.formulas.identities.free_identities import identify
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.symbols import Key
from symattn.checking.formulas.trials.variant import settle
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_OTHER = regex(r"\binstead\b|\bwithout\b|\breverse|\bdown-?dat|\bremov|\balternat|\bunlearn|\bforget", re.IGNORECASE)
AT = 3  # the step at which sides are written out
Sums = Mapping[Key, tuple[str, f.BigSum]]  # a letter without its step: the letter of the step, and the sum


def judge_running_sum(statement: Statement, context: Context) -> Formula | None:
    """A line that says a sum so far by the sum one step before."""
    sides = statement.sides
    if len(sides) < 2 or len(sides) != len(statement.equals) or not isinstance(left := sides[0].expression, f.Name):
        return None
    found = context.once(find_running_sums).get(_key(left))
    if found is None or left.sub[-1:] != (found[0],):
        return None
    step, total = found
    recurring = [side for side in sides[1:] if any(_is_before(part, left, step) for part in f.walk(side.expression))]
    if len(recurring) != 1 or any(side.expression != total for side in sides[1:] if side not in recurring):
        return None
    (side,) = recurring

    def written(e: f.Expression) -> f.Expression:
        return _written_out(e, left, step, total)

    made = replace(side, expression=written(side.expression))
    for variant in identify(_terms(total, step, AT), made, context):
        question = replace(variant.question, place=_placed(variant.question.place, written))
        theorem = Sentence("formula.running_sum")
        asked = replace(variant, question=question, theorem=theorem, refuted=theorem, repairs=True, only=("sign",))
        verdict = settle(statement, side, [asked])
        if verdict is not None and verdict.verdict == "fails" and _OTHER.search(statement.before + statement.after):
            return None
        if verdict is not None:
            return verdict
    return None


Place = Callable[..., f.Expression]


def _placed(place: Place, written: Callable[[f.Expression], f.Expression]) -> Place:
    return lambda scope, printed: place(scope, written(printed))


def find_running_sums(_: Article, statements: Sequence[Statement]) -> Sums:
    """The letters that one line says to be sums up to their own step, from the first or from any one on."""
    found: dict[Key, list[tuple[str, f.BigSum]]] = {}
    for statement in statements:
        left = statement.left
        if not isinstance(left, f.Name) or not left.sub or not left.sub[-1].isalpha() or len(left.sub[-1]) > 1:
            continue
        for side in statement.equals[1:]:
            match side:
                case f.BigSum(index, None | f.Number("1"), f.Name(last, (), ()), body, None) if last == left.sub[
                    -1
                ] != index and not any(map(_is_sum, f.walk(body))):
                    found.setdefault(_key(left), []).append((last, side))
    return {key: sums[0] for key, sums in found.items() if all(each == sums[0] for each in sums)}


def _is_sum(part: f.Expression) -> bool:
    return isinstance(part, f.BigSum | f.Dots | f.Unread)


def _key(name: f.Name) -> Key:
    """The letter without its step."""
    return name.base, name.sub[:-1], name.sup


def _is_before(part: f.Expression, of: f.Name, step: str) -> bool:
    return isinstance(part, f.Name) and _key(part) == _key(of) and part.sub[-1:] == (f"{step}-1",)


def _terms(total: f.BigSum, step: str, last: int) -> f.Expression:
    """The sum up to a step, term by term."""
    terms = tuple(_at(_at(total.body, total.index, k), step, last) for k in range(1, last + 1))
    return f.Sum(terms, (1,) * last)


def _written_out(e: f.Expression, of: f.Name, step: str, total: f.BigSum) -> f.Expression:
    before = rewrite(e, lambda part: _terms(total, step, AT - 1) if _is_before(part, of, step) else part)
    return _at(before, step, AT)


def _at(e: f.Expression, letter: str, number: int) -> f.Expression:
    """The expression with a number for an index."""
    marks = {letter: str(number), f"{letter}-1": str(number - 1)}

    def put_in(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name):
            return part
        if part == f.Name(letter):
            return f.Number(str(number), Fraction(number), Fraction(1), start=part.start, end=part.end)
        sub = tuple(marks.get(mark, mark) for mark in part.sub)
        return replace(part, sub=sub, text="") if sub != part.sub else part

    return rewrite(e, put_in)
