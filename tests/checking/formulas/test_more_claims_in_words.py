"""Claims that stand in words: how caches grow, and bytes."""

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


def test_bytes_may_be_called_about_so_many():
    for amount, verdict in (("~2GB", "holds"), ("about 2 GB", "holds"), ("~5.5GB", "fails")):
        assert [v for v, _ in said(f"```\n2 × 32 × 4096 × 4096 × 2 bytes = {amount}\n```")] == [verdict]
