r"""Text copied from a rendered page, where what was seen runs into the TeX source it came from: `QKTQK^T`.

Nothing is guessed: a stretch is cut in two only where its letters and digits, with the commands taken out
of them, are one and the same sequence twice, and only the second half is TeX. Signs (√ ≈ − · and fraction
bars) may be lost on the way, so letters and digits alone are held against each other.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass

from symattn.patterns import regex

_NAMES_OF_GREEK = "alpha beta gamma delta epsilon theta lambda mu pi rho sigma tau phi omega"
_GREEK = dict(zip(_NAMES_OF_GREEK.split(), "αβγδεθλμπρστφω", strict=True))
_WORDS_OF_NAMED = "exp log ln max min sin cos tan tanh softmax det dim arg lim"
_NAMED = frozenset(_WORDS_OF_NAMED.split())
_UNSEEN = regex(r"\\(?:begin|end)\s*\{[A-Za-z]+\*?\}(?:\{[lcr| ]*\})?|\\([A-Za-z]+)\*?|\\.", re.DOTALL)
_MARK = regex(r"\\[A-Za-z]|[\^_&]")
_CLOSING = regex(
    r"\s*(?:\\end\s*\{[A-Za-z]+\*?\}|\\right\s*(?:\\?[)\]}|.])|\^\{?\\(?:top|intercal|prime)\}?|[)\]}|']|\\\\)"
)
_BETWEEN = regex(
    r"[&^_}{\s]|\\\\|\\[,;!: ]|\\text\{ "
    r"|\\(?:times|cdot|div|pm|odot|otimes|oplus|circ|quad|qquad|end|right)(?![A-Za-z])"
)
_PARTED = regex(r"(?:,| \+) ")
_WORDS = regex(r"\S")
_RELATION = regex(r"\\(?:approx|to|rightarrow|Rightarrow|simeq|cong|sim|leq?|geq?|neq|in|propto|equiv)(?![A-Za-z])")
_OPENERS = "=([{≈−-√|+ "
LONGEST_LINE = 50_000  # characters
LONGEST = 1_500  # letters and digits of one formula as seen


@dataclass(frozen=True)
class Pair:
    """Where the visible half begins, where its TeX begins, and where that ends."""

    start: int
    split: int
    end: int


def find_pairs(text: str) -> list[Pair]:
    """All stretches of a line that are a formula as seen, and right after it the same formula in TeX.

    >>> line = r"so QKTQK^T is divided by dk\\sqrt{d_k}"
    >>> [line[p.split : p.end] for p in find_pairs(line)]
    ['QK^T', '\\\\sqrt{d_k}']
    """
    if len(text) > LONGEST_LINE:
        return []
    if not _MARK.search(text) and not re.search(r"[)\]][A-Za-z\[(]", text):
        return []
    return _Keys(text).pairs()


class _Keys:
    """The letters and digits of a line that would be seen if all of it were TeX, and where each stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at: list[int] = []
        letters: list[str] = []
        done = 0
        for match in _UNSEEN.finditer(text):
            self._add(letters, done, match.start())
            name = match[1] or ""
            if name in _GREEK:
                letters.append(_GREEK[name])
                self.at.append(match.start())
            elif name in _NAMED:
                letters.extend(name)
                self.at.extend([match.start()] * len(name))
            done = match.end()
        self._add(letters, done, len(text))
        self.letters = "".join(letters)
        self.marks = [m.start() for m in _MARK.finditer(text)]

    def _add(self, letters: list[str], start: int, end: int) -> None:
        for k in range(start, end):
            if self.text[k].isalnum():
                seen = unicodedata.normalize("NFKC", self.text[k])
                letters.extend(seen)
                self.at.extend([k] * len(seen))

    def pairs(self) -> list[Pair]:
        found: list[Pair] = []
        budget = 20 * len(self.letters) + 20_000  # so that no line costs more than its length allows
        first = 0
        while first < len(self.letters) and budget > 0:
            pair, spent = self.pair_from(first) if self._may_begin(first, found) else (None, 1)
            budget -= spent
            if pair is None:
                first += 1
                continue
            found.append(pair)
            while first < len(self.letters) and self.at[first] < pair.end:
                first += 1
        return found

    def _may_begin(self, first: int, found: list[Pair]) -> bool:
        """A formula begins at the start, after prose or a separator, or where the formula before it ended."""
        at = self.at[first]
        if at == 0 or (found and found[-1].end == at):
            return True
        before = self.text[at - 1]
        return not (before.isascii() and before.isalnum()) and before not in "\\.^_{"

    def pair_from(self, first: int) -> tuple[Pair | None, int]:
        """The longest formula as seen that begins with this letter and is followed by itself."""
        letters = self.letters
        # the visible half holds no mark of TeX, so it ends before the next one
        limit = min((len(letters) - first) // 2, LONGEST)
        k = bisect_left(self.marks, self.at[first])
        mark = self.marks[k] if k < len(self.marks) else len(self.text)
        spent = 1
        sizes = []
        second = letters.find(letters[first], first + 1, first + limit + 1)
        while second >= 0 and (self.at[second - 1] < mark):
            spent += 1
            size = second - first
            if letters.startswith(letters[first:second], second):
                sizes.append(size)
            second = letters.find(letters[first], second + 1, first + limit + 1)
        for size in reversed(sizes):
            pair = self.checked(first, size)
            if pair:
                return pair, spent
        return None, spent

    def checked(self, first: int, size: int) -> Pair | None:
        """The pair as offsets, if its second half is TeX (or spaced as only a source is) and ends cleanly."""
        text = self.text
        start = self.at[first]
        while start > 0 and text[start - 1] in _OPENERS:
            start -= 1
        while text[start].isspace():
            start += 1
        seen_end = self.at[first + size - 1] + 1
        split = _past_closers(text, seen_end, self.at[first + size])
        if _BETWEEN.match(text, split) or _PARTED.match(text, seen_end):
            return None  # two neighbours of one formula, as in a matrix, and not one formula twice
        signed = any(sign in text[seen_end:split] for sign in "⊤′'")
        last = self.at[first + 2 * size - 1] + 1
        end = self._end(split, last, signed)
        if _RELATION.match(text, split) and (size < 2 or _WORDS.search(text, 0, start) or _WORDS.search(text, end)):
            return None
        source = text[split:end]
        core = text[split : end if signed else last]
        marked = bool(_MARK.search(core)) and not _MARK.search(text, start, seen_end)
        seen = text[start:split]
        spaced = size > 1 and ", " in source and ", " not in seen and _strip_sign(source) == _strip_sign(seen)
        if not (marked or spaced) or text[end : end + 1] in ("^", "_"):
            return None
        return Pair(start, split, end)

    def _end(self, start: int, end: int, signed: bool) -> int:
        """Past what closes brackets and environments (and a `^\\top`, if the sign was seen)."""
        last = next(
            (m.end() for m in _UNSEEN.finditer(self.text, max(end - 1, start), end + 30) if m.start() < end),
            end,
        )
        end = max(end, last)
        depth = self.text.count("{", start, end) - self.text.count("}", start, end)
        opened = self.text.count("(", start, end) - self.text.count(")", start, end)
        opened += self.text.count("[", start, end) - self.text.count("]", start, end)
        while match := _CLOSING.match(self.text, end):
            closes = match[0].strip()
            if (closes == "}" and depth <= 0) or (closes[0] == "^" and not signed):
                break
            if closes in (")", "]") and opened <= 0:
                break
            depth -= closes == "}"
            opened -= closes in (")", "]")
            end = match.end()
        return end


def _strip_sign(text: str) -> str:
    """Without spaces, and without the minus signs that are lost on the way."""
    return re.sub(r"[\s−-]", "", text)


def _past_closers(text: str, start: int, stop: int) -> int:
    """Past the brackets that close the visible half, which belong to it and not to the TeX."""
    while start < stop and text[start] in ")]}|,.'′⊤ \u2061":
        start += 1
    return start
