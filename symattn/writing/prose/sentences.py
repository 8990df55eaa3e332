"""All tables of sentences as one.

A word in ‹› is another where tokens are columns: a sentence that has one has a twin, `step.Q.columns`, for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from symattn.patterns import regex
from symattn.writing.prose.articles import ARTICLES
from symattn.writing.prose.calculus import CALCULUS
from symattn.writing.prose.exercises import EXERCISES
from symattn.writing.prose.files import FILES
from symattn.writing.prose.formulas import FORMULAS
from symattn.writing.prose.gradients import GRADIENTS
from symattn.writing.prose.inputs import INPUTS
from symattn.writing.prose.layers import LAYERS
from symattn.writing.prose.lowering import LOWERING
from symattn.writing.prose.pages import PAGES
from symattn.writing.prose.positions import POSITIONS
from symattn.writing.prose.precision import PRECISION
from symattn.writing.prose.recurrences import RECURRENCES
from symattn.writing.prose.reviews import REVIEWS
from symattn.writing.prose.sizes import SIZES
from symattn.writing.prose.steps import STEPS
from symattn.writing.prose.studies import STUDIES
from symattn.writing.prose.tables import TABLES
from symattn.writing.prose.theorems import THEOREMS
from symattn.writing.prose.variants import KINDS
from symattn.writing.prose.weaving import WEAVING

_PAIRS = (
    ("row", "column"),
    ("rows", "columns"),
    ("Row", "Column"),
    ("Rows", "Columns"),
    ("placed side by side", "stacked"),
    ("side by side", "one below another"),
    ("beside", "below"),
    ("行", "列"),
    ("左乘", "右乘"),
    ("并排", "上下"),
)
_TURNED = dict(_PAIRS) | {columns: rows for rows, columns in _PAIRS}
_MARKED = regex("‹(.*?)›")


def _with_twins(sentences: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, tuple[str, str]]]:
    for key, (english, chinese) in sentences.items():
        yield key, (_MARKED.sub(r"\1", english), _MARKED.sub(r"\1", chinese))
        if _MARKED.search(english):
            yield f"{key}.columns", (_MARKED.sub(_turn, english), _MARKED.sub(_turn, chinese))


def _turn(marked: re.Match[str]) -> str:
    return _TURNED[marked[1]]


READING = FILES | INPUTS | ARTICLES | FORMULAS | SIZES | CALCULUS | REVIEWS
TELLING = (
    STEPS | KINDS | POSITIONS | RECURRENCES | LAYERS | GRADIENTS | THEOREMS | TABLES | PRECISION | STUDIES | LOWERING
)
SENTENCES = dict(_with_twins(READING | TELLING | PAGES | WEAVING | EXERCISES))
