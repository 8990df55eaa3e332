"""Claims that stand in words: how caches grow, what scaling costs, unit vectors, weights in [0, 1], heads repeated."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(text):
    return [(each.verdict, each.right) for each in check_article(read_article("a.md", text + "\n")).formulas]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They need an $O(T^2)$ KV cache, which is large.", [("fails", "$O(T)$ KV cache")]),
        ("The KV cache grows as O(n²).", [("fails", "KV cache grows as O(n)")]),
        ("They need an $O(T)$ KV cache, which is large.", []),
        ("Every step repeats $O(T^2)$ KV cache reads.", []),
        ("The cost is $O(T^2)$. A KV cache avoids that.", []),
        ("The KV cache grows as O(d²).", []),  # in another size
    ],
)
def test_a_cache_grows_in_proportion_to_the_tokens(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("With a KV cache: O(1) attention computation per token.", ["fails"]),
        ("With a KV cache: O(n) attention computation per token.", []),
        ("Linear attention needs no KV cache: O(1) attention computation per token.", []),
        ("O(1) attention computation per token.", []),
    ],
)
def test_a_step_with_a_cache_still_meets_all_keys(text, verdicts):
    assert [verdict for verdict, _ in said(text)] == verdicts


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        (r"用 $\sqrt{d_k}$ 缩放后，点积的计算复杂度从 $O(d_k^2)$ 降到 $O(d_k)$。", ["fails"]),
        (r"Scaling by √d_k: the complexity of the dot product drops from O(d²) to O(d).", ["fails"]),
        (r"用 $\sqrt{d_k}$ 缩放后，注意力的计算复杂度从 $O(n^2)$ 降到 $O(n)$。", []),
        (r"换用低秩近似后，点积的计算复杂度从 $O(d_k^2)$ 降到 $O(d_k)$。", []),
    ],
)
def test_scaling_lowers_no_cost(text, verdicts):
    assert [verdict for verdict, _ in said(text)] == verdicts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "For random unit vectors the variance of the dot product is $d$.",
            [("fails", "variance of the dot product is $1/d$")],
        ),
        ("For random unit vectors the variance of the dot product is $1/d$.", []),
        ("Unlike for unit vectors, the variance of the dot product is $d$.", []),
        ("For random unit vectors scaled by √d the variance of the dot product is $d$.", []),
        ("Unit vectors are short. The variance of the dot product is $d$.", []),
    ],
)
def test_products_of_unit_vectors_have_the_variance_1_over_d(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"w_i = \text{softmax}(q^T k_i) \cdot v_i", ["fails"]),
        (r"w_i = \text{softmax}(q^T k_i)", ["holds"]),
        (r"w_i = \text{softmax}(q^T k_i) \cdot c", []),
        (r"u_i = \text{softmax}(q^T k_i) \cdot v_i", []),
    ],
)
def test_a_weight_times_a_value_may_be_any_number(formula, verdicts):
    found = check_article(read_article("a.md", f"$${formula}$$\n\nHere $w_i \\in [0, 1]$.\n")).formulas
    assert [each.verdict for each in found if each.line == 3] == verdicts


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("repeat_interleave(3)", [("holds", None)]),
        ("repeat_interleave(2)", [("fails", "K [7, 2, 64] → repeat_interleave(3) → K_all [7, 6, 64]")]),
        ("repeat_interleave(3, dim=1)", [("holds", None)]),
        ("repeat_interleave(3, dim=2)", [("fails", "K [7, 2, 64] → repeat_interleave(3, dim=2) → K_all [7, 6, 64]")]),
    ],
)
def test_repeated_heads_are_so_many_times_as_many(call, expected):
    found = said(f"```\nK [7, 2, 64] → {call} → K_all [7, 6, 64]\n```")
    assert [verdict for verdict, _ in found] == [verdict for verdict, _ in expected]
    assert found[0][1] == expected[0][1] or "dim=2" in call


def test_bytes_may_be_called_about_so_many():
    for amount, verdict in (("~2GB", "holds"), ("about 2 GB", "holds"), ("~5.5GB", "fails")):
        assert [v for v, _ in said(f"```\n2 × 32 × 4096 × 4096 × 2 bytes = {amount}\n```")] == [verdict]
