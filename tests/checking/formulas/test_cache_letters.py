"""What a token takes in the cache of each kind of attention, in letters."""

import pytest

from symattn.checking import check_article
from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article

ROWS = {"MHA": "2 n_h d_h l", "GQA": "2 n_g d_h l", "MQA": "2 d_h l", "MLA": "(d_c + d_h^R) l"}


def judged(words="The cache per token, in elements", **changed):
    rows = "".join(f"| {kind} | ${amount}$ |\n" for kind, amount in (ROWS | changed).items())
    text = f"{words}:\n\n| | amount |\n|---|---|\n{rows}"
    return [(x.verdict, x.text) for x in judge_formulas(read_article("a.md", text)).formulas]


def test_all_kinds_hold():
    assert judged() == [("holds", amount) for amount in ROWS.values()]
    assert len(judged(MLA=r"(d_c + d_h^R) l \approx \frac{9}{2} d_h l")) == 4


@pytest.mark.parametrize(("kind", "amount"), [
    ("MHA", "n_h d_h l"), ("GQA", "4 n_g d_h l"), ("MQA", "d_h l"), ("MLA", "2 (d_c + d_h^R) l"),
])  # fmt: skip
def test_another_factor_fails_beside_rows_that_are_right(kind, amount):
    assert [found for found in judged(**{kind: amount}) if found[0] == "fails"] == [("fails", amount)]
    assert len(judged(**{kind: amount})) == 4


def test_other_letters_are_left_alone():
    assert len(judged(MQA="2 n_h d_h l")) == 3
    assert len(judged(MHA="2 n_h d_h")) == 3


def test_a_table_that_counts_keys_alone_is_left_alone():
    assert judged(MHA="n_h d_h l", GQA="n_g d_h l", MQA="d_h l", MLA="2 (d_c + d_h^R) l") == []


@pytest.mark.parametrize("words", ["Weights per token", "The cache in all", "Bytes of the cache per token"])
def test_other_tables_are_left_alone(words):
    assert judged(words, MHA="n_h d_h l") == []


def test_a_right_row_of_a_latent_does_not_tell_how_the_others_count():
    assert judged("The cache per token, for keys alone", MHA="n_h d_h l", GQA="n_g d_h l", MQA="d_h l") == []


def test_columns_of_keys_and_of_values_are_left_alone():
    assert judged(MHA="n_h d_h l$ | $n_h d_h l", MQA="2 d_h l") == []


@pytest.mark.parametrize(("row", "amount"), [
    ("GQA + CLA (one cache for two layers)", "n_g d_h l"), ("MQA, keys tied to values", "d_h l"),
])  # fmt: skip
def test_a_kind_with_more_words_is_left_alone(row, amount):
    text = f"The cache per token:\n\n| | amount |\n|---|---|\n| MHA | $2 n_h d_h l$ |\n| {row} | ${amount}$ |\n"
    assert [x.verdict for x in judge_formulas(read_article("a.md", text)).formulas] == ["holds"]


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
