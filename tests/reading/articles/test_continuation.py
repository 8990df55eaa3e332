"""Which lines are one expression, as their layout tells a reader."""

import re

import pytest

from symattn.reading.articles import read_article
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.continuation import join_expressions


def joined(text: str, *, code: bool = False) -> list[str]:
    """The expressions of a text, blank lines left out, each on one line."""
    lines = join_expressions([Located.whole(line) for line in text.split("\n")], code=code)
    return [" ".join(line.text.split()) for line in lines if line.text.strip()]


ONE = {
    "a list over lines, and its decimals": "A\n= [[1/2, 0],\n   [0, 1/2]]\n≈ [[0.5, 0],\n   [0, 0.5]]",
    "a blank line between the sides": "A\n= [[1/2, 0],\n   [0, 1/2]]\n\n≈ [[0.5, 0],\n   [0, 0.5]]",
    "a remark behind a row": "A\n= [[1, 0],  # first\n   [0, 1]]\n= [[1, 0],\n   [0, 1]]",
    "a sign at the end": "S = 1 · 2 +\n3 · 4 = 14",
    "a sign at the beginning": "S = 1 · 2\n+ 3 · 4\n= 14",
    "a sign alone between two": "[1, 2]\n·\n[3, 4]\n= 11",
    "a sign alone, with blank lines": "[1, 2]\n\n×\n\n[3, 4]",
    "a minus within a sum": "S = 1 · 2\n+ 3 · 4\n- 1",
    "a negative factor behind a sign at the end": "S = 1 · 2 +\n-3 · 4 = -10",
    "a second result on the next line": "S = 1 · 2 = 2\n= 2.0",
    "an opened bracket": "S = max(\n1, 2)",
    "a column of numbers": "[\n1\n2\n]",
    "rows of numbers between brackets": "[\n1 2\n3 4\n]",
    "rows in lists": "[1, 2]\n[3, 4]",
    "rows with −∞": "[1, -inf]\n[3, 4]",
    "rows with remarks": "[1, 2]   (first)\n[3, 4]   (second)",
    "a factor over lines": "Q = x W = [1, 0] × [[1, 0],\n   [0, 1]]\n= [1, 0]",
    "a row with its name": "Position 1: [sin(1), cos(1)]\n= [0.841, 0.540]",
    "a minus below a long number": "S = 1\n+ 20000000000000000\n- 5",
    "a divisor on the next line": "S = (1 + 2)\n/ 3",
    "a remark behind a term": "S = 1 · 2\n+ 3 · 4  # of key 2",
    "a short sentence that breaks off": "Its score is 1 · 2\n+ 3 · 4 = 14",
}
APART = {
    "words behind a list": "A\n= [[1, 0],\n   [0, 1]]\nThen come the weights",
    "a list that is never closed": "= [[1, 0],\n   [0, 1],\n= [[1, 0]]",
    "words in brackets within a list": "= [[1, 0],\n   [see the note]]\n= [[1, 0], [0, 1]]",
    "a row of words within a list": "= [[1, 0],\n   [zero, 1]]\n= [[1, 0]]",
    "a line without a bracket within a list": "= [[1, 0],\n   0, 1]]\n= [[1, 0]]",
    "a list of points": "We need\n- 3 heads\n- 4 tokens",
    "points with equations": "- 1 + 1 = 2\n- 2 + 2 = 4",
    "prose before a number": "The scores are\n12 and 14",
    "a relation on both sides": "S =\n= 14",
    "a negative number after a result": "1 · 2 − 4 = −2\n−2 / √2 ≈ −1.41",
    "negative terms one below another": "−0.2 ln 0.2 = 0.3219\n−0.1 ln 0.1 = 0.2303",
    "a column with words": "[\n1\ntwo\n]",
    "ragged rows": "[\n1 2\n3\n]",
    "commas that go on": "[\n1, 2,\n3, 4\n]",
    "rows of two lengths": "[1, 2]\n[3, 4, 5]",
    "lists of one number": "[1]\n[2]",
    "a list that the text leaves open": "= [[1, 0],\n   [0, 1],",
    "two matrices abreast": "\n= [[1, 0],   = [[1, 1],\n   [0, 1]]      [0, 1]]",
    "numbers and words in a column": "[\n1 two\n3 four\n]",
    "words behind a function": "S = max(1, 2) with care\n+ 3 · 4",
    "words behind an index in braces": "S = x_{1} heads\n+ 3 · 4",
    "words behind others in brackets": "S = (first part) with heads\n+ 3 · 4",
    "a product that words follow": "The score is 1 · 2\n5 of them are left",
    "an equation within a sentence": "For each key of the second token the sum where x = 1 holds\n+ 3 · 4 = 12",
}


@pytest.mark.parametrize("name", ONE)
def test_it_is_one(name: str) -> None:
    (one,) = joined(ONE[name])
    assert re.findall(r"\d+", one) == re.findall(r"\d+", ONE[name])


