"""Whether an equation is one of a given form in print: the same letters, or those that may stand for them.

The terms of a sum may stand in any order, indices may have any letters, and products any sign. Two letters of a form
never stand for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations

from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f

INDICES = frozenset("tin")  # of a form as plain letters; as marks of others all letters are
MOST_TERMS = 4
_INDEX = regex(r"(?P<before>(?:1:)?)(?P<index>[a-zA-Z])(?P<after>(?:[-+]\d)?)")
Letters = Mapping[str, str]  # letters of a form, and those that may stand for each, with spaces between
Bound = Mapping[str, str]  # letters of a form, and those that do stand for them


def without_products(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides with one spelling for all products, those entry by entry too."""
    return [rewrite(side, _plain) for side in sides]


def is_printed_as(form: str, sides: Sequence[f.Expression], letters: Letters) -> bool:
    """Whether the sides of an equation, with one spelling for products, are those of a form.

    >>> [chain] = f.parse("M_j = M_{j-1} + v_j k_j^T", algebra=True)
    >>> sides = without_products([side.expression for side in chain.sides])
    >>> is_printed_as("S_t = v_t k_t^T + S_{t-1}", sides, {"S": "M S"})
    True
    >>> is_printed_as("S_t = k_t v_t^T + S_{t-1}", sides, {"S": "M S"})
    False
    """
    return any(_match_all(_read(form), sides, letters, {}))


@cache
def _read(printed: str) -> Sequence[f.Expression]:
    [chain] = f.parse(printed, algebra=True)
    return without_products([side.expression for side in chain.sides])


def _plain(part: f.Expression) -> f.Expression:
    """The part without its signs of multiplication, entry by entry or not, and `wkv` for W K V with one index."""
    match part:
        case f.Elementwise(factors):
            return _plain(f.Product(factors, ("",) * (len(factors) - 1)))
        case f.Product((f.Name("W", (), ()), f.Name("K", (), ()), f.Name("V", sub, ()))):
            return f.Name("wkv", sub)
        case f.Product():
            return f.without_signs(part)
        case f.Transpose(operand):
            return f.Transpose(operand)
        case f.Number(value=value):
            return f.Number(str(value), value, part.places)
    return part


def _match_all(forms: Sequence[object], printed: Sequence[object], letters: Letters, bound: Bound) -> Iterator[Bound]:
    """What letters have to stand for so that all parts are those of the form."""
    if len(forms) != len(printed):
        return
    if not forms:
        yield bound
        return
    for found in _match(forms[0], printed[0], letters, bound):
        yield from _match_all(forms[1:], printed[1:], letters, found)


def _match(form: object, printed: object, letters: Letters, bound: Bound) -> Iterator[Bound]:
    if isinstance(form, f.Name) and isinstance(printed, f.Name):
        yield from _match_names(form, printed, letters, bound)
    elif isinstance(form, f.Sum) and isinstance(printed, f.Sum) and len(form.terms) <= MOST_TERMS:
        terms = list(zip(printed.terms, printed.signs, strict=True))
        for order in permutations(terms) if len(terms) == len(form.terms) else ():
            if tuple(sign for _, sign in order) == form.signs:
                yield from _match_all(form.terms, [term for term, _ in order], letters, bound)
    elif isinstance(form, f.BigSum) and isinstance(printed, f.BigSum):
        for found in _bind(form.index, printed.index, bound):
            bounds = [[e.lower, e.upper, e.condition, e.body] for e in (form, printed)]
            yield from _match_all(bounds[0], bounds[1], letters, found)
    elif isinstance(form, f.Expression) and type(form) is type(printed):
        names: tuple[str, ...] = form.__match_args__
        fields = [[getattr(e, name) for name in names] for e in (form, printed)]
        yield from _match_all(fields[0], fields[1], letters, bound)
    elif isinstance(form, tuple) and isinstance(printed, tuple):
        yield from _match_all(form, printed, letters, bound)
    elif form == printed:
        yield bound


def _match_names(form: f.Name, printed: f.Name, letters: Letters, bound: Bound) -> Iterator[Bound]:
    """One name for another: the same letter or one that may stand for it, with marks that differ in indices alone."""
    if form.base in INDICES and not form.sub and not printed.sub:
        yield from _bind(form.base, printed.base, bound)
        return
    known = bound.get(form.base)
    allowed = printed.base == known if known else printed.base in letters.get(form.base, form.base).split()
    taken = known is None and printed.base in bound.values()
    marks, others = [*form.sub, "", *form.sup], [*printed.sub, "", *printed.sup]
    if allowed and not taken and len(form.sub) == len(printed.sub) and len(marks) == len(others):
        yield from _match_marks(marks, others, letters, {**bound, form.base: printed.base})


def _match_marks(forms: Sequence[str], marks: Sequence[str], letters: Letters, bound: Bound) -> Iterator[Bound]:
    """The j of one for the i of another, j-1 for i-1, and the r of W_r for what stands for y in W_y."""
    for form, mark in zip(forms, marks, strict=True):
        own, other = _INDEX.fullmatch(form), _INDEX.fullmatch(mark)
        if own is not None and other is not None and (own["before"], own["after"]) == (other["before"], other["after"]):
            found = next(_bind(own["index"], other["index"], bound), None)
            if found is None:
                return
            bound = found
        elif mark != (bound.get(form, form) if form in letters else form):
            return
    yield bound


def _bind(index: str, letter: str, bound: Bound) -> Iterator[Bound]:
    if bound.get(index, letter) == letter and len(letter) == 1 and (index in bound or letter not in bound.values()):
        yield {**bound, index: letter}
