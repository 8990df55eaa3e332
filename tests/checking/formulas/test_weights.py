"""Weights that sum to 1, softmax of shifted scores, and what a temperature does."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article

DEFINED = r"$a_{ij} = \frac{\exp(e_{ij})}{\sum_k \exp(e_{ik})}$" + "\n\n"
TEMPERATURE = r"$$p = \text{softmax}\left(\frac{z}{\tau}\right)$$" + "\n\n"


def last(text):
    """The verdict on what stands on the last line."""
    found = check_article(read_article("a.md", text)).formulas
    return [each.verdict for each in found if each.line == text.count("\n") + 1]


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (r"$\sum_j a_{ij} = 1$", "holds"),
        (r"$\sum_{k=1}^n a_{ik} = 1$", "holds"),
        (r"$\sum_i a_{ij} = 1$", "fails"),
        (r"$\text{softmax}(x + c) = \text{softmax}(x)$", "holds"),
        (r"$\text{softmax}(x - m) = \text{softmax}(x)$", "holds"),
        (r"$\text{softmax}(c x) = \text{softmax}(x)$", "fails"),
        (r"$\text{softmax}(2x) = \text{softmax}(x)$", "fails"),
        (r"$\text{softmax}(QK^T - \max(QK^T)) = \text{softmax}(QK^T)$", "holds"),
        (r"$\text{softmax}(\frac{QK^T}{\sqrt{d}}) = \text{softmax}((\frac{QK^T}{c\sqrt{d}} - m) c)$", "holds"),
        (r"$\text{softmax}(\frac{QK^T}{\sqrt{d}}) = \text{softmax}(\frac{QK^T}{c\sqrt{d}} - m)$", "fails"),
        (
            r"$\text{softmax}(q_i K^T + m [1 - i, \ldots, -1, 0]) = \text{softmax}(q_i K^T + m [0, 1, \ldots, i - 1])$",
            "holds",
        ),
    ],
)
def test_sums_of_weights_and_softmax_of_other_scores(formula, verdict):
    assert last(DEFINED + formula) == [verdict]


@pytest.mark.parametrize(
    "formula",
    [
        r"$\text{softmax}(x + y) = \text{softmax}(x)$",
        r"$\sum_i b_{ij} = 1$",
        r"$\text{softmax}(QK^T + M) = \text{softmax}(QK^T + B)$",
        r"$\text{softmax}(s + m [1, 2, \ldots, i]) = \text{softmax}(s + m [0, 1, \ldots, i])$",  # one more of them
    ],
)
def test_what_is_not_known_to_be_a_number_or_a_weight_is_left_alone(formula):
    assert last(DEFINED + formula) == []


@pytest.mark.parametrize(
    "said", ["After softmax each row sums to 1.", "softmax: the sum of each row is 1", "Softmax 之后每一行的和变成 1"]
)
def test_rows_that_sum_to_one(said):
    assert last(said) == ["holds"]


@pytest.mark.parametrize("said", ["Each row sums to 1.", "After softmax each row sums to 10."])
def test_rows_of_something_else(said):
    assert last(said) == []


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (r"- $\tau < 1$：分布更尖锐", "holds"),
        (r"- $1 < \tau$：分布更平滑", "holds"),
        ("A low temperature makes the weights sharper", "holds"),
        ("A high temperature makes the weights sharper", "fails"),
        ("温度越高，分布越集中", "fails"),
    ],
)
def test_what_a_sentence_says_of_a_temperature(said, verdict):
    assert last(TEMPERATURE + said) == [verdict]


@pytest.mark.parametrize(
    "said",
    [
        "A high temperature makes the weights less sharp",
        "The temperature does not make the weights sharper when it is high",
        "Low temperature, sharper; high temperature: flatter and not sharp",
    ],
)
def test_clauses_with_two_readings_are_not_called_false(said):
    assert "fails" not in last(TEMPERATURE + said)


def test_a_temperature_that_divides_nothing_is_left_alone():
    assert last("A high temperature makes the weights sharper") == []


@pytest.mark.parametrize(("total", "verdicts"), [("c_i = \\sum_j a_{ij} h_j", ["holds", "holds"]),
                                                 ("c_j = \\sum_i a_{ij} h_i", [])])  # fmt: skip
def test_weights_are_not_right_where_their_average_goes_over_the_other_index(total, verdicts):
    found = check_article(read_article("a.md", f"{DEFINED}${total}$")).formulas
    assert [each.verdict for each in found] == verdicts


@pytest.mark.parametrize("words", ["소프트맥스의 가중치", "ソフトマックスの重み"])
def test_rows_of_weights_in_other_languages(words):
    assert last(f"{words}: $\\sum_j A^{{(h)}}_{{ij}} = 1$") == ["holds"]


@pytest.mark.parametrize(
    ("total", "verdicts"), [("\\sum_j A[i, j] = 1", ["holds"]), ("\\sum_i A[i, j] = 1", ["fails"])]
)
def test_entries_of_a_matrix_that_is_a_softmax_sum_to_1_by_rows(total, verdicts):
    assert last(r"$A = \text{softmax}(S)$, $O = AV$" + f"\n\n${total}$") == verdicts


@pytest.mark.parametrize("formula", [
    r"$\text{softmax}(\beta QK^T) = \text{softmax}(\frac{QK^T}{\sqrt{d_k}})$",  # with β = 1/√d_k
    r"$\text{softmax}(\frac{QK^T}{\sqrt{d_k}}) = \text{softmax}(\frac{QK^T}{8})$",  # with d_k = 64
])  # fmt: skip
def test_scales_of_other_letters_may_be_the_same(formula):
    assert "fails" not in last(formula)


@pytest.mark.parametrize(
    ("said", "verdicts"),
    [(r"T = \frac{1}{\alpha}", ["holds"]), (r"T = \alpha", ["fails"]), (r"T > 0", [])],
)
def test_a_temperature_may_be_said_to_be_the_inverse_of_a_scale(said, verdicts):
    formula = r"\text{softmax}(\alpha x) = \text{softmax}(x/T)"
    assert last(f"With ${said}$:\n\n${formula}$") == verdicts
    assert last(f"${formula}$ with ${said}$") == verdicts
