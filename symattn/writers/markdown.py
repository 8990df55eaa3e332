"""Document -> Markdown with LaTeX mathematics, as GitHub, KaTeX pages and notebooks read it."""

from __future__ import annotations

from symattn.document import Block, Box, Diagram, Document, Equation, Heading, Paragraph, Table, numbered
from symattn.writers.latex import STYLE, equation_latex
from symattn.writers.text_style import TextStyle
from symattn.writers.wording import Wording

PLAIN = TextStyle()


def write_markdown(document: Document, language: str = "en", *, fragment: bool = False) -> str:
    """A Markdown page; with `fragment` without its title."""
    blocks = [_block(b, language, number) for number, b in numbered(document)]
    if not fragment:
        blocks.insert(0, f"# {WORDING.say(document.title, language)}")
    return "\n\n".join(blocks) + "\n"


def _block(block: Block, language: str, number: str) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * (level + 1)} {number}{WORDING.say(text, language)}"
        case Paragraph(sentences):
            return WORDING.paragraph(sentences, language)
        case Equation(chains):
            return f"$$\n{equation_latex(chains)}\n$$"
        case Table(header, rows):
            lines = ["| " + " | ".join(WORDING.say(c, language) for c in row) + " |" for row in (header, *rows)]
            rule = "".join("---:|" if block.right(j) else "---|" for j in range(len(header)))
            return "\n".join([lines[0], "|" + rule, *lines[1:]])
        case Diagram():
            return _mermaid(block)


def _mermaid(diagram: Diagram) -> str:
    """Mermaid draws no LaTeX on GitHub, so labels are plain Unicode mathematics."""
    labels = [f'    {key}["{_label(box)}"]' for key, box in diagram.nodes]
    arrows = [f"    {a} --> {b}" for a, b in diagram.arrows]
    return "```mermaid\nflowchart TD\n" + "\n".join(labels + arrows) + "\n```"


def _label(box: Box) -> str:
    return box.write(PLAIN).replace('"', "#quot;")


def escape(text: str) -> str:
    """Plain words for Markdown: what would be markup is escaped."""
    return "".join("\\" + c if c in "\\`*_[]<>$|#" else c for c in text)


WORDING = Wording(lambda box: f"${box.write(STYLE)}$", escape)
