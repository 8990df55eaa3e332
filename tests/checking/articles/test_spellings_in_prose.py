"""Angles in degrees, raised decimals, functions without brackets, −∞ with a number, two things and two numbers."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged, report


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("cos(60°) = 0.5", []),
        ("sin 30° = 0.6", ["0.6"]),
        (r"$\cos(60^\circ) \approx 0.4$", ["0.4"]),
        (r"$\sin(45^{\circ}) = 0.7071$", []),
        ("e⁰·³⁵ ≈ 1.42, e¹·⁴¹ ≈ 4.20", ["4.20"]),
        ("2⁻¹·⁵ = 0.354", []),
        ("sin 1 = 0.8415, cos 1 = 0.5403, tanh 0.5 = 0.4621, exp 0.5 = 1.6587", ["1.6587"]),
        ("v = [sin 2, cos 2] = [0.9093, -0.4261]", ["-0.4261"]),
        ("exp(-∞ - 1) = 0, max(-∞, 2) = 2", []),
    ],
)
def test_numbers_spelled_otherwise(text: str, wrong: list[str]) -> None:
    found = judged(text)
    assert found
    assert [number for _, _, bad in found for number in bad] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("512 ÷ 8 ＝ 63", ["63"]),
        ("各ヘッドは512÷8＝64次元です。", []),
        ("```\n合計 ＝ ０．５＋０．３ ＝ 0.9\n```", ["0.9"]),
        ("行列積は（１×２）＋（３×４）＝１５です。", ["15"]),
        ("$s ＝ 2 + 3 ＝ 6$", ["6"]),
        ("行列（64×64）を分けると、64÷8＝8。", []),  # in brackets is a remark here
    ],
)
def test_signs_and_digits_as_wide_as_letters(text: str, wrong: list[str]) -> None:
    found = judged(text)
    assert found
    assert [number for _, _, bad in found for number in bad] == wrong


@pytest.mark.parametrize(
    "text",
    [
        "A gap of two: e⁵ vs e³ = 148 vs 20.",
        "So e^5 and e^3 = 148 and 20.",
        "So $e^5$ and $e^3 = 148$ and $20$.",
        "所以 e⁵和e³ = 148和20。",
        "softmax([1, 0]) and softmax([2, 0]) = [0.5, 0.5] and [0.6, 0.4]",
    ],
)
def test_the_first_of_two_numbers_is_not_of_the_second_thing(text: str) -> None:
    found = report(text)
    assert not any(claim.bad for claim in found.findings)
    assert any(listed.reason.key == "said_of_two" for listed in found.not_checked)


def test_two_equations_joined_by_a_word_are_two() -> None:
    assert judged("e^1 = 2.72 and e^2 = 7.49 and that is all") == [("e^1", ["2.72"], []), ("e^2", ["7.49"], ["7.49"])]


@pytest.mark.parametrize("share", ["(73.7%)", "(约 74%)"])
def test_a_share_in_brackets_behind_a_result_is_no_factor_of_it(share: str) -> None:
    assert judged(f"```\nsaved: 9.5 - 2.5 = 7.00 GB {share}\n```") == [("9.5 - 2.5", ["7.00"], [])]


@pytest.mark.parametrize("unit", [" parameters", ""])
@pytest.mark.parametrize("comma", [",", ";"])
def test_a_label_behind_a_comma_is_that_of_what_follows(unit: str, comma: str) -> None:
    text = f"W_Q: 40 × 40 = 1610{unit}{comma} W_K: 40 × 10 = 400{unit}{comma} W_V: 40 × 10 = 410{unit}."
    assert [(numbers, bad) for _, numbers, bad in judged(text)] == [
        (["1610"], ["1610"]),
        (["400"], []),
        (["410"], ["410"]),
    ]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Le key sono k1 = [1, 0] e k2 = [0, 1]. Con q = [2, 3]:\n\n    q · k1 = 2,   q · k2 = 4", ["4"]),
        ("La query es q = [2, 1] y las claves son k1 = [1, 0] y k2 = [0, 1].\n\n    q · k1 = 2, q · k2 = 2", ["2"]),
        ("Els pesos: w1 = 2 i w2 = 3. Llavors w1 · w2 = 7.", ["7"]),
        ("Let y = 3 and x = 2. So 2 y x = 12.", []),
    ],
)
def test_and_in_languages_where_it_is_a_letter(text: str, wrong: list[str]) -> None:
    assert [number for _, _, bad in judged(text) for number in bad] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```\nusable = 80 − 14 − 6 (overhead) ≈ 65 GB\n```", ["65"]),
        ("usable = 80 GB − 14 GB (weights) − 6 GB (cache) = 60 GB", []),
        ("参数 = 80 − 14（权重）− 6（开销）= 65", ["65"]),
        ("The sizes 3 (batch) × 4 (heads) = 13.", ["13"]),
        ("f = 3 (alpha) = 4", []),  # which may be a name
    ],
)
def test_a_word_in_brackets_behind_a_number_is_a_note(text: str, wrong: list[str]) -> None:
    assert [number for _, _, bad in judged(text) for number in bad] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The layers have 57 norms (28 × 2 = 57).", ["57"]),
        ("In all there are (28 layers × 2 = 57 norms) of them.", ["57"]),
        ("We get 33 (2^5 = 33), and 9 (3² = 8).", ["33", "8"]),
        ("The weights [0.5, 0.6] (0.5 + 0.6 = 1.1) do not sum to 1.", []),
        ("It has 2 layers (d = 4) and 2 (n → 3).", []),
    ],
)
def test_an_equation_of_numbers_in_brackets_is_read(text: str, wrong: list[str]) -> None:
    assert [number for _, _, bad in judged(text) for number in bad] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("params = 12 × hidden² + 13 × hidden = 12 × 512² + 13 × 512 = 3.1M + 9K", ["9K"]),
        ("emb = vocab × hidden + places × hidden = 300 × 512 + 100 × 512 = 153600 + 51400", ["51400"]),
        ("memory = 2 × layers × hidden = 2 × 12 × 768 = 18432", []),
    ],
)
def test_what_is_put_in_for_words_is_read_though_they_are_not(text: str, wrong: list[str]) -> None:
    found = judged(text)
    assert found
    assert [number for _, _, bad in found for number in bad] == wrong


@pytest.mark.parametrize(
    ("cell", "wrong"),
    [
        ("Decoder (28 层 × 2 = 57 个 RMSNorm)", ["57"]),
        ("28 layers × 2 = 56 norms", []),
        ("80 − 14 (weights) − 6 (cache) = 66 GB", ["66"]),
        ("4096 × 512 = 2 097 153", ["2097153"]),
    ],
)
def test_cells_of_tables_are_spelled_as_lines_are(cell: str, wrong: list[str]) -> None:
    found = judged(f"| part | how many |\n|---|---|\n| a | {cell} |\n| b | see above |\n")
    assert found
    assert [number for _, _, bad in found for number in bad] == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("```\nexp(1.41) = 4.10        exp(0) = 1.00       合計 5.10\n```", []),
        ("```\nexp(1.41) = 4.10        exp(0) = 1.00       合計 5.20\n```", ["5.20"]),
        ("exp(1) = 2.72 and exp(0) = 1.00; their sum is 3.80.", ["3.80"]),
        ("exp(0.3) = 1.35, exp(-0.3) = 0.74, sum = 2.1", []),  # 2.0907
        ("e^2 ≈ 7.39, e^1 ≈ 2.72, e^0 = 1, total = 11.21\n\n7.39/total = 0.66", ["11.21"]),
        ("[2, 1, 0]: e^2 ≈ 7.39, e^1 ≈ 2.72, sum = 11.11", []),  # e^0 = 1 needs no words
        ("[3, 2, 0.5]: e^3 ≈ 20.09, e^2 ≈ 7.39, sum = 29.13", []),  # and e^0.5 = 1.65
        ("The scores are 2, 1, 0. exp(2) = 7.39, exp(1) = 2.72, sum = 11.11", []),
        ("[2, 1, 0]\n\nexp(2) = 7.39, exp(1) = 2.72, sum = 11.11", []),
        ("[2, 1, 0]\n\nexp(2) = 7.39, exp(1) = 2.72, sum = 7.39 + 2.72 = 11.11", ["11.11"]),
        ("[2, 1, 5]\n\nexp(2) = 7.39, exp(1) = 2.72, sum = 11.11", ["11.11"]),
        ("[2, 1]: e^2 ≈ 7.39, e^1 ≈ 2.72, sum = 11.11", ["11.11"]),  # the list has no 0,
        ("[2, 1, 0]: e^2 ≈ 7.39, e^1 ≈ 2.72, sum = 9.11", ["9.11"]),  # which adds 1,
        ("[3, 0]: exp(3) = 20.09, exp(0) = 1.00, sum = 22.09", ["22.09"]),  # and once
        ("Row 0, 3 words: exp(3) = 20.09, exp(2) = 7.39, sum = 28.48", ["28.48"]),
        ("exp(1) = 2.72, exp(0) = 1.00, total 4 weights", []),
        ("exp(1) = 2.72, exp(0) = 1.00, in total 2 numbers", []),
        ("exp(1) = 2.72, exp(0) = 1.00, sum 1 after division", []),
        ("exp(-1) = 0.37, exp(-2) = 0.14, total 1.51 (with exp(0) = 1)", []),
        ("Cat has exp(0) = 1. The others have exp(-1) = 0.37 and exp(-2) = 0.14. Sum 1.51.", []),
        ("exp(1) = 2.72, exp(0) = 1.00, total 13.83 with the 10.11 of block 1", []),
        ("exp(3) = 20.09, exp(0) = 1.00, total 21.29 with 0.20 for the rest", []),
    ],
)
def test_the_total_behind_exponentials(text: str, wrong: list[str]) -> None:
    assert [number for _, _, bad in judged(text) for number in bad] == wrong


def test_as_many_each_above_and_below_a_stroke() -> None:
    assert judged("Per GPU: 312T / 2T = 156 FLOP/byte")[0][2] == []
    assert judged("Per GPU: 312T / 2T = 165 FLOP/byte")[0][2] == ["165"]
    assert judged("Per GPU: 312T / 2G = 156 FLOP/byte") == []


def test_raised_letters_of_a_name_in_plain_text() -> None:
    features = "    Qᶠ = [[1, 2], [3, 4]]\n\n    Kᶠ = [[1, 0], [2, 1]]\n\n"
    found = judged(features + "    S = Qᶠ Kᶠᵀ = [[1, 4], [3, 10]]\n\n    z = rowsum(Kᶠᵀ) = [[3], [2]]")
    assert [(name, wrong) for name, _, wrong in found[-2:]] == [("S", []), ("z", ["2"])]  # 1 + 2, 0 + 1


def test_a_cap_has_a_name_of_its_own() -> None:
    scores = "    S = [[0, 4]]\n\n    Sᶜ = 2 tanh(S/2) ≈ [[0, 1.928]]\n\n"  # 2 tanh 2 = 1.92806
    assert not any(wrong for *_, wrong in judged(scores + "    E = exp(Sᶜ) ≈ [[1, 6.876]]"))  # e^1.92806 = 6.8761
    assert judged(scores + "    E = exp(Sᶜ) ≈ [[1, 54.598]]")[-1][2] == ["54.598"]


@pytest.mark.parametrize(
    "text",
    ["3 (squared) + 1 = 10", "6 (dozen) × 2 = 144", "2 (twice) × 3 = 12", "5（亿）× 2 = 10 亿", "3（平方）+ 1 = 10"],
)
def test_a_word_in_brackets_may_change_what_a_number_is_worth(text: str) -> None:
    assert not [number for *_, bad in judged(text) for number in bad]


@pytest.mark.parametrize("token", ['("the")', "('the')", "(“the”)", "（「猫」）", "(«le»)"])
def test_a_quoted_token_behind_a_numbered_name(token: str) -> None:
    text = f'`x1 {token} = [1.0, 2.0]`, `x2 ("cat") = [0, 1]`.\n\n$$y_1 = x_1 \\cdot 2 = [2.0, {{}}]$$'
    assert [bad for *_, bad in judged(text.format("4.0"))] == [[]]
    assert [bad for *_, bad in judged(text.format("5.0"))] == [["5.0"]]


def test_a_quoted_token_may_be_all_that_tells_two_names_apart() -> None:
    assert judged('q ("a") = [1, 2], q ("b") = [3, 4].\n\n2 · q = [2, 4]') == []


def test_a_result_in_bold_behind_the_marks_of_its_formula() -> None:
    assert judged("In all $2 \\cdot 3 =$ **6** of them.")[-1][1:] == (["6"], [])
    assert judged("In all $2 \\cdot 3 =$ **7** of them.")[-1][2] == ["7"]
    assert not judged("In all $2 \\cdot 3 =$ **6 x** of them.")
