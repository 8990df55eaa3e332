"""How far the index of a sum runs, beside how many of them there are: Σ_{j=1}^n over the rows of K ∈ ℝ^{m × d}."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import Shapes, collect
from symattn.checking.formulas.shapes.inference import (
    DEEPEST,
    Reading,
    Stated,
    TooManyReadingsError,
    indices_of,
    infer,
    key_of,
)
from symattn.checking.formulas.shapes.judge import condition, is_disputed, judge_shape
from symattn.checking.formulas.shapes.projected import fits_no_projection
from symattn.checking.formulas.shapes.scaling import find_foreign_widths
from symattn.checking.formulas.shapes.sizes import Sizes, read_size
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.models.letters import slope_of
from symattn.reading import formula as f
from symattn.writing.prose import Sentence


@dataclass(frozen=True)
class Range:
    """Where the index of a sum ends, and what it counts."""

    written: Expr
    counted: Expr
    total: f.BigSum


def restrict(found: Formula, statement: Statement, context: Context) -> Formula | None:
    """A formula that holds, if the shape that stands behind it does, its sums run as far as they should, its products
    fit the article's projections and its scores are scaled by the width of the keys.

    Nothing where it contradicts a line that may be the wrong one.
    """
    if is_disputed(statement, context):
        return None
    shape = judge_shape(statement, context) if found.verdict != "fails" else None
    if shape is not None and shape.verdict == "fails":
        return shape
    if found.verdict != "fails" and fits_no_projection(statement, context):
        return refuse(statement, Sentence("formula_never_conforms"))
    if found.verdict != "holds":
        return found
    overrun = _overrun(statement, context)
    if overrun is not None:
        return overrun
    if shape is not None and shape.condition is not None:
        return replace(found, verdict="holds-if", condition=shape.condition)
    ranges = _needed(statement, context)
    if ranges is None:
        return None  # a sum over keys that runs up to a width
    needed = (*ranges, *find_foreign_widths(statement, context.once(collect)))
    return replace(found, verdict="holds-if", condition=condition(needed)) if needed else found


def _needed(statement: Statement, context: Context) -> tuple[tuple[Expr, Expr], ...] | None:
    """Which numbers of tokens, or widths, have to be the same for sums to run as far as they should; None where these
    never do."""
    shapes = context.once(collect)
    sizes: Sizes | None = Sizes(shapes.relations.formulas)
    for found in _ranges(statement, shapes):
        sizes = sizes.equate(found.written, found.counted) if sizes is not None else None
    return None if sizes is None else sizes.needed_now()


def _overrun(statement: Statement, context: Context) -> Formula | None:
    """What is said of a sum Σ_{k=0}^N over an index that takes N values: it has one term too many."""
    text = statement.passage.text
    for found in _ranges(statement, context.once(collect), first=0):
        upper = found.total.upper
        if found.written != found.counted or upper is None or _counts_from_0(found, context.statements):
            continue
        last = f"{text[upper.start : upper.end]}-1"
        braced = text[upper.start - 1 : upper.start] == "{"
        right = text[statement.start : upper.start] + (last if braced else f"{{{last}}}") + text[upper.end :]
        right = right[: len(right) - len(text) + statement.chain.end]
        theorem = Sentence("formula_range_overrun", index=found.total.index, count=str(found.counted))
        return refuse(statement, theorem, right.strip())
    return None


def _counts_from_0(found: Range, statements: Sequence[Statement]) -> bool:
    """Whether the article has x_0 as well as x_N of N: then it may be the number of entries that is one too low."""
    bases = {name.base.lower() for name in names(found.total.body)}
    every = (name for statement in statements for side in statement.sides for name in names(side.expression))
    ends = {index for name in every if name.base.lower() in bases for index in indices_of(name)}
    return {"0", str(found.written)} <= ends


def _ranges(statement: Statement, shapes: Shapes, first: int = 1) -> Iterator[Range]:
    """The sums that begin at an index, where the article says how many of them there are; but for those up to an index
    of the left side, S_t = Σ_{j=1}^t."""
    stated = shapes.near(statement.span[0])
    own = {f.Name(index) for name in names(statement.left) for index in indices_of(name)}
    for side in statement.equals:
        for part in f.walk(side):
            if isinstance(part, f.BigSum) and _is_number(part.lower, first) and part.upper is not None:
                if part.upper in own:
                    continue
                written = read_size(part.upper)
                numbers = {x.arguments[0] for x in f.walk(part.body) if isinstance(x, f.Call) and x.function == "exp"}
                counted = {
                    c for name in names(part.body) for c in _count(name, part.index, stated, 0, number=name in numbers)
                }
                if written is not None and len(counted) == 1:
                    yield Range(written, counted.pop(), part)


def _is_number(part: f.Expression | None, value: int) -> bool:
    return isinstance(part, f.Number) and part.value == value


def _count(name: f.Name, index: str, stated: Stated, depth: int, *, number: bool = False) -> Iterator[Expr]:
    """How many values an index of a name may take: that of k_j the rows of K, that of e_ij what its formula says, and
    that of dO_i the rows of O, or of what O is defined as. The x_j of e^{x_j}, a `number`, is no row of X."""
    name = slope_of(name) or name
    own = indices_of(name)
    if index not in own or depth > DEEPEST:
        return
    place = own.index(index)
    bases = (name.base,) if number and len(own) == 1 else (name.base, name.base.upper())
    wholes = [replace(name, sub=(), base=base) for base in dict.fromkeys(bases)]
    for whole in wholes:
        for shape in stated.shapes.get(key_of(whole), ()):
            if shape is not None and len(shape) == 1 and len(own) == 1:
                yield shape[0]
                return
            if shape is not None and len(shape) == 2 and len(own) <= 2:
                yield shape[-2] if place == 0 else shape[-1]
                return
    for indices in (own, *((i, j) for i in "itn" for j in "jsm" if len(own) == 2)):
        forms = (key_of(replace(name, sub=sub, item=())) for sub in (indices, ("".join(indices),)))
        defined = next((stated.definitions[key] for key in forms if key in stated.definitions), None)
        counts = (_count(other, indices[place], stated, depth + 1) for other in names(defined)) if defined else ()
        found = next((size for each in counts for size in each), None)
        if found is not None:
            yield found
            return
    yield from _axis_of(wholes[-1], place, stated) if len(own) <= 2 else ()


def _axis_of(whole: f.Name, place: int, stated: Stated) -> Iterator[Expr]:
    """An axis of a matrix that the shapes of what it is made of tell, if they tell one alone."""
    if key_of(whole) not in stated.definitions:
        return
    try:
        shapes = {shape for shape, _ in infer(whole, stated, Reading())}
    except TooManyReadingsError:
        return
    sizes = {shape[place] for shape in shapes if shape is not None and len(shape) == 2}
    if len(shapes) == 1 and not any(str(letter).startswith("?") for size in sizes for letter in size.free_symbols):
        yield from sizes
