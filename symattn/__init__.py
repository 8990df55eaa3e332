"""The mathematics of Transformer attention: derivations step by step, exact values, proven digits.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from symattn.version import __version__ as __version__

TYPE_CHECKING = False  # type checkers take it as true; importing typing would cost more than all the rest
if TYPE_CHECKING:
    from typing import Any

    from symattn.api.arrays import measure_arrays
    from symattn.api.check import check_article, check_worksheet
    from symattn.api.derivation import Derivation, derive
    from symattn.api.exercise import Exercise, Grades, grade, make_exercise
    from symattn.api.gradient import differentiate
    from symattn.api.proof import Proof, prove
    from symattn.api.saturation import measure_saturation
    from symattn.api.weave import weave
    from symattn.errors import FormulaError, InputError, NotSupportedError, ShapeError, SymattnError
    from symattn.lowering import lower
    from symattn.nodes import (
        Activation,
        Alibi,
        Attention,
        BahdanauAttention,
        CausalMask,
        Concat,
        CrossEntropy,
        DeltaRule,
        DifferentialAttention,
        DistanceBuckets,
        Dropout,
        Embedding,
        Entmax,
        FeedForward,
        FiniteMask,
        Gated,
        GatedDeltaRule,
        GatedLinearAttention,
        GridBuckets,
        HideMask,
        KeepMask,
        LatentAttention,
        LayerNorm,
        LearnedPositions,
        LinearAttention,
        LuongAttention,
        MultiHead,
        NormalisedRows,
        OnlineAttention,
        PaddingMask,
        QKNorm,
        RelativeBias,
        Residual,
        Retention,
        RMSNorm,
        Rotary,
        RotaryEmbedding,
        SinusoidalPositions,
        Softmax,
        Stack,
        StateSpaceDuality,
        TokenLosses,
        TopKMask,
        Weighting,
        WindowMask,
        WithPositions,
        alibi_slope,
        differential_lambda,
        t5_buckets,
    )


_HOMES = {
    "Activation": "symattn.nodes",
    "Alibi": "symattn.nodes",
    "DistanceBuckets": "symattn.nodes",
    "GridBuckets": "symattn.nodes",
    "RelativeBias": "symattn.nodes",
    "t5_buckets": "symattn.nodes",
    "Attention": "symattn.nodes",
    "BahdanauAttention": "symattn.nodes",
    "CausalMask": "symattn.nodes",
    "Concat": "symattn.nodes",
    "CrossEntropy": "symattn.nodes",
    "DeltaRule": "symattn.nodes",
    "Derivation": "symattn.api.derivation",
    "DifferentialAttention": "symattn.nodes",
    "Dropout": "symattn.nodes",
    "Embedding": "symattn.nodes",
    "Entmax": "symattn.nodes",
    "Exercise": "symattn.api.exercise",
    "FeedForward": "symattn.nodes",
    "FiniteMask": "symattn.nodes",
    "TopKMask": "symattn.nodes",
    "FormulaError": "symattn.errors",
    "Gated": "symattn.nodes",
    "GatedDeltaRule": "symattn.nodes",
    "GatedLinearAttention": "symattn.nodes",
    "Grades": "symattn.api.exercise",
    "HideMask": "symattn.nodes",
    "InputError": "symattn.errors",
    "KeepMask": "symattn.nodes",
    "LatentAttention": "symattn.nodes",
    "LayerNorm": "symattn.nodes",
    "LearnedPositions": "symattn.nodes",
    "LinearAttention": "symattn.nodes",
    "LuongAttention": "symattn.nodes",
    "MultiHead": "symattn.nodes",
    "NormalisedRows": "symattn.nodes",
    "NotSupportedError": "symattn.errors",
    "OnlineAttention": "symattn.nodes",
    "PaddingMask": "symattn.nodes",
    "Proof": "symattn.api.proof",
    "QKNorm": "symattn.nodes",
    "RMSNorm": "symattn.nodes",
    "Residual": "symattn.nodes",
    "Retention": "symattn.nodes",
    "Rotary": "symattn.nodes",
    "RotaryEmbedding": "symattn.nodes",
    "ShapeError": "symattn.errors",
    "SinusoidalPositions": "symattn.nodes",
    "Softmax": "symattn.nodes",
    "Stack": "symattn.nodes",
    "StateSpaceDuality": "symattn.nodes",
    "SymattnError": "symattn.errors",
    "TokenLosses": "symattn.nodes",
    "Weighting": "symattn.nodes",
    "WindowMask": "symattn.nodes",
    "WithPositions": "symattn.nodes",
    "alibi_slope": "symattn.nodes",
    "check_article": "symattn.api.check",
    "check_worksheet": "symattn.api.check",
    "derive": "symattn.api.derivation",
    "differential_lambda": "symattn.nodes",
    "differentiate": "symattn.api.gradient",
    "grade": "symattn.api.exercise",
    "lower": "symattn.lowering",
    "make_exercise": "symattn.api.exercise",
    "measure_arrays": "symattn.api.arrays",
    "measure_saturation": "symattn.api.saturation",
    "prove": "symattn.api.proof",
    "weave": "symattn.api.weave",
}

__all__ = [
    "Activation",
    "Alibi",
    "Attention",
    "BahdanauAttention",
    "CausalMask",
    "Concat",
    "CrossEntropy",
    "DeltaRule",
    "Derivation",
    "DifferentialAttention",
    "DistanceBuckets",
    "Dropout",
    "Embedding",
    "Entmax",
    "Exercise",
    "FeedForward",
    "FiniteMask",
    "FormulaError",
    "Gated",
    "GatedDeltaRule",
    "GatedLinearAttention",
    "Grades",
    "GridBuckets",
    "HideMask",
    "InputError",
    "KeepMask",
    "LatentAttention",
    "LayerNorm",
    "LearnedPositions",
    "LinearAttention",
    "LuongAttention",
    "MultiHead",
    "NormalisedRows",
    "NotSupportedError",
    "OnlineAttention",
    "PaddingMask",
    "Proof",
    "QKNorm",
    "RMSNorm",
    "RelativeBias",
    "Residual",
    "Retention",
    "Rotary",
    "RotaryEmbedding",
    "ShapeError",
    "SinusoidalPositions",
    "Softmax",
    "Stack",
    "StateSpaceDuality",
    "SymattnError",
    "TokenLosses",
    "TopKMask",
    "Weighting",
    "WindowMask",
    "WithPositions",
    "alibi_slope",
    "check_article",
    "check_worksheet",
    "derive",
    "differential_lambda",
    "differentiate",
    "grade",
    "lower",
    "make_exercise",
    "measure_arrays",
    "measure_saturation",
    "prove",
    "t5_buckets",
    "weave",
]


if not TYPE_CHECKING:  # to a type checker every name would be one

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'symattn' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
