"""An attention expression -> its elementary steps, by one stateless rule per kind of node.

A rule receives the node and the steps so far, adds the node's own, and returns the matrix that stands for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce, singledispatch
from typing import Any

import sympy
from sympy import Identity, Integer, MatrixExpr, MatrixSymbol, S, ZeroMatrix
from sympy.matrices.expressions import HadamardPower, HadamardProduct, MatAdd, MatMul, Transpose
from sympy.matrices.expressions.matexpr import MatrixElement

from symattn.errors import InputError
from symattn.nodes import (
    HEAD,
    KV_HEAD,
    TIME,
    AboveThreshold,
    AddRow,
    Alibi,
    AtBuckets,
    Attention,
    Biased,
    Block,
    Concat,
    ConcatHeads,
    DivideRows,
    Embedding,
    Entmax,
    Exponential,
    Hadamard,
    HeadColumns,
    HeadRows,
    Largest,
    LayerNorm,
    Mapped,
    Masked,
    Member,
    MultiHead,
    Node,
    NormalisedRows,
    Part,
    Penalised,
    Previous,
    RelativeBias,
    RotaryEmbedding,
    RowMax,
    RowSum,
    RowThreshold,
    ScaleColumns,
    Scaled,
    ScaledBy,
    ScoreMod,
    SigmoidWeights,
    SinkSoftmax,
    SoftCapped,
    Softmax,
    Stack,
    SubtractColumn,
    SumHeads,
    at,
    divisor,
    is_matrix,
    kv_head_of,
    member,
)
from symattn.nodes.node import require_own_names
from symattn.program.steps import Index, Program, Step, name_apart, take_name
from symattn.writing.prose import Sentence
from symattn.writing.visible import clip


class Steps:
    """The steps so far; names and letters are unique."""

    def __init__(self, inputs: set[MatrixSymbol], full: bool, sums: bool) -> None:
        self.steps: list[Step] = []
        self.letters = {s.name for s in inputs}
        self.names = set(self.letters)
        self.full, self.sums = full, sums
        self.index: Index | None = None
        self.first: tuple[int, ...] = ()  # where the families at hand begin, the outermost first
        self.name = ""
        self.unfolded: dict[tuple[Any, str, Index | None], Any] = {}  # what stands for each node, where it stands
        self.parts: dict[Part, Any] = {}  # what stands for each; one that many take is unfolded once

    @contextmanager
    def family(self, index: Index) -> Iterator[None]:
        """The steps that are added within are families, one member for each value of the index."""
        before, first = self.index, self.first
        self.index, self.first = replace(index, within=before), (*first, len(self.steps))
        try:
            yield
        finally:
            self.index, self.first = before, self.first[:-1]

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """The steps that are added within carry the name of a part of the calculation."""
        before, self.name = self.name, name
        try:
            yield
        finally:
            self.name = before

    def add(self, role: str, letter: str, expression: Any, **about: Any) -> MatrixExpr:
        """A new step, or the one that says the same already; `about` is what a Step has beside these.

        What is the same for all members of the family at hand is a step before it.
        """
        for step in self.steps:
            if step.expression == expression:
                return step.symbol
        index, place = self.index, len(self.steps)
        while index is not None and at(expression, index.letter, Integer(1)) == expression:
            place = self.first[len(index.chain) - 1]
            index = index.within
        letter = self._letter("head" if letter == "O" and index else letter)
        symbol = MatrixSymbol(index.member(letter) if index else letter, *expression.shape)
        return self._insert(place, Step(role, symbol, expression, self.name, index, **about))

    def start(self, role: str, letter: str, expression: Any, **about: Any) -> str:
        """What a recurrence starts from, as member 0 of its family; returns the family's letter."""
        letter = self._letter(letter)
        symbol = MatrixSymbol(member(self._member(letter), 0), *expression.shape)
        self._insert(len(self.steps), Step(role, symbol, expression, self.name, self.index, suffix="_0", **about))
        return letter

    def next(self, role: str, letter: str, expression: Any, **about: Any) -> MatrixExpr:
        """The step of a family whose letter its start has given."""
        symbol = MatrixSymbol(self._member(letter), *expression.shape)
        return self._insert(len(self.steps), Step(role, symbol, expression, self.name, self.index, **about))

    def before(self, letter: str, rows: Any, columns: Any) -> Any:
        """The member before the one at hand, of a family whose letter its start has given."""
        return Previous(MatrixSymbol(self._member(letter), rows, columns), TIME)

    def named(self, role: str, letter: str, given: Any) -> Any:
        """An operand that a later step speaks of: as it is if it has a name, else a step of its own."""
        visited = unfold_node(given, self)
        has_name = visited.is_symbol or (isinstance(visited, HeadColumns) and visited.is_named)
        if has_name or not is_expression(visited):
            return visited
        usual = role not in ("scores", "scaled") or (role == "scores" and isinstance(visited, MatMul))
        return self.add(role, letter, visited, because="" if usual else "other")

    def free(self, *letters: str) -> str:
        """The first of some letters that nothing is called by yet."""
        return next((x for x in letters if f"{x}{self._ending}" not in self.letters), letters[0])

    def _letter(self, letter: str) -> str:
        """The letter with the part that it belongs to."""
        return take_name(letter, self.letters, self._ending)

    @property
    def _ending(self) -> str:
        return member("", self.name) if self.name else ""

    def _member(self, letter: str) -> str:
        """The name of the members of a family at hand."""
        return self.index.member(letter) if self.index else letter

    def _insert(self, place: int, step: Step) -> MatrixExpr:
        self.steps.insert(
            place, name_apart(step, self.names)
        )  # values are known by the names of steps and inputs alike
        outside = len(step.indices)  # the families that it comes before
        self.first = (*self.first[:outside], *(first + 1 for first in self.first[outside:]))
        return step.symbol


