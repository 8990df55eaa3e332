"""Right formulas as people write them are not called false, and wrong ones in the same place not right."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text: str, name: str = "a.md") -> list[tuple[int, str]]:
    return [(x.line, x.verdict) for x in check_article(read_article(name, text + "\n")).formulas]


def failing(text: str) -> list[int]:
    return [line for line, verdict in verdicts(text) if verdict == "fails"]


# --- equations on lines of their own


def test_lines_without_breaks_are_equations_of_their_own() -> None:
    lines = [r"\frac{\partial L}{\partial V} = A^\top \frac{\partial L}{\partial O}"]
    lines += [r"\frac{\partial L}{\partial A} = \frac{\partial L}{\partial O} V^\top"]
    text = "\n".join(["$O = A V$", "", "```math", *lines, "```"])
    assert [v for v in verdicts(text) if v[0] > 3] == [(4, "holds"), (5, "holds")]
    assert failing(text.replace(r"V^\top", "V")) == [5]


# --- the statistics of a block by itself


MERGES = [
    ("new", "old", "block"), ("new", "prev", "local"), ("new", "old", "cur"), ("new", "old", "tile"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("new", "old", "own"), MERGES)
def test_a_block_has_a_maximum_of_its_own(new: str, old: str, own: str) -> None:
    names = {f"{x}_{y}": f"{x}_{{{z}}}" for x in "mlO" for y, z in (("new", new), ("old", old), ("own", own))}
    m, m0, m1 = names["m_new"], names["m_old"], names["m_own"]
    total = f"{names['l_new']} = {names['l_old']} e^{{{m0} - {m}}} + {names['l_own']} e^{{{m1} - {m}}}"
    text = f"Online softmax, block by block:\n\n${m} = \\max({m0}, {m1})$\n\n${total}$"
    assert verdicts(text) == [(3, "holds"), (5, "holds")]
    assert failing(text.replace(f"{m1} - {m}", f"{m} - {m1}")) == [5]


def test_what_is_new_beside_what_has_no_mark_is_the_block() -> None:
    text = "Online softmax of blocks:\n\n$m = \\max(m_{prev}, m_{new})$\n\n"
    total = "$l = l_{prev} e^{m_{prev} - m} + l_{new} e^{m_{new} - m}$"
    assert verdicts(text + total) == [(3, "holds"), (5, "holds")]
    assert failing(text + total.replace("+", "-")) == [5]


def test_a_pair_of_indices_marks_the_block() -> None:
    text = "FlashAttention:\n\n$m_i^{new} = \\max(m_i, m_{ij})$\n\n"
    total = r"$l_i^{new} = e^{m_i - m_i^{new}} l_i + e^{m_{ij} - m_i^{new}} l_{ij}$"
    assert verdicts(text + total) == [(3, "holds"), (5, "holds")]


# --- what an article says of sums and shapes


def test_sums_of_a_program_go_over_rows_where_it_says_so() -> None:
    text = "```python\n# for each row: dS = P * (dP {} sum(P * dP))\n```"
    assert verdicts(text.format("-")) == [(2, "holds")]
    assert failing(text.format("+")) == [2]


@pytest.mark.parametrize("kept", ["[B, H, S_kv, S_q]", "(N_k × N_q)", "KV-major"])
def test_scores_may_be_kept_keys_by_queries(kept: str) -> None:
    text = f"dS is written to a workspace {kept}.\n\ndK = dS · Q\n\ndQ = dS^T · K"
    assert not failing(text)
    assert failing(text.replace(kept, "[B, H, S_q, S_kv]")) == [3, 5]


@pytest.mark.parametrize(
    ("case", "right"),
    [
        (r"$${} \quad \text{{when }} j = i$$", "s_i (1 - s_j)"),
        (r"For $i \ne j$: $${}$$", "-s_i s_j"),
        ("Case j ≠ i (off the diagonal)\n\n$${}$$", "-s_i s_j"),
    ],
)
def test_a_derivative_may_be_that_of_a_case(case: str, right: str) -> None:
    softmax = r"$s_i = \frac{e^{y_i}}{\sum_k e^{y_k}}$" + "\n\n"
    slope = r"\frac{\partial s_i}{\partial y_j} = "
    assert not failing(softmax + case.format(slope + right))
    assert failing(softmax + case.format(slope + "s_i (1 + s_j)"))


# --- heads


@pytest.mark.parametrize("right", ["Attention(Q, K, V)", "Attention(QW^Q, KW^K, VW^V)"])
def test_a_head_without_its_index_is_not_proven(right: str) -> None:
    assert not verdicts(f"$head_i = {right}$")


@pytest.mark.parametrize(
    "right", ["Attention(Q_i, K_i, V_i)", "Attention(Q_i, K, V)", "Attention(QW_i^Q, KW_i^K, VW_i^V)"]
)
def test_a_head_with_its_index_holds(right: str) -> None:
    assert verdicts(f"$head_i = {right}$") == [(1, "holds")]


@pytest.mark.parametrize("mean", ["D", r"D \mathbf{1}^\top"])
def test_a_term_that_nothing_defines_is_no_size(mean: str) -> None:
    text = rf"$dS = P \circ (dP - {mean})$"
    assert verdicts(text) == [(1, "holds-if")]
    assert verdicts(text.replace("-", "+")) == []
    defined = r"$D = \mathrm{rowsum}(dO \circ O)$, $O = PV$, $P = \mathrm{softmax}(S)$" + "\n\n"
    assert (3, "holds") in verdicts(defined + text)
    assert failing(defined + text.replace("-", "+")) == [3]


# --- conditions, questions, approximations


FORWARD = "$S = QK^T / \\sqrt{d_k}$, $P = \\text{softmax}(S)$, $O = PV$.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "If all keys are the same, $dQ = dS$.",
        "Suppose that $Q$ is frozen. Then $dV = P dO$.",
        "Is it $dV = P dO$ or the other one?",
        "Dropping the second term gives $dS = P \\odot dP$.",
        "For small scores $dS \\approx P \\odot dP$.",
        "若忽略缩放，$dQ = dS K$。",
        "$dV = P dO$: false.",
    ],
)
def test_what_is_supposed_or_asked_is_not_called_false(text: str) -> None:
    assert not failing(FORWARD + text)


@pytest.mark.parametrize("words", ["We get", "Let $d_k$ be even. Then", "It follows, no mask set, that"])
def test_a_sentence_without_a_condition_is_judged(words: str) -> None:
    assert failing(f"{FORWARD}{words} $dV = P dO$.") == [3]


# --- what letters are


@pytest.mark.parametrize(
    "text",
    [
        "$dO = dP V + P dV$",  # small changes, from the inputs to the output
        "$dQ \\leftarrow dQ + dS K$",
        "$dP = dO$ is the loss of this exercise, $O = dP$.",
    ],
)
def test_d_may_be_another_than_the_gradient(text: str) -> None:
    assert not failing(FORWARD + text)


def test_the_loss_has_the_letter_that_is_differentiated() -> None:
    text = "$o = \\text{softmax}(h)$, $E = -\\sum_i t_i \\ln o_i$ with $\\sum_i t_i = 1$.\n\n"
    text += "$\\frac{\\partial E}{\\partial h_k} = %s$"
    assert verdicts(text % "o_k - t_k")[-1] == (3, "holds")
    assert failing(text % "t_k - o_k") == [3]


def test_letters_with_two_meanings_accuse_nobody() -> None:
    text = "One paper has $y = W x$, another $y = W^T x$.\n\n"
    text += "$\\frac{\\partial L}{\\partial x} = W \\frac{\\partial L}{\\partial y}$"
    assert not failing(text)
    assert failing(text.replace(", another $y = W^T x$", "")) == [3]


def test_two_indices_are_of_no_vector() -> None:
    text = "$A = QK^T$, $S = \\text{softmax}(A)$.\n\n"
    text += "$\\frac{\\partial L}{\\partial A_{ij}} = S_{ij} (\\frac{\\partial L}{\\partial S_{ij}} - \\sum_k %s)$"
    right = "S_{ik} \\frac{\\partial L}{\\partial S_{ik}}"
    assert (3, "holds") in verdicts(text % right)
    assert (3, "holds") not in verdicts(text % right.replace("ik", "kj"))


# --- an example of a definition


def test_a_softmax_of_given_numbers_is_no_definition() -> None:
    assert (
        failing(r"For $z = (3, 0)$: $$\mathrm{softmax}(z)_1 = \frac{e^{3}}{e^{3} + e^{0}} = \frac{1}{1 + e^{-3}}$$")
        == []
    )


def test_the_gradient_of_a_loss_is_no_jacobian() -> None:
    right = r"The Jacobian of softmax: $\frac{\partial p}{\partial s} = \text{diag}(p) - pp^T$."
    assert verdicts(right) == [(1, "holds")]
    assert (1, "holds") not in verdicts(right.replace(r"\partial p}", r"\partial L}"))


# --- gradients as programs and lectures write them


FORWARD = r"$S = QK^T$, $P = \mathrm{softmax}(S)$, $O = PV$, each row by itself." + "\n\n"


@pytest.mark.parametrize(
    "total",
    [
        r"\sum_k P \odot dP",
        r"\sum_j (dP \odot P)_j",
        r"\sum(dP \odot P)",
        r"\text{sum}(dP \odot P, \text{axis}=-1, \text{keepdims=True})",
    ],
)
def test_sums_of_rows_have_many_spellings(total: str) -> None:
    assert (3, "holds") in verdicts(FORWARD + rf"$$dS = P \odot \left(dP - {total}\right)$$")


def test_gradients_may_be_added_up() -> None:
    both = r"$$dQ \mathrel{+}= dS\, K, \qquad dK += dS^T Q$$"
    assert [v for v in verdicts(FORWARD + both) if v[0] == 3] == [(3, "holds")] * 2
    assert failing(FORWARD + both.replace("dS^T Q", "Q^T dS")) == [3]


def test_the_sums_of_rows_may_be_named_by_their_row() -> None:
    text = FORWARD + "$$D_i = \\sum_r dO_{ir} O_{ir}$$\n\n" + r"$$dS = P \odot (dP - D_i[\text{:}, \text{None}])$$"
    assert verdicts(text)[-1] == (5, "holds")


def test_a_mask_is_added_to_the_scores() -> None:
    text = r"$P = \mathrm{softmax}(S)$ with $S = \frac{QK^T}{\sqrt{D}} + \text{mask}$: $dQ = dS K / \sqrt{D}$"
    assert (1, "holds") in verdicts(text)
    assert failing(text.replace(r" / \sqrt{D}$", "$")) == [1]


def test_a_softmax_that_has_a_letter_is_that_letter() -> None:
    text = r"$O = \mathrm{softmax}(QK^T) V$, $P = \mathrm{softmax}(S)$, $S = QK^T$: $dP = dO V^T$"
    assert verdicts(text)[-1] == (1, "holds")
    assert failing(text.replace("dO V^T", "dO V")) == [1]


def test_a_width_below_a_root_is_no_matrix() -> None:
    text = FORWARD.replace("QK^T", r"QK^T / \sqrt{d}") + r"$D_i = \sum_r dO_{ir} O_{ir}$ and $dP = dO V^T$"
    assert verdicts(text)[-1] == (3, "holds")


# --- definitions with one slip, and the right ones beside them


SOFTMAX = r"\text{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}"
NORM = r"\mu = \frac{1}{d} \sum_i x_i, \sigma = \sqrt{\frac{1}{d} \sum_i (x_i - \mu)^2}"
SLIPS = [
    (r"\text{GELU}(x) \approx 0.5x(1 + \tanh(\sqrt{2/\pi}(x + 0.044715x^3)))", "0.0447", "0.447"),
    (SOFTMAX + r" = \frac{e^{x_i - m}}{\sum_j e^{x_j - m}}", "j - m}}", "j} - m}"),
    (NORM + r", y = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}", r"\sigma^2 + ", r"\sigma + "),
]


@pytest.mark.parametrize(("formula", "good", "bad"), SLIPS)
def test_slips_of_definitions_are_found(formula: str, good: str, bad: str) -> None:
    assert good in formula
    assert {v for _, v in verdicts(f"$${formula}$$")} == {"holds"}
    [wrong] = [
        x for x in check_article(read_article("a.md", f"$${formula.replace(good, bad)}$$\n")).formulas if x.right
    ]
    assert good in wrong.right


def test_the_root_of_what_is_called_a_standard_deviation_is_none() -> None:
    text = r"Layer norm is $y = \frac{x - \mu}{\sqrt{\sigma + \epsilon}}$ where $\sigma$ is the standard deviation."
    assert failing(text) == [1]
    assert failing(text.replace("standard deviation", "variance")) == []


def test_macros_of_a_page_are_the_functions_that_they_are_called() -> None:
    text = FORWARD + r"$$dS = P \odot (dP - \rowsum(P \odot dP))$$"
    assert verdicts(text)[-1] == (3, "holds")


def test_costs_are_products_of_letters() -> None:
    assert verdicts("$$8bsh^2 + 4bs^2h + 16bsh^2 = 24bsh^2 + 4bs^2h$$") == [(1, "holds")]
    assert verdicts("- First layer: 2Bs*h*4h = 8Bsh^2") == [(1, "holds")]


def test_all_weights_of_a_softmax_are_one() -> None:
    assert verdicts(r"$$\sum_{i=1}^n \text{softmax}(x)_i = 1$$") == [(1, "holds")]
    assert verdicts(r"$$\sum_{j} \text{softmax}(x)_i = 1$$") == []


def test_a_root_is_differentiated_where_it_is_one() -> None:
    assert verdicts(r"$n = \sqrt{s}$: $\frac{\partial n}{\partial s} = \frac{1}{2 n}$")[-1] == (1, "holds")
    assert failing(r"$n = \sqrt{s}$: $\frac{\partial n}{\partial s} = \frac{1}{n}$") == [1]


# --- grouped queries and rotated pairs by entry


GROUPED = r"$\text{head}_i = \text{softmax}(Q_i K_{g(i)}^T / \sqrt{d_k}) V_{g(i)}$ with $g(i) = INDEX$"


@pytest.mark.parametrize(
    "index", [r"\lceil i g / h \rceil", r"\lfloor i N_{kv} / N_q \rfloor", r"\lfloor i / G \rfloor"]
)
def test_heads_of_a_group_share_keys_and_values(index: str) -> None:
    assert [v for _, v in verdicts(GROUPED.replace("INDEX", index))] == ["holds", "holds"]


def test_an_index_that_leaves_the_groups_fails() -> None:
    assert failing(GROUPED.replace("INDEX", r"\lceil i h / g \rceil")) == [1]


def test_rows_with_remarks_in_brackets_are_equations() -> None:
    rows = r"Q_i &= X W_i^Q \quad &\text{(for all } i = 1, \ldots, h \text{)} \\"
    rows += r"K_j &= X W_j^K \quad &\text{(} j \text{ is a group)}"
    assert [v for _, v in verdicts(rf"$$\begin{{aligned}} {rows} \end{{aligned}}$$")] == ["holds", "holds"]


def test_features_of_a_rotation_may_be_entries_of_a_function() -> None:
    first = r"$$\text{RoPE}(x, m)_{2i} = x_{2i} \cos(m\theta_i) - x_{2i+1} \sin(m\theta_i)$$"
    second = r"$$\text{RoPE}(x, m)_{2i+1} = x_{2i} \sin(m\theta_i) + x_{2i+1} \cos(m\theta_i)$$"
    assert verdicts(f"{first}\n\n{second}") == [(1, "holds"), (3, "holds")]
    assert failing(f"{first}\n\n{second.replace(' + ', ' - ')}") == [3]


def test_a_sum_without_an_index_is_a_mean() -> None:
    assert verdicts(r"Layer norm: $\mu = \frac{1}{d} \sum x_i$") == [(1, "holds")]


def test_a_mask_by_cases_is_added_to_the_scores() -> None:
    mask = r"$$M_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases}$$"
    lines = [
        r"$$S = QK^T, \quad S_{\text{masked}} = S + M, \quad A = \text{softmax}(S_{\text{masked}}), \quad O = AV$$"
    ]
    lines += [r"$$\frac{\partial L}{\partial S_{\text{masked}}} = A \odot (dA - \text{rowsum}(A \odot dA))$$"]
    assert verdicts("\n\n".join([mask, *lines]))[-1] == (5, "holds")


# --- blocks, zeros and powers of rotations


def test_a_block_is_no_row() -> None:
    text = r"$S_1 = Q K_1^\top$, $dS_1 = P_1 \circ (dP_1 - D)$, $K = [K_1; K_2]$ and "
    assert failing(text + r"$\frac{\partial L}{\partial Q} = dS_1 K_1 + dS_2 K_2$") == []


def test_what_is_multiplied_by_0_is_0_of_any_shape() -> None:
    text = r"""$S = Q K^\top$, $P = \mathrm{softmax}(S)$, $O = P V$

