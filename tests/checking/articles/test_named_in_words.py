"""Lists and numbers that Chinese sentences name: normalised, softmax, measures in one line; worked out with mpmath."""

from __future__ import annotations

import pytest

from tests.checking.checked import judged

TEXTS = [
    # 1/6, 2/6, 3/6; softmax(1, 2, 3) = 0.0900, 0.2447, 0.6652, of the same list
    ("分数 $[1.0, 2.0, 3.0]$ 归一化得到 $[0.17, 0.33, 0.50]$，而 Softmax 得到 $[0.09, {}, 0.67]$", "0.24", "0.42", 6),
    # 0.368/1.503 = 0.245
    ("$[e^0, e^{{-1}}, e^{{-2}}] = [1, 0.368, 0.135]$\n\n归一化后：$[0.665, {}, 0.090]$", "0.245", "0.254", 6),
    # (6 − 3)/√3.5 = 1.604
    ("输入 [1, 2, 3, 6]\n\n均值 = 3，方差 = 3.5\n\n归一化后：[-1.069, -0.535, 0, {}]", "1.604", "1.064", 6),
    ("x = [1, 2, 3, 6]\n\n均值 3，方差 {}，标准差 1.871。", "3.5", "3.2", 3),
    ("x = [3, 4, 0, 0]\n\n均方根 ≈ {}", "2.5", "", 1),
    ("- `$e^{{0.58}} \\approx 1.79$`\n- `$e^{{1.73}} \\approx 5.64$`\n- 总和 `$= {}$`", "7.43", "", 3),
    # softmax(0.707, 0) = 0.6698, 0.3302
    (
        "$E = [[1, 0], [0, 1]]$\n\n$$\\frac{{E E^\\top}}{{\\sqrt2}} = [[0.707, 0], [0, 0.707]]$$\n\n逐行 softmax：\n\n"
        "$$W_{{\\mathrm{{att}}}} \\approx [[0.67, 0.33], [0.33, {}]]$$",
        "0.67",
        "",
        8,
    ),
    (
        "$A = softmax([[0, 1], [1, 0]]) = [[0.27, 0.73], [0.73, 0.27]]$\n\n权重 (A):\n\n[[0.27 0.73]\n [0.73 {}]]",
        "0.27",
        "0.72",
        8,
    ),
]


@pytest.mark.parametrize(("text", "right", "wrong", "count"), TEXTS)
def test_what_words_name(text: str, right: str, wrong: str, count: int) -> None:
    found = judged(text.format(right))
    assert sum(len(numbers) for _, numbers, _ in found) == count and not any(bad for *_, bad in found)
    if wrong:
        assert [bad for *_, bad in judged(text.format(wrong)) if bad] == [[wrong]]


def test_a_normalised_list_of_other_numbers_is_given() -> None:
    assert not judged("输入 [1, 2, 3, 6]\n\n归一化后：[0.5, 0.2, 0.2, 0.1]")
    assert not any(bad for *_, bad in judged("x = [1, 2, 3, 6]\n\n均值 0，方差 1"))
