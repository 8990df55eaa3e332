"""What a judge of formulas is given, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from symattn.checking.findings import Counterexample, Formula, FormulaVerdict
from symattn.checking.formulas.statements import Statement
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

T = TypeVar("T")


@dataclass(frozen=True)
class Context:
    """What a judge may look at besides the statement: all statements of the article, and its text."""

    article: Article
    statements: tuple[Statement, ...]
    found: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    def earlier(self, statement: Statement) -> Sequence[Statement]:
        """The statements in front of one, the nearest last."""
        return self.statements[: statement.number]

    def once(self, collect: Callable[..., T], *needs: Callable[..., object]) -> T:
        """What a function finds in the whole article, and in what others found; worked out when first asked for."""
        if collect not in self.found:
            self.found[collect] = collect(self.article, self.statements, *map(self.once, needs))
        return cast(T, self.found[collect])


# A judge says what it knows of a statement, or None: then the next one is asked. What no judge knows is not settled.
Judge = Callable[[Statement, Context], Formula | None]
# A reader of the text judges what is said in words, lists, tables and comments, which is no statement.
TextJudge = Callable[[Context], Iterable[Formula]]


def conclude(
    statement: Statement,
    verdict: FormulaVerdict,
    theorem: Sentence,
    *,
    condition: Sentence | None = None,
    right: str | None = None,
    counterexample: Counterexample | None = None,
) -> Formula:
    """What a judge says of a statement, at its place."""
    line, column = statement.place
    return Formula(line, column, statement.text, verdict, theorem, condition, right, counterexample, statement.span)