def unfold(expression: Any, *, full: bool = False, sum_heads: bool = False) -> Program:
    """The program of an attention expression; `full` takes softmax apart as one does by hand.

    `sum_heads` adds what the projection of several heads also is: the sum over the heads of head_i W_i^O.

    Raises InputError where the expression has no steps (a lone symbol), or is none.

    >>> from sympy import symbols
    >>> n, d = symbols("n d")
    >>> Q, K, V = (MatrixSymbol(x, n, d) for x in "QKV")
    >>> for step in unfold(Attention(Q, K, V)): print(step.name, step.symbol, "=", step.expression)
    scores S = Q*K.T
    scaled S' = S/sqrt(d)
    weights A = softmax(S')
    output O = A*V
    """
    if not is_matrix(expression):
        raise InputError(Sentence("nothing_to_derive", given=clip(str(expression))))
    inputs = _symbols(expression)
    steps = Steps(set(inputs), full, sum_heads)
    last = unfold_node(expression, steps)
    if not last.is_symbol:
        again = any(step.name == "output" for step in steps.steps)
        steps.add("result" if again else "output", "R" if again else "O", last, because=_reason(last, steps))
    if not steps.steps:
        raise InputError(Sentence("nothing_to_derive", given=expression))
    return Program(tuple(inputs), tuple(steps.steps))


def _reason(last: Any, steps: Steps) -> str:
    """What a last formula that no rule has made is for: the usual output, logits, or nothing that is known."""
    product = last.args[0] if isinstance(last, AddRow) else last
    factors = product.args if isinstance(product, MatMul) else (None, None)
    of_weights = any(step.role in ("weights", "difference") and step.symbol == factors[0] for step in steps.steps)
    table = factors[-1].arg if isinstance(factors[-1], Transpose) else None
    tied = any(isinstance(step.expression, Embedding) and step.expression.args[0] == table for step in steps.steps)
    unembeds = tied or getattr(factors[-1], "name", "") == "W_U"
    return "logits" if unembeds else "" if of_weights else "other"


def unfold_node(node: Any, steps: Steps) -> Any:
    """What stands for a node, its steps added; for one that is there already, as the source of a residual, once."""
    at = node, steps.name, steps.index
    if at not in steps.unfolded:
        steps.unfolded[at] = rule(node, steps)
    return steps.unfolded[at]


@singledispatch
def rule(node: Any, steps: Steps) -> Any:
    """Products, sums and transposes stay as they are, over unfolded operands; a node that has no rule is a step."""
    if not is_expression(node) or node.is_symbol or isinstance(node, ZeroMatrix | Identity):
        return node
    arguments = [unfold_node(a, steps) if is_matrix(a) else a for a in node.args]
    rebuilt = node.func(*arguments)
    return steps.add(type(node).__name__.lower(), "Y", rebuilt) if isinstance(node, Node) else rebuilt


