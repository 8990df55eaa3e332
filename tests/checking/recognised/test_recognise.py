"""Numbers printed without a formula; what they should be was computed by Python's math, or by hand."""

from __future__ import annotations

import math
import random

import pytest

from tests.checking.checked import judged, listed, report


def numbers(text: str) -> list[str]:
    return [number for _, printed, _ in judged(text) for number in printed]


def wrong(text: str) -> list[str]:
    return [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize(
    "words",
    ["Exponentials: ", "exp: ", "지수: ", "指数为 ", "それぞれ ", "Man erhält ", "", "e^x → ", "- **Schritt 3** … "],
)
@pytest.mark.parametrize(
    "style", ["3.320, 1.492, 0.741", "(3.320, 1.492, 0.741)", "`3.320 1.492 0.741`", "3.320; 1.492; 0.741"]
)
def test_whatever_words_stand_before_a_list(words: str, style: str) -> None:
    text = (
        "The scores are 1.2, 0.4, -0.3.\n\n" + words + style.format("3.320", "1.492", "0.741")
    )  # e^1.2, e^0.4, e^-0.3
    assert numbers(text)[-3:] == ["3.320", "1.492", "0.741"] and not wrong(text)


@pytest.mark.parametrize("last", ["0.598, 0.269 and 0.133", "0.598, 0.269, 0.133", "59.8%, 26.9%, 13.3%"])
def test_one_step_after_the_other(last: str) -> None:
    text = f"Raw: [1.2, 0.4, -0.3]\n\nThen 3.320, 1.492, 0.741 with total 5.553, so {last}."
    assert len(numbers(text)) == 7 and not wrong(text) and not listed(text)


def test_a_layer_norm_without_a_formula() -> None:
    text = "x = [2, 5, -1, 4]\n\nDeviations: -0.5, 2.5, -3.5, 1.5\n\nSquares: 0.25, 6.25, 12.25, 2.25\n\n"
    text += "Variance 5.25. Result: {}\n"
    found = numbers(text.format("-0.218, 1.091, -1.528, 0.655"))
    assert len(found) == 13 and set(found[-5:]) == {"5.25", "-0.218", "1.091", "-1.528", "0.655"}
    assert wrong(text.format("-0.218, 1.091, -1.582, 0.655")) == ["-1.582"]


@pytest.mark.parametrize(
    ("printed", "bad"),
    [
        ("0.631, 0.085, 0.052, 0.232", []),
        ("0.631, 0.085, 0.052, 0.223", ["0.223"]),  # two digits have changed places
        ("0.631, 0.085, 0.052, 0.832", ["0.832"]),  # one is another
        ("0.631, 0.085, 0.052, 0.000", []),  # left out on purpose
        ("-0.369, 0.085, 0.052, 0.232", []),  # less the target
        ("0.631, 0.085, 0.052, 0.5", []),  # nobody knows
        ("0.613, 0.085, 0.025, 0.232", []),  # two are off: it may be another step
    ],
)
def test_one_number_that_does_not_fit(printed: str, bad: list[str]) -> None:
    assert wrong(f"Logits 3, 1, 0.5, 2 become\n\n{printed}\n") == bad  # softmax: 0.631, 0.085, 0.052, 0.232


def test_what_follows_from_a_wrong_number() -> None:
    text = "a = 1.2, 0.4, -0.3\n\n3.320, 1.429, 0.741\n\n{}\n"  # e^0.4 = 1.492
    claims = report(text.format("0.598, 0.269, 0.133")).findings  # of the right ones: 0.5979, 0.2687, 0.1334
    assert [[e.verdict for e in c.entries] for c in claims] == [["rounded", "wrong", "rounded"], ["rounded"] * 3]
    claims = report(text.format("0.605, 0.260, 0.135")).findings  # of those printed: 0.6048, 0.2603, 0.1350
    assert [e.verdict for e in claims[-1].entries] == ["carried"] * 3
    assert claims[-1].entries[0].because.line == 3


TABLE = "| token | logit | e | p |\n|---|---|---|---|\n| a | 1.2 | 3.320 | 0.598 |\n| b | 0.4 | {} | 0.269 |\n"
TABLE += "| c | -0.3 | 0.741 | 0.133 |\n"


def test_columns_of_a_table() -> None:
    assert numbers(TABLE.format("1.492")) == ["3.320", "0.598", "1.492", "0.269", "0.741", "0.133"]
    assert report(TABLE.format("1.492")).findings[0].subject == "exp(1.2, 0.4, -0.3)"
    assert not listed("z = (3, 1, 2)\n\n20.086, 2.718, 7.389\n\n" + TABLE.format("1.492"))
    assert wrong(TABLE.format("1.429")) == ["1.429"]
    assert [c.line for c in report(TABLE.format("1.429")).findings if c.bad] == [4]
    html = "<table>\n<tr><th>u</th><th>tanh</th></tr>\n<tr><td>0.4</td><td>0.380</td></tr>\n"
    html += "<tr><td>1.3</td><td>0.862</td></tr>\n<tr><td>&minus;0.7</td><td>&minus;0.604</td></tr>\n</table>\n"
    assert [number.replace("−", "-") for number in numbers(html)] == ["0.380", "0.862", "-0.604"]


def test_rows_with_labels_and_totals() -> None:
    rows = "| t | we | like | it | sum |\n|---|---|---|---|---|\n| 1 | 7.389 | 1.000 | 2.718 | 11.107 |\n"
    rows += "| 2 | 1.649 | 4.482 | 0.607 | 6.738 |\n"
    text = "z1 = (2, 0, 1), z2 = (0.5, 1.5, -0.5)\n\n" + rows + "\n(0.665, 0.090, 0.245) and (0.245, 0.665, 0.090)\n"
    assert len(numbers(text)) == 14 and not wrong(text)
    assert wrong(text.replace("6.738", "6.783")) == ["6.783"]


def test_labelled_lines_without_any_sign() -> None:
    text = "Scores 3, 1, 0.5, 2 for\n\nmat   0.631\nsofa  0.085\nroof  {}\nmoon  0.232\n"
    assert numbers(text.format("0.052")) == ["0.631", "0.085", "0.052", "0.232"] and not listed(text.format("0.052"))
    assert wrong(text.format("0.025")) == ["0.025"]


def test_lines_that_say_the_same_with_others_between() -> None:
    steps = ((0.4, "0.380"), (1.3, "0.862"), (-0.7, "-0.604"), (0.9, "0.716"))
    text = "".join(f"Word {k}\n\n- in: {x}\n- out: {y}\n\nNext.\n\n" for k, (x, y) in enumerate(steps, 1))
    assert numbers(text) == [y for _, y in steps]  # tanh


def test_rows_of_a_matrix_and_weights() -> None:
    rows = "V:\n[1.5, -0.4]\n[0.2, 2.1]\n[3.3, 0.7]\n\nWeights 0.62, 0.27, 0.11 give ({})\n"
    assert numbers(rows.format("1.347, 0.396"))[-2:] == ["1.347", "0.396"]


MATRICES = "X:\n[[0.5, 1.2], [-0.3, 0.8], [1.1, -0.6]]\n\nW:\n[[0.2, -0.4], [0.9, 0.7]]\n\n"


def test_all_rows_of_a_matrix_together() -> None:
    # 0.5 · 0.2 + 1.2 · 0.9 = 1.18, 0.5 · -0.4 + 1.2 · 0.7 = 0.64, ...
    printed = "Then\n[[1.18, 0.64],\n [0.66, {}],\n [-0.32, -0.86]]\n"
    claims = judged(MATRICES + printed.format("0.68"))
    assert [n for _, shown, _ in claims for n in shown] == ["1.18", "0.64", "0.66", "0.68", "-0.32", "-0.86"]
    assert wrong(MATRICES + printed.format("0.86")) == ["0.86"]
    assert not numbers(MATRICES + printed.format("0.68").replace("1.18", "1.27").replace("-0.32", "0.41"))


def test_the_rows_of_a_program_with_labels() -> None:
    scores = [[2.1, 0.3, -1.0], [0.0, 1.5, 0.4]]
    weights = [[math.exp(v) / sum(map(math.exp, row)) for v in row] for row in scores]
    text = "".join(f"{name} {' '.join(f'{v:7.1f}' for v in row)}\n" for name, row in zip("ab", scores, strict=True))
    text += "\n" + "".join(f"{n} {' '.join(f'{v:7.4f}' for v in row)}\n" for n, row in zip("ab", weights, strict=True))
    assert len(numbers(f"```\n{text}```\n")) == 6 and not wrong(f"```\n{text}```\n")


def test_a_scale_that_words_name() -> None:
    scaled = "Scores 4, 1, 7. {} 2.31, 0.58, 4.04\n"  # over √3
    assert numbers(scaled.format("Scaled:")) == numbers(scaled.format("Divided by √3:")) == ["2.31", "0.58", "4.04"]
    assert not numbers(scaled.format("Divided by 3:")) and not numbers(scaled.format("Geteilt durch 2:"))


def test_a_temperature_that_words_name() -> None:
    logits = "Logits 3, 1, 0.5, 2.\n\nAt T = {}: {}\n"
    assert numbers(logits.format(2, "0.442, 0.163, 0.127, 0.268")) == ["0.442", "0.163", "0.127", "0.268"]
    assert numbers(logits.format(1, "0.631, 0.085, 0.052, 0.232"))
    assert not numbers(logits.format(2, "0.631, 0.085, 0.052, 0.232"))  # those of temperature 1


@pytest.mark.parametrize("words", ["Suppose we had", "Measured", "Instead", "With noise", "实测", "Statt dessen"])
def test_numbers_that_are_made_up_accuse_nobody(words: str) -> None:
    assert not wrong(f"Logits 3, 1, 0.5, 2.\n\n{words}: 0.631, 0.085, 0.052, 0.223\n")


@pytest.mark.parametrize("seed", range(4))
def test_numbers_by_chance_are_left_alone(seed: int) -> None:
    """Of 600 random numbers in lists less than one in a hundred agrees with a step, and none is called wrong."""
    chosen = random.Random(seed)
    text = "".join(
        ", ".join(f"{chosen.uniform(-3, 3):.{chosen.choice((1, 2, 3))}f}" for _ in range(count)) + "\n\n"
        for count in [2, 3, 4, 3] * 50
    )
    assert not wrong(text) and len(numbers(text)) <= 6


def test_a_list_by_a_program_is_found_in_its_own_lines() -> None:
    z = [0.3, -1.1, 2.2, 0.05, 1.4]
    total = sum(map(math.exp, z))
    text = f"```\nlogits {z}\n[{' '.join(f'{math.exp(v) / total:.4f}' for v in z)}]\n```\n"
    claim = report(text).findings[-1]
    assert (claim.line, len(claim.entries)) == (3, 5) and not claim.bad


RIGHT = {
    "a log": "| 4000 | 2.027 | 0.668 |\n| 5000 | 2.026 | 0.667 |",
    "two models": "A: 84.21, 91.63, 77.34, 88.05\n\nB: 84.22, 91.62, 77.35, 88.45",
    "years": "| 2014 | 0.952 | 0.981 | 0.110 |\n| 2024 | 0.953 | 0.980 | 0.111 |",
    "errors": "| a | b | off |\n|---|---|---|\n| 1.23 | 1.11 | 0.12 |\n| 1.47 | 1.52 | 0.05 |\n| 2.31 | 2.04 | 0.27 |",
    "a mask": "Scores 1.2, 0.4, -3.2, 2.1. So 3.32, 1.49, 0.00, 8.17, then 0.256, 0.115, 0.000, 0.629.",
    "top three": "Logits 1.2, 0.4, -0.3, 2.1. Weights 0.242, 0.109, 0.054, 0.595; 0.242, 0.109, 0.000, 0.595.",
    "speedups": "| 1024 | 0.3 | 0.1 | 3.7× |\n| 2048 | 0.6 | 0.2 | 2.4× |",
    "one other": "Errors 0.3, 0.9, 2.3, 0.5; squared 0.09, 0.81, 5.29, 0.25. B: squared 0.49, 0.81, 5.29, 0.25.",
    "a bias": "Scores 2.4, 0.8, -0.6, 4.2. Halved: 1.2, 0.4, -0.3, 2.1.\n\nOne has 0.5 more: 3.32, 1.49, 1.22, 8.17.",
    "all words": "Logits 1.2, 0.4, -0.3, 2.1: exponentials 3.32, 1.49, 0.74, 8.17. Over all words the sum is 18.72.",
    "a task": "| QA | 14.2 | 28.4 |\n| NLI | 12.6 | 25.2 |\n| MT | 13.1 | 26.2 |\n| Summarization | 34.9 | 69.8 |",
    "rounded scores": "Losses 5.88, 2.78, 2.17; perplexities 357.3, 16.1, 8.8.",  # of 5.8785, 2.7788, 2.1748
    "rounded powers": "Scores -0.20, 0.30, 0.10, 1.80; then 0.8, 1.3, 1.1, 6.0; so 0.087, 0.141, 0.120, 0.652.",
    "rounded logits": "Logits -1.0, -1.2, 2.7, 4.0, 1.6; exponentials 0.4, 0.3, 15.0, 56.4, 5.0.",  # of 4.032
    "twice as large": "| small | 30.3 | 55.6 | 27.8 | 114.5 |\n| double | 60.6 | 111.2 | 55.6 | 229.4 |",
    "ablations": "| base | 62.6 | 41.3 |\n| no mask | 62.1 | 41.8 |\n| no scale | 61.6 | 40.3 |",
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_numbers_are_called_wrong_by_nothing(name: str) -> None:
    assert not wrong(RIGHT[name] + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "Applying the sigmoid: 0.242, 0.109, 0.054, 0.595",  # softmax
        "GELU gives 0.922, 0.240, -0.128, 1.871",  # SiLU
        "Halved: 0.40, 0.13, -0.10, 0.70",  # a third
        "Divided by √8: 0.45, 0.15, -0.11, 0.79",  # by √7
        "With the third masked, the weights are 0.242, 0.109, 0.054, 0.595",  # all four
        "Below the temperature 2: 0.242, 0.109, 0.054, 0.595",
    ],
)
def test_what_words_contradict_is_not_called_right(text: str) -> None:
    assert not numbers(f"The scores are 1.2, 0.4, -0.3, 2.1.\n\n{text}\n")


@pytest.mark.parametrize("number", ["1e400", "1" * 310, "1.5e-400, 2.5, 3.5", "111," * 1500])
def test_numbers_beyond_all_size_are_passed_over(number: str) -> None:
    assert not wrong(f"Scores 1.2, 0.4, -0.3 and {number} here.\n")
    assert not wrong(f"Scores 1000, 1, 2, 3.\n\nThen {number[:9]}, 2.718, 7.389, 20.086\n")  # e^1000 has 435 digits


def test_the_rates_of_pairs_and_their_wavelengths() -> None:
    head = "| i | θ_i | wavelength |\n|---|---|---|\n| 0 | 1.0 | 6.3 |\n| 1 | 0.1 | 62.8 |\n| 2 | 0.01 | 628.3 |\n"
    assert len(numbers(head + "| 3 | 0.001 | 6283.2 |\n")) == 8 and not wrong(head + "| 3 | 0.001 | 6283.2 |\n")
    assert wrong(head + "| 3 | 0.001 | 6823.2 |\n") == ["6823.2"]
