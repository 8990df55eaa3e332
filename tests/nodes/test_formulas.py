"""A node says its formula once; every target and SymPy's own printers write that one."""

import pytest
import sympy
from sympy import MatrixSymbol, Rational, sqrt, symbols

from symattn.nodes import (
    HEAD,
    AdditiveScores,
    Alibi,
    Biased,
    CausalMask,
    ColumnSum,
    DivideRows,
    Hadamard,
    KeepMask,
    Masked,
    Member,
    Node,
    Penalised,
    Plus,
    RowSum,
    Scaled,
    ScaleRows,
    SoftCapped,
    Softmax,
    Stack,
    SubtractColumn,
    SumHeads,
    alibi_slope,
)
from symattn.writing.document import Symbol as Name
from symattn.writing.notation import read_notation
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle
from tests.nodes.test_every_node import subclasses

n, m, d, h = symbols("n m d h", integer=True, positive=True)
A, B, Z = (MatrixSymbol(letter, n, m) for letter in "ABZ")
c, v = MatrixSymbol("c", n, 1), MatrixSymbol("v", d, 1)
P, R = MatrixSymbol("P", n, d), MatrixSymbol("R", d, m)
COLUMNS = read_notation({"tokens": "columns"})
MARKED = read_notation({"transpose": "T"})


def test_no_node_writes_itself_twice():
    own = {cls for cls in subclasses(Node) if "_latex" in vars(cls) or "_sympystr" in vars(cls)}
    assert own <= {Member}  # whose number of a head SymPy spells in words


