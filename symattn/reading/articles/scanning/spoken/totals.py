"""Totals below the lines that they add up, and stacks of so many: parameters with the letter that counts them.

    - attention: 4 × 512² = 1,048,576          layer: 3.15M
    - network: ~2.1M                           6 layers: ~18.9M
    Total per layer: ~3.15M

Nothing says which lines are meant: an equation is made of a total only where it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join
from symattn.reading.vocabulary import SUM
from symattn.values.spelling import WORTHS

_COUNT = r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,12}(?:\.\d{1,3})?)(?P<letter>[KMB](?![\w/]))?"
_VALUE = regex(
    rf"(?:^|(?<=[\s=≈~]))(?P<value>{_COUNT})(?P<behind>\s*(?:params?|parameters?|paramètres|Parameter|par[aá]metros|parâmetros|parametri|параметров|参数|个参数)?\s*)$",
    re.IGNORECASE,
)
_ITEM = regex(r"[\s>]*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?[^\W\d][^:：=≈]{0,60}[:：]\s*.{1,120}")
_TOTAL = regex(
    rf"[\s>*]*(?:[-+•]\s+)?\**(?:(?:grand |sub)?(?:{SUM})|总共|总参数)"
    r"[^:：=≈\d]{0,40}[:：]",
    re.IGNORECASE,
)
_STACK = regex(
    r"\(\s?(?P<count>\d{1,3})\s?(?:layers?|blocks?|层|couches|blocs|Schichten|capas|camadas)\s?\)\W{0,3}[:：]"
)
_MOST = 12  # lines that are added up
_FEWEST = 2


def with_totals(lines: list[Located]) -> list[Located]:
    """The lines with a total as the sum of the lines above it, and a stack as so many times the total before it.

    >>> texts = ("- heads: 4 × 512 = 2,048", "- network: ~1.5K", "Total: ~3.5K", "", "Stack (6 layers): 21K")
    >>> [line.text for line in with_totals([Located.whole(text) for text in texts])][2:]
    ['Total: ; 2048 + 1500 = 3.5K; ', '', 'Stack (6 layers): ; 6 × 3500 = 21K; ']
    """
    found, last = list(lines), Fraction(0)
    for k, line in enumerate(lines):
        if len(line.text) > 200 or not any(c.isdigit() for c in line.text):
            continue
        total, stack = _TOTAL.match(line.text), _STACK.search(line.text)
        value = _value_of(line) if total or stack else None
        if value is None:
            continue
        worth, unit, at = value
        terms = list(_items_above(lines, k)) if total else []
        if total and len(terms) >= _FEWEST and abs(sum(terms) - worth) < unit:
            found[k] = _with_equation(line, at, " + ".join(map(str, terms)))
        elif stack and last and abs(int(stack["count"]) * last - worth) < unit:
            found[k] = _with_equation(line, at, f"{stack['count']} × {last}")
        last = worth if total else last
    return found


_LARGE = r"\d{1,3}(?:,\d{3}(?:,\d{3})*|(?:\.\d{3})+|(?: \d{3})+)|\d{4,12}"
_ENTRY = regex(
    rf"\S[^=≈\n]{{0,60}}?(?:[:：]|\s{{2}})\s*~?(?P<number>{_LARGE})(?![\d.,])(?=\s*\([^()\d]*\)\s*$|\s{{2}}|\s*(?:[=≈]|$))"
)
_RESULT = regex(rf"[=≈]\s*(?P<number>{_LARGE})\s*(?:\([^()]*\)\s*)?$")
_EQUALS = regex(r"[=≈]")
_RULE = regex(r"[\s+]*[-─═_=]{3,}\s*")
_BELOW = regex(rf"[\s>*]*(?:{SUM})\b", re.IGNORECASE)
_LEAST = 100_000  # that a sum is not by chance
_EMPTY = 3  # lines that say nothing, among entries


def with_ledgers(lines: list[Located]) -> list[Located]:
    """The lines with a large total in a column of amounts as the sum of those above it, if it is that exactly.

    >>> texts = ("words  38 597 376", "places    786 432   1 024 · 768", "-----", "all    39 383 808")
    >>> [line.text for line in with_ledgers([Located.whole(text) for text in texts])][3:]
    ['all    ; 38597376 + 786432 = 39383808; ']
    """
    found = list(lines)
    for k, line in enumerate(lines):
        if (total := _total_at(lines, k)) is not None:
            (start, end), equation = total
            rest = line.cut(start if _EQUALS.search(line.text, end) else end, len(line.text))
            closed = [equation.led_by("; "), Located.inserted("; ", line.span(end - 1, end)[1])]
            found[k] = join([line.cut(0, start), *closed, rest])
    return found


def total_below(lines: list[Located], below: list[Located]) -> Located | None:
    """The first line of words below a fence as the sum of the amounts at the end of it, if it is that exactly."""
    said = next((line for line in below if line.text.strip()), None)
    total = None if said is None else _total_at([*lines, said], len(lines))
    return None if total is None else total[1]


def _total_at(lines: Sequence[Located], k: int) -> tuple[tuple[int, int], Located] | None:
    """Where the total of a line stands, and the equation that says what it is the sum of."""
    line = lines[k]
    entry = _ENTRY.match(line.text) if len(line.text) <= 200 else None
    if entry is None or not (_BELOW.match(line.text) or (k and _RULE.fullmatch(lines[k - 1].text))):
        return None
    terms = _added_above(lines, k, _digits(entry))
    if not terms or _digits(entry) < _LEAST or entry["number"].count(".") == 1:
        return None
    printed = line.cut(*entry.span("number"))
    printed = printed.without(m.span() for m in re.finditer(" ", printed.text))
    return entry.span("number"), printed.led_by(f"{' + '.join(map(str, terms))} = ")


def _added_above(lines: Sequence[Located], k: int, total: int) -> list[int]:
    """The amounts right above a line that make its total, as few of them as do."""
    terms: list[int] = []
    empty = 0
    for line in reversed(lines[max(k - _MOST, 0) : k]):
        entry = None if len(line.text) > 200 else _RESULT.search(line.text) or _ENTRY.match(line.text)
        empty += entry is None
        if entry is None and (empty > _EMPTY or not (_RULE.fullmatch(line.text) or not line.text.strip())):
            break
        terms[:0] = [] if entry is None else [_digits(entry)]
        if len(terms) >= _FEWEST and sum(terms) == total:
            return terms
    return []


def _digits(entry: re.Match[str]) -> int:
    return int(re.sub(r"\D", "", entry["number"]))


def _items_above(lines: Sequence[Located], k: int) -> Iterator[Fraction]:
    """The values of the lines right above, upwards as far as each has one; in their order."""
    values: list[Fraction] = []
    for line in reversed(lines[max(k - _MOST, 0) : k]):
        item = _ITEM.fullmatch(line.text) if len(line.text) <= 200 and not _TOTAL.match(line.text) else None
        value = None if item is None else _value_of(line)
        if value is None:
            break
        values.append(value[0])
    yield from reversed(values)


def _value_of(line: Located) -> tuple[Fraction, Fraction, tuple[int, int]] | None:
    """The number that a line ends with, the unit of its last digit, and where it stands."""
    text = line.text.rstrip(" *`.")
    match = _VALUE.search(text)
    if match is None:
        return None
    factor = WORTHS[match["letter"].upper()] if match["letter"] else 1
    digits = match["number"].replace(",", "")
    unit = Fraction(factor, 10 ** len(digits.partition(".")[2]))
    return Fraction(digits) * factor, unit, match.span("value")


def _with_equation(line: Located, at: tuple[int, int], formula: str) -> Located:
    before, printed = line.cut(0, at[0]), line.cut(*at)
    end = printed.span(len(printed.text) - 1, len(printed.text))[1]
    label = before.cut(0, len(before.text.rstrip("~≈* ")))
    return join(
        [label, printed.led_by(f" ; {formula} = "), Located.inserted("; ", end), line.cut(at[1], len(line.text))]
    )
