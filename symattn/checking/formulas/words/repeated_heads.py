"""Arrays whose heads are repeated: of [5, 4, 128] repeat_interleave(8) makes [5, 32, 128]."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_NAME = r"[A-Za-z][\w.']{0,30}"
_ARROW = r"\s*(?:→|->|-->|=>|⟶)\s*"
_REPEATED = regex(
    rf"{_NAME}\s*[\[(](?P<before>\d+(?:\s*,\s*\d+)+)[\])]{_ARROW}(?:{_NAME}\.)?repeat_interleave\("
    rf"(?P<times>\d+)(?:,\s*(?:dim\s*=\s*)?(?P<axis>-?\d+))?\){_ARROW}"
    rf"(?:{_NAME}\s*)?[\[(](?P<after>\d+(?:\s*,\s*\d+)+)[\])]"
)


def judge_repeated(context: Context) -> Iterator[Formula]:
    """Shapes in front of such a call and behind it: one axis is so many times as long, all others are as before."""
    for found in _REPEATED.finditer(context.article.words):
        before, after = ([int(size) for size in found[key].split(",")] for key in ("before", "after"))
        times, theorem = int(found["times"]), Sentence("shapes_repeated")
        if len(before) != len(after):
            continue
        axis = int(found["axis"]) if found["axis"] else None
        if axis is not None and not -len(before) <= axis < len(before):
            continue
        axes = range(len(before)) if axis is None else [axis % len(before)]
        if any(after == [size * (times if k == one else 1) for k, size in enumerate(before)] for one in axes):
            yield conclude_in_words(context, found.span(), "holds", theorem)
            continue
        longer = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        right = None
        if len(longer) == 1 and longer[0][1] % longer[0][0] == 0:
            right = with_group(found, "times", str(longer[0][1] // longer[0][0]))
        yield conclude_in_words(context, found.span(), "fails", theorem, right)