# node, LaTeX and text where tokens are rows, LaTeX and text where they are columns
BOTH = [
    (ColumnSum(Z), r"\mathbf{1}^{\top}Z", "1ᵀ Z", r"Z \mathbf{1}", "Z 1"),
    (
        ColumnSum(A + B),
        r"\mathbf{1}^{\top}\left(A + B\right)",
        "1ᵀ (A + B)",
        r"\left(A + B\right) \mathbf{1}",
        "(A + B) 1",
    ),
    (SubtractColumn(Z, c), r"Z - c\mathbf{1}^{\top}", "Z − c 1ᵀ", r"Z - \mathbf{1}c", "Z − 1 c"),
    (ScaleRows(Z, c), r"\mathrm{diag}\left(c\right)Z", "diag(c) Z", r"Z\,\mathrm{diag}\left(c\right)", "Z diag(c)"),
    (
        Softmax(Z, -2),
        r"\mathrm{softmax}_{\mathrm{columns}}\left(Z\right)",
        "softmax_columns(Z)",
        r"\mathrm{softmax}_{\mathrm{rows}}\left(Z\right)",
        "softmax_rows(Z)",
    ),
    (
        Stack(A, B),
        r"\begin{bmatrix} A \\ B \end{bmatrix}",
        "[A; B]",
        r"\begin{bmatrix} A & B \end{bmatrix}",
        "[A, B]",
    ),
    (
        Masked(Z, (CausalMask(), KeepMask(MatrixSymbol("M", n, m)))),
        r"\mathrm{mask}_{j \le i,\ M_{ij} = 1}\left(Z\right)",
        "mask(Z; j ≤ i, M_ij = 1)",
        r"\mathrm{mask}_{j \le i,\ M_{ji} = 1}\left(Z\right)",
        "mask(Z; j ≤ i, M_ji = 1)",
    ),
    # row j of a transpose is no row of the matrix
    (
        AdditiveScores(P, R.T, v),
        r"\left[\tanh\left({P}_{i} + {\left(R^{\top}\right)}_{j}\right) v\right]_{ij}",
        "[tanh(P_i + (Rᵀ)_j) v]_ij",
        r"\left[v \tanh\left({P}_{i} + {\left(R^{\top}\right)}_{j}\right)\right]_{ji}",
        "[v tanh(P_i + (Rᵀ)_j)]_ji",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("node", "latex", "text", "turned", "turned_text"), BOTH, ids=lambda x: type(x).__name__)
def test_both_targets_turn_around_where_tokens_are_columns(node, latex, text, turned, turned_text):
    assert LatexStyle().expression(node) == latex and TextStyle().expression(node) == text
    assert LatexStyle(COLUMNS).expression(node) == turned and TextStyle(COLUMNS).expression(node) == turned_text


def test_a_row_of_ones_has_the_mark_of_the_notation():
    assert LatexStyle(MARKED).expression(ColumnSum(Z)) == r"\mathbf{1}^{T}Z"
    assert LatexStyle(MARKED).expression(SubtractColumn(Z, c)) == r"Z - c\mathbf{1}^{T}"


def test_text_has_the_brackets_that_a_fraction_needs():
    text = TextStyle().expression
    assert text(Scaled(P * R, 1 / sqrt(d))) == "P R/√d"
    assert text(Scaled(Plus(A, B), 1 / sqrt(d))) == "(A + B)/√d"
    assert text(Scaled(Z, 1 / (2 * sqrt(d)))) == "Z/(2·√d)" and str(Scaled(Z, 1 / (2 * sqrt(d)))) == "Z/(2*sqrt(d))"
    assert text(SoftCapped(Z, Rational(5, 2))) == "(5/2) tanh(Z/(5/2))"
    assert text(Alibi(n, n, alibi_slope(3))).startswith("[−(2^")


def test_what_begins_with_a_minus_stands_in_brackets_after_a_sign():
    assert TextStyle().expression(Biased(Z, Scaled(B, -1))) == "Z + (−B)"
    assert LatexStyle().expression(Biased(Z, Scaled(B, -1))) == "Z + (-B)"
    assert LatexStyle().expression(Plus(Z, Scaled(B, -1))) == "Z - B"
    assert TextStyle().expression(Softmax(Plus(A, Scaled(B, -1)) + Z)).count("−") == 1


def test_an_entry_of_a_mask_with_a_subscript_has_one_subscript():
    node = Masked(Z, KeepMask(MatrixSymbol("M_keep", n, m)))
    assert sympy.latex(node) == r"\mathrm{mask}_{M_{\mathrm{keep},ij} = 1}\left(Z\right)"


def test_a_power_of_ten_is_one_everywhere():
    node = Penalised(Z, CausalMask())
    assert LatexStyle().expression(node) == r"Z - 10^{9} \left[j > i\right]"
    assert TextStyle().expression(node) == "Z − 10⁹ [j > i]"


def test_sympy_asks_its_own_printers_for_the_arguments():
    root = Softmax(Scaled(P * R, 1 / sqrt(d)))
    assert str(root) == "softmax(P*R/sqrt(d))"
    assert sympy.latex(root) == r"\mathrm{softmax}\left(\frac{P R}{\sqrt{d}}\right)"
    heads = SumHeads(MatrixSymbol("F^(i)", n, d), HEAD, h)
    assert str(heads) == "Σ_(i=1..h) F^(i)" and sympy.latex(heads).startswith(r"\sum_{i=1}^{h} F")
    assert "2 K" in sympy.latex(ColumnSum(Scaled(MatrixSymbol("K", n, m), 2)), mul_symbol="times")


def test_a_sum_that_is_taken_away_or_multiplied_stands_in_brackets():
    latex, text = LatexStyle().expression, TextStyle().expression
    for total in (Plus(A, B), A + B):
        assert text(Plus(Z, Scaled(total, -1))) == "Z − (A + B)"
        assert latex(Plus(Z, Scaled(total, -1))) == r"Z - \left(A + B\right)"
        assert text(ScaleRows(total, c)) == "diag(c) (A + B)" and text(DivideRows(total, c)) == "diag(c)^(−1) (A + B)"
    assert text(SubtractColumn(Z, Plus(c, c))) == "Z − (c + c) 1ᵀ"
    assert text(Plus(Z, Scaled(P * R, -1))) == "Z − P R" and text(Plus(Z, Scaled(Hadamard(A, B), -1))) == "Z − A ∘ B"
    assert text(DivideRows(Hadamard(A, B), c)) == "diag(c)^(−1) (A ∘ B)"


def test_a_column_with_a_minus_is_added():
    assert LatexStyle().expression(SubtractColumn(Z, Scaled(c, -1))) == r"Z + c\mathbf{1}^{\top}"
    assert TextStyle().expression(SubtractColumn(Z, Scaled(c, -3))) == "Z + 3 c 1ᵀ"


@pytest.mark.parametrize(
    ("matrix", "index", "text"), [(ColumnSum(Z), ("", "i"), "Σ_j Z_ji"), (RowSum(Z), ("j", ""), "Σ_i Z_ji")]
)
def test_a_sum_runs_over_a_letter_that_is_no_index(matrix, index, text):
    formula = matrix.written(lambda x, i, j: Name(str(x), (i, j)), *index)
    assert formula.write(TextStyle()) == text
