"""Tables of models with what a token takes in their caches: 2 × layers × heads of keys and values × width × bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.caches import WIDTHS, spell_decimal
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_TABLE = regex(r"(?:^[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z)){3,}", re.MULTILINE)
_COLUMNS = (
    regex(r"(?:n_?|num_?|#\s?)?(?:hidden_?)?layers?|层数|層数", re.IGNORECASE),
    regex(r"(?:n_?|num_?|#\s?)?(?:kv|key[-_ ]value)[-_ ]?heads?|n_?kv|kv ?头数?量?", re.IGNORECASE),
    regex(r"head[-_ ]?dim(?:ension)?|head[-_ ]?size|d_?(?:head|h)|头维度?|每头维度", re.IGNORECASE),
)
_SHARE = regex(
    r"(?:kv|cache|bytes?|memory|缓存|显存|[\s_-])*(?:/|per|每)[\s_-]?(?:token|词元)(?:\s*\([^()]*\))?", re.IGNORECASE
)
_AMOUNT = regex(r"[~≈约]?\s*(?P<value>\d+(?:,\d{3})*(?:\.\d+)?)\s*(?P<unit>[KMG]?)(?:i?B|\s?bytes?)", re.IGNORECASE)
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3}


@dataclass(frozen=True)
class _Row:
    """A row: where it stands, the product of its three numbers, and what it prints."""

    start: int
    text: str
    product: int
    amount: re.Match[str]


def judge_cache_tables(context: Context) -> Iterator[Formula]:
    """Rows held against the bytes of a number that the article states. A row is false only beside one that is right."""
    widths = [width for width, words in WIDTHS.items() if context.mentions(words)]
    if len(widths) != 1:
        return
    for table in _TABLE.finditer(context.article.words):
        rows = list(_rows(table))
        right = [_is_right(row, widths[0]) for row in rows]
        for row, held in zip(rows, right, strict=True):
            span = row.start, row.start + len(row.text)
            if held:
                yield conclude_in_words(context, span, "holds", Sentence("formula_cache"))
            elif any(right):
                printed = _spell(row, widths[0])
                made = row.text.replace(row.amount[0], row.amount[0].replace(row.amount["value"], printed))
                shown = Counterexample((), row.amount["value"], printed)
                yield conclude_in_words(context, span, "fails", Sentence("formula_cache"), made, shown)


def _rows(table: re.Match[str]) -> Iterator[_Row]:
    """The rows that have all four numbers, where the heads of the columns say which these are."""
    lines, at = table[0].splitlines(keepends=True), table.start()
    columns = _find_columns([cell.strip(" *`$") for cell in lines[0].strip().strip("|").split("|")])
    for line in lines if columns is not None else ():
        text = line.strip()
        cells = [cell.strip(" *`$") for cell in text.strip("|").split("|")]
        start, at = at + line.index("|"), at + len(line)
        if columns is None or len(cells) <= max(columns):
            continue
        *numbers, share = (cells[column] for column in columns)
        amount = _AMOUNT.fullmatch(share)
        if amount is not None and all(number.isdecimal() for number in numbers):
            layers, heads, width = map(int, numbers)
            yield _Row(start, text, layers * heads * width, amount)


def _find_columns(heads: Sequence[str]) -> tuple[int, ...] | None:
    """Where layers, heads, width and the share of a token stand; None where one of them is missing or there twice."""
    found = [[k for k, head in enumerate(heads) if words.fullmatch(head)] for words in (*_COLUMNS, _SHARE)]
    return tuple(k for [k] in found) if all(len(each) == 1 for each in found) else None


def _units(row: _Row) -> list[Fraction]:
    power = _POWERS[row.amount["unit"].upper()]
    return [Fraction(1024) ** power, Fraction(1000) ** power]


def _is_right(row: _Row, width: Fraction) -> bool:
    value = Fraction(row.amount["value"].replace(",", ""))
    places = len(row.amount["value"].partition(".")[2])
    slack = max(Fraction(1, 10**places), value / 50)
    return any(abs(2 * row.product * width / unit - value) <= slack for unit in _units(row))


def _spell(row: _Row, width: Fraction) -> str:
    return spell_decimal(2 * row.product * width / _units(row)[0], len(row.amount["value"].partition(".")[2]))
