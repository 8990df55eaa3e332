"""One chunk of the delta rule: w_r = β_r (k_r − Σ_{i<r} w_i (k_i · k_r)), u of the values, and what solves for them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symattn.checking.models.evaluate import Model, Scope, UnsettledError, at_place, inverse
from symattn.checking.models.rings import Numbers, Size
from symattn.checking.models.tensors import Tensor, Tensors, draw_rows
from symattn.reading import formula as f

ROWS, KEYS, VALUES = 4, 3, 5
SOLVED = ("A", "A_W", "A_U", "T")


class ChunkModel(Model):
    """Letters K, V, β of a chunk of rows, and W, U and A = (I + L)⁻¹ with L the part of diag(β)KKᵀ below the diagonal.

    `scaled` says that A (or T) has diag(β) in it; `strict` that lower(·) leaves the diagonal out.
    """

    def __init__(self, *, scaled: bool, strict: bool, seed: int = 0) -> None:
        self.tensors, self.scaled, self.strict, self.seed = Tensors(Numbers()), scaled, strict, seed
        self.sizes: Mapping[str, Size] = {"C": ROWS, "d_k": KEYS, "d_v": VALUES}
        self.drawn: dict[str, Tensor] = {}

    def free(self, name: str, columns: int) -> Tensor:
        if name not in self.drawn:
            self.drawn[name] = self.tensors.written(draw_rows(f"{name} {self.seed}", ROWS, columns, 4, 3))
        return self.drawn[name]

    def solved(self) -> Tensor:
        """(I + L)⁻¹, by forward substitution of what defines w."""
        t = self.tensors
        K, beta = self.free("K", KEYS), self.free("β", 1)
        products = t.hadamard(t.multiply(K, t.transpose(K)), beta)
        zero = t.ring.number(Fraction(0))
        below = t.make((ROWS, ROWS), lambda i, j: products.at(i, j) if j < i else zero)
        return inverse(t, t.add(t.identity(ROWS), below))

    def whole(self, key: str) -> Tensor:
        t = self.tensors
        if key in ("K", "V"):
            return self.free(key, KEYS if key == "K" else VALUES)
        if key == "β":
            return self.free(key, 1)
        if key == "I":
            return t.identity(ROWS)
        scaled = t.multiply(self.solved(), t.diagonal(self.free("β", 1)))
        if key in SOLVED:
            return scaled if self.scaled else self.solved()
        if key in ("W", "U"):
            return t.multiply(scaled, self.whole("K" if key == "W" else "V"))
        raise UnsettledError(key)

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        row = next((mark for mark in name.sup if mark in scope.bound), None)
        key = "_".join((name.base, *(mark for mark in name.sup if mark != row)))
        if row is None:
            return self.whole(key)
        part = at_place(self.tensors, self.whole(key.upper() if key != "β" else key), (scope.bound[row],))
        return self.tensors.transpose(part)  # rows of a chunk are written as columns

    def function(self, name: str, x: Tensor) -> Tensor | None:
        zero = self.tensors.ring.number(Fraction(0))
        if name not in ("lower", "tril", "strictlower", "stricttril"):
            return None
        strict = self.strict or name.startswith("strict")
        return self.tensors.make(x.shape, lambda i, j: x.at(i, j) if j < i + (not strict) else zero)

    def indices(self, name: f.Name) -> tuple[str, ...]:
        return tuple(mark for mark in name.sup if mark in ("r", "i", "j", "s"))

    def axis(self, name: f.Name, letter: str) -> Size | None:
        return ROWS if letter in name.sup else None
