"""The threshold above which a row of logits has weight: Σ_j max(z_j/p − τ, 0)^p = 1, in exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

import sympy
from sympy import Expr, Rational, S

from symattn.errors import InputError, NotSupportedError
from symattn.writing.prose import Sentence

Sign = Callable[[Expr], int]  # −1, 0 or 1 for an exact real number


@dataclass(frozen=True)
class Threshold:
    """A threshold, and the places of the logits above it, counted from 0, the largest logit first."""

    value: Expr
    support: tuple[int, ...]


def sign_of(x: Expr) -> int:
    """The sign of a number as SymPy finds it. Raises NotSupportedError where it does not."""
    if x.is_Rational:
        return int(sympy.sign(x))
    found = sympy.sign(x)
    if not found.is_Integer:
        raise NotSupportedError(Sentence("sign_unknown", given=str(x)[:60]))
    return int(found)


def find_threshold(row: Sequence[Expr], power: int, sign: Sign = sign_of) -> Threshold:
    """The threshold of one row. Raises InputError for a row of nothing but −∞.

    f(τ) = Σ_j max(z_j/p − τ, 0)^p falls, so that z_k/p lies above the threshold where f(z_k/p) < 1; with the k largest
    above it τ = (Σ z − 1)/k for p = 1, and the smaller root of Σ (z/2 − τ)² = 1 for p = 2.

    >>> find_threshold([sympy.Integer(x) for x in (0, 2, 1)], 1)
    Threshold(value=1, support=(1,))
    >>> find_threshold([S.Zero, S.Zero, S.NegativeInfinity], 2).value
    -sqrt(2)/2
    """
    seen = [j for j, x in enumerate(row) if x is not S.NegativeInfinity]
    if not seen:
        raise InputError(Sentence("no_key_seen"))
    shares = {j: row[j] / power for j in seen}

    def before(a: int, b: int) -> int:
        return sign(shares[b] - shares[a]) or a - b

    falling = sorted(seen, key=cmp_to_key(before))
    top = shares[falling[0]]  # taken off, which keeps numbers short
    total, squares, support = S.Zero, S.Zero, []
    for k, j in enumerate(falling):
        x = shares[j] - top
        beyond = total - k * x if power == 1 else squares - 2 * x * total + k * x**2
        if sign(sympy.expand(beyond - 1)) >= 0:
            break
        support.append(j)
        total, squares = total + x, squares + x**2
    count = Rational(len(support))
    if power == 1:
        return Threshold(sympy.expand(top + (total - 1) / count), tuple(support))
    spread = sympy.expand(squares - total**2 / count)
    return Threshold(sympy.expand(top + total / count) - sympy.sqrt((1 - spread) / count), tuple(support))
