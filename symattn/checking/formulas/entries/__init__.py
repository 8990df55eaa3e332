"""Matrices by their entries: products and softmax in index notation, and tables of letters."""
