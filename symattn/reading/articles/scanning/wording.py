"""Which part of a line of text is mathematics and which is prose.

A line is cut into tokens; a word of prose, a quotation mark or a full stop of Chinese ends a stretch. What is left
counts when it has a relation sign outside all brackets with something mathematical beside it, or is a list of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from symattn.patterns import regex
from symattn.reading.articles.scanning.ratios import is_between_colons
from symattn.reading.formula.names import is_gradient, is_marked_letter
from symattn.reading.formula.spellings import SUBSCRIPTS, SUPERSCRIPTS
from symattn.reading.vocabulary import KINDS, NAMES, SHORT_PROSE
from symattn.values.spelling import WORDS_OF_WORTH

_SMALL = "".join((*SUPERSCRIPTS, *SUBSCRIPTS, "ᵀ"))
_SMALL_CHARACTERS = frozenset(_SMALL)
_BEHIND_LETTERS = _SMALL.translate(dict.fromkeys(map(ord, "¹²³")))  # x² is a letter and its power
# a note behind a number, 25ᵃ, where 2 and 10 may have an exponent; and an ordinal, 4ᵗʰ and 4ᵉ
_NOTE = rf"(?<=\d)(?:(?<!(?<![\d.,])2)(?<!(?<![\d.,])10)[ᵃᵇᶜᵈᶠ](?![{_SMALL}])|ᵉ(?![{_SMALL}])|ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ)"
_TOKEN = regex(
    r"(?P<tex>\\(?:text|mathrm|operatorname|mathbf|textbf|mathit|mathsf|boldsymbol|bm)\*?\s?\{[^{}\n]{0,80}\}"
    r"|\\(?:begin|end)\{[A-Za-z]+\*?\}|\\[A-Za-z]+|\\.)"
    r"|(?P<number>\d[\d_]*(?:[.,]\d+)*\.?(?:[eE][-+]?\d+)?|[½⅓⅔¼¾⅕⅙⅛⅜⅝])"
    r"|(?P<word>(?:∂ ?)?[A-Za-zℓ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u1e00-\u1eff_]"
    rf"[0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff_{_BEHIND_LETTERS}\u0300-\u036f]*"
    r"(?:(?<=_)[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,8}(?=[\s=≈+·×*,)\]^]|$))?)"
    r"|(?P<space>\s+)"
    r"|(?P<relation>=>|->|-->|[<>!=]=|:=|~=|[=≈≃≅≐→⇒←⟶])"
    r"|(?P<dots>\.\.\.+|[…⋯])"
    r"|(?P<span>(?<=_)\{(?:\d*:\d*,[\d:]+|\d+,\d*:\d*)\})"  # A_{:,1:7}
    r"|(?P<open>[(\[{⌈⌊])|(?P<close>[)\]}⌉⌋])"
    rf"|(?P<mark>\|\||‖|(?!{_NOTE})[-+*/·×⋅∙•÷^_|,.<>≤≥±−–∓~&%'′@∞√∑ΣΠ∏∈∉⊤ᵀ⊙⊗⊕∘°{_SMALL}])"
    rf"|(?P<prose>{_NOTE}|.)",
    re.DOTALL,
)
LONGEST_LINE = 200_000  # characters of one line, or of lines that belong together

_SIGNS_OF_EQUALITY = r"= ≈ ≃ ≅ ≐ ~= := \approx \simeq \cong \doteq"
_EQUALITIES = frozenset(_SIGNS_OF_EQUALITY.split())
_SIGNS_OF_ARROWS = r"→ -> --> => ⇒ ⟶ \to \rightarrow \Rightarrow \longrightarrow \mapsto \implies"
_ARROWS = frozenset(_SIGNS_OF_ARROWS.split())
_SIGNS = frozenset("+-−×·∙⋅÷⊙⊗⊕@*/")  # of operations, which join the lines beside them
_SCALES = frozenset("×·∙⋅÷*/")
_FACTORS = _SCALES | {"@", "⊙", "⊗"}
_LEFT_OVER = frozenset((".", ",", "|", "&", "%", ">", "<", "'", "/", "\\\\", "\\,"))
_RIGHT_OVER = frozenset(
    (".", ",", "|", "&", "-", "–", "+", "*", "/", "<", ">", "\\\\", "\\", "\\,", "_", "^", "~", "•")
)
_NORMS = frozenset(("||", "‖"))
_INDEXED = frozenset(("^", "_", "{", "[", "(", ",", "*", "\\cdot"))
_PROGRAM = regex(
    r"\b(?!T\b)\w+\.(?!T\b|transpose\b)[A-Za-z_]+\(|\.shape\b|\b(?:def|import|return|lambda|assert|for|while|print|self)\b"
    r"|\bclass(?=\s+[A-Za-z_]\w*\s*[(:]|\s*=)"  # and none of those that a network tells apart
)
# two numbers at least, or brackets within brackets: `[1]` alone is a reference to the literature
_LIST_OF_NUMBERS = regex(
    r"\[\s*+[-−+~]?(?:\d|\.\d|∞|inf|\\infty)[^\[\]\s,;]*+[\s,;]++[^\[\]\s]|\[\s?\[\s*+[-−+~]?\.?\d"
)


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int
    depth: int  # how many brackets are open around it
    argument: bool  # whether it stands in braces, or in the brackets of a function


DERIVATIVE = regex(r"\\[dt]?frac\s*\{(?:d|\\partial)\s*\}\s*\{(?:d|\\partial)[^{}]{0,9}(?:\{[^{}]{0,9}\})?\s*\}\s*$")


def tokens_of(text: str) -> list[Token]:
    """The tokens of a line, with the depth of brackets at each."""
    found: list[Token] = []
    around: list[bool] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "prose"
        opens = kind == "open" or match[0].startswith("\\begin") or match[0] == "\\{"
        closes = kind == "close" or match[0].startswith("\\end") or match[0] == "\\}"
        if closes and around:
            around.pop()
        found.append(Token(kind, match[0], match.start(), match.end(), len(around), bool(around) and around[-1]))
        if opens:
            called = len(found) > 1 and (found[-2].kind in ("word", "tex", "close") or found[-2].text in "^_")
            around.append(match[0] != "[" and (match[0] != "(" or called))
    return found


def find_mathematics(text: str, lists: bool = True) -> list[tuple[int, int]]:
    """The stretches of a line that are mathematics; bare lists of numbers only where `lists` says so.

    >>> line = "Row 1: softmax([0.5, 0]) = [0.62, 0.38] as before"
    >>> [line[a:b] for a, b in find_mathematics(line)]
    ['softmax([0.5, 0]) = [0.62, 0.38]']
    >>> find_mathematics("The weights of a row sum to one.")
    []
    >>> find_mathematics("[6, 4] → softmax ≈ [0.88, 0.12] (too skewed)")
    [(0, 31)]
    """
    if not any(c in text for c in "=≈→[>~\\") or len(text) > LONGEST_LINE:
        return []
    return [
        (stretch[0].start, stretch[-1].end)
        for together in _stretches(tokens_of(text))
        for whole in _remarks_apart(together)
        if (stretch := _without_cut_side(_without_label(_behind_update(_trim(whole)), text), text))
        and (stretch := _without_next_label(stretch, text))
        and _counts(stretch, text, lists)
        and not _goes_on(stretch[-1], whole[-1], text)
        and not is_between_colons(text, stretch[0].start, stretch[-1].end)
    ]


def _remarks_apart(stretch: list[Token]) -> Iterator[list[Token]]:
    """A stretch in parts where round brackets hold an equation of numbers alone: `57 norms (28 × 2 = 56)`."""
    begin, opening = 0, -1
    for k, token in enumerate(stretch):
        if token.text == "(" and not token.depth and (not k or stretch[k - 1].kind == "space"):
            opening = k
        elif token.text == ")" and not token.depth and opening >= 0:
            inside = stretch[opening + 1 : k]
            if any(map(_is_relation, inside)) and all(map(_is_of_numbers, inside)):
                yield from (part for part in (stretch[begin:opening], inside) if part)
                begin = k + 1
            opening = -1
    yield stretch[begin:]


def _is_of_numbers(token: Token) -> bool:
    said = token.kind in ("number", "space", "relation") or token.text in _SIGNS or token.text in _OF_NUMBERS
    return said and token.text not in _ARROWS


_OF_NUMBERS = frozenset("()√^{}⁰¹²³⁴⁵⁶⁷⁸⁹⁻½")


_COUNTED = regex(
    r"(?:row|column|token|head|step|output|position|layer|query|key|word|patch|neuron|unit|dim|fila|linha|dòng"
    r"|rank|rang|rango|posto) $",
    re.IGNORECASE,
)


def _without_label(stretch: list[Token], text: str) -> list[Token]:
    """Without a number that only says which one is meant: one that a word ends in, 行0 = …, or that of `row 1 = …`;
    and without the words in front of an equation in brackets."""
    before = text[max(stretch[0].start - 20, 0) : stretch[0].start] if stretch else ""
    if len(stretch) > 1 and stretch[0].kind == "number" and (before[-1:].isalpha() or _COUNTED.search(before)):
        k = 1 + (stretch[1].kind == "space")
        if k < len(stretch) and _is_relation(stretch[k]):
            return stretch[k:]
    opening = next((k for k, t in enumerate(stretch) if t.kind not in ("word", "space")), 0)
    if opening > 1 and stretch[opening].text == "(" and stretch[opening - 1].kind == "space":
        inside = [t for t in stretch[opening + 1 : opening + 5] if t.kind != "space"]
        if len(inside) > 1 and inside[0].kind == "word" and inside[1].text in _EQUALITIES:
            return _trim(stretch[opening + 1 :])  # Attention scores (a = q kᵀ)
    return stretch


def _without_next_label(stretch: list[Token], text: str) -> list[Token]:
    """Without the name that stands before a colon, which is that of what follows: `W_Q: 4 · 4 = 16, W_K: 4 · 2 = 8`."""
    if not _COLON.match(text, stretch[-1].end):
        return stretch
    k = len(stretch) - 1
    while k > 0 and stretch[k].kind in ("word", "space") and stretch[k].depth == stretch[0].depth:
        k -= 1
    return _trim(stretch[:k]) if 0 < k < len(stretch) - 1 and stretch[k].text in ",;，；" else stretch


_COLON = regex(r"\s?[:：](?=\s)")


def _behind_update(stretch: list[Token]) -> list[Token]:
    """What a name is set to anew: of `w ← 0.5 − 0.1 · 2 = 0.3` the calculation, since the w in it was another."""
    floor = min((t.depth for t in stretch), default=0)
    signs = [k for k, t in enumerate(stretch) if _is_relation(t) or t.text in _UPDATES]
    updated = len(signs) > 1 and stretch[signs[0]].text in _UPDATES and stretch[signs[0]].depth == floor
    return _trim(stretch[signs[0] + 1 :]) if updated else stretch


_UPDATES = frozenset(("←", "⟵", r"\leftarrow", r"\gets"))


def _without_cut_side(stretch: list[Token], text: str) -> list[Token]:
    """Without a first side of which only the end was understood: what follows is still equal to one another.

    Of `E("a") + P(1) = [1, 0] + [0, 1] = [1, 1]` this leaves `[1, 0] + [0, 1] = [1, 1]`.
    """
    if not stretch or not _is_cut(stretch[0], text):
        return stretch
    floor = min(t.depth for t in stretch)
    signs = [k for k, t in enumerate(stretch) if t.text in _EQUALITIES and t.depth == floor]
    return _trim(stretch[signs[0] + 1 :]) if len(signs) > 1 else []


def _is_cut(first: Token, text: str) -> bool:
    """Whether a stretch begins within a word, `K` of "Top-K", `z` of "∂z", or is what is added to something unread.

    What it says is not said of this name.
    """
    long_before = text[max(first.start - 80, 0) : first.start]
    before = long_before[-2:]
    if first.text in _BEHIND_A_FACTOR and _A_FACTOR.search(long_before):
        return True  # `× hidden = 2 · 3 = 6` and `² = 2² = 4` behind a word that was not read
    if _ADDED.search(text, max(first.start - 4, 0), first.start) and text[: first.start].rstrip("+ ").strip():
        return True
    if _SUBTRACTED.search(text[max(first.start - 80, 0) : first.end + 1] if first.text == "−" else long_before):
        return True
    if _DIVIDED.search(long_before):
        return True  # `hidden / ` before `2 × 1 = 6`
    if first.kind == "word" and _MULTIPLIED.search(long_before):
        return True  # `O = weighting ` before `V = [1, 0]`
    if not before or before[-1].isspace():
        return False
    if first.text in _SCALES and before[-1].isalpha():
        return True  # `cat·sat = …` of two words
    if first.text in ("-", "–") or before[-1] in "-–/'’":
        return before[-1].isalpha() or before[:1].isalpha()
    return first.kind == "word" and (before[-1] in "∂∇_" or (before[-1].isalpha() and before[-1] < "\u2e80"))


_BEHIND_A_FACTOR = frozenset("×÷*/²³^")
_A_FACTOR = regex(r"[^\W\d]{3}\w*[)\]]? ?$")
_ADDED = regex(r"\+ ?(?:[Aa] )?$")  # `B (4×16) + A ` before `(16×4) = 128`
_SUBTRACTED = regex(r"[^\W\d] − $|[=≈] ?[^\s=≈]+ [-–] $")  # before `y = 2`: `word − `, `e = word - `
_DIVIDED = regex(r"\w[)\]]? ?[/÷] ?$")
_MULTIPLIED = regex(r"[\w)\]'′ᵀ] = [^\W\d]+ $")
_OPERATION = regex(r"\s*[/*×⋅÷+]\s*[(\[]*\s*$")
_A_WORD = regex(r"\s*[^\W\d_]")


def _goes_on(last: Token, end: Token, text: str) -> bool:
    """Whether a stretch goes on with what is not understood: `y = (x - mean) / (std + self.eps)`."""
    return bool(_OPERATION.fullmatch(text, last.end, end.end) and _A_WORD.match(text, end.end))


def _stretches(tokens: list[Token]) -> Iterator[list[Token]]:
    """Maximal runs of tokens without prose, cut also at `;`, wide gaps and line ends outside brackets."""
    held: list[Token] = []
    for k, token in enumerate(tokens):
        if _ends_stretch(tokens, k):
            if held:
                yield held
            held = []
            continue
        if held and _begins_another(tokens, k):
            yield held
            held = []
        held.append(token)
    if held:
        yield held


def _ends_stretch(tokens: list[Token], k: int) -> bool:
    token = tokens[k]
    if token.kind == "prose" and token.argument and "\u3040" <= token.text <= "\u9fff":
        return False  # E(猫)
    if token.kind in ("prose", "word") and _scales_number(tokens, k):
        return False
    if _ends_a_number(tokens, k) or (token.kind == "word" and _ends_a_number(tokens, k - 1)):
        return True
    if token.kind == "prose":
        return not (token.text == ";" and (token.argument or _parts_a_list(tokens, k)))
    if token.kind == "space" and token.depth == 0:
        wide = len(token.text) > 2 and k > 0 and k + 1 < len(tokens)
        beside = {tokens[k - 1].kind, tokens[k + 1].kind} if wide else set()
        if "\n" in token.text:
            around = (tokens[k - 1] if k else token, tokens[k + 1] if k + 1 < len(tokens) else token)
            of_next = "}" in around[0].text and DERIVATIVE.search("".join(t.text for t in tokens[max(k - 24, 0) : k]))
            return not (of_next or any(_is_relation(t) or t.text in _SIGNS for t in around))
        return wide and not beside & {"relation", "mark", "tex"}
    return token.kind == "word" and not _is_name(tokens, k)


def _ends_a_number(tokens: list[Token], k: int) -> bool:
    """Whether a mark parts a number from the ending that Turkish gives it, `τ = 1'de`: it is no prime."""
    return k > 0 and tokens[k].text == "'" and tokens[k - 1].kind == "number"


def _parts_a_list(tokens: list[Token], k: int) -> bool:
    """Whether a semicolon in brackets stands between numbers, or names: (0,41; 0,3), [1, 2; 3, 4], [P; R]."""
    before, after = _beside(tokens, k, -1), _beside(tokens, k, 1)
    if before is None or after is None or not tokens[k].depth:
        return False
    if before.kind == after.kind == "word":
        return not {before.text, after.text} & SHORT_PROSE and max(len(before.text), len(after.text)) <= 4
    return before.kind in ("number", "close") and (after.kind in ("number", "open") or after.text in "-−")


def _begins_another(tokens: list[Token], k: int) -> bool:
    """A long name that is being defined, after something that has ended: `Q K / sqrt(d_k) Weights = …`."""
    token = tokens[k]
    if token.kind != "word" or token.depth or k < 2 or tokens[k - 1].kind != "space":
        return False
    if tokens[k - 2].kind == "number" and tokens[k - 2].text.endswith("."):
        return True  # `s = 0. softmax([1, 0]) = …`
    if len(token.text) < 5:
        return False
    if _counts_bytes(tokens, k) or _scales_number(tokens, k):
        return False
    beyond = next((t for t in tokens[k + 1 : k + 3] if t.kind != "space"), None)
    return tokens[k - 2].kind in ("close", "number") and beyond is not None and _is_relation(beyond)


def _is_name(tokens: list[Token], k: int) -> bool:
    """Whether a word is a name: by its look, by what follows it, or because it is being defined."""
    word = tokens[k].text
    if len(word) > 1 and not _SMALL_CHARACTERS.isdisjoint(word) and not word.startswith("log"):
        return True  # Kᶠᵀ, aᵢⱼ, e⁻ˣ
    if len(word) > 2 and not word.strip("_"):
        return False  # a blank to be filled in
    if any("\u00c0" <= c <= "\u024f" or "\u1e00" <= c <= "\u1eff" for c in word):
        return is_marked_letter(word) or is_marked_letter(word.removeprefix("d")) or _stands_alone(tokens, k)
    if word in _ANDS and _joins_equations(tokens, k):
        return False
    if (
        tokens[k].argument
        or word[0] == "∂"
        or is_gradient(word)
        or _is_below_loss(tokens, k)
        or _counts_bytes(tokens, k)
    ):
        return True
    if word.lower() in KINDS and (_names_a_letter(tokens, k) or _stands_before_list(tokens, k)):
        return False
    if (behind := _beside(tokens, k, 1)) is not None and behind.text.startswith("∂") and word.lower() in KINDS:
        return False  # Total ∂L/∂w
    scale = word == "scale" and any(t and t.text in _FACTORS for t in (_beside(tokens, k, s) for s in (-1, 1)))
    if scale or word.lower() in NAMES or (len(word) > 1 and any(c.isdigit() or c == "_" for c in word)):
        return True
    after = tokens[k + 1] if k + 1 < len(tokens) else None
    beyond = tokens[k + 2] if after and after.kind == "space" and k + 2 < len(tokens) else after
    if after and after.text in ("_", "^", "(", "'", "′", "[", "ᵀ"):
        return not (after.text == "(" and len(word) > 24)
    if beyond and _is_relation(beyond):
        return True
    if len(word) == 1 and word.isupper() and k > 1 and _is_relation(tokens[k - 1 - (tokens[k - 1].kind == "space")]):
        return True  # = A V
    if word == "A" and beyond and beyond is not after and _is_capital(beyond):
        return True  # A V ≈
    at_end = after is None or after.text in ".,;"
    if word == "A" and at_end and k > 1 and tokens[k - 1].kind == "space" and _is_capital(tokens[k - 2]):
        return True  # = V A
    if len(word) == 1 and beyond and (beyond.text in _FACTORS or (_is_related(tokens, k) and _is_in_formula(beyond))):
        return True  # a · W₂, = a W₂, = a + g
    if word in SHORT_PROSE or (word.lower() in SHORT_PROSE and not word[1:].isupper()):
        before = tokens[k - 1] if k else None
        if before and after and before.text == after.text == "|":
            return True  # |A|
        return bool(before and before.text in _INDEXED) or bool(after and after.kind == "close")
    return len(word) <= 2 or (len(word) <= 4 and not word[1:].islower()) or word in ("dot", "inf")


def _joins_equations(tokens: list[Token], k: int) -> bool:
    """Whether a letter is the "and" of another language: q = [2, 1] y k = [1, 0], q = [2, 1] e la chiave k = [1, 0].

    A list or a number stands before it, a name that is being defined or a word behind it, and it is no name elsewhere.
    """
    if not all(_stands_between(tokens, j) for j, t in enumerate(tokens) if t.text == tokens[k].text):
        return False
    behind = _beside(tokens, k + 2, 1)
    defined = behind is not None and behind.text in _EQUALITIES
    return defined or not _is_name(tokens, k + 2)


def _stands_between(tokens: list[Token], k: int) -> bool:
    """Whether a word has a list or a number before it and a word behind it, each set off by a space."""
    kinds = [t.kind for t in tokens[max(k - 2, 0) : k + 3]]
    return not tokens[k].depth and len(kinds) == 5 and kinds[0] in ("number", "close") and kinds[1:] == _BETWEEN_SPACES


_BETWEEN_SPACES = ["space", "word", "space", "word"]
_ANDS = frozenset("eyi")


def _counts_bytes(tokens: list[Token], k: int) -> bool:
    """Whether a word is the unit of the number before it, in an equation that goes on: = 2,048 bytes = 2 KiB."""
    if tokens[k].text not in ("bytes", "Bytes", "byte") or k < 2:
        return False
    after = _beside(tokens, k, 1)
    return (
        tokens[k - 1].kind == "space" and tokens[k - 2].kind == "number" and after is not None and _is_relation(after)
    )


def _scales_number(tokens: list[Token], k: int) -> bool:
    """Whether a word says how much the number before it counts, 2.4 million, 1.2亿, beside a sign."""
    word, at = tokens[k].text, k - 1
    if word not in WORDS_OF_WORTH or at < 0:
        return False
    at -= tokens[at].kind == "space"
    beside = (_beside(tokens, at, -1), _beside(tokens, k, 1)) if at >= 0 else ()
    signs = [t for t in beside if t is not None and (_is_relation(t) or t.text in _SIGNS)]
    return at >= 0 and tokens[at].kind == "number" and bool(signs)


def _is_below_loss(tokens: list[Token], k: int) -> bool:
    """Whether a word is the lower half of a gradient with a slash, dL/da."""
    return k > 1 and tokens[k - 1].text == "/" and re.fullmatch("d[LCEJ]", tokens[k - 2].text) is not None


def _names_a_letter(tokens: list[Token], k: int) -> bool:
    """Whether a word only says what the letter behind it is, `Query Q = [1, 0]`."""
    letter = tokens[k + 2] if k + 2 < len(tokens) and tokens[k + 1].kind == "space" else None
    if letter is None or letter.kind != "word" or len(letter.text) > 3 or letter.text in SHORT_PROSE:
        return False
    behind = _beside(tokens, k + 2, 1)
    return behind is not None and _is_relation(behind)


def _stands_before_list(tokens: list[Token], k: int) -> bool:
    """Whether a word says what the list behind it is, "for scores [1, 2, 3]", and nothing relates it to one before."""
    behind = tokens[k + 2] if k + 2 < len(tokens) and tokens[k + 1].kind == "space" else None
    if behind is None or behind.text != "[" or tokens[k].depth:
        return False
    before = _beside(tokens, k, -1)
    return before is None or before.kind in ("word", "prose")


def _is_related(tokens: list[Token], k: int) -> bool:
    """Whether a sign of equality stands right before a token."""
    before = _beside(tokens, k, -1)
    return before is not None and _is_relation(before)


def _is_in_formula(token: Token) -> bool:
    """Whether a token is a capital or a sign, as in a formula and not in prose."""
    return _is_capital(token) or token.text in _SIGNS


def _is_capital(token: Token) -> bool:
    """Whether a token is one capital letter, perhaps with an index or the d of a gradient: V, V₁, Vᵀ, dS, or a mark."""
    if token.text == "'":
        return True
    text = token.text.removeprefix("d")
    rest = text[1:]
    capital = text[:1].isupper() and not (rest.isascii() and rest.isalpha())
    return token.kind == "word" and (capital or text == "head")


def _is_one_letter(side: Sequence[Token]) -> bool:
    """Whether a side is one capital letter, which is given another's value: K = X."""
    said = [t for t in side if t.kind != "space"]
    return len(said) == 1 and _is_capital(said[0])


