"""Equations that hold whatever their symbols are: e^{a+b} = e^a e^b, Σ_j a_j W c_j = W Σ_j a_j c_j, ‖q − k‖² = ….

Every symbol, with its labels and free indices, is any tensor of a shape that fits; a function that nobody knows is one
more symbol. Sums run over a few terms, which are written out. That is more general than what the article says: if it
holds as far as it was tried, so does that. That it fails is said only where a slip explains it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from symattn.checking.formulas.identities.components import has_only_entries, join_labels, write_out_entry
from symattn.checking.formulas.identities.entropies import (
    has_entropies,
    is_of_measures,
    usual_divergence,
    write_out_entropies,
)
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.trials.comparison import FURTHER, POINTS, Question
from symattn.checking.formulas.trials.dimensions import VECTORS, Dimensions, Pair
from symattn.checking.formulas.trials.functions import FUNCTIONS
from symattn.checking.formulas.trials.indices import is_in_label
from symattn.checking.formulas.trials.orientation import has_queries_in_rows, pairs_in
from symattn.checking.formulas.trials.standing import as_they_stand
from symattn.checking.formulas.trials.symbols import Key, NotSettledError, Scope, draw_fraction
from symattn.checking.formulas.trials.variant import Variant, is_same
from symattn.checking.models.inference import is_other_capital
from symattn.checking.models.turned import turns_by_angles
from symattn.checking.models.unknowns import ONE
from symattn.checking.naming import rewrite
from symattn.checking.work import spend
from symattn.reading import formula as f
from symattn.values.tensors import ENTRYWISE, Tensor
from symattn.writing.prose import Sentence

LENGTHS = (3, 2)  # terms of a sum, so that 3 is not taken for n
MOST_PARTS = 200  # of a side
MOST_SUMS = 2  # of one inside of another
_SHOWN, _REFUTED = Sentence("formula.identity"), Sentence("formula.identity_fails")
_OF_MATRICES = frozenset("QKVWXAPOSMHE")
_MULTIPLIED = frozenset("qkvxhcoy")  # what a matrix multiplies is a vector, x_j
_PROJECTED = frozenset("QKVqkv")
_TOKENS = frozenset("XHExh")
_ROWS = frozenset("QKVXYOE")  # matrices of which Q_i is a row
_ANY = frozenset("QKVWXSIqkvxcφαβγλ")  # of which nothing is known, no symmetry for one
_WHOLE = frozenset("qkvxyzohp")  # vectors where what has an index is a number
_OTHER = ("factor", "term", "root", "square", "letter")  # slips that make another statement of an equation
_KINDS = ("vectors", "entries", "numbers")  # what lower-case letters with an index are, or all letters
_OF_NUMBERS = ("numbers", "components")  # where every symbol is a number; "components" are those of matrices


@dataclass
class _Free:
    """The two sides with a plain symbol for each that stands in them."""

    kind: str
    vectors: frozenset[f.Name] = frozenset()  # those of which entries stand beside the whole, v_i beside v
    matrices: bool = False  # whether there are matrices, by which vectors are multiplied
    symbols: dict[f.Expression, str] = field(default_factory=dict)  # what each plain symbol stands for
    terms: int = LENGTHS[0]  # of a sum
    length: f.Expression | None = None  # the n that sums run to

    def of(self, e: f.Expression) -> f.Expression:
        """The expression in plain symbols, its sums written out; raises NotSettledError for what is no formula.

        Of softmax(z)_i, where both sides are such entries, it is softmax(z).
        """
        e = write_out_entropies(e)
        e = join_labels(e) if self.kind == "components" else e.operand if isinstance(e, f.Entry) else e
        if sum(1 for _ in f.walk(e)) > MOST_PARTS or _depth(e) > MOST_SUMS:
            raise NotSettledError("long")
        return rewrite(rewrite(_write_out(e, {}, self), self._plain), self._with_inner)

    def _plain(self, e: f.Expression) -> f.Expression:
        spend()
        match e:
            case f.Name("e" | "π", (), ()):
                return e
            case f.Name() if e == self.length:
                return f.Number(str(self.terms), Fraction(self.terms), Fraction(1))
            case f.Name() if e.base.startswith("free"):
                return e
            case f.Name() if e.sub and e.sub[-1].isdigit() and (whole := replace(e, sub=e.sub[:-1])) in self.vectors:
                return f.Entry(self._symbol(whole), e.sub[-1:])
            case f.Name():
                return self._symbol(replace(e, sub=_indices_of(e)))
            case f.Entry(f.Name(base)) if base.startswith("free"):
                return e
            case f.Call(function) if not _is_known(function):
                return self._symbol(e)
            case f.Entry() | f.Cases() | f.Derivative() | f.Space() | f.Unread() | f.Dots() | f.BigSum():
                raise NotSettledError(type(e).__name__)
            case f.Matrix() if self.kind not in _OF_NUMBERS:
                raise NotSettledError("matrix")  # of blocks, it may be
        return e

    def _with_inner(self, e: f.Expression) -> f.Expression:
        """a · b of two vectors is their inner product, a ⊗ b their outer one; of matrices ⊗ is one of several."""
        match e:
            case f.Product((a, b), ("·",)) if self._is_vector(a) and self._is_vector(b):
                return f.Call("inner", (a, b))
            case f.Product((a, b), ("⊗",)) if self._is_vector(a) and self._is_vector(b):
                return f.Call("outer", (a, b))
            case f.Product(_, operators) if "⊗" in operators:
                raise NotSettledError("⊗")
        return e

    def _is_vector(self, e: f.Expression) -> bool:
        try:
            dimensions = self.shapes(columns=True)
            pair = dimensions.of(e)
        except NotSettledError:
            return False
        return pair is not None and dimensions.root(pair[0]) != ONE == dimensions.root(pair[1])

    def _symbol(self, e: f.Expression) -> f.Name:
        bare = replace(e, text="") if isinstance(e, f.Name) else e
        return f.Name(self.symbols.setdefault(bare, f"free{len(self.symbols)}"))

    def shapes(self, columns: bool) -> Dimensions:
        """The shapes that the symbols have of themselves."""
        dimensions = Dimensions(columns)
        for e, base in self.symbols.items():
            dimensions.symbols[base, (), ()] = self._shape(e, dimensions)
            if isinstance(e, f.Call) or (isinstance(e, f.Name) and is_other_capital(e.base)):
                dimensions.unknown.add((base, (), ()))
        return dimensions

    def _shape(self, e: f.Expression, dimensions: Dimensions) -> Pair:
        name = e if isinstance(e, f.Name) else self._argument(e)
        if name == _IDENTITY:
            size = dimensions.new()
            return size, size
        if name is None or self.kind in _OF_NUMBERS or len(name.base) > 1:
            if self.matrices and name is not None and self.kind not in _OF_NUMBERS and name.base.isupper():
                raise NotSettledError(name.base)  # a word in capitals may be a function
            return None
        indexed = bool(name.sub) and (name.base not in "W" or name.sub[0].isdigit())
        row = indexed and self.kind == "vectors" and name.base in _ROWS
        if name.base.isupper() and name.base.isascii() and not row:
            return dimensions.new(), dimensions.new()
        if row or name in self.vectors or self._is_whole(name.base, indexed):
            return (dimensions.new(), ONE) if dimensions.column_vectors else (ONE, dimensions.new())
        return None

    def _is_whole(self, base: str, indexed: bool) -> bool:
        """Whether a small letter is a vector: with an index it may be an entry, but for what a matrix multiplies."""
        if self.kind == "vectors":
            return base in VECTORS
        if self.matrices and base in _MULTIPLIED:
            return True
        return base in _WHOLE and not indexed

    def _argument(self, e: f.Expression) -> f.Name | None:
        """The symbol that an unknown function is taken of."""
        own = {base: part for part, base in self.symbols.items()}
        for part in f.walk(e):
            if isinstance(part, f.Name) and isinstance(found := own.get(part.base), f.Name):
                return found
        return None


def identify(left: f.Expression, side: f.Side, context: Context) -> list[Variant]:
    """The questions whether two sides are the same whatever their symbols are."""
    right = side.expression
    if any(map(turns_by_angles, (left, right))):
        return []
    if has_entropies(left) and any(isinstance(part, f.Call) for part in f.walk(right)):
        if is_of_measures(right):
            return []  # which is that of distributions, where these add up to 1
        logarithms = [part for part in f.walk(right) if isinstance(part, f.Call) and part.function == "log"]
        if any(part.label or isinstance(part.arguments[0], f.Number) for part in logarithms):
            return []  # in bits, log_2 p or ln p/ln 2
        found = _of_kind("components", write_out_entropies(left), write_out_entropies(right))
        usual = usual_divergence(left, right)
        return [replace(variant, repairs=True, only=("sign",), without=(), usual=usual) for variant in found]
    if isinstance(left, f.Entry) and (entry := write_out_entry(left)) is not None:
        sides = entry, join_labels(right)
        return list(_of_kind("components", *sides)) if all(map(has_only_entries, sides)) else []
    if isinstance(left, f.Entry) and isinstance(right, f.Entry) and left.indices == right.indices:
        left, right = left.operand, right.operand
    if isinstance(left, f.Name | f.Number) or isinstance(right, f.Name | f.Number):
        return []
    capitals = _capitals_of(left), _capitals_of(right)
    turned = capitals[0] != capitals[1] and set(capitals[0]) == set(capitals[1])
    kinds = _KINDS[:1] if turned else _KINDS
    return [variant for kind in kinds for variant in as_they_stand([*_of_kind(kind, left, right)], side, context)]


def _capitals_of(e: f.Expression) -> tuple[f.Expression, ...]:
    """The factors in capitals in their order, which counts where they are matrices: T T* = T* T says something of T."""
    factors = e.factors if isinstance(e, f.Product) else ()
    return tuple(x for x in factors if any(isinstance(part, f.Name) and part.base.isupper() for part in f.walk(x)))


def compare(truth: f.Expression, right: f.Expression, theorem: Sentence, *, repairs: bool) -> Iterator[Variant]:
    """The questions whether a formula of vectors is what it should be, with what shows it."""
    for variant in _of_kind("vectors", truth, right):
        yield replace(variant, theorem=theorem, refuted=None, repairs=repairs, without=())


def with_projections(
    left: f.Expression, right: f.Expression, made: Mapping[Key, Sequence[f.Expression]]
) -> Iterator[f.Expression]:
    """The left side with q_i = W_Q x_i and the like put in, as the right one has these: QKᵀ = (X W_Q)(X W_K)ᵀ.

    `made` is what the article says its names to be: where it says that Q = X W_Qᵀ, it is nothing else.
    """
    shown = {part for part in f.walk(right) if isinstance(part, f.Name)}
    weights = {label.lower(): n for n in shown if n.base == "W" for label in (*n.sub, *n.sup) if label.lower() in "qkv"}
    tokens = {(n.base.isupper(), n.sub): n for n in shown if n.base in _TOKENS}

    def put_in(part: f.Expression, first: bool, turned: bool) -> f.Expression:
        if not isinstance(part, f.Name) or part in shown or part.base not in _PROJECTED or part.sup:
            return part
        weight, token = weights.get(part.base.lower()), tokens.get((part.base.isupper(), part.sub))
        if weight is None or token is None:
            return part
        factor = f.Transpose(weight) if turned else weight
        return f.Product((factor, token) if first else (token, factor), ("",))

    rows = any(has_queries_in_rows(*pair) for pair in pairs_in(left))  # Q Kᵀ, of which W_Q X, a column each, is no Q
    for first, turned in itertools.product((True, False), (False, True)):
        if first and rows:
            continue
        put = [(n, put_in(n, first, turned)) for n in dict.fromkeys(f.walk(left)) if isinstance(n, f.Name)]
        own = [(e, made.get(n.symbol, ())) for n, e in put if e is not n]
        if own and all(is_same(e, side) for e, sides in own for side in sides[:1]):
            yield rewrite(left, lambda part, put=dict(put): put.get(part, part))  # type: ignore[misc]


def _of_kind(kind: str, left: f.Expression, right: f.Expression) -> Iterator[Variant]:
    parts = [part for e in (left, right) for part in f.walk(e)]
    found = [part for part in parts if isinstance(part, f.Name)]
    plain = {replace(n, sub=_indices_of(n), text="") for n in found}
    wholes = frozenset(replace(n, sub=n.sub[:-1]) for n in plain if n.sub and n.base.islower()) & plain
    turned = any(isinstance(p, f.Transpose) or (isinstance(p, f.Call) and p.function in _OF_VECTORS) for p in parts)
    bases = {name.base for name in found}
    if (turned and kind != "vectors" and not wholes) or (kind != "entries" and wholes):
        return
    if kind == "numbers" and (turned or not bases.isdisjoint(_OF_MATRICES)):
        return
    matrices = not bases.isdisjoint(_OF_MATRICES)
    frees = [_Free(kind, wholes, matrices, terms=terms) for terms in LENGTHS]
    try:
        sides = [(free.of(left), set(free.symbols), free.of(right)) for free in frees]
    except NotSettledError:
        return
    first, own, _ = sides[0]
    if (isinstance(first, f.Name) and kind != "components") or not frees[0].symbols:
        return  # a function that is being defined
    same = own == set(frees[0].symbols) and len(own) > 1 and not any(isinstance(p, f.BigSum) for p in parts)
    for columns in (True,) if kind in _OF_NUMBERS else (True, False):
        cases = [_fit(free, a, b, columns) for free, (a, _, b) in zip(frees, sides, strict=True)]
        if None not in cases:
            written = own == set(frees[0].symbols) and all(map(_has_matrix, (left, right)))
            repairs = kind == "components" or written or (same and kind == "vectors" and turned and bases <= _ANY)
            question = _question([case for case in cases if case is not None])
            of_functions = _is_of_its_letters(left) and frees[0].symbols.keys() <= {*own, *_SHIFTS}
            repairs, written = repairs or of_functions, written or of_functions
            only = ("sign", "exchange") if of_functions else ("sign",) if written else ()
            yield Variant(question, _SHOWN, refuted=_REFUTED, repairs=repairs, only=only, without=_OTHER)


@dataclass(frozen=True)
class _Case:
    """A left side whose sums have one number of terms, and the shapes with which it fits the right one."""

    free: _Free
    left: f.Expression
    dimensions: Dimensions

    def prepare(self, scope: Scope) -> None:
        shapes: Mapping[str, Pair] = {key[0]: pair for key, pair in self.dimensions.symbols.items()}
        known = self.dimensions.sizes(shapes.values(), 2 + scope.seed % 2)
        known |= dict.fromkeys(_lengths(self.free, self.dimensions), self.free.terms)
        for base, pair in shapes.items():
            key = (base, (), ())
            shape = () if pair is None else tuple(known[self.dimensions.root(k)] for k in pair)
            if base == self.free.symbols.get(_IDENTITY):
                scope.given[key] = Tensor.identity(shape[0])
            else:
                scope.given[key] = scope.draw(key, shape) if shape else _number(scope, base)


def _fit(free: _Free, first: f.Expression, second: f.Expression, columns: bool) -> _Case | None:
    for sides in ((first,), (first, second)):
        try:
            dimensions = free.shapes(columns)
            for side in sides:
                dimensions.of(side)
            dimensions.refuse_exchanges(first, second)
            softmaxes = (part for side in (first, second) for part in f.walk(side) if _is_softmax(part))
            shapes = (dimensions.of(part) for part in softmaxes)
            if any(pair is None or {dimensions.root(k) for k in pair} == {ONE} for pair in shapes):
                return None  # of one number it is 1, whatever that is
        except NotSettledError:
            return None
        if len(sides) == 1 and {n for n in f.walk(second) if isinstance(n, f.Name)} <= set(f.walk(first)):
            break
    return None if dimensions.are_flattened() else _Case(free, first, dimensions)


def _question(cases: Sequence[_Case]) -> Question:
    """At each point the sums have another number of terms."""

    def case_of(scope: Scope) -> _Case:
        return cases[scope.seed % len(cases)]

    return Question(
        lambda evaluator, at: evaluator.value(case_of(evaluator.scope).left, at),
        prepare=lambda scope: case_of(scope).prepare(scope),
        place=lambda scope, printed: case_of(scope).free.of(printed),
    )


def _number(scope: Scope, base: str) -> Tensor:
    """A number: positive at the first point and at further ones, so that it has a logarithm, of either sign else."""
    generator = random.Random(f"{scope.seed} {base}")
    value = draw_fraction(generator)
    positive = scope.seed in (POINTS[0][1], *(seed for _, seed in FURTHER))
    return Tensor.number(value if positive or generator.random() < 0.5 else -value)


def _lengths(free: _Free, dimensions: Dimensions) -> Iterator[int]:
    """The lengths of the vectors whose entries are added up."""
    for e, base in free.symbols.items():
        pair = dimensions.symbols.get((base, (), ()))
        if e in free.vectors and pair is not None:
            yield from (root for k in pair if (root := dimensions.root(k)) != ONE)


def _has_matrix(e: f.Expression) -> bool:
    return any(isinstance(part, f.Matrix) for part in f.walk(e))


_SHIFTS = frozenset((f.Name("m"), f.Name("M"), f.Name("c")))  # what is taken off all scores, whatever it is


def _is_of_its_letters(e: f.Expression) -> bool:
    """Whether it is the logarithm of a softmax or of a sum of exponentials, or the sine or cosine of a sum: a function
    of its letters and no more."""
    match e:
        case f.Call("sin" | "cos", (argument,)):
            return any(isinstance(part, f.Sum) and len(part.terms) > 1 for part in f.walk(argument))
        case f.Call("log", (f.Entry(inside),)) | f.Call("log", (inside,)):
            return _is_softmax(inside) or isinstance(inside, f.BigSum)
    return False


def _is_softmax(e: f.Expression) -> bool:
    return isinstance(e, f.Call) and e.function == "softmax"


_OF_VECTORS = ("norm", "inner", "diag")


def _is_known(function: str) -> bool:
    return (
        function in FUNCTIONS
        or function in ENTRYWISE
        or function in ("exp", "log", "sqrt", "sin", "cos", "inner", "outer")
    )


def _depth(e: f.Expression) -> int:
    """How many sums stand one inside of another."""
    inner = max((_depth(part) for part in e.parts), default=0) if not isinstance(e, f.Atom) else 0
    return inner + isinstance(e, f.BigSum)


def _write_out(e: f.Expression, at: Mapping[str, int], free: _Free) -> f.Expression:
    """The expression with its sums as terms, an index put into the names that have it."""
    match e:
        case f.BigSum(letter, lower, upper, body, None) if len(letter) == 1 and lower in (None, _ONE):
            if isinstance(upper, f.Name) and free.length in (None, replace(upper, text="")):
                free.length = replace(upper, text="")
            elif upper is not None:
                raise NotSettledError("sum")
            inside = [part for part in f.walk(body) if isinstance(part, f.Name)]
            if is_in_label(letter, body) and not any(letter in (n.base, *_indices_of(n)) for n in inside):
                raise NotSettledError("label")  # Σ_d Q_{bhid}
            terms = tuple(_write_out(body, {**at, letter: k}, free) for k in range(1, free.terms + 1))
            return f.Sum(terms, (1,) * free.terms)
        case f.BigSum(letters, None, None, body, None) if "," in letters:
            first, rest = letters.split(",", 1)
            return _write_out(f.BigSum(first, None, None, f.BigSum(rest, None, None, body)), at, free)
        case f.BigSum():
            raise NotSettledError("sum")
        case f.Entry(f.Call("softmax", (f.Name() as z,)), (index,)) if not z.sub and len(index) == 1:
            powers = (f.Call("exp", (replace(z, sub=(letter,)),)) for letter in (index, _OTHERS))
            return _write_out(f.Quotient(next(powers), f.BigSum(_OTHERS, None, None, next(powers))), at, free)
        case f.Call("lse" | "logsumexp", (f.Name() as z,)) if not z.sub:
            power = f.Call("exp", (replace(z, sub=(_OTHERS,)),))
            return f.Call("log", (_write_out(f.BigSum(_OTHERS, None, None, power), at, free),))
        case f.Name() if at:
            return _with_indices(e, at)
        case f.Atom():
            return e
    changed: dict[str, Any] = {}
    names: tuple[str, ...] = e.__match_args__
    for name in names:
        value = getattr(e, name)
        if isinstance(value, f.Expression):
            changed[name] = _write_out(value, at, free)
        elif isinstance(value, tuple) and value and isinstance(value[0], f.Expression):
            changed[name] = tuple(_write_out(part, at, free) for part in value)
    return replace(e, **changed) if changed else e


def _with_indices(name: f.Name, at: Mapping[str, int]) -> f.Expression:
    """The name with numbers for its indices; raises NotSettledError where one is computed, Σ_j x_{j+1}."""
    if name.base in at and not name.sub and not name.sup:
        return f.Number(str(at[name.base]), Fraction(at[name.base]), Fraction(1))
    parts = _indices_of(name)
    if any(len(part) > 1 and not at.keys().isdisjoint(part) and not part.isalpha() for part in parts):
        raise NotSettledError("index")
    return replace(name, sub=tuple(str(at.get(part, part)) for part in parts), text="")


def _indices_of(name: f.Name) -> tuple[str, ...]:
    """What stands below a name, the letters of `ij` each by itself; `old` is a label."""
    return tuple(
        x for part in name.sub for x in (part if len(part) < 4 and _INDEX_LETTERS.issuperset(part) else (part,))
    )


_INDEX_LETTERS = frozenset("cdijklmnrst0123456789")
_OTHERS = "⋆"  # the index of all entries that softmax divides by
_IDENTITY = f.Name("I")
_ONE = f.Number("1", Fraction(1), Fraction(1))
