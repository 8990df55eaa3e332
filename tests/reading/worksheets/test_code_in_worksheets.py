"""A text that SymPy would run as Python, in every place of a worksheet: it is read or refused, and nothing runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sympy.parsing import sympy_parser

from symattn.api.worksheets import derive_sheet
from symattn.errors import SymattnError
from symattn.reading.worksheets.schema import worksheet_schema
from symattn.reading.worksheets.worksheet import parse_worksheet

SCHEMA = worksheet_schema()
TOP = SCHEMA["properties"]
LETTERS = '[inputs]\nQ = "n x d_k"\nK = "m x d_k"\nV = "m x d_v"\n'
NUMBERS = "[inputs]\nQ = [[1, 2]]\nK = [[1, 2]]\nV = [[1]]\n"
HEADS = "[inputs]\nX = [[1, 2]]\nW_Q = [[1, 2], [3, 4]]\nW_K = [[1, 2], [3, 4]]\nW_V = [[1, 2], [3, 4]]\n"
LATENT = "[inputs]\nQ = [[1, 2]]\nC = [[1]]\nU_K = [[1, 2]]\nU_V = [[1]]\n"
STACK = "[inputs]\nX = [[1, 2]]\n[[layer]]\nW_1 = [[1], [2]]\nW_2 = [[1, 2]]\n"


def resolve(schema: Any) -> Any:
    return SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def sample(schema: Any) -> Any:
    """Something that the schema takes."""
    schema = resolve(schema)
    if "anyOf" in schema:
        return sample(schema["anyOf"][0])
    if "enum" in schema or "const" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
    if kind == "object":
        return {key: sample(schema["properties"][key]) for key in schema.get("required", ())}
    if kind == "array":
        return [sample(schema["items"])] * schema.get("minItems", 1)
    return {"boolean": True, "integer": 1, "number": 1, "string": "n x 1"}[kind]


def spoil(schema: Any, text: str, depth: int = 0) -> Iterator[Any]:
    """The same with the text in one of its places."""
    schema = resolve(schema)
    yield text
    if depth > 4:
        return
    for other in schema.get("anyOf", ()):
        yield from spoil(other, text, depth + 1)
    if schema.get("type") == "object":
        whole = sample(schema)
        for key, of in schema.get("properties", {}).items():
            yield from ({**whole, key: bad} for bad in spoil(of, text, depth + 1))
    if schema.get("type") == "array":
        whole = sample(schema)
        yield from ([bad, *whole[1:]] for bad in spoil(schema["items"], text, depth + 1))


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(x)}" for key, x in value.items()) + "}"
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A text that makes a file once SymPy parses it, and the check that it was neither parsed nor run."""
    parsed: list[str] = []
    parse = sympy_parser.parse_expr
    monkeypatch.setattr(sympy_parser, "parse_expr", lambda text, *a, **k: (parsed.append(text), parse("1"))[1])
    yield f"open('{tmp_path}/x','w')"
    assert parsed == []
    assert not list(tmp_path.iterdir())


def read(sheet: str) -> None:
    with suppress(SymattnError):
        derive_sheet(parse_worksheet(sheet), "brief", "en").to_markdown()


@pytest.mark.parametrize("inputs", [LETTERS, NUMBERS, HEADS, LATENT], ids=["letters", "numbers", "heads", "latent"])
@pytest.mark.parametrize("option", TOP["attention"]["properties"])
def test_no_option_runs_a_text(option: str, inputs: str, text: str) -> None:
    for given in spoil(TOP["attention"]["properties"][option], text):
        read(f"{inputs}[attention]\n{option} = {toml(given)}\n")


@pytest.mark.parametrize("key", [key for key in TOP if key not in ("attention", "inputs", "layer", "part")])
def test_no_other_table_runs_a_text(key: str, text: str) -> None:
    inputs = STACK if key == "stack" else LETTERS if key == "show" else NUMBERS
    for given in spoil(TOP[key], text):
        read(f"{key} = {toml(given)}\n{inputs}")
