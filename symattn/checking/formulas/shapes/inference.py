"""The shape of a formula, from the shapes that an article states for what it is made of.

One rule for each node of the tree. Where an article leaves something open, every reading is tried: whether vectors are
columns or rows (the same for all of one formula), which of several stated shapes of a name is meant, whether `*` is a
product of matrices. What has no rule has an unknown shape, which fits everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import sympy
from sympy import Expr, Integer, S

from symattn.checking.formulas.shapes.sizes import Sizes, are_heads_grouped, is_size, kind_of, letter_of, size_letter
from symattn.patterns import regex
from symattn.reading import formula as f

T = TypeVar("T")
Shape = tuple[Expr, ...] | None  # the axes, batch and heads in front; () of a number; None where nothing is known
MOST_STEPS = 3_000  # of one formula, all readings together
MOST_READINGS = 200
DEEPEST = 6  # definitions that lead to definitions

_ENTRYWISE = ("exp", "tanh", "sin", "cos", "log", "log2", "log10", "relu", "gelu", "sigmoid", "sigma", "silu", "swish")
_SAME_SHAPE = frozenset((*_ENTRYWISE, "softmax", "softplus", "layernorm", "rmsnorm", "mask", "dropout", "abs", "sqrt"))
_RUNNING = regex(r"[a-z]|[0-9]+|[a-z][+-−][0-9]+|1…[a-zA-Z]")


class TooManyReadingsError(Exception):
    """The formula has more readings than are tried."""


class View(Mapping[str, T]):
    """What a function gives for some keys, worked out when it is asked for."""

    def __init__(self, keys: Collection[str], make: Callable[[str], T]) -> None:
        self.keys_known, self.make = keys, make
        self.made: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self.made:
            if key not in self.keys_known:
                raise KeyError(key)
            self.made[key] = self.make(key)
        return self.made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_known)

    def __len__(self) -> int:
        return len(self.keys_known)


@dataclass
class Stated:
    """What an article states: shapes of names, the nearest first, and what names are defined as."""

    shapes: Mapping[str, Sequence[Shape]]  # None where a name is set to what is not understood
    definitions: Mapping[str, f.Expression] = field(default_factory=dict)
    steps: int = 0

    def without(self, letters: str) -> Stated:
        """With nothing said of these names: the Q of Attention(Q W_i^Q, ...) is what all heads get."""
        return Stated(
            View(self.shapes.keys() - set(letters), self.shapes.__getitem__),
            View(self.definitions.keys() - set(letters), self.definitions.__getitem__),
        )

    def with_shapes(self, added: Mapping[str, Sequence[Shape]]) -> Stated:
        """With these shapes for some names."""
        shapes = self.shapes
        both = View(shapes.keys() | added.keys(), lambda key: added[key] if key in added else shapes[key])
        return Stated(both, self.definitions)

    def count(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooManyReadingsError


@dataclass(frozen=True)
class Reading:
    """One way to read a formula: how its vectors stand, which shapes were meant, what sizes have to be."""

    sizes: Sizes = field(default_factory=Sizes)
    columns: bool = True
    chosen: Mapping[str, Shape] = field(default_factory=dict)
    depth: int = 0

    def equate(self, a: Expr, b: Expr) -> Iterator[Reading]:
        """This reading with both sizes the same; nothing where they never are."""
        sizes = self.sizes.equate(a, b)
        if sizes is not None:
            yield replace(self, sizes=sizes)

    def stand(self, width: Expr) -> Shape:
        """A vector as a matrix of one column or row."""
        return (width, S.One) if self.columns else (S.One, width)


Readings = Iterator[tuple[Shape, Reading]]


def key_of(name: f.Name) -> str:
    """A name as it is looked up: W_Q, W^Q and Wq are one.

    >>> key_of(f.Name("W", ("Q",))) == key_of(f.Name("W", (), ("q",))), key_of(f.Name("Attention Scores"))
    (True, 'attentionscores')
    """
    base = name.base if len(name.base) == 1 else re.sub(r"[ _-]", "", name.base).lower()
    marks = sorted((*(m.lower() for m in name.sub), *(m.lower() for m in name.sup)))
    return "_".join((base, *marks))


def indices_of(name: f.Name) -> tuple[str, ...]:
    """The indices of a name, those that are written together apart: i and j of a_{ij}.

    >>> indices_of(f.Name("a", ("ij",))), indices_of(f.Name("d", ("model",)))
    (('i', 'j'), ('model',))
    """
    marks = name.sub + name.item
    if len(marks) == 1 and len(name.base) == 1 and re.fullmatch(r"[h-ns-u]{2}|[0-9]{2}|[a-z]:|:[a-z]", marks[0]):
        return tuple(marks[0])
    return marks


def infer(expression: f.Expression, stated: Stated, reading: Reading) -> Readings:
    """Every shape that the expression may have, with the reading under which it has it.

    Raises TooManyReadingsError where the formula is too long to try them all.
    """
    stated.count()
    match expression:
        case f.Number() | f.Infinity():
            yield (), reading
        case f.Name():
            yield from _of_name(expression, stated, reading)
        case f.Sum(terms=terms) | f.Elementwise(factors=terms):
            yield from _fold(terms, stated, reading, _broadcast)
        case f.Product(factors=factors, operators=operators):
            yield from _of_product(factors, operators, stated, reading)
        case f.Transpose(operand=operand):
            for shape, found in infer(operand, stated, reading):
                yield (shape if shape is None or len(shape) < 2 else (*shape[:-2], shape[-1], shape[-2])), found
        case f.Quotient(numerator=f.Name(base, (), ()) as top) if base in _SCALES and not _is_known(top, stated):
            yield (), reading  # the α/r of (α/r) B A x
        case f.Quotient(numerator=top, denominator=bottom):
            yield from _fold((top, bottom), stated, reading, _broadcast)
        case f.Root(radicand=operand):
            yield from infer(operand, stated, reading)
        case f.Power(base=base, exponent=exponent):
            for shape, found in infer(base, stated, reading):
                whole = shape is None or len(shape) < 2 or isinstance(exponent, f.Number)
                yield (shape if whole else None), found
        case f.Call():
            yield from _of_call(expression, stated, reading)
        case f.Entry(operand=operand, indices=indices):
            for shape, found in infer(operand, stated, reading):
                yield _picked(shape, indices, found), found
        case f.BigSum(body=body):
            yield from infer(body, stated, reading)
        case f.Matrix(rows=((cell,),)):  # Softmax[S]: brackets around one thing may be no more than brackets
            for shape, found in infer(cell, stated, reading):
                yield shape or (None if shape is None else (S.One, S.One)), found
        case f.Matrix(rows=rows) if len({len(row) for row in rows}) == 1:
            yield from _of_cells(rows, stated, reading)
        case _:
            yield None, reading


_SCALES = frozenset("αβγηλτ")


def _is_known(name: f.Name, stated: Stated) -> bool:
    return key_of(name) in stated.shapes or key_of(name) in stated.definitions


def _of_cells(rows: Sequence[Sequence[f.Expression]], stated: Stated, reading: Reading) -> Readings:
    """As many rows and columns as are printed; with dots as many as the last one says, a_1, …, a_n, of numbers."""
    down, across = _length([row[0] for row in rows]), _length(rows[0])
    if down is None or across is None:
        yield None, reading
        return
    dots = any(isinstance(cell, f.Dots) for row in rows for cell in row)
    for shape, found in infer(rows[0][0], stated, reading) if dots else [((), reading)]:
        yield ((down, across) if shape == () else None), found


def _length(cells: Sequence[f.Expression]) -> Expr | None:
    """How many there are; of a_1, a_2, …, a_n the n in which the last one differs from the first."""
    if not any(isinstance(cell, f.Dots) for cell in cells):
        return Integer(len(cells))
    ends = [[mark for part in f.walk(cell) if isinstance(part, f.Name) for mark in part.sub]
            for cell in (cells[0], cells[-1])]  # fmt: skip
    changed = {pair for pair in zip(*ends, strict=False) if pair[0] != pair[1]}
    if len(changed) != 1 or len(ends[0]) != len(ends[1]):
        return None
    [(first, last)] = changed
    if first != "1" or not last.isalnum():
        return None
    return Integer(int(last)) if last.isdecimal() else size_letter(last)


def _fold(
    parts: Sequence[f.Expression],
    stated: Stated,
    reading: Reading,
    combine: Callable[[Shape, Shape, Reading], Readings],
) -> Readings:
    """The shapes of parts combined from left to right."""
    held: list[tuple[Shape, Reading]] = list(infer(parts[0], stated, reading))
    for part in parts[1:]:
        met: list[tuple[Shape, Reading]] = []
        for left, so_far in held:
            for right, found in infer(part, stated, so_far):
                met += combine(left, right, found)
                if len(met) > MOST_READINGS:
                    raise TooManyReadingsError
        held = met
    yield from held


# --- names


def _of_name(name: f.Name, stated: Stated, reading: Reading) -> Readings:
    key = key_of(name)
    if key in reading.chosen:
        yield reading.chosen[key], reading
        return
    for shape, found in _meanings(name, stated, reading):
        yield shape, replace(found, chosen={**found.chosen, key: shape})


def _meanings(name: f.Name, stated: Stated, reading: Reading) -> Readings:
    key = key_of(name)
    if is_size(name):
        yield (), reading
        return
    if shapes := stated.shapes.get(key) or _of_any_index(name, stated):
        for axes in shapes:
            yield (reading.stand(axes[0]) if axes and len(axes) == 1 else axes), reading
        return
    if (defined := stated.definitions.get(key)) is not None and reading.depth < DEEPEST:
        deeper = list(infer(defined, stated, replace(reading, depth=reading.depth + 1)))
        for shape, found in deeper or [(None, reading)]:  # a definition that does not fit is judged by itself
            yield shape, replace(found, depth=reading.depth)
        return
    if (whole := _whole_of(name, stated)) is not None:
        for axes in whole:
            yield _picked(axes, indices_of(name), reading), reading
            told = axes is not None and [kind_of(str(size)) for size in axes] == ["tokens", "width"]  # X is n × d
            if reading.columns and axes is not None and not told and len(indices_of(name)) == 1 and not name.item:
                yield (axes[0], S.One), reading  # the columns of X may be the tokens, x_i one of them
        return
    if len(indices_of(name)) == 2 and all(_RUNNING.fullmatch(mark) for mark in indices_of(name)):
        yield (), reading  # an entry
    elif len(name.base) == 1 and name.base.isupper() and name.base.isascii() and not (name.item or kind_of(key)):
        rows, sizes = reading.sizes.invent()
        columns, sizes = sizes.invent()
        yield (rows, columns), replace(reading, sizes=sizes)
    elif name.base[0].islower() and kind_of(letter_of(name)):
        yield (), reading
    else:
        yield None, reading


def _of_any_index(name: f.Name, stated: Stated) -> Sequence[Shape] | None:
    """The shapes stated for W_i^Q, of W_1^Q."""
    marks = [mark for mark in name.sub if not _RUNNING.fullmatch(mark)]
    if len(marks) == len(name.sub):
        return None
    for letter in "ijhtlkmn1":
        key = key_of(replace(name, sub=(*marks, letter)))
        if key in stated.shapes:
            return stated.shapes[key]
    return None


def _whole_of(name: f.Name, stated: Stated) -> Sequence[Shape] | None:
    """The shapes of the matrix that a name with indices is an entry or a row of: Q of q_i, A of a_ij and A_ij."""
    indices = indices_of(name)
    if not indices or not all(_RUNNING.fullmatch(mark) or mark == ":" for mark in indices):
        return None
    if len(indices) == 1 and len(name.base) == 1 and name.base.isupper() and not name.item:
        return None  # Q_i may be the queries of a head
    plain = replace(name, sub=(), item=())
    small = len(name.base) == 1 and name.base.islower()
    for whole in (plain, replace(plain, base=name.base.upper())) if small else (plain,):
        shapes = stated.shapes.get(key_of(whole))
        if shapes and all(shape is None or len(shape) == 2 for shape in shapes):
            return shapes
    return None


def _picked(shape: Shape, indices: Sequence[str], reading: Reading) -> Shape:
    """The shape of an entry or a row of what has a shape."""
    if len(indices) == 2 and ":" not in indices:
        return () if shape is None or len(shape) == 2 else None
    if shape is not None and len(shape) == 2 and len(indices) == 2:
        return (S.One, shape[1]) if indices[1] == ":" else (shape[0], S.One)
    if shape is None or len(shape) < 2 or len(indices) != 1:
        return None
    return reading.stand(shape[-1])


# --- products and sums


def _of_product(
    factors: Sequence[f.Expression], operators: Sequence[str], stated: Stated, reading: Reading
) -> Readings:
    held: list[tuple[Shape, Reading]] = list(infer(factors[0], stated, reading))
    for factor, operator in zip(factors[1:], operators, strict=True):
        met: list[tuple[Shape, Reading]] = []
        for left, so_far in held:
            for right, found in infer(factor, stated, so_far):
                alike = len(factors) == 2 and left is not None and left == right and _is_vector(left)
                met += multiply(left, right, found, operator or "*" * alike)  # e^{m_1 − m_2} ℓ_1, by entries
                if len(met) > MOST_READINGS:
                    raise TooManyReadingsError
        held = met
    yield from held


def multiply(left: Shape, right: Shape, reading: Reading, operator: str = "") -> Readings:
    """The shapes that a product may have: numbers scale, vectors may have an inner product, `*` may go by
    entries, ⊗ of vectors is their outer product."""
    if left == () or right == ():
        yield (right if left == () else left), reading
        return
    if left is None or right is None:
        yield None, reading
        return
    if operator == "⊗":  # of matrices it is one of several products
        vectors = _is_vector(left) and _is_vector(right)
        yield ((_width(left), _width(right)) if vectors else None), reading
        return
    if _is_per_example(left, right):
        yield from _broadcast(left, right, reading)
        return
    yield from _matrix_product(left, right, reading)
    if operator == "·" and _is_vector(left) and _is_vector(right):
        for found in reading.equate(_width(left), _width(right)):
            yield (), found
    if operator in ("*", "·"):
        yield from _broadcast(left, right, reading)


def _is_per_example(left: tuple[Expr, ...], right: tuple[Expr, ...]) -> bool:
    """Whether one has the axes of the other behind those of a batch: C × H × W gains of B × C × H × W images."""
    low, wide = sorted((left, right), key=len)
    return 3 <= len(low) < len(wide) and wide[-len(low) :] == low


def _is_vector(shape: tuple[Expr, ...]) -> bool:
    return len(shape) == 2 and S.One in shape


def _width(shape: tuple[Expr, ...]) -> Expr:
    return shape[0] if shape[1] == 1 else shape[1]


def _matrix_product(left: tuple[Expr, ...], right: tuple[Expr, ...], reading: Reading) -> Readings:
    for shape, found in _broadcast(left[:-2], right[:-2] and _repeated(right[:-2], left[:-2]), reading):
        for settled in found.equate(left[-1], right[-2]):
            whole = (*(shape or ()), left[-2], right[-1])
            yield (() if whole == (1, 1) else whole), settled


def _repeated(axes: tuple[Expr, ...], heads: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The batch and heads of keys or values, repeated for the queries of their group."""
    if len(axes) != len(heads):
        return axes
    return tuple(b if are_heads_grouped(a, b) else a for a, b in zip(axes, heads, strict=True))


