"""Sizes, counts and costs that stand in sentences."""
