"""Numbers of which no line says what they are, as the scale of dQ = scale · dS K behind S = QKᵀ/√d.

A line with one is false only if it is so with each of the numbers that scores are multiplied or divided by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.formulas.gradients.forward import NUMBERS, SHAPES, SIZES, TOKENS, Reading
from symattn.checking.formulas.gradients.outcomes import Outcome, holding
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

_ONE = f.Number("1", Fraction(1), Fraction(1))
_ROOT = f.Root(f.Name("d", ("k",)))
_USUAL = {"formula.if_one": _ONE, "formula.if_inverse": f.Quotient(_ONE, _ROOT), "formula.if_root": _ROOT}


def with_free_numbers(
    sides: Sequence[f.Expression], known: Mapping[str, Definition], found: Sequence[Outcome]
) -> list[Outcome]:
    """The readings in which it holds with one of these for a number that no line names, and that it is this one."""
    right = []
    for name in _free_numbers(sides, known):
        own = name.base if "\\" in name.text else name.text or name.base
        for key, value in _USUAL.items():
            condition = Sentence(key, name=own)
            open_ = (
                each.reading for each in found if name.base in NUMBERS or name.base not in each.reading.plan.shapes
            )
            right += holding(sides, (_with_number(reading, name, value, condition) for reading in open_))
        if right:
            break
    return right


def _free_numbers(sides: Sequence[f.Expression], known: Mapping[str, Definition]) -> Iterator[f.Name]:
    """The small letters without marks, and words, of which no line says anything."""
    used = {letter for made in known.values() for letter in made.letters} | known.keys()
    names = dict.fromkeys(x for side in sides for x in f.walk(side) if isinstance(x, f.Name) and slope_of(x) is None)
    for name in names:
        plain = not (name.sub or name.sup or name.item) and name.base.islower() and letter_of(name).key == name.base
        if plain and name.base not in (*used, *SIZES, *TOKENS) and name.base.upper() not in SHAPES:
            yield name


def _with_number(reading: Reading, name: f.Name, value: f.Expression, condition: Sentence) -> Reading:
    definitions = {**reading.plan.definitions, name.base: Definition(name.base, (), value)}
    return replace(reading, plan=replace(reading.plan, definitions=definitions), condition=condition)
