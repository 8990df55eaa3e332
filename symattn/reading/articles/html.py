r"""HTML pages: MathML with its TeX, KaTeX and MathJax markup, tables, code, and the text in between.

The tags are found by a scanner of its own, for what is read must keep its place in the file; it never looks
at a tag twice, whatever is left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from symattn.patterns import regex
from symattn.reading.articles.article import Article, Located, join
from symattn.reading.articles.scanning.blocks import find_in_code, find_in_text
from symattn.reading.articles.scanning.cleaning import clean_line, decode_entities
from symattn.reading.articles.scanning.finding import Found, gather, seen
from symattn.reading.articles.scanning.macros import Macros
from symattn.reading.articles.scanning.passages import find_in_line, lines_of
from symattn.reading.articles.scanning.tables import Row, find_in_table, grid_of_numbers
from symattn.reading.articles.wordless import find_comments
from symattn.writing.prose import Sentence

_TAG = regex(
    r"<(?:(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:-]*+)(?P<rest>(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+)>|!--|![A-Za-z]|\?)"
)
_WORDS_OF_BLOCKS = """
    p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote section article header footer main nav aside
    figure figcaption table tr hr br form body html head title details summary center address
"""
_BLOCKS = frozenset(_WORDS_OF_BLOCKS.split())
_WORDS_OF_DROPPED = "script style head template svg noscript math mjx-assistive-mml"
_DROPPED = frozenset(_WORDS_OF_DROPPED.split())
_WORDLESS = ("script", "style", "svg")
_OF_HEAD = regex(r"<(script|style)\b[^<>]*+>", re.IGNORECASE)


@dataclass
class _Page:
    """What has been read so far: finds, and the text of the block that is open."""

    source: str
    found: list[Found] = field(default_factory=list)
    wordless: list[tuple[int, int]] = field(default_factory=list)
    held: list[Located] = field(default_factory=list)
    rows: list[list[Located]] | None = None
    header: bool = False
    left_side: Located | None = None  # what the last line of text ended in, if that was `QK^{T} =`


def read(source: str, path: str) -> Article:
    """The mathematics of an HTML page.

    >>> page = '<p>K<sup>T</sup> = [[1, 2]]</p><script type="math/tex">d_k = 2</script>'
    >>> [p.text for p in read(page, "a.html").passages]
    ['K^{T} = [[1, 2]]', 'd_k = 2']
    """
    page = _Page(source)
    at = 0
    gone: set[str] = set()  # closing tags that do not come any more
    while match := _TAG.search(source, at):
        _say(page, at, match.start())
        at = _element(page, match, gone)
    _say(page, at, len(source))
    _flush(page)
    wordless = (*page.wordless, *find_comments(source))
    return replace(gather(path, source, page.found, Macros.read(source)), wordless=wordless)


def _say(page: _Page, start: int, end: int) -> None:
    if start < end:
        page.held.append(Located.whole(page.source[start:end], at=start))


def _element(page: _Page, match: re.Match[str], gone: set[str]) -> int:
    """One tag (for what is read or dropped as a whole: up to its closing one); where to read on."""
    source, name = page.source, (match["name"] or "").lower()
    if not name:
        closing = "-->" if match[0] == "<!--" else ">"
        end = source.find(closing, match.end()) if closing not in gone else -1
        if end < 0:
            gone.add(closing)
        return end + len(closing) if end >= 0 else match.end()
    rest = match["rest"].lower()
    if match["close"]:
        _close(page, name, match.start())
        return match.end()
    hidden = "katex-html" in rest or "mathjax_preview" in rest
    if (name in _DROPPED and not _is_page(page, match, name)) or name in ("pre", "code", "textarea") or hidden:
        return _whole(page, match, name, rest, gone, hidden)
    _open(page, name, match.start(), match.end())
    return match.end()


def _is_page(page: _Page, match: re.Match[str], name: str) -> bool:
    """Whether a template is all that there is, the page of a component, and no part that a program would fill in."""
    return name == "template" and not page.source[: match.start()].strip()


def _whole(page: _Page, match: re.Match[str], name: str, rest: str, gone: set[str], hidden: bool) -> int:
    inner_end, end = _closing(page.source, name, match.end(), gone, hidden)
    if inner_end < 0:
        return match.end()
    inner = Located.whole(page.source[match.end() : inner_end], at=match.end())
    if name == "script" and "math/tex" in rest:
        page.found.append(Found(inner, "display" if "mode=display" in rest else "inline"))
    elif hidden or name in _WORDLESS:
        page.wordless.append((match.end(), inner_end))
    elif name == "head":
        page.wordless += _programs(page.source, match.end(), inner_end)
    elif name == "math":
        _math(page, inner, "display" in rest.replace("displaystyle", ""))
    elif name in ("pre", "code", "textarea"):
        _code(page, inner, name)
    return end


def _programs(source: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The programs and styles in a stretch of a page."""
    while match := _OF_HEAD.search(source, start, stop):
        start = source.find("</", match.end(), stop)  # the styles of a page have no tags in them, programs seldom
        if start < 0:
            return
        yield match.end(), start


