"""Backward passes of normalisation, softmax and cross-entropy, derived by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article
from tests.processor_time import takes_at_most

pytestmark = pytest.mark.slow

NORM = [r"\hat{x}_i = (x_i - \mu) / \sigma", r"y_i = \gamma \hat{x}_i + \beta"]
BY_HAT = r"\frac{\partial L}{\partial \hat{x}_i}"
MEAN = r"\frac{1}{m} \sum_j \frac{\partial L}{\partial \hat{x}_j}"
ROW = [r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}"]


def judged(*formulas, words="Softmax with cross-entropy, and layer normalisation."):
    text = f"{words}\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    return [x.verdict for x in found if x.line == 2 * len(formulas) + 1]


@pytest.mark.parametrize(
    ("before", "formula"),
    [
        (NORM, r"\frac{\partial L}{\partial \gamma} = \sum_i \frac{\partial L}{\partial y_i} \hat{x}_i"),
        (NORM, rf"\frac{{\partial L}}{{\partial x_i}} = \frac{{1}}{{\sigma}} \left({BY_HAT} - {MEAN}"
               rf" - \hat{{x}}_i {MEAN} \hat{{x}}_j\right)"),
        (ROW, r"\frac{\partial L}{\partial z_i} = p_i - y_i"),
        (ROW, r"\frac{\partial p_i}{\partial z_j} = p_i (\delta_{ij} - p_j)"),
        (ROW, r"\frac{\partial L}{\partial z_i} = p_i \left(\frac{\partial L}{\partial p_i}"
              r" - \sum_j p_j \frac{\partial L}{\partial p_j}\right)"),
    ],
)  # fmt: skip
def test_right_ones_hold(before, formula):
    assert judged(*before, formula) == ["holds"]


@pytest.mark.parametrize(
    ("before", "formula"),
    [
        (NORM, rf"\frac{{\partial L}}{{\partial x_i}} = \frac{{1}}{{\sigma}} \left({BY_HAT} - {MEAN}"
               rf" - {MEAN} \hat{{x}}_j\right)"),
        (NORM, rf"\frac{{\partial L}}{{\partial x_i}} = \frac{{1}}{{\sigma}} {BY_HAT}"),
        (ROW, r"\frac{\partial L}{\partial z_i} = y_i - p_i"),
        (ROW, r"\frac{\partial p_i}{\partial z_j} = p_i (\delta_{ij} - p_i)"),
        (ROW, r"\frac{\partial p_i}{\partial z_j} = p_j (\delta_{ij} - p_j)"),
        (ROW, r"\frac{\partial L}{\partial z_i} = p_i (1 - p_i) \frac{\partial L}{\partial p_i}"),
    ],
)  # fmt: skip
def test_wrong_ones_fail(before, formula):
    assert judged(*before, formula) == ["fails"]


def test_sums_within_sums_end():
    formula = r"\frac{\partial L}{\partial V} = " + r"\sum_j " * 40 + r"A_{ij} \frac{\partial L}{\partial O}"
    with takes_at_most(20):
        assert judged("A = softmax(S)", "O = AV", formula) in ([], ["fails"])


@pytest.mark.parametrize(
    ("formula", "condition"),
    [
        (r"\frac{\partial p_i}{\partial z_j} = -p_i p_j", "condition.indices_differ"),
        (r"\frac{\partial p_i}{\partial z_j} = p_i (1 - p_j)", "condition.indices_agree"),
    ],
)
def test_a_jacobian_may_be_printed_by_cases(formula, condition):
    text = "\n\n".join(f"$${x}$$" for x in (*ROW, formula)) + "\n"
    found = check_article(read_article("a.md", f"Softmax.\n\n{text}")).formulas[-1]
    assert (found.verdict, found.condition.key) == ("holds-if", condition)


def test_cases_are_read_by_their_conditions():
    cases = r"\begin{cases} p_i (1 - p_i) & \text{if } i = j \\ %s & \text{if } i \ne j \end{cases}"
    assert judged(*ROW, r"\frac{\partial p_i}{\partial z_j} = " + cases % "-p_i p_j") == ["holds"]
    assert judged(*ROW, r"\frac{\partial p_i}{\partial z_j} = " + cases % "p_i p_j") == ["fails"]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial L}{\partial z_k} = -y_k (1 - p_k) + \sum_{i \neq k} y_i p_k", "holds"),
        (r"\frac{\partial L}{\partial z_k} = p_k \Big(y_k + \sum_{i \ne k} y_i\Big) - y_k", "holds"),
        (r"\frac{\partial L}{\partial z_k} = -y_k + \sum_{i \neq k} y_i p_k", "fails"),
    ],
)
def test_sums_leave_out_the_term_that_they_exclude(formula, verdict):
    assert judged(*ROW, r"L = -\sum_i y_i \log p_i", formula) == [verdict]


def test_epsilon_beside_the_variance_is_added_once():
    slope = r"\frac{\partial \hat{x}_i}{\partial x_j} = \frac{1}{s}(\delta_{ij} - \frac{1}{N} %s)"
    known = r"s = \sqrt{\sigma^2 + \epsilon}"
    assert judged(known, slope % r"- \frac{1}{N} \hat{x}_i \hat{x}_j") == ["holds"]
    assert judged(known, slope % r"+ \frac{1}{N} \hat{x}_i \hat{x}_j") == ["fails"]


def test_one_index_alone_is_no_case_of_two():
    known = [r"\mu = \frac{1}{d} \sum_i x_i", r"\sigma^2 = \frac{1}{d} \sum_i (x_i - \mu)^2"]
    slope = r"\frac{\partial \sigma^2}{\partial x_i} = \frac{%s}{d} (x_i - \mu)"
    assert "holds-if" not in judged(*known, r"\hat{x}_i = (x_i - \mu) / \sigma", slope % 1)
    assert judged(*known, r"\hat{x}_i = (x_i - \mu) / \sigma", slope % 2) == ["holds"]


RMS = [r"\sigma = \sqrt{\frac{1}{n} \sum_m x_m^2}", r"y_i = \frac{x_i}{\sigma} w_i"]
SQUARES = [r"s = \frac{1}{D} \sum_k x_k^2", r"r = \sqrt{s}", "y_i = x_i / r", r"g_i = \partial L / \partial y_i"]


@pytest.mark.parametrize(
    ("before", "formula", "verdict"),
    [
        (RMS, r"\frac{\partial \sigma}{\partial x_i} = \frac{x_i}{n \sigma}", "holds"),
        (RMS, r"\frac{\partial \sigma}{\partial x_i} = \frac{x_i}{\sigma}", "fails"),
        (RMS, r"\frac{\partial y_i}{\partial x_i} = w_i \frac{n \sigma^2 - x_i^2}{n \sigma^3}", "holds"),
        (RMS, r"\frac{\partial y_k}{\partial x_i} = -w_k \frac{x_k x_i}{n \sigma^3}", "holds-if"),
        (SQUARES, r"\frac{\partial y_i}{\partial x_j} = \frac{\delta_{ij}}{r} - \frac{x_i x_j}{D r^3}", "holds"),
        (SQUARES, r"\frac{\partial y_i}{\partial x_j} = \frac{\delta_{ij}}{r} - \frac{x_i x_j}{r^3}", "fails"),
        (SQUARES, r"\frac{\partial L}{\partial x_j} = \frac{g_j}{r} - \frac{x_j}{D r^3} \sum_i g_i x_i", "holds"),
        (SQUARES, r"\frac{\partial L}{\partial x_j} = \frac{g_j}{r} + \frac{x_j}{D r^3} \sum_i g_i x_i", "fails"),
    ],
)
def test_what_an_article_makes_of_a_vector_is_differentiated(before, formula, verdict):
    assert judged(*before, formula, words="A layer.") == [verdict]


def test_the_gradient_behind_a_norm_may_have_a_letter():
    before = [r"\hat{x}_i = (x_i - \mu) / \sigma", r"g_i = \partial L / \partial \hat{x}_i"]
    means = r"\frac{1}{d} \sum_j g_j - \hat{x}_i \frac{1}{d} \sum_j g_j \hat{x}_j"
    right = rf"\frac{{\partial L}}{{\partial x_i}} = \frac{{1}}{{\sigma}} (g_i - {means})"
    assert judged(*before, right) == ["holds"]
    assert judged(*before, right.replace(r"- \hat", r"+ \hat")) == ["fails"]


WITH_EPSILON = [r"\mu = \frac{1}{m} \sum_j x_j", r"\sigma^2 = \frac{1}{m} \sum_j (x_j - \mu)^2",
                r"\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}"]  # fmt: skip
BY_INPUT = (
    rf"\frac{{\partial L}}{{\partial x_i}} = SCALE \left({BY_HAT} - {MEAN} - \hat{{x}}_i {MEAN} \hat{{x}}_j\right)"
)


@pytest.mark.parametrize(
    ("scale", "verdict"), [(r"\frac{1}{\sqrt{\sigma^2 + \epsilon}}", "holds"), (r"\frac{1}{\sigma}", "holds-if")]
)
def test_epsilon_left_out_of_the_gradient(scale, verdict):
    assert judged(*WITH_EPSILON, BY_INPUT.replace("SCALE", scale)) == [verdict]


@pytest.mark.parametrize(
    ("words", "verdict"), [("Softmax of a column vector.", "fails"), ("Softmax of a row vector.", "holds-if")]
)
def test_a_jacobian_of_a_column_has_its_outer_product(words, verdict):
    inner = r"\frac{\partial p}{\partial z} = \text{diag}(p) - p^T p"
    assert judged(r"p = \text{softmax}(z)", inner, words=words) == [verdict]


@pytest.mark.parametrize(
    ("slope", "verdict"),
    [(r"p_k - \mathbb{1}[k = y]", "holds"), (r"p_k - \delta_{ky}", "holds"), (r"\delta_{ky} - p_k", "fails")],
)
def test_the_loss_of_one_label(slope, verdict):
    loss = [r"p = \text{softmax}(z)", r"L = -\log p_y"]
    assert judged(*loss, rf"\frac{{\partial L}}{{\partial z_k}} = {slope}") == [verdict]


PATHS = [r"\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}",
         r"\frac{\partial L}{\partial \mu} = -\sum_j \frac{\partial L}{\partial \hat{x}_j}"
         r" \frac{1}{\sqrt{\sigma^2 + \epsilon}}",
         r"\frac{\partial L}{\partial \sigma^2} = -\frac{1}{2} (\sigma^2 + \epsilon)^{-3/2}"
         r" \sum_j \frac{\partial L}{\partial \hat{x}_j} (x_j - \mu)"]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "slope", "verdict"),
    [
        (PATHS, r"\frac{1}{\sqrt{\sigma^2 + \epsilon}}", "holds-if"),
        (PATHS, r"\frac{1}{\sigma^2 + \epsilon}", "fails"),
        (PATHS[:1], r"\frac{1}{\sqrt{\sigma^2 + \epsilon}}", "fails"),
    ],
)
def test_one_path_of_a_chain_rule_holds_the_others_fixed(before, slope, verdict):
    assert judged(*before, rf"\frac{{\partial \hat{{x}}_i}}{{\partial x_i}} = {slope}") == [verdict]


def test_the_paths_of_a_chain_rule_add_up():
    paths = [
        rf"\frac{{\partial L}}{{\partial {z}}} \frac{{\partial {z}}}{{\partial x_i}}"
        for z in (r"\hat{x}_i", r"\mu", r"\sigma^2")
    ]
    total = r"\frac{\partial L}{\partial x_i} = " + " + ".join(paths)
    assert judged(*PATHS, total) == ["holds-if"]
    assert judged(*PATHS, total.replace(" + ", " - ")) == ["fails"]


@pytest.mark.parametrize(("bracket", "verdict"), [("g_j - y_j s", "holds"), ("g_j - x_j s", "fails")])
def test_an_equation_solved_for_another_letter_is_no_definition(bracket, verdict):
    forward = [r"r = \sqrt{\frac{1}{d} \sum_k x_k^2}", "y_i = x_i / r", r"g_i = \frac{\partial L}{\partial y_i}"]
    mean = r"\frac{1}{d} \sum_i g_i y_i"
    formula = rf"\frac{{\partial L}}{{\partial x_j}} = \frac{{1}}{{r}} ({bracket.replace('s', mean)})"
    assert judged(*forward, "x_i = r y_i", formula, words="RMSNorm.") == [verdict]


PARTITION = [r"p = \text{softmax}(z)", r"Z = \sum_k e^{z_k}", "p_i = e^{z_i} / Z", r"L = -\log p_t"]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"\frac{\partial \log Z}{\partial z_i} = p_i", "holds"),
        (r"\frac{\partial \log Z}{\partial z_i} = \log p_i", "fails"),
        (r"\frac{\partial \log p_i}{\partial z_j} = \delta_{ij} - p_j", "holds"),
        (r"\frac{\partial \log p_i}{\partial z_j} = \delta_{ij} - p_i", "fails"),
    ],
)
def test_the_partition_function_beside_its_logits(formula, verdict):
    assert judged(*PARTITION, formula) == [verdict]


@pytest.mark.parametrize(
    ("last", "words", "said"),
    [
        (r"\frac{x_i}{n r^3} \sum_j \frac{\partial L}{\partial y_j} w_j x_j", "of RMSNorm", ["holds"]),
        (r"\frac{w_i x_i}{n r^3} \sum_j \frac{\partial L}{\partial y_j} x_j", "of RMSNorm", ["fails"]),
        (r"\frac{w_i x_i}{n r^3} \sum_j \frac{\partial L}{\partial y_j} x_j", "of a layer", []),
    ],
)
def test_the_output_of_rmsnorm_is_what_it_is_everywhere(last, words, said):
    text = rf"""The gradient {words} is

