"""Matrices that run over several lines: nested lists, program prints, labelled rows, several side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from symattn.patterns import is_found_by, regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.titled_rows import is_below_words, label_of, title_of

MOST_LINES = 2_000  # of one matrix

# possessive, so that no line takes more than one pass
_ROW_LINE = regex(
    r"(?:[\s\[\](),.;…\\\d+\-−*·⋅×@/eE∞%|<>=≈:'\"_]|inf|nan|dtype|grad_fn|device|requires_grad|float\d*|int\d*|torch|np|True|cuda"
    r"|[A-Z][A-Za-z]*Backward\w*|sin(?=\()|cos(?=\()|exp(?=\()|sqrt(?=\()|[√^])*+(?:(?:\#|←|⟵|(?<=<)-).*)?"
)
_FORMULA_ROW = regex(  # [cos(θ), -sin(θ)],
    r"\s*+\[++(?:[^\[\]=≈\n'\"A-Za-zα-ω]|[A-Za-zα-ω]{1,2}(?![A-Za-zα-ω])|(?:sin|cos|tan|exp|log|sqrt)(?![A-Za-z]))*+\]++\s*+,?\s*+"
)
_MATRIX_CHARACTERS = "[]\\ \t0123456789+-−.,;eE∞infa/*"
_DANGLING = regex(r"(?:[=≈]|\\approx)\s*$")
_MATRIX_START = regex(
    r"\s*(?:\[|\(\s*[-−]?[\d.]+(?:\s*,\s*[-−]?[\d.]+)++\s*\)\s*$|\\begin\{[a-zA-Z]*matrix\}|[\w.]*(?:array|tensor)\(\[)"
)
_TAIL = regex(r"\s*(?:grad_fn|dtype|device|requires_grad)=[^\[\]\n]{0,80}\)\s*")
_COMMENT = regex(r"\s#[^\n]*$|^#[^\n]*$|\s//[^\n]*$|(?<=[\],])\s*(?:←|⟵|<-)[^\n]*$")
_BEHIND_A_ROW = regex(
    r"(?:(?<=\])|(?<=\],))(?:\s{2,}(?:[^\W\d_]|\(\d)[^\[\]=≈→]*|\s{2,}[\"“][^\[\]≈→]*|\s*\(\d+(?:\s*[,×x]\s*\d+)*\)\s*|\s*（[^（）=≈→]{1,60}）\s*"
    r"|\s\([A-Z][a-z]* [^()\[\]=≈→]{1,60}\)\.?\s*)$"
)
_COMMENT_SIGNS = ("#", "//", "←", "⟵", "<-")
_SIDE = regex(r"([A-Za-z][\w^{}']*\s*[=:≈]\s*)\[\s*\[[^\[\]]*\]")
_ROW = regex(r"\[[^\[\]]*\]")
_LABEL = regex(r"([A-Za-z][\w]*(?:[_^]\{?\w+\}?)*(?:\.T|ᵀ|['′])?)\s*([:：=]|[:：]?=)?\s*")
_WRAPPER = regex(
    r"(?:\b[A-Za-z_]\w*\.)?\b(?:array|asarray|tensor|Tensor|FloatTensor|constant|matrix|Matrix)\(\s*(?=\[)"
    r"|(?<==)\{\s*(?=\[\[)"
)
INDENT = 6  # columns that one row may stand apart from the next
_PLAIN_ROW = r"\[(?P<row>\s*[-−]?\d[-−\d.,\s]*?)\]"
_HEAD_ROW = regex(rf"(?:[^\n]*[=≈×·@]|\s*[A-Za-z]\w{{0,3}}\s*[:：])\s*{_PLAIN_ROW}(?:\s{{2,}}[^\n\[\]]*|\s*)")
_LOWER_ROW = regex(rf"\s*{_PLAIN_ROW}(?:\s{{2,}}[^\n\[\]]*|\s*)")
_REMARK = r"\s*,?\s*(?:(?:←|<-|\#|\()[^\n]*)?"
_LABELLED_ROW = regex(  # cat [0.1, 0.2], From: cat [0.1 0.2] = 1.0 ✓
    r"\s*+(?P<before>[^\W\d_]{2,12}: +)?(?P<label>[^\s\d|\[\]=:：>→≈(][^|\[\]=:：>→≈·×@+*/()]{0,30})(?P<open>[|\[])\s*+"
    r"(?P<row>[-−+]?(?:\d|∞|inf)(?:[-−+\d.,eE\s∞]|inf)*+)[|\]]"
    r"(?:\s*(?:(?P<sum>=\s*1(?:\.0+)?)(?:\s*[✓✔✅])?|=\s*\[[^\[\]]*\])(?=\s|$))?" + _REMARK
)
_NUMBERED_ROW = regex(  # Token 1: [0.1, 0.2]
    r"\s*+(?P<label>[^\W\d_]{2,20}) (?P<number>\d{1,3})\s*[:：]\s*(?P<open>\[)\s*+"
    r"(?P<row>[-−+]?(?:\d|∞|inf)(?:[-−+\d.,eE\s∞]|inf)*+)\]" + _REMARK
)
_POSITION_ROW = regex(  # pos=1 [0.841 0.540 ... 0.001 1.000]
    r"\s*+(?P<label>pos|position|p|PE|Position|Pos|位置)\s?[=(]?\s?(?P<number>\d{1,3})\)?\s*[:：=]?\s*(?P<open>\[)\s*+"
    r"(?P<row>[-−+]?\d(?:[-−+\d.,\s…])*+)\]" + _REMARK
)
_LED_ROW = regex(  # q0 → [0.1, 0.2]
    r"\s*+(?P<label>[^\W\d_]{1,12})[ _]?(?P<number>\d{1,3})\s*(?:→|->|⇒)\s*(?P<open>\[)\s*+"
    r"(?P<row>[-−+]?(?:\d|∞|inf)(?:[-−+\d.,eE\s∞]|inf)*+)\]" + _REMARK
)
_TITLED_ROW = regex(  # cat: [0.1, 0.2], below a line that says what these rows are
    r"\s*+(?P<label>[^\s\d|\[\]=:：>→≈(][^|\[\]=:：>→≈·×@+*/()]{0,30})[:：]\s*(?P<open>\[)\s*+"
    r"(?P<row>[-−+]?(?:\d|∞|inf)(?:[-−+\d.,eE\s∞]|inf)*+)\]" + _REMARK
)
_ROW_IN_COLUMNS = regex(  # will  0.10  -inf; q1: 0.10 0.20; q1=[.7, .6]: 0.10 0.20; "will" │ 0.10  -inf
    r"\s*+(?P<label>[^\W\d_][^\s|\[\]=:>→≈()]{0,30}|[\"“][^\s\"”]{1,30}[\"”])"
    r"(?:(?:\s?=\s?[\[(][-−+\d.,\s]{1,40}[\])])?\s?:|\s{0,12}│)?"
    r"(?P<open>)(?P<row>(?:\s{2,}(?:[-−+]?\d+\.\d+|[-−]?(?:inf|∞))(?!\S)|(?<=│)\s(?:[-−+]?\d+\.\d+|[-−]?(?:inf|∞))(?!\S)){2,})"
    + _REMARK
)
_NUMBERED_COLUMNS = regex(  # row 1: 0.10  0.90
    r"\s*+(?P<label>[^\W\d_]{2,20}) (?P<number>\d{1,3})\s?[:：](?P<open>)"
    r"(?P<row>\s+(?:[-−+]?\d+\.\d+|[-−]?(?:inf|∞))(?:\s{2,}(?:[-−+]?\d+\.\d+|[-−]?(?:inf|∞))(?!\S))+)" + _REMARK
)
_LIST_OF_EQUATIONS = regex(r"\s*(?:\w+\s*=\s*|[^\[\]=:：]{1,40}[:：]\s*)?\[(?P<inside>[^\[\]]{1,20000})\]\s*")
_ROWS = regex(r"\[\s*[-−+]?\.?\d[-−+\d.\s]*(?:\\\\[-−+\d.\s]*)+\]")
_DOTS = r"(?<![\d.])(?:\.{3}|…)(?![\d.])"
_NUMBER = regex(r"[-−+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|[-−+]?\.\d+|[-−]?(?:inf|∞)")
_CELL = regex(rf"{_DOTS}|{_NUMBER.pattern}")


@dataclass(frozen=True)
class Joined:
    """Lines that belong together, from `first` to past `last`, as one text or (side by side) several."""

    first: int
    last: int
    texts: tuple[Located, ...]
    kind: str | None = None


_SIDE_BY_SIDE = regex(r"\s*\[(?: {2,}\[)+\s*|\s*\](?: {2,}\])+\s*")


def bracket_depth(text: str) -> int:
    """How many square brackets a line leaves open (negative where it closes more); none of matrices side by side."""
    if _SIDE_BY_SIDE.fullmatch(text):
        return 0
    return text.count("[") - text.count("]")


def environment_ends(lines: list[Located]) -> dict[int, int]:
    """For every line that leaves an environment open, the line on which the outermost of them is closed."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    for k, line in enumerate(lines):
        if "\\begin{" in line.text or "\\end{" in line.text:
            for match in re.finditer(r"\\(begin|end)\{", line.text):
                if match[1] == "begin":
                    opened.append(k)
                elif opened:
                    ends[opened.pop()] = k
    return {first: last for first, last in ends.items() if first < last}


