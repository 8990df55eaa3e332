"""YaRN's temperature of the scores."""

import pytest

from symattn.checking import check_article
from symattn.reading.articles.reader import read_article


def said(formula, words="YaRN divides the scores by t"):
    found = check_article(read_article("a.md", f"{words}:\n\n$${formula}$$\n")).formulas
    return [each.verdict for each in found if each.line == 3]


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        (r"\sqrt{\frac{1}{t}} = 0.1 \ln(s) + 1", ["holds"]),
        (r"\frac{1}{\sqrt{t}} = 1 + 0.1 \ln s", ["holds"]),
        (r"t = \frac{1}{(0.1 \ln(s) + 1)^2}", ["holds"]),
        (r"\sqrt{\frac{1}{t}} = 0.1 \ln(s)", ["fails"]),
        (r"t = 0.2 + \frac{1.3 \ln(s)}{\ln(10)}", ["fails"]),
        (r"t = 0.1 \ln(s) + 1", []),  # the factor by another name
        (r"A = \text{softmax}\left(\frac{1}{t} \cdot \frac{q^T k}{\sqrt{d}}\right)", ["holds"]),
        (r"A = \text{softmax}\left(\frac{q_m^T k_n}{t \sqrt{D}}\right)", ["holds"]),
        (r"A = \text{softmax}\left(t \cdot \frac{q^T k}{\sqrt{d}}\right)", []),
    ],
)
def test_the_temperature_and_what_is_divided_by_it(formula, verdicts):
    assert said(formula) == verdicts


def test_the_name_may_stand_right_beside_another_script():
    assert said(r"\sqrt{\frac{1}{t}} = 0.1 \ln(s) + 1", "YaRN引入了温度") == ["holds"]


@pytest.mark.parametrize("words", ["A temperature", "For YaRN we refit the temperature, our fit being"])
def test_other_temperatures_are_left_alone(words):
    assert said(r"\sqrt{\frac{1}{t}} = 0.07 \ln(s) + 1", words) == []
