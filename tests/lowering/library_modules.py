"""The parameters of a module of the transformers library."""

import numpy as np
from lowering.named_weights import weight
from sympy import MatrixSymbol

from symattn import lower


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


def agree(expression, w, known, style, inputs, **given):
    """Output and gradients of ⟨G, output⟩ are those that are known, to 1e-5 in float32, and all of them are compared.

    `inputs` are the symbols of what the module is given, with their names there.
    """
    found = lower(expression, style=style, gradient=True)(**w.arrays, **given)
    assert found["output"].dtype == np.float32
    made = {"output": found["output"]} | {name: found[f"d{symbol}"] for symbol, name in inputs.items()}
    for symbol, (name, turned) in w.names.items():
        made[name] = found[f"d{symbol}"].T if turned else found[f"d{symbol}"]
    assert known.keys() <= made.keys()
    for name, rows in known.items():
        np.testing.assert_allclose(made[name].ravel(), np.ravel(rows), rtol=1e-5, atol=1e-5, err_msg=name)
