"""What lies between 0 and 1: a weight, softmax(…) or σ(…), and not that weight times a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.errors import FormulaError
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

FAR = 600  # characters behind the definition

_RANGE = re.compile(
    r"(?P<name>(?:\\\w+\s?\{)?\\?[A-Za-z]\w{0,8}\}?(?:_(?:\{[\w,]{1,8}\}|\w))?)\s*(?:\\in|∈)\s*[\[(]\s?0\s?,\s?1\s?[\])]"
)


def judge_weighted_range(context: Context) -> Iterator[Formula]:
    """Names that are said to lie in [0, 1], where a line right above says what they are."""
    source = context.article.source
    for found in _RANGE.finditer(source):
        try:
            name = f.parse(found["name"], algebra=True)[0].sides[0].expression
        except (FormulaError, RecursionError):
            continue
        made = _definition(name, found.start(), context)
        if made is None:
            continue
        theorem = Sentence("words_weighted_range")
        if isinstance(made, f.Call) and made.function in ("softmax", "sigmoid", "sigma", "σ"):
            yield conclude_in_words(context, found.span(), "holds", theorem)
        elif _is_weighted(made):
            yield conclude_in_words(context, found.span(), "fails", theorem)


def _definition(name: f.Expression, at: int, context: Context) -> f.Expression | None:
    """What the last line in front says the name to be."""
    made: Statement | None = None
    for statement in context.once(_by_name).get(name, ()):
        if at - FAR < statement.span[0] and statement.span[1] <= at:
            made = statement
    return None if made is None else made.equals[1]


def _by_name(_: object, statements: tuple[Statement, ...]) -> dict[f.Expression, list[Statement]]:
    found: dict[f.Expression, list[Statement]] = {}
    for statement in statements:
        if len(statement.equals) == 2 and isinstance(statement.left, f.Name):
            found.setdefault(statement.left, []).append(statement)
    return found


def _is_weighted(made: f.Expression) -> bool:
    """Whether it is a softmax times a value, in either order."""
    if not isinstance(made, f.Product) or len(made.factors) != 2:
        return False
    softmax = [x for x in made.factors if isinstance(x, f.Call) and x.function == "softmax"]
    values = [x for x in made.factors if isinstance(x, f.Name) and x.base in ("v", "V")]
    return len(softmax) == len(values) == 1
