"""A mask written as a condition, mask_{j ≤ i}(S): which scores it keeps. Rows and columns count from 1 in it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from symattn.checking.semantics.relations import with_signs
from symattn.patterns import regex
from symattn.values.balls import Balls

Keep = Callable[[int, int], bool]  # of a row and a column, counted from 0
_KEYS = frozenset("jkmqt")  # the letters that number the keys, where no other letter stands beside them
_PAIRS = frozenset(("ij", "ik", "nm", "st", "pq", "qk"))  # of a query and a key
_LETTER = regex(r"(?<![A-Za-z\\])[a-z](?![A-Za-z'_])|(?<=_)[a-z]{2}(?==)")
_TIMES = regex(r"s[≤<]t|t[≥>]s")  # what was before t
_IF = regex(r"^\s*(?:\\(?:text|mathrm)\{\s*(?:if|当|若)\s*\}|if\b|当|若)|[,.，。]\s*$")
_TERM = regex(r"(?P<letter>[a-z])(?:(?P<sign>[-+])(?P<offset>[0-9]{1,9}))?|(?P<number>[0-9]{1,9})")
_ENTRY = regex(r"(?P<name>[A-Za-z]+'?)_(?P<indices>[a-z]{2})=(?P<value>[01])")
_NONE_OF = regex(r"[a-z]∉(?P<keys>[0-9]{1,9}(?:,[0-9]{1,9})*)")
_COMPARE = {"≤": operator.le, "≥": operator.ge, "<": operator.lt, ">": operator.gt}
_BRACES = regex(r"\\?[{}]")


def keep_where(condition: str, matrix: Callable[[str], Balls | None]) -> Keep | None:
    """Which entries a condition keeps, several joined by commas; None for what is not understood.

    `matrix` gives the value of a matrix that the condition names.

    >>> keep = keep_where(r"i - 1 \\le j \\le i,\\ j \\notin \\{1\\}", lambda name: None)
    >>> [j for j in range(4) if keep(2, j)], [j for j in range(4) if keep(1, j)]
    ([1, 2], [1])
    """
    plain = _BRACES.sub("", with_signs(condition))
    keys = _keys(plain)
    parts = [_part(text, keys, matrix) for text in re.split(r",(?![0-9])", plain)]
    if None in parts or keys is None:
        return None
    return lambda i, j: all(part(i, j) for part in parts if part is not None)


def holds(condition: str, letters: Mapping[str, int], matrix: Callable[[str], Balls | None]) -> bool | None:
    """Whether a condition on letters that number queries and keys is true; None for what is not understood.

    >>> holds(r"j \\le i", {"i": 2, "j": 1}, lambda name: None), holds("otherwise", {"i": 2, "j": 1}, lambda name: None)
    (True, None)
    """
    numbers_keys = _keys("".join(f" {letter}" for letter in letters)) or ""
    queries = [value for letter, value in letters.items() if letter not in numbers_keys]
    keys = [value for letter, value in letters.items() if letter in numbers_keys]
    keep = keep_where(_IF.sub("", condition), matrix) if len(queries) == len(keys) == 1 else None
    return None if keep is None else keep(queries[0] - 1, keys[0] - 1)


def _keys(condition: str) -> str | None:
    """The letter that numbers the keys in a condition, "" if it has none; None where that is not certain."""
    letters = {letter for found in _LETTER.findall(condition) for letter in found}
    if len(letters) < 2:
        return "".join(letters & _KEYS)
    if _TIMES.search(condition):
        return "s"
    pair = next((p for p in _PAIRS if set(p) == letters), None)
    return None if pair is None else pair[1]


def _part(text: str, keys: str | None, matrix: Callable[[str], Balls | None]) -> Keep | None:
    if found := _NONE_OF.fullmatch(text):
        hidden = {int(k) - 1 for k in found["keys"].split(",")}
        return lambda i, j: j not in hidden
    if found := _ENTRY.fullmatch(text):
        return _of_matrix(matrix(found["name"]), found["indices"][0] == keys, int(found["value"]))
    first, *rest = re.split("([≤≥<>])", text)
    terms, signs = [_TERM.fullmatch(term) for term in (first, *rest[1::2])], [_COMPARE[sign] for sign in rest[::2]]
    values = [_term(term, keys) for term in terms if term is not None]
    if not 2 <= len(values) == len(terms) <= 3:
        return None
    pairs = list(zip(pairwise(values), signs, strict=True))
    return lambda i, j: all(compare(left(i, j), right(i, j)) for (left, right), compare in pairs)


def _term(term: re.Match[str], keys: str | None) -> Callable[[int, int], int]:
    offset = int((term["sign"] or "") + (term["offset"] or "0"))
    if term["letter"] is None:
        return lambda i, j: int(term["number"])
    of_key = term["letter"] == keys
    return lambda i, j: (j if of_key else i) + 1 + offset


def _of_matrix(value: Balls | None, turned: bool, kept: int) -> Keep | None:
    """Where a matrix of zeros and ones has the one that is kept."""
    if value is None or value.hidden:
        return None
    rows: Sequence[Sequence[bool]] = [[bool(x == kept) for x in row] for row in value.rows]
    if turned:
        rows = list(zip(*rows, strict=True))
    return lambda i, j: i < len(rows) and j < len(rows[i]) and rows[i][j]
