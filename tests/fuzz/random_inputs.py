"""Inputs changed at random, by their structure, which every reader, `derive` and `check` must answer or refuse."""

import argparse
import io
import random
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import symattn
from symattn.errors import SymattnError
from symattn.reading.formula import parse
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.values.arrays import read_arrays

SHEET = "[inputs]\nQ = [[1, 2], [3, 4]]\nK = [[1, 2], [3, 4]]\nV = [[1, 0], [0, 1]]\n"
OPTIONS = """[attention]
mask = "causal"
scale = "1/sqrt(d_k)"
rope = true
qk_norm = "l2"
sink = 0
[show]
level = "token"
[notation]
first_index = 0
[claims]
scores = [["10", "58"], ["58", "244"]]
"""
ARTICLES = [
    "$QK^T = \\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}\\begin{bmatrix}1&0\\\\0&1\\end{bmatrix}"
    " = \\begin{bmatrix}1&2\\\\3&4\\end{bmatrix}$\n",
    "softmax([2, 1]) = [0.73, 0.27], so that $e^{2}/(e^2 + e^1) \\approx 0.731$ and $\\sqrt{d_k} = 2$.\n",
    "| token | score |\n|---|---|\n| I | $1 \\cdot 2 + 3 = 5$ |\n| you | 0.5 |\n",
    "$$\\mathrm{softmax}\\left(\\frac{QK^T}{\\sqrt{d_k}}\\right)V = \\sum_{j} a_{ij} v_j$$\n",
]
PIECES = [
    "0",
    "-1",
    "1e308",
    "nan",
    "true",
    '"1/3"',
    '"sqrt(-1)"',
    "[",
    "]",
    "{",
    "}",
    "=",
    "\\",
    "&",
    "$",
    "^",
    "_",
    "\0",
    "\x1b",
]
PIECES += [
    "\\frac{",
    "\\left(",
    "\\begin{bmatrix}",
    "\\end{bmatrix}",
    "\\\\",
    "[[1, 2]]",
    "{ of = 5 }",
    "9" * 50,
    "１",
    "−",
    "∑",
]


def change_text(r: random.Random, text: str) -> str:
    """A few places changed: a piece put in, a stretch left out, doubled, or taken elsewhere."""
    for _ in range(r.randint(1, 4)):
        i, j = sorted(r.randint(0, len(text)) for _ in range(2))
        j = min(j, i + r.randint(0, 12))
        k = r.randint(0, len(text))
        piece = r.choice([r.choice(PIECES), "", text[i:j] * 2, text[k : k + 9]])
        text = text[:i] + piece + text[j:]
    return text


def change_bytes(r: random.Random, data: bytes) -> bytes:
    """A few bytes changed, put in or cut off."""
    made = bytearray(data)
    for _ in range(r.randint(1, 6)):
        i = r.randrange(len(made))
        made[i : i + r.choice([1, 1, 1, 0, 4])] = r.randbytes(r.choice([1, 1, 0, 2]))
    return bytes(made[: r.choice([len(made), len(made), r.randrange(1, len(made) + 1)])]) or b"\0"


def worksheets(r: random.Random, folder: Path) -> None:
    shipped = [
        Path(library.find(name) or "").read_text(encoding="utf-8") for name in ("causal-mask", "multi-head", "kv-cache")
    ]
    sheet = parse_worksheet(change_text(r, r.choice([SHEET, SHEET + OPTIONS, *shipped])))
    symattn.derive(sheet.expression, sheet.values, tokens=sheet.tokens, notation=sheet.notation, **sheet.show)


def articles(r: random.Random, folder: Path) -> None:
    text = change_text(r, "".join(r.sample(ARTICLES, r.randint(1, 3))))
    report = symattn.check_article(f"note{r.choice(['.md', '.tex', '.html', '.ipynb', '.txt'])}", text)
    report.to_text()


def formulas(r: random.Random, folder: Path) -> None:
    parse(change_text(r, r.choice(ARTICLES).strip("$\n")))


def arrays(r: random.Random, folder: Path) -> None:
    held = io.BytesIO()
    name = r.choice(["a.npy", "a.npz", "a.safetensors"])
    numbers = np.arange(6.0).reshape(1, 2, 3)
    if name == "a.npy":
        np.save(held, numbers)
    elif name == "a.npz":
        r.choice([np.savez, np.savez_compressed])(held, scores=numbers, Q=numbers)
    else:
        header = b'{"scores": {"dtype": "F64", "shape": [1, 2, 3], "data_offsets": [0, 48]}}'
        held.write(len(header).to_bytes(8, "little") + header + numbers.tobytes())
    (folder / name).write_bytes(change_bytes(r, held.getvalue()))
    for stored in read_arrays(folder / name).values():
        for _ in zip(range(3), stored.matrices(), strict=False):
            pass


DOORS: dict[str, Callable[[random.Random, Path], None]] = {
    "worksheets": worksheets, "articles": articles, "formulas": formulas, "arrays": arrays,
}  # fmt: skip


def attack(door: str, seconds: float, seed: int) -> tuple[int, list[str]]:
    """How many inputs there were in so much processor time, and what broke the rule."""
    broken: list[str] = []
    until, count = time.process_time() + seconds, 0
    with TemporaryDirectory() as folder:
        while time.process_time() < until:
            try:
                DOORS[door](random.Random(f"{door} {seed} {count}"), Path(folder))
            except SymattnError:
                pass
            except Exception:  # what is looked for
                broken.append(f"{door} {seed} {count}\n{traceback.format_exc()}")
            count += 1
    return count, broken


def main() -> None:
    """Attack a door as the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--door", choices=DOORS, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count, broken = attack(options.door, options.seconds, options.seed)
    print(*broken, f"{options.door}: {count} inputs, {len(broken)} faults", sep="\n")


if __name__ == "__main__":
    main()
