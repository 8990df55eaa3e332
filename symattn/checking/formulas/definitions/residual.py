"""Where the norm stands: Post-LN is LayerNorm(x + Sublayer(x)), Pre-LN x + Sublayer(LayerNorm(x))."""

from __future__ import annotations

import re
from collections.abc import Callable

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_NORMS = frozenset(["layernorm", "norm", "ln", "rmsnorm", "rms", "layernormalization"])
_POST = regex(r"(?<!res-)(?<!res)\bpost[-\s]*(?:ln|norm|layer\s*norm)\w*|后归一化|后置归一化", re.I)
_PRE = regex(r"\bpre[-\s]*(?:ln|norm|layer\s*norm)\w*|前归一化|前置归一化|预归一化", re.I)
_NEAR = 90  # characters in front that say which of the two it is


def judge_residual(statement: Statement, context: Context) -> Formula | None:
    """Whether the norm stands where Pre-LN or Post-LN has it: as the article says, else as either has it."""
    kind = _kind(statement)
    side = statement.chain.sides[-1]
    plain = rewrite(rewrite(side.expression, numbered_layer(statement.passage.text)), _without_dropout)
    form = _form(plain)
    if form is None:
        return _of_two(statement, plain) or _without_norm(statement, plain)
    found, x, norm, sublayer = form
    known = isinstance(sublayer, f.Name) or sublayer.function in _SUBLAYERS
    if found == "apart" and not known and not (kind and _is_labelled(statement, kind)):
        return None  # LN(x) + F(x), which may be a step of its own
    if found == "outside" and (
        _ON_BRANCHES.search(statement.before[-_NEAR:]) or (not kind and context.mentions(_ON_BRANCHES))
    ):
        return None
    if kind is None and found == "outside" and _is_add_and_norm(statement, context):
        kind = "post"
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
    if isinstance(sublayer, f.Name):
        made = f"{words['norm']}({token} + {words['sublayer']})"
    elif found == "apart" and len(sublayer.arguments) == 3:
        inside = ", ".join(statement.printed(a).strip() for a in sublayer.arguments)
        made = f"{words['norm']}({token} + {words['sublayer']}({inside}))"
    elif meant == "pre":
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


_ADD_AND_NORM = regex(
    r"残差连接[与和及、]\s*层?归一化|殘差連接[與和]\s*層?正規化|add(?:ition)? (?:&|and) (?:layer )?norm"
    r"|residual connections? (?:&|and) layer normali[sz]ation|残差接続と層正規化|잔차 연결과 층 정규화",
    re.IGNORECASE,
)
_LATER = regex(  # where norms stand on the branches
    r"\bOLMo|\bSwin|\bGemma|\bCogView|sandwich|peri-?LN|res-?post|\bpre-?(?:ln|norm)|post-?(?:ln|norm)|DeepNorm", re.I
)


_ON_BRANCHES = regex(
    r"\bOLMo|\bSwin\W?(?:transformer\W)?v?2|\bGemma\W?[2-9]|\bCogView|sandwich|peri-?LN|res-?post", re.IGNORECASE
)


def _is_add_and_norm(statement: Statement, context: Context) -> bool:
    """Whether it is said to be the step "Add & Norm", in an article that knows of no other places of the norm."""
    return _ADD_AND_NORM.search(statement.before[-_NEAR:]) is not None and not context.mentions(_LATER)


def _without_dropout(part: f.Expression) -> f.Expression:
    dropped = isinstance(part, f.Call) and part.function == "dropout" and len(part.arguments) == 1
    return part.arguments[0] if dropped and isinstance(part, f.Call) else part


def numbered_layer(text: str) -> Callable[[f.Expression], f.Expression]:
    """A function of the layer with its number, F_l(x), which is read as a product."""

    def applied(part: f.Expression) -> f.Expression:
        match part:
            case f.Product((f.Name("F" | "f" | "G" | "g" as base, (_,) as number, ()) as name, of), ("",)):
                between = text[name.end : of.start] if isinstance(of, f.Name) else text[name.end :]
                if between.strip().removeprefix("\\left").lstrip().startswith("("):
                    return f.Call(base, (of,), number, start=part.start, end=part.end)
        return part

    return applied


