"""A forward pass: free matrices, and what is defined from them, over any ring."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import sympy

from symattn.checking.equality.derivatives import derivative
from symattn.checking.models.evaluate import Model, Scope, UnsettledError, at_place, evaluate, range_of
from symattn.checking.models.letters import Letter, letter_of, slope_of
from symattn.checking.models.rings import (
    At,
    Forms,
    Numbers,
    Ring,
    Size,
    Slopes,
    as_index,
    free_number,
    slope_by,
)
from symattn.checking.models.tensors import MisfitError, Tensor, Tensors, first_place
from symattn.reading import formula as f

QUERIES = frozenset("qkv")  # small letters of one query, key or value
DEEPEST = 24  # definitions inside one another


@dataclass(frozen=True)
class Definition:
    """`S = Q K^T` or `e_{ij} = ...`: what a letter with these indices is."""

    key: str
    indices: tuple[str, ...]
    expression: f.Expression

    @cached_property
    def parts(self) -> tuple[f.Expression, ...]:
        """Every part of the formula."""
        return tuple(f.walk(self.expression))

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters in the formula, those of gradients too."""
        return frozenset(letter_of(part).key for part in self.parts if isinstance(part, f.Name))

    @cached_property
    def spellings(self) -> frozenset[str]:
        """The same in both cases."""
        return self.letters | frozenset(map(swap_case, self.letters))

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The letters in the formula but those of gradients, each once."""
        return values_in(self.expression)

    @cached_property
    def slopes(self) -> tuple[str, ...]:
        """The letters X of the gradients ∂L/∂X in the formula, each once."""
        return slopes_in([self.expression])


ADDED_MASK = "M°"  # no article writes it
HIDDEN = -1_000  # added to a score, leaves e^{-1000} of its weight


@dataclass(frozen=True)
class Plan:
    """What is known of the letters before there are numbers: shapes of those that are free, and the definitions."""

    shapes: Mapping[str, tuple[str, ...]]  # of free letters, in letters of sizes
    definitions: Mapping[str, Definition]
    sizes: Mapping[str, str]  # letters that are sizes, by the size that they are: {"d_k": "d"}
    columns: bool = True  # whether a vector is a column
    upright: bool = False  # whether a row P_{i:} is a column too
    small: bool = False  # whether q may be the matrix Q, as in programs
    centred: bool = False  # whether the rows of gradients by scores sum to 0, as they do behind a softmax
    held: frozenset[str] = frozenset()  # what ∂y_i/∂x_j holds fixed, one path of a chain rule
    masks: str = ""  # what masks M° are: any numbers, or "causal", or such as hide nothing, "open"
    _needed: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def with_free(self, key: str, shape: tuple[str, ...]) -> Plan:
        """The plan in which a letter is free, whatever it was made of."""
        definitions = {k: d for k, d in self.definitions.items() if k != key}
        return replace(self, shapes={**self.shapes, key: shape}, definitions=definitions)

    def needs(self, key: str) -> frozenset[str]:
        """The letters that one depends on, itself included."""
        if key not in self._needed:
            found: set[str] = set()
            waiting = [key]
            while waiting:
                letter = waiting.pop()
                letter = self.known(letter) or letter
                if letter in self._needed:
                    found |= self._needed[letter]
                elif letter not in found:
                    found.add(letter)
                    definition = self.definitions.get(letter)
                    letters = () if definition is None else definition.values
                    waiting += [each for each in letters if not self._is_size(each)]
            self._needed[key] = frozenset(found)
        return self._needed[key]

    def _is_size(self, key: str) -> bool:
        """Whether a letter is a size, as the d of √d is beside a D that is defined."""
        return key in self.sizes and key not in self.definitions and key not in self.shapes

    def known(self, key: str) -> str | None:
        """The spelling under which a letter is known: q_i is a row of Q, A_ij an entry of a."""
        for spelling in (key, swap_case(key)):
            if spelling in self.definitions or spelling in self.shapes:
                return spelling
        return None


def values_in(e: f.Expression) -> tuple[str, ...]:
    """The letters in an expression but those of gradients, each once."""
    names = (part for part in f.walk(e) if isinstance(part, f.Name) and slope_of(part) is None)
    return tuple(dict.fromkeys(letter_of(name).key for name in names))


def slopes_in(sides: Sequence[f.Expression]) -> tuple[str, ...]:
    """The letters X of the gradients ∂L/∂X in them, each once."""
    found = (slope for side in sides for part in f.walk(side) if (slope := slope_of(part)) is not None)
    return tuple(dict.fromkeys(letter_of(name).key for name in found))


@lru_cache(maxsize=2048)
def swap_case(key: str) -> str:
    first, mark, rest = key.partition("_")
    return first.swapcase() + mark + rest if len(first) == 1 or (len(first) == 2 and not first[1].isalpha()) else key


def _evaluate_line(e: f.Expression, scope: Scope) -> Tensor:
    """The value of what a line says of a letter. Where that does not go together in itself, nothing made of it is."""
    try:
        return evaluate(e, scope)
    except MisfitError as misfit:
        raise UnsettledError("misfit") from misfit


class Pass(Model):
    """A plan over a ring: every letter is worth something. Raises UnsettledError for those that are not."""

    def __init__(self, plan: Plan, ring: Ring, sizes: Mapping[str, Size], free: Callable[[str, tuple[Size, ...]], Any]):
        self.plan, self.ring, self.sizes = plan, ring, sizes
        self.tensors = Tensors(ring)
        self.free = free
        self.given: dict[str, Tensor] = {}
        self.drawn: dict[str, Tensor] = {}  # the letters that were free
        self.slopes: Callable[[str], Tensor] | None = None
        self.constant: Callable[[str], Tensor | None] = lambda key: None  # what is known of a letter beforehand
        self.raised: dict[tuple[str, frozenset[str]], Pass] = {}  # with slopes by the entries of a letter
        self._known: dict[str, Tensor] = {}
        self._open: list[str] = []

    # --- letters

    def letter(self, key: str) -> Tensor:
        """The whole matrix, vector or number that a letter stands for."""
        spelling = key if key in self.given else self.plan.known(key)
        if spelling is None:
            raise UnsettledError(key)
        if spelling in self.given:
            return self.given[spelling]
        if spelling not in self._known:
            if spelling in self._open or len(self._open) > DEEPEST:
                raise UnsettledError(key)
            self._open.append(spelling)
            try:
                self._known[spelling] = self._made(spelling)
            finally:
                self._open.pop()
        return self._known[spelling]

    def _made(self, key: str) -> Tensor:
        definition = self.plan.definitions.get(key)
        if (constant := self.constant(key)) is not None:
            return constant
        if definition is None:
            self.drawn[key] = self.free(key, tuple(self.size(s) for s in self.plan.shapes[key]))
            return self.drawn[key]
        return self._family(definition.expression, definition.indices, _evaluate_line)

    def size(self, letter: str) -> Size:
        return sympy.Integer(1) if letter == "1" and isinstance(self.ring, Forms) else self.sizes.get(letter, 1)

    def family(self, e: f.Expression, indices: tuple[str, ...]) -> Tensor:
        """A formula for every value of its indices: numbers by one are a column, by two a matrix, as rows are."""
        return self._family(e, indices, evaluate)

    def _family(
        self, e: f.Expression, indices: tuple[str, ...], value_of: Callable[[f.Expression, Scope], Tensor]
    ) -> Tensor:
        e_scope = Scope(self)
        ranges = [range_of(i, e, self) for i in indices]
        if any(r is None for r in ranges):
            raise UnsettledError("range")

        def at(*places: At) -> Tensor:
            scope = e_scope
            for i, place in zip(indices, places, strict=True):
                scope = scope.bind(i, place)
            return value_of(e, scope)

        if not indices:
            return at()
        sample = at(*(self.ring.some(r) for r in ranges))
        if sample.is_number and len(indices) == 1:
            return self.tensors.make((ranges[0], 1), lambda i, _: at(i).at())
        if sample.is_number and len(indices) == 2:
            return self.tensors.make(tuple(ranges), lambda i, j: at(i, j).at())
        if sample.is_vector and len(indices) == 1:
            upright = sample.shape[1] == 1
            width = sample.shape[0] if upright else sample.shape[1]
            return self.tensors.make(
                (ranges[0], width), lambda i, j: at(i).at(j, first_place(j)) if upright else at(i).at(first_place(j), j)
            )
        raise MisfitError(sample.shape)

    # --- names

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        letter = letter_of(name)
        if (slope := slope_of(name)) is not None and self.plan.known(letter.key) is None:
            return self._part(self.slope(letter_of(slope).key), letter_of(slope), scope)
        if letter.key in self.plan.sizes and not letter.indices and letter.key not in self._own():
            return self.tensors.size(self.size(self.plan.sizes[letter.key]))
        if letter.key == "δ" and len(letter.indices) == 2 and self._is_kronecker():
            i, j = self._places(letter, scope)
            return self.tensors.make((), lambda: self.ring.delta(i, j))
        if letter.key in self.given or self.plan.known(letter.key) is not None:
            return self._part(self.letter(letter.key), letter, scope)
        if letter.key in self.plan.sizes and not letter.indices:
            return self.tensors.size(self.size(self.plan.sizes[letter.key]))
        raise UnsettledError(letter.key)

    def _is_kronecker(self) -> bool:
        """Whether δ_ij is 1 where i = j: what the article calls δ has fewer indices, or it calls nothing so."""
        own = self.plan.definitions.get("δ")
        return "δ" not in (*self.given, *self.plan.shapes) and (own is None or len(own.indices) < 2)

    def _own(self) -> frozenset[str]:
        """The letters that are known in just this spelling: d beside a D that is defined is a size."""
        return frozenset((*self.plan.shapes, *self.plan.definitions, *self.given))

    def slope(self, key: str) -> Tensor:
        """∂L/∂X."""
        if self.slopes is None:
            raise UnsettledError(f"d{key}")
        return self.slopes(key)

    def derivative(self, e: f.Derivative, scope: Scope) -> Tensor:
        name = slope_of(e)
        if name is None:
            return self._jacobian(e, scope)
        return self._part(self.slope(letter_of(name).key), letter_of(name), scope)

    def _jacobian(self, e: f.Derivative, scope: Scope) -> Tensor:
        """∂y_i/∂z_j, of one number by another."""
        if not isinstance(e.by, f.Name) or isinstance(self.ring, Slopes):
            raise UnsettledError("derivative")
        by = letter_of(e.by)
        x = self.letter(by.key)
        places = self._places(by, scope) if by.indices else ()
        if None in places or not self._part(x, by, scope).is_number:
            raise UnsettledError("derivative")
        at = places if len(places) == len(x.shape) else (places[0], first_place(places[0]))
        if isinstance(self.ring, Forms):
            spelling = self.plan.known(by.key)
            if spelling is None or spelling in self.plan.definitions or self.plan.held:
                raise UnsettledError(by.key)
            entry = derivative(self._number(e.of, scope).at(), spelling, tuple(map(as_index, at)), self.ring.algebra)
            return self.tensors.make((), lambda: entry)
        if at not in x.places:
            raise UnsettledError("derivative")  # of an entry that there is not
        raised = with_slopes(self, by.key, self._held(e))
        slope = slope_by(raised._number(e.of, Scope(raised, scope.bound)).at(), x.places.index(at))
        return self.tensors.make((), lambda: slope)

    def _held(self, e: f.Derivative) -> frozenset[str]:
        """What is held beside the two letters; what is made of the one alone, σ = √σ², goes with it."""
        by = {letter_of(part).key for part in f.walk(e.by) if isinstance(part, f.Name)}
        own = by | {letter_of(part).key for part in f.walk(e.of) if isinstance(part, f.Name)}
        made = {key: self.plan.definitions[key].letters for key in self.plan.held - own if key in self.plan.definitions}
        return frozenset(key for key, letters in made.items() if not letters <= by)

    def _number(self, e: f.Expression, scope: Scope) -> Tensor:
        x = evaluate(e, scope)
        if not x.is_number:
            raise UnsettledError("derivative")
        return x

    def _part(self, x: Tensor, letter: Letter, scope: Scope) -> Tensor:
        if not letter.indices:
            matrix = not x.is_number and not x.is_vector
            if matrix and not self.plan.small and letter.key in QUERIES and letter.key not in self._own():
                raise UnsettledError(letter.key)  # q is a query, whichever row of Q
            return x
        places = self._places(letter, scope)
        if x.is_number or (len(places) == 2 and x.is_vector):
            raise UnsettledError(letter.key)  # more indices than it has
        for at, size in zip(places, _ranges(x, len(places)), strict=False):
            if isinstance(at, int) and isinstance(size, int) and at >= size:
                raise MisfitError((at + 1, size))
        if len(places) == 2 and None in places:
            i, j = places
            if i is j is None:
                return x
            part = self.tensors.row(x, i) if j is None else self.tensors.column(x, j)
            return self.tensors.transpose(part) if j is None and self.plan.upright else part
        part = at_place(self.tensors, x, places)
        return self.tensors.transpose(part) if len(places) == 1 and self.plan.columns else part

    def _places(self, letter: Letter, scope: Scope) -> tuple[Any, ...]:
        found: list[Any] = []
        for index in letter.indices:
            if index == ":":
                found.append(None)
            elif index in scope.bound:
                found.append(scope.bound[index])
            elif index.endswith(":") and index[:-1] in scope.bound:
                found += [scope.bound[index[:-1]], None]
            elif index.startswith(":") and index[1:] in scope.bound:
                found += [None, scope.bound[index[1:]]]
            elif index.isdigit() and int(index) and not isinstance(self.ring, Forms):
                found.append(int(index) - 1)
            else:
                raise UnsettledError(letter.key)
        if len(found) > 2:
            raise UnsettledError(letter.key)
        return tuple(found)

    def indices(self, name: f.Name) -> tuple[str, ...]:
        return tuple(i.strip(":") for i in letter_of(name).indices if i.strip(":").isalpha())

    def axis(self, name: f.Name, letter: str) -> Size | None:
        found = letter_of(slope_of(name) or name) if self.plan.known(letter_of(name).key) is None else letter_of(name)
        indices = [i for mark in found.indices for i in (mark if len(mark) == 2 and ":" in mark else (mark,))]
        if letter not in indices or self.plan.known(found.key) is None:
            return None
        ranges = _ranges(self.letter(found.key), len(indices))
        place = indices.index(letter)
        return ranges[place] if place < len(ranges) else None


def _ranges(x: Tensor, count: int) -> tuple[Size, ...]:
    """The sizes over which so many indices run: one index of a vector counts its entries, one of a matrix its rows."""
    if count == 1 and x.is_vector:
        return (x.shape[0] if x.shape[1] == 1 else x.shape[1],)
    return x.shape[:count]


# --- rings


def at_numbers(plan: Plan, sizes: Mapping[str, int], seed: int) -> Pass:
    """The pass at small whole numbers, the same for a letter whenever it is asked for."""
    ring = Numbers()

    def free(key: str, shape: tuple[Size, ...]) -> Tensor:
        if plan.masks and key.startswith(ADDED_MASK) and len(shape) == 2:
            causal = plan.masks == "causal"
            return Tensors(ring).make(shape, lambda i, j: ring.number(Fraction(HIDDEN if causal and j > i else 0)))
        return Tensors(ring).make(shape, _drawn(key, shape, seed, ring.number))

    return Pass(plan, ring, sizes, free)


def _drawn(key: str, shape: tuple[Size, ...], seed: int, number: Callable[[Fraction], Any]) -> Callable[..., Any]:
    if key == "ε":
        small = number(Fraction(1, 100))
        return lambda: small
    drawn = _draw(key, tuple(map(int, shape)), seed)
    if not shape:
        value = number(drawn[0][0])
        return lambda: value
    rows = [list(map(number, row)) for row in drawn]
    return lambda i, j: rows[i][j]


@lru_cache(maxsize=1024)  # the same are asked for with every reading and with every slip
def _draw(key: str, shape: tuple[int, ...], seed: int) -> list[list[Fraction]]:
    generator = random.Random(f"{key} {seed}")
    if not shape:
        return [[Fraction(generator.choice((2, 3, -2)), generator.choice((1, 3)))]]
    return [[Fraction(generator.randint(-3, 3), 2) for _ in range(shape[1])] for _ in range(shape[0])]


def with_slopes(base: Pass, key: str, held: frozenset[str] = frozenset()) -> Pass:
    """The same pass with slopes by all entries of a letter (`places`); letters that are held stay as they are."""
    spelling = base.plan.known(key) or key
    if (spelling, held) in base.raised:
        return base.raised[spelling, held]
    ring = Slopes()

    def lifted(x: Tensor) -> Tensor:
        return Tensors(ring).make(x.shape, lambda *place: (x.at(*place), None))

    def constant(name: str) -> Tensor | None:
        return None if spelling in base.plan.needs(name) else lifted(base.letter(name))

    x = base.letter(key)
    which = {place: k for k, place in enumerate(x.places)}
    made = Pass(base.plan, ring, base.sizes, lambda name, shape: lifted(base.letter(name)))
    made.given = {name: lifted(known) for name, known in base.given.items()}
    made.given |= {name: lifted(base.letter(name)) for name in held}
    made.given[spelling] = Tensors(ring).make(
        x.shape, lambda *place: free_number(x.at(*place), which[place], len(which))
    )
    made.constant = constant
    base.raised[spelling, held] = made
    return made


def for_every_size(plan: Plan, sizes: Mapping[str, Any], ring: Forms) -> Pass:
    """The pass over normal forms."""

    def free(key: str, shape: tuple[Size, ...]) -> Tensor:
        if not shape:
            return Tensors(ring).make((), lambda: ring.algebra.entry(key))
        return Tensors(ring).make(shape, lambda *place: ring.algebra.entry(key, *map(as_index, place)))

    return Pass(plan, ring, sizes, free)
