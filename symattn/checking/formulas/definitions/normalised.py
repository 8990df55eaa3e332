"""Norms by their mean and deviation, for one entry: (x − μ)/√(σ² + ε) γ + β, whatever the result is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement, names
from symattn.checking.formulas.trials.comparison import Question
from symattn.checking.formulas.trials.evaluation import Evaluator
from symattn.checking.formulas.trials.indices import Indices
from symattn.checking.formulas.trials.symbols import Scope
from symattn.checking.formulas.trials.variant import Variant
from symattn.checking.models.letters import letter_of
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.values.tensors import Tensor
from symattn.writing.prose import Sentence

_ROLES = {
    **dict.fromkeys(("μ", "mu", "mean"), "mean"),
    **dict.fromkeys(("σ", "sigma", "std"), "deviation"),
    **dict.fromkeys(("var", "variance", "Var"), "variance"),
    **dict.fromkeys(("ε", "ϵ", "eps", "epsilon"), "epsilon"),
    **dict.fromkeys(("γ", "gamma", "g", "α", "weight"), "gain"),
    **dict.fromkeys(("β", "beta", "b", "bias"), "shift"),
}
_MOMENTS = {"expectation": "μ", "mean": "μ", "var": "variance", **dict.fromkeys(("std", "stddev", "stdev", "sd"), "σ")}
_VARIANCE_WORDS = regex(
    r"(?:variance|方差|变异数|變異數|分散|분산|varianza|variância)\s*(?:\(?of [^,.;]{0,30}?)?\s*(?:is|为|為|是|:|：|,)?"
    r"\s*[$`(（]*\s*(?:\\?sigma|σ)(?!\s*(?:\^|²|_[A-Za-z{}]+\^))"
    r"|(?:\\?sigma|σ)\$?`?\s*(?:\([^)]*\)\s*)?(?:is|are|为|為|是|denotes?|[:：(（])"
    r"\s*(?:the\s+)?(?:\w+\s+){0,2}(?:variance|方差|變異數)",
    re.I,
)
_NORM = regex(r"norm|归一化|標準化|标准化|正規化|정규화", re.I)
_DEVIATION = regex(r"standard deviation|LayerNorm|layer norm|标准差|层归一化", re.I)
_SQUARED = regex(r"(?:\\sigma|σ)(?:_\{?\w+\}?)?\s*(?:\^\s*\{?\s*2|²)")


def define_normalised(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """The forms of a side that takes a mean off and divides by a deviation."""
    plain = spell_moments(side.expression)
    roles = _roles(plain)
    if roles is None or not _centres(plain, roles) or has_other_index(left, side.expression):
        return
    guarded = "epsilon" in roles.values()
    bare = "deviation" in roles.values() and _is_bare(plain)
    said = any(role == "deviation" and letter.startswith("std") for letter, role in roles.items())
    own = bare and not said and context.once(_names_variance)
    theorem = Sentence("formula.layernorm")
    unsettled = bare and not own and not said and not context.mentions(_SQUARED) and not context.once(_names_deviation)

    def question(kind: str) -> Question:
        return Question(
            lambda evaluator, at: _expected(evaluator, roles, kind),
            lambda scope: _draw(scope, roles),
            place=lambda scope, printed: _stripped(spell_moments(printed)),
        )

    slips = ("sign", "square", "root")
    norm = guarded or _NORM.search(statement.before + statement.after) is not None
    if own:
        yield Variant(question("variance"), theorem, repairs=norm, only=slips)
        return
    yield Variant(question("deviation"), theorem, repairs=norm and not unsettled, only=slips)
    if unsettled:
        yield Variant(question("variance"), theorem, Sentence("formula.if_variance", name="σ"), repairs=False)
    if guarded:
        yield Variant(question("plus"), theorem, Sentence("formula.if_plus"), repairs=False)


def judge_root_mean_square(statement: Statement, context: Context) -> Formula | None:
    """`r = √((1/n) Σ x_i² + ε)` of an article on RMSNorm, whatever letter the root has."""
    equals = statement.equals
    if len(equals) != 2 or not context.mentions(_RMS) or not _is_letter_or_rms(equals[0]):
        return None
    root = equals[1]
    if isinstance(equals[0], f.Name) and equals[0].base in _INVERSES and isinstance(root, f.Quotient):
        root = root.denominator if isinstance(root.numerator, f.Number) and root.numerator.value == 1 else root
    elif isinstance(equals[0], f.Name) and equals[0].base in _INVERSES:
        return None
    inside = root.radicand if isinstance(root, f.Root) else None
    if isinstance(inside, f.Sum) and len(inside.terms) == 2 and inside.signs == (1, 1):
        first, second = inside.terms
        inside = first if isinstance(second, f.Name) and _ROLES.get(second.base) == "epsilon" else None
    if inside is None or not is_mean_of_squares(inside):
        return None
    return conclude(statement, "holds", Sentence("formula.rms"))


_INVERSES = ("rstd", "rrms", "inv_rms")  # 1/RMS(x), as programs call it


def _is_letter_or_rms(left: f.Expression) -> bool:
    """Whether it is a letter but σ, which is a deviation, or RMS(x), or 1/RMS(x) by its name."""
    match left:
        case f.Name(base):
            return (len(base) == 1 and base != "σ") or base.lower() == "rms" or base in _INVERSES
        case f.Call(function) | f.Entry(f.Call(function)):
            return function.lower() == "rms"
    return False


def without_epsilon(e: f.Expression) -> f.Expression:
    """The other term of a sum of two of which one is ε; anything else as it is."""
    if not isinstance(e, f.Sum) or len(e.terms) != 2 or e.signs != (1, 1):
        return e
    rest = [x for x in e.terms if not (isinstance(x, f.Name) and _ROLES.get(x.base) == "epsilon")]
    return rest[0] if len(rest) == 1 else e


def is_mean_of_squares(e: f.Expression) -> bool:
    """Whether it is (1/n) Σ_{i=1}^n x_i², of as many terms as it is divided by, or mean(x²)."""
    match e:
        case f.Call("mean", (f.Power(f.Name(_, ()), f.Number(value=two)),)):
            return two == 2
        case f.Product((f.Quotient(f.Number("1"), length), f.BigSum() as sum_), ("",) | ("·",)):
            pass
        case f.Quotient(f.BigSum() as sum_, length):
            pass
        case _:
            return False
    match sum_.body:
        case f.Power(f.Name(_, sub, _, item), f.Number("2")) if any(sum_.index in mark for mark in (*sub, *item)):
            pass
        case _:
            return False
    match (sum_.lower, sum_.upper):
        case (None | f.Number("1"), upper):
            return upper in (None, length) and sum_.condition is None
        case (f.Number("0"), f.Sum((upper, f.Number("1")), (1, -1))):
            return upper == length
    return False


_RMS = regex(r"\bRMS|root[- ]mean[- ]square|均方根", re.IGNORECASE)


def judge_deviation(statement: Statement, context: Context) -> Formula | None:
    """`√(σ + ε)` alone: below a norm stands the root of σ² + ε; that of σ + ε where σ is the variance."""
    e = statement.left
    if len(statement.sides) != 1 or not isinstance(e, f.Root) or not isinstance(e.radicand, f.Sum):
        return None
    found = {_ROLES.get(t.base): t for t in e.radicand.terms if isinstance(t, f.Name)}
    if len(e.radicand.terms) != 2 or set(found) != {"deviation", "epsilon"} or found["deviation"].base != "σ":
        return None
    if context.once(_names_variance) or not _DEVIATION.search(statement.before + statement.after):
        return None
    text, end = statement.passage.text, found["deviation"].end
    right = text[statement.start : end] + "^2" + text[end : statement.chain.end]
    return conclude(statement, "fails", Sentence("formula.layernorm"), right=right)


def define_affine(left: f.Expression, side: f.Side, statement: Statement, context: Context) -> Iterator[Variant]:
    """`y = γ x̂ + β`: the gain and the shift of what was normalised."""
    e = side.expression
    if not isinstance(e, f.Sum) or len(e.terms) != 2 or not isinstance(left, f.Name | f.Call | f.Product):
        return
    found = {_ROLES.get(n.base, "hat" if _is_normalised(n) else ""): n for n in names(e)}
    if set(found) != {"gain", "shift", "hat"} or len(list(names(e))) != 3 or has_other_index(left, e):
        return

    def prepare(scope: Scope) -> None:
        for n in found.values():
            scope.number(n.symbol)

    def value(evaluator: Evaluator, at: Indices) -> Tensor:
        gain, shift, hat = (evaluator.scope.given[n.base, n.sub, n.sup] for n in map(found.get, _AFFINE) if n)
        return gain * hat + shift

    yield Variant(Question(value, prepare), Sentence("formula.affine"), only=("sign", "operator"))


def has_other_index(left: f.Expression, right: f.Expression) -> bool:
    """Whether what an entry is said to be has entries at other places, x̂_i = (x_j − μ)/σ, or in another order."""
    own = letter_of(left).indices if isinstance(left, f.Name) else ()
    places = (letter_of(n).indices for n in names(right))
    return bool(own) and any(len(each) == len(own) and each != own for each in places)


_AFFINE = ("gain", "shift", "hat")


def _is_normalised(name: f.Name) -> bool:
    return name.base.endswith("\u0302") or any(part.lower().startswith("norm") for part in (*name.sub, *name.sup))


def spell_moments(e: f.Expression) -> f.Expression:
    """E[x], mean(x), Var[x] and std(x) as letters."""

    def spelled(part: f.Expression) -> f.Expression:
        if isinstance(part, f.Call) and part.function in _MOMENTS and len(part.arguments) == 1:
            return f.Name(_MOMENTS[part.function], start=part.start, end=part.end)
        if isinstance(part, f.Product) and part.factors[0] == f.Name("E") and len(part.factors) == 2:
            return f.Name("μ", start=part.start, end=part.end)
        if isinstance(part, f.Name) and part.item and part.base in ("E", "Var", "mean", "var", "std"):
            kind = {"E": "μ", "mean": "μ", "std": "σ"}.get(part.base, "variance")
            return f.Name(kind, start=part.start, end=part.end)
        return part

    return rewrite(e, spelled)


def _stripped(e: f.Expression) -> f.Expression:
    """Every name by its letter alone: all are numbers here, those of one entry."""
    return rewrite(e, lambda part: f.Name(_letter(part)) if isinstance(part, f.Name) else part)


def _letter(name: f.Name) -> str:
    return "_".join((name.base, *name.sub, *name.sup))


def _roles(e: f.Expression) -> dict[str, str] | None:
    """What each letter is: mean, deviation or variance, ε, gain, shift; the one that is left is what is normalised."""
    roles: dict[str, str] = {}
    for name in names(e):
        roles[_letter(name)] = _ROLES.get(name.base, "x")
    if len(roles) < 3 or len(roles) != len(set(roles.values())):
        return None
    kinds = set(roles.values())
    spread = kinds & {"deviation", "variance"}
    return roles if {"x", "mean"} <= kinds and len(spread) == 1 else None


def _centres(e: f.Expression, roles: dict[str, str]) -> bool:
    """Whether the mean is taken off (or added to) what is normalised, in a sum of these two."""
    kinds: list[list[str]] = []
    for part in f.walk(e):
        if isinstance(part, f.Sum) and len(part.terms) == 2 and all(isinstance(t, f.Name) for t in part.terms):
            kinds.append([roles[_letter(t)] for t in part.terms if isinstance(t, f.Name)])
    return ["x", "mean"] in kinds


def _is_bare(e: f.Expression) -> bool:
    """Whether σ stands below a root without a square."""
    for part in f.walk(e):
        if isinstance(part, f.Root):
            squared = {p.base for p in f.walk(part) if isinstance(p, f.Power)}
            return any(
                isinstance(p, f.Name) and _ROLES.get(p.base) == "deviation" and p not in squared for p in f.walk(part)
            )
    return False


def _names_variance(article: Article, statements: tuple[Statement, ...]) -> bool:
    """Whether σ is the variance in an article: by its words, or by `σ = (1/d) Σ (x − μ)²`."""
    if _VARIANCE_WORDS.search(article.said):
        return True
    for statement in statements:
        sides = statement.equals
        if len(sides) > 1 and isinstance(sides[0], f.Name) and sides[0].base == "σ":
            parts = list(f.walk(sides[1]))
            if any(isinstance(p, f.BigSum) for p in parts) and not any(isinstance(p, f.Root) for p in parts):
                return True
    return False


_DEVIATION_WORDS = regex(
    r"(?:\\?sigma|σ)\$?`?\s*(?:is|are|为|為|是|denotes?|[:：(（])"
    r"\s*(?:the\s+)?(?:[\w-]+\s+){0,4}(?:standard deviation|标准差|標準差)",
    re.I,
)


def _names_deviation(article: Article, statements: tuple[Statement, ...]) -> bool:
    """Whether σ is the standard deviation in an article: by its words, or by `σ = √((1/d) Σ (x − μ)²)`."""
    if _DEVIATION_WORDS.search(article.said):
        return True
    made = (s.equals[1] for s in statements if len(s.equals) > 1 and s.equals[0] == f.Name("σ"))
    return any(isinstance(e, f.Root) and any(isinstance(p, f.BigSum) for p in f.walk(e)) for e in made)


def _draw(scope: Scope, roles: dict[str, str]) -> None:
    for letter, role in roles.items():
        scope.number((letter, (), ()))
        if role == "epsilon":
            scope.given[letter, (), ()] = Tensor.number(Fraction(1, 7))


def _expected(evaluator: Evaluator, roles: dict[str, str], kind: str) -> Tensor:
    given = {role: evaluator.scope.given[letter, (), ()] for letter, role in roles.items()}
    spread = given.get("deviation", given.get("variance"))
    assert spread is not None
    square = spread * spread if kind != "variance" and "deviation" in given else spread
    tiny = given.get("epsilon", Tensor.number(0))
    below = square.apply("sqrt") + tiny if kind == "plus" else (square + tiny).apply("sqrt")
    found = (given["x"] - given["mean"]) / below
    if "gain" in given:
        found = found * given["gain"]
    return found + given["shift"] if "shift" in given else found
