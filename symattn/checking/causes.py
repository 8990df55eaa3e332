"""Where a wrong number comes from: the earlier print that it follows from."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from symattn.checking.findings import Cause, Place
from symattn.checking.semantics.environment import Choice, Mixture
from symattn.checking.semantics.literals import entry_differs
from symattn.values.balls import Balls

MOST_TRIALS = 256


class Causes:
    """Which wrong number each place of a mixture follows from: one that changes it when it alone is put in.

    Entries that stand in the same row or column are tried first. The trials are bounded; what is left then is said
    to follow from the likeliest.
    """

    def __init__(self, shape: tuple[int, int], mixture: Mixture, reckon: Callable[[Choice], Balls | None]) -> None:
        self.mixture, self.reckon = mixture, reckon  # what follows from a choice of prints, None where that is nothing
        self.values: dict[tuple[int, Place | None], Balls | None] = {}
        rows, columns = shape
        self.trials = max(MOST_TRIALS // (1 + rows * columns // 16), 16)
        self.lines: dict[tuple[int, int, int], list[Place]] = {}  # of each print, the wrong entries of a row or column
        for k, (_, print_) in enumerate(mixture.wrong):
            for at in print_.bad:
                self.lines.setdefault((k, 0, at[0]), []).append(at)
                self.lines.setdefault((k, 1, at[1]), []).append(at)

    def of(self, place: Place) -> Cause:
        likely = self._likely(place)
        first_k, first = next(likely)
        for k, at in itertools.islice(itertools.chain([(first_k, first)], likely), self.trials):
            mended, value = self._value(k, None), self._value(k, at)
            if mended is not None and value is not None and entry_differs(value, mended, place):
                return self.mixture.wrong[k][1].bad[at]
        return self.mixture.wrong[first_k][1].bad[first]

    def _likely(self, place: Place) -> Iterator[tuple[int, Place]]:
        """The wrong entries, those first that stand where they may matter to a place."""
        i, j = place
        for k, (_, print_) in enumerate(self.mixture.wrong):
            if place in print_.bad:
                yield k, place
        for side, line in ((0, i), (1, j), (0, j), (1, i)):
            for k in range(len(self.mixture.wrong)):
                yield from ((k, at) for at in self.lines.get((k, side, line), ()))
        for k, (_, print_) in enumerate(self.mixture.wrong):
            yield from ((k, at) for at in print_.bad)

    def _value(self, k: int, at: Place | None) -> Balls | None:
        """The value with the k-th wrong print mended, but for one entry."""
        if (k, at) not in self.values and len(self.values) <= self.trials:
            key, print_ = self.mixture.wrong[k]
            put = print_.mended if at is None else _with_entry(print_.mended, print_.printed, at)
            self.values[k, at] = self.reckon({**self.mixture.choice, key: put})
        return self.values.get((k, at))


def _with_entry(base: Balls, other: Balls, at: Place) -> Balls:
    rows = [list(row) for row in base.rows]
    rows[at[0]][at[1]] = other.rows[at[0]][at[1]]
    hidden = (base.hidden - {at}) | (other.hidden & {at})
    return Balls(base.shape, None, tuple(map(tuple, rows)), hidden)
