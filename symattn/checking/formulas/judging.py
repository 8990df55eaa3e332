"""Every statement of an article put before the judges, one after the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from symattn.checking.faults import contain_faults
from symattn.checking.findings import Claim, Formula
from symattn.checking.formulas.amounts.operations import judge_operations
from symattn.checking.formulas.bounds import overlooks_bounds
from symattn.checking.formulas.counts import judge_count
from symattn.checking.formulas.definitions.judge import judge_definition
from symattn.checking.formulas.forms.bare_attention import judge_bare_attention
from symattn.checking.formulas.forms.binary_losses import judge_binary_loss
from symattn.checking.formulas.forms.chain_rules import judge_chain_rule, judge_summed_chain_rule
from symattn.checking.formulas.forms.class_losses import judge_class_loss
from symattn.checking.formulas.forms.kernel_averages import judge_kernel_average
from symattn.checking.formulas.forms.log_softmax import judge_log_softmax
from symattn.checking.formulas.forms.masked_scores import judge_masked_scores
from symattn.checking.formulas.forms.network_lines import judge_network_line
from symattn.checking.formulas.forms.norm_backward import judge_norm_backward
from symattn.checking.formulas.forms.plain_softmax import judge_plain_softmax
from symattn.checking.formulas.forms.relative_scores import judge_relative_score
from symattn.checking.formulas.forms.residual_slopes import judge_residual_slope
from symattn.checking.formulas.forms.root_of_rms import judge_root_of_rms
from symattn.checking.formulas.forms.summed_softmax import judge_summed_softmax
from symattn.checking.formulas.forms.usual_lines import judge_usual_line
from symattn.checking.formulas.gradients.affine import judge_affine
from symattn.checking.formulas.gradients.both_factors import judge_both_factors
from symattn.checking.formulas.gradients.judge import judge_gradient
from symattn.checking.formulas.gradients.row_sums import judge_row_sum
from symattn.checking.formulas.gradients.scalar_slopes import judge_scalar_slope
from symattn.checking.formulas.gradients.softmax_entries import judge_softmax_entry
from symattn.checking.formulas.gradients.softmax_slope import judge_softmax_slope
from symattn.checking.formulas.gradients.tiles import judge_tile
from symattn.checking.formulas.identities.amounts import judge_amount
from symattn.checking.formulas.identities.attended import judge_attended
from symattn.checking.formulas.identities.differentials import judge_differential, sparing_differentials
from symattn.checking.formulas.identities.own_lines import find_defined, is_zero_of_sum, judge_by_own_lines
from symattn.checking.formulas.identities.slopes.judge import judge_slope, or_by_chain_rule
from symattn.checking.formulas.identities.variances import judge_variance
from symattn.checking.formulas.mask_cases import judge_mask, judge_masking
from symattn.checking.formulas.moments import find_assumptions, judge_moments
from symattn.checking.formulas.programs.online import judge_online_program
from symattn.checking.formulas.recurrences.chunk_inverse import judge_chunk_inverse
from symattn.checking.formulas.recurrences.feature_maps import judge_feature_map
from symattn.checking.formulas.recurrences.judge import judge_recurrence
from symattn.checking.formulas.recurrences.online_factors import judge_online_lines
from symattn.checking.formulas.recurrences.state_spaces import judge_state_space
from symattn.checking.formulas.rotations.judge import judge_rotation
from symattn.checking.formulas.rotations.turned_columns import judge_turned_columns
from symattn.checking.formulas.rotations.turned_matrices import judge_turned_matrix
from symattn.checking.formulas.rotations.turned_names import judge_turned_name
from symattn.checking.formulas.rotations.turned_pairs import judge_turned_pair
from symattn.checking.formulas.rotations.turned_wholes import judge_turned_whole
from symattn.checking.formulas.shapes.conform import judge_conforming
from symattn.checking.formulas.shapes.judge import find_shapes_read, judge_shape
from symattn.checking.formulas.shapes.ranges import restrict
from symattn.checking.formulas.shapes.widths import judge_head_width
from symattn.checking.formulas.slips.unscaled import judge_unscaled
from symattn.checking.formulas.statements.context import Context, Judge, bounded, limited, unconditional
from symattn.checking.formulas.statements.multiples import find_written
from symattn.checking.formulas.statements.rows import rows_of
from symattn.checking.formulas.statements.sections import by_itself, without_lines
from symattn.checking.formulas.statements.size_d import misreads_d
from symattn.checking.formulas.statements.statement import EQUAL, Statement, gather
from symattn.checking.formulas.statements.told import unless_of_others, unless_of_two, unless_told
from symattn.checking.formulas.statements.wording import goes_on_below, is_disowned, is_disowned_at, is_replaced
from symattn.checking.formulas.sum_index import judge_sum_index
from symattn.checking.formulas.text_judges import TEXT_JUDGES
from symattn.checking.formulas.trials.notation import stands_otherwise
from symattn.checking.formulas.unjudged.letters import list_silent, without_misread
from symattn.checking.formulas.unjudged.numbers import is_number_anew, offsets_of_numbers
from symattn.checking.formulas.weights import judge_weights
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, LineBreaks, NotChecked
from symattn.values.spelling import POWERS_OF_THOUSAND
from symattn.writing.prose import Sentence

# of formulas by their form alone
FORMS: tuple[Judge, ...] = (
    judge_root_of_rms,
    judge_plain_softmax,
    judge_log_softmax,
    judge_kernel_average,
    judge_relative_score,
    judge_summed_softmax,
    bounded(judge_masked_scores),
    bounded(judge_bare_attention),
    judge_residual_slope,
)
# of formulas as they are for all sizes
GENERAL_JUDGES: tuple[Judge, ...] = (
    unconditional(judge_sum_index),
    judge_summed_chain_rule,
    unconditional(limited(unless_of_two(or_by_chain_rule(sparing_differentials(judge_gradient))))),
    unconditional(limited(unless_told(judge_differential))),
    unconditional(limited(judge_affine)),
    judge_both_factors,
    unconditional(judge_norm_backward),
    unconditional(limited(judge_row_sum)),
    unconditional(limited(judge_tile)),
    unconditional(judge_softmax_slope),
    unconditional(bounded(unless_of_two(or_by_chain_rule(judge_softmax_entry)))),
    unconditional(bounded(unless_told(or_by_chain_rule(judge_scalar_slope)))),
    unconditional(bounded(unless_told(judge_slope))),
    judge_mask,
    judge_masking,
    unconditional(bounded(judge_online_program)),
    unconditional(limited(judge_online_lines)),
    unconditional(limited(judge_chunk_inverse)),
    unconditional(judge_state_space),
    unconditional(limited(judge_recurrence)),
    unconditional(limited(judge_rotation)),
    unconditional(bounded(judge_turned_pair)),
    unconditional(bounded(judge_turned_matrix)),
    unconditional(bounded(judge_turned_columns)),
    unconditional(judge_turned_whole),
    unconditional(judge_turned_name),
    unconditional(judge_amount),
    unconditional(limited(judge_feature_map)),
    *map(unconditional, FORMS),
    unconditional(judge_unscaled),
    unconditional(limited(judge_attended)),
    unconditional(bounded(judge_definition), nearly=True),
    unless_of_others(judge_moments),
    unconditional(unless_of_others(judge_variance)),
    judge_chain_rule,
    judge_usual_line,
)
# of sizes, which calculations with numbers have too
SIZE_JUDGES: tuple[Judge, ...] = (
    judge_head_width,
    judge_count,
    judge_operations,
    judge_weights,
    judge_shape,
    judge_conforming,
    limited(judge_network_line),
    limited(judge_class_loss),
    unconditional(limited(judge_binary_loss)),
)

MOST_SIDES = 8  # of a chain that is looked at in parts


@dataclass(frozen=True)
class Judged:
    """What is said of the formulas of an article, which are not settled, and where shapes and assumptions were read."""

    formulas: tuple[Formula, ...] = ()
    unsettled: tuple[NotChecked, ...] = ()
    shapes: tuple[tuple[int, int], ...] = ()

    def without_wrong(self, claims: Iterable[Claim]) -> Judged:
        """Without the formulas that hold in letters while a number in them is wrong: a size that its product is not."""
        wrong = [entry.span for claim in claims for entry in (*claim.bad, *claim.misrounded) if entry.span is not None]

        def has_wrong(formula: Formula) -> bool:
            start, stop = formula.span or (0, 0)
            return any(start <= left and right <= stop for left, right in wrong)

        kept = (each for each in self.formulas if each.verdict == "fails" or not has_wrong(each))
        return replace(self, formulas=tuple(kept))

    def leave(self, listed: Sequence[NotChecked], source: str) -> Iterator[NotChecked]:
        """What was not checked as numbers, without what was understood as a shape or judged in words."""
        breaks = LineBreaks.of(source)
        taken = _Stretches([*self.shapes, *(each.span for each in self.formulas if each.span is not None)])
        for each in without_misread(listed, self.unsettled):
            known = each.line is not None and each.column is not None and not is_number_anew(each)
            if not (known and all(map(taken.hold, offsets_of_numbers(each, source, breaks)))):
                yield each


def judge_formulas(article: Article) -> Judged:
    """Every formula of an article before the judges, and the words around them before those that read words."""
    context = Context(article, gather(article))
    judged: list[Formula] = []
    left: list[Statement] = []
    faults: dict[tuple[int, int], Sentence] = {}
    for statement in context.statements:
        found = None
        with contain_faults() as fault:
            found = _ask(statement, context)
        if fault.reason is not None:
            faults[statement.span] = fault.reason
        if found is not None and found.verdict == "fails":
            if is_disowned(statement) or goes_on_below(statement, article.words):
                continue  # the text itself says so, or there is more of it
            found = None if _holds_by_itself(statement, context) else found
        if found is not None and found.verdict != "fails" and is_replaced(statement):
            found = None
        if found is not None and found.condition is not None and found.condition.key in _OF_TOKENS:
            found = _by_own_section(found, statement, context)
        if found is not None:
            rows = list(_rows_judged(statement, context)) if found.verdict == "fails" else []
            one_thing = rows and all(row is not None and row.verdict != "fails" for row in rows)
            if not one_thing:  # in two notations, such as a pair and a complex number
                judged.append(found)
            judged += [row for row in rows if row is not None and row.verdict != "fails"]
            judged += _steps_that_hold(statement, rows, context)
        elif _states(statement):
            left.append(statement)
    judged, open_ = _without_consequences(judged, context)
    own = list(_by_own_lines([each for each in left if not is_replaced(each)], judged, context))
    known = {each.span for each in own}
    judged += own
    for statement in left:
        if statement.span not in known:
            with contain_faults():
                judged += _of_parts(statement, context)
    said, failed = _say_of_text(context)
    judged = _with_text(context, judged, said)
    taken = _Stretches([each.span for each in judged if each.span is not None])
    unsettled = [
        NotChecked(*statement.place, statement.text, faults.get(statement.span, Sentence("formula_not_settled")))
        for statement in (*left, *open_)
        if not taken.hold(statement.span[0])
    ]
    known_open = _Stretches([*taken.spans, *(each.span for each in (*left, *open_))])
    with contain_faults():
        unsettled += list_silent(context, known_open.hold)
    unsettled += [NotChecked(1, 1, "", reason) for reason in dict.fromkeys(failed)]
    ordered = sorted(judged, key=lambda each: (each.line, each.column))
    shapes: tuple[tuple[int, int], ...] = ()
    with contain_faults():
        shapes = (*find_shapes_read(context), *find_assumptions(context))
    return Judged(tuple(ordered), tuple(unsettled), shapes)


def _without_consequences(judged: Sequence[Formula], context: Context) -> tuple[list[Formula], list[Statement]]:
    """What was found, but of gradients beside a false line of the forward pass, and of what does not hold beside
    scores that the stated shapes do not admit, what is said without that line; and the statements of which nothing is
    said then."""
    false = (each for each in judged if each.verdict == "fails" and not _is_of_gradient(each))
    doubted = [each.span for each in context.statements if stands_otherwise(each, context)]
    lines = doubted or [each.span for each in false if each.span is not None]
    if not doubted and not (lines and any(map(_is_of_gradient, judged))):
        return list(judged), []
    rest = without_lines(context, lines)
    statements = {each.span: each for each in rest.statements}
    kept: list[Formula] = []
    left: list[Statement] = []
    for found in judged:
        follows = _is_of_gradient(found) or (doubted and found.verdict != "holds")
        own = statements.get(found.span) if found.span is not None and follows else None
        if own is None:
            kept.append(found)
            continue
        anew = None
        with contain_faults():
            anew = _ask(own, rest)
        kept += [] if anew is None else [anew]
        left += [own] if anew is None else []
    return kept, left


def _is_of_gradient(found: Formula) -> bool:
    return found.theorem.key in ("theorem.gradient_fails", "theorem.gradient_proven", "theorem.gradient_tried")


_OF_TOKENS = ("formula_if_tokens", "formula.if_alike")


def _by_own_section(found: Formula, statement: Statement, context: Context) -> Formula | None:
    """What is said by its own section alone of what holds for as many queries as keys: these have other letters there
    than in the sections on self-attention."""
    alone = by_itself(statement, context)
    with contain_faults():
        return found if alone is None else _ask(*alone)
    return None


def _holds_by_itself(statement: Statement, context: Context) -> bool:
    """Whether a statement holds by the conventions of its own section, which may not be those of the others."""
    alone = by_itself(statement, context)
    found = None
    with contain_faults():
        found = None if alone is None else _ask(*alone)
    return found is not None and found.verdict == "holds"


def _rows_judged(statement: Statement, context: Context) -> Iterator[Formula | None]:
    """What is said of each row of a false chain beside its first side: not every step of it is false."""
    rows = rows_of(statement.chain, statement.passage.text) if statement.head is None else ()
    if len(rows) < 2:
        return
    first = replace(statement, chain=rows[0])
    for row in rows:
        yield _ask(first if row is rows[0] else replace(statement, chain=row, head=first), context)


def _steps_that_hold(statement: Statement, judged: Sequence[Formula | None], context: Context) -> Iterator[Formula]:
    """The rows of a false chain of which nothing is said beside its first side, and which are the row before."""
    rows = rows_of(statement.chain, statement.passage.text) if judged else ()
    for (before, row), known in zip(pairwise(rows), judged[1:], strict=True):
        last = before.sides[-1]
        if known is None:
            alone = replace(statement, chain=f.Chain((replace(last, relation=""),), last.start, last.end))
            found = _ask(replace(statement, chain=row, head=alone), context)
            if found is not None and found.verdict == "holds":
                yield found


def _of_parts(statement: Statement, context: Context) -> Iterator[Formula]:
    """What is said of parts of a chain that no judge knows as a whole: of a = b = c that a = b, or that a = c.

    That a part holds is said only where names are all that is left: the whole may be false otherwise.
    """
    sides = statement.chain.sides
    if statement.head is not None:
        yield from _beside_last(statement, statement.head, context)
    if not 2 < len(sides) <= MOST_SIDES or statement.head is not None or _is_worked_out(statement):
        return
    head = replace(statement, chain=f.Chain(sides[:1], statement.chain.start, sides[0].end))
    start, known, covered = 0, list[Formula](), set[int]()  # the sides that something is said of
    while start < len(sides):
        for end in range(len(sides), start, -1):
            whole = (start, end) == (0, len(sides)) or end == 1
            named = start == end - 1 and isinstance(sides[start].expression, f.Name)  # … = q, a name for it
            if not whole and not named:
                begin = statement.chain.start if start == 0 else sides[start].start
                chain = f.Chain(sides[start:end], begin, sides[end - 1].end)
                found = _ask(replace(statement, chain=chain, head=head if start else None), context)
                if found is not None and not (found.verdict == "fails" and is_disowned(statement)):
                    known.append(found)
                    covered.update(range(max(start, 1), end))
                    start = end - 1
                    break
        start += 1
    names = {k for k, side in enumerate(sides) if k and isinstance(side.expression, f.Name)}
    whole_known = len(known) == 1 and covered | names >= set(range(1, len(sides)))
    yield from (found for found in known if whole_known or found.verdict == "fails")


def _beside_last(statement: Statement, head: Statement, context: Context) -> Iterator[Formula]:
    """What is said of a chain that goes on with another, beside that one's last side alone: of b = c after a = b."""
    last = head.chain.sides[-1]
    if last.relation not in EQUAL[1:] or _is_worked_out(statement):
        return
    alone = replace(head, chain=f.Chain((replace(last, relation=""),), last.start, last.end), head=None)
    found = _ask(replace(statement, head=alone), context)
    if found is not None and not (found.verdict == "fails" and is_disowned(statement)):
        yield found


