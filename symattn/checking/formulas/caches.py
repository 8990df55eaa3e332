"""The size of a cache of keys and values, factor by factor: 2 × layers × heads × width × tokens × bytes.

It is read from the text, in LaTeX, code or words alike: "2 × L × n_kv × d_head × n × 2 bytes", 2 \\cdot L \\cdot n.
Where all factors are numbers, what they come to is held against the bytes that are printed behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product

from symattn.checking.findings import Counterexample, Formula, FormulaVerdict
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.unwritten import unwritten_factors
from symattn.patterns import regex
from symattn.reading.articles.article import LineBreaks
from symattn.writing.prose import Sentence

LONGEST = 400  # characters of a line
_TIMES = regex(r"\\times|\\cdot|\\ast|[×*·⋅∙]|(?<=\s)x(?=\s)")
_EQUALS = regex(r"=|≈|\\approx|\\simeq")
_ENDS = regex(r"=|≈|\\approx|\\simeq|\$+|`+|\\\\|[;；。|&→]|\\\[|\\\]|\\qquad|\\to\b")
_NAME = regex(
    r"(?:KV|K/V|key[-–/ ]value)[-_ ~\\]*(?:total[-_ ])?(?:cache|bytes|memory|size|显存|缓存|快取|キャッシュ|캐시)"
    r"|键值缓存"
    r"|[a-z]\}?_(?:\{|\\(?:text|math)\w*|\s)*KV\b",
    re.IGNORECASE,
)
_CACHE = regex(r"(?<![a-z-])cache[-_ ]size", re.IGNORECASE)  # where the article is on such caches
_KV_HEADS = regex(r"kv_?heads", re.IGNORECASE)
_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_PRINTED = regex(
    r"(?:\s|\\math\w+\{|\\text\w*\{|\*\*|\\boxed\{|[~≈约約]|(?:about|roughly|approximately) )*(?P<value>\d+(?:\.\d+)?)"
    r"(?:\\[,; ]|~|\s|\\text\w*\{|\\math\w+\{)*(?P<unit>[KMGT])i?B\b(?!/s)"
)
_THINGS = r"bytes?|layers?|(?:kv )?heads?|tokens?|dim\w*|batch\w*|sequences?|matrices|k and v|kv|\([^()]*\)"
_PLAIN_BYTES = regex(r"\s*(?P<value>\d+(?:,\d{3})*)(?P<unit>)\s*bytes?\b(?!\s*/)")
_BARE_UNIT = regex(r"\s*(?P<value>\d+(?:\.\d+)?)\s?(?P<unit>[KMG])(?![A-Za-z])")
_AMOUNT = regex(rf"(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)\s*(?:{_THINGS})?")
_COEFFICIENT = regex(r"(\d)\s*((?!bytes?\b|layers?\b|tokens?\b|x\b)[a-z]\w*)")  # 2 L of `2 L \\cdot n`
_WORDS = regex(r"(?:[^-+*/^\\(){}\d×·]*[^\W\d]\s*:?\s+)?\s*")  # in front of a product
_BYTES = regex(r"byte|dtype|precision|sizeof|elementsize|bpe|字节")
_OF_ONE = regex(
    r"\b(?:each|per(?! (?:sequence|token|request|user|layer|sample|batch)\b)|only|MLA|latent|MQA)\b|每|单独|[仅只]|潜",
    re.IGNORECASE,
)
_SAME = regex(r"\bK\s*=\s*V\b|(?:keys? (?:are|is|as)|share\w*) (?:the )?(?:same|values?|K and V)\b", re.IGNORECASE)
WIDTHS = {
    Fraction(1, 2): regex(r"\b(?:fp4|u?int-?4|nf4|q4\w*|4[- ]?bits?|half a byte)\b|(?<!\d)4 ?位", re.IGNORECASE),
    Fraction(1): regex(r"\b(?:u?int-?8|fp-?8|e4m3|e5m2|8[- ]?bits?|one byte|1 byte)\b|(?<!\d)8 ?位", re.IGNORECASE),
    Fraction(2): regex(r"\b(?:fp16|bf16|float16|bfloat16|16[- ]?bits?|half precision)\b|16 ?位", re.IGNORECASE),
    Fraction(4): regex(r"\b(?:fp32|float32|32[- ]?bits?)\b|32 ?位", re.IGNORECASE),
}  # the bytes of a number, and the words for them
_FEWER_HEADS = regex(r"\b(?:GQA|MQA|grouped|(?:KV|key[-/ ]value) heads?)\b", re.IGNORECASE)
_HEADING = regex(r"^#.*$", re.MULTILINE)
_ALL_HEADS = regex(r"(?:num_?|n_?)?(?:q(?:uery)?_?)?heads?|n_?[hq]|h")
_MODEL_WIDTH = regex(r"d_?model|hidden(?:_?(?:size|dim))?|n_?embd|embed(?:_?dim)?")  # of the heads of the queries
_QUERY_HEADS = regex(r"(?:num_?|n_?)?q(?:uery)?_?heads?|[nh]_?q(?:uery)?")
_ROLES = (
    ("layers", regex(r"l|n_?l|(?:num_?|n_?)?(?:hidden_?)?layers?|depth|层数")),
    ("batch", regex(r"b|n_?b|batch(?:_?size)?|bs|bsz|requests?|users|批(?:次|量)?(?:大小)?")),
    (
        "heads",
        regex(
            r"[hgk]|[hg]_?kv|n_?(?:h|g|kv|q)|(?:num_?|n_?)?(?:kv_?|key_?value_?)?(?:heads?|groups?)(?:_?kv)?|(?:kv)?头数"
        ),
    ),
    (
        "head width",
        regex(
            r"d|h|d_?(?:k|v|h|head|qk|kv)|dim|head_?(?:dim|size)|h_?dim|size_per_head|dim_(?:per_)?head|(?:每个?)?头的?维度"
        ),
    ),
    (
        "width",
        regex(
            r"d|h|d_?(?:model|kv|emb|attn)|dim|hidden(?:_?(?:size|dim))?|(?:model|embed|kv)_?dim|(?:隐藏层?|模型)维度"
        ),
    ),
    (
        "tokens",
        regex(
            r"(?:block|page)_?(?:size|len)|[nstml]|n_?(?:ctx|tokens?|seq)|s_?(?:max|len)|l_?(?:seq|ctx|context|max|i)|max_?seq_?len|(?:num_?)?tokens?|context|(?:序列|上下文)长度|(?:tokens?|词元)数"
        ),
    ),
)
_NEEDED = (frozenset(("tokens", "width")), frozenset(("tokens", "heads", "head width")))
_EXTRA = frozenset(("layers", "batch"))
_OF_TOKEN = (frozenset(("layers", "width")), frozenset(("layers", "heads", "head width")))
_PER_TOKEN = regex(
    r"(?<![A-Za-z])per[-_ ]token(?![A-Za-z])|(?<![A-Za-z])bytes[_/ ]token\b"
    r"|/ ?token\b|每(?:个|一)? ?(?:token|词元)|トークン(?:あたり|ごと)|토큰당",
    re.IGNORECASE,
)
FEWER = 400  # characters in which fewer heads may be named
ABOVE = 80  # characters that may say of what a cache is, or hold a factor


@dataclass(frozen=True)
class _Factors:
    """A product: what its numbers come to, the letters, whether bytes are among them and how many, if in a number."""

    number: Fraction
    letters: tuple[str, ...]
    bytes: bool
    each: Fraction = Fraction(1)  # bytes


@dataclass(frozen=True)
class _Piece:
    """A stretch of a line between two signs, and the sign behind it."""

    start: int
    text: str
    sign: str


def judge_caches(context: Context) -> Iterator[Formula]:
    """Sizes of caches in letters, and products of numbers that are said to be so many bytes."""
    source = context.article.words
    about = _NAME.search(source) is not None
    breaks = LineBreaks.of(source)
    theorem = cache = Sentence("formula_cache")
    printed: list[_Printed] = []
    for start, end in pairwise((*breaks.starts, len(source))):
        if end - start > LONGEST:
            continue
        for at, text in _bare_products(source, start, end) if about or _OWN.search(source, start, end) else ():
            yield Formula(*breaks.position(at), text, "holds", cache, span=(at, at + len(text)))
        if not _EQUALS.search(source, start, end):
            continue
        pieces = list(_cut(source, start, end))
        for k, (left, right) in enumerate(pairwise(pieces)):
            if not _EQUALS.fullmatch(left.sign):
                continue
            theorem = cache
            if len(_TIMES.findall(left.text)) > 1 or _COUNTED.search(left.text):
                found, theorem = _judge_numbers(left, right, source), Sentence("formula_bytes")
                if found is not None and found[2] == "holds" and k and _is_for_cache(pieces[k - 1]):
                    found, theorem = _as_cache(found, left, right, printed), cache
            elif (
                _NAME.search(left.text)
                or _PAIR.search(right.text)
                or ((about or _KV_HEADS.search(right.text)) and (_CACHE.search(left.text) or _is_named(left, source)))
            ):
                found = _judge_letters(left, right, source, source[start:end])
                if found is not None:
                    layers = _LAYERS.search(right.text) is not None
                    printed.append(_Printed(len(_TIMES.split(right.text)), layers, found[2] == "fails"))
            else:
                continue
            if found is not None:
                at, text, verdict, made, shown = found
                line, column = breaks.position(at)
                yield Formula(line, column, text, verdict, theorem, None, made, shown, (at, at + len(text)))


def _bare_products(source: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Right sizes without a name, `the KV cache: $2 L \\cdot n \\cdot d$`, behind words that speak of the cache."""
    for found in (*_MARKED.finditer(source, start, end), *_ALONE.finditer(source, start, end)):
        before = source[max(found.start() - ABOVE, 0) : found.start()]
        own = _is_own(found["product"])
        spoken = _SPEAKS.search(before) and not _OF_ONE.search(_PER_TOKEN.sub(" ", before))
        if _EQUALS.search(found[0]) or not (own or spoken):
            continue
        factors = _read(found["product"])
        if factors is None or _may_be_of_queries(factors.letters, source, found.start(), source[start:end]):
            continue
        needed = _EITHER if own else _OF_TOKEN if _PER_TOKEN.search(before) else _NEEDED
        if factors.number / factors.each == 2 and _is_whole(factors.letters, needed):
            yield found.start("product"), found["product"]


