"""The formula of a cell as a tree: numbers, areas of cells, and calls (operators are calls too).

`=SUM(A1:A3)/2` is Call("/", (Call("SUM", (Area(...),)), Constant(2))). Source of the grammar: ECMA-376 part 1, 18.17;
a sign before a number binds tighter than a power, and powers are taken from the left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from symattn.errors import NotSupportedError
from symattn.patterns import regex
from symattn.reading.spreadsheets.references import CELL, LAST_COLUMN, LAST_ROW, column_number
from symattn.reading.spreadsheets.workbook import Place
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip

LONGEST = 8192  # characters, as spreadsheets have it
DEEPEST = 64  # brackets
MOST_CELLS = 100_000  # of one area
LARGEST_EXPONENT = 308  # of a number written with E
COMPARISONS = ("=", "<>", "<=", ">=", "<", ">")
OPERATORS = ("+", "-", "*", "/", "^", "percent", *COMPARISONS)
_TOKEN = regex(
    rf"""\s*(?:(?P<area>(?:(?P<sheet>'(?:[^']|'')+'|[\w.]+)!)?{CELL}(?::{CELL})?(?![\w(.!]))
    | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.!]))
    | (?P<name>[A-Za-z_][\w.]*)\s*(?=\()
    | (?P<sign><>|[<>]=|[-+*/^%(),;{{}}<>=])
    | (?P<other>[A-Za-z_][\w.!$]*|\S))""",
    re.X,
)
_PREFIXES = regex(r"^(?:_xlfn\.|_xlws\.)+", re.I)


@dataclass(frozen=True)
class Constant:
    """A number as it is written; several are an array, {1,2;3,4}."""

    rows: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Area:
    """Cells of a sheet: first row and column, last row and column, from 1."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int

    def places(self) -> Iterator[Place]:
        return ((self.sheet, i, j) for i in range(self.top, self.bottom + 1) for j in range(self.left, self.right + 1))


@dataclass(frozen=True)
class Call:
    """A function of arguments; operators go by their signs, "negative" and "percent"."""

    name: str
    arguments: tuple[Tree, ...]


Tree = Constant | Area | Call


def read_formula(text: str, sheet: str, sheets: Iterable[str] = (), names: Mapping[str, str] | None = None) -> Tree:
    """The tree of a formula that stands in a sheet, beside other sheets; names of sheets ignore case.

    `names` are those of areas, in small letters, with what they stand for. Raises NotSupportedError for what is not
    read, and for a sheet that is not there.

    >>> read_formula("=-A1^2", "S")
    Call(name='^', arguments=(Call(name='negative', arguments=(Area(sheet='S', top=1, left=1, bottom=1, right=1),)), \
Constant(rows=((Fraction(2, 1),),))))
    """
    if len(text) > LONGEST:
        raise _refuse(text)
    reader = _Reader(text.removeprefix("="), sheet, sheets, names or {})
    tree = reader.comparison()
    if reader.kind:
        raise _refuse(reader.token)
    return tree


def areas_in(tree: Tree) -> Iterator[Area]:
    """The areas that a formula refers to, in its order."""
    left: list[Tree] = [tree]
    while left:
        part = left.pop()
        if isinstance(part, Area):
            yield part
        elif isinstance(part, Call):
            left += reversed(part.arguments)


def chain(tree: Tree) -> tuple[Tree, list[Call]]:
    """What stands first in a row of operators, and the operators in the order in which they are applied.

    A row may be thousands long, so it is not walked by recursion.
    """
    calls: list[Call] = []
    while isinstance(tree, Call) and tree.name in OPERATORS:
        calls.append(tree)
        tree = tree.arguments[0]
    return tree, calls[::-1]


def relative(text: str, row: int, column: int) -> str:
    """A formula with its references told from where it stands, the same for all copies of it.

    >>> relative("=A1*$B$1", 2, 3) == relative("=A2*$B$1", 3, 3)
    True
    """

    def said(found: re.Match[str]) -> str:
        if found["area"] is None:
            return found[0]
        return (found["sheet"] or "") + re.sub(CELL, shifted, found["area"].removeprefix(f"{found['sheet']}!"))

    def shifted(found: re.Match[str]) -> str:
        j, i = column_number(found[2]), int(found[4])
        return f"R{i}" * bool(found[3]) + f"R[{i - row}]" * (not found[3]) + f"C{j - column * (not found[1])}{found[1]}"

    return _TOKEN.sub(said, text)


