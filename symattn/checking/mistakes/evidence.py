"""How unlikely it is that printed numbers fit another formula by chance.

A wrong number that lies d units from the right one could as well have been any of the 2d + 1 that lie as near. That it
is the very one of another formula has odds of 2d + 1 to 1 against chance; independent entries multiply.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from symattn.checking.findings import Place
from symattn.checking.verdicts import Printed
from symattn.values.balls import Balls
from symattn.values.printed import distance as apart
from symattn.values.printed import round_to, sums_to_one

STRONG = 200.0  # for each formula of a rule; that the right entries must fit as well comes on top
MOST_OF_ONE = 1000.0  # a single entry counts for no more than this, however far it is off
FROM_INFINITY = 15.0  # as if −∞ and a number were so many units apart


def distance(printed: Printed, value: Balls, at: Place) -> float:
    """How many units of its last place a print lies from a value."""
    i, j = at
    number = printed.values[i][j]
    if number is None or at in value.hidden:
        return FROM_INFINITY
    return apart(value.rows[i][j], number) / float(printed.units[i][j])


def surprise(printed: Printed, wrong: Sequence[Place], normal: Sequence[Balls], reread: Balls) -> float:
    """The odds against chance that these wrong entries are all right under another reading; 1 for fewer than two.

    Equal numbers that stand for equal numbers count once, and a row that sums to 1 has an entry less to choose.
    """
    by_row: dict[int, list[float]] = defaultdict(list)
    seen: set[tuple[Fraction | None, Fraction | None]] = set()
    for at in wrong:
        i, j = at
        value = None if at in reread.hidden else round_to(reread.rows[i][j], printed.units[i][j])
        if (printed.values[i][j], value) in seen:
            continue
        seen.add((printed.values[i][j], value))
        units = min(distance(printed, n, at) for n in normal)
        by_row[i].append(min(2 * units + 1, MOST_OF_ONE))
    for i, odds in by_row.items():
        if len(odds) > 1 and sums_to_one(reread, i):
            odds.remove(min(odds))
    every = [x for odds in by_row.values() for x in odds]
    return math.prod(every) if len(every) > 1 else 1.0
