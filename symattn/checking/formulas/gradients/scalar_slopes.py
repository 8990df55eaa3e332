"""Derivatives of functions of one number: σ′(x) = σ(x)(1 − σ(x)), d/dx GELU(x) = Φ(x) + xφ(x)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.mending import Outcome, compare_at, judge_sides
from symattn.checking.formulas.trials.variant import has_decimals
from symattn.checking.models.conditions import is_otherwise, sign_in
from symattn.checking.models.equations import Difference
from symattn.checking.models.evaluate import Model, Scope, UnsettledError, evaluate
from symattn.checking.models.primes import NAMED, Defined, as_slope, variable_of, with_applications, with_primes
from symattn.checking.models.rings import Numbers, Slopes, free_number, slope_by
from symattn.checking.models.tensors import MisfitError, Tensor, Tensors
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

DEEPEST = 12
_CONSTANTS = "αβλ"  # parameters of a function, Swish's β and the slope of LeakyReLU
_LOSSES = frozenset("LJE")
# what is known of functions of the field, by the functions that enclosures have
_KNOWN = {
    "gelu": r"\frac{1}{2} x (1 + \text{erf}(\frac{x}{\sqrt{2}}))",
    "silu": r"x \sigma(x)",
    "swish": r"x \sigma(x)",
    "softplus": r"\log(1 + e^x)",
    "φ": r"\frac{1}{\sqrt{2\pi}} e^{-\frac{x^2}{2}}",
    "Φ": r"\frac{1}{2} (1 + \text{erf}(\frac{x}{\sqrt{2}}))",
}
_LOGISTIC = regex(r"sigmoid|logistic", re.IGNORECASE)
_NORMAL = regex(r"gelu|normal|gauss|正态|高斯", re.IGNORECASE)
UNSETTLED = ("", f.Dots())  # of a letter that is defined in more than one way


def judge_scalar_slope(statement: Statement, context: Context) -> Formula | None:
    """What the derivative of a function of one number is said to be, where the function is known or defined."""
    text = statement.passage.text
    defined = context.once(find_defined)
    sides = [as_slope(side.expression, text) for side in statement.sides if side.expression in statement.equals]
    if sides and isinstance(own := sides[0], f.Name) and own.sup == ("′",):
        variable = variable_of(own.base, defined)
        sides = sides if variable is None else [with_primes(own, variable, defined), *sides[1:]]
    if len(sides) < 2 or len(sides) != len(statement.sides) or not isinstance(sides[0], f.Derivative):
        return None
    by, of = sides[0].by, sides[0].of
    if not isinstance(by, f.Name) or by.sub or by.sup or (isinstance(of, f.Name) and of.base in _LOSSES):
        return None
    usual = {letter: made for letter, made in defined.items() if letter not in _KNOWN}

    def compare(changed: Sequence[f.Expression]) -> Outcome:
        sloped = [with_primes(as_slope(with_applications(side, defined), text), by, defined) for side in changed]
        found = [settle(sloped, by, own) for own in (defined, usual)]
        return True if any(each is True for each in found) else None if None in found else found[0]

    if any(map(is_doubtful, sides)):
        return None
    if not any(isinstance(part, f.Name) for part in f.walk(sides[-1])) and compare(statement.equals) is not True:
        chain = statement.chain  # 2x − 4 = 0 asks for x; that the derivative is 2x − 4 is what is stated
        if len(sides) == 2 or len(chain.sides) == 1:
            return None
        statement = replace(statement, chain=f.Chain(chain.sides[:-1], chain.start, chain.sides[-2].end))
    if not _is_settled(sides, defined, context) and compare(statement.equals) is not True:
        return None
    return judge_sides(statement, compare, "theorem.scalar_slope", "theorem.scalar_slope_fails")


def _is_settled(sides: Sequence[f.Expression], defined: Defined, context: Context) -> bool:
    """Whether letters are said to be the functions that they usually are: φ may be any, and σ any activation."""
    parts = [part for side in sides for part in f.walk(side)]
    used = {part.function for part in parts if isinstance(part, f.Call)}
    used |= {part.base for part in parts if isinstance(part, f.Name)}
    if used & {"φ", "Φ"} and not context.mentions(_NORMAL):
        return False
    return not used & {"σ", "sigma", "sigmoid"} or "sigma" in defined or context.mentions(_LOGISTIC)


def is_doubtful(side: f.Expression) -> bool:
    """Whether a logarithm of another base is in it, or sin 2x, of which only 2 was read as the argument."""
    for part in f.walk(side):
        if isinstance(part, f.Call) and part.label:
            return True
        if isinstance(part, f.Product):
            for k, (first, second) in enumerate(pairwise(part.factors)):
                cut = isinstance(first, f.Call) and all(isinstance(x, f.Number) for x in first.arguments)
                if cut and isinstance(second, f.Name) and not part.operators[k]:
                    return True
    return False


def find_defined(article: Article, statements: Sequence[Statement]) -> dict[str, tuple[str, f.Expression]]:
    """What letters and functions of one number are defined to be, each in one way alone: the letter of the argument."""
    found: dict[str, list[tuple[str, f.Expression]]] = {}
    for statement in statements:
        sides = statement.equals
        if len(sides) < 2:
            continue
        left, right = sides[0], sides[1]
        if isinstance(left, f.Name) and not left.sub and not left.sup:
            found.setdefault(left.base, []).append(("", right))
        left = _as_function(left)
        if isinstance(left, f.Call) and len(left.arguments) == 1 and isinstance(left.arguments[0], f.Name):
            found.setdefault(left.function, []).append((left.arguments[0].base, right))
    return {letter: made[0] if made.count(made[0]) == len(made) else UNSETTLED for letter, made in found.items()}


def _as_function(left: f.Expression) -> f.Expression:
    """u(x), which is read as a product where u is no function that is known."""
    match left:
        case f.Product((f.Name(base, (), ()) as name, f.Name() as x), ("",)) if x.start == name.end + 1:
            return f.Call(base, (x,), start=left.start, end=left.end)
    return left


class ScalarModel(Model):
    """A number x, with slope 1 in the ring of slopes, and what is made of it."""

    def __init__(self, by: f.Name, defined: Defined, seed: int, slope: bool = False, called: bool = False) -> None:
        self.by, self.defined, self.seed, self.slope = by, defined, seed, slope
        ring = Slopes() if slope else Numbers()
        self.tensors = Tensors(ring)
        point = (Fraction(7, 5), Fraction(-3, 4), Fraction(2, 3))[seed]
        value = Numbers().number(point)
        made = free_number(value, 0, 1) if slope else value
        self.x = self.tensors.make((), lambda: made)
        self.called = called  # whether functions have arguments in the statement: then a bare name is no function of x
        self.sizes: Mapping[str, int] = {}
        self.drawn: dict[str, Tensor] = {by.base: self.x}
        self.depth = 0

    def value(self, name: f.Name, scope: Scope) -> Tensor:
        if name == self.by:
            return self.x
        if name.sub or name.sup or self.depth > DEEPEST:
            raise UnsettledError(name.base)
        if name.base in self.defined and self.defined[name.base][0] in ("", self.by.base):
            return self._deeper(self.defined[name.base][1], scope)
        if name.base in NAMED and not self.called:
            return self._applied(NAMED[name.base], self.x, scope)
        if name.base == "π":
            return self._pi()
        if name.base in _CONSTANTS and name.base not in self.defined:
            return self.tensors.number(Fraction(_CONSTANTS.index(name.base) + 5, 4))
        raise UnsettledError(name.base)

    def _pi(self) -> Tensor:
        """4 arctan 1, as an enclosure."""
        ring = self.tensors.ring
        value = Numbers().number(Fraction(1)).atan() * 4
        made = (value, None) if isinstance(ring, Slopes) else value
        return self.tensors.make((), lambda: made)

    def _deeper(self, e: f.Expression, scope: Scope) -> Tensor:
        self.depth += 1
        try:
            return evaluate(e, scope)
        finally:
            self.depth -= 1

    def special(self, e: f.Expression, scope: Scope) -> Tensor | None:
        if isinstance(e, f.Product) and any(map(_is_applied, e.factors, e.factors[1:], e.operators)):
            raise UnsettledError("function")  # a function's name beside its argument, no product
        if isinstance(e, f.Cases):
            return self._case(e, scope)
        if isinstance(e, f.Call) and len(e.arguments) == 1 and (e.function in _KNOWN or e.function in self.defined):
            return self._applied(e.function, evaluate(e.arguments[0], scope), scope)
        if isinstance(e, f.Call) and e.function == "erf" and len(e.arguments) == 1:
            return self.tensors.apply("erf", evaluate(e.arguments[0], scope))
        return None

    def _case(self, e: f.Cases, scope: Scope) -> Tensor:
        """The value of the first case in whose range x is: x > 0 and x ≤ 0."""
        point = self.x.at()[0] if self.slope else self.x.at()
        for value, condition in zip(e.values, e.conditions, strict=True):
            if is_otherwise(condition) or sign_in(condition, self.by.base) == (1 if point > 0 else -1):
                return evaluate(value, scope)
        raise UnsettledError("cases")

    def _applied(self, function: str, x: Tensor, scope: Scope) -> Tensor:
        """A function by the article's own formula, or by the known one, of any argument."""
        letter, body = self.defined.get(function, ("", None))
        if (body is not None and not letter) or self.depth > DEEPEST:
            raise UnsettledError(function)  # φ = tanh, defined in two ways, or two by each other
        if not letter and function in _KNOWN:
            letter, body = "x", f.parse(_KNOWN[function], algebra=True)[0].sides[0].expression
        if not letter or body is None:
            if function in ("sigmoid", "tanh"):
                return evaluate(f.Call(function, (self.by,)), scope)
            raise UnsettledError(function)
        inner = type(self)(f.Name(letter), self.defined, self.seed, self.slope)
        inner.x, inner.depth = x, self.depth + 1
        return evaluate(body, Scope(inner))

    def derivative(self, e: f.Derivative, scope: Scope) -> Tensor:
        if self.slope or e.by != self.by or not self._depends(e.of):
            raise UnsettledError("derivative")
        raised = type(self)(self.by, self.defined, self.seed, slope=True)
        slope = evaluate(e.of, Scope(raised))
        if not slope.is_number:
            raise UnsettledError("derivative")
        return self.tensors.make((), lambda: slope_by(slope.at(), 0))

    def _depends(self, e: f.Expression) -> bool:
        """Whether the number is in what is differentiated: y = 3 · 2 is y at a point, and no function."""
        seen, waiting = set[str](), [e]
        while waiting:
            names = {part for part in f.walk(waiting.pop()) if isinstance(part, f.Name)}
            if self.by in names or any(name.base in NAMED for name in names):
                return True
            new = {name.base for name in names} - seen
            seen |= new
            made = [self.defined[letter] for letter in new & {*self.defined}]
            waiting += [body for argument, body in made if argument in ("", self.by.base)]
        return False


