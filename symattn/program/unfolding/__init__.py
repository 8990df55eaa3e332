"""An attention expression -> its elementary steps, by one stateless rule per kind of node."""

from symattn.program.unfolding import kinds as _kinds  # noqa: F401  (its rules)
from symattn.program.unfolding import layers as _layers  # noqa: F401  (its rules)
from symattn.program.unfolding.rules import unfold, unfold_node

__all__ = ["unfold", "unfold_node"]
