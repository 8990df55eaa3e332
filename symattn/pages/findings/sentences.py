"""What there is to say of a claim and of a report, as sentences in the order in which they are said.

The terminal's report and the Markdown page say the same; they differ in how they show the numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symattn.checking import Cause, Claim, Counterexample, Finding, Findings, Formula, NotChecked, Reading
from symattn.checking.unread import count_numbers
from symattn.values.spelling import Spelling
from symattn.writing.prose import Sentence, enumerated

MOST_GROUPS = 3  # of wrong entries told with their right values; more are only shown
MOST_PLACES = 12  # listed in one sentence
MOST_LINES = 4  # named in the last line
MOST_UNCHECKED = 10
LONG = 1000  # a fraction of such numbers, as 2/1.633 is, tells a reader no more than its decimal
_ALIKE = ("formula_", "taken_as_given", "defined_anew")  # reasons that are one, whatever they name
GENTLE = ("intermediate", "truncated", "input-rounding", "last-digit", "accepted")


def order_claims(report: Findings, *, every: bool = False) -> list[Claim]:
    """The claims to speak of: with wrong numbers of their own, that follow, rounded wrongly; `every` adds the rest."""
    wrong = [c for c in report.findings if any(e.verdict == "wrong" for e in c.entries)]
    carried = [c for c in report.findings if c.bad and c not in wrong]
    misrounded = [c for c in report.findings if c.misrounded and not c.bad]
    right = [c for c in report.findings if not (c.bad or c.misrounded)]
    return wrong + carried + misrounded + (right if every else [])


def cell_of(report: Findings, item: Claim | Formula | NotChecked) -> Sentence | None:
    """Where in a notebook something stands, as its reader counts."""
    found = report.cell_at(item.line, item.column)
    if found is None:
        return None
    return Sentence("findings.output" if found[0].output else "findings.cell", cell=found[0].number, line=found[1])


def claim_remarks(claim: Claim, report: Findings) -> Iterator[Sentence]:
    """What is wrong, what follows from it, and what is right only in a way."""
    yield from _wrong(claim)
    yield from _carried_sentences(claim, report)
    for verdict in GENTLE:
        entries = [e for e in claim.entries if e.verdict == verdict]
        if entries:
            shown = dict.fromkeys(_gently(e) for e in entries)
            yield Sentence(f"findings.{verdict}", numbers=_join_sentences(list(shown)))


def order_formulas(report: Findings, *, every: bool = False) -> list[Formula]:
    """The formulas to speak of: those that fail, those that hold under a condition; `every` adds those that hold."""
    verdicts = ("fails", "holds-if", "holds") if every else ("fails", "holds-if")
    return [formula for verdict in verdicts for formula in report.formulas if formula.verdict == verdict]


def formula_remarks(formula: Formula) -> Iterator[Sentence]:
    """What is said of a printed formula: the verdict and what shows it, the right formula, numbers that tell."""
    if formula.condition is not None:
        yield Sentence("findings.formula_holds_if", condition=formula.condition)
    key = "findings.formula_fails" if formula.verdict == "fails" else "findings.formula_shown"
    yield Sentence(key, theorem=formula.theorem)
    if formula.right is not None:
        yield Sentence("findings.formula_right", right=formula.right)
    found = formula.counterexample
    if found is not None:
        at = next((value for name, value in found.values if name == "at"), None)
        values = ", ".join(f"{name} = {value}" for name, value in found.values if name != "at")
        key = "findings.formula_values" if _are_values(found) else "findings.formula_sides"
        key = "findings.formula_differs" if values else key
        key = "findings.formula_parts" if values and found.of_parts else key
        yield Sentence(key, values=values, left=found.left, right=found.right)
        if at is not None:
            yield Sentence("findings.formula_entry", at=at)


def _are_values(found: Counterexample) -> bool:
    """Whether two sides are told as numbers, and not as sizes."""
    return "×" not in found.left + found.right and any(sign in found.left + found.right for sign in ".-−e")


def _gently(entry: Finding) -> str | Sentence:
    if entry.verdict == "last-digit":
        return _Same("findings.should_be", printed=entry.printed, right=entry.decimal)
    return entry.printed


class _Same(Sentence):
    """A sentence that is the same as another with the same words."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def _wrong(claim: Claim) -> Iterator[Sentence]:
    wrong = [e for e in claim.entries if e.verdict == "wrong"]
    groups: dict[str, list[Finding]] = {}
    for entry in wrong:
        groups.setdefault(right_value(entry), []).append(entry)
    if len(groups) > MOST_GROUPS:
        yield Sentence("findings.wrong_many", count=len(wrong))
        groups = {}
    for right, entries in groups.items():
        if claim.shape == (1, 1):
            yield Sentence("findings.wrong_number", right=right)
        else:
            key = "findings.wrong_entry" if len(entries) == 1 else "findings.wrong_entries"
            yield Sentence(key, places=_places(entries, claim), right=right)
    readings = {str(e.because.name): e.because.name for e in wrong if isinstance(e.because, Reading)}
    for reading in readings.values():
        yield Sentence("findings.reading", reading=reading)


