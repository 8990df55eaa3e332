"""What a lowered function takes: the shapes of its arguments and results, operations and bytes, as polynomials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy import Expr, S

from symattn.errors import NotSupportedError
from symattn.lowering.module import Module
from symattn.lowering.schedule.steps import Output
from symattn.program.costs import costs_of
from symattn.program.shapes import Measures, read_measures, shapes_of, size_symbols
from symattn.program.steps import Program
from symattn.writing.prose import Sentence

BLOCK = 160, 256 << 10  # of a block of scores: numbers for each key, and bytes, at most
SIDES = 600  # numbers for each key that gradients by keys and values take beside it


def find_shapes(program: Program, wanted: Sequence[Output]) -> dict[str, tuple[Expr, ...]]:
    """The last axes of every argument and of every output, by name; leading ones stand in front of them."""
    table = shapes_of(program, Measures())
    found = {s.name: tuple(s.shape) for s in program.inputs}
    for w in wanted:
        axes = tuple(w.step.by.shape) if w.step.by in program.inputs else table[w.step.name]
        axes = axes[len(w.member) :]
        found[w.key] = (*axes[:-1], S.One) if w.log_sum else axes
    return found


def count_operations(program: Program, batch: Any, sizes: Mapping[str, Any]) -> int | Expr:
    """Floating-point operations of the products, two for each multiply-add. Raises NotSupportedError for a node
    without a rule.
    """
    measures = _measures(program, batch, sizes)
    costs = costs_of(program, measures)
    if costs.not_counted:
        name, node = next(iter(costs.not_counted.items()))
        raise NotSupportedError(Sentence("no_count", name=name, node=node))
    return _plain(measures.number(costs.total.flops))


def count_bytes(
    program: Program, module: Module, itemsize: int, threads: int, batch: Any, sizes: Mapping[str, Any]
) -> int | Expr:
    """Bytes of the arrays that a call makes: those of its steps and, in the place of scores, the blocks of threads."""
    measures = _measures(program, batch, sizes)
    made = costs_of(module.steps, measures)
    kept = {step.name for step in module.steps if not module.scope.fast or step.symbol in module.scope.arrays}
    numbers = sympy.Add(*(c.numbers for name, c in made.steps.items() if c is not None and name in kept))
    blocks = S.Zero
    if module.blocked:
        keys = sympy.Max(*(call.scores.shape[1] for call in module.blocked))
        each, room = BLOCK
        copies, sides = (3, SIDES) if any(call.backward for call in module.blocked) else (1, 0)
        blocks = threads * (copies * (each * keys * itemsize + room) + sides * keys * itemsize)
    return _plain(measures.number(numbers * itemsize) + measures.number(blocks))


def _measures(program: Program, batch: Any, sizes: Mapping[str, Any]) -> Measures:
    return read_measures(size_symbols(program.inputs), {}, batch, sizes)


def _plain(amount: Expr) -> int | Expr:
    return int(amount) if amount.is_Integer else amount
