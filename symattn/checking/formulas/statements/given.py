"""What the words right in front of a formula say that its indices are: "for i = N we have", `\\text{when } t = 1:`."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f

_FAR = 120  # characters
_VALUE = regex(  # no range of values, `i = 1, …, N`, and no formula, `q · k = q · R k`
    r"(?<![\w_^{(\\=<>+*/·-])(?<![-+*/·×] )(?<!\\cdot )(?<!\\times )"
    r"(?P<index>[a-z])[\s$]*=[\s$]*(?P<value>[A-Za-z]|\d+)(?![A-Za-z0-9_^(])"
    r"(?![\s$]*(?:[-+*/=.…<>·×]|\\(?:[lcd]?dots|sim|cdot|times)|,\s*[\d\\.…$]|to\b|bis\b|до\b))"
    r"(?!\s*(?:\\[,;]\s*)?[A-Z](?![a-z]))"
)
_END_OF_SENTENCE = regex(r"[.!?;](?=\s|$)|[。！？；]|\n\s*\n")
_TAIL = regex(r"(?:\s|\$|\\\\|\\\[|\\\(|\\begin\{\w+\*?\}|[`&{}])+\Z")


def at_given_values(statement: Statement, source: str) -> Statement | None:
    """The statement with the values that its indices are said to have in it, or None where nothing is said of them."""
    values = _find_values(statement, source)
    if not values:
        return None

    def put(part: f.Expression) -> f.Expression:
        return _put(part, values)

    given = statement.rewritten(put)
    return None if given.chain.sides == statement.chain.sides else given


def _find_values(statement: Statement, source: str) -> dict[str, str]:
    start = statement.span[0]
    before = _TAIL.sub("", source[max(start - _FAR, 0) : start])
    sentence = _END_OF_SENTENCE.split(before)[-1]
    return {each["index"]: each["value"] for each in _VALUE.finditer(sentence)}


def _put(part: f.Expression, values: dict[str, str]) -> f.Expression:
    match part:
        case f.BigSum(index=index) if index in values:
            return part
        case f.Name(base, (), ()) if base in values and not part.item:
            value = values[base]
            if value.isalpha():
                return f.Name(value, start=part.start, end=part.end)
            return f.Number(value, Fraction(value), Fraction(1), start=part.start, end=part.end)
        case f.Name(sub=sub, item=item):
            put = [tuple(_mark(mark, values) for mark in marks) for marks in (sub, item)]
            return replace(part, sub=put[0], item=put[1])
    return part


def _mark(mark: str, values: dict[str, str]) -> str:
    """An index with its value in it, i − 1 as N − 1."""
    return re.sub(r"(?<![A-Za-z])[a-z](?![A-Za-z])", lambda found: values.get(found[0], found[0]), mark)
