"""Text to equality chains: what is one formula, what is the next, and what stands between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from symattn.errors import FormulaError
from symattn.reading.formula.algebra import mark_letters, mark_ones
from symattn.reading.formula.functions import canonical_function
from symattn.reading.formula.layout import arrange, break_lines
from symattn.reading.formula.lexer import Commas, Token, read_tokens
from symattn.reading.formula.names import NAMES, split_word
from symattn.reading.formula.neighbours import at_short_form, connects, is_aside
from symattn.reading.formula.numerals import join_decimal_commas
from symattn.reading.formula.state import Parser
from symattn.reading.formula.sums import read_expression, read_factor, read_operand, read_product
from symattn.reading.formula.tree import (
    Call,
    Chain,
    Dots,
    Expression,
    Matrix,
    Name,
    Number,
    Product,
    Quotient,
    Side,
    Space,
    Sum,
    Unread,
    walk,
)
from symattn.writing.prose import Sentence

_SEPARATORS = frozenset(["comma", "semicolon", "stop", "break", "implies", "each"])


class _Parser(Parser):
    """The parser with the four readers that everything is made of."""

    expression, product = read_expression, read_product
    operand, factor = read_operand, read_factor

    def chain(self) -> Chain:
        return _read_chain(self)


def parse(
    text: str,
    *,
    algebra: bool = False,
    latex: bool = False,
    commas: Commas = Commas.UNKNOWN,
    words: frozenset[str] = frozenset(),
) -> tuple[Chain, ...]:
    """Read LaTeX or plain-text mathematics into chains of sides joined by relations.

    Raises FormulaError, with the place, for what it does not understand: an unknown command, brackets that do
    not pair, words side by side, a form with two readings. `algebra` says that the text is one of letters, not
    of numbers: derivatives, cases and functions of any name are read too, and what has two readings as in algebra.
    `commas` says what is known of commas between digits, `words` which pairs of capitals are one name, QK in a program.

    >>> [chain] = parse(r"S = QK^\\top \\approx 0.50")
    >>> [(side.relation, type(side.expression).__name__) for side in chain.sides]
    [('', 'Name'), ('=', 'Product'), ('≈', 'Number')]
    """
    tokens, has_commands = read_tokens(text, commas)
    latex = latex or has_commands
    tokens = mark_letters(mark_ones(tokens), text, algebra=algebra)
    tokens = break_lines(tokens) if latex else tokens
    chains = _read_chains(_Parser(text, arrange(join_decimal_commas(tokens, commas)), latex, algebra, words))
    if not chains:
        raise FormulaError(Sentence("formula_empty"), 0, len(text))
    return chains


def _read_chains(p: Parser) -> tuple[Chain, ...]:
    found: list[Chain] = []
    listed = False  # whether a comma stands before the chain
    _skip_separators(p)
    while not p.at("end", ""):
        chain = _read_chain(p)
        _require_one_name(p, found, chain, listed)
        found.append(chain)
        if is_aside(p, chain.sides[-1].expression):
            found += _read_aside(p)
        first, ended = p.token, p.i
        p.take_if("relation", ":")
        _skip_separators(p)
        if p.i == ended and not p.at("end", "") and not _apart(p, first):
            p.refuse("formula_unexpected")
        listed = first.kind == "comma"
    return tuple(found)


def _read_aside(p: Parser) -> list[Chain]:
    """The equations of a remark in parentheses, unread where they are not understood; words alone say nothing."""
    opening, close, brackets = p.i, p.layout.partner[p.i], p.brackets
    found: list[Chain] = []
    p.take()
    try:
        while any(t.kind == "relation" for t in p.tokens[p.i : close]):
            found.append(_read_chain(p))
            _skip_separators(p)
        if found and p.i < close:
            p.refuse("formula_unexpected")
    except FormulaError as error:
        start, end, p.brackets = p.tokens[opening + 1].start, p.tokens[close].start, brackets
        reason = error.message if isinstance(error.message, Sentence) else Sentence("formula_unexpected", text="")
        found = [Chain((Side("", Unread(reason, start=start, end=end), start, end),), start, end)]
    p.i = close
    p.expect("close", "(")
    return found


def _require_one_name(p: Parser, found: list[Chain], chain: Chain, listed: bool) -> None:
    """`Q, K = ...` gives nobody a value of their own, and neither does `A = 1, 2`."""
    if not listed or (p.algebra and _counts(chain)):
        return
    before = found[-1]
    first, last = before.sides[0].expression, chain.sides[0].expression
    if len(before.sides) == 1 and isinstance(first, Name | Call) and _gives(chain):
        p.refuse("formula_several_names", first)
    if _gives(before) and len(chain.sides) == 1 and not isinstance(last, Dots):
        p.refuse("formula_several_names", last)


def _counts(chain: Chain) -> bool:
    """Whether this is a number of `i = 0, 1, …, n - 1`, or the beginning of that."""
    last = chain.sides[-1].expression
    return isinstance(last, Number | Dots) or (len(chain.sides) == 1 and isinstance(last, Sum | Quotient | Product))


def _read_chain(p: Parser) -> Chain:
    start = p.token.start
    sides: list[Side] = []
    relation = p.take().value if p.at("relation") else ""
    while True:
        opened = p.token.start
        first = not sides and not relation
        expression = _read_space(p) if relation == "∈" else _read_first(p) if first else _read_side(p)
        sides.append(Side(relation, expression, opened, p.behind))
        if p.at("update") and len(sides) == 1 and isinstance(expression, Name):
            sides.append(_read_update(p, expression))
        if len(sides) > 1 and at_short_form(p, expression):
            sides.append(_read_short_form(p))
        _skip_annotation(p)
        if not _join_rows(p):
            _require_one_equation(p, sides)
        if p.at("arrow", "←") and (p.algebra or _is_assigned(p, sides)):
            p.tokens[p.i] = p.token._replace(kind="relation", value="=" if p.algebra else ":=")
        if not p.at("relation") or _is_colon_between(p, sides):
            return Chain(tuple(sides), start, sides[-1].end)
        relation = p.take().value
        _join_rows(p)
        while p.algebra and p.at("break") and p.i + 1 < len(p.tokens) - 1:
            p.take()  # the side stands on the next row


def _is_assigned(p: Parser, sides: list[Side]) -> bool:
    """Whether an arrow gives a name its value, W ← W − ηG."""
    named = len(sides) == 1 and isinstance(sides[0].expression, Name)
    return named and p.text[p.token.start : p.token.end] in _ASSIGNED


_ASSIGNED = frozenset(("←", "⟵", r"\leftarrow", r"\longleftarrow", r"\gets"))


def _read_update(p: Parser, name: Name) -> Side:
    """`sum += 2` as what follows `sum =`: the sum before and 2."""
    start, sign = p.token.start, 1 if p.take().value == "+" else -1
    return Side("=", Sum((name, p.expression()), (1, sign), start=start, end=p.behind), start, p.behind)


def _read_short_form(p: Parser) -> Side:
    """`(~38.6M)` behind 38,633,472 as what follows `≈`."""
    p.take()
    p.take()
    start = p.token.start
    expression = p.expression()
    end = p.behind
    p.expect("close", "(")
    return Side("≈", expression, start, end)


def _is_colon_between(p: Parser, sides: list[Side]) -> bool:
    """Whether a colon stands between two equations, `W = I: Q = X`."""
    return p.at("relation", ":") and len(sides) > 1 and sides[-1].relation in ("=", "≈") and p.next.kind in NAMES


def _require_one_equation(p: Parser, sides: list[Side]) -> None:
    """Refuse `A = [1, 2] B = [3, 4]`: two equations, unless B was met in the chain before."""
    side = sides[-1].expression
    if len(sides) < 2 or not p.at("relation") or not isinstance(side, Product) or side.operators[-1]:
        return
    left, name = side.factors[-2:]
    apart = p.text[name.start - 1].isspace()
    if not (apart and isinstance(left, Number | Matrix) and isinstance(name, Name)):
        return
    if not any(name in walk(earlier.expression) for earlier in sides[:-1]):
        p.refuse("formula_neighbours", name)


def _read_side(p: Parser) -> Expression:
    if p.at("text") and p.token.value.endswith((":", "：")):
        p.take()  # a label in front, `\text{MHA: } H = 1`
    opened, expression = p.token, p.expression()
    return _as_row(expression, opened.end, p.text) if p.algebra and opened.value == "[" else expression


def _as_row(expression: Expression, start: int, text: str) -> Expression:
    """Matrices one after the other within brackets, [A B], as the row of them, and not as their product.

    >>> [[type(side.expression).__name__ for side in chain.sides] for chain in parse("W = [A B]", algebra=True)]
    [['Name', 'Matrix']]
    """
    if not isinstance(expression, Product) or any(expression.operators) or text[start : expression.start].strip():
        return expression
    gaps = [text[a.end : b.start] for a, b in pairwise(expression.factors)]
    plain = all(isinstance(x, Name) and x.base.isupper() for x in expression.factors) and all(map(str.isspace, gaps))
    closed = text[expression.end :].lstrip().startswith(("]", r"\right]"))
    return Matrix((expression.factors,), start=expression.start, end=expression.end) if plain and closed else expression


def _read_first(p: Parser) -> Expression:
    """The first side: what a function is worth somewhere, `H(p) = …`, is named by its argument too.

    Elsewhere H (p) may be a product; nobody gives a product a value.
    """
    close = p.layout.partner.get(p.i + 1, 0)
    if p.algebra or p.token.kind not in ("word", "text", "name") or not close or p.next.value != "(" or p.next.gap:
        return _read_side(p)
    inside, behind = p.tokens[p.i + 2 : close], p.tokens[close + 1]
    plain = all(t.kind in ("word", "name", "number", "comma") for t in inside)
    word = p.token.value
    short = (len(word) == 1 or word.isupper()) and word != "σ" and canonical_function(word) is None
    if not inside or not plain or not short or behind.kind != "relation" or behind.value not in ("=", "≈"):
        return _read_side(p)
    name, (base, sub) = p.take(), split_word(p.tokens[p.i - 1].value)
    p.i = close + 1
    of = "".join(t.value for t in inside)
    text = p.text[name.start : p.behind]
    return Name(base, sub, (f"({of})",), text=text, start=name.start, end=p.behind)


def _join_rows(p: Parser) -> bool:
    """A row that begins with a relation goes on with the chain of the row before; whether one begins here."""
    at = p.i
    while p.tokens[at].kind == "break":
        at += 1
    if at == p.i or p.tokens[at].kind != "relation":
        return False
    p.i = at
    return True


def _apart(p: Parser, token: Token) -> bool:
    return token.gap == "wide" or (token.gap == "line" and not p.latex)


def _skip_separators(p: Parser) -> None:
    while p.token.kind in _SEPARATORS or connects(p, p.token):
        token = p.take()
        if token.kind == "stop" and not p.token.gap and p.token.kind not in (*_SEPARATORS, "end"):
            p.refuse("formula_unexpected", token)


def _skip_annotation(p: Parser) -> None:
    """A remark at the end of a side, `\\quad \\text{(rounded)}`: in parentheses, or apart and last."""
    while p.at("text"):
        last = p.next.kind in _SEPARATORS or (p.next.kind == "end" and not p.next.value)
        remark = p.token.value[0] in "(（" and p.token.value[-1] in ")）"
        if connects(p, p.token) or not (remark or (last and p.token.gap == "wide")):
            return
        p.take()


def _read_space(p: Parser) -> Space:
    """`\\mathbb{R}^{n \\times d_k}` behind ∈."""
    start = p.token.start
    braced = p.take_if("open", "{")
    if not p.at("space_of") and not (p.at("word", "R") or p.at("text", "R")):
        if p.algebra and not braced:
            return _skip_set(p, start)
        p.refuse("formula_unexpected")
    p.take()
    if braced:
        p.expect("close", "{")
    dimensions: list[Expression] = []
    if p.take_if("up"):
        opened: list[str] = []
        while p.at("open", "{") or _is_around_all(p, opened):
            opened.append(p.take().value)
        dimensions = _read_dimensions(p) if opened else [p.factor()]
        for bracket in reversed(opened):
            p.expect("close", bracket)
    return Space(tuple(dimensions), start=start, end=p.behind)


def _is_around_all(p: Parser, opened: Sequence[str]) -> bool:
    """Whether all dimensions stand in these parentheses, `^(n × d)` of a plain text or `^{(n × d)}`."""
    return p.at("open", "(") and (not opened or p.tokens[p.layout.partner.get(p.i, p.i) + 1].kind == "close")


def _skip_set(p: Parser, start: int) -> Space:
    """A set that is no ℝ, `i ∈ {1, …, h}`: nothing is known of it."""
    while p.token.kind not in (*_SEPARATORS, "end", "row", "cell", "close") and not connects(p, p.token):
        p.i = p.layout.partner.get(p.i, p.i) + 1
    return Space((), start=start, end=p.behind)


def _read_dimensions(p: Parser) -> list[Expression]:
    p.in_space = True
    dimensions = [p.expression()]
    while p.take_if("times", "×") or p.take_if("comma"):
        dimensions.append(p.expression())
    p.in_space = False
    return dimensions


def _gives(chain: Chain) -> bool:
    """Whether the chain says what something is worth."""
    return any(side.relation in ("=", ":=", "≈", "→") for side in chain.sides[1:])
