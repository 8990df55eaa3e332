"""Sums of exponentials as they are written: 2e^{−48√2} + 10e^{−24√2} + 18.

A row of averages repeats the same exponentials in every column, and a column the same coefficients in every row; each
is written once per style, so that a table of n² d terms costs little more than joining strings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symattn.values.exact.surd_matrices import SurdMatrix
from symattn.values.exact.surds import ZERO, Surd, signed_term
from symattn.writing.document import Cell, Style, write


class Powers:
    """e^{x} for each x of a row, spelled and written once per style; e^0 is the empty text."""

    __slots__ = ("_written", "exponents", "spell", "unit")

    def __init__(self, exponents: Sequence[Surd], spell: Callable[[Surd], Cell]) -> None:
        self.exponents, self.spell = exponents, spell
        self.unit = exponents.index(ZERO) if ZERO in exponents else None  # the place of e^0
        self._written: dict[str, dict[Surd, str]] = {}

    def written(self, style: Style) -> dict[Surd, str]:
        if style.target not in self._written:
            texts = {x: style.power("e", write(self.spell(x), style)) if x.terms else "" for x in self.exponents}
            self._written[style.target] = texts
        return self._written[style.target]


class OnePower:
    """One of the powers of a row alone; nothing where the exponent is −∞."""

    __slots__ = ("exponent", "powers")

    def __init__(self, powers: Powers, exponent: Surd | None) -> None:
        self.powers, self.exponent = powers, exponent

    def write(self, style: Style) -> str:
        return "0" if self.exponent is None else self.powers.written(style)[self.exponent] or "1"


class Coefficients:
    """Column j of a matrix as its entries stand in a sum, " + 3" or " - " (of a 1), written once per style."""

    __slots__ = ("_written", "j", "matrix")

    def __init__(self, matrix: SurdMatrix, j: int) -> None:
        self.matrix, self.j = matrix, j
        self._written: dict[str, list[str]] = {}

    def written(self, style: Style) -> list[str]:
        if style.target not in self._written:
            self._written[style.target] = [self.sum([i], style) for i in range(self.matrix.shape[0])]
        return self._written[style.target]

    def sum(self, keys: Sequence[int], style: Style) -> str:
        """The sum of some entries, with the sign before it; a 1 is not written, and nothing of a 0."""
        if len(self.matrix.tables) > 1:
            return _with_sign(self.matrix.column_sum(keys, self.j), style)
        return _signed_term(*self.matrix.table_sum(keys, self.j), style)


class ColumnSums:
    """What like exponentials have for coefficients: sums of entries of a column."""

    __slots__ = ("column", "keys")

    def __init__(self, column: Coefficients, keys: Sequence[Sequence[int]]) -> None:
        self.column, self.keys = column, keys

    def written(self, style: Style) -> list[str]:
        alone = self.column.written(style)
        return [alone[keys[0]] if len(keys) == 1 else self.column.sum(keys, style) for keys in self.keys]


class Counts:
    """How often each exponential stands in a sum."""

    __slots__ = ("counts",)

    def __init__(self, counts: Sequence[int]) -> None:
        self.counts = counts

    def written(self, style: Style) -> list[str]:
        return [f" + {'' if c == 1 else c}" for c in self.counts]


class Given:
    """Coefficients one by one."""

    __slots__ = ("surds",)

    def __init__(self, surds: Sequence[Surd]) -> None:
        self.surds = surds

    def written(self, style: Style) -> list[str]:
        return [_with_sign(c, style) for c in self.surds]


def _with_sign(surd: Surd, style: Style) -> str:
    if len(surd.terms) > 1:
        return f" + ({surd.write(style)})"
    return _signed_term(*surd.terms[0], style) if surd.terms else ""


def _signed_term(r: int, c: Any, style: Style) -> str:
    """c√r with the sign before it; a 1 is not written, and nothing of a 0."""
    if not c:
        return ""
    negative, magnitude = signed_term(r, c, style)
    return f" {style.minus if negative else '+'} {'' if magnitude == '1' else magnitude}"


AnyCoefficients = Coefficients | ColumnSums | Counts | Given


class ExponentialSum:
    """Σ c_j e^{x_j}; terms with coefficient 0 are left out, `elided` puts dots for the middle of a long one."""

    __slots__ = ("_written", "coefficients", "most", "powers")

    def __init__(self, coefficients: AnyCoefficients, powers: Powers, most: int | None = None) -> None:
        self.coefficients, self.powers, self.most = coefficients, powers, most
        self._written: dict[str, str] | None = None  # thousands of sums are written once

    def elided(self, most: int) -> ExponentialSum:
        """The same with dots for its middle, where it has more than `most` terms."""
        return ExponentialSum(self.coefficients, self.powers, most)

    def written(self, style: Style) -> str:
        """What `write` writes, kept."""
        if self._written is None:
            self._written = {}
        if style.target not in self._written:
            self._written[style.target] = self.write(style)
        return self._written[style.target]

    def write(self, style: Style) -> str:
        powers = self.powers.written(style).values()
        coefficients = self.coefficients.written(style)
        if style.target != "latex":  # 3/2 · e^(−1), where 3/2e^(−1) may be 3/(2e^(−1))
            coefficients = [
                f"{c} · " if "/" in c and power else c for c, power in zip(coefficients, powers, strict=True)
            ]
        terms = [c and c + power for c, power in zip(coefficients, powers, strict=True)]
        if self.powers.unit is not None and terms[self.powers.unit].endswith(" "):
            terms[self.powers.unit] += "1"  # 1·e^0
        if self.most is not None:
            terms = [term for term in terms if term]
            if len(terms) > self.most:
                terms[self.most - 2 : -1] = [f" + {style.name('cdots')}"]
        text = "".join(terms)
        if not text:
            return "0"
        return text[3:] if text.startswith(" + ") else style.minus + text[2 + len(style.minus) :]


class Ratio:
    """A sum of exponentials over another, which a whole row shares: it is written once per style."""

    __slots__ = ("above", "below")

    def __init__(self, above: ExponentialSum | OnePower, below: ExponentialSum) -> None:
        self.above, self.below = above, below

    def write(self, style: Style) -> str:
        return style.fraction(self.above.write(style), self.below.written(style))
