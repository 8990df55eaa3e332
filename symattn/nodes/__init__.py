"""What can be said of attention: SymPy matrix expressions with symbolic shapes."""

from symattn.nodes.attention import Attention, logits
from symattn.nodes.base import Keep, Node, Numbers, Sizes, check_products, is_matrix, require_size
from symattn.nodes.concat import Concat
from symattn.nodes.masks import CausalMask, KeepMask, Masked, WindowMask, as_mask, mask_parts
from symattn.nodes.multihead import MultiHead
from symattn.nodes.scores import AddRow, Biased, Scaled, SoftCapped, divisor
from symattn.nodes.softmax import DivideRows, Exponential, RowMax, RowSum, Softmax, SubtractColumn

__all__ = [
    "AddRow",
    "Attention",
    "Biased",
    "CausalMask",
    "Concat",
    "DivideRows",
    "Exponential",
    "Keep",
    "KeepMask",
    "Masked",
    "MultiHead",
    "Node",
    "Numbers",
    "RowMax",
    "RowSum",
    "Scaled",
    "Sizes",
    "SoftCapped",
    "Softmax",
    "SubtractColumn",
    "WindowMask",
    "as_mask",
    "check_products",
    "divisor",
    "is_matrix",
    "logits",
    "mask_parts",
    "require_size",
]
