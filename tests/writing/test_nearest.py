"""What was meant by a name that is not known: of worksheets' keys and choices, of options, commands, steps."""

from __future__ import annotations

import pytest

from symattn.cli.main import run
from symattn.errors import InputError
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.writing.nearest import listed, nearest

QKV = "[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n"
STACK = "[inputs]\nX = [[1]]\n[[layer]]\nW_1 = [[1]]\nW_2 = [[1]]\n"


@pytest.mark.parametrize(
    ("text", "place", "meant"),
    [
        (QKV.replace("K =", "Wk ="), "inputs", 'did you mean "W_K"?'),
        ("Q = [[1]]\n" + QKV, "", "it belongs under [inputs]"),
        ('mask = "causal"\n' + QKV, "", "it belongs under [attention]"),
        (QKV + 'mask = "causal"\n', "inputs", "it belongs under [attention]"),
        ('level = "token"\n' + QKV, "", "it belongs under [show]"),
        (STACK.replace("[[layer]]", "W_2 = [[1]]\n[[layer]]"), "inputs", "it belongs under [[layer]]"),
        (STACK + "ids = [1]\n", "layer.layer1", "it belongs under [stack]"),
        (QKV + '[attention]\nmask = "casual"\n', "attention.mask", 'did you mean "causal"?'),
        (QKV + "[attention]\nwindow = [1, 0]\n", "attention", "write mask = { window = ... }"),
        (QKV + "[attention]\nbase = 100\n", "attention", "write rope = { base = ... }"),
        (
            QKV + '[attention]\nkind = "linear"\nfeature = "elu(z)"\n',
            "attention.feature",
            'write something like "exp(z)"',
        ),
        (QKV + '[attention]\nscore_mod = "z + foo"\n', "attention.score_mod", 'something like "z - abs(i - j)/2"'),
        (QKV + '[attention]\nscore_mod = "z - Abs(i - j)"\n', "attention.score_mod", 'did you mean "abs"?'),
        (QKV + '[attention]\nkind = "linear-attention"\n', "attention.kind", 'did you mean "linear"?'),
        (QKV + "[attention]\nmask = true\n", "attention.mask", 'did you mean "causal"?'),
        (QKV + "[attention]\nmask = [[1, 0],\n", "6:1", "not closed"),
        ('title = """late\n' + QKV, "1:1", "not closed"),
        (QKV + "[attention]\nmask = { windw = [1, 0] }\n", "attention.mask", 'did you mean "window"?'),
        (QKV + '[attention]\nkind = "latnet"\n', "attention.kind", 'did you mean "latent"?'),
        (QKV + '[attention]\nempty_row = "nan "\n', "attention.empty_row", 'did you mean "nan"?'),
        (QKV + "[attention]\nrope = { bse = 100 }\n", "attention.rope", 'did you mean "base"?'),
        (QKV + 'title = "late"\n', "inputs", "it belongs at the top, before the first [table]"),
        (QKV + "[attention]\nmask = { window = [1, 0], ofset = 1 }\n", "attention.mask", 'did you mean "offset"?'),
        (QKV + "[attention]\nalibi = { ofset = 1 }\n", "attention.alibi", 'did you mean "offset"?'),
        (QKV + "[attention]\nqk_norm = { knd = 'l2' }\n", "attention.qk_norm", 'did you mean "kind"?'),
        (QKV + "[attention]\nscale = '1/sqrt(dk)'\n", "attention.scale", 'did you mean "d_k"?'),
        (QKV + "[show]\nlevl = 1\n", "show", 'did you mean "level"?'),
        (QKV + '[show]\nstudy = "scalling"\n', "show.study", 'did you mean "scaling"?'),
        (QKV + '[notation]\npreset = "Bishop"\n', "notation.preset", 'did you mean "bishop"?'),
        (QKV + "[notation]\ntransposed = 1\n", "notation", 'did you mean "transpose"?'),
        (STACK + 'activation = "gleu"\n', "layer.layer1", 'did you mean "gelu"?'),
        (STACK + 'order = "prae"\n', "layer.layer1: order", 'did you mean "pre"?'),
    ],
)
def test_a_worksheet(text: str, place: str, meant: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_worksheet(text)
    assert str(raised.value).startswith(place) and str(raised.value).endswith(meant)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("drive hand-calculation", 'did you mean "derive"?'),
        ("derive hand-calculaton", 'did you mean "hand-calculation"?'),
        ("show Hand_Calculation", 'did you mean "hand-calculation"?'),
        ("derive hand-calculation --to markdwon", 'did you mean "markdown"?'),
        ("derive hand-calculation --stpe scores", 'did you mean "--step"?'),
        ("derive hand-calculation --step wieghts", 'did you mean "weights"?'),
        ("derive hand-calculation --notation flsh", 'did you mean "flash"?'),
        ("derive hand-calculation -o x.mdd", 'did you mean ".md"?'),
        ("gradient hand-calculation --wrt w_q", 'did you mean "W_Q"?'),
        ("prove key-bais", 'did you mean "key-bias"?'),
    ],
)
def test_the_command_line(line: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 2
    said = capsys.readouterr().err
    assert meant in said and said.count("\n") == 1


def test_what_is_near_nothing_gets_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", "hand-calculation", "--step", "zzzzzz"]) == 2
    said = capsys.readouterr().err
    assert "the steps are Q, K, V, scores" in said and "did you mean" not in said


def test_long_names_take_no_time() -> None:
    assert nearest("x" * 1_000_000, ["scores", "weights"]) is None


def test_of_many_names_the_first_and_the_last_are_listed() -> None:
    names = [f"layer{k}.output" for k in range(1, 161)]
    said = str(listed("layer12.outptu", names))
    assert said.startswith("layer1.output, layer2.output, ") and said.endswith(
        'layer160.output; did you mean "layer12.output"?'
    )
    assert len(said) < 400
