"""The statements of an article: every formula that is read, with where it stands and the words around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.errors import FormulaError
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, Passage

MOST_PASSAGES = 4_000
LONGEST = 4_000  # characters of a passage
WORDS = 300  # characters of the text before and after that are looked at


@dataclass(frozen=True)
class Statement:
    """`left = right = ...` as printed: its sides are trees of `reading.formula`.

    One side alone, `x + LayerNorm(Sublayer(x))`, is a statement too: the words around it say of what. A chain that
    begins with a relation goes on with the one before: its first side is that of `head`.
    """

    chain: f.Chain
    passage: Passage
    number: int  # which of the article's statements it is
    before: str  # the words in front, up to the formula before it
    after: str
    head: Statement | None = None

    @property
    def sides(self) -> tuple[f.Side, ...]:
        """All sides; of a chain that goes on with another, that one's first side in front."""
        own = self.chain.sides
        return (self.head.sides[0], *own) if self.head is not None and own[0].relation else own

    @property
    def left(self) -> f.Expression:
        return self.sides[0].expression

    @property
    def equals(self) -> tuple[f.Expression, ...]:
        """The sides that are said to be equal, `a = b = c`, without what stands behind ∈ or ≤."""
        return tuple(s.expression for s in self.sides if s.relation in EQUAL)

    @property
    def text(self) -> str:
        """As printed."""
        return self.passage.text[self.chain.start : self.chain.end].strip()

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the source of the article."""
        return self.passage.source_span(self.chain.start, self.chain.end)

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, from 1."""
        return self.passage.place(self.chain.start)


EQUAL = ("", "=", ":=", "≡", "==", "≈")


def gather(article: Article) -> tuple[Statement, ...]:
    """The statements of an article in order; what cannot be read states nothing here."""
    found: list[Statement] = []
    end = 0
    passages = [p for p in article.passages[:MOST_PASSAGES] if len(p.text) <= LONGEST]
    spans = [p.source_span(0, len(p.text)) for p in passages]
    for k, passage in enumerate(passages):
        start, stop = spans[k]
        before = article.source[max(end, start - WORDS) : start]
        following = spans[k + 1][0] if k + 1 < len(spans) else len(article.source)
        after = article.source[stop : min(stop + WORDS, max(following, stop))]
        for chain in _chains(passage):
            head = found[-1] if chain.sides[0].relation and found and not _words(before) else None
            found.append(Statement(chain, passage, len(found), before, after, head))
            before = ""
        end = stop
    return tuple(found)


def _chains(passage: Passage) -> Sequence[f.Chain]:
    """A passage that prints numbers is read as for those who judge these; any other as algebra."""
    if any(f.is_printed(side.expression) for chain in passage.chains for side in chain.sides):
        return passage.chains
    try:
        return f.parse(passage.text, algebra=True)
    except (FormulaError, RecursionError):
        return ()


def _words(text: str) -> bool:
    return re.search(r"\w", text) is not None


def names(expression: f.Expression) -> Iterator[f.Name]:
    """The names in an expression, in reading order."""
    return (part for part in f.walk(expression) if isinstance(part, f.Name))
