"""Gated units of two named streams: SwiGLU(x) = X_a ⊗ SiLU(X_b) with X_a = W_a x and X_b = W_b x."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_GATES = {"swiglu": ("silu", "swish"), "geglu": ("gelu",), "glu": ("σ", "sigmoid"), "reglu": ("relu",)}


def judge_gated_streams(statement: Statement, context: Context) -> Formula | None:
    """One stream is gated by the activation of the other, where lines say that both are the input times weights."""
    match statement.equals:
        case (
            f.Call(function, (f.Name() as x,)),
            f.Product((one, other), ("⊗" | "*" | "·",)) | f.Elementwise((one, other)),
        ):
            gates = _GATES.get(function)
        case _:
            return None
    if gates is None:
        return None
    for stream, call in ((one, other), (other, one)):
        match stream, call:
            case f.Name(), f.Call(gate, (f.Name() as inside,)) if gate in gates:
                weights = [_weights_of(name, x, context) for name in (stream, inside)]
                if None not in weights and weights[0] != weights[1]:
                    return accept(statement, Sentence("formula.gated_streams"))
    return None


def _weights_of(stream: f.Name, x: f.Name, context: Context) -> f.Name | None:
    """The weights by which a line makes a stream of the input."""
    for each in context.statements:
        if each.left == stream and len(each.equals) > 1 and isinstance(each.equals[1], f.Product):
            match each.equals[1].factors:
                case (f.Name("W" | "V" | "U") as weights, other) if other == x:
                    return weights
                case (other, f.Name("W" | "V" | "U") as weights) if other == x:
                    return weights
    return None
