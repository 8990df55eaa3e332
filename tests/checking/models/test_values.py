"""What formulas of given matrices are worth, by hand; and what is not settled, or does not fit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.rings import Numbers
from symattn.checking.models.tensors import MisfitError, Tensor, Tensors
from symattn.reading import formula as f

A = ((1, 2), (3, 4))
GIVEN: dict[str, Any] = {
    "A": A,
    "B": ((1, 2, 3), (4, 5, 6)),
    "x": ((5,), (6,)),
    "y": ((7,), (8,)),
    "w": ((1,), (2,), (3,)),
    "c": 9,
}


class Known(Model):
    """Letters with their numbers; an index letter below a name runs over its rows."""

    def __init__(self, left: int = 1000) -> None:
        self.tensors, self.left = Tensors(Numbers()), left

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        if name.base not in GIVEN:
            return super().value(name, scope)
        made, t = GIVEN[name.base], self.tensors
        if not isinstance(made, tuple):
            return t.number(made)
        whole = t.make((len(made), len(made[0])), lambda i, j: t.ring.number(Fraction(made[i][j])))
        if not name.sub:
            return whole
        return t.make((), lambda: whole.at(scope.bound[name.sub[0]], 0))

    def indices(self, name: f.Name) -> tuple[str, ...]:
        return tuple(name.sub)

    def axis(self, name: f.Name, letter: str) -> Any:
        return len(GIVEN[name.base]) if letter in name.sub else None


def worth(text: str, **bound: int) -> Tensor:
    [chain] = f.parse(text, algebra=True)
    return evaluate(chain.sides[0].expression, Scope(Known(), bound))


def numbers(x: Tensor) -> Any:
    if x.is_number:
        return float(x.at())
    return [[float(x.at(i, j)) for j in range(x.shape[1])] for i in range(x.shape[0])]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A x", [[17], [39]]),
        (r"\langle x, y \rangle", 83),
        (r"x \otimes y", [[35, 40], [42, 48]]),
        (r"x^\top \otimes y^\top", [[35, 40], [42, 48]]),
        ("A^{-1}", [[-2, 1], [1.5, -0.5]]),
        (r"\max(3, c)", 9),
        (r"\sum_i x_i y_i", 83),
        (r"\mathrm{diag}(x) A", [[5, 10], [18, 24]]),
    ],
)
def test_by_hand(text: str, value: Any) -> None:
    assert numbers(worth(text)) == value


def test_an_index_that_is_bound_is_left_out_by_a_sum_over_the_others() -> None:
    assert numbers(worth(r"\sum_{j \ne i} x_j", i=0)) == 6
    assert numbers(worth(r"\mathrm{softmax}(x)_i \sum_j e^{x_j - 6}", i=1)) == pytest.approx(1)


@pytest.mark.parametrize(
    "text",
    [
        "z",  # no letter of the model
        "(A + A)^2",  # a power by entry, or of the matrix
        r"A \otimes x",
        r"\mathbf{1}^\top \mathbf{1}",  # of which length
        r"\sum_{j \ne 1} x_j",
        r"\sum_{j \ne i}^{2} x_j",
        r"\max(A, x, y)",
        "(c + 1)_{12}",
        r"c \mathbf{1} \mathbf{1}^\top x",
        r"\frac{\partial A}{\partial x}",
        "(A + A)_{:1}",
        r"\sum_{j=1}^{m+3} x_j",  # beyond a size of which nothing is said
        r"\sum_{j=1}^{t} x_j",
    ],
)
def test_what_is_not_settled(text: str) -> None:
    with pytest.raises(UnsettledError):
        numbers(worth(text, i=0))


def test_a_case_that_is_not_written_has_no_value() -> None:
    cases = r"\begin{cases} 3 & j < i \\ 4 & j > i \end{cases}"
    assert [numbers(worth(cases, i=i, j=1 - i)) for i in (0, 1)] == [4, 3]
    with pytest.raises(UnsettledError):
        worth(cases, i=1, j=1)


@pytest.mark.parametrize(
    "text", ["A w", "B^{-1}", r"\langle x, w \rangle", r"c / A", r"\mathrm{rowsum}(A) w", r"\mathrm{diag}(A) x"]
)
def test_what_does_not_fit(text: str) -> None:
    with pytest.raises(MisfitError):
        numbers(worth(text))


def test_a_formula_that_has_too_many_parts_is_not_settled() -> None:
    [chain] = f.parse("x + x + x + x", algebra=True)
    with pytest.raises(UnsettledError, match="too large"):
        evaluate(chain.sides[0].expression, Scope(Known(left=3)))
