"""Scaled dot-product attention of matrices: `Attention(Q, K, V) = softmax(QKᵀ/√d_k) V`, in rows and in columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from symattn.checking.formulas.shapes.sizes import HEAD_COUNTS
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.statements.wording import near
from symattn.checking.formulas.trials.comparison import Question, Value
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.functions import attend
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.notation import Definitions, find_definitions, find_readings
from symattn.checking.formulas.trials.proofs import are_equal, size
from symattn.checking.formulas.trials.symbols import Key, Reading, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

ATTENTION = regex(
    r"(?:masked|causal|self|cross|scaled|dot|product|global|full|standard|vanilla|softmax|encoder|decoder|head|[qkv])*"
    r"(?:attention|attn|att|sa)(?:output)?|sdpa|mmha"
)
_LINEAR = regex(
    r"linear|kernel|without|no softmax|unnormali[sz]ed|simplif|线性|線性|去掉|不用|无需|省略|線形|선형|lineal", re.I
)
ROLES = "QKV"
_WIDTHS = frozenset(["d", "D", "k", "dim", "depth", "dk", "dh", "C", "E", "n_embd", "head_dim", "key_dim"])
_SCALES = {"one": "formula.if_one", "root": "formula.if_root", "inverse": "formula.if_inverse"}
_TEMPERATURES = frozenset(["τ", "T", "β", "tau", "temp", "temperature"])
_MASKS = frozenset(["M", "mask", "Mask", "B", "bias", "Bias", "mask_matrix", "P"])


def define_attention(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side that stands behind `Attention(...) =`."""
    printed = set(_keys(names(side.expression)))
    arguments = _arguments(left, side.expression, printed)
    if arguments is None and not (
        isinstance(left, f.Name) and left.base.lower() == "head" and _weighs(side.expression)
    ):
        return
    if arguments is not None and {key for key in printed if key[0] not in _WIDTHS} == {_TOKENS}:
        yield from _of_tokens(side, context)
        return
    if projections_of(printed) is not None and not {(r, (), ()) for r in ROLES} & printed:
        yield from _projected(side, context)
        return
    if arguments is None or any(not isinstance(x, f.Name) and _has_role(x) for x in arguments):
        return  # of other matrices than Q, K and V, Attention(ΠQ, K, V)
    if isinstance(left, f.Call) and len(arguments) == 3 and any(map(_is_call, f.walk(side.expression))):
        return  # Attention(K, Q, V) = Attention(Q, K, V) says nothing of what attention is
    roles = roles_of(arguments)
    single = any(n.base.islower() and n.base in "qkv" for n in names(side.expression)) and not _is_of_program(roles)
    readings = distinct(find_readings(context), single)
    if roles is None and not {(r, (), ()) for r in ROLES} & printed:
        return
    if isinstance(left, f.Name) and not arguments:
        return
    used = roles or [(r, (), ()) for r in ROLES]
    definitions = context.once(find_definitions)
    if any(_is_width_of_head(key, made[1]) and _is_split(made[1], printed) for key, made in definitions.items()):
        return  # √d where a head's width is said to be d/h
    own = {
        key: made
        for key, made in definitions.items()
        if key not in used
        and not (made[0] and key[0] in _MASKS)
        and not (key in printed and _is_width_of_head(key, made[1]))
    }
    settled = _weighs(side.expression) or not _LINEAR.search(near(statement))
    extras = _extras(side.expression, used, own)
    closed = settled and not extras and printed.isdisjoint(own) and _is_closed(left, side.expression)
    usual = r"\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right) V" if closed else ""
    for scaled in (True, False):
        for neutral in _neutral(extras, scaled):
            question = Question(
                _expected(used, scaled), _prepare(used, side.expression, neutral, own), readings=readings
            )
            condition = _condition(neutral, scaled)
            if condition is None and _is_bias_scaled(side.expression):
                condition = Sentence("formula.if_bias_scaled")
            proof = None if extras or (roles is None and arguments) else _proof(used, scaled, own)
            yield Variant(
                question,
                Sentence("formula.attention"),
                condition,
                repairs=scaled and settled and not extras,
                proof=proof,
                usual=usual,
            )
    wide = [n for n in names(side.expression) if n.base == "d" and n.sub and n.sub[0] in ("model", "emb", "embed")]
    if wide and not extras:
        question = Question(
            _expected(used, True), _prepare(used, side.expression, {}, own, tuple(wide)), readings=readings
        )
        condition = Sentence("formula.if_one_head", name=spell(wide[0].symbol))
        yield Variant(question, Sentence("formula.attention"), condition, repairs=False)


