"""Rules of the nodes that kinds of attention beyond the plain one are made of."""

from __future__ import annotations

from typing import Any

from sympy import Tuple
from sympy.matrices.matrixbase import MatrixBase

from symattn.lowering.rules.elementary import keep_text, visible, write
from symattn.lowering.text.scalars import formula
from symattn.lowering.text.scope import Lines, factor, left_factor, term, tight
from symattn.nodes import (
    ELU_PLUS_ONE,
    AdditiveScores,
    Alibi,
    Block,
    HideMask,
    KeepMask,
    Mapped,
    PaddingMask,
    Penalised,
    RotaryEmbedding,
    RowNorm,
    ScaleColumns,
    ScaleRows,
    ScoreMod,
    SinkSoftmax,
    Stack,
)


@write.register
def _(node: Penalised, lines: Lines) -> str:
    return f"penalise({write(node.args[0], lines)}, {keep_text(node, lines)}, {lines.number(node.args[2])})"


@visible.register
def _(mask: HideMask, node: Any, lines: Lines) -> str:
    M = mask.args[0]
    if isinstance(M, MatrixBase):
        return visible(mask_of(M), node, lines)
    text = write(M, lines)
    return f"np.logical_not({lines.aligned((node.args[0], M), ('', text))[1]})"


def mask_of(hidden: MatrixBase) -> Any:
    """The KeepMask that hides what an explicit HideMask does."""
    return KeepMask(hidden.applyfunc(lambda x: 1 - x))


@visible.register
def _(mask: PaddingMask, node: Any, lines: Lines) -> str:
    columns, given = lines.columns(node.shape[1]), mask.args[0]
    if not isinstance(given, Tuple):
        return f"{columns} < {lines.number(given)}"
    return " & ".join(f"({columns} != {int(k) - 1})" for k in given)


@write.register
def _(node: Alibi, lines: Lines) -> str:
    rows, columns, slope, offset = node.args
    i, j = lines.rows(rows, real=True), lines.columns(columns, real=True)
    first = i if offset == 0 else f"{i} + {factor(lines.number(offset))}"
    return f"-{factor(lines.number(slope))} * ({first} - {j})"


@write.register
def _(node: ScoreMod, lines: Lines) -> str:
    """A formula that does not ask for the scores has their axes all the same."""
    text, (z, *_) = modified(node, lines), node.args[1].variables
    return text if node.args[1].expr.has(z) else f"np.zeros_like({write(node.args[0], lines)}) + {term(text)}"


def modified(node: ScoreMod, lines: Lines) -> str:
    """The text of a formula of scores: z, i and j are arrays; the number of the head too."""
    z, *variables = node.args[1].variables
    arrays = {z: tight(write(node.args[0], lines))}
    for x, count, numbers in zip(variables, node.shape, (lines.rows, lines.columns), strict=True):
        if node.args[1].expr.has(x):
            arrays[x] = numbers(count, real=True)
    return formula(node.args[1].expr, arrays, lines.number)


@write.register
def _(node: Mapped, lines: Lines) -> str:
    if node.args[1] == ELU_PLUS_ONE:
        return f"elu_plus_one({write(node.args[0], lines)})"
    (z,) = node.args[1].variables
    return formula(node.args[1].expr, {z: tight(write(node.args[0], lines))}, lines.number)


@write.register
def _(node: SinkSoftmax, lines: Lines) -> str:
    Z, s = node.args
    if isinstance(s, MatrixBase):
        return f"softmax_with_sink({write(Z, lines)}, {lines.constant(s)})"
    return f"softmax_with_sink({', '.join(lines.aligned(node.args, [write(Z, lines), write(s, lines)]))})"


@write.register
def _(node: RotaryEmbedding, lines: Lines) -> str:
    return rotation(node, lines)


def rotation(node: Any, lines: Lines) -> str:
    """The text of rows turned by their positions."""
    X, base, _, first = node.args
    options = f"base={float(base)!r}" if base.is_number else f"base={lines.number(base)}"
    options += "" if first == 0 else f", first={lines.number(first)}"
    return f"rotate({write(X, lines)}, {options}, halves={str(node.args[2]) == 'halves'})"


@write.register
def _(node: RowNorm, lines: Lines) -> str:
    text = f"row_norm({write(node.args[0], lines)}, mean={node.kind == 'rms'}"
    return f"{text})" if node.args[2] == 0 else f"{text}, epsilon={lines.number(node.args[2])})"


@write.register(ScaleRows | ScaleColumns)
def _(node: Any, lines: Lines) -> str:
    left, right = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"{left_factor(left)} * {factor(right)}"


@write.register
def _(node: Stack, lines: Lines) -> str:
    return f"below({', '.join(lines.aligned(node.args, [write(a, lines) for a in node.args]))})"


@write.register
def _(node: Block, lines: Lines) -> str:
    spans = []
    for start, count, size in ((*node.args[1:3], node.args[0].shape[0]), (*node.args[3:5], node.args[0].shape[1])):
        whole = start == 0 and count == size
        spans.append(":" if whole else f"{lines.number(start)} : {lines.number(start + count)}")
    spans = spans[1:] if spans[0] == ":" else spans
    return f"{tight(write(node.args[0], lines))}[..., {', '.join(spans)}]"


@write.register
def _(node: AdditiveScores, lines: Lines) -> str:
    P, R, v = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"additive_scores({P}, {R}, {v})"
