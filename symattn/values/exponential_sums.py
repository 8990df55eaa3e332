"""Sums of exponentials as they are written: 2e^{−48√2} + 10e^{−24√2} + 18.

A row of averages repeats the same exponentials in every column, and a column the same coefficients in every row; each
is written once per style, so that a table of n² d terms costs little more than joining strings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from symattn.document import Cell, Style, write
from symattn.values.surds import Surd, SurdMatrix, signed_term


class Powers:
    """e^{x} for each x of a row, spelled and written once per style; e^0 is the empty text."""

    __slots__ = ("_written", "exponents", "of", "spell")

    def __init__(
        self, exponents: Sequence[Surd], of: Powers | None = None, spell: Callable[[Surd], Cell] = lambda x: x
    ) -> None:
        self.exponents, self.of, self.spell = exponents, of, spell
        self._written: dict[str, dict[Surd, str]] = {}

    def only(self, x: Surd) -> Powers:
        """One of these powers alone."""
        return Powers([x], self)

    def written(self, style: Style) -> Collection[str]:
        if self.of is not None:
            self.of.written(style)
            return [self.of._written[style.target][self.exponents[0]]]
        if style.target not in self._written:
            texts = {x: style.power("e", write(self.spell(x), style)) if x.terms else "" for x in self.exponents}
            self._written[style.target] = texts
        return self._written[style.target].values()


class Coefficients:
    """A column of coefficients, each as its sign and its magnitude (empty for 1), written once per style."""

    __slots__ = ("_written", "surds")

    def __init__(self, surds: Sequence[Surd]) -> None:
        self.surds = surds
        self._written: dict[str, list[tuple[bool, str]]] = {}

    def written(self, style: Style) -> list[tuple[bool, str]]:
        if style.target not in self._written:
            self._written[style.target] = [_signed(c, style) for c in self.surds]
        return self._written[style.target]


class ColumnSums:
    """What like exponentials have for coefficients: sums of entries of column j of a matrix."""

    __slots__ = ("j", "keys", "matrix")

    def __init__(self, matrix: SurdMatrix, keys: Sequence[Sequence[int]], j: int) -> None:
        self.matrix, self.keys, self.j = matrix, keys, j

    def written(self, style: Style) -> list[tuple[bool, str]]:
        if len(self.matrix.tables) != 1:
            return [_signed(self.matrix.column_sum(keys, self.j), style) for keys in self.keys]
        ((r, table),) = self.matrix.tables.items()
        out = []
        for keys in self.keys:
            c = table[keys[0]][self.j]
            for i in keys[1:]:
                c += table[i][self.j]
            negative, magnitude = signed_term(r, c, style) if c else (False, "0")
            out.append((negative, "" if magnitude == "1" else magnitude))
        return out


def _signed(c: Surd, style: Style) -> tuple[bool, str]:
    if len(c.terms) > 1:
        return False, f"({c.write(style)})"
    if not c.terms:
        return False, "0"
    negative, magnitude = signed_term(*c.terms[0], style)
    return negative, "" if magnitude == "1" else magnitude


class ExponentialSum:
    """Σ c_j e^{x_j}; terms with coefficient 0 are left out, `elided` puts dots for the middle of a long one."""

    __slots__ = ("_written", "coefficients", "most", "powers")

    def __init__(self, coefficients: Coefficients | ColumnSums, powers: Powers, most: int | None = None) -> None:
        self.coefficients, self.powers, self.most = coefficients, powers, most
        self._written: dict[str, str] = {}

    def elided(self, most: int) -> ExponentialSum:
        """The same with dots for its middle, where it has more than `most` terms."""
        return ExponentialSum(self.coefficients, self.powers, most)

    def written(self, style: Style) -> str:
        """What `write` writes, kept."""
        if style.target not in self._written:
            self._written[style.target] = self.write(style)
        return self._written[style.target]

    def write(self, style: Style) -> str:
        plus, minus = " + ", f" {style.minus} "
        out = []
        for (negative, magnitude), power in zip(
            self.coefficients.written(style), self.powers.written(style), strict=True
        ):
            if magnitude != "0":
                out.append(minus if negative else plus)
                out.append(magnitude + power or "1")
        if not out:
            return "0"
        if self.most is not None and len(out) > 2 * self.most:
            out = [*out[: 2 * (self.most - 2)], plus, style.name("cdots"), *out[-2:]]
        out[0] = style.minus if out[0] == minus else ""
        return "".join(out)


class Ratio:
    """A sum of exponentials over another, which a whole row shares: it is written once per style."""

    __slots__ = ("above", "below")

    def __init__(self, above: ExponentialSum, below: ExponentialSum) -> None:
        self.above, self.below = above, below

    def write(self, style: Style) -> str:
        return style.fraction(self.above.write(style), self.below.written(style))
