"""Caches as products of words: KV Cache = layers × tokens × (kv_lora_rank + qk_rope_head_dim) × dtype_size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from symattn.checking.findings import Formula
from symattn.checking.formulas.statements.context import Context
from symattn.checking.formulas.words.saying import find_said
from symattn.patterns import regex
from symattn.reading.articles.article import LineBreaks
from symattn.writing.prose import Sentence

_LINE = regex(
    r"^[ \t>*\-`$]*(?P<line>KV[ _-]?cache(?:[ _](?:size|bytes|memory))?[ \t]*="
    r"[ \t]*(?P<product>[^=\n`$]{10,160}?))[ \t`$*.]*$",
    re.IGNORECASE | re.MULTILINE,
)
_TIMES = regex(r"\s*(?:×|\*|·|\\times|\\cdot)\s*")
_ROLES = (
    ("layers", regex(r"(?:num_?|n_?)?(?:hidden_?)?layers?")),
    ("batch", regex(r"batch(?:_?size)?")),
    ("tokens", regex(r"(?:num_?|n_?)?tokens?|seq(?:uence)?_?len(?:gth)?|context_?len(?:gth)?")),
    ("heads", regex(r"(?:num_?|n_?)?(?:kv|key_value)_?heads?")),
    ("latent", regex(r"\((?:kv_lora_rank\+qk_rope_head_dim|qk_rope_head_dim\+kv_lora_rank)\)")),
    ("quotient", regex(r"\(hidden_?(?:size|dim)/(?:num_)?(?:attention_?|attn_?|query_?)?heads\)")),
    ("bytes", regex(r"(?:dtype|element)_?(?:size|bytes)|(?:num_)?bytes(?:_per_\w+)?|sizeof\(\w+\)")),
    ("two", regex(r"2")),
)


def judge_named_caches(context: Context) -> Iterator[Formula]:
    """What holds of a product of just these words; anything else is left alone."""
    for found in find_said(context, _LINE):
        factors = [
            re.sub(r"\s+", "_" if "(" not in each else "", each.strip()) for each in _TIMES.split(found["product"])
        ]
        roles = Counter(next((role for role, own in _ROLES if own.fullmatch(each.lower())), "") for each in factors)
        del roles["batch"]
        line, column = LineBreaks.of(context.article.words).position(found.start("line"))
        text, span = found["line"], found.span("line")
        if roles == _LATENT:
            yield Formula(line, column, text, "holds", Sentence("words_latent_cache"), span=span)
        elif roles == _SHARED:
            equal = Sentence("formula_if", equations="head_dim = hidden_size / attention_heads")
            yield Formula(line, column, text, "holds-if", Sentence("formula_cache"), equal, span=span)


_LATENT = Counter(("layers", "tokens", "latent", "bytes"))
_SHARED = Counter(("two", "layers", "tokens", "heads", "quotient", "bytes"))
