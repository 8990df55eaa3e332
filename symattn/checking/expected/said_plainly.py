"""Weights of the list right before them, as what stands between the two says: "scores = [2, 1, 0] → softmax ≈ [...]".

Who says plainly what is computed from what may be wrong all over. It is plain where softmax is named, or where scores
are called so and weights right behind them, and nothing else is said: every word and mark between the two lists is one
of those known here, and no word near them speaks of a scale, a mask or anything else that a softmax may be taken with.
What an author may have left out is tried all the same; where that explains the numbers as well, nobody is accused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from symattn.checking.expected.applied import WIDTHS, right_to_finest, says_normalised, says_otherwise
from symattn.checking.expected.evidence import fits_one_scale, has_shares, mostly_right, telling_places
from symattn.checking.expected.implied_steps import is_one_hot
from symattn.checking.expected.inputs import add_up_to_more, find_temperature
from symattn.checking.expected.labels import is_assumed, label_in
from symattn.checking.expected.sources import Source
from symattn.checking.findings import Place
from symattn.checking.semantics.environment import Environment
from symattn.checking.verdicts import Definition, Printed, agreeing, define_like, table_of_prints, try_define
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.vocabulary import AFTER, AFTERWARDS

_LONGEST = 200  # characters between two lists
_MOST_LISTS = 6  # above rows of weights
_FEWEST = 3  # weights that show by their order what they belong to, where softmax is not named
_HUNDREDTH = Fraction(1, 100)
_NUMBERS = r"(?:[-−+.,;\d\s∞&]|\\,|-?\\infty|inf)"
_LIST = regex(
    rf"(?:\\left\s?)?\[+{_NUMBERS}*(?:\\right\s?)?\](?:\s*,?\s*\[{_NUMBERS}*\])*\]?"
    rf"|\\begin\{{(?P<kind>[bp]matrix)\}}(?:{_NUMBERS}|\\\\)*\\end\{{(?P=kind)\}}"
)
_ARROW = regex(
    r"\\(?:approx|simeq)\b|\\(?:long)?(?:to|(?:right|Right)arrow)\b|\\x?rightarrow\b|-{1,8}>|={1,3}>|⇒|⟶|=>|➜|↓|⬇"
)
_POINTERS = regex(r"^[ \t#|│>]*↑[^\n\[\]]*$", re.MULTILINE)  # a line that says what the numbers above it are of
_LAYOUT = regex(
    r"\\(?=alpha\b)"
    r"|\\(?:text(?:bf|rm|it)?|mathrm|mathbf|operatorname\*?|left|right|quad|qquad|displaystyle|begin|end|[ ,;:!()\[\]])"
    r"|(?<=[{])(?:aligned|align\*?)(?=\})|<br\s?/?>|&nbsp;|^[ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t]*$"
    r"|^[ \t>*-]*\d{1,2}[.)](?=\s)|(?<!of )\b(?:[Ss]tep|STEP|Schritt|étape|[Pp]aso|[Pp]asso)[ ]?\d{1,2}\b"
    r"|(?:步骤|第)\s?[\d一二三四五]\s?步?"
    r"|[(（](?:row[- ]?wise|per row|each row|by rows?|(?:they |which |now )?sums? (?:up )?to 1(?:\.0+)?"
    r"|sum ?= ?1(?:\.0+)?|行ごと|按行|和[为為] ?1|合計 ?1)[)）]",
    re.MULTILINE,
)
_SOFTMAX = r"softmax(?:es|ed|函数|関数|함수)?"
_WEIGHTS = (
    r"weights?|probabilit(?:y|ies)|probs?|distribution|gewichte?|wahrscheinlichkeit(?:en)?|poids|probabilités?|pesos|pesi"
    r"|probabilidade?s|probabilità|wagi|весa|веса|вероятности|权重|權重|概率|機率|重み|確率|가중치|확률|attn|alphas?|α|p|ŷ"
)
_FILLER = (
    r"the|then|so|thus|hence|and|now|next|can|with|serve|made|makes?|were|was|normali[sz]e|converts?|turned"
    r"|we|you|get|gets|obtain|have|has"
    r"|apply|applying|applied|take|taking|computes?|computing|calculate|find|let|us|let's|s|for|example|after|by|using"
    r"|through|via|its|their|these|this|that|which|it|they|are|is|be|become|becomes|give|gives|giving|yields?|yielding"
    r"|produces?|turns?|into|results?|resulting|in|to|of|for|as|at|about|approximately|approx|roughly|ca|circa|attention"
    r"|outputs?|functions?|scores?|logits?|them|final|corresponding|normali[sz]ed"
    r"|nach|der|die|das|den|dem|ergibt|ergeben|sind|ist|werden|wird|dann|etwa|ungefähr|von|und|also|anwenden"
    r"|après|le|la|les|donne|donnent|sont|est|devient|deviennent|environ|de|du|des|puis|on|obtient|et|un|une|applique"
    r"|después|tras|el|los|las|da|dan|son|es|obtenemos|resulta|aproximadamente|del|y|se|obtienen|aplicar|aplicando"
    r"|dopo|il|lo|i|le|gli|dà|danno|sono|circa|della|dei|e|diventano|otteniamo"
    r"|após|depois|o|a|os|as|dá|dão|são|temos|obtemos|com"
    r"|после|даёт|дает|получаем|это|равны|примерно|и|затем|применяем|внимания"
    r"|经过|經過|通过|使用|应用|對|对|它们?|其|做|取|进行|之?后|之?後|得到|变成|变为|变?為|为|是|大?约为?|近似|结果|然后|再|的|则|即|归一化"
    r"|注意力|输出|分布|这些?|分数|得分|归一化|を|に|かける?|適用|すると|は|が|結果|約|の|と|なる|して|を通す"
    r"|를|을|는|은|의|에|적용하?면?|하면|결과|약|다음|같다|후"
    r"|sau|khi|kết quả|trọng số"
)
_WORDS = regex(rf"(?:(?:{_SOFTMAX}|{_WEIGHTS}|{_FILLER})(?![a-zà-ÿа-я]))++", re.IGNORECASE)
_NAMES_SOFTMAX = regex(rf"(?<![^\W_]){_SOFTMAX}", re.IGNORECASE)
_NAMES_WEIGHTS = regex(rf"(?<![a-zà-ÿа-я])(?:{_WEIGHTS})(?![a-zà-ÿа-я])", re.IGNORECASE)
_WORD = regex(r"[^\W\d_]+")
_MARKS = regex(r"[\s$*_`#>(){}:：,，;；.。=≈~→|│\-–—•&^]*")
_APPLIED = regex(
    rf"(?<![^\W_-])(?:{_SOFTMAX})(?:[ _]function)?"
    r"(?:\(| (?:of|for|to|on|over|applied to|von|der|de|du|des|del|di|dei|da)\b)"
    r"(?: ?(?:the|die|den|les?|los|las|row|raw|scores?|logits?|vector|list|values|numbers|punktzahlen|werte))*"
    r"[\s$*_`({:：\\]*$",
    re.IGNORECASE,
)
_HANDED = regex(  # to softmax
    rf"[\s`$*)#>•│-]*(?:(?:(?:→|{AFTER}|through|under|via|经过|經過|通过|做|取|进行|应用|的|の|に|を|를|의|에)"
    rf"[ `$*({{]*)+{_SOFTMAX}|{_SOFTMAX} ?{AFTERWARDS}(?!\w))",
    re.IGNORECASE,
)
_SCORES = regex(
    r"(?<![^\W_])(?:(?:raw|scaled|attention|similarity|dot[- ]product|mask(?:ed)?)[ _])*"
    r"(?:scores?|logits?|dot[- ]products?|puntuaciones|punteggi|pontuações|punktzahlen|логиты|оценки)(?![^\W_])"
    r"[^.;!?。；！？=]{0,40}=?[^.;!?。；！？=]{0,6}$"
    r"|(?:点积|得分|分数|スコア|점수)[^.;!?。；！？=]{0,20}=?[^.;!?。；！？=]{0,6}$",
    re.IGNORECASE,
)
_READY = regex(r"(?:already )?(?:scaled|masked)[ _](?=(?:attention[ _])?(?:scores|logits))", re.IGNORECASE)
_READY_ALONE = regex(
    r"\W*(?:scaled|masked|after (?:scaling|masking)|(?:缩放|縮放|掩码|遮罩|加遮罩)[之以]?[后後])\W*", re.IGNORECASE
)
_CLAUSE = regex(r"[.;:,。；：，\n](?=\s|$)|[。；：，\n]")
_INVENTED = regex(
    r"illustrat|made[- ]up|hypothet|invent|fictiti|arbitrar|imagin|assum|say\b|虚构|假设|示意", re.IGNORECASE
)
_OTHER_STEP = regex(
    r"\b(?:without|instead|not|target|desired|ideal|wrong|incorrect|before|hard|sparse|top|query|but|except|log)\b|不|错",
    re.IGNORECASE,
)
_TELLS_SOFTMAX = regex(
    r"softmax|attention|logit|transformer|(?<![^\W_])e\^|(?<![^\W_])exp(?![^\W_])|注意力|アテンション|어텐션",
    re.IGNORECASE,
)
_BEFORE = regex(  # "Before: [2, 1, 0]" and "After softmax: [...]"
    r"[\W_]*(?:before|vorher|avant|antes|prima|до|之前|前)(?: (?:the )?softmax| le softmax| de softmax)?[\W_]*"
    r"|[\W_]*softmax ?(?:之?前)[\W_]*|[\W_]*(?:(?:score|masked|last|new) )?row[\W_]*",
    re.IGNORECASE,
)
_AFTERWARDS = regex(
    rf"\b(?:{AFTER}) (?:the |dem |le |la |il |o )?softmax|softmax ?{AFTERWARDS}",
    re.IGNORECASE,
)
_FOR_EXAMPLE = regex(r"[\W_]*(?:(?:for )?example|e\.g\.)[\W_]*", re.IGNORECASE)
_BECOMES = regex(r"\b(?:becomes?|turns? into|is turned into|gives|yields)\b", re.IGNORECASE)
_CONVERTS = regex(  # "Softmax converts scores into probabilities. Example: [2, 1, 0] becomes [...]"
    r"softmax(?: function)? (?:converts?|turns?|maps?|transforms?) (?:the |raw |these |its )*(?:scores|logits|numbers)"
    r" (?:in)?to (?:a |attention )*(?:probabilit(?:y|ies)|weights)(?: distribution)?[.:]\s+[^.\d]{0,40}$",
    re.IGNORECASE,
)
_HEADING = regex(r"^#{1,6}[ ]", re.MULTILINE)
_UNDER_SOFTMAX = regex(rf"^#{{1,6}}[ ][^\n]*{_SOFTMAX}[^\n]*\n(?!(?:.*\n)*#{{1,6}}[ ])", re.IGNORECASE | re.MULTILINE)
_VARIANT = regex(r"sparse-?max|entmax|soft-?cap|gumbel|\\?tanh\b|label[- ]smooth", re.IGNORECASE)
_CHANGED_WORDS = (
    r"\bbias(?:ed)?\b(?! terms?\b)|\balibi\b|偏置|バイアス|편향|biais|sesgo|\bcap(?:ped|s)?\b|penalt"
    r"|drop-?out|드롭아웃|дропаут|ドロップアウト|kept with probab|概率保留|top-?[kp]\b"
    r"|\bfirst (?:\w+ )?(?:of|out of) (?:the )?\w+ (?:keys|tokens|words|scores)\b"
    r"|(?:multipl\w+|scaled?) by \d|(?:logit|score)[- ]scale|乘以 ?\d|averag|平均|moyenne|Mittel"
)
_TOP = regex(r"top-?[kp]\b", re.IGNORECASE)
_CHANGED = regex(_CHANGED_WORDS, re.IGNORECASE)
_TEMPERATURE = r"temp[eé]ratur|температур|温度|溫度|온도"
_CHANGED_OR_TEMPERED = regex(rf"{_CHANGED_WORDS}|{_TEMPERATURE}", re.IGNORECASE)
_TEMPERATURE_NAMED = regex(
    rf"{_TEMPERATURE}|nhiệt độ|suhu|sıcaklık"
    r"|/ ?\\?(?:[Tτ]|tau|temp)(?![a-z])|\}\{ ?(?:T|\\tau|τ) ?\}|\b[Tτ] ?= ?\d*\.\d",
    re.IGNORECASE,
)
_AT_TEMPERATURES = regex(r"\b(?:with|at) (?:different |several |various )?temperatures?\b|不同温度下?", re.IGNORECASE)
_ROW = regex(
    r"(?:^|(?<=\n))[ \t]*(?:[-*•|] ?)*\**(?:temp(?:erature)?|T|τ|温度)\s?[=:]?\s?(?P<number>\d+(?:\.\d+)?)\**"
    r"[ \t]*(?:[(（][^()（）\d\n]{1,30}[)）])?(?P<words>[^\n\[\]]{0,60})\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _How:
    """How plainly words say that weights are the softmax of a list."""

    plain: bool  # whether they name softmax, or a temperature
    between: bool  # whether they name it between the two
    ready: bool  # whether it is said to be taken of just this list, or that this has been scaled
    tempered: bool = False  # whether its row gives a temperature, over which the list has been taken already


@dataclass(frozen=True)
class _Said:
    """What words say that weights are computed from: a list, perhaps at a temperature; and how they say so."""

    scores: f.Expression
    temperature: f.Number | None
    how: _How
    shown: bool = False  # by weights at temperature 1, so that no scale has been left out


def said_of(printed: Printed, side: f.Side, source: Source, environment: Environment) -> Definition | None:
    """The softmax that the words between a list and a print say that the print is."""
    before = source.where.above + source.text[: side.start]
    return find_said_plainly(before, source.after(side.end), printed, environment)


def find_said_plainly(before: str, after: str, printed: Printed, environment: Environment) -> Definition | None:
    """The softmax that what stands before a print says that it is; `after` is what follows it."""
    values = [x for row in printed.values for x in row]
    if printed.shape[1] < 2 or is_one_hot(printed) or any(x is None or not 0 <= x <= 1 for x in values):
        return None
    said = _read(before) or _read_from_one(before, environment)
    line = after.partition("\n")[0]
    if said is None or says_otherwise(line) or _INVENTED.search(line) or min(map(min, printed.units)) > _HUNDREDTH:
        return None
    if said.temperature is None and not said.how.tempered and find_temperature(environment) is not None:
        return None
    logits = said.scores if said.temperature is None else f.Quotient(said.scores, said.temperature)
    definition = try_define(f.Call("softmax", (logits,)), environment)
    given = table_of_prints(said.scores)
    if definition is None or given is None or definition.true.shape != printed.shape:
        return None
    if said.shown:  # of rows whose scores only their numbers tell, nothing is wrong: T may be a step, or a token
        return definition if agreeing(printed, definition.true) == len(printed.places()) else None
    if mostly_right(definition, printed, environment):
        return definition
    if said.temperature is not None and _TEMPERATURE_NAMED.search(before) is None:
        return None  # T may be a step
    if not _keeps_order(given, printed, zeros_only=said.how.ready) or not (said.how.between or has_shares(printed)):
        return None
    if not said.how.plain and (printed.shape[1] < _FEWEST or has_shares(given) or _are_round(printed)):
        return None
    known = environment.knows(_WIDTH) or (said.how.tempered and _is_shown_by_row(before, environment))
    scaled = not known and not add_up_to_more(printed) and fits_one_scale(given, printed)
    otherwise = _says_otherwise_near(before, after, said, whole=all(x for x in values))
    if scaled or otherwise or _is_of_another(before, printed, environment):
        return None
    return None if _is_explained_otherwise(said, definition, printed, environment) else definition


def _is_of_another(before: str, printed: Printed, environment: Environment) -> bool:
    """Whether another list above has just these weights: of two queries' scores the first may be meant."""
    return _with_softmax(map(_with_points, _last_lists(before)), printed, environment) is not None


