"""Linear attention as a recurrence: printed updates of the state and what is read from it, by tokens or by chunks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from operator import and_

from symattn.checking.findings import Formula
from symattn.checking.formulas.recurrences.dotted import contracted, find_inner_dots
from symattn.checking.formulas.recurrences.gated_delta import GATED_DELTA, is_another_rule, with_gate_on_state
from symattn.checking.formulas.recurrences.printed_order import find_orders
from symattn.checking.formulas.recurrences.reads import (
    GREEK,
    as_output,
    find_named,
    find_read,
    find_row_projection,
    find_written,
    is_flat_product,
    is_own_name,
    judge_unfit_read,
    put_in,
    without_scale,
)
from symattn.checking.formulas.recurrences.unit_keys import UnitKeys, find_unit_keys
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import mend_statement
from symattn.checking.formulas.trials.notation import find_shapes
from symattn.checking.formulas.trials.pointed import show_difference
from symattn.checking.formulas.trials.standing import find_said_columns
from symattn.checking.formulas.trials.symbols import Key, Shape, declared_shapes
from symattn.checking.models.equations import Difference, difference_of
from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.letters import letter_of
from symattn.checking.models.states import (
    DECAYS,
    FUNCTIONS,
    LETTERS,
    NOW,
    READ,
    WRITTEN,
    Layout,
    Rule,
    StateModel,
    States,
    states_at,
)
from symattn.checking.models.tensors import MisfitError
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

BITS = 160
MOST = 40
_ABOUT = regex(
    r"linear attention|linear transformer|recurren|\bstate\b|retention|retnet|delta[- ]?(?:rule|net)"
    r"|chunk|decay|\bRNN\b"
    r"|线性注意力|隐状态|递归|递推|循环|记忆矩阵|선형|상태|線形|状態",
    re.IGNORECASE,
)
_LAYOUTS = tuple(
    Layout(*choice)
    for choice in product(
        (True, False), (True, False), (False, True), (False, True), (1, 3), (False, True), (False, True)
    )
    if choice[4] == 1 or not choice[6]
)
_OF_CHUNKS = regex(r"chunk|分?块|块|tile|ブロック|block", re.IGNORECASE)
_ONE_AXIS = regex(r"(?:shape|形状|形狀)\W{0,6}[\[(]\s*\$?\\?d(?:_?\{?[a-z]\w*\}?)?\$?\s*,?\s*[\])]", re.IGNORECASE)
_NO_STATES = frozenset("QKVOXYIE")  # capitals that are tokens or what is made of them
_KEYED = {("d_k", "d_v"): True, ("d_v", "d_k"): False}
Outcome = tuple[States, Difference | MisfitError] | None


def judge_recurrence(statement: Statement, context: Context) -> Formula | None:
    """An update or reading of the state, in the layouts that fit most of the article's lines.

    What is read under a name of its own, ô_t = S_{t-1} q_t, may be another quantity than the output.
    """
    found = _judge(statement, context)
    return None if found is not None and found.verdict == "fails" and is_own_name(statement, context) else found


def _judge(statement: Statement, context: Context) -> Formula | None:
    letter = _state_in(statement.equals, context.once(_find_states))
    sides = _spelled_out(statement, context, letter)
    if len(sides) < 2 or not _has_state(sides) or not context.once(_is_about) or any(map(_sums_a_chunk, sides)):
        return None
    best, others, transposes, settled = context.once(_find_layouts, find_shapes, _find_states, find_named)[letter]
    if not settled and not _is_update(sides) and not _is_of(sides[0], "z"):
        stated = any(key[0] == letter for key in declared_shapes(context.statements))  # in which q_t S_t may fit
        return None if stated else judge_unfit_read(statement, sides, context)  # of a state that goes on in no layout
    rule = _rule_for(sides, letter, context)
    rules = _orders(rule)
    outcomes = [o for layout in best for rule in rules if (o := _settled(sides, rule, layout)) is not None]
    if not outcomes:
        known = any(_holds(sides, rules, replace(x, capitals=False)) for x in best if x.capitals)  # q_t beside Q_i
        return accept(statement, Sentence("theorem.state_tried")) if known else None
    featureless = (
        _is_update(sides) and not (rule.feature or rule.delta) and letter in context.once(_find_sums_of_features)
    )
    if any(outcome is True for outcome in outcomes):
        if featureless:
            return None  # S = Σ φ(k_j) v_jᵀ, and here φ is left out
        upright = context.once(find_row_projection) and all(x.columns for x in best) and not is_flat_product(sides)
        return accept(statement, Sentence("theorem.state_tried"), Sentence("formula.if_upright") if upright else None)
    if (dotted := contracted(sides)) != sides and any(_holds(dotted, rules, layout) for layout in best):
        return accept(statement, Sentence("theorem.state_tried")) if context.once(find_inner_dots) else None
    if any(_holds(sides, rules, layout) for layout in others):
        return None  # another recurrence of the article, with tokens in rows where the first has them in columns
    if any(_holds(sides, [replace(r, unit=True) for r in rules if r.delta], x, UnitKeys) for x in best):
        return None  # S_t k_t = v_t, where β_t is 1
    if any(_holds(sides, rules, layout, UnitKeys) for layout in best):
        unit = None if context.once(find_unit_keys) else Sentence("condition.unit_keys")
        return accept(statement, Sentence("theorem.state_tried"), unit)
    states, difference = next(outcome for outcome in outcomes if not isinstance(outcome, bool))
    if isinstance(difference, MisfitError) and (not transposes or _fits_otherwise(sides, rules, best, context)):
        return None  # k_t v_t may be a product entry by entry
    update = _is_update(sides) and bool(rule.decay or rule.delta)
    if update and rule.decay and rule.delta and context.mentions(GATED_DELTA) and not is_another_rule(statement):
        gated = [replace(r, order=order) for order in ("all", "apart") for r in rules]
        if any(_holds(sides, gated, replace(x, keyed=y)) for x in best for y in (True, False)):
            point = show_difference(StateModel(states), difference)
            return refuse(statement, Sentence("theorem.gated_delta"), with_gate_on_state(statement), point)
    if update and any(_holds(sides, _variants(rule), replace(x, keyed=y)) for x in best for y in (True, False)):
        return None  # another rule, or the state turned, is not false
    alone = _settled_as(sides, states.rule, states.layout, States)  # with its own letters
    states, difference = alone if isinstance(alone, tuple) else (states, difference)
    point = show_difference(StateModel(states), difference)
    right = None if featureless else _mended(statement, letter, rules, best, context)
    if right is None and update and rule.decay:
        never = transposes and _never_fits(sides, rules)  # else a gate of a kind that is not known here
        return refuse(statement, Sentence("formula_never_conforms")) if never else None
    return refuse(statement, Sentence("theorem.state_fails"), right, point)


def _rule_for(sides: Sequence[f.Expression], letter: str, context: Context) -> Rule:
    """How the state goes on, by the letters of a statement or by other lines."""
    own = rule_of(sides)
    if _has_written(sides) or (own == Rule() and _reads_at_key(sides)):
        return context.once(_find_rules, _find_states, find_named).get(letter, Rule())
    return own


def _mended(
    statement: Statement, letter: str, rules: Sequence[Rule], best: Sequence[Layout], context: Context
) -> str | None:
    """The equation with a slip mended; with vectors as columns where that is so and one stands before a transpose."""
    read = {**context.once(find_read), **context.once(find_written)}
    columns = [layout for layout in best if layout.columns and any(map(_has_outer, statement.equals))]
    for layouts in filter(None, (columns, best)):

        def holds(changed: Sequence[f.Expression], layouts: Sequence[Layout] = layouts) -> bool:
            named = put_in(_with_state(changed, letter), read)
            return any(_holds(_with_decays(named), rules, layout) for layout in layouts)

        if (right := mend_statement(statement, holds)) is not None:
            return right
    return None


def _has_outer(side: f.Expression) -> bool:
    """Whether v kᵀ is in it, which of rows would be a number."""
    pairs = (pair for part in f.walk(side) if isinstance(part, f.Product) for pair in pairwise(part.factors))
    return any(isinstance(a, f.Name) and isinstance(b, f.Transpose) for a, b in pairs)


def _fits_otherwise(
    sides: Sequence[f.Expression], rules: Sequence[Rule], best: Sequence[Layout], context: Context
) -> bool:
    """Whether a line holds where vectors are arrays of one axis, which stand as they fit, or is on single tokens: that
    is none of S_{[t]}, the state after a chunk."""
    others = [replace(x, columns=not x.columns) for x in best] if context.mentions(_ONE_AXIS) else []
    numbered = any(isinstance(x, f.Name) and "_{[" in x.text for side in sides for x in f.walk(side))
    if all(layout.chunk > 1 for layout in best) and not numbered:
        others += [layout for layout in _LAYOUTS if layout.chunk == 1]
    return any(_holds(sides, rules, layout) for layout in others)


def _sums_a_chunk(side: f.Expression) -> bool:
    """Whether it has a sum over the tokens of a chunk, from iC + 1 to (i + 1)C: its i counts chunks, not tokens."""
    first = (part.lower for part in f.walk(side) if isinstance(part, f.BigSum) and part.lower is not None)
    return any(isinstance(part, f.Product) for lower in first for part in f.walk(lower))


def _never_fits(sides: Sequence[f.Expression], rules: Sequence[Rule]) -> bool:
    """Whether the sizes of its parts fit in no layout of single tokens."""
    layouts = (x for x in _LAYOUTS if x.chunk == 1 and not x.normalised and not x.starts)
    tried = [outcome for layout in layouts for rule in rules if (outcome := _settled(sides, rule, layout)) is not None]
    return bool(tried) and all(not isinstance(x, bool) and isinstance(x[1], MisfitError) for x in tried)


def _reads_at_key(sides: Sequence[f.Expression]) -> bool:
    """Whether it says what the key of a step reads from the state, S_t k_t: how that goes on other lines say."""
    return isinstance(sides[0], f.Product) and any(map(_is_key, f.walk(sides[0])))


def _is_key(part: f.Expression) -> bool:
    return isinstance(part, f.Name) and LETTERS.get(letter_of(part).key) == "k"


def _has_written(sides: Sequence[f.Expression]) -> bool:
    return any(isinstance(part, f.Name) and part.base == WRITTEN for side in sides for part in f.walk(side))


def _find_rules(
    _: Article, statements: Sequence[Statement], states: frozenset[str], known: Mapping[f.Name, f.Expression]
) -> dict[str, Rule]:
    """By the first line that says how each state goes on, what its letters say of that."""
    found: dict[str, Rule] = {}
    for statement in statements:
        letter = _state_in(statement.equals, states)
        sides = put_in(_with_decays(_with_state(statement.equals, letter)), known)
        if len(sides) > 1 and _is_update(sides) and _goes_on(sides):
            found.setdefault(letter, rule_of(sides))
    return found


def _find_sums_of_features(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters of states that a line says to be a sum of features of keys, S = Σ_j φ(k_j) v_jᵀ."""
    found = set[str]()
    for statement in statements:
        left, *others = statement.equals or (f.Name(""),)
        sums = [side for side in others if isinstance(side, f.BigSum)]
        parts = {part.function for each in sums for part in f.walk(each.body) if isinstance(part, f.Call)}
        if isinstance(left, f.Name) and not parts.isdisjoint(FUNCTIONS):
            found.add(left.base)
    return frozenset(found)


