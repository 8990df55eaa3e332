"""Scores with a mask or a bias added: S = QKᵀ/√d_k + M, S̃ = S + M."""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.definitions.named_scores import MASKS, with_scores
from symattn.checking.formulas.definitions.scores import define_scores
from symattn.checking.formulas.gradients.forward import SCORES
from symattn.checking.formulas.mask_cases import find_masks
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.variant import settle
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_masked_scores(statement: Statement, context: Context) -> Formula | None:
    """A side that is scores and a mask: false where the scores are, and where a mask of −∞ is taken off."""
    sides = statement.sides
    if len(sides) != 2 or sides[1].relation not in ("=", ":=") or not isinstance(left := statement.left, f.Name):
        return None
    match sides[1].expression:
        case f.Sum((scores, f.Name(base) as mask), (1, sign)) if base in MASKS:
            pass
        case _:
            return None
    if _is_open(mask, context) or _is_crossed(left, scores):
        return None
    if mask.sub not in ((), left.sub) or not _is_of_scores(left, scores, mask, context):
        return None
    if not isinstance(scores, f.Name):
        alone = replace(sides[1], expression=scores, start=scores.start, end=scores.end)
        variants = list(define_scores(left, alone, statement, context))
        found = settle(statement, alone, variants) if variants else None
        if found is None or found.verdict != "holds":
            return found
    theorem = Sentence("formula.masked_scores")
    if sign > 0 and _is_of_ones(mask, context):
        return None
    if sign > 0:
        return conclude(statement, "holds", theorem)
    given = context.once(find_masks).get(mask.base)
    if given is None or not given.hides:
        return None  # of a mask of large numbers, or a bias, that are taken off
    text = statement.passage.text
    between = text[scores.end : mask.start]
    right = text[statement.start : scores.end] + between[::-1].replace("-", "+", 1)[::-1] + text[mask.start : mask.end]
    point = Counterexample((("score", "0"), (mask.text, r"-\infty")), r"-\infty", r"+\infty")
    return refuse(statement, theorem, right, point)


def _is_of_scores(left: f.Name, scores: f.Expression, mask: f.Name, context: Context) -> bool:
    """Whether a mask is added to scores, by their letter or by the lines that make them, or to a side of scores."""
    if not isinstance(scores, f.Name):
        return left.base.rstrip("\u0303\u0302\u0304") in (*SCORES, "A")
    if scores.sub and scores.sub == mask.sub:
        return scores.base in ("S", "s", "scores", "score", "logits")
    made = with_scores(scores, context) is not scores
    return made or (scores.base in ("S", "scores", "logits") and scores.base == left.base.rstrip("\u0303\u0302′"))


def _is_open(mask: f.Name, context: Context) -> bool:
    """Whether lines say two things of the letter of a mask, or a maximum."""
    sides = [s.equals[1] for s in context.statements if len(s.equals) > 1 and _has_base(s.left, mask.base)]
    plain = [isinstance(side, f.Cases | f.Number | f.Infinity) for side in sides]
    largest = any(isinstance(part, f.Call) and part.function == "max" for side in sides for part in f.walk(side))
    return largest or (any(plain) and not all(plain))


def _has_base(e: f.Expression, base: str) -> bool:
    return isinstance(e, f.Name) and e.base == base


def _is_crossed(left: f.Name, scores: f.Expression) -> bool:
    """Whether S_ij is of q_j and k_i: what the first index counts is open."""
    places = "".join(left.sub)
    own = {(name.base.lower(), "".join(name.sub)) for name in names(scores)}
    return len(places) == 2 and {("q", places[1]), ("k", places[0])} <= own


def _is_of_ones(mask: f.Name, context: Context) -> bool:
    """Whether a mask is said to be of 0 and 1, which hides nothing where it is added."""
    given = context.once(find_masks).get(mask.base)
    return (given is not None and not given.hides) or context.mentions(_ONES)


_ONES = regex(
    r"\b1\b[\s$`]*(?:for|where|if|when|at|on|in)\b[^.;\n]{1,60}\b0\b|\b0\b[\s$`]*(?:for|where|if|when)\b[^.;\n]{1,60}\b1\b"
    r"|\{ ?0, ?1 ?\\?\}|\b(?:binary|boolean|0/1) mask|\b(?:zeros? and ones?|ones? and zeros?)\b",
    re.IGNORECASE,
)
