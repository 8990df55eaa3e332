"""Norms with means beside norms with sums: x/√(mean(x²) + ε/D) is √D x/√(sum(x²) + ε), for a mean is a sum over D."""

from __future__ import annotations

from dataclasses import replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.identities.free_identities import identify
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.variant import settle
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_LENGTHS = frozenset("DdnNC")


def judge_mean_and_sum(statement: Statement, _: Context) -> Formula | None:
    """Two sides of which one takes means and the other sums of the same, with a letter for how many there are."""
    if len(statement.equals) != 2 or len(statement.sides) != 2:
        return None
    parts = [part for side in statement.equals for part in f.walk(side)]
    means = {part.arguments for part in parts if isinstance(part, f.Call) and part.function == "mean"}
    sums = {part.arguments for part in parts if isinstance(part, f.Call) and part.function == "sum"}
    lengths = {part.base for part in parts if isinstance(part, f.Name) and part.base in _LENGTHS and not part.sub}
    if len(means) != 1 or means != sums or len(lengths) != 1:
        return None
    length, total = f.Name(lengths.pop()), f.Name("κ")

    def summed(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and part.function == "sum":
            return total
        return f.Quotient(total, length) if isinstance(part, f.Call) and part.function == "mean" else part

    left, side = rewrite(statement.left, summed), statement.sides[1]
    printed = replace(side, expression=rewrite(side.expression, summed))
    for variant in identify(left, printed):
        found = settle(statement, printed, [replace(variant, repairs=False)])
        if found is not None and found.verdict == "holds":
            return conclude(statement, "holds", Sentence("formula.identity"))
    return None
