"""The forward pass that an article writes down: its definitions, and the standard attention for what it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard, cast

from symattn.checking.formulas.gradients.batches import find_batch_label, without_label
from symattn.checking.formulas.gradients.collected import Collected, without_circles, without_other_loss
from symattn.checking.formulas.gradients.masked import MASKS, added_masks, hides
from symattn.checking.formulas.gradients.own_scores import (
    cores_of,
    find_argument,
    find_factors,
    name_scores,
    with_keys_in_rows,
)
from symattn.checking.formulas.gradients.scales import find_scaled, find_scales, name_scale, with_other_scale
from symattn.checking.formulas.gradients.tempered import AT_ONE, tempered_of
from symattn.checking.formulas.gradients.weights_as_scores import find_weight_letter, with_weight_letter
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import is_loss, letter_of, slope_of
from symattn.checking.models.passes import Definition, Plan, swap_case
from symattn.checking.models.spelling import open_indices, rename_indices, spell, sum_repeated
from symattn.checking.naming import rewrite
from symattn.checking.work import spend
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

SHAPES = {"Q": ("n", "d"), "K": ("m", "d"), "V": ("m", "e")}
NUMBERS: dict[str, tuple[str, ...]] = dict.fromkeys(("τ", "λ", "κ", "scale"), ())
_OF_KEYS = ("d_k", "d", "d_h", "d_q", "dk", "d_key", "d_head", "D_h", "D_k", "D", "d_qk", "d_K", "d_Q")
SIZES = dict.fromkeys(_OF_KEYS, "d") | {"d_v": "e", "d_V": "e", "d_model": "c"}
WEIGHTS = ("A", "P", "α", "a", "p", "W", "attn")
SCORES = ("S", "E", "s", "e", "Z", "z", "scores", "score")
MOST_MEANINGS = 4  # of one letter
TOKENS = ("X", "H", "E", "x", "h")
OUTPUTS = ("O", "Y", "H", "C", "o", "y", "c", "output", "out")


@dataclass(frozen=True)
class Reading:
    """A plan, and under which convention the letters mean that (None if there is no other)."""

    plan: Plan
    condition: Sentence | None = None


ROW_SUMS = ("D", "δ", "Δ", "Delta", "delta")


def row_sums_in(sides: Sequence[f.Expression], known: dict[str, Definition]) -> Definition | None:
    """The D of `dS = P ∘ (dP − D)`, or P ∘ dP − diag(D) P, where no line says what it is: FlashAttention's row sums of
    P ∘ dP."""
    for part in (part for side in sides for part in f.walk(side) if isinstance(part, f.Sum)):
        for term, sign in zip(part.terms, part.signs, strict=True):
            names = [x for x in f.walk(_without_weights(term, part)) if isinstance(x, f.Name) and x.base != "𝟏"]
            weights = [x for x in WEIGHTS if x in {letter_of(s).key for s in _slopes(part)}]
            if sign > 0 or len(names) != 1 or len(weights) != 1:
                continue
            letter = letter_of(names[0])
            if letter.key in ROW_SUMS and letter.key not in known and len(letter.indices) < 2:
                weight = f.Name(weights[0])
                product = f.Elementwise((weight, f.Derivative(f.Name("L"), weight)))
                return Definition(letter.key, (), f.Call("rowsum", (product,)))
    return None


def _without_weights(term: f.Expression, total: f.Sum) -> f.Expression:
    """diag(D) for diag(D) P where the others of a sum have P too; any other term as it is."""
    match term:
        case f.Product((f.Call("diag") as diagonal, f.Name() as weights)) if letter_of(weights).key in WEIGHTS:
            return diagonal if all(weights in f.walk(other) for other in total.terms) else term
    return term


def _slopes(e: f.Expression) -> Iterator[f.Name]:
    return (slope for part in f.walk(e) if (slope := slope_of(part)) is not None)


def definitions_in(context: Context, but: Statement, *, whole: bool = False) -> dict[str, Definition]:
    """What the letters of an article are defined to be by its other statements, the first time each.

    With `whole` Q, K and V too, which are free otherwise.
    """
    asked = (definitions_in, but.number, whole)
    kept, known = cast(tuple[Statement | None, dict[str, Definition]], context.found.get(asked, (None, {})))
    if kept is not but:
        first = {key: made[0] for key, made in all_definitions_in(context, but, whole=whole).items()}
        known = through_weights(without_other_loss(without_circles(first)))
        known = _with_named_weights(known, context.once(_find_unnamed_weights))
        context.found[asked] = but, known
    return dict(known)


def through_weights(known: dict[str, Definition]) -> dict[str, Definition]:
    """O = softmax(QKᵀ) V as PV where the article calls that softmax P = softmax(S) with S = QKᵀ."""
    weights = {key: d for key, d in known.items() if is_softmax(d.expression) and not d.indices}
    others = {key: d for key, d in known.items() if key not in weights and any(map(is_softmax, d.parts))}
    if not weights or not others:
        return known
    letters: dict[f.Expression, str] = {}
    for key, d in weights.items():
        letters.setdefault(_expanded(d.expression, known), key)

    def named(part: f.Expression) -> f.Expression:
        letter = letters.get(_expanded(part, known)) if is_softmax(part) else None
        return part if letter is None else f.Name(letter)

    return known | {key: replace(d, expression=rewrite(d.expression, named)) for key, d in others.items()}


def _find_unnamed_weights(_: Article, statements: Sequence[Statement]) -> str:
    """The one letter A or P that an article uses with gradients and no line defines; "" where there is none."""
    lefts = {letter_of(s.left).key for s in statements if len(s.equals) > 1 and isinstance(s.left, f.Name)}
    used = {part.base.removeprefix("d") for s in statements for side in s.equals for part in f.walk(side)
            if isinstance(part, f.Name) and not (part.sub or part.sup)}  # fmt: skip
    found = [key for key in ("A", "P") if key in used and key not in lefts]
    return found[0] if len(found) == 1 else ""


def _with_named_weights(known: dict[str, Definition], letter: str) -> dict[str, Definition]:
    """O = softmax(QKᵀ) V as P V, with P for the one softmax that stands in a formula and has no name."""
    if not letter or letter in known or any(map(is_softmax, (made.expression for made in known.values()))):
        return known
    softmaxes = {part for made in known.values() for part in made.parts if is_softmax(part)}
    if len(softmaxes) != 1:
        return known
    (softmax,) = softmaxes

    def named(part: f.Expression) -> f.Expression:
        return f.Name(letter) if part == softmax else part

    changed = {key: replace(made, expression=rewrite(made.expression, named)) for key, made in known.items()}
    return {**changed, letter: Definition(letter, (), softmax)}


MOST_PUT_IN = 64  # definitions in one formula: each may name others many times


def _expanded(e: f.Expression, known: dict[str, Definition]) -> f.Expression:
    """The formula with the definitions of whole letters put in, and those of the letters in them."""
    left = MOST_PUT_IN

    def put_in(part: f.Expression, depth: int) -> f.Expression:
        nonlocal left
        made = known.get(letter_of(part).key) if isinstance(part, f.Name) and slope_of(part) is None else None
        plain = made is not None and not made.indices and isinstance(part, f.Name) and not letter_of(part).indices
        if made is None or not plain or not depth or not left:
            return part
        left -= 1
        return rewrite(made.expression, lambda inner: put_in(inner, depth - 1))

    return rewrite(e, lambda part: put_in(part, 4))


def other_definitions_in(context: Context, but: Statement, *, whole: bool = False) -> Iterator[dict[str, Definition]]:
    """The same with another of the definitions of one letter, where an article gives it several."""
    every = all_definitions_in(context, but, whole=whole)
    known = {key: made[0] for key, made in every.items()}
    for key, made in every.items():
        for other in made[1:MOST_MEANINGS]:
            yield {**known, key: other}


def all_definitions_in(context: Context, but: Statement, *, whole: bool = False) -> dict[str, list[Definition]]:
    """All that the letters are defined to be. What the statement differentiates is the loss, whatever its letter."""
    equations = context.once(find_equations, find_weights, find_scales, find_batch_label)
    spend(len(equations))
    losses = {x.of for side in but.equals for x in f.walk(side) if isinstance(x, f.Derivative) and is_loss(x.of)}
    tempered: bool = context.once(_have_temperatures, find_equations)
    if losses or tempered:
        own = Collected((0, made) for each in equations if (made := _meant(each, but, losses, context, whole=whole)))
        found = own.every
    else:
        found = context.once(_collect_whole if whole else _collect, find_equations).without(id(but))
    masked = context.once(find_masked, find_equations)
    of_pass = {key: [each for each in made if is_as_masked(each, masked)] for key, made in found.items()}
    plain = {key: _without_recomputed(key, made) for key, made in of_pass.items() if made}
    scaled = context.once(find_scaled)
    return {key: with_other_scale(made, scaled) for key, made in plain.items()} if scaled else plain


def find_masked(_: Article, __: Sequence[Statement], equations: Sequence[Equation]) -> frozenset[str]:
    """The letters of which a line says that they are -∞ somewhere, or masked: what others say holds elsewhere alone."""
    return frozenset(letter_of(each.name).key for each in equations if hides(each.right))


def is_as_masked(made: Definition, masked: Set[str]) -> bool:
    """Whether it is all that a letter is: not S alone, where that is -∞ elsewhere."""
    return made.key not in masked or hides(made.expression)


def _collect(_: Article, __: Sequence[Statement], equations: Sequence[Equation]) -> Collected:
    return Collected((id(each.statement), made) for each in equations if (made := each.definition) is not None)


def _collect_whole(_: Article, __: Sequence[Statement], equations: Sequence[Equation]) -> Collected:
    return Collected((id(each.statement), made) for each in equations if (made := each.whole) is not None)


def _have_temperatures(_: Article, __: Sequence[Statement], equations: Sequence[Equation]) -> bool:
    made = (made for each in equations for made in (each.definition, each.whole) if made is not None)
    return any(tempered_of(each) is not None for each in made)


def _meant(
    equation: Equation, but: Statement, losses: Set[f.Expression], context: Context, *, whole: bool
) -> Definition | None:
    """What an equation defines for a statement with these losses; None for the statement itself."""
    if equation.statement is but:
        return None
    if losses == {equation.name}:
        made = definition_of(f.Name("L"), equation.right, whole=whole)
    elif losses and equation.name.base == "L":
        return None
    else:
        made = equation.whole if whole else equation.definition
    if made is None or (tempered_of(made) is not None and _is_without_temperature(equation, but, context)):
        return None
    return made


def _is_without_temperature(equation: Equation, but: Statement, context: Context) -> bool:
    """Whether a formula may be of the softmax before an equation gives it a temperature, or of the temperature 1."""
    return equation.statement.number > but.number or context.mentions(AT_ONE)


def _without_recomputed(key: str, made: list[Definition]) -> list[Definition]:
    """The meanings without P = e^{S − LSE} beside P = softmax(S), which it is again."""
    if key not in WEIGHTS or not any(is_softmax(each.expression) for each in made):
        return made
    return [each for each in made if not (isinstance(each.expression, f.Call) and each.expression.function == "exp")]


@dataclass(frozen=True)
class Equation:
    """`name = right` of an article, as models spell it, and the definition that it is of the name."""

    statement: Statement
    name: f.Name
    right: f.Expression

    @cached_property
    def definition(self) -> Definition | None:
        return definition_of(self.name, self.right)

    @cached_property
    def whole(self) -> Definition | None:
        return definition_of(self.name, self.right, whole=True)


def find_equations(
    article: Article, statements: Sequence[Statement], apart: bool, scales: frozenset[str], label: str
) -> list[Equation]:
    """The equations of an article whose left side is a name; with `apart` W is what it calls the weights."""
    found, weights = [], find_weight_letter(article, statements)
    for statement in statements:
        sides = [*map(_as_letter, statement.equals[:1]), *statement.equals[1:2]]
        sides = [with_weight_letter(without_label(side, label), weights) for side in sides]
        if len(sides) < 2 or not isinstance(sides[0], f.Name) or slope_of(sides[0]) is not None:
            continue
        name, right = (spell(name_scale(side, scales)) for side in rename_indices(sum_repeated(sides[:2])))
        assert isinstance(name, f.Name)
        right = _as_softmax(name, rewrite(right, _summed_by_entry), article.words)
        found.append(Equation(statement, name, rewrite(right, _apart) if apart else right))
    return found


def _summed_by_entry(part: f.Expression) -> f.Expression:
    """rowsum(dO * O) of a program: what is summed is multiplied entry by entry."""
    match part:
        case f.Call("rowsum" | "sum", (f.Product(factors, operators) as product,)) if set(operators) == {"*"}:
            by_entry = f.Elementwise(factors, start=product.start, end=product.end)
            return replace(part, arguments=(by_entry,))
    return part


def _as_letter(left: f.Expression) -> f.Expression:
    """f(x) = log Σ_i e^{x_i} says what f is, a number that x makes."""
    match left:
        case f.Call("f" | "F" | "g" | "L" | "ℓ" as letter, (f.Name(),)):
            return f.Name(letter, start=left.start, end=left.end)
        case f.Call("Attention" | "Attn" | "attention" | "attn" as word):
            return f.Name(word, start=left.start, end=left.end)
        case f.Product((f.Name("Δ"), f.Name())):
            return spell(left)  # the change of a matrix, ΔW, is one letter
    return left


_LSE = regex(r"log-?sum-?exp|\bLSE\b", re.IGNORECASE)
_OTHERWISE = regex(  # words by which σ is the logistic function, and L no logarithm of a row's sum
    r"logistic|sigmoid|entry by entry|element-?wise|逐元素|\b(?:unlike|compare|not) soft-?max|constant|row-?max"
    r"|columns",
    re.IGNORECASE,
)
_SIGMA = regex(r"soft-?max|diag\W*\(\W*(\w)\W*\)\s*-\s*\1", re.IGNORECASE)


def _is_said(words: re.Pattern[str], source: str) -> bool:
    """Whether the article has these words, and none by which something else is meant."""
    return words.search(source) is not None and not _OTHERWISE.search(source)


def _as_softmax(name: f.Name, right: f.Expression, source: str) -> f.Expression:
    """P = e^{S − L} with the logarithms L of the sums, which FlashAttention keeps, and p = σ(z) as the softmax that
    they are where the article says so; P = e^{S − m} / l with the largest score and the sum."""
    match right:
        case f.Quotient(
            f.Call("exp", (f.Sum((f.Name(sub=()) as own, f.Name("m", ())), (1, -1)),)), f.Name("l" | "ℓ", ())
        ):
            whole = name.base in WEIGHTS and not name.sub and own.base in SCORES
            return f.Call("softmax", (own,), start=right.start, end=right.end) if whole else right
    if not isinstance(right, f.Call) or len(right.arguments) != 1 or name.base not in WEIGHTS:
        return right
    [inside] = right.arguments
    if right.function == "sigma" and isinstance(inside, f.Name):
        return replace(right, function="softmax") if _is_said(_SIGMA, source) else right
    if right.function != "exp" or not isinstance(inside, f.Sum):
        return right
    scores, less = (*inside.terms, None, None)[:2]
    if not isinstance(less, f.Name) or less.base not in ("L", "LSE", "lse", "ℓ") or inside.signs != (1, -1):
        return right
    if not isinstance(scores, f.Name) or not _is_of_row(name, scores, less):
        return right
    if not _is_said(_LSE, source) and not _is_said(_ROW_SUMS, source):
        return right
    return f.Call("softmax", (scores,), start=right.start, end=right.end)


_ROW_SUMS = regex(  # D = rowsum(O ∘ dO), which is that of softmax alone
    r"row\W{0,3}sum\W{0,4}\(\s*(?:O\b\s*(?:\\(?:circ|odot|cdot)|[*∘⊙])\s*dO|dO\s*(?:\\(?:circ|odot|cdot)|[*∘⊙])\s*O)\b"
)


def _is_of_row(weight: f.Name, score: f.Name, log: f.Name) -> bool:
    """Whether all three are whole, or the weight and the score are entries of the row whose logarithm is taken."""
    places = letter_of(score).indices
    return not (weight.sub or score.sub) or (
        len(places) == 2 and letter_of(weight).indices == places and letter_of(log).indices == places[:1]
    )


def find_letters(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """Every letter of an article, those of gradients included."""
    names = (x for s in statements for side in s.sides for x in f.walk(spell(side.expression)) if isinstance(x, f.Name))
    return frozenset(letter_of(slope_of(name) or name).key for name in names)


def apart_from_weights(side: f.Expression, context: Context) -> f.Expression:
    """`WV` as a product where W is what the article calls the weights, and not the matrix W_V."""
    return rewrite(side, _apart) if context.once(find_weights) else side


def find_weights(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether an article calls the weights W."""
    return any(s.left == f.Name("W") and any(is_softmax(side) for side in s.equals[1:]) for s in statements)


