# ruff: noqa: E501, PT017 -- tables of formulas; a refusal is one of two right outcomes
"""Formulas made by hypothesis, printed in varied spellings, come back as the tree they were; no text breaks the parser."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symattn.errors import FormulaError
from symattn.reading.formula import (
    Call,
    Expression,
    Infinity,
    Matrix,
    Name,
    Number,
    Product,
    Quotient,
    Root,
    Sum,
    Transpose,
    parse,
)
from tests.processor_time import takes_at_most

pytestmark = pytest.mark.slow

Printed = tuple[Expression, str]  # a tree and one of its spellings


@st.composite
def numbers(draw: st.DrawFn) -> Printed:
    digits, decimals = draw(st.integers(0, 99_999)), draw(st.integers(0, 4))
    value, places = Fraction(digits, 10**decimals), Fraction(1, 10**decimals)
    text = str(digits).rjust(decimals + 1, "0")
    text = f"{text[:-decimals]}.{text[-decimals:]}" if decimals else text
    if draw(st.booleans()):
        return Number(text, value, places), text
    exponent = draw(st.integers(-12, 12))
    spelling = f"{text}{draw(st.sampled_from(['e', 'E']))}{exponent:+03d}"
    power = Fraction(10) ** exponent
    return Number(spelling, value * power, places * power), spelling


@st.composite
def names(draw: st.DrawFn) -> Printed:
    base = draw(st.sampled_from(["Q", "K", "V", "W", "X", "S", "x", "q", "α", "head"]))
    shown = {"α": r"\alpha", "head": r"\text{head}"}.get(base, base)
    if shown == base:
        shown = draw(st.sampled_from([base, rf"\mathbf{{{base}}}", rf"\boldsymbol {{{base}}}", rf"\mathrm{{{base}}}"]))
    sub = draw(st.sampled_from([(), ("1",), ("i",), ("model",), ("1", "2")]))
    sup = draw(st.sampled_from([(), ("Q",), ("(2)",), ("causal",)]))
    below = "" if not sub else f"_{{{','.join(sub)}}}" if sub != ("model",) else r"_{\text{model}}"
    above = f"^{{{sup[0]}}}" if sup else ""
    return Name(base, sub, sup), shown + draw(st.sampled_from([below + above, above + below]))


ATOMS = st.one_of(names(), numbers())


def bracketed(draw: st.DrawFn, text: str) -> str:
    opening, closing = draw(st.sampled_from([("(", ")"), (r"\left(", r"\right)"), (r"\bigl(", r"\bigr)")]))
    return f"{opening}{text}{closing}"


@st.composite
def matrices(draw: st.DrawFn) -> Printed:
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    cell = st.one_of(numbers(), st.just((Infinity(-1), r"-\infty")))
    rows = [[draw(cell) for _ in range(width)] for _ in range(height)]
    tree = Matrix(tuple(tuple(node for node, _ in row) for row in rows))
    if draw(st.booleans()):
        lists = ["[" + ", ".join(text for _, text in row) + "]" for row in rows]
        return tree, "[" + draw(st.sampled_from([", ", ",\n "])).join(lists) + "]"
    environment = draw(st.sampled_from(["bmatrix", "pmatrix", "matrix", "smallmatrix"]))
    between = draw(st.sampled_from([" & ", "&", " &\n "]))
    ended = draw(st.sampled_from([r" \\ ", "\\\\\n", r"\\\\", r"\\[2pt] "]))
    body = ended.join(between.join(text for _, text in row) for row in rows)
    return tree, rf"\begin{{{environment}}} {body}{draw(st.sampled_from(['', ended]))} \end{{{environment}}}"


def composites(children: st.SearchStrategy[Printed]) -> st.SearchStrategy[Printed]:
    @st.composite
    def quotient(draw: st.DrawFn) -> Printed:
        (a, top), (b, bottom) = draw(children), draw(children)
        return Quotient(a, b), draw(st.sampled_from([r"\frac", r"\dfrac", r"\tfrac"])) + f"{{{top}}}{{{bottom}}}"

    @st.composite
    def product(draw: st.DrawFn) -> Printed:
        (a, left), (b, right) = draw(children), draw(children)
        sign, spelling = draw(st.sampled_from([("·", r"\cdot"), ("×", r"\times"), ("*", "*"), ("@", "@"), ("·", "·")]))
        return Product((a, b), (sign,)), f"{bracketed(draw, left)} {spelling} {bracketed(draw, right)}"

    @st.composite
    def sums(draw: st.DrawFn) -> Printed:
        (a, left), (b, right) = draw(children), draw(children)
        sign = draw(st.sampled_from([1, -1]))
        return Sum((a, b), (1, sign)), f"{bracketed(draw, left)} {'+' if sign > 0 else '-'} {bracketed(draw, right)}"

    @st.composite
    def transpose(draw: st.DrawFn) -> Printed:
        node, text = draw(st.one_of(names(), matrices()))
        mark = draw(st.sampled_from(["^T", r"^\top", "^{T}", r"^{\mathsf{T}}", r"^\intercal"]))
        return Transpose(node), f"{{{text}}}{mark}"

    @st.composite
    def root(draw: st.DrawFn) -> Printed:
        node, text = draw(children)
        return Root(node), rf"\sqrt{{{text}}}"

    @st.composite
    def call(draw: st.DrawFn) -> Printed:
        node, text = draw(children)
        function, spelling = draw(st.sampled_from([
            ("softmax", r"\mathrm{softmax}"), ("softmax", r"\text{Softmax}"), ("softmax", "softmax"),
            ("exp", r"\exp"), ("tanh", r"\tanh"), ("layernorm", r"\operatorname{LayerNorm}"),
        ]))  # fmt: skip
        return Call(function, (node,)), spelling + bracketed(draw, text)

    return st.one_of(quotient(), product(), sums(), transpose(), root(), call())


FORMULAS = st.recursive(st.one_of(ATOMS, matrices()), composites, max_leaves=6)
SLOW = settings(deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))


@SLOW
@given(left=FORMULAS, right=FORMULAS, relation=st.sampled_from(["=", r"\approx", "≈", r"\simeq"]))
def test_a_formula_comes_back(left: Printed, right: Printed, relation: str) -> None:
    [chain] = parse(f"\\displaystyle {left[1]} {relation} {right[1]}.")
    assert [side.expression for side in chain.sides] == [left[0], right[0]]
    assert chain.sides[1].relation == ("=" if relation == "=" else "≈")


PIECES = st.sampled_from(
    [
        r"Q",
        r"K^T",
        r"W_Q",
        r"x_1",
        r"\frac",
        r"\sqrt",
        r"{",
        r"}",
        r"[",
        r"]",
        r"(",
        r")",
        r"\left(",
        r"\right)",
        r"\begin{bmatrix}",
        r"\end{bmatrix}",
        r"&",
        r"\\",
        r"=",
        r"\approx",
        r"+",
        r"-",
        r"*",
        r"/",
        r",",
        r";",
        r".",
        r":",
        r"1",
        r"0.5",
        r"1e-3",
        r"-\infty",
        r"\text{softmax}",
        r"softmax",
        r"^",
        r"_",
        r"'",
        r"\sum_j",
        r"e^{x}",
        r"\quad",
        r"10^{-6}",
        r"\mathbf",
        r"\boxed{",
        r"\,",
        r"~",
        r"|",
        r"%",
        r"...",
        r"\times",
        r"{,}",
        r"ᵀ",
        r"₁",
        r"²",
        r"√",
        r'"',
        r"\begin{aligned}",
        r"\end{aligned}",
        r"\in",
        r"\mathbb{R}",
        r".T",
        r".transpose",
        r"[0]",
        r"array(",
        r"tensor(",
        r"dim=-1",
        r"的",
        r"\textcolor{red}",
        r"\stackrel",
        r"0,5",
    ]
)
SOUP = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n"])), max_size=25).map(
    lambda pieces: "".join(text + gap for text, gap in pieces)
)


@SLOW
@given(text=st.one_of(st.text(max_size=60), SOUP))
def test_any_text_parses_or_is_refused_at_a_place(text: str) -> None:
    with takes_at_most(1):
        try:
            chains = parse(text)
        except FormulaError as refusal:
            assert 0 <= refusal.start <= refusal.end <= len(text)
            assert refusal.message.text("zh")
        else:
            assert all(0 <= side.start <= side.end <= len(text) for chain in chains for side in chain.sides)
