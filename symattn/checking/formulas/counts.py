"""How many parameters, operations and cached numbers there are: 4 d_model², 2 L n_kv d_head n.

What is counted is told by the name in front or the words before; what it comes to is stated once, in letters of our
own. A printed count holds as it stands, or where what it leaves out is said: biases, the output projection, that a
multiply-add is one operation, d_ff = 4 d_model. A chain of counts in the same letters that are not equal is false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import sympy
from sympy import Expr, Symbol, symbols

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.shapes.declared import collect
from symattn.checking.formulas.shapes.relations import Relations
from symattn.checking.formulas.shapes.sizes import kind_of, read_size
from symattn.checking.formulas.statements.context import Context, conclude
from symattn.checking.formulas.statements.statement import Statement
from symattn.checking.formulas.trials.repairs import read_side
from symattn.patterns import regex
from symattn.reading import formula as f
from symattn.writing.polynomials import Amount as Polynomial
from symattn.writing.prose import Sentence
from symattn.writing.writers.text_style import TextStyle

WORDS = 80  # characters in front that may say what is counted
NEAR = 300  # in which N is said to be the number of parameters

n, d, d_ff, h, g, d_k, d_v, vocabulary, layers, batch = symbols(
    "n d d_ff h g d_k d_v vocabulary layers batch", positive=True, integer=True
)


@dataclass(frozen=True)
class Amount:
    """A count, and what has to be said with it: sentences of `count_if_...`, by their names."""

    count: Expr
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quantity:
    """Something that is counted: the words for it, and the ways to count it, the plain one first."""

    name: str
    words: re.Pattern[str]
    amounts: tuple[Amount, ...]


_PARAMETERS = r"(?:param|par[áà]m|paramètres|weights|参数|參數|パラメータ|파라미터|매개변수)"
_FFN = r"(?:\bFFN|feed[- ]?forward|\bMLP|前馈|前饋)"
_ATTENTION = r"(?:\bMHA|\bGQA|multi-?\s?head|self-?\s?attention|\battention|\battn|注意力)"
_DECODER = r"(?:\bdecoder|解码|解碼|デコーダ|디코더|decodificador)"
_BLOCK = r"(?:\bblock|\blayer|\bencoder|每层|单层|层|編碼|编码|\btotal|总参数|總參數|non-embedding|sin embedding)"
_EMBEDDING = r"(?:(?<!position[ _-])(?<!positional[ _-])embed|lm[ _-]?head|嵌入|埋め込み|임베딩)"
_FLOPS = r"(?:FLOP|flop|operations|浮点|计算量)"
_HEADS = h * d_k * d * 2 + h * d_v * d * 2
_HEADS_BIASED = _HEADS + 2 * h * d_k + h * d_v + d
_GROUPED = 2 * h * d_k * d + 2 * g * d_k * d  # g heads of keys and values for h of queries
_FFN_BIASED = 2 * d * d_ff + d_ff + d


def _both(left: str, right: str) -> re.Pattern[str]:
    """Both words, in any order."""
    return re.compile(rf"(?=.*{left})(?=.*{right})", re.IGNORECASE | re.DOTALL)


def _blocks(attentions: int) -> tuple[Amount, ...]:
    """A block of so many attentions and a feed-forward layer, a norm behind each; and so many layers of it."""
    plain, biased = attentions * _HEADS + 2 * d * d_ff, attentions * _HEADS_BIASED + _FFN_BIASED
    norms = 2 * (attentions + 1) * d
    of_one = (
        Amount(plain, ("biases", "norms")),
        Amount(plain + norms, ("biases",)),
        Amount(biased, ("norms",)),
        Amount(biased + norms),
    )
    of_all = tuple(Amount(layers * each.count, each.conditions) for each in of_one)
    embedded = [Amount(each.count + k * vocabulary * d, each.conditions) for each in of_all for k in (1, 2)]
    last = (Amount(each.count + k * d, each.conditions) for each in embedded for k in (1, 2))  # a norm behind them
    whole = (*embedded, *last)
    return (*of_one, *of_all, *whole)  # with one matrix of embeddings or two


def _products(*counts: Expr) -> tuple[Amount, ...]:
    """Operations of products, two for each multiply-add or one; of one layer or of all, for one sequence or a batch."""
    factors = (sympy.Integer(1), layers, batch, layers * batch)
    whole = [Amount(factor * count) for count in counts for factor in factors]
    return (*whole, *(Amount(each.count / 2, ("multiply_adds",)) for each in whole))


QUANTITIES = (
    Quantity(
        "scores",
        _both(_FLOPS, r"(?:QK|scores|得分|分数)"),
        (Amount(2 * n**2 * d), Amount(n**2 * d, ("multiply_adds",))),
    ),
    Quantity(
        "ffn_flops", _both(_FLOPS, _FFN), (Amount(4 * n * d * d_ff), Amount(2 * n * d * d_ff, ("multiply_adds",)))
    ),
    Quantity("attention_flops", _both(_FLOPS, _ATTENTION), _products(4 * n**2 * h * d_k, 4 * n**2 * d)),
    Quantity(
        "block_flops",
        _both(_FLOPS, r"(?:transformer|\bblock|\blayer|每层|单层)"),
        _products(24 * n * d**2 + 4 * n**2 * d),
    ),
)
# of parameters, by the words for what has them
PARAMETERS = (
    Quantity(
        "ffn",
        regex(rf"{_FFN}(?!.*(?:swiglu|gated|gate))", re.IGNORECASE | re.DOTALL),
        (Amount(2 * d * d_ff, ("biases",)), Amount(_FFN_BIASED), Amount(3 * d * d_ff, ("gated",))),
    ),
    Quantity(
        "gated",
        _both(rf"(?:{_FFN}|(?:swi|ge)glu)", r"(?:swiglu|geglu|gated (?:linear|MLP|FFN)|gate\s?[+,、/]\s?up)"),
        (Amount(3 * d * d_ff), Amount(3 * d * d_ff + 2 * d_ff + d)),
    ),
    Quantity(
        "attention",
        regex(_ATTENTION, re.IGNORECASE),
        (
            Amount(_HEADS, ("biases",)),
            Amount(_HEADS_BIASED),
            Amount(_HEADS - h * d_v * d, ("biases", "projection")),
            Amount(_GROUPED, ("biases",)),
            Amount(_GROUPED + h * d_k + 2 * g * d_k + d),
            Amount(_GROUPED - h * d_k * d, ("biases", "projection")),
        ),
    ),
    Quantity("embedding", regex(_EMBEDDING, re.IGNORECASE), (Amount(vocabulary * d), Amount(2 * vocabulary * d))),
    Quantity("decoder", regex(_DECODER, re.IGNORECASE), (*_blocks(2), *_blocks(1))),
    Quantity("block", regex(_BLOCK, re.IGNORECASE), _blocks(1)),
)

_LETTERS: Mapping[str, Expr] = {
    **dict.fromkeys(("d_ff", "d_ffn", "dff", "d_inner", "d_hidden", "ffn_dim", "intermediate_size"), d_ff),
    **dict.fromkeys(("h", "H", "n_heads", "num_heads", "n_head", "heads", "n_h", "n_q", "n_q_heads"), h),
    **dict.fromkeys(("g", "n_kv", "n_kv_heads", "num_kv_heads", "h_kv", "kv_heads", "n_kv_head"), g),
    **dict.fromkeys(("d_k", "d_head", "d_h", "head_dim", "d_q"), d_k),
    "d_v": d_v,
    "d_attn": h * d_k,
    **dict.fromkeys(("L", "n_layers", "num_layers", "n_layer", "layers", "l", "N_layers", "N_layer"), layers),
    **dict.fromkeys(("V", "vocab_size", "vocab", "n_vocab"), vocabulary),
    **dict.fromkeys(("b", "B", "batch", "batch_size"), batch),
    **dict.fromkeys(("s", "S"), n),
}  # fmt: skip
_LOOSE = ("attention_flops", "block_flops")  # what words say of all of a layer may be said of its parts
_NO_BIASES = regex(
    r"bias(?:es)?[^.;]{0,20}(?:left out|ignor|omit|not)|(?:ignor|omit|without|no)\w*[^.;]{0,20}bias"
    r"|(?:忽略|不计|省略|无)[^。；]{0,6}偏置",
    re.IGNORECASE,
)


def judge_count(statement: Statement, context: Context) -> Formula | None:
    """What is said of a count, or of a chain of counts: `Params_FFN = 2 d_model d_ff = 8 d_model²`."""
    sides = tuple(_in_letters(statement.equals))
    letters = our_letters(sides, layers_named=context.mentions(_N_LAYERS))
    if letters is None:
        return _judge_coefficients(statement)
    counts = [count.xreplace(letters) for count in counts_in(sides)]
    if not counts or len(counts) < len(sides) - 1:
        return None
    quantity, settled = _quantity(statement, counts, context)
    if quantity is None:
        return _judge_coefficients(statement)
    said = _relations(context.once(collect).relations)
    if quantity.name == "ffn" and said.get(d_ff) == 8 * d / 3:
        return None  # the width of a gated network, which this one need not be
    needed: list[str] = []
    for left, right in pairwise(counts):
        found = _link(left, right, said)
        if found is None:
            if not settled:
                return _judge_coefficients(statement)
            return _formula(statement, "fails", (), _right(statement, left, letters, said))
        needed += found
    for amount in quantity.amounts:
        found = _link(amount.count, counts[0], said)
        if found is not None and "projection" in amount.conditions and _has_projection(statement, context):
            return None  # what the sentence names is not left out
        if found is not None:
            if "multiply_adds" in amount.conditions and counts_both(statement, context):
                return _formula(statement, "fails", (), _right_count(statement, 2 * counts[0], letters))
            left_out = [key for key in amount.conditions if key != "biases" or not context.mentions(_NO_BIASES)]
            conditions = list(dict.fromkeys([*needed, *found, *left_out]))
            return _formula(statement, "holds-if" if conditions else "holds", conditions)
    if len(counts) == len(sides) == 1 and quantity.name == "ffn":
        printed = read_size(sides[0])
        matrices = _count_matrices(statement, context)
        if printed is not None and matrices is not None and sympy.expand(matrices - printed) != 0:
            return _formula(statement, "fails", (), Polynomial(matrices).write(TextStyle()))
    return None


_PROJECTION = regex(
    r"(?P<out>(?:without|no|not|except|excluding|ignor\w*|omit\w*|besides|plus|不含|不计|除)\W+(?:\w+\W+){0,3})?"
    r"(?:\bW\s*[_^]\s*\{?\s*(?:\\(?:text|mathrm)\{)?[Oo]|output (?:projection|matrix)|输出投影|输出矩阵)",
    re.IGNORECASE,
)


def _has_projection(statement: Statement, context: Context) -> bool:
    """Whether the words before it in its paragraph name the output projection among what is counted."""
    start = statement.span[0]
    paragraph = context.article.words[max(start - NEAR, 0) : start].rpartition("\n\n")[2]
    return any(found["out"] is None for found in _PROJECTION.finditer(paragraph))


def _in_letters(sides: Sequence[f.Expression]) -> Iterator[f.Expression]:
    """The sides without the values of others: behind one of numbers alone, 2 × 512 × 2048, the M of 2M is a million."""
    numbers = False
    for side in sides:
        match side:
            case f.Product((f.Number(), f.Name("K" | "M" | "B" | "G", (), ())), ("",)) if numbers:
                continue
        numbers |= not any(isinstance(part, f.Name) for part in f.walk(side))
        yield side


_TWO_EACH = regex(
    r"1 ?乘 ?[+＋加] ?1 ?加|一次乘法?[和与加]一次加"
    r"|乘加(?:运算|操作)?(?:[算记计按为是=]|等于)[作为做]? ?[2两二] ?[次个]? ?(?:FLOPs?|浮点|运算)"
    r"|(?:one|a|1) multipl\w+ (?:and|\+) (?:one|an|1) add"
    r"|(?:multiply[- ]?(?:add|accumulate)|MAC|FMA)s? (?:is|are|as|costs?|counts? (?:as|for)|=) (?:two|2)\b"
    r"|(?:two|2) FLOPs? (?:per|for each) (?:MAC|multiply)",
    re.IGNORECASE,
)
_OTHERS_COUNT = regex(  # what others count is not what is counted here
    r"(?:本文|这里|我们|此处)[^。，\n]{0,6}(?:[算按计]|只|仅|统计)[^。，\n]{0,4}(?:1 ?次|一次|乘法)"
    r"|只(?:数|统计|算|计)乘法"
    r"|counts? (?:it |them |each )?(?:as )?(?:only )?(?:one|1)\b|(?:only|just) (?:the )?multiplications",
    re.IGNORECASE,
)
_HALVED = regex(r"causal|\bhal(?:f|ves?|ving)\b|skip|triang|symmetr|因果|三角|一半|减半|对称|跳过", re.IGNORECASE)
_SENTENCE = 160  # characters
_ONE_EACH = regex(r"\bMACs?\b|number of multipl|乘加(?:次|操作)?数", re.IGNORECASE)


def counts_both(statement: Statement, context: Context) -> bool:
    """Whether the article counts a multiply-add as two operations, and this as no number of multiply-adds."""
    if context.mentions(_OTHERS_COUNT) or not context.mentions(_TWO_EACH):
        return False
    if _HALVED.search(context.around(statement, _SENTENCE)):
        return False  # a causal mask leaves half of the operations
    return not _ONE_EACH.search(statement.before[-WORDS:] + statement.text)


def _right_count(statement: Statement, count: Expr, letters: Mapping[Symbol, Expr]) -> str:
    """The last side as another count, in the article's letters."""
    back = {ours: letter for letter, ours in letters.items()}
    text, side = statement.passage.text, statement.sides[-1]
    return text[statement.start : side.start] + Polynomial(count.xreplace(back)).write(TextStyle())