def right_value(entry: Finding) -> str:
    """What should stand there: the decimal, behind the fraction that it rounds if that is short."""
    if "/" in entry.exact and Spelling.is_plain(entry.decimal):
        fraction = Fraction(entry.exact)
        if fraction != Fraction(entry.decimal) and max(abs(fraction.numerator), fraction.denominator) < LONG:
            return f"{entry.exact} ≈ {entry.decimal}"
    return entry.decimal


def _carried_sentences(claim: Claim, report: Findings) -> Iterator[Sentence]:
    groups: dict[tuple[int | None, str], dict[Finding, Cause]] = {}
    for entry in claim.entries:
        if entry.verdict == "carried" and isinstance(entry.because, Cause):
            groups.setdefault((entry.because.line, entry.because.subject), {})[entry] = entry.because
    for followers in groups.values():
        said = _cause(list(dict.fromkeys(followers.values())), claim, report)
        if len(groups) == 1:
            yield Sentence("findings.carried", cause=said)
        else:
            yield Sentence("findings.carried_entries", places=_places(list(followers), claim), cause=said)


def cause_remark(entry: Finding, claim: Claim, report: Findings) -> Sentence | None:
    """What a number follows from, if it is right but for an earlier one that is wrong."""
    if entry.verdict != "carried" or not isinstance(entry.because, Cause):
        return None
    return Sentence("findings.carried", cause=_cause([entry.because], claim, report))


def _cause(causes: Sequence[Cause], claim: Claim, report: Findings) -> Sentence:
    line, subject = causes[0].line, causes[0].subject
    there = next((c for c in report.findings if (c.line, c.subject) == (line, subject)), claim)
    places = _places(causes, there)
    if (line, subject) == (claim.line, claim.subject):
        return Sentence("findings.cause_here", places=places)
    if there.origin is not None and there.shape == (1, 1):
        return Sentence("findings.cause_sheet", subject=subject)
    cell = cell_of(report, there)
    if cell is not None:
        return Sentence("findings.cause_cell", places=places, subject=subject, cell=cell)
    return Sentence(
        "findings.cause_step" if line is None else "findings.cause", places=places, subject=subject, line=line
    )


def _places(entries: Sequence[Finding | Cause], claim: Claim) -> str | Sentence:
    return _join_sentences([claim.place_name(e.row, e.column) for e in entries])


def _join_sentences(words: Sequence[object]) -> str | Sentence:
    """a; a and b; a, b and c. What is too long is cut."""
    if len(words) > MOST_PLACES:
        words = [*words[: MOST_PLACES - 1], "…"]
    if len(words) == 1 or words[-1] == "…":
        return enumerated(words)
    return Sentence("findings.and", first=enumerated(words[:-1]), last=words[-1])


def _at(places: Sequence[object], of: str) -> Sentence:
    """line 3; lines 3, 5. What is too long is cut."""
    words = [*places[:MOST_PLACES], "…"] if len(places) > MOST_PLACES else places
    return Sentence(f"findings.one_{of}" if len(places) == 1 else f"findings.more_{of}s", places=enumerated(words))


def summing_up(report: Findings) -> Sentence:
    """The last line: how many numbers are wrong, and where; how many follow, are right, were not checked."""
    summary = report.summary
    if not summary and not report.formulas:
        return _join([nothing_judged(report.path), *_unchecked_sentence(report)])
    right = sum(summary.values()) - sum(summary.get(v, 0) for v in ("wrong", "carried", "last-digit", "accepted"))
    accepted = summary.get("accepted", 0) + sum(f.verdict == "accepted" for f in report.formulas)
    parts = [*_wrong_lines(report), *_formulas_wrong(report)]
    if "carried" in summary:
        parts.append(Sentence("findings.carried_count", count=summary["carried"]))
    if "last-digit" in summary:
        parts.append(Sentence("findings.last_digit_count", count=summary["last-digit"]))
    if accepted:
        parts.append(Sentence("findings.accepted_count", count=accepted))
    if right:
        parts.append(Sentence("findings.right_count", count=right))
    parts += _formulas_right(report)
    parts += _unchecked_sentence(report)
    return Sentence("findings.nothing_wrong", counts=_join(parts)) if report.clean else _join(parts)