def _of_two(statement: Statement, e: f.Expression) -> Formula | None:
    """x + norm(attention(…) + ffn(x)): each sublayer has a residual connection and a norm of its own."""
    for _, call in _pairs(e):
        if isinstance(call, f.Call) and call.function in _NORMS and len(call.arguments) == 1:
            both = [(a, b) for a, b in _pairs(call.arguments[0]) if isinstance(a, f.Call) and isinstance(b, f.Call)]
            kinds = [{a.function, b.function} for a, b in both if isinstance(a, f.Call) and isinstance(b, f.Call)]
            if any(kind & {"attention", "selfattention", "multihead"} and kind & _NETWORKS for kind in kinds):
                return refuse(statement, Sentence("formula.two_sublayers"))
    return None


_NETWORKS = frozenset(["ffn", "feedforward", "mlp"])
_RESIDUAL = regex(r"residual|残差|殘差|잔차|残差接続|résidue|residuelle|остаточн", re.IGNORECASE)


def _without_norm(statement: Statement, e: f.Expression) -> Formula | None:
    """x_{l+1} = x_l + F(x_l), of what is called a residual connection."""
    left = statement.left
    if len(statement.equals) != 2 or not isinstance(left, f.Name | f.Call):
        return None
    for x, call in _pairs(e):
        alone = isinstance(x, f.Name) and isinstance(call, f.Call) and call.arguments == (x,)
        layer = isinstance(call, f.Call) and call.function in _LAYERS
        named = isinstance(left, f.Name) and isinstance(x, f.Name) and left.base in (x.base, "y", "Y") and left != x
        if alone and layer and named and _RESIDUAL.search(statement.before + statement.after):
            return conclude(statement, "holds", Sentence("formula.residual"))
    return None


_SUBLAYERS = frozenset(["sublayer", "attention", "selfattention", "multihead", "mha", "ffn", "feedforward", "mlp"])
_LAYERS = _SUBLAYERS | {"layer", "block", "f", "F", "g", "G"}
_MARKS = r"[\s:：*|`$()（）=—–#/\\\[-]{0,15}"
_BESIDE = regex(rf"(?:[ ]\w+){{0,2}}{_MARKS}(?:[(（][^()（）\n]{{0,60}}[)）])?{_MARKS}")


def _is_labelled(statement: Statement, kind: str) -> bool:
    """Whether the formula stands right behind the words that say which it is, `Pre-LN: $…$`."""
    ends = [m.end() for m in (_PRE if kind == "pre" else _POST).finditer(statement.before)]
    return bool(ends) and _BESIDE.fullmatch(statement.before[ends[-1] :]) is not None


def _form(e: f.Expression) -> tuple[str, f.Expression, f.Call, f.Call | f.Name] | None:
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
            case f.Call(outer, (f.Name(base) as inside,)) if outer in _NORMS and x != inside and isinstance(x, f.Name):
                if base.lower() in _RESULTS:
                    return "outside", x, other, inside
            case f.Call(function, _) if isinstance(x, f.Call) and x.function in _NORMS and function in _LAYERS:
                token = x.arguments[0]
                own = _is_of(other, token) or [a.base for a in other.arguments if isinstance(a, f.Name)] == [
                    "Q",
                    "K",
                    "V",
                ]
                if isinstance(token, f.Name) and own:
                    return "apart", token, x, other
    return None


_RESULTS = frozenset(["output", "out", "attn", "sublayer", "attention", "attention_output"])


def _pairs(e: f.Expression) -> list[tuple[f.Expression, f.Expression]]:
    """The two terms of a sum, in both orders."""
    if not isinstance(e, f.Sum) or e.signs != (1, 1):
        return []
    first, second = e.terms
    return [(first, second), (second, first)]


def _is_of(call: f.Call, x: f.Expression) -> bool:
    return bool(call.arguments) and all(argument == x for argument in call.arguments)


def _opening(call: f.Call | f.Name, text: str) -> str:
    """The name of a function as it is printed."""
    if isinstance(call, f.Name):
        return text[call.start : call.end].strip()
    return text[call.start : text.index("(", call.start)].rstrip()