def _last_lists(text: str) -> list[str]:
    """The last lists of a text, the last one first."""
    return [found[0] for found in _LIST.finditer(text)][: -_MOST_LISTS - 1 : -1]


def _with_softmax(lists: Iterable[str], printed: Printed, environment: Environment) -> f.Expression | None:
    """The first of some lists whose softmax a print has in all its places."""
    for scores in map(_parse, lists):
        made = None if scores is None else define_like(printed, f.Call("softmax", (scores,)), environment)
        if made is not None and agreeing(printed, made.true) == len(printed.places()):
            return scores
    return None


def _are_round(printed: Printed) -> bool:
    """Whether weights are twentieths all, as who invents them takes them."""
    return all(x is not None and x % Fraction(1, 20) == 0 for row in printed.values for x in row)


def _says_otherwise_near(before: str, after: str, said: _Said, *, whole: bool) -> bool:
    """Whether the text speaks of another softmax, or under its heading of what scores or weights are changed by."""
    changed = _CHANGED if said.temperature is not None or said.how.tempered else _CHANGED_OR_TEMPERED
    near = _HEADING.split(before)[-1], _HEADING.split(after)[0][:_LONGEST]
    if said.how.tempered and whole:
        near = _TOP.sub("", near[0]), _TOP.sub("", near[1])  # which would have cut weights
    return _VARIANT.search(before) is not None or any(map(changed.search, near))