_NOT_ENTRIES = regex(rf"{_FLOPS}|MACs?\b|multipl|byte|memory|\bbits?\b|bias|gate|GLU|字节|显存|偏置|门", re.IGNORECASE)
_SHAPE = regex(r"[$`(]\s*([^$`(),=]{1,20}?)\s*(?:\\times\b|×|\*)\s*([^$`(),=]{1,20}?)\s*[$`)]")


def _count_matrices(statement: Statement, context: Context) -> Expr | None:
    """The entries of the two matrices whose shapes stand on the line of a count, $D × 4D$ and $4D × D$."""
    start, end = statement.span
    source = context.article.words
    line = source[source.rfind("\n", 0, start) + 1 : start] + source[end : (source + "\n").find("\n", end)]
    shapes, above = _SHAPE.findall(line), source[max(start - NEAR, 0) : start] + line
    if len(shapes) != 2 or _NOT_ENTRIES.search(above) or not re.search(_PARAMETERS, above, re.IGNORECASE):
        return None
    sides = [read_side(text) for shape in shapes for text in shape]
    sizes = [size for side in sides if side is not None and (size := read_size(side)) is not None]
    if len(sizes) < 4 or set(sizes[:2]) != set(sizes[2:]):
        return None
    rows, columns, *_ = sizes
    return sympy.expand(2 * rows * columns)


