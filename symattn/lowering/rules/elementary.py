"""One rule for each kind of node: the text of its value, from the texts of its operands.

All texts mean arrays (..., rows, columns); in a family of heads (..., heads, rows, columns).
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import sympy
from sympy import Identity, MatrixSymbol, OneMatrix, S, ZeroMatrix
from sympy.matrices.expressions import MatAdd, MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import NotSupportedError
from symattn.lowering.text.scope import Lines, factor, left_factor, term, tight
from symattn.nodes import (
    AddRow,
    Biased,
    CausalMask,
    Concat,
    ConcatHeads,
    DivideRows,
    Exponential,
    HeadColumns,
    HeadRows,
    KeepMask,
    Masked,
    Member,
    Plus,
    RowMax,
    RowSum,
    Scaled,
    SoftCapped,
    Softmax,
    SubtractColumn,
    SumHeads,
    WindowMask,
    divisor,
    mask_parts,
)
from symattn.program.steps import Index
from symattn.writing.prose import Sentence


@singledispatch
def write(node: Any, lines: Lines) -> str:
    """The text of a matrix's value. Raises NotSupportedError for a node that has no rule."""
    raise NotSupportedError(Sentence("no_source", node=type(node).__name__))


@write.register
def _(node: MatrixSymbol, lines: Lines) -> str:
    return lines.array(node)


@write.register(MatrixBase)
def _(node: Any, lines: Lines) -> str:
    return lines.constant(node)


@write.register(ZeroMatrix | OneMatrix)
def _(node: Any, lines: Lines) -> str:
    shape = ", ".join(lines.number(s) for s in node.shape)
    return f"np.{'zeros' if isinstance(node, ZeroMatrix) else 'ones'}(({shape}), dtype={lines.like}.dtype)"


@write.register
def _(node: Identity, lines: Lines) -> str:
    return f"np.eye({lines.number(node.shape[0])}, dtype={lines.like}.dtype)"


@write.register
def _(node: Transpose, lines: Lines) -> str:
    return f"np.matrix_transpose({write(node.arg, lines)})"


@write.register
def _(node: MatMul, lines: Lines) -> str:
    number, matrices = node.as_coeff_matrices()
    matrices = [m for m in matrices if not isinstance(m, Identity)] or matrices[:1]
    made, text = matrices[0], write(matrices[0], lines)
    for matrix in matrices[1:]:
        text = _product(made, text, matrix, lines)
        made = MatMul(made, matrix)
    return text if number == 1 else f"{factor(lines.number(number))} * {factor(text)}"


def _product(A: Any, left: str, B: Any, lines: Lines) -> str:
    """A B, from the text of A; a block of columns of a shared matrix is cut out of the product with the whole."""
    if isinstance(B, HeadColumns) and lines.in_family(B) and not lines.in_family(A):
        W = B.args[0]
        whole = left if isinstance(W, Identity) else f"{left_factor(left)} @ {factor(write(W, lines))}"
        return f"split_heads({whole}, {lines.number(B.args[2])})"
    a, b = lines.aligned((A, B), (left, write(B, lines)))
    return f"{left_factor(a)} @ {factor(b)}"


def is_grouped(node: Member, lines: Lines) -> bool:
    """Whether consecutive heads share a member: head i uses ⌈i g/h⌉."""
    assert lines.index is not None
    found = node.args[2]
    return (
        isinstance(found, sympy.ceiling) and sympy.cancel(found.args[0] / lines.index.letter).is_positive is not False
    )


@write.register
def _(node: Member, lines: Lines) -> str:
    if node.args[0] in lines.last:
        return lines.last[node.args[0]]  # of what goes on by itself only the last member is used later
    family = lines.array(node.args[0])
    if lines.index is not None and node.args[2] == lines.index.letter:
        return family
    if lines.index is None or not is_grouped(node, lines):
        raise NotSupportedError(Sentence("no_source", node=str(node)))
    size = sympy.cancel(lines.index.letter / node.args[2].args[0])  # heads that share one
    times = str(size) if size.is_Integer else f"{tight(lines.number_of_heads())} // {family}.shape[-3]"
    return f"np.repeat({family}, {times}, axis=-3)"


@write.register(MatAdd | Plus)
def _(node: Any, lines: Lines) -> str:
    texts = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return " + ".join(term(t) for t in texts)


@write.register
def _(node: AddRow, lines: Lines) -> str:
    """The bias of a head's projection is added before the heads are taken apart."""
    Z, b = node.args
    if isinstance(b, HeadColumns) and isinstance(Z, MatMul):
        *before, W = Z.args
        if isinstance(W, HeadColumns) and W.args[1:] == b.args[1:] and not any(lines.in_family(x) for x in before):
            whole = AddRow(MatMul(*before, W.args[0]), b.args[0])
            return f"split_heads({write(whole, lines)}, {lines.number(b.args[2])})"
    left, right = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"{term(left)} + {term(right)}"


@write.register
def _(node: HeadColumns, lines: Lines) -> str:
    return f"split_heads({write(node.args[0], lines)}, {lines.number(node.args[2])})"


@write.register
def _(node: HeadRows, lines: Lines) -> str:
    return f"split_rows({write(node.args[0], lines)}, {lines.number(node.args[2])})"


@write.register
def _(node: Concat, lines: Lines) -> str:
    if len(node.args) == 1:
        return write(node.args[0], lines)
    texts = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"beside({', '.join(texts)})"


