"""Trees of formulas -> small tensors, under what a scope says of their symbols.

Sums run over index letters, which count from 1; products are matrix products where both sides are matrices. What is not
known raises `NotSettledError`, what does not fit `MisfitError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce

from symattn.checking.formulas.trials.functions import FUNCTIONS, FUNCTIONS_OF_SEVERAL, has_down_option, is_by_columns
from symattn.checking.formulas.trials.indices import (
    Indices,
    counted_from_one,
    is_in_label,
    read_index,
    split_indices,
    split_name,
)
from symattn.checking.formulas.trials.symbols import (
    ENTRIES_OF,
    ROWS_OF,
    SCALARS,
    Key,
    NotSettledError,
    Scope,
    size_name,
    standard_shape,
)
from symattn.checking.work import spend
from symattn.reading import formula as f
from symattn.values.tensors import ENTRYWISE, MisfitError, Tensor, join, largest

MOST_STEPS = 40_000  # sums and calls of one evaluation
MOST_TERMS = 200  # of one sum
DEEPEST = 12  # definitions within definitions


class Evaluator:
    """The values of expressions in a scope, with index letters bound to numbers."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.steps = 0
        self.depth = 0

    def value(self, e: f.Expression, indices: Indices | None = None) -> Tensor:
        """What an expression comes to; raises NotSettledError, MisfitError or ZeroDivisionError."""
        at = indices or {}
        spend()
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise NotSettledError("too long")
        match e:
            case f.Number():
                return Tensor.number(e.value)
            case f.Name():
                return self.name(e, at)
            case f.Sum(terms, signs):
                values = [self.value(t, at) if s > 0 else -self.value(t, at) for t, s in zip(terms, signs, strict=True)]
                return reduce(lambda a, b: a + b, values)
            case f.Product(factors, operators):
                return self._product(factors, operators, at)
            case f.Elementwise(factors):
                return reduce(lambda a, b: a * b, (self.value(x, at) for x in factors))
            case f.Quotient(above, below):
                return self._quotient(self.value(above, at), self.value(below, at))
            case f.Root(radicand):
                return self.value(radicand, at).apply("sqrt")
            case f.Power(base, exponent):
                return self._power(base, exponent, at)
            case f.Transpose(operand):
                return self.value(operand, at).turned()
            case f.Call():
                return self.call(e, at)
            case f.Entry(operand, parts):
                return self._pick(self.value(operand, at), [self._index(p, at) for p in split_indices(parts, at)])
            case f.BigSum():
                return self._sum(e, at)
            case f.Matrix(rows):
                return join([join([self.value(cell, at) for cell in row], 1) for row in rows], 0)
        raise NotSettledError(type(e).__name__)

    # --- arithmetic

    def _product(self, factors: Sequence[f.Expression], operators: Sequence[str], at: Indices) -> Tensor:
        found = self.value(factors[0], at)
        for operator, factor in zip(operators, factors[1:], strict=True):
            found = multiply(found, self.value(factor, at), operator)
        return found

    @staticmethod
    def _quotient(above: Tensor, below: Tensor) -> Tensor:
        if below.is_number:
            return above / Tensor((), below.entries)
        if above.shape != below.shape and not (below.is_vector and len(above.shape) == 2):
            raise MisfitError("/", above.shape, below.shape)
        return above / below

    def _power(self, base: f.Expression, exponent: f.Expression, at: Indices) -> Tensor:
        value, power = self.value(base, at), self.value(exponent, at)
        whole = power.whole()
        if whole is None:
            if isinstance(exponent, f.Quotient | f.Number | f.Sum) and (half := rational(exponent)) is not None:
                return value.raised(half)
            if value.is_number and power.is_number:
                return (value.apply("log") * power).apply("exp")
            raise NotSettledError("power")
        if whole == -1 and not value.is_number and not value.is_vector:
            return value.inverse()
        if not value.is_number and not value.is_vector and whole != 1:
            raise NotSettledError("power of a matrix")
        return value.raised(Fraction(whole))

    def _sum(self, e: f.BigSum, at: Indices) -> Tensor:
        e = counted_from_one(e, at)
        letter = e.index or self._letter_summed(e.body, at)
        lower = 1 if e.lower is None else self._whole(e.lower, at)
        if letter is None or not letter.rstrip("'′").isalpha() or e.condition is not None:
            raise NotSettledError("sum")
        extent = self.extent(letter, e.body, at)
        if extent is None and is_in_label(letter, e.body):
            raise NotSettledError("label")  # Σ_d Q_{bhid}
        extent = extent or self.scope.length
        upper = self._upper(e.upper, extent, at)
        total: Tensor | None = None
        if upper - lower > MOST_TERMS:
            raise NotSettledError("long sum")
        for k in range(lower, upper + 1):
            term = self.value(e.body, {**at, letter: k})
            total = term if total is None else total + term
        return Tensor.number(0) if total is None else total

    @staticmethod
    def _letter_summed(body: f.Expression, at: Indices) -> str | None:
        """The letter that a sum without one runs over: the one index of its body that is not bound."""
        parts = [p for n in f.walk(body) if isinstance(n, f.Name) for p in (*n.item, *n.sub)]
        letters = {c for part in parts if len(part) <= 2 and part.islower() for c in part} - set(at)
        return letters.pop() if len(letters) == 1 else None

    def _upper(self, bound: f.Expression | None, extent: int | None, at: Indices) -> int:
        if isinstance(bound, f.Name) and self.scope.any_length and extent is not None and size_name(bound) == "n":
            return extent
        if isinstance(bound, f.Name) and extent is not None and self._is_open(bound, at):
            self.scope.sizes[_letter(bound)] = extent  # a letter of the author's own for this length
            return extent
        if bound is not None:
            try:
                return self._whole(bound, at)
            except NotSettledError:
                if not isinstance(bound, f.Name | f.Call) or extent is None:
                    raise
                if isinstance(bound, f.Call):
                    return extent  # |V|
                self.scope.sizes[_letter(bound)] = extent
        if extent is None:
            raise NotSettledError("bound")
        return extent

    def _is_open(self, bound: f.Name, at: Indices) -> bool:
        """Whether nothing says how many a letter alone stands for: the c of c classes would be any number."""
        known = bound.base in at or bound.symbol in (*self.scope.definitions, *self.scope.given)
        usual = self.scope.size_of(bound) is not None and bound.base != "D"  # which counts the entries of any vector
        return not (bound.sub or bound.sup or bound.item or known or usual)

    def _whole(self, e: f.Expression, at: Indices) -> int:
        found = self.value(e, at).whole()
        if found is None:
            raise NotSettledError("no integer")
        return found

    # --- names and their indices

    def name(self, name: f.Name, at: Indices) -> Tensor:
        if not name.sub and not name.sup and not name.item and name.base in at:
            return Tensor.number(at[name.base])
        size = self.scope.size_of(name)
        own = name.symbol
        if size is not None and own not in self.scope.definitions and own not in self.scope.given:
            return Tensor.number(size)
        key, parts = split_name(name, at)
        return self.symbol(key, parts, at)

    def symbol(self, key: Key, parts: Sequence[str], at: Indices) -> Tensor:
        """What a symbol with these indices is: by its definition, as drawn, or as a row or entry of a matrix."""
        found = self._defined(key, parts, at)
        if found is not None:
            return found
        base = key[0]
        scope = self.scope
        if (base, (*key[1], *parts), key[2]) in scope.given:  # head_2, which has a value of its own
            return scope.given[base, (*key[1], *parts), key[2]]
        places = [self._index(part, at) for part in parts]
        if len(parts) == 1:
            if key in scope.given:
                whole = scope.given[key]
                return self._pick(whole, places) if whole.is_vector else self._token(whole, places[0])
            matrix = (ROWS_OF.get(base, ""), *key[1:])
            if base in ROWS_OF and (found := self._whole_of(matrix, at)) is not None:
                return self._token(found, places[0])
            if base in ENTRIES_OF and key not in scope.given:
                vector = scope.given.setdefault(key, scope.draw(key, (1, scope.sizes["m"])))
                scope.drawn.setdefault(base, vector)
                return self._pick(vector, places)
            if base.isupper() and len(base) == 1:
                return self._member(key, places[0])
        if parts:
            tensor = scope.tensor(key)
            if tensor is None:
                raise NotSettledError(base)
            return self._pick(tensor, places)
        tensor = scope.tensor(key)
        if tensor is not None:
            return tensor
        if base == "π":
            return Tensor.pi()
        if base in SCALARS or (base.islower() and len(base) > 1):
            return scope.number(key)
        raise NotSettledError(base)

    def _whole_of(self, key: Key, at: Indices) -> Tensor | None:
        found = self._defined(key, (), at)
        return found if found is not None else self.scope.tensor(key)

    def _member(self, key: Key, place: int) -> Tensor:
        """A member of a family of matrices: `W_i`, `Q_i`."""
        shape = self.scope.shape(key)
        if shape is None:
            raise NotSettledError(key[0])
        drawn = self.scope.draw((key, place), shape)
        return drawn if self.scope.reading.rows else drawn.turned()

    def _token(self, whole: Tensor, place: int) -> Tensor:
        """The vector of a token: a row of a matrix or a column, laid down or set upright as vectors are."""
        rows = self.scope.reading.rows
        vector = whole.row(place - 1) if rows else whole.column(place - 1)
        return vector if rows == self.scope.reading.row_vectors else vector.turned()

    @staticmethod
    def _pick(tensor: Tensor, places: Sequence[int]) -> Tensor:
        """An entry or a row of a matrix; an entry of a vector."""
        if len(places) == 1 and tensor.is_vector:
            k = places[0] - 1
            return tensor.at(k, 0) if tensor.columns == 1 else tensor.at(0, k)
        if len(places) == 1:
            return tensor.row(places[0] - 1)
        if len(places) == 2:
            return tensor.at(places[0] - 1, places[1] - 1)
        raise NotSettledError("index")

    def _index(self, part: str, at: Indices) -> int:
        """The value of an index, `t-1`."""
        if part in at:
            return at[part]
        if part.isdigit():
            return int(part)
        if part == ":":
            raise NotSettledError("index")
        return self._whole(read_index(part), at)

    def _defined(self, key: Key, parts: Sequence[str], at: Indices) -> Tensor | None:
        if key not in self.scope.definitions:
            return None
        letters, body = self.scope.definitions[key]
        places = [self._index(part, at) for part in parts]
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotSettledError("definitions go round")
        try:
            if len(letters) == len(places):
                return self.value(body, dict(zip(letters, places, strict=True)))
            if not letters:
                return self._pick(self.value(body, {}), places)
        finally:
            self.depth -= 1
        return None

    def extent(self, letter: str, body: f.Expression, at: Indices) -> int | None:
        """How far an index runs: the size of what it is an index of."""
        for part in f.walk(body):
            if isinstance(part, f.Name):
                bound = {**at, letter: 1}
                key, parts = split_name(part, bound)
                if letter in parts:
                    found = self._extent(key, parts, parts.index(letter), bound)
                    if found is not None:
                        return found
        return None

    def _extent(self, key: Key, parts: Sequence[str], position: int, at: Indices) -> int | None:
        base = key[0]
        scope = self.scope
        whole: Tensor | None = None
        if len(parts) == 1 and key not in scope.given and base in ROWS_OF:
            whole = self._whole_of((ROWS_OF[base], *key[1:]), at)
            return None if whole is None else whole.rows if scope.reading.rows else whole.columns
        if key in scope.given or standard_shape(key) is not None or key in scope.shapes:
            whole = scope.tensor(key)
        if whole is None:
            return None
        if len(parts) == 1:
            return len(whole.entries) if whole.is_vector else whole.rows if scope.reading.rows else whole.columns
        return whole.shape[position] if position < 2 else None

    # --- functions

    def call(self, e: f.Call, at: Indices) -> Tensor:
        name, label = e.function, e.label
        if name == "concat":
            return self._concat(e, at)
        if name == "max" and len(label) == len(e.arguments) == 1 and label[0].isalpha() and label[0] not in at:
            return self._maximum(label[0], e.arguments[0], at)
        arguments = [self.value(a, at) for a in e.arguments]
        if name == "max" and len(arguments) == 2:
            return largest(*arguments)
        if len(arguments) != 1:
            if name in FUNCTIONS_OF_SEVERAL:
                return FUNCTIONS_OF_SEVERAL[name](arguments, self.scope)
            raise NotSettledError(name)
        x = arguments[0]
        if name == "softmax" and label and not set(label) <= set(_AXES):
            name = f"softmax_{label[0]}"
        if name == "log" and len(label) == 1 and label[0] in ("2", "10"):
            return x.apply("log") / Tensor.number(int(label[0])).apply("log")
        if label not in ((), ("1",)) and (name in ENTRYWISE or name == "swish"):
            raise NotSettledError(name)  # Swish_β: one of a family
        if name in ENTRYWISE:
            return x.apply(name)
        if not x.is_vector and x.shape and is_by_columns(e) and self.scope.reading.rows:
            raise NotSettledError(name)
        if not x.is_vector and x.shape and (has_down_option(e) or is_by_columns(e)):
            return x.softmax(0)
        if name in FUNCTIONS:
            return FUNCTIONS[name](x, self.scope)
        if len(name) == 1 or name in _UNKNOWN:
            return self._unknown(name, x)
        raise NotSettledError(name)

    def _maximum(self, letter: str, body: f.Expression, at: Indices) -> Tensor:
        """max_j z_j."""
        extent = self.extent(letter, body, at)
        if extent is None:
            raise NotSettledError("max")
        return reduce(largest, (self.value(body, {**at, letter: k}) for k in range(1, extent + 1)))

    def _unknown(self, name: str, x: Tensor) -> Tensor:
        """A function of which nothing is known: a polynomial of each entry, another for each name."""
        a, b, c = (self.scope.draw((name, k), ()) for k in "abc")
        return x * x * a + x * b + c

    def _concat(self, e: f.Call, at: Indices) -> Tensor:
        parts = [self.value(a, at) for a in self.members(e.arguments)]
        return join(parts, 1 if self.scope.reading.rows else 0)

    def members(self, arguments: Sequence[f.Expression]) -> Iterator[f.Expression]:
        """`head_1, …, head_h` written out for the scope's number of heads."""
        for k, argument in enumerate(arguments):
            if not isinstance(argument, f.Dots):
                if not (k and isinstance(arguments[k - 1], f.Dots)):
                    yield argument
                continue
            if k == 0 or k + 1 >= len(arguments) or not isinstance(arguments[0], f.Name):
                raise NotSettledError("…")
            for number in range(k + 1, self.scope.sizes["h"] + 1):
                yield numbered(arguments[0], number)


