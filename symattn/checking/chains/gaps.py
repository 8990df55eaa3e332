"""Tables of sinusoidal positions that leave columns out: `pos=1 [0.841 0.540 ... 0.001 1.000]` of d_model = 512.

The columns before the dots are the first ones, those after them the last ones. Row 0 is 0, 1, 0, 1, and sin and cos of
the position stand in the first two columns of every row, whatever else is wrong.
"""

from __future__ import annotations

from symattn.checking.chains.prints import partial_table
from symattn.checking.expected.positions import USUAL_BASE, table_of_positions
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, right_places, try_define
from symattn.reading import formula as f

_WIDTH = f.Name("d", sub=("model",))
_WIDEST = 1_024
_MOST = 4_096  # numbers of the whole table
_FEWEST = 4  # columns that are printed


def positions_with_gaps(expression: f.Expression, environment: Environment) -> tuple[Definition, Printed] | None:
    """The table of positions that a matrix with columns left out is, and what is printed of it.

    It is asked for where an article has named the usual base.
    """
    if not isinstance(expression, f.Matrix) or len(expression.rows) < 2:
        return None
    rows, columns = len(expression.rows), _width(environment)
    if not _FEWEST <= columns <= _WIDEST or columns % 2 or rows * columns > _MOST:
        return None
    printed = partial_table(expression, (rows, columns))
    if printed is None or len(printed.places()) < rows * _FEWEST:
        return None
    if any(printed.values[0][j] != j % 2 for i, j in printed.places() if i == 0):
        return None
    definition = try_define(table_of_positions(rows, columns, USUAL_BASE), environment)
    if definition is None or not right_places(printed, definition.true) >= {
        (i, j) for i in range(rows) for j in (0, 1)
    }:
        return None
    return definition, printed


def _width(environment: Environment) -> int:
    """How wide the tokens are, d_model; 0 if that is not known."""
    known = try_define(_WIDTH, environment)
    if known is None or known.true.shape != (1, 1) or known.true.hidden:
        return 0
    whole = round(float(known.true.rows[0][0].mid()))
    return whole if known.true.rows[0][0] == whole else 0
