"""Functions applied: softmax and its kin, program calls, roots, fractions, sums over an index."""

from __future__ import annotations

from itertools import pairwise

from symattn.patterns import regex
from symattn.reading.formula.algebra import (
    as_derivative,
    at_derivative,
    bound_sum,
    names_function,
    read_derivative_fraction,
    read_divergence,
    read_expectation,
    read_indicator,
    read_probability,
    widen_angle,
)
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.matrices import read_group
from symattn.reading.formula.names import (
    is_greek,
    is_item,
    read_below_braces,
    read_label,
    read_superscript,
    starts_factor,
)
from symattn.reading.formula.numerals import read_numeral
from symattn.reading.formula.spellings import CONSTRUCTORS, FUNCTIONS
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import (
    BigSum,
    Call,
    Chain,
    Derivative,
    Expression,
    Infinity,
    Matrix,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Transpose,
)

_FRACTION = regex(r"\\[cdt]?frac\Z")  # behind it 18 is two arguments, 1 and 8
_SQUARED = frozenset(["sin", "cos", "tanh"])  # tanh² x beside numbers, as in textbooks; exp² x is what nobody writes
_POWERED = frozenset(("tanh", "sin", "cos", "log", "exp"))
_AXES = ("row", "col", "dim", "axis")  # what may stand below softmax as a word


def canonical_function(word: str) -> str | None:
    """The function that a word names in any of its spellings, or None.

    >>> canonical_function("Multi-Head Attention"), canonical_function("LN"), canonical_function("scores")
    ('multihead', 'layernorm', None)
    """
    if word in ("LN", "Norm"):
        return "layernorm"
    if word in ("log2", "log10"):
        return word
    return FUNCTIONS.get(word.lower() if word.isalpha() else "".join(c for c in word.lower() if c.isalpha()))


def read_fraction(p: Parser) -> Quotient | Derivative | Name:
    start = p.take().start
    if at_derivative(p):
        slope = read_derivative_fraction(p, start)
        return as_derivative(p, slope)
    numerator = read_group(p, listed=True) if p.at("open", "{") else _read_argument(p)
    denominator = _read_argument(p)
    return Quotient(numerator, denominator, start=start, end=p.behind)


def read_root(p: Parser) -> Root:
    token = p.take()
    if token.value == "√" and p.at("open", "[") and p.latex:
        p.refuse("formula_unexpected")
    written = p.text[token.start]
    inner = _read_argument(p) if written == "\\" else p.factor()
    return Root(inner, start=token.start, end=p.behind)


def _read_argument(p: Parser) -> Expression:
    """What a LaTeX command takes: a group in braces, or one character."""
    if p.at("open", "{"):
        return read_group(p)
    if p.at("number"):
        token, pair = p.token, bool(_FRACTION.search(p.text[: p.token.start]))
        if len(token.value) > 1 and not (pair and len(token.value) == 2 and token.value.isdigit()):
            p.refuse("formula_ambiguous")
        return read_numeral(p, p.split(1))
    letter = p.at("word") or (p.next.value == "(" and is_greek(p.token.value))  # \frac1\sigma(x - μ) is no σ(x - μ)
    if letter:
        token = p.split(1) if len(p.token.value) > 1 and p.token.value.isascii() else p.take()
        if token.value.isdigit():  # the 2 of \frac x2
            return read_numeral(p, token._replace(kind="number"))
        return Name(token.value, text=token.value, start=token.start, end=token.end)
    return p.operand()


def read_big_sum(p: Parser) -> BigSum:
    start = p.take().start
    index, lower, upper, condition = "", None, None, None
    while p.at("down") or p.at("up"):
        below = p.take().kind == "down"
        if not below:
            upper = _read_argument(p) if p.latex or p.at("open", "{") else p.operand()
        elif p.algebra and p.at("open", "{") and _has_condition(p):
            index, lower, upper, condition = _read_bounds(p)
        elif p.at("open", "{"):
            index, lower, last = _read_index(p)
            upper = upper or last
        else:
            first = p.split(1) if p.latex and p.at("word") else p.take()  # LaTeX's \\sum_je^{...} is over j
            index = ",".join(read_label(p, [first]))
            if not p.latex and p.at("relation", "=") and p.next.kind == "number":
                lower, upper = _read_plain_bounds(p)
    body = p.expression() if p.algebra and p.at("sign") else p.product()
    return BigSum(index, lower, upper, body, condition, start=start, end=p.behind)


def _has_condition(p: Parser) -> bool:
    """Whether another relation than = stands below Σ."""
    inside = p.tokens[p.i : p.layout.partner[p.i]]
    relations = [t.value for t in inside if t.kind == "relation"]
    return bool(relations) and relations != ["="]


