"""Factors that move a partial sum to a common maximum: with m = max(m_1, m_2) they are e^{m_1 − m} and e^{m_2 − m}."""

from __future__ import annotations

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_MAXIMUM = regex(
    r"(?<![\w.\\])(?P<whole>m\w{0,8})\s*=\s*(?:\w+\.)?max(?:imum)?\(\s*(?P<one>m\w{0,8})\s*,\s*(?P<other>m\w{0,8})\s*\)"
)


def judge_turned_factor(statement: Statement, context: Context) -> Formula | None:
    """exp((m_1 − m) · scale) of a line that says what m is the larger one of; turned round it is false."""
    sides = statement.equals
    if len(sides) != 2 or not isinstance(sides[0], f.Name):
        return None
    difference = _difference(sides[1])
    maxima = context.once(_find_maxima)
    if difference is None or not maxima:
        return None
    first, second = (_plain(name) for name in difference)
    theorem = Sentence("theorem.turned_factor", own=second if first in maxima else first, whole=first)
    if second in maxima and first in maxima[second]:
        return conclude(statement, "holds", Sentence("theorem.turned_factor", own=first, whole=second))
    if first not in maxima or second not in maxima[first] or second in maxima:
        return None
    one, other = difference
    between = statement.passage.text[one.end : other.start]
    right = statement.with_text(statement.printed(other) + between + statement.printed(one), one, other)
    point = Counterexample(((first, "1"), (second, "0"), ("scale", "1")), "e", "1/e")
    return refuse(statement, theorem, right.strip(), point)


def _difference(e: f.Expression) -> tuple[f.Name, f.Name] | None:
    """The a and b of exp(a − b), or of exp((a − b) · scale)."""
    match e:
        case f.Call("exp", (inside,)):
            pass
        case _:
            return None
    if isinstance(inside, f.Product) and len(inside.factors) == 2:
        sums = [x for x in inside.factors if isinstance(x, f.Sum)]
        scaled = len(sums) == 1 and any(isinstance(x, f.Name) and "scale" in x.text for x in inside.factors)
        inside = sums[0] if scaled else inside
    match inside:
        case f.Sum((f.Name() as one, f.Name() as other), (1, -1)):
            return one, other
    return None


def _plain(name: f.Name) -> str:
    return name.base + "".join(("_" + mark) if len(mark) > 1 else mark for mark in name.sub)


def _find_maxima(article: Article, _: object) -> dict[str, frozenset[str]]:
    """What is said to be the larger one of two others."""
    found: dict[str, frozenset[str]] = {}
    for match in _MAXIMUM.finditer(article.words):
        if match["whole"] not in (match["one"], match["other"]):
            found[match["whole"]] = frozenset((match["one"], match["other"]))
    return found
