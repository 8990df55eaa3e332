"""What programs call by two capitals, `QK = Q @ K.T`: one name, and no product of Q and K."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symattn.patterns import regex
from symattn.reading.articles.article import Passage

_NAMES = r"(?P<names>[A-Za-z]\w*(?: ?, ?[A-Za-z]\w*)*) ?= ?(?P<right>[^=\s].*)$"
_SET = regex(rf"^[ \t]*{_NAMES}", re.MULTILINE)
_SET_AT_PROMPT = regex(rf"(?:>>>|^In ?\[\d*\]:)[ \t]+{_NAMES}", re.MULTILINE)
_OF_A_PROGRAM = regex(r"@|\.(?:T\b|[a-z_]\w*\()|\b(?:np|torch|jnp|tf)\.")
_TWO_CAPITALS = regex(r"[A-Z]{2}")


def names_of_programs(texts: Iterable[Passage], source: str) -> frozenset[str]:
    """The pairs of capitals that a statement of a program sets.

    >>> from symattn.reading.articles.article import LineBreaks
    >>> def text(kind, of): return Passage(of, kind, ((0, 0, len(of)),), 1, 1, LineBreaks((0,)))
    >>> texts = [text("code", "QK = Q @ K.T"), text("program", "VV = V"), text("code", "PV = [1, 2]")]
    >>> sorted(names_of_programs(texts, ">>> AA, BB = qz(A, B)"))
    ['AA', 'BB', 'QK', 'VV']
    """
    statements = [*_SET_AT_PROMPT.finditer(source)]
    for text in texts:
        made = _SET.finditer(text.text)
        statements += [each for each in made if text.kind == "program" or _OF_A_PROGRAM.search(each["right"])]
    names = (name for each in statements for name in re.split(r" ?, ?", each["names"]))
    return frozenset(name for name in names if _TWO_CAPITALS.fullmatch(name))
