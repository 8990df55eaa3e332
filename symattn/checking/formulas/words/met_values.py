"""What a query meets in a sum of outer products: q_tᵀ Σ v_s k_sᵀ has the value where the key belongs."""

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
    rf"(?P<pair>v_\{{?(?P<s>[a-z])\}}?\s*k_\{{?(?P=s)\}}?{_T})"
)


def judge_met_values(context: Context) -> Iterator[Formula]:
    """The query before a sum of values times keys."""
    source = context.article.words
    for found in _SUM.finditer(source):
        swapped = found["pair"].translate(str.maketrans("vk", "kv"))
        theorem = Sentence("words_met_value")
        yield conclude_in_words(context, found.span(), "fails", theorem, with_group(found, "pair", swapped))
