"""Lists that do the next step to the numbers above: scores 3, −4, 2 one by one, then "[2.12, −2.83, 1.41]".

Nobody says what was done, but few things are: division by √d_k, softmax, exponentials. All numbers have to be right,
and more of them than chance would have so, or words have to name the step.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain

from symattn.checking.expected.applied import Bare
from symattn.checking.expected.evidence import same_order, shown_places, telling_places
from symattn.checking.expected.gathered import Singles
from symattn.checking.expected.implied_steps import ROOT, is_one_hot, role_of_words
from symattn.checking.expected.sought import ALL_RIGHT, weigh_against_chance
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, define_like, try_define
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import apart, distance

MOST = 64  # numbers of a list
_FEWEST = 3  # weights that are told by their order
_NEAR = 0.1
_FINE = Fraction(1, 1000)
_OFF = 2.0  # units of the last place
MOST_LISTS = 3  # that are tried


def find_reworked(
    singles: Singles,
    printed: Printed,
    environment: Environment,
    role: str | None,
    temperature: f.Expression | None = None,
    farther: Sequence[f.Expression] = (),
) -> Definition | None:
    """What a list is made of, of single numbers or of a list above; `role` is the step that its name or words name.

    What words call scaled may be made of one of the lists that stand `farther` above: others may have been scaled and
    weighed since, by another √d_k.
    """
    count = len(printed.places())
    if 1 not in printed.shape or not 1 < count <= MOST or printed.left_out:
        return None
    standing = printed.shape[1] == 1
    row = printed.turned() if standing else printed
    role = role or ("scaled" if singles.ends_in_root() else None)
    tried, near = 0, None
    operands = _operands(singles, count, environment)
    width = _root_of_width(singles, count, environment) if role == "scaled" else None
    for operand in chain(operands, farther if role == "scaled" else ()):
        for step, formula in _steps(operand, singles.latest_root() or width, temperature):
            tried += 1
            definition = try_define(f.Transpose(formula) if standing else formula, environment)
            if definition is None or definition.true.shape != printed.shape:
                continue
            if len(shown_places(printed, definition.true)) < count:
                if near is None and step == role == "weights" and _is_near(printed, definition.true):
                    near = definition
                continue
            called = step == role and not (step == "weights" and is_one_hot(row))
            asked = ALL_RIGHT + math.log10(tried)
            tells = telling_places(row) and weigh_against_chance(row) > asked  # no 0 and 1 alone
            if called or tells:
                return definition
    # only of what nothing is exactly: scores printed anew, with an error, have weights of their own
    return None if is_one_hot(row) else near


def _is_near(printed: Printed, true: Balls) -> bool:
    """Whether all numbers of three decimals or more are right but for their last digits, a unit or two."""
    pairs = zip(printed.values, printed.units, true.rows, strict=True)
    cells = [cell for row in pairs for cell in zip(*row, strict=True)]
    return bool(cells) and all(
        value is not None and unit <= _FINE and distance(x, value) <= _OFF * float(unit) for value, unit, x in cells
    )


def _operands(singles: Singles, count: int, environment: Environment) -> Iterator[f.Expression]:
    """The numbers computed last, as many as there are in the list, and the lists stated last."""
    last = singles.latest_numbers(count)
    if len(last) == count:
        yield f.Matrix((tuple(last),))
    lists = 0
    for name, stated in reversed(environment.stated.items()):
        if isinstance(name, f.Name) and not stated.stale and stated.true.shape in ((1, count), (count, 1)):
            yield name if stated.true.shape[0] == 1 else f.Transpose(name)
            lists += 1
            if lists == MOST_LISTS:
                return


def _steps(
    operand: f.Expression, root: f.Expression | None, temperature: f.Expression | None
) -> Iterator[tuple[str, f.Expression]]:
    scaled = f.Quotient(operand, ROOT)
    yield "scaled", scaled
    if root is not None:
        yield "scaled", f.Quotient(operand, root)
    yield "weights", f.Call("softmax", (operand,))
    yield "weights", f.Call("softmax", (scaled,))
    yield "exponentials", f.Call("exp", (operand,))
    if temperature is not None:
        yield "weights", f.Call("softmax", (f.Quotient(operand, temperature),))


def _root_of_width(singles: Singles, count: int, environment: Environment) -> f.Expression | None:
    """√n where the numbers computed last are dot products of vectors of n numbers, and nobody says what d_k is."""
    widths = {
        stated.true.shape
        for definition, _ in singles.latest(count)
        for name in definition.used
        if (stated := environment.stated.get(name)) is not None
    }
    rows, width = widths.pop() if len(widths) == 1 else (0, 0)
    if rows != 1 or width < 2 or environment.knows(_WIDTH):
        return None
    return f.Root(f.Number(str(width), Fraction(width), Fraction(1)))


_WIDTH = f.Name("d", sub=("k",))


def find_named_weights(bare: Bare, printed: Printed, environment: Environment) -> Definition | None:
    """Softmax of the list right above, called scaled scores, for weights that are not it but say so by their order.

    Each is within 0.1 of it; who had other weights in mind would hardly have them in this order.
    """
    count = len(printed.places())
    named = role_of_words(bare.label.lower()) in ("scaled", "masked")
    if not named or printed.shape[0] != 1 or not _FEWEST <= count <= MOST:
        return None
    definition = define_like(printed, f.Call("softmax", (bare.expression,)), environment)
    if definition is None:
        return None
    near = all(apart(x, y) <= _NEAR for x, y in zip(definition.true.rows[0], printed.as_given.rows[0], strict=True))
    return definition if near and same_order(definition.true, printed) else None