def _judge_coefficients(statement: Statement) -> Formula | None:
    """Sums of the same products of sizes with other numbers before them are never the same: 6bsh² + 2bsh² = 10bsh²."""
    if statement.head is not None or any(side.relation not in ("", "=") for side in statement.sides):
        return None
    in_other_units = _UNIT.match(statement.after) is not None
    counts = [read_size(side) for side in statement.equals]
    terms = [{} if count is None else sympy.expand(count).as_coefficients_dict() for count in counts]
    for count, left, right in zip(counts, terms, terms[1:], strict=False):
        widest = max((len(term.free_symbols) for term in left), default=0)
        counted = all(number > 0 for each in (left, right) for number in each.values())  # AB = −BA of matrices
        worked_out = widest == 1 and not in_other_units and count is not None and _is_of_weights(_with_width(count))
        if (
            count is not None
            and counted
            and (widest > 1 or worked_out)
            and left.keys() == right.keys()
            and left != right
        ):
            first = statement.equals[0]
            printed = statement.printed(first).strip()
            right_one = f"{printed} = {Polynomial(sympy.expand(count)).write(TextStyle())}"
            return conclude(statement, "fails", Sentence("formula.identity_fails"), right=right_one)
    return None


_UNIT = regex(r"[\s$`*)]*(?:bytes?|B\b|bits?|FLOPs?|ops|operations|MACs?|字节|次)", re.IGNORECASE)


