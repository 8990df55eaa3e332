"""What a judge of formulas is given, and what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

from symattn.checking.findings import Counterexample, Formula, FormulaVerdict
from symattn.checking.formulas.statements.given import at_given_values
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.statements.wording import is_disowned, is_supposed
from symattn.checking.work import OutOfWorkError, Work, instead, within
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

T = TypeVar("T")
# steps: of one statement before one judge, and of one article before all
MOST_STEPS, MOST_IN_ALL = 100_000, 300_000
MOST_ONCE = 100_000  # of what is found in a whole article


@dataclass(frozen=True)
class Context:
    """What a judge may look at besides the statement: all statements of the article, and its text."""

    article: Article
    statements: tuple[Statement, ...]
    found: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    def once(self, collect: Callable[..., T], *needs: Callable[..., object]) -> T:
        """What a function finds in the whole article, and in what others found; worked out when first asked for."""
        if collect not in self.found:
            try:
                with instead(Work(MOST_ONCE)):
                    self.found[collect] = collect(self.article, self.statements, *map(self.once, needs))
            except OutOfWorkError as error:
                self.found[collect] = error
        found = self.found[collect]
        if isinstance(found, OutOfWorkError):
            raise found
        return cast(T, found)

    def mentions(self, words: re.Pattern[str]) -> bool:
        """Whether the text has these words anywhere; looked for once."""
        if words not in self.found:
            self.found[words] = words.search(self.article.said) is not None
        return cast(bool, self.found[words])

    def around(self, statement: Statement, characters: int) -> str:
        """The words of the article around a statement, so many characters to both sides."""
        start, end = statement.span
        return self.article.words[max(start - characters, 0) : end + characters]


# A judge says what it knows of a statement, or None: then the next one is asked. What no judge knows is not settled.
Judge = Callable[[Statement, Context], Formula | None]
# A reader of the text judges what is said in words, lists, tables and comments, which is no statement.
TextJudge = Callable[[Context], Iterable[Formula]]


def _allow(article: Article, statements: Sequence[Statement]) -> Work:
    return Work(MOST_IN_ALL)


def _is_worked_out(side: f.Expression) -> bool:
    """Whether a side is of numbers, `max(2, 4)`, or has decimals in it: then the letters have values of their own."""
    parts = list(f.walk(side))
    numbers = [part for part in parts if isinstance(part, f.Number)]
    return any("." in part.text for part in numbers) or not any(isinstance(part, f.Name) for part in parts)


def bounded(judge: Judge) -> Judge:
    """A judge that works things out, which says nothing where that takes too many steps."""

    def judge_within(statement: Statement, context: Context) -> Formula | None:
        try:
            with within(context.once(_allow), Work(MOST_STEPS)):
                return judge(statement, context)
        except OutOfWorkError:
            return None

    return judge_within


def limited(judge: Judge) -> Judge:
    """The same of a judge that knows nothing of numbers that letters have in a calculation."""

    def judge_letters(statement: Statement, context: Context) -> Formula | None:
        return None if any(map(_is_worked_out, statement.equals)) else judge(statement, context)

    return bounded(judge_letters)


def unconditional(judge: Judge, *, nearly: bool = False) -> Judge:
    """A judge that knows nothing of conditions: what is said under one, or asked, may be false in general.

    With `nearly` it knows approximations, `GELU(x) ≈ …`; for all others these are no equations. What is said for one
    value of an index, `for i = N`, is false only if it is so there.
    """

    def judge_general(statement: Statement, context: Context) -> Formula | None:
        found = judge(statement, context)
        if found is None or found.verdict != "fails":
            return found
        near = any(side.relation == "≈" for side in statement.sides)
        if (near and not nearly) or is_supposed(statement, context.article.words):
            return None
        given = at_given_values(statement, context.article.words)
        there = None if given is None else judge(given, context)
        return found if given is None or (there is not None and there.verdict == "fails") else there

    return judge_general


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


def accept(statement: Statement, theorem: Sentence, condition: Sentence | None = None) -> Formula:
    """That a statement holds, or holds under a condition."""
    return conclude(statement, "holds" if condition is None else "holds-if", theorem, condition=condition)


def refuse(
    statement: Statement, theorem: Sentence, right: str | None = None, counterexample: Counterexample | None = None
) -> Formula | None:
    """That a statement is false; nothing where the text itself says so."""
    if is_disowned(statement):
        return None
    return conclude(statement, "fails", theorem, right=right, counterexample=counterexample)
