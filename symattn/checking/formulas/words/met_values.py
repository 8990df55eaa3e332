"""What a query or a key meets in a sum of outer products: q_tᵀ Σ v_s k_sᵀ has the value where the key belongs, and a
prediction kᵀS is a row, from which no column v can be taken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, with_group
from symattn.writing.prose import Sentence

_T = r"\s?\^\s?\{?\s?(?:\\top|\\intercal|\\mathsf\{T\}|T|⊤)\s?\}?"
_SUM = re.compile(
    rf"q_\{{?[a-z]\}}?{_T}\s*(?:\\left)?\s?\(?\s*(?:\\sum|Σ|∑)(?:_\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}})?(?:\^\{{?\w+\}}?)?\s*"
    rf"(?P<pair>(?P<first>[kv])_\{{?(?P<s>[a-z])\}}?\s*(?P<second>[kv])_\{{?(?P=s)\}}?{_T})"
)
_PREDICTION = re.compile(rf"(?P<name>[A-Za-z_]\w*)\s*=\s*k(?:_t)?{_T}\s*S(?:_\{{?t-1\}}?)?(?![\w^])")
_COLUMNS = re.compile(rf"k_\{{?t\}}?\s*v_\{{?t\}}?{_T}")


def judge_met_values(context: Context) -> Iterator[Formula]:
    """The query before a sum of values times keys, and the correction of a value by a row."""
    source = context.article.words
    for found in _SUM.finditer(source):
        if found["first"] == "v" and found["second"] == "k":
            swapped = found["pair"].replace("v", "\0").replace("k", "v").replace("\0", "k")
            theorem = Sentence("words_met_value")
            yield conclude_in_words(context, found.span(), "fails", theorem, with_group(found, "pair", swapped))
    for found in _PREDICTION.finditer(source):
        yield from _of_correction(found["name"], found.end(), context)


def _of_correction(name: str, start: int, context: Context) -> Iterator[Formula]:
    """`S <- decay S + β k (v - prediction)ᵀ` below, in an article whose keys and values are columns."""
    rest = rf"(?P<rest>\((?P<v>v(?:_t)?)\s*-\s*{re.escape(name)}\){_T})"
    update = re.compile(rf"^[ \t]*S(?:_\{{?t\}}?)?\s*(?:<-|←|=)[^\n]*k(?:_t)?\s*{rest}", re.MULTILINE)
    source = context.article.words
    found = update.search(source, start, start + 300)
    if found is not None and _COLUMNS.search(source):
        right = with_group(found, "rest", f"({found['v']}^T - {name})").strip()
        first = found.start() + len(found[0]) - len(found[0].lstrip())
        yield conclude_in_words(context, (first, found.end()), "fails", Sentence("words_met_row"), right)
