"""The two features of a rotated pair, each printed by itself: x′₁ = x₁ cos φ − x₂ sin φ, x′₂ = x₁ sin φ + x₂ cos φ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.rotations.judge import ABOUT, accept_turn
from symattn.checking.formulas.statements.context import Context, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.symbols import spell
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

_NEXT = regex(r"(?P<first>.*?)\+(?:1|d(?:_[a-z]+)?/2|D/2)")
_PAIRS = {("1", "2"), ("0", "1"), ("x", "y"), ("2i-1", "2i"), ("2k-1", "2k"), ("2j-1", "2j"), ("a", "b")}


@dataclass(frozen=True)
class Feature:
    """A printed feature: of which pair, which of the two, and what stands with the cosine and with the sine."""

    pair: tuple[f.Name, f.Name]
    second: bool
    by_cosine: tuple[f.Name, int]
    by_sine: tuple[f.Name, int]
    cosine: f.Call
    sine: f.Call

    @property
    def base(self) -> str:
        """What the pair is of; nothing for x and y, which are letters of their own."""
        return "".join((self.pair[0].base, *self.pair[0].sup)) if self.pair[0].sub else ""

    @property
    def turns(self) -> int:
        """1 where it is a feature of the pair turned by φ, −1 where of the pair turned by −φ, 0 where of neither."""
        own, other = self.pair[self.second], self.pair[not self.second]
        if self.by_cosine != (own, 1) or self.by_sine[0] != other:
            return 0
        return self.by_sine[1] if self.second else -self.by_sine[1]


def judge_turned_pair(statement: Statement, context: Context) -> Formula | None:
    """One feature: false where it is that of no rotation, or of another one than its partner or the other vector."""
    own = read_feature(statement.equals)
    if own is None or not context.mentions(ABOUT):
        return None
    multiplied = context.once(_multiplies)
    others = [each for number, each in context.once(find_features).items() if number != statement.number]
    angle = own.cosine.arguments
    turned = {each.turns for each in others if each.base == own.base and each.cosine.arguments == angle}
    opposite = {each.turns for each in others if {each.base, own.base} == {"q", "k"}} - {0}
    if own.turns == 1:
        return accept_turn(statement)
    if 1 in opposite and not multiplied:
        return None  # which product is made of both is not said
    turned |= opposite
    if own.turns == -1 and 1 not in turned:
        return accept_turn(statement, clockwise=True)
    if own.turns == -1 and own.base in context.once(_find_conjugated):
        return None  # false, if anything is, is the line that turns it by the other angle
    if -1 in turned and 1 not in turned:
        return None  # the other direction may be meant
    return refuse(statement, Sentence("theorem.turned_pair"), _right(own, statement), _point(own))


def _right(own: Feature, statement: Statement) -> str:
    """The feature of the pair turned by φ, in the author's letters."""
    first, second, cosine, sine = map(statement.printed, (*own.pair, own.cosine, own.sine))
    left = statement.passage.text[statement.start : statement.sides[1].start]
    return f"{left}{first} {sine} + {second} {cosine}" if own.second else f"{left}{first} {cosine} - {second} {sine}"


def _point(own: Feature) -> Counterexample:
    """A pair of 0 and 1 and a quarter turn, or none, at which the printed feature is not that of the turned pair."""
    for quarter, values in product((0, 1), ((1, 0), (0, 1))):
        worth = dict(zip(own.pair, values, strict=True))
        (by_cosine, c), (by_sine, s) = own.by_cosine, own.by_sine
        printed = s * worth[by_sine] if quarter else c * worth[by_cosine]
        right = (values[0] if own.second else -values[1]) if quarter else values[own.second]
        if printed != right:
            break
    shown = [(spell(x.symbol), str(value)) for x, value in worth.items()]
    return Counterexample((*shown, ("angle", "π/2" if quarter else "0")), str(printed), str(right))


def _multiplies(article: Article, statements: Sequence[Statement]) -> bool:
    """Whether the inner product of q and k is in the article."""
    products = (part for s in statements for side in s.sides for part in f.walk(side.expression) if _is_inner(part))
    return any({"q", "k"} <= {x.base[:1] for x in f.walk(part) if isinstance(x, f.Name)} for part in products)


