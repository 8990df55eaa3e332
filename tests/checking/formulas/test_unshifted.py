"""Running sums over the keys, from which no maximum is taken."""

import pytest

from symattn.checking.formulas import judge_formulas
from symattn.reading.articles import read_article


def judged(formula, words="Softmax over the keys:"):
    found = judge_formulas(read_article("a.md", f"{words}\n\n$${formula}$$\n")).formulas
    return [(x.verdict, x.right) for x in found]


@pytest.mark.parametrize("formula", [
    r"l_i \leftarrow l_i + e^{S_{ij}}",
    r"\tilde{O}_i \leftarrow \tilde{O}_i + e^{S_{ij}} V_j",
    r"o_i \leftarrow o_i + \exp(s_{ij}) v_j",
])  # fmt: skip
def test_a_step_over_one_key_holds(formula):
    assert judged(formula) == [("holds", None)]


def test_what_is_weighed_is_a_value():
    right = r"\tilde{O}_i \leftarrow \tilde{O}_i + e^{S_{ij}} V_j"
    wrong, values = right.replace("V_j", "o_j"), "Softmax weighs values: $o_i = \\sum_j a_{ij} V_j$."
    assert judged(wrong, values)[-1] == ("fails", right)
    assert judged(wrong) == []  # no values are known
    assert ("fails", right) not in judged(wrong, values + " Partial outputs are merged:")
    assert ("fails", right) not in judged(right.replace("V_j", "K_j"), values + " Let $V = K$.")


@pytest.mark.parametrize("formula", [r"l_i \leftarrow l_i + e^{S_{ij}}", r"O_i \leftarrow O_i + e^{S_{ij}} V_j"])
def test_nothing_is_said_beside_a_maximum(formula):
    assert ("holds", None) not in judged(formula, r"Softmax with $m_i^{new} = \max(m_i, S_{ij})$.")


@pytest.mark.parametrize("formula", [
    r"l_i \leftarrow l_i + e^{S_i}",
    r"\tilde{O}_i \leftarrow \tilde{O}_i + e^{S_{ij}} V_i",
    r"\tilde{O}_i \leftarrow \tilde{O}_i + e^{S_{ij}} W_j",
    r"x_i \leftarrow x_i + e^{S_{ij}}",
    r"x_i \leftarrow x_i + e^{S_{ij}} V_j",
    r"l_i \leftarrow a_i + e^{S_{ij}}",
    r"l_i \leftarrow l_i + e^{S_{i1}}",
])  # fmt: skip
def test_other_steps_are_left_alone(formula):
    assert judged(formula) == []


def test_nothing_is_said_of_other_articles():
    assert judged(r"l_i \leftarrow l_i + e^{S_{ij}}", "A sum of energies:") == []
