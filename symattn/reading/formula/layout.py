"""What only arranges a formula is taken away before it is parsed: fonts, colours, boxes, alignment.

This is also where brackets are paired, so that the parser can ask in advance what a bracket holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symattn.errors import FormulaError
from symattn.reading.formula.lexer import GAPS, Token
from symattn.reading.formula.spellings import ALIGNMENTS, CASES, MATRICES
from symattn.writing.prose import Sentence

# what may stand alone in braces, `{=}`, and be no group
_OPERATORS = frozenset(["relation", "times", "sign", "slash", "comma", "semicolon", "implies"])
_OPENING = {"open": "close", "begin": "end"}
MOST_TOKENS = 2_000  # of a matrix that is looked at from its end
_HALF = _OPERATORS | {"up", "down", "arrow"}  # what no equation begins or ends with


@dataclass(frozen=True)
class Layout:
    """Tokens with every opening bracket's partner and the kinds of token directly inside it."""

    tokens: list[Token]
    partner: dict[int, int] = field(default_factory=dict)
    inside: dict[int, set[str]] = field(default_factory=dict)


def arrange(tokens: list[Token]) -> Layout:
    """Raises FormulaError for brackets or environments that do not pair."""
    dropped: set[int] = set()
    wide: set[int] = set()
    raw = _pair(tokens)
    if any(token.kind == "over" for token in tokens):
        tokens = _with_fractions(raw)
        raw = _pair(tokens)
    for i, token in enumerate(tokens):
        if token.kind in ("font", "dropped"):
            dropped.add(i)
            if token.kind == "dropped":
                _drop_group(i, raw, dropped)
        elif token.kind == "box":
            dropped.add(i)
            if i + 1 in raw.partner and not raw.inside[i + 1].isdisjoint(("relation", "implies")):
                # a boxed chain is a chain of its own
                dropped |= {i + 1, raw.partner[i + 1]}
                wide |= {i, raw.partner[i + 1]}
        elif token.kind in _OPENING and token.value == "{" and i not in dropped:
            close = raw.partner[i]
            raised = i > 0 and tokens[i - 1].kind in ("up", "down")  # of `W^{+}`
            if close == i + 1 or (close == i + 2 and tokens[i + 1].kind in _OPERATORS and not raised):
                dropped |= {i, close}
        elif token.kind == "begin" and (token.value in ALIGNMENTS or _aligns(tokens, i, raw)):
            dropped |= {i, raw.partner[i]}
            wide |= {raw.partner[i]}
            if token.value in ("alignat", "alignedat", "array"):
                _drop_group(i, raw, dropped)
    if not dropped and all(token.kind not in ("cell", "row") for token in tokens):
        return raw
    return _pair(_without(tokens, dropped, wide))


def _with_fractions(layout: Layout) -> list[Token]:
    r"""The tokens with each `{a \over b}` as `\frac{a}{b}`."""
    made: dict[int, list[Token]] = {}
    opened: list[int] = []
    for i, token in enumerate(layout.tokens):
        if token.kind == "over" and opened and layout.tokens[opened[-1]].value == "{":
            brace = layout.tokens[opened[-1]]
            made[opened[-1]] = [Token("fraction", "/", brace.start, brace.start, brace.gap), brace]
            made[i] = [Token("close", "{", token.start, token.start), Token("open", "{", token.end, token.end)]
        elif opened and layout.partner[opened[-1]] == i:
            opened.pop()
        if i in layout.partner:
            opened.append(i)
    return [each for i, token in enumerate(layout.tokens) for each in made.get(i, (token,))]


def _aligns(tokens: list[Token], begin: int, raw: Layout) -> bool:
    """Whether it is an array of equations, with their signs in a column of their own: `{rcl}`."""
    if tokens[begin].value != "array" or "relation" not in raw.inside[begin] or tokens[begin + 1].value != "{":
        return False
    columns = "".join(token.value for token in tokens[begin + 2 : raw.partner[begin + 1]])
    return columns in ("rcl", "lcl", "rll", "lll", "rl", "ll")


def break_lines(tokens: list[Token]) -> list[Token]:
    """With a `\\\\` put between lines each of which is an equation by itself, where the author wrote none."""
    if any(token.kind == "row" for token in tokens):
        return tokens
    broken: list[Token] = []
    depth, equation = 0, False  # whether the lines before are one
    for i, token in enumerate(tokens):
        depth -= token.kind in _OPENING.values() and bool(token.value)
        begins = token.gap == "line" and depth == 0 and equation and tokens[i - 1].kind not in _HALF
        if begins and _is_equation(tokens, i) and not _multiplies(broken, tokens, i):
            broken.append(Token("row", "", token.start, token.start))
        equation |= depth == 0 and token.kind == "relation"
        depth += token.kind in _OPENING
        broken.append(token)
    return broken


def _multiplies(before: list[Token], tokens: list[Token], i: int) -> bool:
    """Whether the matrix that begins a line is a factor beside the one that ends the line before: `= A`, then `B = C`.

    That one is a whole side, and the first matrix of its equation; where there are others it may be their product, and
    the next line an equation of its own.
    """
    if not _begins_matrix(tokens, i):
        return False
    at = len(before) - 1
    while at > 0 and before[at].kind in ("break", "row"):
        at -= 1
    at = _begin_of_matrix(before, at) - 1
    if at < 0 or before[at].kind != "relation":
        return False
    while at >= 0 and (before[at].kind not in ("break", "row") or before[at + 1].kind == "relation"):
        if _is_matrix(before[at], "begin"):
            return False
        at -= 1
    return True


