"""The entries of nodes: each rule is the formula of the node."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from sympy import Expr, Integer, Lambda, MatrixSymbol, S, Symbol, Tuple
from sympy.matrices.expressions import HadamardPower, HadamardProduct

from symattn import nodes
from symattn.checking.equality.entries import Entries, entry_of, exponential_of, opaque
from symattn.checking.equality.indices import Index, Undecided, Variable, constant, lone
from symattn.checking.equality.masks import keeps
from symattn.checking.equality.numbers import function_of
from symattn.checking.equality.terms import Sum
from symattn.writing.strict import as_sympy

FIRST = constant(0)
INVERSE = Fraction(-1)

# --- entry by entry


@entry_of.register(nodes.Plus | nodes.Biased)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.add(*(known.at(a, i, j) for a in e.args))


@entry_of.register
def _(e: nodes.Scaled, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(known.number(e.factor), known.at(e.args[0], i, j))


@entry_of.register
def _(e: nodes.ScaledBy, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(known.at(e.args[1], FIRST, FIRST), known.at(e.args[0], i, j))


@entry_of.register(nodes.Hadamard | HadamardProduct)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(*(known.at(a, i, j) for a in e.args))


@entry_of.register
def _(e: HadamardPower, i: Index, j: Index, known: Entries) -> Sum:
    if not e.exp.is_Rational:
        return opaque(e, i, j, known)
    return known.algebra.power(known.at(e.base, i, j), Fraction(int(e.exp.p), int(e.exp.q)))


@entry_of.register
def _(e: nodes.AddRow, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.add(known.at(e.args[0], i, j), known.at(e.args[1], FIRST, j))


@entry_of.register
def _(e: nodes.SubtractColumn, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.subtract(known.at(e.args[0], i, j), known.at(e.args[1], i, FIRST))


@entry_of.register
def _(e: nodes.DivideRows, i: Index, j: Index, known: Entries) -> Sum:
    below = known.algebra.power(known.at(e.args[1], i, FIRST), INVERSE)
    return known.algebra.multiply(known.at(e.args[0], i, j), below)


@entry_of.register
def _(e: nodes.ScaleRows, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(known.at(e.args[0], i, j), known.at(e.args[1], i, FIRST))


@entry_of.register
def _(e: nodes.ScaleColumns, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(known.at(e.args[0], i, j), known.at(e.args[1], FIRST, j))


@entry_of.register
def _(e: nodes.Diagonal, i: Index, j: Index, known: Entries) -> Sum:
    a = e.args[0]
    return known.algebra.multiply(
        known.algebra.delta(i, j), known.at(a, *((i, FIRST) if a.shape[1] == 1 else (FIRST, j)))
    )


@entry_of.register
def _(e: nodes.Constant, i: Index, j: Index, known: Entries) -> Sum:
    if e.args[0] is S.NegativeInfinity:
        raise Undecided("minus_infinity")
    return known.number(e.args[0])


@entry_of.register(nodes.Part | nodes.Dropout)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    return known.at(e.args[0], i, j)


@entry_of.register
def _(e: nodes.Exponential, i: Index, j: Index, known: Entries) -> Sum:
    return known.exp(e.args[0], i, j)


@entry_of.register
def _(e: nodes.SoftCapped, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(known.number(e.args[1]), _bent(e, i, j, known))


@entry_of.register
def _(e: nodes.CapSlope, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.subtract(known.algebra.one, known.algebra.power(_bent(e, i, j, known), Fraction(2)))


def _bent(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    inside = known.algebra.multiply(known.at(e.args[0], i, j), known.number(1 / e.args[1]))
    return function_of("tanh", inside, known.algebra)


@entry_of.register
def _(e: nodes.OfEntries, i: Index, j: Index, known: Entries) -> Sum:
    return _mapped(e.function, known.at(e.args[0], i, j), {}, known)


@entry_of.register
def _(e: nodes.ScoreMod, i: Index, j: Index, known: Entries) -> Sum:
    _, row, column = e.args[1].variables
    places = {row: known.position(i), column: known.position(j)}
    used = {s: value for s, value in places.items() if e.args[1].expr.has(s)}
    try:
        return _mapped(e.args[1], known.at(e.args[0], i, j), used, known)
    except Undecided as undecided:
        if undecided.reason != "formula":
            raise
        return opaque(e, i, j, known)


def _mapped(formula: Lambda, value: Sum, places: dict[Symbol, Sum], known: Entries) -> Sum:
    """A formula of an entry; what is no sum of products is a function with the formula as its name."""
    z = formula.variables[0]
    try:
        return known.number(formula.expr, {z: value, **places})
    except Undecided:
        if places or formula.expr.has(MatrixSymbol, *known.letters):
            raise
        return function_of(sympy.srepr(Lambda(z, formula.expr)), value, known.algebra)


@entry_of.register
def _(e: nodes.Alibi, i: Index, j: Index, known: Entries) -> Sum:
    _, _, slope, offset = e.args
    distance = known.algebra.subtract(known.position(i.plus(known.index(offset))), known.position(j))
    return known.algebra.scale(known.algebra.multiply(known.number(slope), distance), -1)


@entry_of.register
def _(e: nodes.AdditiveScores, i: Index, j: Index, known: Entries) -> Sum:
    P, R, v = e.args
    algebra = known.algebra

    def unit(k: Index) -> Sum:
        bent = function_of("tanh", algebra.add(known.at(P, i, k), known.at(R, j, k)), algebra)
        return algebra.multiply(known.at(v, k, FIRST), bent)

    return known.total(P.shape[1], unit)


@entry_of.register
def _(e: nodes.Where, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(keeps(e.args[1], i, j, known), known.at(e.args[0], i, j))


# --- rows and columns


@entry_of.register
def _(e: nodes.RowSum, i: Index, j: Index, known: Entries) -> Sum:
    Z = e.args[0]
    return known.total(Z.shape[1], lambda k: known.at(Z, i, k))


@entry_of.register
def _(e: nodes.ColumnSum, i: Index, j: Index, known: Entries) -> Sum:
    Z = e.args[0]
    return known.total(Z.shape[0], lambda k: known.at(Z, k, j))


@entry_of.register
def _(e: nodes.RowMax | nodes.RowThreshold, i: Index, j: Index, known: Entries) -> Sum:
    """A function of the exponentials of the row and of how long its parts are, of which nothing else is known."""
    Z, algebra = e.args[0], known.algebra
    parts = list(known.positions(sympy.expand(Z.shape[1])))
    lengths = [sympy.srepr(v.size) for k in parts for v in k.variables]
    name = "log of the largest" if isinstance(e, nodes.RowMax) else f"threshold of {e.args[1]}"
    name = f"{name} of {lengths}"
    row = algebra.zero
    for number, k in enumerate(parts):
        named = {v: lone(Variable(f"^{number}.{order}", v.size)) for order, v in enumerate(k.variables)}
        entry = algebra.rename(known.exp(Z, i, k), named)
        row = algebra.add(row, algebra.multiply(algebra.scalar(f"part {number} of a maximum"), entry))
    return algebra.function("function", name, row)


@entry_of.register
def _(e: nodes.RowNorm, i: Index, j: Index, known: Entries) -> Sum:
    X, algebra = e.args[0], known.algebra
    squares = known.total(X.shape[1], lambda k: algebra.power(known.at(X, i, k), Fraction(2)))
    if e.kind == "rms":
        squares = algebra.multiply(squares, known.number(1 / as_sympy(X.shape[1])))
    return algebra.power(algebra.add(squares, known.number(e.args[2])), Fraction(1, 2))


@entry_of.register
def _(e: nodes.NormalisedRows, i: Index, j: Index, known: Entries) -> Sum:
    X, _, gain, _ = e.args
    divided = known.at(nodes.DivideRows(X, e.norm(X)), i, j)
    return divided if gain is S.true else known.algebra.multiply(divided, known.at(gain, FIRST, j))


@entry_of.register(nodes.AdditiveGain | nodes.AdditiveSlope | nodes.Entmax | nodes.FeedForward | nodes.Gated)
@entry_of.register(nodes.LayerNorm | nodes.Residual | nodes.RMSNorm | nodes.WithPositions)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    """What says itself by which elementary nodes it is computed."""
    return known.at(e.spelled(), i, j)


@entry_of.register
def _(e: nodes.Softmax, i: Index, j: Index, known: Entries) -> Sum:
    Z, algebra = e.args[0], known.algebra
    length = as_sympy(Z.shape[e.axis])
    if e.axis == -1:
        total = known.total(length, lambda k: known.exp(Z, i, k))
    else:
        total = known.total(length, lambda k: known.exp(Z, k, j))
    if e.empty_row == "error" or not _hides(Z):
        return algebra.multiply(known.exp(Z, i, j), algebra.power(total, INVERSE))
    # a row of nothing but −∞ is worth something of its own
    weight = algebra.multiply(known.exp(Z, i, j), algebra.function("function", "1/x, 0 for 0", total))
    if e.empty_row == "zero":
        return weight
    if e.empty_row == "uniform":
        share = algebra.multiply(known.number(1 / length), algebra.function("function", "1 for 0, else 0", total))
        return algebra.add(weight, share)
    return algebra.add(weight, algebra.function("function", f"{e.empty_row} for 0, else 0", total))


def _hides(Z: Any) -> bool:
    return bool(Z.has(nodes.Masked, S.NegativeInfinity))


@entry_of.register
def _(e: nodes.SinkSoftmax, i: Index, j: Index, known: Entries) -> Sum:
    Z, sink = e.args
    algebra = known.algebra
    total = algebra.add(known.exp(sink, FIRST, FIRST), known.total(Z.shape[1], lambda k: known.exp(Z, i, k)))
    return algebra.multiply(known.exp(Z, i, j), algebra.power(total, INVERSE))


@entry_of.register
def _(e: nodes.Vanishing, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.zero


@entry_of.register
def _(e: nodes.SigmoidWeights, i: Index, j: Index, known: Entries) -> Sum:
    """e^(z + b) / (1 + e^(z + b))."""
    Z, b = e.args
    algebra = known.algebra
    power = algebra.multiply(known.exp(Z, i, j), known.exp(b, FIRST, FIRST))
    return algebra.multiply(power, algebra.power(algebra.add(algebra.one, power), INVERSE))


@entry_of.register
def _(e: nodes.AboveThreshold, i: Index, j: Index, known: Entries) -> Sum:
    """A function of the exponential of the difference, of which nothing else is known."""
    Z, threshold, power, exponent = e.args
    ratio = known.algebra.multiply(
        known.exp(nodes.Scaled(Z, 1 / power), i, j), known.exp(nodes.Scaled(threshold, -1), i, FIRST)
    )
    return known.algebra.function("function", f"log above 0 to the power {exponent}", ratio)


# --- attention


@entry_of.register
def _(e: nodes.SoftmaxAttention, i: Index, j: Index, known: Entries) -> Sum:
    """Weights times values, however they are computed: the theorem `flash-attention` is why blocks of keys may be."""
    A, V = e.weights(e.scores()), e.values()
    return known.total(V.shape[0], lambda k: known.algebra.multiply(known.at(A, i, k), known.at(V, k, j)))


@entry_of.register
def _(e: nodes.DifferentialAttention, i: Index, j: Index, known: Entries) -> Sum:
    Q, K, Q_2, K_2, V, lam = e.args[:6]
    first, second = (e.weights(q * k.T) for q, k in ((Q, K), (Q_2, K_2)))
    D = e.difference(first, second, lam)
    return known.total(V.shape[0], lambda k: known.algebra.multiply(known.at(D, i, k), known.at(V, k, j)))


@entry_of.register
def _(e: nodes.LinearAttention, i: Index, j: Index, known: Entries) -> Sum:
    """Σ_t φ(q_i)·φ(k_t) v_t over Σ_t φ(q_i)·φ(k_t), t ≤ i where it is causal."""
    Q, K, V, feature, _ = e.args
    algebra, q, k = known.algebra, nodes.Mapped(Q, feature), nodes.Mapped(K, feature)

    def alike(t: Index) -> Sum:
        product = known.total(Q.shape[1], lambda a: algebra.multiply(known.at(q, i, a), known.at(k, t, a)))
        return algebra.multiply(product, known.at_most(t, i)) if e.causal else product

    above = known.total(K.shape[0], lambda t: algebra.multiply(alike(t), known.at(V, t, j)))
    return algebra.multiply(above, algebra.power(known.total(K.shape[0], alike), INVERSE))


@entry_of.register
def _(e: nodes.Retention, i: Index, j: Index, known: Entries) -> Sum:
    """Σ_{t≤i} γ^(i−t) q_i·k_t v_t, as the theorem `state-space-chunk` says; of a learned γ nothing is known."""
    Q, K, V, gamma = e.args
    if nodes.is_matrix(gamma):
        return opaque(e, i, j, known)
    algebra, row, column = known.algebra, sympy.Dummy(), sympy.Dummy()

    def left(t: Index) -> Sum:
        product = known.total(Q.shape[1], lambda a: algebra.multiply(known.at(Q, i, a), known.at(K, t, a)))
        places = {row: known.position(i), column: known.position(t)}
        decayed = algebra.multiply(product, known.number(gamma ** (row - column), places))
        return algebra.multiply(algebra.multiply(decayed, known.at_most(t, i)), known.at(V, t, j))

    return known.total(K.shape[0], left)


@entry_of.register
def _(e: nodes.MultiHead, i: Index, j: Index, known: Entries) -> Sum:
    """Σ_c Concat_ic W_cj + b_j."""
    joined = nodes.Concat(e.head()) if e.heads == 1 else nodes.ConcatHeads(e.head(), nodes.HEAD, e.heads)
    algebra = known.algebra
    if isinstance(e.W_O, sympy.Identity):
        projected = known.at(joined, i, j)
    else:
        size = e.W_O.shape[0]
        projected = known.total(size, lambda k: algebra.multiply(known.at(joined, i, k), known.at(e.W_O, k, j)))
    return algebra.add(projected, known.at(e.b_O, FIRST, j))


# --- parts of matrices, and families


def _place(parts: tuple[Any, ...], axis: int, index: Index, known: Entries) -> tuple[Any, Index]:
    """Which of the parts an index is in, and where."""
    start: Expr = S.Zero
    for part in parts[:-1]:
        size = part.shape[axis]
        if size.has(*known.letters):
            raise Undecided("formula", size)
        if known.axes.below(index, start + size):
            return part, index.shifted(-start)
        start += size
    return parts[-1], index.shifted(-start)


def _origin(e: Any, i: Index, j: Index, known: Entries) -> tuple[Any, Index, Index]:
    """The matrix, row and column that an entry of a concatenation, a stack or a block is taken from."""
    if isinstance(e, nodes.Concat):
        part, at = _place(e.args, 1, j, known)
        return part, i, at
    if isinstance(e, nodes.Stack):
        part, at = _place(e.args, 0, i, known)
        return part, at, j
    X, top, _, left, _ = e.args
    return X, i.plus(known.index(top)), j.plus(known.index(left))


@entry_of.register(nodes.Concat | nodes.Stack | nodes.Block)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    return known.at(*_origin(e, i, j, known))


@exponential_of.register(nodes.Concat | nodes.Stack | nodes.Block)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    return known.exp(*_origin(e, i, j, known))


@entry_of.register
def _(e: nodes.ConcatHeads, i: Index, j: Index, known: Entries) -> Sum:
    body, letter, count = e.args
    head, column = known.split(j, count, as_sympy(body.shape[1]))
    return known.with_letter(letter, head.shifted(S.One)).at(body, i, column)


@entry_of.register
def _(e: nodes.StackMembers, i: Index, j: Index, known: Entries) -> Sum:
    body, letter, count = e.args
    member, row = known.split(i, count, as_sympy(body.shape[0]))
    return known.with_letter(letter, member.shifted(S.One)).at(body, row, j)


@entry_of.register
def _(e: nodes.SumHeads, i: Index, j: Index, known: Entries) -> Sum:
    body, letter, count = e.args
    return known.members(letter, count, lambda within: within.at(body, i, j))


@entry_of.register
def _(e: nodes.SumGroup, i: Index, j: Index, known: Entries) -> Sum:
    body, letter, count, group, groups = e.args
    size = sympy.cancel(count / groups)
    before = known.index(group).shifted(-1).times(size)
    return known.total(size, lambda r: known.with_letter(letter, before.plus(r.shifted(S.One))).at(body, i, j))


@entry_of.register
def _(e: nodes.HeadColumns, i: Index, j: Index, known: Entries) -> Sum:
    W, number, _ = e.args
    return known.at(W, i, _head(number, known).times(e.shape[1]).plus(j))


@entry_of.register
def _(e: nodes.HeadRows, i: Index, j: Index, known: Entries) -> Sum:
    W, number, _ = e.args
    return known.at(W, _head(number, known).times(e.shape[0]).plus(i), j)


def _head(number: Expr, known: Entries) -> Index:
    """The number of a head from 0; that of the key/value head ⌈i g/h⌉ needs the heads counted by groups."""
    if not isinstance(number, sympy.ceiling):
        return known.index(number).shifted(S.NegativeOne)
    number = number.xreplace({s: i.offset for s, i in known.letters.items() if not i.parts})
    letters = [s for s in known.letters if number.has(s)]
    if not letters:
        return constant(number - 1)
    groups = number.args[0].coeff(letters[0])  # of each head
    if sympy.expand(number.args[0] - groups * letters[0]) != 0 or groups.has(*letters):
        raise Undecided("formula", number)
    share, index = 1 / groups, known.letters[letters[0]].shifted(S.NegativeOne)
    heads = sum((v.size for v in index.variables), S.Zero)  # of one index: how many there are
    return known.split(index, sympy.cancel(heads / share), share)[0]


# --- rotations


@entry_of.register(nodes.RotaryEmbedding | nodes.RotatedBack)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    """x cos φ − y sin φ for the first of a pair, y cos φ + x sin φ for the second."""
    X, base, _, offset, *others = e.args
    if isinstance(offset, Tuple) or nodes.is_matrix(offset) or any(x is not S.true for x in others):
        raise Undecided("blocks_of_heads")
    forward = e if isinstance(e, nodes.RotaryEmbedding) else nodes.RotaryEmbedding(*e.args)
    d = as_sympy(e.shape[1])
    if forward.pairs == "interleaved":
        pair, second = known.split(j, d / 2, Integer(2))
        partner = pair.times(Integer(2)).shifted(1 - second.offset)
    else:
        second, pair = known.split(j, Integer(2), d / 2)
        partner = pair.shifted((1 - second.offset) * d / 2)
    if second.parts:
        raise Undecided("blocks_of_heads")
    row, column = sympy.Dummy(), sympy.Dummy()
    places = {row: known.position(i.plus(known.index(offset))), column: known.position(pair)}
    angle = row * base ** (-2 * column / d)
    algebra = known.algebra
    sign = (1 if isinstance(e, nodes.RotaryEmbedding) else -1) * (1 if second.offset == 1 else -1)
    here = algebra.multiply(known.at(X, i, j), known.number(sympy.cos(angle), places))
    there = algebra.multiply(known.at(X, i, partner), known.number(sympy.sin(angle), places))
    return algebra.add(here, algebra.scale(there, sign))


# --- exponentials where −∞ may hide an entry


@exponential_of.register
def _(e: nodes.Masked, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(keeps(e.args[1], i, j, known), known.exp(e.args[0], i, j))


@exponential_of.register
def _(e: nodes.Penalised, i: Index, j: Index, known: Entries) -> Sum:
    """e^c where the mask hides, 1 where it keeps."""
    algebra = known.algebra
    scores, mask, penalty = e.args
    low = algebra.exp(known.number(penalty))
    factor = algebra.add(low, algebra.multiply(algebra.subtract(algebra.one, low), keeps(mask, i, j, known)))
    return algebra.multiply(known.exp(scores, i, j), factor)


@entry_of.register
def _(e: nodes.Penalised, i: Index, j: Index, known: Entries) -> Sum:
    algebra = known.algebra
    scores, mask, penalty = e.args
    hidden = algebra.subtract(algebra.one, keeps(mask, i, j, known))
    return algebra.add(known.at(scores, i, j), algebra.multiply(known.number(penalty), hidden))


@exponential_of.register(nodes.Plus | nodes.Biased)
def _(e: Any, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(*(known.exp(a, i, j) for a in e.args))


@exponential_of.register
def _(e: nodes.SubtractColumn, i: Index, j: Index, known: Entries) -> Sum:
    shift = known.algebra.exp(known.algebra.scale(known.at(e.args[1], i, FIRST), -1))
    return known.algebra.multiply(known.exp(e.args[0], i, j), shift)


@exponential_of.register
def _(e: nodes.AddRow, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.multiply(known.exp(e.args[0], i, j), known.exp(e.args[1], FIRST, j))


@exponential_of.register
def _(e: nodes.Constant, i: Index, j: Index, known: Entries) -> Sum:
    return known.algebra.zero if e.args[0] is S.NegativeInfinity else known.algebra.exp(known.number(e.args[0]))
