"""Scores with relative positions: s_ij = q_iᵀ k_j + q_iᵀ r_{i-j}, one vector for each distance (Shaw et al. 2018)."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ABOUT = regex(r"\bShaw\b|relative|相对|相對|상대|相対|relativ", re.IGNORECASE)
_DISTANCES = {"r": 1, "R": 1, "a": 1, "p": 1}


def judge_relative_score(statement: Statement, context: Context) -> Formula | None:
    """The query of i with the key of j and with the vector of their distance, in either sign of it."""
    if len(statement.equals) != 2 or not context.mentions(_ABOUT):
        return None
    left, side = statement.equals
    if isinstance(side, f.Quotient) and isinstance(side.denominator, f.Root):
        side = side.numerator
    match left, side:
        case f.Name("s" | "e" | "a", (places,), ()), f.Sum((f.Product() as first, f.Product() as second), (1, 1)):
            if len(places) != 2 or places[0] == places[1]:
                return None
            i, j = places[0], places[1]
            content, position = _pair(first), _pair(second)
            wanted = {f"{i}-{j}", f"{j}-{i}", places}
            keyed = content is not None and (content[0].sub, content[1].base, content[1].sub) == ((i,), "k", (j,))
            placed = position is not None and position[0].sub == (i,) and position[1].base in _DISTANCES
            if keyed and placed and position is not None and position[1].sub and position[1].sub[0] in wanted:
                return accept(statement, Sentence("formula.relative_scores"))
        case f.Name("s" | "e" | "a", (places,), ()), f.Product(
            (f.Name(sub=(query,)) as x, f.Name("W") as weight, keys)
        ):
            if len(places) == 2 and places[0] != places[1] and query == places[0] and _label(weight) in ("", "q"):
                return _of_projections(x, keys, places, statement)
    return None


def _of_projections(x: f.Name, keys: f.Expression, places: str, statement: Statement) -> Formula | None:
    """x_i W^Q (x_j W^K + a_ij)ᵀ, of which a key at the place of the query is none: every score would have that one."""
    match keys:
        case f.Transpose(f.Sum((f.Product((f.Name() as token, f.Name("W") as weight)), distance), (1, 1))):
            known = isinstance(distance, f.Name) and distance.base in _DISTANCES and distance.sub == (places,)
            if not known or token.base != x.base or _label(weight) not in ("", "k"):
                return None
            if token.sub == (places[1],):
                return accept(statement, Sentence("formula.relative_scores"))
            written = statement.passage.text[token.start : token.end]
            if token.sub == x.sub and written.removesuffix("}").endswith(places[0]):
                mended = written.removesuffix("}")[:-1] + places[1] + "}" * written.endswith("}")
                return refuse(statement, Sentence("formula.relative_scores"), statement.with_text(mended, token))
    return None


def _label(weight: f.Name) -> str:
    """The q of W^Q and of W_Q."""
    return "".join((*weight.sub, *weight.sup)).lower()


def _pair(product: f.Product) -> tuple[f.Name, f.Name] | None:
    """The query and the other vector of an inner product, as columns or as rows."""
    match product:
        case f.Product((f.Transpose(f.Name("q") as query), f.Name() as other)):
            return query, other
        case f.Product((f.Name("q") as query, f.Transpose(f.Name() as other))):
            return query, other
        case f.Product((f.Name("q") as query, f.Name() as other), ("·",)):
            return query, other
    return None
