"""Matrices that a line says to be another one times a number: K̃ = K/√d_k, V' = 2V, and k_j = σ K_j of its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of
from symattn.checking.naming import substitute
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_MATRICES = frozenset("qkvxspaoz")
_NUMBERS = frozenset("αβγλστcs")  # and sizes, d_k


@dataclass(frozen=True)
class Multiple:
    """What a letter with these indices is, `made` of the letter `whole`, and which statement says so."""

    indices: tuple[str, ...]
    made: f.Expression
    whole: f.Name
    number: int


def find_multiples(statements: Sequence[Statement]) -> Mapping[str, Multiple]:
    """The letters that one line each says to be multiples of a letter that is the same but for a mark, or its case."""
    found, counts = dict[str, Multiple](), Counter[str]()
    for statement in statements:
        sides = statement.equals
        if len(sides) < 2 or not isinstance(sides[0], f.Name):
            continue
        letter = letter_of(sides[0])
        counts[letter.key] += 1
        whole = _whole_of(sides[0], sides[1])
        if len(sides) == 2 and whole is not None and letter_of(whole).indices == letter.indices:
            found[letter.key] = Multiple(letter.indices, sides[1], whole, statement.number)
    return {key: each for key, each in found.items() if counts[key] == 1}


def _whole_of(name: f.Name, made: f.Expression) -> f.Name | None:
    """The one letter that a name is a multiple of."""
    wholes = [part for part in f.walk(made) if isinstance(part, f.Name) and _is_same(part, name)]
    return wholes[0] if len(wholes) == 1 and made != wholes[0] and _is_multiple(made, wholes[0]) else None


def _is_same(one: f.Name, other: f.Name) -> bool:
    """Whether two names are one letter, K̃ and K, V' and V, k_j and K_j."""
    letters = [(normalize("NFD", name.base)[0], name.base, name.sup) for name in (one, other)]
    return letters[0][0].lower() == letters[1][0].lower() in _MATRICES and letters[0] != letters[1]


def _is_multiple(e: f.Expression, whole: f.Name) -> bool:
    """Whether it is that letter times numbers, sizes and letters of numbers."""
    match e:
        case f.Quotient(above, below):
            return _is_multiple(above, whole) and _is_number(below)
        case f.Product(factors):
            rest = [factor for factor in factors if not _is_multiple(factor, whole)]
            return len(rest) + 1 == len(factors) and all(map(_is_number, rest))
    return e == whole


def _is_number(e: f.Expression) -> bool:
    match e:
        case f.Number():
            return True
        case f.Name(base, sub):
            return (base in _NUMBERS and not sub) or base == "d"
        case f.Root() | f.Quotient() | f.Power() | f.Product():
            return all(map(_is_number, e.parts))
    return False


@dataclass(frozen=True)
class WrittenOut:
    """An article with what multiples are in their places."""

    multiples: Mapping[str, Multiple]
    context: Context

    def statement(self, statement: Statement, context: Context) -> Statement:
        """A statement of the article, or a part of one, so written; itself where it has no multiples."""
        if statement is context.statements[statement.number]:
            return self.context.statements[statement.number]
        return _write(statement, self.multiples)


def find_written(article: Article, statements: Sequence[Statement]) -> WrittenOut | None:
    """The article with what the multiples are in their places; None where there are none."""
    multiples = find_multiples(statements)
    written = tuple(_write(statement, multiples) for statement in statements) if multiples else ()
    return WrittenOut(multiples, Context(article, written)) if multiples else None


def _write(statement: Statement, multiples: Mapping[str, Multiple]) -> Statement:
    if any(statement.number == each.number for each in multiples.values()):
        return statement
    made = statement.rewritten(lambda part: _written(part, multiples) if isinstance(part, f.Name) else part)
    return statement if made.chain == statement.chain else made


def _written(name: f.Name, multiples: Mapping[str, Multiple]) -> f.Expression:
    """What a name is by the line that makes it a multiple, at its own indices; or itself."""
    letter = letter_of(name)
    made = multiples.get(letter.key)
    if made is None or (made.indices and len(made.indices) != len(letter.indices)):
        return name
    own = replace(made.whole, sub=name.sub, item=name.item, text="", start=name.start, end=name.end)
    return replace(substitute(made.made, made.whole, own), start=name.start, end=name.end)
