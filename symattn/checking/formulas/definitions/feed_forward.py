"""Feed-forward layers, `FFN(x) = max(0, x W_1 + b_1) W_2 + b_2`, gated or not, and the shapes of their weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from symattn.checking.formulas.definitions.roles import as_latex
from symattn.checking.formulas.shapes.layer_weights import UNLIKELY, Layer, price_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Key, Reading, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor, largest
from symattn.writing.prose import Sentence


def define_feedforward(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`FFN(x) = max(0, x W_1 + b_1) W_2 + b_2` and `W_d [SiLU(W_g x) ⊙ (W_u x)]`, in rows and in columns."""
    if not isinstance(left, f.Call) or not left.arguments or not isinstance(left.arguments[0], f.Name):
        return
    called = _PLAIN.sub("", left.function)
    called = _GATED.sub(r"\1", called)  # FFN_SwiGLU
    if called not in (*_LAYERS, *_GATES, "mlp", "f"):
        return
    x = (left.arguments[0].base, left.arguments[0].sub, left.arguments[0].sup)
    gated_side = rewrite(side.expression, _gates_by_entry)
    side = replace(side, expression=rewrite(gated_side, _as_usual))
    plain = side.expression == gated_side and called != "f"  # else it may be another layer, which is no fault
    printed = _part_from(x, side.expression)
    used = list(dict.fromkeys(n.symbol for n in names(printed)))
    matrices = [key for key in used if key[0].isupper() and key != x]
    shifts = [key for key in used if key[0] == "b" and key != x]
    by_name = called in _GATES
    gated = any(isinstance(p, f.Elementwise) for p in f.walk(printed))
    if (by_name or len(matrices) == 3) and not gated:  # the star of `SiLU(W_g x) * (W_u x)`
        side = replace(side, expression=rewrite(side.expression, _star_by_entry))
        printed = _part_from(x, side.expression)
        gated = any(isinstance(p, f.Elementwise) for p in f.walk(printed))
    open_ended = gated and len(matrices) == 2 and by_name
    activation = _activation(printed)
    if activation is None or len(matrices) != (3 if gated and not open_ended else 2):
        return
    if len(shifts) > (0 if gated else 2):
        return
    if len(matrices) + len(shifts) + 1 != len(used):
        return
    if isinstance(printed, f.Sum) and any(t == left.arguments[0] for t in printed.terms):
        return  # with the residual connection
    settled = called in _LAYERS and all(key[0] == "W" for key in matrices)
    stored = frozenset(p.operand for p in f.walk(printed) if isinstance(p, f.Transpose))
    turned = frozenset(n.symbol for n in stored if isinstance(n, f.Name))
    numbered = all("".join((*key[1], *key[2])).isdigit() for key in matrices)
    first = tuple(sorted(matrices)) if numbered else tuple(matrices)
    priced: dict[tuple[int, bool], float] = {}  # of the orders of the weights, and of rows and columns
    variants: list[Variant] = []
    for k, order in enumerate(permutations(matrices)):
        back = order[-1:] if len(order) > 1 + gated else ()
        layer = Layer(x, order[: len(order) - len(back)], back, shifts, turned)
        priced |= {(k, rows): price_of(layer, rows, statement, context) for rows in (True, False)}
        question = Question(
            _layer(x, order, shifts, activation, gated, turned),
            _fill(x, order, shifts, gated, turned),
            readings=[Reading(), Reading(False, False)],
            place=lambda scope, printed: _placed(x, printed, gated and by_name),
        )
        usual = _usual_layer(x, matrices, shifts, activation) if plain and settled and not gated else ""
        usual = _usual_gate(x, matrices, printed) if plain and gated and len(matrices) == 3 else usual
        theorem = Sentence("formula.gated" if gated else "formula.ffn")
        variants.append(Variant(question, theorem, repairs=plain and order == first, usual=usual, shapes=True))
    least = min(priced.values())
    if least >= UNLIKELY:
        return  # whose weights fit one another under no reading, as these shapes are stated
    dear = [(k, rows) for (k, rows), price in priced.items() if price > least]
    if any(variants[k].question.holds_under(Reading(rows, rows), side.expression) for k, rows in dear):
        return  # it is that layer, with weights that the article states to stand the other way
    yield from variants


_PLAIN = regex(r"[-_ ]|neural|network|layer|position-?wise")
_LAYERS = ("ffn", "feedforward")
_GATES = ("swiglu", "geglu", "reglu", "glu")
_GATED = regex(rf"^(?:ffn|mlp|feedforward)({'|'.join(_GATES)})$")
_ANY = frozenset(("f", "g", "φ", "act", "act_fn", "activation"))  # what an activation is called, whichever it is


def _as_usual(part: f.Expression) -> f.Expression:
    """Without dropout, which changes nothing on the average; an activation that may be any is taken for GELU."""
    match part:
        case f.Call("dropout", (inside, *_)):
            return inside
        case f.Call(function, (_,)) if function in _ANY:
            return replace(part, function="gelu")
    return part


def _star_by_entry(part: f.Expression) -> f.Expression:
    """`(x W_1) * σ(x W_2)`, entry by entry."""
    if isinstance(part, f.Product) and part.operators and set(part.operators) <= {"*", "×", "·"}:
        return f.Elementwise(part.factors, start=part.start, end=part.end)
    return part


def _placed(x: Key, e: f.Expression, starred: bool) -> f.Expression:
    e = rewrite(rewrite(e, _gates_by_entry), _as_usual)
    return _part_from(x, rewrite(e, _star_by_entry) if starred else e)


