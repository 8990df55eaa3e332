"""Steps that an article names but writes no formula for: "Scaled Scores = [...]" after the scores.

Attention has a fixed order: scores, scaled, masked, weights, output. A printed matrix whose name says which of them it
is, and whose numbers are close to what that step gives, is held against it; any other is taken as given.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symattn import formula as f
from symattn.checking.judging import Definition, Printed, define
from symattn.checking.memory import Memory
from symattn.checking.reckoning import NotReckonedError
from symattn.values.balls import Balls
from symattn.values.printed import distance, size_of

# a word of a name -> the step that it names; the first that fits counts
WORDS = (
    ("mask", "masked"),
    ("scale", "scaled"),
    ("score", "scores"),
    ("weight", "weights"),
    ("softmax", "weights"),
    ("concat", "concat"),
    ("multi-head", "projection"),
    ("multihead", "projection"),
    ("context", "output"),
    ("head", "output"),
)
LETTERS = {"A": "weights"}
_ROOT = f.Root(f.Name("d", sub=("k",)))
CLOSE = 0.1  # of the largest entry: closer than any other step of the calculation comes by chance


class Roles:
    """Which of the expressions stated is the latest scores, scaled scores, masked scores, weights."""

    def __init__(self) -> None:
        self.latest: dict[str, f.Expression] = {}
        self._of: dict[f.Expression, str] = {}

    def logits(self) -> Iterator[f.Expression]:
        """What softmax may have been taken of, the latest step first."""
        for before in ("masked", "scaled"):
            if before in self.latest:
                yield self.latest[before]
        if "scores" in self.latest and not self.latest.keys() & {"masked", "scaled"}:
            yield f.Quotient(self.latest["scores"], _ROOT)

    def note(self, key: f.Expression, formulas: list[f.Expression]) -> None:
        """Remember the role of something stated, by its name or by its formula."""
        role = named_role(key) or next((r for e in (key, *formulas) if (r := self.role(e)) is not None), None)
        if role is not None:
            self._of[key] = role
            self.latest[role] = key
            if role == "scores":  # a new head begins
                for later in ("scaled", "masked", "weights"):
                    self.latest.pop(later, None)

    def role(self, expression: f.Expression) -> str | None:
        """The role of a formula, by its shape."""
        if expression in self._of:
            return self._of[expression]
        if isinstance(expression, f.Call):
            return "weights" if expression.function == "softmax" else None
        if isinstance(expression, f.Sum):
            roles = {self.role(t) for t in expression.terms}
            return "masked" if roles & {"scaled", "scores"} and len(expression.terms) == 2 else None
        if isinstance(expression, f.Quotient):
            return "scaled" if self.role(expression.numerator) == "scores" else None
        if isinstance(expression, f.Product):
            first, last = expression.factors[0], expression.factors[-1]
            if self.role(first) == "weights":
                return "output"
            if isinstance(last, f.Transpose):
                return "scores"
            return "scaled" if self.role(last) == "scores" and len(expression.factors) == 2 else None
        return None


def named_role(key: f.Expression) -> str | None:
    """The step that a name says it is.

    >>> named_role(f.Name("Masked Scores")), named_role(f.Name("W", sup=("Q",)))
    ('masked', None)
    """
    if not isinstance(key, f.Name):
        return None
    words = " ".join((key.base, *key.sub)).lower()
    if len(words) > 1 and (role := next((role for word, role in WORDS if word in words), None)) is not None:
        return role
    return LETTERS.get(key.base) if not any(i.isdigit() for i in key.sub) else None


def implied_definition(name: f.Expression, printed: Printed, roles: Roles, memory: Memory) -> Definition | None:
    """The formula of the step that a name says it is, if the numbers bear it out."""
    role = named_role(name)
    for formula in _formulas(role, printed, roles, memory) if role is not None else ():
        try:
            definition = define(formula, memory)
        except NotReckonedError:
            continue
        if borne_out(definition, printed, memory):
            return definition
    return None


def _formulas(role: str, printed: Printed, roles: Roles, memory: Memory) -> Iterator[f.Expression]:
    latest = roles.latest
    if role == "scaled" and "scores" in latest:
        yield f.Quotient(latest["scores"], _ROOT)
    if role == "masked" and (mask := _causal_mask(printed)) is not None:
        for before in ("scaled", "scores"):
            if before in latest:
                yield f.Sum((latest[before], mask), (1, 1))
    if role == "weights":
        yield from (f.Call("softmax", (logits,)) for logits in roles.logits())
    if role == "output" and "weights" in latest and f.Name("V") in memory.stated:
        yield f.Product((latest["weights"], f.Name("V")), ("@",))
    if role == "projection" and "concat" in latest:
        for name in (f.Name("W", sub=("O",)), f.Name("W", sup=("O",))):
            yield f.Product((latest["concat"], name), ("@",))


def spelled_out(expression: f.Expression, roles: Roles, memory: Memory) -> f.Expression:
    """The expression with the weights that were named but never stated put in as the softmax that they are."""
    if isinstance(expression, f.Name):
        unknown = named_role(expression) == "weights" and len(expression.base) > 1 and not memory.knows(expression)
        logits = next(roles.logits(), None) if unknown else None
        return expression if logits is None else f.Call("softmax", (logits,))
    if isinstance(expression, f.Product):
        return f.Product(tuple(spelled_out(x, roles, memory) for x in expression.factors), expression.operators)
    return expression


def _causal_mask(printed: Printed) -> f.Expression | None:
    """0 and −∞ where the print has numbers and −∞, if it hides what comes later and nothing else."""
    causal = all((v is None) == (j > i) for i, row in enumerate(printed.values) for j, v in enumerate(row))
    if not causal or printed.shape[0] < 2:
        return None
    zero = f.Number("0", Fraction(0), Fraction(1))
    return f.Matrix(tuple(tuple(f.Infinity(-1) if v is None else zero for v in row) for row in printed.values))


def borne_out(definition: Definition, printed: Printed, memory: Memory) -> bool:
    """Whether every printed number is close to the one that the formula gives, for true values or printed ones."""
    latest = {k: memory.stated[k].prints[-1].printed for k in definition.used if memory.stated[k].prints}
    try:
        values = [definition.true, definition.reckoned(memory, latest)]
    except NotReckonedError:
        values = [definition.true]
    return len(printed.places()) >= 4 and any(_close(value, printed) for value in values)


def _close(value: Balls, printed: Printed) -> bool:
    if value.shape != printed.shape:
        return False
    largest = size_of(value)
    for i, j in printed.places():
        number = printed.values[i][j]
        if (number is None) != ((i, j) in value.hidden):
            return False
        if number is not None and distance(value.rows[i][j], number) > CLOSE * largest:
            return False
    return True
