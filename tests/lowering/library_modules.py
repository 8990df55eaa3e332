"""The parameters of a module of the transformers library."""

import numpy as np
from lowering.named_weights import weight
from sympy import MatrixSymbol


class Module:
    """Symbols for a module's parameters, their arrays, and how their gradients stand in the library."""

    def __init__(self):
        self.arrays, self.names = {}, {}

    def named(self, name, shape, turned=False):
        array = np.atleast_2d(weight(name, shape))
        symbol = MatrixSymbol(f"w{len(self.arrays)}", *(array.T if turned else array).shape)
        self.arrays[symbol.name] = np.ascontiguousarray(array.T if turned else array)
        self.names[symbol.name] = name, turned
        return symbol

    def linear(self, name, rows, columns):
        return self.named(f"{name}.weight", (columns, rows), turned=True)

    def projections(self, names, width, kv_width=None, bias=(), output=True):
        sizes = (width, kv_width or width, kv_width or width)
        made = {f"W_{x}": self.linear(name, width, size) for x, name, size in zip("QKV", names, sizes, strict=False)}
        made |= {
            f"b_{x}": self.named(f"{name}.bias", (size,))
            for x, name, size in zip("QKV", names, sizes, strict=False)
            if x in bias
        }
        if output:
            made["W_O"] = self.linear(names[3], width, width)
            made |= {"b_O": self.named(f"{names[3]}.bias", (width,))} if "O" in bias else {}
        return made
