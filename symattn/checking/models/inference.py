"""Shapes of letters of which nothing is said but how formulas use them: axes, some of which are found to be the same.

`Σ_j P_ij V_jk` makes P a matrix whose second axis is the first one of V. What a letter is follows from its indices:
with two a matrix, with one a vector (or a matrix of which it is a row), without any what its case says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from symattn.checking.models.evaluate import UnsettledError
from symattn.checking.models.letters import Letter, axis_of, letter_of, slope_of
from symattn.checking.models.passes import Definition, Plan, swap_case
from symattn.checking.models.unknowns import ONE, Unknowns
from symattn.reading import formula as f

Axes = tuple[int, ...]  # of a number (), of a matrix (rows, columns), by number
MOST_AXES = 8
_INDICES = frozenset("ijrst")  # up to which sums run: Σ_{s≤t}
_TOKENS = frozenset("qkvxhoyu")  # vectors beside a matrix, whatever their index
USUAL = frozenset("qkvxhouyzgsp")
IDENTITY = "I"  # where no line says that it is something else
_ENTRYWISE = frozenset(
    ("exp", "log", "tanh", "sin", "cos", "sigmoid", "sigma", "softmax", "relu", "tril", "strictlower")
)
_OF_ROWS = frozenset(("rowsum", "rowmax"))
LIST = "list"  # the call that stands for a vector in plain brackets, [a, b]
_TO_NUMBERS = frozenset(("sum", "mean", "inner"))


@dataclass(frozen=True)
class Ranks:
    """One way to read letters that the formulas leave open."""

    columns: bool = True  # whether a vector is a column
    rows: bool = False  # whether a small letter with one index is a row of a matrix, and no number
    vectors: frozenset[str] | None = USUAL  # small letters without an index that are vectors; None for all
    permutations: frozenset[str] = frozenset()  # letters of matrices that change places


@dataclass
class Inference(Unknowns):
    """The axes of letters, from definitions and the sides of an equation; raises UnsettledError where none fit."""

    definitions: Mapping[str, Definition]
    ranks: Ranks
    letters: dict[str, Axes] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)  # letters that are sizes
    seen: dict[str, set[Letter]] = field(default_factory=dict)
    free: set[str] = field(default_factory=set)
    counts: dict[int, int] = field(default_factory=dict)  # the axes of so many cells that are written out
    _open: list[str] = field(default_factory=list)

    # --- axes

    def equate(self, a: int, b: int) -> None:
        low, high = sorted((self.root(a), self.root(b)))
        if low == ONE != high:
            raise UnsettledError("axis")  # what has several entries in one place has one in another
        self.parent[high] = low

    def _is_one(self, axis: int) -> bool:
        return self.root(axis) == ONE

    def align(self, shapes: Sequence[Axes]) -> None:
        """Let sides be of one shape; a vector may stand or lie."""
        first, *others = shapes
        for shape in others:
            ones, own = ([self._is_one(axis) for axis in x] for x in (first, shape))
            if first and shape and sorted(ones) == sorted(own):
                for a, b in zip(shape if ones == own else shape[::-1], first, strict=True):
                    self.equate(a, b)

    def plan(self) -> Plan:
        """The shapes of the letters that are free, and the definitions of the others."""
        used = [axis for shape in self.letters.values() for axis in shape] + list(self.sizes.values())
        roots = sorted({self.root(axis) for axis in used} - {ONE})
        if len(roots) > MOST_AXES:
            raise UnsettledError("axes")
        names = {ONE: "1", **{root: f"a{k}" for k, root in enumerate(roots, 1)}}
        counted = {self.root(axis): str(count) for count, axis in self.counts.items()}
        if len(counted) < len(self.counts) or ONE in counted:
            raise UnsettledError("cells")  # two numbers of cells would have to be the same
        names |= counted
        shapes = {key: tuple(names[self.root(axis)] for axis in self.letters[key]) for key in self.free}
        sizes = {key: names[self.root(axis)] for key, axis in self.sizes.items()}
        needed = {key: self.definitions[key] for key in self.definitions if key in self.letters}
        return Plan(shapes, needed, sizes, self.ranks.columns)

    # --- letters

    def read(self, sides: Sequence[f.Expression]) -> None:
        """Look at every name of some formulas and of what is in them, before any shape is asked for."""
        waiting = list(sides)
        known = set[str]()
        while waiting:
            for part in f.walk(waiting.pop()):
                if isinstance(part, f.BigSum):
                    self._read_bound(part)
                if not isinstance(part, f.Name):
                    continue
                name = slope_of(part) or part
                letter = letter_of(name)
                self.seen.setdefault(letter.key, set()).add(letter)
                key = letter.key if letter.key in self.definitions else swap_case(letter.key)
                if key in self.definitions and key not in known:
                    known.add(key)
                    waiting.append(self.definitions[key].expression)

    def _read_bound(self, e: f.BigSum) -> None:
        """The n of Σ_{i=1}^n is a size."""
        letter = letter_of(e.upper) if isinstance(e.upper, f.Name) else None
        if letter is None or letter.indices or letter.key in self.definitions or letter.key in _INDICES:
            return
        self.sizes.setdefault(letter.key, self.new())

    def known(self, key: str) -> str:
        """The spelling of a letter: q_i is a row of Q where Q stands somewhere as a matrix."""
        if key in self.definitions:
            return key
        other = swap_case(key)
        if other != key and key[0].islower() and self._is_row_of(key, other):
            return other
        return other if other in self.definitions and key[0].islower() and not self._rank(key) else key

    def _is_row_of(self, key: str, other: str) -> bool:
        one = {len(letter.indices) for letter in self.seen.get(key, ())}
        return one in ({1}, {2}) and (other in self.seen or other in self.definitions) and other not in self.sizes

    def _rank(self, key: str) -> int:
        return max((len(letter.indices) for letter in self.seen.get(key, ())), default=0)

    def letter(self, key: str) -> Axes:
        """The axes of a whole letter."""
        key = self.known(key)
        if key not in self.letters:
            if key in self._open:
                raise UnsettledError(key)
            self._open.append(key)
            self.letters[key] = self._made(key)
            self._open.pop()
        return self.letters[key]

    def _made(self, key: str) -> Axes:
        made = self.definitions.get(key)
        if made is None:
            self.free.add(key)
            return self._free(key)
        bound = {index: self.new() for index in made.indices}
        found = self.of(made.expression, bound)
        axes = [bound[index] for index in made.indices]
        if not axes:
            return found
        if not found:
            return (axes[0], ONE) if len(axes) == 1 else (axes[0], axes[1])
        if len(axes) == 1 and ONE in map(self.root, found):
            return axes[0], found[1] if self._is_one(found[0]) else found[0]
        raise UnsettledError(key)

    def _free(self, key: str) -> Axes:
        rank = self._rank(key)
        if (key == IDENTITY or key in self.ranks.permutations) and not rank:
            axis = self.new()
            return axis, axis
        base = key.partition("_")[0].removeprefix("Δ")
        capital = base[:1].isupper() and base[:1].isascii() and len(base) == 1
        member = rank == 1 and capital and not any(letter.indices == () for letter in self.seen[key])
        if rank > 2 or member:  # S_t alone may be a matrix for each t
            raise UnsettledError(key)
        if rank == 2 or (rank == 1 and (capital or self.ranks.rows)) or (rank == 0 and capital):
            return self.new(), self.new()
        plain = base.rstrip("\u0302\u0303\u0304")
        if rank == 1 or self._is_vector(plain):
            return (self.new(), ONE) if self.ranks.columns else (ONE, self.new())
        of_numbers = self.ranks.vectors == frozenset() and base.islower()
        if len(base) > 1 and base.isascii() and not of_numbers:
            raise UnsettledError(key)
        return ()

    def _is_vector(self, letter: str) -> bool:
        vectors = self.ranks.vectors
        return letter in vectors if vectors is not None else letter.isascii() and len(letter) == 1

    # --- expressions

    def of(self, e: f.Expression, bound: Mapping[str, int]) -> Axes:
        """The axes of an expression, with what it needs noted."""
        match e:
            case f.Number():
                return ()
            case f.Name():
                return self._name(e, bound)
            case f.Derivative():
                name = slope_of(e)
                if name is not None:
                    return self._part(letter_of(name), bound)
                return self._slope(self.of(e.of, bound), self.of(e.by, bound))
            case f.Sum(parts):
                return self._together([self.of(part, bound) for part in parts])
            case f.Elementwise(parts):
                return self._no_number(self._together([self.of(part, bound) for part in parts]))
            case f.Product():
                return self._product(e, bound)
            case f.Quotient(above, below):
                return self._together([self._counted(above, below, bound), self.of(below, bound)])
            case f.Root(inside):
                return self.of(inside, bound)
            case f.Power(base, exponent):
                self.of(exponent, bound)
                return self.of(base, bound)
            case f.Transpose(operand):
                return self._no_number(self.of(operand, bound)[::-1])
            case f.Call():
                return self._call(e, bound)
            case f.Entry(operand, indices):
                marks = tuple(
                    mark for index in indices for mark in (index.replace(",", "") if len(index) > 1 else index)
                )
                return self._take(self.of(operand, bound), marks, bound)
            case f.BigSum(index, _, upper, body):
                axis = self.new()
                if isinstance(upper, f.Name) and letter_of(upper).key in self.sizes:
                    axis = self.sizes[letter_of(upper).key]
                if not index or index in bound:
                    raise UnsettledError("sum")
                return self.of(body, {**bound, index: axis})
            case f.Cases(values):
                return self._together([self.of(value, bound) for value in values])
            case f.Matrix(rows):
                if any(self.of(cell, bound) for row in rows for cell in row):
                    raise UnsettledError("matrix")  # of blocks
                return self._cells(len(rows)), self._cells(len(rows[0]))
        raise UnsettledError(type(e).__name__)

    def _cells(self, count: int) -> int:
        """The axis of so many cells."""
        return ONE if count == 1 else self.counts.setdefault(count, self.new())

    def _slope(self, of: Axes, by: Axes) -> Axes:
        """The axes of a derivative: that of a vector by a vector is a matrix."""
        if not of:
            return by
        longer = [next((axis for axis in shape if not self._is_one(axis)), ONE) for shape in (of, by) if shape]
        if len(longer) < 2 or not all(ONE in map(self.root, shape) for shape in (of, by)):
            raise UnsettledError("derivative")
        return longer[0], longer[1]

    @staticmethod
    def _no_number(axes: Axes) -> Axes:
        """What is transposed, or multiplied entry by entry, has entries: letters that are numbers have been misread."""
        if not axes:
            raise UnsettledError("number")
        return axes

    def _counted(self, above: f.Expression, below: f.Expression, bound: Mapping[str, int]) -> Axes:
        """A numerator; the n below a sum without bounds is how many terms it has."""
        sums = [part for part in (above, *above.parts) if isinstance(part, f.BigSum)]
        if len(sums) == 1 and isinstance(below, f.Name) and sums[0].upper is None:
            self._count(below, sums[0], bound)
        return self.of(above, bound)

    def _count(self, length: f.Name, e: f.BigSum, bound: Mapping[str, int]) -> None:
        letter = letter_of(length)
        if letter.indices or letter.key in self.definitions or e.index in bound:
            return
        axis = self.sizes.setdefault(letter.key, self.new())
        self.of(e.body, {**bound, e.index: axis})

    def _name(self, name: f.Name, bound: Mapping[str, int]) -> Axes:
        letter = letter_of(name)
        slope = slope_of(name)
        if slope is not None and letter.key not in self.definitions:
            return self._part(letter_of(slope), bound)
        if letter.key in self.sizes and not letter.indices:
            return ()
        if letter.key == "δ" and len(letter.indices) == 2 and "δ" not in self.definitions:
            self.equate(*(bound[index] for index in letter.indices if index in bound))
            return ()
        if letter.key in bound and not letter.indices:
            raise UnsettledError(letter.key)  # an index as a number
        return self._part(letter, bound)

    def _part(self, letter: Letter, bound: Mapping[str, int]) -> Axes:
        return self._take(self.letter(letter.key), letter.indices, bound)

    def _take(self, whole: Axes, indices: Sequence[str], bound: Mapping[str, int]) -> Axes:
        if not indices:
            return whole
        if not whole:
            raise UnsettledError("index")
        vector = ONE in map(self.root, whole)
        if len(indices) == 1:
            axis = next((a for a in whole if not self._is_one(a)), ONE) if vector else whole[0]
            self._at(axis, indices[0], bound)
            return () if vector else (whole[1], ONE) if self.ranks.columns else (ONE, whole[1])
        if len(indices) != 2 or vector:
            raise UnsettledError("index")
        for axis, index in zip(whole, indices, strict=True):
            self._at(axis, index, bound)
        kept = [axis if index == ":" else ONE for axis, index in zip(whole, indices, strict=True)]
        return () if kept == [ONE, ONE] else (kept[0], kept[1])

    def _at(self, axis: int, index: str, bound: Mapping[str, int]) -> None:
        if index in bound:
            self.equate(axis, bound[index])
        elif index != ":" and not index.isdigit():
            raise UnsettledError(index)

    def _together(self, shapes: Iterable[Axes]) -> Axes:
        """Entries combined; a vector goes with every row or column of a matrix."""
        found: Axes = ()
        for shape in shapes:
            if not found or not shape:
                found = found or shape
                continue
            axes = []
            for a, b in zip(found, shape, strict=True):
                if not self._is_one(a) and not self._is_one(b):
                    self.equate(a, b)
                axes.append(b if self._is_one(a) else a)
            found = axes[0], axes[1]
        return found

    def _product(self, e: f.Product, bound: Mapping[str, int]) -> Axes:
        below = [x.denominator for x in e.factors if isinstance(x, f.Quotient)]
        sums = [x for x in e.factors if isinstance(x, f.BigSum)]
        if len(sums) == 1 and sums[0].upper is None:
            for length in below:
                if isinstance(length, f.Name):
                    self._count(length, sums[0], bound)
        shapes = [self.of(factor, bound) for factor in e.factors]
        if any(shape and not any(map(self._is_one, shape)) for shape in shapes):
            for factor, shape in zip(e.factors, shapes, strict=True):
                if not shape and isinstance(factor, f.Name) and factor.base in _TOKENS and factor.sub:
                    raise UnsettledError(factor.base)  # the x_j of W x_j is a vector
        self._refuse_exchanges(e.factors, shapes)
        found = shapes[0]
        for operator, shape in zip(e.operators, shapes[1:], strict=True):
            found = self._times(found, shape, operator)
        return found

    @staticmethod
    def _refuse_exchanges(factors: Sequence[f.Expression], shapes: Sequence[Axes]) -> None:
        """Raises UnsettledError for S Λ, where Λ was taken for a number: a matrix is not exchanged with another."""
        ordered = False
        for factor, shape in zip(factors, shapes, strict=True):
            other = not shape and isinstance(factor, f.Name) and is_other_capital(factor.base)
            if ordered and other:
                raise UnsettledError("order")
            ordered = ordered or other or bool(shape)

    def _times(self, a: Axes, b: Axes, operator: str) -> Axes:
        if not a or not b:
            return a or b
        if operator == "⊗":
            longer = [next((x for x in shape if not self._is_one(x)), ONE) for shape in (a, b)]
            return longer[0], longer[1]
        if operator == "·" and list(map(self._is_one, a)) == list(map(self._is_one, b)) != [False, False]:
            for x, y in zip(a, b, strict=True):
                self.equate(x, y)
            return ()
        self.equate(a[1], b[0])
        return () if self._is_one(a[0]) and self._is_one(b[1]) else (a[0], b[1])

    def _call(self, e: f.Call, bound: Mapping[str, int]) -> Axes:
        if e.function == "max" and len(e.label) == len(e.arguments) == 1 and e.label[0] not in bound:
            return self.of(e.arguments[0], {**bound, e.label[0]: self.new()})
        if e.label and e.function != "softmax":
            raise UnsettledError(e.function)  # one of a family: log_2, tanh_a
        arguments = [self.of(argument, bound) for argument in e.arguments]
        if e.function == LIST and not any(arguments):
            axis = self._cells(len(arguments))
            return (axis, ONE) if self.ranks.columns else (ONE, axis)
        if e.function == "inner":
            if len(set(map(len, arguments))) > 1:
                raise UnsettledError("inner")  # a vector and a number
            for x, y in zip(*arguments, strict=True):
                self.equate(x, y)
            return ()
        along = axis_of(e)
        if along is not None and e.function == "sum" and len(arguments) == 1 and arguments[0]:
            return (ONE, arguments[0][1]) if along == 0 else (arguments[0][0], ONE)
        if along is not None and (along == 0 or e.function != "softmax"):
            raise UnsettledError(e.function)
        if e.function in _TO_NUMBERS:
            return ()
        if e.function == "max" and len(arguments) == 2:
            return self._together(arguments)
        [shape] = arguments if len(arguments) == 1 else [()]
        if e.function == "diag":
            self._no_number(shape)
        if len(arguments) == 1 and (e.function in _ENTRYWISE or not shape):
            return self._no_number(shape) if e.function == "softmax" and not _has_index(e) else shape
        if len(arguments) == 1 and e.function in _OF_ROWS:
            return shape[0], ONE
        if len(arguments) == 1 and e.function == "diag":
            longer = next((axis for axis in shape if not self._is_one(axis)), ONE)
            return longer, longer
        raise UnsettledError(e.function)


def is_other_capital(base: str) -> bool:
    """Whether it is a Greek capital, Λ, of which nobody knows whether it is a number or a matrix."""
    return base.isupper() and not base.isascii()


def _has_index(e: f.Expression) -> bool:
    """Whether an entry stands in it: softmax_j(e_ij)."""
    return any(isinstance(part, f.Name) and letter_of(part).indices for part in f.walk(e))


def infer(sides: Sequence[f.Expression], definitions: Mapping[str, Definition], ranks: Ranks) -> Plan:
    """The plan in which every letter of the sides has a shape, in axes 1 and a1, a2, …

    Raises UnsettledError where the formulas do not fit together.
    """
    made = Inference(definitions, ranks)
    made.read(sides)
    bound = {index: made.new() for index in sorted(_open_in(sides))}
    shapes = [made.of(side, bound) for side in sides]
    made.align(shapes)
    return made.plan()


def _open_in(sides: Sequence[f.Expression]) -> set[str]:
    """The indices of names over which no sum runs."""
    parts = [part for side in sides for part in f.walk(side)]
    names = [slope_of(part) or part for part in parts if isinstance(part, f.Name)]
    indices = {index for name in names for index in letter_of(name).indices}
    labels = {mark for part in parts if isinstance(part, f.Call) and part.function == "max" for mark in part.label}
    return indices - labels - {part.index for part in parts if isinstance(part, f.BigSum)}
