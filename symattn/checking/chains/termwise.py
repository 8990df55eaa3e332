"""A side in which numbers stand for parts of the side before: 1 × 2 + 3 × 4 = 2 + 12 says what each term is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, pairwise

from symattn.checking.chains.prints import is_lowest
from symattn.checking.expected.conventions import is_sound
from symattn.checking.expected.definitions import is_counted_from_zero, reckon_ranges
from symattn.checking.findings import Place
from symattn.checking.naming import rewrite
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.literals import Literals
from symattn.checking.verdicts import RIGHT, Definition, Judge, Judgement, Printed, table_of_prints, try_define
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import agree, distance, same_values


@dataclass(frozen=True)
class Term:
    """One printed term beside the formula that it stands for, and what is to be said of its numbers."""

    definition: Definition
    printed: Printed
    expression: f.Expression
    found: dict[Place, Judgement]
    again: bool = False  # a wrong print once more, of which nothing is to be said

    @property
    def right(self) -> bool:
        return all(map(_is_right, self.found.values()))

    @property
    def carried(self) -> bool:
        return any(judgement.verdict == "carried" for judgement in self.found.values())


def _is_right(judgement: Judgement) -> bool:
    return judgement.verdict in (*RIGHT, "intermediate", "carried")


def is_sum_of_prints(expression: f.Expression) -> bool:
    """Whether a side is two terms or more, each printed as numbers."""
    return isinstance(expression, f.Sum) and len(expression.terms) > 1 and all(map(f.is_printed, expression.terms))


def judge_terms(
    formulas: Sequence[f.Expression], written: f.Expression, environment: Environment, sign: str = ""
) -> list[Term]:
    """The numbers of a side that stand for parts of the sides before it, judged one by one.

    None unless the sides are built alike, and half of the numbers are right, 2 + 12 after 1 × 2 + 3 × 4, or fractions
    of powers are another number as a whole, or one number alone is worked out in a function. That e^0 is 1 bears
    nothing out: 1 is a power of 0 whatever the other numbers are powers of. A matrix with a whole number, a fraction
    or a root in front of it stands for what the formula comes to, over that: a decimal may be rounded.
    """
    meant: dict[tuple[int, int], tuple[f.Expression, list[Definition]]] = {}
    for formula in formulas:
        for part, shown in pair_up(_by_entries(formula, written, environment), written) or ():
            definition = try_define(part, environment, whole=formula)
            if definition is None:
                continue
            meant.setdefault((shown.start, shown.end), (shown, []))[1].append(definition)
    scaled = None if meant else _scaled_matrix(written)
    if scaled is not None:
        return _judge_scaled(formulas, *scaled, environment)
    terms = []
    for shown, definitions in meant.values():
        table, shape = table_of_prints(shown), definitions[0].true.shape
        if table is not None and 1 in shape and shape == table.shape[::-1] != table.shape:
            table = table.turned()  # the column K q, written as a row
        if table is None or table.left_out or shape != table.shape:
            return []
        definitions = [d for d in definitions if d.true.shape == table.shape]
        ranges = reckon_ranges(definitions[0], environment)
        judge = Judge(table, definitions, environment, ranges, sign=sign, inside=True)
        terms.append(Term(definitions[0], table, shown, judge.judge()))
    terms = _with_prints_beside(terms, environment)
    wrong = [term for term in terms if not term.right]
    if wrong and all(is_counted_from_zero(term.definition, term.printed, environment) for term in wrong):
        return []  # q_1 is the second row
    if isinstance(written, f.Product | f.Sum) and any(_are_exchanged(a, b, environment) for a in wrong for b in terms):
        return []  # 0.3(1 − 0.3) · (0.5 − 0.3) as (0.2)(0.21)
    if wrong and any(_is_reduced(formula, written, environment) for formula in formulas):
        return []
    bearing = [
        term.right or _is_mostly_right(term) for term in terms if not _is_power_of_nought(term.definition.expression)
    ]
    borne_out = any(bearing) and 2 * sum(bearing) >= len(bearing)
    borne_out = borne_out or (len(terms) == 1 and _is_worked_inside(terms[0], written))
    if not borne_out and not (len(terms) > 1 and _comes_to_another(formulas, written, environment)):
        return []
    fresh = [term for term in terms if not _is_put_in_again(term, environment)]
    return fresh or [replace(term, again=True) for term in terms]


def _by_entries(formula: f.Expression, written: f.Expression, environment: Environment) -> f.Expression:
    """A product as the sums of products of entries that stand beside it: q · k, and each entry of x W."""
    match formula, written:
        case f.Product((a, b), operators), f.Sum(terms=terms) if is_sum_of_prints(written):
            rows = [_entries_of(x, len(terms), environment) for x in (a, b)]
            if all(rows):
                return f.Sum(tuple(f.Product(pair, operators) for pair in zip(*rows, strict=True)), (1,) * len(terms))
        case f.Product((a, b)), f.Matrix(rows=rows) if all(is_sum_of_prints(cell) for row in rows for cell in row):
            return _sums_of_entries(a, b, written, environment) or formula
    return formula


def _sums_of_entries(
    a: f.Expression, b: f.Expression, written: f.Matrix, environment: Environment
) -> f.Expression | None:
    """Σ_k A_ik B_kj in the place of each cell, if each is a sum of so many terms."""
    left, right = try_define(a, environment), try_define(b, environment)
    counts = {len(cell.parts) for row in written.rows for cell in row}
    if left is None or right is None or counts != {left.true.shape[1]} or counts != {right.true.shape[0]}:
        return None
    if (left.true.shape[0], right.true.shape[1]) != (len(written.rows), len(written.rows[0])):
        return None
    places = [str(k + 1) for k in range(left.true.shape[1])]

    def cell(i: int, j: int) -> f.Expression:
        pairs = ((f.Entry(a, (str(i + 1), k)), f.Entry(b, (k, str(j + 1)))) for k in places)
        return f.Sum(tuple(f.Product(pair, ("",)) for pair in pairs), (1,) * len(places))

    rows = tuple(tuple(cell(i, j) for j in range(len(row))) for i, row in enumerate(written.rows))
    return replace(written, rows=rows)


def _entries_of(vector: f.Expression, count: int, environment: Environment) -> list[f.Expression]:
    """The entries of a vector by name, if it has so many."""
    name = vector.operand if isinstance(vector, f.Transpose) else vector
    stated = environment.stated.get(name)
    if not isinstance(name, f.Name) or name.item or stated is None or sorted(stated.true.shape) != [1, count]:
        return []
    return [replace(name, item=(str(k),)) for k in range(count)]


def _are_exchanged(a: Term, b: Term, environment: Environment) -> bool:
    """Whether each of two terms is right where the other stands."""
    if a is b or a.printed.shape != b.printed.shape or a.definition.true.shape != b.definition.true.shape:
        return False
    pairs = (a.printed, b.definition), (b.printed, a.definition)
    return all(is_sound(Judge(shown, [meant], environment, None).judge()) for shown, meant in pairs)


def _is_reduced(formula: f.Expression, written: f.Expression, environment: Environment) -> bool:
    """Whether fractions are what a formula comes to in lowest terms, so that no number stands for one of its parts."""
    if not any(isinstance(part, f.Quotient) and is_lowest(part) for part in f.walk(written)):
        return False
    whole, other = try_define(formula, environment), try_define(written, environment)
    if whole is None or other is None or whole.true.shape != other.true.shape or whole.true.hidden:
        return False
    pairs = zip(whole.true.rows, other.true.rows, strict=True)
    return all(agree(a, b) for row, line in pairs for a, b in zip(row, line, strict=True))


def _with_prints_beside(terms: Sequence[Term], environment: Environment) -> list[Term]:
    """The terms with those right that follow from one beside them as it is printed: 5/14 log(5/14) = 0.36 log 0.36."""
    shown = {whole: number for t in terms if t.right for whole, number in _numbers_of(t)}

    def judged(term: Term) -> Term:
        whole = term.definition.expression
        if term.right or not shown:
            return term
        other = rewrite(whole, lambda part: part if part == whole else shown.get(part, part))
        definition = None if other == whole else try_define(other, environment)
        if definition is None or definition.true.shape != term.printed.shape:
            return term
        found = Judge(term.printed, [definition], environment, None).judge()
        sound = is_sound(found) and all(j.verdict != "input-rounding" for j in found.values())
        return replace(term, found={at: Judgement("intermediate") for at in found}) if sound else term

    return list(map(judged, terms))


def _numbers_of(term: Term) -> Iterator[tuple[f.Expression, f.Expression]]:
    """What a number stands for, and it; so for each of a list, [e², e] = [7.39, 2.72]."""
    match term.definition.expression, term.expression:
        case whole, f.Number() as number:
            yield whole, number
        case f.Matrix(wholes), f.Matrix(written):
            for cell, shown in zip(chain.from_iterable(wholes), chain.from_iterable(written), strict=False):
                if isinstance(shown, f.Number) and not isinstance(cell, f.Number):
                    yield cell, shown


def _is_put_in_again(term: Term, environment: Environment) -> bool:
    """Whether a number that follows from a wrong one is its own print once more, of a name or q · k: marked there."""
    stated = environment.stated.get(term.definition.expression)
    if stated is None or not stated.prints or not term.carried:
        return False
    return same_values(stated.prints[-1].printed, term.printed.as_given)


def _is_worked_inside(term: Term, written: f.Expression) -> bool:
    """Whether a function is written once more, and one number in it has been worked out: sin(2^3) = sin(8.1).

    All else is the same, so that the number cannot stand for anything else.
    """
    if isinstance(written, f.Sum) and len(written.terms) == 1:  # −log(softmax(z)_1) = −log(0.9)
        written = written.terms[0]
    called = isinstance(written, f.Call) and written.function in _CALLED and term.expression != written
    if not called or not isinstance(term.expression, f.Number) or term.expression.places == 1:
        return False
    parts = list(f.walk(term.definition.expression))
    if len(parts) < 2 or any(isinstance(part, f.Name | f.Unread) for part in parts):
        return False
    opposite = distance(term.definition.true.rows[0][0], -term.expression.value) <= term.expression.places
    return not (opposite and isinstance(written, f.Call) and written.function == "cos")  # cos(−x) = cos x


_CALLED = frozenset(("sin", "cos", "tan", "exp", "log", "ln", "tanh", "sigmoid", "sqrt"))


def _comes_to_another(formulas: Sequence[f.Expression], written: f.Expression, environment: Environment) -> bool:
    """Whether fractions with functions above and below, (e², e⁰)/(e² + e⁰), are written with numbers, (8.4, 1)/9.4,
    that are another number as a whole: then those that differ are wrong, and not sorted in another way."""
    if not isinstance(written, f.Quotient) or any(isinstance(part, f.Product) for part in f.walk(written)):
        return False
    powers = [e for e in formulas if any(isinstance(x, f.Call | f.Power) for x in f.walk(e))]
    alike = [e for e in powers if isinstance(e, f.Quotient)]
    true = try_define(alike[-1], environment) if alike else None
    about = Literals(written, environment)
    if true is None or about.whole is None or about.whole.shape != true.true.shape or true.true.hidden:
        return False
    rows, columns = true.true.shape
    return not any(about.cover(true.true, (i, j)) for i in range(rows) for j in range(columns))


def _is_mostly_right(term: Term) -> bool:
    """Whether three quarters of a matrix are right."""
    right = sum(map(_is_right, term.found.values()))
    return min(term.printed.shape) > 1 and 4 * right >= 3 * len(term.found)


def _scaled_matrix(written: f.Expression) -> tuple[f.Expression, f.Matrix] | None:
    """The exact number in front of a printed matrix, and that: 1/√2 [[2, 1], [1, 1]]."""
    match written:
        case f.Product((f.Number() | f.Quotient() | f.Root() as scale, f.Matrix() as matrix), _):
            parts = [part for part in f.walk(scale) if not isinstance(part, f.Quotient | f.Root)]
            exact = all(isinstance(part, f.Number) and part.places == part.value.denominator == 1 for part in parts)
            return (scale, matrix) if exact and f.is_printed(matrix) and len(_entries(matrix.rows)) > 1 else None
    return None


def _judge_scaled(
    formulas: Sequence[f.Expression], scale: f.Expression, matrix: f.Matrix, environment: Environment
) -> list[Term]:
    """The numbers of a matrix that is multiplied by a number, if half of them are right for one of the formulas."""
    table = table_of_prints(matrix)
    for formula in formulas if table is not None and not table.left_out else ():
        definition = try_define(f.Quotient(formula, scale), environment, whole=formula)
        if definition is None or table is None or definition.true.shape != table.shape:
            continue
        judge = Judge(table, [definition], environment, reckon_ranges(definition, environment))
        term = Term(definition, table, matrix, judge.judge())
        if 2 * sum(map(_is_right, term.found.values())) >= len(term.found):
            return [term]
    return []


def _is_power_of_nought(expression: f.Expression) -> bool:
    match expression:
        case f.Call("exp", (f.Number(value=0),)):
            return True
    return False


def pair_up(formula: f.Expression, written: f.Expression) -> list[tuple[f.Expression, f.Expression]] | None:
    """The parts of a formula that are written as numbers in a side built alike; None where it is built otherwise.

    A number in the place of a name is no result, unless that is an entry, and neither is one that stands there already.
    """
    if f.is_printed(written):
        entry = isinstance(written, f.Number) and any(isinstance(i, int) for i in getattr(formula, "indices", ()))
        if (isinstance(formula, f.Name) and not entry) or formula == written or _same_numbers(formula, written):
            return []
        return None if f.is_printed(formula) else [(formula, written)]
    formula, written = _spell_out(formula, written), _with_sign_above(written, formula)
    if isinstance(formula, f.Sum) and isinstance(written, f.Sum):
        formula = _without_nought(formula, len(written.terms))
        if len(formula.terms) == len(written.terms):
            formula = _with_signs(formula, written.signs)
    if type(formula) is not type(written) or _but_parts(formula) != _but_parts(written):
        return None
    parts, others = list(formula.parts), list(written.parts)
    if len(parts) > len(others) and isinstance(formula, f.Product):
        parts = _gather(formula, others)
        parts = parts if len(parts) == len(others) else _set_together(formula, others)
    if len(parts) != len(others):
        return None
    found: list[tuple[f.Expression, f.Expression]] = []
    for part, other in zip(parts, others, strict=True):
        pairs = pair_up(part, other)
        if pairs is None:
            return None
        found += pairs
    return found


def _spell_out(formula: f.Expression, written: f.Expression) -> f.Expression:
    """softmax([a, b]) as [eᵃ, eᵇ] / (eᵃ + eᵇ) where it is written so, or as [eᵃ / (eᵃ + eᵇ), …].

    2 · [1, 3] + 4 · [5, 6] beside a row of sums is [2 · 1 + 4 · 5, 2 · 3 + 4 · 6], and [1, 3] · [5, 6] beside a sum is
    1 · 5 + 3 · 6; 1/4 (2 + 6) beside a quotient is (2 + 6)/4.
    """
    match formula:
        case f.Product((f.Quotient(f.Number(value=1), below), *rest), operators) if isinstance(written, f.Quotient):
            above = rest[0] if len(rest) == 1 else f.Product(tuple(rest), operators[1:])
            return f.Quotient(above, below)
        case f.Product((f.Matrix(rows=first), f.Matrix(rows=second)), operators) if isinstance(written, f.Sum):
            pairs = list(zip(_entries(first), _entries(second), strict=False))
            if 1 in (len(first), len(first[0])) and 1 in (len(second), len(second[0])) and len(pairs) > 1:
                return f.Sum(tuple(f.Product(pair, operators) for pair in pairs), (1,) * len(pairs))
        case f.Call(function="softmax", arguments=(f.Matrix(rows=(row,)),), options=()) if len(row) > 1:
            powers = tuple(f.Call("exp", (cell,)) for cell in row)
            total = f.Sum(powers, (1,) * len(powers))
            if isinstance(written, f.Quotient):
                return f.Quotient(f.Matrix((powers,)), total)
            if isinstance(written, f.Matrix):
                return f.Matrix((tuple(f.Quotient(power, total) for power in powers),))
        case f.Sum(terms=terms, signs=signs) if isinstance(written, f.Matrix) and len(terms) > 1:
            scaled = [_scaled_row(term) for term in terms]
            rows = [row for row in scaled if row is not None]
            if len(rows) == len(terms) and len({len(row) for row in rows}) == 1:
                return f.Matrix((tuple(f.Sum(column, signs) for column in zip(*rows, strict=True)),))
    return formula


def _entries(rows: Sequence[Sequence[f.Expression]]) -> list[f.Expression]:
    """The cells of a row or a column, one after another."""
    return [cell for row in rows for cell in row]


def _without_nought(formula: f.Sum, count: int) -> f.Sum:
    """The sum without the terms that are 0, where so many others are left: 1 · 2 + 0 · 3 + 4 · 5 beside 2 + 20."""
    kept = [(t, s) for t, s in zip(formula.terms, formula.signs, strict=True) if not _is_nought(t)]
    if not 1 < len(kept) == count < len(formula.terms):
        return formula
    return replace(formula, terms=tuple(t for t, _ in kept), signs=tuple(s for _, s in kept))


def _is_nought(term: f.Expression) -> bool:
    match term:
        case f.Number(value=value):
            return not value
        case f.Product(factors):
            return any(isinstance(factor, f.Number) and not factor.value for factor in factors)
    return False


def _scaled_row(term: f.Expression) -> tuple[f.Expression, ...] | None:
    """The entries of 2 · [1, 3], each as a product: 2 · 1 and 2 · 3."""
    match term:
        case f.Product((f.Number() as scale, f.Matrix(rows=(row,))), operators):
            return tuple(f.Product((scale, cell), operators) for cell in row)
    return None


def _with_sign_above(written: f.Expression, formula: f.Expression) -> f.Expression:
    """-a/b as (-a)/b, where a is a number, and -a · b as (-a) · b beside another product."""
    match written:
        case f.Sum((f.Product((f.Number() as a, *rest)) as product,), (-1,)) if isinstance(formula, f.Product):
            first = replace(a, text=f"-{a.text}", value=-a.value, start=written.start)
            return replace(product, factors=(first, *rest), start=written.start)
        case f.Sum((f.Quotient(f.Number() as a) as quotient,), (-1,)):
            above = replace(a, text=f"-{a.text}", value=-a.value, start=written.start)
            return replace(quotient, numerator=above, start=written.start)
    return written


def _with_signs(formula: f.Sum, signs: Sequence[int]) -> f.Sum:
    """The sum with other signs in front of its terms: 2 × (-3) + 4 as -(-(2 × (-3))) + 4, beside -6 + 4."""
    pairs = zip(formula.terms, formula.signs, signs, strict=True)
    terms = tuple(term if own == sign else f.Sum((term,), (-1,)) for term, own, sign in pairs)
    return replace(formula, terms=terms, signs=tuple(signs))


def _gather(formula: f.Product, others: Sequence[f.Expression]) -> list[f.Expression]:
    """The factors of a product, those as one that are not in the other: 2 · (A B) beside 2 · C."""
    factors = list(formula.factors)
    first = next((k for k, (a, b) in enumerate(zip(factors, others, strict=False)) if a != b), len(others) - 1)
    behind = len(others) - first - 1
    last = len(factors) - behind
    if factors[last:] != list(others[first + 1 :]):
        return factors
    return [
        *factors[:first],
        f.Product(tuple(factors[first:last]), formula.operators[first : last - 1]),
        *factors[last:],
    ]


def _set_together(formula: f.Product, others: Sequence[f.Expression]) -> list[f.Expression]:
    """The factors of a product, those as one that no sign parts, or else a(1 - a): beside (0.2)(0.21) alone.

    (0.5 - 0.3) · 0.3(1 - 0.3) has two then, and so has (0.5 - 0.3)0.3(1 - 0.3).
    """
    factors = list(formula.factors)
    if not all(map(f.is_printed, others)):
        return factors
    signs = [k for k, operator in enumerate(formula.operators) if operator]
    if not signs:
        pairs = {k + 1 for k, (a, b) in enumerate(pairwise(factors)) if _is_rest_of(a, b)}
        signs = [k for k in range(len(factors) - 1) if k + 1 not in pairs]
    edges = [0, *(k + 1 for k in signs), len(factors)]
    return [
        factors[a] if b - a == 1 else f.Product(tuple(factors[a:b]), formula.operators[a : b - 1])
        for a, b in pairwise(edges)
    ]


def _is_rest_of(share: f.Expression, rest: f.Expression) -> bool:
    """Whether one is 1 less the other."""
    return isinstance(rest, f.Sum) and rest.signs == (1, -1) and rest.terms[0] == _ONE and rest.terms[1] == share


_ONE = f.Number("1", Fraction(1), Fraction(1))


def _same_numbers(a: f.Expression, b: f.Expression) -> bool:
    first, second = table_of_prints(a), table_of_prints(b) if f.is_printed(a) else None
    return first is not None and second is not None and first.values == second.values


def _but_parts(expression: f.Expression) -> object:
    """What an expression is apart from its parts: the signs of a sum, a function's name, the size of a matrix."""
    match expression:
        case f.Sum(signs=signs):
            return signs
        case f.Matrix(rows=rows):
            return tuple(map(len, rows))
        case f.Call(function=function, label=label, options=options):
            return function, label, options
        case f.Product() | f.Elementwise() | f.Quotient() | f.Power() | f.Root() | f.Transpose():
            return None
    return expression


def in_a_row(terms: Sequence[Term]) -> Term | None:
    """Terms that are lone numbers as one row, as which they are spoken of; None where one is a matrix."""
    if any(term.printed.shape != (1, 1) for term in terms):
        return None
    prints = [term.printed for term in terms]
    printed = Printed.of([[(p.values[0][0], p.units[0][0], p.texts[0][0], p.spans[0][0]) for p in prints]])
    hidden = frozenset((0, k) for k, term in enumerate(terms) if term.definition.true.hidden)
    true = Balls((1, len(terms)), None, (tuple(term.definition.true.rows[0][0] for term in terms),), hidden)
    found = {(0, k): term.found[0, 0] for k, term in enumerate(terms)}
    return Term(replace(terms[0].definition, true=true), printed, terms[0].expression, found)
