"""Formats of 4 bits in blocks that share a scale: MXFP4 and NVFP4.

An element is one of 0, ½, 1, 1½, 2, 3, 4, 6 with a sign (E2M1), rounded half to even and held at 6. Sources: OCP
Microscaling Formats 1.0 (2023), section 6.3: blocks of 32, whose scale is the power of two with max |x| / scale in
[4, 8); NVIDIA (2025): blocks of 16, whose scale is max |x| / 6 in float8_e4m3fn, times a scale of all by which the
largest of these is 448.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from symattn.values.floats.formats import FORMATS, Array, FloatFormat

E2M1 = FloatFormat("float4_e2m1fn", 4, 2, 0, 6.0, infinite=False)


@dataclass(frozen=True)
class BlockFormat:
    """A format of blocks of so many neighbours in a row."""

    name: str
    size: int
    power_of_two: bool  # the scale

    def cast(self, row: Array) -> Array:
        """A row of finite numbers as the format holds it.

        >>> BLOCK_FORMATS["mxfp4"].cast(np.array([1.0, 0.3, 0.06]))
        array([1.  , 0.25, 0.  ])
        """
        out = np.zeros(len(row))
        top = float(np.abs(row).max(initial=0))
        for start in range(0, len(row), self.size):
            block = row[start : start + self.size]
            scale = self._scale(float(np.abs(block).max(initial=0)), top)
            if scale:
                out[start : start + self.size] = E2M1.cast(np.clip(block / scale, -6, 6)) * scale
        return out

    def _scale(self, largest: float, of_all: float) -> float:
        """The scale of a block, from its largest absolute value and that of the row."""
        if not largest:
            return 0.0
        if self.power_of_two:
            return math.ldexp(1.0, max(math.frexp(largest)[1] - 3, -127))
        whole = of_all / (6 * 448)
        return FORMATS["float8_e4m3fn"].cast_one(largest / 6 / whole) * whole

    @property
    def vanishing(self) -> tuple[Fraction, Fraction]:
        """How many times smaller than the largest of its block a number is that vanishes, at least and at most.

        It is 4 max |x| / scale, since ¼ of the scale rounds to 0; of NVFP4 exactly 24 where the block has the largest.
        """
        return (Fraction(16), Fraction(32)) if self.power_of_two else (Fraction(24), Fraction(24))


BLOCK_FORMATS = {f.name: f for f in (BlockFormat("mxfp4", 32, True), BlockFormat("nvfp4", 16, False))}
