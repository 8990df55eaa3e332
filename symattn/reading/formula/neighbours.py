"""Side by side: what multiplies its neighbour with no operator, what stands apart, what is refused."""

from __future__ import annotations

import re

from symattn.reading.formula.functions import Functions
from symattn.reading.formula.names import NAMES
from symattn.reading.formula.tree import Call, Dots, Expression, Matrix, Name, Number, Product, Quotient, Root

STARTS = NAMES | {"number", "open", "fraction", "root", "bigsum", "begin", "grid", "function", "infinity", "nan"}
STARTS |= {"brace", "dots", "tilde", "space_of"}


class Neighbours(Functions):
    """Judges juxtaposition."""

    opened = -1  # where the content of the last group in parentheses starts

    def starts_factor(self) -> bool:
        return self.token.kind in STARTS

    def breaks(self) -> bool:
        """Whether what follows stands apart: another formula of the line, or another row."""
        gap = self.token.gap
        if gap == "worn":
            return self.worn_rows
        return self.brackets == 0 and (gap == "wide" or (gap == "line" and not self.latex))

    def require_neighbours(self, left: Expression, slashed: bool) -> None:
        """Refuse what nobody multiplies by writing it side by side: words, numbers, a name and a list."""
        token = self.token
        bad = token.kind in ("number", "dots", "tilde", "quoted") or isinstance(left, Dots)
        bad |= token.kind == "word" and self._is_wordy(token.value) and not self._will_apply()
        bad |= token.kind == "text" and not self._will_apply() and self._is_remark(left)
        bad |= isinstance(left, Name) and self._is_bare_word(left)
        bad |= token.kind == "open" and token.value == "{" and self.next.kind == "sign"  # `3e{-4}`
        if token.kind == "open" and token.value == "[":
            bad |= not isinstance(left, Number | Quotient | Root | Matrix if self.latex else Number)
        bad |= slashed and token.kind not in ("begin", "grid", "open")
        if not self.latex:
            bad |= token.gap != "" and isinstance(left, Name) and _is_long_word(left.text)
            bad |= token.kind == "open" and token.value == "(" and token.gap != "" and self._holds_remark()
            bad |= isinstance(left, Number) and token.gap != "" and token.kind in ("word", "name")
            bad |= token.kind == "word" and self._is_small(left) and self._is_small_word()
        if bad:
            self.refuse("formula_neighbours")

    def _holds_remark(self) -> bool:
        """Whether the parentheses here may be a remark: a word, a list, or one thing alone."""
        inside = self.tokens[self.i + 1 : self.layout.partner[self.i]]
        remarks = (t.kind in ("comma", "text") or (t.kind == "word" and self._is_wordy(t.value)) for t in inside)
        return any(remarks) or len(inside) < 2

    def _is_remark(self, left: Expression) -> bool:
        """Whether the `\\text{...}` here is prose: of several words, or behind a number."""
        token = self.token
        spaced = self.text[token.end - 2].isspace() or re.search(r"\{\s", self.text[token.start : token.end])
        return bool(
            " " in token.value
            or spaced
            or isinstance(left, Number)
            or (self.text.startswith("\\text", left.start) and not (isinstance(left, Name) and len(left.base) == 1))
        )

    def _will_apply(self) -> bool:
        """Whether the word here is a function with its argument."""
        behind = self.tokens[self._behind_label()]
        return behind.kind in ("open", "fraction", "begin", "grid")

    def _is_wordy(self, word: str) -> bool:
        return (len(word) > 1 and not word.isupper() and word.isalpha() and not (self.latex and len(word) == 2)) or (
            not word.isascii()
        )

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

    def require_product(self, left: Expression, right: Expression, slashed: bool) -> None:
        """Refuse what may as well be a function applied, and what may stand below a slash or not."""
        if (slashed and not isinstance(right, Matrix)) or _is_mixed(left, right):
            self.refuse("formula_ambiguous", right)
        parenthesised = self.opened == right.start or self.text[right.start] in "(（"
        if parenthesised and isinstance(right, Name) and len(right.base) > 1:
            self.refuse("formula_neighbours", right)
        opening = self.text.rfind("(", 0, right.start)
        if parenthesised and isinstance(right, Number) and ("%" in right.text or self.text[opening - 1].isspace()):
            self.refuse("formula_neighbours", right)
        size = isinstance(right, Product) and set(right.operators) == {"×"}
        if parenthesised and size and not isinstance(left, Number | Quotient):
            self.refuse("formula_neighbours", right)
        if parenthesised and isinstance(left, Name) and not (left.base.isupper() and _is_compound(right)):
            self.refuse("formula_application", left)


def _is_mixed(left: Expression, right: Expression) -> bool:
    """2½ may be two and a half or twice a half."""
    if not (isinstance(left, Number) and isinstance(right, Quotient)):
        return False
    above, below = right.numerator, right.denominator
    whole = all(isinstance(x, Number) and x.text.isdigit() for x in (left, above, below))
    return whole and isinstance(above, Number) and isinstance(below, Number) and above.value < below.value


def _is_long_word(text: str) -> bool:
    return len(text) > 1 and text.isascii() and text.isalnum()


def _is_greek(base: str) -> bool:
    return len(base) == 1 and "Ͱ" <= base <= "Ͽ"


def _is_compound(right: Expression) -> bool:
    """A product, sum or the like with a matrix in it: no argument of an unknown function."""
    if isinstance(right, Name | Number | Matrix):
        return False
    return any(
        isinstance(part, Matrix | Call) or (isinstance(part, Name) and part.base[0].isupper()) or _is_compound(part)
        for part in right.parts
    )
