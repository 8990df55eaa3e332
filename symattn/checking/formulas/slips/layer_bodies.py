"""Bodies of layers that are none: two weights with no activation between them, dropout that adds noise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_NETWORKS = frozenset(["ffn", "ffnn", "feedforward", "mlp", "fnn", "positionwiseffn"])
_GAUSSIAN = regex(r"gauss|高斯|alpha[- ]?dropout", re.IGNORECASE)
_ACTIVATIONS = frozenset(["relu", "gelu", "sigmoid", "σ", "tanh", "silu", "swish", "f", "act", "activation", "φ"])


def judge_layer_body(statement: Statement, context: Context) -> Formula | None:
    """`FFN(x) = ReLU(W_2 W_1 x + b_2) + b_1`, `Dropout(x) = (1 - p) x + p noise`."""
    match statement.equals:
        case (f.Call(function, (f.Name() as x,)), side) if function in _NETWORKS:
            return _of_network(statement, x, side)
        case (f.Call("layernorm", (f.Name(),)), f.Product((f.Quotient(f.Sum((_, _), (1, -1))), factor))):
            if _is_of_size(factor):
                right = statement.with_text("", factor).rstrip()
                return refuse(statement, Sentence("formula.layernorm"), right)
        case (f.Call("dropout", (f.Name() as x,)), f.Sum() as side):
            noise = any(isinstance(part, f.Name) and part.base.lower() in ("noise", "ε", "z") for part in f.walk(side))
            p = next((part for part in f.walk(side) if isinstance(part, f.Name) and part.base in ("p", "r")), None)
            if noise and p is not None and x in f.walk(side) and not context.mentions(_GAUSSIAN):
                rate, printed = p.base, statement.printed(x).strip()
                right = rf"{statement.printed(statement.sides[0]).strip()} = m ⊙ {printed} / (1 - {rate})"
                return refuse(statement, Sentence("formula.dropout"), right)
    return None


def _is_of_size(e: f.Expression) -> bool:
    """Whether it is √(1/T) or 1/√T of a number of things: what is normalised has the deviation 1, not this one."""
    match e:
        case f.Root(f.Quotient(f.Number("1"), f.Name(base, (), ()))) | f.Quotient(
            f.Number("1"), f.Root(f.Name(base, (), ()))
        ):
            return base in ("T", "N", "d", "D", "H")
    return False


def _of_network(statement: Statement, x: f.Name, side: f.Expression) -> Formula | None:
    """Both weights within the one activation, so that they are one linear map."""
    outside = list(side.terms) if isinstance(side, f.Sum) else [side]
    calls = [term for term in outside if isinstance(term, f.Call) and term.function in _ACTIVATIONS]
    others = [term for term in outside if term not in calls]
    if len(calls) != 1 or not others or not all(isinstance(term, f.Name) and term.base == "b" for term in others):
        return None
    parts = [part for argument in calls[0].arguments for part in f.walk(argument)]
    if any(isinstance(part, f.Call) and part.function in _ACTIVATIONS for part in parts) or x not in parts:
        return None
    weights = list(_weights(parts))
    if len(set(weights)) != 2 or not any(isinstance(part, f.Product) for part in parts):
        return None
    return refuse(statement, Sentence("formula.no_activation_between"))


def _weights(parts: list[f.Expression]) -> Iterator[str]:
    """The weights among the parts, W_1 or weight1(x)."""
    for part in parts:
        if isinstance(part, f.Name) and part.base in ("W", "weight", "w") and (part.sub or part.sup):
            yield "".join((*part.sub, *part.sup))
        if isinstance(part, f.Call) and part.function.rstrip("0123456789") in ("weight", "w"):
            yield part.function.removeprefix("weight").removeprefix("w")
