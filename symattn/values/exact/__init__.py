"""Closed forms, and the operations on them."""