def _read_bounds(p: Parser) -> tuple[str, Expression | None, Expression | None, Chain | None]:
    p.take()
    chain = p.chain()
    p.expect("close", "{")
    return bound_sum(chain)


def _read_plain_bounds(p: Parser) -> tuple[Expression, Expression]:
    """`=1..d_k` and `=0..d_k − 1` behind `Σ_k`."""
    p.take()
    lower = read_numeral(p, p.take())
    _skip_to_last(p)
    upper = p.factor()
    from_zero = isinstance(lower, Number) and lower.value == 0
    if from_zero and p.at("sign") and p.token.value == "-" and p.next.value == "1":  # what is summed has no sign
        p.take()
        one = read_numeral(p, p.take())
        upper = Sum((upper, one), (1, -1), start=upper.start, end=one.end)
    return lower, upper


def _skip_to_last(p: Parser) -> None:
    """The marks between the first and the last value of an index: 1..n, 1…n and 1, …, n."""
    commas = p.at("comma")
    if commas:
        p.take()
    if p.at("dots"):
        p.take()
    else:
        p.expect("stop", ".")
        p.expect("stop", ".")
    if commas:
        p.expect("comma", ",")


def _read_index(p: Parser) -> tuple[str, Expression | None, Expression | None]:
    """`{j=1}`, `{j=1..n}` or `{j}` below a sum: the index, and its first and last value."""
    close = p.layout.partner[p.i]
    equals = next((i for i in range(p.i, close) if p.tokens[i].kind == "relation"), close)
    index = ",".join(read_label(p, p.tokens[p.i + 1 : equals]))
    p.i = equals
    lower, upper = None, None
    if equals + 2 < close and p.tokens[equals + 1].kind == "number" and p.tokens[equals + 2].kind in _TO_LAST:
        lower, upper = _read_plain_bounds(p)
    elif equals < close:
        p.expect("relation", "=")
        lower = p.expression()
    p.expect("close", "{")
    return index, lower, upper


_TO_LAST = ("stop", "dots", "comma")


# --- named functions


def read_application(p: Parser) -> Expression | None:
    """The function applied that starts here, or None: then the word is a name."""
    token = p.token
    command = token.kind == "function"
    behind = behind_label(p)
    opening = p.tokens[behind]
    function = token.value if command else _function_named(p, behind)
    if token.kind == "word" and token.value in CONSTRUCTORS and behind == p.i + 1 and opening.value == "(":
        return _read_constructor(p)
    if token == ("name", "σ", *token[2:]) and opening.value == "(" and not opening.gap:
        return _read_call(p, "sigma")
    if p.algebra and _at_squared_sigma(p):
        return _read_squared(p, "sigma")
    if p.algebra and token.value == "𝟏" and (found := read_indicator(p)) is not None:
        return found
    if p.algebra and (found := read_probability(p, behind)) is not None:
        return found
    if (divergence := read_divergence(p, behind)) is not None:
        return divergence
    if p.algebra and token.value == "E" and opening.value == "[" and behind == p.i + 1:
        return read_expectation(p)
    if function in (_POWERED if p.algebra else _SQUARED) and _at_square(p):
        return _read_squared(p, function)
    if p.algebra and token.kind in ("word", "name") and names_function(p):
        return _read_call(p, function or (token.value if len(token.value) == 1 else token.value.lower()))
    if function == "transpose" and opening.value == "[" and not opening.gap:
        return _read_bracketed_transpose(p)
    if opening.kind == "open" and opening.value == "(":
        known = function is not None and (command or token.kind == "text" or not opening.gap or p.latex)
        return _read_call(p, function or token.value.lower()) if known or _is_word(p, token, behind) else None
    if function is None or (function == "attention" and opening.kind != "open"):
        return None
    if opening.kind == "open" and opening.value == "[" and not p.latex and is_item(p, behind):
        argument, *others = p.tokens[behind + 1 : p.layout.partner[behind]]
        if others or not argument.value[0].isupper():  # softmax[S], as Bishop writes it, has no place i in it
            return None
    if opening.kind in ("fraction", "begin", "grid", "open"):
        return _read_bare_call(p, function)
    if command and (
        opening.kind in ("word", "name", "number", "text") or (p.algebra and opening.kind in ("accent", "bigsum"))
    ):
        return _read_bare_call(p, function)
    below = [t.value for t in p.tokens[p.i + 2 : behind] if t.kind not in ("open", "close")]
    over_one = len(below) == 1 and len(below[0]) == 1
    if function in ("max", "min") and over_one and opening.kind in ("word", "name"):
        return _read_bare_call(p, function)  # max_j S_1j
    return None


