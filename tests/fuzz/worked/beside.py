"""Worked examples of what stands beside attention: norms, layers, losses, positions, temperatures, sentences."""

from __future__ import annotations

from tests.fuzz.worked.attention import Example, draw_dress, percent, title, wrong_softmax
from tests.fuzz.worked.author import Author, Row, mp, softmax
from tests.fuzz.worked.spelling import Dress


def normalise(a: Author) -> tuple[str, str]:
    """A residual connection and LayerNorm, step by step."""
    d = draw_dress(a)
    e, s = Example(a, d), d.s
    n = a.pick(2, 3, 4, 4)
    parts = [title(a, d)]
    x = a.inputs(1, n, a.pick("tenths", "whole", "signed", "hundredths"))[0]
    if len(set(x)) == 1:
        x[0] += 1
    if a.chance(0.5):
        y = a.inputs(1, n, a.pick("tenths", "whole"))[0]
        total = a.settle([[p + q for p, q in zip(x, y, strict=True)]])[0]
        if len({a.rounded(t) for t in total}) == 1:
            return normalise(a)
        sub = s.name("x") + " + " + s.name("Sublayer" if not d.tex else "y")
        parts.append(
            d.show(d.chain(s.name("x"), e.vector(x), about=False), d.chain(s.name("y"), e.vector(y), about=False))
        )
        parts.append(d.prose("Residual:" if a.language != "zh" else "残差连接："))
        way = a.pick(
            [s.name("h"), f"{s.name('x')} + {s.name('y')}"],
            [s.name("h"), f"{e.vector(x)} + {e.vector(y)}"],
            [s.name("h"), sub],
        )
        parts.append(d.show(d.chain(*way, e.printed(total), about=False)))
        x, name = total, way[0]
    else:
        name = s.name("x")
        parts.append(d.show(d.chain(name, e.vector(x), about=False)))
    parts.append(
        "LayerNorm" if a.chance(0.5) else f"{title(a, d)[:2]} LayerNorm" if d.suffix == "md" else "<h2>LayerNorm</h2>"
    )
    mean = a.settle([[mp.fsum(x) / n]])[0][0]
    mu, sigma = (r"\mu", r"\sigma") if d.tex else a.pick(("μ", "σ"), (a.say("mean"), "std"), ("mean", "std"))
    fsum = " + ".join(s.bracket(d.num(a.work(v))) for v in x)
    mean_line = d.chain(
        mu,
        s.ratio(f"({fsum})" if not d.tex or s.fraction == "slash" else fsum, str(n)),
        d.num(a.show(mean)),
        about=False,
    )
    by = n - 1 if a.chance(0.08) and n > 2 else n
    squares = [(v - mean) ** 2 for v in x]
    off = a.settle([[v - mean for v in x]])[0]
    var = a.settle([[mp.fsum(squares) / by]])[0][0]
    deviations = " + ".join(f"({d.num(a.work(o))})" + ("^2" if d.tex or a.first else "²") for o in off)
    root2 = "^2" if d.tex else "²" if a.first else "^2"
    var_name = f"{sigma}{root2}" if sigma in (r"\sigma", "σ") else a.say("variance")
    var_line = d.chain(
        var_name,
        s.ratio(f"({deviations})" if not d.tex or s.fraction == "slash" else deviations, str(by)),
        d.num(a.show(var)),
        about=False,
    )
    std = a.settle([[mp.sqrt(var)]])[0][0]
    if a.rounded(std) == 0:
        return normalise(a)
    std_line = d.chain(sigma, s.root(d.num(a.work(var))), d.num(a.show(std)))
    lines = [mean_line, var_line, std_line]
    if a.chance(0.4):
        lines.insert(1, d.chain(f"{name} - {mu}", e.printed(off), about=False))
    parts.append(d.show(*lines))
    normed = a.settle([[o / std for o in off]])[0]
    hat = (
        r"\hat{x}"
        if d.tex
        else a.pick("x̂", "x_norm", "normalized", f"LayerNorm({name})" if name.isalpha() else "x_norm")
    )
    if a.chance(0.5):
        ratios = (
            s.list([f"({a.work(v)} - {s.bracket(a.work(mean))})/{a.work(std)}" for v in x])
            if not d.tex
            else s.ratio(f"{name} - {mu}" if s.fraction == "frac" else f"({name} - {mu})", sigma)
        )
        parts.append(d.show(d.chain(hat, ratios, e.printed(normed))))
    else:
        parts.append(d.show(d.chain(hat, e.printed(normed))))
    if a.chance(0.4):
        g, b = a.inputs(1, n, "tenths")[0], a.inputs(1, n, "tenths")[0]
        gamma, beta = (r"\gamma", r"\beta") if d.tex else ("γ", "β")
        parts.append(d.show(d.chain(gamma, e.vector(g), about=False), d.chain(beta, e.vector(b), about=False)))
        y = a.settle([[p * q + r for p, q, r in zip(normed, g, b, strict=True)]])[0]
        around = rf"{gamma} \odot {hat} + {beta}" if d.tex else f"{gamma} {a.pick('⊙', '·', '*')} {hat} + {beta}"
        parts.append(d.show(d.chain(s.name("y") if a.chance(0.5) else s.name("out"), around, e.printed(y))))
    return "\n\n".join(parts), d.suffix


