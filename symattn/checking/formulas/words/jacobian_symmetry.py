"""The Jacobian of softmax, diag(p) − p pᵀ, said to be not symmetric: J_ij = −p_i p_j = J_ji."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_JACOBIAN = r"(?:(?<![A-Za-z])Jacobi(?:an)?(?:\s?(?:matrix|矩阵))?|雅(?:可|克)比(?:矩阵)?|ヤコビ(?:アン|行列))"
_NAME = r"\$?\\?(?:math\w+|boldsymbol|bm)?\{?J\}?(?:_\{?\w+\}?)?\$?"
_DENIED = regex(
    rf"(?:(?<![A-Za-z]){_NAME}(?![A-Za-z])|{_JACOBIAN})\s*"
    r"(?P<denied>(?:is|are) (?:generally )?(?:not|never)(?: a)? symmetric"
    r"|isn['’]t(?: a)? symmetric|is (?:non-?|a)symmetric|(?:不是|并非|不)对称(?:的|矩阵)?|対称(?:行列)?では?ない)",
    re.IGNORECASE,
)
_OF_SOFTMAX = regex(
    rf"soft-?max\W{{0,4}}(?:的|の|['’]s|函数的?)?\s*{_JACOBIAN}|{_JACOBIAN}\s+(?:matrix )?of (?:the )?soft-?max",
    re.IGNORECASE,
)
_OF_OTHERS = regex(  # whose Jacobians are not symmetric
    r"(?:attention|norm(?:ali[sz]ation)?|layer|sigmoid|ReLU|network|注意力|归一化|网络)\W{0,4}(?:的|['’]s)?\s*"
    rf"{_JACOBIAN}|{_JACOBIAN}\s+(?:matrix )?of (?:the |an? )?(?!soft-?max)\w",
    re.IGNORECASE,
)
_SUPPOSED = regex(r"\b(?:if|unless|whether|why)\b|如果|若|是否|为什么|为何|もし", re.IGNORECASE)
_END = regex(r"[.;](?=\s|$)|[。；？?！\n]")
FAR = 300  # characters of a sentence


def judge_jacobian_symmetry(context: Context) -> Iterator[Formula]:
    """Sentences by which the Jacobian of softmax is not symmetric."""
    if not context.mentions(_DENIED) or not context.mentions(_OF_SOFTMAX) or context.mentions(_OF_OTHERS):
        return
    source = context.article.words
    for found in _DENIED.finditer(source):
        before = [end.end() for end in _END.finditer(source, max(found.start() - FAR, 0), found.start())]
        start = before[-1] if before else max(found.start() - FAR, 0)
        end = _END.search(source, found.end(), found.end() + FAR)
        stop = found.end() if end is None else end.start()
        asked = end is not None and end[0] in "?？"
        if asked or _SUPPOSED.search(source, start, stop):
            continue
        denied = found["denied"]
        right = found[0].removesuffix(denied) + _affirmed(denied)
        yield conclude_in_words(context, (found.start(), stop), "fails", Sentence("words_jacobian_symmetric"), right)


def _affirmed(denied: str) -> str:
    """The same words for a matrix that is symmetric."""
    if denied.isascii() or "’" in denied:
        return "is symmetric"
    return "対称である" if denied.startswith("対") else "是对称" + ("矩阵" if denied.endswith("矩阵") else "的")
