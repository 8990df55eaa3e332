"""A program -> the text of a module, in four stages: simplify, schedule, write, bundle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from sympy import MatrixSymbol

from symattn.lowering.bundle import bundle
from symattn.lowering.frame import documentation, frame
from symattn.lowering.schedule.loops import turn_checks
from symattn.lowering.schedule.ordering import Blocked, schedule
from symattn.lowering.schedule.rewrites import simplify
from symattn.lowering.schedule.steps import Output, find_needed_steps
from symattn.lowering.text.scope import Scope
from symattn.program.steps import Program
from symattn.version import __version__

LOOPS = {  # styles -> the names of compiled parts, and what they are called in `symattn.runtime`
    "compiled": {
        "attend": "attend_compiled",
        "attend_again": "attend_again",
        "attend_back": "attend_back_compiled",
        "Terms": "Terms",
    },
    "auto": {"attend": "attend_auto", "attend_back": "attend_back_auto", "Terms": "Terms"},
}
Style = Literal["fast", "plain", "compiled", "auto"]
STYLES: tuple[Style, ...] = get_args(Style)


@dataclass(frozen=True)
class Module:
    """The text of a module's own function, and what is said of it elsewhere."""

    program: Program
    steps: Program  # the steps whose lines these are
    scope: Scope
    style: str
    own: str
    arguments: dict[str, str]  # the names of symbols -> of arguments
    options: frozenset[str]  # arguments that are no arrays
    blocked: tuple[Blocked, ...] = ()  # scores that are never there as a whole
    function: str = "attention"

    @cached_property
    def source(self) -> str:
        """The text of the module: the function, which calls `symattn.runtime`."""
        return self.write()

    @cached_property
    def standalone(self) -> str:
        """The text of the module with the parts that the function calls; compiled loops stay in symattn."""
        return self.write(alone=True)

    def write(self, *, alone: bool = False, origin: str = "") -> str:
        """The text of the module; `origin` is what it was made from, such as the name of a worksheet."""
        origin = "".join(c for c in origin if c.isalnum() or c in "_.-")  # nothing that could end the text
        made = f" from {origin}" if origin else ""
        loops = LOOPS.get(self.style, {})
        needs = "NumPy 2 and Numba" if loops else "NumPy 1.26 or later"
        header = f"Attention, written by symattn {__version__}{made} in the style {self.style}.\n\nIt needs {needs}.\n"
        return bundle(self.own, documentation(self.program, self.scope), header, loops, alone=alone)


def write_module(
    program: Program, wanted: Sequence[Output], style: str, single_head: frozenset[MatrixSymbol] = frozenset()
) -> Module:
    """The module that computes what is wanted of a program; `single_head` are masks and biases of layers with one.

    * simplify: what is wanted by fewer or cheaper steps of the same value, in the fast style;
    * schedule: which steps are written together, as a loop or as one call, and in which order;
    * write: each of them by the rules of its nodes, inside a function that looks at its arguments;
    * bundle: with the parts that the function calls, once the whole text is asked for.
    """
    scope = Scope(program, single_head, style=style)
    steps = simplify(program, wanted) if scope.fast else find_needed_steps(program, wanted)
    units = schedule(steps, wanted, scope)
    body = [*turn_checks(program, scope), *(line for unit in units for line in unit.write())]
    framed = frame(program, wanted, body, scope)
    arguments = {s.name: scope.arrays[s] for s in program.inputs}
    blocked = tuple(unit.blocked for unit in units if unit.blocked is not None)
    return Module(program, steps, scope, style, framed.text, arguments, framed.options, blocked)
