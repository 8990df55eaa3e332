"""Diagrams and heat maps -> TikZ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from symattn.writing.document import Diagram, HeatMap
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns, shorten
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.layout import HEIGHT, Layout, Point, shorten_label
from symattn.writing.writers.text_style import TextStyle

WIDEST, HIGHEST = 16.0, 23.0  # cm of the text on an A4 page
LEGIBLE = 0.75  # of the size of the text: what is raised or lowered has 6 points then
SMALLEST = 7 / 11  # with which letters have 7 points
SHORT, LONG = 6, 16  # letters of a key that a column has room for, a Chinese one as two
ROOM, MOST = 65, 20  # letters of all keys beside each other, and of a name
LETTERS, ACROSS = 9, 0.02  # points of \\footnotesize, and cm across a letter for each point that it is high
LARGEST, POINTS = 13.0, 72.27 / 2.54  # cm of many small cells, beside names; points to a cm


def tikz(diagram: Diagram, style: LatexStyle, labels: Mapping[str, str]) -> str:
    """A picture that needs \\usepackage{tikz}; `labels` are those of the steps that an equation states."""
    text, stated = TextStyle(style.notation, style.language), frozenset(labels)
    short = replace(
        diagram, nodes=tuple(map(shorten_label, diagram.nodes))
    )  # equations that boxes refer to say the rest
    for drawn, close in ((diagram, False), (short, False), (short, True)):
        layout = Layout(drawn, text, stated, close)
        scale = _scale(layout)
        if scale >= LEGIBLE:
            break
    if scale < SMALLEST:
        return Sentence("flow_too_large").text(style.language)
    lines = [rf"\begin{{tikzpicture}}[scale={scale:.2f}, every node/.style={{transform shape}},"]
    lines += [rf"  box/.style={{draw, rounded corners=2pt, minimum height={HEIGHT * 10:.1f}mm}}]"]
    for group, (left, bottom, right, top) in zip(diagram.groups, layout.frames, strict=True):
        lines.append(rf"\draw[dashed] ({left:.2f},{bottom:.2f}) rectangle ({right:.2f},{top:.2f});")
        lines.append(rf"\node[anchor=north east] at ({left:.2f},{top:.2f}) {{${group.label.write(style)}$}};")
    for place in drawn.nodes:
        x, y = layout.at(place.key)
        referred = rf"\quad\eqref{{{labels[place.step]}}}" if place.step in labels else ""
        across = f"minimum width={layout.width(place.key) * 10:.0f}mm"
        inside = f"${place.label.write(style)}${referred}"
        lines.append(rf"\node[box, {across}] ({place.key}) at ({x:.2f},{y:.2f}) {{{inside}}};")
    for arrow in diagram.arrows:
        start, end = layout.ports(arrow)
        way = " -- ".join(map(_at, (start, *layout.bends(arrow), end)))
        lines.append(rf"\draw[->, rounded corners=3pt] {way};")
    return "\\begin{center}\n% needs \\usepackage{tikz}\n" + "\n".join(lines) + "\n\\end{tikzpicture}\n\\end{center}"


def _scale(layout: Layout) -> float:
    """What makes a picture as small as the page asks."""
    return min(1.0, WIDEST / layout.across, HIGHEST / layout.down)


def _at(point: Point) -> str:
    return f"({point[0]:.2f},{point[1]:.2f})"


@dataclass(frozen=True)
class _Grid:
    """The size of a cell in cm, that of names in points, and whether names too long for their columns are turned."""

    wide: float
    high: float
    letters: float
    turned: bool

    @property
    def font(self) -> str:
        return r"\footnotesize" if self.letters == LETTERS else rf"\fontsize{{{self.letters:.1f}}}{{0}}\selectfont"


def _grid(shades: HeatMap) -> _Grid:
    longest = max(map(columns, shades.keys))
    if shades.has_numbers:
        turned = longest > max(SHORT, min(ROOM // len(shades.keys), LONG))
        return _Grid(1.1 if turned else max(1.1, ACROSS * LETTERS * longest), 0.62, LETTERS, turned)
    narrow = min(0.4, LARGEST / max(len(shades.queries), len(shades.keys)))
    letters = min(LETTERS, narrow * POINTS)
    return _Grid(narrow, narrow, letters, ACROSS * letters * longest > narrow)


def tikz_heat_map(shades: HeatMap, style: LatexStyle, escape: Callable[[str], str]) -> str:
    """Weights as shades with their values; `escape` makes LaTeX of the names of tokens."""
    grid = _grid(shades)
    wide, high = grid.wide, grid.high
    lines = [r"\begin{tikzpicture}[every node/.style={inner sep=1pt}]"]
    said = f"{Sentence('figure.query').text(style.language)} / {Sentence('figure.key').text(style.language)}"
    lines.append(rf"\node[anchor=south east, font=\footnotesize] at (-0.1,0.6) {{{said}}};")
    alike: dict[int, list[str]] = {}  # the cells of each shade, which are one path: TikZ takes a while for each
    for i, row in enumerate(shades.cells):
        for j, cell in enumerate(row):
            left, top = j * wide, -i * high
            corners = f"{_at((left, top))} rectangle {_at((left + wide, top - high))}"
            alike.setdefault(cell.percent, []).append(corners)
    for percent, cells in alike.items():
        lines.append(rf"\filldraw[fill=violet!{percent}!white, draw=gray!60, line width=0.2pt] {' '.join(cells)};")
    if shades.has_numbers:
        for i, row in enumerate(shades.cells):
            for j, cell in enumerate(row):
                ink = "white" if cell.percent > 60 else "black"
                middle, text = _at(((j + 0.5) * wide, -(i + 0.5) * high)), cell.text.replace("≈", style.approx + " ")
                lines.append(rf"\node[text={ink}, font=\footnotesize] at {middle} {{${text}$}};")
    lines += _names(shades, grid, escape)
    return "\\begin{center}\n% needs \\usepackage{tikz}\n" + "\n".join(lines) + "\n\\end{tikzpicture}\n\\end{center}"


def _names(shades: HeatMap, grid: _Grid, escape: Callable[[str], str]) -> Iterator[str]:
    """The names of keys above their columns, and of queries beside their rows."""
    to, up = ("mid west, rotate=90", 0.1) if grid.turned else ("base", 0.2)
    keys = [(to, _at(((j + 0.5) * grid.wide, up)), name) for j, name in enumerate(shades.keys)]
    queries = [("east", _at((-0.1, -(i + 0.5) * grid.high)), name) for i, name in enumerate(shades.queries)]
    for anchor, at, name in (*keys, *queries):
        yield rf"\node[anchor={anchor}, font={grid.font}] at {at} {{{escape(shorten(name, MOST))}}};"
