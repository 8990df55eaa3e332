"""Words that say that tokens are columns, and words that only look like them."""

import pytest

from symattn.checking import check_article
from symattn.checking.formulas.trials.symbols import admitted
from symattn.reading.articles.reader import read_article


@pytest.mark.parametrize(
    "words", ["各列是一个词元", "每个词元是列向量", "トークンは列ベクトルである", "토큰을 열로 둔다", "a column of V"]
)
def test_tokens_are_columns(words):
    assert {reading.rows for reading in admitted(words)} == {False}


@pytest.mark.parametrize(
    "words",
    ["N×N行列が大きい", "输入序列是一句话", "返回一个列表", "토큰의 배열로 둔다", "系列が長い", "処理が進行が遅い"],
)
def test_matrices_sequences_lists_and_arrays_are_no_columns(words):
    assert {reading.rows for reading in admitted(words)} == {True, False}


def test_a_matrix_in_japanese_turns_no_scores():
    text = "完全なN×N行列がメモリに残る。\n\n$S = Q K^T$\n"
    assert [each.verdict for each in check_article(read_article("a.md", text)).formulas] == ["holds"]


def test_columns_that_a_program_names_turn_no_scores():
    text = "```python\npd.DataFrame(S, columns=names)\n```\n\n$S = Q K^T / \\sqrt{d_k}$\n"
    assert [each.verdict for each in check_article(read_article("a.md", text)).formulas] == ["holds"]
    assert {reading.rows for reading in admitted("The columns = tokens of X")} == {True, False}


@pytest.mark.parametrize(
    ("formula", "verdicts"),
    [
        ("score(Q, K) = (Q · K) / √d", []),  # of one query and one key
        ("score(q, k) = (q · k) / √d", ["holds"]),
        ("S = (Q K) / √d", ["fails"]),
    ],
)
def test_a_dot_between_capital_letters_may_be_the_product_of_two_vectors(formula, verdicts):
    assert [each.verdict for each in check_article(read_article("a.md", formula + "\n")).formulas] == verdicts