def _begins_matrix(tokens: list[Token], i: int) -> bool:
    """Whether a matrix begins with a token, or with the bracket that this is."""
    i += tokens[i].kind == "open"
    return i < len(tokens) and _is_matrix(tokens[i], "begin")


def _begin_of_matrix(tokens: list[Token], end: int) -> int:
    """Where the matrix begins that ends with a token, or with the bracket that this is; -1 where none does."""
    depth = 0
    if end > 0 and _is_matrix(tokens[end - (tokens[end].kind == "close")], "end"):
        for j in range(end, max(-1, end - MOST_TOKENS), -1):
            depth += (tokens[j].kind in _OPENING.values()) - (tokens[j].kind in _OPENING)
            if not depth:
                return j
    return -1


def _is_matrix(token: Token, part: str) -> bool:
    """Whether a token begins or ends a matrix; one of nothing but numbers is a single token."""
    return token.kind == "grid" or (token.kind == part and token.value in MATRICES)


def _is_equation(tokens: list[Token], start: int) -> bool:
    """Whether the line that begins with a token has a left side, a relation and a right side of its own."""
    depth = 0
    for i in range(start, len(tokens)):
        token = tokens[i]
        if depth == 0 and ((i == start and token.kind in _HALF) or (i > start and token.gap == "line")):
            return False
        depth -= token.kind in _OPENING.values() and bool(token.value)
        if depth < 0:
            return False
        if depth == 0 and token.kind == "relation":
            return token.value == "=" and i + 1 < len(tokens) and tokens[i + 1].kind not in (*_HALF, "end")
        depth += token.kind in _OPENING
    return False


def _drop_group(i: int, layout: Layout, dropped: set[int]) -> None:
    """Drop the braced group behind token i."""
    opening = layout.tokens[i + 1]
    if i + 1 not in layout.partner or opening.value != "{":
        raise FormulaError(Sentence("formula_unexpected", text=opening.value), opening.start, opening.end)
    dropped.update(range(i + 1, layout.partner[i + 1] + 1))


def _without(tokens: list[Token], dropped: set[int], wide: set[int]) -> list[Token]:
    """The tokens left, with `&` and `\\\\` outside of matrices gone or turned into breaks between chains."""
    kept: list[Token] = []
    gap, matrices = "", 0
    for i, token in enumerate(tokens):
        gap = max(gap, token.gap, "wide" if i in wide else "", key=GAPS.index)
        if i not in dropped and token.kind in ("begin", "end") and (token.value in MATRICES or token.value in CASES):
            matrices += 1 if token.kind == "begin" else -1
        if i in dropped or (token.kind == "cell" and not matrices):
            continue
        if token.kind == "row" and not matrices:
            token = token._replace(kind="break")
        goes_on = _is_left_open(kept) or _continues(tokens, i) or _multiplies(kept, tokens, i)
        if kept and kept[-1].kind == "break" and goes_on:
            while kept and kept[-1].kind == "break":
                kept.pop()
        kept.append(token if gap == token.gap else token._replace(gap=gap))
        gap = ""
    return kept


def _is_left_open(kept: list[Token]) -> bool:
    """Whether the row that a break ends has an operator at its end: `x = 1 + \\\\ 2`."""
    return len(kept) > 1 and kept[-2].kind in ("times", "slash", "sign")


def _continues(tokens: list[Token], i: int) -> bool:
    """Whether the row that begins with token i goes on with the expression before: an operator.

    With a minus only if there is no relation in it, or it may be a row of its own.
    """
    if tokens[i].kind != "sign" or tokens[i].value == "+":
        return tokens[i].kind in ("times", "slash", "sign")
    end = next(j for j in range(i, len(tokens)) if tokens[j].kind in ("row", "end"))
    return all(token.kind != "relation" for token in tokens[i:end])


def _pair(tokens: list[Token]) -> Layout:
    layout = Layout(tokens)
    stack: list[int] = []
    for i, token in enumerate(tokens):
        if token.kind in ("close", "end") and (token.kind == "close" or token.value):
            if not stack or not _pairs(tokens[stack[-1]], token):
                raise _find_unpaired(tokens, stack, token)
            layout.partner[stack.pop()] = i
        if stack:
            layout.inside[stack[-1]].add(token.kind)
        if token.kind in _OPENING:
            stack.append(i)
            layout.inside[i] = set()
    if stack:
        raise _find_unpaired(tokens, stack, tokens[-1])
    return layout


def _pairs(opening: Token, closing: Token) -> bool:
    return _OPENING[opening.kind] == closing.kind and opening.value == closing.value


def _find_unpaired(tokens: list[Token], stack: list[int], closing: Token) -> FormulaError:
    if stack:
        token = tokens[stack[-1]]
        return FormulaError(Sentence("formula_unclosed", text=token.value), token.start, token.end)
    return FormulaError(Sentence("formula_unopened", text=closing.value), closing.start, closing.end)
