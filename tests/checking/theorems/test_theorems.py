"""Theorems hold, what circulates and is wrong is refuted, and the chance of a mistake is as small as is said."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
import sympy
from sympy import MatMul, Matrix, MatrixSymbol, OneMatrix, Rational, symbols

from symattn import Attention, CausalMask, ChunkedState, GatedLinearAttention, KeepMask, Softmax, WindowMask, prove
from symattn.checking.equality import terms as equality_terms
from symattn.checking.theorems import THEOREMS, Checked, Counterexample, check, decision, points
from symattn.checking.theorems.terms import TermNumbers, Terms
from symattn.cli.main import run
from symattn.errors import InputError, NotSupportedError, ShapeError
from symattn.nodes import (
    AddRow,
    Block,
    Concat,
    DivideRows,
    Exponential,
    Hadamard,
    Mapped,
    Masked,
    Plus,
    RotaryEmbedding,
    RowMax,
    RowSum,
    Scaled,
    SubtractColumn,
)
from symattn.values.evaluation import value_of
from tests.processor_time import takes_at_most
from tests.samples import proven

pytestmark = pytest.mark.slow

REFUTED = {"query-without-jacobian", "key-without-jacobian", "weights-times-gradient", "delta-rule-with-plus"}
HOLD = [name for name in THEOREMS if name not in REFUTED]
n, m = symbols("n m", integer=True, positive=True)


@pytest.mark.parametrize("name", HOLD)
def test_every_link_holds(name: str) -> None:
    outcomes = proven(name).outcomes
    assert all(isinstance(o, Checked) for o in outcomes)
    assert all(o.is_proof for o in outcomes if isinstance(o, Checked))


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
    with pytest.raises(InputError, match="symattn prove"):
        prove("nothing")


def test_attentions_are_what_they_unfold_into() -> None:
    """A bias of the keys is not seen, one of the values is added to the output; what is added to queries is seen."""
    d, e = symbols("d e", integer=True, positive=True)
    Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
    b, c = MatrixSymbol("b", 1, d), MatrixSymbol("c", 1, e)
    assert prove(Attention(Q, AddRow(K, b), V), Attention(Q, K, V)).holds
    assert prove(Attention(Q, K, AddRow(V, c)), AddRow(Attention(Q, K, V), c)).holds
    assert not prove(Attention(AddRow(Q, b), K, V), Attention(Q, K, V)).holds


def test_the_largest_score_may_be_any_reference() -> None:
    """It is a number of the row like any other; what it is itself is no sum of products."""
    Z, x, y = MatrixSymbol("Z", n, m), MatrixSymbol("x", n, 1), MatrixSymbol("y", n, 1)
    assert prove(Softmax(Z), Softmax(SubtractColumn(Z, RowMax(Z)))).holds
    assert prove(RowMax(Concat(x, y)), x).status == "refuted"
    assert prove(RowMax(Concat(x, y)), RowMax(Concat(y, x))).status == "tried"


def test_what_holds_for_one_size_only_does_not_pass() -> None:
    S = MatrixSymbol("S", n, n)
    assert not prove(Softmax(Masked(S, WindowMask(1, 1))), Softmax(S)).holds
    found = prove(RowSum(OneMatrix(n, n)), Scaled(OneMatrix(n, 1), 2)).counterexample
    assert found is not None and list(found.sizes.values()) != [2]


def test_what_had_no_bound_on_the_chance_of_a_mistake_is_decided() -> None:
    Z, z = MatrixSymbol("Z", n, m), sympy.Symbol("z")
    assert prove(Exponential(Exponential(Z)), Z).status == "refuted"
    assert prove(Softmax(DivideRows(Z, RowSum(Z))), Softmax(Z)).status == "refuted"
    assert prove(Softmax(Masked(Z, KeepMask(MatrixSymbol("M", n, m)))), Softmax(Z)).status == "refuted"
    assert prove(Mapped(Z, sympy.Lambda(z, z**2)), Hadamard(Z, Z)).status == "proven"


def test_what_is_only_tried_says_so_and_can_be_repeated() -> None:
    """max(x, y) = max(y, x): true, and not seen by the normal form."""
    x, y = MatrixSymbol("x", n, 1), MatrixSymbol("y", n, 1)
    sides = RowMax(Concat(x, y)), RowMax(Concat(y, x))
    proof = prove(*sides, seed=5)
    assert proof.status == "tried" and not proof.holds and "seed 5" in proof.to_text()
    assert max(max(case.values()) for case in proof.outcomes[0].cases) >= 7
    assert prove(*sides, seed=5).outcomes == proof.outcomes
    assert prove(*sides).outcomes[0].seed != prove(*sides).outcomes[0].seed


def test_a_number_larger_than_every_size_tried_leaves_it_open() -> None:
    S = MatrixSymbol("S", n, n)
    far = prove(Softmax(Masked(S, CausalMask())), Softmax(Masked(S, WindowMask(10**6, 0))))
    assert far.status == "undecided" and "1000000" in far.to_text()
    near = prove(Softmax(Masked(S, CausalMask())), Softmax(Masked(S, WindowMask(3, 0))))
    assert near.status == "refuted"


def test_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A power of a sum whose normal form explodes: no word on it, and soon."""
    Z, z = MatrixSymbol("Z", n, m), sympy.Symbol("z")
    total = sum((MatrixSymbol(f"Z_{k}", n, m) for k in range(12)), Z)
    left, right = (Mapped(total, sympy.Lambda(z, z**8)), Mapped(total, sympy.Lambda(z, z**4)))
    assert decision.SECONDS <= 6
    monkeypatch.setattr(decision.decide_links, "__defaults__", (1.0,))
    with takes_at_most(15):
        assert prove(left, Hadamard(right, right)).status in ("tried", "undecided", "proven")


