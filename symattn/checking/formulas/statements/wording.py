"""What the words around a formula say of it."""

from __future__ import annotations

import re

from symattn.checking.formulas.statements.statement import Statement

_DISOWNED = re.compile(
    r"\b(?:wrong(?:ly)?|incorrect(?:ly)?|naive|naïve|mistaken?|mistakes|erroneous|typo|misprint|slip|pitfall|buggy|false|invalid"
    r"|tempting|myth|misconception|untrue|instead of|rather than|not|erratum|errata|replaced?"
    r"|doc(?:s|umentation)? (?:says?|has|have)"
    r"|(?:often|sometimes|commonly|frequently) (?:writ\w+|see[ns]?|claim\w*|stat\w+))\b"
    r"|❌|✗|✘|错误|有误|错写|误写|笔误|誤植|不正确|不对|朴素|而不是|而非|잘못|틀린|誤り|間違",
    re.I,
)
# "relative positions, not absolute ones": what is not meant is no formula
_CONTRASTED = re.compile(
    r"\b(?:not|instead of|rather than)(?: (?:on|the|their|its|by|just|only))* absolute\b|(?:而不是|而非|不是)绝对",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|suppos(?:e|ed|ing)|assum(?:e|es|ed|ing|ption)|unless|iff|provided|such that|would|were|pretend(?:ing)?"
    r"|ignor(?:e|es|ed|ing)|neglect(?:s|ed|ing)?|dropping|omit(?:s|ted|ting)?|contradiction|special case|in the limit"
    r"|requires?|want|(?:for|when|where) (?:an? |any |every )?(?:symmetric|orthogonal|commut\w*)"
    r"|cent(?:er|r)ed|without cent(?:er|r)ing|unit (?:vectors?|norm|sphere)|frozen|(?:held|kept) fixed"
    r"|through (?:the )?\w+ (?:alone|only)|(?:positive|negative|large|small) (?:inputs?|values|arguments)"
    r"|wenn|angenommen|si|suponga(?:mos)?|supposons|suponha)\b"
    r"|若|如果|假设|假定|倘若|忽略|略去|使得|もし|ならば|仮定|만약|가정|если",
    re.I,
)
_THEN = re.compile(r"\s*(?:(?:then|thus|hence|so|therefore|in (?:this|that|which) case)\b|那么|则|此时|于是)", re.I)
# a condition on indices, which those who judge entries know: `if $i = j$`, `for i ≠ j`
_OF_INDICES = re.compile(
    r"(?:\b(?:if|when|for|where)\b|若|如果|当)[\s$]*[a-z]\s*(?:=|≠|<|>|≤|≥|\\(?:neq?|leq?|geq?|lt|gt)\b)\s*[a-z]"
    r"[\s$]*(?![\w^_({+*/-])",
    re.I,
)
# a condition on a value: `for $x > 0$`, `when $z ≤ 1$`
_OF_VALUES = re.compile(
    r"(?:\b(?:for|when|where|with)\b|对于?|当)[\s$]*(?![ijklmnt]\b)(?:\\?[A-Za-z]\w*|[α-ω])[\s$]*"
    r"(?:<|>|≤|≥|\\(?:leq?|geq?|lt|gt|ll|gg)\b)\s*[-−]?\d",
    re.I,
)
_FORMULA = re.compile(r"\$\$[^$]*\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]|`[^`]*`", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?;])(?=\s|$)|(?<=[。！？；])|\n\s*\n")
_ANSWER = re.compile(r"[\s$*`.:,，。：—–-]*(?:(?:false|wrong|incorrect)(?![\w-])|错|不对|✗|✘|❌)", re.I)
_CONVENTION = re.compile(r"\b(?:muP|maximal update)\b|[µμ]P\b", re.I)  # another scale on purpose
_ENDS = re.compile(r"[.。!?！？;；\n](?=\s|$)|\n")


def near(statement: Statement) -> str:
    """The words in front of a formula and behind it."""
    return statement.before + " " + statement.after


def is_supposed(statement: Statement, source: str) -> bool:
    """Whether the sentence of a formula makes a condition, or asks: then it need not be right in general.

    A condition on two indices, `if i = j`, is none of these; those who judge entries know it.
    """
    start, end = statement.passage.source_span(0, len(statement.passage.text))
    paragraph = source.rfind("\n\n", max(start - _FAR, 0), start)
    before = source[max(paragraph, start - _FAR, 0) : start].rstrip(" \n$`([\\")
    after = source[end : end + _FAR].lstrip("$`)]\\")
    if _OF_VALUES.search(_SENTENCE.split(before)[-1]):
        return True
    sentences = _SENTENCE.split(_without_formulas(before))
    own = sentences[-1]
    if _THEN.match(own) and len(sentences) > 1:
        own = sentences[-2] + own
    following = _SENTENCE.split(_without_formulas(after.partition("\n")[0]))[0]
    return following.endswith(("?", "？")) or any(_SUPPOSED.search(words) for words in (own, following))


_FAR = 300  # characters


def _without_formulas(text: str) -> str:
    """The words alone, without conditions on indices."""
    return _FORMULA.sub(" □ ", _OF_INDICES.sub(" ", text))


def is_disowned(statement: Statement) -> bool:
    """Whether the text itself calls the formula wrong, naive or what is not meant: in its sentence or on its line."""
    return _CONVENTION.search(statement.passage.text) is not None or _disowns(statement.before, statement.after)


def is_disowned_at(source: str, span: tuple[int, int]) -> bool:
    """Whether the text calls wrong what stands at a place in it."""
    return _disowns(source[max(span[0] - 200, 0) : span[0]], source[span[1] : span[1] + 120])


def _disowns(before: str, after: str) -> bool:
    if _CONVENTION.search(before[-120:] + " " + after[:120]) or _ANSWER.match(after):
        return True
    sentence = _CONTRASTED.sub("", _ENDS.split(before.rstrip(" \n$*`"))[-1])
    following = _CONTRASTED.sub("", _ENDS.split(after.lstrip("$* `"))[0][:80])
    return _DISOWNED.search(sentence[-120:]) is not None or _DISOWNED.search(following) is not None