def _is_applied(left: f.Expression, right: f.Expression, operator: str) -> bool:
    """Whether a function's name, or a power of it, stands before a letter without a sign of multiplication."""
    name = left.base if isinstance(left, f.Power) else left
    return not operator and isinstance(name, f.Name) and name.base in NAMED and isinstance(right, f.Name)


def settle(
    sides: Sequence[f.Expression], by: f.Name, defined: Defined
) -> Literal[True] | tuple[ScalarModel, Difference | MisfitError] | None:
    """True where all sides agree at both points; None where a letter is not settled or decimals are rounded.

    One point is negative, if roots and logarithms leave anything to compare there.
    """
    rooted = any(
        isinstance(part, f.Root) for side in (*sides, *(e for _, e in defined.values())) for part in f.walk(side)
    )
    parts = [part for side in sides for part in f.walk(side)]
    named = {NAMED[part.base] for part in parts if isinstance(part, f.Name) and part.base in NAMED}
    called = any(isinstance(part, f.Call) and part.function in named for part in parts)
    seeds = (0, 2) if rooted else (0, 1)
    found = compare_at((ScalarModel(by, defined, seed, called=called) for seed in seeds), list(pairwise(sides)))
    if found is None or found is True:
        return found
    difference = found[1]
    if isinstance(difference, MisfitError):
        return None
    return None if abs(difference.left - difference.right) < 0.05 and any(map(has_decimals, sides)) else found