_PAIR = regex(r"(?<![\d.])2\s*\(\s*K\s*(?:[+/,&]|and|和)\s*V\s*\)")  # 2(K + V)
_OWN = regex(r"layers.*(?:kv|key_value)_?heads|(?:kv|key_value)_?heads.*layers")
_EITHER = (*_OF_TOKEN, *_NEEDED)


def _is_own(product: str) -> bool:
    """Whether layers, the heads of keys and values and bytes are in it: a cache, whatever the words around say."""
    return _OWN.search(product) is not None and "byte" in product


@dataclass(frozen=True)
class _Printed:
    """What is known of a size in letters: how many factors it has, whether layers, and whether K and V are missing."""

    factors: int
    layers: bool
    halved: bool


_LAYERS = regex(r"layer|(?<![A-Za-z])[lL](?![A-Za-z])")
_OF_LAYER = regex(
    r"[^\n=]{0,12}(?:per[ -]layer|/ ?layer|each layer|每一?层|每一?層|層ごと|层당|레이어당)", re.IGNORECASE
)


def _is_for_cache(before: _Piece) -> bool:
    """Whether a product stands right behind the name of a cache, KV cache = 2 × 32 × …"""
    return _EQUALS.fullmatch(before.sign) is not None and _NAME.search(before.text) is not None


