"""How wide a formula is on the page, in digits: enough to decide where a chain breaks and what a matrix leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.writing.document import Box, Cell, Chain, Matrix, Quotient, Row, Signed, within, write
from symattn.writing.writers.text_style import TextStyle

PAGE = 78  # digits across the text of an A4 page at 11pt, 25 mm margins
_TEXT = TextStyle()
GAP, BRACKETS = 1.8, 2.7  # digits between columns of a matrix, and of its brackets
_LETTERS = dict.fromkeys("−-+×√", 1.6) | dict.fromkeys(".,·", 0.56) | dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", 0.7)
_LETTERS |= {"∞": 2.0, "⋯": 2.3, "⁻": 1.0, " ": 0.44}


def width(box: Cell, style: TextStyle = _TEXT) -> int:
    """Digits across: a matrix is as wide as the widest cells of its columns, a quotient as its wider part.

    What is wider than a page is not measured to its end.
    """
    if isinstance(box, Matrix):
        rows = [r for r in box.rows if r is not None]
        if len(rows[0]) > PAGE // 3:
            return 3 * len(rows[0])  # too wide, whatever its cells are
        across = 2
        for column in zip(*rows, strict=True):
            across += 2 + max(map(_cell_width, column))
            if across > PAGE:
                break
        return across
    if isinstance(box, Row):
        return sum(width(p, style) for p in box.parts) + len(box.parts) - 1
    if isinstance(box, Signed):
        return sum(width(term, style) + 3 for _, term in box.terms) - 3
    if isinstance(box, Quotient):
        return max(width(box.above, style), width(box.below, style))
    return len(write(box, style))


def _cell_width(cell: Cell | None) -> int:
    if isinstance(cell, str):  # most are digits
        return len(cell)
    return 1 if cell is None else width(cell)


def set_width(box: Cell | None) -> float:
    """Digits across as TeX sets them: closer than `width`, where a single column is at stake; fractions as on a line.

    >>> set_width("1.05"), round(set_width("−2"), 1), set_width("10⁻⁴")
    (3.56, 2.6, 3.7)
    """
    if isinstance(box, Matrix):
        rows = [r for r in box.rows if r is not None]
        return BRACKETS + sum(GAP + max(map(set_width, column)) for column in zip(*rows, strict=True)) - GAP
    if isinstance(box, Row):
        return sum(map(set_width, box.parts)) + 0.3 * (len(box.parts) - 1)
    if isinstance(box, Signed) and most_columns(box):
        return sum(set_width(term) + 3 for _, term in box.terms) - 3
    if box is None or isinstance(box, str):
        return sum(_LETTERS.get(c, 1.0) for c in box or "⋯")
    return sum(_LETTERS.get(c, 1.0) for c in write(box, _TEXT))


def most_columns(box: Cell) -> int:
    """The columns of the widest matrix within."""
    if isinstance(box, Matrix):
        return max(len(r) for r in box.rows if r is not None)
    return max(map(most_columns, within(box)), default=0)


def fits(chain: Chain, style: TextStyle = _TEXT) -> bool:
    """Whether the chain fits on one line."""
    room = PAGE if not chain.broken else -1
    for _, side in chain.sides:
        if room < 0:
            break
        room -= width(side, style) + 3
    return room >= 0


def most_beside(chains: Sequence[Chain], style: TextStyle = _TEXT) -> int:
    """How many chains may stand on one line side by side, so that every line fits and all are filled evenly."""
    widths = [sum(width(side, style) + 3 for _, side in chain.sides) for chain in chains] if len(chains) > 1 else []
    for across in range(len(widths), 1, -1):
        lines = (widths[k : k + across] for k in range(0, len(widths), across))
        if all(sum(line) + 4 * (len(line) - 1) <= PAGE for line in lines):
            return -(-len(chains) // -(-len(chains) // across))
    return 1


def side_fits(box: Box) -> bool:
    """Whether one side of a broken chain fits, after its relation sign."""
    return width(box) <= PAGE - 8


def overruns(box: Box, style: TextStyle = _TEXT) -> bool:
    """Whether one side is wider than the page, as TeX sets it too."""
    return width(box, style) > PAGE and (most_columns(box) > PAGE // 3 or set_width(box) > PAGE)


def share_out(widths: Sequence[int], room: int) -> list[int]:
    """The widths of columns that share a room: as they are where they fit, else the widest cut down alike."""
    left, wide = room, sorted(widths)
    for k, narrowest in enumerate(wide):
        share = left // (len(wide) - k)
        if narrowest > share:
            return [min(w, max(share, 1)) for w in widths]
        left -= narrowest
    return list(widths)
