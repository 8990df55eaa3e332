"""What the checker says: claims with a verdict for each number, and what was not checked. Plain data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

from symattn.reading.articles.article import Article, Cell, LineBreaks, NotChecked
from symattn.reading.spreadsheets.references import cell_name
from symattn.values.decimals import Bounds
from symattn.values.printed import exact_text, print_like
from symattn.writing.prose import Sentence

Verdict = Literal[
    "exact", "rounded", "truncated", "intermediate", "input-rounding", "last-digit", "carried", "wrong", "accepted"
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
BAD = ("carried", "wrong")
FormulaVerdict = Literal["holds", "fails", "holds-if", "accepted"]
Place = tuple[int, int]  # row and column from 0


@dataclass(frozen=True)
class Cause:
    """The earlier wrong number that a carried one follows from."""

    line: int | None
    subject: str
    row: int
    column: int


@dataclass(frozen=True)
class Reading:
    """Another reading of the formula under which the printed numbers are right.

    It explains the wrong entries at `places`, or all of them where these are None.
    """

    name: Sentence
    places: frozenset[Place] | None = None

    def explains(self, place: Place) -> bool:
        return self.places is None or place in self.places


@dataclass(frozen=True)
class Finding:
    """One printed number and what is said of it; rows and columns count from 1."""

    row: int
    column: int
    printed: str
    unit: Fraction
    right: Bounds | None  # the right value, enclosed; None for −∞
    verdict: Verdict
    because: Cause | Reading | None = None
    span: tuple[int, int] | None = None  # where the digits stand in the source
    own: Bounds | None = None  # what follows with earlier numbers rounded as the author rounds them

    @cached_property
    def exact(self) -> str:
        """The right value in closed form where it has a short one, else its first digits."""
        return "-oo" if self.right is None else exact_text(self.right)

    @cached_property
    def decimal(self) -> str:
        """The right value as the author would have printed it."""
        return "-inf" if self.right is None else print_like(self.printed, self.right, self.unit)

    @cached_property
    def correction(self) -> str:
        """What to write instead, in an article that goes on with its rounded numbers."""
        return self.decimal if self.right is None or self.own is None else print_like(self.printed, self.own, self.unit)


@dataclass(frozen=True)
class Claim:
    """A printed side of an equation, judged entry by entry."""

    line: int | None
    column: int | None
    subject: str
    text: str
    entries: tuple[Finding, ...]
    shape: tuple[int, int]
    origin: Place | None = None  # in a spreadsheet row and column of the first entry, from 1

    def place_name(self, row: int, column: int) -> str:
        """How an entry, counted from 1, is named: "(2,1)", or in a spreadsheet by its cell, "B3"."""
        if self.origin is None:
            return f"({row},{column})"
        return cell_name(self.origin[0] + row - 1, self.origin[1] + column - 1)

    @property
    def bad(self) -> tuple[Finding, ...]:
        return tuple(e for e in self.entries if e.verdict in BAD)

    @property
    def misrounded(self) -> tuple[Finding, ...]:
        """The numbers that are the farther of the two neighbouring decimals."""
        return tuple(e for e in self.entries if e.verdict == "last-digit")


@dataclass(frozen=True)
class Counterexample:
    """Small numbers at which the two sides differ: what each letter stands for, and what the sides come to.

    For shapes the values are sizes, `{"n": "2", "d_k": "3"}`, and the sides say what does not fit, of both or of one.
    """

    values: tuple[tuple[str, str], ...]
    left: str
    right: str
    of_parts: bool = False

    @property
    def turned(self) -> Counterexample:
        """The same with the sides exchanged."""
        return replace(self, left=self.right, right=self.left)


@dataclass(frozen=True)
class Formula:
    """A printed equation without numbers and what is said of it: `condition` belongs to the verdict "holds-if",
    `right` is the formula as it should read in the article's own letters, `theorem` what shows the verdict."""

    line: int
    column: int
    text: str
    verdict: FormulaVerdict
    theorem: Sentence
    condition: Sentence | None = None
    right: str | None = None
    counterexample: Counterexample | None = None
    span: tuple[int, int] | None = None  # where it stands in the source


@dataclass(frozen=True)
class Findings:
    """All that is said of one file."""

    path: str
    findings: tuple[Claim, ...]
    not_checked: tuple[NotChecked, ...]
    article: Article | None = field(default=None, repr=False, compare=False)  # None of a worksheet
    formulas: tuple[Formula, ...] = ()

    @property
    def source(self) -> str:
        """The text of the article; nothing of a worksheet."""
        return "" if self.article is None else self.article.source

    @property
    def summary(self) -> dict[str, int]:
        """How many numbers got which verdict."""
        counted = Counter(e.verdict for claim in self.findings for e in claim.entries)
        return {v: counted[v] for v in VERDICTS if counted[v]}

    def cell_at(self, line: int | None, column: int | None) -> tuple[Cell, int] | None:
        """The cell of a notebook that stands at a place of the file, and the line in it."""
        cells = () if self.article is None else self.article.cells
        if line is None or column is None or not cells:
            return None
        offset = self.breaks.starts[line - 1] + column - 1
        found = ((cell, at) for cell in cells if (at := cell.line_at(offset)) is not None)
        return next(found, None)

    @cached_property
    def breaks(self) -> LineBreaks:
        """Where the lines of the source begin."""
        return LineBreaks.of(self.source)

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong, wrongly rounded digits and false formulas included."""
        return not (self.failing or any(claim.bad or claim.misrounded for claim in self.findings))

    @property
    def failing(self) -> tuple[Formula, ...]:
        """The formulas that are false."""
        return tuple(f for f in self.formulas if f.verdict == "fails")
