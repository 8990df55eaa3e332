"""Right numbers in the wrong places: two entries or two rows swapped, and a row bent to sum to 1."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from symattn.checking.findings import BAD, Place, Reading
from symattn.checking.mistakes.evidence import STRONG, distance, surprise
from symattn.checking.verdicts import RIGHT, Judgement, Printed
from symattn.values.balls import Balls
from symattn.values.printed import relation, sums_to_one
from symattn.writing.prose import Sentence, enumerated

MOST_PAIRS = 500


def find_misprint(
    printed: Printed, found: Mapping[Place, Judgement], wrong: Sequence[Place], true: Balls
) -> Reading | None:
    """The one of these that holds, if only one does; it speaks of its own entries alone."""
    if true.shape != printed.shape or true.hidden:
        return bent_rows(printed, found, wrong, true)
    held = [swap_rows(printed, wrong, true) or swap_entries(printed, wrong, true)]
    held.append(bent_rows(printed, found, wrong, true))
    said = [r for r in held if r is not None]
    return said[0] if len(said) == 1 else None


def swap_entries(printed: Printed, wrong: Sequence[Place], true: Balls) -> Reading | None:
    """a_p printed at q and a_q at p, for exactly one pair of wrong entries; of 2×2 that may be the transpose."""
    pairs = list(itertools.islice(itertools.combinations(wrong, 2), MOST_PAIRS + 1))
    held = [(p, q) for p, q in pairs if _stands(printed, true, p, q) and _stands(printed, true, q, p)]
    if len(held) != 1 or len(pairs) > MOST_PAIRS:
        return None
    ((p, q),) = held
    if (2 * distance(printed, true, p) + 1) * (2 * distance(printed, true, q) + 1) < STRONG * len(pairs):
        return None
    transposed = printed.shape == (2, 2) and p[0] != p[1] and p == q[::-1]
    key = "reading.swapped_transpose" if transposed else "reading.swapped_entries"
    name = Sentence(key, first=_spoken(p), second=_spoken(q))
    return Reading(name, frozenset({p, q}))


def swap_rows(printed: Printed, wrong: Sequence[Place], true: Balls) -> Reading | None:
    """Row r printed as row s and row s as row r, of at least two columns."""
    columns = printed.shape[1]
    held = []
    pairs = list(itertools.islice(itertools.combinations(sorted({i for i, _ in wrong}), 2), MOST_PAIRS))
    for r, s in pairs:
        both = [(r, j) for j in range(columns)] + [(s, j) for j in range(columns)]
        if all(_stands(printed, true, at, (r + s - at[0], at[1])) for at in both):
            held.append((r, s, [at for at in wrong if at[0] in (r, s)]))
    if columns < 2 or len(held) != 1:
        return None
    r, s, here = held[0]
    if len(here) < 3 or surprise(printed, here, [true], _with_rows_swapped(true, r, s)) < STRONG * len(pairs):
        return None
    return Reading(Sentence("reading.swapped_rows", first=r + 1, second=s + 1), frozenset(here))


def bent_rows(
    printed: Printed, found: Mapping[Place, Judgement], wrong: Sequence[Place], true: Balls
) -> Reading | None:
    """1 − Σ of the other entries as printed, in place of a row's own rounding; less than two units away from it.

    The others are all right as printed, so that the rounded or truncated row would not have summed to 1.
    """
    if true.shape != printed.shape:
        return None
    bent = []
    for at in wrong:
        i = at[0]
        row, units = printed.values[i], set(printed.units[i])
        others = [(i, j) for j in range(printed.shape[1]) if (i, j) != at]
        alone = others and all(found[o].verdict not in (*BAD, "last-digit") for o in others)
        shares = all(x >= 0 for x in true.rows[i]) and sums_to_one(true, i)
        whole = None not in row and sum((x or Fraction(0) for x in row), Fraction(0)) == 1
        if alone and shares and whole and len(units) == 1 and distance(printed, true, at) < 2:
            bent.append(at)
    if not bent or len(bent) < len(wrong):
        return None
    rows = enumerated([str(i + 1) for i in sorted({i for i, _ in bent})])
    return Reading(Sentence("reading.bent_rows", rows=rows), frozenset(bent))


def _stands(printed: Printed, true: Balls, at: Place, other: Place) -> bool:
    """Whether the number printed at one place is the right one of another."""
    value = printed.values[at[0]][at[1]]
    if value is None:
        return False
    return relation(true.rows[other[0]][other[1]], value, printed.units[at[0]][at[1]]) in RIGHT


def _with_rows_swapped(value: Balls, r: int, s: int) -> Balls:
    rows = list(value.rows)
    rows[r], rows[s] = rows[s], rows[r]
    return Balls(value.shape, None, tuple(rows))


def _spoken(place: Place) -> str:
    return f"({place[0] + 1}, {place[1] + 1})"
