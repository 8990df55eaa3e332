"""Large grids of cases: a sample runs with the suite, every case with EVERY_CASE=1."""

import os
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

Case = TypeVar("Case")
EVERY = os.environ.get("EVERY_CASE") == "1"


def sampled(cases: Iterable[Case], one_in: int) -> list[Case]:
    """One in so many of the cases, from the first on."""
    return list(islice(cases, 0, None, 1 if EVERY else one_in))
