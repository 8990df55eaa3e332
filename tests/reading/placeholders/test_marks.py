"""Where placeholders stand in each format, and what is text though it looks like one."""

import json
import random

import pytest
from markdown_it import MarkdownIt

from symattn.errors import InputError
from symattn.reading.placeholders import find_placeholders

OPEN, CLOSE = "<!-- symattn W scores -->", "<!-- /symattn -->"
PAIR = f"{OPEN}x{CLOSE}"


def contents(text: str, path: str = "a.md") -> list[str]:
    return [p.content for p in find_placeholders(text, path)]


@pytest.mark.parametrize(
    "text",
    [
        f"a {PAIR} b",
        f"\ufeff{PAIR}",
        f"- {PAIR}",
        f"1. a\n\n    {PAIR}",  # the second paragraph of an item
        f"- a\n  - b\n\n    {PAIR}",
        f"a\n    {PAIR}",  # a paragraph goes on
        f"> {PAIR}",
        f"```{{note}}\n{PAIR}\n```\n",
        f"`a` {PAIR} `b`",
        f"a ` b {PAIR} c",  # a backtick that opens nothing
        f"a ` b\n\n{PAIR}\n\n` c",  # no span goes over an empty line
        f"\\` {PAIR} `",
        f"<!-- a ` --> {PAIR} <!-- ` -->",
        f"```\n{PAIR}y\n```\n\n{PAIR}",
        f"<pre>{PAIR}</pre>",
        f"| a | {PAIR} |",
        f"`a\n{PAIR}`",  # a comment that begins a line ends the paragraph
        f"- ```\n  a\n\n{PAIR}",  # a fence ends with its item
        f"> ```\n> a\n\n{PAIR}",
        "<!--symattn W scores-->x<!--/symattn-->",
        "<!-- symattn\n  W\n  scores\n-->x<!--\n/symattn -->",
    ],
)
def test_a_placeholder_of_markdown(text: str) -> None:
    assert contents(text) == ["x"]


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{OPEN}\n```\n",
        f"~~~~ md\n```\n{OPEN}\n```\n~~~~\n",
        f"```{{code-cell}} python\n{OPEN}\n```\n",
        f"> ```\n> {OPEN}\n> ```\n",
        f"```\n{OPEN}",
        f"    {OPEN}\n",
        f"a\n\n    {OPEN}\n",
        f"\t{OPEN}\n",
        f"`{OPEN}`",
        f"``a ` {OPEN}``",
        f"`a\nb {OPEN}`",
        f"# title\n    {OPEN}\n",
        f"-     {OPEN}\n",
        f"* a\n\n  ```\n  {OPEN}\n  ```\n",
        f"\\{OPEN}",
        f"<!-- {OPEN}",
        f"<script>{OPEN}</script>",
        f"---\ntitle: {OPEN}\n---\n",
        "<!-- symattn-check off -->",
        "<!-- by symattn -->",
        "",
    ],
)
def test_what_is_text_in_markdown(text: str) -> None:
    assert contents(text) == []


def test_html() -> None:
    page = f'<p title="{OPEN}">a `{PAIR}`</p><SCRIPT>{OPEN}</Script>    {PAIR}\n\n    {PAIR}\n```\n{PAIR}'
    assert contents(page, "a.html") == ["x"] * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("% symattn W scores\nx\n% /symattn", ["\nx\n"]),
        ("\ufeff  %% symattn W scores\r\nx\r\n  % /symattn\r\n", ["\r\nx\r\n  "]),
        (r"\symattn{W}{scores[1,2]}{0.67}", ["0.67"]),
        (r"\symattn [digits=2, --exact] {W} {scores} {\frac{a}{b\}}}", [r"\frac{a}{b\}}"]),
        (r"\newcommand{\symattn}[4][]{#4} \newcommand\symattn[4][]{#4} \symattnx{a}", []),
        ("a % symattn W scores", []),  # beside something else it is a remark
        (r"% \symattn{W}{scores}{1}", []),
        (r"\% \symattn{W}{scores}{1}", ["1"]),
        (r"\\% \symattn{W}{scores}{1}", []),
        ("\\begin{verbatim}\n% symattn W scores\n\\end{verbatim}\n", []),
        (r"\verb|\symattn{W}{scores}{1}| \verb+%+ \symattn{W}{scores}{2}", ["2"]),
        (r"\url{a.org/b%20c} \lstinline{50%} \href{a%20b}{x} \symattn{W}{scores}{2}", ["2"]),
        (r"\NewDocumentCommand\symattn{O{}mmm}{#4} \symattn{W}{scores}{2}", ["2"]),
        ("% symattn W scores\n\\begin{lstlisting}\n% /symattn\n\\end{lstlisting}\n% /symattn", None),
    ],
)
def test_latex(text: str, expected: list[str] | None) -> None:
    found = contents(text, "a.tex")
    assert found == expected if expected is not None else len(found) == 1


