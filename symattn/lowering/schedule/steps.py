"""A program and what is wanted of it -> the lines of a function body, one or a few for each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.errors import InputError
from symattn.lowering.rules.elementary import write
from symattn.lowering.rules.gradients import write_gradient
from symattn.lowering.text.names import word
from symattn.lowering.text.scope import Scope
from symattn.nodes import TIME, WITHOUT_SOFTMAX, Previous, Softmax, at
from symattn.program.gradient import add_gradients, resolve
from symattn.program.steps import Program, Step, take_name
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence

LOGITS = ("scores", "scaled", "capped", "modified", "masked", "selected")  # what is no step is the one before it
LOG_SUM = ("lse", "logsumexp", "log_sum_exp")


@dataclass(frozen=True)
class Output:
    """A result under the name that was asked for: a step, a member of a family of them, or its log-sum-exp."""

    key: str
    step: Step
    member: tuple[int, ...] = ()  # its numbers from 0, where it is a family
    log_sum: bool = False


def find_outputs(program: Program, names: Sequence[str]) -> list[Output]:
    """The steps that are asked for, by their names; `weights` is that of all heads, `head_2.weights` that of one.

    Raises InputError for a name that is no step.
    """
    return [_find(program, str(name)) for name in names]


def _find(program: Program, name: str) -> Output:
    steps = {step.name: step for step in program}
    of_heads = {step.short: step for step in reversed(program.steps) if step.index}
    if name == "output" and name not in steps:
        return Output(name, program.steps[-1])
    if name in steps or name in of_heads:
        return Output(name, steps.get(name) or of_heads[name])
    for family in program:
        numbers = family.numbers_of(name)
        counts = [index.count for index in family.indices]
        if numbers and all(k >= 1 and (not x.is_Integer or k <= x) for k, x in zip(numbers, counts, strict=True)):
            return Output(name, family, member=tuple(k - 1 for k in numbers))
    weights = steps.get("weights") or of_heads.get("weights")
    if name in LOG_SUM and weights is not None and not isinstance(weights.expression, WITHOUT_SOFTMAX):
        return Output(name, weights, log_sum=True)
    if name in LOGITS:
        for earlier in reversed(LOGITS[: LOGITS.index(name)]):
            if earlier in steps or earlier in of_heads:
                return Output(name, steps.get(earlier) or of_heads[earlier])
    raise InputError(Sentence("no_step", name=name[:40], known=listed(name, [*steps, "lse"])))


def with_gradients(program: Program, outputs: tuple[str, ...], *, fast: bool) -> tuple[Program, list[Output]]:
    """The program with its backward pass, and what is wanted of it: the outputs and every input's gradient."""
    found = find_outputs(program, outputs) if outputs else [Output("output", program.steps[-1])]
    program = _by_blocks(program, {w.step.symbol for w in found}) if fast else program
    used = {s for x in steps_behind(program, {program.steps[-1].symbol}) for s in x.uses}
    inputs = [x for x in resolve(program, None) if x in used]
    backward, _ = add_gradients(program, program.steps[-1:], inputs)
    gradients = [step for step in backward if step.by in inputs and step.index is None]
    named = [Output(s.name if s.part else f"d{s.by.name}", s) for s in gradients]  # encoder.dW_Q
    return backward, found + _with_words(named, {w.key for w in found})


def _with_words(gradients: Iterable[Output], taken: set[str]) -> list[Output]:
    """The gradients under keys that are words, no two of them the same: dWQ by `WQ`, then dW_Q by `W^Q`."""
    found = []
    for gradient in gradients:
        plain = word(gradient.key)
        key = plain if plain not in taken else word(gradient.key, "_").strip("_")
        found.append(replace(gradient, key=take_name(key, taken)))
    return found


def _by_blocks(program: Program, wanted: set[MatrixSymbol]) -> Program:
    """The same values by steps whose gradients are of blocks: Q W Kᵀ as (Q W) Kᵀ, and one softmax of all keys."""
    steps: list[Step] = []
    for step in program:
        node = step.expression
        if isinstance(node, MatMul) and len(node.args) > 2 and isinstance(node.args[-1], Transpose):
            steps.append(_before("queries", step, MatMul(*node.args[:-1])))
            step = replace(step, expression=MatMul(steps[-1].symbol, node.args[-1]))
        elif isinstance(step.equals, MatMul) and isinstance(step.equals.args[0], Softmax):
            steps.append(_before("weights", step, step.equals.args[0]))
            step = replace(step, expression=MatMul(steps[-1].symbol, step.equals.args[1]), equals=None)
        steps.append(step)
    made = replace(program, steps=tuple(steps))
    return replace(made, steps=tuple(steps_behind(made, wanted | {program.steps[-1].symbol})))


def _before(role: str, step: Step, expression: Any) -> Step:
    """A step of its own for what a step begins with; its name ends as that one's does, in the letter of its family."""
    symbol = MatrixSymbol(f"{role} of {step.symbol.name}", *expression.shape)
    return Step(role, symbol, expression, step.part, step.index)


def find_needed_steps(program: Program, wanted: Iterable[Output]) -> Program:
    """The program without the steps that nothing wanted is made of."""
    return replace(program, steps=tuple(steps_behind(program, {w.step.symbol for w in wanted})))


def steps_behind(program: Program, symbols: set[MatrixSymbol]) -> list[Step]:
    """The steps that these symbols are made of, in order."""
    need, known = set(symbols), 0
    while known != len(need):  # again for what a recurrence speaks of before its own step
        known = len(need)
        for step in reversed(program.steps):
            if step.symbol in need:
                need |= step.uses
                need |= {at(p.args[0], TIME, 0) for p in step.atoms(Previous)}
    return [step for step in program if step.symbol in need]


def name_step(step: Step, scope: Scope) -> str:
    """An identifier for a step: the last part of its name, and that of a part of a calculation, as inputs have it."""
    name = scope.names.fresh("_".join(filter(None, (step.short, step.part))))
    scope.arrays[step.symbol] = name
    return name


def step_lines(step: Step, scope: Scope) -> list[str]:
    """The lines of one step."""
    with scope.within(step.index):
        by_input = step.by in scope.inputs.all
        value = write_gradient(step, scope) if by_input else write(step.expression, scope)
        return scope.assign(name_step(step, scope), value)
