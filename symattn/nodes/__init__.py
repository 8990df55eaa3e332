"""What can be said of attention: SymPy matrix expressions with symbolic shapes."""

from symattn.nodes.derivatives import AdditiveGain, AdditiveSlope, SeenRows, Where
from symattn.nodes.elementary.concat import Concat
from symattn.nodes.elementary.elementwise import ELU_PLUS_ONE, Mapped, OfEntries, ScoreMod
from symattn.nodes.elementary.entrywise import CapSlope, ColumnSum, Diagonal, Hadamard
from symattn.nodes.elementary.families import (
    HEAD,
    KV_HEAD,
    TIME,
    ConcatHeads,
    HeadColumns,
    HeadRows,
    Member,
    OverMembers,
    Plus,
    at,
    ending,
    kv_head_of,
    member,
    stem,
)
from symattn.nodes.elementary.head_sums import SumGroup, SumHeads, over_heads
from symattn.nodes.elementary.learned import ScaledBy
from symattn.nodes.elementary.logits import AddRow, Biased, Scaled, SoftCapped, divisor
from symattn.nodes.elementary.part import Part
from symattn.nodes.elementary.softmax import (
    DivideRows,
    Exponential,
    RowMax,
    RowSum,
    Softmax,
    SubtractColumn,
    empty_row_rule,
)
from symattn.nodes.elementary.stack import Block, RowNumber, Stack
from symattn.nodes.elementary.vanishing import Vanishing
from symattn.nodes.kinds.attention import OPTIONS, Attention, SoftmaxAttention, logits, read_weighting, weights
from symattn.nodes.kinds.chunks import ChunkedState, RunningProduct, SolveLower
from symattn.nodes.kinds.differential import DifferentialAttention, differential_lambda
from symattn.nodes.kinds.latent import LatentAttention
from symattn.nodes.kinds.linear import LinearAttention
from symattn.nodes.kinds.multihead import MultiHead, prepare
from symattn.nodes.kinds.recurrences import Constant, Following, OnlineAttention, Previous, StackMembers
from symattn.nodes.kinds.relative_attention import RelativeAttention
from symattn.nodes.kinds.scored import AdditiveScores, BahdanauAttention, LuongAttention
from symattn.nodes.kinds.states import (
    DeltaRule,
    GatedDeltaRule,
    GatedLinearAttention,
    Retention,
    StateAttention,
    StateSpaceDuality,
)
from symattn.nodes.layers.activation import Activation, Logistic
from symattn.nodes.layers.embedding import Embedding, LearnedPositions, OneHot, SinusoidalPositions, WithPositions
from symattn.nodes.layers.feed_forward import FeedForward, Gated
from symattn.nodes.layers.layer_norm import Dropout, LayerNorm, Residual, RMSNorm
from symattn.nodes.layers.loss import CrossEntropy, TokenLosses
from symattn.nodes.layers.norms import NormalisedRows, RowNorm, ScaleColumns, ScaleRows
from symattn.nodes.layers.qk_norm import QKNorm, as_qk_norm
from symattn.nodes.masking.masked import Masked, Penalised
from symattn.nodes.masking.masks import (
    CausalMask,
    FiniteMask,
    HideMask,
    KeepMask,
    PaddingMask,
    TopKMask,
    WindowMask,
    as_mask,
    mask_parts,
)
from symattn.nodes.masking.top_k import Largest
from symattn.nodes.node import Keep, Node, Numbers, Sizes, as_matrix, check_products, is_matrix, require_size, same_size
from symattn.nodes.positions.alibi import Alibi, alibi_slope
from symattn.nodes.positions.buckets import (
    DistanceBuckets,
    GridBuckets,
    TurnedBuckets,
    clipped_buckets,
    log_buckets,
    t5_buckets,
)
from symattn.nodes.positions.relative import AtBuckets, BucketSums, RelativeBias, RowBucketSums
from symattn.nodes.positions.rotary import AlternatingSections, Rotary, RotaryEmbedding, RotatedBack, as_rotary
from symattn.nodes.positions.rotary_rates import linear_rates, llama3_rates, ntk_rates, yarn_rates
from symattn.nodes.weights.sink import SinkSoftmax
from symattn.nodes.weights.thresholds import find_threshold
from symattn.nodes.weights.weighting import KINDS as WEIGHTINGS
from symattn.nodes.weights.weighting import (
    WITHOUT_SOFTMAX,
    AboveThreshold,
    Entmax,
    RowThreshold,
    SigmoidWeights,
    Weighting,
    as_weighting,
)

