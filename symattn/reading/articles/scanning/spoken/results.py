"""Results behind a colon: `q₂ = [0.2, 0.3] @ W:  [0.18, 0.23]` says what the product on its left comes to."""

from __future__ import annotations

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_NUMBER = r"[-−+]?(?:\d+(?:\.\d+)?|\.\d+)"
_LIST = rf"\[\s*{_NUMBER}(?:\s*,\s*{_NUMBER})*\s*\]"
_RESULT = regex(
    rf"(?:^|(?<=[\s*`]))[^\W\d]\w{{0,3}}\s?=\s?(?=[^=:：≈→\n]{{0,200}}[@·×⋅])[^\s=:：≈→][^=:：≈→\n]{{0,200}}[\w\])ᵀ]"
    rf"(?P<colon>\s?[:：])\s+{_LIST}\s*(?:\([^()\[\]=\n]{{0,80}}\))?\s*$"
)


def with_results(line: Located) -> Located:
    """The line with a sign of equality for such a colon.

    >>> with_results(Located.whole("q₂ = [0.2, 0.3] @ W:  [0.18, 0.23]")).text
    'q₂ = [0.2, 0.3] @ W =  [0.18, 0.23]'
    >>> with_results(Located.whole("with d = 2: [0.18, 0.23]")).text
    'with d = 2: [0.18, 0.23]'
    """
    match = _RESULT.search(line.text) if "=" in line.text and line.text.rstrip().endswith(("]", ")")) else None
    if match is None:
        return line
    return line.replaced([(match.span("colon"), Located.inserted(" =", line.span(*match.span("colon"))[0]))])