def join_from(lines: list[Located], first: int, ends: dict[int, int]) -> Joined | None:
    """What begins at this line and needs the lines after it, or None where the line stands for itself."""
    text = lines[first].text
    if _DANGLING.search(text):
        return _after_relation(lines, first, ends)
    if "[" not in text and "\\begin{" not in text and "|" not in text:
        return _read_labelled_rows(lines, first)
    return (
        _side_by_side(lines, first)
        or _open_brackets(lines, first, ends)
        or _stacked_rows(lines, first)
        or _read_labelled_rows(lines, first)
    )


def _stacked_rows(lines: list[Located], first: int) -> Joined | None:
    """`V = [1 0]` above `[0 1]`, each row in brackets of its own that stand right below one another: one matrix."""
    head = _HEAD_ROW.fullmatch(lines[first].text) if len(lines[first].text) < 5_000 else None
    if head is None:
        return None
    rows, k = [(first, head)], first + 1
    rest = lines[first].cut(0, 0)
    while k < len(lines) and k - first < MOST_LINES and not rest.text:
        text, _, more = lines[k].text.partition("\n")  # the last row may have been joined with `= [...]` below it
        row = _LOWER_ROW.fullmatch(text) if len(text) < 5_000 else None
        if row is None or _count(row["row"]) != _count(head["row"]):
            break
        if row.start("row") != rows[-1][1].start("row") and (k > first + 1 or not _is_below(row, head)):
            break
        rows.append((k, row))
        rest = lines[k].cut(len(text), len(text) + 1 + len(more)) if more else rest
        k += 1
    if len(rows) < 2:
        return None
    matrix = list_of([lines[i].cut(match.start("row") - 1, match.end("row") + 1) for i, match in rows])
    return Joined(first, k, (join([lines[first].cut(0, head.start("row") - 1), matrix, rest]),))


