"""The derivative of a residual connection: of x_l = x_{l−1} + F_l(x_{l−1}) it is I + ∂F_l/∂x_{l−1}."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.definitions.residual import numbered_layer
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement, signed_terms
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ONES = frozenset(("I", "1", "𝟏"))


def judge_residual_slope(statement: Statement, context: Context) -> Formula | None:
    """∂y/∂x = I + ∂F/∂x, where the line before it that says what y is has y = x + F(x).

    Without the I it may be that of a network without the x; it is false only if what is added is taken away, no other
    line says what y is, and no word tells of such networks.
    """
    match statement.equals:
        case [f.Derivative(f.Name() as result, f.Name() as by), side] if len(statement.sides) == 2:
            pass
        case _:
            return None
    before, behind = context.statements[: statement.number], context.statements[statement.number :]
    layers = [layer for other in before for layer in _layers(other, result, by)]
    others = [layer for other in behind for layer in _layers(other, result, by)]
    if not layers or layers[-1] is None:
        return None
    terms = signed_terms(rewrite(side, numbered_layer(statement.passage.text)))
    slopes = [(term, sign) for term, sign in terms if _is_slope(term, layers[-1], by)]
    ones = [(term, sign) for term, sign in terms if _is_one(term)]
    if len(slopes) != 1 or len(slopes) + len(ones) < len(terms) or len(ones) > 1:
        return None
    theorem = Sentence("formula.residual")
    if [sign for _, sign in (*slopes, *ones)] == [1, 1]:
        return accept(statement, theorem)
    if not ones or {*layers, *others} != {layers[-1]} or _WITHOUT.search(statement.before + statement.after):
        return None
    one, slope = (statement.printed(found[0][0]).strip() for found in (ones, slopes))
    return refuse(statement, theorem, statement.with_text(f"{one} + {slope}", side))


_WITHOUT = regex(
    r"without|absence|instead|\bplain|\bno (?:skip|residual|shortcut)|没有|沒有|无残差|去掉|不加|普通|\bsans\b|\bohne\b"
    r"|\bsin\b|\bsem\b|\bsenza\b|\bбез\b|なし|ない|없",
    re.IGNORECASE,
)


def _is_slope(e: f.Expression, layer: tuple[str, ...], by: f.Name) -> bool:
    return isinstance(e, f.Derivative) and e.by == by and _named(e.of) == layer


def _layers(statement: Statement, result: f.Name, x: f.Name) -> Iterator[tuple[str, ...] | None]:
    """The F of y = x + F(x); None of another line that says what y is."""
    left, *others = statement.equals or (None,)
    if left != result or not others:
        return
    for side in others:
        match rewrite(side, numbered_layer(statement.passage.text)):
            case f.Sum((f.Name() as token, f.Call(arguments=(f.Name() as of,)) as layer), (1, 1)) if token == of == x:
                yield _named(layer)
            case f.Sum((f.Call(arguments=(f.Name() as of,)) as layer, f.Name() as token), (1, 1)) if token == of == x:
                yield _named(layer)
            case _:
                yield None


def _named(e: f.Expression) -> tuple[str, ...] | None:
    """A function by its name and number, F_l of F_l(x)."""
    match e:
        case f.Call(function, (f.Name(),), label):
            return (function.lower(), *label)
        case f.Name(base, sub, ()):
            return (base.lower(), *sub)
    return None


def _is_one(e: f.Expression) -> bool:
    match e:
        case f.Name(base, (), ()):
            return base in _ONES
        case f.Number(value=value):
            return value == 1
    return False
