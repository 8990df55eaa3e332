"""The sign of an exact number: of a sum of roots by integers, of another by enclosures, of 0 by algebra."""

from __future__ import annotations

from sympy import Expr

from symattn.errors import NotSupportedError
from symattn.values.decimals import Bounds
from symattn.values.enclosures import enclose, narrow
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.surds import Surd
from symattn.writing.prose import Sentence

FIRST_BITS, MOST_BITS = 128, 4096


def sign_of(x: Expr) -> int:
    """−1, 0 or 1. Raises NotSupportedError where neither an enclosure of 4,096 bits nor algebra tells.

    >>> import sympy
    >>> sign_of(sympy.sqrt(2) - sympy.Rational(3, 2)), sign_of(sympy.exp(1) - sympy.exp(2) / sympy.E)
    (-1, 0)
    """
    surd = Surd.read(x)
    if surd is not None:
        return surd.sign()
    if is_zero(x):
        return 0
    found = narrow(lambda _: enclose(x), _sign, FIRST_BITS, MOST_BITS)
    if found is None:
        raise NotSupportedError(Sentence("sign_unknown", given=str(x)[:60]))
    return found


def _sign(at: Bounds) -> int | None:
    return 1 if at.low > 0 else -1 if at.high < 0 else None