def feed_forward(a: Author) -> tuple[str, str]:
    """Two linear layers with ReLU between them, of one vector."""
    d = draw_dress(a)
    e, s = Example(a, d), d.s
    n, m = a.pick(2, 3), a.pick(2, 3, 4)
    kind = a.pick("tenths", "signed", "tenths")
    x, w1, w2 = a.inputs(1, n, kind), a.inputs(n, m, kind), a.inputs(m, n, kind)
    b1, b2 = a.inputs(1, m, "tenths")[0], a.inputs(1, n, "tenths")[0]
    biased = a.chance(0.6)
    parts = [title(a, d)]
    given = [(s.name("x"), e.vector(x[0])), (s.name("W", 1), e.given(w1)), (s.name("W", 2), e.given(w2))]
    if biased:
        given += [(s.name("b", 1), e.vector(b1)), (s.name("b", 2), e.vector(b2))]
    a.r.shuffle(given)
    parts.append(d.show(*(d.chain(n_, t, about=False) for n_, t in given)))

    def layer(row: Row, w: list[Row], b: Row) -> Row:
        return [
            mp.fsum(p * q for p, q in zip(row, c, strict=True)) + (b[j] if biased else 0)
            for j, c in enumerate(zip(*w, strict=True))
        ]

    h = a.settle([layer(x[0], w1, b1)])[0]
    plus = [f" + {s.name('b', i)}" if biased else "" for i in (1, 2)]
    hn = s.name(a.pick("h", "z", "h"))
    parts.append(d.show(d.chain(hn, s.product(s.name("x"), s.name("W", 1)) + plus[0], e.printed(h), about=False)))
    r = a.settle([[max(v, mp.mpf(0)) for v in h]])[0]
    rn = s.call("ReLU", hn)
    rname = s.name("a")
    parts.append(
        d.show(
            d.chain(
                *a.pick([rname, rn], [rname, s.call("ReLU", s.list([d.num(a.work(v)) for v in h]))]),
                e.printed(r),
                about=False,
            )
        )
    )
    y = a.settle([layer(r, w2, b2)])[0]
    parts.append(d.show(d.chain(s.name("y"), s.product(rname, s.name("W", 2)) + plus[1], e.printed(y), about=False)))
    return "\n\n".join(parts), d.suffix


def temperatures(a: Author) -> tuple[str, str]:
    """Softmax of one list at several temperatures, perhaps what top-k or top-p leave."""
    d = draw_dress(a)
    e, s = Example(a, d), d.s
    z = a.inputs(1, a.pick(2, 3, 4), a.pick("whole", "tenths", "signed"))[0]
    parts = [title(a, d)]
    logits = a.pick("logits", "z", "logits") if not d.tex else "z"
    parts.append(d.show(d.chain(s.name(logits), e.vector(z), about=False)))
    way = a.pick("calls", "headed", "table", "divided")
    ts = a.pick([1, mp.mpf("0.5"), 2], [mp.mpf("0.5"), 1, 2], [mp.mpf("0.1"), 1, 10], [2, mp.mpf("0.7")])
    rows = []
    for t in ts:
        p = a.settle([softmax([v / t for v in z])], None, [("scale: times T", [softmax([v * t for v in z])])])[0]
        tt = d.num(a.given(mp.mpf(t)))
        divided = s.list([d.num(a.work(v / t)) for v in z])
        label = f"T = {tt}"
        rows.append(
            [label if not d.tex else d.inline(label), *(d.inline(d.num(a.show(x))) if d.tex else a.show(x) for x in p)]
        )
        if way == "calls":
            parts.append(
                d.show(
                    f"{label}" + (r": \quad " if d.tex else ": ") + d.chain(s.call("softmax", divided), e.printed(p))
                )
            )
        elif way == "divided":
            parts.append(
                d.show(d.chain(s.call("softmax", f"{s.list([d.num(a.work(v)) for v in z])} / {tt}"), e.printed(p)))
            )
        elif way == "headed":
            parts += [
                d.prose(f"**{d.inline(label)}**" if d.suffix == "md" else f"<b>{label}</b>"),
                d.show(d.chain(s.name("probs" if not d.tex else "p"), e.printed(p))),
            ]
    if way == "table":
        parts.append(d.table(["T", *(f"p{i + 1}" for i in range(len(z)))], rows))
    return "\n\n".join(parts), d.suffix


