"""What an article has stated so far, in three versions: true; printed with its wrong entries mended; as printed.

A later line may have been computed from any of them, or from a mixture.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from symattn.checking.findings import Cause, Place
from symattn.checking.naming import is_logarithm, letters_in, spellings
from symattn.checking.semantics.choices import near
from symattn.checking.semantics.evaluation import Lookup, NoValueError, evaluate, scalar, transposed, try_evaluate
from symattn.checking.semantics.picking import counted_from_one, pick, shifted, split_digits
from symattn.checking.semantics.pieces import Pieces
from symattn.checking.semantics.repeated_rows import WrongRows
from symattn.checking.semantics.widths import KEYS_AND_QUERIES, width_in_formula, width_of_keys
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.enclosures import whole_of
from symattn.values.printed import Ball, differ, enclose, has_one_digit, same_values

TRUE, CORRECTED, PRINTED = 0, 1, 2
MOST_MIXTURES = 96
_LATELY = 8  # prints that may be written once more in short
MOST_MEANT = 4  # values that one print is remembered to stand for
LARGEST_SIZE = 1 << 20  # of a matrix
DEPTH = 4  # how many lines a wrong number is followed without rounding
_NEVER_STATED = (f.Number, f.Matrix, f.Infinity)
FINE = Fraction(1, 10_000)  # prints of four or more decimals are evidently rounded
DECIMAL = Fraction(1, 10)  # and so are all decimals where ≈ says it


@dataclass(frozen=True)
class Print:
    """One printing of something: as it stands, with its wrong entries mended, and these with their causes."""

    printed: Balls
    mended: Balls
    bad: Mapping[Place, Cause]
    loose: Balls | None = None  # all that it may be the rounded print of, where the author may have gone on with that


@dataclass
class Stated:
    """What an expression is worth, and how it has been printed."""

    true: Balls
    ranged: Balls | None = None  # true for every input that rounds to its print; None where that is `true`
    loose: Balls | None = None  # where numbers were given, all that they may be rounded prints of
    prints: list[Print] = field(default_factory=list)
    meant: list[Balls] = field(default_factory=list)  # what it is where numbers put in stand for what they print
    formulas: list[f.Expression] = field(default_factory=list)  # what it was said to be
    needs: frozenset[f.Expression] = frozenset()  # the names that it was computed from, directly or not
    stale: bool = False  # whether one of these has come to mean something else since
    in_unit: bool = False  # whether it may be meant in the unit of its print, or in none
    given: bool = False  # whether numbers alone say what it is, and no formula
    run: bool = False  # whether a program printed it, which may have had more digits, or other numbers
    typed: bool = False  # whether it stands in a program as numbers, which has just these
    unsound: bool = False  # whether what was given cannot be as it stands: weights that do not add up to 1
    used: bool = False  # whether a claim that was judged was computed from it
    section: int = 0  # after how many headings it was stated
    example: int = 0  # in which of the worked examples
    at: int = 0  # after how many chains

    def versions(self) -> list[tuple[int, Balls, Print | None]]:
        found: list[tuple[int, Balls, Print | None]] = [(TRUE, self.true, None)]
        for p in self.prints:
            found.append((CORRECTED, p.mended, p))
            if p.bad:
                found.append((PRINTED, p.printed, p))
        return found + [(CORRECTED, value, Print(value, value, {})) for value in self.meant]


Choice = Mapping[f.Expression, Balls]
Written = tuple[Fraction, Fraction]  # a number and its unit


@dataclass(frozen=True)
class Mixture:
    """A version for each expression used; `level` is that of the worst, `wrong` the prints with errors among them."""

    level: int
    choice: Choice
    wrong: tuple[tuple[f.Expression, Print], ...]


class Environment:
    """Expressions with what they were stated to be. An expression counts as the same however it is spaced or set."""

    def __init__(self, *, columns: bool = False) -> None:
        self.columns = columns  # whether tokens are said to be columns
        self.stated: dict[f.Expression, Stated] = {}
        self.sizes: dict[f.Expression, list[int]] = {}  # the whole numbers that a name was given as
        self.numbers: dict[Fraction, Cause | None] = {}  # every number printed so far; wrong ones with their cause
        self.judged: dict[Fraction, list[Ball]] = {}  # those that were held against a formula, with what is right
        # decimals that were printed but held against nothing, without their sign, with the unit they are rounded to
        self.unsure: dict[Fraction, Fraction] = {}
        self.mends: dict[Written, Fraction] = {}  # what a number that was printed wrong should have been
        self._either: set[Fraction] = set()  # what was printed rightly before it was printed wrong
        self._mends_here: tuple[int, set[Written]] = (0, set())  # those that hold under one heading only
        self.wrong_rows = WrongRows()
        self.printed_sizes = set[f.Expression]()  # widths that were printed as they are, d_k = 2
        self.mistaken = False  # whether anything was printed wrong so far
        self.pieces = Pieces()
        self.keeps_decimals = False  # whether numbers that are no inputs have been printed with decimals
        self._formulas_in: dict[f.Expression, list[f.Expression]] = {}  # by the names that they use
        self._sides = {"columns"} if columns else set[str]()  # on which side of a vector matrices of weights have stood
        self._of_themselves = set[f.Expression]()  # formulas of names that they use
        self.multiplies_by_entries = False  # whether ⊙ has been written
        self.misfits = set[f.Expression]()  # names of whose products other sizes are printed than they have
        self._unread = set[str]()  # names that were set in formulas not read
        self.may_count_from_zero = False  # whether an index 0 stands anywhere in the article
        self.may_have_roots = True  # whether anything in it speaks of roots, so that 2.45 may be √6
        self.other_sigma = False  # whether σ is said to be another function than the logistic one
        self.has_unprinted_gains = False  # whether γ and β of a normalisation are spoken of, and no numbers for them
        self.given_before: dict[f.Expression, list[Balls]] = {}  # what names were given as before they were given anew
        self.ahead = set[f.Expression]()  # names whose values stand behind what is read
        self.told = ""  # what stands before the formula that is read
        self.kept_to = set[str]()  # other conventions of functions by which numbers were right, log10
        self.from_zero = set[type]()  # what scripts have been seen to count from 0: entries and rows, or spans of them

    def remember(self, value: Fraction, unit: Fraction, cause: Cause | None, right: Fraction | None) -> None:
        """A number was printed: rightly, or wrongly with its cause and what would be right.

        Only numbers of three digits and more are known again; one that was also printed rightly may be either.
        """
        self.mistaken |= cause is not None
        if cause is None:
            if self.numbers.setdefault(value, None) is not None:
                self.mends.pop((value, unit), None)
            return
        if self.numbers.get(value, cause) is None:
            self._either.add(value)
        if right is not None and abs(value / unit) >= 100 and value not in self._either:
            self.mends[value, unit] = right
        self.numbers[value] = cause

    def mend_within(self, section: int, number: Written, right: Fraction) -> None:
        """A number is short, but its row has just been written out again: under this heading it means the same."""
        self.enter_section(section)
        if self.mends.setdefault(number, right) is right:
            self._mends_here[1].add(number)

    def enter_section(self, section: int) -> None:
        """Under another heading short numbers mean themselves again."""
        before, numbers = self._mends_here
        if before != section:
            self.mends = {number: right for number, right in self.mends.items() if number not in numbers}
            self._mends_here = (section, set())

    def worth(self, expression: f.Expression) -> Balls | None:
        """The true value of an expression, if it has one."""
        return try_evaluate(expression, self.lookup())

    def last_prints(self, used: Collection[f.Expression]) -> dict[f.Expression, Balls]:
        """The last print of each of these that has been printed."""
        known = ((key, self.stated.get(key)) for key in used)
        return {key: stated.prints[-1].printed for key, stated in known if stated is not None and stated.prints}

    def needs(self, used: Sequence[f.Expression]) -> frozenset[f.Expression]:
        """The names that something computed from these depends on."""
        return frozenset(used).union(*(stated.needs for stated in self._known(used)))

    def _known(self, used: Collection[f.Expression]) -> list[Stated]:
        """What is known of these; a formula is forgotten when one of its names comes to mean something else."""
        return [self.stated[key] for key in used if key in self.stated]

    def note_use(self, names: Collection[f.Expression]) -> None:
        """A claim was judged that was computed from these."""
        for stated in self._known(names):
            stated.used = True

    def take_for_exact(self, names: Collection[f.Expression], unit: Fraction) -> bool:
        """Take those of these that were given to finer units than this for what they say; whether that are all."""
        ranged = [stated for stated in self._known(names) if stated.ranged is not None]
        for stated in ranged:
            radii = [x.rad() for row in (stated.ranged or stated.true).rows for x in row]
            if stated.given and 2 * max(radii) < scalar(unit).rows[0][0]:
                stated.ranged = stated.loose = None
                given = [abs(x) for row in stated.true.rows for x in row]
                exact = [v for v in self.unsure if any(x.overlaps(scalar(v).rows[0][0]) for x in given)]
                self.unsure = {v: u for v, u in self.unsure.items() if v not in exact}
        return all(stated.ranged is None for stated in ranged)

    def is_stale(self, used: Sequence[f.Expression]) -> bool:
        """Whether one of these was computed from a name that means something else by now; √2 is what it is."""
        named = [key for key in used if any(isinstance(part, f.Name) for part in f.walk(key))]
        return any(stated.stale for stated in self._known(named))

    def why_unsure(self, used: Sequence[f.Expression]) -> str | None:
        """Why what follows from these may be something else, as the key of a sentence."""
        if self.is_stale(used):
            return "from_unit" if any(stated.in_unit for stated in self._known(used)) else "stale_name"
        broken = any(stated.unsound for stated in self._known(list(self.needs(used))))
        return "weights_not_one" if broken else None

    def is_past(self, used: Sequence[f.Expression], example: int) -> bool:
        """Whether one of these, or what it was computed from, was stated in an earlier worked example."""
        return any(stated.example < example for stated in self._known(list(self.needs(used))))

    def is_run(self, used: Sequence[f.Expression], section: int) -> bool:
        """Whether one of these, or what it was computed from, was printed by a program, or under another heading."""
        return any(s.run or s.section != section for s in self._known(list(self.needs(used))))

    def is_elsewhere(self, used: Sequence[f.Expression], section: int) -> bool:
        """Whether one of these is a number that was given under another heading."""
        return any(s.given and s.section != section and s.true.shape == (1, 1) for s in self._known(used))

    def is_alias(self, expression: f.Expression) -> bool:
        """Whether an expression has been given in numbers itself, or is the name of a lone number.

        Such a name is D(P ‖ Q) too, where P and Q have no values, and K L, and R².
        """
        stated = self.stated.get(expression)
        named = isinstance(expression, f.Name) or self._is_of_unknown(expression)
        lone = stated is not None and named and stated.true.shape == (1, 1)
        return stated is not None and (stated.given or lone)

    def _is_of_unknown(self, expression: f.Expression) -> bool:
        """Whether an expression is made of names, none of which has a value."""
        names = [part for part in f.walk(expression) if isinstance(part, f.Name)]
        return bool(names) and not any(map(self.knows, names))

    def is_root_taken(self, square: f.Expression) -> bool:
        """Whether a name was said to be the root of its own square, σ = √σ²."""
        return f.Root(square) in self._of_themselves

    def is_given(self, cell: f.Expression) -> bool:
        """Whether an expression was given in numbers, or is an entry of what was."""
        key, _ = self._find(cell)
        return key is not None and self.stated[key].given

    def is_written(self, name: f.Expression) -> bool:
        """Whether a name, or the matrix of which it is a row or an entry, was given in numbers or has been printed."""
        key, _ = self._find(name)
        return key is not None and (self.stated[key].given or bool(self.stated[key].prints))

    def is_entry(self, name: f.Name) -> bool:
        """Whether a name is one entry of a matrix that is known, and is not known itself."""
        key, indices = self._find(name)
        if key is None or indices is None:
            return False
        picked = self.lookup()(name)
        return picked is not None and picked.shape == (1, 1) and self.stated[key].true.shape[0] > 1

    def counted_from_zero(self, name: f.Expression) -> Balls | None:
        """The entry or the row that a name means where the author counts from 0."""
        if isinstance(name, f.Entry):  # (Q_1)_11
            known = self.stated.get(name.operand)
            indices: Sequence[int | str | None] | None = [int(i) if i.isdecimal() else None for i in name.indices]
        else:
            key, indices = self._find(name)
            known = None if key is None else self.stated[key]
        if known is None or indices is None:
            return None
        whole = known.true
        split = split_digits(indices, whole.shape)
        counts = [shifted(i) for i in split]
        return None if None in counts else pick(whole, counts if whole.shape[1] > 1 else [*counts[:1], 1])

    def note_notation(self, parts: Iterable[f.Expression]) -> None:
        """Notice ⊙, and an entry, a row or a span with the number 0, in an expression or beside one it stands with."""
        for part in parts:
            self.multiplies_by_entries |= isinstance(part, f.Elementwise)
            if isinstance(part, f.Entry) and any(mark[:1] == "0" for mark in part.indices):
                self.from_zero.add(int)
            if isinstance(part, f.Name) and not part.item and any("0" in mark for mark in part.sub):
                key, indices = self._find(part)
                if key is not None and indices is not None:
                    split = split_digits(indices, self.stated[key].true.shape)
                    self.from_zero |= {type(i) for i in split if i == 0 or str(i).startswith("0:")}

    def knows(self, name: f.Expression) -> bool:
        """Whether a name has a value by now."""
        return self._find(name)[0] is not None or self._size(name) is not None

    def state(self, expression: f.Expression, stated: Stated) -> None:
        """Remember it; what was said of formulas in a name that now means something else is forgotten."""
        if isinstance(expression, f.Name):
            self.misfits.discard(expression)
            before = self.stated.get(expression)
            if before is not stated:
                if before is not None and before.given:
                    self.given_before[expression] = [*self.given_before.get(expression, []), before.true][-MOST_MEANT:]
                self._forget(expression, stated)
                self._note_size(expression, stated)
        elif (expression in self.stated and self.stated[expression].prints) or is_logarithm(expression):
            return
        else:
            parts = [letter for part in f.walk(expression) if isinstance(part, f.Name) for letter in letters_in(part)]
            names = {self._find(part)[0] or part for part in parts}
            if any(self.stated.get(name) is stated for name in names):
                self._of_themselves.add(expression)
                return  # S = S / 2: the formula is about the S before
            for name in names:
                self._formulas_in.setdefault(name, []).append(expression)
            stated.formulas.append(expression)
        self.stated[expression] = stated
        self.pieces.note(expression)

    def _note_size(self, name: f.Name, stated: Stated) -> None:
        """Remember what whole numbers a name was given as: a model and an example have sizes of the same name."""
        if not stated.given or stated.true.shape != (1, 1):
            return
        value = whole_of(stated.true.rows[0][0])
        if value is not None and 0 < value < LARGEST_SIZE:
            self.sizes[name] = [*self.sizes.get(name, []), value][-MOST_MEANT:]

    def doubt(self, names: Set[str]) -> None:
        """Names that something unread has set may mean something else by now, and so may the rows of such a matrix."""
        self._unread |= names
        for key, stated in list(self.stated.items()):
            if isinstance(key, f.Name) and not names.isdisjoint(_names_with(key)):
                stated.stale = True
                for formula in self._formulas_in.pop(key, []):
                    self.stated.pop(formula, None)

    def is_set_unread(self, name: f.Expression) -> bool:
        """Whether something unread says what a name is, which is not to be guessed then."""
        return isinstance(name, f.Name) and not self._unread.isdisjoint(_names_with(name))

    def drop(self, name: f.Name) -> None:
        """A name may have another value from here on, and so may formulas in it."""
        if name in self.stated:
            self._forget(name, Stated(scalar(Fraction(0))))
            self.stated[name].stale = True

    def _forget(self, name: f.Name, stated: Stated) -> None:
        """Formulas in a name, and the rows of a matrix of that name, are no longer what they were."""
        before = self.stated[name].true if name in self.stated else self._size(name)
        if before is not None and not same_values(before, stated.true):
            for other in self.stated.values():
                if not other.stale and other is not stated and name in other.needs:
                    other.stale = True
        for formula in self._formulas_in.pop(name, []):
            old = self.stated.get(formula)
            if old is not None and old is not stated:
                del self.stated[formula]
                old.formulas.clear()
        if name in self.stated and len(name.base) == 1 and name.base.isupper():
            base = name.base.lower()
            for row in [k for k in self.stated if isinstance(k, f.Name) and k.base == base and k.sup == name.sup]:
                if len(row.indices) == 1 and isinstance(row.indices[0], int):
                    self._forget(row, stated)
                    del self.stated[row]

    def note_convention(self, expression: f.Expression) -> None:
        """Notice on which side weights stand: `W X` has a token in every column, `X W` in every row."""
        for part in f.walk(expression):
            if isinstance(part, f.Product):
                for left, right in itertools.pairwise(part.factors):
                    if _is_weights(left) and isinstance(right, f.Name) and not _is_weights(right):
                        self._sides.add("columns")
                    elif _is_weights(right) and isinstance(left, f.Name) and not _is_weights(left):
                        self._sides.add("rows")

    def sizes_in(self, expression: f.Expression) -> frozenset[f.Expression]:
        """The names in a formula that nobody gave a value, but of which the matrices tell it."""
        names = (part for part in f.walk(expression) if isinstance(part, f.Name) and part not in self.stated)
        return frozenset(name for name in names if self._size(name) is not None)

    def assumes_size(self, expression: f.Expression) -> bool:
        """Whether a formula has a d_k that nobody gave a value, nor printed."""
        names = (part for part in f.walk(expression) if isinstance(part, f.Name) and part not in self.printed_sizes)
        return any(self._find(name)[0] is None and self._size(name) is not None for name in names)

    def note_judged(self, value: Fraction, right: Ball | None) -> None:
        """A number was held against a formula; if it is right, this is what it is the print of."""
        self.judged[value] = meant = self.judged.pop(value, [])  # the latest is the last
        if right is not None and right != scalar(value).rows[0][0] and not any(same.overlaps(right) for same in meant):
            meant[:] = [*meant[1 - MOST_MEANT :], right]

    def meant_by(self, number: Fraction) -> list[Ball]:
        """The true values of which a number has been a right print, the latest first; else those of its opposite."""
        return self.judged.get(number, [])[::-1] or [-value for value in self.judged.get(-number, [])[::-1]]

    def meant_in_short(self, number: Fraction, unit: Fraction) -> list[Ball]:
        """A number that was printed just before with more digits than here, 0.14 of 0.137: its true value, and that."""
        lately = list(self.judged)[:-_LATELY:-1] if unit < 1 and not has_one_digit(number, unit) else []
        near = (x for x in lately if abs(x) != abs(number) and abs(abs(x) - abs(number)) <= unit / 2)
        meant = next(([*self.judged[x][-1:], scalar(x).rows[0][0]] if self.judged[x] else [] for x in near), [])
        return meant if not meant or (meant[-1] > 0) == (number > 0) else [-value for value in meant]

    def lookup(
        self,
        choice: Choice | None = None,
        used: dict[f.Expression, None] | None = None,
        whole: f.Expression | None = None,
        ranged: Callable[[f.Number], bool] | None = None,
        mend: bool = False,
        rights: Mapping[int, Ball] | None = None,
    ) -> Lookup:
        """How the reckoner asks for values: the true ones, or those chosen; `used` collects in order what is asked for.

        `whole` is to be reckoned from its parts, although it has been stated itself. A number that `ranged` is true of
        is taken as a rounded print; with `mend`, one that was printed wrong before as the number that it should have
        been; `rights` are such of single numbers in it, by their `id`.
        """

        def value(expression: f.Expression) -> Balls | None:
            if rights and id(expression) in rights:
                return Balls((1, 1), None, ((rights[id(expression)],),))
            if isinstance(expression, f.Number):
                number = self.mends.get((expression.value, expression.places)) if mend else None
                if ranged is not None and ranged(expression):
                    return enclose([[expression.value if number is None else number]], [[expression.places / 2]])
                return None if number is None else scalar(number)
            if self.other_sigma and isinstance(expression, f.Call) and expression.function == "sigma":
                raise NoValueError("not_reckoned", kind="σ")
            if expression is whole or isinstance(expression, _NEVER_STATED):
                return None
            key, indices = self._find(expression)
            if key is None:
                size = self._size(expression) or self.guessed_width(expression)
                return size or self.pieces.matrix(expression, value) or self.pieces.line(expression, value)
            if used is not None:
                used[key] = None
            found = choice[key] if choice is not None and key in choice else self.stated[key].true
            return found if indices is None else self._picked(found, expression, key, indices)

        return value

    def _picked(
        self, value: Balls, part: f.Expression, whole: f.Expression, indices: Sequence[int | str | None]
    ) -> Balls | None:
        """A row or an entry; for q_1 where tokens are columns a column, and nothing where they are both."""
        if isinstance(part, f.Name) and not part.item:
            if part.base.isupper() and _is_row_or_entry(indices, value.shape):
                return None
            turned = part.base != getattr(whole, "base", part.base) and "columns" in self._sides
            indices = split_digits(indices, value.shape[::-1] if turned else value.shape)
            shifts = self.from_zero
            indices = [shifted(i) if int in shifts or type(i) in shifts else i for i in indices]
        by_token = isinstance(whole, f.Name) and isinstance(part, f.Name) and part.base != whole.base
        by_token |= self.columns and len(indices) == 1 and len(str(indices[0])) == 1  # A_1 is a column too
        if by_token and value.shape[1 if self.columns else 0] == 1 and list(indices) == [1]:
            return value  # q_1 of the only row, which is no entry of it
        if by_token and "columns" in self._sides:
            if "rows" in self._sides:
                return None
            picked = pick(transposed(value), indices)
            return None if picked is None else transposed(picked)
        return pick(value, indices)

    def _find(self, expression: f.Expression) -> tuple[f.Expression | None, Sequence[int | str | None] | None]:
        """The expression stated, or the matrix of which it is a row or an entry."""
        if expression in self.stated:
            return expression, None
        if not isinstance(expression, f.Name):
            return None, None
        for other in spellings(expression):
            if other in self.stated:
                return other, None
        whole = f.Name(expression.base, expression.sub if expression.item else (), expression.sup)
        indices: Sequence[int | str | None] = expression.indices
        if expression.item:
            indices = [counted_from_one(i) for i in indices]
        if not indices or None in indices:
            return None, None
        for name in (whole, *spellings(whole)):
            only = expression.item and set(indices) == {1}  # of the one number that a program has in an array
            if name in self.stated and (only or self.stated[name].true.shape != (1, 1)):
                return name, indices
        rows_of = f.Name(expression.base.upper(), sup=expression.sup)
        if len(expression.base) == 1 and len(indices) == 1 and rows_of in self.stated:
            return rows_of, indices  # q_1 is row 1 of Q
        return None, None

    def _size(self, expression: f.Expression) -> Balls | None:
        """d_k is the width of the keys where nothing else is said."""
        misfit = any(name in self.misfits for name in KEYS_AND_QUERIES)
        return None if misfit else width_of_keys(expression, self.stated, self._across)

    def guessed_width(self, expression: f.Expression) -> Balls | None:
        """What d_k or d may be in a formula; not sure enough to call a number wrong."""
        return width_in_formula(expression, self.stated, self._across)

    @property
    def _across(self) -> int:
        """Which side of a matrix counts the features."""
        return 0 if self.columns else 1

    def versions(self, key: f.Expression, worst: int = PRINTED) -> list[tuple[int, Balls, Print | None]]:
        """How something may have been put into a later line: true, mended, as printed; none beyond the worst asked for.

        Who goes wrong and calculates on without rounding has what follows from the wrong number, unrounded.
        """
        stated = self.stated[key]
        found = [version for version in stated.versions() if version[0] <= worst]
        for formula in stated.formulas[:1] if self.mistaken and worst == PRINTED else ():
            value = self._followed(formula, DEPTH, {})
            if value is not None and value.shape == stated.true.shape:
                wrong = _last_wrong(stated) or self._unseen(formula, value, stated.true)
                if wrong.bad:
                    found.append((PRINTED, value, wrong))
        return found

    def _unseen(self, formula: f.Expression, value: Balls, true: Balls) -> Print:
        """What a formula gives from wrong numbers, where its own print does not show it: too small, or none."""
        causes = list(self._wrong_before(formula, DEPTH))
        rows, columns = true.shape
        changed = [(i, j) for i in range(rows) for j in range(columns) if differ(value.rows[i][j], true.rows[i][j])]
        return Print(value, true, {at: _likeliest(causes, at) for at in changed} if causes else {})

    def _wrong_before(self, formula: f.Expression, depth: int) -> Iterator[tuple[Place, Cause]]:
        """The wrong numbers printed of what a formula uses, directly or not, with their places."""
        used: dict[f.Expression, None] = {}
        with suppress(NoValueError):  # what a formula uses before it stops being understood counts too
            evaluate(formula, self.lookup(used=used, whole=formula))
        for key in sorted(used, key=lambda e: e.start):
            stated = self.stated[key]
            wrong = _last_wrong(stated)
            if wrong is not None:
                yield from wrong.bad.items()
            elif depth and stated.formulas:
                yield from self._wrong_before(stated.formulas[0], depth - 1)

    def _followed(self, formula: f.Expression, depth: int, done: dict[tuple[int, int], Balls | None]) -> Balls | None:
        """The value of a formula when all that was printed wrong is put in, unrounded where it follows itself."""
        at = (id(formula), depth)
        if at not in done:
            done[at] = self._follow(formula, depth, done)
        return done[at]

    def _follow(self, formula: f.Expression, depth: int, done: dict[tuple[int, int], Balls | None]) -> Balls | None:
        used: dict[f.Expression, None] = {}
        choice: dict[f.Expression, Balls] = {}
        try:
            evaluate(formula, self.lookup(used=used, whole=formula))
            for key in used:
                stated = self.stated[key]
                wrong = _last_wrong(stated)
                value = self._followed(stated.formulas[0], depth - 1, done) if depth and stated.formulas else None
                if value is not None and value.shape == stated.true.shape:
                    choice[key] = value
                elif wrong is not None:
                    choice[key] = wrong.printed
            return evaluate(formula, self.lookup(choice, whole=formula)) if choice else None
        except NoValueError:
            return None

    def mixtures(self, used: Sequence[f.Expression], level: int) -> Iterator[Mixture]:
        """Choices of versions for what an expression uses, the worst of them of this level; bounded in number.

        First those that differ in few from what is true, and in few from what was printed last.
        """
        used = [key for key in used if key in self.stated]
        options = [self.versions(key, level) for key in used]
        if level != TRUE and not any(at == level for versions in options for at, *_ in versions):
            return
        lasts = [max(range(len(o)), key=lambda k, o=o: (o[k][0], k)) for o in options]  # type: ignore[misc]
        seen: set[tuple[int, ...]] = set()
        for picked in near([0] * len(used), lasts, [len(o) for o in options]):
            if picked in seen:
                continue
            mix = [(key, *o[k]) for key, o, k in zip(used, options, picked, strict=True)]
            if max((at for _, at, _, _ in mix), default=TRUE) != level:
                continue
            seen.add(picked)
            wrong = tuple((key, p) for key, at, _, p in mix if at == PRINTED and p is not None)
            yield Mixture(level, {key: value for key, _, value, _ in mix}, wrong)
            if len(seen) >= MOST_MIXTURES:
                return


def _is_row_or_entry(indices: Sequence[int | str | None], shape: tuple[int, int]) -> bool:
    """Whether O_11 may be row 11 of a matrix of one column, or its entry in row 1."""
    match indices:
        case [int(number)]:
            return shape[1] == 1 and 10 < number <= shape[0] and number < 100 and number % 10 == 1
    return False


def _last_wrong(stated: Stated) -> Print | None:
    return next((p for p in reversed(stated.prints) if p.bad), None)


def _likeliest(causes: Sequence[tuple[Place, Cause]], place: Place) -> Cause:
    """The cause that stands at a place, or in its row, or in its column; else the first."""
    i, j = place
    return min(causes, key=lambda at_cause: (at_cause[0] != place, at_cause[0][0] != i, at_cause[0][1] != j))[1]


def _is_weights(expression: f.Expression) -> bool:
    if isinstance(expression, f.Transpose):
        return _is_weights(expression.operand)
    return isinstance(expression, f.Name) and expression.base == "W"


def _names_with(name: f.Name) -> list[str]:
    """A name as it is written, and the matrix whose row or entry it may be: q for q_0, Q as well."""
    whole = ["".join((name.base, *name.sub, *(label.strip("()") for label in name.sup)))]
    if name.sub and all(part.isdecimal() for part in name.sub):
        whole += [name.base, name.base.upper()]
    return whole
