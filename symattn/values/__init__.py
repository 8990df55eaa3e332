"""What a step is worth, one file per kind of number behind one protocol (`nodes.Numbers`)."""

from symattn.values.evaluation import evaluate_steps
from symattn.values.valuation import Valuation

__all__ = ["Valuation", "evaluate_steps"]
