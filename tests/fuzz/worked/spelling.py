"""How a formula is spelled (LaTeX, plain text, Python) and what it stands in (display, fence, list, sentence, page)."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence

from tests.fuzz.worked.author import Author

_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
Cells = Sequence[Sequence[str]]


class Spelling:
    """Plain text: `Q · Kᵀ = [[1, 2], [3, 4]]`."""

    def __init__(self, a: Author) -> None:
        self.a = a
        self.times = a.pick("×", "·", "*", "×")
        self.dot = a.pick(" · ", "·", " × ", " @ ", " ")
        self.turned = a.pick("ᵀ", "^T", "ᵀ", ".T")
        self.low = a.pick("₁", "_1", "1")
        self.about = a.pick("≈", "≈", "=")
        self.between = "; " if a.comma else a.pick(", ", ", ", ",", "  ") if type(self) is Spelling else ", "
        self.fence = a.pick("[]", "[]", "[]", "()")
        self.power = a.pick("e^{}", "exp({})", "e^({})")
        self.stacked = a.chance(0.5)
        self.tight = a.chance(0.3)

    def name(self, base: str, at: int | str | None = None) -> str:
        if at is None:
            return base
        text = str(at)
        if self.low == "₁" and text.isdigit():
            return base + text.translate(_LOW)
        return f"{base}_{text}" if self.low == "_1" or not text.isdigit() else f"{base}{text}"

    def word(self, text: str) -> str:
        return text

    def turn(self, x: str) -> str:
        return x + self.turned

    def product(self, x: str, y: str) -> str:
        return f"{x}{self.dot}{y}"

    def root(self, x: str) -> str:
        return f"√{x}" if len(x) <= 3 else f"√({x})"

    def exp(self, x: str) -> str:
        x = x if len(x) == 1 or "(" in self.power else f"{x}" if x.replace(".", "").isdigit() else f"({x})"
        return self.power.format(x)

    def ratio(self, x: str, y: str) -> str:
        return f"{x}/{y}" if self.tight else f"{x} / {y}"

    def call(self, f: str, x: str) -> str:
        return f"{f}({x})"

    def list(self, cells: Sequence[str]) -> str:
        """A vector, lying."""
        return self.fence[0] + self.between.join(cells) + self.fence[1]

    def matrix(self, cells: Cells, indent: int = 0) -> str:
        if len(cells) == 1 and self.a.chance(0.3):
            return self.list(cells[0])
        rows = ["[" + self.between.join(row) + "]" for row in cells]
        if self.stacked:
            return "[" + (",\n" + " " * (indent + 1)).join(rows) + "]"
        return "[" + ", ".join(rows) + "]"

    def bracket(self, x: str) -> str:
        return f"({x})" if x[:1] in "-−" else x


class Tex(Spelling):
    """LaTeX: `QK^T = \\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}`."""

    def __init__(self, a: Author) -> None:
        super().__init__(a)
        self.times = a.pick(r"\times", r"\cdot")
        self.dot = a.pick("", " ", r" \cdot ", "")
        self.turned = a.pick("^T", r"^\top", r"^{T}", "^{\\top}")
        self.about = a.pick(r"\approx", r"\approx", "=")
        self.kind = a.pick("bmatrix", "bmatrix", "pmatrix", "array", "smallmatrix")
        self.bold = a.pick("", "", r"\mathbf")
        self.vectors = a.pick("brackets", "matrix", "round")
        self.function = a.pick(r"\text", r"\mathrm", r"\operatorname")
        self.fraction = a.pick("frac", "frac", "slash")
        self.breaks = a.chance(0.4)

    def name(self, base: str, at: int | str | None = None) -> str:
        if len(base) > 1 and base[0] != "\\":
            base = f"{self.function if self.function != chr(92) + 'operatorname' else chr(92) + 'text'}{{{base}}}"
        elif self.bold:
            base = f"{self.bold}{{{base}}}"
        if at is None:
            return base
        return f"{base}_{at}" if len(str(at)) == 1 else f"{base}_{{{at}}}"

    def word(self, text: str) -> str:
        return rf"\text{{{text}}}"

    def root(self, x: str) -> str:
        return rf"\sqrt{{{x}}}"

    def exp(self, x: str) -> str:
        return rf"\exp({x})" if "exp" in self.power else f"e^{{{x}}}"

    def ratio(self, x: str, y: str) -> str:
        return rf"\frac{{{x}}}{{{y}}}" if self.fraction == "frac" else f"{x} / {y}"

    def call(self, f: str, x: str) -> str:
        around = (r"\left(", r"\right)") if "begin" in x or "frac" in x else ("(", ")")
        return f"{self.function}{{{f}}}{around[0]}{x}{around[1]}"

    def number(self, x: str) -> str:
        x = x.replace("−", "-")
        return x.replace(",", "{,}") if self.a.comma and "{,}" not in x else x

    def list(self, cells: Sequence[str]) -> str:
        cells = [self.number(c) for c in cells]
        if self.vectors == "matrix":
            return self.matrix([cells])
        mark = "; " if self.a.comma else ", "
        return "[" + mark.join(cells) + "]" if self.vectors == "brackets" else "(" + mark.join(cells) + ")"

    def matrix(self, cells: Cells, indent: int = 0) -> str:
        mark = " \\\\\n" if self.breaks else r" \\ "
        body = mark.join(" & ".join(self.number(c) for c in row) for row in cells)
        if self.kind == "array":
            return rf"\left[\begin{{array}}{{{'c' * len(cells[0])}}} {body} \end{{array}}\right]"
        if self.kind == "smallmatrix":
            return rf"\left[\begin{{smallmatrix}} {body} \end{{smallmatrix}}\right]"
        if self.breaks:
            return f"\\begin{{{self.kind}}}\n{body}\n\\end{{{self.kind}}}"
        return rf"\begin{{{self.kind}}} {body} \end{{{self.kind}}}"


class Dress:
    """What the formulas of an article stand in."""

    def __init__(self, a: Author, kind: str) -> None:
        self.a, self.kind = a, kind
        self.tex = kind in TEX
        self.s: Spelling = Tex(a) if self.tex else Spelling(a)
        self.level = a.pick("## ", "### ", "**", "", "#### ", "numbered", "bullet")
        self.count = 0
        self.numbered = a.chance(0.6)

    def num(self, text: str) -> str:
        """A number within a formula."""
        return self.s.number(text) if isinstance(self.s, Tex) else text

    def chain(self, *sides: str, about: bool = True) -> str:
        """The sides of an equation; the last is a rounded result if `about`."""
        eq = " = " if not self.s.tight else "="
        last = f" {self.s.about} " if about else eq
        return eq.join(sides[:-1]) + last + sides[-1]

    def show(self, *chains: str) -> str:
        """Chains as this article shows them, each on its own line."""
        if not self.tex:
            chains = tuple(self._hang(c) for c in chains)
        match self.kind:
            case "display":
                return "\n\n".join(f"$$\n{c}\n$$" if "\n" in c else f"$${c}$$" for c in chains)
            case "brackets":
                return "\n\n".join(f"\\[\n{c}\n\\]" for c in chains)
            case "aligned":
                body = " \\\\\n".join(_align(c) for c in chains)
                return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$"
            case "inline":
                return "\n\n".join(f"${c}$" for c in chains)
            case "math-bullets":
                return "\n".join(f"- ${c}$".replace("\n", " ") for c in chains)
            case "fence":
                return "```\n" + "\n".join(chains) + "\n```"
            case "text-fence":
                return "```text\n" + "\n".join(chains) + "\n```"
            case "lines":
                return "  \n".join(chains) if self.a.language != "en" else "\n\n".join(chains)
            case "indented":
                return "\n".join("    " + c.replace("\n", "\n    ") for c in chains)
            case "bullets":
                return "\n".join("- " + c.replace("\n", "\n  ") for c in chains)
            case "ticks":
                return "\n".join(f"- `{c}`".replace("\n", " ") for c in chains)
            case "pre":
                return "<pre>\n" + "\n".join(html.escape(c) for c in chains) + "\n</pre>"
            case "paragraphs":
                return "\n".join(f"<p>{html.escape(c)}</p>" for c in chains)
        raise AssertionError(self.kind)

    def _hang(self, chain: str) -> str:
        """A matrix of several lines under its own bracket."""
        if "\n" not in chain:
            return chain
        first, *rest = chain.split("\n")
        at = first.rfind("[[")
        return "\n".join([first, *(" " * (at + 1) + line.lstrip() for line in rest)]) if at >= 0 else chain

    def inline(self, text: str) -> str:
        """A formula within a sentence."""
        if self.tex:
            return f"${text}$"
        return f"`{text}`" if self.kind == "ticks" else text

    def heading(self, key: str) -> str:
        self.count += 1
        text = self.a.say(key)
        label = f"{self.a.say('step')} {self.count}: {text}" if self.numbered else text
        if self.kind in HTML:
            return f"<h3>{label}</h3>"
        match self.level:
            case "**":
                return f"**{label}**"
            case "":
                return f"{label}:"
            case "numbered":
                return f"{self.count}. {text}"
            case "bullet":
                return f"**({chr(96 + self.count)})** {text}"
        return self.level + label

    def table(self, header: Sequence[str], rows: Cells) -> str:
        if self.kind in HTML:
            cells = ["".join(f"<th>{h}</th>" for h in header), *("".join(f"<td>{c}</td>" for c in r) for r in rows)]
            return "<table>\n" + "\n".join(f"<tr>{c}</tr>" for c in cells) + "\n</table>"
        lines = [header, ["---"] * len(header), *rows]
        return "\n".join("| " + " | ".join(row) + " |" for row in lines)

    def prose(self, text: str) -> str:
        return f"<p>{text}</p>" if self.kind in HTML else text

    @property
    def suffix(self) -> str:
        return "html" if self.kind in HTML else "md"


def _align(chain: str) -> str:
    first, equals, rest = chain.partition(" = ")
    return f"{first} &= {rest}" if equals else chain


TEX = ("display", "brackets", "aligned", "inline", "math-bullets")
HTML = ("pre", "paragraphs")
PLAIN = ("fence", "text-fence", "lines", "indented", "bullets", "ticks", *HTML)


def notebook(cells: Sequence[tuple[str, str | None]]) -> str:
    """(source, output) of code cells; Markdown cells have no output and begin with `#` or a letter."""
    made = []
    for k, (source, output) in enumerate(cells):
        lines = source.splitlines(keepends=True)
        if output is None:
            made.append({"cell_type": "markdown", "metadata": {}, "source": lines})
            continue
        data = {"text/plain": output.splitlines(keepends=True)}
        printed = "print(" in source
        one = (
            {"output_type": "stream", "name": "stdout", "text": (output + "\n").splitlines(keepends=True)}
            if printed
            else {"output_type": "execute_result", "execution_count": k + 1, "metadata": {}, "data": data}
        )
        made.append(
            {
                "cell_type": "code",
                "execution_count": k + 1,
                "metadata": {},
                "source": lines,
                "outputs": [one] if output else [],
            }
        )
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1)
