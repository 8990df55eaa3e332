"""Rows below or behind each other as one matrix, and the steps that give a matrix: what all its rows say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from symattn.checking.recognised.matches import Source
from symattn.checking.recognised.operations import AT_ONE, OF_ONE, Step
from symattn.checking.recognised.prints import Line
from symattn.checking.recognised.series import Series
from symattn.patterns import regex
from symattn.values import rows
from symattn.values.printed import Ball

_PRODUCT, _SCALED, _OF_SOFTMAX = 2.0, 2.0, 3.0  # bits
_BETWEEN = regex(r"[\s\[\](){},;|&\\*`'\"]*(?:[^\d=:\n]{1,20})?[\s\[\](){},;|&*`'\":]*")
_MOST_ROWS = 16


def find_matrices(found: Sequence[Series], lines: Sequence[Line]) -> Iterator[Series]:
    """Rows of one length with nothing but brackets, line breaks and labels between them, two or more."""
    text = "\n".join(line.text for line in lines)
    held: list[Series] = []
    for series in found:
        if held and len(series.numbers) == len(held[0].numbers) and _goes_on(text, held[-1], series):
            held.append(series)
            continue
        yield from _matrix(held)
        held = [series] if len(series.numbers) > 1 and not series.column else []
    yield from _matrix(held)


def _goes_on(text: str, above: Series, series: Series) -> bool:
    between = text[above.numbers[-1].span[1] : series.start]
    return not series.column and len(between) < 80 and between.count("\n") < 2 and bool(_BETWEEN.fullmatch(between))


def _matrix(held: Sequence[Series]) -> Iterator[Series]:
    if 1 < len(held) <= _MOST_ROWS:
        numbers = tuple(n for series in held for n in series.numbers)
        yield Series(numbers, held[0].told, around=held[0].around, height=len(held))


def _split(flat: rows.Row, height: int) -> list[rows.Row]:
    width = len(flat) // height
    return [flat[k * width : (k + 1) * width] for k in range(height)]


def steps_of_one(a: Source) -> Iterator[Step]:
    """What is made of a matrix row by row: its softmax, its deviations."""
    height = a.series.height
    for step in OF_ONE:
        yield Step(
            step.form,
            _by_rows(step.make, height),
            step.bits,
            step.words,
            of_shares=step.of_shares,
            telling=step.telling,
        )


def _by_rows(make: Callable[..., Sequence[Ball]], height: int) -> Callable[[rows.Row], list[Ball]]:
    return lambda flat: [value for row in _split(flat, height) for value in make(row)]


def steps_of_two(a: Source, b: Source, shape: tuple[int, int]) -> Iterator[Step]:
    """A B, A Bᵀ, A Bᵀ / √d and their softmax, where the shapes fit."""
    (n, k), (m, d) = a.series.shape, b.series.shape
    if k == m and (n, d) == shape:
        yield Step("({0}) ({1})", lambda x, y: _product(_split(x, n), _turned(_split(y, m))), _PRODUCT, telling=True)
    if k == d and (n, m) == shape:
        yield Step("({0}) ({1})ᵀ", lambda x, y: _product(_split(x, n), _split(y, m)), _PRODUCT, telling=True)
        yield Step("({0}) ({1})ᵀ / √d", lambda x, y: _scaled(_split(x, n), _split(y, m)), _SCALED, telling=True)
        yield Step(
            "softmax(({0}) ({1})ᵀ / √d)",
            lambda x, y: _by_rows(rows.softmax, n)(_scaled(_split(x, n), _split(y, m))),
            _OF_SOFTMAX,
            AT_ONE[1].words,
            of_shares=True,
            telling=True,
        )


def _turned(matrix: Sequence[rows.Row]) -> list[rows.Row]:
    return list(zip(*matrix, strict=True))


def _product(a: Sequence[rows.Row], b: Sequence[rows.Row]) -> list[Ball]:
    """The dot products of the rows of a with those of b."""
    return [rows.dot(x, y) for x in a for y in b]


def _scaled(a: Sequence[rows.Row], b: Sequence[rows.Row]) -> list[Ball]:
    return [x / rows.whole(len(a[0])).sqrt() for x in _product(a, b)]