def _as_cache(found: _Said, left: _Piece, right: _Piece, printed: Sequence[_Printed]) -> _Said | None:
    """What is said of a product that comes out and is called a cache: it needs a factor for K and V as well.

    Without one it is false only where the article's formula has as many factors and lacks it, too. What is called the
    share of one layer is left open where the formula counts layers.
    """
    at, text, _, _, _ = found
    alike = [each for each in printed if each.factors == len(_TIMES.split(left.text))]
    pairs = _has_pairs(left.text)
    if pairs is None:
        return None
    if pairs:
        of_layer = _OF_LAYER.match(right.text, _end_of_size(right.text)) is not None
        return None if of_layer and any(each.layers for each in alike) else found
    if not any(each.halved for each in alike):
        return None
    sign = next(iter(_TIMES.findall(left.text)), "×")
    product = text.partition(left.sign)[0].strip()
    return at, text, "fails", f"2 {sign} {product}", Counterexample((), "1", "2")


def _end_of_size(text: str) -> int:
    match = _PRINTED.match(text) or _PLAIN_BYTES.match(text) or _BARE_UNIT.match(text)
    return match.end() if match else 0


def _has_pairs(product: str) -> bool | None:
    """Whether a product of numbers has a two for K and V besides the bytes of a number; None where 8 may be heads."""
    numbers = [found["number"] for piece in _TIMES.split(product) if (found := _AMOUNT.search(piece.strip()))]
    widths = _WIDTH.findall(product)  # 2 bytes, said to be so
    small = [number for number in numbers if number in ("2", "4", "8")]
    for width in widths:
        if width in small:
            small.remove(width)
    twos = small.count("2")
    if widths:
        return True if twos else None if small else False
    if twos == 1 < len(small):
        return True if numbers[0] == "2" else None
    return bool(small) if not twos else twos > 1