def _ask(statement: Statement, context: Context) -> Formula | None:
    """What the first judge that knows a statement says of it, as it stands and with what other lines make of K̃."""
    found = _ask_as_printed(statement, context)
    written = context.once(find_written)
    own = statement if written is None else written.statement(statement, context)
    if written is None or own is statement:
        return found
    meant = _ask_as_printed(own, written.context)
    both_fail = found is not None and meant is not None and found.verdict == meant.verdict == "fails"
    return found if both_fail else None if meant is None or meant.verdict == "fails" else meant


def _ask_as_printed(statement: Statement, context: Context) -> Formula | None:
    found = _ask_judges(statement, context)
    return _unless_bounds_are_overlooked(found, statement, lambda whole: _ask_judges(whole, context))


def _unless_bounds_are_overlooked(
    found: Formula | None, statement: Statement, ask: Callable[[Statement], Formula | None]
) -> Formula | None:
    """What was found, unless it would hold whatever the bounds of its sums are."""
    return None if found is not None and found.verdict != "fails" and overlooks_bounds(statement, ask) else found


def _ask_judges(statement: Statement, context: Context) -> Formula | None:
    """What the first judge that knows a statement says of it."""
    worked_out = _is_worked_out(statement)
    for judge in SIZE_JUDGES if worked_out else (*GENERAL_JUDGES, *SIZE_JUDGES):
        found = judge(statement, context)
        if found is not None and not misreads_d(found, statement, context):
            found = restrict(found, statement, context)
            return None if found is None or (found.verdict == "fails" and worked_out) else found
    return None


