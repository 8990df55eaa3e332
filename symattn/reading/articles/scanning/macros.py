r"""Macros: `\newcommand{\bm}{\begin{pmatrix}}`, `\newcommand{\mat}[1]{\mathbf{#1}}`, `\def\x{...}`.

The body of one without arguments is expanded once, when the definitions are read, so that a formula needs a single pass
for these. What has no end (a macro that calls itself, however far around) or grows past a bound is refused by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

MOST_CHARACTERS = 20_000  # of one expanded body, and added to one formula
MOST_CALLS = 500  # of macros with arguments in one formula

_DEFINITION = regex(
    r"\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|DeclareMathOperator)\*?\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))"
    r"\s*(\[[^\]\n]{0,20}\])?\s*(?=\{)"
    r"|\\(?:g|e|x)?def\s*\\([A-Za-z]+)\s*((?:#\d)*)\s*(?=\{)"
)
_CALL = regex(r"\\([A-Za-z]+)")
_BRACE = regex(r"\\.|[{}]", re.DOTALL)
_PARAMETER = regex(r"#([1-9])")
_ONE = regex(r"\s*(\\[A-Za-z]+|[^\s{}\\])")  # an argument without braces


class Defined(NamedTuple):
    """A definition: where it stands, what it is called, its body and how many arguments it takes."""

    start: int
    end: int
    name: str
    body: str
    arguments: int


@dataclass(frozen=True)
class Macros:
    r"""Names with their bodies, fully expanded; `None` for a body without end.

    `applied` has those that take arguments, with how many.

    >>> macros = Macros.read(r"\newcommand{\T}{^\top} \def\a{\b}\def\b{\a}")
    >>> macros.bodies["T"], macros.bodies["a"]
    ('^\\top', None)
    """

    bodies: dict[str, str | None] = field(default_factory=dict)
    applied: dict[str, tuple[str, int]] = field(default_factory=dict)

    @staticmethod
    def read(source: str) -> Macros:
        """All definitions of a source; where a name is defined again, the last one holds."""
        found = {defined.name: defined for defined in definitions(source)}
        bodies = _find_close({name: d.body for name, d in found.items() if not d.arguments})
        undefined = {m[1] for m in _ABBREVIATED.finditer(source)} - found.keys()
        usual = ((name, _usual(name)) for name in undefined if name not in _PAIR or undefined >= _PAIR)
        bodies |= {name: body for name, body in usual if body is not None}
        applied = {name: (_fill(d.body, bodies), d.arguments) for name, d in found.items() if d.arguments}
        return Macros(bodies, {name: (body, count) for name, (body, count) in applied.items() if body is not None})

    def expand(self, located: Located) -> tuple[Located, str]:
        """The text with every macro replaced, and the name of one that has no end (or "")."""
        located, refused = self._expand_plain(located)
        return (located, refused) if refused or not self.applied else self._apply(located)

    def _apply(self, located: Located) -> tuple[Located, str]:
        r"""The text with every macro that takes arguments replaced, `\mat{Q}` by `\mathbf{Q}`.

        >>> Macros.read(r"\newcommand{\on}[2]{#2_{#1}}").expand(Located.whole(r"\on{2}{x} + \on3y"))[0].text
        'x_{2} + y_{3}'
        """
        size = len(located.text) + MOST_CHARACTERS
        for _ in range(MOST_CALLS):
            call = next((m for m in _CALL.finditer(located.text) if m[1] in self.applied), None)
            if call is None:
                return located, ""
            body, count = self.applied[call[1]]
            arguments, end = _arguments(located, call.end(), count)
            if len(arguments) < count:
                return located, "\\" + call[1]
            parts, done = [located.cut(0, call.start())], 0
            at = located.span(call.start(), call.end())[0]
            for parameter in _PARAMETER.finditer(body):
                parts.append(Located.inserted(body[done : parameter.start()], at))
                parts += arguments[int(parameter[1]) - 1 : int(parameter[1])]
                done = parameter.end()
            located = join([*parts, Located.inserted(body[done:], at), located.cut(end, len(located.text))])
            if len(located.text) > size:
                return located, "\\" + call[1]
        return located, "\\" + call[1] if call is not None else ""

    def _expand_plain(self, located: Located) -> tuple[Located, str]:
        """The text with the macros replaced that take no arguments."""
        refused = ""
        spent = 0

        def body(match: re.Match[str]) -> str | None:
            nonlocal refused, spent
            name = match[1]
            if name not in self.bodies:
                return None
            text = self.bodies[name]
            spent += len(text or "")
            if text is None or spent > MOST_CHARACTERS:
                refused = refused or "\\" + name
                return None
            follows = located.text[match.end() : match.end() + 1]
            return text + " " if follows.isalpha() and re.search(r"\\[A-Za-z]+$", text) else text

        if not self.bodies or "\\" not in located.text:
            return located, ""
        return located.substitute(_CALL, body), refused


def _arguments(located: Located, at: int, count: int) -> tuple[list[Located], int]:
    """So many arguments from an offset on, without their braces, and where they end; fewer where the text ends."""
    found: list[Located] = []
    while len(found) < count:
        rest = located.text[at:]
        opening = at + len(rest) - len(rest.lstrip())
        if located.text[opening : opening + 1] == "{":
            end = _closing(located.text, opening)
            if not end:
                break
            found.append(located.cut(opening + 1, end - 1))
        elif one := _ONE.match(located.text, at):
            found.append(located.cut(*one.span(1)))
            end = one.end()
        else:
            break
        at = end
    return found, at


def _closing(text: str, opening: int) -> int:
    """The offset past the brace that closes this one; 0 if none does."""
    depth = 0
    for brace in _BRACE.finditer(text, opening):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if not depth:
            return brace.end()
    return 0


def definitions(source: str) -> list[Defined]:
    """Every definition of a source."""
    found: list[Defined] = []
    if "\\" not in source or not _DEFINITION.search(source):
        return found
    closing = match_braces(source)
    done = 0
    for match in _DEFINITION.finditer(source):
        if match.start() < done:
            continue
        end = closing.get(match.end(), 0)
        if not end:
            continue
        body = source[match.end() + 1 : end - 1]
        if match[0].startswith("\\Declare"):
            body = rf"\operatorname{{{body}}}"
        taken = re.sub(r"\D", "", match[3] or "") or str((match[5] or "").count("#"))
        found.append(Defined(match.start(), end, match[1] or match[2] or match[4], body, min(int(taken), 9)))
        done = end
    return found


_ABBREVIATED = regex(r"\\((?:[be][pbvBV]?mat|li|ri|fr|(?:f|mc|mb|bf|bs)[A-Za-z])(?![A-Za-z]))")


def _usual(name: str) -> str | None:
    r"""What a macro is usually short for whose definition is in another file: no commands of TeX have these names.

    >>> [_usual(name) for name in ("bpmat", "li", "mcL", "fa", "fi")]
    ['\\begin{pmatrix}', '\\left', '\\mathcal{L}', '\\mathbf{a}', None]
    """
    if name.endswith("mat"):
        side = {"b": "begin", "e": "end"}.get(name[0])
        return None if side is None else f"\\{side}{{{name[1:-3]}matrix}}"
    if name in _SHORT:
        return _SHORT[name]
    if name in ("fi", "bfi"):
        return None
    style = next(style for short, style in _STYLES.items() if name.startswith(short) and len(name) == len(short) + 1)
    return f"\\{style}{{{name[-1]}}}"


_PAIR = frozenset(("li", "ri"))  # one without the other is the logarithmic integral
_SHORT = {"li": r"\left", "ri": r"\right", "fr": r"\frac"}
_STYLES = {"mc": "mathcal", "mb": "mathbf", "bf": "mathbf", "bs": "boldsymbol", "f": "mathbf"}


def drop_definitions(located: Located) -> Located:
    """A formula without the definitions that stand in it."""
    if "\\" not in located.text:
        return located
    return located.without((defined.start, defined.end) for defined in definitions(located.text))


def match_braces(source: str) -> dict[int, int]:
    """For every opening brace the offset past the one that closes it, in one pass."""
    open_at: list[int] = []
    closed: dict[int, int] = {}
    for match in _BRACE.finditer(source):
        if match[0] == "{":
            open_at.append(match.start())
        elif match[0] == "}" and open_at:
            closed[open_at.pop()] = match.end()
    return closed


def _find_close(raw: dict[str, str]) -> dict[str, str | None]:
    """Every body with the macros in it replaced, innermost first."""
    closed: dict[str, str | None] = {}
    calls = {name: sorted({m[1] for m in _CALL.finditer(body) if m[1] in raw}) for name, body in raw.items()}
    for first in raw:
        stack = [first]
        on_stack = {first}
        while stack:
            name = stack[-1]
            while calls[name] and calls[name][-1] in closed:
                calls[name].pop()
            if name in closed or not calls[name]:
                closed.setdefault(name, _fill(raw[name], closed))
                on_stack.discard(stack.pop())
            elif calls[name][-1] in on_stack:
                # the way back to itself: it has no end, and so has everything that calls it
                closed[name] = None
            else:
                stack.append(calls[name][-1])
                on_stack.add(calls[name][-1])
    return closed


def _fill(body: str, closed: dict[str, str | None]) -> str | None:
    if any(closed.get(m[1], "") is None for m in _CALL.finditer(body)):
        return None
    if sum(len(closed.get(m[1]) or "") for m in _CALL.finditer(body)) > MOST_CHARACTERS:
        return None
    return _CALL.sub(lambda m: closed.get(m[1]) or m[0], body)
