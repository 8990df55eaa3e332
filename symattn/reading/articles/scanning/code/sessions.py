"""Sessions with an interpreter, `>>> Q @ K.T` with what it answers below: what was typed, and what was shown for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_PROMPT = regex(r"[ \t]*>>>(?:[ \t]|$)")
_GOES_ON = regex(r"[ \t]*\.\.\.(?:[ \t]|$)")
_OPENED, _CLOSED = regex(r"[(\[]"), regex(r"[)\]]")  # an array of three axes has blank lines in it
_NAME = r"[^\W\d][\w.]*"
_OF_CODE = regex(
    r">>>[ \t]+(?:(?:import|from|del|for|with|def|class|assert|@\w+)\b"
    rf"|{_NAME}(?:\s*,\s*{_NAME})*\s*(?:[-+*/@%]?=(?!=)|[(\[@*/+-]|$)|[-\d(\[{{\"'])"
)  # a sentence has two words side by side


@dataclass(frozen=True)
class Exchange:
    """One statement, without its prompts, and the lines that the interpreter wrote for it."""

    typed: tuple[Located, ...]
    answer: tuple[Located, ...]


def session_end(lines: Sequence[Located], k: int) -> int:
    """The line after a session that begins here; 0 where none does: `>>>` may stand before a quoted sentence too.

    >>> lines = [Located.whole(x) for x in (">>> x = f(2)", ">>> x", "[1, 2]", "", "So x is a list.")]
    >>> session_end(lines, 0), session_end([Located.whole(">>> As they said.")], 0)
    (3, 0)
    """
    if ">>>" not in lines[k].text or not _PROMPT.match(lines[k].text):
        return 0
    end, code, depth = k, False, 0
    while end < len(lines) and (lines[end].text.strip() or depth > 0) and not _is_fence(lines[end]):
        code = code or bool(_OF_CODE.match(lines[end].text.lstrip()))
        depth = 0 if _PROMPT.match(lines[end].text) else depth
        depth += len(_OPENED.findall(lines[end].text)) - len(_CLOSED.findall(lines[end].text))
        end += 1
    return end if code else 0


def _is_fence(line: Located) -> bool:
    return line.text.lstrip().startswith(("```", "~~~"))


def exchanges_of(lines: Sequence[Located]) -> list[Exchange]:
    """The statements of a session in order, each with its answer."""
    found: list[Exchange] = []
    for line in lines:
        if prompt := _PROMPT.match(line.text):
            found.append(Exchange((line.cut(prompt.end(), len(line.text)),), ()))
        elif not found:
            continue
        elif not found[-1].answer and (prompt := _GOES_ON.match(line.text)):
            typed = (*found[-1].typed, line.cut(prompt.end(), len(line.text)))
            found[-1] = Exchange(typed, ())
        else:
            found[-1] = Exchange(found[-1].typed, (*found[-1].answer, line))
    return found
