"""What a step is called on a page, and what kind of step it is told as."""

from __future__ import annotations

from symattn.pages.gradients import is_backward
from symattn.pages.gradients import title as backward_title
from symattn.program.steps import Step
from symattn.writing.document import Symbol
from symattn.writing.prose import Sentence
from symattn.writing.prose.sentences import SENTENCES


def differs(step: Step) -> bool:
    """Whether what is said of a step is not said of others of its role."""
    return step.role in ("masked", "modified", "rotated")


def kind_of(step: Step) -> str:
    """What a step is told as: its role, if it has a title."""
    role = step.because if step.because == "logits" else step.role
    return role if f"title.{role}" in SENTENCES else "other"


def title_of(step: Step) -> Sentence:
    """The heading above a step."""
    if is_backward(step):
        return backward_title(step)
    key = "title.biased" if step.because == "biased" else f"title.{kind_of(step)}"
    return Sentence(key, operand=Symbol(step.operand))
