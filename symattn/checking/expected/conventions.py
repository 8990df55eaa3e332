"""Functions for which the field has two conventions: who keeps to the other one throughout is not wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from symattn.checking.findings import BAD, Place
from symattn.checking.naming import rewrite, rewrite_sides
from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.orientation import DOWN, turn_to_rows
from symattn.checking.verdicts import Definition, Judge, Judgement, Printed, define_like, try_define
from symattn.reading import formula as f
from symattn.values.printed import apart, distance

_SOUND = ("exact", "rounded", "truncated", "intermediate", "input-rounding")

ROUNDED = 0.02  # what a print may be off by
SAME = 1e-12
MOST_PRINTS = 3
_HUNDREDTH = Fraction(1, 100)

_OTHERS: Mapping[str, tuple[str, ...]] = {
    "gelu": ("gelu_tanh",),
    "sigma": ("std", "std_sample"),
    "var": ("var_sample",),
    "std": ("std_sample",),
    "layernorm": ("layernorm_sample", "layernorm_padded"),
    "log": ("log2", "log10"),
}


def others(expression: f.Expression, environment: Environment) -> Iterator[f.Expression]:
    """The same formula by the other convention of a function in it: GELU by tanh, n − 1 below a variance, ε within it.

    Two rows of equal length side by side are multiplied entry by entry, γ · x̂ + β, where they are no dot product, or
    the other way round, and so are two square matrices with `*` between.
    """
    turned = rewrite(expression, turn_to_rows)
    if turned is not expression:
        yield turned
    by_rows = rewrite(expression, _of_rows)  # where a column is no vector, but scores of one key
    if by_rows is not expression:
        yield by_rows
    signed = any(isinstance(part, f.Elementwise) for part in f.walk(expression))  # its other signs are no ⊙
    by_entries = expression if signed else rewrite(expression, lambda part: _by_entries(part, environment))
    if by_entries is not expression:
        yield by_entries
    dotted = rewrite(expression, _as_dot) if not environment.multiplies_by_entries else expression
    if dotted is not expression:
        yield dotted
    yield from _by_printed_moments(expression, environment)
    for name in sorted(_functions(expression) & _OTHERS.keys()):
        for other in _OTHERS[name]:
            yield rewrite(expression, lambda part, name=name, other=other: _called(part, name, other))  # type: ignore[misc]


def _functions(expression: f.Expression) -> set[str]:
    return {part.function for part in f.walk(expression) if isinstance(part, f.Call)}


def _of_rows(part: f.Expression) -> f.Expression:
    if not isinstance(part, f.Call) or part.function != "softmax" or part.label or part.options not in ((), (DOWN,)):
        return part
    return replace(part, label=("row",))


def define_by_conventions(formula: f.Expression, environment: Environment) -> Iterator[Definition]:
    """A formula as it stands and by the other conventions, as far as it has a value by them."""
    for spelled in (formula, *others(formula, environment)):
        if (definition := try_define(spelled, environment)) is not None:
            yield definition


def _by_printed_moments(expression: f.Expression, environment: Environment) -> Iterator[f.Expression]:
    """(x − μ)/σ for LayerNorm(x), with the mean and the deviation of x as they were printed."""
    match expression:
        case f.Call("layernorm", (x,)):
            for mean in _prints_of(f.Call("mean", (x,)), environment):
                for name in ("std", "std_sample"):
                    for deviation in _prints_of(f.Call(name, (x,)), environment):
                        yield f.Quotient(f.Sum((x, mean), (1, -1)), deviation)


def _prints_of(formula: f.Expression, environment: Environment) -> list[f.Number]:
    """The numbers judged so far that may be rounded prints of what a formula comes to."""
    whole = environment.worth(formula)
    if whole is None or whole.shape != (1, 1):
        return []
    value = whole.rows[0][0]
    near = [
        number
        for number, meanings in environment.judged.items()
        if (off := distance(value, number)) < ROUNDED
        and (off < SAME or any(apart(m, value) < ROUNDED for m in meanings))
    ]
    nearest = sorted(near, key=lambda number: distance(value, number))[:MOST_PRINTS]
    return [f.Number(str(float(number)), number, _HUNDREDTH) for number in nearest]


def add_by_entries(chain: f.Chain, environment: Environment) -> f.Chain:
    """The chain with γ · x̂ + β multiplied entry by entry: a row is added, so that no number can be meant.

    Who writes ⊙ for that means by p · g the number that is taken from each entry, g − p · g; γ x̂ has no sign.
    """
    dotted = environment.multiplies_by_entries

    def multiply(term: f.Expression) -> f.Expression:
        return (
            term if dotted and isinstance(term, f.Product) and any(term.operators) else _by_entries(term, environment)
        )

    def change(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Sum) or not any(isinstance(term, f.Product) for term in part.terms):
            return part
        if not any(_row_width(t, environment) for t in part.terms if isinstance(t, f.Name | f.Matrix)):
            return part
        return replace(part, terms=tuple(map(multiply, part.terms)))

    return rewrite_sides(chain, change)


def _by_entries(part: f.Expression, environment: Environment) -> f.Expression:
    match part:
        case f.Product((a, b), operators):
            width = _row_width(a, environment)
            alike = width and width == _row_width(b, environment)
            if alike or (operators == ("*",) and _is_square_alike(a, b, environment)):
                return f.Elementwise((a, b), start=part.start, end=part.end)
    return part


def _as_dot(part: f.Expression) -> f.Expression:
    """The product of two rows that was taken for one by entries, as their dot product."""
    return f.Product(part.factors, ("·",)) if isinstance(part, f.Elementwise) and len(part.factors) == 2 else part


def _is_square_alike(a: f.Expression, b: f.Expression, environment: Environment) -> bool:
    """Whether two square matrices are of one size: programs multiply these entry by entry with `*`."""
    first, second = environment.worth(a), environment.worth(b)
    alike = first is not None and second is not None and first.shape == second.shape
    return first is not None and alike and first.shape[0] == first.shape[1] > 1


def with_identity(expression: f.Expression, environment: Environment) -> f.Expression:
    """A − 3 I for A − 3, where A is square: which of the two a short text means is not sure."""
    return rewrite(expression, lambda part: _times_identity(part, environment))


def _times_identity(part: f.Expression, environment: Environment) -> f.Expression:
    if not isinstance(part, f.Sum):
        return part
    shapes = [value.shape if (value := environment.worth(term)) is not None else None for term in part.terms]
    size = max((rows for rows, columns in filter(None, shapes) if rows == columns), default=1)
    if size == 1 or (1, 1) not in shapes:
        return part
    identity = f.Name("I", (str(size),))
    each = zip(part.terms, shapes, strict=True)
    return replace(
        part, terms=tuple(f.Product((term, identity), ("",)) if shape == (1, 1) else term for term, shape in each)
    )


def _row_width(part: f.Expression, environment: Environment) -> int:
    """How many numbers a row has; 0 for what is none, or not known."""
    value = environment.worth(part)
    rows, columns = value.shape if value is not None else (0, 0)
    return columns if rows == 1 < columns else 0


def _called(part: f.Expression, name: str, other: str) -> f.Expression:
    return replace(part, function=other) if isinstance(part, f.Call) and part.function == name else part


def is_sound(found: Mapping[Place, Judgement]) -> bool:
    """Whether no number is wrong, or carried, or off in its last digit."""
    return all(judgement.verdict in _SOUND for judgement in found.values())


def judge_by_others(
    printed: Printed, definition: Definition, found: dict[Place, Judgement], environment: Environment, written: str
) -> tuple[dict[Place, Judgement], Definition] | None:
    """The verdicts if a function is taken by its other convention, and that: where nothing is wrong then, or else
    where it explains two numbers or more, at least half of all, and more than the definition itself does.

    `written` is the formula as it stands in the text: of ln the base is known.
    """
    natural = "ln" in written and "log" not in written
    best, most = None, max(_count_sound(found), FEWEST - 1, (len(found) - 1) // 2)
    for expression in others(definition.expression, environment):
        convention = _functions(expression) - _functions(definition.expression)
        if natural and convention & {"log2", "log10"}:
            continue
        if (other := define_like(printed, expression, environment)) is None:
            continue
        judged = Judge(printed, [other], environment, None).judge()
        cut = any(_excuses(judged[place], found[place]) for place in found.keys() & judged.keys())
        if cut and not (convention and convention <= environment.kept_to):
            continue
        if is_sound(judged):
            environment.kept_to |= convention
            return judged, other
        if (sound := _count_sound(judged)) > most:
            best, most = (judged, other), sound
    return best


def bases_that_fit(printed: Printed, expression: f.Expression, environment: Environment) -> frozenset[str] | None:
    """In which bases the logarithm of a formula gives what is printed; None without one whose base is not said."""
    if not any(isinstance(part, f.Call) and part.function == "log" and not part.label for part in f.walk(expression)):
        return None
    spelled = {name: rewrite(expression, lambda part, name=name: _called(part, "log", name)) for name in _BASES}  # type: ignore[misc]
    defined = {name: define_like(printed, each, environment) for name, each in spelled.items()}
    return frozenset(
        name
        for name, d in defined.items()
        if d is not None and is_sound(Judge(printed, [d], environment, None).judge())
    )


_BASES = ("log", *_OTHERS["log"])


def _excuses(judged: Judgement, found: Judgement) -> bool:
    """Whether a wrong number would be right only by another convention and, besides, cut off instead of rounded.

    That is too much of an excuse, unless the text has been seen to keep to that convention.
    """
    return found.verdict in BAD and judged.verdict == "truncated"


def _count_sound(found: Mapping[Place, Judgement]) -> int:
    return sum(judgement.verdict in _SOUND for judgement in found.values())


FEWEST = 2  # numbers that show by being right which convention was meant
