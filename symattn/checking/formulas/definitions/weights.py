"""Softmax by entries and what it is used for: a_ij = exp(e_ij)/Σ_k exp(e_ik), and o_i = Σ_j a_ij v_j."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from symattn.checking.formulas.definitions.attention import set_widths
from symattn.checking.formulas.shapes.inference import indices_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices, split_name
from symattn.checking.formulas.trials.notation import defined, find_definitions, find_readings, find_shapes
from symattn.checking.formulas.trials.orientation import has_queries_in_rows, is_keys_first, pairs_in
from symattn.checking.formulas.trials.symbols import Key, Reading, Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.letters import slope_of
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.tensors import Tensor, join
from symattn.writing.prose import Sentence

QUERIES, KEYS = 3, 4
_WEIGHTS = frozenset(["a", "α", "w", "p", "A", "P", "W", "β"])


def define_weights(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `a_{ij} =`: the exponential of a score over the sum of those of its row."""
    left = _of_argument(left)
    if isinstance(left, f.Name) and isinstance(side.expression, f.Call):
        yield from _read_at_entry(left, side.expression, context)
    if not isinstance(left, f.Name) or not isinstance(side.expression, f.Quotient):
        return
    _, letters = defined(left)
    bounds = [part.upper for part in f.walk(side.expression) if isinstance(part, f.BigSum)]
    if any(isinstance(bound, f.Number) or (isinstance(bound, f.Name) and bound.base in letters) for bound in bounds):
        return  # of fewer entries than there are, or causal: of the keys so far alone
    if _adds_a_number(side.expression.denominator) or _is_by_columns(statement, context):
        return
    if averages_over(0, context, left.base) and not (
        len(letters) == 2 and _is_key_first(letters, side.expression.numerator)
    ):
        return  # c_j = Σ_i a_ij h_i asks for weights whose columns sum to 1: which of the two lines is meant is open
    if _multiplies_by_temperature(side.expression.numerator, statement, context):
        return
    own = _own_sum(side.expression.denominator, context)
    printed = side.expression if own is None else replace(side.expression, denominator=own[1][1])
    scores = _scores(printed, letters) if left.base in _WEIGHTS else None
    if scores is None:
        found = list(_of_queries(letters, side.expression)) if left.base in _WEIGHTS else []
        yield from found or _of_powers(letters, side.expression, context)
        return
    if len(letters) == 2 and _has_queries_in_columns(scores, context):
        return  # of scores KᵀQ the sum over the keys runs over the first index: which one is meant is open
    settled = _row_is_query(letters, context) and not _is_plain_share(left, side.expression, scores, statement, context)
    for alike in (False, True):
        sizes = (QUERIES, QUERIES if alike else KEYS)

        def prepare(scope: Scope, sizes: tuple[int, int] = sizes) -> None:
            scope.given[scores] = scope.draw(scores, sizes if len(letters) == 2 else (1, sizes[1]))
            scope.drawn = {scores[0]: str(scope.given[scores])}
            scope.sizes |= {"n": sizes[0], "m": sizes[1]}
            scope.any_length = not _has_two_lengths(context)
            scope.definitions |= dict([own] if own is not None else [])

        def value(evaluator: Evaluator, at: Indices) -> Tensor:
            weights = evaluator.scope.given[scores].softmax(1)
            places = [at[letter] - 1 for letter in letters]
            return weights.at(places[0], places[1]) if len(places) == 2 else weights.at(0, places[0])

        free = dict(zip(letters, (range(1, sizes[0] + 1), range(1, sizes[1] + 1))[-len(letters) :], strict=True))
        condition = Sentence("formula.if_alike") if alike else None
        question = Question(value, prepare, lambda _, free=free: free)  # type: ignore[misc]
        yield Variant(question, Sentence("formula.weights"), condition, repairs=settled and not alike)


def _has_queries_in_columns(scores: Key, context: Context) -> bool:
    """Whether scores are said to be KᵀQ, or tokens are columns all over the article and no line says of an entry of the
    scores whose it is."""
    letters, body = context.once(find_definitions).get(scores, ((), None))
    if body is not None and any(has_queries_in_rows(*pair) is False for pair in pairs_in(body)):
        return True
    return not letters and not any(reading.rows for reading in find_readings(context))


