"""Lists that gather what was computed one by one: "2 × 3 = 6", "4 × 5 = 20", "1 − 4 = −3", and then "[6, 20, −3]".

What each number was computed by stands above, so the list is held against these formulas. The numbers themselves show
that it is a copy: all agree, in the order in which they were computed. Where they have the names of entries, H_1 = 3.4,
H_2 = −2.8, …, one of many may be a slip, and so it may where a list of scores follows upon the lines of just these.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from symattn.checking.expected.evidence import mostly_right
from symattn.checking.expected.sources import Where
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, right_places, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import same_values

_FEWEST = 3  # numbers of a list; two of them neither 0 nor 1
_T = TypeVar("_T")
_RESULT = regex(r"\bresult|softmax|weights?\b|scores?\b|结果|結果|权重|權重|得分|分数", re.IGNORECASE)
_MOST = 64  # single results that are remembered


class Singles:
    """The single numbers computed last, each with its formula; of one chain only its last print."""

    def __init__(self) -> None:
        self._found: deque[tuple[object, Definition, f.Number]] = deque(maxlen=_MOST)

    def note(self, chain: object, definition: Definition, printed: Printed) -> None:
        """Remember what a chain has come to, if that is one number."""
        value = printed.values[0][0]
        if printed.shape != (1, 1) or value is None:
            return
        if self._found and self._found[-1][0] is chain:
            self._found.pop()
        number = f.Number(printed.texts[0][0], value, printed.units[0][0])
        self._found.append((chain, definition, number))

    def latest(self, count: int) -> list[tuple[Definition, f.Number]]:
        """The last results, as many as there are up to a count, each with its formula."""
        return [(definition, number) for _, definition, number in list(self._found)[-count:]]

    def latest_numbers(self, count: int) -> list[f.Number]:
        """The last results as they were printed, without the roots that others are divided by."""
        found = [number for _, definition, number in self._found if not isinstance(definition.expression, f.Root)]
        return found[-count:]

    def ends_in_root(self) -> bool:
        """Whether a root was computed last."""
        return bool(self._found) and isinstance(self._found[-1][1].expression, f.Root)

    def latest_root(self) -> f.Number | None:
        """The last root as it was printed, √d_k ≈ 1.41."""
        found = (n for _, definition, n in reversed(self._found) if isinstance(definition.expression, f.Root))
        return next(found, None)

    def as_printed(self, expression: f.Expression) -> f.Expression:
        """The number that was printed last of an expression, or else itself."""
        found = (number for _, definition, number in reversed(self._found) if definition.expression == expression)
        return next(found, expression)

    def gathered(self, printed: Printed, environment: Environment, label: str = "") -> list[Definition]:
        """The formulas of a list, and what they had come to as it was printed, which may have been rounded on the way.

        Its numbers are those of a run of single results, and these have not changed. Two numbers may agree by chance,
        and any of 0 and 1, unless words call them the result and they were the last.
        """
        places = printed.places()
        numbers = [(printed.values[i][j], printed.units[i][j]) for i, j in places]
        count, (rows, columns) = len(numbers), printed.shape
        telling = count >= _FEWEST and sum(v not in (None, 0, 1) for v, _ in numbers) >= _FEWEST - 1
        called = count >= _FEWEST - 1 and _RESULT.search(label) is not None
        if count != rows * columns or not (telling or called):
            return []
        found = list(self._found)
        for start in range(len(found) - count, -1, -1)[: None if telling else 1]:
            run = found[start : start + count]
            if all(v is not None and 2 * abs(v - w.value) <= u for (v, u), (_, _, w) in zip(numbers, run, strict=True)):
                whole = _together([definition for _, definition, _ in run], columns, environment)
                copied = try_define(f.Matrix(tuple(_lines([number for *_, number in run], columns))), environment)
                return [each for each in (whole, copied) if each is not None] if whole is not None else []
        return []

    def collected(
        self, keys: Sequence[f.Expression], printed: Printed, where: Where, environment: Environment
    ) -> Definition | None:
        """The formulas of a list of scores below as many lines that end in them, one each, but for one slip.

        Any further word may say that they are others or that something was done to them, and −∞ is a mask.
        """
        name = keys[0].base + "".join(keys[0].sub) if keys and isinstance(keys[0], f.Name) else ""
        count, run = len(printed.places()), list(self._found)[-len(printed.places()) :]
        values, words = printed.values[0], " ".join([where.above.split("\n")[-1], name])
        if not _FEWEST <= count == len(run) == printed.shape[1] or printed.shape[0] != 1 or None in values:
            return None
        if not _SCORES.fullmatch(words) or _WORD.search(where.after.partition("\n")[0]):
            return None
        if not _end_in(where.above, [n for *_, n in run]):
            return None
        whole = _together([definition for _, definition, _ in run], count, environment)
        return whole if whole is not None and len(right_places(printed, whole.true)) >= count - 1 else None


def _end_in(above: str, numbers: Sequence[f.Number]) -> bool:
    """Whether the lines right above end in these numbers, and the line above those in none."""
    lines = [line.strip(" \t`$*") for line in above.split("\n")[:-1] if line.strip()]
    ends = [match and match[1] for match in map(_ENDS.search, lines[-len(numbers) - 1 :])]
    if len(lines) == len(numbers):
        ends = [None, *ends]
    return ends == [None, *(number.text for number in numbers)]


_SCORES = regex(
    r"[\W_]*(?:(?:the|raw|attention|dot[- ]product)[\W_]+)*(?:(?:scores|logits|得分|分数)(?:\s+are)?[\W_]*)+",
    re.IGNORECASE,
)
_WORD = regex(r"[^\W_]")
_ENDS = regex(r"[=≈] *([-−]?\d+(?:\.\d+)?)$")


def _lines(cells: Sequence[_T], columns: int) -> Iterator[tuple[_T, ...]]:
    return (tuple(cells[k : k + columns]) for k in range(0, len(cells), columns))


def copy_of_entries(printed: Printed, label: str, environment: Environment) -> Definition | None:
    """H_1, …, H_n for a list of n numbers that are these, but for a slip in one of five or more.

    A number that became 0 or −∞ is no slip but an activation or a mask, and words may say that something was done.
    """
    values = [printed.values[i][j] for i, j in printed.places()]
    rows, columns = printed.shape
    last = (str(len(values)),)
    if len(values) < _FEWEST_COPIED or len(values) != rows * columns or _CHANGED.search(label):
        return None
    names = (key for key in reversed(environment.stated) if isinstance(key, f.Name) and key.sub == last)
    for name in names:
        parts = [replace(name, sub=(str(k + 1),)) for k in range(len(values))]
        if not all(part in environment.stated for part in parts):
            continue
        found = try_define(f.Matrix(tuple(_lines(parts, columns))), environment)
        if found is None:
            continue
        off = [printed.values[i][j] for i, j in {*printed.places()} - right_places(printed, found.true)]
        if found.true.shape == printed.shape and (not off or (len(off) == 1 and off[0] not in (None, 0))):
            return found
    return None


_FEWEST_COPIED = 5
_CHANGED = regex(
    r"relu|gelu|activat|mask|drop|norm|updat|new\b|after|scal|softmax|激活|掩|更新|之后|后\b|归一", re.IGNORECASE
)


class GatheredRows:
    """The rows that were judged right, one by one, which a matrix may gather: `row 1: softmax(...) = [...]`, …."""

    def __init__(self) -> None:
        self._rows: deque[tuple[Definition, Printed]] = deque(maxlen=_MOST)

    def note(self, definition: Definition, printed: Printed) -> None:
        """Remember a row with its formula."""
        if printed.shape[0] == 1 < printed.shape[1] and definition.true.shape == printed.shape:
            self._rows.append((definition, printed))

    def gathered(self, printed: Printed, environment: Environment) -> Definition | None:
        """The formulas of a matrix whose rows are the last ones judged, if they are, in their order.

        A copy has no more digits than what it is copied from: 1.0 is none of the 1 that 0.73 was rounded to.
        """
        count, columns = printed.shape
        run = list(self._rows)[-count:]
        if count < 2 or len(run) < count or not all(_is_copied(row, printed, i) for i, (_, row) in enumerate(run)):
            return None
        cells = [[f.Entry(d.expression, ("1", str(j + 1))) for j in range(columns)] for d, _ in run]
        whole = try_define(f.Matrix(tuple(map(tuple, cells))), environment)
        if whole is None:
            return None
        known = tuple(d.true.rows[0] for d, _ in run)
        return whole if same_values(whole.true, Balls(printed.shape, None, known)) else None

    def of_function(
        self, keys: Sequence[f.Expression], printed: Printed, environment: Environment
    ) -> Definition | None:
        """The function of the last rows that a print is called by, `ReLU = [[3, 0], [2, 0]]`, if it has its numbers."""
        function = _FUNCTIONS.get(keys[0].base.lower()) if keys and isinstance(keys[0], f.Name) else None
        run = [row for _, row in list(self._rows)[-printed.shape[0] :]]
        if function is None or {row.shape[1] for row in run} != {printed.shape[1]}:
            return None
        found = try_define(f.Call(function, (f.Matrix(tuple(map(_numbers, run))),)), environment)
        return found if found is not None and mostly_right(found, printed, environment) else None


_FUNCTIONS = {name: name for name in ("relu", "gelu", "silu", "sigmoid", "tanh", "softmax", "exp")} | {"swish": "silu"}


def _numbers(row: Printed) -> tuple[f.Number, ...]:
    cells = zip(row.texts[0], row.values[0], row.units[0], strict=True)
    return tuple(f.Number(text, value, unit) for text, value, unit in cells if value is not None)


def _is_copied(row: Printed, printed: Printed, i: int) -> bool:
    return row.values[0] == printed.values[i] and all(
        fine <= coarse for fine, coarse in zip(row.units[0], printed.units[i], strict=True)
    )


def _together(run: Sequence[Definition], columns: int, environment: Environment) -> Definition | None:
    lines = list(_lines(run, columns))
    known = tuple(tuple(d.true.rows[0][0] for d in line) for line in lines)
    whole = try_define(f.Matrix(tuple(tuple(d.expression for d in line) for line in lines)), environment)
    return whole if whole is not None and same_values(whole.true, Balls((len(lines), columns), None, known)) else None
