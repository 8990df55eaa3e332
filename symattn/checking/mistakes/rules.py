"""Other formulas that authors compute by mistake: rules from an expression to those it may be taken for.

Each rule knows one mistake and yields every formula that it leads to, with the sentence that names it. Whether the
printed numbers are those of such a formula is decided in `readings`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.evaluation import NoValueError, evaluate
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.writing.prose import Sentence

MOST_HEADS = 4


@dataclass(frozen=True)
class Reread:
    """A formula that may have been computed instead, and what that mistake is called."""

    name: Sentence
    expression: f.Expression


@dataclass(frozen=True)
class Spot:
    """An expression within another: what stands there, what puts another in its place, whether a softmax is around."""

    node: f.Expression
    put: Callable[[f.Expression], f.Expression]
    in_softmax: bool = False


Rule = Callable[[f.Expression, Environment], Iterator[Reread]]


def spots(expression: f.Expression, in_softmax: bool = False) -> Iterator[Spot]:
    """The expression and everything in it that is no cell of a matrix, each with the way to replace it."""
    yield Spot(expression, lambda new: new, in_softmax)
    within = in_softmax or is_softmax(expression)
    if isinstance(expression, f.Matrix):
        return
    for each in fields(expression):
        value = getattr(expression, each.name)
        if isinstance(value, f.Expression):
            for spot in spots(value, within):
                yield Spot(spot.node, _into(expression, each.name, spot.put), spot.in_softmax)
        elif isinstance(value, tuple):
            for k, part in enumerate(value):
                if isinstance(part, f.Expression):
                    for spot in spots(part, within):
                        yield Spot(spot.node, _into_tuple(expression, each.name, k, spot.put), spot.in_softmax)


def _into(whole: Any, name: str, put: Callable[[f.Expression], f.Expression]) -> Callable[[f.Expression], f.Expression]:
    return lambda new: replace(whole, **{name: put(new)})


def _into_tuple(
    whole: Any, name: str, k: int, put: Callable[[f.Expression], f.Expression]
) -> Callable[[f.Expression], f.Expression]:
    parts = getattr(whole, name)
    return lambda new: replace(whole, **{name: (*parts[:k], put(new), *parts[k + 1 :])})


def is_softmax(expression: f.Expression) -> bool:
    return isinstance(expression, f.Call) and expression.function == "softmax" and len(expression.arguments) == 1


def versions(expression: f.Expression, environment: Environment) -> Iterator[Balls]:
    """What it is worth from the true values, and from the last print of everything it uses."""
    used: dict[f.Expression, None] = {}
    with suppress(NoValueError):
        yield evaluate(expression, environment.lookup(used=used))
        if last := environment.last_prints(used):
            yield evaluate(expression, environment.lookup(last))


def meaning(expression: f.Expression, environment: Environment) -> f.Expression:
    """A name's formula, as far as the article gave one: Z -> S / √d_k. Anything else stands for itself."""
    if isinstance(expression, f.Name) and expression in environment.stated:
        stated = environment.stated[expression]
        for key, other in environment.stated.items():
            if other is stated and not isinstance(key, f.Name):
                return key
    return expression


def take_apart(expression: f.Expression, environment: Environment) -> f.Expression:
    """Attention(Q, K, V) as softmax(QKᵀ / √d_k) V; a name as its formula."""
    expression = meaning(expression, environment)
    if not isinstance(expression, f.Call) or expression.function != "attention" or len(expression.arguments) != 3:
        return expression
    Q, K, V = expression.arguments
    keys = environment.worth(K)
    if keys is None:
        return expression
    root = f.Root(integer(keys.shape[1]))
    scores = f.Quotient(f.Product((Q, f.Transpose(K)), ("",)), root)
    return f.Product((f.Call("softmax", (scores,)), V), ("",))


def integer(n: int) -> f.Number:
    return f.Number(str(n), Fraction(n), Fraction(1))


