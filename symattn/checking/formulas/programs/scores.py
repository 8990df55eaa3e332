"""Scores of a program: `scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)`, its width and its scale."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.names import NAME, is_width, role_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.checking.models.letters import is_scale
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_LAST_TWO = (
    r"\.(?:transpose\((?:-2,\s?-1|-1,\s?-2|0,\s?1,\s?3,\s?2|0,\s?2,\s?1)\)|permute\((?:0,\s?1,\s?3,\s?2|0,\s?2,\s?1)\)"
    r"|mT\b|T\b|t\(\)|swapaxes\(-[12],\s?-[12]\))"
)
_ROOT = r"(?:math\.|np\.|torch\.|jnp\.)?sqrt\((?P<width>[\w.\[\]()-]+?)\)"
_POWER = r"\(?(?P<powered>[\w.\[\]()-]+?)\s?\*\*\s?-?0?\.5\)?"
_SCALING = rf"(?:/\s?(?:{_ROOT}|{_POWER}|(?P<divided>{NAME}))|\*\s?(?P<multiplied>{NAME}))(?![\w.(])"
_PRODUCT = (
    rf"(?:(?P<q>{NAME})\s?@\s?(?P<k>{NAME}){_LAST_TWO}"
    rf"|(?:torch|np|jnp)\.(?:matmul|dot|bmm)\((?P<q2>{NAME}),\s?(?P<k2>{NAME}){_LAST_TWO}\))"
)
_SCORES = regex(
    rf"^[ \t]*(?P<line>{NAME}[ \t]*=[ \t]*\(?{_PRODUCT}\)?[ \t]*{_SCALING})[ \t]*(?:#[^\n]*)?$", re.MULTILINE
)
EINSUM = regex(
    rf"^[ \t]*(?P<line>(?P<left>{NAME})[ \t]*=[ \t]*(?:(?P<scale>{NAME})\s?\*\s?)?(?:\w+\.)?einsum\("
    rf"(?:(?P<a>{NAME}),\s?(?P<b>{NAME}),\s?[\"'](?P<spec>[^\"'\n]+)[\"']"
    rf"|[\"'](?P<spec2>[^\"'\n]+)[\"'],\s?(?P<a2>{NAME}),\s?(?P<b2>{NAME}))\))[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)
_WIDTHS = regex(
    rf"^[ \t]*(?P<line>(?P<left>{NAME})[ \t]*=[ \t]*(?P<made>[\w.]+(?:\.size\(-1\)|\.shape\[-1\])))(?=[ \t]*(?:#|$))",
    re.M,
)
_SCALES = regex(
    rf"^[ \t]*(?P<line>(?P<left>{NAME})[ \t]*=[ \t]*1(?:\.0?)?[ \t]*/[ \t]*(?:{_ROOT}|{_POWER}))[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)


def judge_scores(context: Context) -> Iterator[Formula]:
    """Queries times keys turned in their last two axes, divided by the root of their width."""
    source = context.article.words
    for found in _SCORES.finditer(source):
        query, key = found["q"] or found["q2"], found["k"] or found["k2"]
        if (role_of(query), role_of(key)) == ("q", "k") and _is_scaled(found):
            yield conclude_in_words(context, found.span("line"), "holds", Sentence("words_code_scores"))
    for found in EINSUM.finditer(source):
        if _is_of_scores(found):
            yield conclude_in_words(context, found.span("line"), "holds", Sentence("words_code_scores"))
    for found in _WIDTHS.finditer(source):
        if is_width(found["left"]) and is_width(found["made"]) and "." not in found["left"]:
            yield conclude_in_words(context, found.span("line"), "holds", Sentence("words_code_width"))
    for found in _SCALES.finditer(source):
        if is_scale(found["left"]) and is_width(found["width"] or found["powered"] or ""):
            yield conclude_in_words(context, found.span("line"), "holds", Sentence("words_code_scale"))


def _is_scaled(found: re.Match[str]) -> bool:
    """Whether the scale is that of the keys' width, by its formula or its name."""
    if found["width"] or found["powered"]:
        negative = found["powered"] and "** -" in found[0].replace("**-", "** -")
        return is_width(found["width"] or found["powered"]) and not negative
    return is_scale(found["divided"] or found["multiplied"])


def _is_of_scores(found: re.Match[str]) -> bool:
    """Whether an einsum multiplies queries and keys along their width, with a scale in front."""
    a, b, spec = found["a"] or found["a2"], found["b"] or found["b2"], found["spec"] or found["spec2"]
    if not found["scale"] or not is_scale(found["scale"]) or (role_of(a), role_of(b)) != ("q", "k"):
        return False
    axes = read_einsum(spec)
    if axes is None:
        return False
    (i, k), (j, last), (m, n) = axes
    return k == last and (i, j) == (m, n) and len({i, j, k}) == 3


def read_einsum(spec: str) -> tuple[list[str], list[str], list[str]] | None:
    """The axes of the two operands and of the result, where the leading ones are the same.

    >>> read_einsum("b i k, b j k -> b i j"), read_einsum("...ik,...jk->...ij")
    ((['i', 'k'], ['j', 'k'], ['i', 'j']), (['i', 'k'], ['j', 'k'], ['i', 'j']))
    """
    given, arrow, made = spec.partition("->")
    parts = [*given.split(","), made]
    if not arrow or len(parts) != 3:
        return None
    axes = [_axes(part.replace("...", "").strip()) for part in parts]
    lead = len(axes[0]) - 2
    if lead < 0 or any(len(each) != lead + 2 or each[:lead] != axes[0][:lead] for each in axes):
        return None
    if any(axis in each[:lead] for each in axes for axis in each[lead:]):
        return None
    return axes[0][lead:], axes[1][lead:], axes[2][lead:]


def _axes(part: str) -> list[str]:
    return part.split() if " " in part else list(part)
