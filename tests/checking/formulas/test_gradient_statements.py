"""Printed gradients: what is true of them was worked out by hand with the product rule, row by row."""

import re

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

FORWARD = [r"S = QK^T/\sqrt{d_k}", r"A = \text{softmax}(S)", "O = AV"]
BY_ENTRIES = [
    r"e_{ij} = \frac{q_i^T k_j}{\sqrt{d_k}}",
    r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{l=1}^m \exp(e_{il})}",
    r"o_i = \sum_j a_{ij} v_j",
]
UNSCALED = ["S = QK^T", r"P = \text{softmax}(S)", "O = PV"]


def verdict(*formulas):
    report = check_article(read_article("a.md", "\n\n".join(f"$${x}$$" for x in formulas) + "\n"))
    return [x for x in report.formulas if x.line == 2 * len(formulas) - 1]


RIGHT = [
    (FORWARD, r"\frac{\partial L}{\partial V} = A^T \frac{\partial L}{\partial O}"),
    (FORWARD, r"\frac{\partial L}{\partial A} = \frac{\partial L}{\partial O} V^T"),
    (FORWARD, r"\nabla_V L = A^T \nabla_O L"),
    (FORWARD, r"\frac{\partial L}{\partial S} = A \odot \left(\frac{\partial L}{\partial A}"
              r" - \text{rowsum}(A \odot \frac{\partial L}{\partial A})\right)"),
    (FORWARD, r"\frac{\partial L}{\partial Q} = \frac{1}{\sqrt{d_k}} \frac{\partial L}{\partial S} K"),
    (FORWARD, r"\frac{\partial L}{\partial K} = \frac{1}{\sqrt{d_k}} \left(\frac{\partial L}{\partial S}\right)^T Q"),
    (UNSCALED, "dQ = dS K"),
    (UNSCALED, r"dS_{ij} = P_{ij}\left(dP_{ij} - \sum_l P_{il} dP_{il}\right)"),
    (UNSCALED, r"\mathbf{dK} = \mathbf{dS}^\top \mathbf{Q}"),
    (BY_ENTRIES, r"\frac{\partial L}{\partial v_j} = \sum_i a_{ij} \frac{\partial L}{\partial o_i}"),
    (BY_ENTRIES, r"\frac{\partial L}{\partial q_i} = \sum_j \frac{\partial L}{\partial e_{ij}} \frac{k_j}{\sqrt{d_k}}"),
    (BY_ENTRIES, r"\frac{\partial L}{\partial e_{ij}} = a_{ij} (v_j - o_i)^T \frac{\partial L}{\partial o_i}"),
]  # fmt: skip

WRONG = [
    (FORWARD, r"\frac{\partial L}{\partial V} = A \frac{\partial L}{\partial O}"),
    (FORWARD, r"\frac{\partial L}{\partial A} = \frac{\partial L}{\partial O} V"),
    (FORWARD, r"\frac{\partial L}{\partial S} = A \odot \frac{\partial L}{\partial A}"),
    (FORWARD, r"\frac{\partial L}{\partial S} = A \odot \left(\frac{\partial L}{\partial A}"
              r" + \text{rowsum}(A \odot \frac{\partial L}{\partial A})\right)"),
    (FORWARD, r"\frac{\partial L}{\partial Q} = \frac{\partial L}{\partial S} K"),
    (FORWARD, r"\frac{\partial L}{\partial K} = \frac{1}{\sqrt{d_k}} \frac{\partial L}{\partial S} Q"),
    (FORWARD, r"\frac{\partial L}{\partial Q} = \frac{1}{d_k} \frac{\partial L}{\partial S} K"),
    (UNSCALED, r"dQ = \frac{1}{\sqrt{d_k}} dS K"),
    (UNSCALED, r"dS_{ij} = P_{ij}\left(dP_{ij} - \sum_l dP_{il}\right)"),
    (BY_ENTRIES, r"\frac{\partial L}{\partial v_j} = \sum_i a_{ji} \frac{\partial L}{\partial o_i}"),
    (BY_ENTRIES, r"\frac{\partial L}{\partial e_{ij}} = a_{ij} (v_j + o_i)^T \frac{\partial L}{\partial o_i}"),
]  # fmt: skip


