"""Weights of the encoder's place first, c_j = Σ_i α_ij h_i: their columns sum to 1, so that Σ_k e^{e_kj} divides them.

Which of the two indices is the encoder's is said in words; where it is not, neither line is called right or wrong.
"""

from __future__ import annotations

import re

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.shapes.inference import indices_of
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_LETTER = r"[a-z]_\{?([a-z])\}?[\s$`)\\]*"
_ENCODER = regex(
    rf"(?<![A-Za-z]){_LETTER}(?:is|are|为|是|denotes?)[^.,，。\n$\\]{{0,40}}(?:encoder|source|编码)", re.IGNORECASE
)
_DECODER = regex(
    rf"(?<![A-Za-z]){_LETTER}(?:is|are|为|是|denotes?)[^.,，。\n$\\]{{0,40}}(?:decoder|target|解码)", re.IGNORECASE
)
_THEOREM = Sentence("theorem.sum_over_queries")


def judge_sum_over_queries(statement: Statement, context: Context) -> Formula | None:
    """c_j = Σ_i α_ij h_i with h_i of the encoder, and the weights α_ij, whose sum has to go over i."""
    sides = statement.equals
    if len(sides) != 2 or not isinstance(sides[0], f.Name):
        return None
    places = indices_of(sides[0])
    found = sides[1]
    if isinstance(found, f.BigSum) and len(places) == 1:
        if _is_context(found, places[0]) and _are_said(found.index, places[0], context):
            return conclude(statement, "holds", Sentence("formula.average"))
        return None
    if len(places) != 2 or not _are_said(*places, context):
        return None
    match found:
        case f.Quotient(
            f.Call("exp", (f.Name(base) as score,)), f.BigSum(index, body=f.Call("exp", (f.Name(other) as term,)))
        ) if base == other and indices_of(score) == places and index not in places:
            if indices_of(term) == (index, places[1]):
                return conclude(statement, "holds", _THEOREM)
            if indices_of(term) == (places[0], index):
                return refuse(statement, _THEOREM, _right(statement, term, index, places), _point(base))
    return None


def _is_context(total: f.BigSum, free: str) -> bool:
    """Whether this adds up states of the index that it runs over, each with its weight of both."""
    match total.body:
        case f.Product((f.Name() as weight, f.Name() as state), _):
            return indices_of(weight) == (total.index, free) and indices_of(state) == (total.index,)
    return False


def _are_said(encoder: str, decoder: str, context: Context) -> bool:
    """Whether words give the first index to the encoder and the second to the decoder, and nothing else."""
    return context.once(_find_said) == ({encoder}, {decoder})


def _find_said(article: Article, _: object) -> tuple[set[str], set[str]]:
    """The letters that words give to places of the encoder, and to those of the decoder."""
    return set(_ENCODER.findall(article.words)), set(_DECODER.findall(article.words))


def _right(statement: Statement, term: f.Name, index: str, places: tuple[str, ...]) -> str:
    head, _, tail = statement.printed(term).rpartition(f"{places[0]}{index}")
    return statement.with_text(head + index + places[1] + tail, term).strip()


def _point(base: str) -> Counterexample:
    return Counterexample(((base, "[[0, 0, 0], [0, 0, 0]]"), ("at", "(1, 1)")), "1/3", "1/2")