def _own_sum(e: f.Expression, context: Context) -> tuple[Key, tuple[tuple[str, ...], f.Expression]] | None:
    """What a line says of a denominator with a letter of its own: Z_i = Σ_j e^{s_ij}."""
    if not isinstance(e, f.Name):
        return None
    key, letters = defined(e)
    made = context.once(find_definitions).get(key)
    is_sum = made is not None and isinstance(made[1], f.BigSum) and len(made[0]) == len(letters)
    return (key, made) if made is not None and is_sum else None


def _is_plain_share(left: f.Name, e: f.Quotient, scores: Key, statement: Statement, context: Context) -> bool:
    """Whether w_i = s_i/Σ_j s_j may be no softmax: of exponentials, or shares of which no word near speaks of one."""
    if scores[0] == left.base:
        return True  # p'_i = p_i/Σ_j p_j, of what is kept of a distribution
    if any(isinstance(part, f.Call | f.Power) for part in f.walk(e)):
        return False
    made = context.once(find_definitions).get(scores, ((), None))[1]
    if made is not None and any(isinstance(p, f.Power) or _is_positive(p) for p in f.walk(made)):
        return True
    words, (start, end) = context.article.words, statement.span
    around = words[max(words.rfind("\n\n", 0, start), start - 200, 0) : end + 80]
    return left.base not in _OF_ATTENTION and _SAYS_SOFTMAX.search(around) is None


def _is_positive(part: f.Expression) -> bool:
    """Whether it is a function whose values may be shares as they are."""
    return isinstance(part, f.Call) and part.function in ("exp", "sigma", "sigmoid", "softplus", "relu", "max", "elu")


_OF_ATTENTION = ("α", "a", "A", "β")
_SAYS_SOFTMAX = regex(r"softmax|logit|attention|attend|atenci|atenç|aufmerksam|注意|внимани|어텐션|주의", re.I)


def _multiplies_by_temperature(above: f.Expression, statement: Statement, context: Context) -> bool:
    """Whether scores are multiplied by what the text calls a temperature, by which they would be divided."""
    products = [part for part in f.walk(above) if isinstance(part, f.Product)]
    factors = {factor.base for product in products for factor in product.factors if isinstance(factor, f.Name)}
    around = context.around(statement, 200)
    called = factors & {"T", "τ"} and _TEMPERATURE.search(around) and not _INVERSE.search(around)
    return bool(called) or bool({"temperature", "temp"} & factors)


_TEMPERATURE = regex(r"temperatur|température|温度|온도|температур|sıcaklık", re.I)
_INVERSE = regex(r"inverse|invers[ao]|逆|倒数|обратн", re.I)


def _of_argument(left: f.Expression) -> f.Expression:
    """p(x_i) as p_i."""
    match left:
        case f.Product((f.Name("p" | "P", (), ()) as p, f.Name(_, (index,), ())), ("",)) if len(index) == 1:
            return replace(p, sub=(index,))
    return left


BY_COLUMNS = regex(
    r"column-?wise|(?:softmax|normali[sz]\w+|appl\w+)[^.\n]{0,30} (?:to|of|in|down|along|over) each column\b"
    r"|(?:over|across) (?:the |all )?(?:quer(?:ies|y)|columns?)\b|along the (?:column|query)|columns? sums?\b"
    r"|每列|按列|列方向|沿列",
    re.I,
)


def has_column_for_query(expression: f.Expression, context: Context) -> bool:
    """Whether it has K Qᵀ where an article speaks of softmax over columns."""
    return context.mentions(BY_COLUMNS) and any(is_keys_first(*pair) for pair in pairs_in(expression))


def _is_by_columns(statement: Statement, context: Context) -> bool:
    """Whether the sentence says that the softmax is over the queries, as slots do."""
    before = context.article.words[max(statement.span[0] - 200, 0) : statement.span[0]]
    return BY_COLUMNS.search(re.split(r"[.。]\s|\n\n", before)[-1]) is not None


def averages_over(place: int, context: Context, base: str | None = None) -> bool:
    """Whether a line of the article adds up values over the first or second index of weights, of this name if it is
    given."""
    for index, factors in context.once(_find_summed_products):
        marks = ["".join(factor.sub) for factor in factors if base in (None, factor.base)]
        values = [factor for factor in factors if factor.base != base and factor.sub == (index,)]
        if values and any(len(mark) == 2 and mark[place] == index != mark[1 - place] for mark in marks):
            return True
    return False