$$\frac{{\partial L}}{{\partial x_i}} = \frac{{\partial L}}{{\partial y_i}} \frac{{w_i}}{{r}} - {last},$$

where $r = \sqrt{{\frac{{1}}{{n}} \sum_j x_j^2 + \epsilon}}$.
"""
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas if x.line == 3] == said


NAMED_SUM = ["p_i = e^{z_i} / S", r"S = \sum_k e^{z_k}"]
ROWS = [r"y_{ij} = \frac{w_j x_{ij}}{r_i}", r"r_i = \sqrt{\frac{1}{H} \sum_{h=1}^H x_{ih}^2 + \epsilon}"]
LOG_SUM = [r"f(x) = \log \sum_i e^{x_i}"]


@pytest.mark.parametrize(
    ("before", "formula", "expected"),
    [
        (
            NAMED_SUM,
            r"\frac{\partial p_i}{\partial z_i} = \frac{e^{z_i} S - e^{z_i} e^{z_i}}{S^2} = p_i (1 - p_i)",
            "holds",
        ),
        (NAMED_SUM, r"\frac{\partial p_i}{\partial z_i} = \frac{e^{z_i} S + e^{z_i} e^{z_i}}{S^2}", "fails"),
        (NAMED_SUM, r"J_{ij} = p_i (\delta_{ij} - p_j)", "holds"),
        (NAMED_SUM, r"J_{ij} = p_i (\delta_{ij} + p_j)", "fails"),
        (
            ROWS,
            r"\frac{\partial L}{\partial w_j} = \sum_{b=1}^B \frac{\partial L}{\partial y_{bj}} \frac{x_{bj}}{r_b}",
            "holds",
        ),
        (ROWS, r"\frac{\partial L}{\partial w_j} = \sum_{b=1}^B \frac{\partial L}{\partial y_{bj}} x_{bj}", "fails"),
        (
            ROWS,
            r"\frac{\partial L}{\partial w_j} = \sum_{b=1}^B \sum_{h=1}^H"
            r" \frac{\partial L}{\partial y_{bh}} \frac{\partial y_{bh}}{\partial w_j}",
            "holds",
        ),
        (LOG_SUM, r"\frac{\partial f}{\partial x_i} = \frac{e^{x_i}}{\sum_j e^{x_j}} =: p_i", "holds"),
        (LOG_SUM, r"\frac{\partial f}{\partial x_i} = \frac{1}{\sum_j e^{x_j}}", "fails"),
    ],
)
def test_sums_with_a_name_rows_and_jacobians_by_entry(before, formula, expected):
    text = "RMSNorm and softmax:\n\n" + "\n\n".join(f"$${x}$$" for x in (*before, formula)) + "\n"
    judged = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in judged if x.line == 3 + 2 * len(before)] == [expected]


@pytest.mark.parametrize(
    ("sum_", "expected"),
    [("(dA - (dA * A).sum(-1))", "holds"), ("(dA + (dA * A).sum(-1))", "fails"), ("(dA - delta)", "holds")],
)
def test_programs_multiply_by_entry_what_they_sum(sum_, expected):
    before = "For each row `S = Q @ K.T`, `A = exp(S - m) / l`, `O = A @ V`, `delta = rowsum(dO * O)`:\n\n"
    judged = check_article(read_article("a.md", f"{before}`dS = A * {sum_}`\n")).formulas
    assert [x.verdict for x in judged if x.line == 3] == [expected]


BATCH = [
    r"\mu_B = \frac{1}{m} \sum_{i=1}^m x_i",
    r"\sigma_B^2 = \frac{1}{m} \sum_{i=1}^m (x_i - \mu_B)^2",
    r"\hat{x}_i = \frac{x_i - \mu_B}{\sqrt{\sigma_B^2 + \epsilon}}",
    r"y_i = \gamma \hat{x}_i + \beta",
    r"g_i = \frac{\partial L}{\partial y_i}",
]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\frac{\partial L}{\partial \gamma} = \sum_{i=1}^m g_i \hat{x}_i", "holds"),
        (r"\frac{\partial L}{\partial \gamma} = \sum_{i=1}^m g_i x_i", "fails"),
        (
            r"\frac{\partial L}{\partial x_i} = \frac{\gamma}{m \sqrt{\sigma_B^2 + \epsilon}}"
            r" \left[ m g_i - \sum_{j=1}^m g_j - \hat{x}_i \sum_{j=1}^m g_j \hat{x}_j \right]",
            "holds",
        ),
    ],
)
def test_the_mean_of_a_batch_is_a_mean(formula, expected):
    text = "\n\n".join(f"$${x}$$" for x in (*BATCH, formula)) + "\n"
    judged = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in judged if x.line == 1 + 2 * len(BATCH)] == [expected]


@pytest.mark.parametrize(
    ("right", "verdict"),
    [
        (r"\frac1\sigma(\delta_{ij} - \frac1N - \frac{\hat x_i \hat x_j}{N})", "holds"),
        (r"\frac1\sigma(\delta_{ij} - \frac1N + \frac{\hat x_i \hat x_j}{N})", "fails"),
    ],
)
def test_a_command_without_braces_divides_by_one_letter(right, verdict):
    formula = rf"\frac{{\partial \hat x_i}}{{\partial x_j}} = {right}"
    assert judged(r"\hat x_i = \frac{x_i - \mu}{\sigma}", formula) == [verdict]


BY_Z = r"\frac{\partial L}{\partial Z_2}"


@pytest.mark.parametrize(
    ("layer", "formula", "verdict"),
    [
        ("Z_2 = A_1 W_2 + b_2", rf"\frac{{\partial L}}{{\partial W_2}} = A_1^T {BY_Z}", "holds"),
        ("Z_2 = A_1 W_2 + b_2", rf"\frac{{\partial L}}{{\partial A_1}} = {BY_Z} W_2^T", "holds"),
        ("Z_2 = A_1 W_2 + b_2", rf"\frac{{\partial L}}{{\partial A_1}} = {BY_Z} W_2", "fails"),
        ("Z_2 = A_1 W_2 + b_2", rf"\frac{{\partial L}}{{\partial A_1}} = W_2^T {BY_Z}", "fails"),
        (r"s_{ij} = H_{i \alpha} W_{2, \alpha j} + b_{2,j}",
         r"\frac{\partial L}{\partial b_{2,\nu}} = \sum_{i=1}^N \frac{\partial L}{\partial s_{i \nu}}", "holds"),
        (r"s_{ij} = H_{i \alpha} W_{2, \alpha j} + b_{2,j}",
         r"\frac{\partial L}{\partial H} = \frac{\partial L}{\partial s} W_2^T", "holds"),
        ("Z^{(l)} = W^{(l)} A^{(l-1)} + b^{(l)}", "dW^{(l)} = dZ^{(l)} A^{(l-1)T}", "holds"),
        ("Z^{(l)} = W^{(l)} A^{(l-1)} + b^{(l)}", "dA^{(l-1)} = dZ^{(l)} W^{(l)T}", "fails"),
        (r"\mathbf{z} = W_1 \mathbf{x} + b_1",
         r"\frac{\partial L}{\partial W_1} = \frac{\partial L}{\partial \mathbf{z}} \mathbf{x}^T", "holds"),
    ],
)  # fmt: skip
def test_a_layer_has_the_gradients_of_a_product_in_any_letters(layer, formula, verdict):
    """By hand: for Z = AW, dA = dZ Wᵀ and dW = Aᵀ dZ; the bias has the sum over the rows."""
    assert judged(layer, formula) == [verdict]


@pytest.mark.parametrize(
    "formulas",
    [
        ("Z_1 = X W_1 + b_1", "Z_2 = X W_2", rf"\frac{{\partial L}}{{\partial X}} = {BY_Z} W_2^T"),  # X is in both
        (r"\mathbf{z} = W_1 \mathbf{x} + b_1",
         r"\frac{\partial L}{\partial \mathbf{x}} = \frac{\partial L}{\partial \mathbf{z}} W_1"),  # as rows
        ("Z_2 = A_1 W_2 + b_2", rf"\frac{{\partial L}}{{\partial W_2}} = \frac1m A_1^T {BY_Z}"),
    ],
)  # fmt: skip
def test_a_layer_that_is_not_alone_is_left(formulas):
    assert judged(*formulas) == []


def test_a_matrix_with_one_index_beside_two():
    """P_i is a row of what has the entries P_ij: what is made of both is left alone."""
    assert judged(r"D_i = \sum_k P_{ik} G_{ik} + P_i", r"\frac{\partial L}{\partial P_{ij}} = G_{ij} D_i") == []


def test_a_cost_by_the_letter_c():
    words = "Softmax with cross-entropy, whose cost is called C."
    cost = r"C = -\sum_k y_k \ln p_k"
    assert judged(*ROW, cost, r"\frac{\partial C}{\partial z_j} = p_j - y_j", words=words) == ["holds"]
    assert judged(*ROW, cost, r"\frac{\partial C}{\partial z_j} = y_j - p_j", words=words) == ["fails"]


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"r = \sqrt{\frac{1}{n} \sum_{j=1}^n x_j^2}", ["holds"]),
        (r"r_i = \sqrt{\frac{1}{n} \sum_{j=1}^n x_{ij}^2 + \epsilon}", ["holds"]),
        (r"rms(x)_i = \sqrt{\frac{1}{n} \sum_{j=0}^{n-1} x_{ij}^2}", ["holds"]),
        (r"r = \sqrt{\frac{1}{n} \sum_{j=1}^m x_j^2}", []),
        (r"r = \sqrt{\frac{1}{n} \sum_{j=1}^n x_j}", []),
        (r"r = \sqrt{\frac{1}{n} \sum_{j=1}^n x_j^2 - \epsilon}", []),
    ],
)
def test_a_root_mean_square_of_any_name(formula, verdicts):
    assert judged(formula, words="RMSNorm by hand.") == verdicts


def test_a_variance_of_what_is_not_squared():
    words = "Layer norm, its backward pass."
    assert judged(r"\sigma^2 = \frac{1}{d} \sum_{i=1}^d (x_i - \mu)", words=words) == ["fails"]


@pytest.mark.parametrize("weights", [r"p = \exp(s - l)", r"P = 2^{S c - \mathrm{LSE} \log_2 e}"])
def test_weights_that_are_computed_again(weights):
    words = "FlashAttention's backward pass, where softmax is not kept."
    row = r"D_i = \sum_j dP_{ij} P_{ij}"
    assert judged(weights, row, r"dS = P \odot (dP - D)", words=words) == ["holds-if"]
    assert judged(weights, row, r"dS = P \odot (dP + D)", words=words) in ([], ["fails"])


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{\partial L}{\partial \gamma_i} = \frac{\partial L}{\partial y_i} \cdot \hat{x}_i",
        r"\frac{\partial L}{\partial \gamma} = \frac{\partial L}{\partial y} \odot \hat{x}",
    ],
)
def test_a_gain_for_each_feature_is_no_number(formula):
    """Of one token alone, whose forward pass is not printed."""
    inward = r"\frac{\partial L}{\partial \hat{x}} = \frac{\partial L}{\partial y} \odot \gamma"
    text = f"Backward: $${formula}$$ with $${inward}$$"
    assert "fails" not in [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


def test_weights_by_their_entries_go_on_from_a_sum():
    lines = (
        r"\frac{\partial L}{\partial e_i} = \sum_{j=1}^n \frac{\partial L}{\partial \alpha_j}"
        r" \frac{\partial \alpha_j}{\partial e_i}",
        r"= \alpha_i \left( \frac{\partial L}{\partial \alpha_i}"
        r" - \sum_{j=1}^n \frac{\partial L}{\partial \alpha_j} \alpha_j \right)",
    )
    text = "\n\n".join(f"$${line}$$" for line in lines)
    assert "fails" not in [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas]


def test_a_layer_by_its_entries_too_is_one_formula():
    """X has one gradient, though two lines have it on their right."""
    layer = ["S = XW + b", r"S_{n,m} = \sum_{d=1}^{D} X_{n,d} W_{d,m} + b_m"]
    slope = r"\frac{\partial L}{\partial X_{n,d}} = \sum_m dS_{n,m} W_{d,m}"
    assert judged(*layer, slope, words="A layer.") == ["holds"]
    assert judged(*layer, "T = XW", slope, words="X stands in two formulas.") == []