def nothing_judged(path: str) -> Sentence:
    """What is said where nothing was judged; of a worksheet, how it would be."""
    return Sentence("findings.no_claims" if path.lower().endswith(".toml") else "findings.nothing_judged")


def _wrong_lines(report: Findings) -> Iterator[Sentence]:
    places: Counter[tuple[bool, int | str | Sentence]] = Counter()
    for claim in report.findings:
        cell = cell_of(report, claim)
        named = claim.subject if cell is None else _Same(cell.key, **cell.fields)
        place = (False, named) if cell is not None or claim.line is None else (True, claim.line)
        places[place] += sum(e.verdict == "wrong" for e in claim.entries)
    found = [(where, count) for where, count in places.items() if count]
    if not found:
        return
    words: list[Sentence] = []
    for k, ((by_line, where), count) in enumerate(found[:MOST_LINES]):
        at = "at" if by_line else "in"
        key = f"wrong_{at}_too" if k else f"numbers_wrong_{at}" if count > 1 else f"number_wrong_{at}"
        words.append(Sentence(f"findings.{key}", count=count, line=where))
    if len(found) > MOST_LINES:
        words.append(Sentence("findings.wrong_elsewhere", count=sum(n for _, n in found[MOST_LINES:])))
    yield enumerated(words)


def _formulas_wrong(report: Findings) -> Iterator[Sentence]:
    lines = list(dict.fromkeys(formula.line for formula in report.failing))
    if lines:
        key = "findings.formula_wrong" if len(report.failing) == 1 else "findings.formulas_wrong"
        yield Sentence(key, count=len(report.failing), places=_at(lines, "line"))


def _formulas_right(report: Findings) -> Iterator[Sentence]:
    for verdict in ("holds", "holds-if"):
        count = sum(formula.verdict == verdict for formula in report.formulas)
        if count:
            yield Sentence(f"findings.{verdict}_one" if count == 1 else f"findings.{verdict}_many", count=count)


def _unchecked_sentence(report: Findings) -> list[Sentence]:
    """How many numbers were not checked, and how many formulas that have none or are not settled."""
    of_formulas = ("formula_not_settled", "spreadsheet.")
    items = [item for item in report.not_checked if not item.reason.key.startswith(of_formulas)]
    numbers = sum(count_numbers(item.text) for item in items)
    formulas = len(report.not_checked) - len(items) if numbers else len(report.not_checked)
    said = []
    if numbers:
        said.append(
            Sentence("findings.unchecked_number" if numbers == 1 else "findings.unchecked_numbers", count=numbers)
        )
    if formulas:
        said.append(
            Sentence("findings.unchecked_formula" if formulas == 1 else "findings.unchecked_formulas", count=formulas)
        )
    return said


def _join(parts: Sequence[Sentence]) -> Sentence:
    line = parts[0]
    for part in parts[1:]:
        line = Sentence("findings.then", first=line, last=part)
    return line


@dataclass(frozen=True)
class Unchecked:
    """Something that was not checked, and what else was not for a like reason."""

    first: NotChecked
    others: tuple[NotChecked, ...] = ()

    def also(self, report: Findings) -> Sentence | None:
        """How many others there are, and where."""
        cells = [found[0].number for n in self.others if (found := report.cell_at(n.line, n.column))]
        places = list(dict.fromkeys(cells or [n.line for n in self.others if n.line is not None]))
        if not self.others:
            return None
        if not places:  # of a spreadsheet, where the text begins with the name of the cell
            names = [n.text.partition(" =")[0] for n in self.others[:MOST_PLACES]]
            return Sentence("findings.also_named", count=len(self.others), places=enumerated(names))
        at = _at(places, "cell" if cells else "line")
        return Sentence("findings.also", count=len(self.others), places=at)


def unchecked_sentences(report: Findings, *, every: bool = False) -> tuple[Sequence[Unchecked], int]:
    """What was not checked and is listed, like cases as one unless `every` one is asked for; and how many more."""
    if every:
        return [Unchecked(item) for item in report.not_checked], 0
    groups: dict[str, list[NotChecked]] = {}
    for item in report.not_checked:
        reason = item.reason
        groups.setdefault(reason.key if reason.key.startswith(_ALIKE) else str(reason), []).append(item)
    shown = [Unchecked(first, tuple(others)) for first, *others in groups.values()]
    return shown[:MOST_UNCHECKED], sum(1 + len(group.others) for group in shown[MOST_UNCHECKED:])
