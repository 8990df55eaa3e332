"""Formulas with one typical slip: a sum, a scale or a sign that is missing."""
