"""Worked examples of attention: by matrices, for one query, in tables, in notebooks, with several heads."""

from __future__ import annotations

from tests.fuzz.worked.author import Author, Row, Table, mp, multiply, softmax, turn
from tests.fuzz.worked.spelling import PLAIN, TEX, Dress, notebook

Texts = list[str]


def draw_dress(a: Author) -> Dress:
    return Dress(a, a.pick(*TEX, *PLAIN))


def scaled_by(s: Table, d: int) -> Table:
    return [[x / mp.sqrt(d) for x in row] for row in s]


def wrong_scales(s: Table, d: int) -> list[tuple[str, Table]]:
    return [
        ("scale: by d", [[x / d for x in row] for row in s]),
        ("scale: left out", s),
        ("scale: times", [[x * mp.sqrt(d) for x in row] for row in s]),
    ]


def wrong_softmax(s: Table) -> list[tuple[str, Table]]:
    finite = [[mp.mpf(-50) if x == -mp.inf else x for x in row] for row in s]
    ways = [
        ("softmax: sum", [[x / mp.fsum(row) for x in row] for row in s])
        for _ in [0]
        if all(-mp.inf not in r and abs(mp.fsum(r)) > 0.1 for r in s)
    ]
    if len(s) > 1:
        ways.append(("softmax: columns", turn([softmax(c) for c in turn(finite)])))
    ways.append(("softmax: base 2", [softmax([x * mp.log(2) for x in row]) for row in s]))
    return ways


class Example:
    """Inputs and the matrices made of them, each step settled as the author goes on."""

    def __init__(self, a: Author, d: Dress, n: int | None = None) -> None:
        self.a, self.d, self.s = a, d, d.s
        self.n = n or a.pick(2, 2, 3, 3, 4)
        self.width = a.pick(2, 2, 3, 4)
        self.d_v = self.width if a.chance(0.8) else a.pick(2, 3)
        self.words = a.words[: self.n]

    # --- spelled

    def given(self, t: Table) -> str:
        return self.s.matrix([[self.d.num(self.a.given(x)) for x in row] for row in t])

    def working(self, t: Table) -> str:
        return self.s.matrix([[self.d.num(self.a.work(x)) for x in row] for row in t])

    def result(self, t: Table, places: int | None = None) -> str:
        return self.s.matrix([[self.show(x, places) for x in row] for row in t], indent=0)

    def show(self, x: object, places: int | None = None) -> str:
        if x == -mp.inf:
            return r"-\infty" if self.d.tex else self.a.pick("-inf", "−∞", "-∞")
        return self.a.show(x, places)

    def whole(self, t: Table) -> int | None:
        """No decimals for a matrix of whole numbers."""
        return 0 if all(x == mp.floor(x) for row in t for x in row) else None

    def vector(self, row: Row) -> str:
        return self.s.list([self.d.num(self.a.given(x)) for x in row])

    def printed(self, row: Row, places: int | None = None) -> str:
        return self.s.list([self.show(x, places) for x in row])