__all__ = [
    "ELU_PLUS_ONE",
    "HEAD",
    "KV_HEAD",
    "OPTIONS",
    "TIME",
    "WEIGHTINGS",
    "WITHOUT_SOFTMAX",
    "AboveThreshold",
    "Activation",
    "AddRow",
    "AdditiveGain",
    "AdditiveScores",
    "AdditiveSlope",
    "Alibi",
    "AlternatingSections",
    "AtBuckets",
    "Attention",
    "BahdanauAttention",
    "Biased",
    "Block",
    "BucketSums",
    "CapSlope",
    "CausalMask",
    "ChunkedState",
    "ColumnSum",
    "Concat",
    "ConcatHeads",
    "Constant",
    "CrossEntropy",
    "DeltaRule",
    "Diagonal",
    "DifferentialAttention",
    "DistanceBuckets",
    "DivideRows",
    "Dropout",
    "Embedding",
    "Entmax",
    "Exponential",
    "FeedForward",
    "FiniteMask",
    "Following",
    "Gated",
    "GatedDeltaRule",
    "GatedLinearAttention",
    "GridBuckets",
    "Hadamard",
    "HeadColumns",
    "HeadRows",
    "HideMask",
    "Keep",
    "KeepMask",
    "Largest",
    "LatentAttention",
    "LayerNorm",
    "LearnedPositions",
    "LinearAttention",
    "Logistic",
    "LuongAttention",
    "Mapped",
    "Masked",
    "Member",
    "MultiHead",
    "Node",
    "NormalisedRows",
    "Numbers",
    "OfEntries",
    "OneHot",
    "OnlineAttention",
    "OverMembers",
    "PaddingMask",
    "Part",
    "Penalised",
    "Plus",
    "Previous",
    "QKNorm",
    "RMSNorm",
    "RelativeAttention",
    "RelativeBias",
    "Residual",
    "Retention",
    "Rotary",
    "RotaryEmbedding",
    "RotatedBack",
    "RowBucketSums",
    "RowMax",
    "RowNorm",
    "RowNumber",
    "RowSum",
    "RowThreshold",
    "RunningProduct",
    "ScaleColumns",
    "ScaleRows",
    "Scaled",
    "ScaledBy",
    "ScoreMod",
    "SeenRows",
    "SigmoidWeights",
    "SinkSoftmax",
    "SinusoidalPositions",
    "Sizes",
    "SoftCapped",
    "Softmax",
    "SoftmaxAttention",
    "SolveLower",
    "Stack",
    "StackMembers",
    "StateAttention",
    "StateSpaceDuality",
    "SubtractColumn",
    "SumGroup",
    "SumHeads",
    "TokenLosses",
    "TopKMask",
    "TurnedBuckets",
    "Vanishing",
    "Weighting",
    "Where",
    "WindowMask",
    "WithPositions",
    "alibi_slope",
    "as_mask",
    "as_matrix",
    "as_qk_norm",
    "as_rotary",
    "as_weighting",
    "at",
    "check_products",
    "clipped_buckets",
    "differential_lambda",
    "divisor",
    "empty_row_rule",
    "ending",
    "find_threshold",
    "is_matrix",
    "kv_head_of",
    "linear_rates",
    "llama3_rates",
    "log_buckets",
    "logits",
    "mask_parts",
    "member",
    "ntk_rates",
    "over_heads",
    "prepare",
    "read_weighting",
    "require_size",
    "same_size",
    "stem",
    "t5_buckets",
    "weights",
    "yarn_rates",
]
