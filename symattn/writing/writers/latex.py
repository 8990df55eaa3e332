"""Document -> LaTeX: a complete article that compiles, or its body alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from symattn.patterns import regex
from symattn.writing.document import (
    OBJECTS,
    Block,
    Box,
    Boxes,
    Cell,
    Chain,
    Diagram,
    Document,
    Equation,
    Heading,
    HeatMap,
    Paragraph,
    Table,
    sign_of,
    write,
)
from symattn.writing.prose import Sentence
from symattn.writing.writers.latex_style import ColouredStyle, LatexStyle
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.tikz import SMALLEST, tikz, tikz_heat_map
from symattn.writing.writers.width import PAGE, fits, most_beside, most_columns, overruns, share_out, width
from symattn.writing.writers.wording import Wording

STYLE = LatexStyle()
INKS = dict(zip(OBJECTS, ("0550AE", "953800", "116329", "6F2DBD"), strict=True))  # as dark as small print needs
LINE, BETWEEN = 86, 2.2  # digits of a line of text, and of the space on both sides of a column of a table
LONGEST = 12  # rows of a table that is kept on one page
LINES = 180  # letters of a paragraph that need not stay with the table it introduces

# MaxMatrixCols lets amsmath set more than its ten columns
ENGLISH = r"""\documentclass[11pt]{article}
\usepackage{iftex}
\ifPDFTeX  % with T1 the other engines would leave out quotation marks
  \usepackage[T1]{fontenc}
  \usepackage[utf8]{inputenc}
