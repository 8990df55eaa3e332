"""A backward pass by blocks: dV_j ← dV_j + P_ijᵀ dO_i is what one block of queries adds to dV = Pᵀ dO."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.forward import (
    NUMBERS,
    ROW_SUMS,
    SCORES,
    SHAPES,
    Reading,
    definitions_in,
    readings,
    row_sums_in,
)
from symattn.checking.formulas.gradients.outcomes import (
    Outcome,
    condition_of,
    is_proven,
    keys_in,
    theorem_of,
    try_reading,
)
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import mend_statement
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition
from symattn.checking.models.spelling import open_indices, spell
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_BLOCKS = regex(r"flash[- ]?attention|\bblock|\btil(?:e|ing)|分块|块|ブロック|타일|블록", re.IGNORECASE)
_INDEX = regex(r"\(?[a-z]{1,2}\)?")
_MATRICES = frozenset(("Q", "K", "V", "O", "P", "S", "A", "D", "δ", "Δ", "Delta"))
_OF_PAIRS = frozenset("PSA")  # of a query and a key
_Scores = dict[str, Definition]


def judge_tile(statement: Statement, context: Context) -> Formula | None:
    """A gradient whose letters are blocks, or rows, of the matrices, and which may be added to what was there."""
    if len(statement.equals) != 2 or not context.mentions(_BLOCKS):
        return None
    scores = context.once(find_block_scores)
    equals = [_with_blocks(side) for side in statement.equals]
    rows = not context.once(turns_blocks)
    text = statement.passage.text[statement.sides[0].end : statement.sides[1].start]
    adds = "+" in text  # dV_j +=
    sums = {key: made for key, made in definitions_in(context, statement).items() if key in ROW_SUMS}
    tried = _readings(equals, scores | sums, adds, rows)
    settled = bool(tried)
    if not settled and sums:  # with the usual D where it is not settled what the line on it says
        tried = _readings(equals, scores, adds, rows)
    if not tried:
        return None
    found = [outcome for _, outcome in tried]
    right = [outcome for outcome in found if outcome.holds]
    if right:
        proven = any(is_proven(sides, outcome.reading.plan) for sides, outcome in tried if outcome.holds)
        assumed = None if settled else row_sums_in(tried[0][0], {})
        condition = condition_of(right, found) if assumed is None else Sentence("condition.row_sums", name=assumed.key)
        return accept(statement, theorem_of(proven), condition)
    if not settled:
        return None
    if any(outcome.holds for _, outcome in _readings(equals, {}, adds, rows)):
        return None  # with scores of another scale

    def holds(sides: Sequence[f.Expression]) -> bool:
        found = _readings([*map(_with_blocks, sides)], scores | sums, adds, rows)[:1]  # as blocks
        turned = (p.operand for side in sides for p in f.walk(side) if isinstance(p, f.Transpose))
        return all(outcome.holds for _, outcome in found) and not any(_is_number(x) for x in turned) and bool(found)

    return refuse(statement, Sentence("theorem.gradient_fails"), mend_statement(statement, holds), found[0].point)


def turns_blocks(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether a line transposes what has two indices, P_ijᵀ or dS_ijᵀ: these are blocks then, and no numbers."""
    turned = (
        part.operand for each in statements for side in each.equals for part in f.walk(side)
        if isinstance(part, f.Transpose) and isinstance(part.operand, f.Name)
    )  # fmt: skip
    return any(len("".join(name.sub)) == 2 and name.base[-1:] in _OF_PAIRS for name in turned)


def find_block_scores(_: Article, statements: Sequence[Statement]) -> _Scores:
    """What the article says a block of the scores to be, as the whole of them: S_ij = τ Q_i K_jᵀ."""
    found: _Scores = {}
    for statement in statements:
        sides = [_whole(spell(side)) for side in statement.equals[:2]]
        if len(sides) == 2 and None not in sides and isinstance(sides[0], f.Name) and sides[0].base in SCORES:
            assert sides[1] is not None
            if {"Q", "K"} <= set(keys_in([sides[1]])):
                found.setdefault(sides[0].base, Definition(sides[0].base, (), sides[1]))
    return found