@rule.register
def _(node: HadamardProduct, steps: Steps) -> Any:
    """SymPy's entrywise product, by ours, which has values."""
    return reduce(Hadamard, (unfold_node(factor, steps) for factor in node.args))


@rule.register
def _(node: HadamardPower, steps: Steps) -> Any:
    """A whole power as a product; another as it stands, which says then that it has no value."""
    base, power = node.args
    whole = power.is_Integer and 1 <= power <= 8
    return reduce(Hadamard, [unfold_node(base, steps)] * int(power)) if whole else node


@rule.register
def _(node: Attention, steps: Steps) -> Any:
    """S = Q Kᵀ; logits from S; A = softmax of them; O = A V."""
    Q, K, V = (operand(x, given, steps) for x, given in zip("QKV", node.args[:3], strict=True))
    scores = steps.add("scores", "S", MatMul(Q, transposed(K)))
    return steps.add("output", "O", MatMul(unfold_node(node.weights(scores), steps), V))


def operand(name: str, X: Any, steps: Steps) -> Any:
    """Queries, keys or values; whatever is done to them is a step of its own: Q, Q_normalised, Q_rotated."""
    if isinstance(X, NormalisedRows):
        rows = operand(name, X.args[0], steps)
        unit = DivideRows(rows, steps.add("norms", f"N_{name}", X.norm(rows), operand=name))
        rows = steps.add("normalised", f"{name}^n", unit, operand=name)
        gain = unfold_node(X.args[2], steps)
        return rows if gain is S.true else steps.add("gained", f"{name}^g", ScaleColumns(rows, gain), operand=name)
    if isinstance(X, LayerNorm):
        return normalise(operand(name, X.args[0], steps), X, name, steps)
    if isinstance(X, RotaryEmbedding):
        turned = X.func(operand(name, X.args[0], steps), *X.args[1:])
        return steps.add("rotated", f"{name}^r", turned, operand=name)
    if isinstance(X, Stack):
        rows = Stack(*[unfold_node(part, steps) for part in X.args])
        return steps.add("cached", f"{name}^c", rows, operand=name)
    if isinstance(X, Block):
        whole, _, number = name.partition("_")
        part = Block(operand(whole, X.args[0], steps), *X.args[1:])
        return steps.add("portion", f"{whole}_{number or 1}", part, operand=whole)
    if isinstance(X, Mapped):
        features = Mapped(operand(name, X.args[0], steps), X.args[1])
        return steps.add("features", f"{name}^f", features, operand=name)
    return steps.named(name, name, X)


def normalise(X: Any, node: LayerNorm, name: str, steps: Steps) -> Any:
    """μ = mean of each row; C = X − μ1ᵀ; σ = √(mean of squares + ε); C/σ; its gain; its bias."""
    below = f"_{name}" if name in ("Q", "K") else ""
    mean = steps.add("mean", f"mu{below}", node.mean(X), operand=name)
    centred = steps.add("centred", f"{name}^c", SubtractColumn(X, mean), operand=name)
    deviation = steps.add("deviation", f"sigma{below}", node.deviation(centred), operand=name)
    rows = steps.add("normalised", f"{name}^n", DivideRows(centred, deviation), operand=name)
    if node.gain is not S.true:
        rows = steps.add("gained", f"{name}^g", ScaleColumns(rows, unfold_node(node.gain, steps)), operand=name)
    if node.bias is not S.true:
        rows = steps.add("offset", f"{name}^b", AddRow(rows, unfold_node(node.bias, steps)), operand=name)
    return rows


