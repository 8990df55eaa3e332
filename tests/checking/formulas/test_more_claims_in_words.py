"""Claims that stand in words: how caches grow, unit vectors, heads repeated."""

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
