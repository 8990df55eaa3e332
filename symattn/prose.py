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
    # --- reading articles
    "not_utf8": (
        "byte {offset} is no UTF-8; save the file as UTF-8",
        "第 {offset} 个字节不是 UTF-8；请把文件存为 UTF-8",
    ),
    "not_text": (
        "byte {offset} is zero, so this is no text; give Markdown, LaTeX, a notebook, HTML or plain text",
        "第 {offset} 个字节为零，这不是文本；请给出 Markdown、LaTeX、notebook、HTML 或纯文本",
    ),
    "file_too_large": (
        "{size} bytes are more than the {most} that are read; split the article",
        "共 {size} 字节，超过可读的 {most} 字节；请把文章拆开",
    ),
    "no_such_file": (
        "there is no such file; give the path of an article, or - for a pasted text",
        "没有这个文件；请给出文章的路径，或用 - 读入粘贴的文本",
    ),
    "file_not_readable": (
        "the file cannot be read: {why}",
        "文件无法读取：{why}",
    ),
    "not_json": (
        "the notebook is no JSON: {why}; save it again from Jupyter",
        "这个 notebook 不是 JSON：{why}；请在 Jupyter 中重新保存",
    ),
    "not_a_notebook": (
        "the JSON has no list of cells; give a notebook of format 3 or later",
        "这个 JSON 没有单元格列表；请给出格式 3 以上的 notebook",
    ),
    "endless_macro": (
        "the macro {name} expands without end, so the formula was not read",
        "宏 {name} 的展开没有终点，因此没有读这个公式",
    ),
    "formula_not_closed": (
        "{mark} opens a formula that nothing closes",
        "{mark} 开始了一个公式，但没有结束",
    ),
    "line_too_long": (
        "more than {most} characters without a line that ends: set it as a formula between marks",
        "超过 {most} 个字符仍未结束的一行；请把它写成有标记的公式",
    ),
    "mathml_without_tex": (
        "MathML without its TeX source is not read; add an annotation of encoding application/x-tex",
        "没有附带 TeX 源码的 MathML 不读；请加上 encoding 为 application/x-tex 的 annotation",
    ),
}
