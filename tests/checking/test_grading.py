"""Filled sheets are graded: the first mistake, its name, what only follows, what is empty; files of no use."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from symattn.api.exercise import grade, make_exercise
from symattn.cli.main import run
from symattn.reading.answers import read_answers

pytestmark = pytest.mark.slow

# S = Q without its last column; √d_k = 2
KEY = """
[inputs]
Q = [[2, 4, 6, 0], [4, 0, 2, 0], [6, 2, 4, 0]]
K = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
V = [[1], [2], [4]]
"""
RIGHT: dict[str, Any] = {
    "scores": [["2", "4", "6"], ["4", "0", "2"], ["6", "2", "4"]],
    "scaled": [["1", "2", "3"], ["2", "0", "1"], ["3", "1", "2"]],
    # e^k / (1 + e + e^2), k = 0, 1, 2
    "weights": [["0.090", "0.245", "0.665"], ["0.665", "0.090", "0.245"], ["0.665", "0.090", "0.245"]],
    "output": [["3.240"], ["1.824"], ["1.824"]],
}
BY_D_K: dict[str, Any] = {  # divided by 4, and e^(k/2) / (1 + e^0.5 + e)
    "scores": RIGHT["scores"],
    "scaled": [["0.5", "1", "1.5"], ["1", "0", "0.5"], ["1.5", "0.5", "1"]],
    "weights": [["0.186", "0.307", "0.506"], ["0.506", "0.186", "0.307"], ["0.506", "0.186", "0.307"]],
    "output": [["2.827"], ["2.108"], ["2.108"]],
}


def graded(tmp_path: Path, capsys: pytest.CaptureFixture[str], *answers: Any, code: int = 0) -> list[dict[str, Any]]:
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    paths = []
    for k, given in enumerate(answers):
        path = tmp_path / f"pupil{k}.json"
        path.write_text(json.dumps({"answers": given}), encoding="utf-8")
        paths.append(str(path))
    assert run(["grade", str(tmp_path / "key.toml"), *paths, "--to", "json"]) == code
    grades: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["grades"]
    return grades


def test_right_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (grade,) = graded(tmp_path, capsys, RIGHT)
    assert (grade["right"], grade["all"], grade["first"]) == (30, 30, None)


def test_a_mistake_with_a_name_is_counted_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (grade,) = graded(tmp_path, capsys, BY_D_K)
    assert grade["first"] == {"step": "scaled", "row": 1, "column": 1, "reading": "scores divided by d_k = 4"}
    assert (grade["wrong"], grade["follows"]) == (8, 12)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"output": [["3.240"], ["1.824"], ["-1.824"]]}, "output, entry (3,1)"),
        (
            {"scaled": BY_D_K["scaled"]},
            "In scaled, another reading fits 8 of the numbers: scores divided by d\\_k = 4.",
        ),
    ],
)
def test_one_mistake_is_told_once(
    given: dict[str, Any], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps({"answers": {**RIGHT, **given}}), encoding="utf-8")
    assert run(["grade", str(tmp_path / "key.toml"), str(tmp_path / "a.json"), "--to", "markdown"]) == 0
    told = capsys.readouterr().out
    assert said in told and "Also wrong" not in told


def test_a_second_mistake_is_told_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    given = BY_D_K | {"output": [["2.827"], ["7.108"], ["2.108"]]}
    (tmp_path / "a.json").write_text(json.dumps({"answers": given}), encoding="utf-8")
    assert run(["grade", str(tmp_path / "key.toml"), str(tmp_path / "a.json"), "--to", "markdown"]) == 0
    assert "Also wrong, not because of an earlier mistake: output (1)." in capsys.readouterr().out


def test_fractions_are_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    halves = [["1/1", "4/2", "3"], ["2", "0", "2/2"], ["6/2", "1", "-5/3"]]
    (grade,) = graded(tmp_path, capsys, RIGHT | {"scaled": halves})
    assert grade["first"] == {"step": "scaled", "row": 3, "column": 3, "reading": None} and grade["wrong"] == 1


def test_outputs_of_rounded_weights_are_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = [["0.09", "0.24", "0.67"], ["0.67", "0.09", "0.24"], ["0.67", "0.09", "0.24"]]
    rounded = RIGHT | {"weights": weights, "output": [["3.25"], ["1.81"], ["1.81"]]}  # 0.09 + 0.48 + 2.68, ...
    (grade,) = graded(tmp_path, capsys, rounded)
    assert grade["right"] == 30


def test_what_follows_from_more_digits_than_were_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0.1900 for 0.0900, then 0.2447 and 0.6652 as the calculator has them: times 1, 2, 4 this is 3.340."""
    (grade,) = graded(
        tmp_path,
        capsys,
        RIGHT
        | {"weights": [["0.19", "0.24", "0.67"], *RIGHT["weights"][1:]], "output": [["3.340"], *RIGHT["output"][1:]]},
    )
    assert (grade["wrong"], grade["follows"], grade["first"]["step"]) == (1, 1, "weights")
    (grade,) = graded(tmp_path, capsys, RIGHT | {"output": [["3.340"], *RIGHT["output"][1:]]})
    assert (grade["wrong"], grade["follows"]) == (1, 0)


