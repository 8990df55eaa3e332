"""Scores and projections: S = QKᵀ/√d_k, e_ij = q_i·k_j, Luong's and Bahdanau's scores of two states, Q = X W."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.definitions.attention import set_widths
from symattn.checking.formulas.definitions.named_scores import with_scores
from symattn.checking.formulas.definitions.roles import SHARED, as_latex, of_role
from symattn.checking.formulas.definitions.weights import averages_over, has_column_for_query
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.fitting import Fit, fit
from symattn.checking.formulas.shapes.inference import key_of
from symattn.checking.formulas.shapes.sizes import size_letter
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.statements.wording import near
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices, split_name
from symattn.checking.formulas.trials.notation import find_definitions, find_readings
from symattn.checking.formulas.trials.orientation import (
    count_orientations,
    has_queries_in_rows,
    pairs_in,
    speaks_of_channels,
)
from symattn.checking.formulas.trials.symbols import Key, NotSettledError, Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.letters import is_scale
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

_LATENT = regex(r"[UD](?:Q|K|V|KV)")  # of MLA's projections down to the latent, and up
_SCALES = ("root", "factor", "term", "sign")  # what scores are scaled by may be anything
_WIDTHS = frozenset(["d", "D", "k", "dim", "dk", "head_dim", "d_key"])
_SCORES = ("s", "e", "score", "scores", "logits", "attn_scores", "attention scores", "a", "z", "scaled scores")
_CALLED = (*_SCORES, "similarity", "α")


def define_scores(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side that multiplies queries by keys and nothing else."""
    scales = _scales_of_entry(left)
    if _is_of_two_vectors(left, side.expression):
        return
    left = _as_tile(_as_entry(left), side.expression)
    printed = side.expression
    if _has_stated_blocks(left, printed, statement, context):
        return
    if isinstance(left, f.Name) and (left.sub or _is_marked(left)):
        side = replace(side, expression=with_scores(printed, context))
    if not isinstance(left, f.Name) or not isinstance(side.expression, f.Product | f.Quotient | f.Call):
        return
    if has_column_for_query(side.expression, context):
        return
    if any(isinstance(each.expression, f.Number) for each in statement.sides):
        return  # one score, of vectors that may have any letters
    scale = scale_in(side.expression, context)
    found = _factors(left, side.expression, scale)
    if found is None:
        return
    (query, row), (key, column) = found
    letters: tuple[str, ...] = (row, column)
    turned = row and column and "".join(left.sub) == column + row
    if turned and (averages_over(1, context) or left.base in context.once(_find_queries_first)):
        return  # e_ij = q_j · k_i beside o_i = Σ_j a_ij v_j, or S = QKᵀ: which of the two lines is meant is open
    if scales:
        letters = tuple("".join(left.sub))  # of (QKᵀ)_ij the first is the query's, whatever is printed
        if sorted(letters) != sorted((row, column)):
            return
    free = {letter: range(1, n + 1) for letter, n in zip(letters, (3, 4), strict=True) if letter.isalpha()}
    single = query[0].isupper() and not row and bool(column)  # `Score_i = Q · K_i`: Q is the one query
    readings = tuple(each for each in find_readings(context) if each.rows or not scales)
    alone = query[0].islower()
    layouts = _layouts(readings, alone) if _is_matrix(query, row, statement, context) else [(readings, None)]
    for scaled in scales or (True, False):
        for crossed in (False,) if scales else (False, True):

            def prepare(scope: Scope) -> None:
                for symbol, rows in ((query, 1 if single else 3), (key, 4)):
                    vector = not (row if symbol == query else column)
                    alone = vector and symbol[0].islower() and symbol[0] in "qk"
                    upright = not (scope.reading.row_vectors if alone else scope.reading.rows)
                    scope.give(symbol, (1 if alone else rows, scope.size("d_k")), turned=upright)
                set_widths(scope, side.expression)
                give_scale(scale, scope)

            def value(evaluator: Evaluator, at: Indices, scaled: bool = scaled, crossed: bool = crossed) -> Tensor:
                scope = evaluator.scope
                q, k = (_rows(scope, symbol, at, letter) for symbol, letter in zip((query, key), letters, strict=True))
                scores = q @ k.turned()
                if scaled:
                    scores = scores * Tensor.number(scope.size("d_k")).raised(Fraction(-1, 2))
                return scores.turned() if crossed else scores

            for admitted, condition in layouts:
                question = Question(
                    value, prepare, lambda _: free, admitted, place=lambda _, e: with_scores(e, context)
                )
                repairs = left.base.lower() in _SCORES and not crossed and condition is None
                yield Variant(question, Sentence("formula.scores"), condition, repairs=repairs, without=_SCALES)