@pytest.mark.parametrize("name", APART)
def test_it_is_not_one(name: str) -> None:
    assert len(joined(APART[name])) > 1


def test_rows_of_lists_become_a_matrix() -> None:
    assert joined("[1, 2]\n[3, 4]\n[5, 6]") == ["[[1, 2], [3, 4], [5, 6]]"]
    assert joined("[\n1 2\n3 4\n]") == ["[[1, 2], [3, 4]]"]
    assert joined("[\n-1,\n2.5\n]") == ["[-1, 2.5]"]
    assert joined("[1, 2]\n[3, 4]\n[5, 6, 7]\n[8, 9, 0]") == ["[[1, 2], [3, 4]]", "[[5, 6, 7], [8, 9, 0]]"]


def test_lines_around_a_column() -> None:
    assert joined("S = 3\nT = 4\n[\n1\n2\n]\nU = 5\nV = 6") == ["S = 3", "T = 4", "[1, 2]", "U = 5", "V = 6"]
    assert joined("[\n]") == ["[", "]"]


def test_a_sentence_that_breaks_off_goes_on() -> None:
    first = "For the second token, the score with the first key is S = 1 · 2"
    assert joined(f"{first}\n+ 3 · 4 = 14 as shown") == [f"{first} + 3 · 4 = 14 as shown"]
    assert joined("The score is 1 · 2 +\n3 · 4") == ["The score is 1 · 2 + 3 · 4"]
    assert len(joined("The score is\n3 · 4")) == 2
    assert len(joined(f"{first}\n\n+ 3 · 4")) == 2  # a paragraph is over
    assert joined(f"{first} + 3 · 4\n= 14") == [f"{first} + 3 · 4 = 14"]
    assert joined(f"{first}\n+ 3 · 4\n= 14 as we saw") == [f"{first} + 3 · 4 = 14 as we saw"]
    assert joined("S = 1 · 2\n+ 3 · 4\n= 14 as we saw") == ["S = 1 · 2 + 3 · 4", "= 14 as we saw"]
    assert len(joined(f"{first}\n= the first score")) == len(joined(f"{first} +\n… and so on, 14 in all")) == 2


@pytest.mark.parametrize("point", ["- 2 + 2 = 4", "- 2 + 2 ≈ 4", "\n- 4 · 5"])
def test_a_point_below_a_sum(point: str) -> None:
    assert joined(f"S = 1\n+ 2 · 3\n{point}") == ["S = 1 + 2 · 3", point.strip()]
    assert joined("- S = 1 · 2\n+ 3 · 4\n- 5 · 6") == ["- S = 1 · 2 + 3 · 4", "- 5 · 6"]


def test_terms_of_a_program() -> None:
    assert joined("l = l_0 × exp(m)   ← old\n      + sum(exp(S))   ← new", code=True) == [
        "l = l_0 × exp(m) + sum(exp(S))"
    ]
    assert joined("l = a × b   ← x\n  + c × d   ← y\n  + e × g   ← z", code=True) == ["l = a × b + c × d + e × g"]
    assert joined("S = 1 + 2\n- 3", code=True) == ["S = 1 + 2 - 3"]
    assert joined("x <- 5", code=True) == ["x <- 5"]  # no remark, but the language R


def test_what_names_the_list_below_in_a_program() -> None:
    text = "[1, 2]\n+\n{}\n[3, 4]"
    assert joined(text.format("first position"), code=True) == ["[1, 2] + [3, 4]"]
    assert joined(text.format("\nfirst position\n"), code=True) == ["[1, 2] + [3, 4]"]
    assert len(joined(text.format("first position"))) > 1  # prose is prose
    assert joined(text.format("2 ·"), code=True) == ["[1, 2] + 2 · [3, 4]"]  # a factor
    assert len(joined(text.format("softmax of"), code=True)) > 1  # perhaps it is applied


@pytest.mark.parametrize("slope", [r"\frac{d}{dx}", r"\frac{\partial}{\partial z_{i}}"])
def test_a_derivative_is_of_what_stands_below(slope: str) -> None:
    text = f"{slope}\n\\log x\n=\n1 / x"
    assert joined(text) == [text.replace("\n", " ")]
    (passage,) = read_article("a.md", f"The slope:\n\n{text}\n").passages
    assert passage.text == text


def test_where_the_joined_line_stands() -> None:
    lines = join_expressions([Located.whole(x) for x in ("S = 1 · 2", "+ 3", "", "Then", "= 5")])
    assert [line.text for line in lines] == ["S = 1 · 2\n+ 3", "", "Then", "= 5"]


def test_rows_of_formulas_are_one_matrix() -> None:
    article = read_article(
        "a.md", "```\nR(θ) = [[cos(θ), -sin(θ)],\n        [sin(θ), cos(θ)]]\n\nis a rotation.\n```\n"
    )
    assert [passage.text.count("]") for passage in article.passages] == [3]
