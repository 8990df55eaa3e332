"""What rules know while they write: what the inputs are, the names of things, and the axis of heads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sympy
from sympy import Expr, MatrixSymbol, Symbol
from sympy.matrices.expressions import MatAdd, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.lowering.bundle import PARTS
from symattn.lowering.inputs import find_inputs
from symattn.lowering.text.code import Code, call
from symattn.lowering.text.names import RESERVED, Names
from symattn.lowering.text.scalars import number_text, scalar
from symattn.nodes import (
    AboveThreshold,
    Block,
    DivideRows,
    Exponential,
    Hadamard,
    HeadColumns,
    HeadRows,
    Largest,
    Masked,
    Member,
    Plus,
    RowBucketSums,
    RowMax,
    Scaled,
    ScaleRows,
    SigmoidWeights,
    SinkSoftmax,
    Softmax,
    SubtractColumn,
    at,
)
from symattn.program.steps import Index, Program
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class Scope:
    """The names of things, and the lines that are needed before the one being written.

    Raises InputError for a size that counts heads or tokens as well.
    """

    def __init__(
        self, program: Program, single_head: frozenset[MatrixSymbol] = frozenset(), *, style: str = "plain"
    ) -> None:
        counters = {step.index.letter for step in program if step.index}
        for symbol in program.inputs:
            if found := counters & set().union(*(s.free_symbols for s in symbol.shape)):
                raise InputError(Sentence("size_is_counter", size=min(found, key=str), name=symbol.name))
        self.inputs = find_inputs(program, single_head)
        self.fast = style != "plain"  # by blocks, not to be read beside the steps
        self.compiled = style in ("compiled", "auto")  # what blocks are altered by is told in `Terms`
        self.keeps_plans = style == "compiled"  # of small calls, which "auto" leaves to the fast style
        self.names = Names(RESERVED | {name for part in PARTS for name in vars(part)})
        # symbols -> identifiers; (word, symbol) -> those of what belongs to it: "given", "lse", "before", "last", "all"
        self.arrays: dict[Any, str] = {symbol: self.names.fresh(symbol.name) for symbol in program.inputs}
        for s in (s for s in program.inputs if s in self.inputs.single_head):
            self.arrays["given", s] = self.names.fresh(f"{s.name}_given")
        self.sizes: dict[Symbol, str] = {}  # sizes that were spoken of -> identifiers
        self.of_sequences: tuple[str, ...] = ()  # arguments that are numbers, or arrays with one for each sequence
        self.row_maxima = {step.symbol for step in program if isinstance(step.expression, RowMax)}  # these may be -inf
        self.veiled = _veiled(program)
        self.veiled_rows = _veiled_rows(program, self.veiled)
        self.index: Index | None = None  # of the family whose line is being written
        self.pending: list[str] = []
        self._positions: dict[tuple[str, Expr, bool], str] = {}

    @contextmanager
    def within(self, index: Index | None) -> Iterator[None]:
        """What is written inside is of every member of a family."""
        before, self.index = self.index, index
        try:
            yield
        finally:
            self.index = before

    def assign(self, name: str, value: object) -> list[str]:
        """The line that gives a value its name, after those that it needs."""
        return [*self.needed(), f"{name} = {value}"]

    def needed(self) -> list[str]:
        """The lines that what was written since needs, once."""
        found, self.pending = self.pending, []
        return found

    # --- names and numbers

    @property
    def like(self) -> str:
        """An array whose type the numbers have; it has all leading axes but that of heads."""
        return "" if self.inputs.model is None else self.arrays[self.inputs.model]

    @property
    def threads(self) -> str:
        """What says how many threads to take, which only fast lines do."""
        return "threads" if self.fast else "None"

    def array(self, symbol: MatrixSymbol) -> str:
        return self.arrays[symbol]

    def size(self, symbol: Symbol) -> str:
        """The identifier of a size."""
        if symbol not in self.sizes:
            self.sizes[symbol] = self.names.fresh(str(symbol))
        return self.sizes[symbol]

    @property
    def dtype(self) -> str:
        """The type that numbers are computed in; float64 where there are no arguments."""
        return f"{self.like}.dtype" if self.like else "np.float64"

    def number(self, expression: Any) -> Code:
        """A number or an expression in sizes; in the number of a head, an array over the heads."""
        expression = as_sympy(expression)
        if self.index is None or not expression.has(self.index.letter):
            return scalar(expression, self.size)
        letter, count = self.index.letter, self.index.count
        if count.is_Integer and expression.free_symbols == {letter}:
            each = ", ".join(number_text(expression.xreplace({letter: sympy.Integer(k)})) for k in range(1, count + 1))
            numbers = call("np.asarray", f"[{each}]", dtype=self.dtype)
            return self._line(("each", expression, True), "by_head", numbers).at(":, None, None")
        numbers = call("np.arange", 1, self.number_of_heads() + Code("1"), dtype=self.dtype)
        every = self._line(("heads", count, True), "head_numbers", numbers).at(":, None, None")
        return scalar(expression, lambda s: every.text if s == letter else self.size(s))

    def number_of_heads(self) -> Code:
        assert self.index is not None
        return scalar(self.index.count, self.size)

    def rows(self, count: Expr, *, real: bool = False) -> Code:
        """The numbers of the rows of scores from 0, a column; as real numbers where they are computed with."""
        return self._arange("i", count, real)

    def columns(self, count: Expr, *, real: bool = False) -> Code:
        """The numbers of the columns of scores from 0, a row."""
        return self._arange("j", count, real)

    def _arange(self, name: str, count: Expr, real: bool) -> Code:
        numbers = call("np.arange", scalar(count, self.size), **({"dtype": self.dtype} if real else {}))
        return self._line((name, count, real), name, numbers.at(":, None") if name == "i" else numbers)

    def _line(self, key: tuple[str, Expr, bool], name: str, code: Code) -> Code:
        """The name of something that has a line of its own, once."""
        if key not in self._positions:
            self._positions[key] = self.names.fresh(name)
            self.pending.append(f"{self._positions[key]} = {code}")
        return Code(self._positions[key])

    def constant(self, matrix: MatrixBase) -> Code:
        """An explicit matrix."""
        texts = [[number_text(x) if x.is_number else str(self.number(x)) for x in row] for row in matrix.tolist()]
        rows = ", ".join(f"[{', '.join(row)}]" for row in texts)
        return call("np.asarray", f"[{rows}]", dtype=self.dtype)

    # --- heads

    def in_family(self, node: Any) -> bool:
        """Whether a matrix has the axis of heads."""
        if self.index is None:
            return False
        letter = self.index.letter
        if isinstance(node, MatrixSymbol):
            return bool(at(node, letter, 0) != node)
        if isinstance(node, Member):
            return bool(node.args[2].has(letter))
        if isinstance(node, HeadColumns | HeadRows) and node.args[1] == letter:
            return True
        if node == letter:
            return True
        return any(self.in_family(a) for a in getattr(node, "args", ()))

    def is_mask_or_bias(self, node: Any) -> bool:
        """Whether a matrix is a mask or bias, or made of these alone."""
        symbols = node.atoms(MatrixSymbol)
        return bool(symbols) and symbols <= self.inputs.masks_or_biases

    def aligned(self, nodes: Sequence[Any], made: Sequence[Code]) -> list[Code]:
        """Values of matrices that meet: those that all heads share get an axis for them."""
        if not any(self.in_family(node) for node in nodes):
            return list(made)
        return [x if self.in_family(n) else self.shared(n, x) for n, x in zip(nodes, made, strict=True)]

    def shared(self, node: Any, made: Code) -> Code:
        """What all heads share, with an axis for heads."""
        if isinstance(node, MatrixBase):
            return made
        if self.is_mask_or_bias(node):
            return call("over_heads", made, self.like)
        return made.at("..., None, :, :")


def _veiled_rows(program: Program, veiled: set[MatrixSymbol]) -> set[MatrixSymbol]:
    """Sums by position of what a mask hides, seen from keys: rows that are zero for those that no query sees."""
    turned = {s.symbol for s in program if s.expression.has(Transpose) and _without_scale(s.expression) in veiled}
    sums = (step for step in program if isinstance(step.expression, RowBucketSums))
    return {s.symbol for s in sums if s.expression.args[0] in turned or _without_scale(s.expression.args[0]) in veiled}


def _without_scale(node: Any) -> Any:
    """What is scaled or transposed."""
    while isinstance(node, Scaled | Transpose):
        node = node.args[0]
    return node


def _veiled(program: Program) -> set[MatrixSymbol]:
    """The steps that are zero, or no score, where a mask hides a key from a query."""
    found: set[MatrixSymbol] = set()
    for step in program:
        if _is_veiled(step.expression, found):
            found.add(step.symbol)
    return found


def _is_veiled(node: Any, found: set[MatrixSymbol]) -> bool:
    """Whether a formula is, given the steps that are."""
    while isinstance(node, _ENTRY_BY_ENTRY):
        node = node.args[0]
    if isinstance(node, Hadamard):
        return any(_is_veiled(x, found) for x in node.args)
    if isinstance(node, MatAdd | Plus):
        return all(_is_veiled(x, found) for x in node.args)
    return isinstance(node, Masked | Largest) or node in found


_ENTRY_BY_ENTRY = (
    Softmax,
    SinkSoftmax,
    AboveThreshold,
    SigmoidWeights,
    SubtractColumn,
    Exponential,
    DivideRows,
    Scaled,
    ScaleRows,
    Block,
)
