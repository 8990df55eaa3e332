"""RMSNorm without its root: x_i/((1/n) Σ x_i²) g_i divides by the mean square, and not by the root of it."""

from __future__ import annotations

import re

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.definitions.normalised import is_mean_of_squares, without_epsilon
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_RMS = regex(r"\bRMS|root[- ]mean[- ]square|均方根", re.IGNORECASE)


def judge_missing_root(statement: Statement, context: Context) -> Formula | None:
    """An entry over the mean of the squares, times the gain, right behind words on RMSNorm."""
    if len(statement.equals) != 2 or not _RMS.search(statement.before):
        return None
    side = statement.equals[1]
    quotients = [x for x in (side, *side.parts) if isinstance(x, f.Quotient)]
    if len(quotients) != 1 or not _is_over_mean_square(quotients[0]):
        return None
    if side is not quotients[0] and not _is_scaled(side, quotients[0]):
        return None
    below = quotients[0].denominator
    inside = statement.printed(below).strip()
    root = f"\\sqrt{{{inside}}}" if "\\" in statement.passage.text else f"sqrt({inside})"
    point = Counterexample((("x", "(2, 2)"), ("gain", "1")), "1/2", "1")
    return refuse(statement, Sentence("formula.missing_root"), statement.with_text(root, below).strip(), point)


def _is_over_mean_square(e: f.Quotient) -> bool:
    below = without_epsilon(e.denominator)
    own = {x.base for x in f.walk(below) if isinstance(x, f.Name)}
    return isinstance(e.numerator, f.Name) and e.numerator.base in own and is_mean_of_squares(below)


def _is_scaled(side: f.Expression, quotient: f.Quotient) -> bool:
    """Whether it is this times a gain."""
    others = [x for x in side.parts if x is not quotient]
    return isinstance(side, f.Product | f.Elementwise) and len(others) == 1 and isinstance(others[0], f.Name)
