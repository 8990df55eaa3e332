"""Inner products of a turned query and key by the positions of both: ⟨f(q, m), f(k, n)⟩ = ⟨f(q, 0), f(k, n − m)⟩."""

from __future__ import annotations

from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_TURNED = r"(?:RoPE|rope|rotate|R)\(\s*(?:q|k)\s*,\s*"
_PLACE = r"\s*[a-z0](?:\s*[-−+]\s*[a-z])?\s*"


def _pair(first: str, second: str) -> str:
    return rf"[<⟨]\s*{_TURNED}(?P<{first}>{_PLACE})\)\s*,\s*{_TURNED}(?P<{second}>{_PLACE})\)\s*[>⟩]"


_EQUATION = regex(rf"{_pair('m', 'n')}\s*=\s*{_pair('a', 'b')}")
_PART = regex(r"([-−+]?)\s*([a-z])")


def judge_turned_products(context: Context) -> Iterator[Formula]:
    """Both sides have the same difference of positions, or the equation is false."""
    for found in _EQUATION.finditer(context.article.words):
        m, n, a, b = (_linear(found[key]) for key in "mnab")
        theorem = Sentence("theorem.rotation_fails")
        if _less(n, m) == _less(b, a):
            yield conclude_in_words(context, found.span(), "holds", Sentence("theorem.rotation"))
            continue
        right = None
        if not a and len(m) == len(n) == 1:
            right = with_group(found, "b", f"{found['n'].strip()} - {found['m'].strip()}")
        yield conclude_in_words(context, found.span(), "fails", theorem, right)


def _linear(text: str) -> dict[str, int]:
    """The letters of a position with their signs; none of 0."""
    return {letter: -1 if sign in ("-", "−") else 1 for sign, letter in _PART.findall(text)}


def _less(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    made = {letter: one.get(letter, 0) - other.get(letter, 0) for letter in {*one, *other}}
    return {letter: number for letter, number in made.items() if number}
