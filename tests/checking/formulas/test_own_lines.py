"""Equations that no judge knows, worked out by the article's own definitions. The derivatives are by hand."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

# y = w ⊙ rx with r = 1/ρ, in letters of nobody
SCALED = (
    r"\mathrm{size}(\mathbf{x}) = \sqrt{\frac{1}{N} \sum_{i=1}^N x_i^2 + \epsilon}",
    r"r = \frac{1}{\mathrm{size}(\mathbf{x})}",
    r"\mathbf{u} = r \mathbf{x}",
    r"\mathbf{y} = \mathbf{u} \odot \mathbf{w}",
)
SPREAD = (
    r"\mu = \frac{1}{d} \sum_{j=1}^d x_j",
    r"\sigma^2 = \frac{1}{d} \sum_{j=1}^d (x_j - \mu)^2",
    r"r = \sqrt{\sigma^2 + \epsilon}",
    r"r^{-1} = (\sigma^2 + \epsilon)^{-1/2}",
)
STABLE = (r"m_i = \max_j T_{ij}", r"c_i = \sum_j e^{T_{ij} - m_i}", r"B_{ij} = \frac{e^{T_{ij} - m_i}}{c_i}")


def judged(*formulas: str, words: str = "In our notation:") -> list[str]:
    text = f"{words}\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    found = check_article(read_article("a.md", text)).formulas
    return [x.verdict for x in found if x.line == 2 * len(formulas) + 1]


BY_X, BY_R = r"\nabla_{\mathbf{x}} r = ", r"\frac{\partial r^{-1}}{\partial \sigma^2} = "
BY_W = r"\frac{\partial L}{\partial \mathbf{w}} = \frac{\partial L}{\partial \mathbf{y}} \odot \mathbf{u}"
WIDTH = r"b = \frac{8}{3} a = %s \cdot 4 a \approx 2.67 a"


@pytest.mark.parametrize(
    ("before", "right", "wrong"),
    [
        (SCALED, BY_X + r"-\frac{r^3}{N} \mathbf{x}", BY_X + r"-\frac{r^2}{N} \mathbf{x}"),
        (SPREAD, BY_R + r"-\frac{1}{2} r^{-3}", BY_R + r"-\frac{1}{2} r^{-2}"),
        ((), WIDTH % r"\frac{2}{3}", WIDTH % r"\frac{3}{2}"),
    ],
)
def test_by_the_lines_before(before: tuple[str, ...], right: str, wrong: str) -> None:
    assert judged(*before, right) == ["holds"]
    assert judged(*before, wrong) == ["fails"]


@pytest.mark.parametrize(("before", "right"), [(SCALED, BY_W), (STABLE, r"\log \sum_j e^{T_{ij}} = m_i + \log c_i")])
def test_letters_of_the_author(before: tuple[str, ...], right: str) -> None:
    assert judged(*before, right) == ["holds"]


@pytest.mark.parametrize(
    "lines",
    [
        (r"g = a + b", r"g = a - b"),  # a name given anew, or one of two that are false
        (r"g_i = \sum_j M_{ij} - a_i", r"g_i + a_i = - \sum_j M_{ij}"),  # which line is false?
        (r"o_t = S_t^T q_t", r"o_n = q_n S_n"),  # S_n is a matrix for each n, and no row
        (r"g = \sum_j a_j v_j", r"g k^T = \sum_j a_j v_j^T k"),  # a number is not transposed
        (r"g = a b", r"\mathrm{size}(a) = g"),
        (
            r"u = M v + c",
            r"\frac{\partial L}{\partial M} = \frac{1}{m} \frac{\partial L}{\partial u} v^T",
        ),  # of a batch
    ],
)
def test_left_alone(lines: tuple[str, ...]) -> None:
    assert judged(*lines) == []


def test_nothing_is_judged_by_a_line_that_is_false() -> None:
    lines = [r"\mu = \frac{1}{d} \sum_j x_j", r"\sigma^2 = \frac{1}{d} \sum_j (x_j - \mu)^2"]
    hat = r"\hat{x}_i = \frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}"
    after = r"\hat{x}_i \sqrt{\sigma^2 + \epsilon} = x_i - \mu"
    assert judged(*lines, hat, after) == ["holds"]
    assert judged(*lines, hat.replace("x_i -", "x_i +")) == ["fails"]
    assert judged(*lines, hat.replace("x_i -", "x_i +"), after.replace("x_i -", "x_i +")) == []


MARKED = r"In all that follows $\bar{y} = \frac{\partial L}{\partial y}$."


NORM = (r"\mathrm{size}(x) = \sqrt{\frac{1}{n} \sum_i x_i^2}", r"y_i = \frac{x_i}{\mathrm{size}(x)} \gamma")
BY_NORM = (
    r"\bar{x}_i = \frac{\gamma}{\mathrm{size}} (\bar{y}_i - \frac{x_i}{n\, \mathrm{size}^2} \sum_j x_j \bar{y}_j%s)"
)


@pytest.mark.parametrize(
    ("before", "right", "wrong"),
    [
        ((r"Y = X U",), r"\bar{U} = X^T \bar{Y}", r"\bar{U} = X \bar{Y}"),
        ((r"y = e^x",), r"\bar{x} = e^x \cdot \bar{y}", r"\bar{x} = e^{-x} \cdot \bar{y}"),
        ((r"y = u_1 \odot u_2",), r"\bar{u}_1 = \bar{y} \odot u_2", r"\bar{u}_1 = \bar{y} \odot u_2 \odot u_2"),
        (NORM, BY_NORM % "", BY_NORM % r" \gamma"),
    ],
)
def test_a_mark_that_is_said_to_be_the_gradient(before: tuple[str, ...], right: str, wrong: str) -> None:
    assert judged(*before, right, words=MARKED) == ["holds"]
    assert "holds" not in judged(*before, wrong, words=MARKED)
    assert judged(*before, right) == []  # a bar is a mean elsewhere


def test_a_softmax_by_its_mark() -> None:
    softmax = r"s_i = \frac{e^{x_i}}{\sum_j e^{x_j}}"
    assert judged(softmax, r"\bar{x}_j = s_j (\bar{s}_j - \sum_k \bar{s}_k s_k)", words=MARKED) == ["holds"]


def test_the_same_letter_under_another_heading_is_another() -> None:
    text = MARKED + "\n\n## One\n\n$y = x \\odot x$\n\n## Two\n\n$y = u_1 \\odot u_2$\n\n"
    text += "$\\bar{u}_1 = \\bar{y} \\odot u_2$\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [x.verdict for x in found if x.line == 11] == ["holds"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"\frac{\partial L}{\partial A} = B^T \frac{\partial L}{\partial y} x^T", ("B^T", "B")),
        (r"\frac{\partial L}{\partial B} = \frac{\partial L}{\partial y} (Ax)^T", ("(Ax)^T", "x^T A")),
        (r"\nabla_{B} = \frac{\partial L}{\partial y} (Ax)^T", ("(Ax)^T", "x^T A")),
        (r"\frac{\partial L}{\partial A^T} = x (\frac{\partial L}{\partial y})^T B", (" B", " B^T")),
        (r"\frac{\delta L}{\delta x} = (W + BA)^T \frac{\delta L}{\delta y}", ("(W + BA)^T", "(W - BA)^T")),
    ],
)
def test_a_matrix_and_a_low_rank_part(right: str, wrong: tuple[str, str]) -> None:
    assert judged("y = Wx + BAx", right) == ["holds"]
    assert judged("y = Wx + BAx", right.replace(*wrong)) in ([], ["fails"])


def test_words_before_a_formula_are_no_factor() -> None:
    assert judged(r"a = b + c", r"\text{so that } a - c = b") == ["holds"]


BOLD = (
    r"\sigma = \sqrt{\mathbf{u}^\top \mathbf{u}}",
    r"\mathbf{h} = \mathbf{u} / \sigma",
    r"\mathbf{e} = c \times \mathbf{h} \odot \mathbf{w}",
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            r"\frac{\partial L}{\partial \mathbf{w}} = c\, \frac{\partial L}{\partial \mathbf{e}} \odot \mathbf{h}",
            ("c\\, ", "c^2 "),
        ),
        (r"\frac{\partial h_i}{\partial u_j} = 1_{i=j}/\sigma - u_i u_j/\sigma^3", (r"\sigma^3", r"\sigma^2")),
        (r"\frac{\partial h_i}{\partial u_j} = 1/\sigma (1_{i=j} - h_i h_j)", ("- h_i h_j", "+ h_i h_j")),
    ],
)
def test_vectors_in_bold(right: str, wrong: tuple[str, str]) -> None:
    assert judged(*BOLD, right) == ["holds"]
    assert judged(*BOLD, right.replace(*wrong)) == ["fails"]


def test_the_length_of_a_vector() -> None:
    slope = r"\nabla_{\mathbf{x}} \|A\mathbf{x} - \mathbf{b}\|^2 = 2 A^\top (A\mathbf{x} - \mathbf{b})"
    assert judged(slope) == ["holds"]
    assert judged(slope.replace("2 A", "A")) == []


def test_a_jacobian_of_whole_vectors() -> None:
    slope = r"\frac{\partial \mathbf{h}}{\partial \mathbf{u}} = "
    assert judged(*BOLD, slope + r"1/\sigma (\mathbf{I} - \mathbf{h} \mathbf{h}^\top)") == ["holds"]
    linear = (r"\mathbf{e} = W \mathbf{u}",)
    assert judged(*linear, r"\frac{\partial \mathbf{e}}{\partial \mathbf{u}} = W") == ["holds"]
    assert judged(*linear, r"\frac{\partial \mathbf{e}}{\partial \mathbf{u}} = W^\top") == []  # in the other layout


def test_rows_of_a_false_chain() -> None:
    """Only the second row is false: the others equal the first side."""
    rows = [
        r"\frac{\partial p_i}{\partial z_j} &= p_i (\delta_{ij} - p_j)",
        r"&= p_i \delta_{ij} + p_i p_j",
        r"&= p_i \delta_{ij} - p_i p_j",
    ]
    shown = "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
    text = "$$p = \\mathrm{softmax}(z)$$\n\n$$\n" + shown + "\n$$\n"
    found = check_article(read_article("a.md", text)).formulas
    assert [(x.line, x.verdict) for x in found if x.line > 1] == [(5, "fails"), (5, "holds"), (7, "holds")]


@pytest.mark.parametrize("sum_", [r"\sum_{i=1}^d (x_i - \mu)", r"\sum_i (x_i - \mu)"])
def test_a_sum_that_is_nothing(sum_: str) -> None:
    mean = r"\mu = \frac{1}{d} \sum_{i=1}^d x_i"
    assert judged(mean, sum_ + " = 0") == ["holds"]
    assert judged(mean, sum_.replace("-", "+") + " = 0") == []  # an equation for μ
    assert judged(r"\sum_{i=1}^d x_i = 0") == []  # of numbers that may have that mean


def test_a_count_between_bars_is_what_a_line_says_it_is() -> None:
    counts = [r"|\theta| = d \times k", r"|\theta_L| = r(d + k)"]
    ratio = r"\rho = \frac{|\theta|}{|\theta_L|} = \frac{%s}{r(d+k)}"
    assert judged(*counts, ratio % "dk") == ["holds"]
    assert "holds" not in judged(*counts, ratio % "d")
    assert "fails" not in judged(*counts, r"\rho = \frac{|\theta|}{|\theta_L|} = \frac{dk}{rd + rk}")


def test_what_is_cut_off_at_nothing() -> None:
    assert judged(r"h = \max(0, W_1 x)", r"W_2 h = W_2 \text{ReLU}(W_1 x)") == ["holds"]
    assert "holds" not in judged(r"h = \max(0, W_1 x)", r"W_2 h = \text{ReLU}(W_2 W_1 x)")


def test_the_slope_of_a_name_that_no_line_defines_is_not_nought():
    text = r"$\frac{\partial \hat{y}}{\partial z_2} = \sigma(z_2)(1 - \sigma(z_2)) = \hat{y}(1 - \hat{y})$"
    found = check_article(read_article("a.md", text + "\n\nz₂ = w₂·a₁ + b₂\n")).formulas
    assert "fails" not in [x.verdict for x in found]


@pytest.mark.parametrize(
    ("layer", "gradient", "expected"),
    [
        (r"Q = XW_Q + \mathbf{1} b_Q^\top", r"db_Q = dQ\,\mathbf{1}", []),  # it has an entry for each token
        (r"Q = XW_Q + \mathbf{1} b_Q^\top", r"db_Q = dQ^\top \mathbf{1}", ["holds"]),
        (r"Q = XW_Q + b_Q", r"db_Q = dQ\,\mathbf{1}", []),
        (r"Q = XW_Q + b_Q", r"db_Q = dQ^\top \mathbf{1}", ["holds"]),
        (r"Z = WX + b", r"db = dZ\,\mathbf{1}", ["holds"]),
    ],
)
def test_a_bias_has_an_entry_for_each_output(layer, gradient, expected):
    found = check_article(read_article("a.md", f"${layer}$\n\n${gradient}$\n")).formulas
    assert [each.verdict for each in found if each.line == 3] == expected


@pytest.mark.parametrize(
    ("line", "formula", "expected"),
    [
        (r"p_i = \text{softmax}(z)_i", r"p_i/p_j = e^{z_i - z_j}", ["holds"]),
        (r"p_i = \text{softmax}(z)_i", r"\log(p_i/p_j) = z_i - z_j", ["holds"]),
        (r"p_i = \text{softmax}(z)_i", r"p_i/p_j = e^{z_j - z_i}", []),
        (r"p_i = \text{softmax}(z)_j", r"p_i/p_j = e^{z_i - z_j}", []),
        (r"p_i = \text{softmax}(z/\tau)_i", r"p_i/p_j = e^{z_i - z_j}", []),
    ],
)
def test_an_entry_of_a_whole_says_what_the_whole_is(line, formula, expected):
    found = check_article(read_article("a.md", f"${line}$\n\n${formula}$\n")).formulas
    assert [each.verdict for each in found if each.line == 3] == expected


SOFTMAX = r"""With $\hat{y}_c = \text{softmax}(z)_c = \frac{\exp(z_c)}{\sum_{j=1}^C \exp(z_j)}$ and cross-entropy

$$\frac{\partial L}{\partial z} = %s$$
"""


@pytest.mark.parametrize(("slope", "expected"), [(r"\hat{y} - y", "holds"), (r"y - \hat{y}", "fails")])
def test_the_gradient_by_logits_of_a_softmax_that_is_said_by_its_entry(slope, expected):
    found = check_article(read_article("a.md", SOFTMAX % slope)).formulas
    assert [each.verdict for each in found] == ["holds", expected]