@pytest.mark.parametrize(("forward", "formula"), RIGHT)
def test_a_true_gradient_holds_for_every_size(forward, formula):
    [found] = verdict(*forward, formula)
    assert (found.verdict, found.theorem.key) == ("holds", "theorem.gradient_proven")


@pytest.mark.parametrize(("forward", "formula"), WRONG)
def test_a_false_gradient_fails_with_numbers(forward, formula):
    [found] = verdict(*forward, formula)
    assert found.verdict == "fails"
    assert found.counterexample is not None and found.counterexample.left != found.counterexample.right


def test_the_numbers_of_a_counterexample_are_as_short_as_they_are():
    [found] = verdict(*FORWARD, r"\frac{\partial L}{\partial V} = A \frac{\partial L}{\partial O}")
    numbers = re.findall(r"-?\d+(?:\.\d+)?", " ".join(value for _, value in found.counterexample.values))
    assert numbers and all("." not in x or x[-1] != "0" for x in numbers)


def test_a_scale_is_a_convention_where_no_line_settles_it():
    [found] = verdict("dQ = dS K")
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.plain_scores")


@pytest.mark.parametrize("formula", ["dQ = dR K", r"\frac{\partial L}{\partial U} = A^T \frac{\partial L}{\partial O}"])
def test_letters_that_nothing_settles_are_not_judged(formula):
    assert verdict(*FORWARD, formula) == []


TAU = [r"S = \tau QK^T", r"P = \text{softmax}(S)", "O = PV"]


@pytest.mark.parametrize(
    "formula",
    [
        r"dQ = \tau dS K",
        r"D_i = P_{i:}^T dP_{i:} = do_i^T o_i",
        r"\frac{\partial L}{\partial W_Q} = X^T \frac{\partial L}{\partial Q}",
        r"\frac{\partial L}{\partial X} = \frac{\partial L}{\partial Q} W_Q^T + \frac{\partial L}{\partial K} W_K^T"
        r" + \frac{\partial L}{\partial V} W_V^T",
    ],
)
def test_scales_rows_and_projections(formula):
    assert [x.verdict for x in verdict(*TAU, formula)] == ["holds"]


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{\partial L}{\partial W_Q} = \frac{\partial L}{\partial Q} X^T X",
        r"\frac{\partial L}{\partial X} = \frac{\partial L}{\partial Q} W_Q",
        r"D_i = P_{i:}^T dO_{i:} = do_i^T o_i",
    ],
)
def test_slips_in_these(formula):
    assert [x.verdict for x in verdict(*TAU, formula)] == ["fails"]


@pytest.mark.parametrize(
    "formulas",
    [
        ("C = 6ND", r"\frac{\partial C}{\partial D} = 6N"),  # a cost, no loss
    ],
)
def test_definitions_and_other_derivatives_are_not_gradients(formulas):
    assert verdict(*TAU, *formulas) == []


def test_equations_on_lines_of_their_own_are_apart():
    lines = "\n".join((r"\frac{\partial L}{\partial V} = A^T \frac{\partial L}{\partial O}",
                       r"\frac{\partial L}{\partial A} = \frac{\partial L}{\partial O} V^T"))  # fmt: skip
    assert [x.verdict for x in verdict(*FORWARD, lines)] == ["holds"]


def test_ones_sum_rows_and_columns():
    by_weights = r"\frac{\partial L}{\partial A}"
    through = rf"A \odot ({by_weights} - (A \odot {by_weights}) \mathbf{{1}} \mathbf{{1}}^T)"
    assert [x.verdict for x in verdict(*FORWARD, rf"\frac{{\partial L}}{{\partial S}} = {through}")] == ["holds"]


def test_scores_kept_keys_by_queries_are_left_alone():
    text = "The workspace is KV-major.\n\n$$S = QK^T$$\n\n$$dK = dS Q$$\n"
    assert "fails" not in [x.verdict for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forward", "formula"),
    [
        (BY_ENTRIES, r"\frac{\partial L}{\partial q_i} = \sum_j \frac{\partial L}{\partial o_i} a_{ij} k_j"),
        (BY_ENTRIES, r"\frac{\partial L}{\partial k_j} = \sum_i \frac{\partial L}{\partial o_i} a_{ij} q_i"),
        (FORWARD, r"\frac{\partial L}{\partial S} = A \odot \frac{\partial L}{\partial O}"),
        (UNSCALED, "dQ = dP^T K"),
    ],
)
def test_what_is_said_to_be_right_is_right(forward, formula):
    [found] = verdict(*forward, formula)
    assert found.verdict == "fails" and found.right is not None
    assert [x.verdict for x in verdict(*forward, found.right)] == ["holds"]


