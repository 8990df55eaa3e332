"""Comments that repeat what a print above them writes: `print(f"Loss: {loss:.4f}")` and `# Loss: 0.5996`."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_PRINTED = regex(r"print\(\s*[fF](?P<mark>[\"'])(?P<text>[^\"'\n]{1,200})(?P=mark)\s*\)\s*;?")
_FILLED = regex(r"\{([^{}:!=]+)(?:[:!][^{}]*)?\}")
_LETTER = regex(r"[^\W\d_]")
_VALUE = (
    r"(?:(?:np\.|torch\.)?(?:array|tensor)\()?"
    r"(?P<value>[-−+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\[[-−+\d.,\s\[\]e]{1,500}\])(?:, dtype=[\w.]+)?\)?"
)
_ASIDE = r"\s*(?:[(（←#✓][^\n]*)?"


def find_echoed(code: Located, remark: Located) -> tuple[Located, Located] | None:
    """What a print fills in, and the value that a comment has in its place.

    >>> code, value = find_echoed(Located.whole('print(f"H: {h:.2f} bits")'), Located.whole("H: 1.39 bits (much)"))
    >>> code.text, value.text
    ('h', '1.39')
    """
    written = _PRINTED.fullmatch(code.text)
    filled = list(_FILLED.finditer(code.text, *written.span("text"))) if written is not None else []
    if written is None or len(filled) != 1:
        return None
    before = code.text[written.start("text") : filled[0].start()].removeprefix("\\n").strip()
    after = code.text[filled[0].end() : written.end("text")].strip()
    pattern = rf"\s*{re.escape(before)}\s*{_VALUE}\s*{re.escape(after)}{_ASIDE}"
    match = re.fullmatch(pattern, remark.text) if _LETTER.search(before) else None
    return None if match is None else (code.cut(*filled[0].span(1)), remark.cut(*match.span("value")))
