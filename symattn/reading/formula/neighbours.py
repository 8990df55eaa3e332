"""Side by side: what multiplies its neighbour with no operator, what stands apart, what is refused."""

from __future__ import annotations

import re

from symattn.patterns import regex
from symattn.reading.formula.algebra import is_monomial, is_product_with_vector
from symattn.reading.formula.conditions import condition_in
from symattn.reading.formula.functions import behind_label
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.names import is_gradient, is_greek, is_marked_letter
from symattn.reading.formula.spellings import CONNECTIVES
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import (
    Call,
    Derivative,
    Dots,
    Expression,
    Matrix,
    Name,
    Number,
    Product,
    Quotient,
    Root,
    Transpose,
    walk,
)


def breaks(p: Parser) -> bool:
    """Whether what follows stands apart: another formula of the line, or another row."""
    if (p.token.kind == "text" and p.token.value[0] in "(（") or connects(p, p.token):
        return True
    gap = p.token.gap
    if gap == "worn":
        return p.worn_rows
    return p.brackets == 0 and (gap == "wide" or (gap == "line" and not p.latex))


def is_aside(p: Parser, left: Expression) -> bool:
    """Whether the parentheses behind a print hold a remark: an equation, `(d = 4)`, or words of another script."""
    if p.brackets or not p.at("open", "(") or not isinstance(left, Number | Matrix):
        return False
    inside = p.tokens[p.i + 1 : p.layout.partner[p.i]]
    if at_short_form(p, left):
        return True
    if any(t.kind == "relation" and t.value in ("=", "≈") for t in inside):
        return True
    return all(t.kind in ("word", "text", "comma") for t in inside) and any(not t.value.isascii() for t in inside)


def at_short_form(p: Parser, left: Expression) -> bool:
    """Whether a long number is said once more in parentheses, and shorter: 38,633,472 (~38.6M).

    Without a letter it may be meant in thousands or millions, (~38.6).
    """
    if p.brackets or not p.at("open", "(") or not isinstance(left, Number) or left.approximate or left.value < 1000:
        return False
    inside = p.tokens[p.i + 1 : p.layout.partner[p.i]]
    return [t.kind for t in inside[:2]] == ["tilde", "number"] and [t.value for t in inside[2:]] in _MAGNITUDES


_MAGNITUDES = [[letter] for letter in "KkMBGT"]


def require_neighbours(p: Parser, left: Expression, slashed: bool) -> None:
    """Refuse what nobody multiplies by writing it side by side: words, numbers, a name and a list."""
    token = p.token
    if _may_be_power_of_ten(p, left):
        p.refuse("formula_ambiguous", left, text=p.text[left.start : p.text.find("}", token.start) + 1 or token.end])
    if p.algebra and not _is_prose(p, left):
        return
    bad = token.kind in ("number", "dots", "tilde", "quoted") or isinstance(left, Dots)
    bad |= token.kind == "word" and _is_wordy(p, token.value) and not _will_apply(p)
    bad |= token.kind == "text" and not _will_apply(p) and _is_remark(p, left)
    indexed = isinstance(left, Name) and left.sub and p.next.kind in ("down", "up", "subs", "supers")  # head_1 W_1
    bad |= isinstance(left, Name) and not indexed and _is_bare_word(p, left) and not _is_word_times_letter(p, left)
    bad |= token.kind == "open" and token.value == "{" and p.next.kind == "sign"  # `3e{-4}`
    if token.kind == "open" and token.value == "[" and not (p.algebra and p.latex):
        nested = p.next.value == "[" and token.gap == " " and isinstance(left, Matrix) and len(left.rows) > 1
        listed = isinstance(left, Matrix) and len(left.rows) == 1 and not token.gap
        spaced = (
            isinstance(left, Matrix) and len(left.rows) == len(left.rows[0]) == 1 and _SPACED.match(p.text, left.start)
        )
        multiplies = isinstance(left, Number | Quotient | Root | Matrix if p.latex else Number)
        bad |= not (nested or listed or spaced or multiplies or condition_in(p, p.i) is not None)
    bad |= slashed and token.kind not in ("begin", "grid", "open")
    if not p.latex:
        bad |= (
            token.gap != ""
            and isinstance(left, Name)
            and left.base not in _HEADS
            and _is_long_word(left.text)
            and not _are_letters(p, left)
        )
        bad |= token.kind == "open" and token.value == "(" and token.gap != "" and _holds_remark(p)
        if isinstance(left, Number) and token.gap != "" and token.kind in ("word", "name"):
            bad |= not (_is_ones(p, left) or _has_long_index(p) or _applies_function(p))
        bad |= token.kind == "word" and _is_small(left) and _is_small_word(p)
    if bad:
        p.refuse("formula_neighbours")


