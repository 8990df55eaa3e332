"""Columns of a softmax: `Sum` and `Softmax` behind a column of lists, or `p at T = 0.5` behind one of logits.

    | Query | exp(s)                        | Sum  | Softmax      |
    |-------|-------------------------------|------|--------------|
    | 1     | [e^0.7, e^0] = [2.01, 1.00]   | 3.01 | [0.67, 0.33] |

What the columns are is taken from their headings and has to be borne out by all of the rows but one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.articles.scanning.worked.columns import SUM
from symattn.reading.articles.scanning.worked.compared import agrees
from symattn.reading.articles.scanning.worked.worth import worth_of

Cells = Sequence[Located]
_NUMBER = r"[-−+]?\d+(?:\.\d+)?"
_TERMS = regex(r"\[([^\[\]]+)\]\s*(?:=|≈|\\approx)\s*(?=\[)")
_LIST = regex(rf"\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})+)\s*\]")
_PLAIN = regex(_NUMBER)
_SUM = regex(rf"(?:{SUM}|\\sum)", re.IGNORECASE)
_SHARES = regex(r"softmax(?: .{1,12})?|(?:attention )?weights|注意力权重|权重", re.IGNORECASE)
_LOGITS = regex(r"(?:raw )?(?:logits?|scores?)|z(?:_i)?|得分|分数", re.IGNORECASE)
_AT = regex(
    r"(?:p|P|prob\w*|softmax|概率)(?:\([^()]{1,6}\))?,? (?:(?:at|for|with) )?\(?T ?= ?(?P<t>\d{1,3}(?:\.\d{1,3})?)\)?"
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
    if len(logits) == 1:
        for k, name in enumerate(names):
            if k > logits[0] and (at := _AT.fullmatch(name)) is not None:
                yield from _at_temperature(whole, logits[0], k, at["t"])


def _sums(rows: Sequence[Cells], names: Sequence[str], k: int) -> Iterator[tuple[int, Located]]:
    """The sums of the lists in the column before, and the lists divided by them in the column behind."""
    sums: list[Located] = []
    shares: list[Located] = []
    right = fitting = 0
    for row in rows:
        before, total = _undressed(row[k - 1]), _undressed(row[k])
        terms = _TERMS.match(before.text)
        numbers = _LIST.fullmatch(before.text, 0 if terms is None else terms.end())
        if numbers is None or not _PLAIN.fullmatch(total.text):
            return
        added = [" + ".join(map(str.strip, each[1].split(","))) for each in (terms, numbers) if each is not None]
        right += _is_worth(added[0], total.text)
        sums.append(total.led_by(" = ".join(added) + " = "))
        behind = _undressed(row[k + 1]) if k + 1 < len(row) and _SHARES.fullmatch(names[k + 1]) else None
        parts = None if behind is None else _LIST.fullmatch(behind.text)
        if behind is not None and parts is not None and parts[1].count(",") == numbers[1].count(","):
            pairs = zip(numbers[1].split(","), parts[1].split(","), strict=True)
            fitting += all(_is_worth(f"({number})/({total.text})", part) for number, part in pairs)
            shares.append(behind.led_by(f"[{numbers[1]}] / ({total.text}) = "))
    if right >= max(len(rows) - 1, 1):
        yield from ((k, each) for each in sums)
        if shares and fitting >= max(len(shares) - 1, 1):
            yield from ((k + 1, each) for each in shares)


def _is_worth(calculation: str, printed: str) -> bool:
    worth = worth_of(calculation)
    return worth is not None and agrees(abs(worth), printed)


def _at_temperature(rows: Sequence[Cells], logits: int, k: int, temperature: str) -> Iterator[tuple[int, Located]]:
    """The softmax of a column of logits at the temperature of a heading."""
    scores, shares = ([_undressed(row[column]) for row in rows] for column in (logits, k))
    if len(rows) < 2 or not all(_PLAIN.fullmatch(cell.text) for cell in (*scores, *shares)):
        return
    powers = [f"exp(({cell.text})/{temperature})" for cell in scores]
    total = worth_of(" + ".join(powers))
    worths = [worth_of(power) for power in powers]
    if not total or None in worths:
        return
    right = sum(agrees((worth or Fraction()) / total, cell.text) for worth, cell in zip(worths, shares, strict=True))
    if right < max(len(rows) - 1, 2):
        return
    listed = ", ".join(cell.text for cell in scores)
    yield (
        k,
        join(
            [
                *[
                    cell.led_by(", " if n else f"softmax([{listed}] / {temperature}) = [")
                    for n, cell in enumerate(shares)
                ],
                Located.inserted("]", shares[-1].span(0, 1)[1]),
            ]
        ),
    )


def _undressed(cell: Located) -> Located:
    r"""The cell without what it is set in, `$…$` or `\(…\)`."""
    plain = cell.strip(_DRESS)
    return plain.cut(2, len(plain.text) - 2).strip() if re.fullmatch(r"\\\(.*\\\)", plain.text, re.DOTALL) else plain