def _is_below(row: re.Match[str], head: re.Match[str]) -> bool:
    """Whether a row stands below another, as loosely as people type."""
    return row.start("row") > INDENT and abs(row.start("row") - head.start("row")) <= INDENT


def _count(row: str) -> int:
    return len(row.replace(",", " ").split())


def _after_relation(lines: list[Located], first: int, ends: dict[int, int]) -> Joined | None:
    """A line that ends with `=`, and the matrix that begins on the next one."""
    k = first + 1
    while k < len(lines) and k < first + 4 and not lines[k].text.strip():
        k += 1
    if k == len(lines) or not _MATRIX_START.match(lines[k].text) or _DANGLING.search(lines[k].text):
        return None
    rest = join_from(lines, k, ends) or Joined(k, k + 1, (lines[k],))
    return Joined(first, rest.last, (join([lines[first], rest.texts[0]], "\n"),)) if not rest.kind else None


def is_unfinished(lines: list[Located], first: int) -> int:
    """Past the last line read in vain for a bracket never closed: none of those is tried again."""
    last = first + 1
    while last < len(lines) and last - first < MOST_LINES and _continues(lines[last].text):
        last += 1
    return last


def _continues(text: str) -> bool:
    row = _ROW_LINE.fullmatch(text) or _FORMULA_ROW.fullmatch(text) if len(text) < 100_000 else None
    return row is not None


