"""The expressions that other parsers misread without a word, each with the tree it means."""

from fractions import Fraction

import pytest

from symattn.reading.formula import (
    BigSum,
    Call,
    Chain,
    Dots,
    Expression,
    Infinity,
    Matrix,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Side,
    Space,
    Sum,
    Transpose,
    is_printed,
    parse,
)


def number(text: str, places: str = "1") -> Number:
    return Number(text, Fraction(text), Fraction(places))


def chain(*sides: Expression | str) -> Chain:
    """chain(a, "=", b) is `a = b`."""
    relations = ["", *sides[1::2]]
    return Chain(tuple(Side(str(r), e) for r, e in zip(relations, sides[::2], strict=True)))  # type: ignore[arg-type]


def times(*factors: Expression) -> Product:
    return Product(factors, ("",) * (len(factors) - 1))


ONE, TWO, THREE, FOUR, ZERO = (number(d) for d in "12340")
Q, K, V, W, x, d_k = Name("Q"), Name("K"), Name("V"), Name("W"), Name("x"), Name("d", ("k",))
COUNTED = Matrix(((ONE, TWO), (THREE, FOUR)))
IDENTITY = Matrix(((ONE, ZERO), (ZERO, ONE)))
SCALED = Quotient(times(Q, Transpose(K)), Root(d_k))


def head_matrix(letter: str) -> Name:
    return Name("W", ("i",), (letter,))


def exp(argument: Expression) -> Call:
    return Call("exp", (argument,))


EXPRESSIONS = [
    (r"0.2689", chain(number("0.2689", "1/10000"))),
    (r"\frac{1}{\sqrt{2}}", chain(Quotient(ONE, Root(TWO)))),
    (
        r"\begin{bmatrix}0.24 & 0.76\\ 0.5 & 0.5\end{bmatrix}",
        chain(
            Matrix(
                (
                    (number("0.24", "1/100"), number("0.76", "1/100")),
                    (number("0.5", "1/10"), number("0.5", "1/10")),
                )
            )
        ),
    ),
    (r"\begin{pmatrix}1 & 0\\ 0 & 1\end{pmatrix}", chain(IDENTITY)),
    (r"\left[\begin{array}{cc}1 & 2\\ 3 & 4\end{array}\right]", chain(COUNTED)),
    (r"\left(\begin{smallmatrix}1 & 2\\ 3 & 4\end{smallmatrix}\right)", chain(COUNTED)),
    (
        r"\begin{bmatrix}1 & 2\\ 3 & 4\end{bmatrix}\begin{bmatrix}1 & 0\\ 0 & 1\end{bmatrix}",
        chain(times(COUNTED, IDENTITY)),
    ),
    (r"\begin{bmatrix}1 & 2\\ 3 & 4\end{bmatrix}^T", chain(Transpose(COUNTED))),
    (r"\begin{bmatrix}1 & 2\\ 3 & 4\end{bmatrix}^\top", chain(Transpose(COUNTED))),
    (r"Q = \begin{bmatrix}1 & 0\\ 0 & 1\end{bmatrix}", chain(Q, "=", IDENTITY)),
    (r"Q K^T", chain(times(Q, Transpose(K)))),
    (r"Q K^\top", chain(times(Q, Transpose(K)))),
    (r"\frac{QK^T}{\sqrt{d_k}}", chain(SCALED)),
    (
        r"\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V",
        chain(times(Call("softmax", (SCALED,)), V)),
    ),
    (r"\operatorname{softmax}(x)", chain(Call("softmax", (x,)))),
    (r"\text{softmax}(x)", chain(Call("softmax", (x,)))),
    (
        r"\operatorname{softmax}\left(\begin{bmatrix}1 & 2\\ 3 & 4\end{bmatrix}\right)",
        chain(Call("softmax", (COUNTED,))),
    ),
    (
        r"\frac{e^{1}}{e^{1}+e^{0}} \approx 0.731",
        chain(Quotient(exp(ONE), Sum((exp(ONE), exp(ZERO)), (1, 1))), "≈", number("0.731", "1/1000")),
    ),
    (
        r"x = 1 + 2 = 3 \approx 3.0",
        chain(x, "=", Sum((ONE, TWO), (1, 1)), "=", THREE, "≈", number("3.0", "1/10")),
    ),
    (
        r"\text{Attention}(Q,K,V)=\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V",
        chain(Call("attention", (Q, K, V)), "=", times(Call("softmax", (SCALED,)), V)),
    ),
    (
        r"\begin{bmatrix}1 & \cdots & 3\\ \vdots & \ddots & \vdots\\ 4 & \cdots & 6\end{bmatrix}",
        chain(Matrix(((ONE, Dots(), THREE), (Dots(), Dots(), Dots()), (FOUR, Dots(), number("6"))))),
    ),
    (r"\begin{bmatrix}0 & -\infty\\ 0 & 0\end{bmatrix}", chain(Matrix(((ZERO, Infinity(-1)), (ZERO, ZERO))))),
    (
        r"\text{head}_i = \text{Attention}(QW_i^Q, KW_i^K, VW_i^V)",
        chain(
            Name("head", ("i",)),
            "=",
            Call("attention", tuple(times(Name(letter), head_matrix(letter)) for letter in "QKV")),
        ),
    ),
    (
        r"\text{Concat}(\text{head}_1,\ldots,\text{head}_h)W^O",
        chain(
            times(Call("concat", (Name("head", ("1",)), Dots(), Name("head", ("h",)))), Name("W", (), ("O",))),
        ),
    ),
    (
        r"6.14 \times 10^{-6}",
        chain(Number(r"6.14 \times 10^{-6}", Fraction(614, 10**8), Fraction(1, 10**8))),
    ),
    (r"x_{1} W_{Q}", chain(times(Name("x", ("1",)), Name("W", ("Q",))))),
    (
        r"\frac{e^{z_i}}{\sum_{j=1}^{n} e^{z_j}}",
        chain(Quotient(exp(Name("z", ("i",))), BigSum("j", ONE, Name("n"), exp(Name("z", ("j",)))))),
    ),
    (r"Q \in \mathbb{R}^{n \times d_k}", chain(Q, "∈", Space((Name("n"), d_k)))),
    (r"\mathbf{Q}\mathbf{K}^{\mathsf{T}}", chain(times(Q, Transpose(K)))),
    # also met
    (r"1{,}024", chain(Number("1{,}024", Fraction(1024), Fraction(1)))),
    (r"e^{-67.89}\approx 0", chain(exp(number("-67.89", "1/100")), "≈", ZERO)),
    (
        r"[0.4556,\; 0.2247]",
        chain(Matrix(((number("0.4556", "1/10000"), number("0.2247", "1/10000")),))),
    ),
    (r"\dfrac{10}{\sqrt2}", chain(Quotient(number("10"), Root(TWO)))),
    (r"1/\sqrt2", chain(Quotient(ONE, Root(TWO)))),
]


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS)
def test_expression_means(text: str, expected: Chain) -> None:
    assert parse(text) == (expected,)


