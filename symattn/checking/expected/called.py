"""Formulas that stand as a label before their numbers: "GELU(h): [0.95, -0.16]", "Q K^T: ≈ [[1.2, 0.4]]"."""

from __future__ import annotations

from symattn.checking.expected.arrows import EQUALITIES
from symattn.checking.expected.evidence import mostly_right
from symattn.checking.expected.sources import Where
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, define_like, try_define
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f

_COLON = regex(r"[:：][ \t*$`]*\Z")
_NUMBERED = regex(r"(?:[^\W\d]+ ?)?\d{1,2}[a-z]?\)?\s*(?:[:：.)]|\s[-–—])\s+")  # Step 2 — Q Kᵀ
_LONGEST = 60  # characters of a formula that is a label


def find_called(where: Where, relation: str, printed: Printed, environment: Environment) -> Definition | None:
    """What a label comes to that is a formula of names that are known.

    A colon is no equals sign: behind a formula may also stand its shape, or what it is an example of, so that most of
    the numbers have to bear it out. "GELU(h): ≈ [0.95, -0.16]" is an equation.
    """
    formula = _formula_in(where.label)
    if formula is None or (definition := define_like(printed, formula, environment)) is None:
        return None
    said = relation in EQUALITIES and bool(relation) and _COLON.search(where.before) is not None
    return definition if said or mostly_right(definition, printed, environment) else None


def words_of(label: str, environment: Environment) -> str:
    """A label, unless it is a formula that has a value: softmax(S / √2) is not whatever else is called softmax."""
    formula = _formula_in(label)
    return label if formula is None or try_define(formula, environment) is None else ""


def _formula_in(label: str) -> f.Expression | None:
    """The formula of names that a label is, behind the number of a step."""
    if not label or len(label) > _LONGEST:
        return None
    try:
        chains = f.parse(label[numbered.end() :] if (numbered := _NUMBERED.match(label)) else label)
    except FormulaError:
        return None
    match [chain.sides for chain in chains]:
        case [(f.Side(_, f.Call() | f.Product() | f.Sum() | f.Quotient() as formula),)]:
            return formula if any(isinstance(part, f.Name) for part in f.walk(formula)) else None
    return None