def _open_brackets(lines: list[Located], first: int, ends: dict[int, int]) -> Joined | None:
    if first in ends:
        return Joined(first, ends[first] + 1, (join(lines[first : ends[first] + 1], "\n"),))
    parts = [without_remark(lines[first])]
    depth = bracket_depth(parts[0].text)
    if depth == 0 and parts[0].text.rstrip().endswith("],"):
        last = _past_tail(lines, first + 1)
        return Joined(first, last, (join(lines[first:last], "\n"),)) if last > first + 1 else None
    numbers = parts[0].text[len(parts[0].text.rstrip(_MATRIX_CHARACTERS)) :]
    if depth <= 0 or ("[" not in numbers and not _continues(parts[0].text[parts[0].text.rfind("[") :])):
        return None
    for k in range(first + 1, min(first + MOST_LINES, len(lines))):
        part = without_remark(lines[k])
        if not _continues(part.text):
            return None
        parts.append(part)
        depth += bracket_depth(part.text)
        if depth <= 0:
            last = _past_tail(lines, k + 1) if part.text.rstrip().endswith(",") else k + 1
            return Joined(first, last, (join([*parts, *lines[k + 1 : last]], "\n"),))
    return None


def _past_tail(lines: list[Located], start: int) -> int:
    """Past a line of its own with torch's `grad_fn=<…>)` or `dtype=…)`."""
    k = start
    while k < len(lines) and k < start + 3 and not lines[k].text.strip():
        k += 1
    return k + 1 if k < len(lines) and _TAIL.fullmatch(lines[k].text) else start


def without_remark(line: Located) -> Located:
    """A row of a matrix without a comment, or what is said two spaces behind it: `[1, 0],  row 1`, `[1, 1]]  (2,)`.

    In Chinese brackets no spaces need to part the remark: `[1, 0],（第一行）`.
    """
    line = without_comment(line)
    match = _BEHIND_A_ROW.search(line.text) if len(line.text) < 5_000 else None
    return line.cut(0, match.start()) if match else line


def without_comment(line: Located) -> Located:
    """The line without what a program's comment says."""
    match = _COMMENT.search(line.text) if any(sign in line.text for sign in _COMMENT_SIGNS) else None
    return line.cut(0, match.start()) if match else line


def _side_by_side(lines: list[Located], first: int) -> Joined | None:
    """`Wq = [[1, 0], Wk = [[1, 1],` over `[0, 1]]  [1, 0]]`: the j-th rows make the j-th matrix.

    The rows below belong to those that are still open, in their order: one may have fewer rows than its neighbour.
    """
    starts = [m.start() for m in _SIDE.finditer(lines[first].text)]
    if len(starts) < 2:
        return None
    pieces = [[p] for p in _split(lines[first], starts)]
    if any(bracket_depth(p[0].text) != 1 for p in pieces):
        return None
    for k in range(first + 1, min(first + MOST_LINES, len(lines))):
        if not lines[k].text.strip():
            continue
        rows = [m.start() for m in _ROW.finditer(lines[k].text)]
        open_ = [held for held in pieces if _depth(held)]
        if len(rows) != len(open_) or not _ROW_LINE.fullmatch(lines[k].text):
            return None
        for held, part in zip(open_, _split(lines[k], rows), strict=True):
            held.append(part)
        depths = {_depth(held) for held in pieces}
        if depths == {0}:
            return Joined(first, k + 1, tuple(join(held, "\n") for held in pieces))
        if not depths <= {0, 1}:
            return None
    return None