@pytest.mark.parametrize("minus", ["D", r"D \mathbf{1}^\top", r"\delta"])
def test_row_sums_that_no_line_defines_are_a_convention(minus):
    [found] = verdict(rf"dS = P \circ (dP - {minus})")
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.row_sums")


def test_row_sums_by_entries_are_a_convention():
    [found] = verdict("dS_{ij} = P_{ij} (dP_{ij} - D_i)")
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.row_sums")


def test_the_softmax_of_a_capital_letter_is_taken_of_its_rows():
    [found] = verdict("A = softmax(Z)", r"dZ = A \circ (dA - \text{rowsum}(A \circ dA))")
    assert found.verdict == "holds"


CHAIN = r"\frac{\partial l}{\partial K} = \frac{\partial l}{\partial S} \frac{\partial S}{\partial K} = "


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (CHAIN + r"\frac{1}{\sqrt{d_k}} \left(\frac{\partial l}{\partial S}\right)^T Q", "holds"),
        (CHAIN + r"\frac{1}{\sqrt{d_k}} \frac{\partial l}{\partial S} Q", "fails"),
        (r"\frac{\partial L}{\partial V} = A^T \frac{\partial L}{\partial O} = \Gamma", "holds"),
        (r"\frac{\partial L}{\partial V} = A \frac{\partial L}{\partial O} = \Gamma", "fails"),
    ],
)
def test_chain_rules_and_new_names_in_a_chain_are_no_sides(formula, said):
    assert [x.verdict for x in verdict(*FORWARD, formula)] == [said]


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{\partial L}{\partial S^{ij}} = A^{ij} \left(\frac{\partial L}{\partial A^{ij}} - \sum_{j'} A^{ij'}"
        r" \frac{\partial L}{\partial A^{ij'}}\right)",
        r"D_i = \sum_d dO_{id} O_{id}, \quad dS_{ij} = A_{ij} (dA_{ij} - D_i)",
    ],
)
def test_indices_above_the_line_and_of_other_letters(formula):
    assert "holds" in [x.verdict for x in verdict("S = QK^T", r"A_{ij} = \text{softmax}_j(S_{ij})", "O = AV", formula)]


def test_the_jacobian_of_softmax_is_known_without_the_word():
    [found] = verdict(r"\frac{\partial p_i}{\partial z_j} = p_i (\delta_{ij} - p_j)")
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.softmax")
    assert verdict(r"\frac{\partial p_i}{\partial z_j} = p_i (\delta_{ij} + p_j)") == []
    assert verdict(r"\frac{\partial p_i}{\partial z_j} = p_j (\delta_{ij} - p_j)") == []


@pytest.mark.parametrize(
    ("formula", "said"),
    [(r"\frac{\partial L}{\partial Q} = \Delta K", ["holds-if"]), (r"\frac{\partial L}{\partial Q} = \Delta^T K", [])],
)
def test_a_letter_for_the_gradient_by_the_scores(formula, said):
    assert [x.verdict for x in verdict("S = QK^T", formula)] == said


@pytest.mark.parametrize(
    "formula",
    [
        r"\frac{\partial L}{\partial S} = \frac{\partial L}{\partial A} \odot \frac{\partial A}{\partial S}",
        r"\frac{\partial L}{\partial (QK^T/\sqrt{d_k})} = \text{softmax\_grad}(A) \odot \frac{\partial L}{\partial A}",
    ],
)
def test_no_product_by_entries_is_the_gradient_of_softmax(formula):
    [found] = verdict(*FORWARD, formula)
    assert found.verdict == "fails" and found.counterexample is not None


@pytest.mark.parametrize(
    ("forward", "formula"),
    [
        (["A = \\sigma(S)"], r"\frac{\partial L}{\partial S} = \frac{\partial L}{\partial A} \odot \sigma'(S)"),
        (FORWARD, r"\frac{\partial L}{\partial Q} = \frac{\partial L}{\partial A} \odot M"),
    ],
)
def test_products_by_entries_of_other_functions_are_left_alone(forward, formula):
    assert verdict(*forward, formula) == []