def _is_call(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and is_attention(e.function)


def _has_role(argument: f.Expression) -> bool:
    return any((role, (), ()) in set(_keys(names(argument))) for role in ROLES)


def _is_width_of_head(key: Key, said: f.Expression) -> bool:
    """Whether it is said of a width that it is a head's, d = D/h."""
    match said:
        case f.Quotient(_, f.Name() as count) if key[0] in _WIDTHS:
            return spell(count.symbol) in HEAD_COUNTS
    return False


def _is_split(said: f.Expression, printed: set[Key]) -> bool:
    """Whether the d of d/h, a letter that elsewhere is the width of the keys, stands in what is printed."""
    match said:
        case f.Quotient(f.Name(sub=()) as whole, _):
            return whole.symbol in printed
    return False


def _is_closed(left: f.Expression, printed: f.Expression) -> bool:
    """Whether Attention(Q, K, V) is said to be one softmax without one of the three: no scale or mask makes it that."""
    calls = [part for part in f.walk(printed) if isinstance(part, f.Call)]
    named = isinstance(left, f.Call) and is_attention(left.function) and len(left.arguments) == 3
    letters = {a.base for a in left.arguments if isinstance(a, f.Name)} if isinstance(left, f.Call) else set()
    missing = set(ROLES) - {n.base for n in names(printed)}
    return named and letters == set(ROLES) and bool(missing) and [c.function for c in calls] == ["softmax"]


def _is_of_program(roles: Sequence[Key] | None) -> bool:
    """Whether the matrices have small letters, `softmax(q @ k.T) @ v`."""
    return roles is not None and all(key[0].islower() for key in roles)


def projections_of(printed: Iterable[Key]) -> tuple[Key, list[Key]] | None:
    """The tokens and the three weights of `softmax(X W^Q (X W^K)ᵀ/√d_k) X W^V`."""
    keys = [key for key in dict.fromkeys(printed) if key[0] not in _WIDTHS]
    weights = {mark[:1].lower(): key for key in keys if key[0] == "W" for mark in (*key[1], *key[2]) if _is_role(mark)}
    tokens = [key for key in keys if key[0] != "W"]
    if len(tokens) != 1 or set(weights) != set("qkv") or tokens[0][0] not in ("X", "x", "H", "h"):
        return None
    return tokens[0], [weights[role] for role in "qkv"]


def _is_role(mark: str) -> bool:
    """Whether a label of weights says whose they are, the Q of W_i^Q."""
    return mark[:1].lower() in ("q", "k", "v")


def _projected(side: f.Side, context: Context) -> Iterator[Variant]:
    found = projections_of(_keys(names(side.expression)))
    assert found is not None
    token, weights = found

    def prepare(scope: Scope) -> None:
        shapes = ((3, 4), (4, scope.size("d_k")), (4, scope.size("d_k")), (4, 5))
        for key, shape in zip((token, *weights), shapes, strict=True):
            scope.give(key, shape, turned=not scope.reading.rows)
        set_widths(scope, side.expression)

    for scaled in (True, False):

        def value(evaluator: Evaluator, at: Indices, scaled: bool = scaled) -> Tensor:
            scope = evaluator.scope
            x, *projections = (scope.given[key] for key in (token, *weights))
            rows = scope.reading.rows
            q, k, v = (x @ w if rows else w @ x for w in projections)
            return attend(q, k, v, scope, scaled=scaled)

        condition = None if scaled else Sentence("formula.if_unscaled")
        readings = distinct(find_readings(context), single=False)
        yield Variant(
            Question(value, prepare, readings=readings), Sentence("formula.attention"), condition, repairs=scaled
        )


_TOKENS: Key = ("X", (), ())


def _of_tokens(side: f.Side, context: Context) -> Iterator[Variant]:
    """softmax(X Xᵀ) X: tokens that are queries, keys and values of themselves."""

    def prepare(scope: Scope) -> None:
        scope.give(_TOKENS, (3, scope.size("d_k")), turned=not scope.reading.rows)
        set_widths(scope, side.expression)

    readings = distinct(find_readings(context), single=False)
    for scaled in (True, False):
        question = Question(_expected([_TOKENS] * 3, scaled), prepare, readings=readings)
        yield Variant(question, Sentence("formula.attention"), _condition({}, scaled), repairs=False)


def distinct(readings: Sequence[Reading], single: bool) -> list[Reading]:
    """The readings that differ in what attention of matrices depends on; of single vectors too if there are any."""
    found = {(r.rows, r.axis, r.row_vectors if single else r.rows): r for r in reversed(readings)}
    return list(found.values())[::-1]


def _arguments(left: f.Expression, printed: f.Expression, used: set[Key]) -> tuple[f.Expression, ...] | None:
    """The arguments of attention; none where the output has a letter of its own, `O = softmax(…) V`."""
    if isinstance(left, f.Call) and is_attention(left.function):
        return left.arguments or None
    if isinstance(left, f.Call) and left.function in ("A", "Att") and len(left.arguments) == 3:
        return left.arguments
    if not isinstance(left, f.Name | f.Call):
        return None
    if isinstance(left, f.Name) and _weighs(printed) and {key for key in used if key[0] not in _WIDTHS} == {_TOKENS}:
        return (f.Name("X"),)
    word = left.base if isinstance(left, f.Name) else left.function
    if not (is_attention(word) or _weighs(printed)):
        return None
    return roles_by_letter(left, used)


def roles_by_letter(left: f.Name | f.Call, used: set[Key]) -> tuple[f.Name, ...] | None:
    """Q, K and V among the symbols: capitals, small letters of a program, or those of one head, all with its labels."""
    marks = {mark.strip("()") for mark in (*left.sub, *left.sup)} if isinstance(left, f.Name) else set()
    for letters in (ROLES, ROLES.lower()):
        by_letter = {letter: [key for key in used if key[0] == letter] for letter in letters}
        if any(len(keys) != 1 for keys in by_letter.values()):
            continue
        found = [keys[0] for keys in by_letter.values()]
        labels = {key[1:] for key in found}
        if len(labels) != 1:
            continue
        own = {mark.strip("()") for part in labels.pop() for mark in part}
        if own <= marks or (marks and marks <= own) or (not own and all(len(mark) > 2 for mark in marks)):
            return tuple(f.Name(*key) for key in found)
    return None


def is_attention(word: str) -> bool:
    """Whether a function or an output is called attention, in any of its usual compounds."""
    return ATTENTION.fullmatch(re.sub(r"[\s_-]", "", word.lower())) is not None


def _weighs(printed: f.Expression) -> bool:
    return any(isinstance(p, f.Call) and p.function == "softmax" for p in f.walk(printed))


def roles_of(arguments: Sequence[f.Expression]) -> list[Key] | None:
    """The queries, keys and values among the arguments, by their letters, else by their order."""
    if len(arguments) == 2 and all(isinstance(a, f.Name) and a.base == r for a, r in zip(arguments, "QV", strict=True)):
        arguments = (arguments[0], arguments[1], arguments[1])  # the values are the keys too
    if len(arguments) != 3 or not all(isinstance(a, f.Name) for a in arguments):
        return None
    keys = [a.symbol for a in arguments if isinstance(a, f.Name)]
    by_letter = {key[0].upper()[:1]: key for key in keys}
    return [by_letter[r] for r in ROLES] if set(by_letter) == set(ROLES) else keys


def _expected(roles: Sequence[Key], scaled: bool) -> Value:
    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        q, k, v = (evaluator.scope.given[key] for key in roles)
        return attend(q, k, v, evaluator.scope, scaled=scaled)

    return value


def _prepare(  # type: ignore[no-untyped-def]
    roles: Sequence[Key],
    printed: f.Expression,
    neutral: dict[Key, str],
    own: Definitions,
    wide: Sequence[f.Name] = (),
):
    def prepare(scope: Scope) -> None:
        for role, key in zip(ROLES, roles, strict=True):
            shared = role == "V" and roles[1] == roles[2]
            rows, columns = {"Q": ("n", "d_k"), "K": ("m", "d_k"), "V": ("m", "d_k" if shared else "d_v")}[role]
            single = key[0].islower() and role == "Q" and not _is_of_program(roles)
            shape = 1 if single else scope.size(rows), scope.size(columns)
            scope.give(key, shape, turned=not scope.reading.rows)
        scope.definitions |= own
        for expression in (printed, *(body for _, body in own.values())):
            set_widths(scope, expression)
        for name in wide:
            scope.sizes[spell(name.symbol)] = scope.size("d_k")
            scope.sizes["d_model"] = scope.size("d_k")
        width = Tensor.number(scope.size("d_k"))
        kinds = {
            "zero": Tensor.number(0),
            "one": Tensor.number(1),
            "root": width.apply("sqrt"),
            "inverse": width.raised(Fraction(-1, 2)),
        }
        for key, kind in neutral.items():
            scope.given[key] = kinds[kind]

    return prepare


def set_widths(scope: Scope, printed: f.Expression) -> None:
    """What stands below the scores is the width of the keys, by whatever letter, but for other widths."""
    for name in (n for part in f.walk(printed) for n in _below(part)):
        label = name.sub[0].lower() if name.sub else ""
        if name.base in _WIDTHS and not name.sup and label not in ("model", "v", "ff", "emb", "value"):
            scope.sizes[spell(name.symbol)] = scope.size("d_k")


def _below(part: f.Expression) -> Iterator[f.Name]:
    """The names of what a scale is made of: below a line, under a root, to a power."""
    match part:
        case f.Quotient(_, below) if not any(isinstance(p, f.BigSum) for p in f.walk(below)):
            yield from names(below)
        case f.Root(inside) | f.Power(inside, _):
            yield from names(inside)


def _keys(found: Iterable[f.Name]) -> Iterator[Key]:
    return (n.symbol for n in found)


def _extras(printed: f.Expression, roles: Sequence[Key], own: Definitions) -> list[Key]:
    """The symbols of a printed side that the definition does not have: masks, biases, temperatures.

    What the article defines is looked into; it is none itself.
    """
    found: dict[Key, None] = {}
    waiting, seen = list(_keys(names(printed))), set[Key]()
    added = set(_keys(_added(printed)))  # the E of QKᵀ/√d + E is no width
    while waiting:
        key = waiting.pop(0)
        if key in seen or key in roles or (key[0] in (*_WIDTHS, "n", "m") and key not in added):
            continue
        seen.add(key)
        if key in own and not own[key][0]:
            waiting += _keys(names(own[key][1]))
        else:
            found[key] = None
    return list(found)


def _added(printed: f.Expression) -> Iterator[f.Name]:
    """The names that are terms beside the scores within a softmax."""
    for call in f.walk(printed):
        if isinstance(call, f.Call) and call.function == "softmax":
            for total in (argument for argument in call.arguments if isinstance(argument, f.Sum)):
                alone = (term for term in total.terms if isinstance(term, f.Name))
                yield from (term for term in alone if [*names(printed)].count(term) == 1)


def _neutral(extras: Sequence[Key], scaled: bool) -> Iterator[dict[Key, str]]:
    """What the symbols may be so that they change nothing: a mask 0, a temperature 1, or √d_k where it is the scale."""
    if len(extras) > 2:
        return
    if not extras:
        yield {}
        return
    tempered = all(key[0] in _MASKS or key[0] in _TEMPERATURES for key in extras)
    for kind in ("zero", *(("one",) if tempered else ()), "root", "inverse") if scaled else ("zero",):
        yield {key: "zero" if key[0] in _MASKS or key[0].startswith(("mask", "bias")) else kind for key in extras}


def _is_bias_scaled(printed: f.Expression) -> bool:
    """Whether a bias is added to the scores before they are divided, `(QKᵀ + B)/√d`; of a mask it is all one."""
    above = [p.numerator for p in f.walk(printed) if isinstance(p, f.Quotient)]
    added = [t for e in above if isinstance(e, f.Sum) for t in e.terms if isinstance(t, f.Name)]
    return any(t.base in _MASKS and t.base[0] in "Bb" for t in added)


def _proof(roles: Sequence[Key], scaled: bool, own: Definitions) -> Callable[[f.Expression], bool] | None:
    """That a printed side is attention of any matrices with tokens in rows, for every size."""
    if any(key[0].islower() for key in roles) and not _is_of_program(roles):
        return None
    q, k, v = (f.Name(*key) for key in roles)
    scores: f.Expression = f.Product((q, f.Transpose(k)), ("",))
    if scaled:
        scores = f.Quotient(scores, f.Root(_WIDTH))
    attended = f.Product((f.Call("softmax", (scores,)), v), ("",))
    n, m, d, e = map(size, "nmde")
    shapes = dict(zip(roles, ((n, d), (m, d), (m, e)), strict=True))

    def proof(printed: f.Expression) -> bool:
        letters = {x.symbol for part in f.walk(printed) for x in _below(part) if x.base in _WIDTHS}
        sizes = {_WIDTH.symbol: d, **dict.fromkeys(letters, d)}
        plain = {key: body for key, (indices, body) in own.items() if not indices and key not in sizes}
        return are_equal(attended, printed, shapes, sizes, plain)

    return proof


_WIDTH = f.Name("d", ("k",))


def _condition(neutral: dict[Key, str], scaled: bool) -> Sentence | None:
    scales = [spell(key) for key, kind in neutral.items() if kind != "zero"]
    if not scaled:
        return Sentence("formula.if_unscaled")
    kind = next((kind for kind in neutral.values() if kind != "zero"), None)
    return None if kind is None else Sentence(_SCALES[kind], name=scales[0])