def _depth(rows: Sequence[Located]) -> int:
    return sum(bracket_depth(row.text) for row in rows)


def _split(line: Located, starts: list[int]) -> list[Located]:
    ends = [*starts[1:], len(line.text)]
    return [line.cut(a, b).strip() for a, b in zip(starts, ends, strict=True)]


def _read_labelled_rows(lines: list[Located], first: int) -> Joined | None:
    """`will| -0.04  0.30 |` or `bank [4.2, 2.5]`, line after line with as many numbers each: one matrix.

    So are rows that are counted, `Token 1: [0.1, 0.2]` or `q1 → [0.1, 0.2]`, and columns of decimals with no brackets.
    """
    rows: list[Located] = []
    sums: list[Located] = []
    labels: list[str] = []
    last = 0
    titled: bool | None = None
    alike: tuple[object, ...] = ()
    for k in range(first, min(first + MOST_LINES, len(lines))):
        text = lines[k].text
        if not text.strip():
            continue
        match = _labelled(text) if len(text) < 5_000 else None
        if match is None and titled is not False and label_of(text) is not None and len(text) < 5_000:
            match = _TITLED_ROW.fullmatch(text)
            titled = titled or match is not None
        cells = _CELL if match and is_found_by(match, _POSITION_ROW) else _NUMBER
        numbers = [m.span() for m in cells.finditer(text, *match.span("row"))] if match else []
        if not match or len(numbers) < 2 or _is_application(match):
            break
        groups = match.groupdict()
        counted = groups.get("number")
        said = len(numbers), match["open"], counted and (match["label"], int(counted) - len(rows)), groups.get("before")
        if rows and said != alike:
            break
        titled = bool(titled)
        alike, last = said, k + 1
        labels.append(label_of(text) or "")
        rows.append(list_of([lines[k].cut(a, b) for a, b in numbers]))
        sums += _sum_of_row(lines[k], match, numbers)
    if len(rows) < 2:
        return None
    matrix = list_of(rows, ",\n")
    if not titled:
        return Joined(first, last, (matrix, *sums), "table")
    if (title := title_of(lines, first)) is not None:
        return Joined(first, last, (join([title, matrix.led_by(" = ")]),))
    return Joined(first, last, (matrix,), "table") if is_below_words(lines, first, labels) else None


def _is_application(row: re.Match[str]) -> bool:
    """Whether `PE(1) = [0.841, 0.540]` is an equation with all its numbers, which a function of the text may define."""
    return (
        is_found_by(row, _POSITION_ROW) and "(" in row[0][: row.start("open")] and re.search(_DOTS, row["row"]) is None
    )


def _sum_of_row(line: Located, row: re.Match[str], numbers: list[tuple[int, int]]) -> Iterator[Located]:
    """That the numbers of a labelled row add up to 1, where it says so behind it: `[0.2 0.8] = 1.0`.

    >>> line = "a [0.2 0.8] = 1.0"
    >>> [e.text for e in _sum_of_row(Located.whole(line), _labelled(line), [(3, 6), (7, 10)])]
    ['0.2 + 0.8= 1.0']
    """
    if row.groupdict().get("sum"):
        yield join([join([line.cut(a, b) for a, b in numbers], " + "), line.cut(*row.span("sum"))])


def _labelled(text: str) -> re.Match[str] | None:
    patterns = (_LABELLED_ROW, _NUMBERED_ROW, _POSITION_ROW, _LED_ROW, _ROW_IN_COLUMNS, _NUMBERED_COLUMNS)
    return next((match for pattern in patterns if (match := pattern.fullmatch(text))), None)


def list_of(items: list[Located], between: str = ", ") -> Located:
    """`[a, b]`; brackets and what stands between stand nowhere in the source."""
    at = items[0].span(0, 1)[0]
    end = items[-1].span(0, len(items[-1].text))[1]
    return join([Located.inserted("[", at), join(items, between), Located.inserted("]", end)])


