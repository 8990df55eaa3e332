"""How many there are of something: a polynomial in sizes, written as people write it, 4 n d² + 2 n² d."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol

from symattn.writing.document import Style

_FIRST = ("b", "h", "g", "n", "m", "d_model", "d_k", "d_v", "d_out")  # the order of the factors of a product
_LEADING = ("d_model", "d_k", "d_v", "d_out", "n", "m")  # what a sum is ordered by
_MOST_TERMS = 3  # a sum of more than these shows what they share in front of brackets
Powers = dict[Symbol, int]
Term = tuple[Rational, Powers]


@dataclass(frozen=True)
class Amount:
    """A polynomial (negative powers allowed): few terms added up, many with what they share in front.

    >>> from symattn.writing.writers.text_style import TextStyle
    >>> n, h = sympy.symbols("n h")
    >>> Amount(n * h + 3 * n**2).write(TextStyle()), Amount(n * h - n).write(TextStyle())
    ('3 n² + h n', 'n (h − 1)')
    """

    expression: Expr

    def write(self, style: Style) -> str:
        terms = _terms(self.expression)
        if terms is None:
            return style.expression(self.expression)
        plain = all(c >= 0 and c.q == 1 for c, _ in terms) and len(terms) <= _MOST_TERMS
        if len(terms) == 1 or plain:
            return _sum(terms, style)
        (number, powers), rest = _share(terms)
        before = _product((Rational(number.p), _where(powers, 1)), style, one=False)
        below = _product((Rational(number.q), {s: -e for s, e in _where(powers, -1).items()}), style, one=False)
        inside = _sum(rest, style)
        if before:
            inside = f"{before} ({inside})"
        if style.target == "text" and before and below.isdigit():
            return f"{inside}/{below}"  # no more brackets than n (n + 1)/2 needs
        return style.fraction(inside, below) if below else inside


def _terms(expression: Expr) -> list[Term] | None:
    """The terms, highest degree first; None where one is no product of powers of sizes."""
    found: list[Term] = []
    for term in sympy.Add.make_args(sympy.expand(expression)):
        number, rest = term.as_coeff_Mul()
        powers: dict[Any, Any] = {} if rest == 1 else dict(rest.as_powers_dict())
        if not number.is_Rational or not all(s.is_Symbol and e.is_Integer for s, e in powers.items()):
            return None
        found.append((number, {s: int(e) for s, e in powers.items()}))
    return sorted(found, key=_rank)


def _rank(term: Term) -> tuple[Any, ...]:
    powers = {s.name: e for s, e in term[1].items()}
    return (-sum(powers.values()), *(-powers.get(name, 0) for name in _LEADING), str(sorted(powers.items())))


def _share(terms: Sequence[Term]) -> tuple[Term, list[Term]]:
    """What all terms share, and what is left of them; of many terms each keeps its own fraction, since lines break
    between terms but never in a fraction."""
    number = reduce(sympy.gcd, [abs(c) for c, _ in terms])
    symbols = {s for _, powers in terms for s in powers}
    least = {s: min(powers.get(s, 0) for _, powers in terms) for s in symbols}
    if len(terms) > 2:
        number = number if number.q == 1 else Rational(1)
        least = {s: max(e, 0) for s, e in least.items()}
    rest = [(c / number, {s: powers.get(s, 0) - least[s] for s in symbols}) for c, powers in terms]
    return (number, least), sorted(rest, key=lambda term: (bool(term[0] < 0), _rank(term)))


def _sum(terms: Sequence[Term], style: Style) -> str:
    out = ""
    for number, powers in terms:
        sign = f" {style.minus if number < 0 else '+'} " if out else style.minus if number < 0 else ""
        out += sign + _term((abs(number), powers), style)
    return out


def _term(term: Term, style: Style) -> str:
    number, powers = term
    below = _product((Rational(number.q), {s: -e for s, e in _where(powers, -1).items()}), style, one=False)
    above = _product((Rational(number.p), _where(powers, 1)), style, one=True)
    return style.fraction(above, below) if below else above


def _where(powers: Powers, sign: int) -> Powers:
    return {s: e for s, e in powers.items() if e * sign > 0}


def _product(term: Term, style: Style, *, one: bool) -> str:
    """A number and powers side by side; a lone 1 is written only if `one` asks for it."""
    number, powers = term
    names = sorted(powers, key=lambda s: (_FIRST.index(s.name) if s.name in _FIRST else len(_FIRST), s.name))
    factors = [style.name(s.name) if powers[s] == 1 else style.power(style.name(s.name), str(powers[s])) for s in names]
    if number != 1 or (not factors and one):
        factors.insert(0, str(number))
    return " ".join(factors)
