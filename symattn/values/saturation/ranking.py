"""Rows of attention weights of real models, ranked by how saturated they are, one head at a time.

In float64 with a bound on the error: R = Σ e^(z − max) without the largest has relative error at most ε = 2δ +
(n + 760)·2^−52, where δ bounds the error of a score (d products and sums; Higham 2002, section 3.1) and no exponent
that counts is below −745. A row that comes so near to a threshold of a format is decided exactly (Arb).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, MatrixSymbol, Rational, S

from symattn.errors import InputError
from symattn.nodes import Softmax
from symattn.program.steps import Program, Step
from symattn.values import Valuation
from symattn.values.arrays import Array, Stored, numbers_of
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.measure import DIGITS, SaturatedRow, weights_rows
from symattn.writing.prose import Sentence

Floats = NDArray[np.float64]
UNIT = 2.0**-52
BLOCK = 1 << 20  # scores worked on at a time
LARGEST = 1e18  # of a score: decimals have exponents below it
FAINT = 1e-290  # below it exponentials lose digits, and the gap ranks


@dataclass(frozen=True)
class Problem:
    """Scores of every head, or the queries and keys they are made of; `scale` times them, `causal` hides later keys."""

    queries: Stored
    keys: Stored | None
    scale: Expr
    causal: bool = False

    @property
    def heads(self) -> int:
        return self.queries.heads

    def matrices(self) -> Iterator[tuple[Floats, Floats | None]]:
        """The numbers of each head, as float64. Raises InputError where one is not finite."""
        pairs = zip(self.queries.matrices(), self.keys.matrices(), strict=True) if self.keys else None
        if pairs is None:
            for head, scores in enumerate(self.queries.matrices(), 1):
                yield _numbers(self.queries, scores, head), None
        else:
            assert self.keys is not None
            for head, (q, k) in enumerate(pairs, 1):
                yield _numbers(self.queries, q, head), _numbers(self.keys, k, head)


def _numbers(stored: Stored, matrix: Array, head: int) -> Floats:
    try:
        return numbers_of(stored, matrix).astype(np.float64)
    except InputError as error:
        raise InputError(error.message, place=f"{stored.place}: {Sentence('array_head', head=head)}") from None


@dataclass(frozen=True, order=True)
class RankedRow:
    """A row in the order of saturation: `strength` is ln R, to the bound above."""

    strength: float
    head: int
    row: int


@dataclass(frozen=True)
class RankedHead:
    """A head: how many of its rows have a largest weight of exactly 1, and how many no gradient, by format."""

    head: int
    rows: int
    ones: Mapping[str, int]
    dead: Mapping[str, int]
    smallest: float  # of the rests of its rows; 0 below what float64 holds
    median: float
    decided: int  # rows that enclosures had to decide


def rank_heads(problem: Problem, most: int) -> Iterator[tuple[RankedHead, list[RankedRow]]]:
    """Each head with its most saturated rows; no more than one head is held."""
    for head, (left, right) in enumerate(problem.matrices(), 1):
        blocks = list(_blocks(problem, left, right))
        first = int(problem.causal and len(left) > 1)  # the first token sees itself alone, which is no saturation
        gap, strength, total, bound = (np.concatenate(x)[first:] for x in zip(*blocks, strict=True))
        order = np.argsort(strength, kind="stable")[:most]
        exact = partial(exact_row, problem, head, left, right)
        ones, dead, decided = _counts(gap, strength, total, bound, first, exact)
        rest = total / (1 + total)
        smallest, median = float(rest[order[0]]), float(np.median(rest))
        rows = [RankedRow(float(strength[i]), head, int(i) + first + 1) for i in order]
        yield RankedHead(head, len(rest), ones, dead, smallest, median, decided), rows


def exact_rows(problem: Problem, ranked: Sequence[RankedRow], digits: int = DIGITS) -> list[SaturatedRow]:
    """The certified figures of rows, in a second pass over the file."""
    wanted = {r.head for r in ranked}
    found = {}
    for head, (left, right) in enumerate(problem.matrices(), 1):
        if head in wanted:
            for r in ranked:
                if r.head == head:
                    found[r] = exact_row(problem, head, left, right, r.row - 1, digits)
    return [found[r] for r in ranked]


def exact_row(
    problem: Problem, head: int, left: Floats, right: Floats | None, i: int, digits: int = DIGITS
) -> SaturatedRow:
    """One row, its numbers taken as the exact binary fractions that they are."""
    line = [Fraction(x) for x in left[i].tolist()]
    if right is None:
        scores = line
    else:
        keys = [[Fraction(x) for x in key] for key in right.tolist()]
        scores = [sum((x * y for x, y in zip(line, key, strict=True)), Fraction(0)) for key in keys]
    logits: list[Expr] = [Rational(x.numerator, x.denominator) * problem.scale for x in scores]
    if problem.causal:
        logits = [x if j <= i else S.NegativeInfinity for j, x in enumerate(logits)]
    symbol = MatrixSymbol("S'", 1, len(logits))
    step = Step("weights", MatrixSymbol("A", *symbol.shape), Softmax(symbol))
    values = Valuation(Program((symbol,), (step,)), {symbol: [logits]}, {})
    (row,) = weights_rows(values, "weights", digits)
    return replace(row, head=head, row=i + 1)


def _blocks(problem: Problem, left: Floats, right: Floats | None) -> Iterator[tuple[Floats, ...]]:
    scale = float(problem.scale.evalf(30))
    if not abs(scale) <= LARGEST:
        raise InputError(Sentence("scores_overflow"))
    keys = left.shape[1] if right is None else right.shape[0]
    step = max(1, BLOCK // keys)
    largest = None if right is None else np.abs(right).max(axis=0)
    for start in range(0, len(left), step):
        part = left[start : start + step]
        with np.errstate(over="ignore", invalid="ignore"):
            scores = part * scale if right is None else (part @ right.T) * scale
        if not np.abs(scores).max() <= LARGEST:  # NaN either
            raise InputError(Sentence("scores_overflow"), place=problem.queries.place)
        error = np.abs(scores).max(axis=1) * UNIT
        if largest is not None:
            error += (left.shape[1] + 2) * UNIT * abs(scale) * (np.abs(part) @ largest)
        if problem.causal:
            seen = np.arange(keys)[None, :] <= np.arange(start, start + len(part))[:, None]
            scores[~seen] = -np.inf
        yield _measure(scores, error)


def _measure(scores: Floats, error: Floats) -> tuple[Floats, ...]:
    """Of each row: gap, ln R, R, relative error bound of R."""
    lines = np.arange(len(scores))
    column = scores.argmax(axis=1)
    top = scores[lines, column]
    np.subtract(scores, top[:, None], out=scores)
    scores[lines, column] = -np.inf
    gap = -scores.max(axis=1)
    np.exp(scores, out=scores)
    total = scores.sum(axis=1)
    with np.errstate(divide="ignore"):
        strength = np.where(total > FAINT, np.log(total), -gap)
    return gap, strength, total, 2 * error + (scores.shape[1] + 760) * UNIT


def _counts(
    gap: Floats, strength: Floats, total: Floats, bound: Floats, first: int, exact: Callable[[int], SaturatedRow]
) -> tuple[dict[str, int], dict[str, int], int]:
    """How many rows have a weight of exactly 1 and how many no gradient, by format; how many were decided exactly."""
    others = np.log1p(total)  # −ln of the largest weight
    ones, dead, decided = {}, {}, set()
    for name, form in FORMATS.items():
        zero = math.log(form.smallest.numerator) - math.log(form.smallest.denominator) - math.log(2)
        one, near_one = _below(strength - others, -(form.precision + 1) * math.log(2), bound)
        gone, near_gone = _below(-gap - others, zero, bound)
        nothing, near_nothing = _below(-others, zero, bound)
        no_gradient = (one & gone) | nothing
        for i in np.flatnonzero(near_one | (near_gone & one) | near_nothing):
            held = exact(int(i) + first).formats[name]
            one[i], no_gradient[i] = held.one is not None, held.jacobian_zero
            decided.add(int(i))
        ones[name], dead[name] = int(one.sum()), int(no_gradient.sum())
    return ones, dead, len(decided)


def _below(logarithm: Floats, threshold: float, bound: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which are at most a threshold, and which are too near to say."""
    return logarithm <= threshold, np.abs(logarithm - threshold) <= 2 * bound
