"""A number that is said of two lists is that of neither, and what follows a full stop is another formula."""

import pytest

from tests.checking.checked import judged


def bad(text):
    return [b for *_, b in judged(text) if b]


@pytest.mark.parametrize(
    "words", ["Distance of a and b = 2.828", "余弦相似度：a 与 b = 0.984", "Cosine a → b = 0.984", "Of a, b = 0.984"]
)
def test_a_list_does_not_become_a_number(words):
    assert bad(f"a = [1, 2]; b = [3, 4]. {words}; b·b = 25.") == []
    assert bad(f"a = [1, 2]; b = [3, 4]. {words}; b·b = 26.") == [["26"]]


def test_a_name_may_be_given_anew():
    assert bad("a = [1, 2]; b = [3, 4]. Now a = 2 and b = 5, so b·b = 25.") == []


@pytest.mark.parametrize(
    "text",
    [
        "The result is 3. |−2| = 2. Then 7. √4 = 2. Step 3. (1+1)·2 = 4.",
        "得 3. ‖(3,4)‖ = 5。",
        "Es folgt x = 3. −2 + 5 = 3 wäre dasselbe.",
        "Also 5. −1 · 2 = −2. Siehe Tabelle 2. [1, 2]·[3, 4] = 11.",
        "步骤2 (1+1)·3 = 6；例3 √16 = 4；题5 |−3| = 3；式(3) (1+2) = 3",
        "Schritt 2 √9 = 3; Nr. 5 |−1| = 1; Gleichung (3) (1+1) = 2; Teil 2 (4−1)·2 = 6.",
        "a = [1, 2]; b = [3, 4]。a ⊛ b = [11, 10]；b·b = 25。",
    ],
)
def test_a_full_stop_ends_a_formula(text):
    assert bad(text) == []


def test_what_follows_a_full_stop_is_judged():
    assert bad("The result is 3. √4 = 5.") == [["5"]]


def test_a_sum_behind_a_heading_is_judged():
    assert bad("Question 3: 3 + 4 = 10.") == [["10"]]


def test_a_number_behind_a_word_may_be_a_factor():
    assert bad("Thus 2 (1+1)·3 = 12.") == []
    assert bad("Thus 2 (1+1)·3 = 13.") == [["13"]]
    assert bad("Thus 2 · 3 · 4 = 12.") == [["12"]]
