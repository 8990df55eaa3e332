"""Equations that hold whatever their symbols are, of which no article says anything before."""

from __future__ import annotations

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

pytestmark = pytest.mark.slow

HOLD = [
    # exponentials and logarithms
    r"e^{a+b} = e^a e^b",
    r"\log(ab) = \log a + \log b",
    r"\frac{e^{z_i - c}}{\sum_j e^{z_j - c}} = \frac{e^{-c} e^{z_i}}{e^{-c}\sum_j e^{z_j}}"
    r" = \frac{e^{z_i}}{\sum_j e^{z_j}}",
    r"\text{softmax}(z)_i = \text{softmax}(z - c)_i",
    r"e^{s_i-m_{old}}e^{m_{old}-m_{new}} = e^{s_i - m_{new}}",
    r"\sum_i e^{s_i - m_{new}} V_i = e^{m_{old}-m_{new}} \sum_i e^{s_i-m_{old}} V_i",
    r"\log\frac{e^{z_i}}{\sum_j e^{z_j}} = z_i - \log\sum_j e^{z_j}",
    r"\frac{e^x - e^{-x}}{e^x+e^{-x}} = 2\sigma(2x) - 1",
    r"\sigma(-x) = 1 - \sigma(x)",
    # vectors
    r"\|q-k\|^2 = \|q\|^2 + \|k\|^2 - 2q^Tk",
    r"-||q - k||^2 = -||q||^2 + 2(q \cdot k) - ||k||^2",
    r"v \cdot w = \sum_{i=1}^{n} v_i w_i",
    r"\|x\|^2 = x \cdot x = \sum_i x_i^2",
    r"q_i^\top k_j=\sum_{r=1}^{d_k}q_{ir}k_{jr}",
    r"q_1 \cdot k_2 = \sum_{i=1}^{d_k} q_{1i} k_{2i}",
    r"v^T(\text{diag}(p) - pp^T)v = \sum_i p_i v_i^2 - (\sum_i p_i v_i)^2",
    # matrices
    r"(QW)(KU)^\top = QWU^\top K^\top",
    r"(\phi(Q)\phi(K)^T)V = \phi(Q)(\phi(K)^T V)",
    r"\sum_j a_j W^{UV} c_j = W^{UV}(\sum_j a_j c_j)",
    r"o_i = \sum_j \alpha_{ij} W_V x_j = W_V \sum_j \alpha_{ij} x_j",
    r"S_t = (I - \beta k_t k_t^T) S_{t-1} + \beta k_t v_t^T = S_{t-1} + \beta k_t (v_t^T - k_t^T S_{t-1})",
    # sums of constants, outer products
    r"\sum_{j=1}^n (x_j + c) = \sum_{j=1}^n x_j + nc",
    r"k \otimes v = k v^\top",
    # entries of products
    r"(QK^T)_{ij} = \sum_k Q_{ik} K_{jk}",
    r"(X W_Q)_{ij} = \sum_k X_{ik} (W_Q)_{kj}",
    r"(AV)_{ij} = \sum_{k=1}^n A_{ik} V_{kj}",
    r"(ABC)_{ij} = \sum_{k,l} A_{ik} B_{kl} C_{lj}",
    r"(ABC)_{ij} = \sum_k \sum_l A_{ik} B_{kl} C_{lj}",
    r"(Wx)_i = \sum_j W_{ij} x_j",
    r"(A + B)_{ij} = A_{ij} + B_{ij}",
    r"(A^T)_{ij} = A_{ji}",
    r"(QK^T)_{ij} = q_i \cdot k_j",
    r"\left(\frac{QK^T}{\sqrt{d_k}}\right)_{ij} = \frac{q_i^T k_j}{\sqrt{d_k}}",
    # projections put in
    r"q_i^T k_j = (W_Q x_i)^T (W_K x_j) = x_i^T W_Q^T W_K x_j",
    r"QK^T = (XW_Q)(XW_K)^T = XW_QW_K^TX^T",
    r"q_i^T k_j = x_i^T W_Q W_K^T x_j",  # by q = W_Qᵀ x
    # angles and sizes
    r"\cos(a-b) = \cos a \cos b + \sin a \sin b",
    r"q_{2i}(k_{2i}\cos\alpha - k_{2i+1}\sin\alpha) + q_{2i+1}(k_{2i}\sin\alpha + k_{2i+1}\cos\alpha)"
    r" = (q_{2i}k_{2i} + q_{2i+1}k_{2i+1})\cos\alpha + (q_{2i+1}k_{2i} - q_{2i}k_{2i+1})\sin\alpha",
    r"L * (24Bsh^2 + 4Bs^2h) = 24BLsh^2 * (1 + s/(6h))",
    # linear attention
    r"o_i = \frac{\phi(q_i)^T \sum_{j \le i} \phi(k_j) v_j^T}{\phi(q_i)^T \sum_{j \le i} \phi(k_j)}",
    r"\log \text{softmax}(z)_i = z_i - \log\sum_j e^{z_j}",
    # attention of one query as a sum
    r"\text{Attention}(Q,K,V)_i = \sum_{j=1}^{n} \frac{\exp(q_i^T k_j/\sqrt{d})}{\sum_l\exp(q_i^T k_l/\sqrt{d})} v_j",
    r"\text{Attention}(q, K, V) = \sum_i \frac{\exp(q\cdot k_i/\sqrt{d})}{\sum_j\exp(q\cdot k_j/\sqrt{d})} v_i",
    r"o_i = \sum_{j \le i} \frac{e^{q_i^\top k_j / \sqrt{d}}}{\sum_{l \le i} e^{q_i^\top k_l / \sqrt{d}}} v_j",
    # what heads and latents are
    r"\text{head}_i = \text{softmax}\left(\frac{XW_i^Q(XW_i^K)^T}{\sqrt{d_k}}\right)XW_i^V",
    r"\text{GQA}(Q, K, V) = \text{Concat}(\text{head}_1, \ldots, \text{head}_h) W_o",
    r"c_t^{KV} = W^{DKV} h_t",
    r"k_t^C = W^{UK} c_t^{KV}",
    r"k_j = W_K^\top x_j",
    r"a(q, k_i) = qk_i^T",
    r"V'_i = \frac{\sum_j \phi(Q_i)^T \phi(K_j) V_j}{\sum_j \phi(Q_i)^T \phi(K_j)}",
    r"y_i = \frac{\phi(q_i) \sum_{j \le i} \phi(k_j)^T v_j}{\phi(q_i) \sum_{j \le i} \phi(k_j)^T}",
]
FAIL = {  # each with what is right
    r"(QK^T)_{ij} = \sum_k Q_{ik} K_{kj}": r"(QK^T)_{ij} = \sum_k Q_{ik} K_{jk}",
    r"(Wx)_i = \sum_j W_{ji} x_j": r"(Wx)_i = \sum_j W_{ij} x_j",
    r"\|q-k\|^2 = \|q\|^2 + \|k\|^2 + 2q^Tk": r"\|q-k\|^2 = \|q\|^2 + \|k\|^2 - 2q^Tk",
    r"(QW)(KU)^\top = QWK^\top U^\top": r"(QW)(KU)^\top = QWU^\top K^\top",
    r"(W_Q x_i)^T (W_K x_j) = x_i^T W_Q W_K^T x_j": r"(W_Q x_i)^T (W_K x_j) = x_i^T W_Q^T W_K x_j",
    r"(W_Q x_i)^T (W_K x_j) = x_i^T W_K^T W_Q x_j": r"(W_Q x_i)^T (W_K x_j) = x_i^T W_Q^T W_K x_j",
}
OPEN = [  # false, or true of some symbols only: nothing is said
    r"\sum_{j=1}^n c = 3c",
    r"\sum_{j=1}^n c = 2c",
    r"x \otimes y = y \otimes x",
    r"A \otimes B = B \otimes A",
    r"(A^T)_{ij} = A_{ij}",
    r"(QK^T)_{ij} = q_j \cdot k_i",
    r"(QK^T)_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}}",
    r"AB = BA",
    r"QK^T = KQ^T",
    r"J^T g = J g",  # J may be symmetric
    r"\text{softmax}(-\gamma \|q - k\|^2) = \text{softmax}(2\gamma (q \cdot k) - \|k\|^2)",  # of one number it is 1
    r"\sum_j a_j W c_j = (\sum_j a_j) W (\sum_j c_j)",
    r"QK^T = X W^Q W^K X^T",
    r"\sum_j x_{j+1} = \sum_j x_j",
    r"\sum_j a_{ij} b_j = a_{ij} \sum_j b_j",
    r"\sum_j a_j W x_j = \sum_j a_j x_j W",
    r"o_i = \frac{\sum_j \exp(q_i^\top k_j / d) v_j}{\sum_j \exp(q_i^\top k_j / \sqrt{d})}",
    r"k_t^C = W^{UV} c_t^{KV}",
]


