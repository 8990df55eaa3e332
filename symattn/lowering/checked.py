"""A lowered function beside the exact values of its steps, within the proven bound of their errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sympy import Symbol

from symattn.errors import NotSupportedError, SymattnError
from symattn.lowering.kernels.checks import is_half, promoted
from symattn.lowering.module import Module
from symattn.lowering.schedule.steps import Output
from symattn.nodes import (
    AddRow,
    Biased,
    Concat,
    ConcatHeads,
    HeadColumns,
    HeadRows,
    Masked,
    Member,
    Node,
    Scaled,
    SinkSoftmax,
    SoftCapped,
    Softmax,
    SumHeads,
)
from symattn.program.shapes import read_sizes
from symattn.program.steps import Program
from symattn.program.unrolling import unroll
from symattn.values.evaluation import evaluate_steps
from symattn.values.floats.error_bounds import Bounded, BoundNumbers, arithmetic_of, bound_of_half, exactly
from symattn.values.floats.formats import FORMATS
from symattn.writing.prose import Sentence

BOUNDED = (
    Softmax, SinkSoftmax, Masked, Biased, SoftCapped, Scaled, AddRow, Concat, ConcatHeads, SumHeads, Member,
    HeadColumns, HeadRows,
)  # fmt: skip


def refuse_unbounded(program: Program, wanted: Sequence[Output], gradient: bool) -> None:
    """Raises NotSupportedError for what no bound is derived for."""
    nodes = {type(x).__name__ for step in program for x in step.atoms(Node) if not isinstance(x, BOUNDED)}
    if gradient:
        raise NotSupportedError(Sentence("no_bound_of_gradients"))
    if nodes or any(w.log_sum for w in wanted):
        raise NotSupportedError(Sentence("no_bound_of", node=min(nodes, default="lse")))


def check_results(
    program: Program, wanted: Sequence[Output], module: Module, given: Mapping[str, Any], options: Any, made: Any
) -> None:
    """Hold the outputs for the first and the last of the leading axes against exact values.

    Raises SymattnError that names an entry which is beyond the bound.
    """
    results = made if isinstance(made, dict) else {wanted[0].key: made}
    kind = promoted(
        *(x for s, x in zip(program.inputs, given.values(), strict=True) if s not in module.scope.inputs.whole)
    )
    arrays = {name: np.asarray(x) for name, x in given.items()}
    arrays = {name: x if x.dtype == bool else x.astype(kind) for name, x in arrays.items()}
    own = [np.ndim(options[name]) for name in module.scope.of_sequences]
    lead = next(iter(results.values())).shape[: max([0, *own, *(x.ndim - 2 for x in arrays.values())])]
    for index in dict.fromkeys([(0,) * len(lead), tuple(x - 1 for x in lead)]):
        if 0 in lead:
            return
        chosen = {name: _at(x, index) for name, x in arrays.items()}
        few = {name: _number_at(x, index) if name in module.scope.of_sequences else x for name, x in options.items()}
        steps = bound_steps(program, module, chosen, few, kind)
        for w in wanted:
            for place, found in _members(w, steps):
                _compare(w.key, results[w.key][(*index, *place)], found, (*index, *place), kind)


def bound_steps(
    program: Program, module: Module, arrays: Mapping[str, Any], options: Any, kind: Any
) -> dict[str, Bounded]:
    """Every step for matrices of a type, with a bound on what is computed in its place."""
    symbols = {s.name: s for s in program.inputs}
    operands = module.scope.inputs.operands
    sizes: dict[Symbol, int] = dict(read_sizes({s: arrays[s.name].shape for s in operands}))
    sizes |= {s: int(options[name]) for s, name in module.scope.sizes.items() if options.get(name) is not None}
    unrolled = unroll(program, sizes)
    values = {}
    for s in unrolled.program.inputs:
        part = unrolled.slices.get(s)
        x = arrays[part.source.name if part else s.name]
        if part is not None:
            x = np.split(x, part.count, axis=part.axis)[part.number - 1]
        values[symbols.get(s.name, s)] = exactly(x)
    name = str(np.dtype(kind)).rpartition(".")[2]
    return evaluate_steps(unrolled.program, {}, sizes, BoundNumbers(arithmetic_of(name)), values)


def _at(x: Any, index: tuple[int, ...]) -> Any:
    """A matrix of an array that broadcasts to leading axes."""
    own = x.shape[:-2]
    return x[tuple(0 if a == 1 else i for a, i in zip(own, index[len(index) - len(own) :], strict=True))]


def _number_at(x: Any, index: tuple[int, ...]) -> int:
    """A number of those of the leading axes."""
    return int(_at(np.asarray(x)[..., None, None], index)[0, 0])


def _members(w: Output, steps: Mapping[str, Bounded]) -> Iterator[tuple[tuple[int, ...], Bounded]]:
    """An output with its bounds; of a family of heads each, and its place."""
    if w.step.index is None:
        yield (), steps[w.step.name]
    elif w.member:
        yield (), steps[w.step.name_of(*(k + 1 for k in w.member))]
    else:
        found = ((w.step.numbers_of(name), bounded) for name, bounded in steps.items())
        yield from ((tuple(k - 1 for k in numbers), bounded) for numbers, bounded in found if numbers)


def _compare(name: str, made: Any, found: Bounded, place: tuple[int, ...], kind: Any) -> None:
    """Raises SymattnError where a result is further from the exact value than it may be."""
    half = is_half(np.empty(0, kind))
    bound = bound_of_half(FORMATS[str(kind)], found) if half else found.errors
    # the exact values have long doubles' errors, which are as many times smaller as their unit is
    bound = bound * (1 + float(np.finfo(np.longdouble).eps / np.finfo(np.float32 if half else kind).eps))
    apart = np.abs(np.asarray(made, np.longdouble) - found.values)
    wrong = ~(apart <= bound) & np.isfinite(bound) & np.isfinite(found.values)
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        said = {"name": name, "place": str((*place, *at)), "apart": f"{float(apart[at]):.2g}"}
        raise SymattnError(Sentence("beyond_bound", **said, bound=f"{float(bound[at]):.2g}"))
