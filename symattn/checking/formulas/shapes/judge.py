"""What is said of the shapes that an article prints: of formulas, of declarations, of products of shapes.

A formula that is said to have a shape fails where no reading of what it is made of gives it, or where another sign of
transposition gives it without any condition. A declaration holds where formulas use it; where they need two sizes to be
the same that it tells apart, it holds if they are. A size that is a letter in one place and a number in another is left
alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sympy import Expr

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.declared import Claim, Place, Shapes, collect, declares, is_turned_name
from symattn.checking.formulas.shapes.disputes import Dispute, settle, turn
from symattn.checking.formulas.shapes.fitting import Fit, fit, means_weights, shape_text
from symattn.checking.formulas.shapes.heads import Found, judge_heads
from symattn.checking.formulas.shapes.inference import Reading, Shape, Stated, key_of, multiply
from symattn.checking.formulas.shapes.mentions import Arithmetic
from symattn.checking.formulas.shapes.right_factors import find_turned
from symattn.checking.formulas.shapes.sizes import (
    Sizes,
    are_heads_apart,
    are_heads_grouped,
    is_size,
    is_unknown,
    kind_of,
    size_letter,
)
from symattn.checking.formulas.shapes.turning import correct, swapped, turned
from symattn.checking.formulas.shapes.usual import find_usual
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

MOST_NEEDED = 2  # sizes that have to be the same, of which more would make a formula fit anything


def judge_shape(statement: Statement, context: Context) -> Formula | None:
    """What is said of a formula with a shape behind it, `V = XW_V ∈ ℝ^{n × d_v}`, or of a declaration."""
    return context.once(_judge_claims, collect).of_statements.get(statement.number)


def is_disputed(statement: Statement, context: Context) -> bool:
    """Whether a formula and the shape of one of its names contradict each other, and nothing tells which is wrong."""
    return statement.number in context.once(_judge_claims, collect).disputed


def judge_shapes_in_text(context: Context) -> Iterator[Formula]:
    """What is said of shapes in words, lists, tables, code and its comments."""
    shapes = context.once(collect)
    for each, place in shapes.arithmetic:
        yield from _some(judge_arithmetic(each, place, shapes))
    yield from context.once(_judge_claims, collect).in_text


def find_shapes_read(context: Context) -> Iterator[tuple[int, int]]:
    """Where shapes are stated in the source: their numbers are no claims of a calculation."""
    for claim in context.once(collect).claims:
        yield claim.place.start, claim.place.end


def _some(found: Formula | None) -> Iterator[Formula]:
    if found is not None:
        yield found


@dataclass(frozen=True)
class _Judged:
    """What is said of the claims of statements, by their numbers, and of those in the text around them."""

    of_statements: Mapping[int, Formula]
    in_text: Sequence[Formula]
    disputed: frozenset[int]  # statements that contradict another, and none tells which of them is wrong


def _judge_claims(article: Article, statements: Sequence[Statement], shapes: Shapes) -> _Judged:
    """Judge claims with formulas by these, then the others by what all formulas make of them."""
    judged = [(claim, judge_claim(claim, shapes)) for claim in shapes.claims if claim.formulas]
    wrong = [claim for claim, found in judged if found is not None and found.verdict == "fails"]
    disputes = [each for claim in wrong if (each := settle(claim, shapes, statements)) is not None]
    turned_round = [each for each in disputes if each.wrong == "declaration"]
    unsettled = [part for each in disputes if each.wrong == "unsettled" for part in (each.claim, each.declaration)]
    if wrong:  # what they say of their first side is no shape of it
        right = [each.claim for each in turned_round]
        shapes = shapes.without([claim for claim in wrong if claim not in right])
        shapes = turn([each.declaration for each in turned_round], shapes)
        judged = [(claim, judge_claim(claim, shapes)) for claim in shapes.claims if claim.formulas]
    said = [(claim, found) for claim, found in judged if found is not None]
    said += _judge_declarations(said, shapes, statements)
    doubted = [*unsettled, *(each.declaration for each in turned_round)]
    said = [(claim, found) for claim, found in said if claim not in doubted]
    said += [(each.declaration, _of_dispute(each)) for each in turned_round]
    known = {claim.place.start for claim, _ in said}
    heads = (
        (each.claim, _of_heads(each)) for each in judge_heads(shapes.claims, article.words, shapes.relations.formulas)
    )
    said += [(claim, found) for claim, found in heads if found.verdict == "fails" or claim.place.start not in known]
    if not wrong and all(found.verdict != "fails" for _, found in said):
        said += _judge_usual([claim for claim, _ in said], shapes, statements)
    said = list(_without_exchanged(said, shapes, statements))
    of_statements = {claim.statement.number: found for claim, found in said if claim.statement is not None}
    disputed = frozenset(claim.statement.number for claim in unsettled if claim.statement is not None)
    return _Judged(of_statements, [found for claim, found in said if claim.statement is None], disputed)


def _without_exchanged(
    said: Sequence[tuple[Claim, Formula]], shapes: Shapes, statements: Sequence[Statement]
) -> Iterator[tuple[Claim, Formula]]:
    """What is said, and that weights on the right of their tokens are declared as those on the left: false where the
    shape of the tokens is declared, too, and else open."""
    exchanged = {claim.place.start: sure for claim, sure in find_turned(shapes.claims, statements, shapes.declared)}
    for claim, found in said:
        sure = exchanged.get(claim.place.start)
        if sure:
            shape = claim.axes[::-1]
            theorem = Sentence("formula_shape_exchanged", shape=shape_text(shape))
            yield claim, _refuse(claim.place, theorem, _with_space(claim.place, shape))
        elif sure is None or found.verdict == "fails":
            yield claim, found


def judge_claim(claim: Claim, shapes: Shapes) -> Formula | None:
    """Whether the formulas that are said to have a shape have it; None where that cannot be told."""
    stated = shapes.near(claim.place.start)
    found: list[tuple[f.Expression, Fit]] = []
    for side in claim.formulas:
        held = _weigh(fit(side, claim.axes, stated, shapes.relations.formulas), shapes)
        if held.outcome == "fits-if" and _tells_apart(held.needed, claim, shapes):
            held = replace(held, outcome="never")
        found.append((side, held))
    if not found or any(each.outcome == "unknown" for _, each in found):
        return None
    if any(_is_list_of(side, claim) or means_weights(side, stated) for side in claim.formulas):
        return None
    worst = max(found, key=lambda each: ("fits", "fits-if", "never").index(each[1].outcome))
    side, held = worst
    if held.outcome != "fits":
        right = _corrected(claim, side, shapes)
        if right is not None:
            return _refuse(claim.place, _does_not(side, held, claim), right)
    own = fit(side, None, stated, shapes.relations.formulas)
    exchanged = held.outcome == "fits-if" and own.outcome == "fits" and _are_exchanged(own.shape, claim)
    if held.outcome == "never" or exchanged:
        settled = own.outcome == "fits" and own.shape and not any(map(is_unknown, own.shape))
        right = _with_shape(claim, own.shape) if settled and own.shape else None
        return _refuse(claim.place, _does_not(side, own, claim), right)
    if not held.tested:
        return None
    theorem = Sentence("formula_shape", shape=shape_text(claim.axes), formula=_printed(side, claim))
    if held.outcome == "fits-if":
        lost = own.shape is not None and own.outcome == "fits" and _is_other_length(own.shape, claim)
        return None if lost else _accept(claim.place, theorem, held.needed)
    plain = len(claim.sides) == 1 or all(_is_plain(side) for side in claim.formulas)
    return _accept(claim.place, theorem) if plain else None


def _is_list_of(side: f.Expression, claim: Claim) -> bool:
    """Whether t = [x, y, z] is said to be 3 × 1: a list with commas lies in print, and may well be a column."""
    in_print = "&" not in claim.place.text
    lies = isinstance(side, f.Matrix) and len(side.rows) == 1 and len(side.rows[0]) > 1
    return lies and in_print and claim.axes is not None and len(claim.axes) == 2 and claim.axes[1] == 1


def _are_exchanged(own: Shape, claim: Claim) -> bool:
    """Whether a matrix n × m is said to be m × n, which no author writes of one size with two letters."""
    axes = claim.axes
    if own is None or axes is None or len(own) != 2 or len(axes) != 2 or own == tuple(axes):
        return False
    return own == tuple(axes)[::-1] and all(axis.is_Symbol for axis in own)


def _is_other_length(own: tuple[Expr, ...], claim: Claim) -> bool:
    """Whether the queries' number of rows has become that of the keys, a letter that the shape would not have."""
    axes = claim.axes
    if axes is None or len(own) != 2 or len(axes) != 2 or own[1] != axes[1] or own[0] in axes or axes[0] in own:
        return False
    return all(axis.is_Symbol and kind_of(str(axis)) == "tokens" for axis in (own[0], axes[0]))


