"""Functions that a program defines, written out where it calls them: `s, a = attend(h)` as what that computes of h.

Only functions of plain assignments and one return are: what depends on a condition or a loop stays a call.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.code.statements import Statement, opens_body, parts_between

MOST_CALLS = 50  # of one program
LONGEST, LONGEST_GIVEN = 5_000, 300  # characters of a function and of what is given to it: each may stand in it often
_DEFINED = regex(r"def\s+(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)\s*(?:->[^:]+)?:")
_BOUND = regex(  # names that are given anew
    r"(?:async\s+)?(?:def|class|import|from|for|with)\b[^(=:]*|[^=(]*(?=(?<![=<>!])=(?!=))"
)
_WORD = regex(r"[^\W\d]\w*")
_PARAMETER = regex(r"(?P<name>[^\W\d]\w*)\s*(?::[^=]+)?(?:=\s*(?P<default>[-\w.]+))?")
_ASSIGNED = regex(  # a name, or a keyword of a call
    r"(?P<name>[^\W\d]\w*)\s*=(?!=)\s*(?P<value>.+)", re.DOTALL
)
_RETURNED = regex(r"return\s+(?P<values>.+)", re.DOTALL)
_CALLED = regex(r"(?P<targets>[^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*=\s*(?P<name>\w+)\s*\((?P<arguments>.*)\)", re.DOTALL)
_QUOTED = regex(r"[rf]?(?:\"[^\"]*\"|'[^']*')")
_PLAIN = regex(r"[\w.]+")
_OF_CALLS = frozenset(("axis", "dim", "keepdims", "self"))  # which stand before = in calls, or are no arrays


@dataclass(frozen=True)
class Function:
    """What a function computes: its parameters with their defaults, its assignments, and what it returns."""

    parameters: Mapping[str, str | None]
    assigned: Sequence[tuple[str, str]]
    returned: Sequence[str]


def with_calls_written_out(statements: Sequence[Statement]) -> list[Statement]:
    """The statements with those of functions in the place of their calls.

    >>> program = ["def f(x):", "  y = x @ x.T", "  return y, y / 2", "A, B = f(Q)"]
    >>> found = with_calls_written_out([Statement(Located.whole(x.strip()), body=x[0] == " ") for x in program])
    >>> [each.code.text for each in found[3:]]
    ['yA = Q @ Q.T', 'A = yA', 'B = yA / 2']
    """
    functions: dict[str, Function] = {}
    words = {word for each in statements for word in _WORD.findall(each.code.text)}
    found: list[Statement] = []
    calls = 0
    for k, statement in enumerate(statements):
        called = None if statement.body else _CALLED.fullmatch(statement.code.text)
        function = functions.get(called["name"]) if called and calls < MOST_CALLS else None
        written = None if function is None or called is None else _written_out(function, called, statement, words)
        calls += written is not None
        found += [statement] if written is None else written
        bound = _BOUND.match(statement.code.text)
        for name in _WORD.findall(bound[0]) if bound else ():
            functions.pop(name, None)
        functions |= _function_at(statements, k)
    return found


def _function_at(statements: Sequence[Statement], k: int) -> dict[str, Function]:
    """The function that a statement begins, if it begins one that is read."""
    defined = _DEFINED.fullmatch(statements[k].code.text)
    if defined is None or statements[k].body:
        return {}
    end = next((i for i in range(k + 1, len(statements)) if not statements[i].body), len(statements))
    function = _read(defined["parameters"], statements[k + 1 : end])
    return {} if function is None else {defined["name"]: function}


def _read(parameters: str, body: Sequence[Statement]) -> Function | None:
    matches = [_PARAMETER.fullmatch(each.strip()) for each in parameters.split(",") if each.strip()]
    known = {m["name"]: m["default"] for m in matches if m is not None}
    steps = [each.code.text for each in body if not _QUOTED.fullmatch(each.code.text)]
    if len(known) != len(matches) or not steps or known.keys() & _OF_CALLS or any(map(opens_body, body)):
        return None
    if sum(map(len, steps)) > LONGEST or any("^" in step for step in steps):
        return None  # the exclusive or of Python
    assigned = [_ASSIGNED.fullmatch(step) for step in steps[:-1]]
    returned = _RETURNED.fullmatch(steps[-1])
    if returned is None or None in assigned:
        return None
    values = [each.text for each in parts_between(Located.whole(_without_brackets(returned["values"].strip())), ",")]
    return Function(known, [(m["name"], m["value"]) for m in assigned if m is not None], values)


def _without_brackets(text: str) -> str:
    """The values within the brackets around all of them."""
    inside = text[1:-1] if text[0] == "(" and text[-1] == ")" else ""
    depth = 0
    for character in inside:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return text
    return inside or text


def _written_out(
    function: Function, call: re.Match[str], statement: Statement, words: set[str]
) -> list[Statement] | None:
    """The statements of one call; the names that only the function has get that of what is called behind theirs.

    None of them is one of the program's words, among which they are then.
    """
    targets = [each.strip() for each in call["targets"].split(",")]
    arguments = _arguments(function, call["arguments"])
    if arguments is None or len(targets) != len(function.returned):
        return None
    own: dict[str, str] = {}
    for name, _ in function.assigned:
        numbered = itertools.chain((f"{name}{targets[0]}",), (f"{name}{targets[0]}{k}" for k in itertools.count(1)))
        own.setdefault(name, next(word for word in numbered if word not in words))
        words.add(own[name])
    at = statement.code.span(0, 0)[0]
    names = dict(arguments)
    found = []
    for name, value in function.assigned:
        found.append(Statement(Located.inserted(f"{own[name]} = {_put_in(value, names)}", at)))
        names[name] = own[name]
    starts = [m.start() for m in _WORD.finditer(call["targets"])]
    for target, start, value in zip(targets, starts, function.returned, strict=True):
        left = statement.code.cut(start, start + len(target))
        found.append(Statement(join([left, Located.inserted(f" = {_put_in(value, names)}", left.span(0, 0)[0])])))
    return [*found[:-1], replace(found[-1], remarks=statement.remarks)]


def _arguments(function: Function, text: str) -> dict[str, str] | None:
    """What each parameter is in a call, in brackets where it is more than a name."""
    if len(text) > LONGEST_GIVEN:
        return None
    given: dict[str, str | None] = dict(function.parameters)
    places = iter(function.parameters)
    for part in parts_between(Located.whole(text), ","):
        keyword = _ASSIGNED.fullmatch(part.text)
        name = keyword["name"] if keyword else next(places, None)
        if name not in given:
            return None
        given[name] = keyword["value"] if keyword else part.text
    if None in given.values():
        return None
    return {name: text if _PLAIN.fullmatch(text) else f"({text})" for name, text in given.items() if text is not None}


def _put_in(text: str, names: Mapping[str, str]) -> str:
    """A formula with other names in the place of its own; no attributes, and no keywords of calls."""
    return re.sub(r"(?<![\w.])[^\W\d]\w*(?!\w|\s*=(?!=))", lambda m: names.get(m[0], m[0]), text)
