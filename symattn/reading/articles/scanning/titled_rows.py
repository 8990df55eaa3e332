"""Matrices that stand as rows with a word before each, below a line that says what they are.

    Q (one row for each token):         Q·Kᵀ:
      cat: [1, 0]                              cat   dog
      dog: [0, 2]                       cat:  [1.0  0.0]
                                        dog:  [0.0  4.0]

A title is a name or a product of names. Below other words rows are only taken together whose words stand above another
matrix, too: the tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_NAME = r"[A-Z](?:_\{?\w{1,3}\}?|[qkvo0-9₀-₉])?"
_TURNED = r"(?:ᵀ|\^T|\^⊤|\^\{T\}|\.T)"
_PRODUCT = rf"{_NAME}{_TURNED}?(?:\s*[·×@*⋅]\s*{_NAME}{_TURNED}?){{0,2}}|{_NAME}{_NAME}{_TURNED}"
_TITLE = regex(
    rf"[\s>*#]*(?:[^\W\d][^=\[\]:：(（]{{0,60}}?\s)?(?P<name>(?:{_PRODUCT})(?:\s*/\s*√\(?d_?k?\)?)?)"
    r"\s*(?:[(（][^()（）\[\]]{0,80}[)）])?\s*[:：]\s*\**\s*"
)
_WORDS = regex(r"[\s>*#]*[^\W\d][^=\[\]]{0,100}[:：]\s*\**\s*")
_LABELLED = regex(
    r"(?P<indent>\s*)(?P<label>[^\W\d][^\s\d|\[\]=:：>→≈(]{1,30}|[\"'“][^\s\"'”]{1,30}[\"'”])\s*[:：]\s*\["
)
_STEPS = regex(
    r"quer|keys?$|val|score|weight|output|input|mean|logit|prob|mask|bias|head|token|sum|exp|softmax|result"
    r"|[分权權概機输輸结結掩]|スコア|重み|確率|出力|점수|가중치|확률|출력|punt(?:ua|e)|pesos?$|pesi$|poids|gewicht|wahrsch"
    r"|ausgabe|sortie|salida|saída|оценк|веса|вероятн|выход",
    re.I,
)
_BETWEEN = 2  # lines between a title and its rows, one of them perhaps the heads of the columns


def label_of(text: str) -> str | None:
    """The word before a row, if it says which token's it is rather than which step of the calculation."""
    match = _LABELLED.match(text)
    return None if match is None or _STEPS.search(match["label"]) else match["label"].strip("\"'“”")


def title_of(lines: Sequence[Located], first: int) -> Located | None:
    """What the line above calls the matrix whose rows begin at a line: a name, or a product of names."""
    above = _above(lines, first)
    match = _TITLE.fullmatch(above.text) if above is not None else None
    return None if above is None or match is None else above.cut(match.start("name"), match.end("name"))


def is_below_words(lines: Sequence[Located], first: int, labels: Sequence[str]) -> bool:
    """Whether words stand above rows, and the labels of these above another matrix or above their columns."""
    above = _above(lines, first)
    if above is None or _WORDS.fullmatch(above.text) is None:
        return False
    run = 0
    for k, line in enumerate(lines):
        if line.text.split() == list(labels):
            return True
        run = run + 1 if k < first and run < len(labels) and label_of(line.text) == labels[run] else 0
        if run == len(labels):
            return True
    return False


def _above(lines: Sequence[Located], first: int) -> Located | None:
    """The line that ends in a colon above rows; the heads of columns and a blank line may stand between."""
    for k in range(first - 1, max(first - 2 - _BETWEEN, -1), -1):
        text = lines[k].text
        if text.rstrip(" *").endswith((":", "：")):
            return lines[k]
        if text.strip() and len(text.split()) < 2:
            return None
    return None
