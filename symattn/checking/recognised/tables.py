"""Lines below each other with as many numbers: their columns, and their rows without labels and sums."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from symattn.checking.recognised.operations import SUM_WORD
from symattn.checking.recognised.prints import Line, Print
from symattn.checking.recognised.series import Series
from symattn.patterns import regex

LONGEST = 64  # numbers of a series
WORDS = 400  # characters of a line that are gone through for words
TOLD = 120  # characters before a series that may say what it is
_CLOSE = Fraction(1, 50)  # of a sum: rounding that could hide more tells nothing
_FEWEST = 2  # numbers that a row adds up
_SUM = regex(SUM_WORD, re.IGNORECASE)
_FIGURES = regex(r"[-−+]?[\d₀-₉][\d.,₀-₉]*")
_FARTHEST = 30  # lines between two that say the same


def line_above(lines: Sequence[Line], k: int) -> str:
    """The line above that says anything."""
    above = (lines[j].text.strip() for j in range(k - 1, max(k - 6, -1), -1))
    return next((text for text in above if any(c.isalpha() for c in text) and not text.startswith("```")), "")


def find_blocks(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Lines below each other with as many numbers, two or more; a line without any may stand between."""
    held: list[int] = []
    gap = 0
    for k, line in enumerate(lines):
        count = len(line.numbers)
        same = held and count == len(lines[held[-1]].numbers)
        if same and (gap == 0 or (gap == 1 and _said(line) == _said(lines[held[-1]]))):
            held.append(k)
        elif count:
            if len(held) > 1:
                yield held
            held = [k]
        else:
            gap += 1
            continue
        gap = 0
    if len(held) > 1:
        yield held


def _said(line: Line) -> str:
    """What a line says, whatever its numbers."""
    return _FIGURES.sub("#", line.text.strip())


def find_alike(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Lines that say the same of other numbers, with others between: "- sum: 1.5" of one token after the other."""
    held: dict[str, list[int]] = {}
    for k, line in enumerate(lines):
        said = _said(line) if line.numbers else ""
        if not any(c.isalpha() for c in said):
            continue
        block = held.setdefault(said, [])
        if block and (k - block[-1] > _FARTHEST or len(line.numbers) != len(lines[block[-1]].numbers)):
            if len(block) > 1:
                yield block
            block = held[said] = []
        block.append(k)
    for block in held.values():
        if len(block) > 1 and block[-1] - block[0] >= len(block):
            yield block


@dataclass(frozen=True)
class Table:
    """Lines with as many numbers each; the first may count them, the last column and the last line may be sums."""

    rows: tuple[tuple[Print, ...], ...]
    heads: tuple[str, ...]
    words: tuple[str, ...]  # what stands on each line
    above: str
    first: int  # the column that begins behind the labels
    summed: bool  # whether the last column adds up the others
    closed: bool  # whether the last line adds up the others
    shown: bool  # whether numbers that add up show that, and not words alone
    joined: bool  # whether nothing but separators stands between the numbers of its lines

    @staticmethod
    def read(lines: Sequence[Line], block: Sequence[int]) -> Table:
        rows = tuple(lines[k].numbers for k in block[:LONGEST])
        heads = _heads(lines, block)
        count = len(rows[0])
        first = int(count > 1 and all(b[0].value - a[0].value == 1 and a[0].whole for a, b in pairwise(rows)))
        wide = count - first > _FEWEST
        sums = sum(adds_up(row[first:]) for row in rows) if wide else 0
        last = lines[block[-1]].text
        named = len(heads) >= count and _SUM.search(heads[-1]) is not None and count - first > 1
        columns = [tuple(row[j] for row in rows) for j in range(first, count)]
        closing = sum(map(adds_up, columns))
        closed = len(rows) > _FEWEST and (_SUM.search(last) is not None or 2 * closing > len(columns))
        shown = (sums if named or 2 * sums > len(rows) else closing) > 0
        above = "\n".join(dict.fromkeys((line_above(lines, block[0])[-TOLD:], *heads)))
        words = tuple(lines[k].text[:WORDS] for k in block)
        joined = all(max(last - start for start, last in lines[k].parts) >= count - first for k in block)
        return Table(rows, heads, words, above, first, named or 2 * sums > len(rows), closed, shown, joined)

    @property
    def is_trimmed(self) -> bool:
        """Whether its lines hold more than the numbers that belong together."""
        return self.joined and (self.first > 0 or self.summed)

    def series(self) -> Iterator[Series]:
        """Its rows, where they hold labels or sums, and its columns."""
        for row, words in zip(self.rows, self.words, strict=False) if self.is_trimmed else ():
            around = f"{self.above}\n{words}"
            inner = Series(row[self.first : len(row) - self.summed], around[-TOLD:], around=around)
            yield inner
            if self.summed:
                head = self.heads[-1] if self.heads and self.shown else ""
                yield Series(row[-1:], head, around=around, addends=inner)
        yield from self.columns()

    def columns(self) -> Iterator[Series]:
        """Its columns, and the sum of each below it."""
        count = len(self.rows[0])
        for j in range(min(count, LONGEST)):
            numbers = tuple(row[j] for row in self.rows)
            head = self.heads[len(self.heads) - count + j] if len(self.heads) >= count else ""
            around = f"{self.above}\n{head}"
            inner = Series(numbers[: len(numbers) - self.closed], head, True, around=around)
            yield inner
            if self.closed:
                yield Series(numbers[-1:], self.words[-1] if self.shown else "", True, around=around, addends=inner)


def adds_up(numbers: Sequence[Print]) -> bool:
    """Whether the last is about the sum of the others, two or more that are not all 0, with decimals."""
    if len(numbers) <= _FEWEST or all(n.finest >= 1 for n in numbers) or not any(n.value for n in numbers[:-1]):
        return False
    total = sum((n.value for n in numbers[:-1]), Fraction(0))
    rounding = sum((n.unit for n in numbers if n.unit < 1), Fraction(0)) / 2
    return abs(numbers[-1].value - total) <= rounding <= _CLOSE * abs(total)


def _heads(lines: Sequence[Line], block: Sequence[int]) -> tuple[str, ...]:
    """The heads of the columns: the cells of the first line above that has as many as those below."""
    cells = len(lines[block[0]].text.strip().strip("|").split("|"))
    for k in range(block[0] - 1, max(block[0] - _FARTHEST, -1), -1):
        text = lines[k].text.strip()
        if any(c.isalpha() for c in text) and not lines[k].numbers and cells > 1:
            heads = tuple(text.strip("|").split("|"))
            return heads if len(heads) == cells else ()
        if not text and k < block[0] - 1:
            break
    return ()
