"""Softmax of scores that stand above it one to a line: "q·k₁ = 0.5 (The)", "q·k₂ = 1.5 (cat)", "Softmax: [0.27, 0.73]".

The lines are scores because they say so, each or the line above them, and there are as many as weights. The weights
are right, or have the order of the scores and add up to 1, and are not the softmax of these divided by a root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symattn.checking.expected.applied import Bare, applied_to, is_of_scaled, says_otherwise
from symattn.checking.expected.inputs import find_temperature
from symattn.checking.expected.sources import Where
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, try_define
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.vocabulary import AFTER, AFTERWARDS
from symattn.values.printed import sums_to_one

_FEWEST = 3
_NEAR = 6  # lines between two lists
_MOST = 12  # lines of scores
_LINE = regex(
    r"[ \t>]*(?:[-*•]|\d{1,2}[.)])?[ \t]*(?P<label>\S[^\n]{0,80}?)[ \t]*[:：=≈][ \t`$*]*"
    r"(?P<number>[-−]?\d+(?:\.\d+)?|[-−](?:inf(?:inity)?|∞))[`$* \t]*(?:[(（←#✓✗⭐,;][^\n]*)?"
)
_OF_SCORES = regex(
    r"scores?\b|logits?\b|dot products?|similarit|punteggi|puntuaci|pontua|оценк|点积|得分|分数|相似"
    r"|[^\W\d_]\w*[\"”')]{0,2}\s?[·⋅∙×@]\s?\(?[^\W\d_]",
    re.IGNORECASE,
)
_SOFTMAX = regex(
    rf"\W*(?:\d{{1,2}}[.)]\W*)?(?:(?:{AFTER}|apply|applying|the|il|le|la|dem) )*(?:attention )?softmax"
    rf"(?: gives| output| result| weights| probabilities| scores| attention weights| ?{AFTERWARDS})*\W*",
    re.IGNORECASE,
)
_WEIGHTS = regex(r"\W*(?:the )?(?:attention )?(?:weights|probabilities)\W*", re.IGNORECASE)
_EXAMPLES = regex(r"assum|suppos|hypothet|imagin|假设|假定", re.IGNORECASE)
_FENCE = regex(r"[ \t>]*(?:`{3,}|~{3,})[^\n`]*")
_LETTER = regex(r"[^\W\d_]")


def softmax_of_lines(where: Where, line: int, printed: Printed, environment: Environment) -> Definition | None:
    """The softmax of the scores in the lines right above a list that words call that."""
    count = printed.shape[1]
    above, label = where.above, where.label
    if printed.shape[0] != 1 or not _FEWEST <= count <= _MOST:
        return None
    words = next(_lines_above(above), "")
    if _SOFTMAX.fullmatch(words):  # in a line of their own: "After softmax:"
        above = above[: above.rindex(words)] + "\n"
        label = words if _WEIGHTS.fullmatch(label) else label
    scores = _scores_above(above, count, line) if _SOFTMAX.fullmatch(label) else None
    if scores is None or says_otherwise(where.after.partition("\n")[0]) or find_temperature(environment) is not None:
        return None
    definition = try_define(f.Call("softmax", (scores.expression,)), environment)
    shares = printed.as_prints()
    if definition is None or shares is None or not sums_to_one(shares, 0):
        return None
    found = applied_to(scores, where, line, printed, environment)
    if found is not None or is_of_scaled(scores, printed, environment):
        return found
    listed = [
        text for text in above.split("\n")[-2 * count - _NEAR :] if _LINE.fullmatch(text) and _LETTER.search(text)
    ]
    alone = "[" not in where.after.partition("\n")[0] and len(listed) == count  # else of one of two queries
    return definition if alone and _same_order(scores.expression, printed) else None


def _scores_above(above: str, count: int, line: int) -> Bare | None:
    """The numbers of just so many lines right above, if the lines or the words over them call them scores."""
    found: list[re.Match[str]] = []
    head = ""
    for text in _lines_above(above):
        if (match := _LINE.fullmatch(text)) is None or _LETTER.search(match["label"]) is None:
            head = text
            break
        found.append(match)
        if len(found) > count:
            return None
    if len(found) != count:
        return None
    labels = [match["label"] for match in found]
    if not (_OF_SCORES.search(head) or all(map(_OF_SCORES.search, labels))):
        return None
    if any(says_otherwise(words) or _EXAMPLES.search(words) for words in (head, *labels)):
        return None
    numbers = tuple(_number(match["number"]) for match in reversed(found))
    return Bare(f.Matrix((numbers,)), "scores", line)


def _lines_above(above: str) -> Iterator[str]:
    """The lines above the one in which a list stands, upwards, without those that are empty or only marks."""
    for line in reversed(above.split("\n")[:-1]):
        text = line.strip("│┃ \t")  # the sides of a drawn box
        if text.strip() and not _FENCE.fullmatch(text):
            yield text


def _number(text: str) -> f.Expression:
    plain = text.replace("−", "-")
    if plain[1:2] in ("i", "∞"):
        return f.Infinity(-1)
    digits = len(plain.partition(".")[2])
    return f.Number(plain, Fraction(plain), Fraction(1, 10**digits))


def _same_order(scores: f.Expression, printed: Printed) -> bool:
    """Whether what is larger has the larger weight, what is as large the same one, and what is masked none."""
    assert isinstance(scores, f.Matrix)
    pairs = [
        (cell.value if isinstance(cell, f.Number) else None, weight)
        for cell, weight in zip(scores.rows[0], printed.values[0], strict=True)
    ]
    masked = all((score is None) <= (weight == 0) for score, weight in pairs)
    known = [(score, weight) for score, weight in pairs if score is not None and weight is not None]
    return masked and all((s < t) == (v < w) for s, v in known for t, w in known)