@rule.register
def _(node: MultiHead, steps: Steps) -> Any:
    """The attention of each head, a family; with W_O their concatenation and the projection."""
    joined = Concat(unfold_node(node.head(), steps)) if node.heads == 1 else _heads(node, steps)
    if isinstance(node.W_O, Identity) and isinstance(joined, Concat):
        projection = joined.args[0]
    else:
        letter = steps.free("C", "O")  # C is the latent matrix where there is one
        C = steps.add("concat", letter, joined, because="concat.single" if node.heads == 1 else "")
        projection = C if isinstance(node.W_O, Identity) else MatMul(C, node.W_O)
    if not isinstance(node.b_O, ZeroMatrix):
        projection = AddRow(projection, node.b_O)
    whole = projection if projection.is_symbol else steps.add("projection", "Y", projection)
    again = steps.sums and isinstance(joined, ConcatHeads) and not isinstance(node.W_O, Identity)
    return _sum_over_heads(node, joined.args[0], steps) if again else whole


def _sum_over_heads(node: MultiHead, head: Any, steps: Steps) -> Any:
    """The projection once more, as Σ head_i W_i^O."""
    with steps.family(Index(HEAD, node.heads)):
        part = steps.add("share", "P", MatMul(head, HeadRows(node.W_O, HEAD, node.heads)))
    total = SumHeads(part, HEAD, node.heads)
    return steps.add("sum", "Y'", total if isinstance(node.b_O, ZeroMatrix) else AddRow(total, node.b_O))


def _heads(node: MultiHead, steps: Steps) -> Any:
    """head_i for every i; where heads share keys and values, these are a family of their own and come first."""
    shared = [unfold_node(source, steps) for source in node.args[:3]]  # what all heads start from is no family
    node = node.func(*shared, *node.args[3:])
    h, g, made = node.heads, node.kv_heads, node.per_head
    of_groups = {}
    if g not in (1, h):
        with steps.family(Index(KV_HEAD, g, "kv_head")):
            used = kv_head_of(h, g)
            for x in (x for x in "KV" if x in made):
                of_groups[x] = Member(operand(x, made[x].xreplace({used: KV_HEAD}), steps), KV_HEAD, used)
    with steps.family(Index(HEAD, h)):
        return ConcatHeads(unfold_node(node.head(**of_groups), steps), HEAD, h)


@rule.register
def _(node: Part, steps: Steps) -> Any:
    """The steps of the part, under its name; those of the parts that come first before them."""
    if node not in steps.parts:
        for part in node.before:
            unfold_node(part, steps)
        with steps.part(node.name):
            steps.parts[node] = steps.named("output", "O", node.args[0])
    return steps.parts[node]


@rule.register(HeadColumns | HeadRows)
def _(node: Any, _steps: Steps) -> Any:
    """A block of an input is written as an input is: W_i^Q."""
    return node


@rule.register
def _(node: AddRow, steps: Steps) -> Any:
    """A bias belongs to the projection that it is added to."""
    return AddRow(unfold_node(node.args[0], steps), unfold_node(node.args[1], steps))


@rule.register(Scaled)
def _(node: Scaled, steps: Steps) -> Any:
    scaled = Scaled(steps.named("scores", "S", node.args[0]), node.factor)
    return steps.add("scaled", "S'", scaled, because=_why_scaled(scaled, steps))


def _why_scaled(scaled: Scaled, steps: Steps) -> str:
    """The reason for a scale: the width of the keys where it is one over its root; any other is said alone."""
    if divisor(scaled.factor) is None:
        return "scaled.times"
    scores = next((step.expression for step in steps.steps if step.symbol == scaled.args[0]), scaled.args[0])
    products = scores.args if isinstance(scores, MatAdd) else (scores,)  # q · k in two parts
    width = sum(p.args[-1].shape[0] for p in products) if all(isinstance(p, MatMul) for p in products) else None
    return "" if width is not None and sympy.expand(scaled.factor**-2 - width) == 0 else "scaled.divided"


@rule.register
def _(node: ScaledBy, steps: Steps) -> Any:
    scalar = unfold_node(node.args[1], steps)
    return steps.add("scaled", "S'", ScaledBy(steps.named("scores", "S", node.args[0]), scalar), because="scaled.by")


@rule.register
def _(node: SoftCapped, steps: Steps) -> Any:
    return steps.add("capped", "S^c", SoftCapped(steps.named("scaled", "S'", node.args[0]), node.args[1]))


@rule.register
def _(node: Biased, steps: Steps) -> Any:
    return steps.add("masked", "S~", _add(node, steps), because="biased")


@rule.register
def _(node: Masked, steps: Steps) -> Any:
    """Mask and bias are one step: what softmax is taken of."""
    return steps.add("masked", "S~", Masked(_add(node.args[0], steps), node.args[1]))