def by_matrices(a: Author) -> tuple[str, str]:
    """Every step a matrix."""
    d = draw_dress(a)
    e = Example(a, d)
    s, parts = d.s, [title(a, d)]
    if a.chance(0.7):
        parts.append(d.prose(a.say("start").format(n=e.n, words=", ".join(e.words))))
    q, k, v = give_or_project(a, e, parts)
    parts.append(d.heading("scores"))
    scores = multiply(q, turn(k))
    wrong = [("transpose", multiply(q, k))] if e.n == e.width else []
    scores = a.settle(scores, e.whole(scores), wrong)
    named = s.name(a.pick("S", "S", "scores", "Scores"))
    qk = s.product(s.name("Q"), s.turn(s.name("K")))
    sides = a.pick([named, qk], [qk], [named, qk], [qk, s.product(e.given(q), e.given(turn(k)))] if e.n <= 3 else [qk])
    parts.append(d.show(d.chain(*sides, e.result(scores, e.whole(scores)), about=e.whole(scores) is None)))
    if len(sides) == 1 or sides[0] != named:
        named = qk
    now, name = scores, named
    if a.chance(0.85):
        parts.append(d.heading("scale"))
        root = s.root(s.name("d", "k")) if d.tex or a.chance(0.5) else s.root(str(e.width))
        exact = e.width in (1, 4)
        shown = a.chance(0.6)
        if shown:
            r = a.rounded(mp.sqrt(e.width))
            chain = d.chain(s.root(s.name("d", "k")), s.root(str(e.width)), d.num(a.show(r)), about=not exact)
            parts.append(d.prose(d.inline(chain)) if a.chance(0.5) else d.show(chain))
        by = a.rounded(mp.sqrt(e.width)) if a.pocket and shown else mp.sqrt(e.width)
        now = a.settle([[x / by for x in row] for row in scores], None, wrong_scales(scores, e.width))
        new = s.name(a.pick("Z", "Z", "T") if d.tex else a.pick("Z", "Z", "S'", "scaled"))
        sides = a.pick([new, s.ratio(name, root)], [s.ratio(name, root)])
        parts.append(d.show(d.chain(*sides, e.result(now), about=not exact)))
        name = sides[0]
    if a.chance(0.25):
        parts.append(d.heading("mask"))
        now = [[x if j <= i else -mp.inf for j, x in enumerate(row)] for i, row in enumerate(now)]
        name = s.name("M") if a.chance(0.3) else s.name("masked")
        parts.append(d.show(d.chain(name, e.result(now), about=False)))
    parts.append(d.heading("softmax"))
    weights = a.settle([softmax(row) for row in now], None, wrong_softmax(now))
    letter = s.name(a.pick("A", "A", "W", "weights", "P"))
    spell_rows(a, d, e, now, parts)
    parts.append(d.show(d.chain(letter, s.call("softmax", name), e.result(weights))))
    if a.chance(0.3):
        i, j = a.r.randrange(e.n), a.r.randrange(e.n)
        x = (
            percent(a, weights[i][j])
            if a.chance(0.4)
            else d.inline(d.num(a.show(weights[i][j])))
            if d.tex
            else a.show(weights[i][j])
        )
        parts.append(d.prose(a.say("attends").format(w=e.words[i], v=e.words[j], x=x)))
    parts.append(d.heading("output"))
    out = a.settle(multiply(weights, v), None)
    o = s.name(a.pick("O", "O", "Z", "output", "Output")) if name[:1] != "Z" else s.name("O")
    av = s.product(letter, s.name("V"))
    if a.chance(0.3) and d.kind != "ticks":
        parts.append(d.show(d.chain(o, av, s.product(e.working(weights), e.given(v)), e.result(out))))
    else:
        parts.append(d.show(d.chain(*a.pick([o, av], [av]), e.result(out))))
    return "\n\n".join(parts), d.suffix


def percent(a: Author, x: object) -> str:
    """A weight as a percentage."""
    places = max(a.places - 2, 0)
    return f"{a.show(x * 100, places)}%" if a.chance(0.7) else f"{a.show(x * 100, places)} %"


def spell_rows(a: Author, d: Dress, e: Example, now: Table, parts: Texts) -> None:
    """The exponentials and the sum of the first row, perhaps."""
    if not a.chance(0.35) or any(x == -mp.inf for row in now for x in row):
        return
    s, row = d.s, now[0]
    powers = a.settle([[mp.exp(x) for x in row]])[0]
    chains = [d.chain(s.exp(d.num(a.work(x))), d.num(a.show(p))) for x, p in zip(row, powers, strict=True)]
    total = a.settle([[mp.fsum(powers)]])[0][0]
    plus = " + ".join(d.num(a.work(p)) for p in powers)
    chains.append(d.chain(s.word(a.say("sum")), plus, d.num(a.show(total)), about=False))
    parts.append(d.show(*chains))


def title(a: Author, d: Dress) -> str:
    text = a.pick("Self-Attention", "Attention by hand", "Attention", "A worked example", "QKV")
    return f"<h1>{text}</h1>" if d.kind in ("pre", "paragraphs") else f"# {text}"