def _find_summed_products(_: Article, statements: Sequence[Statement]) -> list[tuple[str, list[f.Name]]]:
    """The index of every sum of products, with the names that are multiplied."""
    sums = (part for each in statements for side in each.equals for part in f.walk(side) if isinstance(part, f.BigSum))
    found = [
        (total.index, [factor for factor in total.body.factors if isinstance(factor, f.Name)])
        for total in sums
        if total.index and isinstance(total.body, f.Product)
    ]
    # dV_j = Σ_i P_ij dO_i, a gradient, takes no average
    return [(index, factors) for index, factors in found if not any(map(slope_of, factors))]


def find_normalised(name: f.Name, context: Context) -> int | None:
    """Over which index of a name its definition by exponentials adds up; None where there is no such definition."""
    for earlier in reversed(context.statements):
        sides = earlier.equals
        if len(sides) < 2 or not isinstance(sides[0], f.Name) or sides[0].base != name.base:
            continue
        own = indices_of(sides[0])
        if len(own) != len(indices_of(name)):
            continue
        for side in sides[1:]:
            match side:
                case f.Quotient(denominator=f.BigSum(index=index, body=body)):
                    inside = list(names(body))
                    kept = [k for k, mark in enumerate(own) if not any(mark in indices_of(part) for part in inside)]
                    summed = any(index in indices_of(part) for part in inside)
                    if isinstance(body, f.Call) and body.function == "exp" and summed and len(kept) == 1:
                        return kept[0]
    return None


def _adds_a_number(below: f.Expression) -> bool:
    """Whether it is 1 + Σ e^s, as with a sink: another softmax, and no slip."""
    return isinstance(below, f.Sum) and any(isinstance(term, f.Number) for term in below.terms)


def _read_at_entry(left: f.Name, call: f.Call, context: Context) -> Iterator[Variant]:
    """`a_{ij} = softmax(e_{ij}/√d)`: softmax of the row, read at this entry; of one number it would be 1."""
    left, call = _of_one_head(left, call)
    if call.function != "softmax" or len(call.arguments) != 1 or not left.sub:
        return
    places = "".join(left.sub)
    inside = list(names(call.arguments[0]))
    same = [n for n in inside if "".join(n.sub) == places]
    scored = call.arguments[0]
    if isinstance(scored, f.Call) and len(scored.arguments) == 2:  # score(x_i, x_j), whatever that is
        own = [n for n in scored.arguments if isinstance(n, f.Name)]
        if ["".join(n.sub) for n in own] == [places[:1], places[1:]]:
            call = replace(call, arguments=(f.Name("score", left.sub),))
            inside = same = list(names(call))
    pair = {("q", places[:1]), ("k", places[1:])}
    one_by_one = len(places) == 2 and pair <= {(n.base.lower(), "".join(n.sub)) for n in inside}
    if one_by_one and not (_divides_by_root(scored) and _multiplies(scored, places)):
        return
    if len(places) == 1 and any(n.base in "qkQK" for n in inside):
        return  # one query and one key have one score
    if len(places) not in (1, 2) or not places.isalnum() or (not same and not one_by_one):
        return
    if len(places) == 1 and any(_is_matrix_times(part, places) for part in f.walk(scored)):
        return  # softmax(W h_t) is a vector at each step
    if any(isinstance(p, f.Call | f.BigSum) for p in f.walk(call.arguments[0])):
        return
    label = call.label[0] if len(call.label) == 1 else ""
    if label and label != places[-1]:
        return
    entries = context.once(_find_entries)
    whole = len(places) == 1 and all(n.base.isupper() or (n.base, places) in entries for n in (left, *same))
    condition = None if label or whole else Sentence("formula.if_row")

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        return evaluator.value(f.Call("softmax", call.arguments))

    def prepare(scope: Scope) -> None:
        for name in inside:
            scope.given[name.base, name.sub, name.sup] = scope.draw((name.base, name.sub), ())

    question = Question(value, prepare, place=lambda scope, side: call)
    yield Variant(question, Sentence("formula.weights"), condition, repairs=False)


