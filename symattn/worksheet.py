"""A worksheet (TOML that states one calculation) -> an attention expression, the values of its symbols, the claims.

Nothing in a worksheet is ever evaluated as Python: numbers are read by `exact_text`, everything else is a choice
from a list.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import sympy
from sympy import Expr, MatrixExpr, MatrixSymbol, S, Symbol

from symattn.errors import InputError, NotSupportedError, SymattnError
from symattn.exact_text import read_exact
from symattn.nodes import Attention, CausalMask, KeepMask, MultiHead, Softmax, WindowMask, as_mask, logits, require_size
from symattn.prose import LANGUAGES, Sentence

LARGEST_FILE = 20_000_000
KEYS = ("title", "tokens", "inputs", "attention", "claims", "show")
OPTIONS = ("heads", "kv_heads", "scale", "mask", "bias", "softcap", "empty_row")
SHOW = {"level": ("matrix", "token"), "diagram": (True, False)}
# every input with the names of its rows' and columns' sizes
SIZES = {
    "X": ("n", "d_model"), "Z": ("m", "d_model"), "U": ("m", "d_model"),
    "W_Q": ("d_model", "d_k"), "W_K": ("d_model", "d_k"), "W_V": ("d_model", "d_v"), "W_O": ("d_v", "d_out"),
    "b_Q": ("1", "d_k"), "b_K": ("1", "d_k"), "b_V": ("1", "d_v"), "b_O": ("1", "d_out"),
    "Q": ("n", "d_k"), "K": ("m", "d_k"), "V": ("m", "d_v"),
    "scores": ("n", "m"), "scaled": ("n", "m"),
}  # fmt: skip
LETTERS = {"scores": "S", "scaled": "S'"}


@dataclass(frozen=True)
class Worksheet:
    """One calculation as stated: what to derive, from which values, and what somebody claims of it."""

    titles: Mapping[str, str]  # by language
    tokens: tuple[str, ...]
    expression: Any
    values: Mapping[str, Any] | None  # symbol name -> rows; None where only sizes are given
    claims: Mapping[str, Any] = field(default_factory=dict)
    show: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str | None:
        """The title in English, if there is one."""
        return self.title_in("en")

    def title_in(self, language: str) -> str | None:
        """The title in a language, or in another if it has none in that."""
        return self.titles.get(language) or next(iter(self.titles.values()), None)


def read_worksheet(path: Path) -> Worksheet:
    """Read a worksheet file. Raises InputError with the file and line:column, or the file and the key path."""
    try:
        return parse_worksheet(read_text(path))
    except SymattnError as error:
        raise error.at(str(path)) from None


def read_text(path: Path) -> str:
    """The text of a worksheet file. Raises InputError where there is none, or too much of it."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(Sentence("file_too_large", most=LARGEST_FILE // 1_000_000))
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(Sentence("cannot_open", reason=error.strerror or type(error).__name__)) from None
    except UnicodeDecodeError as error:
        raise InputError(Sentence("not_text", byte=error.start)) from None


def parse_worksheet(text: str) -> Worksheet:
    """Read the text of a worksheet. Raises InputError with the line:column or the key path.

    >>> parse_worksheet("[inputs]\\nQ = [[1]]\\nK = [[1]]\\nV = [['1/2']]").expression
    Attention(Q, K, V)
    """
    sheet = _toml(text)
    _only(sheet, KEYS, "")
    titles = _titles(sheet)
    tokens = sheet.get("tokens", [])
    if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
        raise InputError(Sentence("not_words"), place="tokens")
    inputs = _table(sheet, "inputs")
    if not inputs:
        raise InputError(Sentence("no_inputs"), place="inputs")
    _only(inputs, tuple(SIZES), "inputs")
    options = _table(sheet, "attention")
    _only(options, OPTIONS, "attention")
    show = _shown(_table(sheet, "show"))
    symbols, values = _symbols(inputs, fixed=_names_keys(options.get("mask")))
    expression = _Builder(symbols, options, values).expression()
    return Worksheet(titles, tuple(tokens), expression, values or None, _table(sheet, "claims"), show)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", place)
        raise InputError(
            Sentence("bad_toml", reason=message.lower()), place=f"{found[1]}:{found[2]}" if found else ""
        ) from None
    except RecursionError:
        raise InputError(Sentence("nested_too_deep")) from None
    except (ValueError, ArithmeticError):
        raise InputError(Sentence("number_too_long", most=1000)) from None


