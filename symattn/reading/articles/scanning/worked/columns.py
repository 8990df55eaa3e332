"""Columns of a table that are worked out from another one, `| x | x − μ | (x − μ)² |` or `| score | exp(score) |`.

The heading is the formula: with the number of the other column in the place of its name it is an equation for each
row. A column called "square" is that of the column before it. A last row called "sum" or "mean" is that of the rows
above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading import vocabulary as words
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.worked.worth import last_place, worth_of

_CALCULATES = regex(r"[-−–+×·*/^²]|\b(?:exp|sqrt|ln|log)\b|√")
_JOINED = regex(r"\w[-+]|[-+]\w|\w/(?!√|\\?sqrt|\d)|/[^\W\d]")  # GPT-2 and tokens/s are names
_WORDS = regex(r"[^\W\d_]+(?: [^\W\d_]+)+")
_OF_THE_LAST = regex(  # a column that says only what is done to the one before it
    r"(?P<square>squares?|squared(?: difference| deviation)?|平方|平方差|quadrate?|carrés?)|exp|exponentials?|指数",
    re.IGNORECASE,
)
_DIVIDED = regex(  # `/ √2` or `scaled (÷ 8)`, of the column before it; below `×2` may stand what two of a thing do
    r"(?:[^\W\d]+(?: [^\W\d]+)* ?\()?(?:[/÷]|\\div)\s?"
    r"(?P<divisor>\d+(?:\.\d+)?|(?:√|sqrt ?)\(?(?:\d+|[a-z](?:_?\w)?)\)?|\\sqrt\{?(?:\d+|[a-z](?:_\{?\w\}?)?)\}?)\)?"
)
_NAME = regex(r"\\?[^\W\d](?:[\w{}\\]|(?<=\w)[_^]){0,15}")
_MARKS = r"(?:[\s*]|[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?)*"  # 🔴
_COMMA = r",(?:\d{1,2}|\d{4,})(?!\d)|(?<=(?<!\d)0),\d+"  # of a decimal; 1,024 has one of thousands
_NUMBER = regex(rf"{_MARKS}(?P<number>[-−+]?(?:\d+(?:\.\d+|{_COMMA})?|\.\d+)){_MARKS}")
_COUNT = regex(
    rf"{_MARKS}[~≈]?\s?(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,3}}(?:\.\d{{1,2}})?[KM]){_MARKS}"
)  # 1,024, 268M
_GROUPED = regex(",")
SUM = rf"{words.SUM}|Σ|和"  # what a column or a row of sums is called
_SUMMARY = regex(  # what a last row is called
    rf"(?P<sum>{SUM}|column (?:sum|total)|(?:column )?(?:sum|total)s|\\sum|总计|求和)"
    r"|(?P<mean>mean|average|avg\.?|平均值?|均值|moyenne|mittelwert|media|média)"
    r"|(?P<other>max(?:imum)?|min(?:imum)?|std|var(?:iance)?|median|range|product|norm|最大值?|最小值?|方差|标准差)",
    re.IGNORECASE,
)
_SAID = regex(rf"{_MARKS}(?P<label>[^\d:：=≈]{{1,20}})[:：=≈]{_NUMBER.pattern}")
_EXP = "exp("
_LONGEST = 60


def find_worked_columns(rows: Sequence[Sequence[Located]], header: Sequence[Located]) -> Iterator[tuple[int, Located]]:
    """The equations of such columns, each with the number of its column.

    >>> def cells(*texts):
    ...     return [Located.whole(text) for text in texts]
    >>> found = find_worked_columns([cells("7.0", "1.9", "3.61")], cells("x", "x − μ", "Square"))
    >>> [(k, equation.text) for k, equation in found]
    [(1, '(7.0) − μ = 1.9'), (2, '(1.9)^2 = 3.61')]
    """
    names = [_formula_in(cell.text) for cell in header]
    whole = [row for row in rows if len(row) == len(names)]
    last = next((at for at, row in enumerate(whole) if at and _ends_the_column(row)), len(whole))
    for k, heading in enumerate(names):
        pieces = _made_of(heading, names[:k])
        if pieces[:1] == [_EXP] and not all("." in row[k].text for row in whole[:last]):
            continue  # so many exponentials are counted
        for row in whole[:last] if pieces else ():
            arguments = [_argument(row[piece]) if isinstance(piece, int) else None for piece in pieces]
            result = _number(row[k]) or _count(row[k])
            if result is not None and all(isinstance(p, str) or a for p, a in zip(pieces, arguments, strict=True)):
                equation = _equation(pieces, arguments, result)
                if not _is_of_rounded(equation.text, arguments, result.text):
                    yield k, equation
        terms = [_number(row[k]) for row in whole[:last]]
        for row in whole[last:] if pieces and None not in terms and len(terms) > 1 else ():
            called, result = _summary(row, k)
            if called in ("sum", "mean") and result is not None:
                yield k, _summarised([term for term in terms if term is not None], called, result)


def _is_of_rounded(equation: str, arguments: Sequence[Located | None], result: str) -> bool:
    """Whether a logarithm is that of a number of which the column shows less: 3.02 beside 0.05 is −ln 0.0488."""
    given = [argument.text for argument in arguments if argument is not None]
    if not _LOGARITHM.search(equation) or len(given) != 1 or "." not in given[0] or not _NUMBER.fullmatch(result):
        return False
    unit, half = last_place(result), last_place(given[0]) / 2
    number, printed = Fraction(given[0].replace("−", "-")), Fraction(result.replace("−", "-").replace(",", "."))
    formula = equation.rpartition(" = ")[0]
    ends = (f"({each.numerator}/{each.denominator})" for each in (number, number - half, number + half))
    worths = [worth_of(formula.replace(given[0], end, 1)) for end in ends]
    if None in worths:
        return False
    exact, *bounds = (worth or Fraction() for worth in worths)
    return abs(exact - printed) > unit / 2 and min(bounds) - unit / 2 <= printed <= max(bounds) + unit / 2


_LOGARITHM = regex(r"log|ln")
_BEFORE_ARGUMENT = regex(r"(?<=log|exp|tan|sin|cos) +$|(?<=ln) +$")  # log (0.5) may be a product


def _equation(pieces: Sequence[str | int], arguments: Sequence[Located | None], result: Located) -> Located:
    """The heading with the numbers of a row for the names in it, in brackets unless it has them."""
    at = next(argument for argument in arguments if argument is not None).span(0, 0)[0]
    texts = [_BEFORE_ARGUMENT.sub("", piece) if isinstance(piece, str) else "" for piece in pieces]
    parts = []
    for k, (text, argument) in enumerate(zip(texts, arguments, strict=True)):
        if argument is None:
            parts.append(Located.inserted(text, at))
            continue
        enclosed = texts[k - 1].endswith("(") and texts[k + 1].startswith(")")
        opening, closing = ("", "") if enclosed else ("(", ")")
        parts += [Located.inserted(opening, at), argument, Located.inserted(closing, at)]
    return join([*parts, result.led_by(" = ")])


def _summarised(terms: Sequence[Located], summary: str, result: Located) -> Located:
    """The sum of a column, or its mean, as an equation."""
    at = result.span(0, 0)[0]
    added = join([Located.inserted("(", at), join(terms, ") + ("), Located.inserted(")", at)])
    closing = f")/{len(terms)} = " if summary == "mean" else ") = "
    return join([Located.inserted("(", at), added, Located.inserted(closing, at), result])


def _ends_the_column(row: Sequence[Located]) -> bool:
    return any(_summary(row, k)[0] for k in range(len(row)))


def _summary(row: Sequence[Located], k: int) -> tuple[str, Located | None]:
    """What a row below a column says that it is, by its first cell or beside the number: its sum, its mean, another."""
    beside = _SAID.fullmatch(row[k].text)
    if beside is not None:
        return _kind_of(beside["label"]), row[k].cut(*beside.span("number"))
    return _kind_of(row[0].text), _number(row[k])


def _kind_of(label: str) -> str:
    match = _SUMMARY.fullmatch(label.strip("*_`$ "))
    return (match.lastgroup or "") if match is not None else ""


def _number(cell: Located) -> Located | None:
    match = _NUMBER.fullmatch(cell.text)
    return None if match is None else cell.cut(*match.span("number"))


def _count(cell: Located) -> Located | None:
    """A whole number that is too long to be written plainly, or about it."""
    match = _COUNT.fullmatch(cell.text)
    return None if match is None else cell.cut(*match.span("number"))


def _argument(cell: Located) -> Located | None:
    """A number to be put in, without commas between its thousands."""
    number, count = _number(cell), _count(cell)
    if number is not None or count is None or count.text[-1:] in "KM":
        return number
    return count.substitute(_GROUPED, lambda _: "")


def _formula_in(heading: str) -> str:
    """The only formula in a heading, of `exponential $e^z$`; else all that it says."""
    formulas = heading.split("$")
    formula = (formulas[1] if len(formulas) == 3 else heading.replace("$", "")).strip("*` ")
    return _ACCENT.sub(r"\\\1{\2}", formula)


_ACCENT = regex(r"\\(hat|bar|tilde|dot) ?\{?\s*([A-Za-z])\}?")
_WORDS_BEFORE = regex(r"[^\W\d_]+(?: [^\W\d_]+)+ ?= ?")  # New value = …: what it is called

_WORDS_BEFORE_LOGARITHM = regex(r"(?!(?:exp|log|ln)\b)[^\W\d_]+(?: [^\W\d_]+)* (?=[-−]\s?(?:log|ln)\b)")  # loss -log(p)


def _made_of(heading: str, before: Sequence[str]) -> list[str | int]:
    """A heading that is a formula of columns before it, in pieces: texts, and the columns named between them."""
    if before and (function := _OF_THE_LAST.fullmatch(heading)) is not None:
        return ["", len(before) - 1, "^2"] if function["square"] else [_EXP, len(before) - 1, ")"]
    if len(heading) > _LONGEST or not _CALCULATES.search(heading):
        return []
    if (called := _WORDS_BEFORE.match(heading) or _WORDS_BEFORE_LOGARITHM.match(heading)) is not None:
        heading = heading[called.end() :]
    columns = _columns_by_name(heading, before)
    if not columns:
        return []
    pattern = "|".join(map(re.escape, sorted(columns, key=len, reverse=True)))
    pieces: list[str | int] = []
    end = 0
    for match in re.finditer(
        rf"(?<![\w\\])(?<!\\(?:hat|bar|dot)\{{)(?<!\\tilde\{{)(?:{pattern})(?![^\W²³])", heading, re.IGNORECASE
    ):
        named = match[0] if match[0] in columns else match[0].lower()
        if named in columns:
            pieces += [heading[end : match.start()], columns[named]]
            end = match.end()
    return [*pieces, heading[end:]] if pieces else []


def divisor_in(heading: str) -> str | None:
    """What a heading that says nothing else divides the column before it by.

    A number alone may divide another column; a root is what scores are divided by.

    >>> divisor_in("/ sqrt(2)"), divisor_in("scaled (÷ √d_k)"), divisor_in("scaled (/ 2)"), divisor_in("/ 2")
    ('sqrt(2)', '√d_k', '2', None)
    """
    text = _formula_in(heading)
    divided = _DIVIDED.fullmatch(text)
    if divided is None or (divided["divisor"].isdecimal() and "(" not in text):
        return None
    divisor = divided["divisor"]  # √2) of `scaled (/ √2)` ends in a bracket that was opened before it
    return divisor.removesuffix(")") if divisor.count(")") > divisor.count("(") else divisor


_OF_WHAT = regex(r"(?<=\w)\((?:[^\W\d_]{4,}|[\u3040-\ud7a3]+)\)$")  # q(class) is q; (M) and (cm) are units


def _columns_by_name(heading: str, before: Sequence[str]) -> dict[str, int]:
    """The columns by their names, words in small letters too; the last word of "raw score" is one where it is alone,
    and the first one where it stands in the heading."""
    found: dict[str, int] = {}
    short = [_OF_WHAT.sub("", name) for name in before]
    before = [name if short.count(bare) > 1 else bare for name, bare in zip(before, short, strict=True)]
    firsts, lasts = ([name.split()[end] if _WORDS.fullmatch(name) else "" for name in before] for end in (0, -1))
    said = heading.lower().split()
    for k, whole in enumerate(before):
        name = lasts[k] if lasts.count(lasts[k]) == 1 and lasts[k] else whole
        if firsts.count(firsts[k]) == 1 and firsts[k].lower() in said and lasts[k].lower() not in said:
            name = firsts[k]
        word = name.isalpha() and len(name) > 1
        if _NAME.fullmatch(name) and not (word and _JOINED.search(heading)):
            found[name] = k
            if word:
                found[name.lower()] = k
    return found
