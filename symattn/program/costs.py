"""Costs: what each step of the plain calculation takes, as exact polynomials in the sizes. One rule for each node.

What is counted is the calculation as it is written: every product of matrices in full, softmax with the largest score
taken off first. What has no rule is named as not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import sympy
from sympy import Expr, Integer, MatrixSymbol, S
from sympy.matrices.expressions import MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.nodes import HEAD, Concat, Masked, Member, MultiHead, is_matrix
from symattn.program.kept import count_kept_scores
from symattn.program.operations import Count, Uncounted, count
from symattn.program.shapes import Measures, Shapes, shapes_of
from symattn.program.steps import Program


@dataclass(frozen=True)
class Costs:
    """What a calculation takes: step by step, in all, and beside another way to do it.

    `steps` are for all sequences and heads together; None for a step with a node that has no rule (`not_counted`),
    which `total` leaves out; `letters` are the names of their symbols. `learned` is how many numbers each parameter
    holds, `cache` how many keys and values do; of the `scores` of one head the mask keeps `kept`; None where that is
    not known. With `unnamed`, matrices of numbers stand in the formulas, which are no parameters. `beside` is one
    head as wide as all together or, for shared keys and values, heads that each have their own.
    """

    steps: dict[str, Count | None]
    letters: dict[str, str]
    learned: dict[str, Expr]
    heads: Expr
    kv_heads: Expr
    cache: Expr | None
    kept: Expr | None
    scores: Expr | None
    not_counted: dict[str, str]
    unnamed: bool
    measures: Measures
    beside: Costs | None = None

    @property
    def parameters(self) -> Expr:
        """How many numbers are learned."""
        return sympy.expand(sympy.Add(*self.learned.values()))

    @property
    def total(self) -> Count:
        return sum((count for count in self.steps.values() if count is not None), Count())

    def __getitem__(self, name: str) -> Count | None:
        """What a step takes, with the numbers that are known."""
        count = self.steps[name]
        return None if count is None else count.at(self.measures)

    def __str__(self) -> str:
        total = self.total.at(self.measures)
        lines = [f"parameters: {self.measures.number(self.parameters)}"]
        lines += [f"{f.name.replace('_', '-')}: {value}" for f, value in zip(fields(total), total, strict=True)]
        lines += [f"not counted: {name} ({node})" for name, node in self.not_counted.items()]
        wide = max(map(len, self.steps))
        for name in self.steps:
            count = self[name]
            lines.append(f"{name:<{wide}}  {'not counted' if count is None else count.multiply_adds}")
        return "\n".join(lines)


def costs_of(
    program: Program, measures: Measures, parameters: Iterable[str] | None = None, beside: Program | None = None
) -> Costs:
    """The costs of a program; `beside` is another to compare it with. Source: Vaswani et al. 2017, section 3.2.2.

    >>> from symattn.nodes import Attention
    >>> from symattn.program.unfolding import unfold
    >>> n, d = sympy.symbols("n d")
    >>> costs_of(unfold(Attention(*(MatrixSymbol(x, n, d) for x in "QKV"))), Measures()).total.multiply_adds
    2*d*n**2
    """
    shapes = shapes_of(program, measures, parameters)
    axes = {row.name: row.axes for row in shapes}
    counts: dict[str, Count | None] = {}
    unknown: dict[str, str] = {}
    for step in program:
        size = sympy.Mul(*axes[step.name])
        outer = sympy.Mul(*axes[step.name][:-2])
        try:
            made = count(step.expression) * outer + Count(numbers=size)
            counts[step.name] = Count(*map(measures.related, made))
        except Uncounted as error:
            counts[step.name], unknown[step.name] = None, str(error)
    heads = [step.index for step in program if step.index is not None]
    hiding = [step for step in program if isinstance(step.expression, Masked)]
    masked = hiding[0] if len(hiding) == 1 else None  # of several, none is the mask
    return Costs(
        steps=counts,
        letters={step.name: step.symbol.name for step in program},
        learned={row.name: measures.related(sympy.Mul(*row.axes)) for row in shapes if row.kind == "parameter"},
        heads=next((index.count for index in heads if index.letter == HEAD), S.One),
        kv_heads=_kv_heads(program),
        cache=_cache(program, shapes),
        kept=None if masked is None else count_kept_scores(masked, measures),
        scores=None if masked is None else sympy.Mul(*masked.shape),
        not_counted=unknown,
        unnamed=any(isinstance(a, MatrixBase) for step in program for a in _factors(step.expression)),
        measures=measures,
        beside=None if beside is None else costs_of(beside, measures),
    )


def _factors(expression: Any) -> Iterator[Any]:
    """The matrices that an expression is made of, those of masks left out."""
    if isinstance(expression, MatrixBase) or not expression.args or isinstance(expression, MatrixSymbol):
        yield expression
        return
    for a in filter(is_matrix, expression.args):
        yield from _factors(a)


def _kv_heads(program: Program) -> Expr:
    """How many heads keys have: a family of their own, the heads', or one for all."""
    keys = [step for step in program if step.role == "K"]
    found = [step.index.count for step in keys or program if step.index is not None]
    return found[0] if found else S.One


