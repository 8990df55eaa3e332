"""Numbers with a letter that counts thousands behind them: 320K, 12.5M, 0.176B.

The letter is read where no such name is known; K may be that of the keys, where an equation is of lone numbers. Whether
M is 10⁶ or 2²⁰, and how far "≈ 16M" was rounded, nobody says: either is right, and what is near is not accused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.doubts import counts_one_by_one, is_in_thousands
from symattn.checking.expected.sources import Open, Source
from symattn.checking.findings import BAD, Place
from symattn.checking.naming import rewrite_sides
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Judge, Judgement, Printed, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import distance, is_of_order
from symattn.values.spelling import POWERS_OF_THOUSAND, PREFIXES, Spelling
from symattn.writing.prose import Sentence

Judged = tuple[dict[Place, Judgement], Definition]
_BITS = regex(r"bit|byte|fp\d|float|memory|quanti|字节|显存|内存|[KMGT]i?B\b", re.IGNORECASE)


def with_magnitudes(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with 12.5M as the number 12,500,000, to the last of its digits."""
    parts = [part for side in chain.sides for part in f.walk(side.expression)]
    letters = {part for part in parts if isinstance(part, f.Name)} - {chain.sides[0].expression}
    if not any(isinstance(name, f.Name) and name.base in POWERS_OF_THOUSAND for name in letters):
        return chain
    plain = all(isinstance(name, f.Name) and name.base in POWERS_OF_THOUSAND for name in letters)
    plain &= not any(isinstance(part, f.Matrix) for part in parts)

    def is_other(name: f.Expression) -> bool:
        known = environment.lookup()(name)
        return environment.knows(name) and not (plain and known is not None and known.shape != (1, 1))

    def read(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Product):
            return part
        factors, signs = list(part.factors[:1]), list[str]()
        for sign, factor in zip(part.operators, part.factors[1:], strict=True):
            match factors[-1], factor:
                case f.Number() as number, f.Name(letter, (), ()) if (
                    not sign and number.end == factor.start and letter in POWERS_OF_THOUSAND and not is_other(factor)
                ):
                    factors[-1] = _counted(number, letter, factor.end)
                case _:
                    factors.append(factor)
                    signs.append(sign)
        return replace(part, factors=tuple(factors), operators=tuple(signs)) if signs else factors[0]

    return rewrite_sides(chain, read)


def _counted(number: f.Number, letter: str, end: int) -> f.Number:
    """A number with the letter behind it."""
    worth = Fraction(1_000 ** POWERS_OF_THOUSAND[letter])
    return replace(number, text=number.text + letter, value=number.value * worth, places=number.places * worth, end=end)


def judge_about(
    printed: Printed, definitions: Sequence[Definition], ranged: Balls | None, environment: Environment, side: f.Side
) -> tuple[Judge, dict[Place, Judgement]]:
    """The verdicts on a side; about 39,000 is meant to the thousands, if not to the units."""
    judge = Judge(printed, definitions, environment, ranged, sign=side.relation)
    found = judge.judge()
    power = printed.values[0][0] if side.relation == "≈" and is_order(printed) else None
    if power is not None and not is_sound(found) and is_of_order(judge.true.rows[0][0], power):
        return judge, {(0, 0): Judgement("rounded")}
    if side.relation == "≈" and any(j.verdict in BAD for j in found.values()):
        rough = Judge(printed.about(), definitions, environment, ranged)
        about = rough.judge()
        if not any(j.verdict in (*BAD, "last-digit") for j in about.values()):
            return rough, about
    return judge, found


def is_order(printed: Printed) -> bool:
    """Whether a print is a power of ten and nothing else: behind ≈ that is an order of magnitude."""
    return printed.shape == (1, 1) and _ORDER.fullmatch(printed.texts[0][0]) is not None


