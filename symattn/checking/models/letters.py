"""What a name is made of: its letter with its labels, and the indices that it carries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f

_SIZES = frozenset("dnN")
_WEIGHTS = frozenset("Ww")
_LOSS = frozenset(("L", "l", "ℓ", "J", "E", "loss", "Loss"))
_LETTERS = "ijklmnprstuℓ"  # of indices
_TWO = regex(rf"[{_LETTERS}]{{1,2}}")
_SLOPE = regex(r"d[A-Za-zα-ω][\u0300-\u036f]?")
_PLACE = regex(rf"[{_LETTERS}][-+][0-9]|:|[0-9]{{1,2}}|[{_LETTERS}]:|:[{_LETTERS}]")


@dataclass(frozen=True)
class Letter:
    """`a_{ij}` is the letter a with the indices i and j, `W_i^Q` W^Q with the index i."""

    key: str
    indices: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def letter_of(name: f.Name) -> Letter:
    """The letter and its indices.

    >>> letter_of(f.Name("a", ("ij",))), letter_of(f.Name("d", ("k",))), letter_of(f.Name("W", (), ("Q",)))
    (Letter(key='a', indices=('i', 'j')), Letter(key='d_k', indices=()), Letter(key='W_Q', indices=()))
    """
    labels, indices = [], list[str]()
    for part in name.sub:
        if _TWO.fullmatch(part) and name.base not in _SIZES and (name.base, part) != ("W", "k"):
            indices += part
        elif _PLACE.fullmatch(part):
            indices.append(part)
        else:
            labels.append(part)
    indices += list(name.item)
    return Letter("_".join((name.base, *labels, *name.sup)), tuple(indices))


def is_loss(e: f.Expression) -> bool:
    """Whether this is what losses are called."""
    return isinstance(e, f.Name) and e.base in _LOSS and not e.sub


def slope_of(e: f.Expression) -> f.Name | None:
    """The X of ∂L/∂X, dL/dX, ∇_X L or dX."""
    if isinstance(e, f.Name):
        if not e.base.startswith("d"):
            return None
        is_one = bool(e.sub) if e.base in ("dk", "dv") else _SLOPE.fullmatch(e.base) is not None
        return replace(e, base=e.base[1:]) if is_one else None
    return e.by if isinstance(e, f.Derivative) and is_loss(e.of) and isinstance(e.by, f.Name) else None


def _differential_quotient(e: f.Quotient) -> f.Derivative | None:
    """`dp_j/dz_i`: nobody divides one gradient by another."""
    if not isinstance(e.numerator, f.Name) or not isinstance(e.denominator, f.Name):
        return None
    above, below = slope_of(e.numerator), slope_of(e.denominator)
    return None if above is None or below is None else f.Derivative(above, below, start=e.start, end=e.end)


def join_differentials(e: f.Expression, *, squares: bool = False) -> f.Expression:
    """`d\\mathbf{Q}` and `do_i`, read as a product of d and a letter, as the gradient that it is; dp/dz as a slope;
    the change ΔW of weights as one letter, and ∂L/∂Xᵀ as the gradient by X, transposed.

    With `squares` dσ² is the gradient by σ² too, which may be a size by a variance elsewhere.
    """

    below = {id(x.denominator) for x in f.walk(e) if isinstance(x, f.Quotient)}  # d σ there is a size by a letter

    def joined(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Derivative) and isinstance(part.by, f.Transpose) and is_loss(part.of):
            return f.Transpose(replace(part, by=part.by.operand), start=part.start, end=part.end)
        if isinstance(part, f.Quotient) and (slope := _differential_quotient(part)) is not None:
            return slope
        if not isinstance(part, f.Product) or id(part) in below:
            return part
        factors: list[f.Expression] = []
        operators: list[str] = []
        for k, factor in enumerate(part.factors):
            inner = factor.operand if isinstance(factor, f.Transpose) else factor
            before = factors[-1] if factors else None
            if before == f.Name("Δ") and isinstance(inner, f.Name) and inner.base in _WEIGHTS:
                change = replace(inner, base=f"Δ{inner.base}", start=before.start)
                factors[-1] = replace(factor, operand=change) if isinstance(factor, f.Transpose) else change
                continue
            by = (isinstance(inner, f.Name) and inner.base != "d") or (
                squares and isinstance(inner, f.Power) and inner.base == f.Name("σ")
            )
            if before == f.Name("d") and by and part.operators[k - 1] == "":
                slope = f.Derivative(f.Name("L"), inner, start=before.start, end=inner.end)
                factors[-1] = replace(factor, operand=slope) if isinstance(factor, f.Transpose) else slope
                continue
            if factors:
                operators.append(part.operators[k - 1])
            factors.append(factor)
        if len(factors) == 1:
            return factors[0]
        return replace(part, factors=tuple(factors), operators=tuple(operators))

    return rewrite(e, joined)


def join_changes(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """Δy = x ΔW with one letter for each change, where the left side is the change of a letter and Δ no number."""
    match sides[:1]:
        case [f.Product((f.Name("Δ", (), ()), f.Name()), ("",))]:
            return [rewrite(side, _with_changes) for side in sides]
    return list(sides)


def _with_changes(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Product):
        return part
    factors, operators = [part.factors[0]], list[str]()
    for operator, factor in zip(part.operators, part.factors[1:], strict=True):
        before, inner = factors[-1], factor.operand if isinstance(factor, f.Transpose) else factor
        if before == f.Name("Δ") and not operator and isinstance(inner, f.Name):
            change = replace(inner, base=f"Δ{inner.base}", start=before.start)
            factors[-1] = replace(factor, operand=change) if isinstance(factor, f.Transpose) else change
        else:
            factors.append(factor)
            operators.append(operator)
    return replace(part, factors=tuple(factors), operators=tuple(operators)) if operators else factors[0]


def axis_of(e: f.Call) -> int | None:
    """The axis that a call names as programs do, sum(X, axis=0); None where it names none.

    >>> axis_of(f.Call("sum", (f.Name("X"),), options=(("dim", "-1"),))), axis_of(f.Call("sum", (f.Name("X"),)))
    (-1, None)
    """
    named = [value for key, value in e.options if key in ("axis", "dim")]
    return int(named[0]) if len(named) == 1 and re.fullmatch(r"-?\d", named[0]) else None


_SCALE = regex(r"(?:scal(?:e|ing|e_?factor)?|softmax_scale|sm_scale|[ée]chelle|escala|skala)")


def is_scale(text: str) -> bool:
    """Whether a name says that it is the scale of the scores."""
    return _SCALE.fullmatch(text.strip().rpartition(".")[2].lower()) is not None
