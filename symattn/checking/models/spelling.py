"""A printed equation in the spelling that models read: indices by their usual letters and below the line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symattn.checking.models.letters import join_differentials, letter_of
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f

USUAL = "ijklmnprstu"
_TOKEN = regex("[a-zA-Z]′*")
_KEPT_DIMENSION = regex(r":|\.\.\.|None|np\.newaxis")


def spell(e: f.Expression) -> f.Expression:
    """`Σ_d O_{id} do_{id}` as Σ_k O_{ik} ∂L/∂O_{ik}, `A^{ij}` as A_{ij}, `delta[:, None]` as the column delta.

    A sum without an index runs over the only one that its terms have.
    """
    lowered = rewrite(e, _lower)
    bound = frozenset(part.index for part in f.walk(lowered) if isinstance(part, f.BigSum))
    return join_differentials(rewrite(lowered, lambda part: _rename(part, bound)))


def rename_indices(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """`∂A_ij/∂V_xy` with usual letters for x and y, where these are the indices of what is differentiated, and
    O_{xb} = Σ_j A_{xj} V_{jb} with such for x and b.

    The j of Σ_j in P_ij = e^{S_ij}/Σ_j e^{S_ij} is another than that of P_ij, and gets another letter.
    """
    free_of_left = open_indices(sides[0]) if sides else frozenset[str]()
    sides = [rewrite(side, lambda part: _apart(part, free_of_left)) for side in sides]
    parts = [part for side in sides for part in f.walk(side) if isinstance(part, f.Derivative)]
    said = [name for part in parts for name in (part.of, part.by)] or list(sides[:1])
    marks = [mark for name in said if isinstance(name, f.Name) and name.base.isupper() for mark in _pairs(name)]
    odd = sorted({c for mark in marks for c in mark} - set(USUAL))
    names = [name for side in sides for name in _names(side)]
    taken = {c for name in names for mark in (*name.sub, *name.sup) for c in mark} | {name.base for name in names}
    free = [letter for letter in "rstunlmpk" if letter not in taken]
    if not odd or len(odd) > len(free):
        return list(sides)
    table = str.maketrans(dict(zip(odd, free, strict=False)))

    def renamed(part: f.Expression) -> f.Expression:
        if isinstance(part, f.BigSum) and all(len(letter.strip()) == 1 for letter in part.index.split(",")):
            return replace(part, index=part.index.translate(table))
        if not isinstance(part, f.Name) or not _pairs(part):
            return part
        sub, sup = (tuple(mark.translate(table) for mark in marks) for marks in (part.sub, part.sup))
        return replace(part, sub=sub, sup=sup)

    return [rewrite(side, renamed) for side in sides]


def _pairs(name: f.Name) -> list[str]:
    """The two indices of a name: A_{ij}, A^{ij}, δ^i_j."""
    marks = (*name.sub, *name.sup)
    if name.base == "δ" and len(name.sub) == len(name.sup) == 1:
        return ["".join(marks)]
    return [mark for mark in marks if len(mark) == 2 and mark.isalpha() and mark.islower()] if len(marks) == 1 else []


def sum_repeated(sides: Sequence[f.Expression]) -> list[f.Expression]:
    """The sides with a sum over each index that stands twice in a product of A^{ij}: so tensors are multiplied."""
    names = [name for side in sides for name in _names(side)]
    if not any(len(name.sup) == 1 and not name.sub and _pairs(name) for name in names):
        return list(sides)
    kept = open_indices(rewrite(sides[0], _lower))
    if any(isinstance(part, f.BigSum) for part in f.walk(sides[0])):
        return list(sides)

    def summed(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Product):
            return part
        letters = [c for factor in part.factors for c in _letters_of(factor)]
        twice = [c for c in dict.fromkeys(letters) if letters.count(c) == 2 and c not in kept]
        found: f.Expression = part
        for letter in twice:
            found = f.BigSum(letter, None, None, found, start=part.start, end=part.end)
        return found

    return [rewrite(side, summed) for side in sides]


def _letters_of(factor: f.Expression) -> list[str]:
    """The indices of a factor, each as often as it has it."""
    if isinstance(factor, f.Derivative):
        return [c for e in (factor.of, factor.by) for c in _letters_of(e)]
    if isinstance(factor, f.Sum):
        return list(dict.fromkeys(c for term in factor.terms for c in _letters_of(term)))
    return [c for mark in _pairs(factor) for c in mark] if isinstance(factor, f.Name) else []


def open_indices(e: f.Expression) -> frozenset[str]:
    """The indices of names, over which no sum and no maximum runs."""
    if isinstance(e, f.BigSum):
        return open_indices(e.body) - {e.index}
    if isinstance(e, f.Call) and e.function == "max" and len(e.arguments) == 1:
        return open_indices(e.arguments[0]) - set(e.label)
    own = _indices(e) if isinstance(e, f.Name) else frozenset[str]()
    return own.union(*map(open_indices, e.parts))


def sums_over_its_own(e: f.Expression) -> bool:
    """Whether a sum runs over a letter that is free beside it, e^{z_i} / Σ_i e^{z_i}: nobody should write that."""
    sums = {part.index for part in f.walk(e) if isinstance(part, f.BigSum) and part.index}
    return not open_indices(e).isdisjoint(sums)


def _indices(name: f.Name) -> frozenset[str]:
    """The i and j of A_{ij}, the i and a of Q_{ia}."""
    pairs = [mark for mark in name.sub if len(mark) == 2 and mark.isalpha() and set(mark) & set(USUAL)]
    return frozenset("".join((*letter_of(name).indices, *pairs))) & frozenset("abcdefghijklmnopqrstuvwxyz")


def _lower(part: f.Expression) -> f.Expression:
    """Two indices above the line go below; (dO)_{id} is dO_{id}; brackets that only keep a dimension are left out."""
    if isinstance(part, f.Entry) and isinstance(name := part.operand, f.Name) and not (name.sub or name.sup):
        return replace(name, sub=part.indices)
    if not isinstance(part, f.Name):
        return part
    if len(part.item) > 1 and all(_KEPT_DIMENSION.fullmatch(mark) for mark in part.item):
        return replace(part, item=())
    if part.base == "δ" and (pair := _pairs(part)):
        return replace(part, sub=tuple(pair), sup=())
    above = _TOKEN.findall(part.sup[0]) if len(part.sup) == 1 and not part.sub else []
    if len(above) == 2 and "".join(above) == part.sup[0] and above[0][0] in USUAL:
        return replace(part, sub=part.sup, sup=())
    return part


def _entry_of_row(part: f.Expression, index: str) -> f.Expression:
    """The row O_{i,:} in Σ_j dO_{i,:} ⊙ O_{i,:} as its entry O_{ij}, over which the sum runs."""
    if not isinstance(part, f.Elementwise) or index in open_indices(part):
        return part

    def at(name: f.Expression) -> f.Expression:
        row = isinstance(name, f.Name) and len(name.sub) == 2 and name.sub[1] == ":"
        return replace(name, sub=(name.sub[0], index)) if row and isinstance(name, f.Name) else name

    return rewrite(part, at)


def _rename(part: f.Expression, bound: frozenset[str]) -> f.Expression:
    """A sum over a letter that is not usual for an index, with one that is; Σ_{a,b} as two sums.

    `bound` are the letters over which sums run.
    """
    if not isinstance(part, f.BigSum):
        return part
    if "," in part.index and (part.lower, part.upper, part.condition) == (None, None, None):
        first, _, rest = part.index.partition(",")
        inner = _rename(replace(part, index=rest.strip()), bound)
        return _rename(replace(part, index=first.strip(), body=inner), bound)
    if not part.index:
        return index_sum(part)
    index = part.index
    part = replace(part, body=rewrite(part.body, lambda inner: _entry_of_row(inner, index)))
    if part.index in USUAL or not _TOKEN.fullmatch(part.index):
        return part
    return _with_other_index(part, bound)


def _apart(part: f.Expression, free: frozenset[str]) -> f.Expression:
    """A sum over a letter that stands free elsewhere, with another for it."""
    match part:
        case f.BigSum(index, None, None) if index in free:
            return _with_other_index(part, free)
    return part


def _with_other_index(part: f.BigSum, bound: frozenset[str]) -> f.Expression:
    """The sum with an index that is in none of its marks; `bound` are letters that are indices, if unusual ones."""
    taken = {letter for name in _names(part.body) for mark in name.sub for letter in mark}
    free = next((letter for letter in reversed("ijklmnprst") if letter not in taken), None)
    if free is None:
        return part

    def renamed(inner: f.Expression) -> f.Expression:
        if not isinstance(inner, f.Name):
            return inner
        return replace(inner, sub=tuple(_with(mark, part.index, free, bound) for mark in inner.sub))

    condition = None if part.condition is None else _rename_in(part.condition, f.Name(part.index), f.Name(free))
    return replace(part, index=free, body=rewrite(part.body, renamed), condition=condition)


def index_sum(part: f.Expression) -> f.Expression:
    """Σ x_i as Σ_i x_i: a sum without an index runs over the only one that its terms have."""
    if not isinstance(part, f.BigSum) or part.index:
        return part
    found = {index for name in _names(part.body) for index in letter_of(name).indices if index.isalpha()}
    return replace(part, index=found.pop()) if len(found) == 1 else part


def _rename_in(condition: f.Chain, index: f.Name, free: f.Name) -> f.Chain:
    """`c ≠ k` below a sum over c."""
    sides = (
        replace(side, expression=free if side.expression == index else side.expression) for side in condition.sides
    )
    return replace(condition, sides=tuple(sides))


def _with(mark: str, index: str, free: str, bound: frozenset[str]) -> str:
    """`id` with another letter for d; `model` and `d` of a size stay."""
    found = _TOKEN.findall(mark)
    if "".join(found) != mark or index not in found or any(x not in (*USUAL, index, *bound) for x in found):
        return mark
    return "".join(free if each == index else each for each in found)


def _names(e: f.Expression) -> Iterator[f.Name]:
    return (part for part in f.walk(e) if isinstance(part, f.Name))
