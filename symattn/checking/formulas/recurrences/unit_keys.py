"""Keys of unit length, k_tᵀ k_t = 1, for which a key reads from the state what it has just written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.states import LETTERS, States
from symattn.checking.models.tensors import Tensor
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

_SAID = regex(
    r"(?<!not )\bunit[- ](?:length|norm) keys?\b"
    r"|\bkeys?\b(?:(?!\b(?:not|never|quer\w+|values?|no)\b)[^.\n]){0,40}\b(?:normali[sz]ed|unit)\b"
    r"|(?<!not )\bnormali[sz]e[ds]?\b(?:(?!\b(?:not|quer\w+)\b)[^.\n]){0,20}\bkeys?\b"
    r"|键(?:(?![不非未])[^。\n]){0,12}(?:归一化|单位(?:长度|向量|范数)|單位(?:長度|向量))|(?<![不非未])归一化[^。\n]{0,6}键",
    re.IGNORECASE,
)


class UnitKeys(States):
    """The quantities with every key divided by its length."""

    def rows(self, letter: str, step: int) -> Tensor:
        x, t = super().rows(letter, step), self.tensors
        return x if letter != "k" else t.divide(x, t.apply("sqrt", t.total(t.hadamard(x, x), 1)))


def find_unit_keys(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether the article says that keys have unit length, in words or as k_tᵀ k_t = 1 or ‖k_t‖ = 1."""
    if _SAID.search(article.said) is not None:
        return True
    pairs = (pair for s in statements for pair in zip(s.equals, s.equals[1:], strict=False))
    return any(isinstance(one, f.Number) and one.value == 1 and _is_length(side) for side, one in pairs)


def _is_length(side: f.Expression) -> bool:
    match side:
        case f.Product((f.Transpose(f.Name() as first), f.Name() as other)) | f.Call(
            "inner", (f.Name() as first, other)
        ):
            return first == other and LETTERS.get(first.base) == "k"
        case f.Call("norm", (f.Name(base),)) | f.Power(f.Call("norm", (f.Name(base),))):
            return LETTERS.get(base) == "k"
    return False