def losses(a: Author) -> tuple[str, str]:
    """Logits, softmax, cross-entropy of the right token, its gradient, perplexity."""
    d = draw_dress(a)
    e, s = Example(a, d), d.s
    n = a.pick(3, 3, 4)
    z = a.inputs(1, n, a.pick("whole", "tenths", "signed"))[0]
    y = a.r.randrange(n)
    parts = [title(a, d)]
    p = a.settle([softmax(z)], None, wrong_softmax([z]))[0]
    parts.append(d.show(d.chain(s.name("z" if d.tex else "logits"), e.vector(z), about=False)))
    pn = s.name("p") if d.tex else a.pick("p", "probs", "ŷ")
    parts.append(
        d.show(d.chain(*a.pick([pn], [pn]), s.call("softmax", s.name("z" if d.tex else "logits")), e.printed(p)))
    )
    if a.rounded(p[y]) == 0:
        return losses(a)
    parts.append(
        d.prose(
            {"zh": f"正确的词是“{a.words[0]}”（第 {y + 1} 个）。"}.get(
                a.language, f"The right token is number {y + 1}."
            )
        )
    )
    loss = a.settle([[-mp.log(p[y])]], None, [("log: base 2", [[-mp.log(p[y], 2)]])])[0][0]
    log = (
        rf"-\log({d.num(a.work(p[y]))})"
        if d.tex
        else a.pick(
            f"-log({a.work(p[y])})",
            f"-ln({a.work(p[y])})",
            f"−ln {a.work(p[y])}" if not a.comma else f"-ln({a.work(p[y])})",
        )
    )
    if d.tex and a.chance(0.4):
        log = log.replace(r"\log", r"\ln")
    parts.append(
        d.show(
            d.chain(s.name("L") if d.tex or a.chance(0.5) else a.pick("loss", "CE", "H(p)"), log, d.num(a.show(loss)))
        )
    )
    if a.chance(0.35):
        ppl = a.settle([[mp.exp(loss)]])[0][0]
        parts.append(
            d.show(
                d.chain(s.name("PPL") if not d.tex else s.word("PPL"), s.exp(d.num(a.work(loss))), d.num(a.show(ppl)))
            )
        )
    if a.chance(0.5):
        hot = [mp.mpf(i == y) for i in range(n)]
        grad = a.settle([[q - t for q, t in zip(p, hot, strict=True)]])[0]
        left = r"\frac{\partial L}{\partial z}" if d.tex else a.pick("∂L/∂z", "dL/dz", "dL/dlogits")
        mid = a.pick([f"{pn} - {s.name('y')}"], [f"{s.list([d.num(a.work(q)) for q in p])} - {e.vector(hot)}"])
        parts.append(d.show(d.chain(left, *mid, e.printed(grad))))
    return "\n\n".join(parts), d.suffix