def _may_be_power_of_ten(p: Parser, left: Expression) -> bool:
    """Whether `1e^{-5}` stands here, by which authors mean 10⁻⁵: no factor 1 is written, and few write 3 e⁻⁴."""
    found = (
        _SMALL_POWER.match(p.text, p.token.start) if isinstance(left, Number) and left.end == p.token.start else None
    )
    doubtful = found is not None and (left.value == 1 or int(found["braced"] or found["bare"]) > 2)  # type: ignore[attr-defined]
    return doubtful and _EXPONENTIAL.search(p.text) is None


_SMALL_POWER = regex(r"e\^(?:\{\s*[-−]\s*(?P<braced>\d{1,3})\s*\}|[-−]\s*(?P<bare>\d{1,3})(?!\d|\.\d))")
_SPACED = regex(r"\[ ")  # a matrix as pages of text draw it, [ 3 ] [ 1  2 ]
# e⁻¹² by itself, as in 7e⁻¹²/(e⁻¹² + 1), or with 1 added to it, 2e⁻¹² + 1
_EXPONENTIAL = regex(r"(?:^|[^\d\s.}\w])\s*e\^|(?<![\d.])[2-9]e\^\{[-−]\d+\} \+ 1(?![\d.])")


def _is_ones(p: Parser, left: Number) -> bool:
    """Whether this is the column of ones in front of a bias, X W + 1 b, or of a row δ that is taken away."""
    signed = left.text == "1" and p.text[: left.start].rstrip().endswith(("+", "-", "−"))
    return signed and (p.brackets == 0 or is_greek(p.token.value))


def _applies_function(p: Parser) -> bool:
    """Whether a function with its bracket stands here: 0.5 ln(4), 2 sqrt(2)."""
    return p.token.value in _SHORT_FUNCTIONS and p.next.kind == "open" and not p.next.gap


_SHORT_FUNCTIONS = frozenset(["ln", "log", "sqrt", "exp", "sin", "cos", "tanh"])


def _has_long_index(p: Parser) -> bool:
    """Whether a letter with a word below it in braces stands here, which nobody writes in prose: 4 d_{model}."""
    at = p.i + 2
    braced = len(p.token.value) == 1 and p.next.kind == "down" and p.tokens[at].value == "{"
    return braced and p.tokens[at + 1].kind == "word" and len(p.tokens[at + 1].value) > 1


def _is_prose(p: Parser, left: Expression) -> bool:
    """Whether what stands side by side may be words, where algebra multiplies anything else."""
    token = p.token
    if token.kind in ("number", "dots", "tilde", "quoted", "text") or isinstance(left, Dots):
        return True
    if token.kind == "word" and (
        is_monomial(p, token) or is_product_with_vector(p, token) or token.value == "pos"
    ):  # the position, in ω_i pos
        return False
    wordy = token.kind == "word" and _is_wordy(p, token.value) and not _will_apply(p)
    return wordy or (isinstance(left, Name) and _is_bare_word(p, left) and token.kind == "word")


def _holds_remark(p: Parser) -> bool:
    """Whether the parentheses here may be a remark: a word, a list, or one thing alone."""
    close = p.layout.partner[p.i]
    if p.tokens[close + 1].kind in ("transpose", "up", "supers"):
        return False  # Q (K^(head))ᵀ
    inside = p.tokens[p.i + 1 : close]
    remarks = (t.kind in ("comma", "text") or (t.kind == "word" and _is_wordy(p, t.value)) for t in inside)
    return any(remarks) or len(inside) < 2


def _is_remark(p: Parser, left: Expression) -> bool:
    """Whether the `\\text{...}` here is prose: of several words, or behind a number."""
    token = p.token
    spaced = p.text[token.end - 2].isspace() or re.search(r"\{\s", p.text[token.start : token.end])
    return bool(
        " " in token.value
        or spaced
        or isinstance(left, Number)
        or (p.text.startswith("\\text", left.start) and not (isinstance(left, Name) and len(left.base) == 1))
    )


def _will_apply(p: Parser) -> bool:
    """Whether the word here is a function with its argument."""
    behind = p.tokens[behind_label(p)]
    return behind.kind in ("open", "fraction", "begin", "grid")


def _is_wordy(p: Parser, word: str) -> bool:
    if not word.isascii():
        return not (is_marked_letter(word) or is_gradient(word))
    plain = len(word) > 1 and word.isalpha() and not word.isupper() and not is_gradient(word)
    return plain and not (p.latex and len(word) == 2)


