"""The claims of a worksheet against the steps of its derivation, judged as an article's are.

A step is judged from the true values, then from what the worksheet claims of the steps before it, mended or as printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sympy import Expr, MatrixSymbol, Symbol

from symattn.checking.findings import BAD, Cause, Claim, Place, Reading
from symattn.checking.mistakes.search import explaining, find_reading
from symattn.checking.mistakes.step_formulas import formula_of
from symattn.checking.semantics.environment import Choice, Environment, Print, Stated
from symattn.checking.semantics.evaluation import size_text
from symattn.checking.verdicts import (
    Definition,
    Judge,
    Judgement,
    Printed,
    correct_prints,
    finding,
    table_of_prints,
    try_define,
)
from symattn.errors import FormulaError, InputError, SymattnError
from symattn.program.steps import Program, Step
from symattn.reading import formula as f
from symattn.values.balls import BallNumbers, Balls
from symattn.values.enclosures import precision
from symattn.values.evaluation import evaluate_steps
from symattn.values.printed import same_values
from symattn.writing.nearest import listed
from symattn.writing.prose import Sentence

BITS = 160
Rows = Sequence[Sequence[Expr]]


def judge_claims(
    claims: Mapping[str, Any],
    program: Program,
    inputs: Mapping[MatrixSymbol, Rows],
    sizes: Mapping[Symbol, int],
) -> tuple[Claim, ...]:
    """A verdict for every number claimed, step by step in the order of the derivation.

    `claims` maps names of steps to rows of numbers as printed. Raises InputError with the key path for a name that is
    no step, a wrong size or a text that is no number, and with the step for what has no value.
    """
    claims = dict(_flat(claims))
    printed = {name: _read_prints(name, rows, program) for name, rows in claims.items()}
    environment, found = Environment(), []
    with precision(BITS):
        sheet = _Sheet(_up_to_last(program, printed), inputs, sizes)
        for symbol in inputs:
            environment.stated[f.Name(symbol.name)] = Stated(sheet.true[symbol.name])
        for step in sheet.program:
            stated = Stated(sheet.true[step.name])
            if step.name in printed:
                found.append(_judge(step, printed[step.name], claims[step.name], sheet, stated, environment))
            environment.stated[f.Name(step.name)] = stated
            if (formula := sheet.formula(step)) is not None:
                environment.stated[formula] = stated
    return tuple(found)


def _up_to_last(program: Program, printed: Mapping[str, Printed]) -> Program:
    """The steps that claims are made of, and those before them."""
    last = max((k for k, step in enumerate(program, 1) if step.name in printed), default=0)
    return Program(program.inputs, program.steps[:last])


class _Numbers(BallNumbers):
    """Balls in the place of an input are taken as they are."""

    def given(self, rows: Any) -> Balls:
        return rows if isinstance(rows, Balls) else super().given(rows)


class _Sheet:
    """What a step is worth when earlier ones are replaced by what was printed."""

    def __init__(self, program: Program, inputs: Mapping[MatrixSymbol, Rows], sizes: Mapping[Symbol, int]) -> None:
        self.program, self.sizes = program, sizes
        self.inputs: dict[MatrixSymbol, Any] = {symbol: _Numbers().given(rows) for symbol, rows in inputs.items()}
        self.true = evaluate_steps(program, self.inputs, sizes, _Numbers())
        self._names = {symbol: symbol.name for symbol in inputs} | {step.symbol: step.name for step in program}

    def value(self, name: str, replaced: Mapping[str, Balls]) -> Balls | None:
        """The step's value; None where a replaced one leaves it none."""
        given = dict(self.inputs)
        steps = []
        for step in self.program:
            if step.name in replaced:
                given[step.symbol] = replaced[step.name]
            else:
                steps.append(step)
            if step.name == name:
                break
        part = Program(tuple(given), tuple(steps))
        try:
            return evaluate_steps(part, given, self.sizes, _Numbers())[name]
        except SymattnError:
            return None

    def formula(self, step: Step) -> f.Expression | None:
        """The step as an article would have it."""
        return formula_of(step.expression, self._names, self.sizes, self.true[step.name])

    def before(self, step: Step) -> Iterator[str]:
        """The steps that this one is computed from, directly or not."""
        needed = step.uses
        for earlier in reversed(self.program.steps[: self.program.steps.index(step)]):
            if earlier.symbol in needed:
                needed |= earlier.uses
                yield earlier.name


