"""Numbers that nobody read: they stand where something is calculated, and no formula that was read holds them.

Silence is a fault. Whatever a reader saw as text, code, print or table is gone through once more, and every number that
is in no formula (read, or listed with its own reason) is listed with its place, lines that follow each other as one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from symattn.patterns import regex
from symattn.reading.articles.article import Article, NotChecked, Passage, has_digits
from symattn.reading.vocabulary import SUM
from symattn.writing.prose import Sentence

_NUMBER = regex(
    r"(?<![A-Za-z_\d.])(?<![A-Za-z]-)(?<!\}\^)(?<!\}\^\{)(?:\d[\d_]*+(?:[.,]\d++)*+|\.\d++)(?:[eE][-+]?\d++)?"
    r"(?:(?=x\b|[KMGTB]\b)|(?![A-Za-z_\d]|\.\d|-[A-Za-z]{3}))"  # 3.9x is a number too, and so is 2.1M
)
_DECIMAL = regex(r"(?<![\w.])\d+[.,]\d+(?:(?=x\b)|(?![\w.]))")
_RESULT_WORDS = (  # those that say what something comes to, in words alone
    r"\b(?:a total of|(?:sum|product|result|total|count|quotient|difference) (?:is|of)|adds? up to|comes? to"
    r"|works? out (?:to|at)|(?:factor|facteur|faktor|factor de)(?: of)?"
    r"|(?:grow|increas|ris|shrink|drop|fall|decreas|reduc)\w{0,3} (?:by|to|from)"
    r"|answer|antwort|respuesta|réponse|risposta|ответ)\b(?: (?:is|ist|es|est|about|only))?:?"
    r"|就是|总共|一共|总计|合计|等于|答案?[是:：]|合計|答えは?|모두|총|정답"
)
_GROUPS = r"\d{1,3}(?:[., ]\d{3})+(?![\d.,]\d)"  # 4,194,304
_COUNTED = (  # "are 18.432 parameters fewer", "is `1,536` lighter"
    rf"\b(?:is|are|makes?|ist|sind|sont|fait|son|sono|são|fica|ficam) `?{_GROUPS}`?"
    r" (?:par[aâáà]m|weights?|gewichte|poids|pesos|pesi|more|fewer|less|lighter|mais|menos|más|più|mehr|weniger)"
)
_ABOUT = "(?:大约|约|約|약)为?"
_SIGN = regex(
    r"[=＝≈≃→⇒⟶√]|->|\\approx|\\to\b|\\(?:right|Right)arrow|\\begin\{[a-z]*(?:matrix|array)|%5C"
    r"|\d\s?%|\d (?:percent|Prozent|por ciento|pour cent|per cento|процент)"
    r"|[:：]\s*[-−+]?\d+[.,]\d+\s*(?:$|[(（])|\d[.,]\d+\s*[/×÷]\s*\d|~\s?\d"
    r"|(?:weight|probabilit|loss|权重|權重|概率|损失|損失|重み|가중치|확률)[^.,;\d]{0,12}\d+[.,]\d"
    r"|(?:高|低|快|慢|多|少|大|小|差|相差)[了出]?约?\s?\d+(?:\.\d+)?\s?倍"
    r"|(?<![\d.])\d++(?:\.\d++)?+ times (?:more|fewer|higher|lower|larger|smaller)\b"
    r"|\d\s?[KMGT]i?B(?:に|と)なる|\b(?:would (?:be|take|need)|becomes) \d+(?:\.\d+)?\s?[KMGT]i?B"
    r"|\d(?:万|億|亿| million| billion)[^。.,\d]{0,12}(?:操作|演算|运算|次の|multiplications|operations)"
    r"|\d\s?[KMGT]i?B\b|\d\s?[倍배](?!增)"
    r"|[^\W\d]\w*\([^()=\n]{1,40}\)\s*[:：]\s*[-−+]?\d+\s*$"  # score(cat, dog): 4
    r"|\d\s?(?:[×*·]|\\times|\\cdot)\s?\d[\d,]*\s?(?:[×*·]|\\times|\\cdot)\s?\d"  # a product, no size of a matrix
    rf"|(?:{_RESULT_WORDS})[ *`$]{{0,4}}[-−]?\d|\b(?:{SUM})[ *`]{{0,3}}[:：][ *`$]{{0,4}}\d[\d,.]*+(?!\s*[-−+×*/])"
    rf"|(?:\b(?:about|approximately|roughly|approx\.|circa|cerca de|environ|etwa|ungefähr)|{_ABOUT}) ?`?\d+[.,]\d"
    rf"|÷\s?\d|\d\s?÷|{_ABOUT} ?\d+(?:\.\d+)?\s?[MB]\b"
    rf"|{_COUNTED}|^[\s*_#>-]*\w[^:：|=\d]{{0,40}}[*_]*[:：][*_`\s]*{_GROUPS}[`\s*]*$",  # Weights per layer: 1,024
    re.IGNORECASE,
)
_BRACKETED = regex(r"[\[(]\s*+[-−+]?(?:\d|\.\d)[\d.eE]*+(?:\s*[,;&]\s*+|\s++)[-−+]?(?:\d|\.\d)")
_ROW = regex(r"(?:[-−+\s|,;&\[\]()\\*]*+\d++(?:[.,]\d++)?+){2,}[\s|,;&\[\]()\\*.]*+")
_LABELLED_ROW = regex(r"\s*\S{1,20}(?:[\s|│]++[-−+]?\d+[.,]\d+){2,}(?![^\s|│])")
_WHOLE_ROW = regex(
    r"[^|]*(?:\|[\s*$`]*+(?:[-−+]?\d++(?:[ \u00a0\u202f]\d{3}\b)*+|[-−]\\?(?:inf(?:ty)?|∞))[\s*$`]*+){2,}\|?\s*"
)
_LONGEST_ITEM = 3  # digits of the number before an item of a list
_FEWEST_WHOLE_ROWS = 2  # of a table without decimals: one is a row of counts
_COMMENT = regex(r"(?:#|//)(?P<said>.*)")
_LONE = regex(r"\s*[-−]?\d+\.\d+\s*")  # what the code before it comes to
_REMARK = regex(r"(?<!\S)#[^\n]*")
_MARKER = regex(r"\s*(?:#{1,6}\s+[\d.]*|\d{1,3}[.)]\s|[-*+>]\s)*")
_STEP = regex(r"\s*\d{1,3}[.)]\s+(?=[^\W\d])")
_BEGINS_A_PARAGRAPH = regex(  # with a number that is a sentence: "16. Such scores saturate"
    r"(?:\A|(?:\A|\n)[ \t>]*(?::::[^\n]*)?\n)[ \t>]*(?P<number>\d[\d,]*)[.。][ \t]"
)
_ITEM = regex(r"^[ \t>#*+-]*(\d{1,3})[.)]", re.MULTILINE)
_COUNTS = regex(
    r"(?:^|[\s*_(])(?:row|token|head|step|layer|position|query|example|wiersz|zeile|ligne|fila)[ #]$|^\s*pos ?= ?$",
    re.IGNORECASE,
)
_CLAUSE = regex(r"[;。；]|[.!?](?=\s+[A-ZÀ-Þ\u0400-\u042f])")
_NO_CODE = regex(r"""\s*(?:(?:"[^"]*"|'[^']*')\s*:\s*\w+\s*=\s*[\d.]|[\d.√]+[²√\s][^#=]*=\s*[\d.])""")  # in a program
_TAG = regex(r"</?[A-Za-z][^<>\n]{0,2000}>")
_TAG_LINES = 4  # </tr><tr><td>, a line each, and one that is empty
_REASONS = {"table": "table_unread", "output": "output_unread"}


