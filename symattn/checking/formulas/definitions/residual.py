"""Where the norm stands: Post-LN is LayerNorm(x + Sublayer(x)), Pre-LN x + Sublayer(LayerNorm(x))."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_NORMS = frozenset(["layernorm", "norm", "ln", "rmsnorm", "rms", "layernormalization"])
_POST = re.compile(r"(?<!res-)(?<!res)\bpost[-\s]*(?:ln|norm|layer\s*norm)\w*|后归一化|后置归一化", re.I)
_PRE = re.compile(r"\bpre[-\s]*(?:ln|norm|layer\s*norm)\w*|前归一化|前置归一化|预归一化", re.I)
_NEAR = 90  # characters in front that say which of the two it is


def judge_residual(statement: Statement, context: Context) -> Formula | None:
    """Whether the norm stands where Pre-LN or Post-LN has it: as the article says, else as either has it."""
    kind = _kind(statement)
    side = statement.chain.sides[-1]
    form = _form(side.expression)
    if form is None:
        return None
    found, x, norm, sublayer = form
    meant = kind or ("post" if found == "apart" else found)
    theorem = Sentence("formula.pre_norm" if meant == "pre" else "formula.post_norm")
    if found == meant and found != "outside":
        return conclude(statement, "holds", theorem)
    if kind is None and found == "outside":
        return None
    if found in ("pre", "post") and not (kind and _is_labelled(statement, kind)):
        return None
    text = statement.passage.text
    words = {key: _opening(call, text) for key, call in (("norm", norm), ("sublayer", sublayer))}
    token = statement.printed(x)
    if meant == "pre":
        made = f"{token} + {words['sublayer']}({words['norm']}({token}))"
    else:
        made = f"{words['norm']}({token} + {words['sublayer']}({token}))"
    return refuse(statement, theorem, statement.with_text(made, side))


def _kind(statement: Statement) -> str | None:
    """Pre or post, by the name of what is defined or the nearest words in front."""
    left = statement.chain.sides[0].expression
    if len(statement.chain.sides) > 1 and isinstance(left, f.Call | f.Name):
        word = left.function if isinstance(left, f.Call) else left.base
        if _POST.search(word) or _PRE.search(word):
            return "post" if _POST.search(word) else "pre"
    words = statement.before[-_NEAR:]
    last = {kind: max((m.end() for m in p.finditer(words)), default=-1) for kind, p in (("post", _POST), ("pre", _PRE))}
    if last["post"] == last["pre"]:
        return None
    return max(last, key=lambda kind: last[kind])


_MARKS = r"[\s:：*|`$()（）=—–#/-]{0,15}"
_BESIDE = re.compile(rf"(?:[ ]\w+){{0,2}}{_MARKS}(?:[(（][^()（）\n]{{0,40}}[)）])?{_MARKS}")


def _is_labelled(statement: Statement, kind: str) -> bool:
    """Whether the formula stands right behind the words that say which it is, `Pre-LN: $…$`."""
    ends = [m.end() for m in (_PRE if kind == "pre" else _POST).finditer(statement.before)]
    return bool(ends) and _BESIDE.fullmatch(statement.before[ends[-1] :]) is not None


def _form(e: f.Expression) -> tuple[str, f.Expression, f.Call, f.Call] | None:
    """post, pre, outside (x + norm(sublayer(x))) or apart (norm(x) + sublayer(x)), with the pieces."""
    if isinstance(e, f.Call) and e.function in _NORMS and len(e.arguments) == 1:
        for x, other in _pairs(e.arguments[0]):
            if isinstance(other, f.Call) and other.function not in _NORMS and _is_of(other, x):
                return "post", x, e, other
    for x, other in _pairs(e):
        match other:
            case f.Call(outer, (f.Call(inner, (y,)) as inside,)) if x == y and isinstance(x, f.Name):
                if inner in _NORMS and outer not in _NORMS:
                    return "pre", x, inside, other
                if outer in _NORMS and inner not in _NORMS:
                    return "outside", x, other, inside
            case f.Call(function, _) if isinstance(x, f.Call) and x.function in _NORMS and function in _SUBLAYERS:
                token = x.arguments[0]
                if isinstance(token, f.Name) and _is_of(other, token):
                    return "apart", token, x, other
    return None


_SUBLAYERS = frozenset(["sublayer", "attention", "selfattention", "multihead", "mha", "ffn", "feedforward", "mlp"])


def _pairs(e: f.Expression) -> list[tuple[f.Expression, f.Expression]]:
    """The two terms of a sum, in both orders."""
    if not isinstance(e, f.Sum) or e.signs != (1, 1):
        return []
    first, second = e.terms
    return [(first, second), (second, first)]


def _is_of(call: f.Call, x: f.Expression) -> bool:
    return bool(call.arguments) and all(argument == x for argument in call.arguments)


def _opening(call: f.Call, text: str) -> str:
    """The name of a function as it is printed."""
    return text[call.start : text.index("(", call.start)].rstrip()
