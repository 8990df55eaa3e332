"""Numbers that are right in another arithmetic, which words name: `FP16: 2048 + 1 = 2048`, 50 + 60 = 13 mod 97.

Nothing is accused that comes out there: in a format of floating point, in integers of so many bits that saturate or
wrap, modulo a number, in degrees, in another norm than the length, or with a γ and a β that are not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.expected.conventions import with_identity
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, define_like, is_all_right, right_places, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.floats.formats import FORMATS
from symattn.values.printed import distance

_FLOATS = {
    "float16": r"(?:fp|float|f)-?16|half[- ]precision|半精度",
    "bfloat16": r"bf(?:loat)?-?16",
    "float32": r"(?:fp|float|f)-?32|single[- ]precision|单精度",
    "float8_e4m3fn": r"(?:fp|float)-?8|e4m3",
    "float8_e5m2": r"e5m2",
}
_RIGHT_BEFORE = 40  # characters in which a format is named
_UNIT = regex(  # what a number counts
    r"[\s$*`]*(?:[KMGT]i?B\b|bytes?\b|bits?\b|rows?\b|tokens?\b|heads?\b|layers?\b|parameters?\b|documents?\b|samples?\b"
    r"|elements?\b|entries|labels?\b|words?\b|Dokumente|Einträge|Elemente|documentos|elementos|[个行层篇])"
)
_INTEGERS = regex(r"(?<![a-z])(?P<unsigned>u?)int-?(?P<bits>4|8|16|32)(?!\d)", re.I)
_MODULO = regex(r"(?<![a-z])mod(?:ulo)?\.?[\s\\{(]*(?P<a>\d{1,9})|(?<!规)模\s*(?P<b>\d{1,9})", re.I)
_EXCLUSIVE = regex(r"(?<![a-z])xor(?![a-z])|异或|異或|排他的論理和|GF\s?\(2\)|\bparity\b|⊕", re.I)
_BINARY = regex(r"\bbinary\b|\bbase[- ](?:2|two)\b|二进制|二進|2進", re.I)
_LOGICAL = regex(r"\bboolean|\blogical (?:or|and)\b|\bOR\b|布尔|布林|逻辑或|論理和", re.I)
_DEGREES = regex(
    r"°|\bdegrees\b(?! of freedom)|\b(?:in Grad|Gradmaß|grados|degrés|graus|gradi)\b|角度制|(?<=\d)度|градус|각도", re.I
)
_LEAST_ANGLE = 10  # that is taken for degrees
_NORM = regex(
    r"(?<![A-Za-z])[Llℓ][_-]?[1₁∞](?:[- ]?(?:norm|范数|ノルム|노름)|\s*\))|(?<![\w.])(?:1|one|∞)-norm\b"
    r"|manhattan|taxicab|max(?:imum)?[- ]norm",
    re.I,
)
_COUNTED = regex(r"number of|how many|cardinal|\bcount|anzahl|nombre de|número de|样本数|个数|要素数|개수", re.I)


def is_other_arithmetic(main: Definition, printed: Printed, before: str, behind: str, environment: Environment) -> bool:
    """Whether a number is what numbers written out come to in an arithmetic that words before or behind it name."""
    number = printed.values[0][0]
    if main.symbolic or number is None or printed.shape != (1, 1) or main.true.shape != (1, 1):
        return False
    words = before + " " + behind
    if _DEGREES.search(words) and _is_in_degrees(main, printed, environment):
        return True
    if _is_float(main, number, before[-_RIGHT_BEFORE:], environment) and _UNIT.match(behind) is None:
        return True
    true = main.true.rows[0][0].unique_fmpz()
    return true is not None and number in _of_integers(int(true), number, words)


def is_other_norm(main: Definition, printed: Printed, before: str, behind: str, environment: Environment) -> bool:
    """Whether bars around a list mean what they are said to be: ‖v‖₁ and an L1 norm, |D| = 3 of three documents."""
    match main.expression:
        case f.Entry(f.Call("norm" | "length" as function, (inner,)), _):
            said = True
        case f.Call("norm" | "length" as function, (inner,)):
            said = _NORM.search(before + " " + behind) is not None
        case _:
            return False
    value, number = environment.worth(inner), printed.values[0][0]
    if value is None or number is None or 1 not in value.shape or printed.shape != (1, 1):
        return False
    entries = [abs(x) for row in value.rows for x in row]
    counted = function == "length" and (_UNIT.match(behind) is not None or _COUNTED.search(before) is not None)
    if counted and number == len(entries):
        return True
    others = sum(entries[1:], entries[0]), max(entries, key=lambda x: float(x.mid()))
    return said and any(distance(other, number) <= printed.units[0][0] / 2 for other in others)


def is_with_identity(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether a print is A − 3 I where A − 3 is written."""
    meant = with_identity(main.expression, environment)
    other = None if meant is main.expression else define_like(printed, meant, environment)
    return other is not None and is_all_right(printed, other.true)