def _with_width(count: Expr) -> Expr:
    """The count with our letter for its width, where it has no other."""
    letters = [letter for letter in count.free_symbols if kind_of(letter.name) == "width"]
    return count.xreplace({letters[0]: d}) if len(letters) == 1 else count


def is_count(count: Expr) -> bool:
    """Whether a size is more than a letter, which is the name of something."""
    return bool(count.free_symbols) and not count.is_Symbol


def counts_in(sides: Sequence[f.Expression]) -> list[Expr]:
    """The sides that are counts, in the letters of the article."""
    return [count for side in sides if (count := read_size(side)) is not None and is_count(count)]


def _right(statement: Statement, count: Expr, letters: Mapping[Symbol, Expr], said: Mapping[Symbol, Expr]) -> str:
    """The chain up to the first count, and what that comes to, in the article's letters."""
    back = {ours: letter for letter, ours in letters.items()}
    first = statement.equals[0]
    width = 4 * d if _link(d_ff, 4 * d, said) == () else said.get(d_ff, d_ff)
    shown = sympy.expand(count.xreplace({d_ff: width}))
    printed = statement.passage.text[first.start : first.end].strip()
    return f"{printed} = {Polynomial(shown.xreplace(back)).write(TextStyle())}"


def _quantity(statement: Statement, counts: Sequence[Expr], context: Context) -> tuple[Quantity | None, bool]:
    """What is counted, by the name of the first side or the words in front of it, and whether the words settle it.

    What is made of two widths and of no number of tokens can only be parameters.
    """
    first = statement.equals[0]
    if isinstance(first, f.Call) and first.function == "abs":
        first = first.arguments[0]  # |Attn|, the size of what has this name
    named = (first.text or first.base) if isinstance(first, f.Name) else ""
    words = re.sub(r"\\(?:text|mathrm)|[{}_\\]", " ", named)
    before = re.split(r"[\n.;。；]", statement.before)[-1][-WORDS:]
    start = statement.span[0]
    if not re.search(r"\w", before):  # behind the shapes of the matrices, and an arrow
        before = re.split(r"[\n.;。；]", context.article.words[max(start - 2 * WORDS, 0) : start])[-1]
    if (unit := COUNTED.match(statement.after)) is not None:  # `SwiGLU has 8 d² parameters`
        before = f"{before} {unit[1]}"
    of_parameters = any(re.search(_PARAMETERS, text, re.IGNORECASE) for text in (words, before))
    above = re.search(_PARAMETERS, context.article.words[max(start - NEAR, 0) : start], re.IGNORECASE) is not None
    in_all = not words.strip() and _IN_ALL.match(statement.after) is not None and _has_parts(statement, context)
    if in_all and (of_parameters or above):
        return PARAMETERS[-1], False  # "8 d² in the feed-forward network, 12 d² in all"
    for text in (words, f"{before} {words}"):
        for each in QUANTITIES:
            if each.words.search(text):
                return each, each.name not in _LOOSE
        both = all(each.words.search(text) for each in (PARAMETERS[0], PARAMETERS[2]))
        if both and (of_parameters or all(map(_is_of_weights, counts))):
            return PARAMETERS[-1], of_parameters  # the layer that has both
        for each in PARAMETERS:
            if each.words.search(text) and (of_parameters or all(map(_is_of_weights, counts))):
                return each, of_parameters
    if not words.strip() and len(statement.equals) == 1:  # "the FLOPs of a block … it is stated as `24 D² L + …`"
        for each in QUANTITIES:
            if each.words.search(statement.before[-2 * WORDS :]):
                return each, False
    if not words.strip() and (below := _of_heading(context.article.words, start)) is not None:
        return below, False
    counted = above or of_parameters
    if (named in ("N", "P") and counted) or re.fullmatch(r"(?:n_?|num_?)?(?:params?|parameters)", named, re.IGNORECASE):
        return next(each for each in PARAMETERS if each.name == "block"), False
    return None, False


