"""Dask arrays: every block of the leading axes is a call of the lowered module, wherever Dask runs it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import count
from typing import Any

import numpy as np
from sympy import MatrixSymbol

from symattn import execution
from symattn.lowering.loops import has_heads
from symattn.lowering.module import Module
from symattn.lowering.walking import Wanted, start_lines
from symattn.shapes import read_sizes, sized
from symattn.steps import Program


def call_in_blocks(program: Program, wanted: Wanted, module: Module, arrays: Mapping[str, Any], options: Any) -> Any:
    """One output as a Dask array; the last two axes of every argument are one block, the leading ones as they are."""
    dask = import_module("dask.array")
    lines = start_lines(program)
    symbols = {s.name: s for s in program.inputs}
    labels = count()
    several = has_heads(program)
    strict = [x for name, x in arrays.items() if not (several and symbols[name] in lines.loose)]
    lead = [next(labels) for _ in range(max(x.ndim for x in strict) - 2)]
    pairs: list[Any] = []
    for x in arrays.values():
        own = x.ndim - 2 - len(lead)  # a mask may have an axis of heads of its own
        axes = [*lead[len(lead) - max(0, x.ndim - 2) :], *(next(labels) for _ in range(max(0, own) + 2))]
        whole = dict.fromkeys(range(x.ndim - 2 - max(0, own), x.ndim), -1)
        pairs += [x.rechunk(whole), axes]
    shape = output_shape(program, wanted, symbols, arrays, lines.loose)
    new = {next(labels): size for size in shape}
    kind = strict[0].dtype
    return dask.blockwise(
        execution.call,
        (*lead, *new),
        module.source,
        None,
        module.function,
        None,
        *pairs,
        new_axes=new,
        concatenate=True,
        dtype=kind,
        meta=np.empty((0,) * (len(lead) + len(new)), kind),
        **({"threads": 1} if "threads" in module.options else {}) | dict(options),
    )


def output_shape(
    program: Program,
    wanted: Wanted,
    symbols: Mapping[str, MatrixSymbol],
    arrays: Mapping[str, Any],
    loose: set[MatrixSymbol],
) -> tuple[int, ...]:
    """The axes of an output after the leading ones: those of heads, if it is a family, rows and columns."""
    shapes = {symbols[name]: tuple(x.shape[-2:]) for name, x in arrays.items() if symbols[name] not in loose}
    sizes = read_sizes(shapes)
    rows, columns = (int(s) for s in sized(wanted.step.shape, sizes))
    heads: tuple[int, ...] = ()
    if wanted.step.index is not None and wanted.member is None:
        heads = (int(sized((wanted.step.index.count,) * 2, sizes)[0]),)
    return (*heads, rows, 1 if wanted.log_sum else columns)
