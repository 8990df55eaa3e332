"""Gradients of one layer Z = AW + b in the letters and labels of an article: W_2 and b_2, Z^{(l)}, H_{iα} W_{αj}."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.checking.findings import Formula
from symattn.checking.formulas.gradients.forward import Reading
from symattn.checking.formulas.gradients.judge import without_chain_rules
from symattn.checking.formulas.gradients.outcomes import has_derivative, holds_in, is_proven, theorem_of, try_readings
from symattn.checking.formulas.statements.context import Context, accept, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.letters import is_loss, slope_of
from symattn.checking.models.passes import Definition, Plan
from symattn.checking.models.spelling import spell
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_OUT, _FIRST, _SECOND, _BIAS = "C", "A", "B", "G"  # letters of which none is the other's small one
_WEIGHTS = ("W", "U", "Θ")
Label = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Layer:
    """A product of two matrices, or of a matrix and a column, with a bias or without."""

    letters: dict[Label, str]
    definition: f.Expression
    column: bool  # whether the right factor is one column, Wx + b
    weights_first: bool

    def plans(self) -> list[Plan]:
        """The forward passes that it may be."""
        width = "1" if self.column else "d"
        shapes: dict[str, tuple[str, ...]] = {_FIRST: ("n", "c"), _SECOND: ("c", width)}
        shapes[_BIAS] = ("n", "1") if self.weights_first else ("1", width)
        made = {_OUT: Definition(_OUT, (), self.definition)}
        return [Plan(shapes, made, {}, columns) for columns in (True, False)]


def judge_affine(statement: Statement, context: Context) -> Formula | None:
    """A gradient whose letters are all of one layer: dW = Aᵀ dZ, dA = dZ Wᵀ, db as the sum of the rows of dZ."""
    spelled = [spell(side) for side in statement.equals]
    if len(spelled) < 2 or not any(map(has_derivative, spelled)):
        return None
    layers, used = context.once(find_layers)
    for layer in layers:
        indices: dict[str, str] = {}
        named = [_rename(side, layer.letters, indices) for side in spelled]
        sides = without_chain_rules([side for side in named if side is not None])
        by = slope_of(sides[0]) if len(sides) > 1 and len(sides) <= len(named) and None not in named else None
        own = None if by is None else next((key for key, letter in layer.letters.items() if letter == by.base), None)
        if own is None or used[own] > 1 or by is None or by.base == _OUT:
            continue  # what stands in two formulas has a gradient from each
        found = list(try_readings(sides, map(Reading, layer.plans())))
        right = [outcome for outcome in found if outcome.holds]
        if right:
            proven = any(is_proven(sides, outcome.reading.plan) for outcome in right)
            return accept(statement, theorem_of(proven))
        turned = [rewrite(side, _turn) for side in sides]
        rows = holds_in(turned, (outcome.reading for outcome in found))
        if not found or rows or layer.column or by.base == _BIAS:
            continue  # gradients may be rows where letters are columns
        return refuse(statement, Sentence("theorem.gradient_fails"), None, found[0].point)
    return None


def _turn(part: f.Expression) -> f.Expression:
    return f.Transpose(part) if isinstance(part, f.Derivative) else part


def find_layers(_: Article, statements: Sequence[Statement]) -> tuple[list[Layer], Mapping[Label, int]]:
    """The layers that an article defines, and in how many formulas each letter stands."""
    layers: list[Layer] = []
    formulas: dict[Label, set[object]] = {}
    named: dict[f.Expression, f.Expression] = {}
    for statement in statements:
        sides = [spell(side) for side in statement.equals]
        if len(sides) < 2 or any(map(has_derivative, sides)):
            continue
        for side in sides[1:]:
            labels = frozenset(_split(part)[0] for part in f.walk(_without_bounds(side)) if isinstance(part, f.Name))
            left = named.setdefault(side, sides[0])
            own = _split(left)[0] if isinstance(left, f.Name) else side
            for label in labels:  # S_ij = Σ_k X_ik W_kj is the formula S = XW again
                formulas.setdefault(label, set()).add((own, labels - {own}))
        layer = _read_layer(sides[0], sides[1])
        if layer is not None:
            layers.append(layer)
    return layers, Counter({label: len(found) for label, found in formulas.items()})


def _read_layer(left: f.Expression, right: f.Expression) -> Layer | None:
    terms = right.terms if isinstance(right, f.Sum) and right.signs == (1, 1) else (right,)
    product, bias = terms[0], terms[1] if len(terms) > 1 else None
    if not isinstance(left, f.Name) or not isinstance(product, f.Product) or len(product.factors) != 2:
        return None
    names = [left, *product.factors, *([bias] if bias is not None else [])]
    if not all(isinstance(x, f.Name) and slope_of(x) is None for x in names):
        return None
    split = [_split(x) for x in names if isinstance(x, f.Name)]
    marks = [indices for _, indices in split]
    if any(marks):
        entries = len(marks) > 2 and [len(each) for each in marks[:3]] == [2, 2, 2]
        if not entries or (marks[1][0], marks[2][1]) != marks[0] or marks[1][1] != marks[2][0]:
            return None
        if bias is not None and marks[3] != marks[0][1:]:
            return None
    labels = [label for label, _ in split]
    first, second = (label[0] for label in labels[1:3])
    weights = [first[:1] in _WEIGHTS, second[:1] in _WEIGHTS]
    if len(set(labels)) != len(labels) or sum(weights) != 1 or not (first[:1].isupper() or weights[1]):
        return None
    column = weights[0] and second[:1].islower() and not any(marks)
    row = weights[1] and first[:1].islower() and not any(marks)
    if row:
        return None  # xW of one row x: its gradients may be written as columns
    definition: f.Expression = f.Product((f.Name(_FIRST), f.Name(_SECOND)), ("",))
    if bias is not None:
        definition = f.Sum((definition, f.Name(_BIAS)), (1, 1))
    letters = dict(zip(labels, (_OUT, _FIRST, _SECOND, _BIAS), strict=False))
    return Layer(letters, definition, column, weights[0])


def _split(name: f.Name) -> tuple[Label, tuple[str, ...]]:
    """A letter with the labels that tell layers apart, and its indices."""
    labels, indices = [], list[str]()
    for part in (*name.sub, *name.item):
        if part.isdigit() or len(part) > 2 or (len(part) == 1 and part.isupper()):
            labels.append(part)
        else:
            indices += part
    return (name.base, (*labels, *name.sup)), tuple(indices)


def _rename(e: f.Expression, letters: dict[Label, str], indices: dict[str, str]) -> f.Expression | None:
    """The formula in the letters of the layer; None where it has any other."""
    known = True

    def index(mark: str) -> str:
        return indices.setdefault(mark, "ijklmn"[min(len(indices), 5)])

    def named(part: f.Expression) -> f.Expression:
        nonlocal known
        if isinstance(part, f.BigSum):
            return replace(part, index=index(part.index))
        if not isinstance(part, f.Name):
            return part
        if is_loss(part):
            return f.Name("L")
        slope = slope_of(part)
        label, marks = _split(slope or part)
        known = known and label in letters and len(marks) < 3
        own = f.Name(letters.get(label, "?"), ("".join(map(index, marks)),) if marks else (), text=part.text)
        return own if slope is None else f.Derivative(f.Name("L"), own, start=part.start, end=part.end)

    made = rewrite(_without_bounds(e), named)
    return made if known else None


def _without_bounds(e: f.Expression) -> f.Expression:
    """The formula without the sizes that its sums run to."""
    return rewrite(e, lambda part: replace(part, upper=None, lower=None) if isinstance(part, f.BigSum) else part)