def _cache(program: Program, shapes: Shapes) -> Expr | None:
    """What the keys and values hold that scores and output are made of."""
    found: set[Any] = set()
    for step in program:
        product = step.expression.args[0] if step.because == "output.positions" else step.expression
        if (step.role == "scores" or step.averages) and isinstance(product, MatMul):
            right = product.args[-1]
            right = right.arg if isinstance(right, Transpose) else right
            found.add(right.args[0] if isinstance(right, Member) else right)
    held = {row.symbol: row.axes for row in shapes if row.kind in ("data", "step")}
    if not found or not found <= held.keys():
        return None
    return shapes.measures.related(sympy.Add(*(sympy.Mul(*held[s]) for s in found)))


# --- what it is compared with


def other_way(expression: Any) -> MultiHead | None:
    """What several heads are compared with: one head as wide as all, or heads that share no keys and values.

    None for one head, where heads have biases of their own or are of another kind, which one wide head is not, and for
    weights in numbers.
    """
    if not isinstance(expression, MultiHead) or expression.heads == 1:
        return None
    e, shared = expression, expression.heads != expression.kv_heads
    if not shared and (e.head_kind is not S.false or _of_heads(e)):
        return None
    widths = {name: e.heads / e.kv_heads if name[-1] in "KV" else S.One for name in _LEARNED}
    given = {name: getattr(e, name) for name in _LEARNED if not isinstance(getattr(e, name), sympy.ZeroMatrix)}
    if not all(
        isinstance(a, MatrixSymbol) for W in given.values() for a in (W.args if isinstance(W, Concat) else (W,))
    ):
        return None
    made: dict[Any, MatrixSymbol] = {}  # one matrix in two places stays one
    for name, W in given.items():
        shape = W.shape[0], sympy.cancel(W.shape[1] * widths[name])
        made.setdefault(
            (W, widths[name]), W if isinstance(W, MatrixSymbol) and shape == W.shape else MatrixSymbol(name, *shape)
        )
    wide = [made[given[name], widths[name]] if name in given else None for name in _LEARNED]
    heads = e.heads if shared else Integer(1)
    other: MultiHead = e.func(e.X, e.Z, e.U, heads, heads, *wide[:3], e.W_O, *wide[3:], e.b_O, *e.args[13:])
    return other


def _of_heads(e: MultiHead) -> bool:
    """Whether an option differs from head to head, or has the width of one."""
    biases = e.bias.shape != (e.X.shape[0], e.Z.shape[0])
    sinks = e.sink is not S.false and e.sink.shape[1] != 1
    learned = any(getattr(x, "is_Matrix", False) for x in e.qk_norm.args)  # gains and biases of one width
    return bool(biases or sinks or learned or e.bias.has(HEAD) or e.score_mod.has(HEAD))


_LEARNED = ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V")
