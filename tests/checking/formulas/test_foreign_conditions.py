"""What is no condition, and no claim: maps, counted entries, suppositions, the case that a line is said of."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article


def said(text):
    found = check_article(read_article("a.md", text + "\n")).formulas
    return [(x.verdict, None if x.condition is None else x.condition.key) for x in found]


def test_a_map_is_no_vector_of_its_domain():
    step = r" Update: $\Delta\theta = -(J^\top J)^{-1}J^\top r$."
    assert said(r"Let $J \in \mathbb{R}^{m \times n}$ and $r: \mathbb{R}^n \to \mathbb{R}^m$." + step) == []
    assert said(r"Let $J \in \mathbb{R}^{m \times n}$, $r: \mathbb{R}^d → \mathbb{R}^m$." + step) == []
    assert said("r: ℝ^n → ℝ^m, A ∈ ℝ^{n×m}, so A r ∈ ℝ^n") == []
    assert (
        said(r"$k: \mathbb{R}^d \times \mathbb{R}^d \to \mathbb{R}$, $A \in \mathbb{R}^{n \times m}$, $x = A k$") == []
    )


@pytest.mark.parametrize("count", ["2", "3", "4", "10"])
def test_a_softmax_of_a_counted_list_is_one_of_all_its_entries(count):
    for left in ("p_i", r"\mathrm{softmax}(z)_i"):
        formula = rf"$${left}=\frac{{e^{{z_i}}}}{{\sum_{{j=1}}^{{{count}}} e^{{z_j}}}}$$"
        assert said(formula) == [("holds", None)]


def test_a_softmax_of_fewer_entries_than_the_list_has_is_none():
    formula = r"$$\mathrm{softmax}(z)_i=\frac{e^{z_i}}{\sum_{j=1}^{3} e^{z_j}}$$"
    assert said(r"Let $z \in \mathbb{R}^4$." + "\n" + formula) == []  # or of its first three
    assert said(r"$z = [2, 1, 0]$." + "\n" + formula) == [("holds", None)]
    assert said(r"For $z = [2, 1]$." + "\n" + formula) == []  # an example, or a part
    assert said(r"Let $z \in \mathbb{R}^4$." + "\n" + r"$$p_i=\frac{e^{z_i}}{\sum_{j=1}^{3} e^{z_j}}$$") == []


def test_shapes_in_a_list_belong_to_the_names_in_theirs():
    rest = r", so $QK^\top$ is $T \times T$ and $H = AV \in \mathbb{R}^{T \times d_v}$."
    assert said(r"$Q, K, V: (T \times d_k), (T \times d_v)$" + rest) == []
    found = said(r"$Q, K, V: (T \times d_k), (T \times d_k), (T \times d_v)$" + rest)
    assert found
    assert {verdict for verdict, _ in found} == {"holds"}


def test_what_is_supposed_of_entries_is_no_claim():
    means = r"Let $q_i, k_i$ be independent with $\mathbb{E}[q_i] = \mathbb{E}[k_i] = MEAN$ and"
    spread = r" $\text{Var}(q_i) = \text{Var}(k_i) = 1$. Then $\text{Var}(q^\top k) = d_k$."
    assert said(means.replace("MEAN", "0") + spread) == [("holds", None)]
    assert said(means.replace("MEAN", "1") + spread) == []


def test_the_case_of_two_indices_is_no_condition_where_it_is_said():
    entry = r"$p = \mathrm{softmax}(z)$. CASE $$\frac{\partial p_i}{\partial z_j} = -p_i p_j$$"
    assert said(entry.replace("CASE", r"For $i \neq j$:"))[1] == ("holds", None)
    assert said(entry.replace("CASE", "当 $i ≠ j$ 时，"))[1] == ("holds", None)
    assert said(entry.replace("CASE", r"The case $i = j$ is left out."))[1] == ("holds-if", "condition.indices_differ")
    behind = entry.replace("CASE ", "").replace("p_j$$", r"p_j \quad (i \neq j)$$")
    assert said(behind)[1] == ("holds", None)


def test_the_names_of_a_program_are_no_other_sizes_than_those_of_formulas():
    text = (
        r"$Q = XW_Q$, $K = XW_K$ with $W_Q, W_K \in \mathbb{R}^{d \times d_k}$, $X \in \mathbb{R}^{n \times d}$."
        "\n\n" + r"$$S = \frac{QK^\top}{\sqrt{d_k}}$$" + "\n\n```python\n"
        "K = self.key(x)      # (batch, seq, head_size)\nQ = self.query(x)    # (batch, seq, head_size)\n```"
    )
    assert {condition for _, condition in said(text)} == {None}
    other = r"$c \in \mathbb{R}^{d_c}$, $Q, K \in \mathbb{R}^{n \times d_h}$. $S = QK^T/\sqrt{d_c}$"
    assert ("holds-if", "formula_if") in said(other)


def test_another_section_has_its_own_numbers_of_tokens():
    first = (
        r"# Self"
        + "\n\n"
        + r"$S = QK^\top \in \mathbb{R}^{n \times n}$, $O = \alpha V$ with $V \in \mathbb{R}^{n \times d_v}$."
    )
    second = (
        "\n\n# Cross\n\n" + r"$Q = Z_t W_Q$, $K = Z_i W_K$ and $V = Z_i W_V$."
        "\n\n" + r"The weights are $\alpha \in \mathbb{R}^{T \times N}$."
    )
    assert all(condition is None for _, condition in said(first + second))
