"""Scores that a program or a note multiplies by `scale`, and the gradients of these; the identities are the field's."""

from __future__ import annotations

import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

RIGHT = """\
    S = Q K^T * scale
    P = softmax(S)
    O = P V
    dQ = dS K * scale
    dK = scale * dS^T Q"""


def verdicts(text: str) -> dict[str, str]:
    return {formula.text: formula.verdict for formula in check_article(read_article("a.md", text + "\n")).formulas}


@pytest.mark.parametrize("form", ["{}", "```\n{}\n```", "S = Q K^T * scale, as usual:\n\n{}"])
def test_scaled_scores_and_their_gradients_hold(form: str) -> None:
    found = verdicts(form.format(RIGHT))
    assert set(found.values()) == {"holds"} and len(found) == 5


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("S = Q K^T * scale", "S = Q K * scale"),
        ("dQ = dS K * scale", "dQ = dS^T K * scale"),
        ("dK = scale * dS^T Q", "dK = scale * dS Q"),
    ],
)
def test_a_slip_beside_the_scale_is_found(line: str, slip: str) -> None:
    assert verdicts(RIGHT.replace(line, slip))[slip] == "fails"


@pytest.mark.parametrize("text", ["A = softmax(Q K^T / scale)", "We scale S = Q K^T and then take its softmax."])
def test_a_scale_that_may_be_a_root_accuses_nobody(text: str) -> None:
    assert "fails" not in verdicts(text).values()
