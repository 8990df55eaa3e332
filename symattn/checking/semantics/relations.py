"""Conditions as LaTeX, HTML and code spell them, with one sign for each relation: `j \\leq i`, `j <= i`, `j ≤ i`."""

from __future__ import annotations

from symattn.patterns import regex

_SPELLINGS = tuple(
    (regex(pattern), sign)
    for pattern, sign in (
        (r"\\(?:notin|not\s*\\in)(?![a-z])|\bnot in\b", "∉"),
        (r"\\leq?(?:slant)?(?![a-z])|(?:<|&lt;)=|⩽|≦|&le;", "≤"),
        (r"\\geq?(?:slant)?(?![a-z])|(?:>|&gt;)=|⩾|≧|&ge;", "≥"),
        (r"\\lt(?![a-z])|&lt;", "<"),
        (r"\\gt(?![a-z])|&gt;", ">"),
        (r"\\neq?(?![a-z])|!=", "≠"),
        (r"[\s$]|\\[,;:! ]", ""),
        (r"[−–]", "-"),
    )
)


def with_signs(condition: str) -> str:
    r"""A condition with the signs of Unicode, and without spaces.

    >>> with_signs(r"i - 1 \leq j,\ j \neq 3"), with_signs("j &lt;= i"), with_signs(r"\lefteqn")
    ('i-1≤j,j≠3', 'j≤i', '\\lefteqn')
    """
    for pattern, sign in _SPELLINGS:
        condition = pattern.sub(sign, condition)
    return condition