def _has_parts(statement: Statement, context: Context) -> bool:
    """Whether another formula stands in the same sentence before it."""
    before = context.statements[statement.number - 1].span[1] if statement.number else 0
    return statement.number > 0 and re.search(r"[\n.;。；]", context.article.words[before : statement.span[0]]) is None


COUNTED = regex(
    rf"[\s$`*)]*(?:(?:trainable|learnable|forward|non-embedding) )?({_PARAMETERS}|FLOPs?\b)"
    r"(?! (?:per|each|for every)\b)",
    re.IGNORECASE,
)


_IN_ALL = regex(r"[\s$`*)]*(?:(?:parameters|weights) )?(?:in (?:all|total)|all ?together|overall)\b", re.IGNORECASE)


def _of_heading(source: str, start: int) -> Quantity | None:
    """What has the parameters that are counted below its heading, `### Feed-Forward Network`."""
    headings = list(_HEADING.finditer(source, max(start - 2 * NEAR, 0), start))
    if not headings or not re.search(_PARAMETERS, source[headings[-1].end() : start], re.IGNORECASE):
        return None
    found = [each for each in PARAMETERS[:3] if each.words.search(headings[-1][0])]
    return found[0] if len(found) == 1 else None


_HEADING = regex(r"^#+ .*$", re.MULTILINE)


