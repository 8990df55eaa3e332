"""Several heads, what one head is, and grouped heads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.definitions.roles import SHARED, as_latex, of_role, role_of
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
from symattn.values.tensors import Tensor, join
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
        return None if e.base == "W" else (e.symbol,)
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
    if re.fullmatch(r"g|g\(\w\)", key.sub[0]):
        return None  # the group of head i, which another line gives
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
