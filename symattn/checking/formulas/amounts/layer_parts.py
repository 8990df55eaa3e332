"""Parameters of the parts of a layer in one line: 4 d² for the four projections + 8 d² for a 4×-expansion MLP."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.writing.prose import Sentence

_SQUARE = r"\s?\$?\s?d(?:_\{?(?:\\text\{)?(?:model|m)\}*)?\s?(?:\^\s?\{?2\}?|²)\s?\$?"
_PARTS = re.compile(
    rf"\$?(?P<attention>\d{{1,2}}){_SQUARE} for (?:the |its )?(?:(?:four|4) )?(?:attention )?projections?"
    rf"(?: matrices)?(?: \((?P<named>[QKVOW_, ]+)\))?\s?(?:\+|and|,)\s?\$?(?P<network>\d{{1,2}}){_SQUARE} for "
    r"(?:a |an |the )?(?P<times>\d)\s?(?:×|x)[- ]?(?:expansion )?(?:MLP|FFN|feed[- ]?forward)",
    re.IGNORECASE,
)
_PARAMETERS = re.compile(r"param|weights|参数", re.IGNORECASE)


def judge_layer_parts(context: Context) -> Iterator[Formula]:
    """Four square matrices, and two of d by so many times d."""
    for found in find_said(context, _PARTS, beside=_PARAMETERS):
        named = len(re.findall(r"[QKVO]", found["named"])) if found["named"] else 4
        right = int(found["attention"]) == named and int(found["network"]) == 2 * int(found["times"])
        yield conclude_in_words(context, found.span(), "holds" if right else "fails", Sentence("words_layer_parts"))
