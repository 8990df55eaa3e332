"""Formulas that are right in what their own words speak of, though not in what is usual: they are left alone."""

import pytest

from symattn.checking import check_article
from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow


def verdicts(text):
    return [each.verdict for each in judge_formulas(read_article("a.md", text + "\n")).formulas]


COSINE = r"Cosine similarity: $\cos(u, v) = \frac{u \cdot v}{\|u\| \|v\|}$." + "\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"The vectors are normalised, so that $\cos(a, b) = a \cdot b$.", []),
        (r"If both are of length one ($\|u\| = \|v\| = 1$), $\cos(u, v) = u^T v$.", []),
        (r"The cosine of two vectors is $\cos(a, b) = a \cdot b$.", ["fails"]),
        (COSINE + r"Others take the inner product: $\text{sim}(q, d) = q^T d$.", ["holds"]),
        (COSINE + r"A score of two words: $\text{sim}(u, v) = u \cdot v$.", ["holds"]),
        (COSINE + r"Cosine similarity is $\text{sim}(u, v) = u \cdot v$.", ["holds", "fails"]),
    ],
)
def test_inner_products_are_no_cosines(text, found):
    assert verdicts(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"Post-Norm as in Swin v2: $y = x + \text{LN}(\text{Attn}(x))$", []),
        (r"Post-LN: $y = x + \text{LN}(\text{Attn}(x))$", ["fails"]),
    ],
)
def test_norms_on_branches(text, found):
    assert verdicts(text) == found


@pytest.mark.parametrize(
    ("power", "found"), [("-i/(d/2-1)", []), ("-2i/d", ["holds"]), ("-i/(d/2)", ["holds"]), ("-2i/(d/2)", ["fails"])]
)
def test_frequencies_with_one_step_less(power, found):
    assert verdicts(rf"The frequencies are $\omega_i = 10000^{{{power}}}$.") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Let $\\mu = \\frac{1}{d}\\sum_i x_i$. Then $\\sum_i (x_i - \\mu) = \\sum_i x_i - d\\mu = 0$.", ["holds"]),
        ("The inner width is $d_{ff} = 4d$, so there are $2 d d_{ff} = 8d^2$ parameters.", ["holds"]),
        ("The inner width is $d_{ff} = 4d$, so there are $2 d d_{ff} = 6d^2$ parameters.", []),
        (
            "SwiGLU has $d_{ff} = \\frac{8}{3}d$.\n\nA plain FFN has $2 d \\cdot d_{ff} = 8d^2$ parameters.",
            [],
        ),
    ],
)
def test_a_width_d_before_a_letter_is_no_gradient(text, found):
    assert verdicts(text) == found


def test_the_slope_of_an_own_function_is_that_of_no_softmax():
    text = "The softmax of a vector.\n\n```\nσ(x) = 1/(1+e^{-x})\ndσ/dx = -(1+e^{-x})^{-2} × (-e^{-x})\n```\n"
    assert verdicts(text) == ["holds"]


def test_a_logistic_function_of_two_entries_is_left_alone():
    assert verdicts(r"The weight of two classes is $\sigma(z) = \sigma(z_1 - z_0)$.") == []


def test_scores_whose_indices_the_other_lines_do_not_have():
    scores = r"$e_{ij} = \frac{q_j^T k_i}{\sqrt{d_k}}$"
    assert verdicts(scores + r" and $o_i = \sum_j \alpha_{ij} v_j$") == ["holds"]  # the second
    assert verdicts(scores + r" and $o_j = \sum_i \alpha_{ij} v_i$")[0] == "holds"


def test_shapes_that_fit_only_if_all_sizes_are_the_same():
    shapes = (
        r"with $B \in \mathbb{R}^{d \times r}$ and $A \in \mathbb{R}^{r \times k}$ and $W \in \mathbb{R}^{d \times k}$"
    )
    assert verdicts(r"$W' = W + AB$ " + shapes) == []
    assert set(verdicts(r"$W' = W + BA$ " + shapes)) == {"holds"}