def _tells_apart(needed: Sequence[tuple[Expr, Expr]], claim: Claim, shapes: Shapes) -> bool:
    """Whether two numbers of tokens that would have to be the same are the two sizes of a matrix, S ∈ ℝ^{n × m}, that
    another line declares: such an article has as many queries as keys nowhere."""
    if len(needed) != 1 or any(not size.is_Symbol or kind_of(str(size)) != "tokens" for size in needed[0]):
        return False
    both = set(needed[0])
    others = (other for other in shapes.claims if other.place.start != claim.place.start)
    return not both <= set(claim.axes) and any(both == set(other.axes[-2:]) for other in others)


def _is_plain(side: f.Expression) -> bool:
    """Whether a side is so simple that an equation with it says nothing but its shape: a product of names, a function
    of one, one divided by a root. Of a longer formula the equation may be false though its shape is right."""
    match side:
        case f.Product(factors=factors):
            return all(isinstance(factor, f.Name) or is_turned_name(factor) for factor in factors)
        case f.Call(arguments=(f.Name(),)) | f.Quotient(numerator=f.Name(), denominator=f.Root()):
            return True
    return isinstance(side, f.Name) or is_turned_name(side)


def _weigh(held: Fit, shapes: Shapes) -> Fit:
    """A fit without what the article says of its sizes; unknown where a letter would have to be a number."""
    needed = tuple(pair for pair in held.needed if not shapes.relations.say(*pair))
    if any(not size.free_symbols for pair in needed for size in pair):
        return Fit("unknown")
    if any(are_heads_grouped(*pair) and not all(size.is_Symbol for size in pair) for pair in needed):
        return Fit("unknown")  # heads side by side: of one of them, or repeated, which is seldom written
    if any(are_heads_apart(*pair) for pair in needed):
        return Fit("never", needed, held.shape)
    outcome = held.outcome if held.outcome != "fits-if" or needed else "fits"
    return replace(held, needed=needed, outcome=outcome)


