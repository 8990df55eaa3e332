"""Statements in letters that nobody judges are listed, each with a reason that is one."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def listed(text):
    found = check_article(read_article("a.md", text + "\n"))
    assert found.formulas == ()
    return [(each.text, each.reason.key) for each in found.not_checked]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes $O(n^2 d)$ and `O(n)` here.", [("O(n^2 d)", "order_not_settled"), ("O(n)", "order_not_settled")]),
        ("$$\nO(a^2 + ab)\n$$", [("O(a^2 + ab)", "order_not_settled")]),
        ("It takes O(1).", []),
        (r"$$A \bowtie B = \frob{C}$$", [(r"A \bowtie B = \frob{C}", "formula_not_settled")]),
        ("The GPIO(a) and FOO(b) of a board.", []),
        ("head_i ∈ ℝ^(n×d_k) holds.", [("head_i ∈ ℝ^(n×d_k)", "shape_not_settled")]),
        ("s: [n_batch, n_head, n_src]", [("s: [n_batch, n_head, n_src]", "shape_not_settled")]),
        ("All is of shape [batch, h, seq, d_k].", [("[batch, h, seq, d_k]", "shape_not_settled")]),
        (
            r"All is of shape $[\text{batch}, h, \text{seq}, d_k]$.",
            [(r"[\text{batch}, h, \text{seq}, d_k]", "shape_not_settled")],
        ),
        ("They need $2 n_h d_h l$ elements.", [("2 n_h d_h l", "count_not_settled")]),
        (r"They need $L \times (4d^2 + 3d)$ bytes.", [(r"L \times (4d^2 + 3d)", "count_not_settled")]),
        (
            "```\ndw[i] = sum_batch dy[i] * x[i] / rms\n```",
            [("dw[i] = sum_batch dy[i] * x[i] / rms", "formula_not_settled")],
        ),
        (
            "```\n  |\n  +--> A = soft(Q^T K / root(C))   shape: (B, C)\n```",
            [("A = soft(Q^T K / root(C))", "formula_not_settled"), ("(B, C)", "shape_not_settled")],
        ),
        ('```\nname = "a/b"\n```', []),
        ("FLOPs: $7Bsh^2$.", [("7Bsh^2", "count_not_settled")]),
        ("PE(a, 2i) = sin(a / (100^(2i/N)))", [("PE(a, 2i) = sin(a / (100^(2i/N)))", "formula_not_settled")]),
        ("```python\ns = einsum('bq,bk->qk', q, k)\n```", [("s = einsum('bq,bk->qk', q, k)", "formula_not_settled")]),
    ],
)
def test_what_is_stated_in_letters_is_listed(text, found):
    assert listed(text) == found


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("(B, h, S, d_k) × (B, h, d_k, S) → (B, h, S, S)", "holds"),
        ("`(B, n, d_k) × (B, d_k, n)` → `(B, n, n)`", "holds"),
        ("`(B, n, d_k) × (B, d_k, n)` → `(B, d_k, d_k)`", "fails"),
    ],
)
def test_products_of_shapes_with_arrows(text, verdict):
    assert [x.verdict for x in check_article(read_article("a.md", text + "\n")).formulas] == [verdict]


@pytest.mark.parametrize("text", ["(n, 1) × (n, d) → (n, d)", "(n, d) × (n, d) → (n, d)", "(a, b) × (c, d) → (x, y)"])
def test_products_by_entries_are_left_alone(text):
    assert check_article(read_article("a.md", text + "\n")).formulas == ()