def positions(a: Author) -> tuple[str, str]:
    """Sines and cosines of positions, or a turned pair of RoPE."""
    d = draw_dress(a)
    e, s = Example(a, d), d.s
    parts = [title(a, d)]
    sin, cos = (r"\sin", r"\cos") if d.tex else ("sin", "cos")
    if a.chance(0.5):
        pos = range(1, a.pick(3, 4))
        chains = []
        for p in pos:
            angles = [mp.mpf(p), mp.mpf(p) / 100]
            row = a.settle([[f(t) for t in angles for f in (mp.sin, mp.cos)]])[0]
            way = a.chance(0.5)
            if way:
                chains += [
                    d.chain(
                        f"PE({p}, {2 * i + j})" if not d.tex else f"PE_{{({p}, {2 * i + j})}}",
                        f"{(sin, cos)[j]}({d.num(a.given(t)) if t != int(t) else int(t)})",
                        d.num(a.show(row[2 * i + j])),
                    )
                    for i, t in enumerate(angles)
                    if a.rounded(t) == t
                    for j in (0, 1)
                ]
            else:
                parts_ = s.list(
                    [
                        f"{f}({d.num(a.given(t)) if a.rounded(t) == t else f'{p}/100'})"
                        for t in angles
                        for f in (sin, cos)
                    ]
                )
                chains.append(d.chain(s.name("PE", p), parts_, e.printed(row)))
        parts.append(d.show(*chains))
        return "\n\n".join(parts), d.suffix
    theta = a.pick(mp.mpf(1), mp.mpf(2), mp.mpf("0.5"), mp.mpf(3))
    q = a.inputs(1, 2, a.pick("whole", "tenths"))[0]
    c, t = a.settle([[mp.cos(theta), mp.sin(theta)]])[0]
    th = d.num(a.given(theta))
    parts.append(d.show(d.chain(s.name("q"), e.vector(q), about=False)))
    parts.append(d.show(d.chain(f"{cos}({th})", d.num(a.show(c))), d.chain(f"{sin}({th})", d.num(a.show(t)))))
    new = a.settle(
        [[q[0] * c - q[1] * t, q[0] * t + q[1] * c]], None, [("sign", [[q[0] * c + q[1] * t, -q[0] * t + q[1] * c]])]
    )[0]
    x, y = (s.bracket(d.num(a.given(v))) for v in q)
    cc, ss = (s.bracket(d.num(a.work(v))) for v in (c, t))
    m = f" {s.times} "
    first = f"{x}{m}{cc} - {y}{m}{ss}"
    second = f"{x}{m}{ss} + {y}{m}{cc}"
    if a.chance(0.5):
        left = ("x'_1", "x'_2") if d.tex else ("x1'", "x2'")
        parts.append(
            d.show(*(d.chain(n, w, d.num(a.show(v))) for n, w, v in zip(left, (first, second), new, strict=True)))
        )
    else:
        sides = [s.name("q") + "'"] + ([] if a.comma else [s.list([first, second])])
        parts.append(d.show(d.chain(*sides, e.printed(new))))
    return "\n\n".join(parts), d.suffix


def sentences(a: Author) -> tuple[str, str]:
    """Softmax of named scores, told in running text."""
    d = Dress(a, a.pick("inline", "lines", "paragraphs", "ticks"))
    e, s = Example(a, d, 3), d.s
    z = a.inputs(1, 3, a.pick("whole", "tenths", "signed"))[0]
    w = e.words
    p = a.settle([softmax(z)], None, wrong_softmax([z]))[0]
    logits, probs = [d.inline(d.num(a.given(x))) for x in z], [d.inline(d.num(a.show(x))) for x in p]
    zs = s.list([d.num(a.given(x)) for x in z])
    texts = {
        "en": [
            f"The scores of {w[0]}, {w[1]} and {w[2]} are {logits[0]}, {logits[1]} and {logits[2]}. "
            f"After softmax they become {probs[0]}, {probs[1]} and {probs[2]}.",
            f"With scores {d.inline(zs)} softmax gives {d.inline(e.printed(p))}, "
            f"so *{w[0]}* gets {percent(a, p[0])} of the attention.",
            f"Suppose the scores are {d.inline(zs)}. Then {d.inline(d.chain(s.call('softmax', zs), e.printed(p)))}.",
        ],
        "zh": [
            f"三个词的分数分别为 {'、'.join(logits)}，经过 softmax 后权重为 {'、'.join(probs)}。",
            f"设分数为 {d.inline(zs)}，则 {d.inline(d.chain(s.call('softmax', zs), e.printed(p)))}，"
            f"“{w[0]}”得到 {percent(a, p[0])} 的注意力。",
        ],
        "de": [f"Die Scores sind {d.inline(zs)}. Nach Softmax: {d.inline(e.printed(p))}."],
        "es": [f"Las puntuaciones son {d.inline(zs)}. Tras aplicar softmax: {d.inline(e.printed(p))}."],
        "ja": [f"スコアは {d.inline(zs)} なので、softmax を適用すると {d.inline(e.printed(p))} になる。"],
        "fr": [f"Les scores sont {d.inline(zs)}. Après softmax : {d.inline(e.printed(p))}."],
    }
    return d.prose(a.pick(*texts[a.language])), d.suffix


