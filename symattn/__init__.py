"""The mathematics of Transformer attention."""

__version__ = "0.1.0"
