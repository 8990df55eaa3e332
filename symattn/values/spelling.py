"""How a printed number is spelled: sign, separators, power of ten, percent or M, to spell another alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from symattn.patterns import regex

_NUMBER = regex(
    r"""
    (?P<sign> (?:\{\s*[-−+]\s*\}|[-−+])?\s* )
    (?P<digits> [0-9]{1,3}(?:\{,\}[0-9]{3})+(?:\.[0-9]+)? | [1-9][0-9]{0,2}(?:,[0-9]{3}){2,}
       | [0-9]+(?:[.,][0-9]*)? | [.,][0-9]+ )
    (?: (?P<before> [eE] | \s*(?:\\times|\\cdot|[×·*])\s*10\s*(?:\^|\*\*)?\s*\{?\s* )
        (?P<exponent> [-−+]?[0-9]+ | [⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+ )
        (?P<after> \s*\}? ) )?
    (?: (?P<percent> \s*\\?[%％] )
      | (?P<letter> \s*(?:\\[,;:\x20]\s*)? \\(?:text|mathrm|textrm|mbox)\{\s*
                    (?:[kKMBGT]|thousand|[mbtr]+illion|[万萬亿億])\s*\}
                    | [kKMBGT] | \s?(?:thousand|[mbtr]+illion|[万萬亿億]) ) )?
    """,
    re.X,
)
_POWER = regex(r"([-−+]?\s*)(10(?:\s*(?:\^|\*\*)\s*(?:\{\s*[-−+]?[0-9]+\s*\}|[-−+]?[0-9]+)|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))")
_THOUSANDS = regex(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
TINY = Fraction(1, 10**1_000)  # the worth of the last digit of a number too small to be kept, which is taken for 0


POWERS_OF_THOUSAND = {
    "K": 1,
    "k": 1,
    "M": 2,
    "B": 3,
    "G": 3,
    "T": 4,
    "thousand": 1,
    "million": 2,
    "billion": 3,
    "trillion": 4,
}
PREFIXES = {"K": 1, "M": 2, "G": 3, "T": 4, "P": 5}  # of units, as powers of a thousand or of 1,024
WORTHS = {letter: 1_000**k for letter, k in POWERS_OF_THOUSAND.items()} | {
    "万": 10**4,
    "萬": 10**4,
    "亿": 10**8,
    "億": 10**8,
}  # of what may stand behind a number
WORDS_OF_WORTH = frozenset(word for word in WORTHS if len(word) > 1 or not word.isascii())  # which are no names


@dataclass(frozen=True)
class Spelling:
    """A printed number taken apart; `digits` are those before any power of ten.

    >>> Spelling.read("1{,}024").write(Decimal("20480"))
    '20{,}480'
    >>> Spelling.read(r"6.14 \\times 10^{-6}").write(Decimal("0.00512"))
    '5.12 \\\\times 10^{-3}'
    >>> Spelling.read("−,50").write(Decimal("0.25")), Spelling.read("12 %").write(Decimal(-7))
    (',25', '-7 %')
    >>> Spelling.read("1,024").write(Decimal("20480")), Spelling.read("1,024").write(Decimal("2.048"))
    ('20,480', '2,048')
    >>> Spelling.read(r"2.36\\text{M}").thousands, Spelling.read("320K").write(Decimal("48"))
    (2, '48K')
    """

    sign: str
    digits: str
    before: str
    exponent: str
    after: str
    percent: str
    letter: str  # that counts thousands
    bare: bool = False  # a power of ten alone, `10^{9}`

    @staticmethod
    def read(text: str) -> Spelling | None:
        """The spelling of a number; None for what is spelled in no way known here."""
        power = _POWER.fullmatch(text)
        sign = r"\times " if "{" in text else "×"
        found = _NUMBER.fullmatch(f"{power[1]}1{sign}{power[2]}" if power else text)
        if found is None:
            return None
        return Spelling(**{k: v or "" for k, v in found.groupdict().items()}, bare=power is not None)

    @staticmethod
    def is_plain(text: str) -> bool:
        """Whether it is digits with at most a minus sign and a point."""
        return bool(re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text))

    @property
    def word(self) -> str:
        """What counts thousands behind it, without the marks around that."""
        return re.sub(r"\\[a-z]+|[\W\d_]", "", self.letter)

    @property
    def thousands(self) -> int:
        """The power of 1,000 that its letter stands for, where it is one."""
        return POWERS_OF_THOUSAND.get(self.word, 0)

    @property
    def scale(self) -> Fraction:
        """What its digits are of its value: a hundred times with a percent sign."""
        return Fraction(100) if self.percent else Fraction(1, WORTHS.get(self.word, 1))

    @property
    def significant(self) -> int:
        """How many digits the author printed from the first that is not zero (of a zero: all)."""
        plain = "".join(c for c in self.digits if c.isdigit())
        return max(len(plain.lstrip("0")) or len(plain), 1)

    @property
    def scientific(self) -> tuple[Fraction, Fraction, int]:
        """Its digits as a number, the worth of the last of them, and the power of ten behind them.

        >>> Spelling.read("−9.26 × 10⁻⁴³⁴²⁹⁴⁴⁸³").scientific
        (Fraction(-463, 50), Fraction(1, 100), -434294483)
        """
        minus = "-" if self.sign.strip("{} ") in ("-", "−") else ""
        digits = self.digits.replace(",", ".")
        power = self.exponent.replace("−", "-").translate(_LOWERED)
        return Fraction(minus + digits), Fraction(1, 10 ** len(digits.partition(".")[2])), int(power or 0)

    def write(self, number: Decimal) -> str:
        """Another number in the same manner; one that is a percentage is given in percent, one of 320K in thousands."""
        sign = self._sign(negative=number.is_signed() and bool(number))
        if not self.before:
            return sign + self._separated(format(number.copy_abs(), "f")) + self.percent + self.letter
        places = self.significant - 1
        mantissa, _, power = format(number.copy_abs(), f".{places}e").partition("e")
        if not number:  # of which Decimal makes 0.00e+2
            mantissa, power = f"{0:.{places}f}", "0"
        power = self._power(int(power))
        if self.before.endswith("^") and len(power) > (len(self.exponent) if power[0] in "-−" else 1):
            power = "{" + power + "}"  # 10^9 and 10^{10}
        if self.bare and mantissa == "1":
            return sign + self.before[self.before.index("10") :] + power + self.after
        return sign + self._separated(mantissa) + self.before + power + self.after + self.percent + self.letter

    def _sign(self, *, negative: bool) -> str:
        minus = self.sign.strip("{} ") in ("-", "−")
        if negative:
            return self.sign if minus else "-"
        return "" if minus else self.sign

    def _separated(self, plain: str) -> str:
        whole, _, decimals = plain.partition(".")
        if not decimals and _THOUSANDS.fullmatch(self.digits):
            return f"{int(whole):,}"
        if "{,}" in self.digits:
            whole = f"{int(whole):,}".replace(",", "{,}")
        comma = "," in self.digits and "{,}" not in self.digits
        point = "," if comma else "."
        if self.digits[0] == point and decimals and not int(whole):
            whole = ""
        return whole + (point + decimals if decimals or self.digits.endswith(point) else "")

    def _power(self, power: int) -> str:
        if self.exponent.lstrip("⁺⁻")[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
            return str(power).translate(_RAISED)
        width = len(self.exponent.lstrip("+-−"))
        sign = "-" if power < 0 else "+" if self.exponent[0] == "+" or (self.before in "eE" and width > 1) else ""
        if power < 0 and self.exponent[0] == "−":
            sign = "−"
        return sign + str(abs(power)).rjust(width if self.before in "eE" else 1, "0")


@dataclass(frozen=True)
class NearWhole:
    """A number told by how far it is from a whole one, taken apart.

    >>> NearWhole.read("18 − 1.45 × 10⁻¹⁴").write(Decimal("2.5E-9"))
    '18 + 2.50 × 10⁻⁹'
    """

    whole: int
    shown: str
    gaps: tuple[str, str]
    minus: str
    rest: Spelling

    @staticmethod
    def read(text: str) -> NearWhole | None:
        """The parts of such a number; None for any other."""
        found = _NEAR_WHOLE.fullmatch(text)
        rest = Spelling.read(found["rest"]) if found is not None else None
        if found is None or rest is None or not rest.before:
            return None
        minus = found["sign"] if found["sign"] != "+" else "−" if "−" in text or "⁻" in text else "-"
        whole = int(found["whole"].replace("−", "-"))
        return NearWhole(whole, found["whole"], (found["before"], found["after"]), minus, rest)

    def write(self, distance: Decimal) -> str:
        """Another number as near to the same whole one."""
        sign = self.minus if distance < 0 else "+"
        return self.shown + self.gaps[0] + sign + self.gaps[1] + self.rest.write(distance.copy_abs())


_NEAR_WHOLE = regex(r"(?P<whole>[-−]?[0-9]{1,30})(?P<before>\s*)(?P<sign>[-−+])(?P<after>\s*)(?P<rest>[0-9.].*)", re.S)
