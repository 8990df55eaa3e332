"""What the known functions of the field do to small tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from symattn.checking.formulas.trials.symbols import NotSettledError, Scope
from symattn.reading import formula as f
from symattn.values.tensors import MisfitError, Tensor, join, largest

_HALF = Tensor.number(Fraction(1, 2))


def _softmax(x: Tensor, scope: Scope) -> Tensor:
    if x.is_vector or not x.shape:
        powers = x.apply("exp")
        return powers / powers.total()
    return x.softmax(scope.reading.axis)


def _softmax1(x: Tensor, scope: Scope) -> Tensor:
    powers = x.apply("exp")
    one = Tensor.number(1)
    return powers / ((powers.total() if x.is_vector else powers.fold(scope.reading.axis, "sum")) + one)


def _axis(x: Tensor, scope: Scope) -> int:
    """Along which axis the features of a token lie."""
    if x.is_vector:
        return 1 if x.rows == 1 else 0
    return 1 if scope.reading.rows else 0


def _layernorm(x: Tensor, scope: Scope) -> Tensor:
    axis = _axis(x, scope)
    return (x - x.fold(axis, "mean")) / x.fold(axis, "variance").apply("sqrt")


def _rmsnorm(x: Tensor, scope: Scope) -> Tensor:
    axis = _axis(x, scope)
    return x / (x * x).fold(axis, "mean").apply("sqrt")


def _lower(x: Tensor, scope: Scope) -> Tensor:
    """What stands strictly below the diagonal."""
    zero = Tensor.number(0)
    cells = [[x.at(i, j) if j < i else zero for j in range(x.columns)] for i in range(x.rows)]
    return join([join(row, 1) for row in cells], 0)


def _inner(arguments: Sequence[Tensor], scope: Scope) -> Tensor:
    """The sum of the products of the entries of two vectors of one length, however they stand."""
    if len(arguments) != 2:
        raise NotSettledError("inner")
    a, b = arguments
    if a.shape != b.shape and a.turned().shape == b.shape and a.is_vector:
        a = a.turned()
    if a.shape != b.shape:
        raise MisfitError("⟨,⟩", a.shape, b.shape)
    return (a * b).total()


def _outer(arguments: Sequence[Tensor], scope: Scope) -> Tensor:
    """The matrix of the products of the entries of two vectors, however they stand."""
    if len(arguments) != 2 or not all(x.is_vector for x in arguments):
        raise NotSettledError("outer")
    a, b = arguments
    return (a if a.columns == 1 else a.turned()) @ (b if b.rows == 1 else b.turned())


def _fold(name: str) -> Callable[[Tensor, Scope], Tensor]:
    return lambda x, scope: x.total(name)


def _extreme(name: str) -> Callable[[Tensor, Scope], Tensor]:
    def fold(x: Tensor, _: Scope) -> Tensor:
        if not x.shape:
            raise NotSettledError(name)  # over what, is not said
        return x.total(name)

    return fold


def _length(x: Tensor, _: Scope) -> Tensor:
    if not x.is_vector:
        raise NotSettledError("len")  # how many rows, or how many entries
    return Tensor.number(x.rows * x.columns)


def _along(name: str, axis: int) -> Callable[[Tensor, Scope], Tensor]:
    return lambda x, scope: x.fold(axis, name)


FUNCTIONS: Mapping[str, Callable[[Tensor, Scope], Tensor]] = {
    "softmax": _softmax,
    "softmax_1": _softmax1,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
    "rms": lambda x, scope: (x * x).total("mean").apply("sqrt"),
    "sigma": lambda x, _: x.apply("sigmoid"),
    "σ": lambda x, _: x.apply("sigmoid"),
    "Φ": lambda x, _: (x / Tensor.number(2).apply("sqrt")).apply("erf") * _HALF + _HALF,
    "expectation": _fold("mean"),
    "rsqrt": lambda x, _: x.raised(Fraction(-1, 2)),
    "abs": lambda x, _: largest(x, -x),
    "swish": lambda x, _: x.apply("silu"),
    "diag": lambda x, _: x.diagonal(),
    "rowsum": _along("sum", 1),
    "rowmax": _along("max", 1),
    "colsum": _along("sum", 0),
    "sum": _fold("sum"),
    "mean": _fold("mean"),
    "len": _length,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "norm": _fold("norm"),
    "var": _fold("variance"),
    "std": lambda x, _: x.total("variance").apply("sqrt"),
    "tr": lambda x, _: x.diagonal().total(),
    "trace": lambda x, _: x.diagonal().total(),
    "lower": _lower,
    "dropout": lambda x, _: x,  # which drops nothing on average, and nothing at all once it is trained
}


def attend(q: Tensor, k: Tensor, v: Tensor, scope: Scope, *, scaled: bool = True) -> Tensor:
    """softmax(Q Kᵀ/√d_k) V of rows, V softmax(Kᵀ Q/√d_k) of columns."""
    if not scope.reading.rows:
        return attend(q.turned(), k.turned(), v.turned(), Scope.at(type(scope.reading)()), scaled=scaled).turned()
    scores = q @ k.turned()
    if scaled:
        scores = scores * Tensor.number(q.columns).raised(Fraction(-1, 2))
    return scores.softmax(1) @ v


def _attention(arguments: Sequence[Tensor], scope: Scope) -> Tensor:
    if len(arguments) != 3:
        raise NotSettledError("attention")
    q, k, v = arguments
    return attend(q, k, v, scope)


FUNCTIONS_OF_SEVERAL: Mapping[str, Callable[[Sequence[Tensor], Scope], Tensor]] = {
    "inner": _inner,
    "outer": _outer,
    "attention": _attention,
}


_DOWN = frozenset((option, axis) for option in ("dim", "axis") for axis in ("0", "-2"))


def has_down_option(call: f.Call) -> bool:
    """Whether an option of a softmax says that it goes down the columns, `dim=0`."""
    return call.function == "softmax" and not _DOWN.isdisjoint(call.options)


def is_by_columns(e: f.Expression) -> bool:
    """Whether it is a softmax_col: down each column, or over the columns of each row."""
    return (
        isinstance(e, f.Call)
        and e.function == "softmax"
        and e.label[:1] in (("col",), ("cols",), ("column",), ("columns",))
    )
