"""What readers can explore of a derivation in numbers: the entries that make an entry, and its sum spelled out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import AddRow, Softmax
from symattn.pages.numbers.entries import name_of
from symattn.pages.numbers.equations import Equations
from symattn.pages.numbers.turns import Turns, turns_of
from symattn.pages.rotation import turn_entry
from symattn.program.steps import Program, Step
from symattn.writing.document import OBJECTS, Chain, Symbol
from symattn.writing.explored import Editing, Explored, Turned

_ROLES = dict(zip(("Q", "K", "V", "weights"), OBJECTS, strict=True))


def explore(equations: Equations, editing: Editing | None = None) -> Explored:
    """What can be explored of the steps that a page states."""
    program = equations.program
    makers: dict[str, tuple[tuple[str, str], ...]] = {s.name: () for s in program.inputs}
    makers |= {step.name: tuple(_makers(step, program)) for step in program}
    found = {step.name: turns_of(step, equations.values.sizes) for step in program}
    turns = {name: t for name, t in found.items() if t is not None}
    makers |= {name: ((name_of(program, t.operand), "turn"),) for name, t in turns.items()}
    turned = {n: Turned(t.places, [[float(x) for x in row] for row in t.angles]) for n, t in turns.items()}
    symbols = {step.name: step.symbol.name for step in program}
    return Explored(makers, symbols, _Telling(equations, turns).entry, editing, turned)


def name_objects(families: Program, program: Program) -> dict[str, str]:
    """The names of inputs, steps and their symbols that are queries, keys, values or weights, and which of these."""
    objects = {s.name: _ROLES[s.name] for s in program.inputs if s.name in _ROLES}
    for step in (*families, *program):
        role = step.role if step.role in _ROLES else step.operand if step.role == "rotated" else ""
        if role in _ROLES:
            objects |= dict.fromkeys((step.name, step.symbol.name), _ROLES[role])
    return objects


def _makers(step: Step, program: Program) -> Iterator[tuple[str, str]]:
    e = step.expression
    product, *bias = e.args if isinstance(e, AddRow) else (e,)
    if isinstance(product, MatMul) and len(product.args) == 2 and all(map(_is_named, product.args)):
        left, right = product.args
        yield _maker(left, "i*", "*i", program)
        yield _maker(right, "*j", "j*", program)
        yield from (_maker(b, "*j", "j*", program) for b in bias if _is_named(b))
    elif isinstance(e, Softmax) and e.axis == -1 and e.args[0].is_symbol:
        yield name_of(program, e.args[0]), "i*"
    else:
        same = [a for a in e.args if getattr(a, "is_symbol", False) and getattr(a, "shape", None) == step.shape]
        yield from ((name_of(program, a), "ij") for a in same)


def _maker(factor: Any, stands: str, turned: str, program: Program) -> tuple[str, str]:
    if isinstance(factor, Transpose):
        return name_of(program, factor.arg), turned
    return name_of(program, factor), stands


def _is_named(factor: Any) -> bool:
    return bool(factor.is_symbol or (isinstance(factor, Transpose) and factor.arg.is_symbol))


@dataclass(frozen=True)
class _Telling:
    equations: Equations
    turns: Mapping[str, Turns]

    @cached_property
    def exact(self) -> Equations:
        return replace(self.equations, exact=True, rounded=False, digits=None)

    @cached_property
    def steps(self) -> dict[str, Step]:
        return {step.name: step for step in self.equations.program}

    def entry(self, name: str, i: int, j: int) -> tuple[Chain, Chain]:
        """Entry (i, j), counted from 0, in exact numbers and as the page has it."""
        return self._told(self.exact, name, i, j), self._told(self.equations, name, i, j)

    def _told(self, equations: Equations, name: str, i: int, j: int) -> Chain:
        step, expansion = self.steps.get(name), equations.expansion
        if step is None:
            return Chain((("", Symbol(name, (str(i + 1), str(j + 1)))), *expansion.result(name, i, j)))
        chain = expansion.entry(step, i + 1, j + 1)
        made = turn_entry(self.turns[name], name, i, j, expansion) if name in self.turns else []
        return Chain((chain.sides[0], *made, *chain.sides[-1:])) if made else chain
