"""The mathematics of Transformer attention: derivations step by step, exact values, proven digits.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from symattn.version import __version__ as __version__

TYPE_CHECKING = False  # type checkers take it as true; importing typing would cost more than all the rest
if TYPE_CHECKING:
    from typing import Any

    from symattn.api.arrays import measure_arrays
    from symattn.api.check import check_article, check_spreadsheet, check_worksheet
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
        AtBuckets,
        Attention,
        BahdanauAttention,
        CausalMask,
        ChunkedState,
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
        RelativeAttention,
        RelativeBias,
        Residual,
        Retention,
        RMSNorm,
        Rotary,
        RotaryEmbedding,
        RowBucketSums,
        SinusoidalPositions,
        Softmax,
        Stack,
        StateSpaceDuality,
        TokenLosses,
        TopKMask,
        TurnedBuckets,
        Weighting,
        WindowMask,
        WithPositions,
        alibi_slope,
        clipped_buckets,
        differential_lambda,
        linear_rates,
        llama3_rates,
        log_buckets,
        ntk_rates,
        t5_buckets,
        yarn_rates,
    )


_HOMES = {  # where a public name is defined that is no node
    "Derivation": "symattn.api.derivation",
    "Exercise": "symattn.api.exercise",
    "FormulaError": "symattn.errors",
    "Grades": "symattn.api.exercise",
    "InputError": "symattn.errors",
    "NotSupportedError": "symattn.errors",
    "Proof": "symattn.api.proof",
    "ShapeError": "symattn.errors",
    "SymattnError": "symattn.errors",
    "check_article": "symattn.api.check",
    "check_spreadsheet": "symattn.api.check",
    "check_worksheet": "symattn.api.check",
    "derive": "symattn.api.derivation",
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
    "AtBuckets",
    "Attention",
    "BahdanauAttention",
    "CausalMask",
    "ChunkedState",
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
    "RelativeAttention",
    "RelativeBias",
    "Residual",
    "Retention",
    "Rotary",
    "RotaryEmbedding",
    "RowBucketSums",
    "ShapeError",
    "SinusoidalPositions",
    "Softmax",
    "Stack",
    "StateSpaceDuality",
    "SymattnError",
    "TokenLosses",
    "TopKMask",
    "TurnedBuckets",
    "Weighting",
    "WindowMask",
    "WithPositions",
    "alibi_slope",
    "check_article",
    "check_spreadsheet",
    "check_worksheet",
    "clipped_buckets",
    "derive",
    "differential_lambda",
    "differentiate",
    "grade",
    "linear_rates",
    "llama3_rates",
    "log_buckets",
    "lower",
    "make_exercise",
    "measure_arrays",
    "measure_saturation",
    "ntk_rates",
    "prove",
    "t5_buckets",
    "weave",
    "yarn_rates",
]


if not TYPE_CHECKING:  # to a type checker every name would be one

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'symattn' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES.get(name, "symattn.nodes")), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
