"""Masks defined by cases: which keys a causal mask shows, and masks of −∞ that are multiplied instead of added."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symattn.checking.findings import Counterexample, Formula
from symattn.checking.formulas.statements.context import Context, conclude, refuse
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.models.conditions import is_otherwise, orders_of
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.reading.articles.article import Article
from symattn.writing.prose import Sentence

CAUSAL = regex(
    r"causal|future|autoregress|auto-regress|look[- ]?ahead|left[- ]to[- ]right|subsequent|decoder|GPT"
    r"|only attends?|attends? only|attend to the past|只能(?:看|关注|注意)|仅能?(?:看|关注|注意)"
    r"|因果|未来|自回归|自回歸|下三角|解码器|後続|未来|因果|인과|미래",
    re.IGNORECASE,
)
REVERSED = regex(
    r"anti-?causal|revers|right[- ]to[- ]left|backward mask|hides? the past|upper[- ]triang|反向|倒序"
    r"|columns? (?:is|are|index)[^.]{0,20}quer|\bj\b[^.]{0,20}(?:is|为|是)[^.]{0,10}(?:quer|查询)"
    r"|\bi\b[^.]{0,20}(?:is|为|是)[^.]{0,10}(?:key|键)"
    r"|(?:\brows?\b|lignes|filas|linhas|Zeilen|行)[^.。]{0,25}(?:\bkeys?\b|clés|claves|chaves|Schlüssel|键|キー)"
    r"|index(?:es|ing)?\b[^.]{0,12}\bkeys?|visible (?:to|for)|each column|column-?wise|按列|每一?列"
    r"|\bfrom\b[^.]{0,20}\bi\b[^.]{0,10}\bto\b|从[^。]{0,9}i[^。]{0,5}到"
    r"|(?:only|just) [^.]{0,20}\bfuture|\bfuture only|(?:from|see|sees) [^.]{0,6}\bfuture|[看见]到?[^。]{0,4}未来"
    r"|(?:hid\w+|mask\w*)[^.]{0,15}(?:earlier|came before|past)|\bbackward|\bbug\b|mistake|\bwrong|invert",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mask:
    """What a definition by cases says, by the order of query and key: -1 where the key lies before the query."""

    rows: tuple[str, str]  # the letters of row and column
    values: Mapping[int, f.Expression]

    @property
    def hides(self) -> bool:
        """Whether it is to be added: there is −∞ in it."""
        return any(is_hidden(value) for value in self.values.values())

    @property
    def shown(self) -> frozenset[int]:
        if self.hides:
            return frozenset(k for k, value in self.values.items() if not is_hidden(value))
        return frozenset(k for k, value in self.values.items() if value == ONE)


ONE, ZERO = (f.Number(text, value, value) for text, value in (("1", 1), ("0", 0)))  # type: ignore[arg-type]


def is_hidden(value: f.Expression) -> bool:
    return isinstance(value, f.Infinity) and value.sign < 0


def mask_of(statement: Statement) -> Mask | None:
    """The mask that a statement defines, M_ij by the order of i and j."""
    sides = statement.equals
    cases = next((side for side in sides[1:] if isinstance(side, f.Cases)), None)
    if cases is None or not isinstance(sides[0], f.Name):
        return None
    letters = "".join(sides[0].sub or sides[0].item)
    if not re.fullmatch(r"[a-z]{2}", letters) or letters[0] == letters[1]:
        return None
    values: dict[int, f.Expression] = {}
    rest: f.Expression | None = None
    for value, condition in zip(cases.values, cases.conditions, strict=True):
        orders = orders_of(condition, letters)
        if orders is None:
            if not is_otherwise(condition) or rest is not None:
                return None
            rest = value
            continue
        for order in orders:
            values.setdefault(order, value)
    if rest is not None:
        values = {k: values.get(k, rest) for k in (-1, 0, 1)}
    whole = set(values) == {-1, 0, 1} and len(set(map(_kind, values.values()))) == 2
    return Mask((letters[0], letters[1]), values) if whole else None


def _kind(value: f.Expression) -> str:
    if isinstance(value, f.Infinity):
        return "-∞" if value.sign < 0 else "∞"
    return str(value.value) if isinstance(value, f.Number) else type(value).__name__


def judge_mask(statement: Statement, context: Context) -> Formula | None:
    """A mask that the words around it call causal: it has to show a query the keys up to its own."""
    mask = mask_of(statement)
    if mask is None or set(map(_kind, mask.values.values())) - {"-∞", "0", "1"} or keys_stand_in_rows(context):
        return None
    words = _words_about(statement, context)
    if mask.shown == {-1, 0}:
        return conclude(statement, "holds", Sentence("theorem.causal_mask"))
    if mask.shown not in ({0, 1}, {1}) or not CAUSAL.search(words) or REVERSED.search(words):
        return None
    if not mask.hides:
        hidden = Sentence("condition.ones_hide")
        holds = mask.shown == {1}
        return conclude(statement, "holds-if", Sentence("theorem.causal_mask"), condition=hidden) if holds else None
    row, column = mask.rows
    shown = next(value for value in mask.values.values() if not is_hidden(value))
    theorem = Sentence("theorem.future_shown", row=row, column=column)
    point = Counterexample(((row, "1"), (column, "2")), _text(shown), r"-\infty")
    return refuse(statement, theorem, _right(statement, mask, shown), point)


def _right(statement: Statement, mask: Mask, shown: f.Expression) -> str:
    row, column = mask.rows
    name = statement.printed(statement.sides[0]).strip().rstrip("&").strip()
    return (
        f"{name} = \\begin{{cases}} {_text(shown)} & \\text{{if }} {column} \\le {row} \\\\ "
        f"-\\infty & \\text{{if }} {column} > {row} \\end{{cases}}"
    )


def _text(value: f.Expression) -> str:
    return value.text if isinstance(value, f.Number) else r"-\infty"


def _words_about(statement: Statement, context: Context) -> str:
    """The formula's own words and those around it, with the heading above."""
    source = context.article.words
    start, end = statement.span
    heading = re.findall(r"^#+ .*$", source[:start], re.MULTILINE)[-1:]
    return " ".join((*heading, source[max(0, start - 250) : start], source[start:end], source[end : end + 120]))