def _of_one_head(left: f.Name, call: f.Call) -> tuple[f.Name, f.Call]:
    """α_ij of q_i and k_j, for α_{i,j,h} of q_{i,h} and k_{j,h}, and for α_ij^h: each head has weights of its own."""
    vectors = [n for n in names(call) if n.base.lower() in ("q", "k") and (n.sub or n.sup)]
    marks = [{*n.sub, *n.sup} for n in (left, *vectors)]
    shared = set.intersection(*marks) if len(vectors) == 2 else set[str]()
    if len(shared) != 1 or len({*left.sub, *left.sup}) < 2:
        return left, call

    def plain(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name):
            return part
        kept = (tuple(mark for mark in marks if mark not in shared) for marks in (part.sub, part.sup))
        sub, sup = kept
        return replace(part, sub=sub, sup=sup)

    own, rewritten = plain(left), rewrite(call, plain)
    return (own, rewritten) if isinstance(own, f.Name) and isinstance(rewritten, f.Call) else (left, call)


def _is_matrix_times(part: f.Expression, index: str) -> bool:
    """Whether a matrix stands before something else of which one is meant: W h_t."""
    match part:
        case f.Product(factors=(f.Name(base, sub=marks), *_)):
            return base[:1].isupper() and index not in "".join(marks)
    return False


def _find_entries(_: Article, statements: Sequence[Statement]) -> frozenset[tuple[str, str]]:
    """The letters that have two indices, each with the first of these: beside p_ij is p_i a row."""
    every = (name for statement in statements for side in statement.sides for name in names(side.expression))
    marks = ((name.base, "".join(name.sub).replace(",", "")) for name in every if not name.sup)
    return frozenset((base, pair[0]) for base, pair in marks if len(pair) == 2 and pair.isalpha())


def _of_queries(letters: tuple[str, ...], e: f.Quotient) -> Iterator[Variant]:
    """exp(q_i·k_j/√d)/Σ_l exp(q_i·k_l/√d), or with x_i·x_j: the scores are those of the exponential above the line."""
    if len(letters) != 2 or not isinstance(e.numerator, f.Call) or e.numerator.function != "exp":
        return
    letters = letters[::-1] if _is_key_first(letters, e.numerator) else letters
    if {n.base for n in names(e.numerator)} - {"q", "k", "x", "d"} or len(e.numerator.arguments) != 1:
        return
    score = e.numerator.arguments[0]
    if not _divides_by_root(score):
        return
    own = {(n.base, "".join(n.sub)) for n in names(score)}
    if not any({(a, letters[0]), (b, letters[1])} <= own for a, b in ("qk", "xx")):
        return

    def prepare(scope: Scope) -> None:
        scope.any_length = True
        scope.given["X", (), ()] = scope.draw(("X", (), ()), (KEYS, scope.size("d_model")))  # tokens are keys too
        set_widths(scope, e)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        row, column = letters
        powers = [evaluator.value(score, {row: at[row], column: k}).apply("exp") for k in range(1, KEYS + 1)]
        return powers[at[column] - 1] / reduce(lambda x, y: x + y, powers)

    free = {letters[0]: range(1, QUERIES + 1), letters[1]: range(1, KEYS + 1)}
    readings = [Reading(True, row_vectors) for row_vectors in (False, True)]
    question = Question(value, prepare, lambda _: free, readings, ((0, 0), (0, 1), (0, 2)))
    yield Variant(question, Sentence("formula.weights"))


def _multiplies(score: f.Expression, places: str) -> bool:
    """Whether a query is multiplied by a key: q_i + k_j is no score."""
    products = [part for part in f.walk(score) if isinstance(part, f.Product | f.Call)]
    pair = {("q", places[:1]), ("k", places[1:])}
    factors = [p.factors if isinstance(p, f.Product) else p.arguments for p in products]
    own = (
        {(n.base.lower(), "".join(n.sub)) for x in each if not isinstance(x, f.Sum) for n in names(x)}
        for each in factors
    )
    return any(pair <= each for each in own)


def _divides_by_root(score: f.Expression) -> bool:
    """Whether a width in scores stands under a root that they are divided by, if there is one."""
    roots = [p.denominator for p in f.walk(score) if isinstance(p, f.Quotient) and isinstance(p.denominator, f.Root)]
    below = [n for root in roots for n in names(root)]
    return all(n in below for n in names(score) if n.base in ("d", "D"))


def _is_key_first(letters: tuple[str, ...], power: f.Expression) -> bool:
    """Whether the first index is the key's and the second the query's, α_ij of q_j·k_i."""
    own = {(n.base, n.sub) for n in names(power)}
    return {("q", (letters[1],)), ("k", (letters[0],))} <= own


