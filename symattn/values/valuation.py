"""What each step of a program is worth, asked for as it is needed: exact, as proven decimals, as mpmath numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from numbers import Integral
from typing import Any, TypeVar

from mpmath import MPContext, libmp
from sympy import Expr, MatrixSymbol, Rational, Symbol

from symattn.errors import InputError, NotSupportedError
from symattn.nodes import Numbers
from symattn.program.steps import Program
from symattn.values import decimals
from symattn.values.balls import BallNumbers, Balls
from symattn.values.decimals import Begins, Between, Bounds, Near, Shown
from symattn.values.enclosures import MOST_BITS, bounds, enclose, precision, whole_of
from symattn.values.evaluation import Rows, evaluate_steps
from symattn.values.exact.closed_form import Form
from symattn.values.exact.exponential_field import collect, is_zero
from symattn.values.exact.operations import ExactNumbers
from symattn.values.floats.formats import FloatFormat
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip

M = TypeVar("M")
Show = Callable[[Fraction | None, decimals.Decide], Any]
MOST_DIGITS = 100_000
FIRST_BITS = 128
MOST_UNPROVEN = 64  # times as many bits as asked for, where algebra cannot settle what enclosures do not
LONGEST_STR = 4_000  # Python reads no integer of more than 4300 digits from text


class Valuation:
    """The values of one program's steps for given inputs. Nothing is computed twice, or before it is asked for."""

    def __init__(self, program: Program, inputs: Mapping[MatrixSymbol, Rows], sizes: Mapping[Symbol, int]) -> None:
        self.program, self.inputs, self.sizes = program, inputs, sizes
        self._balls: dict[int, dict[str, Balls]] = {}
        self._without_cancelling: dict[tuple[str, int, int], Expr | None] = {}
        self._left: dict[tuple[str, int, int, int], Bounds] = {}
        self._shown: dict[tuple[str, int, int, int | None, int, bool], Shown | Near | None] = {}
        self._proven: dict[tuple[str, int, int, Fraction], bool] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.program, self.inputs, self.sizes)  # flint's numbers cannot be pickled

    @cached_property
    def exact(self) -> dict[str, Form]:
        """Every step and input in closed form."""
        return self.in_numbers(ExactNumbers())

    def in_numbers(self, numbers: Numbers[M]) -> dict[str, M]:
        """Every step and input in some kind of number, by name."""
        return evaluate_steps(self.program, self.inputs, self.sizes, numbers)

    def balls(self, name: str, bits: int) -> Balls:
        """A step enclosed, with so many bits of working precision."""
        if bits not in self._balls:
            with precision(bits):
                self._balls[bits] = self.in_numbers(BallNumbers())
        balls = self._balls[bits][name]
        with precision(bits):
            balls.rows  # noqa: B018  (made at this precision, when first asked for)
        return balls

    def nearest(self, name: str, digits: int) -> list[list[Decimal | None]]:
        """Each entry to so many significant digits, nearest and proven; None for −∞, integers as they are."""
        digits = read_digits(digits)
        return self._each(name, lambda rational, decide: _significant(rational, decide, digits), _bits_for(digits))

    def readable(self, name: str) -> list[list[Shown | Near | None]]:
        """Each entry as a reader wants it: two decimals, more where they would hide what matters."""
        return self._each(name, _readable, FIRST_BITS)

    def shown(
        self, name: str, i: int, j: int, digits: int | None = None, places: int = 2, *, exactly: bool = False
    ) -> Shown | Near | None:
        """Entry (i, j), counted from 0, as `readable`, to so many places, or, with digits, as `nearest` has it.

        With exactly so many places, 0.002 is 0.00.
        """
        digits = None if digits is None else read_digits(digits)
        asked = name, i, j, digits, places, exactly
        if asked not in self._shown:
            self._shown[asked] = self._show(*asked)
        return self._shown[asked]

    def _show(self, name: str, i: int, j: int, digits: int | None, places: int, exactly: bool) -> Shown | Near | None:
        if digits is None:
            show = partial(_readable, places=places, manner=decimals.placed if exactly else decimals.readable)
            shown: Shown | Near | None = self._entry(name, i, j, show, FIRST_BITS)
            return shown
        number = self._entry(
            name, i, j, lambda rational, decide: _significant(rational, decide, digits), _bits_for(digits)
        )
        return None if number is None else Shown(number)

    def rounded(self, name: str, i: int, j: int, form: FloatFormat) -> float:
        """Entry (i, j), counted from 0, rounded once to a float format: enclosures decide, and algebra on a tie."""
        if (i, j) in self.exact[name].hidden:
            return form.cast_one(-math.inf)
        found: float = self._entry(name, i, j, lambda rational, decide: _in_format(rational, decide, form), FIRST_BITS)
        return found

    def begins(self, name: str, i: int, j: int, digits: int) -> Begins | Shown | None:
        """Entry (i, j), counted from 0, by its first digits; as it is where it has no more of them; None for −∞."""
        digits = read_digits(digits)
        number: Begins | Shown | None = self._entry(
            name, i, j, lambda rational, decide: _begins(rational, decide, digits), _bits_for(digits)
        )
        return number

    def between(self, name: str, i: int, j: int, digits: int) -> Between | Shown | None:
        """Entry (i, j), counted from 0, between neighbouring decimals of so many digits; as `begins` otherwise."""
        found = self.begins(name, i, j, digits)
        if not isinstance(found, Begins):
            return found
        sign, figures, exponent = found.digits.as_tuple()
        away = Decimal((sign, Decimal(int("".join(map(str, figures))) + 1).as_tuple().digits, int(exponent)))
        return Between(*sorted((found.digits, away)))

    def mpmath(self, name: str, digits: int) -> Any:
        """Each entry as an mpmath number of a local context of so many digits: the nearest one."""
        digits, context = read_digits(digits), MPContext()
        context.dps = digits
        rows = self.nearest(name, digits)
        return context.matrix([[_mpf(context, x) for x in row] for row in rows])

    def _each(self, name: str, show: Show, bits: int) -> list[list[Any]]:
        rows, columns = self.exact[name].shape
        return [[self._entry(name, i, j, show, bits) for j in range(columns)] for i in range(rows)]

    def _entry(self, name: str, i: int, j: int, show: Show, bits: int) -> Any:
        value = self.exact[name]
        if (i, j) in value.hidden:
            return None
        if value.undefined(i, j):
            return show(None, lambda _question, most=0: Decimal("NaN"))
        surd = value.closed(i, j)
        rational = self._whole(name, i, j, bits) if surd is None else surd.fraction
        return show(rational, self._decide(name, i, j, bits) if rational is None else _read_digits(rational))

    def _decide(self, name: str, i: int, j: int, bits: int) -> decimals.Decide:
        """Answers a question about entry (i, j) as soon as an enclosure is narrow enough."""

        def decide(question: Callable[[Bounds], Any], most: int = MOST_BITS) -> Any:
            working, most = bits, most if self.exact[name].is_written else min(most, MOST_UNPROVEN * bits)
            while working <= most:
                answer = question(bounds(self.balls(name, working).rows[i][j]))
                if answer is not None:
                    return answer
                if working >= 4 * bits:  # many more digits than asked: perhaps it is exactly on the edge
                    settled = self._settle(name, i, j, working, question)
                    if settled is None:
                        settled = self._collected(name, i, j, working, question)
                    if settled is not None:
                        return settled
                working *= 2
            raise NotSupportedError(Sentence("undecided", row=i + 1, column=j + 1), place=name)

        return decide

    def _whole(self, name: str, i: int, j: int, bits: int) -> Fraction | None:
        """The integer that an entry without a closed form is proven to be, as cos² 1 + sin² 1 is 1."""
        value = self.exact[name]
        whole = whole_of(self.balls(name, bits).rows[i][j]) if value.may_be_rational(i, j) else None
        return None if whole is None or not self._is(name, i, j, Fraction(whole)) else Fraction(whole)

    def _collected(self, name: str, i: int, j: int, bits: int, question: Callable[[Bounds], Any]) -> Any:
        """The answer for what is left of large terms that cancel: 1 − e^(−10⁹) less 1."""
        if not self.exact[name].is_written:
            return None
        if (name, i, j) not in self._without_cancelling:
            self._without_cancelling[name, i, j] = collect(self.exact[name].entry(i, j))
        left = self._without_cancelling[name, i, j]
        if left is None:
            return None
        if (name, i, j, bits) not in self._left:
            with precision(bits):
                self._left[name, i, j, bits] = bounds(enclose(left))
        return question(self._left[name, i, j, bits])

    def _settle(self, name: str, i: int, j: int, bits: int, question: Callable[[Bounds], Any]) -> Any:
        """The answer for a value that is exactly a short rational number, proven by algebra to be it."""
        value = self.exact[name]
        if not value.may_be_rational(i, j):
            return None  # so it is never on an edge
        ball = self.balls(name, bits).rows[i][j]
        if abs(bounds(ball).exponent) > decimals.FAR:
            return None
        guess = Fraction(bounds(ball).low, 1) * Fraction(2) ** bounds(ball).exponent
        simple = guess.limit_denominator(1 << (bits // 4))
        return _read_digits(simple)(question) if self._is(name, i, j, simple) else None

    def _is(self, name: str, i: int, j: int, number: Fraction) -> bool:
        """Whether algebra proves that entry (i, j) is this number."""
        asked = name, i, j, number
        if asked not in self._proven:
            left = self.exact[name].entry(i, j) - Rational(number.numerator, number.denominator)
            self._proven[asked] = is_zero(left) is True
        return self._proven[asked]


def read_digits(digits: Any) -> int:
    """A number of digits. Raises InputError for what is none."""
    whole = isinstance(digits, Integral) and not isinstance(digits, bool)
    if not whole or not 1 <= digits <= MOST_DIGITS:
        raise InputError(Sentence("bad_digits", digits=clip(str(digits), 20), most=MOST_DIGITS))
    return int(digits)


def _mpf(context: Any, x: Decimal | None) -> Any:
    if x is None:
        return context.ninf
    if len(x.as_tuple().digits) < LONGEST_STR:
        return context.mpf(str(x))
    above, below = x.as_integer_ratio()
    return context.make_mpf(libmp.from_rational(above, below, context.prec, "n"))


def _read_digits(x: Fraction) -> decimals.Decide:
    """Questions answered for a number that is known exactly: by it, or by bounds on both its sides, within a hair."""

    def decide(question: Callable[[Bounds], Any], most: int = 0) -> Any:
        del most  # a rational is never too near
        if x.denominator & (x.denominator - 1) == 0:
            return question(Bounds(x.numerator, x.numerator, 1 - x.denominator.bit_length()))
        shift = 64 + 2 * x.denominator.bit_length()
        while True:
            # outwards from zero, so that a tie goes the way it is rounded: away from zero
            away = -((-abs(x.numerator) << shift) // x.denominator)
            m = -away if x < 0 else away
            answer = question(Bounds(m, m, -shift))
            if answer is not None:
                return answer
            shift *= 2

    return decide


def _in_format(rational: Fraction | None, decide: decimals.Decide, form: FloatFormat) -> float:
    return decide(form.nearest) if rational is None else form.of(rational)


def _begins(rational: Fraction | None, decide: decimals.Decide, digits: int) -> Begins | Shown:
    if rational is not None:
        nearest = Decimal(rational.numerator) if rational.denominator == 1 else _significant(rational, decide, digits)
        if Fraction(nearest) == rational:
            return Shown(nearest)
        decide = _read_digits(rational)
    return Begins(decide(lambda b: decimals.cut_significant(b, digits)))


def _readable(
    rational: Fraction | None,
    decide: decimals.Decide,
    places: int = 2,
    manner: Callable[[decimals.Decide, int], Shown | Near] = decimals.readable,
) -> Shown | Near:
    if rational is not None and rational.denominator == 1:
        return Shown(Decimal(rational.numerator))
    return manner(decide, places)


def _significant(rational: Fraction | None, decide: decimals.Decide, digits: int) -> Decimal:
    if rational is None:
        found: Decimal = decide(lambda b: decimals.nearest_significant(b, digits))
        return found
    if rational.denominator == 1:
        return Decimal(rational.numerator)
    return decimals.nearest_to_fraction(rational, digits=digits)


def _bits_for(digits: int) -> int:
    return 64 + (digits * 3322) // 1000
