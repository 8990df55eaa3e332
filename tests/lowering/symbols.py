"""Symbols that tests of lowering share."""

from sympy import MatrixSymbol, symbols

n, m, d_k, d_v, D = symbols("n m d_k d_v D", integer=True, positive=True)
Q, K, V = MatrixSymbol("Q", n, d_k), MatrixSymbol("K", m, d_k), MatrixSymbol("V", m, d_v)
B, M = MatrixSymbol("B", n, m), MatrixSymbol("M", n, m)
