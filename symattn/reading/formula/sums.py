"""Arithmetic: sums of products of factors with their scripts."""

from __future__ import annotations

from dataclasses import replace

from symattn.patterns import regex
from symattn.reading.formula.algebra import (
    as_derivative,
    at_slashed_derivative,
    at_slashed_operator,
    read_absolute,
    read_cases,
    read_derivative_line,
    read_floor,
    read_inner,
    read_nabla,
    read_norm,
    read_slashed_derivative,
    read_slashed_operator,
)
from symattn.reading.formula.functions import (
    read_application,
    read_arguments,
    read_attribute,
    read_big_sum,
    read_fraction,
    read_infinity,
    read_root,
)
from symattn.reading.formula.matrices import (
    labels_only,
    read_approximate,
    read_brackets,
    read_environment,
    read_grid,
    read_group,
)
from symattn.reading.formula.names import (
    NAMES,
    STARTS,
    at_item,
    is_raised,
    read_below,
    read_below_braces,
    read_name,
    read_program_index,
    read_scripts,
    read_superscript,
    starts_factor,
)
from symattn.reading.formula.neighbours import breaks, is_aside, may_be_applied, require_neighbours, require_product
from symattn.reading.formula.numerals import read_near_whole, read_numeral
from symattn.reading.formula.said_sizes import skip_said_size
from symattn.reading.formula.spellings import CASES
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import (
    BigSum,
    Call,
    Dots,
    Elementwise,
    Entry,
    Expression,
    Infinity,
    Matrix,
    Name,
    NotANumber,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Transpose,
)


def read_expression(p: Parser) -> Expression:
    with p.deeper:
        start = p.token.start
        terms, signs = [], [1]
        if p.at("sign"):
            signs = [-1 if p.take().value == "-" else 1]
            signed = True
        else:
            signed = False
        terms.append(p.product())
        while p.at("sign"):
            signs.append(_read_signs(p))
            terms.append(p.product())
        if len(terms) == 1 and not signed:
            return terms[0]
        if len(terms) == 1:
            return _sign(p, terms[0], signs[0], start)
        return read_near_whole(p, terms, signs, start) or Sum(tuple(terms), tuple(signs), start=start, end=p.behind)


def _read_signs(p: Parser) -> int:
    """A sign, 1 or -1, and that of a negative number behind it, `0.5 + −0.2`.

    In algebra one may end a row and another begin the next, `a + \\\\ - b`.
    """
    sign = -1 if p.take().value == "-" else 1
    if p.at("sign", "-") and p.token.gap and p.next.kind == "number" and not p.next.gap:
        p.take()
        return -sign
    while p.algebra and (p.at("break") or p.at("sign")):
        sign *= -1 if p.take().value == "-" else 1
    return sign


def _sign(p: Parser, term: Expression, sign: int, start: int) -> Expression:
    """A number takes its sign, as the digits -0.5 are printed; another term becomes a sum of one."""
    between = p.text[start : term.start]
    if isinstance(term, Number) and not any(c in between for c in "({（"):
        if "}" in between:  # `{-}4`: the braces around the sign belong to the print
            start = p.text.rindex("{", 0, start)
        text = p.text[start : term.end]
        return replace(term, text=text, value=sign * term.value, start=start)
    if isinstance(term, Infinity):
        return Infinity(sign * term.sign, start=start, end=term.end)
    return Sum((term,), (sign,), start=start, end=term.end)


# --- products


def read_product(p: Parser) -> Expression:
    start = p.token.start
    factors, operators = [p.factor()], list[str]()
    slashed = 0
    while True:
        if p.at("slash"):
            left = _multiply(p, factors, operators, start)
            p.take()
            factors, operators = [_divide(p, left, p.operand(), start)], []
            slashed += 1
            if slashed > p.DEEPEST:
                p.refuse("formula_too_deep", limit=p.DEEPEST)
        elif isinstance(factors[-1], Transpose) and not p.latex and at_item(p):  # QKᵀ[0,1]: an entry of the product
            indices = tuple(str(int(i) + 1) if i.isdigit() else i for i in read_program_index(p))
            whole = _multiply(p, factors, operators, start)
            factors, operators = [Entry(whole, indices, start=start, end=p.behind)], []
        elif isinstance(factors[-1], Call) and not p.latex and at_item(p) and p.next.value == "0":
            call, indices = factors[-1], read_program_index(p)  # softmax([2, 1])[0]: no one counts 0 from 1
            factors[-1] = Entry(call, (*indices[:-1], "1"), start=call.start, end=p.behind)
        elif (operator := _read_operator(p)) is not None:
            operators.append(operator)
            factors.append(p.operand())
        elif starts_factor(p) and not breaks(p) and not is_aside(p, factors[-1]):
            require_neighbours(p, factors[-1], slashed > 0 and len(factors) == 1)
            left = factors[-1]
            factors.append(p.factor())
            operators.append("·" if _are_lists(left, factors[-1]) else "")
            factors[-1] = _as_ones(p, left, factors[-1])
            require_product(p, left, factors[-1], slashed > 0 and len(factors) == 2)
            if p.algebra and (turned := _as_turned_function(p, left, factors[-1])) is not None:
                factors[-2:], operators[-1:] = [turned], []
        else:
            return _multiply(p, factors, operators, start)


