"""Dask arrays: every block of the leading axes is a call of the lowered module, wherever Dask runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import count
from operator import getitem
from typing import Any

import numpy as np

from symattn.lowering import execution
from symattn.lowering.inputs import Inputs
from symattn.lowering.module import Module
from symattn.lowering.schedule.loops import has_heads
from symattn.lowering.schedule.steps import Output
from symattn.lowering.text.names import word
from symattn.program.shapes import read_sizes, substitute_sizes
from symattn.program.steps import Program


def call_in_blocks(
    program: Program, wanted: Sequence[Output], module: Module, arrays: Mapping[str, Any], options: Any
) -> dict[str, Any]:
    """The outputs as Dask arrays, from one call for each block of the leading axes; rows and columns are one block.

    The gradient by what a batch shares is a sum over blocks.
    """
    dask = import_module("dask.array")
    symbols = {s.name: s for s in program.inputs}
    labels = count()
    inputs = module.scope.inputs
    apart = inputs.masks_or_biases if has_heads(program) else inputs.single_head
    strict = [x for name, x in arrays.items() if symbols[name] not in apart]
    lead = [next(labels) for _ in range(max(x.ndim for x in strict) - 2)]
    full = {name: x[(None,) * max(0, len(lead) + 2 - x.ndim)] for name, x in arrays.items()}
    gradients = any(w.step.by in program.inputs for w in wanted)
    pairs: list[Any] = []
    for x in (full if gradients else arrays).values():
        own = max(0, x.ndim - 2 - len(lead))  # a mask may have an axis of heads of its own
        axes = [*lead[max(0, len(lead) + 2 - x.ndim) :], *(next(labels) for _ in range(own + 2))]
        pairs += [x.rechunk(dict.fromkeys(range(x.ndim - 2 - own, x.ndim), -1)), axes]
    several = len(wanted) > 1
    shape = () if several else output_shape(program, wanted[0], arrays, inputs)
    new = dict(zip(labels, shape, strict=False))
    kind = np.dtype(object) if several else strict[0].dtype
    given = ({"threads": 1} if "threads" in module.options else {}) | dict(options)
    text = (module.standalone, None, module.function, None)
    made = _blockwise(dask, execution.call, (lead, new), (*text, *pairs), kind, concatenate=True, **given)
    if not several:
        return {wanted[0].key: made}
    found = {}
    for w in wanted:
        by = w.step.by.name if w.step.by in program.inputs else ""
        shape = full[by].shape[len(lead) :] if by else output_shape(program, w, arrays, inputs)
        shared = [k for k in range(len(lead)) if by and full[by].shape[k] == 1 < made.shape[k]]
        new, ones = dict(zip(labels, shape, strict=False)), {lead[k]: 1 for k in shared}
        part = (made, lead, word(w.key), None)
        out = _blockwise(dask, getitem, (lead, new), part, strict[0].dtype, adjust_chunks=ones)
        out = out.sum(axis=tuple(shared), keepdims=True) if shared else out
        found[w.key] = out.reshape(arrays[by].shape) if by and out.ndim > arrays[by].ndim else out
    return found


def _blockwise(
    dask: Any, function: Any, axes: tuple[list[int], dict[int, int]], operands: Any, kind: Any, **options: Any
) -> Any:
    """Dask's blockwise, for blocks with some axes of their own at the end."""
    lead, new = axes
    meta = np.empty((0,) * (len(lead) + len(new)), kind)
    return dask.blockwise(function, (*lead, *new), *operands, new_axes=new, dtype=kind, meta=meta, **options)


def output_shape(program: Program, wanted: Output, arrays: Mapping[str, Any], inputs: Inputs) -> tuple[int, ...]:
    """The axes of an output after the leading ones: those of heads, if it is a family, rows and columns."""
    shapes = {s: tuple(arrays[s.name].shape[-2:]) for s in inputs.operands}
    sizes = read_sizes(shapes)
    rows, columns = (int(s) for s in substitute_sizes(wanted.step.shape, sizes))
    counts = [index.count for index in wanted.step.indices[len(wanted.member) :]]
    heads = (int(substitute_sizes((count, count), sizes)[0]) for count in counts)
    return (*heads, rows, 1 if wanted.log_sum else columns)