def give_or_project(a: Author, e: Example, parts: Texts) -> tuple[Table, Table, Table]:
    d, s = e.d, e.s
    kind = a.pick("whole", "whole", "bits", "tenths", "signed", "")
    if a.chance(0.55):
        q, k = a.inputs(e.n, e.width, kind), a.inputs(e.n, e.width, kind)
        v = a.inputs(e.n, e.d_v, kind)
        parts.append(d.heading("inputs"))
        parts.append(d.show(*(d.chain(s.name(n), e.given(t), about=False) for n, t in (("Q", q), ("K", k), ("V", v)))))
        return q, k, v
    model = a.pick(2, 3, 4)
    x = a.inputs(e.n, model, kind)
    ws = [a.inputs(model, w, kind) for w in (e.width, e.width, e.d_v)]
    parts.append(d.heading("inputs"))
    names = [s.name("X"), *(s.name("W", n) for n in "QKV")]
    parts.append(d.show(*(d.chain(n, e.given(t), about=False) for n, t in zip(names, [x, *ws], strict=True))))
    parts.append(d.heading("project"))
    made, chains = [], []
    for n, w in zip("QKV", ws, strict=True):
        product = multiply(x, w)
        made.append(a.settle(product, e.whole(product)))
        about = a.pocket and e.whole(product) is None and any(p != a.rounded(p) for r in product for p in r)
        chains.append(
            d.chain(
                s.name(n), s.product(s.name("X"), s.name("W", n)), e.result(made[-1], e.whole(product)), about=about
            )
        )
    parts.append(d.show(*chains))
    return made[0], made[1], made[2]


def one_query(a: Author) -> tuple[str, str]:
    """One query against all keys, number by number."""
    d = draw_dress(a)
    e = Example(a, d)
    s, n = d.s, e.n
    parts = [title(a, d)]
    kind = a.pick("whole", "whole", "bits", "signed", "tenths")
    q, k, v = a.inputs(1, e.width, kind)[0], a.inputs(n, e.width, kind), a.inputs(n, e.d_v, kind)
    me = a.r.randrange(n)
    names = list(range(a.first, a.first + n)) if a.chance(0.6) or d.tex else e.words
    qn = s.name("q", names[me]) if a.chance(0.7) else s.name("q")
    kn, vn = [s.name("k", i) for i in names], [s.name("v", i) for i in names]
    parts.append(d.prose(a.say("query").format(w=e.words[me])))
    parts.append(d.heading("inputs"))
    parts.append(
        d.show(
            d.chain(qn, e.vector(q), about=False),
            *(d.chain(x, e.vector(r), about=False) for x, r in zip(kn, k, strict=True)),
        )
    )
    parts.append(d.show(*(d.chain(x, e.vector(r), about=False) for x, r in zip(vn, v, strict=True))))
    # scores
    parts.append(d.heading("scores"))
    scores = [mp.fsum(x * y for x, y in zip(q, r, strict=True)) for r in k]
    places = e.whole([scores])
    scores = a.settle([scores], places)[0]
    dotted = a.pick("·", "·", "⋅") if not d.tex else r" \cdot "
    turned = a.chance(0.3)
    chains = []
    spelled = a.pick("both", "both", "sum", "none", "vectors")
    for i in range(n):
        left = f"{qn}{dotted}{kn[i]}" if not turned else s.product(qn, s.turn(kn[i]))
        if not turned and not d.tex:
            left = f"{qn} · {kn[i]}"
        terms = " + ".join(
            s.bracket(d.num(a.given(x))) + (f" {s.times} " if d.tex else s.times) + s.bracket(d.num(a.given(y)))
            for x, y in zip(q, k[i], strict=True)
        )
        vectors = f"{e.vector(q)} {dotted.strip()} {e.vector(k[i])}"
        sides = {"both": [left, vectors, terms], "sum": [left, terms], "none": [left], "vectors": [left, vectors]}[
            spelled
        ]
        if s.__class__.__name__ == "Tex" and s.vectors == "matrix":
            sides = [x for x in sides if x is not vectors]
        chains.append(d.chain(*sides, d.num(e.show(scores[i], places)), about=False))
    parts.append(d.show(*chains))
    if a.chance(0.4):
        parts.append(d.show(d.chain(s.name("scores"), e.printed(scores, places), about=False)))
    # scale
    now, root = scores, a.rounded(mp.sqrt(e.width))
    if a.chance(0.8):
        parts.append(d.heading("scale"))
        by = root if a.pocket else mp.sqrt(e.width)
        exact = e.width == 4
        now = a.settle([[x / by for x in scores]], None, wrong_scales([scores], e.width))[0]
        rooted = d.chain(s.root(s.name("d", "k")), s.root(str(e.width)), d.num(a.show(root)), about=not exact)
        way = a.pick("each", "list", "working", "list")
        parts.append(d.prose(d.inline(rooted)) if a.chance(0.5) else d.show(rooted))
        div = d.num(a.work(root)) if a.chance(0.6) else s.root(str(e.width))
        if way == "each":
            chains = [
                d.chain(s.ratio(d.num(a.work(x, places)), div), d.num(a.show(z)), about=not exact)
                for x, z in zip(scores, now, strict=True)
            ]
            parts.append(d.show(*chains))
        elif way == "working":
            ratios = s.list([f"{a.work(x, places)}/{div}" for x in scores])
            parts.append(
                d.show(
                    d.chain(
                        s.name(a.pick("scaled", "z", "scaled_scores") if not d.tex else "z"),
                        ratios,
                        e.printed(now),
                        about=not exact,
                    )
                )
            )
        else:
            parts.append(
                d.show(
                    d.chain(
                        s.name(a.pick("scaled", "z", "scaled_scores") if not d.tex else "z"),
                        e.printed(now),
                        about=not exact,
                    )
                )
            )
    weights = soften(a, d, e, now, names, parts)
    mix(a, d, e, weights, v, vn, names[me], parts)
    return "\n\n".join(parts), d.suffix


