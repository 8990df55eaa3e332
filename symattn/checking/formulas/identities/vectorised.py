"""Stacked columns: vec(AXB) = (Bᵀ ⊗ A) vec(X), tr(AB) = vec(Aᵀ)ᵀ vec(B)."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_THEOREM = Sentence("formula.vectorised")


def judge_vectorised(statement: Statement, _: Context) -> Formula | None:
    """The two identities, whatever the three matrices are; with rows stacked the first is A ⊗ Bᵀ."""
    if len(statement.equals) != 2 or len(statement.sides) != 2:
        return None
    left, right = statement.equals
    return _of_product(statement, left, right) or _of_trace(statement, left, right)


def _of_product(statement: Statement, left: f.Expression, right: f.Expression) -> Formula | None:
    match _vec(left), right:
        case f.Product((a, x, b), _), f.Product((f.Product((p, r), ("⊗",)), stacked), _) if _same(_vec(stacked), x):
            if _same(p, _turned(b)) and _same(r, a):
                return conclude(statement, "holds", _THEOREM)
            if {_bare(p), _bare(r)} != {_bare(a), _bare(b)} or (_same(p, a) and _same(r, _turned(b))):
                return None  # with rows stacked
            return refuse(statement, _THEOREM, _written(statement, f"({_text(b, turned=True)} \\otimes {_text(a)})"))
    return None


def _of_trace(statement: Statement, left: f.Expression, right: f.Expression) -> Formula | None:
    match left, right:
        case f.Call("tr", (f.Product((a, b), _),)), f.Product((f.Transpose(first), second), _):
            pair = _vec(first), _vec(second)
            if None in pair:
                return None
            if any(_same(pair[0], _turned(x)) and _same(pair[1], y) for x, y in ((a, b), (b, a))):
                return conclude(statement, "holds", _THEOREM)
            if {_bare(x) for x in pair} == {_bare(a), _bare(b)}:
                made = rf"\text{{vec}}({_text(a, turned=True)})^T \text{{vec}}({_text(b)})"
                return refuse(statement, _THEOREM, _left(statement) + made)
    return None


def _vec(e: f.Expression | None) -> f.Expression | None:
    return e.arguments[0] if isinstance(e, f.Call) and e.function == "vec" and len(e.arguments) == 1 else None


def _turned(e: f.Expression) -> f.Expression:
    return e.operand if isinstance(e, f.Transpose) else f.Transpose(e)


def _bare(e: f.Expression | None) -> str:
    inner = e.operand if isinstance(e, f.Transpose) else e
    return "_".join((inner.base, *inner.sub, *inner.sup)) if isinstance(inner, f.Name) else ""


def _same(a: f.Expression | None, b: f.Expression) -> bool:
    """Whether both are one name, or both transposes of it."""
    return bool(_bare(a)) and _bare(a) == _bare(b) and isinstance(a, f.Transpose) == isinstance(b, f.Transpose)


def _text(e: f.Expression, *, turned: bool = False) -> str:
    return _bare(e) + ("^T" if isinstance(e, f.Transpose) != turned else "")


def _left(statement: Statement) -> str:
    return statement.passage.text[statement.start : statement.sides[1].start]


def _written(statement: Statement, product: str) -> str:
    side = statement.sides[1]
    calls: Sequence[f.Expression] = [x for x in side.expression.parts if isinstance(x, f.Call)]
    text = statement.passage.text
    return f"{_left(statement)}{product} {text[calls[-1].start : side.end]}"
