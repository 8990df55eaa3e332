"""How many bytes a matrix of so many numbers takes, in a sentence: 862 × 862 in float32 is 2.97 MB, or 2.83 MiB."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import prod

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.caches import spell_decimal
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.checking.unwritten import unwritten_factors
from symattn.patterns import regex
from symattn.values.spelling import PREFIXES
from symattn.writing.prose import Sentence

NEAR = 60  # characters behind a shape in which its bytes stand
AROUND = 120  # that may hold another factor

_TIMES = r"\s*(?:\\times|×|(?<=\d )x(?= \d))\s*"
_SHAPE = regex(rf"(?<![\d.,×x])(?P<sizes>\d{{2,6}}(?:{_TIMES}\d{{2,6}})+)(?!\s*(?:\\times|×|\d))")
_BYTES = regex(r"(?<![\w.])(?P<value>\d+(?:\.\d+)?)\s*(?:\\,|~)?\s*(?P<unit>[KMGT])i?B\b(?!/)")
_WIDTHS = tuple(
    (width, regex(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z0-9])|{other}", re.IGNORECASE))
    for width, words, other in (
        (4, "float ?32|fp ?32|single precision|int ?32|4[- ]bytes?", "单精度|單精度|単精度"),
        (2, "float ?16|fp ?16|bf ?16|bfloat ?16|half precision|2[- ]bytes?", "半精度"),
        (8, "float ?64|fp ?64|double precision|8[- ]bytes?", "双精度|雙精度|倍精度"),
        (1, "u?int ?8|fp ?8|1[- ]byte", "8 ?位整数"),
    )
)
# nothing else may be what takes the memory: no "inputs, and the model needs …"
_BETWEEN = regex(
    r"(?:[\s$})\](\[,，、:：~≈*`]|\\(?:approx|text|mathrm)|\b(?:in|of|at|with|an?|the|matri(?:x|ces)|attention|scores?|tensors?|weights?"
    r"|numbers|entries|elements|values|floats|takes?|needs?|requires?|occup(?:y|ies)|uses?|costs?|is|are|about|roughly"
    r"|approximately|around|only|already|memory|storage|alone|precision)\b"
    r"|用|以|在|下|存储|儲存|保存|占用|占(?!用)|需要|需(?!要)|要|约|約|大约|大約|为|為|是|的|矩阵|矩陣|张量|注意力|得分|分数|内存|显存|共|就"
    r"|行列|メモリ|必要|は|で|に|が|を|저장|약|행렬|메모리|에|은|는|이|가|를|을)*"
)


def judge_memory_in_words(context: Context) -> Iterator[Formula]:
    """Shapes in numbers with an amount of memory behind them, where one width of a number is named."""
    source = context.article.words
    for shape in _SHAPE.finditer(source):
        printed = _BYTES.search(source, shape.end(), shape.end() + NEAR)
        if printed is None or _BETWEEN.fullmatch(_without_widths(source[shape.end() : printed.start()])) is None:
            continue
        around = source[max(shape.start() - NEAR, 0) : printed.end() + NEAR].partition("\n\n")[0]
        widths = [width for width, words in _WIDTHS if words.search(around)]
        if len(widths) == 1:
            sizes = [int(size) for size in re.findall(r"\d+", shape["sizes"])]
            yield from _judge(context, shape, printed, prod(sizes) * widths[0])


def _without_widths(text: str) -> str:
    for _, words in _WIDTHS:
        text = words.sub(" ", text)
    return text


def _judge(context: Context, shape: re.Match[str], printed: re.Match[str], count: int) -> Iterator[Formula]:
    """Right in units of 1000 or of 1024; false only where no factor that may be left out explains it."""
    source = context.article.words
    value, power = Fraction(printed["value"]), PREFIXES[printed["unit"]]
    places = len(printed["value"].partition(".")[2])
    slack = max(Fraction(1, 10**places), value / 50)
    units = [Fraction(1000) ** k * 1024 ** (power - k) for k in range(power + 1)]
    line = source.rfind("\n", 0, shape.start()) + 1
    inside = source.count("$", line, shape.start()) % 2 == 1
    span = (source.rfind("$", line, shape.start()) if inside else shape.start(), printed.end())
    theorem = Sentence("words_memory", count=f"{count:,}")
    if any(abs(count / unit - value) <= slack for unit in units):
        yield conclude_in_words(context, span, "holds", theorem)
        return
    near = source[max(span[0] - AROUND, 0) : span[0]] + " " + source[span[1] : span[1] + AROUND]
    doubled = [Fraction(2) ** k for k in range(-8, 9) if k]
    if any(abs(count * x / unit - value) <= slack for unit in units for x in (*doubled, *unwritten_factors(near))):
        return
    right = spell_decimal(count / units[-1], max(places, 1))
    text = source[span[0] : printed.start("value")] + right + source[printed.end("value") : span[1]]
    shown = Counterexample((), printed["value"], right)
    yield conclude_in_words(context, span, "fails", theorem, text, shown)