def test_a_row_of_a_product_may_be_a_row():
    [found] = verdict("O = A V", r"o_i = \sum_j A_{ij} v_j", "da_i = do_i V^T")
    assert found.verdict == "holds"


def test_a_column_of_one_query_is_no_row():
    slope = r"\frac{\partial L}{\partial q} = \frac{1}{\sqrt{d}} K^\top \frac{\partial L}{\partial s}"
    assert verdict(r"w = \text{softmax}(Kq/\sqrt{d})", r"o = V^\top w", slope) == []


@pytest.mark.parametrize("output", [r"O = G \odot (A V)", "O = A V W_O", "O = (A + B) V"])
def test_a_gradient_is_not_said_to_hold_without_what_the_article_says_of_the_output(output):
    slope = r"\frac{\partial L}{\partial V} = A^T \frac{\partial L}{\partial O}"
    assert verdict(r"A = \text{softmax}(QK^T/\sqrt{d_k})", output, slope) == []


def test_a_temperature_that_nothing_says_is_no_plain_softmax():
    slope = r"dS = A \odot (dA - \text{rowsum}(A \odot dA))"
    assert verdict("S = QK^T", r"A = \text{softmax}(S / T)", "O = AV", slope) == []


THREE = ["Q = XW_Q", "K = XW_K", "V = XW_V"]
BY_THREE = " + ".join(rf"\frac{{\partial L}}{{\partial {x}}} W_{x}^T" for x in "QKV")


def test_the_gradient_by_tokens_adds_up_all_uses():
    assert [x.verdict for x in verdict(*THREE, rf"\frac{{\partial L}}{{\partial X}} = {BY_THREE}")] == ["holds"]
    assert verdict(*THREE, r"\frac{\partial L}{\partial X} = \frac{\partial L}{\partial Q} W_Q^T") == []
    assert verdict(*THREE, "Y = X + O", rf"\frac{{\partial L}}{{\partial X}} = {BY_THREE}") == []


@pytest.mark.parametrize(
    ("sums", "said"),
    [
        (r"(P \circ dP) \mathbf{1} \mathbf{1}^\top", "holds"),
        (r"(dP \cdot P) \mathbf{1} \mathbf{1}^\top", "fails"),
    ],
)
def test_a_number_times_a_matrix_of_ones_is_no_vector(sums, said):
    forward = ["S = Q K^T", r"P = \text{softmax}(S)", "O = P V"]
    assert [x.verdict for x in verdict(*forward, rf"dS = P \circ (dP - {sums})")] == [said]


ONE_ROW = "For one row $p = P[i, :]$ and $s = S[i, :]$:\n\n"


@pytest.mark.parametrize(
    "right",
    [
        r"ds = dp (\text{diag}(p) - p^T p)",
        r"ds = dp \odot p - (dp \cdot p^T) p",
        r"ds = p \odot dp - (dp\, p^T) p",
        r"ds = dp \odot p - (do \cdot o^T) p",
    ],
)
def test_small_letters_may_be_one_row(right):
    before = "\n\n".join(f"$${x}$$" for x in UNSCALED) + "\n\n" + ONE_ROW
    for formula, expected in ((right, "holds"), (right.replace(" - ", " + "), "fails")):
        report = check_article(read_article("a.md", f"{before}$${formula}$$\n"))
        assert [x.verdict for x in report.formulas if x.text == formula] == [expected]


def test_the_softmax_of_a_row_by_its_entries():
    before = r"The row vector $y$ has the entries $y_i = \frac{e^{x_i}}{\sum_{k = 1}^N e^{x_k}}$."
    for sign, expected in (("-", "holds"), ("+", "fails")):
        formula = rf"dx = dy (\text{{diag}}(y) {sign} y^Ty)"
        report = check_article(read_article("a.md", f"{before}\n\n$${formula}$$\n"))
        assert [x.verdict for x in report.formulas if x.text == formula] == [expected]


