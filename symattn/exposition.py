"""A program and its values -> a document: each step as one chain, formula = numbers = result, and why it is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy.matrices.expressions import MatMul

from symattn.document import (
    Block,
    Cell,
    Chain,
    Document,
    Equation,
    Formula,
    Heading,
    Matrix,
    Paragraph,
    Quotient,
    Row,
    Symbol,
)
from symattn.expansion import Expansion, Sides, Text, operands
from symattn.flow import flow
from symattn.nodes import Biased, Masked, Scaled, SoftCapped, Softmax, divisor, mask_parts
from symattn.prose import SENTENCES, Sentence
from symattn.steps import Program, Step
from symattn.values import Valuation
from symattn.values.cells import Cells, ExponentialSum, MinusInfinity
from symattn.values.exact import ExponentialRows
from symattn.values.surds import Surd, SurdMatrix
from symattn.writers import PAGE, width

MOST_ROWS = 12  # a matrix of more rows than this shows its first three and the last
MOST_TERMS = 5  # a denominator of more terms than this has dots for its middle
LEVELS = ("matrix", "token")


@dataclass(frozen=True)
class Manner:
    """How a derivation is told."""

    title: str | Sentence
    tokens: tuple[str, ...] = ()
    decimal: bool = False  # exact numbers as decimals, since the input is
    digits: int | None = None  # significant digits of every decimal; None chooses what reads well
    full: bool = False  # every row of every exact value
    elide: bool = True
    level: str = "matrix"
    diagram: bool = False
    only: str | None = None  # one step


def explain(program: Program, values: Valuation | None, manner: Manner) -> Document:
    """The document of a derivation; without values in symbols alone."""
    return Document(manner.title, tuple(Teller(program, values, manner).blocks()))


@dataclass
class Teller:
    """Tells a derivation step by step."""

    program: Program
    known: Valuation | None
    manner: Manner

    @property
    def values(self) -> Valuation:
        assert self.known is not None
        return self.known

    @cached_property
    def cells(self) -> Cells:
        return Cells(self.values, self.manner.decimal)

    @cached_property
    def expansion(self) -> Expansion:
        return Expansion(self.program, None if self.known is None else self.cells, self.manner.digits)

    def blocks(self) -> Iterator[Block]:
        if self.manner.only is not None:
            yield from self._step(self.program[self.manner.only])
            return
        yield Heading(1, Sentence("title.inputs"))
        yield from self._inputs()
        for step in self.program:
            yield Heading(1, _title(step))
            yield from self._step(step)
        if self.manner.diagram:
            yield Heading(1, Sentence("title.flow"))
            yield flow(self.program)

    # --- inputs

    def _inputs(self) -> Iterator[Block]:
        if self.known is None:
            yield Paragraph((Sentence("inputs_sizes"),))
            yield Equation(tuple(Chain((("", _Sized(s, s.shape)),)) for s in self.program.inputs))
            return
        first = self.program.inputs[0]
        if self.manner.tokens:
            names = Sentence("tokens_are", names=", ".join(self.manner.tokens))
            yield Paragraph((Sentence("step.inputs", symbol=Symbol(first.name), tokens=names),))
        else:
            yield Paragraph((Sentence("inputs_given"),))
        chains = [
            Chain((("", Symbol(s.name)), ("=", self.exact_matrix(s.name, PAGE - 8)))) for s in self.program.inputs
        ]
        yield Equation(tuple(chains))

    # --- one step

    def _step(self, step: Step) -> Iterator[Block]:
        yield Paragraph((self._purpose(step),))
        if self.manner.level == "token":
            yield from self._by_token(step)
            return
        value = self.values.exact[step.name] if self.known is not None else None
        told_by_row = isinstance(value, ExponentialRows) and value.normalised and value.right is None
        chain = self.chain(step)
        entrywise = (self.expansion.entry(step, "i", "j").first(2),) if told_by_row else ()
        yield Equation((chain.first(2) if told_by_row else chain, *entrywise), step.name)
        if value is None:
            yield from self._in_symbols(step)
        elif told_by_row:
            assert isinstance(value, ExponentialRows)
            yield from self._weights(step, value)
        else:
            yield from self._example(step)

    def _purpose(self, step: Step) -> Sentence:
        expression, kind = step.expression, _kind(step)
        if isinstance(expression, Scaled):
            below = divisor(expression.factor)
            if below is None:
                return Sentence("step.scaled.times", factor=Formula(expression.factor))
            return Sentence("step.scaled", below=Formula(below))
        if isinstance(expression, SoftCapped):
            cap = expression.args[1]
            return Sentence("step.capped", low=Formula(-cap), high=Formula(cap))
        if isinstance(expression, Masked):
            condition = Row(tuple(Formula(p) for p in mask_parts(expression.args[1])))
            return Sentence("step.masked", condition=condition, infinity=MinusInfinity())
        if isinstance(expression, Biased):
            return Sentence("step.biased")
        if kind == "scores":
            entry = Symbol(step.symbol.name, ("i", "j"))
            return Sentence("step.scores", entry=entry, i=Symbol("i"), j=Symbol("j"))
        if kind == "weights":
            key = "step.weights" if isinstance(expression, Softmax) else "step.weights.divided"
            return Sentence(key, i=Symbol("i"))
        return Sentence(f"step.{kind}")

    def chain(self, step: Step) -> Chain:
        """symbol = formula = numbers = exact result ≈ decimals, as far as there are any."""
        sides: Sides = [("", Symbol(step.symbol.name)), ("=", Formula(step.expression))]
        if self.known is not None:
            sides += self._with_numbers(step)
            sides += self._result(step)
        return Chain(tuple(sides))

    def _with_numbers(self, step: Step) -> Sides:
        """The formula with its numbers in place, where they are exact."""
        factors = operands(self.cells, self.program, step.expression)
        if factors is not None:
            room = (PAGE - 8) // len(factors) - 1
            return [("=", Row(tuple(self._matrix(shape, cell, room) for shape, cell in factors)))]
        if isinstance(step.expression, Scaled | SoftCapped):
            known = {s: sympy.Integer(v) for s, v in self.values.sizes.items()}
            filled = step.expression.func(step.expression.args[0], step.expression.args[1].xreplace(known))
            return [("=", Formula(filled))] if filled != step.expression else []
        return []

    def _result(self, step: Step) -> Sides:
        sides: Sides = []
        value = self.values.exact[step.name]
        rounded = not self.cells.is_plain(step.name)
        averaged = isinstance(value, ExponentialRows) and value.normalised and not self.cells.is_closed(step.name)
        if not averaged or self.manner.full:
            exact = self.exact_matrix(step.name, PAGE - 8)
            if not self.manner.elide or width(exact) <= PAGE - 8 or not rounded:
                sides.append(("=", exact))
        if rounded:
            sides.append(("≈", self.decimal_matrix(step.name)))
        return sides

    def _in_symbols(self, step: Step) -> Iterator[Block]:
        row = self.expansion.row(step, "i")
        if row is not None:
            yield Paragraph((Sentence("per_token"),))
            yield Equation((row,))
            return
        entry = self.expansion.entry(step, "i", "j")
        if len(entry.sides) > 1:
            yield Paragraph((Sentence("entrywise"),))
            yield Equation((entry,))

    def _example(self, step: Step) -> Iterator[Block]:
        """One entry in full, so that a reader can check the rest."""
        if _kind(step) not in ("Q", "scores", "scaled", "output", "projection"):
            return
        i, j = self._example_place(step)
        chain = self.expansion.entry(step, i, j)
        if len(chain.sides) < 2 or self.known is None or not isinstance(step.expression, MatMul | Scaled):
            return
        tokens = self.manner.tokens
        if _kind(step) == "scores" and len(tokens) == self.values.exact[step.name].shape[0]:
            yield Paragraph((Sentence("entry_tokens", i=tokens[i - 1], j=tokens[j - 1], chain=chain),))
        else:
            yield Paragraph((Sentence("entry_is", chain=chain),))

    def _example_place(self, step: Step) -> tuple[int, int]:
        rows, columns = self.values.exact[step.name].shape
        return (1, 1) if _kind(step) in ("output", "projection") else (min(2, rows), columns)

    def _weights(self, step: Step, value: ExponentialRows) -> Iterator[Block]:
        """Softmax row by row: exponents below their maximum over one denominator; then all rows as decimals."""
        rows = range(value.shape[0]) if self.manner.full else range(1)
        for i in rows:
            shift_said = i == 0 and isinstance(step.expression, Softmax)
            row = Sentence("step.weights.row", row=self._row_said(step, i)) if shift_said else self._row_named(i)
            yield Paragraph((row,))
            yield Equation((self._softmax_row(step, value, i),))
        yield Paragraph((Sentence("rows_likewise" if value.shape[0] > len(rows) else "all_rows"),))
        yield Equation((Chain((("", Symbol(step.symbol.name)), ("≈", self.decimal_matrix(step.name)))),))

    def _row_said(self, step: Step, i: int) -> Sentence:
        name = step.expression.args[0].name
        source = next((s.name for s in self.program if s.symbol.name == name), name)
        logits = self.values.exact[source]
        assert isinstance(logits, SurdMatrix)
        top = logits.row_max()[i] or Surd(())
        return Sentence("row_less_max", name=self._token(i), top=Text(self.cells.surd(top)))

    def _row_named(self, i: int) -> Sentence:
        return Sentence("every_row", name=self._token(i))

    def _softmax_row(self, step: Step, value: ExponentialRows, i: int) -> Chain:
        shape = (1, value.shape[1])
        above = self._matrix(shape, lambda _, j: self.cells.numerator(value, i, j), PAGE - 8)
        quotient = Quotient(above, self._long(self.cells.denominator(value, i)))
        rounded = self._matrix(shape, lambda _, j: self.expansion.decimal(step.name, i, j), PAGE - 8)
        return Chain((("", Symbol(step.symbol.name, (str(i + 1),))), ("=", quotient), ("≈", rounded)))

    def _long(self, total: ExponentialSum) -> Cell:
        """A denominator, with dots where it is longer than the page."""
        return total.elided(MOST_TERMS) if self.manner.elide else total

    # --- token by token

    def _by_token(self, step: Step) -> Iterator[Block]:
        rows = self.values.exact[step.name].shape[0] if self.known is not None else 0
        shown: Sequence[Any] = [*range(1, rows + 1)] if rows else ["i"]
        for i in shown:
            row = self.expansion.row(step, i)
            if row is not None:
                yield Equation((row,), step.name if i == shown[0] else "")
                continue
            columns = self.values.exact[step.name].shape[1] if self.known is not None else 0
            for j in range(1, columns + 1) if columns else ["j"]:
                yield Equation((self.expansion.entry(step, i, j),), step.name if (i, j) == (shown[0], 1) else "")

    # --- matrices

    def _token(self, i: int) -> str:
        return self.manner.tokens[i] if i < len(self.manner.tokens) else str(i + 1)

    def exact_matrix(self, name: str, room: int) -> Matrix:
        return self._matrix(self.values.exact[name].shape, lambda i, j: self.cells.exact(name, i, j), room)

    def decimal_matrix(self, name: str) -> Matrix:
        return self._matrix(self.values.exact[name].shape, lambda i, j: self.expansion.decimal(name, i, j), PAGE - 8)

    def _matrix(self, shape: tuple[int, int], cell: Callable[[int, int], Cell], room: int) -> Matrix:
        rows, columns = shape
        if not self.manner.elide:
            return Matrix(tuple(tuple(cell(i, j) for j in range(columns)) for i in range(rows)))
        lines = list(range(rows)) if rows <= MOST_ROWS else [0, 1, 2, rows - 1]
        kept, table = _fitting(lines, columns, cell, room)
        shown: list[tuple[Cell | None, ...] | None] = [
            _dotted([row[j] for j in kept], len(kept) < columns) for row in table
        ]
        if len(lines) < rows:
            shown.insert(3, None)
        return Matrix(tuple(shown))


def _fitting(
    lines: Sequence[int], columns: int, cell: Callable[[int, int], Cell], room: int
) -> tuple[list[int], list[dict[int, Cell]]]:
    """The columns that fit on the page: all, or as many of the first as do beside the last."""
    table: list[dict[int, Cell]] = [{} for _ in lines]
    spent, kept = 4, [columns - 1]
    for j in [columns - 1, *range(columns - 1)]:
        for row, i in zip(table, lines, strict=True):
            row[j] = cell(i, j)
        spent += 2 + max(width(row[j]) for row in table)
        if j != columns - 1:
            if spent > room and len(kept) > 1:
                break
            kept.insert(len(kept) - 1, j)
    return kept, table


def _dotted(row: Sequence[Cell], left_out: bool) -> tuple[Cell | None, ...]:
    return (*row[:-1], None, row[-1]) if left_out else tuple(row)


def _kind(step: Step) -> str:
    kind = step.name.rpartition(".")[2].split("_2")[0]
    return kind if f"title.{kind}" in SENTENCES else "other"


def _title(step: Step) -> Sentence:
    if isinstance(step.expression, Biased):
        return Sentence("title.biased")
    return Sentence(f"title.{_kind(step)}")


@dataclass(frozen=True)
class _Sized:
    """Q ∈ R^{n × d_k}."""

    symbol: Any
    shape: tuple[Any, Any]

    def write(self, style: Any) -> str:
        rows, columns = (style.expression(s) for s in self.shape)
        return str(style.belongs(style.name(self.symbol.name), rows, columns))
