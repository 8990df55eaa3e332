"""The elementary steps of attention and of the layers around it, on rows of enclosed numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from symattn.values.enclosures import enclose_fraction

Row = Sequence[arb]
RowStep = Callable[[Row], list[arb]]


def within(x: Fraction, away: Fraction) -> arb:
    """All numbers that are at most so far away from a fraction."""
    return enclose_fraction(x) + arb(0, enclose_fraction(away))


def total(x: Row) -> arb:
    """Σ xᵢ."""
    return sum(x, arb(0))


def mean(x: Row) -> arb:
    """Σ xᵢ / n."""
    return total(x) / len(x)


def variance(x: Row, fewer: int = 0) -> arb:
    """Σ (xᵢ − mean)² / (n − fewer)."""
    middle = mean(x)
    return total([(v - middle) ** 2 for v in x]) / (len(x) - fewer)


def length(x: Row) -> arb:
    """√Σ xᵢ²."""
    return total([v * v for v in x]).sqrt()


def rms(x: Row) -> arb:
    """√(Σ xᵢ² / n)."""
    return length(x) / arb(len(x)).sqrt()


def entropy(p: Row) -> arb:
    """−Σ pᵢ log pᵢ, in nats."""
    return -total([v * v.log() for v in p if v != 0])


def log_sum_exp(x: Row) -> arb:
    """log Σ exp(xᵢ)."""
    return total([v.exp() for v in x]).log()


def largest(x: Row) -> arb:
    """The number of a row whose middle is largest."""
    return max(x, key=lambda v: float(v.mid()))


def dot(x: Row, y: Row) -> arb:
    """Σ xᵢ yᵢ."""
    return total([a * b for a, b in zip(x, y, strict=True)])


def softmax(x: Row) -> list[arb]:
    """exp(xᵢ) / Σ exp(xⱼ), each exponential taken below the largest."""
    top = largest(x).mid()
    powers = [(v - top).exp() for v in x]
    together = total(powers)
    return [p / together for p in powers]


def sigmoid(v: arb) -> arb:
    """1 / (1 + exp(−v))."""
    return 1 / (1 + (-v).exp())


def gelu(v: arb) -> arb:
    """v Φ(v)."""
    return v / 2 * (1 + (v / arb(2).sqrt()).erf())


def gelu_by_tanh(v: arb) -> arb:
    """v/2 (1 + tanh(√(2/π) (v + 0.044715 v³))), as GPT-2 has it."""
    return v / 2 * (1 + ((2 / arb.pi()).sqrt() * (v + v**3 * arb("0.044715"))).tanh())


def relu(v: arb) -> arb:
    """v, or 0 where it is negative."""
    return v if v > 0 else arb(0)


def each(function: Callable[[arb], arb]) -> RowStep:
    """A function of a number as one of a row."""
    return lambda x: [function(v) for v in x]


exp, log, root, tanh, sin, cos = (each(f) for f in (arb.exp, arb.log, arb.sqrt, arb.tanh, arb.sin, arb.cos))
inverse_root = each(arb.rsqrt)


def times(factor: arb) -> RowStep:
    """A multiple of a row."""
    return lambda x: [factor * v for v in x]


def rates(base: int, width: int) -> RowStep:
    """The rates at which the pairs of a width turn, by their numbers from 0: base^(−2i/width)."""
    return lambda x: [arb(base) ** (-2 * v / width) for v in x]


def full_turn(v: arb) -> arb:
    """The steps in which a rate comes to a full turn."""
    return 2 * arb.pi() / v


def whole(number: int) -> arb:
    """A whole number as an enclosure."""
    return arb(number)
