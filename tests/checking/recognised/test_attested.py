"""Which number of a list is wrong, where the one that a step gives is asked for by something else as well.

Figures: e^0.5 = 1.6487, e^1 = 2.7183, e^1.5 = 4.4817, e^-0.3 = 0.7408, 1/√2 = 0.7071.
"""

from __future__ import annotations

import pytest

from tests.checking.checked import judged


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


def right(text: str) -> list[str]:
    return [number for _, entries, bad in judged(text) for number in entries if number not in bad]


FOLLOWED = """The scores 1.7, 4.1, 3.3 and 2.9 become {} when they are halved.

The exponentials of these: 2.3396, 7.7679, {}, 4.2631.
"""


@pytest.mark.parametrize(
    ("halves", "power", "bad"),
    [
        ("0.85, 2.05, 1.65, 1.45", "5.2070", []),
        ("0.85, 2.05, 1.27, 1.45", "5.2070", ["1.27"]),  # no slip of the pen, but e^1.65 stands below
    ],
)
def test_what_follows_from_the_right_number_shows_the_wrong_one(halves: str, power: str, bad: list[str]) -> None:
    assert wrong(FOLLOWED.format(halves, power)) == bad


TABLE = """| width | keys | values |
|---|---|---|
| 1024 | 7168 | 50176 |
| 2048 | 14336 | 100352 |
| 4096 | {} | 200704 |
| 8192 | 57344 | 401408 |
"""


def test_a_row_and_a_column_that_give_the_same_number() -> None:
    """4096 · 7 = 28672 by its row, 14336 · 2 by its column."""
    assert wrong(TABLE.format("28672")) == []
    found = wrong(TABLE.format("29184"))
    assert found in ([], ["29184"])  # never another number


SUM = """The exponentials are 1.6487, 4.4817 and 0.7408, their sum is {}.

The weights are 0.2399, 0.6522, 0.1078.
"""


@pytest.mark.parametrize(("total", "bad"), [("6.8712", []), ("5.1304", ["5.1304"])])
def test_a_sum_by_which_nothing_was_divided(total: str, bad: list[str]) -> None:
    assert wrong(SUM.format(total)) == bad


def test_the_numbers_beside_one_in_doubt_are_right() -> None:
    text = "The scores are 0.5, 1, 1.5, -0.3.\n\nThey give 1.6487, 2.7183, {}, 0.7408.\n"
    assert wrong(text.format("3.9000")) == []
    assert right(text.format("3.9000"))[-3:] == ["1.6487", "2.7183", "0.7408"]


EXPONENTIALS = "The scores are {}.\n\nThe exponentials are 1.6487, 2.7183, {}, 0.7408.\n"


@pytest.mark.parametrize(
    ("scores", "power", "bad"),
    [
        ("0.5, 1, 1.5, -0.3", "3.9000", ["3.9000"]),  # words name the step, and nothing else gives 3.9000
        ("0.5, 1, 1.5, -0.3", "6.0496", []),  # e^1.8: a score that was misread
        ("0.5, 1, 1.5, -0.3", "2.7183", []),  # printed twice: a row that was copied
        ("0.5, 1, 1.5, -0.3", "0", []),  # masked
    ],
)
def test_a_number_that_is_no_slip_is_wrong_where_words_name_the_step(scores: str, power: str, bad: list[str]) -> None:
    assert wrong(EXPONENTIALS.format(scores, power)) == bad


def test_a_slip_in_a_matrix_of_weights() -> None:
    """softmax(0, √2) = 0.1956, 0.8044."""
    text = "$$\\begin{{bmatrix}} 1.4142 & 1.4142 \\\\ 0.0000 & 1.4142 \\end{{bmatrix}}$$\n\nSoftmax of each row:\n\n"
    text += "$$\\begin{{bmatrix}} 0.5000 & 0.5000 \\\\ 0.1956 & {} \\end{{bmatrix}}$$\n"
    assert wrong(text.format("0.8044")) == []
    assert wrong(text.format("0.8404")) == ["0.8404"]


def test_a_slip_within_what_was_rounded_before() -> None:
    """e^2.121 = 8.3395, and e^(3/√2) = 8.3422: 8.324 are the digits of the latter in another order."""
    text = "3/√2 and 2/√2 are 2.121 and 1.414.\n\nScores: 1.414, 2.121, 2.121.\n\nExponentials: 4.113, 8.342, {}.\n"
    assert wrong(text.format("8.342")) == []
    assert wrong(text.format("8.324")) == ["8.324"]


