"""Lines of text, program prints and code: the mathematics in them, without any marks around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.articles.scanning.cases import read_cases
from symattn.reading.articles.scanning.cleaning import (
    clean_line,
    clean_print,
    marker_end,
    with_attributes,
    without_asides,
    without_units,
)
from symattn.reading.articles.scanning.continuation import join_expressions
from symattn.reading.articles.scanning.finding import Found
from symattn.reading.articles.scanning.matrices import (
    Joined,
    bracket_depth,
    environment_ends,
    find_named,
    is_unfinished,
    join_from,
    with_rows,
    without_wrappers,
    worked_entries,
)
from symattn.reading.articles.scanning.plain_matrices.abreast import join_abreast
from symattn.reading.articles.scanning.plain_matrices.components import component_matrices
from symattn.reading.articles.scanning.plain_matrices.drawn import join_drawings, join_grid
from symattn.reading.articles.scanning.plain_matrices.parallel import part_columns
from symattn.reading.articles.scanning.plain_matrices.slashed import read_slashed_rows
from symattn.reading.articles.scanning.rendered import find_pairs
from symattn.reading.articles.scanning.spoken.approximate import with_approximations
from symattn.reading.articles.scanning.spoken.asides import with_conjunctions, without_rates
from symattn.reading.articles.scanning.spoken.counted import (
    with_bytes_again,
    with_bytes_spelled_out,
    without_counted_things,
)
from symattn.reading.articles.scanning.spoken.exponentials import with_sums_of_exponentials
from symattn.reading.articles.scanning.spoken.lists import (
    with_labelled_shares,
    with_lists,
    with_named_vectors,
    without_names,
)
from symattn.reading.articles.scanning.spoken.losses import with_losses
from symattn.reading.articles.scanning.spoken.model_sizes import with_model_sizes
from symattn.reading.articles.scanning.spoken.numbers import join_words_to_numbers, with_equations, without_percents
from symattn.reading.articles.scanning.spoken.pairs import with_pairs
from symattn.reading.articles.scanning.spoken.parameters import with_parameters
from symattn.reading.articles.scanning.spoken.results import with_results
from symattn.reading.articles.scanning.spoken.settings import with_settings
from symattn.reading.articles.scanning.spoken.sizes import with_deviations
from symattn.reading.articles.scanning.spoken.thousands import without_spaces_in_numbers
from symattn.reading.articles.scanning.spoken.totals import with_ledgers, with_totals
from symattn.reading.articles.scanning.spoken.vectors import with_bare_vectors
from symattn.reading.articles.scanning.spoken.workings import with_workings
from symattn.reading.articles.scanning.wording import LONGEST_LINE, find_mathematics
from symattn.writing.prose import Sentence


def lines_of(located: Located) -> list[Located]:
    """The lines of a text, without their ends."""
    found, start = [], 0
    for match in re.finditer(r"\r?\n", located.text):
        found.append(located.cut(start, match.start()))
        start = match.end()
    found.append(located.cut(start, len(located.text)))
    return found


def find_in_lines(lines: list[Located], kind: str = "line") -> Iterator[Found]:
    """The mathematics of running text or of a program's print, matrices over several lines joined."""
    if not any(line.text.strip() for line in lines):
        return
    cleaned = [clean_line(line) if kind == "line" else clean_print(line) for line in lines]
    cleaned = cleaned if kind == "line" else join_grid(cleaned)
    cleaned = with_totals(join_words_to_numbers(join_drawings(part_columns(with_ledgers(cleaned)))))
    cleaned = join_expressions(join_abreast(cleaned), code=kind != "line")
    ends = environment_ends(cleaned)
    k = tried = 0
    label: Located | None = None
    while k < len(cleaned):
        if not cleaned[k].text.strip():
            k += 1
            continue
        joined = join_from(cleaned, k, ends) if k >= tried else None
        if joined is None:
            if k >= tried and bracket_depth(cleaned[k].text) > 0:
                tried = is_unfinished(cleaned, k)
            joined = Joined(k, k + 1, (cleaned[k],))
        found = list(_find_in_joined(joined, kind, label))
        yield from found
        said = cleaned[joined.last - 1]
        if said.text.strip():
            label = None if found else said.cut(marker_end(said.text), len(said.text))
        k = joined.last


def _find_in_joined(joined: Joined, kind: str, label: Located | None) -> Iterator[Found]:
    several = joined.last - joined.first > 1
    for text in joined.texts:
        if not joined.kind and (entries := worked_entries(text)):
            yield from (Found(entry, kind) for entry in entries)
        elif joined.kind:
            yield Found(text, joined.kind)
        elif several and not find_pairs(text.text):
            yield from find_in_line(without_wrappers(text), kind, label)
        else:
            yield from find_in_line(text, kind, label)


