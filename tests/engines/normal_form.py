"""One line for the structure of a formula, made twice: from KaTeX's parse and from ours.

Letters and digits in reading order, `_{…}` and `^{…}` behind what they belong to, `frac{…}{…}`, `sqrt{…}`, and
`[a&b;c&d]` for what has cells. Brackets, commas and spaces are left out, since a tree does not keep them; but where a
script belongs to all that stands in brackets, that stands in ⟨…⟩.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from symattn.reading import formula as f
from symattn.reading.formula.spellings import CONNECTIVES, MEANINGS

OPENING, CLOSING = "([{", ")]}"
SILENT = frozenset([*OPENING, *CLOSING, *",;~ \u00a0", r"\{", r"\}", r"\Rightarrow", r"\implies"])
SIGNS = {
    r"\@cdots": "…",
    r"\varvdots": "…",
    r"\infty": "∞",
    r"\top": "T",
    r"\intercal": "T",
    r"\prime": "′",
    r"\sum": "Σ",
    r"\circ": "⊙",
    r"\rceil": "⌉",
    r"\rfloor": "⌋",
    "⊤": "T",
}
ACCENT_SIGNS = {
    r"\hat": "\u0302",
    r"\tilde": "\u0303",
    r"\dot": "\u0307",
    r"\ddot": "\u0308",
    r"\mathring": "\u030a",
}
ACCENTED = r"d?\w[\u0302-\u0304\u0307\u0308\u030a]?"  # dS is one symbol, a gradient
ONE_SYMBOL = re.compile(rf"(?:max|{ACCENTED}|[0-9.]+)(?:[_^]\{{[^{{}}]*\}})*|frac\{{.*\}}|sqrt\{{.*\}}|\[[^\[\]]*\]")


def wrapped(content: str) -> str:
    """What a script belongs to: as it is where it is one symbol."""
    return content if ONE_SYMBOL.fullmatch(content) else f"⟨{content}⟩"


def joined(line: str) -> str:
    """With `{W^Q}^T` as `W^{QT}`, for that is a name with two superscripts; primes in front of other superscripts."""
    return re.sub(r"\^\{([^{}′]+)(′+)\}", r"^{\2\1}", re.sub(r"(\^\{[^{}]*)\}\^\{", r"\1", line))


def _condition(text: str) -> str:
    r"""A condition below a mask, `j \le i,\ M_{ij} = 1`, without its spaces and commas."""
    if "\\" not in text and "=" not in text:
        return text
    return re.sub(r"\\?\s|,|\\[{}]", "", re.sub(r"\\[a-z]+", lambda m: sign(m[0]), text))


def _words(text: str) -> str:
    r"""A condition of a definition by cases, `\text{if } j \le i`, without spaces and commas."""
    plain = re.sub(r"\\(?:text\w*|mathrm)\s*\{([^{}]*)\}", lambda m: "" if m[1].strip() in CONNECTIVES else m[1], text)
    return re.sub(r"[\s,{}()]|\\[,;:! ]", "", re.sub(r"\\[a-z]+", lambda m: sign(m[0]), plain))


def sign(text: str) -> str:
    return SIGNS.get(text) or MEANINGS.get(text, ("", text))[1]


# --- KaTeX


def katex_line(nodes: list[dict[str, Any]]) -> str:
    """The line of a formula as KaTeX reads it."""
    written = re.sub(r"(_\{[^{}]*)[·*]\}", r"\1:}", katex_form(nodes).replace("...", "…"))
    return joined(re.sub(r"\.$|(?<!\d)\.(?!\d)", "", written))


def katex_form(nodes: list[dict[str, Any]]) -> str:
    parts: list[tuple[str, str]] = []  # (what it writes, the bracket that it is)
    for node in _spread(nodes):
        if node["type"] != "supsub":
            parts.append((_katex_node(node), _bracket(node)))
            continue
        base = [] if node.get("base") is None else _spread([node["base"]])
        scripts = "".join(
            f"{mark}{{{katex_form([node[key]])}}}" for key, mark in (("sub", "_"), ("sup", "^")) if node.get(key)
        )
        if len(base) == 1 and _bracket(base[0]) in (*CLOSING,):
            depth, content = 1, ""
            while parts and depth:
                written, bracket = parts.pop()
                depth += (bracket in (*CLOSING,)) - (bracket in (*OPENING,))
                content = written + content
            parts.append((wrapped(content) + scripts, ""))
        else:
            braced = node.get("base") is not None and node["base"]["type"] in ("ordgroup", "leftright")
            said = katex_form(base)
            parts.append(((wrapped(said) if braced else said) + scripts, ""))
    return "".join(written for written, _ in parts)


def _spread(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the nodes that only arrange others."""
    found: list[dict[str, Any]] = []
    for node in nodes:
        inner = node.get("body")
        if node["type"] == "text" and _is_remark("".join(part.get("text", "") for part in _spread(inner))):
            continue
        if node["type"] in (
            "ordgroup",
            "styling",
            "font",
            "mclass",
            "color",
            "sizing",
            "text",
            "pmb",
            "enclose",
            "tag",
        ):
            found += _spread(inner if isinstance(inner, list) else [inner])
        else:
            found.append(node)
    return found