\fi
\usepackage{lmodern}
\renewcommand{\arraystretch}{1.3}  % as far apart as the lines of ctex
"""
XELATEX = "% !TEX program = xelatex\n"
# quotation marks and dashes beside Chinese names are those of English, and spaces are where they are written
CHINESE_NAMES = r"""\usepackage[fontset=fandol,scheme=plain]{ctex}
\xeCJKDeclareCharClass{Default}{"B7,"2013->"2026,"2030}
\xeCJKsetup{CJKspace=true,CJKecglue=}
"""
CHINESE = r"""\documentclass[11pt,fontset=fandol]{ctexart}
\pagestyle{plain}  % its own writes titles in capitals: ROPE
\ctexset{section/format=\Large\bfseries}  % its own is in the middle, while subsections are not
"""
SHARED = r"""\usepackage{amsmath,amssymb}
\usepackage[a4paper,hmargin=22mm,vmargin=25mm]{geometry}
\setcounter{MaxMatrixCols}{%d}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt plus 2pt}
\allowdisplaybreaks
\AtBeginDocument{\abovedisplayshortskip=\abovedisplayskip}  %% matrices are tall, also below a short line
\raggedbottom
\widowpenalty=10000
\clubpenalty=10000
\emergencystretch=20em
\makeatletter\@beginparpenalty=10000\makeatother  %% what introduces a table or a picture stays with it
"""

# a picture, a little smaller where it fits into what is left of the page then; #2 is how much smaller it may be
FITTED = r"""\newsavebox{\drawing}
\newcommand{\fitted}[2]{\par\sbox{\drawing}{#1}%
  \dimen0=\dimexpr\pagegoal-\pagetotal-3\baselineskip\relax
  \dimen2=\dimexpr\ht\drawing+\dp\drawing\relax
  \ifdim\dimen0<\dimen2\ifdim\dimen0>#2\dimen2
    \sbox{\drawing}{\resizebox{!}{\dimen0}{\usebox{\drawing}}}\fi\fi
  \begin{center}\usebox{\drawing}\end{center}}
"""

# before the last display and the last heading: no page ends after them
AFTER_DISPLAY = "\\postdisplaypenalty10000\n"
BEFORE_SECTION = "\\makeatletter\\@secpenalty10000\\makeatother  % it does not stand alone on a page\n"

# the height of a box that is written in by hand, and of its row
_STRUT, _ROW = r"\rule[-2.2mm]{0pt}{7mm}", r"\rule[-4mm]{0pt}{10.6mm}"
BESIDE = " ,\\qquad\n"  # between chains
GATHERED, ALIGNED = r"\begin{gathered}", r"\begin{aligned}"
BREAK, STAY = r"\\", r"\\*"  # whether a page may end there
# only as small as the text is wide, with the middle of matrices where it was; it needs graphicx
SHRUNK = r"\vcenter{\hbox{\resizebox{\ifdim\width>0.9\linewidth 0.9\linewidth\else\width\fi}{!}{$\displaystyle %s$}}}"
TALL = 6  # lines of matrices in an equation that may go on over pages
UP = {"en": r"\vspace{-0.7\baselineskip}", "zh": r"\vspace{-1.7\baselineskip}"}  # ctex has its own space below headings


def write_latex(document: Document, language: str = "en", *, fragment: bool = False, prefix: str = "") -> str:
    """A LaTeX article (any engine for English, xelatex with ctex for Chinese words); with `fragment` its body alone.

    Each step's equation is numbered and has a label, eq:scores, or eq:PREFIX-scores where there is a prefix.
    """
    objects = {} if fragment else document.objects  # whose colours stand before the body
    writer = _Writer(_PaperStyle(document.notation, language, objects=objects), prefix, fragment)
    body = writer.body(document)
    shrinks = r"\resizebox" in body
    if fragment:
        return ("% needs \\usepackage{graphicx}\n" if shrinks else "") + body + "\n"
    title = writer.say(document.title)
    head = _head(language, title + body) + SHARED % _widest(document)
    if any(map(is_long, document.blocks)):
        head += "\\usepackage{longtable}\n"
    if shrinks:
        head += "\\usepackage{graphicx}\n"
    if any(isinstance(b, Diagram | HeatMap) for b in document.blocks):
        head += "\\usepackage{tikz}\n"
    if any(isinstance(b, Diagram) for b in document.blocks):
        head += FITTED
    head += _colours(body)
    head += f"\\title{{\\vspace{{-12mm}}{title}}}\n\\author{{}}\n\\date{{\\vspace{{-14mm}}}}\n\n"
    return f"{head}\\begin{{document}}\n\\maketitle\n\n{body}\n\n\\end{{document}}\n"


def _head(language: str, written: str) -> str:
    """The class and the fonts of an article; pdflatex has none for Chinese names."""
    if language == "zh":
        return XELATEX + CHINESE
    return XELATEX + ENGLISH + CHINESE_NAMES if any("\u2e80" <= c <= "\uffef" for c in written) else ENGLISH


class _PaperStyle(ColouredStyle):
    def shrunk(self, written: str) -> str:
        return SHRUNK % written


@dataclass(frozen=True)
class _Writer:
    style: LatexStyle
    prefix: str
    fragment: bool = False

    @cached_property
    def wording(self) -> Wording:
        columns = self.style.notation.columns
        return Wording(lambda box: f"${box.write(self.style)}$", escape, escape, columns)

    def say(self, text: Sentence | Box | str) -> str:
        return self.wording.say(text, self.style.language)

    def body(self, document: Document) -> str:
        """The blocks; an equation belongs to the paragraph before it, so that no page ends between them.

        Below a heading or another equation it would begin a paragraph, with an empty line above it.
        """
        out: list[str] = []
        before: Block | None = None
        stated = frozenset(b.step for b in document.blocks if isinstance(b, Equation) and b.step)
        held = {} if self.fragment else hold_ending(document.blocks)
        for number, block in enumerate(document.blocks):
            apart = "\n\n" if out else ""
            if isinstance(block, Equation) and isinstance(before, Heading):
                apart = f"\n{UP[self.style.language]}\n"
            elif isinstance(block, Equation) and isinstance(before, Paragraph | Equation):
                apart = "\n"
            elif isinstance(block, Table) and isinstance(before, Paragraph) and _across(out[-1]) > LINES:
                apart = "\n\n\\pagebreak[0]\n"  # it is long enough to stay alone at the foot of a page
            out += [apart, held.get(number, ""), self.block(block, stated)]
            before = block
        return "".join(out)

    def block(self, block: Block, stated: frozenset[str]) -> str:
        """One block; only the steps that some equation states are referred to."""
        match block:
            case Heading(level, text):
                return rf"\{'sub' * (level - 1)}section{{{self.say(text)}}}"
            case Paragraph(sentences):
                said = self.wording.paragraph(sentences, self.style.language)
                # TeX breaks no matrix: a line before one would be stretched
                return f"{{\\raggedright {said}\\par}}" if r"\end{bmatrix}" in said else said
            case Equation(chains, step):
                # the brackets of two matrices, one below the other, are not those of one
                inside = equation_latex(chains, self.style, "" if step else "[1ex]")
                if not step and inside.startswith(GATHERED):  # which goes on over pages
                    return inside.replace("{gathered}", "{gather*}")
                if inside.startswith(ALIGNED) and inside.count(r"\\") >= TALL:
                    return break_over_pages(inside, self.label(step) if step else "")
                if not step:
                    return f"\\[\n{inside}\n\\]"
                return f"\\begin{{equation}}\n\\label{{{self.label(step)}}}\n{inside}\n\\end{{equation}}"
            case Table():
                return self.table(block)
            case Boxes(step, definition, cells):
                across = min(16, 105 // len(cells[0]))  # millimetres
                rows = [[f"\\framebox[{across}mm]{{{_STRUT}{self.cell(c)}}}" for c in row] for row in cells]
                inside = " \\\\\n".join(_ROW + " & ".join(row) for row in rows)
                matrix = f"{block.symbol.write(self.style)} =\n\\begin{{bmatrix}}\n{inside}\n\\end{{bmatrix}}"
                both = f"{GATHERED}\n{definition.write(self.style)} \\\\[2mm]\n{matrix}\n\\end{{gathered}}"
                return f"\\begin{{equation}}\n\\label{{{self.label(step)}}}\n{both}\n\\end{{equation}}"
            case Diagram():
                drawn = tikz(block, self.style, {step: self.label(step) for step in stated})
                return drawn if self.fragment else fit_page(drawn)
            case HeatMap():
                return tikz_heat_map(block, self.style, escape)

    def cell(self, cell: Cell) -> str:
        """What stands in a box."""
        return f"${write(cell, self.style)}$" if cell else ""

    def label(self, step: str) -> str:
        """What \\eqref refers to a step by."""
        return f"eq:{self.prefix}{step}"

    def table(self, table: Table) -> str:
        """A table; one that is long goes on over pages, and the widest columns of one too wide have lines in a cell."""
        columns = range(len(table.header))
        widths = [max(self.cell_width(row[j]) for row in (table.header, *table.rows)) for j in columns]
        kept = share_out(widths, int(LINE - BETWEEN * len(columns)))
        cut = [kept[j] < widths[j] for j in columns]
        kinds = [f"p{{{kept[j] / LINE:.3f}\\linewidth}}" if cut[j] else "r" if table.right(j) else "l" for j in columns]
        ragged = [(r"\raggedleft " if table.right(j) else r"\raggedright ") if cut[j] else "" for j in columns]
        end = r" \tabularnewline" if any(cut) else r" \\"
        rows = [
            " & ".join(_ragged(self.say(c), lead) for lead, c in zip(ragged, row, strict=True)) + end
            for row in (table.header, *table.rows)
        ]
        spec = "".join(kinds)
        if is_long(table):
            inside = "\n".join([rows[0], r"\hline", r"\endhead", *rows[1:]])
            return f"\\begin{{longtable}}{{{spec}}}\n{inside}\n\\end{{longtable}}"
        inside = "\n".join([rows[0], r"\hline", *rows[1:]])
        return f"\\begin{{center}}\n\\begin{{tabular}}{{{spec}}}\n{inside}\n\\end{{tabular}}\n\\end{{center}}"

    def cell_width(self, cell: Sentence | Box | str) -> int:
        """Digits across; a Chinese character is two, and formulas are set without spaces."""
        style = TextStyle(self.style.notation)
        plain = Wording(lambda box: box.write(style), columns=style.notation.columns)
        said = plain.say(cell, self.style.language)
        said = said if isinstance(cell, Sentence) else said.replace(" ", "")
        return _across(said)


def hold_ending(blocks: Sequence[Block]) -> dict[int, str]:
    """What to write before which blocks, so that a last section of words alone stays with the formula before it."""
    last = max((k for k, block in enumerate(blocks) if isinstance(block, Heading)), default=0)
    if not last or not all(isinstance(block, Paragraph) for block in blocks[last + 1 :]):
        return {}
    before = last - 1
    while before > 0 and isinstance(blocks[before], Paragraph):
        before -= 1
    return {last: BEFORE_SECTION} | ({before: AFTER_DISPLAY} if isinstance(blocks[before], Equation) else {})


def _ragged(cell: str, lead: str) -> str:
    """A cell; one of several lines starts with `lead`, and its rows of numbers may go on on the next line."""
    return lead + cell.replace(r",\; ", r",\allowbreak\; ") if lead else cell


def _across(text: str) -> int:
    """Letters across; a Chinese one is two."""
    return sum(2 if c >= "\u2e80" else 1 for c in text)


def fit_page(drawn: str) -> str:
    """A picture that may be made smaller, where its letters stay legible, to fit on what is left of a page."""
    found = re.search(r"(\\begin\{tikzpicture\}\[scale=([\d.]+).*\\end\{tikzpicture\})", drawn, re.DOTALL)
    if found is None:  # it says that it is too large
        return drawn
    least = SMALLEST / float(found[2])
    return f"\\fitted{{%\n{found[1]}}}{{{min(least, 1):.2f}}}"


def is_long(block: Block) -> bool:
    """Whether a block is a table that may not fit on what is left of a page: `longtable` breaks it."""
    return isinstance(block, Table) and len(block.rows) > LONGEST


def lines_of(chains: Sequence[Chain], style: LatexStyle = STYLE) -> list[Sequence[Chain]]:
    """Chains side by side, as many on a line as fit, the lines evenly filled."""
    across = most_beside(chains, style.plain)
    return [chains[k : k + across] for k in range(0, len(chains), across)]


def equation_latex(chains: Sequence[Chain], style: LatexStyle = STYLE, between: str = "") -> str:
    """Lines of chains side by side; `between` is how much further apart the lines are, such as [1ex]."""
    joined = [BESIDE.join(chain_latex(c, style) for c in line) for line in lines_of(chains, style)]
    return joined[0] if len(joined) == 1 else f"{GATHERED}\n" + f" \\\\{between}\n".join(joined) + "\n\\end{gathered}"


def chain_latex(chain: Chain, style: LatexStyle = STYLE) -> str:
    """A chain on one line if a page is wide enough, else each side on its own."""
    text, first, rest = style.plain, chain.sides[0][1].write(style), chain.sides[1:]
    whole = fits(chain, text)
    told = [f"{sign_of(sign, style)} {side.write(style) if whole else _fit(side, style)}" for sign, side in rest]
    sides = style.sides(rest, told)
    if whole:
        return "\n".join([first, *sides])
    alone = width(chain.sides[0][1], text) > PAGE // 3 and not fits(chain.first(2), text)  # on a line of its own
    pieces = ["\\begin{aligned}\n", f"&{first} \\\\\n" if alone else f"{first} "]
    for k, (side, (_, box)) in enumerate(zip(sides, rest, strict=True)):
        pieces += [" \\\\\n&" if k else "&", break_sum(side, width(box, text))]
    return "".join([*pieces, "\n\\end{aligned}"])  # once, since a side may have megabytes


def _fit(side: Box, style: LatexStyle) -> str:
    """A side on its own; one of matrices, which no line can break, is shrunk where it is wider than the page."""
    written = side.write(style)
    return style.shrunk(written) if r"\begin" in written and overruns(side, style.plain) else written


def break_over_pages(aligned: str, label: str) -> str:
    """A tall chain with its sides on lines that a page may end between, but for the first two; the last has the number.

    >>> print(break_over_pages("\\\\begin{aligned}\\nA &= B \\\\\\\\\\n&= C\\n\\\\end{aligned}", "eq:A"))
    \\begin{align}
    A &= B \\notag \\\\*
    &= C \\label{eq:A}
    \\end{align}
    """
    lines = aligned.removeprefix(f"{ALIGNED}\n").removesuffix("\n\\end{aligned}").split(" \\\\\n&")
    kind, skip, last = ("align", r" \notag", rf" \label{{{label}}}") if label else ("align*", "", "")
    inside = "".join(rf"{line}{skip} {BREAK if k else STAY}" + "\n&" for k, line in enumerate(lines[:-1]))
    return f"\\begin{{{kind}}}\n{inside}{lines[-1]}{last}\n\\end{{{kind}}}"


def break_sum(written: str, wide: int) -> str:
    """A sum of formulas that is wider than a page, on several lines, each from a plus sign on.

    >>> print(break_sum("a + {b + c} + d", 200))
    a \\\\
    &\\quad + {b + c} \\\\
    &\\quad + d
    """
    if wide <= PAGE or "\\begin" in written:
        return written
    terms, depth = [""], 0
    for piece in re.split(r"(\\left|\\right|\\.|[{}]| \+ )", written):
        depth += (piece in ("{", r"\left")) - (piece in ("}", r"\right"))
        if piece == " + " and depth == 0:
            terms.append("")
        else:
            terms[-1] += piece
    across = max(1, len(terms) * (PAGE - 12) // wide)  # terms of a line
    lines = [" + ".join(terms[k : k + across]) for k in range(0, len(terms), across)]
    return " \\\\\n&\\quad + ".join(lines)


_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    # what text fonts have no glyph for, and would leave out
    "−": "$-$", "∞": r"$\infty$", "∘": r"$\circ$", "ᵀ": r"$^{\top}$", "‖": r"$\|$", "√": r"$\surd$", "≈": r"$\approx$",
    "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "∂": r"$\partial$", "Σ": r"$\Sigma$", "ε": r"$\varepsilon$",
    "φ": r"$\varphi$", "⊗": r"$\otimes$", "→": r"$\to$", "←": r"$\leftarrow$", "⇒": r"$\Rightarrow$", "\ufffd": "?",
})  # fmt: skip
_GREEK = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma
tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Phi Psi Omega"""  # fmt: skip
_LETTERS = zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΦΨΩ", _GREEK.split(), strict=True)
_ESCAPES = {ord(c): rf"$\{name}$" for c, name in _LETTERS} | _ESCAPES
_ESCAPES |= {ord(c): f"$^{{{d}}}$" for c, d in zip("⁰⁴⁵⁶⁷⁸⁹⁻", "0456789-", strict=True)}
_ESCAPES |= {ord(c): f"$_{d}$" for d, c in enumerate("₀₁₂₃₄₅₆₇₈₉")} | {0x302: r"\^{}"}
_ESCAPES |= {0x2460 + k: rf"\textcircled{{\scriptsize {k + 1}}}" for k in range(20)}  # ① to ⑳
# what the fonts of every TeX have: Latin letters, punctuation, Chinese
_SET = regex(r"[\x20-\x7e\n\xa0-\u0125\u0128-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e"
                  r"–—‘’‚“”„†‡•…‰‹›€™\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")  # fmt: skip


def escape(text: str) -> str:
    """Plain words for LaTeX: nothing in them is a command. What no font of a small TeX has is named by its number.

    >>> escape("50% \U0001f642")
    '50\\\\% \\\\fbox{\\\\scriptsize U+1F642}'
    """
    named = (c if ord(c) in _ESCAPES or _SET.match(c) else f"\x00{ord(c):04X}\x01" for c in text)
    written = "".join(named).translate(_ESCAPES)
    return written.replace("\x00", r"\fbox{\scriptsize U+").replace("\x01", "}")


def _colours(body: str) -> str:
    """The definitions of the colours that a body uses."""
    used = [
        rf"\definecolor{{{kind}}}{{HTML}}{{{ink}}}" for kind, ink in INKS.items() if rf"\textcolor{{{kind}}}" in body
    ]
    return "\n".join([r"\usepackage{xcolor}", *used, ""]) if used else ""


def _widest(document: Document) -> int:
    """The number of columns of the widest matrix, at least amsmath's own ten."""
    sides = (side for b in document.blocks if isinstance(b, Equation) for c in b.chains for _, side in c.sides)
    return max([10, *(most_columns(side) for side in sides)])
