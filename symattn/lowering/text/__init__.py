"""The text of expressions and lines."""
