"""Small integer inputs for calculations by hand, drawn from a seed.

Scores are integers, √d_k is an integer, and no row that sees several keys puts MOST of its weight or more on one. The
same seed gives the same numbers everywhere: they are drawn by `Draws` and judged in integers and fractions alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from symattn.errors import InputError
from symattn.reading.worksheets.draws import Draws
from symattn.writing.prose import Sentence

MOST = Fraction(95, 100)  # of its weight that a row of several keys may put on one
LARGEST = 12  # an entry of Q, K or V, and half a score, at the most
WIDTHS = (1, 4, 9)
FEW = 3  # rows of one column that can all be different
ROWS_WIDE = 2  # d_model and d_v
TRIES = 400  # of one head's weights before other rows are drawn
Rows = list[list[int]]


@dataclass(frozen=True)
class Task:
    """What an exercise is asked to be like: `given` is X with projections, or Q, K and V."""

    seed: int
    tokens: int = 3
    heads: int = 1
    width: int = 4
    mask: str = "none"
    given: str = "X"


def draw_exercise(task: Task) -> dict[str, Any]:
    """The tables of the worksheet, as TOML has them. Raises InputError where heads have no projections.

    >>> [len(rows) for rows in draw_exercise(Task(7, tokens=2, given="Q"))["inputs"].values()]
    [2, 2, 2]
    """
    if task.given == "Q" and task.heads > 1:
        raise InputError(Sentence("heads_need_projections", heads=task.heads), place="--heads")
    draws = Draws(task.seed * 1_000_003 + 16 * task.tokens + task.heads + 256 * task.width + 4096 * (task.given == "X"))
    inputs = _draw_given(task, draws) if task.given == "Q" else _draw_projections(task, draws)
    numbered = {"number": task.seed, "tokens": task.tokens}
    title = {language: Sentence("exercise.title", **numbered).text(language) for language in ("en", "zh")}
    attention = {} if task.mask == "none" else {"attention": {"mask": task.mask}}
    return {"title": title, "tokens": list("ABCDEFGH"[: task.tokens]), "inputs": inputs, **attention}


def _draw_given(task: Task, draws: Draws) -> dict[str, Any]:
    while True:
        Q, K = (draws.rows(task.tokens, task.width, -1, 2) for _ in "QK")
        V = draws.rows(task.tokens, ROWS_WIDE, -2, 4)
        if _is_fit(task, Q, K, V):
            return {"Q": Q, "K": K, "V": V}


def _draw_projections(task: Task, draws: Draws) -> dict[str, Any]:
    while True:
        X = draws.rows(task.tokens, ROWS_WIDE, -1, 2)
        if not (_differ(X) and _differ_all(X)):
            continue
        heads = [_draw_head(task, draws, X) for _ in range(task.heads)]
        if all(heads):
            break
    matrices: dict[str, Any] = {}
    for k, name in enumerate(("W_Q", "W_K", "W_V")):
        each = [head[k] for head in heads]
        matrices[name] = each[0] if task.heads == 1 else each
    if task.heads > 1:
        matrices["W_O"] = draws.rows(task.heads * ROWS_WIDE, ROWS_WIDE, -1, 1)
    return {"X": X, **matrices}


def _draw_head(task: Task, draws: Draws, X: Rows) -> list[Rows]:
    """W_Q, W_K and W_V; none where these rows seem to have no fitting ones."""
    for _ in range(TRIES):
        W_Q, W_K = (draws.rows(ROWS_WIDE, task.width, -1, 1) for _ in "QK")
        W_V = draws.rows(ROWS_WIDE, ROWS_WIDE, -1, 2)
        fit = all(any(row) for W in (W_Q, W_K, W_V) for row in W)
        if fit and _is_fit(task, *(multiply(X, W) for W in (W_Q, W_K, W_V))):
            return [W_Q, W_K, W_V]
    return []


def _is_fit(task: Task, Q: Rows, K: Rows, V: Rows) -> bool:
    """Whether these make an exercise: numbers small, rows different, some weights unequal, none saturated.

    One column of small integers has too few values for many rows, which are then only not all alike.
    """
    entries = [abs(x) for rows in (Q, K, V) for row in rows for x in row]
    scores = multiply(Q, [list(column) for column in zip(*K, strict=True)])
    if max(entries) > LARGEST or not all(map(_differ, (Q, K, V))) or max(map(abs, _all(scores))) > 2 * LARGEST:
        return False
    seen = [row[: i + 1] if task.mask == "causal" else row for i, row in enumerate(scores)]
    weights = [[x - row[0] for x in row] for row in seen]  # alike where these are: softmax is of differences
    if (task.width > 1 or task.tokens <= FEW) and not all(map(_differ_all, (Q, K, V, weights))):
        return False
    several = [row for row in seen if len(row) > 1]
    if several and all(len(set(row)) == 1 for row in several):
        return False
    return all(largest_weight(row, math.isqrt(task.width)) < MOST for row in several)


def _differ(rows: Rows) -> bool:
    """Whether rows are not all alike, and none is of zeros alone."""
    return (len(rows) == 1 or any(row != rows[0] for row in rows)) and all(map(any, rows))


def _differ_all(rows: Rows) -> bool:
    """Whether no two rows are alike."""
    return len(set(map(tuple, rows))) == len(rows)


def _all(rows: Rows) -> Iterator[int]:
    return (x for row in rows for x in row)


def multiply(A: Sequence[Sequence[int]], B: Sequence[Sequence[int]]) -> Rows:
    """The product of two matrices."""
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]


def largest_weight(scores: Sequence[int], root: int) -> Fraction:
    """The largest weight that softmax gives to scores divided by the integer √d_k, to twenty places.

    >>> largest_weight([3, 3], 2)
    Fraction(1, 2)
    """
    most = max(scores)
    return 1 / sum((_exponential(root) ** (most - score) for score in scores), Fraction(0))


@cache
def _exponential(root: int) -> Fraction:
    """e^(−1/root), to thirty places, by its series."""
    term = total = Fraction(1)
    for k in range(1, 30):
        term = -term / (root * k)
        total += term
    return Fraction(round(total * 10**30), 10**30)


def count_work(tables: Mapping[str, Any], task: Task) -> tuple[int, int, int]:
    """What there is to do by hand: products of integers, exponentials, and products with rounded weights."""
    n, seen = task.tokens, task.tokens**2 if task.mask == "none" else task.tokens * (task.tokens + 1) // 2
    projections = n * ROWS_WIDE * (2 * task.width + ROWS_WIDE) if "X" in tables["inputs"] else 0
    out = n * task.heads * ROWS_WIDE**2 if task.heads > 1 else 0
    products = task.heads * (projections + n * n * task.width)
    return products, task.heads * seen, task.heads * seen * ROWS_WIDE + out


def difficulty(work: tuple[int, int, int]) -> int:
    """1 to 3: by the products, of which an exponential counts as five and one with a rounded number as two."""
    products, exponentials, rounded = work
    return 1 + sum(products + 5 * exponentials + 2 * rounded > bound for bound in (100, 250))
