"""Symbols: where a name ends, and what its subscripts and superscripts say.

Rules, in the order of doubt:

* A bare run of capitals is a product of letters in LaTeX (`QK`); in plain text two capitals are, but `WQ`,
  `WK`, `WV`, `WO` and longer runs are one name. `Wq`, `WK1`, `scores`, `head1` are one name everywhere;
  another pair of letters is a product in LaTeX when one is a capital (`xW`, but the gradient `dS` is a name) or
  the second has a subscript (`hd_v`).
* Digits that end a word are its subscript: `q1` is `q_1`. So is q, k, v or o behind W: `WQ` is `W_Q`.
* A superscript T in any font is the transpose, also behind a label (`K^{2T}`).
* A superscript integer is a label on a name that begins with a capital (`Q^2`: the second head's queries) and
  a power elsewhere (`x^2`, `d_k^2`, `4^2`). Arithmetic in a superscript is always a power, other words and
  letters are labels, and everything above a bare `e` is an exponent. Raised by itself before an index it is a
  label on any name (`e²₁`: at step 2).
* A prime is a label (`S'`); in a program's product with `*` or `@` it is the transpose.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from symattn.patterns import regex
from symattn.reading.formula.algebra import count_algebra_letters
from symattn.reading.formula.lexer import Token
from symattn.reading.formula.numerals import read_raised
from symattn.reading.formula.spellings import ACCENTS, CONNECTIVES, GREEK_WORDS
from symattn.reading.formula.state import Parser
from symattn.reading.formula.tree import Call, Expression, Name, Power, Transpose

NAMES = frozenset(("word", "text", "name", "accent", "quoted"))
STARTS = NAMES | {"number", "open", "fraction", "root", "bigsum", "begin", "grid", "function", "infinity", "nan"}
STARTS |= {"brace", "dots", "tilde", "space_of", "partial", "nabla", "norm"}

_PROJECTION = regex(r"W([QKVOqkvo][0-9]*)")
_NUMBERED = regex(r"([^\W\d_]+)([0-9]+)")
_INDEX_AND_MATRIX = regex(r"[a-z][A-Z]")  # `x_iW^Q`
_TRANSPOSE_AND_NAME = regex(r"T(?:[a-z]|d?[A-Z]|[A-Z][a-z])")  # `q^Tk`, `P^TdO`, `x^TWx`
_ARITHMETIC = frozenset(["sign", "slash", "fraction", "root", "percent"])
MOST_WORDS = 5  # of one name
_BEHIND_WORDS = frozenset(("relation", "times", "slash", "close", "comma", "sign", "transpose", "end", "attribute"))
_BEHIND_A_MARK = ("relation", "times")  # of `x^- = …` and `x^- \\odot …`, where no power can follow
_MARKS = {"*": "*", "·": ":", "+": "+", "-": "-"}
_KINDS_OF_LABELS = "word text name number sign times open close prime dots down up infinity slash subs transpose"
_LABELS = frozenset(_KINDS_OF_LABELS.split())


class Script(NamedTuple):
    """What a superscript means: a label, a transpose (behind a label or not), or a power."""

    label: str = ""
    transposed: bool = False
    power: Expression | None = None


class _Scripts:
    """What has been read behind a name so far."""

    def __init__(self, name: Name) -> None:
        self.base = name.base
        self.sub, self.sup, self.item = list(name.sub), list(name.sup), list(name.item)
        self.lowered = self.raised = self.transposed = False
        self.power: Expression | None = None
        self.primes = 0


def count_letters(word: str, latex: bool) -> int:
    """How many characters of a bare word are its first symbol.

    >>> count_letters("QK", True), count_letters("WQ", False), count_letters("scores", True)
    (1, 2, 6)
    >>> [count_letters(word, False) for word in ("Q1K1", "hW2", "W2h", "dW2")]
    [2, 1, 2, 3]
    """
    if found := _NUMBERED_FACTORS.fullmatch(word):
        return found.end("first") if found["first"] else 1
    if len(word) == 1 or not word.isascii() or not word.isalpha():
        return len(word)
    if _PROJECTION.fullmatch(word) and not (latex and word.isupper()):
        return len(word)
    if is_gradient(word):
        return len(word)
    mixed_pair = latex and len(word) == 2 and not word.islower()
    return 1 if mixed_pair or (word.isupper() and (latex or len(word) == 2)) else len(word)


# matrices with numbers, Q1K1 and W2h, and a vector before one: hW2, XW1
_NUMBERED_FACTORS = regex(r"(?P<first>[QKVASPXWHEO]\d)(?:(?:[QKVASPXWHEO]\d)+|[xhz])|[xhzXHZE]W\d")


def is_gradient(word: str) -> bool:
    """Whether a word is what the gradient by a matrix is called: dQ, dS̃, dSa.

    >>> is_gradient("dQ"), is_gradient("dS̃"), is_gradient("dSa"), is_gradient("dk"), is_gradient("dQK")
    (True, True, True, False, False)
    """
    return _GRADIENT.fullmatch(word) is not None or (word[:1] == "d" and word != "d" and is_marked_letter(word[1:]))


_GRADIENT = regex(r"d(?:[A-ZͰ-Ͽ]|(?:[A-Z][a-z]{1,2}){1,3})")


def split_word(word: str) -> tuple[str, tuple[str, ...]]:
    """A word's base and the subscripts written into it.

    >>> split_word("head1"), split_word("Wq"), split_word("W_Q_1"), split_word("Head1 Output")
    (('head', ('1',)), ('W', ('q',)), ('W', ('Q', '1')), ('Head1 Output', ()))
    """
    if found := _PROJECTION.fullmatch(word):
        return "W", (found[1],)
    if found := _NUMBERED.fullmatch(word):
        return found[1], (found[2],)
    if "_" in word and " " not in word and all(word.split("_")):
        base, *sub = word.split("_")
        return base, tuple(sub)
    return " ".join(word.split()), ()


def read_name(p: Parser) -> Expression:
    first, start = p.i, p.token.start
    if not p.algebra and _is_of_a_word(p):
        base, of = p.take().value, p.tokens[p.i + 1].value
        p.i += 3
        return Name(base, (), (f"({of})",), text=p.text[start : p.behind], start=start, end=p.behind)
    base, sub = _read_base(p)
    if p.algebra and not p.latex:
        base = GREEK_WORDS.get(base, base)
    if not p.latex and not sub and is_greek(base) and p.at("number") and not p.token.gap and p.token.value.isdigit():
        sub = (p.take().value,)  # α1
    return read_scripts(p, Name(base, sub), first, start)


def is_greek(base: str) -> bool:
    """Whether a name is one Greek letter."""
    return len(base) == 1 and "Ͱ" <= base <= "Ͽ"


def is_marked_letter(word: str) -> bool:
    """Whether a word is one consonant with a hat, a tilde, a bar or a dot, as no language writes it alone.

    >>> is_marked_letter("ŷ"), is_marked_letter("ñ"), is_marked_letter("é"), is_marked_letter("y")
    (True, False, False, False)
    """
    letter, *marks = list(unicodedata.normalize("NFD", word))
    return len(marks) == 1 and marks[0] in _MARKS_OF_ESTIMATES and letter.lower() in _CONSONANTS


_MARKS_OF_ESTIMATES = "\u0302\u0303\u0304\u0307"
_CONSONANTS = frozenset("bcdfghjklmpqrstvwxyz")


def _is_of_a_word(p: Parser) -> bool:
    """Whether a capital is that of a word, E(cat), or the encoding of a position, PE(1): no product of the two."""
    word = p.token.value
    if p.token.kind != "word" or not word.isupper() or p.next.value != "(" or p.next.gap:
        return False
    if p.latex and word != "PE":
        return False
    inside, close = p.tokens[min(p.i + 2, len(p.tokens) - 1)], p.tokens[min(p.i + 3, len(p.tokens) - 1)]
    if close.value != "(" or close.kind != "close":
        return False
    if word == "PE":
        return inside.kind in ("number", "word")
    spoken = inside.kind == "word" and (len(inside.value) > 2 or not inside.value.isascii())
    return len(word) == 1 and spoken and not any(c.isdigit() or c == "_" for c in inside.value)


def _read_base(p: Parser) -> tuple[str, tuple[str, ...]]:
    token = p.token
    if _is_gradient_sign(p):
        p.take()
        base, sub = _read_base(p)
        return f"d{base}", sub
    if token.kind == "accent":
        p.take()
        braces = 0
        while p.take_if("open", "{"):
            braces += 1
        if p.token.kind not in NAMES:
            p.refuse("formula_unexpected")
        base, sub = _read_base(p)
        for _ in range(braces):
            p.expect("close", "{")
        return base + ACCENTS[token.value], sub
    if token.kind == "word":
        if (words := _words_from(p)) > 1:
            return " ".join(p.take().value for _ in range(words)), ()
        if token.value in p.words and p.next.kind not in ("up", "transpose"):  # QK^T is of no variable QK
            return p.take().value, ()
        if token.value == "PE" and p.next.kind == "down" and not p.algebra:
            return p.take().value, ()  # PE_{(pos, 2i)}, PE_1: the encoding of a position
        pair = p.latex and len(token.value) == 2 and token.value.isalpha() and p.next.kind == "down"
        pair = pair and (token.value.isascii() or not p.algebra) and (p.algebra or not is_gradient(token.value))
        pair = pair or (p.algebra and token.value in ("qk", "kq") and p.next.kind == "down")
        known = count_algebra_letters(p, token) if p.algebra else None
        return split_word(p.split(known or (1 if pair else count_letters(token.value, p.latex))).value)
    if (
        len(token.value.split()) > 4
        or token.value[:1] in ("(", "（")
        or not re.search(r"\w", token.value)
        or re.search(r"[\[\]=<>]", token.value)
    ):
        p.refuse("formula_unexpected")
    return split_word(p.take().value)


def _is_gradient_sign(p: Parser) -> bool:
    """Whether this is the d of `d\\tilde{S}`, `d\\beta` or `d\\mathrm{head}_1`, which belongs to what is behind it."""
    if p.algebra or p.token.value != "d" or p.next.gap:
        return False
    if p.next.kind == "name":
        return p.next.value in _PARAMETERS or ("α" <= p.next.value <= "ω" and p.next.value != "π" and _is_change(p))
    return p.latex and (
        p.next.kind == "accent" or (p.next.kind == "text" and _UPRIGHT.fullmatch(p.next.value) is not None)
    )


def _is_change(p: Parser) -> bool:
    """Whether a d before a small Greek letter is its change, or a gradient: it begins a side, is added to the letter,
    θ + dθ, or multiplied with another matrix by entries, α ∘ (dα − δ)."""
    before = p.tokens[p.i - 1] if p.i else None
    if before is None or before.kind == "relation" or any(t.value == "⊙" for t in p.tokens[max(p.i - 3, 0) : p.i]):
        return True
    return before.kind == "sign" and p.i > 1 and p.tokens[p.i - 2].value == p.next.value


_PARAMETERS = frozenset("βγΩΘ")  # with respect to which gradients are taken
_UPRIGHT = regex(r"head|(?:[A-Z][a-z]?){1,3}")


def _words_from(p: Parser) -> int:
    """How many words of plain text make one name, `Scaled Attention Scores =`: all up to a sign, with single spaces."""
    at = p.i
    while (
        not p.latex
        and p.tokens[at].kind == "word"
        and (len(p.tokens[at].value) > 2 or (at == p.i and _is_short_for_words(p.tokens[at].value)))
        and p.tokens[at].value.isalpha()
        and p.tokens[at].value.lower() not in CONNECTIVES
        and (at == p.i or p.tokens[at].gap == " ")
        and at - p.i < MOST_WORDS
    ):
        at += 1
    ends = p.tokens[at].kind in _BEHIND_WORDS and p.tokens[at].value != ":"
    return at - p.i if ends else 0


def _is_short_for_words(text: str) -> bool:
    """Whether a word is two capitals, as in `KV Cache`."""
    return len(text) == 2 and text.isascii() and text.isupper()


def read_scripts(p: Parser, name: Name, first: int, start: int) -> Expression:
    """The name with the scripts that follow; `first` is the index of its first token."""
    read = _Scripts(name)
    while _read_script(p, read):
        pass
    mark = ""
    if read.primes == 1 and not p.latex and _in_program_product(p, first):
        read.transposed, mark = True, "'"
    elif read.primes:
        read.sup.append("′" * read.primes)
    text, end = p.text[start : p.behind], p.behind
    scripts = tuple(read.sub), tuple(read.sup), tuple(read.item)
    found: Expression = Name(name.base, *scripts, text=text, start=start, end=end)
    if read.power is not None:
        if not p.algebra and len(name.base) == 2 and name.base.isascii() and name.base.isalpha():
            p.refuse("formula_ambiguous", found)  # nd² is n d² or (nd)²
        if found == Name("e"):
            found = Call("exp", (read.power,), start=start, end=end)
        else:
            found = Power(found, read.power, start=start, end=end)
    return Transpose(found, mark, start=start, end=end) if read.transposed else found


def _read_script(p: Parser, read: _Scripts) -> bool:
    """Read one script behind a name, if there is one."""
    if p.at("down"):
        if p.latex and read.lowered:
            p.refuse("formula_ambiguous")
        read.lowered = True
        read.sub += read_below(p)
    elif p.at("subs"):
        read.sub.append(p.take().value)
    elif p.at("up") or p.at("supers"):
        if read.transposed or read.power is not None or (p.latex and read.raised):
            p.refuse("formula_ambiguous")
        read.raised = True
        script = read_superscript(p, read.base + "_" * bool(read.sub or read.sup))
        read.sup += [script.label] if script.label else []
        read.transposed, read.power = script.transposed, script.power
    elif p.at("transpose") and not read.transposed and is_raised(p):
        p.take()
        read.transposed = True
    elif p.at("prime"):
        p.take()
        read.primes += 1
    elif at_item(p) and not read.transposed:
        read.item += read_program_index(p)
    else:
        return False
    return True


def is_raised(p: Parser) -> bool:
    """Whether the mark of a transpose stands raised by itself: in plain text, or as the letter ᵀ."""
    return not p.latex or p.text[p.token.start] == "ᵀ"


def _in_program_product(p: Parser, first: int) -> bool:
    beside = (p.tokens[first - 1] if first else None, p.token)
    return any(t is not None and t.kind == "times" and t.value in ("*", "@") for t in beside)


# --- above the line


def read_superscript(p: Parser, base: str) -> Script:
    """What stands after `^` (or raised itself) means above `base`."""
    if p.at("supers"):
        return _read_raised(p, base)
    if p.take().value == "**":
        return Script(power=p.operand())
    if p.at("open", "{"):
        close = p.layout.partner[p.i]
        script = _classify(p, p.tokens[p.i + 1 : close], base)
        if script is None:
            p.take()
            script = Script(power=p.expression())
            p.expect("close", "{")
        p.i = close + 1
        return script
    return _read_single(p, base)


def _classify(p: Parser, content: list[Token], base: str) -> Script | None:
    """What a braced superscript says; None when it is an exponent."""
    if not content:
        p.refuse("formula_unexpected")
    if base not in ("e", ""):  # F^{1 → 0}, from one to another
        content = [t._replace(kind="word") if t.kind == "relation" and t.value == "→" else t for t in content]
    last, rest = content[-1], content[:-1]
    if _is_transpose(last) and not (rest and rest[-1].kind == "slash"):  # of e^{z/T} T is the temperature
        if base == "e":
            p.refuse("formula_ambiguous", last)
        rest = rest[:-1] if rest and rest[-1].kind in ("comma", "up") else rest
        if rest and all(t.kind == "sign" for t in rest):
            p.refuse("formula_ambiguous", rest[0])  # the inverse's transpose
        return Script(_label_of(p, rest), transposed=True)
    if base == "W" and len(content) == 1 and last.value in ("QT", "KT", "VT", "OT"):
        return Script(last.value[0], transposed=True)
    if len(content) == 1 and last.value in _MARKS and last.kind in ("sign", "times"):
        return Script(last.value)
    if base in ("e", "") or _is_power(content, base):
        return None
    return Script(_label_of(p, content))


def _is_power(content: list[Token], base: str) -> bool:
    enclosed = content[0].kind == "open" and content[0].value == "(" and content[-1].kind == "close"
    if len(content) == 1 and content[0].kind == "number":
        return not (content[0].value.isdigit() and base[0].isupper())
    return not enclosed and any(t.kind in _ARITHMETIC or t.kind == "times" for t in content)


def _read_single(p: Parser, base: str) -> Script:
    """A superscript without braces: one character in LaTeX, one word or number in plain text."""
    token = p.token
    word = token.value if token.kind == "word" else ""
    if _is_transpose(token) or _TRANSPOSE_AND_NAME.fullmatch(word) or (word[:1] == "T" and word.isupper()):
        if base == "e":
            p.refuse("formula_ambiguous")
        if word == "TT":
            p.take()  # as Typst writes a transpose
        else:
            p.split(1)
        return Script(transposed=True)
    if token.kind in ("prime", "times") and token.value in ("′", "*"):
        return Script(p.take().value)
    if token.kind == "sign" and p.latex and p.algebra and base not in ("e", "") and p.next.kind in _BEHIND_A_MARK:
        return Script(p.take().value)
    if token.kind == "number":
        if p.latex and (len(token.value) > 1 or p.next.kind == "number"):
            p.refuse("formula_ambiguous")
        if token.value.isdigit() and base[:1].isupper():
            return Script(p.take().value)
        return Script(power=p.operand())
    if token.kind in ("word", "text", "name") and base not in ("e", ""):
        return Script(_one_character(p) if token.kind == "word" else p.take().value)
    if token.kind == "open" and token.value == "(":
        close = p.layout.partner[p.i]
        content = p.tokens[p.i : close + 1]
        labelled = p.tokens[close + 1].kind in ("subs", "down") or base.endswith("_") or content[1].value == "1"
        numbered = base not in ("e", "") and content[1].value.isdigit() and len(content) == 3 and labelled  # q^(2)₁
        if numbered or (base[:1].isupper() and not any(t.kind in _ARITHMETIC for t in content)):
            p.i = close + 1
            return Script(_label_of(p, content))
    return Script(power=p.operand())


def _one_character(p: Parser) -> str:
    """What of a word without braces stands above or below the line."""
    token = p.token
    if not p.latex or len(token.value) == 1 or not token.value.isascii():
        if len(token.value) > 1 and token.value.isalpha() and token.value.isupper():
            p.refuse("formula_ambiguous")
        return p.take().value
    if token.value[1].isdigit():
        p.refuse("formula_ambiguous")
    if token.value.isalpha() and token.value.islower():
        if p.algebra and len(token.value) == 2 and token.value[1] in "xyzhv":
            return p.split(1).value  # `W_gx`
        if len(token.value) > 2:
            return p.take().value  # `d_model`: the braces were forgotten
        if p.next.kind not in ("up", "down"):
            p.refuse("formula_ambiguous")
    return p.split(1).value


def _read_raised(p: Parser, base: str) -> Script:
    token = p.take()
    digits = token.value.removeprefix("-").removeprefix("+")
    if token.value.isdigit() and base and p.at("subs"):
        return Script(token.value)  # e²₁, of the second step; the square of an entry is e₁²
    if digits.replace(".", "", 1).isdigit() and not (token.value.isdigit() and base[:1].isupper()):
        return Script(power=read_raised(p, token))
    return Script(token.value)


# --- below the line


def read_below(p: Parser) -> tuple[str, ...]:
    p.take()
    token = p.token
    if token.kind == "open" and token.value == "{":
        return read_below_braces(p)
    if token.kind == "word":
        if (not p.latex and _INDEX_AND_MATRIX.fullmatch(token.value)) or _begins_another(p):
            return (p.split(1).value,)
        return (_one_character(p) if p.latex else p.take().value,)
    plain = not p.latex or p.algebra
    if token.kind == "number" and token.value.isdigit() and (len(token.value) == 1 or plain):
        number, letter = p.take().value, p.token
        beside = not p.latex and letter.kind == "word" and not letter.gap and len(letter.value) == 1
        return (number + (p.take().value if beside and letter.value.islower() else ""),)  # S_2k
    if token.kind in ("text", "name", "times", "quoted", "infinity"):
        return read_label(p, [p.take()])
    return p.refuse("formula_ambiguous" if token.kind == "number" else "formula_unexpected")


def _begins_another(p: Parser) -> bool:
    """Whether the second of two letters below a name is the next name: it has one below of its own, `p_iv_i`, `W_QW_K`.

    Behind `W_Q` it may be the tokens X; `n_kv_heads` is one name.
    """
    pair, script, below = p.token.value, p.next, p.tokens[min(p.i + 2, len(p.tokens) - 1)]
    if len(pair) != 2 or not pair.isascii() or not pair.isalpha():
        return False
    if pair[1] == "X" and pair[0] in "QKV":
        return True
    if script.kind != "down" or script.gap or pair in ("QK", "OV") or pair[0].isupper() != pair[1].isupper():
        return False
    return below.kind == "open" or len(below.value) <= 2


def read_below_braces(p: Parser) -> tuple[str, ...]:
    """The parts of a braced subscript; a size such as `_{(5 \\times 2)}` is no part of a name."""
    close = p.layout.partner[p.i]
    content = p.tokens[p.i + 1 : close]
    parts = read_label(p, content)
    p.i = close + 1
    return () if any(t.kind == "times" and t.value == "×" for t in content) else parts


def read_label(p: Parser, content: list[Token]) -> tuple[str, ...]:
    """The comma-separated parts of what stands below the line, as canonical text."""
    parts: list[str] = [""]
    depth = 0
    for i, token in enumerate(content):
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        if token.kind == "comma" and depth == 0:
            parts.append("")
            continue
        beside = i > 0 and token.kind == content[i - 1].kind == "number"
        parts[len(parts) - 1 :] = [parts[-1], _piece(p, token)] if beside else [parts[-1] + _piece(p, token)]
    if not all(parts):
        p.refuse("formula_unexpected")
    return tuple(":" if part in ("·", "*") else part for part in parts)


def _label_of(p: Parser, content: list[Token]) -> str:
    return ",".join(read_label(p, content)) if content else ""


def _piece(p: Parser, token: Token) -> str:
    if token.kind == "comma" or token.value == ":":
        return token.value
    if token.kind == "accent":
        return ACCENTS[token.value]
    if token.kind not in _LABELS:
        p.refuse("formula_unexpected", token)
    if token.kind in ("open", "close"):
        if token.value in "⌊⌈":
            return token.value if token.kind == "open" else "⌋" if token.value == "⌊" else "⌉"
        if token.value != "(":
            return ""
        return "(" if token.kind == "open" else ")"
    return token.value


# --- a program's index


def at_item(p: Parser) -> bool:
    return p.at("open", "[") and is_item(p, p.i)


def is_item(p: Parser, opening: int) -> bool:
    """Whether the bracket at this token may be a program's index: tight, of integers and letters."""
    if p.tokens[opening].gap:
        return False
    inside = p.tokens[opening + 1 : p.layout.partner[opening]]
    return bool(inside) and all(
        t.kind in ("word", "name", "sign", "comma", "dots") or t.value == ":" or t.value.isdigit() for t in inside
    )


def read_program_index(p: Parser) -> tuple[str, ...]:
    close = p.layout.partner[p.i]
    parts = read_label(p, p.tokens[p.i + 1 : close])
    p.i = close + 1
    return parts


def _is_transpose(token: Token) -> bool:
    return token.kind == "transpose" or (token.kind in ("word", "text") and token.value == "T")


def starts_factor(p: Parser) -> bool:
    if p.token.kind == "bar":
        closing = 0 if p.in_bars else closing_bar(p)
        return closing > 0 and (p.algebra or not (p.next.gap or p.tokens[closing].gap))  # cells have spaces: | 2 |
    return p.token.kind in STARTS and not (p.in_norm and p.token.kind == "norm")


def closing_bar(p: Parser) -> int:
    """The token of the bar that closes the one here, `|i - j|`; 0 where none does before the next relation."""
    at = p.i + 1
    while at < len(p.tokens) - 1 and p.tokens[at].kind not in ("close", "relation", "comma", "row", "cell", "break"):
        if p.tokens[at].kind == "bar":
            return at
        at = p.layout.partner.get(at, at) + 1
    return 0
