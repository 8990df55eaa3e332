"""Counts and shapes that stand in words: operations, caches, the weights and axes of one head, and spreads."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(x.verdict, x.right) for x in check_article(read_article("a.md", text + "\n")).formulas]


def verdicts(text):
    return [verdict for verdict, _ in judged(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The FLOPs of a Transformer layer are `24*D^2*L + 4*D*L^2`.", ["holds"]),
        ("The FLOPs of a Transformer layer are `24*D^2*L + 5*D*L^2`.", []),
        (r"$FLOPs_{attn} = 4 \times L \times h \times s^2 \times d_k$", ["holds"]),
        (r"$FLOPs_{attn} = 2 \times L \times h \times s^2 \times d_k$", ["holds-if"]),
        (r"One multiply and one add each: $FLOPs_{attn} = 2 \times L \times h \times s^2 \times d_k$", ["fails"]),
    ],
)
def test_operations(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KV cache: per token per layer = 2 * 4 * 256 * 2 = 4096 bytes", ["holds"]),
        ("KV cache: 24 layers × 16,384 = 384 KB/token", ["holds"]),
        ("How much is stored in the KV cache is: $N = 2 * B * L * l * n_{head} * dim_{head}$", ["holds"]),
        ("The kvcache calculator has\n```\n2 * num_hidden_layers * tokens * num_kv_heads * head_size\n```", ["holds"]),
        ("The calculator has\n```\n2 * num_hidden_layers * tokens * num_kv_heads * head_size\n```", []),
    ],
)
def test_caches(text, expected):
    assert verdicts(text) == expected


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (r"$\text{Head}_i$ 的形状为 $[batchSize, seqLen, d_v]$", ["holds"]),
        (r"$\text{Head}_i$ 的形状为 $[batchSize, h, seqLen, d_v]$", ["fails"]),
        (r"$Q_i K_i^T$ 的形状为 $[batchSize, seqLen, seqLen]$", ["holds"]),
        (r"$Q_i K_i^T$ 的形状为 $[batchSize, h, seqLen, seqLen]$", ["fails"]),
    ],
)
def test_one_head_has_no_axis_of_heads(shape, expected):
    assert verdicts(f"对每个头，{shape}。") == expected
    assert "fails" not in verdicts(f"对所有头，{shape}。")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("每个注意力头的参数是H*D", ["holds"]),
        ("每个注意力头的参数是D*D", ["fails"]),
        ("N个注意力头的参数是N*H*D", ["holds"]),
        ("N个注意力头的参数是N*D*D", ["fails"]),
        ("N个注意力头的参数是H^2", ["holds"]),
    ],
)
def test_the_weights_of_a_head_read_the_whole_vector(said, expected):
    assert verdicts(f"N个注意力头，H=ND。{said}。") == expected
    assert verdicts(f"{said}。") == []  # nothing says what the letters are


@pytest.mark.parametrize(("value", "expected"), [("16", ["holds"]), ("256", ["fails"]), ("15", [])])
def test_the_standard_deviation_is_the_root_of_the_width(value, expected):
    text = r"For independent entries $\text{Var}(q \cdot k) = d_k$. "
    found = verdicts(text + f"At $d_k = 256$: the scores have std {value}.")
    assert found[-len(expected) :] == expected if expected else "fails" not in found
