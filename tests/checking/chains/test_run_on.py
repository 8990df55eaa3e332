"""Chains whose equals signs say what the last operation comes to, and formulas that go on from the result before."""

import pytest

from tests.checking.checked import judged, listed


@pytest.mark.parametrize(
    "text",
    [
        "We have 3 × 5 = 15 rows = 15 × 1024 = 15360 tokens.",
        "3 × 2 tokens = 6 tokens × 5 dims = 30 numbers",
        "3 · 5 = 15 heads · 32 = 480",
        "1 + 4 = 5 × 3 = 15",
        "0.2\n+ 0.3 = 0.5\n+ 0.4 = 0.9",
        "```\n1·0.5 = 0.5\n+ 2·0.3 = 0.6\nOutput: 1.1\n```",
        "```\n1·0.5 = 0.5\n+ 2·0.3 = 0.6\n+ 3·0.2 = 0.6\n```",
        "```\n1·0.5 = 0.5\n+ 2·0.3 = 1.1\n```",
        "```\n1·0.5 = 0.5\n+ 2·0.3 = 0.6\n= 1.1\n```",
        "q·k = 2·3 + 1·2 = 8 / √16 = 2",
        "(5+4)/2 = 4.5 - 1 = 3.5",
        "(1·2 + 3·4)/2 = 7 + 1 = 8",
        "$\\frac{1 \\cdot 2 + 3 \\cdot 4}{2} = 7 - 1 = 6$",
        "平均值 (2·3 + 4·1)/2 = 5 + 0.5 = 5.5",
        "√(3² + 4²) = 5 + 1 = 6",
        "0.5·2 + 0.5·4 = 3 + 0.1 = 3.1",
    ],
)
def test_more_is_done_with_a_result(text: str) -> None:
    assert judged(text) and not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("3 × 2 tokens = 6 tokens × 5 dims = 6 numbers", "6"),
        ("3 · 5 = 15 heads · 32 = 470", "470"),
        ("1·2 + 3·4 = 2 + 12 = 15", "15"),
        ("0.6 · 2 = 1.2 · 1 = 1.4", "1.4"),
        ("(5+4)/2 = 4.5 - 1 = 3.0", "3.0"),
        ("3 + 2·4 = 5 · 4 = 20", "20"),
        ("(1·2 + 3·4)/2 = 7 + 1 = 9", "9"),
        ("(1·2 + 3·4)/2 = 8 + 1 = 9", "9"),
        ("3 + 0·4 = 3 + 4 = 7", "7"),
        ("1·0.9 + 0·0.1 + 0·0.2 = 0.9 + 0.1 + 0.2 = 1.2", "1.2"),
        ("q = [1, 1], k = [1, 2]. s = q·k/√2 ≈ 2 · 0.707 = 1.414", "1.414"),
    ],
)
def test_wrong_results_in_a_chain_are_found(text: str, bad: str) -> None:
    assert [b for *_, b in judged(text) if b] == [[bad]]


@pytest.mark.parametrize("text", ["0.3 + 0.2 = 0.5, + 0.3 = 0.8, + 0.1 = 0.9", "$3+2 = 5$, $+ 3 = 8$, $- 1 = 7$."])
def test_what_is_added_to_the_result_before_is_no_formula(text: str) -> None:
    assert [numbers for _, numbers, bad in judged(text)] in ([["0.5"]], [["5"]])
    assert not any(bad for *_, bad in judged(text)) and len(listed(text)) >= 2


def test_a_minus_takes_away_from_the_result_before() -> None:
    assert not [bad for *_, bad in judged("$2 \\cdot 4 = 8$, $- 1 \\cdot 3 = 5$.") if bad]
    assert [bad for *_, bad in judged("$2 \\cdot 4 = 8$, $- 1 \\cdot 3 = -4$.") if bad] == [["-4"]]


@pytest.mark.parametrize("dot", ["·", "•"])
def test_a_dot_may_part_results(dot: str) -> None:
    text = f"2/8 = 0.25 {dot} 3/8 = 0.375 {dot} 4/8 = {{}}"
    assert [numbers for _, numbers, bad in judged(text.format(0.5)) if not bad] == [["0.25"], ["0.375"], ["0.5"]]
    assert [bad for *_, bad in judged(text.format(0.6)) if bad] == [["0.6"]]


def test_a_dot_may_part_named_results() -> None:
    text = "precision = 8/10 = 0.8 · recall = 8/12 = {}"
    assert [(numbers, bad) for _, numbers, bad in judged(text.format(0.67))] == [(["0.8"], []), (["0.67"], [])]
    assert [bad for *_, bad in judged(text.format(0.76)) if bad] == [["0.76"]]


@pytest.mark.parametrize("text", ["p = 0.9. Sampling: T = 0.7 · p = 0.9", "wd = 0.01.\n\nAgain: lr = 0.1 · wd = 0.01."])
def test_a_dot_may_part_settings(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))
    assert any(bad for *_, bad in judged(text.replace("·", "*")))


@pytest.mark.parametrize("text", ["mean = (1+5)/2 = 3.0 / (4+6)/2 = 5.0", "(1+5)/2 = 3 / (4+6)/2 = 5"])
def test_a_stroke_may_part_two_results(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))
    assert any(bad for *_, bad in judged(text.replace("5.0", "5.5").replace("= 5", "= 6")))
    assert any(bad for *_, bad in judged("3 / (4+6)/2 = 5"))


LOST = """
= 0.4 · 0.5 + 0.5 · 0.6
= 0.2 + 0.3 = 0.5
= 0.45 · 0.5 + 0.55 · 0.6
= 0.225 + 0.33 = 0.555
"""


