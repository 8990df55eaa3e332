"""Recurrences whose vectors are arrays of one axis, which have no rows and no columns."""

from __future__ import annotations

import pytest

from symattn import check_article

READ = "$o_t = q_t S_t$\n\n- $q_t, k_t$: shape `[d_k]`\n- $v_t$: shape `[d_v]`\n- $S_t$: shape `[d_k, d_v]`\n\n"


@pytest.mark.parametrize(
    ("step", "false"),
    [
        (r"S_t = (I - \beta_t k_t k_t^T) S_{t-1} + \beta_t k_t v_t^T", False),
        (r"S_t = S_{t-1} + k_t v_t^T", False),
        (r"S_t = S_{t-1} + v_t k_t^T", True),  # a state of d_v × d_k
    ],
)
def test_a_step_beside_a_reading_in_rows(step: str, false: bool) -> None:
    found = {
        each.text: each.verdict
        for each in check_article(READ + f"The delta rule of linear attention:\n\n$${step}$$\n").formulas
    }
    assert (found.get(step) == "fails") is false


GATES = "Gated linear attention with {vectors}, a state of $d_k$ rows:\n\n$${step}, \\qquad {read}$$\n"


@pytest.mark.parametrize(
    ("vectors", "step", "read", "verdicts"),
    [
        ("row vectors", r"S_t = S_{t-1} + k_t^\top v_t", "o_t = q_t S_t", ["holds", "holds"]),
        ("row vectors", r"S_t = S_{t-1} + k_t v_t^\top", "o_t = q_t S_t", ["fails", "holds"]),  # a number of 1 × d
        ("column vectors", r"S_t = S_{t-1} + k_t v_t^\top", r"o_t = S_t^\top q_t", ["holds", "holds"]),
        ("column vectors", r"S_t = S_{t-1} + k_t^\top v_t", r"o_t = S_t^\top q_t", ["fails", "holds"]),
    ],
)
def test_vectors_stand_or_lie_as_the_text_says(vectors: str, step: str, read: str, verdicts: list[str]) -> None:
    found = check_article(GATES.format(vectors=vectors, step=step, read=read)).formulas
    assert [each.verdict for each in found] == verdicts


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (r"The mask is $m \in \mathbb{R}^{1 \times n}$.", [r"S_t = S_{t-1} + v_t k_t^\top"]),
        (r"A gate is $w \in \mathbb{R}^{d \times 1}$.", [r"S_t = S_{t-1} + k_t^\top v_t"]),
        ("Embeddings are row vectors.", [r"S_t = S_{t-1} + v_t k_t^\top", "o_t = S_t q_t"]),
    ],
)
def test_what_is_said_of_other_arrays_makes_no_state_false(words: str, lines: list[str]) -> None:
    shown = r", \qquad ".join(lines)
    found = check_article(f"{words} Linear attention has the state\n\n$${shown}$$\n").formulas
    assert [each.verdict for each in found] == ["holds"] * len(lines)
