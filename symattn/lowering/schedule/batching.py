"""Products of every head by itself that are parts of one product: taken once, of all heads side by side.

[A B_1, …, A B_h] = A [B_1, …, B_h] and Σ_i A_i W_iᵀ = [A_1, …, A_h] Wᵀ for the blocks W_i of columns of W.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sympy import MatrixSymbol
from sympy.matrices.expressions import MatAdd, MatMul, Transpose

from symattn.nodes import ColumnSum, ConcatHeads, HeadColumns, Plus, SumHeads, at, stem
from symattn.program.steps import Program, Step


def join_products(program: Program, wanted: set[MatrixSymbol]) -> Program:
    """The same program with one product where every head had one; those of heads that are not wanted may go."""
    return replace(program, steps=tuple(_Joining(program.steps, wanted).run()))


class _Joining:
    def __init__(self, steps: Sequence[Step], wanted: set[MatrixSymbol]) -> None:
        self.steps = steps
        users: dict[Any, int] = {}
        for step in steps:
            for symbol in step.uses:
                users[symbol] = users.get(symbol, 0) + 1
        self.single = {s.symbol: s for s in steps if users.get(s.symbol) == 1 and s.symbol not in wanted}
        self.dropped: set[MatrixSymbol] = set()
        self.joined: dict[Any, Step] = {}

    def run(self) -> list[Step]:
        made = [(step, self.of(step.expression)) for step in self.steps]
        out: list[Step] = []
        for step, expression in made:
            if step.symbol not in self.dropped:
                out.append(step if expression == step.expression else replace(step, expression=expression))
        used = {symbol for step in out for symbol in step.uses}
        return [*(step for step in self.joined.values() if step.symbol in used), *out]

    def of(self, node: Any) -> Any:
        """An expression with products joined."""
        if isinstance(node, Plus | MatAdd):
            terms = [self.of(term) for term in node.args]
            return node if tuple(terms) == node.args else Plus(*(x for t in terms for x in _terms(t)))
        if isinstance(node, ConcatHeads):
            return self.concat(*node.args) or node
        if isinstance(node, SumHeads):
            products = [self.product(term, *node.args[1:]) for term in _terms(node.args[0])]
            return node if None in products else products[0] if len(products) == 1 else Plus(*products)
        return node

    def concat(self, body: Any, letter: Any, count: Any) -> Any:
        """[A B_1, …, A B_h], or the same of column sums, where the parts are used for this alone."""
        step = self.single.get(body)
        node = None if step is None else step.expression
        if isinstance(node, ColumnSum) and (part := self.side_by_side(node.args[0], letter, count)) is not None:
            self.dropped.add(body)
            return ColumnSum(part)
        if not isinstance(node, MatMul) or any(at(x, letter, 1) != x for x in node.args[:-1]):
            return None
        part = self.side_by_side(node.args[-1], letter, count)
        if part is None:
            return None
        self.dropped.add(body)
        return MatMul(*node.args[:-1], part)

    def product(self, term: Any, letter: Any, count: Any) -> Any:
        """Σ_i A_i W_iᵀ as one product; None for a term of another form."""
        if not (isinstance(term, MatMul) and len(term.args) == 2 and isinstance(term.args[1], Transpose)):
            return None
        A, W = term.args[0], term.args[1].arg
        if not isinstance(W, HeadColumns) or W.args[1:] != (letter, count) or at(W.args[0], letter, 1) != W.args[0]:
            return None
        part = self.side_by_side(A, letter, count)
        return None if part is None else MatMul(part, Transpose(W.args[0]))

    def side_by_side(self, A: Any, letter: Any, count: Any) -> Any:
        """The members of a family in one matrix; None for what is no family."""
        if not isinstance(A, MatrixSymbol) or at(A, letter, 1) == A:
            return None
        if A not in self.joined:
            made = ConcatHeads(A, letter, count)
            self.joined[A] = Step(f"{stem(A)}_joined", MatrixSymbol(f"[{A.name}]", *made.shape), made)
        return self.joined[A].symbol


def _terms(node: Any) -> tuple[Any, ...]:
    return tuple(node.args) if isinstance(node, Plus | MatAdd) else (node,)
