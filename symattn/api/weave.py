"""The face that users hold of an article with placeholders: what is filled in, what was stale, the new text."""

from __future__ import annotations

import html
import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from symattn.api.derivation import Derivation
from symattn.api.page import Page
from symattn.api.proof import prove
from symattn.api.worksheets import derive_sheet, worksheet
from symattn.errors import InputError, NotSupportedError, Placed
from symattn.pages.fillings import entry_block, figure_block, row_block, table_block, value_box
from symattn.patterns import regex
from symattn.program.steps import Step
from symattn.reading.articles import load
from symattn.reading.articles.reader import is_text
from symattn.reading.articles.scanning.decoding import decode, encoding_of
from symattn.reading.placeholders import Placeholder, find_placeholders
from symattn.reading.placeholders.request import Request
from symattn.writing.document import Block, Box, Document, HeatMap, Paragraph
from symattn.writing.files import save
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence
from symattn.writing.writers import WRITERS, LatexStyle
from symattn.writing.writers.text_style import TextStyle

TARGETS = {".tex": "latex", ".html": "html", ".htm": "html", ".txt": "text"}  # Markdown elsewhere
SEED = 1  # of the random points at which theorems are tried: a filling is the same each time
_STYLE = regex(r"<style>.*?</style>", re.DOTALL)
_PRECISION = frozenset(("digits", "decimals", "exact"))  # options of which one is enough
_PLAIN = regex(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class Filled:
    """A placeholder with what it held and what it should hold."""

    line: int
    column: int
    request: str
    before: str
    after: str

    @property
    def stale(self) -> bool:
        """Whether they differ."""
        return self.before != self.after


@dataclass(frozen=True)
class Woven:
    """An article whose placeholders are filled: `text` is the new one, `source` what there was."""

    path: str
    source: str
    text: str
    placeholders: tuple[Filled, ...]

    @property
    def stale(self) -> tuple[Filled, ...]:
        """The placeholders that held something else than they should."""
        return tuple(filled for filled in self.placeholders if filled.stale)

    def save(self) -> None:
        """Put the new text in the file's place, the whole of it or nothing; a file that is up to date stays untouched.

        Raises InputError where the file cannot be written, or was changed in the meantime.
        """
        if self.text == self.source:
            return
        if load(self.path) != self.source.encode():
            raise InputError(Sentence("changed_meanwhile"), place=self.path)
        if not os.stat(self.path).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise InputError(Sentence("write_protected"), place=self.path)
        save(self.text, self.path)


def weave(article: str | os.PathLike[str], source: str | bytes | None = None, **defaults: Any) -> Woven:
    """Fill the placeholders of an article, given by its path or as a text, as `symattn weave` does; nothing is written.

    A placeholder is `<!-- symattn WORKSHEET WHAT -->` to `<!-- /symattn -->` (in LaTeX `% symattn WORKSHEET WHAT` to
    `% /symattn`, or `\\symattn{WORKSHEET}{WHAT}{...}`); `docs/weave.md` tells all forms. Worksheets are looked for
    beside the article, then among those that ship. Everything outside the placeholders stays as it is. `defaults` are
    options of placeholders that state none, such as `language="zh"` or `digits=4`. Raises InputError, with file, line
    and column, for a placeholder that asks for nothing there is, and for marks that do not fit together.

    >>> weave("so <!-- symattn hand-calculation scores[2,3] -->400<!-- /symattn -->\\n").text
    'so <!-- symattn hand-calculation scores[2,3] -->410<!-- /symattn -->\\n'
    """
    path = os.fspath(article)
    if source is None and isinstance(article, str) and is_text(article):
        path, source = "text", article
    content = _decode(load(path) if source is None else source, path)
    fill = _filler(path, defaults)
    edits: list[tuple[Placeholder, str]] = []
    for placeholder in find_placeholders(content, path):
        with Placed(f"{path}:{placeholder.line}:{placeholder.column}"):
            edits.append((placeholder, placeholder.lay(fill(placeholder))))
    text, at = [], 0
    for placeholder, after in edits:
        if placeholder.content != after:
            text += [content[at : placeholder.start], placeholder.spell(after)]
            at = placeholder.end
    woven = "".join([*text, content[at:]])
    filled = tuple(Filled(p.line, p.column, p.request.text, p.content, after) for p, after in edits)
    _refuse_marks(woven, filled, path)
    return Woven(path, content, woven, filled)


def _decode(data: str | bytes, path: str) -> str:
    """The text of a file in UTF-8, its byte order mark and its line ends kept."""
    if isinstance(data, bytes) and encoding_of(data) != "utf-8":
        raise InputError(Sentence("not_utf8"), place=f"{path}: byte 0")
    return decode(data.encode() if isinstance(data, str) else data, path)


def _refuse_marks(woven: str, filled: tuple[Filled, ...], path: str) -> None:
    """Refuse fillings that hold marks themselves: they could not be found again."""
    try:
        again = [p.content for p in find_placeholders(woven, path)] if any(f.stale for f in filled) else None
    except InputError:
        again = []
    if again is not None and again != [f.after for f in filled]:
        raise InputError(Sentence("placeholder_marks"), place=path)


def _filler(path: str, defaults: dict[str, Any]) -> Callable[[Placeholder], str]:
    """What fills the placeholders of an article; a worksheet is derived once for the same options."""
    folder = os.path.dirname(path)
    target = TARGETS.get(Path(path).suffix.lower(), "markdown")
    styled: set[str] = set()

    @cache
    def find(name: str, options: tuple[tuple[str, Any], ...]) -> Derivation:
        return _derive(name, folder, dict(options))

    def fill(placeholder: Placeholder) -> str:
        own = placeholder.request.options
        usual = defaults if _PRECISION.isdisjoint(own) else {k: v for k, v in defaults.items() if k not in _PRECISION}
        request = replace(placeholder.request, options={**usual, **own})
        if request.kind == "theorem":
            return _refuse_inline(placeholder) or _theorem(request, target)
        told = {k: v for k, v in request.options.items() if k != "label_prefix"}
        derivation = find(request.worksheet, tuple(sorted(told.items())))
        if placeholder.inline:
            return _refuse_inline(placeholder) or _value(request, derivation, target)
        return _page(request, derivation, target)

    return (lambda placeholder: _style_once(fill(placeholder), styled)) if target == "html" else fill


def _style_once(filling: str, styled: set[str]) -> str:
    """A filling of a page of HTML without the styles, with their fonts, that one before it has brought."""

    def keep(style: re.Match[str]) -> str:
        known = style[0] in styled
        styled.add(style[0])
        return "" if known else style[0]

    return _STYLE.sub(keep, filling)


def _refuse_inline(placeholder: Placeholder) -> str:
    if placeholder.inline and placeholder.request.kind not in ("step", "row", "entry"):
        raise InputError(Sentence("placeholder_inline", kind=placeholder.request.kind))
    return ""


def _derive(name: str, folder: str, options: dict[str, Any]) -> Derivation:
    """The derivation of a worksheet with the options of a page."""
    sheet = worksheet(name, options.get("notation"), folder)
    told = derive_sheet(sheet, options.get("detail", "brief"), options.get("language", "en"), options.get("level"))
    page: dict[str, Any] = {key: options.get(key) for key in ("digits", "decimals", "exact")}
    return replace(told, page=told.page.update(told.families, **page, elide=not options.get("no_elide")))


def _theorem(request: Request, target: str) -> str:
    """A theorem in words, and its proof."""
    proof = prove(request.name, seed=SEED)
    page = proof.document({"preset": request.options.get("notation", "vaswani")})
    told = replace(page, blocks=(Paragraph((proof.title,)), *page.blocks))
    return WRITERS[target](told, request.language, fragment=True)


def _page(request: Request, derivation: Derivation, target: str) -> str:
    """What fills a placeholder with lines of its own."""
    if request.kind in ("derivation", "step"):
        how = {"language": request.language, "label_prefix": request.options.get("label_prefix", "")}
        # a page's script has no place here, so this is not `Derivation.to`
        return Page.to(derivation, target, step=request.name or None, fragment=True, **how)
    block = _block(request, derivation)
    if isinstance(block, HeatMap) and target in ("markdown", "text"):
        raise NotSupportedError(Sentence("no_picture_here"))
    document = Document("", (block,), derivation.page.notation)
    return WRITERS[target](document, request.language, fragment=True)


def _block(request: Request, derivation: Derivation) -> Block:
    equations, tokens = derivation.equations, derivation.page.tokens
    if request.kind == "figure" and not request.name:
        return figure_block(None, derivation.families, equations, tokens)
    step = _step(request, derivation, numbers=request.kind in ("table", "figure"))
    if request.kind == "figure":
        return figure_block(step, derivation.families, equations, tokens)
    if request.kind == "table":
        return table_block(step, equations, tokens)
    if request.kind == "row":
        return row_block(step, request.row, equations)
    return entry_block(step, request.row, request.column, equations)


def _step(request: Request, derivation: Derivation, *, numbers: bool) -> Step:
    """The step that is asked for, with the row and the entry in it. Raises InputError where there is none."""
    found = derivation[request.name]
    if numbers and request.name not in derivation.values.exact:
        raise InputError(Sentence("no_step", name=request.name, known=listed(request.name, derivation.values.exact)))
    if request.kind in ("row", "entry"):
        found.check_place(request.row, request.column if request.kind == "entry" else 1)
    return found.step


def _value(request: Request, derivation: Derivation, target: str) -> str:
    """What fills a placeholder within a line."""
    step = _step(request, derivation, numbers=True)
    box = value_box(step, request.row, request.column, derivation.equations)
    return _INLINE[target](box, derivation, request.language)


def _in_latex(box: Box, derivation: Derivation, language: str) -> str:
    written = box.write(LatexStyle(derivation.page.notation, language))
    return written if _PLAIN.fullmatch(written) else rf"\ensuremath{{{written}}}"


def _in_markdown(box: Box, derivation: Derivation, language: str) -> str:
    written = box.write(LatexStyle(derivation.page.notation, language))
    return written if _PLAIN.fullmatch(written) else f"${written}$"


def _in_text(box: Box, derivation: Derivation, language: str) -> str:
    return " ".join(box.write(TextStyle(derivation.page.notation, language)).split())


def _in_html(box: Box, derivation: Derivation, language: str) -> str:
    return html.escape(_in_text(box, derivation, language))


_INLINE: dict[str, Callable[[Box, Derivation, str], str]] = {
    "latex": _in_latex,
    "markdown": _in_markdown,
    "html": _in_html,
    "text": _in_text,
}
