"""Gradients up to a factor, ∂L/∂Q ∝ dS K: right where some number times the right side is the gradient."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.judge import judge_gradient
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f

_ROOT = f.Root(f.Name("d", ("k",)))  # by which the scores are divided, or not


def judge_proportional(statement: Statement, context: Context) -> Formula | None:
    """The verdict as for an equation, whichever of the usual scales of scores is the factor."""
    sides = statement.chain.sides
    if statement.head is not None or [side.relation for side in sides] != ["", "∝"]:
        return None
    left, right = sides
    printed = _without_numbers(right.expression)
    quotient = f.Quotient(printed, _ROOT, start=printed.start, end=printed.end)
    judged = []
    for expression in (printed, quotient):
        equal = replace(right, relation="=", expression=expression)
        judged.append(judge_gradient(replace(statement, chain=replace(statement.chain, sides=(left, equal))), context))
    for verdict in ("holds", "holds-if"):
        held = next((each for each in judged if each is not None and each.verdict == verdict), None)
        if held is not None:
            return held
    plain, scaled = judged
    return plain if plain is not None and scaled is not None else None


def _without_numbers(e: f.Expression) -> f.Expression:
    """The product without the numbers and the fractions 1/N and 1/√d_k in front."""
    if not isinstance(e, f.Product):
        return e
    first = e.factors[0]
    number = first.numerator if isinstance(first, f.Quotient) else first
    if not isinstance(number, f.Number):
        return e
    rest = replace(e, factors=e.factors[1:], operators=e.operators[1:])
    return _without_numbers(rest) if len(rest.factors) > 1 else rest.factors[0]
