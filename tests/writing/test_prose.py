"""Every sentence stands in two languages with the same blanks, and every one is said somewhere."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES

PACKAGE = Path(__file__).resolve().parents[2] / "symattn"


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_blanks() -> None:
    for key, (english, chinese) in SENTENCES.items():
        assert fields(english) == fields(chinese), key
        if english:
            assert re.search(r"[一-鿿]", chinese) or not re.search(r"[a-z]", re.sub(r"{.*?}", "", english)), key
            assert not re.search(r"[一-鿿，。；：]", english), key


@cache
def parsed() -> dict[Path, list[ast.Call | ast.Constant]]:
    """The calls of Sentence and the constants of each file of the package, all of which is parsed once."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        calls = [x for x in nodes if isinstance(x, ast.Call) and getattr(x.func, "id", "") == "Sentence" and x.args]
        found[path] = [*calls, *(x for x in nodes if isinstance(x, ast.Constant))]
    return found


@cache
def said() -> tuple[set[str], set[str]]:
    """The keys of Sentence(...) in the package, and the beginnings of those that are put together."""
    whole, begun = set(), set()
    for path, nodes in parsed().items():
        for node in nodes:
            if isinstance(node, ast.Call):
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.JoinedStr):
                        begun.add(str(getattr(part.values[0], "value", "")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and path.parent.name != "prose":
                whole.add(node.value)
    return whole, begun


@pytest.mark.slow
def test_every_sentence_is_said_somewhere() -> None:
    whole, begun = said()
    plain = {key: key.removesuffix(".columns") for key in SENTENCES}  # what is said instead where tokens are columns
    unsaid = {key for key, k in plain.items() if k not in whole and not k.startswith(tuple(begun))}
    assert set(plain.values()) <= set(SENTENCES)
    assert begun == {
        *(
            "title.",
            "step.",
            "step.gradient.",
            "findings.",
            "findings.mark.",
            "findings.one_",
            "findings.more_",
            "findings.mark.formula_",
            "findings.verdict.",
            "count_if_",
            "formula_if_moments_",
            "reading.",
            "threshold.",
            "algorithm.",
            "algorithm.name.",
            "grade.step.",
        ),
        *("rule.", "theorem.", "condition.", "checked.", "unproven."),
    }
    assert unsaid == set()


def test_every_reason_for_a_gradient_is_given_by_a_rule() -> None:
    told = {key.removeprefix("step.gradient.") for key in SENTENCES if key.startswith("step.gradient.")}
    given, named = set(), set()
    for path in (*(PACKAGE / "program" / "gradient").glob("*.py"), PACKAGE / "pages" / "gradients.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "give":
                given |= {x.value for a in node.args[2:] for x in ast.walk(a) if isinstance(x, ast.Constant)}
            named |= {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()
    assert given - {0} <= told
    assert {key.removesuffix(".columns") for key in told} <= named


@pytest.mark.slow
def test_every_key_exists() -> None:
    for path, nodes in parsed().items():
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            key = node.args[0]
            if isinstance(key, ast.Constant) and path.parent.name != "prose":
                assert key.value in SENTENCES, f"{path.name}:{node.lineno}"
                given = {k.arg for k in node.keywords}
                if None not in given:
                    assert given >= fields(SENTENCES[str(key.value)][0]), f"{path.name}:{node.lineno}"


def test_a_sentence_within_a_sentence_is_said_in_the_same_language() -> None:
    inner = Sentence("did_you_mean", name="mask")
    assert Sentence("unknown_key", name="msak", hint=inner).text("zh") == "未知的键“msak”；是否想写“mask”？"


def test_a_marked_word_is_another_where_tokens_are_columns() -> None:
    assert SENTENCES["step.row_sum"][0].startswith("The sum of each row; dividing by it turns the row into")
    assert SENTENCES["step.row_sum.columns"][0].startswith(
        "The sum of each column; dividing by it turns the column into"
    )
    assert SENTENCES["step.row_sum.columns"][1] == "每列之和；除以它，该列就成为概率分布。"
    assert not any(mark in text for both in SENTENCES.values() for text in both for mark in "‹›")
