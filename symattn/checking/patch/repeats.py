"""Wrong numbers that an article repeats: 400 printed, and then 400/1.414 written out, or "the largest is 400".

A copy is certain where a whole matrix is repeated, cell by cell, or a row of numbers as a row of a matrix; where a
number that follows from the wrong one stands behind arithmetic that contains it; in words, where nothing else in the
article has the same digits.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping

from symattn.checking import BAD, Cause, Claim, Finding, Findings
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, Passage
from symattn.reading.articles.scanning.rendered import find_pairs

Span = tuple[int, int]
Copy = tuple[Claim, Finding, Span]
Table = frozenset[tuple[int, int, str]]  # row, column, text of every cell
_FEWEST = 3  # numbers of a row by which it is known again


def find_copies(report: Findings, article: Article) -> Iterator[Copy]:
    """Each copy of a wrong number in arithmetic: its claim, the finding, and where the copy stands in the source."""
    wrong = [claim for claim in report.findings if claim.bad]
    if not wrong:
        return
    matrices: dict[Table, list[Claim]] = {}
    for claim in wrong:
        matrices.setdefault(frozenset((e.row, e.column, e.printed) for e in claim.entries), []).append(claim)
    starts = sorted((e.span[0], k) for k, claim in enumerate(wrong) for e in claim.bad if e.span is not None)
    for passage in article.passages:
        for chain in passage.chains:
            first, last = (bisect_left(starts, (at, -1)) for at in passage.source_span(chain.start, chain.end))
            following = [wrong[k] for k in dict.fromkeys(k for _, k in starts[first:last])]
            for side in chain.sides:
                if len(chain.sides) == 1 or not f.is_printed(side.expression):
                    yield from _in_matrices(side.expression, matrices, passage)
                    yield from _in_arithmetic(side.expression, following, report, passage)


def _in_matrices(expression: f.Expression, wrong: Mapping[Table, list[Claim]], passage: Passage) -> Iterator[Copy]:
    for part in f.walk(expression):
        if not isinstance(part, f.Matrix) or len(part.rows) * len(part.rows[0]) < 2:
            continue
        leading = {(i, j): _leading(c) for i, row in enumerate(part.rows, 1) for j, c in enumerate(row, 1)}
        rows = [{(1, j): number for (k, j), number in leading.items() if k == i} for i in range(1, len(part.rows) + 1)]
        telling = [row for row in rows if len({n.text for n in row.values() if n is not None}) >= _FEWEST]
        for cells in [leading] if _table(leading) in wrong else telling:
            alike = wrong.get(_table(cells), [])
            claims = _before(alike, passage.source_span(part.start, part.end)[0]) or alike
            if len({_mended(claim) for claim in claims}) == 1:
                yield from _in_cells(claims[0], cells, passage)


def _before(claims: Iterable[Claim], offset: int) -> list[Claim]:
    """The claims that stand before an offset: a copy comes after what it is a copy of."""
    return [claim for claim in claims if all(e.span is None or e.span[0] < offset for e in claim.entries)]


def _mended(claim: Claim) -> tuple[str, ...]:
    return tuple(e.correction if e.verdict in BAD else e.printed for e in claim.entries)


def _table(cells: Mapping[tuple[int, int], f.Number | None]) -> Table:
    return frozenset((i, j, n.text if n is not None else "") for (i, j), n in cells.items())


def _in_cells(claim: Claim, cells: Mapping[tuple[int, int], f.Number | None], passage: Passage) -> Iterator[Copy]:
    """The copies of a claim's wrong numbers, one in the place of each."""
    for entry in claim.bad:
        number = cells[entry.row, entry.column]
        if number is not None:
            yield claim, entry, passage.source_span(number.start, number.end)


def _leading(cell: f.Expression) -> f.Number | None:
    """The number itself, or the one above the bar of a quotient: what 400/1.414 takes from the matrix before."""
    if isinstance(cell, f.Quotient):
        return _leading(cell.numerator)
    return cell if isinstance(cell, f.Number) else None


