"""Costs of attention in words, and steps of states; the counts were worked out by hand."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def verdicts(text):
    return [x.verdict for x in check_article(read_article("a.md", text)).formulas]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The attention matrix costs O(n^2 d) in compute and O(n^2) in memory.", ["holds"]),
        ("Softmax attention takes $O(T^2 \\cdot d)$ time and $O(T^2)$ memory.", ["holds"]),
        ("Para $QK^T$: $O(T^2 d)$ en computo y $O(T^2)$ en memoria.", ["holds"]),
        ("The attention matrix costs O(n^2) in compute and O(n^2 d) in memory.", ["fails"]),
        ("The attention matrix costs O(n^2 d) in compute and O(n) in memory.", ["holds"]),  # by tiles
        ("A convolution costs O(n^2 d) in compute and O(n^2) in memory.", []),
        ("By associativity the cost falls from O(n^2 d) to O(n d^2).", ["holds"]),
        ("Linear attention reduces the cost from $O(L d^2)$ to $O(L^2 d)$.", ["fails"]),
        ("Back from linear attention with $O(L d^2)$ to $O(L^2 d)$.", []),
        ("Going from $O(L d^2)$ to $O(L^2 d)$ undoes linear attention.", []),
        ("Sorting goes from O(n^2 d) to O(n d^2).", []),
        ("Linear attention has a fixed-size state: per-token cost O(1) in sequence length.", ["holds"]),
        ("A chunkwise form with $O(LCd + Ld^2)$ complexity.", ["holds"]),
        ("A chunkwise form with $O(LCd + L^2 d)$ complexity.", []),
        ("$$(Q K^T) V \\in \\mathcal{O}(S^2 D)$$", ["holds"]),
        ("$$\\phi(Q) (\\phi(K)^T V) \\in \\mathcal{O}(S D^2)$$", ["holds"]),
        ("$$\\phi(Q) (\\phi(K)^T V) \\in \\mathcal{O}(S^2 D)$$", ["fails"]),
    ],
)
def test_costs(text, found):
    assert verdicts(text + "\n") == found


GATED = "The gated delta rule is\n\n$$S_t = {} + \\beta_t k_t v_t^T$$\n"


def test_the_gate_decays_what_is_erased():
    assert verdicts(GATED.format("(\\text{diag}(a_t) - \\beta_t k_t k_t^T) S_{t-1}")) == ["fails"]
    assert verdicts(GATED.format("a_t (I - \\beta_t k_t k_t^T) S_{t-1}")) == ["holds"]
    other = "Another rule, unlike the usual one:\n\n$$S_t = (\\text{diag}(a_t) - \\beta_t k_t k_t^T) S_{t-1}"
    assert "fails" not in verdicts(other + " + \\beta_t k_t v_t^T$$\n")


READ = "Linear attention:\n\n```text\nS_t = S_{{t-1}} + {}\no_t = {}   # read\n```\n"


@pytest.mark.parametrize(
    ("added", "read", "found"),
    [
        ("v_t k_t^T", "S_t q_t", ["holds", "holds"]),
        ("k_t v_t^T", "q_t S_t", ["holds", "fails"]),
        ("k_t v_t^T", "q_t^T S_t", ["holds", "holds"]),
    ],
)
def test_two_letters_of_a_step_are_multiplied(added, read, found):
    assert verdicts(READ.format(added, read)) == found


def test_queries_may_be_scaled():
    text = "A recurrent state:\n\n$$S_t = S_{t-1} + v_t k_t^T$$\n\n$$o = \\frac{S_t q_t}{\\sqrt{d_k}}$$\n"
    assert verdicts(text) == ["holds", "holds"]
