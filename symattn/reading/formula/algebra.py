"""Formulas of letters: derivatives, inner products, definitions by cases, functions of any name.

A text with numbers is read strictly, since `φ(x)` or `f(2)` may be a product there; `parse(text, algebra=True)` takes
it for what a formula without numbers would mean.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from symattn.patterns import regex
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import (
    Call,
    Cases,
    Chain,
    Derivative,
    Expression,
    Name,
    Number,
    Product,
    Sum,
)

_LETTER = regex(r"[^\W\d_]")
_FUNCTION_LETTERS = frozenset("φψσρΦΨfgF")
_WORDS = frozenset(  # capitals that are no product
    ["PE", "RoPE", "FFN", "MLP", "LN", "MHA", "RMS", "SA", "PPL", "NLL", "BCE", "SDPA", "MMHA", "MHSA", "MSA", "ReLU"]
)
_ANGLES = frozenset("θωφαΘ")
_GRADIENTS = regex(r"(?:d?[A-Z])*d[A-Z](?:d?[A-Z])*")


def count_gradient_letters(word: str) -> int | None:
    """How many characters of a run of gradients and matrices are the first of them.

    >>> count_gradient_letters("dSK"), count_gradient_letters("QdS"), count_gradient_letters("QK")
    (2, 1, None)
    """
    if not _GRADIENTS.fullmatch(word):
        return None
    return 2 if word[0] == "d" else 1


def count_algebra_letters(p: Parser, token: Token) -> int | None:
    """How many characters of a word are a symbol, where algebra says so: `dSK` is dS K, `im\\theta` is i m θ."""
    word = token.value
    if word in _WORDS:
        return len(word)
    if is_monomial(p, token) or is_product_with_vector(p, token):
        return 1
    if p.latex and len(word) == 2 and word.islower() and word.isascii() and word.isalpha():
        return 1
    return count_gradient_letters(word)


_MONOMIAL = regex(r"(?<![\w\\])[0-9]+(?P<letters>[A-Za-z]{2,4})(?![A-Za-z0-9(])")


def is_monomial(p: Parser, token: Token) -> bool:
    """Whether a word is of sizes behind their coefficient, the bsh of `8bsh^2`, in a text that has powers of such."""
    for found in _MONOMIAL.finditer(p.text, max(token.start - 12, 0)):
        if found.start() > token.start:
            return False
        if found.start("letters") <= token.start and token.end <= found.end("letters"):
            letters = found["letters"]
            marked = _INDEX.match(p.text, found.end())  # 2nd_h and no second
            if p.text[found.end() : found.end() + 1] == "_" and not marked:
                return False
            powers = bool(marked or _POWER.search(p.text))
            return set(letters) <= _SIZES and len(set(letters)) == len(letters) and powers
    return False


def is_product_with_vector(p: Parser, token: Token) -> bool:
    """Whether letters in LaTeX are those of matrices and a vector behind them, BAx."""
    return p.latex and re.fullmatch(r"[A-Z]{1,3}[xhzv]", token.value) is not None


_SIZES = frozenset("bBsShHlLdDnNtTvV")
_INDEX = regex(r"_(?:\{|[A-Za-z](?![A-Za-z]))")
_POWER = regex(r"[0-9][A-Za-z]{2,4}\s*(?:\^|[²³])")


def mark_letters(tokens: list[Token], text: str, *, algebra: bool) -> list[Token]:
    """The tokens with a bold 1, `\\mathbf{1}`, as the letter 𝟏 of the vector of ones, and 𝔼 as E; outside algebra
    a bold 1 that is transposed."""
    marked = _MARKED if algebra else _TURNED
    made: list[Token] = []
    k = 0
    while k < len(tokens):
        if tokens[k].kind == "text" and tokens[k].value.isdigit():
            tokens[k] = tokens[k]._replace(kind="number")
        found = marked.match(text, tokens[k].start) if tokens[k].kind == "font" else None
        if found is None:
            made.append(tokens[k])
            k += 1
            continue
        kind, letter = ("word", "E") if found.groupdict().get("mean") else ("name", "𝟏")
        made.append(Token(kind, letter, tokens[k].start, found.end(), tokens[k].gap))
        while tokens[k].start < found.end() and tokens[k].kind != "end":
            k += 1
    return made


def mark_ones(tokens: list[Token]) -> list[Token]:
    """The tokens with a 1 that is transposed, δ 1ᵀ, as the vector of ones: no number is, but for an index, K_1ᵀ."""
    ones = [t.kind == "number" and t.value == "1" for t in tokens]
    index = [k > 0 and tokens[k - 1].kind == "down" for k in range(len(tokens))]
    turned = [ones[k] and not index[k] and tokens[k + 1].kind == "transpose" for k in range(len(tokens))]
    return [t._replace(kind="name", value="𝟏") if one else t for t, one in zip(tokens, turned, strict=True)]


_TURNED = regex(
    r"\\(?:mathbf|mathbb|boldsymbol|bm|bold)\s*(?:\{\s*1\s*\}|1(?![0-9.]))(?=\s*\^\s*\{?\s*(?:\\(?:top|intercal)|T\b))"
)
_MARKED = regex(
    r"\\(?:mathbf|mathbb|boldsymbol|bm|bold)\s*(?:\{\s*1\s*\}|1(?![0-9.]))|\\mathbb\s*(?P<mean>\{\s*E\s*\}|E(?![A-Za-z]))"
)

# --- derivatives


def at_derivative(p: Parser) -> bool:
    """Whether the fraction whose numerator starts here is ∂L/∂X or dL/dX."""
    if not p.at("open", "{"):
        return False
    below = p.layout.partner[p.i] + 1
    above, under = p.tokens[p.i + 1], p.tokens[min(below + 1, len(p.tokens) - 1)]
    if above.kind == under.kind == "partial":
        return True
    whole = [at for at in (p.i, below) if at + 2 < len(p.tokens)]
    if any(p.tokens[at + 2].kind in ("down", "prime") and p.tokens[at + 1].value == "d" for at in whole):
        return False  # the sizes of `\\frac{d_k}{d_v}`, the sums of `\\frac{d'_j}{d'_i}`
    return p.tokens[below].kind == "open" and all(_is_differential(t.value) for t in (above, under))


def _is_differential(word: str) -> bool:
    return word == "d" or re.fullmatch(r"d(?:[A-Za-z]|[ℓ])[a-z]?", word) is not None


def read_derivative_fraction(p: Parser, start: int) -> Derivative:
    """`{∂L}{∂X}`, behind `\\frac`, or `{d}{dx}` with what is differentiated behind it."""
    made = []
    for _ in range(2):
        p.expect("open", "{")
        _take_differential(p)
        if not p.at("close", "{"):
            made.append(p.product())
        p.expect("close", "{")
    if len(made) == 2:
        return Derivative(made[0], made[1], start=start, end=p.behind)
    of = p.product()
    if not made or (isinstance(of, Product) and any(of.operators)):
        p.refuse("formula_unexpected")  # d/dx a · b may be of a alone
    return Derivative(of, made[0], start=start, end=p.behind)


def _take_differential(p: Parser) -> None:
    if not p.take_if("partial"):
        p.split(1)


def read_derivative_line(p: Parser) -> Derivative:
    """`∂L/∂X`."""
    start = p.take().start
    of = p.factor()
    if not p.take_if("slash") or not p.take_if("partial"):
        p.refuse("formula_unexpected")
    return Derivative(of, p.factor(), start=start, end=p.behind)


def at_slashed_derivative(p: Parser) -> bool:
    """Whether `dL/dX` stands here, with a slash; a loss is called L, and C, E or J too."""
    if p.token.value not in ("dL", "dC", "dE", "dJ") or p.next.kind != "slash":
        return False
    below = p.tokens[p.i + 2]
    return below.kind in ("word", "name") and re.match("d[A-Za-z]", below.value) is not None


def read_slashed_derivative(p: Parser) -> Derivative:
    token = p.take()
    loss = token.value[1]
    p.take()
    p.split(1)
    return Derivative(Name(loss, text=loss), p.factor(), start=token.start, end=p.behind)


def at_slashed_operator(p: Parser) -> bool:
    """Whether `d/dx` or `∂/∂x` stands here, in front of what is differentiated."""
    if not p.algebra or p.next.kind != "slash":
        return False
    below = p.tokens[p.i + 2]
    if p.token.kind == "partial":
        return below.kind == "partial"
    return (
        p.token.value == "d" and below.kind in ("word", "name") and re.fullmatch(r"d[A-Za-z]", below.value) is not None
    )


def read_slashed_operator(p: Parser) -> Derivative:
    """`d/dx tanh(x)` and `d/dx (x²)`."""
    start = p.take().start
    p.take()
    _take_differential(p)
    by = p.take()
    of = p.product()
    if isinstance(of, Product) and any(of.operators):
        p.refuse("formula_unexpected", of)  # d/dx a · b may be of a alone
    letter = Name(by.value, text=by.value, start=by.start, end=by.end)
    return Derivative(of, letter, start=start, end=p.behind)


def as_derivative(p: Parser, slope: Derivative) -> Derivative | Name:
    """`∂L/∂z_1` itself; among numbers a name like another, with the indices of what is differentiated by."""
    if p.algebra:
        return slope
    of, by = slope.of, slope.by
    if not (isinstance(of, Name) and isinstance(by, Name)):
        p.refuse("formula_unexpected", slope)
    above = "_".join([of.base, *of.sub]) + "".join(of.sup)
    text = p.text[slope.start : slope.end]
    return replace(by, base=f"∂{above}/∂{by.base}", text=text, start=slope.start, end=slope.end)


def read_nabla(p: Parser) -> Derivative:
    """`∇_X L`, and `∇_X` alone for that of the loss."""
    start = p.take().start
    if not p.take_if("down"):
        p.refuse("formula_unexpected")
    if p.at("open", "{"):
        p.take()
        by = p.product()
        p.expect("close", "{")
    else:
        token = p.split(1) if p.at("word") and p.latex else p.take()
        by = Name(token.value, text=token.value, start=token.start, end=token.end)
    end, at = p.behind, p.i
    if p.token.kind not in _BEHIND_GRADIENTS:
        of = p.factor()
        loss = isinstance(of, Name) and of.base in _LOSSES
        if of != by and (loss or not _ALONE.search(p.text)):
            return Derivative(of, by, start=start, end=p.behind)
        p.i = at  # the gradient by x, times x or another factor
    return Derivative(Name("L"), by, start=start, end=end)


_BEHIND_GRADIENTS = frozenset(["relation", "times", "sign", "comma", "row", "close", "end"])
_LOSSES = frozenset("LℓlJECfF")
_ALONE = regex(r"(?:\\nabla|∇)\s*_\s*(?:\w|\\?[a-zA-Z]+|\{(?:[^{}]|\{[^{}]*\})*\})\s*&?\s*(?:=|\\propto)")

# --- brackets


def read_inner(p: Parser) -> Call:
    """`⟨x, y⟩`."""
    start = p.take().start
    p.brackets += 1
    with p.deeper:
        left = p.expression()
        p.expect("comma", ",")
        right = p.expression()
    p.brackets -= 1
    p.expect("close", "⟨")
    return Call("inner", (left, right), start=start, end=p.behind)


def read_floor(p: Parser) -> Call:
    """`⌊x⌋`, `⌈x⌉`."""
    token = p.take()
    inside = p.inside()
    p.expect("close", token.value)
    return Call("floor" if token.value == "⌊" else "ceil", (inside,), start=token.start, end=p.behind)


def read_norm(p: Parser) -> Call:
    """`‖x‖` and `‖x‖_2`."""
    start = p.take().start
    outer, p.in_norm = p.in_norm, True
    inside = p.inside()
    p.in_norm = outer
    p.expect("norm", "‖")
    label: tuple[str, ...] = ()
    if p.take_if("down"):
        opening = p.i
        p.skip_script()
        label = (p.text[p.tokens[opening].start : p.behind].strip("{}"),)
    return Call("norm", (inside,), label, start=start, end=p.behind)


def read_absolute(p: Parser) -> Call:
    """`|i - j|`; of what has numbers it may be the length of a vector."""
    start = p.take().start
    p.in_bars = True
    inside = p.inside()
    p.in_bars = False
    p.expect("bar", "|")
    return Call("abs" if p.algebra else "length", (inside,), start=start, end=p.behind)


def read_probability(p: Parser, opening: int) -> Name | None:
    """`P(y_i | x_i)`, or `P(x_i)` behind a logarithm: a number between 0 and 1 for every i, by the name P_i."""
    close = p.layout.partner.get(opening)
    if p.token.value not in _PROBABILITIES or p.tokens[opening].value != "(" or close is None:
        return None
    conditional = any(t.kind == "bar" for t in p.tokens[opening:close])
    if not conditional and not any(t.value == "log" for t in p.tokens[max(p.i - 3, 0) : p.i]):
        return None
    index = _INDEX_OF.search(p.text, p.tokens[opening].end, p.tokens[close].start)
    start, base = p.token.start, p.token.value
    p.i = close + 1
    text = p.text[start : p.behind]
    return Name(base, (index[1],) if index is not None else (), text=text, start=start, end=p.behind)


def read_divergence(p: Parser, opening: int) -> Call | None:
    """`D_{KL}(p ‖ q)`, `KL(p || q)`: the Kullback–Leibler divergence, whose arguments a bar may part."""
    close = p.layout.partner.get(opening)
    start = p.token.start
    if close is None or p.tokens[opening].value != "(" or "KL" not in p.text[start : p.tokens[opening].start]:
        return None
    kinds = [t.kind for t in p.tokens[opening:close]]
    if kinds.count("norm") + kinds.count("comma") + kinds.count("bar") != 1:
        return None
    p.i, outer, p.in_norm = opening + 1, p.in_norm, True
    p.brackets += 1
    with p.deeper:
        first = p.expression()
        p.take()
        second = p.expression()
    p.brackets -= 1
    p.in_norm = outer
    p.expect("close", "(")
    return Call("kl", (first, second), start=start, end=p.behind)


def read_indicator(p: Parser) -> Name | None:
    """`𝟙[i = j]` and `𝟙_{i = j}`: δ_ij."""
    opening = p.i + 2 if p.next.kind == "down" else p.i + 1
    close = p.layout.partner.get(opening)
    found = None if close is None else _EQUAL.fullmatch(p.text, p.tokens[opening].end, p.tokens[close].start)
    if close is None or found is None:
        return None
    start = p.token.start
    p.i = close + 1
    return Name("δ", (found[1] + found[2],), text=p.text[start : p.behind], start=start, end=p.behind)


_EQUAL = regex(r"[\s\\{]*([a-z])\s*={1,2}\s*([a-z])[\s\\}]*")
_PROBABILITIES = frozenset(["P", "p", "Pr", "q"])
_INDEX_OF = regex(r"_\{?([a-z])")


def read_expectation(p: Parser) -> Call:
    """`E[x]`."""
    start = p.take().start
    p.take()
    inside = p.inside()
    p.expect("close", "[")
    return Call("expectation", (inside,), start=start, end=p.behind)


def read_cases(p: Parser) -> Cases:
    """The values of an environment `cases`, each with its condition as written."""
    begin = p.i
    start, close = p.take().start, p.layout.partner[begin]
    opened = p.tokens[begin]
    rows: list[tuple[Expression, str]] = []
    p.brackets += 1
    while p.i < close:
        value = p.expression()
        p.take_if("comma")
        p.take_if("cell")
        opening = p.token.start
        while p.i < close and not p.at("row"):
            p.i = p.layout.partner.get(p.i, p.i) + 1
        rows.append((value, p.text[opening : p.token.start].strip()))
        if not p.algebra and not _LETTER.search(rows[-1][1]):
            p.refuse("formula_unknown", opened)  # a bracket around lines, and no conditions
        p.take_if("row")
    p.brackets -= 1
    p.take()
    return Cases(tuple(value for value, _ in rows), tuple(c for _, c in rows), start=start, end=p.behind)


# --- functions


def names_function(p: Parser) -> bool:
    """Whether the word here is a function of what stands in the parentheses behind it: φ(x), f(x, m), PE(pos, 2i)."""
    opening = p.next
    if opening.kind != "open" or opening.value != "(" or (opening.gap and not p.latex):
        return False
    word = p.token.value
    if len(word) > 1 and word.isascii() and word.isalpha():  # PE(…), not QK(…)
        return not set(word) <= set("QKVWXSAPOZHd")
    return word in _FUNCTION_LETTERS or ("comma" in p.layout.inside[p.i + 1] and word not in "QKVWXd")


def widen_angle(p: Parser, call: Call) -> Call:
    """cos (m − n) θ and cos mθ: the angle goes on to its Greek letter."""
    if call.function not in ("sin", "cos") or len(call.arguments) != 1:
        return call
    at = p.i
    while p.tokens[at].kind in ("word", "name") and p.tokens[at].value not in _ANGLES and p.tokens[at].gap != "wide":
        at += 1
    if p.tokens[at].value not in _ANGLES:
        return call
    factors: list[Expression] = [call.arguments[0]]
    while p.i <= at:
        factors.append(p.factor())
    angle = Product(tuple(factors), ("",) * (len(factors) - 1), start=factors[0].start, end=p.behind)
    return Call(call.function, (angle,), call.label, start=call.start, end=p.behind)


# --- sums with conditions


def bound_sum(chain: Chain) -> tuple[str, Expression | None, Expression | None, Chain | None]:
    """Index, lower and upper bound and condition of what stands below Σ: `j ≤ i`, `1 ≤ j ≤ n`, `k ≠ j`, `j ∈ N`."""
    sides = chain.sides
    if len(sides) == 3 and sides[1].relation in ("≤", "<") and isinstance(sides[1].expression, Name):
        lower = sides[0].expression if sides[1].relation == "≤" else _plus(sides[0].expression, 1)
        upper = sides[2].expression if sides[2].relation == "≤" else _plus(sides[2].expression, -1)
        return _index(sides[1].expression), lower, upper, None
    index = _index(sides[0].expression)
    if len(sides) == 2 and sides[1].relation in ("≤", "<"):
        bound = sides[1].expression
        return index, None, bound if sides[1].relation == "≤" else _plus(bound, -1), None
    if len(sides) == 2 and sides[1].relation in ("≥", ">"):
        bound = sides[1].expression
        return index, bound if sides[1].relation == "≥" else _plus(bound, 1), None, None
    return index, None, None, chain


def _index(expression: Expression) -> str:
    return expression.base if isinstance(expression, Name) else ""


def _plus(expression: Expression, one: int) -> Expression:
    unit = Number("1", Fraction(1), Fraction(1), start=expression.start, end=expression.end)
    return Sum((expression, unit), (1, one), start=expression.start, end=expression.end)
