"""Document -> LaTeX: a complete article that compiles, or its body alone."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.document import Block, Box, Chain, Diagram, Document, Equation, Heading, Paragraph, Table
from symattn.prose import Sentence
from symattn.writers.latex_style import LatexStyle
from symattn.writers.text_style import TextStyle
from symattn.writers.width import PAGE, fits, fits_beside, most_columns, shared_out
from symattn.writers.wording import Wording

STYLE = LatexStyle()
LONGEST = 12  # rows of a table that is kept on one page

# MaxMatrixCols lets amsmath set more than its ten columns
ENGLISH = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
"""
CHINESE = r"""% !TEX program = xelatex
\documentclass[11pt,fontset=fandol]{ctexart}
"""
SHARED = r"""\usepackage{amsmath,amssymb}
\usepackage[margin=25mm]{geometry}
\setcounter{MaxMatrixCols}{%d}
\renewcommand{\arraystretch}{1.15}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt plus 2pt}
\allowdisplaybreaks
\raggedbottom
"""


def write_latex(document: Document, language: str = "en", *, fragment: bool = False) -> str:
    """A LaTeX article (pdflatex for English, xelatex with ctex for Chinese); with `fragment` its body alone."""
    body = _body(document, language)
    if fragment:
        return body + "\n"
    title = WORDING.say(document.title, language)
    chinese = language == "zh" or any("\u2e80" <= c <= "\uffef" for c in title + body)
    head = (CHINESE if chinese else ENGLISH) + SHARED % _widest(document)
    if any(map(is_long, document.blocks)):
        head += "\\usepackage{longtable}\n"
    head += f"\\title{{\\vspace{{-12mm}}{title}}}\n\\author{{}}\n\\date{{\\vspace{{-14mm}}}}\n\n"
    return f"{head}\\begin{{document}}\n\\maketitle\n\n{body}\n\n\\end{{document}}\n"


def _body(document: Document, language: str) -> str:
    """The blocks; an equation belongs to the paragraph before it, so that no page ends between them."""
    out: list[str] = []
    before: Block | None = None
    for block, after in zip(document.blocks, (*document.blocks[1:], None), strict=True):
        headless = isinstance(block, Heading) and isinstance(after, Diagram)  # a diagram is not drawn here yet
        text = "" if headless else _block(block, language)
        if text:
            close = isinstance(block, Equation) and isinstance(before, Paragraph)
            out += [("\n" if close else "\n\n") if out else "", text]
            before = block
    return "".join(out)


def _block(block: Block, language: str) -> str:
    match block:
        case Heading(level, text):
            return rf"\{'sub' * (level - 1)}section{{{WORDING.say(text, language)}}}"
        case Paragraph(sentences):
            return WORDING.paragraph(sentences, language)
        case Equation(chains):
            return f"\\[\n{equation_latex(chains)}\n\\]"
        case Table():
            return _table(block, language)
        case Diagram():
            return ""  # drawn where the target can draw it


def equation_latex(chains: Sequence[Chain]) -> str:
    """Chains side by side, as many on a line as fit, the lines evenly filled."""
    across = max(k for k in range(1, len(chains) + 1) if k == 1 or all(map(fits_beside, _in_lines(chains, k))))
    across = -(-len(chains) // -(-len(chains) // across))
    lines = _in_lines(chains, across)
    joined = [" ,\\qquad\n".join(chain_latex(c) for c in line) for line in lines]
    return joined[0] if len(joined) == 1 else "\\begin{gathered}\n" + " \\\\\n".join(joined) + "\n\\end{gathered}"


def _in_lines(chains: Sequence[Chain], across: int) -> list[Sequence[Chain]]:
    return [chains[k : k + across] for k in range(0, len(chains), across)]


def chain_latex(chain: Chain) -> str:
    """A chain on one line if a page is wide enough, else each side on its own."""
    if fits(chain):
        return "\n".join(
            (("" if k == 0 else (STYLE.approx if relation == "≈" else STYLE.equals) + " ") + side.write(STYLE))
            for k, (relation, side) in enumerate(chain.sides)
        )
    first = chain.sides[0][1].write(STYLE)
    rest = [
        f"&{STYLE.approx if relation == '≈' else STYLE.equals} {side.write(STYLE)}"
        for relation, side in chain.sides[1:]
    ]
    return "\\begin{aligned}\n" + first + " " + " \\\\\n".join(rest) + "\n\\end{aligned}"


def _table(table: Table, language: str) -> str:
    """A table; one that is long goes on over pages, and the widest columns of one too wide have lines in a cell."""
    columns = range(len(table.header))
    widths = [max(_cell_width(row[j], language) for row in (table.header, *table.rows)) for j in columns]
    kept = shared_out(widths, PAGE - 2 * (len(columns) - 1))
    cut = [kept[j] < widths[j] for j in columns]
    kinds = [f"p{{{kept[j] / PAGE:.2f}\\linewidth}}" if cut[j] else "r" if table.right(j) else "l" for j in columns]
    ragged = [(r"\raggedleft " if table.right(j) else r"\raggedright ") if cut[j] else "" for j in columns]
    end = r" \tabularnewline" if any(cut) else r" \\"
    rows = [
        " & ".join(lead + WORDING.say(c, language) for lead, c in zip(ragged, row, strict=True)) + end
        for row in (table.header, *table.rows)
    ]
    spec = "".join(kinds)
    if is_long(table):
        inside = "\n".join([rows[0], r"\hline", r"\endhead", *rows[1:]])
        return f"\\begin{{longtable}}{{{spec}}}\n{inside}\n\\end{{longtable}}"
    inside = "\n".join([rows[0], r"\hline", *rows[1:]])
    return f"\\begin{{center}}\n\\begin{{tabular}}{{{spec}}}\n{inside}\n\\end{{tabular}}\n\\end{{center}}"


def is_long(block: Block) -> bool:
    """Whether a block is a table that may not fit on what is left of a page: `longtable` breaks it."""
    return isinstance(block, Table) and len(block.rows) > LONGEST


def _cell_width(cell: Sentence | Box | str, language: str) -> int:
    """Digits across; a Chinese character is two, and formulas are set without spaces."""
    said = PLAIN.say(cell, language)
    said = said if isinstance(cell, Sentence) else said.replace(" ", "")
    return sum(2 if c >= "\u2e80" else 1 for c in said)


_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
})  # fmt: skip


def escape(text: str) -> str:
    """Plain words for LaTeX: nothing in them is a command."""
    return text.translate(_ESCAPES)


def _widest(document: Document) -> int:
    """The number of columns of the widest matrix, at least amsmath's own ten."""
    sides = (side for b in document.blocks if isinstance(b, Equation) for c in b.chains for _, side in c.sides)
    return max([10, *(most_columns(side) for side in sides)])


WORDING = Wording(lambda box: f"${box.write(STYLE)}$", escape, escape)
PLAIN = Wording(lambda box: box.write(TextStyle()))  # to tell how wide a cell is
