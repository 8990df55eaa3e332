"""Calculations of several parts: against the parts derived one by one, and what is refused."""

from __future__ import annotations

import pytest

from symattn import derive
from symattn.errors import SymattnError
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet, read_worksheet

SHIPPED = library.find("encoder-decoder")


def test_parts_are_the_same_as_calculations_of_their_own():
    assert SHIPPED is not None
    sheet = read_worksheet(SHIPPED)
    whole = derive(sheet.expression, sheet.values)
    assert [s.name for s in whole if s.name.endswith("output")] == ["encoder.output", "decoder.output", "cross.output"]
    alone = parse_worksheet(
        "[inputs]\nX = [[1, 2], [0, 1]]\nW_Q = [[1, 1], [0, 1]]\nW_K = [[1, 0], [1, 1]]\nW_V = [[1, 0], [0, 3]]\n"
        '[attention]\nmask = "causal"\n'
    )
    decoder = derive(alone.expression, alone.values)
    for step in decoder:
        assert whole[f"decoder.{step.name}"].exact == step.exact
    # the cross part over the outputs of the others, as numbers
    cross = parse_worksheet(
        "[inputs]\nX = [[0, 0]]\nZ = [[0, 0]]\nW_Q = [[1, 0], [0, 1]]\nW_K = [[1, 0], [0, 1]]\nW_V = [[1, 1], [0, 1]]\n"
    )
    values = dict(cross.values or {}) | {"X": whole["decoder.output"].exact, "Z": whole["encoder.output"].exact}
    expected = derive(cross.expression, values)["output"].evaluate(20)
    assert whole["cross.output"].evaluate(20).tolist() == expected.tolist()


def test_parts_may_have_several_heads():
    text = (
        "[inputs]\nX = [[1, 2], [0, 1]]\n[[part]]\nname = 'first'\nX = 'X'\n"
        + "".join(f"W_{x} = [[[1], [0]], [[0], [1]]]\n" for x in "QKV")
        + "[[part]]\nname = 'second'\nX = 'first'\n"
        + "".join(f"W_{x} = [[1, 0], [0, 1]]\n" for x in "QKV")
    )
    sheet = parse_worksheet(text)
    d = derive(sheet.expression, sheet.values)
    assert str(d["first.head_2.scores"].expression) == "Q^(first,2)*K^(first,2).T"
    assert r"Q^{(\mathrm{first},2)}" in d.to_latex() and r"W_{\mathrm{first},2}^{Q}" in d.to_latex()


PART = "[inputs]\nX = [[1, 2]]\n[[part]]\nname = 'one'\nX = 'X'\n"
PART += "W_Q = [[1], [0]]\nW_K = [[1], [0]]\nW_V = [[1, 0], [0, 1]]\n"


def derived(text):
    sheet = parse_worksheet(text)
    return derive(sheet.expression, sheet.values)


def test_each_part_has_a_bias_of_its_own():
    parts = "".join(
        f"[[part]]\nname = '{name}'\nX = 'X'\nW_Q = [[1]]\nW_K = [[1]]\nW_V = [[1]]\nbias = [[{bias}]]\n"
        for name, bias in (("one", 5), ("two", 7))
    )
    d = derived(f"[inputs]\nX = [[2]]\n{parts}".replace("name = 'two'\nX = 'X'", "name = 'two'\nX = 'one'"))
    assert [d[f"{name}.masked"].exact[0, 0] for name in ("one", "two")] == [4 + 5, 4 + 7]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PART.replace("X = 'X'", "X = 'Y'"), "part.one: X: Y is neither an input nor an earlier part; use one of X"),
        (PART.replace("X = 'X'", "X = [[1, 2]]"), "part.one: X: "),
        (PART.replace("'one'", "'i'"), "part.i: a part is named by a word of letters"),
        (PART.replace("'one'", "3"), "part.3: a part is named by a word of letters"),
        (PART.replace("name = 'one'\n", ""), "part.: a part is named by a word of letters"),
        (PART + PART.partition("]]\n")[2], "part.one: two parts have the name one"),
        (PART.replace("W_Q", "W_q"), 'part.one: unknown key "W_q"'),
        (PART.replace("[[1], [0]]\nW_K", "[[1], [0], [0]]\nW_K"), "columns(X)"),
        (PART.replace("[[part]]", "[part]"), "part: "),
        (PART + "[attention]\nmask = 'causal'\n", "attention: unknown key"),
    ],
)
def test_parts_that_cannot_be_used(text, said):
    with pytest.raises(SymattnError) as refused:
        derived(text)
    assert said in str(refused.value)


def test_a_step_with_a_cache_is_the_last_row_of_causal_attention():
    path = library.find("kv-cache")
    assert path is not None
    sheet = read_worksheet(path)
    d = derive(sheet.expression, sheet.values)
    full, step = d["full.output"].evaluate(40), d["step.output"].evaluate(40)
    assert full.tolist()[-1] == step.tolist()[0] and d["full.weights"].exact[2, :] == d["step.weights"].exact[0, :]