def _is_marked(left: f.Name) -> bool:
    """Whether a letter has a mark that tells it from the bare one, Ŝ, S̃ or S′."""
    accents = unicodedata.normalize("NFD", left.base)[1:]
    return (bool(accents) and all(map(unicodedata.combining, accents))) or left.sup == ("′",)


def _find_queries_first(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters of scores with a row for each query: S = QKᵀ, S_ij = q_i · k_j."""
    return frozenset(
        each.left.base
        for each in statements
        if isinstance(each.left, f.Name) and any(_has_queries_first(each.left, side) for side in each.equals[1:])
    )


def _has_queries_first(left: f.Name, side: f.Expression) -> bool:
    if not left.sub:
        return any(has_queries_in_rows(*pair) for pair in pairs_in(side))
    found = _factors(left, side, None) if isinstance(side, f.Product | f.Quotient) else None
    return found is not None and "".join(left.sub) == found[0][1] + found[1][1] != ""


def _layouts(readings: tuple[Reading, ...], alone: bool) -> list[tuple[tuple[Reading, ...], Sentence | None]]:
    """The readings with tokens in rows, and those with tokens in columns: a condition where both are admitted."""
    rows = tuple(each for each in readings if (each.row_vectors if alone else each.rows))
    columns = tuple(each for each in readings if each not in rows)
    if not rows or not columns or not any(each.rows for each in readings):
        return [(readings, None)]
    return [(rows, None), (columns, Sentence("formula.if_columns"))]


def _is_matrix(query: Key, row: str, statement: Statement, context: Context) -> bool:
    """Whether all queries are meant, Q, or the `q` of a program that turns axes, unless they are said to be columns."""
    in_program = statement.passage.kind == "code" and "transpose(" in statement.text
    if row or not (query[0].isupper() or in_program) or speaks_of_channels(context.article):
        return False
    rows, columns = count_orientations(context.statements)
    return rows >= columns or statement.passage.kind == "code"


def _is_of_two_vectors(left: f.Expression, printed: f.Expression) -> bool:
    """Whether `score(Q, K) = Q · K` is a number, the dot product of vectors that have the letters of matrices."""
    products = [part for part in f.walk(printed) if isinstance(part, f.Product) and part.operators == ("·",)]
    turned = any(isinstance(part, f.Transpose) for part in f.walk(printed))
    capital = isinstance(left, f.Call) and [isinstance(a, f.Name) and a.base.isupper() for a in left.arguments]
    return capital == [True, True] and bool(products) and not turned


def _scales_of_entry(left: f.Expression) -> tuple[bool, ...]:
    """Whether (QKᵀ)_ij is scaled by √d_k, as the one answer; nothing of any other left side."""
    if not isinstance(left, f.Entry):
        return ()
    scaled = isinstance(left.operand, f.Quotient) and isinstance(left.operand.denominator, f.Root)
    product = left.operand.numerator if scaled and isinstance(left.operand, f.Quotient) else left.operand
    return (scaled,) if product == f.Product((f.Name("Q"), f.Transpose(f.Name("K"))), ("",)) else ()


def _as_entry(left: f.Expression) -> f.Expression:
    """`score(x_i, x_j)` as score_ij, `a(q, k_i)` as a_i, (QKᵀ)_ij as S_ij."""
    if isinstance(left, f.Entry) and _scales_of_entry(left):
        return f.Name("S", left.indices)
    if not isinstance(left, f.Call) or left.function.lower() not in _CALLED or len(left.arguments) != 2:
        return left
    arguments = [a for a in left.arguments if isinstance(a, f.Name)]
    marks = [a.sub[0] for a in arguments if len(a.sub) == 1 and len(a.sub[0]) == 1]
    spoken = "".join(a.base.lower() for a in arguments) == "qk"
    return f.Name(left.function.lower(), ("".join(marks),) if marks else ()) if spoken or len(marks) == 2 else left


def _as_tile(left: f.Expression, printed: f.Expression) -> f.Expression:
    """S_ij for S_j, S̃_j or S_i^{(j)} behind which Q_i K_jᵀ stands, the scores of one block of queries and keys."""
    blocks = [n for n in names(printed) if n.base in ("Q", "K")]
    below = ["".join(n.sub) for n in blocks]
    if not isinstance(left, f.Name) or left.base.rstrip("\u0303") not in ("S", "s") or len(blocks) != 2:
        return left
    if blocks[0].base == blocks[1].base or len(set(below)) < 2 or not all(len(x) == 1 and x.isalpha() for x in below):
        return left
    marks = [mark.strip("()") for mark in (*left.sub, *left.sup)]
    crossed = len(marks) == 2 and marks == below[::-1]  # S_i^{(j)} = Q_j K_iᵀ
    return f.Name("S", ("".join(below),)) if (len(marks) < 2 or left.sup) and not crossed else left


def _has_stated_blocks(left: f.Expression, printed: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether Q_i and K_j are blocks of stated shapes that are not multiplied as rows, Q_i K_jᵀ."""
    blocks = [n for n in names(printed) if n.base in ("Q", "K") and n.sub]
    if len(blocks) != 2 or not isinstance(left, f.Name):
        return False
    known = context.once(collect)
    if not all(key_of(block) in known.declared for block in blocks):
        return False
    shapes = [known.fit(block, None, statement.span[0]).shape for block in blocks]
    if any(shape is None or len(shape) != 2 or 1 in shape for shape in shapes):
        return False
    return not any(has_queries_in_rows(*map(_without_indices, pair)) for pair in pairs_in(printed))


def _without_indices(e: f.Expression) -> f.Expression:
    return rewrite(e, lambda part: replace(part, sub=()) if isinstance(part, f.Name) else part)


def _rows(scope: Scope, symbol: Key, at: Indices, letter: str) -> Tensor:
    """The vectors of a symbol as rows; one of them where it has an index."""
    given = scope.given[symbol]
    if (given.is_vector and not letter and given.columns == 1) or (
        not scope.reading.rows and not (given.is_vector and given.rows == 1)
    ):
        given = given.turned()
    if letter and letter not in at and not letter.isdecimal():
        raise NotSettledError  # K_{⌈h/2⌉} is of the head that others share
    return given.row((at[letter] if letter in at else int(letter)) - 1) if letter else given


def scale_in(printed: f.Expression, context: Context) -> f.Name | None:
    """The one letter in it that the article says to be 1/√d, or the word `scale` where it says nothing of it."""
    said = context.once(find_definitions)
    for name in names(printed):
        known = said.get(name.symbol)
        if _is_inverse_root(known[1]) if known is not None else is_scale("_".join((name.base, *name.sub))):
            return name
    return None


def give_scale(scale: f.Name | None, scope: Scope) -> None:
    """Take such a letter for 1/√d_k."""
    if scale is not None:
        scope.given[scale.symbol] = Tensor.number(scope.size("d_k")).raised(Fraction(-1, 2))


def _is_inverse_root(e: f.Expression | None) -> bool:
    """Whether it is 1/√d, of any width."""
    match e:
        case f.Quotient(f.Number(value=above), f.Root(f.Name(base))):
            return above == 1 and base in _WIDTHS
    return False


def _factors(
    left: f.Name, printed: f.Expression, scale: f.Name | None
) -> tuple[tuple[Key, str], tuple[Key, str]] | None:
    """The symbols of queries and keys, each with the letter of its index; None where there is another symbol."""
    letters = {c: 1 for part in (*left.sub, *left.item) for c in part if part.isalpha() and len(part) <= 2}
    found: dict[str, tuple[Key, str]] = {}
    roots = [part for part in f.walk(printed) if isinstance(part, f.Root)]
    for name in names(printed):
        if scale is not None and name.symbol == scale.symbol:
            continue
        symbol, parts = split_name(name, letters)
        base = symbol[0].lower().rstrip("\u0302\u0303\u0304")  # of normalised or rotated queries too
        if name.base in _WIDTHS and (name.base != "k" or any(name in f.walk(root) for root in roots)):
            continue
        if base not in ("q", "k") or len(parts) > 1 or symbol[1] or symbol[2] or base in found:
            return None
        found[base] = (symbol, parts[0] if parts else "")
    if set(found) != {"q", "k"}:
        return None
    if any(part.isdigit() for _, part in found.values()) and "".join(left.sub) != found["q"][1] + found["k"][1]:
        return None  # s_12 = q_1 · k_2 counts its indices as they do
    return found["q"], found["k"]


def define_projection(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`Q = X W^Q`, `q_t = W_q x_t`, `q_t = W_qᵀ x_t`: tokens and weights in the order that rows or columns ask for."""
    e = _without_rotation(side.expression)
    if not isinstance(left, f.Name) or not isinstance(e, f.Product) or len(e.factors) != 2:
        return
    turned = any(isinstance(x, f.Transpose) for x in e.factors)
    factors = [x.operand if isinstance(x, f.Transpose) else x for x in e.factors]
    weights = [x for x in factors if isinstance(x, f.Name) and x.base == "W" and (x.sub or x.sup)]
    tokens = [x for x in e.factors if isinstance(x, f.Name) and (_is_token(x) or x in context.once(_find_inputs))]
    if len(weights) != 1 or len(tokens) != 1 or left.base.lower() not in "qkvc" or len(left.base) != 1:
        return
    marks = [part.strip("()") for part in (*weights[0].sub, *weights[0].sup)]
    latent = any(_LATENT.fullmatch(mark) for mark in marks)
    roles = {mark.lower()[latent : 1 + latent] for mark in marks} & set("qkv")
    down = any(mark.startswith("D") for mark in marks if _LATENT.fullmatch(mark)) or marks == ["c"]
    if (left.base == "c") != down:
        return  # what a projection down gives is the latent c, and nothing else does
    copied = left.base != "c" and len(roles) == 1 and roles != {left.base.lower()}
    if copied and not _makes_two(weights[0], roles, context):
        return  # queries of the keys' weights: not settled
    if read_of_all(statement.equals) is not None:
        return  # vectors of one token, or one head's matrix
    if _is_crossed(context):
        return  # queries of the encoder's tokens beside keys of the decoder's
    if left.base in ("K", "V") and _has_other_keys_than_values(context):
        return  # as many keys as values are needed, which two sequences need not give
    if not _fits_any(left, e, tokens[0], statement, context):
        return  # of any tokens: either the order or a stated shape is wrong
    slip = not _conforms(left, e, statement, context)
    turned_round = replace(e, factors=e.factors[::-1])
    if slip and (_one_alike_conforms(statement, context) or not _fits(left, turned_round, statement, context)):
        return  # its shape may be what is wrong
    single, first = tokens[0].base.islower(), e.factors[0] is tokens[0]
    printed, token = weights[0].symbol, tokens[0].symbol
    weight = of_role(printed, left.base) if copied else printed

    def prepare(scope: Scope) -> None:
        rows = scope.reading.row_vectors if single else scope.reading.rows
        scope.give(token, (1 if single else 3, 4), turned=not rows)
        for each in dict.fromkeys((weight, printed)):
            scope.give(each, (4, 2), turned=rows is turned)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        scope = evaluator.scope
        rows = scope.reading.row_vectors if single else scope.reading.rows
        x, w = scope.given[token], scope.given[weight].turned() if turned else scope.given[weight]
        return x @ w if rows else w @ x

    readings = find_readings(context)
    if slip and not any(side.relation == "∈" for side in statement.sides):  # the other order is that of the shapes
        readings = tuple(r for r in readings if (r.row_vectors if single else r.rows) is not first)
    question = Question(value, prepare, readings=readings, place=lambda _, printed: _without_rotation(printed))
    usual = _in_place(_with_weights(e, weights[0], weight), e, side, statement) if copied else ""
    yield Variant(question, Sentence("formula.projection"), repairs=slip and not copied, usual=usual)


def _one_alike_conforms(statement: Statement, context: Context) -> bool:
    """Whether queries, keys and values are all projected from one side, and the shapes of another projection fit."""
    sides: dict[str, bool] = {}
    others: list[tuple[f.Name, f.Product, Statement]] = []
    for each in context.statements:
        match each.equals:
            case (f.Name(base) as left, f.Product((f.Name(first), f.Name(second))) as product) if base.lower() in "qkv":
                if (first == "W") is not (second == "W"):
                    sides[base.lower()] = first == "W"
                    others += [(left, product, each)] if each is not statement else []
    alike = len(sides) == 3 and len({*sides.values()}) == 1
    return alike and any(_conforms(left, product, each, context) for left, product, each in others)


def _in_place(made: str, inside: f.Expression, side: f.Side, statement: Statement) -> str:
    """What is made of the product inside of a rotation, with that around it."""
    text, whole = statement.passage.text, side.expression
    same = inside is whole or not made or min(inside.start, whole.start) < 0
    return made if same else text[whole.start : inside.start] + made + text[inside.end : whole.end]


def _find_inputs(_: Article, statements: Sequence[Statement]) -> frozenset[f.Name]:
    """The small letters that two lines project by weights with labels, q = a W^q and k = a W^k."""
    found: dict[f.Name, set[str]] = {}
    for statement in statements:
        match statement.equals:
            case (f.Name(base), f.Product((f.Name() as x, f.Name("W", sub, sup)))) if (sub or sup) and x.base.islower():
                found.setdefault(x, set()).add(base.lower())
            case (f.Name(base), f.Product((f.Name("W", sub, sup), f.Name() as x))) if (sub or sup) and x.base.islower():
                found.setdefault(x, set()).add(base.lower())
    return frozenset(name for name, made in found.items() if len(made & set("qkv")) > 1)


def _without_rotation(e: f.Expression) -> f.Expression:
    """W h_t of RoPE(W h_t) and RMSNorm(W h_t), which keep the shape of what is projected."""
    match e:
        case f.Call("rope" | "rmsnorm" | "layernorm" | "norm", (f.Product() as inside,)):
            return inside
        case f.Call("rope", (f.Product() as inside, _)):
            return inside
    return e


def read_of_all(sides: Sequence[f.Expression]) -> tuple[f.Name, f.Name, f.Name] | None:
    """Q_i, X and W of Q_i = X W, where nothing of the right side has the index."""
    match sides:
        case (f.Name("q" | "k" | "v" | "Q" | "K" | "V", (index,), ()) as left, f.Product((f.Name(), f.Name()) as pair)):
            tokens = [x for x in pair if isinstance(x, f.Name) and not x.sub and len(x.base) == 1 and x.base.isupper()]
            weights = [x for x in pair if isinstance(x, f.Name) and x.base == "W"]
            if len(tokens) == 1 and len(weights) == 1 and tokens[0] not in weights and _TOKEN_INDEX.fullmatch(index):
                marks = "".join((*weights[0].sub, *weights[0].sup))
                return (left, tokens[0], weights[0]) if index not in marks else None
    return None


_TOKEN_INDEX = regex(r"[ijlmnt]")


def _makes_two(weights: f.Name, roles: set[str], context: Context) -> bool:
    """Whether a line says that the same weights make what their label says, Q = X W_Q, so that this one is a copy."""
    if context.mentions(SHARED):
        return False
    made = (s for s in context.statements if isinstance(s.left, f.Name) and s.left.base.lower() in roles)
    return any(weights in f.walk(side) for s in made for side in s.equals[1:])


def _with_weights(product: f.Product, printed: f.Name, weight: Key) -> str:
    """The product as it is written, with other weights."""
    written = [as_latex(weight) if printed in f.walk(x) else as_latex(x.symbol) for x in product.factors
               if isinstance(x, f.Name)]  # fmt: skip
    return " ".join(written) if len(written) == len(product.factors) else ""


_SOURCE, _TARGET = (
    frozenset(("enc", "encoder", "src", "source", "e", "E", "memory")),
    frozenset(("dec", "decoder", "tgt", "target", "d", "D")),
)


def _is_crossed(context: Context) -> bool:
    """Whether an article makes queries of what its letters call the encoder's tokens, and keys of the decoder's."""
    made: dict[str, set[str]] = {"Q": set(), "K": set()}
    for statement in context.statements:
        left = statement.left
        if isinstance(left, f.Name) and left.base in made and len(statement.equals) > 1:
            made[left.base] |= {mark for n in names(statement.equals[1]) if _is_token(n) for mark in (*n.sub, *n.sup)}
    return not made["Q"].isdisjoint(_SOURCE) and not made["K"].isdisjoint(_TARGET)


def _has_other_keys_than_values(context: Context) -> bool:
    """Whether the article makes K of one sequence and V of another, K = Y W_K beside V = X W_V."""
    made: dict[str, set[str]] = {"K": set(), "V": set()}
    for statement in context.statements:
        left = statement.left
        if not isinstance(left, f.Name) or left.sub or left.base not in made:
            continue
        for side in statement.equals[1:]:
            factors = [x.operand if isinstance(x, f.Transpose) else x for x in side.parts]
            named = [x for x in factors if isinstance(x, f.Name)]
            if isinstance(side, f.Product) and len(named) == 2 and any(x.base == "W" for x in named):
                made[left.base] |= {x.base for x in named if _is_token(x)}
    return bool(made["K"] and made["V"]) and made["K"].isdisjoint(made["V"])


def _conforms(left: f.Name, product: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether the shapes that the article states fit this order: W X of an X with tokens in rows has another shape."""
    return _fit(left, product, statement, context).outcome in ("fits", "unknown")


def _fits(left: f.Name, product: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether the shapes that the article states say that it is this order."""
    found = _fit(left, product, statement, context)
    return found.outcome == "fits" and found.tested > 0


def _fits_any(left: f.Name, product: f.Expression, tokens: f.Name, statement: Statement, context: Context) -> bool:
    """Whether some shape of tokens of which none is stated makes the product of the shape that is stated of it."""
    shapes = context.once(collect)
    stated = shapes.near(statement.span[0])
    key = key_of(tokens)
    if key in stated.shapes or key in stated.definitions or key_of(left) not in shapes.declared:
        return True
    axes = tuple(size_letter(f"?{key}{k}") for k in range(1 if tokens.base.islower() else 2))
    found = fit(product, left, stated.with_shapes({key: [axes]}), shapes.relations.formulas)
    return found.outcome in ("fits", "unknown")


def _fit(left: f.Name, product: f.Expression, statement: Statement, context: Context) -> Fit:
    shapes = context.once(collect)
    beside = left if key_of(left) in shapes.declared else None  # what a line makes it, it is by any product
    return shapes.fit(product, beside, statement.span[0])


def _is_token(name: f.Name) -> bool:
    """Whether a letter may be tokens: a capital but Q, K, V and W, or x, h, z, e, or the a of a place."""
    if len(name.base) != 1 or name.base in "QKVW":
        return False
    placed = name.base == "a" and len(name.sub) + len(name.sup) == 1  # a^i of a sequence, where a_ij is a weight
    return (name.base.isascii() and name.base.isupper()) or name.base in "xhzec" or placed


def define_state_score(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """Luong's and Bahdanau's scores: hᵀ s, hᵀ W s, vᵀ tanh(W [h; s]), vᵀ tanh(W h + U s), of columns or of rows."""
    states = _states(left, side.expression)
    if states is None:
        return
    first, second = states
    used = list(dict.fromkeys(n.symbol for n in names(side.expression)))
    extra = [key for key in used if key not in (first, second)]
    weights = [key for key in extra if key[0].isupper()]
    vectors = [key for key in extra if key[0] in ("v", "w")]
    hidden = any(isinstance(p, f.Call) and p.function == "tanh" for p in f.walk(side.expression))
    if first not in used or second not in used or len(weights) + len(vectors) != len(extra):
        return
    first, second = sorted(states, key=used.index)  # a(s, h) = vᵀ tanh(W h + U s) has the state of W first
    form = (len(weights), len(vectors), hidden)
    bare = form in ((1, 1, False), (2, 1, False)) and _ADDITIVE.search(near(statement)) is not None
    if bare:  # of what is called additive tanh was left out
        form = (*form[:2], True)
    if form not in _STATES:
        return

    def prepare(scope: Scope) -> None:
        lengths = (3, 3) if form == (0, 0, False) else (3, 4)
        rows = scope.reading.row_vectors
        shapes = {first: (lengths[0], 1), second: (lengths[1], 1), **dict.fromkeys(vectors, (2, 1))}
        made = {(1, 0, False): ((3, 4),), (1, 1, True): ((2, 7),), (2, 1, True): ((2, 3), (2, 4))}.get(form, ())
        for key, shape in [*shapes.items(), *zip(weights, made, strict=True)]:
            scope.give(key, shape, turned=rows and not (form == (1, 0, False) and key in weights))

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        given = evaluator.scope.given
        rows = evaluator.scope.reading.row_vectors
        laid = {k for k in given if rows and not (form == (1, 0, False) and k in weights)}
        upright = {k: t.turned() if k in laid else t for k, t in given.items()}
        a, b = upright[first], upright[second]
        w = [upright[key] for key in weights]
        if form == (0, 0, False):
            return a.turned() @ b
        if form == (1, 0, False):
            return a.turned() @ w[0] @ b
        inside = w[0] @ _stack(a, b) if len(w) == 1 else w[0] @ a + w[1] @ b
        return upright[vectors[0]].turned() @ inside.apply("tanh")

    readings = [r for r in find_readings(context) if r.rows == r.row_vectors]
    usual = _with_tanh(side, statement) if bare else ""
    yield Variant(Question(value, prepare, readings=readings), Sentence("formula.luong"), usual=usual)


_ADDITIVE = regex(r"additive|bahdanau|加性|可加性|加法注意力|加法的?注意力|addit(?:iv|if)|가산|加算", re.IGNORECASE)


def _with_tanh(side: f.Side, statement: Statement) -> str:
    """vᵀ(W q + U k) as it is written, with tanh of what is in the brackets."""
    text = statement.passage.text
    product = side.expression
    last = product.factors[-1] if isinstance(product, f.Product) else product
    opening = text.rfind("(", side.start, last.start)
    if opening < 0 or not isinstance(last, f.Sum):
        return ""
    function = r"\tanh" if "\\" in text else "tanh"
    return f"{text[side.start : opening].strip()} {function}({text[last.start : last.end]})".strip()


_STATES = ((0, 0, False), (1, 0, False), (1, 1, True), (2, 1, True))


def _states(left: f.Expression, printed: f.Expression) -> tuple[Key, Key] | None:
    """The two states of `score(h, s) =`; of `e_{ij} =` those that tanh is taken of."""
    if isinstance(left, f.Call) and left.function in ("score", "a", "align", "f", "e") and len(left.arguments) == 2:
        states = left.function in ("score", "align")  # any names; f(x, y) may be any function
        kinds = "hsqkQK"  # f(Q, K) of one query and one key
        found = [x for x in left.arguments if isinstance(x, f.Name) and (states or x.base.rstrip("\u0304") in kinds)]
    elif isinstance(left, f.Name) and left.base in ("e", "s", "a", "score", "u"):
        inside = [p for p in f.walk(printed) if isinstance(p, f.Call) and p.function == "tanh"]
        found = [n for p in inside for n in names(p) if n.base.rstrip("\u0304") in ("h", "s", "q", "k")]
    else:
        return None
    keys = list(dict.fromkeys(x.symbol for x in found))
    return (keys[0], keys[1]) if len(keys) == 2 else None


def _stack(a: Tensor, b: Tensor) -> Tensor:
    return Tensor((a.rows + b.rows, 1), a.entries + b.entries)


_OWN_SCALE = regex(
    r"[μµ]P\b|\bmuP\b|\\mu\s*\$?\s*P\b|maximal update|scal\w*[^.$\n]{0,30}\$\s*(?:1\s*/\s*d|\\d?frac\s*\{?1\}?\s*\{?d)",
    re.I,
)


def has_own_scale(side: f.Expression, context: Context) -> bool:
    """Whether QKᵀ is divided by d itself in an article that says that its scores are, as µP's."""
    divided = any(
        isinstance(part, f.Quotient) and isinstance(part.denominator, f.Name) and part.denominator.base in _WIDTHS
        for part in f.walk(side)
    )
    return divided and context.mentions(_OWN_SCALE)
