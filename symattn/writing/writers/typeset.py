"""LaTeX formulas -> HTML, set by KaTeX inside quickjs; and the styles and fonts that show them without a request."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from symattn.errors import NotSupportedError
from symattn.patterns import regex
from symattn.writing.prose import Sentence

KATEX = Path(__file__).resolve().parent / "katex"
_CALL = """
const trust = ({command}) => command === "\\\\htmlData" || command === "\\\\htmlClass";
function typeset(tex, displayMode) {
  const macros = {"\\\\arraystretch": "1.25"}; // rows of fractions keep apart
  return JSON.stringify(katex.renderToString(tex, {displayMode, strict: false, throwOnError: false, trust, macros}));
}
"""
MAY_BREAK, NO_BREAK = "\x0e", "\x0f"  # where a narrow page may end a line of a formula, and where it must not
_MARKS = str.maketrans({"\x01": r"\html", "\x02": "{", "\x03": "}{", "\x04": "}"})
_MARKS |= {ord(MAY_BREAK): r"\allowbreak ", ord(NO_BREAK): r"\nobreak "}
_MARK = regex(rf"\x01[^\x03]*\x03|[\x04{MAY_BREAK}{NO_BREAK}]")
_WITHIN = regex(r"\\(?:cdot|times)(?![a-zA-Z])")  # where no line ends: 1.82 × 10⁻¹⁵, 7 · 1
_ANNOTATION = regex(r'<annotation encoding="application/x-tex">.*?</annotation>', re.DOTALL)
_FACE = regex(r"@font-face\{[^}]*?url\(fonts/(KaTeX_[\w-]+)\.woff2\)[^}]*\}")
# fonts of which a page has none unless something in it is of one of these classes
_RARE = {
    "KaTeX_AMS-Regular": ("mathbb", "amsrm"),
    "KaTeX_Main-Bold": ("mathbf", "textbf"),
    "KaTeX_Main-Italic": ("mathit", "textit"),
    "KaTeX_Math-BoldItalic": ("boldsymbol",),
}


def mark(tex: str, kind: str, said: str) -> str:
    """A piece of a formula with an attribute of HTML: kind "Data", said "e=1", or kind "Class", a class."""
    return f"\x01{kind}\x02{said}\x03{tex}\x04"


def typeset(tex: str, *, display: bool = False) -> str:
    """A formula as HTML, with MathML for those who listen to it. Raises NotSupportedError without quickjs-ng.

    The formula is kept in the MathML as it is without its marks, to be copied.
    """
    told = tex.translate(_MARKS) if display else _WITHIN.sub(r"\g<0>\\nobreak ", tex.translate(_MARKS))
    # as JSON, since quickjs does not hand over a string that it keeps in pieces
    made = str(json.loads(_engine().eval(f"typeset({json.dumps(told)}, {json.dumps(display)})")))
    if told == tex:
        return made
    plain = html.escape(_MARK.sub("", tex), quote=False)
    return _ANNOTATION.sub(lambda _: f'<annotation encoding="application/x-tex">{plain}</annotation>', made)


def styles(body: str) -> str:
    """KaTeX's style sheet, with the fonts that a page of this body needs inside it."""
    css = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    return _FACE.sub(lambda face: _face(face.group(1), body), css)


def _face(font: str, body: str) -> str:
    path = KATEX / f"{font}.woff2"
    if not path.exists() or (font in _RARE and not _uses(body, _RARE[font])):
        return ""
    family, _, kind = font.partition("-")
    weight, slant = ("bold" if "Bold" in kind else "normal"), ("italic" if "Italic" in kind else "normal")
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    said = f"font-family:{family};font-style:{slant};font-weight:{weight};font-display:block"
    return f'@font-face{{{said};src:url(data:font/woff2;base64,{data}) format("woff2")}}'


def _uses(body: str, classes: Iterable[str]) -> bool:
    return any(f" {name}" in body or f'"{name}' in body for name in classes)


@cache
def _engine() -> Any:
    try:
        import quickjs
    except ImportError:
        raise NotSupportedError(Sentence("no_typesetter")) from None
    context = quickjs.Context()
    context.eval((KATEX / "katex.min.js").read_text(encoding="utf-8"))
    context.eval(_CALL)
    return context
