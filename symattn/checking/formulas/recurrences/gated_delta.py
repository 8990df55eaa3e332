"""The gated delta rule, S_t = α_t S_{t-1}(I − β_t k_t k_tᵀ) + β_t v_t k_tᵀ: the gate is on the old state alone."""

from __future__ import annotations

import re

from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import letter_of
from symattn.checking.models.states import DECAYS
from symattn.patterns import regex
from symattn.reading import formula as f

GATED_DELTA = regex(r"gated[- ]?delta|门控[ -]?(?:delta|增量|δ)|ゲート付きデルタ|게이트 델타", re.IGNORECASE)

_ANOTHER = regex(
    r"unlike|instead|variant|contrast|differ|propose|\bours?\b|不同|变体|改为|提出|異なり|달리", re.IGNORECASE
)
_NEAR = 40  # characters in front of a formula that say what it is


def is_another_rule(statement: Statement) -> bool:
    """Whether the words in front say that the rule is the author's own."""
    named = GATED_DELTA.search(statement.before[-_NEAR:])  # `applies the gated delta rule`
    return named is None and _ANOTHER.search(statement.before) is not None


def with_gate_on_state(statement: Statement) -> str | None:
    """`S_t = α_t S_{t-1}(I - …) + β_t v_t k_tᵀ` for `S_t = α_t [S_{t-1}(I - …) + β_t v_t k_tᵀ]`."""
    side = statement.sides[-1]
    match side.expression:
        case f.Product((f.Name() as gate, f.Sum((kept, added), (1, 1)))) if letter_of(gate).key in DECAYS:
            first, second, third = (statement.printed(x).strip() for x in (gate, kept, added))
            return f"{statement.passage.text[statement.start : side.start]}{first} {second} + {third}".strip()
    return None
