"""Exercises that users hold: a sheet of boxes, its key, and its worksheet; and the grades of those who filled it in."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from symattn.api.derivation import Derivation, derive
from symattn.api.page import Page
from symattn.checking.grading import Grade, grade_answers
from symattn.errors import InputError, SymattnError
from symattn.pages.exercise import exercise_document, key_digits, round_digits
from symattn.pages.grades import grades_data, grades_document, header, table_row
from symattn.reading.answers import answers_in, inputs_of, plain_title, read_answers
from symattn.reading.worksheets.exercises import MOST, Task, count_work, difficulty, draw_exercise
from symattn.reading.worksheets.starter import write_matrices, write_matrix
from symattn.reading.worksheets.tables import is_stack
from symattn.reading.worksheets.template import write_toml
from symattn.reading.worksheets.worksheet import Worksheet, read_tables, read_text, read_worksheet
from symattn.writing.document import Boxes, Document
from symattn.writing.files import same_file
from symattn.writing.prose import Sentence
from symattn.writing.writers.boxes import sheet_number


@dataclass(frozen=True)
class Exercise(Page):
    """A calculation to be done by hand; pages are blank sheets, with `key=True` they have the answers.

    >>> make_exercise(7).derivation["weights"].exact.shape
    (3, 3)
    """

    task: Task

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The worksheet, as TOML has it."""
        return draw_exercise(self.task)

    @cached_property
    def derivation(self) -> Derivation:
        """The calculation, solved."""
        return solve(read_tables(self.tables))

    def document(self, *_: Any, key: bool = False) -> Document:
        """The sheet, or the key."""
        title = Sentence("exercise.title", number=self.task.seed, tokens=self.task.tokens)
        work = count_work(self.tables, self.task)
        words = dict(zip(("products", "exponentials", "rounded"), work, strict=True))
        words |= {"level": difficulty(work), "value": math.isqrt(self.task.width)}
        return exercise_document(title, self.derivation.equations, {**words, "most": f"{float(MOST):g}"}, key=key)

    def to_worksheet(self, *, key: bool = False) -> str:
        """The worksheet with [claims]: empty ones to be filled in, or the answers. `symattn check` reads it.

        >>> "scores = [" in Exercise(Task(7)).to_worksheet(key=True)
        True
        """
        tables = self.tables
        lines = [f"title = {write_toml(tables['title'])}", f"tokens = {write_toml(tables['tokens'])}", "", "[inputs]"]
        for name, given in tables["inputs"].items():
            lines.append(write_matrices(name, given) if is_stack(given) else write_matrix(name, given))
        if "attention" in tables:
            lines += ["", "[attention]", *(f"{k} = {write_toml(v)}" for k, v in tables["attention"].items())]
        part = None
        for step in self.derivation.program:
            head, _, name = step.name.rpartition(".")
            if head != part:
                part = head
                lines += ["", f"[claims.{head}]" if head else "[claims]"]
            digits = key_digits(self.derivation.equations, step.name)
            lines.append(f"{name} = {write_toml([[round_digits(x) if key else '' for x in row] for row in digits])}")
        return "\n".join(lines) + "\n"


def solve(sheet: Worksheet) -> Derivation:
    """The derivation of a worksheet with values. Raises InputError where it has none."""
    derivation = derive(sheet.expression, sheet.values, tokens=sheet.tokens)
    if derivation.symbolic:
        raise InputError(Sentence("key_symbolic"), place="inputs")
    return derivation


def make_exercise(seed: int, **asked: Any) -> Exercise:
    """An exercise of small integers: `tokens`, `heads`, `width` (d_k: 1, 4 or 9), `mask`, `given` ("X" or "Q").

    The same seed gives the same numbers on every machine: they are drawn by SplitMix64 (Steele, Lea and Flood 2014).
    Rows are (tokens, 2), scores (tokens, tokens). Raises InputError for several heads of given Q, K and V.

    >>> "| $Q$ | 1 |" in make_exercise(7, width=1).to_markdown()
    True
    """
    return Exercise(Task(seed, **asked))