def condition(needed: Sequence[tuple[Expr, Expr]]) -> Sentence:
    """What has to hold, d_q = d_k; of as many queries as keys that it is self-attention."""
    equations = ", ".join(f"{a} = {b}" for a, b in needed)
    tokens = len(needed) == 1 and all(size.is_Symbol and kind_of(str(size)) == "tokens" for size in needed[0])
    return Sentence("formula_if_tokens" if tokens else "formula_if", equations=equations)


def _does_not(side: f.Expression, own: Fit, claim: Claim) -> Sentence:
    if own.shape is None or own.outcome == "never":
        return Sentence("formula_shape_never", formula=_printed(side, claim), shape=shape_text(claim.axes))
    return Sentence(
        "formula_shape_other", formula=_printed(side, claim), own=shape_text(own.shape), shape=shape_text(claim.axes)
    )


def _printed(side: f.Expression, claim: Claim) -> str:
    return claim.printed[side.start : side.end].strip()


def _with_shape(claim: Claim, shape: tuple[Expr, ...]) -> str | None:
    sides = claim.place.text
    cut = max(sides.rfind(sign) for sign in ("\\in", "∈", "[", "("))
    before = sides[:cut].strip()
    gap = "" if before.endswith("^") else " "
    return f"{before}{gap}({shape_text(shape)})" if cut > 0 else None


def _corrected(claim: Claim, side: f.Expression, shapes: Shapes) -> str | None:
    """The formula with a name transposed, or no longer, or its factors in the other order, if it then has the shape
    without any condition; a name of which no line says how large it is would fit anywhere."""
    stated = shapes.near(claim.place.start)
    if claim.statement is None or not all(_is_settled(part, stated) for part in f.walk(side)):
        return None
    start, end = claim.statement.chain.start, claim.statement.chain.end
    text = claim.printed[:end]
    others = [(other, correct(text, parts)) for other, parts in turned(side)]
    others += [change for change in [swapped(side, text)] if change is not None]
    for other, new in others:
        held = _weigh(fit(other, claim.axes, stated, shapes.relations.formulas), shapes)
        if held.outcome == "fits" and held.tested > 1:
            return None if new is None else new[start:].strip()
    return None


