"""A node as one NumPy expression, for `sympy.lambdify`: the plain lines, named on the way."""

from __future__ import annotations

import ast
import re
from typing import Any

from sympy import Symbol

from symattn.errors import NotSupportedError
from symattn.lowering.frame import derived_sizes
from symattn.lowering.inputs import masks_of_one_head
from symattn.lowering.kernels import plain, variants
from symattn.lowering.schedule.rewrites import without_turns
from symattn.lowering.schedule.steps import step_lines, steps_behind
from symattn.lowering.text.scope import Scope
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
    scope = Scope(program, masks_of_one_head(node))
    for symbol in program.inputs:
        scope.arrays[symbol] = str(printer._print(symbol))
        scope.names.taken.add(scope.arrays[symbol])
    made = [line for step in steps_behind(program, {program.steps[-1].symbol}) for line in step_lines(step, scope)]
    loose = [f"{x} = {x} != 0" for x in (scope.arrays[s] for s in program.inputs if s in scope.inputs.masks)]
    loose += [
        f"{x} = of_one_head({x}, {scope.like})"
        for x in (scope.arrays[s] for s in program.inputs if s in scope.inputs.single_head)
    ]
    named = [line.partition(" = ")[::2] for line in [*_size_lines(program, scope), *loose, *made]]
    calls = {x.id for _, text in named for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Name)}
    ours = calls & set(_HOMES)
    for name in ours:
        printer.module_imports[_HOMES[name]].add(f"{name} as symattn_{name}")
    texts = ", ".join(f"{name} := {text}" for name, text in named).replace("np.", "numpy.")
    called = re.sub(r"(?<![.\w])\w+(?=\()", lambda x: f"symattn_{x[0]}" if x[0] in ours else x[0], texts)
    return f"[{called}][-1]"


def _size_lines(program: Program, scope: Scope) -> list[str]:
    """Where the sizes that are spoken of can be read."""
    asked, read = derived_sizes(program, scope)
    if asked:
        raise NotSupportedError(Sentence("size_unknown", size=next(iter(asked))))
    found: dict[str, str] = {}
    for symbol in scope.inputs.operands:
        for axis, size in zip((-2, -1), symbol.shape, strict=True):
            if isinstance(size, Symbol) and size in scope.sizes:
                found.setdefault(scope.sizes[size], f"{scope.arrays[symbol]}.shape[{axis}]")
    return [*(f"{name} = {text}" for name, text in found.items()), *read]
