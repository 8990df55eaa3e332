"""Document -> plain text for a terminal, with matrices laid out over several lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from symattn.writing.document import (
    FIGURE_SPACE,
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
    Matrix,
    Paragraph,
    Quotient,
    Row,
    Signed,
    Symbol,
    Table,
    number_headings,
    sign_of,
    write,
)
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.width import share_out
from symattn.writing.writers.wording import Wording

WIDTH = 80  # columns of a terminal of which nothing else is known
NARROWEST = 40
INDENT = "    "  # of equations
OPERATORS = frozenset("=≈≠≤≥<>+−-·→∘")


def write_text(
    document: Document, language: str = "en", *, fragment: bool = False, prefix: str = "", width: int = WIDTH
) -> str:
    """Plain text of at most so many columns; with `fragment` without its title.

    Matrices and words that are wider stay whole. There are no labels, so that `prefix` changes nothing.
    """
    writer = _Writer(TextStyle(document.notation, language), max(width, NARROWEST))
    blocks = [made for number, b in number_headings(document) if (made := writer.block(b, number))]
    if not fragment:
        blocks.insert(0, writer.underlined(writer.say(document.title), "="))
    return "\n\n".join(blocks) + "\n"


@dataclass(frozen=True)
class _Writer:
    style: TextStyle
    width: int

    @cached_property
    def wording(self) -> Wording:
        return Wording(lambda box: _bind(box.write(self.style)), columns=self.style.notation.columns)

    def say(self, text: Sentence | Box | str) -> str:
        return self.wording.say(text, self.style.language).replace(_BOUND, " ")

    def underlined(self, title: str, stroke: str) -> str:
        lines = wrap(title, self.width).splitlines()
        return "\n".join([*lines, stroke * max(map(columns, lines), default=0)])

    def block(self, block: Block, number: str) -> str:
        match block:
            case Heading(_, text):
                return self.underlined(number + self.say(text), "-")
            case Paragraph(sentences):
                return wrap(self.wording.paragraph(sentences, self.style.language), self.width)
            case Equation(chains):
                room = self.width - len(INDENT)
                shown = [chain_lines(c, self.style, room) for c in chains]
                return "\n\n".join("\n".join(INDENT + line if line else "" for line in lines) for lines in shown)
            case Table(header, rows):
                cells = [[self.say(c) for c in row] for row in (header, *rows)]
                return _table(cells, [block.right(j) for j in range(len(header))], self.width)
            case Boxes(_, definition, cells):
                written = [[write(c, self.style) if c else "" for c in row] for row in cells]
                wide = max(6, *(columns(x) for row in written for x in row))
                lines = [INDENT + " ".join(f"[{x.rjust(wide)}]" for x in row) for row in written]
                return "\n".join(
                    [INDENT + definition.write(self.style), "", f"{INDENT}{block.symbol.write(self.style)} =", *lines]
                )
            case Diagram(nodes, arrows):
                names = {place.key: place.label.write(self.style) for place in nodes}
                return "\n".join(f"{INDENT}{names[a]}  →  {names[b]}" for a, b in arrows)
            case HeatMap():
                return ""  # the numbers stand above


_BOUND = "\x00"  # a space at which no line ends


def _bind(formula: str) -> str:
    """A formula within a sentence: lines end before = ≈ + alone, so that none begins with a factor."""
    return re.sub(r" (?![=≈+])", _BOUND, formula)


def chain_lines(chain: Chain, style: TextStyle, room: int = WIDTH - len(INDENT)) -> list[str]:
    """A chain: its first formulas on one line, each matrix side below; what is longer goes on below, before a sign."""
    out: list[str] = []
    line = _Piece.of("")
    for k, (relation, side) in enumerate(chain.sides):
        sign = "" if k == 0 else sign_of(relation, style) + " "
        piece = _Piece.of(sign).beside(_piece(side, style))
        joined = line.beside(_Piece.of(" " if k else "")).beside(piece)
        one_line = len(joined.lines) == 1
        if k == 1 and isinstance(chain.sides[0][1], Symbol) and (one_line or isinstance(side, Matrix)):
            line = joined  # X = [...]
        elif k and (not one_line or joined.width > room):
            out += _fold(line.lines[0], room) if len(line.lines) == 1 else line.lines
            out += [] if len(line.lines) == len(piece.lines) == 1 else [""]
            line = _Piece.of("  ").beside(piece)
        else:
            line = joined
    out += line.lines if len(line.lines) > 1 else _fold(line.lines[0], room)
    return [text.rstrip() for text in out]


def _fold(line: str, room: int) -> list[str]:
    """A formula as lines of at most so many columns, broken before signs: those outside of brackets, if these do."""
    if columns(line) <= room:
        return [line]
    inner = room - columns(INDENT)
    parts = [x for part in _parts(line, 0) for x in ([part] if columns(part) <= inner else _parts(part, 1))]
    lines = [parts[0]]
    for part in parts[1:]:
        if columns(lines[-1]) + 1 + columns(part) <= room:
            lines[-1] += " " + part
        else:
            lines.append(INDENT + part)
    return lines


def _parts(line: str, deepest: int) -> list[str]:
    """A formula taken apart before each sign that no more brackets than so many hold."""
    first, *words = re.split(r"(?<=\S) (?=\S)", line)
    parts, depth = [first], _depth(first)
    for word in words:
        if depth <= deepest and word in (*OPERATORS, "/"):
            parts.append(word)
        else:
            parts[-1] += " " + word
        depth += _depth(word)
    return parts


def _depth(word: str) -> int:
    """How many brackets a word leaves open; below 0, how many it closes."""
    return sum((c in "([{") - (c in ")]}") for c in word)


@dataclass(frozen=True)
class _Piece:
    """Lines of text of equal width, and which of them is the middle."""

    lines: tuple[str, ...]
    middle: int

    @staticmethod
    def of(text: str) -> _Piece:
        return _Piece((text,), 0)

    @property
    def width(self) -> int:
        return columns(self.lines[0])

    def beside(self, other: _Piece) -> _Piece:
        above = max(self.middle, other.middle)
        below = max(len(p.lines) - p.middle for p in (self, other))
        padded = []
        for piece in (self, other):
            blank = " " * piece.width
            lines = [blank] * (above - piece.middle) + list(piece.lines)
            padded.append(lines + [blank] * (above + below - len(lines)))
        return _Piece(tuple(a + b for a, b in zip(*padded, strict=True)), above)


def _piece(box: Cell, style: TextStyle) -> _Piece:
    match box:
        case Matrix():
            return _matrix(box, style)
        case Row(parts):
            return _join([_piece(part, style) for part in parts], " ")
        case Signed(terms) if any(_has_matrix(term) for _, term in terms):
            return _add([(style.minus if sign == "-" else "+", _piece(term, style)) for sign, term in terms])
        case Quotient(Matrix() as above, below):
            return _matrix(above, style).beside(_Piece.of(f" / ({write(below, style)})"))
    return _Piece.of(write(box, style))


def _has_matrix(box: Cell) -> bool:
    return isinstance(box, Matrix) or (isinstance(box, Row) and any(isinstance(part, Matrix) for part in box.parts))


def _add(terms: Sequence[tuple[str, _Piece]]) -> _Piece:
    """Terms with their signs; that of the first is left out if it is a plus."""
    sign, whole = terms[0]
    whole = whole if sign == "+" else _Piece.of(sign).beside(whole)
    for sign, piece in terms[1:]:
        whole = whole.beside(_Piece.of(f" {sign} ")).beside(piece)
    return whole


def _join(pieces: Sequence[_Piece], sign: str) -> _Piece:
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = whole.beside(_Piece.of(sign)).beside(piece)
    return whole


def _matrix(matrix: Matrix, style: TextStyle) -> _Piece:
    width = max(len(r) for r in matrix.rows if r is not None)
    pattern = next(r for r in matrix.rows if r is not None)
    rows = [
        ["⋱" if c is None else "⋮" for c in pattern]
        if row is None
        else ["⋯" if c is None else write(c, style) for c in row]
        for row in matrix.rows
    ]
    widths = [max(columns(row[j]) for row in rows) for j in range(width)]
    lines = [
        "[ " + "  ".join(" " * (w - columns(c)) + c for c, w in zip(row, widths, strict=True)) + " ]" for row in rows
    ]
    return _Piece(tuple(lines), (len(lines) - 1) // 2)


def wrap(text: str, most: int) -> str:
    """Lines of at most so many columns, broken at spaces or between Chinese characters."""
    lines, line = [], ""
    words = (part for word in _words(text) for part in (_words(_free(word)) if columns(word) > most else [word]))
    for word in words:
        if line and columns(line + word.rstrip(" ")) > most:
            lines.append(line.rstrip(" "))
            line = ""
        line += word if line else word.lstrip()
    return _free("\n".join([*lines, line.rstrip(" ")]))


def _free(text: str) -> str:
    return text.replace(_BOUND, " ")


def _words(text: str) -> list[str]:
    words = [""]
    for c in text:
        wide = unicodedata.east_asian_width(c) in "WF"
        if (wide and c not in "，。；：、）”") or (words[-1].endswith(" ") and c != " "):
            words.append("")
        words[-1] += c
    return words


def _table(rows: Sequence[Sequence[str]], right: Sequence[bool], most: int) -> str:
    """Columns side by side; where they are too wide together, the widest have several lines in a cell.

    A column is as wide as its longest word, so that the table is aligned where not even the words have room.
    """
    least = [_widest(wrap(row[j], 1) for row in rows) for j in range(len(right))]
    spare = [_widest(row[j] for row in rows) - word for j, word in enumerate(least)]
    room = most - 2 * (len(right) - 1) - sum(least)
    widths = [word + more for word, more in zip(least, share_out(spare, room), strict=True)] if room > 0 else least
    lines: list[str] = []
    for row in rows:
        cells = [wrap(c, w).splitlines() or [""] for c, w in zip(row, widths, strict=True)]
        for k in range(max(map(len, cells))):
            parts = [cell[k] if k < len(cell) else "" for cell in cells]
            lines.append(
                "  ".join(_pad(*p) for p in zip(parts, widths, right, strict=True)).rstrip().replace(FIGURE_SPACE, " ")
            )
        if row is rows[0]:
            lines.append("  ".join("-" * w for w in widths))
    return "\n".join(lines)


def _widest(texts: Iterable[str]) -> int:
    return max(columns(line) for text in texts for line in text.splitlines() or [""])


def _pad(text: str, width: int, right: bool) -> str:
    blank = " " * (width - columns(text))
    return blank + text if right else text + blank
