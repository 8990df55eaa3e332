"""Causal masks of programs: `M = np.tril(np.ones((n, n)))` and then `np.where(M, S, -np.inf)` are mask_{j ≤ i}(S).

How large the triangle is need not be known, so the mask is written as the condition that it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from symattn.patterns import is_found_by, regex
from symattn.reading.articles.article import Located

_LIBRARY = r"(?:(?:np|numpy|jnp|torch)\.)?"
_ONES = rf"{_LIBRARY}(?:ones|full)\((?:[^()]|\([^()]*\))*\)"
_AS_TRUTH = r"(?:\.(?:bool|to|astype|type)\([\w.]*\)|\s*[=!]=\s*[01](?:\.0)?)?"
_TRIANGLE = (
    rf"(?P<side>{_LIBRARY}(?:tril|triu))\(\s*{_ONES}\s*(?:,\s*(?:k|diagonal)\s*=\s*(?P<shift>-?\d))?\s*\){_AS_TRUTH}"
)
_SET = regex(rf"^[ \t]*(?P<name>[^\W\d]\w*)\s*=\s*{_TRIANGLE}\s*(?:\#.*)?$", re.MULTILINE)
_ANEW = r"^[ \t]*{0}\s*(?:\[[^=\n]*\]\s*)?[-+*/&|^]?=(?!=)"
_HIDDEN = (
    r"(?:-\s*(?:np\.|torch\.|math\.)?inf|-\s*1(?:\.0*)?[eE]\+?\d+"
    r"|float\(\s*['\"]-inf(?:inity)?['\"]\s*\)|-\s*float\(\s*['\"]inf['\"]\s*\))"
)
_CONDITION = r"(?P<not>~|not\s+)?\s*(?P<mask>[^\W\d]\w*)\s*(?:(?P<sign>[=!]=)\s*(?P<number>[01]|True|False))?"
_SCORES = r"[^\W\d]\w*(?:\s*/\s*(?:[^\W\d]\w*|[\d.]+))?"
_WHERE = regex(
    rf"{_LIBRARY}where\(\s*{_CONDITION}\s*,"
    rf"\s*(?:(?P<scores>{_SCORES})\s*,\s*{_HIDDEN}|{_HIDDEN}\s*,\s*(?P<behind>{_SCORES}))\s*\)"
)
_FILLED = regex(rf"(?P<scores>[^\W\d]\w*)\.masked_fill\(\s*{_CONDITION}\s*,\s*{_HIDDEN}\s*\)")
CAUSAL = "mask_{j ≤ i}"  # what a key has to be for a query to see it


def find_triangles(code: str) -> dict[str, bool]:
    """The names of causal masks in a program, each with whether it is true of what is seen, or of what is hidden.

    >>> find_triangles("M = torch.triu(torch.ones(4, 4), diagonal=1)\\nL = np.tril(np.ones((n, n)), k=-1)")
    {'M': False}
    """
    found: dict[str, bool] = {}
    for match in _SET.finditer(code):
        once = len(re.findall(_ANEW.format(re.escape(match["name"])), code, re.MULTILINE)) == 1
        if once and (seen := _sees(match)) is not None:
            found[match["name"]] = seen
    return found


def _sees(triangle: re.Match[str]) -> bool | None:
    """Whether a triangle is of the keys that are seen; None where it is no causal mask."""
    lower = triangle["side"].endswith("tril")
    if int(triangle["shift"] or 0) != (0 if lower else 1):
        return None
    turned = re.search(r"==\s*0|!=\s*1", triangle[0]) is not None
    return lower != turned


def write_masks(lines: Iterable[Located], masks: Mapping[str, bool]) -> list[Located]:
    """The lines of a program with what hides later keys written as a mask.

    >>> line = Located.whole("Z = np.where(M, S, -1e9)")
    >>> write_masks([line], {"M": True})[0].text, write_masks([line], {"M": False})[0].text
    ('Z = mask_{j ≤ i}(S)', 'Z = np.where(M, S, -1e9)')
    """

    def masked(match: re.Match[str]) -> str | None:
        name = match["mask"]
        if name not in masks:
            return None
        behind = match.groupdict().get("behind")
        asked = match["sign"] is not None and (match["sign"] == "==") == (match["number"] in ("0", "False"))
        negated = bool(match["not"]) != asked
        hides_where_true = is_found_by(match, _FILLED) or behind is not None
        seen = masks[name] != negated
        return f"{CAUSAL}({behind or match['scores']})" if seen != hides_where_true else None

    if not masks:
        return list(lines)
    return [line.substitute(_WHERE, masked).substitute(_FILLED, masked) for line in lines]
