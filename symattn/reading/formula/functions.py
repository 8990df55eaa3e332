"""Functions applied: softmax and its kin, program calls, roots, fractions, sums over an index."""

from __future__ import annotations

from symattn.reading.formula.lexer import Token
from symattn.reading.formula.matrices import Matrices
from symattn.reading.formula.spellings import CONSTRUCTORS, FUNCTIONS
from symattn.reading.formula.tree import (
    BigSum,
    Call,
    Expression,
    Infinity,
    Matrix,
    Name,
    Product,
    Quotient,
    Root,
    Transpose,
)

_AXES = ("row", "col", "dim", "axis")  # what may stand below softmax as a word


def canonical_function(word: str) -> str | None:
    """The function that a word names in any of its spellings, or None.

    >>> canonical_function("Multi-Head Attention"), canonical_function("LN"), canonical_function("scores")
    ('multihead', 'layernorm', None)
    """
    if word in ("LN", "Norm"):
        return "layernorm"
    return FUNCTIONS.get(word.lower() if word.isalpha() else "".join(c for c in word.lower() if c.isalpha()))


class Functions(Matrices):
    """Reads what is applied to something."""

    def fraction(self) -> Quotient:
        start = self.take().start
        numerator = self._argument()
        denominator = self._argument()
        return Quotient(numerator, denominator, start=start, end=self.behind)

    def root(self) -> Root:
        token = self.take()
        if token.value == "√" and self.at("open", "[") and self.latex:
            self.refuse("formula_unexpected")
        written = self.text[token.start]
        inner = self._argument() if written == "\\" else self.factor()
        return Root(inner, start=token.start, end=self.behind)

    def _argument(self) -> Expression:
        """What a LaTeX command takes: a group in braces, or one character."""
        if self.at("open", "{"):
            return self.group()
        if self.at("number"):
            token, pair = self.token, self.text[self.token.start - 5 : self.token.start] == "\\frac"
            if len(token.value) > 1 and not (pair and len(token.value) == 2 and token.value.isdigit()):
                self.refuse("formula_ambiguous")
            return self.number(self.split(1))
        if self.at("word"):
            if len(self.token.value) > 1 and self.token.value.isascii():
                self.refuse("formula_ambiguous")
            token = self.take()
            return Name(token.value, text=token.value, start=token.start, end=token.end)
        return self.operand()

    def big_sum(self) -> BigSum:
        start = self.take().start
        index, lower, upper = "", None, None
        while self.at("down") or self.at("up"):
            below = self.take().kind == "down"
            if not below:
                upper = self._argument() if self.latex or self.at("open", "{") else self.operand()
            elif self.at("open", "{"):
                index, lower = self._index()
            else:
                index = ",".join(self.label([self.take()]))
        body = self.product()
        return BigSum(index, lower, upper, body, start=start, end=self.behind)

    def _index(self) -> tuple[str, Expression | None]:
        """`{j=1}` or `{j}` below a sum."""
        close = self.layout.partner[self.i]
        equals = next((i for i in range(self.i, close) if self.tokens[i].kind == "relation"), close)
        index = ",".join(self.label(self.tokens[self.i + 1 : equals]))
        self.i = equals
        lower = None
        if equals < close:
            self.expect("relation", "=")
            lower = self.expression()
        self.expect("close", "{")
        return index, lower

    # --- named functions

    def applied(self) -> Expression | None:
        """The function applied that starts here, or None: then the word is a name."""
        token = self.token
        command = token.kind == "function"
        behind = self._behind_label()
        opening = self.tokens[behind]
        function = token.value if command else self._function(behind)
        if token.kind == "word" and token.value in CONSTRUCTORS and behind == self.i + 1 and opening.value == "(":
            return self._constructed()
        if opening.kind == "open" and opening.value == "(":
            known = function is not None and (command or token.kind == "text" or not opening.gap or self.latex)
            return self._call(function or token.value.lower()) if known or self._is_word(token, behind) else None
        if function is None or (function == "attention" and opening.kind != "open"):
            return None
        if opening.kind == "open" and opening.value == "[" and not self.latex and self.is_item(behind):
            return None
        if opening.kind in ("fraction", "begin", "grid", "open"):
            return self._call_without_parentheses(function)
        if command and opening.kind in ("word", "name", "number", "text"):
            return self._call_without_parentheses(function)
        return None

    def _function(self, behind: int) -> str | None:
        """The function that the word here names; with a word below it, `attention_scores`, it is a name."""
        label = self.tokens[self.i + 2 : behind]
        if label and label[0].kind == "word" and len(label[0].value) > 1 and not label[0].value.startswith(_AXES):
            return None
        return canonical_function(self.token.value)

    def _is_word(self, token: Token, behind: int) -> bool:
        """Whether this is the name of a function nobody knows: a word with parentheses right behind it."""
        opening = self.tokens[behind]
        if behind > self.i + 1 or (opening.gap and not self.latex):
            return False
        words = token.value.replace("-", " ").split()
        if token.kind == "text":
            return len(token.value) > 1 and len(words) < 4
        return len(token.value) > 1 and token.value.isalpha() and not token.value.isupper()

    def _behind_label(self) -> int:
        """The index of the token behind the function's name and what stands below it."""
        at = self.i + 1
        if self.tokens[at].kind == "down":
            at += 1
            at = self.layout.partner.get(at, at) + 1
        return min(at, len(self.tokens) - 1)

    def _call(self, function: str) -> Expression:
        start, label = self.take().start, self._label()
        arguments, options = self._arguments()
        return self._called(function, arguments, label, options, start)

    def _label(self) -> tuple[str, ...]:
        if not self.take_if("down"):
            return ()
        return self.below_braces() if self.at("open", "{") else self.label([self.take()])

    def _called(
        self,
        function: str,
        arguments: tuple[Expression, ...],
        label: tuple[str, ...],
        options: tuple[tuple[str, str], ...],
        start: int,
    ) -> Expression:
        where = {"start": start, "end": self.behind}
        if function == "matmul" and len(arguments) == 2 and not label:
            return Product(arguments, ("@",), **where)
        if function == "sqrt" and len(arguments) == 1 and not label:
            return Root(arguments[0], **where)
        if function == "concat" and len(arguments) == 1 and isinstance(arguments[0], Matrix):
            rows = arguments[0].rows
            arguments = rows[0] if len(rows) == 1 else arguments
        return Call(function, arguments, label, options, **where)

    def _call_without_parentheses(self, function: str) -> Expression:
        """`\\exp x`, `softmax[1, 2]`, `\\cos\\phi`: one factor, and nothing beside it."""
        start, label = self.take().start, self._label()
        argument = self.factor()
        if function not in ("softmax", "relu") and self.starts_factor() and self.token.gap != "wide":
            self.refuse("formula_ambiguous")
        return self._called(function, (argument,), label, (), start)

    def _arguments(self) -> tuple[tuple[Expression, ...], tuple[tuple[str, str], ...]]:
        arguments: list[Expression] = []
        options: list[tuple[str, str]] = []
        self.expect("open", "(")
        self.brackets += 1
        with self.deeper:
            while not self.at("close"):
                if self._at_option():
                    options.append(self._option())
                else:
                    arguments.append(self.expression())
                if not self.take_if("comma") and not self.at("close"):
                    self.refuse("formula_unexpected")
        self.brackets -= 1
        self.expect("close", "(")
        return tuple(arguments), tuple(options)

    def _at_option(self) -> bool:
        at = self.i
        while self.tokens[at].kind in ("word", "down"):
            at += 1
        return at > self.i and self.tokens[at].value == "="

    def _option(self) -> tuple[str, str]:
        """A program's keyword argument, `dim=-1`, `grad_fn=<AddBackward0>`, as written."""
        start = self.token.start
        while not (self.at("comma") or self.at("close") or self.at("end")):
            self.i = self.layout.partner.get(self.i, self.i) + 1
        name, equals, value = self.text[start : self.behind].partition("=")
        if not equals:
            self.refuse("formula_unexpected")
        return name.strip(), value.strip()

    def _constructed(self) -> Expression:
        """`np.array([[1, 2]])`, `tensor(0.5)`: what it holds."""
        self.take()
        arguments, _ = self._arguments()
        if len(arguments) != 1:
            self.refuse("formula_unexpected")
        return arguments[0]

    def attribute(self, operand: Expression) -> Expression:
        """`.T`, `.transpose(-2, -1)`, `.softmax(dim=-1)` behind an expression."""
        token = self.take()
        arguments: tuple[Expression, ...] = ()
        options: tuple[tuple[str, str], ...] = ()
        if self.at("open", "(") and token.value not in (".T", ".mT"):
            arguments, options = self._arguments()
        if token.value == ".softmax":
            return Call("softmax", (operand,), (), options, start=operand.start, end=self.behind)
        axes = sorted(self.text[a.start : a.end] for a in arguments)
        if options or axes not in ([], ["-1", "-2"], ["0", "1"], ["1", "2"], ["2", "3"]):
            self.refuse("formula_unknown", token)
        return Transpose(operand, start=operand.start, end=self.behind)

    def minus_infinity(self) -> Infinity:
        token = self.take()
        return Infinity(-1 if token.value == "-" else 1, start=token.start, end=token.end)

    # what the parser above this knows

    def factor(self) -> Expression:
        """One factor with its scripts."""
        raise NotImplementedError

    def product(self) -> Expression:
        """Factors up to the next sign."""
        raise NotImplementedError

    def group(self) -> Expression:
        """An expression in braces or parentheses."""
        raise NotImplementedError

    def number(self, token: Token) -> Expression:
        """A number with its power of ten and percent sign."""
        raise NotImplementedError

    def starts_factor(self) -> bool:
        """Whether a factor can start here."""
        raise NotImplementedError