def cell(source: object, kind: str = "markdown", **metadata: object) -> dict[str, object]:
    return {"cell_type": kind, "metadata": metadata, "source": source}


def test_notebooks() -> None:
    cells = [
        cell([f"a {OPEN}√{CLOSE}\n", "b"]),
        cell(f"{OPEN}\nx\n{CLOSE}"),
        cell([OPEN], "code"),
        cell(["old"], tags=["hide", "symattn:W.toml:weights[1][2]:digits=4"]),
    ]
    for text in (json.dumps({"cells": cells}), json.dumps({"cells": cells}, indent=1, ensure_ascii=False)):
        found = list(find_placeholders(text, "a.ipynb"))
        assert [p.content for p in found] == ["√", "\nx\n", "old"]
        assert found[2].request.text == "W.toml weights[1,2]" and found[2].request.options == {"digits": 4}
        assert text[found[0].start : found[0].end] in ("√", "\\u221a")


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("a.md", f"a\n{OPEN}", "a.md:2:1: this placeholder is not closed"),
        ("a.md", f"a {CLOSE}", "a.md:1:3: /symattn has no placeholder to close"),
        (
            "a.md",
            f"{OPEN}\n{OPEN}\n{CLOSE}",
            "a.md:2:1: this placeholder begins inside the one that begins <!-- symattn W",
        ),
        ("a.md", "<!-- symattn W", "a.md:1:1: this comment is not closed"),
        ("a.md", f"{OPEN}\n```\n{CLOSE}\n", "a.md:1:1: this placeholder is not closed"),
        ("a.md", f"<!-- symattn -->{CLOSE}", "a.md:1:1: symattn does not say what to insert"),
        ("a.md", f"<!-- symattn a b c d -->{CLOSE}", "a.md:1:1: symattn a b c d does not say what to insert"),
        ("a.md", f"<!-- symattn W scores[0] --depth 3 -->{CLOSE}", '"depth" is not a valid option'),
        ("a.md", f"<!-- symattn W scores --digits x -->{CLOSE}", "digits x is not a whole number from 1"),
        ("a.md", f"<!-- symattn W scores --digits -->{CLOSE}", "not a whole number"),
        ("a.md", f"<!-- symattn W scores --exact=1 -->{CLOSE}", "--exact takes no value"),
        ("a.md", f"<!-- symattn W scores --language fr -->{CLOSE}", '"fr" is not a valid language'),
        ("a.md", f"<!-- symattn 'W scores -->{CLOSE}", "quotation mark that is not closed"),
        ("a.tex", "\\symattn{a}{b}", "a.tex:1:1: \\symattn needs three arguments"),
        ("a.tex", "\\symattn{a}{b}{c", "a.tex:1:1: \\symattn needs three arguments"),
        ("a.tex", "% symattn W scores\n\\symattn{a}{b}{c}\n% /symattn", "a.tex:2:1: this placeholder begins inside"),
        ("a.tex", "% symattn W scores", "a.tex:1:1: this placeholder is not closed"),
        ("a.ipynb", json.dumps({"cells": [cell([f"a\n{OPEN}"])]}, indent=1), "a.ipynb:7:9: this placeholder is not"),
        ("a.ipynb", json.dumps({"cells": [cell([], "code", tags=["symattn:W:scores"])]}), "belongs to a Markdown cell"),
        ("a.ipynb", json.dumps({"cells": [cell([PAIR], tags=["symattn:W:scores"])]}), "this placeholder begins inside"),
        ("a.ipynb", "{}", "notebook"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(path: str, text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        list(find_placeholders(text, path))
    assert said in str(raised.value)


@pytest.mark.parametrize("text", ["`" * 3 + "<!--" * 20_000, "` `` " * 20_000, "<!-- a\n" * 20_000, "\\verb|" * 20_000])
@pytest.mark.parametrize("path", ["a.md", "a.html", "a.tex"])
def test_time_grows_as_the_text_does(text: str, path: str) -> None:
    list(find_placeholders(text, path))


def count_comments(text: str) -> int:
    """How many opening marks a Markdown parser leaves to HTML."""
    tokens = [t for token in MarkdownIt().parse(text) for t in (token, *(token.children or ()))]
    return sum(t.content.count(OPEN) for t in tokens if t.type in ("html_block", "html_inline"))


def test_code_is_what_a_markdown_parser_takes_for_code() -> None:
    """Random pages; what differs is far from what authors write, such as a span from one block into the next."""
    pieces = ["`", "``", "```\n", "~~~\n", "\n", "\n\n", "    ", "  ", "> ", "- ", "1. ", "# h\n", "* a\n", "text\n"]
    choose = random.Random(7)
    pages = ["".join(choose.choices([*pieces, PAIR, f"{PAIR}\n", f"b {PAIR}"], k=7)) for _ in range(800)]
    differ = [page for page in pages if OPEN in page and len(contents(page)) != count_comments(page)]
    assert len(differ) <= 8, differ
