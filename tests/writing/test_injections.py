"""What others write into titles, tokens and names is text in every format, or is refused: nothing of it acts."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from symattn.api.check import check_article
from symattn.api.derivation import Derivation
from symattn.errors import InputError
from symattn.writing.prose.sentences import SENTENCES
from symattn.writing.writers.latex import escape
from tests.samples import derived

pytestmark = pytest.mark.slow

INJECTIONS = {
    "script": "</script><script>alert(1)</script>",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "picture": '<img src=x onerror="alert(1)">',
    "svg": '</text></svg><svg onload="alert(1)">',
    "comment": "1 --> <!-- ]]> <b>",
    "entity": "1 &lt;script&gt; &#60;b&#62;",
    "LaTeX command": r"\input{/etc/passwd} \immediate\write18{id}",
    "LaTeX end": r"\end{document} \catcode`\%=12",
    "LaTeX group": r"}}} {{{ \def\x{\x}\x ^^5cinput",
    "mathematics": r"$\href{javascript:alert(1)}{x}$ $$x$$ \(y\) \[z\]",
    "percent": "50% of & # _ ^ ~",
    "Markdown link": "[a](javascript:alert(1)) ![b](http://x.invalid/p.png) <http://x.invalid>",
    "Markdown blocks": "# heading 1\n\n- item\n\n```\ncode\n```\n\n| a | b |\n|---|---|",
    "Mermaid": '"]; click A href "javascript:alert(1)"; B["',
    "Mermaid fence": "```\n```mermaid\nflowchart TD\nA-->B1",
    "terminal": "\x1b[31mred\x1b]0;title\x07 \x08\x08 \r\n\x9b2J",
    "nought": "1a\x00b",
    "direction": "1 \u202eright to left\u2066",
    "format": "{0} {weights} {__class__} %s %n",
}
SHEET = """title = {word}
tokens = [{word}, "b", "c"]
summary = {words}
conclusion = {words}
[inputs]
Q = [[1, 2], [3, -1], [0, 1]]
K = [[2, 0], [1, 1], [-1, 2]]
V = [[1, 0], [0, 1], [2, 3]]
[show]
diagram = true
figures = true
"""


def sheet(word: str) -> str:
    """Braces of an author's sentences are doubled, since single ones hold values."""
    doubled = word.replace("{", "{{").replace("}", "}}")
    return SHEET.format(word=json.dumps(word, ensure_ascii=False), words=json.dumps(doubled, ensure_ascii=False))


@cache
def made_of(text: str) -> Derivation:
    """What a worksheet gives, made once."""
    return derived(text)


@cache
def page(text: str, target: str) -> str:
    """Its page, written once."""
    return made_of(text).to(target)


PLAIN = sheet("plain 1")  # a digit makes a sentence one that an edited page leaves out


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.kinds: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def seen(word: str) -> str:
    """The word without spaces and what cannot be printed."""
    return "".join(c if c.isprintable() else "�" for c in word if not c.isspace())


@pytest.mark.slow
@pytest.mark.parametrize("name", INJECTIONS)
def test_pages_have_the_elements_that_they_have_without(name: str) -> None:
    pytest.importorskip("quickjs")
    word = INJECTIONS[name]
    made, plain = (Elements(page(text, "html")) for text in (sheet(word), PLAIN))
    # a long name is turned and cut in the picture, with the whole in a title; the headings are the same
    assert [k for k in made.kinds if k != "title"] == [k for k in plain.kinds if k != "title"]
    assert made.attributes - {"transform"} == plain.attributes and all(link.startswith("#") for link in made.links)
    assert seen(word) in seen(made.text)


@pytest.mark.parametrize("name", INJECTIONS)
def test_markdown_renders_as_the_same_elements(name: str) -> None:
    word = INJECTIONS[name]
    render = MarkdownIt("commonmark", {"html": True}).enable("table").use(dollarmath_plugin).render
    made, plain = (Elements(render(page(text, "markdown"))) for text in (sheet(word), PLAIN))
    assert made.kinds == plain.kinds and made.attributes == plain.attributes and made.links == plain.links


@pytest.mark.parametrize("name", INJECTIONS)
def test_latex_has_the_commands_that_it_has_without(name: str) -> None:
    word = INJECTIONS[name]
    made, plain = (page(text, "latex") for text in (sheet(word), PLAIN))
    spelled = {r"\textbackslash", r"\textasciicircum", r"\textasciitilde", r"\textless", r"\textgreater"}
    spelled |= {r"\{", r"\}", r"\$", r"\&", r"\#", r"\%", r"\_"}
    used = lambda text: set(re.findall(r"\\(?:[a-zA-Z]+|.)", text)) - spelled  # noqa: E731
    assert used(made) == used(plain)
    for text in (made, plain):  # groups are closed, comments are our own
        bare = re.sub(r"\\[\\{}%]", "", text)
        assert bare.count("{") == bare.count("}") and bare.count("%") == plain.count("%")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", made) and "^^" not in made


@pytest.mark.parametrize("name", INJECTIONS)
def test_text_steers_no_terminal(name: str) -> None:
    text = page(sheet(INJECTIONS[name]), "text")
    assert all(c.isprintable() or c == "\n" for c in text)
    assert text.count("\n    Q = ") == page(PLAIN, "text").count("\n    Q = ")


@pytest.mark.parametrize("name", INJECTIONS)
@pytest.mark.parametrize("notated", ["Q", "weights"])
def test_names_that_are_no_names_are_refused(name: str, notated: str) -> None:
    with pytest.raises(InputError):
        derived(f"{PLAIN}[notation]\nsymbols = {{ {notated} = {json.dumps(INJECTIONS[name])} }}\n")


@pytest.mark.parametrize("name", INJECTIONS)
def test_data_holds_the_words_as_they_are(name: str) -> None:
    data = json.loads(json.dumps(made_of(sheet(INJECTIONS[name])).to_json()))
    assert seen(data["title"]) == seen(INJECTIONS[name])


def test_every_sentence_of_ours_is_set_with_fonts_that_are_there() -> None:
    for key, said in SENTENCES.items():
        assert not any(r"\fbox" in escape(text) for text in said), key


@pytest.mark.parametrize(
    ("word", "written"), [("кот", "U+043A"), ("🙂", "U+1F642"), ("naïve Größe ŵ", "naïve Größe ŵ")]
)
def test_what_no_font_has_is_named(word: str, written: str) -> None:
    assert written in derived(sheet(word)).to_latex()


@pytest.mark.parametrize("target", ["text", "markdown", "html", "latex"])
def test_no_words_of_an_article_steer_or_turn_about(target: str) -> None:
    steering = "\x1b\x07\x85\u202e\u2066"
    report = check_article(f"${steering} + x{steering} = 3$ {steering}\n\n$1 + 1 = 3$ so $W{steering} = 2$\n")
    page = report.to(target, verbose=True)
    assert not set(steering) & set(page) and "1 + 1" in page
