"""Chains while they are read, and where they stand in their article."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symattn.checking.semantics.environment import Stated
from symattn.checking.verdicts import Definition
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_HEADING = regex(r"(?:^|(?<=\n))[ \t]*#{1,6}[ \t][^\n]*(?:\n|$)")


@dataclass(frozen=True)
class Where:
    """What surrounds a chain in its article."""

    goes_on: bool = True  # whether a leading relation continues the chain before
    announced: bool = False  # whether nothing but a colon or a verb stands between the formula before and this one
    follows: bool = False  # whether nothing but its own label stands between it and the formula before
    label: str = ""  # the words before
    kind: str = ""  # that of its passage
    before: str = ""  # what stands before it in the file
    above: str = ""  # the same from farther up
    after: str = ""  # what follows in the file
    whole: str = ""  # its passage as it stands in the file, with the units that its formula is read without
    row: str = ""  # of a table, as it stands in the file
    unread: frozenset[str] = frozenset()  # the names that were set in formulas not read since the chain before
    section: int = 0  # how many headings stand before
    example: int = 0  # how many worked examples have begun
    byte_factors: int = 0  # of the last formula before that says in letters how large something is in bytes


@dataclass(frozen=True)
class Source:
    """Where a chain stands: its text, and how offsets become lines, columns and spans of the file."""

    text: str
    place: Callable[[int], tuple[int, int]]
    span: Callable[[int, int], tuple[int, int]]
    where: Where = Where()

    def after(self, end: int) -> str:
        """What follows an offset of the text, in it and then in the file."""
        return self.text[end:].lstrip() + self.where.after

    def before(self, start: int) -> str:
        """What stands before an offset of the text, in the file and then in it."""
        return self.where.before + self.text[:start]

    def around(self, start: int, end: int) -> str:
        """What stands before and after a stretch of the text, in it and in the file, between two headings."""
        return f"{_HEADING.split(self.before(start))[-1]} {_HEADING.split(self.after(end))[0]}"


@dataclass
class Open:
    """A chain that is being read: what names it, what defines it, what it has been stated to be."""

    subject: str
    source: Source
    keys: list[f.Expression] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    failures: list[Sentence] = field(default_factory=list)
    anew: Sentence | None = None  # that its name stood for other numbers before
    stated: Stated | None = None
    given: bool = False
    claimed: bool = False  # whether a print of it has been judged
    labelled: bool = False  # whether only words say what it is, and no name
    begun: Definition | None = None  # the beginning of a list that ends in dots, which nobody knows the rest of
    sought: bool = False  # whether its numbers alone say what they were computed from

    def take(self, definition: Definition | None, subject: str = "") -> bool:
        """Add a formula to those that define it, if there is one; perhaps as what words before it say it is."""
        if definition is None:
            return False
        self.definitions.append(definition)
        self.subject = subject or self.subject
        return True


@dataclass(frozen=True)
class Given:
    """What was taken as given, where it stands."""

    open: Open
    stated: Stated
    side: f.Side
    source: Source