@pytest.mark.parametrize("one", [r"\mathbb{I}[i = j]", r"\mathbf{1}\{i = j\}", r"\mathbb{1}(i=j)", r"\mathbb{1}_{i=j}"])
def test_kronecker_deltas_are_indicators(one):
    forward = r"y_i = \frac{e^{x_i}}{\sum_k e^{x_k}}"
    slope = r"\frac{\partial y_i}{\partial x_j} = y_i (%s - y_%s)"
    assert [x.verdict for x in verdict(forward, slope % (one, "j"))] == ["holds"]
    assert [x.verdict for x in verdict(forward, slope % (one, "i"))] == ["fails"]


def test_what_is_broadcast_is_itself():
    flash = r"dS = P \odot (dP - \text{broadcast}(D))"
    assert [x.verdict for x in verdict(*UNSCALED, r"D = \text{rowsum}(dO \odot O)", flash)] == ["holds"]
    assert [x.verdict for x in verdict(*UNSCALED, r"D = \text{rowsum}(dO \odot O)", flash.replace("-", "+"))] == [
        "fails"
    ]


def test_what_is_multiplied_by_entry_is_no_size():
    slope = r"ds = dp \odot p - \text{broadcast}(d) \odot p"
    assert verdict(*UNSCALED, slope) == []
    assert [x.verdict for x in verdict(*UNSCALED, r"p = P[i, :], d = do \cdot o^T", slope)] == ["holds"]


@pytest.mark.parametrize(("line", "verdict"), [
    ("dV = P^T @ dO", "holds"), ("dP = dO @ V^T", "holds"), ("dP = V @ dO^T", "fails"),
    ("dS = dP * P - rowwise_sum(dP * P) * P", "holds"), ("dS = dP * P - rowwise_sum(dP * dP) * P", "fails"),
])  # fmt: skip
def test_the_softmax_of_a_program_needs_no_name(line, verdict):
    text = f"```python\n# Forward: O = softmax(QK^T) @ V\n\n{line}\n```\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas if x.line == 4] == [verdict]


MASKED = {
    "condition": [r"\tilde{S} = \mathrm{mask}_{j \le i}(S')", r"A = \text{softmax}(\tilde{S})"],
    "matrix": [r"\tilde{S} = S' + M", r"A = \text{softmax}(\tilde{S})"],
    "within": [r"A = \text{softmax}(S' + M)"],
    "cases": [
        r"\tilde{S}_{ij} = \begin{cases} S'_{ij} & j \le i \\ -\infty & \text{otherwise} \end{cases}",
        r"A = \text{softmax}(\tilde{S})",
    ],
}


@pytest.mark.parametrize("masked", MASKED.values(), ids=MASKED)
def test_scores_may_be_what_softmax_is_taken_of_behind_a_mask_too(masked):
    forward = ["S = QK^T", r"S' = S/\sqrt{d_k}", *masked, "O = AV"]
    [found] = verdict(*forward, r"dQ = dS K/\sqrt{d_k}")
    assert (found.verdict, found.condition.key) == ("holds-if", "condition.last_scores")
    [found] = verdict(*forward, "dQ = dS K")
    assert (found.verdict, found.condition) == ("holds", None)
    [found] = verdict(*forward, r"dK = dS Q/\sqrt{d_k}")
    assert found.verdict == "fails"
    if len(masked) > 1:
        assert [x.verdict for x in verdict(*forward, r"dQ = d\tilde{S} K/\sqrt{d_k}")] == ["holds"]
        expected = ["fails"] if masked is MASKED["matrix"] else []  # S̃ has no numbers where it is -∞
        assert [x.verdict for x in verdict(*forward, r"dQ = d\tilde{S} K")] == expected


@pytest.mark.parametrize(
    "formula",
    [
        r"dS'_{ij} = \begin{cases} d\tilde{S}_{ij} & j \le i \\ 0 & \text{otherwise} \end{cases}",
        r"dS' = M \circ d\tilde{S}",
        "dq_1 = 0",
    ],
)
def test_what_a_mask_alone_may_make_true_is_left_alone(formula):
    assert verdict("S = QK^T", r"S' = S/\sqrt{d_k}", *MASKED["condition"], "O = AV", formula) == []