def spoken(expression: f.Expression) -> str:
    """A name as running text: W^Q; empty for anything longer, which a sentence does not spell out.

    >>> spoken(f.Name("W", ("1",), ("Q",)))
    'W_1^Q'
    """
    if not isinstance(expression, f.Name):
        return ""
    below, above = ",".join(expression.sub or expression.item), ",".join(expression.sup)
    return expression.base + (f"_{below}" if below else "") + (f"^{above}" if above else "")


def transposes(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """QK for QKᵀ, X Wᵀ for X W (the habit of `X @ W.T`), QᵀK for QKᵀ."""
    for spot in spots(expression):
        if not isinstance(spot.node, f.Product):
            continue
        factors = spot.node.factors
        values = [environment.worth(x) for x in factors]
        wide = [k for k, v in enumerate(values) if v is not None and v.shape != (1, 1)]
        for k in wide:
            yield Reread(_toggle_name(factors[k]), spot.put(_toggle_transpose(spot.node, [k])))
        for a, b in itertools.pairwise(wide):
            if isinstance(factors[a], f.Transpose) != isinstance(factors[b], f.Transpose):
                moved = Sentence("reading.transpose_moved", now=_bare(factors[a]), meant=_bare(factors[b]))
                if isinstance(factors[a], f.Transpose):
                    moved = Sentence("reading.transpose_moved", now=_bare(factors[b]), meant=_bare(factors[a]))
                yield Reread(moved, spot.put(_toggle_transpose(spot.node, [a, b])))


def _toggle_transpose(product: f.Product, at: list[int]) -> f.Product:
    factors = list(product.factors)
    for k in at:
        factor = factors[k]
        factors[k] = factor.operand if isinstance(factor, f.Transpose) else f.Transpose(factor)
    return replace(product, factors=tuple(factors))


def _bare(factor: f.Expression) -> str:
    return spoken(factor.operand if isinstance(factor, f.Transpose) else factor) or "(…)"


def _toggle_name(factor: f.Expression) -> Sentence:
    key = "reading.transpose_left_out" if isinstance(factor, f.Transpose) else "reading.transpose_added"
    return Sentence(key, name=_bare(factor))


def transpose_results(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """Aᵀ for A, also K Qᵀ = (Q Kᵀ)ᵀ inside a softmax. Of 2×2 it is two entries swapped, which is said instead."""
    value = environment.worth(expression)
    if value is not None and value.shape[0] == value.shape[1] > 2:
        bare = isinstance(expression, f.Transpose)
        name = _toggle_name(expression) if bare else Sentence("reading.transposed")
        yield Reread(name, expression.operand if isinstance(expression, f.Transpose) else f.Transpose(expression))
    for spot in spots(expression):
        if spot.in_softmax and isinstance(spot.node, f.Product) and len(spot.node.factors) == 2:
            yield Reread(Sentence("reading.scores_transposed"), spot.put(f.Transpose(spot.node)))


def elementwise(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """Q ⊙ K or Q ⊙ Kᵀ for Q Kᵀ: NumPy's `*` where `@` was meant."""
    for spot in spots(expression):
        if not isinstance(spot.node, f.Product):
            continue
        for k in range(len(spot.node.factors) - 1):
            a, b = spot.node.factors[k : k + 2]
            for other in (b, b.operand if isinstance(b, f.Transpose) else f.Transpose(b)):
                values = environment.worth(a), environment.worth(other)
                if None in values or values[0].shape != values[1].shape or values[0].shape == (1, 1):  # type: ignore[union-attr]
                    continue
                factors = (*spot.node.factors[:k], f.Elementwise((a, other)), *spot.node.factors[k + 2 :])
                operators = spot.node.operators[:k] + spot.node.operators[k + 1 :]
                product = replace(spot.node, factors=factors, operators=operators)
                yield Reread(Sentence("reading.elementwise"), spot.put(product if operators else factors[0]))


def softmax_axis(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """softmax(S) normalised down the columns: exp(s_ij) / Σ_i exp(s_ij); or along the rows where columns were asked."""
    for spot in spots(expression):
        if is_softmax(spot.node) and isinstance(spot.node, f.Call):
            if dict(spot.node.options) in ({"axis": "0"}, {"dim": "0"}):
                yield Reread(Sentence("reading.softmax_rows"), spot.put(replace(spot.node, options=())))
            else:
                down = replace(spot.node, options=(("axis", "0"),))
                yield Reread(Sentence("reading.softmax_columns"), spot.put(down))


def softmax_unnormalised(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """exp(s_ij) for softmax(S)_ij: never divided by the sum of the row."""
    for spot in spots(expression):
        if is_softmax(spot.node) and isinstance(spot.node, f.Call):
            yield Reread(Sentence("reading.not_normalised"), spot.put(f.Call("exp", spot.node.arguments)))


def masks(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """softmax(S + L) with the mask L left out; put on the weights afterwards; or 0 in place of −∞."""
    if not is_softmax(expression):
        yield from _unmask_sums(expression, environment)
    for spot in spots(expression):
        if not is_softmax(spot.node) or not isinstance(spot.node, f.Call):
            continue
        masked = environment.worth(spot.node.arguments[0])
        if masked is None or not masked.hidden:
            continue
        keep = _keep(masked)
        for bare in unmask(spot.node.arguments[0], masked, environment):
            weights = replace(spot.node, arguments=(bare,))
            yield Reread(Sentence("reading.mask_left_out"), spot.put(weights))
            yield Reread(Sentence("reading.mask_after"), spot.put(f.Elementwise((weights, keep))))
            zeroed = replace(spot.node, arguments=(f.Elementwise((bare, keep)),))
            yield Reread(Sentence("reading.mask_zero"), spot.put(zeroed))


def _unmask_sums(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    value = environment.worth(expression)
    if value is not None and value.hidden:
        for bare in unmask(expression, value, environment):
            yield Reread(Sentence("reading.mask_left_out"), bare)
            yield Reread(Sentence("reading.mask_zero"), f.Elementwise((bare, _keep(value))))


def _keep(masked: Balls) -> f.Matrix:
    rows, columns = masked.shape
    return f.Matrix(
        tuple(tuple(integer(int((i, j) not in masked.hidden)) for j in range(columns)) for i in range(rows))
    )


def unmask(expression: f.Expression, masked: Balls, environment: Environment) -> list[f.Expression]:
    """What was masked: the sum without its terms of −∞, or else what was stated with the same visible entries."""
    formula = meaning(expression, environment)
    if isinstance(formula, f.Sum):
        values = [environment.worth(t) for t in formula.terms]
        left = [k for k, v in enumerate(values) if v is None or not v.hidden]
        if left and len(left) < len(values):
            signs = tuple(formula.signs[k] for k in left)
            return [f.Sum(tuple(formula.terms[k] for k in left), signs)]
    found: list[f.Expression] = []
    for key, stated in environment.stated.items():
        if isinstance(key, f.Name) and stated.true.shape == masked.shape and not stated.true.hidden:
            pairs = [(stated.true.rows[i][j], masked.rows[i][j]) for i, j in _show(masked)]
            if all(a.overlaps(b) for a, b in pairs):
                found.append(key)
    return found[-1:]


def _show(masked: Balls) -> Iterator[tuple[int, int]]:
    rows, columns = masked.shape
    return ((i, j) for i in range(rows) for j in range(columns) if (i, j) not in masked.hidden)


def head_orders(expression: f.Expression, environment: Environment) -> Iterator[Reread]:
    """Concat(head_2, head_1) for Concat(head_1, head_2)."""
    for spot in spots(expression):
        node = spot.node
        if not isinstance(node, f.Call) or node.function != "concat":
            continue
        parts = node.arguments
        listed = parts[0] if len(parts) == 1 else None
        if isinstance(listed, f.Matrix) and len(listed.rows) == 1:
            parts = listed.rows[0]
        if not 2 <= len(parts) <= MOST_HEADS:
            continue
        for order in itertools.islice(itertools.permutations(range(len(parts))), 1, None):
            name = Sentence("reading.head_order", order=", ".join(str(k + 1) for k in order))
            yield Reread(name, spot.put(replace(node, arguments=tuple(parts[k] for k in order))))
