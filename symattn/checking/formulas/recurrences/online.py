"""Online softmax: printed updates of maximum, sum and output, and merges of blocks, against attention over all keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import inf
from typing import Literal

import sympy

from symattn.checking.equality.indices import Cut, Undecided
from symattn.checking.equality.terms import Budget
from symattn.checking.findings import Formula
from symattn.checking.formulas.recurrences.online_spelling import (
    is_rescaled_before,
    mark_of_block,
    rescales,
    spell_online,
)
from symattn.checking.formulas.recurrences.online_states import (
    _FRESH,
    BLOCK,
    LETTERS,
    NEW,
    OF_BLOCKS,
    OF_STATES,
    OLD,
    OTHER,
    are_marked_apart,
    are_marked_in_two_ways,
    are_of_two_queries,
    is_marked,
    is_of_slices,
    merge_in,
    names_in,
    states_in,
    step_in,
    step_of,
)
from symattn.checking.formulas.recurrences.online_trials import Definitions, Trials, agrees, prepare
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import BITS, compare_at, judge_sides, mend_statement
from symattn.checking.formulas.trials.pointed import show_difference
from symattn.checking.models.block_sums import index_of_largest
from symattn.checking.models.blocks import BlockModel, Blocks, Conventions
from symattn.checking.models.equations import Difference, is_identity
from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.letters import join_differentials, slope_of
from symattn.checking.models.prefixes import CONVENTIONS, LENGTH, Convention, PrefixModel, name_steps
from symattn.checking.models.rings import Forms
from symattn.checking.models.spelling import open_indices
from symattn.checking.models.tensors import MisfitError
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

MOST_PRODUCTS = 5_000  # of one proof
MOST = 60  # statements that are held against the conventions
_OF_ROWS = ("exp", "log", "diag", "rowmax", "rowsum", "max", "softmax")
_BRACKETED = regex(r"\([a-z]{2,}\)")
_ABOUT = regex(
    r"online[- ]softmax|flash|log-?sum-?exp|\blse(?![a-z])|running (?:max|sum)|rowmax|ring attention|block"
    r"|在线 ?softmax|分块|合并|ブロック|블록",
    re.IGNORECASE,
)
_CONVENTIONS = tuple(
    Conventions(normalised, weights, apart, fresh, plain)
    for plain, fresh, normalised, weights, apart in product(
        (False, True), (False, True), (True, False), ("running", "own", "divided"), (False, True)
    )
)


def judge_online(statement: Statement, context: Context) -> Formula | None:
    """An equation of running maxima, sums and outputs, over blocks of keys or key by key."""
    if _is_of_itself(statement.equals):
        return None
    found = _judge_blocks(statement, context) or _judge_prefix(statement, context)
    alone = len(statement.equals) == 2 and isinstance(statement.equals[1], f.BigSum)
    open_ = found is not None and found.verdict == "fails" and alone and _BARE_SUM.search(statement.text)
    return None if open_ else found  # ℓ = Σ e^{s_j − m} may be of the keys that were seen before


def _is_of_itself(sides: Sequence[f.Expression]) -> bool:
    """Whether a maximum at a step is that of itself and others, m^{(j)} = max(m^{(j)}, …): true, and not meant.

    Without a mark it may be the line of a program, which gives a letter a new value; so it may with that of a row, m_i
    beside S_ij.
    """
    match sides:
        case [f.Name() as left, f.Call("max", arguments)]:
            rows = {"".join(name.sub)[:-1] for name in names_in(arguments)}
            of_row = not left.sup and "".join(left.sub) in rows
            return left in arguments and bool(left.sub or left.sup) and not of_row
    return False


_BARE_SUM = regex(r"(?:\\sum|Σ|∑)(?!\s*(?:\\(?:no)?limits)?\s*[_^])")


def _judge_blocks(statement: Statement, context: Context) -> Formula | None:
    """An equation that goes on block by block, under the conventions that fit the article's lines best."""
    equals = [rewrite(side, _marked) for side in statement.equals]
    joined = map(join_differentials, equals)
    if any(slope_of(part) is not None for side in joined for part in f.walk(side)):
        return None  # a gradient is of no running softmax
    sides = in_usual_letters(equals, context.once(find_logarithms))
    first = sides[0] if sides else None
    if isinstance(first, f.Name) and (first.base not in LETTERS or (len(sides) > 1 and _is_factor(sides))):
        sides = sides[1:]  # a name for what follows
    if len(sides) < 2 or not _is_online(sides) or are_of_two_queries(sides) or _names_larger(sides):
        return None
    if not context.once(_is_about) or not {x for side in sides for x in open_indices(side)}.isdisjoint(
        context.once(_find_key_indices)
    ):
        return None
    if any(isinstance(part, f.BigSum) and part.upper is not None for side in sides for part in f.walk(side)):
        return judge_sides(statement, _settle_prefix, "theorem.online_tried", "theorem.online_fails")
    defined, best = context.once(find_conventions, find_logarithms)
    merge = merge_in(prepare(sides, best[0])) is not None
    best = tuple(dict.fromkeys((*best, *(replace(c, apart=merge) for c in best))))
    outcomes, trials = [], Trials(sides, defined)
    for conventions in best:
        try:
            outcomes.append((conventions, trials.under(conventions)))
        except UnsettledError:
            continue
    held = [conventions for conventions, outcome in outcomes if outcome is None]
    if held:
        proven = any(_is_proven(sides, defined, conventions) for conventions in held)
        theorem = Sentence("theorem.online_proven" if proven else "theorem.online_tried")
        if all(c.weights == "running" for c in held) and _leaves_maximum_open(sides, context):
            return conclude(statement, "holds-if", theorem, condition=Sentence("condition.own_at_running"))
        return conclude(statement, "holds", theorem)
    if not outcomes or outcomes[0][1] is None:
        return None
    if _names_own(sides) and agrees(sides, defined, [replace(c, weights="own", plain=False) for c in best]):
        return None  # P̃ may be another one than that of the lines before
    if isinstance(outcomes[0][1][1], MisfitError):
        return None  # sides of other shapes: a name means something else here
    if are_marked_apart(sides) or are_marked_in_two_ways(sides):
        return None  # S^{(j+1)} beside m_j, or m_old beside m^{(j)}: which state is that of the block is not told
    if not context.once(_find_marks_of_blocks).isdisjoint(mark for name in names_in(sides) for mark in name.sub):
        return None  # p = e^{s − m_b}, where other lines have m_b for the block's own maximum
    if isinstance(sides[0], f.Name) and is_rescaled_before(sides[0].base, statement, context):
        return None
    used = {name.base for name in names_in(sides)}
    shifted = any(LETTERS[base] == "m" for base in used)
    plain = not shifted and any(_is_of_plain_score(part) for side in sides for part in f.walk(side))
    if plain and not any(map(_takes_maximum, context.statements[: statement.number])):
        return None  # d_i = d_{i−1} + e^{x_i}, before any maximum
    if not shifted and not context.once(_find_unshifted).isdisjoint(used):
        return None  # ℓ_i = Σ_j e^{s_ij}, from which no maximum is taken
    if agrees(_of_all_keys(sides), defined, best):
        return None  # ℓ_new = Σ_j e^{x_j − m_new}: of the new keys or of all so far
    if agrees(_without_mark(sides), defined, best):
        return None  # P^(2) = diag(ℓ^(2))⁻¹ P̃^(2), of head 2 or of block 2
    if agrees(_undivided(sides), defined, [replace(c, normalised=True) for c in best]):
        told = context.mentions(_UNDIVIDED)
        return conclude(statement, "holds", Sentence("theorem.online_tried")) if told else None
    if _divides_outputs(sides) and agrees(sides, {}, _CONVENTIONS):
        return None  # O = (e^{L_1} O_1 + e^{L_2} O_2)/(e^{L_1} + e^{L_2}), in which O is not that of other lines
    point = show_difference(*outcomes[0][1])
    right = mend_statement(statement, lambda changed: agrees(changed, defined, best))
    return refuse(statement, Sentence("theorem.online_fails"), right, point)