def _is_settled(part: f.Expression, stated: Stated) -> bool:
    """Whether it is no name, or one with a shape or a definition, or a size."""
    if not isinstance(part, f.Name) or is_size(part):
        return True
    return key_of(part) in stated.shapes or key_of(part) in stated.definitions


def judge_arithmetic(each: Arithmetic, place: Place, shapes: Shapes) -> Formula | None:
    """Whether the product of arrays of these shapes has the shape that is printed.

    A product that does not fit is called wrong only where it can be nothing but one of shapes.
    """
    stated = any(one in shapes.sure for one in (*each.factors, each.product))
    if not (stated or each.has_common_sizes):
        return None
    held: list[tuple[tuple[Expr, ...] | None, Reading]] = [(each.factors[0], Reading())]
    for factor in each.factors[1:]:
        held = [found for left, reading in held for found in multiply(left, factor, reading)]
    fits = [
        sizes.needed_now()
        for shape, reading in held
        if shape is not None and len(shape) == len(each.product)
        for sizes in _equate(shape, each.product, reading.sizes)
    ]
    theorem = Sentence("formula_shape_product")
    if not fits:
        if _by_entries(each.factors, each.product):
            return None
        certain = stated or any(axis.free_symbols for one in (*each.factors, each.product) for axis in one)
        return _refuse(place, theorem) if certain else None
    needed = min(fits, key=len)
    if any(not size.free_symbols for pair in needed for size in pair):
        return None
    return _accept(place, theorem, needed)


def _by_entries(factors: Sequence[tuple[Expr, ...]], product: tuple[Expr, ...]) -> bool:
    """Whether the factors can be multiplied entry by entry, an axis of 1 as often as need be, [n, 1] × [n, d]."""
    if any(len(shape) != len(product) for shape in factors):
        return False
    return all({*sizes} - {1} <= {size} for size, *sizes in zip(product, *factors, strict=True))


def _equate(own: Sequence[Expr], shape: Sequence[Expr], sizes: Sizes) -> Iterator[Sizes]:
    held: Sizes | None = sizes
    for a, b in zip(own, shape, strict=True):
        held = held.equate(a, b) if held is not None else None
    if held is not None:
        yield held


# --- declarations


def _judge_declarations(
    judged: Sequence[tuple[Claim, Formula]], shapes: Shapes, statements: Sequence[Statement]
) -> Iterator[tuple[Claim, Formula]]:
    """What formulas make of the shapes that names were declared with."""
    if all(claim.formulas for claim in shapes.claims):
        return  # nothing is declared
    failing = {claim.statement.number for claim, said in judged if said.verdict == "fails" and claim.statement}
    uses = [held for each in statements if each.number not in failing for held in _uses(each, shapes)]
    uses += [
        _weigh(shapes.fit(side, claim.axes, claim.place.start), shapes)
        for claim, said in judged
        for side in claim.formulas
        if said.verdict != "fails"
    ]
    best: dict[tuple[str, Shape], Fit] = {}
    for held in uses:
        for named in held.chosen.items() if held.tested else ():
            if named not in best or len(held.needed) < len(best[named].needed):
                best[named] = held
    for claim in shapes.claims:
        mine = [best[named] for named in declares(claim) if named in best]
        if mine and not claim.formulas:
            least = min(mine, key=lambda held: len(held.needed))
            if len(least.needed) <= MOST_NEEDED:
                yield claim, _of_declaration(claim, least)


def _judge_usual(
    known: Sequence[Claim], shapes: Shapes, statements: Sequence[Statement]
) -> Iterator[tuple[Claim, Formula]]:
    """That what is declared goes together as attention multiplies it, where no formula of the article tells."""
    places = {claim.place.start for claim in known}
    for claim in dict.fromkeys(find_usual(shapes, statements)):
        if claim.place.start not in places and not claim.formulas:
            yield claim, _accept(claim.place, Sentence("formula_shape_usual", shape=shape_text(claim.axes)))