class _Reader:
    """A reader by precedence, one token ahead."""

    def __init__(self, text: str, sheet: str, sheets: Iterable[str], names: Mapping[str, str]) -> None:
        self.sheet, self.depth, self.names = sheet, 0, names
        self.sheets = {name.lower(): name for name in (*sheets, sheet)}
        self.tokens = _TOKEN.finditer(text)
        self.step()

    def step(self) -> None:
        self.found = next(self.tokens, None)
        self.kind = "" if self.found is None else next(k for k in _KINDS if self.found[k] is not None)
        self.token = "" if self.found is None else self.found[self.kind]

    def take(self, *signs: str) -> str:
        if self.kind != "sign" or self.token not in signs:
            return ""
        taken = self.token
        self.step()
        return taken

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise _refuse(self.token)

    def comparison(self) -> Tree:
        self.depth += 1
        if self.depth > DEEPEST:
            raise _refuse(self.token)
        tree = self.sum()
        while sign := self.take(*COMPARISONS):
            tree = Call(sign, (tree, self.sum()))
        self.depth -= 1
        return tree

    def sum(self) -> Tree:
        tree = self.product()
        while sign := self.take("+", "-"):
            tree = Call(sign, (tree, self.product()))
        return tree

    def product(self) -> Tree:
        tree = self.power()
        while sign := self.take("*", "/"):
            tree = Call(sign, (tree, self.power()))
        return tree

    def power(self) -> Tree:
        tree = self.signed()
        while self.take("^"):
            tree = Call("^", (tree, self.signed()))
        return tree

    def signed(self) -> Tree:
        signs = ""
        while sign := self.take("-", "+"):
            signs += sign
        tree, minus = self.percent(), signs.count("-")
        for _ in range(minus % 2 or 2 * bool(minus)):  # twice makes a number of what is true or false
            tree = Call("negative", (tree,))
        return tree

    def percent(self) -> Tree:
        tree = self.atom()
        while self.take("%"):
            tree = Call("percent", (tree,))
        return tree

    def atom(self) -> Tree:
        found, kind, token = self.found, self.kind, self.token
        self.step()
        if kind == "number":
            return Constant(((_number(token),),))
        if kind == "area" and found is not None and _is_cell(found):
            return self.area(found)
        if kind == "name":
            return self.call(_PREFIXES.sub("", token).upper())
        if kind == "other" and token.upper() in ("TRUE", "FALSE"):
            return Call(token.upper(), ())
        if kind in ("other", "area") and (meant := _TOKEN.fullmatch(self.names.get(token.lower(), ""))):
            return self.named(meant, token)
        if (kind, token) == ("sign", "("):
            tree = self.comparison()
            self.expect(")")
            return tree
        if (kind, token) == ("sign", "{"):
            return self.table()
        raise _refuse(token)

    def call(self, name: str) -> Call:
        self.expect("(")
        arguments: list[Tree] = []
        while not self.take(")"):
            if arguments:
                self.expect(",")
            arguments.append(self.comparison())
        return Call(name, tuple(arguments))

    def named(self, meant: re.Match[str], name: str) -> Area:
        """What a name stands for: an area told by $, since any other depends on where the name is used."""
        if meant["area"] is None or not _is_cell(meant) or not all(c and r for c, _, r, _ in _corners(meant)):
            raise _refuse(name)
        return self.area(meant)

    def area(self, found: re.Match[str]) -> Area:
        given = (found["sheet"] or "").removeprefix("'").removesuffix("'").replace("''", "'")
        sheet = self.sheets.get((given or self.sheet).lower())
        if sheet is None:
            known = clip(", ".join(self.sheets.values()), 60)
            raise NotSupportedError(Sentence("no_sheet", given=clip(given, 40), known=known))
        corners = [(int(row), column_number(letters)) for _, letters, _, row in _corners(found)]
        (a, b), (c, d) = corners[0], corners[-1]
        area = Area(sheet, min(a, c), min(b, d), max(a, c), max(b, d))
        if (area.bottom - area.top + 1) * (area.right - area.left + 1) > MOST_CELLS:
            raise NotSupportedError(Sentence("spreadsheet.large"))
        return area

    def table(self) -> Constant:
        rows: list[list[Fraction]] = [[]]
        while True:
            sign = self.take("-")
            if self.kind != "number":
                raise _refuse(self.token)
            rows[-1].append(-_number(self.token) if sign else _number(self.token))
            self.step()
            mark = self.take(",", ";", "}") or "?"
            if mark == ";":
                rows.append([])
            elif mark == "}" and len({len(row) for row in rows}) == 1:
                return Constant(tuple(map(tuple, rows)))
            elif mark != ",":
                raise _refuse(self.token)


def _corners(found: re.Match[str]) -> list[tuple[str, str, str, str]]:
    """The cells of an area, each as $, its column, $ and its row."""
    return re.findall(CELL, found["area"].rpartition("!")[2])


def _is_cell(found: re.Match[str]) -> bool:
    """Whether there are such cells: beyond the last column or row the same letters and digits are a name."""
    return all(column_number(letters) <= LAST_COLUMN and int(row) <= LAST_ROW for _, letters, _, row in _corners(found))


_KINDS = ("area", "number", "name", "sign", "other")


def _number(token: str) -> Fraction:
    """A number as it is written; the powers of ten end where those of spreadsheets do."""
    exponent = token.lower().partition("e")[2].lstrip("+-0")
    if len(exponent) > 3 or int(exponent or 0) > LARGEST_EXPONENT:
        raise _refuse(token)
    return Fraction(token)


def _refuse(token: str) -> NotSupportedError:
    return NotSupportedError(Sentence("spreadsheet.sign", token=clip(token or "…", 20)))