def _at_square(p: Parser) -> bool:
    """Whether a function's name has a power of 2 between itself and its argument, `\\tanh^2(x)`."""
    at = p.i + 2
    if p.next.kind == "supers":
        return p.next.value == "2"
    if p.next.kind != "up":
        return False
    if p.tokens[at].value == "{":
        return p.tokens[at + 1].value == "2" and p.tokens[at + 2].kind == "close"
    return p.tokens[at].kind == "number" and p.tokens[at].value.startswith("2")


def _at_squared_sigma(p: Parser) -> bool:
    """Whether σ²(x) stands here beside σ(x): σ² is a number, a variance, where σ is not applied to anything."""
    applied = (first.value == "σ" and then.value == "(" and not then.gap for first, then in pairwise(p.tokens))
    if p.token.value != "σ" or not _at_square(p) or not any(applied):
        return False
    behind = p.tokens[p.layout.partner.get(p.i + 2, p.i + 2) + 1]
    return behind.value == "(" and not behind.gap


def _read_squared(p: Parser, function: str) -> Power:
    start = p.take().start
    exponent = read_superscript(p, function).power if p.at("supers") else None
    if exponent is None:
        p.take()
        exponent = _read_argument(p)
    arguments = read_arguments(p)[0] if p.at("open", "(") else (p.factor(),)
    call = widen_angle(p, Call(function, arguments, start=start, end=p.behind))
    return Power(call, exponent, start=start, end=p.behind)


def _function_named(p: Parser, behind: int) -> str | None:
    """The function that the word here names; with a word below it, `attention_scores`, it is a name."""
    label = p.tokens[p.i + 2 : behind]
    if label and label[0].kind == "word" and len(label[0].value) > 1 and not label[0].value.startswith(_AXES):
        return None
    return canonical_function(p.token.value)


def _is_word(p: Parser, token: Token, behind: int) -> bool:
    """Whether this is the name of a function nobody knows: a word with parentheses right behind it."""
    opening = p.tokens[behind]
    if behind > p.i + 1 or (opening.gap and not p.latex):
        return False
    words = token.value.replace("-", " ").split()
    if len(token.value) == 2 and token.value[0] == "d":
        return False  # the gradient dO of dO (KᵀV)ᵀ
    if token.kind == "text":
        return len(token.value) > 1 and len(words) < 4
    return len(token.value) > 1 and token.value.isalpha() and not token.value.isupper()


def behind_label(p: Parser) -> int:
    """The index of the token behind the function's name and what stands below it."""
    at = p.i + 1
    if p.tokens[at].kind == "down":
        at += 1
        at = p.layout.partner.get(at, at) + 1
    return min(at, len(p.tokens) - 1)


def _read_call(p: Parser, function: str) -> Expression:
    start = p.take().start
    if function == "mask":
        return _read_mask(p, start)
    label = _read_label_below(p)
    arguments, options = read_arguments(p)
    made = _make_call(p, function, arguments, label, options, start)
    return widen_angle(p, made) if p.algebra and isinstance(made, Call) else made


def _read_mask(p: Parser, start: int) -> Call:
    """`mask_{j \\le i}(S)` or `mask(S; j <= i)`, with the condition as written."""
    condition = ""
    if p.take_if("down") and p.at("open", "{"):
        close = p.layout.partner[p.i]
        condition = p.text[p.token.end : p.tokens[close].start]
        p.i = close + 1
    p.expect("open", "(")
    p.brackets += 1
    scores = p.expression()
    if p.at("semicolon"):
        opening = p.take().end
        while not p.at("close", "("):
            p.i = p.layout.partner.get(p.i, p.i) + 1
        condition = p.text[opening : p.token.start]
    p.brackets -= 1
    p.expect("close", "(")
    label = (condition.strip(),) if condition else ()
    return Call("mask", (scores,), label, start=start, end=p.behind)


def _read_label_below(p: Parser) -> tuple[str, ...]:
    if not p.take_if("down"):
        return ()
    return read_below_braces(p) if p.at("open", "{") else read_label(p, [p.take()])


def _make_call(
    p: Parser,
    function: str,
    arguments: tuple[Expression, ...],
    label: tuple[str, ...],
    options: tuple[tuple[str, str], ...],
    start: int,
) -> Expression:
    where = {"start": start, "end": p.behind}
    if function in ("matmul", "dot") and len(arguments) == 2 and not label:
        return Product(arguments, ("·" if function == "dot" else "@",), **where)  # of two vectors dot is a number
    if function == "transpose" and len(arguments) == 1 and not label:
        return Transpose(arguments[0], start=start, end=p.behind)
    if function == "sqrt" and len(arguments) == 1 and not label:
        return Root(arguments[0], **where)
    if function == "concat" and len(arguments) == 1 and isinstance(arguments[0], Matrix):
        rows = arguments[0].rows
        arguments = rows[0] if len(rows) == 1 else arguments
    return Call(function, arguments, label, options, **where)


