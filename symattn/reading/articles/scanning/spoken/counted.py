"""Products of counted things, `50 replicas x 4 GPUs/replica = 200 GPUs`, as products of numbers.

Only where a line, or what stands behind a colon or an equals sign, is nothing but numbers, what they count, and signs
between them: words of a sentence may belong to a number in another way, "for token 3 weights × 2".
"""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_NUMBER = r"\d[\d_]*(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?(?:[KMBGT](?![A-Za-z]))?"
_SCALES = (  # words that are no nouns, or that multiply in one of several languages
    r"(?:(?:[kKMGTP]i?B|[Bb]ytes?|bits?|percent|per|of|and|or|to|in|x"
    r"|vs|versus|than|against|compared|instead|with|from|at|by|if|but|while|is|are|was|becomes?|gives?|yields?)\b"
    r"|(?i:hundred|thousand|dozen|tausend|[mbtr]+illi(?:on|ard)|millone?s|mili(?:on|ard)|milh|mil\b|miles\b|mila\b"
    r"|mi?o\b|mrd|mld\b|mia\b|bn\b|mn\b))"
)
_WORD = (
    rf"(?!{_SCALES})(?:[A-Za-z]*[a-z]{{2}}[A-Za-z]*(?:_[A-Za-z]+)*|[A-Z]{{3,}}s?|KV|[A-Z]{{1,2}}\d{{2,}})(?:-[A-Za-z]+)*"
    r"(?![\w(\[^'′.])"
)
_WORTH = (
    r"(?i:squar|cube|twice|thrice|doubl|tripl|half|halv|inverse|power|percent|dozen|hundred|thousand|[mbtr]+illion)"
)
# (K and V), (bf16), and no sum or product of letters: 2(m + n) × 3
_REMARK = (
    rf"\((?!(?:\w+ ){{0,2}}{_WORTH})"
    r"(?:[Kk](?:eys?)? ?\+ ?[Vv](?:alues?)?|[A-Za-z](?=\w\w|,|/| ?&| and )[\w ,&]{0,20})\)"
)
_NOUNS = rf"(?:\s|-)(?={_WORD})(?:{_WORD}\s?){{1,3}}(?<!\s)"
_TIME = r"(?:\s?(?:ms|µs|μs|us|ns)\b)"
_UNIT = (
    rf"{_TIME}?(?:{_NOUNS})?(?:\s(?:per|pro|par|por)\s[A-Za-z]{{2,12}})?"
    rf"(?:/[A-Za-z]+)*(?:\s?(?![百千万萬亿億兆倍])[\u4e00-\u9fff]{{1,4}})?(?:\s?{_REMARK})?"
)
_TERM = rf"(?P<{{0}}m>\$?)(?P<{{0}}n>{_NUMBER}(?:\s?[kKMGTP]i?B\b|\s[Bb]ytes?\b)?)(?P<{{0}}u>{_UNIT})"
_ONE = regex(_TERM.replace("{0}", ""))
_TERM_PLAIN = _TERM.replace("?P<{0}m>", "?:").replace("?P<{0}n>", "?:").replace("?P<{0}u>", "?:")
_ALIKE = regex(  # 312T / 2T, of so many each
    r"(?<![\w.,])\d+(?:\.\d+)?(?P<above>[KMGTP])\s?[/÷]\s?\d+(?:\.\d+)?(?P<below>(?P=above))(?=\s*[=≈])"
)
_PREFIXED = regex(r"\d\s?([kKMGTPE])(?:FLOP|MAC|OP|Hz|[Bb]it|[Bb]yte)")
_SIGN = r"(?:\s*[×*·]\s*|\s+x\s+|\s+[/÷]\s+)"
_PRODUCT = regex(
    rf"(?:^[\s>]*(?:[-*+•]\s+)?|(?<=[:：=≈(（,，])\s*~?)(?P<product>{_TERM_PLAIN}(?:{_SIGN}{_TERM_PLAIN})+)"
    rf"(?=\s*(?:$|[，。；、;]|,\s|←)|(?P<result>\s*(?:=|≈|~=|≃)\s*~?{_TERM_PLAIN})(?!\s*[-+×*·/÷=≈]))"
)


