"""What is made of each row of a matrix, in a column, or of each column, in a row: sums, largest entries, lengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symattn.values.balls import BallNumbers, Balls

_NUMBERS = BallNumbers()


def _sums(value: Balls) -> Balls | None:
    return None if value.hidden else _NUMBERS.row_sum(value)


def _largest(value: Balls) -> Balls | None:
    """The largest entry of each row that is not −∞."""
    return None if _NUMBERS.empty_rows(value) else _NUMBERS.row_max(value)


def _lengths(value: Balls) -> Balls | None:
    return _root_of_each(_sums(_squares(value)))


def _squares(value: Balls) -> Balls:
    """The squares of the entries."""
    return Balls(value.shape, None, tuple(tuple(x * x for x in row) for row in value.rows), value.hidden)


def _root_of_each(value: Balls | None) -> Balls | None:
    return (
        None if value is None else Balls(value.shape, None, tuple(tuple(x.sqrt() for x in row) for row in value.rows))
    )


def _of_columns(rule: Callable[[Balls], Balls | None]) -> Callable[[Balls], Balls | None]:
    def of_columns(value: Balls) -> Balls | None:
        found = rule(_NUMBERS.transpose(value))
        return None if found is None else _NUMBERS.transpose(found)

    return of_columns


_OF_EACH_ROW: Mapping[str, Callable[[Balls], Balls | None]] = {
    "sum": _sums, "max": _largest, "norm": _lengths,
}  # fmt: skip
OF_ROWS = {f"row{name}": rule for name, rule in _OF_EACH_ROW.items()} | {
    f"col{name}": _of_columns(rule) for name, rule in _OF_EACH_ROW.items()
}
