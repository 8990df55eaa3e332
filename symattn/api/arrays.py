"""The face that users hold of arrays from real models: which heads and rows are most saturated."""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

from sympy import Expr, S, Symbol, sqrt

from symattn.api.page import Page
from symattn.errors import InputError, Placed
from symattn.nodes.exact_numbers import read_exact
from symattn.pages.numbers.entries import Inline
from symattn.pages.saturation import NORM, REST
from symattn.values.arrays import Stored, by, names_of, read_arrays
from symattn.values.decimals import Shown
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.measure import DIGITS, SaturatedRow, thresholds_json
from symattn.values.saturation.ranking import Problem, RankedHead, RankedRow, exact_rows, rank_heads
from symattn.writing.choices import choice
from symattn.writing.document import Block, Box, Document, Heading, Paragraph, Spelled, Table
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy
from symattn.writing.visible import clip

Place = str | os.PathLike[str]
MOST = 10
MOST_HEADS = 20
LARGEST_MATRIX = 1 << 24  # numbers of one head: 4096 by 4096
LONGEST_ROW = 1 << 18  # scores: decided exactly in some seconds
MOST_RANKED = 50_000  # heads
NAMES = ("Q", "K", "scores", "scaled")


def measure_arrays(
    *files: Place,
    keys: Mapping[str, str] | None = None,
    scale: object = None,
    causal: bool = False,
    most: int = MOST,
    digits: int = DIGITS,
    progress: Callable[[int, int], None] | None = None,
) -> ArraySaturation:
    """Rank the rows of softmax(scale · QKᵀ), or of given scores, over all heads by how saturated they are.

    The files (.npy, .npz, .safetensors) hold `Q` and `K` of shape (..., n, d_k) and (..., m, d_k), or `scores` or
    `scaled` of shape (..., n, m); `keys` says under which other names. `scale` is an exact expression in d_k; left out
    it is 1/sqrt(d_k), for scores 1. Numbers are taken as the binary fractions that they are. No more than one head is
    held in memory.
    Raises InputError, with the file and the key, for what cannot be used. Source: `measure_saturation` defines what is
    measured, ε = 1 − max a first.

    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/scores.npz", scores=np.array([[0.0, 40.0], [1.0, 2.0]]))
    ...     [row.row for row in measure_arrays(f"{folder}/scores.npz").rows]
    [1, 2]
    """
    arrays: dict[str, Stored] = {}
    for file in files:
        for key, stored in read_arrays(Path(file)).items():
            arrays.setdefault(key, stored)
    problem = _problem(arrays, keys or {}, scale, causal, os.fspath(files[0]))
    heads: list[RankedHead] = []
    ranked: list[RankedRow] = []
    for head, rows in rank_heads(problem, most):
        heads.append(head)
        ranked = heapq.nsmallest(most, [*ranked, *rows])
        if progress is not None:
            progress(head.head, problem.heads)
    return ArraySaturation(problem, tuple(heads), tuple(ranked), digits)


def _problem(arrays: Mapping[str, Stored], keys: Mapping[str, str], scale: object, causal: bool, place: str) -> Problem:
    for name in keys:
        choice("key", name, NAMES)
    found = {name: arrays[keys.get(name, name)] for name in NAMES if keys.get(name, name) in arrays}
    for name, key in keys.items():
        if name not in found:
            raise InputError(Sentence("array_key", name=clip(key), known=names_of(arrays)), place=place)
    if not found and len(arrays) == 1 and not keys:
        found = {"scores": next(iter(arrays.values()))}
    if "Q" in found and "K" in found:
        Q, K = _check(found["Q"]), _check(found["K"])
        if Q.shape[:-2] != K.shape[:-2] or Q.shape[-1] != K.shape[-1]:
            raise InputError(Sentence("array_shapes", q=by(Q.shape), k=by(K.shape)), place=place)
        _require_row(K.shape[-2], K)
        return Problem(Q, K, _scale(scale, S.One / sqrt(Q.shape[-1]), Q.shape[-1]), causal)
    for name in ("scores", "scaled"):
        if name in found:
            scores = _check(found[name])
            _require_row(scores.shape[-1], scores)
            return Problem(scores, None, _scale(scale, S.One, None), causal)
    raise InputError(Sentence("array_missing", known=names_of(arrays)), place=place)


