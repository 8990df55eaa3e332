"""One hook for every change of scores that has no node of its own: score_mod(z, i, j, head)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Lambda, MatrixExpr, Symbol

from symattn.errors import InputError
from symattn.nodes.boxes import Brackets, Call, Word
from symattn.nodes.elementary.families import HEAD
from symattn.nodes.node import M, Node, Numbers, Sizes, as_matrix, entry
from symattn.writing.document import TIGHT, Box, Formula, Power, Row, Spelled
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy

Z = Symbol("z", real=True)  # a score
ROW = Symbol("i", integer=True, nonnegative=True)  # its query, from 0
COLUMN = Symbol("j", integer=True, nonnegative=True)  # its key, from 0
_VARIABLES = (Z, ROW, COLUMN)
_PRIME = "'"


def index_letters(formula: Expr) -> tuple[Expr, Expr]:
    """What a row and a column are called beside a formula: i and j, or a and b where i is the number of a head."""
    return sympy.symbols("a b") if formula.has(HEAD) else (ROW, COLUMN)


class ScoreMod(Node):
    """Every score changed by a formula of its own: score_mod(z, i, j, head).

    ScoreMod(S, f)_ij = f(S_ij, i, j, head), rows i and columns j counted from 0 and heads from 1, as programs do it
    (−∞ hides). f is a SymPy Lambda of up to four variables, or an expression in symbols named z, i, j, head. Shape:
    that of S. `slopes` is how often f was differentiated by z, which is printed alone. Raises InputError for anything
    else; text is never evaluated. Source: FlexAttention (Dong et al. 2024).

    >>> from sympy import Matrix, symbols
    >>> z, i, j = symbols("z i j")
    >>> ScoreMod(Matrix([[1, 2], [3, 4]]), z - (i - j) / 2).as_explicit()
    Matrix([
    [  1, 5/2],
    [5/2,   4]])
    """

    def __new__(cls, S: Any, formula: Any, slopes: Any = 0) -> Any:
        return super().__new__(cls, as_matrix(S, "S"), as_score_mod(formula), as_sympy(slopes))

    def slope(self) -> ScoreMod:
        """∂f/∂z at every entry."""
        S, formula, slopes = self.args
        made: ScoreMod = ScoreMod(
            S, Lambda(formula.variables, sympy.diff(formula.expr, formula.variables[0])), slopes + 1
        )
        return made

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        row, column = index_letters(self.args[1].expr)
        return "", {"formula": self.args[1](Z, row, column), "z": Z, "row": row, "column": column}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.args[1](entry(self.args[0], i, j), i, j)

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.each(values[0], self.args[1].xreplace(dict(sizes)))

    def formula(self) -> Box:
        return Call(prime(Word("score_mod"), self.args[2]), (Formula(self.args[0]),))


class OfEntries(Node):
    """A function of one number, taken of each entry of X. Shape: that of X."""

    @property
    def function(self) -> Lambda:
        """What becomes of an entry z."""
        raise NotImplementedError

    @property
    def in_exponentials(self) -> Lambda:
        """The same, with exponentials for what programs have under names of its own."""
        return self.function

    def slope(self) -> OfEntries:
        """The derivative of the function, of each entry."""
        raise NotImplementedError

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        return "", {"formula": self.in_exponentials(Z), "z": Z}

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return self.in_exponentials(entry(self.args[0], i, j))

    def compute(self, numbers: Numbers[M], values: Sequence[M], sizes: Sizes) -> M:
        return numbers.each(values[0], Lambda((Z, ROW, COLUMN), self.in_exponentials(Z).xreplace(dict(sizes))))


class Mapped(OfEntries):
    """A function of each entry: φ(X)_ij = φ(X_ij). Shape: that of X.

    `slopes` is how often φ was differentiated, which is printed alone. Raises InputError for what is no function of z.

    >>> from sympy import Matrix
    >>> Mapped(Matrix([[-1, 2]]), ELU_PLUS_ONE).as_explicit()
    Matrix([[exp(-1), 3]])
    """

    def __new__(cls, X: Any, function: Any, slopes: Any = 0) -> Any:
        return super().__new__(cls, as_matrix(X, "X"), as_function(function), as_sympy(slopes))

    @property
    def spoken(self) -> tuple[str, dict[str, object]]:
        x = sympy.Symbol("x")  # z is the sum of key features beside them
        return "", {"formula": self.in_exponentials(x), "z": x}

    @property
    def function(self) -> Lambda:
        return self.args[1]

    def slope(self) -> Mapped:
        X, function, slopes = self.args
        made: Mapped = Mapped(X, Lambda(Z, sympy.diff(function(Z), Z)), slopes + 1)
        return made

    def formula(self) -> Box:
        if self.function(Z) == 1 / Z:  # entry by entry, which a plain exponent would not say
            X = self.args[0]
            return Power(Formula(X) if X.is_symbol else Brackets(Formula(X)), Spelled(r"\circ -1", "∘−1"))
        return Call(prime(Spelled(r"\phi", "φ"), self.args[2]), (Formula(self.args[0]),))


def prime(name: Box, times: Expr) -> Box:
    """The name of a derivative: φ′′."""
    return Row((name, _PRIME * int(times)), TIGHT)


# Katharopoulos et al. 2020, equation 7: elu(z) + 1, which is positive
ELU_PLUS_ONE = Lambda(Z, sympy.Piecewise((Z + 1, Z > 0), (sympy.exp(Z), True)))


def as_score_mod(formula: Any, head: Any = 1) -> Lambda:
    """The canonical form of a score_mod: a Lambda of z, i, j, for one head or, with its symbol, for any."""
    known = {"z": Z, "i": ROW, "j": COLUMN, "head": as_sympy(head)}
    if isinstance(formula, Lambda) and 1 <= len(formula.variables) <= 4:
        return Lambda(_VARIABLES, formula(*list(known.values())[: len(formula.variables)]))
    if not isinstance(formula, Expr) or isinstance(formula, MatrixExpr):
        raise InputError(Sentence("bad_score_mod", given=str(formula)[:60]))
    named = {s: known[s.name] for s in formula.free_symbols if s.name in known and s != HEAD}
    return Lambda(_VARIABLES, formula.xreplace(named))


def as_function(function: Any) -> Lambda:
    """A function of one number: a Lambda of one variable, or an expression in a symbol named z."""
    if isinstance(function, Lambda) and len(function.variables) == 1:
        return Lambda(Z, function(Z))
    if not isinstance(function, Expr) or isinstance(function, MatrixExpr):
        raise InputError(Sentence("bad_feature", given=str(function)[:60]))
    return Lambda(Z, function.xreplace({s: Z for s in function.free_symbols if s.name == "z"}))