def _has_key_first(weights: Key, context: Context) -> bool:
    """Whether the article's weights have the key's index in front of the query's."""
    own, made = context.once(find_definitions).get(weights, ((), None))
    return len(own) == 2 and isinstance(made, f.Quotient) and _is_key_first(own, made.numerator)


def _of_powers(letters: tuple[str, ...], e: f.Quotient, context: Context) -> Iterator[Variant]:
    """exp(z_i/τ)/Σ_j exp(z_j/τ), e^{z_i − m}/Σ_j e^{z_j − m}: the same exponential above the line and in the sum."""
    above, below = e.numerator, e.denominator
    if not isinstance(below, f.BigSum) or not isinstance(above, f.Call) or above.function != "exp" or not letters:
        return
    letter, bound = letters[-1], dict.fromkeys((*letters, below.index), 1)
    power = above.arguments[0]
    if len(letters) > 2 or not below.index or below.index in letters[:-1] or _calls(power):  # Σ_j may have its own j
        return
    shapes: dict[Key, tuple[str, ...]] = {}
    for name in names(power):
        key, parts = split_name(name, bound)
        shapes[key] = tuple(parts)
    if not any(letter in parts for parts in shapes.values()) or any(key[0] in ("q", "k") for key in shapes):
        return
    if not {split_name(name, bound)[0] for name in names(below.body)} <= {*shapes, ("e", (), ())}:
        return
    counts = {letters[0]: QUERIES, letter: KEYS}
    if any(part not in counts for parts in shapes.values() for part in parts):
        return

    def prepare(scope: Scope) -> None:
        for key, parts in shapes.items():
            if not parts:
                scope.number(key)
                continue
            sizes = [counts[part] for part in parts]
            scope.given[key] = scope.draw(key, (sizes[0], sizes[1]) if len(sizes) == 2 else (1, sizes[0]))
            scope.drawn[key[0]] = str(scope.given[key])
        scope.sizes |= {"n": KEYS, "m": KEYS}
        scope.any_length = True

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        powers = [evaluator.value(power, {**at, letter: k}).apply("exp") for k in range(1, KEYS + 1)]
        return powers[at[letter] - 1] / reduce(lambda x, y: x + y, powers)

    free = {one: range(1, counts[one] + 1) for one in letters}
    question = Question(value, prepare, lambda _: free)
    settled = _row_is_query(letters, context)
    yield Variant(question, Sentence("formula.weights"), repairs=settled, only=("denominator",))


def _calls(e: f.Expression) -> list[f.Call | f.BigSum]:
    return [p for p in f.walk(e) if isinstance(p, f.Call | f.BigSum)]


def _scores(e: f.Quotient, letters: tuple[str, ...]) -> Key | None:
    """The one symbol of the scores in a printed softmax."""
    bound = dict.fromkeys([*letters, *(p.index for p in f.walk(e) if isinstance(p, f.BigSum))], 1)
    if len(letters) not in (1, 2) or not any(isinstance(p, f.BigSum) for p in f.walk(e.denominator)):
        return None
    found = [split_name(n, bound) for n in names(e.numerator)]
    one = len({key for key, _ in found}) == 1 and all(parts == found[0][1] for _, parts in found)  # not x_n·x_m
    return found[0][0] if one else None


def _row_is_query(letters: tuple[str, ...], context: Context) -> bool:
    """Whether the article says which index counts the queries: by `o_i = Σ_j a_ij v_j` or a score of q_i and k_j."""
    if len(letters) == 1:
        return True
    for (base, *_), (own, body) in context.once(find_definitions).items():
        if base.removeprefix("d")[:1] in "kv":
            continue  # dk_i = Σ_j dS_ij q_j sums over the queries
        used = {(n.base, n.sub) for n in names(body)}
        if len(own) == 2 and ("q", (own[0],)) in used and ("k", (own[1],)) in used:
            return True
        valued = any(
            sub[:1] in ((letters[1],), (letters[1] + ":",)) for _, sub in used
        )  # db_j = Σ_i dV_ji is no average
        if len(own) == 1 and valued and any(sub in ((own[0] + letters[1],), (own[0], letters[1])) for _, sub in used):
            return True
    return False