def _find_states(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters of states: S, and M where M_t is made of M_{t-1} and a key and a value of the step."""
    return frozenset("S").union(*(_state_made(statement.equals) for statement in statements))


def _is_of(left: f.Expression, letter: str) -> bool:
    return isinstance(left, f.Name) and LETTERS.get(left.base) == letter


def _state_made(sides: Sequence[f.Expression]) -> set[str]:
    left = sides[0] if len(sides) > 1 else None
    if not isinstance(left, f.Name) or len(letter_of(left).indices) != 1:
        return set()
    if len(left.base) != 1 or not (left.base.isupper() or left.base == "h") or left.base in _NO_STATES:
        return set()
    names = [letter_of(part) for side in sides[1:] for part in f.walk(side) if isinstance(part, f.Name)]
    (step,) = letter_of(left).indices
    before = any(x.key == left.base and x.indices == (f"{step}-1",) for x in names)
    made = {LETTERS.get(x.key) for x in names if x.indices == (step,)}
    return {left.base} if before and {"k", "v"} <= made else set()


def _state_in(sides: Sequence[f.Expression], states: frozenset[str]) -> str:
    """The letter of the state that a statement is about."""
    names = (part for side in sides for part in f.walk(side) if isinstance(part, f.Name))
    return next((name.base for name in names if name.base in states and len(letter_of(name).indices) == 1), "S")


def _with_state(sides: Sequence[f.Expression], letter: str) -> list[f.Expression]:
    """The sides with S_t for the state of another letter."""

    def named(part: f.Expression) -> f.Expression:
        own = isinstance(part, f.Name) and part.base == letter and len(letter_of(part).indices) == 1
        return replace(part, base="S") if own else part  # type: ignore[call-arg]

    left, *others = sides
    ends = {side.upper.base for side in others if isinstance(side, f.BigSum) and isinstance(side.upper, f.Name)}
    if isinstance(left, f.Name) and left.base == letter and not (left.sub or left.sup) and len(ends) == 1:
        left = replace(left, sub=(ends.pop(),))  # S = Σ_{j ≤ t} φ(k_j) v_jᵀ is the state after step t
    return [rewrite(side, named) for side in (left, *others)]


def _spelled_out(statement: Statement, context: Context, letter: str) -> list[f.Expression]:
    """The sides with what the article calls ṽ_t = S_{t-1}ᵀ k_t and the like put in."""
    read = {**context.once(find_read), **context.once(find_written)}
    known = context.once(find_named)
    left, *others = without_scale(_with_state(statement.equals or (f.Name(""),), letter))
    left = read.get(left, left) if isinstance(left, f.Name) else left
    others = put_in(others, known)
    return _with_decays([as_output(left, others), *others])


def _is_about(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether the article is on a state that goes on, by its words, by S_t beside S_{t-1} with keys and values, or by
    a sum of features of the keys so far."""
    goes_on = (_goes_on(statement.equals) or _sums_features(statement.equals) for statement in statements)
    return _ABOUT.search(article.said) is not None or any(goes_on)


def _sums_features(sides: Sequence[f.Expression]) -> bool:
    """Whether it is S_i = Σ_{j ≤ i} φ(k_j) v_jᵀ."""
    match sides:
        case (f.Name(_, (step,)), f.BigSum(_, _, f.Name(last), body), *_) if step == last:
            parts = list(f.walk(body))
            mapped = any(isinstance(part, f.Call) and part.function in FUNCTIONS for part in parts)
            letters = {LETTERS.get(letter_of(part).key) for part in parts if isinstance(part, f.Name)}
            return mapped and {"k", "v"} <= letters
    return False


def _goes_on(sides: Sequence[f.Expression]) -> bool:
    names = [part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    letters = {LETTERS.get(letter_of(name).key) for name in names}
    steps = {letter_of(name).indices for name in names if LETTERS.get(letter_of(name).key) == "S"}
    return len(steps) > 1 and {"k", "v"} <= letters


def _orders(rule: Rule) -> list[Rule]:
    """The rule with its decay after the delta rule, and before it."""
    return [rule, replace(rule, order="first")] if rule.decay and rule.delta else [rule]


def _variants(rule: Rule) -> list[Rule]:
    """What else papers do with a decay: elsewhere, with 1 − α on what is added, by the columns of values."""
    if not rule.decay:
        return [rule]
    orders, sides = ("last", "first", "apart", "all"), (False, True) if rule.decay == "gate" else (False,)
    return [replace(rule, order=o, rest=r, by_values=v) for o, r, v in product(orders, (False, True), sides)]


def _is_update(sides: Sequence[f.Expression]) -> bool:
    """Whether it says what the state of a step is."""
    return isinstance(sides[0], f.Name) and LETTERS.get(sides[0].base) == "S"


def _holds(
    sides: Sequence[f.Expression],
    rules: Sequence[Rule],
    layout: Layout,
    made: Callable[[Rule, Layout, int], States] = states_at,
) -> bool:
    return any(_settled(sides, rule, layout, made) is True for rule in rules)


def _settled(
    sides: Sequence[f.Expression],
    rule: Rule,
    layout: Layout,
    made: Callable[[Rule, Layout, int], States] = states_at,
) -> Outcome | bool:
    """True where the sides agree, None where a letter is not settled. What divides nothing is not normalised.

    The vector of `q_t @ S_t` is that of a program, which stands as it fits.
    """
    if is_flat_product(sides):
        turned = replace(layout, columns=not layout.columns)
        return True if _settled_as(sides, rule, turned, made) is True else _settled_as(sides, rule, layout, made)
    return _settled_as(sides, rule, layout, made)


def _settled_as(
    sides: Sequence[f.Expression],
    rule: Rule,
    layout: Layout,
    made: Callable[[Rule, Layout, int], States],
) -> Outcome | bool:
    divides = any(isinstance(part, f.Quotient) for side in sides for part in f.walk(side))
    try:
        outcome = _try(sides, rule, replace(layout, normalised=layout.normalised and divides), made)
    except UnsettledError:
        return None
    return True if outcome is None else outcome


def _try(
    sides: Sequence[f.Expression],
    rule: Rule,
    layout: Layout,
    made: Callable[[Rule, Layout, int], States],
) -> Outcome:
    with precision(BITS):
        for seed in (0, 1):
            states = made(rule, layout, seed)
            model = StateModel(states)
            sums = {part.index for side in sides for part in f.walk(side) if isinstance(part, f.BigSum)}
            model.bound = {letter: at for letter, at in _steps(sides, model.bound).items() if letter not in sums}
            try:
                for left, right in pairwise(sides):
                    if (difference := difference_of(left, right, model, model.bound)) is not None:
                        return states, difference
            except MisfitError as misfit:
                return states, misfit
            except ZeroDivisionError:
                raise UnsettledError("division") from None
    return None


def _steps(sides: Sequence[f.Expression], usual: Mapping[str, int]) -> Mapping[str, int]:
    """The letters that count steps: those of the states and outputs, S_j and S_{j-1}, else the usual ones."""
    names = [letter_of(part) for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    stepped = (x.indices[0][0] for x in names if LETTERS.get(x.key) in ("S", "z", "o") and len(x.indices) == 1)
    return {letter: NOW for letter in stepped if letter.isalpha()} or usual


def _with_decays(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides with g_t for e^{g_t}, whose logarithm is a decay as any other is, and β_t for beta_t."""

    def decay(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Name) and part.base in GREEK:
            return replace(part, base=GREEK[part.base])
        power = isinstance(part, f.Call) and part.function == "exp" and len(part.arguments) == 1
        name = part.arguments[0] if power and isinstance(part, f.Call) else None
        return name if isinstance(name, f.Name) and letter_of(name).key in DECAYS else part

    return [rewrite(side, decay) for side in sides]


def _has_state(sides: Sequence[f.Expression]) -> bool:
    """Whether a state with a step, S_t, is in it, and a key, value or query of a step; or o_t as a sum of these."""
    parts = [part for side in sides for part in f.walk(side)]
    letters = [letter_of(part) for part in parts if isinstance(part, f.Name)]
    if any(isinstance(part, f.Call) and part.function not in (*FUNCTIONS, "diag", "inner") for part in parts):
        return False  # another model's state
    stepped = {LETTERS[letter.key] for letter in letters if letter.key in LETTERS and len(letter.indices) == 1}
    sums = [part for part in parts if isinstance(part, f.BigSum)]
    if sums and stepped >= {"o", "q", "k", "v"}:
        steps = {index for letter in letters for index in letter.indices}
        return all(part.upper is not None and _reaches(part.upper, steps) for part in sums)
    return bool(stepped & {"S", "z", "w"}) and bool(stepped & {"q", "k", "v"})


def _reaches(upper: f.Expression, steps: set[str]) -> bool:
    """Whether a sum ends at a step, t or t − 1: one over all N tokens is no state."""
    return any(isinstance(part, f.Name) and part.base in steps for part in f.walk(upper))


Layouts = tuple[tuple[Layout, ...], tuple[Layout, ...], bool, bool]


def _find_layouts(
    article: Article,
    statements: Sequence[Statement],
    shapes: Mapping[Key, Shape],
    states: frozenset[str],
    known: Mapping[f.Name, f.Expression],
) -> dict[str, Layouts]:
    """The layouts of each state."""
    found, columns = {}, find_said_columns(article, statements)
    for letter in states:
        equations = [s.equals for s in statements if len(s.equals) > 1 and _state_in(s.equals, states) == letter]
        spelled = [[left, *put_in(others, known)] for left, *others in equations]
        lines = [_with_state(sides, letter) for sides in spelled]
        found[letter] = _layouts_of(lines, article, shapes, letter, columns)
    return found


def _layouts_of(
    equations: Sequence[Sequence[f.Expression]],
    article: Article,
    shapes: Mapping[Key, Shape],
    letter: str,
    columns: bool | None,
) -> Layouts:
    """The layouts that the article states, or else those in which most of its lines hold, those of vectors that it says
    to be `columns` or rows, of its sums and of its earlier lines first; those in which two lines or more hold that do
    not in these; whether there are transposes; whether an update holds."""
    spelled = (_with_decays([as_output(left, others), *others]) for left, *others in equations)
    lines = [sides for sides in spelled if _has_state(sides)][:MOST]
    if not any(isinstance(sides[0], f.Name) and LETTERS.get(sides[0].base) == "S" for sides in lines):
        return (), (), False, True  # no state goes on here
    stated = {_KEYED[shape] for key, shape in shapes.items() if key[0] == letter and shape in _KEYED}
    printed, ranked = find_orders(equations), []
    chunks = _OF_CHUNKS.search(article.said) is not None or any(map(_sees_itself, lines))
    for layout in _LAYOUTS:
        if layout.capitals and not layout.columns and chunks:
            continue  # K_tᵀ V_t with capitals is of chunks where the article has any, K_t V_tᵀ of tokens
        held = tuple(_holds(sides, _orders(rule_of(sides)), layout) for sides in lines)
        summed = not printed or (layout.columns, layout.keyed) in printed
        as_stated, as_said = not stated or layout.keyed in stated, columns in (None, layout.columns)
        ranked.append(((as_stated, sum(held), as_said, summed, held), layout))
    most = max(key for key, _ in ranked)
    transposes = any(isinstance(part, f.Transpose) for sides in lines for side in sides for part in f.walk(side))
    best = tuple(layout for key, layout in ranked if key == most)
    missed = [not any(held[k] for (*_, held), layout in ranked if layout in best) for k in range(len(lines))]
    others = tuple(layout for (*_, held), layout in ranked if sum(map(and_, held, missed)) > 1)
    updates = [k for k, sides in enumerate(lines) if _is_update(sides) and _goes_on(sides)]
    settled = not updates or any(held[k] for (*_, held), _ in ranked for k in updates)
    return best, others, transposes, settled


def _sees_itself(sides: Sequence[f.Expression]) -> bool:
    """Whether the tokens of a chunk see each other, (Q_t K_tᵀ ∘ M) V_t."""
    products = (part.factors for side in sides for part in f.walk(side) if isinstance(part, f.Product))
    return any(
        isinstance(a, f.Name) and a.base == "Q" and isinstance(b, f.Transpose)
        for factors in products
        for a, b in pairwise(factors)
    )


def rule_of(sides: Sequence[f.Expression]) -> Rule:
    """What the letters of an update say: β and k kᵀ of the delta rule, a letter of decay, φ."""
    parts = [part for side in sides for part in f.walk(side)]
    letters = [letter_of(part) for part in parts if isinstance(part, f.Name)]
    decays = [letter for letter in letters if letter.key in DECAYS]
    gated = any(_is_gate(part) for part in parts)
    decay = "gate" if gated else "" if not decays else "number" if decays[0].indices else "constant"
    strength = any(letter.key == "β" for letter in letters)
    same = all(not letter.indices for letter in letters if letter.key == "β")
    delta = (strength or _is_update(sides)) and any(map(_reads_key, sides))
    feature = any(isinstance(part, f.Call) and part.function in FUNCTIONS for part in parts)
    return Rule(decay, delta, feature, unit=delta and not strength, same=delta and strength and same)


def _reads_key(side: f.Expression) -> bool:
    """Whether the key of a step occurs twice: what it reads is taken off."""
    keys = Counter(filter(_is_key, f.walk(side)))
    return max(keys.values(), default=0) > 1 or any(isinstance(x, f.Name) and x.base == READ for x in f.walk(side))


def _is_gate(part: f.Expression) -> bool:
    if not (isinstance(part, f.Call) and part.function == "diag"):
        return False
    return any(isinstance(x, f.Name) and x.base in DECAYS for x in part.arguments)
