"""Shapes inferred from stated ones: what fits, what fits under a condition, what never does."""

import pytest

from symattn.checking import check_article
from symattn.checking.formulas.shapes.fitting import fit
from symattn.checking.formulas.shapes.inference import Stated, key_of
from symattn.checking.formulas.shapes.sizes import read_size
from symattn.reading import formula as f
from symattn.reading.articles.reader import read_article


def shape(text):
    return tuple(read_size(f.parse(part)[0].sides[0].expression) for part in text.split("×"))


def stated(text):
    shapes = {}
    for each in text.split(";"):
        names, _, dimensions = each.partition(":")
        for name in names.split(","):
            key = key_of(f.parse(name.strip())[0].sides[0].expression)
            shapes.setdefault(key, []).append(shape(dimensions))
    return Stated(shapes)


def judge(formula, dimensions, text):
    [chain] = f.parse(formula)
    found = fit(chain.sides[0].expression, None if dimensions is None else shape(dimensions), stated(text))
    return found.outcome, {frozenset(map(str, pair)) for pair in found.needed}


@pytest.mark.parametrize(
    ("formula", "dimensions", "text"),
    [
        (r"QK^T", "n × n", "Q, K: n × d_k"),
        (r"\text{softmax}(QK^T / \sqrt{d_k} + M)V", "n × d_v", "Q: n × d_k; K: m × d_k; V: m × d_v; M: n × m"),
        (r"XW_Q + b", "n × d_k", "X: n × d; W_Q: d × d_k; b: d_k"),
        (r"W_1 x + b_1", "d_f", "x: d; W_1: d_f × d; b_1: d_f"),
        (r"x W_1 + b_1", "d_f", "x: d; W_1: d × d_f; b_1: d_f"),
        (r"q_i^T k_j", "1", "Q: n × d_k; K: m × d_k"),
        (r"q_i k_j^T", "1", "Q: n × d_k; K: m × d_k"),
        (r"q_i \cdot k_j", "1", "Q: n × d_k; K: m × d_k"),
        (r"v v^T", "d × d", "v: d"),
        (r"\text{Concat}(head_1, \dots, head_h)W^O", "n × d_m", "head_i: n × d_v; W^O: h*d_v × d_m"),
        (r"QW_1^Q", "n × d_k", "Q: n × d; W_i^Q: d × d_k"),
        ("X @ W", "b × n × d_k", "X: b × n × d; W: d × d_k"),
        ("Q @ K.transpose(-2, -1)", "b × h × n × n", "Q, K: b × h × n × d_k"),
        ("P * dP", "n × n", "P, dP: n × n"),
        ("e^a u", "n", "a, u: n"),
        (r"\text{Concat}(A, B)", "n × p+q", "A: n × p; B: n × q"),
        (r"\text{Attention}(Q, K, V)", "n × e", "Q: n × d; K: m × d; V: m × e"),
        (r"\text{Attention}(QW, KW, VW)", "n × d", "Q, K, V: n × d; W: d × d"),
    ],
)  # fmt: skip
def test_shapes_that_fit(formula, dimensions, text):
    assert judge(formula, dimensions, text) == ("fits", set())


@pytest.mark.parametrize(
    ("formula", "dimensions", "text", "needed"),
    [
        (r"QK^T", "n × m", "Q: n × d_q; K: m × d_k", [{"d_q", "d_k"}]),
        (r"QK^T", "n × n", "Q: n × d_k; K: m × d_k", [{"m", "n"}]),
        (r"XW_V^T", "n × d_v", "X: n × d_x; W_V: d_x × d_v", [{"d_x", "d_v"}]),
        (r"\text{Concat}(head_1, \dots, head_h)", "n × d_m", "head_i: n × d_v", [{"d_v*h", "d_m"}]),
    ],
)
def test_fits_under_a_condition(formula, dimensions, text, needed):
    assert judge(formula, dimensions, text) == ("fits-if", {frozenset(pair) for pair in needed})


@pytest.mark.parametrize(
    ("formula", "dimensions", "text"),
    [
        ("QK", None, "Q, K: n × d_k"),
        ("Q dS^T", "n × d", "Q: n × d; dS: n × n"),
        ("QK^T", "n × d_k", "Q, K: n × d_k"),
        ("X @ W", "4 × 16 × 512", "X: 4 × 16 × 512; W: 256 × 512"),
        (r"\text{softmax}(Q^TK)V", None, "Q, K: d_k × n; V: d_v × n"),
        (r"\text{Concat}(A, B)", "n × p", "A: n × p; B: n × q"),  # p + q > p
        (r"\text{Attention}(Q, K, V)", "7 × e", "Q: 5 × d; K: 7 × d; V: 7 × e"),
    ],
)
def test_shapes_that_fit_under_no_reading(formula, dimensions, text):
    assert judge(formula, dimensions, text)[0] == "never"


@pytest.mark.parametrize(
    ("formula", "dimensions", "text"),
    [
        (r"\text{Sublayer}(X)W", "n × d", "X: n × d_k; W: d × d"),
        ("XW", "b × n × d", "X: n × d; W: d × d"),  # one sequence, then a batch of them
    ],
)
def test_what_has_no_rule_is_unknown(formula, dimensions, text):
    assert judge(formula, dimensions, text)[0] == "unknown"


