r"""Shapes in words, lists, tables and comments: `Q: [b, n, d_k]`, "QKᵀ is n × n", `s = Q @ K.T  # (n, n)`.

A line is searched for shapes; what stands before one, up to a link such as a colon, `∈`, "has shape" or the sign of a
comment, is what has it. `[1, 0, 2]` behind a colon may as well be a vector of numbers: it counts as a shape only where
letters beside it say so, or where the article has stated the same shape before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from sympy import Expr

from symattn.checking.formulas.shapes.sizes import kind_of, read_size
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f

LONGEST = 400  # characters of a line that is searched
MOST_SHAPES = 12  # of one line

_WORD = r"(?:\\(?:text|mathrm|textit|mathit)\{\w+\}|[A-Za-z][A-Za-z0-9]*)"
_NAME = rf"(?:{_WORD}(?:_(?:\{{{_WORD}\}}|\{{?[^\W_]+\}}?))*)"
_SIZE = rf"(?:\d+{_NAME}?|{_NAME})"
_ITEM = rf"{_SIZE}(?:\s?(?:[*/·]|\\cdot)\s?{_SIZE})*"
_TIMES = r"\s*(?:×|\\times|(?<=[\d\s])x(?=[\d\s]))\s*"
_SHAPE = regex(
    rf"(?P<open>(?:torch\.Size)?\(?[\[(])\s*(?P<listed>{_ITEM}(?:(?:\s*,|{_TIMES})\s*{_ITEM})+)\s*,?\s*[\])]\)?"
    rf"|(?P<space>(?:ℝ|\\mathbb\s?\{{?R\}}?|\\R|\bR)\s*\^\s*[{{(\[]?\s*(?P<dims>{_ITEM}(?:{_TIMES}{_ITEM})*)\s*[}})\]]?)"
    rf"|(?<![\w.^\\{{])(?P<bare>{_ITEM}(?:{_TIMES}{_ITEM})+)(?!\w|\.\w)"
)
_SPLIT = regex(rf"\s*,\s*|{_TIMES}")
SHAPE_WORD = r"(?:shape|size|dimensions?|dims?|形状|維度|维度|大小|尺寸|形狀|サイズ|次元)"
_LINK = regex(
    r"(?P<membership>∈|\\in)\s*$"
    r"|(?P<result>\s*[—–:：]+\s*[^$`\d\n,，]{1,24}[,，]\s*(?:的?结果(?:是|为)|(?:the )?result (?:is|has|of))\s*)$"
    rf"|(?P<said>(?:(?:['’]s|has|have|with|of|の|的)?\s*(?:the\s)?{SHAPE_WORD}\)?)\s*(?:of|is|are|=|:|：|是|为|為|→|->|\()*)\s*$"
    r"|(?P<comment>(?:#|//)\s*(?:[Ss]hape\s*[:：]?|->|→)?)\s*$"
    r"|(?P<colon>(?:的?结果(?:是|为)?)?\s*[:：])\s*$"
    r"|(?P<verb>(?:\s(?:is|are)(?:\s(?:an?|each|all|both))?|是一?个?|为一?个?))\s*$"
    r"|(?P<cell>\|)\s*$"
    r"|(?P<behind>(?<=\S)\s+)$",
    re.IGNORECASE,
)
_MARKS = '`*"“”$ \t'
_LEADING = regex(r"\s*(?:(?:[-*+>•]|\d{1,2}[.)]|#{1,6})\s+)*")
_CUT = regex(
    r"[，。；;|、]|[:：](?=\s)|,(?=\s)|\b(?:where|so|and|the|with|of|matrix|here|then)\b|其中|所以|则|结果|\$\s(?=\$)"
)
_SPACE = r"(?:\s|\\[,:; ])*"
_OPERATOR = regex(rf"[`$]?{_SPACE}(?:@|×|\\times|\*|·|\\cdot|){_SPACE}[`$]?|\s+x\s+")
_RESULT = regex(rf"[`$]?{_SPACE}(?:=|→|-+>|=>|⇒|\\to|\\(?:long)?rightarrow|⟶){_SPACE}[`$]?")
_TURNED = regex(r"\^?(?:T|ᵀ|⊤)(?![A-Za-z])|\^\{?\s*(?:T|⊤|\\top|\\intercal|\\mathsf\{T\})\s*\}?|\.T(?![A-Za-z])")
_ARROW = r"(?:→|-+>|\\to|\\(?:long)?rightarrow|⟶)"
_LABEL = r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[\[(][^()\[\]]*[\])]|\w+"
_SET = rf"(?:ℝ|\\mathbb\s?\{{?R\}}?|\\R(?![A-Za-z])|\bR(?=\s?\^))(?:\s*\^\s*(?:{_LABEL}))?"
_MAPPED = regex(rf"(?:[:：]|\\colon)[\s$`]*{_SET}(?:{_TIMES}{_SET})*{_SPACE}{_ARROW}{_SPACE}{_SET}")  # r: ℝⁿ → ℝᵐ
_PRODUCT = regex(
    rf"\)[`$]?{_SPACE}(?:@{_SPACE}[`$]?\([^()]*\)[`$]?{_SPACE}(?:=|{_ARROW})"
    rf"|(?:×|\\times){_SPACE}[`$]?\([^()]*\)[`$]?{_SPACE}{_ARROW}){_SPACE}[`$]?\("
    rf"|\](?:{_TURNED.pattern})?{_SPACE}(?:@|×|\\times){_SPACE}\[[^\[\]]*\](?:{_TURNED.pattern})?{_SPACE}(?:=|{_ARROW}){_SPACE}\["
)
_SHAPE_OF = regex(rf"{SHAPE_WORD} of (?:the )?[`$*]*$", re.IGNORECASE)
_TYPED = regex(
    r"\s*(?:[-*+•]\s+)?[`*]*[A-Za-z]\w*[`*]*(?=\s*[:：]\s+(?![^,:：]\W)[^,:：]+,\s*$)"
)  # x: array, shape (n, 3)
_ASSIGNED = regex(r"\s*(?:self\.)?(?P<name>[A-Za-z]\w*)\s*=(?!=)")
_OTHER_AXES = regex(r"transpose\(\s*[01]")  # of an array whose axes are not known those may be any
_PROGRAM = regex(r"\bself\.")
_SHAPE_CALL = regex(r"^(?:print\()?(?:shape\(|np\.shape\()?(?P<of>[^()]*?)\)*(?:\.shape|\.size\(\)|\.dim)?\)*$")


@dataclass(frozen=True)
class Found:
    """A shape in a line: its axes, where it stands, whether it can only be a shape."""

    axes: tuple[Expr, ...]
    start: int
    end: int
    sure: bool


@dataclass(frozen=True)
class Mention:
    """`sides`, names of a list or what is said to be equal, have the shape of `axes`.

    `start` and `end` are offsets in the line, `printed` is the text that the sides were read from.
    """

    sides: tuple[f.Expression, ...]
    axes: tuple[Expr, ...]
    start: int
    end: int
    sure: bool
    printed: str


@dataclass(frozen=True)
class Arithmetic:
    """`[4, 16, 512] @ [512, 512] = [4, 16, 512]`: the shapes of factors and of their product."""

    factors: tuple[tuple[Expr, ...], ...]
    product: tuple[Expr, ...]
    start: int
    end: int

    @property
    def has_common_sizes(self) -> bool:
        """Whether inner sizes agree, or the outer ones are those of the product, as they need not for intervals and
        products by entries."""
        inner = all(left[-1] == right[-2] for left, right in pairwise(self.factors) if min(len(left), len(right)) > 1)
        outer = (self.factors[0][:-1], self.factors[-1][-1]) == (self.product[:-1], self.product[-1])
        return inner or (outer and len({*self.factors, self.product}) > 1)


def find_shapes(line: str) -> list[Found]:
    """The shapes of a line, in order.

    >>> [shape.axes for shape in find_shapes("Q: [4, 16] (batch, d_k), so 2 × n")]
    [(4, 16), (batch, d_k), (2, n)]
    """
    found: list[Found] = []
    product = _PRODUCT.search(line[:LONGEST]) is not None  # `(m, q) @ (q, m) → (m, m)`: whatever its letters are
    for match in _SHAPE.finditer(line[:LONGEST]):
        items = match["listed"] or match["dims"] or match["bare"]
        axes = tuple(_size(item) for item in _SPLIT.split(items))
        if any(axis is None or axis == 0 for axis in axes) or len(found) >= MOST_SHAPES:
            continue
        letters = {letter.name for axis in axes if axis is not None for letter in axis.free_symbols}
        spaced = match["space"] is not None
        named = bool(letters) and all(kind_of(letter) or letter in "hHkpr" for letter in letters)
        times = match["bare"] is not None or re.search(_TIMES, items) is not None
        if letters and not (spaced or named or product):
            continue
        found.append(Found(axes, match.start(), match.end(), spaced or named or times or product))
    maps = [mapped.span() for mapped in _MAPPED.finditer(line[:LONGEST])]  # which are no vectors of their domain
    return [each for each in found if not any(start <= each.start < end for start, end in maps)]


@lru_cache(maxsize=4096)
def _size(item: str) -> Expr | None:
    try:
        chains = f.parse(item)
    except FormulaError:
        return None
    if len(chains) != 1 or len(chains[0].sides) != 1:
        return None
    return read_size(chains[0].sides[0].expression)


def find_arithmetic(line: str, shapes: list[Found]) -> Iterator[Arithmetic]:
    """Products of shapes: two or more with nothing but an operator between them, and what they come to.

    >>> line = "so (n × d) @ (d × m) = (n × m)"
    >>> [(each.factors, each.product) for each in find_arithmetic(line, find_shapes(line))]
    [(((n, d), (d, m)), (n, m))]
    """
    factors: list[Found] = []
    for shape in (_as_factor(line, shape) for shape in shapes):
        between = line[factors[-1].end : shape.start] if factors else ""
        if factors and len(factors) > 1 and _RESULT.fullmatch(between):
            axes = tuple(each.axes for each in factors)
            yield Arithmetic(axes, shape.axes, factors[0].start, shape.end)
            factors = [shape]
        elif factors and _OPERATOR.fullmatch(between) and line[shape.start] in "[(" and line[factors[-1].start] in "[(":
            factors.append(shape)
        else:
            factors = [shape]


def _as_factor(line: str, shape: Found) -> Found:
    """[n, d]ᵀ as [d, n]."""
    turned = _TURNED.match(line, shape.end)
    if turned is None or len(shape.axes) < 2:
        return shape
    *front, rows, columns = shape.axes
    return Found((*front, columns, rows), shape.start, turned.end(), shape.sure)


def find_mentions(line: str, shapes: list[Found]) -> Iterator[Mention]:
    """What has a shape, by what stands before it; before a product of shapes stands what has the shape of its result.

    >>> line = "- scores = Q @ K^T  # (n, m)"
    >>> [(len(each.sides), each.axes) for each in find_mentions(line, find_shapes(line))]
    [(2, (n, m))]
    """
    done = 0
    products = {each.start: each for each in find_arithmetic(line, shapes)}
    for k, shape in enumerate(shapes):
        if _is_factor(line, shape, shapes[k + 1 :]):
            product = products.get(shape.start)
            if product is None or not product.has_common_sizes:
                continue
            shape = Found(product.product, shape.start, product.end, shape.sure)
        lead = line[done : shape.start].rstrip('`*"“$ \t') + " "
        link = _LINK.search(lead)
        if link is None or not lead.strip():
            continue
        typed = _TYPED.match(lead[: link.start()]) if link["said"] else None
        read = _subject(typed[0] if typed else lead[: link.start()], assigned=link["comment"] is not None)
        if link["cell"] and (symbol := _symbol_of_row(lead[: link.start()])) is not None:
            read = symbol if read is None or not all(map(_is_symbol, read.sides)) else read
        bracketed = line[shape.start] in "[("
        if read is None or (link["verb"] and bracketed and not read.said):
            continue
        if link["behind"] and not (bracketed and len(read.sides) > 1 and line[shape.start - 1].isspace()):
            continue
        sure = (
            bool(read.said or link["said"] or link["result"] or link["membership"] or aliases_of(line, shapes, k))
            or shape.sure
        )
        listed = _shapes_in_list(line, shapes[k:])
        alike = len({len(each.axes) for each in listed}) == 1
        if alike and len(listed) == len(read.sides) > 1:
            for side, own in zip(read.sides, listed, strict=True):
                yield Mention((side,), own.axes, done + read.start, own.end, sure, read.text)
        elif len(listed) < 2 or len(read.sides) < 2:
            yield Mention(read.sides, shape.axes, done + read.start, shape.end, sure, read.text)
        done = listed[-1].end


def _shapes_in_list(line: str, shapes: list[Found]) -> list[Found]:
    """The first shape, and those that follow it in a list: `(n, d)` and `(m, d)`."""
    pairs = pairwise(shapes)
    following = takewhile(lambda pair: _AND.fullmatch(line, pair[0].end, pair[1].start) is not None, pairs)
    return [shapes[0], *(second for _, second in following)]


_AND = regex(r"[`$*)]*\s*(?:,?\s*(?:and|und|et|y)\s|[,，、]|和|与|と)\s*[`$*(]*")


def _is_factor(line: str, shape: Found, behind: list[Found]) -> bool:
    """Whether the next shape is multiplied by it."""
    between = line[_as_factor(line, shape).end : behind[0].start] if behind else ""
    return bool(between.strip()) and _OPERATOR.fullmatch(between) is not None


def aliases_of(line: str, shapes: list[Found], k: int) -> tuple[Expr, ...]:
    """The letters in brackets right behind a shape that say what its numbers are."""
    if k + 1 == len(shapes) or line[shapes[k].end : shapes[k + 1].start].strip():
        return ()
    behind = shapes[k + 1]
    return behind.axes if behind.sure and len(behind.axes) == len(shapes[k].axes) else ()


class _Subject(NamedTuple):
    sides: tuple[f.Expression, ...]
    text: str
    start: int
    said: bool  # whether "the shape of" stands before it


def _subject(text: str, assigned: bool) -> _Subject | None:
    """What has the shape: the longest stretch of words, up to the link, that can be read.

    Of a program's line with a comment it is all of the line, or the name that it sets.
    """
    first = _LEADING.match(text)
    starts = [first.end() if first else 0, *(m.end() for m in _CUT.finditer(text) if not assigned)]
    for start in starts if len(text) < LONGEST else ():
        part = text[start:].strip(_MARKS).lstrip(",;，、：:")
        called = _SHAPE_CALL.match(part)
        part = called["of"].strip(_MARKS) if called else part
        plain = _PROGRAM.sub("", part.rstrip(".:：")).strip(_MARKS)
        sides = _read(plain)
        if sides is not None:
            own = text.index(part, start) if part in text[start:] else start
            return _Subject(sides, plain, own, _SHAPE_OF.search(text[:own]) is not None)
    name = _ASSIGNED.match(text) if assigned else None
    sides = _read(name["name"]) if name else None
    return None if name is None or sides is None else _Subject(sides, name["name"], name.start("name"), False)


def _symbol_of_row(lead: str) -> _Subject | None:
    """The symbol in the first cell of a row of a table, `| Q | what is looked for | n × d |`."""
    cell = _FIRST_CELL.match(lead)
    sides = _read(cell["text"].strip(_MARKS)) if cell else None
    if cell is None or sides is None or not all(map(_is_symbol, sides)):
        return None
    return _Subject(sides, cell["text"].strip(_MARKS), cell.start("text"), False)


_FIRST_CELL = regex(r"\s*\|?\s*(?P<text>[^|]+?)\s*\|")


def _is_symbol(side: f.Expression) -> bool:
    """Whether this is a letter with its labels, or its transpose."""
    name = side.operand if isinstance(side, f.Transpose) else side
    return isinstance(name, f.Name) and len(name.base) == 1 and name.base.isascii()


def _read(text: str) -> tuple[f.Expression, ...] | None:
    if not text or len(text) > 200 or text[-1] in "=+-*/@" or _OTHER_AXES.search(text):
        return None
    try:
        chains = f.parse(text)
    except FormulaError:
        return None
    several = len(chains) > 1 and all(len(c.sides) == 1 and _is_named(c.sides[0].expression) for c in chains)
    if not (several or len(chains) == 1) or any(s.relation not in ("", "=", ":=") for c in chains for s in c.sides):
        return None
    sides = tuple(side.expression for chain in chains for side in chain.sides)
    if len(sides) == 1 and isinstance(sides[0], f.Quotient):  # Wq/Wk/Wv of a table
        sides = _listed(sides[0])
    return None if any(f.is_printed(side) or isinstance(side, f.Dots) for side in sides) else sides


def _is_named(expression: f.Expression) -> bool:
    return isinstance(expression, f.Name | f.Transpose)


def _listed(quotient: f.Quotient) -> tuple[f.Expression, ...]:
    left, right = quotient.numerator, quotient.denominator
    before = _listed(left) if isinstance(left, f.Quotient) else (left,)
    return (*before, right) if all(map(_is_named, (*before, right))) else (quotient,)
