"""What a judge of formulas is given, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements import Statement
from symattn.reading.articles.article import Article


@dataclass(frozen=True)
class Context:
    """What a judge may look at besides the statement: all statements of the article, and its text."""

    article: Article
    statements: tuple[Statement, ...]

    def earlier(self, statement: Statement) -> Sequence[Statement]:
        """The statements in front of one, the nearest last."""
        return self.statements[: statement.number]


# A judge says what it knows of a statement, or None: then the next one is asked. What no judge knows is not settled.
Judge = Callable[[Statement, Context], Formula | None]
