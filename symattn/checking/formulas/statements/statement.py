"""The statements of an article: every formula that is read, with where it stands and the words around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from symattn.checking.formulas.statements.batch_indices import chain_without_batches
from symattn.checking.formulas.statements.counted_sums import find_lengths
from symattn.checking.formulas.statements.in_code import cut_out, find_in_code, without_modules
from symattn.checking.formulas.statements.in_place import with_steps
from symattn.checking.formulas.statements.norm_rows import find_norm_rows
from symattn.checking.formulas.statements.rows import read_rows, read_system
from symattn.checking.formulas.statements.score_names import find_score_name, find_similarity, named_as, put_in
from symattn.checking.formulas.statements.softmax_rows import chain_with_softmax_rows
from symattn.checking.formulas.statements.weight_names import name_weights
from symattn.checking.formulas.statements.written_sums import chain_with_written_sums
from symattn.checking.naming import is_of_quantities, rewrite_sides
from symattn.errors import FormulaError
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article, Located, Passage

MOST_PASSAGES = 4_000
LONGEST = 4_000  # characters of a passage
WORDS = 300  # characters of the text before and after that are looked at


@dataclass(frozen=True)
class Statement:
    """`left = right = ...` as printed: its sides are trees of `reading.formula`.

    One side alone, `x + LayerNorm(Sublayer(x))`, is a statement too: the words around it say of what. A chain that
    begins with a relation goes on with the one before: its first side is that of `head`.
    """

    chain: f.Chain
    passage: Passage
    number: int  # which of the article's statements it is
    before: str  # the words in front, up to the formula before it
    after: str
    head: Statement | None = None

    @cached_property
    def sides(self) -> tuple[f.Side, ...]:
        """All sides; of a chain that goes on with another, that one's first side in front."""
        own = self.chain.sides
        return (self.head.sides[0], *own) if self.head is not None and own[0].relation else own

    @property
    def left(self) -> f.Expression:
        return self.sides[0].expression

    @cached_property
    def equals(self) -> tuple[f.Expression, ...]:
        """The sides that are said to be equal, `a = b = c`, without what stands behind ∈ or ≤."""
        return tuple(s.expression for s in self.sides if s.relation in EQUAL)

    @cached_property
    def start(self) -> int:
        """Where it begins in its passage, a font command in front included."""
        found = _FONT.search(self.passage.text, 0, self.chain.start)
        return self.chain.start if found is None else found.start()

    @property
    def text(self) -> str:
        """As printed."""
        return self.passage.text[self.start : self.chain.end].strip()

    def printed(self, part: f.Expression | f.Side) -> str:
        """A part of it as printed."""
        return self.passage.text[part.start : part.end]

    def with_text(self, made: str, first: f.Expression | f.Side, last: f.Expression | f.Side | None = None) -> str:
        """The whole with other text for a part, or for what stands from one part to another."""
        text = self.passage.text
        return text[self.start : first.start] + made + text[(last or first).end : self.chain.end]

    def rewritten(self, change: Callable[[f.Expression], f.Expression]) -> Statement:
        """With every part of its sides changed, but for those of its head."""
        return replace(self, chain=rewrite_sides(self.chain, change))

    @cached_property
    def span(self) -> tuple[int, int]:
        """Where it stands in the source of the article."""
        return self.passage.source_span(self.start, self.chain.end)

    @cached_property
    def place(self) -> tuple[int, int]:
        """Line and column, from 1."""
        return self.passage.place(self.start)


_FONT = regex(r"\\(?:math[a-z]+|boldsymbol|bm|text[a-z]*|operatorname)\s*\Z")
Change = Callable[[f.Expression], f.Expression]
EQUAL = ("", "=", ":=", "≡", "==", "≈")