def test_two_definitions_in_one_display() -> None:
    text = r"W^Q=\begin{bmatrix}1\end{bmatrix}\quad W^K=\begin{bmatrix}2\end{bmatrix}"
    assert parse(text) == (
        chain(Name("W", (), ("Q",)), "=", Matrix(((ONE,),))),
        chain(Name("W", (), ("K",)), "=", Matrix(((TWO,),))),
    )


def test_a_superscript_integer_is_a_head_above_a_capital_and_a_power_elsewhere() -> None:
    second = Name("Q", (), ("2",))
    assert parse("Q^2 K^{2T}") == (chain(times(second, Transpose(Name("K", (), ("2",))))),)
    assert parse("x^2") == (chain(Power(x, TWO)),)
    assert parse("W^{-1}") == (chain(Power(W, number("-1"))),)


def test_places_in_the_text_are_kept() -> None:
    text = r"S = QK^T \approx 0.50"
    [found] = parse(text)
    product = found.sides[1].expression
    assert isinstance(product, Product)
    assert [text[f.start : f.end] for f in product.factors] == ["Q", "K^T"]
    assert [(s.start, s.end) for s in found.sides] == [(0, 1), (4, 8), (17, 21)]
    assert (found.start, found.end) == (0, len(text))


def test_what_is_printed() -> None:
    def side(text: str) -> Expression:
        return parse(text)[0].sides[0].expression

    assert all(is_printed(side(t)) for t in ("0.5", r"-\infty", "[1, -inf, ...]", "[[1 2]\n [3 4]]"))
    assert not any(is_printed(side(t)) for t in ("[1 + 2, 3]", "1/2", "Q", "[a_1, 2]"))


def test_an_annotation_is_kept_but_is_no_factor() -> None:
    labels = r"\begin{matrix} \leftarrow \text{\"Cat\"} \\ \leftarrow \text{\"sleeps\"} \end{matrix}".replace(
        '\\"', '"'
    )
    [found] = parse(r"X = \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix} " + labels)
    matrix = found.sides[1].expression
    assert matrix == COUNTED
    assert isinstance(matrix, Matrix)
    assert matrix.annotations == ('← "Cat"', '← "sleeps"')
    [sized] = parse(r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}_{(2 \times 2)}")
    assert sized.sides[0].expression == COUNTED


def test_a_name_tells_its_indices() -> None:
    def indices(text: str) -> tuple[object, ...]:
        name = parse(text)[0].sides[0].expression
        assert isinstance(name, Name)
        return name.indices

    assert indices("S_{2,3}") == (2, 3)
    assert indices(r"A_{1,\cdot}") == (1, ":")
    assert indices("A_{1,:}") == (1, ":")
    assert indices("S_{12}") == (12,)
    assert indices("Q[0]") == (0,)
    assert indices("e_{ij}") == (None,)
    assert parse("Q[0]") != parse("Q_0")
