"""QKᵀ = KQᵀ, of two matrices that are not said to be symmetric: one side is the transpose of the other."""

from __future__ import annotations

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def judge_turned_product(statement: Statement, _: Context) -> Formula | None:
    """False for queries and keys, which differ."""
    match statement.equals:
        case (
            f.Product((f.Name() as a, f.Transpose(f.Name() as b))),
            f.Product((f.Name() as c, f.Transpose(f.Name() as d))),
        ):
            if {a.base, b.base} == {"Q", "K"} and (a.symbol, b.symbol) == (d.symbol, c.symbol):
                text = statement.passage.text
                first, second = statement.sides
                right = f"({text[first.start : first.end].strip()})^T = {text[second.start : second.end].strip()}"
                return refuse(statement, Sentence("formula.turned_product"), right)
    return None
