"""The elementary steps of attention and of the layers around it, on rows of enclosed numbers.

Each takes the numbers that stand before and gives those that an author would print next. A step that words name costs
nothing; of those that nobody names the usual ones come before the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symattn.patterns import regex
from symattn.reading.vocabulary import SUM
from symattn.values import rows
from symattn.values.printed import Ball

_USUAL, _OTHER = 3.0, 6.0
_FUNCTION = regex(  # words that name what is done
    r"sigmoid|soft-?plus|sparse-?max|entmax|tanh|tangente hyp|relu|gelu|silu|swish|exponential|softmax|squar|cube"
    r"|raising|(?<![a-z])(?:cosine|cos|sin|sine|exp|ln|log)s?(?![a-z])|to the power|negated|layer-?norm|rms"
    r"|σ\(|指数|对数|(?:subtract|minus)\w* the (?:max|mean)|\badd(?:ing|ed)?\b|difference|product|quotient|ratio",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Step:
    """How a step is written, how it is made, what choosing it costs in bits, and the words that name it."""

    form: str
    make: Callable[..., Sequence[Ball]]
    bits: float = _OTHER
    words: re.Pattern[str] | None = None
    symmetric: bool = False
    of_shares: bool = False  # whether what it makes adds up to 1
    telling: bool = False  # whether nearly no list is by chance what it makes of another, so that it may accuse

    def cost(self, told: str) -> float:
        """The bits that choosing it costs where some words stand before the numbers."""
        return 0.0 if self.is_named(told) else self.bits

    def may_be_meant(self, said: str) -> bool:
        """Whether words do not name another function than it."""
        return _FUNCTION.search(said) is None or self.is_named(said)

    def is_named(self, told: str) -> bool:
        """Whether words name it."""
        return self.words is not None and self.words.search(told) is not None


def _less_one(place: int) -> rows.RowStep:
    """p − y for a target y that is 1 at one place: the slope of the cross-entropy."""
    return lambda x: [v - 1 if k == place else v for k, v in enumerate(x)]


SUM_WORD = rf"(?<![A-Za-zÀ-ÿ])(?:{SUM})(?![A-Za-zÀ-ÿ])"


def _words(pattern: str) -> re.Pattern[str]:
    return regex(pattern, re.IGNORECASE)


_EXP = _words(r"e\^|(?<![a-z])exp|esponen|指数|指數|지수|экспонен")
_SOFTMAX = _words(
    r"soft-?max|weight|gewicht|poids|peso|pesi|probabi|wahrschein|权重|權重|概率|重み|確率|가중치|확률|вес|вероятн"
)
_SHARE = _words(rf"{_SOFTMAX.pattern}|normali[sz]|归一|歸一|正規化|정규화|divid|teil|÷|/")

_SQUARE = _words(r"squar|²|\^\{?2|平方|二乗|제곱|quadrat|carré|cuadrad")
_WAVELENGTH = _words("wavelength|period|wellenl|longueur d'onde|波长|周期|2π")
_LOG = _words(r"(?<![a-z])(?:log|ln)(?![a-z])|对数|對數|対数|로그")

OF_ONE = (
    Step("exp({0})", rows.exp, _USUAL, _EXP, telling=True),
    Step("softmax({0})", rows.softmax, _USUAL, _SOFTMAX, of_shares=True, telling=True),
    Step("({0})/Σ", lambda x: [v / rows.total(x) for v in x], _USUAL, _SHARE, of_shares=True, telling=True),
    Step("exp(({0}) − max)", lambda x: [(v - rows.largest(x)).exp() for v in x], _OTHER, _EXP),
    Step("({0}) − max", lambda x: [v - rows.largest(x) for v in x]),
    Step("({0}) − mean", lambda x: [v - rows.mean(x) for v in x], telling=True),
    Step("(({0}) − mean)²", lambda x: [(v - rows.mean(x)) ** 2 for v in x], _OTHER, _SQUARE, telling=True),
    Step("(({0}) − mean)/std", lambda x: [(v - rows.mean(x)) / rows.variance(x).sqrt() for v in x], telling=True),
    Step("(({0}) − mean)/std (n − 1)", lambda x: [(v - rows.mean(x)) / rows.variance(x, 1).sqrt() for v in x]),
    Step("({0})/RMS", lambda x: [v / rows.rms(x) for v in x]),
    Step("({0})/‖·‖", lambda x: [v / rows.length(x) for v in x]),
    Step("({0})²", rows.each(lambda v: v * v), _OTHER, _SQUARE, telling=True),
    Step("√({0})", rows.root),
    Step("log({0})", rows.log, _OTHER, _LOG, telling=True),
    Step("−log({0})", rows.each(lambda v: -v.log()), _OTHER, _LOG, telling=True),
    Step("1/({0})", rows.each(lambda v: 1 / v)),
    Step("1/√({0})", rows.inverse_root),
    Step("ReLU({0})", rows.each(rows.relu), _OTHER, _words("relu")),
    Step("tanh({0})", rows.tanh, _OTHER, _words("tanh"), telling=True),
    Step("σ({0})", rows.each(rows.sigmoid), _OTHER, _words(r"sigm|σ"), telling=True),
    Step("GELU({0})", rows.each(rows.gelu), _OTHER, _words("gelu"), telling=True),
    Step("GELU({0}) (tanh)", rows.each(rows.gelu_by_tanh), _OTHER, _words("gelu")),
    Step("SiLU({0})", rows.each(lambda v: v * rows.sigmoid(v)), _OTHER, _words("silu|swish")),
    Step("sin({0})", rows.sin, _OTHER, _words(r"(?<![a-z])sin"), telling=True),
    Step("cos({0})", rows.cos, _OTHER, _words(r"(?<![a-z])cos"), telling=True),
    Step("2π/({0})", rows.each(rows.full_turn), _OTHER, _WAVELENGTH, telling=True),
    Step("1 − ({0})", rows.each(lambda v: 1 - v)),
    *(Step(f"({{0}}) − e_{k + 1}", _less_one(k)) for k in range(8)),
    Step("−({0})", rows.each(lambda v: -v)),
    Step("−p log p, p = ({0})", rows.each(lambda v: -v * v.log())),
    Step("cumsum({0})", lambda x: [rows.total(x[: k + 1]) for k in range(len(x))], _OTHER, _words("cumul|累")),
)

SHARES = OF_ONE[2]
AT_ONE = OF_ONE[:2]  # what a temperature or a scale would change


def at_temperature(text: str, temperature: Ball) -> Step:
    """softmax(x / T)."""
    return Step(
        f"softmax(({{0}}) / {text})",
        lambda x: rows.softmax([v / temperature for v in x]),
        _OTHER,
        _SOFTMAX,
        of_shares=True,
    )


def rates_of_pairs(width: int) -> Step:
    """10000^(−2i/d) of the numbers of pairs."""
    form = f"10000^(−2·({{0}})/{width})"
    return Step(form, rows.rates(10_000, width), _OTHER, _words("θ|theta|freq|ω|rate|频率"), telling=True)


def _pairwise(function: Callable[[Ball, Ball], Ball]) -> Callable[[rows.Row, rows.Row], list[Ball]]:
    return lambda x, y: [function(a, b) for a, b in zip(x, y, strict=True)]


_ADDED = _words(r"\badd|sum|plus|[+]|residual|残差")
_MULTIPLIED = _words("product|multipl|[*×⊙]")

# of two lists of one length
OF_TWO = (
    Step("({0}) + ({1})", _pairwise(lambda a, b: a + b), 2.0, _ADDED, symmetric=True, telling=True),
    Step("({0}) − ({1})", _pairwise(lambda a, b: a - b), 3.0, _words("subtract|differ|minus|−"), telling=True),
    Step("({0}) · ({1})", _pairwise(lambda a, b: a * b), 2.0, _MULTIPLIED, symmetric=True, telling=True),
    Step("({0}) / ({1})", _pairwise(lambda a, b: a / b), 3.0, _words("ratio|quotient|divid|/")),
    Step("softmax(({0}) + ({1}))", lambda x, y: rows.softmax(_pairwise(lambda a, b: a + b)(x, y)), of_shares=True),
)

TO_ONE = (
    Step("Σ({0})", lambda x: [rows.total(x)], 3.0, _words(rf"{SUM_WORD}|\badds? up|Σ|\\sum|=\s*$"), telling=True),
    Step(
        "mean({0})",
        lambda x: [rows.mean(x)],
        4.0,
        _words(r"mean|average|mittel|moyenne|media|média|均值|平均|평균|μ|\\mu"),
    ),
    Step("var({0})", lambda x: [rows.variance(x)], 5.0, _words(r"varian|方差|分散|분산|σ²")),
    Step(
        "std({0})",
        lambda x: [rows.variance(x).sqrt()],
        5.0,
        _words(r"deviation|标准差|標準|표준|écart|desvi|abweich|σ"),
    ),
    Step("‖({0})‖", lambda x: [rows.length(x)], 5.0, _words(r"norm|length|länge|\|\||‖|长度|模|ノルム|노름")),
    Step("‖({0})‖²", lambda x: [rows.length(x) ** 2], 6.0),
    Step("RMS({0})", lambda x: [rows.rms(x)], 5.0, _words("rms|root mean")),
    Step("H({0})", lambda x: [rows.entropy(x)], 5.0, _words("entrop|熵|エントロピー|엔트로피")),
    Step("log Σ exp({0})", lambda x: [rows.log_sum_exp(x)], 6.0),
)

SUM_OF = TO_ONE[0]


def _products(x: rows.Row, *matrix: rows.Row) -> list[Ball]:
    return [rows.dot(row, x) for row in matrix]


def _scaled_products(x: rows.Row, *matrix: rows.Row) -> list[Ball]:
    return [product / rows.whole(len(x)).sqrt() for product in _products(x, *matrix)]


# a vector and the rows of a matrix to the dot products with them
OF_ROWS = (
    Step("({0}) [{1}; …]ᵀ", _products, 4.0, telling=True),
    Step("({0}) [{1}; …]ᵀ / √d", _scaled_products, 4.0, telling=True),
    Step("softmax(({0}) [{1}; …]ᵀ)", lambda *given: rows.softmax(_products(*given)), 5.0, of_shares=True, telling=True),
    Step(
        "softmax(({0}) [{1}; …]ᵀ / √d)",
        lambda *given: rows.softmax(_scaled_products(*given)),
        5.0,
        of_shares=True,
        telling=True,
    ),
)

# weights and the rows of a matrix to their sum with these weights
WEIGHTED = Step(
    "({0}) [{1}; …]",
    lambda w, *matrix: [rows.dot(w, column) for column in zip(*matrix, strict=True)],
    4.0,
    telling=True,
)
