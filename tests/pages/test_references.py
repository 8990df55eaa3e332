"""Every step can be referred to: labels in LaTeX, anchors in Markdown, none where KaTeX would refuse them."""

from __future__ import annotations

import re

import pytest

from symattn.cli.main import run
from symattn.errors import InputError
from tests.samples import SHEETS, derived, sample

NAMES = ["symbolic, projected", "by token, everything", "output projection", "causal", "scores alone"]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["matrix", "token", "index"])
@pytest.mark.parametrize("name", NAMES)
def test_every_step_has_one_label_and_one_anchor(name: str, level: str) -> None:
    derivation = derived(re.sub(r"\[show\].*", "", SHEETS[name], flags=re.DOTALL) + f'[show]\nlevel = "{level}"\n')
    steps = [step.name for step in derivation]
    assert re.findall(r"\\label{eq:(.*?)}", derivation.to_latex()) == steps
    assert re.findall(r'^<a id="eq-(.*?)"></a>\n\n\$\$$', derivation.to_markdown(), flags=re.MULTILINE) == steps
    for plain in (derivation.to_markdown(), derivation.to_text(), derivation._repr_latex_()):
        assert r"\label" not in plain and r"\eqref" not in plain
    assert r"\label" not in str(derivation.to_json())


def test_a_fragment_keeps_its_labels_and_a_prefix_tells_them_apart() -> None:
    derivation = sample("causal")
    body = derivation.to_latex(fragment=True, label_prefix="first")
    assert r"\label{eq:first-scores}" in body and r"\label{eq:scores}" not in body
    assert '<a id="eq-first-scores"></a>' in derivation.to_markdown(label_prefix="first")
    assert derivation.to_text(label_prefix="first") == derivation.to_text()


def test_one_step_alone_has_its_label(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["derive", "hand-calculation", "--to", "latex", "--step", "scores", "--label-prefix", "hand"]
    assert run(arguments) == 0
    assert re.findall(r"\\label{(.*?)}", capsys.readouterr().out) == ["eq:hand-scores"]


@pytest.mark.parametrize("prefix", ["a b", "}", "ü", "x" * 61, "\\x"])
def test_what_is_no_prefix_is_refused(prefix: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="not a valid prefix of labels"):
        sample("causal").to_latex(label_prefix=prefix)
    assert run(["derive", "hand-calculation", "--label-prefix", prefix]) == 2
    assert capsys.readouterr().err.count("\n") == 1