def _by_own_lines(left: Sequence[Statement], judged: Sequence[Formula], context: Context) -> Iterator[Formula]:
    """What the article's other lines say of the statements that no judge knows; nothing by a line that is false."""
    verdicts = {each.span: each.verdict for each in judged}
    doubted, settled = set[str](), set[str]()
    for statement in context.statements:
        verdict = verdicts.get(statement.span)
        if verdict is not None:
            (doubted if verdict == "fails" else settled).update(find_defined(statement))
    judge = unconditional(bounded(lambda s, context: judge_by_own_lines(s, context, doubted, settled)), nearly=True)
    for statement in left:
        found = None
        with contain_faults():
            found = None if _is_worked_out(statement) else judge(statement, context)
            found = None if found is None else restrict(found, statement, context)
            found = _unless_bounds_are_overlooked(found, statement, lambda whole: judge(whole, context))
        if found is not None and found.verdict == "fails" and _holds_by_itself(statement, context):
            continue
        if found is not None and not misreads_d(found, statement, context):
            yield found
            (doubted if found.verdict == "fails" else settled).update(find_defined(statement))


def _is_worked_out(statement: Statement) -> bool:
    """Whether a side is a matrix with numbers, or arithmetic with decimals: a calculation with its own sizes, whose
    numbers are judged elsewhere, and no formula for all sizes."""
    if any(map(_is_arithmetic, statement.equals)):
        return True
    matrices = (part for side in statement.equals for part in f.walk(side) if isinstance(part, f.Matrix))
    cells = ([type(part) for part in f.walk(matrix)] for matrix in matrices)
    return any(f.Number in kinds and f.Name not in kinds for kinds in cells)


