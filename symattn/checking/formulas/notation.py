"""What an article says of its symbols: rows or columns, shapes, definitions. Ask `Context.once` for each."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.formulas.statements import Statement
from symattn.checking.formulas.symbols import Key, Reading, Shape, admitted, declared_shapes, shape_in_sizes
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

Definitions = dict[Key, tuple[tuple[str, ...], f.Expression]]


def find_readings(article: Article, _: Sequence[Statement]) -> tuple[Reading, ...]:
    """Whether tokens are rows or columns, as far as the article says so."""
    return admitted(article.source)


def find_shapes(_: Article, statements: Sequence[Statement]) -> dict[Key, Shape]:
    """The shapes that the article states, in names of sizes, where they are products of letters."""
    found = {key: shape_in_sizes(d) for key, d in declared_shapes(statements).items()}
    return {key: shape for key, shape in found.items() if shape is not None}


def find_definitions(_: Article, statements: Sequence[Statement]) -> Definitions:
    """What symbols are said to be, with the letters of their indices: `e_{ij} = …`; the first that is said."""
    found: Definitions = {}
    for statement in statements:
        sides = statement.equals
        if len(sides) < 2 or not isinstance(sides[0], f.Name) or statement.head is not None:
            continue
        key, letters = defined(sides[0])
        if not f.is_printed(sides[1]):
            found.setdefault(key, (letters, sides[1]))
    return found


def defined(name: f.Name) -> tuple[Key, tuple[str, ...]]:
    """The symbol that a name defines and its index letters: `e_{ij}` is e of i and j."""
    letters: list[str] = []
    below: list[str] = []
    for part in name.sub:
        run = part.replace(",", "")
        if len(run) <= 2 and run.isascii() and run.isalpha() and run.islower() and all(c in _LETTERS for c in run):
            letters += list(run)
        else:
            below.append(part)
    return (name.base, tuple(below), name.sup), tuple(letters)


_LETTERS = frozenset("ijklmnrstcu")