def _is_of_weights(count: Expr) -> bool:
    """Whether every part of a count has a width in it, one of them two, and none a number of tokens.

    A width times the size of the vocabulary is as good.
    """
    widths = (d, d_ff, d_k, d_v, vocabulary)
    if count.free_symbols == {vocabulary}:
        return False
    if count.free_symbols & {n, batch} or not count.is_polynomial(*widths):
        return False
    degrees = [sum(powers) for powers in sympy.Poly(count, *widths).monoms()]
    return bool(min(degrees) >= 1 and max(degrees) == 2)


_N_LAYERS = regex(r"(?<!\w)\$?N\$?[ -]?(?:层|層|layers?\b|blocks?\b|Schichten|couches|capas|camadas)", re.IGNORECASE)


def our_letters(sides: Sequence[f.Expression], *, layers_named: bool = False) -> dict[Symbol, Expr] | None:
    """The letters of printed counts and ours for them; None with one that stands for nothing here."""
    counts = counts_in(sides)
    letters = sorted({letter for count in counts for letter in count.free_symbols}, key=str)
    wide = any(kind_of(letter.name) == "width" for letter in letters)
    found: dict[Symbol, Expr] = {}
    for letter in letters:
        hidden = letter.name in ("h", "H") and not wide  # 12 h²: the hidden size
        squared = letter.name == "L" and any(_has_power(count, letter) for count in counts)  # of tokens, no layers
        of_layers = layers_named and letter.name == "N"
        ours = d if hidden else n if squared else layers if of_layers else _ours(letter)
        if ours is None or ours in found.values():
            return None
        found[letter] = ours
    return found


def _has_power(count: Expr, letter: Symbol) -> bool:
    return bool(count.is_polynomial(letter)) and sympy.degree(count, letter) > 1


def _ours(letter: Symbol) -> Expr | None:
    return ours_of(letter.name)


def ours_of(letter: str) -> Expr | None:
    """Our letter for one of an article's."""
    return _LETTERS.get(letter) or {"width": d, "tokens": n}.get(kind_of(letter))


def _relations(said: Relations) -> dict[Symbol, Expr]:
    """What the article says of sizes, in our letters."""
    found: dict[Symbol, Expr] = {}
    for letter, value in said.formulas.items():
        ours = _ours(letter)
        letters = {each: other for each in value.free_symbols if (other := _ours(each)) is not None}
        if isinstance(ours, Symbol) and len(letters) == len(value.free_symbols):
            found[ours] = value.xreplace(letters)
    return found


def _link(left: Expr, right: Expr, said: Mapping[Symbol, Expr]) -> tuple[str, ...] | None:
    """What has to hold for two counts to be the same, beside what is said; None where they never are.

    >>> _link(2 * d * d_ff, 8 * d**2, {}), _link(2 * d * d_ff, 8 * d**2, {d_ff: 4 * d}), _link(4 * d**2, 3 * d**2, {})
    (('width_ff',), (), None)
    """
    for assumed in (
        (),
        ("width_ff",),
        ("width_gated",),
        ("width_values",),
        ("width_heads",),
        ("width_ff", "width_heads"),
    ):
        values = dict(said)
        for letter, value in (pair for key in assumed for pair in _ASSUMED[key].items()):
            own = _settle(letter, values)  # h d_k = d may be said, and d_k = d/h follow
            if own.is_Symbol and own not in (other := _settle(value, values)).free_symbols:
                values[own] = other
        if sympy.expand(_settle(left, values) - _settle(right, values)) == 0:
            return assumed
    return None


_ASSUMED = {
    "width_ff": {d_ff: 4 * d},
    "width_gated": {d_ff: 8 * d / 3},
    "width_heads": {d_k: d / h, d_v: d / h},
    "width_values": {d_v: d_k},
}


def _settle(count: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    for _ in range(3):
        count = sympy.expand(count.xreplace(dict(values)))
    return count


def _formula(
    statement: Statement, verdict: FormulaVerdict, conditions: Sequence[str], right: str | None = None
) -> Formula:
    condition = _join([Sentence(f"count_if_{key}") for key in conditions])
    return conclude(statement, verdict, Sentence("formula_count"), condition=condition, right=right)


def _join(sentences: Sequence[Sentence]) -> Sentence | None:
    joined: Sentence | None = None
    for each in sentences:
        joined = each if joined is None else Sentence("count_and", left=joined, right=each)
    return joined
