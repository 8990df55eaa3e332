"""Losses of printed numbers, called by their names: "MSE([0.9, 0.2], [1, 0])", "BCE(logit=2.4, target=1)".

They are written out, so that they are read as any formula. Of a cross-entropy's two numbers the target is the one that
is called so, or the only one that is 0 or 1; what is called a logit is taken through the sigmoid.
"""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.articles.article import Located

_NUMBER = r"[-−]?\d+(?:\.\d+)?"
_ROW = rf"\[\s*(?:{_NUMBER}(?:\s*,\s*{_NUMBER}){{0,15}})\s*\]|{_NUMBER}"
_TARGETS = ("target", "y", "label", "true", "y_true")
_NAME = r"(?:[a-z]\w{0,12}\s*=\s*)?"
_CALL = regex(
    rf"(?<![\w.^])(?:(?P<squares>MSE)|(?P<differences>MAE)|(?P<entropy>BCE))"
    rf"\(\s*(?P<first>{_NAME})(?P<a>{_ROW})\s*,\s*(?P<second>{_NAME})(?P<b>{_ROW})\s*\)"
)


def with_losses(line: Located) -> Located:
    """The line with such losses written out.

    >>> with_losses(Located.whole("MSE([0.9, 0.2], [1, 0]) = 0.025")).text
    '(((0.9)-(1))^2 + ((0.2)-(0))^2)/2 = 0.025'
    >>> with_losses(Located.whole("BCE(logit=2.4, target=1.0) ≈ 0.087")).text
    '-log(sigmoid(2.4)) ≈ 0.087'
    >>> with_losses(Located.whole("BCE(0, 0.2) = 0.223, BCE(0.3, 0.2)")).text
    '-log(1 - (0.2)) = 0.223, BCE(0.3, 0.2)'
    """
    return line.substitute(_CALL, _written_out) if "E(" in line.text else line


def _written_out(call: re.Match[str]) -> str | None:
    a, b = (re.findall(_NUMBER, call[group]) for group in ("a", "b"))
    if len(a) != len(b):
        return None
    if call["entropy"]:
        names = [call[group].partition("=")[0].strip() for group in ("first", "second")]
        return _entropy(a[0], b[0], names) if len(a) == 1 else None
    between = "(({0})-({1}))^2" if call["squares"] else "|({0})-({1})|"
    terms = " + ".join(between.format(x, y) for x, y in zip(a, b, strict=True))
    return f"({terms})/{len(a)}"


def _entropy(a: str, b: str, names: list[str]) -> str | None:
    """The cross-entropy of a probability and what it should be, 0 or 1."""
    sure = [number.rstrip("0").rstrip(".") in ("1", "") for number in (a, b)]
    called = [name in _TARGETS for name in names]
    if called.count(True) == 1:
        last = called[1]
    elif sure.count(True) == 1 and not any(names):
        last = sure[1]
    else:
        return None
    estimate, target, name = (a, b, names[0]) if last else (b, a, names[1])
    if not sure[int(last)]:
        return None
    of_logit = name.startswith("logit")
    if target.startswith("1"):
        return f"-log(sigmoid({estimate}))" if of_logit else f"-log({estimate})"
    return f"-log(1 - sigmoid({estimate}))" if of_logit else f"-log(1 - ({estimate}))"
