"""Every statement of an article put before the judges, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements import Statement, gather
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, NotChecked
from symattn.writing.prose import Sentence


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

JUDGES: tuple[Judge, ...] = ()


def judge_formulas(article: Article) -> tuple[tuple[Formula, ...], tuple[NotChecked, ...]]:
    """What is said of the article's formulas, and those that are not settled."""
    context = Context(article, gather(article))
    judged: list[Formula] = []
    unsettled: list[NotChecked] = []
    for statement in context.statements:
        found = next((found for judge in JUDGES if (found := judge(statement, context)) is not None), None)
        if found is not None:
            judged.append(found)
        elif _states(statement):
            unsettled.append(NotChecked(*statement.place, statement.text, Sentence("formula_not_settled")))
    return tuple(judged), tuple(unsettled)


def _states(statement: Statement) -> bool:
    """Whether it says that two things are equal and neither is a print of numbers, which are judged elsewhere."""
    sides = statement.equals
    return len(sides) > 1 and not any(f.is_printed(side) for side in sides)