HIDDEN = {**MASKED, "row by row": [
    r"\tilde{S}_{ij} = S'_{ij}", r"\tilde{S}_{ij} = -\infty", r"A = \text{softmax}(\tilde{S})",
], "at once": [r"A = \text{softmax}(\text{mask}(S'))"], "cases of weights": [
    *MASKED["cases"][:1], r"A_{ij} = \frac{e^{\tilde{S}_{ij}}}{\sum_k e^{\tilde{S}_{ik}}}",
]}  # fmt: skip


# causal, n = 2, S = 0, dO = (1, 0)ᵀ: dV = Aᵀ dO = (1, 0)ᵀ, and softmax(S)ᵀ dO = (0.5, 0.5)ᵀ
@pytest.mark.parametrize("masked", HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize("formula", [
    r"dV = \text{softmax}(S')^T dO",
    r"dV = \text{softmax}(QK^T/\sqrt{d_k})^T dO",
    r"dV_{jl} = \sum_i \frac{e^{S'_{ij}}}{\sum_k e^{S'_{ik}}} dO_{il}",
    r"\frac{\partial O_{il}}{\partial V_{jl}} = \frac{e^{S'_{ij}}}{\sum_k e^{S'_{ik}}}",
])  # fmt: skip
def test_scores_that_are_masked_are_no_others(masked, formula):
    verdicts = [x.verdict for x in verdict("S = QK^T", r"S' = S/\sqrt{d_k}", *masked, "O = AV", formula)]
    assert verdicts == (["fails"] if masked[-1].count("M") or masked[0].count("+ M") else [])


@pytest.mark.parametrize(("lines", "formula"), [
    # a hidden score does not depend on the queries
    (MASKED["cases"], r"\frac{\partial \tilde{S}_{ij}}{\partial Q_{il}} = K_{jl}/\sqrt{d_k}"),
    (MASKED["condition"], r"\frac{\partial \tilde{S}_{ij}}{\partial Q_{il}} = K_{jl}/\sqrt{d_k}"),
    # what is hidden has slope 0 behind mask(S) alone
    ([r"A = \text{mask}(S')"], "dS' = dA"),
    ([r"\tilde{S} = \text{mask}(S')", r"A = \text{ReLU}(\tilde{S})"], r"dV = \text{ReLU}(S')^T dO"),
    # -(-∞) is shown alone
    ([r"A = \text{softmax}(-\text{mask}(S'))"], r"dS' = -A \circ (dA - \text{rowsum}(A \circ dA))"),
    # said of hidden keys, where the weights are 0
    (MASKED["cases"], "dS'_{ij} = 0"),
    (MASKED["cases"], r"\frac{\partial A_{ij}}{\partial S'_{ik}} = 0"),
])  # fmt: skip
def test_what_a_mask_may_make_false_or_true_is_left_open(lines, formula):
    assert verdict("S = QK^T", r"S' = S/\sqrt{d_k}", *lines, "O = AV", formula) == []


@pytest.mark.parametrize("masked", [lines for key, lines in HIDDEN.items() if key != "row by row"])
def test_softmax_behind_a_mask_is_differentiated(masked):
    forward = ["S = QK^T", r"S' = S/\sqrt{d_k}", *masked, "O = AV", "dA = dO V^T"]
    slope = r"dS' = A \circ (dA - \text{rowsum}(A \circ dA))"
    assert [x.verdict for x in verdict(*forward, slope)] == ["holds"]


@pytest.mark.parametrize("weights", [r"\text{softmax}(S + M)", r"\text{softmax}(S/\sqrt{d_k})"])
@pytest.mark.parametrize("formula", [
    r"dV = \text{softmax}(S)^T dO",
    r"dV = P^T dO",
    r"dS = \text{softmax}(S) \circ (dA - \text{rowsum}(\text{softmax}(S) \circ dA))",
])  # fmt: skip
def test_scores_are_what_their_line_says_but_where_they_are_differentiated_by(weights, formula):
    forward = ["S = QK^T", f"A = {weights}", "O = AV", "dA = dO V^T"]
    beside = [r"P = \text{softmax}(S)"]
    assert [x.verdict for x in verdict(*forward, *(beside if "P" in formula else ()), formula)] == ["fails"]
    assert "holds" not in {x.verdict for x in verdict(*beside, *forward, formula)}
    assert [x.verdict for x in verdict(*forward, r"dS = A \circ (dA - \text{rowsum}(A \circ dA))")] == (
        ["holds"] if "M" in weights else ["holds-if"]
    )


@pytest.mark.parametrize(("inside", "verdicts"), [
    (r"S/\sqrt{d_k} + B", ["holds-if"]), ("S + B", ["fails"]), (r"c \tanh(S/c)", []), (r"S/\sqrt{d_k} + u v^T", []),
])  # fmt: skip
def test_by_scores_of_which_nothing_says_what_they_are_a_scale_may_be_right(inside, verdicts):
    forward = ["S = QK^T", rf"A = \text{{softmax}}({inside})", "O = AV"]
    assert [x.verdict for x in verdict(*forward, r"dQ = dS K/\sqrt{d_k}")] == verdicts
    assert [x.verdict for x in verdict(*forward, "dQ = dS K")] == ["holds"]
    assert [x.verdict for x in verdict(*forward, "dK = dS Q")] == ["fails"]


def test_a_dropout_that_no_line_writes_down_makes_no_gradient_false():
    text = r"With the mask $Z$ of dropout $dP = (dO V^T) \odot Z$ and $dV = P dO$." "\n"
    [found] = check_article(read_article("a.md", text)).formulas
    assert found.text == "dV = P dO" and found.verdict == "fails"  # PᵀdO


@pytest.mark.parametrize(
    ("said", "formula", "verdicts"),
    [
        ("We use no dropout here.", r"dV = (P \odot Z)^T dO", ["fails"]),
        ("Dropout is left out.", r"dP = (dO V^T) \odot Z", ["fails"]),
        ("这里没有使用随机失活。", r"dP = (dO V^T) \odot Z", ["fails"]),
        ("The weights go through dropout.", r"dQ = dS \odot K", ["fails"]),  # keys are no mask
        ("The weights go through dropout.", r"dV = (P \odot Z)^T dO", []),
        ("Dropout is not applied to scores but to weights.", r"dP = (dO V^T) \odot Z", []),
        ("There is no dropout at inference.", r"dP = (dO V^T) \odot Z", []),
    ],
)
def test_a_matrix_is_of_a_dropout_only_where_there_is_one(said, formula, verdicts):
    text = f"Here $S = QK^T$, $P = \\mathrm{{softmax}}(S)$ and $O = PV$. {said}\n\n$${formula}$$\n"
    assert [x.verdict for x in check_article(read_article("a.md", text)).formulas if x.line == 3] == verdicts


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"dQ = dO (K^T V)^T", "holds"),  # no function of the name dO
        (r"dQ = \mathrm{dO}\left(K^T V\right)^T", "holds"),
        (r"dQ = dO (K^T V)", "fails"),
    ],
)
def test_a_gradient_before_brackets_is_a_factor(said, verdict):
    report = check_article(read_article("a.md", f"Linear attention: $O = Q(K^T V)$.\n\n${said}$\n"))
    assert [x.verdict for x in report.formulas if x.line == 3] == [verdict]


BEHIND_MASK = (
    r"$$\tilde S_{ij} = \begin{cases} S_{ij} & j \le i \\ -\infty & j > i \end{cases}$$ with $S = QK^T$,"
    r" $A = \text{softmax}(\tilde S)$, $O = AV$." + "\n\n"
)


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"dS = A \odot (dA - \text{rowsum}(A \odot dA))", ["holds"]),
        (r"dS = A \odot (dA - \text{rowsum}(dA))", ["fails"]),
        (r"dS = A \odot dA", ["fails"]),
        (r"dS_{ij} = A_{ij} (dA_{ij} - \sum_k dA_{ik})", ["fails"]),
        (r"dV = A^T dO", ["holds"]),
    ],
)
def test_a_gradient_behind_a_mask_is_false_where_it_is_with_keys_hidden_too(said, verdict):
    report = check_article(read_article("a.md", f"{BEHIND_MASK}${said}$\n"))
    assert [x.verdict for x in report.formulas if x.line == 3] == verdict


def test_a_sigmoid_of_what_is_hidden_is_0_too():
    text = BEHIND_MASK.replace(r"\text{softmax}", r"\sigma") + r"$dS = A \odot (1 - A) \odot dA$"
    assert [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas if x.line == 3] == ["holds"]
