"""Document -> Markdown with LaTeX mathematics, as GitHub, KaTeX pages and notebooks read it."""

from __future__ import annotations

from symattn.document import Block, Box, Diagram, Document, Equation, Heading, Paragraph, Table, numbered
from symattn.prose import Sentence
from symattn.writers.latex import STYLE, equation_latex
from symattn.writers.text_style import TextStyle

PLAIN = TextStyle()


def write_markdown(document: Document, language: str = "en", *, fragment: bool = False) -> str:
    """A Markdown page; with `fragment` without its title."""
    blocks = [_block(b, language, number) for number, b in numbered(document)]
    if not fragment:
        blocks.insert(0, f"# {_say(document.title, language)}")
    return "\n\n".join(blocks) + "\n"


def _block(block: Block, language: str, number: str) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * (level + 1)} {number}{_say(text, language)}"
        case Paragraph(sentences):
            return ("" if language == "zh" else " ").join(_say(s, language) for s in sentences)
        case Equation(chains):
            return f"$$\n{equation_latex(chains)}\n$$"
        case Table(header, rows):
            lines = ["| " + " | ".join(_say(c, language) for c in row) + " |" for row in (header, *rows)]
            return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])
        case Diagram():
            return _mermaid(block)


def _mermaid(diagram: Diagram) -> str:
    """Mermaid draws no LaTeX on GitHub, so labels are plain Unicode mathematics."""
    labels = [f'    {key}["{_label(box)}"]' for key, box in diagram.nodes]
    arrows = [f"    {a} --> {b}" for a, b in diagram.arrows]
    return "```mermaid\nflowchart TD\n" + "\n".join(labels + arrows) + "\n```"


def _label(box: Box) -> str:
    return box.write(PLAIN).replace('"', "#quot;")


def _say(text: Sentence | Box | str, language: str) -> str:
    if isinstance(text, Sentence):
        return text.text(language, show=_inline, literal=str)
    return _inline(text)


def _inline(field: object) -> str:
    return f"${field.write(STYLE)}$" if hasattr(field, "write") else escape(str(field))


def escape(text: str) -> str:
    """Plain words for Markdown: what would be markup is escaped."""
    return "".join("\\" + c if c in "\\`*_[]<>$|#" else c for c in text)
