"""Sizes of caches of keys and values: products without a name, heads counted twice, words."""

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


@pytest.mark.parametrize(
    ("product", "verdicts"),
    [
        ("layers × tokens × (kv_lora_rank + qk_rope_head_dim) × dtype_size", ["holds"]),
        ("tokens * num_layers * (qk_rope_head_dim + kv_lora_rank) * bytes_per_element", ["holds"]),
        ("2 × layers × tokens × (kv_lora_rank + qk_rope_head_dim) × dtype_size", []),
        ("2 × layers × tokens × kv_heads × (hidden_size / attention_heads) × dtype_size", ["holds-if"]),
        ("layers × tokens × stuff × dtype_size", []),
    ],
)
def test_caches_in_words_alone(product, verdicts):
    found = check_article(read_article("a.md", f"The size:\n\nKV Cache = {product}\n"))
    assert [x.verdict for x in found.formulas] == verdicts
    assert bool(found.not_checked) == (not verdicts)


@pytest.mark.parametrize(
    ("product", "verdicts"),
    [
        ("KV缓存大小 = 2 × n_layers × seq_len × n_kv_heads × head_dim × bytes", ["holds"]),
        ("KV Cache 大小 = 2 × 层数 × KV头数 × 头维度 × 序列长度 × 字节数", ["holds"]),
        ("KV缓存 = 2 × 层数 × 序列长度 × 隐藏维度 × 字节数", ["holds"]),
        ("KV缓存大小 = num_layers × seq_len × hidden_size × 字节数", ["fails"]),
        ("KV缓存大小 = 2 × seq_len × hidden_dim × num_heads", ["fails"]),
        ("KV缓存（只缓存 K） = num_layers × hidden_size × seq_len × 字节数", []),
        ("KV缓存大小 = 层数 × 序列长度 × 宽度 × 字节数", []),
    ],
)
def test_caches_in_chinese(product, verdicts):
    found = check_article(read_article("a.md", product + "\n"))
    assert [each.verdict for each in found.formulas] == verdicts
    assert bool(found.not_checked) == (not verdicts)
