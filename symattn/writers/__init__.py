"""Document -> text in one target's form; the writers can stand in for one another."""

from collections.abc import Callable, Mapping

from symattn.writers.html import write_html
from symattn.writers.latex import STYLE as LATEX
from symattn.writers.latex import chain_latex, write_latex
from symattn.writers.latex_style import LatexStyle
from symattn.writers.markdown import write_markdown
from symattn.writers.text import write_text
from symattn.writers.width import PAGE, fits, side_fits, width

# target: (document, language, fragment=..., prefix=...) -> text
WRITERS: Mapping[str, Callable[..., str]] = {
    "latex": write_latex,
    "markdown": write_markdown,
    "text": write_text,
    "html": write_html,
}

__all__ = [
    "LATEX",
    "PAGE",
    "WRITERS",
    "LatexStyle",
    "chain_latex",
    "fits",
    "side_fits",
    "width",
    "write_html",
    "write_latex",
    "write_markdown",
    "write_text",
]
