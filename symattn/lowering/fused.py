"""The steps from scores to output as one: products of queries and keys that exist in blocks only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from sympy import MatrixSymbol, Tuple
from sympy.matrices.expressions import MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import NotSupportedError
from symattn.lowering.lines import Lines, tight
from symattn.lowering.rules import empty_text, reach, write
from symattn.lowering.scalars import formula
from symattn.nodes import (
    Biased,
    CapSlope,
    CausalMask,
    HideMask,
    KeepMask,
    Masked,
    Member,
    PaddingMask,
    Scaled,
    ScoreMod,
    SoftCapped,
    Softmax,
    WindowMask,
    mask_parts,
)
from symattn.prose import Sentence
from symattn.steps import Program, Step


@dataclass(frozen=True)
class Fused:
    """Consecutive steps: scores = Q Kᵀ, what becomes of them, their softmax, and its product with V."""

    scores: Step
    logits: tuple[Step, ...]
    weights: Step
    output: Step

    @property
    def inner(self) -> frozenset[MatrixSymbol]:
        """The steps that exist in blocks only."""
        return frozenset(s.symbol for s in (self.scores, *self.logits, self.weights))


def find_chains(program: Program, steps: Sequence[Step], wanted: set[MatrixSymbol]) -> list[Fused]:
    """Every chain from scores to output none of whose inner steps is wanted."""
    by_symbol = program.by_symbol()
    chains = (_chain(step, by_symbol) for step in steps)
    return [chain for chain in chains if chain is not None and not chain.inner & wanted]


def find_fused(program: Program, steps: Sequence[Step], wanted: set[MatrixSymbol]) -> list[Fused]:
    """Every chain none of whose inner steps is wanted or used elsewhere."""
    return [chain for chain in find_chains(program, steps, wanted) if is_closed(chain, steps)]


def is_closed(chain: Fused, steps: Sequence[Step]) -> bool:
    """Whether no other step uses what would exist in blocks only."""
    own = chain.inner | {chain.output.symbol}
    return not any(s.expression.atoms(MatrixSymbol) & chain.inner for s in steps if s.symbol not in own)


def _chain(output: Step, by_symbol: dict[MatrixSymbol, Step]) -> Fused | None:
    product = output.expression
    if not (isinstance(product, MatMul) and len(product.args) == 2):
        return None
    weights = by_symbol.get(product.args[0])
    if weights is None or not isinstance(weights.expression, Softmax) or weights.expression.axis != -1:
        return None
    logits: list[Step] = []
    step = by_symbol.get(weights.expression.args[0])
    while step is not None and not isinstance(step.expression, MatMul):
        inner = _operand(step.expression)
        if inner is None:
            return None
        logits.append(step)
        step = by_symbol.get(inner)
    if step is None or len(step.expression.args) != 2 or not isinstance(step.expression.args[1], Transpose):
        return None
    if any(s.index != output.index for s in (step, *logits, weights)):
        return None
    return Fused(step, tuple(reversed(logits)), weights, output)


def _operand(node: Any) -> Any:
    """The scores inside a step that alters them; None for a step of another kind."""
    known: tuple[Any, ...] = tuple(k for k in alter.registry if k is not object)
    while isinstance(node, known):
        node = node.args[0]
    return node if isinstance(node, MatrixSymbol) else None


class Blocks:
    """Lines over blocks of scores, and what they need beforehand."""

    def __init__(self, lines: Lines, align: Any) -> None:
        self.lines, self.align = lines, align
        self.outside: list[str] = []
        self.inside: list[str] = []
        self.scale = "1.0"
        self.left: list[str] = []
        self.right: list[str] = []
        self.loose: dict[str, str] = {}

    def by_head(self, expression: Any) -> str:
        """A number; in the number of a head, that of the heads of the block."""
        text = self.lines.number(expression)
        if self.lines.index is None or not expression.has(self.lines.index.letter):
            return text
        name = self.lines.names.fresh("each")
        text = self.align(self.lines.index.letter, text)
        self.outside.append(f"{name} = np.broadcast_to({text}, (*lead, 1, 1))")
        return f"{name}[head]"

    def block(self, text: str, shape: tuple[str, str], name: str) -> str:
        """The part of a whole array that meets the block."""
        name = self.lines.names.fresh(name)
        self.outside.append(f"{name} = np.broadcast_to({text}, (*lead, {shape[0]}, {shape[1]}))")
        return f"{name}[head][..., rows, columns]"


@singledispatch
def alter(node: Any, made: Blocks) -> None:
    """Add the lines that alter a block of scores in place, as this node does."""
    raise NotSupportedError(Sentence("no_source", node=type(node).__name__))


@alter.register
def _(node: Scaled, made: Blocks) -> None:
    alter_operand(node, made)
    if not made.inside and made.scale == "1.0":
        made.scale = made.lines.number(node.factor)
    else:
        made.inside.append(f"block *= {made.lines.number(node.factor)}")


@alter.register
def _(node: SoftCapped, made: Blocks) -> None:
    alter_operand(node, made)
    cap = made.lines.number(node.args[1])
    made.inside += [f"block /= {cap}", "np.tanh(block, out=block)", f"block *= {cap}"]


@alter.register
def _(node: CapSlope, made: Blocks) -> None:
    alter_operand(node, made)
    cap = made.lines.number(node.args[1])
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
            made.left += [] if left is None else [made.lines.number(left)]
            made.right += [] if right is None else [made.lines.number(right)]
        elif isinstance(part, KeepMask):
            made.inside.append(f"np.copyto(block, -np.inf, where=~{_whole(part.args[0], node, made, 'keep')})")
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
        length = made.lines.number(given)
        return [f"block[..., max(0, {length} - columns.start) :] = -np.inf"]
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
    kind = ", dtype=block.dtype"
    at = {i: f"np.arange(rows.start, rows.stop{kind})[:, None]", j: f"np.arange(columns.start, columns.stop{kind})"}
    made.inside.append(f"block[...] = {formula(node.args[1].expr, {z: 'block', **at}, made.by_head)}")


def _whole(matrix: Any, scores: Any, made: Blocks, name: str) -> str:
    lines = made.lines
    shape = lines.number(scores.shape[0]), lines.number(scores.shape[1])
    if name == "keep" and isinstance(matrix, MatrixBase):
        rows = ", ".join("[" + ", ".join(str(x == 1) for x in row) + "]" for row in matrix.tolist())
        return made.block(f"np.asarray([{rows}])", shape, name)
    if isinstance(matrix, MatrixBase) and name == "hidden":
        return "~" + _whole(matrix.applyfunc(lambda x: 1 - x), scores, made, "keep")
    text = made.align(matrix, write(matrix, lines))
    if lines.is_loose(matrix):
        made.loose[lines.arrays.get(matrix, name)] = text
    return made.block(text, shape, name)


@dataclass(frozen=True)
class Call:
    """What a call for a chain needs: lines before it, its arguments, and how heads are grouped."""

    lines: list[str]
    arguments: str
    groups: str
    loose: dict[str, str]  # the texts of masks and biases that are arguments, aligned with the scores

    def joined(self, *names: str | None) -> list[str]:
        """Lines that make heads of groups of them again."""
        return [f"{x} = join_groups({x})" for x in names if x] if self.groups else []


def fused_lines(chain: Fused, lines: Lines, output: str, logs: str | None) -> list[str]:
    """The lines that compute the output of a chain, and the logarithms of its row sums under the name `logs`."""
    call = prepare(chain, lines)
    options = f"logs={logs is not None}, threads=threads"
    attend = f"{output}, {logs or '_'} = attend({call.arguments}, logits, lead, {options})"
    return [*call.lines, attend, *call.joined(output, logs)]


def prepare(chain: Fused, lines: Lines, upstream: Any = None, slope: Any = None) -> Call:
    """A call for a chain, or with the gradient by its output and the derivative of its logits for that and back."""
    lines.index = chain.output.index
    Q, K = chain.scores.expression.args
    matrices = {"queries": Q, "keys": K.args[0], "values": chain.output.expression.args[1]}
    groups = _groups(tuple(matrices.values()), lines)
    matrices |= {} if upstream is None else {"gradient": upstream}
    made, slopes = (Blocks(lines, lambda node, text: _align(node, text, groups, lines)) for _ in range(2))
    for step in chain.logits:
        alter(step.expression, made)
    if slope is not None:
        alter(slope, slopes)
    texts = {word: _align(x, _text(x, lines), groups, lines) for word, x in matrices.items()}
    out = [*lines.before]
    lines.before.clear()
    names = []
    for word, text in texts.items():
        names.append(text if text.isidentifier() else lines.names.fresh(word))
        out += [] if text.isidentifier() else [f"{names[-1]} = {text}"]
    leads = {n: n for n in names[:3]} | made.loose
    lead = ", ".join(f"{name}={text}" for name, text in leads.items())
    simple = not made.loose and names == [lines.arrays[s] for s in lines.strict]
    out.append(f"lead = {'lead or ' if simple else ''}leading({lead})")
    weights = chain.weights.expression
    out += _logits_lines(made, slopes, empty_text(weights, weights.shape[1], lines), lines)
    lines.index = None
    return Call(out, ", ".join(names), groups, made.loose)


def _logits_lines(made: Blocks, slopes: Blocks, empty: str, lines: Lines) -> list[str]:
    out = [*made.outside, *slopes.outside]
    arguments = [made.scale]
    if made.inside:
        arguments.append(_defined("change", made.inside, lines, out))
    for side, bounds in (("left", made.left), ("right", made.right)):
        if bounds:
            arguments.append(f"{side}={bounds[0] if len(bounds) == 1 else 'min(' + ', '.join(bounds) + ')'}")
    if empty != "0.0":
        arguments.append(f"empty={'None' if empty.startswith('1') else empty}")
    if slopes.inside:
        arguments.append(f"slope={_defined('slope', slopes.inside, lines, out)}")
    return [*out, f"logits = Logits({', '.join(arguments)})"]


def _defined(word: str, body: list[str], lines: Lines, out: list[str]) -> str:
    """The name of a function that alters blocks; its lines are added to `out`."""
    name = lines.names.fresh(word)
    out += [
        *([""] if out[-1:] != [""] else []),
        f"def {name}(block: Array, head: Any, rows: slice, columns: slice) -> None:",
    ]
    out += [*(f"    {line}" for line in body), ""]
    return name


def _groups(matrices: tuple[Any, ...], lines: Lines) -> str:
    """The text of the number of groups, where heads share keys and values in groups."""
    for matrix in matrices:
        if isinstance(matrix, Member) and matrix.args[2] != getattr(lines.index, "letter", None):
            return f"{lines.array(matrix.args[0])}.shape[-3]"
    return ""


def _text(matrix: Any, lines: Lines) -> str:
    return lines.array(matrix.args[0]) if isinstance(matrix, Member) else write(matrix, lines)


def _align(node: Any, text: str, groups: str, lines: Lines) -> str:
    """An array with the axis of heads, or with those of groups and of the heads of each."""
    if lines.index is None:
        return text
    shared = not lines.in_family(node)
    text = lines.shared(node, text) if shared else text
    if not groups or isinstance(node, MatrixBase):
        return text
    if isinstance(node, Member) or (shared and not lines.is_loose(node)):
        return f"{tight(text)}[..., None, :, :]"
    return f"in_groups({text}, {groups})"
