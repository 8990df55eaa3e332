"""Findings -> the article with its wrong digits corrected in place, and the difference as a patch.

A hunk is one wrong number with all that follows from it. It is put in only if the checker, reading the corrected text,
finds everything of it right and every number right that was right before, and if no equation of numbers breaks.
"""

from __future__ import annotations

import difflib
import html
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from symattn.checking import BAD, Cause, Claim, Finding, Findings, check_article
from symattn.checking.patch.held import find_held
from symattn.checking.patch.repeats import edit_twins, find_copies, find_in_prose, root_of
from symattn.patterns import regex
from symattn.reading.articles import read_article
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

Span = tuple[int, int]
Edits = Mapping[Span, str]
MOST_ROUNDS = 4
MOST_TRIALS = 16  # how often an article is checked anew to find out which hunks fail


@dataclass(frozen=True)
class Correction:
    """A source with right digits in it, and the numbers that had to stay as they are."""

    source: str
    left: tuple[tuple[Claim, Finding], ...]
    report: Findings  # what the checker says of the corrected source


def correct(report: Findings, some: Sequence[tuple[Claim, Finding]] | None = None) -> Correction:
    """Put the right digits in the place of the wrong ones, as far as the checker then finds nothing wrong with them.

    What follows from a wrong number is corrected with it, also where it is copied into later arithmetic (400/1.414),
    into the words around or into a comment; or all of this stays as it is.
    `some` names the wrong numbers that are meant, all if it is left out.
    """
    bad = [(claim, entry) for claim in report.findings for entry in claim.bad]
    kept: set[Cause] = set()
    found = report
    waiting = [list(dict.fromkeys(root_of(claim, entry) for claim, entry in (bad if some is None else some)))]
    for _ in range(MOST_TRIALS):
        if not waiting:
            break
        roots = waiting.pop()
        tried = _correct(report, {*kept, *roots}) if roots else None
        if tried is not None:
            kept.update(roots)
            found = tried
        elif len(roots) > 1:
            half = len(roots) // 2
            waiting += [roots[half:], roots[:half]]
    return Correction(found.source, tuple((c, e) for c, e in bad if root_of(c, e) not in kept), found)


def _correct(report: Findings, roots: Collection[Cause]) -> Findings | None:
    """The report on the source with these numbers and what follows put right; None where that is not sound."""
    kept = (
        (e.span, e.verdict == "accepted" or root_of(c, e) not in roots) for c in report.findings for e in _faults(c)
    )
    left = {span for span, stays in kept if stays and span}
    moves = _Moves()
    now, begun = report, dict[Span, str]()
    assert report.article is not None
    copies = [(e.span, span) for _, e, span in find_copies(report, report.article) if e.span]
    for turn in range(MOST_ROUNDS):
        article = now.article
        assert article is not None
        edits = _edits(now, article, {moves.moved(span) for span in left})
        for span, copy in copies if turn else ():  # what was a copy stays one
            if (text := edits.get(moves.moved(span))) is not None:
                edits[moves.moved(copy)] = text
        edits = edit_twins(article, edits)
        if not edits:
            break
        begun = begun if turn else edits
        now = check_article(read_article(now.path, _apply_edits(article.source, edits)))
        moves.add(edits)
    now = _with_prose(report, now, begun, moves)
    return now if not _leaves_copies(report, now, begun, moves) and _is_sound(report, now, moves, left) else None


def _leaves_copies(before: Findings, now: Findings, begun: Edits, moves: _Moves) -> bool:
    """Whether a decimal that was put right first stands written out below as it was: what follows may go on with it."""
    assert before.article is not None and now.article is not None
    for start, end in begun:
        number = _DECIMAL.search(before.article.source, start, end)
        if number is None:
            continue
        text = rf"(?<![\d.]){re.escape(number[0])}(?![\d.]*\d)"
        copy = rf"[\d)}}]\s*{_OPERATOR}[\s(]*{text}|{text}[\s)]*{_OPERATOR}\s*[\d(\\]"  # not the sign of an entry
        if re.compile(copy).search(now.article.source, moves.moved((start, end))[1]):
            return True
    return False


