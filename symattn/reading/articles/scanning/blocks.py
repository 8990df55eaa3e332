"""The blocks of a Markdown page, or of a text that looks like one: fences, tables, text between."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.articles.article import Located, has_digits, join
from symattn.reading.articles.scanning.cleaning import clean_formula, clean_line
from symattn.reading.articles.scanning.code.quoted import labels_of, lines_in_strings
from symattn.reading.articles.scanning.code.sessions import session_end
from symattn.reading.articles.scanning.delimiters import Region, find_regions, joints
from symattn.reading.articles.scanning.finding import Found, seen
from symattn.reading.articles.scanning.leads import with_leads
from symattn.reading.articles.scanning.passages import find_in_line, find_in_lines, lines_of
from symattn.reading.articles.scanning.pictures import find_pictures
from symattn.reading.articles.scanning.programs import (
    find_equation,
    find_in_program,
    find_in_session,
    is_program,
    pairs_with,
    take_results,
)
from symattn.reading.articles.scanning.sheets import find_in_sheet, is_sheet
from symattn.reading.articles.scanning.simple_tables import read_simple_table
from symattn.reading.articles.scanning.spoken.rows import find_spoken_rows
from symattn.reading.articles.scanning.spoken.sizes import find_spoken_sizes
from symattn.reading.articles.scanning.spoken.totals import total_below
from symattn.reading.articles.scanning.tables import Context, cells_of, find_in_table, is_delimiter
from symattn.reading.articles.scanning.worked.cells import take_worked_cells
from symattn.reading.articles.scanning.worked.earlier import EarlierTables
from symattn.writing.prose import Sentence

FENCE = regex(r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?P<mark>`{3,}|~{3,})[ \t]*\{?(?P<info>[^\s`}]*)[^`\n]*")
_ROW = regex(r"[ \t>]*\|[^\n]*\|\s*")
_MARK = regex(r"<!--\s*/?symattn(?=[\s-])(?:(?!-->).){0,2000}+-->", re.DOTALL)  # of a placeholder
_QUOTE = regex(r"[ \t]{0,3}(?:>[ \t]?)+")
_WORDS_OF_PROGRAMS = """
    python py python3 ipython julia r matlab javascript js typescript ts java c cpp rust go numpy
    pytorch jsx tsx
