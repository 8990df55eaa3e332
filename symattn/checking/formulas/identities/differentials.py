"""Differentials: dY = dA V + A dV for Y = AV, and ⟨dY, ∂L/∂Y⟩ = ⟨A dV, ∂L/∂Y⟩, from which gradients are read off.

Where ∂L/∂Y stands beside dY, or dL in front, dY is no gradient but the change of Y, by the product rule. In such a
derivation one factor is often held fixed, and the changes of the others are all that is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from symattn.checking.findings import Formula
from symattn.checking.formulas.identities.judge import definitions_before
from symattn.checking.formulas.statements.context import Context, Judge, accept, refuse
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Outcome, Question, constantly
from symattn.checking.formulas.trials.dimensions import Dimensions
from symattn.checking.formulas.trials.symbols import Key, NotSettledError, Scope, spell
from symattn.checking.models.letters import is_loss, slope_of
from symattn.checking.naming import rewrite
from symattn.reading import formula as f
from symattn.writing.prose import Sentence

Named = Mapping[Key, f.Expression]
_CHANGE, _SLOPE = "δ", "∂"  # labels of a letter's change, and of the gradient by it
_SCALARS = ("tr", "trace", "inner")
MOST_PARTS = 200


def judge_differential(statement: Statement, context: Context) -> Formula | None:
    """What is said of a chain of differentials, where every letter that changes is an input or a product of inputs."""
    if not any(map(_may_change, statement.equals)):
        return None
    named = definitions_before(statement, context)
    sides = _sides(statement, named)
    if len(sides) < 2 or not _is_of_differentials(sides, named):
        return None
    if sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS:
        return None
    products = {key: body for key, body in named.items() if _is_whole(body) and not _is_scalar(body)}
    used = {key for side in sides for name in names(side) for key in _inputs(_plain(name).symbol, products)}
    made = {key: body for key, body in products.items() if set(_inputs(key, products)) <= used}
    slopes = {_plain(part) for side in sides for part in f.walk(side) if isinstance(part, f.Name) and _is_slope(part)}
    if len(slopes) > 1 or not all(map(_is_whole, sides)):
        return None  # ∂L/∂V is made of ∂L/∂Y
    root = next(iter(slopes), None)
    changing = {name.symbol for side in sides for name in _changes(side)}
    reached = {key for name in slopes for key in _inputs(name.symbol, made)}
    inputs = reached | {key for changed in changing for key in _inputs(changed, made)}
    if _LOSS_CHANGES in sides and not inputs <= reached:
        return None  # of a loss that depends on more
    outcomes: list[Outcome] = []
    try:
        for free in dict.fromkeys((frozenset(inputs), frozenset(changing & inputs))):
            for lying in (sides, [rewrite(side, _turn_slope) for side in sides]):  # ∂L/∂Y may be of the shape of Yᵀ
                worked = [_worked_out(side, root, made, free) for side in lying]
                asked = [_ask(left, right, made) for left, right in pairwise(worked)]
                if {outcome.kind for outcome in asked} == {"equal"}:
                    fixed = ", ".join(sorted(spell(key) for key in inputs - free))
                    condition = Sentence("condition.held_fixed", names=fixed) if fixed else None
                    return accept(statement, Sentence("theorem.differential"), condition)
                outcomes += [next(outcome for outcome in asked if outcome.kind != "equal")]
    except NotSettledError:
        return None
    shown = outcomes[-2] if outcomes else None
    if shown is None or not _is_certain(sides) or {outcome.kind for outcome in outcomes} - {"apart", "misfit"}:
        return None
    return (
        None if shown.kind != "apart" else refuse(statement, Sentence("theorem.differential_fails"), None, shown.shown)
    )


def _is_whole(side: f.Expression) -> bool:
    """Whether it is of whole matrices and vectors, without entries and sums over them."""
    kinds = (f.Name, f.Number, f.Sum, f.Product, f.Elementwise, f.Quotient, f.Root, f.Transpose)
    parts = list(f.walk(side))
    known = all(isinstance(x, kinds) or (isinstance(x, f.Call) and x.function in _SCALARS) for x in parts)
    return known and not any(label.islower() for x in parts if isinstance(x, f.Name) for label in _plain(x).sub)


def _turn_slope(part: f.Expression) -> f.Expression:
    return f.Transpose(part) if _is_slope(part) else part


def sparing_differentials(judge: Judge) -> Judge:
    """A judge of gradients that does not call false what are differentials."""

    def judge_gradients(statement: Statement, context: Context) -> Formula | None:
        found = judge(statement, context)
        if found is None or found.verdict != "fails" or not any(map(_may_change, statement.equals)):
            return found
        named = definitions_before(statement, context)
        return None if _is_of_differentials(_sides(statement, named), named) else found

    return judge_gradients


def _sides(statement: Statement, named: Named) -> list[f.Expression]:
    """The sides with one name for every change and every slope, those that have names of their own among them."""
    slopes = {key: body for key, body in named.items() if slope_of(body) is not None and isinstance(body, f.Derivative)}

    def put(part: f.Expression) -> f.Expression:
        return slopes.get(part.symbol, part) if isinstance(part, f.Name) else part

    return [_with_changes(rewrite(side, put)) for side in statement.equals]


def _may_change(side: f.Expression) -> bool:
    return any(isinstance(part, f.Name) and part.base[:1] == "d" for part in f.walk(side))


def _is_of_differentials(sides: Sequence[f.Expression], named: Named) -> bool:
    """Whether dY is the change of Y: beside ∂L/∂Y, behind dL, between traces, or as a sum of terms with dA and dV."""
    if not any(map(_changes, sides)):
        return False
    numbers = all(side == _LOSS_CHANGES or _is_scalar(side) for side in sides)
    mixed = (term for side in sides for term in _terms(side))
    beside = any(_changes(term) and any(map(_is_slope, f.walk(term))) for term in mixed)
    return numbers or beside or _is_product_rule(sides, named)


def _is_certain(sides: Sequence[f.Expression]) -> bool:
    """Whether d can be nothing else, in a chain of numbers: dL, traces and inner products, ∂L/∂Y beside dY in one."""
    mixed = (term for side in sides for term in _terms(side))
    numbers = all(side == _LOSS_CHANGES or _is_scalar(side) for side in sides)
    return numbers and any(_changes(term) and any(map(_is_slope, f.walk(term))) for term in mixed)


def _is_product_rule(sides: Sequence[f.Expression], named: Named) -> bool:
    """Whether it is dY = dA V + A dV, for a Y that is made of A and V."""
    first = _changed_letter(sides[0])
    body = None if first is None else named.get(first.symbol)
    if body is None:
        return False
    inside = {name.symbol for name in names(body)}
    return all(
        isinstance(side, f.Sum)
        and all(len(_changes(term)) == 1 and _changes(term)[0].symbol in inside for term in side.terms)
        for side in sides[1:]
    )


# --- letters


_LOSS_CHANGES = f.Name("L", (_CHANGE,))


def _with_changes(side: f.Expression) -> f.Expression:
    """The side with one name for every dY and every ∂L/∂Y."""

    def joined(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Derivative) and (by := slope_of(part)) is not None:
            return _labelled(by, _SLOPE)
        if isinstance(part, f.Name):
            return _of_name(part)
        if not isinstance(part, f.Product) or f.Name("d") not in part.factors:
            return part
        factors, operators = list[f.Expression](), list[str]()
        for k, factor in enumerate(part.factors):
            inner = factor.operand if isinstance(factor, f.Transpose) else factor
            if k and part.factors[k - 1] == f.Name("d") and part.operators[k - 1] == "" and isinstance(inner, f.Name):
                change = _labelled(inner, _CHANGE)
                factors[-1] = replace(factor, operand=change) if isinstance(factor, f.Transpose) else change
                continue
            operators += [part.operators[k - 1]] if k else []
            factors.append(factor)
        return factors[0] if len(factors) == 1 else replace(part, factors=tuple(factors), operators=tuple(operators))

    return rewrite(side, joined)


def _of_name(name: f.Name) -> f.Expression:
    if name.base in ("dL", "dℓ", "dJ", "dE") and not name.sub and not name.sup:
        return _LOSS_CHANGES
    own = slope_of(name)
    return name if own is None or own is name else _labelled(own, _CHANGE)


def _labelled(name: f.Name, label: str) -> f.Name:
    if label == _CHANGE and is_loss(name):
        return _LOSS_CHANGES
    return f.Name(name.base, (*name.sub, label), name.sup)


def _changed_letter(e: f.Expression) -> f.Name | None:
    """The Y of dY."""
    changed = isinstance(e, f.Name) and e.sub[-1:] == (_CHANGE,) and e != _LOSS_CHANGES
    return replace(e, sub=e.sub[:-1]) if changed and isinstance(e, f.Name) else None


def _changes(e: f.Expression) -> list[f.Name]:
    """The letters of which changes stand in it."""
    return [name for part in f.walk(e) if (name := _changed_letter(part)) is not None]


def _is_slope(e: f.Expression) -> bool:
    return isinstance(e, f.Name) and e.sub[-1:] == (_SLOPE,)


def _plain(name: f.Name) -> f.Name:
    return replace(name, sub=name.sub[:-1]) if name.sub[-1:] in ((_CHANGE,), (_SLOPE,)) else name


def _terms(e: f.Expression) -> Iterator[f.Expression]:
    yield from e.terms if isinstance(e, f.Sum) else (e,)


def _is_scalar(e: f.Expression) -> bool:
    return all(isinstance(term, f.Call) and term.function in _SCALARS for term in _terms(e))


def _inputs(key: Key, named: Named, above: frozenset[Key] = frozenset()) -> Iterator[Key]:
    """The letters that a letter is made of, in the end: itself where no line makes it of others."""
    body = None if key in above else named.get(key)
    inside = [] if body is None else [name.symbol for name in _factors(body)]
    if not inside:
        yield key
    for other in inside:
        yield from _inputs(other, named, above | {key})


def _factors(e: f.Expression) -> Iterator[f.Name]:
    """The letters of a product, without the sizes that it is divided by."""
    if isinstance(e, f.Name):
        yield e
    for part in (e.numerator,) if isinstance(e, f.Quotient) else () if isinstance(e, f.Root) else e.parts:
        yield from _factors(part)


# --- the product rule


def _worked_out(e: f.Expression, root: f.Name | None, named: Named, free: Set[Key]) -> f.Expression:
    """A side with what every change is, where only some inputs change; `root` is the letter by which L has a slope."""

    def put(part: f.Expression) -> f.Expression:
        own = _changed_letter(part)
        if part != _LOSS_CHANGES and own is None:
            return part
        if own is None and root is None:
            raise NotSettledError("dL")
        terms = list(_change_of(own or root or part, named, free))
        if not terms:
            raise NotSettledError("fixed")
        change = terms[0][0] if terms == [(terms[0][0], 1)] else f.Sum(*map(tuple, zip(*terms, strict=True)))
        if own is not None or root is None:
            return change
        return f.Call("tr", (f.Product((f.Transpose(_labelled(root, _SLOPE)), change), ("",)),))

    return rewrite(e, put)


def _change_of(e: f.Expression, named: Named, free: Set[Key]) -> Iterator[tuple[f.Expression, int]]:
    """The terms of the change of a product, each with its sign."""
    match e:
        case f.Number():
            return
        case f.Name() if e.symbol in named:
            yield from _change_of(named[e.symbol], {k: v for k, v in named.items() if k != e.symbol}, free)
        case f.Name():
            if e.symbol in free:
                yield _labelled(e, _CHANGE), 1
        case f.Sum(terms, signs):
            for term, sign in zip(terms, signs, strict=True):
                yield from ((part, sign * own) for part, own in _change_of(term, named, free))
        case f.Product(factors) | f.Elementwise(factors):
            for k, factor in enumerate(factors):
                for part, sign in _change_of(factor, named, free):
                    yield replace(e, factors=(*factors[:k], part, *factors[k + 1 :])), sign
        case f.Transpose(operand):
            yield from ((f.Transpose(part), sign) for part, sign in _change_of(operand, named, free))
        case f.Quotient(above, below):
            yield from ((f.Quotient(part, below), sign) for part, sign in _change_of(above, named, free))
        case _:
            raise NotSettledError(type(e).__name__)


def _ask(left: f.Expression, right: f.Expression, named: Named) -> Outcome:
    """Whether two sides are the same, for matrices and changes of any size that fit."""
    dimensions = Dimensions(column_vectors=True)
    for key, body in named.items():
        dimensions.symbols[key] = dimensions.of(body)
    inside = [name for e in (left, right) for name in names(e)]
    for name in inside:
        if name.sub[-1:] in ((_CHANGE,), (_SLOPE,)):
            dimensions.equate_all([dimensions.of(name), dimensions.of(replace(name, sub=name.sub[:-1]))])
    dimensions.of(left)
    try:
        dimensions.equate_all([dimensions.of(left), dimensions.of(right)])
    except NotSettledError:
        return Outcome("misfit")

    def prepare(scope: Scope) -> None:
        known = dimensions.sizes(dimensions.symbols.values(), 2 + scope.seed % 2)
        scope.definitions |= {key: ((), body) for key, body in named.items()}
        for key, pair in dimensions.symbols.items():
            if key not in named:
                shape = () if pair is None else tuple(known[dimensions.root(k)] for k in pair)
                scope.given[key] = scope.draw(key, shape) if shape else scope.number(key)
                scope.drawn[_printed(key)] = scope.given[key]

    return Question(constantly(left), prepare).ask(right)


def _printed(key: Key) -> str:
    """dV for V_δ, and ∂L/∂Y for Y_∂."""
    plain = spell((key[0], tuple(label for label in key[1] if label not in (_CHANGE, _SLOPE)), key[2]))
    return f"d{plain}" if key[1][-1:] == (_CHANGE,) else f"∂L/∂{plain}" if key[1][-1:] == (_SLOPE,) else plain