def _in_arithmetic(
    expression: f.Expression, following: list[Claim], report: Findings, passage: Passage
) -> Iterator[Copy]:
    """Numbers outside of matrices, where what follows in the chain and a number printed just so have one cause."""
    if any(isinstance(part, f.Matrix | f.Name) for part in f.walk(expression)):
        return
    causes = {e.because for c in following for e in c.bad if isinstance(e.because, Cause)}
    known = {
        entry.printed: (claim, entry)
        for claim in report.findings
        for entry in claim.bad
        if root_of(claim, entry) in causes
    }
    for part in f.walk(expression):
        if isinstance(part, f.Number) and part.text in known:
            yield *known[part.text], passage.source_span(part.start, part.end)


def root_of(claim: Claim, entry: Finding) -> Cause:
    """The wrong number that a finding follows from, or is."""
    if isinstance(entry.because, Cause):
        return entry.because
    return Cause(claim.line, claim.subject, entry.row, entry.column)


def find_in_prose(article: Article, edits: Mapping[Span, str]) -> dict[Span, str]:
    """The same edits for the words and comments that speak of these numbers, in the section of the first and later.

    A number is known again by three significant digits, or by a point and two within its section, and only if the
    article's mathematics has it nowhere else.
    """
    source = article.source
    wanted: dict[str, set[str]] = {}
    first: dict[str, Span] = {}
    for span, text in sorted(edits.items()):
        old, new = _DIGITS.fullmatch(source[slice(*span)]), _DIGITS.fullmatch(text)
        if old is not None and new is not None and old[1] == new[1]:
            wanted.setdefault(old[2], set()).add(new[2])
            first.setdefault(old[2], span)
    certain = {digits: next(iter(new)) for digits, new in wanted.items() if _telling(digits) and len(new) == 1}
    found: dict[str, list[Span]] = {digits: [] for digits in certain}
    mathematics = _Mathematics(article)
    skipped = [m.span() for m in _NO_PROSE.finditer(source)]
    for match in _NUMBER_IN_PROSE.finditer(source) if certain else ():
        if match[0] not in found or any(a < match.end() and b > match.start() for a, b in edits):
            continue
        if mathematics.holds(match.start()) or _is_calculated(source, match.start()):
            found.pop(match[0])
        elif not any(a <= match.start() < b for a, b in skipped):
            found[match[0]].append(match.span())
    result: dict[Span, str] = {}
    for digits, spans in found.items():
        start, stop = _section(source, first[digits][0], whole=_significant(digits) > 2)
        result |= {span: certain[digits] for span in spans if start <= span[0] < stop}
    return result


def _is_calculated(source: str, offset: int) -> bool:
    """Whether a number stands in the row of a table in which numbers are multiplied or added: it may be what they make.

    >>> _is_calculated("| FFN | 2 × 256 | 512 |", 18), _is_calculated("| FFN | 512 |", 8)
    (True, False)
    """
    end = source.find("\n", offset)
    line = source[source.rfind("\n", 0, offset) + 1 : end if end >= 0 else len(source)]
    return line.lstrip(" \t>").startswith("|") and _CALCULATION.search(line) is not None


_CALCULATION = regex(r"[0-9)][ \t$]*(?:[-−+*/×·÷^]|\\(?:cdot|times|div)\b)[ \t$]*[0-9(\\]")


class _Mathematics:
    """Where an article's formulas stand; a number that stands alone in one is part of the words."""

    def __init__(self, article: Article) -> None:
        passages = (p for p in article.passages if not _DIGITS.fullmatch(p.text.strip()))
        self.spans = sorted(p.source_span(0, len(p.text)) for p in passages)
        self.starts = [start for start, _ in self.spans]

    def holds(self, offset: int) -> bool:
        k = bisect_right(self.starts, offset) - 1
        return k >= 0 and offset < self.spans[k][1]


