"""A line of text as a reader sees it: escapes, entities and small tags resolved, places kept."""

from __future__ import annotations

import html
import re
import unicodedata

from symattn.patterns import regex
from symattn.reading.articles.article import Located
from symattn.reading.formula.spellings import COMMANDS

_ENTITY = regex(r"&(?:[A-Za-z][A-Za-z0-9]{1,24}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_TAG = regex(
    r"<(/?)(br|sup|sub|b|i|em|strong|span|code|p|div|u|small|mark|font|li|ul|ol|td|tr|th|center"
    r"|img|a|h[1-6]|table|thead|tbody|details|summary|picture|source|section)\b(?![-\w]*[,=])([^<>\n]{0,1000})>",
    re.IGNORECASE,
)
_BOLD = regex(r"(?<![\w)\]])\*\*(?=\S)|(?<=\S)\*\*(?![\w(\[])|(?<=:)\*\*(?=\s)")
_BOLD_RESULT = regex(r"(?<=[=≈] )\*\*(?=[^\s*])([^*\n]{1,80})(?<=[^\s*])\*\*(?![\w(\[*])")
_ESCAPE = regex(r"\\([\[\]*#<>|~+=.!-])")
_UNDERSCORE = regex(r"\\(_)")
_DOUBLED = regex(r"(?<!\\)\\(?P<command>\\[A-Za-z]+)")
_TWO = regex(r"\\\\")
_LONE = regex(r"(?<!\\)(?:\\\\)*\\(?!\\)")
_LOST_SPACE = regex(  # [2,;1] and p;=;0.5, of which the backslashes of `\\;` were lost on the way
    r"(?<=[\w})\]])(?P<sign>,);(?=[-−+\\\w])"
    r"|(?<=[\w})\]]);(?P<between>=|\\approx|\\cdot|\\times|\+);(?=[-−+\\\w(\[])"
)
_WORN_ROW = regex(r"\\(?=[ \t]*\n)")  # one backslash of two at the end of a row
_ASIDE = regex(
    r"(?:(?<=[A-Za-z]{3})|(?<=[A-Za-z][\"”]))\s+\((?=[^()]*(?:[a-z]{3,}\s+[A-Za-z]|\w:\s))[^()=\n]{4,80}\)(?=\s*[=≈])"
)
_ORIGIN = regex(  # ∂L/∂w (from t = 2) =
    r"(?<=[^\W_])\s+\((?:from|at|via|through|due to|aus|de|depuis|来自|从)\b[^()\n]{1,60}\)(?=\s*[=≈])"
)
_QUOTED = regex(  # x1 ("the") = [1, 0], where the name is no other without it
    r"(?<=[^\W_a-zA-Z])\s+[(（]\s*(?:\"[^\"()\n]{1,40}\"|'[^'()\n]{1,40}'|[“„][^“”()\n]{1,40}[”“]|‘[^‘’()\n]{1,40}’"
    r"|[「『«][^「」『』«»()\n]{1,40}[」』»])\s*[)）](?=\s*[=≈])"
)
_FORMAT = regex(r"(?<=[Bb]ytes)\s\((?:b?float|b?f|fp|u?int)\d{1,2}\)(?=\s*[=≈])", re.IGNORECASE)  # 4 bytes (float32) =
_PART = r"\((?:[a-h]|i{1,3}|iv|vi{0,3}|ix|\d{1,2})\)"  # (b), of a question
_MARKER = regex(
    rf"\s*(?:(?:[-*+•◦▪·]|\d{{1,3}}[.)])\s+(?:\[[ xX]\]\s+)?|#{{1,6}}\s+|>\s?"
    rf"|\*{{0,2}}{_PART}\*{{0,2}}\s+(?=[^\s=≈+\-−·×⋅⊙@*/^→<>|(]))+"
)


def clean_line(line: Located) -> Located:
    r"""A line of running text without Markdown's and HTML's own signs.

    >>> clean_line(Located.whole(r"**Q**: \[0, 1] &minus; x<sub>1</sub>")).text
    'Q: [0, 1] − x_{1}'
    >>> clean_line(Located.whole("p;=;[0.7,;0.3]; q=[0.5,;0.5]")).text
    'p=[0.7,0.3]; q=[0.5,0.5]'
    """
    line = _narrowed(line)
    line = _undoubled(line)
    text = line.text
    if "&" in text:
        line = decode_entities(line)
    if "<" in text:
        line = line.substitute(_TAG, _tag)
    if "\\" in text:
        line = line.substitute(_ESCAPE, lambda m: m[1])
        if not re.search(r"\\[A-Za-z]", text):
            line = line.substitute(_UNDERSCORE, lambda m: m[1])
    if "**" in text:
        line = line.substitute(_BOLD, lambda _: "")
    if ";" in text:
        line = line.substitute(_LOST_SPACE, lambda m: m["sign"] or m["between"])
    return _with_both(line)