def _stands_alone(tokens: list[Token], k: int) -> bool:
    """Whether a word with accents is set equal, multiplied or divided, and has no word before it."""
    before, after = _beside(tokens, k, -1), _beside(tokens, k, 1)
    if before is not None and before.kind in ("word", "prose"):
        return False
    operators = [t for t in (before, after) if t is not None and t.kind == "mark" and t.text in _SCALES]
    return bool(operators) or (after is not None and _is_relation(after))


def _beside(tokens: list[Token], k: int, step: int) -> Token | None:
    """The next token to one side, spaces left out."""
    k += step
    while 0 <= k < len(tokens) and tokens[k].kind == "space":
        k += step
    return tokens[k] if 0 <= k < len(tokens) else None


def _is_relation(token: Token) -> bool:
    return token.text in _EQUALITIES or token.text in _ARROWS


def _trim(stretch: list[Token]) -> list[Token]:
    """Without bullets, full stops and brackets that nothing matches at its ends."""
    first, last = 0, len(stretch)
    balance = sum((t.kind == "open") - (t.kind == "close") for t in stretch)
    while first < last and _hangs_left(stretch, first, last, balance):
        balance -= (stretch[first].kind == "open") - (stretch[first].kind == "close")
        first += 1
    while first < last and (extra := _hangs_right(stretch[last - 1], balance) or _remark(stretch, first, last)):
        for token in stretch[max(last - extra, first) : last]:
            balance -= (token.kind == "open") - (token.kind == "close")
        last -= extra
    return stretch[first : max(last, first)]