def test_a_factor_is_found_though_the_largest_number_is_wrong() -> None:
    text = "The scores are 1, 3, 4 and 2.\n\nDivided by √2: 0.707, 2.121, {}, 1.414.\n"
    assert wrong(text.format("2.828")) == []
    assert wrong(text.format("2.882")) == ["2.882"]


@pytest.mark.parametrize(
    ("total", "bad"),
    [
        ("6.8712", []),
        ("6.8172", ["6.8172"]),  # two digits have changed places
        ("9.1234", []),  # of more than what is printed
    ],
)
def test_a_sum_with_a_slip(total: str, bad: list[str]) -> None:
    scores = "The scores are 0.5, 1.5, -0.3.\n\n"
    assert wrong(scores + f"The exponentials are 1.6487, 4.4817 and 0.7408, their sum is {total}.\n") == bad


ENTRIES = """\\begin{{align*}}
s_{{21}}&=1.2&s_{{22}}&=0.4&s_{{23}}&=-0.3
\\end{{align*}}

The exponentials:

$$a_{{21}}=3.3201,\\quad a_{{22}}=1.4918,\\quad a_{{23}}={}$$
""".replace("\\\\", "\\")


@pytest.mark.parametrize(("entry", "bad"), [("0.7408", []), ("0.7804", ["0.7804"])])
def test_entries_of_one_letter_are_a_list(entry: str, bad: list[str]) -> None:
    """e^1.2 = 3.3201, e^0.4 = 1.4918, e^-0.3 = 0.7408."""
    text = ENTRIES.format(entry)
    assert wrong(text) == bad and (bad or right(text)[-3:] == ["3.3201", "1.4918", "0.7408"])


def test_percents_with_a_word_before_each() -> None:
    text = "Scores: 1.2, 0.4, -0.3.\n\nThe softmax gives sun {}, moon 26.87%, star 13.34%.\n"
    assert right(text.format("59.79%"))[-3:] == ["59.79%", "26.87%", "13.34%"]
    assert wrong(text.format("95.79%")) == ["95.79%"]


def test_letters_that_differ_are_no_list() -> None:
    text = "Scores: 1.2, 0.4, -0.3.\n\nWe set $a = 3.3201$, $b = 1.4918$, $c = 0.9408$.\n"
    assert wrong(text) == []


DOUBLING = "| n | half | full |\n|---|---|---|\n| 1k | 102.4 | 204.8 |\n| 2k | 204.8 | 409.6 |\n| 4k | 409.6 | {} |\n"


@pytest.mark.parametrize("last", ["819.2", "614.4"])
def test_rows_and_columns_of_multiples_show_nothing(last: str) -> None:
    assert wrong(DOUBLING.format(last)) == []


@pytest.mark.parametrize(
    "words",
    [
        "Now raise the third score by 0.25. The exponentials become",
        "With a bonus for the last key the exponentials are",
        "把第三个得分提高 0.25 后，指数为",
        "The exponentials, none of which may exceed 3.9, are",
        "The exponentials (plus 0.25 for one token) are",
    ],
)
def test_a_number_that_words_single_out_is_another_on_purpose(words: str) -> None:
    """e^1.75 = 5.7546, e^1.5 + 0.25 = 4.7317."""
    changed = {"exceed": "3.9000", "plus": "4.7317"}
    number = next((x for word, x in changed.items() if word in words), "5.7546")
    assert wrong(f"The scores are 0.5, 1, 1.5, -0.3.\n\n{words} 1.6487, 2.7183, {number}, 0.7408.\n") == []


def test_the_mean_below_a_column() -> None:
    rows = "".join(f"| {n} | {x} | {y} |\n" for n, x, y in (("A", "2.577", "13.16"), ("B", "2.693", "14.78")))
    table = (
        f"| model | loss | perplexity (exp) |\n|---|---|---|\n{rows}| C | 1.606 | 4.98 |\n| mean | 2.292 | 10.97 |\n"
    )
    assert wrong(table) == []


@pytest.mark.parametrize("total", ["12.35", "2.39", "6.13"])
def test_a_sum_of_more_or_of_some(total: str) -> None:
    text = f"Exponentials: 1.65, 4.48, 0.74; their sum is {total}.\n\nTop 3: 0.240, 0.652, 0.108.\n"
    assert wrong(text) == []


def test_a_bias_for_the_choice_alone() -> None:
    text = "Logits: 1.34, 1.84, 1.50, 0.92.\n\nScores plus bias: 1.292, 0.863, 0.818, 0.715.\n\n"
    assert wrong(text + "Plain ones, normalised: 0.249, 0.271, 0.256, 0.224.\n") == []