def test_lines_that_have_lost_their_left_sides_are_results_of_their_own() -> None:
    assert not any(bad for *_, bad in judged(LOST))
    assert any(bad for *_, bad in judged(LOST.replace("0.555", "0.575")))
    below = "x = 2 · 3 + 4 = 10\n= 5 · 2 + 1 = 11\n"  # the first line says what both are
    assert any(bad for *_, bad in judged(below))


def test_numbers_may_show_their_sign() -> None:
    two = "They are `+0.5 + 0.2 = +0.7`, `+0.4 + -0.1 = +0.5`."
    assert judged(two)[1:] == [("+0.4 + -0.1", ["+0.5"], ["+0.5"])]
    assert judged(r"That is $+0.5 - 0.9 = -0.3$")[0][2] == ["-0.3"]
    # two terms that are added to the result before: 5 + (4 + 1)
    assert not any(bad for *_, bad in judged("$2 + 3 = 5$\n\n$+4 + 1 = +10$"))
    assert not judged("$+ 4 + 1 = 10$")


@pytest.mark.parametrize(
    "text",
    [
        "The logit starts at 3.0.\n\n- +0.5 + 1.0 = +4.5",
        "The logit starts at 3.0, `+0.5 + 1.0 = +4.5`",
        "$2 \\cdot 1.5$\n$+0.5 + 1.0 = +4.5$",
        "Now $2 \\cdot 1.5$ $+0.5 + 1.0 = +4.5$",
    ],
)
def test_a_sign_at_the_beginning_may_add_to_what_stands_before(text: str) -> None:
    assert not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(2 − 3.8)² = 3.24  \n(4 − 3.8)² = 0.14  \n(5 − 3.8)² = 1.44", ["0.14"]),  # 0.04
        ("(2 − 4)² = 4\n(4 − 4)² = 1", ["1"]),
        ("We have 3 = 3\n(4 − 3) · 2 = 3", []),  # a line that may be broken before its last factor
        ("and then 2 n\n(4 − 3) = 3", []),
    ],
)
def test_lines_that_begin_with_brackets_one_after_the_other(text: str, expected: list[str]) -> None:
    assert [number for *_, bad in judged(text) for number in bad] == expected


def test_parts_that_are_worked_out_are_no_result() -> None:
    # e^0.17 is 1.185 and e^0.46 is 1.584, a share of 0.43, which 0.42 is near by chance
    for text in (
        "exp(0.17)/(exp(0.17)+exp(0.46)) = 0.42/(0.42+1.18) = 0.26",
        r"$\frac{e^{0.17}}{e^{0.17}+e^{0.46}} = \frac{0.42}{0.42+1.18} = 0.26$",
    ):
        assert sorted(n for *_, bad in judged(text) for n in bad) == ["0.26", "0.42", "0.42", "1.18"]
    assert not any(bad for *_, bad in judged("exp(0.17)/(exp(0.17)+exp(0.46)) = 1.19/(1.19+1.58) = 0.43"))


@pytest.mark.parametrize(
    "text", ["3.2·0.5·(1 − 0.5) = 0.8·(1 − 0.8) = 0.16", "(2 + 3)·4 = 20·(20 + 1)/2 = 210", "(2+3)·(2+3) = 25·26 = 650"]
)
def test_a_result_may_recur_in_what_is_done_with_it(text: str) -> None:
    assert judged(text) and not any(bad for *_, bad in judged(text))


@pytest.mark.parametrize(
    "text", [r"$\sqrt{9}\cdot\sqrt{9} = 9 \cdot 9 = 81$", "(1+2)·(1+2) = 9·9 = 81", "sqrt(9)/sqrt(9) = 1/1 = 1"]
)
def test_what_has_one_part_alone_may_have_its_result_twice_behind_it(text: str) -> None:
    assert judged(text) and not any(bad for *_, bad in judged(text))


_PRODUCT = "Q = [[1, 2], [1, 0]]\nK = [[0, 1], [2, 1]]\n\nQ Kᵀ = "


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("[[2, 4], [0, 2]]\n/ √2 = [[1.414, 2.828], [0, 1.414]]", []),
        ("[[2, 4], [0, 2]]\n÷ √2 = [[1.414, 2.528], [0, 1.414]]", ["2.528"]),
        ("[[2, 4], [0, 3]]\n/ √2 = [[1.414, 2.828], [0, 2.121]]", ["3"]),
        ("[[2, 4], [0, 2]]\n· 0.5 = [[1, 2], [0, 1]]", []),
        ("[[4, 8], [0, 4]]\n/ 2 = [[2, 4], [0, 2]]", []),  # the whole line is worth it
    ],
)
def test_a_next_line_divides_the_matrix_above(text: str, bad: list[str]) -> None:
    assert [b for *_, each in judged(_PRODUCT + text) for b in each] == bad


@pytest.mark.parametrize(
    "text", ["5.6/2 = 2.8 -> 3     -3/2 = -1.5", "2 + 1 = 3     −0.6/2 = −0.3", "5/2 = 2.5 → 3    -8/2 = -4 → -4"]
)
def test_a_gap_behind_a_result_subtracts_nothing(text: str) -> None:
    assert len(judged(text)) == 2 and not any(bad for *_, bad in judged(text))


def test_a_gap_before_a_number_alone_subtracts_it() -> None:
    assert [bad for *_, bad in judged("5   -2 = 3")] == [[]]
    assert [bad for *_, bad in judged("1 + 4 = 5   -2 = 4")][-1] == ["4"]
