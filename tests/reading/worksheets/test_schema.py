"""The JSON Schema takes what the reader takes, and refuses keys and choices that it refuses."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from symattn.errors import InputError
from symattn.reading.worksheets import library
from symattn.reading.worksheets.schema import worksheet_schema
from symattn.reading.worksheets.worksheet import parse_worksheet

jsonschema = pytest.importorskip("jsonschema")
QKV = "[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n"
X = "[inputs]\nX = [[1]]\n"
LAYER = X + "[[layer]]\nW_1 = [[1]]\nW_2 = [[1]]\n"
PAGE = Path(__file__).parents[3] / "docs" / "worksheet.md"


@cache
def validator():
    made = jsonschema.Draft202012Validator(worksheet_schema())
    made.check_schema(worksheet_schema())
    return made


def faults(text: str) -> list[str]:
    return [error.message for error in validator().iter_errors(tomllib.loads(text))]


@pytest.mark.parametrize("name", library.names())
def test_every_derivation_that_ships_is_valid(name: str) -> None:
    path = library.find(name)
    assert path is not None
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
def test_the_worksheets_of_the_documentation_are_valid(text: str) -> None:
    assert faults(text if "[inputs]" in text else QKV + text) == []


def test_every_key_stands_in_the_documentation() -> None:
    written = set(re.findall(r"\w+", PAGE.read_text(encoding="utf-8")))
    assert keys_within(worksheet_schema()) - written == set()


def keys_within(schema: object) -> set[str]:
    """The names of all properties, however deep."""
    inside = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    stated = schema.get("properties", {}) if isinstance(schema, dict) else {}
    return set(stated).union(*map(keys_within, inside))


@pytest.mark.parametrize(
    "text",
    [
        QKV + '[attention]\nmask = ["causal", { window = [1, 0] }]\n',
        QKV + '[attention]\nmask = { finite = -1e9, of = "causal" }\nscale = "1/2"\n',
        QKV + "[attention]\nmask = [[1]]\nbias = [[-inf]]\n",
        QKV + "[attention]\nalibi = { offset = 3 }\nsink = 0\n",
        QKV + '[attention]\nqk_norm = { kind = "rms", epsilon = "1/8" }\n',
        QKV + '[attention]\nweighting = { kind = "sigmoid", bias = "-log(m)" }\n',
        QKV + '[attention]\nweighting = "entmax-1.5"\n',
        QKV + '[claims]\nscores = [["1"]]\n',
        QKV.replace("[[1]]", '"n x d"'),
        X + "W_Q = [[[1]], [[2]]]\nW_K = [[[1]], [[2]]]\nW_V = [[[1]], [[2]]]\nb_Q = [[1], [2]]\n",
        LAYER + 'norm = "rms"\ngamma_2 = [1]\n',
        QKV + '[claims]\nhead_1.weights = [["1"]]\n',
        X + '[[part]]\nname = "one"\nX = "X"\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\n',
    ],
)
def test_what_is_read_is_valid(text: str) -> None:
    parse_worksheet(text)
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'title = "nothing"\n',
        "[inputs]\n",
        "Q = [[1]]\n" + QKV,
        QKV + "Wk = [[1]]\n",
        QKV + "E = [[1]]\n",
        QKV.replace("[[1]]", "1"),
        QKV.replace("[[1]]", "[]"),
        QKV.replace("[[1]]", '"two by two"'),
        QKV.replace("[[1]]", "{ key = 'X' }"),
        QKV + '[attention]\nmask = "casual"\n',
        QKV + "[attention]\nmask = { windw = [1, 0] }\n",
        QKV + "[attention]\nmask = { window = [1] }\n",
        QKV + '[attention]\nkind = "latnet"\n',
        QKV + '[attention]\nempty_row = "skip"\n',
        QKV + "[attention]\nrope = { bse = 100 }\n",
        QKV + '[attention]\nrope = { width = 2, scaling = { kind = "yarn" } }\n',
        QKV + "[attention]\nblock = 0\n",
        QKV + '[show]\nlevel = "rows"\n',
        QKV + '[show]\nstudy = "scalling"\n',
        QKV + "[notation]\nfirst_index = 2\n",
        QKV + "tokens = [1]\n",
        QKV + "[gradient]\nwrt = 'Q'\n",
        LAYER + 'order = "prae"\n',
        LAYER + "ids = [1]\n",
        LAYER.replace("[[layer]]", "[layer]"),
        LAYER.replace("X = [[1]]", "Q = [[1]]"),
    ],
)
def test_what_is_refused_is_not_valid(text: str) -> None:
    with pytest.raises(InputError):
        parse_worksheet(text)
    assert faults(text) != []