def _is_remark(words: str) -> bool:
    """Words beside a formula: in brackets, a label in front of it, or what joins two formulas."""
    return words.startswith("(") or words.rstrip().endswith(":") or words.strip() in CONNECTIVES


def _bracket(node: dict[str, Any]) -> str:
    text = str(node.get("delim") or node.get("text", "")).lstrip("\\")
    return text if node["type"] in ("atom", "delimsizing", "textord") and text in (*OPENING, *CLOSING) else ""


RELATIONS = ("=", "≈", "≤", "≥", "<", ">")


def _katex_node(node: dict[str, Any]) -> str:
    match node["type"]:
        case "genfrac":
            return f"frac{{{katex_form([node['numer']])}}}{{{katex_form([node['denom']])}}}"
        case "sqrt":
            return f"sqrt{{{katex_form([node['body']])}}}"
        case "array" if node.get("colSeparationType") in ("align", "gather"):  # it only arranges
            return "".join(katex_form([cell]) for row in node["body"] for cell in row)
        case "array":
            rows = [[katex_form([cell]) for cell in row] for row in node["body"]]
            if all(len(row) == 3 and row[1] in RELATIONS for row in rows):  # {rcl} arranges equations
                return "".join("".join(row) for row in rows)
            return "[" + ";".join("&".join(row) for row in rows if any(row)) + "]"
        case "leftright":
            return katex_form(node["body"])
        case "operatorname":
            return katex_form(node["body"])
        case "op":
            return SIGNS.get(node["name"], node["name"][1:]) if node.get("name") else katex_form(node["body"])
        case "accent":
            return katex_form([node["base"]]) + ACCENT_SIGNS.get(node["label"], "\u0304")
        case "mathord" | "textord" | "atom":
            return "" if node["text"] in SILENT else sign(node["text"])
        case "htmlmathml":
            return katex_form(node["mathml"])
        case "spacing" | "rule" | "kern" | "delimsizing" | "internal" | "cr" | "phantom":
            return ""
    raise NotImplementedError(node["type"])


# --- ours


def our_line(text: str, chains: tuple[f.Chain, ...]) -> str:
    """The line of the chains that our parser read from a text."""
    sides = (side for chain in chains for side in chain.sides)
    return joined("".join(side.relation + _Ours(text).form(side.expression) for side in sides))