def test_any_of_several_stated_shapes_may_be_meant():
    assert judge("QK^T", "16 × 16", "Q: 16 × 512; Q: 16 × 128; K: 16 × 128")[0] == "fits"


def test_a_long_formula_is_judged_in_bounded_time():
    text = "; ".join(f"A: {k} × n; B: n × {k}" for k in range(2, 9))
    assert judge("+".join(["AB"] * 60), None, text)[0] in ("fits", "never", "unknown")


def test_a_table_names_in_its_first_cell_what_has_the_shape():
    rows = "||meaning|shape|\n|-|-|-|\n|Q|what is looked for|n×d|\n|K|what is found|m×d|\n\n"
    for shape, verdict in (("n×m", "holds"), ("n×d", "fails")):
        found = check_article(read_article("a.md", f"{rows}- $QK^T$.shape = {shape}, a score each\n")).formulas
        assert [each.verdict for each in found if each.line == 6] == [verdict]


def verdicts(text, line):
    return [each.verdict for each in check_article(read_article("a.md", text)).formulas if each.line == line]


@pytest.mark.parametrize(("size", "verdict"), [("5x2", "holds"), ("5x3", "fails"), ("2x5", "fails")])
def test_a_shape_behind_a_definition_is_one_of_the_formula_too(size, verdict):
    sizes = "x.shape = 5x4, Wv.shape = 4x2, p.shape = 5x5\n\n"
    assert verdict in verdicts(f"{sizes}v = x @ Wv; v.shape = 5x2\n\nr = p @ v; r.shape = {size}\n", 5)


@pytest.mark.parametrize(("rows", "verdict"), [("n", "holds"), ("m", "fails")])
def test_two_numbers_of_tokens_that_are_the_sizes_of_one_matrix_are_not_the_same(rows, verdict):
    given = "Q ∈ ℝ^(n×d), K ∈ ℝ^(m×d), V ∈ ℝ^(m×e)\n\n    S = QK^T ∈ ℝ^(n×m)\n\n    P = softmax(S) ∈ ℝ^(n×m)\n\n"
    assert verdict in verdicts(f"{given}    Y = PV ∈ ℝ^({rows}×e)\n", 7)


def test_two_numbers_of_tokens_may_be_the_same_where_no_matrix_has_both():
    found = verdicts("Q ∈ ℝ^(n×d), K ∈ ℝ^(m×d), V ∈ ℝ^(m×e)\n\nY = softmax(QK^T)V ∈ ℝ^(m×e)\n", 3)
    assert "fails" not in found


@pytest.mark.parametrize(("size", "verdict"), [(r"n \times n", "holds"), (r"n \times d", "fails")])
def test_a_result_named_behind_a_dash_has_the_shape(size, verdict):
    given = "$Q \\in \\mathbb{R}^{n \\times d}$, $K \\in \\mathbb{R}^{n \\times d}$\n\n"
    for said in ("矩阵相乘，结果是", "a product of matrices, the result is"):
        assert verdicts(f"{given}- $QK^T$ — {said} ${size}$\n", 3) == [verdict]


def test_words_in_front_of_brackets_are_no_part_of_the_equation_in_them():
    text = "1. Queries ( q = x @ Wq )\n2. Keys ( k = x @ Wk )\n3. Similarity scores ( a = q @ k.T )\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [(each.verdict, each.text) for each in found if each.line == 3] == [("holds", "a = q @ k.T")]


def test_a_list_with_commas_may_be_a_column() -> None:
    lists = "The shift `t = [tx, ty, tz]` is a 3x1 vector.\n"
    assert not any(x.verdict == "fails" for x in check_article(read_article("a.md", lists)).formulas)
    row = r"Here $y = \begin{bmatrix} x_1 & x_2 & x_3 \end{bmatrix} \in \mathbb{R}^{3 \times 1}$." + "\n"
    assert [x.verdict for x in check_article(read_article("a.md", row)).formulas] == ["fails"]


def test_two_names_have_the_two_shapes_of_a_list():
    text = """`S = Q @ K.T / sqrt(d_k)`, `P = softmax(S)`, `y = P @ V`.

Q, K have shape `(N_q, d_k)` and `(N_k, d_k)`; V has shape `(N_k, d_v)`; y has shape `(N_q, d_v)`.
"""
    assert {each.verdict for each in check_article(read_article("a.md", text)).formulas} == {"holds"}


@pytest.mark.parametrize(("weights", "sure"), [("weights $A$", False), (r"$A \in \mathbb{R}^{n \times n}$", True)])
def test_a_name_without_a_size_is_no_evidence_of_another_order(weights, sure):
    given = r"$X \in \mathbb{R}^{n \times d}$, $W^V \in \mathbb{R}^{d \times d_k}$, $V = X W^V$, with " + weights
    found = check_article(read_article("a.md", given + "\n\n$Z = AV \\in \\mathbb{R}^{n \\times d_v}$\n")).formulas
    assert [(x.verdict, x.right) for x in found if x.line == 3] == [("holds-if", None)]
    turned = check_article(read_article("a.md", given + "\n\n$Z = AV \\in \\mathbb{R}^{d_v \\times n}$\n")).formulas
    right = "Z = AV (n × d_k)" if sure else None
    assert [(x.verdict, x.right) for x in turned if x.line == 3] == [("fails", right)]
