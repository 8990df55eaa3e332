"""What an article states of shapes: declarations, formulas with their shapes, products of shapes, what letters are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import TypeVar

from sympy import Expr

from symattn.checking.formulas.shapes.fitting import Fit, fit
from symattn.checking.formulas.shapes.inference import Shape, Stated, View, key_of
from symattn.checking.formulas.shapes.mentions import (
    SHAPE_WORD,
    Arithmetic,
    Mention,
    aliases_of,
    find_arithmetic,
    find_mentions,
    find_shapes,
)
from symattn.checking.formulas.shapes.relations import Relations, find_relations
from symattn.checking.formulas.shapes.sizes import is_size, kind_of, read_size
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, LineBreaks, Passage
from symattn.reading.formula.names import split_word

T = TypeVar("T")
MOST_NEAR = 40  # statements about one name that are looked at, to either side
MOST_SHAPES = 4  # of one name that are tried, the nearest first
MOST_LINES = 20_000

_MAY_RELATE = regex("=")
_SET = regex(r"\A\s*(?:self\.)?(?P<names>[A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)\s*=(?!=).*\w\(")
_MAY_HOLD_A_SHAPE = regex(r"[×\[(^]|\\times|\dx\d| x ")


@dataclass(frozen=True)
class Place:
    """A stretch of the article: offsets in its source, line and column, and the text as printed."""

    start: int
    end: int
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Claim:
    """What is said to have a shape: `sides` are equal, or names of a list. `named` where all are plain names."""

    sides: tuple[f.Expression, ...]
    axes: tuple[Expr, ...]
    place: Place
    printed: str  # what the sides were read from: their places are offsets in it
    statement: Statement | None = None

    @property
    def named(self) -> bool:
        return all(isinstance(side, f.Name | f.Transpose) for side in self.sides)

    @property
    def formulas(self) -> tuple[f.Expression, ...]:
        """The sides that are more than a name."""
        return tuple(side for side in self.sides if not isinstance(side, f.Name) and not is_turned_name(side))


@dataclass(frozen=True)
class Shapes:
    """All that an article states of shapes, in the order of its text."""

    claims: tuple[Claim, ...]
    arithmetic: tuple[tuple[Arithmetic, Place], ...]
    definitions: Mapping[str, Sequence[tuple[int, f.Expression]]]
    relations: Relations
    sure: frozenset[tuple[Expr, ...]]  # lists of sizes that can be nothing but shapes
    declared: Mapping[str, Sequence[tuple[int, Shape]]] = field(default_factory=dict)

    def near(self, offset: int) -> Stated:
        """What is stated, the nearest first: what stands before an offset, then what follows it."""
        shapes = View(self.declared, lambda key: _nearest(self.declared[key], offset))
        defined = View(self.undeclared, lambda key: _before(self.definitions[key], offset))
        return Stated(shapes, defined)

    def fit(self, expression: f.Expression, shape: tuple[Expr, ...] | f.Expression | None, offset: int) -> Fit:
        """Hold a formula against a shape, by what is stated near an offset."""
        return fit(expression, shape, self.near(offset), self.relations.formulas)

    @cached_property
    def undeclared(self) -> frozenset[str]:
        """The names that are defined and whose shapes are not stated."""
        return frozenset(self.definitions.keys() - self.declared.keys())

    def without(self, wrong: Sequence[Claim]) -> Shapes:
        """With nothing declared by these claims."""
        places = {claim.place.start for claim in wrong}
        kept = {key: [each for each in placed if each[0] not in places] for key, placed in self.declared.items()}
        return replace(self, declared={key: placed for key, placed in kept.items() if placed})


def _nearest(placed: Sequence[tuple[int, T]], offset: int) -> list[T]:
    """The nearest different ones of those that stand in order: first those before an offset, then those behind it."""
    found: dict[T, None] = {}
    behind = bisect_right(placed, offset, key=itemgetter(0))
    before, after = max(behind - MOST_NEAR, 0), min(behind + MOST_NEAR, len(placed))
    for k in (*range(behind - 1, before - 1, -1), *range(behind, after)):
        found[placed[k][1]] = None
        if len(found) == MOST_SHAPES:
            break
    return list(found)


def _before(placed: Sequence[tuple[int, T]], offset: int) -> T:
    """The last that stands before an offset, or else the first behind it."""
    return placed[max(bisect_right(placed, offset, key=itemgetter(0)) - 1, 0)][1]


def collect(article: Article, statements: Sequence[Statement]) -> Shapes:
    """Everything that an article states of shapes."""
    claims = list(_of_statements(statements))
    possible: list[Claim] = []  # lists of numbers that may be shapes
    spans = [(claim.place.start, claim.place.end) for claim in claims]
    arithmetic: list[tuple[Arithmetic, Place]] = []
    mentions: list[tuple[Mention, Place]] = []
    known = {claim.axes for claim in claims}
    for line, place in _lines(article, _MAY_HOLD_A_SHAPE):
        found = find_shapes(line)
        for each in find_arithmetic(line, found):
            arithmetic.append((each, place(each.start, each.end)))
        for said in find_mentions(line, found):
            mention = replace(said, sure=said.sure or place.under_shapes)
            mentions.append((mention, place(mention.start, mention.end)))
        known |= {shape.axes for k, shape in enumerate(found) if aliases_of(line, found, k)}
    known |= {each.axes for each, _ in mentions if each.sure}
    ends = sorted(((s.span[1], s.number, s) for s in statements if len(s.equals) > 1), key=itemgetter(0, 1))
    for mention, at in mentions:
        if any(start < at.end and at.start < end for start, end in spans):
            continue
        certain = mention.sure or mention.axes in known
        claim = _of_definition(Claim(mention.sides, mention.axes, at, mention.printed), ends, article.words)
        (claims if certain else possible).append(claim)
    claims.sort(key=lambda claim: claim.place.start)
    declared: dict[str, list[tuple[int, Shape]]] = {}
    for claim in claims:
        for key, axes in declares(claim):
            declared.setdefault(key, []).append((claim.place.start, axes))
    for key, offset in _set_in_programs(article, [claim.place for claim in claims]):
        if key in declared:
            declared[key] = sorted([*declared[key], (offset, None)], key=itemgetter(0))
    definitions: dict[str, list[tuple[int, f.Expression]]] = {}
    for statement in statements:
        for name, value in _defines(statement):
            definitions.setdefault(key_of(name), []).append((statement.span[0], value))
    for key, offset in (*_made_otherwise(claims, definitions), *_of_another_v(declared, definitions)):
        declared[key] = sorted([*declared[key], (offset, None)], key=itemgetter(0))
    relations = find_relations((line for line, _ in _lines(article, _MAY_RELATE)), statements)
    shapes = Shapes(tuple(claims), tuple(arithmetic), definitions, relations, frozenset(known), declared)
    return _with_rows_and_columns(_with_those_that_fit(shapes, possible), article.words)


_RIGHT_BEHIND = regex(r"[ \t]*[`$]{0,2}[;,，；][ \t]*[`$]{0,2}")


def _of_definition(claim: Claim, ends: Sequence[tuple[int, int, Statement]], source: str) -> Claim:
    """Where a shape is said of a name right behind its formula, `c = w @ v; c.shape = (n, d)`, it is said of both."""
    k = bisect_right(ends, claim.place.start, key=itemgetter(0)) - 1
    if k < 0 or len(claim.sides) != 1 or not isinstance(claim.sides[0], f.Name):
        return claim
    end, _, statement = ends[k]
    defined = isinstance(statement.left, f.Name) and key_of(statement.left) == key_of(claim.sides[0])
    if not defined or _RIGHT_BEHIND.fullmatch(source[end : claim.place.start]) is None:
        return claim
    start, (line, column) = statement.span[0], statement.place
    place = Place(start, claim.place.end, line, column, source[start : claim.place.end])
    return Claim(statement.equals, claim.axes, place, statement.passage.text)


_QUAD = "\\quad"
_LINE_OF = regex(
    r"\$?\s?(?P<name>[a-z]_\{?[a-z]\}?)\s?\$?,?\s+(?:(?:is|as|denotes|for)\s+)?(?:the\s+)?\$?[a-z]\$?-?\s?(?:th\s)?\s?"
    r"(?P<line>row|column) of \$?(?P<whole>[A-Z])\b"
)  # `$o_i$ is the i-th column of O and $v_j$ the j-th column of V`


def _with_rows_and_columns(shapes: Shapes, source: str) -> Shapes:
    """Vectors that are said to be rows or columns of a matrix are as long as these are."""
    declared = dict(shapes.declared)
    for found in _LINE_OF.finditer(source):
        base, _, index = found["name"].partition("_")
        key = key_of(f.Name(base, (index.strip("{}"),)))
        whole = shapes.fit(f.Name(found["whole"]), None, found.start()).shape
        if key not in declared and whole is not None and len(whole) == 2:
            declared[key] = [(found.start(), (whole[1] if found["line"] == "row" else whole[0],))]
    return replace(shapes, declared=declared)


def _with_those_that_fit(shapes: Shapes, possible: Sequence[Claim]) -> Shapes:
    """The lists of numbers behind formulas count as shapes where the formulas have just these."""
    claims, declared = list(shapes.claims), dict(shapes.declared)
    for claim in possible:
        held = [
            fit(side, claim.axes, replace(shapes, declared=declared).near(claim.place.start)) for side in claim.formulas
        ]
        if held and all(each.outcome == "fits" and each.tested for each in held):
            claims.append(claim)
            for key, axes in declares(claim):
                declared[key] = sorted([*declared.get(key, ()), (claim.place.start, axes)], key=itemgetter(0))
    return replace(shapes, claims=tuple(claims), declared=declared)


def _of_statements(statements: Sequence[Statement]) -> Iterator[Claim]:
    """`V = XW ∈ ℝ^{n × d}`; with `Q, K ∈ ℝ^{n × d}` what the list names before."""
    for statement in statements:
        spaces = [side for side in statement.sides if isinstance(side.expression, f.Space)]
        if len(spaces) != 1 or spaces[0].relation != "∈":
            continue
        axes = tuple(map(read_size, spaces[0].expression.parts))
        if not axes or any(axis is None for axis in axes):
            continue
        start, end = statement.span
        place = Place(start, end, *statement.place, statement.text)
        sides = (*_listed_before(statement, statements), *statement.equals)
        if any(_QUAD in statement.passage.text[side.start : side.end] for side in sides):
            continue  # blocks side by side, [A_1 \quad A_2], are no product
        yield Claim(sides, axes, place, statement.passage.text, statement)


def _listed_before(statement: Statement, statements: Sequence[Statement]) -> Iterator[f.Expression]:
    if len(statement.equals) > 1:
        return
    for other in reversed(statements[: statement.number]):
        alone = len(other.chain.sides) == 1 and isinstance(other.chain.sides[0].expression, f.Name)
        if other.passage is not statement.passage or not alone:
            return
        yield other.chain.sides[0].expression


def _lines(article: Article, wanted: re.Pattern[str]) -> Iterator[tuple[str, _Placer]]:
    """The lines of all text, code and tables in which a pattern is found."""
    breaks = LineBreaks.of(article.words)
    count = 0
    for block in article.seen:
        at = 0
        for line in block.text.split("\n"):
            count += 1
            if count > MOST_LINES:
                return
            if wanted.search(line):
                yield line, _Placer(block, at, breaks, article.words)
            at += len(line) + 1


@dataclass(frozen=True)
class _Placer:
    """Where a stretch of a line stands in the file."""

    block: Passage
    at: int
    breaks: LineBreaks
    source: str

    @property
    def under_shapes(self) -> bool:
        """Whether the line is one of a table with a column of shapes."""
        head = self.block.text.partition("\n")[0]
        return self.block.kind == "table" and re.search(SHAPE_WORD, head, re.IGNORECASE) is not None

    def __call__(self, start: int, end: int) -> Place:
        first, last = self.block.source_span(self.at + start, self.at + end)
        return Place(first, last, *self.breaks.position(first), self.block.text[self.at + start : self.at + end])


def _set_in_programs(article: Article, claims: Sequence[Place]) -> Iterator[tuple[str, int]]:
    """What a program sets to the result of a call, `Q = Q.view(b, n, h, d_k)`, and no comment says of what shape."""
    lines = {claim.line for claim in claims}
    for text, place in _lines(article, _SET):
        found = _SET.match(text)
        at = place(0, len(text))
        if found and at.line not in lines:
            for name in found["names"].split(","):
                yield key_of(f.Name(*split_word(name.strip()))), at.start


def _made_otherwise(
    claims: Sequence[Claim], definitions: Mapping[str, Sequence[tuple[int, f.Expression]]]
) -> Iterator[tuple[str, int]]:
    """Where a name of `Q = W_Q H ∈ ℝ^{d × n}` has another formula, Q = X W_Q: what its shape is there is open."""
    for claim in claims:
        name, *others = claim.sides or (None,)  # `$\in ℝ^{n × d}$` stands behind words
        if not isinstance(name, f.Name) or claim.named or claim.statement is None:
            continue
        shaped = {other.place.start for other in claims}
        for offset, value in definitions.get(key_of(name), ()):
            if offset > claim.place.start and offset not in shaped and value not in others:
                yield key_of(name), offset


def _of_another_v(
    declared: Mapping[str, Sequence[tuple[int, Shape]]], definitions: Mapping[str, Sequence[tuple[int, f.Expression]]]
) -> Iterator[tuple[str, int]]:
    """Where V = X W_V is none of the V whose shape is stated: that has no axis of X's tokens and is no weight of two
    widths, but an unembedding or a factor of an SVD."""
    shapes = [shape for _, shape in declared.get("V", ()) if shape is not None]
    tokens = {axis for _, shape in declared.get("X", ()) for axis in shape or () if kind_of(str(axis)) == "tokens"}
    if shapes and all(tokens.isdisjoint(axes) and {kind_of(str(x)) for x in axes} != {"width"} for axes in shapes):
        for offset, value in definitions.get("V", ()):
            if any(isinstance(x, f.Name) and key_of(x).lower() in ("w_v", "wv") for x in f.walk(value)):
                yield "V", offset


def is_turned_name(side: f.Expression) -> bool:
    """Whether it is the transpose of a name."""
    return isinstance(side, f.Transpose) and isinstance(side.operand, f.Name)


def declares(claim: Claim) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """The shapes of names that a claim states: of a list all, of an equation its first side, of K by that of Kᵀ."""
    for side in claim.sides if claim.named else claim.sides[:1]:
        if isinstance(side, f.Name) and not is_size(side):
            yield key_of(side), claim.axes
        elif isinstance(side, f.Transpose) and isinstance(side.operand, f.Name) and len(claim.axes) > 1:
            yield key_of(side.operand), (*claim.axes[:-2], claim.axes[-1], claim.axes[-2])


def _defines(statement: Statement) -> Iterator[tuple[f.Name, f.Expression]]:
    """`S = QKᵀ` defines S; a print of numbers, or a name by itself, does not."""
    sides = statement.equals
    if len(sides) < 2 or not isinstance(sides[0], f.Name):
        return
    for value in sides[1:]:
        names = [part for part in f.walk(value) if isinstance(part, f.Name)]
        if names and not isinstance(value, f.Name) and all(key_of(n) != key_of(sides[0]) for n in names):
            yield sides[0], value
            return