def _closing(source: str, name: str, start: int, gone: set[str], nested: bool) -> tuple[int, int]:
    """Where an element's inside and the element end, or -1; elements that may nest are counted."""
    if name in gone:
        return -1, -1
    depth = 1
    for match in re.compile(rf"<(/?){re.escape(name)}\b[^<>]*+>?", re.IGNORECASE).finditer(source, start):
        depth += -1 if match[1] else nested
        if depth == 0:
            return match.start(), match.end()
    gone.add(name)
    return -1, -1


def _math(page: _Page, inner: Located, display: bool) -> None:
    note = re.search(r"<annotation\b[^<>]*application/x-tex[^<>]*>([^<]*)", inner.text)
    if note:
        tex = decode_entities(inner.cut(*note.span(1)))
        page.wordless += inner.span(0, note.start(1)), inner.span(note.end(1), len(inner.text))
        page.found.append(Found(tex, "display" if display else "inline"))
        page.held.append(Located.inserted(" ", inner.span(0, 0)[0]))
        return
    reason = Sentence("mathml_without_tex")
    bare = inner.substitute(re.compile(r"<[^<>]*+>"), lambda _: " ").strip()
    page.found.append(Found(bare if bare.text else inner, "inline", reason=reason))


def _code(page: _Page, inner: Located, name: str) -> None:
    text = decode_entities(inner.substitute(re.compile(r"<[^<>]*+>"), lambda _: ""))
    if name == "code" and "\n" not in text.text:
        page.found.extend(seen([text], "line"))
        page.found.extend(find_in_line(text, "code"))
        page.held.append(Located.inserted(" ", inner.span(0, 0)[0]))
        return
    _flush(page)
    page.left_side = None
    page.found.extend(seen(lines_of(text), "code"))
    page.found.extend(find_in_code(lines_of(text)))


def _open(page: _Page, name: str, start: int, end: int) -> None:
    if name == "table":
        _flush(page)
        page.rows, page.header = [], False
    elif page.rows is not None and name == "tr":
        page.held.clear()
        page.rows.append([])
    elif page.rows is not None and name in ("td", "th"):
        page.held.clear()
        page.header = page.header or (name == "th" and len(page.rows) == 1)
    elif name in ("sup", "sub"):
        page.held.append(Located.inserted("^{" if name == "sup" else "_{", start, end - start))
    elif name == "br":
        page.held.append(Located.inserted("\n", start, end - start))
    elif name in _BLOCKS and page.rows is None:
        _flush(page)


def _close(page: _Page, name: str, start: int) -> None:
    if name in ("sup", "sub"):
        page.held.append(Located.inserted("}", start))
    elif page.rows is not None and name in ("td", "th"):
        if page.rows:
            page.rows[-1].append(clean_line(decode_entities(join(page.held))).strip())
        page.held.clear()
    elif name == "table" and page.rows is not None:
        rows: list[Row] = [tuple(row) for row in page.rows if row]
        page.found.extend(_table(rows, page.header, page.left_side))
        page.rows = page.left_side = None
        page.held.clear()
    elif name in _BLOCKS and page.rows is None:
        _flush(page)


def _table(rows: list[Row], header: bool, left_side: Located | None) -> Iterator[Found]:
    yield from seen([cell for row in rows for cell in row], "table")
    grid = None if header or left_side is None else grid_of_numbers(rows)
    if grid is not None and left_side is not None:
        yield from find_in_line(join([left_side, grid.led_by(" ")]), "table")
    else:
        yield from find_in_table(rows[1:], rows[0]) if header and rows else find_in_table(rows)


def _flush(page: _Page) -> None:
    """The block that ends here, read as lines of text; one that ends in "=" may have its right side in a table."""
    text = decode_entities(join(page.held))
    page.held.clear()
    if text.text.strip():
        lines = lines_of(text)
        page.found.extend(find_in_text(lines))
        page.left_side = _left_side(clean_line([line for line in lines if line.text.strip()][-1]).strip())


def _left_side(line: Located) -> Located | None:
    """What a line ends in whose right side is still to come: `the scores QK^{T} =`, `Let Q be`."""
    if line.text.endswith(("=", "≈")):
        return line
    said = _SAID.search(line.text)
    if said is None:
        return None
    side = line.cut(*said.span("side"))
    return join([side, Located.inserted(" =", side.span(0, len(side.text))[1])])


# what a sentence may have before the name of its table; of the transpose of K it says something else
_LEADING = (
    r"let|then|now|so|thus|hence|therefore|first|next|finally|here|where|and|but|with|if|suppose|assume|that|the|our"
    r"|(?:query|key|value|weight|input|output|attention|score|logit)s?|queries|matri(?:x|ces)|products?|raw|scaled"
)
_SAID = regex(
    rf"(?:^|[.;:,。；：，]\s*)(?:(?i:{_LEADING})\s*,?\s+)*(?P<side>[A-Z](?:[A-Z]|[_^]\{{?\w+\}}?)*)"
    r"\s+(?:is|be|are|equals)\s*[:：]?\Z"
)
