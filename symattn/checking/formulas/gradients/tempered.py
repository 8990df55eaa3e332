"""A softmax with a temperature: p = softmax(z/τ), p_i = e^{β z_i} / Σ_j e^{β z_j}, of logits z and one number."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symattn.checking.models.letters import letter_of
from symattn.checking.models.passes import Definition
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f

AT_ONE = regex(
    r"(?:\\tau|\\beta|\\lambda|[τβλT]|temperature|温度)[\s$*`]*(?:=|is|of|equals|为|取|等于|设为)[\s$*`]*1(?![0-9.])"
    r"|without (?:a |any |the )?temperature|不带温度|不考虑温度|无温度",
    re.IGNORECASE,
)
_NUMBERS = frozenset("τTβtλγcκ")


@dataclass(frozen=True)
class Tempered:
    """What the softmax is taken of, with whole letters: its logits are a vector, the temperature is a number."""

    logits: str
    temperature: str
    argument: f.Expression


def tempered_of(definition: Definition) -> Tempered | None:
    """The logits and the temperature where the definition is such a softmax; None if it is anything else."""
    match definition.expression:
        case f.Call("softmax", (argument,), ()) if not definition.indices:
            indices: tuple[str, ...] = ()
        case f.Quotient(f.Call("exp", (argument,)), f.BigSum(_, _, _, f.Call("exp", (_,)))):
            indices = definition.indices
            if len(indices) != 1:
                return None
        case _:
            return None
    match argument:
        case f.Quotient(f.Name() as logits, f.Name() as number) | f.Product(
            (f.Name() as number, f.Name() as logits), _
        ):
            pass
        case _:
            return None
    z, t = letter_of(logits), letter_of(number)
    if z.indices != indices or t.indices or t.key not in _NUMBERS or t.key == z.key:
        return None
    whole = f.Name(z.key)
    return Tempered(z.key, t.key, rewrite(argument, lambda part: whole if part == logits else part))
