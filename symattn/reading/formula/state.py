"""The state of one parse: which token is next, how deep it is, and the refusals."""

from __future__ import annotations

from typing import NoReturn

from symattn.errors import FormulaError
from symattn.reading.formula.layout import Layout
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.tree import Chain, Expression
from symattn.writing.prose import Sentence


class Parser:
    """The state of one parse: looking, taking, refusing, and how deep it is.

    What is read of what is in plain functions by file, which take the parser; those that everything is made of are
    methods, which `parser` fills in. `latex` tells LaTeX from plain text, `algebra` letters without numbers; `brackets`
    counts the open brackets.
    """

    DEEPEST = 60

    def __init__(self, text: str, layout: Layout, latex: bool, algebra: bool, words: frozenset[str]) -> None:
        self.text, self.layout, self.latex, self.algebra, self.words = text, layout, latex, algebra, words
        self.tokens = layout.tokens
        self.i = 0
        self._cut = (-1, 0)  # the token that was split last, and where
        self.depth = 0
        self.brackets = 0
        self.opened = -1  # where the content of the last group in parentheses starts
        self.worn_rows = False  # whether rows end with a lone backslash, `1 & 0 \\ 0 & 1` worn down
        self.in_space = False  # between the braces of ℝ^{n × d}, where × is no product
        self.in_norm = False  # between the bars of ‖x‖
        self.in_bars = False  # between those of |x|
        self.deeper = _Deeper(self)

    def chain(self) -> Chain:
        """Sides joined by relations."""
        raise NotImplementedError

    def expression(self) -> Expression:
        """Terms with signs."""
        raise NotImplementedError

    def inside(self) -> Expression:
        """An expression between two marks, a level deeper."""
        self.brackets += 1
        with self.deeper:
            found = self.expression()
        self.brackets -= 1
        return found

    def product(self) -> Expression:
        """One term of a sum: factors and what is divided by."""
        raise NotImplementedError

    def operand(self) -> Expression:
        """What a function or a sign stands before."""
        raise NotImplementedError

    def factor(self) -> Expression:
        """One factor with all its powers and marks."""
        raise NotImplementedError

    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    @property
    def next(self) -> Token:
        return self.tokens[min(self.i + 1, len(self.tokens) - 1)]

    @property
    def behind(self) -> int:
        """Where the last token taken ends."""
        if self._cut[0] == self.i:
            return self._cut[1]
        return self.tokens[self.i - 1].end if self.i else 0

    def at(self, kind: str, value: str | None = None) -> bool:
        token = self.tokens[self.i]
        return token.kind == kind and (value is None or token.value == value)

    def take(self) -> Token:
        """The token here, which is then behind; the end of the text cannot be taken."""
        token = self.tokens[self.i]
        if self.i == len(self.tokens) - 1:
            self.refuse("formula_incomplete")
        self.i += 1
        return token

    def skip_script(self) -> None:
        """Past what stands below or above: one token, or a group; refused where nothing does."""
        close = self.layout.partner.get(self.i)
        if close is not None:
            self.i = close
        self.take()

    def take_if(self, kind: str, value: str | None = None) -> bool:
        """Whether such a token stood here; if so it is taken."""
        if self.at(kind, value):
            self.i += 1
            return True
        return False

    def expect(self, kind: str, value: str) -> Token:
        if not self.at(kind, value):
            self.refuse("formula_unexpected")
        return self.take()

    def split(self, length: int) -> Token:
        """The first characters of a word or number; the rest stays as the next token."""
        token = self.token
        if length >= len(token.value):
            return self.take()
        middle = token.start + length
        self._cut = (self.i, middle)
        self.tokens[self.i] = Token(token.kind, token.value[length:], middle, token.end)
        return Token(token.kind, token.value[:length], token.start, middle, token.gap)

    def refuse(self, key: str, token: Token | Expression | None = None, **fields: object) -> NoReturn:
        """Raise FormulaError with the sentence `key`, at `token` or here."""
        place = token or self.token
        if key == "formula_unexpected" and self.at("end", "") and token is None:
            key = "formula_incomplete"
        fields.setdefault("text", self.text[place.start : place.end][:40])
        raise FormulaError(Sentence(key, **fields), place.start, place.end)


class _Deeper:
    """Inside, the parser is one level deeper; it raises FormulaError beyond 60 levels."""

    def __init__(self, parser: Parser) -> None:
        self.parser = parser

    def __enter__(self) -> None:
        self.parser.depth += 1
        if self.parser.depth > Parser.DEEPEST:
            self.parser.refuse("formula_too_deep", limit=Parser.DEEPEST)

    def __exit__(self, *_: object) -> None:
        self.parser.depth -= 1