def numbered(name: f.Name, number: int) -> f.Name:
    """The member of a family: head_1 as head_3."""
    if name.sub and name.sub[0] in ("1", "i"):
        return f.Name(name.base, (str(number), *name.sub[1:]), name.sup)
    raise NotSettledError("…")


def multiply(a: Tensor, b: Tensor, operator: str) -> Tensor:
    """A product by juxtaposition, `·`, `*`, `×` or `@`: of matrices the matrix product, of two like vectors the dot."""
    if not a.shape or not b.shape or operator == "⊗":
        return a * b
    if a.columns == b.rows:
        return a @ b
    if a.is_number or b.is_number:
        number, other = (a, b) if a.is_number else (b, a)
        return Tensor((), number.entries) * other
    if operator == "·" and a.is_vector and b.is_vector and len(a.entries) == len(b.entries):
        return (a * b).total() if a.shape == b.shape else (a.turned() * b).total()
    if operator == "*" and a.shape == b.shape:
        return a * b  # no matrix product is meant where there is none
    return a @ b


def rational(e: f.Expression) -> Fraction | None:
    """The rational number that an expression is, 1/2 or -1/2."""
    match e:
        case f.Number():
            return e.value
        case f.Quotient(above, below):
            a, b = rational(above), rational(below)
            return None if a is None or not b else a / b
        case f.Sum((term,), (sign,)):
            inner = rational(term)
            return None if inner is None else sign * inner
    return None


def _letter(name: f.Name) -> str:
    return name.base + ("_" + ",".join(name.sub) if name.sub else "")


_AXES = ("row", "rows", "col", "i", "j", "k")
_UNKNOWN = frozenset(["sublayer", "mha", "ffn", "mlp", "multihead", "attention", "selfattention", "sa", "attn"])
