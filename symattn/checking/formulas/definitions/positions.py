"""Sinusoidal positions: PE(pos, 2i) = sin(pos/10000^{2i/d}), PE(pos, 2i + 1) = cos(pos/10000^{2i/d})."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices, read_index
from symattn.checking.formulas.trials.notation import find_definitions
from symattn.checking.formulas.trials.symbols import NotSettledError, Scope, spell
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

WIDTH = 8
_TOKENS = frozenset("ijls")  # letters of positions beside sines, and of anything else elsewhere
_NAMES = frozenset(["pe", "p", "pos", "pos_enc", "posenc", "positionalencoding"])
_POSITIONS = frozenset(["pos", "p", "t", "k", "position", "m", "n", "δ", "Δ", "φ", "r"])


def define_positions(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side behind `PE_{(pos, 2i)} =`; features are counted from 0, or from 1 as are those of 2i − 1."""
    places = _places(left)
    if places is None:
        return
    position, feature = places
    letters = {n.base for n in names(feature)}
    counted = {n.base for n in names(position)}
    waves = any(isinstance(part, f.Call) and part.function in ("sin", "cos") for part in f.walk(side.expression))
    if (
        len(letters) != 1
        or not counted
        or not counted <= _POSITIONS | (_TOKENS if waves else set())
        or letters & counted
    ):
        return
    own = {key: made for key, made in context.once(find_definitions).items() if key[0] in _FREQUENCIES}
    widths = [n for e in (side.expression, *(body for _, body in own.values())) for n in names(e) if is_width(n)]

    def prepare(scope: Scope) -> None:
        scope.definitions |= own
        for name in widths:
            scope.sizes[spell(name.symbol)] = WIDTH

    free = {letter: range(1, 4) for letter in sorted(counted | letters)}
    waved = _wave(side.expression) if _is_of_one_kind(statement, side, context) else ""
    from_one = any(_is_one_less(part) for e in (feature, side.expression) for part in f.walk(e))
    printed = statement.passage.kind != "code" or isinstance(left, f.Call)  # a program has its own order of features
    steps = _of_one_kind(feature, waved)
    for first, among in ((0, free), *([(1, free)] * from_one), *([(0, free | steps)] * bool(steps))):

        def value(evaluator: Evaluator, at: Indices, first: int = first) -> Tensor:
            count = evaluator.value(feature, at).whole()
            if count is None:
                raise NotSettledError("feature")
            k = count - first
            angle = evaluator.value(position, at) / Tensor.number(10000).raised(Fraction(k - k % 2, WIDTH))
            return angle.apply("cos" if k % 2 else "sin")

        question = Question(value, prepare, _always(among), place=lambda _, printed: rewrite(printed, _write_out))
        yield Variant(question, Sentence("formula.positions"), repairs=not first and among is free and printed)


def _always(among: dict[str, range]) -> Callable[[Evaluator], dict[str, range]]:
    return lambda _: among


_NEAR = 160  # characters
_EVEN = regex(
    r"(?:(?:for|when|if|with|where|is|are|at|pour|si|für|para)\s+)?\$?(?:i\$?\s+(?:is\s+)?)?(?:even|pares|gerade|paire?s?|çift)\b"
    r"(?! (?:if|simpler|longer|more|though|when|better)\b)|偶|чётн|짝수",
    re.IGNORECASE,
)
_ODD = regex(r"(?:for|when|if|with|where|is|at)?\s*\$?(?:i\$?\s+(?:is\s+)?)?odd\b|奇|нечётн|홀수", re.IGNORECASE)
_STEPS_OF_TWO = regex(r"range\([^()\n]*,\s*2\)|::2\b|step(?:s| size)?(?: of|=| =)? ?2\b")


def _is_of_one_kind(statement: Statement, side: f.Side, context: Context) -> bool:
    """Whether the words near a line tell even features from odd ones, and not the other way round."""
    near = context.around(statement, _NEAR)
    other = _ODD if _wave(side.expression) == "sin" else _EVEN
    turned = other.match(statement.after.lstrip(" $`,，(（")) is not None
    return (_EVEN.search(near) is not None or _STEPS_OF_TWO.search(near) is not None) and not turned


def _wave(e: f.Expression) -> str:
    """`sin` or `cos` where one of them is taken."""
    return e.function if isinstance(e, f.Call) and e.function in ("sin", "cos") else ""


def _of_one_kind(feature: f.Expression, wave: str) -> dict[str, range]:
    """The even features i that have a sine, or the odd ones that have a cosine, i or i + 1 with an even i."""
    match feature:
        case f.Name(letter) if wave:
            return {letter: range(2, WIDTH, 2) if wave == "sin" else range(1, WIDTH, 2)}
        case f.Sum((f.Name(letter), f.Number(value=1)), (1, 1)) if wave == "cos":
            return {letter: range(2, WIDTH, 2)}
    return {}


def _is_one_less(part: f.Expression) -> bool:
    """Whether this is i − 1 or 2i − 1, as pairs are written that are counted from 1."""
    return isinstance(part, f.Sum) and part.terms[-1] == _ONE and part.signs[-1] == -1