class _Ours:
    """Writes our trees; the text tells how a quotient, an exponential or an index was spelled."""

    def __init__(self, text: str) -> None:
        self.text = text

    def form(self, node: f.Expression) -> str:
        return _WRITERS[type(node)](self, node)

    def said(self, node: f.Expression) -> str:
        return self.text[node.start : node.end]

    def number(self, node: f.Number) -> str:
        text = re.sub(r"\\text\{(\d+)\}", r"\1", node.text)
        said = re.sub(r"\\times|×", "×", re.sub(r"\\cdot", "·", re.sub(r"\\(?:left|right)(?![a-z])", "", text)))
        return re.sub(r"[\s()]|\{,\}|\\(?=%)", "", said)

    def name(self, node: f.Name) -> str:
        base = node.base.replace(" ", "").replace("𝟏", "1")
        below, above = (re.sub(r"[,()]", "", "".join(part)) for part in (node.sub, node.sup))
        if "_" not in node.text:
            base, below = base + below, ""  # `W1`
        of, _, by = base.partition("/∂")  # a gradient among numbers is a name
        written = (by and f"∂{by}") or base
        written += (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
        if not by:
            return written
        if node.text.startswith("\\nabla"):
            of = of.removeprefix("∂") if re.search(r"L\}?\s*$", node.text) else ""
            return f"∇_{{{written.removeprefix('∂')}}}{of}"
        spelled = f"{of}/{written}" if "/" in node.text else f"frac{{{of}}}{{{written}}}"
        return spelled if "\\partial" in node.text else spelled.replace("∂", "d")

    def sum(self, node: f.Sum) -> str:
        terms = "".join(("-" if s < 0 else "+") + self.form(t) for t, s in zip(node.terms, node.signs, strict=True))
        return terms if self.said(node).startswith("+") else terms.removeprefix("+")

    def product(self, node: f.Product | f.Elementwise) -> str:
        operators = node.operators if isinstance(node, f.Product) else ("⊙",) * (len(node.factors) - 1)
        return "".join(map("".join, zip(map(self.form, node.factors), (*operators, ""), strict=True)))

    def quotient(self, node: f.Quotient) -> str:
        above, below = self.form(node.numerator), self.form(node.denominator)
        slash = re.search(r"/|\\div", self.text[node.numerator.end : node.denominator.start])
        return f"{above}/{below}" if slash else f"frac{{{above}}}{{{below}}}"

    def script(self, base: f.Expression, mark: str, script: str) -> str:
        """A base with one script more; that of a call belongs to the brackets around its arguments, if to no others."""
        enclosed = re.match(r"\s*(?:\\right|[)\]}])", self.text[base.end :])
        if isinstance(base, f.Call) and self.called(base)[1] and not enclosed:
            return self.called(base)[0] + wrapped("".join(map(self.form, base.arguments))) + f"{mark}{{{script}}}"
        if isinstance(base, f.Call) and re.match(r"\\?[A-Za-z]+\s*\^", self.said(base)):  # sin² x
            return self.called(base)[0] + f"{mark}{{{script}}}" + "".join(map(self.form, base.arguments))
        written = self.form(base)
        return wrapped(written) + f"{mark}{{{script}}}"

    def called(self, node: f.Call) -> tuple[str, bool]:
        """The function as written, and whether its arguments stand in brackets."""
        word = re.match(
            r"(?:\\(?:mathrm|text\w*|operatorname\*?|math\w+|bold\w+)\s*\{([^{}]*)\}|\\?([A-Za-z]+))", self.said(node)
        )
        assert word is not None, self.said(node)
        name = re.sub(r"[^\w]", "", word[1] or word[2])
        label = "_{" + "".join(map(_condition, node.label)) + "}" if node.label else ""
        bracketed = re.match(
            r"(?:\s|\\[,;!]|_\{[^{}]*\}|_.|\\(?:left|[bB]igg?l?))*[(\[]", self.said(node)[word.end() :]
        )
        return name + label, bracketed is not None

    def call(self, node: f.Call) -> str:
        if node.function == "norm" and re.match(r"\\[lV|]|[‖|]", self.said(node)):
            label = re.sub(r"\\infty", "∞", "".join(node.label))
            return f"‖{self.form(node.arguments[0])}‖" + (f"_{{{label}}}" if label else "")
        if node.function in ("floor", "ceil") and re.match(r"\\left|\\l(?:floor|ceil)|[⌊⌈]", self.said(node)):
            whole = self.form(node.arguments[0])
            ends = "⌊⌋" if node.function == "floor" else "⌈⌉"
            # brackets that grow are marks to KaTeX, of which its tree keeps none
            grows = "\\left" in self.text[max(node.start - 6, 0) : node.start + 5]
            return whole if grows else ends[0] + whole + ends[1]
        if node.function == "where":  # [j > i], in brackets that grow
            return _condition(node.label[0]).replace(" ", "")
        if node.function == "exp" and re.match(r"\{?e[\s^]", self.said(node)):
            return f"e^{{{self.form(node.arguments[0])}}}"
        return self.called(node)[0] + "".join(map(self.form, node.arguments))

    def big_sum(self, node: f.BigSum) -> str:
        below = node.index + ("=" + self.form(node.lower) if node.lower else "")
        above = f"^{{{self.form(node.upper)}}}" if node.upper else ""
        return "Σ" + (f"_{{{below}}}" if below else "") + above + self.form(node.body)

    def cases(self, node: f.Cases) -> str:
        rows = zip(map(self.form, node.values), map(_words, node.conditions), strict=True)
        return "[" + ";".join("&".join(filter(None, row)) for row in rows) + "]"

    def matrix(self, node: f.Matrix) -> str:
        rows = [[self.form(cell) for cell in row] for row in node.rows]
        if re.match(r"\\(?:left\S|begin)", self.said(node)):
            return "[" + ";".join("&".join(row) for row in rows) + "]"
        return "".join("".join(row) for row in rows)


_WRITERS: dict[type, Callable[[_Ours, Any], str]] = {
    f.Number: _Ours.number,
    f.Infinity: lambda w, n: "-∞" if n.sign < 0 else "∞",
    f.Dots: lambda w, n: "…",
    f.Name: _Ours.name,
    f.Sum: _Ours.sum,
    f.Product: _Ours.product,
    f.Elementwise: _Ours.product,
    f.Quotient: _Ours.quotient,
    f.Root: lambda w, n: f"sqrt{{{w.form(n.radicand)}}}",
    f.Power: lambda w, n: w.script(n.base, "^", w.form(n.exponent)),
    f.Transpose: lambda w, n: w.script(n.operand, "^", "T"),
    f.Entry: lambda w, n: w.script(n.operand, "_", "".join(n.indices).replace(",", "")),
    f.Call: _Ours.call,
    f.BigSum: _Ours.big_sum,
    f.Cases: _Ours.cases,
    f.Matrix: _Ours.matrix,
    f.Space: lambda w, n: "R" + (f"^{{{'×'.join(map(w.form, n.dimensions))}}}" if n.dimensions else ""),
}
