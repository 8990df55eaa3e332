"""A program and what is wanted of it -> the lines of a function body, one or a few for each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import MatrixSymbol, Symbol

from symattn.errors import InputError
from symattn.lowering.bundle import PARTS
from symattn.lowering.code import Code
from symattn.lowering.rules.elementary import write
from symattn.lowering.rules.gradients import write_gradient
from symattn.lowering.text.names import RESERVED, Names
from symattn.lowering.text.scalars import scalar
from symattn.lowering.text.scope import Lines
from symattn.nodes import (
    TIME,
    Biased,
    HideMask,
    KeepMask,
    Masked,
    MultiHead,
    Penalised,
    Previous,
    RowMax,
    at,
    mask_parts,
)
from symattn.program.gradient import add_gradients, resolve
from symattn.program.steps import Program, Step
from symattn.writing.prose import Sentence

LOGITS = ("scores", "scaled", "capped", "masked")  # where one of these is no step, it is the one before
LOG_SUM = ("lse", "logsumexp", "log_sum_exp")


@dataclass(frozen=True)
class Wanted:
    """A result under the name that was asked for: a step, a member of a family of them, or its log-sum-exp."""

    key: str
    step: Step
    member: int | None = None
    log_sum: bool = False


def find_outputs(program: Program, names: Sequence[str]) -> list[Wanted]:
    """The steps that are asked for, by their names; `weights` is that of all heads, `head_2.weights` that of one.

    Raises InputError for a name that is no step.
    """
    return [_find(program, str(name)) for name in names]


def _find(program: Program, name: str) -> Wanted:
    steps = {step.name: step for step in program}
    of_heads = {step.name.rpartition(".")[2]: step for step in reversed(program.steps) if step.index}
    if name == "output" and name not in steps:
        return Wanted(name, program.steps[-1])
    if name in steps or name in of_heads:
        return Wanted(name, steps.get(name) or of_heads[name])
    head, _, last = name.rpartition(".")
    number = head.rpartition("_")[2]
    families = [s for s in program if s.index and s.name == f"{head.rpartition('_')[0]}_{s.index.letter}.{last}"]
    family = families[0] if families else None
    if family is not None and family.index is not None and number.isdigit() and int(number) >= 1:
        count = family.index.count
        if not count.is_Integer or int(number) <= count:
            return Wanted(name, family, member=int(number) - 1)
    if name in LOG_SUM and (weights := steps.get("weights") or of_heads.get("weights")):
        return Wanted(name, weights, log_sum=True)
    if name in LOGITS:
        for earlier in reversed(LOGITS[: LOGITS.index(name)]):
            if earlier in steps or earlier in of_heads:
                return Wanted(name, steps.get(earlier) or of_heads[earlier])
    raise InputError(Sentence("no_step", name=name[:40], known=", ".join([*steps, "lse"])))


def with_gradients(program: Program, outputs: tuple[str, ...]) -> tuple[Program, list[Wanted]]:
    """The program with its backward pass, and what is wanted of it: the outputs and every input's gradient."""
    found = find_outputs(program, outputs) if outputs else [Wanted("output", program.steps[-1])]
    used = {s for x in needed_steps(program, [program.steps[-1].symbol]) for s in x.uses}
    inputs = [x for x in resolve(program, None) if x in used]
    backward, _ = add_gradients(program, program.steps[-1], inputs)
    gradients = [step for step in backward if step.by in inputs]  # a calculation in parts has encoder.dW_Q
    named = [Wanted(s.name if "." in s.name else f"d{s.by.name}", s) for s in gradients]
    return backward, found + named


def needed_steps(program: Program, wanted: Sequence[MatrixSymbol]) -> list[Step]:
    """The steps that these symbols are made of, in order."""
    need, found = set(wanted), []
    for step in reversed(program.steps):
        if step.symbol in need:
            need |= step.uses
            need |= {at(p.args[0], TIME, 0) for p in step.atoms(Previous)}
            found.append(step)
    return found[::-1]


def masks_of_one_head(expression: Any) -> frozenset[MatrixSymbol]:
    """What masks and biases of layers with one head are read from: they may have its axis all the same."""
    layers = [layer for layer in expression.atoms(MultiHead) if layer.heads == 1]
    return frozenset(s for layer in layers for x in (layer.mask, layer.bias) for s in x.atoms(MatrixSymbol))


