"""Online softmax as lines of a program: what was summed is rescaled by exp(m − m_new), and the block's own is added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.names import NAME, role_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_LIB = r"(?:torch|np|jnp|tl|math)\."
_LAST = r"(?:dim|axis)\s?=\s?-?1(?:,\s?keepdims?\s?=\s?True)?"
_MAXIMUM = regex(
    rf"(?P<new>{NAME})[ \t]*=[ \t]*{_LIB}maximum\((?P<old>{NAME}),\s?(?:(?P<scores>{NAME})\.max\({_LAST}\)(?:\.values)?"
    rf"|{_LIB}max\((?P<scores2>{NAME}),[^()\n]*\)(?:\.values)?)\)"
)
_POWERS = regex(rf"(?P<p>{NAME})[ \t]*=[ \t]*{_LIB}exp\((?P<scores>{NAME}) - (?P<max>{NAME})(?:\[[^\]\n]*\])?\)")
_FACTOR = rf"{_LIB}exp\((?P<a>{NAME}) - (?P<b>{NAME})\)"
_SECOND = _FACTOR.replace("<a>", "<a2>").replace("<b>", "<b2>")
_SUM = regex(
    rf"^[ \t]*(?P<line>(?P<new>{NAME})[ \t]*=[ \t]*(?:(?P<l>{NAME}) \* {_FACTOR}|{_SECOND} \* (?P<l2>{NAME}))"
    rf" \+ (?P<p>{NAME})\.sum\({_LAST}\))",
    re.MULTILINE,
)
_DIVIDED = regex(
    rf"^[ \t]*(?P<line>(?P<o>{NAME})[ \t]*=[ \t]*(?P=o) \* \((?P<l>{NAME}) \* {_FACTOR} / (?P<new>{NAME})\)"
    rf" \+ \((?P<p>{NAME}) / (?P=new)\) @ (?P<v>{NAME}))",
    re.MULTILINE,
)
_UNDIVIDED = regex(
    rf"^[ \t]*(?P<line>(?P<o>{NAME})[ \t]*=[ \t]*(?P=o) \* {_FACTOR} \+ (?P<p>{NAME}) @ (?P<v>{NAME}))", re.MULTILINE
)


@dataclass(frozen=True)
class _Block:
    """The maximum before and after a block, and the exponentials below the new one."""

    old: str
    new: str
    powers: str

    def rescales(self, found: re.Match[str], a: str = "a", b: str = "b") -> bool | None:
        """Whether exp(old − new) is the factor; None of other names."""
        names = (found[a], found[b])
        return True if names == (self.old, self.new) else False if names == (self.new, self.old) else None


def judge_blocks(context: Context) -> Iterator[Formula]:
    """The sum and the output of a program that goes on block by block."""
    source = context.article.words
    block = _read(source)
    if block is None:
        return
    sums: dict[str, str] = {}
    for found in _SUM.finditer(source):
        first = bool(found["l"])
        sums[found["new"]] = found["l"] or found["l2"]
        if found["p"] == block.powers:
            yield from _say(context, found, block.rescales(found, *(("a", "b") if first else ("a2", "b2"))))
    for found in _DIVIDED.finditer(source):
        if _goes_on(found, block, sums) and sums.get(found["new"]) == found["l"]:
            yield from _say(context, found, block.rescales(found))
    for found in _UNDIVIDED.finditer(source):
        if _goes_on(found, block, sums):
            yield from _say(context, found, block.rescales(found))


def _read(source: str) -> _Block | None:
    """The one block whose new maximum and exponentials are of the same scores."""
    made = [(x["old"], x["new"], x["scores"] or x["scores2"]) for x in _MAXIMUM.finditer(source)]
    for old, new, scores in made:
        powers = [x["p"] for x in _POWERS.finditer(source) if x["scores"] == scores and x["max"] == new]
        if len(powers) == 1 and len(made) == 1:
            return _Block(old, new, powers[0])
    return None


def _goes_on(found: re.Match[str], block: _Block, sums: Mapping[str, str]) -> bool:
    return found["p"] == block.powers and role_of(found["v"]) == "v" and bool(sums)


def _say(context: Context, found: re.Match[str], right: bool | None) -> Iterator[Formula]:
    if right is not None:
        theorem = Sentence("words_code_block")
        yield conclude_in_words(context, found.span("line"), "holds" if right else "fails", theorem)
