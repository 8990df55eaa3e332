"""Figures of saturation: the only door to matplotlib (extra `plot`).

Each figure is readable in grey (line styles, numbers and markers, not colours, tell things apart) and carries its
alternative text: in SVG as title and description, in PDF as subject, in PNG as description.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import get_font_names
from matplotlib.ticker import NullFormatter

from symattn.errors import InputError
from symattn.values.floats.formats import FORMATS
from symattn.values.saturation.measure import SaturatedRow
from symattn.values.saturation.ranking import RankedHead
from symattn.values.saturation.thresholds import THRESHOLDS
from symattn.writing.files import replace_file
from symattn.writing.prose import Sentence

SUFFIXES = (".svg", ".pdf", ".png", ".pgf")
MOST_CELLS = 400  # numbers in a heat map; beyond them the shades alone
WIDE = ("bfloat16", "float16", "float32", "float64")
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "symattn",  # the same file from the same numbers
    "svg.fonttype": "none",
    "pgf.texsystem": "pdflatex",
}
CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei")


@dataclass(frozen=True)
class Drawn:
    """A figure and what it shows, in words, for those who do not see it."""

    figure: Figure
    alternative: str

    def save(self, path: str | Path) -> None:
        """Write it as SVG, PDF, PNG or PGF, by the suffix. Raises InputError for another, or where it cannot."""
        suffix = Path(path).suffix.lower()
        if suffix not in SUFFIXES:
            raise InputError(Sentence("figure_suffix", known=", ".join(SUFFIXES)), place=str(path))
        said: Mapping[str, dict[str, Any]] = {
            ".svg": {"Title": "symattn", "Description": self.alternative, "Date": None},
            ".pdf": {"Title": "symattn", "Subject": self.alternative, "CreationDate": None},
            ".png": {"Title": "symattn", "Description": self.alternative},
        }
        options: Any = {"metadata": said[suffix]} if suffix in said else {}
        try:
            with matplotlib.rc_context(_style()):
                draw = partial(self.figure.savefig, format=suffix[1:], dpi=200, **options)
                replace_file(str(path), draw)
        except RuntimeError as error:  # PGF measures its text with pdflatex
            reason = " ".join(str(error).split())[:80]
            raise InputError(Sentence("cannot_write", reason=reason), place=str(path)) from None


def _style() -> Any:
    """With a Chinese font behind the usual one where there is one."""
    known = [name for name in CHINESE if name in get_font_names()]
    return STYLE | {"font.family": ["DejaVu Sans", *known[:1]]}


@contextmanager
def _drawing(width: float, height: float) -> Iterator[tuple[Any, Any]]:
    with matplotlib.rc_context(_style()):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure, figure.add_subplot()


def scale_figure(row: SaturatedRow, language: str = "en") -> Drawn:
    """1 − a_max of a row as its scores are multiplied by a factor, on logarithmic axes, and where each format loses it.

    For a factor t the row is softmax(t z). A line for each format marks where two keys of that gap lose it: t g reaches
    the threshold from which the larger weight rounds to 1.
    """
    say = _sayer(language)
    gap = float(row.gap)
    if not 0 < gap < float("inf"):
        raise InputError(Sentence("figure_gap"))
    with _drawing(6.3, 3.6) as (figure, axes):
        thresholds = {name: float(THRESHOLDS["one"].decimal(FORMATS[name], 6)) / gap for name in WIDE}
        right = 1.6 * max(1, *thresholds.values())
        left = min(0.25, 0.5 * min(thresholds.values()))
        kept = [t for t in (2.0 ** (k / 16) for k in range(-240, 241)) if left <= t <= right]
        rests = [_rest(row, t) for t in kept]
        axes.plot(kept, rests, color="black", linewidth=1.4)
        for (name, at), dash in zip(thresholds.items(), ("-", "--", "-.", ":"), strict=True):
            axes.axvline(at, color="0.35", linewidth=0.9, linestyle=dash)
            axes.annotate(
                name, (at, 1.02), xycoords=("data", "axes fraction"), rotation=40, ha="left", va="bottom", fontsize=8
            )
        axes.axvline(1, color="0.8", linewidth=3, zorder=0)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set(xscale="log", yscale="log", xlim=(left, right), xlabel=say("figure.factor"), ylabel=say("figure.rest"))
    listed = ", ".join(f"{name} {at:.3g}" for name, at in thresholds.items())
    return Drawn(figure, say("figure.scale.said", gap=f"{gap:.4g}", thresholds=listed))


def _rest(row: SaturatedRow, factor: float) -> float:
    """1 − a_max at a factor: weights are powers of weights, a_j^t / Σ a_k^t."""
    total = sum(math.exp(max(factor * x, -740.0)) for x in row.exact.relative_logs)
    return total / (1 + total)


def weights_figure(rows: Sequence[SaturatedRow], tokens: Sequence[str] = (), language: str = "en") -> Drawn:
    """The weights of one head as shades with their values, and a labelled range."""
    say = _sayer(language)
    weights = [row.formats["float64"].weights for row in rows]
    columns = len(weights[0])
    with _drawing(1.9 + 0.62 * min(columns, 12), 1.3 + 0.42 * min(len(rows), 14)) as (figure, axes):
        image = axes.imshow(weights, cmap="Greys", vmin=0, vmax=1, aspect="auto")
        axes.spines[:].set_visible(False)
        axes.set(xlabel=say("figure.key"), ylabel=say("figure.query"))
        if len(rows) * columns <= MOST_CELLS:
            for i, row in enumerate(weights):
                for j, w in enumerate(row):
                    shade = "white" if w > 0.5 else "black"
                    axes.text(j, i, _short(w), ha="center", va="center", color=shade, fontsize=7)
            axes.set_xticks(range(columns), [_name(j, tokens) for j in range(1, columns + 1)])
            axes.set_yticks(range(len(rows)), [_name(row.row, tokens) for row in rows])
        bar = figure.colorbar(image, ax=axes, shrink=0.9, ticks=[0, 0.25, 0.5, 0.75, 1])
        bar.set_label(say("figure.weight"))
        bar.outline.set_visible(False)
    return Drawn(figure, say("figure.weights.said", rows=len(rows), columns=columns))


def _short(w: float) -> str:
    if w in (0.0, 1.0):
        return str(int(w))
    if w < 0.005:
        mantissa, power = f"{w:.0e}".split("e")
        return rf"${mantissa}\!\cdot\!10^{{{int(power)}}}$"
    return "0.99…" if w >= 0.995 else f"{w:.2f}"


def _name(number: int, tokens: Sequence[str]) -> str:
    return tokens[number - 1].replace("$", r"\$") if number <= len(tokens) else str(number)


def heads_figure(heads: Sequence[RankedHead], language: str = "en") -> Drawn:
    """1 − a_max by head: the most saturated row as a dot, the median as a dash, the thresholds of formats as lines."""
    say = _sayer(language)
    floor = 1e-18
    with _drawing(6.3, 3.4) as (figure, axes):
        numbers = [h.head for h in heads]
        smallest = [max(h.smallest, floor) for h in heads]
        median = [max(h.median, floor) for h in heads]
        axes.vlines(numbers, smallest, median, color="0.75", linewidth=1)
        axes.plot(numbers, median, "_", color="0.35", label=say("ranking.median"))
        axes.plot(numbers, smallest, ".", color="black", label=say("ranking.smallest"))
        for name, dash in zip(WIDE, ("-", "--", "-.", ":"), strict=True):
            at = 2.0 ** -(FORMATS[name].precision + 1)
            if at > min(smallest) / 100:
                axes.axhline(at, color="0.5", linewidth=0.8, linestyle=dash, zorder=0)
                axes.annotate(f" {name}", (1, at), xycoords=("axes fraction", "data"), va="center", fontsize=8)
        axes.set(yscale="log", xlabel=say("ranking.head"), ylabel=say("figure.rest"))
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.14), ncols=2)
    worst = min(heads, key=lambda h: h.smallest)
    return Drawn(figure, say("figure.heads.said", heads=len(heads), head=worst.head, rest=f"{worst.smallest:.2e}"))


def _sayer(language: str) -> Callable[..., str]:
    return lambda key, **fields: Sentence(key, **fields).text(language)
