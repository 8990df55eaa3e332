"""Results of calculations in plain text that nobody judged before: those that are right are confirmed.

No number is called wrong here. Words between the numbers may say that something else is meant, and a unit may be one of
thousands or of 1,024.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from symattn.checking.findings import Claim, Finding, Verdict
from symattn.checking.recognised.amounts.reading import (
    MAGNITUDE,
    MOST,
    NUMBER,
    Amount,
    UnreadError,
    calculate,
    magnitude,
)
from symattn.checking.recognised.amounts.totals import Total, find_totals
from symattn.checking.recognised.prints import Line, Print, Span
from symattn.patterns import regex
from symattn.reading.articles.article import LineBreaks
from symattn.values.enclosures import bounds, enclose_fraction
from symattn.values.printed import Ball, relation

_BASES = (1_000, 1_024)
_MOST_IN_LINE = 24  # results
_SHOWN = 60  # characters of a calculation in the name of a claim
_SIGN = regex(r"(?<![<>!=:+*/-])=(?!=)|≈|≅|≃|\\approx(?![a-z])|→|⇒|⟹|->|=>|\\(?:to|rightarrow|Rightarrow)(?![a-z])")
_ABOUT = regex(r"(?:≈|~|∼|\\approx|\\sim|about|approximately|roughly|约|約|大约|circa|etwa|ca\.)\s*", re.IGNORECASE)
_RESULT = regex(rf"[\s*`]*(?:{_ABOUT.pattern})?[\s*`]*(?P<sign>[-−]\s?)?(?P<number>{NUMBER})", re.IGNORECASE)
_UNIT = regex(MAGNITUDE)
_POWER_OF_TEN = regex(
    r"\s*(?:×|\\times|·|\\cdot|\*|x)\s*10\s*(?:\^\s*\{?\s*(?P<up>[-−]?\d{1,3})|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_GOES_ON = regex(r"[\s*`]*(?:[+×÷·^]|[*/](?=\s*[\d(])|[-−–]\s*[\d(]|\\times|\\cdot|x\s*\d|[⁰¹²³⁴⁵⁶⁷⁸⁹])")
_MAY_BE_ANOTHER = regex(  # 0.5 (99%); 6 x; 300 GB/s
    r"[\s*`]*(?:\([≈~]?\s?\d+(?:\.\d+)?\s?\\?%|[a-zA-AC-Z](?![\w.])|[kKMGTP]i?(?:b(?![a-z])|[bB]?(?:/s|ps)))|\s?\\?%"
)
_BOUNDARY = regex(r"[:;：；|!?。，]|[.,](?=\s|$)|(?:^|(?<=\s))[-*+•>#]+(?=\s)(?=.{0,3}[^\d])|\*\*|&&")
_REMARK = regex(r"\([^()=\d]{1,80}\)")
_BEGINS_OPEN = regex(r"[\s*`>-]*(?P<sign>[×÷·]|[*/+](?=\s)|\\times|\\cdot)")
_BYTES = regex(r"\s*(?:bytes?|B)(?![A-Za-z])")
_PER = regex(r"\s*(?:bytes?\s*)?(?:per|/)\s*(?P<word>[A-Za-z]{3,20})")
_COUNTED = regex(rf"\s*(?P<number>{NUMBER}[KM]?)\s+(?P<word>[A-Za-z]{{3,20}})\s*")
_NEAR = 2  # lines
_RELATIONS: dict[str, Verdict] = {"exact": "exact", "rounded": "rounded", "truncated": "truncated"}


class Confirmed(NamedTuple):
    """Claims, and where the numbers stand that they are about and that they begin with."""

    claims: list[Claim]
    used: set[Span]


@dataclass(frozen=True)
class _Result:
    """A printed result with its unit, what it is counted per, and the line on which it stands."""

    text: str
    per: str
    line: int

    @staticmethod
    def read(line: str, result: re.Match[str], k: int) -> _Result:
        unit = _UNIT.match(line, result.end("number"))
        per = _PER.match(line, result.end("number") if unit is None else unit.end())
        text = line[result.start("number") : result.end("number")] + (unit[0] if unit else "")
        return _Result(text, per["word"].lower() if per else "", k)

    def gone_on(self, side: str, k: int) -> str:
        """What a side comes to that goes on with this result: "× 12 layers", or "2048 tokens" of so much per token."""
        if k - self.line > _NEAR:
            return side
        if (begins := _BEGINS_OPEN.match(side)) is not None:
            return f"{self.text} {side[begins.start('sign') :]}"
        counted = _COUNTED.fullmatch(side) if self.per else None
        if counted is not None and counted["word"].lower() in (self.per, self.per + "s"):
            return f"{self.text} × {counted['number']}"
        return side


def confirm_amounts(lines: Sequence[Line], judged: Collection[int], breaks: LineBreaks) -> Confirmed:
    """The results of calculations in plain text that are right.

    Where numbers begin or end that are `judged`, nothing more is to be said.
    """
    found = _Confirming(lines, set(judged), breaks)
    for k in range(len(lines)):
        found.look_at(k)
    for total in find_totals(lines):
        found.take_total(total)
    return Confirmed(found.claims, found.used)


@dataclass
class _Confirming:
    lines: Sequence[Line]
    judged: set[int]
    breaks: LineBreaks
    claims: list[Claim] = field(default_factory=list)
    used: set[Span] = field(default_factory=set)
    before: _Result | None = None  # the last one, on which a line may go on

    def look_at(self, k: int) -> None:
        """Confirm the results of a line."""
        line = self.lines[k]
        if not line.numbers:
            return
        at = {n.span[0] - line.start: n for n in line.numbers}
        for first, side, result in _sides(self.lines, k):
            number = at.get(result.start("sign") if result["sign"] else result.start("number"))
            text = side if self.before is None else self.before.gone_on(side, k)
            if not (self.before and self.before.per and _COUNTED.match(line.text, result.start())):  # → 2048 tokens
                self.before = _Result.read(line.text, result, k)
            if number is None or self._is_judged(number) or not any(c.isdigit() for c in side):
                continue
            if not _MAY_BE_ANOTHER.match(line.text, result.end()):
                self._judge(text, number, result, line, first)

    def _is_judged(self, number: Print) -> bool:
        start, end = number.span
        digits = end - len(number.text.lstrip("-"))  # behind its sign
        return not self.judged.isdisjoint((start, digits, end))

    def _judge(self, text: str, number: Print, result: re.Match[str], line: Line, first: int) -> None:
        about = "=" not in line.text[first : result.start("number")] or bool(_ABOUT.search(result[0]))
        found = _confirmed(text, number, line.text, result.end("number"), about=about)
        if found is not None:
            inputs = (n.span for n in line.numbers if n.span[1] <= number.span[0] and n.span[0] >= line.start + first)
            self._add(number, *found, text, inputs)

    def take_total(self, total: Total) -> None:
        """Confirm the sum of a column."""
        if not self._is_judged(total.number):
            name = " + ".join(n.text for n in total.parts).replace("+ -", "− ")
            self._add(total.number, total.value, "exact", name, (n.span for n in total.parts))

    def _add(self, number: Print, value: Ball, verdict: Verdict, subject: str, inputs: Iterator[Span]) -> None:
        place = self.breaks.position(number.span[0])
        name = " ".join(subject.split())
        name = name if len(name) <= _SHOWN else name[: _SHOWN - 1] + "…"
        finding = Finding(1, 1, number.text, number.unit, bounds(value), verdict, None, number.span)
        self.claims.append(Claim(*place, name, number.text, (finding,), (1, 1)))
        self.judged.add(number.span[1])
        self.used.update(inputs)


def _sides(lines: Sequence[Line], k: int) -> Iterator[tuple[int, str, re.Match[str]]]:
    """Where a calculation begins on a line, its text, and the result behind it, from left to right."""
    text = lines[k].text
    since = 0
    for found in list(_SIGN.finditer(text))[:_MOST_IN_LINE]:
        first, side = _side(text, since, found.start())
        if not side.strip() and not text[: found.start()].strip(" >*-|`") and k:
            side = _last_side(lines[k - 1].text)
        since = found.end()
        result = _RESULT.match(text, found.end())
        if result is None:
            continue
        if _POWER_OF_TEN.match(text, result.end()) or not _GOES_ON.match(text, result.end()):
            yield first, side, result
    yield from _cells(text)


def _cells(text: str) -> Iterator[tuple[int, str, re.Match[str]]]:
    """The cells of a row that hold a calculation, with the number in the cell behind."""
    at = 0
    cells = text.split("|")
    for cell, following in pairwise(cells):
        result = _RESULT.match(text, at + len(cell) + 1)
        rest = "" if result is None else text[result.end() : at + len(cell) + 1 + len(following)]
        if result is not None and len(rest) <= 12 and not any(c.isdigit() for c in rest) and "=" not in cell:
            yield at, _REMARK.sub(_blank, cell), result
        at += len(cell) + 1


def _last_side(text: str) -> str:
    found = list(_SIGN.finditer(text))
    return _side(text, found[-1].end() if found else 0, len(text))[1]


def _side(text: str, since: int, stop: int) -> tuple[int, str]:
    """The last part of a text that no sign of punctuation parts, and that closes all brackets; and where it begins."""
    since = max(since, stop - MOST)
    side = _REMARK.sub(_blank, text[since:stop])
    begin = max((m.end() for m in _BOUNDARY.finditer(side)), default=0)
    opened: list[int] = []
    for j in range(begin, len(side)):
        if side[j] in "([{":
            opened.append(j if not side[j - 1 : j].isalpha() else -1)  # what stands in the brackets of f(2 is no side
        elif side[j] in ")]}" and opened:
            opened.pop()
    if opened:
        begin = opened[-1] + 1 if opened[-1] >= 0 else len(side)
    return since + begin, side[begin:]


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _confirmed(text: str, number: Print, line: str, end: int, *, about: bool) -> tuple[Ball, Verdict] | None:
    """What a result should be in its own unit, and how it is right; None where it is not, or nothing is calculated."""
    unit, ten = _UNIT.match(line, end), _POWER_OF_TEN.match(line, end)
    in_bytes = (unit is not None and unit["bytes"] is not None) or _BYTES.match(line, end) is not None
    for base in _BASES:
        try:
            amount = calculate(text, base, in_bytes=in_bytes)
        except UnreadError:
            return None
        if not amount.operations:
            return None
        for scale in _scales(amount, number, unit, ten):
            value = amount.value / enclose_fraction(scale)
            verdict = _verdict(value, number, about=about)
            if verdict is not None:
                return value, verdict
    return None


def _scales(amount: Amount, number: Print, unit: re.Match[str] | None, ten: re.Match[str] | None) -> Iterator[Fraction]:
    """What a print may be counted in: its unit, or a power of ten that is written out."""
    if ten is not None:
        yield Fraction(10) ** int((ten["up"] or ten["raised"]).translate(_RAISED))
        return
    if unit is None:
        yield Fraction(1)
        return
    for base in _BASES:
        yield magnitude(unit, base)


def _verdict(value: Ball, number: Print, *, about: bool) -> Verdict | None:
    """How a result is right; nobody rounds to a small whole number without saying so."""
    found = relation(value, number.value, number.unit, number.text)
    return None if number.whole and not about and found != "exact" else _RELATIONS.get(found)