def _significant(digits: str) -> int:
    return len(digits.replace(".", "").lstrip("0"))


def _telling(digits: str) -> bool:
    """Whether digits are so many that they are hardly there by chance, and no year."""
    if "." not in digits:
        return len(digits) > 2 and not (len(digits) == 4 and digits[:2] in ("19", "20"))
    return _significant(digits) > 1


def _section(source: str, offset: int, *, whole: bool) -> Span:
    """From the heading before to the next one, or to the end."""
    start, stop = 0, len(source)
    for match in _HEADING.finditer(source):
        if match.start() > offset:
            stop = match.start()
            break
        start = match.start()
    return start, len(source) if whole else stop


_NUMBER_IN_PROSE = regex(r"(?<![\w.,^{/#-])[0-9]+(?:\.[0-9]+)?(?![\w%]|[.,/:-][0-9])")
_NO_PROSE = regex(r"<[^<>]*>|\w+://\S+|\]\([^()\n]*\)")
_HEADING = regex(r"^[ \t>]*\"?#{1,6} |\\(?:sub)*section\b|<h[1-6]\b", re.MULTILINE)


def edit_twins(article: Article, edits: Mapping[Span, str]) -> dict[Span, str]:
    """The edits, with the same for a formula's rendered half where a pasted page has it in front of its TeX: 400400.

    An edit whose other half cannot be told is left out: with one half alone the formula would no longer be read.

    >>> from symattn.reading.articles import read_article
    >>> edit_twins(read_article(r"=[1258]= \\begin{bmatrix} 12 & 58 \\end{bmatrix}" + "\\n"), {(30, 32): "7"})
    {(4, 6): '7', (30, 32): '7'}
    """
    found: dict[Span, str] = {}
    runs = [(at, at + length) for p in article.passages for _, at, length in p.runs]
    for line_span, inside in _by_line(article.source, edits):
        line = article.source[slice(*line_span)]
        read = [(a - line_span[0], b - line_span[0]) for a, b in runs if a < line_span[1] and b > line_span[0]]
        pairs = [p for p in find_pairs(line) if not any(a < p.split and b > p.start for a, b in read)]
        for start, end in inside:
            at = (start - line_span[0], end - line_span[0])
            pair = next((p for p in pairs if p.split <= at[0] < p.end), None)
            if pair is not None:
                twin = _twin(line, at, (pair.start, pair.split, pair.end))
                old, new = _DIGITS.fullmatch(article.source[start:end]), _DIGITS.fullmatch(edits[start, end])
                if twin is None or old is None or new is None or line[slice(*twin)] != old[2] or old[1] != new[1]:
                    continue
                found[line_span[0] + twin[0], line_span[0] + twin[1]] = new[2]
            found[start, end] = edits[start, end]
    return dict(sorted(found.items()))


def _by_line(source: str, spans: Iterable[Span]) -> Iterator[tuple[Span, list[Span]]]:
    lines: dict[Span, list[Span]] = {}
    for start, end in spans:
        stop = source.find("\n", end)
        line = (source.rfind("\n", 0, start) + 1, stop if stop >= 0 else len(source))
        lines.setdefault(line, []).append((start, end))
    yield from lines.items()


_DIGITS = regex(r"([-−]?\s*)([0-9]+(?:\.[0-9]+)?)")


def _twin(line: str, span: Span, pair: tuple[int, int, int]) -> Span | None:
    """Where the digits of a stretch of the TeX stand in the half as seen: both have the same digits in order."""
    seen = [k for k in range(pair[0], pair[1]) if line[k] in "0123456789"]
    tex = [k for k in range(pair[1], pair[2]) if line[k] in "0123456789"]
    if [line[k] for k in seen] != [line[k] for k in tex]:
        return None
    inside = [i for i, k in enumerate(tex) if span[0] <= k < span[1]]
    return (seen[inside[0]], seen[inside[-1]] + 1) if inside else None
