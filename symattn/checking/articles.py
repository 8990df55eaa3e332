"""An article, passage by passage: its chains are read in order and their claims judged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from symattn.checking.chains import Chains, Source
from symattn.checking.findings import Report
from symattn.checking.labels import LONGEST, announces, label_in
from symattn.checking.naming import with_one_spelling
from symattn.errors import FormulaError
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, NotChecked, Passage
from symattn.values.balls import precision
from symattn.writing.prose import Sentence

BITS = 160
MOST_BITS = 4_000
_LONG_NUMBER = re.compile(r"[0-9][0-9.,{}]{15,}")
MOST_PASSAGES = 20_000


def check_article(article: Article) -> Report:
    """Judge every printed number of an article that is claimed of a formula.

    What could not be read, placed or evaluated is listed as not checked, with its reason. Decided in enclosures of
    160 bits or more; a number that they cannot tell from a tie or from a whole unit is taken as lying on it.
    """
    unread = list(article.not_read)
    if len(article.passages) > MOST_PASSAGES:
        unread.append(NotChecked(None, None, "", Sentence("too_many_formulas", most=MOST_PASSAGES)))
    read: list[tuple[f.Chain, Source]] = []
    end = displayed = 0  # where the last formula ends, and the last with numbers outside of a sentence
    for passage in article.passages[:MOST_PASSAGES]:
        start, stop = passage.source_span(0, len(passage.text))
        between = article.source[end:start]
        label = label_in(article.source[max(displayed, start - 2 * LONGEST) : start])
        read += _chains(passage, unread, _goes_on(between), announces(between), label)
        end = stop
        if passage.kind != "inline" and any(c.isdigit() for c in passage.text):
            displayed = stop
    chains = Chains()
    with precision(_bits(article.passages)):
        _in_order(read, chains)
    return Report(article.path, tuple(chains.claims), (*unread, *chains.not_checked), article.source, article.encoding)


def _bits(passages: Sequence[Passage]) -> int:
    """The working precision: enough for the longest number written, twice over."""
    longest = max((len(run) for p in passages for run in _LONG_NUMBER.findall(p.text)), default=0)
    return max(BITS, min(8 * longest, MOST_BITS))


def _goes_on(between: str) -> bool:
    """Whether a formula that begins with a relation continues the one before, by what stands between them.

    Words in between say no; so does a label, as in `"World" = [2, 3]`. The visible half of a formula that was copied
    from a rendered page begins with the relation itself or has digits only.
    """
    between = between.strip(" \t\r\n$\\[]()")
    return between.startswith(("=", "≈")) or not any(c.isalpha() or c in "\"'“”" for c in between)


def _chains(
    passage: Passage, unread: list[NotChecked], goes_on: bool, announced: bool, label: str
) -> list[tuple[f.Chain, Source]]:
    """The chains of a passage; what is not understood is noted, if there are numbers in it."""
    source = Source(passage.text, passage.place, passage.source_span, goes_on, announced, label, passage.kind)
    try:
        return [(with_one_spelling(chain), source) for chain in f.parse(passage.text)]
    except FormulaError as error:
        if any(c.isdigit() for c in passage.text):
            line, column = passage.place(error.start)
            message = error.message
            assert isinstance(message, Sentence)
            unread.append(NotChecked(line, column, passage.text, message))
        return []


def _in_order(read: Sequence[tuple[f.Chain, Source]], chains: Chains) -> None:
    """Read the chains as they stand, except that what is given once and for all may be given after its first use."""
    given = _given_once([chain for chain, _ in read])
    done: set[int] = set()
    for k, (chain, source) in enumerate(read):
        for name in _names_used(chain):
            later = given.get(name, -1)
            if later > k and later not in done and not chains.memory.knows(name):
                done.add(later)
                chains.read_apart(*read[later])
        if k not in done:
            chains.read(chain, source)


def _given_once(chains: Sequence[f.Chain]) -> dict[f.Expression, int]:
    """Names that one chain states in numbers, without a formula, and no other states at all."""
    stated: Counter[f.Expression] = Counter(chain.sides[0].expression for chain in chains)
    return {
        chain.sides[0].expression: k
        for k, chain in enumerate(chains)
        if len(chain.sides) == 2
        and isinstance(chain.sides[0].expression, f.Name)
        and chain.sides[0].relation == ""
        and f.is_printed(chain.sides[1].expression)
        and stated[chain.sides[0].expression] == 1
    }


def _names_used(chain: f.Chain) -> list[f.Expression]:
    """The names in the formulas of a chain; the one that it defines is not used."""
    first = chain.sides[0].expression
    sides = chain.sides[1:] if isinstance(first, f.Name) else chain.sides
    formulas = (side.expression for side in sides if not f.is_printed(side.expression))
    return [part for e in formulas for part in f.walk(e) if isinstance(part, f.Name)]
