"""How long does the saturation report of a real model's scores take, beside one softmax over them?

144 heads of 128 by 128 float32 scores, normal with standard deviation 4, in an .npy file:

* the floor: one NumPy softmax over all of them in float32, in memory;
* ranked: `measure_arrays(file)`, which reads the file and ranks every row of every head;
* told: the same with its text, for which the ten most saturated rows are certified.

Run with OPENBLAS_NUM_THREADS=1; the ratios are of medians in one run, interleaved.

Answer (November 2026, two shared cores): see docs/design.md, "Measured".
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.timing import Ratio, compare, show
from symattn.api.arrays import measure_arrays


def softmax(scores: np.ndarray) -> None:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    powers /= powers.sum(-1, keepdims=True)


def ratios() -> Iterator[Ratio]:
    scores = (np.random.default_rng(0).standard_normal((144, 128, 128)) * 4).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npy"
        np.save(path, scores)
        for what, work in (("ranked", measure_arrays), ("ranked and told", lambda path: str(measure_arrays(path)))):
            title = f"144 heads of 128 by 128 scores {what}, beside one softmax"
            yield compare(title, lambda work=work: work(path), lambda: softmax(scores), 9)


if __name__ == "__main__":
    show(ratios())