def _read(before: str) -> _Said | None:
    """What the end of a text says of the list that follows it."""
    row = _ROW.search(before)
    above = before if row is None else _above_rows(before[: row.start()])
    found = next(reversed(list(_LIST.finditer(above))), None)
    if found is None:
        return None
    between = above[found.end() :]
    if row is not None and not (_leads_to_rows(between, row["words"]) and Fraction(row["number"])):
        return None
    head, text = above[: found.start()], between if row is None else row["words"]
    tempered = row is None and _is_tempered(head, found[0])
    how = _how(head + "\nscaled scores: " * tempered, text, at_temperature=row is not None)
    if how is not None and tempered:
        how = replace(how, ready=how.between, tempered=how.between)
    scores = None if how is None else _parse(_with_points(found[0]))
    if how is None or scores is None or not (how.plain or _TELLS_SOFTMAX.search(before)):
        return None
    return _Said(scores, None if row is None else _number(row["number"]), how)


def _read_from_one(before: str, environment: Environment) -> _Said | None:
    """What a row of weights at a temperature is of: the list whose softmax is all of the row at 1 above it."""
    row = _ROW.search(before)
    if row is None or not Fraction(row["number"]) or _TELLS_SOFTMAX.search(before) is None:
        return None
    above = _above_rows(before[: row.start()])
    rows = (line.partition("[") for line in before[len(above) : row.start()].split("\n"))
    labels = ((_ROW.search(label), _LIST.match(bracket + rest)) for label, bracket, rest in rows)
    plain = next((each[0] for label, each in labels if label and each and Fraction(label["number"]) == 1), "")
    one = _parse(plain)
    printed = None if one is None else table_of_prints(one)
    if printed is None or len(printed.places()) < _FEWEST:
        return None
    scores = _with_softmax(_last_lists(above), printed, environment)
    how = _How(plain=True, between=True, ready=False)
    return None if scores is None else _Said(scores, _number(row["number"]), how, shown=True)


