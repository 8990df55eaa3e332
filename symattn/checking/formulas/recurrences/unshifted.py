"""Running sums over the keys from which no maximum is taken: ℓ ← ℓ + e^{s_ij} and O ← O + e^{s_ij} v_j."""

from __future__ import annotations

import re

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ABOUT = regex(r"softmax|attention|注意力|アテンション|normali[sz]", re.IGNORECASE)
_MAXIMUM = regex(r"(?<!soft)max\}?\s*[\[({_\\]", re.IGNORECASE)
_OTHER_VALUES = regex(  # keys that are values too, and outputs that are weighed to be merged
    r"[VK]\s*=\s*[KV]\b|\b(?:shared?|tied?|same|partial|merg\w+|combin\w+)\b|共享|合并|部分", re.IGNORECASE
)
_SUMS, _OUTPUTS, _SCORES = ("l", "ℓ", "d", "Z", "z"), ("O", "o", "Õ", "õ", "acc"), ("S", "s")
_MISTAKEN = ("O", "o", "K", "k", "Q", "q")  # what is weighed is a value


def judge_unshifted(statement: Statement, context: Context) -> Formula | None:
    """A step of one of both sums; false where what is weighed is no value, though the article has values."""
    match statement.equals:
        case (f.Name(base) as left, f.Sum((before, added), (1, 1))) if left == before and len(statement.sides) == 2:
            pass
        case _:
            return None
    if not context.mentions(_ABOUT) or _MAXIMUM.search(context.article.words[: statement.span[0]]):
        return None
    theorem, letter = Sentence("theorem.unshifted"), base.rstrip("\u0303")
    match added:
        case f.Call("exp", (score,)) if letter in _SUMS and _key_of(score):
            return accept(statement, theorem)
        case f.Product((f.Call("exp", (score,)), f.Name(of, (index,), ()) as weighed), ("",) | ("·",)) if (
            letter in _OUTPUTS and index == _key_of(score)
        ):
            if of in ("V", "v"):
                return accept(statement, theorem)
            if of in _MISTAKEN and _has_value(index, context) and not context.mentions(_OTHER_VALUES):
                return refuse(statement, theorem, statement.with_text(f"V_{index}", weighed))
    return None


def _has_value(index: str, context: Context) -> bool:
    return any(
        n.base in ("V", "v") and n.sub == (index,) for s in context.statements for e in s.equals for n in names(e)
    )


def _key_of(score: f.Expression) -> str:
    """The j of s_ij."""
    match score:
        case f.Name(base, sub, ()) if base in _SCORES:
            run = "".join(sub)
            return run[1] if len(run) == 2 and run.isalpha() else ""
    return ""