def _has_two_lengths(context: Context) -> bool:
    """Whether the article's shapes have another letter for the number of keys than for that of queries."""
    shapes = context.once(find_shapes)
    lengths = [shapes[key][0] for key in (("Q", (), ()), ("K", (), ())) if key in shapes]
    return len(set(lengths)) == 2


def define_average(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `o_i =` that sums weights times values."""
    big = side.expression
    if isinstance(left, f.Name) and isinstance(big, f.Sum):
        yield from _written_out(left, big)
    of_row = isinstance(left, f.Entry) and isinstance(left.operand, f.Call) and left.operand.function == "attention"
    if not (isinstance(left, f.Name) or of_row) or not isinstance(big, f.BigSum) or not isinstance(big.body, f.Product):
        return
    row = left.indices if isinstance(left, f.Entry) else ()
    if isinstance(left, f.Name):
        row = left.item or defined(left)[1]
    factors = [x for x in big.body.factors if isinstance(x, f.Name)]
    if len(row) != 1 or len(factors) != 2 or len(big.body.factors) != 2:
        return
    bound = {row[0]: 1, **({big.index: 1} if big.index else {}), **{c: 1 for x in factors for c in _letters(x)}}
    found = [split_name(x, bound) for x in factors]
    pairs = sorted(found, key=lambda pair: -len(pair[1]))
    (weights, two), (values, one) = pairs
    if len(two) != 2 or len(one) != 1 or values[0][:1] not in "vVhxX":
        return

    def prepare(scope: Scope) -> None:
        scope.given[weights] = scope.draw(weights, (KEYS, QUERIES) if first else (QUERIES, KEYS))
        scope.given[values] = scope.draw(values, (KEYS, 2))
        scope.sizes |= {"n": QUERIES, "m": KEYS}
        scope.any_length = not _has_two_lengths(context)
        scope.drawn = {weights[0]: str(scope.given[weights]), values[0]: str(scope.given[values])}

    first = _has_key_first(weights, context)  # α_ij of token i that j attends to: o_j = Σ_i α_ij v_i
    causal = isinstance(big.upper, f.Name) and big.upper.base == row[0]  # over the keys up to the query

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        scope = evaluator.scope
        given = scope.given[weights].turned() if first else scope.given[weights]
        own = given.row(at[row[0]] - 1)
        if causal:
            zero = Tensor.number(0)
            own = join([own.at(0, k) if k < at[row[0]] else zero for k in range(KEYS)], 1)
        return own @ scope.given[values]

    free = {row[0]: range(1, QUERIES + 1)}
    question = Question(value, prepare, lambda _: free)
    yield Variant(question, Sentence("formula.average"), repairs=first or _row_is_query((row[0], one[0]), context))


def _written_out(left: f.Name, total: f.Sum) -> Iterator[Variant]:
    """`z_1 = a_{11} v_1 + a_{12} v_2`: each weight beside the value of its second index."""
    pairs = [t.factors for t in total.terms if isinstance(t, f.Product) and len(t.factors) == 2]
    if len(pairs) != len(total.terms) or set(total.signs) != {1} or len(left.sub) != 1 or not left.sub[0].isdigit():
        return
    names_of = [(a, b) for a, b in pairs if isinstance(a, f.Name) and isinstance(b, f.Name)]
    if len(names_of) != len(pairs) or len({(a.base, b.base) for a, b in names_of}) != 1:
        return
    places = [("".join(a.sub), "".join(b.sub)) for a, b in names_of]
    row = left.sub[0]
    if not all(len(p) == 2 and p.isdigit() and p[1] == q for p, q in places) or names_of[0][1].base[:1] not in "vV":
        return
    if any(p[0] != row for p, _ in places) or len({q for _, q in places}) != len(places):
        return

    def prepare(scope: Scope) -> None:
        for a, b in names_of:
            scope.given[a.base, a.sub, a.sup] = scope.draw((a.base, a.sub), ())
            scope.given[b.base, b.sub, b.sup] = scope.draw((b.base, b.sub), (1, 3))

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        given = evaluator.scope.given
        parts = [given[a.base, a.sub, a.sup] * given[b.base, b.sub, b.sup] for a, b in names_of]
        return reduce(lambda x, y: x + y, parts)

    yield Variant(Question(value, prepare), Sentence("formula.average"), repairs=False)


def _letters(name: f.Name) -> Iterator[str]:
    for part in (*name.sub, *name.item):
        if part.isalpha() and part.islower() and len(part) <= 2:
            yield from part
