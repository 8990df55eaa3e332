"""The value of each step in one kind of number: a walk over the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

import sympy
from sympy import Expr, Identity, MatrixSymbol, OneMatrix, Symbol, ZeroMatrix
from sympy.matrices.expressions import MatAdd, MatMul, MatPow, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import NotSupportedError, SymattnError
from symattn.nodes import Node, Numbers, Sizes
from symattn.program.steps import Program
from symattn.writing.prose import Sentence

M = TypeVar("M")
Rows = Sequence[Sequence[Expr]]


def evaluate_steps(
    program: Program,
    inputs: Mapping[MatrixSymbol, Rows],
    sizes: Mapping[Symbol, int],
    numbers: Numbers[M],
    values: Mapping[MatrixSymbol, M] | None = None,
) -> dict[str, M]:
    """The value of every step, by name, and of every input under its symbol's name; `values` of some are known."""
    known: dict[MatrixSymbol, M] = {symbol: numbers.given(rows) for symbol, rows in inputs.items()} | dict(values or {})
    substitution = {s: sympy.Integer(v) for s, v in sizes.items()}
    for step in program:
        try:
            known[step.symbol] = value_of(step.expression, known, substitution, numbers)
        except SymattnError as error:
            raise error.at(step.name) from None
    by_name = {symbol.name: known[symbol] for symbol in inputs}
    return by_name | {step.name: known[step.symbol] for step in program}


def value_of(expression: Any, known: Mapping[MatrixSymbol, M], sizes: Sizes, numbers: Numbers[M]) -> M:
    """What an expression is worth, from the values of its symbols."""
    if isinstance(expression, MatrixSymbol):
        return known[expression]
    if isinstance(expression, MatrixBase):
        return numbers.given(expression.tolist())
    if isinstance(expression, ZeroMatrix | OneMatrix | Identity):
        return numbers.given(expression.xreplace(dict(sizes)).as_explicit().tolist())
    if isinstance(expression, Transpose):
        return numbers.transpose(value_of(expression.arg, known, sizes, numbers))
    if isinstance(expression, MatMul):
        factor, matrices = expression.as_coeff_matrices()
        value = value_of(matrices[0], known, sizes, numbers)
        for matrix in matrices[1:]:
            value = numbers.matmul(value, value_of(matrix, known, sizes, numbers))
        return value if factor == 1 else numbers.scale(value, factor.xreplace(dict(sizes)))
    if isinstance(expression, MatPow):
        base, exponent = expression.args
        count = exponent.xreplace(dict(sizes))
        if not count.is_Integer or count < 1:
            raise NotSupportedError(Sentence("no_value", node=type(expression).__name__))
        return reduce(numbers.matmul, [value_of(base, known, sizes, numbers)] * int(count))
    if isinstance(expression, MatAdd):
        value, *others = (value_of(a, known, sizes, numbers) for a in expression.args)
        for other in others:
            value = numbers.add(value, other)
        return value
    if isinstance(expression, Node):
        return expression.compute(numbers, [value_of(a, known, sizes, numbers) for a in expression.matrices], sizes)
    raise NotSupportedError(Sentence("no_value", node=type(expression).__name__))
