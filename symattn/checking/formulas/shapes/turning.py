"""A formula with a transposition more or less, as a reader would correct it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from symattn.patterns import regex
from symattn.reading import formula as f

MOST = 12  # names of one formula that are turned

_MARK = regex(
    r"\s*\^\s*(?:\{\s*)?(?:\\(?:top|intercal|mathsf\{T\}|mathrm\{T\}|text\{T\})|T|⊤)\s*\}?\s*$|[ᵀ⊤]\s*$|\.T\s*$"
)


def turned(side: f.Expression) -> Iterator[tuple[f.Expression, tuple[f.Expression, ...]]]:
    """The expression with one name transposed, or no longer; with all weights so. With each the parts that changed.

    >>> [chain] = f.parse("XW^T")
    >>> [len(parts) for _, parts in turned(chain.sides[0].expression)]
    [1, 1]
    """
    names = list(_named(side))
    weights = [part for part in names if _name_of(part).base in ("W", "U")]
    for parts in [*((part,) for part in names[:MOST]), *([tuple(weights)] if len(weights) > 1 else [])]:
        yield _with(side, parts), parts


def correct(text: str, parts: tuple[f.Expression, ...]) -> str | None:
    """The text with these parts transposed, or no longer; None where it does not show how.

    >>> [chain] = f.parse("XW_V^T")
    >>> correct("XW_V^T", (chain.sides[0].expression.factors[1],))
    'XW_V'
    """
    for part in sorted(parts, key=lambda each: -each.start):
        own = text[part.start : part.end]
        new = _MARK.sub("", own) if isinstance(part, f.Transpose) else f"{own}^T"
        if new == own:
            return None
        text = text[: part.start] + new + text[part.end :]
    return text


def swapped(side: f.Expression, text: str) -> tuple[f.Expression, str] | None:
    """A product of two factors in the other order, and the text with them so.

    >>> [chain] = f.parse("Y = XW")
    >>> swapped(chain.sides[1].expression, "Y = XW")[1]
    'Y = WX'
    """
    if not isinstance(side, f.Product) or len(side.factors) != 2:
        return None
    left, right = side.factors
    between = text[left.end : right.start]
    new = text[: left.start] + text[right.start : right.end] + between + text[left.start : left.end] + text[right.end :]
    return replace(side, factors=(right, left)), new


def _named(expression: f.Expression) -> Iterator[f.Expression]:
    """The matrices of an expression by their names, with their transpositions."""
    if isinstance(expression, f.Name) or (
        isinstance(expression, f.Transpose) and isinstance(expression.operand, f.Name)
    ):
        yield expression
        return
    for part in expression.parts:
        yield from _named(part)


def _name_of(part: f.Expression) -> f.Name:
    name = part.operand if isinstance(part, f.Transpose) else part
    assert isinstance(name, f.Name)
    return name


def _with(expression: f.Expression, parts: tuple[f.Expression, ...]) -> f.Expression:
    if any(expression is part for part in parts):
        return expression.operand if isinstance(expression, f.Transpose) else f.Transpose(expression)
    changed = {each.name: _within(getattr(expression, each.name), parts) for each in fields(expression)}
    return replace(expression, **changed)


def _within(value: Any, parts: tuple[f.Expression, ...]) -> Any:
    if isinstance(value, f.Expression):
        return _with(value, parts)
    if isinstance(value, tuple):
        return tuple(_within(each, parts) for each in value)
    return value
