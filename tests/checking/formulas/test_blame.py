"""A right formula is not called false for a wrong one beside it."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def failing(text):
    return [x.text for x in check_article(read_article("a.md", text + "\n")).formulas if x.verdict == "fails"]


RIGHT = r"\Phi(x) = \frac{1}{2} (1 + \text{erf}(x / \sqrt{2}))"
TWICE = RIGHT.replace(r"\frac{1}{2}", r"\frac{x}{2}")
NEARLY = r"\Phi(x) = \frac{x}{2} (1 + \tanh(\sqrt{2/\pi} (x + 0.044715 x^3)))"


@pytest.mark.parametrize(("phi", "wrong"), [(RIGHT, []), (TWICE, [TWICE]), (NEARLY, [])])
def test_a_function_of_another_is_not_false_for_what_a_line_says_of_that(phi, wrong):
    gelu = r"\text{GELU}(x) = x \Phi(x)"
    assert failing(f"${gelu}$ with ${phi}$") == wrong
    assert failing(f"${phi}$\n\nso ${gelu}$") == wrong


def test_a_function_that_is_false_by_either_meaning_fails():
    gelu = r"\text{GELU}(x) = \Phi(x)"
    assert failing(f"${gelu}$ with ${RIGHT}$") == [gelu]


MERGE = "Online softmax: $NEW = \\max(OLD, BLOCK)$ and $SUM_NEW = e^{OLD - NEW} SUM_OLD + e^{BLOCK - NEW} SUM_BLOCK$."


def merged(new, old, block, sign="BLOCK - NEW"):
    text = MERGE.replace("BLOCK - NEW", sign)
    for word, mark in (("NEW", new), ("OLD", old), ("BLOCK", block)):
        text = text.replace(f"SUM_{word}", rf"\ell{mark}").replace(word, f"m{mark}")
    found = check_article(read_article("a.md", text + "\n")).formulas
    return [x.verdict for x in found]


@pytest.mark.parametrize("new", ["_{new}", "'", "^{new}"])
@pytest.mark.parametrize("old", ["", "_{old}", "_{prev}"])
@pytest.mark.parametrize("block", ["_0", "_1", "_b", "_j", "_{block}"])
def test_one_mark_beside_the_new_and_the_old_state_is_that_of_a_block(new, old, block):
    if (new, old != "") == ("'", True):
        return  # a prime beside m_old may mark anything
    assert merged(new, old, block) == ["holds", "holds"]
    assert merged(new, old, block, "NEW - BLOCK") == ["holds", "fails"]


def test_what_is_taken_from_the_maximum_of_a_block_is_left_open():
    text = "$m_{new} = \\max(m, m_b)$ in online softmax, where $p = e^{s - m_b}$."
    assert failing(text) == []


SOFTMAX = r"Let $s = \mathrm{softmax}(x)$. "
SAME, OTHER = (rf"$\frac{{\partial s_i}}{{\partial x_j}} = {side}$" for side in ("s_i (1 - s_i)", "-s_i s_j"))
IF_SAME, IF_OTHER = ("holds-if", "condition.indices_agree"), ("holds-if", "condition.indices_differ")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (f"{SAME}.", IF_SAME),
        (f"{OTHER}.", IF_OTHER),
        (f"For $i = j$, {SAME}.", ("holds", None)),
        (f"For $i = j$, {OTHER}.", ("fails", None)),
        (rf"For $i \neq j$, {SAME}.", ("fails", None)),
        (rf"{SAME} for $i \neq j$.", ("fails", None)),
        (f"For all $i$ and $j$, {SAME}.", ("fails", None)),
        (f"{OTHER} for all $i, j$.", ("fails", None)),
        (f"对任意 $i$ 和 $j$，{OTHER}。", ("fails", None)),
        (rf"For all $i, j$ with $i \neq j$ we have {OTHER}.", ("holds", None)),
        (rf"{OTHER} for all $i, j$ with $i \neq j$.", None),
        (rf"Where $i \neq j$ the numerator is one number. In the case left, {SAME}.", IF_SAME),
        (f"For $i = j$ it is positive, and {OTHER} otherwise.", IF_OTHER),
        (f"For $i = j$, it is positive. {OTHER}, otherwise.", IF_OTHER),
    ],
)
def test_a_case_of_the_indices_is_no_condition_where_the_text_has_another(text, verdict):
    found = check_article(read_article("a.md", SOFTMAX + text + "\n")).formulas
    said = [(x.verdict, None if x.condition is None else x.condition.key) for x in found if "partial" in x.text]
    assert said == ([] if verdict is None else [verdict])


BEFORE, AFTER = r"\frac{\partial L}{\partial y_j}", r"\frac{\partial y_j}{\partial x_i}"


@pytest.mark.parametrize(
    ("total", "held"),
    [
        (rf"\sum_{{j=1}}^N {BEFORE} {AFTER}", True),
        (rf"\sum_j {AFTER} {BEFORE}", True),
        (rf"\sum_{{j=1}}^i {BEFORE} {AFTER}", False),
        (rf"\sum_j {BEFORE} \frac{{\partial y_i}}{{\partial x_j}}", False),
        (rf"\sum_j {BEFORE} \frac{{\partial x_i}}{{\partial y_j}}", False),
    ],
)
def test_the_chain_rule_needs_no_softmax(total, held):
    text = rf"Backward of a layer norm: $\frac{{\partial L}}{{\partial x_i}} = {total}$."
    found = check_article(read_article("a.md", text + "\n")).formulas
    assert [(x.verdict, x.condition) for x in found] == [("holds", None)] * held


def test_a_sum_to_the_step_of_its_left_side_is_as_long_as_it_says():
    shapes = r"$K, V \in \mathbb{R}^{L \times d}$ and columns $k_t, v_t \in \mathbb{R}^{d}$. "
    for letter, last in (("t", "t"), ("n", "n")):
        line = rf"Linear attention keeps $S_{letter} = \sum_{{j=1}}^{{{last}}} v_j k_j^T$."
        found = check_article(read_article("a.md", shapes + line + "\n")).formulas
        assert [(x.verdict, x.condition) for x in found if "sum" in x.text] == [("holds", None)]


def rights(text):
    return [x.right for x in check_article(read_article("a.md", text + "\n")).formulas if x.verdict == "fails"]


def test_what_should_stand_there_is_in_the_conventions_of_the_article():
    vectors = r"$k_t \in \mathbb{R}^{d_k}$, $v_t \in \mathbb{R}^{d_v}$, $S_t \in \mathbb{R}^{d_k \times d_v}$. "
    assert rights(vectors + "$S_t = S_{t-1} + v_t k_t^T$") == ["S_t = S_{t-1} + k_t v_t^T"]
    angle = "PE(pos, 2i+1) = cos(pos / 10000^(2i{} / d_model))"
    assert rights(f"`{angle.format('+1')}`") == [angle.format("")]


def test_a_list_with_dots_is_as_long_as_its_last_entry_says():
    row = r"\text{softmax}([q_i^T k_1, q_i^T k_2, \dots, q_i^T k_n])^T"
    text = rf"With columns $q_i, k_j \in \mathbb{{R}}^{{d_k \times 1}}$: $a_i = {row} \in \mathbb{{R}}^{{1 \times n}}$."
    assert rights(text) == [rf"a_i = {row} (n × 1)"]
    tokens = r"With $x_i \in \mathbb{R}^{d}$, $X = [x_1, x_2, \dots, x_n] \in \mathbb{R}^{d \times n}$."
    assert rights(tokens) == []


UPDATES = ("l = {} l + sum(exp(S - m_new))", "O = {} O + exp(S - m_new) @ V")


def online(factor, *updates):
    lines = [f"alpha = {factor}", *updates]
    return failing("Online softmax: `m_new = max(m, rowmax(S))`, " + ", ".join(f"`{line}`" for line in lines))


def test_a_factor_that_is_turned_is_wrong_and_not_what_uses_it():
    right, wrong = "exp(m - m_new)", "exp(m_new - m)"
    times = [line.format("alpha *") for line in UPDATES]
    assert online(right, *times) == []
    assert online(wrong, *times) == [f"alpha = {wrong}"]
    assert online(wrong, times[0]) == [times[0]]  # either may be what is wrong
    by = ["l = l / alpha + sum(exp(S - m_new))", "O = O / alpha + exp(S - m_new) @ V"]
    assert online(wrong, *by) == []
    assert online(right, by[0], times[1]) == [by[0]]


def test_the_usual_factor_is_not_blamed_for_lines_that_divide_by_it():
    lines = ["`m_new = max(m, rowmax(S))`", "`alpha = exp(m - m_new)`", "`l = l / alpha + sum(exp(S - m_new))`"]
    found = failing("Online softmax: " + ", ".join([*lines, "`O = O / alpha + exp(S - m_new) @ V`."]))
    assert "alpha = exp(m - m_new)" not in found
    assert len(found) == 2


@pytest.mark.parametrize(
    "said",
    [
        "$SLOPE = p_i - 1$ for the true token and $SLOPE = p_i$ for others.",
        r"For $i \neq y$, $SLOPE = p_i$; for $i = y$, $SLOPE = p_i - 1$.",
        "对正确类别 $SLOPE = p_i - 1$，其他类别 $SLOPE = p_i$。",
    ],
)
def test_gradients_by_the_logit_of_one_class(said):
    said = said.replace("SLOPE", r"\frac{\partial L}{\partial z_i}")
    assert failing(r"$p = \mathrm{softmax}(z)$, $L = -\sum_i y_i \log p_i$. " + said) == []


def test_a_gradient_without_the_target_fails_where_no_class_is_spoken_of():
    loss = r"$p = \mathrm{softmax}(z)$, $L = -\sum_i y_i \log p_i$. Then "
    assert failing(loss + r"$\frac{\partial L}{\partial z_i} = p_i$.") == [r"\frac{\partial L}{\partial z_i} = p_i"]


def test_rotated_queries_have_weights_of_their_own():
    lines = r"$$q_t^R = \mathrm{RoPE}(W^{KR} h_t)$$" + "\n\n" + r"$$k_t^R = \mathrm{RoPE}(W^{KR} h_t)$$"
    assert rights(lines) == [r"q_t^R = \mathrm{RoPE}(W^{QR} h_{t})"]
    assert rights(lines.replace("KR", "QR", 1)) == []