_WIDTH = regex(r"(?<![\d.,])([1248]) ?bytes?\b", re.IGNORECASE)


_COUNTED = regex(r"(?:^|\s)\d+ layers (?:×|\*|\\times) \d[\d,]*\s*$")  # 32 layers × 16,384
_LETTER = regex(r"\s*[A-Z]\s*")
_COUNTS_CACHE = regex(r"\b(?:KV|K/V)[- ]?cache\s*(?:is|are|为|是|=)?\s*[:：]?[\s$`]*\Z", re.IGNORECASE)


def _is_named(left: _Piece, source: str) -> bool:
    """Whether a letter alone is what the words right in front of it count: "stored in the KV cache is: N = …"."""
    before = source[max(left.start - ABOVE, 0) : left.start]
    return _LETTER.fullmatch(left.text) is not None and _COUNTS_CACHE.search(before) is not None


_MARKED = regex(r"(?P<mark>\$\$?|`)\s*(?P<product>[^$`\n]*?)\s*(?P=mark)")
_ALONE = regex(r"^(?P<product>2 ?(?:[*×·] ?[A-Za-z]\w+ ?){3,6})$", re.MULTILINE)
_SPEAKS = regex(r"\bkvcache|\b(?:KV|K/V|key[-–/ ]value)\b|\bcache|缓存", re.IGNORECASE)


def _cut(source: str, start: int, end: int) -> Iterator[_Piece]:
    at = start
    for sign in _ENDS.finditer(source, start, end):
        if sign[0][0] == "$" and not source[at : sign.start()].strip():
            at = sign.end()  # `= $2 …$`: a formula that begins behind the sign
            continue
        yield _Piece(at, source[at : sign.start()], sign[0])
        at = sign.end()
    yield _Piece(at, source[at:end], "")


_Said = tuple[int, str, FormulaVerdict, str | None, Counterexample | None]


