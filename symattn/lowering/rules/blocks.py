"""What becomes of a block of scores before its softmax: one rule for each node that alters scores."""

from __future__ import annotations

from functools import reduce, singledispatch
from operator import or_
from typing import Any

from sympy import MatrixSymbol, Tuple
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import NotSupportedError
from symattn.lowering.rules.elementary import booleans, reach, within_reach, write
from symattn.lowering.text.code import Code, call
from symattn.lowering.text.scalars import formula
from symattn.lowering.text.scope import Scope
from symattn.nodes import (
    Biased,
    CapSlope,
    CausalMask,
    HideMask,
    KeepMask,
    Masked,
    Member,
    PaddingMask,
    Penalised,
    Scaled,
    ScaledBy,
    ScoreMod,
    SoftCapped,
    WindowMask,
    mask_parts,
)
from symattn.writing.prose import Sentence


class Blocks:
    """Lines over blocks of scores, and what they need beforehand; `groups` is the number of those of heads, as text."""

    def __init__(self, scope: Scope, groups: str) -> None:
        self.scope, self.groups = scope, groups
        self.outside: list[str] = []
        self.inside: list[str] = []
        self.scale: Code | None = None
        self.left: list[Code] = []
        self.right: list[Code] = []
        self.masks_or_biases: dict[str, Code] = {}
        self.hidden = False  # whether the lines hide keys
        # `inside` as arguments of `Terms`; None where it is more than these
        self.terms: dict[str, list[str]] | None = {}

    def aligned(self, matrix: Any) -> Code:
        """A matrix with the axis of heads, or with those of groups and of the heads of each."""
        if isinstance(matrix, MatrixBase):
            return self.scope.constant(matrix)
        whole = isinstance(matrix, Member)  # of groups of heads all of them
        return self.align(matrix, Code(self.scope.array(matrix.args[0])) if whole else write(matrix, self.scope))

    def align(self, node: Any, code: Code) -> Code:
        """What `code` says of a node, with these axes."""
        if self.scope.index is None:
            return code
        shared = not self.scope.in_family(node)
        code = self.scope.shared(node, code) if shared else code
        if not self.groups:
            return code
        if isinstance(node, Member) or (shared and not self.scope.is_mask_or_bias(node)):
            return code.at("..., None, :, :")
        return call("in_groups", code, self.groups)

    def by_head(self, expression: Any) -> Code:
        """A number; in the number of a head, that of the heads of the block."""
        number = self.of_heads(expression)
        return number if self._is_shared(expression) else self.of_head(number, (1, 1), "each")

    def of_heads(self, expression: Any) -> Code:
        """A number; in the number of a head, a number for each of them."""
        number = self.scope.number(expression)
        index = self.scope.index
        return number if index is None or self._is_shared(expression) else self.align(index.letter, number)

    def _is_shared(self, expression: Any) -> bool:
        return self.scope.index is None or not expression.has(self.scope.index.letter)

    def of_head(self, matrix: Code, shape: tuple[Any, Any], name: str) -> Code:
        """A whole array, of which the block takes that of its head."""
        name = self.scope.names.fresh(name)
        rows, columns = (self.scope.number(x) for x in shape)
        self.outside.append(f"{name} = np.broadcast_to({matrix}, (*lead, {rows}, {columns}))")
        return Code(f"{name}[head]")

    def term(self, name: str, value: object) -> None:
        """What alters scores as an argument of `Terms`: a cap comes first, of caps, biases and slopes there is one."""
        taken = self.terms is None or (name in self.terms and name not in ("keep", "hide", "length"))
        if taken or (name == "cap" and self.terms):
            self.terms = None
        elif self.terms is not None:
            self.terms.setdefault(name, []).append(str(value))

    def block(self, matrix: Code, shape: tuple[Any, Any], name: str) -> Code:
        """The part of a whole array that meets the block."""
        return self.of_head(matrix, shape, name).at("..., rows, columns")


@singledispatch
def alter(node: Any, made: Blocks) -> None:
    """Add the lines that alter a block of scores in place, as this node does."""
    raise NotSupportedError(Sentence("no_source", node=type(node).__name__))


@alter.register
def _(node: Scaled, made: Blocks) -> None:
    alter_operand(node, made)
    if not made.inside and made.scale is None:
        made.scale = made.scope.number(node.factor)
    else:
        made.inside.append(f"block *= {made.scope.number(node.factor)}")
        made.terms = None


@alter.register
def _(node: ScaledBy, made: Blocks) -> None:
    alter_operand(node, made)
    s = node.args[1]
    aligned = made.aligned(s)
    made.inside.append(f"block *= {made.of_head(aligned, (1, 1), 'factor')}")
    made.terms = None
    if isinstance(s, MatrixSymbol):
        made.masks_or_biases[made.scope.array(s)] = aligned