def test_empty_boxes_are_counted_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = {"scores": [["2", "", ""], ["", "0", ""], ["", "", ""]], "output": [["3.240"], ["1.9999"], [""]]}
    (grade,) = graded(tmp_path, capsys, left)
    assert (grade["right"], grade["wrong"], grade["empty"]) == (3, 1, 26)
    assert grade["first"]["step"] == "output"


@pytest.mark.parametrize("text", ["two", "2 + 2", "e^0/(1+e+e^2)", "=1+1", "√2", "1e1000000000"])
def test_what_is_no_number_is_for_the_teacher(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = RIGHT | {"weights": [[text, *RIGHT["weights"][0][1:]], *RIGHT["weights"][1:]]}
    (grade,) = graded(tmp_path, capsys, given)
    assert (grade["right"], grade["wrong"], grade["unreadable"], grade["first"]) == (29, 0, 1, None)
    paths = [str(tmp_path / name) for name in ("key.toml", "pupil0.json")]
    assert run(["grade", *paths, "--to", "text"]) == 0
    assert f"No numbers, for you to decide: weights (1,1): {text}." in capsys.readouterr().out
    assert run(["grade", *paths, "--to", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "pupil0,29,0,0,0,–,–,1"


@pytest.mark.parametrize("text", ["0.090 ✓", "✔️ 0.090", "$0.090$ ✅", "✗ 0.090"])
def test_ticks_are_no_part_of_a_number(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = RIGHT | {"weights": [[text, *RIGHT["weights"][0][1:]], *RIGHT["weights"][1:]]}
    assert graded(tmp_path, capsys, given)[0]["right"] == 30


@pytest.mark.parametrize("text", ["0", "1", "9" * 50])
def test_what_is_too_coarse_is_wrong(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (grade,) = graded(tmp_path, capsys, RIGHT | {"weights": [[text, *RIGHT["weights"][0][1:]], *RIGHT["weights"][1:]]})
    assert grade["first"]["step"] == "weights" and grade["wrong"] == 1


def test_one_bad_file_spoils_no_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    for k, given in enumerate((RIGHT, {"wieghts": [["1"]]}, {"scores": [["1"]]})):
        (tmp_path / f"p{k}.json").write_text(json.dumps({"answers": given}), encoding="utf-8")
    paths = [str(tmp_path / f"p{k}.json") for k in range(3)]
    assert run(["grade", str(tmp_path / "key.toml"), *paths]) == 2
    said = capsys.readouterr()
    assert "30 of 30 right" in said.out and said.err.count("\n") == 2
    assert 'did you mean "weights"?' in said.err and "scores has 1×1 answers, its matrix 3×3" in said.err


def test_a_class_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps({"name": "=SUM(A1)", "answers": BY_D_K}), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps({"name": "Bea, B.", "answers": RIGHT}), encoding="utf-8")
    paths = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert run(["grade", str(tmp_path / "key.toml"), *paths, "--to", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[1:] == [
        ["'=SUM(A1)", "10", "8", "12", "0", "scaled", "scores divided by d_k = 4", "0"],
        ["Bea, B.", "30", "0", "0", "0", "–", "–", "0"],
    ]
    assert run(["grade", str(tmp_path / "key.toml"), *paths, "--to", "markdown", "--language", "zh"]) == 0
    told = capsys.readouterr().out
    assert (
        "第一个错误在缩放后的得分的 (1,1)" in told
        and "注意力权重（9 个）、输出（3 个）" in told
        and "scaled" not in told
    )
    out = tmp_path / "grades.csv"
    assert run(["grade", str(tmp_path / "key.toml"), *paths, "-o", str(out)]) == 0
    assert list(csv.reader(io.StringIO(out.read_text()))) == rows


def test_a_filled_markdown_sheet(tmp_path: Path) -> None:
    sheet = '# t\n\nName: Ann \\_\\_\n\n<a id="eq-scaled"></a>\n\n$$\nS\n$$\n\n| $S$ | 1 | 2 |\n|---:|---:|---:|\n'
    path = tmp_path / "ann.md"
    path.write_text(sheet + "| 1 | $-\\frac{1}{2}$ | −3,5 |\n| 2 |  | $-\\infty$ |\n\ntext | 9 |\n", encoding="utf-8")
    found = read_answers(path)
    assert found.name == "Ann" and found.steps == {"scaled": (("-1/2", "-3.5"), ("", "-inf"))}


def test_a_filled_notebook(tmp_path: Path) -> None:
    path = tmp_path / "ann.ipynb"
    path.write_text(make_exercise(7).to_notebook(key=True), encoding="utf-8")
    (tmp_path / "ann.md").write_text(make_exercise(7).to_markdown(key=True), encoding="utf-8")
    found = read_answers(path)
    assert found == read_answers(tmp_path / "ann.md") and {"scores", "output"} <= set(found.steps)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.ipynb", "{", "not a notebook"),
        ("a.ipynb", '{"cells": 5}', "not a notebook"),
        ("a.ipynb", '{"cells": [{"source": [5]}]}', "not a notebook"),
        ("a.docx", "x", "answers are a worksheet"),
        ("a.md", "# nothing\n", "it contains no answers"),
        ("a.json", "{", "not answers saved by the page of an exercise"),
        ("a.json", "[1]", "not answers saved by the page of an exercise"),
        ("a.json", '{"answers": {"scores": 5}}', "a matrix is a list of rows"),
        ("a.json", "[" * 100_000, "not answers saved by the page of an exercise"),
        ("a.toml", "claims = 5", "it contains no answers"),
        ("a.toml", "=", "not valid TOML"),
        ("missing.toml", None, "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    name: str, text: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "key.toml").write_text(KEY, encoding="utf-8")
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(["grade", str(tmp_path / "key.toml"), str(tmp_path / name)]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_a_key_needs_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.toml").write_text('[inputs]\nQ = "n x d"\nK = "m x d"\nV = "m x d"\n', encoding="utf-8")
    assert run(["grade", str(tmp_path / "key.toml"), "a.json"]) == 2
    assert "the key has no numbers" in capsys.readouterr().err


def test_what_follows_is_no_rounding_of_what_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One slip, 4 for 3, and 4/2 = 2 after it, where 1.5 is right: the 2 follows."""
    key = "[inputs]\nQ = [[1, 0, 0, 0], [0, 1, 0, 0]]\nK = [[3, 1, 0, 0], [1, 1, 0, 0]]\nV = [[1], [0]]\n"
    (tmp_path / "key.toml").write_text(key, encoding="utf-8")
    given = {"scores": [["4", "1"], ["1", "1"]], "scaled": [["2", "0.5"], ["0.5", "0.5"]]}
    (tmp_path / "a.json").write_text(json.dumps({"answers": given}), encoding="utf-8")
    assert run(["grade", str(tmp_path / "key.toml"), str(tmp_path / "a.json"), "--to", "json"]) == 0
    (grade,) = json.loads(capsys.readouterr().out)["grades"]
    assert (grade["wrong"], grade["follows"]) == (1, 1)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Name:", "ann"),
        ("Name: \\_\\_\\_", "ann"),
        ("Name: \t ", "ann"),
        ("Name: **Ann  Lee**", "Ann Lee"),
        ("**Name:** Ann Lee", "Ann Lee"),
        ("__姓名__： `王小明`", "王小明"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_sheet_without_a_name_has_that_of_its_file(line: str, name: str, end: str, tmp_path: Path) -> None:
    sheet = line + '\n\nDifficulty 2 of 3\n\n<a id="eq-scaled"></a>\n\n| $S$ | 1 |\n|---:|---:|\n| 1 | 2 |\n'
    (tmp_path / "ann.md").write_bytes(sheet.replace("\n", end).encode())
    assert read_answers(tmp_path / "ann.md").name == name


@pytest.mark.parametrize("suffix", [".toml", ".md", ".json"])
def test_answers_to_another_sheet_are_refused_in_one_line(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in ("7", "8"):
        name = str(tmp_path / f"sheet{seed}")
        run(["exercise", "--seed", seed, "--key", "-o", f"{name}.toml"])
        run(["exercise", "--seed", seed, "--key", "-o", f"{name}.md"])
        page = make_exercise(int(seed)).to_html()
        number = re.search(r'"sheet": "(\w+)"', page)
        assert number is not None
        (tmp_path / f"sheet{seed}.json").write_text(
            json.dumps({"sheet": number[1], "answers": {"scores": [["1"] * 3] * 3}})
        )
    capsys.readouterr()
    key = str(tmp_path / "sheet7.toml")
    assert run(["grade", key, str(tmp_path / f"sheet7{suffix}")]) == 0
    assert capsys.readouterr().err == ""
    assert run(["grade", key, str(tmp_path / f"sheet8{suffix}")]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1 and "another sheet" in told.err


def test_a_key_is_a_worksheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key.md").write_text("# Exercise 1 (key)", encoding="utf-8")
    assert run(["grade", str(tmp_path / "key.md"), "a.json"]) == 2
    assert "key.md: the key is a worksheet (.toml)" in capsys.readouterr().err


def test_a_folder_stands_for_the_answers_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("class/deep", "class/.hidden", "empty"):
        (tmp_path / name).mkdir(parents=True)
    key = tmp_path / "class" / "key.toml"
    key.write_text(KEY, encoding="utf-8")
    for name in ("b.json", "deep/a.json", ".hidden/c.json"):
        (tmp_path / "class" / name).write_text(json.dumps({"answers": RIGHT}), encoding="utf-8")
    (tmp_path / "class" / "notes.txt").write_text("no answers", encoding="utf-8")
    out = tmp_path / "class" / "grades.json"
    for _ in range(2):  # the grades of an earlier run are no answers
        assert run(["grade", str(key), str(tmp_path / "class"), "-o", str(out)]) == 0
        assert [each["name"] for each in json.loads(out.read_text())["grades"]] == ["b", "a"]
    assert len(grade(str(key), [str(tmp_path / "class" / "deep")]).grades) == 1
    sheet = tmp_path / "class" / "b.json"
    before = sheet.read_text()
    assert run(["grade", str(key), str(tmp_path / "class"), "-o", str(sheet)]) == 2
    assert "read as input" in capsys.readouterr().err and sheet.read_text() == before
    assert run(["grade", str(key), str(tmp_path / "empty")]) == 2
    assert "empty: no answers are in this folder" in capsys.readouterr().err


def test_what_is_carried_may_count_in_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """10 right and 12 carried: 10 + 12 · 0.25 = 13, and 10 + 12 · 0.33 = 13.96."""
    (grade,) = graded(tmp_path, capsys, BY_D_K)
    assert (grade["right"], grade["follows"]) == (10, 12) and "points" not in grade
    paths = [str(tmp_path / name) for name in ("key.toml", "pupil0.json")]
    for percent, points in (("25", "13"), ("33", "13.96"), ("0", "10"), ("100", "22")):
        assert run(["grade", *paths, "--credit", percent, "--to", "csv"]) == 0
        rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
        assert [row[-1] for row in rows] == ["points", points]
        assert run(["grade", *paths, "--credit", percent, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["grades"][0]["points"] == points
    assert run(["grade", *paths, "--credit", "50"]) == 0
    assert "Points: 16 of 30." in capsys.readouterr().out
    assert run(["grade", *paths, "--credit", "101"]) == 2
    assert '"101" is not a whole number from 0 to 100' in capsys.readouterr().err
