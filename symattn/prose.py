"""Every sentence that symattn writes, in English and Chinese side by side, keyed by what it says."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "zh")


class Sentence:
    """A sentence with its blanks filled in, to be said in either language.

    Braces are doubled for literal ones, as in `str.format`; a field may itself be a Sentence.

    >>> str(Sentence("not_a_number", text="1/0"))
    '"1/0" is no exact number; write an integer, a fraction, a decimal or a root, such as 3, "1/3", "0.10" or "sqrt(2)"'
    >>> Sentence("not_a_number", text="1/0").text("zh")
    '“1/0”不是精确的数；请写整数、分数、小数或根式，例如 3、"1/3"、"0.10"、"sqrt(2)"'
    """

    def __init__(self, key: str, **fields: object) -> None:
        self.key = key
        self.fields: Mapping[str, object] = fields

    def text(self, language: str = "en") -> str:
        template = SENTENCES[self.key][LANGUAGES.index(language)]
        said = {k: v.text(language) if isinstance(v, Sentence) else v for k, v in self.fields.items()}
        return template.format(**said)

    def __str__(self) -> str:
        return self.text("en")

    def __repr__(self) -> str:
        return f"Sentence({self.key!r}: {self})"


# key: (English, Chinese)
SENTENCES: dict[str, tuple[str, str]] = {
    # --- exact numbers
    "not_a_number": (
        '"{text}" is no exact number; write an integer, a fraction, a decimal or a root, '
        'such as 3, "1/3", "0.10" or "sqrt(2)"',
        '“{text}”不是精确的数；请写整数、分数、小数或根式，例如 3、"1/3"、"0.10"、"sqrt(2)"',
    ),
    # --- formulas
    "formula_empty": ("there is no formula here", "这里没有公式"),
    "formula_too_long": (
        "the formula is longer than {limit} characters; split it",
        "公式超过 {limit} 个字符；请拆开",
    ),
    "formula_unknown": ("{text} is not known here", "不认识 {text}"),
    "formula_unclosed": ("{text} is never closed", "{text} 没有闭合"),
    "formula_unopened": ("{text} closes what was never opened", "{text} 没有对应的开头"),
    "formula_unexpected": ("{text} is not expected here", "此处不应有 {text}"),
    "formula_incomplete": ("the formula stops before it is complete", "公式不完整"),
    "formula_too_deep": (
        "more than {limit} levels of brackets and scripts",
        "括号与上下标嵌套超过 {limit} 层",
    ),
    "formula_huge_number": (
        "{text} has more than 1,000 digits or an exponent beyond ±400",
        "{text} 超过 1000 位数字，或指数超出 ±400",
    ),
    "formula_comma": (
        "this comma may be decimal, of thousands or of a list; write a point, or spaces in the list",
        "此逗号可能是小数点、千位分隔符或列表分隔符；请用小数点，或在列表逗号后加空格",
    ),
    "formula_neighbours": (
        "{text} stands beside its neighbour with no operator; write the operator if there is one",
        "{text} 与相邻内容之间没有运算符；若有，请写出",
    ),
    "formula_ambiguous": ("{text} can be read in more than one way", "{text} 有多种读法"),
    "formula_application": (
        "{text} may be a function applied or a product; write the operator if it is a product",
        "{text} 可能是函数应用，也可能是乘积；若是乘积，请写出运算符",
    ),
    "formula_several_names": (
        "several names stand before one relation; write one equation for each",
        "一个等号前有多个名称；请分别写出等式",
    ),
    "formula_ragged": (
        "row {row} has {found} cells, the first has {expected}",
        "第 {row} 行有 {found} 个元素，第一行有 {expected} 个",
    ),
    "formula_blank_cell": ("a cell of the matrix is empty", "矩阵中有空元素"),
    "formula_no_matrix": ("{text} holds no rows of numbers or symbols", "{text} 中没有数或符号的行"),
}
