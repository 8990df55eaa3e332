"""Sizes of caches of keys and values: products without a name, heads counted twice, rows of tables."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    return [(each.verdict, each.right) for each in found]


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("Storage: `2 * n_layers * n_kv_heads * head_dim * block_size * 2 bytes` for a block.", ["holds"]),
        ("Storage: `3 * n_layers * n_kv_heads * head_dim * block_size * 2 bytes` for a block.", []),
        ("Use `2 * num_layers * num_key_value_heads * head_dim * dtype_bytes` for a token.", ["holds"]),
        ("Weights: `2 * n_layers * hidden_size * ffn_size * dtype_bytes` for a model.", []),
        ("```\nbytes_token = L * H * D * 2(K + V) * bytes_dtype\n```", ["holds"]),
        ("```\nkv_cache_gb = 2 * n_layers * hidden_size * seq_len * bytes_per_dtype / 1e9\n```", ["holds"]),
        ("```\nkv_cache_gb = n_layers * hidden_size * seq_len * bytes_per_dtype / 1e9\n```", ["fails"]),
    ],
)
def test_products(text, verdicts):
    assert [verdict for verdict, _ in said(text)] == verdicts


@pytest.mark.parametrize(
    ("product", "expected"),
    [
        ("2 * num_layers * num_heads * head_dim * dtype_bytes", [("holds", None)]),
        (
            "2 * num_layers * num_heads * hidden_size * 2",
            [("fails", "kv_cache_per_token = 2 * num_layers * num_heads * head_dim * 2")],
        ),
    ],
)
def test_the_hidden_width_holds_the_heads_already(product, expected):
    found = said(f"```\nkv_cache_per_token = {product}\n```")
    assert [(verdict, right) for verdict, right in found if verdict != "holds-if"] == expected


TABLE = """In {number} the KV cache takes:

| Model | layers | kv_heads | head_dim | bytes/token |
|---|---|---|---|---|
| small | 16 | 8 | 64 | {first} |
| large | 64 | 8 | 128 | {second} |
"""


@pytest.mark.parametrize(
    ("number", "first", "second", "verdicts"),
    [
        ("fp16", "32 KiB", "256 KiB", ["holds", "holds"]),  # 2·16·8·64·2 = 32768, 2·64·8·128·2 = 262144
        ("fp16", "32 KiB", "128 KiB", ["holds", "fails"]),
        ("fp16", "16 KiB", "128 KiB", []),  # all of them as they were for one byte
        ("fp8", "16 KiB", "128 KiB", ["holds", "holds"]),
        ("fp8 or fp16", "32 KiB", "128 KiB", []),
    ],
)
def test_rows_of_a_table(number, first, second, verdicts):
    found = said(TABLE.format(number=number, first=first, second=second))
    assert [verdict for verdict, _ in found] == verdicts


def test_what_a_row_should_print():
    found = said(TABLE.format(number="fp16", first="32 KiB", second="128 KiB"))
    assert found[1] == ("fails", "| large | 64 | 8 | 128 | 256 KiB |")
