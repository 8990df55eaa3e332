"""Online softmax as notes and programs write it, line by line; NumPy's softmax over all keys tells what is right."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.checking import check_article
from symattn.reading.articles import read_article

TILES = """\
    S_tile = Q · K_tile^T × scale
    tile_max = block_max(S_tile)
    S_tile = exp(S_tile - tile_max), tile_sum = sum(S_tile)

    m_new = max(m, tile_max)
    l = l × exp(m - m_new) + tile_sum × exp(tile_max - m_new)
    O_acc = O_acc × exp(m - m_new) + (S_tile · V_tile) × exp(tile_max - m_new)
    m = m_new
in the end: O = O_acc / l"""
SCORES = """\
m_new = max(m_old, block_max)
alpha = exp(m_old - m_new)
p = exp(scores - m_new)
acc = acc * alpha + p @ V
l = l * alpha + sum(p)
output = acc / l"""
ARROWS = """\
    m_new = max(m_i, s)
    α = exp(m_i − m_new)        # rescale
    p = exp(s − m_new)
    l_i ← l_i · α + p
    o_i ← o_i · α + p · V[c]
    m_i ← m_new

    O = o_i / l_i"""
PROGRAMS = {"tiles": TILES, "scores": SCORES, "arrows": ARROWS}


def verdicts(program: str) -> dict[str, str]:
    article = read_article("a.md", f"FlashAttention, block by block:\n\n```\n{program}\n```\n")
    return {formula.text: formula.verdict for formula in check_article(article).formulas}


def test_numpy_agrees_with_the_program_of_scores() -> None:
    """What the tests take for right is right."""
    draw = np.random.default_rng(3)
    scores, values = draw.normal(size=8), draw.normal(size=(8, 2))
    m_old, total, acc = -np.inf, 0.0, np.zeros(2)
    for block in (slice(0, 3), slice(3, 8)):
        m_new = max(m_old, scores[block].max())
        alpha, p = np.exp(m_old - m_new), np.exp(scores[block] - m_new)
        acc, total, m_old = acc * alpha + p @ values[block], total * alpha + p.sum(), m_new
    weights = np.exp(scores) / np.exp(scores).sum()
    assert np.allclose(acc / total, weights @ values)


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_lines_of_a_right_program_hold(name: str) -> None:
    found = verdicts(PROGRAMS[name])
    assert set(found.values()) == {"holds"} and len(found) >= 6


@pytest.mark.parametrize(
    ("name", "line", "slip"),
    [
        ("scores", "alpha = exp(m_old - m_new)", "alpha = exp(m_new - m_old)"),
        ("scores", "acc = acc * alpha + p @ V", "acc = acc + p @ V"),
        ("scores", "l = l * alpha + sum(p)", "l = l + sum(p)"),
        ("tiles", "tile_sum × exp(tile_max - m_new)", "tile_sum × exp(m_new - tile_max)"),
        ("tiles", "O_acc × exp(m - m_new)", "O_acc × exp(m_new - m)"),
    ],
)
def test_one_slip_is_found_and_the_other_lines_hold(name: str, line: str, slip: str) -> None:
    found = verdicts(PROGRAMS[name].replace(line, slip, 1))
    failing = [text for text, verdict in found.items() if verdict == "fails"]
    assert len(failing) == 1 and slip in failing[0]


@pytest.mark.parametrize(
    "slips",
    [
        {"acc * alpha": "acc", "l * alpha": "l"},  # two lines, or a maximum that never changes
        {"acc / l": "acc * l / l"},
        {"exp(scores": "exp(other"},
        {"block_max": "bound"},
    ],
)
def test_what_no_single_slip_explains_is_never_said_to_be_right(slips: dict[str, str]) -> None:
    program = SCORES
    for right, other in slips.items():
        program = program.replace(right, other)
    found = verdicts(program)
    changed = set(program.splitlines()) - set(SCORES.splitlines())
    assert changed and not any(found.get(line) == "holds" for line in changed)


def test_a_wrong_line_alone_is_not_said_to_hold_by_a_lucky_block() -> None:
    """Where the new block has the largest score, exp(tile_max − m_new) is 1 either way."""
    program = TILES.replace("tile_sum × exp(tile_max - m_new)", "tile_sum × exp(m_new - tile_max)")
    assert "fails" in verdicts(program).values()
