"""What an article has stated so far, in three versions: true; printed with its wrong entries mended; as printed.

A later line may have been computed from any of them, or from a mixture.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from symattn import formula as f
from symattn.checking.findings import Cause
from symattn.checking.reckoning import Lookup, pick, scalar
from symattn.values.balls import Balls
from symattn.values.printed import enclosed

TRUE, MENDED, PRINTED = 0, 1, 2
MOST_MIXTURES = 96
FINE = Fraction(1, 10_000)  # prints of four or more decimals are evidently rounded


@dataclass(frozen=True)
class Print:
    """One printing of something: as it stands, with its wrong entries mended, and these with their causes."""

    printed: Balls
    mended: Balls
    bad: Mapping[tuple[int, int], Cause]


@dataclass
class Stated:
    """What an expression is worth, and how it has been printed."""

    true: Balls
    ranged: Balls | None = None  # true for every input that rounds to its print; None where that is `true`
    prints: list[Print] = field(default_factory=list)

    def versions(self) -> list[tuple[int, Balls, Print | None]]:
        found: list[tuple[int, Balls, Print | None]] = [(TRUE, self.true, None)]
        for p in self.prints:
            found.append((MENDED, p.mended, p))
            if p.bad:
                found.append((PRINTED, p.printed, p))
        return found


Choice = Mapping[f.Expression, Balls]


@dataclass(frozen=True)
class Mixture:
    """A version for each expression used; `level` is that of the worst, `wrong` the prints with errors among them."""

    level: int
    choice: Choice
    wrong: tuple[tuple[f.Expression, Print], ...]


class Memory:
    """Expressions with what they were stated to be. An expression counts as the same however it is spaced or set."""

    def __init__(self) -> None:
        self.stated: dict[f.Expression, Stated] = {}
        self.numbers: dict[Fraction, Cause | None] = {}  # every number printed so far; wrong ones with their cause
        self.mends: dict[Fraction, Fraction] = {}  # what a number that was printed wrong should have been

    def remember(self, value: Fraction, unit: Fraction, cause: Cause | None, right: Fraction | None) -> None:
        """A number was printed: rightly, or wrongly with its cause and what would be right.

        Only numbers of three digits and more are known again; one that was also printed rightly may be either.
        """
        if cause is None:
            self.numbers.setdefault(value, None)
            self.mends.pop(value, None)
            return
        if right is not None and abs(value / unit) >= 100 and self.numbers.get(value, cause) is not None:
            self.mends[value] = right
        self.numbers[value] = cause

    def knows(self, name: f.Expression) -> bool:
        """Whether a name has a value by now."""
        return self._find(name)[0] is not None or self._size(name) is not None

    def state(self, expression: f.Expression, stated: Stated) -> None:
        """Remember it; what was said of formulas in a name that now means something else is forgotten."""
        if isinstance(expression, f.Name):
            for other in [k for k in self.stated if not isinstance(k, f.Name) and expression in f.walk(k)]:
                if self.stated[other] is not stated:
                    del self.stated[other]
        elif expression in self.stated:
            return
        self.stated[expression] = stated

    def lookup(
        self,
        choice: Choice | None = None,
        used: set[f.Expression] | None = None,
        whole: f.Expression | None = None,
        ranged: bool = False,
        mend: bool = False,
    ) -> Lookup:
        """How the reckoner asks for values: the true ones, or those chosen; `used` collects what was asked for.

        `whole` is to be reckoned from its parts, although it has been stated itself. With `ranged`, a number written
        with four or more decimals is taken as the rounded print that it is; with `mend`, one that was printed wrong
        before as the number that it should have been.
        """

        def value(expression: f.Expression) -> Balls | None:
            if ranged and isinstance(expression, f.Number) and expression.places <= FINE:
                return enclosed([[expression.value]], [[expression.places / 2]])
            if mend and isinstance(expression, f.Number) and expression.value in self.mends:
                return scalar(self.mends[expression.value])
            if expression is whole or isinstance(expression, f.Number | f.Matrix | f.Infinity):
                return None
            key, indices = self._find(expression)
            if key is None:
                return self._size(expression)
            if used is not None:
                used.add(key)
            found = choice[key] if choice is not None and key in choice else self.stated[key].true
            return found if indices is None else pick(found, indices)

        return value

    def _find(self, expression: f.Expression) -> tuple[f.Expression | None, Sequence[int | str | None] | None]:
        """The expression stated, or the matrix of which it is a row or an entry."""
        if expression in self.stated:
            return expression, None
        if not isinstance(expression, f.Name):
            return None, None
        for other in _spellings(expression):
            if other in self.stated:
                return other, None
        whole = f.Name(expression.base, sup=expression.sup)
        indices: Sequence[int | str | None] = expression.indices
        if expression.item:
            indices = [i + 1 if isinstance(i, int) and i >= 0 else None for i in indices]
        if not indices or None in indices:
            return None, None
        for name in (whole, *_spellings(whole)):
            if name in self.stated:
                return name, indices
        rows_of = f.Name(expression.base.upper(), sup=expression.sup)
        if len(expression.base) == 1 and len(indices) == 1 and rows_of in self.stated:
            return rows_of, indices  # q_1 is row 1 of Q
        return None, None

    def _size(self, expression: f.Expression) -> Balls | None:
        """d_k is the width of the keys where nothing else is said."""
        if isinstance(expression, f.Name) and expression.base == "d" and expression.sub in (("k",), ("key",)):
            for letter in "KQ":
                if f.Name(letter) in self.stated:
                    return scalar(Fraction(self.stated[f.Name(letter)].true.shape[1]))
        return None

    def mixtures(self, used: Sequence[f.Expression]) -> Iterator[Mixture]:
        """Every choice of versions for what an expression uses, the truest first; bounded in number."""
        options = [[(level, value, p, key) for level, value, p in self.stated[key].versions()] for key in used]
        every = itertools.islice(itertools.product(*options), 4096)
        ranked = sorted(every, key=lambda mix: (max((m[0] for m in mix), default=0), sum(m[0] for m in mix)))
        for mix in ranked[:MOST_MIXTURES]:
            level = max((m[0] for m in mix), default=TRUE)
            wrong = tuple((key, p) for at, _, p, key in mix if at == PRINTED and p is not None)
            yield Mixture(level, {key: value for _, value, _, key in mix}, wrong)


def _spellings(name: f.Name) -> list[f.Name]:
    """W_Q for W^Q and the other way round: the same symbol in two notations."""
    found = []
    for part in ("Q", "K", "V", "O", "q", "k", "v", "o"):
        if name.sub == (part,) and not name.sup:
            found.append(f.Name(name.base, sup=(part.upper(),)))
            found.append(f.Name(name.base, sub=(part.swapcase(),)))
        if name.sup == (part,) and not name.sub:
            found.append(f.Name(name.base, sub=(part,)))
            found.append(f.Name(name.base, sub=(part.swapcase(),)))
    return found
