"""Gradients: a program with its backward pass behind it."""

from symattn.program.gradient import kinds as _kinds  # noqa: F401  (its rules)
from symattn.program.gradient.differentiation import add_gradients, resolve

__all__ = ["add_gradients", "resolve"]
