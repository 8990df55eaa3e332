"""How long does the saturation report of a real model's scores take, beside one softmax over them?

144 heads of 128 by 128 float32 scores, normal with standard deviation 4, in an .npy file:

* the floor: one NumPy softmax over all of them in float32, in memory;
* ranked: `measure_arrays(file)`, which reads the file and ranks every row of every head;
* told: the same with its text, for which the ten most saturated rows are certified.

Run with OPENBLAS_NUM_THREADS=1; the ratios are of medians in one run, interleaved.

Answer (November 2026, two shared cores): see docs/design.md, "Measured".
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from symattn.api.arrays import measure_arrays


def main() -> None:
    scores = (np.random.default_rng(0).standard_normal((144, 128, 128)) * 4).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.npy"
        np.save(path, scores)
        floor, ranked, told = [], [], []
        for _ in range(9):
            start = time.process_time()
            powers = np.exp(scores - scores.max(-1, keepdims=True))
            powers /= powers.sum(-1, keepdims=True)
            floor.append(time.process_time() - start)
            start = time.process_time()
            found = measure_arrays(path)
            ranked.append(time.process_time() - start)
            str(found)
            told.append(time.process_time() - start)
    base = statistics.median(floor)
    print(f"one softmax {base * 1e3:.1f} ms")
    print(f"ranked: {statistics.median(ranked) / base:.1f} times; told: {statistics.median(told) / base:.1f} times")


if __name__ == "__main__":
    main()
