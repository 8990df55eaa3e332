"""Text to tokens, in one pass and in linear time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading.formula.spellings import (
    ACCENTS,
    BOXES,
    DROPPED,
    FONTS,
    FUNCTIONS,
    LABELLED,
    MEANINGS,
    PREFIXES,
    SPACES,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    TEXTS,
    UPRIGHT,
    WIDE_SPACES,
)
from symattn.writing.prose import Sentence

LONGEST_TEXT = 200_000


class Token(NamedTuple):
    """A piece of the text. `gap` is what stood before it: "" nothing, " " a space, "line" a new line,
    "worn" a lone backslash, "wide" a \\quad (or two spaces of plain text); of several the last of these."""

    kind: str
    value: str
    start: int
    end: int
    gap: str = ""
    pointed: bool = False  # of a matrix read as one token: whether it has a decimal point


GAPS = ("", " ", "line", "worn", "wide")

_SYMBOLS = sorted((s for s in MEANINGS if not s[0].isalpha() and not re.match(r"\\[A-Za-z]", s)), key=len, reverse=True)

# signs of one character that begin nothing longer
_PLAIN = {s for s in _SYMBOLS if len(s) == 1 and s not in '.#<~"“' and not any(x[1:] and x[0] == s for x in _SYMBOLS)}

_ACCENTED = "À-ÖØ-öø-ɏḀ-ỿ"  # in words of Portuguese, Turkish, Vietnamese

_LEXEME = regex(
    rf"""
    (?P<gap> [ \t\r\n\u00a0\u2000-\u200b\u202f\u3000\ufeff]+ )
  | (?P<comment> \#[^\n]* )
  | (?P<float> float\(\s*['"]\s*[+-]?(?:inf|infinity|Infinity|nan|NaN)\s*['"]\s*\) )
  | (?P<dots> \.\.\.|…|⋯ )
  | (?P<number> [0-9]{{1,3}}(?:\{{,\}}[0-9]{{3}})+(?![0-9])(?:\.[0-9]+)?
              | [1-9][0-9]{{0,2}}(?:\\,[0-9]{{3}})+(?![0-9])
              | [1-9][0-9]{{0,2}}(?:\.[0-9]{{3}}){{2,}}(?![0-9]|\.[0-9])
              | [0-9]+\{{,\}}[0-9]+
              | (?:[0-9]+(?:\.(?:[0-9]+|(?=[eE][+-]?[0-9])|(?![.A-Za-z_])))?|(?<!\.)\.[0-9]+)(?:[eE][+-]?[0-9]+)? )
  | (?P<attribute> \.(?:(?:mT|T|t|transpose|softmax)\b|sum(?=\()) )
  | (?P<prefix> (?:{"|".join(PREFIXES)})\.(?=[A-Za-z])(?!T\b|mT\b|t\b|transpose|softmax\(dim) )
  | (?P<word> [A-Za-z]{{3,}}(?:\\_[A-Za-z]{{2,}})+ | [A-Za-z]*[{_ACCENTED}][A-Za-z{_ACCENTED}]+
            | [A-Za-z]+[{_ACCENTED}] | d?[A-Za-z][\u0300-\u036f]+ | [A-Za-z]+(?:[0-9]+[A-Za-z]*)*
            | [^\W\d_A-Za-zͰ-Ͽ{"".join([*SUPERSCRIPTS, *SUBSCRIPTS])}]+ )
  | (?P<greek> [Ͱ-Ͽ] )
  | (?P<command> \\[A-Za-z]+\*? )
  | (?P<row> \\\\(?:\*|[ ]?\[-?[0-9.]+[ ]?(?:pt|em|ex|mm|cm|in|mu)\])? | \\cr\b | <br[ ]?/?> )
  | (?P<supers> [{re.escape("".join(SUPERSCRIPTS))}]+(?:[·˙.][⁰¹²³⁴-⁹]+(?![⁰-⁹¹²³]))? )
  | (?P<subs> [{re.escape("".join(SUBSCRIPTS))}]+ )
  | (?P<quoted> "[^"\n]*" | “[^”\n]*” )
  | (?P<spacing> \\[,;:!>/] | \\(?=[ \t\n]) )
  | (?P<symbol> {"|".join(map(re.escape, _SYMBOLS))} )
    """,
    re.X,
)

# a matrix of plain numbers, which most printed matrices are, is one token: nothing in it needs the parser
_PLAIN_CELL = r"[ \t\r\n]*-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?[ \t\r\n]*"
_GRID = regex(
    rf"\\begin\{{([bp]matrix)\}}({_PLAIN_CELL}(?:(?:&|\\\\(?!\\)){_PLAIN_CELL})*+(?:\\\\[ \t\r\n]*)?)\\end\{{\1\}}"
)

_ENVIRONMENT = regex(r"\s*\{([A-Za-z]+)\*?\}")
_GROUP = regex(r"\s*\{([^{}$\\]*(?:\\[ _%&][^{}$\\]*)*)\}")
_BOLD_WORD = regex(r"\s*\{([A-Za-z]?[a-z]{2,})\}")
_WORDS = regex(r"[^\W\d_][\w \-.:'&%/]*")
_WORDS_ONLY = regex(r"(?:\\(?:text|mathrm|operatorname|mathbf|textbf)\b|[\w\s{}()\-])*")
_BELOW = regex(r"\s*\[[^\]\n]*\]")
_INNER = regex(r"\\.|[{}$]", re.S)
_SQUARE_ROOT = regex(r"\\sqrt\s*\[\s*2?\s*\](?=\s*\{)")  # \sqrt[]{c}, which is no other root
_ROOT = regex(r"sqrt[0-9]+")
_APPLIED = regex(  # to a number without brackets: log₂0.9, ln 2, sin 1
    r"(?:(?P<logarithm>log|ln)(?P<base>₂|₁₀|_\{?(?:2|10)\}?(?=[ ])|)|(?P<name>sin|cos|tan|tanh|exp)(?=[ ]))"
    r"(?=[0-9]*\.[0-9]|[ ][0-9]|(?<=[₂₀])[ ]?[(0-9]|(?<=[02}])[ ]\\[dt]?frac\b"
    r"|(?:(?<=g|n|2)|(?<=10)|(?<=[}₂₀]))[ ][a-z]_[{a-z0-9])"
)
_BEGIN_APPLIED = frozenset("lscte")
_GLUED = regex(r"[a-z](?:log|ln|exp)")  # p_ilog p_i: TeX sets one letter below
_SUMMED = regex(  # sum_j x_j, sum_{i<t} u_i (…): Σ in words; not the name of `s_j / sum_j` and `sum_i = …`
    r"sum(?=_(?:\{[^{}\n]{1,30}\}|[a-z](?!\w))(?:\^(?:\{[^{}\n]{1,20}\}|\w(?!\w)))?\s*[A-Za-zͰ-Ͽ(√‖|])"
)
_OWN_WORDS = ("rowsum", "rowmax", "new", "old", "prev")  # what a macro of a page may write that has such a name
_BASES = ("log2", "log10")
_DIGITS = str.maketrans("₂₁₀", "210", "_{}")
_DOT = regex(r"\s*\.")


class Commas(Enum):
    """What is known of the commas between the digits of an article."""

    UNKNOWN = "nothing: each formula decides"
    DECIMAL = "they are decimal"
    POINTED = "they are decimal, and points part thousands"
    DOUBTFUL = "they may be decimal: what has two readings is refused"
    GROUPING = "they are not decimal, since its decimals have points"


_BELOW_ONE = regex(r"(?<![\d.,}])0\{,\}\d")


def read_tokens(text: str, commas: Commas = Commas.UNKNOWN) -> tuple[list[Token], bool]:
    """The tokens of `text`, and whether it is LaTeX (has a command) rather than plain text.

    Where commas are decimal one in braces is, `1{,}580`, and not one of thousands; so it is beside 0{,}5.

    Raises FormulaError for a character or a command that is not known, or a text of over 200,000 characters.
    """
    if len(text) > LONGEST_TEXT:
        raise FormulaError(Sentence("formula_too_long", limit=LONGEST_TEXT), 0, len(text))
    latex = re.search(r"\\[A-Za-z]", text) is not None
    decimal = commas in (Commas.DECIMAL, Commas.POINTED) or _BELOW_ONE.search(text) is not None
    tokens: list[Token] = []
    gap = ""
    for token in _scan(text if latex else _with_crosses(text), latex):
        if decimal and token.kind == "number" and token.value.count("{,}") == 1:
            token = token._replace(value=token.value.replace("{,}", ","))
        if token.kind == "gap":
            gap = max(gap, token.gap, key=GAPS.index) if gap else token.gap
        else:
            tokens.append(Token(*token[:4], gap, token.pointed) if gap else token)
            gap = ""
    tokens.append(Token("end", "", len(text), len(text), gap))
    if any(token.kind in _SMALL for token in tokens):
        tokens = list(_with_scripts(tokens))
    return _with_norms(tokens), latex


_SMALL = frozenset(("supers", "subs"))
_EXPONENT = regex(r"[-+]?[xyz]|-[a-z]")  # eᵗ may be one of several e
_OF_NUMBER = regex(r"[-+]?[a-df-z](?:[-+][a-df-z0-9])*")  # 2ᵉ is the second


def _with_scripts(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens with small letters at Σ and functions, Σⱼ₌₁ⁿ, and an exponent, e⁻ˣ and 2ᵏ, written as in braces."""
    at_sum = raised = False
    for k, token in enumerate(tokens):
        before = tokens[k - 1] if k and not token.gap else None
        small = token.kind in _SMALL
        at_sum = small and before is not None and (_is_indexed(before, token) or at_sum)
        exponent = before is not None and token.kind == "supers" and _is_exponent(before, token.value)
        if raised and not (small and not token.gap):
            yield Token("close", "{", token.start, token.start)
        raised = exponent or (raised and small and not token.gap)
        if at_sum:
            yield from _in_line(token, closed=True)
        elif exponent:
            yield from _in_line(token, closed=False)
        else:
            yield token


def _is_exponent(base: Token, raised: str) -> bool:
    if base.kind == "number":
        return _OF_NUMBER.fullmatch(raised) is not None
    return base[:2] == ("word", "e") and _EXPONENT.fullmatch(raised) is not None


def _is_indexed(before: Token, token: Token) -> bool:
    """Whether small letters say over what a sum runs, or of which entries the function before them is: maxⱼ zⱼ."""
    function = before.kind == "function" or (before.kind == "word" and before.value.lower() in FUNCTIONS)
    return before.kind == "bigsum" or (function and token.kind == "subs" and token.value.isalpha())


def _in_line(token: Token, *, closed: bool) -> Iterator[Token]:
    """What is written in small characters as a script in braces, in which more may follow."""
    kind, mark = ("down", "_") if token.kind == "subs" else ("up", "^")
    yield Token(kind, mark, token.start, token.start)
    yield Token("open", "{", token.start, token.start)
    for inner in _scan(token.value, latex=False):
        yield inner._replace(start=token.start + inner.start, end=token.start + inner.end)
    if closed:
        yield Token("close", "{", token.end, token.end)


def _with_norms(tokens: list[Token]) -> list[Token]:
    """The tokens with two bars side by side as one mark: ||x|| for ‖x‖."""
    if not any(token.kind == "bar" for token in tokens):
        return tokens
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else None
        if before is not None and before.kind == token.kind == "bar" and not token.gap:
            found[-1] = before._replace(kind="norm", value="‖", end=token.end)
        else:
            found.append(token)
    return found


_TERM = r"\(?[-−]?\d+(?:\.\d+)?x[-−]?\d+(?:\.\d+)?\)?"
_LONGHAND = regex(rf"(?<![\w.]){_TERM}(?:\s*[-+−]\s*{_TERM})+(?![\w.])")  # 1x3 + 2x4, but no shape 2x3
_CROSS = regex(r"(?<=[\d\])A-Z])( +)x(?= +(?:[-−]?[\d(\[√]|e\^|exp\b|sqrt\b|[A-Z]|[a-z]\w*_))")
_VARIABLE = regex(r"(?<![A-Za-z])x(?![A-Za-z])")


def _with_crosses(text: str) -> str:
    """The text with × for an x that multiplies: 64 x 64, 0.25 x [1, 0], Q x Kᵀ, and 1x3 + 2x4.

    Between numbers it is nothing else; elsewhere only where x is not a letter of the formula, too.
    """
    if "x" not in text:
        return text
    text = _LONGHAND.sub(lambda m: m[0].replace("x", "×"), text)
    crossed = _CROSS.sub(r"\1×", text)
    return _BETWEEN_NUMBERS.sub(r"\1×", text) if _VARIABLE.search(crossed) else crossed


_BETWEEN_NUMBERS = regex(r"(?<=\d)( )x(?= \d)")


def _scan(text: str, latex: bool) -> Iterator[Token]:
    at = 0
    space = Token("gap", "", 0, 0, _width("gap", " ", latex))  # nobody asks where a gap stands
    while at < len(text):
        if text[at] in _PLAIN:  # most of a matrix: no need to try every lexeme
            yield Token(*MEANINGS[text[at]], at, at + 1)
            at += 1
            continue
        if text[at] == " " and text[at + 1 : at + 2] > " ":
            yield space
            at += 1
            continue
        if text.startswith(r"\sqrt", at) and (square := _SQUARE_ROOT.match(text, at)):
            yield Token("root", "√", at, square.end())
            at = square.end()
            continue
        if text.startswith(r"\begin", at) and (grid := _GRID.match(text, at)):
            yield Token("grid", grid[1], at, grid.end(), pointed="." in grid[2])
            at = grid.end()
            continue
        found = _LEXEME.match(text, at)
        if found is None:
            raise FormulaError(Sentence("formula_unknown", text=text[at]), at, at + 1)
        kind, spelling, end = str(found.lastgroup), found.group(), found.end()
        if kind == "word" and _ROOT.fullmatch(spelling):
            yield Token("root", "√", at, at + 4)  # sqrt2
            at += 4
            continue
        if kind == "word" and latex and _GLUED.fullmatch(spelling) and text[at - 1] == "_":
            yield Token("word", spelling[0], at, at + 1)
            at += 1
            continue
        if spelling == "sum" and not latex and _SUMMED.match(text, at):
            yield Token("bigsum", "Σ", at, end)
            at = end
            continue
        if kind == "word" and spelling[0] in _BEGIN_APPLIED and spelling not in _BASES:
            applied = _APPLIED.match(text, at)
            if applied is not None:
                yield Token(
                    "function", applied["name"] or "log" + applied["base"].translate(_DIGITS), at, applied.end()
                )
                at = applied.end()
                continue
        if kind == "word" and spelling[0] in VULGAR:
            yield from _vulgar(text, at)
            at += 1
            continue
        token = _read(kind, spelling, at, end, latex)
        if token is None:
            token = _command(text, spelling, at, end)
        elif kind == "number" and spelling.endswith(".") and not text[end:].strip():
            token = Token("number", spelling[:-1], at, end - 1)  # the full stop of the sentence
        yield token
        if spelling in LABELLED and (step := _step_of(text[end : token.end])):
            yield Token("word", step, end, token.end)
            yield Token("relation", "→", token.end, token.end)
        at = token.end


def _vulgar(text: str, at: int) -> Iterator[Token]:
    """½ as (1/2); behind a number it may be added or a factor."""
    before = text[:at].rstrip()[-1:]
    if before.isdigit():
        raise FormulaError(Sentence("formula_ambiguous", text=before + text[at]), at, at + 1)
    above, below = VULGAR[text[at]]
    yield Token("open", "(", at, at)
    yield Token("number", above, at, at + 1)
    yield Token("slash", "/", at, at + 1)
    yield Token("number", below, at, at + 1)
    yield Token("close", "(", at + 1, at + 1)


VULGAR = {c: unicodedata.normalize("NFKC", c).split("⁄") for c in "½⅓⅔¼¾⅕⅙⅛⅜⅝"}  # ½: 1 and 2


def _read(kind: str, spelling: str, start: int, end: int, latex: bool) -> Token | None:
    """The token of a lexeme that explains itself; None for a command."""
    if kind in ("gap", "comment", "spacing", "prefix"):
        return Token("gap", "", start, end, _width(kind, spelling, latex))
    if kind == "symbol" and spelling == "~" and latex:
        return Token("gap", "", start, end, " ")
    if kind in ("symbol", "greek", "dots") or (spelling in MEANINGS and kind != "command"):
        meaning = MEANINGS.get(spelling)
        if meaning is None:
            raise FormulaError(Sentence("formula_unknown", text=spelling), start, end)
        return Token(*meaning, start, end)
    if kind == "word":
        return _word(spelling, start, end)
    if kind == "float":
        inner = spelling[5:].strip("()'\" \t\n").lower()
        return Token("nan" if inner == "nan" else "infinity", "-" if inner.startswith("-") else "∞", start, end)
    if kind in ("supers", "subs"):
        plain = SUPERSCRIPTS if kind == "supers" else SUBSCRIPTS
        return Token(kind, "".join(plain.get(c, ".") for c in spelling), start, end)  # e¹·⁴¹ has a point
    if kind == "quoted":
        return Token("quoted", spelling[1:-1].strip(), start, end)
    return None if kind == "command" else Token(kind, spelling, start, end)


def _word(spelling: str, start: int, end: int) -> Token:
    if spelling.lower() in ("inf", "infinity"):
        return Token("infinity", "∞", start, end)
    if spelling in ("nan", "NaN", "NAN"):
        return Token("nan", spelling, start, end)
    return Token("word", spelling.replace("\\", ""), start, end)


# \hspace{1em}, as wide as a \quad or wider
_WIDE_LENGTH = regex(
    r"\\hspace\*?\{\s*(?:[1-9]\d*(?:\.\d+)?\s*(?:em|cm|pc|in)|\d{2,}(?:\.\d+)?\s*(?:pt|mm|ex|mu|px))\s*\}"
)


def _width(kind: str, spelling: str, latex: bool) -> str:
    if kind == "prefix":
        return ""
    if kind == "comment":
        return "line"
    if kind == "spacing":
        return "worn" if spelling == "\\" else " "
    if "\n" in spelling:
        return "line"
    return "wide" if not latex and (len(spelling) > 1 or spelling in "\t\u3000") else " "


def _command(text: str, command: str, start: int, end: int) -> Token:
    """The token of a LaTeX command; commands with words in their braces swallow these."""
    if command.endswith("*") and command not in FONTS | DROPPED:
        command, end = command[:-1], end - 1
    if command in TEXTS:
        inner, end = _in_braces(text, end)
        return _text(inner, start, end)
    if command in UPRIGHT and (group := _GROUP.match(text, end)):
        inner = group[1].replace("\\ ", " ").replace("\\", "").strip()
        if _WORDS.fullmatch(inner):
            return Token("text", inner, start, group.end())
    if command in FONTS and (group := _BOLD_WORD.match(text, end)):
        return Token("text", group[1], start, group.end())
    if command in (r"\begin", r"\end"):
        environment = _ENVIRONMENT.match(text, end)
        if environment is None:
            raise FormulaError(Sentence("formula_unknown", text=command), start, end)
        return Token(command[1:], environment[1], start, environment.end())
    if command in SPACES:
        dot = _DOT.match(text, end) if command in (r"\left", r"\right") else None
        return Token("gap", "", start, dot.end() if dot else end, " ")
    if command in WIDE_SPACES:
        return Token("gap", "", start, end, "wide")
    if (space := _WIDE_LENGTH.match(text, start)) is not None:
        return Token("gap", "", start, space.end(), "wide")
    if command in MEANINGS:
        end = end_of_label(text, end) if command in LABELLED else end
        return Token(*MEANINGS[command], start, end)
    for kind, known in (("font", FONTS), ("box", BOXES), ("dropped", DROPPED), ("accent", ACCENTS)):
        if command in known:
            return Token(kind, command, start, end)
    if command[1:].lower() in FUNCTIONS or command[1:].lower() in _OWN_WORDS:
        return Token("text", command[1:], start, end)  # a page's own macro that is called as what it writes
    raise FormulaError(Sentence("formula_unknown", text=command), start, end)


def end_of_label(text: str, at: int) -> int:
    """Where what is written below and above an arrow ends, `[below]{above}`: it says how, and is no factor."""
    below = _BELOW.match(text, at)
    at = below.end() if below else at
    return _in_braces(text, at)[1] if text[at:].lstrip()[:1] == "{" else at


def _step_of(label: str) -> str:
    """The function that the words at an arrow name, if they name one and nothing else is done: `{\\text{softmax}}`."""
    words = re.findall(r"(?<!\\)[A-Za-z]+", label)
    steps = {FUNCTIONS[word.lower()] for word in words if word.lower() in FUNCTIONS}
    return steps.pop() if len(steps) == 1 and _WORDS_ONLY.fullmatch(label) else ""


def _in_braces(text: str, at: int) -> tuple[str, int]:
    """The words in the braces that follow, and where they end."""
    opening = re.compile(r"\s*\{").match(text, at)
    if opening is None:
        raise FormulaError(Sentence("formula_unexpected", text=text[at : at + 1]), at, at + 1)
    depth = 1
    for found in _INNER.finditer(text, opening.end()):
        if found.group() == "$":
            raise FormulaError(Sentence("formula_unexpected", text="$"), found.start(), found.end())
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return text[opening.end() : found.start()], found.end()
    raise FormulaError(Sentence("formula_unclosed", text="{"), opening.end() - 1, opening.end())


_WHERE = regex(r"where\s+(?=[A-Za-z]+$)")


def _text(inner: str, start: int, end: int) -> Token:
    words = re.sub(r"\\([ _%&#])", r"\1", inner).replace("~", " ").strip()
    words = _WHERE.sub("", words)  # `\\text{where head}_i = …`
    if not words:
        return Token("gap", "", start, end, " ")
    if words in ("T", "⊤"):
        return Token("transpose", "T", start, end)
    if words in ("-inf", "-∞", "−∞", "inf", "∞"):
        return Token("infinity", "-" if words[0] in "-−" else "∞", start, end)
    return Token("text", words, start, end)
