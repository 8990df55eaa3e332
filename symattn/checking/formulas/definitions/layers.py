"""Layers: several heads, what one head is, grouped heads, and the feed-forward layers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.definitions.roles import SHARED, as_latex, of_role, role_of
from symattn.checking.formulas.shapes.layer_weights import UNLIKELY, Layer, price_of
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.functions import attend
from symattn.checking.formulas.trials.indices import Indices, read_index
from symattn.checking.formulas.trials.notation import find_readings, find_shapes
from symattn.checking.formulas.trials.symbols import Key, NotSettledError, Reading, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.tensors import Tensor, join, largest
from symattn.writing.prose import Sentence

_NAMED = ("multihead", "multiheadattention", "multiheadselfattention")
_MULTIHEAD = frozenset((*_NAMED, "mha", "mhsa", "msa", "gqa", "mqa"))


def define_multihead(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O`."""
    printed = rewrite(side.expression, _as_heads)
    calls = [p for p in f.walk(printed) if isinstance(p, f.Call) and p.function == "concat"]
    output = [n for n in names(printed) if n.base == "W"]
    if len(calls) != 1 or len(output) != 1 or not isinstance(calls[0].arguments[0], f.Name):
        return
    word = left.function if isinstance(left, f.Call) else left.base.lower() if isinstance(left, f.Name) else ""
    labels = {mark.strip("()").lower() for mark in (*output[0].sub, *output[0].sup)}
    if word.replace("-", "") not in _MULTIHEAD and labels.isdisjoint(("o", "out", "output")):
        return
    head = calls[0].arguments[0]
    weight = output[0].symbol
    declared = context.once(find_shapes).get(weight, ())
    high = ["h*" in axis for axis in declared]  # where the axis as wide as all heads is: first for tokens in rows
    stands = high[0] if sorted(high) == [False, True] else None

    def prepare(scope: Scope) -> None:
        heads, width = scope.size("h"), scope.size("d_v")
        rows = scope.reading.rows
        for k in range(1, heads + 1):
            drawn = scope.draw(("head", k), (3, width))
            scope.given[head.base, (str(k), *head.sub[1:]), head.sup] = drawn if rows else drawn.turned()
        drawn = scope.draw(weight, (heads * width, scope.size("d_model")))
        scope.given[weight] = drawn if (rows if stands is None else stands) else drawn.turned()

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        scope = evaluator.scope
        rows = scope.reading.rows
        parts = [scope.draw(("head", k), (3, scope.size("d_v"))) for k in range(1, scope.size("h") + 1)]
        found = join(parts, 1) @ scope.draw(weight, (scope.size("h") * scope.size("d_v"), scope.size("d_model")))
        return found if rows else found.turned()

    plain = [Reading(), Reading(False, False)] if _is_vector(head, context) else _plain(context)
    readings = [r for r in plain if stands is None or r.rows == stands] or plain
    turned = any(isinstance(part, f.Transpose) for part in f.walk(side.expression))
    question = Question(
        value,
        prepare,
        readings=plain if turned else readings,
        place=lambda scope, side: rewrite(side, _as_heads),
    )
    yield Variant(question, Sentence("formula.multihead"))


def _is_vector(head: f.Name, context: Context) -> bool:
    """Whether a head is the small letter of one token, o_{t,i}, which is a column beside matrices of rows as well."""
    columns = not any(reading.rows for reading in find_readings(context))
    return len(head.base) == 1 and head.base.islower() and not columns


def _as_heads(part: f.Expression) -> f.Expression:
    """`[o_{t,1}; …; o_{t,h}]`, `Concat[H_1, …, H_h]` and a bare `Concat` as Concat(o_1, …, o_h)."""
    if isinstance(part, f.Name) and part.base in ("Concat", "concat") and not part.sub and not part.sup:
        joined: tuple[f.Expression, ...] = (f.Name("head", ("1",)), f.Dots(), f.Name("head", ("h",)))
        return f.Call("concat", joined, start=part.start, end=part.end)
    if isinstance(part, f.Call) and part.function == "concat" and len(part.arguments) == 1:
        part = part.arguments[0]
    cells = _cells(part)
    heads = [x for x in cells if isinstance(x, f.Name) and x.sub]
    if len(heads) < 2 or not isinstance(cells[-1], f.Name) or cells[0] is not heads[0]:
        return part
    if len({(x.base, x.sub[:-1], x.sup) for x in heads}) != 1 or heads[0].sub[-1] not in ("1", "i"):
        return part
    if len(heads) != len([x for x in cells if not isinstance(x, f.Dots)]):
        return part
    made = (replace(x, sub=x.sub[-1:]) if isinstance(x, f.Name) else x for x in cells)
    return f.Call("concat", tuple(made), start=part.start, end=part.end)