def test_a_formula_whose_number_is_wrong_does_not_hold_as_well():
    """2 · 80 · 8 · 8192 · 128 · 2 bytes = 2.68 GB."""
    text = "KV cache = 2 × 80 × 8 × 8192 × 128 × 2 bytes = {} GB\n"

    def holding(size):
        return [x.verdict for x in check_article(read_article("a.md", text.format(size))).formulas]

    assert holding("2.56") == []
    assert holding("2.68") == ["holds"]


def test_a_temperature_beside_the_scale_is_1():
    tempered = r"$\text{Attention} = \text{softmax}\left(\frac{QK^T}{\tau \sqrt{d_k}}\right)V$"
    (found,) = judge_formulas(read_article("a.md", tempered)).formulas
    assert (found.verdict, found.condition.text("en")) == ("holds-if", "τ = 1")


STATE = r"$S_t = S_{t-1} + \phi(K_t)^\top V_t$" + "\n\n"


def test_a_line_on_tokens_in_an_article_on_chunks():
    """Z_t is a vector of an array of one axis, or a column; a state on the wrong side fits in no layout."""
    read = r"$Y_t = \frac{\phi(Q_t) S_t}{\phi(Q_t) Z_t + \epsilon}$ in chunks"
    assert "fails" not in verdicts(STATE + read)
    chunk = "Each chunk has $C$ tokens.\n\n" + r"$S_t = S_{t-1} + k_t^\top v_t$" + "\n\n"
    sums = r"$S_{[i+1]} = S_{[i]} + \sum_{j=iC+1}^{(i+1)C} k_j^\top v_j$"
    assert verdicts(chunk + sums) == ["holds"]


def test_letters_of_a_word_are_no_indices():
    text = r"\[ F(k) = \sum_{i=0}^k f_{pmf} \]"
    assert verdicts(text) == []
    assert verdicts(r"\[ F(k) = \sum_{i=0}^k f_{jk} \]") == ["fails"]


def test_numbers_that_a_stroke_parts_are_no_formula():
    assert verdicts("Only D=64 works; D=128/256 do not.\n\nThis is for D=64/128.") == []


def test_a_function_of_kinds_of_arrays():
    assert verdicts("- tanh(sparse) = sparse\n- relu(sparse) = sparse") == []
    assert verdicts(r"$\tanh(x) = \frac{e^x + e^{-x}}{e^x - e^{-x}}$") == ["fails"]


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_comments_are_not_words_of_a_page(name):
    article = read_article(name, "<p>Seen</p> <!-- in chunks --> too\n")
    assert "Seen" in article.words and "too" in article.words and "chunks" not in article.words


def test_a_formula_in_a_line_of_words_is_not_cut_before_a_factor():
    lines = "The computation:\n\n    S = Q @ K^T{}\n    A = softmax(S, axis=-1)\n"
    assert verdicts(lines.format(" * scale")) == ["holds", "holds"]  # and 1/√d_k is a scale
    assert verdicts(lines.format("")) == ["holds", "holds-if"]


def test_constants_of_a_program_are_no_symbols():
    assert verdicts("band. False = a window (A = the whole chunk) here. False = the top.") == []


def test_the_left_side_is_what_its_name_means():
    """|tanh x| < 1 < |coth x|, and no differences from the mean add up to anything but 0."""
    (found,) = judge_formulas(read_article("a.md", r"$\tanh(x) = \frac{e^x + e^{-x}}{e^x - e^{-x}}$")).formulas
    assert abs(float(found.counterexample.left)) < 1 < abs(float(found.counterexample.right))
    mean = r"Layer norm: $\mu = \frac{1}{N}\sum_{i=1}^N x_i$, $\sigma^2 = \frac{1}{N}\sum_{i=1}^N (x_i - \mu)$"
    _, found = judge_formulas(read_article("a.md", mean)).formulas
    assert float(found.counterexample.left) > 0 == float(found.counterexample.right)


