"""What d_k and d stand for where no line says it: the width of the keys that are printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Protocol

from symattn.checking.semantics.evaluation import scalar
from symattn.reading import formula as f
from symattn.values.balls import Balls

KEYS_AND_QUERIES = (f.Name("K"), f.Name("Q"))
_WIDTH = f.Name("d")


class _Stated(Protocol):
    true: Balls


# of Phuong and Hutter, of Prince, and of Bishop, too
_NAMES = (("d", "k"), ("d", "key"), ("d", "attn"), ("D", "q"), ("D", "k"))


def width_of_keys(expression: f.Expression, stated: Mapping[f.Expression, _Stated], across: int) -> Balls | None:
    """For d_k the width of the keys or the queries, or of those of every head; side `across` counts the features."""
    return _of_matrices(stated, across) if _is_width(expression) else None


def width_in_formula(expression: f.Expression, stated: Mapping[f.Expression, _Stated], across: int) -> Balls | None:
    """In a formula d_k is the length of the key vectors, too, and d the width of keys, of inputs of another width too.

    Neither is sure enough to hold a number against it that is printed for d_k or d itself.
    """
    if _is_width(expression):
        return _of_vectors(stated)
    return _of_matrices(stated, across) if expression == _WIDTH else None


def _is_width(expression: f.Expression) -> bool:
    return isinstance(expression, f.Name) and (expression.base, *expression.sub) in _NAMES


def _of_matrices(stated: Mapping[f.Expression, _Stated], across: int) -> Balls | None:
    for name in KEYS_AND_QUERIES:
        if name in stated:
            return scalar(Fraction(stated[name].true.shape[across]))
    heads = [key for key in stated if isinstance(key, f.Name) and key.base in ("K", "Q") and not _is_entry(key)]
    widths = {stated[key].true.shape[across] for key in heads}
    if len(widths) == 1 and (widths != {1} or all(key.sup for key in heads) or _are_numbers(stated)):
        return scalar(Fraction(widths.pop()))
    return None


def _is_entry(name: f.Name) -> bool:
    """Whether a name is that of an entry, K_22, and of no head."""
    return bool(name.sub) and name.sub[-1].isdecimal() and len(name.sub[-1]) > 1


def _of_vectors(stated: Mapping[f.Expression, _Stated]) -> Balls | None:
    """The length of q_1, k_2 and of (k_1)_2, the second key of the first head."""
    shapes = {shape for name, shape in _shapes(stated) if name.base in ("k", "q") and name.sub}
    lengths = {max(shape) for shape in shapes if 1 in shape}
    told = len(lengths) == 1 and len(shapes) == 1 and (lengths != {1} or _are_numbers(stated))
    return scalar(Fraction(lengths.pop())) if told else None


def _are_numbers(stated: Mapping[f.Expression, _Stated]) -> bool:
    """Whether a projection with one row or column makes each key one number."""
    projections = ((name, shape) for name, shape in _shapes(stated) if name.base in ("W", "Ω") and 1 in shape)
    marks = {mark.strip("()") for name, _ in projections for mark in (*name.sub, *name.sup)}
    return not marks.isdisjoint(("K", "k"))


def _shapes(stated: Mapping[f.Expression, _Stated]) -> Iterator[tuple[f.Name, tuple[int, int]]]:
    """What is stated, by what it is a row or a column of."""
    for key, value in stated.items():
        if isinstance(name := _name_of(key), f.Name):
            yield name, value.true.shape


def _name_of(key: f.Expression) -> f.Expression:
    """What something is a row or a column of."""
    while isinstance(key, f.Entry | f.Transpose):
        key = key.operand
    return key
