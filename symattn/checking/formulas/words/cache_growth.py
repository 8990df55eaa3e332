"""How a cache of keys and values grows: by one key and one value a token, so as O(n), and what a step costs with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.shapes.sizes import kind_of
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import conclude_in_words, find_said, with_group
from symattn.patterns import regex
from symattn.writing.prose import Sentence

_ORDER = r"\$?\s?(?:\\mathcal\s?\{\s?O\s?\}|O)\s?\(\s?(?P<size>[A-Za-z])\s?(?P<power>²|\^\s?\{?2\}?)\s?\)\s?\$?"
_CACHE = r"(?:KV|K/V|[Kk]ey[-–/ ][Vv]alue)[- ][Cc]ache"
_ENDS = r"(?=\s*(?:[.,;:)。，；：）\n*]|\Z|\b(?:that|which|and|or|whose|is|are|grows?|as|in|for|at)\b))"
_SQUARE = tuple(
    regex(pattern)
    for pattern in (
        rf"{_ORDER}\s?(?:(?:sized?|growing|expanding|memory)\s)?{_CACHE}(?:\s(?:size|memory|footprint))?{_ENDS}",
        rf"{_CACHE}(?:\s(?:size|memory|footprint|usage))?\s(?:grows|scales|is|takes|needs|requires|uses|occupies)"
        rf"(?:\s(?:as|with|like|in|at))?(?:\s(?:memory|space))?\s{_ORDER}(?:\s(?:memory|space))?{_ENDS}",
        rf"{_CACHE}\s?的?\s?(?:大小|显存|内存|占用|显存占用|内存占用|空间)+\s?(?:为|是|按|以|随)\s?{_ORDER}",
    )
)
_LETTERS = r"[A-Za-z](?:\s?(?:²|\^\s?\{?2\}?))?"
_STEP = regex(
    rf"(?:\$?O\(\s?{_LETTERS}\s?\)\$?\s?(?:-+>|→|to|\$?\\to\$?)\s?)?\$?O\(1\)\$? "
    r"attention (?:computations?|costs?|compute|operations?|work|complexity|time) "
    r"(?:per|a|for each|for every) (?:new )?(?:token|step)",
    re.IGNORECASE,
)
_ANY_CACHE = regex(_CACHE + "|KV (?:tensors?|caching)", re.IGNORECASE)
# whose state has one size for any number of tokens, or whose keys are those of a window
_OF_ONE_SIZE = regex(
    r"linear(?:i[sz]ed)? attention|recurren|\bRNN|state[- ]space|\bSSM|Mamba|RWKV|RetNet|DeltaNet|sliding|window"
    r"|\bsparse"
    r"|线性注意力|循环|状态空间|窗口|稀疏",
    re.IGNORECASE,
)


def judge_cache_growth(context: Context) -> Iterator[Formula]:
    """Caches that are said to grow with the square of the tokens, and steps that are said to cost O(1) with one."""
    for found in find_said(context, *_SQUARE, beside=_ANY_CACHE):
        if kind_of(found["size"]) == "tokens":
            theorem, right = Sentence("words_cache_growth"), with_group(found, "power", "")
            yield conclude_in_words(context, found.span(), "fails", theorem, right)
    for found in find_said(context, _STEP, beside=_ANY_CACHE):
        if not context.mentions(_OF_ONE_SIZE):
            yield conclude_in_words(context, found.span(), "fails", Sentence("words_cached_step"))