def soften(a: Author, d: Dress, e: Example, now: Row, names: list, parts: Texts) -> Row:
    """Softmax of one row, spelled out or not."""
    s = d.s
    parts.append(d.heading("softmax"))
    way = a.pick("spelled", "spelled", "direct", "table", "quotients")
    if way in ("direct", "table"):
        weights = a.settle([softmax(now)], None, wrong_softmax([now]))[0]
        logits = s.list([d.num(a.work(x)) for x in now])
        if way == "table":
            rows = [
                [
                    str(w),
                    d.inline(d.num(a.work(x))) if d.tex else a.work(x),
                    d.inline(d.num(a.show(p))) if d.tex else a.show(p),
                ]
                for w, x, p in zip(e.words, now, weights, strict=True)
            ]
            parts.append(d.table([a.say("token"), a.say("score"), a.say("weight")], rows))
        else:
            left = a.pick(
                [s.call("softmax", logits)],
                [s.name(a.pick("weights", "α", "a") if not d.tex else "w"), s.call("softmax", logits)],
            )
            parts.append(d.show(d.chain(*left, e.printed(weights))))
        return weights
    powers = a.settle([[mp.exp(x) for x in now]])[0]
    total = a.settle([[mp.fsum(powers)]])[0][0]
    weights = a.settle(
        [[p / total for p in powers]],
        None,
        [("normalisation", [[p / mp.fsum(powers[:-1]) for p in powers]])] if len(powers) > 2 else [],
    )[0]
    exact = [x == 0 for x in now]
    one_line = a.chance(0.4) and not d.tex
    chains = [
        d.chain(s.exp(d.num(a.work(x))), d.num(a.show(p)), about=not z)
        for x, p, z in zip(now, powers, exact, strict=True)
    ]
    plus = " + ".join(d.num(a.work(p)) for p in powers)
    total_name = s.word(a.say("sum")) if a.chance(0.7) else s.name("Z")
    total_line = d.chain(*a.pick([total_name, plus], [total_name]), d.num(a.show(total)), about=False)
    parts.append(d.show(", ".join(chains), total_line) if one_line else d.show(*chains, total_line))
    left = a.pick("indexed", "bare", "list", "words")
    if way == "quotients" or left == "list":
        ratios = s.list([f"{d.num(a.work(p))}/{d.num(a.work(total))}" for p in powers])
        name = s.name(a.pick("weights", "softmax", "α") if not d.tex else "w")
        parts.append(d.show(d.chain(name, ratios, e.printed(weights))))
    else:
        chains = []
        for i, (p, w) in enumerate(zip(powers, weights, strict=True)):
            ratio = s.ratio(d.num(a.work(p)), d.num(a.work(total)))
            name = s.name(a.pick("α", "w", "a") if not d.tex else r"\alpha", names[i]) if left == "indexed" else None
            if left == "words" and not d.tex:
                chains.append(f"{e.words[i]}: {d.chain(ratio, a.show(w))}")
            else:
                chains.append(d.chain(*([name, ratio] if name else [ratio]), d.num(a.show(w))))
        parts.append(d.show(*chains))
    return weights


