"""An attention expression -> its elementary steps, by one stateless rule per kind of node."""

from symattn.unfolding import kinds
from symattn.unfolding.rules import unfold, unfold_node

__all__ = ["kinds", "unfold", "unfold_node"]
