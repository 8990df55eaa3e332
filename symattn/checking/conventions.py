"""Functions for which the field has two conventions: who keeps to the other one throughout is not wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from symattn.checking.environment import Environment
from symattn.checking.evaluation import NoValueError
from symattn.checking.findings import Place
from symattn.checking.naming import rewrite
from symattn.checking.orientation import turn_to_rows
from symattn.checking.verdicts import Definition, Judge, Judgement, Printed, define
from symattn.reading import formula as f

_SOUND = ("exact", "rounded", "truncated", "intermediate", "input-rounding")

_OTHERS: Mapping[str, tuple[str, ...]] = {
    "gelu": ("gelu_tanh",),
    "sigma": ("std", "std_sample"),
    "var": ("var_sample",),
    "std": ("std_sample",),
    "layernorm": ("layernorm_sample",),
    "log": ("log2", "log10"),
}


def others(expression: f.Expression) -> Iterator[f.Expression]:
    """The same formula by the other convention of a function in it: the tanh form of GELU, n − 1 below a variance."""
    turned = rewrite(expression, turn_to_rows)
    if turned is not expression:
        yield turned
    called = {part.function for part in f.walk(expression) if isinstance(part, f.Call)}
    for name in sorted(called & _OTHERS.keys()):
        for other in _OTHERS[name]:
            yield rewrite(expression, lambda part, name=name, other=other: _called(part, name, other))  # type: ignore[misc]


def _called(part: f.Expression, name: str, other: str) -> f.Expression:
    return replace(part, function=other) if isinstance(part, f.Call) and part.function == name else part


def is_sound(found: Mapping[Place, Judgement]) -> bool:
    """Whether no number is wrong, or carried, or off in its last digit."""
    return all(judgement.verdict in _SOUND for judgement in found.values())


def judge_by_others(
    printed: Printed, definition: Definition, environment: Environment
) -> dict[Place, Judgement] | None:
    """The verdicts if a function is taken by its other convention, where nothing is wrong then."""
    for expression in others(definition.expression):
        try:
            other = define(expression, environment)
        except NoValueError:
            continue
        if other.true.shape == printed.shape and is_sound(found := Judge(printed, [other], environment, None).judge()):
            return found
    return None
