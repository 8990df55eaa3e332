"""The backward pass through fused steps: the gradients by weights and scores exist in blocks only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sympy import MatrixSymbol, OneMatrix, S
from sympy.matrices.expressions import Transpose

from symattn.lowering.schedule.fused import Fused, prepare
from symattn.lowering.text.code import ATOM
from symattn.lowering.text.scope import Scope
from symattn.nodes import CapSlope, Hadamard, Plus, RowSum, Scaled, ScoreMod, SinkSoftmax, SubtractColumn
from symattn.program.gradient.expressions import product, scale_by
from symattn.program.steps import Program, Step


@dataclass(frozen=True)
class FusedBack:
    """The steps from the gradient of a chain's output to that of its scores, and what leaves them."""

    chain: Fused
    upstream: MatrixSymbol
    inner: frozenset[MatrixSymbol]
    products: dict[str, tuple[Any, MatrixSymbol]]  # by what they are the gradients, and what they are called elsewhere
    slope: Step | None = None  # the step that a cap or a formula of scores needs
    bias: tuple[MatrixSymbol, MatrixSymbol] | None = None  # a bias, and the gradient by the logits it is added to

    @property
    def made(self) -> dict[str, MatrixSymbol]:
        """What other steps use, by what it is the gradient by."""
        by_bias = {"bias": self.bias[1]} if self.bias else {}
        return {word: symbol for word, (_, symbol) in self.products.items()} | by_bias

    def renamed(self, step: Step) -> Step:
        """A step with names for the products in it."""
        if step.uses.isdisjoint(self.inner | self.chain.inner):
            return step
        return replace(step, expression=step.expression.xreplace(dict(self.products.values())))


def find_back(chain: Fused, program: Program, scope: Scope) -> FusedBack | None:
    """The backward pass through a chain, unless more of it is used elsewhere than products and the bias's gradient."""
    A, (Q, K, V) = chain.weights.symbol, chain.operands
    sunk = isinstance(chain.weights.expression, SinkSoftmax)
    if not sunk and chain.weights.expression.empty_row not in ("error", "zero"):
        return None
    made = {step.expression: step for step in program if step.index == chain.output.index}
    dO = next((s for s in program if s.by == chain.output.symbol), None)
    dA = dO and made.get(product(dO.symbol, Transpose(V)))
    delta = dA and made.get(RowSum(Hadamard(A, dA.symbol)))
    dZ = dA and delta and made.get(Hadamard(A, SubtractColumn(dA.symbol, delta.symbol)))
    if dO is None or dA is None or delta is None or dZ is None:
        return None
    changed = [s for s in program if isinstance(s.expression, Hadamard) and s.expression.args[0] == dZ.symbol]
    if not all(_is_slope(s, chain) for s in changed[:1]):
        return None
    dS, scale = changed[0] if changed else dZ, _scale(chain)
    products = {
        "queries": product(scale_by(dS.symbol, scale), K),
        "keys": product(scale_by(Transpose(dS.symbol), scale), Q),
        "values": product(Transpose(A), dO.symbol),
    }
    if sunk:
        rest = Plus(OneMatrix(A.shape[0], 1), scale_by(RowSum(A), S.NegativeOne))
        products["sink"] = scale_by(product(Transpose(rest), delta.symbol), S.NegativeOne)
    # the name ends as that of the output does: in the letter of its heads
    names = {w: (x, MatrixSymbol(f"{w} of {chain.output.symbol.name}", *x.shape)) for w, x in products.items()}
    inner = frozenset({dA.symbol, delta.symbol, dZ.symbol, dS.symbol})
    found = FusedBack(chain, dO.symbol, inner, names, changed[0] if changed else None)
    return _with_bias(found, dZ.symbol, program, scope)


def _scale(chain: Fused) -> Any:
    """The number that the product of queries and keys is scaled by."""
    first = chain.logits[0].expression if chain.logits else None
    while first is not None and not isinstance(first, Scaled) and not isinstance(first.args[0], MatrixSymbol):
        first = first.args[0]
    return first.factor if isinstance(first, Scaled) else S.One


def _is_slope(step: Step, chain: Fused) -> bool:
    """Whether a step multiplies by the derivative of scores by scaled ones."""
    first = chain.logits[0]
    scaled_scores = first.symbol if isinstance(first.expression, Scaled) else chain.scores.symbol
    slope = step.expression.args[1]
    return isinstance(slope, CapSlope | ScoreMod) and slope.args[0] == scaled_scores


def _with_bias(found: FusedBack, dZ: MatrixSymbol, program: Program, scope: Scope) -> FusedBack | None:
    """The same with the bias that the gradient by logits is used for; None where that is used for more."""
    own = found.inner | found.chain.inner
    for step in program:
        if step.symbol in own or step.symbol == found.chain.output.symbol:
            continue
        used = found.renamed(step).uses & own
        if used and (used != {dZ} or step.by not in scope.inputs.lone_biases or found.bias is not None):
            return None
        if used:
            found = replace(found, bias=(step.by, dZ))
    return found


def back_lines(back: FusedBack, scope: Scope, output: str) -> list[str]:
    """The lines that compute the output of a chain and everything that leaves its backward pass."""
    prepared = prepare(back.chain, scope, back.upstream, back.slope and back.slope.expression.args[1])
    names = {}
    for word, symbol in back.made.items():
        names[word] = scope.arrays[symbol] = scope.names.fresh(f"by_{word}")
    results = [output, *(names.get(word, "_") for word in ("queries", "keys", "values", "bias", "sink"))]
    bias = f", bias={prepared.masks_or_biases[scope.array(back.bias[0])].within(ATOM)}.shape" if back.bias else ""
    attend = (
        f"{', '.join(results)} = attend_back({prepared.arguments}, logits, lead{bias}, threads=threads{prepared.terms})"
    )
    return [*prepared.lines, attend, *prepared.joined(output, *names.values())]
