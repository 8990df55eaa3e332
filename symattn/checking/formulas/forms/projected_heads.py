"""Multi-head attention of one sequence by its parts: W^O MultiHead(W^Q x, W^K x, W^V x), or (x W^Q, …) W^O of rows."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.inference import key_of
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_WORDS = frozenset(("multihead", "mha", "multiheadattention", "multiheadselfattention", "mhsa", "selfattention"))


def judge_projected_heads(statement: Statement, context: Context) -> Formula | None:
    """Weights all on the same side of the tokens, those of queries, keys and values in this order."""
    match statement.equals:
        case (f.Call(function, (f.Name() as tokens,)), f.Product((first, second))) if _plain(function) in _WORDS:
            pass
        case _:
            return None
    left = isinstance(second, f.Call)
    call, output = (second, first) if left else (first, second)
    if not isinstance(call, f.Call) or _plain(call.function) not in _WORDS or len(call.arguments) != 3:
        return None
    if _role(output) != "o" or [_projects(x, tokens, left) for x in call.arguments] != ["q", "k", "v"]:
        return None
    declared = context.once(collect).declared
    shapes = [
        declared.get(key_of(x), [(0, None)])[0][1] for x in (*_weights(call, left), output) if isinstance(x, f.Name)
    ]
    known = [shape for shape in shapes if shape is not None and len(shape) == 2]
    widths = {shape[1] if left else shape[0] for shape in known[:-1]} | {
        shape[0 if left else 1] for shape in known[-1:]
    }
    if len(known) == len(shapes) and len(widths) > 1:
        return None  # the declared shapes ask for the other side
    return conclude(statement, "holds", Sentence("formula.head"))


def _weights(call: f.Call, left: bool) -> list[f.Expression]:
    return [x.parts[0 if left else -1] for x in call.arguments]


def _plain(function: str) -> str:
    return function.lower().replace("-", "").replace(" ", "")


def _role(e: f.Expression) -> str:
    """q of W^Q or W_Q, o of W^O."""
    marks = (*e.sub, *e.sup) if isinstance(e, f.Name) and e.base == "W" else ()
    return marks[0].lower() if len(marks) == 1 else ""


def _projects(e: f.Expression, tokens: f.Name, left: bool) -> str:
    """Of what the tokens are projected by weights on their left, or on their right; "" of anything else."""
    if not isinstance(e, f.Product) or len(e.factors) != 2:
        return ""
    weights, x = e.factors if left else e.factors[::-1]
    return _role(weights) if isinstance(x, f.Name) and x.symbol == tokens.symbol else ""
