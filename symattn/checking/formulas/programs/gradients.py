"""A backward pass as lines of a program: dS = A * (dA - rowsum(dA * A)), dQ = scale * einsum('ij,ja->ia', dS, K)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.programs.names import NAME, role_of
from symattn.checking.formulas.programs.scores import EINSUM, read_einsum
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.checking.models.letters import is_scale
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_LAST = r"(?:axis|dim)\s?=\s?-1,\s?keepdims?\s?=\s?True"
_PAIR = rf"(?P<x>{NAME})\s?\*\s?(?P<y>{NAME})"
_OTHER = re.sub(r"<(\w+)>", r"<\1_2>", _PAIR)
_TOTAL = rf"(?:\({_PAIR}\)\.sum\({_LAST}\)|(?:np|torch|jnp)\.sum\({_OTHER},\s?{_LAST}\))"
_NAMED = regex(rf"^[ \t]*(?P<name>{NAME})[ \t]*=[ \t]*{_TOTAL}[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_INSIDE = rf"\((?P<da>{NAME}) (?P<sign>[-+]) (?:(?P<total>{NAME})|{_TOTAL})\)"
_FIRST = re.sub(r"<(\w+)>", r"<\1b>", _INSIDE)
_LINE = regex(
    rf"(?P<line>(?<![\w.])(?P<left>{NAME})[ \t]*=[ \t]*(?:(?P<a>{NAME})\s?\*\s?{_INSIDE}"
    rf"|{_FIRST}\s?\*\s?(?P<ab>{NAME})))"
    r"(?=[ \t]*(?:`|#|$))",
    re.MULTILINE,
)
_GRADIENT = regex(r"(?:d|g|grad_?|d_)(?P<of>[A-Za-z]\w*)")
_MADE = {  # of what a gradient is made: the letters of the two others, and the axes of both and of the result
    "Q": (("S", "K"), ("ij", "ja", "ia")),
    "K": (("S", "Q"), ("ij", "ia", "ja")),
    "V": (("A", "O"), ("ij", "ia", "ja")),
    "A": (("O", "V"), ("ia", "ja", "ij")),
}
_LETTERS = {"p": "A", "attn": "A", "weights": "A", "scores": "S", "out": "O", "output": "O"}


def judge_gradients(context: Context) -> Iterator[Formula]:
    """The step through softmax, and the products of einsum behind and before it."""
    source = context.article.words
    totals = {x["name"]: {x["x"] or x["x_2"], x["y"] or x["y_2"]} for x in _NAMED.finditer(source)}
    for found in _LINE.finditer(source):
        mark = "" if found["a"] else "b"
        a, da = found[f"a{mark}"], found[f"da{mark}"]
        name = found[f"total{mark}"]
        inside = [found[f"{key}{mark}"] for key in ("x", "y", "x_2", "y_2")]
        total = totals.get(name, set()) if name else {each for each in inside if each}
        if total == {a, da} and _of(da) == a and _of(found["left"]):
            right = found[f"sign{mark}"] == "-"
            yield _say(context, found, right, "words_code_softmax")
    for found in EINSUM.finditer(source):
        fits = _is_gradient(found)
        if fits is not None:
            yield _say(context, found, fits, "words_code_gradient")


def _say(context: Context, found: re.Match[str], right: bool, key: str) -> Formula:
    return conclude_in_words(context, found.span("line"), "holds" if right else "fails", Sentence(key))


def _of(name: str) -> str:
    """What a name is the gradient of, S of dS and gS; "" of others."""
    found = _GRADIENT.fullmatch(name.rpartition(".")[2])
    return found["of"] if found is not None else ""


def _letter(name: str) -> str:
    """The letter of the forward pass that a name has, S of scores and gS alike."""
    bare = _of(name) or name.rpartition(".")[2]
    role = role_of(bare)
    if role in ("q", "k", "v"):
        return role.upper()
    return _LETTERS.get(bare.lower(), bare.upper() if len(bare) == 1 else "")


def _is_gradient(found: re.Match[str]) -> bool | None:
    """Whether an einsum joins the axes that the gradient asks for; None of what it is not known of."""
    left, names = found["left"], (found["a"] or found["a2"], found["b"] or found["b2"])
    of = _letter(left) if _of(left) else ""
    axes = read_einsum(found["spec"] or found["spec2"])
    if of not in _MADE or axes is None:
        return None
    letters, wanted = _MADE[of]
    scaled = found["scale"] is not None and is_scale(found["scale"])
    if tuple(map(_letter, names)) != letters or scaled is not (of in "QK") or (found["scale"] and not scaled):
        return None
    if not _of(names[of == "V"]):
        return None  # of the forward pass
    return _pattern([axis for each in axes for axis in each]) == _pattern(list("".join(wanted)))


def _pattern(axes: list[str]) -> list[int]:
    """Which axes are the same, whatever letters they have."""
    return [axes.index(axis) for axis in axes]
