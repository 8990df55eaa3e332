"""What names of programs stand for: xq, query, Qh, q_i are queries, dh and head_dim widths of a head."""

from __future__ import annotations

import re

from symattn.patterns import regex

_BLOCK = r"(?:_?(?:h|hs|heads?|i|j|b|s|t|blk|block|tile|states?|rot|rope|proj|layer|new|cache))?_?\d?"
_ROLES = {
    "q": regex(rf"x?q(?:uer(?:y|ies))?{_BLOCK}"),
    "k": regex(rf"x?k(?:eys?)?{_BLOCK}"),
    "v": regex(rf"x?v(?:al(?:ue)?s?)?{_BLOCK}"),
    "weights": regex(
        r"(?:attn|att|attention|softmax)?_?(?:weights?|probs?|probabilities)|attn|att|attention|poids|pesos|gewichte|[ap]"
        r"|alphas?|scores"
    ),
}
_VECTORS = "|".join(_ROLES[role].pattern for role in "qk")
_WIDTH = regex(
    r"d|d_?k|d_?q|d_?h|head_?(?:dim|size)|dim_?head|d_?head|dim_?k(?:ey)?|key_?dim|hs|size_?per_?head"
    rf"|(?:{_VECTORS})(?:\.size\(-1\)|\.shape\[-1\])"
)
NAME = r"[A-Za-z_][\w.]*"


def role_of(name: str) -> str:
    """q, k, v or weights, by the name alone; "" of any other.

    >>> role_of("self.Qh"), role_of("key_states"), role_of("poids"), role_of("query_mask")
    ('q', 'k', 'weights', '')
    """
    bare = name.rpartition(".")[2].lower()
    return next((role for role, pattern in _ROLES.items() if pattern.fullmatch(bare)), "")


def is_width(text: str) -> bool:
    """Whether it is the width of a head's keys.

    >>> is_width("self.head_dim"), is_width("query.size(-1)"), is_width("d_model")
    (True, True, False)
    """
    return _WIDTH.fullmatch(re.sub(r"^self\.", "", text.strip()).lower()) is not None
