"""Attention as loops that Numba compiles: what modules in the styles "compiled" and "auto" call.

`vectors` gives Numba the registers of the processor, `forward` and `backward` are the loops, and `attention` prepares
their arguments, which are those of the fast style.
"""
