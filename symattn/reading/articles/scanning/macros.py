r"""Macros without arguments: `\newcommand{\bm}{\begin{pmatrix}}`, `\def\x{...}`, `\DeclareMathOperator`.

Every body is expanded once, when the definitions are read, so that a formula needs a single pass. What has
no end (a macro that calls itself, however far around) or grows past a bound is refused by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symattn.reading.articles.article import Located

MOST_CHARACTERS = 20_000  # of one expanded body, and added to one formula

_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|DeclareMathOperator)\*?\s*(?:\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+))"
    r"\s*(\[[^\]\n]{0,20}\])?\s*(?=\{)"
    r"|\\(?:g|e|x)?def\s*\\([A-Za-z]+)\s*((?:#\d)*)\s*(?=\{)"
)
_CALL = re.compile(r"\\([A-Za-z]+)")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


@dataclass(frozen=True)
class Macros:
    r"""Names with their bodies, fully expanded; `None` for a body without end.

    >>> macros = Macros.read(r"\newcommand{\T}{^\top} \def\a{\b}\def\b{\a}")
    >>> macros.bodies["T"], macros.bodies["a"]
    ('^\\top', None)
    """

    bodies: dict[str, str | None] = field(default_factory=dict)

    @staticmethod
    def read(source: str) -> Macros:
        """All definitions of a source; where a name is defined again, the last one holds."""
        raw = {name: body for _, _, name, body in definitions(source) if body is not None}
        return Macros(_find_close(raw)) if raw else Macros()

    def expand(self, located: Located) -> tuple[Located, str]:
        """The text with every macro replaced, and the name of one that has no end (or "")."""
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


def definitions(source: str) -> list[tuple[int, int, str, str | None]]:
    """Start, end, name and body of every definition; no body where the macro takes arguments."""
    found: list[tuple[int, int, str, str | None]] = []
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
        found.append((match.start(), end, match[1] or match[2] or match[4], None if match[3] or match[5] else body))
        done = end
    return found


def drop_definitions(located: Located) -> Located:
    """A formula without the definitions that stand in it."""
    if "\\" not in located.text:
        return located
    return located.without((start, end) for start, end, _, _ in definitions(located.text))


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
