"""What softmax loses: for each row of weights how far it is from one-hot, and what the float formats leave of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul

from symattn.errors import InputError
from symattn.nodes import WITHOUT_SOFTMAX, Softmax
from symattn.program.steps import Step, name_apart
from symattn.values import Valuation
from symattn.values.decimals import plain
from symattn.values.floats.arithmetic import ALGORITHMS, FloatNumbers
from symattn.values.floats.block_formats import BLOCK_FORMATS
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.rows import WeightsRow
from symattn.values.saturation.thresholds import THRESHOLDS, logarithm
from symattn.writing.choices import choice
from symattn.writing.prose import Sentence

DIGITS = 15


@dataclass(frozen=True)
class Held:
    """A row of weights as a format holds it."""

    weights: tuple[float, ...]
    ulps: tuple[Decimal | None, ...] | None = None  # how far from the true ones, where it was computed

    @property
    def zeros(self) -> list[int]:
        """The columns, from 1, whose weight is exactly 0."""
        return [j for j, w in enumerate(self.weights, 1) if w == 0]

    @property
    def one(self) -> int | None:
        """The column, from 1, whose weight is exactly 1."""
        return self.weights.index(1.0) + 1 if 1.0 in self.weights else None

    @property
    def jacobian_zero(self) -> bool:
        """Whether every entry of diag(a) − aaᵀ is 0: no gradient passes. So it is where every weight is 0, or one is 1
        and the others 0."""
        return all(w in (0.0, 1.0) for w in self.weights) and sum(self.weights) <= 1

    @property
    def broken(self) -> bool:
        """Whether a weight is infinite or no number."""
        return any(w != w or abs(w) == float("inf") for w in self.weights)


@dataclass(frozen=True)
class SaturatedRow:
    """One row of weights: certified figures, and what each float format holds of it.

    `gap` is the largest score less the next; `rest` is 1 − `largest`; `entropy` is in nats; `jacobian_norm` is
    ‖diag(a) − aaᵀ‖∞ = 2 max a(1 − a); `places` is how many decimal places tell the row from one-hot (None: it is).
    """

    head: int
    row: int
    exact: WeightsRow
    computed: Mapping[str, Mapping[str, Held]]

    @property
    def gap(self) -> Decimal:
        return self.exact.gap

    @property
    def largest(self) -> Decimal:
        return self.exact.largest

    @property
    def rest(self) -> Decimal:
        return self.exact.rest

    @property
    def entropy(self) -> Decimal:
        return self.exact.entropy

    @property
    def jacobian_norm(self) -> Decimal:
        return self.exact.jacobian_norm

    @property
    def places(self) -> int | None:
        return self.exact.places

    @property
    def column(self) -> int:
        """The column, from 1, of the largest weight."""
        return self.exact.top + 1

    @cached_property
    def formats(self) -> Mapping[str, Held]:
        """The weights rounded once to each format: the best that any algorithm can give."""
        return {name: Held(self.exact.rounded(form)) for name, form in FORMATS.items()}

    @cached_property
    def blocks(self) -> Mapping[str, Held]:
        """The weights, as float64 has them, in formats of 4 bits whose blocks share a scale."""
        weights = np.array(self.formats["float64"].weights)
        return {name: Held(tuple(form.cast(weights).tolist())) for name, form in BLOCK_FORMATS.items()}

    def to_json(self) -> dict[str, Any]:
        """The row as plain data for JSON."""
        return {
            "step": self.exact.name,
            "head": self.head,
            "row": self.row,
            "gap": plain(self.gap) if self.gap.is_finite() else "inf",
            "largest": plain(self.largest),
            "rest": plain(self.rest),
            "entropy": plain(self.entropy),
            "jacobian_norm": plain(self.jacobian_norm),
            "places": self.places,
            "formats": {name: format_data(held) for name, held in self.formats.items()},
            "blocks": {name: format_data(held) for name, held in self.blocks.items()},
            "computed": {
                algorithm: {name: format_data(held) for name, held in by_format.items()}
                for algorithm, by_format in self.computed.items()
            },
        }


def format_data(held: Held) -> dict[str, Any]:
    """What a format holds, as plain data: numbers, and text for what JSON has no number for."""
    data: dict[str, Any] = {
        "weights": [w if abs(w) < float("inf") else str(w) for w in held.weights],
        "zeros": held.zeros,
        "one": held.one,
        "jacobian_zero": held.jacobian_zero,
    }
    if held.ulps is not None:
        data["ulps"] = [None if x is None else plain(x) for x in held.ulps]
    return data


def thresholds_json() -> dict[str, dict[str, str]]:
    """For each format the gaps of `THRESHOLDS`, to six digits."""
    return {
        name: {event: plain(t.decimal(form, 6)) for event, t in THRESHOLDS.items()} for name, form in FORMATS.items()
    }


def block_thresholds_json() -> dict[str, list[str]]:
    """For each format of blocks the gaps at which a weight vanishes beside the largest of its block, to six digits."""
    return {name: [plain(logarithm(x, 6)) for x in form.vanishing] for name, form in BLOCK_FORMATS.items()}


def find_saturated_rows(
    values: Valuation, *, digits: int = DIGITS, computed: Collection[str] = (), accumulate: str | None = None
) -> tuple[SaturatedRow, ...]:
    """Every row of every head's weights. `computed` names algorithms that are to be worked in every format too.

    Raises InputError where there are no weights, or an algorithm or format is unknown.
    """
    for algorithm in computed:
        choice("algorithm", algorithm, ALGORITHMS)
    if accumulate is not None:
        choice("format", accumulate, FORMATS)
    values = _with_weights(values)
    names = [s.name for s in values.program if s.role == "weights" and not isinstance(s.expression, WITHOUT_SOFTMAX)]
    if not names:
        raise InputError(Sentence("no_weights"))
    worked = {
        algorithm: {
            name: values.in_numbers(FloatNumbers(form, algorithm, FORMATS[accumulate] if accumulate else None))
            for name, form in FORMATS.items()
        }
        for algorithm in computed
    }
    return tuple(row for name in names for row in weights_rows(values, name, digits, worked))


def _with_weights(values: Valuation) -> Valuation:
    """The same with the weights that a calculation comes to without ever making them, block by block of keys."""
    made, names = [], {step.name for step in values.program}
    for step in values.program:
        match step.equals:
            case MatMul(args=(Softmax() as A, _)):
                symbol = MatrixSymbol(f"{step.symbol.name} weights", *A.shape)
                made.append(name_apart(Step("weights", symbol, A, step.part, members=step.members), names))
    if not made:
        return values
    program = replace(values.program, steps=(*values.program.steps, *made))
    return Valuation(program, values.inputs, values.sizes)


def weights_rows(
    values: Valuation,
    name: str,
    digits: int = DIGITS,
    worked: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    most: int | None = None,
) -> Iterator[SaturatedRow]:
    """The rows of one head's weights; `worked` are its steps by algorithm and format."""
    head = dict(values.program[name].members).get("head", 1)
    for i in range(values.exact[name].shape[0])[:most]:
        exact = WeightsRow(values, name, i, digits)
        if exact.undefined or not exact.shown:
            continue  # a row without keys
        computed = {
            algorithm: {key: _hold(exact, key, floats[name].values[i].tolist()) for key, floats in by_format.items()}
            for algorithm, by_format in worked.items()
        }
        yield SaturatedRow(head, i + 1, exact, computed)


def _hold(exact: WeightsRow, form: str, weights: Sequence[float]) -> Held:
    return Held(tuple(weights), exact.ulps(FORMATS[form], weights))
