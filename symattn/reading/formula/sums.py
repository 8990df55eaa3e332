"""Arithmetic: sums of products of factors with their scripts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symattn.reading.formula.cursor import DEEPEST
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.names import NAMES
from symattn.reading.formula.neighbours import STARTS, Neighbours
from symattn.reading.formula.numerals import LARGEST_EXPONENT, power_of_ten, read_number
from symattn.reading.formula.tree import (
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


class Sums(Neighbours):
    """Reads expressions."""

    def expression(self) -> Expression:
        with self.deeper:
            start = self.token.start
            terms, signs = [], [1]
            if self.at("sign"):
                signs = [-1 if self.take().value == "-" else 1]
                signed = True
            else:
                signed = False
            terms.append(self.product())
            while self.at("sign"):
                signs.append(-1 if self.take().value == "-" else 1)
                terms.append(self.product())
            if len(terms) == 1 and not signed:
                return terms[0]
            if len(terms) == 1:
                return self._signed(terms[0], signs[0], start)
            return Sum(tuple(terms), tuple(signs), start=start, end=self.behind)

    def _signed(self, term: Expression, sign: int, start: int) -> Expression:
        """A number takes its sign, as the digits -0.5 are printed; another term becomes a sum of one."""
        between = self.text[start : term.start]
        if isinstance(term, Number) and not any(c in between for c in "({（"):
            if "}" in between:  # `{-}4`: the braces around the sign belong to the print
                start = self.text.rindex("{", 0, start)
            text = self.text[start : term.end]
            return replace(term, text=text, value=sign * term.value, start=start)
        if isinstance(term, Infinity):
            return Infinity(sign * term.sign, start=start, end=term.end)
        return Sum((term,), (sign,), start=start, end=term.end)

    # --- products

    def product(self) -> Expression:
        start = self.token.start
        factors, operators = [self.factor()], list[str]()
        slashed = 0
        while True:
            if self.at("slash"):
                left = self._multiply(factors, operators, start)
                self.take()
                factors, operators = [self._divide(left, self.operand(), start)], []
                slashed += 1
                if slashed > DEEPEST:
                    self.refuse("formula_too_deep", limit=DEEPEST)
            elif (operator := self._operator()) is not None:
                operators.append(operator)
                factors.append(self.operand())
            elif self.starts_factor() and not self.breaks():
                self.require_neighbours(factors[-1], slashed > 0)
                left = factors[-1]
                operators.append("")
                factors.append(self.factor())
                self.require_product(left, factors[-1], slashed > 0 and len(factors) == 2)
            else:
                return self._multiply(factors, operators, start)

    def _divide(self, numerator: Expression, denominator: Expression, start: int) -> Quotient:
        if isinstance(denominator, Matrix):
            self.refuse("formula_unexpected", denominator)  # `[1, 0] / [0, 1]` are two rows
        return Quotient(numerator, denominator, start=start, end=self.behind)

    def _operator(self) -> str | None:
        if self.at("times"):
            return None if self.in_space and self.token.value == "×" else self.take().value
        spaced = self.at("stop") and self.token.gap == " " and self.next.gap == " "
        if spaced and self.next.kind in STARTS:
            self.take()
            return "·"
        return None

    def _multiply(self, factors: list[Expression], operators: list[str], start: int) -> Expression:
        if len(factors) == 1:
            return factors[0]
        where = {"start": start, "end": self.behind}
        if "⊙" in operators:
            if set(operators) != {"⊙"}:
                self.refuse("formula_ambiguous", factors[0])
            return Elementwise(tuple(factors), **where)
        return Product(tuple(factors), tuple(operators), **where)

    in_space = False  # between the braces of ℝ^{n × d}, where × is no product

    # --- factors

    def operand(self) -> Expression:
        """A factor that may have a sign of its own, as behind an operator."""
        if not self.at("sign"):
            return self.factor()
        token = self.take()
        return self._signed(self.factor(), -1 if token.value == "-" else 1, token.start)

    def factor(self) -> Expression:
        with self.deeper:
            return self._with_scripts(self._atom())

    def _atom(self) -> Expression:
        token = self.token
        if token.kind in ("word", "text", "function", "name") and (found := self.applied()) is not None:
            return found
        match token.kind:
            case "number":
                return self.number(self.take())
            case "function":
                self.take()
                if self.at("up"):
                    self.refuse("formula_unexpected")
                return Name(token.value, text=token.value, start=token.start, end=token.end)
            case "open":
                return self.bracketed() if token.value == "[" else self._scripted_group()
            case "fraction":
                return self.fraction()
            case "root":
                return self.root()
            case "bigsum":
                return self.big_sum()
            case "begin":
                return self._with_annotations(self.environment())
            case "grid":
                return self._with_annotations(self.grid())
            case "brace":
                return self._braced()
            case "tilde":
                return self.approximate()
            case "infinity":
                return self.minus_infinity()
            case "nan" | "dots":
                self.take()
                kind = NotANumber if token.kind == "nan" else Dots
                return kind(start=token.start, end=token.end)
        if token.kind in NAMES:
            return self.name()
        return self.refuse("formula_unexpected")

    def number(self, token: Token) -> Expression:
        """A number, with `\\times 10^{-6}` or a percent sign where these follow."""
        number = read_number(token)
        if self.at("percent"):
            end = self.take().end
            number = replace(number, value=number.value / 100, places=number.places / 100, end=end)
        elif token.value == "10" and self.at("up") and (power := self._power_of_ten(self.i - 1)):
            number = replace(number, value=power[0], places=power[0])
            self.i = power[1]
        elif self.at("times") and not self.at("times", "@") and (power := self._power_of_ten(self.i + 1)):
            number = replace(number, value=number.value * power[0], places=number.places * power[0])
            self.i = power[1]
        if (
            self.at("word")
            and not self.token.gap
            and self.token.value.lower().startswith("x")
            and self.token.value[1:].isdigit()
        ):
            self.refuse("formula_ambiguous")  # 3x4
        return replace(number, end=self.behind, text=self.text[number.start : self.behind])

    def _power_of_ten(self, i: int) -> tuple[Fraction, int] | None:
        """The value of `10^{-6}` at token i, and the index behind it."""
        tokens = self.tokens
        if tokens[i].value != "10" or tokens[i].kind != "number" or i + 2 >= len(tokens):
            return None
        if tokens[i + 1].kind == "supers":
            written, end = tokens[i + 1].value, i + 2
        elif tokens[i + 1].kind == "up":
            braced = tokens[i + 2].kind == "open" and tokens[i + 2].value == "{"
            end = self.layout.partner[i + 2] + 1 if braced else i + 3 + (tokens[i + 2].kind == "sign")
            content = tokens[i + 3 : end - 1] if braced else tokens[i + 2 : end]
            if not braced and self.latex and len(content) == 1 and len(content[0].value) > 1:
                return None  # set as one digit raised and the others on the line; behind a sign nobody means that
            written = "".join(t.value for t in content)
        else:
            return None
        if not written.lstrip("+-").isdigit() or len(written.lstrip("+-")) < len(written) - 1:
            return None
        if len(written) > 4 or abs(int(written)) > LARGEST_EXPONENT:
            self.refuse("formula_huge_number", tokens[i])
        return power_of_ten(int(written)), end

    def integer(self, token: Token) -> Expression:
        if len(token.value) > 4:
            self.refuse("formula_huge_number", token)
        text = self.text[token.start : token.end]
        return Number(text, Fraction(int(token.value)), Fraction(1), start=token.start, end=token.end)

    def group(self) -> Expression:
        """Parentheses or braces; with a comma, parentheses are a row vector."""
        opening = self.i
        token = self.take()
        braces = token.value == "{"
        row = not braces and "comma" in self.layout.inside[opening]
        self.brackets += 1
        cells = [self._item_of_list()] if row else [self.expression()]
        while row and self.take_if("comma") and not self.at("close"):
            cells.append(self._item_of_list())
        self.brackets -= 1
        self.expect("close", token.value)
        if row:
            return Matrix((tuple(cells),), "(", start=token.start, end=self.behind)
        if not braces:
            self.opened = cells[0].start
        return cells[0]

    def _scripted_group(self) -> Expression:
        """A group that is a factor: scripts behind braces belong to the name inside, `{W^Q}^T`."""
        opening, token = self.i, self.token
        inner = self.group()
        if token.value == "{" and self.token.kind in ("up", "down", "prime", "supers", "transpose"):
            if isinstance(inner, Name):
                return self.scripted(inner, opening, token.start)
            if isinstance(inner, Product | Sum | Quotient | Elementwise):
                self.refuse("formula_ambiguous", inner)  # `\mathbf{QK}^T` looks like Q times K^T
        return inner

    def _braced(self) -> Expression:
        """`\\underbrace{x}_{what it is}`: x."""
        self.take()
        if not self.at("open", "{"):
            self.refuse("formula_unexpected")
        inner = self.group()
        if self.at("down") or self.at("up"):
            self.take()
            close = self.layout.partner.get(self.i)
            self.i = self.i + 1 if close is None else close + 1
        return inner

    # --- behind a factor

    def _with_scripts(self, operand: Expression) -> Expression:
        """The transposes, powers and entries behind a factor that is no name (names have read theirs)."""
        for _ in range(DEEPEST):
            start = operand.start
            if self.at("up") or self.at("supers"):
                operand = self._raise(operand)
            elif self.at("down"):
                operand = self._below_factor(operand)
            elif self.at("attribute"):
                operand = self.attribute(operand)
            elif self.at("prime") or (self.at("transpose") and not self.latex):
                self.take()
                operand = Transpose(operand, start=start, end=self.behind)
            else:
                return operand
        return self.refuse("formula_too_deep", limit=DEEPEST)

    def _raise(self, operand: Expression) -> Expression:
        script = self.superscript("")
        where = {"start": operand.start, "end": self.behind}
        if script.power is not None:
            return Power(operand, script.power, **where)
        if script.label or not script.transposed or isinstance(operand, Number | Infinity):
            self.refuse("formula_ambiguous", operand)
        return Transpose(operand, start=operand.start, end=self.behind)

    def _below_factor(self, operand: Expression) -> Expression:
        """An entry of a factor, or the size that is noted below a matrix."""
        if isinstance(operand, Matrix) and self.next.kind == "open" and self.next.value == "{":
            self.take()
            opening, close = self.i, self.layout.partner[self.i]
            if any(t.kind == "times" for t in self.tokens[opening:close]):
                self.i = close + 1
                size = self.text[self.tokens[opening].end : self.tokens[close].start]
                return replace(operand, annotations=(*operand.annotations, size), end=self.behind)
            return Entry(operand, self.below_braces(), start=operand.start, end=self.behind)
        if isinstance(operand, Number | Infinity | Dots):
            self.refuse("formula_unexpected")
        return Entry(operand, self._below(), start=operand.start, end=self.behind)

    def _with_annotations(self, matrix: Matrix) -> Matrix:
        """The matrix with the labels that stand in a matrix of their own behind it."""
        if not matrix.rows:
            self.refuse("formula_no_matrix", matrix)
        while self.at("begin") and self._labels_only():
            labels = self.environment()
            matrix = replace(matrix, annotations=(*matrix.annotations, *labels.annotations), end=matrix.end)
        return matrix

    def _labels_only(self) -> bool:
        inside = self.layout.inside[self.i]
        return "arrow" in inside and inside <= {"arrow", "text", "quoted", "row", "cell", "end", "close"}
