"""Pages of random worksheets, written in every way that symattn writes, and what the checker leaves of their numbers.

What counts is found by a scanner of this file, which shares nothing with the readers: the formulas of a page are cut at
their relations, and every number of a side that is a result (numbers without names or products) is one to judge.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symattn.api.derivation import derive
from symattn.api.gradient import differentiate
from symattn.api.saturation import measure_saturation
from symattn.checking import Findings
from symattn.reading.worksheets.worksheet import parse_worksheet

SUFFIXES = {"markdown": "md", "latex": "tex", "html": "html", "text": "txt"}
LANGUAGES = ("en", "zh")
LEVELS = ("matrix", "token", "index")
NOTATIONS = ("vaswani", "phuong-hutter", "bishop", "jurafsky-martin", "prince", "flash")


# --- random worksheets


def random_sheet(seed: int) -> str:
    """The text of a worksheet: small sizes, entries of one kind, a few options."""
    counting = random.Random(~seed).random()
    return _Sheet(random.Random(seed)).text() + (_FROM_ZERO if counting < 0.3 else "")


_FROM_ZERO = "[notation]\nfirst_index = 0\n"


class _Sheet:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.entries = draw.choice(["integers", "integers", "decimals", "fractions"])
        self.n, self.m = draw.randint(1, 4), draw.randint(2, 4)
        self.d_k, self.d_v, self.d_model = draw.randint(1, 3), draw.randint(1, 3), draw.randint(2, 4)
        self.inputs: dict[str, Any] = {}
        self.attention: dict[str, Any] = {}

    def rows(self, rows: int, columns: int) -> list[list[Any]]:
        return [[self.number() for _ in range(columns)] for _ in range(rows)]

    def number(self) -> Any:
        match self.entries:
            case "integers":
                return self.draw.randint(-3, 5)
            case "decimals":
                return f"{self.draw.randint(-25, 30) / 10:.1f}"
        return f"{self.draw.randint(-4, 6)}/{self.draw.randint(1, 6)}"

    def text(self) -> str:
        start = self.draw.choice(["vectors", "vectors", "projected", "projected", "scores", "heads"])
        getattr(self, f"_{start}")()
        self._options(start)
        self.inputs["G"] = self.rows(self.n, self.width)
        lines = ["[inputs]", *(f"{name} = {json.dumps(value)}" for name, value in self.inputs.items())]
        lines += ["[attention]", *(f"{name} = {_toml(value)}" for name, value in self.attention.items())]
        if self.draw.random() < 0.5:
            lines.insert(0, f"tokens = {json.dumps([f't{k}' for k in range(1, self.n + 1)])}")
        return "\n".join(lines) + "\n"

    def _vectors(self) -> None:
        if self.draw.random() < 0.6:
            self.m = self.n = max(self.n, 2)
        self.inputs |= {
            "Q": self.rows(self.n, self.d_k), "K": self.rows(self.m, self.d_k), "V": self.rows(self.m, self.d_v)
        }  # fmt: skip
        self.width = self.d_v

    def _scores(self) -> None:
        self.inputs[self.draw.choice(["scores", "scaled"])] = self.rows(self.n, self.m)
        self.inputs["V"] = self.rows(self.m, self.d_v)
        if "scores" in self.inputs:
            self.attention["scale"] = self.draw.choice(["1/sqrt(2)", "1/2", "1"])
        self.width = self.d_v

    def _projected(self) -> None:
        self.inputs["X"] = self.rows(self.n, self.d_model)
        if self.draw.random() < 0.3:
            self.inputs["Z"] = self.rows(self.m, self.d_model)
        else:
            self.m = self.n
        self._weights(lambda columns: self.rows(self.d_model, columns))
        self.width = self.d_v
        if self.draw.random() < 0.4:
            for name, columns in (("b_Q", self.d_k), ("b_K", self.d_k), ("b_V", self.d_v)):
                self.inputs[name] = self.rows(1, columns)[0]
        if self.draw.random() < 0.4:
            self.inputs["W_O"] = self.rows(self.d_v, self.d_model)
            self.width = self.d_model
            if self.draw.random() < 0.5:
                self.inputs["b_O"] = self.rows(1, self.d_model)[0]

    def _heads(self) -> None:
        self.m, self.d_k, self.d_v = self.n, self.draw.randint(1, 2), self.draw.randint(1, 2)
        self.inputs["X"] = self.rows(self.n, self.d_model)
        self._weights(lambda columns: [self.rows(self.d_model, columns) for _ in range(2)])
        self.inputs["W_O"] = self.rows(2 * self.d_v, self.d_model)
        self.width = self.d_model

    def _weights(self, make: Any) -> None:
        self.inputs |= {"W_Q": make(self.d_k), "W_K": make(self.d_k), "W_V": make(self.d_v)}

    def _options(self, start: str) -> None:
        chance = self.draw.random
        if chance() < 0.5:
            self.attention["mask"] = self._mask()
        if chance() < 0.15:
            self.attention["bias"] = self.rows(self.n, self.m)
        if chance() < 0.1:
            self.attention["softcap"] = self.draw.choice([2, 5, "5/2"])
        if chance() < 0.15 and start != "heads":
            self.attention["sink"] = self.number()
        if start in ("scores", "heads"):
            return
        if chance() < 0.15:
            self.attention["scale"] = self.draw.choice(["1/8", "1/sqrt(7)", 1, "1/d_k"])
        if chance() < 0.12 and self.d_k == 2:
            self.attention["rope"] = {"base": self.draw.choice([100, 10000]), "offset": self.draw.randint(0, 1)}
        elif chance() < 0.1:
            self.attention["qk_norm"] = self.draw.choice(["l2", "rms"])

    def _mask(self) -> Any:
        keys = range(1, self.m + 1)
        rows = [[1] + [self.draw.randint(0, 1) for _ in range(self.m - 1)] for _ in range(self.n)]
        window = {"window": [1, self.draw.randint(0, 1)]}
        choices = [
            "causal", "causal", {"causal": 1}, window if self.n == self.m else "causal", rows,
            {"hidden": [[1 - x for x in row] for row in rows]}, {"padding": [keys[-1]]},
            {"finite": -1e9, "of": "causal"}, ["causal", {"padding": [keys[-1]]}],
        ]  # fmt: skip
        return self.draw.choice(choices)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


# --- pages


def random_way(seed: int, **fixed: Any) -> Way:
    """One of the ways in which a page can be written."""
    draw = random.Random(seed + 10**6)
    drawn = {
        "target": draw.choice(list(SUFFIXES)), "language": draw.choice(LANGUAGES), "level": draw.choice(LEVELS),
        "notation": draw.choice(NOTATIONS), "detail": draw.choice(["brief", "brief", "full"]),
        "kind": draw.choice(["derivation", "derivation", "gradient"]), "elide": draw.random() < 0.7,
    }  # fmt: skip
    return Way(**{**drawn, **fixed})


@dataclass(frozen=True)
class Way:
    """How a page is written."""

    target: str = "markdown"
    language: str = "en"
    level: str = "matrix"
    notation: str = "vaswani"
    detail: str = "brief"
    kind: str = "derivation"
    elide: bool = True


def write_page(text: str, way: Way) -> str:
    """The page that a worksheet gives."""
    sheet = parse_worksheet(text, preset=way.notation)
    how = {**sheet.show, "level": way.level, "tokens": sheet.tokens, "notation": sheet.notation}
    derivation = derive(sheet.expression, sheet.values, detail=way.detail, title=sheet.title, **how)
    if way.kind == "gradient":
        derivation = differentiate(derivation, G=sheet.upstream)
    if way.kind == "saturation":
        return measure_saturation(derivation).to(way.target, language=way.language)
    return derivation.to(way.target, language=way.language, elide=way.elide)


# --- what is on a page

_TEX = re.compile(
    r'<annotation encoding="application/x-tex">(?P<h>.*?)</annotation>|\$\$(?P<d>.*?)\$\$|(?<![\\$])\$(?P<i>[^$]+)\$'
    r"|\\\[(?P<b>.*?)\\\]|\\begin\{(?P<env>equation|gather|align)\*?\}(?P<e>.*?)\\end\{(?P=env)\*?\}",
    re.DOTALL,
)
_RELATION = re.compile(r"(?<![_^{A-Za-z])(?:=|≈|\\approx(?![A-Za-z]))|,\\qquad|\\\\\s*\n(?!&?=|&?\\approx)")
_BELOW = re.compile(
    r"_\{(?:[^{}]|\{[^{}]*\})*\}|_\w|\\(?:begin|end)\{[^}]*\}(?:\{[^}]*\})?|\\label\{[^}]*\}|&[a-z#]\w*;"
)
_NUMERAL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_NAME = re.compile(r"[A-Za-zΑ-ωᵀ]")
_WORDS = re.compile(
    r"\\(?:times|sqrt|frac|left|right|infty|qquad|quad|cdots|ddots|vdots|cos|sin|tanh|ln|exp|begin\{[^}]*\}|end\{[^}]*\}|[,;])|e(?=\^)"
)


def results(source: str, suffix: str) -> Iterator[tuple[int, int]]:
    """Where the numbers stand that the page says of something, after its section of inputs."""
    begin = second_heading(source, suffix)
    spans = _in_text(source, begin) if suffix == "txt" else _in_tex(source, begin)
    yield from spans


def second_heading(source: str, suffix: str) -> int:
    marks = {"md": r"^## 2 ", "tex": r"^\\section\{", "html": r"<h2", "txt": r"^2 .*\n-{3}"}
    found = list(re.finditer(marks[suffix], source, re.MULTILINE))
    if suffix in ("tex", "html"):
        found = found[1:]
    return found[0].start() if found else 0


def _in_tex(source: str, begin: int) -> Iterator[tuple[int, int]]:
    for match in _TEX.finditer(source, begin):
        name = next(n for n in ("h", "d", "i", "b", "e") if match[n] is not None)
        start, end = match.span(name)
        yield from _in_formula(source, start, end)


def _in_formula(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    text = _BELOW.sub(lambda m: " " * len(m[0]), source[start:end])
    cuts = [m for m in _RELATION.finditer(text) if _depth(text, m.start()) == 0 or "\\\\" not in m[0]]
    cuts = [m for m in cuts if not ("\\\\" in m[0] and _inside_matrix(source[start:end], m.start()))]
    for k, cut in enumerate(cuts):
        if cut[0] not in ("=", "≈", "\\approx") or _CONDITION.search(source, start, start + cut.start()):
            continue
        stop = cuts[k + 1].start() if k + 1 < len(cuts) else len(text)
        side, raw = text[cut.end() : stop], source[start + cut.end() : start + stop]
        if _is_result(side, raw):
            yield from ((start + cut.end() + a, start + cut.end() + b) for a, b in _cells(side))


_CONDITION = re.compile(r"M_(?:[a-z]{2}|\{[a-z]{2}\})\s*\Z")  # where M_ij = 1


def _depth(text: str, at: int) -> int:
    return text.count("{", 0, at) - text.count("}", 0, at)


def _inside_matrix(text: str, at: int) -> bool:
    before = text[:at]
    return before.count("matrix}") % 2 == 1


def _is_result(side: str, raw: str) -> bool:
    """Numbers alone: no name, no product of numbers or of matrices, no sum of squares, no range of an index."""
    bare = _WORDS.sub(" ", side)
    return not _CALCULATED.search(raw) and not (
        _NAME.search(bare) or "\\cdot" in raw or "\\left[" in raw or raw.count("\\begin{bmatrix}") > 1
    )


_CALCULATED = re.compile(
    r"(?:√\(|\\sqrt\{).*(?:²|\^\{2\})"  # √(3² + 4²), what the norm of a row is made of
    r"|^\s*\d,(?:\\;)?\s*\d(?!\d*\.)",  # each head h = 1, 2
    re.DOTALL,
)


def _cells(side: str) -> Iterator[tuple[int, int]]:
    """The entries of a matrix, or the whole side, where there is a number in it."""
    parts = re.split(r"(&|\\\\)", side) if "&" in side or "\\\\" in side else [side]
    at = 0
    for part in parts:
        found = re.search(r"\d|\\infty", part)
        if found:
            yield at + found.start(), at + len(part.rstrip())
        at += len(part)


_BLOCK = re.compile(r"(?:^    .*\n?)+", re.MULTILINE)


def _in_text(source: str, begin: int) -> Iterator[tuple[int, int]]:
    for block in _BLOCK.finditer(source, begin):
        yield from _of_block(source, block.start(), block.end())
    for line in re.finditer(r"^(?! {4}).+(?:\n(?! {4}).+)*", source[begin:], re.MULTILINE):
        if "=" in line[0] and not line[0].endswith("---"):
            yield from _of_line(source, begin + line.start(), begin + line.end())


def _of_block(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    text = source[start:end]
    if not re.search(r"^.*\[ .*\]", text, re.MULTILINE):
        yield from _of_line(source, start, end)
    elif re.search(r"[=≈] ", text) and not re.search(r"\].*\[", text) and not re.search(r"\[[^\]]*\] \w|·", text):
        for row in re.finditer(r"\[ (.*) \]", text):
            for cell in re.finditer(r"\S+(?: \S+)*", row[1]):
                if found := re.search(r"\d|∞", cell[0]):
                    yield (
                        start + row.start(1) + cell.start() + found.start(),
                        start + row.start(1) + cell.start() + found.end(),
                    )


def _of_line(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    text = source[start:end]
    cuts = list(re.finditer(r"(?<!k)[=≈]", text))
    for k, cut in enumerate(cuts):
        if _CONDITION.search(text, 0, cut.start()):
            continue
        stop = cuts[k + 1].start() if k + 1 < len(cuts) else len(text)
        sentence = re.search(r"[.](?:\s|$)", text[cut.end() : stop])
        stop = cut.end() + sentence.start() if sentence else stop
        side = text[cut.end() : stop]
        found = re.search(r"\d|∞", side)
        if (
            found
            and not _NAME.search(re.sub(r"e(?=[\^⁰¹²³⁴-⁹⁻])|cos|sin|tanh|ln|exp", " ", side))
            and "·" not in side
            and not _CALCULATED.search(side)
        ):
            yield start + cut.end() + found.start(), start + cut.end() + len(side.rstrip())


def judged_and_missed(source: str, suffix: str, found: Findings) -> tuple[int, list[tuple[int, int]]]:
    """How many numbers of results were judged, and where the others stand."""
    spans = sorted(e.span for c in found.findings for e in c.entries if e.span is not None)
    judged, missed = 0, []
    for start, end in results(source, suffix):
        if any(a < end and start < b for a, b in spans):  # whole, or the number that has not stood before
            judged += 1
        else:
            missed.append((start, end))
    return judged, missed