def _check(stored: Stored) -> Stored:
    stored.require()
    if len(stored.shape) < 2 or not all(stored.shape):
        raise InputError(Sentence("array_shape", shape=by(stored.shape)), place=stored.place)
    if stored.shape[-2] * stored.shape[-1] > LARGEST_MATRIX:
        raise InputError(Sentence("array_matrix", shape=by(stored.shape[-2:]), most=LARGEST_MATRIX), place=stored.place)
    if stored.heads > MOST_RANKED:
        raise InputError(Sentence("array_heads", count=stored.heads, most=MOST_RANKED), place=stored.place)
    return stored


def _require_row(keys: int, stored: Stored) -> None:
    if keys > LONGEST_ROW:
        raise InputError(Sentence("array_row", count=keys, most=LONGEST_ROW), place=stored.place)


def _scale(given: object, default: Expr, width: int | None) -> Expr:
    if given is None:
        return default
    d_k = Symbol("d_k", positive=True)
    with Placed("scale"):
        scale = read_exact(given, {} if width is None else {"d_k": d_k})
    scale = scale.xreplace({d_k: as_sympy(width or 1)})
    if not scale.is_real or scale.is_zero:
        raise InputError(Sentence("bad_scale", given=clip(str(given))), place="scale")
    return scale


@dataclass(frozen=True)
class ArraySaturation(Page):
    """Heads, and the most saturated rows of all; str() is the report."""

    problem: Problem
    heads: tuple[RankedHead, ...]
    ranked: tuple[RankedRow, ...]
    digits: int = DIGITS

    @cached_property
    def rows(self) -> tuple[SaturatedRow, ...]:
        """The most saturated rows, certified, the most saturated first."""
        return tuple(exact_rows(self.problem, self.ranked, self.digits))

    def to_json(self) -> dict[str, Any]:
        """Plain data for JSON: rows as for a worksheet, and a line for each head."""
        heads = [
            {
                "head": h.head, "rows": h.rows, "smallest_rest": h.smallest, "median_rest": h.median,
                "ones": dict(h.ones), "jacobian_zero": dict(h.dead), "decided": h.decided,
            }
            for h in self.heads
        ]  # fmt: skip
        return {"rows": [row.to_json() for row in self.rows], "heads": heads, "thresholds": thresholds_json()}

    def document(self) -> Document:
        """The report as a page."""
        return Document(Sentence("ranking.title"), tuple(self._blocks()))

    def _blocks(self) -> Iterator[Block]:
        rows = sum(h.rows for h in self.heads)
        decided = sum(h.decided for h in self.heads)
        yield Paragraph((Sentence("ranking.said", heads=len(self.heads), rows=rows, decided=decided),))
        columns = (Sentence("ranking.head"), Sentence("saturation.row"), Sentence("ranking.column"))
        yield Table((*columns, Sentence("saturation.gap"), REST, NORM), tuple(_line(row) for row in self.rows))
        yield Heading(1, Sentence("ranking.losses"))
        counted = (Sentence("saturation.format"), Sentence("ranking.ones"), Sentence("ranking.dead"))
        yield Table(counted, tuple((f, self._count("ones", f), self._count("dead", f)) for f in FORMATS))
        if len(self.heads) > 1:
            yield Heading(1, Sentence("ranking.heads", rest=REST))
            spread = (Sentence("ranking.head"), Sentence("ranking.smallest"), Sentence("ranking.median"))
            ordered = sorted(self.heads, key=lambda h: h.smallest)[:MOST_HEADS]
            yield Table(spread, tuple((str(h.head), _about(h.smallest), _about(h.median)) for h in ordered))

    def _count(self, what: str, form: str) -> str:
        return str(sum(getattr(h, what)[form] for h in self.heads))

    def __str__(self) -> str:
        return self.to_text()


def _line(row: SaturatedRow) -> tuple[Box | str, ...]:
    exact, gap = row.exact.to(3), row.exact.to(5).gap
    numbers = (
        Shown(gap) if gap.is_finite() else Spelled(r"\infty", "∞"),
        Shown(exact.rest),
        Shown(exact.jacobian_norm),
    )
    return (str(row.head), str(row.row), str(row.column), *map(Inline, numbers))


def _about(x: float) -> Inline:
    """Two digits of a number known to some ten."""
    if not x:
        return Inline(Spelled(r"< 10^{-300}", "< 10^−300"))
    digits = Decimal(repr(float(f"{x:.1e}")))
    return Inline(Shown(digits if digits.as_tuple().exponent else Decimal(f"{x:.1f}")))
