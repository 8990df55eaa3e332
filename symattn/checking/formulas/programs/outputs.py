"""Outputs and heads of a program: `out = attn @ v  # (B, H, T, dh)`, `z.transpose(1, 2).reshape(B, T, H * dh)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.names import NAME, is_width, role_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_SHAPE = r"[\[(](?P<{0}>[\w ]{{1,20}}(?:,[\w ]{{1,20}}){{1,4}})[\])]"
_OUTPUT = regex(
    rf"^[ \t]*(?P<line>(?:return[ \t]+|{NAME}[ \t]*=[ \t]*)(?P<weights>{NAME})[ \t]*@[ \t]*(?P<values>{NAME}))"
    rf"[ \t]*#[ \t]*{_SHAPE.format('shape')}",
    re.MULTILINE,
)
_MERGE = regex(
    rf"^[ \t]*(?P<line>(?:return[ \t]+|{NAME}[ \t]*=[ \t]*){NAME}"
    r"\.(?:transpose\((?:1,\s?2|0,\s?2,\s?1,\s?3)\)|permute\(0,\s?2,\s?1,\s?3\))(?:\.contiguous\(\))?"
    r"\.(?:reshape|view)\((?P<batch>[\w.]+),\s?(?P<tokens>[\w.]+),\s?(?P<first>[\w.]+)\s?\*\s?(?P<second>[\w.]+)\))",
    re.MULTILINE,
)
_HEADS = regex(r"(?:self\.)?(?:h|nh|n_?heads?|num_?heads?|heads|nb_tetes)", re.IGNORECASE)
_MERGES = regex(r"def \w*(?:merge|combine|concat|join|fusion|unsplit)\w*|concat|拼接|合并|merge", re.IGNORECASE)
NEAR = 400


def judge_outputs(context: Context) -> Iterator[Formula]:
    """Weights times values have the rows of the weights, and the merged heads stand beside one another."""
    source = context.article.words
    for found in _OUTPUT.finditer(source):
        if role_of(found["weights"]) != "weights" or role_of(found["values"]) != "v":
            continue
        weights = _shape_beside(found["weights"], source, found.start())
        if weights is None:
            continue
        made = _axes(found["shape"])
        fits = len(made) == len(weights) and made[:-1] == weights[:-1] and made[-1] != weights[-1]
        turned = len(made) == len(weights) and made[-1] == weights[-2] and made[-2] != weights[-2]
        if fits or turned:
            theorem = Sentence("words_code_output")
            yield conclude_in_words(context, found.span("line"), "holds" if fits else "fails", theorem)
    for found in _MERGE.finditer(source):
        near = source[max(found.start() - NEAR, 0) : found.end()]
        if _HEADS.fullmatch(found["first"]) and is_width(found["second"]) and _MERGES.search(near):
            yield conclude_in_words(context, found.span("line"), "holds", Sentence("words_code_heads"))


def _shape_beside(name: str, source: str, end: int) -> list[str] | None:
    """The shape that the last line before says of a softmax with this name, `attn = softmax(...)  # (B, H, T, T)`."""
    line = re.compile(
        rf"^[ \t]*{re.escape(name)}[ \t]*=[ \t]*[\w.]*softmax\([^\n#]*\)[ \t]*#[ \t]*{_SHAPE.format('shape')}", re.M
    )
    found = list(line.finditer(source, 0, end))
    return _axes(found[-1]["shape"]) if found else None


def _axes(shape: str) -> list[str]:
    return [axis.strip() for axis in shape.split(",")]