def _with_both(line: Located) -> Located:
    """A line with two names that are said to be one thing as an equation.

    >>> _with_both(Located.whole("K and V are the same, K 和 V 同样 = X")).text
    'K and V are the same, K 和 V 同样 = X'
    >>> _with_both(Located.whole("K 和 V 同样 = X")).text, _with_both(Located.whole("K and V = X")).text
    ('K = V = X', 'K = V = X')
    """
    both = _BOTH.fullmatch(line.text)
    if both is None:
        return line
    return line.replaced((both.span(name), line.put(" = ", *both.span(name))) for name in ("and", "is"))


_BOTH = regex(
    r"\s*[A-Z](?P<and>\s?(?:,|、|和|与|與|と|(?<=\s)(?:and|und|et|e|y)(?=\s))\s?)[A-Z]"
    r"(?P<is>\s?(?:both|also|likewise|same|同样|同樣|也|都)?\s?=\s?)[A-Z][ \t.。]*"
)


_UNIT = regex(  # between a number and a sign
    r"(?<=\d)[ -]?(?:layers?|heads?|dims?|dimensions?|tokens?|bytes?|params?|parameters|floats?|matrices|vectors?"
    r"|experts?|blocks?|samples?|sequences?|positions?|entries|层|層|个头|头|字节|个|维)(?=\s*[×*·]|\s*=\s*[\d(])",
    re.IGNORECASE,
)
_UPRIGHT = r"\\(?:text|mathrm|textrm|mbox)\{"
_SCALED = (  # words of units that come in several sizes, and words that are no units
    r"[a-z]*?(?:bits?|nats?|degrees?|radians?|seconds?|minutes?|hours?|days?|years?|met(?:er|re)s?|grams?|watts?|hertz)"
    r"|[a-z]+bytes?|hundred|thousand|[a-z]+illions?|dozens?|percent|times|fold|otherwise|else|where|with|since|because"
    r"|each|that|this|from|into|approx[a-z]*|about|roughly|correct|wrong"
)
_COUNTED = regex(  # behind the last number of a formula; other words of up to three letters may scale it
    rf"(?<=[\d}}])(?:(?:[ ~]|\\[,;: ])+{_UPRIGHT}[ ~]?|{_UPRIGHT}(?:[ ~]|(?=FLOP)))"
    rf"(?:px|ops|(?!(?:{_SCALED})\b)[A-Za-z]{{4,20}})(?:[ /-][a-z -]*[a-z])?\.?\s?\}}"
    r"(?:\^\{?[23]\}?|[²³])?(?=[\s.,;]*$)",
)
_SCALING = r"bits?\b|[kKMGTP]i?B\b|hundred|thousand|[mbtr]+illion|dozen|percent"  # no mere counting
_UNIT_IN_TEX = regex(  # 32 \text{ layers} \times 2: a word set off from the number before it, and what goes on
    r"(?<=[\d}])\s?(?:\\[,;: ])?\s?\\(?:text|mathrm|textrm|mbox)\{(?:(?<=\\[,;: ]\\text\{)|[ ~]|(?<=\\ \\text\{))"
    rf"(?!{_SCALING}|per\b|of\b|and\b|or\b|if\b|for\b|mod\b)"
    r"(?:[smh]|[a-zA-Z][a-zA-Z /-]{1,24}(?:\([^(){}]{1,20}\))?)\s?\}(?=\s*(?:\\times|\\cdot|\\approx|=|/))"
)
_UNIT_AT_END = regex(  # 45\ \text{requests/replica}: nothing else stands right behind the last number of a row
    r"(?<=\d)(?<!\^\d)(?<!_\d)(?:\s?\\[,;: ]\s?\\(?:text|mathrm|textrm|mbox)\{|\s?\\(?:text|textrm|mbox)\{(?=[ ~]))"
    rf"[ ~]?(?!{_SCALING}|(?:per|of|and|or|if|for|mod|when|otherwise|where|so)\b)"
    r"(?:[smh]|[^\W\d_][^\W\d_ /-]?(?:[^\W\d_]|[ /-](?=[^\W\d_])){0,30})\.?\s?\}"
    r"(?=[\s.,;]*(?:$|\\\\|\\end\b|&|\\q?quad\b))"
)
_TIMES_AT_END = regex(r"(?<=\d)\s?\\times\s*(?=\}?\s*$)")  # 128\times
_REMARK = regex(r"(?<=[\])\d])\s+←\s*(?!\w\s*[=←])(?:[^\d=\[\]()]*|(?=[^\n]*[^\W\d]{3})[^=\[\]()←→]*)$")