def find_in_line(line: Located, kind: str, label: Located | None = None) -> Iterator[Found]:
    """The mathematics of one line: TeX halves of what was copied from a page, then whatever else is."""
    done = 0
    for pair in find_pairs(line.text):
        yield from _plain(line.cut(done, pair.start), kind, None)
        alone = not line.text[: pair.start].strip() and not line.text[pair.end :].strip(" .,;。，")
        yield Found(line.cut(pair.split, pair.end), "display" if alone else "inline")
        done = pair.end
    yield from _plain(line.cut(done, len(line.text)), kind, None if done else label)


# each makes of what a line says in words, or in another notation, what the next ones and the parser read
_SPELLINGS = (
    without_rates,
    with_conjunctions,
    with_settings,
    without_spaces_in_numbers,
    with_pairs,
    with_sums_of_exponentials,
    with_losses,
    with_approximations,
    with_model_sizes,
    with_bytes_spelled_out,
    with_bytes_again,
    with_parameters,
    with_deviations,
    without_asides,
    without_counted_things,
    without_units,
    without_wrappers,
    with_rows,
    without_percents,
    with_workings,
    with_equations,
    with_results,
    with_labelled_shares,
    with_lists,
    without_names,
    with_bare_vectors,
    with_named_vectors,
)


def _plain(line: Located, kind: str, label: Located | None) -> Iterator[Found]:
    if len(line.text) > LONGEST_LINE:
        yield Found(line.strip().cut(0, 80), kind, Sentence("line_too_long", most=LONGEST_LINE))
        return
    slashed = read_slashed_rows(line) if "/" in line.text else []
    if slashed:
        yield from (Found(said, kind) for said in slashed)
        return
    cases = read_cases(line.cut(marker_end(line.text), len(line.text)))
    if cases is not None:
        yield Found(cases, "display")
        return
    line = with_attributes(line)
    components = component_matrices(line)
    if components:
        yield from (Found(each, kind) for each in components)
        return
    for spell in _SPELLINGS:
        line = spell(line)
    start = marker_end(line.text)
    done = start
    for a, b in find_mathematics(line.text[start:]):
        a, b = a + start, b + start
        said = line.cut(a, b)
        if not line.text[:a].strip():
            said = find_named(said, label)
        elif re.search(r"(?:^|\s)[A-Za-z]\w*\s*[:：]\s*$", line.text[done:a]) and re.match(r"\[\s*\[", said.text):
            name = re.search(r"([A-Za-z]\w*)\s*[:：]\s*$", line.text[done:a])
            assert name is not None
            said = find_named(said, line.cut(done + name.start(), a))
        cut_off = _OPERATOR_BEFORE.search(line.text[:a]) or _OPERATOR_BEHIND.match(line.text, b)
        if cut_off:
            yield Found(said, kind, Sentence("formula_unknown", text=cut_off[0].strip()))
        else:
            yield from (Found(part, kind) for part in (_sentences(said) if kind == "line" else [said]))
        done = b


def _sentences(said: Located) -> Iterator[Located]:
    """What stands on both sides of a full stop: `the result is 3. |−2| = 2`; the number alone says nothing.

    So it is on both sides of a gap behind a result: `5/2 = 2.5 → 3    -3/2 = -1.5`, which subtracts nothing from 3.
    """
    stop = next((m.span() for m in _FULL_STOP.finditer(said.text) if bracket_depth(said.text[: m.start()]) == 0), None)
    if stop is None and (gap := _GAP.search(said.text)) is not None:
        stop = gap.span("gap")
    if stop is None:
        yield said
        return
    first = said.cut(0, stop[0])
    if not first.text.strip().isdigit():
        yield first
    yield from _sentences(said.cut(stop[1], len(said.text)))


_FULL_STOP = regex(r"(?<=\d)\.\s+(?=[|√‖(∑[]|[-−]\d)")
_GAP = regex(r"(?:[=≈→]|->)\s*[-−+]?\d[\d.,]*(?P<gap>[ \t]{3,})(?=[-−]\d[\d.,]*\s*[/·×*÷])")


_OPERATORS = "[⊕-⊘⊚-⊞∧∨∩∪⋆⊎⊓⊔]"  # which are not read in running text: what stands beside one is only a part
_OPERATOR_BEFORE = regex(rf"{_OPERATORS}\s*$")
_OPERATOR_BEHIND = regex(rf"\s*{_OPERATORS}")