def _is_bare_word(p: Parser, name: Name) -> bool:
    bare = p.text[name.start] not in "\\{"
    wordy = (len(name.base) > 1 or not name.base.isascii()) and name.base.isalpha()
    letter = is_greek(name.base) or is_gradient(name.base) or is_marked_letter(name.base)
    return bare and wordy and not (letter or name.base in _HEADS)


_HEADS = ("head", "dhead")  # matrices, which no one applies


def _is_small(left: Expression) -> bool:
    return isinstance(left, Name) and left.base.islower() and not left.sub and not left.sup


def _is_small_word(p: Parser) -> bool:
    return p.token.value.islower() and p.next.kind not in ("up", "down", "subs", "supers")


def require_product(p: Parser, left: Expression, right: Expression, slashed: bool) -> None:
    """Refuse what may as well be a function applied, and what may stand below a slash or not."""
    if (slashed and not isinstance(right, Matrix) and not _ends_quotient(p, left, right)) or _is_mixed(left, right):
        p.refuse("formula_ambiguous", right)
    parenthesised = p.opened == right.start or p.text[right.start] in "(（"
    if parenthesised and isinstance(right, Name) and len(right.base) > 1:
        p.refuse("formula_neighbours", right)
    opening = p.text.rfind("(", 0, right.start)
    if parenthesised and isinstance(right, Number) and ("%" in right.text or p.text[opening - 1].isspace()):
        p.refuse("formula_neighbours", right)
    size = isinstance(right, Product) and set(right.operators) == {"×"}
    if parenthesised and size and not isinstance(left, Number | Quotient):
        p.refuse("formula_neighbours", right)
    if p.algebra:
        return
    multiplied = isinstance(left, Name) and (
        (left.base.isupper() and _is_compound(right))
        or left in walk(right)  # a(1 − a) is no function of itself
        or ((left.base in _HEADS or is_gradient(left.base)) and isinstance(right, Transpose))
    )
    if parenthesised and isinstance(left, Name) and not multiplied:
        p.refuse("formula_application", left)


def may_be_applied(text: str, left: Expression, right: Expression) -> bool:
    """Whether what is read as a product may be a function of what stands in brackets alone, J(x)."""
    small = isinstance(right, Number) or (isinstance(right, Name) and not right.base.isupper())
    return small and _OPENED.fullmatch(text, left.end, right.start) is not None


_OPENED = regex(r"\}?\s?(?:\\left)?[(（]\s*(?:\\[a-z]+\s*\{?)*")


def _ends_quotient(p: Parser, left: Expression, right: Expression) -> bool:
    """Whether nobody writes below a slash what follows: behind a root, 1/√d QKᵀ, and where it is a derivative."""
    root = isinstance(left, Quotient) and isinstance(left.denominator, Root)
    return p.algebra and (root or isinstance(right, Derivative))


def _is_mixed(left: Expression, right: Expression) -> bool:
    """2½ may be two and a half or twice a half."""
    if not (isinstance(left, Number) and isinstance(right, Quotient)):
        return False
    above, below = right.numerator, right.denominator
    whole = all(isinstance(x, Number) and x.text.isdigit() for x in (left, above, below))
    return whole and isinstance(above, Number) and isinstance(below, Number) and above.value < below.value


def _are_letters(p: Parser, left: Name) -> bool:
    """Whether letters of matrices stand side by side, Q1 K1 and W2 h, or a word and such a letter."""
    numbered = re.fullmatch(r"[A-Z]\d", left.text) and re.fullmatch(r"[A-Za-z]\d?", p.token.value)
    return bool(numbered) or _is_word_times_letter(p, left)


def _is_word_times_letter(p: Parser, left: Name) -> bool:
    """Whether a side of an equation is a word and a capital, `Head = Weights V = ...`: two names, and no words."""
    alone = p.text[: left.start].rstrip().endswith("=") and p.next.kind == "relation"
    return alone and p.token.kind == "word" and re.fullmatch(r"[A-Z]\d?", p.token.value) is not None


def _is_long_word(text: str) -> bool:
    return len(text) > 1 and text.isascii() and text.isalnum() and not is_gradient(text)


def _is_compound(right: Expression) -> bool:
    """A product, sum or the like with a matrix in it: no argument of an unknown function."""
    if isinstance(right, Name | Number | Matrix):
        return False
    return any(
        isinstance(part, Matrix | Call) or (isinstance(part, Name) and part.base[0].isupper()) or _is_compound(part)
        for part in right.parts
    )


def connects(p: Parser, token: Token) -> bool:
    word = token.value.strip(" :：,，").lower()
    known = word in CONNECTIVES and (len(word) > 1 or token.kind == "text")
    return token.kind in ("text", "word") and known and p.brackets == 0