def _is_tempered(head: str, scores: str) -> bool:
    """Whether the list of a row, "T=2: [1, 0.5] → softmax → …", is one that stands above over the row's temperature."""
    row, shown = _ROW.search(head), _parse(scores)
    printed = None if row is None or shown is None else table_of_prints(shown)
    if row is None or printed is None or len(printed.places()) < _FEWEST or not Fraction(row["number"]):
        return False
    above = (table_of_prints(each) for each in map(_parse, _last_lists(head[: row.start()])) if each is not None)
    values = [x and x * Fraction(row["number"]) for line in printed.values for x in line]
    return any(each is not None and [x for line in each.values for x in line] == values for each in above)


def _is_shown_by_row(before: str, environment: Environment) -> bool:
    """Whether one of the rows above, "T=1: [2, 1] → softmax → [0.73, 0.27]", has the softmax of just what it prints."""
    for line in before.split("\n")[-_MOST_LISTS - 1 : -1]:
        scores, weights, *others = [_parse(found[0]) for found in _LIST.finditer(line)] + [None, None]
        printed = None if weights is None or any(others) else table_of_prints(weights)
        if scores is None or printed is None or _ROW.search(line.partition("[")[0]) is None:
            continue
        made = define_like(printed, f.Call("softmax", (scores,)), environment)
        if made is not None and mostly_right(made, printed, environment):
            return True
    return False


