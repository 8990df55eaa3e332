"""An author's own words on a page, with values in them."""

from __future__ import annotations

import pytest

from symattn.api.worksheets import derive_sheet
from symattn.errors import InputError
from symattn.reading.worksheets.worksheet import parse_worksheet

SHEET = """
summary = { en = "Costs $5 & more.", zh = "五元。" }
conclusion = "WORDS"
[inputs]
Q = [[1, 0], [0, 1]]
K = [[1, 0], [0, 1]]
V = [[2, 0], [0, 4]]
[attention]
mask = "causal"
"""


def page(words: str, target: str = "markdown", language: str = "en") -> str:
    written = derive_sheet(parse_worksheet(SHEET.replace("WORDS", words)), "brief", language).to(
        target, language=language
    )
    return str(written)


def test_a_page_begins_and_ends_with_its_author_s_words() -> None:
    english, chinese = page("The end."), page("The end.", language="zh")
    assert english.index("Costs \\$5 & more.") < english.index("## 1 Inputs")
    assert english.endswith("Conclusion\n\nThe end.\n") and "小结" in chinese
    assert chinese.index("五元。") < chinese.index("## 1")
    assert r"Costs \$5 \& more." in page("The end.", "latex")


def test_values_are_put_into_words() -> None:
    # the causal mask leaves the first token itself alone; exp(1/sqrt(2)) / (1 + exp(1/sqrt(2))) = 0.66976...
    end = page("Row 1: {weights[1]}; {weights[2,2]}, {output[1,1]} and {{}}.").rpartition("Row 1: ")[2]
    row, entry, whole = r"$A_{1} = \begin{bmatrix} 1 & 0 \end{bmatrix}$", r"$A_{22} \approx 0.67$", "$O_{11} = 2$"
    assert end == f"{row}; {entry}, {whole} and {{}}.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("{weights}", "conclusion: {weights}: write values in the text as {weights[2,1]}"),
        ("{weights[1,1]", "write values in the text as {weights[2,1]}"),
        ("{nothing[1,1]}", 'there is no step "nothing"'),
        ("{weights[3,1]}", "3 is not a row; rows count from 1 to 2"),
        ("{weights[1,0]}", "0 is not a column; columns count from 1 to 2"),
    ],
)
def test_what_cannot_be_put_into_words_is_said(words: str, said: str) -> None:
    with pytest.raises(InputError, match=said.replace("[", r"\[").replace("]", r"\]")):
        page(words)


def test_words_are_no_markup() -> None:
    words = "<script>alert(1)</script> **bold** \\\\input{{x}} `code`"
    assert r"\<script\>alert(1)\</script\> \*\*bold\*\* \\input{x} \`code\`" in page(words)
    assert "&lt;script&gt;" in page(words, "html")
    assert r"\textbackslash{}input\{x\}" in page(words, "latex")
