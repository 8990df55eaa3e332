"""Numbers that look random and are the same for a seed on every machine and in every version of Python."""

from __future__ import annotations

_MASK = (1 << 64) - 1


class Draws:
    """The generator SplitMix64 (Steele, Lea and Flood 2014): additions, shifts and products modulo 2⁶⁴, nothing else.

    >>> draws = Draws(0)
    >>> hex(draws.next()), [draws.between(-1, 1) for _ in range(5)]
    ('0xe220a8397b1dcdaf', [-1, 0, 0, 0, -1])
    """

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
        return z ^ (z >> 31)

    def between(self, least: int, most: int) -> int:
        """An integer; of small ranges all are equally likely but for 1 in 2⁶⁰."""
        return least + self.next() % (most - least + 1)

    def rows(self, count: int, width: int, least: int, most: int) -> list[list[int]]:
        """A matrix of them."""
        return [[self.between(least, most) for _ in range(width)] for _ in range(count)]
