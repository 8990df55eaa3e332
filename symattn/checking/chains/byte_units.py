"""Numbers that count bytes, `2 × 32 × 4096 × 4096 × 2 = 2.15 GB`: what a formula comes to, in the unit of its print.

Whether GB is 10⁹ or 2³⁰ nobody says: either is right. A number is wrong only beside a product of plain numbers that
comes near it, where no usual width of a number, a bit to sixteen bytes, could have been left unsaid: not beside a
factor that is the width, `2 bytes`, unless it is both keys and values that are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.sources import Open, Source
from symattn.checking.findings import Place
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.unwritten import unwritten_factors
from symattn.checking.verdicts import Definition, Judge, Judgement, Printed, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.printed import distance
from symattn.values.spelling import PREFIXES

_BEHIND = regex(r"(?:[$`*_]|\\[)\],;: ])*\s*(?:\\(?:text|mathrm)\{\s*)?(?P<unit>[kKMGTP]i?B\b|[Bb]ytes?\b|字节)")
_BITS_BEHIND = regex(  # Gbps, Mbit/s, Gb; not GB
    r"(?:[$`*_]|\\[)\],;: ]|~)*\s*(?:\\(?:text|mathrm)\{\s*)?"
    r"(?P<prefix>[kKMGTP]?)(?P<binary>i?)(?:b(?:ps|/s|its?)?|[Bb]its?|[Bb]ps|比特|位)(?![A-Za-z])"
)
_WIDTHS = (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), *map(Fraction, (2, 3, 4, 6, 8, 12, 16)))
_SAYS_WIDTH = regex(r"\d[\s~*_]*(?:\\[,;: ])*\s*(?:\\(?:text|mathrm)\{\s*)?(?:bytes?\b|字节)", re.IGNORECASE)
_SAYS_BOTH = regex(
    r"\bboth\b|\bkeys?(?: and | ?& ?|/)values?\b|\bK\b[$*` ]*(?:and|und|et|y|&|[+/、和与])[$*` ]*V\b|各", re.IGNORECASE
)
_FORMULA_OF_BYTES = regex(
    r"^[^\n=]*=(?P<product>(?:(?!\d\d)[^\n=]){0,300}?"
    r"(?:bytes?(?:[_ ]?per|[_/ ]|\b)|dtype_?size)(?:(?!\d\d)[^\n=]){0,60})$",
    re.MULTILINE | re.IGNORECASE,
)
_TIMES = regex(r"×|\*+|·|\\times|\\cdot")
_BASES = (1_000, 1_024)
_LETTERS = ("k", "K", "M", "G")
_EIGHT = f.Number("8", Fraction(8), Fraction(1))  # bits of a byte
_FACTORS = 3  # of a product that leaves nothing unsaid
_FAR = 50  # times


def byte_unit(printed: f.Expression, after: str) -> str:
    """The unit of bytes behind a number, in its formula or after it in the file, or nothing.

    >>> byte_unit(f.Name("x"), "$ GiB"), byte_unit(f.Name("x"), " GPUs")
    ('GiB', '')
    """
    if isinstance(printed, f.Number) and printed.unit:
        return printed.unit
    behind = _BEHIND.match(after)
    return "" if behind is None else behind["unit"]


def is_scaled(unit: str) -> bool:
    """Whether a unit is more than a byte."""
    return unit[:1].upper() in PREFIXES


def are_mixed(expression: f.Expression, unit: str) -> bool:
    """Whether the numbers of a formula have other units than the print: 2 GB + 512 MB, or 64 GB of 16 MB.

    So it is of 4 TFLOPS / 2 GB, of whose units only the second is read.
    """
    units = {part.unit for part in f.walk(expression) if isinstance(part, f.Number) and part.unit}
    below = any(
        isinstance(p, f.Quotient) and not _counts_bytes(p.numerator) and _counts_bytes(p.denominator)
        for p in f.walk(expression)
    )
    return below or len(units) > 1 or bool(units and unit and units != {unit})


def judge_in_bytes(
    open_: Open, printed: Printed, side: f.Side, source: Source, environment: Environment
) -> tuple[dict[Place, Judgement], Definition] | None:
    """The verdict on a number of a chain in a unit, and its formula in that unit; None where it may be meant otherwise.

    What was rounded or computed wrong before in the chain may be what is converted, and the words around it may hold a
    factor that the formula leaves out.
    """
    definition, unit = open_.definitions[0], byte_unit(side.expression, source.after(side.end))
    prints = [printed, printed.about()] if side.relation == "≈" else [printed]
    before = open_.stated.prints if open_.stated is not None else []
    formulas = [(b, try_define(e, environment)) for b, e in _converted(definition.expression, unit)]
    based = [(base, each) for base, each in formulas if each is not None and each.true.shape == (1, 1)]
    found = [each for _, each in based]
    judged = [(Judge(p, [each], environment, None).judge(), each) for each in found for p in prints]
    fitting = [each for each in judged if is_sound(each[0])]
    sound = min(fitting, key=lambda each: each[0][0, 0].verdict == "truncated", default=None)  # 1.0 GB is 1 GiB
    value, place = prints[0].values[0][0], prints[0].units[0][0]
    if sound is not None or not judged or not value or not _is_plain_product(definition.expression):
        return sound
    for each, (base, meant) in product(before, based):
        if each.bad and distance(each.printed.rows[0][0] / _worth(unit, base), value) <= place / 2:
            return {(0, 0): Judgement("carried", each.bad[0, 0])}, meant
    worths = [each.true.rows[0][0] for each in found]
    near = [ball for ball in worths if abs(value) < _FAR * abs(float(ball.mid())) < _FAR**2 * abs(value)]
    around = source.around(definition.expression.start, side.end)
    factors = sum(isinstance(part, f.Number) for part in f.walk(definition.expression))
    spelled_out = factors == source.where.byte_factors  # numbers put in a formula that leaves nothing unsaid
    unsaid = () if spelled_out else _unsaid(source.where.whole, around)
    unwritten = () if spelled_out else unwritten_factors(around)
    other = [ball * x.numerator / x.denominator for ball in near for x in unsaid]
    other += [each.printed.rows[0][0] / _worth(unit, base) for each in before for base in _BASES]
    said = [ball * x.numerator / x.denominator for ball in worths for x in unwritten]
    may_be = any(distance(ball, value) <= max(place, abs(value) / 10) for ball in other)
    may_be |= any(distance(ball, value) <= max(place, abs(value) / 50) for ball in said)
    may_be |= any(distance(ball * _worth(unit, 1_024) / _decimal(unit), value) <= place for ball in worths)
    return judged[0] if near and not may_be else None


def judge_in_bits(
    definition: Definition, printed: Printed, after: str, environment: Environment
) -> tuple[dict[Place, Judgement], Definition] | bool:
    """The verdict on a number of bits beside a formula that counts bytes, 400 GB/s = 3.2 Tb/s, where it is right.

    Else whether it is one; what is wrong may be meant in bytes.
    """
    behind = _BITS_BEHIND.match(after)
    if behind is None or not _counts_bytes(definition.expression) or printed.shape != (1, 1):
        return False
    unit = f"{behind['prefix']}{behind['binary']}B"
    for _, in_bytes in _converted(definition.expression, unit):
        in_bits = try_define(f.Product((in_bytes, _EIGHT), ("·",)), environment)
        if in_bits is not None and in_bits.true.shape == (1, 1):
            found = Judge(printed, [in_bits], environment, None).judge()
            if is_sound(found):
                return found, in_bits
    return True


def _counts_bytes(expression: f.Expression) -> bool:
    return any(isinstance(part, f.Number) and part.unit for part in f.walk(expression))


def count_byte_factors(text: str) -> int:
    """How many factors the last formula of a size in bytes has that a text says in letters; 0 without one.

    >>> count_byte_factors("size = 2 × layers × heads × d_head × bytes_per_value")
    5
    """
    lines = [found["product"] for found in _FORMULA_OF_BYTES.finditer(text)]
    return len(_TIMES.findall(lines[-1])) + 1 if lines else 0


def _unsaid(formula: str, around: str) -> tuple[Fraction, ...]:
    """What may be left unsaid of a size in bytes, as it stands in the file: its width, or that K and V are meant."""
    if _SAYS_WIDTH.search(formula) is None:
        return _WIDTHS
    return (Fraction(2),) if _SAYS_BOTH.search(around) else ()


def _converted(expression: f.Expression, unit: str) -> Iterator[tuple[int, f.Expression]]:
    """The meanings of the prefix, each with a formula in that unit, whose numbers may have units of their own.

    Without a unit it is how often one amount is in another. A vocabulary of 32K may have 32 · 1024 words.
    """
    counted = any(isinstance(part, f.Number) and part.text.endswith(_LETTERS) for part in f.walk(expression))
    for base, thousand in product(_BASES, _BASES if counted else _BASES[:1]):

        def in_bytes(part: f.Expression, base: int = base, thousand: int = thousand) -> f.Expression:
            if not isinstance(part, f.Number):
                return part
            worth = Fraction(_worth(part.unit, base)) if part.unit else _grown(part.text, thousand)
            return part if worth == 1 else f.Number(part.text, part.value * worth, part.places * worth)

        worth = _worth(unit, base)
        divisor = f.Number(str(worth), Fraction(worth), Fraction(1))
        yield base, f.Quotient(rewrite(expression, in_bytes), divisor, start=expression.start, end=expression.end)


def _grown(text: str, thousand: int) -> Fraction:
    """By how much more a number counts whose letter stands for powers of another thousand, 32K for 32 · 1024."""
    return Fraction(thousand, 1_000) ** (PREFIXES[text[-1].upper()] if text.endswith(_LETTERS) else 0)


def _worth(unit: str, base: int) -> int:
    return int((1_024 if "i" in unit else base) ** PREFIXES.get(unit[:1].upper(), 0))


def _decimal(unit: str) -> int:
    """What a unit is worth without its i, which some write for powers of ten too."""
    return _worth(unit.replace("i", ""), 1_000)


def _is_plain_product(expression: f.Expression) -> bool:
    """Whether a formula is a product of three numbers or more, none of which has a unit."""
    parts = list(f.walk(expression))
    numbers = [part for part in parts if isinstance(part, f.Number)]
    plain = all(isinstance(part, f.Number | f.Product) for part in parts)
    return plain and len(numbers) >= _FACTORS and not any(number.unit for number in numbers)
