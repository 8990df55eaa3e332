"""What the words around a formula say of it."""

from __future__ import annotations

import re

from symattn.checking.disowned import CONVENTION, disowns
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f

_SUPPOSED = regex(
    r"\b(?:if|suppos(?:e|ed|ing)|assum(?:e|es|ed|ing|ption)|unless|iff|provided|such that|would|were|pretend(?:ing)?"
    r"|ignor(?:e|es|ed|ing)|neglect(?:s|ed|ing)?|dropping|omit(?:s|ted|ting)?|contradiction|special case|in the limit"
    r"|requires?|want|(?:for|when|where) (?:an? |any |every )?(?:symmetric|orthogonal|commut\w*)"
    r"|cent(?:er|r)ed|without cent(?:er|r)ing|unit (?:vectors?|norm|sphere)|frozen|(?:held|kept) fixed"
    r"|unscaled|without (?:the |any )?(?:scal(?:e|ing)|1/√d)"
    r"|through (?:the )?\w+ (?:alone|only)|(?:positive|negative|large|small) (?:inputs?|values|arguments)"
    r"|wenn|angenommen|si|suponga(?:mos)?|supposons|suponha)\b"
    r"|(?:未|不|没有|无)(?:经过?)?缩放|若|如果|假设|假定|倘若|忽略|略去|使得|もし|ならば|仮定|만약|가정|если",
    re.I,
)
_OF_EXTREMES = regex(  # for x ≫ 1, as t → ∞
    r"\\(?:gg|ll)(?![a-z])|[≫≪]|(?:\\to|→)\s*[-+]?\s*(?:\\infty|∞)|\b(?:klein|groß|großes|kleines|petit|grand|pequeñ|grande)\w*",
    re.IGNORECASE,
)
_THEN = regex(r"\s*(?:(?:then|thus|hence|so|therefore|in (?:this|that|which) case)\b|那么|则|此时|于是)", re.I)
# a condition on indices, which those who judge entries know: `if $i = j$`, `for i ≠ j`
_OF_INDICES = regex(
    r"(?:\b(?:if|when|for|where)\b|若|如果|当)[\s$]*[a-z]\s*(?:=|≠|<|>|≤|≥|\\(?:neq?|leq?|geq?|lt|gt)\b)\s*[a-z]"
    r"[\s$]*(?![\w^_({+*/-])",
    re.I,
)
# one on features that are even or odd, whose formulas say so themselves
_OF_PARITY = regex(
    r"(?:\b(?:if|when|for|where)\b|若|如果|当)[^,，.。;；:：\n]{0,16}?(?:\b(?:even|odd)\b|[偶奇]数?)", re.I
)
_BY_PARITY = regex(r"(?<!\d)2\s*\*?\s*[a-z](?![a-z])")  # PE(pos, 2i)
# a condition on a value: `for $x > 0$`, `when $z ≤ 1$`
_OF_VALUES = regex(
    r"(?:\b(?:for|when|where|with)\b|对于?|当)[\s$]*(?![ijklmnt]\b)(?:\\?[A-Za-z]\w*|[α-ω])[\s$]*"
    r"(?:<|>|≤|≥|\\(?:leq?|geq?|lt|gt|ll|gg)\b)\s*[-−]?\d",
    re.I,
)
# the same right behind a formula, or in brackets: `for x > 0`, `(x > 0)`, `otherwise`
_OF_CASE = regex(
    r"(?:[\s&,;:$`{}]|\\[ ,;:!]|\\q?quad\b|\\(?:text|mbox|mathrm|textrm)\b)*"
    r"(?:(?:(?:\b(?:for|if|when)\b|若|如果|当)[\s$}]*|[(（]\s*)(?P<letter>[A-Za-z])(?:_\{?\w+\}?)?"
    r"[\s$]*(?:<|>|≤|≥|\\(?:leq?|geq?|lt|gt)\b)=?[\s$]*[-−]?\d|(?:otherwise|else)\b|否则|其他|其它)"
)
_BY_CASES = frozenset(("relu", "leakyrelu", "leaky_relu", "prelu", "elu", "selu", "abs", "sign"))
_FORMULA = regex(r"\$\$[^$]*\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]|`[^`]*`", re.DOTALL)
# a sentence ends, or an item of a list begins
_SENTENCE = regex(r"(?<=[.!?;])(?=\s|$)|(?<=[。！？；])|\n\s*\n|\n[ \t]*(?=[-*+•] |\d{1,2}[.)] )")


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
    sentence = _SENTENCE.split(before)[-1]
    if _OF_VALUES.search(sentence) or _OF_EXTREMES.search(sentence) or _is_of_case(statement, source):
        return True
    if _BY_PARITY.search(statement.passage.text, 0, statement.sides[0].end):
        before, after = (_OF_PARITY.sub(" ", text) for text in (before, after))
    sentences = _SENTENCE.split(_without_formulas(before))
    own = sentences[-1]
    if _THEN.match(own) and len(sentences) > 1:
        own = sentences[-2] + own
    following = _SENTENCE.split(_without_formulas(after.partition("\n")[0]))[0]
    return following.endswith(("?", "？")) or any(_SUPPOSED.search(words) for words in (own, following))