def start_lines(program: Program, alone: frozenset[MatrixSymbol] = frozenset()) -> Lines:
    """Names for all inputs, and what is known of them. Raises InputError for a size that is a counter too."""
    counters = {step.index.letter for step in program if step.index}
    for symbol in program.inputs:
        if found := counters & set().union(*(s.free_symbols for s in symbol.shape)):
            raise InputError(Sentence("size_is_counter", size=min(found, key=str), name=symbol.name))
    lines = Lines(Names(RESERVED | {name for part in PARTS for name in vars(part)}))
    for symbol in program.inputs:
        lines.arrays[symbol] = lines.names.fresh(symbol.name)
    lines.given = frozenset(program.inputs)
    lines.tops = {step.symbol for step in program if isinstance(step.expression, RowMax)}
    keeps = lines.keeps = keep_symbols(program)
    strict = _strict(program, keeps)
    lines.loose = {s for s in program.inputs if s not in strict}
    lines.alone = {s: lines.names.fresh(f"{s.name}_given") for s in program.inputs if s in lines.loose & alone}
    real = [s for s in program.inputs if s in strict] or [s for s in program.inputs if s not in keeps]
    lines.strict = [s for s in program.inputs if s in strict]
    lines.bare = lines.loose & {b.args[1] for step in program for b in step.atoms(Biased)}
    made = {step.symbol for step in program}
    lines.upstream = next((s.expression for s in program if s.by in made and s.expression in lines.given), None)
    lines.like = lines.anchor = lines.arrays[real[0]] if real else ""
    return lines


def keep_symbols(program: Program) -> set[MatrixSymbol]:
    """The inputs that say which keys may be looked at."""
    found = set()
    for step in program:
        for node in step.atoms(Masked, Penalised):
            for part in mask_parts(node.args[1]):
                if isinstance(part, KeepMask | HideMask):
                    found |= part.args[0].atoms(MatrixSymbol)
    return found & set(program.inputs)


def _strict(program: Program, keeps: set[MatrixSymbol]) -> set[MatrixSymbol]:
    """The inputs that are more than masks and biases."""
    used = set()
    for step in program:
        biases = {b.args[1] for b in step.atoms(Biased)}
        stack: list[Any] = [step.expression]
        while stack:
            node = stack.pop()
            if isinstance(node, MatrixSymbol):
                used.add(node)
            elif node not in biases:
                stack += [a for a in node.args if a not in biases]
    return {s for s in program.inputs if s in used and s not in keeps}


def name_step(step: Step, lines: Lines) -> str:
    """An identifier for a step: the last part of its name, and that of a part of a calculation, as inputs have it."""
    first, *others = step.name.split(".")
    part = [first] if others and first.isalpha() else []
    name = lines.names.fresh("_".join([*(others or [first])[-1:], *part]))
    lines.arrays[step.symbol] = name
    return name


def step_lines(step: Step, lines: Lines) -> Iterator[str]:
    """The lines of one step."""
    lines.index = step.index
    if step.by is not None and step.by in lines.given:
        value = write_gradient(step, lines)
    else:
        value = write(step.expression, lines)
    yield from lines.before
    lines.before.clear()
    yield f"{name_step(step, lines)} = {value}"
    lines.index = None


def derived_sizes(program: Program, lines: Lines) -> tuple[dict[str, str], list[str]]:
    """Sizes that are arguments, with their types, and the lines that read others from sides such as h·d_k.

    Where the number of heads must be given, what it tells may be given too.
    """
    real = [s for s in program.inputs if s not in lines.loose and s not in lines.keeps]
    known = {s for symbol in real for s in symbol.shape if isinstance(s, Symbol)}
    read = [f"{lines.size(s)} = {value}" for s, value in _told(real, known, lines)]
    asked = {s: "int" for s in list(lines.sizes) if s not in known}
    heads = asked.keys() & {step.index.count for step in program if step.index}
    for s, value in _told(real, known | heads, lines) if heads else ():
        if s in asked:
            asked[s] = "int | None = None"
            read.append(f"{lines.size(s)} = {value} if {lines.size(s)} is None else {lines.size(s)}")
    return {lines.size(s): kind for s, kind in sorted(asked.items(), key=lambda item: len(item[1]))}, read


def _told(real: Sequence[MatrixSymbol], known: set[Symbol], lines: Lines) -> Iterator[tuple[Symbol, Code]]:
    """Sizes that a side tells beside known ones, which they become, and how to read them."""
    for symbol in real:
        for axis, size in zip((-2, -1), symbol.shape, strict=True):
            unknown = size.free_symbols - known
            if len(unknown) == 1:
                (s,) = unknown
                times = (size / s).cancel() if hasattr(size / s, "cancel") else size / s
                if not times.has(s) and (times.is_Integer or times.free_symbols <= known):
                    known.add(s)
                    yield s, Code(f"{lines.arrays[symbol]}.shape[{axis}]") // scalar(times, lines.size)