def _readings(
    equals: Sequence[f.Expression], scores: _Scores, adds: bool, rows: bool
) -> list[tuple[list[f.Expression], Outcome]]:
    """What the sides come to as blocks, and as rows if they may be, in the forward passes that they may belong to."""
    if len(equals) != 2:
        return []
    left, right = (spell(side) for side in equals)
    added = _added(left, right)
    return [
        (sides, outcome)
        for sides in _meanings(left, added, adds or added is not right, rows)
        for reading in _passes(sides, scores)
        if (outcome := try_reading(sides, reading)) is not None
    ]


def _passes(sides: Sequence[f.Expression], scores: _Scores) -> Iterator[Reading]:
    known = dict(scores)
    assumed = row_sums_in(sides, known)
    if assumed is not None:
        known[assumed.key] = assumed
    return readings(keys_in(sides), known, frozenset(SHAPES))


def _meanings(left: f.Expression, right: f.Expression, is_update: bool, rows: bool) -> Iterator[list[f.Expression]]:
    """The whole matrices in place of their blocks; and rows, of which all others are added up."""
    wholes = [_whole(left), _whole(right)]
    if wholes[0] is None or wholes[1] is None or slope_of(wholes[0]) is None:
        return
    if is_update or wholes != [left, right]:
        yield [wholes[0], wholes[1]]
    others = sorted(open_indices(right) - open_indices(left))
    blocks = any(isinstance(part, f.Transpose) and len(open_indices(part)) > 1 for part in f.walk(right))
    if is_update and rows and len(others) == 1 and not blocks:  # the transpose of a number is not written
        yield [left, f.BigSum(others[0], None, None, right)]


def _added(left: f.Expression, right: f.Expression) -> f.Expression:
    """What is added in `dV_j + P_ijᵀ dO_i` to the gradient so far."""
    if not isinstance(right, f.Sum) or len(right.terms) < 2 or right.terms[0] != left or right.signs[0] != 1:
        return right
    if len(right.terms) == 2 and right.signs[1] == 1:
        return right.terms[1]
    return replace(right, terms=right.terms[1:], signs=right.signs[1:])


def _whole(e: f.Expression) -> f.Expression | None:
    """The expression with the letters of matrices without the indices of their blocks; None if others have some."""
    changed = rewrite(e, _without_block)
    return None if open_indices(changed) or any(_has_place(part) for part in f.walk(changed)) else changed


def _with_blocks(side: f.Expression) -> f.Expression:
    return rewrite(rewrite(side, _with_block), _by_entry)


def _by_entry(part: f.Expression) -> f.Expression:
    """`P_ij (dP_ij − D_i)` of blocks entry by entry: what has a number for every query and key has no product with
    another such."""
    match part:
        case f.Product((f.Name() as first, f.Sum() as other), ("",)):
            pair = open_indices(first)
            if first.base in _OF_PAIRS and len(pair) == 2 and _has_same_places(first, other):
                return f.Elementwise(part.factors, start=part.start, end=part.end)
    return part


def _has_same_places(first: f.Name, other: f.Sum) -> bool:
    """Whether a sum has the indices of a block in the same order, or that of its row alone: no dP_ji, no D_j."""
    row, pair = "".join(first.sub)[:1], "".join(first.sub)
    places = {"".join(part.sub) for part in f.walk(other) if isinstance(part, f.Name)}
    return pair in places and places <= {"", row, pair}


_SHORT = regex(r"(d?[QKVOPSA])([ij])")


def _with_block(part: f.Expression) -> f.Expression:
    """V_j for Vj, as programs call a block."""
    found = _SHORT.fullmatch(part.base) if isinstance(part, f.Name) and not (part.sub or part.sup) else None
    return part if found is None else replace(part, base=found[1], sub=(found[2],))  # type: ignore[call-arg]


def _without_block(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Name):
        return part
    bare, places = replace(part, sub=(), sup=()), (*part.sub, *part.sup)
    known = letter_of(slope_of(bare) or bare).key in _MATRICES
    return bare if known and all(map(_INDEX.fullmatch, places)) else part


def _is_number(e: f.Expression) -> bool:
    return isinstance(e, f.Name) and e.base in NUMBERS


def _has_place(part: f.Expression) -> bool:
    return isinstance(part, f.Name) and any(mark[:1] == "(" for mark in part.sup)
