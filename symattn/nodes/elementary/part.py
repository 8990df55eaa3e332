"""An attention that is a part of a larger calculation, such as the encoder's beside the decoder's."""

from __future__ import annotations

from typing import Any

from sympy import Expr
from sympy.core.symbol import Str

from symattn.errors import InputError
from symattn.nodes.boxes import Call
from symattn.nodes.node import Node, as_matrix, entry
from symattn.writing.document import Box, Formula
from symattn.writing.prose import Sentence


class Part(Node):
    """An expression with a name, which the steps that it unfolds into carry: encoder.Q, encoder.scores, ...

    Part(E, name, *before) = E, where `before` are parts whose steps come first. Shape: that of E. Raises InputError
    for a name that is no word of letters, with digits after its first.

    >>> from sympy import eye
    >>> Part(eye(2), "encoder").as_explicit() == eye(2)
    True
    """

    def __new__(cls, expression: Any, name: Any, *before: Any) -> Any:
        text = str(name)
        if not (text.isascii() and text.isalnum() and text[0].isalpha() and len(text) <= 20 and text not in ("i", "j")):
            raise InputError(Sentence("bad_part_name", given=text[:40]))
        return super().__new__(cls, as_matrix(expression, "Part"), Str(text), *before)

    @property
    def name(self) -> str:
        return str(self.args[1])

    @property
    def before(self) -> tuple[Part, ...]:
        return tuple(self.args[2:])

    def _entry(self, i: Any, j: Any, **_: object) -> Expr:
        return entry(self.args[0], i, j)

    def formula(self) -> Box:
        return Call(self.name, (Formula(self.args[0]),))
