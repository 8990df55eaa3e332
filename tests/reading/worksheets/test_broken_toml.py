"""Worksheets that are no TOML: the sign that is in the way and the one that was meant, in both languages."""

from __future__ import annotations

import pytest

from symattn.errors import InputError
from symattn.reading.worksheets.worksheet import parse_worksheet


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        ("[inputs]\nX = [[1，0]]\n", "2:8", ","),
        ("[inputs]\r\nX = [[1, 0]，[1, 1]]\r\n", "2:12", ","),
        ('tokens = ["a"、"b"]\n', "1:14", ","),
        ("tokens = “a”\n", "1:10", '"'),
        ("tokens＝1\n", "1:7", "="),
        ("tokens：1\n", "1:7", "="),
        ("X = ［1］\n", "1:5", "["),
        ("X = −1\n", "1:5", "-"),
        ("X = 0.５\n", "1:6", ""),
        ("X = [1,\u30002]\n", "1:8", " "),
    ],
)
def test_a_full_width_sign_is_named(text: str, place: str, meant: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_worksheet(text)
    assert caught.value.place == place
    if meant:
        assert caught.value.text("en").endswith(f'is not a sign of TOML; write "{meant}"')
        assert caught.value.text("zh").endswith(f"请改用半角的“{meant}”")


@pytest.mark.parametrize("text", ["标题 = 1\n", "[输入]\n", "  标题 = 1\n"])
def test_a_key_in_chinese_is_told_how_keys_are_written(text: str) -> None:
    with pytest.raises(InputError, match="a key is written in the letters A to Z") as caught:
        parse_worksheet(text)
    assert "键名只能用英文字母" in caught.value.text("zh")


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("X = [[1, 0]\n", "1:1: not valid TOML: what begins here", "从这里开始的内容没有结束"),
        ("X = [1 2]\n", "1:8: not valid TOML: unclosed array", "数组没有闭合，或缺少逗号"),
        ("X\n", "1:2: not valid TOML: expected '='", "键的后面缺少等号“=”"),
        ('t = "\\q"\n', "1:8: not valid TOML: unescaped '\\'", "字符串中的“\\”需写成“\\\\”"),
        ("t = 1\nt = 2\n", "2:6: not valid TOML: cannot overwrite", "这个键重复了"),
        ("[a]\n[a]\n", "2:3: not valid TOML: [a] stands in line 1 already", "第 1 行已有 [a]"),
        ("[a.b]\nc = 1\n[a.b.c]\n", "3:7: not valid TOML: cannot", "重复了"),
        ("X = [[0, 1/2]]\n", '1:11: not valid TOML: write 1/2 in quotation marks: "1/2"', "请给 1/2 加上引号"),
        ("X = [[0,\n1/2]]\n", '2:2: not valid TOML: write 1/2 in quotation marks: "1/2"', "请给 1/2 加上引号"),
        ("a = 1/sqrt(d_k)\n", "1:6: not valid TOML: write 1/sqrt(d_k) in quotation marks", "请给 1/sqrt(d_k) 加上"),
        ("X = [sqrt(2), 1]\n", "1:6: not valid TOML: write sqrt(2) in quotation marks", "请给 sqrt(2) 加上引号"),
        ("mask = causal\n", "1:8: not valid TOML: write causal in quotation marks", "请给 causal 加上引号"),
        ("diagram = True\n", "1:11: not valid TOML: write true, not True", "请写 true，而不是 True"),
        ("t = 1 2\n", "1:7: not valid TOML: expected newline", "语句之后应换行"),
    ],
)
def test_what_tomllib_says_is_told_in_both_languages(text: str, english: str, chinese: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_worksheet(text)
    assert (
        caught.value.text("en")
        .partition(":")[2]
        .partition(":")[2]
        .startswith(english.partition(":")[2].partition(":")[2])
    )
    assert chinese in caught.value.text("zh")