@rule.register
def _(node: Largest, steps: Steps) -> Any:
    return steps.add("selected", "S^t", Largest(steps.named("scaled", "S'", node.args[0]), node.count))


@rule.register
def _(node: Penalised, steps: Steps) -> Any:
    return steps.add("masked", "S~", _add(node, steps), because="masked.finite")


@rule.register
def _(node: ScoreMod, steps: Steps) -> Any:
    return steps.add("modified", "S^m", ScoreMod(steps.named("scaled", "S'", node.args[0]), node.args[1]))


@rule.register
def _(node: Alibi, steps: Steps) -> Any:
    return steps.add("distance", "B", node)


@rule.register
def _(node: RelativeBias, steps: Steps) -> Any:
    biased = RelativeBias(unfold_node(node.args[0], steps), *node.args[1:])
    return steps.add("distance", "B", biased, because="distance.table")


@rule.register
def _(node: AtBuckets, steps: Steps) -> Any:
    met = steps.named("met", "P", node.args[0])
    return steps.add("placed", "R", AtBuckets(met, *node.args[1:]))


@rule.register(NormalisedRows | RotaryEmbedding | Stack | Mapped)
def _(node: Any, steps: Steps) -> Any:
    return operand("X", node, steps)


def _add(scores: Any, steps: Steps) -> Any:
    """The scores with what is added to them: bias and finite masks."""
    if not isinstance(scores, Biased | Penalised):
        return steps.named("scaled", "S'", scores)
    inner = _add(scores.args[0], steps)
    return scores.func(inner, *[unfold_node(a, steps) if is_matrix(a) else a for a in scores.args[1:]])


@rule.register(Softmax)
def _(node: Softmax, steps: Steps) -> Any:
    """A = softmax(Z); in full, by way of Z − max Z, its exponentials and their sums."""
    Z = steps.named("scores", "S", node.args[0])
    if not steps.full or node.axis != -1 or node.empty_row != "error":
        return steps.add("weights", "A", Softmax(Z, *node.args[1:]))
    top = steps.add("row_max", "mu", RowMax(Z))
    shifted = steps.add("shifted", "Delta", SubtractColumn(Z, top))
    E = steps.add("exponentials", "E", Exponential(shifted))
    total = steps.add("row_sum", "ell", RowSum(E))
    return steps.add("weights", "A", DivideRows(E, total), because="weights.divided", equals=Softmax(Z))


@rule.register
def _(node: SinkSoftmax, steps: Steps) -> Any:
    return steps.add(
        "weights", "A", SinkSoftmax(steps.named("scores", "S", node.args[0]), unfold_node(node.args[1], steps))
    )


@rule.register
def _(node: Entmax, steps: Steps) -> Any:
    """τ from the logits, then what lies above it."""
    Z = steps.named("scores", "S", node.args[0])
    letter = "t" if any(s.name == "tau" for s in Z.free_symbols | node.free_symbols) else "tau"
    threshold = steps.add("threshold", letter, RowThreshold(Z, node.power))
    return steps.add("weights", "A", AboveThreshold(Z, threshold, node.power))


@rule.register
def _(node: SigmoidWeights, steps: Steps) -> Any:
    Z, b = steps.named("scores", "S", node.args[0]), unfold_node(node.args[1], steps)
    return steps.add("weights", "A", SigmoidWeights(Z, b))


def is_expression(matrix: Any) -> bool:
    return isinstance(matrix, MatrixExpr)


def transposed(K: Any) -> Any:
    return K.args[0] if isinstance(K, Transpose) else Transpose(K)


def _symbols(expression: Any) -> list[MatrixSymbol]:
    """The matrix symbols of an expression, in order of first appearance; what appears again is not walked again.

    Raises InputError for an entry of a matrix in the place of a number, and for two matrices of one name.
    """
    found: dict[MatrixSymbol, None] = {}
    seen, stack = set(), [expression]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, MatrixElement):
            raise InputError(Sentence("entry_as_number", given=node))
        if isinstance(node, MatrixSymbol):
            found.setdefault(node)
        else:
            stack.extend(reversed(node.args))
    require_own_names(found)
    return list(found)
