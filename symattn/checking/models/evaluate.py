"""A formula's tree -> its value in a model, over whichever ring the model has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from symattn.checking.models.conditions import is_otherwise, orders_of
from symattn.checking.models.letters import axis_of
from symattn.checking.models.rings import At, Numbers, Size, Slopes
from symattn.checking.models.tensors import HALF, MINUS_ONE, MisfitError, Tensor, Tensors
from symattn.checking.work import spend
from symattn.reading import formula as f

MOST_PARTS = 20_000  # of formulas that one model works out
MOST_DOTS = 3  # of a product, each of which may be an inner product
_ONES = f.Name("𝟏")
ELEMENTARY = {"exp", "log", "tanh", "sin", "cos"}


class UnsettledError(Exception):
    """A letter or a form of which it is not settled what it means here."""


class Model:
    """What names are worth, and what else only a model knows; what is not overridden is not settled."""

    tensors: Tensors
    left: int = MOST_PARTS

    def spend(self) -> None:
        """Count a part that is worked out; sums inside sums are many. Raises UnsettledError when there are too many."""
        spend()
        self.left -= 1
        if self.left < 0:
            raise UnsettledError("too large")

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        """Raises UnsettledError."""
        raise UnsettledError(name.base)

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        """The value of a form that means something of its own here; None for all others."""
        return None

    def function(self, name: str, x: Tensor) -> Tensor | None:
        """What a function that only the model knows makes of its argument."""
        return None

    def derivative(self, e: f.Derivative, scope: Scope) -> Tensor:
        """∂L/∂X. Raises UnsettledError."""
        raise UnsettledError("derivative")

    def family(self, e: f.Expression, indices: tuple[str, ...]) -> Tensor:
        """A formula for every value of its indices."""
        raise UnsettledError("index")

    def indices(self, name: f.Name) -> tuple[str, ...]:
        """The index letters that a name carries."""
        return ()

    def axis(self, name: f.Name, letter: str) -> Size | None:
        """The size of the range over which an index of this name runs, if this is one of its indices."""
        return None


@dataclass(frozen=True)
class Scope:
    """A model, and what the indices that are bound are."""

    model: Model
    bound: Mapping[str, At] = field(default_factory=dict)

    def bind(self, letter: str, at: At) -> Scope:
        return Scope(self.model, {**self.bound, letter: at})


def evaluate(e: f.Expression, scope: Scope) -> Tensor:
    """The value. Raises MisfitError where sizes do not fit, UnsettledError for what has no meaning here."""
    scope.model.spend()
    return _as_number(_value(e, scope))


def _as_number(x: Tensor) -> Tensor:
    """What has one row and one column is a number."""
    return Tensor((), lambda: x.at(0, 0)) if x.shape == (1, 1) else x


def _value(e: f.Expression, scope: Scope) -> Tensor:
    t = scope.model.tensors
    if (special := scope.model.special(e, scope)) is not None:
        return special
    match e:
        case f.Number():
            return t.number(e.value)
        case f.Name():
            return scope.model.value(e, scope)
        case f.Sum():
            return _sum(e, scope)
        case f.Product():
            return _product(e, scope)
        case f.Elementwise():
            return t.hadamard(*(evaluate(x, scope) for x in e.factors))
        case f.Quotient():
            return _quotient(t, evaluate(e.numerator, scope), evaluate(e.denominator, scope))
        case f.Root():
            return t.power(evaluate(e.radicand, scope), HALF)
        case f.Power():
            return _power(e, scope)
        case f.Transpose():
            return t.transpose(evaluate(e.operand, scope))
        case f.Call():
            return _call(e, scope)
        case f.Entry():
            return _entry(e, scope)
        case f.Derivative():
            return scope.model.derivative(e, scope)
        case f.BigSum():
            return _sum_over(e, scope)
        case f.Matrix():
            return _matrix(e, scope)
        case f.Cases():
            return _case(e, scope)
    raise UnsettledError(type(e).__name__)


def _matrix(e: f.Matrix, scope: Scope) -> Tensor:
    """A matrix written out, of numbers."""
    rows = [[evaluate(cell, scope) for cell in row] for row in e.rows]
    if not isinstance(scope.model.tensors.ring, Numbers | Slopes) or not all(x.is_number for row in rows for x in row):
        raise UnsettledError("matrix")
    return scope.model.tensors.make((len(rows), len(rows[0])), lambda i, j: rows[i][j].at())


def _case(e: f.Cases, scope: Scope) -> Tensor:
    """The value of the first case that two bound indices are in."""
    letters = "".join(scope.bound)
    if len(letters) != 2 or not isinstance(scope.model.tensors.ring, Numbers | Slopes):
        raise UnsettledError("cases")
    first, second = scope.bound.values()
    order = (second > first) - (second < first)
    for value, condition in zip(e.values, e.conditions, strict=True):
        orders = orders_of(condition, letters)
        if orders is None and not is_otherwise(condition):
            raise UnsettledError("condition")
        if orders is None or order in orders:
            return evaluate(value, scope)
    raise UnsettledError("cases")


def _sum(e: f.Sum, scope: Scope) -> Tensor:
    t = scope.model.tensors
    values = [evaluate(term, scope) for term in e.terms]
    spread = any(x.is_number and _is_square_of_ones(term) for x, term in zip(values, e.terms, strict=True))
    if spread and any(x.is_vector for x in values):
        raise UnsettledError("1")  # x - c 𝟏𝟏ᵀ of a vector
    return t.add(*(_signed(t, x, sign) for x, sign in zip(values, e.signs, strict=True)))


def _is_square_of_ones(e: f.Expression) -> bool:
    """Whether 𝟏𝟏ᵀ, a matrix of ones, is a factor."""
    return isinstance(e, f.Product) and _has_square_of_ones(e.factors)


def _has_square_of_ones(factors: Sequence[f.Expression]) -> bool:
    return any(_is_ones(a) and _is_ones(b) and isinstance(b, f.Transpose) and a != b for a, b in pairwise(factors))


def _signed(t: Tensors, x: Tensor, sign: int) -> Tensor:
    return x if sign == 1 else t.scale(x, -1)


def _product(e: f.Product, scope: Scope) -> Tensor:
    """Factors from left to right; 𝟏 sums the matrix beside it, and spreads a column or number, as sums do anyway."""
    t = scope.model.tensors
    if len(e.operators) > 1 and (pair := _pair_of_vectors(e, scope)) is not None:
        return inner(t, *pair)
    made: Tensor | None = None
    for k, (operator, factor) in enumerate(zip(("", *e.operators), e.factors, strict=True)):
        if _is_ones(factor):
            if made is not None and not made.is_number and not isinstance(factor, f.Transpose):
                made = t.total(made, 1)
            continue
        value = evaluate(factor, scope)
        if made is None:
            first = e.factors[0]
            summed = factor is not first and isinstance(first, f.Transpose) and _is_ones(first)
            made = t.total(value, 0) if summed and not value.is_number else value
        else:
            if made.is_number and not value.is_number and _has_square_of_ones(e.factors[:k]):
                raise UnsettledError("1")  # c 𝟏𝟏ᵀ x, where 𝟏ᵀ sums what is behind it
            made = _as_number(multiply(t, made, value, operator))
    if made is None:
        raise UnsettledError("1")
    return _as_number(made)


def _pair_of_vectors(e: f.Product, scope: Scope) -> tuple[Tensor, Tensor] | None:
    """The two of A x · B y, where both are vectors that stand alike; so x · A × y and x · A · y."""
    places = [k for k, operator in enumerate(e.operators) if operator == "·"]
    if not 0 < len(places) <= MOST_DOTS or not {*e.operators} <= {"", "·", "×", "@"}:
        return None
    for at in places:
        groups = ((e.factors[: at + 1], e.operators[:at]), (e.factors[at + 1 :], e.operators[at + 1 :]))
        try:
            x, y = (evaluate(f.Product(*g) if len(g[0]) > 1 else g[0][0], scope) for g in groups)
        except MisfitError:
            continue
        if x.is_vector and x.shape == y.shape:
            return x, y
    return None


def _is_ones(e: f.Expression) -> bool:
    return (e.operand if isinstance(e, f.Transpose) else e) == _ONES


def multiply(t: Tensors, x: Tensor, y: Tensor, operator: str) -> Tensor:
    """x y; x · y, the inner product of two vectors that stand alike; x ⊗ y, the outer product of two vectors."""
    if operator == "⊗":
        if not (x.is_vector and y.is_vector):
            raise UnsettledError("⊗")
        return t.multiply(x if x.shape[1] == 1 else t.transpose(x), y if y.shape[0] == 1 else t.transpose(y))
    if operator == "·" and x.is_vector and x.shape == y.shape:
        return inner(t, x, y)
    if operator == "*" and x.shape == y.shape and x.is_vector:
        return t.hadamard(x, y)  # no matrix product is meant where there is none
    return t.multiply(x, y)


def inner(t: Tensors, x: Tensor, y: Tensor) -> Tensor:
    """Σ x_ij y_ij."""
    return t.total(t.total(t.hadamard(x, y), 1), 0)


def _quotient(t: Tensors, x: Tensor, y: Tensor) -> Tensor:
    if not y.is_number and not y.is_vector:
        raise MisfitError((x.shape, y.shape))
    return t.divide(x, y)


def _power(e: f.Power, scope: Scope) -> Tensor:
    t = scope.model.tensors
    base, exponent = evaluate(e.base, scope), evaluate_number(e.exponent)
    exponent = _steps_in(e.exponent, scope) if exponent is None else exponent
    if exponent is None:
        return t.apply("exp", t.hadamard(t.apply("log", base), evaluate(e.exponent, scope)))
    if base.diagonal is not None:
        return t.diagonal(t.power(base.diagonal, exponent))
    if not base.is_number and not base.is_vector:
        if exponent == MINUS_ONE:
            return inverse(t, base)
        raise UnsettledError("power of a matrix")
    return t.power(base, exponent)


def _steps_in(e: f.Expression, scope: Scope) -> Fraction | None:
    """The number of steps t − i between two indices that are bound to numbers."""
    match e:
        case f.Sum((f.Name(last, (), ()), f.Name(first, (), ())), (1, -1)):
            at = scope.bound.get(last), scope.bound.get(first)
            return Fraction(at[0] - at[1]) if isinstance(at[0], int) and isinstance(at[1], int) else None
    return None


def evaluate_number(e: f.Expression) -> Fraction | None:
    """The number that is written, with a sign or as a fraction."""
    match e:
        case f.Number():
            return e.value
        case f.Sum() if len(e.terms) == 1 and (inside := evaluate_number(e.terms[0])) is not None:
            return e.signs[0] * inside
        case f.Quotient():
            above, below = evaluate_number(e.numerator), evaluate_number(e.denominator)
            return above / below if above is not None and below else None
    return None


def inverse(t: Tensors, x: Tensor) -> Tensor:
    """The inverse of a matrix of numbers, by Gauss and Jordan."""
    if not isinstance(t.ring, Numbers | Slopes) or x.shape[0] != x.shape[1]:
        raise MisfitError(x.shape) if x.shape[0] != x.shape[1] else UnsettledError("inverse")
    n, ring = int(x.shape[0]), t.ring
    rows = [[x.at(i, j) for j in range(n)] + [ring.delta(i, j) for j in range(n)] for i in range(n)]
    minus = ring.number(MINUS_ONE)
    for k in range(n):
        over = ring.power(rows[k][k], MINUS_ONE)
        rows[k] = [ring.multiply(over, a) for a in rows[k]]
        for i in range(n):
            if i != k:
                factor = ring.multiply(minus, rows[i][k])
                rows[i] = [ring.add(a, ring.multiply(factor, b)) for a, b in zip(rows[i], rows[k], strict=True)]
    return t.make(x.shape, lambda i, j: rows[i][n + j])


# --- functions


def _call(e: f.Call, scope: Scope) -> Tensor:
    t = scope.model.tensors
    if e.function == "inner":
        x, y = (evaluate(a, scope) for a in e.arguments)
        if x.shape != y.shape:
            raise MisfitError((x.shape, y.shape))
        return inner(t, x, y)
    if e.function == "max" and len(e.label) == len(e.arguments) == 1 and e.label[0] not in scope.bound:
        return _largest(e.label[0], e.arguments[0], scope)
    if e.function == "max" and len(e.arguments) == 2:
        if not isinstance(t.ring, Numbers):
            raise UnsettledError("max")  # the larger of two is known of numbers alone
        return t.together(lambda a, b: a.max(b), *(evaluate(a, scope) for a in e.arguments))
    if e.function == "tril" and len(e.arguments) == 2 and evaluate_number(e.arguments[1]) == -1:
        return _by_model(scope, "strictlower", evaluate(e.arguments[0], scope))
    if len(e.arguments) != 1:
        raise UnsettledError(e.function)
    if e.function == "softmax" and (entry := _softmax_entry(e, scope)) is not None:
        return entry
    x = evaluate(e.arguments[0], scope)
    match e.function.replace("-", "").replace("_", "").replace(" ", ""):
        case name if name in ELEMENTARY:
            return t.apply(name, x)
        case "softmax" if not x.is_number:
            return t.softmax(x, 0 if x.is_vector and x.shape[1] == 1 else 1)
        case "rowsum" | "rowmax" | "diag" if x.is_number:  # of a single row and column
            return x
        case "rowsum":
            return t.total(x, 1)
        case "rowmax":
            return t.largest(x)
        case "diag":
            return t.diagonal(x) if x.diagonal is None else x  # diag(α I) is α I
        case "tr" | "trace" if not x.is_number:
            return t.trace(x)
        case "sigmoid" | "sigma":
            one = t.number(1)
            return t.divide(one, t.add(one, t.apply("exp", t.scale(x, -1))))
        case "relu" if isinstance(t.ring, Numbers):
            return t.together(lambda a, b: a.max(b), x, t.number(0))
        case "sum" if not x.is_number and (axis := axis_of(e)) is not None:
            return t.total(x, 0 if axis == 0 else 1)
        case "sum":
            return t.total(t.total(x, 1), 0) if not x.is_number else x
        case "mean" if x.is_vector and all(isinstance(size, int) for size in x.shape):
            return t.scale(t.total(t.total(x, 1), 0), Fraction(1, max(map(int, x.shape))))
    return _by_model(scope, e.function, x)


def _largest(letter: str, body: f.Expression, scope: Scope) -> Tensor:
    """max_j S_ij."""
    t = scope.model.tensors
    size = range_of(letter, body, scope.model)
    if size is None or not evaluate(body, scope.bind(letter, t.ring.some(size))).is_number:
        raise UnsettledError("max")
    return t.make((), lambda: t.ring.largest(size, lambda k: evaluate(body, scope.bind(letter, k)).at()))


def _by_model(scope: Scope, name: str, x: Tensor) -> Tensor:
    if (value := scope.model.function(name, x)) is None:
        raise UnsettledError(name)
    return value


def _softmax_entry(e: f.Call, scope: Scope) -> Tensor | None:
    """softmax_j(e_ij): the entry of the softmax over the last index, or over the one below the word."""
    t = scope.model.tensors
    inside = [i for part in f.walk(e.arguments[0]) if isinstance(part, f.Name) for i in scope.model.indices(part)]
    over = e.label[0] if e.label and e.label[0] in inside else inside[-1] if inside else ""
    if over not in scope.bound or not evaluate(e.arguments[0], scope).is_number:
        return None
    others = Scope(scope.model, {i: at for i, at in scope.bound.items() if i != over})
    size = range_of(over, e.arguments[0], scope.model)
    if size is None:
        return None

    def powers(k: At) -> Any:
        return t.ring.function("exp", evaluate(e.arguments[0], others.bind(over, k)).at())

    total = t.make((), lambda: t.ring.total(size, powers))
    return t.divide(t.make((), lambda: powers(scope.bound[over])), total)


# --- indices


def _entry(e: f.Entry, scope: Scope) -> Tensor:
    t, x = scope.model.tensors, evaluate(e.operand, scope)
    places = places_of("".join(e.indices) if all(len(i) == 1 for i in e.indices) else ",".join(e.indices), scope)
    if places is None or any(p is None for p in places):
        raise UnsettledError("entry")
    return at_place(t, x, places)


def at_place(t: Tensors, x: Tensor, places: tuple[At, ...]) -> Tensor:
    """An entry, or with one index the entry of a vector or the row of a matrix."""
    if x.is_number:
        raise UnsettledError("entry of a number")
    if len(places) == 2:
        return t.entry(x, *places)
    if x.is_vector:
        (k,) = places
        return t.make((), lambda: x.at(k, 0) if x.shape[1] == 1 else x.at(0, k))
    return t.row(x, places[0])


def places_of(text: str, scope: Scope) -> tuple[At | None, ...] | None:
    """The indices that a subscript writes: `ij`, `i,j`, `1`, with ":" as None; None for anything else."""
    parts = text.split(",") if "," in text else list(text)
    found: list[At | None] = []
    for part in parts:
        if part == ":":
            found.append(None)
        elif part in scope.bound:
            found.append(scope.bound[part])
        elif part.isdigit() and isinstance(scope.model.tensors.ring, Numbers | Slopes):
            found.append(int(part) - 1)
        else:
            return None
    return tuple(found)


def _sum_over(e: f.BigSum, scope: Scope) -> Tensor:
    """A sum; in a formula of matrices, one with an index left free is a column."""
    left = free_indices(e, scope.model) - set(scope.bound)
    if not left:
        return _total(e, scope)
    if len(left) > 1 or scope.bound:
        raise UnsettledError("index")
    return scope.model.family(e, tuple(left))


def free_indices(e: f.Expression, model: Model) -> frozenset[str]:
    """The letters that are indices of names in it, and that no sum binds."""
    if isinstance(e, f.BigSum):
        return free_indices(e.body, model) - {e.index}
    if isinstance(e, f.Call) and e.function == "max" and len(e.arguments) == 1:
        return free_indices(e.arguments[0], model) - set(e.label)
    found = frozenset[str]()
    if isinstance(e, f.Name):
        found = frozenset(i for i in model.indices(e))
    return found.union(*(free_indices(part, model) for part in e.parts))


def _total(e: f.BigSum, scope: Scope) -> Tensor:
    t, model = scope.model.tensors, scope.model
    size = range_of(e.index, e.body, model)
    if size is None or e.index in scope.bound:
        raise UnsettledError("sum")
    if e.condition is not None:
        return _total_without(e, scope)
    first, last = _limits(e, scope, size)
    if isinstance(t.ring, Numbers | Slopes):
        terms = [evaluate(e.body, scope.bind(e.index, k)) for k in range(int(first), int(last))]
        return t.add(*terms) if terms else t.number(0)
    shape = evaluate(e.body, scope.bind(e.index, t.ring.some(size))).shape
    return t.make(
        shape, lambda *place: t.ring.total(size, lambda k: evaluate(e.body, scope.bind(e.index, k)).at(*place))
    )


def _total_without(e: f.BigSum, scope: Scope) -> Tensor:
    """Σ_{i ≠ k} of a body: its sum over every i without the term at k; other conditions are not settled."""
    assert e.condition is not None
    sides = e.condition.sides
    letters = [f.Name(letter) for letter in (e.index, *scope.bound)]
    places = [x.base for side in sides if isinstance(x := side.expression, f.Name) and x in letters]
    if len(sides) != 2 or len(places) != 2 or sides[1].relation != "≠" or places.count(e.index) != 1:
        raise UnsettledError("condition")
    if e.lower is not None or e.upper is not None:
        raise UnsettledError("condition")
    (other,) = set(places) - {e.index}
    whole = evaluate(replace(e, condition=None), scope)
    term = evaluate(e.body, scope.bind(e.index, scope.bound[other]))
    return scope.model.tensors.add(whole, _signed(scope.model.tensors, term, -1))


def _limits(e: f.BigSum, scope: Scope, size: Size) -> tuple[Size, Size]:
    """Where a sum begins and ends, from 0 and exclusive; bounds that are sizes are taken for the whole range."""
    first, last = _bound(e.lower, scope), _bound(e.upper, scope)
    begins = e.lower.value if isinstance(e.lower, f.Number) else None
    whole = (0,) if begins == 1 else (0, -1)  # how many less than all an upper bound may be
    if (begins or 0) > 1 or (e.upper is not None and last is None and _offset(e.upper) not in whole):
        raise UnsettledError("bound")
    if (first or last) is not None and not isinstance(scope.model.tensors.ring, Numbers | Slopes):
        raise UnsettledError("bound")
    return 0 if first is None else first, size if last is None else last + 1


def _bound(e: f.Expression | None, scope: Scope) -> Any:
    """A bound that an index gives, `t` or `t - 1`; None for a number at the start and for a size."""
    if isinstance(e, f.Name) and e.base in scope.bound and not e.sub:
        return scope.bound[e.base]
    if isinstance(e, f.Sum) and isinstance(e.terms[0], f.Name) and e.terms[0].base in scope.bound:
        return scope.bound[e.terms[0].base] + _offset(e)
    if isinstance(e, f.Name) and not e.sub and len(e.base) == 1 and e.base in "ijtr":
        raise UnsettledError(e.base)
    return None


def _offset(e: f.Expression) -> int:
    """The whole number added to a name, `t - 1`."""
    if not isinstance(e, f.Sum):
        return 0
    if len(e.terms) != 2 or not isinstance(e.terms[1], f.Number) or e.terms[1].value.denominator != 1:
        raise UnsettledError("bound")
    return e.signs[1] * int(e.terms[1].value)


def range_of(letter: str, e: f.Expression, model: Model) -> Size | None:
    """The size of the range of an index, by the names that carry it."""
    for part in f.walk(e):
        if isinstance(part, f.Name) and (size := model.axis(part, letter)) is not None:
            return size
    return None
