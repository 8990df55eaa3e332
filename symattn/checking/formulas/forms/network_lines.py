"""Lines that every text on networks has: z = Wx + b, w ← w − η ∂L/∂w, m_t = β m_{t−1} + (1 − β) g_t, m̂ = m/(1 − βᵗ).

Each is known by its form; what has another form is left to others, for it may be meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import is_loss, slope_of
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_WEIGHTS = frozenset(("W", "w", "U", "u", "Θ", "θ"))
_BIASES = frozenset(("b", "β", "bias"))
_RATES = frozenset(("η", "α", "γ", "ε", "lr", "μ"))
_AVERAGES = frozenset(("m", "v", "μ", "σ", "σ²", "s", "S", "V", "h", "θ"))


def judge_network_line(statement: Statement, context: Context) -> Formula | None:
    """What is said of one of these lines."""
    sides = statement.equals
    if len(sides) < 2 or len(sides) != len(statement.sides) or not isinstance(sides[0], f.Name):
        return None
    left, right = sides[0], sides[1]
    if len(sides) == 2 and _is_step(left, right):
        return accept(statement, Sentence("formula.descent"))
    if len(sides) == 2 and (_is_average(left, right) or _is_corrected(left, right)):
        return accept(statement, Sentence("formula.moving_average"))
    inner = [_argument(side) for side in sides[1:]]
    called = {side.function for side in sides[1:] if isinstance(side, f.Call)}
    if len(called) > 1 or (len(called) == 1) != all(isinstance(side, f.Call) for side in sides[1:]):
        return None
    fits = (context.once(collect).fit(side, None, statement.span[0]).outcome for side in inner)
    if all(_is_affine(left, side) for side in inner) and not {"never", "fits-if"} & {*fits}:
        return accept(statement, Sentence("formula.affine_layer"))
    return None


def _argument(side: f.Expression) -> f.Expression:
    """The z of f(z), where f may be any activation."""
    return side.arguments[0] if isinstance(side, f.Call) and len(side.arguments) == 1 else side


# --- z = Wx + b


def _is_affine(left: f.Name, right: f.Expression) -> bool:
    match right:
        case f.Sum((product, f.Name() as bias), (1, 1)) | f.Sum((f.Name() as bias, product), (1, 1)):
            weight = _weight_of(left, product)
            if weight is None or bias.base not in _BIASES:
                return False
            own = {mark for mark in _marks(bias) if not mark.isalpha()}
            return own <= {mark for mark in _marks(weight) if not mark.isalpha()} and _indices(bias) <= _indices(left)
    return False


def _weight_of(left: f.Name, product: f.Expression) -> f.Name | None:
    """The weights of W x, x W, wᵀx, w · x or Σ_i w_ij x_i, whose free indices are those of the left side."""
    index = ""
    if isinstance(product, f.BigSum) and len(product.index) == 1 and product.condition is None:
        index, product = product.index, product.body
    if not isinstance(product, f.Product) or len(product.factors) != 2 or not {*product.operators} <= {"", "·"}:
        return None
    first, second = (_of_layer(x.operand if isinstance(x, f.Transpose) else x, left) for x in product.factors)
    if not isinstance(first, f.Name) or not isinstance(second, f.Name):
        return None
    weights = [x for x in (first, second) if x.base in _WEIGHTS]
    others = [x for x in (first, second) if x.base not in _WEIGHTS | _BIASES]
    if len(weights) != 1 or len(others) != 1 or others[0] == left:
        return None
    if index:
        shared = index in _indices(first) and index in _indices(second)
        whole = (_indices(first) | _indices(second)) - {index} == _indices(left)
        return weights[0] if shared and whole else None
    turned = [isinstance(x, f.Transpose) for x in product.factors]
    return None if turned == [False, True] or _indices(first) | _indices(second) else weights[0]


def _of_layer(e: f.Expression, left: f.Name) -> f.Expression:
    """The a of a^{[l−1]}, read as a power, beside z^{[l]}."""
    match e:
        case f.Power(f.Name() as base, f.Sum((f.Name(layer, (), ()), f.Number()), (1, -1))) if layer in left.sup:
            return base
    return e


def _indices(name: f.Name) -> frozenset[str]:
    return frozenset(
        letter for part in name.sub if part.isalpha() and part.islower() and len(part) < 3 for letter in part
    )


def _marks(name: f.Name) -> tuple[str, ...]:
    """What tells layers apart."""
    return (*name.sub, *name.sup)


# --- steps


def _is_step(left: f.Name, right: f.Expression) -> bool:
    """w − η ∂L/∂w, for w."""
    match right:
        case f.Sum((f.Name() as before, f.Product((f.Name() as rate, slope), ("" | "·",))), (1, -1)):
            by = slope_of(slope)
            own = before.base == left.base and _indices(before) == _indices(left)
            of_loss = not isinstance(slope, f.Derivative) or is_loss(slope.of)
            same = by is not None and by.base == left.base and _indices(by) == _indices(left)
            return own and same and of_loss and rate.base in _RATES and not is_loss(left)
    return False


def _is_average(left: f.Name, right: f.Expression) -> bool:
    """β m_{t−1} + (1 − β) g_t, for m_t; for v_t, of squares."""
    match right:
        case f.Sum((first, second), (1, 1)):
            pairs = (_scaled(first), _scaled(second))
            return any(_is_kept(left, *kept, *taken) for kept, taken in (pairs, pairs[::-1]))
    return False


def _is_kept(left: f.Name, factor: f.Expression, before: f.Expression, rest: f.Expression, new: f.Expression) -> bool:
    match rest:
        case f.Sum((one, other), (1, -1)) if _is_one(one) and other == factor and isinstance(factor, f.Name):
            own = isinstance(before, f.Name) and before.base == left.base != factor.base and left.base in _AVERAGES
            square = isinstance(new, f.Power) and isinstance(new.exponent, f.Number) and new.exponent.value == 2
            return own and (square or left.base != "v")
    return False


def _scaled(term: f.Expression) -> tuple[f.Expression, f.Expression]:
    match term:
        case f.Product((factor, rest), ("" | "·",)):
            return factor, rest
    return f.Number("1", Fraction(1), Fraction(1)), term


def _is_corrected(left: f.Name, right: f.Expression) -> bool:
    """m_t/(1 − βᵗ), for m̂_t."""
    match right:
        case f.Quotient(f.Name() as above, f.Sum((one, power), (1, -1))) if _is_one(one):
            return left.base == above.base + "\u0302" and left.sub == above.sub and _is_power(power, above.sub)
    return False


def _is_power(e: f.Expression, steps: Sequence[str]) -> bool:
    """βᵗ, for the step t."""
    match e:
        case f.Name("β", _, (step,)) | f.Power(f.Name("β"), f.Name(step, (), ())):
            return step in steps
    return False


def _is_one(e: f.Expression) -> bool:
    return isinstance(e, f.Number) and e.value == 1
