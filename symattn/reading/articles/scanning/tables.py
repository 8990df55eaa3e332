"""Tables as grids of located cells: a labelled matrix, or formulas in the cells."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.cleaning import without_asides, without_units
from symattn.reading.articles.scanning.finding import Found
from symattn.reading.articles.scanning.matrices import list_of
from symattn.reading.articles.scanning.spoken.counted import without_counted_things
from symattn.reading.articles.scanning.spoken.thousands import without_spaces_in_numbers
from symattn.reading.articles.scanning.wording import find_mathematics
from symattn.reading.articles.scanning.worked.columns import SUM, divisor_in, find_worked_columns
from symattn.reading.articles.scanning.worked.compared import find_compared_columns
from symattn.reading.articles.scanning.worked.shares import find_columns_of_shares

Row = tuple[Located, ...]


@dataclass(frozen=True)
class Context:
    """What a table says with formulas and words: its header and its rows as written, and the line of words above it."""

    names: Row
    rows: list[Row]
    above: Located | None


_NUMBER = regex(
    r"\**\s*([-−+]?(?:\d+(?:\.\d*|,\d+|\{,\}\d+)?|\.\d+)(?:[eE][-+]?\d+)?%?|[-−]?(?:∞|inf))\s*\**"
    r"(?:\s*[\u2190-\u21ff\u2600-\u27bf\u2b50\ufe0f\U0001f300-\U0001faff])*\s*"  # marks, ✅ or 🔥
)
_VECTOR = regex(
    r"[\s*`$]*[\[(]\s*(?P<inside>[-−+]?(?:\d+(?:\.\d*)?|\.\d+)(?:\s*,\s*[-−+]?(?:\d+(?:\.\d*)?|\.\d+)){0,63})\s*[\])][\s*`$]*"
)
_MASKED_VECTOR = regex(
    r"[\s*`$]*\[\s*(?P<inside>[-−+]?(?:\d+(?:\.\d*)?|\.\d+|∞|inf)(?:\s*,\s*[-−+]?(?:\d+(?:\.\d*)?|\.\d+|∞|inf)){1,63})\s*\][\s*`$]*"
)
_PRODUCT = regex(r"(?:^|[\s`$(])(?P<product>Q\s?(?:@|·|×|\*|\\cdot)?\s?K(?:\^\{?(?:T|\\top)\}?|ᵀ|\.T))[\s`$)]*")
_DIVIDED = regex(  # after `÷ 2`, scaled (/ √2)
    r"[^\d/÷√]{0,30}[/÷]\s?(?P<divisor>\d+(?:\.\d+)?|(?:√|sqrt)\(?\d+\)?|\\sqrt\{\d+\})[\s`$)]*"
)
_SIDE = regex(  # `Q: cat`, `key of cat`: which of the two that meet in a cell a label is
    r"(?:[QKqk]|[Qq]uery|[Kk]ey|查询|键|[Tt]o|[Ff]rom|[Rr]ow|[Cc]ol(?:umn)?|行|列|对|→|↓)"
    r"(?:\s*[:：=→_]\s*|\s+(?:of |for )?)(?=\S)"
)
_LETTER = regex(
    r"(?P<Q>\b(?:Q|[Qq]uery)\b|查询)|(?P<K>\b(?:K|[Kk]ey)\b|键)|(?P<V>\b(?:V|[Vv]alue)\b|值)|(?P<X>\b(?:X|[Ee]mbeddings?)\b|^\W*E\W*$|嵌入)"
)
_LATER = regex(  # the new embedding, which is none that anything is projected from
    r"\b(?:new|context\w*|outputs?|final|updated|after|normali[sz]ed)\b|新|输出|上下文|最终|更新|出力", re.IGNORECASE
)
_LIST = regex(r"\[\s*[-−+]?\d[\d.]*(?:\s*,\s*[-−+]?\d[\d.]*)+\s*\]")
_LOGITS = regex(r"logits?|scores?|得分|分数", re.IGNORECASE)
_TEMPERATURE = regex(r"\\?tau|τ|T|[Tt]emp(?:erature)?|温度(?: ?[Tτ])?")
_SUM = regex(rf"{SUM}|sum of row|row sum", re.IGNORECASE)
_SHAPE = regex(  # [64, 32], (64, 32), 64 × 32
    r"[\s*`]*(?:[\[(]\s*(\d{1,9})\s*[,×x]\s*(\d{1,9})\s*[\])]|(\d{1,9})\s*[×x]\s*(\d{1,9}))[\s*`]*"
)
_CORNER = regex(  # $A$, **$\tilde{S}$**, $S'$
    r"[\s*]*\$`?((?:\\(?:tilde|hat|bar|mathbf|boldsymbol|bm)\s*(?:\{[A-Z]\}|[A-Z])|[A-Z])(?:_(?:\w|\{\w+\}))?'{0,2})`?\$[\s*]*"
)
_WHOLE = regex(r"[\s*`]*(\d{1,3}(?:,\d{3})+|\d{1,15})[\s*`]*")
_STEP = regex(
    r"\b(?:scores?|scal(?:ed|ing)|masked|softmax|weights?)\b|分数|得分|缩放|权重|スコア|重み|점수|가중치"
    r"|\b(?:gewichte?|poids|pesos?|puntuaci[oó]n(?:es)?|pontuaç(?:ão|ões))\b",
    re.IGNORECASE,
)
_MASK = regex(r"\bmask|掩码|遮罩|マスク|마스크", re.IGNORECASE)
_APPLIED = regex(
    r"(?:f\(\w+\)\s*=\s*|sigmoide? (?=σ))?\\?(?:text\{|mathrm\{|operatorname\{)?"
    r"(?P<function>sin|cos|tanh|sigmoid|sigma|exp|log|ln|sqrt|relu|gelu|silu|σ)\}?"
    r"\s*(?:\((?P<argument>[^()]*)\))?",
    re.IGNORECASE,
)
_VARIABLES = frozenset(("x", "t", "z", "n", "i", "pos", "position", "θ", "input"))
_WORDS_OF_USUAL = "sin cos tanh sigmoid sigma exp log ln sqrt ReLU GELU SiLU relu gelu silu σ"
_USUAL = frozenset(_WORDS_OF_USUAL.split())
_WORD = regex(r"\w+")
_COUNTS = regex(r"pos|position|位置|[tnik]", re.IGNORECASE)
_LARGE = regex(r"[\s$*`]*[-−]?\d{2,}(?:\.\d+)?[\s$*`°]*")
_SPELT = {"sigma": "sigmoid", "σ": "sigmoid"}
_PLAIN = regex(r"[\w *`-]{2,40}")
_OF_ALL = regex(r"soft-?max|rms-?norm|layer-?norm|\b(?:relu|gelu|silu|swish|sigmoid|tanh)\b", re.IGNORECASE)


def is_delimiter(text: str) -> bool:
    """The line of dashes under a pipe table's header.

    >>> is_delimiter("|---|:-:|"), is_delimiter("---")
    (True, False)
    """
    return "|" in text and len(text) < 5_000 and "-" in text and not text.strip("|:- \t\r")


def cells_of(line: Located) -> Row:
    r"""The cells of a line of a pipe table; `\|` is no border."""
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", line.text)]
    edges = [-1, *bars, len(line.text)]
    cells = [line.cut(a + 1, b).strip() for a, b in pairwise(edges)]
    if bars and not cells[0].text:
        cells = cells[1:]
    if bars and cells and not cells[-1].text:
        cells = cells[:-1]
    return tuple(cells)


def find_in_table(rows: list[Row], header: Row = (), context: Context | None = None) -> Iterator[Found]:
    """The table as one matrix where its labels show that it is one, and else the mathematics in its cells.

    A column of vectors below Q, K, V or X is that matrix. Columns of numbers below the names of two steps or more,
    such as scores and weights, are these steps for one query.
    """
    context = context or Context(header, rows, None)
    names, above = context.names, context.above
    shares = list(find_columns_of_shares(context.rows, names))
    worked = [*find_worked_columns(rows, names), *shares]
    matrix = None if worked else _find_labelled_matrix(rows, header, names) or _row_of_step(rows, header)
    if matrix is not None:
        yield Found(matrix, "table")
        if _has_sums(rows, header):
            yield from (Found(row[-1].strip("*` "), "table") for row in rows)
        return
    applied = list(_applications(rows, names))
    applied = applied or ([] if above is None else list(_at_temperatures(rows, names, above)))
    applied = applied or list(_shares_at_temperatures(rows, names))
    if applied:
        yield from (Found(equation, "table") for equation in applied)
        return
    yield from (Found(equation, "table") for equation in _shapes(rows))
    worked += find_compared_columns(rows, names) if not worked else ()
    yield from (Found(equation, "table") for _, equation in worked)
    of_formulas = {k for k, _ in worked}
    columns = dict(_columns_of_vectors(rows, names)) | dict(_columns(rows, header, names))
    columns = {k: column for k, column in columns.items() if k not in of_formulas}
    yield from (Found(column, "table") for column in columns.values())
    if not columns:
        some = [] if worked else list(_applications(rows, names, others=True))
        yield from (Found(found, "table") for found in some or (() if shares else _columns_of_functions(rows, header)))
    for row in rows:
        for k, cell in enumerate(row):
            if k in columns:
                continue
            said = cell
            for spell in _SPELLINGS:
                said = spell(said)
            for start, end in find_mathematics(said.text):
                yield Found(said.cut(start, end), "table")


_SPELLINGS = (without_spaces_in_numbers, without_asides, without_counted_things, without_units)  # 28 layers × 2 = 56


def _applications(rows: list[Row], header: Row, *, others: bool = False) -> Iterator[Located]:
    """The values of a table of a function, `| x | sin(x) |` over `| 1 | 0.84 |`, as equations: sin(1) = 0.84.

    With `others`, only some of its columns are functions of the first one, which they name: `ReLU` may be a model.
    """
    names = [_function_of(cell.text) for cell in header]
    if len(header) < 2 or not rows:
        return
    if others:
        first = _WORD.findall(header[0].text.lower())
        names = [name if name and (name["argument"] or "").strip().lower() in first else None for name in names]
    if names[0] or not (others or all(names[1:])):
        return
    said = header[0].text.strip("*`$ ").lower()
    if len(said) > 1 and said not in _VARIABLES and not all(name["argument"] for name in names[1:] if name):
        return  # `Layers | ReLU | GELU` are models
    if not _COUNTS.fullmatch(header[0].text.strip("*`$ ")) and any(
        _LARGE.fullmatch(row[0].text) for row in rows if row
    ):
        names = [None if name and name["function"].lower() in ("sin", "cos") else name for name in names]  # of degrees
    arguments = {name["argument"].strip().lower() for name in names[1:] if name and name["argument"]}
    if arguments - {*_VARIABLES, said}:
        return
    for row in rows:
        if len(row) != len(header) or not _NUMBER.fullmatch(row[0].text):
            continue
        for name, cell in zip(names[1:], row[1:], strict=True):
            value = _number(cell.strip("≈~ "))
            argument = _number(row[0])
            if name and value is not None and argument is not None:
                function = name["function"]
                function = _SPELT.get(function, function if function.endswith("LU") else function.lower())
                yield join([argument.led_by(f"{function}("), value.led_by(") = ")])


def _function_of(heading: str) -> re.Match[str] | None:
    """The function that a heading is, `σ(z)`; without its argument only as it is usually written, no `EXP`."""
    name = _APPLIED.fullmatch(heading.replace("$", "").strip("*` "))
    return name if name is None or name["argument"] or name["function"] in _USUAL else None


def _at_temperatures(rows: list[Row], header: Row, above: Located) -> Iterator[Located]:
    """The rows of a table that say what softmax of one list is at several temperatures, as equations.

    The list is the only one in the words above, which call it logits or scores.
    """
    lists = list(_LIST.finditer(above.text))
    if len(header) < 2 or len(lists) != 1 or not _LOGITS.search(above.text) or not _is_temperature(header[0].text):
        return
    for row in rows:
        temperature = _number(row[0])
        for value in map(_vector, row[1:]) if temperature is not None else ():
            if temperature is not None and value is not None and value.text.count(",") == lists[0][0].count(","):
                yield join([temperature.led_by(f"softmax({lists[0][0]} / "), value.led_by(") = ")])


def _shares_at_temperatures(rows: list[Row], header: Row) -> Iterator[Located]:
    """Rows of numbers below a temperature, as what it is and then the list: `T = 2`, `[0.5, 0.3, 0.2]`.

    A last column with their sum is none of them.
    """
    if len(header) < 3 or not _is_temperature(header[0].text) or {len(row) for row in rows} != {len(header)}:
        return
    summed = len(header) > 3 and _SUM.fullmatch(header[-1].text.strip("*` ")) is not None
    lists = [_numbers(row[1 : len(header) - summed]) for row in rows]
    for row, numbers in zip(rows, lists, strict=True) if None not in lists else ():
        assert numbers is not None
        temperature = _number(row[0])
        if temperature is not None:
            yield temperature.led_by("T = ")
        elif row[0].text.strip():  # else it is a formula, which is read by itself
            yield row[0].strip("*` ")
        yield list_of(numbers, "; " if any("," in n.text for n in numbers) else ", ")
        if summed:
            yield row[-1].strip("*` ")


def _is_temperature(heading: str) -> bool:
    return _TEMPERATURE.fullmatch(heading.replace("$", "").strip("*` ")) is not None


def _shapes(rows: list[Row]) -> Iterator[Located]:
    """The rows of a table that give a matrix its shape and the number of its entries, as products.

    Where a bias is counted too, the number is another one: only tables are read in which most rows bear it out.
    """
    found = []
    for row in rows:
        shapes = [s for s in map(_shape, row[1:]) if s is not None]
        numbers = [n for n in (_whole(cell) for cell in row[1:]) if n is not None]
        if len(shapes) == 1 and len(numbers) == 1:
            found.append((shapes[0], numbers[0]))
    right = [f for f in found if math.prod(int(d.text) for d in f[0]) == int(f[1].text.replace(",", ""))]
    telling = 2 * len(right) > len(found) and len(right) > 2
    for sizes, number in right if telling or len(right) == len(found) > 1 else ():
        yield join([sizes[0], sizes[1].led_by(" × "), number.led_by(" = ")])


def _shape(cell: Located) -> tuple[Located, Located] | None:
    match = _SHAPE.fullmatch(cell.text)
    if match is None:
        return None
    first = 1 if match[1] else 3
    return cell.cut(*match.span(first)), cell.cut(*match.span(first + 1))


def _whole(cell: Located) -> Located | None:
    match = _WHOLE.fullmatch(cell.text)
    return cell.cut(*match.span(1)) if match else None


def _columns(rows: list[Row], header: Row, names: Row) -> Iterator[tuple[int, Located]]:
    """The columns that are a matrix by their heading, as equations."""
    if len(rows) < 2 or {len(row) for row in rows} != {len(header)}:
        return
    divided = dict(_divided_columns(rows, names))
    yield from divided.items()
    steps = [k for k in range(1, len(header)) if _STEP.search(header[k].text) and _PLAIN.fullmatch(header[k].text)]
    for k in range(1, len(header)):
        cells = [row[k] for row in rows]
        letters = {
            next(n for n, said in match.groupdict().items() if said) for match in _LETTER.finditer(header[k].text)
        }
        if len(letters) == 1 and not _LATER.search(header[k].text):
            vectors = [_vector(cell) for cell in cells]
            if None not in vectors and len({v.text.count(",") for v in vectors if v is not None}) == 1:
                yield k, _equation(letters.pop(), [v for v in vectors if v is not None])
        elif k in steps and len(steps) + len(divided) > 1 and (numbers := _numbers(cells)) is not None:
            name = rf"\text{{{header[k].text.strip('*` ')}}}"
            commas = any("," in n.text for n in numbers)  # which would part the numbers of a list
            yield k, _equation(name, numbers, "; ") if commas else _equation(name, [list_of([n]) for n in numbers])


def _divided_columns(rows: list[Row], names: Row) -> Iterator[tuple[int, Located]]:
    """The columns headed `/ √2` alone, as equations for all rows: the column before, divided, is this one."""
    divisors = [divisor_in(cell.text) for cell in names]
    for k, divisor in enumerate(divisors):
        if divisor is None or not k or divisors[k - 1] is not None:
            continue
        before, after = _numbers(row[k - 1] for row in rows), _numbers(row[k] for row in rows)
        if before is not None and after is not None and not any("," in n.text for n in before + after):
            at = before[0].led_by(r"\text{scaled} = [[")
            sums = join([at, *(n.led_by("], [") for n in before[1:])])
            quotient = join([sums, Located.inserted(f"]] / {divisor}", sums.span(0, 1)[0])])
            yield k, join([quotient, _equation("", [list_of([n]) for n in after])])


def _columns_of_vectors(rows: list[Row], names: Row) -> Iterator[tuple[int, Located]]:
    """The columns of lists, one to a row, below the name of a step: below `Q @ K^T` that, below `÷ 2` so much of it."""
    if len(rows) < 2 or {len(row) for row in rows} != {len(names)}:
        return
    before: str | None = None
    for k in range(1, len(names)):
        matches = [_MASKED_VECTOR.fullmatch(row[k].text) for row in rows]
        vectors = [row[k].cut(*m.span("inside")) for row, m in zip(rows, matches, strict=True) if m is not None]
        if len(vectors) != len(rows) or len({vector.text.count(",") for vector in vectors}) != 1:
            continue
        heading = names[k].text
        product, divided = _PRODUCT.search(heading), _DIVIDED.fullmatch(heading)
        matrix = list_of([list_of([vector]) for vector in vectors])
        plain = heading.strip("*` ")
        if product is not None and product.end() == len(heading):
            yield k, matrix.led_by(f"{product['product']} = ")
        elif divided is not None and before is not None:
            yield k, matrix.led_by(rf"\text{{scaled}} = {before} / {divided['divisor']} = ")
        elif (_STEP.search(heading) or _MASK.search(heading)) and _PLAIN.fullmatch(plain):
            yield k, matrix.led_by(rf"\text{{{plain}}} = ")
        before = matrix.text


def _columns_of_functions(rows: list[Row], header: Row) -> Iterator[Located]:
    """Columns of numbers below the name of a function of all of them, `RMSNorm`, and the column that it is of.

    That is the first one that does not just count the rows. They are lists: no sign says that one is of the other.
    """
    if len(rows) < 2 or {len(row) for row in rows} != {len(header)}:
        return
    functions = [k for k in range(1, len(header)) if _OF_ALL.search(header[k].text)]
    listed = [_numbers(row[k] for row in rows) for k in range(len(header))]
    counts = [str(k) for k in range(1, len(rows) + 1)]
    of = (k for k, numbers in enumerate(listed) if k not in functions and numbers is not None)
    first = next((k for k in of if [row[k].text.strip() for row in rows] != counts), None)
    for k in (first, *functions) if first is not None and functions and first < functions[0] else ():
        if (numbers := listed[k]) is not None:
            yield list_of(numbers, "; " if any("," in n.text for n in numbers) else ", ")


def _equation(name: str, rows: list[Located], between: str = ", ") -> Located:
    return list_of(rows, between).led_by(f"{name} = ")


def _vector(cell: Located) -> Located | None:
    match = _VECTOR.fullmatch(cell.text)
    return list_of([cell.cut(*match.span("inside"))]) if match else None


def _find_labelled_matrix(rows: list[Row], header: Row, written: Row) -> Located | None:
    """The grid of numbers, if the first column names the rows and the header says the same or nothing.

    A letter in the corner, `$A$`, says which matrix it is. A last column with sums is no part of it.
    """
    if _has_sums(rows, header):
        rows, header = [row[:-1] for row in rows], header[:-1]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 3:
        return None
    labels = [_label(row[0]) for row in rows]
    if any(_NUMBER.fullmatch(label) for label in labels):
        return None
    names = [_label(cell) for cell in header[1:]]
    unnamed = all(not n or n.isdigit() or re.fullmatch(r"(?:dim|d|列|维度?)\s*_?\d+", n, re.IGNORECASE) for n in names)
    if not header or not (unnamed or sorted(names) == sorted(labels) or names == labels):
        return None
    grid = [list_of(numbers) for row in rows if (numbers := _numbers(row[1:])) is not None]
    if len(grid) != len(rows):
        return None
    corner = _CORNER.fullmatch(written[0].text)
    return _equation(corner[1], grid) if corner else list_of(grid)


def grid_of_numbers(rows: list[Row]) -> Located | None:
    """The matrix that a table is without any words: two rows of numbers or more, as many in each."""
    lines = [_numbers(row) for row in rows]
    if len(rows) < 2 or None in lines or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return None
    between = "; " if any("," in cell.text for row in rows for cell in row) else ", "
    return list_of([list_of(numbers, between) for numbers in lines if numbers is not None])


def _has_sums(rows: list[Row], header: Row) -> bool:
    """Whether the last column says what the numbers before it add up to."""
    whole = len(header) > 3 and {len(row) for row in rows} == {len(header)}
    return whole and _SUM.fullmatch(_label(header[-1])) is not None


def _label(cell: Located) -> str:
    """What a row or a column is called, without what says whether that is the query or the key."""
    return _SIDE.sub("", cell.text.strip("*` "), count=1)


def _row_of_step(rows: list[Row], header: Row) -> Located | None:
    """The numbers of a table that has one row, which the name of a step stands before."""
    if len(rows) != 1 or len(rows[0]) != len(header) or len(header) < 3 or not _STEP.search(rows[0][0].text):
        return None
    numbers = _numbers(rows[0][1:])
    plain = not any(_NUMBER.fullmatch(cell.text) for cell in header)
    return list_of(numbers) if plain and numbers is not None else None


def _numbers(cells: Iterable[Located]) -> list[Located] | None:
    """The numbers in cells; None where one of them has none."""
    found = [_number(cell) for cell in cells]
    return [number for number in found if number is not None] if None not in found else None


def _number(cell: Located) -> Located | None:
    match = _NUMBER.fullmatch(cell.text)
    return cell.cut(*match.span(1)) if match else None
