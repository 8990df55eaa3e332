"""The steps from scores to output as one: products of queries and keys that exist in blocks only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.lowering.rules.blocks import Blocks, alter
from symattn.lowering.text.code import Code, call
from symattn.lowering.text.scope import Scope
from symattn.nodes import Member, SinkSoftmax, Softmax
from symattn.program.steps import Program, Step


@dataclass(frozen=True)
class Fused:
    """Consecutive steps: scores = Q Kᵀ, what becomes of them, their softmax, and its product with V."""

    scores: Step
    logits: tuple[Step, ...]
    weights: Step
    output: Step

    @property
    def operands(self) -> tuple[Any, Any, Any]:
        """Queries, keys and values; queries may be a product, as in Q W Kᵀ."""
        *queries, keys = self.scores.expression.args
        return MatMul(*queries) if len(queries) > 1 else queries[0], keys.arg, self.output.expression.args[1]

    @property
    def inner(self) -> frozenset[MatrixSymbol]:
        """The steps that exist in blocks only."""
        return frozenset(s.symbol for s in (self.scores, *self.logits, self.weights))


def find_chains(program: Program, wanted: set[MatrixSymbol]) -> list[Fused]:
    """Every chain from scores to output none of whose inner steps is wanted."""
    by_symbol = program.by_symbol()
    chains = (_chain(step, by_symbol) for step in program)
    return [chain for chain in chains if chain is not None and not chain.inner & wanted]


def find_fused(program: Program, wanted: set[MatrixSymbol]) -> list[Fused]:
    """Every chain none of whose inner steps is wanted or used elsewhere."""
    return [chain for chain in find_chains(program, wanted) if is_closed(chain, program)]


def is_closed(chain: Fused, program: Program) -> bool:
    """Whether no other step uses what would exist in blocks only."""
    own = chain.inner | {chain.output.symbol}
    return not any(s.uses & chain.inner for s in program if s.symbol not in own)


def _chain(output: Step, by_symbol: dict[MatrixSymbol, Step]) -> Fused | None:
    product = output.expression
    if not (isinstance(product, MatMul) and len(product.args) == 2):
        return None
    weights = by_symbol.get(product.args[0])
    if weights is None or not isinstance(weights.expression, Softmax | SinkSoftmax):
        return None
    if isinstance(weights.expression, Softmax) and weights.expression.axis != -1:
        return None
    logits: list[Step] = []
    step = by_symbol.get(weights.expression.args[0])
    while step is not None and not isinstance(step.expression, MatMul):
        inner = _operand(step.expression)
        if inner is None:
            return None
        logits.append(step)
        step = by_symbol.get(inner)
    if step is None or not isinstance(step.expression.args[-1], Transpose) or step.expression.args[0].is_number:
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


@dataclass(frozen=True)
class Call:
    """What a call for a chain needs: lines before it, its arguments, and how heads are grouped."""

    lines: list[str]
    arguments: str
    groups: str  # the text of their number, empty where there are none
    masks_or_biases: dict[str, Code]  # those that are arguments, aligned with the scores
    terms: str = ""  # what compiled loops are told of the logits

    def joined(self, *names: str | None) -> list[str]:
        """Lines that make heads of groups of them again."""
        return [f"{x} = join_groups({x})" for x in names if x and x != "_"] if self.groups else []


def fused_lines(chain: Fused, scope: Scope, output: str, logs: str | None) -> list[str]:
    """The lines that compute the output of a chain, and the logarithms of its row sums under the name `logs`."""
    prepared = prepare(chain, scope)
    options = f"logs={logs is not None}, threads=threads{prepared.terms}"
    attend = f"{output}, {logs or '_'} = attend({prepared.arguments}, logits, lead, {options})"
    return [*prepared.lines, attend, *prepared.joined(output, logs)]


def prepare(chain: Fused, scope: Scope, upstream: Any = None, slope: Any = None) -> Call:
    """A call for a chain, or with the gradient by its output and the derivative of its logits for that and back."""
    with scope.within(chain.output.index):
        return _prepare(chain, scope, upstream, slope)


def _prepare(chain: Fused, scope: Scope, upstream: Any, slope: Any) -> Call:
    matrices = dict(zip(("queries", "keys", "values"), chain.operands, strict=True))
    groups = _groups(tuple(matrices.values()), scope)
    matrices |= {} if upstream is None else {"gradient": upstream}
    made, slopes = Blocks(scope, groups), Blocks(scope, groups)
    for step in chain.logits:
        alter(step.expression, made)
    if slope is not None:
        alter(slope, slopes)
    out, names = [], []
    for word, code in {word: made.aligned(x) for word, x in matrices.items()}.items():
        names.append(code.text if code.is_name else scope.names.fresh(word))
        out += [] if code.is_name else [f"{names[-1]} = {code}"]
    weights, options = chain.weights.expression, []
    leads: dict[str, object] = {**{n: n for n in names[:3]}, **made.masks_or_biases}
    if isinstance(weights, SinkSoftmax):
        leads["sink"] = made.aligned(weights.args[1])
        options.append(f"sink=np.broadcast_to({leads['sink']}, (*lead, 1, 1))")
    elif weights.empty_row in ("nan", "uniform"):
        options.append(f"empty={'np.nan' if weights.empty_row == 'nan' else None}")
    simple = len(leads) == 3 and names == [scope.arrays[s] for s in scope.inputs.operands]
    lead = f"lead = {'lead or ' if simple else ''}{call('leading', **leads)}"
    out = [*scope.needed(), *out, lead, *_logits_lines(made, slopes, options, scope)]
    terms = ""
    if scope.compiled and made.terms:
        out.append(f"terms = Terms({', '.join(map(_term, made.terms, made.terms.values()))})")
        terms = ", terms=terms"
    return Call(out, ", ".join(names), groups, made.masks_or_biases, terms)


def _term(name: str, values: list[str]) -> str:
    """An argument of `Terms`."""
    if name in ("keep", "hide"):
        return f"{name}=({', '.join(values)},)"
    return f"{name}={values[0] if len(values) == 1 else call('min', *values)}"


def _logits_lines(made: Blocks, slopes: Blocks, options: list[str], scope: Scope) -> list[str]:
    out = [*made.outside, *slopes.outside]
    arguments = [str(made.scale or 1.0)]
    if made.inside:
        arguments.append(_define("change", made.inside, scope, out))
    for side, bounds in (("left", made.left), ("right", made.right)):
        if bounds:
            arguments.append(f"{side}={bounds[0] if len(bounds) == 1 else call('min', *bounds)}")
    if made.hidden:
        arguments.append("hidden=True")
    if slopes.inside:
        arguments.append(f"slope={_define('slope', slopes.inside, scope, out)}")
    return [*out, f"logits = Logits({', '.join([*arguments, *options])})"]


def _define(word: str, body: list[str], scope: Scope, out: list[str]) -> str:
    """The name of a function that alters blocks; its lines are added to `out`."""
    name = scope.names.fresh(word)
    out += [
        *([""] if out[-1:] != [""] else []),
        f"def {name}(block: Array, head: Any, rows: slice, columns: slice) -> None:",
    ]
    out += [*(f"    {line}" for line in body), ""]
    return name


def _groups(matrices: tuple[Any, ...], scope: Scope) -> str:
    """The text of the number of groups, where heads share keys and values in groups."""
    for matrix in matrices:
        if isinstance(matrix, Member) and matrix.args[2] != getattr(scope.index, "letter", None):
            return f"{scope.array(matrix.args[0])}.shape[-3]"
    return ""
