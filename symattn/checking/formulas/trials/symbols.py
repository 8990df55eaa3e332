"""What the symbols of a formula may stand for: small tensors under one reading of the article.

The article's own lines come first (shapes, definitions, "rows" or "columns"); then the field's standard use. Several
readings may remain: a formula fails only if it fails under all of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor

Key = tuple[str, tuple[str, ...], tuple[str, ...]]  # base, labels below, labels above: what is no index
Shape = tuple[str, ...]  # sizes by name

# Pairwise different, so that what fits only by chance does not fit; two sets, so that nothing depends on one.
SIZES: tuple[Mapping[str, int], ...] = (
    {"n": 3, "m": 4, "d_k": 2, "d_v": 5, "d_model": 6, "h": 2, "d_ff": 7, "d": 6, "g": 1},
    {"n": 4, "m": 2, "d_k": 3, "d_v": 1, "d_model": 5, "h": 3, "d_ff": 6, "d": 5, "g": 1},
)
# Shapes with tokens in rows, as in Vaswani et al.
STANDARD: Mapping[str, Shape] = {
    "Q": ("n", "d_k"), "K": ("m", "d_k"), "V": ("m", "d_v"), "X": ("n", "d_model"), "H": ("n", "d_model"),
    "S": ("n", "m"), "E": ("n", "m"), "A": ("n", "m"), "P": ("n", "m"), "M": ("n", "m"), "B": ("n", "m"),
    "α": ("n", "m"), "O": ("n", "d_v"), "Y": ("n", "d_model"), "Z": ("n", "d_v"),
    "W^q": ("d_model", "d_k"), "W^k": ("d_model", "d_k"), "W^v": ("d_model", "d_v"), "W^o": ("h*d_v", "d_model"),
    "W^1": ("d_model", "d_ff"), "W^2": ("d_ff", "d_model"), "b^1": ("1", "d_ff"), "b^2": ("1", "d_model"),
}  # fmt: skip
ROWS_OF = {"q": "Q", "k": "K", "v": "V", "x": "X", "o": "O", "y": "Y", "z": "Z", "h": "H"}
ENTRIES_OF = {
    "q": "Q", "k": "K", "v": "V", "x": "X", "o": "O", "a": "A", "α": "A", "e": "S", "s": "S", "w": "A", "p": "P",
    "m": "M", "b": "B",
}  # fmt: skip
SCALARS = frozenset("τβελημσγκcrtθωρδ")


class NotSettledError(Exception):
    """A symbol or a form of which it is not known what it stands for."""


@dataclass(frozen=True)
class Reading:
    """One way to read the symbols: whether tokens are the rows of matrices, whether single vectors are rows, whether
    there are as many keys as queries, along which axis softmax goes, and of what d is the size."""

    rows: bool = True
    row_vectors: bool = True
    alike: bool = False
    axis: int = 1
    d: str = "d_k"


READINGS = tuple(
    Reading(rows, vectors, alike, axis, d)
    for alike in (False, True)
    for d in ("d_k", "d_model")
    for rows in (True, False)
    for vectors in (rows, not rows)
    for axis in ((1,) if rows else (0, 1))
)


@dataclass
class Scope:
    """Small random tensors for the symbols under a reading, at one set of sizes; the same symbol is the same tensor.

    `shapes` are those that are known (with tokens in rows, in names of sizes), `definitions` what a symbol is said to
    be (its index letters, its formula).
    """

    reading: Reading
    sizes: dict[str, int]
    seed: int = 0
    shapes: dict[Key, Shape] = field(default_factory=dict)
    definitions: dict[Key, tuple[tuple[str, ...], f.Expression]] = field(default_factory=dict)
    given: dict[Key, Tensor] = field(default_factory=dict)
    any_length: bool = False  # whether n above a sum is however far its index runs
    length: int | None = None  # how far an index runs that nothing is an index of
    drawn: dict[str, object] = field(default_factory=dict)  # what was drawn, which is shown as text

    @staticmethod
    def at(reading: Reading, case: int = 0, seed: int = 0, **known: object) -> Scope:
        sizes = dict(SIZES[case % len(SIZES)])
        if reading.alike:
            sizes["m"] = sizes["n"]
        sizes["d"] = sizes[reading.d]
        return Scope(reading, sizes, seed, **known)  # type: ignore[arg-type]

    # --- sizes

    def size(self, name: str) -> int:
        """A size by its name, `n` or `h*d_v`."""
        found = 1
        for part in name.split("*"):
            if not part.isdigit() and part not in self.sizes:  # a letter of the article's own
                self.sizes[part] = next(k for k in range(2, 100) if k not in self.sizes.values())
            found *= int(part) if part.isdigit() else self.sizes[part]
        return found

    def size_of(self, name: f.Name) -> int | None:
        """The number that a letter for a size stands for."""
        own = self.sizes.get(spell(name.symbol))
        known = size_name(name)
        return own if own is not None or known is None else self.sizes.get(known)

    # --- tensors

    def shape(self, key: Key) -> tuple[int, int] | None:
        """The shape of a matrix or vector, tokens in rows; None for what is not known."""
        known = self.shapes.get(key) or standard_shape(key)
        if known is None:
            return None
        sizes = [self.size(part) for part in known]
        return (1, sizes[0]) if len(sizes) == 1 else (sizes[0], sizes[1])

    def tensor(self, key: Key) -> Tensor | None:
        """What a symbol without an index stands for; None for what is not known."""
        if key in self.given:
            return self.given[key]
        shape = self.shape(key)
        if shape is None:
            shape = self._vector(key)
        if shape is None:
            return None
        turned = not (self.reading.row_vectors if shape[0] == 1 else self.reading.rows)
        self.give(key, shape, turned=turned)
        return self.given[key]

    def _vector(self, key: Key) -> tuple[int, int] | None:
        """A lower-case letter of a matrix is one of its rows."""
        matrix = ROWS_OF.get(key[0])
        shape = None if matrix is None else self.shape((matrix, *key[1:]))
        return None if shape is None else (1, shape[1])

    def give(self, key: Key, shape: tuple[int, ...], *, turned: bool) -> None:
        """Let a symbol stand for what is drawn in this shape, then turned or not, and be shown so."""
        drawn = self.draw(key, shape)
        self.given[key] = drawn.turned() if turned else drawn
        self.drawn[spell(key)] = self.given[key]

    def draw(self, key: object, shape: tuple[int, ...]) -> Tensor:
        """Small whole numbers, never 0, the same for the same symbol and seed."""
        rows, columns = shape if shape else (1, 1)
        drawn = _draw(f"{self.seed} {key}", rows, columns)
        return drawn if shape else drawn.at(0, 0)

    def number(self, key: Key) -> Tensor:
        """A positive fraction for a letter that is a number; never 1, at which x² and √x are x."""
        if key not in self.given:
            value = draw_fraction(random.Random(f"{self.seed} {key}"))
            self.given[key] = Tensor.number(value)
            self.drawn[spell(key)] = value
        return self.given[key]


def draw_fraction(generator: random.Random) -> Fraction:
    """A positive fraction but 1."""
    while (value := Fraction(generator.randint(1, 9), generator.choice((2, 3, 4, 5, 7)))) == 1:
        pass
    return value


@lru_cache(maxsize=1_000)  # the same are asked for at every point, and with every slip
def _draw(seed: str, rows: int, columns: int) -> Tensor:
    generator = random.Random(seed)
    return Tensor.of([[generator.choice((-2, -1, 1, 2, 3)) for _ in range(columns)] for _ in range(rows)])


def spell(key: Key) -> str:
    """A symbol as it is shown beside its value."""
    base, sub, sup = key
    return base + ("_" + ",".join(sub) if sub else "") + ("^" + ",".join(sup) if sup else "")


def label(key: Key) -> str:
    """The one label of a symbol, wherever it stands: `W^Q`, `W_q` and `W_Q` have the label q."""
    labels = [*key[1], *key[2]]
    return labels[0].lower() if len(labels) == 1 else ""


def standard_shape(key: Key) -> Shape | None:
    """The shape that the field gives a symbol, or None."""
    base, sub, sup = key
    if not sub and not sup:
        return STANDARD.get(base)
    return STANDARD.get(f"{base}^{label(key)}")


_SIZE_LABELS = {
    "k": "d_k", "key": "d_k", "q": "d_k", "query": "d_k", "head": "d_k", "h": "d_k", "v": "d_v", "value": "d_v",
    "model": "d_model", "m": "d_model", "emb": "d_model", "ff": "d_ff", "x": "d_model", "in": "d_model",
}  # fmt: skip


def size_name(name: f.Name) -> str | None:
    """The canonical name of a size: `d_{key}` is d_k; None for what is no letter of a size."""
    if name.sup or name.item:
        return None
    base = name.base
    if base in ("dim", "d", "D") and len(name.sub) == 1:
        return _SIZE_LABELS.get(name.sub[0].lower())
    if name.sub:
        return None
    return {"n": "n", "N": "n", "T": "n", "L": "n", "d": "d", "D": "d", "h": "h", "dk": "d_k", "dmodel": "d_model"}.get(
        base
    )


# --- what the article says


# 列 is no column in 行列 (a matrix), 序列 (a sequence) and 列表 (a list), nor 行 a row in 進行; 배열 is an array
_COLUMN, _ROW = (
    r"(?<![行系配数數序队隊阵陣排并並時])列(?![表举出舉车車])",
    r"(?<![実進执執並并銀银改遂移流运運进])行(?![业業为為列])",
)
_COLUMNS = regex(  # `columns=[...]` is an option of a program that names the columns of a table
    rf"\bcolumns?\b(?!\s?=)|\bcol_?sum\b|{_COLUMN}(?:向量|是|ベクトル|が)|按列|每一?列|各{_COLUMN}|(?:一|个|個){_COLUMN}"
    r"|열\s*벡터|(?<![배나서계])열로|\bcolumnas?\b|\bcolunas?\b|\bcolonnes?\b|\bSpalten?\b",
    re.I,
)
_ROWS = regex(
    rf"\brows?\b|\brow_?sum\b|{_ROW}(?:向量|是|ベクトル|が)|按行|每一?行|各{_ROW}|(?:一|个|個){_ROW}"
    r"|행\s*벡터|행으로|\bfilas?\b|\blinhas?\b|\blignes?\b|\bZeilen?\b",
    re.I,
)


def admitted(text: str) -> tuple[Reading, ...]:
    """The readings that the article's words admit: tokens in columns only if it says columns and never rows."""
    if _COLUMNS.search(text) and not _ROWS.search(text):
        return tuple(r for r in READINGS if not r.rows)
    if _ROWS.search(text) and not _COLUMNS.search(text):
        return tuple(r for r in READINGS if r.rows)
    return READINGS


