"""Text -> exact number: `"1/3"`, `"0.10"`, `"sqrt(2)"`, `"1/sqrt(d_k)"`, and nothing else.

    sum     = product (("+" | "-") product)*
    product = sign (("*" | "/") sign)*
    sign    = "-" sign | power
    power   = atom (("^" | "**") sign)?
    atom    = number | name | ("sqrt" | "exp") "(" sum ")" | "(" sum ")"

A small recursive-descent reader of our own: what a user wrote never reaches `sympify` or `eval`, since both
run it as Python. Every size is bounded before SymPy sees it, so that no entry can take long.
"""

from __future__ import annotations

import decimal
import fractions
import math
import numbers
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Expr, Integer, Rational, S
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError, SymattnError
from symattn.patterns import regex
from symattn.writing.nearest import nearest
from symattn.writing.prose import Sentence

LONGEST_TEXT = 2_000
MOST_DIGITS = 1_000
LARGEST_TEN = 1_000  # the largest power of ten in 1e1000
DEEPEST = 40
LARGEST_EXP = 100_000  # exp(100000) has 43,430 digits before the point
_TOKEN = regex(
    r"\s*(?:([0-9]+\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|([^\W\d]\w*)|(\*\*|[-+*/^()]))"
)
_PLAIN = regex(r"(-?)([0-9]{1,40})(?:\.([0-9]{1,40})|/([1-9][0-9]{0,39}))?")
_SHORT = 1 << 62  # most entries are integers below this
_MINUS = str.maketrans({"\N{MINUS SIGN}": "-", "·": "*", "×": "*"})


@dataclass(frozen=True)
class ExactRows(Sequence[Sequence[Expr]]):
    """A matrix of exact numbers that has been read; `decimal`: whether one of them is written as a decimal."""

    rows: Sequence[Sequence[Expr]]
    decimal: bool = False

    def __getitem__(self, i: Any) -> Any:
        return self.rows[i]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Sequence[Expr]]:
        return iter(self.rows)


def read_exact(entry: object, names: Mapping[str, Expr] | None = None, *, infinite: bool = False) -> Expr:
    """The exact number that an entry states: integers, fractions, decimals as written, roots, exponentials.

    A float of Python, NumPy or SymPy is taken as the shortest decimal that prints it: 0.1 is one tenth. `names` are the
    symbols that may appear (`d_k` in a scale); `infinite` allows `-inf`. Digits are 0 to 9: others are refused
    rather than guessed at. Raises InputError for all else.

    >>> read_exact("1/3"), read_exact("0.10"), read_exact("sqrt(8)"), read_exact(0.1)
    (1/3, 1/10, 2*sqrt(2), 1/10)
    """
    if type(entry) is int and -_SHORT < entry < _SHORT:
        return Integer(entry)
    if isinstance(entry, bool | np.bool_):
        raise InputError(Sentence("not_a_number", text=str(entry).lower()))
    if isinstance(entry, str):
        if entry.isascii() and (plain := _PLAIN.fullmatch(entry)):
            return _plain_number(*plain.groups())
        text = entry.translate(_MINUS).strip()
        if infinite and text in ("-inf", "-oo", "-∞"):
            return S.NegativeInfinity
        return _Reader(text, names or {}).read()
    if isinstance(entry, numbers.Integral):
        return _bound(Integer(int(entry)))
    if isinstance(entry, fractions.Fraction):
        return _bound(Rational(entry.numerator, entry.denominator))
    if isinstance(entry, decimal.Decimal | float | np.floating):
        if infinite and entry == -math.inf:
            return S.NegativeInfinity
        # str() is the shortest decimal that reads back as the same number, in the entry's own format
        return read_exact(str(entry))
    if isinstance(entry, Expr):
        return _read_expression(without_floats(entry), infinite)
    raise InputError(Sentence("not_a_number", text=_shorten(str(entry))))


def _plain_number(sign: str, whole: str, places: str | None, divisor: str | None) -> Expr:
    """What most texts are, without the reader: "3", "-0.25", "1/3"."""
    places = places or ""
    value = fractions.Fraction(int(sign + whole + places), int(divisor or 10 ** len(places)))
    return Rational(value.numerator, value.denominator)


def without_floats(expression: Any, known: tuple[type, ...] = ()) -> Any:
    """A SymPy expression in which each Float is the shortest decimal that has its value at its precision.

    `known` are the kinds that have none inside: what is nested may repeat itself, and is not searched again.

    >>> without_floats(sympy.Float("0.1") * sympy.sqrt(2))
    sqrt(2)/10
    """
    if isinstance(expression, sympy.Float):
        return _shortest_decimal(expression)
    if isinstance(expression, known):
        return expression
    made = [without_floats(x, known) for x in expression.args]
    same = all(a is b for a, b in zip(made, expression.args, strict=True))
    return expression if same else expression.func(*made)