@alter.register
def _(node: SoftCapped, made: Blocks) -> None:
    alter_operand(node, made)
    cap = made.scope.number(node.args[1])
    made.inside += [f"block /= {cap}", "np.tanh(block, out=block)", f"block *= {cap}"]
    made.term("cap", cap)


@alter.register
def _(node: CapSlope, made: Blocks) -> None:
    alter_operand(node, made)
    cap = made.scope.number(node.args[1])
    made.inside += [f"block /= {cap}", "np.tanh(block, out=block)", "np.subtract(1.0, block * block, out=block)"]


@alter.register
def _(node: Biased, made: Blocks) -> None:
    alter_operand(node, made)
    made.inside.append(f"block += {_whole(node.args[1], node, made, 'bias')}")


@alter.register
def _(node: Masked, made: Blocks) -> None:
    alter_operand(node, made)
    for part in mask_parts(node.args[1]):
        if isinstance(part, CausalMask | WindowMask):
            left, right = reach(part)
            made.left += [] if left is None else [made.scope.number(left)]
            made.right += [] if right is None else [made.scope.number(right)]
            continue
        made.hidden = True
        if isinstance(part, KeepMask):
            made.inside.append(f"np.copyto(block, -np.inf, where={~_whole(part.args[0], node, made, 'keep')})")
        elif isinstance(part, HideMask):
            made.inside.append(f"np.copyto(block, -np.inf, where={_whole(part.args[0], node, made, 'hidden')})")
        elif isinstance(part, PaddingMask):
            made.inside += _padding(part, made)
        else:
            raise NotSupportedError(Sentence("no_source", node=type(part).__name__))


def alter_operand(node: Any, made: Blocks) -> None:
    """The lines of what the node is applied to."""
    if not isinstance(node.args[0], MatrixSymbol):
        alter(node.args[0], made)


def _padding(mask: PaddingMask, made: Blocks) -> list[str]:
    """The lines that hide the keys that fill up a batch."""
    given = mask.args[0]
    if not isinstance(given, Tuple):
        length = made.scope.number(given)
        made.term("length", length)
        return [f"block[..., max(0, {length} - columns.start) :] = -np.inf"]
    made.terms = None
    keys = ", ".join(str(int(k) - 1) for k in given)
    return [
        f"for key in ({keys},):",
        "    if columns.start <= key < columns.stop:",
        "        block[..., key - columns.start] = -np.inf",
    ]


@alter.register
def _(node: ScoreMod, made: Blocks) -> None:
    alter_operand(node, made)
    z, i, j = node.args[1].variables
    rows, columns = _places(dtype="block.dtype")
    made.inside.append(
        f"block[...] = {formula(node.args[1].expr, {z: Code('block'), i: rows, j: columns}, made.by_head)}"
    )
    made.terms = None


def _places(**options: str) -> tuple[Code, Code]:
    """The numbers of the rows and columns of a block."""
    rows, columns = (call("np.arange", f"{x}.start", f"{x}.stop", **options) for x in ("rows", "columns"))
    return rows.at(":, None"), columns


def _whole(matrix: Any, scores: Any, made: Blocks, name: str) -> Code:
    scope = made.scope
    if isinstance(matrix, MatrixBase) and name == "hidden":
        return ~_whole(matrix.applyfunc(lambda x: 1 - x), scores, made, "keep")
    if isinstance(matrix, MatrixBase) and name == "keep":
        made.term(name, booleans(matrix))
        return made.block(booleans(matrix), scores.shape, name)
    aligned = made.aligned(matrix)
    made.term("hide" if name == "hidden" else name, aligned)
    if scope.is_mask_or_bias(matrix) or matrix in scope.arrays:  # a bias of a step may have leading axes of its own
        made.masks_or_biases[scope.arrays.get(matrix, name)] = aligned
    return made.block(aligned, scores.shape, name)


@alter.register
def _(node: Penalised, made: Blocks) -> None:
    alter_operand(node, made)
    hidden = reduce(or_, (hide_part(part, node, made) for part in mask_parts(node.args[1])))
    made.inside.append(f"np.add(block, {made.scope.number(node.args[2])}, out=block, where={hidden})")
    made.terms = None


def hide_part(mask: Any, node: Any, made: Blocks) -> Code:
    """What a mask hides in a block, as booleans."""
    i, j = _places()
    if isinstance(mask, CausalMask | WindowMask):
        return ~within_reach(mask, i, j, made.scope)
    if isinstance(mask, KeepMask):
        return ~_whole(mask.args[0], node, made, "keep")
    if isinstance(mask, HideMask):
        return _whole(mask.args[0], node, made, "hidden")
    if not isinstance(mask, PaddingMask):
        raise NotSupportedError(Sentence("no_source", node=type(mask).__name__))
    given = mask.args[0]
    if not isinstance(given, Tuple):
        return j.compared(">=", made.scope.number(given))
    return call("np.isin", j, f"({', '.join(str(int(k) - 1) for k in given)},)")