def _usual_layer(x: Key, matrices: Sequence[Key], shifts: Sequence[Key], activation: str) -> str:
    """The layer in the article's letters, tokens in rows."""
    first, last = (f"{key[0]}_{key[1][0]}" if key[1] else key[0] for key in sorted(matrices))
    added = [f" + {key[0]}_{key[1][0]}" if key[1] else f" + {key[0]}" for key in sorted(shifts)] + ["", ""]
    inside = f"{spell(x)} {first}{added[0]}"
    hidden = rf"\max(0, {inside})" if activation == "relu" else rf"\text{{{activation}}}({inside})"
    return f"{hidden} {last}{added[1]}"


def _usual_gate(x: Key, matrices: Sequence[Key], printed: f.Expression) -> str:
    """The gated layer in the article's letters, tokens in rows; nothing where another factor is gated than is usual."""
    gates = [part for part in f.walk(printed) if isinstance(part, f.Elementwise)]
    calls = [part for part in f.walk(printed) if isinstance(part, f.Call) and len(part.arguments) == 1]
    turned = any(isinstance(part, f.Transpose) for part in f.walk(printed))
    if len(gates) != 1 or len(calls) != 1 or turned or not isinstance(printed, f.Product):
        return ""
    first = [key for key in matrices if key in {n.symbol for n in names(calls[0])}]
    inside = [key for key in matrices if key in {n.symbol for n in names(gates[0])} and key not in first]
    last = [key for key in matrices if key not in (*first, *inside)]
    if not len(first) == len(inside) == len(last) == 1:
        return ""
    gate, up, down = map(as_latex, (*first, *inside, *last))
    called = {"relu": "ReLU", "gelu": "GELU", "silu": "SiLU", "swish": "Swish"}.get(calls[0].function, "σ")
    return rf"\left(\text{{{called}}}({spell(x)} {gate}) \odot {spell(x)} {up}\right) {down}"


def _part_from(x: Key, e: f.Expression) -> f.Expression:
    """`xW_1` of a plain text, read as one word, as the product that it is."""

    def parted(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Name) and re.fullmatch(re.escape(x[0]) + "[A-Z]", part.base):
            return f.Product((f.Name(x[0]), f.Name(part.base[1:], part.sub)), ("",), start=part.start, end=part.end)
        if isinstance(part, f.Name) and len(part.sub) == 1 and re.fullmatch(r"\d" + re.escape(x[0]), part.sub[0]):
            weight = f.Name(part.base, (part.sub[0][0],))
            return f.Product((weight, f.Name(x[0])), ("",), start=part.start, end=part.end)  # W_1x
        return part

    return rewrite(e, parted) if not x[1] and len(x[0]) == 1 else e


def _activation(e: f.Expression) -> str | None:
    found = [p for p in f.walk(e) if isinstance(p, f.Call)]
    names_of = {"max": "relu", "swish": "silu", "sigma": "sigmoid", "σ": "sigmoid"}
    known = list({names_of.get(p.function, p.function) for p in found})
    return known[0] if len(known) == 1 and known[0] in ("relu", "gelu", "silu", "sigmoid", "tanh") else None


def _gates_by_entry(part: f.Expression) -> f.Expression:
    """Swish(xW) ⊗ xV: between gates ⊗ stands for ⊙, and what is multiplied beside it comes first."""
    if not isinstance(part, f.Product) or "⊗" not in part.operators or set(part.operators) - {"⊗", ""}:
        return part
    groups: list[list[f.Expression]] = [[part.factors[0]]]
    for operator, factor in zip(part.operators, part.factors[1:], strict=True):
        if operator:
            groups.append([])
        groups[-1].append(factor)
    made = (g[0] if len(g) == 1 else f.Product(tuple(g), ("",) * (len(g) - 1)) for g in groups)
    return f.Elementwise(tuple(made), start=part.start, end=part.end)


def _fill(  # type: ignore[no-untyped-def]
    x: Key, order: Sequence[Key], shifts: Sequence[Key], gated: bool, turned: frozenset[Key]
):
    """Weights that stand transposed in the formula are kept so, outputs by inputs."""
    shapes = ((4, 5), (4, 5), (5, 3))[: len(order)] if gated else ((4, 5), (5, 3))

    def prepare(scope: Scope) -> None:
        of_shifts = zip(shifts, ((1, 5), (1, 3)), strict=False)
        for key, shape in ((x, (1, 4)), *zip(order, shapes, strict=True), *of_shifts):
            scope.give(key, shape, turned=scope.reading.rows == (key in turned))

    return prepare


def _layer(  # type: ignore[no-untyped-def]
    x: Key, order: Sequence[Key], shifts: Sequence[Key], activation: str, gated: bool, turned: frozenset[Key]
):
    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        rows = evaluator.scope.reading.rows
        scope = evaluator.scope
        given = {key: t if rows == (key not in turned) else t.turned() for key, t in scope.given.items()}
        token, weights = given[x], [given[key] for key in order]
        inside = token @ weights[0]
        if shifts:
            inside = inside + given[shifts[0]]
        hidden = largest(inside, Tensor.number(0)) if activation == "relu" else inside.apply(activation)
        if gated:
            hidden = hidden * (token @ weights[1])
        found = hidden if gated and len(weights) == 2 else hidden @ weights[-1]
        if len(shifts) == 2:
            found = found + given[shifts[1]]
        return found if rows else found.turned()

    return value