"""
_PROGRAMS = frozenset(_WORDS_OF_PROGRAMS.split())
_WORDS_OF_SKIPPED = "mermaid bash sh shell json yaml toml html css xml dot plantuml"
_SKIPPED = frozenset(_WORDS_OF_SKIPPED.split())
_WORDS_OF_SPLIT_MATH = "math latex tex katex"
_OUTPUTS = frozenset(("", "text", "output", "console", "out", "plaintext", "txt", "shell", "bash"))
_SETTING = regex(r"[\w\"'#{\[-]")  # how the settings of a page begin
_OUTPUT = regex(
    r"[\s#>*_]*(?:[\w ]{0,30}(?:outputs?|prints?|results?)(?: (?:is|are|below|looks? like|as follows)){0,2}"
    r"|out ?\[\d+\]"
    r"|(?:程序)?(?:运行|执行|打印)?后?的?(?:输出|结果)(?:结果)?(?:如下|为|是)?"
    r"|(?:実行|計算)?の?(?:出力|結果)(?:は以下の(?:通り|とおり)(?:です)?)?"
    r"|(?:실행 ?)?(?:출력|결과)(?:는 다음과 같다)?|sortie|salida|saída|ausgabe|вывод)[\s*_:：]*",
    re.IGNORECASE,
)
_TABLE_TAG = regex(r"<(?P<close>/?)table\b[^<>]{0,500}>", re.IGNORECASE)
_MOST_TABLE_LINES = 1_000
_MOST_BETWEEN = 12  # lines between a table and one that goes on with it
_TABLE_ROW = regex(r"<tr\b[^<>]{0,500}>", re.IGNORECASE)
_TABLE_CELL = regex(r"<(?P<kind>t[dh])\b[^<>]{0,500}>", re.IGNORECASE)
_END_OF_CELL = regex(r"</t[dhr]>.*", re.IGNORECASE | re.DOTALL)
_BREAKS = regex(r"\s*\n\s*")
_NUMBER_CELL = regex(r"(?<=\|)\s*(?:\$|\\\()\s*[-−]?\d+(?:(?:\.|\{,\})\d+)?\s*(?:\$|\\\))\s*(?=\|)")
_VECTOR_CELL = regex(r"(?<=\|)\s*(?:[`$]|\\\()\s*\[[-−+\d.,\s∞]{1,200}\]\s*(?:[`$]|\\\))\s*(?=\|)")
_MARKS = regex(r"[`$]|\\[()]")
_RAW = regex(r"`([^`\n]{1,200})`\{=(?:tex|latex)\}")  # Pandoc's
_CODE = regex(r"(?<!`)`(?!`)[^`\n=≈]{1,200}`(?!`)")
_RELATED_BEFORE = regex(r"(?<![<>!=:])[=≈] ?$")
_RELATED_AFTER = regex(r" ?[=≈](?![=>])")
_SPLIT_MATH = frozenset(_WORDS_OF_SPLIT_MATH.split())


Block = tuple[int, Iterator[Found]]  # the line after it, and the mathematics in it


def find_in_blocks(text: Located) -> Iterator[Found]:
    """All mathematics of a page, block by block; marks of placeholders are no text, what they hold is."""
    page = _Page(lines_of(text.substitute(_MARK, lambda _: "")))
    held: list[Located] = []
    k = front_matter_end(page.lines)
    while k < len(page.lines):
        block = page.block_at(k)
        if block is None:
            held.append(page.lines[k])
            k += 1
            continue
        yield from find_in_text(held)
        held = []
        k, found = block
        yield from found
    yield from find_in_text(held)


class _Page:
    """The lines of a page, and the blocks that begin at them: fences, sessions and tables."""

    def __init__(self, lines: list[Located]) -> None:
        self.lines = lines
        self._tables, self._after_table = EarlierTables(), 0

    def block_at(self, k: int) -> Block | None:
        for read in (self._fence, self._session, self._pipes, self._ruled, self._rows, self._html, self._strings):
            if (block := read(k)) is not None:
                return block
        return None

    def _fence(self, k: int) -> Block | None:
        lines = self.lines
        fence = FENCE.fullmatch(lines[k].text) if "```" in lines[k].text or "~~~" in lines[k].text else None
        end = fence_end(lines, k, fence["mark"]) if fence else 0
        if not fence or not end:
            return None
        info = fence["info"].lower().strip(".")
        inside = [_unquote(line) for line in lines[k + 1 : end]]
        start, stop = _output_of(lines, end + 1) if info in _PROGRAMS else (end + 1, end + 1)
        if start < stop and pairs_with(lines[k + 1 : end], lines[start:stop]):
            return stop + 1, _find_in_program_run(inside, lines[start:stop])
        if any(session_end(lines[k + 1 : end], i) for i in range(end - k - 1)):
            return end + 1, _find_in_session(inside, lines[k + 1 : end])
        if _is_directive(lines[k].text, info) and any("$" in line.text for line in inside):
            return end + 1, find_in_blocks(join(inside, "\n"))
        total = total_below(inside, lines[end + 1 : end + 3])
        told = [] if total is None else [Found(total, "line")]
        return end + 1, itertools.chain(_find_in_fence(inside, info), told)

    def _session(self, k: int) -> Block | None:
        end = session_end(self.lines, k)
        return (end, _find_in_session(self.lines[k:end], self.lines[k:end])) if end else None

    def _pipes(self, k: int) -> Block | None:
        lines = self.lines
        if k + 1 >= len(lines) or "|" not in lines[k].text or not is_delimiter(_unquote(lines[k + 1]).text):
            return None
        end = k + 2
        while end < len(lines) and "|" in lines[end].text:
            end += 1
        return self._table([_unquote(line) for line in lines[k:end]], k, end)

    def _ruled(self, k: int) -> Block | None:
        table = read_simple_table(self.lines, k)
        return None if table is None else self._table(table[0], k, table[1])

    def _table(self, pipes: list[Located], k: int, end: int) -> Block:
        between = self.lines[max(self._after_table, k - _MOST_BETWEEN) : k]
        self._after_table = end
        return end, _find_in_pipes(pipes, _words_above(self.lines, k), self._tables, between)

    def _rows(self, k: int) -> Block | None:
        if self.lines[k].text.count("|") <= 2 or not _ROW.fullmatch(self.lines[k].text):
            return None
        rows, end = _rows_from(self.lines, k)
        return end, itertools.chain(seen(rows, "table"), find_in_rows(rows, _is_header(rows)))

    def _strings(self, k: int) -> Block | None:
        quoted = lines_in_strings(self.lines, k) if self.lines[k].text.lstrip()[:1] in ("'", '"') else None
        return None if quoted is None else (quoted[1], _find_in_fence(quoted[0], ""))

    def _html(self, k: int) -> Block | None:
        end = _end_of_html_table(self.lines, k)
        table = join(self.lines[k:end], "\n")
        return (end, _find_in_html_table(table, _words_above(self.lines, k))) if end else None


def _find_in_program_run(program: list[Located], printed: list[Located]) -> Iterator[Found]:
    yield from seen(program, "program")
    yield from seen(printed, "output")
    yield from find_in_program(program, printed, run=False)


def _find_in_session(shown: list[Located], lines: list[Located]) -> Iterator[Found]:
    yield from seen(shown, "program")
    yield from find_in_session(lines)


def _end_of_html_table(lines: list[Located], k: int) -> int:
    """The line after a table of HTML that begins here, 0 if none does or it holds another or has no end."""
    if "<" not in lines[k].text or not (tag := _TABLE_TAG.match(lines[k].text.lstrip(" \t>"))) or tag["close"]:
        return 0
    depth = 0
    for end in range(k, min(k + _MOST_TABLE_LINES, len(lines))):
        for tag in _TABLE_TAG.finditer(lines[end].text):
            depth += -1 if tag["close"] else 1
            if depth > 1:
                return 0
        if depth <= 0:
            return end + 1
    return 0


def _find_in_html_table(table: Located, above: Located | None) -> Iterator[Found]:
    """A table of HTML in a page of Markdown, read as the pipe table with the same cells."""
    starts = [row.start() for row in _TABLE_ROW.finditer(table.text)]
    rows, header = [], False
    for start, end in pairwise([*starts, len(table.text)]):
        row = table.cut(start, end)
        opened = list(_TABLE_CELL.finditer(row.text))
        header = header or (start == starts[0] and any(cell["kind"].lower() == "th" for cell in opened))
        bounds = [*(cell.start() for cell in opened), len(row.text)]
        cells = [
            row.cut(cell.end(), stop).substitute(_END_OF_CELL, lambda _: "").substitute(_BREAKS, lambda _: " ").strip()
            for cell, stop in zip(opened, bounds[1:], strict=True)
        ]
        if cells:
            yield from seen(cells, "table")
            rows.append(join([Located("", ()), *cells, Located("", ())], " | "))
    if rows:
        yield from find_in_rows(rows, header, above)


def _is_directive(opening: str, info: str) -> bool:
    """Whether a fence holds a part of the page, as those of MyST and Quarto do, ```{note}, and no program."""
    named = info.isalpha() and info not in _PROGRAMS | _SKIPPED | _SPLIT_MATH and not info.startswith("code")
    return named and opening.lstrip("`~ \t>").startswith("{")


def _output_of(lines: list[Located], k: int) -> tuple[int, int]:
    """Which lines are a program's output: those of the next fence, with nothing before it or a word that says so."""
    words = 0
    while k < len(lines) and words < 2:
        fence = FENCE.fullmatch(lines[k].text)
        if fence:
            says = fence["info"].lower() in _OUTPUTS
            end = fence_end(lines, k, fence["mark"])
            return (k + 1, end) if words or says else (k + 1, k + 1)
        if lines[k].text.strip():
            if not _OUTPUT.fullmatch(lines[k].text):
                break
            words += 1
        k += 1
    return k, k


def front_matter_end(lines: list[Located]) -> int:
    """Past the settings between `---` (or `+++`) that a page may begin with."""
    first = lines[0].text.lstrip("\ufeff").rstrip()
    if first not in ("---", "+++") or (len(lines) > 1 and not _SETTING.match(lines[1].text)):
        return 0  # a rule across the page
    for k in range(1, min(len(lines), 200)):
        if lines[k].text.rstrip() == first:
            return k + 1
    return 0


def fence_end(lines: list[Located], start: int, mark: str) -> int:
    """The line that closes a fence, or where the page ends (as CommonMark has it)."""
    closing = re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    for k in range(start + 1, len(lines)):
        if closing.fullmatch(lines[k].text):
            return k
    return len(lines)


def _find_in_fence(lines: list[Located], info: str) -> Iterator[Found]:
    if info == "mermaid":
        yield from find_in_text(labels_of(lines))
    if info in _SKIPPED:
        return
    if info == "math":
        yield Found(join(lines, "\n") if lines else Located("", ()), "display")
    elif info in _SPLIT_MATH:
        yield from find_in_text(lines)
    elif info in _PROGRAMS and is_program(lines):
        yield from seen(lines, "program")
        yield from find_in_program(lines)
    else:
        yield from seen(lines, "code")
        results, lines = take_results(lines) if info in _PROGRAMS else ([], lines)
        yield from find_in_code(lines)
        yield from results


def find_in_code(lines: list[Located]) -> Iterator[Found]:
    """Lines of code with the tables drawn among them."""
    held: list[Located] = []
    k = 0
    while k < len(lines):
        table = read_simple_table(lines, k)
        if table is None:
            held.append(lines[k])
            k += 1
            continue
        yield from find_in_lines(held, "code")
        yield from find_in_rows([row for row in table[0] if not is_delimiter(row.text)], True, _words_above(lines, k))
        held, k = [], table[1]
    yield from find_in_lines(held, "code")


def _words_above(lines: list[Located], k: int) -> Located | None:
    """The last line of words before a table."""
    above = [line for line in lines[max(k - 2, 0) : k] if line.text.strip()]
    return above[-1] if above and len(above[-1].text) < 1_000 else None


def _find_in_pipes(
    lines: list[Located], above: Located | None, tables: EarlierTables, between: list[Located]
) -> Iterator[Found]:
    """A pipe table with a header and its line of dashes, which may go on with a table before it."""
    rows = [lines[0], *lines[2:]]
    yield from seen(rows, "table")
    header, *cells = (cells_of(clean_line(row)) for row in rows)
    further = tables.find(cells, header, between)
    tables.note(cells, header)
    if further:
        yield from (Found(equation, "table") for equation in further)
    else:
        yield from find_in_rows(rows, True, above)


def _rows_from(lines: list[Located], first: int) -> tuple[list[Located], int]:
    """The lines of a table without a line of dashes, blank ones between them left out; and the line after it."""
    rows, k, end = [lines[first]], first + 1, first + 1
    while k < len(lines):
        if lines[k].text.strip():
            another = k + 1 < len(lines) and is_delimiter(_unquote(lines[k + 1]).text)
            if another or lines[k].text.count("|") != rows[0].text.count("|") or not _ROW.fullmatch(lines[k].text):
                break
            rows.append(lines[k])
            end = k + 1
        k += 1
    return rows, end


def _is_header(rows: list[Located]) -> bool:
    return len(rows) > 2 and not has_digits(rows[0].text)


def find_in_rows(lines: list[Located], header: bool, above: Located | None = None) -> Iterator[Found]:
    """Lines of a pipe table: formulas between marks are read from the lines, the rest from the cells."""
    rows, written = [], []  # without and with these formulas
    if header:
        worked, lines = take_worked_cells(lines)
        yield from (Found(equation, "table") for equation in worked)
    lines = [_with_plain_cells(line) for line in lines]
    for line in lines:
        regions = find_regions(line.text)
        yield from _mark(line, regions)
        rows.append(cells_of(clean_line(_mask(line, regions))))
        written.append(cells_of(clean_line(line)) if regions else rows[-1])
    context = Context(written[0] if header else (), written[header:], above)
    yield from find_in_table(rows[header:], rows[0] if header else (), context)


def _with_plain_cells(line: Located) -> Located:
    """The line with the marks blanked out around what is one number, or one list, and all of its cell: `| $0.5$ |`."""

    def without_marks(cell: re.Match[str]) -> str:
        return _MARKS.sub(lambda mark: " " * len(mark[0]), cell[0])

    return Located(_VECTOR_CELL.sub(without_marks, _NUMBER_CELL.sub(without_marks, line.text)), line.runs)


def _mask(line: Located, regions: list[Region]) -> Located:
    """The line with its marked formulas blanked out, so that no cell reads them again."""
    text = line.text
    for region in regions:
        if region.kind != "unclosed":
            text = text[: region.start] + " " * (region.end - region.start) + text[region.end :]
    return Located(text, line.runs)


def _unquote(line: Located) -> Located:
    match = _QUOTE.match(line.text) if ">" in line.text else None
    return line.cut(match.end(), len(line.text)) if match else line


def find_in_text(lines: list[Located]) -> Iterator[Found]:
    """Text between blocks: formulas between marks, and what else of the lines is mathematics."""
    if not any(line.text.strip() for line in lines):
        return
    lines = [_unquote(line) for line in lines]
    text = join(lines, "\n")
    yield from seen([text], "line")
    if is_sheet(lines):
        yield from find_in_sheet(lines)
        return
    yield from (Found(equation, "inline") for equation in find_spoken_sizes(text))
    pictures = list(find_pictures(text))
    spoken = list(find_spoken_rows(text))
    if pictures or spoken or "{=" in text.text:
        yield from (found for _, found in pictures)
        yield from (Found(equation, "inline") for _, equation in spoken)
        raw = [
            span
            for match in _RAW.finditer(text.text)
            for span in ((match.start(), match.start(1)), (match.end(1), match.end()))
        ]
        text = text.without(sorted([span for span, _ in (*pictures, *spoken)] + raw))
        lines = lines_of(text)
    if "`" in text.text:
        text = text.without(_marks_of_related_code(text.text))
        lines = lines_of(text)
    if (led := with_leads(text)) is not text:
        text, lines = led, lines_of(led)
    regions = find_regions(text.text)
    if between := list(joints(text.text, regions)):
        text = text.without(between)
        lines, regions = lines_of(text), find_regions(text.text)
    yield from _mark(text, regions)
    plain: list[Located] = []
    k = at = 0
    for line in lines:
        end = at + len(line.text)
        while k < len(regions) and regions[k].end <= at:
            k += 1
        if k < len(regions) and regions[k].start < end:
            yield from find_in_lines(plain)
            plain = []
            yield from _between(text, regions, k, at, end)
        else:
            plain.append(line)
        at = end + 1
    yield from find_in_lines(plain)


def _marks_of_related_code(text: str) -> list[tuple[int, int]]:
    """The marks of code that is a side of an equation which goes on around it: `a * b` = `12`, A ≈ `[0.3, 0.7]`."""
    marks: list[tuple[int, int]] = []
    for code in _CODE.finditer(text):
        if _RELATED_BEFORE.search(text, max(code.start() - 4, 0), code.start()) or _RELATED_AFTER.match(
            text, code.end()
        ):
            marks += [(code.start(), code.start() + 1), (code.end() - 1, code.end())]
    return marks


def _between(text: Located, regions: list[Region], k: int, start: int, end: int) -> Iterator[Found]:
    """What a line holds beside its marked formulas."""
    at = start
    while k < len(regions) and regions[k].start < end:
        if at < regions[k].start:
            yield from find_in_line(clean_line(text.cut(at, regions[k].start)), "line")
        at = max(at, regions[k].end)
        k += 1
    if at < end:
        yield from find_in_line(clean_line(text.cut(at, end)), "line")


_ENDS_IN_NUMBER = regex(r"(?:[=≈]|\\approx|\\sim(?:eq)?)[\s\\,]*\d(?:[\d.,{}]*\d)?$")
_COUNTS_BEHIND = regex(  # `$2 \cdot 3 = 6$ million`, `$…$M`, `$…$ M.`
    r"(\s?(?:thousand|[mbtr]+illion|[万萬亿億])(?![A-Za-z])|[kKMBGT](?![\w/]))"
    r"|[ ~\u00a0\u202f]([MGB])(?=[.,;:)，。；]|\s?(?:[Pp]aram|[Pp]ar[aá]m|tokens?\b|参数))"
)


_ENDS_IN_SIGN = regex(r"(?:[=≈]|\\approx|\\simeq)[ \\,;]*$")
_RESULT_BEHIND = regex(
    r" ?(?:\*\*|__)(?P<number>[-−]?\d[\d,]*(?:\.\d+)?(?: ?(?:[KMGT]i?B|[KMBT])(?![\w/]))?)\s?(?:\*\*|__)(?![\w/×*·^])"
    r"| ?(?P<plain>[-−]?\d[\d,]*(?:\.\d+)?)(?=[ \t]*(?:$|[.;:)。；，）]\s|[。；，）]))",
    re.MULTILINE,
)


def _with_counts(formula: Located, text: Located, region: Region) -> Located:
    """The formula with the word or letter behind its closing mark that says how much its last number counts.

    One that ends in a sign of equality has its result there: `$2 \\cdot 3 =$ **6**`, `$2 \\cdot 3 =$ 6`.
    """
    ends = has_digits(formula.text) and _ENDS_IN_SIGN.search(formula.text)
    result = _RESULT_BEHIND.match(text.text, region.end) if ends else None
    if result is not None:
        return join([formula, text.cut(*result.span(result.lastgroup or 0)).led_by(" ")])
    behind = _COUNTS_BEHIND.match(text.text, region.end) if _ENDS_IN_NUMBER.search(formula.text) else None
    return formula if behind is None else join([formula, text.cut(*behind.span(behind.lastindex or 0))])


def _mark(text: Located, regions: list[Region]) -> Iterator[Found]:
    for region in regions:
        inner = text.cut(region.inner_start, region.inner_end)
        if region.kind == "comment":
            continue
        if region.kind == "unclosed":
            yield Found(inner, "display", reason=Sentence("formula_not_closed", mark=inner.text))
            continue
        if region.kind == "code":
            equation = find_equation(inner)
            yield from [Found(equation, "code")] if equation else find_in_line(clean_line(inner), "code")
        else:
            formula = clean_formula(inner).strip("$ \t\r\n")
            yield Found(_with_counts(formula, text, region) if region.kind == "inline" else formula, region.kind)
