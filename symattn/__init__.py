"""The mathematics of Transformer attention: derivations step by step, exact values, proven digits.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it as true; importing typing would cost more than all the rest
if TYPE_CHECKING:
    from typing import Any

    from symattn.api.arrays import measure_arrays
    from symattn.api.check import check_article, check_worksheet
    from symattn.api.derivation import Derivation, derive
    from symattn.api.gradient import differentiate
    from symattn.api.proof import Proof, prove
    from symattn.api.saturation import measure_saturation
    from symattn.lowering import lower
    from symattn.nodes import (
        Alibi,
        Attention,
        BahdanauAttention,
        CausalMask,
        Concat,
        FiniteMask,
        HideMask,
        KeepMask,
        LatentAttention,
        LinearAttention,
        LuongAttention,
        MultiHead,
        NormalisedRows,
        OnlineAttention,
        PaddingMask,
        QKNorm,
        Rotary,
        RotaryEmbedding,
        Softmax,
        Stack,
        WindowMask,
        alibi_slope,
    )

__version__ = "0.1.0"

_HOMES = {
    "Alibi": "symattn.nodes",
    "Attention": "symattn.nodes",
    "BahdanauAttention": "symattn.nodes",
    "CausalMask": "symattn.nodes",
    "Concat": "symattn.nodes",
    "Derivation": "symattn.api.derivation",
    "FiniteMask": "symattn.nodes",
    "HideMask": "symattn.nodes",
    "KeepMask": "symattn.nodes",
    "LatentAttention": "symattn.nodes",
    "LinearAttention": "symattn.nodes",
    "LuongAttention": "symattn.nodes",
    "MultiHead": "symattn.nodes",
    "NormalisedRows": "symattn.nodes",
    "OnlineAttention": "symattn.nodes",
    "PaddingMask": "symattn.nodes",
    "QKNorm": "symattn.nodes",
    "Rotary": "symattn.nodes",
    "RotaryEmbedding": "symattn.nodes",
    "Softmax": "symattn.nodes",
    "Stack": "symattn.nodes",
    "WindowMask": "symattn.nodes",
    "alibi_slope": "symattn.nodes",
    "check_article": "symattn.api.check",
    "check_worksheet": "symattn.api.check",
    "derive": "symattn.api.derivation",
    "Proof": "symattn.api.proof",
    "differentiate": "symattn.api.gradient",
    "prove": "symattn.api.proof",
    "lower": "symattn.lowering",
    "measure_arrays": "symattn.api.arrays",
    "measure_saturation": "symattn.api.saturation",
}

__all__ = [
    "Alibi",
    "Attention",
    "BahdanauAttention",
    "CausalMask",
    "Concat",
    "Derivation",
    "FiniteMask",
    "HideMask",
    "KeepMask",
    "LatentAttention",
    "LinearAttention",
    "LuongAttention",
    "MultiHead",
    "NormalisedRows",
    "OnlineAttention",
    "PaddingMask",
    "Proof",
    "QKNorm",
    "Rotary",
    "RotaryEmbedding",
    "Softmax",
    "Stack",
    "WindowMask",
    "alibi_slope",
    "check_article",
    "check_worksheet",
    "derive",
    "differentiate",
    "lower",
    "measure_arrays",
    "measure_saturation",
    "prove",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'symattn' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
