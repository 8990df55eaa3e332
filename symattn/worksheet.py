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
from sympy import Expr, MatrixSymbol, S, Symbol

from symattn.errors import InputError, NotSupportedError, SymattnError
from symattn.nodes import Attention, MultiHead, Softmax, as_mask, logits
from symattn.options import KEYS as OPTION_KEYS
from symattn.options import Options, names_keys
from symattn.prose import LANGUAGES, Sentence
from symattn.stated import is_stack, one_below_another, read_matrix, read_size, read_sizes, side_by_side

LARGEST_FILE = 20_000_000
KEYS = ("title", "tokens", "inputs", "attention", "claims", "show")
SHOW = {"level": ("matrix", "token"), "diagram": (True, False), "sum_heads": (True, False)}
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
    _only(options, OPTION_KEYS, "attention")
    show = _shown(_table(sheet, "show"))
    stacks = {name: len(given) for name, given in inputs.items() if is_stack(given)}
    letters = all(isinstance(given, str) for given in inputs.values())
    heads = Options(options, {}).heads(stacks, letters=letters)
    symbols, values = _symbols(inputs, heads, fixed=names_keys(options.get("mask")))
    expression = _Builder(symbols, Options(options, values), heads).expression()
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


def _symbols(
    inputs: Mapping[str, Any], heads: tuple[Expr, Expr], *, fixed: bool
) -> tuple[dict[str, MatrixSymbol], dict[str, Any]]:
    """A symbol for each input, and the rows of those that have them; `fixed`: with the numbers of queries and keys.

    What is stated for each head becomes one matrix for all: columns side by side, rows of W_O one below another.
    """
    symbols, values = {}, {}
    for name, given in inputs.items():
        place = f"inputs.{name}"
        sizes = SIZES[name]
        if isinstance(given, str):
            sizes = read_sizes(given, place)
        elif isinstance(given, dict):
            raise NotSupportedError(Sentence("no_files_yet"), place=place)
        else:
            rows = values[LETTERS.get(name, name)] = _rows(name, given, place, heads)
            if fixed:
                counts = (str(len(rows)), str(len(rows[0])))
                sizes = (counts[0] if sizes[0] in "nm" else sizes[0], counts[1] if sizes[1] in "nm" else sizes[1])
        shape = _of_all_heads(name, (read_size(sizes[0]), read_size(sizes[1])), heads)
        symbols[name] = MatrixSymbol(LETTERS.get(name, name), *shape)
        _require_division(values.get(name), name, heads)
    if values and len(values) < len(symbols):
        missing = next(n for n in inputs if LETTERS.get(n, n) not in values)
        raise InputError(Sentence("value_missing", name=missing), place=f"inputs.{missing}")
    return symbols, values


def _rows(name: str, given: Any, place: str, heads: tuple[Expr, Expr]) -> list[list[Any]]:
    if is_stack(given):
        if not name.startswith("W_"):
            raise InputError(Sentence("not_rows"), place=place)
        return one_below_another(given, place) if name == "W_O" else side_by_side(given, place)
    if name.startswith("b_") and isinstance(given, list) and given:
        if not isinstance(given[0], list):
            given = [given]
        elif len(given) > 1 and len(given) == _count(name, heads):
            given = [[x for row in read_matrix(given, place) for x in row]]  # one bias for each head
    return read_matrix(given, place)


def _count(name: str, heads: tuple[Expr, Expr]) -> Expr:
    """How many heads share the columns (of W_O: the rows) of an input."""
    if name in ("W_Q", "W_O", "b_Q"):
        return heads[0]
    return heads[1] if name in ("W_K", "W_V", "b_K", "b_V") else sympy.Integer(1)


def _of_all_heads(name: str, shape: tuple[Expr, Expr], heads: tuple[Expr, Expr]) -> tuple[Expr, Expr]:
    """The shape of one head's matrix -> that of the matrix that all heads share."""
    rows, columns = shape
    count = _count(name, heads)
    return (count * rows, columns) if name == "W_O" else (rows, count * columns)


def _require_division(rows: Any, name: str, heads: tuple[Expr, Expr]) -> None:
    if rows is None:
        return
    count, width = _count(name, heads), len(rows) if name == "W_O" else len(rows[0])
    if not count.is_Integer:
        raise InputError(Sentence("heads_unknown", heads=count), place="attention.heads")
    if width % int(count):
        key = "heads_do_not_divide_rows" if name == "W_O" else "heads_do_not_divide"
        raise InputError(Sentence(key, heads=count, width=width), place=f"inputs.{name}")


class _Builder:
    """The attention expression that the inputs and options of a worksheet state."""

    def __init__(self, symbols: Mapping[str, MatrixSymbol], options: Options, heads: tuple[Expr, Expr]) -> None:
        self.symbols, self.options, self.heads = symbols, options, heads

    def expression(self) -> Any:
        s = self.symbols
        if "X" not in s and self.heads != (1, 1):
            raise InputError(Sentence("heads_need_projections", heads=self.heads[0]), place="attention.heads")
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
            X, Z, U, *self.heads, s["W_Q"], s["W_K"], s["W_V"], s.get("W_O"),
            *(s.get(b) for b in ("b_Q", "b_K", "b_V", "b_O")),
        )  # fmt: skip
        first = whole.head()
        options = self._options(*first.args[:3])
        if "W_O" in s or "b_O" in s or self.heads[0] != 1:
            return MultiHead(*whole.args[:13], **options)
        return Attention(*first.args[:3], **options)

    def _from_scores(self) -> Any:
        start = "scores" if "scores" in self.symbols else "scaled"
        self._refuse_beside(start, *(k for k in SIZES if k not in (start, "V")))
        scores, V = self.symbols[start], self.symbols.get("V")
        stated = "scale" in self.options.table
        if start == "scores" and not stated:
            raise InputError(Sentence("scale_needed"), place="attention.scale")
        if start == "scaled" and stated:
            raise InputError(Sentence("scaled_already"), place="attention.scale")
        options = self.options.read(scores.shape, {}, self.heads[0])
        mask, bias = as_mask(options["mask"]), options["bias"]
        bias = sympy.ZeroMatrix(*scores.shape) if bias is None else bias
        softcap = S.Infinity if options["softcap"] is None else options["softcap"]
        A = Softmax(logits(scores, mask, bias, options["scale"] if stated else S.One, softcap))
        return A if V is None else A * V

    def _need(self, *names: str) -> None:
        for name in names:
            if name not in self.symbols:
                raise InputError(Sentence("input_needed", name=name, beside=", ".join(self.symbols)), place="inputs")

    def _refuse_beside(self, start: str, *names: str) -> None:
        for name in names:
            if name in self.symbols:
                raise InputError(Sentence("input_beside", name=name, start=start), place=f"inputs.{name}")

    def _options(self, Q: Any, K: Any, V: Any) -> dict[str, Any]:
        matrices = [m for m in (Q, K, V, self.symbols.get("X")) if m is not None]
        sizes = {size.name: size for m in matrices for size in m.shape if isinstance(size, Symbol)}
        sizes.setdefault("d_k", K.shape[1])
        return self.options.read((Q.shape[0], K.shape[0]), sizes, self.heads[0])
