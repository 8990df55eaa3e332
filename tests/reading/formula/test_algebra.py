"""Formulas of letters: what is refused beside numbers has one meaning in algebra."""

from fractions import Fraction

import pytest

from symattn.errors import FormulaError
from symattn.reading.formula import (
    BigSum,
    Call,
    Cases,
    Derivative,
    Elementwise,
    Infinity,
    Name,
    Number,
    Product,
    Quotient,
    Root,
    Sum,
    Transpose,
    parse,
    walk,
)

A, K, L, O, P, Q, S, V, x = map(Name, ("A", "K", "L", "O", "P", "Q", "S", "V", "x"))
m, n, theta, phi, z = map(Name, ("m", "n", "θ", "φ", "z"))
q_i, k_j, o_i = Name("q", ("i",)), Name("k", ("j",)), Name("o", ("i",))


def times(*factors):
    return Product(factors, ("",) * (len(factors) - 1))


def minus(a, b):
    return Sum((a, b), (1, -1))


READ = [
    (r"\frac{\partial L}{\partial q_i} = k_j", Derivative(L, q_i), k_j),
    (r"∂L/∂V = A^T ∂L/∂O", Derivative(L, V), times(Transpose(A), Derivative(L, O))),
    (r"\frac{dL}{dQ} = K", Derivative(L, Q), K),
    (r"\frac{\mathrm{d}L}{\mathrm{d}Q} = K", Derivative(L, Q), K),
    (r"dL/dQ = K", Derivative(L, Q), K),
    (r"\nabla_Q L = K", Derivative(L, Q), K),
    (r"\nabla_Q = K", Derivative(L, Q), K),
    (r"S = 1/\sqrt{d} Q K", S, times(Quotient(Number("1", Fraction(1), Fraction(1)), Root(Name("d"))), Q, K)),
    (r"\nabla_{q_i} \mathcal{L} = k_j", Derivative(L, q_i), k_j),
    (r"x = \left(V - A \circ \sum_j \frac{\partial L}{\partial o_i}\right) \circ A", x,
     Elementwise((minus(V, Elementwise((A, BigSum("j", None, None, Derivative(L, o_i))))), A))),
    (r"S = \mathbf{QK}^T", S, times(Q, Transpose(K))),  # braces are not seen in print
    (r"S = {QK}^\top", S, times(Q, Transpose(K))),
    (r"S = {QK^T}^T", S, Transpose(times(Q, Transpose(K)))),
    (r"A^{+} = A^{*}", Name("A", (), ("+",)), Name("A", (), ("*",))),
    ("dQ = dSK", Name("dQ"), times(Name("dS"), K)),
    ("dK = QdS^T", Name("dK"), times(Q, Transpose(Name("dS")))),
    ("dV = P^TdO", Name("dV"), times(Transpose(P), Name("dO"))),
    (r"S = QK^T \odot M", S, Elementwise((times(Q, Transpose(K)), Name("M")))),
    (r"\langle R_m q, k \rangle = x", Call("inner", (times(Name("R", ("m",)), Name("q")), Name("k"))), x),
    (r"S = \phi(Q) V", S, times(Call("φ", (Q,)), V)),
    (r"PE(pos, 2i) = x", Call("pe", (Name("pos"), times(Number("2", Fraction(2), Fraction(1)), Name("i")))), x),
    (r"x = \cos m\theta \, z", x, times(Call("cos", (times(m, theta),)), z)),
    (r"x = z \sin (m - n) \theta", x, times(z, Call("sin", (times(minus(m, n), theta),)))),
    (r"\tilde{\mathbf{P}}^{(2)} = x", Name("P̃", (), ("(2)",)), x),
    (r"x = {Diag}(z) V", x, times(Call("diag", (z,)), V)),
    (r"x = \left\lfloor m \right\rfloor", x, Call("floor", (m,))),
    (r"x = \frac{z}{n}\left[V - O\right]", x, times(Quotient(z, n), minus(V, O))),
    (r"a_i = z_i(m - n)", Name("a", ("i",)), times(Name("z", ("i",)), minus(m, n))),
    (r"x &= \\ z &+ \\ - m", x, minus(z, m)),
    (r"x = e^{im\theta}", x, Call("exp", (times(Name("i"), m, theta),))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left", "right"), READ)
def test_it_is_read_as_algebra(text, left, right):
    [chain] = parse(text, algebra=True)
    assert [side.expression for side in chain.sides] == [left, right]


def test_cases_keep_their_conditions():
    [chain] = parse(
        r"M_{ij} = \begin{cases} 0, & \text{if } j \le i \\ -\infty & \text{if } j > i \end{cases}", algebra=True
    )
    cases = chain.sides[1].expression
    assert isinstance(cases, Cases)
    assert cases.values == (Number("0", Fraction(0), Fraction(1)), Infinity(-1))
    assert cases.conditions == (r"\text{if } j \le i", r"\text{if } j > i")


@pytest.mark.parametrize("text", [r"\begin{cases} 1 & 2 \end{cases}", "⟨x, z⟩"])
def test_beside_numbers_it_is_refused(text):
    with pytest.raises(FormulaError):
        parse(text)


@pytest.mark.parametrize("text", [r"\frac{\partial L}{2}", r"\nabla L", r"\langle x", "∂L", r"\langle x, y, z \rangle"])
def test_half_of_it_is_refused(text):
    with pytest.raises(FormulaError):
        parse(text, algebra=True)


@pytest.mark.parametrize(
    "text", [r"\frac{\partial L}{\partial z_1}", "∂L/∂z_1", r"\partial L / \partial z_1", r"\frac{dL}{dz_1}", "dL/dz_1"]
)
def test_beside_numbers_a_gradient_is_a_name(text):
    [chain] = parse(text + " = 2")
    assert chain.sides[0].expression == Name("∂L/∂z", ("1",))


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        ("sum_{j<t} u_j (k_j^T q)", "j"),
        ("exp(s_i) / sum_k exp(s_k)", "k"),
        ("sum_{j=1}^{n} a_j v_j", "j"),
        ("exp(s_ij) / sum_i", ""),
        ("sum_i = Σ_j exp(s_ij)", "j"),
        ("x / sum_exp", ""),
    ],
)
def test_sum_with_an_index_and_something_behind_it_is_a_sum(text: str, sums: str) -> None:
    sides = [side.expression for chain in parse(text, algebra=True) for side in chain.sides]
    assert "".join(part.index for side in sides for part in walk(side) if isinstance(part, BigSum)) == sums


@pytest.mark.parametrize("bounds", ["i=1..n", "i = 1, ..., n", r"i=1,\dots,n", "i=1…n"])
def test_a_sum_may_have_both_bounds_below_it(bounds: str) -> None:
    [chain] = parse(rf"\sum_{{{bounds}}} x_i" if "\\" in bounds else f"sum_{{{bounds}}} x_i", algebra=True)
    [plain] = parse(r"\sum_{i=1}^n x_i", algebra=True)
    assert chain.sides[0].expression == plain.sides[0].expression
