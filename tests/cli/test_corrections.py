"""Corrections for editors: each edit, made where it says, leaves an article with nothing wrong there."""

from __future__ import annotations

from typing import Any

import pytest

from symattn.cli.editing import work

FORMULA = "$A = \\mathrm{softmax}\\left(\\frac{QK^\\top}{d_k}\\right)$ is scaled dot-product attention's weights."
NUMBERS = "$2 \\cdot 3 = 7$ and\n$4 \\cdot 5 = 21$."


def task(*texts: str, notebook: bool, place: list[int] | None = None) -> dict[str, Any]:
    given: dict[str, Any] = {"path": "a.ipynb" if notebook else "a.md"}
    if notebook:
        given["cells"] = [{"kind": "markdown", "text": text} for text in texts]
    else:
        (given["text"],) = texts
    return given | ({} if place is None else {"place": place})


def put_in(texts: list[str], edits: list[dict[str, Any]]) -> list[str]:
    """The texts after edits, made from the last to the first."""
    parts = [text.split("\n") for text in texts]
    for edit in sorted(edits, key=lambda each: (each["part"], each["start"]), reverse=True):
        (line, start), (last, end) = edit["start"], edit["end"]
        assert line == last
        old = parts[edit["part"]][line - 1]
        parts[edit["part"]][line - 1] = old[: start - 1] + edit["text"] + old[end - 1 :]
    return ["\n".join(lines) for lines in parts]


def problems(texts: list[str], *, notebook: bool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = work(task(*texts, notebook=notebook))["problems"]
    return [each for each in found if each["severity"] == "error"]


@pytest.mark.parametrize("notebook", [False, True])
def test_a_number_is_corrected_alone_and_with_all_others(notebook: bool) -> None:
    texts = ["# Products", NUMBERS] if notebook else [NUMBERS]
    found = problems(texts, notebook=notebook)
    assert len(found) == 2
    fixes = work(task(*texts, notebook=notebook, place=found[0]["start"]))["fixes"]
    assert [(fix["kind"], fix.get("printed"), fix.get("right")) for fix in fixes] == [
        ("number", "7", "6"),
        ("all", None, None),
    ]
    alone, whole = (put_in(texts, fix["edits"]) for fix in fixes)
    assert alone[-1] == NUMBERS.replace("7", "6") and whole[-1] == NUMBERS.replace("7", "6").replace("21", "20")
    assert len(problems(alone, notebook=notebook)) == 1 and problems(whole, notebook=notebook) == []


@pytest.mark.parametrize("notebook", [False, True])
def test_a_formula_is_corrected(notebook: bool) -> None:
    texts = [FORMULA]
    (found,) = problems(texts, notebook=notebook)
    (fix,) = work(task(*texts, notebook=notebook, place=found["start"]))["fixes"]
    assert fix["kind"] == "formula" and "\\sqrt" in fix["right"] and "\\sqrt" not in fix["printed"]
    assert problems(put_in(texts, fix["edits"]), notebook=notebook) == []


def test_where_nothing_is_wrong_there_is_nothing_to_correct() -> None:
    assert work(task("$2 \\cdot 3 = 6$", notebook=False, place=[0, 1, 15])) == {"language": "en", "fixes": []}


def test_settings_that_cannot_be_read_are_told(tmp_path: Any) -> None:
    (tmp_path / "symattn.toml").write_text("language = 3\n", encoding="utf-8")
    answer = work(task(NUMBERS, notebook=False) | {"path": str(tmp_path / "a.md")})
    assert list(answer) == ["error"] and "symattn.toml" in answer["error"]
