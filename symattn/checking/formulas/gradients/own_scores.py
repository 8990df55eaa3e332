"""The scores of an article that gives them no letter: what it takes the softmax of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symattn.checking.models.letters import letter_of
from symattn.checking.models.passes import Definition
from symattn.checking.naming import rewrite
from symattn.reading import formula as f

_QUERIES_BY_KEYS = f.Product((f.Name("Q"), f.Transpose(f.Name("K"))), ("",))


def find_argument(known: dict[str, Definition], weights: str | None) -> f.Expression | None:
    """The one formula, and no letter, whose softmax is taken: for the weights, or else anywhere in the definitions."""
    own = [known[weights].expression] if weights in known else [made.expression for made in known.values()]
    found = {argument for e in own for part in f.walk(e) if (argument := _argument(part)) is not None}
    [argument] = found if len(found) == 1 else (None,)
    return argument if argument is not None and _is_of_keys(argument) else None


def name_scores(
    known: dict[str, Definition], argument: f.Expression, scores: f.Name, core: f.Expression | None = None
) -> dict[str, Definition]:
    """The definitions with S for that formula; with `core` S is QKᵀ alone, or QKᵀ / √d_k if that is the core."""
    made = argument if core is None else core
    within: f.Expression = scores
    if core is not None:
        below = core.denominator if isinstance(core, f.Quotient) else None
        whole = scores if below is None else f.Product((below, scores), ("",))
        within = rewrite(argument, lambda part: whole if part == _QUERIES_BY_KEYS else part)
    named = {
        key: replace(d, expression=rewrite(d.expression, lambda part: _put(part, argument, within)))
        for key, d in known.items()
    }
    return {**named, scores.base: Definition(scores.base, (), made)}


def cores_of(argument: f.Expression) -> tuple[f.Expression, ...]:
    """QKᵀ, and QKᵀ / √d_k, where the softmax is of QKᵀ with something more."""
    if argument == _QUERIES_BY_KEYS or _QUERIES_BY_KEYS not in f.walk(argument):
        return ()
    return _QUERIES_BY_KEYS, f.Quotient(_QUERIES_BY_KEYS, f.Root(f.Name("d", ("k",))))


def with_keys_in_rows(
    known: dict[str, Definition], scores: str, weights: str | None, output: str | None
) -> dict[str, Definition] | None:
    """The definitions where the scores are KQᵀ: each query has a column of weights then, and the output is PᵀV; None
    where they are not, or a line says what the weights are."""
    if weights is None or scores not in known or not any(map(is_keys_by_queries, known[scores].parts)):
        return None
    own = known.get(weights)
    if own is not None and (output in known or not _is_exponential(own.expression)):
        return None
    softmax = f.Transpose(f.Call("softmax", (f.Transpose(f.Name(scores)),)))
    made = {**known, weights: Definition(weights, (), softmax)}
    if output is not None and output not in known:
        made[output] = Definition(output, (), f.Product((f.Transpose(f.Name(weights)), f.Name("V")), ("",)))
    return made


def _is_exponential(e: f.Expression) -> bool:
    """Whether it is e^{S − l}, or the softmax of the letter S, which does not say of what the weights sum to 1."""
    return isinstance(e, f.Call) and (
        e.function == "exp" or (e.function == "softmax" and isinstance(e.arguments[0], f.Name) and not e.label)
    )


def is_keys_by_queries(part: f.Expression) -> bool:
    """Whether it is KQᵀ."""
    return isinstance(part, f.Product) and part.factors == (f.Name("K"), f.Transpose(f.Name("Q")))


def find_factors(argument: f.Expression, known: dict[str, Definition], taken: Sequence[str]) -> dict[str, tuple[()]]:
    """The small letters that QKᵀ is multiplied or divided by and of which no line says what they are: numbers."""
    factors: list[f.Expression] = [argument]
    names: list[f.Name] = []
    while factors:
        part = factors.pop()
        if isinstance(part, f.Product):
            factors += part.factors
        elif isinstance(part, f.Quotient):
            factors += (part.numerator, part.denominator)
        elif isinstance(part, f.Name):
            names.append(part)
    letters = [letter_of(name) for name in names if name.base[:1].islower()]
    return {x.key: () for x in letters if not x.indices and x.key not in known and x.key not in taken}


def _argument(part: f.Expression) -> f.Expression | None:
    """What a softmax is of; the part is S where it is a letter already."""
    if isinstance(part, f.Call) and part.function == "softmax" and len(part.arguments) == 1:
        return None if isinstance(part.arguments[0], f.Name) else _plain(part.arguments[0])
    return None


def _plain(e: f.Expression) -> f.Expression:
    """The formula with QKᵀ as one factor, in β QKᵀ too."""

    def plain(part: f.Expression) -> f.Expression:
        pair = _QUERIES_BY_KEYS.factors
        if not isinstance(part, f.Product) or part == _QUERIES_BY_KEYS:
            return part
        at = next((k for k in range(len(part.factors) - 1) if part.factors[k : k + 2] == pair), None)
        if at is None:
            return part
        factors = (*part.factors[:at], _QUERIES_BY_KEYS, *part.factors[at + 2 :])
        return f.Product(factors, ("",) * (len(factors) - 1)) if len(factors) > 1 else _QUERIES_BY_KEYS

    return rewrite(e, plain)


def _is_of_keys(e: f.Expression) -> bool:
    """Whether queries and keys of any kind are in it: the softmax of a classifier is another."""
    letters = {name.base[:1] for name in f.walk(e) if isinstance(name, f.Name)}
    return {"Q", "K"} <= letters


def _put(part: f.Expression, argument: f.Expression, within: f.Expression) -> f.Expression:
    return replace(part, arguments=(within,)) if _argument(part) == argument and isinstance(part, f.Call) else part
