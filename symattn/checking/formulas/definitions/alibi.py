"""ALiBi: a penalty of m_h |i − j| on every score, with slopes 2^{−8h/n} for the heads h = 1, …, n."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names, signed_terms
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Key, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

HEADS = 4
_SLOPES = frozenset(["m", "slope", "slopes", "λ"])
_FROM_ZERO = regex(
    r"(?:0|zero)[- ](?:based|indexed)|(?:count|start)\w* (?:from|at) (?:0|zero)|从\s?0|h\s?=\s?0\b", re.I
)
_NAMED = regex(r"ALiBi|linear bias|线性偏置|距离", re.I)


def define_slopes(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`m_h = 2^{-8h/n}`, or with h + 1 where heads count from 0."""
    e = side.expression
    if not isinstance(left, f.Name) or left.base not in _SLOPES:
        return
    if not left.sub and context.mentions(_NAMED) and f.Name("h") in names(e):
        left = replace(left, sub=("h",))  # m of head h
    if len(left.sub) != 1 or len(left.sub[0]) != 1:
        return
    head = left.sub[0]
    powers = [p for p in f.walk(e) if isinstance(p, f.Power)]
    if (
        not powers
        or not all(_is(p.base, 2) or p.base in powers for p in powers)
        or not any(_is(p, 8) for p in f.walk(e))
    ):
        return
    counts = [n for n in names(e) if n.base != head]
    used = {n.base for n in names(e)}
    if head not in used or len({(n.base, n.sub) for n in counts}) > 1:
        return

    named = "alibi" in context.article.said.lower()

    def prepare(scope: Scope) -> None:
        for n in counts:
            scope.sizes[spell(n.symbol)] = HEADS
        scope.sizes["H"] = HEADS

    words = context.article.words[max(statement.span[0] - 200, 0) : statement.span[1] + 100]
    for first in (1, 0):
        if first and _FROM_ZERO.search(words):
            continue

        def value(evaluator: Evaluator, at: Indices, first: int = first) -> Tensor:
            return Tensor.number(2).raised(Fraction(-8 * (at[head] + 1 - first), HEADS))

        def free(_: Evaluator, first: int = first) -> dict[str, range]:
            return {head: range(first, HEADS + first)}

        if not first and not any(isinstance(p, f.Sum) and p.signs == (1, 1) for p in f.walk(e)):
            return  # heads from 0 are counted as h + 1
        settled = first == 1 and context.mentions(_NAMED)
        settled = settled and (bool(counts) or re.search(rf"(?:head|头|頭|헤드)\s*[$`\\(]*{head}\b", words) is not None)
        usual = rf"2^{{-8 {head}/{counts[0].text or 'n'}}}" if settled and counts and named else ""
        yield Variant(Question(value, prepare, free), Sentence("formula.alibi_slopes"), repairs=settled, usual=usual)


def _is(e: f.Expression, value: int) -> bool:
    return isinstance(e, f.Number) and abs(e.value) == value


def define_penalty(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`-m |i − j|` behind a score or by itself: what is added falls with the distance."""
    e = side.expression
    places = _places(left)
    penalty = next((p for p in signed_terms(e) if _distance(p[0], places)), None) if places else None
    if places is None or penalty is None:
        return
    term, _ = penalty
    slope = next(n for n in names(term) if n.base not in places)
    key: Key = slope.symbol
    row, column = places
    rest = [(t, sign) for t, sign in signed_terms(e) if t is not term]
    if not all(isinstance(t, f.Name) or (_is_score(t, places) and sign > 0) for t, sign in rest):
        return

    def bias_only(scope: Scope, printed: f.Expression) -> f.Expression:
        """The printed side without its other terms, which are scores and masks."""
        if [each for each in signed_terms(printed) if not _distance(each[0], places)] != rest:
            return f.Number("0", Fraction(0), Fraction(1))  # no slip in the bias turns the sign of a score
        kept = [(t, sign) for t, sign in signed_terms(printed) if _distance(t, places)]
        return f.Sum(tuple(t for t, _ in kept), tuple(sign for _, sign in kept))

    def prepare(scope: Scope) -> None:
        scope.number(key)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        return evaluator.scope.given[key] * Tensor.number(-abs(at[row] - at[column]))

    def free(_: Evaluator) -> dict[str, range]:
        return {row: range(4, 6), column: range(1, 4)}  # keys in front of the query

    settled = context.mentions(_NAMED)
    question = Question(value, prepare, free, place=bias_only)
    yield Variant(question, Sentence("formula.alibi"), repairs=settled, only=("sign",))


def _places(left: f.Expression) -> tuple[str, str] | None:
    """The letters of the query and of the key: `S_{ij}`, `score(q_i, k_j)`."""
    if isinstance(left, f.Call) and len(left.arguments) == 2 and all(isinstance(a, f.Name) for a in left.arguments):
        letters = [a.sub[0] for a in left.arguments if isinstance(a, f.Name) and len(a.sub) == 1]
    elif isinstance(left, f.Name):
        marks = "".join(left.sub).replace(",", "") or "".join(left.item)
        letters = list(marks)
    else:
        return None
    if len(letters) != 2 or not all(len(x) == 1 and x.isalpha() for x in letters):
        return None
    return letters[0], letters[1]


def _is_score(e: f.Expression, places: tuple[str, str]) -> bool:
    """q_i · k_j, as it is or over a root."""
    vectors = {(n.base.lower(), n.sub) for n in names(e) if n.base in "qkQK"}
    others = {n.base.lower() for n in names(e)} - {"q", "k", "d"}
    numbered = isinstance(e, f.Product) and any(isinstance(x, f.Number) for x in e.factors)  # 2 q·k
    over = [p.denominator for p in f.walk(e) if isinstance(p, f.Quotient)]
    return (
        vectors == {("q", (places[0],)), ("k", (places[1],))}
        and not others
        and not numbered
        and all(isinstance(below, f.Root) for below in over)
    )


def _distance(e: f.Expression, places: tuple[str, str]) -> bool:
    """Whether this is one letter times |i − j| or i − j."""
    used = {n.base for n in names(e)}
    others = {n.symbol for n in names(e) if n.base not in places}
    if not set(places) <= used or len(others) != 1 or not isinstance(e, f.Product):
        return False
    sums = [p for p in f.walk(e) if isinstance(p, f.Sum)]
    return len(sums) == 1 and {t.base for t in sums[0].terms if isinstance(t, f.Name)} == set(places)