def judged(formula: str) -> list[tuple[str, str | None]]:
    return [(x.verdict, x.right) for x in judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas]


@pytest.mark.parametrize("formula", HOLD)
def test_what_holds_of_any_symbols(formula: str) -> None:
    assert judged(formula) == [("holds", None)]


@pytest.mark.parametrize(("formula", "right"), FAIL.items())
def test_a_slip_is_named(formula: str, right: str) -> None:
    assert judged(formula) == [("fails", right)]


@pytest.mark.parametrize("formula", OPEN)
def test_nothing_is_said_of_what_may_hold_of_some(formula: str) -> None:
    assert judged(formula) == []


def test_the_row_sums_of_the_backward_pass() -> None:
    known = "$P = \\text{softmax}(S)$ and $O = PV$. "
    for formula in (r"D = \text{rowsum}(dO \circ O)", r"D_i = \sum_j P_{ij} dP_{ij} = dO_i^T O_i"):
        found = judge_formulas(read_article("a.md", f"{known}$${formula}$$\n")).formulas
        assert [x.verdict for x in found] == ["holds"] * 3
    other = judge_formulas(read_article("a.md", known + r"$$D = \text{rowsum}(dO \circ V)$$" + "\n")).formulas
    assert len(other) == 2  # P and O alone