def is_softmax(e: f.Expression) -> TypeGuard[f.Call]:
    return isinstance(e, f.Call) and e.function == "softmax"


def _apart(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Name) or part.base != "W" or len(part.sub) != 1 or part.text != f"W{part.sub[0]}":
        return part
    return f.Product((f.Name("W"), f.Name(part.sub[0])), ("",), start=part.start, end=part.end)


def definition_of(name: f.Name, right: f.Expression, *, whole: bool = False) -> Definition | None:
    """`name = right` as a definition; None if it refers to itself, as recurrences do, or is of one member."""
    letter = letter_of(name)
    if "row" in name.sub and isinstance(right, f.Call) and right.function == "sum":
        right = replace(right, function="rowsum")  # D_row = sum(O ∘ dO)
    if letter.indices and _is_softmax_of_entries(letter.indices, right):
        name, right = replace(name, sub=()), rewrite(right, lambda part: _whole(part, letter.indices))
        letter = letter_of(name)
    elif isinstance(right, f.Entry) and _is_same_entry(name, right):
        name, right = replace(name, sub=()), right.operand
        letter = letter_of(name)
    if len(letter.indices) == 1 and _is_of_rows(right):
        letter = replace(letter, indices=())  # D_i = rowsum(dO ∘ O), all of them
    if f.is_printed(right) or not all(i.isalpha() for i in letter.indices) or (letter.key in SHAPES and not whole):
        return None
    used = {letter_of(part).key for part in f.walk(right) if isinstance(part, f.Name)}
    if letter.key in used or (swap_case(letter.key) in used and not is_partition(letter.indices, right)):
        return None
    if letter.indices and not open_indices(right) <= set(letter.indices):
        return None  # summed over without saying so
    return Definition(letter.key, letter.indices, right)


