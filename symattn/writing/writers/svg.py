"""Diagrams and heat maps -> SVG, in the colours of the page around them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symattn.writing.document import Diagram, HeatMap, Shade
from symattn.writing.prose import Sentence
from symattn.writing.visible import columns, shorten
from symattn.writing.writers.layout import HEIGHT, Layout, Point, shorten_label
from symattn.writing.writers.text_style import TextStyle

CM = 42.0  # pixels to a centimetre of the layout
SHORT, LONG, MOST = 7, 16, 20  # letters of a key that a column has room for, a Chinese one as two; and of any name
ROOM, LOW = 640, 30  # pixels for all columns, and down a cell with its number
ACROSS, NARROW = 9, 56  # pixels to a letter of a key, with what keeps two apart; and at least across a number
LETTERS, LEAST_SHADE = 14, 10  # pixels of letters, and of a cell without a number
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


@dataclass(frozen=True)
class _Grid:
    """Pixels of a cell and of letters, and whether names too long for their columns are turned."""

    wide: int
    high: int
    letters: int
    turned: bool

    @property
    def size(self) -> str:
        """The attribute of names that are smaller than other text."""
        return "" if self.letters == LETTERS else f' style="font-size:{self.letters}px"'

    def along(self, names: Sequence[str]) -> int:
        """How long the longest of some names is."""
        return ACROSS * self.letters * min(max(map(columns, names)), MOST) // LETTERS


def _grid(shades: HeatMap) -> _Grid:
    key, count = max(map(columns, shades.keys)), len(shades.keys)
    if shades.has_numbers:
        turned = key > max(SHORT, min(ROOM // (ACROSS * count), LONG))
        return _Grid(NARROW if turned or key <= SHORT else ACROSS * key, LOW, LETTERS, turned)
    small = max(LEAST_SHADE, min(LETTERS, ROOM // max(count, len(shades.queries))))
    return _Grid(small, small, small - 1, ACROSS * key > LETTERS)


def heat_map_svg(shades: HeatMap, style: TextStyle, mark: Callable[[int, int], str]) -> str:
    """Weights as shades of one colour with their values; `mark` has the attribute of an entry, for who explores it."""
    grid = _grid(shades)
    left = max(22 + grid.along(shades.queries), 54)  # the name of the rows has room beside keys
    top = 28 + (grid.along(shades.keys) if grid.turned else 18)
    out = [
        f'<text class="axis" x="{left}" y="14">{_say("figure.key", style)} →</text>',
        f'<text class="axis" x="2" y="{top - 8}">{_say("figure.query", style)} ↓</text>',
        *_names(shades, grid, left, top),
    ]
    for i, row in enumerate(shades.cells):
        for j, cell in enumerate(row):
            x, y = left + j * grid.wide, top + i * grid.high
            out.append(_shade(cell, (x, y, grid.wide, grid.high), mark(i, j), numbered=shades.has_numbers))
    width, height = left + grid.wide * len(shades.keys), top + grid.high * len(shades.cells)
    out += _scale(width + 18, top)
    said = Sentence("figure.weights.said", rows=len(shades.queries), columns=len(shades.keys)).text(style.language)
    name = f"{shades.symbol.write(style)}: {said}"
    return _svg("shades", name, (0, 0, width + 74, max(height, top + 110) + 4), "".join(out))


def _names(shades: HeatMap, grid: _Grid, left: int, top: int) -> Iterator[str]:
    """The names of keys above their columns, and of queries beside their rows."""
    low = round(0.36 * grid.letters)  # from the middle of letters to the line on which they stand
    for j, key in enumerate(shades.keys):
        x, name = left + (j + 0.5) * grid.wide, _name(key, MOST if grid.turned else LONG)
        if grid.turned:
            at = f'transform="translate({x + low:g} {top - 6}) rotate(-90)"'
            yield f'<text class="name start" {at} style="font-size:{grid.letters}px">{name}</text>'
        else:
            yield f'<text class="name" x="{x:.0f}" y="{top - 8}"{grid.size}>{name}</text>'
    for i, query in enumerate(shades.queries):
        y = top + (i + 0.5) * grid.high + low
        yield f'<text class="name row" x="{left - 8}" y="{y:.0f}"{grid.size}>{_name(query, MOST)}</text>'


def _shade(cell: Shade, place: tuple[int, int, int, int], mark: str, *, numbered: bool) -> str:
    """A cell, with its number where there are few."""
    x, y, wide, high = place
    box = f'x="{x}" y="{y}" width="{wide}" height="{high}" fill-opacity="{cell.percent / 100:g}"'
    if not numbered:
        return f'<rect class="shade"{mark} {box}/>'
    ink = "high" if cell.percent > DARK else "mid" if cell.percent > MIDDLE else "low"
    number = f'<text class="{ink}" x="{x + wide / 2:g}" y="{y + high / 2 + 5:g}">{cell.text}</text>'
    return f'<g{mark}><rect class="shade" {box}/>{number}</g>'


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
