"""Derivatives by the chain rule, from the formulas that an article has for its letters."""
