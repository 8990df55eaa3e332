"""What can be said of attention: SymPy matrix expressions with symbolic shapes."""

from symattn.nodes.activation import Activation, Logistic
from symattn.nodes.alibi import Alibi, alibi_slope
from symattn.nodes.attention import OPTIONS, Attention, SoftmaxAttention, logits, read_weighting, weights
from symattn.nodes.buckets import (
    DistanceBuckets,
    GridBuckets,
    TurnedBuckets,
    clipped_buckets,
    log_buckets,
    t5_buckets,
)
from symattn.nodes.chunks import ChunkedState, RunningProduct, SolveLower
from symattn.nodes.concat import Concat
from symattn.nodes.derivatives import AdditiveGain, AdditiveSlope, SeenRows, Where
from symattn.nodes.differential import DifferentialAttention, differential_lambda
from symattn.nodes.elementwise import ELU_PLUS_ONE, Mapped, OfEntries, ScoreMod
from symattn.nodes.embedding import Embedding, LearnedPositions, OneHot, SinusoidalPositions, WithPositions
from symattn.nodes.entrywise import CapSlope, ColumnSum, Diagonal, Hadamard
from symattn.nodes.families import (
    HEAD,
    KV_HEAD,
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
from symattn.nodes.feed_forward import FeedForward, Gated
from symattn.nodes.head_sums import SumGroup, SumHeads, over_heads
from symattn.nodes.latent import LatentAttention
from symattn.nodes.layer_norm import Dropout, LayerNorm, Residual, RMSNorm
from symattn.nodes.learned import ScaledBy
from symattn.nodes.linear import LinearAttention
from symattn.nodes.logits import AddRow, Biased, Scaled, SoftCapped, divisor
from symattn.nodes.loss import CrossEntropy, TokenLosses
from symattn.nodes.masked import Masked, Penalised
from symattn.nodes.masks import (
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
from symattn.nodes.multihead import MultiHead, prepare
from symattn.nodes.node import Keep, Node, Numbers, Sizes, as_matrix, check_products, is_matrix, require_size, same_size
from symattn.nodes.norms import NormalisedRows, RowNorm, ScaleColumns, ScaleRows
from symattn.nodes.part import Part
from symattn.nodes.qk_norm import QKNorm, as_qk_norm
from symattn.nodes.recurrences import TIME, Constant, Following, OnlineAttention, Previous, StackMembers
from symattn.nodes.relative import AtBuckets, BucketSums, RelativeBias, RowBucketSums
from symattn.nodes.relative_attention import RelativeAttention
from symattn.nodes.rotary import AlternatingSections, Rotary, RotaryEmbedding, RotatedBack, as_rotary
from symattn.nodes.rotary_rates import linear_rates, llama3_rates, ntk_rates, yarn_rates
from symattn.nodes.scored import AdditiveScores, BahdanauAttention, LuongAttention
from symattn.nodes.sink import SinkSoftmax
from symattn.nodes.softmax import DivideRows, Exponential, RowMax, RowSum, Softmax, SubtractColumn, empty_row_rule
from symattn.nodes.stack import Block, Stack
from symattn.nodes.states import (
    DeltaRule,
    GatedDeltaRule,
    GatedLinearAttention,
    Retention,
    StateAttention,
    StateSpaceDuality,
)
from symattn.nodes.thresholds import find_threshold
from symattn.nodes.top_k import Largest
from symattn.nodes.vanishing import Vanishing
from symattn.nodes.weighting import KINDS as WEIGHTINGS
from symattn.nodes.weighting import (
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
