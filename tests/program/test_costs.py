"""Costs, held against loops that count what they do, formulas of the literature and masks entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Expr, MatrixSymbol, symbols

from symattn import (
    Attention,
    CausalMask,
    DifferentialAttention,
    KeepMask,
    LinearAttention,
    LuongAttention,
    MultiHead,
    RelativeAttention,
    RelativeBias,
    WindowMask,
    clipped_buckets,
    derive,
)
from symattn.errors import InputError
from symattn.nodes import Masked, Node, Softmax
from symattn.program.costs import Costs
from symattn.program.kept import count_kept_scores
from symattn.program.operations import Count, operations
from symattn.program.shapes import Measures, read_measures
from symattn.program.steps import Step
from symattn.program.unfolding import unfold
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import read_worksheet
from symattn.writing.document import Box, Spelled
from tests.samples import SHEETS, sample

pytestmark = pytest.mark.slow

n, m, D, d, e, F, h, g = symbols("n m d_model d_k d_v d_out h g", integer=True, positive=True)


# --- an independent count: attention by loops over lists, every operation entered in a book

Rows = list[list[float]]


class Book:
    """Calculates with matrices of numbers and counts what it does."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()

    def matmul(self, a: Rows, b: Rows) -> Rows:
        out = [[0.0] * len(b[0]) for _ in a]
        for i in range(len(a)):
            for j in range(len(b[0])):
                for k in range(len(b)):
                    out[i][j] += a[i][k] * b[k][j]
                    self.done["multiply_adds"] += 1
        return out

    def add_row(self, a: Rows, row: Sequence[float]) -> Rows:
        self.done["elementwise"] += len(a) * len(row)
        return [[x + y for x, y in zip(r, row, strict=True)] for r in a]

    def times(self, a: Rows, factor: float) -> Rows:
        self.done["elementwise"] += len(a) * len(a[0])
        return [[x * factor for x in r] for r in a]

    def softmax(self, a: Rows) -> Rows:
        out = []
        for row in a:
            top = row[0]
            for x in row[1:]:
                self.done["elementwise"] += 1
                top = x if x > top else top
            powers = []
            for _ in row:
                self.done["elementwise"] += 1
                self.done["exponentials"] += 1
                powers.append(1.0)
            total = powers[0]
            for x in powers[1:]:
                self.done["elementwise"] += 1
                total += x
            self.done["divisions"] += len(row)
            out.append([x / total for x in powers])
        return out


def ones(rows: int, columns: int) -> Rows:
    return [[1.0] * columns for _ in range(rows)]


