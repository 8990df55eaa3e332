"""Which versions of several prints a later line may have been computed from, the likeliest choices first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence


def near(true: Sequence[int], last: Sequence[int], counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Choices, by how many places differ from all the first or all the last versions; 4,096 at the most."""

    free = [p for p, count in enumerate(counts) if count > 1]

    def changed() -> Iterator[tuple[int, ...]]:
        for many in range(len(free) + 1):
            for places in itertools.combinations(free, many):
                for base in (true, last):
                    others = [[k for k in range(counts[p]) if k != base[p]] for p in places]
                    for new in itertools.product(*others):
                        picked = list(base)
                        for p, k in zip(places, new, strict=True):
                            picked[p] = k
                        yield tuple(picked)

    return itertools.islice(changed(), 4096)
