"""Lines that fit a page: a long one is broken after the first bracket that holds a list, whose items fill lines."""

from __future__ import annotations

from collections.abc import Iterator

WIDTH = 100
_RELATIONS = (" < ", " <= ", " > ", " >= ", " == ", " != ")


def break_lines(line: str, inside: bool = False) -> list[str]:
    """A line of code as lines of at most WIDTH letters, where it holds a list that can be broken, or a sum in one.

    >>> for line in break_lines(f"total = f({', '.join(['argument'] * 10)})"): print(line)
    total = f(
        argument, argument, argument, argument, argument, argument, argument, argument, argument,
        argument
    )
    """
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    terms = _terms(line) if inside else []
    if len(terms) > 1:
        return [terms[0], *(f"{indent}+ {term}" for term in terms[1:])]
    found = _first_list(line)
    if found is None:
        return [line]
    start, items, stop = found
    rows = [f"{indent}    {items[0]}"]
    for item in items[1:]:
        if len(rows[-1]) + len(item) + 3 <= WIDTH:
            rows[-1] += f", {item}"
        else:
            rows[-1] += ","
            rows.append(f"{indent}    {item}")
    inner = [part for row in rows for part in break_lines(row, inside=True)]
    return [line[: start + 1], *inner, *break_lines(indent + line[stop:])]


def _terms(line: str) -> list[str]:
    """The terms of a sum that stands in no bracket of its own; a comparison is none."""
    depth, cuts = 0, [0]
    for at, letter in _outside_texts(line):
        depth += (letter in "([{") - (letter in ")]}")
        if not depth and line.startswith(_RELATIONS, at):
            return []
        if not depth and line.startswith(" + ", at):
            cuts.append(at + 3)
    return [line[a:b].removesuffix(" + ") for a, b in zip(cuts, [*cuts[1:], len(line)], strict=True)]


def _first_list(line: str) -> tuple[int, list[str], int] | None:
    """Where the first bracket with a comma in it opens, its items, and where it closes."""
    opened: list[tuple[int, list[int]]] = []
    found: dict[int, tuple[int, list[str], int]] = {}
    for at, letter in _outside_texts(line):
        if letter in "([{":
            opened.append((at, [at]))
        elif letter == "," and opened:
            opened[-1][1].append(at)
        elif letter in ")]}" and opened:
            start, cuts = opened.pop()
            if len(cuts) > 1:
                ends = [*cuts[1:], at]
                found[start] = start, [line[a + 1 : b].strip() for a, b in zip(cuts, ends, strict=True)], at
    return found[min(found)] if found else None


def _outside_texts(line: str) -> Iterator[tuple[int, str]]:
    """The letters that are no part of a text in quotation marks."""
    inside = False
    for at, letter in enumerate(line):
        if letter == '"':
            inside = not inside
        elif not inside:
            yield at, letter
