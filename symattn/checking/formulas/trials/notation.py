"""What an article says of its symbols: rows or columns, shapes, definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sympy import Expr

from symattn.checking.formulas.shapes.declared import Shapes, collect
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.orientation import (
    are_made_of_rows,
    count_orientations,
    find_permuted_axis,
    pairs_in,
    projects_rows,
    speaks_of_channels,
)
from symattn.checking.formulas.trials.symbols import (
    READINGS,
    Key,
    Reading,
    Shape,
    admitted,
    declared_shapes,
    shape_in_sizes,
)
from symattn.checking.semantics.orientation import has_tokens_in_columns
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

Definitions = dict[Key, tuple[tuple[str, ...], f.Expression]]


def find_readings(context: Context) -> tuple[Reading, ...]:
    """Whether tokens are rows or columns, as far as the article says so: in words, or by the shapes that it states."""
    return context.once(_find_readings, collect, projects_rows, find_permuted_axis)


def _find_readings(
    article: Article, statements: Sequence[Statement], shapes: Shapes, projected: bool, permuted: bool | None
) -> tuple[Reading, ...]:
    found = {_tokens_first(x, other) for x in _shapes_of("XH", shapes) for other in _shapes_of("QKV", shapes)} - {None}
    if not found and projected:
        found = {True}
    if not found and permuted is not None:
        found = {permuted}
    readings = admitted(article.said)
    stated = {_has_rows(shape) for shape in _shapes_of("QK", shapes)}
    if len(stated) == 1 and not any(r.rows in stated for r in readings) and None not in stated:
        readings = tuple(r for r in READINGS if r.rows in stated)  # the words are of softmax, taken of rows or columns
    if len(found) == 1:
        return tuple(r for r in readings if {r.rows} == found) or readings
    if speaks_of_channels(article):
        return readings
    rows, columns = count_orientations(statements)
    if rows > columns and not has_tokens_in_columns(article) and not any(r.rows for r in readings):
        readings = READINGS  # columns of something else, as of the weights, or vectors that are columns
    return tuple(r for r in readings if r.rows) if rows > 1 and not columns else readings


def stands_otherwise(statement: Statement, context: Context) -> bool:
    """Whether a formula has KᵀQ where the article states that queries and keys are rows, n × d, or QKᵀ where it states
    that they are columns: attention between features, or a slip."""
    axes = {_has_rows(shape) for shape in _shapes_of("QK", context.once(collect))}
    found = {are_made_of_rows(*pair) for side in statement.equals for pair in pairs_in(side)} - {None}
    return len(axes) == len(found) == 1 and axes.isdisjoint((*found, None))


def _has_rows(shape: tuple[Expr, ...]) -> bool | None:
    """Whether tokens are the rows of a matrix with this shape; None where its letters do not tell."""
    kinds = [_kind(axis) for axis in shape]
    return kinds == ["tokens", "width"] if sorted(kinds) == ["tokens", "width"] else None


def _kind(axis: Expr) -> str:
    """What an axis counts; of pixels, H W, as many as there are tokens."""
    kinds = {kind_of(str(size)) for size in axis.free_symbols}
    return "tokens" if len(axis.free_symbols) == 2 and axis.is_Mul and kinds == {""} else kind_of(str(axis))


def _shapes_of(letters: str, shapes: Shapes) -> Iterator[tuple[Expr, ...]]:
    """The shapes that are stated of matrices with these letters."""
    for letter in letters:
        yield from (shape for _, shape in shapes.declared.get(letter, ()) if shape is not None and len(shape) == 2)


def _tokens_first(x: tuple[Expr, ...], other: tuple[Expr, ...]) -> bool | None:
    """Whether X and Q have the axis of tokens first, which is all that they share; None where that cannot be told."""
    numbers = any(not axis.free_symbols for axis in (*x, *other))
    first, last = x[0] == other[0], x[1] == other[1]
    return first if first != last and not numbers else None


def find_shapes(_: Article, statements: Sequence[Statement]) -> dict[Key, Shape]:
    """The shapes that the article states, in names of sizes, where they are products of letters."""
    found = {key: shape_in_sizes(d) for key, d in declared_shapes(statements).items()}
    return {key: shape for key, shape in found.items() if shape is not None}


def find_definitions(_: Article, statements: Sequence[Statement]) -> Definitions:
    """What symbols are said to be, with the letters of their indices: `e_{ij} = …`; the first that is said.

    Nothing of one that is scaled in place, S ← S/√d_k, or said once with a scale and once without: what stands behind
    that may be of either.
    """
    found: Definitions = {}
    overwritten = set[Key]()
    for statement in statements:
        sides = statement.equals
        if len(sides) < 2 or not isinstance(sides[0], f.Name) or statement.head is not None:
            continue
        key, letters = defined(sides[0])
        if not f.is_printed(sides[1]):
            first = found.setdefault(key, (letters, sides[1]))[1]
            if _is_multiple(sides[1], first) or _is_multiple(first, sides[1]):
                overwritten.add(key)
        if isinstance(sides[1], f.Product | f.Quotient) and sides[0] in f.walk(sides[1]):
            overwritten.add(key)
    return {key: said for key, said in found.items() if key not in overwritten}


def _is_multiple(e: f.Expression, other: f.Expression) -> bool:
    """Whether it is another formula with one more factor or divisor: QKᵀ · scale of QKᵀ."""
    match e, other:
        case f.Quotient(numerator), _:
            return numerator == other
        case f.Product(factors), f.Product(fewer):
            return len(factors) > len(fewer) and fewer in (factors[: len(fewer)], factors[-len(fewer) :])
    return False


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