def _is_of_rows(e: f.Expression) -> bool:
    """Whether it is a sum, or the like, of each row of a whole matrix."""
    return isinstance(e, f.Call) and e.function in ("rowsum", "rowmax") and not open_indices(e)


def is_partition(indices: Sequence[str], right: f.Expression) -> bool:
    """Whether this is the Z of Z = Σ_k e^{z_k}, a number beside the vector z."""
    return (
        not indices and isinstance(right, f.BigSum) and isinstance(right.body, f.Call) and right.body.function == "exp"
    )


def _is_softmax_of_entries(indices: tuple[str, ...], right: f.Expression) -> bool:
    """`softmax_j(S_{ij})` for A_{ij}: of all numbers of a row, though one of them is named."""
    if not isinstance(right, f.Call) or right.function != "softmax" or not isinstance(right.arguments[0], f.Name):
        return False
    return letter_of(right.arguments[0]).indices == indices and right.label in ((), indices[-1:])


def _is_same_entry(name: f.Name, right: f.Entry) -> bool:
    """Whether an entry is that of a whole, p_i = softmax(z)_i, which then has the name without its index."""
    own, theirs = ("".join(marks).replace(",", "") for marks in (name.sub, right.indices))
    return own == theirs and re.fullmatch("[a-z]{1,2}", own) is not None and not open_indices(right.operand)


