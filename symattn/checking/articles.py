"""An article, passage by passage: its chains are read in order and their claims judged."""

from __future__ import annotations

from symattn.article import Article, Passage
from symattn.checking.chains import Chains, Source
from symattn.checking.findings import NotChecked, Report
from symattn.errors import FormulaError
from symattn.formula import parse
from symattn.prose import Sentence
from symattn.values.balls import precision

BITS = 160
MOST_PASSAGES = 20_000


def check_article(article: Article) -> Report:
    """Judge every printed number of an article that is claimed of a formula.

    What could not be read, placed or evaluated is listed as not checked, with its reason. Decided in enclosures of
    160 bits; a number that they cannot tell from a tie or from a whole unit is taken as lying on it.
    """
    chains = Chains()
    with precision(BITS):
        for passage in article.passages[:MOST_PASSAGES]:
            _read(passage, chains)
    unread = [NotChecked(n.line, n.column, n.text, n.reason) for n in article.not_read]
    if len(article.passages) > MOST_PASSAGES:
        unread.append(NotChecked(None, None, "", Sentence("too_many_formulas", most=MOST_PASSAGES)))
    return Report(article.path, tuple(chains.claims), (*unread, *chains.not_checked), article.source)


def _read(passage: Passage, chains: Chains) -> None:
    source = Source(passage.text, passage.place, passage.source_span)
    try:
        found = parse(passage.text)
    except FormulaError as error:
        if any(c.isdigit() for c in passage.text):
            line, column = passage.place(error.start)
            message = error.message
            assert isinstance(message, Sentence)
            chains.not_checked.append(NotChecked(line, column, passage.text, message))
        return
    for chain in found:
        chains.read(chain, source)