@write.register
def _(node: ConcatHeads, lines: Lines) -> str:
    return f"join_heads({over_heads(node, lines)})"


@write.register
def _(node: SumHeads, lines: Lines) -> str:
    return f"np.sum({over_heads(node, lines)}, axis=-3)"


def over_heads(node: Any, lines: Lines) -> str:
    """The text of what is summed or joined over heads, with their axis."""
    body, letter, count, *_ = node.args
    outer, lines.index = lines.index, Index(letter, count)
    text = write(body, lines)
    if not lines.in_family(body):
        raise NotSupportedError(Sentence("no_source", node=str(node)))
    lines.index = outer
    return text


@write.register
def _(node: Scaled, lines: Lines) -> str:
    text, below = write(node.args[0], lines), divisor(node.factor)
    if below is not None:
        return f"{left_factor(text)} / {factor(lines.number(below))}"
    return text if node.factor == 1 else f"{left_factor(text)} * {factor(lines.number(node.factor))}"


@write.register
def _(node: SoftCapped, lines: Lines) -> str:
    cap = factor(lines.number(node.args[1]))
    return f"{cap} * np.tanh({left_factor(write(node.args[0], lines))} / {cap})"


@write.register
def _(node: Biased, lines: Lines) -> str:
    left, right = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"{term(left)} + {term(right)}"


@write.register
def _(node: Masked, lines: Lines) -> str:
    return f"hide({write(node.args[0], lines)}, {keep_text(node, lines)})"


def keep_text(node: Any, lines: Lines) -> str:
    """A mask as the text of an array of booleans that broadcasts with the scores."""
    parts = [visible(part, node, lines) for part in mask_parts(node.args[1])]
    return parts[0] if len(parts) == 1 else " & ".join(factor(t) for t in parts)


@singledispatch
def visible(mask: Any, node: Any, lines: Lines) -> str:
    """The text of what a mask lets be seen. Raises NotSupportedError for a mask that has no rule."""
    raise NotSupportedError(Sentence("no_source", node=type(mask).__name__))


@visible.register(CausalMask | WindowMask)
def _(mask: Any, node: Any, lines: Lines) -> str:
    return within_reach(mask, lines.rows(node.shape[0]), lines.columns(node.shape[1]), lines)


def within_reach(mask: Any, i: str, j: str, lines: Lines) -> str:
    """The text of whether query i sees key j."""
    left, right = reach(mask)
    parts = [] if left is None else [f"{j} >= {beside(i, -left, lines)}"]
    parts += [] if right is None else [f"{j} <= {beside(i, right, lines)}"]
    return parts[0] if len(parts) == 1 else " & ".join(f"({x})" for x in parts) or "np.asarray(True)"


def beside(i: str, distance: Any, lines: Lines) -> str:
    """The number of a row, moved by a distance."""
    if distance == 0:
        return i
    less = distance.could_extract_minus_sign()
    return f"{i} {'-' if less else '+'} {factor(lines.number(-distance if less else distance))}"


@visible.register
def _(mask: KeepMask, node: Any, lines: Lines) -> str:
    M = mask.args[0]
    if isinstance(M, MatrixBase):
        rows = ", ".join("[" + ", ".join(str(x == 1) for x in row) + "]" for row in M.tolist())
        return f"np.asarray([{rows}])"
    text = write(M, lines)
    return lines.aligned((node.args[0], M), ("", text))[1]


def reach(mask: Any) -> tuple[Any, Any]:
    """How far to the left and right a query sees; None without end."""
    if isinstance(mask, CausalMask):
        return None, mask.args[0]
    left, right = mask.args
    return None if left is S.Infinity else left, None if right is S.Infinity else right


@write.register
def _(node: Softmax, lines: Lines) -> str:
    text = write(node.args[0], lines)
    text = text if node.axis == -1 else f"np.matrix_transpose({text})"
    count = node.shape[1 if node.axis == -1 else 0]
    empty = empty_text(node, count, lines)
    made = f"softmax({text})" if empty == "0.0" else f"softmax({text}, {empty})"
    return made if node.axis == -1 else f"np.matrix_transpose({made})"


def empty_text(node: Any, count: Any, lines: Lines) -> str:
    """What the weights of an empty row are: zero unless asked for otherwise."""
    rule = str(node.args[2]) if len(node.args) > 2 else "error"
    return {"nan": "np.nan", "uniform": f"1 / {factor(lines.number(count))}"}.get(rule, "0.0")


@write.register
def _(node: RowMax, lines: Lines) -> str:
    return f"np.max({write(node.args[0], lines)}, axis=-1, keepdims=True)"


@write.register
def _(node: RowSum, lines: Lines) -> str:
    return f"np.sum({write(node.args[0], lines)}, axis=-1, keepdims=True)"


@write.register
def _(node: Exponential, lines: Lines) -> str:
    return f"np.exp({write(node.args[0], lines)})"


@write.register
def _(node: SubtractColumn, lines: Lines) -> str:
    left, right = lines.aligned(node.args, [write(a, lines) for a in node.args])
    return f"take_off({left}, {right})" if node.args[1] in lines.tops else f"{term(left)} - {factor(right)}"


@write.register
def _(node: DivideRows, lines: Lines) -> str:
    return f"divide_rows({', '.join(lines.aligned(node.args, [write(a, lines) for a in node.args]))})"
