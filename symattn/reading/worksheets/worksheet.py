"""A worksheet (TOML that states one calculation) -> an attention expression, the values of its symbols, the claims.

Nothing in a worksheet is ever evaluated as Python: numbers are read by `exact_text`, everything else is a choice
from a list.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

from sympy import MatrixSymbol

from symattn.errors import InputError, Placed, SymattnError
from symattn.nodes import CrossEntropy
from symattn.nodes.exact_numbers import MOST_DIGITS, ExactRows
from symattn.patterns import is_found_by, regex
from symattn.program.shapes import read_measures, size_symbols
from symattn.reading.worksheets import keys
from symattn.reading.worksheets.broken_toml import explain
from symattn.reading.worksheets.cells import SUFFIXES as CELLS
from symattn.reading.worksheets.cells import read_cells
from symattn.reading.worksheets.inputs import read_calculation
from symattn.reading.worksheets.layers import name_layers, read_layers
from symattn.reading.worksheets.parts import read_parts
from symattn.reading.worksheets.tables import read_matrix
from symattn.values.arrays import SUFFIXES as ARRAYS
from symattn.values.arrays import matrix_from
from symattn.values.files import read_bytes
from symattn.writing.choices import choice
from symattn.writing.nearest import listed
from symattn.writing.notation import VASWANI, Notation, read_notation
from symattn.writing.prose import LANGUAGES, Sentence
from symattn.writing.reasons import reason_of

LARGEST_FILE = 20_000_000
_LONG_NUMBER = regex(r"[0-9A-Fa-f_]{10000}")
_DEEP_KEY = regex(r"""(?:^|[{,\[])[ \t]*+(?>(?>[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){40}""", re.MULTILINE)


@dataclass(frozen=True)
class Worksheet:
    """One calculation as stated: what to derive, from which values, and what somebody claims of it."""

    titles: Mapping[str, str]  # by language
    tokens: tuple[str, ...]
    expression: Any
    values: Mapping[str, ExactRows] | None  # by the symbol's name; None where only sizes are given
    claims: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # the titles of the parts, by name
    show: Mapping[str, Any] = field(default_factory=dict)  # how it is told, as `derive` takes it
    notation: Notation = VASWANI
    wrt: tuple[str, ...] | None = None  # what to differentiate by (none named: every input); None: not at all
    upstream: ExactRows | None = None  # the gradient with respect to the result
    summaries: Mapping[str, str] = field(default_factory=dict)  # what its pages begin with, by language
    conclusions: Mapping[str, str] = field(default_factory=dict)  # and what they end with
    tables: Mapping[str, Any] = field(default_factory=dict, repr=False)  # as TOML has them, arrays in place of files
    files: tuple[str, ...] = field(default=(), repr=False)  # it was read from: its own, those of arrays

    @property
    def title(self) -> str | None:
        """The title in English, if there is one."""
        return self.title_in("en")

    def title_in(self, language: str) -> str | None:
        """The title in a language, or in another if it has none in that."""
        return _in(self.titles, language)

    def words_in(self, language: str) -> dict[str, str]:
        """What its pages begin with, and what they end with, in a language."""
        return {"summary": _in(self.summaries, language) or "", "conclusion": _in(self.conclusions, language) or ""}

    def parts_in(self, language: str) -> dict[str, str]:
        """The title of each part in a language; its name where it has none."""
        return {name: _in(titles, language) or name for name, titles in self.parts.items()}


def _in(titles: Mapping[str, str], language: str) -> str | None:
    return titles.get(language) or next(iter(titles.values()), None)


def read_worksheet(path: Path, preset: str | None = None) -> Worksheet:
    """Read a worksheet file. Raises InputError with the file and line:column, or the file and the key path."""
    with Placed(str(path)):
        sheet = parse_worksheet(read_text(path), path.parent, preset)
        return replace(sheet, files=(str(path), *sheet.files))


def read_text(path: Path) -> str:
    """The text of a worksheet file. Raises InputError where there is none, or too much of it."""
    try:
        data = read_bytes(path, LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise InputError(Sentence("file_too_large", most=LARGEST_FILE // 1_000_000))
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(Sentence("cannot_open", reason=reason_of(error))) from None
    except UnicodeDecodeError as error:
        raise InputError(Sentence("not_text", byte=error.start)) from None


def parse_worksheet(text: str, folder: Path | None = None, preset: str | None = None) -> Worksheet:
    """Read the text of a worksheet; arrays from files are looked for in its folder.

    `preset` is a notation that takes the place of the stated one; names of the worksheet's own stay.
    Raises InputError with the line:column or the key path.

    >>> parse_worksheet("[inputs]\\nQ = [[1]]\\nK = [[1]]\\nV = [['1/2']]").expression
    Attention(Q, K, V)
    """
    return read_tables(_toml(text), folder, preset)


def read_tables(sheet: Mapping[str, Any], folder: Path | None = None, preset: str | None = None) -> Worksheet:
    """The tables of a worksheet, as TOML has them, read."""
    tables_of = keys.TABLES if sheet.get("layer") is None else keys.TABLES_OF_STACK
    keys.refuse_unknown(sheet, keys.KEYS, "", tables_of)
    titles = _texts(sheet, "title")
    tokens = sheet.get("tokens", [])
    if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
        raise InputError(Sentence("not_words"), place="tokens")
    parts, layers = _list_of_tables(sheet, "part"), _list_of_tables(sheet, "layer")
    inputs = _table(sheet, "inputs")
    if not inputs:
        raise InputError(Sentence("no_inputs"), place="inputs")
    keys.refuse_unknown(
        inputs, (*(keys.SIZES if layers is None else keys.OF_STACK), keys.UPSTREAM), "inputs", tables_of
    )
    inputs = _with_arrays(inputs, folder, "inputs")
    tables: dict[str, Any] = {**sheet, "inputs": dict(inputs)}
    upstream = inputs.pop(keys.UPSTREAM, None)
    G = None if upstream is None or isinstance(upstream, str) else read_matrix(upstream, "inputs.G")
    options = _table(sheet, "attention")
    keys.refuse_unknown(options, keys.OPTIONS, "attention", tables_of)
    show = _read_show(_table(sheet, "show"))
    values: dict[str, ExactRows] = {}
    stack = _table(sheet, "stack")
    for key, given in (("part", parts), ("layer", layers)):
        if given is not None:
            keys.refuse_unknown(options, (), "attention")
            tables[key] = [_with_arrays(p, folder, key) for p in given]
    if layers is not None:
        if parts is not None:
            raise InputError(Sentence("input_beside", name="part", start="layer"), place="part")
        expression = read_layers(tables["layer"], inputs, stack, values)
        if isinstance(expression, CrossEntropy) and G is None and upstream is None:
            G = read_matrix([[1]], "inputs.G")  # a loss is what is differentiated
    else:
        keys.refuse_unknown(stack, (), "stack")
        expression = (
            read_calculation(inputs, options, values) if parts is None else read_parts(tables["part"], inputs, values)
        )
    show = _with_sizes(show, expression)
    notation = _table(sheet, "notation")
    told: dict[str, Any] = {
        "parts": _part_titles(parts, layers),
        "summaries": _texts(sheet, "summary"),
        "conclusions": _texts(sheet, "conclusion"),
        "show": show,
        "notation": read_notation(notation if preset is None else {**notation, "preset": preset}),
    }
    claims = _table(sheet, "claims")
    told |= {"wrt": _wrt(sheet), "upstream": G, "tables": tables, "files": _files(sheet, folder)}
    return Worksheet(titles, tuple(tokens), expression, values or None, claims, **told)


def _part_titles(parts: Any, layers: Any) -> dict[str, Mapping[str, str]]:
    """The titles of the parts, or of the layers, which are numbered where they have none."""
    if layers is None:
        return {p["name"]: _texts(p, "title") for p in parts or ()}
    numbered = ({lang: Sentence("title.layer", number=k).text(lang) for lang in LANGUAGES} for k in count(1))
    return {
        name: _texts(layer, "title") or usual
        for name, layer, usual in zip(name_layers(layers), layers, numbered, strict=False)
    }


def _wrt(sheet: Mapping[str, Any]) -> tuple[str, ...] | None:
    """What the table [gradient] names; None where there is no such table."""
    gradient = _table(sheet, "gradient")
    keys.refuse_unknown(gradient, keys.GRADIENT, "gradient")
    names = gradient.get("wrt", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(Sentence("not_words"), place="gradient.wrt")
    return tuple(names) if "gradient" in sheet else None


def _with_arrays(table: Mapping[str, Any], folder: Path | None, path: str) -> dict[str, Any]:
    """The table with the rows of numbers in place of { file = "qkv.npz", key = "X" }."""
    return {
        name: _array(given, folder, f"{path}.{name}") if isinstance(given, dict) and "file" in given else given
        for name, given in table.items()
    }


def _array(given: Mapping[str, Any], folder: Path | None, path: str) -> list[list[Any]]:
    keys.refuse_unknown(given, keys.ARRAY, path, {})
    if not all(isinstance(x, str) for x in given.values()):
        raise InputError(Sentence("bad_file_entry"), place=path)
    if folder is None:
        raise InputError(Sentence("no_folder"), place=path)
    file = folder / given["file"]
    of_cells = file.suffix.lower() in CELLS
    if not of_cells and file.suffix.lower() not in ARRAYS:
        raise InputError(Sentence("array_suffix", known=listed(file.suffix, (*ARRAYS, *CELLS))), place=path)
    for key in ("key",) if of_cells else ("sheet", "range"):
        if key in given:
            raise InputError(Sentence("not_of_this_file", name=key), place=path)
    with Placed(path):
        if of_cells:
            return read_cells(file, given.get("sheet"), given.get("range"))
        return matrix_from(file, given.get("key"))


def _files(sheet: Mapping[str, Any], folder: Path | None) -> tuple[str, ...]:
    """The files of arrays that its tables name."""
    tables = (sheet["inputs"], *sheet.get("part", ()), *sheet.get("layer", ()))
    given = [value for table in tables for value in table.values()]
    return tuple(str((folder or Path()) / x["file"]) for x in given if isinstance(x, dict) and "file" in x)


def _toml(text: str) -> dict[str, Any]:
    """The tables. What would take tomllib time or memory beyond proportion is refused before."""
    if found := _LONG_NUMBER.search(text) or _DEEP_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        long = Sentence("number_too_long", most=MOST_DIGITS)
        raise InputError(
            long if is_found_by(found, _LONG_NUMBER) else Sentence("nested_too_deep"), place=f"{line}:{column}"
        )
    try:
        tables = tomllib.loads(text, parse_float=Decimal)
        _refuse_long_numbers(tables)
        return tables
    except tomllib.TOMLDecodeError as error:
        raise explain(error, text) from None
    except RecursionError:
        raise InputError(Sentence("nested_too_deep")) from None
    except (ValueError, ArithmeticError):
        raise InputError(Sentence("number_too_long", most=MOST_DIGITS)) from None


def _refuse_long_numbers(tables: Mapping[str, Any]) -> None:
    """Hexadecimal integers are read in no time, but their decimal digits take long."""
    held: list[Any] = [tables]
    while held:
        part = held.pop()
        inside = part.values() if isinstance(part, dict) else part
        for value in inside:
            if isinstance(value, dict | list):
                held.append(value)
            elif isinstance(value, int) and value.bit_length() > 4 * MOST_DIGITS:
                raise InputError(Sentence("number_too_long", most=MOST_DIGITS))


def _list_of_tables(sheet: Mapping[str, Any], key: str) -> list[dict[str, Any]] | None:
    """What is written under [[key]] each time; None where it is not."""
    tables = sheet.get(key)
    if tables is not None and not (isinstance(tables, list) and tables and all(isinstance(t, dict) for t in tables)):
        raise InputError(Sentence("not_tables", name=key), place=key)
    return tables


def _table(sheet: Mapping[str, Any], key: str) -> dict[str, Any]:
    table = sheet.get(key, {})
    if not isinstance(table, dict):
        raise InputError(Sentence("not_a_table", name=key), place=key)
    return table


def _texts(sheet: Mapping[str, Any], key: str) -> Mapping[str, str]:
    """A text in each language, such as the title; one text is that in all of them."""
    text = sheet.get(key, {})
    if isinstance(text, str):
        return dict.fromkeys(LANGUAGES, text)
    if not isinstance(text, dict) or not all(isinstance(t, str) for t in text.values()):
        raise InputError(Sentence("bad_title"), place=key)
    keys.refuse_unknown(text, LANGUAGES, key, {})
    return text


def _read_show(show: Mapping[str, Any]) -> Mapping[str, Any]:
    keys.refuse_unknown(show, keys.TABLES["show"], "show")
    if not isinstance(show.get("sizes", {}), dict):
        raise InputError(Sentence("not_a_table", name="sizes"), place="show.sizes")
    theorems = show.get(keys.THEOREMS, [])
    if not isinstance(theorems, list) or not all(isinstance(name, str) for name in theorems):
        raise InputError(Sentence("not_words"), place="show.theorems")
    for key, value in show.items():
        if key in (*keys.MEASURES, keys.THEOREMS):
            continue
        choice(key, value, keys.SHOW[key], place=f"show.{key}")
    return show


def _with_sizes(show: Mapping[str, Any], expression: Any) -> Mapping[str, Any]:
    """The same with `batch` and `sizes` as numbers and formulas."""
    if not show.keys() & set(keys.MEASURES):
        return show
    symbols = size_symbols(expression.atoms(MatrixSymbol))
    try:
        measures = read_measures(symbols, {}, show.get("batch"), show.get("sizes"))
    except SymattnError as error:
        error.place = f"show.{error.place}"
        raise
    sizes = {s.name: size for s, size in (*measures.relations.items(), *measures.numbers.items())}
    return {**show, "batch": measures.batch, "sizes": sizes}
