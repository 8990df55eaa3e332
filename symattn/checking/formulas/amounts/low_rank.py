"""What LoRA trains: B ∈ ℝ^{d×r} and A ∈ ℝ^{r×k} have r(d + k) entries, and not r d k."""

from __future__ import annotations

import re

import sympy
from sympy import Expr

from symattn.checking.disowned import disowns
from symattn.checking.findings import Formula
from symattn.checking.formulas.counts import COUNTED
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.sizes import read_size
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.writing.polynomials import Amount
from symattn.writing.prose import Sentence
from symattn.writing.writers.text_style import TextStyle

NEAR = 240  # characters of the sentence in front
_TRAINS = regex(  # LoRA itself, with nothing but formulas between it and what it does
    r"(?:\A|[,，])\W*(?:(?:so|then|thus|hence|therefore)\s+)?(?:LoRA|low[- ]rank adaptation)(?:\s+with)?"
    r"(?:[\s,、]|and|和|与|\$[^$]*\$|`[^`]*`)*"
    r"(?:\btrains?|\bhas|\badds?|训练|有)\s*(?:only|just|about|exactly|仅|只)?[\s$`(]*\Z",
    re.IGNORECASE,
)
_OTHERWISE = regex(  # more pairs than one, or half of a pair
    r"\b(?:both|each|every|all|per|two|three|four|several|layers|projections)\b|[两每各]|所有|全部"
    r"|LoRA-|(?:freez\w*|frozen|冻结)\W*[AB]\b",
    re.IGNORECASE,
)
_SENTENCE_END = regex(r"(?<=[.;])\s|[。；\n]")


def judge_low_rank(statement: Statement, context: Context) -> Formula | None:
    """A count without an equals sign, of which its sentence says that it is what LoRA trains."""
    counted = COUNTED.match(statement.after)
    if len(statement.sides) != 1 or counted is None or "flop" in counted[1].lower():
        return None
    start = statement.span[0]
    sentence = _SENTENCE_END.split(context.article.words[max(start - NEAR, 0) : start])[-1]
    count, shapes = read_size(statement.left), _shapes(statement, context)
    near = context.article.words[max(start - NEAR, 0) : start] + statement.after[:NEAR]
    if count is None or shapes is None or not _TRAINS.search(sentence) or _OTHERWISE.search(near):
        return None
    if disowns(statement.before, statement.after):
        return None
    rows, rank, columns = shapes
    right = sympy.expand(rank * (rows + columns))
    if sympy.expand(count - right) == 0:
        return accept(statement, Sentence("formula_count"))
    if sympy.expand(count - rank * rows * columns) != 0:
        return None
    return refuse(statement, Sentence("formula_count"), Amount(right).write(TextStyle()))


def _shapes(statement: Statement, context: Context) -> tuple[Expr, Expr, Expr] | None:
    """d, r and k, where B is said to be of d × r and A of r × k, or each the other way round."""
    stated = context.once(collect).near(statement.span[0]).shapes
    found = [next((shape for shape in stated.get(key, ()) if shape), ()) for key in ("B", "A")]
    if any(len(shape) != 2 for shape in found):
        return None
    for (rows, rank), (same, columns) in (found, found[::-1]):
        if rank == same:
            return rows, rank, columns
    return None
