"""Gradients of one row: p = P[i, :] and s = S[i, :] are rows of numbers, so that ds = dp (diag(p) − pᵀp)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symattn.checking.formulas.gradients.forward import OUTPUTS, SCORES, SIZES, WEIGHTS, Reading
from symattn.checking.formulas.gradients.layers import VECTOR, softmax_plans
from symattn.checking.formulas.gradients.outcomes import Outcome, try_readings
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.symbols import Shape, declared_shapes, shape_in_sizes, spell
from symattn.checking.models.letters import letter_of, slope_of
from symattn.checking.models.passes import Definition, Plan
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article

# that something is a row of another, in words or as P[i, :]
OF_ROWS = regex(
    r"\brow\b(?! ?-?(?:sum|max|wise))|行向量|一行|行ベクトル|행 ?벡터|fila\b|linha\b|ligne\b|Zeile\b|строк"
    r"|\[\s*[a-z]\s*,\s*:\s*\]|_\{?[a-z],?:",
    re.IGNORECASE,
)


_SAID = regex(
    r"\b(?:one|a|an|each|single|every|per|this|that|the)(?: \w+)? rows?\b|\brow vector|\bvector|\brow \$?[ijkt]\b"
    r"|向量|[一每单]行|行ベクトル|ベクトル|벡터|fila\b|linha\b|ligne\b|Zeile\b|vecteur|vektor|строк",
    re.IGNORECASE,
)


def takes_for_one_row(plan: Plan, sides: Sequence[f.Expression], statement: Statement, context: Context) -> bool:
    """Whether a softmax of a matrix S is taken for that of one row, and neither the letters nor words say so.

    Of a row are entries with one index, diag(P) and what words beside the statement call a vector; P ∘ (dP − tr(Pᵀ dP))
    is the gradient of one row, and of no matrix with more of them.
    """
    matrices = {
        key
        for weights, made in plan.definitions.items()
        for part in f.walk(made.expression)
        if isinstance(part, f.Call) and part.function == "softmax" and isinstance(part.arguments[0], f.Name)
        for key in (weights, part.arguments[0].base)
        if key.isupper() and plan.shapes.get(part.arguments[0].base) in (VECTOR, VECTOR[::-1])
    }
    if not matrices or _SAID.search(statement.before + statement.text + statement.after):
        return False
    parts = [part for side in sides for part in f.walk(side)]
    names = [slope_of(part) or part for part in parts if isinstance(part, f.Name | f.Derivative)]
    letters = [letter_of(name) for name in names if isinstance(name, f.Name)]
    diagonals = (part.arguments[0] for part in parts if isinstance(part, f.Call) and part.function == "diag")
    shapes = context.once(_find_shapes)
    return not (
        not matrices.isdisjoint(context.once(_find_divided))
        or any(letter.key in matrices and len(letter.indices) == 1 for letter in letters)
        or any(isinstance(inside, f.Name) and inside.base in matrices for inside in diagonals)
        or any(key in shapes and (len(shapes[key]) == 1 or _ONE in shapes[key]) for key in matrices)
    )


_ONE = "1"


def _find_divided(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters whose entries have one index and are divided by a sum of all, P_i = e^{S_i} / Σ_j e^{S_j}."""
    found = set[str]()
    for statement in statements:
        match statement.equals:
            case (f.Name() as name, f.Quotient(f.Call("exp"), f.BigSum()), *_) if len(letter_of(name).indices) == 1:
                found.add(letter_of(name).key)
    return frozenset(found)


def _find_shapes(_: Article, statements: Sequence[Statement]) -> dict[str, Shape]:
    """The shapes that an article states of letters."""
    shapes = {spell(key): shape_in_sizes(shape) for key, shape in declared_shapes(statements).items()}
    return {key: shape for key, shape in shapes.items() if shape is not None}


