"""Worksheets: what is read, and that nothing but our own errors comes of anything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn import derive, differentiate
from symattn.errors import InputError, ShapeError, SymattnError
from symattn.nodes import exact_numbers
from symattn.reading.worksheets.keys import KEYS, OPTIONS, SIZES
from symattn.reading.worksheets.worksheet import parse_worksheet, read_worksheet
from tests.samples import SHEETS, SMALL
from tests.sampling import EVERY

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SHEETS)
def test_every_sample_is_read(name: str) -> None:
    sheet = parse_worksheet(SHEETS[name])
    assert (sheet.values is None) == name.startswith("symbolic")


def test_title_tokens_and_show() -> None:
    sheet = parse_worksheet(SHEETS["by token"])
    assert sheet.title is None and sheet.tokens == ("a", "b", "c")
    assert sheet.show == {"level": "token", "diagram": True}


PROJECTED = 'W_Q = [["1/3"]]\nW_K = [["1/3"]]\nW_V = [["1/3"]]\n'
WIDER = 'W_Q = [["1/3", 0.5]]\nW_K = [["1/3", 0.5]]\nW_V = [["1/3"]]\n'  # so that the parts share no d_k
READ_ONCE = {
    "one calculation": (f'[inputs]\nX = [["1/2"]]\n{PROJECTED}[attention]\nbias = [["1/5"]]\n', 5),
    "gradient": (f'[inputs]\nX = [["1/2"]]\n{PROJECTED}G = [["1/7"]]\n[gradient]\n', 5),
    "parts": (
        f"[inputs]\nX = [['1/2']]\n[[part]]\nname = 'a'\nX = 'X'\n{PROJECTED}bias = [['1/5']]\n"
        f"[[part]]\nname = 'b'\nX = 'a'\n{WIDER}",
        10,
    ),
}


@pytest.mark.parametrize(("text", "numbers"), READ_ONCE.values(), ids=READ_ONCE)
def test_every_number_is_read_once(text: str, numbers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    start = exact_numbers._plain_number

    def counted(*parts: str) -> Any:
        read.append(parts[1])
        return start(*parts)

    monkeypatch.setattr(exact_numbers, "_plain_number", counted)
    sheet = parse_worksheet(text)
    derivation = derive(sheet.expression, sheet.values)
    if sheet.wrt is not None:
        differentiate(derivation, G=sheet.upstream)
    assert len(read) == numbers


def test_a_mask_matrix_must_have_the_size_of_the_scores() -> None:
    assert parse_worksheet(SHEETS["matrix mask"]).expression.shape[0] == 3
    with pytest.raises(ShapeError, match=r"attention\.mask: the number of keys is 3 but columns\(mask\) is 2"):
        parse_worksheet(SMALL + "[attention]\nmask = [[1, 1], [1, 1], [1, 1]]\n")


def test_sizes_are_symbols() -> None:
    expression = parse_worksheet('[inputs]\nQ = "n x 4"\nK = "m x 4"\nV = "m × d_v"').expression
    assert [str(s) for s in expression.shape] == ["n", "d_v"]
    assert expression.options["scale"] == sympy.Rational(1, 2)


ENTRIES = st.one_of(
    st.integers(-9, 9),
    st.booleans(),
    st.floats(),
    st.sampled_from(["1/3", "sqrt(2)", "1/0", "-inf", "x", "", "exp(1)", "9^9^9", "((", "d_k", "causal", "none"]),
)
ANY: Any = st.recursive(
    ENTRIES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["causal", "window", "a"]), inner, max_size=2)
    ),
    max_leaves=9,
)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return repr(value) if isinstance(value, float) else json.dumps(value)


FUZZED = settings(max_examples=300 if EVERY else 100, deadline=None)  # each option and table comes up many times


def accepts_or_refuses(text: str) -> None:
    said = ""
    try:
        shape = parse_worksheet(text).expression.shape
    except SymattnError as error:
        shape, said = None, str(error)
    assert shape or said


@FUZZED
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    accepts_or_refuses(text)


@FUZZED
@given(
    st.dictionaries(st.sampled_from(sorted(SIZES)), ANY, max_size=5),
    st.dictionaries(st.sampled_from(OPTIONS), ANY, max_size=3),
    st.dictionaries(st.sampled_from(KEYS[:2]), ANY, max_size=1),
)
def test_any_tables(inputs: dict[str, Any], options: dict[str, Any], head: dict[str, Any]) -> None:
    lines = [f"{k} = {toml(v)}" for k, v in head.items()]
    lines += ["[inputs]", *(f"{k} = {toml(v)}" for k, v in inputs.items())]
    lines += ["[attention]", *(f"{k} = {toml(v)}" for k, v in options.items())]
    accepts_or_refuses("\n".join(lines))


@FUZZED
@given(st.dictionaries(st.sampled_from(OPTIONS), ANY, min_size=1, max_size=3))
def test_any_options(options: dict[str, Any]) -> None:
    accepts_or_refuses(SMALL + "[attention]\n" + "\n".join(f"{k} = {toml(v)}" for k, v in options.items()))


def test_titles_in_both_languages() -> None:
    inputs = "[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n"
    both = parse_worksheet('title = { en = "By hand", zh = "手算" }\n' + inputs)
    assert (both.title, both.title_in("zh")) == ("By hand", "手算")
    one = parse_worksheet('title = "By hand"\n' + inputs)
    assert one.title_in("zh") == "By hand"


def test_sequences_of_different_widths():
    text = (
        "[inputs]\nX = [[1, 0], [0, 1]]\nZ = [[1, 0, 1], [0, 1, 0], [1, 1, 0]]\nW_Q = [[1, 0], [0, 1]]\n"
        "W_K = [[1, 0], [0, 1], [1, 1]]\n"
    )
    sheet = parse_worksheet(text + "W_V = [[1, 0], [0, 1], [1, 1]]\n")
    d = derive(sheet.expression, sheet.values)
    assert d["scores"].exact == sympy.Matrix([[2, 0, 1], [1, 1, 1]])
    assert d["output"].exact.row(1) == sympy.Matrix([[1, 1]])  # the mean of the values [2, 1], [0, 1], [1, 1]
    assert differentiate(d, ["W_K"], G=[[1, 0], [0, 1]])["dW_K"].exact.shape == (3, 2)
    own = parse_worksheet(text + "U = [[1], [0], [2]]\nW_V = [[3]]\n")
    assert derive(own.expression, own.values)["output"].exact.row(1) == sympy.Matrix([[3]])
    narrow = parse_worksheet(text + "W_V = [[1, 0], [0, 1]]\n")
    with pytest.raises(ShapeError, match=r"columns\(Z\) is 3 but rows\(W_V\) is 2"):
        derive(narrow.expression, narrow.values)


@pytest.mark.parametrize("encoding", ["gbk", "utf-16"])
def test_another_encoding_is_refused_with_what_to_do(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_bytes('title = "注意力"\n'.encode(encoding))
    with pytest.raises(InputError, match="is not UTF-8; save the file as UTF-8 text") as caught:
        read_worksheet(path)
    assert "请把文件另存为 UTF-8 文本" in caught.value.text("zh")