def _as_turned_function(p: Parser, left: Expression, right: Expression) -> Transpose | None:
    """R(φ)ᵀ, whose mark belongs to the matrix at φ: nobody puts one small letter in brackets to transpose it."""
    match left, right:
        case Name(base), Transpose(argument) if base.isupper() and may_be_applied(p.text, left, argument):
            applied = Product((left, argument), ("",), start=left.start, end=argument.end)
            return replace(right, operand=applied, start=left.start)
    return None


def _as_ones(p: Parser, left: Expression, right: Expression) -> Expression:
    """The vector of ones that a bold 1 behind a factor is, (P ⊙ dP) 𝟏; a bold 1 elsewhere may be marked only."""
    one = isinstance(right, Number) and right.text == "1"
    return (
        Name("𝟏", text="𝟏", start=right.start, end=right.end)
        if one and _BOLD.search(p.text[left.end : right.end])
        else right
    )


_BOLD = regex(r"\\(?:mathbf|mathbb|boldsymbol|bm|bold)\s*\{?\s*1$")


def _are_lists(left: Expression, right: Expression) -> bool:
    """Whether two rows of as many numbers stand side by side, which can only be multiplied entry by entry."""
    match left, right:
        case Matrix((row,), "["), Matrix((other,), "["):
            return len(row) == len(other) > 1 and left.is_printed and right.is_printed
    return False


def _divide(p: Parser, numerator: Expression, denominator: Expression, start: int) -> Expression:
    if isinstance(denominator, Matrix):
        p.refuse("formula_unexpected", denominator)  # `[1, 0] / [0, 1]` are two rows
    return Quotient(numerator, denominator, start=start, end=p.behind)


def _read_operator(p: Parser) -> str | None:
    if p.at("times"):
        return None if p.in_space and p.token.value == "×" else p.take().value
    spaced = p.at("stop") and p.token.gap == " " and p.next.gap == " "
    if spaced and p.next.kind in STARTS:
        p.take()
        return "·"
    return None


def _multiply(p: Parser, factors: list[Expression], operators: list[str], start: int) -> Expression:
    if len(factors) == 1:
        return factors[0]
    where = {"start": start, "end": p.behind}
    if "⊙" in operators:
        if set(operators) != {"⊙"} and p.algebra:
            return Elementwise(_between(factors, operators), **where)
        if set(operators) != {"⊙"}:
            p.refuse("formula_ambiguous", factors[0])
        return Elementwise(tuple(factors), **where)
    return Product(tuple(factors), tuple(operators), **where)


def _between(factors: list[Expression], operators: list[str]) -> tuple[Expression, ...]:
    """The products between the signs ⊙."""
    made: list[list[int]] = [[0]]
    for k, operator in enumerate(operators, 1):
        if operator == "⊙":
            made.append([k])
        else:
            made[-1].append(k)
    return tuple(
        factors[run[0]]
        if len(run) == 1
        else Product(
            tuple(factors[k] for k in run),
            tuple(operators[k - 1] for k in run[1:]),
            start=factors[run[0]].start,
            end=factors[run[-1]].end,
        )
        for run in made
    )


# --- factors


def read_operand(p: Parser) -> Expression:
    """A factor that may have a sign of its own, as behind an operator."""
    if not p.at("sign"):
        return p.factor()
    token = p.take()
    return _sign(p, p.factor(), -1 if token.value == "-" else 1, token.start)


def read_factor(p: Parser) -> Expression:
    with p.deeper:
        start = p.token.start
        return _read_scripts_of(p, _read_atom(p), start)


def _read_atom(p: Parser) -> Expression:
    token = p.token
    if at_slashed_operator(p):
        return read_slashed_operator(p)
    if token.kind == "partial" or at_slashed_derivative(p):
        slope = read_derivative_line(p) if token.kind == "partial" else read_slashed_derivative(p)
        return as_derivative(p, slope)
    named = token.kind in ("word", "text", "function", "name") or (
        p.algebra and token.kind == "quoted"
    )  # Typst's "softmax"
    if named and (found := read_application(p)) is not None:
        return found
    match token.kind:
        case "number":
            return read_numeral(p, p.take())
        case "function":
            p.take()
            if p.at("up"):
                p.refuse("formula_unexpected")
            return Name(token.value, text=token.value, start=token.start, end=token.end)
        case "open" if token.value == "⟨" and p.algebra:
            return read_inner(p)
        case "open" if token.value in ("⌊", "⌈"):
            return read_floor(p)
        case "open" if token.value in "([{":
            return read_brackets(p) if token.value == "[" else _read_group_with_scripts(p)
        case "begin" if token.value in CASES:
            return read_cases(p)
        case "bar" if starts_factor(p):
            return read_absolute(p)
        case "norm":
            return read_norm(p)
        case "nabla":
            return as_derivative(p, read_nabla(p))
        case "fraction":
            return read_fraction(p)
        case "root":
            return read_root(p)
        case "bigsum":
            return read_big_sum(p)
        case "begin":
            return _read_annotations(p, read_environment(p))
        case "grid":
            return _read_annotations(p, read_grid(p))
        case "brace":
            return _read_braced(p)
        case "tilde":
            return read_approximate(p)
        case "infinity":
            return read_infinity(p)
        case "nan" | "dots":
            p.take()
            kind = NotANumber if token.kind == "nan" else Dots
            return kind(start=token.start, end=token.end)
    if token.kind in NAMES:
        return read_name(p)
    return p.refuse("formula_unexpected")


