"""Columns of a softmax: `Sum` and `Softmax` behind a column of lists, or `p at T = 0.5` behind one of logits.

    | Query | exp(s)                        | Sum  | Softmax      |
    |-------|-------------------------------|------|--------------|
    | 1     | [e^0.7, e^0] = [2.01, 1.00]   | 3.01 | [0.67, 0.33] |

What the columns are is taken from their headings and has to be borne out by all of the rows but one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.worked.columns import SUM
from symattn.reading.articles.scanning.worked.compared import agrees
from symattn.reading.articles.scanning.worked.worth import last_place, worth_of

Cells = Sequence[Located]
_NUMBER = r"[-−+]?\d+(?:\.\d+)?"
_TERMS = regex(r"\[([^\[\]]+)\]\s*(?:=|≈|\\approx)\s*(?=\[)")
_LIST = regex(rf"\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})+)\s*\]")
_PLAIN = regex(_NUMBER)
_COMMA = "{,}"  # of a decimal, as TeX sets it
_SUM = regex(rf"(?:{SUM}|\\sum)", re.IGNORECASE)
_SHARES = regex(r"softmax(?: .{1,12})?|(?:attention )?weights|注意力权重|权重", re.IGNORECASE)
_LOGITS = regex(r"(?:raw )?(?:logits?|scores?)|z(?:_i)?|得分|分数", re.IGNORECASE)
_AT = regex(
    r"(?:(?:p|P|prob\w*|softmax|概率)(?:\([^()]{1,6}\))?,? )?(?:(?:at|for|with) )?"
    r"\(?T ?= ?(?P<t>\d{1,3}(?:(?:\.|\{,\})\d{1,3})?)\)?"
)
_DRESS = "$*`_ "
MOST_ROWS = 40


def find_columns_of_shares(rows: Sequence[Cells], header: Cells) -> Iterator[tuple[int, Located]]:
    """The equations of such columns, each with the number of its column.

    >>> def cells(*texts):
    ...     return [Located.whole(text) for text in texts]
    >>> found = find_columns_of_shares([cells("1", "[1, 3]", "4", "[0.25, 0.75]")], cells("", "e^s", "Sum", "Softmax"))
    >>> [(k, equation.text) for k, equation in found]
    [(2, '1 + 3 = 4'), (3, '[1, 3] / (4) = [0.25, 0.75]')]
    """
    whole = [row for row in rows[:MOST_ROWS] if len(row) == len(header)]
    if not whole:
        return
    names = [_undressed(cell).text for cell in header]
    for k in range(1, len(names)):
        if _SUM.fullmatch(names[k]):
            yield from _sums(whole, names, k)
    logits = [k for k, name in enumerate(names) if _LOGITS.fullmatch(name)]
    at = {k: found["t"] for k, name in enumerate(names) if (found := _AT.fullmatch(name)) is not None}
    if len(logits) == 1 and len(whole) > 1:
        yield from _at_temperatures(whole, logits[0], at)


def _sums(rows: Sequence[Cells], names: Sequence[str], k: int) -> Iterator[tuple[int, Located]]:
    """The sums of the lists in the column before, and the lists divided by them in the column behind."""
    sums: list[Located] = []
    shares: list[Located] = []
    right = fitting = others = 0
    for row in rows:
        before, total = _undressed(row[k - 1]), _undressed(row[k])
        terms = _TERMS.match(before.text)
        numbers = _LIST.fullmatch(before.text, 0 if terms is None else terms.end())
        if numbers is None or not _PLAIN.fullmatch(total.text):
            return
        added = [" + ".join(map(str.strip, each[1].split(","))) for each in (terms, numbers) if each is not None]
        right += _is_worth(added[0], total.text)
        if not _is_of_rounded(numbers[1].split(","), total.text):
            sums.append(total.led_by(" = ".join(added) + " = "))
        behind = _undressed(row[k + 1]) if k + 1 < len(row) and _SHARES.fullmatch(names[k + 1]) else None
        parts = None if behind is None else _LIST.fullmatch(behind.text)
        if behind is not None and parts is not None and parts[1].count(",") == numbers[1].count(","):
            pairs = list(zip(numbers[1].split(","), parts[1].split(","), strict=True))
            powers = " + ".join(f"exp({number})" for number, _ in pairs)
            of_sum = all(_is_worth(f"({number})/({total.text})", part) for number, part in pairs)
            of_powers = all(_is_worth(f"exp({number})/({powers})", part) for number, part in pairs)
            fitting += of_sum and not of_powers  # equal numbers fit both
            others += of_powers and not of_sum
            shares.append(behind.led_by(f"[{numbers[1]}] / ({total.text}) = "))
    if right >= max(len(rows) - 1, 1):
        yield from ((k, each) for each in sums)
        if fitting >= max(len(shares) - 1, 1) and not others:
            yield from ((k + 1, each) for each in shares)


def _is_of_rounded(numbers: Sequence[str], total: str) -> bool:
    """Whether a sum is not that of the numbers as they stand, but may be that of more digits of them."""
    units = [last_place(number.strip()) for number in (*numbers, total)]
    added = sum(Fraction(number.strip().replace("−", "-")) for number in numbers)
    off = abs(added - Fraction(total.replace("−", "-")))
    return 0 < off <= sum(unit for unit in units if unit < 1) / 2


def _is_worth(calculation: str, printed: str) -> bool:
    worth = worth_of(calculation)
    return worth is not None and agrees(abs(worth), printed)


def _at_temperatures(rows: Sequence[Cells], logits: int, at: Mapping[int, str]) -> Iterator[tuple[int, Located]]:
    """The softmax of a column of logits at the temperatures of the headings.

    They may be the likeliest of more: one number is wrong only if all of another column are right.
    """
    scores = [_undressed(row[logits]) for row in rows]
    columns = {k: [_undressed(row[k]) for row in rows] for k in at}
    if not all(_PLAIN.fullmatch(_pointed(cell)) for cells in (scores, *columns.values()) for cell in cells):
        return
    wrong = 0
    found: list[tuple[int, Located]] = []
    for k, shares in columns.items():
        powers = [f"exp(({_pointed(cell)})/{at[k].replace(_COMMA, '.')})" for cell in scores]
        whole = " + ".join(powers)
        wrong += sum(
            not _is_worth(f"{power}/({whole})", _pointed(cell)) for power, cell in zip(powers, shares, strict=True)
        )
        listed = ", ".join(cell.text for cell in scores)
        opened = shares[0].led_by(f"softmax([{listed}] / {at[k]}) = [")
        closed = Located.inserted("]", shares[-1].span(0, 1)[1])
        found.append((k, join([opened, *[cell.led_by(", ") for cell in shares[1:]], closed])))
    if wrong == 0 or (wrong == 1 and len(columns) > 1 and all(_is_whole(_pointed(cell)) for cell in scores)):
        yield from found


def _pointed(cell: Located) -> str:
    return cell.text.replace(_COMMA, ".")


def _is_whole(number: str) -> bool:
    """Whether it is no rounded number, 2 or 2.0."""
    return not number.partition(".")[2].strip("0")


def _undressed(cell: Located) -> Located:
    r"""The cell without what it is set in, `$…$` or `\(…\)`."""
    plain = cell.strip(_DRESS)
    return plain.cut(2, len(plain.text) - 2).strip() if re.fullmatch(r"\\\(.*\\\)", plain.text, re.DOTALL) else plain
