"""What an article says anywhere of the numbers and functions in it: that there are roots, what σ is, γ and β."""

from __future__ import annotations

import re

from symattn.patterns import regex


def may_have_roots(source: str) -> bool:
    """Whether an article speaks of roots, of what is the root of a sum of squares, or is divided by one."""
    return _OF_ROOTS.search(source) is not None


def has_other_sigma(source: str) -> bool:
    """Whether σ is said to be another function than the logistic one, or another is named and that one nowhere."""
    named = _ACTIVATION.search(source) is not None and _LOGISTIC.search(source) is None
    return named or _OTHER_SIGMA.search(source) is not None


def has_unprinted_gains(source: str) -> bool:
    """Whether the γ and β of a normalisation are spoken of, neither given in numbers nor left out."""
    return _GAINS.search(source) is not None and _GAINS_GIVEN.search(source) is None


_GAMMA, _BETA = r"(?:γ|\\?gamma\b)", r"(?:β|\\?beta\b)"
_GAINS = regex(rf"{_GAMMA}[^\n.]{{0,30}}{_BETA}", re.IGNORECASE)
_GAINS_GIVEN = regex(
    rf"(?:{_GAMMA}|{_BETA})[\s$`*]*(?:=|≈|:=|≡|is\b|are\b|取|设|为)"
    rf"|(?:\b(?:without|no|ignor\w*|omit\w*|skip\w*|drop\w*|leav\w*)\b|无|不含|忽略|省略|略去|不考虑)[^\n.]{{0,20}}(?:{_GAMMA}|{_BETA}|affine)",
    re.IGNORECASE,
)
_OTHER_SIGMA = regex(  # Here σ = tanh; we write σ for ReLU; σ 取 ReLU
    r"(?:\\sigma|σ)(?:\([a-z]\))?[\s$`]*(?:=|:=|:|for|be|is|means?|denotes?|stands for|取|为|是|表示)[\s$`]*"
    r"(?:the |a )?"
    r"(?:\\(?:text|mathrm|operatorname)\{)?\\?(?:tanh|relu|softplus|gelu|silu|swish|max\b|identity|softmax)",
    re.IGNORECASE,
)
_ACTIVATION = regex(r"\bre-?lu\b|\btanh\b|双曲正切", re.IGNORECASE)
_LOGISTIC = regex(
    r"sigmoid|logisti|1\s*\+\s*(?:\\exp|exp|e|\\mathrm\{e\})|シグモイド|逻辑|시그모이드|сигмоид", re.IGNORECASE
)
_OF_ROOTS = regex(
    r"√|sqrt|roots?\b|wurzel|racine|ra[ií]z|radice|корень|корн|根|ルート|제곱근|루트"
    r"|attention|attn|softmax|transformer|\bd_?\{?k\b|注意力|norm|length|distan|deviation|\bstd|\brms|scal|magnitude|hypot|standardi|euclid|σ|sigma|variance|cosine|‖|\|\||\\\|"
    r"|Abstand|Länge|Betrag|abweichung|écart|longueur|longitud|desvi|lunghezza|deviazione|масштаб|норм|длин"
    r"|方差|标准差|標準差|范数|範數|模长|模長|长度|長度|距离|距離|缩放|縮放|スケール|ノルム|편차|거리|길이|스케일"
    r"|\^\{?\(?(?:0?\.5|1/2|\\frac\s?\{?1\}?\s?\{?2)|\*\*\s?\(?(?:0?\.5|1/2)|½",
    re.IGNORECASE,
)