def mix(a: Author, d: Dress, e: Example, weights: Row, v: Table, vn: Texts, me: object, parts: Texts) -> None:
    """The weighted sum of the values."""
    s = d.s
    parts.append(d.heading("output"))
    out = a.settle([[mp.fsum(w * x for w, x in zip(weights, c, strict=True)) for c in turn(v)]])[0]
    on = (
        s.name(a.pick("output", "z", "o", "context"), me if a.chance(0.5) else None)
        if not d.tex
        else s.name(a.pick("o", "z"), me if a.chance(0.5) else None)
    )
    times = f" {s.times} " if d.tex or a.chance(0.5) else s.times
    terms = " + ".join(f"{d.num(a.work(w))}{times}{e.vector(x)}" for w, x in zip(weights, v, strict=True))
    named = " + ".join(f"{d.num(a.work(w))}{times}{x}" for w, x in zip(weights, vn, strict=True))
    way = a.pick("terms", "terms", "named", "parts", "each", "lines")
    if way == "lines" and not d.tex and d.kind in ("fence", "text-fence", "pre"):
        rows = [f"{d.num(a.work(w))}{times}{e.vector(x)}" for w, x in zip(weights, v, strict=True)]
        parts.append(
            d.show(
                f"{on} = "
                + ("\n" + " " * len(on) + " + ").join(rows)
                + "\n"
                + " " * len(on)
                + f" {s.about} {e.printed(out)}"
            )
        )
    elif way == "parts":
        products = a.settle([[w * x for x in row] for w, row in zip(weights, v, strict=True)])
        out = a.settle([[mp.fsum(c) for c in turn(products)]])[0]
        chains = [
            d.chain(f"{d.num(a.work(w))}{times}{e.vector(x)}", e.printed(p))
            for w, x, p in zip(weights, v, products, strict=True)
        ]
        parts.append(d.show(*chains, d.chain(on, e.printed(out))))
    elif way == "each" and not d.tex:
        for j, c in enumerate(turn(v)):
            sums = " + ".join(f"{a.work(w)}{times}{s.bracket(a.given(x))}" for w, x in zip(weights, c, strict=True))
            parts.append(d.show(d.chain(f"{on}[{j}]", sums, a.show(out[j]))))
    else:
        sides = {"terms": [on, terms], "named": [on, named], "each": [on, named, terms], "lines": [on, terms]}[way]
        parts.append(d.show(d.chain(*sides, e.printed(out))))
    if a.chance(0.3):
        parts.append(f"**{a.say('result')}:** " + d.inline(e.printed(out)))


