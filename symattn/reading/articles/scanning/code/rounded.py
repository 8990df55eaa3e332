"""What a program shows rounded: `print(w.round(decimals=3))` shows three decimals of w, though 0.6700 is printed."""

from __future__ import annotations

from typing import NamedTuple

from symattn.patterns import regex
from symattn.reading.articles.article import Located, join

_PLACES = r"\(\s*(?:decimals\s*=\s*)?(?P<after>\d+)\s*\)"
_SAME = r"(?:\.(?:copy|clone|detach|cpu|numpy|item|tolist)\(\))*"  # methods that keep the values
_ROUNDED = regex(
    r"(?:(?:(?:np|torch|jnp|tf)\.)?(?:round|around)\((?P<called>[^()]*(?:\([^()]*\)[^()]*)*),"
    r"\s*(?:decimals\s*=\s*)?(?P<places>\d+)\s*\)"
    rf"|(?P<value>[^\s()]+|.*\))\.round{_PLACES}){_SAME}"
)
_DECIMAL = regex(r"\d*\.(?P<decimals>\d+)(?:[eE](?P<power>[-+]?\d+))?")


class Shown(NamedTuple):
    """An expression of a program, and how many decimals of it are left where it is rounded before it is shown."""

    code: Located
    places: int | None = None

    def equation(self, printed: Located) -> Located | None:
        """That it is what was printed; None where that has more decimals than are left of it.

        >>> Shown(Located.whole("w"), 2).equation(Located.whole("[0.7300, 0.2700]")).text
        'w = [0.73, 0.27]'
        """
        if self.places is None:
            return join([self.code, printed.led_by(" = ")])
        surplus = list[tuple[int, int]]()
        for match in _DECIMAL.finditer(printed.text):
            start, end = match.span("decimals")
            first = max(start, start + self.places + int(match["power"] or 0))
            if printed.text[first:end].strip("0"):
                return None
            surplus += [(first, end)] if first < end else []
        return join([self.code, printed.without(surplus).led_by(" = ")])


def without_rounding(code: Located) -> Shown:
    """Code without the rounding of what is shown.

    >>> code, places = without_rounding(Located.whole("np.round(Q @ K.T, 3)"))
    >>> code.text, places
    ('Q @ K.T', 3)
    """
    rounded = _ROUNDED.fullmatch(code.text)
    if rounded is None:
        return Shown(code)
    within = "called" if rounded["called"] else "value"
    return Shown(code.cut(*rounded.span(within)), int(rounded["places"] or rounded["after"]))
