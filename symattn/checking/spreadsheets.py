"""The formulas of a spreadsheet against the numbers that it shows: what is saved of a cell is a print of its formula.

A formula is worth what follows exactly from the numbers that were typed in. A number shown that is not the nearest one
is carried where the formula gives it from the saved numbers, and one of these is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.findings import Cause, Claim, Finding, Findings, Verdict
from symattn.errors import NotSupportedError, SymattnError
from symattn.reading.articles.article import NotChecked
from symattn.reading.spreadsheets.formats import show
from symattn.reading.spreadsheets.formulas import (
    OPERATORS,
    Area,
    Call,
    Constant,
    Tree,
    areas_in,
    chain,
    read_formula,
    relative,
)
from symattn.reading.spreadsheets.references import cell_name
from symattn.reading.spreadsheets.workbook import Book, Place
from symattn.values.enclosures import bounds, precision
from symattn.values.printed import Ball, is_told, relation, round_to
from symattn.values.spreadsheet import Entry, Table, apply, is_true, number
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip

BITS = 160
MOST_BITS = 16 * BITS  # 10^308 beside 10^-308, the ends of doubles, takes 2,050
MOST_LOOKED_AT = 1_000_000  # cells that all formulas together look at
_ARRAYS = ("SUMPRODUCT", "MMULT", "TRANSPOSE")  # take the cells of an area one by one wherever they stand


def check_book(path: str, book: Book) -> Findings:
    """Judge every number that a formula gave. What could not be read or computed is listed, and counts as typed in."""
    bits, trees = BITS, dict[Place, Tree | SymattnError]()
    while True:
        with precision(bits):
            sheet = _Sheets(book, trees)
            for place in book.formulas:
                sheet.settle(place)
            if not sheet.unclear or bits >= MOST_BITS:
                return Findings(path, tuple(_claims(book, sheet.judged)), tuple(sheet.not_checked))
        bits *= 4


@dataclass(frozen=True)
class _Judged:
    """A number shown, what it should be, and what is said of it; `cause` is the wrong cell that it follows from."""

    printed: str
    unit: Fraction
    right: Ball
    verdict: Verdict
    cause: Place | None = None


class _Sheets:
    """What each cell is worth, found in the order in which cells need each other."""

    def __init__(self, book: Book, trees: dict[Place, Tree | SymattnError]) -> None:
        self.book = book
        self.unclear = False  # whether more bits may say what these do not
        self.true: dict[Place, Entry] = {}
        self.judged: dict[Place, _Judged] = {}
        self.not_checked: list[NotChecked] = []
        self.trees = trees
        self.names = {sheet: book.names_in(sheet) for sheet in {place[0] for place in book.formulas}}
        self.owner = {cell: place for place in book.formulas for cell in self._filled(place)}
        self.done: set[Place] = set()
        self.left = MOST_LOOKED_AT

    def _filled(self, place: Place) -> Iterator[Place]:
        sheet, row, column = place
        formula = self.book.formulas[place]
        return Area(sheet, row, column, row + formula.rows - 1, column + formula.columns - 1).places()

    def settle(self, top: Place) -> None:
        """Judge a formula, after all that it needs; what needs itself has no value."""
        stack, waiting = [top], set()
        while stack:
            place = stack[-1]
            if place in self.done:
                stack.pop()
            elif place in waiting:
                self._judge(stack.pop())
                self.done.add(place)
            else:
                waiting.add(place)
                needed = {self.owner[cell] for cell in self._needs(place) if cell in self.owner} - self.done
                if needed & waiting:
                    self._leave(place, NotSupportedError(Sentence("spreadsheet.circle")))
                    self.done.add(place)
                else:
                    stack += sorted(needed)

    def _needs(self, place: Place) -> Iterator[Place]:
        tree = self._tree(place)
        if isinstance(tree, SymattnError):
            return
        for area in areas_in(tree):
            self.left -= (area.bottom - area.top + 1) * (area.right - area.left + 1)
            if self.left < 0:
                self.trees[place] = NotSupportedError(Sentence("spreadsheet.much"))
                return
            yield from area.places()

    def _tree(self, place: Place) -> Tree | SymattnError:
        if place not in self.trees:
            try:
                names = self.names[place[0]]
                self.trees[place] = read_formula(self.book.formulas[place].text, place[0], self.book.sheets, names)
            except SymattnError as error:
                self.trees[place] = error.with_traceback(None)
        return self.trees[place]

    def _judge(self, place: Place) -> None:
        tree = self._tree(place)
        try:
            if isinstance(tree, SymattnError):
                raise tree
            table = self._area(place, tree, self._true)
        except SymattnError as error:
            return self._leave(place, error)
        kept: Table | None = None
        for k, cell in enumerate(self._filled(place)):
            i, j = divmod(k, self.book.formulas[place].columns)
            entry = table[i][j]
            right = number(Fraction(0)) if entry is None else entry  # None: an empty cell that is looked up
            self.true[cell] = right
            shown = self._shown(place, cell, right)
            if shown is None:
                continue
            if isinstance(right, str | bool):
                self._note(cell, self.book.formulas[place].text, Sentence("spreadsheet.no_number"))
                continue
            printed, unit, value = shown
            if not is_told(right, unit):
                self._note_unclear(cell)
                self.true[cell] = self._saved(cell)
                continue
            related = relation(right, value, unit, printed)
            verdict: Verdict = "last-digit" if related == "near" else "wrong" if related == "far" else related
            cause = given = None
            if related in ("near", "far"):
                kept = kept or self._from_saved(place, tree)
                given = kept[i][j] if kept else None
            if given is not None and not isinstance(given, str | bool):
                if not is_told(given, unit):
                    self._note_unclear(cell)
                    continue
                if relation(given, value, unit, printed) in ("exact", "rounded", "truncated"):
                    cause = self._cause(tree)
                    verdict = "carried" if cause else "intermediate"
            if self.book.formats.get(cell, "General") == "General":
                unit = _short_unit(right, unit)
            self.judged[cell] = _Judged(printed, unit, right, verdict, cause)
        return None

    def _shown(self, place: Place, cell: Place, right: Entry) -> tuple[str, Fraction, Fraction] | None:
        """The digits shown in a cell, their unit and their value; what shows no number is listed."""
        saved = self.book.values.get(cell)
        if saved is None or isinstance(saved, bool) or not isinstance(saved, int | float):
            key = "spreadsheet.unsaved" if saved is None else "spreadsheet.shows_text"
            self._note(cell, self.book.formulas[place].text, Sentence(key, text=clip(str(saved), 20)))
            return None
        code = self.book.formats.get(cell, "General")
        shown = show(saved, code)
        if shown is None:
            self._note(cell, self.book.formulas[place].text, Sentence("spreadsheet.format", code=clip(code, 20)))
            return None
        text, unit = shown
        value = Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)
        return text, unit, value

    def _leave(self, place: Place, why: SymattnError) -> None:
        """A formula without a value: what was saved of it is taken as given."""
        assert isinstance(why.message, Sentence)
        self.unclear |= _is_unclear(why)
        self._note(place, self.book.formulas[place].text, why.message)
        for cell in self._filled(place):
            self.true[cell] = self._saved(cell)

    def _note(self, place: Place, text: str, why: Sentence) -> None:
        sheet, row, column = place
        self.not_checked.append(NotChecked(None, None, f"{sheet}!{cell_name(row, column)} {text}", why))

    def _note_unclear(self, cell: Place) -> None:
        self.unclear = True
        self._note(cell, self.book.formulas[self.owner[cell]].text, Sentence("spreadsheet.wide"))

    # --- values

    def _true(self, place: Place) -> Entry:
        return self.true[place] if place in self.true else self._saved(place)

    def _saved(self, place: Place) -> Entry:
        """What was typed in or saved: of a double the shortest decimal that prints it."""
        saved = self.book.values.get(place)
        if saved is None or isinstance(saved, str | bool):
            return saved
        if not isinstance(saved, int | float):
            return str(saved)
        return number(Fraction(repr(saved)))

    def _from_saved(self, place: Place, tree: Tree) -> Table | None:
        try:
            return self._area(place, tree, self._saved)
        except SymattnError as error:
            self.unclear |= _is_unclear(error)
            return None

    def _area(self, place: Place, tree: Tree, look: Callable[[Place], Entry]) -> Table:
        """What a formula fills its area with: a single value fills all of it."""
        formula = self.book.formulas[place]
        table = _evaluate(tree, look, array=formula.array)
        if (len(table), len(table[0])) == (1, 1):
            return table * formula.rows if formula.columns == 1 else (table[0] * formula.columns,) * formula.rows
        if (len(table), len(table[0])) != (formula.rows, formula.columns):
            raise NotSupportedError(Sentence("spreadsheet.sizes" if formula.array else "spreadsheet.one_cell"))
        return table

    def _cause(self, tree: Tree) -> Place | None:
        """The first wrong number that a formula takes, or what that follows from."""
        for area in areas_in(tree):
            for cell in area.places():
                before = self.judged.get(cell)
                if before is not None and before.verdict in ("wrong", "carried"):
                    return before.cause or cell
        return None


def _is_unclear(error: SymattnError) -> bool:
    """Whether a formula may have a value when it is computed with more bits."""
    return isinstance(error.message, Sentence) and error.message.key in ("spreadsheet.wide", "spreadsheet.round")


def _short_unit(right: Ball, unit: Fraction) -> Fraction:
    """The unit of the last place that is not 0, as the format General writes a number."""
    number = round_to(right, unit)
    while unit < 1 and number % (10 * unit) == 0:
        unit *= 10
    return unit


def _evaluate(tree: Tree, look: Callable[[Place], Entry], *, array: bool) -> Table:
    if isinstance(tree, Constant):
        return tuple(tuple(map(number, row)) for row in tree.rows)
    if isinstance(tree, Area):
        cells = [look(place) for place in tree.places()]
        width = tree.right - tree.left + 1
        return tuple(tuple(cells[k : k + width]) for k in range(0, len(cells), width))
    if tree.name == "IF" and len(tree.arguments) in (2, 3):
        return _evaluate_branch(tree, look, array=array)
    array = array or tree.name in _ARRAYS
    if tree.name not in OPERATORS:
        return apply(tree.name, [_evaluate(a, look, array=array) for a in tree.arguments], array=array)
    first, calls = chain(tree)
    table = _evaluate(first, look, array=array)
    for call in calls:
        table = apply(call.name, [table, *(_evaluate(a, look, array=array) for a in call.arguments[1:])], array=array)
    return table


def _evaluate_branch(tree: Call, look: Callable[[Place], Entry], *, array: bool) -> Table:
    """IF: of a single condition the other branch is not computed, which may have no value."""
    condition, one, other = (*tree.arguments, Call("FALSE", ()))[:3]
    table = _evaluate(condition, look, array=array)
    if (len(table), len(table[0])) == (1, 1):
        return _evaluate(one if is_true(table[0][0]) else other, look, array=array)
    return apply("IF", [table, *(_evaluate(x, look, array=array) for x in (one, other))], array=array)


# --- claims


def _claims(book: Book, judged: Mapping[Place, _Judged]) -> Iterator[Claim]:
    """The numbers of copies of one formula that fill a rectangle are one claim, and so are those of an array."""
    blocks = list(_blocks(book, judged))
    at: dict[Place, tuple[str, int, int]] = {}
    for area in blocks:
        for _, i, j in area.places():
            at[area.sheet, i, j] = (_subject(area), i - area.top + 1, j - area.left + 1)
    for area in blocks:
        entries = tuple(
            _finding(judged[cell], *at[cell][1:], None if (c := judged[cell].cause) is None else Cause(None, *at[c]))
            for cell in area.places()
        )
        shape = (area.bottom - area.top + 1, area.right - area.left + 1)
        text = _formula_at(book, area)
        yield Claim(None, None, _subject(area), text, entries, shape, origin=(area.top, area.left))


def _subject(area: Area) -> str:
    first, last = cell_name(area.top, area.left), cell_name(area.bottom, area.right)
    return f"{area.sheet}!{first}" + (f":{last}" if first != last else "")


def _formula_at(book: Book, area: Area) -> str:
    formula = book.formulas.get((area.sheet, area.top, area.left))
    return "" if formula is None else formula.text


def _finding(judged: _Judged, row: int, column: int, cause: Cause | None) -> Finding:
    return Finding(row, column, judged.printed, judged.unit, bounds(judged.right), judged.verdict, cause)


def _blocks(book: Book, judged: Mapping[Place, _Judged]) -> Iterator[Area]:
    """Rectangles of judged cells with the same formula, told from where each stands."""
    same: dict[Place, str] = {}
    for (sheet, row, column), formula in book.formulas.items():
        key = f"{cell_name(row, column)}" if formula.array else relative(formula.text, row, column)
        area = Area(sheet, row, column, row + formula.rows - 1, column + formula.columns - 1)
        same |= {cell: key for cell in area.places() if cell in judged}
    order = {sheet: k for k, sheet in enumerate(dict.fromkeys(place[0] for place in book.values))}
    yield from _stack(_runs(sorted(same, key=lambda p: (order.get(p[0], 0), *p)), same), same)


def _runs(cells: Iterable[Place], same: Mapping[Place, str]) -> list[Area]:
    """Neighbours in a row."""
    runs: list[Area] = []
    for sheet, i, j in cells:
        last = runs[-1] if runs else None
        joined = last is not None and (last.sheet, last.top, last.right) == (sheet, i, j - 1)
        if last is not None and joined and same[sheet, i, j - 1] == same[sheet, i, j]:
            runs[-1] = Area(sheet, i, last.left, i, j)
        else:
            runs.append(Area(sheet, i, j, i, j))
    return runs


def _stack(rows: Iterable[Area], same: Mapping[Place, str]) -> Iterator[Area]:
    """Runs of one width below each other, in the order of the sheet."""
    ends: dict[tuple[str, int, int, int], int] = {}  # where the block ends that a run may go on with
    blocks: list[Area] = []
    for run in rows:
        k = ends.pop((run.sheet, run.left, run.right, run.top - 1), None)
        above = (run.sheet, run.top - 1, run.left)
        if k is not None and same[above] == same[run.sheet, run.top, run.left]:
            blocks[k] = Area(run.sheet, blocks[k].top, run.left, run.top, run.right)
        else:
            k = len(blocks)
            blocks.append(run)
        ends[run.sheet, run.left, run.right, run.bottom] = k
    yield from blocks
