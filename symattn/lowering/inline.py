"""A node as one NumPy expression, for `sympy.lambdify`: the plain lines, named on the way."""

from __future__ import annotations

import ast
from typing import Any

from sympy import Symbol

from symattn.errors import NotSupportedError
from symattn.lowering.lines import Lines
from symattn.lowering.parts import kinds, plain
from symattn.lowering.shortcuts import without_turns
from symattn.lowering.walking import derived_sizes, needed_steps, start_lines, step_lines
from symattn.prose import Sentence
from symattn.steps import Program
from symattn.unfolding import unfold

_HOMES = (plain, kinds)


def inline(node: Any, printer: Any) -> str:
    """[scores := Q @ …, weights := softmax(scores), weights @ V][-1], over the names that the printer gives.

    What the lines call is imported by the function that SymPy makes.
    """
    program = without_turns(unfold(node), set())  # an expression has no loops
    lines = start_lines(program)
    for symbol in program.inputs:
        lines.arrays[symbol] = str(printer._print(symbol))
        lines.names.taken.add(lines.arrays[symbol])
    made = [line for step in needed_steps(program, [program.steps[-1].symbol]) for line in step_lines(step, lines)]
    keeps = [f"{lines.arrays[s]} = {lines.arrays[s]} != 0" for s in program.inputs if s in lines.keeps]
    named = [line.partition(" = ")[::2] for line in [*_size_lines(program, lines), *keeps, *made]]
    calls = {x.id for _, text in named for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Name)}
    for home in _HOMES:
        for name in calls & set(vars(home)) - {"np"}:
            printer.module_imports[home.__name__].add(name)
    texts = ", ".join(f"{name} := {text}" for name, text in named)
    return "[" + texts.replace("np.", "numpy.") + "][-1]"


def _size_lines(program: Program, lines: Lines) -> list[str]:
    """Where the sizes that are spoken of can be read."""
    asked, read = derived_sizes(program, lines)
    if asked:
        raise NotSupportedError(Sentence("size_unknown", size=asked[0]))
    found: dict[str, str] = {}
    for symbol in lines.strict:
        for axis, size in zip((-2, -1), symbol.shape, strict=True):
            if isinstance(size, Symbol) and size in lines.sizes:
                found.setdefault(lines.sizes[size], f"{lines.arrays[symbol]}.shape[{axis}]")
    return [*(f"{name} = {text}" for name, text in found.items()), *read]
