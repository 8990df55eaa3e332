"""Rates of rotary embeddings for longer contexts than a model was trained on, as published."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import sympy
from sympy import Expr, Integer, Rational

from symattn.errors import InputError
from symattn.nodes.node import as_number
from symattn.writing.prose import Sentence

DIGITS = 50  # to which transcendental numbers are compared with rational ones


def linear_rates(width: int, factor: Any, base: Any = 10000) -> tuple[Expr, ...]:
    """Position interpolation: base^(−2k/w)/s for the pairs k of w columns and a factor s.

    Raises InputError for an odd width, or a factor or base that is not positive. Source: Chen et al. 2023, equation 4.

    >>> linear_rates(4, 2)
    (1/2, 1/200)
    """
    return tuple(rate / _positive(factor, "factor") for rate in _usual(width, base))


def ntk_rates(width: int, factor: Any, base: Any = 10000) -> tuple[Expr, ...]:
    """NTK-aware scaling: the base times s^(w/(w − 2)), so that the last rate is that of interpolation, the first 1.

    Raises InputError for an odd width or one below 4. Source: bloc97 2023; Peng et al. 2023, section 3.1.

    >>> ntk_rates(4, 2)
    (1, 1/200)
    """
    _usual(width, base)
    if width < 4:
        raise InputError(Sentence("narrow_ntk", width=width))
    return _usual(width, _positive(base, "base") * _positive(factor, "factor") ** Rational(width, width - 2))


def llama3_rates(width: int, factor: Any, low: Any, high: Any, length: Any, base: Any = 500000) -> tuple[Expr, ...]:
    """Llama 3's: rates of waves longer than length/low are divided by s, those of waves shorter than length/high stay.

    Between them θ' = (1 − t) θ/s + t θ with t = (length/λ − low)/(high − low), λ = 2π/θ. Raises InputError where a
    number is not positive or high is not above low. Source: Llama Team 2024; the program of Llama 3.1.

    >>> llama3_rates(4, 8, 1, 4, 8192, base=10**8)
    (1, 1/80000)
    """
    s, low, high, length = (
        _positive(x, n) for x, n in ((factor, "factor"), (low, "low"), (high, "high"), (length, "length"))
    )
    if not high > low:
        raise InputError(Sentence("rates_order", low=low, high=high))
    made = []
    for rate in _usual(width, base):
        waves = length * rate / (2 * sympy.pi)  # how many fit in the length
        about = waves.evalf(DIGITS)
        share = (waves - low) / (high - low)
        made.append(rate if about > high else rate / s if about < low else (1 - share) * rate / s + share * rate)
    return tuple(made)


def yarn_rates(
    width: int, factor: Any, length: Any, fast: Any = 32, slow: Any = 1, base: Any = 10000
) -> tuple[Expr, ...]:
    """YaRN's "NTK-by-parts": pairs that turn more than `fast` times in `length` stay, those below `slow` are over s.

    θ'_k = θ_k (1 − r_k) + θ_k r_k/s, r_k = (k − a)/(b − a) kept within 0 and 1, where a = ⌊p(fast)⌋ and b = ⌈p(slow)⌉
    are kept within 0 and w − 1, p(t) = w ln(length/(2π t))/(2 ln base). The scores are to be multiplied by
    (0.1 ln s + 1)² as well. Raises InputError where a number is not
    positive. Source: Peng et al. 2023, section 3.2, and their program.

    >>> yarn_rates(4, 4, 4096)
    (1, 1/160)
    """
    s, length, fast, slow, base = (
        _positive(x, n)
        for x, n in ((factor, "factor"), (length, "length"), (fast, "fast"), (slow, "slow"), (base, "base"))
    )

    def place(turns: Expr) -> Expr:
        return width * sympy.log(length / (2 * sympy.pi * turns)) / (2 * sympy.log(base))

    first = sympy.Max(sympy.floor(place(fast)), 0)
    last = sympy.Min(sympy.ceiling(place(slow)), width - 1)
    last = last + Rational(1, 1000) if first == last else last
    made = []
    for k, rate in enumerate(_usual(width, base)):
        ramp = sympy.Min(sympy.Max((k - first) / (last - first), 0), 1)
        made.append(rate * (1 - ramp) + rate / s * ramp)
    return tuple(made)


def _usual(width: int, base: Any) -> tuple[Expr, ...]:
    whole = isinstance(width, Integral) and not isinstance(width, bool)
    if not whole or width < 2 or width % 2:
        raise InputError(Sentence("odd_rotary", width=width))
    width = int(width)
    base = _positive(base, "base")
    return tuple(base ** Rational(-2 * k, width) for k in range(width // 2))


def _positive(value: Any, name: str) -> Expr:
    number = as_number(value)
    if number is None or not number.is_number or not number.is_positive:
        raise InputError(Sentence("not_positive", name=name, given=str(value)[:40]))
    return Integer(number) if number.is_Integer else number
