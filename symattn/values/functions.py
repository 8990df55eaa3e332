"""The functions of a Transformer block beside attention: of each entry, of each row, and of all entries, enclosed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import accumulate

from flint import arb

from symattn.values.balls import Balls

Row = tuple[arb, ...]
_HALF = arb(1) / 2


def _relu(x: arb) -> arb:
    return x if x > 0 else arb(0) if x < 0 else x.max(arb(0))


def _gelu(x: arb) -> arb:
    """x Φ(x)"""
    return x * _HALF * (1 + (x / arb(2).sqrt()).erf())


def _gelu_tanh(x: arb) -> arb:
    """x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))"""
    inner = (2 / arb.pi()).sqrt() * (x + arb(44715) / 1_000_000 * x * x * x)
    return x * _HALF * (1 + inner.tanh())


def _sigmoid(x: arb) -> arb:
    return 1 / (1 + (-x).exp())


OF_EACH: Mapping[str, Callable[[arb], arb]] = {
    "relu": _relu,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "sigmoid": _sigmoid,
    "sigma": _sigmoid,
    "silu": lambda x: x * _sigmoid(x),
    "swish": lambda x: x * _sigmoid(x),
    "sin": arb.sin,
    "cos": arb.cos,
    "tan": arb.tan,
    "log": arb.log,
    "log2": lambda x: x.log() / arb(2).log(),
    "log10": lambda x: x.log() / arb(10).log(),
    "abs": abs,
}


def _mean(row: Sequence[arb]) -> arb:
    return sum(row, arb(0)) / len(row)


def _variance(row: Sequence[arb], less: int = 0) -> arb:
    mean = _mean(row)
    return sum(((x - mean) * (x - mean) for x in row), arb(0)) / (len(row) - less)


def _largest(row: Sequence[arb]) -> arb:
    return reduce(arb.max, row)


OF_ALL: Mapping[str, Callable[[Sequence[arb]], arb]] = {
    "sum": lambda row: sum(row, arb(0)),
    "mean": _mean,
    "var": _variance,
    "std": lambda row: _variance(row).sqrt(),
    "var_sample": lambda row: _variance(row, 1),
    "std_sample": lambda row: _variance(row, 1).sqrt(),
    "max": _largest,
    "min": lambda row: reduce(arb.min, row),
    "norm": lambda row: sum((x * x for x in row), arb(0)).sqrt(),
    "rms": lambda row: _mean([x * x for x in row]).sqrt(),
}


def _standardised(row: Row, less: int = 0, padding: arb | None = None) -> Row:
    """(x - μ) / σ; `padding` is the small number that programs add to the variance."""
    variance = _variance(row, less)
    mean, deviation = _mean(row), (variance if padding is None else variance + padding).sqrt()
    return tuple((x - mean) / deviation for x in row)


def _by_root_mean_square(row: Row) -> Row:
    size = OF_ALL["rms"](row)
    return tuple(x / size for x in row)


OF_ROWS: Mapping[str, Callable[[Row], Row]] = {
    "layernorm": _standardised,
    "layernorm_sample": lambda row: _standardised(row, 1),
    "layernorm_padded": lambda row: _standardised(row, padding=arb(1) / 100_000),
    "rmsnorm": _by_root_mean_square,
    "cumsum": lambda row: tuple(accumulate(row)),
}


def apply(name: str, value: Balls, axis: str | None) -> Balls | None:
    """The value of a function of one matrix, or None for a function that is not known; −∞ is no argument.

    `axis` is a program's: "-1" or "1" for each row, "0" for each column, None for all entries.
    """
    if value.hidden:
        return None
    rows: tuple[Row, ...] | None = None
    if name in OF_EACH:
        rows = tuple(tuple(OF_EACH[name](x) for x in row) for row in value.rows)
    elif name in OF_ROWS and value.shape[1] > 1:
        rows = tuple(OF_ROWS[name](row) for row in value.rows)
    elif name in OF_ROWS and value.shape[0] > 1:
        rows = tuple((x,) for x in OF_ROWS[name](tuple(row[0] for row in value.rows)))
    elif name in OF_ALL:
        groups = {"0": tuple(zip(*value.rows, strict=True))}.get(axis or "", value.rows)
        if axis is None or value.shape[0] == 1:
            groups = (tuple(x for row in value.rows for x in row),)
        found = tuple(OF_ALL[name](group) for group in groups)
        rows = (found,) if axis == "0" or len(found) == 1 else tuple((x,) for x in found)
    if rows is None or not all(x.is_finite() for row in rows for x in row):
        return None
    return Balls((len(rows), len(rows[0])), None, rows)


def largest_of(a: Balls, b: Balls) -> Balls | None:
    """max(0, x): each entry or the other number, whichever is larger."""
    if b.shape == (1, 1):
        a, b = b, a
    if a.shape != (1, 1) or a.hidden or b.hidden:
        return None
    return Balls(b.shape, None, tuple(tuple(x.max(a.rows[0][0]) for x in row) for row in b.rows))


_UNDECIDED = arb(1) / 1_000_000  # radius of a ball that is one number, of which nobody knows on which side it lies


def whole_part(name: str, value: Balls) -> Balls | None:
    """The largest whole number not above x, for "ceil" the smallest not below, for "round" the nearest; also of ranges.

    None where x is one number that may lie on either side of a whole one.
    """
    if value.shape != (1, 1) or value.hidden:
        return None
    x = value.rows[0][0]
    found = x.ceil() if name == "ceil" else (x + arb(name == "round") / 2).floor()
    if found.rad() > 0 and x.rad() < _UNDECIDED:
        return None
    return Balls((1, 1), None, ((found,),))


def circle_constant() -> Balls:
    """π as a matrix of one entry."""
    return Balls((1, 1), None, ((arb.pi(),),))