def _judge_letters(left: _Piece, right: _Piece, source: str, line: str) -> _Said | None:
    factors = _read(right.text)
    if factors is not None and "byte" in left.text.lower():
        factors = replace(factors, bytes=True)
    near = source[max(left.start - ABOVE, 0) : left.start] + line
    needed = _OF_TOKEN if _PER_TOKEN.search(near) else _NEEDED
    if factors is not None and factors.number == 1 and _is_of_tokens(factors.letters):
        begin = left.start + len(left.text) - len(left.text.lstrip(" \t-*>#"))
        return begin, source[begin : right.start + len(right.text)].rstrip(), "holds", None, None
    if factors is None or not factors.letters:
        return None
    if not _is_whole(factors.letters, needed):
        return _judge_twice(left, right, factors, source)
    if _leaves_out(factors.letters, near, source):
        return None
    at = left.start + len(left.text) - len(left.text.lstrip(" \t-*>#"))
    text = source[at : right.start + len(right.text)].rstrip()
    pairs = factors.number / factors.each  # K and V
    if _may_be_of_queries(factors.letters, source, left.start, line):
        return None
    if pairs == 2 or (factors.number in (4, 8) and factors.bytes and factors.each == 1):
        return at, text, "holds", None, None
    if any(factors.number == 2 * width and words.search(near) for width, words in WIDTHS.items()):
        return None if factors.number == 1 else (at, text, "holds", None, None)  # 2 · ½ is left to the words
    if (
        pairs != 1
        or not factors.bytes
        or factors.each < 1
        or _OF_ONE.search(_PER_TOKEN.sub(" ", line))
        or _SAME.search(source)
    ):
        return None  # a size that is no number of bytes may be that of the keys
    times = next((f" {sign}" for sign in _TIMES.findall(right.text)), "")
    gap = "" if source[right.start - 1] == "$" else " "
    made = f"{source[at : right.start]}{gap}2{times} {right.text.strip()}"
    shown = Counterexample(tuple((letter, "1") for letter in factors.letters), "1", "2")
    return at, text, "fails", made, shown


def _may_be_of_queries(letters: Sequence[str], source: str, start: int, line: str) -> bool:
    """Whether heads are those of the queries, or may be where there are fewer of keys: that is left to the reader."""
    if any(_QUERY_HEADS.fullmatch(letter) for letter in letters):
        return True
    return _has_fewer(source, start, line) and any(
        _ALL_HEADS.fullmatch(letter) or _MODEL_WIDTH.fullmatch(letter) for letter in letters
    )


def _has_fewer(source: str, start: int, line: str) -> bool:
    """Whether the line or the text before it, under the same heading, speaks of fewer heads of keys than of queries,
    and of multi-head attention no more behind that."""
    above = source[max(start - FEWER, 0) : start]
    behind = (_HEADING.split(above)[-1] + line).rpartition("multi-head attention")[-1].rpartition("MHA")[-1]
    return _FEWER_HEADS.search(behind) is not None


def _leaves_out(letters: Sequence[str], near: str, source: str) -> bool:
    """Whether a letter that the article lists is missing, that of the layers or of the heads: of one it holds."""
    has_layers = any(_LAYERS.search(letter) for letter in letters)
    if not has_layers and _LAYERS_LISTED.search(source) and not _ONE_LAYER.search(near):
        return True
    used = {letter.lower() for letter in letters}
    heads, widths = ({x["letter"].lower() for x in each.finditer(source)} for each in (_HEADS_LISTED, _WIDTH_LISTED))
    return bool(heads) and not heads & used and bool(widths & used)


