"""Maximum, weights and sum as functions of a row of scores, m(x^{(1)}), f(x^{(1)}) and ℓ(x^{(1)}), as letters with its
marks, m^{(1)} (Dao et al., FlashAttention, 2022, section 3.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

_STATES = {"m": "m", "ℓ": "ℓ", "l": "ℓ"}
_ROWS = ("x", "S", "s")


def name_states_of_rows(side: f.Expression) -> f.Expression:
    """The side with m^{(1)} for m(x^{(1)}), P̃^{(1)} for f(x^{(1)}), and P̃ as a row for its entries one by one."""
    return rewrite(rewrite(side, _state), _as_row)


def _state(part: f.Expression) -> f.Expression:
    match part:
        case f.Product(factors, operators):
            return _with_states(part, factors, operators)
        case f.Call("f", (f.Name(base) as row,)) if base in _ROWS:
            return replace(row, base="P̃", start=part.start, end=part.end)
        case f.Call("max", (f.Matrix((blocks,)) | f.Product(blocks),)) if {*map(_base_of_block, blocks)} == {"m"}:
            return replace(part, arguments=blocks)
    return part


def _with_states(product: f.Product, factors: tuple[f.Expression, ...], operators: tuple[str, ...]) -> f.Expression:
    """The product with one letter for each `m(x)` in it, which was read as m times what the brackets hold."""
    made: list[f.Expression] = []
    signs: list[str] = []
    for k, factor in enumerate(factors):
        row = _row_of(factor)
        if k and row is not None and operators[k - 1] == "" and _is_state(made[-1]) and made[-1].end < factor.start:
            made[-1] = replace(row, base=_STATES[made[-1].base], start=made[-1].start)
            continue
        if k:
            signs.append(operators[k - 1])
        made.append(factor)
    return made[0] if len(made) == 1 else replace(product, factors=tuple(made), operators=tuple(signs))


def _is_state(e: f.Expression) -> TypeGuard[f.Name]:
    return isinstance(e, f.Name) and e.base in _STATES and not (e.sub or e.sup)


def _row_of(e: f.Expression) -> f.Name | None:
    """The x of x^{(1)}, with its marks, and of [x^{(1)} x^{(2)}]."""
    match e:
        case f.Name(base) if base in _ROWS:
            return e
        case f.Matrix((blocks,)) | f.Product(blocks) if len(blocks) > 1:
            [base, *others] = {*map(_base_of_block, blocks)}
            return f.Name(base, start=e.start, end=e.end) if base in _ROWS and not others else None
    return None


def _base_of_block(e: f.Expression) -> str:
    """The letter of a name with a mark, x of x^{(1)}; empty for anything else."""
    return e.base if isinstance(e, f.Name) and e.sub + e.sup else ""


def _as_row(part: f.Expression) -> f.Expression:
    """The row sum for Σ_i f(x)_i."""
    match part:
        case f.BigSum(index, None, None, f.Entry(f.Name("P̃") as row, (at,)), None) if index == at:
            return f.Call("rowsum", (row,), start=part.start, end=part.end)
    return part
