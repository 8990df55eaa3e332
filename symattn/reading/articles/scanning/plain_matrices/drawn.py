"""Matrices drawn over several lines of plain text, each row in brackets of its own, an equation through the middle.

          [ 0  1 ]
    Q = X [ 1  0 ] = ...

Cells are set apart by two spaces or more where one of them has a space inside. Rows of a program's lists, `[1, 0],`,
are a drawing only where they are multiplied: below one another alone they are what else is read over several lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.matrices import list_of
from symattn.reading.articles.scanning.wording import LONGEST_LINE

MOST_ROWS = 200
_ASIDE = 1  # columns by which rows drawn by hand are out of line
_OPENING = regex(r"\[ |[⎡⎢⎣⎛⎜⎝│|]")
_TIGHT_ROW = (  # [1  0], no row of a program's matrix
    r"(?<!\[)\[(?=[-−+.\d])[^\[\],;:=\s]*+[ \t][^\[\],;:=]*+\](?!\])"
)
_TIGHT = regex(_TIGHT_ROW)
_ENTRY = r"[-−+]?(?:\d[\d.]*|\.\d+|∞|inf(?:inity)?\b)"
_CELLS = rf"{_ENTRY}(?:[ \t]+(?:[-−+×·*/][ \t])?{_ENTRY})*+"
_BOX = regex(
    rf"[│|][ \t]+(?P<bar>{_CELLS})(?:[ \t]+[│|]|│)(?!\S)|(?<!\S)\|(?P<bars>{_ENTRY}[ \t]{_CELLS})\|(?!\S)"
    rf"|\[ (?P<row>[^\[\]]*) \]|(?P<tight>{_TIGHT_ROW})"
    rf"|[⎡⎢⎣⎛⎜⎝](?P<tall>[^⎡⎢⎣⎤⎥⎦⎛⎜⎝⎞⎟⎠]*)[⎤⎥⎦⎞⎟⎠]"
)
_BORDER = regex(r"(?=.*[┌└])[ \t┌┐└┘─]+")
_EDGE = regex(r"[┌┐└┘─]|←[^\n]*$|(?<=\s\s)\([\"“„«「]?[^\W\d_][^()=≈→]*\)\s*$")
_NAMED = regex(r"(?P<name>[A-Za-z]\w*(?:_\w+|\^\w|ᵀ|')?)[ \t]*(?:\([^()]{1,20}\))?[ \t]*:")
_NAME_ABOVE = regex(r"(?<!\S)(?P<name>[A-Za-z](?:_?[A-Za-z0-9]{1,3})?)(?!\S)")
_OF_WORDS = regex(  # the input matrix, of `The input matrix X (3×4):`
    r"(?:the )?(?:inputs?|weights?|quer(?:y|ies)|keys?|values?|tokens?|embeddings?|data|words?|scores?)?[ ]?"
    r"(?:matrix|matrices|tensor|sequence|batch|vectors?|embeddings?)?"
    r"|(?:输入|輸入|权重|權重|查询|键|值|词|嵌入|数据|入力|重み)?(?:矩阵|矩陣|向量|序列|张量|行列)?",
    re.IGNORECASE,
)
_LETTER = regex(r"[A-Z](?:_\w{1,3})?")
_CELL = regex(r"\S+(?: \S+)*")
_WORD = regex(r"\S+")
_SIGN = regex(r" [-−+×·/*] ")  # between two numbers of one cell
_NUMBER = regex(_ENTRY)
_LISTED = regex(rf"\[?(?P<row>\[[ \t]*{_ENTRY}(?:,[ \t]*{_ENTRY})++[ \t]*\])\]?,?")
_GRID_ROW = regex(rf"[ \t]*{_ENTRY}(?:[ \t]+{_ENTRY})++[ \t]*")
_TIMES = frozenset("x×·*@")
MOST_LISTED = 16  # rows of a product that is written with commas


@dataclass(frozen=True)
class _Box:
    """One row of a matrix: its line, the columns of the page that it fills, and where it stands in its line."""

    line: int
    columns: tuple[int, int]
    start: int
    end: int
    cells: tuple[Located, ...]
    commas: bool = False
    tight: bool = False  # without a space behind its bracket


def join_drawings(lines: list[Located]) -> list[Located]:
    """The lines with each drawing as one line of nested lists.

    >>> lines = [Located.whole(x) for x in ("    [ 1  2 ]", "S = [ 3  4 ] [ 1  0 ]", "             [ 0  1 ]")]
    >>> [line.text for line in join_drawings(lines)]
    ['S = [[1, 2], [3, 4]] @ [[1, 0], [0, 1]]']
    """
    lines = [
        _without_edge(line) if "┌" in line.text or ("└" in line.text and _BORDER.fullmatch(line.text)) else line
        for line in lines
    ]
    found: list[Located] = []
    k = 0
    while k < len(lines):
        drawn = _drawn_from(lines, k)
        if drawn is not None and found and _ENDS_IN_SIGN.search(found[-1].text) and drawn[0].text.startswith("[["):
            found[-1] = join([found[-1], drawn[0].led_by(" ")])
        else:
            found.append(lines[k] if drawn is None else drawn[0])
        k += 1 if drawn is None else drawn[1]
    return found


def _without_edge(line: Located) -> Located:
    """Nothing of a line with the upper edge of a box, but what it is said to be: `S / 2 =` before `┌   ┐`."""
    said = _SAID.match(line.text)
    return line.cut(0, 0 if said is None else said.end("said"))


_SAID = regex(r"(?P<said>[^=≈┌┐]*[^\s=≈┌┐][^┌┐]*[=≈])[ \t]*┌[^┌┐]*┐[ \t]*$")
_ENDS_IN_SIGN = regex(r"[^\s=≈][ \t]*[=≈]$")


def join_grid(lines: list[Located]) -> list[Located]:
    """A block that is nothing but rows of as many numbers, as the one line of nested lists that they are.

    >>> [line.text for line in join_grid([Located.whole(" 2   -inf"), Located.whole(" 1   3")])]
    ['[[2, -inf], [1, 3]]']
    """
    rows = [line for line in lines if line.text.strip()]
    if not 1 < len(rows) <= MOST_ROWS or not all(_GRID_ROW.fullmatch(row.text) for row in rows):
        return lines
    cells = [[row.cut(*m.span()) for m in _NUMBER.finditer(row.text)] for row in rows]
    return [list_of([list_of(row) for row in cells])] if len(set(map(len, cells))) == 1 else lines


def _drawn_from(lines: list[Located], first: int) -> tuple[Located, int] | None:
    """The drawing that begins at a line, as one line, and how many it fills."""
    rows: list[list[_Box]] = []
    while first + len(rows) < len(lines) and len(rows) < MOST_ROWS:
        boxes = [_aligned(box, rows) for box in _boxes(lines[first + len(rows)], first + len(rows))]
        if len(rows) == MOST_LISTED and rows[0][0].commas:
            return None
        if not boxes or (rows and not {b.columns for b in boxes} & {b.columns for b in rows[-1]}):
            break
        if rows and all(_outside(lines[row[0].line].text, row).strip() for row in (rows[0], boxes)):
            break  # the names stand beside the first rows, and another begins
        rows.append(boxes)
    base = _base(lines, rows) if rows else None
    if base is None or not _is_drawing(lines, rows, base):
        return None
    matrices = [[b for boxes in rows for b in boxes if b.columns == middle.columns] for middle in rows[base]]
    if sum(map(len, matrices)) != sum(map(len, rows)) or any(_is_broken(m) for m in matrices):
        return None
    titles = _titles(lines, first, rows[0]) if not _outside(lines[first + base].text, rows[base]).strip() else []
    if titles:
        return _listed(titles, matrices), len(rows)
    return _written(lines[first + base], rows[base], matrices), len(rows)


def _is_drawing(lines: list[Located], rows: list[list[_Box]], base: int) -> bool:
    """Whether rows with commas are several, all of that kind, and multiplied in the equation beside them.

    Beside rows without a space behind their bracket there is an equation at least: a program prints such ones.
    """
    signs = _outside(lines[rows[base][0].line].text, rows[base]).split()
    if any(box.tight for boxes in rows for box in boxes):
        return len(rows) > 1 and not {"=", "≈"}.isdisjoint(signs)
    if not any(box.commas for boxes in rows for box in boxes):
        return True
    texts = [lines[boxes[0].line].text for boxes in rows]
    if sum(text.count("[[") for text in texts) != sum(text.count("]]") for text in texts):
        return False  # the lists of a matrix that begins above
    multiplied = not _TIMES.isdisjoint(signs) and "=" in signs
    return multiplied and len(rows) > 1 and all(box.commas for boxes in rows for box in boxes)


def _aligned(box: _Box, rows: list[list[_Box]]) -> _Box:
    """The box in the columns of one above it that it stands below, by hand a little aside."""
    above = (b.columns for boxes in rows[-1:] for b in boxes)
    for columns in above:
        start, end = (abs(x - y) for x, y in zip(columns, box.columns, strict=True))
        if min(start, end) <= _ASIDE and max(start, end) <= 3 * _ASIDE:
            return replace(box, columns=columns)
    return box


def _titles(lines: list[Located], first: int, boxes: list[_Box]) -> list[Located]:
    """The names in the line above, `Q (2×3):   K (2×3):`, if there is one for each matrix.

    They need no colon where nothing else is there, and each stands above its own matrix.
    """
    above = next((k for k in range(first - 1, max(first - 3, -1), -1) if lines[k].text.strip()), None)
    if above is None or len(lines[above].text) > 1_000:
        return []
    line = lines[above]
    named = list(_NAMED.finditer(line.text))
    if not named and len(boxes) > 1:
        named = list(_NAME_ABOVE.finditer(line.text))
        if len(named) != len(boxes) or not all(map(_stands_above, named, boxes)):
            return []
        return [line.cut(*m.span("name")) for m in named] if not _NAME_ABOVE.sub("", line.text).strip() else []
    beside = _NAMED.sub("", line.text).strip()
    called = len(boxes) == 1 and _OF_WORDS.fullmatch(beside) and all(_LETTER.fullmatch(m["name"]) for m in named)
    return [line.cut(*m.span("name")) for m in named] if len(named) == len(boxes) and (called or not beside) else []


def _stands_above(name: re.Match[str], box: _Box) -> bool:
    return box.columns[0] <= (name.start("name") + name.end("name")) // 2 <= box.columns[1]


def _listed(titles: list[Located], matrices: list[list[_Box]]) -> Located:
    """Each matrix as an equation of its own."""
    parts = []
    for title, matrix in zip(titles, matrices, strict=True):
        rows = list_of([list_of(list(row.cells)) for row in matrix])
        parts.append(join([title, rows.led_by(" = ")]))
    return join(parts, "; ")


def _boxes(line: Located, number: int) -> Iterator[_Box]:
    text = line.text
    if len(text) > LONGEST_LINE:
        return
    drawn = _OPENING.search(text) is not None or ("," not in text and _TIGHT.search(text) is not None)
    if not drawn and "," not in text:
        return
    at = [0]
    for c in text:
        at.append(at[-1] + (0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1))
    for match in () if drawn else _LISTED.finditer(text):
        cells = [line.cut(m.start(), m.end()) for m in _NUMBER.finditer(text, *match.span("row"))]
        columns = (at[match.start("row")], at[match.end("row")])
        yield _Box(number, columns, match.start(), match.end(), tuple(cells), commas=True)
    for match in _BOX.finditer(text) if drawn else ():
        name = next(n for n in ("bar", "bars", "row", "tight", "tall") if match[n] is not None)
        inside = match[name].strip("[]")
        if "," in inside or not inside.strip():
            return
        wide = "  " in inside.strip() or _SIGN.search(inside)
        pattern = _CELL if _SIGN.search(inside) or (wide and not name.startswith("bar")) else _WORD
        start = match.start(name) + (name == "tight")
        cells = [line.cut(start + m.start(), start + m.end()) for m in pattern.finditer(inside)]
        columns = (at[match.start()], at[match.end()])
        yield _Box(number, columns, match.start(), match.end(), tuple(cells), tight=name == "tight")


def _base(lines: list[Located], rows: list[list[_Box]]) -> int | None:
    """Which line the equation stands on: the only one with anything beside the boxes, or the middle."""
    spoken = [k for k, boxes in enumerate(rows) if _outside(lines[boxes[0].line].text, boxes).strip()]
    if len(spoken) > 1:
        return None
    if len(rows) == 1 and all(_NUMBER.fullmatch(cell.text) for box in rows[0] for cell in box.cells):
        return None  # a row of numbers is read as in any other line
    return spoken[0] if spoken else len(rows) // 2


def _outside(text: str, boxes: list[_Box]) -> str:
    """What stands beside the boxes of a line, but for the edges of others and a remark behind an arrow."""
    edges = [0, *(edge for b in boxes for edge in (b.start, b.end)), len(text)]
    return _EDGE.sub("", "".join(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)))


def _is_broken(matrix: list[_Box]) -> bool:
    """Whether rows are missing in between, or are not equally long."""
    return len({len(b.cells) for b in matrix}) != 1 or any(b.line - a.line != 1 for a, b in pairwise(matrix))


def _written(line: Located, boxes: list[_Box], matrices: list[list[_Box]]) -> Located:
    """The equation with each matrix as a list of lists; two side by side are a product."""
    parts, done = [], 0
    for box, matrix in zip(boxes, matrices, strict=True):
        between = line.cut(done, box.start)
        if box.commas and between.text.strip() == "x":
            between = Located.inserted(" × ", between.span(0, 0)[0])
        parts.append(between)
        if parts[:-1] and not between.text.strip():
            parts.append(Located.inserted("@ ", line.span(box.start, box.start)[0]))
        parts.append(list_of([list_of(list(row.cells)) for row in matrix]))
        done = box.end
    rest = line.cut(done, len(line.text))
    return join([*parts, rest if _EDGE.sub("", rest.text).strip() else rest.cut(0, 0)])