def test_what_several_processes_call_by_one_letter():
    """Each names its own β(t), p(x) its own density."""
    own = r"$\beta(t) = \alpha(t) s(t)^2$" + "\n\n" + r"$s(t) = a(t)$" + "\n\n"
    assert "fails" not in verdicts(own + r"$\beta(t) = b + t (c - b)$")
    density = r"$p(x) = \frac{1}{\sigma x \sqrt{2\pi}}$"
    assert "fails" not in verdicts(r"$p(x) = \frac{1}{b - a}$" + "\n\n" + density)


def test_noise_at_one_time_is_no_spread():
    text = r"The covariance is $\sigma(t)^2$, where $\sigma(t)$ is a noise level with $\sigma(0) = 0$."
    assert verdicts(text) == []
    assert verdicts(
        r"The variance is $\mathrm{Var}(q \cdot k) = 2 d_k$ for independent entries, $q_i \sim N(0, 1)$."
    ) == ["fails"]


@pytest.mark.parametrize(("over", "found"), [("", ["holds"]), (r"\max", []), (r"\min", [])])
def test_an_extreme_of_one_number_is_over_what_is_not_said(over, found):
    layer = r"y_i = (x_i - \mathrm{E}[x_i])/\sqrt{MAX{\mathrm{Var}[x_i]+\epsilon}} + \beta_i".replace("MAX", over)
    assert verdicts(f"$${layer}$$") == found


def test_lengths_divided_are_no_fault():
    assert verdicts("scale factor:  $s = L' / L$") == []


@pytest.mark.parametrize(
    "text", ["d(x^2) = 2x dx", r"d(fg) = f\,dg + g\,df", r"d(\frac{f}{g}) = \frac{g df - f dg}{g^2}"]
)
def test_differentials_are_no_multiples_of_d(text):
    assert verdicts(f"${text}$") == []


def test_multiples_of_a_width_in_front_of_brackets():
    assert verdicts("With $d$ wide: $d(n+m) = dn + 2dm$.") == ["fails"]
    assert verdicts("$d(n+m) = dn + 2dm$, and $4d$ others.") == ["fails"]


TYPED = "X: array-like, shape (n, d)\n\nW: array-like, shape (d, k)\n\n"


def test_a_type_is_no_array():
    """What has the shape is the name in front of the colon."""
    assert verdicts(TYPED + "R: np.array, shape (n, d)\n\nnp.array, shape (n, d)") == []
    assert verdicts(TYPED + "```\nY = X @ W  # shape (n, k)\n```") == ["holds", "holds", "holds"]
    assert verdicts(TYPED + "```\nY = X @ W  # shape (k, n)\n```") == ["holds", "holds", "fails"]


SIZES = r", where $A \in \mathbb{R}^{d \times k}$ and $B \in \mathbb{R}^{d \times k}$."


def test_matrices_side_by_side():
    assert verdicts(r"$[A B]$ is both" + SIZES) == []
    assert verdicts(r"$M = [A B] \in \mathbb{R}^{d \times 2k}$" + SIZES) == []
    assert "fails" in verdicts(r"$M = A B \in \mathbb{R}^{d \times 2k}$" + SIZES)


@pytest.mark.parametrize(
    "right",
    [
        r"\tau \, \text{softmax}(Q K^T) V",
        r"\text{softmax}\left(\frac{Q K^T}{\sqrt{d_k}}\right) V / N",
        r"\text{softmax}\left(\frac{Q K^T}{\sqrt{L d_k}}\right) V",
    ],
)
def test_a_factor_that_is_no_temperature_is_not_taken_for_1(right):
    found = judge_formulas(read_article("a.md", rf"$\text{{Attention}} = {right}$")).formulas
    assert [each.condition.text("en") for each in found if each.condition is not None] == []