_NOTE = regex(  # behind a number that is reckoned with: 80 − 14 (weights) − 6（开销）= 60
    r"(?:(?<=\d)|(?<=\d [KMGT]B)|(?<=\d[KMGT]B))(?:\s\(|（)"
    r"(?![^()（）]*\b(?:alpha|beta|gamma|theta|lambda|sigma|eta|pi)\b)"
    r"(?![^()（）]*(?:\b(?:square[ds]?|cubed?|twice|thrice|doubled?|tripled?|half|halve[ds]?|inverse|dozens?|hundreds?"
    r"|thousands?|[mbtr]+illions?|percent|power)\b|[万萬亿億千百兆倍半平立根]))"  # which change what it is worth
    r"(?:[A-Za-z]*[a-z]{3}[A-Za-z]*(?:[ -][A-Za-z]{2,20}){0,4}|[\u3040-\u9fff\uac00-\ud7af]{1,12})"
    r"(?:\)|）)(?=\s*(?:[=≈×÷·*/]|[-+−]\s?\d))"
)
_SHARE = regex(  # behind a result: 9.5 − 2.5 = 7.0 GB (74%)
    r"(?:(?<=\d [KMGT]B)|(?<=\d[KMGT]B)|(?<=\d [KMGT]iB))\s?\([≈~约約]?\s?\d+(?:\.\d+)?\s?%\)(?=[\s.。]*$)"
)


_WIDE_SIGNS = "＋－＊／＝"
_SIGNS = rf"[{_WIDE_SIGNS}+\-−×*·÷/=]"
_SUM = rf"[\d０-９.．\s]+(?:{_SIGNS}[\d０-９.．\s]+)+"  # in brackets beside a sign it is no remark
_WIDE = regex(
    rf"[{_WIDE_SIGNS}０-９]|(?<=[０-９\d])．(?=[０-９\d])|（{_SUM}）(?=\s?{_SIGNS})|(?<={_SIGNS})\s?（{_SUM}）"
)


def _narrowed(line: Located) -> Located:
    """A line with the usual signs of arithmetic and digits for the wide ones that Chinese and Japanese set.

    >>> _narrowed(Located.whole("５１２÷8＝64（０．５倍）")).text
    '512÷8=64（0.5倍）'
    """
    return line if line.text.isascii() else line.substitute(_WIDE, lambda m: unicodedata.normalize("NFKC", m[0]))


def clean_print(line: Located) -> Located:
    """A line of a program or of plain text without the marks of Markdown around a result, which show there.

    >>> clean_print(Located.whole("= 2 ** 3 = **8 bits**")).text
    '= 2 ** 3 = 8 bits'
    """
    line = _with_both(_narrowed(line))
    if line.text.count("**") < 2:
        return line
    bold = [(m.start(), m.end()) for m in _BOLD_RESULT.finditer(line.text)]
    return line.without(at for a, b in bold for at in ((a, a + 2), (b - 2, b)))


_ASIDES = (_ASIDE, _ORIGIN, _QUOTED, _FORMAT, _SHARE, _NOTE)


def without_asides(line: Located) -> Located:
    """A line without what is said in brackets of a name that is being defined, or behind an arrow back to a list.

    >>> without_asides(Located.whole("Logits (in the order of the list) = (1, 2)")).text
    'Logits = (1, 2)'
    >>> without_asides(Located.whole("x1 (“the”) = [1, 0]")).text
    'x1 = [1, 0]'
    >>> without_asides(Located.whole("A = [0.5, 0.5]  ← both tokens alike")).text
    'A = [0.5, 0.5]'
    """
    if "←" in line.text and (remark := _REMARK.search(line.text)) is not None:
        line = line.cut(0, remark.start())
    if "(" not in line.text and "（" not in line.text:
        return line
    return line.without(sorted({m.span() for pattern in _ASIDES for m in pattern.finditer(line.text)}))


