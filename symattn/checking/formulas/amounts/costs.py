"""What attention costs in words: O(n²d) in compute and O(n²) in memory, O(nd²) by a state, O(LCd + Ld²) by chunks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_OPEN = r"[`$]{0,2}(?:\\(?:mathcal|mathrm|text)\s?\{\s?O\s?\}|O)\s?(?:\\left)?\("


def _order(key: str) -> str:
    return rf"{_OPEN}(?P<{key}>[^()\n]{{1,40}}?)(?:\\right)?\)[`$]{{0,2}}"


_TIME = r"(?:comput\w*|c[óo]mputo|calcul\w*|time|tiempo|tempo|FLOPs?|operations?|计算|時間|时间|연산|계산)"
_SPACE = r"(?:memor\w*|mémoire|space|内存|显存|空间|メモリ|메모리|Speicher)"
_IN = r"\s*(?:in|of|en|em|für|的)?\s*(?:the |le |la |el )?"
_BOTH = regex(
    rf"{_order('time')}{_IN}{_TIME}[\w ]{{0,12}}?\s?(?:,|and|y|et|e|und|和|，|、)\s?(?:and )?"
    rf"{_order('space')}{_IN}{_SPACE}",
    re.IGNORECASE,
)
_TO = r"(?:to|down to|zu|auf|a|à|para|到|降到|降为|降低到|变为)"
_FROM_TO = regex(
    rf"(?:from|von|de|从|從)\s?{_order('first')}\s?{_TO}\s?{_order('second')}",
    re.IGNORECASE,
)
_ONE = regex(
    rf"(?:per[- ](?:token|step)|each (?:token|step)|每个? ?(?:token|词元|步))[\w ]{{0,24}}{_order('each')}"
    r"(?: in (?:the )?(?:sequence|context) length)?",
    re.IGNORECASE,
)
_CHUNKED = regex(rf"{_order('chunked')}\s?(?:\w+ )?(?:complexity|cost|复杂度|計算量|복잡도)", re.IGNORECASE)
_ATTENTION = regex(
    r"attention matrix|softmax attention|standard attention|QK\^?\{?T|Q K\^?\{?T|注意力矩阵|AV\$|self-attention", re.I
)
_LINEAR = regex(r"linear|recurren|线性|線性|recurs|state|associativ|结合律|lineal|linéaire", re.IGNORECASE)
_LESS = regex(r"reduc|lower|falls?\b|drops?\b|decreas|降低|降到|减少|senkt|réduit", re.IGNORECASE)
_CHUNKS = regex(r"chunk|块|ブロック|청크", re.IGNORECASE)
_STATE = regex(r"fixed[- ]size|constant[- ]size|state|状态|狀態|recurren", re.IGNORECASE)
NEAR = 240

Terms = Counter[tuple[int, int]]


def judge_costs(context: Context) -> Iterator[Formula]:
    """Orders of growth as counts of the products: n·n·d of scores and output, n·d·d where keys meet values first."""
    source = context.article.words
    for found in find_said(context, _BOTH):
        time, space = _terms(found["time"]), _terms(found["space"])
        around = _sentences(source, found)
        if time is None or space is None or not _ATTENTION.search(around) or _LINEAR.search(around):
            continue
        if (time, space) == (_QUADRATIC, _MATRIX):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_cost"))
        elif (time, space) == (_MATRIX, _QUADRATIC):
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_cost"))
    for found in find_said(context, _FROM_TO):
        first, second = _terms(found["first"]), _terms(found["second"])
        if not _LINEAR.search(source[max(found.start() - NEAR, 0) : found.end() + NEAR]):
            continue
        less = _LESS.search(source, max(found.start() - 60, 0), found.start()) is not None
        if (first, second) == (_QUADRATIC, _BY_WIDTH):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_cost"))
        elif (first, second) == (_BY_WIDTH, _QUADRATIC) and less:
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_cost"))
    for found in find_said(context, _ONE):
        near = source[max(found.start() - NEAR, 0) : found.end() + NEAR]
        if found["each"].strip() == "1" and _LINEAR.search(near) and _STATE.search(near):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_cost_of_step"))
    yield from _of_chunks(context)
    yield from _of_products(context)


_QUADRATIC: Terms = Counter({(2, 1): 1})
_MATRIX: Terms = Counter({(2, 0): 1})
_BY_WIDTH: Terms = Counter({(1, 2): 1})


def _of_chunks(context: Context) -> Iterator[Formula]:
    """L/C chunks of C rows cost L/C (C²d + Cd²)."""
    source = context.article.words
    for found in find_said(context, _CHUNKED):
        powers = [_powers(term) for term in found["chunked"].split("+")]
        if None in powers or not _CHUNKS.search(source[max(found.start() - NEAR, 0) : found.end() + NEAR]):
            continue
        made = sorted(tuple(sorted(each.items())) for each in powers if each is not None)
        if made == sorted([(("C", 1), ("L", 1), ("d", 1)), (("L", 1), ("d", 2))]):
            yield conclude_in_words(context, found.span(), "holds", Sentence("words_cost_of_chunks"))


def _mapped(letter: str) -> str:
    return rf"\\?(?:phi|φ|ϕ|varphi)\s?(?:\\left)?\(\s?{letter}\s?(?:\\right)?\)"


_T = r"\s?\^\s?\{?\s?(?:\\top|T)\s?\}?"
_SAID = r"\s*(?:\\in|∈|:|costs?|=|\\sim|为|is)\s*"
_PRODUCT = regex(
    rf"(?P<product>(?P<scores>\(\s?Q\s?K{_T}\s?\)\s?V)|"
    rf"(?:Q|{_mapped('Q')})\s?(?:\\left)?\(\s?(?:K|{_mapped('K')}){_T}\s?V\s?(?:\\right)?\))"
    rf"{_SAID}{_order('order')}"
)


def _of_products(context: Context) -> Iterator[Formula]:
    """(QKᵀ)V ∈ O(S²D), φ(Q)(φ(K)ᵀV) ∈ O(SD²); of both at once where they follow each other."""
    for found in find_said(context, _PRODUCT):
        order = _terms(found["order"].replace(r"\cdot", " "))
        if order is not None and set(order) <= {(2, 1), (1, 2)} and len(order) == 1:
            right = order == (_QUADRATIC if found["scores"] else _BY_WIDTH)
            yield conclude_in_words(context, found.span(), "holds" if right else "fails", Sentence("words_cost"))


def _sentences(source: str, found: re.Match[str]) -> str:
    """The sentence that it stands in."""
    before = re.split(r"[.。]\s|\n\n", source[max(found.start() - NEAR, 0) : found.start()])[-1]
    after = re.split(r"[.。]\s|\n\n", source[found.end() : found.end() + NEAR])[0]
    return before + found[0] + after


def _terms(order: str) -> Terms | None:
    """Each term by the powers of tokens and of widths; None where a letter is neither."""
    found: Terms = Counter()
    for term in re.split(r"\+", order):
        powers = _powers(term)
        if powers is None:
            return None
        kinds: Counter[str] = Counter()
        for letter, power in powers.items():
            kinds["tokens" if letter == "S" else kind_of(letter)] += power
        if set(kinds) - {"tokens", "width"}:
            return None
        found[kinds["tokens"], kinds["width"]] += 1
    return found


_LETTER = regex(
    r"\s*(?:\\cdot|\\times|·|\*|×)?\s*(?P<letter>[A-Za-z](?:_\{?\w+\}?)?)\s*(?:\^\s*\{?\s*(?P<power>\d)\s*\}?|(?P<square>²))?"
)


def _powers(term: str) -> Counter[str] | None:
    """The letters of a product with their powers; None where something else stands in it."""
    found: Counter[str] = Counter()
    at = 0
    text = term.strip()
    while at < len(text):
        match = _LETTER.match(text, at)
        if match is None:
            return None
        found[re.sub(r"[{}]", "", match["letter"])] += 2 if match["square"] else int(match["power"] or 1)
        at = match.end()
    return found or None
