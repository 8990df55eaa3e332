r"""What can be read of a text that is not understood as a whole: `\nabla L = 2 × 0.4 = 0.8` without its left side.

The text is cut where a reader sees it cut, at the relations and rows outside of all brackets, and each side is read for
itself. What is still not understood becomes `Unread`, of which nothing is known but that it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading.formula.lexer import Commas, end_of_label
from symattn.reading.formula.parser import parse
from symattn.reading.formula.spellings import ALIGNMENTS, LABELLED, MEANINGS
from symattn.reading.formula.tree import Chain, Dots, Expression, Name, Side, Unread, is_printed, walk
from symattn.writing.prose import Sentence

LONGEST = 5_000  # characters of a text that is tried again
MOST_SIDES = 60
_RELATION = {spelling: value for spelling, (kind, value) in MEANINGS.items() if kind == "relation" and spelling != ":"}
_SIGNS = sorted(map(re.escape, (s for s in _RELATION if not s[-1].isalpha())), key=len, reverse=True)
_PART = regex(
    r"\\begin\{(?P<begin>[a-z]+)\*?\}|\\end\{(?P<end>[a-z]+)\*?\}|(?P<row>\\\\|,\s+(?=\\?[^\W\d][^,=≈]{0,40}(?:[=≈]|\\approx))|\\quad\b|\\qquad\b|[;；。]|=>|⇒"
    r"|\\(?:Rightarrow|implies|Longrightarrow)\b)|(?P<line>\n)|(?P<cell>&)|(?P<open>\\?\{|[(（\[])|(?P<close>\\?\}|[)）\]])"
    rf"|(?P<relation>{'|'.join(_SIGNS)})"
    r"|(?P<command>\\(?:[A-Za-z]+|.))"
)


def parse_sides(text: str, *, commas: Commas = Commas.UNKNOWN) -> tuple[Chain, ...]:
    r"""The chains of a text that `parse` refuses, as far as their sides can be read; none if that says nothing.

    They are kept if somewhere two sides that follow one another are understood, and the second of them is printed or
    arithmetic.

    >>> [chain] = parse_sides(r"\nabla L = 2 \times 0.4 = 0.8")
    >>> [type(side.expression).__name__ for side in chain.sides]
    ['Unread', 'Product', 'Number']
    """
    if len(text) > LONGEST or "\n\n" in text.strip() or _UPDATE.search(text):
        return ()
    cut = _Cut(text)
    if cut.opened or not 0 < sum(map(len, cut.chains)) <= MOST_SIDES:
        return ()
    chains = tuple(_read(cut.text, sides, commas) for sides in cut.chains if sides)
    return chains if any(map(_says_something, chains)) else ()


class _Cut:
    """A text cut into chains of sides: relation, start and end of each; `opened` are brackets that do not pair."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.chains: list[list[tuple[str, int, int]]] = [[]]
        self.opened: list[str] = []
        self._relation, self._start = "", 0
        self._latex = re.search(r"\\[A-Za-z]", text) is not None
        for part in _PART.finditer(text):
            self._meet(part, part.lastgroup or "")
        self._end_side(len(text), len(text))

    def _meet(self, part: re.Match[str], kind: str) -> None:
        opens = kind == "open" or (kind == "begin" and part["begin"] not in ALIGNMENTS)
        closes = kind == "close" or (kind == "end" and part["end"] not in ALIGNMENTS)
        if opens or (closes and not self.opened):
            self.opened.append(part[0])
        elif closes:
            self.opened.pop()
        elif self.opened:
            return
        elif kind == "cell":
            self.text = self.text[: part.start()] + " " + self.text[part.end() :]
        elif kind in ("begin", "end"):
            self._end_side(part.start(), part.end())
        elif kind == "row" or (kind == "line" and self._ends_line(part.start())):
            self._end_side(part.start(), part.end())
            if not _RELATED.match(self.text, part.end()):
                self.chains.append([])
        elif part[0] in _RELATION:
            labelled = part[0] in LABELLED
            self._end_side(part.start(), end_of_label(self.text, part.end()) if labelled else part.end())
            self._relation = _RELATION[part[0]]

    def _ends_line(self, end: int) -> bool:
        """Whether a line end parts two formulas: in plain text before a name, in LaTeX below a line of words."""
        if self._latex:
            return not self._relation and _is_prose(self.text[self._start : end])
        return _NAMED.match(self.text, end) is not None

    def _end_side(self, end: int, after: int) -> None:
        if self.text[self._start : end].strip():
            self.chains[-1].append((self._relation, self._start, end))
        self._relation, self._start = "", after


def _is_prose(text: str) -> bool:
    """Whether words stand here that are no names: two of a sentence, or letters of a script that formulas have not."""
    plain = _COMMANDS.sub("", text)
    return len(_WORD.findall(plain)) > 1 or _OTHER_SCRIPT.search(plain) is not None


_UPDATE = regex(r"[-−+*/]=")  # what it adds to was not understood
_COMMANDS, _WORD = regex(r"\\[A-Za-z]+(?:\{[^{}]*\})?"), regex(r"[A-Za-z]{3,}")
_OTHER_SCRIPT = regex(r"[\u0400-\u04ff\u3040-\u9fff\uac00-\ud7af]")
_NAMED = regex(r"\s*(?:[^\W\d]|[=≈])")
_RELATED = regex(r"[\s&]*(?:=|≈|\\approx\b)")


def _read(text: str, sides: Sequence[tuple[str, int, int]], commas: Commas) -> Chain:
    found = tuple(Side(relation, _read_side(text, start, end, commas)) for relation, start, end in sides)
    found = tuple(replace(s, start=s.expression.start, end=s.expression.end) for s in found)
    return Chain(found, found[0].start, found[-1].end)


def _read_side(text: str, start: int, end: int, commas: Commas) -> Expression:
    """One side by itself; the text before it is blanked out, so that places stay what they are."""
    said = text[start:end]
    try:
        chains = parse(" " * start + said, commas=commas)
        if len(chains) == len(chains[0].sides) == 1 and not chains[0].sides[0].relation:
            return chains[0].sides[0].expression
        reason = Sentence("formula_unexpected", text=said.strip()[:40])
    except FormulaError as error:
        reason = error.message if isinstance(error.message, Sentence) else Sentence("formula_unexpected", text="")
    return Unread(reason, start=start + len(said) - len(said.lstrip()), end=start + len(said.rstrip()))


def _says_something(chain: Chain) -> bool:
    return any(
        not isinstance(a.expression, Unread) and b.relation in ("=", "≈") and _is_arithmetic(b.expression)
        for a, b in pairwise(chain.sides)
    )


def _is_arithmetic(expression: Expression) -> bool:
    """Whether it is made of numbers alone."""
    return is_printed(expression) or not any(isinstance(part, Name | Unread | Dots) for part in walk(expression))
