"""The sign of an exact number: of a sum of roots by integers, of another by enclosures, of 0 by algebra."""

from __future__ import annotations

from sympy import Expr

from symattn.errors import NotSupportedError
from symattn.values.exact.exponential_field import is_zero
from symattn.values.exact.surds import Surd
from symattn.writing.prose import Sentence

MOST_DIGITS = 500


def sign_of(x: Expr) -> int:
    """−1, 0 or 1. Raises NotSupportedError where neither digits nor algebra tell.

    >>> import sympy
    >>> sign_of(sympy.sqrt(2) - sympy.Rational(3, 2)), sign_of(sympy.exp(1) - sympy.exp(2) / sympy.E)
    (-1, 0)
    """
    surd = Surd.read(x)
    if surd is not None:
        return surd.sign()
    if is_zero(x):
        return 0
    digits = 30
    while digits <= MOST_DIGITS:
        found = x.evalf(digits, chop=False, maxn=4 * digits)
        if found.is_Float and found._prec > 1:
            return 1 if found > 0 else -1
        digits *= 2
    raise NotSupportedError(Sentence("sign_unknown", given=str(x)[:60]))