def _how(before: str, text: str, *, at_temperature: bool) -> _How | None:
    """How plainly a list is said to be that of scores, and what follows the text behind it their softmax."""
    head = label_in(before.rstrip("`$ ([\\"))
    words = _LAYOUT.sub(" ", _ARROW.sub(" → ", _POINTERS.sub(_without, text)))
    if _BEFORE.fullmatch(head) and _AFTERWARDS.search(words):
        head = "scores"
    elif _FOR_EXAMPLE.fullmatch(head) and _BECOMES.search(words) and _CONVERTS.search(before[-2 * _LONGEST :]):
        head, words = "scores", f"softmax {words}"
    elif _READY_ALONE.fullmatch(head):
        head = "scaled scores"
    if len(text) > _LONGEST or says_otherwise(_READY.sub("", head)) or _OTHER_STEP.search(head) or not _is_known(words):
        return None
    of = _APPLIED.search(before)
    applied = of is not None and _is_known(_CLAUSE.split(before[: of.start()])[-1]) and "\n\n" not in text.strip()
    leads = words.lstrip(" $`)").startswith("→")
    headed = says_normalised(words) and _UNDER_SOFTMAX.search(before) is not None
    between = applied or headed or _NAMES_SOFTMAX.search(words) is not None
    named = between or (leads and _NAMES_SOFTMAX.search(head) is not None and _is_known(_LAYOUT.sub(" ", head)))
    plain = named or at_temperature
    if not (plain or _NAMES_WEIGHTS.search(words)) or (not plain and is_assumed(head)):
        return None
    led = (plain and leads) or _HANDED.match(words) is not None
    if not (applied or led or _SCORES.search(head)):
        return None
    return _How(plain, between, applied or (between and _READY.search(head) is not None))