def _shortest_decimal(number: sympy.Float) -> Expr:
    most, (_, _, exponent, bits) = number._prec * 3 // 10 + 4, number._mpf_
    if most > MOST_DIGITS or abs(exponent + bits) > 4 * MOST_DIGITS:
        raise InputError(Sentence("number_too_long", most=MOST_DIGITS))
    exact = Rational(number)
    numerator, denominator = decimal.Decimal(int(exact.p)), decimal.Decimal(int(exact.q))
    texts = (str(decimal.Context(prec=n).divide(numerator, denominator)) for n in range(1, most + 1))
    return read_exact(next(x for x in texts if sympy.Float(x, precision=number._prec)._mpf_ == number._mpf_))


def read_rows(matrix: Any, *, infinite: bool = True) -> ExactRows:
    """A matrix given as lists, a NumPy array or a SymPy matrix, as exact rows; what has been read is not read again.

    Raises InputError where it is empty or ragged, or an entry is not an exact number, naming the row and column.
    """
    if isinstance(matrix, ExactRows):
        return matrix
    if isinstance(matrix, MatrixBase):
        matrix = matrix.tolist()
    rows = list(np.atleast_1d(np.asarray(matrix))) if isinstance(matrix, np.ndarray) else matrix
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise InputError(Sentence("not_rows"))
    exact: list[list[Expr]] = []
    decimal = False
    for i, row in enumerate(rows):
        if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str) or not len(row):
            raise InputError(Sentence("not_rows"))
        if len(row) != len(rows[0]):
            raise InputError(Sentence("ragged", row=i + 1, length=len(row), first=len(rows[0])))
        if set(map(type, row)) == {int} and max(map(abs, row)) < _SHORT:  # most are
            exact.append([Integer(x) for x in row])
            continue
        decimal = decimal or any(is_decimal(x) for x in row)
        exact.append([_read_entry(x, i, j, infinite) for j, x in enumerate(row)])
    return ExactRows(exact, decimal)


def _read_entry(x: object, i: int, j: int, infinite: bool) -> Expr:
    try:
        return read_exact(x, infinite=infinite)
    except SymattnError as error:
        error.within = Sentence("at_entry", row=i + 1, column=j + 1)
        raise


def is_decimal(entry: object) -> bool:
    """Whether an entry is written as a decimal, so that its results read best as decimals too.

    >>> is_decimal("0.10"), is_decimal(0.5), is_decimal("1/2"), is_decimal(3)
    (True, True, False, False)
    """
    if isinstance(entry, str):
        return "." in entry
    return isinstance(entry, decimal.Decimal | float | np.floating | sympy.Float)


def _read_expression(entry: Expr, infinite: bool) -> Expr:
    """A SymPy number is exact, unless it holds a symbol."""
    if entry is S.NegativeInfinity:
        if infinite:
            return entry
        raise InputError(Sentence("not_a_number", text="-inf"))
    if entry.is_Rational:
        return _bound(entry)
    if entry.has(S.NaN, S.ComplexInfinity) or not (entry.is_number and entry.is_real):
        raise InputError(Sentence("not_a_number", text=_shorten(str(entry))))
    return entry


def _bound(value: Expr) -> Expr:
    """A rational number as it is, unless it is too long."""
    if _bits(value) > 4 * MOST_DIGITS:
        raise InputError(Sentence("number_too_long", most=MOST_DIGITS))
    return value


def _shorten(text: str, most: int = 40) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


FUNCTIONS = ("sqrt", "exp", "log", "tanh", "abs")  # that expressions with letters may have


