"""`check --to sarif` and `--to github`: what reviews take, by the rules of those who read it."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from symattn.cli.arguments import parser
from symattn.cli.main import run

# SARIF 2.1.0-rtm.5 of the npm package @microsoft/jest-sarif (MIT; it is SchemaStore's), with its descriptions left out.
# For runs and results the schema of OASIS's errata 01 has the same properties.
SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "sarif-2.1.0.json").read_text())
URI = re.compile(r"([A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2}|file://)+")

ARTICLE = "𝑎 b\n\nSo $2 + 3 = 6$, then $6 + 1 = 7$, $1/3 = 0.34$ and\n$A = \\mathrm{softmax}(QK/\\sqrt{d_k})$\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a, b.md").write_text(ARTICLE)
    Path("right.md").write_text("$1 + 1 = 2$\n")
    Path("bytes.md").write_bytes(b"\xff")
    Path("sheet.toml").write_text("[inputs]\nQ = [[2]]\nK = [[3]]\nV = [[1]]\n[claims]\nscores = [[7]]\n")


def log(capsys: pytest.CaptureFixture[str], *files: str, code: int = 1) -> dict[str, list[dict[str, object]]]:
    assert run(["check", "--to", "sarif", *files]) == code
    found = json.loads(capsys.readouterr().out)
    jsonschema.Draft4Validator(SCHEMA).validate(found)
    (only,) = found["runs"]
    for result in only["results"]:
        assert URI.fullmatch(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
    return only


def test_the_schema_refuses_what_is_no_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--to", "sarif", "a, b.md"]) == 1
    found = json.loads(capsys.readouterr().out)
    found["runs"][0]["results"][0]["level"] = "grave"
    assert not jsonschema.Draft4Validator(SCHEMA).is_valid(found)


def test_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    found = log(capsys, "a, b.md", "right.md", "sheet.toml")
    results = found["results"]
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in results)
    told = [(r["ruleId"], r["level"], r["locations"][0]["physicalLocation"]) for r in results]
    wrong, rounded, formula, claim = told
    at = {"startLine": 3, "startColumn": 13, "endLine": 3, "endColumn": 14}
    assert wrong == ("wrong", "error", {"artifactLocation": {"uri": "a%2C%20b.md"}, "region": at})
    assert rounded[:2] == ("last-digit", "warning") and ARTICLE.split("\n")[2][slice(*columns(rounded[2]))] == "0.34"
    assert formula[:2] == ("formula", "error") and formula[2]["region"]["startLine"] == 4
    assert claim == ("wrong", "error", {"artifactLocation": {"uri": "sheet.toml"}})
    assert results[0]["message"]["text"] == "6 is wrong: 2 + 3 is 5"
    assert found["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def columns(place: dict[str, dict[str, int]]) -> tuple[int, int]:
    return place["region"]["startColumn"] - 1, place["region"]["endColumn"] - 1


def test_sarif_without_results_and_with_files_that_could_not_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert log(capsys, "right.md", code=0)["results"] == []
    found = log(capsys, "bytes.md", "a, b.md", code=2)
    (invocation,) = found["invocations"]
    assert not invocation["executionSuccessful"] and len(found["results"]) == 3
    assert "bytes.md: byte 0" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_sarif_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert log(capsys, "a, b.md", "--language", "zh")["results"][0]["message"]["text"] == "6 错误：2 + 3 应为 5"


def test_workflow_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--to", "github", "bytes.md", "a, b.md", "sheet.toml"]) == 2
    unread, wrong, rounded, formula, claim = capsys.readouterr().out.splitlines()
    assert unread.startswith("::error::bytes.md: byte 0")
    assert wrong == (
        "::error file=a%2C b.md,line=3,endLine=3,col=13,endColumn=14,title=symattn::6 is wrong: 2 + 3 is 5"
    )
    assert rounded.startswith("::warning file=") and formula.startswith("::error file=")
    assert claim.startswith("::error file=sheet.toml,title=symattn::7 is wrong")
    properties = re.fullmatch(r"::(?:error|warning) ([^:]*)::.*", formula)
    assert properties and "line=4" in properties[1].split(",")


def test_hooks_run_commands_that_there_are() -> None:
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: symattn (.*)", hooks)
    assert len(entries) == hooks.count("- id: ") == 3
    for entry in entries:
        assert parser().parse_args([*entry.split(), "a.md"]).files == ["a.md"]
    assert all(re.search(each, "docs/a.md") for each in re.findall(r"files: (.*)", hooks))


def test_a_percentage_keeps_its_sign(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.md").write_text("$1/4 = 24\\%$\n")
    run(["check", "--to", "github", "p.md"])
    out = capsys.readouterr().out
    assert "24\\%25" in out and "%\n" not in out
