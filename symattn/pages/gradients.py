"""What is said of a step of the backward pass: why it is so, and the same by rows and by entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatMul, Transpose

from symattn.nodes import (
    AdditiveSlope,
    Largest,
    Masked,
    Member,
    Plus,
    Scaled,
    SinkSoftmax,
    StateAttention,
    SumGroup,
    SumHeads,
    divisor,
    over_heads,
)
from symattn.nodes.boxes import CIRCLE, multiple
from symattn.pages.numbers.entries import Expansion
from symattn.pages.numbers.indexed import vector
from symattn.program.steps import Program, Step
from symattn.writing.document import (
    Block,
    Box,
    Cell,
    Chain,
    Equation,
    Formula,
    Listed,
    Over,
    Paragraph,
    Power,
    Product,
    Quotient,
    Row,
    Signed,
    Style,
    Symbol,
    write,
)
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Transposed:
    """A row turned into a column; in brackets where it is raised already."""

    row: Box

    def write(self, style: Style) -> str:
        name = self.row.write(style)
        name = f"({name})" if "^" in name else name
        return style.transposed(name)


@dataclass(frozen=True)
class Brackets:
    """What is taken together."""

    inside: Cell

    def write(self, style: Style) -> str:
        return f"({write(self.inside, style)})"


# steps of a backward pass that are no gradient
_BETWEEN = {
    "delta": "step.delta",
    "slopes.threshold": "step.slopes.threshold",
    "slopes.sigmoid": "step.slopes.sigmoid",
    "handed": "step.handed",
}
_TITLES = {"delta": "title.delta", "slopes": "title.slopes", "handed": "title.handed"}


def title(step: Step) -> Sentence:
    """What a backward step is called."""
    if step.by is None:
        return Sentence(_TITLES[step.role])
    return Sentence("title.gradient_by", symbol=Formula(step.by))


def purpose(step: Step, program: Program) -> Sentence:
    """Why a backward step is what it is: the rule, and the forward steps that it is applied to."""
    if step.by is None:
        return Sentence(_BETWEEN[step.because], i=Symbol("i"))
    fields: dict[str, Box] = {"symbol": Formula(step.by)}
    if step.because == "given":
        fields["upstream"] = Formula(step.expression)
    elif is_of_softmax(step):
        fields["weights"] = Formula(_softmax_part(step).args[0])
    else:
        fields["uses"] = Listed(tuple(_uses(step.by, program)))
    return Sentence(f"step.gradient.{_rule(step, program)}", **fields)


def _rule(step: Step, program: Program) -> str:
    """The rule that a gradient follows: apart where a factor enters transposed, and where a threshold is squared."""
    if step.because == "threshold" and getattr(step.expression, "factor", -1) != -1:
        return "threshold.squared"
    if step.because != "product":
        return step.because
    turned = Transpose(step.by)
    uses = [s.expression for s in program if not is_backward(s) and s.expression.has(step.by)]
    return "product.transposed" if uses and all(e.has(turned) for e in uses) else "product"


def folded(step: Step, program: Program) -> Iterator[Sentence]:
    """What lies between the scores that a step gets its gradient from and those that have a gradient of their own."""
    by_product = step.by is not None and step.because == "product"
    uses = [s for s in program if not is_backward(s) and s.expression.has(step.by)] if by_product else []
    if len(uses) != 1 or uses[0].role != "scores":
        return
    scores, arrived = uses[0].symbol, next((s for s in program if s.by and step.expression.has(s.symbol)), None)
    if arrived is None:
        return
    between = list(_way(scores, arrived.by, program))
    masked = any(isinstance(e, Masked | Largest) for e in between)
    scaled = isinstance(step.expression, Scaled)
    if masked or scaled:
        key = "gradient.folded" if masked and scaled else "gradient.folded.mask" if masked else "gradient.folded.scale"
        gradient = Scaled(arrived.symbol, step.expression.factor) if scaled else arrived.symbol
        yield Sentence(key, scores=Formula(scores), gradient=Formula(gradient))


def _way(start: Any, end: Any, program: Program) -> Iterator[Any]:
    """What is made of a matrix, one after the other, until another is reached."""
    while start != end:
        step = next((s for s in program if s.expression.args[:1] == (start,) and not is_backward(s)), None)
        if step is None:
            return
        yield step.expression
        start = step.symbol


def _uses(by: Any, program: Program) -> Iterator[Chain]:
    """The forward steps in which a matrix is used, as formulas; what is used in turns, in their closed form."""
    forward = [s for s in program if not is_backward(s)]
    closed = [(s.symbol, s.equals) for s in forward if not isinstance(s.equals, StateAttention)]
    whole = [(symbol, form) for symbol, form in closed if form is not None and form.has(by)]
    forward = [s for s in forward if not whole or s.family not in ("token", "block")]
    used = [(s.symbol, s.expression) for s in forward if s.expression.has(by)]
    for symbol, expression in used or whole:
        yield Chain((("", Formula(symbol)), ("=", Formula(expression))))


def is_backward(step: Step) -> bool:
    """Whether a step belongs to a backward pass."""
    return step.by is not None or step.because in _BETWEEN


def is_of_softmax(step: Step) -> bool:
    """Whether a step is the gradient of a softmax: A ∘ (dA − δ1ᵀ), or this in the rows that see a key."""
    return step.because in ("softmax", "softmax.seen")


def _softmax_part(step: Step) -> Any:
    return step.expression.args[0] if step.because == "softmax.seen" else step.expression


def forms(step: Step, expansion: Expansion) -> Iterator[Block]:
    """A backward step by rows and by entries, as far as it has these forms; for a softmax, how it comes about."""
    if is_of_softmax(step):
        yield from _jacobian(step, _softmax_part(step), expansion.program)
        return
    if isinstance(step.expression, MatrixSymbol):
        return
    outer = _outer(step)
    made = outer or _row(step.expression)
    if made is not None:
        left = Formula(step.symbol) if outer is not None else vector(step.symbol, "i")
        yield Paragraph((Sentence("outer_products" if outer is not None else "per_token"),))
        yield Equation((Chain((("", left), ("=", made))),))
    entry = expansion.by_index(step, "" if step.shape[0] == 1 else "i", "j")
    if entry is not None:
        yield Paragraph((Sentence("entrywise"),))
        yield Equation((entry,))


def _is_named(matrix: Any) -> bool:
    return isinstance(matrix, MatrixSymbol | Member)


def _at(matrix: Any, *indices: str) -> Symbol:
    return Symbol(str(matrix.name), indices)


def _row(e: Any) -> Box | None:
    """Row i of an expression as a vector; None where it has no such form."""
    match e:
        case Scaled():
            return _scale(_row(e.args[0]), e)
        case MatMul() if len(e.args) == 2:
            left, right = e.args
            if isinstance(left, Transpose) and _is_named(left.arg) and _is_named(right):
                return Over("sum", "j", Row((_at(left.arg, "j", "i"), vector(right, "j"))))
            if _is_named(left) and _is_named(right):
                return Over("sum", "j", Row((_at(left, "i", "j"), vector(right, "j"))))
            return Product((vector(left, "i"), Formula(right))) if _is_named(left) else None
        case AdditiveSlope():
            return _additive(e)
        case SumHeads() | SumGroup():
            return over_heads(e, _row)
        case Plus():
            terms = [_row(a) for a in e.args]
            return None if None in terms else Signed(tuple(("+", t) for t in terms if t is not None))
    return None


def _additive(e: AdditiveSlope) -> Box | None:
    """Σ_j G_ij vᵀ ∘ (1 − tanh²(p_i + r_j))."""
    P, R, v, G = e.args
    G, order = (G.arg, ("j", "i")) if isinstance(G, Transpose) else (G, ("i", "j"))
    if not all(map(_is_named, (P, R, v, G))):
        return None
    bent = Row((Power(Symbol("tanh"), "2"), Brackets(Signed((("+", vector(P, "i")), ("+", vector(R, "j")))))))
    slope = Brackets(Signed((("+", "1"), ("-", bent))))
    return Over("sum", "j", Row((_at(G, *order), Transposed(Formula(v)), CIRCLE, slope)))


def _outer(step: Step) -> Box | None:
    """The gradient by a weight matrix, XᵀdQ, as the sum of the outer products of inputs and gradients of tokens."""
    e, name = step.expression, str(getattr(step.by, "name", ""))
    if name.startswith("W") and isinstance(e, MatMul) and len(e.args) == 2 and isinstance(e.args[0], Transpose):
        left, right = e.args[0].arg, e.args[1]
        if _is_named(left) and _is_named(right):
            return Over("sum", "i", Product((Transposed(vector(left, "i")), vector(right, "i"))))
    return None


def _scale(box: Box | None, e: Scaled) -> Box | None:
    below = divisor(e.factor)
    if box is None:
        return None
    if below is None:
        return Row((multiple(e.factor), box))
    return Row((Quotient("1", Formula(below)), box)) if isinstance(box, Over) else Quotient(box, Formula(below))


def _jacobian(step: Step, inside: Any, program: Program) -> Iterator[Block]:
    """The softmax Jacobian, derived: the quotient rule for one weight, then the chain rule over its row."""
    A, difference = inside.args
    dA, delta = difference.args
    Z, dZ, total = step.by, step.symbol, Symbol("ell", ("i",))
    power, other = Power("e", _at(Z, "i", "j")), Power("e", _at(Z, "i", "k"))
    same = Row(("[", Symbol("j"), "=", Symbol("k"), "]"))
    slope = Quotient(Row((Symbol("partial"), _at(A, "i", "j"))), Row((Symbol("partial"), _at(Z, "i", "k"))))
    yield Paragraph((Sentence("jacobian.weight"),))
    yield _equation(_at(A, "i", "j"), Quotient(power, total))
    powers = Over("sum", "k", Power("e", _at(Z, "i", "k")))
    softmax = program.by_symbol()[A].expression
    sinks = (("+", softmax.power),) if isinstance(softmax, SinkSoftmax) else ()
    yield _equation(total, Signed((*sinks, ("+", powers))) if sinks else powers)
    yield Paragraph((Sentence("jacobian.quotient", same=same, j=Symbol("j"), k=Symbol("k")),))
    numerator = Signed((("+", Row((same, power, total))), ("-", Row((power, other)))))
    inside = Brackets(Signed((("+", same), ("-", _at(A, "i", "k")))))
    yield _equation(slope, Quotient(numerator, Power(total, "2")), Row((_at(A, "i", "j"), inside)))
    yield Paragraph((Sentence("jacobian.chain"),))
    mean = Over("sum", "j", Row((_at(A, "i", "j"), _at(dA, "i", "j"))))
    weight, gain = _at(A, "i", "k"), _at(dA, "i", "k")
    yield _equation(
        _at(dZ, "i", "k"),
        Over("sum", "j", Row((_at(dA, "i", "j"), slope))),
        Over("sum", "j", Row((_at(dA, "i", "j"), _at(A, "i", "j"), inside))),
        Row((weight, Brackets(Signed((("+", gain), ("-", mean)))))),
        Row((weight, Brackets(Signed((("+", gain), ("-", _at(delta, "i"))))))),
    )
    yield Paragraph((Sentence("jacobian.row"),))
    a = vector(A, "i")
    matrix = Signed((("+", Row((Symbol("diag"), Brackets(a)))), ("-", Product((Transposed(a), a)))))
    yield _equation(vector(dZ, "i"), Product((vector(dA, "i"), Brackets(matrix))))


def _equation(first: Box, *sides: Box) -> Equation:
    return Equation((Chain((("", first), *(("=", side) for side in sides))),))