def _is_arithmetic(side: f.Expression) -> bool:
    """Whether a side is made of several numbers and nothing else, one of them a decimal or below an exponential."""
    parts = list(f.walk(side))
    numbers = [part for part in parts if isinstance(part, f.Number)]
    named = any(isinstance(part, f.Name | f.Unread | f.Dots) for part in parts)
    worked = any(number.places < 1 for number in numbers) or any(
        isinstance(p, f.Call) and p.function == "exp" for p in parts
    )
    return not named and len(numbers) > 1 and worked


def _say_of_text(context: Context) -> tuple[list[Formula], list[Sentence]]:
    """What is said of the words of an article, and the faults at which judges of words stopped."""
    said: list[Formula] = []
    failed: list[Sentence] = []
    for judge in TEXT_JUDGES:
        with contain_faults() as fault:
            said += judge(context)
        failed += [fault.reason] if fault.reason is not None else []
    return said, failed


def _with_text(context: Context, judged: Sequence[Formula], said: Sequence[Formula]) -> list[Formula]:
    """What is said of statements and of the words around them; of both at one place what fails, else the statement."""
    kept = {each.span: each for each in judged if each.span is not None}
    starts = sorted(kept)
    longest = max((end - start for start, end in starts), default=0)
    for found in said:
        span = found.span
        if span is None or (found.verdict == "fails" and is_disowned_at(context.article.words, span)):
            continue
        first = bisect_left(starts, (span[0] - longest, 0))
        last = bisect_left(starts, (span[1], 0))
        beside = [each for each in starts[first:last] if each[1] > span[0] and each in kept]
        if not beside or (found.verdict == "fails" and all(kept[each].verdict != "fails" for each in beside)):
            for each in beside:
                del kept[each]
            kept[span] = found
            insort(starts, span)
            longest = max(longest, span[1] - span[0])
    return [*(each for each in judged if each.span is None), *kept.values()]


