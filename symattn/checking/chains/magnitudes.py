"""Numbers with a letter that counts thousands behind them: 320K, 12.5M, 0.176B.

The letter is read where no such name is known; K may be that of the keys, where an equation is of lone numbers. Whether
M is 10⁶ or 2²⁰, and how far "≈ 16M" was rounded, nobody says: what does not fit is not accused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symattn.checking.findings import BAD, Place
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Judge, Judgement, Printed
from symattn.reading import formula as f
from symattn.values.balls import Balls

_WORTH = {"K": 10**3, "k": 10**3, "M": 10**6, "B": 10**9, "G": 10**9, "T": 10**12}


def with_magnitudes(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with 12.5M as the number 12,500,000, to the last of its digits."""
    parts = [part for side in chain.sides for part in f.walk(side.expression)]
    letters = {part for part in parts if isinstance(part, f.Name)} - {chain.sides[0].expression}
    if not any(isinstance(name, f.Name) and name.base in _WORTH for name in letters):
        return chain
    plain = all(isinstance(name, f.Name) and name.base in _WORTH for name in letters)
    plain &= not any(isinstance(part, f.Matrix) for part in parts)

    def is_other(name: f.Expression) -> bool:
        known = environment.lookup()(name)
        return environment.knows(name) and not (plain and known is not None and known.shape != (1, 1))

    def read(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Product):
            return part
        factors, signs = list(part.factors[:1]), list[str]()
        for sign, factor in zip(part.operators, part.factors[1:], strict=True):
            match factors[-1], factor:
                case f.Number() as number, f.Name(letter, (), ()) if (
                    not sign and number.end == factor.start and letter in _WORTH and not is_other(factor)
                ):
                    factors[-1] = _counted(number, letter, factor.end)
                case _:
                    factors.append(factor)
                    signs.append(sign)
        return replace(part, factors=tuple(factors), operators=tuple(signs)) if signs else factors[0]

    return replace(chain, sides=tuple(replace(s, expression=rewrite(s.expression, read)) for s in chain.sides))


def _counted(number: f.Number, letter: str, end: int) -> f.Number:
    """A number with the letter behind it."""
    worth = Fraction(_WORTH[letter])
    return replace(number, text=number.text + letter, value=number.value * worth, places=number.places * worth, end=end)


def judge_about(
    printed: Printed, definitions: Sequence[Definition], ranged: Balls | None, environment: Environment, side: f.Side
) -> tuple[Judge, dict[Place, Judgement]]:
    """The verdicts on a side; about 39,000 is meant to the thousands, if not to the units."""
    judge = Judge(printed, definitions, environment, ranged)
    found = judge.judge()
    if side.relation == "≈" and any(j.verdict in BAD for j in found.values()):
        rough = Judge(printed.about(), definitions, environment, ranged)
        about = rough.judge()
        if not any(j.verdict in (*BAD, "last-digit") for j in about.values()):
            return rough, about
    return judge, found


def is_rough(printed: Printed, formula: f.Expression) -> bool:
    """Whether a letter counts thousands in a print or in what it is held against, 4K = 4096."""
    texts = [text for row in printed.texts for text in row]
    texts += [part.text for part in f.walk(formula) if isinstance(part, f.Number)]
    return any(text[-1:] in _WORTH for text in texts)