def _without(pointer: re.Match[str]) -> str:
    """Nothing in the place of a line below numbers that says what they are of, unless it says what is done to them."""
    return pointer[0] if says_otherwise(pointer[0]) else ""


def _leads_to_rows(between: str, words: str) -> bool:
    """Whether nothing stands between scores and rows of weights but, where these do not say so, that they are such."""
    said, found = _AT_TEMPERATURES.subn("", _LAYOUT.sub(" ", between))
    called = _NAMES_SOFTMAX.search(words) or _NAMES_WEIGHTS.search(words)
    return _is_known(said) and (called is not None or (found > 0 and _NAMES_SOFTMAX.search(said) is not None))


def _is_known(words: str) -> bool:
    """Whether every word and mark of a text is one of those that say no more than what is computed from what."""
    known = all(_WORDS.fullmatch(word) for word in _WORD.findall(words))
    return known and _MARKS.fullmatch(_WORD.sub("", words)) is not None


def _above_rows(text: str) -> str:
    """A text without the rows at its end that give weights at other temperatures."""
    while True:
        lines = text.rstrip().rsplit("\n", 1)
        label, bracket, _ = lines[-1].partition("[")
        if len(lines) < 2 or not bracket or _ROW.search(label) is None:
            return text
        text = lines[0] + "\n"


def _parse(text: str) -> f.Expression | None:
    try:
        [chain] = f.parse(text)
    except (FormulaError, ValueError):
        return None
    expression = chain.sides[0].expression
    return expression if isinstance(expression, f.Matrix) and f.is_printed(expression) else None


def _with_points(text: str) -> str:
    """A list with decimal commas, [2,0; 1,0], with points."""
    if _WITH_COMMAS.fullmatch(text) is None:
        return text
    return text.replace(",", ".").replace(";", ",")