def with_attributes(line: Located) -> Located:
    """A line with the attributes of a program's numbers as names, and without the name that something is added to.

    >>> with_attributes(Located.whole("a.grad += b.data × y[3].grad = 3.0 × 1.0 = 3.0")).text
    'b_data × y_grad[3] = 3.0 × 1.0 = 3.0'
    """
    if ".grad" not in line.text and ".data" not in line.text:
        return line
    added = _ADDED_TO.match(line.text)
    if added is not None:
        line = line.cut(added.end(), len(line.text))
    return line.substitute(_ATTRIBUTE, lambda m: f"{m['name']}_{m['attribute']}{m['item'] or ''}")


_ATTRIBUTE = regex(r"\b(?P<name>[A-Za-z]\w{0,20})(?P<item>\[\d{1,3}\])?\.(?P<attribute>grad|data)\b(?!\()")
_ADDED_TO = regex(r"\s*[A-Za-z][\w.\[\]]{0,40}\s*\+=\s*(?=[^=]+=)")


def without_units(line: Located) -> Located:
    """A line without what its factors count.

    >>> without_units(Located.whole("12 layers × 12 heads = 144 heads")).text
    '12 × 12 = 144 heads'
    """
    if not any(sign in line.text for sign in "×*·"):
        return line
    return line.without(m.span() for m in _UNIT.finditer(line.text))


def decode_entities(located: Located) -> Located:
    """`&lt;`, `&nbsp;`, `&#8722;` as the characters they stand for."""
    return located.substitute(_ENTITY, _character)


def clean_formula(located: Located) -> Located:
    """A formula between marks, with the entities and line breaks of its page resolved, without what it counts."""
    located = _narrowed(located)
    if "&" in located.text:
        located = decode_entities(located)
    if "<" in located.text:
        located = located.substitute(_TAG, lambda m: " " if m[2].lower() == "br" else None)
    located = _undoubled(located)
    if ";" in located.text:
        located = located.substitute(_LOST_SPACE, lambda m: m["sign"] or m["between"])
    if "&" in located.text and "\\\\" not in located.text:
        located = located.substitute(_WORN_ROW, lambda _: "\\\\")
    return without_what_is_counted(located)


def _undoubled(located: Located) -> Located:
    r"""A formula with one backslash for two, where it was copied out of a string of a program.

    >>> _undoubled(Located.whole(r"-\\log 0.5 = 0.693")).text, _undoubled(Located.whole(r"x = 2 \\y = 3")).text
    ('-\\log 0.5 = 0.693', 'x = 2 \\\\y = 3')
    """
    if "\\\\" not in located.text or _LONE.search(located.text):
        return located
    doubled = any(found["command"] in COMMANDS for found in _DOUBLED.finditer(located.text))
    return located.substitute(_TWO, lambda _: "\\") if doubled else located


def without_what_is_counted(located: Located) -> Located:
    r"""A formula without the word for what its last number counts.

    >>> without_what_is_counted(Located.whole(r"2 \times 8 = 16 \text{ FLOPs per token}")).text
    '2 \\times 8 = 16'
    """
    if "\\" not in located.text:
        return located
    counted = _COUNTED.search(located.text) or _TIMES_AT_END.search(located.text)
    if counted is not None:
        located = located.without([counted.span()])
    if "\\text" not in located.text and "\\m" not in located.text:
        return located
    units = [*_UNIT_IN_TEX.finditer(located.text), *_UNIT_AT_END.finditer(located.text)]
    return located.without(sorted({m.span() for m in units}))


def marker_end(text: str) -> int:
    """Where a line's words begin after its bullet, number, hashes or quote sign.

    >>> [marker_end(text) for text in ("- (b) L = 2", "- [x] L = 2", "(b) L = 2", "(b) · (c) = 2")]
    [6, 6, 4, 0]
    """
    match = _MARKER.match(text)
    return match.end() if match else 0


def _character(match: re.Match[str]) -> str | None:
    said = html.unescape(match[0])
    return said if said != match[0] else None


def _tag(match: re.Match[str]) -> str:
    closing, name = match[1], match[2].lower()
    if name == "br":
        return "\n"
    if name in ("sup", "sub"):
        return "}" if closing else ("^{" if name == "sup" else "_{")
    return ""
