"""Lines of online softmax held against attention over all keys, under conventions that papers do not share.

A line is worked out once for all conventions that do not differ in what it asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeGuard

from symattn.checking.formulas.recurrences.online_spelling import dot_by_entry, rescales, with_tilde
from symattn.checking.formulas.recurrences.online_states import (
    LETTERS,
    NEW,
    OF_BLOCKS,
    OLD,
    depends_on_fresh,
    is_marked,
    is_of_slices,
    merge_in,
    names_in,
    states_in,
    step_of,
)
from symattn.checking.formulas.trials.mending import BITS
from symattn.checking.models.block_sums import gather_keys
from symattn.checking.models.blocks import BlockModel, Conventions, at_point
from symattn.checking.models.equations import Difference, difference_of
from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.tensors import MisfitError
from symattn.checking.naming import rewrite, substitute
from symattn.reading import formula as f
from symattn.values.enclosures import precision

Outcome = tuple[BlockModel, Difference | MisfitError] | None  # None is agreement
Definitions = dict[f.Name, f.Expression]


@dataclass
class Trials:
    """A line under one convention after the other; `asked` are the conventions that it turns on."""

    sides: Sequence[f.Expression]
    defined: Definitions
    _known: list[tuple[dict[str, Any], Outcome | UnsettledError]] = field(default_factory=list)

    def under(self, conventions: Conventions) -> Outcome:
        """What the sides come to; None where they agree. Raises UnsettledError."""
        found = next(
            (x for asked, x in self._known if all(getattr(conventions, k) == v for k, v in asked.items())), ...
        )
        if found is ...:
            asked = set[str]()
            try:
                found = _try(self.sides, self.defined, conventions, asked)
            except UnsettledError as error:
                found = error
            self._known.append(({key: getattr(conventions, key) for key in asked}, found))
        if isinstance(found, UnsettledError):
            raise found
        return found

    def agrees(self, conventions: Conventions) -> bool:
        """Whether all sides are equal."""
        try:
            return self.under(conventions) is None
        except UnsettledError:
            return False


def agrees(sides: Sequence[f.Expression], defined: Definitions, conventions: Iterable[Conventions]) -> bool:
    """Whether the sides are equal under one of the conventions."""
    return any(map(Trials(sides, defined).agrees, conventions))


def _try(sides: Sequence[f.Expression], defined: Definitions, conventions: Conventions, asked: set[str]) -> Outcome:
    """What the sides come to; a dot between vectors, `exp(m - m_new)·ℓ`, is a product by entries too.

    The names of the conventions on which that depends are added to `asked`.
    """
    sides = _written_out(sides, defined)
    if any(name.base in ("P", "p") for name in names_in(sides)):
        asked.add("plain")
    sides = prepare(sides, conventions)
    found = _compare(sides, defined, conventions, asked)
    dotted = [rewrite(side, dot_by_entry) for side in sides]
    if found is None or dotted == list(sides):
        return found
    try:
        return None if _compare(dotted, defined, conventions, asked) is None else found
    except UnsettledError:
        return found


def _written_out(sides: Sequence[f.Expression], defined: Definitions) -> list[f.Expression]:
    """The sides with e^{m_old − m_new} for the letter of such a factor, but for the line that says so."""
    factors = {name: e for name, e in defined.items() if name != sides[0] and (name.base in LETTERS or rescales(e))}

    def written(part: f.Expression) -> f.Expression:
        return factors.get(part, part) if isinstance(part, f.Name) else part

    return [rewrite(side, written) for side in sides]


def prepare(sides: Sequence[f.Expression], conventions: Conventions) -> Sequence[f.Expression]:
    """The sides with one name for each quantity: the two of an overwritten one, and P̃ for what some call P."""
    sides = [rewrite(side, _over_all_keys) for side in sides]
    if conventions.plain:
        sides = [rewrite(side, with_tilde) for side in sides]
    return _name_update(_name_sum(_name_scaled(gather_keys(sides, LETTERS))))


def _name_scaled(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """s_j = s_{j-1} e^{m_{j-1} − m_j} + e^{x_j − m_j} with ℓ for s: a score stands in exponents and is not rescaled."""
    parts = [part for side in sides for part in f.walk(side)]
    taken = (inner for part in parts if isinstance(part, f.Call) for inner in f.walk(part))
    if not _is_rescaled("s", parts) or any(_is_letter(part, "s") for part in taken):
        return sides
    return _with_sum_for("s", sides)


def _is_letter(part: f.Expression, base: str) -> TypeGuard[f.Name]:
    return isinstance(part, f.Name) and part.base == base


def _is_rescaled(base: str, parts: Sequence[f.Expression]) -> bool:
    """Whether a letter is multiplied by e^{m_old − m_new}, as a sum is and no score and no logarithm."""
    products = (part for part in parts if isinstance(part, f.Product))
    return any(rescales(part) for part in products if any(_is_letter(factor, base) for factor in part.factors))


def _with_sum_for(base: str, sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """The sides with ℓ for a letter."""
    return [rewrite(side, lambda part: replace(part, base="ℓ") if _is_letter(part, base) else part) for side in sides]


def _over_all_keys(part: f.Expression) -> f.Expression:
    """softmax(x_i) of one score, which is its weight among those of all keys, as e^{x_i − lse}."""
    match part:
        case f.Call("softmax", (f.Name(("x" | "s"), (_,), ()) as score,), ()):
            return f.Call("exp", (f.Sum((score, f.Name("lse")), (1, -1)),), start=part.start, end=part.end)
    return part


def _name_sum(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """`L = e^{m_i − m} ℓ_i + e^{m_j − m} ℓ_j` with ℓ for L, and for every L that is rescaled so: the logarithm of a
    sum, which L is elsewhere, is not multiplied."""
    left, *others = sides
    parts = [part for side in sides for part in f.walk(side)]
    calls = [part for part in parts if isinstance(part, f.Call)]
    taken = (inner for call in calls if call.function == "exp" for inner in f.walk(call))
    if any(call.function == "log" for call in calls) or any(_is_letter(part, "L") for part in taken):
        return sides
    if _is_rescaled("L", parts) or any(map(_divides_by_sum, parts)):
        return _with_sum_for("L", sides)
    named = [replace(left, base="ℓ"), *others] if _is_letter(left, "L") else [*sides]
    return sides if merge_in(named) is None else named


def _divides_by_sum(part: f.Expression) -> bool:
    """Whether it is O/L or diag(L)^{-1}, of an L that is no logarithm."""
    match part:
        case f.Quotient(_, below) | f.Power(below, f.Number(value=-1)):
            return any(_is_letter(part, "L") for part in f.walk(below))
    return False


def _name_update(sides: Sequence[f.Expression]) -> Sequence[f.Expression]:
    """`O = (... O + ...) / l_new` as `O_new = (... O_old + ...) / l_new`: what stands on both sides is overwritten."""
    left, *others = sides
    names = names_in(others)
    if isinstance(left, f.Name) and _divides_last(left, names):
        new = next(name for name in names if name.base == left.base)
        undivided = [substitute(side, new, replace(left, base="Õ")) for side in others]
        return [left, *(rewrite(side, lambda part: _unmarked(part, names)) for side in undivided)]
    if not isinstance(left, f.Name) or left not in names:
        return sides
    if LETTERS[left.base] == "O" and {LETTERS[name.base] for name in names if name != left} == {"ℓ"}:
        apart = replace(left, base="Õ")  # divided at the end, by the whole sum
        return [replace(left, sub=(), sup=()), *(substitute(side, left, apart) for side in others)]
    after = replace(left, sup=(*left.sup, "new"))
    if merge_in([after, *others]):
        return [after, *others]
    states = [name for name in names if LETTERS[name.base] not in OF_BLOCKS]
    steps = {step for name in states if isinstance(step := step_of(name), tuple)}
    if len(steps) > 1 or not any(is_marked(name, OLD) or is_marked(name, NEW) for name in names):
        return sides
    before = replace(left, sup=(*left.sup, "old"))
    updated = [substitute(side, left, before) for side in others]
    return [after if any(is_marked(name, NEW) for name in names) else left, *updated]


def _divides_last(left: f.Name, names: Sequence[f.Name]) -> bool:
    """Whether the plain O is what O_new and ℓ_new make, the state behind the last block: the output over all keys."""
    marks = {(name.sub, name.sup) for name in names}
    new = len(marks) == 1 and all(is_marked(name, NEW) for name in names)
    outputs_and_sums = {left.base, *(n.base for n in names if LETTERS[n.base] == "ℓ")}
    return (
        LETTERS.get(left.base) == "O"
        and not (left.sub or left.sup)
        and new
        and {n.base for n in names} == outputs_and_sums
    )


def _unmarked(part: f.Expression, names: Sequence[f.Name]) -> f.Expression:
    return replace(part, sub=(), sup=()) if isinstance(part, f.Name) and part in names else part


def _compare(sides: Sequence[f.Expression], defined: Definitions, conventions: Conventions, asked: set[str]) -> Outcome:
    """What the sides come to, for two queries or else for one, as which formulas for single rows are meant."""
    found: Outcome = None
    if depends_on_fresh(sides):
        asked.add("fresh")
    whole = is_of_slices(sides)
    state_of = states_in(sides, conventions, whole)
    with precision(BITS):
        for queries, width in ((2, 3), (1, 3), (1, 1)):
            if width == 1 and not _of_single_keys(sides):
                break
            for seed in (0, 1):
                blocks = at_point(conventions, queries, width, seed, whole)
                model = BlockModel(blocks, state_of, defined, asked)
                differences = [_difference(left, right, model) for left, right in pairwise(sides)]
                difference = next((d for d in differences if d is not None), None)
                if isinstance(difference, MisfitError):
                    found = found or (model, difference)
                    break
                if difference is not None:
                    return model, difference
            else:
                return None
    return found


def _difference(left: f.Expression, right: f.Expression, model: BlockModel) -> Difference | MisfitError | None:
    try:
        return difference_of(left, right, model)
    except MisfitError as misfit:
        return misfit
    except ZeroDivisionError:
        raise UnsettledError("division") from None


def _of_single_keys(sides: Sequence[f.Expression]) -> bool:
    """Whether a step is one key, x_i or s_i beside m_{i-1}: small letters without a sum over them."""
    names = {part.base for side in sides for part in f.walk(side) if isinstance(part, f.Name)}
    return names.isdisjoint(("S", "P", "P̃", "V", "O")) or not names.isdisjoint(("x", "s"))
