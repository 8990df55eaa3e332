"""Expressions that go on over several lines, and columns of rows between brackets that stand alone.

A line belongs to the one before where the layout says so: it begins with a sign of operation or a relation, the one
before ends with one, or a sign stands alone on the line between. Blank lines do not part what a sign joins; words do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.patterns import regex
from symattn.reading.articles.article import Located, has_digits, join
from symattn.reading.articles.scanning.matrices import bracket_depth, list_of, without_remark
from symattn.reading.articles.scanning.wording import DERIVATIVE

SHORTEST_FULL_LINE = 50  # characters of a line that was broken because it was full
MOST_LINES = 2_000  # of one expression, or of one column
_SIGNS = r"[+−×·∙⋅÷⊙@]|\\times|\\cdot"  # never a bullet
_BULLETS = r"[-*/]"  # a sign of operation too, where nothing speaks for a list
_RELATIONS = r"[=≈]|:=|\\approx"
_ALONE = regex(rf"\s*(?:{_SIGNS}|{_BULLETS}|{_RELATIONS})\s*")
_BEGINS = regex(rf"\s*(?:{_SIGNS})(?=[\s\d(\[.\\A-Za-z√])|\s*(?:{_RELATIONS})")
_BEGINS_LIKE_A_BULLET = regex(rf"\s*({_BULLETS})\s+(?=[\d(\[.√])")
_ENDS_RELATED, _BEGINS_RELATED = regex(rf"(?:{_RELATIONS})\s*$"), regex(rf"\s*(?:{_RELATIONS})")
_BEGINS_WITH_A_SIGN = regex(rf"\s*(?:{_SIGNS})(?=[\s\d(\[.√])")
_ENDS_WITH_A_SIGN = regex(rf"[\w)\]]\s*(?:{_SIGNS}|-)\s*$")
_ENDS = regex(rf"(?:{_SIGNS}|{_RELATIONS}|(?<=[\s\d)\]])[-/]|(?<=[\w\s])\()\s*")
_LISTED = regex(r"\s*[-*+•]\s")
_WORD = regex(r"[^\W\d_\u02b0-\u02b8\u1d2c-\u1d6a\u1d9c\u1da0]{3,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_FUNCTION = regex(r"softmax|exp|sqrt|log|max|min|sum|dot|mean|var|relu|gelu|tanh|sin|cos|sigmoid", re.IGNORECASE)
_LONG_NAME = regex(r"d?(?:[A-Z][a-z]?){1,3}")  # MhSa, and its gradient dMhSa
_ENTRY = r"[-−+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_ROW = regex(rf"\s*{_ENTRY}(?:(?:\s*,\s*|\s+){_ENTRY})*+\s*,?\s*")
_NUMBER = regex(_ENTRY)
_LABEL = regex(r"\(\w{3,}\)")  # Q^(encoder)
_NAMED = regex(  # Position 1: [sin(1), cos(1)], dim 0: 0.3 × 0.9 + 0.7 × 0.2
    rf"^\s*[^\W\d_]{{2,20}} \d{{1,3}}\s*[:：]\s+(?=[\[(]|{_ENTRY}\s?[×·∙⋅*]\s?[\d(])"
)
_LIST = regex(rf"\s*\[\s*{_ENTRY}(?:\s*,\s*{_ENTRY})*+\s*\]\s*")
_MASKED = rf"(?:{_ENTRY}|[-−](?:∞|inf\b))"
_MASKED_NUMBER = regex(_MASKED)
_LISTED_ROW = regex(rf"\s*\[\s*(?P<row>{_MASKED}(?:\s*,\s*{_MASKED})++)\s*\]\s*(?:\([^()\d=]{{1,40}}\)\s*)?")
_CAPTION = regex(r"\s*[^\W\d_][^\d=+×·∙≈≠→↓/*\[\]{}()|:]{2,60}")
_APPLIED = regex(rf"{_FUNCTION.pattern}|norm|drop|transpose|scal|of$", re.IGNORECASE)
_SIDE = regex(rf"\s*(?:{_RELATIONS})\s*\[\s*\[")
_FACTOR = regex(r"(?:[\])\w]\s*[×·@*]|\w\s*[=≈])\s*\[\s*\[[^\[\]]*\]\s*,\s*$")
_CLOSES = regex(r"\s*\]\s*[,.;]?\s*")
# −2 / √2 ≈ −1.41, a calculation with a negative number, below one that has come to its result, 1 · 2 − 4 = −2
_CALLS = r"\\?(?:ln|log|exp|sqrt|tanh)|e\^|√"
_NEGATIVE = regex(rf"\s*[-−](?:[\d.,]{{1,20}}\s*(?:[/·×*÷+]|{_CALLS})|{_CALLS}|\()[^=≈\n]{{1,200}}[=≈]")
_COMPLETE = regex(rf"(?:[=≈]|\S\s?[·×*@/+]\s?\S|{_CALLS})[^=≈\n]{{1,200}}[=≈]\s*[-−]?\d[\d.,]*\s*$")
_ARROW = regex(r"[ \t]+(?:←|<-)[ \t]*[^\n=≈]*$")
_OPEN = regex(rf"{_ARROW.pattern}|^\s*[^\W\d_]{{2,9}} \d{{1,2}}[:：]\s")
_TERM = regex(r"\s+[+−×·][ \t]*[\w(\[\\√Σ]")
_TERM_OF_NUMBERS = regex(r"\s*[+−-][ \t]*(?:\[[ \t]*)?[-−]?[\d.]")
_REMARK = regex(r"(?:[ \t]+(?:#|//|←|<-|‹-)|[ \t]{2,}\((?=[^\W\d_]{2}))[^\n\d=≈]*$")
_REMARKED = regex(r"[ \t](?:#|//|←|<-|‹-)|[ \t]{2,}\([^\W\d_]{2}")
_SAID_BEHIND = regex(r"\d\]?[ \t]+[^\W\d_]{3,}")  # 2 of the first
_EQUATES = regex(r"\w[)\]]?\s*=\s*[A-Za-z√Σ(\\]")


def join_expressions(lines: list[Located], *, code: bool = False) -> list[Located]:
    """The lines with those joined that are one expression; each stands where its first line stood.

    >>> lines = [Located.whole(x) for x in ("= (1 × 2)", "+ (3 × 4)", "", "= 14", "", "Then 2 = 2")]
    >>> [line.text for line in join_expressions(lines)]
    ['= (1 × 2)\\n+ (3 × 4)\\n\\n= 14', '', 'Then 2 = 2']
    """
    lines = _with_chained_matrices(_with_listed_rows(_with_columns(lines)))
    if code:
        lines = _with_remarked_sums(_without_remarks(_without_captions(lines)))
    found: list[Located] = []
    k = 0
    while k < len(lines):
        end = _end_of(lines, k, code) if lines[k].text.strip() else k + 1
        found.append(join(lines[k:end], "\n") if end > k + 1 else lines[k])
        k = end
    return found


def _with_chained_matrices(lines: list[Located]) -> list[Located]:
    """The lines with each list of lists that is a side of an equation over several lines as one line.

    = [[1/2, 0],
       [0, 1/2]]

    ≈ [[0.5, 0], ...

    So is one that is the last factor of a product, `Q = x W = [1, 0] × [[1, 0],`, which goes on below with `=`.
    """
    found: list[Located] = []
    k = chained = 0
    while k < len(lines):
        factor = _FACTOR.search(lines[k].text[-200:]) is not None
        end = _end_of_matrix(lines, k) if factor or _SIDE.match(lines[k].text) else k + 1
        after = next((line.text for line in lines[end:] if line.text.strip()), "")
        if end > k + 1 and (_SIDE.match(after) or chained or (factor and _BEGINS_RELATED.match(after))):
            found.append(join([without_remark(line) for line in lines[k:end]], "\n"))
            chained = _SIDE.match(after) is not None
        else:
            found += lines[k:end]
            chained = chained and not lines[k].text.strip()
        k = end
    return found


def _without_remarks(lines: list[Located]) -> list[Located]:
    """The lines without what is said behind the terms of a sum that stand one below another, all of them or none.

    = [2, 4]    (of the first head)
    + [0, 3]    # of the second one
    """
    found = list(lines)
    k = 0
    while k < len(lines):
        end = k + 1
        while end < len(lines) and _TERM_OF_NUMBERS.match(lines[end].text):
            end += 1
        bare = [_without_remark(line) for line in lines[k:end]]
        if end > k + 1 and not any(_REMARKED.search(line.text) or _SAID_BEHIND.search(line.text) for line in bare):
            found[k:end] = bare
        k = end
    return found


def _without_remark(line: Located) -> Located:
    match = _REMARK.search(line.text)
    return line.cut(0, match.start()) if match else line


def _with_remarked_sums(lines: list[Located]) -> list[Located]:
    """The lines with each equation as one whose terms stand one below another, beside remarks or the number of a step.

    l_new = l_old × exp(m_old - m_new)   ← what there was
          + sum(exp(S_new - m_new))      ← what comes
    """
    found: list[Located] = []
    for line in lines:
        bare = _without_arrow(line)
        before = found[-1] if found else None
        if before is not None and _OPEN.search(before.text) and _TERM.match(line.text):
            above = _without_arrow(before)
            if _EQUATES.search(above.text):
                joined = join([above, bare], "\n")
                found[-1] = join([joined, line.cut(len(bare.text), len(line.text))], "")
                continue
        found.append(line)
    return [_without_arrow(line) if "\n" in line.text and _ARROW.search(line.text) else line for line in found]


def _without_arrow(line: Located) -> Located:
    match = _ARROW.search(line.text)
    return line.cut(0, match.start()) if match else line


def _end_of_matrix(lines: list[Located], first: int) -> int:
    """Past the line in which a list of lists ends that a line leaves open; past this one if it leaves none open."""
    depth = bracket_depth(lines[first].text)
    last = first + 1
    while depth > 0 and last < min(len(lines), first + MOST_LINES):
        row = without_remark(lines[last]).text
        if not row.lstrip().startswith("[") or _WORD.search(_FUNCTION.sub("", row)):
            return first + 1
        depth += bracket_depth(row)
        last += 1
    return last if depth == 0 else first + 1


def _end_of(lines: list[Located], first: int, code: bool) -> int:
    """Past the last line of the expression that begins at a line."""
    last = first
    while last - first < MOST_LINES:
        after = last + 1
        while after < len(lines) and not lines[after].text.strip():
            after += 1
        if after == len(lines) or not _goes_on(
            lines[first].text, lines[last].text, lines[after].text, after - last, code
        ):
            break
        last = after
    return last + 1


def _goes_on(first: str, before: str, after: str, apart: int, code: bool) -> bool:
    """Whether a line goes on with the expression of the one before it, `apart` lines above."""
    if _BEGINS_RELATED.match(after) and len(before) < 5_000:
        before = _NAMED.sub("", before)
    if _NEGATIVE.match(after) and _COMPLETE.search(before[-500:]):
        return False
    if apart == 1 and len(before) < 100 and DERIVATIVE.fullmatch(before):
        return _is_mathematical(after)
    alone, stood_alone = _ALONE.fullmatch(after), _ALONE.fullmatch(before)
    like_a_bullet = _BEGINS_LIKE_A_BULLET.match(after)
    if not (alone or stood_alone or like_a_bullet or _BEGINS.match(after) or _ENDS.search(before[-12:])):
        return False
    in_a_sentence = (
        apart == 1
        and (_BEGINS.match(after) or _ends(before))
        and (_ends_with_an_equation(before) or _ends_with_an_equation(first))
    )
    if not in_a_sentence and apart == 1 and _breaks_off(before, after):
        in_a_sentence = True
    if not stood_alone and not in_a_sentence and not _is_mathematical(before):
        return False
    if in_a_sentence:
        return has_digits(after) and _is_mathematical(_up_to_prose(after))
    if _BEGINS_RELATED.match(after) and _ENDS_RELATED.search(before[-12:]):
        return False  # said twice: the second is a chain that goes on with the first
    if alone:
        return not stood_alone
    if stood_alone or _ends(before):
        return _is_mathematical(after)
    if like_a_bullet and like_a_bullet[1] != "/" and not code:
        in_a_list = _LISTED.match(first) is not None or apart > 1 or "=" in after or "≈" in after
        in_a_list = in_a_list or _BEGINS.match(before) is None
        return not in_a_list and _is_mathematical(after)
    if _BEGINS.match(after) is None and like_a_bullet is None:
        return False
    return _is_mathematical(_up_to_a_remark(after))


def _breaks_off(before: str, after: str) -> bool:
    """Whether a sentence of any length breaks off within a sum or a product: "its score is 1 · 2 +"."""
    words = list(_WORD.finditer(before)) if len(before) < 5_000 else []
    tail = before[words[-1].end() :] if words else ""
    sign = _BEGINS_WITH_A_SIGN.match(after) or _ENDS_WITH_A_SIGN.search(tail)
    return sign is not None and has_digits(tail) and _is_mathematical(tail)


def _ends_with_an_equation(text: str) -> bool:
    """Whether a line of prose, as long as lines are, breaks off within an equation: "For example, S = 1 · 2"."""
    text = _LABEL.sub("()", text)
    words = list(_WORD.finditer(text)) if len(text) > SHORTEST_FULL_LINE else []
    tail = text[words[-1].end() :] if words else ""
    return re.search(rf"[=≈].*[\w)\]]\s*(?:{_SIGNS})?\s*$", tail) is not None


def _up_to_prose(text: str) -> str:
    text = _LABEL.sub("()", text)
    word = _WORD.search(text)
    return text[: word.start()] if word else text


def _ends(text: str) -> bool:
    return any(m.end() == len(text) for m in _ENDS.finditer(text))


def _up_to_a_remark(text: str) -> str:
    """A line without what its comment says, or what is said in brackets at its end."""
    return re.sub(r"\s(?:#|//|←|<-|\().*$", "", text) if _WORD.search(text) else text


def _is_mathematical(text: str) -> bool:
    """Whether a line has no words of prose: names are short, called, indexed, or stand in brackets."""
    if not text.strip() or len(text) > 5_000:
        return False
    for match in _WORD.finditer(text):
        if (
            _FUNCTION.fullmatch(match[0])
            or _LONG_NAME.fullmatch(match[0])
            or text[match.end() : match.end() + 1] in ("(", "[", "_", "^", "ᵀ")
        ):
            continue
        before = text[: match.start()]
        if before.count("(") + before.count("{") > before.count(")") + before.count("}") or before.endswith(
            ("_", "\\")
        ):
            continue
        return False
    return any(c.isdigit() or c in "()[]{}" or c.isalpha() for c in text) or bool(_ALONE.fullmatch(text))


def _without_captions(lines: list[Located]) -> list[Located]:
    """Lines without what only names the list below it, between a list, a sign that stands alone, and that list.

    What may be a function of the list, "Softmax", is left where it is.
    """
    filled = [k for k, line in enumerate(lines) if line.text.strip()]
    found = list(lines)
    for before, sign, caption, after in zip(filled, filled[1:], filled[2:], filled[3:], strict=False):
        words = lines[caption].text
        if (
            _ALONE.fullmatch(lines[sign].text)
            and all(len(lines[k].text) < 5_000 and _LIST.fullmatch(lines[k].text) for k in (before, after))
            and _CAPTION.fullmatch(words)
            and not _APPLIED.search(words)
        ):
            found[caption] = lines[caption].cut(0, 0)
    return found


def _with_columns(lines: list[Located]) -> list[Located]:
    """Rows of numbers between a bracket that stands alone and the one that closes it, as one list (of lists).

    One number a line is a vector. Rows of several make a matrix if they are equally long and no comma says that a
    list goes on; anything else is left to be listed as not read.
    """
    found: list[Located] = []
    k = 0
    while k < len(lines):
        if lines[k].text.strip() == "[":
            rows, end = _rows_from(lines, k + 1)
            if rows and end:
                found.append(_as_list(rows))
                k = end
                continue
        found.append(lines[k])
        k += 1
    return found


def _with_listed_rows(lines: list[Located]) -> list[Located]:
    """Lists of equally many numbers on lines of their own, one below the other, as one matrix.

    Each may be followed by a remark of words in brackets: `[1, 0]   (first)`.
    """
    found: list[Located] = []
    k = 0
    while k < len(lines):
        rows = list(_listed_rows(lines, k))
        if len(rows) > 1:
            found.append(_as_list(rows))
            found += [lines[k + i].cut(0, 0) for i in range(1, len(rows))]
        else:
            found.append(lines[k])
        k += max(len(rows), 1)
    return found


def _listed_rows(lines: list[Located], first: int) -> Iterator[list[Located]]:
    """The numbers of the lines from one on that are nothing but a list, while the lists are equally long."""
    width = 0
    for line in lines[first : first + MOST_LINES]:
        match = _LISTED_ROW.fullmatch(line.text) if "[" in line.text and len(line.text) < 5_000 else None
        row = [line.cut(*m.span()) for m in _MASKED_NUMBER.finditer(line.text, *match.span("row"))] if match else []
        if len(row) < 2 or (width and len(row) != width):
            return
        width = len(row)
        yield row


def _rows_from(lines: list[Located], start: int) -> tuple[list[list[Located]], int]:
    """The numbers of the lines up to the closing bracket, and the line after it; or nothing."""
    rows: list[list[Located]] = []
    commas = False
    for k in range(start, min(start + MOST_LINES, len(lines))):
        text = lines[k].text
        if _CLOSES.fullmatch(text):
            ragged = len({len(row) for row in rows}) > 1 or (commas and any(len(row) > 1 for row in rows))
            return ([], 0) if ragged else (rows, k + 1)
        if not text.strip():
            continue
        if len(text) > 5_000 or not _ROW.fullmatch(text):
            break
        commas = commas or text.rstrip().endswith(",")
        rows.append([lines[k].cut(*m.span()) for m in _NUMBER.finditer(text)])
    return [], 0


def _as_list(rows: list[list[Located]]) -> Located:
    if all(len(row) == 1 for row in rows):
        return list_of([row[0] for row in rows])
    return list_of([list_of(row) for row in rows], ",\n")
