"""Equations that are not said of everything: one case of several, or what is asked for, `find g such that f(g(w)) = w`.

That such an equation is false for some letters is no fault of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.variant import is_same
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_CASE = regex(
    r"[\s`$)\]},;.*]*(?:\\?(?:text|mbox|quad)\W*)?\s*(?P<case>(?:for|if|when|otherwise|当|若|如果)\b[^\n]{0,60})"
)
_SOUGHT = regex(
    r"(?:such that|so that|differential equations?|\bODEs?|solv(?:e|es|ing)(?: for \S+)?|solutions? (?:of|to)"
    r"|满足|使得|微分方程|求解|方程的解)[\s:：,，`$*.]*(?:\\\[|math\s*::\s*|the equation\s*|that\s*)?[\s`$]*$",
    re.IGNORECASE,
)


def is_conditional(statement: Statement, context: Context) -> bool:
    """Whether an equation is one case of several that the article tells apart, or one that is to be solved."""
    return _SOUGHT.search(statement.before) is not None or statement.number in context.once(find_cases)


def find_cases(_: Article, statements: Sequence[Statement]) -> frozenset[int]:
    """The statements that say of one left side different things, each with a condition behind it."""
    found: set[int] = set()
    by_left: dict[str, list[tuple[Statement, str]]] = {}
    for statement in statements:
        if len(statement.equals) > 1 and (behind := _CASE.match(statement.after)):
            by_left.setdefault(_text(statement, statement.equals[0]), []).append((statement, behind["case"]))
    for cases in by_left.values():
        for one, case in cases:
            if any(case != other and not is_same(one.equals[1], x.equals[1]) for x, other in cases):
                found.add(one.number)
    return frozenset(found)


def _text(statement: Statement, side: f.Expression) -> str:
    return "".join(statement.passage.text[side.start : side.end].split())
