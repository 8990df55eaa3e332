"""Lines of plain inputs, `x = 1, w = 0.5, b = 0`: they say what letters are, whatever these were before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from symattn.checking.expected.implied_steps import is_probability, role_of_name, role_of_words
from symattn.checking.expected.sources import Open, Source
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Printed, relation_at
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import has_one_digit

_HUNDREDTH = Fraction(1, 100)  # finer units are those of rounded numbers
_FEWEST = 3  # numbers in a row that is known for shares although it has a slip
_NEARLY = Fraction(1, 20)  # how far from 1 shares add up to that have a slip
_STATISTICS = regex(
    r"mean|avg|average|mu|μ|std|sd|sigma|σ|rms|var|variance|norm|loss|l|nll|ce|kl|entropy|h|perplexity|ppl|sum|total"
    r"|exp|logits?|similarity|cosine|probs?|probability|p|result|distance|均值|方差|标准差|损失|概率"
)
_GRADIENT = regex(r"[Gg]rad\w*|delta|[δ∇∂].*|d(?:[A-Za-su-zα-ω]|out|logits|scores)")  # dt is a step
_SAME = ("exact", "rounded")


def inputs_beside(read: Sequence[tuple[f.Chain, Source]]) -> list[frozenset[f.Expression]]:
    """Of each chain that gives a name a number the names that its line gives numbers; of the others nothing."""
    found: list[frozenset[f.Expression]] = []
    for _, on_line in groupby(read, key=lambda each: each[1].place(each[0].start)[0]):
        chains = [chain for chain, _ in on_line]
        names = frozenset(chain.sides[0].expression for chain in chains if _is_input(chain))
        found += [names if _is_input(chain) and len(names) > 1 else frozenset() for chain in chains]
    return found


def says_anew(given: Collection[f.Expression], printed: Printed, known: Balls) -> bool:
    """Whether a number among plain inputs is another one than was computed before; `given` are those never computed.

    Beside what was given before as well, x = 1, it is no result, and 0.5 is no print of 0.55.
    """
    return bool(given) and printed.shape == known.shape == (1, 1) and relation_at(printed, known, (0, 0)) not in _SAME


def _is_input(chain: f.Chain) -> bool:
    match chain.sides:
        case (f.Side("", f.Name()), f.Side("=" | ":=", f.Number() | f.Matrix() as value)):
            return f.is_printed(value)
    return False


def find_temperature(environment: Environment) -> f.Name | None:
    """The name of a temperature that has been given; beside B and C in numbers T is how many tokens there are."""
    stated = environment.stated
    sizes = all(name in stated and stated[name].true.shape == (1, 1) for name in _BESIDE_TOKENS)
    given = [name for name in _TEMPERATURES if name in stated and not (sizes and name == _TEMPERATURES[0])]
    return next(name for name in reversed(stated) if name in given) if len(given) > 1 else next(iter(given), None)


_BESIDE_TOKENS = (f.Name("B"), f.Name("C"))  # batch and channels
_TEMPERATURES = tuple(map(f.Name, ("T", "τ", "temperature", "Temperature", "temp", "温度")))


def is_computed(printed: Printed, relation: str, open_: Open) -> bool:
    """Whether numbers are certainly results: ≈ says it, a formula before them that is not known, or their sum."""
    finest = min(unit for units in printed.units for unit in units)
    return relation == "≈" or (finest <= _HUNDREDTH and (bool(open_.failures) or has_rounded_shares(printed)))


def is_given(open_: Open, printed: Printed) -> bool:
    """Whether decimals are what somebody chose, price = 1.25, and no results: shares, or what was computed unread.

    What is chosen is exact; a result may have been rounded.
    """
    if open_.labelled or open_.failures or not all(isinstance(key, f.Name) for key in open_.keys):
        return False
    return (
        bool(open_.keys)
        and not has_shares(printed)
        and not any(is_probability(key) or names_result(key.base) for key in open_.keys if isinstance(key, f.Name))
    )


def is_chosen(open_: Open, printed: Printed) -> bool:
    """Whether a lone number of one digit is what somebody chose, α = 0.05; α₁ is one of several."""
    numbered = any(isinstance(key, f.Name) and key.indices for key in open_.keys)
    one_digit = all(x is None or has_one_digit(x, u) for x, u in zip(printed.values[0], printed.units[0], strict=True))
    return printed.shape == (1, 1) and one_digit and not numbered


def names_result(name: str) -> bool:
    """Whether a name is that of a step, a statistic or a gradient, which somebody has computed: score, weight, σ, dS.

    >>> names_result("weight"), names_result("std"), names_result("price"), names_result("η")
    (True, True, False, False)
    """
    word = name.lower().lstrip("\\")
    return (
        _STATISTICS.fullmatch(word) is not None
        or _GRADIENT.fullmatch(name) is not None
        or role_of_words(word) is not None
        or role_of_name(f.Name(name)) is not None
    )


def has_shares(printed: Printed) -> bool:
    """Whether a row may be shares, which add up to 1 but for rounding."""
    return any(abs(off) <= units for off, units in _off_one(printed))


def has_rounded_shares(printed: Printed) -> bool:
    """Whether a row adds up to 1 within its rounding, and not exactly: then it is certainly rounded."""
    return any(0 < abs(off) <= units for off, units in _off_one(printed))


def has_broken_shares(printed: Printed) -> bool:
    """Whether a row adds up to about 1, but not within its rounding: then it has a slip itself."""
    return printed.shape[1] >= _FEWEST and any(units < abs(off) <= _NEARLY for off, units in _off_one(printed))


def add_up_to_more(printed: Printed) -> bool:
    """Whether every row adds up to more than 1, by more than rounding: no weights, at whatever temperature, do."""
    off = list(_off_one(printed))
    return len(off) == printed.shape[0] and all(each > units for each, units in off)


def _off_one(printed: Printed) -> Iterator[tuple[Fraction, Fraction]]:
    """Of rows of decimals between 0 and 1 how far off 1 they add up to, and by how much rounding can make it so."""
    for row, units in zip(printed.values, printed.units, strict=True):
        shown = [(x, unit) for x, unit in zip(row, units, strict=True) if x is not None]
        if len(shown) > 1 and all(0 <= x <= 1 for x, _ in shown) and any(unit < 1 for _, unit in shown):
            yield sum((x for x, _ in shown), Fraction(-1)), sum((unit for _, unit in shown), Fraction(0)) / 2
