"""Weights that a formula makes from their names, the same wherever they are made."""

import zlib
from typing import Any

import numpy as np


def weight(name: str, shape: tuple[int, ...]) -> Any:
    """Numbers between −1/2 and 1/2 that the name decides; gains are near 1."""
    seed = zlib.crc32(name.encode())
    t = np.arange(int(np.prod(shape)), dtype=np.int64)
    made = ((t * t * (seed % 89 + 1) + t * (seed % 97 + 3) + seed % 101) % 257 - 128) / 256
    gain = 1.0 if "norm" in name else 0.0
    return (gain + made * (0.25 if gain else 1.0)).reshape(shape).astype(np.float32)
