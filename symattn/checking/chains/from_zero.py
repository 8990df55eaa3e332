"""Indices that count from 0 though nothing has said so yet: S_11 is the score in the second row and the second column.

An article that writes an index 0 somewhere may count from 0 everywhere. Where a number is not what its formula comes to
counted from 1, and is counted from 0, that is what is meant.
"""

from __future__ import annotations

import re
from dataclasses import replace

from symattn.checking.chains.context import Context
from symattn.checking.chains.magnitudes import judge_about
from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.sources import Open
from symattn.checking.findings import Place
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.evaluation import FROM_ZERO
from symattn.checking.verdicts import Definition, Judge, Judgement, Printed, agreeing, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_INDEX = regex(
    r"_\{?\(?[0i,]*0|₀|\b(?:row|column|token|index|position|query|key) 0\b|第 ?0 ?[行列个]|=\s?0\}\^|=0\.\.",
    re.IGNORECASE,
)
_LONG = 3  # digits, by which a number is no other one by chance


def may_count_from_zero(article: Article) -> bool:
    """Whether an article writes an index 0 anywhere."""
    return _INDEX.search(article.said) is not None or any(_INDEX.search(p.text) for p in article.passages)


def counted_from_one(part: f.Expression) -> f.Expression:
    """An entry of what has no letter, (Q_1)_{10}, as one that counts from 1; a mask that is said to count from 0."""
    if isinstance(part, f.Call) and part.function == "mask" and FROM_ZERO not in part.options:
        return replace(part, options=(*part.options, FROM_ZERO))
    if not isinstance(part, f.Entry) or not all(len(i) < 3 and i.isalnum() for i in part.indices):
        return part
    apart = tuple(c for i in part.indices for c in i)
    return replace(part, indices=tuple(str(int(c) + 1) if c.isdecimal() else c for c in apart))


def judge_from_zero(
    context: Context, open_: Open, printed: Printed, side: f.Side
) -> tuple[Judge, dict[Place, Judgement]] | None:
    """The verdicts on a print where its indices count from 0, if it is right only so; later ones do if it tells."""
    environment, stated = context.environment, open_.stated
    old, before = environment.from_zero, open_.definitions
    if not environment.may_count_from_zero or int in old or not before[0].symbolic:
        return None
    environment.from_zero = old | {int}
    made = [_anew(d.expression, environment) if d.symbolic else d for d in before]
    if made[0] is not None and made[0].true.shape == printed.shape:
        open_.definitions = [d for d in made if d is not None]
        context.state(open_, made[0])
        assert open_.stated is not None
        judge, found = judge_about(printed, open_.definitions, open_.stated.ranged, environment, side)
        if is_sound(found):
            written = [d for d in open_.definitions if not d.symbolic]
            if not any(_is_long(text) for row in printed.texts for text in row) and not _agree(printed, written):
                environment.from_zero = old
            return judge, found
        open_.definitions, open_.stated = before, stated
    environment.from_zero = old
    return None


def _anew(expression: f.Expression, environment: Environment) -> Definition | None:
    """What an expression comes to from its parts, whatever it has been stated to be."""
    by_parts = not isinstance(expression, f.Name)
    return try_define(rewrite(expression, counted_from_one), environment, by_parts=by_parts)


def _is_long(text: str) -> bool:
    return sum(c.isdecimal() for c in text.lstrip("-−0.")) >= _LONG


def _agree(printed: Printed, written: list[Definition]) -> bool:
    """Whether the calculation that is written out comes to the print too."""
    return any(d.true.shape == printed.shape and agreeing(printed, d.true) == len(printed.places()) for d in written)
