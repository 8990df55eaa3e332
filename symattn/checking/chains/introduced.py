"""A list that words introduce, "For [2, 1, 0]:", behind another one of a name: what is said next may be about it.

`z = [1.5, 0.2, 2.5]`, and then "For [2, 1, 0] we get e^z = [7.39, 2.72, 1]": z is the list that was printed last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.chains.context import Context
from symattn.checking.expected.sources import Open
from symattn.checking.verdicts import Definition, Printed, agreeing, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import same_values

MOST = 8  # lists that are remembered
_INTRODUCES = regex(
    r"(?:\b(?:for|consider|take|given|with|suppose|let|using|if|pour|für|para|per|soit|sea)\b"
    r"|для|пусть|对于?|给定|假?设|考虑|取|若|令|について)[^.!?;。；]*$",
    re.IGNORECASE,
)
_OF_SOMETHING_ELSE = regex(
    r"\b(?:targets?|labels?|weights?|bias(?:es)?|encodings?|embeddings?|tokens?|gradients?|masks?)\b"
    r"|目标|标签|权重|偏置|编码|词元|梯度|掩码",
    re.IGNORECASE,
)
_NEAR = 40  # characters before a list that say what it is


def note_list(context: Context, printed: Printed) -> None:
    """Remember a list that has no name."""
    if len(printed.places()) > 1 and not _OF_SOMETHING_ELSE.search(context.where.label[-_NEAR:]):
        introduced = _INTRODUCES.search(context.where.label) is not None
        context.lists[:] = [
            *context.lists[1 - MOST :],
            (printed.as_given, context.where.section, context.at, introduced),
        ]


def is_of_a_list(context: Context, open_: Open, printed: Printed) -> bool | None:
    """Whether a print that is not what its formula comes to is about a list that was printed since its name was given.

    Then the list is what the name stands for from here on. None where that is likely, and no number bears it out.
    """
    main = open_.definitions[0]
    likely, named = False, agreeing(printed, main.true)
    for name, values, introduced in _candidates(context, main):
        other = main.reckoned(context.environment, {name: values})
        right = 0 if other is None else agreeing(printed, other)
        if 2 * right >= len(printed.places()) and right > named:
            _name_anew(context, open_, name, values)
            return True
        likely |= introduced and not named and other is not None and other.shape == printed.shape
    return None if likely else False


def _candidates(context: Context, main: Definition) -> Iterator[tuple[f.Name, Balls, bool]]:
    """The names of lists that a formula uses, with later lists of as many other numbers, the last one first."""
    stated = context.environment.stated
    given = [(key, stated[key]) for key in main.used if isinstance(key, f.Name) and stated[key].given]
    for values, section, at, introduced in reversed(context.lists):
        if section != context.where.section or any(same_values(values, known.true) for _, known in given):
            continue
        for name, known in given:
            if known.at < at and known.true.shape == values.shape:
                yield name, values, introduced


def _name_anew(context: Context, open_: Open, name: f.Name, values: Balls) -> None:
    """Let a name stand for a list, and the formulas of a chain for what they come to then; it may go back later."""
    old = context.environment.stated[name].true
    context.lists[:] = [*context.lists[1 - MOST :], (old, context.where.section, context.at + 1, False)]
    context.environment.state(name, context.stated(values, None, given=True))
    anew = (try_define(d.expression, context.environment) for d in open_.definitions)
    open_.definitions = [d for d in anew if d is not None]
    context.state(open_, open_.definitions[0])