def _divides_outputs(sides: Sequence[f.Expression]) -> bool:
    """Whether outputs are divided by a sum in it, or weighted by their logarithms of sums: it says itself what they
    are."""
    parts = [part for side in sides for part in f.walk(side)]
    letters = {LETTERS[name.base] for name in names_in(sides)}
    return "O" in letters and ("lse" in letters or any(isinstance(part, f.Quotient) for part in parts))


def _marked(part: f.Expression) -> f.Expression:
    """The ℓ^(2) of plain text with a mark, where it is read as a square."""
    match part:
        case f.Power(f.Name(sup=()) as name, f.Number(text=text)) if name.text.endswith(f"^({text})"):
            return replace(name, sup=(f"({text})",))
    return part


def _without_mark(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides without the mark in brackets that all their names have."""
    marks = {name.sup for name in names_in(sides)}
    if len(marks) != 1 or not all(mark.startswith("(") for mark in marks.pop() or ("",)):
        return list(sides)
    return [rewrite(side, lambda part: replace(part, sup=()) if isinstance(part, f.Name) else part) for side in sides]


def _find_marks_of_blocks(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The marks that lines have for the states of the block, m_new = max(m, m_b)."""
    return frozenset(mark for each in statements if (mark := mark_of_block(each.equals)))


_UNDIVIDED = regex(
    r"un-?(?:normali[sz]|scal)ed|not (?:yet )?normali[sz]ed|[未非]归一化|未歸一化|(?:正規化|정규화) ?(?:前|전|되지)",
    re.IGNORECASE,
)


def _undivided(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """O = Σ e^{s_i − m} v_i, and a merge of outputs, that are divided by their sum in the end, and not before."""
    left, *others = sides
    if not isinstance(left, f.Name) or LETTERS.get(left.base) != "O":
        return sides
    if merge_in(sides) is None:
        return sides if left.sub or left.sup else [replace(left, base="Õ"), *others]

    def open_(part: f.Expression) -> f.Expression:
        return replace(part, base="Õ") if isinstance(part, f.Name) and LETTERS.get(part.base) == "O" else part

    return [left, *(rewrite(side, open_) for side in others)]


def _find_unshifted(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters of sums that a line says to be those of exponentials of scores alone."""
    found = set[str]()
    for statement in statements:
        left, right = (*statement.equals, None, None)[:2]
        if isinstance(left, f.Name) and LETTERS.get(left.base) == "ℓ" and isinstance(right, f.BigSum):
            powers = [
                part.arguments[0] for part in f.walk(right) if isinstance(part, f.Call) and part.function == "exp"
            ]
            found |= {left.base} if powers and all(isinstance(power, f.Name) for power in powers) else set()
    return frozenset(found)


def _takes_maximum(statement: Statement) -> bool:
    """Whether it is m_i = max(m_{i−1}, x_i)."""
    calls = (part for side in statement.equals for part in f.walk(side) if isinstance(part, f.Call))
    return any(call.function in ("max", "rowmax") for call in calls)


def _is_of_plain_score(part: f.Expression) -> bool:
    """Whether it is e^{x_i}, from which no maximum is taken."""
    match part:
        case f.Call("exp", (f.Name(base),)):
            return LETTERS.get(base) == "S"
    return False


def _of_all_keys(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """The sides without their marks, where all states have the same and sums run over keys that have none."""
    names = names_in(sides)
    sums = {part.index for side in sides for part in f.walk(side) if isinstance(part, f.BigSum)}
    marks = {(name.sub, name.sup) for name in names if LETTERS[name.base] not in OF_BLOCKS}
    keys = {mark for name in names if LETTERS[name.base] in OF_BLOCKS for mark in (*name.sub, *name.sup)}
    if len(marks) != 1 or not sums or not keys <= sums:
        return sides
    (common,) = marks

    def unmarked(part: f.Expression) -> f.Expression:
        own = isinstance(part, f.Name) and part in names and (part.sub, part.sup) == common
        return replace(part, sub=(), sup=()) if own else part  # type: ignore[call-arg]

    return [rewrite(side, unmarked) for side in sides]


def _leaves_maximum_open(sides: Sequence[f.Expression], context: Context) -> bool:
    """Whether the sum of a block alone is in it, and no line of the article says at which maximum that is taken."""
    made = {side.base for s in context.statements if len(s.equals) > 1 for side in _own_results(s.equals[:1])}
    own = _own_results(sides)
    weights = {LETTERS[name.base] for name in names_in(sides)} & {"P", "P̃", "m̃", "S"}
    return bool(own) and not weights and not made.intersection(name.base for name in own)


def _own_results(sides: Sequence[f.Expression]) -> list[f.Name]:
    return [x for x in names_in(sides) if LETTERS[x.base] in ("ℓ", "O") and is_marked(x, BLOCK)]


def _is_about(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether the article is on online softmax, by its words, by a sum that is rescaled to another maximum or by
    m + log ℓ."""
    sides = (side for statement in statements for side in statement.equals)
    return _ABOUT.search(article.said) is not None or any(rescales(side) or _is_log_sum(side) for side in sides)


def _is_log_sum(side: f.Expression) -> bool:
    """Whether it is m_i + log(ℓ_i)."""
    match side:
        case f.Sum((f.Name("m", sub, sup), f.Call("log", (f.Name("ℓ", other_sub, other_sup),))), (1, 1)):
            return (sub, sup) == (other_sub, other_sup)
    return False


def find_logarithms(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters of sums that the article says to be logarithms of sums, ℓ = log Σ e^s, or takes for such, e^{s − ℓ},
    where it does not say what they are."""
    lefts = [(s.equals[0], s.equals[1]) for s in statements if len(s.equals) > 1]
    defined = {left.base: right for left, right in lefts if isinstance(left, f.Name) and LETTERS.get(left.base) == "ℓ"}
    exponents = (
        part.arguments[0]
        for s in statements
        for side in s.equals
        for part in f.walk(side)
        if isinstance(part, f.Call) and part.function == "exp"
    )
    taken = {base for exponent in exponents for base in _subtracted_sums(exponent)}
    return frozenset(
        base
        for base in defined.keys() | taken
        if base not in defined or (isinstance(e := defined[base], f.Call) and e.function == "log")
    )


def _subtracted_sums(exponent: f.Expression) -> Iterator[str]:
    """The ℓ of s − ℓ."""
    if not isinstance(exponent, f.Sum):
        return
    terms = [
        (term, sign) for term, sign in zip(exponent.terms, exponent.signs, strict=True) if isinstance(term, f.Name)
    ]
    if any(LETTERS.get(term.base) == "S" and sign > 0 for term, sign in terms):
        yield from (term.base for term, sign in terms if LETTERS.get(term.base) == "ℓ" and sign < 0)


def in_usual_letters(sides: Sequence[f.Expression], logarithms: frozenset[str]) -> Sequence[f.Expression]:
    """The sides with `lse` for the letters of logarithms, and m^new for m^(new)."""

    def named(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name):
            return part
        base = "lse" if part.base in logarithms else part.base
        return replace(part, base=base, sub=_without_brackets(part.sub), sup=_without_brackets(part.sup))

    return spell_online([rewrite(side, named) for side in sides])


def _without_brackets(marks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(mark[1:-1] if _BRACKETED.fullmatch(mark) else mark for mark in marks)


def _find_key_indices(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The indices over which the article sums a block's keys: where one stands without its sum, a sum is missing."""
    parts = [part for s in statements for side in s.equals for part in f.walk(side)]
    sums = (part for part in parts if isinstance(part, f.BigSum) and part.upper is None)
    summed = {
        p.index for p in sums if {"S", "m"} <= {LETTERS.get(x.base) for x in f.walk(p.body) if isinstance(x, f.Name)}
    }
    return frozenset(summed | {largest for part in parts if (largest := index_of_largest(part)) is not None})


Prefixed = Literal[True] | tuple[PrefixModel, Difference | MisfitError] | None


def _judge_prefix(statement: Statement, context: Context) -> Formula | None:
    """What goes on key by key, o_i = o_{i−1} + a_i v_i, beside lines that rescale; false where a slip explains it."""
    if len(statement.equals) < 2 or not context.once(_is_key_by_key):
        return None
    found = judge_sides(statement, _settle_prefix, "theorem.online_tried", "theorem.online_fails")
    return None if found is not None and found.verdict == "fails" and found.right is None else found


def _is_key_by_key(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether some lines rescale from the step i − 1 to i."""
    return any(rescales(side, ("i-1", "N")) for s in statements for side in s.equals)


def _settle_prefix(sides: Sequence[f.Expression]) -> Prefixed:
    """What sums with bounds come to, key by key, under each convention for sums and outputs."""
    worst: tuple[PrefixModel, Difference | MisfitError] | None = None
    sides = name_steps(sides)
    with precision(BITS):
        for convention in CONVENTIONS:
            found = _compare_prefixes(sides, convention)
            if found is None or found is True:
                return found
            worst = worst or found
    return worst


def _compare_prefixes(sides: Sequence[f.Expression], convention: Convention) -> Prefixed:
    pairs = list(pairwise(sides))
    for model in (PrefixModel(seed, convention) for seed in (0, 1)):
        for at in range(1, LENGTH):
            found = compare_at([model], pairs, {"i": at})
            if found is not True:
                return None if found is None or isinstance(found[1], MisfitError) else found
    return True


def _is_online(sides: Sequence[f.Expression]) -> bool:
    """Whether a running maximum, sum or logarithm is in it, and a function or another step that belongs to these."""
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    letters = {LETTERS.get(name.base) for name in names}
    calls = {part.function for side in sides for part in f.walk(side) if isinstance(part, f.Call)}
    if not letters.isdisjoint(("P̃", "S")) and not letters.isdisjoint(("O", "Õ")):
        steps = {mark for name in names if LETTERS.get(name.base) in ("O", "Õ") for mark in (*name.sup, *name.sub)}
        if len({step for mark in steps if (step := step_in(mark)) is not None}) > 1:
            return True
    if not letters.isdisjoint(("P", "P̃", "S")) and _adds_to_output(names):
        return True
    if calls <= {"max", "rowmax"}:
        return bool(calls) and not letters.isdisjoint(("m", "m̃"))  # d = max(d_k, d_v) is a width
    return not letters.isdisjoint(OF_STATES) and not calls.isdisjoint(_OF_ROWS)


def _names_larger(sides: Sequence[f.Expression]) -> bool:
    """Whether it is m = max(lse_1, lse_2): a letter for the larger of these, and no maximum of scores."""
    match sides:
        case (f.Name(), f.Call("max", (f.Name(first), f.Name(second)))):
            return LETTERS.get(first) == LETTERS.get(second) in ("lse", "ℓ")
    return False


def _adds_to_output(names: Sequence[f.Name]) -> bool:
    """Whether outputs before and after a block are in it, O_old and O_new."""
    outputs = [name for name in names if LETTERS.get(name.base) in ("O", "Õ")]
    return any(is_marked(name, OLD) for name in outputs) and any(is_marked(name, NEW) for name in outputs)


def _names_own(sides: Sequence[f.Expression]) -> bool:
    """Whether the weights of a block stand beside its own maximum."""
    return {"m̃", "P̃"} <= {LETTERS[name.base] for name in names_in(sides)}


def find_conventions(
    article: Article, statements: Sequence[Statement], logarithms: frozenset[str]
) -> tuple[Definitions, tuple[Conventions, ...]]:
    """What other letters are defined to be, and the conventions under which most lines of the article hold."""
    defined: Definitions = {}
    equations = [in_usual_letters(statement.equals, logarithms) for statement in statements]
    for sides in equations:
        if len(sides) < 2 or not isinstance(sides[0], f.Name):
            continue
        if sides[0].base not in LETTERS or _is_factor(sides) or _is_local_output(sides):
            defined.setdefault(sides[0], sides[1])
    lines = [sides for sides in equations if len(sides) > 1 and _is_online(sides)][:MOST]
    marks = {mark for sides in lines for name in names_in(sides) for mark in (*name.sub, *name.sup)}
    either = any(map(_FRESH.fullmatch, marks))
    plain = any(name.base in ("P", "p") for sides in lines for name in names_in(sides))
    admitted = [c for c in _CONVENTIONS if (either or not c.fresh) and (plain or not c.plain)]
    trials = [Trials(sides, defined) for sides in lines]
    counts = {conventions: sum(each.agrees(conventions) for each in trials) for conventions in admitted}
    most = max(counts.values())
    return defined, tuple(c for c, count in counts.items() if count == most)


def _is_local_output(sides: Sequence[f.Expression]) -> bool:
    """Whether it is O_local = e^{S − m_ij} V, that of a block, which is divided by no sum though O may be."""
    left, right, *_ = sides
    own = isinstance(left, f.Name) and LETTERS.get(left.base) == "O" and is_marked(left, BLOCK)
    return own and {LETTERS[name.base] for name in names_in([right])} in ({"S", "V", "m"}, {"P̃", "V"})


def _is_factor(sides: Sequence[f.Expression]) -> bool:
    """`d_scale = e^{m_old - m_new}`: a name of its own, not the d of d_old."""
    left = sides[0]
    return isinstance(left, f.Name) and step_of(left) == OTHER and isinstance(sides[1], f.Call) and rescales(sides[1])


def _is_proven(sides: Sequence[f.Expression], defined: dict[f.Name, f.Expression], conventions: Conventions) -> bool:
    sides = prepare(sides, conventions)
    ring = Forms(Budget(MOST_PRODUCTS, seconds=inf))
    sizes = {letter: sympy.Symbol(letter, integer=True, positive=True) for letter in "npbe"}
    whole = is_of_slices(sides)
    blocks = Blocks(ring, sizes, conventions, whole=whole)
    model = BlockModel(blocks, states_in(sides, conventions, whole), defined)
    try:
        return all(is_identity(left, right, model) for left, right in pairwise(sides))
    except (Undecided, Cut, UnsettledError, MisfitError):
        return False