_WITH_COMMAS = regex(r"\[\s*[-−]?\d+,\d+(?:\s*;\s*[-−]?\d+,\d+)+\s*\]")


def _number(text: str) -> f.Number:
    return f.Number(text, Fraction(text), Fraction(1, 10 ** len(text.partition(".")[2])))


def _keeps_order(given: Printed, printed: Printed, *, zeros_only: bool) -> bool:
    """Whether in each row no larger score has a smaller weight, what is as large the same, and what is masked none.

    With `zeros_only` it is only asked of weights that are 0, of which a mask may be the reason.
    """
    for scores, weights in zip(given.values, printed.values, strict=True):
        pairs = list(zip(scores, weights, strict=True))
        if any(score is None and weight != 0 for score, weight in pairs):
            return False
        known = [(s, w) for s, w in pairs if s is not None and w is not None]
        told = [(s, w) for s, w in known if not (zeros_only and w)]
        if any((s > t and v < w) or (s == t and v != w) for s, v in told for t, w in known):
            return False
    return True


_WIDTH = f.Name("d", sub=("k",))
_DIVISORS = ("0.1", "0.5", "0.7", "0.8", "1.5", "2", "3", "4", "5", "8", "10", "16", "32", "64", "128", "256")


def _is_explained_otherwise(said: _Said, plain: Definition, printed: Printed, environment: Environment) -> bool:
    """Whether something that an author may have left out explains all of the weights.

    A scale explains them if it is half of them, and more than what is said; of all else chance has too many.
    """
    telling = telling_places(printed)
    shown = len(right_to_finest(printed, plain.true).intersection(telling))
    count = len(printed.places())
    for formula in () if said.how.tempered else _scaled(said, printed, environment):
        right = _right(formula, printed, environment)
        number = len(right.intersection(telling))
        if len(right) == count or (number > shown and 2 * number >= len(telling)):
            return True
    others = () if environment.knows(_WIDTH) and said.how.plain else _of_something_else(said)
    values = (try_define(formula, environment) for formula in others)
    return any(value is not None and agreeing(printed, value.true) == count for value in values)


def _right(formula: f.Expression, printed: Printed, environment: Environment) -> set[Place]:
    value = try_define(formula, environment)
    return right_to_finest(printed, value.true) if value is not None and value.true.shape == printed.shape else set()


def _scaled(said: _Said, printed: Printed, environment: Environment) -> Iterator[f.Expression]:
    """The softmax of scores over √d_k, of those not printed as 0, or of both."""
    scores = said.scores
    assert isinstance(scores, f.Matrix)
    widths = [_WIDTH] if environment.knows(_WIDTH) else [_number(str(width)) for width in WIDTHS]
    masked = f.Matrix(
        tuple(
            tuple(f.Infinity(-1) if x == 0 else cell for cell, x in zip(cells, row, strict=True))
            for cells, row in zip(scores.rows, printed.values, strict=True)
        )
    )
    for each in (scores, masked) if masked != scores else (scores,):
        for divisor in (_number("1"), *map(f.Root, widths)):
            yield f.Call("softmax", (f.Quotient(each, divisor),))


def _of_something_else(said: _Said) -> Iterator[f.Expression]:
    """What else weights may be: at a temperature, in another base, of distances, or no softmax at all."""
    scores = said.scores
    assert isinstance(scores, f.Matrix)
    for divisor in map(_number, _DIVISORS):
        yield f.Call("softmax", (f.Quotient(scores, divisor),))
    yield f.Call("softmax", (f.Product((f.Call("log", (_number("2"),)), scores), ("",)),))
    yield f.Call("softmax", (f.Sum((scores,), (-1,)),))
    yield f.Call("sigmoid", (scores,))
    for cells in scores.rows if len(scores.rows) == 1 else ():
        yield f.Quotient(scores, f.Sum(cells, (1,) * len(cells)))
        most = max((x for x in cells if isinstance(x, f.Number)), key=lambda x: x.value, default=None)
        if most is not None:
            yield f.Call("exp", (f.Matrix((tuple(f.Sum((x, most), (1, -1)) for x in cells),)),))
