"""What can be said of attention: SymPy matrix expressions with symbolic shapes."""

from symattn.nodes.attention import Attention, logits
from symattn.nodes.base import Keep, Node, Numbers, Sizes, check_products, is_matrix, require_size, same_size
from symattn.nodes.concat import Concat
from symattn.nodes.families import (
    HEAD,
    KV_HEAD,
    ConcatHeads,
    HeadColumns,
    HeadRows,
    Member,
    Plus,
    SumHeads,
    at,
    kv_head_of,
    member,
)
from symattn.nodes.masks import CausalMask, KeepMask, Masked, WindowMask, as_mask, mask_parts
from symattn.nodes.multihead import MultiHead
from symattn.nodes.parts import Part
from symattn.nodes.scores import AddRow, Biased, Scaled, SoftCapped, divisor
from symattn.nodes.softmax import DivideRows, Exponential, RowMax, RowSum, Softmax, SubtractColumn

__all__ = [
    "HEAD",
    "KV_HEAD",
    "AddRow",
    "Attention",
    "Biased",
    "CausalMask",
    "Concat",
    "ConcatHeads",
    "DivideRows",
    "Exponential",
    "HeadColumns",
    "HeadRows",
    "Keep",
    "KeepMask",
    "Masked",
    "Member",
    "MultiHead",
    "Node",
    "Numbers",
    "Part",
    "Plus",
    "RowMax",
    "RowSum",
    "Scaled",
    "Sizes",
    "SoftCapped",
    "Softmax",
    "SubtractColumn",
    "SumHeads",
    "WindowMask",
    "as_mask",
    "at",
    "check_products",
    "divisor",
    "is_matrix",
    "kv_head_of",
    "logits",
    "mask_parts",
    "member",
    "require_size",
    "same_size",
]