class _Stretches:
    """Stretches of a source, asked whether they hold an offset."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self.spans = sorted(spans)
        self.longest = max((end - start for start, end in spans), default=0)

    def hold(self, offset: int) -> bool:
        k = bisect_right(self.spans, (offset, 1 << 62)) - 1
        while k >= 0 and self.spans[k][0] >= offset - self.longest:
            if offset < self.spans[k][1]:
                return True
            k -= 1
        return False


def _states(statement: Statement) -> bool:
    """Whether it says that two things are equal and neither is numbers, which are judged elsewhere."""
    sides = [side for side in statement.equals if not is_zero_of_sum(side, statement.equals)]
    return (
        bool(sides)
        and len(statement.equals) > 1
        and not any(f.is_printed(side) or _is_of_numbers(side) or _is_counted(side) for side in sides)
    )


def _is_counted(side: f.Expression) -> bool:
    """Whether a side is a number with a letter that counts thousands right behind it, 49.9K."""
    match side:
        case f.Product(factors=(f.Number() as number, f.Name(letter, (), ()) as name)):
            return letter in POWERS_OF_THOUSAND and number.end == name.start
    return False


def _is_of_numbers(side: f.Expression) -> bool:
    """Whether a side is a matrix of numbers, 1/2 and √3 among them."""
    return isinstance(side, f.Matrix) and not any(isinstance(part, f.Name | f.Unread) for part in f.walk(side))
