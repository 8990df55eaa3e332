"""Shapes: the numbers that symbolic sizes stand for, and the axes of every array, with batch and heads in front."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy import Expr, MatrixSymbol, S, Symbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.errors import InputError, ShapeError, SymattnError
from symattn.nodes import (
    AddRow,
    Biased,
    ConcatHeads,
    Embedding,
    HeadColumns,
    HeadRows,
    KeepMask,
    Member,
    RelativeBias,
    RowBucketSums,
    ScaleColumns,
    member,
    same_size,
    stem,
)
from symattn.nodes.exact_numbers import read_exact
from symattn.program.steps import Program, Step
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

LARGEST = 10**12  # of what a size may be


def read_sizes(shapes: Mapping[MatrixSymbol, tuple[int, int]]) -> dict[Symbol, int]:
    """What each symbolic size is, from the shapes of the inputs' values.

    Raises ShapeError where two inputs disagree, naming both, or a fixed size is not met.

    >>> n, d = sympy.symbols("n d")
    >>> read_sizes({MatrixSymbol("Q", n, d): (3, 2), MatrixSymbol("K", n, d): (3, 2)})
    {n: 3, d: 2}
    """
    sizes: dict[Symbol, int] = {}
    said_by: dict[Symbol, str] = {}
    compound: list[tuple[Expr, int, str]] = []
    for symbol, shape in shapes.items():
        for side, size, value in zip(("rows", "columns"), symbol.shape, shape, strict=True):
            where = f"{side}({symbol})"
            if not isinstance(size, Symbol):
                compound.append((size, value, where))
            elif sizes.setdefault(size, value) != value:
                raise ShapeError(
                    Sentence("sizes_differ", leftis=said_by[size], left=sizes[size], rightis=where, right=value)
                )
            else:
                said_by.setdefault(size, where)
    for size, value, where in compound:
        known = as_sympy(size).xreplace({s: sympy.Integer(v) for s, v in sizes.items()})
        if len(known.free_symbols) == 1:
            (unknown,) = known.free_symbols
            found = sympy.Poly(known - value, unknown).ground_roots()
            whole = [root for root in found if root.is_Integer and root.is_positive]
            if len(whole) != 1:
                raise _differ(size, known, where, value)
            sizes[unknown] = int(whole[0])
        if known.is_Integer and known != value:
            raise _differ(size, known, where, value)
    return sizes


def _differ(size: Expr, known: Expr, where: str, value: int) -> ShapeError:
    """A size that is a number already is not said to be itself: "1 is 1"."""
    if as_sympy(size).is_Integer:
        return ShapeError(Sentence("size_fixed", where=where, given=value, needed=known))
    return ShapeError(Sentence("sizes_differ", leftis=str(size), left=known, rightis=where, right=value))


def substitute_sizes(shape: tuple[Expr, Expr], sizes: Mapping[Symbol, int]) -> tuple[Expr, Expr]:
    """A shape with the known sizes filled in."""
    known = {s: sympy.Integer(v) for s, v in sizes.items()}
    rows, columns = shape
    return as_sympy(rows).xreplace(known), as_sympy(columns).xreplace(known)


# --- what sizes are in this case


@dataclass(frozen=True)
class Measures:
    """What is told of sizes: how many sequences a batch has, and which sizes are numbers or follow from others."""

    batch: Expr | None = None
    relations: Mapping[Symbol, Expr] = field(default_factory=dict)  # d_k = d_model/h
    numbers: Mapping[Symbol, int] = field(default_factory=dict)

    def related(self, amount: Any) -> Expr:
        """An amount with the sizes replaced that follow from others."""
        return sympy.expand(as_sympy(amount).xreplace(dict(self.relations)))

    def number(self, amount: Any) -> Expr:
        """An amount with every size that is known filled in."""
        known = {s: sympy.Integer(v) for s, v in self.numbers.items()}
        return as_sympy(self.related(amount).xreplace(known))


def read_measures(
    symbols: Iterable[Symbol], known: Mapping[Symbol, int], batch: Any = None, sizes: Mapping[Any, Any] | None = None
) -> Measures:
    """The measures that a user states: `batch` a number or a name, `sizes` a number or a formula for some symbols.

    `known` are the sizes that values have already.

    Raises InputError for what is neither, for a name that is no size here, and where a stated size is not the known.

    >>> read_measures(sympy.symbols("n h d_model d_k"), {}, 4, {"d_k": "d_model/h", "h": 8}).relations
    {d_k: d_model/h}
    """
    letters = {s.name: s for s in symbols}
    counted = None if batch is None else _batch(batch, letters)
    if isinstance(counted, Symbol):
        letters[counted.name] = counted
    relations: dict[Symbol, Expr] = {}
    numbers = dict(known)
    for key, value in (sizes or {}).items():
        place, name = f"sizes.{key}", str(key)
        if name not in letters:
            raise InputError(Sentence("no_such_size", name=name[:40], known=listed(name, sorted(letters))), place=place)
        size = _size(value, letters, place)
        if letters[name] in known and size != known[letters[name]]:
            raise InputError(Sentence("size_known", name=name, known=known[letters[name]]), place=place)
        if size.is_Integer:
            numbers[letters[name]] = int(size)
        else:
            relations[letters[name]] = size
    for letter, formula in relations.items():
        if formula.free_symbols & relations.keys():
            raise InputError(Sentence("size_of_sizes", name=letter), place=f"sizes.{letter}")
        whole = Measures(None, relations, numbers).number(letter)
        if whole.is_Rational and not (whole.is_Integer and whole.is_positive):
            raise InputError(Sentence("size_not_whole", name=letter, value=whole), place=f"sizes.{letter}")
    return Measures(counted, relations, numbers)


def _size(value: Any, letters: Mapping[str, Symbol], place: str) -> Expr:
    wanted = InputError(Sentence("bad_size", given=str(value)[:40]), place=place)
    if isinstance(value, bool) or not isinstance(value, int | str | Expr):
        raise wanted
    try:
        size = value if isinstance(value, Expr) else read_exact(value, letters)
    except SymattnError:
        raise wanted from None
    named = {letters.get(s.name) for s in size.free_symbols}
    if size.is_number and not (size.is_Integer and 1 <= size <= LARGEST):
        raise wanted
    if not size.is_number and (None in named or not size.is_rational_function()):
        raise wanted
    return size.xreplace({s: letters[s.name] for s in size.free_symbols})


def _batch(value: Any, letters: Mapping[str, Symbol]) -> Expr:
    if isinstance(value, str | Symbol):
        name = str(value)
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,20}", name) and name not in letters:
            return Symbol(name, integer=True, positive=True)
    elif isinstance(value, int | sympy.Integer) and not isinstance(value, bool) and 1 <= value <= LARGEST:
        return sympy.Integer(value)
    raise InputError(Sentence("bad_batch", given=str(value)[:40]), place="batch")


def size_symbols(matrices: Iterable[Any]) -> set[Symbol]:
    """The symbols in the shapes of matrices."""
    return {s for matrix in matrices for size in matrix.shape for s in as_sympy(size).free_symbols}


# --- the axes of every array


@dataclass(frozen=True)
class Shape:
    """One array: its name, what stands for it, its axes from the outermost, and the formula that gives it, if any.

    `kind` is "data", "shared" (the same for every sequence), "parameter", "step", or a view that code makes on the
    way: "wide" (the projection of all heads), "split" and "merged" (heads beside the tokens), "transposed".
    """

    name: str
    symbol: Any
    axes: tuple[Expr, ...]
    kind: str
    formula: Any = None
    family: str = ""  # of a step that every head has


@dataclass(frozen=True)
class Shapes:
    """The shape of every input, step and view of a calculation, by name."""

    rows: tuple[Shape, ...]
    measures: Measures

    def __getitem__(self, name: str) -> tuple[Expr, ...]:
        """The axes of an array, with the numbers that are known."""
        for row in self.rows:
            if row.name == name:
                return self.numbers(row)
        raise KeyError(name)

    def __iter__(self) -> Iterator[Shape]:
        return iter(self.rows)

    def numbers(self, row: Shape) -> tuple[Expr, ...]:
        return tuple(self.measures.number(axis) for axis in row.axes)

    def __str__(self) -> str:
        wide = max(len(row.name) for row in self.rows)
        return "\n".join(f"{row.name:<{wide}}  {list(self.numbers(row))}" for row in self.rows)


def shapes_of(program: Program, measures: Measures, parameters: Iterable[str] | None = None) -> Shapes:
    """The axes of every input and step: (batch, heads, rows, columns), as far as it has them.

    What is computed from parameters alone has no batch. Views are told where code makes them: the wide projection
    and its columns split into heads, Kᵀ, the heads merged again. Source: Vaswani et al. 2017, section 3.2.2.
    """
    return Shapes(tuple(_Axes(program, measures, parameters).rows()), measures)


class _Axes:
    def __init__(self, program: Program, measures: Measures, parameters: Iterable[str] | None) -> None:
        self.program, self.kinds = program, input_kinds(program, parameters)
        self.batch = () if measures.batch is None else (measures.batch,)
        self.batched = {symbol for symbol, kind in self.kinds.items() if kind == "data"}
        self.counts = {step.symbol: tuple(index.count for index in step.indices) for step in program if step.index}

    def rows(self) -> Iterator[Shape]:
        for symbol, kind in self.kinds.items():
            yield Shape(symbol.name, symbol, self._axes(symbol, symbol.shape), kind)
        told: set[Any] = set()
        for step in self.program:
            if _symbols(step.expression) & self.batched:
                self.batched.add(step.symbol)
            for view in self._views(step):
                if view.name not in told:
                    told.add(view.name)
                    yield view
            axes = self._axes(step.symbol, step.shape)
            yield Shape(step.name, step.symbol, axes, "step", step.expression, step.family)

    def _outer(self, symbol: Any) -> tuple[Expr, ...]:
        return self.batch if symbol in self.batched else ()

    def _axes(self, symbol: Any, shape: tuple[Expr, Expr]) -> tuple[Expr, ...]:
        return (*self._outer(symbol), *self.counts.get(symbol, ()), *shape)

    def _views(self, step: Step) -> Iterator[Shape]:
        wide, outer = self._wide(step), self._outer(step.symbol)
        if wide is not None and step.index is not None:
            rows, columns = step.shape
            base = stem(step.symbol)
            symbol = MatrixSymbol(member(base, step.part) if step.part else base, *wide.shape)
            yield Shape(f"{step.name}, wide", symbol, (*outer, *wide.shape), "wide", formula=wide)
            yield Shape(f"{step.name}, split", symbol, (*outer, rows, step.index.count, columns), "split")
        for turned in sorted(step.atoms(Transpose), key=str):
            symbol = turned.arg.args[0] if isinstance(turned.arg, Member) else turned.arg
            if isinstance(symbol, MatrixSymbol):
                rows, columns = symbol.shape
                axes = self._axes(symbol, (columns, rows))
                yield Shape(f"{symbol.name}, transposed", Transpose(symbol), axes, "transposed")
        if isinstance(step.expression, ConcatHeads):
            body, _, count = step.expression.args
            yield Shape(f"{step.name}, merged", body, (*outer, body.shape[0], count, body.shape[1]), "merged")

    def _wide(self, step: Step) -> Any:
        """The projection of all heads at once, where the step is the projection of one."""
        if step.index is None or _symbols(step.expression) & self.counts.keys():
            return None
        blocks = {b: b.args[0] for b in step.atoms(HeadColumns)}
        if not blocks or not all(isinstance(W, MatrixSymbol) for W in blocks.values()):
            return None
        wide = step.expression.xreplace(blocks)
        return wide if same_size(wide.shape[1], sympy.cancel(step.index.count * step.shape[1])) else None


def input_kinds(program: Program, parameters: Iterable[str] | None = None) -> dict[MatrixSymbol, str]:
    """What each input is: "data" of a sequence, a learned "parameter", or "shared" by all sequences (mask, bias).

    Parameters are what the heads have blocks of, rows that are added or are gains, tables, and what is called W or b_;
    `parameters` names them instead.
    """
    shared: set[Any] = set()
    learned: set[Any] = set()
    for step in program:
        for node in step.atoms(Biased):
            shared |= _symbols(node.args[1])
        for mask in step.atoms(KeepMask):
            shared |= _symbols(mask)
        for block in step.atoms(HeadColumns, HeadRows, Embedding, AddRow, ScaleColumns):
            learned |= _symbols(block.args[1] if isinstance(block, AddRow | ScaleColumns) else block.args[0])
        if step.role == "positions":
            learned |= _symbols(step.expression)
        learned |= _tables(step, program)
    learned |= {s for s in program.inputs if s.name.startswith(("W", "b_"))}
    if parameters is not None:
        named = set(parameters)
        unknown = named - {s.name for s in program.inputs}
        if unknown:
            name = min(unknown)
            raise InputError(Sentence("unknown_input", name=name, known=listed(name, (s.name for s in program.inputs))))
        learned = {s for s in program.inputs if s.name in named}
    return {
        s: "shared" if s in shared and s not in (learned if parameters is not None else ()) else
        "parameter" if s in learned else "data"
        for s in program.inputs
    }  # fmt: skip


def _tables(step: Step, program: Program) -> set[Any]:
    """What a step has of tables of relative positions, which stand on the right of their products."""
    sums = {s.symbol for s in program if isinstance(s.expression, RowBucketSums)}
    found: set[Any] = _symbols(step.expression) if step.role.startswith("position_") else set()
    for node in step.atoms(MatMul, RelativeBias):
        of_positions = step.role == "met" or node.args[0] in sums
        found |= _symbols(node.args[0] if isinstance(node, RelativeBias) else node.args[-1] if of_positions else S.One)
    return found


def _symbols(expression: Any) -> set[Any]:
    found: set[Any] = expression.atoms(MatrixSymbol)
    return found
