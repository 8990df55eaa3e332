"""Families over tokens or blocks as they are told: a loop, each turn of which begins with what the last one left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sympy import MatrixSymbol, ZeroMatrix

from symattn.lowering.rules.elementary import write
from symattn.lowering.text.code import Code, call
from symattn.lowering.text.scalars import scalar
from symattn.lowering.text.scope import Scope
from symattn.nodes import TIME, Block, Constant, Following, Previous, StackMembers, SumHeads, at
from symattn.program.steps import Index, Program, Step, runs_on


@dataclass(frozen=True)
class Loop:
    """The steps of one turn, what they begin with, and the members that are kept after the last turn."""

    index: Index
    starts: dict[MatrixSymbol, Step]  # a symbol that runs on -> its member 0
    steps: tuple[Step, ...]
    kept: tuple[MatrixSymbol, ...]
    stacked: tuple[MatrixSymbol, ...]  # of these, what is wanted with an axis of turns
    read_back: tuple[MatrixSymbol, ...]  # of those that run on: what another loop reads, the member before it too

    inner: frozenset[MatrixSymbol]  # the steps that are written with the loop


def has_heads(program: Program) -> bool:
    """Whether some steps are families of heads, which have an axis of their own."""
    return any(index.letter != TIME for step in program for index in step.indices)


def start_of(symbol: MatrixSymbol) -> MatrixSymbol:
    """Member 0 of a family."""
    return at(symbol, TIME, 0)


def find_loops(program: Program, wanted: set[MatrixSymbol]) -> dict[MatrixSymbol, Loop]:
    """The loops among these steps, by the symbol of the first step that each turn takes."""
    by_symbol = program.by_symbol()
    joins = [node for step in program for node in step.atoms(StackMembers, SumHeads) if node.args[1] == TIME]
    joined = {s for node in joins for s in node.atoms(MatrixSymbol)}
    found = {}
    for _, run in groupby(program, key=lambda step: step.index if runs_on(step) else None):
        turn = tuple(run)
        index = turn[0].index
        if index is None or not runs_on(turn[0]):
            continue
        own = {step.symbol for step in turn}
        read = {s for step in program if runs_on(step) and step.symbol not in own for s in step.uses & own}
        going = [p.args[0] for step in turn for p in step.atoms(Previous) if p.args[0] in own]
        starts = {s: by_symbol[start_of(s)] for s in dict.fromkeys(going)}
        kept = tuple(s.symbol for s in turn if s.symbol in wanted | joined | read)
        inner = {s.symbol for s in (*starts.values(), *turn)} - (wanted - own)
        last = tuple(s for s in kept if s in read & starts.keys())
        stacked = tuple(s for s in kept if s in wanted)
        found[turn[0].symbol] = Loop(index, starts, turn, kept, stacked, last, frozenset(inner))
    return found


def turn_checks(program: Program, scope: Scope) -> Iterator[str]:
    """Lines that refuse keys which are no whole number of blocks."""
    for index in dict.fromkeys(step.index for step in program if runs_on(step)):
        assert index is not None
        size, width = index.count.as_numer_denom()
        given = next((s for s in scope.inputs.operands if s.shape[0] == size), None)
        if width != 1 and given is not None:
            name, blocks, of = scope.arrays[given], scalar(size, scope.size), Code(str(width))
            yield f'agree("{name}", {name}, -2, {blocks // of * of}, "blocks of {width}")'


def loop_lines(loop: Loop, scope: Scope) -> Iterator[str]:
    """What a loop begins with, the loop, and the members that are kept, one beside another on an axis of turns."""
    for step in loop.steps:
        scope.arrays[step.symbol] = scope.arrays["last", step.symbol] = scope.names.fresh(_own_name(step))
    yield from _start_lines(loop, scope)
    turn = list(_turn_lines(loop, scope))
    size, width = loop.index.count.as_numer_denom()
    last = scalar(size, scope.size)
    last = last if width == 1 else last // Code(str(width))
    numbers = call("range", last, 0, -1) if loop.index.back else call("range", 1, last + Code("1"))
    yield f"for {scope.sizes.pop(TIME)} in {numbers}:"
    yield from (f"    {line}" for line in turn)
    if loop.index.back:
        for symbol in loop.kept:
            yield f"{scope.arrays['all', symbol]}.reverse()"
    for symbol in loop.stacked:
        scope.arrays[symbol] = scope.names.fresh(f"all_{scope.arrays['all', symbol]}")
        yield from scope.assign(scope.arrays[symbol], call("np.stack", _members(symbol, scope), axis=-3))


def _members(symbol: MatrixSymbol, scope: Scope) -> Code:
    """The list of the members of a family, from the first on."""
    members = Code(scope.arrays["all", symbol])
    return members.at("1:") if ("from 0", symbol) in scope.arrays else members


def _start_lines(loop: Loop, scope: Scope) -> Iterator[str]:
    """What runs on before the first turn, and the lists of what is kept."""
    for symbol, start in loop.starts.items():
        value = scope.arrays.get(start.symbol) or write(start.expression, scope)
        scope.arrays["before", symbol] = scope.arrays[symbol]
        yield from scope.assign(scope.arrays[symbol], value)
    for node in dict.fromkeys(f for step in loop.steps for f in step.atoms(Following)):
        yield from scope.assign(scope.arrays[node.args[0]], write(ZeroMatrix(*node.shape), scope))
    for symbol in loop.kept:
        scope.arrays["all", symbol] = scope.names.fresh(f"{scope.arrays[symbol]}s")
        if symbol in loop.read_back:
            scope.arrays["from 0", symbol] = scope.arrays["all", symbol]
        first = scope.arrays[symbol] if symbol in loop.read_back else ""
        yield from scope.assign(scope.arrays["all", symbol], f"[{first}]")


def _turn_lines(loop: Loop, scope: Scope) -> Iterator[str]:
    turn = scope.size(TIME)
    own = {step.symbol for step in loop.steps}
    others = {s for step in loop.steps for s in step.uses - own if ("all", s) in scope.arrays}
    names = {s: scope.arrays[s] for s in others}
    for s in others:  # of a loop before this one
        first = ("from 0", s) in scope.arrays
        scope.arrays[s] = f"{scope.arrays['all', s]}[{turn}{'' if first else ' - 1'}]"
        scope.arrays["before", s] = f"{scope.arrays['all', s]}[{turn} - 1]"
    made: set[Any] = set()
    before = {}
    for step in loop.steps:  # what is spoken of after it was made anew has a name of its own
        for node in step.atoms(Previous):
            if node.args[0] in made and node.args[0] not in before:
                before[node.args[0]] = scope.names.fresh(f"{scope.arrays[node.args[0]]}_before")
        made.add(step.symbol)
    for symbol, name in before.items():
        scope.arrays["before", symbol] = name
        yield from scope.assign(name, scope.arrays[symbol])
    for step in loop.steps:
        yield from scope.assign(scope.arrays[step.symbol], write(step.expression, scope))
        if step.symbol in loop.kept:
            yield f"{scope.arrays['all', step.symbol]}.append({scope.arrays[step.symbol]})"
    scope.arrays |= names


def _own_name(step: Step) -> str:
    """state for token_t.state; but token_output and token_dQ: output and dQ are what they are together."""
    assert step.index is not None
    ends = isinstance(step.by, Block) or (isinstance(step.by, MatrixSymbol) and at(step.by, TIME, 0) == step.by)
    return f"{step.index.family}_{step.short}" if ends or step.short in ("output", "scores") else step.short


@write.register
def _(node: Previous, scope: Scope) -> Code:
    return Code(scope.arrays["before", node.args[0]])


@write.register
def _(node: Following, scope: Scope) -> Code:
    return Code(scope.arrays[node.args[0]])


@write.register
def _(node: StackMembers, scope: Scope) -> Code:
    return call("np.concatenate", _members(node.args[0], scope), axis=-2)


@write.register
def _(node: Constant, scope: Scope) -> Code:
    value, rows, columns = node.args
    shape = f"({scope.number(rows)}, {scope.number(columns)})"
    if value == 0:
        return call("np.zeros", shape, dtype=scope.dtype)
    return call("np.full", shape, scope.number(value), dtype=scope.dtype)
