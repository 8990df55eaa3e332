"""Theorems hold, and fail once a sign or a transpose in them is flipped; what circulates and is wrong is refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy
from sympy import Matrix, MatrixSymbol, Rational, symbols
from sympy.matrices.expressions import Transpose

from symattn import Softmax, prove
from symattn.cli import run
from symattn.errors import InputError, ShapeError
from symattn.identities import THEOREMS, Checked, Counterexample, check
from symattn.nodes import Scaled, SubtractColumn

REFUTED = {"query-without-jacobian", "key-without-jacobian", "weights-times-gradient"}
HOLD = [name for name in THEOREMS if name not in REFUTED]
n, m = symbols("n m", integer=True, positive=True)


@pytest.mark.parametrize("name", HOLD)
def test_every_link_holds(name: str) -> None:
    outcomes = check(THEOREMS[name]())
    assert all(isinstance(o, Checked) for o in outcomes)
    assert all(o.chance is None or o.chance >= 12 for o in outcomes if isinstance(o, Checked))


def flips(expression, at=()):
    """The expression with one sign or transpose flipped, in every place where its sizes still fit."""
    here = expression
    for step in at:
        here = here.args[step]
    if isinstance(here, MatrixSymbol):
        yield put(expression, at, Scaled(here, -1))
        yield put(expression, at, Transpose(here))
    elif isinstance(here, Transpose):
        yield put(expression, at, here.arg)
    elif isinstance(here, sympy.Indexed):
        yield put(expression, at, -here)
    if isinstance(here, sympy.MatrixExpr | sympy.Expr) and not isinstance(here, MatrixSymbol | sympy.Indexed):
        for k, argument in enumerate(here.args):
            if isinstance(argument, sympy.Expr | sympy.MatrixExpr):
                yield from flips(expression, (*at, k))


def put(expression, at, new):
    if not at:
        return new
    arguments = list(expression.args)
    arguments[at[0]] = put(arguments[at[0]], at[1:], new)
    try:
        return expression.func(*arguments)
    except (InputError, ValueError, TypeError, AttributeError, NotImplementedError):
        return None  # a statement whose sizes do not fit is none


# flips that leave the statement as it is: a diagonal's own vector transposed, a factor of 0, a square, a shift that
# softmax does not see, a bound that only becomes weaker
STILL_TRUE = {
    "shift-invariance": ("diag(u.T)",),
    "jacobian-rows": ("-(1 - Sum(a[k], (k, 1, n)))*a[j]",),
    "jacobian-variance": ("Sum(-a[k]*x[k], (k, 1, n))**2", "- Sum(a[k]*x[k], (k, 1, n))**2"),
    "saturation-bounds": ("a[1] + 1",),
    "dot-product-variance": ("E[-", "Sum(E[k[i]**2]*E[q[i]**2]"),
    "rows-of-dS": ("rowsum((-A) ∘ (dA - delta 1ᵀ))",),
    "query-gradient": ("diag(a.T)",),
    "key-bias": ("rowsum(-dS)", "(-Q)"),
    "key-bias-unseen": ("(-Q)*b.T", "Q*(-b).T"),
    "block-merging": ("diag(ell_1.T)", "diag(ell_2.T)"),
    "online-softmax": ("diag(u.T)",),
}


@pytest.mark.parametrize("name", HOLD)
def test_a_flipped_sign_or_transpose_is_found(name: str) -> None:
    """In every link each matrix or number of the right side is negated or transposed in turn."""
    theorem = THEOREMS[name]()
    found = 0
    chosen = {0, len(theorem.links) - 1}
    for k, (left, link) in enumerate(zip(theorem.sides, theorem.links, strict=False)):
        for flipped in flips(link.side) if k in chosen else ():
            if flipped is None or getattr(flipped, "shape", ()) != getattr(link.side, "shape", ()):
                continue
            try:
                (outcome,) = check(replace(theorem, first=left, links=(replace(link, side=flipped),)))
            except (InputError, ValueError):  # its sizes do not fit: no statement
                continue
            found += isinstance(outcome, Counterexample)
            if isinstance(outcome, Checked):
                assert any(part in str(flipped) for part in STILL_TRUE.get(name, ())), str(flipped)
    assert found or name == "key-bias"  # all its sides are 0


def test_a_gradient_of_the_scores_that_is_wrong_leaves_a_gradient_of_the_key_bias() -> None:
    """dS = A ∘ (dA + δ1ᵀ), a flipped sign, has rows that do not sum to 0."""
    theorem = THEOREMS["key-bias"]()
    *before, (dS, meaning) = theorem.where
    for flipped in flips(meaning):
        if flipped is not None and flipped.shape == meaning.shape and "(-A)" not in str(flipped):
            outcomes = check(replace(theorem, where=(*before, (dS, flipped))))
            assert any(isinstance(o, Counterexample) for o in outcomes), flipped


@pytest.mark.parametrize("name", sorted(REFUTED))
def test_what_does_not_hold_has_a_counterexample_in_small_numbers(name: str) -> None:
    found = prove(name).counterexample
    assert found is not None and not prove(name).holds
    numbers = [x for table in found.values.values() for row in table for x in row]
    assert all(x.is_Integer and abs(x) <= 2 for x in numbers)
    assert all(x.is_Rational for side in (found.left, found.right) for x in side.flat()) and found.left != found.right


def test_the_counterexample_agrees_with_the_derivative_of_explicit_scalars() -> None:
    """dL/dq of L = g·softmax(q Kᵀ)V, differentiated by SymPy with d_k = 1 at the numbers that refute the formula."""
    found = prove("query-without-jacobian").counterexample
    assert found is not None
    point = {s.name: Matrix(rows) for s, rows in found.values.items()}
    q = sympy.Symbol("q")
    powers = (q * point["K"]).applyfunc(sympy.exp)
    loss = point["G"][0] * sum(p * v for p, v in zip(powers, point["V"], strict=True)) / sum(powers)
    assert sympy.diff(loss, q).subs(q, point["Q"][0]) == found.left[0]
    claimed = point["G"][0] * sum(p * k for p, k in zip(powers, point["K"], strict=True)) / sum(powers)
    assert claimed.subs(q, point["Q"][0]) == found.right[0]


def test_identities_of_ones_own() -> None:
    Z, t = MatrixSymbol("Z", n, m), MatrixSymbol("t", n, 1)
    assert prove(Softmax(Z), Softmax(SubtractColumn(Z, t)), Softmax(Z)).holds
    refuted = prove(Softmax(Z), Softmax(Scaled(Z, 2)))
    assert not refuted.holds and "does not hold" in repr(refuted)
    with pytest.raises(ShapeError):
        prove(Softmax(Z), Softmax(Z.T))
    with pytest.raises(InputError, match="shift-invariance"):
        prove("nothing")


def test_no_random_point_is_worth_more_than_is_stated() -> None:
    """Sides that differ in one term of many are told apart at every point tried."""
    Z = MatrixSymbol("Z", n, m)
    nearly = Softmax(Scaled(Z, 1 + Rational(1, 10**40)))
    assert not prove(Softmax(Z), nearly).holds


@pytest.mark.parametrize("name", THEOREMS)
def test_proofs_are_written(name: str) -> None:
    proof = prove(name)
    for target in ("latex", "markdown", "text"):
        for language in ("en", "zh"):
            assert len(proof.to(target, language=language, fragment=True)) > 80


def test_prove_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(THEOREMS)
    assert run(["prove", "key-bias", "--to", "text"]) == 0
    assert "exactly" in capsys.readouterr().out
    assert run(["prove", "nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
