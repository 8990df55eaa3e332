"""Means, variances and deviations that a name alone says: x = [2, 4, 6, 9], "μ = 5.25, σ² = 6.69".

Of which vector is said by nobody: the number has to be right for one stated not long before. Once it is, another
measure close by is of the same vector, so that a wrong one can be told; 0 and 1 are what one normalises to, and what
has been said already is of another vector. Where a line for each row of a matrix says its mean, what else stands in the
line is of that row.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

from symattn.checking.expected.conventions import define_by_conventions
from symattn.checking.expected.definitions import is_as_large
from symattn.checking.expected.evidence import worths
from symattn.checking.semantics.environment import Environment, Stated
from symattn.checking.verdicts import Definition, Printed, agreeing
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import distance

_WORDS = {
    "mean": r"μ|mu|mean|average|avg|x̄|均值|平均[值数]?|平均|moyenne|media|mittelwert|평균",
    "var": r"var|variance|varianz|varianza|σ²|方差|분산",
    "rms": r"rms|root ?mean ?square|均方根",
    "std": r"σ|sigma|std|stddev|stdev|standard ?deviation|standardabweichung|écart-type|标准差|標準差|표준편차",
}
_NAMES = {function: regex(words, re.IGNORECASE) for function, words in _WORDS.items()}
_NO_VERB = r"(?<![^\W\d_])(?<!\b(?:I|i) )(?<!you )(?<!we )(?<!they )"  # as in "what I mean"
_IS = r"(?:is|of|is about|为|是|equals|[:：=≈])?"
_LABELS = {function: regex(rf"{_NO_VERB}(?:{words})[\s*_`]*{_IS}[\s*_`]*$", re.I) for function, words in _WORDS.items()}
_MOST_VECTORS = 4
_OFF = 0.05  # of 0 and 1
_NEAR = 3  # lines from one measure to the next of the same vector


_LARGEST = regex(r"[^=≈]{0,20}[=≈][^=≈]{0,20}(?:max|min)(?![a-z])", re.IGNORECASE)


def measured_by(name: f.Expression) -> str | None:
    """What a name says is measured.

    >>> measured_by(f.Name("μ")), measured_by(f.Name("variance")), measured_by(f.Name("m"))
    ('mean', 'var', None)
    """
    match name:
        case f.Power(f.Name() as base, f.Number(value=2)):
            return "var" if measured_by(base) == "std" else None
        case f.Name() if not name.item:
            return next((k for k, words in _NAMES.items() if words.fullmatch(name.base)), None)
    return None


def is_largest(behind: str) -> bool:
    """Whether a letter that often is a mean is the largest of something here: the μ of `μ = max_j S_j`."""
    return _LARGEST.match(behind) is not None


def is_argument(before: str) -> bool:
    """Whether what follows stands between the brackets of a call, with the arguments of a program.

    >>> is_argument('Normal("x", '), is_argument("a vector (with ")
    (True, False)
    """
    return _IN_CALL.search(before[-_MOST_OF_CALL:]) is not None


_IN_CALL = regex(r"[^\W\d]\w*\((?:[^()\n]|\([^()\n]*\))*\Z")
_MOST_OF_CALL = 200


def measured_by_words(label: str) -> str | None:
    """What the words right before a number say is measured.

    >>> measured_by_words("Standard deviation:"), measured_by_words("the mean is"), measured_by_words("what I mean")
    ('std', 'mean', None)
    """
    return next((k for k, words in _LABELS.items() if words.search(label)), None)


def measured_of_rows(label: str) -> str | None:
    """What the words before a list say is measured of every row of a matrix.

    >>> measured_of_rows("New means per token:"), measured_of_rows("每行的方差"), measured_of_rows("the mean row")
    ('mean', 'var', None)
    """
    if (found := _OF_ROWS.search(label)) is None:
        return None
    said = (found["before"] or found["behind"]).rstrip()
    said = said if said in ("rms", "RMS") else said.removesuffix("s")
    return next((k for k, words in _NAMES.items() if words.fullmatch(said)), None)


_MEASURE = "|".join(words for words in _WORDS.values())
_ONE_ROW = r"(?:token|row|word|sample|position|vector|sequence|example|embedding)s?\b"
_OF_ROWS = regex(
    rf"(?<![^\W\d_])(?P<before>(?:{_MEASURE})s?) (?:per|by|(?:of|for) (?:each|every)) {_ONE_ROW}"
    rf"|(?:per[- ]{_ONE_ROW} |row[- ]?wise |[每各](?:行|个\s?(?:token|词|样本|位置|向量))的?)"
    rf"(?P<behind>(?:{_MEASURE})s?)(?![^\W\d_])",
    re.IGNORECASE,
)


class Measures:
    """The vector that was measured last, and where."""

    def __init__(self) -> None:
        self._vector: f.Expression | None = None
        self._line = 0
        self._said = set[str]()

    def find(self, function: str, printed: Printed, line: int, environment: Environment) -> Definition | None:
        """The measure of a vector that a number is, or should be as another of that vector stands close by."""
        if printed.shape != (1, 1) or printed.values[0][0] is None:
            return None
        vectors = _vectors(environment)
        for vector in vectors:
            for definition in _measures(function, vector, environment):
                if any(_is_right(printed, value) for value in worths(definition, environment)):
                    self._note(function, vector, line)
                    return definition
        if printed.values[0][0] in (0, 1) or not vectors or self._vector != vectors[0]:
            return None
        if function in self._said or abs(line - self._line) > _NEAR:
            return None
        found = next(_measures(function, vectors[0], environment), None)
        return found if found is not None and is_as_large(found.true, printed) else None

    def leave(self) -> None:
        """A measure is that of another vector, which is not known."""
        self._vector = None

    def _note(self, function: str, vector: f.Expression, line: int) -> None:
        if vector != self._vector:
            self._said.clear()
        self._vector, self._line = vector, line
        self._said.add(function)

    def find_again(
        self, function: str, printed: Printed, line: int, bare: f.Expression | None, environment: Environment
    ) -> Definition | None:
        """The measure of the list right above, or of the vector stated last, where a name was that of others before.

        The list right above is one with nothing but words before it. Others were measured before; the number has to be
        right, or one right above it is of the same list.
        """
        if printed.shape != (1, 1) or printed.values[0][0] is None:
            return None
        vectors = [*([bare] if bare is not None else []), *_vectors(environment)[:1]]
        for vector in vectors:
            for definition in _measures(function, vector, environment):
                if _is_right(printed, definition.true):
                    self._note(function, vector, line)
                    return definition
        return None


def _is_right(printed: Printed, value: Balls) -> bool:
    """Whether a lone number is right; 0 and 1, which one normalises to, are no 0.4 and 0.6 in whole numbers."""
    aimed = printed.texts[0][0] in ("0", "1")
    far = aimed and value.shape == (1, 1) and distance(value.rows[0][0], printed.values[0][0] or Fraction(0)) > _OFF
    return not far and bool(agreeing(printed, value))


class MeasuresOfRows:
    """Lists of the measures of all rows of a matrix, and of which matrix the last one was."""

    def __init__(self) -> None:
        self._matrix: f.Expression | None = None

    def find(self, function: str, matrix: f.Matrix, printed: Printed, environment: Environment) -> Definition | None:
        """The measures of the rows by the convention that fits all; by none, if those before were right.

        0 and 1 are what one normalises to.
        """
        if printed.shape != (1, len(matrix.rows)):
            return None
        measures = tuple(f.Call(function, (f.Matrix((row,)),)) for row in matrix.rows)
        every = list(define_by_conventions(f.Matrix((measures,)), environment))
        for definition in every:
            if agreeing(printed, definition.true) == len(matrix.rows):
                self._matrix = matrix
                return definition
        aimed = all(value in (0, 1) for value in printed.values[0])
        known = self._matrix is matrix and not aimed and every and is_as_large(every[0].true, printed)
        return every[0] if known else None


class RowMeasures:
    """Lines that say the measures of the rows of the matrix stated last, one row after the other."""

    def __init__(self) -> None:
        self._matrix: f.Expression | None = None
        self._line = self._row = self._right = 0

    def find(self, function: str, printed: Printed, line: int, environment: Environment) -> Definition | None:
        """The measure of the next row, if a number is its mean; that of the row whose mean the line has said."""
        if printed.shape != (1, 1) or printed.values[0][0] is None:
            return None
        if function != "mean":
            return self._of_row(function, printed, environment) if line == self._line else None
        matrix = next((k for k, s in reversed(environment.stated.items()) if _has_rows(s)), None)
        if matrix is None:
            return None
        follows = matrix == self._matrix and 0 < line - self._line <= _NEAR
        rows = environment.stated[matrix].true.shape[0]
        row = self._row + 1 if follows else 1
        found = next(_measures("mean", f.Entry(matrix, (str(row),)), environment), None) if row <= rows else None
        if found is None or not agreeing(printed, found.true):
            return None
        self._right = self._right if follows else 0
        self._matrix, self._row, self._line = matrix, row, line
        return found

    def _of_row(self, function: str, printed: Printed, environment: Environment) -> Definition | None:
        """By the convention that fits; where none does it is wrong, if the measures of a row before are right."""
        assert self._matrix is not None
        every = list(_measures(function, f.Entry(self._matrix, (str(self._row),)), environment))
        for definition in every:
            if agreeing(printed, definition.true):
                self._right += 1
                return definition
        telling = self._right and self._row > 1 and is_as_large(every[0].true, printed) if every else False
        return every[0] if telling else None


def _has_rows(stated: Stated) -> bool:
    rows, columns = stated.true.shape
    return not stated.stale and rows > 1 and columns > FEWEST


FEWEST = 2  # entries of a row, fewer than which have the mean of many others


def _vectors(environment: Environment) -> list[f.Expression]:
    """The vectors that were stated last, the latest first."""
    found = (key for key, stated in reversed(environment.stated.items()) if _is_vector(stated))
    return list(itertools.islice(found, _MOST_VECTORS))


def _is_vector(stated: Stated) -> bool:
    rows, columns = stated.true.shape
    return not stated.stale and min(rows, columns) == 1 < max(rows, columns)


def _measures(function: str, vector: f.Expression, environment: Environment) -> Iterator[Definition]:
    """A measure of a vector, by each convention."""
    return define_by_conventions(f.Call(function, (vector,)), environment)
