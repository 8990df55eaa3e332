"""The command line: what each command writes, exit codes, and one line for everything that cannot be used."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from symattn import __version__
from symattn.cli.main import run
from symattn.reading.worksheets import library
from tests.processor_time import takes_at_most
from tests.samples import SMALL, square

ROOT = Path(__file__).resolve().parents[2]
QKV = "[inputs]\nQ = [[1, 2]]\nK = [[3, 4], [5, 6]]\nV = [[1], [2]]\n"
NINES = "9" * 200_000


def entry(text: str) -> str:
    return QKV.replace("[[1, 2]]", f"[[{text}, 2]]")


def attention(line: str) -> str:
    return f"{QKV}[attention]\n{line}\n"


# what is wrong: (worksheet, what the line on stderr must say besides the file)
BAD = {
    "ragged": (QKV.replace("[5, 6]", "[5]"), ["inputs.K", "row 2 is 1 long", "first row is 2 long"]),
    "no rows": (QKV.replace("[[1], [2]]", "[]"), ["inputs.V", "[[1, 2], [3, 4]]"]),
    "an empty row": (QKV.replace("[[1], [2]]", "[[], []]"), ["inputs.V", "at least one number"]),
    "widths differ": (QKV.replace("[[1, 2]]", "[[1, 2, 3]]"), ["columns(Q) is 3", "columns(K) is 2"]),
    "heights differ": (QKV.replace("[[1], [2]]", "[[1]]"), ["rows(K) is 2", "rows(V) is 1"]),
    "a word": (entry('"abc"'), ["inputs.Q, row 1, column 1", '"abc"', '"1/3"']),
    "1/0": (entry('"1/0"'), ["inputs.Q, row 1, column 1", '"1/0"']),
    "nan": (entry("nan"), ["inputs.Q, row 1, column 1", "not an exact number"]),
    "inf": (entry("inf"), ["inputs.Q, row 1, column 1", "not an exact number"]),
    "-inf": (entry('"-inf"'), ["inputs.Q, row 1, column 1", "not an exact number"]),
    "a long text": (entry(f'"{NINES}"'), ["2:", "1000 digits"]),
    "a long integer": (entry(NINES), ["1000 digits"]),
    "a long float": (entry(f"1.{NINES}"), ["2:", "1000 digits"]),
    "a huge exponent": (entry("1e999999"), ["inputs.Q, row 1, column 1", "1000 digits"]),
    "a tower": (entry('"9^9^9^9"'), ["inputs.Q, row 1, column 1", "9^9^9^9"]),
    "a large power": (entry('"2**1000000"'), ["inputs.Q, row 1, column 1", "2**1000000"]),
    "code": (entry("\"__import__('os').getcwd()\""), ["inputs.Q, row 1, column 1", "not an exact number"]),
    "code in scale": (attention("scale = \"__import__('os')\""), ["attention.scale", "1/sqrt(d_k)"]),
    "an attribute in scale": (attention('scale = "d_k.__class__"'), ["attention.scale", "1/sqrt(d_k)"]),
    "a boolean": (entry("true"), ["inputs.Q, row 1, column 1", '"true"']),
    "a date": (entry("2020-01-01"), ["inputs.Q, row 1, column 1", "2020-01-01"]),
    "unknown key": ("titel = 3\n" + QKV, ['"titel"', '"title"']),
    "unknown input": (QKV + "W_X = [[1]]", ["inputs", '"W_X"', "W_"]),
    "unknown option": (attention("msak = 1"), ["attention", '"msak"', '"mask"']),
    "unknown show": (QKV + "[show]\nlevl = 1", ["show", '"levl"', '"level"']),
    "lists 3000 deep": ("[inputs]\nQ = " + "[" * 3000 + "]" * 3000, ["nested too deep"]),
    "tables 3000 deep": ("[inputs]\nQ = " + "{a=" * 3000 + "1" + "}" * 3000, ["nested too deep"]),
    "mask 400 deep": (attention("mask = " + "[" * 400 + "1" + "]" * 400), ["attention.mask", '"causal"']),
    "title is a number": ("title = 3\n" + QKV, ["title", "write one text"]),
    "tokens are a number": ("tokens = 5\n" + QKV, ["tokens", '["A", "B"]']),
    "a token is a number": ("tokens = ['a', 3]\n" + QKV, ["tokens", '["A", "B"]']),
    "inputs is a number": ("inputs = 1", ["inputs", "[inputs]"]),
    "attention is a list": ("attention = []\n" + QKV, ["attention", "[attention]"]),
    "an input is a table": ("[inputs]\nX = {}", ["inputs.X", "rows of numbers"]),
    "an input is a number": ("[inputs]\nX = 1", ["inputs.X", "[[1, 2], [3, 4]]"]),
    "an input is a date": ("[inputs]\nX = 2020-01-01", ["inputs.X", "[[1, 2], [3, 4]]"]),
    "mask is a number": (attention("mask = 7"), ["attention.mask", '"causal"']),
    "mask is misspelt": (attention('mask = "cuasal"'), ["attention.mask", '"causal"']),
    "mask holds 2": (attention("mask = [[1, 2]]"), ["attention.mask", "0 and 1"]),
    "mask too wide": (attention("mask = [[1, 1, 1]]"), ["attention.mask", "2", "columns(mask) is 3"]),
    "mask too high": (attention("mask = [[1, 1], [1, 1]]"), ["attention.mask", "1", "rows(mask) is 2"]),
    "one-sided window": (attention("mask = { window = [1] }"), ["attention.mask", "window = [2, 0]"]),
    "negative window": (attention("mask = { window = [-1, 0] }"), ["attention.mask.window", "must not be negative"]),
    "half an offset": (attention("mask = { causal = 0.5 }"), ["attention.mask.causal", "integer"]),
    "a row that sees nothing": (attention("mask = { causal = -1 }"), ["row 1", "no key"]),
    "a bias that hides all": (attention('bias = [["-inf", "-inf"]]'), ["row 1", "no key"]),
    "bias too narrow": (attention("bias = [[0]]"), ["rows(K) is 2", "columns(B) is 1"]),
    "bias is a number": (attention("bias = 3"), ["attention.bias", "[[1, 2], [3, 4]]"]),
    "heads is a word": (attention('heads = "two"'), ["attention.heads", "positive integer"]),
    "no heads": (attention("heads = 0"), ["attention.heads", "positive integer"]),
    "many heads": (attention("heads = 1000000000"), ["attention.heads", "at most 100000"]),
    "a part is a number": ("part = 5", ["part: part is a list of tables: write [[part]]"]),
    "a layer is a table": ("[layer]\nn = 1\n" + QKV, ["layer: layer is a list of tables: write [[layer]]"]),
    "a formula 3000 deep": (attention(f"score_mod = '{'(' * 3000}z{')' * 3000}'"), ["score_mod", "longer than 2000"]),
    "level": (QKV + '[show]\nlevel = "x"', ["show.level", "matrix, token"]),
    "a key twice": ("title = 'a'\ntitle = 'b'\n" + QKV, [":", "2:", "TOML"]),
    "a line cut short": ("title = \n" + QKV, ["1:9", "TOML"]),
    "scale 0": (attention("scale = 0"), ["attention.scale", "0 is not an exact scale"]),
    "negative softcap": (attention("softcap = -1"), ["attention.softcap", "positive"]),
    "empty rows": (attention('empty_row = "x"'), ["attention.empty_row", "error"]),
    "scores beside X": ("[inputs]\nscores = [[1]]\nX = [[1]]\n[attention]\nscale = 1", ["inputs.X", "scores"]),
    "scores and scaled": ("[inputs]\nscores = [[1]]\nscaled = [[1]]\n[attention]\nscale = 1", ["scaled", "scores"]),
    "scores without scale": ("[inputs]\nscores = [[1]]", ["attention.scale", '"1/8"']),
    "sizes beside numbers": (QKV.replace("[[1, 2]]", '"n x d_k"'), ["inputs.Q", "no value"]),
    "code in sizes": ("[inputs]\nQ = \"n x __import__('os')\"", ["inputs.Q", '"n x d_k"']),
    "nothing": ("", ["inputs", "Q, K, V"]),
    "Q alone": ("[inputs]\nQ = [[1]]", ["inputs", "K is missing"]),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_in_one_line(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, expected = BAD[what]
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(text, encoding="utf-8")
    with takes_at_most(3):
        assert run(["derive", str(sheet)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1 and said.err.startswith(f"symattn: {sheet}: ")
    for words in expected:
        assert words in said.err.partition("sheet.toml")[2]
    assert run(["evaluate", str(sheet), "--json"]) == 2
    assert capsys.readouterr().err == said.err


def test_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as file:
        file.truncate(30_000_000)
    for path, words in (
        (binary, "UTF-8"),
        (huge, "20 MB"),
        (tmp_path, "cannot be read"),
        (tmp_path / "none", "no such file"),
    ):
        assert run(["derive", str(path)]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and said.startswith(f"symattn: {path}: ") and words in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "COMMAND"),
        (["dervie"], "dervie"),
        (["derive"], "WORKSHEET"),
        (["derive", "hand-calculation", "--colour"], "--colour"),
        (["derive", "hand-calculation", "--to", "docx"], "latex"),
        (["derive", "hand-calculation", "--digits", "0"], "1 to 100000"),
        (["derive", "hand-calculation", "--digits", "x"], "1 to 100000"),
        (["derive", "hand-calculation", "--language", "de"], "zh"),
        (["derive", "hand-calculation", "--step", "wieghts"], "weights"),
        (["evaluate", "hand-calculation", "--step", "wieghts"], "weights"),
        (["evaluate", "scaled-dot-product"], "symbolic"),
        (["show", "nothing"], "`symattn list` lists them"),
        (["derive", "nothing"], "`symattn list` lists them"),
        (["derive", "hand-calculations"], 'did you mean "hand-calculation"?'),
        (["derive", "hand-calculation", "--to", "docx"], 'invalid choice "docx"; choose one of latex'),
        (["derive", "hand-calculation", "--digits", "3", "--decimals", "3"], "--decimals: not allowed with"),
        (["--language", "zh", "derive", "hand-calculation"], "options come after it: symattn derive"),
        (["--json", "derive", "hand-calculation"], "--json stands before the command"),
        (["exercise", "--tokens", "20"], '--tokens: "20" is not a whole number from 1 to 8'),
        (["prove", "weight"], "`symattn prove` lists them"),
        (["prove", "shift"], 'did you mean "shift-invariance"?'),
        (["prove", "--to", "json"], "--to json has an effect only with NAME"),
        (["prove", "--seed", "3"], "--seed has an effect only with NAME"),
        (["lower", "hand-calculation", "-o", "m.txt"], "symattn: m.txt: a NumPy module is written; name the file .py"),
        (["derive", "hand-calculation", "-o", "/nowhere/x.md"], "there is no folder /nowhere"),
    ],
)
def test_usage_is_refused_in_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and said.err.startswith("symattn: ") and words in said.err


def test_a_short_number_is_not_padded_to_the_longest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "causal-mask", "--digits", "5000", "--step", "weights"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) > 5000 > 1000 > min(len(line) for line in lines[1:])


PLAIN = "[inputs]\nscaled = [[1, 2]]\nV = [[1], [2]]\n"


def test_a_file_that_is_no_worksheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(PLAIN)
    Path("article.md").write_text("Then $2 + 3 = 5$.\n")
    Path("paper.pdf").write_bytes(b"%PDF-1.7\n\xff")
    for arguments, said in (
        (
            ["derive", "mine.tml"],
            'mine.tml: no such file, and no built-in derivation of that name; did you mean "mine.toml"?',
        ),
        (
            ["derive", "article.md"],
            "article.md: this is an article, not a worksheet; to check its numbers: symattn check article.md",
        ),
        (
            ["check", "paper.pdf"],
            "paper.pdf: PDF is not read; give its LaTeX, Markdown or HTML source, or its text by -",
        ),
        (
            ["saturation", "mine.toml", "--figure", "f.xyz"],
            "f.xyz: unknown kind of figure; use one of .svg, .pdf, .png, .pgf",
        ),
    ):
        assert run(arguments) == 2
        assert capsys.readouterr().err == f"symattn: {said}\n"


def test_a_patch_of_nothing_says_that_nothing_was_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, article = tmp_path / "sheet.toml", tmp_path / "article.md"
    sheet.write_text(PLAIN)
    article.write_text("No number.\n")
    assert run(["check", "--patch", str(sheet)]) == 0
    assert "there are no [claims] to check" in capsys.readouterr().err
    assert run(["check", "--patch", str(article)]) == 0
    assert "no number could be checked" in capsys.readouterr().err
    assert run(["check", "--patch", str(article), str(article)]) == 0
    assert capsys.readouterr().err == ""


def test_a_refusal_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(attention("mask = { causal = -1 }"))
    assert run(["derive", str(sheet), "--language", "zh"]) == 2
    assert "第 1 行" in capsys.readouterr().err


def test_version_and_list(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        run(["--version"])
    assert done.value.code == 0 and capsys.readouterr().out == f"symattn {__version__}\n"
    assert run(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == library.names()
    assert all(library.title(line.split()[0]) in line for line in lines)


@pytest.mark.parametrize("name", library.names())
def test_show_prints_the_worksheet(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", name]) == 0
    assert capsys.readouterr().out == Path(str(library.find(name))).read_text(encoding="utf-8")


def test_what_show_prints_derives_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "encoder-decoder"
    assert run(["show", name]) == 0
    sheet = tmp_path / "mine.toml"
    sheet.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(["derive", str(sheet)]) == 0
    mine = capsys.readouterr().out
    assert run(["derive", name]) == 0
    assert capsys.readouterr().out == mine


@pytest.mark.parametrize(
    ("suffix", "target"),
    [
        (".tex", "latex"),
        (".md", "markdown"),
        (".markdown", "markdown"),
        (".txt", "text"),
        (".json", "json"),
        (".ipynb", "notebook"),
        ("", "markdown"),
    ],
)
def test_the_suffix_chooses_the_form(
    suffix: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / f"page{suffix}"
    assert run(["derive", "hand-calculation", "-o", str(page)]) == 0
    assert capsys.readouterr().out == ""
    assert run(["derive", "hand-calculation", "--to", target]) == 0
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")


def test_to_wins_over_the_suffix_and_markdown_is_the_default(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.tex"
    assert run(["derive", "hand-calculation", "--to", "text", "-o", str(page)]) == 0
    assert "\\" not in page.read_text(encoding="utf-8")
    assert run(["derive", "hand-calculation"]) == 0
    assert capsys.readouterr().out.startswith("# ")


@pytest.mark.parametrize(
    ("target", "mark"), [("latex", "\\documentclass"), ("markdown", "# Self"), ("text", "Self-attention of")]
)
def test_a_fragment_and_a_step_have_no_title(target: str, mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", "hand-calculation", "--to", target]) == 0
    assert capsys.readouterr().out.startswith(mark)
    assert run(["derive", "hand-calculation", "--to", target, "--fragment"]) == 0
    fragment = capsys.readouterr().out
    assert mark not in fragment and "289.91" in fragment
    assert run(["derive", "hand-calculation", "--to", target, "--step", "scores"]) == 0
    step = capsys.readouterr().out
    assert "410" in step and "289.91" not in step and mark not in step


def test_elision_and_detail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.toml"
    wide = [[1000 + 20 * i + j for j in range(20)] for i in range(20)]
    sheet.write_text(f"[inputs]\nscaled = {json.dumps(wide)}\n")
    assert run(["derive", str(sheet)]) == 0
    short = capsys.readouterr().out
    assert "cdots" in short and "vdots" in short and "1210" not in short and "1000" in short and "1399" in short
    assert run(["derive", str(sheet), "--no-elide"]) == 0
    full = capsys.readouterr().out.partition("## 2")[0]
    assert "dots" not in full and all(str(x) in full for row in wide for x in row)
    assert run(["derive", "hand-calculation", "--detail", "full"]) == 0
    assert "Row sums" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("detail", ["brief", "full"])
@pytest.mark.parametrize("name", library.names())
def test_no_english_is_left_in_a_chinese_page(name: str, detail: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["derive", name, "--language", "zh", "--detail", detail]) == 0
    page = capsys.readouterr().out.partition("\n")[2]  # the title is the author's
    prose = re.sub(r"<a id=.*?></a>|```.*?```|\$\$.*?\$\$|\$[^$\n]+\$", "", page, flags=re.DOTALL)
    left = set(re.findall(r"[A-Za-z]{4,}", prose)) - {
        "softmax",
        "logit",
        "logits",
        "RoPE",
        "Thinking",
        "Machines",
        "float",
        "bfloat",
    }
    assert left == set()
    assert "得分" in prose


def run_true(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "symattn", *arguments], cwd=cwd, env=environment, capture_output=True, check=False
    )


@pytest.mark.slow
def test_true_processes(tmp_path: Path) -> None:
    (tmp_path / "sheet.toml").write_text(SMALL)
    done = run_true("derive", "sheet.toml", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith(b"# ") and done.stderr == b""
    done = run_true("evaluate", "none.toml", cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and b"Traceback" not in done.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "sheet.toml").write_text(f"[inputs]\nscaled = {json.dumps(square(60))}\n")
    command = [sys.executable, "-m", "symattn", "derive", "sheet.toml", "--no-elide"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 0 and said == b""


def test_more_keys_than_tokens(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.toml"
    sheet.write_text("tokens = ['a']\n" + QKV)
    assert run(["derive", str(sheet)]) == 0


def test_numbers_that_grow_too_large_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(attention('scale = "exp(exp(exp(exp(d_k))))"'))
    run(["derive", str(sheet)])
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.startswith(f"symattn: {sheet}: ")


GRADIENT = "[inputs]\nQ = [[0]]\nK = [[1], [1]]\nV = [[2], [4]]\n"


def test_gradient_writes_the_backward_pass(tmp_path, capsys):
    """Equal keys share the weight: dV is G/2 for each, and with q = 0 nothing comes back to the keys."""
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(GRADIENT + "G = [[6]]\n", encoding="utf-8")
    assert run(["gradient", str(sheet), "--wrt", "V,K", "--to", "json"]) == 0
    steps = {s["name"]: s for s in json.loads(capsys.readouterr().out)["steps"]}
    assert steps["dV"]["value"] == [["3"], ["3"]] and steps["dV"]["shape"] == [2, 1]
    assert steps["dK"]["decimal"] == [["0"], ["0"]] and "dQ" not in steps
    sheet.write_text(GRADIENT + "G = [[6]]\n[gradient]\nwrt = ['Q']\n", encoding="utf-8")
    assert run(["evaluate", str(sheet), "--step", "dQ"]) == 0
    assert capsys.readouterr().out == "dQ\n  0\n"


def test_gradient_without_an_upstream_one_is_in_symbols(tmp_path, capsys):
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(GRADIENT, encoding="utf-8")
    assert run(["gradient", str(sheet), "--wrt", "Q,V", "--to", "text"]) == 0
    page = capsys.readouterr().out
    assert "dQ = dS' K/√d_k" in page and "dV = Aᵀ dO" in page and "G: n × d_v" in page
    sheet.write_text(GRADIENT + "[gradient]\nwrt = ['Q']\n", encoding="utf-8")
    assert run(["evaluate", str(sheet)]) == 2
    assert "inputs.G: the gradient with respect to the result has no value" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        (GRADIENT + "G = [[6, 1]]\n", [], "columns(G) is 2"),
        (GRADIENT + "G = [[x]]\n", [], "sheet.toml: 5:"),
        (GRADIENT + "G = [['x']]\n", [], "inputs.G, row 1, column 1"),
        (
            GRADIENT + "G = [[6]]\n",
            ["--wrt", "M"],
            'wrt: "M" does not appear; differentiate with respect to some of Q, K, V',
        ),
        (GRADIENT + "G = [[6]]\n[gradient]\nwrt = 'Q'\n", [], "gradient.wrt"),
        (GRADIENT + "G = [[6]]\n[gradient]\nby = ['Q']\n", [], 'unknown key "by"'),
    ],
)
def test_gradients_that_cannot_be_taken(text, arguments, said, tmp_path, capsys):
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(text, encoding="utf-8")
    assert run(["gradient", str(sheet), *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "english", "chinese"),
    [
        ("grade none.toml a.json", "No such file", "没有这个文件"),
        ("gradient .", "it is a folder", "这是文件夹"),
        (f"grade {'x' * 300}.toml a.json", "File name too long", "名称太长"),
    ],
)
def test_what_the_system_refuses_is_told_in_both_languages(
    command: str, english: str, chinese: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2 and f"cannot be read: {english}" in capsys.readouterr().err
    assert run([*command.split(), "--language", "zh"]) == 2 and f"无法读取：{chinese}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sheet", "english", "chinese"),
    [
        (
            '[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1], ["1/0"]]\n',
            "inputs.V, row 2, column 1: ",
            "inputs.V, 第 2 行第 1 列: ",
        ),
        (
            '[inputs]\nQ = [[1]]\nK = [[1]]\nV = [[1]]\n[claims]\nscores = [["x"]]\n',
            "claims.scores, row 1, column 1: ",
            "claims.scores, 第 1 行第 1 列: ",
        ),
    ],
)
def test_places_speak_the_language(
    sheet: str, english: str, chinese: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "w.toml"
    path.write_text(sheet, encoding="utf-8")
    for language, place in (("en", english), ("zh", chinese)):
        assert run(["check", str(path), "--language", language]) == 2
        assert capsys.readouterr().err.startswith(f"symattn: {path}: {place}")