def in_tables(a: Author) -> tuple[str, str]:
    """Scores and weights as tables with the words on both sides."""
    d = Dress(a, a.pick("fence", "inline", "paragraphs", "bullets", "lines", "display"))
    e = Example(a, d, a.pick(2, 3))
    parts = [title(a, d), d.prose(a.say("start").format(n=e.n, words=", ".join(e.words)))]
    kind = a.pick("whole", "bits", "tenths", "signed")
    q, k, v = a.inputs(e.n, e.width, kind), a.inputs(e.n, e.width, kind), a.inputs(e.n, e.width, kind)
    s = d.s
    if a.chance(0.5):
        parts.append(
            d.table(
                [a.say("token"), "Q", "K", "V"],
                [
                    [w, *(f"[{', '.join(_plain(a, x) for x in r)}]" for r in rs)]
                    for w, *rs in zip(e.words, q, k, v, strict=True)
                ],
            )
        )
    else:
        parts.append(d.show(*(d.chain(s.name(n), e.given(t), about=False) for n, t in (("Q", q), ("K", k), ("V", v)))))
    scores = multiply(q, turn(k))
    scores = a.settle(scores, e.whole(scores))
    header = a.pick("", "Q·K", "q \\ k", a.say("token"))

    def table(t: Table, places: int | None = None) -> str:
        return d.table(
            [header, *e.words],
            [
                [f"**{w}**" if a.first else w, *(a.show(x, places) for x in row)]
                for w, row in zip(e.words, t, strict=True)
            ],
        )

    parts += [
        d.heading("scores"),
        d.prose(d.inline(s.product(s.name("Q"), s.turn(s.name("K")))) + ":"),
        table(scores, e.whole(scores)),
    ]
    parts.append(d.heading("scale"))
    scaled = a.settle(scaled_by(scores, e.width), None, wrong_scales(scores, e.width))
    parts.append(
        d.prose(d.inline(d.chain(s.root(str(e.width)), d.num(a.show(mp.sqrt(e.width))), about=e.width != 4)) + ":")
    )
    parts.append(table(scaled))
    parts.append(d.heading("softmax"))
    weights = a.settle([softmax(r) for r in scaled], None, wrong_softmax(scaled))
    parts.append(table(weights))
    parts.append(d.heading("output"))
    out = a.settle(multiply(weights, v))
    if a.chance(0.5):
        parts.append(
            d.table(
                [a.say("token"), a.say("result")],
                [[w, f"[{', '.join(a.show(x) for x in r)}]"] for w, r in zip(e.words, out, strict=True)],
            )
        )
    else:
        parts.append(d.show(d.chain(s.name("output"), e.result(out), about=False)))
    return "\n\n".join(parts), d.suffix


def _plain(a: Author, x: object) -> str:
    return a.given(x).replace(",", ".")


def print_numpy(a: Author, t: Table, array: bool) -> str:
    """As NumPy prints a matrix."""
    places = 4 if array else a.places
    texts = [[a.show(x, places) if x != mp.floor(x) else _dotted(a, x) for x in row] for row in t]
    width = max(_width(x) for row in texts for x in row)
    between = ", " if array else " "
    rows = ["[" + between.join(" " * (width - _width(x)) + x for x in row) + "]" for row in texts]
    if array:
        return "array([" + ",\n       ".join(rows) + "])"
    return "[" + "\n ".join(rows) + "]"


def _width(marked: str) -> int:
    return len(marked) - 3 if marked[:1] == "\ue000" else len(marked)


def _dotted(a: Author, x: object) -> str:
    """1. for 1.0, between its marks."""
    text = a.show(x, 0)
    return text[:-1] + "." + text[-1]


