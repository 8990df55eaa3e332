"""Short worked examples as very different authors write them: all numbers are right, or one step is wrong.

`python -m tests.fuzz.true_articles --count 3000` writes them, checks them, and tallies what is said of their results;
`--slips` plants one slip in each, `--show KIND.SEED` prints one article with what the checker says of it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from symattn.checking import Findings, check_article
from symattn.checking.patch.corrections import correct
from symattn.reading.articles import read_article
from symattn.reading.articles.article import NotChecked
from tests.fuzz.worked import attention, beside
from tests.fuzz.worked.author import Author, Printed, Slip, Written, unmark

KINDS: dict[str, Callable[[Author], tuple[str, str]]] = {
    f.__name__: f
    for f in (
        attention.by_matrices,
        attention.one_query,
        attention.in_tables,
        attention.in_a_notebook,
        attention.several_heads,
        beside.normalise,
        beside.feed_forward,
        beside.temperatures,
        beside.losses,
        beside.positions,
        beside.sentences,
        beside.not_derivable,
        beside.same_letters,
        beside.embed,
        beside.cosines,
    )
}
LINES_OF_TABLE = 8


def write(kind: str, seed: int, slip: Slip | None = None) -> Written:
    """The article of a kind and a seed; the same but for its numbers with a slip."""
    text, suffix = KINDS[kind](Author(random.Random(f"{kind} {seed}"), slip))
    return unmark(f"{kind}.{seed}.{suffix}", text + "\n", slip)


def write_slipped(kind: str, seed: int) -> tuple[Written, Written, set[int]] | None:
    """The right article, the same with one step wrong, and which of its results are not what they should be."""
    right = write(kind, seed)
    r = random.Random(f"slip {kind} {seed}")
    steps = sorted({p.step for p in right.results} - {0})
    if not steps:
        return None
    try:
        wrong = write(kind, seed, Slip(r.choice(steps), r.randrange(10**6)))
    except (ArithmeticError, TypeError, RecursionError):  # the logarithm of a negative number, and the like
        return None
    if wrong.slipped is None or len(wrong.results) != len(right.results):
        return None
    off = {k for k, (p, q) in enumerate(zip(right.results, wrong.results, strict=True)) if p.text != q.text}
    return (right, wrong, off) if off else None


def check(article: Written) -> Findings:
    return check_article(read_article(article.name, article.text))


@dataclass
class Said:
    """What the checker says of the results of one article."""

    article: Written
    report: Findings
    verdicts: dict[int, str] = field(default_factory=dict)  # of results by their number
    strays: list[tuple[str, str]] = field(default_factory=list)  # called wrong without being a result, and where
    silent: list[int] = field(default_factory=list)

    @staticmethod
    def of(article: Written) -> Said:
        said = Said(article, check(article))
        for claim in said.report.findings:
            for e in claim.entries:
                k = said._result_at(e.span)
                if k is not None and said.verdicts.get(k) not in ("wrong", "carried"):
                    said.verdicts[k] = e.verdict
                elif k is None and e.verdict in ("wrong", "carried"):
                    said.strays.append((e.printed, f"{claim.line}: {claim.subject}"))
        for k, p in enumerate(article.results):
            if k not in said.verdicts and said._is_calculated(p) and said.listed_with(p) is None:
                said.silent.append(k)
        return said

    def _result_at(self, span: tuple[int, int] | None) -> int | None:
        if span is None:
            return None
        results = self.article.results
        return next((k for k, p in enumerate(results) if p.start < span[1] and span[0] < p.end), None)

    def _is_calculated(self, result: Printed) -> bool:
        """Whether its line holds a calculation; of what is only told, nothing has to be said."""
        text = self.article.text
        line = text[text.rfind("\n", 0, result.start) + 1 : text.find("\n", result.end)]
        return any(sign in line for sign in ("=", "≈", "\\approx", "→", "[", "matrix", "|", "<td>"))

    def bad(self) -> list[int]:
        return [k for k, v in self.verdicts.items() if v in ("wrong", "carried")]

    def listed_with(self, result: Printed) -> NotChecked | None:
        """What is listed in the line of a result, or of a matrix or table that it stands in."""
        line = self.report.breaks.position(result.start)[0]
        found = None
        for n in self.report.not_checked:
            first, last = n.line or 0, (n.line or 0) + n.text.count("\n")
            if first <= line <= last or (first <= line <= last + LINES_OF_TABLE and result.text in n.text):
                found = n
        return found

    def reason_for(self, result: Printed) -> str:
        """Why a result is not judged, by what is listed nearest to it."""
        near = self.listed_with(result)
        return near.reason.key if near else "silent"


def articles(count: int, first: int = 0, kinds: list[str] | None = None) -> Iterator[tuple[str, int]]:
    names = kinds or list(KINDS)
    for i in range(first, first + count):
        yield names[i % len(names)], i


def tally(count: int, first: int, kinds: list[str] | None, verbose: bool) -> Counter[str]:
    """Of true articles: judged, listed, silent, called wrong."""
    sums: Counter[str] = Counter()
    for kind, seed in articles(count, first, kinds):
        said = Said.of(write(kind, seed))
        sums["articles"] += 1
        results = said.article.results
        sums["results"] += len(results)
        sums["judged"] += len(said.verdicts)
        sums[f"  {kind} judged"] += len(said.verdicts)
        sums[f"  {kind} results"] += len(results)
        sums["alarms"] += len(said.bad()) + len(said.strays)
        sums["last-digit"] += sum(v == "last-digit" for v in said.verdicts.values())
        sums["formulas called false"] += len(said.report.failing)
        sums["silent"] += len(said.silent)
        for k, p in enumerate(results):
            if k not in said.verdicts:
                sums[f"why {said.reason_for(p)}"] += 1
        if verbose and (said.bad() or said.strays or said.report.failing):
            print(
                "ALARM",
                kind,
                seed,
                [results[k].text for k in said.bad()],
                said.strays,
                [f.text for f in said.report.failing],
            )
        if verbose and said.silent:
            print("SILENT", kind, seed, [results[k].text for k in said.silent])
    return sums


def tally_slips(count: int, first: int, kinds: list[str] | None, verbose: bool) -> Counter[str]:
    """Of articles with one slip: found, carried, called right, not judged; patches that break a right number."""
    sums: Counter[str] = Counter()
    for kind, seed in articles(count, first, kinds):
        made = write_slipped(kind, seed)
        if made is None:
            continue
        right, wrong, off = made
        said = Said.of(wrong)
        sums["articles"] += 1
        assert wrong.slipped is not None
        source = {k for k in off if wrong.results[k].step == wrong.slipped}
        for k in off:
            verdict = said.verdicts.get(k, "not judged")
            verdict = verdict if verdict in ("wrong", "carried", "not judged") else "called right"
            sums[("slip " if k in source else "follower ") + verdict] += 1
            if k in source:
                sums[f"  {wrong.slip} {verdict}"] += 1
        alarms = [wrong.results[k].text for k, v in said.verdicts.items() if v == "wrong" and k not in off]
        copied = {wrong.results[k].text for k in off}  # into the working of what follows
        alarms += [text for text, _ in said.strays if text not in copied]
        sums["alarms"] += len(alarms)
        if verbose and alarms:
            print("ALARM", kind, seed, wrong.slip, alarms)
        found = any(said.verdicts.get(k) in ("wrong", "carried") for k in off)
        sums["articles found"] += found
        if found:
            patched = correct(said.report).source
            broken = _broken(right.text, wrong, patched, off)
            sums["patched right"] += patched == right.text
            sums["patches that break"] += bool(broken)
            if verbose and broken:
                print("PATCH", kind, seed, wrong.slip, broken)
    return sums


def _broken(right: str, wrong: Written, patched: str, off: set[int]) -> list[str]:
    """The lines that were right and that a patch changed."""
    before, after, truth = wrong.text.split("\n"), patched.split("\n"), right.split("\n")
    if not len(before) == len(after) == len(truth):
        return ["lines"]
    return [f"{b} -> {n}" for b, n, t in zip(before, after, truth, strict=True) if b == t and b != n]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--slips", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--show", help="KIND.SEED of one article")
    options = parser.parse_args()
    if options.show:
        kind, seed = options.show.split(".")[:2]
        show(kind, int(seed), options.slips)
        return
    counted = (tally_slips if options.slips else tally)(options.count, options.first, options.kind, options.verbose)
    for key, number in sorted(counted.items()):
        print(f"{number:8} {key}")
    sys.exit(1 if counted["alarms"] or counted["silent"] or counted["patches that break"] else 0)


def show(kind: str, seed: int, slipped: bool) -> None:
    """One article and what is said of it."""
    from symattn.pages.findings.text import findings_text

    made = write_slipped(kind, seed) if slipped else None
    article = made[1] if made else write(kind, seed)
    said = Said.of(article)
    print(article.text, findings_text(said.report, verbose=True), sep="\n---\n")
    if made:
        print("slip:", article.slip, "wrong:", [article.results[k].text for k in sorted(made[2])])
    print("not judged:", [p.text for k, p in enumerate(article.results) if k not in said.verdicts])


if __name__ == "__main__":
    main()
