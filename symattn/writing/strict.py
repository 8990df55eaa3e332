"""What SymPy makes of numbers and expressions, and of nothing else: it runs a text as Python."""

from __future__ import annotations

import numbers
from typing import Any

import sympy
from sympy import Basic
from sympy.matrices.matrixbase import MatrixBase

from symattn.errors import InputError
from symattn.writing.prose import Sentence


def as_sympy(value: object) -> Any:
    """A number or an expression as SymPy has it; the one place that asks SymPy to convert.

    Raises InputError for texts, and for lists, of which SymPy would convert the members.

    >>> as_sympy(3), as_sympy(sympy.Symbol("n"))
    (3, n)
    """
    if isinstance(value, Basic):
        return value
    if isinstance(value, numbers.Number | MatrixBase):
        return sympy.sympify(value, strict=True)
    raise InputError(Sentence("not_a_number", text=str(value)[:40]))
