"""The [attention] table of a worksheet -> the options of an attention expression. Every key is a choice or a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Expr, MatrixExpr, MatrixSymbol

from symattn.errors import InputError, SymattnError
from symattn.exact_text import read_exact
from symattn.nodes import CausalMask, KeepMask, WindowMask, require_size
from symattn.prose import Sentence
from symattn.stated import is_stack, read_count, read_matrix, side_by_side

KEYS = ("heads", "kv_heads", "scale", "mask", "bias", "softcap", "empty_row")


class Options:
    """Reads one table; a bias goes to `values` under its symbol, since it is shown like an input."""

    def __init__(self, table: Mapping[str, Any], values: dict[str, Any]) -> None:
        self.table, self.values = table, values
        if table.get("empty_row", "error") != "error":
            given = str(table["empty_row"])[:40]
            raise InputError(Sentence("bad_empty_row", given=given, known="error"), place="attention.empty_row")

    def heads(self, found: Mapping[str, int], *, letters: bool) -> tuple[Expr, Expr]:
        """heads and kv_heads: as stated, else as many as matrices were given for W_Q and W_K, else one."""
        heads = read_count(self.table.get("heads", found.get("W_Q", 1)), "heads", letters=letters)
        otherwise = found.get("W_K", found.get("W_V", heads))
        kv_heads = read_count(self.table.get("kv_heads", otherwise), "kv_heads", letters=letters)
        for name, count in found.items():
            wanted = kv_heads if name in ("W_K", "W_V", "b_K", "b_V") else heads
            if wanted != count:
                raise InputError(Sentence("head_matrices", count=count, heads=wanted), place=f"inputs.{name}")
        return heads, kv_heads

    def read(self, shape: tuple[Expr, Expr], sizes: Mapping[str, Expr], heads: Expr) -> dict[str, Any]:
        """Mask, bias, softcap and, if it is stated, scale, for scores of a shape; `sizes` are what a scale may name."""
        softcap = self._number("softcap")
        if softcap is not None and not (softcap.is_zero or softcap.is_positive):
            raise InputError(Sentence("bad_softcap", given=str(softcap)), place="attention.softcap")
        return {
            "mask": self._mask(self.table.get("mask", "none"), "attention.mask", shape),
            "bias": self._bias(shape, heads),
            "softcap": None if softcap is None or softcap.is_zero else softcap,
            "scale": self.scale(sizes) if "scale" in self.table else None,
        }

    def scale(self, sizes: Mapping[str, Expr]) -> Expr:
        """What the scores are multiplied by."""
        try:
            scale = read_exact(self.table["scale"], sizes)
        except SymattnError as error:
            raise error.at("attention.scale") from None
        if scale.is_zero:
            raise InputError(Sentence("bad_scale", given="0"), place="attention.scale")
        return scale

    def _number(self, key: str) -> Expr | None:
        if key not in self.table:
            return None
        try:
            return read_exact(self.table[key])
        except SymattnError as error:
            raise error.at(f"attention.{key}") from None

    def _bias(self, shape: tuple[Expr, Expr], heads: Expr) -> MatrixExpr | None:
        """The matrix that is added to the scores: one for all heads, or one for each, side by side."""
        given = self.table.get("bias")
        if given is None:
            return None
        each = is_stack(given)
        if each:
            if len(given) != heads:
                raise InputError(Sentence("head_matrices", count=len(given), heads=heads), place="attention.bias")
            given = side_by_side(given, "attention.bias", infinite=True)
        self.values["B"] = read_matrix(given, "attention.bias", infinite=True)
        return MatrixSymbol("B", shape[0], heads * shape[1] if each else shape[1])

    def _mask(self, given: Any, place: str, shape: tuple[Expr, Expr]) -> Any:
        if given == "none":
            return None
        if given == "causal":
            return CausalMask()
        if isinstance(given, dict) and list(given) == ["causal"]:
            return CausalMask(_whole(given["causal"], f"{place}.causal"))
        if isinstance(given, dict) and list(given) == ["window"]:
            sides = given["window"]
            if isinstance(sides, list) and len(sides) == 2:
                return WindowMask(*(_whole(side, f"{place}.window", least=0) for side in sides))
        if isinstance(given, list) and given:
            if _is_rows(given):
                return KeepMask(_zero_one(given, place, shape))
            if not any(isinstance(part, list) and part and not _is_rows(part) for part in given):
                return tuple(self._mask(part, place, shape) for part in given)
        raise InputError(Sentence("mask_choices"), place=place)


def names_keys(mask: Any) -> bool:
    """Whether a mask (or one of several) is a matrix, which speaks of so many queries and keys."""
    if not isinstance(mask, list) or not mask:
        return False
    return _is_rows(mask) or any(isinstance(part, list) and part and _is_rows(part) for part in mask)


def _is_rows(mask: Any) -> bool:
    """Whether a list is the matrix of a mask rather than a list of masks."""
    return isinstance(mask[0], list) and not any(isinstance(x, list | dict) for x in mask[0])


def _zero_one(given: list[Any], place: str, shape: tuple[Expr, Expr]) -> Any:
    rows = read_matrix(given, place)
    try:
        require_size(shape[0], sympy.Integer(len(rows)), "the number of queries", "rows(mask)")
        require_size(shape[1], sympy.Integer(len(rows[0])), "the number of keys", "columns(mask)")
    except SymattnError as error:
        raise error.at(place) from None
    if any(x not in (0, 1) or isinstance(x, bool) for row in rows for x in row):
        raise InputError(Sentence("mask_entries"), place=place)
    return sympy.ImmutableDenseMatrix(rows)


def _whole(value: Any, place: str, least: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        raise InputError(Sentence("not_an_integer", name=place.rpartition(".")[2]), place=place)
    return value
