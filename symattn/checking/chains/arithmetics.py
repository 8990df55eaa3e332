"""Sums that are right in another arithmetic, which the words around name: `FP16: 2048 + 1 = 2048`, 50 + 60 = 13 mod 97.

Nothing is accused that comes out there: in a format of floating point, in integers of so many bits that saturate or
wrap, modulo a number, in another base, in Boolean algebra, or in degrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, right_places, try_define
from symattn.reading import formula as f
from symattn.values.floats.formats import FORMATS
from symattn.values.printed import distance

_FLOATS = {
    "float16": r"(?:fp|float|f)-?16|half[- ]precision|半精度",
    "bfloat16": r"bf(?:loat)?-?16",
    "float32": r"(?:fp|float|f)-?32|single[- ]precision|单精度",
    "float8_e4m3fn": r"(?:fp|float)-?8|e4m3",
    "float8_e5m2": r"(?:fp|float)-?8|e5m2",
}
_INTEGERS = re.compile(
    r"(?<![a-z])u?int-?(?:4|8|16|32)|overflow|saturat|wrap|饱和|溢出|回绕|überl[aä]uf|desbord|débord|saturaci", re.I
)
_WIDTHS = (4, 8, 16, 32)
_MODULO = re.compile(
    r"(?<![a-z])mod(?:ulo)?\.?[\s\\{(]*(?P<a>\d{1,9})|模\s*(?P<b>\d{1,9})|mod[\s{]+(?P<c>\d{1,9})", re.I
)
_BASES = {
    2: r"(?<![a-z])binary|binär|dualsystem|binari|binaire|base (?:2|two)\b|二进制|二進",
    8: r"(?<![a-z])octal|oktal|ottal|base (?:8|eight)\b|八进制|八進",
    16: r"(?<![a-z])hex|base (?:16|sixteen)\b|十六进制|十六進",
}
_BOOLEAN = re.compile(r"boole|(?<![a-z])logi(?:cal|que|sch)|lógic|布尔|逻辑|論理", re.I)


def is_other_arithmetic(main: Definition, printed: Printed, words: str, environment: Environment) -> bool:
    """Whether a number is what numbers written out come to in an arithmetic that words name."""
    number = printed.values[0][0]
    true = main.true.rows[0][0].unique_fmpz() if printed.shape == main.true.shape == (1, 1) else None
    if main.symbolic or number is None or printed.shape != main.true.shape or printed.shape != (1, 1):
        return False
    if _DEGREES.search(words) and _is_in_degrees(main, printed, environment):
        return True
    if _is_float(main, number, words, environment) or _is_in_base(main, number, words, environment):
        return True
    if true is not None and true in (0, 1, 2) and _BOOLEAN.search(words):
        bits = {part.value for part in f.walk(main.expression) if isinstance(part, f.Number)} <= {0, 1}
        return bits and number == min(int(true), 1)
    return true is not None and number in _of_integers(int(true), number, words)


def is_other_norm(main: Definition, printed: Printed, words: str, environment: Environment) -> bool:
    """Whether bars around a list mean what they are said to be: ‖v‖₁ and an L1 norm, |D| = 3 of three documents."""
    match main.expression:
        case f.Entry(f.Call("norm" | "length" as function, (inner,)), _):
            said = True
        case f.Call("norm" | "length" as function, (inner,)):
            said = function == "length" or _NORM.search(words) is not None
        case _:
            return False
    value, number = environment.worth(inner), printed.values[0][0]
    if value is None or number is None or not said or 1 not in value.shape or printed.shape != (1, 1):
        return False
    entries = [abs(x) for row in value.rows for x in row]
    others = sum(entries[1:], entries[0]), max(entries, key=lambda x: float(x.mid()))
    count = function == "length" and number == len(entries)
    return count or any(distance(other, number) <= printed.units[0][0] / 2 for other in others)


_NORM = re.compile(r"(?<![A-Za-z])[Llℓ][_-]?[1₁∞](?!\d)|manhattan|taxicab|max(?:imum)?[- ]norm", re.IGNORECASE)


def _is_in_degrees(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether sines and cosines are of degrees, sin(30) = 0.5."""
    other = try_define(rewrite(main.expression, _of_degrees), environment)
    return other is not None and len(right_places(printed, other.true)) == 1


def _of_degrees(part: f.Expression) -> f.Expression:
    if isinstance(part, f.Call) and part.function in ("sin", "cos", "tan") and len(part.arguments) == 1:
        angle = f.Quotient(f.Product((part.arguments[0], f.Name("π")), ("·",)), _number(Fraction(180)))
        return replace(part, arguments=(angle,))
    return part


_DEGREES = re.compile(
    r"°|degree|\bdeg\b|\bGrad(?:maß|en)?\b|角度|(?<=\d)度|grados|degrés|graus|gradi\b|градус|각도", re.I
)


def _of_integers(true: int, number: Fraction, words: str) -> Iterator[Fraction]:
    """What a whole number becomes: held within so many bits, or taken modulo."""
    for found in _MODULO.finditer(words):
        modulus = int(found["a"] or found["b"] or found["c"])
        if modulus and 0 <= number < modulus:
            yield Fraction(true % modulus)
    for bits in _WIDTHS if _INTEGERS.search(words) else ():
        for low, high in ((0, 2**bits), (-(2 ** (bits - 1)), 2 ** (bits - 1))):
            yield Fraction(min(max(true, low), high - 1))
            yield Fraction((true - low) % 2**bits + low)


def _is_float(main: Definition, number: Fraction, words: str, environment: Environment) -> bool:
    """Whether a number is what a format has in the place of the true one."""
    named = [FORMATS[name] for name, spelled in _FLOATS.items() if re.search(rf"(?<![a-z]){spelled}", words, re.I)]
    for form in named:
        rational = _rational(main, environment)
        if rational is not None and rational and Fraction(number) == Fraction(form.of(rational)):
            return True
    return False


def _rational(main: Definition, environment: Environment) -> Fraction | None:
    """The value of a formula, where it is a fraction of two whole numbers of a few digits."""
    value = main.true.rows[0][0]
    for divisor in (part.value for part in f.walk(main.expression) if isinstance(part, f.Number) and part.value):
        whole = try_define(f.Product((main.expression, _number(divisor)), ("·",)), environment)
        found = None if whole is None else whole.true.rows[0][0].unique_fmpz()
        if found is not None:
            return Fraction(int(found)) / divisor
    exact = value.unique_fmpz()
    return None if exact is None else Fraction(int(exact))


def _number(value: Fraction) -> f.Number:
    return f.Number(str(value), value, Fraction(1))


def _is_in_base(main: Definition, number: Fraction, words: str, environment: Environment) -> bool:
    for base, spelled in _BASES.items():
        if not re.search(spelled, words, re.I):
            continue
        with suppress(ValueError):  # a digit that the base has not
            other = try_define(rewrite(main.expression, lambda part, base=base: _in_base(part, base)), environment)  # type: ignore[misc]
            value = None if other is None else other.true.rows[0][0].unique_fmpz()
            if value is not None and number.denominator == 1 and int(value) == int(str(number.numerator), base):
                return True
    return False


def _in_base(part: f.Expression, base: int) -> f.Expression:
    if isinstance(part, f.Number) and part.places == 1:
        return replace(part, value=Fraction(int(part.text, base)))
    return part