_ORDER = regex(r"10\s*(?:(?:\^|\*\*)\s*[({]?\s*[-−+]?\d+\s*[)}]?|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


def judge_by_letter(
    open_: Open, printed: Printed, source: Source, side: f.Side, environment: Environment
) -> Judged | Sentence:
    """The verdict on a print with a letter, or beside one, that is not right at once; or why there is none.

    M is 10⁶ or 2²⁰. Wrong is what is far from a sum or a product of plain numbers by either: by a tenth, or a hundredth
    for three digits and more. What counts bits or bytes may leave their number unsaid.
    """
    formula, text = open_.definitions[0], printed.texts[0][0]
    letter = Spelling.read(text)
    if letter is not None and not letter.letter and counts_one_by_one(source.after(side.end)):
        found = Judge(printed, [formula], environment, None).judge()
        far = _is_far(printed, formula) and not is_in_thousands(printed, formula.true)
        return (found, formula) if far else Sentence("unit_unread")
    if letter is None or not letter.letter or printed.shape != (1, 1):
        return Sentence("unit_unread")
    if (alike := _judge_alike(formula, printed, letter, environment)) is not None:
        return alike
    if not _is_plain(formula.expression):
        return Sentence("unit_unread")
    worth = Fraction(1_024, 1_000) ** letter.thousands
    divisor = f.Number(str(worth), worth, Fraction(1))
    binary = try_define(f.Quotient(formula.expression, divisor), environment)
    if binary is not None and is_sound(found := Judge(printed, [binary], environment, None).judge()):
        return found, binary
    value, unit = printed.values[0][0], printed.units[0][0]
    around = source.around(formula.expression.start, side.end)
    if not value or binary is None or _BITS.search(around) or letter.significant < 2:
        return Sentence("unit_unread")
    slack = max(unit * 3 / 2, abs(value) / (10 if letter.significant == 2 else 100))
    near = any(distance(each.true.rows[0][0], value) <= slack for each in (formula, binary))
    return Sentence("unit_unread") if near else (Judge(printed, [formula], environment, None).judge(), formula)


def _judge_alike(
    formula: Definition, printed: Printed, letter: Spelling, environment: Environment
) -> Judged | Sentence | None:
    """The verdict on a sum that counts what its terms do, 85 + 38 = 123M; None where that is far from what is printed.

    Terms are rounded to their digits, and may count thousandths of it, 85 + 38 = 0.12B. Of a product nobody says which
    factor counts millions.
    """
    numbers = [part for part in f.walk(formula.expression) if isinstance(part, f.Number)]
    worth, value = Fraction(1_000) ** letter.thousands, printed.values[0][0]
    counted = f.Product((formula.expression, f.Number(str(worth), worth, Fraction(1))), ("·",))
    lettered = any((read := Spelling.read(number.text)) is not None and read.letter for number in numbers)
    scaled = None if lettered or len(numbers) < 2 else try_define(counted, environment)
    if scaled is None or not value:
        return None
    found, off = Judge(printed, [scaled], environment, None).judge(), distance(scaled.true.rows[0][0], value)
    if not isinstance(formula.expression, f.Sum):
        return Sentence("unit_unread") if is_sound(found) else None
    thousandth = try_define(f.Quotient(counted, f.Number("1000", Fraction(1_000), Fraction(1))), environment)
    if value < worth and thousandth is not None and is_sound(Judge(printed, [thousandth], environment, None).judge()):
        return Sentence("unit_unread")
    slack = sum(number.places for number in numbers) * worth / 2 + printed.units[0][0] / 2
    if is_sound(found) or (slack < off < abs(value) / 4):
        return found, scaled
    return Sentence("unit_unread") if off <= slack else None


_OPERATIONS = regex(
    r"\s*(?:(?:\\[ ,;:]|~)\s*)*(?:\\(?:text|mathrm|textrm|mbox)\{[ ~]*)?(?P<prefix>[MGTP])(?:FLOP|MAC|OP)s?\b"
)


def judge_operations(
    definition: Definition, printed: Printed, after: str, environment: Environment
) -> Judged | Sentence | None:
    """The verdict on a number of GFLOPs and the like, 10⁹ each, of a formula of whole numbers; None where it is none.

    Who counts a multiplication and an addition as one, or as two, has half of it or twice as much; factors may be in
    units of their own, 8 · 312 TFLOPs.
    """
    prefixed = _OPERATIONS.match(after)
    if prefixed is None or printed.shape != (1, 1) or not _is_plain(definition.expression):
        return None
    worth = Fraction(1_000 ** PREFIXES[prefixed["prefix"]])
    scaled = try_define(f.Quotient(definition.expression, f.Number(str(worth), worth, Fraction(1))), environment)
    value, unit = printed.values[0][0], printed.units[0][0]
    if scaled is None or not value:
        return None
    found = Judge(printed, [scaled], environment, None).judge()
    ball = scaled.true.rows[0][0]
    times = [x * Fraction(1_000) ** k for x in (Fraction(1, 2), Fraction(1), Fraction(2)) for k in range(-5, 6)]
    other = any(distance(ball, value / x) <= 3 * unit / x for x in times)  # or factors are rounded themselves
    return (found, scaled) if is_sound(found) or not other else Sentence("unit_unread")


def _is_far(printed: Printed, formula: Definition) -> bool:
    """Whether a print of operations or parameters is off by a quarter, which no binary thousands of two factors are."""
    value = printed.values[0][0]
    return value is not None and distance(formula.true.rows[0][0], value) > abs(value) / 4


def has_letter(printed: Printed, formula: f.Expression) -> bool:
    """Whether a letter counts thousands in a print or in what it is held against, 4K = 4096."""
    texts = [text for row in printed.texts for text in row]
    texts += [part.text for part in f.walk(formula) if isinstance(part, f.Number)]
    spelled = (Spelling.read(text) for text in texts)
    return any(spelling is not None and bool(spelling.letter) for spelling in spelled)


def _is_plain(formula: f.Expression) -> bool:
    """Whether a formula is made of whole numbers alone, two at least."""
    parts = list(f.walk(formula))
    numbers = [part for part in parts if isinstance(part, f.Number)]
    whole = all(number.places == 1 for number in numbers)
    return len(numbers) > 1 and whole and not any(isinstance(part, f.Name | f.Matrix | f.Unread) for part in parts)
