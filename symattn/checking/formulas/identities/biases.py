"""Along which axis a bias is added: XW + 1 bᵀ has an entry of b for each column, WX + b 1ᵀ one for each row."""

from __future__ import annotations

from collections.abc import Mapping

from symattn.checking.models.letters import letter_of
from symattn.reading import formula as f


def is_misplaced(e: f.Expression, shapes: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether in some XW + b, with letters of these shapes, b would have an entry for each token, or W has no part
    in its length."""
    return any(_has_misplaced(part, shapes) for part in f.walk(e) if isinstance(part, f.Sum))


def _has_misplaced(e: f.Sum, shapes: Mapping[str, tuple[str, ...]]) -> bool:
    match e.terms:
        case (f.Product((f.Name() as first, f.Name() as second)), bias):
            pass
        case _:
            return False
    weights = [name.base == "W" for name in (first, second)]
    shape = _shape_of(bias, shapes)
    if weights[0] == weights[1] or len(shape) != 2:
        return False
    axis = 0 if weights[0] else 1
    other, own = _shape_of(second if weights[0] else first, shapes), _shape_of(first if weights[0] else second, shapes)
    return len(own) == 2 and len(other) == 2 and "1" not in other and shape[axis] != own[axis]


def _shape_of(e: f.Expression, shapes: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The shape of a letter, transposed or not, and of what a column or row of ones makes of it; () of all else."""
    match e:
        case f.Name():
            return shapes.get(letter_of(e).key, ())
        case f.Transpose(operand):
            return _shape_of(operand, shapes)[::-1]
        case f.Product((f.Name(base="𝟏"), factor)) | f.Product((factor, f.Transpose(f.Name(base="𝟏")))):
            return _shape_of(factor, shapes)
    return ()