def _only(table: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = Sentence("did_you_mean", name=near[0]) if near else Sentence("known_keys", known=", ".join(known))
            raise InputError(Sentence("unknown_key", name=key[:40], hint=hint), place=place)


def _table(sheet: Mapping[str, Any], key: str) -> dict[str, Any]:
    table = sheet.get(key, {})
    if not isinstance(table, dict):
        raise InputError(Sentence("not_a_table", name=key), place=key)
    return table


def _titles(sheet: Mapping[str, Any]) -> Mapping[str, str]:
    """The title in each language; one text is the title in all of them."""
    title = sheet.get("title", {})
    if isinstance(title, str):
        return dict.fromkeys(LANGUAGES, title)
    if not isinstance(title, dict) or not all(isinstance(t, str) for t in title.values()):
        raise InputError(Sentence("bad_title"), place="title")
    _only(title, LANGUAGES, "title")
    return title


def _shown(show: Mapping[str, Any]) -> Mapping[str, Any]:
    _only(show, tuple(SHOW), "show")
    for key, value in show.items():
        if value not in SHOW[key] or isinstance(value, bool) != isinstance(SHOW[key][0], bool):
            known = ", ".join(str(v).lower() for v in SHOW[key])
            raise InputError(Sentence("unknown_choice", name=key, given=value, known=known), place=f"show.{key}")
    return show


def _is_stack(given: Any) -> bool:
    """Whether a list holds matrices, one for each head."""
    first = given[0] if isinstance(given, list) and given else None
    return isinstance(first, list) and bool(first) and isinstance(first[0], list)


def _is_rows(mask: Any) -> bool:
    """Whether a list is the matrix of a mask rather than a list of masks."""
    return isinstance(mask[0], list) and not any(isinstance(x, list | dict) for x in mask[0])


def _names_keys(mask: Any) -> bool:
    """Whether a mask (or one of several) is a matrix, which speaks of so many queries and keys."""
    if not isinstance(mask, list) or not mask:
        return False
    return _is_rows(mask) or any(isinstance(part, list) and part and _is_rows(part) for part in mask)


def _symbols(inputs: Mapping[str, Any], *, fixed: bool) -> tuple[dict[str, MatrixSymbol], dict[str, Any]]:
    """A symbol for each input, and the rows of those that have them; `fixed`: with the numbers of queries and keys."""
    symbols, values = {}, {}
    for name, given in inputs.items():
        place = f"inputs.{name}"
        sizes = SIZES[name]
        if isinstance(given, str):
            sizes = _stated_sizes(given, place)
        elif isinstance(given, dict):
            raise NotSupportedError(Sentence("no_files_yet"), place=place)
        else:
            if name.startswith("b_") and isinstance(given, list) and given and not isinstance(given[0], list):
                given = [given]
            if name.startswith("W_") and _is_stack(given):
                raise NotSupportedError(Sentence("heads_unknown", heads=len(given)), place=place)
            rows = values[LETTERS.get(name, name)] = read_matrix(given, place)
            if fixed:
                counts = (str(len(rows)), str(len(rows[0])))
                sizes = (counts[0] if sizes[0] in "nm" else sizes[0], counts[1] if sizes[1] in "nm" else sizes[1])
        symbols[name] = MatrixSymbol(LETTERS.get(name, name), *(_size(s) for s in sizes))
    if values and len(values) < len(symbols):
        missing = next(n for n in inputs if LETTERS.get(n, n) not in values)
        raise InputError(Sentence("value_missing", name=missing), place=f"inputs.{missing}")
    return symbols, values


def read_matrix(given: Any, place: str, *, infinite: bool = False) -> list[list[Any]]:
    """Rows of entries that are exact numbers as written. Raises InputError with the key path, row and column."""
    if not isinstance(given, list) or not given:
        raise InputError(Sentence("not_rows"), place=place)
    for i, row in enumerate(given):
        if not isinstance(row, list) or not row:
            raise InputError(Sentence("not_rows"), place=place)
        if len(row) != len(given[0]):
            raise InputError(Sentence("ragged", row=i + 1, length=len(row), first=len(given[0])), place=place)
        for j, x in enumerate(row):
            try:
                read_exact(x, infinite=infinite)
            except SymattnError as error:
                raise error.at(f"{place}, {Sentence('at_entry', row=i + 1, column=j + 1)}") from None
    return given


def _stated_sizes(text: str, place: str) -> tuple[str, str]:
    """ "n x d_k": an input without values, of these sizes."""
    found = re.fullmatch(r"\s*([A-Za-z]\w{0,20}|[1-9]\d{0,5})\s*[x×]\s*([A-Za-z]\w{0,20}|[1-9]\d{0,5})\s*", text)
    if found is None:
        raise InputError(Sentence("not_sizes", given=text[:40]), place=place)
    return found[1], found[2]


def _size(text: str) -> Expr:
    return sympy.Integer(int(text)) if text.isdigit() else Symbol(text, integer=True, positive=True)


class _Builder:
    """The attention expression that the inputs and options of a worksheet state."""

    def __init__(self, symbols: Mapping[str, MatrixSymbol], options: Mapping[str, Any], values: dict[str, Any]) -> None:
        self.symbols, self.options, self.values = symbols, options, values
        for key in ("heads", "kv_heads"):
            heads = options.get(key, 1)
            if not isinstance(heads, int) or isinstance(heads, bool) or heads < 1:
                raise InputError(Sentence("bad_head_count", name=key), place=f"attention.{key}")
            if heads > 1:
                raise NotSupportedError(Sentence("heads_unknown", heads=heads), place=f"attention.{key}")
        if options.get("empty_row", "error") != "error":
            known = "error"
            raise InputError(
                Sentence("bad_empty_row", given=str(options["empty_row"])[:40], known=known),
                place="attention.empty_row",
            )

    def expression(self) -> Any:
        s = self.symbols
        if "scores" in s or "scaled" in s:
            return self._from_scores()
        if "Q" in s or "K" in s or "V" in s:
            self._need("Q", "K", "V")
            self._refuse_beside("Q", "X", "Z", "U", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")
            return Attention(s["Q"], s["K"], s["V"], **self._options(s["Q"], s["K"], s["V"]))
        self._need("X", "W_Q", "W_K", "W_V")
        X, Z = s["X"], s.get("Z", s["X"])
        U = s.get("U", Z)
        whole = MultiHead(
            X, Z, U, 1, 1, s["W_Q"], s["W_K"], s["W_V"], s.get("W_O"),
            *(s.get(b) for b in ("b_Q", "b_K", "b_V", "b_O")),
        )  # fmt: skip
        single = whole.head()
        options = self._options(*single.args[:3])
        if "W_O" in s or "b_O" in s:
            return MultiHead(*whole.args[:13], **options)
        return Attention(*single.args[:3], **options)

    def _from_scores(self) -> Any:
        start = "scores" if "scores" in self.symbols else "scaled"
        self._refuse_beside(start, *(k for k in SIZES if k not in (start, "V")))
        scores, V = self.symbols[start], self.symbols.get("V")
        scale = S.One
        if start == "scores":
            if "scale" not in self.options:
                raise InputError(Sentence("scale_needed"), place="attention.scale")
            scale = self._scale({})
        elif "scale" in self.options:
            raise InputError(Sentence("scaled_already"), place="attention.scale")
        options = self._options(scores, None, V, with_scale=False)
        mask, bias = as_mask(options["mask"]), options["bias"]
        bias = sympy.ZeroMatrix(*scores.shape) if bias is None else bias
        softcap = S.Infinity if options["softcap"] is None else options["softcap"]
        A = Softmax(logits(scores, mask, bias, scale, softcap))
        return A if V is None else A * V

    def _need(self, *names: str) -> None:
        for name in names:
            if name not in self.symbols:
                raise InputError(Sentence("input_needed", name=name, beside=", ".join(self.symbols)), place="inputs")

    def _refuse_beside(self, start: str, *names: str) -> None:
        for name in names:
            if name in self.symbols:
                raise InputError(Sentence("input_beside", name=name, start=start), place=f"inputs.{name}")

    def _options(self, Q: Any, K: Any, V: Any, *, with_scale: bool = True) -> dict[str, Any]:
        rows, columns = (Q.shape[0], K.shape[0]) if K is not None else Q.shape
        names = {}
        for matrix in (Q, K, V, self.symbols.get("X")):
            for size in matrix.shape if matrix is not None else ():
                if isinstance(size, Symbol):
                    names[size.name] = size
        if K is not None:
            names.setdefault("d_k", K.shape[1])
        softcap = self._number("softcap")
        if softcap is not None and not (softcap.is_zero or softcap.is_positive):
            raise InputError(Sentence("bad_softcap", given=str(softcap)), place="attention.softcap")
        return {
            "mask": self._mask(self.options.get("mask", "none"), "attention.mask", (rows, columns)),
            "bias": self._bias(rows, columns),
            "softcap": None if softcap is None or softcap.is_zero else softcap,
        } | ({"scale": self._scale(names) if "scale" in self.options else None} if with_scale else {})

    def _number(self, key: str) -> Expr | None:
        if key not in self.options:
            return None
        try:
            return read_exact(self.options[key])
        except SymattnError as error:
            raise error.at(f"attention.{key}") from None

    def _scale(self, names: Mapping[str, Expr]) -> Expr:
        try:
            scale = read_exact(self.options["scale"], names)
        except SymattnError as error:
            raise error.at("attention.scale") from None
        if scale.is_zero:
            raise InputError(Sentence("bad_scale", given="0"), place="attention.scale")
        return scale

    def _bias(self, rows: Expr, columns: Expr) -> MatrixExpr | None:
        if "bias" not in self.options:
            return None
        self.values["B"] = read_matrix(self.options["bias"], "attention.bias", infinite=True)
        return MatrixSymbol("B", rows, columns)

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
                return KeepMask(self._zero_one(given, place, shape))
            if not any(isinstance(part, list) and part and not _is_rows(part) for part in given):
                return tuple(self._mask(part, place, shape) for part in given)
        raise InputError(Sentence("mask_choices"), place=place)

    def _zero_one(self, given: list[Any], place: str, shape: tuple[Expr, Expr]) -> Any:
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