def gather(article: Article) -> tuple[Statement, ...]:
    """The statements of an article in order; what cannot be read states nothing here."""
    found: list[Statement] = []
    end = 0
    all_found = [*article.passages[:MOST_PASSAGES], *_in_programs(article), *_across_marks(article)]
    all_found += _apart(_in_words(article), all_found)
    for find in (_normed, _in_comments, find_in_code):
        all_found += _apart(find(article), [p for p in all_found if not _is_unstated(p)])
    readable = (p for p in all_found if len(p.text) <= LONGEST and not _is_unstated(p))
    passages = sorted(readable, key=lambda p: p.source_span(0, 0))
    spans = [p.source_span(0, len(p.text)) for p in passages]
    for k, passage in enumerate(passages):
        start, stop = spans[k]
        before = article.words[max(end, start - WORDS) : start]
        following = spans[k + 1][0] if k + 1 < len(spans) else len(article.words)
        after = article.words[stop : min(stop + WORDS, max(following, stop))]
        for chain in map(_as_usual, _apart_at_arrows(_without_orders(_chains(passage), passage.text))):
            if not is_of_quantities(chain):
                continue
            head = found[-1] if chain.sides[0].relation and found and not _words(before) else None
            found.append(Statement(chain, passage, len(found), before, after, head))
            before = ""
        end = stop
    found = [
        replace(each, chain=chain) for each, chain in zip(found, with_steps([e.chain for e in found]), strict=True)
    ]
    whole = tuple(_with_whole_sums(found))
    return tuple(_with_loss(tuple(_of_one_row(_with_sum_name(_with_score_name(whole)))), article.words))


def _as_usual(chain: f.Chain) -> f.Chain:
    return chain_without_batches(chain_with_softmax_rows(chain_with_written_sums(_without_title(chain))))


def _without_title(chain: f.Chain) -> f.Chain:
    """The chain without words in front of it, `\\text{Weights}&: A = softmax(S)`."""
    match chain.sides:
        case (f.Side("", f.Name(text=text)), f.Side(":") as first, *rest) if rest and text.startswith(r"\text"):
            return replace(chain, sides=(replace(first, relation=""), *rest), start=first.start)
    return chain


def _with_loss(statements: Sequence[Statement], source: str) -> Iterator[Statement]:
    """The statements with L for a cost C, where an article differentiates C by other letters and no L."""
    cost = bool(_COST.search(source) and _CALLED_COST.search(source)) and _LOSS.search(source) is None

    def named(part: f.Expression) -> f.Expression:
        return replace(part, base="L") if isinstance(part, f.Name) and part.base == "C" and not part.sub else part

    return _rewritten(statements, named) if cost else iter(statements)


def _with_score_name(statements: Sequence[Statement]) -> Sequence[Statement]:
    """The statements with one letter for the QK, or the sim(Q_i, K_j), that a line says to be the scores or weights."""
    made = find_similarity([statement.chain for statement in statements])
    statements = tuple(_rewritten(statements, put_in(made))) if made else statements
    weights = name_weights([statement.chain for statement in statements])
    statements = statements if weights is None else tuple(_rewritten(statements, weights))
    name = find_score_name([statement.chain for statement in statements])
    return statements if name is None else tuple(_rewritten(statements, named_as(name)))


def _with_sum_name(statements: Sequence[Statement]) -> Sequence[Statement]:
    """The statements with Z_i for an L_i that a line says to be the sum of a row's exponentials, and no loss."""
    bases = {name.base for s in statements for side in s.sides for name in names(side.expression)}
    given = [s for s in statements if len(s.equals) > 1 and isinstance(s.left, f.Name) and s.left.base == "L"]
    if "Z" in bases or not given or not all(map(_is_sum_of_row, given)):
        return statements

    def named(part: f.Expression) -> f.Expression:
        return replace(part, base="Z") if isinstance(part, f.Name) and part.base == "L" and part.sub else part

    return tuple(_rewritten(statements, named))


def _is_sum_of_row(statement: Statement) -> bool:
    """Whether it is L_i = Σ_j e^{S_ij}."""
    match statement.equals:
        case (f.Name("L", (_,), ()), f.BigSum(_, _, _, f.Call("exp", (f.Name(),))), *_):
            return True
    return False


