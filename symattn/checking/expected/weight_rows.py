"""Rows of weights that an index counts, "α_{0,:} = [0.4, 0.2, 0.4]" below the scaled scores, and no formula beside.

The letter of weights and the index say what is meant: softmax of that row of what was printed last. The numbers have to
bear it out: evidently those, or shares each close to them of which none is larger where the other is smaller.

So does a row of a whole matrix of weights, every number of it, where the queries and keys are known and the other rows
point where those of softmax(QKᵀ/√d_k) do.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symattn.checking.expected.evidence import most_right, mostly_right, shows_rows, telling_places
from symattn.checking.expected.implied_steps import LETTERS, Roles, is_one_hot, role_of_words
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, define_like, right_places, try_define
from symattn.reading import formula as f
from symattn.values.printed import apart, sums_to_one

_FEWEST = 3  # numbers of a row that are told by their order
_NEAR = 0.1


def find_row_of_weights(
    name: f.Expression, printed: Printed, roles: Roles, environment: Environment
) -> Definition | None:
    """The softmax of the row that the index of a name counts, if the numbers bear it out."""
    index = _index(name)
    if index is None or printed.shape[0] != 1 or is_one_hot(printed):
        return None
    found = list(_rows(index, printed, roles, environment))
    likely = (row for row in found if mostly_right(row, printed, environment))
    shown = max(likely, key=lambda row: most_right(row, printed, environment), default=None)
    if shown is not None or len(found) != 1:
        return shown
    return found[0] if _is_alike(found[0], printed) else None


def _index(name: f.Expression) -> int | None:
    """Which row a name of weights means: α_{0,:}, α_1, A[2], weights[0]."""
    if not isinstance(name, f.Name) or name.sup:
        return None
    called = LETTERS.get(name.base) or (role_of_words(name.base.lower()) if len(name.base) > 1 else None)
    match name.indices:
        case (int(index),) | (int(index), ":") if called == "weights" and index >= 0:
            return index
    return None


def _rows(index: int, printed: Printed, roles: Roles, environment: Environment) -> Iterator[Definition]:
    """softmax of the row so counted from 1 or from 0 of the logits that were judged last."""
    for logits in roles.logits():
        known = environment.stated.get(logits)
        if known is None or not known.prints or known.stale or known.true.shape[1] != printed.shape[1]:
            return
        for row in (index, index + 1):
            if 1 <= row <= known.true.shape[0]:
                softmax = f.Call("softmax", (logits,))
                definition = try_define(f.Entry(softmax, (str(row), ":")), environment)
                if definition is not None:
                    yield definition
        return


def _is_alike(row: Definition, printed: Printed) -> bool:
    """Whether shares are those of a row within a tenth, and turn no two of them round."""
    shares, count = printed.as_prints(), printed.shape[1]
    if shares is None or row.true.hidden or count < _FEWEST or not sums_to_one(shares, 0):
        return False
    if not all(apart(x, y) <= _NEAR for x, y in zip(row.true.rows[0], printed.as_given.rows[0], strict=True)):
        return False
    pairs = [(x.mid(), number) for x, number in zip(row.true.rows[0], printed.values[0], strict=True)]
    return all(not (x < y and (a or 0) > (b or 0)) for x, a in pairs for y, b in pairs)


_Q, _K = f.Name("Q"), f.Name("K")
_ZERO = f.Number("0", Fraction(0), Fraction(1))


def find_weights_of_rows(printed: Printed, environment: Environment) -> Definition | None:
    """softmax(QKᵀ/√d_k), with a causal mask where nothing is printed behind the diagonal, that one row shows."""
    shares, known = printed.as_prints(), environment.stated.get(_Q)
    if shares is None or known is None or known.stale or environment.is_stale([_K]) or printed.left_out:
        return None
    rows, width = printed.shape[0], known.true.shape[1]
    if rows < 2 or not all(sums_to_one(shares, i) for i in range(rows)):
        return None
    root = f.Root(f.Number(str(width), Fraction(width), Fraction(1)))
    logits: f.Expression = f.Quotient(f.Product((_Q, f.Transpose(_K)), ("",)), root)
    if all((value == 0) == (j > i) for i, row in enumerate(printed.values) for j, value in enumerate(row)):
        hidden = [[f.Infinity(-1) if j > i else _ZERO for j in range(printed.shape[1])] for i in range(rows)]
        logits = f.Sum((logits, f.Matrix(tuple(map(tuple, hidden)))), (1, 1))
    definition = define_like(printed, f.Call("softmax", (logits,)), environment)
    if definition is None or not shows_rows(definition, printed):
        return None
    right, telling = right_places(printed, definition.true), telling_places(printed)
    in_row = [[place for place in telling if place[0] == i] for i in range(rows)]
    return definition if any(len(row) >= _FEWEST and right.issuperset(row) for row in in_row) else None