def _read_group_with_scripts(p: Parser) -> Expression:
    """A group that is a factor: scripts behind braces belong to the name inside, `{W^Q}^T`."""
    opening, token = p.i, p.token
    inner = read_group(p)
    if p.algebra and isinstance(inner, Name) and len(inner.base) > 1 and p.at("open", "(") and token.value == "{":
        arguments, options = read_arguments(p)
        return Call(inner.base.lower(), arguments, options=options, start=token.start, end=p.behind)
    if token.value == "{" and p.token.kind in ("up", "down", "prime", "supers", "transpose"):
        if isinstance(inner, Name):
            return read_scripts(p, inner, opening, token.start)
        if isinstance(inner, Product | Sum | Quotient | Elementwise) and not p.algebra:
            p.refuse("formula_ambiguous", inner)  # `\mathbf{QK}^T` looks like Q times K^T
        if isinstance(inner, Product) and isinstance(inner.factors[-1], Name) and not p.at("down"):
            last = read_scripts(p, inner.factors[-1], opening, inner.factors[-1].start)  # braces are not seen in print
            return replace(inner, factors=(*inner.factors[:-1], last), start=token.start, end=p.behind)
    return inner


def _read_braced(p: Parser) -> Expression:
    """`\\underbrace{x}_{what it is}`: x."""
    p.take()
    if not p.at("open", "{"):
        p.refuse("formula_unexpected")
    inner = read_group(p)
    if p.at("down") or p.at("up"):
        p.take()
        p.skip_script()
    return inner


# --- behind a factor


def _read_scripts_of(p: Parser, operand: Expression, start: int) -> Expression:
    """The transposes, powers and entries behind a factor that is no name (names have read theirs).

    They begin where the factor does, at its brackets.
    """
    for _ in range(p.DEEPEST):
        if p.at("up") or p.at("supers"):
            operand = _read_power(p, operand, start)
        elif p.at("down"):
            operand = _read_entry(p, operand, start)
        elif p.at("subs") and not isinstance(operand, Number | Infinity | Dots):
            operand = Entry(operand, (p.take().value,), start=start, end=p.behind)
        elif p.at("attribute"):
            operand = read_attribute(p, operand)
        elif p.at("prime") or (p.at("transpose") and is_raised(p)):
            slope = p.take().kind == "prime" and p.latex and isinstance(operand, Power | Call | BigSum)
            if slope:
                p.refuse("formula_ambiguous", operand)  # (e^z)' is the derivative
            operand = Transpose(operand, start=start, end=p.behind)
        else:
            skip_said_size(p, operand)
            return operand
    return p.refuse("formula_too_deep", limit=p.DEEPEST)


def _read_power(p: Parser, operand: Expression, start: int) -> Expression:
    script = read_superscript(p, "")
    where = {"start": start, "end": p.behind}
    if script.power is not None:
        return Power(operand, script.power, **where)
    if script.label == "*" and p.algebra and not isinstance(operand, Number | Infinity):
        return Transpose(operand, "*", **where)  # the conjugate of a complex number, the adjoint of a matrix
    if script.label or not script.transposed or isinstance(operand, Number | Infinity):
        p.refuse("formula_ambiguous", operand)
    return Transpose(operand, start=start, end=p.behind)


def _read_entry(p: Parser, operand: Expression, start: int) -> Expression:
    """An entry of a factor, or the size that is noted below a matrix."""
    if isinstance(operand, Matrix) and p.next.kind == "open" and p.next.value == "{":
        p.take()
        opening, close = p.i, p.layout.partner[p.i]
        if any(t.kind == "times" for t in p.tokens[opening:close]):
            p.i = close + 1
            size = p.text[p.tokens[opening].end : p.tokens[close].start]
            return replace(operand, annotations=(*operand.annotations, size), end=p.behind)
        return Entry(operand, read_below_braces(p), start=start, end=p.behind)
    if isinstance(operand, Number | Infinity | Dots):
        p.refuse("formula_unexpected")
    return Entry(operand, read_below(p), start=start, end=p.behind)


def _read_annotations(p: Parser, matrix: Matrix) -> Matrix:
    """The matrix with the labels that stand in a matrix of their own behind it."""
    if not matrix.rows:
        p.refuse("formula_no_matrix", matrix)
    while p.at("begin") and labels_only(p):
        labels = read_environment(p)
        matrix = replace(matrix, annotations=(*matrix.annotations, *labels.annotations), end=matrix.end)
    return matrix