def test_a_theorem_has_the_name_under_which_it_is_found() -> None:
    assert [make().name for make in THEOREMS.values()] == list(THEOREMS)


@pytest.mark.parametrize("name", THEOREMS)
def test_proofs_are_plain_data(name: str) -> None:
    data = json.loads(proven(name).to_json())
    assert data["status"] == ("refuted" if name in REFUTED else "proven")
    assert {link["status"] for link in data["links"]} == {data["status"]}


def test_the_bound_on_terms_is_one() -> None:
    """More exponentials than are counted would be a chance too small: counted again on explicit entries by SymPy."""
    Z, V, u = MatrixSymbol("Z", 1, 3), MatrixSymbol("V", 3, 1), symbols("u:3")
    A = Softmax(Z)
    E = Exponential(Z)
    by_hand = DivideRows(E, RowSum(E)), DivideRows(A, RowSum(Hadamard(A, A))), SubtractColumn(A, RowSum(Hadamard(A, A)))
    beside = Concat(A, Hadamard(A, A)), AddRow(Hadamard(A, A), A), Block(Concat(A, A), 0, 1, 2, 3)
    for e in (A, A * V, Plus(A, Scaled(A, 2)), Hadamard(A, A), RowSum(Hadamard(A, A)), A * V * A, *by_hand, *beside):
        known = {s: Terms(tuple(map(int, s.shape))) for s in (Z, V)}
        bound = value_of(e, known, {}, TermNumbers())
        for entry in e.as_explicit():
            free = entry.replace(sympy.exp, lambda power: u[(score := power.as_coeff_Mul())[1].j] ** score[0])
            above, below = sympy.fraction(sympy.together(free))
            for part, terms, degree in ((above, bound.above, bound.degree), (below, bound.below, bound.bottom)):
                polynomial = sympy.Poly(part, *u)
                assert len(polynomial.terms()) <= terms
                assert max(sympy.Poly(c, *sympy.Matrix(V)).total_degree() for c in polynomial.coeffs()) <= degree