def _whole(part: f.Expression, indices: tuple[str, ...]) -> f.Expression:
    if isinstance(part, f.Call):
        return replace(part, label=())
    return replace(part, sub=()) if isinstance(part, f.Name) and letter_of(part).indices == indices else part


def readings(keys: Sequence[str], known: dict[str, Definition], letters: frozenset[str]) -> Iterator[Reading]:
    """The forward passes that the letters may belong to: rows or columns, scaled scores or plain ones."""
    own = list(_with_own_scores(keys, known))
    yield from own
    for scaled in (True, False) if not own else ():
        definitions, free, filled = fill_in(keys, known, letters, scaled)
        condition = Sentence("condition.scaled_scores" if scaled else "condition.plain_scores") if filled else None
        definitions = {k: d for k, d in definitions.items() if not isinstance(d.expression, f.Cases) or k not in MASKS}
        free |= dict.fromkeys(free_masks(definitions), ("n", "m"))
        yield from standing(definitions, free, condition)
        if not filled:
            break
    yield from _with_scale_behind(keys, known, letters)


def standing(
    definitions: dict[str, Definition], free: dict[str, tuple[str, ...]], condition: Sentence | None
) -> Iterator[Reading]:
    """A forward pass with vectors that are columns, and with such that are rows."""
    free = free | dict.fromkeys(added_masks(definitions), ("n", "m"))
    for columns in (True, False):
        yield Reading(Plan(SHAPES | NUMBERS | free, definitions, SIZES, columns), condition)


