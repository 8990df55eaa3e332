"""Arithmetic: sums of products of factors with their scripts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symattn.formula.functions import Functions
from symattn.formula.lexer import Token
from symattn.formula.names import NAMES
from symattn.formula.numerals import LARGEST_EXPONENT, power_of_ten, read_number
from symattn.formula.tree import (
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
    Root,
    Sum,
    Transpose,
)

_STARTS = NAMES | frozenset(
    [
        "number",
        "open",
        "fraction",
        "root",
        "bigsum",
        "begin",
        "function",
        "infinity",
        "nan",
        "brace",
        "dots",
        "tilde",
        "space_of",
    ]
)


class Sums(Functions):
    """Reads expressions."""

    def expression(self) -> Expression:
        with self.deeper():
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
            text = self.text[start : term.end]
            return replace(term, text=text, value=sign * term.value, start=start)
        if isinstance(term, Infinity):
            return Infinity(sign * term.sign, start=start, end=term.end)
        return Sum((term,), (sign,), start=start, end=term.end)

    # --- products

    def product(self) -> Expression:
        start = self.token.start
        factors, operators = [self.factor()], list[str]()
        slashed = False
        while True:
            if self.at("slash"):
                self.take()
                left = self._multiply(factors, operators, start)
                factors, operators = [self._divide(left, self.operand(), start)], []
                slashed = True
            elif (operator := self._operator()) is not None:
                operators.append(operator)
                factors.append(self.operand())
            elif self.starts_factor() and not self._breaks():
                self._require_neighbours(factors[-1], slashed)
                left = factors[-1]
                operators.append("")
                factors.append(self.factor())
                self._require_product(left, factors[-1], slashed and len(factors) == 2)
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
        if spaced and self.next.kind in _STARTS:
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

    def starts_factor(self) -> bool:
        return self.token.kind in _STARTS

    def _breaks(self) -> bool:
        """Whether what follows stands apart: another formula of the line, or another row."""
        gap = self.token.gap
        if gap == "worn":
            return self.worn_rows
        return self.brackets == 0 and (gap == "wide" or (gap == "line" and not self.latex))

    def _require_neighbours(self, left: Expression, slashed: bool) -> None:
        """Refuse two things side by side that nobody multiplies that way: words, numbers, a name and a list."""
        token = self.token
        bad = token.kind in ("number", "dots", "tilde", "quoted") or isinstance(left, Dots)
        bad |= token.kind == "word" and self._is_wordy(token.value) and not self._will_apply()
        bad |= (
            token.kind == "text"
            and (" " in token.value or isinstance(left, Number))
            and not self._will_apply()
        )
        bad |= isinstance(left, Name) and self._is_bare_word(left)
        if token.kind == "open" and token.value == "[":
            bad |= not isinstance(left, Number | Quotient | Root | Matrix if self.latex else Number)
        bad |= slashed and token.kind not in ("begin", "open")
        if not self.latex:
            bad |= token.gap != "" and isinstance(left, Name) and len(left.text) > 1 and left.text.isalnum()
            bad |= token.kind == "open" and token.value == "(" and token.gap != ""
            bad |= isinstance(left, Number) and token.gap != "" and token.kind in ("word", "name")
            bad |= token.kind == "word" and self._is_small(left) and self._is_small_word()
        if bad:
            self.refuse("formula_neighbours")

    def _will_apply(self) -> bool:
        """Whether the word here is a function with its argument."""
        behind = self.tokens[self._behind_label()]
        return behind.kind in ("open", "fraction", "begin")

    def _is_wordy(self, word: str) -> bool:
        return (
            len(word) > 1 and not word.isupper() and word.isalpha() and not (self.latex and len(word) == 2)
        ) or (not word.isascii())

    def _is_bare_word(self, name: Name) -> bool:
        bare = self.text[name.start] not in "\\{"
        return (
            bare
            and (len(name.base) > 1 or not name.base.isascii())
            and name.base.isalpha()
            and not _is_greek(name.base)
        )

    def _is_small(self, left: Expression) -> bool:
        return isinstance(left, Name) and left.base.islower() and not left.sub and not left.sup

    def _is_small_word(self) -> bool:
        return self.token.value.islower() and self.next.kind not in ("up", "down", "subs", "supers")

    def _require_product(self, left: Expression, right: Expression, slashed: bool) -> None:
        """Refuse what may as well be a function applied, and what may stand below a slash or not."""
        if slashed and not isinstance(right, Matrix):
            self.refuse("formula_ambiguous", right)
        parenthesised = self._opened == right.start or self.text[right.start] in "(（"
        if parenthesised and isinstance(right, Name) and len(right.base) > 1:
            self.refuse("formula_neighbours", right)
        size = isinstance(right, Product) and set(right.operators) == {"×"}
        if parenthesised and size and not isinstance(left, Number | Quotient):
            self.refuse("formula_neighbours", right)
        if parenthesised and isinstance(left, Name) and not (left.base.isupper() and _is_compound(right)):
            self.refuse("formula_application", left)

    in_space = False  # between the braces of ℝ^{n × d}, where × is no product
    _opened = -1  # where the content of the last group in parentheses starts

    # --- factors

    def operand(self) -> Expression:
        """A factor that may have a sign of its own, as behind an operator."""
        if not self.at("sign"):
            return self.factor()
        token = self.take()
        return self._signed(self.factor(), -1 if token.value == "-" else 1, token.start)

    def factor(self) -> Expression:
        with self.deeper():
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
                return Name(token.value, text=token.value, start=token.start, end=token.end)
            case "open":
                return self.bracketed() if token.value == "[" else self.group()
            case "fraction":
                return self.fraction()
            case "root":
                return self.root()
            case "bigsum":
                return self.big_sum()
            case "begin":
                return self._with_annotations(self.environment())
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
        self.refuse("formula_unexpected")

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
            if not braced and self.latex and (len(content) > 1 or len(content[0].value) > 1):
                return None
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
        return Number(token.value, Fraction(int(token.value)), Fraction(1), start=token.start, end=token.end)

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
            self._opened = cells[0].start
        elif isinstance(cells[0], Name) and self.token.kind in ("up", "down", "prime"):
            return self.scripted(cells[0], opening, token.start)
        return cells[0]

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
        while True:
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
        if isinstance(operand, Matrix) and self.next.value == "{":
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


def _is_greek(base: str) -> bool:
    return len(base) == 1 and "Ͱ" <= base <= "Ͽ"


def _is_compound(right: Expression) -> bool:
    """A product, sum or the like with a matrix in it: no argument of an unknown function."""
    if isinstance(right, Name | Number | Matrix):
        return False
    return any(isinstance(p, Matrix | Call) or (isinstance(p, Name) and p.base[0].isupper()) or _is_compound(p)
               for p in right.parts)  # fmt: skip
