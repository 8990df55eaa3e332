"""Brackets stand where they are needed: what is written has the value of what was put together."""

import operator
import random
from fractions import Fraction

from symattn.lowering.text.code import COMPARISON, POWER, PRODUCT, SUM, Code, call

ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "neg", "call")
BOOLEAN = ("and_", "or_", "invert", "compared")


def drawn(r, kinds, leaf, depth):
    """Code put together at random, and its value."""
    if not depth or r.random() < 0.1:
        return leaf(r)
    kind = r.choice(kinds)
    (a, x), (b, y) = (drawn(r, kinds, leaf, depth - 1) for _ in range(2))
    if kind == "call":
        return call("abs", a), abs(x)
    if kind == "compared":
        return a.compared(">=", b), x >= y
    if kind in ("neg", "invert"):
        return getattr(operator, kind)(a), -x if kind == "neg" else not x
    if kind in ("truediv", "floordiv", "mod") and not y:
        return a, x
    return getattr(operator, kind)(a, b), getattr(operator, kind)(x, y)


class Truth(int):
    """Booleans as NumPy has them: ~True is False."""

    def __invert__(self):
        return Truth(not self)

    def __and__(self, other):
        return Truth(int(self) & int(other))

    def __or__(self, other):
        return Truth(int(self) | int(other))

    def __ge__(self, other):
        return Truth(int(self) >= int(other))


def test_arithmetic():
    r, names = random.Random(1), {x: Fraction(k, 3) for x, k in (("a", 2), ("b", -7), ("c", 5))}
    for _ in range(3000):
        code, value = drawn(r, ARITHMETIC, lambda r: (Code(x := r.choice("abc")), names[x]), 5)
        assert eval(code.text, {"abs": abs}, names) == value, code.text


def test_booleans():
    r, names = random.Random(2), {"a": Truth(0), "b": Truth(1)}
    for _ in range(3000):
        code, value = drawn(r, BOOLEAN, lambda r: (Code(x := r.choice("ab")), names[x]), 5)
        assert eval(code.text, {}, names) == value, code.text


def test_powers_and_places():
    a, b = Code("a"), Code("b")
    assert [str(x) for x in (-(a**b), (-a) ** b, (a + b).at("0"), ~(a & b))] == [
        *("-a ** b", "(-a) ** b", "(a + b)[0]", "~(a & b)"),
    ]
    assert [x.binds for x in (a + b, a @ b, a**b, a.compared("<", b))] == [SUM, PRODUCT, POWER, COMPARISON]
