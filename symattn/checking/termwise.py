"""A sum printed term by term: 1 × 2 + 3 × 4 = 2 + 12 says what each of its terms is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symattn.checking.environment import Environment
from symattn.checking.evaluation import NoValueError
from symattn.checking.findings import Place
from symattn.checking.verdicts import RIGHT, Definition, Judge, Judgement, Printed, define, table_of_prints
from symattn.reading import formula as f
from symattn.values.balls import Balls


@dataclass(frozen=True)
class Term:
    """One printed term beside the formula that it stands for, and what is to be said of its numbers."""

    definition: Definition
    printed: Printed
    expression: f.Expression
    found: dict[Place, Judgement]

    @property
    def right(self) -> bool:
        return all(j.verdict in (*RIGHT, "intermediate") for j in self.found.values())


def is_sum_of_prints(expression: f.Expression) -> bool:
    """Whether a side is two terms or more, each printed as numbers."""
    return isinstance(expression, f.Sum) and len(expression.terms) > 1 and all(map(f.is_printed, expression.terms))


def judge_terms(formula: f.Expression, printed: f.Expression, environment: Environment) -> list[Term]:
    """The terms of a printed sum, judged one by one; none unless they pair up with the formula, and most are right."""
    if not (isinstance(formula, f.Sum) and isinstance(printed, f.Sum)) or formula.signs != printed.signs:
        return []
    terms = []
    for meant, shown in zip(formula.terms, printed.terms, strict=True):
        table = table_of_prints(shown)
        if table is None or table.left_out:
            return []
        try:
            definition = define(meant, environment)
        except NoValueError:
            return []
        if definition.true.shape != table.shape:
            return []
        terms.append(Term(definition, table, shown, Judge(table, [definition], environment, None).judge()))
    return terms if 2 * sum(term.right for term in terms) > len(terms) else []


def in_a_row(terms: Sequence[Term]) -> Term | None:
    """Terms that are lone numbers as one row, as which they are spoken of; None where one is a matrix."""
    if any(term.printed.shape != (1, 1) for term in terms):
        return None
    prints = [term.printed for term in terms]
    printed = Printed(
        (tuple(p.values[0][0] for p in prints),),
        (tuple(p.units[0][0] for p in prints),),
        (tuple(p.texts[0][0] for p in prints),),
        (tuple(p.spans[0][0] for p in prints),),
    )
    hidden = frozenset((0, k) for k, term in enumerate(terms) if term.definition.true.hidden)
    true = Balls((1, len(terms)), None, (tuple(term.definition.true.rows[0][0] for term in terms),), hidden)
    found = {(0, k): term.found[0, 0] for k, term in enumerate(terms)}
    return Term(replace(terms[0].definition, true=true), printed, terms[0].expression, found)
