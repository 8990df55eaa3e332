"""What notes write down line by line: masks by conditions, how far scores spread."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(text):
    return [(each.line, each.verdict, each.right) for each in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("M[i][j] = 0 if j ≤ i", ("holds", None)),
        ("mask[i, j] = -inf if j > i", ("holds", None)),
        ("mask[i, j] = -inf if i < j", ("holds", None)),
        ("M[i][j] = 0 if j >= i", ("fails", "M[i][j] = 0 if j ≤ i")),
        ("M[i][j] = -1e9 when j < i", ("fails", "M[i][j] = -1e9 when j > i")),
        ("M[i][j] = 0 if j < i", None),  # another line may have the rest
    ],
)
def test_a_causal_mask_line_by_line(line, said):
    found = judged(f"The causal mask of a decoder, -inf where it hides:\n\n```\n{line}\n```\n")
    assert found == ([] if said is None else [(4, *said)])


@pytest.mark.parametrize(
    ("line", "verdicts"),
    [
        (r"$M_{ij} = -\infty$ if $j > i$, and 0 otherwise", ["holds"]),
        (r"$M_{ij} = 0 \text{ if } j \leq i$, and −∞ otherwise", ["holds"]),
        (r"$M_{ij} = 0$ if $j \leq i$", []),  # it may be multiplied, and hide
        (r"$M_{ij} = -\infty$ if $j < i$", []),  # i may be the key
        (r"$M_{ij} = -\infty$ if $j > i + 1$", []),
        (r"$M_{ij} = -\infty$ if $j > i - w$ or $j < 0$", []),
        (r"$M_{ij} = -\infty$ if $j > i$ or $j < p$", []),
    ],
)
def test_a_causal_mask_in_a_sentence(line, verdicts):
    assert [found[1] for found in judged(f"The causal mask adds {line}.\n")] == verdicts


def test_a_mask_that_nobody_calls_causal_is_left_open():
    assert judged("The mask:\n\n```\nM[i][j] = 0 if j >= i\n```\n") == []


def test_a_factor_of_other_letters_is_left_open():
    assert judged("With m = max(m1, m2):\n\n```\np2 = exp((m - m3) * scale)\n```\n") == []


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("d_k = 64, the std is 8", ("holds", None)),
        ("d_k = 64, the std is 64", ("fails", "d_k = 64, the std is √64")),
        ("d_k = 64, the std is 16", None),
        ("d_k = 2, the standard deviation is 1.41", ("holds", None)),  # √2 = 1.414
        ("d_k = 2, the standard deviation is 2", ("fails", "d_k = 2, the standard deviation is √2")),
        ("d_k = 2, the standard deviation is 1.5", None),
        ("d_k = 5, the std is 2.24", ("holds", None)),  # √5 = 2.236
        ("d_k = 3, the std is 1.74", None),  # √3 = 1.732
        ("d_k = 1, the std is 1", None),
        ("d_k = 64, after scaling the std is 8", None),
        ("d_k = 64, after scaling the std is 64", None),
    ],
)
def test_how_far_scores_spread(sentence, said):
    assert judged(f"The variance is d_k.\n\nWith {sentence}.\n") == ([] if said is None else [(3, *said)])
    assert judged(f"With {sentence}.\n") == []
