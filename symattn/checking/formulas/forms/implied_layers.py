"""Gradients of layers that are not written down: dW = Aᵀ dZ and dA = dZ Wᵀ are those of Z = AW, dZ = dA ∘ f′(Z) of
A = f(Z). What no line says is said as the condition."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, accept
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import slope_of
from symattn.checking.models.spelling import spell
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_FUNCTIONS = ("relu", "gelu", "σ", "sigmoid", "tanh", "silu", "f", "φ", "g")


def judge_implied_layer(statement: Statement, context: Context) -> Formula | None:
    """The product or the function that the gradient is of, where the article says of no letter what it is."""
    if len(statement.equals) != 2:
        return None
    left, right = (spell(side) for side in statement.equals)
    own = slope_of(left)
    if own is None or not _is_matrix(own):
        return None
    if (scores := _of_scores(own, right, context)) is not None:
        return accept(statement, Sentence("theorem.gradient_of_layer"), scores)
    condition = _of_product(own, right) or _of_function(own, right)
    if condition is None:
        return None
    made, said = condition
    if made.symbol in context.once(_find_defined):
        return None
    return accept(statement, Sentence("theorem.gradient_of_layer"), Sentence("condition.layer", said=said))


def _of_product(own: f.Name, right: f.Expression) -> tuple[f.Name, str] | None:
    """What is multiplied, and the product: dB = Aᵀ dC and dA = dC Bᵀ of C = AB."""
    match right:
        case f.Product((f.Transpose(f.Name() as other), slope), ("" | "·" | "@",)):
            order = (other, own)
        case f.Product((slope, f.Transpose(f.Name() as other)), ("" | "·" | "@",)):
            order = (own, other)
        case _:
            return None
    made = slope_of(slope)
    if made is None:
        return None
    names = (own, other, made)
    if len({x.symbol for x in names}) < 3 or not all(map(_is_matrix, names)):
        return None
    if any(x.base in ("Q", "K") for x in names) or order[0].base == "V":
        return None  # letters of an attention, which has products of its own
    return made, f"{_written(made)} = {_written(order[0])} {_written(order[1])}"


def _of_scores(own: f.Name, right: f.Expression, context: Context) -> Sentence | None:
    """That a letter is the gradient by the scores in ∂L/∂Q = (1/√d_k) Δ K and ∂L/∂K = (1/√d_k) Δᵀ Q."""
    match right:
        case f.Product((f.Quotient(f.Number("1"), f.Root(f.Name("d"))), first, f.Name(other, (), ())), _):
            name = first.operand if isinstance(first, f.Transpose) else first
            turned = isinstance(first, f.Transpose)
            if not isinstance(name, f.Name) or slope_of(name) is not None or name.base in "QKVXSAPO":
                return None
            fits = (own.base, other, turned) in (("Q", "K", False), ("K", "Q", True))
            made = [s.left for s in context.statements if s.left == f.Name("S") and len(s.equals) > 1]
            own_line = name.symbol in context.once(_find_defined)
            return Sentence("condition.is_gradient", name=name.base, by="S") if fits and made and not own_line else None
    return None


def _of_function(own: f.Name, right: f.Expression) -> tuple[f.Name, str] | None:
    """dZ = dA ∘ f′(Z) of A = f(Z)."""
    match right:
        case f.Elementwise((slope, f.Product((f.Name(function, (), ("′",)), f.Name() as inside), ("",)))):
            made = slope_of(slope)
            if made is None or inside.symbol != own.symbol or function.lower() not in _FUNCTIONS:
                return None
            return made, f"{_written(made)} = {function}({_written(own)})"
    return None


def _is_matrix(name: f.Name) -> bool:
    """Whether it is a whole matrix: a capital, with the number of a layer or none."""
    return (
        name.base[:1].isupper() and len(name.base) == 1 and all(mark.isdigit() for mark in name.sub) and not name.item
    )


def _written(name: f.Name) -> str:
    return name.base + "".join(f"_{mark}" for mark in name.sub)


def _find_defined(_: Article, statements: Sequence[Statement]) -> frozenset[object]:
    """What lines say that it is made of."""
    lefts = (s.left for s in statements if len(s.equals) > 1)
    return frozenset(left.symbol for left in lefts if isinstance(left, f.Name) and slope_of(left) is None)