def _is_of_case(statement: Statement, source: str) -> bool:
    """Whether it is one case of a function that is defined by cases, ReLU(x) = x for x > 0."""
    left = statement.left
    call = left.operand if isinstance(left, f.Entry) else left
    if not isinstance(call, f.Call) or call.function.lower() not in _BY_CASES:
        return False
    end = statement.span[1]
    found = _OF_CASE.match(source, end, end + _FAR)
    return found is not None and found["letter"] in (None, *(x.base for x in f.walk(call) if isinstance(x, f.Name)))


_FAR = 300  # characters


def is_said_of_indices(differ: bool, statement: Statement, source: str) -> bool:
    """Whether the last comparison of two indices in front of a formula, or one right behind it, says that they differ,
    `for i ≠ j`, or that they are the same."""
    found = _compared_near(statement, source)
    return found is not None and (found["sign"] != "=") == differ


def is_said_of_all(statement: Statement, source: str) -> bool:
    """Whether words near a formula are of any two indices, `for all i and j`."""
    start, end = statement.span
    before = _OF_ALL.search(source, max(start - _NEAR, 0), start)
    return (before or _OF_ALL.search(source, end, end + _NEAR // 2)) is not None


def is_plainly_otherwise(differ: bool, statement: Statement, source: str) -> bool:
    """Whether another case of two indices, or all cases, begin the sentence in front of a formula or end it behind:
    then they are said of no other formula."""
    start, end = statement.span
    found = _IN_FRONT.fullmatch(source, max(source.rfind("\n", 0, start) + 1, start - _NEAR), start)
    found = found or _AT_THE_END.match(source, end, end + _NEAR)
    if found is None or _OTHERWISE.match(source, end, end + _NEAR):
        return False
    return found["sign"] is None or (found["sign"] != "=") != differ


def _compared_near(statement: Statement, source: str) -> re.Match[str] | None:
    start, end = statement.span
    before = list(_COMPARED.finditer(source, max(start - _NEAR, 0), start))
    return _CASE_BEHIND.match(source, end, end + _NEAR) or (before[-1] if before else None)


_NEAR = 100  # characters
_COMPARED = regex(r"(?<![\\\w])[a-z]\s*(?P<sign>=|≠|\\neq?\b|!=)\s*[a-z](?![\w^_(])")
_CASE_BEHIND = regex(
    r"(?:[\s&,;:$`{}(（]|\\[ ,;:!]|\\q?quad\b|\\(?:text|mbox|mathrm|textrm)\b|\b(?:for|if|when|where)\b|若|如果|当)*"
    + _COMPARED.pattern
)


_PAIR = r"[$`]?[a-z][$`]?(?:,|，|、| ?and| ?和) ?[$`]?[a-z](?![\w^_(])"
_OF_ALL = regex(
    rf"(?:\b(?:all|any|every|arbitrary)|(?:所有|任意|任何)的?)\s*(?:indices|下标)?\s*{_PAIR}", re.IGNORECASE
)
_CASE = rf"(?:for|if|when|对于?|對於?|若|如果|当|當)?[\s$`]*(?:{_COMPARED.pattern}|{_OF_ALL.pattern})[\s$`]*时?"
_IN_FRONT = regex(
    rf"(?:.*[.。:：!?])?\s*(?:(?:then|thus|so|hence|and)\s+)?{_CASE}[\s$`*,，:：]*"
    r"(?:(?:we have|then|有|则)[\s$`*,:：]*)?",
    re.IGNORECASE,
)
_AT_THE_END = regex(rf"[\s$`,，(（]*(?:\\q?quad\b)?[\s(]*{_CASE}[\s$`)）}}]*(?:[.。]|\n\s*\n|\Z)", re.IGNORECASE)
_OTHERWISE = regex(r"[^.。\n]{0,60}(?:otherwise|\belse\b|否则|其他|其它)", re.IGNORECASE)


def _without_formulas(text: str) -> str:
    """The words alone, without conditions on indices."""
    return _FORMULA.sub(" □ ", _OF_INDICES.sub(" ", text))


def is_disowned(statement: Statement) -> bool:
    """Whether the text itself calls the formula wrong, naive or what is not meant, in its sentence or on its line, or
    says right behind it when it is so: ReLU(x) = 0 ⇔ x ≤ 0."""
    text, end = statement.passage.text, statement.chain.end
    conditional = _CONDITION_BEHIND.match(text, end) or _CONDITION_BEFORE.search(text, 0, statement.chain.start)
    return bool(conditional) or CONVENTION.search(text) is not None or disowns(statement.before, statement.after)


_EQUIVALENT = r"(?:\\(?:Long)?[Ll]eftrightarrow|\\iff|\\land|\\wedge)(?![A-Za-z])|⇔|⟺"
_GAP = r"(?:[\s,，;]|\\[,;:! ]|\\q?quad(?![a-z]))*"
_ORDER = r"(?:[<>≤≥]|\\(?:leq?|geq?|lt|gt)(?![A-Za-z]))"
_CONDITION_BEHIND = regex(  # but for one on two indices, which those who judge entries know
    rf"(?:{_GAP}|[\s&]*)(?:{_EQUIVALENT}|(?:\\(?:text|mathrm|textrm|mbox)\s*\{{\s*)?[,，]?\s*"
    r"(?:(?:(?:if|iff|when|provided|unless|only if|si|wenn|falls|при|если)\b|若|如果|当|当且仅当)"
    r"(?![\s}$]*[a-z]\s*(?:[=≠<>≤≥]|\\(?:neq?|leq?|geq?|lt|gt)(?![a-z]))\s*[a-z](?!\w))"
    rf"|(?:for\b[\s}}]*)?[A-Za-z](?:_\{{?\w+\}}?)?\s*{_ORDER}\s*[-−]?\d))"
)
_CONDITION_BEFORE = regex(rf"(?:{_EQUIVALENT}){_GAP}$")


def is_replaced(statement: Statement) -> bool:
    """Whether the text says that another formula, which comes next, should stand in the place of this one."""
    return _SHOULD_BE.fullmatch(statement.after) is not None


_SHOULD_BE = regex(
    r"[^\w(]*(?:\([^()\n]{1,20}\))?[^\w(]*(?:(?:and|but|which|it|this|they)\s+)*"
    r"(?:should\s+(?:(?:instead|rather|really)\s+)?(?:be|read|have been)(?:\s+written(?:\s+as)?)?"
    r"|(?:其实|正确的?)?应(?:该|当)?(?:为|是|改为|写为|写成))[^\w(]*",
    re.IGNORECASE,
)


def goes_on_below(statement: Statement, source: str) -> bool:
    """Whether the next line of a block of code begins with a sign, so that more stands there than was read."""
    if statement.passage.kind in ("display", "inline"):
        return False
    end = statement.span[1]
    return _GOES_ON_BELOW.match(source, end, end + 200) is not None


_GOES_ON_BELOW = regex(r"[^\n=]*\n {3,}[ \t]*[+×·⊙][ \t]*[\w(\[√Σ\\]")


def is_disowned_at(source: str, span: tuple[int, int]) -> bool:
    """Whether the text calls wrong what stands at a place in it."""
    return disowns(source[max(span[0] - 200, 0) : span[0]], source[span[1] : span[1] + 120])
