"""An author's own words on a page, with values in them: "the second token gives {weights[2,1]} to the first"."""

from __future__ import annotations

from string import Formatter

from symattn.errors import InputError, Placed
from symattn.pages.numbers.equations import Equations
from symattn.patterns import regex
from symattn.writing.document import Box, Chain, Symbol
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence, Words

_FIELD = regex(r"([\w.]+)\[(\d{1,6})(?:,\s*(\d{1,6}))?\]")


def quote(text: str, equations: Equations, place: str) -> Words:
    """The words, each {step[i]} or {step[i,j]} as a row or an entry, counted from 1, with its value.

    Raises InputError for braces without such a name in them, for a step that there is not, an entry beyond its shape
    and where there are no values.
    """
    with Placed(place):
        try:
            names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        except ValueError:
            raise InputError(Sentence("bad_quotation"), place=text[:40]) from None
        return Words(text, **{name: _value(name, equations) for name in names})


def _value(name: str, equations: Equations) -> Box:
    found = _FIELD.fullmatch(name)
    if found is None:
        raise InputError(Sentence("bad_quotation"), place=f"{{{name[:40]}}}")
    if equations.known is None:
        raise InputError(Sentence("no_values_to_quote"), place=name)
    steps = {step.name: step for step in equations.program}
    if found[1] not in steps:
        raise InputError(Sentence("no_step", name=found[1][:40], known=listed(found[1], steps)))
    step, i, j = steps[found[1]], int(found[2]), int(found[3] or 1)
    rows, columns = equations.values.exact[step.name].shape
    for refusal, index, count in (("no_row", i, rows), ("no_column", j, columns)):
        if not 1 <= index <= count:
            raise InputError(Sentence(refusal, given=index, count=count), place=step.name)
    if found[3] is None:
        return equations.row_alone(step, i - 1)
    sides = equations.expansion.result(step.name, i - 1, j - 1, briefly=True)
    place = () if rows == columns == 1 else (str(i), str(j))
    return Chain((("", Symbol(step.symbol.name, place)), *sides[-1:]))
