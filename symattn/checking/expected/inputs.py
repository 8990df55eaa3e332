"""Lines of plain inputs, `x = 1, w = 0.5, b = 0`: they say what letters are, whatever these were before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from symattn.checking.expected.sources import Source
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Printed, relation_at
from symattn.reading import formula as f
from symattn.values.balls import Balls

_SAME = ("exact", "rounded")


def inputs_beside(read: Sequence[tuple[f.Chain, Source]]) -> list[frozenset[f.Expression]]:
    """Of each chain that gives a name a number the names that its line gives numbers; of the others nothing."""
    found: list[frozenset[f.Expression]] = []
    for _, on_line in groupby(read, key=lambda each: each[1].place(each[0].start)[0]):
        chains = [chain for chain, _ in on_line]
        names = frozenset(chain.sides[0].expression for chain in chains if _is_input(chain))
        found += [names if _is_input(chain) and len(names) > 1 else frozenset() for chain in chains]
    return found


def says_anew(given: Collection[f.Expression], printed: Printed, known: Balls) -> bool:
    """Whether a number among plain inputs is another one than was computed before; `given` are those never computed.

    Beside what was given before as well, x = 1, it is no result, and 0.5 is no print of 0.55.
    """
    return bool(given) and printed.shape == known.shape == (1, 1) and relation_at(printed, known, (0, 0)) not in _SAME


def _is_input(chain: f.Chain) -> bool:
    match chain.sides:
        case (f.Side("", f.Name()), f.Side("=" | ":=", f.Number() | f.Matrix() as value)):
            return f.is_printed(value)
    return False


def find_temperature(environment: Environment) -> f.Name | None:
    """The name of a temperature that has been given."""
    names = (name for name in reversed(environment.stated) if isinstance(name, f.Name))
    return next((name for name in names if name.base in _TEMPERATURES and not name.indices), None)


_TEMPERATURES = frozenset(("T", "τ", "temperature", "Temperature", "temp", "温度"))