_DECIMAL = regex(r"\d*\.\d+")
_OPERATOR = r"(?:[-−+*/×·÷^]|\\(?:cdot|times)\b)"


def _faults(claim: Claim) -> Iterator[Finding]:
    """What is wrong in a claim, accepted or not."""
    return (entry for entry in claim.entries if entry.verdict in (*BAD, "accepted"))


def _with_prose(before: Findings, now: Findings, begun: Edits, moves: _Moves) -> Findings:
    """The words that speak of the numbers corrected first, with the digits that these have come to in the end."""
    assert before.article is not None and now.article is not None
    ended = {span: now.article.source[slice(*moves.moved(span))] for span in begun}
    prose = {moves.moved(span): text for span, text in find_in_prose(before.article, ended).items()}
    edits = edit_twins(now.article, prose)
    if not edits:
        return now
    moves.add(edits)
    return check_article(read_article(now.path, _apply_edits(now.article.source, edits)))


def _is_sound(before: Findings, after: Findings, moves: _Moves, left: Collection[Span]) -> bool:
    """Whether all but what was left is right after the edits, and what was right before still is, digit for digit."""
    now = {entry.span: entry for claim in after.findings for entry in claim.entries}
    for claim in before.findings:
        for entry in claim.entries:
            if entry.span is None or entry.span in left:
                continue
            there = now.get(moves.moved(entry.span))
            if there is None or there.verdict in BAD:
                return False
            if entry.verdict not in BAD and there.printed != entry.printed:
                return False
    assert before.article is not None and after.article is not None
    holding = find_held(after.article)
    if any(moves.moved(span) not in holding for span in find_held(before.article)):
        return False
    still = {moves.moved(span) for span in left}
    return all(entry.span in still for claim in after.findings for entry in claim.bad)


class _Moves:
    """Where the stretches of a source are after edits, made one set after the other."""

    def __init__(self) -> None:
        self.sets: list[list[tuple[int, int, int]]] = []  # start, end, and by how much what follows has moved

    def add(self, edits: Edits) -> None:
        total, found = 0, []
        for (start, end), text in sorted(edits.items()):
            total += len(text) - (end - start)
            found.append((start, end, total))
        self.sets.append(found)

    def moved(self, span: Span) -> Span:
        for edits in self.sets:
            span = (_shift(span[0], edits, start=True), _shift(span[1], edits, start=False))
        return span


def _shift(offset: int, edits: list[tuple[int, int, int]], *, start: bool) -> int:
    """An offset after the edits; one within an edit goes to the end of it that is asked for."""
    total = 0
    for first, end, after in edits:
        if offset <= first:
            break
        if offset < end:
            return first + total if start else end + after
        total = after
    return offset + total


def _edits(report: Findings, article: Article, left: Collection[Span]) -> dict[Span, str]:
    """New text for stretches of the source; what is wanted in two ways stays as it is."""
    wanted: dict[Span, set[str | None]] = {e.span: set() for c in report.findings for e in c.bad if e.span}
    wanted = {span: texts for span, texts in wanted.items() if span not in left}
    if wanted:
        for claim, entry, span in find_copies(report, article):
            if entry.span not in left:
                wanted.setdefault(span, set()).add(_replacement(claim, entry, span, article))
    for claim in report.findings:
        for entry in claim.entries:
            if entry.span in wanted:
                wanted[entry.span].add(_replacement(claim, entry, entry.span, article))
    edits: dict[Span, str] = {}
    end = 0
    for span, texts in sorted(wanted.items()):
        (text, *others) = texts
        if not others and text is not None and span[0] >= end:
            edits[span] = text
            end = span[1]
    return edits