def _find_conjugated(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """The letters that a line turns by e^{−iφ} or by cos φ − i sin φ."""
    turned = (s.left.base for s in statements if isinstance(s.left, f.Name) and any(map(_turns_back, s.equals[1:])))
    return frozenset(turned)


def _turns_back(side: f.Expression) -> bool:
    for part in f.walk(side):
        match part:
            case f.Call("exp", (f.Sum((f.Product(factors),), (-1,)),)) if f.Name("i") in factors:
                return True
            case f.Sum((f.Call("cos"), f.Product(factors)), (1, -1)) if f.Name("i") in factors:
                return any(isinstance(factor, f.Call) and factor.function == "sin" for factor in factors)
    return False


def _is_inner(e: f.Expression) -> bool:
    if isinstance(e, f.Product):
        return isinstance(e.factors[0], f.Transpose)
    return isinstance(e, f.Call) and e.function == "inner"


def find_features(article: Article, statements: Sequence[Statement]) -> dict[int, Feature]:
    found = {statement.number: read_feature(statement.equals) for statement in statements}
    return {number: feature for number, feature in found.items() if feature is not None}


def read_feature(sides: Sequence[f.Expression]) -> Feature | None:
    """`x'_1 = x_1 cos φ - x_2 sin φ`, whichever feature stands on the left; None for all else."""
    if len(sides) != 2 or not isinstance(sides[1], f.Sum) or len(sides[1].terms) != 2:
        return None
    terms: dict[str, tuple[tuple[f.Name, int], f.Call]] = {}
    for term, sign in zip(sides[1].terms, sides[1].signs, strict=True):
        own, term = signed(term)
        factors = term.factors if isinstance(term, f.Product) else ()
        names = [x for x in factors if isinstance(x, f.Name)]
        calls = [x for x in factors if isinstance(x, f.Call) and x.function in ("cos", "sin")]
        if len(factors) != 2 or len(names) != 1 or len(calls) != 1:
            return None
        terms[calls[0].function] = (names[0], sign * own), calls[0]
    if len(terms) != 2 or terms["cos"][1].arguments != terms["sin"][1].arguments:
        return None
    (by_cosine, cosine), (by_sine, sine) = terms["cos"], terms["sin"]
    pair = order_of_pair(by_cosine[0], by_sine[0])
    second = None if pair is None else _which(sides[0], pair)
    return None if pair is None or second is None else Feature(pair, second, by_cosine, by_sine, cosine, sine)


def signed(e: f.Expression) -> tuple[int, f.Expression]:
    """The sign of −x, and x."""
    return (e.signs[0], e.terms[0]) if isinstance(e, f.Sum) and len(e.terms) == 1 else (1, e)


def order_of_pair(x: f.Name, y: f.Name) -> tuple[f.Name, f.Name] | None:
    """The first and the second feature of a pair."""
    for first, second in ((x, y), (y, x)):
        if _follows(_mark(first), _mark(second)):
            same = (first.base, first.sub[:-1], first.sup) == (second.base, second.sub[:-1], second.sup)
            return (first, second) if same or not (first.sub or second.sub) else None
    return None


def _mark(name: f.Name) -> str:
    """What says which feature it is: the last mark below, or the letter of x and y."""
    return name.sub[-1].strip("()") if name.sub else name.base


def _follows(first: str, second: str) -> bool:
    found = _NEXT.fullmatch(second)
    return (first, second) in _PAIRS or (found is not None and found["first"] == first)


def _which(left: f.Expression, pair: tuple[f.Name, f.Name]) -> bool | None:
    """Whether the left side is the second feature: by its mark, or as the imaginary part; None if it is neither."""
    if isinstance(left, f.Call) and left.function in ("re", "im"):
        return left.function == "im"
    marks = [_mark(name) for name in pair]
    if isinstance(left, f.Entry) and isinstance(left.operand, f.Call) and len(left.indices) == 1:
        [own] = left.indices  # RoPE(x, m)_{2i}
    elif isinstance(left, f.Name) and left not in pair:
        own = _mark(left)
    else:
        return None
    return marks.index(own) == 1 if own in marks else None
