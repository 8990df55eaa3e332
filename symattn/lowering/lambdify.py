"""A node as one NumPy expression, for `sympy.lambdify`: the plain lines, named on the way."""

from __future__ import annotations

import ast
import re
from typing import Any

from sympy import Symbol

from symattn.errors import NotSupportedError
from symattn.lowering.kernels import plain, variants
from symattn.lowering.schedule.rewrites import without_turns
from symattn.lowering.schedule.steps import derived_sizes, masks_of_one_head, needed_steps, start_lines, step_lines
from symattn.lowering.text.scope import Lines
from symattn.program.steps import Program
from symattn.program.unfolding import unfold
from symattn.writing.prose import Sentence

_HOMES = {name: part.__name__ for part in (plain, variants) for name in vars(part) if name != "np"}


def inline(node: Any, printer: Any) -> str:
    """[scores := Q @ …, weights := softmax(scores), weights @ V][-1], over the names that the printer gives.

    What the lines call is imported by the function that SymPy makes, under names that no module of its has: where SciPy
    is installed, softmax is that of all entries together.
    """
    program = without_turns(unfold(node), set())  # an expression has no loops
    lines = start_lines(program, masks_of_one_head(node))
    for symbol in program.inputs:
        lines.arrays[symbol] = str(printer._print(symbol))
        lines.names.taken.add(lines.arrays[symbol])
    made = [line for step in needed_steps(program, [program.steps[-1].symbol]) for line in step_lines(step, lines)]
    loose = [f"{x} = {x} != 0" for x in (lines.arrays[s] for s in program.inputs if s in lines.keeps)]
    loose += [f"{x} = of_one_head({x}, {lines.anchor})" for x in (lines.arrays[s] for s in lines.alone)]
    named = [line.partition(" = ")[::2] for line in [*_size_lines(program, lines), *loose, *made]]
    calls = {x.id for _, text in named for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Name)}
    ours = calls & set(_HOMES)
    for name in ours:
        printer.module_imports[_HOMES[name]].add(f"{name} as symattn_{name}")
    texts = ", ".join(f"{name} := {text}" for name, text in named).replace("np.", "numpy.")
    called = re.sub(r"(?<![.\w])\w+(?=\()", lambda x: f"symattn_{x[0]}" if x[0] in ours else x[0], texts)
    return f"[{called}][-1]"


def _size_lines(program: Program, lines: Lines) -> list[str]:
    """Where the sizes that are spoken of can be read."""
    asked, read = derived_sizes(program, lines)
    if asked:
        raise NotSupportedError(Sentence("size_unknown", size=next(iter(asked))))
    found: dict[str, str] = {}
    for symbol in lines.strict:
        for axis, size in zip((-2, -1), symbol.shape, strict=True):
            if isinstance(size, Symbol) and size in lines.sizes:
                found.setdefault(lines.sizes[size], f"{lines.arrays[symbol]}.shape[{axis}]")
    return [*(f"{name} = {text}" for name, text in found.items()), *read]
