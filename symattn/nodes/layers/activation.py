"""What a feed-forward network does to each entry between its products: ReLU, GELU, SiLU; and the sigmoid of gates."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Lambda, Piecewise, Rational, S, pi, sqrt
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.boxes import Call, Indexed, Word
from symattn.nodes.elementary.elementwise import OfEntries, Z, prime
from symattn.nodes.node import as_matrix
from symattn.writing.document import Box, Formula, Spelled
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.strict import as_sympy


class Logistic(sympy.Function):  # type: ignore[misc]
    """σ(z) = 1/(1 + e^−z), under a name of its own so that programs compute it without overflow.

    >>> z = sympy.Symbol("z")
    >>> Logistic(z).diff(z)
    (1 - Logistic(z))*Logistic(z)
    """

    is_extended_real = True

    def fdiff(self, argindex: int = 1) -> Expr:
        return self * (1 - self)


_BENT = sqrt(2 / pi) * (Z + Rational(44715, 1_000_000) * Z**3)
ACTIVATIONS: dict[str, tuple[Box, Expr]] = {
    "relu": (Word("ReLU"), Piecewise((Z, Z > 0), (S.Zero, True))),
    "gelu": (Word("GELU"), Z / 2 * (1 + sympy.erf(Z / sqrt(2)))),
    "gelu-tanh": (Indexed(Word("GELU"), Word("tanh")), Z / 2 * (1 + sympy.tanh(_BENT))),
    "silu": (Word("SiLU"), Z * Logistic(Z)),
    "sigmoid": (Spelled(r"\sigma", "σ"), Logistic(Z)),
    "tanh": (Spelled(r"\tanh", "tanh"), sympy.tanh(Z)),
}


class Activation(OfEntries):
    """A named function of each entry: Activation(X, "gelu")_ij = GELU(X_ij). Shape: that of X.

    relu max(0, z); gelu z Φ(z) = z/2 (1 + erf(z/√2)); gelu-tanh z/2 (1 + tanh(√(2/π)(z + 0.044715 z³))); silu z σ(z);
    sigmoid σ(z) = 1/(1 + e^−z); tanh. The slope of relu at 0 is 0. `slopes` is how often the function was
    differentiated. Raises InputError for another name. Source: Hendrycks and Gimpel 2016; Elfwing et al. 2018.

    >>> from sympy import Matrix
    >>> Activation(Matrix([[-1, 2]]), "relu").as_explicit()
    Matrix([[0, 2]])
    >>> Activation(Matrix([[1]]), "silu").as_explicit()
    Matrix([[1/(exp(-1) + 1)]])
    """

    def __new__(cls, X: Any, name: Any, slopes: Any = 0) -> Any:
        return super().__new__(cls, as_matrix(X, "X"), as_activation(name), as_sympy(slopes))

    @property
    def name(self) -> str:
        return str(self.args[1])

    @property
    def function(self) -> Lambda:
        return Lambda(Z, sympy.diff(ACTIVATIONS[self.name][1], (Z, self.args[2])))

    @property
    def in_exponentials(self) -> Lambda:
        return Lambda(Z, self.function(Z).replace(Logistic, lambda z: 1 / (1 + sympy.exp(-z))))

    def slope(self) -> Activation:
        X, name, slopes = self.args
        made: Activation = Activation(X, name, slopes + 1)
        return made

    def formula(self) -> Box:
        return Call(prime(ACTIVATIONS[self.name][0], self.args[2]), (Formula(self.args[0]),))


def as_activation(name: Any) -> Str:
    """The canonical form of an activation: its name."""
    if str(name) not in ACTIVATIONS:
        raise InputError(Sentence("bad_activation", given=str(name)[:40], known=listed(name, ACTIVATIONS)))
    return Str(str(name))
