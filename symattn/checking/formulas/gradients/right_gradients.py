"""The gradients of attention and of a norm in an article's own letters, for what a false one should read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from symattn.checking.formulas.gradients.forward import OUTPUTS, SCORES, WEIGHTS
from symattn.checking.models.letters import letter_of
from symattn.checking.models.passes import Plan
from symattn.reading import formula as f

_LATEX = {"α": r"\alpha", "σ": r"\sigma"}


def right_sides(name: f.Name, plan: Plan, written: Callable[[str], str]) -> Iterator[str]:
    """What ∂L/∂X may be, as LaTeX; `written` spells the gradient by a letter. Each is to be held against the pass."""
    letter = letter_of(name)
    weights, scores, output = (_first(letters, plan) for letters in (WEIGHTS, SCORES, OUTPUTS))
    for scale in (rf"\frac{{1}}{{\sqrt{{{_width(scores, plan)}}}}} ", "", r"\tau "):
        if not letter.indices:
            yield from _of_matrices(letter.key, weights, scores, output, written, scale)
        elif len(letter.indices) == 1:
            yield from _of_rows(letter.key, letter.indices[0], weights, output, written, scale)
    if letter.key == "x" and letter.indices:
        yield from _of_norm(letter.indices[0], written)


def _width(scores: str, plan: Plan) -> str:
    """The article's letter for the width of keys, below the root in its scores."""
    parts = list(f.walk(plan.definitions[scores].expression)) if scores in plan.definitions else []
    below = [x.radicand for x in parts if isinstance(x, f.Root)]
    return next((x.text for x in below if isinstance(x, f.Name) and x.text), "d_k")


def _first(letters: Sequence[str], plan: Plan) -> str:
    return next((_LATEX.get(letter, letter) for letter in letters if letter in plan.definitions), "")


def _of_matrices(
    key: str, weights: str, scores: str, output: str, written: Callable[[str], str], scale: str
) -> Iterator[str]:
    by_weights = written(weights)
    through = rf"{weights} \circ \left({by_weights} - \text{{rowsum}}({weights} \circ {by_weights})\right)"
    if key == "V":
        yield f"{weights}^T {written(output)}"
    elif key == weights:
        yield f"{written(output)} V^T"
    elif key == scores:
        yield through
    elif key == "Q":
        yield from (f"{scale}{written(scores)} K", rf"{scale}\left({through}\right) K")
    elif key == "K":
        yield from (rf"{scale}\left({written(scores)}\right)^T Q", rf"{scale}\left({through}\right)^T Q")


def _of_rows(
    key: str, index: str, weights: str, output: str, written: Callable[[str], str], scale: str
) -> Iterator[str]:
    a, o = weights.lower() if len(weights) == 1 else weights, output.lower()
    i, j = (index, "j" if index != "j" else "i") if key == "q" else ("i" if index != "i" else "j", index)
    slope = written(f"{o}_{i}")
    change = rf"{a}_{{{i}{j}}} \left\langle v_{j} - {o}_{i}, {slope}\right\rangle"
    if key == "q":
        yield rf"{scale}\sum_{j} {change} k_{j}"
    elif key == "k":
        yield rf"{scale}\sum_{i} {change} q_{i}"
    elif key == "v":
        yield rf"\sum_{i} {a}_{{{i}{j}}} {slope}"


def _of_norm(i: str, written: Callable[[str], str]) -> Iterator[str]:
    j = "j" if i != "j" else "k"
    own, other = written(rf"\hat{{x}}_{i}"), written(rf"\hat{{x}}_{j}")
    means = rf"\frac{{1}}{{m}} \sum_{j} {other} - \hat{{x}}_{i} \frac{{1}}{{m}} \sum_{j} {other} \hat{{x}}_{j}"
    yield rf"\frac{{1}}{{\sigma}} \left({own} - {means}\right)"