def declared_shapes(statements: Iterable[Statement]) -> dict[Key, tuple[f.Expression, ...]]:
    """The dimensions that an article gives its symbols, `Q \\in \\mathbb{R}^{n \\times d_k}`, as printed."""
    found: dict[Key, tuple[f.Expression, ...]] = {}
    pending: list[f.Name] = []  # the Q of `Q, K ∈ R^{n × d}`
    for statement in statements:
        sides = statement.chain.sides
        last = sides[-1]
        if len(sides) == 1 and isinstance(last.expression, f.Name):
            pending.append(last.expression)
            continue
        if last.relation == "∈" and isinstance(last.expression, f.Space) and last.expression.dimensions:
            names = [s.expression for s in sides[:-1] if isinstance(s.expression, f.Name)]
            for name in (*pending, *names):
                found.setdefault(name.symbol, last.expression.dimensions)
        pending = []
    return found


def shape_in_sizes(dimensions: Iterable[f.Expression]) -> Shape | None:
    """The dimensions as names of sizes, `h*d_v`; None where one is no product of letters and numbers."""
    parts = [_dimension(d) for d in dimensions]
    return None if None in parts else tuple(part for part in parts if part is not None)


def _dimension(expression: f.Expression) -> str | None:
    match expression:
        case f.Name():
            return size_name(expression) or spell(expression.symbol)
        case f.Number() if expression.value.denominator == 1:
            return str(expression.value)
        case f.Product(factors, _):
            parts = [_dimension(factor) for factor in factors]
            return None if None in parts else "*".join(part for part in parts if part is not None)
    return None
