"""Every statement of an article put before the judges, one after the other."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.context import Context, Judge
from symattn.checking.formulas.gradients import judge_gradient
from symattn.checking.formulas.statements import Statement, gather
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, NotChecked
from symattn.writing.prose import Sentence

JUDGES: tuple[Judge, ...] = (judge_gradient,)


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
