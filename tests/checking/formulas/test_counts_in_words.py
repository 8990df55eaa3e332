"""Counts that stand in words: operations, caches and spreads."""

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


@pytest.mark.parametrize(("value", "expected"), [("16", ["holds"]), ("256", ["fails"]), ("15", [])])
def test_the_standard_deviation_is_the_root_of_the_width(value, expected):
    text = r"For independent entries $\text{Var}(q \cdot k) = d_k$. "
    found = verdicts(text + f"At $d_k = 256$: the scores have std {value}.")
    assert found[-len(expected) :] == expected if expected else "fails" not in found