def test_scores_that_are_scaled_in_place_need_no_condition():
    scaled = r"The scores $S = QK^T$ are scaled, $S \leftarrow S/\sqrt{d_k}$."
    assert "holds-if" not in verdicts(scaled + "\n\n" + r"$$P = \mathrm{softmax}(S)$$")
    assert verdicts(r"The scores are $S = QK^T$." + "\n\n" + r"$$P = \mathrm{softmax}(S)$$") == ["holds", "holds-if"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("In the unscaled case, ", []),
        ("Without scaling, ", []),
        ("在不缩放的情况下，", []),
        ("In the causal case, ", ["fails"]),
        ("Further, ", ["fails"]),
    ],
)
def test_a_gradient_of_scores_that_are_not_scaled(words, found):
    forward = r"$S = QK^T/\sqrt{d}$, $P = \mathrm{softmax}(S)$, $O = PV$." + "\n\n"
    assert [v for v in verdicts(forward + words + r"$dQ = dS K$.") if v == "fails"] == found


def test_a_width_that_is_said_to_be_a_share_of_another():
    width = "The width $D$ is split into $h$ heads of width $d = D/h$.\n\n"
    attention = r"$$O = \text{softmax}\left(\frac{QK^T}{\sqrt{d}}\right) V$$"
    assert verdicts(width + attention) == ["holds"]
    assert verdicts(width.replace("D/h", "D/2") + attention) != ["fails"]
    assert verdicts("Each head has $d_k = d/h$.\n\n" + attention) == ["holds"]  # the width of a head, and not its root


def test_a_letter_of_logarithms_that_is_said_to_be_a_sum():
    online = "Online softmax keeps $m_i$, the largest score, and $l_i$, the sum of exponentials $e^{S_{ij} - m_i}$.\n\n"
    total = r"$$\log_2 L_i = \log_2 (l_i e^{m_i}) = \log_2 l_i + m_i \log_2 e$$"
    log = r"The logarithm is $L_i = m_i + \log \ell_i$: $$P_{ij} = e^{S_{ij} - L_i}$$"
    assert verdicts(r"The sum is $L_i = \sum_j e^{S_{ij}}$. " + online + log)[-1] == "holds"
    assert "fails" not in verdicts(r"The sum of row $i$ is $L_i = \sum_j e^{S_{ij}}$." + "\n\n" + online + total)


def test_running_sums_behind_a_maximum():
    text = "Online softmax: $$m_i = \\max(m_{i-1}, x_i)$$\n\n$$d_i = d_{i-1} + e^{x_i}$$"
    assert verdicts(text) == ["holds", "fails"]


@pytest.mark.parametrize("line", ["d_i = d_{i-1} + e^{x_i}", "o_i = o_{i-1} + e^{s_i} v_i"])
def test_running_sums_without_a_maximum(line):
    assert verdicts(f"# FlashAttention\n\nWithout a maximum, from 0 on: $${line}$$") == []


BACKWARD = r"""Forward: $S = QK^T$, $P = \text{softmax}(S/\sqrt{d})$, $O = PV$.

$$dS = P \odot (dP - D), \quad D_i = \sum_j P_{ij} dP_{ij}$$

"""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (r"$$dQ = dS K$$", ["fails", "holds", "holds"]),  # 1/√d has to stand in one of the two lines
        (r"$$dQ = dS K/\sqrt{d}$$", ["holds-if", "holds", "holds-if"]),
        ("$$dQ = dS K$$\n\n$dQ \\leftarrow dQ / \\sqrt{d}$", ["holds-if", "holds"]),
        ("$$dQ = dS K$$\n\nThen $dQ$ is divided by $\\sqrt{d}$.", ["holds-if", "holds"]),
    ],
)
def test_a_scale_that_no_line_of_a_backward_pass_has(line, found):
    assert verdicts(BACKWARD + line)[3 : 3 + len(found)] == found