def list_unread(article: Article) -> Iterator[NotChecked]:
    """The numbers of calculations that are in no passage, nor in anything that a reader has refused."""
    spans = (span for p in article.passages for a, b in _read_in(p.text) if a < b for span in _stretches(p, a, b))
    covered = _Covered([*spans, *article.refused])
    alone = frozenset(_alone(article.words))
    for block in article.seen:
        yield from _of_block(block, covered, alone)


def _alone(source: str) -> Iterator[int]:
    """Where paragraphs begin with a number that is a sentence of its own: no item of a list has the number beside it.

    >>> list(_alone("16. They are large.")), list(_alone("1. They are large.")), list(_alone("15. Go\\n\\n16. Stay"))
    ([0], [], [])
    """
    items = {0, *(int(found[1]) for found in _ITEM.finditer(source))}
    for found in _BEGINS_A_PARAGRAPH.finditer(source):
        number = found["number"]
        if not number.isdigit() or len(number) > _LONGEST_ITEM or not {int(number) - 1, int(number) + 1} & items:
            yield found.start("number")


def _stretches(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a part of a passage stands: from its start to its end, and the rows of a matrix that is drawn around."""
    yield passage.source_span(start, end)
    if len(passage.runs) > 1:
        yield from ((source, source + length) for at, source, length in passage.runs if start <= at < end and length)


def _read_in(text: str) -> Iterator[tuple[int, int]]:
    """What the parser reads of a passage: all but comments that hold an equation or a row."""
    start = 0
    for comment in _REMARK.finditer(text) if "#" in text else ():
        if _SIGN.search(comment[0]) or _BRACKETED.search(comment[0]):
            yield start, comment.start()
            start = comment.end()
    yield start, len(text)


class _Covered:
    """Stretches of a source."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(spans):
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

    def holds(self, start: int, end: int) -> bool:
        """Whether all from one offset to another is in one stretch."""
        k = bisect_right(self.starts, start) - 1
        return k >= 0 and end <= self.ends[k]


@dataclass
class _Lines:
    """Lines one after the other, as they are listed."""

    line: int
    column: int
    texts: list[str]

    def takes(self, line: int, text: str, kind: str) -> bool:
        """Adds what stands on the line below or, of a table, beside the last cell or below tags of its own lines."""
        below = line - self.line - len(self.texts)
        if kind == "table" and below == -1:
            self.texts[-1] += f" | {text}"
        elif 0 <= below <= (_TAG_LINES if kind == "table" else 0):
            self.texts += [*[""] * below, text]
        else:
            return False
        return True


def _of_block(block: Passage, covered: _Covered, alone: frozenset[int]) -> Iterator[NotChecked]:
    reason = Sentence(_REASONS.get(block.kind, "line_unread"))
    whole = block.kind in ("code", "output", "table") and _calculates(block.text, block.kind)
    held: _Lines | None = None
    at = 0
    for text in block.text.split("\n"):
        read = not has_digits(text) or covered.holds(*block.source_span(at, at + len(text)))
        found = [] if read else list(_numbers(text, block.kind, whole=whole))
        if block.kind == "line" and not read:
            begin = len(text) - len(text.lstrip(" \t>"))
            found += [begin] * (begin not in found and block.source_span(at + begin, at + begin)[0] in alone)
        offsets = [k for k in sorted(found) if not covered.holds(*block.source_span(at + k, at + k + 1))]
        if offsets:
            line, column = block.place(at + offsets[0])
            own = _unread_part(text, offsets, [k for k in found if k not in offsets])
            if held is None or not held.takes(line, own, block.kind):
                if held is not None:
                    yield _listed(held, reason)
                held = _Lines(line, column, [own])
        at += len(text) + 1
    if held is not None:
        yield _listed(held, reason)


def _unread_part(text: str, unread: Sequence[int], read: Sequence[int]) -> str:
    """A line of which nothing was read as it is; else from what stands before its first unread number to its last.

    >>> _unread_part("2 + 3 = 5, which is 2.5 pairs. Then 4 - 1 = 3", [20], [0, 4, 8, 36, 40, 44])
    'which is 2.5 pairs'
    """
    if not read:
        return text
    start = max((m.end() for m in _BREAK.finditer(text, 0, unread[0])), default=0)
    end = next((m.start() for m in _BREAK.finditer(text, unread[-1])), len(text))
    end = min([end, *(k for k in read if k > unread[-1])])
    return text[start:end].strip()


_BREAK = regex(r"[,;，；。、]\s*|[.!?:：](?:\s+|$)|\s(?=\()")


def _listed(held: _Lines, reason: Sentence) -> NotChecked:
    return NotChecked(held.line, held.column, "\n".join(held.texts), reason)


def _calculates(text: str, kind: str) -> bool:
    """Whether a fence, a print or a table holds a calculation."""
    if kind in ("table", "output") and _DECIMAL.search(text):
        return True
    if kind == "table" and sum(_is_row_of_whole(line) for line in text.split("\n")) >= _FEWEST_WHOLE_ROWS:
        return True
    return any(
        has_digits(line) and (_SIGN.search(line) or _BRACKETED.search(line) or _is_row(line))
        for line in text.split("\n")
    )


def _is_row_of_whole(line: str) -> bool:
    """Whether nothing but whole numbers stands behind the first cell: "| Q: cat | 3 | 1 | -inf |"."""
    return len(line) <= 5_000 and _WHOLE_ROW.fullmatch(line.strip().removeprefix("|")) is not None


def _is_row(line: str) -> bool:
    if len(line) > 5_000 or _DECIMAL.search(line) is None:
        return False
    return _ROW.fullmatch(line) is not None or _LABELLED_ROW.match(line) is not None


def _numbers(text: str, kind: str, *, whole: bool) -> Iterator[int]:
    """Where the numbers of a line stand that belong to a calculation; those in tags of HTML nobody sees."""
    if kind == "line" and "<" in text:
        text = _TAG.sub(lambda tag: " " * len(tag[0]), text)
    if whole:
        marker = _STEP.match(text) if kind == "code" else None
        yield from _in(text, [(marker.end() if marker else 0, len(text))])
    elif kind == "program":
        comment = _COMMENT.search(text)
        said = comment["said"] if comment else ""
        if comment and (_SIGN.search(said) or _BRACKETED.search(said) or _LONE.fullmatch(said)):
            yield from _in(text, [comment.span("said")])
        elif (_BRACKETED.search(text) and _DECIMAL.search(text)) or _NO_CODE.match(text) or "≈" in text:
            yield from _in(text, [(0, comment.start() if comment else len(text))])
    else:
        yield from _in(text, [(0, len(text))] if _is_row(text) else list(_clauses(text)))


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """The clauses of a line of text that hold a calculation."""
    marker = _MARKER.match(text)
    start = marker.end() if marker else 0
    for end in [*(m.start() for m in _CLAUSE.finditer(text, start)), len(text)]:
        if _SIGN.search(text, start, end) or _BRACKETED.search(text, start, end):
            yield start, end
        start = end


def _in(text: str, stretches: Sequence[tuple[int, int]]) -> Iterator[int]:
    for start, end in stretches:
        for number in _NUMBER.finditer(text, start, end):
            if not _COUNTS.search(text[max(number.start() - 12, 0) : number.start()]):
                yield number.start()


def find_numbers(text: str) -> Iterator[str]:
    """The numbers of a text, without their signs."""
    for found in _NUMBER.finditer(text):
        yield found[0]


def count_numbers(text: str) -> int:
    """How many numbers a text holds that was not checked."""
    return sum(1 for _ in _NUMBER.finditer(text))
