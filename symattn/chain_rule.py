"""What is said of a step of the backward pass: why it is so, and the same by rows and by entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.document import (
    Block,
    Box,
    Cell,
    Chain,
    Equation,
    Formula,
    Listed,
    Paragraph,
    Power,
    Quotient,
    Row,
    Signed,
    Style,
    Symbol,
    Total,
    write,
)
from symattn.nodes import Block as Part
from symattn.nodes import (
    CapSlope,
    ColumnSum,
    ConcatHeads,
    Hadamard,
    HeadColumns,
    HeadRows,
    Member,
    Plus,
    RowSum,
    Scaled,
    SubtractColumn,
    SumGroup,
    SumHeads,
    divisor,
)
from symattn.prose import Sentence
from symattn.steps import Program, Step

_SUMMED = ("k", "l", "p", "q")


@dataclass(frozen=True)
class Transposed:
    """A row turned into a column; in brackets where it is raised already."""

    row: Box

    def write(self, style: Style) -> str:
        name = self.row.write(style)
        name = f"({name})" if "^" in name else name
        return style.power(name, style.notation.transpose) if style.target == "latex" else f"{name}ᵀ"


@dataclass(frozen=True)
class Brackets:
    """What is taken together."""

    inside: Cell

    def write(self, style: Style) -> str:
        return f"({write(self.inside, style)})"


def title(step: Step) -> Sentence:
    """What a backward step is called."""
    if step.by is None:
        return Sentence("title.delta")
    return Sentence("title.gradient_by", symbol=Formula(step.by))


def purpose(step: Step, program: Program) -> Sentence:
    """Why a backward step is what it is: the rule, and the forward steps that it is applied to."""
    e = step.expression.args[0] if isinstance(step.expression, Scaled) else step.expression
    by = Formula(step.by)
    if step.by is None:
        return Sentence("step.delta", i=Symbol(_letters(step)[0]))
    if e == _upstream(program):
        return Sentence("step.gradient.given", symbol=by, upstream=Formula(e))
    if is_softmax(step.expression):
        return Sentence("step.gradient.softmax", symbol=by, weights=Formula(e.args[0]))
    kind = f"gradient.{_RULES.get(type(e), 'other')}"
    if isinstance(e, Hadamard) and isinstance(e.args[1], CapSlope):
        kind = "gradient.cap"
    return Sentence(f"step.{kind}", symbol=by, uses=Listed(tuple(_uses(step.by, program))))


_RULES: dict[type, str] = {
    MatMul: "product", Plus: "sum", SumHeads: "heads", SumGroup: "group", ConcatHeads: "blocks", ColumnSum: "bias",
    HeadColumns: "part", HeadRows: "part", Part: "part", MatrixSymbol: "same", Transpose: "transpose",
}  # fmt: skip


def _upstream(program: Program) -> MatrixSymbol:
    """The gradient that all others follow from: what the first backward step is equal to."""
    return next(s.expression for s in program if s.by is not None)


def _uses(by: Any, program: Program) -> Iterator[Chain]:
    """The forward steps in which a matrix is used, as formulas."""
    for step in program:
        if step.by is None and not is_delta(step) and step.expression.has(by):
            yield Chain((("", Formula(step.symbol)), ("=", Formula(step.expression))))


def is_backward(step: Step) -> bool:
    """Whether a step belongs to a backward pass."""
    return step.by is not None or is_delta(step)


def is_delta(step: Step) -> bool:
    """Whether a step is the row sums that the gradient of a softmax needs."""
    return step.name.rpartition(".")[2].partition("_")[0] == "delta"


def is_softmax(expression: Any) -> bool:
    """Whether a gradient is that of a softmax: A ∘ (dA − δ1ᵀ)."""
    return isinstance(expression, Hadamard) and isinstance(expression.args[1], SubtractColumn)


def forms(step: Step) -> Iterator[Block]:
    """A backward step by rows and by entries, as far as it has these forms; for a softmax, how it comes about."""
    if is_softmax(step.expression):
        yield from _jacobian(step)
        return
    if isinstance(step.expression, MatrixSymbol):
        return
    i, j = _letters(step)
    made = _outer(step) or row(step.expression, i)
    if made is not None:
        outer = _outer(step) is not None
        left: Box = Formula(step.symbol) if outer or step.shape[0] == 1 else vector(step.symbol, i)
        yield Paragraph((Sentence("outer_products" if outer else "per_token"),))
        yield Equation((Chain((("", left), ("=", made))),))
    single = entry(step.expression, i, j)
    if single is not None:
        place = (i,) if step.shape[1] == 1 else (j,) if step.shape[0] == 1 else (i, j)
        yield Paragraph((Sentence("entrywise"),))
        yield Equation((Chain((("", Indexed(step.symbol, place)), ("=", single))),))


def _letters(step: Step) -> tuple[str, str]:
    """The indices of a row and a column: i is the number of the head in a family."""
    return "i", "j"


def vector(matrix: Any, i: str) -> Box:
    """Row i of a matrix, by the lower-case letter: q_i for Q, dq_i for dQ."""
    name = str(getattr(matrix, "name", ""))
    letter = name[1:] if name.startswith("d") else name
    if isinstance(matrix, MatrixSymbol) and len(letter) == 1:
        return Symbol(name[: len(name) - 1] + letter.lower(), (i,))
    return Indexed(matrix, (i,))


def _is_named(matrix: Any) -> bool:
    return isinstance(matrix, MatrixSymbol | Member)


def row(e: Any, i: str) -> Box | None:
    """Row i of an expression as a vector; None where it has no such form."""
    j = "j" if i == "i" else "s"
    match e:
        case MatrixSymbol() | Member() if e.shape[0] != 1:
            return vector(e, i)
        case Scaled():
            return _scaled(row(e.args[0], i), e)
        case MatMul() if len(e.args) == 2:
            left, right = e.args
            if isinstance(left, Transpose) and _is_named(left.arg) and _is_named(right):
                return Over("sum", j, Row((Indexed(left.arg, (j, i)), vector(right, j))))
            if _is_named(left) and _is_named(right):
                return Over("sum", j, Row((Indexed(left, (i, j)), vector(right, j))))
            return Row((vector(left, i), Formula(right))) if _is_named(left) else None
        case Plus():
            return _added([row(a, i) for a in e.args])
    return None


def _outer(step: Step) -> Box | None:
    """The gradient by a weight matrix, XᵀdQ, as the sum of the outer products of inputs and gradients of tokens."""
    e, i = step.expression, _letters(step)[0]
    name = str(getattr(step.by, "name", ""))
    if name.startswith("W") and isinstance(e, MatMul) and len(e.args) == 2 and isinstance(e.args[0], Transpose):
        left, right = e.args[0].arg, e.args[1]
        if _is_named(left) and _is_named(right):
            return Over("sum", i, Row((Transposed(vector(left, i)), vector(right, i))))
    return None


def _scaled(box: Box | None, e: Scaled) -> Box | None:
    below = divisor(e.factor)
    if box is None:
        return None
    if below is None:
        return Row((Formula(e.factor), box))
    return Row((Quotient("1", Formula(below)), box)) if isinstance(box, Total) else Quotient(box, Formula(below))


def _added(terms: Sequence[Box | None]) -> Box | None:
    found = [t for t in terms if t is not None]
    return Signed(tuple(("+", t) for t in found)) if len(found) == len(terms) else None


def _jacobian(step: Step) -> Iterator[Block]:
    """The softmax Jacobian, derived: the quotient rule for one weight, then the chain rule over its row."""
    i, j = _letters(step)
    k, p = ("k", "p") if i == "i" else ("t", "p")
    A, difference = step.expression.args
    dA, delta = difference.args
    Z, dZ = step.by, step.symbol
    at = Indexed
    power = Power("e", at(Z, (i, j)))
    total = Over("sum", p, Power("e", at(Z, (i, p))))
    same = Row(("[", Symbol(j), "=", Symbol(k), "]"))
    slope = Quotient(Row((Symbol("partial"), at(A, (i, j)))), Row((Symbol("partial"), at(Z, (i, k)))))
    yield Paragraph((Sentence("jacobian.weight"),))
    yield Equation((Chain((("", at(A, (i, j))), ("=", Quotient(power, Symbol("ell", (i,)))))),
                    Chain((("", Symbol("ell", (i,))), ("=", total)))))  # fmt: skip
    yield Paragraph((Sentence("jacobian.quotient", same=same, j=Symbol(j), k=Symbol(k)),))
    other = Power("e", at(Z, (i, k)))
    numerator = Signed((("+", Row((same, power, Symbol("ell", (i,))))), ("-", Row((power, other)))))
    inside = Brackets(Signed((("+", same), ("-", at(A, (i, k))))))
    squared = Power(Symbol("ell", (i,)), "2")
    yield Equation((
        Chain((("", slope), ("=", Quotient(numerator, squared)), ("=", Row((at(A, (i, j)), inside))))),
    ))  # fmt: skip
    yield Paragraph((Sentence("jacobian.chain"),))
    product = Row((at(dA, (i, j)), at(A, (i, j)), inside))
    mean = Over("sum", j, Row((at(A, (i, j)), at(dA, (i, j)))))
    less = Brackets(Signed((("+", at(dA, (i, k))), ("-", mean))))
    yield Equation((
        Chain((
            ("", at(dZ, (i, k))), ("=", Over("sum", j, Row((at(dA, (i, j)), slope)))), ("=", Over("sum", j, product)),
            ("=", Row((at(A, (i, k)), less))),
            ("=", Row((at(A, (i, k)), Brackets(Signed((("+", at(dA, (i, k))), ("-", at(delta, (i,)))))))),),
        )),
    ))  # fmt: skip
    yield Paragraph((Sentence("jacobian.row"),))
    a, da = vector(A, i), vector(dA, i)
    matrix = Signed((("+", Row((Symbol("diag"), Brackets(a)))), ("-", Row((Transposed(a), a)))))
    yield Equation((Chain((("", vector(dZ, i)), ("=", Row((da, Brackets(matrix)))))),))