def _remark(stretch: list[Token], first: int, last: int) -> int:
    """How many tokens at the end are a remark: `(batch, length)` after a list, `- Weights` after a result."""
    k = last - 1
    if k - first > 3 and stretch[k].kind == "word" and len(stretch[k].text) > 4 and stretch[k].text.isalpha():
        dash = stretch[k - 2].text in ("-", "–") and stretch[k - 1].kind == stretch[k - 3].kind == "space"
        if dash and stretch[k].depth == 0:
            return 4
    closed = stretch[k].text == ")"
    while k > first and not (stretch[k].text == "(" and stretch[k].depth == stretch[first].depth):
        k -= 1
        if last - k > 40:
            return 0
    if k < first + 2 or stretch[k].text != "(" or stretch[k - 1].kind != "space":
        return 0
    inside, before = stretch[k + 1 : last - closed], stretch[k - 2]
    if all(t.kind in ("word", "space") for t in stretch[first:k]):
        return 0  # Attention scores (a = q kᵀ), which only its name stands before
    words_only = all(t.kind in ("word", "space", "close") or t.text == "," for t in inside)
    if words_only and (before.text == "]" or (closed and _is_result(stretch, k - 2) and all(map(_is_spoken, inside)))):
        return last - k
    ended = before.kind in ("number", "close") or (before.kind == "word" and not closed)
    cut = not any(
        t.kind == "close" and t.depth == stretch[k].depth for t in inside
    )  # only words close it: (K + V tensors)
    said = any(map(_is_relation, inside)) if closed else cut
    return last - k if ended and said else 0


