"""Diagrams and heat maps -> SVG, in the colours of the page around them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from symattn.writing.document import Diagram, HeatMap
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns, shorten
from symattn.writing.writers.layout import HEIGHT, Layout, Point, shorten_label
from symattn.writing.writers.text_style import TextStyle

CM = 42.0  # pixels to a centimetre of the layout
SHORT, LONG = 7, 12  # letters of a key that a column has room for, a Chinese one as two
ROOM, LOW = 640, 30  # pixels for all columns, and down a cell with its number
ACROSS, NARROW = 9, 56  # pixels to a letter of a key, with what keeps two apart; and at least across a number
WINDOW, LEAST = 1200, 0.75  # pixels of a usual window, and how small a drawing may be made for it
DARK, MIDDLE = 72, 60  # shades above which numbers are light, and dark on a dark page


def flow_svg(diagram: Diagram, style: TextStyle, numbers: Mapping[str, int], classes: Mapping[str, str]) -> str:
    """The flow of a calculation: boxes with the numbers of their equations, arrows between them.

    `classes` has what objects, by their steps' names, are of.
    """
    layout = Layout(diagram, style, frozenset(numbers))
    if layout.across * CM * LEAST > WINDOW:  # the equations that boxes refer to say the rest
        diagram = replace(diagram, nodes=tuple(map(shorten_label, diagram.nodes)))
        layout = Layout(diagram, style, frozenset(numbers))
    boxes, frames = [], []
    corners: list[Point] = []
    for group, (left, bottom, right, top) in zip(diagram.groups, layout.frames, strict=True):
        corners += (left, bottom), (right, top)
        said = _formula(group.label.write(style))
        frames.append(
            f'<rect class="frame" x="{left * CM:.0f}" y="{-top * CM:.0f}" width="{(right - left) * CM:.0f}" '
            f'height="{(top - bottom) * CM:.0f}" rx="6"/>'
            f'<text class="of" x="{left * CM + 6:.0f}" y="{-top * CM - 5:.0f}">{said}</text>'
        )
        corners.append((left, top + 0.5))
    for place in diagram.nodes:
        (x, y), across = layout.at(place.key), layout.width(place.key)
        corners += (x - across / 2, y - HEIGHT / 2), (x + across / 2, y + HEIGHT / 2)
        number = f'<tspan class="of" dx="8">({numbers[place.step]})</tspan>' if place.step in numbers else ""
        label = f'<text x="{x * CM:.0f}" y="{-y * CM + 5:.0f}">{_formula(place.label.write(style))}{number}</text>'
        kind = classes.get(place.step, classes.get(place.label.write(style), ""))
        boxes.append(
            f'<g class="{kind}"><rect class="box" x="{(x - across / 2) * CM:.0f}" y="{(-y - HEIGHT / 2) * CM:.0f}" '
            f'width="{across * CM:.0f}" height="{HEIGHT * CM:.0f}" rx="5"/>{label}</g>'
        )
    arrows = []
    for arrow in diagram.arrows:
        start, end = layout.ports(arrow)
        way = (start, *layout.bends(arrow), end)
        corners += way
        arrows.append(f'<path class="way" d="M{" L".join(f"{x * CM:.0f} {-y * CM:.0f}" for x, y in way)}"/>')
        x, y = end[0] * CM, -end[1] * CM
        arrows.append(f'<path class="head" d="M{x:.0f} {y:.0f} l-4 -9 h8 z"/>')
    left, right = min(x for x, _ in corners) * CM - 4, max(x for x, _ in corners) * CM + 4
    top, bottom = -max(y for _, y in corners) * CM - 4, -min(y for _, y in corners) * CM + 4
    said = Sentence("title.flow").text(style.language)
    box = (left, top, right - left, bottom - top)
    return _svg("flow", said, box, "".join([*frames, *arrows, *boxes]), least=LEAST)


def heat_map_svg(shades: HeatMap, style: TextStyle, mark: Callable[[int, int], str]) -> str:
    """Weights as shades of one colour with their values; `mark` has the attribute of an entry, for who explores it."""
    numbered = shades.has_numbers
    small = 12 if len(shades.keys) <= 32 else 8
    key, query = (max(map(columns, names)) if numbered else 0 for names in (shades.keys, shades.queries))
    letters = max(SHORT, min(key, ROOM // (ACROSS * len(shades.keys)), LONG))
    wide, high = (ACROSS * letters if letters > SHORT else NARROW, LOW) if numbered else (small, small)
    left, top = max(22 + 9 * min(query, 14), 54 if numbered else 0), 46  # the name of the rows has room beside keys
    out = [
        f'<text class="axis" x="{left}" y="14">{_say("figure.key", style)} →</text>',
        f'<text class="axis" x="2" y="{top - 8}">{_say("figure.query", style)} ↓</text>',
    ]
    if numbered:
        out += [
            f'<text class="name" x="{left + (j + 0.5) * wide:.0f}" y="{top - 8}">{_name(name, letters)}</text>'
            for j, name in enumerate(shades.keys)
        ]
        out += [
            f'<text class="name row" x="{left - 8}" y="{top + (i + 0.5) * high + 5:.0f}">{_name(name, 14)}</text>'
            for i, name in enumerate(shades.queries)
        ]
    for i, row in enumerate(shades.cells):
        for j, cell in enumerate(row):
            x, y = left + j * wide, top + i * high
            box = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
            marked = "" if numbered else mark(i, j)
            inside = f'<rect class="shade"{marked} {box} fill-opacity="{cell.percent / 100:g}"/>'
            if numbered:
                ink = "high" if cell.percent > DARK else "mid" if cell.percent > MIDDLE else "low"
                inside += f'<text class="{ink}" x="{x + wide / 2:g}" y="{y + high / 2 + 5:g}">{cell.text}</text>'
                inside = f"<g{mark(i, j)}>{inside}</g>"
            out.append(inside)
    width, height = left + wide * len(shades.keys), top + high * len(shades.cells)
    out += _scale(width + 18, top)
    said = Sentence("figure.weights.said", rows=len(shades.queries), columns=len(shades.keys)).text(style.language)
    name = f"{shades.symbol.write(style)}: {said}"
    return _svg("shades", name, (0, 0, width + 74, max(height, top + 110) + 4), "".join(out))


def _scale(x: float, y: float) -> list[str]:
    """What shades mean: 0 to 1."""
    steps = (100, 75, 50, 25, 0)
    return [
        f'<rect class="shade" x="{x}" y="{y + 20 * k}" width="12" height="20" fill-opacity="{p / 100:g}"/>'
        f'<text class="name row start" x="{x + 16}" y="{y + 20 * k + 14}">{p / 100:g}</text>'
        for k, p in enumerate(steps)
    ]


def _svg(kind: str, said: str, box: tuple[float, float, float, float], inside: str, least: float = 1) -> str:
    """A picture; where the page is narrow it is made smaller, to no less than that part of its size."""
    x, y, width, height = box
    size = f'style="min-width:{least * width:.0f}px" '
    size += f'width="{width:.0f}" height="{height:.0f}" viewBox="{x:.0f} {y:.0f} {width:.0f} {height:.0f}"'
    return f'<svg class="{kind}" role="img" aria-label="{_text(said)}" {size}>{inside}</svg>'


def _name(name: str, most: int) -> str:
    """A token beside its row or column, cut where it is long; its whole name is told on pointing."""
    short = shorten(name, most)
    return _text(name) if short == name else f"<title>{_text(name)}</title>{_text(short)}"


def _formula(text: str) -> str:
    """Plain text with its indices and exponents set low and high: W_i^Q."""

    def script(found: re.Match[str]) -> str:
        low, inside = found[1] == "_", _text(found[2])
        inside = inside[1:-1] if low and inside.startswith("(") else inside
        away, back = (4, -4) if low else (-6, 6)
        return f'<tspan class="script" dy="{away}">{inside}</tspan><tspan dy="{back}">\u200b</tspan>'

    return re.sub(r"([_^])(\([^()]*\)|\w+)", script, _text(text))


def _say(key: str, style: TextStyle) -> str:
    return _text(Sentence(key).text(style.language))


def _text(text: str) -> str:
    return html.escape(text)
