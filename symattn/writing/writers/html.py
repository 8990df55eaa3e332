"""Document -> HTML: one file that asks for nothing else, formulas set beforehand; light or dark as the reader is."""

from __future__ import annotations

import html
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from symattn.writing.document import Block, Box, Diagram, Document, Equation, Heading, Paragraph, Table, number_headings
from symattn.writing.prose import Sentence
from symattn.writing.writers.latex import equation_latex
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.typeset import styles, typeset
from symattn.writing.writers.width import width
from symattn.writing.writers.wording import Wording

PHONE = 24  # digits across a telephone: what is wider scrolls in a box of its own

# colours are the page's alone: a notebook that shows the fragment has its own
PAGE = """
:root { color-scheme: light dark; --text: #1b1f24; --ground: #ffffff; --line: #c9d1d9; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e2e6ea; --ground: #14171b; --line: #3d444d; --link: #79b8ff; }
}
body { margin: 0; background: var(--ground); color: var(--text); }
main { max-width: 54rem; margin: 0 auto; padding: 1rem; }
"""
INSIDE = """
.symattn { font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", "PingFang SC", "Microsoft YaHei",
  "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif; overflow-wrap: break-word; }
.symattn h1 { font-size: 1.8rem; line-height: 1.25; }
.symattn h2 { font-size: 1.35rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line, currentColor); }
.symattn h3 { font-size: 1.15rem; margin-top: 1.8rem; }
.symattn h4 { font-size: 1rem; margin-top: 1.5rem; }
.symattn .wide { overflow: auto hidden; padding: 0.4rem 0; }
.symattn .wide:focus-visible { outline: 2px solid var(--link, currentColor); }
.symattn .katex { font-size: 1.1em; }
.symattn .katex-display { margin: 0.4em 0; }
.symattn p { overflow: auto hidden; padding: 0.1rem 0; }
.symattn table { border-collapse: collapse; }
.symattn th, .symattn td { border-bottom: 1px solid var(--line, currentColor); padding: 0.25rem 0.7rem;
  text-align: left; vertical-align: top; }
.symattn .right { text-align: right; }
.symattn pre { margin: 0; }
"""


def write_html(document: Document, language: str = "en", *, fragment: bool = False, prefix: str = "") -> str:
    """A page; with `fragment` its body without the title, styles included, for a page that is there already.

    Steps have anchors, eq-scores, or eq-PREFIX-scores, as headings have: scores, or PREFIX-scores.
    Raises NotSupportedError if quickjs-ng, which runs KaTeX, is not installed.
    """
    writer = _Writer(LatexStyle(document.notation, language), prefix)
    body = "\n".join(writer.block(b, number) for number, b in number_headings(document))
    style = f"<style>{styles(body)}{INSIDE}</style>"
    if fragment:
        return f'<div class="symattn" lang="{language}">{style}\n{body}\n</div>\n'
    title, heading = writer.plain.say(document.title, language), writer.say(document.title)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{PAGE}</style>\n{style}\n</head>\n"
        f'<body>\n<main class="symattn">\n<h1>{heading}</h1>\n{body}\n</main>\n</body>\n</html>\n'
    )


@dataclass
class _Writer:
    style: LatexStyle
    prefix: str
    used: Counter[str] = field(default_factory=Counter)

    @property
    def language(self) -> str:
        return self.style.language

    @cached_property
    def text(self) -> TextStyle:
        return TextStyle(self.style.notation, self.language)

    @cached_property
    def wording(self) -> Wording:
        columns = self.style.notation.columns
        return Wording(lambda box: typeset(box.write(self.style)), html.escape, html.escape, columns)

    @cached_property
    def plain(self) -> Wording:
        """What a title or a label says, where nothing can be set."""
        return Wording(lambda box: box.write(self.text), columns=self.style.notation.columns)

    def say(self, text: Sentence | Box | str) -> str:
        return self.wording.say(text, self.language)

    def block(self, block: Block, number: str) -> str:
        match block:
            case Heading(level, text):
                tag = f"h{level + 1}"
                return f'<{tag} id="{self._anchor(text)}">{number}{self.say(text)}</{tag}>'
            case Paragraph(sentences):
                return f"<p>{self.wording.paragraph(sentences, self.language)}</p>"
            case Equation(chains, step):
                across = sum(width(side, self.text) + 3 for chain in chains for _, side in chain.sides)
                label = ", ".join(chain.first(1).write(self.text) for chain in chains)
                inside = typeset(equation_latex(chains, self.style), display=True)
                return self._box(inside, "formula_of", label, across > PHONE, f"eq-{self.prefix}{step}" if step else "")
            case Table(header, _):
                label = ", ".join(self.plain.say(c, self.language) for c in header)
                return self._box(self._table(block), "table_of", label, True)
            case Diagram(nodes, arrows):
                names = {place.key: html.escape(place.label.write(self.text)) for place in nodes}
                lines = "\n".join(f"{names[a]}  →  {names[b]}" for a, b in arrows)
                return self._box(f"<pre>{lines}</pre>", "table_of", Sentence("title.flow").text(self.language), True)

    def _anchor(self, text: Sentence | str) -> str:
        """An id that is the same in every language: scores, scores-2, ..."""
        name = self.prefix + (text.key.removeprefix("title.") if isinstance(text, Sentence) else _slug(text))
        self.used[name] += 1
        return name if self.used[name] == 1 else f"{name}-{self.used[name]}"

    def _box(self, inside: str, said: str, label: str, wide: bool, anchor: str = "") -> str:
        """What may be wider than the page scrolls by itself, by keyboard too."""
        named = f' id="{html.escape(anchor)}"' if anchor else ""
        if not wide:
            return f"<div{named}>{inside}</div>"
        name = html.escape(Sentence(said, name=label).text(self.language))
        return f'<div{named} class="wide" tabindex="0" role="group" aria-label="{name}">{inside}</div>'

    def _table(self, table: Table) -> str:
        def row(tag: str, cells: tuple[Sentence | Box | str, ...]) -> str:
            kinds = [' class="right"' if table.right(j) else "" for j in range(len(cells))]
            inside = "".join(f"<{tag}{kind}>{self.say(c)}</{tag}>" for kind, c in zip(kinds, cells, strict=True))
            return f"<tr>{inside}</tr>"

        body = "\n".join(row("td", cells) for cells in table.rows)
        return f"<table>\n<thead>{row('th', table.header)}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split()) or "part"