def test_no_random_point_is_worth_more_than_is_stated() -> None:
    """Sides that differ in one term of many are told apart at every point tried."""
    Z = MatrixSymbol("Z", n, m)
    nearly = Softmax(Scaled(Z, 1 + Rational(1, 10**40)))
    assert not prove(Softmax(Z), nearly).holds


@pytest.mark.parametrize("name", THEOREMS)
def test_proofs_are_written(name: str) -> None:
    proof = proven(name)
    for target in ("latex", "markdown", "text"):
        for language in ("en", "zh"):
            assert len(proof.to(target, language=language, fragment=True)) > 80


def test_a_chain_of_several_links_states_first_what_is_to_be_shown() -> None:
    page = proven("shift-invariance").to_text()
    assert page.index("To be shown:\n\n    softmax(Z − t 1ᵀ) = softmax(Z)\n") < page.index("abbreviations")
    page = proven("query-gradient").to_text()  # its sides are in abbreviations
    assert page.index("abbreviations") < page.index("To be shown:") < page.index("Expanding")
    assert "To be shown" not in proven("delta-rule").to_text()  # by induction: its links are the step


def test_prove_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(THEOREMS)
    assert run(["prove", "key-bias", "--to", "text"]) == 0
    assert "every size" in capsys.readouterr().out
    assert run(["prove", "key-bias", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "proven"
    assert run(["prove", "nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", THEOREMS)
def test_the_sides_of_a_link_do_not_print_alike(name: str) -> None:
    """(A B) C = A (B C) shows its brackets."""
    for line in proven(name).to_text().splitlines():
        left, equals, right = line.partition(" = ")
        assert not equals or left.strip() != right.strip()


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_the_norm_of_the_jacobian_is_at_most_a_half(count: int) -> None:
    """What the two theorems say, in floating point; two weights of 1/2 reach the bound."""
    generator = np.random.default_rng(count)
    for scores in (*(generator.normal(size=count) * spread for spread in (0.1, 1, 10)), np.zeros(count)):
        weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        jacobian = np.diag(weights) - np.outer(weights, weights)
        assert np.linalg.norm(jacobian, 2) <= np.abs(jacobian).sum(axis=1).max() + 1e-12 <= 0.5 + 2e-12
    assert count != 2 or np.isclose(np.linalg.norm(jacobian, 2), 0.5)


def test_a_smaller_bound_on_the_jacobian_is_not_proven() -> None:
    """Σ_k |J_jk| ≤ 2/5 fails for a weight of 1/2, and a wrong sign in the sum of squares is found."""
    theorem = THEOREMS["jacobian-row-bound"]()
    smaller = replace(theorem, first=theorem.links[1].side, links=(replace(theorem.links[2], side=Rational(2, 5)),))
    assert isinstance(check(smaller)[0], Counterexample)
    norm = THEOREMS["jacobian-norm"]()
    assert isinstance(
        check(replace(norm, links=(replace(norm.links[0], side=-norm.links[0].side),)))[0], Counterexample
    )


def test_steps_are_counted_though_the_clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (decision, points, equality_terms):
        monkeypatch.setattr(module, "thread_time", lambda: 0.0)
    monkeypatch.setattr(decision, "PRODUCTS", 50)
    monkeypatch.setattr(decision, "STEPS", 5_000)
    X, Y = (sum((MatrixSymbol(f"{x}_{k}", n, m) for k in range(6)), MatrixSymbol(x, n, m)) for x in "XY")
    assert prove(Hadamard(Hadamard(X, X), Hadamard(Y, Y)), Hadamard(Hadamard(Y, X), Hadamard(X, Y))).status in (
        "tried",
        "undecided",
    )


def test_bad_input_is_not_decided_in_time() -> None:
    """10,000 symbols, roots nested 50 deep, a power of a million, matrices of 10⁶ rows."""
    many = [MatrixSymbol(f"A_{k}", n, n) for k in range(10_000)]
    A, big, root = MatrixSymbol("A", n, n), MatrixSymbol("B", 10**6, 10**6), sympy.Symbol("a", real=True)
    nested = root
    for _ in range(50):
        nested = sympy.sqrt(1 + nested)
    deep = A
    for _ in range(50):
        deep = Plus(MatMul(A, deep), A)
    bad = [(Plus(*many), many[0]), (Scaled(A, nested), A), (A**10**6, A), (Softmax(big), big), (deep, A)]
    for sides in bad:
        with takes_at_most(12):
            assert prove(*sides).status in ("undecided", "refuted")


@pytest.mark.parametrize("name", THEOREMS)
def test_no_character_is_left_out_by_latex(name: str) -> None:
    """Text fonts have no minus sign of mathematics, no ∘ and no ∞; pdflatex leaves out what they have not."""
    known = set("–—“”‘’…")
    assert {c for c in proven(name).to_latex() if ord(c) > 0x17F} <= known


def test_a_part_of_a_matrix_with_an_index_has_one_subscript_after_another() -> None:
    """Two in a row are an error in LaTeX."""
    assert not re.search(r"_(\{[^{}]*\}|\w)_", prove("causal-linear-attention").to_latex())


def test_sides_that_print_alike_show_what_their_nodes_are_told() -> None:
    Z, z = MatrixSymbol("Z", n, m), sympy.Symbol("z")
    pairs = prove(RotaryEmbedding(Z), RotaryEmbedding(Z, pairs="halves"))
    assert "pairs: interleaved" in pairs.to_text() and "pairs: halves" in pairs.to_latex().replace(
        r"\mathrm", ""
    ).replace("{", "").replace("}", "")
    ramps = prove(Mapped(Z, sympy.Lambda(z, sympy.Max(z, 0))), Mapped(Z, sympy.Lambda(z, sympy.Max(z, 1))))
    link = ramps.to_dict()["links"][0]
    assert link["left"] != link["right"] and "Max(1, z)" in link["right"]
    assert "softmax(Z) = softmax(Z)" in prove(Softmax(Z), Softmax(Z)).to_text()  # these are the same


def test_terms_and_degrees_of_sums_and_powers_by_hand() -> None:
    """x²/y³ + x⁵/y is (x²y + x⁵y³)/y⁴, and a sum of three a_k/b_k has 3 a b² above b³."""
    one = (1, 1)
    assert Terms(one, 1, 1, 2, 3).plus(Terms(one, 1, 1, 5, 1)) == Terms(one, 2, 1, 8, 4)
    assert Terms(one, 1, 1, 5, 1).plus(Terms(one, 1, 1, 2, 3)) == Terms(one, 2, 1, 8, 4)
    assert Terms(one, 2, 3, 2, 3).repeated(3, one) == Terms(one, 54, 27, 8, 9)
    assert Terms(one, 4, 1, 2, 0).raised(1, 1) == Terms(one, 1, 1, 0, 0, 2)  # e to a polynomial of degree 2
    for no_polynomial in (Terms(one, 1, 2, 1, 0), Terms(one, 1, 1, 1, 1), Terms(one, 1, 1, 1, 0, 1)):
        with pytest.raises(NotSupportedError):
            no_polynomial.raised(1, 1)


def test_what_divides_by_entries_is_tried_without_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision.decide_links, "__defaults__", (60.0,))  # seconds, on a busy machine
    n, d, e = sympy.symbols("n d e", integer=True, positive=True)
    Q, K, A = (sympy.MatrixSymbol(name, n, d) for name in "QKA")
    V = sympy.MatrixSymbol("V", n, e)
    gated = GatedLinearAttention(Q, K, V, A)
    assert prove(gated, ChunkedState(gated, 2)).status == "tried"
    assert prove(gated, ChunkedState(GatedLinearAttention(Q, K, 2 * V, A), 2)).status == "refuted"
