"""Lowered functions beside torch in float64, forward and gradient, for layers drawn at random.

    python benchmarks/random_configurations.py 10000 1

How many configurations, and the seed. A configuration is a kind of head with options, heads and key/value heads, drawn
anew every 25, with sizes, leading axes and numbers of its own. Both styles are called; the difference is over 1 + the
largest number of the result.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

import numpy as np
import torch
from sympy import MatrixSymbol, Rational, symbols

from symattn import lower
from symattn.nodes import (
    HEAD,
    Attention,
    BahdanauAttention,
    Block,
    CausalMask,
    DifferentialAttention,
    HeadColumns,
    LatentAttention,
    LinearAttention,
    LuongAttention,
    MultiHead,
    OnlineAttention,
    PaddingMask,
    Retention,
    TopKMask,
    WindowMask,
)

EACH = 25  # configurations of one structure
n, D, d, e, c, u = symbols("n d_model d_k d_v d_c d_s", integer=True, positive=True)
X = MatrixSymbol("X", n, D)
KINDS = ("softmax", "luong", "bahdanau", "linear", "online", "latent", "differential", "retention")
Draw = dict[str, Any]


def draw(chance: random.Random) -> Draw:
    """A structure: what is computed, without sizes."""
    kind, heads = chance.choice(KINDS), chance.choice((1, 2, 3, 4))
    made: Draw = {"kind": kind, "heads": heads, "kv": heads, "mask": chance.choice(("", "causal", "window", "top"))}
    if kind not in ("latent",) and chance.random() < 0.5:
        made["kv"] = chance.choice([x for x in range(1, heads + 1) if heads % x == 0])
    if kind in ("softmax", "luong", "bahdanau", "latent", "differential"):
        made["softcap"] = chance.choice((None, None, 3))
        made["sink"] = chance.choice((None, None, Rational(1, 2)))
        made["padding"] = chance.random() < 0.2 and made["mask"] == "causal"
    if kind in ("online", "linear"):
        made["mask"] = chance.choice(("", "causal"))
    made["absorbed"] = chance.random() < 0.5
    made["bias"] = chance.random() < 0.5
    return made


def own(name: str, rows: Any, columns: Any, count: int) -> Any:
    return HeadColumns(MatrixSymbol(name, rows, count * columns), HEAD, count)


def masks(s: Draw) -> Any:
    found = {"": (), "causal": (CausalMask(),), "window": (WindowMask(2, 1),), "top": (TopKMask(2),)}[s["mask"]]
    return (*found, PaddingMask(keys=[2])) if s.get("padding") else found


def expression(s: Draw) -> Any:
    """The layer of a structure."""
    kind, h, g = s["kind"], s["heads"], s["kv"]
    options = {"mask": masks(s)} | {name: s[name] for name in ("softcap", "sink") if s.get(name) is not None}
    pairs = 2 if kind == "differential" else 1
    W = {"W_Q": MatrixSymbol("W_Q", D, h * pairs * d), "W_O": MatrixSymbol("W_O", h * e, D)}
    if kind != "latent":
        W |= {"W_K": MatrixSymbol("W_K", D, g * pairs * d), "W_V": MatrixSymbol("W_V", D, g * e)}
    if s["bias"]:
        W["b_Q"] = MatrixSymbol("b_Q", 1, h * pairs * d)
    halves = lambda Q, K: (Block(x, 0, n, k * d, d) for k in (0, 1) for x in (Q, K))  # noqa: E731
    C = X * MatrixSymbol("W_C", D, c)
    heads = {
        "softmax": lambda Q, K, V: Attention(Q, K, V, **options),
        "luong": lambda Q, K, V: LuongAttention(Q, K, V, own("W_S", d, d, h), **options),
        "bahdanau": lambda Q, K, V: BahdanauAttention(
            Q, K, V, own("W_S", d, u, h), MatrixSymbol("U_S", d, u), MatrixSymbol("v_S", u, 1), **options
        ),
        "linear": lambda Q, K, V: LinearAttention(Q, K, V, causal=s["mask"] == "causal"),
        "online": lambda Q, K, V: OnlineAttention(Q, K, V, mask=masks(s)),
        "latent": lambda Q, K, V: LatentAttention(
            Q, C, own("U_K", c, d, h), own("U_V", c, e, h), s["absorbed"], **options
        ),
        "differential": lambda Q, K, V: DifferentialAttention(
            *halves(Q, K), V, MatrixSymbol("lambda", 1, 1), **options
        ),
        "retention": lambda Q, K, V: Retention(Q, K, V, 1 - Rational(1, 2) ** HEAD),
    }
    return MultiHead(X, heads=h, kv_heads=g, **W, kind=heads[kind])


# --- the same in torch, one head at a time


def weights(s: Draw, Z: Any) -> Any:
    if s.get("softcap"):
        Z = s["softcap"] * torch.tanh(Z / s["softcap"])
    i, j = torch.arange(Z.shape[-2])[:, None], torch.arange(Z.shape[-1])
    keep = {"causal": j <= i, "window": (i - 2 <= j) & (j <= i + 1)}.get(s["mask"], (j >= 0) & (i >= 0))
    keep = keep & (j != 1) if s.get("padding") else keep
    Z = Z.masked_fill(~keep, -torch.inf)
    if s["mask"] == "top":
        place = torch.argsort(torch.argsort(-Z, dim=-1, stable=True), dim=-1, stable=True)
        Z = Z.masked_fill(place >= 2, -torch.inf)
    if s.get("sink") is None:
        return torch.softmax(Z, -1)
    sink = torch.full((*Z.shape[:-1], 1), float(s["sink"]), dtype=Z.dtype)
    return torch.softmax(torch.cat([Z, sink], -1), -1)[..., :-1]


def head(s: Draw, k: int, x: dict[str, Any], width: int) -> Any:
    kind, h = s["kind"], s["heads"]
    part = lambda W, i, count: W[..., i * (W.shape[-1] // count) : (i + 1) * (W.shape[-1] // count)]  # noqa: E731
    shared = k * s["kv"] // h
    Q = part(x["X"] @ x["W_Q"] + x.get("b_Q", 0), k, h)
    if kind == "latent":
        C = x["X"] @ x["W_C"]
        K, V = C @ part(x["U_K"], k, h), C @ part(x["U_V"], k, h)
    else:
        K, V = (part(x["X"] @ x[f"W_{y}"], shared, s["kv"]) for y in "KV")
    if kind == "luong":
        return weights(s, Q @ part(x["W_S"], k, h) @ K.mT) @ V
    if kind == "bahdanau":
        P, R = Q @ part(x["W_S"], k, h), K @ x["U_S"]
        return weights(s, (torch.tanh(P[..., :, None, :] + R[..., None, :, :]) @ x["v_S"])[..., 0]) @ V
    if kind in ("linear", "retention"):
        i, j = torch.arange(Q.shape[-2])[:, None], torch.arange(K.shape[-2])
        if kind == "retention":
            return (Q @ K.mT * torch.where(j <= i, (1 - 0.5 ** (k + 1)) ** (i - j).clamp(min=0).double(), 0.0)) @ V
        A = (torch.nn.functional.elu(Q) + 1) @ (torch.nn.functional.elu(K) + 1).mT
        A = A * (j <= i) if s["mask"] == "causal" else A
        return A / A.sum(-1, keepdim=True) @ V
    if kind == "differential":
        (Q, Q_2), (K, K_2) = (torch.split(y, width, -1) for y in (Q, K))
        return (weights(s, Q @ K.mT / width**0.5) - x["lambda"] * weights(s, Q_2 @ K_2.mT / width**0.5)) @ V
    return weights(s, Q @ K.mT / width**0.5) @ V


def difference(s: Draw, layer: Any, calls: dict[str, Any], numbers: np.random.Generator) -> float:
    """The largest of all results and gradients, in both styles, at sizes and numbers of a draw."""
    sizes = dict(zip((n, D, d, e, c, u), map(int, numbers.integers(2, 9, 6)), strict=True))
    lead = tuple(map(int, numbers.integers(1, 4, int(numbers.integers(0, 3)))))
    shapes = {y.name: tuple(int(z.xreplace(sizes)) for z in y.shape) for y in layer.atoms(MatrixSymbol)}
    given = {name: numbers.normal(size=(*(lead if name == "X" else ()), *shape)) for name, shape in shapes.items()}
    x = {name: torch.tensor(y, requires_grad=True) for name, y in given.items()}
    wanted = torch.cat([head(s, k, x, sizes[d]) for k in range(s["heads"])], -1) @ x["W_O"]
    G = numbers.normal(size=tuple(wanted.shape))
    wanted.backward(torch.tensor(G))
    right = {"output": wanted.detach().numpy()} | {f"d{name}": y.grad.numpy() for name, y in x.items()}
    worst = 0.0
    for style in ("plain", "fast"):
        found = calls[style, True](**given, G=G)
        forward = np.abs(calls[style, False](**given) - right["output"]).max() / (1 + np.abs(right["output"]).max())
        apart = (np.abs(found[name] - y).max() / (1 + np.abs(y).max()) for name, y in right.items())
        worst = max(worst, float(forward), *map(float, apart))
    return worst


def main(count: int, seed: int) -> None:
    chance, numbers = random.Random(seed), np.random.default_rng(seed)
    torch.set_num_threads(1)
    worst: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for k in range(count):
        if k % EACH == 0:
            s = draw(chance)
            layer = expression(s)
            calls = {
                (y, back): lower(layer, style=y, gradient=back) for y in ("plain", "fast") for back in (False, True)
            }
        found = difference(s, layer, calls, numbers)
        seen[s["kind"]] += 1
        worst[s["kind"]] = max(worst[s["kind"]], found)  # type: ignore[assignment]
        if not found < 1e-10:
            print(f"configuration {k}: {found:.1e} {s}")
        if k % 1000 == 999:
            print(k + 1, f"{max(worst.values()):.1e}", flush=True)
    for kind in KINDS:
        print(f"{kind}: {seen[kind]} configurations, worst difference {worst[kind]:.1e}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
