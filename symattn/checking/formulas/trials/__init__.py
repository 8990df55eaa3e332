"""Printed formulas held against what they should be, at small tensors and for every size."""
