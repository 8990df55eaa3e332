"""Products by the letters of their axes: `y = einsum('bhqk,bhkd->bhqd', w, v)`, `Q = einsum("bnd,od->bno", x, W_q)`.

The letters say along what is summed. A result with an axis twice, or with one that no factor has, is none at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symattn.checking.findings import Formula, FormulaVerdict
from symattn.checking.formulas.programs.names import NAME, role_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words
from symattn.patterns import regex
from symattn.writing.prose import Sentence

NEAR = 240  # characters around a line that may say that it stops with an error
_EINSUM = regex(
    rf"^[ \t]*(?P<line>(?P<left>{NAME})[ \t]*=[ \t]*(?P<library>\w+\.)?einsum\([\"'](?P<spec>[^\"'\n]{{1,80}})[\"'],"
    rf"[ \t]*(?P<factors>{NAME}(?:,[ \t]*{NAME}){{0,3}})\))[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)
_STOPS = regex(
    r"error|rais(?:es?|ed|ing)\b|invalid|illegal|unsupported|not (?:allowed|possible|support)|cannot|can't|fails?\b"
    r"|\bwrong\b|报错|错误|不支持|不允许|エラー|오류",
    re.IGNORECASE,
)
_LIBRARIES = ("torch.", "np.", "numpy.", "jnp.", "tf.")  # others allow more
_INPUTS = regex(r"x|xs|inputs?|h|hidden(?:_states)?|embeddings?", re.IGNORECASE)
_IN, _OUT = (rf"(?:d_?{way}|{way}_?(?:dim|features)|dim_?{way})" for way in ("in", "out"))
_MADE = r"(?:nn\.Parameter\(\s*)?(?:torch|np|jnp)?(?:\.random)?\.?(?:randn?|zeros|empty|ones|normal)\(\s*"


@dataclass(frozen=True)
class _Product:
    """The axes of two factors and of their product."""

    first: Sequence[str]
    second: Sequence[str]
    made: Sequence[str]

    @property
    def summed(self) -> set[str]:
        return set(self.first) & set(self.second) - set(self.made)

    @property
    def all_are_kept(self) -> bool:
        """Whether the product has every axis once that is not summed over, and each factor its own once."""
        kept = (set(self.first) | set(self.second)) - self.summed
        once = all(len(set(each)) == len(each) for each in (self.first, self.second, self.made))
        return once and set(self.made) == kept


def find_einsums(source: str) -> Iterator[re.Match[str]]:
    """The lines of an article that multiply by letters of axes."""
    return _EINSUM.finditer(source)


def judge_einsums(context: Context) -> Iterator[Formula]:
    """Results that there are not, weights times values, and projections whose width is declared."""
    source = context.article.words
    for found in find_einsums(source):
        factors = re.split(r",\s*", found["factors"])
        axes = _read(found["spec"])
        if axes is None:
            continue
        *given, made = axes
        *letters, of_letters = _read(found["spec"].replace(" ", "")) or axes  # torch reads over blanks
        if _is_there(letters, of_letters, len(factors)) and not _is_there(given, made, len(factors)):
            continue
        if not _is_there(given, made, len(factors)):
            told = _STOPS.search(source, max(found.start() - NEAR, 0), found.end() + NEAR)
            if found["library"] in _LIBRARIES and not told:
                yield conclude_in_words(context, found.span("line"), "fails", Sentence("words_code_einsum"))
        elif len(given) == 2:
            product = _Product(given[0], given[1], made)
            for verdict, theorem in (_of_values(found, factors, product), _of_projection(found, factors, product)):
                if verdict is not None:
                    yield conclude_in_words(context, found.span("line"), verdict, theorem)


def _read(spec: str) -> list[list[str]] | None:
    """The axes of the factors and of the result, `...` as one of them.

    >>> _read("b h q k, b h k d -> b h q d")[-1], _read("...ik,...kd->...id")[0], _read("bij,bjk")
    (['b', 'h', 'q', 'd'], ['...', 'i', 'k'], None)
    """
    given, arrow, made = spec.partition("->")
    if not arrow or "(" in spec:
        return None
    parts = [part.strip() for part in (*given.split(","), made)]
    spaced = any(" " in part.replace("...", "") for part in parts)
    return [part.split() if spaced else re.findall(r"\.\.\.|\w", part) for part in parts]


def _is_there(given: Sequence[Sequence[str]], made: Sequence[str], count: int) -> bool:
    known = {axis for each in given for axis in each}
    return len(given) == count and len(set(made)) == len(made) and known.issuperset(made)


_Said = tuple[FormulaVerdict | None, Sentence]


def _of_values(found: re.Match[str], factors: Sequence[str], product: _Product) -> _Said:
    """Weights times values along the keys."""
    theorem, source = Sentence("words_code_values"), found.string
    weights, other = factors
    if not (product.all_are_kept and _are_weights(weights, source, found.start())):
        return None, theorem
    along = len(product.summed) == 1 and next(iter(product.summed)) == product.first[-1] and len(product.first) > 1
    if not along or product.first[-2] in product.second or len(set(product.second) - set(product.first)) != 1:
        return None, theorem
    role = role_of(other)
    return ("holds" if role == "v" else None), theorem


def _are_weights(name: str, source: str, end: int) -> bool:
    """Whether a line before sets the name to a softmax, and none after that to anything else."""
    set_to = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=(?!=)(?P<value>[^\n]*)$", re.MULTILINE)
    values = [each["value"] for each in set_to.finditer(source, 0, end)]
    return bool(values) and "softmax(" in values[-1]


def _of_projection(found: re.Match[str], factors: Sequence[str], product: _Product) -> _Said:
    """Tokens times a matrix that is made with d_out rows and d_in columns, or the other way round."""
    theorem, source = Sentence("words_code_projection"), found.string
    tokens, weight = factors
    made = re.compile(
        rf"^[ \t]*{re.escape(weight)}[ \t]*=[ \t]*{_MADE}(?P<rows>\w+),\s*(?P<columns>\w+)\s*\)", re.MULTILINE
    )
    sizes = [(each["rows"], each["columns"]) for each in made.finditer(source)]
    if len(sizes) != 1 or not _INPUTS.fullmatch(tokens) or len(product.second) != 2 or not product.all_are_kept:
        return None, theorem
    ways = ["out" if re.fullmatch(_OUT, size) else "in" if re.fullmatch(_IN, size) else "" for size in sizes[0]]
    if sorted(ways) != ["in", "out"] or len(product.summed) != 1 or product.first[-1] not in product.summed:
        return None, theorem
    along = ways[product.second.index(product.first[-1])]
    return ("holds" if along == "in" else None), theorem  # on the way back a matrix is taken the other way round
