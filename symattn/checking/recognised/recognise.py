"""Claims for numbers that nobody wrote a formula for: each held against the step that evidently gave it.

What other rules judged stands. Of the rest a series is judged where a step gives all of it from what stands before; a
number is called wrong only where it alone does not fit a step that the others show beyond doubt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from symattn.checking.findings import BAD, Cause, Claim, Finding, Verdict
from symattn.checking.recognised.amounts.judging import confirm_amounts
from symattn.checking.recognised.attested import Doubts
from symattn.checking.recognised.doubts import SURE, Doubt, is_wrong, may_be_wrong
from symattn.checking.recognised.lists import find_series
from symattn.checking.recognised.matches import Match, Source
from symattn.checking.recognised.prints import Print, Span, read_lines
from symattn.checking.recognised.search import Search
from symattn.checking.recognised.series import Series
from symattn.checking.recognised.words import says_made_up
from symattn.reading.articles.article import Article, LineBreaks
from symattn.values.enclosures import bounds, precision
from symattn.values.printed import Ball, relation, round_to

_BITS = 80
_NEAR_MISSES = 4  # numbers among which one may be off in its last place
_SHOWN = 4  # numbers of a series in the name of a claim
_RELATIONS: dict[str, Verdict] = {"exact": "exact", "rounded": "rounded", "truncated": "truncated"}


class Recognised(NamedTuple):
    """Claims; where the numbers stand that they are about and that they begin with, and which of these come first."""

    claims: list[Claim]
    judged: set[Span]
    used: set[Span]
    inputs: set[Span]


def recognise(article: Article, claims: Sequence[Claim], left_alone: Collection[int] = ()) -> Recognised:
    """The claims that can be added to those made already; arithmetic in words not where numbers were `left_alone`."""
    with precision(_BITS):
        breaks, lines = LineBreaks.of(article.source), read_lines(article)
        found = _Recognised(breaks)
        for claim in claims:
            found.note_claim(claim)
        places = {e.span[0] for claim in claims for e in claim.entries if e.span is not None}
        amounts = confirm_amounts(lines, found.judged | places.union(left_alone), breaks)
        for claim in amounts.claims:
            found.note_claim(claim)
        found.used |= amounts.used
        for series in find_series(lines):
            found.take(series)
        added = sorted((*amounts.claims, *found.claims()), key=lambda c: (c.line or 0, c.column or 0))
        judged = {e.span for claim in added for e in claim.entries if e.span is not None}
        first = min((span for claim in (*claims, *added) for e in claim.entries if (span := e.span)), default=(0, 0))
        return Recognised(added, judged, found.used, {span for span in found.used if span < first})


@dataclass
class _Recognised:
    breaks: LineBreaks
    search: Search = field(default_factory=Search)
    supposing: Search = field(default_factory=Search)  # among series with what numbers in doubt should be
    doubts: Doubts = field(default_factory=Doubts)
    judged: set[int] = field(default_factory=set)  # where numbers end that have been judged
    right: dict[Span, Fraction] = field(default_factory=dict)  # what wrong numbers should be
    causes: dict[Span, Cause] = field(default_factory=dict)
    fitting: list[tuple[Series, Match]] = field(default_factory=list)
    doubted: list[Doubt] = field(default_factory=list)  # numbers that are wrong if what they begin with is right
    followers: list[tuple[Series, Match]] = field(default_factory=list)  # what fits if doubts are well-founded
    taken: set[Span] = field(default_factory=set)  # what fits already
    used: set[Span] = field(default_factory=set)  # what the claims begin with

    def note_claim(self, claim: Claim) -> None:
        """What other rules have judged, and what they found wrong."""
        for e in claim.entries:
            if e.span is None:
                continue
            self.judged.add(e.span[1])
            if e.verdict in BAD and e.right is not None:
                self.right[e.span] = round_to(e.right, e.unit)
                own = e.because if isinstance(e.because, Cause) else None
                self.causes[e.span] = own or Cause(claim.line, claim.subject, e.row, e.column)

    def take(self, series: Series) -> None:
        """Look for the step that gave a series, and remember it."""
        self._look(series)
        source = Source(series)
        self.search.note(source)
        in_doubt = any(n.span in self.doubts.supposed for n in series.numbers)
        self.supposing.note(Source(series.corrected(self.doubts.supposed)) if in_doubt else source)
        if any(n.span in self.right for n in series.numbers):
            self.search.note(Source(series.corrected(self.right)), corrected=True)

    def _look(self, series: Series) -> None:
        if all(n.span[1] in self.judged or n.span in self.taken for n in series.numbers):
            return
        if self.search.restates(series):
            return
        match = self.search.best(series)
        count = len(series.numbers)
        self.doubts.note_shares(series)
        if (match is None or any(match.off)) and self.doubts.supposed:
            self._look_below(series)
        if match is None:
            return
        if not any(match.off):
            if sum(match.agree) >= count - count // _NEAR_MISSES:
                self.fitting.append((series, match))
                self.taken.update(n.span for n, fits in zip(series.numbers, match.agree, strict=True) if fits)
        elif sum(match.off) == 1:
            self._doubt(Doubt(series, match))

    def _doubt(self, doubt: Doubt) -> None:
        """Remember a number that alone does not fit; whatever it is, the others are right where they show the step."""
        series, match = doubt.series, doubt.match
        accuses = not (self.search.is_variant(series) or says_made_up(series.around))  # else another on purpose
        if accuses and may_be_wrong(doubt, self.search.last) and not self.search.is_shared_out(series):
            self.doubted.append(doubt)
            self.right.setdefault(doubt.number.span, doubt.right)
            return
        if accuses and doubt.is_of_one_kind:
            self.doubts.add(doubt)
        if match.bits >= SURE and doubt.telling > 1:
            self.fitting.append((series, replace(match, off=(False,) * len(match.off))))

    def _look_below(self, series: Series) -> None:
        """Look whether a series follows from numbers that are not printed, but should be."""
        match = self.supposing.best(series)
        if match is None or not match.step.telling or says_made_up(series.around):
            return
        if all(match.agree) and any(s.mended for s in match.sources):
            self.doubts.note_following(match)
            self.followers.append((series, match))

    def claims(self) -> Iterator[Claim]:
        """What fits, then what does not and is nowhere found to fit."""
        fits = {n.span for s, m in self.fitting for n, a in zip(s.numbers, m.agree, strict=True) if a}
        attested = [d for d in self.doubts.attested() if d.number.span not in fits]
        self.right.update({d.number.span: d.right for d in attested if d.number.span not in self.right})
        supposed = self.doubts.supposed.keys() & self.right.keys()
        below = [(s, m) for s, m in self.followers if self._is_meant(m, supposed)]
        explained = {s for s, _ in below}
        wrong = []
        for doubt in (*sorted(self.doubted, key=lambda d: -d.match.bits), *attested):
            series, match = doubt.series, doubt.match
            sure = doubt in attested or is_wrong(match, fits)
            if doubt.number.span not in fits and sure and series not in explained:
                fits |= {n.span for n, a in zip(series.numbers, match.agree, strict=True) if a}
                wrong.append((series, match))
        for series, match in (*wrong, *self.fitting, *below):
            yield from self._claims_of(series, match)

    def _is_meant(self, match: Match, found: Collection[Span]) -> bool:
        """Whether all numbers that a step takes for wrong ones have been found wrong."""
        return all(n.span in found for s in match.sources for n in s.numbers if n.span in self.doubts.supposed)

    def _claims_of(self, series: Series, match: Match) -> Iterator[Claim]:
        """A claim for each line on which numbers of a series stand that were not judged before."""
        held: list[Finding] = []
        place = (0, 0)
        self.used.update(n.span for s in match.sources for n in s.numbers)
        meant = self._meant(match)
        for k, number in enumerate(series.numbers):
            found = None if number.span[1] in self.judged else self._finding(number, match, meant, k, len(held) + 1)
            if found is None:
                continue
            where = self.breaks.position(number.span[0])
            if held and where[0] != place[0]:
                yield _of_line(place, held, match)
                held, found = [], replace(found, column=1)
            place = place if held else where
            held.append(found)
            self.judged.add(number.span[1])
            if found.verdict == "wrong":
                self.causes[number.span] = Cause(place[0], _name(match), 1, found.column)
        if held:
            yield _of_line(place, held, match)

    def _meant(self, match: Match) -> tuple[Sequence[Ball], Cause | None]:
        """What a step makes of right numbers, where some that it takes were found wrong; and the first of these."""
        bad = [
            n.span
            for s in match.sources
            for n in s.numbers
            if n.span in self.causes and n.value != self.right.get(n.span)
        ]
        if not bad:
            return match.exact, None
        sources = [Source(s.corrected(self.right)).exact for s in match.sources]
        return match.step.make(*sources), self.causes[bad[0]]

    def _finding(
        self, number: Print, match: Match, meant: tuple[Sequence[Ball], Cause | None], k: int, column: int
    ) -> Finding | None:
        if not match.agree[k] and not match.off[k]:
            return None
        values, cause = meant
        found = relation(values[k], number.value, number.unit, number.text)
        verdict: Verdict = "wrong" if match.off[k] else _RELATIONS.get(found, "input-rounding")
        if cause is not None and not match.off[k] and found == "far":
            verdict = "carried"
        because = cause if verdict == "carried" else None
        return Finding(1, column, number.text, number.unit, bounds(values[k]), verdict, because, number.span)


def _of_line(place: Span, held: Sequence[Finding], match: Match) -> Claim:
    text = ", ".join(e.printed for e in held)
    return Claim(*place, _name(match), text, tuple(held), (1, len(held)))


def _name(match: Match) -> str:
    """How a step is written: exp(0.5, 2, 0)."""
    return match.step.form.format(*(_shown(s.numbers) for s in match.sources))


def _shown(numbers: Iterable[Print]) -> str:
    texts = [n.text for n in numbers]
    return ", ".join(texts[:_SHOWN]) + (", …" if len(texts) > _SHOWN else "")
