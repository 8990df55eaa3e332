"""Sums in another arithmetic that the words around name are right there, and no slip."""

import pytest

from tests.checking.checked import judged


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
        "In binary 1 + 1 = 10, 11 + 1 = 100.",
        "Hexadecimal: 9 + 7 = 10.",
        "In degrees sin(30) = 0.5 and cos(30) = 0.866.",
        "角度制：sin(30) = 0.5，cos(30) = 0.866。",
        "Boolean algebra: 1 + 1 = 1.",
    ],
)
def test_nothing_is_accused_there(text):
    assert bad(text) == []


@pytest.mark.parametrize(
    "text",
    ["2048 + 1 = 2048", "In degrees sin(30) = 0.4", "FP16: 20 + 1 = 20", "modulo 7: 3 + 6 = 3", "binary: 1 + 1 = 11"],
)
def test_what_is_wrong_there_too_is_accused(text):
    assert len(bad(text)) == 1