def _write_out(part: f.Expression) -> f.Expression:
    """`PE(k, 2i + 1)` as cos(k/10000^{2i/d})."""
    places = _places(part)
    if places is None:
        return part
    position, feature = places
    odd = isinstance(feature, f.Sum)
    even = f.Sum((feature, _ONE), (1, -1)) if odd else feature
    power = f.Power(_BASE, f.Quotient(even, f.Number(str(WIDTH), Fraction(WIDTH), Fraction(1))))
    return f.Call("cos" if odd else "sin", (f.Quotient(position, power),))


_ONE = f.Number("1", Fraction(1), Fraction(1))
_BASE = f.Number("10000", Fraction(10000), Fraction(1))


def _places(left: f.Expression) -> tuple[f.Expression, f.Expression] | None:
    """The position and the feature of `PE(pos, 2i)` or `PE_{(pos, 2i)}`."""
    if isinstance(left, f.Call) and left.function in _NAMES and len(left.arguments) == 2:
        return left.arguments[0], left.arguments[1]
    match left:
        case f.Product((f.Name(name, (), ()), f.Matrix(((position, feature),), "[")), ("",)) if name.lower() in _NAMES:
            return position, feature
    if isinstance(left, f.Entry) and isinstance(left.operand, f.Call) and left.operand.function in _NAMES:
        arguments, features = left.operand.arguments, left.indices
        return (arguments[0], read_index(features[0])) if len(arguments) == len(features) == 1 else None
    if isinstance(left, f.Call) and left.function in _NAMES and left.label:
        parts = ",".join(left.label)
    elif isinstance(left, f.Name) and left.base.lower() in _NAMES:
        parts = ",".join(left.sub or left.item)
    else:
        return None
    pieces = parts.strip("()").split(",")
    if len(pieces) != 2:
        return None
    try:
        position, feature = (read_index(piece) for piece in pieces)
    except NotSettledError:
        return None
    return position, feature


def is_width(name: f.Name) -> bool:
    """Whether this is the width of the model or of a head, as `d_model`, `dmodel` and `hidden_size` are."""
    return (
        re.fullmatch(r"d|D|dim|C|d_?model|d_?k|d_?h|d_?head|head_?dim|hidden_?size|emb(?:ed)?_?dim", name.base)
        is not None
    )


_ROTARY = regex(r"RoPE|rotary|RoFormer|rotation matri|旋[转轉](?:位置|矩阵)|回転(?:位置|行列)|회전 (?:위치|행렬)", re.I)
_FREQUENCIES = frozenset(["θ", "ω", "w", "freq", "Θ", "inv_freq"])
_WAVELENGTH = regex(r"(?:/|\\frac\s*\{[^{}]{0,20}\})\s*\{?\s*\\?(?:theta|θ)|wavelength|波长|周期(?!函数|性)")


def _is_one_less_than_half(e: f.Expression) -> bool:
    """Whether it is d/2 − 1, the steps between d/2 frequencies."""
    match e:
        case f.Sum((f.Quotient(denominator=f.Number(value=2)) as half, f.Number(value=1)), (1, -1)):
            return any(is_width(name) for name in names(half))
    return False


def _with_base(part: f.Expression) -> f.Expression:
    """10000 for the base by its name."""
    return _BASE if isinstance(part, f.Name) and part.base in ("base", "rope_base") and not part.sub else part


def define_angles(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`θ_i = 10000^{-2i/d}`, or with i from 1; where angles are divided by it, the inverse."""
    if not isinstance(left, f.Name) or left.base not in _FREQUENCIES or len(left.sub) != 1:
        return
    letter = left.sub[0]
    printed = rewrite(side.expression, _with_base)
    used = list(names(printed))
    base = any(isinstance(p, f.Number) and p.value == 10000 for p in f.walk(printed))
    if len(letter) != 1 or not base or not all(n.base == letter or is_width(n) for n in used):
        return
    if any(_is_one_less_than_half(part) for part in f.walk(side.expression)):
        return  # from 1 to 1/10000 in so many steps, as some programs have it
    settled = left.base not in ("θ", "Θ") or context.mentions(_ROTARY)
    inverse = context.mentions(_WAVELENGTH)
    from_one = any(_is_one_less(part) for part in f.walk(side.expression))

    def prepare(scope: Scope) -> None:
        for name in used:
            if name.base != letter:
                scope.sizes[spell(name.symbol)] = WIDTH

    for first in (0, 1):

        def value(evaluator: Evaluator, at: Indices, first: int = first) -> Tensor:
            power = Fraction(-2 * (at[letter] - first), WIDTH)
            return Tensor.number(10000).raised(-power if inverse else power)

        question = Question(
            value, prepare, lambda _: {letter: range(1, 5)}, place=lambda _, side: rewrite(side, _with_base)
        )
        yield Variant(question, Sentence("formula.angles"), repairs=settled and not inverse and from_one >= first)