class _Reader:
    """One text, read once from left to right."""

    def __init__(self, text: str, names: Mapping[str, Expr]) -> None:
        if len(text) > LONGEST_TEXT:
            long = Sentence("formula_too_long", limit=LONGEST_TEXT)
            raise InputError(long if names else Sentence("number_too_long", most=MOST_DIGITS))
        self.text, self.names = text, names
        self.tokens = self._tokens()
        self.at = 0
        self.depth = 0

    def _tokens(self) -> list[str]:
        found, place = [], 0
        while self.text[place:].strip():
            match = _TOKEN.match(self.text, place)
            if match is None:
                raise self._refusal()
            found.append(match.group().strip())
            place = match.end()
        return found

    def _refusal(self) -> InputError:
        if self.names:
            known = ", ".join(sorted(self.names))
            names = (*self.names, *FUNCTIONS)
            unknown = (x for x in re.findall(r"[A-Za-z]\w*", self.text[:200]) if x not in names)
            meant = next((near for x in unknown if (near := nearest(x, names)) is not None), None)
            if meant is not None:
                said = Sentence("not_an_expression_near", text=_shorten(self.text), names=known, near=meant)
                return InputError(said)
            if "z" in self.names:
                example = "z - abs(i - j)/2" if "i" in self.names else "exp(z)"
                return InputError(Sentence("not_a_formula", text=_shorten(self.text), names=known, example=example))
            return InputError(Sentence("not_an_expression", text=_shorten(self.text), names=known))
        return InputError(Sentence("not_a_number", text=_shorten(self.text)))

    def _take(self, *signs: str) -> str:
        """The next token if it is one of `signs`, else nothing."""
        if self.at < len(self.tokens) and self.tokens[self.at] in signs:
            self.at += 1
            return self.tokens[self.at - 1]
        return ""

    def read(self) -> Expr:
        value = self._sum()
        if self.at < len(self.tokens) or value.has(S.ComplexInfinity, S.NaN, S.ImaginaryUnit):
            raise self._refusal()
        if value.is_Rational:
            return _bound(value)
        if not value.free_symbols:
            self._require_size(value)
        return value

    def _require_size(self, value: Expr) -> None:
        """Products and powers of what was small enough on its own must not grow without bound either."""
        about = value.evalf(5)
        if not about.is_real:
            raise self._refusal()
        if about.is_Float:
            _, mantissa, exponent, bits = about._mpf_
            most = LARGEST_EXP * 3 // 2 if value.has(sympy.exp, S.Exp1) else 4 * MOST_DIGITS
            if mantissa and abs(exponent + bits) > most:
                raise InputError(Sentence("number_too_long", most=MOST_DIGITS))

    def _sum(self) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._refusal()
        value = self._product()
        while sign := self._take("+", "-"):
            term = self._product()
            value = value + term if sign == "+" else value - term
        self.depth -= 1
        return value

    def _product(self) -> Expr:
        value = self._sign()
        while sign := self._take("*", "/"):
            factor = self._sign()
            if sign == "/" and factor.is_zero:
                raise self._refusal()
            value = value * factor if sign == "*" else value / factor
        return value

    def _sign(self) -> Expr:
        negative = False
        while sign := self._take("-", "+"):
            negative ^= sign == "-"
        value = self._power()
        return -value if negative else value

    def _power(self) -> Expr:
        base = self._atom()
        if not self._take("^", "**"):
            return base
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._refusal()
        exponent = self._sign()
        self.depth -= 1
        if exponent == Rational(1, 2):
            return self._root(base)
        if not exponent.is_Integer or abs(exponent) > MOST_DIGITS or (base.is_zero and exponent <= 0):
            raise self._refusal()
        if base.is_Rational and abs(int(exponent)) * _bits(base) > 4 * MOST_DIGITS:
            raise InputError(Sentence("number_too_long", most=MOST_DIGITS))
        if not base.is_Rational and not base.is_Symbol and abs(exponent) > 8:
            raise self._refusal()
        return base**exponent

    def _atom(self) -> Expr:
        if self.at == len(self.tokens):
            raise self._refusal()
        token = self.tokens[self.at]
        self.at += 1
        if token[0] in "0123456789.":
            return self._number(token)
        if token == "(":
            return self._closed(self._sum())
        if token in ("sqrt", "exp") and self._take("("):
            argument = self._closed(self._sum())
            return self._root(argument) if token == "sqrt" else self._exp(argument)
        if token in ("tanh", "abs") and self.names and self._take("("):
            argument = self._closed(self._sum())
            return sympy.tanh(argument) if token == "tanh" else sympy.Abs(argument)
        if token == "log" and self.names and self._take("("):
            argument = self._closed(self._sum())
            if not argument.is_positive:
                raise self._refusal()
            return sympy.log(argument)
        if token in self.names:
            return self.names[token]
        raise self._refusal()

    def _closed(self, value: Expr) -> Expr:
        if not self._take(")"):
            raise self._refusal()
        return value

    def _number(self, token: str) -> Expr:
        mantissa, _, ten = token.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(ten) > 6 or abs(int(ten or 0)) > LARGEST_TEN:
            raise InputError(Sentence("number_too_long", most=MOST_DIGITS))
        return Rational(mantissa.rstrip(".") if mantissa.endswith(".") else mantissa) * Integer(10) ** int(ten or 0)

    def _root(self, radicand: Expr) -> Expr:
        # 200 bits keep SymPy's search for square factors instant
        if radicand.is_Rational:
            if radicand < 0 or _bits(radicand) > 200:
                raise self._refusal()
        elif radicand.is_negative:
            raise self._refusal()
        return sympy.sqrt(radicand)

    def _exp(self, argument: Expr) -> Expr:
        if not argument.free_symbols and not abs(argument) <= LARGEST_EXP:
            raise self._refusal()
        return sympy.exp(argument)


def _bits(value: Expr) -> int:
    return max(int(value.p).bit_length(), int(value.q).bit_length())
