"""What a cost is said to be of: the words around it in its clause or sentence, or the heads of its row and column.

A label is plain where it is made of words for layers and costs alone. Any other word, `per token`, `sparse`, `not`, may
say that something else is counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symattn.patterns import regex

MOST = 200  # characters of a sentence
_RULE = regex(r"[\s|:-]+")
_SENTENCE = regex(r"[.。;；!?！？]\s|[。；！？]|\n\s*\n|\n\s*(?:[-*+•]|\d+[.)])\s|^#+ .*\n", re.MULTILINE)
_CLAUSE = regex(r"[,，、(（]\s?|\b(?:and|but|while|whereas)\b|而|但")
_CLAUSE_END = regex(r"[,，、.。;；:：()（）|\n]|\b(?:and|but|while|whereas)\b|而|但|$")
_PHRASES = (
    r"per layer|each layer|softmax[- ]attention|multi-?head|dot[- ]product|sequence length|layer type|big-?o"
    r"|sequential operations?|(?:maximum )?path length|in total|in all"
)
_WORDS = (
    r"the|a|an|of|is|are|was|it|its|this|that|for|to|in|on|with|at|and|or|as|by|from|has|have|about|roughly|which|while"
    r"|layers?|operations?|ops|matrix|matrices|multiplications?|matmul|products?|comput\w+|complexit(?:y|ies)|costs?"
    r"|times?|memory|space|usage|takes?|taking|requires?|needs?|total|overall|standard|vanilla|full|classical|original"
    r"|naive|regular|traditional|typical|usual|mechanisms?|sequential|maximum|path|type|reduces?|reducing|reduced"
    r"|quadratic|scales?|grows?|therefore|thus|so|becomes?|self|scaled|flops?|macs?|batch"
    r"|le|la|les|de|du|des|el|los|las|del|der|die|das|ist|est|es|coût|coste|kosten|complejidad|complexité|komplexität"
)
_HAN = (
    r"时间|空间|计算|複雜度|复杂度|计算量|運算量|运算量|开销|代价|成本|内存|显存|占用|标准|普通|传统|原始|机制|每一?层|各层|一层"
    r"|层|需要|需|其|该|这|约|大约|为|是|的|从|降低?到?|降至|到|至|和|与|总|整体|有|了|在|而|消耗|浮点|次数|操作|乘法|类型"
    r"|序列长度|計算量|時間|メモリ|は|の|が|を|に"
)
_KNOWN = regex(rf"(?<![^\W\d_])(?:{_PHRASES}|{_WORDS})(?![^\W\d_])|{_HAN}", re.IGNORECASE)
_FORMULA = regex(r"\$[^$\n]*\$|`[^`\n]*`|\bO\([^()\n]*\)")


@dataclass(frozen=True)
class Label:
    """The words of the clause or row itself, those of its sentence before it, what follows, and the column's head."""

    own: str
    sentence: str
    after: str = ""
    column: str = ""

    def is_plain(self, names: re.Pattern[str]) -> bool:
        """Whether all words are known, or among the names of what is counted."""
        words = f"{self.column} {self.sentence} {self.after}"
        left = _KNOWN.sub(" ", names.sub(" ", _FORMULA.sub(" ", words)))
        return re.search(r"[^\W\d_]{2}|[\u4e00-\u9fff?？]", left) is None


def label_of(source: str, start: int, end: int) -> Label:
    """What stands around a place of the text, or at the head of its row and of its column."""
    line_start = source.rfind("\n", 0, start) + 1
    line = source[line_start : (source + "\n").find("\n", start)]
    if line.lstrip().startswith("|") and line.count("|") > 2:
        cells = _cells(line)
        column = len(_cells(source[line_start:start] + "|")) - 1
        head = _head_above(source[:line_start].split("\n")[:-1])
        return Label(cells[0], cells[0], "", head[column] if 0 < column < len(head) else "")
    sentence = _SENTENCE.split(source[max(start - MOST, 0) : start])[-1]
    after = _CLAUSE_END.split(source[end : end + MOST], maxsplit=1)[0]
    return Label(_CLAUSE.split(sentence)[-1], sentence, after)


def _cells(line: str) -> Sequence[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))]


def _head_above(lines: Sequence[str]) -> Sequence[str]:
    """The head of the table whose rows these lines end with."""
    rows: list[str] = []
    for line in reversed(lines):
        if "|" not in line:
            break
        rows.append(line)
    return _cells(rows[-1]) if len(rows) > 1 and _RULE.fullmatch(rows[-2]) else []
