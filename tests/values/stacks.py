"""A stack of layers with its loss in plain mpmath, written apart from the package, for numbers of any precision."""

from mpmath import MPContext

WIDTH, HEADS, HIDDEN, VOCABULARY = 8, 2, 16, 5
TOKENS, LABELS = (0, 2, 1, 2), (2, 1, 3, 0)
SHAPES = {"E": (VOCABULARY, WIDTH), "P": (5, WIDTH), "g": (1, WIDTH), "c": (1, WIDTH), "W_U": (WIDTH, VOCABULARY)}
OF_LAYER = {
    "g_1": (1, WIDTH), "c_1": (1, WIDTH), "g_2": (1, WIDTH), "c_2": (1, WIDTH),
    "W_Q": (WIDTH, WIDTH), "W_K": (WIDTH, WIDTH), "W_V": (WIDTH, WIDTH), "W_O": (WIDTH, WIDTH),
    "W_1": (WIDTH, HIDDEN), "b_1": (1, HIDDEN), "W_2": (HIDDEN, WIDTH), "b_2": (1, WIDTH),
}  # fmt: skip


def shapes(layers):
    """Every parameter's shape, by name."""
    return SHAPES | {f"{name}^(layer{k})": s for k in range(1, layers + 1) for name, s in OF_LAYER.items()}


class Stack:
    """The loss of the stack, pre-norm and causal, for parameters as lists of rows of mpmath numbers."""

    def __init__(self, digits, activation="gelu"):
        self.mp = MPContext()
        self.mp.dps = digits
        self.activation = activation

    def act(self, x):
        mp = self.mp
        if self.activation == "gelu":
            return x * mp.erfc(-x / mp.sqrt(2)) / 2
        if self.activation == "gelu-tanh":
            return x / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf(44715) / 10**6 * x**3)))
        return x / (1 + mp.exp(-x)) if self.activation == "silu" else max(x, mp.mpf(0))

    def norm(self, rows, gain, bias):
        mp, made = self.mp, []
        for row in rows:
            mean = sum(row) / len(row)
            size = mp.sqrt(sum(x * x for x in row) / len(row) - mean**2 + mp.mpf(1) / 100000)
            made.append([(x - mean) / size * g + b for x, g, b in zip(row, gain[0], bias[0], strict=True)])
        return made

    def attend(self, rows, p):
        mp, width = self.mp, WIDTH // HEADS
        Q, K, V = (times(rows, p(name)) for name in ("W_Q", "W_K", "W_V"))
        outputs = []
        for i, q in enumerate(Q):
            row = []
            for h in range(HEADS):
                part = range(h * width, (h + 1) * width)
                powers = [mp.exp(sum(q[t] * K[j][t] for t in part) / mp.sqrt(width)) for j in range(i + 1)]
                row += [sum(e * V[j][t] for j, e in enumerate(powers)) / sum(powers) for t in part]
            outputs.append(row)
        return times(outputs, p("W_O"))

    def loss(self, given, layers):
        X = [[e + p for e, p in zip(given["E"][t], given["P"][k], strict=True)] for k, t in enumerate(TOKENS)]
        for k in range(1, layers + 1):
            X = self.layer(X, lambda name, k=k: given[f"{name}^(layer{k})"])
        Z = times(self.norm(X, given["g"], given["c"]), given["W_U"])
        log, exp = self.mp.log, self.mp.exp
        return sum(log(sum(map(exp, z))) - z[y] for z, y in zip(Z, LABELS, strict=True)) / len(Z)

    def layer(self, X, p):
        H = add(X, self.attend(self.norm(X, p("g_1"), p("c_1")), p))
        hidden = [[x + b for x, b in zip(row, p("b_1")[0], strict=True)] for row in
                  times(self.norm(H, p("g_2"), p("c_2")), p("W_1"))]  # fmt: skip
        out = times([[self.act(x) for x in row] for row in hidden], p("W_2"))
        return [[h + y + b for h, y, b in zip(r, s, p("b_2")[0], strict=True)] for r, s in zip(H, out, strict=True)]

    def slope(self, given, layers, name, along):
        """The central difference of four points along a direction of one parameter; the error is of order step⁴."""
        mp, step = self.mp, self.mp.mpf(10) ** -8
        total = mp.mpf(0)
        for by, weight in ((1, 8), (-1, -8), (2, -1), (-2, 1)):
            pairs = zip(given[name], along, strict=True)
            rows = [[x + by * step * y for x, y in zip(*pair, strict=True)] for pair in pairs]
            total += weight * self.loss({**given, name: rows}, layers)
        return total / (12 * step)


def times(A, B):
    return [[sum(x * B[k][j] for k, x in enumerate(row)) for j in range(len(B[0]))] for row in A]


def add(A, B):
    return [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(A, B, strict=True)]
