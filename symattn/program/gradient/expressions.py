"""Gradients as one writes them: factors in front, no transpose of a transpose, no block that is the whole."""

from __future__ import annotations

from typing import Any

from sympy import Identity, OneMatrix, S, ZeroMatrix
from sympy.matrices.expressions import MatMul, Transpose
from sympy.matrices.matrixbase import MatrixBase

from symattn.nodes import Block, Hadamard, Scaled


def scale_by(matrix: Any, factor: Any) -> Any:
    """c A, with one factor only."""
    if isinstance(matrix, Scaled):
        matrix, factor = matrix.args[0], matrix.factor * factor
    return matrix if factor == 1 else Scaled(matrix, factor)


def transpose(matrix: Any) -> Any:
    """Aᵀ, taken into products and multiples: (AB)ᵀ = BᵀAᵀ."""
    if isinstance(matrix, Transpose):
        return matrix.arg
    if isinstance(matrix, Scaled):
        return scale_by(transpose(matrix.args[0]), matrix.factor)
    if isinstance(matrix, MatMul):
        return MatMul(*[transpose(m) for m in reversed(matrix.args)])
    if isinstance(matrix, MatrixBase | ZeroMatrix | OneMatrix | Identity):
        return matrix.T
    return Transpose(matrix)


def product(*factors: Any) -> Any:
    """A B C, with the numbers in front."""
    number: Any = S.One
    matrices: list[Any] = []
    for matrix in factors:
        if isinstance(matrix, Scaled):
            matrix, number = matrix.args[0], number * matrix.factor
        matrices += matrix.args if isinstance(matrix, MatMul) else [matrix]
    return scale_by(MatMul(*matrices) if len(matrices) > 1 else matrices[0], number)


def hadamard(A: Any, B: Any) -> Any:
    """A ∘ B, with the numbers in front."""
    number = S.One
    if isinstance(A, Scaled):
        A, number = A.args[0], number * A.factor
    if isinstance(B, Scaled):
        B, number = B.args[0], number * B.factor
    return scale_by(Hadamard(A, B), number)


def columns(matrix: Any, first: Any, count: Any) -> Any:
    """Some columns, or the matrix where these are all."""
    return matrix if first == 0 and count == matrix.shape[1] else Block(matrix, 0, matrix.shape[0], first, count)


def rows(matrix: Any, first: Any, count: Any) -> Any:
    """Some rows, or the matrix where these are all."""
    return matrix if first == 0 and count == matrix.shape[0] else Block(matrix, first, count, 0, matrix.shape[1])