def as_one_row(
    sides: Sequence[f.Expression], keys: Sequence[str], known: Mapping[str, Definition], source: str
) -> list[Outcome]:
    """What a statement comes to where small letters without an index, and weights of which diag(P) is taken, are one
    row each, or one column."""
    names = [slope_of(part) or part for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    if any(isinstance(name, f.Name) and (name.sub or name.item) for name in names) and not _are_of_entries(sides):
        return []
    return list(try_readings(sides, map(Reading, _plans(sides, keys, known, source))))


def _are_of_entries(sides: Sequence[f.Expression]) -> bool:
    """Whether all gradients are by letters with one index, and δ_ij has two, as in the Jacobian of one row."""
    parts = [part for side in sides for part in f.walk(side)]
    slopes = [slope_of(part) for part in parts if isinstance(part, f.Derivative)]
    names = [*slopes, *(part for part in parts if isinstance(part, f.Name) and part.base != "L")]
    letters = [letter_of(name) for name in names if name is not None]
    counts = {len(letter.indices) for letter in letters if letter.key != "δ"}
    deltas = {len(letter.indices) for letter in letters if letter.key == "δ"}
    return None not in slopes and (counts, deltas) == ({1}, {2})


def weights_in_diagonals(sides: Sequence[f.Expression]) -> set[str]:
    """The capital letters of weights that are one row, as diag(P) shows."""
    parts = (part for side in sides for part in f.walk(side))
    inside = (part.arguments[0] for part in parts if isinstance(part, f.Call) and part.function == "diag")
    return {name.base for name in inside if isinstance(name, f.Name) and name.base in WEIGHTS and name.base.isupper()}


def _plans(
    sides: Sequence[f.Expression], keys: Sequence[str], known: Mapping[str, Definition], source: str
) -> Iterator[Plan]:
    """The weights, the scores and the output of one query; the softmax of one row."""
    diagonals = weights_in_diagonals(sides)
    weights = next((key for key in WEIGHTS if key in keys and (key.islower() or key in diagonals)), None)
    case = str.isupper if weights in diagonals else str.islower
    scores = next((key for key in SCORES if case(key) and (key in keys or key in known)), "s")
    output = next((key for key in OUTPUTS if case(key) and key in keys), "o")
    beside = {key: known[key] for key in keys if key in known and key not in (weights, scores, output)}
    if weights is not None and set(keys) <= {weights, scores, output, "V", "L", "δ", *beside}:
        sizes = {letter: size for letter, size in SIZES.items() if letter not in beside}
        softmax = Definition(weights, (), f.Call("softmax", (f.Name(scores),)))
        for columns in (False, True):
            factors = (f.Transpose(f.Name("V")), f.Name(weights)) if columns else (f.Name(weights), f.Name("V"))
            made = {weights: softmax, output: Definition(output, (), f.Product(factors, ("",)))}
            yield Plan({scores: VECTOR if columns else VECTOR[::-1], "V": ("m", "e")}, beside | made, sizes, columns)
    for plan in softmax_plans(keys, known, source):
        if all(shape == VECTOR for shape in plan.shapes.values()):
            yield replace(plan, shapes=dict.fromkeys(plan.shapes, VECTOR[::-1]), columns=False)


def as_entries_of_one_row(sides: Sequence[f.Expression]) -> list[f.Expression] | None:
    """dC_t = Σ_k dY_k W_tk as dC_it = Σ_k dY_ik W_tk: C and Y have one row, and one index says which column.

    None where no index stands once alone and once beside another: nothing then says that it numbers columns.
    """
    letters = [letter_of(part) for side in sides for part in f.walk(side) if isinstance(part, f.Name)]
    alone = {letter.indices[0] for letter in letters if len(letter.indices) == 1}
    beside = {index for letter in letters if len(letter.indices) == 2 for index in letter.indices}
    left = sides[0]
    if not isinstance(left, f.Name) or len(own := letter_of(left).indices) != 1 or not {*own} < alone <= beside:
        return None
    row = next(index for index in "iabcn" if index not in alone | beside)

    def with_row(part: f.Expression) -> f.Expression:
        if not isinstance(part, f.Name) or len(letter_of(part).indices) != 1:
            return part
        at = letter_of(part).indices[0]
        return replace(part, sub=(*(x for x in part.sub if x != at), row, at), item=())

    return [rewrite(side, with_row) for side in sides]


def multiplied(part: f.Expression) -> f.Expression:
    """`dp (diag(p) − pᵀp)`, read as a function of what is in the brackets, as the product that it is; and what is
    broadcast as itself, which it is beside a matrix anyway."""
    match part:
        case f.Call("broadcast", (inside,), ()):
            return inside
        case f.Call(function, (inside,), ()) if slope_of(f.Name(function)) is not None and not isinstance(
            inside, f.Name
        ):
            name = f.Name(function, start=part.start, end=part.start + len(function))
            return f.Product((name, inside), ("",), start=part.start, end=part.end)
    return part