def has_other_gains(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether what LayerNorm gives is scaled and shifted by γ and β, not printed or no 1 and 0: no entry is right, and
    they do not add up to 0."""
    spoken_of = environment.has_unprinted_gains or _are_given(environment)
    match main.expression:
        case f.Call("layernorm", (_,)) if spoken_of and not right_places(printed, main.true):
            return any(_is_shifted(row, units) for row, units in zip(printed.values, printed.units, strict=True))
    return False


def _are_given(environment: Environment) -> bool:
    """Whether γ or β was given as another number than 1 or 0."""
    given = ((environment.worth(f.Name(letter)), usual) for letter, usual in (("γ", 1), ("β", 0)))
    return any(value is not None and not value.rows[0][0].contains(usual) for value, usual in given)


def _is_shifted(row: Sequence[Fraction | None], units: Sequence[Fraction]) -> bool:
    known = [number for number in row if number is not None]
    return len(known) == len(row) > 2 and abs(sum(known, Fraction(0))) > sum(units, Fraction(0))


def _is_in_degrees(main: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether sines and cosines are of degrees, sin(30) = 0.5."""
    numbers = [part.value for part in f.walk(main.expression) if isinstance(part, f.Number)]
    other = try_define(rewrite(main.expression, _of_degrees), environment)
    large = any(abs(number) >= _LEAST_ANGLE for number in numbers)
    return large and other is not None and len(right_places(printed, other.true)) == 1


def _of_degrees(part: f.Expression) -> f.Expression:
    if isinstance(part, f.Call) and part.function in ("sin", "cos", "tan") and len(part.arguments) == 1:
        angle = f.Quotient(f.Product((part.arguments[0], f.Name("π", sup=("°",))), ("·",)), _number(Fraction(180)))
        return replace(part, arguments=(angle,))
    return part


def _of_integers(true: int, number: Fraction, words: str) -> Iterator[Fraction]:
    """What a whole number becomes: taken modulo another, or held within so many bits."""
    if _BINARY.search(words) and number >= 0 and set(str(number)) <= {"0", "1"}:
        yield number if int(str(number), 2) == true else Fraction(true)
    if _EXCLUSIVE.search(words):
        yield Fraction(true % 2)
    if _LOGICAL.search(words):
        yield Fraction(min(true, 1))
    for found in _MODULO.finditer(words):
        modulus = int(found["a"] or found["b"])
        if modulus and 0 <= number < modulus:
            yield Fraction(true % modulus)
    for found in _INTEGERS.finditer(words):
        half = 2 ** (int(found["bits"]) - 1)
        low, high = (0, 2 * half) if found["unsigned"] else (-half, half)
        yield Fraction(min(max(true, low), high - 1))
        yield Fraction((true - low) % (2 * half) + low)


def _is_float(main: Definition, number: Fraction, words: str, environment: Environment) -> bool:
    """Whether a number is what a format has in the place of the true one, or what rounding at every step may leave."""
    said = [name for name, spelled in _FLOATS.items() if re.search(rf"(?<![a-z]){spelled}", words, re.I)]
    rational = _rational(main, environment) if said else None
    if rational and any(number == Fraction(FORMATS[name].of(rational)) for name in said):
        return True
    steps = sum(isinstance(part, f.Number) for part in f.walk(main.expression))
    true = main.true.rows[0][0]
    return any(distance(true, number) <= abs(float(number)) * steps * 2.0 ** -FORMATS[name].precision for name in said)


def _rational(main: Definition, environment: Environment) -> Fraction | None:
    """The value of a formula, where it is a whole number or becomes one times a number of the formula."""
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
