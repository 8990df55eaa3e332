"""Text to equality chains: what is one formula, what is the next, and what stands between them."""

from __future__ import annotations

from symattn.errors import FormulaError
from symattn.reading.formula.layout import arrange
from symattn.reading.formula.lexer import Token, read_tokens
from symattn.reading.formula.numerals import join_decimal_commas
from symattn.reading.formula.spellings import CONNECTIVES
from symattn.reading.formula.sums import Sums
from symattn.reading.formula.tree import Call, Chain, Dots, Expression, Matrix, Name, Number, Product, Side, Space, walk
from symattn.writing.prose import Sentence

_SEPARATORS = frozenset(["comma", "semicolon", "stop", "break", "implies"])


def parse(text: str) -> tuple[Chain, ...]:
    """Read LaTeX or plain-text mathematics into chains of sides joined by relations.

    Raises FormulaError, with the place, for what it does not understand: an unknown command, brackets that do
    not pair, words side by side, a form with two readings.

    >>> [chain] = parse(r"S = QK^\\top \\approx 0.50")
    >>> [(side.relation, type(side.expression).__name__) for side in chain.sides]
    [('', 'Name'), ('=', 'Product'), ('≈', 'Number')]
    """
    tokens, latex = read_tokens(text)
    chains = _Chains(text, arrange(join_decimal_commas(tokens)), latex).chains()
    if not chains:
        raise FormulaError(Sentence("formula_empty"), 0, len(text))
    return chains


class _Chains(Sums):
    """Reads a whole text."""

    def chains(self) -> tuple[Chain, ...]:
        found: list[Chain] = []
        listed = False  # whether a comma stands before the chain
        self._skip_separators()
        while not self.at("end", ""):
            chain = self._chain()
            self._require_one_name(found, chain, listed)
            found.append(chain)
            first, ended = self.token, self.i
            self._skip_separators()
            if self.i == ended and not self.at("end", "") and not self._apart(first):
                self.refuse("formula_unexpected")
            listed = first.kind == "comma"
        return tuple(found)

    def _require_one_name(self, found: list[Chain], chain: Chain, listed: bool) -> None:
        """`Q, K = ...` gives nobody a value of their own, and neither does `A = 1, 2`."""
        if not listed:
            return
        before = found[-1]
        first, last = before.sides[0].expression, chain.sides[0].expression
        if len(before.sides) == 1 and isinstance(first, Name | Call) and _gives(chain):
            self.refuse("formula_several_names", first)
        if _gives(before) and len(chain.sides) == 1 and not isinstance(last, Dots):
            self.refuse("formula_several_names", last)

    def _chain(self) -> Chain:
        start = self.token.start
        sides: list[Side] = []
        relation = self.take().value if self.at("relation") else ""
        while True:
            opened = self.token.start
            expression = self._space() if relation == "∈" else self._side()
            sides.append(Side(relation, expression, opened, self.behind))
            self._skip_annotation()
            self._join_rows()
            self._require_one_equation(sides)
            if not self.at("relation"):
                return Chain(tuple(sides), start, sides[-1].end)
            relation = self.take().value
            self._join_rows()

    def _require_one_equation(self, sides: list[Side]) -> None:
        """Refuse `A = [1, 2] B = [3, 4]`: two equations, unless B was met in the chain before."""
        side = sides[-1].expression
        if len(sides) < 2 or not self.at("relation") or not isinstance(side, Product) or side.operators[-1]:
            return
        left, name = side.factors[-2:]
        apart = self.text[name.start - 1].isspace()
        if not (apart and isinstance(left, Number | Matrix) and isinstance(name, Name)):
            return
        if not any(name in walk(earlier.expression) for earlier in sides[:-1]):
            self.refuse("formula_neighbours", name)

    def _side(self) -> Expression:
        if self.at("text") and self.token.value.endswith((":", "：")):
            self.take()  # a label in front, `\text{MHA: } H = 1`
        return self.expression()

    def _join_rows(self) -> None:
        """A row that begins with a relation or an operator goes on with the chain of the row before."""
        at = self.i
        while self.tokens[at].kind == "break":
            at += 1
        if at > self.i and self.tokens[at].kind == "relation":
            self.i = at

    def breaks(self) -> bool:
        remark = self.token.kind == "text" and self.token.value[0] in "(（"
        return remark or self._connects(self.token) or super().breaks()

    def _connects(self, token: Token) -> bool:
        word = token.value.strip(" :：,，").lower()
        return token.kind in ("text", "word") and word in CONNECTIVES and self.brackets == 0 and len(word) > 1

    def _apart(self, token: Token) -> bool:
        return token.gap == "wide" or (token.gap == "line" and not self.latex)

    def _skip_separators(self) -> None:
        while self.token.kind in _SEPARATORS or self._connects(self.token):
            token = self.take()
            if token.kind == "stop" and not self.token.gap and self.token.kind not in (*_SEPARATORS, "end"):
                self.refuse("formula_unexpected", token)

    def _skip_annotation(self) -> None:
        """A remark at the end of a side, `\\quad \\text{(rounded)}`: in parentheses, or apart and last."""
        while self.at("text"):
            last = self.next.kind in _SEPARATORS or (self.next.kind == "end" and not self.next.value)
            remark = self.token.value[0] in "(（" and self.token.value[-1] in ")）"
            if self._connects(self.token) or not (remark or (last and self.token.gap == "wide")):
                return
            self.take()

    def _space(self) -> Space:
        """`\\mathbb{R}^{n \\times d_k}` behind ∈."""
        start = self.token.start
        braced = self.take_if("open", "{")
        if not self.at("space_of") and not (self.at("word", "R") or self.at("text", "R")):
            self.refuse("formula_unexpected")
        self.take()
        if braced:
            self.expect("close", "{")
        dimensions: list[Expression] = []
        if self.take_if("up"):
            if self.take_if("open", "{"):
                dimensions = self._dimensions()
                self.expect("close", "{")
            else:
                dimensions = [self.factor()]
        return Space(tuple(dimensions), start=start, end=self.behind)

    def _dimensions(self) -> list[Expression]:
        self.in_space = True
        dimensions = [self.expression()]
        while self.take_if("times", "×") or self.take_if("comma"):
            dimensions.append(self.expression())
        self.in_space = False
        return dimensions


def _gives(chain: Chain) -> bool:
    """Whether the chain says what something is worth."""
    return any(side.relation in ("=", ":=", "≈", "→") for side in chain.sides[1:])
