"""How many operations a product takes, in words: of two matrices m·n·k multiply-adds, of a matrix and a vector m·n."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.writing.prose import Sentence

_TIMES = r"\s*(?:\\cdot|\\times|[*×·])\s*"
_PRODUCT = re.compile(
    r"(?P<what>matrix[- ](?:matrix|vector) (?:multiplication|product)|矩阵(?:与|乘)?(?:矩阵|向量)(?:相乘|乘法|乘)?)"
    r"\s*[:：,，]\s*(?P<kind>MACs?|FLOPs?)\s*(?:=|为|是|[:：])\s*\$?"
    rf"(?P<two>2{_TIMES})?(?P<product>[a-z](?:{_TIMES}[a-z])+)\$?(?![\w^+*/·×-])",
    re.IGNORECASE,
)


def judge_products_in_words(context: Context) -> Iterator[Formula]:
    """Counts with a letter for each size: three of two matrices, two of a matrix and a vector."""
    for found in _PRODUCT.finditer(context.article.source):
        letters = re.split(_TIMES, found["product"])
        vector = re.search(r"vector|向量", found["what"], re.IGNORECASE) is not None
        twice = found["two"] is not None
        if len(set(letters)) == len(letters) == (2 if vector else 3) and twice == found["kind"].lower().startswith("f"):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_products"))