def _is_result(stretch: list[Token], k: int) -> bool:
    """Whether a token is a number with decimals right behind a sign of equality."""
    before = _beside(stretch, k, -1)
    return stretch[k].kind == "number" and "." in stretch[k].text and before is not None and before.text in _EQUALITIES


def _is_spoken(token: Token) -> bool:
    """Whether a token is no product of letters: a word that can be said, `We`, or what stands between two."""
    return token.kind != "word" or (len(token.text) > 1 and re.search("[aeiouy]", token.text.lower()) is not None)


def _hangs_left(stretch: list[Token], k: int, last: int, balance: int) -> bool:
    token = stretch[k]
    after = stretch[k + 1] if k + 1 < last else None
    if token.text == "|" and after is not None and after.kind != "space":
        return sum(t.text == "|" for t in stretch[k:last]) % 2 == 1  # |−3| + |4| = 7
    if token.kind in ("space", "close", "dots") or token.text in _LEFT_OVER:
        return True
    if token.text in _NORMS:
        return sum(t.text in _NORMS for t in stretch[k:last]) % 2 == 1
    if token.text in ("*", "-", "+", "•", "·", "–"):
        return after is None or after.kind == "space"
    if token.kind == "number" and token.text.endswith(".") and after and after.kind == "space" and k == 0:
        beyond = stretch[k + 2] if k + 2 < last else token
        return any(_is_relation(t) for t in stretch[k:last]) and not _is_relation(beyond)
    return token.kind == "open" and balance > 0 and not _is_closed(stretch, k, last)


