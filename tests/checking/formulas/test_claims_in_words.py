"""Claims that stand in words: by what scores are scaled, what Var is called, overflow, and the memory of a matrix."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text + "\n")).formulas]


SPREAD = "Entries are independent with mean 0 and variance 1, so the dot product has mean 0 and variance $d_k$. "
VERTEILT = "分量相互独立，均值为 0，方差为 1，则点积 $q \\cdot k$ 的均值为 0，方差为 $d_k$。"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            SPREAD + r"So we scale the dot products by $\frac{1}{d_k}$.",
            r"scale the dot products by $\frac{1}{\sqrt{d_k}}$",
        ),
        (SPREAD + "Hence divide the scores by $d_k$.", r"divide the scores by $\sqrt{d_k}$"),
        (VERTEILT + r"因此用 $\frac1{d_k}$ 来缩放点积。", r"用 $\frac1{\sqrt{d_k}}$ 来缩放点积"),
    ],
)
def test_products_of_variance_d_k_are_not_scaled_by_the_inverse_of_d_k(text, right):
    assert said(text)[-1] == ("fails", right)


@pytest.mark.parametrize(
    "text",
    [
        SPREAD + r"So we scale the dot products by $\frac{1}{\sqrt{d_k}}$.",
        VERTEILT + r"因此点积除以 $\sqrt{d_k}$。",
    ],
)
def test_they_are_scaled_by_its_root(text):
    assert [verdict for verdict, _ in said(text)] == ["holds", "holds"]


@pytest.mark.parametrize(
    "text",
    [
        r"We scale the dot products by $\frac{1}{d_k}$.",  # nothing says why
        SPREAD + r"Dividing by a constant divides the variance by its square, here by $d_k$.",
    ],
)
def test_other_scales_are_left_alone(text):
    assert "fails" not in [verdict for verdict, _ in said(text)]


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("* $Var[x]$ 是标准差", ["fails"]),
        ("* $\\mathrm{Var}(x)$ is the standard deviation", ["fails"]),
        ("* `Var[x]` 表示方差", ["holds"]),
        ("* $E[x]$ is the mean", ["holds"]),
        ("* $Var[x]$ is the standard deviation squared", []),
        ("* $Var[x]$ 是标准差的平方", []),
    ],
)
def test_the_names_of_moments(text, verdicts):
    assert [verdict for verdict, _ in said(text)] == verdicts


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("In float16, $e^x$ overflows if $x \\ge 11$.", ["fails"]),  # e^11 = 59874 < 65504
        ("In float16, $e^x$ overflows if $x \\ge 12$.", ["holds"]),
        ("In fp16, exp(x) overflows for x > 11.", []),  # 11.09, it may be, without its decimals
        ("In fp16, exp(x) overflows for x > 9.", ["fails"]),
        ("在float16中，$e^x$ 当 $x \\ge 11$ 时溢出。", ["fails"]),
        ("fp32 中 $e^x$ 在 x 大于 80 时溢出。", ["fails"]),
        ("fp32 中 $e^x$ 在 x 大于 88.7 时溢出。", ["holds"]),
        ("In float16, $e^x$ does not overflow if $x \\ge 11$.", []),
        ("The sum overflows for x > 11.", []),
    ],
)
def test_from_where_on_an_exponential_overflows(text, verdicts):
    assert [verdict for verdict, _ in said(text)] == verdicts


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"The weights $A \in \mathbb{R}^{900 \times 900}$ take 2.4MB (float32).", ["fails"]),  # 3.24 MB, 3.09 MiB
        (r"The weights $A \in \mathbb{R}^{900 \times 900}$ take 3.2 MB (float32).", ["holds"]),
        (r"The weights $A \in \mathbb{R}^{900 \times 900}$ take 3.1 MB (float32).", ["holds"]),
        (r"The weights $A \in \mathbb{R}^{900 \times 900}$ of 8 heads take 25.9 MB (float32).", []),
        (r"The weights $A \in \mathbb{R}^{900 \times 900}$ take 2.4MB.", []),
        ("For 1024 × 1024 inputs in fp16, the model needs 21 GB.", []),
        ("用fp16存储 4096 × 4096 的矩阵需要 32 MB。", ["holds"]),
        ("A matrix of 4096 × 4096 in fp16 takes 21 MB.", ["fails"]),
    ],
)
def test_the_memory_of_a_matrix(text, verdicts):
    assert [verdict for verdict, _ in said(text) if verdict] == verdicts


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("$O(L D^2 + L^D)$", [("fails", "O(L D^2 + L^2D)")]),
        ("$O(n^d + n d^2)$", [("fails", "O(n^2d + n d^2)")]),
        ("$O(L D^2 + L^2 D)$", []),
        ("$O(N^d)$", []),  # of a grid
    ],
)
def test_no_cost_of_attention_has_a_width_for_a_power(order, found):
    assert said(f"Attention costs {order}.") == found
    assert said(f"A search costs {order}.") == []


@pytest.mark.parametrize("text", [
    "Var[x] is the standard deviation squared.",
    "Here Var[x] is the mean square deviation, and Var(x) is the expectation $E[(x - m)^2]$.",
    "In float32, e^x with x > 20 is still computed without overflow.",
    "With batches > 16 the exponential may cause overflow in float16.",
    SPREAD + r"The scores are divided by $\sqrt{d_{model}}$.",
    SPREAD + r"With μP we divide the scores by $d_k$.",
])  # fmt: skip
def test_what_is_said_of_something_else_is_left_alone(text):
    found = [
        each for each in check_article(read_article("a.md", text + "\n")).formulas if "moments" not in each.theorem.key
    ]
    assert found == []


def test_a_bias_has_a_slope_of_one():
    text = r"With $z = W x + b$: "
    text += r"$\frac{\partial L}{\partial b} = \frac{\partial L}{\partial a} \frac{\partial a}{\partial z}$"
    assert "fails" not in [verdict for verdict, _ in said(text)]
