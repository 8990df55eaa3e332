"""Conditions between two indices, as definitions by cases write them: `i = j`, `\\text{if } j \\le i`."""

from __future__ import annotations

import re

from symattn.checking.semantics.relations import with_signs
from symattn.patterns import regex

_RELATION = regex(r"(?<![a-zA-Z])([a-z])(?:<|>|≤|≥|=|≠)([a-z])(?![a-zA-Z])")
_OTHERWISE = regex(r"otherwise|else|other|其他|其它|否则|否則|それ以外|その他|그외|이외|sinon", re.IGNORECASE)
_ORDERS = {"<": {-1}, "≤": {-1, 0}, "=": {0}, "≥": {0, 1}, ">": {1}, "≠": {-1, 1}}


def orders_of(condition: str, letters: str) -> set[int] | None:
    """Where the second letter may lie beside the first: {-1, 0} for `j ≤ i` of M_ij; None for anything else.

    >>> orders_of(r"\\text{if } j \\le i", "ij"), orders_of("i = j", "ij"), orders_of("otherwise", "ij")
    ({0, -1}, {0}, None)
    """
    condition = with_signs(condition)
    found = list(_RELATION.finditer(condition))
    if len(found) != 1 or {found[0][1], found[0][2]} != set(letters):
        return None
    orders = _ORDERS[condition[found[0].end(1) : found[0].start(2)]]
    return orders if found[0][1] == letters[1] else {-k for k in orders}


def sign_in(condition: str, letter: str) -> int | None:
    """The sign that a condition asks of a letter; None for anything else.

    >>> sign_in(r"\\text{if } x \\le 0", "x"), sign_in("x > 0", "x"), sign_in("x > 1", "x")
    (-1, 1, None)
    """
    found = re.search(rf"(?<![a-zA-Z]){re.escape(letter)}([<>≤≥])0(?![.\d])", with_signs(condition))
    return None if found is None else 1 if found[1] in ">≥" else -1


def is_otherwise(condition: str) -> bool:
    """Whether a condition is all other cases.

    >>> is_otherwise(r"\\text{otherwise}"), is_otherwise("i < j")
    (True, False)
    """
    return not condition or _OTHERWISE.search(condition) is not None