_MOST_IN_BRACKETS = 100  # tokens


def _is_closed(stretch: list[Token], k: int, last: int) -> bool:
    """Whether a bracket has its other one, so that it is another one that is left open: `[6, 4] ≈ 2 (as`."""
    depth = 0
    for token in stretch[k : min(last, k + _MOST_IN_BRACKETS)]:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0:
            return True
    return False


def _hangs_right(token: Token, balance: int) -> int:
    if token.kind in ("space", "open", "dots", "relation") or _is_relation(token) or token.text in _RIGHT_OVER:
        return 1
    return int(token.kind == "close" and balance < 0)


_INFINITE = frozenset(("∞", "inf"))


def _counts(stretch: list[Token], text: str, lists: bool) -> bool:
    said = text[stretch[0].start : stretch[-1].end]
    if _PROGRAM.search(said):
        return False
    floor = min(t.depth for t in stretch)
    at = [k for k, t in enumerate(stretch) if _is_relation(t) and t.depth == floor]
    if at and at[-1] < len(stretch) - 1:
        digits = any(t.kind == "number" or t.text in _INFINITE for t in stretch[at[0] :])
        if any(stretch[k].text in _EQUALITIES for k in at):
            signs = " . " in said or any(
                t.kind in ("tex", "open")
                or t.text in "^_/*·×@√"
                or t.text[0] in "Σ∑"
                or t.text[1:] == "_t"  # z = z + k_t
                for t in stretch
            )
            behind = [t for t in stretch[at[0] + 1 :] if t.kind != "space"]
            product = all(map(_is_capital, behind)) and (len(behind) > 1 or _is_one_letter(stretch[: at[0]]))
            return digits or signs or product or len(at) > 1  # O = A V, K = X; Q = K = V = X
        if digits and any(t.kind == "number" for t in stretch[: at[-1]]):
            return True
    return lists and bool(_LIST_OF_NUMBERS.search(said) or re.search(r"\\end\{[a-zA-Z]*matrix\}", said))