def _with_scale_behind(keys: Sequence[str], known: dict[str, Definition], letters: frozenset[str]) -> Iterator[Reading]:
    """The forward pass whose scores are QKᵀ and weights softmax(scale · S), where no line says what either is:
    dS = P ∘ (dP − D) · scale belongs to it."""
    weights, scores = _used(WEIGHTS, keys, known), _used(SCORES, keys, known)
    if weights is None or scores is None or weights in known or scores in known:
        return
    definitions, free, _ = fill_in(keys, known, letters, False)
    own = next((number for number in NUMBERS if number in keys and number not in known), None)
    scaled = (
        f.Quotient(f.Name(scores), f.Root(f.Name("d", ("k",)))) if own is None else _times(f.Name(own), f.Name(scores))
    )
    definitions[weights] = Definition(weights, (), f.Call("softmax", (scaled,)))
    if own is not None and scores in definitions:
        definitions[scores] = Definition(scores, (), _times(f.Name("Q"), f.Transpose(f.Name("K"))))
    yield from standing(definitions, free, Sentence("condition.plain_scores"))


def _with_own_scores(keys: Sequence[str], known: dict[str, Definition]) -> Iterator[Reading]:
    """The forward passes whose scores S, which no line defines, are what the article takes the softmax of, or QKᵀ."""
    for definitions, free, key in _own_scores(keys, known):
        if key is not None:
            free |= dict.fromkeys(free_masks(definitions), ("n", "m"))
            yield from standing(definitions, free, Sentence(key))


