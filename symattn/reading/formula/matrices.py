"""Matrices: environments, nested lists, programs' prints, row vectors."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.formula.conditions import condition_in
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.numerals import read_number, worth
from symattn.reading.formula.spellings import MATRICES
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import Call, Dots, Expression, Infinity, Matrix, Name, Number

_PRINTED = frozenset(["number", "sign", "infinity", "nan", "dots", "percent", "tilde"])
_ENDS = frozenset(["cell", "row", "end"])

_GRID_PART = regex(r"(-?[0-9]+(?:\.[0-9]+)?)|\\\\")

Cell = Expression | str | None  # a label is a string, an empty cell None


# --- environments


def read_environment(p: Parser) -> Matrix:
    begin = p.i
    token = p.take()
    if token.value not in MATRICES:
        p.refuse("formula_unknown", token)
    if token.value == "array":
        _skip_columns(p)
    outer, p.worn_rows = p.worn_rows, "row" not in p.layout.inside[begin]
    p.brackets += 1
    rows: list[list[Cell]] = [[]]
    while not p.at("end"):
        rows[-1].append(_read_cell(p))
        if p.take_if("row") or (p.worn_rows and p.token.gap == "worn" and not p.at("end") and not p.at("cell")):
            rows.append([])
        elif p.take_if("cell"):
            rows[-1] += [None] if p.at("end") else []
        elif not p.at("end"):
            p.refuse("formula_neighbours")
    p.take()
    p.brackets -= 1
    p.worn_rows = outer
    matrix = _assemble(p, rows, token)
    match matrix.rows:
        case ((Matrix() as inner,),) if not matrix.brackets:  # one matrix, set beside its labels
            return replace(inner, annotations=(*inner.annotations, *matrix.annotations), end=p.behind)
    return matrix


def labels_only(p: Parser) -> bool:
    """Whether the environment here holds nothing but labels of rows, with their arrows."""
    inside = p.layout.inside[p.i]
    return "arrow" in inside and inside <= {"arrow", "text", "quoted", "row", "cell", "end", "close"}


def read_grid(p: Parser) -> Matrix:
    """A matrix of plain numbers, which the lexer has seen to be one."""
    token = p.take()
    rows: list[list[Number]] = [[]]
    inside = p.text.index("}", token.start) + 1
    for found in _GRID_PART.finditer(p.text, inside, p.text.rindex("\\end", inside, token.end)):
        if found[1] is not None:
            rows[-1].append(_plain_number(found[1], found.start(1), found.end(1)))
        else:
            rows.append([])
    filled = [row for row in rows if row]
    width = max(map(len, filled))
    for i, row in enumerate(filled):
        if len(row) != width:
            _refuse_ragged(p, i, list(row), [list(r) for r in filled], token)
    cells = tuple(map(tuple, filled))
    return Matrix(cells, MATRICES[token.value], (), start=token.start, end=token.end)


def _skip_columns(p: Parser) -> None:
    """The column specification of an array, `{c|cc}`, and its position, `[t]`."""
    for bracket in "[", "{":
        if p.at("open", bracket):
            close = p.layout.partner[p.i]
            if bracket == "[" and p.tokens[close + 1].value != "{":
                return
            if bracket == "{" and any(set(t.value) - set("lcr|@{}!. ") for t in p.tokens[p.i : close]):
                return
            p.i = close + 1


def _read_cell(p: Parser) -> Cell:
    token = p.token
    if token.kind == "number" and p.next.kind in _ENDS and p.next.gap != "worn":
        return read_number(p.take())
    if token.kind in ("cell", "row", "end"):
        return None
    if token.kind == "bar" and p.next.kind in _ENDS:
        return p.take().value
    if token.kind == "begin" and labels_only(p):
        return " ".join(read_environment(p).annotations)
    if token.kind in ("arrow", "quoted") or (token.kind == "text" and token.value[:1] in "\"'“‘"):
        return _read_row_label(p)
    return read_approximate(p) if p.at("relation", "≈") else p.expression()


def _read_row_label(p: Parser) -> str:
    words = []
    while p.token.kind in ("arrow", "quoted", "text"):
        words.append(p.take().value)
    return " ".join(words)


def read_approximate(p: Parser) -> Expression:
    """A number or infinity with the sign ≈ or ~ in front of it."""
    start = p.take().start
    found = p.operand()
    if not isinstance(found, Number):
        p.refuse("formula_unexpected", found)
    return replace(found, approximate=True, start=start)


def _assemble(p: Parser, rows: list[list[Cell]], begin: Token) -> Matrix:
    """Drop empty rows and columns and labels; what is left must be a rectangle."""
    rows = [row for row in rows if any(cell is not None for cell in row)]
    width = max(map(len, rows), default=0)
    partial = any(isinstance(cell, Dots) for row in rows for cell in row)
    for i, row in enumerate(rows):
        if len(row) != width and not (partial and any(isinstance(c, Dots) for c in row)):
            _refuse_ragged(p, i, row, rows, begin)
    if rows and all(len(row) == width and row[-1] is None for row in rows):
        rows, width = [row[:-1] for row in rows], width - 1
    if any(all(cell is None for cell in column) for column in zip(*rows, strict=False)):
        p.refuse("formula_blank_cell", begin)
    columns = [c for c in range(width) if any(isinstance(cell, Expression) for row in rows for cell in row[c : c + 1])]
    labels = tuple(cell for row in rows for cell in row if isinstance(cell, str) and cell != "|")
    kept = tuple(tuple(row[c] for c in columns if c < len(row)) for row in rows)
    cells = tuple(tuple(cell for cell in row if isinstance(cell, Expression)) for row in kept)
    if any(len(full) != len(row) for full, row in zip(kept, cells, strict=True)):
        p.refuse("formula_blank_cell", begin)
    if not columns and not labels:
        p.refuse("formula_no_matrix", begin)
    return Matrix(cells if columns else (), MATRICES[begin.value], labels, start=begin.start, end=p.behind)


def _refuse_ragged(p: Parser, i: int, row: list[Cell], rows: list[list[Cell]], begin: Token) -> None:
    cell = next((c for c in row if isinstance(c, Expression)), begin)
    p.refuse("formula_ragged", cell, row=i + 1, found=len(row), expected=len(rows[0]))


# --- lists and prints


def read_brackets(p: Parser, row: bool = False) -> Expression:
    """What stands in square brackets: a matrix, or (one expression that is no row) a group.

    `row` says that it is an item of a list, and so a row for certain.
    """
    opening = p.i
    close, inside = p.layout.partner[opening], p.layout.inside[opening]
    start = p.take().start
    if (condition := condition_in(p, opening)) is not None:
        p.i = close + 1
        return Call("where", (), (condition,), start=start, end=p.behind)
    with p.deeper:
        if "norm" in inside and not p.at("norm") and _are_joined(p.tokens[opening : close + 1]):
            return _read_joined(p, start)
        if inside.isdisjoint(("comma", "semicolon")) and (cells := _read_print(p, close)):
            rows = [cells]
        else:
            rows = _read_items(p, opening, close)
    p.expect("close", "[")
    one = rows[0][0] if len(rows) == len(rows[0]) == 1 else None
    if one is not None and not row:
        if isinstance(one, Matrix) and one.brackets != "row":
            return one
        if not isinstance(one, Number | Infinity | Name | Matrix):
            return one
    return Matrix(_stack(p, rows), "row" if row else "[", start=start, end=p.behind)


def _are_joined(tokens: list[Token]) -> bool:
    """Whether bars stand between blocks, `[A ‖ B]`, and do not enclose the norm of one, `[2‖x‖, 1]`."""
    bars = [k for k, token in enumerate(tokens) if token.kind == "norm"]
    return len(bars) % 2 == 1 or any(tokens[k].gap and tokens[k + 1].gap for k in bars)


def _read_joined(p: Parser, start: int) -> Expression:
    """`[A \\Vert B]`: side by side."""
    p.brackets += 1
    p.in_norm = True
    parts = [p.expression()]
    while p.take_if("norm"):
        parts.append(p.expression())
    p.in_norm = False
    p.brackets -= 1
    p.expect("close", "[")
    return Call("concat", tuple(parts), start=start, end=p.behind)


def _read_items(p: Parser, opening: int, close: int) -> list[list[Expression]]:
    """Items between commas, rows between semicolons; nested rows may go without, as numpy prints them."""
    rows: list[list[Expression]] = [[]]
    p.brackets += 1
    while p.i < close:
        rows[-1].append(read_item(p))
        if p.take_if("semicolon"):
            rows.append([])
        elif not p.take_if("comma") and p.i < close and not _next_row(p, rows[-1][-1]):
            p.refuse("formula_neighbours")
    p.brackets -= 1
    if not rows[-1]:
        rows.pop()
    if not rows or not all(rows):
        p.refuse("formula_no_matrix", p.tokens[opening])
    return rows


def _next_row(p: Parser, last: Expression) -> bool:
    return p.at("dots") or (p.at("open", "[") and isinstance(last, Matrix | Dots))


def read_item(p: Parser) -> Expression:
    if p.at("dots"):
        token = p.take()
        return Dots(start=token.start, end=token.end)
    if p.at("relation", "≈"):
        return read_approximate(p)
    if p.at("open", "["):
        behind = p.tokens[p.layout.partner[p.i] + 1]
        if behind.kind in ("comma", "close", "semicolon") or (behind.kind in ("open", "dots") and behind.value in "[…"):
            return read_brackets(p, row=True)
    return p.expression()


def _stack(p: Parser, rows: list[list[Expression]]) -> tuple[tuple[Expression, ...], ...]:
    """The rows of a matrix of these items; items that are rows themselves go below one another."""
    items = rows[0]
    if len(rows) == 1 and any(isinstance(i, Matrix) and i.brackets == "row" for i in items):
        cells = []
        for item in items:
            if not isinstance(item, Dots) and not (isinstance(item, Matrix) and len(item.rows) == 1):
                p.refuse("formula_unexpected", item)
            cells.append(item.rows[0] if isinstance(item, Matrix) else (item,))
    else:
        cells = [tuple(row) for row in rows]
        for item in (i for row in rows for i in row):
            if isinstance(item, Matrix) and item.brackets == "row":
                p.refuse("formula_unexpected", item)
    _require_rectangle(p, cells)
    return tuple(cells)


def _require_rectangle(p: Parser, rows: list[tuple[Expression, ...]]) -> None:
    full = [row for row in rows if not any(isinstance(cell, Dots) for cell in row)]
    for i, row in enumerate(full):
        if len(row) != len(full[0]):
            p.refuse("formula_ragged", row[0], row=i + 1, found=len(row), expected=len(full[0]))


def _read_print(p: Parser, close: int) -> list[Expression]:
    """The numbers of a print such as `[0.5 -1. ...]`; nothing when this is no print but an expression."""
    content = p.tokens[p.i : close]
    count = sum(t.kind in ("number", "infinity", "nan", "dots") for t in content)
    if any(t.kind not in _PRINTED for t in content) or count < 2 or not _signs_are_tight(p, content):
        return []
    cells: list[Expression] = []
    while p.i < close:
        cells.append(read_approximate(p) if p.at("tilde") else p.operand())
    return cells


def _signs_are_tight(p: Parser, content: list[Token]) -> bool:
    """`[1 -2]` is two numbers, `[1 - 2]` and `[1-2]` are one; in LaTeX `[1 -2]` is refused."""
    signs = [i for i, t in enumerate(content) if t.kind == "sign"]
    if any(i + 1 == len(content) or content[i + 1].gap or (i and not content[i].gap) for i in signs):
        return False
    numbers = sum(t.kind != "sign" for t in content)
    inner = sum(i > 0 for i in signs)
    if p.latex and inner and inner >= numbers - 1:
        p.refuse("formula_ambiguous", content[signs[-1]])
    return True


def _is_row(p: Parser, content: list[Token]) -> bool:
    """Whether a list without commas stands in parentheses, `(0.6 0.4 -0.1)`; `(1 -2)` may be 1 − 2 and is refused."""
    if p.latex or not content or any(t.kind not in ("number", "sign") for t in content):
        return False
    signs = [i for i, t in enumerate(content) if t.kind == "sign" and i]
    if any(not content[i].gap or i + 1 == len(content) or content[i + 1].gap for i in signs):
        return False
    if any(content[i].kind == content[i - 1].kind == "number" for i in range(1, len(content))):
        return True
    return bool(signs) and p.refuse("formula_ambiguous", content[0])


def read_group(p: Parser, listed: bool = False) -> Expression:
    """Parentheses or braces; with a comma, parentheses are a row vector, and so are braces where a list may stand."""
    opening = p.i
    token = p.take()
    braces = token.value == "{"
    close = p.layout.partner[opening]
    row = "comma" in p.layout.inside[opening] and (not braces or (listed and _has_gaps(p.tokens[opening:close])))
    if not braces and _is_row(p, p.tokens[p.i : close]) and (printed := _read_print(p, close)):
        p.expect("close", token.value)
        return Matrix((tuple(printed),), "(", start=token.start, end=p.behind)
    p.brackets += 1
    cells = [read_item(p)] if row else [p.expression()]
    while row and p.take_if("comma") and not p.at("close"):
        cells.append(read_item(p))
    p.brackets -= 1
    p.expect("close", token.value)
    if row:
        return Matrix((tuple(cells),), "(", start=token.start, end=p.behind)
    if not braces:
        p.opened = cells[0].start
    return cells[0]


def _has_gaps(tokens: list[Token]) -> bool:
    """Whether every comma is one of a list, `2.03, 1.00`, with a gap behind it, and none that of a number, `2,03`."""
    return all(behind.gap for comma, behind in pairwise(tokens) if comma.kind == "comma")


def _plain_number(text: str, start: int, end: int) -> Number:
    value, places = worth(text)
    return Number(text, value, places, start=start, end=end)
