"""Grades as a page: each person's first mistake and what follows from it, and a table of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symattn.checking.grading import STANDINGS, Grade
from symattn.pages.data import json_text
from symattn.writing.document import Block, Document, Heading, Paragraph, Table
from symattn.writing.files import begins_with
from symattn.writing.prose import LANGUAGES, Sentence, enumerated

HEADER = (
    *("grade.name", "grade.right", "grade.wrong", "grade.follows", "grade.left_empty"),
    *("grade.first_in", "grade.mistake", "grade.unreadable"),
)
NAMED = ("scores", "scaled", "masked", "weights", "output", "concat", "projection")


def header(credit: int | None) -> tuple[Sentence, ...]:
    """The words above the columns of the table; with a credit for what is carried points are one."""
    return (*map(Sentence, HEADER), *(() if credit is None else (Sentence("grade.points"),)))


def grades_document(grades: Sequence[Grade], credit: int | None = None) -> Document:
    """A table, and behind it a section for each."""
    blocks: list[Block] = []
    if len(grades) > 1:
        blocks.append(Table(header(credit), tuple(table_row(grade, credit) for grade in grades)))
    for grade in grades:
        said = {"name": grade.name, "right": grade.count("right"), "all": len(grade.marks)}
        blocks += [Heading(1, Sentence("grade.of", **said)), Paragraph(tuple(_remarks(grade, credit)))]
    return Document(Sentence("grade.title"), tuple(blocks))


def _remarks(grade: Grade, credit: int | None) -> Iterator[Sentence]:
    if credit is not None:
        yield Sentence("grade.points_of", points=grade.points(credit), all=len(grade.marks))
    empty = grade.count("empty")
    if empty == len(grade.marks):
        yield Sentence("grade.nothing")
        return
    first = grade.first
    if grade.count("right") == len(grade.marks):
        yield Sentence("grade.all_right")
    if first is not None:
        place = f"({first.row},{first.column})"
        yield Sentence("grade.first", step=_told(first.step), place=place, printed=first.printed, right=first.right)
        if grade.reading is not None:
            yield Sentence("grade.reading", reading=grade.reading, step=_told(first.step), count=len(grade.explained))
        if grade.others:
            yield Sentence("grade.wrong_too", steps=_counted(grade.others))
    if grade.count("follows"):
        yield Sentence("grade.carried", steps=_counted(grade.steps("follows")))
    if empty:
        yield Sentence("grade.empty", count=empty)
    unread = [
        Sentence("grade.printed", step=_told(m.step), place=f"({m.row},{m.column})", printed=m.printed)
        for m in grade.marks
        if m.standing == "unreadable"
    ]
    if unread:
        yield Sentence("grade.unread", answers=enumerated(unread))


def _told(step: str) -> Sentence:
    """The name of a step, which is a word of its own in Chinese."""
    head, _, name = step.rpartition(".")
    told = Sentence(f"grade.step.{name}") if name in NAMED else Sentence("grade.step", name=name)
    return Sentence("grade.step_of_head", number=head.removeprefix("head_"), step=told) if head else told


def _counted(steps: Mapping[str, int]) -> Sentence:
    return enumerated([Sentence("grade.counted", step=_told(name), count=count) for name, count in steps.items()])


def table_row(grade: Grade, credit: int | None = None) -> tuple[str | Sentence, ...]:
    """A person's line of the table, under its header."""
    first: str | Sentence = "–" if grade.first is None else _told(grade.first.step)
    *counts, unreadable = (str(grade.count(standing)) for standing in STANDINGS)
    points = () if credit is None else (grade.points(credit),)
    return (grade.name, *counts, first, grade.reading or "–", unreadable, *points)


def grades_data(grades: Sequence[Grade], language: str, credit: int | None = None) -> dict[str, Any]:
    """The same as plain data."""
    return {"grades": [_data(grade, language, credit) for grade in grades]}


def is_grades(path: str) -> bool:
    """Whether a file is what `symattn grade` writes, in a format that answers have too."""
    titles = [f"# {Sentence('grade.title').text(language)}\n" for language in LANGUAGES]
    return begins_with(path, [*titles, json_text({"grades": []}).partition("]")[0]])


def _data(grade: Grade, language: str, credit: int | None) -> dict[str, Any]:
    first, reading = grade.first, grade.reading
    place = None if first is None else {"step": first.step, "row": first.row, "column": first.column}
    return {
        "name": grade.name,
        "all": len(grade.marks),
        **{standing: grade.count(standing) for standing in STANDINGS},
        **({} if credit is None else {"points": grade.points(credit)}),
        "first": None if place is None else {**place, "reading": None if reading is None else reading.text(language)},
        "marks": [
            {
                "step": m.step,
                "row": m.row,
                "column": m.column,
                "printed": m.printed,
                "right": m.right,
                "standing": m.standing,
                "reading": None if m.reading is None else m.reading.text(language),
            }
            for m in grade.marks
        ],
    }
