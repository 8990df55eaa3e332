"""The lists and numbers of a worksheet's tables, as they stand in TOML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, Symbol

from symattn.errors import InputError, SymattnError
from symattn.nodes.exact_numbers import ExactRows, read_rows
from symattn.writing.prose import Sentence

SIZE = r"([A-Za-z]\w{0,20}|[1-9]\d{0,5})"
MOST_HEADS = 100_000


def read_matrix(given: Any, path: str, *, infinite: bool = False) -> ExactRows:
    """Rows of exact numbers. Raises InputError with the key path, row and column."""
    if not isinstance(given, list):
        raise InputError(Sentence("not_rows"), place=path)
    try:
        return read_rows(given, infinite=infinite)
    except SymattnError as error:
        raise error.at(path) from None


def is_stack(given: Any) -> bool:
    """Whether a list holds matrices, one for each head."""
    first = given[0] if isinstance(given, list) and given else None
    return isinstance(first, list) and bool(first) and isinstance(first[0], list)


def side_by_side(stack: list[Any], path: str, *, infinite: bool = False) -> ExactRows:
    """The matrices of the heads as one wide matrix. Raises InputError where their shapes differ."""
    matrices = _alike(stack, path, infinite)
    rows = [[x for matrix in matrices for x in matrix[i]] for i in range(len(matrices[0]))]
    return ExactRows(rows, any(matrix.decimal for matrix in matrices))


def one_below_another(stack: list[Any], path: str) -> ExactRows:
    """The matrices of the heads as one high matrix. Raises InputError where their shapes differ."""
    matrices = _alike(stack, path, False)
    return ExactRows([row for matrix in matrices for row in matrix], any(matrix.decimal for matrix in matrices))


def _alike(stack: list[Any], path: str, infinite: bool) -> Sequence[ExactRows]:
    matrices = [read_matrix(part, f"{path}[{k}]", infinite=infinite) for k, part in enumerate(stack, 1)]
    rows, columns = len(matrices[0]), len(matrices[0][0])
    for k, matrix in enumerate(matrices, 1):
        if (len(matrix), len(matrix[0])) != (rows, columns):
            said = Sentence(
                "heads_differ", head=k, shape=f"{len(matrix)} x {len(matrix[0])}", first=f"{rows} x {columns}"
            )
            raise InputError(said, place=path)
    return matrices


def read_count(value: Any, key: str, *, letters: bool) -> Expr:
    """How many heads there are: a whole number, or a letter where sizes are letters."""
    if letters and isinstance(value, str) and value.isidentifier() and len(value) <= 20:
        return read_size(value)
    if isinstance(value, Expr):
        return value
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST_HEADS:
        raise InputError(Sentence("head_count_limit", name=key, most=MOST_HEADS), place=f"attention.{key}")
    return sympy.Integer(value)


def read_shape(text: str, path: str) -> tuple[str, str]:
    """ "n x d_k": an input without values, of these sizes."""
    found = re.fullmatch(rf"\s*{SIZE}\s*[x×]\s*{SIZE}\s*", text)
    if found is None:
        raise InputError(Sentence("not_sizes", given=text[:40]), place=path)
    return found[1], found[2]


def read_size(text: str) -> Expr:
    """A size: a number, or a letter that stands for one."""
    return sympy.Integer(int(text)) if text.isdigit() else Symbol(text, integer=True, positive=True)
