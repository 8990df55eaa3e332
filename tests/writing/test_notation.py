"""Other notations write the same steps and the same numbers: formulas as the sources print them, values from NumPy."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sympy import MatrixSymbol

from symattn import Attention, derive
from symattn.api.derivation import Derivation
from symattn.cli.main import run
from symattn.errors import InputError
from symattn.reading.worksheets import library
from symattn.writing.choices import NOTATIONS
from symattn.writing.notation import PRESETS, Notation, read_notation
from symattn.writing.writers.latex_style import LatexStyle
from tests.samples import SHEETS, derived, sample

COLUMNS = ("phuong-hutter", "prince")
SYMBOLIC = (
    '[inputs]\nX = "n x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\nW_V = "d_model x d_v"\n'
    'W_O = "d_v x d_model"\nb_Q = "1 x d_k"\n'
)
HEADS = SYMBOLIC + "[attention]\nheads = 2\n"
# what the sources print: Vaswani et al. 2017 section 3.2; Phuong and Hutter 2022 algorithms 4 and 5; Bishop and Bishop
# 2024 section 12.1; Jurafsky and Martin, 3rd edition, chapter 9; Prince 2023 section 12.2; Dao et al. 2022 section 2.2
PRINTED = {
    "vaswani": (r"Q K^{\top}", r"\sqrt{d_k}", r"\mathrm{softmax}\left(S'\right)", "A V", "X W^{Q}"),
    "phuong-hutter": (r"W_q X + b_q \mathbf{1}^{\top}", r"K^{\top} Q", r"\sqrt{d_{\mathrm{attn}}}", "V A", "W_o Y"),
    "bishop": ("X W^{(q)}", r"Q K^{\top}", r"\sqrt{D_k}", r"\mathrm{Softmax}\left[S'\right]", "C W^{(o)}"),
    "jurafsky-martin": ("X W^{Q}", r"\mathrm{softmax}\left(S'\right)", r"\alpha V", r"\mathrm{head}"),
    "prince": (r"\beta_q \mathbf{1}^{\top} + \Omega_q X", r"K^{\top} Q", r"\sqrt{D_q}", r"\mathrm{Softmax}\left[S'"),
    "flash": (r"Q K^{\top}", "P V", r"P = \mathrm{softmax}"),
}  # fmt: skip
OF_HEADS = {
    "vaswani": (r"X W_{i}^{Q}", r"\mathrm{Concat}\left(\mathrm{head}_{1}, \mathrm{head}_{2}\right)"),
    "phuong-hutter": (r"W_q^{(i)} X", r"\left[Y^{(1)}; Y^{(2)}\right]"),
    "bishop": ("X W_{h}^{(q)}", r"\mathrm{Concat}\left[H_{1}, H_{2}\right]"),
    "jurafsky-martin": (r"\mathrm{head}_{1} \oplus \mathrm{head}_{2}",),
    "prince": (r"\Omega_{q,h} X", r"\left[\mathrm{Sa}_{1}; \mathrm{Sa}_{2}\right]"),
    "flash": (r"X W_{i}^{Q}",),
}


def formulas(text: str, notation: object) -> str:
    page = derived(text).to_markdown(notation=notation)
    return " ".join(page.replace("&=", "=").split())


def test_the_command_line_knows_the_presets() -> None:
    assert tuple(PRESETS) == NOTATIONS == tuple(PRINTED) == tuple(OF_HEADS)


@pytest.mark.parametrize("name", PRESETS)
def test_formulas_are_those_of_the_source(name: str) -> None:
    page, heads = formulas(SYMBOLIC, name), formulas(HEADS, name)
    assert [f for f in PRINTED[name] if f not in page] == []
    assert [f for f in OF_HEADS[name] if f not in heads] == []


def test_entries_of_the_sources() -> None:
    assert r"a_{nm} = \frac{e^{S'_{nm}}}{\sum_{k} e^{S'_{nk}}}" in formulas(SYMBOLIC, "bishop")
    page = formulas(SYMBOLIC, "jurafsky-martin")
    score = r"\mathrm{score}\left(x_{i}, x_{j}\right)"
    assert rf"\alpha_{{ij}} = \mathrm{{softmax}}\left({score}\right) = \frac{{e^{{{score}}}}}" in page
    assert r"\mathrm{head}_{i} = \sum_{j} \alpha_{ij} v_{j}" in page
    assert r"\left(a_{h}\right)_{nm} = " in formulas(HEADS, "bishop")
    assert r"q_{i} = \beta_q + \Omega_q x_{i}" in formulas(SYMBOLIC, "prince")


def test_softmax_down_the_columns_is_called_so() -> None:
    for name in PRESETS:
        page = derived(SYMBOLIC).to_markdown(notation=name)
        assert ("Softmax is applied to each column" in page) == (name in COLUMNS)
        assert ("there is one row for" in page) == (name not in COLUMNS)


def expected() -> dict[str, np.ndarray]:
    """The hand calculation by NumPy."""
    X = np.arange(12).reshape(3, 4)
    W = {"Q": [[1, 0], [1, 0], [0, 1], [0, 1]], "K": [[0, 1], [0, 1], [1, 0], [1, 0]]}
    W["V"] = [[1, 0], [0, 1], [1, 0], [0, 1]]
    made = {name: X @ np.array(w) for name, w in W.items()}
    made["scores"] = made["Q"] @ made["K"].T
    z = made["scores"] / np.sqrt(2)
    E = np.exp(z - z.max(axis=1, keepdims=True))
    made["scaled"], made["weights"] = z, E / E.sum(axis=1, keepdims=True)
    made["output"] = made["weights"] @ made["V"]
    return made


def cell(text: str) -> float:
    """A cell of a printed matrix: 12, 7.07, 1.82 \\times 10^{-15}, 1 - 1.82 \\times 10^{-15}."""
    text = re.sub(r" \\times 10\^\{(-?\d+)\}", r"e\1", text.strip())
    return sum(float(part) for part in re.sub(r"(?<=\d) - ", " -", text).split())


def printed(latex: str) -> np.ndarray:
    """The last matrix of numbers in a formula."""
    inside = re.findall(r"\\begin{bmatrix} (.*?) \\end{bmatrix}", latex)[-1]
    return np.array([[cell(c) for c in row.split(" & ")] for row in inside.split(r" \\ ")])


@pytest.mark.parametrize("name", PRESETS)
def test_the_numbers_are_the_same_in_every_preset(name: str) -> None:
    path = library.find("hand-calculation")
    assert path is not None
    derivation = derived(path.read_text(encoding="utf-8"))
    for step in derivation.to_json(notation=name)["steps"]:
        shown = printed(step["latex"])
        wanted = expected()[step["name"]]
        assert np.allclose(shown.T if name in COLUMNS else shown, wanted, rtol=5e-3, atol=1e-12)
        assert step["shape"] == list(wanted.shape)
    page = derivation.to_markdown(notation=name)
    between = r" \end{bmatrix} \begin{bmatrix} "
    product = between + r"5 & 13 & 21 \\ 1 & 9 & 17 "  # Q, then K transposed
    turned = between + r"1 & 9 & 17 \\ 5 & 13 & 21 "  # where tokens are columns: K transposed, then Q
    assert (turned if name in COLUMNS else product) in page
    # q_2 = (9, 13), k_3 = (21, 17)
    rows, columns = r"q_{2} \cdot k_{3} = 9 \cdot 21 + 13", r"k_{3} \cdot q_{2} = 21 \cdot 9 + 17 \cdot 13 = 410"
    assert (columns if name in COLUMNS else rows) in page


def test_json_is_in_the_default_notation_unless_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "w.toml"
    sheet.write_text(SHEETS["causal"] + '[notation]\npreset = "prince"\n')
    shown = []
    for more in ([], ["--notation", "prince"]):
        assert run(["derive", str(sheet), "--to", "json", *more]) == 0
        shown.append({s["name"]: s["definition"] for s in json.loads(capsys.readouterr().out)["steps"]})
    assert (shown[0]["scores"], shown[1]["scores"]) == (r"Q K^{\top}", r"K^{\top} Q")
    assert run(["derive", str(sheet), "--to", "markdown"]) == 0
    assert r"K^{\top} Q" in capsys.readouterr().out


def test_a_large_matrix_of_columns_is_elided_as_it_stands() -> None:
    rows = [[10 * i + j for j in range(3)] for i in range(40)]
    page = derived(f"[inputs]\nQ = {rows}\nK = {rows[:2]}\nV = {rows[:2]}\n").to_markdown(notation="prince")
    first = page.partition("$$")[2].partition(r"\end{bmatrix}")[0]
    # three rows of features; the first tokens and the last
    assert first.count(r"\\") == 2 and r"\cdots & 390 \\" in first and r"\vdots" not in first


def test_a_notation_of_the_users_own() -> None:
    own = {"symbols": {"X": "H", "scores": "L", "d_k": "p", "W_Q": "A_q"}, "transpose": "T", "first_index": 0}
    page = formulas(SYMBOLIC, own)
    assert "Q = H A_q" in page and r"L = Q K^{T}" in page and r"\frac{L}{\sqrt{p}}" in page
    assert r"\mathbb{R}^{n \times d_{\mathrm{model}}}" in page
    sheet = SHEETS["tokens"] + '[notation]\npreset = "bishop"\nfirst_index = 0\nsymbols = { Q = "U" }\n'
    told = derived(sheet).to_markdown()
    # q_2 = (3, -1), k_3 = (-1, 2)
    assert r"S_{12} = u_{1} \cdot k_{2} = 3 \cdot (-1) + (-1) \cdot 2 = -5" in told
    assert "Qᵀ" not in derived(sheet).to_text() and "U Kᵀ" in derived(sheet).to_text()


def test_a_preset_gives_way_to_names_of_the_users() -> None:
    page = formulas(SYMBOLIC, {"preset": "bishop", "symbols": {"X": "H"}})  # where the output would be H
    assert "Q = H W^{(q)}" in page and "O = A V" in page and "C W^{(o)}" in page


def test_other_projections_are_written_as_the_usual_ones() -> None:
    X, W, B = MatrixSymbol("X", 2, 3), MatrixSymbol("W_E", 3, 3), MatrixSymbol("Omega_r", 3, 3)
    derivation = derive(Attention(X * W, X * B, X), notation={"symbols": {X: "H"}})
    assert r"H W^{E}" in derivation["Q"].to_latex() and r"H \Omega_r" in derivation["K"].to_latex()
    assert "W_{E}" in derive(Attention(X * W, X, X), notation="phuong-hutter")["Q"].to_latex()


def test_tokens_as_columns_alone() -> None:
    page = formulas(SYMBOLIC, {"tokens": "columns"})
    assert r"Q = W^{Q} X + b_{Q} \mathbf{1}^{\top}" in page and r"S = K^{\top} Q" in page


def test_sums_count_from_the_first_index() -> None:
    text = SYMBOLIC + '[show]\nlevel = "index"\n'
    assert r"S_{ij} = \sum_{k=1}^{d_k} Q_{ik} K_{jk}" in formulas(text, {})
    assert r"S_{ij} = \sum_{k=0}^{d_k - 1} Q_{ik} K_{jk}" in formulas(text, {"first_index": 0})
    assert r"S_{ji} = \sum_{k=1}^{D_q} K_{kj} Q_{ki}" in formulas(text, "prince")


def test_numbered_rows_count_from_the_first_index() -> None:
    for first, wanted in ((1, {"1", "2", "3"}), (0, {"0", "1", "2"})):
        page = sample("causal", "full").to_markdown(notation={"first_index": first})
        rows = set(re.findall(r"Row (\d)[,:]", page))
        assert rows and rows <= wanted and str(first) in rows | {min(wanted)}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_wide_names_break_no_line_of_plain_text(language: str) -> None:
    for name in PRESETS:
        for line in derived(HEADS).to_text(language=language, notation=name).splitlines():
            assert len(line) <= 92, line


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("latex", "choose one of vaswani, phuong-hutter, bishop, jurafsky-martin, prince, flash"),
        ({"preset": 3}, "choose one of vaswani"),
        ({"transpose": "t"}, "top, T"),
        ({"first_index": 2}, "1, 0"),
        ({"first_index": True}, "1, 0"),
        ({"tokens": "row"}, "rows, columns"),
        ({"symbol": {}}, 'did you mean "symbols"?'),
        ({"zzz": {}}, "known here: preset, symbols"),
        ({"symbols": "X"}, "table"),
        ({"symbols": {"X": "$x$"}}, "cannot be typeset as a name"),
        ({"symbols": {"X": "\\input{a}"}}, "cannot be typeset as a name"),
        ({"symbols": {"X": "x" * 50}}, "cannot be typeset as a name"),
        ({"symbols": {"X": 1}}, "cannot be typeset as a name"),
        ({"symbols": {"Xx": "H"}}, 'did you mean "X"?'),
        ({"symbols": {"Q": "K"}}, "Q and K would both be written K"),
        ({"symbols": {"n": "i"}}, "would both be written i"),
        (None, "choose one of"),
    ],
)
def test_what_is_no_notation_is_refused(given: object, said: str) -> None:
    with pytest.raises(InputError) as refused:
        derived(SYMBOLIC).to("text", notation=given) if given is not None else read_notation(given)
    assert said in str(refused.value)


def test_an_unknown_preset_is_a_line_and_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", "hand-calculation", "--notation", "bourbaki"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and all(name in error for name in PRESETS)
    sheet = tmp_path / "w.toml"
    sheet.write_text(SHEETS["causal"] + '[notation]\npreset = "bourbaki"\n')
    assert run(["derive", str(sheet)]) == 2
    error = capsys.readouterr().err
    assert f"{sheet}: notation.preset: " in error and "flash" in error


def test_derivations_keep_their_own_notation() -> None:
    own = derived(SHEETS["causal"] + '[notation]\npreset = "flash"\n')
    assert isinstance(own, Derivation) and isinstance(own.page.notation, Notation)
    assert own["weights"].to_latex().startswith("P")
    assert own["scores"].entry(2, 1) == derived(SHEETS["causal"])["scores"].entry(2, 1)
    assert "P" in own._repr_latex_() and r"\alpha" in own.to_latex(notation="jurafsky-martin")


def test_what_has_a_prime_is_in_brackets_under_an_exponent() -> None:
    """A prime is an exponent to TeX, and E'_{2k}^{2} has two."""
    style = LatexStyle()
    assert style.power("E'_{2k}", "2") == r"\left(E'_{2k}\right)^{2}" and style.power("x", "2") == "x^{2}"
