# ruff: noqa: E501, PT017 -- tables of formulas; a refusal is one of two right outcomes
"""Real articles: their clean formulas parse, their raw lines parse or are refused, and every digit keeps its place."""

import json
from pathlib import Path

import pytest

from symattn.errors import FormulaError
from symattn.reading.formula import Chain, Number, parse, walk
from tests.reading.formula.structure import show

ARTICLES = json.loads((Path(__file__).parents[2] / "data" / "formulas.json").read_text("utf-8"))["articles"]


def require_places(text: str, chains: tuple[Chain, ...]) -> None:
    for chain in chains:
        for side in chain.sides:
            assert 0 <= chain.start <= side.start <= side.end <= chain.end <= len(text)
            for node in walk(side.expression):
                assert 0 <= node.start < node.end <= len(text), (text, node)
                if isinstance(node, Number) and not node.approximate:
                    assert text[node.start : node.end] == node.text


def test_clean_formulas_parse() -> None:
    for text in {t for a in ARTICLES for t in a["formulas"]}:
        chains = parse(text)
        assert len(chains) == 1, text
        assert len(chains[0].sides) >= 2 or "=" not in text, text
        require_places(text, chains)


def test_raw_lines_parse_or_are_refused() -> None:
    for text in {t for a in ARTICLES for t in a["lines"]}:
        try:
            chains = parse(text)
        except FormulaError as refusal:
            assert 0 <= refusal.start <= refusal.end <= len(text), text
        else:
            require_places(text, chains)


FIRST_SEED = [
    (r"Attention(Q, K, V) = softmax(\frac{QK^T}{\sqrt{d_k}})V",
     "(attention Q K V) = (mul (softmax (div (mul Q (T K)) (sqrt d_k))) V)"),
    ("A = [0, 1, 2, 3]", "A = [0 1 2 3]"),
    (r"Q = X \cdot W^Q", "Q = (mul· X W^Q)"),
    (r"= \begin{bmatrix} 1 & 5 \\ 9 & 13 \end{bmatrix}", "= [1 5; 9 13]"),
    ("Q^A", "Q^A"), ("k^A", "k^A"),
    (r"K^T = \begin{bmatrix} 5 & 13 & 21 \\ 1 & 9 & 17 \end{bmatrix}", "(T K) = [5 13 21; 1 9 17]"),
    (r"QK^T = \begin{bmatrix} 1 & 5 \end{bmatrix} \cdot \begin{bmatrix} 5 \\ 1 \\ \end{bmatrix}", "(mul Q (T K)) = (mul· [1 5] [5; 1])"),
    (r"= \begin{bmatrix} 10/1.414 & 58/1.414 \end{bmatrix}", "= [(div 10 1.414) (div 58 1.414)]"),
    (r"\approx \begin{bmatrix} 7.07 & 41.02 \end{bmatrix}", "≈ [7.07 41.02]"),
    ("z = [z_1, z_2, ..., z_k]", "z = [z_1 z_2 … z_k]"),
    (r"Softmax(z_i) = \frac{e^{z_i}}{\sum_{j=1}^{K} e^{z_j}}", "(softmax z_i) = (div (exp z_i) (sum j=1..K (exp z_j)))"),
    ("[-67.89, -33.94, 0]", "[-67.89 -33.94 0]"), (r"e^0 = 1", "(exp 0) = 1"),
]  # fmt: skip
OTHER_SEEDS = [
    ("Score_i = Q · K_i / sqrt(d_k)", "Score_i = (div (mul· Q K_i) (sqrt d_k))"),
    ("AttentionWeights = Softmax(Scores)", "AttentionWeights = (softmax Scores)"),
    ("OutputVector_当前词 = sum(AttentionWeights_i * V_i)", "OutputVector_当前词 = (sum (mul* AttentionWeights_i V_i))"),
    ("Q_i = Q * W_q^{(i)}", "Q_i = (mul* Q W_q^(i))"),
    ("head_i = Attention(Q_i, K_i, V_i) = softmax( (Q_i * K_i^T) / sqrt(d_k_i) ) * V_i",
     "head_i = (attention Q_i K_i V_i) = (mul* (softmax (div (mul* Q_i (T K_i)) (sqrt d_k,i))) V_i)"),
    ("Concat_Heads = Concat(head_1, head_2, ..., head_h)", "Concat_Heads = (concat head_1 head_2 … head_h)"),
    ("h * (d_model / h) = d_model", "(mul* h (div d_model h)) = d_model"),
    (r"q_1 = x_1 \cdot W^Q", "q_1 = (mul· x_1 W^Q)"), ("分数₁₁ = Q₁·K₁ᵀ", "分数_11 = (mul· Q_1 (T K_1))"),
    (r"z_1 = \text{权重\_11} \cdot v_1 + \text{权重\_12} \cdot v_2", "z_1 = (add (mul· 权重_11 v_1) (mul· 权重_12 v_2))"),
    ("Q = X @ Wq", "Q = (mul@ X W_q)"), ("[4, 16, 512] @ [512, 512] = [4, 16, 512]", "(mul@ [4 16 512] [512 512]) = [4 16 512]"),
    ("Softmax([0.3, -∞, -∞, -∞]) = [1.0, 0.0, 0.0, 0.0]", "(softmax [0.3 -∞ -∞ -∞]) = [1.0 0.0 0.0 0.0]"),
    ("点积 / √128 ≈ 点积 / 11.3", "(div 点积 (sqrt 128)) ≈ (div 点积 11.3)"),
    ("output[i] = 0.7 × V[j] + 0.3 × V[k]", "output[i] = (add (mul× 0.7 V[j]) (mul× 0.3 V[k]))"),
    ("scores = scores / (d_k ** 0.5)", "scores = (div scores (pow d_k 0.5))"),
    (r"W^O \in \mathbb{R}^{hd_v \times d_\text{model}}", "W^O ∈ (R (mul h d_v) d_model)"),
    (r"A = \text{softmax}(QK^T/\sqrt{d_k})", "A = (softmax (div (mul Q (T K)) (sqrt d_k)))"),
    (r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{k=1}^n \exp(e_{ik})}", "a_ij = (div (exp e_ij) (sum k=1..n (exp e_ik)))"),
    (r"o_i = \sum_{j=1}^n a_{ij}v_j", "o_i = (sum j=1..n (mul a_ij v_j))"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), FIRST_SEED + OTHER_SEEDS)
def test_the_formulas_of_the_seeds(text: str, tree: str) -> None:
    assert [show(chain) for chain in parse(text)] == [tree]
