"""Inputs changed at random, by their structure, which every reader, `derive` and `check` must answer or refuse."""

import argparse
import io
import random
import re
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import symattn
from symattn.checking import faults
from symattn.errors import SymattnError
from symattn.reading.formula import parse
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.values.arrays import read_arrays
from tests.checking.own_pages import LANGUAGES, LEVELS, SUFFIXES, random_sheet
from tests.fuzz.true_articles import KINDS, write

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
DATA = Path(__file__).parent.parent / "data"
PRINTED = "\n=====\n".join(path.read_text(encoding="utf-8") for path in sorted(DATA.glob("printed_*.md"))).split(
    "\n=====\n"
)
SLOW = 10  # seconds of processor time; no input of these doors has more than some kilobytes
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
VALUES = [
    "0",
    "-1",
    "1e308",
    "nan",
    "true",
    '"1/3"',
    '"sqrt(-1)"',
    "[]",
    "{ of = 5 }",
    '"Q"',
    "9" * 50,
    '"2*d_k"',
    "[[1, 2]]",
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


def change_values(r: random.Random, text: str) -> str:
    """A few numbers or words of a worksheet exchanged for others, so that it is still TOML more often than not."""
    for _ in range(r.randint(1, 3)):
        places = list(re.finditer(r'"[^"\n]*"|-?\d+(?:\.\d+)?|\btrue\b|\b\w+(?= =)', text))
        here, there = r.choice(places), r.choice(places)
        text = text[: here.start()] + r.choice([there[0], there[0], *VALUES]) + text[here.end() :]
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
    drawn = random_sheet(r.randrange(10**6))
    change = r.choice([change_text, change_values, change_values])
    sheet = parse_worksheet(change(r, r.choice([SHEET, SHEET + OPTIONS, drawn, drawn, *shipped])))
    how = {"level": r.choice(LEVELS), **sheet.show, "tokens": sheet.tokens, "notation": sheet.notation}
    derivation = symattn.derive(sheet.expression, sheet.values, **how)
    if r.random() < 0.2:
        derivation = symattn.differentiate(derivation)
    derivation.to(r.choice(list(SUFFIXES)), language=r.choice(LANGUAGES))


def articles(r: random.Random, folder: Path) -> None:
    name, text = (
        f"note{r.choice(['.md', '.tex', '.html', '.ipynb', '.txt'])}",
        "".join(r.sample(ARTICLES, r.randint(1, 3))),
    )
    source = r.randrange(3)
    if source == 0:
        written = write(r.choice(list(KINDS)), r.randrange(10**6))
        name, text = written.name, written.text
    elif source == 1:
        text = r.choice(PRINTED)
    report = symattn.check_article(name, change_text(r, text))
    report.to_text()


def formulas(r: random.Random, folder: Path) -> None:
    pieces = [piece for piece in r.choice(r.choice([ARTICLES, PRINTED])).split("$") if "=" in piece]
    parse(change_text(r, r.choice(pieces or ["x = 1"])))


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


@dataclass
class Attack:
    """How many inputs a door was given, what broke the rule, and the slowest of them."""

    count: int = 0
    broken: list[str] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)  # seconds of processor time, and the input's number


def attack(door: str, seconds: float, seed: int) -> Attack:
    """Give a door inputs for so much processor time."""
    made = Attack()
    until = time.process_time() + seconds
    with TemporaryDirectory() as folder:
        while (start := time.process_time()) < until:
            try:
                DOORS[door](random.Random(f"{door} {seed} {made.count}"), Path(folder))
            except SymattnError:
                pass
            except Exception:  # what is looked for
                made.broken.append(f"{door} {seed} {made.count}\n{traceback.format_exc()}")
            made.slowest = max(made.slowest, (time.process_time() - start, made.count))
            made.count += 1
    if made.slowest[0] > SLOW:
        made.broken.append(f"{door} {seed} {made.slowest[1]} takes {made.slowest[0]:.1f} s")
    return made


def main() -> None:
    """Attack a door as the command line asks for."""
    faults.CONTAINED = ()  # every one is to be seen
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--door", choices=DOORS, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    made = attack(options.door, options.seconds, options.seed)
    print(*made.broken, sep="\n")
    taken, number = made.slowest
    print(f"{options.door}: {made.count} inputs, {len(made.broken)} faults, number {number} the slowest: {taken:.2f} s")


if __name__ == "__main__":
    main()
