"""An article, passage by passage: its chains are read in order and their claims judged."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from heapq import merge

from symattn.checking.chains.byte_units import count_byte_factors
from symattn.checking.chains.judging import Chains
from symattn.checking.chains.meant.led_to import part_at_arrows
from symattn.checking.chains.meant.split_products import part_split_products
from symattn.checking.expected.doubts import MOST_AFTER, begins_an_example
from symattn.checking.expected.inputs import inputs_beside, names_result
from symattn.checking.expected.labels import LONGEST, announces, label_in
from symattn.checking.expected.sources import Source, Where
from symattn.checking.findings import Findings
from symattn.checking.formulas import judge_formulas
from symattn.checking.formulas.unjudged.numbers import is_step_in_numbers, offsets_of_numbers
from symattn.checking.naming import is_of_quantities, with_one_spelling
from symattn.checking.operands import FARTHEST, is_part
from symattn.checking.recognised.listed import without_recognised
from symattn.checking.recognised.recognise import recognise
from symattn.checking.semantics.conventions_said import has_other_sigma, has_unprinted_gains, may_have_roots
from symattn.checking.semantics.from_zero import may_count_from_zero, says_count_from_zero
from symattn.checking.semantics.orientation import has_tokens_in_columns
from symattn.checking.unread import list_unread
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, LineBreaks, NotChecked, Passage, has_digits
from symattn.reading.articles.scanning.spoken.exponentials import has_one_left_out
from symattn.values.enclosures import precision
from symattn.writing.prose import Sentence

BITS = 160
MOST_BITS = 4_000
_LONG_NUMBER = regex(r"[0-9][0-9.,{}]{15,}")
_GIVEN = regex(  # η = 0.05
    r"(?<![\w)\]}^*/+·×−-])\s*(?P<name>[^\W\d]\w*)\s*=\s*(?P<value>[0-9]++\.[0-9]++)(?!\s*[-−+*/·×^])"
)
_DECIMAL = regex(r"(?<![0-9.])[0-9]{1,12}\.[0-9]{2,12}(?![0-9]|\.[0-9])")
_NEAR_WHOLE = regex(  # 1 − 1.82 × 10⁻¹⁵
    r"[0-9]\s?[-−+]\s?[0-9](?:\.[0-9]{1,20})?\s?(?:\\times|\\cdot|[×·*])\s?10\s?(?:\^\s?\{?[-−]|⁻)"
    r"(?P<exponent>[0-9⁰¹²³⁴-⁹]{1,4})"
)
_LETTER = regex(r"[^\W\d_]")
MOST_PASSAGES = 20_000
MOST_BEFORE = 200  # characters that may say what a formula leaves out
MOST_ABOVE = 1_000  # of the lines right above
MOST_BETWEEN = 5_000  # characters between two formulas that are looked at


def check_article(article: Article) -> Findings:
    """Judge every printed number of an article that is claimed of a formula.

    What could not be read, placed or evaluated is listed as not checked, with its reason. Decided in enclosures of
    160 bits or more; a number that they cannot tell from a tie or from a whole unit is taken as lying on it.
    """
    unread = list(article.not_read)
    if len(article.passages) > MOST_PASSAGES:
        unread.append(NotChecked(None, None, "", Sentence("too_many_formulas", most=MOST_PASSAGES)))
    read = list(part_at_arrows(part_split_products(list(_read(article, unread)))))
    numbers_unread = list(list_unread(article))
    chains = Chains(columns=has_tokens_in_columns(article))
    chains.environment.may_count_from_zero = may_count_from_zero(article)
    if says_count_from_zero(article):
        chains.environment.from_zero.add(int)
    chains.environment.may_have_roots = may_have_roots(article.source)
    chains.environment.other_sigma = has_other_sigma(article.source)
    chains.environment.has_unprinted_gains = has_unprinted_gains(article.source)
    told = (*(n.text for n in (*unread, *numbers_unread)), *_results_told(article))
    results = (text for text in told if not _CHOSEN.search(text))
    chains.environment.unsure |= {d: u for text in results for d, u in _rounded_in(text)}
    with precision(_bits(article.passages)):
        _in_order(read, chains)
        chains.record.list_givens()
    judged = judge_formulas(article).without_wrong(chains.record.claims)
    numbers = [*unread, *chains.record.not_checked, *numbers_unread]
    formulas = (each for each in judged.unsettled if not is_step_in_numbers(each, chains.record.claims))
    recognised = recognise(article, chains.record.claims, _left_alone(numbers, article.source))
    listed = without_recognised([*judged.leave(numbers, article.source), *formulas], recognised, article)
    claims = merge(chains.record.claims, recognised.claims, key=lambda c: c.line or 0)
    return Findings(article.path, tuple(claims), _in_place(listed), article, judged.formulas)


def _rounded_in(text: str) -> Iterator[tuple[Fraction, Fraction]]:
    """The decimals of a text that may be rounded prints, with their units; η = 0.05 is chosen."""
    shown = text.replace("{,}", ".").replace(",", ".")
    chosen = [given.span("value") for given in _GIVEN.finditer(shown) if not names_result(given["name"])]
    for found in _DECIMAL.finditer(shown):
        if found.span() not in chosen:
            yield Fraction(found[0]), Fraction(1, 10 ** (len(found[0]) - found[0].index(".") - 1))


_NOT_UNDERSTOOD = ("line_unread", "table_unread", "numbers_unnamed", "taken_as_given", "defined_anew", "name_unknown")


def _left_alone(listed: Iterable[NotChecked], source: str) -> set[int]:
    """Where the numbers begin that were understood as something, and left alone for a reason.

    What begins with a sign, × 12 layers = …, only waits for what stands above it.
    """
    breaks = LineBreaks.of(source)
    meant = (n for n in listed if not (n.reason.key.startswith("formula_") or n.reason.key in _NOT_UNDERSTOOD))
    meant = (n for n in meant if n.line is not None and n.column is not None and n.text.lstrip()[:1] not in "×·*+÷")
    return {offset for each in meant for offset in offsets_of_numbers(each, source, breaks)}


_RESULTS = regex(
    r"\b(?:weights?|probabilit|softmax|attention|scores?|logits?|similarit|shares?\b|gewicht|poids|pesos)|вес[аоы]|重み|가중치|权重|概率|注意力|得分|分数|相似",
    re.I,
)
_CHOSEN = regex(r"\b(?:dropout|rates?|temperatures?|decay|thresholds?|epsilon|momentum)\b|学习率|温度|丢弃|阈值", re.I)


def _results_told(article: Article) -> Iterator[str]:
    """The lines that tell results in words, outside of formulas: the weights are 0.62 for cat and 0.38 for dog."""
    shown, end = "", 0
    for start, stop in sorted(passage.source_span(0, len(passage.text)) for passage in article.passages):
        shown += article.shown[end:start] + " "
        end = max(end, stop)
    for line in (shown + article.shown[end:]).splitlines():
        if _RESULTS.search(line):
            yield line


def _in_place(listed: Iterable[NotChecked]) -> tuple[NotChecked, ...]:
    return tuple(sorted(listed, key=lambda n: (n.line or 0, n.column or 0)))


MOST_TO_NUMBERS = 1_500  # characters from a formula in letters to the numbers that are put in it


def _read(article: Article, unread: list[NotChecked]) -> Iterator[tuple[f.Chain, Source]]:
    """The chains of all passages, each with what surrounds it; what is not understood is noted."""
    end = displayed = 0  # where the last formula ended, and the last with numbers of its own line
    example = section = byte_factors = formula_end = 0
    unread_names: set[str] = set()  # what was set since the last formula that was read, in those that were not
    kind = said = ""  # that of the formula before, and the words before that
    whole = ended = True  # whether the formula before was read, and whether it came to its end
    for k, passage in enumerate(article.passages[:MOST_PASSAGES]):
        start, stop = passage.source_span(0, len(passage.text))
        between = article.shown[end:start]
        lines_before = article.shown[article.shown.rfind("\n", 0, end) + 1 : start]
        if factors := count_byte_factors(lines_before):
            byte_factors, formula_end = factors, start
        example += begins_an_example(between)
        section += _headings(between, kind, passage.kind)
        kind = passage.kind
        if kind in ("code", "comment"):
            unread_names |= {match[1] for match in _DECLARED.finditer(between[:MOST_BETWEEN])}
        for alone in _SET_ALONE.finditer(between[:MOST_BETWEEN]):
            unread_names |= set() if _is_legend(*alone.groups()) else _names_set(alone[1] + "=")
        goes_on = _goes_on(between, passage.text)
        announced = whole and _is_announced(between, passage.kind)
        label = _label(article.shown, displayed, start, passage.kind)
        if announced and not label:  # `Scale by √d_k = √2:` says of what follows that it is scaled
            label = label_in(article.shown[article.source.rfind("\n", 0, end) + 1 : start])
        if not label and (arrow := _ARROW.match(passage.text)):  # → Weights: [0.3, 0.7], whose caption was taken out
            label = label_in(article.shown[start : passage.source_span(arrow.end(), arrow.end() + 1)[0]])
        led = _FROM.search(said) if _LEADS_TO.fullmatch(label) else None  # `divided, it goes from [2, 4] to [1, 2]`
        if led is not None and not _TEMPERATURE.search(article.shown, max(start - MOST_BEFORE, 0), stop + MOST_AFTER):
            label = f"{said[: led.start()]} {label}"
        said = label
        where = Where(
            unread=frozenset(unread_names),
            goes_on=goes_on and whole,
            announced=announced,
            follows=sum(1 for line in between.split("\n") if _LETTER.search(line)) <= 1,
            label=label,
            kind=passage.kind,
            before=article.shown[max(start - MOST_BEFORE, 0) : start],
            above=article.shown[max(start - MOST_ABOVE, 0) : start],
            after=article.shown[stop : stop + MOST_AFTER],
            whole=article.shown[start:stop],
            row=_row(article.shown, start, stop) if passage.kind == "table" else "",
            section=section,
            example=example,
            byte_factors=byte_factors if start - formula_end <= MOST_TO_NUMBERS else 0,
        )
        half = _is_cut_above(article.shown[max(start - 100, 0) : start], passage)
        half |= goes_on and not (ended and (whole or not _is_lone(passage.text)))
        half |= _is_added_to(article, stop, article.passages[k + 1 : k + 2])
        if passage.kind in _IN_TEXT:
            half |= is_part(article.shown[max(start - FARTHEST, 0) : start], article.shown[stop : stop + MOST_AFTER])
        chains = _chains(passage, unread, where, half=half)
        unread_names = _names_unread(chains, passage.text) if chains else unread_names | _names_set(passage.text)
        yield from _claiming(chains, passage, article.shown, unread)
        if (updated := _UPDATED.search(between)) is not None:
            unread_names |= _names_set(updated["name"] + "=")
        whole, ended, end = bool(chains), not _ENDS_INSIDE.search(passage.text[-20:]), stop
        if passage.kind != "inline" and has_digits(passage.text):
            displayed = stop


def _claiming(
    chains: Sequence[tuple[f.Chain, Source]], passage: Passage, shown: str, unread: list[NotChecked]
) -> Iterator[tuple[f.Chain, Source]]:
    """The chains but those that only say "if one name is another"; equations to be solved are noted."""
    start, _ = passage.source_span(0, len(passage.text))
    supposed = _SUPPOSED.search(shown, max(start - 20, 0), start) is not None
    asked = _TO_SOLVE.search(shown, max(start - 60, 0), start) is not None
    for chain, source in chains:
        to_solve = asked and _is_to_solve(chain)
        if to_solve or not is_of_quantities(chain) or _is_sum_of_more(chain, passage, shown):
            first, last = chain.sides[0].start, chain.sides[-1].end
            reason = Sentence("to_be_solved" if to_solve else "line_unread")
            unread.append(NotChecked(*passage.place(first), passage.text[first:last], reason))
        elif not (supposed and _is_of_names(chain)):
            yield chain, source


_IN_TEXT = ("inline", "line", "code")
_FROM = regex(r"(?:\b(?:from|von|de|da|di|od|từ)|从|由|從|から)\W*$", re.IGNORECASE)
_LEADS_TO = regex(
    r"\W*(?:to|into|zu|auf|in|à|en|a|para|sang|thành|(?:我们|就)?(?:得到|變成|变成|变为|變為|变到|到|成为)了?)\W*",
    re.IGNORECASE,
)
_TEMPERATURE = regex(r"temp[eé]rat|温度|溫度|온도|nhiệt độ|\\tau\b|τ|\bT\s?=", re.IGNORECASE)
_UPDATED = regex(r"(?P<name>(?:[^\W\d]|\\[a-z])\S{0,20})\s*(?:←|⟵)\s*\Z")  # w ← 0.5 − 0.1 · 2 = 0.3
_SET_ALONE = regex(r"^[ \t>*`-]{0,8}([^\W\d]\S{0,20})[ \t]*(?:←|⟵)([^\n]*)\n", re.MULTILINE)  # W ← W − ηG, not read
_LEGEND = regex(  # S ← what softmax is taken of; Q ← Decoder
    r"[ \t*_`]*(?:(?:what|where|which|who|how|from|here|this is|these are)\b[^=\d]*"
    r"|[A-Z][a-z]{1,30}(?<!ed))[ \t*_`.,;:]*"
)
_ARROW = regex(r"→\s*(?=\[)")
_SUPPOSED = regex(
    r"(?:\b(?:if|when|whenever|unless|wenn|falls|si|se|quand)|如果|若|当|當|假如)[ $`*(]*$", re.IGNORECASE
)


_TO_SOLVE = regex(
    r"(?:\bsolv(?:e|es|ing)|\b(?:solutions?|roots?) (?:of|to)|\bequations?|求解|方程)"
    r"(?: the)?(?: equations?)?[\s:：$`(]*$",
    re.IGNORECASE,
)


def _is_to_solve(chain: f.Chain) -> bool:
    """Whether it is an equation for its letters, x² - 986 y² = 1, and no name with its value."""
    match [side.expression for side in chain.sides]:
        case [f.Sum() | f.Product() | f.Call() | f.Power() as left, f.Number()]:
            return any(isinstance(part, f.Name) for part in f.walk(left))
    return False


def _is_sum_of_more(chain: f.Chain, passage: Passage, shown: str) -> bool:
    """Whether a total said to be that of the exponentials before it has that of another number in the list before."""
    match chain.sides:
        case [*_, f.Side(expression=f.Sum()) as added, f.Side(expression=f.Number()) as total]:
            start, end = passage.source_span(added.start, added.end)
            written = "+" in shown[start:end]
            return not written and has_one_left_out(shown, passage.source_span(total.start, total.end)[0])
    return False


def _is_of_names(chain: f.Chain) -> bool:
    """Whether one name is set equal to another: behind "if" this gives it no value."""
    return len(chain.sides) > 1 and all(isinstance(side.expression, f.Name) for side in chain.sides)


def _label(source: str, displayed: int, start: int, kind: str) -> str:
    """The words before a passage; before a table two lines, `### Scale` and `√2 ≈ 1.41:`, which may hold formulas."""
    if kind != "table":
        return label_in(source[max(displayed, start - 2 * LONGEST) : start])
    lines = [line for line in source[max(start - 4 * LONGEST, 0) : start].split("\n") if line.strip()]
    if lines and not _OF_TABLE.match(lines[-1]) and _OF_ROW.fullmatch(lines[-1]):
        lines.pop()
        if lines and _OF_COLUMNS.fullmatch(lines[-1]):
            lines.pop()
    while lines and _OF_TABLE.match(lines[-1]):
        lines.pop()
    words = (label_in(line) for line in lines[-2:] if not (_OF_TABLE.match(line) or _OF_NUMBERS.fullmatch(line)))
    return " ".join(word for word in words if word)


_OF_ROW = regex(  # `qA  [` or `q1 → [`, before the numbers of a row
    r"[ \t>]*(?:[^\W\d_]{2,12}: +)?\S{1,30}[ \t]*(?:(?:→|->|⇒)[ \t]*)?[\[(]?[ \t]*"
)
_OF_COLUMNS = regex(r"[ \t>]*(?:[^\W\d_]{2,12}: )?\S{1,30}(?:[ \t]{2,}(?:[^\W\d_]{2,12}: )?\S{1,30})+[ \t]*")
_OF_NUMBERS = regex(r"[^\[\]]{0,40}\[+(?:[-−+.,\d\s∞]|inf)+\]+[^\[\]]{0,40}")  # the row of another matrix
_OF_TABLE = regex(r"[ \t>]*(?:\||</?t[drh])|.*<table")


def _row(source: str, start: int, stop: int) -> str:
    """The line of a table that a stretch of it stands in; nothing for more than one."""
    line = source[source.rfind("\n", 0, start) + 1 : stop] + source[stop : stop + LONGEST].partition("\n")[0]
    return "" if "\n" in line else line


def _is_announced(between: str, kind: str) -> bool:
    """Whether a formula leads to what stands below it: a table with nothing between, or as `announces` says."""
    if kind != "table":
        return announces(between)
    between = _before_table(between)
    return not between.strip() or announces(between)


def _before_table(between: str) -> str:
    """What stands between a formula and a table, without the header of that and its first label."""
    return _TABLE.split(between, maxsplit=1)[0]


_TABLE = regex(r"(?:^|(?<=\n))[ \t>]*(?=\|)|<table|(?<=\n)[^\n]*\n[ \t]*(?:-{2,}|={2,})(?: +(?:-{2,}|={2,}))+")


def _headings(between: str, before: str, after: str) -> int:
    """How many headings stand between two formulas: no comments of the program that both are lines of."""
    in_program = {before, after} <= {"code", "comment"} and "`" not in between and "~~~" not in between
    return 0 if in_program else between.count("\n#")


def _bits(passages: Sequence[Passage]) -> int:
    """The working precision: enough for the longest number written, twice over."""
    longest = max((len(run) for p in passages for run in _LONG_NUMBER.findall(p.text)), default=0)
    nearest = max((_exponent(found) for p in passages for found in _NEAR_WHOLE.finditer(p.text)), default=0)
    return max(BITS, min(8 * longest, MOST_BITS), min(4 * nearest + BITS, MOST_BITS))


def _exponent(found: re.Match[str]) -> int:
    return int(unicodedata.normalize("NFKC", found["exponent"]))


def _goes_on(between: str, text: str) -> bool:
    """Whether a formula that begins with a relation continues the one before, by what stands between them.

    Nothing but marks does: no word, no label as in `"World" = [2, 3]`, no number, arrow, heading or table. The visible
    half of a formula that was copied from a rendered page is its letters and digits once more.
    """
    between = _COUNTED.sub("", _FENCE.sub("", between))
    if _MARKS_ONLY.fullmatch(between):
        return True
    letters = _NOT_ALNUM.sub("", between)
    if not letters or not set(letters) <= set(text):
        return False
    return sorted(letters) == sorted(_NOT_ALNUM.sub("", _COMMAND.sub("", text)))


def _is_added_to(article: Article, stop: int, following: Sequence[Passage]) -> bool:
    """Whether the next formula is no equation but what is added to the one that ends here: `Z = [1, 0]`, `+ [0, 2]`."""
    for passage in following:
        between = article.shown[stop : passage.source_span(0, 1)[0]]
        added = passage.text.lstrip().startswith("+") and not _RELATED.search(passage.text)
        return added and _MARKS_ONLY.fullmatch(_FENCE.sub("", between)) is not None
    return False


def _is_cut_above(before: str, passage: Passage) -> bool:
    """Whether a line begins with a bracket that belongs to what ends the line above: `3 n` and then `(n − 1) = 6`.

    In a block of code a line after an equation is a line of its own; so it is after one that begins with a bracket too,
    and behind the two spaces that break a line. A number below another one is the next of a column that is added up.
    """
    if _NUMBER_ALONE.match(passage.text) and _BELOW_A_NUMBER.search(before):
        return True
    if not passage.text.startswith("(") or _ENDS_IN_FACTOR.search(before) is None:
        return False
    above = before.rstrip("\n").rpartition("\n")[2]
    if _EQUATION_IN_BRACKETS.fullmatch(above) or (above.endswith("  ") and _RELATED.search(above)):
        return False
    return passage.kind != "code" or _RELATED.search(before.rstrip().rpartition("\n")[2]) is None


def _is_lone(text: str) -> bool:
    """Whether a text is one side of an equation whose other side stands before it."""
    related = _BEGINS_RELATED.match(text)
    return related is not None and _RELATED.search(text, related.end()) is None


_NUMBER_ALONE = regex(r"[-−+]?\d[\d.,]*[ \t]*\n")
_BELOW_A_NUMBER = regex(r"(?:\A|\n)[ \t]*[-−+]?\d[\d.,]*[ \t]*\n[ \t]*\Z")
_ENDS_IN_FACTOR = regex(r"(?:[\d²³ᵀ⊤)\]]|(?<![^\W\d])[^\W\d])[ \t]*\n[ \t]*\Z")
_EQUATION_IN_BRACKETS = regex(r"[ \t]*\([^A-Za-z=≈]*[=≈]\s*[-−+]?[\d.,]*\d[ \t]*")  # (2 − 3.8)² = 3.24
_COUNTED = regex(
    r"^[ \t]*(?:bytes?|字节|elements|parameters|params|FLOPs?|tokens|个(?:参数|元素)?)(?=[ \t]*\n)", re.IGNORECASE
)
_FENCE = regex(r"^[ \t>]*(?:`{3,}|~{3,})[ \t]*\w*[ \t]*$", re.MULTILINE)
_MARKS_ONLY = regex(r"(?:[\s$\[\](){}.,;:*`>]|\\|<br\s?/?>|</?(?:p|div|span|code|pre)\b[^<>]{0,200}>)*+")
_NOT_ALNUM = regex(r"[\W_]+")
_COMMAND = regex(r"\\(?:begin|end)\{\w+\}|\\[A-Za-z]+")
_SHOWS_SIGNS = regex(
    r"\s*\+[\d.]+\s*[-+−*×·]\s*[-+−(]{0,2}[\d.]+\)?\s*(?:=|≈|\\approx)\s*[-+−]\d"  # +0.5 + 1.0 = +1.5 shows its signs
)
_BEGINS_INSIDE = regex(r"\s*(?:\+|\\times|\\cdot|[×·*/@])")
_SAID = regex(r"[^\W\d_]{2,}(?:[^\n]*[=≈]\s*[-+−]?[\d.]+)?[^\w\n]*\Z")  # words, or a result behind words
_BEGINS_RELATED = regex(r"\s*(?:[=≈]|\\approx)")
_RELATED = regex(r"[=≈]|\\approx")
_ENDS_INSIDE = regex(r"(?:[-+−×·*/@=≈(]|\\times|\\cdot|\\approx)\s*$")


def _chains(passage: Passage, unread: list[NotChecked], where: Where, *, half: bool) -> list[tuple[f.Chain, Source]]:
    """The chains of a passage; what is not understood is noted, if there are numbers in it.

    What begins with the sign of an operation is half an expression, unless words before it on its line show that the
    sign is that of a number; and so is, with `half`, what goes on with a formula that was not read.
    """
    signed = _SHOWS_SIGNS.match(passage.text) and _SAID.search(where.before.rpartition("\n")[2])
    if half or (_BEGINS_INSIDE.match(passage.text) and not signed):
        read: tuple[f.Chain, ...] | FormulaError = FormulaError(Sentence("half_an_expression"), 0, len(passage.text))
    else:
        read = passage.parsed
        if isinstance(read, FormulaError):
            read = f.parse_abreast(passage.text) or f.parse_sides(passage.text, commas=passage.commas) or read
    if not isinstance(read, FormulaError):
        source = Source(passage.text, passage.place, passage.source_span, where)
        own = [chain for k, chain in enumerate(read) if not k or not _adds(chain, passage.text)]
        for chain in read if len(own) < len(read) else ():
            if chain not in own:
                start, end = chain.sides[0].start, chain.sides[-1].end
                half_of = Sentence("half_an_expression")
                unread.append(NotChecked(*passage.place(start), passage.text[start:end], half_of))
        return [(with_one_spelling(chain), source) for chain in own]
    if has_digits(passage.text):
        line, column = passage.place(read.start if "\n" not in passage.text else 0)
        assert isinstance(read.message, Sentence)
        unread.append(NotChecked(line, column, passage.text, read.message))
    return []


def _adds(chain: f.Chain, text: str) -> bool:
    """Whether a chain behind a comma adds to the result before it, `2 + 3 = 5, + 4 = 9`."""
    return text[chain.sides[0].start :].lstrip().startswith("+")


def _names_set(text: str) -> set[str]:
    """The names that are set by an equals sign or an arrow in a text that was not read, with their indices."""
    names = (_COMMAND.sub("", match[1]) for match in _SET.finditer(text[:5_000]))
    return {re.sub(r"[\s{}()^_\\]", "", name) for name in names}


def _is_legend(name: str, said: str) -> bool:
    """Whether an arrow to the left points from words to what they are of, and gives no other value."""
    return _LEGEND.fullmatch(said) is not None and name not in said.split()


def _names_unread(chains: Sequence[tuple[f.Chain, Source]], text: str) -> set[str]:
    """The names that sides end in which were not understood, `1, N` in `b = 1, N = 2`."""
    sides = (side for chain, _ in chains for side in chain.sides if isinstance(side.expression, f.Unread))
    return {name for side in sides for name in _names_set(text[side.start : side.end] + "=")}


_SET = regex(
    r"((?:\\?[A-Za-zΑ-ω]\w{0,30}|\\[a-z]{2,10}\{\w{1,30}\})(?:[_^](?:\{[\w\\()]{1,20}\}|\w))*+)"
    r"(?:\[\w{0,9}\]){0,3}[\s}]*(?:=|≈|\\approx|:=|←|⟵|\\(?:long)?leftarrow|\\gets)"
)


# `float q[4] = { 1, 0 };`, `let q: [f32; 2] = [1, 0];` in lines of a program that are not read
_DECLARED = regex(
    r"^[ \t]*(?:[A-Za-z][\w:<>*&]{0,30}[ \t]+){1,4}\**(\w{1,30})(?:\[\w{0,9}\]|:[^=\n]{1,40}| )*+=(?!=)", re.M
)


def _in_order(read: Sequence[tuple[f.Chain, Source]], chains: Chains) -> None:
    """Read the chains as they stand, except that what is given once and for all may be given after its first use."""
    given = _keep_first_given([chain for chain, _ in read])
    last = max(given.values(), default=-1)
    done: set[int] = set()
    inputs = inputs_beside(read)
    for k, (chain, source) in enumerate(read):
        for name in _names_used(chain) if k < last else ():
            later = given.get(name, -1)
            same = later > k and read[later][1].where.example == source.where.example
            if not same or later in done or chains.environment.knows(name):
                continue
            if not _puts_in_another(chain, read[later][0]):
                done.add(later)
                chains.environment.ahead.add(name)
                chains.expected.inputs = inputs[later]
                chains.read_apart(*read[later])
        chains.expected.inputs = inputs[k]
        if k in done:
            chains.environment.ahead.discard(chain.sides[0].expression)
        else:
            chains.read(chain, source)


def _puts_in_another(chain: f.Chain, given: f.Chain) -> bool:
    """Whether a chain puts numbers in for its letters, w − 0.1·w = 1 − 0.1, of which none is the one that is given."""
    worked = [list(f.walk(side.expression)) for side in chain.sides[1:] if not f.is_printed(side.expression)]
    plain = [part for parts in worked if not any(isinstance(part, f.Name) for part in parts) for part in parts]
    value = list(f.walk(given.sides[-1].expression))
    lone = not any(isinstance(part, f.Matrix) for part in value)
    return lone and bool(plain) and _numbers(plain).isdisjoint(_numbers(value))


def _numbers(parts: Sequence[f.Expression]) -> set[Fraction]:
    return {part.value for part in parts if isinstance(part, f.Number)}


def _keep_first_given(chains: Sequence[f.Chain]) -> dict[f.Expression, int]:
    """Names that one chain states in numbers, without a formula, and no other states at all."""
    stated: Counter[f.Expression] = Counter(_defined_by(chain) for chain in chains)
    return {
        chain.sides[0].expression: k
        for k, chain in enumerate(chains)
        if len(chain.sides) == 2
        and isinstance(chain.sides[0].expression, f.Name)
        and chain.sides[0].relation == ""
        and f.is_printed(chain.sides[1].expression)
        and stated[chain.sides[0].expression] == 1
    }


def _defined_by(chain: f.Chain) -> f.Expression:
    """What a chain begins with; (S_1)_ij says what S_1 is."""
    first = chain.sides[0].expression
    return first.operand if isinstance(first, f.Entry) else first


def _names_used(chain: f.Chain) -> list[f.Expression]:
    """The names in the formulas of a chain; the one that it defines is not used, nor the n of n - 1 = 6, which is 7."""
    first = chain.sides[0].expression
    terms = first.terms if isinstance(first, f.Sum) else ()
    if {type(term) for term in terms} == {f.Name, f.Number} and sum(isinstance(x, f.Name) for x in terms) == 1:
        return []
    first = first.base if isinstance(first, f.Power) else first  # s² = 20/3, of which s is the root
    sides = chain.sides[1:] if isinstance(first, f.Name | f.Entry) else chain.sides
    formulas = (side.expression for side in sides if not f.is_printed(side.expression))
    return [part for e in formulas for part in f.walk(e) if isinstance(part, f.Name)]
