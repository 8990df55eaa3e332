"""The order in which lines are written: steps as they come, and fused ones once all that they need is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from sympy import MatrixSymbol

from symattn.lowering.rules.elementary import operands
from symattn.lowering.schedule.fused import Fused, find_chains, fused_lines, is_closed
from symattn.lowering.schedule.fused_back import FusedBack, back_lines, find_back
from symattn.lowering.schedule.loops import Loop, find_loops, loop_lines
from symattn.lowering.schedule.steps import Output, name_step, step_lines, steps_behind
from symattn.lowering.text.code import call
from symattn.lowering.text.scope import Scope
from symattn.nodes import SinkSoftmax
from symattn.program.steps import Program, Step


class Blocked(NamedTuple):
    """Scores that one call computes block by block, forward or with their gradients."""

    scores: Step
    backward: bool


@dataclass(frozen=True)
class Unit:
    """Lines that are written together, what they need and what they make."""

    needs: frozenset[MatrixSymbol]
    makes: frozenset[MatrixSymbol]
    write: Callable[[], Iterable[str]]
    blocked: Blocked | None = None


def schedule(program: Program, wanted: Sequence[Output], scope: Scope) -> list[Unit]:
    """The units of a program in order; in the fast style the steps from scores to output are one, there and back."""
    symbols = {w.step.symbol for w in wanted if not w.log_sum}
    logs = {w.step.symbol for w in wanted if w.log_sum}
    fused = _fuse(program, symbols, scope) if scope.fast else []
    units = _units(program, fused, find_loops(program, symbols), logs, scope)
    apart = [step for step in program if step.symbol in logs - {s for chain, _ in fused for s in chain.inner}]
    return list(_in_order([*units, *(_log_unit(step, scope) for step in apart)]))


def _log_unit(step: Step, scope: Scope) -> Unit:
    """The logarithms of the row sums of weights that have a step of their own; a sink is one more term."""
    logits = step.expression.args[0]

    def write() -> list[str]:
        name = scope.arrays["lse", step.symbol] = scope.names.fresh("lse")
        with scope.within(step.index):
            Z, *sink = (
                operands(step.expression, scope) if isinstance(step.expression, SinkSoftmax) else [scope.array(logits)]
            )
            total = call("log_sum_exp", Z)
            return scope.assign(name, call("np.logaddexp", total, *sink) if sink else total)

    return Unit(frozenset({logits}), frozenset(), write)


def _fuse(program: Program, wanted: set[MatrixSymbol], scope: Scope) -> list[tuple[Fused, FusedBack | None]]:
    """The chains whose inner steps are used by nothing but their backward pass, and this."""
    found: list[tuple[Fused, FusedBack | None]] = []
    for chain in find_chains(program, wanted):
        if is_closed(chain, program):
            found.append((chain, None))
        elif (back := find_back(chain, program, scope)) is not None and not back.inner & wanted:
            found.append((chain, back))
    return found


def _units(
    program: Program,
    fused: Sequence[tuple[Fused, FusedBack | None]],
    loops: dict[MatrixSymbol, Loop],
    logs: set[MatrixSymbol],
    scope: Scope,
) -> list[Unit]:
    inside = {s for chain, back in fused for s in (*chain.inner, *(back.inner if back else ()))}
    inside |= {s for loop in loops.values() for s in loop.inner}
    at_end = {chain.output.symbol: (chain, back) for chain, back in fused}
    units = []
    for step in program:
        if step.symbol in at_end:
            chain, back = at_end[step.symbol]
            units += _fuse_units(program, chain, back, chain.weights.symbol in logs, scope)
        elif step.symbol in loops:
            loop = loops[step.symbol]
            written = partial(_loop_lines, loop, scope)
            units.append(_unit([*loop.starts.values(), *loop.steps], [*loop.inner], written))
        elif step.symbol not in inside:
            for _, back in fused:
                step = step if back is None else back.renamed(step)
            units.append(_unit([step], (step.symbol,), partial(step_lines, step, scope)))
    return units


def _loop_lines(loop: Loop, scope: Scope) -> list[str]:
    """The lines of a loop, of every head where it stands within each."""
    with scope.within(loop.index.within):
        return list(loop_lines(loop, scope))


def _fuse_units(program: Program, chain: Fused, back: FusedBack | None, logs: bool, scope: Scope) -> list[Unit]:
    """One call for a chain and its backward pass, unless what this begins with depends on the output."""
    steps, output = (chain.scores, *chain.logits, chain.weights, chain.output), chain.output.symbol

    def forward() -> list[str]:
        name = scope.names.fresh("lse") if logs else None
        scope.arrays[("lse", chain.weights.symbol)] = name or ""
        return fused_lines(chain, scope, name_step(chain.output, scope), name)

    if back is None:
        return [replace(_unit(steps, (output,), forward), blocked=Blocked(chain.scores, False))]
    makes, first = tuple(back.made.values()), back.upstream
    if logs or any(step.symbol == output for step in steps_behind(program, {first})):
        units = [
            _unit(steps, (output,), forward),
            _unit(steps, makes, lambda: back_lines(back, scope, "_"), first),
        ]
    else:
        units = [_unit(steps, (output, *makes), lambda: back_lines(back, scope, name_step(chain.output, scope)), first)]
    return [replace(unit, blocked=Blocked(chain.scores, True)) for unit in units]


def _unit(
    steps: Sequence[Step], makes: Sequence[MatrixSymbol], write: Callable[[], Iterable[str]], *needs: MatrixSymbol
) -> Unit:
    used: set[Any] = {s for step in steps for s in step.uses} | set(needs)
    return Unit(frozenset(used - {step.symbol for step in steps}), frozenset(makes), write)


def _in_order(units: Sequence[Unit]) -> Iterable[Unit]:
    """Each unit as soon as what it needs of the others is made."""
    waiting = list(units)
    while waiting:
        missing = {s for unit in waiting for s in unit.makes}
        unit = next(unit for unit in waiting if not (unit.needs - unit.makes) & missing)
        waiting.remove(unit)
        yield unit