def with_scaled_product(keys: Sequence[str], known: dict[str, Definition]) -> dict[str, Definition] | None:
    """The definitions where S is QKᵀ/√d_k though what the article takes the softmax of is that with more scales."""
    return next((made for made, _, key in _own_scores(keys, known) if key is None), None)


def _own_scores(
    keys: Sequence[str], known: dict[str, Definition]
) -> Iterator[tuple[dict[str, Definition], dict[str, tuple[str, ...]], str | None]]:
    weights, scores = _used(WEIGHTS, keys, known), _used(SCORES, keys, known)
    argument = find_argument(known, weights)
    if argument is None or scores is None or scores in known or scores not in keys or scores in names_in(argument):
        return
    output = _used(OUTPUTS, keys, known)
    made = dict(known)
    if weights is not None and weights not in made:
        made[weights] = Definition(weights, (), f.Call("softmax", (argument,)))
    if weights is not None and output is not None and output not in made:
        made[output] = Definition(output, (), _times(f.Name(weights), f.Name("V")))
    free: dict[str, tuple[str, ...]] = {**find_factors(argument, made, (*SHAPES, *SIZES))}
    name = f.Name(scores)
    yield name_scores(made, argument, name), free, "condition.last_scores"
    for core, key in zip(cores_of(argument), ("condition.plain_scores", None), strict=False):
        yield name_scores(made, argument, name, core), free, key