def not_derivable(a: Author) -> tuple[str, str]:
    """Numbers of a trained model and for illustration beside numbers that follow: none of them is wrong."""
    d = draw_dress(a)
    e, s = Example(a, d, 3), d.s
    invented = [mp.mpf(x) / 100 for x in a.pick((62, 25, 13), (70, 20, 10), (5, 15, 80), (34, 33, 33))]
    parts = [title(a, d)]
    said = {
        "zh": "训练好的模型可能给出这样的权重（仅作示意）：",
        "de": "Ein trainiertes Modell könnte diese Gewichte liefern:",
    }.get(
        a.language,
        a.pick("Suppose a trained model gives these weights:", "For illustration, take", "Imagine the weights are"),
    )
    parts.append(d.prose(said))
    name = s.name(a.pick("weights", "α", "A")) if not d.tex else s.name("w")
    parts.append(d.show(d.chain(name, s.list([d.num(a.given(x)) for x in invented]), about=False)))
    if a.chance(0.4):
        parts.append(
            d.table(
                [a.say("token"), a.say("weight")], [[w, a.given(x)] for w, x in zip(e.words, invented, strict=True)]
            )
        )
    v = a.inputs(3, 2, a.pick("whole", "bits"))
    out = a.settle([[mp.fsum(w * x for w, x in zip(invented, c, strict=True)) for c in zip(*v, strict=True)]])[0]
    terms = " + ".join(f"{d.num(a.given(w))} {s.times} {e.vector(x)}" for w, x in zip(invented, v, strict=True))
    parts.append(d.show(d.chain(s.name("o") if d.tex else "output", terms, e.printed(out), about=False)))
    if a.chance(0.5):
        again = [mp.mpf(x) / 100 for x in a.pick((50, 30, 20), (1, 1, 98), (90, 6, 4))]
        after = {"zh": "再训练之后："}.get(
            a.language, a.pick("After more training:", "For another sentence:", "In another head it looks like this:")
        )
        parts += [d.prose(after), d.show(d.chain(name, s.list([d.num(a.given(x)) for x in again]), about=False))]
    d_model, h = a.pick((512, 8), (768, 12), (4096, 32))
    parts.append(
        d.prose(
            {"zh": "真实模型中，"}.get(a.language, "In a real model, ")
            + d.inline(d.chain(s.name("d", "k"), s.ratio(str(d_model), str(h)), str(d_model // h), about=False))
            + "."
        )
    )
    return "\n\n".join(parts), d.suffix


def same_letters(a: Author) -> tuple[str, str]:
    """Two or three examples one after the other with the same letters, other numbers."""
    d = draw_dress(a)
    e, s = Example(a, d, 2), d.s
    parts = [title(a, d)]
    for k in range(a.pick(2, 2, 3)):
        parts.append(a.pick(f"## Example {k + 1}", f"**Example {k + 1}.**", "Another example:" if k else "An example:"))
        q, key = a.inputs(1, 2, "signed")[0], a.inputs(1, 2, "signed")[0]
        score = a.settle([[mp.fsum(x * y for x, y in zip(q, key, strict=True))]], 0)[0][0]
        dot = r"\cdot" if d.tex else "·"
        terms = " + ".join(
            f"{s.bracket(d.num(a.given(x)))} {s.times} {s.bracket(d.num(a.given(y)))}"
            for x, y in zip(q, key, strict=True)
        )
        chains = [d.chain(s.name("q"), e.vector(q), about=False), d.chain(s.name("k"), e.vector(key), about=False)]
        chains.append(d.chain(f"{s.name('q')} {dot} {s.name('k')}", terms, d.num(a.show(score, 0)), about=False))
        scaled = a.settle([[score / mp.sqrt(2)]])[0][0]
        chains.append(d.chain(s.ratio(d.num(a.work(score, 0)), s.root("2")), d.num(a.show(scaled))))
        if a.chance(0.6):
            other = a.inputs(1, 1, "signed")[0][0]
            p = a.settle([softmax([scaled, other])])[0]
            chains.append(
                d.chain(s.call("softmax", s.list([d.num(a.work(scaled)), d.num(a.given(other))])), e.printed(p))
            )
        parts.append(d.show(*chains))
    return "\n\n".join(parts), d.suffix


def embed(a: Author) -> tuple[str, str]:
    """Embeddings with positions added, then projected token by token."""
    d = draw_dress(a)
    e, s = Example(a, d, a.pick(2, 3)), d.s
    w = a.pick(2, 3, 4)
    kind = a.pick("tenths", "whole", "hundredths")
    x, pe = a.inputs(e.n, w, kind), a.inputs(e.n, w, a.pick("tenths", "bits"))
    parts = [title(a, d)]
    at = range(a.first, a.first + e.n)
    if d.tex or a.chance(0.5):
        names = [(s.name("e", i), s.name("p", i), s.name("x", i)) for i in at]
    else:
        names = [(f"E({v})", f"PE({i})", f"x_{v}") for i, v in zip(at, e.words, strict=True)]
    parts.append(d.show(*(d.chain(n[0], e.vector(r), about=False) for n, r in zip(names, x, strict=True))))
    parts.append(d.show(*(d.chain(n[1], e.vector(r), about=False) for n, r in zip(names, pe, strict=True))))
    total = a.settle([[p + q for p, q in zip(r, t, strict=True)] for r, t in zip(x, pe, strict=True)])
    spelled = a.chance(0.4)
    parts.append(
        d.show(
            *(
                d.chain(
                    n[2],
                    f"{n[0]} + {n[1]}",
                    *([f"{e.vector(r)} + {e.vector(t)}"] if spelled else []),
                    e.printed(o),
                    about=False,
                )
                for n, r, t, o in zip(names, x, pe, total, strict=True)
            )
        )
    )
    wq = a.inputs(w, 2, a.pick("bits", "tenths"))
    parts.append(d.show(d.chain(s.name("W", "Q"), e.given(wq), about=False)))
    q = a.settle([[mp.fsum(p * t for p, t in zip(r, c, strict=True)) for c in zip(*wq, strict=True)] for r in total])
    left = [s.name("q", i) for i in at]
    parts.append(
        d.show(
            *(
                d.chain(n, s.product(m[2], s.name("W", "Q")), e.printed(o), about=False)
                for n, m, o in zip(left, names, q, strict=True)
            )
        )
    )
    return "\n\n".join(parts), d.suffix


def cosines(a: Author) -> tuple[str, str]:
    """A dot product, two lengths, and the cosine between two words."""
    d = draw_dress(a)
    e, s = Example(a, d), d.s
    n = a.pick(2, 3)
    u, v = a.inputs(1, n, "whole")[0], a.inputs(1, n, "whole")[0]
    parts = [title(a, d)]
    un, vn = s.name("a"), s.name("b")
    dot = r"\cdot" if d.tex else "·"
    parts.append(d.show(d.chain(un, e.vector(u), about=False), d.chain(vn, e.vector(v), about=False)))
    product = a.settle([[mp.fsum(x * y for x, y in zip(u, v, strict=True))]], 0)[0][0]
    terms = " + ".join(
        f"{a.given(x)}{s.times if not d.tex else f' {s.times} '}{a.given(y)}" for x, y in zip(u, v, strict=True)
    )
    parts.append(d.show(d.chain(f"{un} {dot} {vn}", terms, d.num(a.show(product, 0)), about=False)))
    lengths, chains = [], []
    for name, t in ((un, u), (vn, v)):
        square = mp.fsum(x * x for x in t)
        length = a.settle([[mp.sqrt(square)]])[0][0]
        lengths.append(length)
        bars = rf"\|{name}\|" if d.tex else a.pick(f"|{name}|", f"‖{name}‖", f"||{name}||")
        squares = " + ".join(f"{a.given(x)}^2" if d.tex else f"{a.given(x)}²" for x in t)
        chains.append(d.chain(bars, s.root(squares), s.root(a.given(square)), d.num(a.show(length))))
    parts.append(d.show(*chains))
    cosine = a.settle([[product / (lengths[0] * lengths[1])]])[0][0]
    below = f"{d.num(a.work(lengths[0]))} {s.times} {d.num(a.work(lengths[1]))}"
    cos = r"\cos\theta" if d.tex else a.pick("cos(a, b)", "cos θ", "similarity")
    parts.append(
        d.show(
            d.chain(
                cos,
                s.ratio(a.work(product, 0), below if d.tex and s.fraction == "frac" else f"({below})"),
                d.num(a.show(cosine)),
            )
        )
    )
    return "\n\n".join(parts), d.suffix