def transposed(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def by_loops(s: dict[str, int], *, biased: bool) -> Counter[str]:
    """What multi-head attention over X, with keys and values of Z, takes for a batch of sequences."""
    book = Book()
    for _ in range(s["b"]):
        X, Z = ones(s["n"], s["d_model"]), ones(s["m"], s["d_model"])

        def projected(source: Rows, width: int) -> Rows:
            made = book.matmul(source, ones(len(source[0]), width))
            return book.add_row(made, [1.0] * width) if biased else made

        shared = [(projected(Z, s["d_k"]), projected(Z, s["d_v"])) for _ in range(s["g"])]
        heads = []
        for i in range(s["h"]):
            K, V = shared[i * s["g"] // s["h"]]
            scores = book.times(book.matmul(projected(X, s["d_k"]), transposed(K)), 0.5)
            heads.append(book.matmul(book.softmax(scores), V))
        C = [[x for head in heads for x in head[i]] for i in range(s["n"])]
        Y = book.matmul(C, ones(len(C[0]), s["d_out"]))
        if biased:
            book.add_row(Y, [1.0] * s["d_out"])
    return book.done


def layer(*, biased: bool = False, heads: Expr = h, kv_heads: Expr = g) -> Any:
    """Cross-attention of the most general widths."""
    rows = {"b_Q": heads * d, "b_K": kv_heads * d, "b_V": kv_heads * e, "b_O": F}
    return MultiHead(
        MatrixSymbol("X", n, D), MatrixSymbol("Z", m, D), heads=heads, kv_heads=kv_heads,
        W_Q=MatrixSymbol("W_Q", D, heads * d), W_K=MatrixSymbol("W_K", D, kv_heads * d),
        W_V=MatrixSymbol("W_V", D, kv_heads * e), W_O=MatrixSymbol("W_O", heads * e, F),
        **({name: MatrixSymbol(name, 1, width) for name, width in rows.items()} if biased else {}),
    )  # fmt: skip


GENERAL = {biased: derive(layer(biased=biased)).costs("b") for biased in (False, True)}
small = st.integers(1, 4)
SIZES = st.fixed_dictionaries(
    {**dict.fromkeys(("b", "n", "m", "d_model", "d_k", "d_v", "d_out", "g"), small), "group": small}
)


@settings(max_examples=40)
@given(sizes=SIZES, biased=st.booleans())
def test_the_polynomials_count_what_loops_do(sizes: dict[str, int], biased: bool) -> None:
    sizes = {**sizes, "h": sizes["g"] * sizes["group"]}
    del sizes["group"]
    measures = read_measures((n, m, D, d, e, F, h, g), {}, "b", sizes)
    total = GENERAL[biased].total.at(measures)
    done = by_loops(sizes, biased=biased)
    for kind in ("multiply_adds", "exponentials", "divisions", "elementwise"):
        assert getattr(total, kind) == done[kind], kind
    assert total.flops == 2 * done["multiply_adds"]


@settings(max_examples=12)
@given(sizes=SIZES.filter(lambda sizes: sizes["d_k"] > 1))  # nothing is scaled by 1/√1
def test_sizes_may_be_filled_in_before_or_after(sizes: dict[str, int]) -> None:
    known = {s.name: sizes.get(s.name, 0) for s in (n, m, D, d, e, F)}
    heads = sympy.Integer(sizes["g"] * sizes["group"])
    made = layer(heads=heads, kv_heads=sympy.Integer(sizes["g"]))
    numbers = derive(made.xreplace({s: sympy.Integer(known[s.name]) for s in (n, m, D, d, e, F)}))
    before = numbers.costs(sizes["b"])
    after = derive(made).costs("b", {**known, "b": sizes["b"]})
    assert before.total == after.total.at(after.measures)
    assert before.parameters == after.measures.number(after.parameters)
    assert before.cache == after.measures.number(after.cache)


def test_the_cache_is_of_every_attention() -> None:
    Q, K, V, M = (MatrixSymbol(x, *s) for x, s in zip("QKVM", ((n, d), (m, d), (m, e), (m, d)), strict=True))
    assert derive(Attention(Attention(Q, K, M), K, V)).costs().cache == 2 * m * d + m * e


def test_formulas_of_the_literature() -> None:
    costs = GENERAL[True]
    # parameters h(2Dd + De + eF) and biases; grouped heads share keys and values
    plain = derive(layer(biased=True, kv_heads=h)).costs()
    assert sympy.expand(plain.parameters - (h * (2 * D * d + D * e + e * F) + h * (2 * d + e) + F)) == 0
    usual = {"d_k": "d_model/h", "d_v": "d_model/h", "d_out": "d_model"}
    grouped = derive(layer()).costs(1, {**usual, "m": "n"})
    assert sympy.expand(grouped.parameters - (2 * D**2 + 2 * D * g * (D / h))) == 0
    assert sympy.expand(grouped.cache - 2 * g * (D / h) * n) == 0
    whole = derive(layer(kv_heads=h)).costs(1, {**usual, "m": "n"})
    assert whole.parameters == 4 * D**2
    assert sympy.expand(whole.total.multiply_adds - (4 * n * D**2 + 2 * n**2 * D)) == 0
    assert set(costs.learned) == {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"}


def test_one_wide_head_has_as_many_parameters_and_products() -> None:
    # the second article says "about the same": for any widths it is exactly the same but for softmax
    costs = derive(layer(kv_heads=h)).costs("b")
    other = costs.beside
    assert other is not None and (costs.heads, other.heads) == (h, 1)
    more, b = costs.total - other.total, symbols("b", integer=True, positive=True)
    assert costs.parameters == other.parameters and more.multiply_adds == 0 and costs.cache == other.cache
    assert more.exponentials == more.divisions == sympy.expand((h - 1) * b * n * m)
    assert more.elementwise == sympy.expand((h - 1) * (b * n * m + 3 * b * n * m - 2 * b * n))


def test_shared_keys_stand_beside_heads_with_their_own() -> None:
    other = GENERAL[False].beside
    assert other is not None and (other.heads, other.kv_heads) == (h, h)
    own = derive(layer(kv_heads=h)).costs("b")
    assert (other.total, other.parameters, other.cache) == (own.total, own.parameters, own.cache)
    assert derive(Attention(*(MatrixSymbol(x, n, d) for x in "QKV"))).costs().beside is None


@pytest.mark.parametrize(
    "kind",
    [
        LinearAttention,
        lambda Q, K, V: LuongAttention(Q, K, V, MatrixSymbol("W_S", d, d)),
        lambda Q, K, V: DifferentialAttention(Q, K, Q, K, V, symbols("lambda")),
    ],
)
def test_heads_of_another_kind_are_counted_and_only_shared_keys_are_compared(kind: Any) -> None:
    """One wide head of another kind would be another calculation: the parameters are those of any several heads."""
    own, shared = layer(kv_heads=h), layer()
    of_kind = {x: {name: getattr(e, name) for name in ("heads", "kv_heads", "W_Q", "W_K", "W_V", "W_O")}
               for x, e in (("own", own), ("shared", shared))}  # fmt: skip
    first = derive(MultiHead(own.X, own.Z, **of_kind["own"], kind=kind), costs=True)
    assert first.costs().beside is None and "multiply-add" in first.to_text().lower()
    second = derive(MultiHead(shared.X, shared.Z, **of_kind["shared"], kind=kind)).costs()
    assert second.beside is not None and second.beside.kv_heads == h
    assert sympy.expand(second.beside.total.multiply_adds - first.costs().total.multiply_adds) == 0
    assert sympy.expand(second.parameters - g * D * (d + e)) == sympy.expand(first.costs().parameters - h * D * (d + e))


def test_heads_without_keys_of_their_own_are_counted(tmp_path: Path) -> None:
    """Latent attention: W_Q (2, 2), W_C (2, 1), U_K and U_V (1, 2) hold 10 numbers; X W_C takes 2·2·1 products."""
    path = tmp_path / "latent.toml"
    rows = "X = [[1, 0], [0, 1]]\nW_Q = [[1, 0], [0, 1]]\nW_C = [[1], [1]]\nU_K = [[1, 1]]\nU_V = [[1, 1]]\n"
    path.write_text(f'[inputs]\n{rows}[attention]\nkind = "latent"\nheads = 2\n')
    sheet = read_worksheet(path)
    costs = derive(sheet.expression, costs=True, **sheet.show).costs()
    sizes = {symbol: 2 if symbol.name in ("n", "d_model") else 1 for symbol in costs.total.flops.free_symbols}
    made = costs["C"]
    assert costs.beside is None and costs.parameters.subs(sizes) == 10
    assert made is not None and made.multiply_adds.subs(sizes) == 4


def test_one_matrix_in_two_places_is_counted_once() -> None:
    W = tuple(MatrixSymbol(f"W_{k}", 4, 2) for k in range(2))
    costs = derive(MultiHead(MatrixSymbol("X", 3, 4), heads=2, W_Q=W, W_K=W, W_V=W)).costs()
    assert costs.beside is not None and costs.parameters == costs.beside.parameters == 16
    assert costs.total.multiply_adds == 2 * (3 * 4 * 2 + 2 * 3 * 3 * 2)


# --- rules


def subclasses(cls: type) -> set[type]:
    return {s for c in cls.__subclasses__() for s in {c} | subclasses(c)}


def test_every_elementary_node_has_a_rule() -> None:
    named = {
        "Attention",
        "MultiHead",
        "Part",
        "Member",
        "HeadColumns",
        "HeadRows",
        "Previous",
        "LuongAttention",
        "BahdanauAttention",
        "LatentAttention",
        "RelativeAttention",
        "LinearAttention",
        "OnlineAttention",
        "Following",
        "Retention",
        "GatedLinearAttention",
        "StateSpaceDuality",
        "DeltaRule",
        "GatedDeltaRule",
        "ChunkedState",
        "NormalisedRows",
        "LayerNorm",
        "RMSNorm",
        "Residual",
        "WithPositions",
        "FeedForward",
        "Gated",
        "LearnedPositions",
        "CrossEntropy",
        "Entmax",
        "DifferentialAttention",
    }  # taken apart, or names of what is there
    for cls in subclasses(Node):
        if cls.__module__.startswith("symattn.nodes") and not cls.__subclasses__() and cls.__name__ not in named:
            assert operations.dispatch(cls) is not operations.dispatch(object), f"{cls.__name__} needs a rule in costs"


@pytest.mark.parametrize("detail", ["brief", "full"])
@pytest.mark.parametrize("name", SHEETS)
def test_nothing_is_left_uncounted(name: str, detail: str) -> None:
    costs = sample(name, detail).costs()
    assert costs.not_counted == {}
    for amount in costs.total:
        assert amount.is_nonnegative or amount.subs(dict.fromkeys(amount.free_symbols, 7)) >= 0


def test_softmax_costs_the_same_taken_apart() -> None:
    Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
    brief, full = (derive(Attention(Q, K, V), detail=detail).costs().total for detail in ("brief", "full"))
    assert all(getattr(brief, f.name) == getattr(full, f.name) for f in fields(Count) if f.name != "numbers")
    assert sympy.expand(full.numbers - brief.numbers) == sympy.expand(2 * n * m + 2 * n)  # Δ and E, μ and ℓ


class Puzzling(Node):
    """A node that nobody has written a rule for."""

    def __new__(cls, Z: Any) -> Any:
        return super().__new__(cls, Z)

    @property
    def shape(self) -> Any:
        return self.args[0].shape

    def formula(self) -> Box:
        return Spelled("?", "?")


def test_a_node_without_a_rule_is_named_and_never_nothing() -> None:
    Z = MatrixSymbol("Z", n, m)
    derivation = derive(Softmax(Puzzling(Z)), costs=True)
    costs = derivation.costs()
    (name,) = costs.not_counted
    assert costs.not_counted[name] == "Puzzling" and costs[name] is None
    assert costs.total.exponentials == n * m  # what is known
    for language, words in (("en", "not counted"), ("zh", "未计")):
        page = derivation.to_text(language=language)
        assert "Puzzling" in page and words in page
    assert f"not counted: {name} (Puzzling)" in str(costs)


def test_parameters_may_be_named() -> None:
    X, A, B = MatrixSymbol("X", n, D), MatrixSymbol("A", D, d), MatrixSymbol("B", D, d)
    derivation = derive(Attention(X * A, X * B, X))
    assert derivation.costs().parameters == 0
    costs = derivation.costs("b", parameters=["A", "B"])
    assert costs.parameters == 2 * D * d
    assert costs.total.multiply_adds == derivation.costs("b").total.multiply_adds
    with pytest.raises(InputError, match="C"):
        derivation.costs(parameters=["C"])


def test_tables_of_relative_positions_are_parameters_and_values_are_kept() -> None:
    """8 + 8 buckets of width d, 8 of width e, two rows; keys and values of every sequence; no batch before a table."""
    Q, K, V = MatrixSymbol("Q", n, d), MatrixSymbol("K", m, d), MatrixSymbol("V", m, e)
    widths = {"keys": d, "queries": d, "values": e}
    tables = {x: MatrixSymbol(f"T_{x}", 8, width) for x, width in widths.items()}
    rows = {x: MatrixSymbol(x, 1, d) for x in ("content", "position")}
    made = derive(RelativeAttention(Q, K, V, clipped_buckets(8), **tables, **rows))
    assert sympy.expand(made.costs().parameters) == 18 * d + 8 * e
    assert sympy.expand(made.costs().cache - m * (d + e)) == 0
    axes = {row.name: row.axes for row in made.shapes(batch="b")}
    batch = axes["Q"][0]
    assert axes["T_keys"] == (8, d) and axes["Q_met"] == (batch, n, 8) and axes["placed_2"] == (batch, m, n)
    bias = derive(Attention(Q, K, V, bias=RelativeBias(MatrixSymbol("t", 8, 1), n, m, clipped_buckets(8))))
    assert bias.costs().parameters == 8


# --- what masks keep


def counted(mask: Any, rows: int, columns: int) -> int:
    parts = mask if isinstance(mask, tuple) else (mask,)
    return sum(all(bool(p.keep(i, j)) for p in parts) for i in range(rows) for j in range(columns))


MASKS = st.one_of(
    st.builds(CausalMask, st.integers(-4, 4)),
    st.builds(WindowMask, st.none() | st.integers(0, 4), st.none() | st.integers(0, 4)),
)


@settings(max_examples=60)
@given(rows=st.integers(1, 5), columns=st.integers(1, 5), masks=st.lists(MASKS, min_size=1, max_size=3))
def test_kept_scores_are_those_that_the_mask_keeps(rows: int, columns: int, masks: list[Any]) -> None:
    scores = MatrixSymbol("S", n, m)
    step = Step("masked", scores, Masked(scores, tuple(masks)))
    assert count_kept_scores(step, Measures(numbers={n: rows, m: columns})) == counted(tuple(masks), rows, columns)


def test_kept_scores_in_symbols() -> None:
    def kept(mask: Any, rows: Any, columns: Any) -> Any:
        scores = MatrixSymbol("S", rows, columns)
        return count_kept_scores(Step("masked", scores, Masked(scores, mask)), Measures())

    past = symbols("p", integer=True, nonnegative=True)
    assert kept(CausalMask(), n, n) == n * (n + 1) / 2
    cached = kept(CausalMask(past), n, n + past)
    assert all(
        cached.subs({n: rows, past: offset}) == counted(CausalMask(offset), rows, rows + offset)
        for rows in range(1, 5) for offset in range(4)
    )  # fmt: skip
    assert kept(CausalMask(), n, m) is None  # depends on which is larger
    assert kept(WindowMask(2, 0), n, n) is None
    assert kept(KeepMask(MatrixSymbol("M", n, m)), n, m) is None
    assert kept((KeepMask([[1, 1, 0], [1, 0, 1]]), CausalMask()), 2, 3) == 2


# --- the derivation that ships


def shipped() -> Costs:
    path = library.find("cost")
    assert path is not None
    sheet = read_worksheet(path)
    return derive(sheet.expression, **sheet.show).costs()


def test_the_derivation_that_ships() -> None:
    costs = shipped()
    other = costs.beside
    assert other is not None
    # d_model = 512, eight heads of 64, n = 2048: by hand
    assert costs.measures.number(costs.parameters) == costs.measures.number(other.parameters) == 4 * 512**2
    total = costs.total.at(costs.measures)
    assert total.multiply_adds == 4 * 2048 * 512**2 + 2 * 2048**2 * 512
    assert total.exponentials == 8 * other.total.at(costs.measures).exponentials == 8 * 2048**2
    assert unfold(layer()).steps[-1].name == "projection"
