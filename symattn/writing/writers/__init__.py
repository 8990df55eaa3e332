"""Document -> text in one target's form; the writers can stand in for one another."""

from collections.abc import Callable, Mapping

from symattn.writing.writers.html import write_html
from symattn.writing.writers.latex import STYLE as LATEX
from symattn.writing.writers.latex import chain_latex, write_latex
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.markdown import write_markdown
from symattn.writing.writers.notebook import write_notebook
from symattn.writing.writers.text import write_text
from symattn.writing.writers.width import PAGE, fits, set_width, share_out, side_fits, width

# target: (document, language, fragment=..., prefix=...) -> text
WRITERS: Mapping[str, Callable[..., str]] = {
    "latex": write_latex,
    "markdown": write_markdown,
    "notebook": write_notebook,
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
    "set_width",
    "share_out",
    "side_fits",
    "width",
    "write_html",
    "write_latex",
    "write_markdown",
    "write_notebook",
    "write_text",
]