def _cells(e: f.Expression) -> tuple[f.Expression, ...]:
    """What is joined, or the cells of one row or column in brackets."""
    if isinstance(e, f.Call) and e.function == "concat":
        return e.arguments
    if isinstance(e, f.Matrix) and len(e.rows) == 1:
        return e.rows[0]
    if isinstance(e, f.Matrix) and {len(row) for row in e.rows} == {1}:
        return tuple(row[0] for row in e.rows)
    return ()


def _plain(context: Context) -> Sequence[Reading]:
    """The readings that differ in rows and columns alone."""
    return [Reading(rows, rows) for rows in dict.fromkeys(r.rows for r in find_readings(context))]


_ATTENTIONS = ("attention", "attn", "sdpa", "dotproductattention", "scaleddotproductattention")


def _is_projecting(left: f.Expression, call: f.Expression) -> bool:
    """Whether another attention of Q, K and V is said to be this one of projections, f(Q, K, V) = g(QW, KW, VW)."""
    if not isinstance(left, f.Call) or not isinstance(call, f.Call) or left.function == call.function:
        return False
    whole = [a.base for a in left.arguments if isinstance(a, f.Name)] == ["Q", "K", "V"]
    return whole and left.function.startswith(_ATTENTIONS)


def define_head(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)`."""
    call = side.expression
    if _is_projecting(left, call):
        left = f.Name("head")
    if not isinstance(left, f.Name) or not left.base.lower().startswith(("head", "h", "头", "o", "z")):
        return
    if not isinstance(call, f.Call) or call.function not in _ATTENTIONS or len(call.arguments) != 3:
        return
    pieces = [_projected(x) for x in call.arguments]
    if None in pieces:
        return
    roles = [piece for piece in pieces if piece is not None]
    if not _carries(left, [symbol for piece in roles for symbol in piece]):
        return  # every head would be the same
    if len({_index_of(piece[-1]) for piece in roles} - {frozenset()}) > 1:
        return  # weights of several heads, or of a group
    shapes = {"q": (3, 2), "k": (4, 2), "v": (4, 5)}
    if any(role not in shapes for role in map(role_of, (piece[-1] for piece in roles))):
        return
    by_token, usual = {piece[0][0]: piece for piece in roles if len(piece) == 2}, ""
    if set(by_token) == set("QKV"):  # each of its own weights, whichever stand beside it
        weights = {role_of(piece[1]): piece[1] for piece in roles}
        if set(weights) != set(shapes):  # the same twice, as where a line was copied
            if context.mentions(SHARED):
                return
            weights = {letter.lower(): of_role(by_token[letter][1], letter) for letter in "QKV"}
            pieces_of = (f"{letter} {as_latex(weights[letter.lower()])}" for letter in "QKV")
            usual = rf"\text{{Attention}}({', '.join(pieces_of)})"
        roles = [(by_token[letter][0], weights[letter.lower()]) for letter in "QKV"]
    shared = len({piece[0] for piece in roles}) == 1 and len(roles[0]) == 2  # X W^Q, X W^K, X W^V

    def prepare(scope: Scope) -> None:
        rows = scope.reading.rows
        for piece in roles:
            for symbol, shape in zip(piece, _shapes(piece, shared), strict=True):
                drawn = scope.draw(symbol, shape)
                scope.given[symbol] = drawn if rows else drawn.turned()

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        scope = evaluator.scope
        made = {}
        for piece in roles:
            found = scope.draw(piece[0], _shapes(piece, shared)[0])
            if len(piece) == 2:
                found = found @ scope.draw(piece[1], _shapes(piece, shared)[1])
            made[role_of(piece[-1])] = found
        if set(made) != set(shapes):
            raise NotSettledError("roles")
        result = attend(made["q"], made["k"], made["v"], Scope.at(Reading()))
        return result if scope.reading.rows else result.turned()

    question = Question(value, prepare, readings=_plain(context), place=lambda _, e: _as_attention(e))
    yield Variant(question, Sentence("formula.head"), usual=usual)


def _as_attention(e: f.Expression) -> f.Expression:
    """SDPA(…) and the like as Attention(…)."""
    named = isinstance(e, f.Call) and e.function in _ATTENTIONS[1:]
    return replace(e, function="attention") if named and isinstance(e, f.Call) else e


def _carries(left: f.Name, symbols: Sequence[Key]) -> bool:
    """Whether the index of a head, `i` of `head_i`, stands at one of the symbols; true of a head without an index."""
    marks = {mark.strip("()") for mark in (*left.sub, *left.sup)}
    within = {mark.strip("()") for _, sub, sup in symbols for mark in (*sub, *sup)}
    return not marks or any(mark == inside or mark in inside.split(",") for mark in marks for inside in within)


def _index_of(symbol: Key) -> frozenset[str]:
    """The small letters below or above a symbol, which say of which head it is: i of W_i^Q."""
    marks = {mark.strip("()") for part in symbol[1:] for mark in part}
    return frozenset(mark for mark in marks if len(mark) == 1 and mark.islower() and mark not in "qkv")


def _shapes(piece: Sequence[Key], shared: bool) -> list[tuple[int, int]]:
    """Of the tokens and of the weights of a role; of the role alone where nothing projects it."""
    role = role_of(piece[-1])
    tokens, width = 3 if role == "q" or shared else 4, 5 if role == "v" else 2
    return [(tokens, width)] if len(piece) == 1 else [(tokens, 6), (6, width)]


def _projected(e: f.Expression) -> tuple[Key, ...] | None:
    """The tokens and the weights of `Q W_i^Q` or `W_i^Q Q`, or `Q_i` alone."""
    if isinstance(e, f.Name):
        return (e.symbol,)
    if not isinstance(e, f.Product) or len(e.factors) != 2:
        return None
    found = [x.operand if isinstance(x, f.Transpose) else x for x in e.factors]
    symbols = [x.symbol for x in found if isinstance(x, f.Name)]
    weights = [s for s in symbols if s[0] == "W"]
    tokens = [s for s in symbols if s[0] != "W"]
    return (tokens[0], weights[0]) if len(weights) == len(tokens) == 1 else None


# --- groups of heads


def judge_groups(statement: Statement, context: Context) -> Formula | None:
    """`head_i = Attention(Q_i, K_{⌊i g/h⌋}, V_{⌊i g/h⌋})`: h/g consecutive heads share a group."""
    call = statement.chain.sides[-1].expression
    if (grouped := _as_group(statement)) is not None and context.once(_has_groups):
        return _judge_group(*grouped, statement)
    if not isinstance(call, f.Call) or call.function != "attention" or len(call.arguments) != 3:
        return None
    query, key, value = call.arguments
    if not all(isinstance(x, f.Name) and len(x.sub) == 1 for x in call.arguments):
        return None
    assert isinstance(query, f.Name) and isinstance(key, f.Name) and isinstance(value, f.Name)
    if key.sub != value.sub or len(query.sub[0]) != 1 or key.sub == query.sub or "g" not in key.sub[0].lower():
        return None
    try:
        return _judge_group(read_index(key.sub[0]), query.sub[0], statement)
    except NotSettledError:
        return None


def _as_group(statement: Statement) -> tuple[f.Expression, str] | None:
    """The index of `g(i) = ⌊i g/h⌋` and its letter."""
    sides = statement.equals
    if len(sides) != 2 or not isinstance(sides[0], f.Call) or len(sides[0].arguments) != 1:
        return None
    [letter] = sides[0].arguments
    return (sides[1], letter.base) if isinstance(letter, f.Name) and len(letter.base) == 1 else None


def _has_groups(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether keys of a group are named, K_{g(i)}."""
    every = (n for s in statements for side in s.equals for n in names(side) if n.base == "K" and len(n.sub) == 1)
    return any(re.fullmatch(r"\w\(\w\)", name.sub[0]) for name in every)


def _judge_group(index: f.Expression, letter: str, statement: Statement) -> Formula | None:
    found = [_groups(index, letter, first, counted) for first in (0, 1) for counted in (True, False)]
    theorem = Sentence("formula.groups")
    if any(found):
        return conclude(statement, "holds", theorem)
    if None in found:
        return None
    shown = Counterexample((("h", "6"), ("g", "2")), statement.passage.text[index.start : index.end], "⌊i·g/h⌋")
    return refuse(statement, theorem, None, shown)


def _groups(expression: f.Expression, letter: str, first: int, counted: bool) -> bool | None:
    """Whether an index takes h heads, numbered from `first`, to g groups of consecutive ones; None if it is not read.

    g is how many groups there are, or if they are not `counted` how many heads are in one.
    """
    for heads, groups in ((6, 2), (6, 3), (8, 4)):
        scope = Scope.at(Reading())
        size = heads // groups
        try:
            for name in names(expression):
                own = groups if counted else size
                known = {"h": heads, "H": heads, "g": own, "G": own, "n": heads, "s": size}
                if name.base != letter:
                    scope.sizes[spell(name.symbol)] = (
                        known[name.base] if not name.sub else (groups if name.sub[0][:1] in "gk" else heads)
                    )
            for i in range(first, heads + first):
                if Evaluator(scope).value(expression, {letter: i}).whole() != (i - first) // size + first:
                    return False
        except (NotSettledError, KeyError):
            return None
    return True


# --- feed-forward


def define_feedforward(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`FFN(x) = max(0, x W_1 + b_1) W_2 + b_2` and `W_d [SiLU(W_g x) ⊙ (W_u x)]`, in rows and in columns."""
    if not isinstance(left, f.Call) or not left.arguments or not isinstance(left.arguments[0], f.Name):
        return
    if left.function.replace("-", "") not in ("ffn", "mlp", "feedforward", "swiglu", "geglu", "reglu", "glu", "f"):
        return
    x = (left.arguments[0].base, left.arguments[0].sub, left.arguments[0].sup)
    side = replace(side, expression=rewrite(side.expression, _gates_by_entry))
    printed = _part_from(x, side.expression)
    used = list(dict.fromkeys(n.symbol for n in names(printed)))
    matrices = [key for key in used if key[0].isupper() and key != x]
    shifts = [key for key in used if key[0] == "b" and key != x]
    by_name = left.function in ("swiglu", "geglu", "reglu", "glu")
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
    settled = left.function in ("ffn", "feedforward") and all(key[0] == "W" for key in matrices)
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
            place=lambda scope, printed: _placed(x, rewrite(printed, _gates_by_entry), gated and by_name),
        )
        usual = "" if gated or not settled else _usual_layer(x, matrices, shifts, activation)
        theorem = Sentence("formula.gated" if gated else "formula.ffn")
        variants.append(Variant(question, theorem, repairs=order == first, usual=usual, shapes=True))
    least = min(priced.values())
    if least >= UNLIKELY:
        return  # whose weights fit one another under no reading, as these shapes are stated
    dear = [(k, rows) for (k, rows), price in priced.items() if price > least]
    if any(variants[k].question.holds_under(Reading(rows, rows), side.expression) for k, rows in dear):
        return  # it is that layer, with weights that the article states to stand the other way
    yield from variants


def _star_by_entry(part: f.Expression) -> f.Expression:
    """`(x W_1) * σ(x W_2)`, entry by entry."""
    if isinstance(part, f.Product) and part.operators and set(part.operators) <= {"*", "×", "·"}:
        return f.Elementwise(part.factors, start=part.start, end=part.end)
    return part


def _placed(x: Key, e: f.Expression, starred: bool) -> f.Expression:
    return _part_from(x, rewrite(e, _star_by_entry) if starred else e)


def _usual_layer(x: Key, matrices: Sequence[Key], shifts: Sequence[Key], activation: str) -> str:
    """The layer in the article's letters, tokens in rows."""
    first, last = (f"{key[0]}_{key[1][0]}" if key[1] else key[0] for key in sorted(matrices))
    added = [f" + {key[0]}_{key[1][0]}" if key[1] else f" + {key[0]}" for key in sorted(shifts)] + ["", ""]
    inside = f"{spell(x)} {first}{added[0]}"
    hidden = rf"\max(0, {inside})" if activation == "relu" else rf"\text{{{activation}}}({inside})"
    return f"{hidden} {last}{added[1]}"


def _part_from(x: Key, e: f.Expression) -> f.Expression:
    """`xW_1` of a plain text, read as one word, as the product that it is."""

    def parted(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Name) and part.sub and re.fullmatch(re.escape(x[0]) + "[A-Z]", part.base):
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
