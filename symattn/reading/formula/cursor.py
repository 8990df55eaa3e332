"""A place in a row of tokens: looking, taking, refusing, and counting how deep the parser is."""

from __future__ import annotations

from typing import NoReturn

from symattn.errors import FormulaError
from symattn.reading.formula.layout import Layout
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.tree import Expression
from symattn.writing.prose import Sentence

DEEPEST = 60


class Cursor:
    """The state of one parse. `latex` tells LaTeX from plain text; `brackets` counts the open brackets."""

    def __init__(self, text: str, layout: Layout, latex: bool) -> None:
        self.text, self.layout, self.latex = text, layout, latex
        self.tokens = layout.tokens
        self.i = 0
        self._cut = (-1, 0)  # the token that was split last, and where
        self.depth = 0
        self.brackets = 0
        self.deeper = _Deeper(self)

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

    def expression(self) -> Expression:
        """The sum that starts here; the parser knows how."""
        raise NotImplementedError


class _Deeper:
    """Inside, the parser is one level deeper; it raises FormulaError beyond 60 levels."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def __enter__(self) -> None:
        self.cursor.depth += 1
        if self.cursor.depth > DEEPEST:
            self.cursor.refuse("formula_too_deep", limit=DEEPEST)

    def __exit__(self, *_: object) -> None:
        self.cursor.depth -= 1
