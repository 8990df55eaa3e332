"""Rotary embeddings by positions, of some columns and by scaled rates; windows over a cache.

The published formulas are written down here once more, in mpmath and NumPy, after the programs of their authors.
"""

import math

import mpmath
import numpy as np
import pytest
from sympy import Matrix, MatrixSymbol, Rational, S, Symbol, symbols

from symattn import Attention, MultiHead, RotaryEmbedding, WindowMask, derive, differentiate, lower
from symattn.errors import InputError, ShapeError, SymattnError
from symattn.nodes import Rotary, linear_rates, llama3_rates, ntk_rates, yarn_rates
from symattn.reading.worksheets.worksheet import parse_worksheet

n, m, D = symbols("n m D", integer=True, positive=True)
X = MatrixSymbol("X", n, 6)
ROWS = [[1, 2, 3, 4, 5, 6], [2, 0, 1, -1, 3, 1], [0, 1, 1, 2, -2, 4]]


def turn(rows, positions, rates, halves, width=None):
    """Every pair as a complex number times e^{iφ}."""
    x = np.array(rows, float)
    w = x.shape[1] if width is None else width
    angle = np.outer(positions, rates)
    first = np.arange(w // 2) if halves else np.arange(0, w, 2)
    second = first + (w // 2 if halves else 1)
    turned = (x[:, first] + 1j * x[:, second]) * np.exp(1j * angle)
    x[:, first], x[:, second] = turned.real, turned.imag
    return x


def usual(width, base=10000.0):
    return [base ** (-2 * k / width) for k in range(width // 2)]


CASES = {
    "positions": ({"offset": [7, 0, 3]}, [7, 0, 3], usual(6), None),
    "some columns": ({"width": 4}, [0, 1, 2], usual(4), 4),
    "some columns, later": ({"width": 2, "offset": 5}, [5, 6, 7], usual(2), 2),
    "rates": ({"rates": [1, S.Half, Rational(1, 3)]}, [0, 1, 2], [1, 0.5, 1 / 3], None),
    "all": ({"offset": [4, 4, 9], "rates": [2, Rational(1, 7)], "width": 4}, [4, 4, 9], [2, 1 / 7], 4),
}


@pytest.mark.slow
@pytest.mark.parametrize("pairs", ["interleaved", "halves"])
@pytest.mark.parametrize(("options", "positions", "rates", "width"), CASES.values(), ids=CASES)
def test_rows_are_turned_by_their_positions(options, positions, rates, width, pairs):
    wanted = turn(ROWS, positions, rates, pairs == "halves", width)
    node = RotaryEmbedding(X, pairs=pairs, **options)
    found = derive(node, {X: ROWS})
    digits = found.families.steps[-1].name
    np.testing.assert_allclose(np.array(found[digits].evaluate(20).tolist(), float), wanted, rtol=1e-14, atol=1e-14)
    explicit = RotaryEmbedding(Matrix(ROWS), pairs=pairs, **options).as_explicit()
    np.testing.assert_allclose(np.array(explicit.evalf(20).tolist(), float), wanted, rtol=1e-14, atol=1e-14)
    for style in ("plain", "fast"):
        np.testing.assert_allclose(lower(node, style=style)(np.array(ROWS, float)), wanted, rtol=1e-14, atol=1e-14)
    G = np.array(ROWS, float)[::-1]  # the transpose of a rotation is that by the opposite angles
    back = turn(G, positions, [-x for x in rates], pairs == "halves", width)
    gradient = differentiate(found, G=[list(map(int, row)) for row in G])["dX"]
    np.testing.assert_allclose(np.array(gradient.evaluate(20).tolist(), float), back, rtol=1e-14, atol=1e-14)
    made = lower(node, gradient=True)(X=np.array(ROWS, float), G=G)
    np.testing.assert_allclose(made["dX"], back, rtol=1e-13, atol=1e-14)
    for page in ({}, {"level": "token"}, {"level": "index"}, {"notation": "prince"}):
        assert derive(node, **page).to_latex() and derive(node, {X: ROWS}, **page).to_markdown(language="zh")
    assert derive(node).costs().total.elementwise == 3 * n * (width or 6) and found.shapes()


# --- rates, as the programs of the papers compute them


def llama3(width, base, factor, low, high, length):
    made = []
    for k in range(width // 2):
        rate = mpmath.mpf(base) ** (-mpmath.mpf(2 * k) / width)
        wave = 2 * mpmath.pi / rate
        if wave < mpmath.mpf(length) / high:
            made.append(rate)
        elif wave > mpmath.mpf(length) / low:
            made.append(rate / factor)
        else:
            smooth = (length / wave - low) / (high - low)
            made.append((1 - smooth) * rate / factor + smooth * rate)
    return made


def yarn(width, base, factor, length, fast=32, slow=1):
    def correction(rotations):
        return (width * math.log(length / (rotations * 2 * math.pi))) / (2 * math.log(base))

    low, high = max(math.floor(correction(fast)), 0), min(math.ceil(correction(slow)), width - 1)
    high = high + 0.001 if low == high else high
    ramp = np.clip((np.arange(width // 2) - low) / (high - low), 0, 1)
    extrapolated = 1.0 / base ** (np.arange(0, width, 2) / width)
    keep = 1 - ramp
    return extrapolated / factor * (1 - keep) + extrapolated * keep


@pytest.mark.parametrize(("width", "base", "factor"), [(128, 500000, 8), (64, 500000, 32), (8, 10000, 4)])
def test_published_rates(width, base, factor):
    with mpmath.workdps(40):
        wanted = llama3(width, base, factor, 1, 4, 8192)
        for found, rate in zip(llama3_rates(width, factor, 1, 4, 8192, base), wanted, strict=True):
            assert abs(mpmath.mpf(str(found.evalf(40))) / rate - 1) < 1e-35
    for length in (4096, 16384):
        found = [float(x) for x in yarn_rates(width, factor, length, base=base)]
        np.testing.assert_allclose(found, yarn(width, base, factor, length), rtol=1e-13)
    np.testing.assert_allclose(
        [float(x) for x in linear_rates(width, factor, base)], np.array(usual(width, base)) / factor
    )
    changed = base * factor ** (width / (width - 2))
    np.testing.assert_allclose([float(x) for x in ntk_rates(width, factor, base)], usual(width, changed), rtol=1e-13)


# --- in attention


def softmax(z):
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_heads_whose_queries_stand_after_the_keys():
    x, z = MatrixSymbol("X", n, D), MatrixSymbol("Z", m, D)
    W = {w: MatrixSymbol(w, D, 8) for w in ("W_Q", "W_K", "W_V")}
    rates = [1, Rational(1, 10)]
    manner = [Rotary(pairs="halves", offset=offset, rates=rates, width=4) for offset in (3, 0)]
    r = np.random.default_rng(1)
    arrays = {"X": r.standard_normal((2, 5)), "Z": r.standard_normal((5, 5))} | {
        w: r.standard_normal((5, 8)) for w in W
    }
    q, k, v = arrays["X"] @ arrays["W_Q"], arrays["Z"] @ arrays["W_K"], arrays["Z"] @ arrays["W_V"]
    wanted = []
    for h in (slice(0, 4), slice(4, 8)):
        turned = [turn(y[:, h], np.arange(len(y)) + first, [1, 0.1], True) for y, first in ((q, 3), (k, 0))]
        wanted.append(softmax(turned[0] @ turned[1].T / 2) @ v[:, h])
    for style in ("plain", "fast"):
        found = lower(MultiHead(x, z, heads=2, **W, rotary=manner), style=style)(**arrays)
        np.testing.assert_allclose(found, np.concatenate(wanted, axis=1), rtol=1e-12)


@pytest.mark.parametrize("style", ["plain", "fast"])
@pytest.mark.parametrize(("queries", "keys"), [(2, 5), (130, 400), (1, 300)])
@pytest.mark.parametrize(("left", "right"), [(2, 0), (0, 1), (40, 0), (None, 0), (3, None)])
def test_a_window_over_a_cache(queries, keys, left, right, style):
    past = keys - queries
    Q, K, V = MatrixSymbol("Q", n, D), MatrixSymbol("K", m, D), MatrixSymbol("V", m, D)
    o = symbols("o", integer=True)
    r = np.random.default_rng(2)
    q, k, v = r.standard_normal((queries, 4)), r.standard_normal((keys, 4)), r.standard_normal((keys, 4))
    i, j = np.arange(queries)[:, None] + past, np.arange(keys)
    seen = np.ones((queries, keys), bool) if left is None else j >= i - left
    seen = seen if right is None else seen & (j <= i + right)
    wanted = softmax(np.where(seen, q @ k.T / 2, -np.inf)) @ v
    for offset, given in ((past, {}), (o, {"o": past})):
        node = Attention(Q, K, V, mask=WindowMask(left, right, offset))
        np.testing.assert_allclose(lower(node, style=style)(q, k, v, **given), wanted, rtol=1e-11, atol=1e-13)
    if keys < 10:
        values = {x: [[str(y) for y in row] for row in a] for x, a in ((Q, q), (K, k), (V, v))}
        exact = derive(Attention(Q, K, V, mask=WindowMask(left, right, past)), values)["output"].evaluate(20)
        np.testing.assert_allclose(np.array(exact.tolist(), float), wanted, rtol=1e-12)


# --- worksheets, and what is refused

SHEET = '[inputs]\nQ = "n x 4"\nK = "m x 4"\nV = "m x d_v"\n[attention]\n'
STATED = {
    "positions = [3, 1]": {"offset": [3, 1]},
    'width = 2, pairs = "halves"': {"width": 2, "pairs": "halves"},
    'rates = [1, "1/3"]': {"rates": [1, Rational(1, 3)]},
    'width = 4, scaling = { kind = "linear", factor = 2 }': {"width": 4, "rates": linear_rates(4, 2)},
    'width = 4, base = 100, scaling = { kind = "ntk", factor = 2 }': {
        "width": 4,
        "base": 100,
        "rates": ntk_rates(4, 2, 100),
    },
    'width = 4, scaling = { kind = "yarn", factor = 4, length = 4096 }': {"width": 4, "rates": yarn_rates(4, 4, 4096)},
    'width = 4, base = 500000, scaling = { kind = "llama3", factor = 8, low = 1, high = 4, length = 8192 }': {
        "width": 4,
        "base": 500000,
        "rates": llama3_rates(4, 8, 1, 4, 8192),
    },
}


@pytest.mark.parametrize("text", STATED)
def test_worksheets_state_it(text):
    found = parse_worksheet(f"{SHEET}rope = {{ {text} }}\n").expression
    for x in found.args[:2]:
        assert x == RotaryEmbedding(x.args[0], **STATED[text])


def test_worksheets_state_queries_after_the_keys():
    found = parse_worksheet(SHEET + "mask = { window = [2, 0], offset = 3 }\nrope = { queries = 3 }\n").expression
    assert [x.args[3] for x in found.args[:2]] == [3, 0] and found.options["mask"] == WindowMask(2, 0, 3)


REFUSED = [
    (lambda: RotaryEmbedding(X, width=3), InputError, "3 columns cannot be rotated"),
    (lambda: RotaryEmbedding(X, width=8), InputError, "8 columns are to be rotated, but there are 6"),
    (lambda: RotaryEmbedding(X, rates=[1, 2]), InputError, "there are 2 rates for 6 columns"),
    (lambda: RotaryEmbedding(Matrix(ROWS), offset=[1, 2]), ShapeError, "the number of positions is 2"),
    (lambda: RotaryEmbedding(X, offset=["1/2"]), InputError, "offset"),
    (lambda: linear_rates(5, 2), InputError, "5 columns"),
    (lambda: linear_rates(4, 0), InputError, "factor is 0; it must be a positive number"),
    (lambda: llama3_rates(4, 8, 4, 4, 8192), InputError, "high is 4, which is not above low = 4"),
    (lambda: yarn_rates(4, 8, -1), InputError, "length is -1; it must be a positive number"),
    (lambda: WindowMask(1, 0, S.Half), InputError, "offset must be an integer"),
]


@pytest.mark.parametrize(("make", "kind", "message"), REFUSED)
def test_what_does_not_fit_is_refused(make, kind, message):
    with pytest.raises(kind, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_positions_that_are_not_one_for_each_row():
    node = RotaryEmbedding(X, offset=[1, 2])
    for style in ("plain", "fast"):
        with pytest.raises(ValueError, match="there are 3 rows, expected 2"):
            lower(node, style=style)(np.array(ROWS, float))
    with pytest.raises(SymattnError):
        derive(node, {X: ROWS}).to_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rope = { scaling = { kind = "yarn", factor = 2 } }', "attention.rope.scaling: write width and scaling"),
        ('rope = { width = 4, scaling = { kind = "yarn", factor = 2 } }', "yarn scaling needs factor, length"),
        ('rope = { width = 4, scaling = { kind = "linera", factor = 2 } }', "linear"),
        ("rope = { positions = [1], offset = 2 }", "attention.rope.positions"),
        ("rope = { width = 3 }", "attention.rope: 3 columns"),
        ("mask = { window = [2, 0], offset = 0.5 }", "attention.mask.offset"),
    ],
)
def test_worksheets_that_state_it_wrongly(text, message):
    with pytest.raises(SymattnError) as caught:
        parse_worksheet(f"{SHEET}{text}\n")
    assert message in str(caught.value) and "\n" not in str(caught.value)


# --- positions that are an input, and sections (Wang et al. 2024): time, height and width turn pairs of their own

POS = MatrixSymbol("pos", n, 3)
GIVEN = [[0, 0, 0], [4, 1, 2], [4, 1, 3]]  # a word, and two patches of an image
SECTIONS = [1, 2, 1]  # of the four pairs of eight columns
WIDE = [[1, 2, 3, 4, 5, 6, 7, 8], [2, 0, 1, -1, 3, 1, 0, 1], [0, 1, 1, 2, -2, 4, 1, -1]]


def turn_sections(rows, given):
    """As the authors' program has it: cosines of all three positions, cut into sections of both halves, in turn."""
    x, rates = np.array(rows, float), usual(8)
    angle = np.concatenate([np.outer(p, rates) for p in np.array(given).T] * 2, axis=1)  # three times, both halves
    cut = np.cumsum([0, *SECTIONS, *SECTIONS])
    thirds = [angle[:, 4 * k : 4 * k + 4] for k in range(3)]
    doubled = [np.concatenate([third, third], axis=1) for third in thirds]
    own = np.concatenate([doubled[k % 3][:, cut[k] : cut[k + 1]] for k in range(6)], axis=1)
    half = np.concatenate([-x[:, 4:], x[:, :4]], axis=1)
    return x * np.cos(own) + half * np.sin(own)


def test_sections_turn_by_positions_of_their_own():
    X = MatrixSymbol("X", n, 8)
    node, wanted = RotaryEmbedding(X, pairs="halves", offset=POS, sections=SECTIONS), turn_sections(WIDE, GIVEN)
    found = derive(node, {X: WIDE, POS: GIVEN})
    digits = found.families.steps[-1].name
    np.testing.assert_allclose(np.array(found[digits].evaluate(20).tolist(), float), wanted, rtol=1e-13, atol=1e-14)
    explicit = RotaryEmbedding(Matrix(WIDE), pairs="halves", offset=GIVEN, sections=SECTIONS)
    np.testing.assert_allclose(np.array(explicit.as_explicit().evalf(20).tolist(), float), wanted, rtol=1e-13)
    for style in ("plain", "fast"):
        f = lower(node, style=style, gradient=True)
        made = f(np.array(WIDE, float), np.array(GIVEN), np.array(WIDE, float))
        assert set(made) == {"output", "dX"}  # positions have no gradient
        np.testing.assert_allclose(made["output"], wanted, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("style", ["plain", "fast", "compiled"])
def test_positions_of_every_sequence(style):
    Q, K, V = (MatrixSymbol(x, n, 6) for x in "QKV")
    pos = MatrixSymbol("pos", n, 1)
    f = lower(Attention(*(RotaryEmbedding(x, offset=pos) for x in (Q, K)), V), style=style)
    x = np.random.default_rng(1).standard_normal((3, 2, 3, 6))
    given = np.array([[0, 1, 2], [-3, 5, 5]])
    found = f(Q=x[0], K=x[1], V=x[2], pos=given[..., None])
    for b in range(2):
        q, k = (turn(x[c, b], given[b], usual(6), False) for c in (0, 1))
        E = np.exp(q @ k.T / np.sqrt(6))
        np.testing.assert_allclose(found[b], E / E.sum(axis=1, keepdims=True) @ x[2, b], rtol=1e-12)


def test_positions_that_do_not_fit_are_refused():
    for sections, message in (([2, 2], "sections have 4 pairs"), ([1, "x"], "sections"), ([3], "1"), (None, "1")):
        with pytest.raises(SymattnError, match=message):
            RotaryEmbedding(X, offset=MatrixSymbol("pos", n, 2), sections=sections)
    with pytest.raises(ShapeError, match=r"rows\(pos\)"):
        RotaryEmbedding(X, offset=MatrixSymbol("pos", m, 1))
    f = lower(RotaryEmbedding(X, offset=MatrixSymbol("pos", n, 1)))
    with pytest.raises(ValueError, match=r"pos has shape \(2, 1\), expected \(..., 3, 1\)"):
        f(np.ones((3, 6)), np.ones((2, 1)))
    with pytest.raises(TypeError, match="pos is bool"):
        f(np.ones((3, 6)), np.ones((3, 1), bool))


@pytest.mark.parametrize("options", [{}, {"pairs": "halves"}, {"width": 4}, {"pairs": "halves", "width": 4}])
def test_positions_may_have_more_leading_axes_than_rows(options):
    """Rows that all sequences share are turned by the positions of each, and their gradient is summed."""
    node = RotaryEmbedding(X, offset=MatrixSymbol("pos", n, 1), **options)
    halves, width = options.get("pairs") == "halves", options.get("width")
    positions, G = np.array([[0.0, 1, 2], [5, 0, 9]]), np.random.default_rng(0).standard_normal((2, 3, 6))
    rates = usual(width or 6)
    for x in (np.array(ROWS, float), np.array([ROWS], float)):
        found = lower(node, gradient=True)(X=x, pos=positions[..., None], G=G)
        np.testing.assert_allclose(
            found["output"], [turn(ROWS, p, rates, halves, width) for p in positions], rtol=1e-13
        )
        back = sum(turn(g, -p, rates, halves, width) for g, p in zip(G, positions, strict=True))
        np.testing.assert_allclose(found["dX"], back.reshape(x.shape), rtol=1e-12, atol=1e-14)


def test_positions_between_whole_numbers_are_taken_in_lists_and_columns():
    x, wanted = np.array(ROWS[:2], float), turn(ROWS[:2], [0.5, 1], usual(6), False)
    sized = MatrixSymbol("X", 2, 6)
    for given in ([0.5, 1], [[0.5], [1]], Matrix([S.Half, 1])):
        np.testing.assert_allclose(lower(RotaryEmbedding(sized, offset=given))(x), wanted, rtol=1e-13)
    f = lower(RotaryEmbedding(X, offset=MatrixSymbol("pos", n, 1)))
    np.testing.assert_allclose(f(x.tolist(), pos=[[0.5], [1]]), wanted, rtol=1e-13)
    with pytest.raises(ValueError, match="pos has rows of different lengths"):
        f(x, pos=[[0.5], [1, 2]])


def test_what_is_said_of_positions():
    pos = MatrixSymbol("pos", n, 2)
    node = RotaryEmbedding(X, offset=pos, sections=[1, 2])
    said = derive(node).to_markdown()
    assert "is at position" not in said and "positions of the rows are those of" in said
    assert "first row is at position $3$" in derive(RotaryEmbedding(X, offset=3)).to_markdown()
    assert "first column is at position $3$" in derive(RotaryEmbedding(X, offset=3), notation="prince").to_markdown()
    with pytest.raises(InputError, match="pos says at which positions rows stand"):
        differentiate(derive(node), wrt="pos")
    with pytest.raises(InputError, match="sections need a matrix of positions"):
        Rotary(sections=[1, 1])


def test_sections_may_take_turns():
    """As apply_interleaved_mrope of Qwen3-VL: every third pair from 1 on by the height, from 2 on by the width."""
    counts, pairs = [24, 20, 20], list(range(64))
    wanted = [0] * 64
    for section in (1, 2):
        for k in pairs[section : counts[section] * 3 : 3]:
            wanted[k] = section
    turned = RotaryEmbedding(
        MatrixSymbol("X", 2, 128), offset=MatrixSymbol("pos", 2, 3), sections=counts, alternating=True
    )
    assert [turned.section(k) for k in pairs] == wanted
    k = Symbol("k", integer=True, nonnegative=True)
    letters = turned.position(0, k)
    assert [letters.subs(k, value) for value in pairs] == [turned.position(0, value) for value in pairs]
    assert turned.func(*turned.args) == turned
    assert "take turns" in derive(turned).to_markdown()


def test_sections_that_cannot_take_turns_are_refused():
    pos = MatrixSymbol("pos", n, 2)
    for match, options in (
        ("need sections", {"alternating": True}),
        ("cannot take turns", {"offset": pos, "sections": [1, 3], "alternating": True}),
        ("alternating", {"offset": pos, "sections": [2, 2], "alternating": 3}),
    ):
        with pytest.raises(InputError, match=match):
            Rotary(**options)
    sheet = "[inputs]\nQ = [[1, 0, 1, 0, 1, 0]]\nK = [[1, 0, 1, 0, 1, 0]]\nV = [[1]]\n[attention]\n"
    sheet += "rope = { positions = [[1, 2]], sections = [2, 1], alternating = true }\n"
    found = parse_worksheet(sheet).expression.args[0]
    assert [found.section(k) for k in range(3)] == [0, 1, 0]


def test_one_rate_cannot_be_interpolated():
    with pytest.raises(InputError, match="needs 4 columns or more, not 2"):
        ntk_rates(2, 2)
    with pytest.raises(InputError, match="needs an even width"):
        ntk_rates(5, 2)
