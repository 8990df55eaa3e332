"""Scores S that are scaled or masked before softmax is taken of them: dS may be the gradient by what it is taken of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from symattn.checking.formulas.gradients.forward import (
    SCORES,
    Reading,
    free_masks,
    is_of_field,
    is_softmax,
    names_in,
    standing,
)
from symattn.checking.formulas.gradients.masked import values_in
from symattn.checking.formulas.gradients.outcomes import keys_in
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition, Plan, swap_case
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def readings_by_last_scores(known: dict[str, Definition], sides: Sequence[f.Expression]) -> Iterator[Reading]:
    """The forward passes in which dS is the gradient by what softmax is taken of, where no side has S itself."""
    keys = keys_in(sides)
    values = frozenset[str]().union(*map(values_in, sides))
    for scores in (s for s in SCORES if s in known and s not in values and not {s, swap_case(s)}.isdisjoint(keys)):
        for last in _with_last_scores(known, scores):
            free: dict[str, tuple[str, ...]] = dict.fromkeys((*free_masks(last), *_added_in(last)), ("n", "m"))
            yield from standing(last, free, Sentence("condition.last_scores"))


def _added_in(definitions: dict[str, Definition]) -> Iterator[str]:
    """What is added to scores and that no line says what it is, a bias."""
    sums = (part for made in definitions.values() for part in made.parts if isinstance(part, f.Sum))
    for each in sums:
        keys = {letter_of(term).key for term in each.terms if isinstance(term, f.Name)}
        if any(key.rstrip("°") in SCORES for part in each.parts for key in names_in(part)):
            yield from (key for key in keys if not (key in definitions or is_of_field(key)))


def _with_last_scores(known: dict[str, Definition], scores: str) -> Iterator[dict[str, Definition]]:
    """The definitions where S is what softmax is taken of, if that is made of S; other lines keep their S, as S°."""
    needs = Plan({}, known, {}).needs
    for key, weights in known.items():
        names = names_in(weights.expression.arguments[0]) if is_softmax(weights.expression) else set()
        if names <= {scores, swap_case(scores)} or not any(scores in needs(name) for name in names):
            continue
        kept = {k: replace(d, expression=rewrite(d.expression, _kept(scores))) for k, d in known.items()}
        softmax = kept[key].expression
        assert is_softmax(softmax)
        yield kept | {
            f"{scores}°": replace(kept[scores], key=f"{scores}°"),
            scores: Definition(scores, weights.indices, softmax.arguments[0]),
            key: replace(weights, expression=replace(softmax, arguments=(f.Name(scores, weights.indices),))),
        }


def _kept(scores: str) -> Callable[[f.Expression], f.Expression]:
    own = (scores, swap_case(scores))

    def kept(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Name) and slope_of(part) is None and letter_of(part).key in own:
            return replace(part, base=f"{part.base}°")
        return part

    return kept


def last_scores_in(known: dict[str, Definition]) -> f.Name | None:
    """The S′ of A = softmax(S′) or A_ij = e^{S′_ij}/..., beside an S that is scaled or masked to it."""
    for made in known.values():
        exponentials = [part for part in f.walk(made.expression) if isinstance(part, f.Call)]
        names = (x for part in exponentials if part.function in ("softmax", "exp") for x in part.arguments)
        for name in names:
            if isinstance(name, f.Name) and name.sup == ("′",) and name.base in SCORES:
                return replace(name, sub=())
    return None
