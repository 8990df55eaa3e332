"""Sums in another arithmetic that the words around name are right there, and no slip."""

import pytest

from tests.checking.checked import judged

# words that are common beside sums of plain numbers
EXCUSED_BY_NOTHING = (
    "w.grad holds sin(1) = 0.0175.",
    "Of this degree is PE(1) = sin(1) = 0.0175.",
    "To avoid overflow we subtract the maximum: 2 - 5 = 0.",
    "为了防止溢出，先减去最大值 5：2 - 5 = 0。",
    "In FP8 the weights and the cache need 13 + 4 = 16 GB.",
    "参数规模 7B：5 + 6 = 4。",
    "v = (3, 4): |v| = 7.",
    "Layer L1 is linear. v = (3, 4): ‖v‖ = 7.",
    "In this step 3 + 4 = 8.",
    "Thus 2(3+4) = 7.",
    "The precision counts 30 + 10 = 45 (false positives).",
    "Data [2, 4, 4, 6, 8]\n\nvariance: 4.16\nmean: 5.8",
)


def bad(text):
    return [b for *_, b in judged(text) if b]


@pytest.mark.parametrize(
    "text",
    [
        "In FP16 2048 + 1 = 2048, and in BF16 256 + 1 = 256.",
        "FP8 (E4M3): 16 + 1 = 16, 1/3 = 0.34375.",
        "INT8 饱和：100 + 50 = 127；回绕：100 + 50 = -106。",
        "uint8: 200 + 100 = 44 (overflow); 200 + 100 = 255 (saturated).",
        "模 5 运算：3 + 4 = 2，3 × 4 = 2。",
        "Addition modulo 97: 50 + 60 = 13, 96 + 1 = 0.",
        "$50 + 60 = 13 \\pmod{97}$",
        "In degrees sin(30) = 0.5 and cos(30) = 0.866.",
        "角度制：sin(30) = 0.5，cos(30) = 0.866。",
    ],
)
def test_nothing_is_accused_there(text):
    assert bad(text) == []


@pytest.mark.parametrize(
    "text",
    ["2048 + 1 = 2048", "In degrees sin(30) = 0.4", "FP16: 20 + 1 = 20", "modulo 7: 3 + 6 = 3", *EXCUSED_BY_NOTHING],
)
def test_what_is_wrong_there_too_is_accused(text):
    assert len(bad(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "v = (3, 4): ‖v‖₁ = 7, ‖v‖₂ = 5.",
        "x = [3, -4]：L1 norm ||x||₁ = 7.",
        "u = (3, 4), |u|_1 = 7",
        "D = [3, 5, 2] (lengths); |D| = 3 documents.",
        "x = [1, 2, 3]: |x| = 6 (L1)",
    ],
)
def test_bars_may_mean_another_norm_or_a_number(text):
    assert bad(text) == []


def test_two_bars_alone_are_the_length():
    assert bad("v = (3, 4): ‖v‖ = 7.") == [["7"]]
    assert bad("v = (3, 4): |v| = 6.") == [["6"]]


def test_what_stands_beside_an_operator_that_is_not_read_is_only_a_part():
    text = "x = [1, 2, 3]; y = [4, 5, 6]: x⊗y = [[4,5,6],[8,10,12],[12,15,18]]; ‖x−y‖ = 5.196"
    assert not any(b for *_, b in judged(text))
    assert judged("d1 = 1, d2 = 0, d4 = 0\n\np = d1 ⊕ d2 ⊕ d4 = 1 ⊕ 0 ⊕ 0 = 0\n") == []


def test_a_function_keeps_its_logarithm():
    """ln 2 = 0.693 and lg 10 = 1, but no one logarithm gives both."""
    one, two = "IDF(a) = log(1000/500) = 0.693", "IDF(b) = log(1000/100) = 1"
    assert [numbers for _, numbers, _ in judged(f"{one}\n\n{two}\n")] == [["0.693"]]
    assert [numbers for _, numbers, _ in judged(f"{one}\n\nIDF(b) = log(1000/100) = 2.303\n")] == [["0.693"], ["2.303"]]
    assert [numbers for _, numbers, _ in judged(f"{one}\n\nIDF(b) = log(1000/1000) = 0\n")] == [["0.693"], ["0"]]
    assert [numbers for _, numbers, _ in judged(f"{two}\n\nIDF(c) = log(100/10) = 1\n")] == [["1"], ["1"]]
