"""Shapes of symbols of which nothing is said, as far as a formula needs them to fit: by unification."""

from __future__ import annotations

from collections.abc import Iterable

from symattn.checking.formulas.trials.symbols import Key, NotSettledError
from symattn.checking.models.inference import is_other_capital
from symattn.checking.models.unknowns import ONE, Unknowns
from symattn.reading import formula as f

Pair = tuple[int, int] | None  # rows and columns as numbers of unknowns; None of a number
VECTORS = frozenset("qkvxhcouzyswrpg")
_ACTIVATIONS = ("tanh", "relu", "gelu", "sigmoid", "sigma", "silu", "swish")
_SAME = frozenset((*_ACTIVATIONS, "exp", "log", "abs", "sin", "cos", "softmax", "layernorm", "rmsnorm"))


class Dimensions(Unknowns):
    """Unknown sizes, some of which are found to be the same; number 0 is the size 1."""

    def __init__(self, column_vectors: bool) -> None:
        super().__init__()
        self.fixed: dict[int, int] = {1: ONE}  # the unknowns that are sizes of matrices written out
        self.symbols: dict[Key, Pair] = {}
        self.numbers: set[Key] = set()  # those that were taken for numbers here
        self.unknown: set[Key] = set()  # those that stand for what may be a number or a matrix
        self.column_vectors = column_vectors

    def equate(self, a: int, b: int) -> None:
        low, high = sorted((self.root(a), self.root(b)))
        if low != high and {low, high} <= {self.root(k) for k in self.fixed.values()}:
            raise NotSettledError("sizes")
        self.parent[high] = low

    def equate_all(self, pairs: Iterable[Pair]) -> Pair:
        """Of terms that are added: all of one shape, numbers aside."""
        known = [pair for pair in pairs if pair is not None]
        for pair in known[1:]:
            self.equate(known[0][0], pair[0])
            self.equate(known[0][1], pair[1])
        return known[0] if known else None

    def symbol(self, name: f.Name) -> Pair:
        key = name.symbol
        if key not in self.symbols:
            self.symbols[key] = self._fresh(name)
            if self.symbols[key] is None:
                self.numbers.add(key)
        return self.symbols[key]

    def _as_matrix(self, name: f.Name) -> None:
        """A name of several letters that is multiplied by @, or transposed, is no number; one letter says itself."""
        key = name.symbol
        if key in self.numbers:
            raise NotSettledError(name.base)
        if key not in self.symbols and self._letter(name) is None:
            self.symbols[key] = self.new(), self.new()

    def _fresh(self, name: f.Name) -> Pair:
        base = self._letter(name)
        if base is None:
            if not name.base.islower() and not name.item:
                raise NotSettledError(name.base)  # WQ may be one matrix or two, MLP a function
            return None
        if base.isupper() and base.isascii():
            return self.new(), self.new()
        if base in VECTORS:
            return (self.new(), ONE) if self.column_vectors else (ONE, self.new())
        return None

    @staticmethod
    def _letter(name: f.Name) -> str | None:
        """The letter that a name is made of, that of the matrix P of dP; none of several letters."""
        plain = name.base.rstrip("\u0302\u0303\u0304\u0307")
        differential = len(plain) == 2 and plain[0] == "d" and plain[1].isupper()
        return None if name.item or (len(plain) > 1 and not differential) else plain[-1]

    def of(self, e: f.Expression) -> Pair:
        """The shape of an expression, with what it needs noted; raises NotSettledError for what has no rule."""
        match e:
            case f.Number() | f.Infinity() | f.Dots():
                return None
            case f.Name():
                return self.symbol(e)
            case f.Sum(terms, _) | f.Elementwise(terms):
                return self.equate_all([self.of(t) for t in terms])
            case f.Product(factors, operators):
                for operand in factors if "@" in operators else ():
                    for part in operand.terms if isinstance(operand, f.Sum) else (operand,):
                        if isinstance(part, f.Name):
                            self._as_matrix(part)
                return self._product(factors)
            case f.Quotient(above, below):
                self.of(below)
                return self.of(above)
            case f.Matrix(cells) if len({len(row) for row in cells}) == 1:
                if any(self.of(cell) is not None for row in cells for cell in row):
                    raise NotSettledError("blocks")
                return self._of_size(len(cells)), self._of_size(len(cells[0]))
            case f.Root(inside) | f.Power(inside, _):
                return self.of(inside)
            case f.Transpose(operand):
                if isinstance(operand, f.Name):
                    self._as_matrix(operand)
                pair = self.of(operand)
                if pair is None and isinstance(operand, f.Name):
                    raise NotSettledError(operand.base)  # the θ of R(θ)ᵀ: what is turned is no number
                return None if pair is None else (pair[1], pair[0])
            case f.Call(function, (argument,)) if function in _SAME or (len(function) == 1 and not function.isupper()):
                return self.of(argument)
            case f.Entry(operand) if not isinstance(operand, f.Call):
                self.of(operand)
                return None
            case f.Call("norm" | "abs", (argument,)):
                self.of(argument)
                return None
            case f.Call("tr" | "trace", (argument,)):
                pair = self.of(argument)
                if pair is not None:
                    self.equate(*pair)
                return None
            case f.Call("diag", (argument,)):
                pair = self._listed(argument)
                longer = max(pair, key=lambda k: self.root(k) != ONE)
                return longer, longer
            case f.Call("inner", (left, right)):
                self.equate_all([self.of(left), self.of(right)])
                return None
            case f.Call("outer", (left, right)):
                rows, columns = (
                    max(self.of(x) or (ONE, ONE), key=lambda k: self.root(k) != ONE) for x in (left, right)
                )
                return rows, columns
        raise NotSettledError(type(e).__name__)

    def _of_size(self, size: int) -> int:
        if size not in self.fixed:
            self.fixed[size] = self.new()
        return self.fixed[size]

    def _listed(self, argument: f.Expression) -> tuple[int, int]:
        """The shape of what diag makes a matrix of, which is no number, whatever its letter."""
        if isinstance(argument, f.Name) and self._letter(argument) and argument.symbol not in self.symbols:
            self.symbols[argument.symbol] = self.new(), ONE
        pair = self.of(argument)
        if pair is None:
            raise NotSettledError("diag")
        return pair

    def refuse_exchanges(self, *sides: f.Expression) -> None:
        """Raises NotSettledError for S f(a), where f(a) was taken for a number: no matrix is exchanged with another."""
        apart = Dimensions(self.column_vectors)  # in which it is asked without saying anything of what has to fit
        apart.parent, apart.symbols = [*self.parent], dict(self.symbols)
        for product in (part for side in sides for part in f.walk(side) if isinstance(part, f.Product)):
            ordered = False
            for factor in product.factors:
                is_number = apart.of(factor) is None
                if is_number and ordered and self._may_be_matrix(factor):
                    raise NotSettledError("order")
                ordered = ordered or not is_number or self._may_be_matrix(factor)

    def _may_be_matrix(self, e: f.Expression) -> bool:
        """Whether what is taken for a number may be a matrix: Λ, or the value of a function that nobody knows."""
        match e:
            case f.Name(base):
                return e.symbol in self.unknown or is_other_capital(base)
            case f.Call(function):
                return function not in _SAME and len(function) == 1
        return False

    def _product(self, factors: Iterable[f.Expression]) -> Pair:
        found: Pair = None
        for factor in factors:
            pair = self.of(factor)
            if found is None or pair is None:
                found = found or pair
                continue
            if self.root(found[1]) == ONE and self.root(found[0]) == ONE:
                found = pair  # a number that is written as a product of vectors
                continue
            self.equate(found[1], pair[0])
            found = (found[0], pair[1])
        return found

    def are_flattened(self) -> bool:
        """Whether a matrix fits only as a vector, or a vector as a number: then vectors stand the other way."""
        for pair in filter(None, self.symbols.values()):
            one = [self.root(k) == ONE for k in pair]
            if all(one) or (any(one) and ONE not in pair):
                return True
        return False

    def sizes(self, pairs: Iterable[Pair], start: int) -> dict[int, int]:
        """A size for each unknown of some shapes, all different, none 1."""
        roots = sorted({self.root(k) for pair in pairs for k in pair or ()} - {ONE})
        return {ONE: 1, **{root: start + k for k, root in enumerate(roots)}}