@dataclass(frozen=True)
class Grades(Page):
    """What came of an exercise: a grade for each set of answers; with `credit`, so many percent of a point for a box
    that follows from a mistake, points too.

    >>> Grades(()).to_csv().splitlines()
    ['name,right,wrong,carried,empty,first mistake in,kind of mistake,unreadable']
    """

    grades: tuple[Grade, ...]
    credit: int | None = None

    def document(self, *_: Any, **__: Any) -> Document:
        """Each person's first mistake and what follows from it, and a table of all."""
        return grades_document(self.grades, self.credit)

    def to_json(self, *, language: str = "en") -> dict[str, Any]:
        """The same as plain data."""
        return grades_data(self.grades, language, self.credit)

    def to_csv(self, *, language: str = "en") -> str:
        """The table, for a spreadsheet: no cell of it begins as a formula does."""
        out = io.StringIO()
        write = csv.writer(out, lineterminator="\n")
        write.writerow(word.text(language) for word in header(self.credit))
        for grade in self.grades:
            row = (
                cell.text(language) if isinstance(cell, Sentence) else cell for cell in table_row(grade, self.credit)
            )
            write.writerow(f"'{cell}" if cell[:1] in tuple("=+-@\t\r") else cell for cell in row)
        return out.getvalue()


def grade(key: str, answers: Iterable[str]) -> Grades:
    """The grades of files of answers (.toml, .md, .ipynb, .json), or all in a folder, to the exercise of a worksheet.

    Raises InputError, with the place, for a file that cannot be used; `grade_each` goes on behind it.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     key = Path(folder, "key.toml")
    ...     _ = key.write_text(make_exercise(7).to_worksheet(key=True))
    ...     grade(str(key), [str(key)]).grades[0].count("wrong")
    0
    """
    found = []
    for each in grade_each(key, answers):
        if not isinstance(each, Grade):
            raise each
        found.append(each)
    return Grades(tuple(found))


def grade_each(key: str, answers: Iterable[str]) -> Iterator[Grade | SymattnError]:
    """A grade for each file; where one cannot be used, the error that says why.

    Raises InputError for a key that cannot be used.
    """
    if Path(key).suffix.lower() != ".toml":
        raise InputError(Sentence("key_suffix"), place=key)
    try:
        worksheet = read_worksheet(Path(key))
        derivation = solve(worksheet)
        titles = map(plain_title, worksheet.titles.values())
        known = (inputs_of(read_text(Path(key))), _number(derivation), *titles)
    except SymattnError as error:
        raise error if error.place.startswith(key) else error.at(key) from None
    values = (derivation.program, derivation.given, derivation.sizes)
    rights = {
        step.name: [[round_digits(x) for x in row] for row in key_digits(derivation.equations, step.name)]
        for step in derivation.program
    }
    for path in answer_files(answers, key):
        try:
            given = read_answers(Path(path))
            if (
                given.sheet and worksheet.titles and not given.sheet.endswith(known)
            ):  # of a key "Answer key – Exercise 7"
                raise InputError(Sentence("answers_other"))
            yield grade_answers(given, rights, *values)
        except SymattnError as error:
            yield error if error.place.startswith(path) else error.at(path)


def answer_files(answers: Iterable[str], *others: str | None) -> list[str]:
    """The files themselves, of a folder those in it but `others`; a folder where there is none is complained of."""
    found: list[str] = []
    for path in answers:
        inside = answers_in(Path(path)) if Path(path).is_dir() else []
        mine = [file for file in inside if not any(other and same_file(file, other) for other in others)]
        found += mine or [path]
    return found


def _number(derivation: Derivation) -> str:
    """The number of the sheet of a calculation, which its page saves with the answers."""
    blocks = exercise_document(Sentence("exercise.name_label"), derivation.equations, {}, key=False).blocks
    return sheet_number([block for block in blocks if isinstance(block, Boxes)])
