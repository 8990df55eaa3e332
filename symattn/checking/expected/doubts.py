"""Reasons not to accuse: what a careful reader sees beside a number that does not fit its formula.

They are asked for only where something would be called wrong. Each gives the sentence that says why it is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import repeat

from symattn.checking.semantics.environment import Environment
from symattn.checking.semantics.evaluation import takes_entries
from symattn.checking.semantics.indexed import is_over_letter
from symattn.checking.verdicts import Definition, Printed, right_places, table_of_prints
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.values.balls import Balls
from symattn.values.printed import may_round_to
from symattn.values.spelling import PREFIXES
from symattn.writing.prose import Sentence

_CLOSING = regex(r"(?:[$*_`]|\\[)\]])*")
_SET_OFF = regex(r"\s*(?:(?:\\[ ,;:]|~)\s*)*\\(?:text|mathrm|textrm|mbox)\{[ ~]*")  # a unit in a formula
_UNIT = regex(r"[A-Za-zµ°%‰²³千百万萬亿億兆倍천만억]")  # right at the number
_WORD = regex(
    r"\s*(?:[kKMGTP]i?B\b|[kKMGTPE]i?(?:FLOP|MAC|OP|[Bb]yte|[Bb]it|Hz|W\b|[Pp]aram|[Tt]oken)|[kKMBGT] [a-z]"
    r"|(?:[Kk]ilo|[Mm]ega|[Gg]iga|[Tt]era|[Pp]eta|[Ee]xa|[Zz]etta|milli|micro|nano)[A-Za-z]"
    r"|[µmn]s\b|%|‰|percent|per cent|hundred|thousand|million|billion|trillion|dozen|times\b|bits?\b"
    r"|bytes?\b|degrees?\b|°|pi\b|π|mil\b|millones|millions|milliards?|Millionen|Tausend|Prozent|тысяч|миллион|миллиард"
    r"|процент|[千百万萬亿億兆倍천만억])"
)
_KINDS = (
    r"(?:examples?|exercise|problem|question|quiz|scenario|case|ejemplo|ejercicio|exemple|exercice|exemplo|exercício"
    r"|beispiel|aufgabe|пример|задач|örnek|przykład|zadanie"
    r"|esempio|esercizio|exempel|uppgift|eksempel|opgave|voorbeeld|contoh|latihan|ví dụ|bài tập"
    r"|例题?|例題|示例|案例|练习|習題|习题|题目|예제|예시|문제)"
)
_EXAMPLE = regex(
    rf"^\s*#{{1,6}}(?![^\n]*(?:step|continu|recap|back to|our example|同じ|继续))[^\n]*(?<![a-z]){_KINDS}(?![a-z])"
    rf"|^[\s>*_/]*{_KINDS}\s*(?:\d|[A-H]\b|[一二三四五①②③]|[*_]*[:：]|[*_.]*\s*$)"
    r"|^[\s/#*]*(?:test(?: case)?|测试?|テスト)\s*\d"
    r"|^[ \t]*(?:[\w:<>*&]+[ \t]+){1,4}test_\w+[ \t]*\(",  # a function that tests states its own inputs
    re.IGNORECASE | re.MULTILINE,
)
_ANOTHER = regex(
    r"\b(?:another|a second|a different|a new|a larger|a bigger|a smaller|next) (?:\w+ )?example\b"
    r"|另一个例子|再举|再看一个|換個例子",
    re.IGNORECASE,
)
_CHANGE = regex(
    r"learn|train|updat|random|initial|\bnew\b|\bafter\b|another|epoch|instead|suppose|imagine|\bif\b|\bwere\b|would"
    r"|更新|训练|随机|初始|学习|如果|假设|另|新的|学習|更新|初期|obnov|aktual|neu\b|zufällig|aleatori|después|après|если|новы",
    re.IGNORECASE,
)
_RANGE = regex(r"\d+(?:[-–—~]\d+)+")
MOST_AFTER = 40


def begins_an_example(between: str) -> bool:
    """Whether a worked example begins in a text: a heading or a line that says so, or words such as "another example".

    >>> begins_an_example("## Example 2\\n"), begins_an_example("for example, ")
    (True, False)
    """
    return bool(_EXAMPLE.search(between) or _ANOTHER.search(between))


def in_another_unit(printed: Printed, true: Balls, before: str, after: str) -> Sentence | None:
    """Why a number that does not fit may be right: a unit or a word that counts follows it, or its power of ten is off.

    `before` is its formula and `after` is what follows it, in the file. A unit that a formula sets off as text and that
    is none of those in the formula may be another measure of the same: 0.3 rad = 17 deg.
    """
    prefix = next(reversed(list(_PREFIXED.finditer(before[-MOST_BEFORE:]))), None)
    if prefix is not None and _is_raised(printed, true, 3 * PREFIXES[prefix["prefix"].upper()]):
        return Sentence("unit_unread")  # 10 · 2 = 2 · 10¹³, where 2 was printed in TFLOPs
    line = after.partition("\n")[0]
    divided = _DIVISION.search(before[-MOST_BEFORE:]) is not None
    if divided and _is_whole_part(printed, true, upwards=False) and _THINGS.match(line):
        return Sentence("unit_unread")  # 10 / 1.5 = 6 sessions, of which there is no part
    if divided and _is_whole_part(printed, true, upwards=True) and _OPENED.match(line):
        return Sentence("unit_unread")  # 1024 / 768 = 2 tiles, of which the last is not full
    if counts_one_by_one(line):  # but factors may be in thousands, 50 · 768 of 50K
        return Sentence("unit_unread") if is_in_thousands(printed, true) else None
    set_off = _SET_OFF.match(line)
    closed = set_off or _CLOSING.match(line)
    rest = line[closed.end() if closed is not None else 0 :]
    bytes_alone = set_off is not None and _BYTES.match(rest) is not None  # which were weighed as such before
    if not bytes_alone and (_WORD.match(rest) or (set_off is None and _UNIT.match(rest))):
        return Sentence("unit_unread")
    if (_ANY_WORD if set_off is None else _SET_OFF_WORD).match(rest) is None:
        return None
    units = {word for unit in _UNIT_BEFORE.findall(before) for word in _LETTERS.findall(unit)}
    other = set_off is not None and bool(units) and not units.intersection(_LETTERS.findall(rest.partition("}")[0]))
    counts = _counts_more(printed, true)  # in whatever language: 4.2 ล้าน
    return Sentence("unit_unread") if other or counts or _converts(printed, true, before, rest) else None


def counts_one_by_one(after: str) -> bool:
    """Whether the word behind a number says that it counts what its formula counts, and no thousands of it.

    >>> counts_one_by_one(" FLOPs"), counts_one_by_one(" GFLOPs"), counts_one_by_one(" million parameters")
    (True, False, False)
    """
    return _COUNTED.match(after) is not None


_COUNTED = regex(
    r"(?:[$*_`]|\\[)\]])*\s*(?:(?:\\[ ,;:]|~)\s*)*(?:\\(?:text|mathrm|textrm|mbox)\{[ ~]*)?"
    r"(?:(?:FLOPs?|flops|MACs?|multiplications|additions|operations|ops|param(?:eter)?s|elements|entries)\b"
    r"|次(?:浮点)?(?:运算|乘法|加法)|个?(?:参数|元素))"
)
_DIVISION = regex(r"[/÷]|\\frac")
_OPENED = regex(
    r" (?:[a-z]+ )?(?:tiles|blocks|chunks|pages|batches|shards|buckets|iterations|GPUs|nodes|steps)\b"
    r"| ?个?(?:块|页|批|步)"
)
_THINGS = regex(  # in the plural, and no units
    r" (?![a-z]*(?:bytes|bits|seconds|minutes|hours|days|years|meters|metres|params|parameters|units|degrees|points)\b)"
    r"[a-z]{3,}(?<![isu])s\b"
)


def _lone(printed: Printed, true: Balls) -> Fraction | None:
    """The number of a print that has no other, beside a value that is one, too."""
    return printed.values[0][0] if printed.shape == true.shape == (1, 1) and not true.hidden else None


def _is_whole_part(printed: Printed, true: Balls, *, upwards: bool) -> bool:
    """Whether a lone whole number is its value without the decimals, or the next one."""
    ball = true.rows[0][0]
    whole = (ball.ceil() if upwards else ball.floor()).unique_fmpz()
    return whole is not None and printed.units[0][0] == 1 and _lone(printed, true) == int(whole)


def is_in_thousands(printed: Printed, true: Balls) -> bool:
    """Whether a lone number is what its value is in a unit a thousand, a million or a billion times larger or smaller.

    Where seconds stand before a sign, milliseconds may stand behind it.
    """
    value = _lone(printed, true)
    if not value:
        return False
    ball, powers = true.rows[0][0], (10**3, 10**6, 10**9)
    scaled = [ball * power for power in powers] + [ball / power for power in powers]
    return any(may_round_to(each, value, printed.units[0][0]) for each in scaled)


_PREFIXED = regex(
    r"\d\}?\s?(?:(?:\\[ ,;:]|~)\s?)*(?:\\(?:text|mathrm|textrm|mbox)\{\s*)?"
    r"(?P<prefix>[kKMGTP])(?:FLOP|MAC|OP|i?B\b|[Bb]yte|Hz)"
)
MOST_BEFORE = 400  # characters in which the unit of a number may stand that is put in


def _is_raised(printed: Printed, true: Balls, power: int) -> bool:
    """Whether a number is its value in units of so many powers of ten, written out."""
    value = _lone(printed, true)
    if not value:
        return False
    worth = float(true.rows[0][0].mid()) * 10.0**power
    return abs(worth / float(value) - 1) < _ROUNDED


_ROUNDED = 0.01


def _converts(printed: Printed, true: Balls, before: str, unit: str) -> bool:
    """Whether a number may only have another unit than its formula: 2 · 3600 = 2 hours, 360 kJ = 0.1 kWh."""
    value, worth = printed.values[0][0], float(true.rows[0][0].mid())
    if printed.shape != (1, 1) or true.shape != (1, 1) or not value:
        return False
    ratio = worth / float(value)
    times = [a / b for a in _SECONDS for b in _SECONDS if a != b] if _TIME.search(unit[:24]) else []
    times += _JOULES if _WATT_HOURS.match(unit) and _OF_ENERGY.search(before) else []
    return any(abs(ratio / x - 1) < _NEAR for x in times) or any(abs(ratio * x - 1) < _NEAR for x in _THOUSANDS)


_ANY_WORD = regex(r"[ ~]?[^\W\d_]{2}|[ ~]?[^\W\d_a-zA-Z]|[ ~]?[smh]\b")
_BYTES = regex(r"bytes?\b")
_SET_OFF_WORD = regex(r"[^\W\d_]")
_TIME = regex(
    r"(?<![A-Za-z])(?:(?:[mµn]?s|sec|min|h|hr|d|yr)\b|(?:second|minute|hour|day|week|month|year)s?\b|毫?秒|分钟|小时|[天日月年])"
)
_SECONDS = (1e-9, 1e-6, 1e-3, 1.0, 60.0, 3_600.0, 86_400.0, 604_800.0, 30 * 86_400.0, 365 * 86_400.0)
_WATT_HOURS = regex(r"[ ~]?[kMGT]?Wh\b")
_OF_ENERGY = regex(r"(?<![A-Za-z])[kMG]?(?:J|W)(?![A-Za-z])")
_JOULES = [3.6 * 10.0**power for power in range(-6, 10)]
_THOUSANDS = (1e3, 1e6, 1e9, 1e12)
_NEAR = 0.05
_UNIT_BEFORE = regex(r"\d\s?(?:\\[,;: ]\s?)?\\(?:text|mathrm|textrm|mbox)\{([^{}]*)\}")
_LETTERS = regex(r"[^\W\d_]+")


def find_guess(expression: f.Expression, environment: Environment) -> f.Expression | None:
    """What in a formula is not sure enough to call a number wrong: a width that only vectors tell, the largest over a
    letter whose end nobody says, and max(|v|), where the strokes may be a length."""
    for part in f.walk(expression):
        if is_over_letter(part) or takes_entries(part):
            return part
        unknown = isinstance(part, f.Name) and not environment.knows(part)
        if unknown and environment.guessed_width(part) is not None:
            return part
    return None


def puts_in_another(definitions: Sequence[Definition], environment: Environment) -> bool:
    """Whether `A V = [1, 2] [3; 4]` writes out a matrix for a name that stood for another one of that size."""
    plain = [d.expression for d in definitions if not d.symbolic and isinstance(d.expression, f.Product)]
    named = [d.expression for d in definitions if d.symbolic and isinstance(d.expression, f.Product)]
    return any(
        len(a.factors) == len(b.factors) and any(map(_is_another, a.factors, b.factors, repeat(environment)))
        for a in named
        for b in plain
    )


def _is_another(name: f.Expression, matrix: f.Expression, environment: Environment) -> bool:
    known = environment.lookup()(name) if isinstance(name, f.Name) else None
    table = table_of_prints(matrix) if isinstance(matrix, f.Matrix) and f.is_printed(matrix) else None
    if known is None or table is None or known.shape != table.shape or known.hidden:
        return False
    stated = environment.stated.get(name)
    printed = [print_.printed for print_ in stated.prints] if stated is not None else []  # wrong numbers are carried
    return all(2 * len(right_places(table, value)) < len(table.places()) for value in (known, *printed))


def is_of_shapes(expression: f.Expression, printed: Printed) -> bool:
    """Whether a row times a number is a shape of so many side by side: [1024, 64] · 12 = [1024, 768]."""
    match expression:
        case f.Product((f.Matrix() as row, f.Number(value=count))) | f.Product(
            (f.Number(value=count), f.Matrix() as row)
        ):
            given = table_of_prints(row)
        case _:
            return False
    if given is None or given.shape != printed.shape or given.shape[0] != 1 or count in (0, 1):
        return False
    pairs = list(zip(given.values[0], printed.values[0], strict=True))
    kept, multiplied = ([x is not None and y == x * by for x, y in pairs] for by in (1, count))
    return all(map(any, zip(kept, multiplied, strict=True))) and any(kept) and any(multiplied)


def said_to_change(label: str) -> bool:
    """Whether the words before say that what is printed may differ from what the name stood for."""
    return _CHANGE.search(label) is not None


def is_done_again(line: str) -> bool:
    """Whether a line asks for a calculation once more, with another number put in.

    >>> is_done_again("Do the same with base 10000 and see: "), is_done_again("We do the same for q: ")
    (True, False)
    """
    return _AGAIN.search(line) is not None


_AGAIN = regex(
    r"(?:the same|again|repeat\w*(?: \w+){0,3}|redo(?: \w+){0,2}|dasselbe|noch einmal|wiederhol\w*|la même chose"
    r"|refai\w+|lo mismo|repit\w+|o mesmo|repita|lo stesso|ripet\w+|то же|повтор\w+) "
    r"(?:with|using|mit|avec|con|com|с|при)(?: [^\W\d]+){0,3}[ $=\\(]{0,8}\d|换成|改成|改为 ?\d",
    re.IGNORECASE,
)


def is_range(text: str) -> bool:
    """Whether a difference may be from one number to another, "pages 10-12", or a row of numbers: widths of layers.

    >>> is_range("10-12"), is_range("784-256-10"), is_range("10 - 12")
    (True, True, False)
    """
    return _RANGE.fullmatch(text) is not None


def _counts_more(printed: Printed, true: Balls) -> bool:
    """Whether all numbers of a print are about too small by one power of ten: 4.2 beside 4,194,304 counts millions."""
    if true.shape != printed.shape or true.hidden:
        return False
    pairs = [(printed.values[i][j], float(true.rows[i][j].mid())) for i, j in printed.places()]
    return any(
        all(v is not None and abs(float(v * 10**power) - value) <= abs(value) / 10 for v, value in pairs)
        for power in range(2, _MOST_POWERS)
    )


_MOST_POWERS = 13
