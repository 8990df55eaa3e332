"""Means and variances of scores: Var(q·k) = d_k, and under which assumptions.

The entries of q and k are independent random numbers, each vector with a mean and a variance of its own; means of
independent products multiply, variances of independent sums add up. A chain of moments holds as it stands, or if the
means are 0, or if the variances are 1; where it holds under none of these it is false. Source: Vaswani et al. 2017,
section 3.2.1, footnote 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import sympy
from sympy import Expr, Integer, S, Symbol

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.inference import Stated, indices_of
from symattn.checking.formulas.shapes.sizes import kind_of, letter_of, read_size, size_letter
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.naming import rewrite
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

NEAR = 1_500  # characters of the text before and after in which assumptions are looked for
MOST_PARTS = 200

_RANDOM = frozenset("qkQK")
_DIMENSION = size_letter("?dimension")  # of q and k, as long as nothing says which letter it is
_MOMENTS = {"var": "variance", "expectation": "mean", "std": "deviation", "mean": "mean"}
_UPRIGHT = {"E": "mean", "V": "variance"}  # 𝔼 and 𝕍 in front of brackets

INDEPENDENT = regex(
    r"independ|indépend|indipend|unabhängig|onafhankelijk|oberoende|niezależn|nezávisl|bağımsız|độc lập"
    r"|независим|незалежн|i\.?i\.?d|独立|獨立|독립",
    re.IGNORECASE,
)
_MEAN = r"means?|moyenne|Mittelwert|Erwartungswert|media|média|trung bình|kỳ vọng|средн\w+|均值|平均|期望|평균"
_VARIANCE = r"variance|Varianz|varianza|variância|phương sai|дисперси\w+|方差|分散|분산"
_OF_MORE = r"varyans|wariancj\w+|varianti?e|varians"
_DENIED = regex(  # independence
    r"\bnot (?:\w+ )?independ|\bdependent|não (?:são )?independ|no son independ|non (?:sono )?indip"
    r"|pas (?:\w+ )?indépend|non indépend|nicht (?:\w+ )?unabhängig|niet (?:\w+ )?onafhankelijk"
    r"|inte (?:\w+ )?oberoende|nie są niezależn"
    r"|bağımsız değil|không (?:\w+ )?độc lập|не (?:\w+ )?(?:независим|незалежн)|不(?:是|相互)?独立|非独立",
    re.IGNORECASE,
)
VARIANCE = regex(_VARIANCE, re.IGNORECASE)
_STANDARD = r"N\}?\s*\(\s*0\s*,\s*1|标准正态|標準正規|standard normal|standard Gaussian"
ZERO_MEAN = regex(rf"(?:{_MEAN})[^.;。；0-9]{{0,12}}0|zero[- ]mean|mean zero|零均值|{_STANDARD}", re.IGNORECASE)
VARIANCE_1 = regex(
    rf"(?:{_VARIANCE})[^.;。；0-9]{{0,12}}1(?![0-9/]|\.[0-9])|unit[- ]variance|单位方差|{_STANDARD}",
    re.IGNORECASE,
)
_OTHER_MEAN = regex(r"(?:\bmeans?|均值|平均|期望)[^.;。；0-9]{0,12}?(?:\\mu\b|μ)", re.IGNORECASE)
OTHERWISE = regex(  # another variance than 1, or vectors of length 1
    r"(?:variance|方差|分散)[^.;。；]{0,30}?(?:\\?sigma|σ|1\s*/|\\frac)"
    r"|(?:variance|方差|分散)s?(?: of| is|为|是|=|\s)*\$?\s*(?!1(?!\d|\.\d))\d"
    rf"|(?:{_VARIANCE}|{_OF_MORE})s?(?: of| is|=|\s)*\$?\s*(?!1(?!\d|[.,]\d))\d|(?:{_MEAN})(?: of| is|=|\s)*\$?\s*[1-9]"
    r"|unit (?:vectors?|sphere|norm|length)|on the sphere|单位(?:向量|球)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Random:
    """A random number by its mean and its variance (None where it is not worked out), and the letters it is made of."""

    mean: Expr
    variance: Expr | None
    of: frozenset[str] = frozenset()
    vector: bool = False

    @property
    def certain(self) -> bool:
        """Whether it is no random number at all."""
        return not self.of


class UnsettledError(Exception):
    """A part of a formula whose mean and variance are not worked out."""


def judge_moments(statement: Statement, context: Context) -> Formula | None:
    """What is said of a chain of means and variances of products of q and k."""
    sides: Sequence[f.Expression] = statement.equals
    if context.mentions(_OF_SPREADS):
        sides = [rewrite(side, _as_deviation) for side in sides]
    if context.mentions(_ENTRIES_OF_CAPITALS):
        sides = [rewrite(side, _as_small_vector) for side in sides]
    if len(sides) < 2 or not any(_is_moment(part) for side in sides for part in f.walk(side)):
        return None
    if _supposed(statement) is not None:
        return None
    if sum(1 for side in sides for _ in f.walk(side)) > MOST_PARTS:
        return None
    found = _judge_sides(sides, statement, context)
    if found is not None and any(map(_is_single, _parts(sides))):
        found = _of_single(sides, found, statement, context)
    if (
        found is None
        or found.verdict != "fails"
        or any(isinstance(x, f.BigSum) for side in sides for x in f.walk(side))
    ):
        return found
    whole = _judge_sides([rewrite(side, _as_vector) for side in sides], statement, context)
    return found if whole is None or whole.verdict == "fails" else whole  # q_i is the query of a token, too


def _parts(sides: Sequence[f.Expression]) -> Iterator[f.Expression]:
    return (part for side in sides for part in f.walk(side))


def _is_single(part: f.Expression) -> bool:
    """Whether it is q or k without an index, a vector or one entry of it."""
    return isinstance(part, f.Name) and part.base in ("q", "k") and not (part.sub or part.sup or part.item)


def _find_single(_: Article, statements: Sequence[Statement]) -> bool:
    """Whether an article has a variance of q or k itself, which a number has, `Var(q) = Var(k) = 1`."""
    return any(
        isinstance(part, f.Call) and _is_moment(part) and _is_single(part.arguments[0])
        for statement in statements
        for part in _parts(statement.equals)
    )


def _of_single(sides: Sequence[f.Expression], found: Formula, statement: Statement, context: Context) -> Formula | None:
    """The verdict where q and k may be single numbers: many write Var(q) for the variance of each entry of a vector.

    A sum over entries that is d_k Var(q · k) then says that they are numbers; where only one of the two speaks for it,
    a chain that is false of vectors and true of numbers is neither.
    """
    said, summed = context.once(_find_single), context.once(_find_summed)
    if not (said or summed):
        return found
    single = _judge_sides([rewrite(side, _as_entry) for side in sides], statement, context)
    if single is None or (single.verdict == "fails") == (found.verdict == "fails"):
        return found
    if found.verdict == "fails":
        return single if said and summed else None
    return None if said and summed else found


def _as_entry(part: f.Expression) -> f.Expression:
    """q as q_l."""
    return replace(part, sub=("l",)) if isinstance(part, f.Name) and _is_single(part) else part


def _sums_entries(sides: Sequence[f.Expression]) -> bool:
    """Whether a sum of variances is so many times that of q · k, Σ_l Var(q_l k_l) = d_k Var(q · k)."""
    summed = any(isinstance(side, f.BigSum) and _is_moment(side.body) for side in sides)
    return summed and any(_is_multiple(side) for side in sides)


def _is_multiple(side: f.Expression) -> bool:
    match side:
        case f.Product(factors=(f.Name(), *_, moment)) if _is_moment(moment):
            return any(map(_is_single, f.walk(moment)))
    return False


def _find_summed(_: Article, statements: Sequence[Statement]) -> bool:
    return any(_sums_entries(statement.equals) for statement in statements)


_OF_SPREADS = regex(
    r"\bVar\b|varian|standard deviation|\bstd\b|écart[- ]type|Standardabweichung|方差|标准差|標準偏差|표준편차|분산",
    re.IGNORECASE,
)


def _supposed(statement: Statement) -> str | None:
    """What it supposes of single entries, E[q_i] = E[k_i] = 0 or Var(q_i) = 1: other lines follow from that."""
    *moments, last = statement.equals or (None,)
    single = (
        isinstance(x, f.Call) and _is_moment(x) and isinstance(x.arguments[0], f.Name) and not x.arguments[0].sup
        for x in moments
    )
    if not moments or not isinstance(last, f.Number) or not all(single):
        return None
    kinds = {(_MOMENTS[x.function], str(last.value)) for x in moments if isinstance(x, f.Call)}
    return "mean_0" if kinds == {("mean", "0")} else "variance_1" if kinds == {("variance", "1")} else "other"


def _find_assumed(_: Article, statements: Sequence[Statement]) -> frozenset[str]:
    """What the lines of an article suppose of single entries."""
    return frozenset(said for statement in statements if (said := _supposed(statement)) is not None)


def find_assumptions(context: Context) -> Iterator[tuple[int, int]]:
    """Where an article supposes what mean, or what variance, entries have."""
    yield from (statement.span for statement in context.statements if _supposed(statement) is not None)


def _as_deviation(part: f.Expression) -> f.Expression:
    """σ(q · k), the standard deviation where an article speaks of variances, as std(q · k)."""
    own = isinstance(part, f.Call) and part.function == "sigma" and len(part.arguments) == 1
    return f.Call("std", part.arguments, start=part.start, end=part.end) if own and isinstance(part, f.Call) else part


# Q · K = Σ_i Q_i K_i, Q_i, K_i ~ N(0, 1): one query and one key, with capitals for their letters
_ENTRIES_OF_CAPITALS = regex(
    r"Q\s*(?:\\cdot|·|K\^)[^=\n]{0,12}=\s*(?:\\sum|Σ|∑)[^\n]{0,40}?[Qq]_\{?(\w)\}?\s*(?:\\cdot|·)?\s*[Kk]_\{?\1\}?(?!\w)"
    r"|(?<!\w)Q_\{?i\}?\s*,\s*K_\{?i\}?\s*(?:\\sim|∼|~)"
)


def _as_small_vector(part: f.Expression) -> f.Expression:
    """The vectors Q and K, and their entries Q_i and K_i, in small letters."""
    capital = isinstance(part, f.Name) and part.base in ("Q", "K") and len(indices_of(part)) < 2 and not part.sup
    return replace(part, base=part.base.lower()) if capital and isinstance(part, f.Name) else part


def _as_vector(part: f.Expression) -> f.Expression:
    """q_i as q."""
    vector = isinstance(part, f.Name) and part.base in ("q", "k") and len(indices_of(part)) == 1
    return f.Name(part.base, start=part.start, end=part.end) if vector and isinstance(part, f.Name) else part


def _judge_sides(sides: Sequence[f.Expression], statement: Statement, context: Context) -> Formula | None:
    stated = context.once(collect).near(statement.span[0])
    try:
        values = [evaluate(side, stated) for side in sides]
    except UnsettledError:
        return None
    if not all(value.certain for value in values):
        return None
    dimension = _dimension(sides, stated)
    plain = [sympy.expand(value.mean.xreplace({_DIMENSION: dimension})) for value in values]
    text = context.article.words[max(statement.span[0] - NEAR, 0) : statement.span[1] + NEAR]
    assumed = context.once(_find_assumed)
    found = decide(plain, text, statement, assumed)
    numbers = [value for value in plain if value.is_number and value not in (0, 1)]
    of_width = any(dimension in _under(value, _ASSUMPTIONS[-1]).free_symbols for value in plain)
    if found is not None and found.verdict != "holds" and "other" in assumed:
        return None  # of entries with another mean, or another variance
    if found is None or found.verdict != "fails" or not (of_width and isinstance(dimension, Symbol)):
        return found
    if not any(value.is_number for value in plain):
        return found  # Var(q · k) = d_k² is said of every width, whatever the text says of one
    widths = _widths(dimension, context)
    for width in widths:  # Var(q · k) = d_k = 64, or Var(q · k) = 64 for d_k = 64
        of_one = decide([value.xreplace({dimension: Integer(width)}) for value in plain], text, statement, assumed)
        if of_one is None or of_one.verdict != "fails":
            return of_one
    if not numbers or len(widths) == 1:
        return found
    letters = [value for value in plain if value not in numbers]
    return decide(letters, text, statement, assumed) if len(letters) > 1 and not widths else None


def _widths(dimension: Symbol, context: Context) -> list[int]:
    """The numbers that the article says a width is; those of Var(q · k) = d_k = 512 where it says no others."""
    said = set(context.once(collect).relations.numbers.get(dimension, ()))
    beside: dict[bool, set[int]] = {True: set(), False: set()}
    for statement in context.statements:
        of_moments = any(_is_moment(part) for side in statement.equals for part in f.walk(side))
        for left, right in pairwise(statement.equals):
            if isinstance(left, f.Name) and isinstance(right, f.Number) and read_size(left) == dimension:
                beside[of_moments].add(int(right.value))
    return sorted(said - (beside[True] - beside[False]) or said)


def decide(
    values: Sequence[Expr], text: str, statement: Statement, assumed: frozenset[str] = frozenset()
) -> Formula | None:
    """Whether values are the same, and for which means and variances; `text` is what may state these."""
    differences = [a - b for a, b in pairwise(values)]
    wanted = next((w for w in _ASSUMPTIONS if all(_under(d, w) == 0 for d in differences)), None)
    if wanted is None:
        if OTHERWISE.search(text) or any(_under(d, _ASSUMPTIONS[-1]).free_symbols & _letters() for d in differences):
            return None
        if any(_DIMENSION in d.free_symbols for d in differences):
            return None
        return _formula(statement, "fails", (), _right(values, statement))
    if "variance_1" in {*wanted} - assumed and OTHERWISE.search(text) and not VARIANCE_1.search(text):
        return None
    if "mean_0" in {*wanted} - assumed and _OTHER_MEAN.search(text) and not ZERO_MEAN.search(text):
        return None  # the entries have a mean μ, of which more would depend
    missing = [key for key, pattern in (("independent", INDEPENDENT),) if not pattern.search(text)]
    if _DENIED.search(text):
        return None
    missing += [key for key in wanted if key not in assumed and not _STATED[key].search(text)]
    return _formula(statement, "holds-if" if missing else "holds", missing)


_STATED = {"mean_0": ZERO_MEAN, "variance_1": VARIANCE_1}
_ASSUMPTIONS: tuple[tuple[str, ...], ...] = ((), ("mean_0",), ("variance_1",), ("mean_0", "variance_1"))


def _letters() -> set[Symbol]:
    return {_of(kind, letter) for kind in ("mean", "variance") for letter in "qk"}


def _of(kind: str, letter: str) -> Symbol:
    return Symbol(f"?{kind}_{letter.lower()}")


def _under(difference: Expr, assumptions: Sequence[str]) -> Expr:
    values: dict[Symbol, Expr] = {}
    for letter in "qk":
        if "mean_0" in assumptions:
            values[_of("mean", letter)] = S.Zero
        if "variance_1" in assumptions:
            values[_of("variance", letter)] = S.One
    return sympy.expand(difference.xreplace(values))


def _right(values: Sequence[Expr], statement: Statement) -> str | None:
    """The first side and what it comes to for entries of mean 0 and variance 1."""
    first = statement.equals[0]
    value = _under(values[0], _ASSUMPTIONS[-1])
    printed = statement.passage.text[first.start : first.end].strip()
    return f"{printed} = {value}" if printed and _is_moment(first) else None


def _formula(
    statement: Statement, verdict: FormulaVerdict, missing: Sequence[str], right: str | None = None
) -> Formula:
    condition = moments_condition(missing) if missing else None
    return conclude(statement, verdict, Sentence("formula_moments"), condition=condition, right=right)


def moments_condition(missing: Sequence[str]) -> Sentence:
    """What the entries of q and k have to be."""
    return Sentence(f"formula_if_moments_{'_'.join(missing)}")


def _dimension(sides: Sequence[f.Expression], stated: Stated) -> Expr:
    """The letter of the width of q and k: where a sum over entries ends, what is declared, the only width there is."""
    for side in sides:
        for part in f.walk(side):
            if isinstance(part, f.BigSum) and part.upper is not None:
                return read_size(part.upper) or _DIMENSION
    names = (part for side in sides for part in f.walk(side) if isinstance(part, f.Name))
    letters = {letter_of(name) for name in names if name.base[0].islower() or name.base == "D"}
    widths = sorted(letter for letter in letters if kind_of(letter) == "width" or letter == "n")
    for key in ("Q", "K", "q", "k"):
        for shape in stated.shapes.get(key, ()):
            if shape and not (widths and shape[-1].is_number):  # numbers of an example, where letters are meant
                return shape[-1]
    return size_letter(widths[0]) if len(widths) == 1 else _DIMENSION


# --- mean and variance of a formula


def evaluate(expression: f.Expression, stated: Stated) -> Random:
    """The mean and the variance of an expression in q and k.

    Raises UnsettledError for what is neither random in this way nor made of sizes and numbers.

    >>> [chain] = f.parse("(q · k)/2")
    >>> evaluate(chain.sides[0].expression, Stated({})).variance.subs({"?mean_q": 0, "?mean_k": 0})
    ?dimension*?variance_k*?variance_q/4
    """
    match expression:
        case f.Number(value=number):
            return Random(sympy.Rational(number.numerator, number.denominator), S.Zero)
        case f.Name():
            return _of_name(expression, stated)
        case f.Matrix(rows=((inside,),)):  # the brackets of E[x]
            return evaluate(inside, stated)
        case f.Sum(terms=terms, signs=signs):
            return _add([_scale(evaluate(e, stated), Integer(s)) for s, e in zip(signs, terms, strict=True)])
        case f.Product(factors=factors, operators=operators):
            return _of_product(factors, operators, stated)
        case f.Transpose(operand=f.Name() as name) if name.base in ("q", "k") and not indices_of(name):
            return evaluate(name, stated)
        case f.Quotient(numerator=top, denominator=bottom):
            below = evaluate(bottom, stated)
            if not below.certain or below.mean == 0:
                raise UnsettledError
            return _scale(evaluate(top, stated), 1 / below.mean)
        case f.Root(radicand=inner):
            value = evaluate(inner, stated)
            if not value.certain:
                raise UnsettledError
            return Random(sympy.sqrt(value.mean), S.Zero)
        case f.Power(base=f.Name("σ", (("q" | "k") as letter,), ()), exponent=f.Number(value=power)) if power == 2:
            return Random(_of("variance", letter), S.Zero)  # σ_q²
        case f.Power(base=base, exponent=f.Number(value=power)) if power == 2:
            return _square(evaluate(base, stated))
        case f.BigSum(index=index, upper=upper, body=body):
            return _repeat(evaluate(body, stated), index, upper, body)
        case f.Call(function="inner", arguments=(left, right)):
            return _dot(evaluate(left, stated), evaluate(right, stated))
        case f.Call(arguments=(inside,)) if expression.function in _MOMENTS:
            return _moment(_MOMENTS[expression.function], _random(inside, stated))
    raise UnsettledError


def _is_moment(part: f.Expression) -> bool:
    if isinstance(part, f.Product) and part.operators[:1] == ("",):
        first = part.factors[0]
        return isinstance(first, f.Name) and first.base in _UPRIGHT and not first.sub and is_upright(first)
    return isinstance(part, f.Call) and part.function in _MOMENTS and len(part.arguments) == 1


def is_upright(name: f.Name) -> bool:
    """Whether E or V is set as a mean or a variance is."""
    return name.text.strip("{}") in ("E", "V", "𝔼", "𝕍") or name.text.startswith(("\\math", "\\operatorname"))


def _of_name(name: f.Name, stated: Stated) -> Random:
    if name.base in _RANDOM and not name.sup:
        letter = name.base.lower()
        entry = bool(indices_of(name))
        if name.base.isupper() and len(indices_of(name)) != 2:
            raise UnsettledError
        return Random(_of("mean", letter), _of("variance", letter), frozenset(letter), not entry)
    if len(indices_of(name)) == 2 and name.base in ("s", "S", "e", "a", "A"):
        if not _is_score(name, stated):
            raise UnsettledError
        return _dot(_of_name(f.Name("q"), stated), _of_name(f.Name("k"), stated))
    defined = stated.definitions.get(name.base)
    if name.base == "s" and not (name.sub or name.sup) and defined is not None and name not in f.walk(defined):
        return evaluate(defined, stated)  # s = q · k
    size = read_size(name)
    if size is None or not kind_of(letter_of(name)):
        raise UnsettledError
    return Random(size, S.Zero)


def _is_score(name: f.Name, stated: Stated) -> bool:
    """Whether an entry is said to be one of QKᵀ."""
    defined = stated.definitions.get(name.base.upper())
    match defined:
        case f.Product(factors=(f.Name(base="Q"), f.Transpose(operand=f.Name(base="K")))):
            return True
    return False


def _of_product(factors: Sequence[f.Expression], operators: Sequence[str], stated: Stated) -> Random:
    values: list[Random] = []
    k = 0
    while k < len(factors):
        if k + 1 < len(factors) and operators[k] == "" and _is_moment(f.Product(tuple(factors[k : k + 2]), ("",))):
            first = factors[k]
            assert isinstance(first, f.Name)
            values.append(_moment(_UPRIGHT[first.base], _random(factors[k + 1], stated)))
            k += 1
        else:
            values.append(evaluate(factors[k], stated))
        k += 1
    held = values[0]
    for value in values[1:]:
        held = _times(held, value, alike=len(factors) == 2 and factors[0] == factors[1])
    return held


def _times(left: Random, right: Random, alike: bool) -> Random:
    if left.certain or right.certain:
        number, other = (left, right) if left.certain else (right, left)
        return _scale(other, number.mean)
    if left.vector and right.vector:
        return _dot(left, right)
    if left.vector or right.vector:
        raise UnsettledError
    if alike:
        return _square(left)
    if left.of & right.of or left.variance is None or right.variance is None:
        raise UnsettledError
    variance = left.variance * right.variance + left.variance * right.mean**2 + right.variance * left.mean**2
    return Random(sympy.expand(left.mean * right.mean), sympy.expand(variance), left.of | right.of)


def _dot(left: Random, right: Random) -> Random:
    """The inner product of two vectors: as many independent products as they have entries."""
    if not (left.vector and right.vector):
        raise UnsettledError
    if left.of & right.of:
        if left.variance is None or left != right:
            raise UnsettledError
        return Random(sympy.expand(_DIMENSION * (left.variance + left.mean**2)), None, left.of)
    one = _times(Random(left.mean, left.variance, left.of), Random(right.mean, right.variance, right.of), alike=False)
    return _many(one, _DIMENSION)


def _many(one: Random, count: Expr) -> Random:
    variance = None if one.variance is None else sympy.expand(count * one.variance)
    return Random(sympy.expand(count * one.mean), variance, one.of)


def _repeat(body: Random, index: str, upper: f.Expression | None, tree: f.Expression) -> Random:
    """A sum over the entries: its terms are alike, and independent of each other."""
    names = [part for part in f.walk(tree) if isinstance(part, f.Name)]
    alike = isinstance(tree, f.Number) or any(index in indices_of(name) for name in names)
    others = any(index not in own for name in names if name.base in _RANDOM and (own := indices_of(name)))
    if body.vector or (index and (not alike or others)):
        raise UnsettledError  # Σ_i q_j k_i
    count = _DIMENSION if upper is None else read_size(upper)
    if count is None:
        raise UnsettledError
    return _many(body, count)


def _scale(value: Random, by: Expr) -> Random:
    variance = None if value.variance is None else sympy.expand(value.variance * by**2)
    return Random(sympy.expand(value.mean * by), variance, value.of, value.vector)


def _square(value: Random) -> Random:
    if value.certain:
        return Random(sympy.expand(value.mean**2), S.Zero)
    if value.variance is None or value.vector:
        raise UnsettledError
    return Random(sympy.expand(value.variance + value.mean**2), None, value.of)


def _add(terms: Sequence[Random]) -> Random:
    random = [term for term in terms if not term.certain]
    if any(term.vector for term in random) or len(random) > 1:
        raise UnsettledError  # terms such as q_1 k_1 + q_2 k_2 are not told from such that depend on each other
    mean = sympy.expand(sympy.Add(*(term.mean for term in terms)))
    return Random(mean, random[0].variance, random[0].of) if random else Random(mean, S.Zero)


def _random(inside: f.Expression, stated: Stated) -> Random:
    """What a mean is taken of. Raises UnsettledError for sizes and numbers: d_t may be a difference, σ(0) no moment."""
    value = evaluate(inside, stated)
    if value.certain:
        raise UnsettledError
    return value


def _moment(kind: str, value: Random) -> Random:
    if value.vector or (kind != "mean" and value.variance is None):
        raise UnsettledError
    if kind == "mean":
        return Random(value.mean, S.Zero)
    assert value.variance is not None
    return Random(value.variance if kind == "variance" else sympy.sqrt(value.variance), S.Zero)