_ONE_LAYER = regex(
    r"per[ -]layer|/ ?layer|\b(?:each|one|a|single) layer|每一?层|單層|单层|層ごと|层당|레이어당", re.IGNORECASE
)
_LISTED = r"(?<![A-Za-z\\])(?P<letter>[A-Za-z]\w{0,5})[`$*]*\s*(?:=|:|：|is|are|为|是|–|—|-)\s*(?:the )?"
_LAYERS_LISTED = regex(_LISTED + r"(?:number of (?:\w+ )?layers|层数|層数)", re.IGNORECASE)
_HEADS_LISTED = regex(_LISTED + r"(?:number of (?:[\w-]+ ){0,2}heads|头数|頭数)", re.IGNORECASE)
_WIDTH_LISTED = regex(
    _LISTED
    + r"(?:(?:width|dimension|size) (?:of|per) (?:a|each|one|the)? ?head|head (?:width|dim\w*|size)|每?个?头的?维度)",
    re.IGNORECASE,
)
_HEADS = regex(r"(?:num_?|n_?)(?:(?:attention|attn|query|q|kv|key_value)_?)?heads?")
_HIDDEN = regex(r"hidden_?(?:size|dim)|d_?model|model_?dim|n_?embd")


def _judge_twice(left: _Piece, right: _Piece, factors: _Factors, source: str) -> _Said | None:
    """A product of the heads and the width of all heads together, which holds them already."""
    wide = [letter for letter in factors.letters if _HIDDEN.fullmatch(letter)]
    heads = [letter for letter in factors.letters if _HEADS.fullmatch(letter)]
    others = [letter for letter in factors.letters if letter not in heads]
    if (
        len(wide) != 1
        or len(heads) != 1
        or right.text.count(wide[0]) != 1
        or not _is_whole(others, _OF_TOKEN + _NEEDED)
    ):
        return None
    at = left.start + len(left.text) - len(left.text.lstrip(" \t-*>#"))
    text = source[at : right.start + len(right.text)].rstrip()
    made = text.replace(wide[0], "head_dim")
    if not _KV_HEADS.fullmatch(heads[0]) and (of_keys := _KV_HEADS.search(source)):
        made = made.replace(heads[0], of_keys[0])  # of grouped queries, whose keys have fewer heads
    return at, text, "fails", made, None


_KV_HEADS = regex(r"(?<![A-Za-z_])(?:num_?|n_?)?(?:kv|key_value)_heads?(?![A-Za-z_])")


_SHARE = regex(r"(?:kv|cache)\w*_per_token|(?:kv|cache)_(?:size_|bytes_)?token", re.IGNORECASE)


def _is_of_tokens(letters: Sequence[str]) -> bool:
    """Whether it is what the cache of one token takes, times as many tokens, and sequences where there are several."""
    others = [kind_of(letter) for letter in letters if not _SHARE.fullmatch(letter)]
    return len(others) == len(letters) - 1 and sorted(others) in (["tokens"], ["batch", "tokens"])


def _is_whole(letters: Sequence[str], sets: Sequence[frozenset[str]]) -> bool:
    """Whether the letters can be what a cache is made of, each once: tokens, heads and their width, layers, batch."""
    roles = [[role for role, pattern in _ROLES if pattern.fullmatch(letter)] for letter in letters]
    for k, letter in enumerate(letters):
        kind = {"tokens": "tokens", "batch": "batch", "heads": "heads"}.get(kind_of(letter))
        if not roles[k] and kind:
            roles[k] = [kind]
    if not all(roles) or len(letters) > 6:
        return False
    for chosen in product(*roles):
        if len(set(chosen)) == len(chosen) and any(needed <= set(chosen) <= needed | _EXTRA for needed in sets):
            return True
    return False


_IN_UNITS = regex(
    r"\s*/\s*\(?\s*(?P<bits>8\s*\*\s*)?"
    r"(?:1e9|1e6|10\s*(?:\*\*|\^)\s*[69]|(?:1024|1000)\s*(?:\*\*|\^)\s*[23])\s*\)?\s*\Z"
)
_BRACKETED = regex(r"\s*\(([^()]*)\)\s*")