def _replacement(claim: Claim, entry: Finding, span: Span, article: Article) -> str | None:
    """The right digits as the source has to spell them; None where that is not certain."""
    there = article.source[slice(*span)]
    if entry.verdict not in BAD:
        return there
    right = entry.correction
    if right == "-inf":
        right = r"-\\infty" if "\\" in claim.text else "-inf"
    elif any(c in entry.printed for c in "∞f"):
        return None  # a number for an infinity: with how many digits, nobody has said
    for spell in (_in_json, _in_json_ascii) if article.path.lower().endswith(".ipynb") else (str,):
        printed = spell(entry.printed)
        if there == printed:
            return spell(right)
        if there.endswith(printed) and there[: -len(printed)].strip() in (r"\approx", "~", r"\sim", "≈", r"\\approx"):
            return there[: -len(printed)] + spell(right)
    if html.unescape(there) == entry.printed and html.escape(right) == right:
        return right
    return None


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _in_json_ascii(text: str) -> str:
    return json.dumps(text)[1:-1]


def _apply_edits(source: str, edits: Edits) -> str:
    parts, done = [], 0
    for (start, end), text in sorted(edits.items()):
        parts += [source[done:start], text]
        done = end
    return "".join([*parts, source[done:]])


def unified_diff(path: str, before: str, after: str, encoding: str = "utf-8") -> str:
    """The difference as `patch -p1` and `git apply` read it; empty where there is none.

    These compare bytes, so the lines of a file in UTF-16 are its bytes, whatever they look like as UTF-8.

    >>> print(unified_diff("a.md", "1\\n2\\n", "1\\n3\\n"), end="")
    --- a/a.md
    +++ b/a.md
    @@ -1,2 +1,2 @@
     1
    -2
    +3
    """
    if encoding != "utf-8":
        before, after = (text.encode(encoding).decode("utf-8", "surrogateescape") for text in (before, after))
    old, new = (_header_name(f"{side}/{_from_folder(path) or _from_root(path)}") for side in "ab")
    lines = difflib.unified_diff(_lines(before), _lines(after), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _from_folder(path: str) -> str | None:
    """The path from the current folder, with slashes; None for a file that is neither in it nor below it."""
    there, here = Path(os.path.realpath(path)), Path(os.path.realpath("."))
    return there.relative_to(here).as_posix() if there.is_relative_to(here) else None


def _from_root(path: str) -> str:
    there = Path(os.path.realpath(path))
    return there.relative_to(there.anchor).as_posix()


def where_to_apply(path: str) -> Sentence | None:
    """Where the patch of a file is to be applied, if not in the current folder.

    The patch program follows no "..", and a path from the root only where it is at the root.
    """
    if _from_folder(path) is not None:
        return None
    return Sentence("patch_elsewhere", root=Path(os.path.realpath(path)).anchor)


def _header_name(path: str) -> str:
    """A name in the header of a diff: before a tab where it has spaces, quoted as in C where it has what ends one.

    >>> _header_name("a/b c.md"), _header_name("a/b\\nc.md")
    ('a/b c.md\\t', '"a/b\\\\nc.md"')
    """
    if any(c in '"\\' or not c.isprintable() for c in path):
        plain = (c if c.isprintable() and c not in '"\\' else _octal(c) for c in path)
        return '"' + "".join(plain) + '"'
    return path + "\t" if " " in path else path


def _octal(character: str) -> str:
    known = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    octal = "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))
    return known.get(character, octal)


def _lines(source: str) -> list[str]:
    """Lines as `patch` counts them: nothing but a line feed ends one."""
    lines = source.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def patch_notes(correction: Correction) -> Iterator[tuple[int | None, int | None, Sentence]]:
    """What the patch leaves wrong: line, column and a sentence for each."""
    for claim, entry in correction.left:
        yield claim.line, claim.column, Sentence("patch_left", printed=entry.printed, right=entry.decimal)