def keys_stand_in_rows(context: Context) -> bool:
    """Whether the article's scores are KᵀQ, of which each column is a query's."""
    products = (e for s in context.statements for side in s.equals for e in f.walk(side) if isinstance(e, f.Product))
    return any(
        a == f.Transpose(f.Name("K")) and b == f.Name("Q")
        for product in products
        for a, b in zip(product.factors, product.factors[1:], strict=False)
    )


# --- what is done with it


def judge_masking(statement: Statement, context: Context) -> Formula | None:
    """softmax of scores with a mask: −∞ is added, while 0 and 1 are multiplied with what comes out."""
    masks = {**context.once(_find_masks_in_words), **context.once(find_masks)}
    if not masks:
        return None
    for side in statement.equals:
        for part in f.walk(side):
            if not (isinstance(part, f.Call) and part.function == "softmax" and len(part.arguments) == 1):
                continue
            inside = part.arguments[0]
            for name, mask in masks.items():
                if mask.hides and _multiplies(inside, name):
                    return _misused(statement, "theorem.mask_multiplied", name)
                if not mask.hides and _adds(inside, name) and _is_meant_as_mask(mask, statement, context):
                    return _misused(statement, "theorem.mask_added", name)
    return None


def _is_meant_as_mask(mask: Mask, statement: Statement, context: Context) -> bool:
    """Whether its ones are for the keys before or behind a token, or it is called a mask; a bias is rightly added."""
    near = context.around(statement, _NEAR)
    ordered = mask.shown not in (frozenset({0}), frozenset({-1, 1}))
    return (ordered or _MASK.search(near) is not None) and _BIAS.search(near) is None


_NEAR = 400  # characters
_MASK = regex(r"\bmask|maske|masque|máscara|掩码|遮罩|マスク|마스크|attends? to", re.IGNORECASE)
_BIAS = regex(r"\bbias|Bias\b|偏置|バイアス|편향", re.IGNORECASE)


def find_masks(_: Article, statements: Sequence[Statement]) -> Mapping[str, Mask]:
    """The masks that an article defines, by their letters."""
    return {
        statement.left.base: mask
        for statement in statements
        if isinstance(statement.left, f.Name) and (mask := mask_of(statement)) is not None
    }


_AND_0 = regex(r"[\s$`]*(?:for|if|when|where|当|若)[^.;。；\n]{1,30}?\b0[\s$`]*(?:otherwise|else|elsewhere|否则)")


def _find_masks_in_words(article: Article, statements: Sequence[Statement]) -> Mapping[str, Mask]:
    """The masks of which the text says where they are 1, `M_ij = 1 for j ≤ i and 0 otherwise`."""
    found: dict[str, Mask] = {}
    for statement in statements:
        left = statement.left
        told = _AND_0.match(article.words, statement.span[1])
        if told is None or len(statement.equals) != 2 or statement.equals[1] != ONE or not isinstance(left, f.Name):
            continue
        letters = "".join(left.sub or left.item)
        if re.fullmatch(r"[a-z]{2}", letters):
            shown = frozenset({-1, 0}) if _ORDER.search(told[0]) is not None else frozenset({0})
            found[left.base] = Mask(
                (letters[0], letters[1]), {order: ONE if order in shown else ZERO for order in (-1, 0, 1)}
            )
    return found


_ORDER = regex(r"[<>≤≥]|\\(?:leq?|geq?|lt|gt)(?:slant)?\b")


def _multiplies(e: f.Expression, name: str) -> bool:
    return any(
        isinstance(part, f.Elementwise) and any(isinstance(x, f.Name) and x.base == name for x in part.factors)
        for part in f.walk(e)
    )


def _adds(e: f.Expression, name: str) -> bool:
    return isinstance(e, f.Sum) and any(isinstance(x, f.Name) and x.base == name for x in e.terms)


def _misused(statement: Statement, theorem: str, name: str) -> Formula | None:
    multiplied = theorem == "theorem.mask_multiplied"
    values = (("score", "-1" if multiplied else "0"), (name, r"-\infty" if multiplied else "0"))
    point = Counterexample(values, r"+\infty" if multiplied else "0", r"-\infty")
    return refuse(statement, Sentence(theorem, name=name), None, point)