def _in_bytes(text: str) -> str:
    """A product without the unit in which it is given, `(2 * L * …) / 1024**3`, and without a remark, 2(K + V)."""
    plain = _IN_UNITS.sub("", _PAIR.sub("2", text))
    bracketed = _BRACKETED.fullmatch(plain)
    return plain if bracketed is None else bracketed[1]


def _read(text: str) -> _Factors | None:
    number, each, letters, counts_bytes = Fraction(1), Fraction(1), list[str](), False
    pieces = _TIMES.split(_in_bytes(text))
    if (unit := _IN_UNITS.search(text)) is not None and unit["bits"]:
        number /= 8
    for piece in pieces if len(pieces) > 1 else text.split():
        word = re.sub(r"\\(?:text|math)\w*|\\[,; ]|[{}\\~]", "", piece).strip(" \n.,()").lower()
        coefficient = _COEFFICIENT.fullmatch(word)
        if coefficient is not None:
            number *= int(coefficient[1])
            word = coefficient[2]
        word = word.replace("kv-", "kv_")
        amount = _AMOUNT.fullmatch(word)
        if amount is not None:
            number *= Fraction(amount["number"].replace(",", ""))
            if "byte" in word or amount["number"] == "0.5":  # of four bits, where nothing else is half of a cache
                counts_bytes, each = True, Fraction(amount["number"].replace(",", ""))
        elif _BYTES.search(word.replace(" ", "").replace("_", "")):
            if counts_bytes or any(c.isdigit() for c in word):
                return None
            counts_bytes = True
        else:
            letters += (
                word.replace(" per ", "_per_").split()
                if all(len(w) < 7 for w in word.split())
                else [word.replace(" ", "_")]
            )
    return _Factors(number, tuple(letters), counts_bytes, each)


def _judge_numbers(left: _Piece, right: _Piece, source: str) -> _Said | None:
    """Whether a product of numbers is so many kilobytes, megabytes, ..., of 1000 or of 1024."""
    begin = _WORDS.match(left.text)
    assert begin is not None
    own = left.text[begin.end() :]
    factors = _read(own)
    match = _PRINTED.match(right.text) or _PLAIN_BYTES.match(right.text)
    if match is None and factors is not None and factors.bytes:
        match = _BARE_UNIT.match(right.text)
    if factors is None or match is None or factors.letters or factors.number < 1000:
        return None
    at = left.start + begin.end()
    text = own + left.sign + right.text[: match.end()]
    power, value = _UNITS[match["unit"]], Fraction(match["value"].replace(",", ""))
    if not power and factors.number != value:
        return None  # bytes are printed in full: another number counts something else, or is a slip that others judge
    places = len(match["value"].partition(".")[2])
    slack = max(Fraction(1, 10**places), value / 50)
    units = [Fraction(1000) ** k * 1024 ** (power - k) for k in range(power + 1)]
    off = min(abs(factors.number / unit - value) for unit in units)
    if off <= slack:
        near = left.sign != "=" or off <= Fraction(1, 10**places)
        return (at, text, "holds", None, None) if near else None  # its number may be called wrong
    others = [Fraction(2) ** k * Fraction(1000) ** j for k in range(-6, 7) for j in range(-4, 5)]
    if any(abs(factors.number * other / unit - value) <= slack for unit in units for other in others):
        return None  # a factor that is not written, two bytes for one, or that counts thousands
    around = source[max(at - ABOVE, 0) : at] + " " + source[right.start + match.end() :][:ABOVE]
    if any(abs(factors.number * x / unit - value) <= slack for unit in units for x in unwritten_factors(around)):
        return None
    printed = spell_decimal(factors.number / units[-1], max(places, 1))
    made = text[: len(text) - len(match[0])] + match[0].replace(match["value"], printed, 1)
    return at, text, "fails", made, Counterexample((), match["value"], printed)


def spell_decimal(value: Fraction, places: int) -> str:
    """A fraction rounded to so many places."""
    scaled = round(value * 10**places)
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)