def without_counted_things(line: Located) -> Located:
    """A line without what the factors of a product and its result count, and without the sign of money.

    >>> without_counted_things(Located.whole("50 replicas x 4 GPUs/replica = 200 GPUs")).text
    '50 x 4 = 200'
    >>> without_counted_things(Located.whole("- RNN: 1024 steps × 2ms per step = 2048 ms")).text
    '- RNN: 1024 × 2 = 2048'
    >>> without_counted_things(Located.whole("for token 3 weights × 2 = 6")).text
    'for token 3 weights × 2 = 6'
    """
    if not any(sign in line.text for sign in "×*·x/÷"):
        return line
    line = line.without(m.span(k) for m in _ALIKE.finditer(line.text) for k in ("above", "below"))
    spans: list[tuple[int, int]] = []
    for found in _PRODUCT.finditer(line.text):
        times = [set(re.findall(rf"\d({_TIME})", found[part] or "")) for part in ("product", "result")]
        if {x.strip() for x in times[0]} != {x.strip() for x in times[1]}:
            continue  # 1000 steps × 1 ms = 1 s
        if len(set(_PREFIXED.findall(found[0]))) > 1:
            continue  # 22.75 GFLOPS / 65 TFLOPS
        for start, end in (found.span("product"), found.span("result")):
            for term in _ONE.finditer(line.text, max(start, 0), max(end, 0)):
                spans += [term.span("m"), term.span("u")]
    return line.without((a, b) for a, b in spans if a < b)


_AGAIN = regex(  # = 4096 bytes (4 KB)
    r"(?<=[=≈]\s)(?P<bytes>\d[\d,]*)\s?(?:[Bb]ytes?|[Bb]|字节|字節|バイト|바이트|octets)(?P<opening>\s?[(（]\s?)[≈~≃=约約]?\s?"
    r"(?P<again>\d+(?:\.\d+)?\s?[KMGT]i?B)(?P<closing>\s?[)）])"
)


def with_bytes_again(line: Located) -> Located:
    """The line with an amount of bytes that brackets say again in a larger unit as an equation of both.

    >>> with_bytes_again(Located.whole("2 × 2048 = 4096 bytes (4 KB)")).text
    '2 × 2048 = 4096 bytes ≈ 4 KB'
    """

    def said_twice(match: re.Match[str]) -> tuple[tuple[int, int], Located]:
        sign = Located.inserted(" bytes ≈ ", line.span(*match.span("opening"))[0])
        return (match.end("bytes"), match.end()), join([sign, line.cut(*match.span("again"))])

    return line.replaced(map(said_twice, _AGAIN.finditer(line.text) if "B" in line.text else ()))


_LARGER_UNIT = regex(r"\d(?:\s|~|\\[ ,;:])?(?:\\(?:text|mathrm)\{ ?)?[KMGT]i?B\b")
_BYTES = regex(  # not of 70B or 4.2 B, which are billions
    r"(?:\d{4,}|\d(?:,|_|\{,\})\d{3}|(?:10\^9|10⁹) [×*·] [1248](?= B =)|[×*·] [1248](?= B = \d{1,3}(?:,\d{3})+ B\b))"
    r"(?:(?:\s|~|\\[ ,;:])(?P<plain>B)|\s?\\(?:text|mathrm)\{ ?(?P<set>B)(?=\}))(?=[\s})\]=≈×*÷/,.;，。；]|$)"
)


def with_bytes_spelled_out(line: Located) -> Located:
    """The line with `bytes` for the B behind a number of thousands, where a larger unit of bytes stands on it as well.

    >>> with_bytes_spelled_out(Located.whole("4,096 × 114,688 B = 469.8 MB")).text
    '4,096 × 114,688 bytes = 469.8 MB'
    >>> with_bytes_spelled_out(Located.whole("4.2 B × 2 bytes = 8.4 GB")).text
    '4.2 B × 2 bytes = 8.4 GB'
    """
    if _LARGER_UNIT.search(line.text) is None:
        return line

    def spelled(match: re.Match[str]) -> tuple[tuple[int, int], Located]:
        start, end = match.span("plain" if match["plain"] else "set")
        return (start, end), Located.inserted("bytes", line.span(start, end)[0])

    return line.replaced(map(spelled, _BYTES.finditer(line.text)))
