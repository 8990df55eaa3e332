"""Pages of a layer's own steps: every step has a title and a reason, at every level, in both languages and layouts."""

import re

import pytest

from symattn import derive, differentiate
from symattn.writing.prose.sentences import SENTENCES
from tests.lowering.test_layers import CASES, given_for

LEVELS = ("matrix", "token", "index")


@pytest.mark.parametrize("name", CASES)
def test_every_step_is_told(name):
    expression = CASES[name]
    symbolic, known = derive(expression), derive(expression, given_for(expression))
    G = [[1] * int(known.steps[-1].shape[1])] * int(known.steps[-1].shape[0])
    told = differentiate(symbolic)
    for level, notation in zip(LEVELS, ("vaswani", "phuong-hutter", "bishop"), strict=True):
        assert "## 2 " in told.to_markdown(level=level, notation=notation)
    assert not re.search(r"\bstep\.", told.to_text(language="zh"))
    back = differentiate(known, G=G)
    assert back.to_latex(language="zh", notation="phuong-hutter", level="index") and back.to_json()


def test_every_role_of_a_layer_has_a_title_and_a_reason():
    roles = {step.role for expression in CASES.values() for step in derive(expression).families}
    for role in roles:
        assert f"title.{role}" in SENTENCES, role
        assert any(key == f"step.{role}" or key.startswith(f"step.{role}.") for key in SENTENCES), role
