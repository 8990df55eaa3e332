"""A calculation in plain text, with words and units between its numbers, and what it comes to.

A word behind a number, or a bracket without operations behind it, is a remark. A word that stands where a number should
stand is a letter of a formula: such a text is not read. What is read confirms a print at most, so that a remark that
was none accuses nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.patterns import regex
from symattn.values.enclosures import enclose_fraction, raised, whole_of
from symattn.values.printed import Ball

MOST = 300  # characters of a calculation
_MOST_TOKENS, _DEEPEST, _LARGEST_POWER, _MOST_DIGITS = 120, 12, 400, 40
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMBER = r"\d{1,3}(?:,\d{3})++(?:\.\d++)?|\d++(?:\.\d++)?|\.\d++"
_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_WORD_POWERS = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "mio": 10**6,
    "mrd": 10**9,
    "万": 10**4,
    "萬": 10**4,
    "億": 10**8,
    "亿": 10**8,
}
MAGNITUDE = (
    r"(?:[ ~]?(?P<bytes>[kKMGTP])(?P<binary>i)?B(?![A-Za-z])|(?P<short>[kKMGTB])(?![A-Za-z\d])"
    r"|[ ~]?(?P<word>(?i:thousand|million|billion|trillion|mio|mrd|[万萬億亿]))(?:s|en)?)"
)
_MAGNITUDE = regex(MAGNITUDE)
_TOKEN = regex(
    rf"(?P<number>{NUMBER})(?P<exponent>[eE][-+]?\d{{1,3}}(?![\w.]))?(?P<percent> ?%)?"
    r"|(?P<function>(?:exp|ln|log₂|log2|log|sqrt)(?=\s*\()|√|\\sqrt(?=\s*[\d(])|(?<![A-Za-z])e(?=\s*(?:\^|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻])))"
    r"|(?P<times>×|\*(?!\*)|·|⋅|∙|\\times(?![A-Za-z])|\\cdot(?![A-Za-z])|(?<=[\s\d)])[xX](?=\s*(?:[\d(]|(?i:b?fp|bf|int|float))))"
    r"|(?P<power>\*\*|\^)|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)"
    r"|(?P<divided>÷|/(?!\s*[^\W\d]))|(?P<per>/(?=\s*[^\W\d]))|(?P<plus>\+)|(?P<minus>[-−–])"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<word>[^\W\d][\w'’]*(?:-[^\W\d][\w'’]*)*)"
    r"|(?P<space>[\s`$]+|\\[,;: ])"
)
_WIDTH = regex(r"(?:b?fp|bf|float|u?int)(?P<bits>4|8|16|32|64)", re.IGNORECASE)
_BITS = regex(r"[ -]?bits?(?![A-Za-z])")
_FUNCTIONS: dict[str, Callable[[Ball], Ball]] = {
    "exp": lambda x: x.exp(),
    "ln": lambda x: x.log(),
    "log": lambda x: x.log(),
    "log2": lambda x: x.log() / enclose_fraction(Fraction(2)).log(),
    "log₂": lambda x: x.log() / enclose_fraction(Fraction(2)).log(),
    "sqrt": lambda x: x.sqrt(),
    "\\sqrt": lambda x: x.sqrt(),
    "√": lambda x: x.sqrt(),
}


class UnreadError(Exception):
    """A text that is no calculation in numbers."""


@dataclass(frozen=True)
class Amount:
    """What a calculation comes to, and how many operations it has."""

    value: Ball
    operations: int


def magnitude(found: re.Match[str] | None, base: int) -> Fraction:
    """What a number is multiplied by, by the unit behind it: of kB and K by `base`, of KiB by 1,024."""
    if found is None:
        return Fraction(1)
    if found["word"]:
        return Fraction(_WORD_POWERS[found["word"].lower()])
    letter = found["bytes"] or found["short"]
    if letter == "B":
        return Fraction(10**9)
    own = 1_024 if found["binary"] else base
    return Fraction(own) ** _POWERS[letter.upper()]


def calculate(text: str, base: int = 1_000, *, in_bytes: bool = False) -> Amount:
    """What a calculation comes to, its units counted in powers of `base`; `in_bytes`, 16-bit and FP16 are two bytes.

    >>> [str(calculate(t).value) for t in ("2 (K and V) × 32 layers × 8 heads", "7B params × 2 bytes", "(3 + 4²) / 2")]
    ['512.000000000000', '14000000000.0000', '9.50000000000000']
    >>> calculate("32 x 32 x 16-bit", in_bytes=True).value, calculate("32 x FP32", in_bytes=True).value
    (2048.00000000000, 128.000000000000)
    >>> calculate("n × 4")
    Traceback (most recent call last):
    ...
    symattn.checking.recognised.amounts.reading.UnreadError

    Raises: UnreadError for anything else.
    """
    if len(text) > MOST:
        raise UnreadError
    calculation = _Calculation(list(_tokens(text)), text, base, in_bytes=in_bytes)
    try:
        value = calculation.whole()
    except (ZeroDivisionError, ValueError, OverflowError):
        raise UnreadError from None
    if not value.is_finite():
        raise UnreadError
    return Amount(value, calculation.operations)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise UnreadError
        at = found.end()
        if found["number"] and (unit := _MAGNITUDE.match(text, at) or _BITS.match(text, at)) is not None:
            at = unit.end()
        if found.lastgroup != "space":
            yield found


class _Calculation:
    """Recursive descent over tokens; words behind an operand are passed over."""

    def __init__(self, tokens: Sequence[re.Match[str]], text: str, base: int, *, in_bytes: bool) -> None:
        if len(tokens) > _MOST_TOKENS:
            raise UnreadError
        self.tokens, self.text, self.base, self.in_bytes = tokens, text, base, in_bytes
        self.at = self.depth = self.operations = 0

    def whole(self) -> Ball:
        while self._kind() == "word" and self._kind(1) in ("word", "number", "function"):
            self.at += 1  # Memory per token 2 × 4
        value = self._sum()
        if self.at < len(self.tokens):
            raise UnreadError
        return value

    def _kind(self, ahead: int = 0) -> str | None:
        k = self.at + ahead
        kind = self.tokens[k].lastgroup if k < len(self.tokens) else None
        return "number" if kind in ("exponent", "percent") else kind

    def _take(self) -> re.Match[str]:
        self.at += 1
        return self.tokens[self.at - 1]

    def _sum(self) -> Ball:
        value = self._product()
        while (kind := self._kind()) in ("plus", "minus"):
            self._take()
            self.operations += 1
            value = value + self._product() if kind == "plus" else value - self._product()
        return value

    def _product(self) -> Ball:
        value = self._factor()
        while (kind := self._kind()) in ("times", "divided"):
            self._take()
            self.operations += 1
            value = value * self._factor() if kind == "times" else value / self._factor()
        return value

    def _factor(self) -> Ball:
        if self._kind() == "minus":
            self._take()
            return -self._factor()
        value = self._operand()
        if self._kind() == "raised":
            self.operations += 1
            value = self._to_power(value, enclose_fraction(Fraction(int(self._take()[0].translate(_SUPERSCRIPTS)))))
        elif self._kind() == "power":
            self._take()
            self.operations += 1
            value = self._to_power(value, self._factor())
        self._pass_remarks()
        return value

    def _operand(self) -> Ball:
        match self._kind():
            case "number":
                return self._number()
            case "open":
                return self._bracket()
            case "function":
                return self._function()
            case "word" if self._kind(1) == "open" and self._kind(2) == "number":
                self._take()  # layers (32)
                return self._bracket()
            case "word" if self.in_bytes and self.operations and (width := _WIDTH.fullmatch(self.tokens[self.at][0])):
                self._take()
                return enclose_fraction(Fraction(int(width["bits"]), 8))
        raise UnreadError

    def _bracket(self) -> Ball:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadError
        self._take()
        value = self._sum()
        if self._kind() != "close":
            raise UnreadError
        self._take()
        self.depth -= 1
        return value

    def _function(self) -> Ball:
        name = self._take()[0]
        self.operations += 1
        if name != "e":
            return _FUNCTIONS[name](self._operand())
        raised_to = self._take()
        if raised_to.lastgroup == "raised":
            return enclose_fraction(Fraction(int(raised_to[0].translate(_SUPERSCRIPTS)))).exp()
        power = self._signed()
        if abs(float(power.mid())) > _LARGEST_POWER:
            raise UnreadError
        return power.exp()

    def _signed(self) -> Ball:
        if self._kind() == "minus":
            self._take()
            return -self._operand()
        return self._operand()

    def _number(self) -> Ball:
        found = self._take()
        digits = found["number"].replace(",", "")
        if len(digits) > _MOST_DIGITS:
            raise UnreadError
        value = Fraction(digits)
        if found["exponent"]:
            value *= Fraction(10) ** int(found["exponent"][1:])
        if found["percent"]:
            value /= 100
        if self.in_bytes and _BITS.match(self.text, found.end()):
            value /= 8
        return enclose_fraction(value * magnitude(_MAGNITUDE.match(self.text, found.end()), self.base))

    def _to_power(self, base: Ball, power: Ball) -> Ball:
        whole = whole_of(power)
        if abs(float(power.mid())) > _LARGEST_POWER or (whole is None and not base > 0):
            raise UnreadError
        return raised(base, power)

    def _pass_remarks(self) -> None:
        """Go past words behind an operand, `per token`, and past brackets that hold nothing to calculate."""
        while True:
            if self._kind() == "word" and self._kind(1) != "open":
                self._take()
            elif self._kind() == "per" and self._kind(1) == "word":
                self.at += 2
            elif (end := self._remark_end()) is not None:
                self.at = end
            else:
                return

    def _remark_end(self) -> int | None:
        """Where a bracket of words ends that begins here, perhaps behind a word."""
        k = self.at + (self._kind() == "word")
        if k >= len(self.tokens) or self.tokens[k].lastgroup != "open":
            return None
        for j in range(k + 1, len(self.tokens)):
            if self.tokens[j].lastgroup == "close":
                return j + 1
            if self.tokens[j].lastgroup not in ("word", "per"):
                return None
        return None
