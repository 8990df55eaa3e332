# ruff: noqa: E501 -- tables of formulas
"""One meaning, many spellings: what articles write, and the tree on one line."""

import pytest

from symattn.errors import FormulaError
from symattn.reading.formula import parse
from tests.reading.formula.structure import show


def shown(text: str) -> list[str]:
    return [show(chain) for chain in parse(text)]


TRANSPOSES = [r"K^T", r"K^\top", r"K^{T}", r"K^{\top}", r"K^{\mathsf T}", r"K^{\mathrm{T}}", r"K^\intercal", r"K^{\text{T}}",
              "K.T", "Kᵀ", "K⊤", "K^⊤", "K.transpose(-2, -1)", "K.transpose(dim0=0, dim1=1)", "K.transpose()", "K.t()", r"{K}^T", r"\mathbf{K}^{\rm T}"]  # fmt: skip


@pytest.mark.parametrize("text", TRANSPOSES)
def test_transpose(text: str) -> None:
    assert shown(text) == ["(T K)"]


@pytest.mark.parametrize(
    "text",
    [r"\text{softmax}(S)", r"\mathrm{Softmax}(S)", r"\operatorname{softmax}(S)", r"\softmax(S)", "softmax(S)",
     r"softmax\left(S\right)", "np.softmax(S)", "F.softmax(S)", r"\mathbf{softmax}\bigl(S\bigr)", r"\textrm{SoftMax}\!(S)"],
)  # fmt: skip
def test_softmax(text: str) -> None:
    assert shown(text) == ["(softmax S)"]