@dataclass(frozen=True)
class _StepDefinition(Definition):
    """A step of the derivation in the place of a formula."""

    sheet: _Sheet

    def reckoned(
        self, environment: Environment, choice: Choice, *, ranged: Fraction | None = None, mend: bool = False
    ) -> Balls | None:
        """True values are not put in but computed anew, so that what was replaced before them is felt."""
        name = self.expression
        assert isinstance(name, f.Name)
        replaced = {
            k.base: v for k, v in choice.items() if isinstance(k, f.Name) and v is not environment.stated[k].true
        }
        return self.sheet.value(name.base, replaced)


def _flat(claims: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The claims on a head's steps under their whole names: head_1 = { weights = ... } is head_1.weights."""
    for name, rows in claims.items():
        if isinstance(rows, Mapping):
            yield from ((f"{name}.{step}", inner) for step, inner in rows.items())
        else:
            yield name, rows


def _judge(step: Step, printed: Printed, rows: Any, sheet: _Sheet, stated: Stated, environment: Environment) -> Claim:
    true = stated.true
    if printed.shape != true.shape:
        sizes = {"found": size_text(printed.shape), "expected": size_text(true.shape)}
        raise InputError(Sentence("claim_size", **sizes), place=f"claims.{step.name}")
    used = tuple(key for name in sheet.before(step) if environment.stated[key := f.Name(name)].prints)
    definition = _StepDefinition(f.Name(step.name), true, used, true, sheet)
    found = Judge(printed, [definition], environment, None).judge()
    reading = _reading(step, printed, found, sheet, environment)
    entries = [
        finding(printed, place, found[place], true, explaining(reading, place, found[place]))
        for place in printed.places()
    ]
    bad = {
        (e.row - 1, e.column - 1): e.because
        if isinstance(e.because, Cause)
        else Cause(None, step.name, e.row, e.column)
        for e in entries
        if e.verdict in BAD
    }
    loose = printed.as_prints()  # a calculator goes on with more digits than are written
    stated.prints.append(Print(printed.as_given, correct_prints(printed, bad, true), bad, loose))
    text = "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in rows) + "]"
    return Claim(None, None, step.name, text, tuple(entries), printed.shape)


def _reading(
    step: Step, printed: Printed, found: Mapping[Place, Judgement], sheet: _Sheet, environment: Environment
) -> Reading | None:
    """The mistake with a name that explains the wrong numbers, where the step has a formula for it."""
    formula = sheet.formula(step)
    definition = try_define(formula, environment) if formula is not None else None
    if definition is None or not same_values(definition.true, sheet.true[step.name]):
        return None
    width = next((size for letter, size in sheet.sizes.items() if letter.name == "d_k"), None)
    return find_reading(printed, found, [definition], environment, width)


def _read_prints(name: str, rows: Any, program: Program) -> Printed:
    place = f"claims.{name}"
    if name not in {step.name for step in program}:
        known = listed(name, (step.name for step in program))
        raise InputError(Sentence("no_step", name=name[:40], known=known), place=place)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and row for row in rows):
        raise InputError(Sentence("not_rows"), place=place)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(Sentence("ragged", row=i + 1, length=len(row), first=len(rows[0])), place=place)
    cells = tuple(tuple(_cell(x, place, i, j) for j, x in enumerate(row)) for i, row in enumerate(rows))
    table = table_of_prints(f.Matrix(cells))
    assert table is not None
    return table


def reads_as_number(x: object) -> bool:
    """Whether a text is a number as worksheets claim it, or −∞.

    >>> [reads_as_number(x) for x in ("-2", "0.50", "-inf", "", "two")]
    [True, True, True, False, False]
    """
    return _number(x) is not None


def _number(x: object) -> f.Expression | None:
    text = str(x).strip().replace("Infinity", "inf")
    try:
        if isinstance(x, bool) or not isinstance(x, str | int | Decimal):
            return None
        (chain,) = f.parse(text)
        (side,) = chain.sides
        cell = side.expression
    except (FormulaError, ValueError):
        return None
    return cell if isinstance(cell, f.Number) or (isinstance(cell, f.Infinity) and cell.sign < 0) else None


def _cell(x: object, place: str, i: int, j: int) -> f.Expression:
    cell = _number(x)
    if cell is not None:
        return cell
    text = str(x).strip()
    at = Sentence("at_entry", row=i + 1, column=j + 1)
    raise InputError(Sentence("claim_not_number", text=text[:40]), place=place, within=at)