def test_a_name_that_was_just_given_another_formula() -> None:
    text = r"$$S = (W^{UK} c^{KV})^T (W^{UQ} c^Q)$$ Expanding: $$S = (c^{KV})^T W^{UK} W^{UQ} c^Q$$"
    found = judge_formulas(read_article("a.md", text + "\n")).formulas
    assert [(x.verdict, x.right) for x in found] == [("fails", r"S = (c^{KV})^T (W^{UK})^T W^{UQ} c^Q")]


def test_deep_and_long_ones_are_left_alone() -> None:
    deep = "".join(rf"\sum_{{{c}}} " for c in "ijklmn") + "a_i b_j"
    assert judged(f"{deep} = 2 {deep}") == []
    long = " + ".join(f"a_{{{k}}}" for k in range(300))
    assert judged(f"2({long}) = {long} + {long}") == []


TURN = r"\begin{pmatrix} a & -b \\ b & a \end{pmatrix} \begin{pmatrix} x_1 \\ x_2 \end{pmatrix} = "


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (TURN + r"\begin{pmatrix} a x_1 - b x_2 \\ b x_1 + a x_2 \end{pmatrix}", ["holds"]),
        (TURN + r"\begin{pmatrix} a x_1 + b x_2 \\ b x_1 + a x_2 \end{pmatrix}", ["fails"]),
        (TURN + r"a \begin{pmatrix} x_1 \\ x_2 \end{pmatrix} + b \begin{pmatrix} -x_2 \\ x_1 \end{pmatrix}", ["holds"]),
        (TURN + r"\begin{pmatrix} y_1 \\ y_2 \end{pmatrix}", []),
    ],
)
def test_matrices_written_out_are_multiplied(formula, said):
    found = judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas
    assert [x.verdict for x in found] == said


@pytest.mark.parametrize(("formula", "expected"), [
    (r"\log \text{softmax}(x)_i = x_i - \log \sum_j e^{x_j}", ["holds"]),
    (r"\log \text{softmax}(x)_i = x_i + \log \sum_j e^{x_j}", ["fails"]),
    (r"\log \sum_j e^{x_j} = m + \log \sum_j e^{x_j - m}", ["holds"]),
    (r"\log \sum_j e^{x_j} = m - \log \sum_j e^{x_j - m}", ["fails"]),
    (r"\log \sum_j e^{x_j} = m \, \log \sum_j e^{x_j - m}", ["fails"]),  # for m +
    (r"\log \sum_j e^{x_j} = m + \sum_j \log e^{x_j - m}", ["fails"]),  # of n terms it is Σ x_j − (n − 1) m
    (r"\sin(a + b) = \sin a \cos b + \cos a \sin b", ["holds"]),
    (r"\sin(a + b) = \sin a \cos b - \cos a \sin b", ["fails"]),  # at a = 0 it is −sin b
    (r"\cos((m - n)\theta) = \cos m\theta \cos n\theta - \sin m\theta \sin n\theta", ["fails"]),  # 1 at m = n
    (r"\sin(a + b) \approx \sin a + b \cos a", []),
    (r"\cos(x + \pi/2) = \sin x", []),
    (r"\log \sum_j e^{x_j} = b + \log \sum_j e^{x_j + b}", []),  # an equation for b, it may be
])  # fmt: skip
def test_logarithms_and_sines_of_sums_are_functions_of_their_letters(formula, expected):
    assert [x.verdict for x in judge_formulas(read_article("a.md", f"$${formula}$$\n")).formulas] == expected


@pytest.mark.parametrize("formula", ["TT^*=T^*T", "TR=RT", "GT=TG"])
def test_matrices_that_are_turned_round_need_not_agree(formula: str) -> None:
    """Numbers would."""
    found = judge_formulas(read_article("a.md", f"where ${formula}$.")).formulas
    assert [each.verdict for each in found] == []


def test_numbers_that_are_turned_round_agree() -> None:
    found = judge_formulas(read_article("a.md", "where $T(a+b) = bT + aT$.")).formulas
    assert [each.verdict for each in found] == ["holds"]


@pytest.mark.parametrize(
    "formula",
    [
        r"diag(a) S = S diag(a)",
        r"f(a) S_t = S_t f(a)",
        r"f(a) g(b) = g(b) f(a)",
        r"\Lambda S = S \Lambda",
        r"\Lambda_1 \Lambda_2 = \Lambda_2 \Lambda_1",
    ],
)
def test_what_may_be_a_matrix_is_not_exchanged_with_another(formula: str) -> None:
    assert judged(formula) == []


@pytest.mark.parametrize("formula", [r"\alpha S = S \alpha", r"diag(a) S + diag(a) T = diag(a) (S + T)"])
def test_numbers_are_exchanged_and_matrices_multiplied_out(formula: str) -> None:
    assert [verdict for verdict, _ in judged(formula)] == ["holds"]
