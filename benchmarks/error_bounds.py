"""Error bounds beside errors: `python benchmarks/error_bounds.py [ROWS] [SEED]`."""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

import numpy as np
from sympy import Integer, MatrixSymbol, sqrt, symbols

from symattn import Attention, lower
from symattn.values.floats.arithmetic import ALGORITHMS, FloatNumbers, Floats
from symattn.values.floats.error_bounds import BoundNumbers, arithmetic_of, bound_of_half, exactly, of_format
from symattn.values.floats.formats import FORMATS

Ratios = dict[Any, list[Any]]
BAD: dict[Any, int] = defaultdict(int)


def note(found: Ratios, key: Any, wrong: Any, bound: Any) -> None:
    """Count what is beyond its bound, and keep the ratios."""
    known = np.isfinite(bound)
    BAD[key] += int((~(wrong <= bound) & known).sum())
    some = known & (wrong > 0)
    found[key] += [(bound[some] / wrong[some]).astype(float)] if some.any() else []


def functions(rows: int, rng: Any) -> tuple[int, Ratios]:
    """Attention of random sizes in every style."""
    n, m, d, e = symbols("n m d_k d_v", integer=True, positive=True)
    expression = Attention(MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e))
    styles = {style: lower(expression, style=style) for style in ("plain", "fast", "compiled")}
    done, found = 0, defaultdict(list)
    while done < rows:
        a, b, c = (int(rng.choice(x)) for x in ([1, 5, 16, 48], [1, 3, 16, 40, 130], [1, 4, 16]))
        for style, f in styles.items():
            for name in ("float64", "float32", "float16"):
                size = rng.choice([0.1, 1, 3, 10])
                q, k, v = ((rng.standard_normal((400, x, c)) * s).astype(name) for x, s in ((a, size), (b, 1), (b, 1)))
                numbers = BoundNumbers(arithmetic_of(name))
                scores = numbers.matmul(exactly(q), numbers.transpose(exactly(k)))
                y = numbers.matmul(numbers.softmax(numbers.scale(scores, 1 / sqrt(Integer(c)))), exactly(v))
                bound = bound_of_half(FORMATS[name], y) if name == "float16" else y.errors
                group = "m <= 16" if b <= 16 else "m > 16"
                note(found, (style, name, group), np.abs(f(q, k, v).astype(np.longdouble) - y.values), bound)
                done += 400 * a
    return done, found


def formats(rows: int, rng: Any) -> tuple[int, Ratios]:
    """Softmax and its product with values in every format and by every algorithm."""
    done, found = 0, defaultdict(list)
    cases = [(f, n, s, a) for f in FORMATS for n in (4, 16, 64) for s in (1, 4) for a in ALGORITHMS]
    for name, n, spread, algorithm in cases:
        form, count = FORMATS[name], max(8, rows // len(cases) // (200 if name == "float64" else 1))
        z, v = form.cast(rng.standard_normal((count, n)) * spread), form.cast(rng.standard_normal((n, 3)))
        floats, numbers = FloatNumbers(form, algorithm), BoundNumbers(of_format(form, algorithm))
        weights, bounded = floats.softmax(Floats(z, np.zeros(z.shape, bool))), numbers.softmax(exactly(z))
        output, y = floats.matmul(weights, Floats(v, np.zeros(v.shape, bool))), numbers.matmul(bounded, exactly(v))
        for what, made, held in (("weights", weights, bounded), ("output", output, y)):
            wrong = np.abs(made.values - held.values)
            note(found, (name, algorithm, f"{what}, {n} keys"), np.where(np.isnan(wrong), np.inf, wrong), held.errors)
        done += count
    return done, found


def main() -> None:
    rows, rng = int(sys.argv[1]) if len(sys.argv) > 1 else 20000, np.random.default_rng(int((sys.argv[2:] or ["1"])[0]))
    for measure in (functions, formats):
        done, found = measure(rows, rng)
        print(f"{measure.__name__}: {done} rows, beyond the bound: {sum(BAD[key] for key in found)}")
        for key, parts in found.items():
            ratios = np.concatenate(parts) if parts else np.array([np.nan])
            print(f"  {' '.join(key):<40} least {ratios.min():8.2f}  median {np.median(ratios):10.1f}")


if __name__ == "__main__":
    main()
