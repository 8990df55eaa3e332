"""The lines of a program as statements, each with the comments that belong to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

MOST_LINES = 500  # of one statement
_PIECE = regex(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?P<comment>(?:^|(?<=\s))(?:\#+|//|←|<-+)\s?)|[\[\]()]")
_FENCED = regex(r"\"\"\"|'''")
_IN_THREE_QUOTES = regex(r"(?P<mark>\"\"\"|''')(?P<inside>.*?)(?P=mark)", re.DOTALL)
_BODY = regex(r"(?:async\s+)?(?:def|class|if|elif|else|while|with|try|except|finally|for)\b[^#]*:\s*(?:#.*)?$")
_SEVERAL = regex(r"(?P<names>[^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)+)\s*=(?!=)\s*(?P<values>.+?)[\s;]*", re.DOTALL)
_NAME = regex(r"[^\W\d]\w*")
_ITEM = regex(r"[^\s,]+")
_GOES_ON = regex(r"\s*(?:=(?!=)|≈|@\s)")


@dataclass(frozen=True)
class Statement:
    """One statement without its comments; `remarks` are the one behind it and those on the lines below it.

    `body` says whether it stands inside of a function, a loop or the like.
    """

    code: Located
    remarks: tuple[Located, ...] = ()
    body: bool = False


def statements_of(lines: Sequence[Located]) -> Iterator[Statement]:
    """The statements in order; what is quoted over several lines is left out.

    >>> [s.code.text for s in statements_of([Located.whole("A = f(  # rows"), Located.whole("  X)")])]
    ['A = f(  \\n  X)']
    """
    held: Statement | None = None
    k = 0
    margin = min((_indent(line.text) for line in lines if line.text.strip()), default=0)
    while k < len(lines):
        line = lines[k]
        if len(_FENCED.findall(line.text)) == 1:
            k = next((i for i in range(k + 1, len(lines)) if _FENCED.search(lines[i].text)), len(lines))
            k += 1
            continue
        code, remark, depth = _without_remark(line)
        first = k
        k += 1
        if not code.text.strip():
            if remark is not None:
                held = replace(held or Statement(line.cut(0, 0)), remarks=(*(held.remarks if held else ()), remark))
            continue
        parts = [code]
        while k < len(lines) and k - first < MOST_LINES and (depth > 0 or _goes_on(lines, k)):
            part, remark, deeper = _without_remark(lines[k])
            parts.append(part)
            depth += deeper
            k += 1
        if held is not None:
            yield held
        body = _indent(line.text) > margin
        held = Statement(join(parts, "\n").strip(), () if remark is None else (remark,), body)
    if held is not None:
        yield held


def docstrings_of(lines: Sequence[Located]) -> Iterator[Located]:
    """Each text in three quotes that is a statement by itself, without the quotes.

    >>> program = [Located.whole(line) for line in ("x = '''One'''", "'''Two", "three.'''")]
    >>> [text.text for text in docstrings_of(program)]
    ['Two\\nthree.']
    """
    if not any(_FENCED.search(line.text) for line in lines):
        return
    whole = join(lines, "\n")
    for match in _IN_THREE_QUOTES.finditer(whole.text):
        above, _, before = whole.text[: match.start()].rpartition("\n")
        alone = not before.strip(" \trRuU") and _ENDS_STATEMENT.match(whole.text, match.end())
        if alone and not above.rstrip().endswith(_LEAD_ON):
            yield whole.cut(*match.span("inside"))


_ENDS_STATEMENT = regex(r"[ \t;]*(?:#[^\n]*)?(?:\n|\Z)")
_LEAD_ON = (",", "(", "[", "{", "=", "+", "\\")  # a text behind such a line is one of a list, or an argument


def one_by_one(statement: Statement) -> Iterator[Statement]:
    """Several statements of one line as one for each, `Q = X @ W; Q`, and `h, d = 8, 64` as `h = 8` and `d = 64`.

    A comment behind it belongs to the last one.
    """
    parts = list(parts_between(statement.code, ";"))
    singles = [single for part in (parts if len(parts) > 1 else (statement.code,)) for single in _by_name(part)]
    for single in singles:
        yield Statement(single, statement.remarks if single is singles[-1] else (), statement.body)


def _by_name(code: Located) -> list[Located]:
    """A statement that gives several names a value each as one for each, unless a value has one of the names."""
    several = _SEVERAL.fullmatch(code.text)
    if several is None:
        return [code]
    names = [code.cut(*m.span()) for m in _ITEM.finditer(code.text, *several.span("names"))]
    values = list(parts_between(code.cut(*several.span("values")), ","))
    used = {m[0] for m in _NAME.finditer(several["values"])}
    if len(names) != len(values) or used & {name.text for name in names}:
        return [code]
    return [join([name, value.led_by(" = ")]) for name, value in zip(names, values, strict=True)]


def parts_between(code: Located, mark: str) -> Iterator[Located]:
    """The parts of code between marks that stand in no quotes and no brackets.

    >>> [part.text for part in parts_between(Located.whole("f(a, b), 'c, d'"), ",")]
    ['f(a, b)', "'c, d'"]
    """
    start = depth = 0
    for match in _PART.finditer(code.text):
        if match[0] == mark and not depth:
            yield code.cut(start, match.start()).strip()
            start = match.end()
        elif match[0] in _BRACKETS:
            depth += _BRACKETS[match[0]]
    rest = code.cut(start, len(code.text)).strip()
    if rest.text:
        yield rest


_PART = regex(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\[\](){},;]")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def split_remark(line: Located) -> tuple[Located, Located | None]:
    """The line's code, and its comment if it has one."""
    code, remark, _ = _without_remark(line)
    return code, remark


def opens_body(statement: Statement) -> bool:
    """Whether other statements depend on this one: a function's head, a loop's, a condition."""
    return bool(_BODY.match(statement.code.text))


def _goes_on(lines: Sequence[Located], k: int) -> bool:
    """Whether a line, or the one after blank ones, begins with a relation, as no statement can."""
    while k < len(lines) and not lines[k].text.strip():
        k += 1
    return k < len(lines) and bool(_GOES_ON.match(lines[k].text))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _without_remark(line: Located) -> tuple[Located, Located | None, int]:
    """The line's code, its comment, and how many brackets the code leaves open."""
    depth = 0
    for match in _PIECE.finditer(line.text):
        if match["comment"] is not None:
            return line.cut(0, match.start()), line.cut(match.end(), len(line.text)), depth
        if len(match[0]) == 1:
            depth += 1 if match[0] in "[(" else -1
    return line, None, depth