def _broadcast(left: Shape, right: Shape, reading: Reading) -> Readings:
    """The shape of a sum: axes are the same, or 1; a vector is added to every row or column."""
    if left is None or right is None:
        yield (left if right is None else right) or None, reading
        return
    if not left or not right:
        yield left or right, reading
        return
    if len(left) == len(right) == 2 and _is_vector(left) != _is_vector(right):
        matrix, vector = (right, left) if _is_vector(left) else (left, right)
        for side in matrix:
            for found in reading.equate(side, _width(vector)):
                yield matrix, found
        return
    wide, low = (left, right) if len(left) >= len(right) else (right, left)
    held = [reading]
    axes = list(wide[: len(wide) - len(low)])
    for a, b in zip(wide[len(wide) - len(low) :], low, strict=True):
        axes.append(b if a == 1 else a)
        if a != 1 and b != 1:
            held = [found for each in held for found in each.equate(a, b)]
    for found in held:
        yield tuple(axes), found


# --- functions


def _of_call(call: f.Call, stated: Stated, reading: Reading) -> Readings:
    function, arguments = call.function, call.arguments
    if function in _SAME_SHAPE and arguments:
        yield from infer(arguments[0], stated, reading)
    elif function == "max" and len(arguments) == 2 and any(isinstance(a, f.Number) for a in arguments):
        yield from infer(next(a for a in arguments if not isinstance(a, f.Number)), stated, reading)
    elif function == "concat" and len(arguments) > 1:
        yield from _of_concat(call, stated, reading)
    elif function == "attention" and len(arguments) == 3:
        q, k, v = arguments
        formula = f.Product((q, f.Transpose(k), v), ("", ""))
        projected = any(isinstance(a, f.Product) for a in arguments)
        yield from infer(formula, stated.without("QKV") if projected else stated, reading)
    elif function in ("norm", "tr", "det"):
        yield (), reading
    else:
        yield None, reading


def _of_concat(call: f.Call, stated: Stated, reading: Reading) -> Readings:
    """Heads side by side: as wide as all together, `Concat(head_1, ..., head_h)` h times one head."""
    parts = [a for a in call.arguments if not isinstance(a, f.Dots)]
    times: Expr = S.One
    if len(parts) < len(call.arguments):
        last = parts[-1]
        if not (isinstance(last, f.Name) and len(last.sub) == 1):
            yield None, reading
            return
        parts, times = parts[:1], Integer(int(last.sub[0])) if last.sub[0].isdigit() else size_letter(last.sub[0])
    for shape, found in infer(parts[0], stated, reading):
        if not shape:
            yield None, found
            continue
        widths: list[Expr] = [shape[-1] * times]
        for part in parts[1:]:
            other = next(infer(part, stated, found), (None, found))[0]
            if not other:
                widths = []
                break
            widths.append(other[-1])
        yield ((*shape[:-1], sympy.expand(sympy.Add(*widths))) if widths else None), found
