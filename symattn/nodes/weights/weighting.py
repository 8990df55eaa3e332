"""How a row of logits becomes weights otherwise than by softmax: sparsemax, entmax-1.5, sigmoid.

A kind says its weights, as a node, and how large the slope of each weight by its own logit is; a threshold that all
logits of a row share is a step of its own, so that the chain rule has the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, Lambda, Piecewise, Rational, S
from sympy.core.symbol import Str
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.nodes.boxes import Brackets, Call, Indexed, Ones, Word, divide, in_product
from symattn.nodes.elementary.elementwise import COLUMN, ROW
from symattn.nodes.elementary.elementwise import Z as LOGIT
from symattn.nodes.elementary.softmax import WithColumn, unknown_of_row
from symattn.nodes.node import At, M, Node, Numbers, Sizes, Written, as_matrix, as_number, entry, is_matrix, shape_of
from symattn.nodes.weights.sink import as_sink
from symattn.nodes.weights.thresholds import find_threshold
from symattn.writing.document import TIGHT, Box, Formula, Product, Quotient, Row, Signed, Spelled
from symattn.writing.prose import Sentence

POWERS = {"sparsemax": 1, "entmax-1.5": 2}  # p = 1/(α − 1): weights are [z/p − τ]₊^p
OFF_BY_ONE = "softmax-off-by-one"
KINDS = ("softmax", OFF_BY_ONE, *POWERS, "sigmoid")
_TAU, _SIGMA = Spelled(r"\tau", "τ"), Spelled(r"\sigma", "σ")
_LOGISTIC = Lambda((LOGIT, ROW, COLUMN), 1 / (1 + sympy.exp(-LOGIT)))


class ThresholdOf(sympy.Function):  # type: ignore[misc]
    """The number τ with Σ_j max(z_j/p − τ, 0)^p = 1, of p and a row z: worked out once all of these are numbers.

    >>> ThresholdOf(1, 2, 1, 0), ThresholdOf(2, 0, 0)
    (1, -sqrt(2)/2)
    """

    @classmethod
    def eval(cls, power: Expr, *row: Expr) -> Expr | None:
        if not all(x.is_number or x is S.NegativeInfinity for x in row):
            return None
        return find_threshold(row, int(power)).value


class RowThreshold(Node):
    """The threshold of each row of Z: τ_i with Σ_j max(Z_ij/p − τ_i, 0)^p = 1; −∞ takes no part.

    p = 1 is that of sparsemax, p = 2 that of entmax-1.5. Shape: rows of Z by 1. Raises InputError for another p.
    Source: Martins and Astudillo 2016, proposition 1; Peters, Niculae and Martins 2019, proposition 2.

    >>> from sympy import Matrix
    >>> RowThreshold(Matrix([[2, 1, 0], [1, 1, 1]]), 1).as_explicit()
    Matrix([
    [  1],
    [2/3]])
    """

    def __new__(cls, Z: Any, power: Any) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"), _power(power))

    @property
    def shape(self) -> tuple[Expr, Expr]:
        return shape_of(self.args[0])[0], Integer(1)

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        k, M, D = sympy.symbols("k M D")
        blanks = {"k": k} if self.args[1] == 1 else {"k": k, "M": M, "D": D, "root": M - sympy.sqrt((1 - D) / k)}
        return f".{self.args[1]}", dict(blanks)

    def _entry(self, i: Any, _j: Any, **_: object) -> Expr:
        Z, power = self.args
        columns = shape_of(Z)[1]
        if not columns.is_Integer:
            return unknown_of_row("threshold", Z, i)
        return ThresholdOf(power, *(entry(Z, i, k) for k in range(int(columns))))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.threshold(values[0], int(self.args[1]))

    def formula(self) -> Box:
        Z, power = self.args
        return Call(Indexed(_TAU, _name(power)), (Formula(Z),))


class AboveThreshold(WithColumn):
    """What of each logit lies above its row's threshold, to a power: [Z/p − τ1ᵀ]₊^e. Shape: that of Z.

    With e = p these are the weights of sparsemax (p = 1) or entmax-1.5 (p = 2), with e = p − 1 their slopes, where 0⁰
    is 0. Raises ShapeError where τ is no column of as many rows.
    """

    def __new__(cls, Z: Any, threshold: Any, power: Any, exponent: Any = None) -> Any:
        exponent = power if exponent is None else exponent
        return super().__new__(cls, Z, threshold, _power(power), Integer(exponent))

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return f".{_kind_of(self.args[2])}", {}

    @property
    def slope(self) -> AboveThreshold:
        """The derivative of every entry by its own logit, for the weights themselves: p/p [Z/p − τ1ᵀ]₊^(p−1)."""
        Z, threshold, power, exponent = self.args
        made: AboveThreshold = AboveThreshold(Z, threshold, power, exponent - 1)
        return made

    @property
    def raised(self) -> Lambda:
        """What becomes of the difference of a logit and its threshold."""
        return Lambda((LOGIT, ROW, COLUMN), Piecewise((LOGIT ** self.args[3], LOGIT > 0), (S.Zero, True)))

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        Z, threshold, power, _exponent = self.args
        return self.raised(entry(Z, i, j) / power - entry(threshold, i, 0), i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        shares = numbers.scale(values[0], Rational(1, int(self.args[2])))
        return numbers.each(numbers.subtract_column(shares, values[1]), self.raised)

    def _above(self, difference: Box) -> Box:
        exponent = self.args[3]
        if exponent == 0:
            return Brackets(Row((difference, ">", "0")), "[]")
        above = Indexed(Brackets(difference, "[]"), "+")
        return above if exponent == 1 else Row((above, Spelled(f"^{{{exponent}}}", "²")), TIGHT)

    def written(self, at: At, i: str, j: str) -> Box:
        Z, threshold, power, _ = self.args
        share = at(Z, i, j) if power == 1 else Quotient(at(Z, i, j), str(power))
        return self._above(Signed((("+", share), ("-", at(threshold, i, "")))))

    def formula(self) -> Box:
        Z, threshold, power, _ = self.args
        share = Formula(Z) if power == 1 else divide(Z, power, in_product(Z))
        common = Product((in_product(threshold), Ones(row=True)), gaps=("", ""))
        return self._above(Signed((("+", share), ("-", common))))


class Entmax(Node):
    """Sparsemax (α = 2) or entmax-1.5 (α = 3/2) of each row: [(α − 1)Z − τ1ᵀ]₊^(1/(α−1)), τ so that rows sum to 1.

    Logits far below the largest get weight 0, which softmax never gives. Shape: that of Z. Raises InputError for
    another α. Source: Martins and Astudillo 2016 (sparsemax); Peters, Niculae and Martins 2019 (entmax).

    >>> from sympy import Matrix
    >>> Entmax(Matrix([[1, Rational(1, 2), -1]])).as_explicit()
    Matrix([[3/4, 1/4, 0]])
    """

    def __new__(cls, Z: Any, alpha: Any = 2) -> Any:
        number = as_number(alpha)
        if number not in (2, Rational(3, 2)):
            raise InputError(Sentence("bad_alpha", given=str(alpha)[:40]))
        return super().__new__(cls, as_matrix(Z, "Z"), number)

    @property
    def power(self) -> Expr:
        return 1 / (self.args[1] - 1)

    def spelled(self) -> AboveThreshold:
        """The same by its threshold."""
        Z = self.args[0]
        made: AboveThreshold = AboveThreshold(Z, RowThreshold(Z, self.power), self.power)
        return made

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.spelled(), i, j)

    def formula(self) -> Box:
        return Call(_name(self.power), (Formula(self.args[0]),))


class SigmoidWeights(Node):
    """The logistic function of each logit, with the same number added to all: σ(Z + b)_ij = 1/(1 + e^−(Z_ij + b)).

    Rows need not sum to 1. b is a number, an expression (−log m for m keys, as published) or a matrix symbol of shape
    (1, 1), which is learned. Shape: that of Z. Raises ShapeError where b is not one number. Source: Ramapuram et al.
    2024, equation 3.

    >>> from sympy import Matrix
    >>> SigmoidWeights(Matrix([[0, -sympy.oo]])).as_explicit()
    Matrix([[1/2, 0]])
    """

    def __new__(cls, Z: Any, bias: Any = 0) -> Any:
        return super().__new__(cls, as_matrix(Z, "Z"), as_sink(bias))

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return (".sigmoid", {}) if self.bias == 0 else (".sigmoid.bias", {"bias": self.bias})

    @property
    def bias(self) -> Any:
        """The number that is added, as a number where it is one."""
        b = self.args[1]
        return b[0, 0] if isinstance(b, MatrixBase) else b

    @property
    def matrices(self) -> tuple[Any, ...]:
        return tuple(self.args[:1] if isinstance(self.args[1], MatrixBase) else self.args)

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return 1 / (1 + sympy.exp(-entry(self.args[0], i, j) - entry(self.args[1], 0, 0)))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        rows, _ = self.lengths(sizes)
        b = values[1] if len(values) == 2 else numbers.given([[self.bias.xreplace(dict(sizes))]])
        less = numbers.matmul(numbers.given([[S.NegativeOne]] * rows), b)
        return numbers.each(numbers.subtract_column(values[0], less), _LOGISTIC)

    def written(self, at: At, i: str, j: str) -> Box:
        return Call(_SIGMA, (self._shifted(at(self.args[0], i, j)),))

    def _shifted(self, logits: Box) -> Box:
        if self.bias == 0:
            return logits
        less = self.bias.could_extract_minus_sign() if not is_matrix(self.bias) else False
        return Signed((("+", logits), ("-" if less else "+", Formula(-self.bias if less else self.bias))))

    def formula(self) -> Box:
        return Call(_SIGMA, (self._shifted(Formula(self.args[0])),))


WITHOUT_SOFTMAX = (AboveThreshold, SigmoidWeights)  # weights that are no exponentials over their sum


class Weighting(Written, Basic):  # type: ignore[misc]
    """How logits become weights: "sparsemax", "entmax-1.5" or "sigmoid"; b is added to all logits of sigmoid."""

    def __new__(cls, kind: Any, bias: Any = 0) -> Any:
        if str(kind) not in KINDS[2:]:
            raise InputError(Sentence("bad_weighting", given=str(kind)[:40], known=", ".join(KINDS)))
        added = as_sink(bias)
        if str(kind) != "sigmoid" and added != as_sink(0):
            raise InputError(Sentence("bias_of_sigmoid", kind=str(kind)))
        return super().__new__(cls, Str(str(kind)), added)

    @property
    def kind(self) -> str:
        return str(self.args[0])

    def of(self, logits: Any) -> Any:
        """The weights of logits."""
        if self.kind == "sigmoid":
            return SigmoidWeights(logits, self.args[1])
        return Entmax(logits, 1 + Rational(1, POWERS[self.kind]))

    def formula(self) -> Box:
        return Word(self.kind)


def as_weighting(value: Any) -> Any:
    """The canonical form of a weighting option: true for softmax, else a Weighting."""
    if value is None or value is S.true or str(value) == "softmax":
        return S.true
    return value if isinstance(value, Weighting) else Weighting(value)


def _power(value: Any) -> Expr:
    power = as_number(value)
    if power not in (1, 2):
        raise InputError(Sentence("bad_alpha", given=str(value)[:40]))
    return power


def _kind_of(power: Any) -> str:
    return next(kind for kind, p in POWERS.items() if p == power)


def _name(power: Any) -> Box:
    """sparsemax, or entmax with its α below."""
    return Word("sparsemax") if power == 1 else Indexed(Word("entmax"), "1.5")
