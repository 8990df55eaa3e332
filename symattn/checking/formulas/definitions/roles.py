"""What weights make by their labels, W_i^Q the queries: the label of a role, and the weights with that of another."""

from __future__ import annotations

import re

from symattn.checking.formulas.trials.symbols import Key
from symattn.patterns import regex

# where an article says that two roles have the same weights
SHARED = regex(
    r"\bshar(?:e|es|ed|ing)\b|\btied?\b|\bsame (?:weights?|matri|projection)|共享|共用|gemeinsam|partag", re.IGNORECASE
)
_LABEL = regex(r"[QKV](?=R?(?![A-Za-z]))|(?<![A-Za-z])[qkv](?![A-Za-z])")


def role_of(symbol: Key) -> str:
    """Of what a matrix makes or is: queries, keys or values."""
    labels = [symbol[0]] if symbol[0] != "W" else [*symbol[1], *symbol[2]]
    found = {part.strip("()")[:1].lower() for part in labels} & set("qkv")
    return next(iter(found)) if len(found) == 1 else ""


def of_role(symbol: Key, letter: str) -> Key:
    """The weights with the label of another role.

    >>> of_role(("W", ("i",), ("Q",)), "K"), of_role(("W", (), ("UV",)), "k"), of_role(("W", (), ("KR",)), "q")
    (('W', ('i',), ('K',)), ('W', (), ('UK',)), ('W', (), ('QR',)))
    """

    def labelled(mark: str) -> str:
        return _LABEL.sub(lambda found: letter.upper() if found[0].isupper() else letter.lower(), mark)

    return symbol[0], tuple(map(labelled, symbol[1])), tuple(map(labelled, symbol[2]))


def as_latex(symbol: Key) -> str:
    """A symbol with its labels, as it is written.

    >>> as_latex(("W", ("i",), ("Q",)))
    'W_{i}^{Q}'
    """
    base, sub, sup = symbol
    below = f"_{{{','.join(sub)}}}" if sub else ""
    return base + below + (f"^{{{','.join(sup)}}}" if sup else "")
