"""Attention of a token in one formula: o_i = Σ_j exp(q_i·k_j) / Σ_l exp(q_i·k_l) v_j, over all keys or those so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symattn.checking.formulas.definitions.weights import define_weights
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.notation import defined
from symattn.checking.formulas.trials.symbols import NotSettledError
from symattn.checking.formulas.trials.variant import Variant
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


def define_weighted(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The weights that stand in such a sum, which are a softmax of their row."""
    if not isinstance(left, f.Name) or not isinstance(side.expression, f.BigSum):
        return
    row, column = defined(left)[1], side.expression.index
    try:
        weights = _weights_in(side.expression)
    except NotSettledError:
        return
    if len(row) != 1 or len(column) != 1 or row[0] == column:
        return
    pair = f.Name("a", (row[0] + column,))
    for variant in define_weights(pair, replace(side, expression=weights), statement, context):
        question = replace(variant.question, place=lambda _, printed: _weights_in(printed))
        yield replace(variant, question=question, theorem=Sentence("formula.average"))


def _weights_in(e: f.Expression) -> f.Quotient:
    """The a_ij of Σ_j a_ij v_j, with sums over the same keys as the outer one."""
    if not isinstance(e, f.BigSum) or not isinstance(e.body, f.Product) or len(e.body.factors) != 2:
        raise NotSettledError("weights")
    quotients = [x for x in e.body.factors if isinstance(x, f.Quotient)]
    values = [x for x in e.body.factors if isinstance(x, f.Name) and x.base in ("v", "V", "x") and x.sub == (e.index,)]
    if len(quotients) != 1 or len(values) != 1 or not isinstance(below := quotients[0].denominator, f.BigSum):
        raise NotSettledError("weights")
    if (_bare(below.lower), _bare(below.upper), below.condition) != (_bare(e.lower), _bare(e.upper), e.condition):
        raise NotSettledError("other keys")
    return replace(quotients[0], denominator=replace(below, lower=None, upper=None))


def _bare(e: f.Expression | None) -> f.Expression | None:
    return replace(e, text="") if isinstance(e, f.Name) else e