def test_a_vector_that_is_turned_without_need():
    """Katharopoulos et al., Transformers are RNNs, 2020, equations 4 and 5: V_j is a row there and V_jᵀ here."""
    left = r"\sum_j \phi(Q_i)^T \phi(K_j)"
    first = rf"\frac{{\sum_j \phi(Q_i)^T \phi(K_j) V_j}}{{{left}}}"
    second = r"\frac{\phi(Q_i)^T \sum_j \phi(K_j) V_j^T}{\phi(Q_i)^T \sum_j \phi(K_j)}"
    assert "fails" not in verdicts(rf"Linear attention: $$V_i' = {first} = {second}$$")
    weights = r"\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)"
    assert verdicts(rf"$$\mathrm{{Attention}}(Q, K, V) = {weights} V = V^T {weights}^T$$") == ["fails"]


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        (r"S_{ij} = c\, q_i^T k_j", ["holds"]),
        (r"S = c\, QK^T", ["holds"]),
        (r"S = c\, QK", ["fails"]),
        (r"S = b\, QK^T", []),
    ],
)
def test_scores_with_a_letter_for_their_scale(scores, found):
    assert verdicts(rf"With $c = 1/\sqrt{{d}}$ the scores are ${scores}$.") == found


def test_scores_that_are_said_with_a_scale_and_without_one():
    text = r"$S = QK^T$ is computed again. Forward: $S = QK^T \cdot \text{scale}$, $P = \text{softmax}(S)$, $O = PV$."
    assert "holds-if" not in verdicts(text)


def test_a_sum_whose_letter_says_that_it_is_of_rows():
    forward = r"$O = PV$, $P = \operatorname{softmax}(S)$, $S = QK^T/\sqrt{D}$; `dP = dO @ V^T`"
    assert "fails" not in verdicts(forward + "\n\nWith `D_row = sum(O*dO)`: `dS = P*(dP - D_row)`")


@pytest.mark.parametrize(
    ("last", "found"), [("n", []), ("n-1", ["holds"]), ("K", []), ("n+1", [])]
)  # classes 0 to n, or n of them, nothing says which
def test_a_sum_from_nought_to_a_letter_is_left_alone(last, found):
    text = rf"The softmax is $\sigma(z)_i = \frac{{e^{{z_i}}}}{{\sum_{{j=0}}^{{{last}}} e^{{z_j}}}}$."
    assert verdicts(text) == found


@pytest.mark.parametrize("mean", [r"\frac{1}{N}(p - y)", r"\frac{p - y}{m}", r"\frac{1}{B} (p - y)"])
def test_the_gradient_of_a_mean_beside_the_loss_of_one_example(mean):
    one = r"With $p = \mathrm{softmax}(z)$ the loss is $L = -\sum_i y_i \log p_i$ and "
    assert verdicts(one + rf"$\frac{{\partial L}}{{\partial z}} = {mean}$.")[2:] == []
    assert verdicts(one + r"$\frac{\partial L}{\partial z} = \frac{1}{2} (p - y)$.")[2:] == ["fails"]


def test_gradients_are_not_held_against_a_false_line_of_the_forward_pass():
    forward = r"Let $Q, K \in \mathbb{R}^{n \times d}$ and $S = QK$. Then "
    assert verdicts(forward + r"$dQ = dS K$ and $dK = dS^T Q$.") == ["fails", "holds-if", "holds-if"]
    assert verdicts(forward + r"$dQ = dS K^T$ and $dK = dS^T Q$.")[1:] == ["fails", "holds-if"]


COLUMNS = r"$A_{ji} = \frac{e^{S_{ji}}}{\sum_k e^{S_{ki}}}$"


def test_shares_of_columns_are_no_shares_of_rows_written_wrongly():
    assert verdicts(COLUMNS + r" and $db_j = \sum_i dV_{ji}$")[:1] == []  # a sum over tokens, and no average of values
    assert verdicts("Softmax is applied to each column: " + COLUMNS) == []
    assert verdicts(COLUMNS + r" and $o_j = \sum_i A_{ji} v_i$")[0] == "fails"
