"""Equations that stand as code: in backticks, or as lines of a program, with what it writes in front of names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Article, Located, Passage

MODULES = regex(r"(?<![\w.])(?:math|np|numpy|torch|jnp|tf|mx|self|F)\.(?=[A-Za-z_])")
_LETTERS = regex(r"(?<![A-Za-z_\\])(Q?K)T(?![A-Za-z_])")  # QKT of a program

# `out = (x - mean) / math.sqrt(std + eps)`: one equation in backticks
_TICKED = regex(r"(?<!`)(`{1,2})(?!`)(?P<code>[^`\n]{5,200}?)(?<!`)\1(?!`)")
_EQUATION = regex(r"[^=<>!:]{1,80}[^=<>!:+*/-]={1,2}(?!=)[^=<>!]{3,160}")
_COMPUTES = regex(r"\bsqrt\b[^=]*/|/[^=]*\bsqrt\b")  # a norm, a scale
# `24*D^2*L + 4*D*L^2`: a count of operations
_TERM = r"\d+(?: ?[*×·]? ?[A-Za-z](?:_\w+)?(?:\^2|²|\*\*2)?){2,5}"
_POLYNOMIAL = regex(rf"{_TERM}(?: ?\+ ?{_TERM})+")
_FLOPS = regex(r"FLOP|浮点", re.IGNORECASE)
FAR = 160  # characters in front that may say what is counted
_CALLS = regex(r"\b\w+\.\w+\(|\b(?:def|for|if|return|import|lambda)\b|[{}\\$\"']|\[\[")
# a line of a program that takes a mean off and divides by a root
_NORMED = regex(
    r"^[ \t]*(?P<code>[A-Za-z_]\w*[ \t]*=(?!=)[^=\n#]*\([^()=\n#]*-[^()=\n#]*\)[ \t]*/[^=\n#]*\bsqrt\([^=\n#]*)$",
    re.MULTILINE,
)
# [x', y'] = [x * cosθ - y * sinθ, ...]: a pair that is turned, perhaps over two lines
_PAIR = regex(
    r"^[ \t]*(?P<code>\[[^\[\]=\n]{3,20}\]\s*=\s*\[[^\[\]=]*\bcos[^\[\]=]*\bsin[^\[\]=]*\])[ \t]*$", re.MULTILINE
)
# pe[pos, i] = math.sin(pos / 10000 ** (i / d_model))
_WAVED = regex(
    r"^[ \t]*(?P<code>pe\w*\[\w+,[^\[\]=\n]{1,12}\][ \t]*=[ \t]*(?:\w+\.)?(?:sin|cos)\([^=\n#]*\))[ \t]*(?:#.*)?$",
    re.MULTILINE | re.IGNORECASE,
)


def find_in_code(article: Article) -> Iterator[Passage]:
    """Equations with a root in backticks, and lines of programs: norms, turned pairs, encoded positions."""
    for block in article.seen:
        if block.kind in ("line", "text"):
            for match in _TICKED.finditer(block.text):
                code = match["code"].strip()
                if _POLYNOMIAL.fullmatch(code) and _FLOPS.search(
                    block.text, max(match.start() - FAR, 0), match.start()
                ):
                    yield cut_out(block, match.start("code"), match.end("code"))
                if _EQUATION.fullmatch(code) and _COMPUTES.search(code) and not _CALLS.search(MODULES.sub("", code)):
                    yield cut_out(block, match.start("code"), match.end("code"))
        elif block.kind in ("program", "code"):
            for pattern in (_NORMED, _PAIR, _WAVED):
                for match in pattern.finditer(block.text):
                    if not _CALLS.search(MODULES.sub("", match["code"]).replace("'", "")):
                        yield cut_out(block, *match.span("code"))


def without_modules(text: str) -> str:
    """The text with blanks for `math.` and the like, and Kᵀ for KT beside QKT; as long as before."""
    text = MODULES.sub(lambda found: " " * len(found[0]), text)
    return _LETTERS.sub(r"\1ᵀ", text) if "QKT" in text else text


def cut_out(block: Passage, start: int, end: int, kind: str = "code") -> Passage:
    """A stretch of a block by itself."""
    located = Located(block.text, block.runs).cut(start, end)
    return Passage(located.text, kind, located.runs, *block.place(start), block.breaks)
