"""A program -> the text of a module, in four stages: simplify, schedule, write, bundle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sympy import MatrixSymbol

from symattn.lowering.bundle import bundle
from symattn.lowering.frame import documentation, frame
from symattn.lowering.schedule.loops import turn_checks
from symattn.lowering.schedule.ordering import schedule
from symattn.lowering.schedule.rewrites import simplify
from symattn.lowering.schedule.steps import Output, find_needed_steps
from symattn.lowering.text.scope import Scope
from symattn.program.steps import Program

STYLES = ("fast", "plain")


@dataclass(frozen=True)
class Module:
    """The text of a module's own function, and what is said of it elsewhere."""

    program: Program
    scope: Scope
    own: str
    arguments: dict[str, str]  # the names of symbols -> of arguments
    options: frozenset[str]  # arguments that are no arrays
    function: str = "attention"

    @cached_property
    def source(self) -> str:
        """The whole text: imports, the function, and the parts that it calls."""
        return bundle(self.own, documentation(self.program, self.scope))


def write_module(
    program: Program, wanted: Sequence[Output], style: str, single_head: frozenset[MatrixSymbol] = frozenset()
) -> Module:
    """The module that computes what is wanted of a program; `single_head` are masks and biases of layers with one.

    * simplify: what is wanted by fewer or cheaper steps of the same value, in the fast style;
    * schedule: which steps are written together, as a loop or as one call, and in which order;
    * write: each of them by the rules of its nodes, inside a function that looks at its arguments;
    * bundle: with the parts that the function calls, once the whole text is asked for.
    """
    scope = Scope(program, single_head, fast=style == "fast")
    steps = simplify(program, wanted) if scope.fast else find_needed_steps(program, wanted)
    units = schedule(steps, wanted, scope)
    body = [*turn_checks(program, scope), *(line for unit in units for line in unit.write())]
    framed = frame(program, wanted, body, scope)
    arguments = {s.name: scope.arrays[s] for s in program.inputs}
    return Module(program, scope, framed.text, arguments, framed.options)