def _uses(statement: Statement, shapes: Shapes) -> Iterator[Fit]:
    """How the sides of a formula go with what is declared of their names."""
    sides = statement.equals
    stated = _with_argument(sides[0], shapes.near(statement.span[0])) if sides else shapes.near(0)
    for side in sides:
        if any(isinstance(part, f.Name) for part in f.walk(side)) and not isinstance(side, f.Name):
            left = sides[0] if sides[0] is not side else None
            if left is not None and _meets_inner_width(left, side, stated):
                continue  # FFN(x) = W_2 f(W_1 x) with W_1 ∈ ℝ^{d × d_ff}, whose x would have d_ff features
            held = _weigh(fit(side, left, stated, shapes.relations.formulas), shapes)
            if held.outcome in ("fits", "fits-if"):
                yield held


def _with_argument(left: f.Expression, stated: Stated) -> Stated:
    """With the x of FFN(x) as a vector of any width, where no line says how wide it is: the inner width d_ff has a
    letter of its own, which x does not meet."""
    match left:
        case f.Call("ffn" | "feedforward", (f.Name(base, (), ()),)) if base.islower() and base not in stated.shapes:
            weights = [shape for key in ("W_1", "W_2") for shape in stated.shapes.get(key, ()) if shape]
            if len(weights) == 2 and all(any(_INNER.search(str(axis)) for axis in shape) for shape in weights):
                return stated.with_shapes({base: [(size_letter("?width"),)]})
    return stated


def _meets_inner_width(left: f.Expression, side: f.Expression, stated: Stated) -> bool:
    """Whether the argument of a layer meets the axis of a weight that is the layer's inner width, by its letter."""
    argument = left.arguments[0] if isinstance(left, f.Call) and len(left.arguments) == 1 else None
    for part in f.walk(side):
        for a, b in pairwise(part.factors if isinstance(part, f.Product) else ()):
            if argument is None or argument not in (a, b):
                continue
            weight, axis = (b, 0) if a == argument else (a, -1)
            shapes = stated.shapes.get(key_of(weight), ()) if isinstance(weight, f.Name) else ()
            if any(shape and _INNER.search(str(shape[axis])) for shape in shapes):
                return True
    return False


_INNER = regex(r"_?(?:ff|ffn|inner|mlp|intermediate)\b")


def _of_declaration(claim: Claim, best: Fit) -> Formula:
    """What the formula that needs least makes of a declaration."""
    letters = {letter for axis in claim.axes for letter in axis.free_symbols}
    needed = tuple(pair for pair in best.needed if any(letters & size.free_symbols for size in pair))
    theorem = Sentence("formula_shape_declared", shape=shape_text(claim.axes))
    return _accept(claim.place, theorem, needed)


def _of_dispute(each: Dispute) -> Formula:
    """That the shape of a name is turned, by the formula that uses it and others like that."""
    place, shape = each.declaration.place, each.declaration.axes[::-1]
    theorem = Sentence("formula_shape_turned", formula=each.claim.place.text, shape=shape_text(shape))
    return _refuse(place, theorem, _with_space(place, shape))


def _with_space(place: Place, shape: Sequence[Expr]) -> str | None:
    """A declaration with another shape."""
    cut = max(place.text.rfind(sign) for sign in ("\\in", "∈", "["))
    return f"{place.text[:cut].strip()} ∈ ℝ^({shape_text(tuple(shape))})" if cut > 0 else None


def _of_heads(found: Found) -> Formula:
    """What the weights of several heads make of a declaration of one of them."""
    theorem, place = Sentence("formula_shape_heads"), found.claim.place
    if found.right is not None:
        return _refuse(place, theorem, _with_space(place, found.right))
    return _accept(place, theorem, found.needed)


def _accept(place: Place, theorem: Sentence, needed: Sequence[tuple[Expr, Expr]] = ()) -> Formula:
    """That it holds, or that it does where sizes are the same."""
    where, span = (place.line, place.column, place.text), (place.start, place.end)
    if needed:
        return Formula(*where, "holds-if", theorem, condition(needed), span=span)
    return Formula(*where, "holds", theorem, span=span)


def _refuse(place: Place, theorem: Sentence, right: str | None = None) -> Formula:
    span = (place.start, place.end)
    return Formula(place.line, place.column, place.text, "fails", theorem, right=right, span=span)
