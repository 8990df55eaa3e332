"""What readers of a page can explore: what every entry is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from symattn.writing.document import Chain


@dataclass(frozen=True)
class Explored:
    """The values of a page, inputs and steps, by name.

    `makers` says which entries of earlier values make entry (i, j): "i*" is their row i, "j*" their row j, "*j" their
    column j, "ij" the same entry, "turn" this and its partner in `turns`. `tell` spells an entry, counted from 0, in
    exact numbers and as the page does.
    """

    makers: Mapping[str, tuple[tuple[str, str], ...]]
    symbols: Mapping[str, str]  # of steps whose symbol is not their name
    tell: Callable[[str, int, int], tuple[Chain, Chain]]
    editing: Editing | None = None
    turns: Mapping[str, Turned] = field(default_factory=dict)  # of values whose pairs of columns are turned


class Turned(NamedTuple):
    """Entry (i, j) is x_ij cos φ + s x_ip sin φ: places[j] are the pair k, p and s; φ is angles[i][k], 0 for k = −1."""

    places: Sequence[tuple[int, int, int]]
    angles: Sequence[Sequence[float]]


@dataclass(frozen=True)
class Editing:
    """How a page computes its steps again from other inputs.

    The numbers of all inputs are counted; `inputs` has the number of each entry of each input in order, since blocks
    of shared matrices are inputs too. `script` is the body of a function of `x`, the inputs as arrays of rows.
    """

    script: str
    inputs: Mapping[str, Sequence[Sequence[int]]]
    numbers: Sequence[tuple[str, float | None]]  # as they are typed, and as doubles; None: −∞
    fixed: Sequence[int]  # those that cannot change
    pieces: Sequence[str] = ()  # a worksheet between its numbers
    literals: Sequence[str] = ()  # the numbers as they stand in it
