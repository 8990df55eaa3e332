"""Whether a law is said of all letters: no words around it make it a condition, an equation to be solved, or a slip.

Such words have no end, so those are known that make nothing of it: a sentence with any other is taken to mean
something special.
"""

from __future__ import annotations

import re

from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex

_WORD = regex(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_PLAIN = regex(
    r"(?:an?|and|also|any|arbitrary|are|as|be|both|by|every|each|for|all|of|follows|functions?|get|ha(?:s|ve)|hence|in|is"
    r"|its?|let|now|numbers?|real|so|square|that|the|then|therefore|this|thus|to|two|three|we|which|always|holds|true"
    r"|matri(?:x|ces)|vectors?|columns?|rows?|scalar|values?|keys|queries|tokens|inputs|weights|transpose|general(?:ly)?"
    r"|exponentials?|logarithms?|sums?|products?|traces?|adds|up|odd|even|additive|multiplicative|rule|law|property"
    r"|alle|für|und|wir|pour|tout|tous|toute|et|on|nous|para|todo|todos|se|[A-Za-z]"
    r"|(?:则|所以|因此|于是|我们|有|对于?|任意|所有|的|和|与|设|矩阵|向量|实数|恒|成立)+)\Z",
    re.IGNORECASE,
)
_OF_ALL = regex(
    r"\b(?:for (?:all|any|every|each|arbitrary)|always|für alle|pour tou(?:t|s|te)|para todos?)\b"
    r"|对于?(?:任意|所有)|恒",
    re.IGNORECASE,
)
# `$n = 1$`, `$x, y > 0$`: a letter is not any
_BOUND = regex(r"[<>≤≥≠≪≫]|\\(?:leq?|geq?|neq?|lt|gt|ll|gg|approx|sim|to)\b|\A[\s{]*\\?\w+[\s}]*(?:=|\\equiv|\\propto)")
_FORMULA = regex(
    r"\$\$(?P<display>[^$]*)\$\$|\$(?P<inline>[^$]*)\$|\\\((?P<round>.*?)\\\)|`(?P<code>[^`]*)`", re.DOTALL
)
_HEADING = regex(r"(?m)^[ \t]*#[^\n]*$")
_END = regex(r"(?<=[.!;])(?=\s)|(?<=[。！；])|\n[ \t]*\n")
_FAR = 400  # characters


def is_said_of_all(statement: Statement, source: str) -> bool:
    """Whether the sentence of a law, and the one before unless it says for all, have no words but such as say nothing
    of its letters."""
    start, end = statement.passage.source_span(0, len(statement.passage.text))
    rest = statement.passage.text.replace(statement.text, " ", 1)
    before = _HEADING.sub("\n\n", source[max(start - _FAR, 0) : start].rstrip(" \n$`([\\"))
    after = source[end : end + _FAR].lstrip("$`)]\\").partition("\n")[0]
    opened = _END.split(after)[0]
    sentences = [text for text in _END.split(before) if text.strip()] or [""]
    own = " ".join((sentences[-1], opened))
    if r"\text" in rest or _BOUND.search(rest) is not None or "?" in opened or "？" in opened:
        return False
    earlier = "" if _OF_ALL.search(own) is not None or len(sentences) < 2 else sentences[-2]
    return all(map(_is_plain, (own, earlier)))


def _is_plain(sentence: str) -> bool:
    formulas = ["".join(found.groups("")) for found in _FORMULA.finditer(sentence)]
    bare = _FORMULA.sub(" ", sentence)
    bound = any(map(_BOUND.search, (*formulas, bare)))
    return not bound and all(_PLAIN.match(word) is not None for word in _WORD.findall(bare))