def free_masks(definitions: dict[str, Definition]) -> Iterator[str]:
    """What is added to the scores without a line that says what it is: a mask, which is free."""
    for definition in definitions.values():
        for part in f.walk(definition.expression):
            terms = part.terms if isinstance(part, f.Sum) and len(part.terms) == 2 else ()
            names = [x for x in terms if isinstance(x, f.Name) and x.base in MASKS]
            products = any(x.base in SCORES if isinstance(x, f.Name) else not isinstance(x, f.Number) for x in terms)
            yield from (x.base for x in names if products and x.base not in definitions and not (x.sub or x.sup))


def is_of_field(key: str) -> bool:
    """Whether the field has a use for a letter here."""
    return key in SHAPES or key in NUMBERS or key in SIZES or key in (*WEIGHTS, *SCORES, *OUTPUTS)


def readings_with_gradient(
    plain: Sequence[str], keys: Sequence[str], known: dict[str, Definition], letters: frozenset[str]
) -> Iterator[Reading]:
    """Where one letter is not settled, the forward passes with it as ∂L/∂S, ∂L/∂A or ∂L/∂O."""
    unsettled = [key for key in plain if key not in known and not is_of_field(key) and "_" not in key and key != "L"]
    if len(unsettled) != 1:
        return
    [own] = unsettled
    for family in (SCORES, WEIGHTS, OUTPUTS):
        by = next((letter for letter in family if letter in known), family[0])
        slope = Definition(own, (), f.Derivative(f.Name("L"), f.Name(by)))
        for reading in readings([*keys, by], {**known, own: slope}, letters):
            condition = Sentence("condition.is_gradient", name=own, by=by)
            if reading.condition is not None:
                condition = Sentence("count_and", left=reading.condition, right=condition)
            yield replace(reading, condition=condition)


def fill_in(
    keys: Sequence[str], known: dict[str, Definition], letters: frozenset[str], scaled: bool
) -> tuple[dict[str, Definition], dict[str, tuple[str, ...]], bool]:
    """The definitions, with those of the standard attention for letters that have none, as far as the article has the
    letters that these are made of; the shapes of those that stay free; whether scores are filled in too."""
    made = dict(known)
    has = {letter: letter in letters or swap_case(letter) in letters for letter in SHAPES}
    weights = _used(WEIGHTS, keys, made)
    scores = _used(SCORES, keys, made) or "S"
    output = _used(OUTPUTS, keys, made)
    filled = False
    if (turned := with_keys_in_rows(made, scores, weights, output)) is not None:
        return turned, {}, False
    if weights is not None and weights not in made:
        made[weights] = Definition(weights, (), f.Call("softmax", (f.Name(scores),)))
    flash = weights == "P" and output == "O"  # FlashAttention's letters, whose backward pass may do without V
    if weights is not None and output is not None and output not in made and (has["V"] or flash):
        made[output] = Definition(output, (), _times(f.Name(weights), f.Name("V")))
    if scores in made or (
        weights is not None and scores not in names_in(made[weights].expression) and scores not in keys
    ):
        return made, {}, False
    free: dict[str, tuple[str, ...]] = {scores: ("n", "m")}
    if has["Q"] and has["K"]:
        product = _times(f.Name("Q"), f.Transpose(f.Name("K")))
        own = next((number for number in NUMBERS if number in keys and number not in made), None)
        if own is not None:  # a scale of which no line says what it is
            made[scores] = Definition(scores, (), _times(f.Name(own), product))
            return made, {}, False
        made[scores] = Definition(scores, (), f.Quotient(product, f.Root(f.Name("d", ("k",)))) if scaled else product)
        free, filled = {}, True
    return made, free, filled


def _used(letters: Sequence[str], keys: Sequence[str], known: dict[str, Definition]) -> str | None:
    """The first of these letters that the statement uses, in the spelling that is defined if one is."""
    for letter in letters:
        if letter in keys:
            return next((s for s in (letter, swap_case(letter)) if s in known), letter)
    return next((letter for letter in letters if letter in known), None)


def names_in(e: f.Expression) -> set[str]:
    return {letter_of(part).key for part in f.walk(e) if isinstance(part, f.Name)}


def _times(*factors: f.Expression) -> f.Product:
    return f.Product(factors, ("",) * (len(factors) - 1))