def _with_whole_sums(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements with the sum of a softmax over all entries where a number counts these."""
    lengths = find_lengths([statement.chain for statement in statements])
    return _changed(statements, lambda statement: lengths.change(statement.chain))


def _of_one_row(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements with x_j for the x_{ij} of a norm, where they are of one row."""
    rows = find_norm_rows([statement.chain for statement in statements])
    return iter(statements) if rows is None else _changed(statements, lambda s: rows.of_a_row(s.chain, s.left))


def _rewritten(statements: Sequence[Statement], change: Change) -> Iterator[Statement]:
    """The statements with every part of their sides changed."""
    return _changed(statements, lambda _: change)


def _changed(statements: Sequence[Statement], change_of: Callable[[Statement], Change | None]) -> Iterator[Statement]:
    """The statements with every part of their sides changed, each in its own way or not at all."""
    made: dict[int, Statement] = {}
    for statement in statements:
        change = change_of(statement)
        head = None if statement.head is None else made[statement.head.number]
        made[statement.number] = replace(statement if change is None else statement.rewritten(change), head=head)
        yield made[statement.number]


_COST = regex(r"\\frac\s*\{\s*(?:\\partial|∂)\s*C\s*\}|∂C\s*/\s*∂|\\nabla_\{?\w+\}?\s*C\b")
_CALLED_COST = regex(r"\bcost\b|\bloss\b|代价|代價|损失|損失", re.IGNORECASE)
_LOSS = regex(r"(?:\\partial|∂)\s*(?:\\\w+\s*\{?\s*)?L\b|(?:\\partial|∂)\s*\\ell\b")


_ORDER = regex(r"\s*(?:(?:\\(?:math|text)\w*)?\{\s*O\s*\}|\\?(?:Theta|Omega)\b|[OΘΩ])\s*(?:\\left)?\s*\(")


def _without_orders(chains: Sequence[f.Chain], text: str) -> Iterator[f.Chain]:
    """The chains up to a side that gives an order of growth, O(n² d): what is "equal" to it is so in no other sense."""
    for chain in chains:
        order = next((k for k, side in enumerate(chain.sides) if _ORDER.match(text, side.start)), None)
        if order is None:
            yield chain
        elif order > 1:
            yield replace(chain, sides=chain.sides[:order], end=chain.sides[order - 1].end)


def _apart_at_arrows(chains: Iterable[f.Chain]) -> Iterator[f.Chain]:
    """The chains, of which X → Q = X W are two: what is made of X is not equal to it."""
    for chain in chains:
        arrows = [k for k, side in enumerate(chain.sides) if k and side.relation == "→"]
        for start, stop in pairwise((0, *arrows, len(chain.sides))):
            first, *rest = chain.sides[start:stop]
            sides = (replace(first, relation="") if start else first, *rest)
            yield replace(chain, sides=sides, start=sides[0].start, end=sides[-1].end) if arrows else chain


def _is_unstated(passage: Passage) -> bool:
    """Whether it says that a program computes a name by means that are not read."""
    return passage.text.endswith("= unstated")


# `Attention(Q, K, V) = ...` among the lines of a program is no assignment but a formula
_FORMULA = regex(r"^[ \t]*(?:#[ \t]*)?([A-Za-z_]\w*\([^()=\n]*\)[ \t]*=(?!=)[^=\n#]+)", re.MULTILINE)
# `x + Sublayer(LayerNorm(x))` in a line of text or of a program
_INSIDE = r"\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)"
_NORMED = regex(
    rf"(?<![\w.$\\])(?:[A-Za-z]\w{{0,9}}'?[ \t]*=[ \t]*)?(?:\w{{1,3}}[ \t]*\+[ \t]*)?"
    rf"(?:[Ll]ayer ?Norm|RMSNorm|Norm|norm|LN|Sub-?[Ll]ayer|sublayer|Attention|FFN|F){_INSIDE}"
    rf"(?:[ \t]*\+[ \t]*(?:\w{{1,12}}{_INSIDE}|\w{{1,3}}(?![\w(])))?(?![ \t]*[+\-*/@(])"
)
# `a_12` = $q_1 k_2$, `w` = softmax(`a` / $2$): pieces of mathematics and what stands between them as text
_MARKED = r"(?:`[^`\n$=]{1,200}`|\$[^`\n$=]{1,200}\$"
_SPLIT = regex(_MARKED + r")[ \t]*=" + _MARKED + r"|[ \tA-Za-z(){}\[\]+\-*/^_·×√])+")
_SET = regex(r"\s*[^{}=]{1,30}=\s*\\?\{(.*=.*?)\\?\}\s*\Z", re.DOTALL)
_MARK = regex(r"[`$]")
# `O = PV`, `P ∈ ℝ^{N×N}` among words
_PIECE = r"[ \t]*[^\s,;:=，；。、∈$`\\\[\]]+"
_FACTOR = r"[A-Z](?:_\w|_\{[^{}\n]{1,9}\})?\^?(?:[Tᵀ⊤](?!\w)|\{[T⊤]\})"  # R_m^T
_IN_WORDS = regex(
    rf"(?<![\w$`\\])((?:{_FACTOR}[ \t]*[·@]?[ \t]*)?[A-Z][A-Za-z_]{{0,9}}[ \t]*"
    rf"(?:={_PIECE}(?:[ \t]*[+·/⊙@]{_PIECE}|[ \t]+[A-Z](?:\^?[Tᵀ⊤])?(?!\w))*"
    r"(?:[ \t]*∈[ \t]*ℝ\^(?:\{[^{}\n]{1,40}\}|\([^()\n]{1,40}\)))?"
    r"|∈[ \t]*ℝ\^(?:\{[^{}\n]{1,40}\}|\([^()\n]{1,40}\))))"
)
_LABELLED = r"(?:_\{?\w{1,5}\}?)?"
_WEIGHED = regex(  # q_i = W_q x_i, z = W x + b
    rf"(?<![\w$`\\])([a-z]{_LABELLED}[ \t]*=[ \t]*(?:W{_LABELLED}[ \t]*[·@]?[ \t]*[a-z]{_LABELLED}|"
    rf"[a-z]{_LABELLED}[ \t]*[·@]?[ \t]*W{_LABELLED})(?:[ \t]*\+[ \t]*b{_LABELLED})?)"
    rf"(?![\w(\[^]|[ \t]+[b-z]{_LABELLED}(?!\w))"
)
# a factor, or an operator, in front of what is found
_GOES_ON = regex(r"(?:(?<!\w)[A-Za-z](?:_\w|_\{[^{}\s]*\})|[\^ᵀ⊤][^\s,;:.=]{0,9}|(?<![-*])[-+*/@·×−⊙])[ \t]+\Z")


_GOES_FURTHER = regex(r"[ \t]*(?:[*/×⊙^]|[(\[](?=\w))|[ \t]+[-+−][ \t]*(?:[A-Z\d(]|[a-z](?:\b|_))")


def _apart(found: Iterator[Passage], others: Sequence[Passage]) -> list[Passage]:
    """Those that overlap no other."""
    taken = sorted(p.source_span(0, len(p.text)) for p in others)
    kept = []
    for passage in found:
        start, end = passage.source_span(0, len(passage.text))
        k = bisect_right(taken, (end, 0))
        if all(stop <= start for _, stop in taken[max(k - 3, 0) : k]):
            kept.append(passage)
    return kept


def _in_programs(article: Article) -> Iterator[Passage]:
    """Formulas that stand as lines of a program."""
    for block in article.seen:
        if block.kind == "program":
            for match in _FORMULA.finditer(block.text):
                yield cut_out(block, *match.span(1))


_DISPLAY = regex(r"\$\$([^$\n]{3,400})\$\$")
_COMMENT = regex(
    r"^[ \t]*(?:#+|//+|\*|--|%+)[ \t]*([^\W\d_]\w*'?(?:\[[^\]\n]{1,20}\])?[ \t]*=(?!=)[^=\n#]*[-+*/@√(][^=\n#]*)$",
    re.MULTILINE,
)


# `dS = P * (dP - rowsum(dP * P))`, a line of a backward pass
_BACKWARD = regex(r"^[ \t]*(d[A-Z](?:_?[a-z])?[ \t]*\+?=(?!=)[^=\n#]*[*@][^=\n#]*)", re.MULTILINE)
# `result = att @ W_o`, a line of its own
_MULTIPLIED = regex(r"^[ \t]*([A-Za-z]\w*'?[ \t]*=(?!=)[\w.()+ \t]*@[\w.()+@ \t]*)$", re.MULTILINE)
# `o_t = S_t q_t   # read`, two letters of a step beside each other
_OF_STEP = r"[A-Za-z]_[a-z](?:\^T|ᵀ|⊤)?"
_READ = regex(
    rf"^[ \t]*([A-Za-z]_[a-z][ \t]*=[ \t]*{_OF_STEP}[ \t]+{_OF_STEP})[ \t]*(?:(?:#|//|←|--).*)?$", re.MULTILINE
)


def _in_comments(article: Article) -> Iterator[Passage]:
    """Equations that are lines of a program's comments, `# y = (x - mu) / sqrt(var + eps)`, or stand there as LaTeX,
    and products of matrices that are lines of a block which is no program."""
    for block in article.seen:
        if block.kind in ("program", "code"):
            patterns = (
                ((_COMMENT, "code"), (_BACKWARD, "code"), (_DISPLAY, "display")) if block.kind == "program" else ()
            )
            for pattern, kind in patterns or ((_MULTIPLIED, "code"), (_READ, "code")):
                for match in pattern.finditer(block.text):
                    yield cut_out(block, *match.span(1), kind)


def _normed(article: Article) -> Iterator[Passage]:
    """Where the norm stands, in a line of text or of a program: `x + Sublayer(LayerNorm(x))`."""
    for block in article.seen:
        if block.kind not in ("line", "text", "program"):
            continue
        for match in _NORMED.finditer(block.text):
            if "+" in match[0] and re.search(r"norm|LN", match[0], re.I):
                yield cut_out(block, *match.span())


def _across_marks(article: Article) -> Iterator[Passage]:
    """Equations whose sides are marked as mathematics or code each for itself."""
    if not article.passages or article.cells:
        return
    breaks = article.passages[0].breaks
    for match in _SPLIT.finditer(article.words):
        piece = Located.whole(match[0], match.start()).without(m.span() for m in _MARK.finditer(match[0]))
        yield Passage(piece.text, "line", piece.runs, *breaks.position(match.start()), breaks)


def _in_words(article: Article) -> Iterator[Passage]:
    """Short equations and shapes in a line of text, `O = PV with P ∈ ℝ^{N×N}`."""
    for block in article.seen:
        if block.kind not in ("line", "text"):
            continue
        for match in (*_IN_WORDS.finditer(block.text), *_WEIGHED.finditer(block.text)):
            line = block.text[block.text.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
            if "\\" in line or re.search(r"[0-9]{2}", match[1]):
                continue  # LaTeX beside its own letters, as copied from a rendered page
            if _GOES_ON.search(block.text, max(match.start(1) - 30, 0), match.start(1)):
                continue  # the rest of a longer formula
            if _GOES_FURTHER.match(block.text, match.end()):
                continue  # the beginning of one: S = Q @ K^T * scale
            passage = cut_out(block, *match.span(1), "line")
            yield replace(passage, text=passage.text.rstrip(".)"))


def _chains(passage: Passage) -> Sequence[f.Chain]:
    """A passage that prints numbers is read as for those who judge these; any other as algebra."""
    if any(f.is_printed(side.expression) for chain in passage.chains for side in chain.sides):
        return passage.chains
    text = as_mathematics(passage.text)
    system = read_system(text)
    if system:
        return system
    latex = passage.kind in ("display", "inline")
    try:
        return f.parse(_separate_cells(_separate_lines(text)), algebra=True, latex=latex, words=passage.words)
    except (FormulaError, RecursionError):
        rows = read_rows(text) if passage.kind in ("display", "inline") else ()
        return _in_braces(text) or rows


def as_mathematics(text: str) -> str:
    """The text with what a program writes in it as mathematics; as long as before, so that places stay.

    `dQ \\mathrel{+}= dS K` of a loop over blocks is the equation that it is for one block that is all.
    """
    text = _ESCAPED_TWICE.sub(r" \\", without_modules(text))
    text = _CAPITALS.sub("Att", text)
    text = _ALONG.sub(lambda found: f"{found[2]}_{{{found[1].rjust(len(found[0]) - len(found[2]) - 3)}}}", text)
    text = _OPTION.sub(lambda found: " " * len(found[0]), text)
    text = _REMARK.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text)
    text = _DELTAS.sub(lambda found: found[0].replace(r"\delta", "∂     "), text)
    text = _BOLD_SLOPE.sub(lambda found: f"d{found[1]}{{{found[2]}}}".ljust(len(found[0])), text)
    text = _BOLD_ROW.sub(lambda found: f"d{{{found[1]}}}{found[2]}".ljust(len(found[0])), text)
    text = _KRONECKER.sub(lambda found: f"δ_{{{found[1]}{found[2]}}}".ljust(len(found[0])), text)
    text = _DIMENSION.sub(lambda found: found[1].center(len(found[0])), text)
    text = _ROW_INDEX.sub(lambda found: f"_{{{found[1]}:}}", text)
    text = _ROW_SUM.sub(lambda found: "rowsum".rjust(len(found[0])), text)
    return _ADDED.sub(lambda found: f"{found[1]}{' ' * (len(found[0]) - len(found[1]) - 1)}=", text)


_REMARK = regex(r"(^\s*|\\\\\s*)\\text\{[^{}$]*[^\S\n]\}(?=\s*(?:[A-Za-z]|\\[a-z]))")  # `\text{let } l_i = …`
_GROUP = r"\{\s*\\delta(?:\s+[A-Za-z\\]|\s*\\)(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_DELTAS = regex(rf"\\[dtc]?frac\s*{_GROUP}\s*{_GROUP}")  # of ∂L/∂x where some write δ
_BOLD_SLOPE = regex(r"(\\(?:mathbf|boldsymbol|bm|mathrm))\s?\{\s*d\s?([A-Za-z])\s*\}")  # \mathbf{dr} for d\mathbf{r}
_BOLD_ROW = regex(r"\\(?:mathbf|boldsymbol|bm|mathrm)\s?\{\s*d\s?([A-Za-z])(_\{[^{}]*\})\s*\}")  # \mathbf{dP_{i:}}
_KRONECKER = regex(  # 1_{i=j}, 𝕀[i = j]
    r"(?<![\w.}])(?:1(?=_)|[𝟏𝟙𝕀]|\\math(?:bf|bb|rm|ds)\s?\{?[1I]\}?)"
    r"(?:_\{|(?:\\left)?\s?\\?[\[({])\s*([a-z])\s*=\s*([a-z])\s*(?:\\right)?\s?\\?[\])}]"
)
_ESCAPED_TWICE = regex(r"(?<!\\)\\\\(?=(?:left|right|frac|sqrt|text|mathbf|mathrm)\b\s?[({\[|\\])")
_CAPITALS = regex(r"(?<![A-Za-z\\{])ATT(?=\s*(?:\^|_|=|\())")  # one word, no product of A and T
_ALONG = regex(  # \underset{C}{\mathbb{E}}[X], the mean along an axis
    r"\\underset\s?\{\s*(\w+)\s*\}\s?\{\s*(\\math(?:bb|rm)\s?\{?E\}?|E"
    r"|(?:\\operatorname|\\(?:math|text)(?:rm|up)?)\{[Vv]ar\}|\\?[Vv]ar)\s*\}"
)
_OPTION = regex(r"^\s*:[a-z]+:.*$", re.MULTILINE)  # `:label: attention` above the formula of a directive
_ROW_INDEX = regex(r"_\{([a-z]),\}")  # P_{i,}, the row i
_ROW_SUM = regex(r"\brow(?:wise)?_sum(?=\()")
_DIMENSION = regex(r"\\text\{(:|None)\}")  # of `D_i[\text{:}, \text{None}]`


_ADDED = regex(r"(?<![A-Za-z\\])(d(?:\\mathbf\{)?[A-Za-z]\}?(?:_\w|_\{[^{}]*\})?)\s*(?:\\mathrel\{\+\}|\+)\s*=(?!=)")


def _in_braces(text: str) -> Sequence[f.Chain]:
    """The equations of `Θ = {θ_i = …, i ∈ …}`, where they stand."""
    found = _SET.match(text)
    if found is None:
        return ()
    blank = re.sub(r"[^\n]", " ", text[: found.start(1)])  # so that every piece keeps its place
    try:
        return f.parse(blank + found[1], algebra=True)
    except (FormulaError, RecursionError):
        return ()


def _separate_lines(text: str) -> str:
    """A text of several equations, one to a line with nothing between them, with a semicolon for each end of line.

    It is as long as before, so that places stay.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or "\\\\" in text or "\\begin" in text or not all(map(_EQUATION.fullmatch, lines)):
        return text
    return text.replace("\n", ";")


def _separate_cells(text: str) -> str:
    """A row `[x_1\\ \\ x_2]` whose cells stand apart by two spaces, with a comma between them."""
    return _CELLS.sub(lambda found: f"{found[1]},{' ' * (len(found[2]) - 1)}{found[3]}", text)


_CELL = r"(?:[^\[\]&,\\{}]|\{[^{}]*\})*"
_CELLS = regex(rf"(\[{_CELL})((?<!\\)\\ \\ +)({_CELL}\])")
_EQUATION = regex(r"\s*(?:\\frac|\\text|\\math|\\nabla|[A-Za-z])[^=&]*[^=&\s+\-*/(]\s*=[^=&]*[^=&\s+\-*/(,]\s*")


def _words(text: str) -> bool:
    return re.search(r"\w", text) is not None


def signed_terms(e: f.Expression) -> list[tuple[f.Expression, int]]:
    """The terms of a sum with their signs; what is none is its only term."""
    return list(zip(e.terms, e.signs, strict=True)) if isinstance(e, f.Sum) else [(e, 1)]


def names(expression: f.Expression) -> Iterator[f.Name]:
    """The names in an expression, in reading order."""
    return (part for part in f.walk(expression) if isinstance(part, f.Name))