def worked_entries(text: Located) -> list[Located]:
    """The entries of a list that are equations each, `Z = [(3 - 1) / 2 = 1, (5 - 1) / 2 = 2]`; or nothing.

    >>> [e.text for e in worked_entries(Located.whole("Z = [(3 - 1) / 2 = 1, 5 - (1) = 4]"))]
    ['(3 - 1) / 2 = 1', '5 - (1) = 4']
    """
    match = _LIST_OF_EQUATIONS.fullmatch(text.text) if text.text.count("=") > 2 else None
    if match is None:
        return []
    edges, depth = [match.start("inside")], 0
    for mark in re.compile(r"[\[\](),]").finditer(text.text, *match.span("inside")):
        depth += (mark[0] in "[(") - (mark[0] in "])")
        if mark[0] == "," and not depth:
            edges.append(mark.end())
    ends = [*(edge - 1 for edge in edges[1:]), match.end("inside")]
    entries = [e for a, b in zip(edges, ends, strict=True) if (e := text.cut(a, b).strip()).text]
    return entries if len(entries) > 1 and all("=" in e.text and "[" not in e.text for e in entries) else []


def find_named(matrix: Located, label: Located | None) -> Located:
    """The matrix with `Q =` (or `Q:`, or `W_q` alone) of the line above put before it."""
    if label is None or not matrix.text.lstrip().startswith("["):
        return matrix
    match = _LABEL.fullmatch(label.strip().text)
    if not match or not (match[2] or len(match[1]) <= 2 or "_" in match[1] or match[1][-1].isdigit()):
        return matrix
    label = label.strip()
    if match[2]:
        start, end = label.span(match.start(2), match.end(2))
        sign = Located.inserted(" =", start, end - start)
    else:
        sign = Located.inserted(" =", label.span(match.end(1) - 1, match.end(1))[1])
    return join([label.cut(0, match.end(1)), sign, Located.inserted(" ", matrix.span(0, 0)[0]), matrix.strip()])


def without_wrappers(located: Located) -> Located:
    """`np.array([[1, 0]], dtype=float)` and `tensor([…], grad_fn=<…>)` as the list they hold.

    >>> without_wrappers(Located.whole("X = np.array([[1, 0]], dtype=float)")).text
    'X = [[1, 0]]'
    """
    cuts: list[tuple[int, int]] = []
    for match in islice(_WRAPPER.finditer(located.text), 100):
        if cuts and match.start() < cuts[-1][1]:
            continue
        end = list_end(located.text, match.end())
        if not end:
            break
        bracket = "}" if match[0][0] == "{" else ")"
        closing = located.text.find(bracket, end)
        if closing >= 0 and not re.search(r"[\[\]]", located.text[end:closing]):
            if located.text[end:closing].count("(") == 1:
                closing = located.text.find(")", closing + 1)
            cuts += [match.span(), (end, closing + 1)] if closing >= 0 else []
    return located.without(cuts)


def with_rows(located: Located) -> Located:
    r"""`[ 1 2 \\ 3 4 ]`, rows of plain numbers between brackets, as a nested list.

    >>> with_rows(Located.whole(r"X = [ 1 2 \\ 3 4 ]")).text
    'X = [[1, 2], [3, 4]]'
    """
    changes: list[tuple[tuple[int, int], Located]] = []
    for match in _ROWS.finditer(located.text) if "\\\\" in located.text else ():
        breaks = [m.span() for m in re.compile(r"\\\\").finditer(located.text, match.start(), match.end())]
        starts = [match.start() + 1, *(end for _, end in breaks)]
        ends = [*(start for start, _ in breaks), match.end() - 1]
        cells = [_NUMBER.finditer(located.text, a, b) for a, b in zip(starts, ends, strict=True)]
        rows = [list_of(row) for each in cells if (row := [located.cut(*m.span()) for m in each])]
        changes.append((match.span(), list_of(rows)))
    return located.replaced(changes)


def list_end(text: str, start: int) -> int:
    """Where the list ends that begins at an offset; 0 if it does not."""
    depth = 0
    for match in re.compile(r"[\[\]]").finditer(text, start):
        depth += 1 if match[0] == "[" else -1
        if depth == 0:
            return match.end()
    return 0