def in_a_notebook(a: Author) -> tuple[str, str]:
    """Cells of NumPy code with their outputs, or the same as fences with the output below."""
    a.comma, a.pocket, a.minus, a.cuts, a.strips = False, False, "-", False, False
    d = Dress(a, "fence")
    e = Example(a, d)
    n, w = e.n, e.width
    kind = a.pick("whole", "bits", "tenths", "signed")
    q, k, v = a.inputs(n, w, kind), a.inputs(n, w, kind), a.inputs(n, e.d_v, kind)
    array = a.chance(0.5)
    if array:
        a.places = 4

    def code(t: Table) -> str:
        rows = ", ".join(
            "[" + ", ".join(_plain(a, x) + (".0" if kind == "whole" and x == mp.floor(x) else "") for x in r) + "]"
            for r in t
        )
        return f"np.array([{rows}])"

    def out(t: Table) -> str:
        return print_numpy(a, t, array)

    def last(name: str) -> str:
        return name if array else f"print({name})"

    cells: list[tuple[str, str | None]] = [("# " + title(a, d)[2:], None)]
    cells.append((f"import numpy as np\n\nQ = {code(q)}\nK = {code(k)}\nV = {code(v)}", ""))
    scores = a.settle(multiply(q, turn(k)))
    cells += [(a.say("scores") + ":", None), (f"scores = Q @ K.T\n{last('scores')}", out(scores))]
    scaled = a.settle(scaled_by(scores, w), None, wrong_scales(scores, w))
    cells.append(
        (f"scaled = scores / np.sqrt({a.pick('K.shape[1]', str(w), 'Q.shape[-1]')})\n{last('scaled')}", out(scaled))
    )
    weights = a.settle([softmax(r) for r in scaled], None, wrong_softmax(scaled))
    how = a.pick(
        "weights = np.exp(scaled) / np.exp(scaled).sum(axis=1, keepdims=True)",
        "def softmax(x):\n    e = np.exp(x - x.max(axis=-1, keepdims=True))\n"
        "    return e / e.sum(axis=-1, keepdims=True)\n\nweights = softmax(scaled)",
    )
    cells.append((f"{how}\n{last('weights')}", out(weights)))
    result = a.settle(multiply(weights, v))
    cells += [(a.say("output") + ":", None), (f"output = weights @ V\n{last('output')}", out(result))]
    if a.chance(0.5):
        return notebook(cells), "ipynb"
    way = a.pick("fences", "comments")
    parts = []
    for source, output in cells:
        if output is None:
            parts.append(source)
        elif not output:
            parts.append(f"```python\n{source}\n```")
        elif way == "fences":
            parts.append(f"```python\n{source}\n```\n\n{a.pick('Output:', '', 'This prints:')}\n\n```\n{output}\n```")
        else:
            commented = "\n".join("# " + line for line in output.split("\n"))
            parts.append(f"```python\n{source}\n{commented}\n```")
    return "\n\n".join(parts), "md"


def several_heads(a: Author) -> tuple[str, str]:
    """Two heads of given queries, keys and values, joined and projected."""
    d = Dress(a, a.pick("display", "brackets", "aligned", "fence", "lines", "inline"))
    e = Example(a, d, 2)
    e.width = e.d_v = 2
    s = d.s
    parts, heads = [title(a, d)], []
    kind = a.pick("whole", "bits", "signed")
    for h in (1, 2):
        q, k, v = a.inputs(2, 2, kind), a.inputs(2, 2, kind), a.inputs(2, 2, kind)
        parts.append(a.pick(f"## Head {h}", f"**Head {h}**"))
        qn, kn, vn, sn, an = (s.name(x, h) for x in "QKVSA")
        parts.append(d.show(*(d.chain(n, e.given(t), about=False) for n, t in ((qn, q), (kn, k), (vn, v)))))
        scores = multiply(q, turn(k))
        scores = a.settle(scores, 0)
        parts.append(d.show(d.chain(sn, s.product(qn, s.turn(kn)), e.result(scores, 0), about=False)))
        scaled = scaled_by(scores, 2)
        weights = a.settle([softmax(r) for r in scaled], None, wrong_softmax(scaled))
        parts.append(d.show(d.chain(an, s.call("softmax", s.ratio(sn, s.root("2"))), e.result(weights))))
        head = a.settle(multiply(weights, v))
        hn = s.name("head", h)
        parts.append(d.show(d.chain(hn, s.product(an, vn), e.result(head))))
        heads.append((hn, head))
    both = [x + y for x, y in zip(heads[0][1], heads[1][1], strict=True)]
    parts.append(
        d.show(
            d.chain(s.name("concat"), s.call("Concat", f"{heads[0][0]}, {heads[1][0]}"), e.result(both), about=False)
        )
    )
    w = a.inputs(4, a.pick(2, 4), "bits")
    wn = s.name("W", "O")
    parts.append(d.show(d.chain(wn, e.given(w), about=False)))
    out = a.settle(multiply(both, w))
    parts.append(d.show(d.chain(s.name("output"), s.product(s.name("concat"), wn), e.result(out))))
    return "\n\n".join(parts), d.suffix
