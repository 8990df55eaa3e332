"""A program with families of steps -> the same with every member as a step of its own: what values are computed of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import sympy
from sympy import Expr, Integer, MatrixSymbol, Symbol
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Block, Following, HeadColumns, HeadRows, Member, OverMembers, Previous, at
from symattn.program.steps import Index, Program, Step
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

Rows = Sequence[Sequence[Expr]]


@dataclass(frozen=True)
class Slice:
    """An input of an unrolled program that is one of `count` equal blocks of a given one."""

    source: MatrixSymbol
    number: int  # from 1
    count: int
    axis: int  # 0: rows, 1: columns

    def of(self, rows: Rows) -> Rows:
        """The block, from the rows of the whole."""
        length = len(rows) if self.axis == 0 else len(rows[0])
        start, stop = (self.number - 1) * length // self.count, self.number * length // self.count
        return rows[start:stop] if self.axis == 0 else [row[start:stop] for row in rows]


@dataclass(frozen=True)
class Unrolled:
    """A program of plain steps, and which of its inputs are blocks of given ones."""

    program: Program
    slices: Mapping[MatrixSymbol, Slice]

    def inputs(self, given: Mapping[MatrixSymbol, Rows]) -> dict[MatrixSymbol, Rows]:
        """The rows of the inputs of the program, from those that were given."""
        return {
            s: self.slices[s].of(given[self.slices[s].source]) if s in self.slices else given[s]
            for s in self.program.inputs
            if s in self.slices or s in given
        }


def unroll(program: Program, sizes: Mapping[Symbol, int]) -> Unrolled:
    """Every member of a family as a step: head_1.Q, head_1.K, ..., head_2.Q, ...

    Raises NotSupportedError where the number of heads is a symbol that `sizes` does not know. A program without
    families is returned as it is.
    """
    if not any(step.index or step.expression.has(OverMembers) for step in program):
        return Unrolled(program, {})
    known = {s: Integer(v) for s, v in sizes.items()}
    blocks = _Blocks(frozenset(program.inputs))
    steps = []
    for step in _members(program, known):
        steps.append(_with_each(step, lambda x: _plain(x, known, blocks)))
    return Unrolled(Program(_inputs(program, steps, blocks), tuple(steps)), blocks)


def _member(step: Step, index: Index, number: int) -> Step:
    """One member of the outermost family of a step."""
    assert step.index is not None
    symbol, members = at(step.symbol, index.letter, number), (*step.members, (index.family, number))
    made = replace(step, symbol=symbol, index=step.index.inside(), members=members)
    return _with_each(made, lambda x: at(x, index.letter, number))


def _with_each(step: Step, change: Callable[[Any], Any]) -> Step:
    """The step with all that it says of other symbols changed."""
    expression, by, equals = (None if x is None else change(x) for x in (step.expression, step.by, step.equals))
    return replace(step, expression=expression, by=by, equals=equals)


def write_out(expression: Any, sizes: Mapping[Symbol, int]) -> Any:
    """An expression without families: sums and concatenations over heads become those of their members."""
    return _plain(expression, {s: Integer(v) for s, v in sizes.items()}, _Blocks(frozenset()))


class _Blocks(dict[MatrixSymbol, Slice]):
    """The blocks of inputs that were met, as inputs of their own."""

    def __init__(self, inputs: frozenset[MatrixSymbol]) -> None:
        self.inputs = inputs


def _members(steps: Iterable[Step], known: Mapping[Symbol, Integer]) -> Iterator[Step]:
    """Steps without families: member by member, since that is how one calculates by hand."""
    for index, found in groupby(steps, key=lambda step: next(iter(step.indices), None)):
        run = tuple(found)
        if index is None:
            yield from run
            continue
        for number in _numbers(index, known):
            yield from _members([_member(step, index, number) for step in run], known)


def _numbers(index: Index, known: Mapping[Symbol, Integer]) -> range:
    """The numbers of the members of a family, in the order in which they are made."""
    count = index.count.xreplace(dict(known))
    if count.is_Rational and not count.is_Integer:
        keys, block = index.count.as_numer_denom()
        raise InputError(Sentence("bad_block", block=block, keys=keys.xreplace(dict(known))))
    if not count.is_Integer:
        raise NotSupportedError(Sentence("heads_unknown", heads=count))
    return index.numbers(int(count))


def _plain(expression: Any, known: Mapping[Symbol, Integer], blocks: _Blocks) -> Any:
    """An expression without families: blocks of inputs become inputs, joins become joins of members."""
    if isinstance(expression, MatrixSymbol | MatrixBase):
        return expression
    if isinstance(expression, OverMembers):
        body, *numbers = expression.args
        return _plain(expression.func(body, *(x.xreplace(dict(known)) for x in numbers)).joined(), known, blocks)
    if isinstance(expression, Member):
        family, letter, index = expression.args
        return at(family, letter, index.xreplace(dict(known)))
    if isinstance(expression, Previous):
        return expression.chosen()
    if isinstance(expression, Following):
        symbol, *numbers = expression.args
        return Following(symbol, *(x.xreplace(dict(known)) for x in numbers)).chosen()
    if isinstance(expression, HeadColumns | HeadRows):
        return _block(expression, known, blocks)
    arguments = [_plain(a, known, blocks) for a in expression.args]
    return expression if tuple(arguments) == expression.args else expression.func(*arguments)


def _block(node: HeadColumns | HeadRows, known: Mapping[Symbol, Integer], blocks: _Blocks) -> Any:
    if not node.args[1].is_Integer:
        raise InputError(Sentence("head_uncounted", whole=str(node.args[0])[:40], number=node.args[1]))
    whole, number = node.args[0], int(node.args[1])
    count = int(node.args[2].xreplace(dict(known)))
    if isinstance(whole, MatrixSymbol) and whole in blocks.inputs:
        symbol = MatrixSymbol(node.name, *node.shape)
        blocks.setdefault(symbol, Slice(whole, number, count, node.axis))
        return symbol
    sized = whole.xreplace(dict(known))
    if whole.has(MatrixSymbol) or not all(as_sympy(size).is_Integer for size in sized.shape):
        return _part(_plain(whole, known, blocks), number, count, node.axis)
    explicit = sized.as_explicit()
    width = explicit.shape[node.axis] // count
    part = slice((number - 1) * width, number * width)
    return explicit[part, :] if node.axis == 0 else explicit[:, part]


def _part(whole: Any, number: int, count: int, axis: int) -> Any:
    """A block of what is itself computed."""
    size = sympy.cancel(whole.shape[axis] / count)
    span = ((number - 1) * size, size)
    return Block(whole, *span, 0, whole.shape[1]) if axis == 0 else Block(whole, 0, whole.shape[0], *span)


def _inputs(program: Program, steps: Sequence[Step], blocks: Mapping[MatrixSymbol, Slice]) -> tuple[MatrixSymbol, ...]:
    """The inputs that the steps speak of, blocks in the place of what they are blocks of."""
    used = {s for step in steps for s in step.uses}
    found: list[MatrixSymbol] = []
    for symbol in program.inputs:
        found += [block for block, piece in blocks.items() if piece.source == symbol]
        if symbol in used:
            found.append(symbol)
    return tuple(found)
