"""Functions for which the field has two conventions: who keeps to the other one throughout is not wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from symattn.checking.naming import rewrite
from symattn.reading import formula as f

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
    called = {part.function for part in f.walk(expression) if isinstance(part, f.Call)}
    for name in sorted(called & _OTHERS.keys()):
        for other in _OTHERS[name]:
            yield rewrite(expression, lambda part, name=name, other=other: _called(part, name, other))  # type: ignore[misc]


def _called(part: f.Expression, name: str, other: str) -> f.Expression:
    return replace(part, function=other) if isinstance(part, f.Call) and part.function == name else part
