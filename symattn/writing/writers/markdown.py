"""Document -> Markdown with LaTeX mathematics, as GitHub, KaTeX pages and notebooks read it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from symattn.writing.document import (
    Block,
    Box,
    Boxes,
    Cell,
    Diagram,
    Document,
    Equation,
    Heading,
    HeatMap,
    Paragraph,
    Table,
    number_headings,
)
from symattn.writing.prose import Sentence
from symattn.writing.writers.latex import equation_latex
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.mermaid import mermaid
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.wording import Wording

OPENING = "\ue000"  # where a formula begins, until what stands before it is known


def write_markdown(document: Document, language: str = "en", *, fragment: bool = False, prefix: str = "") -> str:
    """A Markdown page; with `fragment` without its title. Steps have anchors, eq-scores, or eq-PREFIX-scores."""
    return "\n\n".join(text for parts in markdown_parts(document, language, fragment, prefix) for text in parts) + "\n"


def markdown_parts(document: Document, language: str, fragment: bool, prefix: str) -> list[list[str]]:
    """The blocks of a page, from heading to heading; the first part begins with the title, if there is one."""
    writer = _Writer(LatexStyle(document.notation, language), prefix)
    parts = [[] if fragment else [f"# {writer.say(document.title)}"]]
    for number, block in number_headings(document):
        if isinstance(block, Heading):
            parts.append([])
        if text := writer.block(block, number):
            parts[-1].append(text)
    return [part for part in parts if part]


@dataclass(frozen=True)
class _Writer:
    style: LatexStyle
    prefix: str

    @cached_property
    def wording(self) -> Wording:
        columns = self.style.notation.columns
        return Wording(lambda box: f"{OPENING}{box.write(self.style)}$", escape, columns=columns)

    def say(self, text: Sentence | Box | str) -> str:
        return open_formulas(self.wording.say(text, self.style.language))

    def cell(self, cell: Cell) -> str:
        """What stands in a box."""
        return self.say(cell) if cell else "  "

    def block(self, block: Block, number: str) -> str:
        match block:
            case Heading(level, text):
                return f"{'#' * (level + 1)} {number}{self.say(text)}"
            case Paragraph(sentences):
                return open_formulas(self.wording.paragraph(sentences, self.style.language))
            case Equation(chains, step):
                # GitHub keeps the id of an <a> and resolves links to it; KaTeX would refuse a \label
                anchor = f'<a id="eq-{self.prefix}{step}"></a>\n\n' if step else ""
                return f"{anchor}$$\n{equation_latex(chains, self.style)}\n$$"
            case Table(header, rows):
                lines = ["| " + " | ".join(self.say(c) for c in row) + " |" for row in (header, *rows)]
                rule = "".join("---:|" if block.right(j) else "---|" for j in range(len(header)))
                return "\n".join([lines[0], "|" + rule, *lines[1:]])
            case Boxes(step, definition, cells):
                counted = [str(k) for k in range(1, len(cells[0]) + 1)]
                lines = [" | ".join([f"{i}", *(self.cell(c) for c in row)]) for i, row in enumerate(cells, 1)]
                lines = [" | ".join([self.say(block.symbol), *counted]), *lines]
                rule = "|" + "---:|" * (len(counted) + 1)
                first, *rest = [f"| {line} |" for line in lines]
                anchor = f'<a id="eq-{self.prefix}{step}"></a>'
                stated = f"$$\n{equation_latex((definition,), self.style)}\n$$"
                return "\n".join([anchor, "", stated, "", first, rule, *rest])
            case Diagram():
                return mermaid(block, TextStyle(self.style.notation, self.style.language, accented=True))
            case HeatMap():
                return ""  # Markdown has no pictures of its own; the numbers stand above


def open_formulas(text: str) -> str:
    """The dollar signs before formulas; GitHub reads none that follows the punctuation of Chinese without a space."""
    return re.sub(rf"(?<=[，。；：、（“！？]){OPENING}", " $", text).replace(OPENING, "$")


def escape(text: str) -> str:
    """Plain words for Markdown: what would be markup is escaped."""
    return "".join("\\" + c if c in "\\`*_[]<>$|#" else c for c in text)
