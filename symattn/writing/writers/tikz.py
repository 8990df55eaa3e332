"""Diagrams and heat maps -> TikZ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from symattn.writing.document import Diagram, HeatMap
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns, shorten
from symattn.writing.writers.latex_style import LatexStyle
from symattn.writing.writers.layout import HEIGHT, Layout, Point, shorten_label
from symattn.writing.writers.text_style import TextStyle

WIDEST, HIGHEST = 16.0, 23.0  # cm of the text on an A4 page
LEGIBLE = 0.75  # of the size of the text: what is raised or lowered has 6 points then
SMALLEST = 7 / 11  # with which letters have 7 points


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


def tikz_heat_map(shades: HeatMap, style: LatexStyle, escape: Callable[[str], str]) -> str:
    """Weights as shades with their values; `escape` makes LaTeX of the names of tokens."""
    narrow = min(0.4, 12 / max(len(shades.queries), len(shades.keys)))
    longest = min(max(map(columns, shades.keys)), 65 // len(shades.keys), 12)
    letters = max(6, longest)  # of a key that a column has room for, a Chinese one as two
    wide, high = (max(1.1, 0.18 * letters), 0.62) if shades.has_numbers else (narrow, narrow)
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
        names = [
            ("base", f"({(j + 0.5) * wide:.2f},0.2)", shorten(name, letters)) for j, name in enumerate(shades.keys)
        ]
        names += [("east", f"(-0.1,{-(i + 0.5) * high:.2f})", shorten(x, 20)) for i, x in enumerate(shades.queries)]
        lines += [rf"\node[anchor={to}, font=\footnotesize] at {at} {{{escape(name)}}};" for to, at, name in names]
    return "\\begin{center}\n% needs \\usepackage{tikz}\n" + "\n".join(lines) + "\n\\end{tikzpicture}\n\\end{center}"