@pytest.mark.parametrize(
    "text",
    [
        "-inf",
        r"-\infty",
        "-∞",
        "−∞",
        "float('-inf')",
        'float("-inf")',
        "-np.inf",
        "-Infinity",
        "-math.inf",
        r"\text{-inf}",
    ],
)
def test_minus_infinity(text: str) -> None:
    assert shown(text) == ["-∞"]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        # names
        ("W^Q", "W^Q"), (r"W^{Q}", "W^Q"), (r"\mathbf{W}^Q", "W^Q"), (r"W_i^Q", "W_i^Q"), (r"W^Q_i", "W_i^Q"),
        ("Wq", "W_q"), ("WQ", "W_Q"), (r"WK1 = 1", "W_K1 = 1"), ("Q^{(2)}", "Q^(2)"), (r"W_V^{(2)}", "W_V^(2)"),
        (r"\text{head}_1", "head_1"), ("head1", "head_1"), (r"\mathbf{q}_1", "q_1"), ("x₁", "x_1"), ("q1", "q_1"),
        (r"d_{\text{model}}", "d_model"), (r"d_\text{model}", "d_model"), ("d_model", "d_model"),
        (r"\sqrt{d_{\mathrm{model}}}", "(sqrt d_model)"), ("attn_weights", "attn_weights"), ("K_T", "K_T"),
        ("分数_11", "分数_11"), (r"\text{权重\_11}", "权重_11"), (r"A^{\text{causal}}", "A^causal"),
        (r"\text{Attention Weights}^2 \cdot V^2", "(mul· Attention Weights^2 V^2)"), (r"S' = S", "S^′ = S"),
        (r"o_t^{(\mathrm{no-cache})}", "o_t^(no-cache)"), (r"A_{h,\mathrm{causal}}", "A_h,causal"),
        ("V[0]", "V[0]"), ("scores[0][1]", "scores[0][1]"), ("attention_scores[0]", "attention_scores[0]"),
        # products
        ("QK", "(mul Q K)"), ("QK^T", "(mul Q (T K))"), (r"XW^Q", "(mul X W^Q)"), (r"QW_i^Q", "(mul Q W_i^Q)"),
        (r"QK^\top V", "(mul Q (T K) V)"), ("QK^TV", "(mul Q (T K) V)"), ("Q @ K.T", "(mul@ Q (T K))"),
        # one token above or below without braces, as TeX has it
        ("q_i^Tk_j", "(mul (T q_i) k_j)"), ("P^TdO", "(mul (T P) dO)"), ("XW_QW_K^TX^T", "(mul X W_Q (T W_K) (T X))"), ("W_QX", "(mul W_Q X)"),
        ("p_iv_i", "(mul p_i v_i)"), ("q^T_ik_j", "(mul (T q_i) k_j)"), ("W_QK^T", "(T W_QK)"), ("n_kv_heads", "n_kv,heads"), ("S_ij^2", "S_ij^2"),
        ("||x||", "(norm x)"), ("‖x‖", "(norm x)"), ("[A || B]", "(concat A B)"), ("[2||x||, 1]", "[(mul 2 (norm x)) 1]"),
        ("Q * K'", "(mul* Q (T K))"), (r"x_iW^Q", "(mul x_i W^Q)"), (r"\alpha q_ik_j", "(mul α q_i k_j)"),
        (r"A \odot B", "(mul⊙ A B)"), (r"A \circ B", "(mul⊙ A B)"), ("A ⊙ B", "(mul⊙ A B)"),
        ("torch.matmul(Q, K.transpose(-2, -1))", "(mul@ Q (T K))"), (r"X W_Q^T", "(mul X (T W_Q))"),
        (r"{W^Q}^T", "(T W^Q)"), (r"W^{K^T}", "(T W^K)"), ("X W^Q (X W^K)^T", "(mul X W^Q (T (mul X W^K)))"), (r"Q\mathbf{K^T}", "(mul Q (T K))"), ("0.5[2,3]", "(mul 0.5 [2 3])"),
        ("0.82(1) + 0.44(1)", "(add (mul 0.82 1) (mul 0.44 1))"), (r"A \left(XW^V\right)", "(mul A (mul X W^V))"),
        ("q1 . k1 = [1, 0] . [1, 1] = 1", "(mul· q_1 k_1) = (mul· [1 0] [1 1]) = 1"),
        # quotients, roots, powers
        (r"\frac12", "(div 1 2)"), (r"\tfrac{1}{1.414}", "(div 1 1.414)"), ("10/1.414", "(div 10 1.414)"), ("6 ÷ 2", "(div 6 2)"),
        ("QK^T / sqrt(d_k) * V", "(mul* (div (mul Q (T K)) (sqrt d_k)) V)"), ("√d_key", "(sqrt d_key)"), ("1/√2", "(div 1 (sqrt 2))"),
        ("A ** 2", "(pow A 2)"), (r"\sqrt{d_k}^2", "(pow (sqrt d_k) 2)"), (r"\frac{a}{b}^2", "(pow (div a b) 2)"), ("d_k ** 0.5", "(pow d_k 0.5)"), ("4^2 + 5^2", "(add (pow 4 2) (pow 5 2))"), (r"x^{-1}", "(pow x -1)"),
        ("e^{-0.5}", "(exp -0.5)"), (r"\exp(-0.5)", "(exp -0.5)"), ("np.exp(-0.5)", "(exp -0.5)"), ("e^0.577", "(exp 0.577)"), ("x²", "(pow x ²)"),
        # functions
        (r"\mathrm{softmax}_{\text{row}}(S)", "(softmax_row S)"), ("softmax_j(z)", "(softmax_j z)"), ("softmax(x, dim=-1)", "(softmax x dim=-1)"),
        (r"\softmax(z)_j", "(entry (softmax z) j)"), (r"(QK^T)_{ij}", "(entry (mul Q (T K)) ij)"), (r"\ln 2", "(log 2)"),
        (r"\max(0, x)", "(max 0 x)"), (r"\text{LayerNorm}(x + y)", "(layernorm (add x y))"), (r"\tanh(x)", "(tanh x)"),
        (r"\text{MultiHead}(Q,K,V)", "(multihead Q K V)"), ("np.concatenate([a1, a2], axis=1)", "(concat a_1 a_2 axis=1)"),
        (r"\sum_j e^{z_j}", "(sum j=.. (exp z_j))"), (r"\sum_{j=1}^n a_{ij}v_j + b", "(add (sum j=1..n (mul a_ij v_j)) b)"),
        # numbers
        (".5", ".5"), ("1.", "1"), ("1e-06", "1e-06"), (r"32\%", r"32\%"), ("6.14×10⁻⁶", "6.14×10⁻⁶"), ("6.14*10^-6", "6.14*10^-6"),
        (r"3 \times 10^-4", r"3 \times 10^-4"), (r"3 \cdot 10^-12", r"3 \cdot 10^-12"), (r"{-}4", "{-}4"), (r"\text{a} = 2 {-} 4", "a = (add 2 -4)"),
        (r"\begin{array}{rcl} a & = & b + c \\ & = & d \end{array}", "a = (add b c) = d"),
        ("~0.85", "~0.85"), ("[0.5, ≈0.3]", "[0.5 ~0.3]"), ("-0.5", "-0.5"), ("− 0.5", "− 0.5"), (r"-\frac{1}{2}", "(add -(div 1 2))"),
    ],
)  # fmt: skip
def test_tree(text: str, tree: str) -> None:
    assert shown(text) == [tree]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (r"\begin{bmatrix} 1 & 0 \ 0 & 1 \ 1 & 0 \end{bmatrix}", "[1 0; 0 1; 1 0]"),
        ("\\begin{bmatrix}\n1&0\\\\\\\\\n0&1\\\\\\\\\n\\end{bmatrix}.", "[1 0; 0 1]"),
        (r"\begin{bmatrix} 1 & | & 2 \\ 3 & | & 4 \end{bmatrix}", "[1 2; 3 4]"),
        (r"\begin{array}{c|c} 1 & 2 \\ \hline 3 & 4 \end{array}", "[1 2; 3 4]"),
        (r"\begin{Bmatrix} 1 \\[2pt] 2 \end{Bmatrix}", "[1; 2]"),
        (r"\begin{bmatrix} \mathbf{0.00} & \textcolor{red}{4} \\ \boxed{5} & {\color{blue} 6} \end{bmatrix}", "[0.00 4; 5 6]"),
        (r"\begin{bmatrix} 0.7\times1.9 + 1{\cdot}2.2 & 10/1.414 \end{bmatrix}", "[(add (mul× 0.7 1.9) (mul· 1 2.2)) (div 10 1.414)]"),
        (r"\begin{bmatrix} -0.5 & \frac13 & e^{-3} \end{bmatrix}", "[-0.5 (div 1 3) (exp -3)]"),
        (r"\left[ 1 \quad 2 \right]", "[1 2]"),
        (r"\[\[0, 1], \[1, 0]]", "[0 1; 1 0]"),
        (r"(4.95,\, 2.83,\, 4.24)", "[4.95 2.83 4.24]"),
        ("[1, 2; 3, 4]", "[1 2; 3 4]"),
        ("[1 -2 3]", "[1 -2 3]"),
        (r"\begin{bmatrix} 3 × 10^-4 & {-}2 \\ { - }1 & 0 \end{bmatrix}", "[3 × 10^-4 {-}2; { - }1 0]"),
        ("[[0.5       ]\n [1.        ]]", "[0.5; 1.]"),
        ("[[1. 2. 3.\n  4. 5.]\n [6. 7. 8.\n  9. 0.]]", "[1. 2. 3. 4. 5.; 6. 7. 8. 9. 0.]"),
        ("array([[1., 0.],\n       [0., 1.]], dtype=float32)", "[1. 0.; 0. 1.]"),
        ("tensor([[0.2899,   -inf],\n        [0.4656, 0.1723]],\n       grad_fn=<MaskedFillBackward0>)", "[0.2899 -∞; 0.4656 0.1723]"),
        ("tensor(0.9544)", "0.9544"),
        ("np.array([[1.0, 2.0],     #--> Query\n  [3.0, 4.0]])", "[1.0 2.0; 3.0 4.0]"),
        ("[0.11, nan, 1e-06, ...]", "[0.11 nan 1e-06 …]"),
        ("[[1, 2], ..., [3, 4]]", "[1 2; …; 3 4]"),
        ("0,266 [0,34, 0,95] = [1,005, 1,041]", "(mul 0,266 [0,34 0,95]) = [1,005 1,041]"),
        ("[[10,58,106],[58,234,400]]", "[10 58 106; 58 234 400]"),
    ],
)  # fmt: skip
def test_matrix(text: str, tree: str) -> None:
    assert shown(text) == [tree]


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        ("d_k = 2, \\sqrt{d_k} \\approx 1.414", ["d_k = 2", "(sqrt d_k) ≈ 1.414"]),
        (r"A = B \quad\text{(rounded)}", ["A = B"]),
        (r"Q = XW = \begin{bmatrix} 1 \end{bmatrix} W = 3", ["Q = (mul X W) = (mul [1] W) = 3"]),
        (r"A = QK^T \text{(scores)} = 3", ["A = (mul Q (T K)) = 3"]),
        (r"\text{MHA: } H = 1, \qquad \text{where } d_k = 2.", ["H = 1", "d_k = 2"]),
        (r"\begin{aligned} S &= QK^T \\ &= 3 \\ A &= S \\ &\quad + B \end{aligned}", ["S = (mul Q (T K)) = 3", "A = (add S B)"]),
        (r"= [2, 2] \to [0.62, 0.65]", ["= [2 2] → [0.62 0.65]"]),
        (r"\boxed{a = 1} \boxed{b = 2}", ["a = 1", "b = 2"]),
        (r"\underbrace{QK^T}_{\text{scores}} = 3", ["(mul Q (T K)) = 3"]),
        ("Wq = [[1, 0],\n [0, 1]]\nWk = [[2, 0],\n [0, 2]]", ["W_q = [1 0; 0 1]", "W_k = [2 0; 0 2]"]),
        ("q1 · k1 = 112    q1 · k2 = 96", ["(mul· q_1 k_1) = 112", "(mul· q_1 k_2) = 96"]),
        ("S = QK^T\n  = 3\n  ≈ 3.0", ["S = (mul Q (T K)) = 3 ≈ 3.0"]),
        (r"A_1 \neq A_2", ["A_1 ≠ A_2"]),
        (r"a = b \Rightarrow c = d", ["a = b", "c = d"]),
        ("W^O \\in \\mathbb{R}^{(Hd_v) \\times d_\\text{model}}", ["W^O ∈ (R (mul H d_v) d_model)"]),
    ],
)  # fmt: skip
def test_chains(text: str, trees: list[str]) -> None:
    assert shown(text) == trees


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0.25 x [1, 0]", "0.25 × [1, 0]"),
        ("0.25 x V1 + 0.75 x V2", "0.25 × V1 + 0.75 × V2"),
        ("1.5 x e^(3-5)", "1.5 × e^(3-5)"),
        ("1x3 + 2x-4", "1×3 + 2×-4"),
        ("(0.1x0.3)+(0.2x0.4)", "(0.1×0.3)+(0.2×0.4)"),
        ("Q x K^T", "Q × K^T"),
        ("[1, 2] x [3, 4]", "[1, 2] × [3, 4]"),
        ("64 x 64", "64 × 64"),
    ],
)
def test_an_x_that_multiplies(text: str, same: str) -> None:
    assert shown(text) == shown(same)


@pytest.mark.parametrize("text", ["2x3", "3 x (x + 1)", "0.5 x x_1"])
def test_an_x_that_may_be_a_letter_is_not_taken_for_a_sign(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text)