def _read_bracketed_transpose(p: Parser) -> Transpose:
    """`Transpose[K]`, as Mathematica writes it."""
    start = p.take().start
    p.expect("open", "[")
    operand = p.inside()
    p.expect("close", "[")
    return Transpose(operand, start=start, end=p.behind)


def _read_bare_call(p: Parser, function: str) -> Expression:
    """`\\exp x`, `softmax[1, 2]`, `\\cos\\phi`: one factor, and nothing beside it."""
    start, label = p.take().start, _read_label_below(p)
    argument = p.factor()
    if p.algebra:
        return widen_angle(p, Call(function, (argument,), label, start=start, end=p.behind))
    close = isinstance(argument, Number) and p.at("slash") and p.next.kind == "number"
    if close and not (p.token.gap or p.next.gap):  # ln 1/4 may be that of a quarter
        p.refuse("formula_ambiguous")
    if function not in ("softmax", "relu") and starts_factor(p) and p.token.gap != "wide":
        p.refuse("formula_ambiguous")
    return _make_call(p, function, (argument,), label, (), start)


def read_arguments(p: Parser, *, needed: bool = True) -> tuple[tuple[Expression, ...], tuple[tuple[str, str], ...]]:
    """The arguments between parentheses, of which a function needs one and a method, K.transpose(), none."""
    arguments: list[Expression] = []
    options: list[tuple[str, str]] = []
    p.expect("open", "(")
    p.brackets += 1
    with p.deeper:
        while not p.at("close"):
            if _at_option(p):
                options.append(_read_option(p))
            elif p.tokens[p.i].value == "·" and p.tokens[p.i + 1].kind == "close":
                dot = p.take()
                arguments.append(Name("·", text="·", start=dot.start, end=dot.end))  # f(·): of what stands before
            else:
                arguments.append(p.expression())
            if not p.take_if("comma") and not p.at("close"):
                p.refuse("formula_unexpected")
    if needed and not arguments:
        p.refuse("formula_unexpected")
    p.brackets -= 1
    p.expect("close", "(")
    return tuple(arguments), tuple(options)


def _at_option(p: Parser) -> bool:
    at = p.i
    while p.tokens[at].kind in ("word", "down", "text"):
        at += 1
    return at > p.i and (p.tokens[at].value == "=" or "=" in p.tokens[p.i].value)


def _read_option(p: Parser) -> tuple[str, str]:
    """A program's keyword argument, `dim=-1`, `grad_fn=<AddBackward0>`, `\\text{dim}=-1`, as written."""
    start = p.token.start
    while not (p.at("comma") or p.at("close") or p.at("end")):
        p.i = p.layout.partner.get(p.i, p.i) + 1
    name, equals, value = _UPRIGHT.sub(r"\1", p.text[start : p.behind]).partition("=")
    if not equals:
        p.refuse("formula_unexpected")
    return name.strip(), value.strip()


_UPRIGHT = regex(r"\\(?:text|mathrm|texttt|operatorname)\{([^{}]*)\}")


def _read_constructor(p: Parser) -> Expression:
    """`np.array([[1, 2]])`, `tensor(0.5)`: what it holds."""
    p.take()
    arguments, _ = read_arguments(p)
    if len(arguments) != 1:
        p.refuse("formula_unexpected")
    return arguments[0]


def read_attribute(p: Parser, operand: Expression) -> Expression:
    """`.T`, `.transpose(-2, -1)`, `.softmax(dim=-1)`, `.sum(-1)` behind an expression."""
    token = p.take()
    arguments: tuple[Expression, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    if p.at("open", "(") and token.value not in (".T", ".mT"):
        arguments, options = read_arguments(p, needed=False)
    if token.value == ".softmax":
        return Call("softmax", (operand,), (), options, start=operand.start, end=p.behind)
    if token.value == ".sum":
        axis = tuple(("axis", p.text[a.start : a.end]) for a in arguments)
        return Call("sum", (operand,), (), (*axis, *options), start=operand.start, end=p.behind)
    axes = [p.text[a.start : a.end] for a in arguments]
    axes += [value if name in ("dim0", "dim1") else name for name, value in options]
    if sorted(axes) not in ([], ["-1", "-2"], ["0", "1"], ["1", "2"], ["2", "3"]):
        p.refuse("formula_unknown", token)
    return Transpose(operand, start=operand.start, end=p.behind)


def read_infinity(p: Parser) -> Infinity:
    token = p.take()
    return Infinity(-1 if token.value == "-" else 1, start=token.start, end=token.end)
