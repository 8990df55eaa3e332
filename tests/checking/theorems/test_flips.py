"""Signs and transposes in every side of every theorem are flipped; NumPy says whether the statement changes.

Of some thousand flips three in ten leave their statement as it is: a diagonal's own vector transposed, a square, a
number that both sides of an equation have, a bound that only becomes weaker.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import sympy
from sympy import KroneckerDelta, MatrixExpr, MatrixSymbol
from sympy.matrices.expressions import Transpose

from symattn.checking.theorems import THEOREMS, Checked, Unknown, check
from symattn.checking.theorems.scalars import ScalarTheorem
from symattn.errors import InputError
from symattn.nodes import Scaled, as_matrix
from tests.checking.theorems.theorem_values import matrix_worth, scalar_worth
from tests.sampling import sampled

pytestmark = pytest.mark.slow

REFUTED = {"query-without-jacobian", "key-without-jacobian", "weights-times-gradient", "delta-rule-with-plus"}
# what a flip can make of a formula that means nothing any more: a sum of 0 below the line, −∞ times −1, no such block
NO_STATEMENT = {"divided_by_zero", "minus_infinity_here", "block_beyond"}
HOLD = [name for name in THEOREMS if name not in REFUTED]
LETTERS = {"epsilon", "tau", "c"}  # positive numbers, no sizes


def flips(e):
    """The expression with one sign or transpose flipped, at every place that has one."""
    if isinstance(e, MatrixExpr):
        yield e.args[0] if isinstance(e, Scaled) and e.factor == -1 else Scaled(e, -1)
        yield e.arg if isinstance(e, Transpose) else Transpose(e)
    elif e != 0:
        yield -e
    if isinstance(e, MatrixSymbol | sympy.Indexed | sympy.Symbol | KroneckerDelta):
        return
    for k, argument in enumerate(e.args[:1] if e.is_Pow else e.args):  # no exponents
        if isinstance(argument, MatrixExpr) or (isinstance(argument, sympy.Expr) and not isinstance(e, MatrixExpr)):
            for flipped in flips(argument):
                try:
                    made = e.func(*e.args[:k], flipped, *e.args[k + 1 :])
                except (InputError, ValueError, TypeError, AttributeError):
                    continue  # its sizes do not fit: no statement
                yield made


def statements(theorem):
    """Every link of a theorem with one of its sides, or what a short name in it stands for, flipped in one place."""
    for k, (left, link) in enumerate(zip(theorem.sides, theorem.links, strict=False)):
        alone = replace(theorem, first=left, links=(link,), base=())
        for flipped in flips(link.side):
            yield replace(alone, links=(replace(link, side=flipped),))
        for flipped in flips(left) if k == 0 else ():
            yield replace(alone, first=flipped)
        for n, (name, meaning) in enumerate(theorem.where):
            for flipped in flips(meaning):
                if flipped.shape == meaning.shape:
                    yield replace(alone, where=(*theorem.where[:n], (name, flipped), *theorem.where[n + 1 :]))


def fits(theorem):
    left, right = theorem.full_sides
    if isinstance(theorem, ScalarTheorem):
        return True
    try:
        as_matrix(left, "left"), as_matrix(right, "right")
    except InputError:
        return False
    return left.shape == right.shape


def agree(theorem, point, case):
    """Whether a link is true at a point, in floating point."""
    left, right = theorem.full_sides
    free = {s for side in (left, right) for s in side.free_symbols if isinstance(s, sympy.Symbol) and s.name in LETTERS}
    case = dict.fromkeys(free, sympy.Rational(1, 3)) | case
    with np.errstate(all="ignore"):
        if not isinstance(theorem, ScalarTheorem):
            sizes = {s: sympy.sympify(v) for s, v in case.items()}
            values = [np.asarray(matrix_worth(x.xreplace(sizes), point, sizes)) for x in (left, right)]
            return values[0].shape == values[1].shape and np.allclose(*values, rtol=1e-7, atol=1e-9, equal_nan=False)
        try:
            a, b = (scalar_worth(x, point, case) for x in (left, right))
        except ZeroDivisionError:
            return False
    near = math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-7)
    return near or {"=": False, "≤": a < b, "≥": a > b}[theorem.links[0].relation]


def drawn(theorem, case, generator):
    """A random point: arrays for the matrices, rotations and permutations where these are spoken of."""
    if isinstance(theorem, ScalarTheorem):
        count = max(case.values())
        scores = np.sort(generator.normal(size=count))[::-1]
        return {"z": scores, "x": generator.normal(size=count), "q": scores, "k": scores}
    sizes = {s: sympy.Integer(v) for s, v in case.items()}
    special = {s.name: kind for s, kind in theorem.kinds.items()}
    point = {}
    for symbol in set().union(*(side.atoms(MatrixSymbol) for side in theorem.full_sides)):
        rows, columns = (int(x.xreplace(sizes)) for x in symbol.shape)
        if special.get(symbol.name) == "rotation":
            c, s = np.cos(1.1), np.sin(1.1)
            point[symbol.name] = np.array([[c, -s], [s, c]])
        elif special.get(symbol.name) == "permutation":
            point[symbol.name] = np.eye(rows)[generator.permutation(rows)]
        else:
            point[symbol.name] = generator.normal(size=(rows, columns))
    for k in range(1, 4):  # the members of a family of heads
        for name in [x for x in point if x.endswith("^(i)")]:
            point[name.replace("(i)", f"({k})")] = generator.normal(size=point[name].shape)
    return point


def given(theorem, found):
    """The point of a counterexample, as floats."""
    if not isinstance(theorem, ScalarTheorem):
        return {s.name: np.array(rows, dtype=float) for s, rows in found.values.items()}
    values = {s: rows[0][0] for s, rows in found.values.items()}
    count = max(found.sizes.values())
    powers = [theorem.exponentials(k).xreplace(values) for k in range(1, count + 1)]
    chosen = {f"x_{k}": values.get(sympy.Symbol(f"x_{k}", real=True), 1) for k in range(1, count + 1)}
    scores = np.array([math.log(p) if p.is_number else 0.0 for p in powers])
    return {"z": scores, "x": np.array(list(chosen.values()), dtype=float)}


@pytest.mark.parametrize("name", HOLD)
def test_what_a_flip_changes_is_found(name):
    """A flip that passes the check leaves the statement true; one that does not has a point where it fails."""
    generator = np.random.default_rng(len(name))
    changed = 0
    flips = list(filter(fits, statements(THEOREMS[name]())))
    for theorem in sampled(flips, max(1, len(flips) // 4)):
        try:
            (outcome,) = check(theorem)
            if isinstance(outcome, Unknown):  # at no size or number has it a meaning
                assert outcome.reason.key in ("unproven.no_point", "unproven.minus_infinity"), theorem
                continue
        except InputError as error:
            if error.message.key in NO_STATEMENT:
                continue
            raise
        if isinstance(outcome, Checked):
            assert outcome.is_proof
            assert all(agree(theorem, drawn(theorem, case, generator), case) for case in theorem.cases), theorem
        else:
            changed += 1
            assert not agree(theorem, given(theorem, outcome), outcome.sizes), theorem
    assert changed
