"""Attention entry by entry, in index notation."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def judged(*formulas, words="Self-attention by entries:"):
    text = words + "\n\n" + "\n\n".join(f"$${x}$$" for x in formulas) + "\n"
    return [(x.verdict, x.right) for x in check_article(read_article("a.md", text)).formulas]


OUTPUT = r"O_{ip} = \sum_j A_{ij} V_{jp}"
SCORES = r"S_{ij} = \frac{1}{\sqrt{d}} \sum_k Q_{ik} K_{jk}"


@pytest.mark.parametrize(
    "formula", [SCORES, r"S_{ij} = \sum_l Q_{il} K_{jl}", OUTPUT, r"O_{ic} = \sum_m P_{im} V_{mc}"]
)
def test_scores_and_outputs_in_index_notation_hold(formula):
    assert [verdict for verdict, _ in judged(formula)] == ["holds"]


@pytest.mark.parametrize("formula", [r"S_{ij} = \sum_l Q_{il} K_{lj}", r"S_{ij} = \sum_l Q_{lj} K_{li}"])
def test_other_places_of_the_indices_are_not_called_right(formula):
    assert "holds" not in [verdict for verdict, _ in judged(formula)]


def test_the_sum_of_exponentials_runs_over_the_keys():
    right, wrong = (rf"A_{{ij}} = \frac{{\exp S_{{ij}}}}{{\sum_l \exp S_{{{x}}}}}" for x in ("il", "lj"))
    assert [verdict for verdict, _ in judged(SCORES, right, OUTPUT)] == ["holds"] * 3
    assert judged(SCORES, wrong, OUTPUT)[1] == ("fails", right)


def test_a_softmax_over_the_queries_on_purpose_is_left_alone():
    wrong = r"A_{ij} = \frac{\exp S_{ij}}{\sum_l \exp S_{lj}}"
    found = judged(SCORES, wrong, OUTPUT, words="In slot attention the slots compete for every input:")
    assert "fails" not in [verdict for verdict, _ in found]


@pytest.mark.parametrize("entry", [r"\text{softmax}(S_i)_j", r"\text{softmax}(S_{i:})_j", r"\text{softmax}(S)_{ij}"])
def test_an_entry_of_a_softmax_is_the_softmax_over_its_row(entry):
    sides = rf"P_{{ij}} = {entry} = \frac{{e^{{S_{{ij}}}}}}{{\sum_k e^{{S_{{ik}}}}}}"
    slope = r"dS_{ij} = P_{ij} (dP_{ij} - \sum_k P_{ik} dP_{ik})"
    assert [verdict for verdict, _ in judged(sides, slope)] == ["holds", "holds"]
    assert [verdict for verdict, _ in judged(sides, slope.replace("- ", "+ "))] == ["holds", "fails"]
    assert "holds" not in [verdict for verdict, _ in judged(sides.replace("_{ik}", "_{kj}"))]
    assert "holds" not in [verdict for verdict, _ in judged(sides.replace("e^{S_{ij}}", "e^{S_{ji}}"))]