$$\mathrm{rowsum}(dS)^\top Q = 0 Q$$
$$\mathrm{rowsum}(dS \circ S)^\top Q = 0 Q$$"""
    assert failing(text) == [4]  # sums of dS are 0 behind a softmax, those of dS ∘ S are not


def test_rows_behind_a_softmax_that_is_not_told_may_sum_to_0() -> None:
    # Σ_j dS_ij = 0 for every dS that comes through a softmax, and only then
    assert failing(r"$S = Q K^\top$, $dQ = dS K$, $\mathrm{rowsum}(dS) = 0$") == []


@pytest.mark.parametrize(("power", "verdict"), [("m - n", "holds"), ("n - m", "fails")])
def test_powers_of_a_rotation_add_up(power: str, verdict: str) -> None:
    # with R^m for the rotation by m: (R^n)ᵀ R^m = R^{m−n}
    text = rf"Rotary positions: $k^\top (R^n)^\top R^m q = k^\top R^{{{power}}} q$"
    assert verdicts(text) == [(1, verdict)]


# --- differentials


def test_a_quotient_of_differentials_is_a_slope() -> None:
    text = (
        "```\np_i = exp(z_i) / Σ_j exp(z_j)\n\nL = -Σ_i y_i × log(p_i)\n\ndL/dz_i = Σ_j ({} / p_j) × (dp_j/dz_i)\n```"
    )
    assert [verdict for _, verdict in verdicts(text.format("-y_j"))] == ["holds"] * 3
    assert failing(text.format("y_j")) == [6]


def test_dot_of_two_vectors_is_a_number() -> None:
    lines = "q = np.random.randn(64)\nk = np.random.randn(64)\nscore = np.dot(q, k)"
    assert verdicts(f"```python\n{lines}\n```") == [(4, "holds")]
    assert failing("```python\nscores = np.dot(Q, K)\n```") == [2]
    assert failing("```python\nscores = np.dot(Q, K.T)\n```") == []


@pytest.mark.parametrize("right", ["\\delta_{ik} K_{jb}", "\\frac{1}{\\sqrt{d}} \\delta_{ik} K_{jb}"])
def test_a_derivative_of_what_nothing_defines_is_not_zero(right: str) -> None:
    statement = f"$\\frac{{\\partial S_{{ij}}}}{{\\partial Q_{{kb}}}} = {right}$"
    assert verdicts(statement) == []
    assert verdicts(f"$S = QK^T$\n\n{statement}")[-1] == (3, "fails" if "frac" in right else "holds")


@pytest.mark.parametrize("order", ["O", "\\mathcal{O}", "\\Theta", "\\mathrm{O}"])
def test_orders_of_growth_are_equal_in_another_sense(order: str) -> None:
    assert verdicts(f"So ${order}(128 N) = {order}(N)$, and $c = {order}\\left(N d + d\\right) = {order}(N d)$.") == []


@pytest.mark.parametrize(
    "text",
    [
        "$w = 3$, $x = 2$, so $y = 3 \\cdot 2 = 6$ and $\\frac{dy}{dw} = x$",
        "$a = (0.75, 0.25)$, $v = (2, 5)$, $o = 0.75 \\cdot 2 + 0.25 \\cdot 5 = 2.75$, $\\partial o/\\partial v = a$",
    ],
)
def test_numbers_put_in_make_no_function(text: str) -> None:
    assert failing(text) == []


def test_scores_that_weights_are_not_written_in_are_not_told() -> None:
    weights = "$\\alpha_{ij} = \\frac{\\exp(q_i^T k_j/\\sqrt d)}{\\sum_l \\exp(q_i^T k_l/\\sqrt d)}$"
    slope = "$\\frac{\\partial \\alpha_{ij}}{\\partial s_{il}} = \\alpha_{ij}(\\delta_{jl} - \\alpha_{il})$"
    assert failing(f"{weights}\n\n{slope}") == []


def test_entries_by_number_may_be_all_that_there_are() -> None:
    assert failing("With two entries $\\mathrm{softmax}(x)_1 = \\sigma(x_1 - x_2)$") == []
    assert failing("$\\mathrm{softmax}(x)_1 = \\frac{e^{x_2}}{\\sum_j e^{x_j}}$") == [1]


def test_a_second_recurrence_may_have_tokens_in_rows() -> None:
    columns = "A state: $S_t = S_{t-1} + k_t v_t^T$, $o_t = S_t^T q_t$"
    rows = "In rows: $S_n = \\gamma S_{n-1} + k_n^T v_n$, $o_n = q_n S_n$"
    assert failing(f"{columns}\n\n{rows}") == []
    assert failing(f"{columns}\n\nand $o_t = S_t q_t$") == [3]


@pytest.mark.parametrize(("first", "second", "wrong"), [("sin", "cos", []), ("cos", "sin", [1])])
def test_features_of_positions_may_be_counted_from_1(first: str, second: str, wrong: list[int]) -> None:
    angle = "(pos/10000^{2(i-1)/d})"  # 2i − 1 with a cosine is counted from 0
    assert failing(f"$PE_{{(pos, 2i-1)}} = \\{first}{angle}$, $PE_{{(pos, 2i)}} = \\{second}{angle}$") == wrong
    assert failing("$PE_{(pos, 2i+1)} = \\sin(pos/10000^{2i/d})$") == [1]


@pytest.mark.parametrize(("shapes", "wrong"), [(("n", "m", "d"), [1]), (("m", "n", "d"), [])])
def test_shapes_say_whether_tokens_are_rows(shapes: tuple[str, str, str], wrong: list[int]) -> None:
    rows = shapes[0] == "n"
    value = "n \\times d" if rows else "d \\times n"
    declared = f"$X \\in \\mathbb R^{{{shapes[0]} \\times {shapes[1]}}}$, $V \\in \\mathbb R^{{{value}}}$"
    slope = "\\frac{\\partial L}{\\partial W_V} = \\frac{\\partial L}{\\partial V} X^T"
    assert failing(f"{declared}, ${slope}$") == wrong


@pytest.mark.parametrize(
    "text",
    [
        "For $x > 0$, $\\mathrm{ReLU}(x) = x$.",
        "For centred $x$ we have $\\mathrm{LayerNorm}(x) = \\mathrm{RMSNorm}(x)$.",
        "For unit vectors uniform on the sphere, $\\mathrm{Var}(q^T k) = 1/d$.",
        "Entries have variance 4 and mean zero: $\\mathrm{Var}(q^T k) = d$.",
        "With a sink, $a_j = \\frac{e^{s_j}}{1 + \\sum_l e^{s_l}}$.",
        "$\\tanh(x) = 2\\sigma(2x) - 1$, $\\sigma(x) = (1 + \\tanh(x/2))/2$, $\\sigma'(x) = \\sigma(x)\\sigma(-x)$.",
    ],
)
def test_conditions_that_words_make_are_heeded(text: str) -> None:
    name = "Var" in text or "ReLU" in text
    assert [x for x in verdicts(text) if name or x[1] == "fails"] == []


def test_the_same_without_a_condition_fails() -> None:
    assert failing("We have $\\mathrm{ReLU}(x) = x$.") == [1]
    assert failing("Here $a_j = \\frac{e^{s_j}}{\\sum_l s_l}$.") == [1]


@pytest.mark.parametrize(
    ("scores", "gradients", "expected"),
    [
        ("QK^T/d", ("\\frac{1}{d} dS K", "\\frac{1}{\\sqrt d} dS K", "\\sqrt d \\, dS K"), ["holds-if", "", "fails"]),
        ("\\beta QK^T", ("\\beta dS K", "\\frac{1}{\\sqrt d} dS K", "\\sqrt d \\, dS K"), ["holds-if", "", "fails"]),
        ("QK^T/(\\tau\\sqrt d)", ("\\frac{1}{\\tau\\sqrt d} dS K", "\\frac{1}{\\sqrt d} dS K"), ["holds-if", ""]),
        ("\\hat Q\\hat K^T/\\sqrt d", ("\\frac{1}{\\sqrt d} dS K",), [""]),
        ("\\mathrm{RoPE}(Q) \\mathrm{RoPE}(K)^T/\\sqrt d", ("\\frac{1}{\\sqrt d} dS K",), [""]),
    ],
)
@pytest.mark.parametrize("lines", ["$A = \\mathrm{{softmax}}({})$, $O = AV$", "$O = \\mathrm{{softmax}}({}) V$"])
def test_scores_without_a_letter_are_what_softmax_is_taken_of(
    scores: str, gradients: tuple[str, ...], expected: list[str], lines: str
) -> None:
    """By hand: with S = c QKᵀ, dQ = c dS K; where S may be QKᵀ/√d before another scale nothing is said."""
    for gradient, verdict in zip(gradients, expected, strict=True):
        text = f"µP: {lines.format(scores)}, \n\nso $dQ = {gradient}$."
        assert [verdict for line, verdict in verdicts(text) if line == 3] == ([verdict] if verdict else []), gradient


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A $1/d$ scale as in µP: $A = \\mathrm{softmax}(QK^T/d)$.", []),
        ("We have $A = \\mathrm{softmax}(QK^T/d)$.", ["fails"]),
        ("Over the queries: $A_{ij} = \\frac{e^{s_{ij}}}{\\sum_l e^{s_{il}}}$.", []),
        ("We have $A_{ij} = \\frac{e^{s_{ij}}}{\\sum_l e^{s_{il}}}$.", ["holds"]),
        ("$p \\in \\mathbb R^{n \\times 1}$, softmax has $J = \\mathrm{diag}(p) - p^T p$.", ["fails"]),
        ("Softmax has $J = \\mathrm{diag}(p) - p^T p$.", ["holds-if"]),
        ("Recurrent: $S_n = \\gamma S_{n-1} + K_n^T V_n$, $O_n = Q_n S_n$.", ["holds", "holds"]),
        ("By chunks: $S_n = S_{n-1} + K_n^T V_n$, $O_n = Q_n S_n$.", ["holds", "fails"]),
    ],
)
def test_words_and_shapes_say_which_convention_it_is(text: str, expected: list[str]) -> None:
    assert [verdict for _, verdict in verdicts(text)] == expected


@pytest.mark.parametrize(("power", "expected"), [("^{-1}", "holds"), ("", "fails")])
def test_what_is_divided_at_last_needs_no_mark(power: str, expected: str) -> None:
    lines = [
        "m_{new} = \\max(m_{old}, \\mathrm{rowmax}(S))",
        "\\ell_{new} = e^{m_{old} - m_{new}} \\ell_{old} + \\mathrm{rowsum}(e^{S - m_{new}})",
        "O_{new} = \\mathrm{diag}(e^{m_{old} - m_{new}}) O_{old} + e^{S - m_{new}} V",
        f"O = \\mathrm{{diag}}(\\ell_{{new}}){power} O_{{new}}",
    ]
    found = [x[1] for x in verdicts("; ".join(f"${line}$" for line in lines))]
    assert found == ["holds", "holds", "holds", expected]


@pytest.mark.parametrize(("width", "verdict"), [("d_{model}", ["holds"]), ("d_k", []), ("d_v", ["fails"])])
def test_one_head_may_be_as_wide_as_the_tokens(width: str, verdict: list[str]) -> None:
    """By hand: S = QKᵀ/√d_model gives dQ = dS K/√d_model; d_k is the same where there is one head."""
    lines = "$S = \\frac{QK^T}{\\sqrt{d_{model}}}$, $A = \\mathrm{softmax}(S)$, $O = AV$."
    text = f"{lines}\n\n$dQ = \\frac{{dS K}}{{\\sqrt{{{width}}}}}$"
    assert [verdict for line, verdict in verdicts(text) if line == 3] == verdict
