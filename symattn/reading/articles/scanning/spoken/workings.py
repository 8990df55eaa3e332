"""How a whole number came about, in brackets behind it, `d_k = 64 (768 / 12)`; or an equation in brackets alone."""

from __future__ import annotations

from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_WHOLE = r"\d{1,3}(?:,\d{3})+|\d{1,15}"
_WORKED = regex(
    rf"(?<=[=≈])\s*(?P<number>{_WHOLE})\s*(?P<open>\()\s*(?:=\s*)?"
    rf"(?P<working>(?:{_WHOLE})(?:\s*[×*·/÷+]\s*(?:{_WHOLE}))+)\s*(?P<close>\))(?=\s*(?:$|[,;.。，；]))"
)
_FRAMED = regex(rf"\s*\[\s*(?P<inside>(?:{_WHOLE})(?:\s*[×*·/÷+]\s*(?:{_WHOLE}))+\s*=\s*(?:{_WHOLE}))\s*\]\s*")
_PART = regex(rf"(?P<sign>[×*·/÷+]?)\s*(?P<number>{_WHOLE})")


def with_workings(line: Located) -> Located:
    """The line with such a working as the next side of the equation, where it comes to that number.

    >>> with_workings(Located.whole("d_k = 64 (768 / 12), h = 12 (2 × 8)")).text
    'd_k = 64 = 768 / 12, h = 12 (2 × 8)'
    >>> with_workings(Located.whole("   [8 × 64 = 512]")).text
    '8 × 64 = 512'
    """
    framed = _FRAMED.fullmatch(line.text) if "[" in line.text and len(line.text) < _LONGEST else None
    if framed is not None:
        return line.cut(*framed.span("inside"))
    changes: list[tuple[tuple[int, int], Located]] = []
    for match in _WORKED.finditer(line.text) if "(" in line.text and len(line.text) < _LONGEST else ():
        if _value(match["working"]) == Fraction(match["number"].replace(",", "")):
            new = join([line.put("= ", *match.span("open")), line.cut(*match.span("working"))])
            changes.append(((match.start("open"), match.end()), new))
    return line.replaced(changes)


_LONGEST = 1_000


def _value(working: str) -> Fraction:
    """What products, quotients and sums of whole numbers come to, products first."""
    total, term = Fraction(0), Fraction(0)
    for part in _PART.finditer(working):
        number = Fraction(part["number"].replace(",", ""))
        if part["sign"] in ("", "+"):
            total, term = total + term, number
        elif part["sign"] in "/÷":
            term = term / number if number else Fraction(0)
        else:
            term *= number
    return total + term
