"""Where the boxes of a diagram stand: in layers, inputs on top, at places computed here so that nothing overlaps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from symattn.writing.document import Chain, Diagram, Place
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.width import width

DIGIT, GAP, LAYER, HEIGHT = 0.2, 0.5, 1.75, 0.95  # cm: across a digit, between boxes, from layer to layer, a box
MARGIN = 0.3  # cm between a frame and what stands in it
SWEEPS = 12
Point = tuple[float, float]

Via = tuple[str, str, int]  # where an arrow passes a layer


@dataclass(frozen=True)
class Layout:
    """Where the boxes of a diagram stand: layers by the longest way from an input, few crossings within them."""

    diagram: Diagram
    text: TextStyle
    referred: frozenset[str]  # the steps whose equation is referred to
    close: bool = False  # whether boxes are narrow and near: of names alone most is raised or lowered

    @cached_property
    def places(self) -> dict[str, Place]:
        return {place.key: place for place in self.diagram.nodes}

    @cached_property
    def layer(self) -> dict[str, int]:
        """A step below all that it needs, those of a frame below the frame before, inputs above what uses them."""
        found: dict[str, int] = {}
        needs = {key: [a for a, b in self.diagram.arrows if b == key] for key in self.places}
        floor = 1
        for group in (*self.diagram.groups, None):
            for key in self.places:
                if key in found or not (group is None or key in group.keys or self._outside(key, found, needs)):
                    continue
                above = [found[a] for a in needs[key]]
                least = floor if group is not None and key in group.keys else 0
                found[key] = max(least, 1 + max(above)) if above else 0
            if group is not None:
                floor = 1 + max(found[key] for key in group.keys)
        for key in self.places:
            used = [found[b] for a, b in self.diagram.arrows if a == key]
            if not needs[key] and used:
                found[key] = min(used) - 1
        return found

    def _outside(self, key: str, found: dict[str, int], needs: dict[str, list[str]]) -> bool:
        """Whether a node that stands in no frame can be placed already."""
        framed = any(key in group.keys for group in self.diagram.groups)
        return not framed and all(a in found for a in needs[key])

    @cached_property
    def ways(self) -> dict[tuple[str, str], list[str | Via]]:
        """Each arrow as what it passes: its two boxes and a place in every layer between."""
        return {
            (a, b): [a, *((a, b, k) for k in range(self.layer[a] + 1, self.layer[b])), b]
            for a, b in self.diagram.arrows
        }

    @cached_property
    def neighbours(self) -> dict[str | Via, tuple[list[str | Via], list[str | Via]]]:
        """What each place is joined to in the layer above and in the layer below."""
        found: dict[str | Via, tuple[list[str | Via], list[str | Via]]] = {key: ([], []) for key in self.places}
        for way in self.ways.values():
            for upper, lower in pairwise(way):
                found.setdefault(upper, ([], []))[1].append(lower)
                found.setdefault(lower, ([], []))[0].append(upper)
        return found

    @cached_property
    def layers(self) -> list[list[str | Via]]:
        """The places of each layer from left to right: sorted by the middle of their neighbours, to and fro."""
        rows: list[list[str | Via]] = [[] for _ in range(1 + max(self.layer.values()))]
        for place in self.neighbours:
            rows[self._depth(place)].append(place)
        best, fewest = [list(row) for row in rows], self._crossings(rows)
        for sweep in range(SWEEPS):
            side = sweep % 2
            for row in rows if side == 0 else reversed(rows):
                at = {place: k for other in rows for k, place in enumerate(other)}
                order = {place: self._middle(place, side, at) for place in row}
                row.sort(key=lambda p, o=order: (self._beside(p), o[p]))  # type: ignore[misc]
            if (count := self._crossings(rows)) < fewest:
                best, fewest = [list(row) for row in rows], count
        return best

    def _depth(self, place: str | Via) -> int:
        return place[2] if isinstance(place, tuple) else self.layer[place]

    def _group(self, place: str | Via) -> int | None:
        """The number of the frame in which a place lies; an arrow that ends in a frame enters it from above."""
        ends, depth = set(place[:2]) if isinstance(place, tuple) else {place}, self._depth(place)
        for number, group in enumerate(self.diagram.groups):
            depths = [self.layer[key] for key in group.keys]
            if ends & group.keys and min(depths) <= depth <= max(depths):
                return number
        return None

    def _beside(self, place: str | Via) -> bool:
        """Whether a place stands in no frame while others of its layer do: it goes to their right."""
        return self._group(place) is None

    def _middle(self, place: str | Via, side: int, at: dict[str | Via, int]) -> float:
        joined = self.neighbours[place][side]
        return sum(at[p] for p in joined) / len(joined) if joined else at[place]

    def _crossings(self, rows: list[list[str | Via]]) -> int:
        at = {place: k for row in rows for k, place in enumerate(row)}
        count = 0
        for row in rows:
            lines = [(at[p], at[q]) for p in row for q in self.neighbours[p][1]]
            count += sum((a - c) * (b - d) < 0 for k, (a, b) in enumerate(lines) for c, d in lines[:k])
        return count

    def width(self, place: str | Via) -> float:
        """Across a box: its formula and, for a step, the number of its equation."""
        if isinstance(place, tuple):
            return 0.0
        node = self.places[place]
        number = 1.0 if node.step in self.referred else 0.0
        if self.close:
            return 0.35 + 0.75 * DIGIT * width(node.label, self.text) + number
        return 0.5 + DIGIT * width(node.label, self.text) + number

    @property
    def gap(self) -> float:
        return GAP / 2 if self.close else GAP

    @cached_property
    def x(self) -> dict[str | Via, float]:
        """The middle of every place: near those that it is joined to, in order and apart."""
        found = {place: 0.0 for row in self.layers for place in row}
        for sweep in range(5 * SWEEPS):
            for row in self.layers if sweep % 2 == 0 else reversed(self.layers):
                wanted = []
                for place in row:
                    joined = [p for side in self.neighbours[place] for p in side] or [place]
                    # a long arrow is straight before it is short
                    weights = {p: 8 if isinstance(p, tuple) and isinstance(place, tuple) else 1 for p in joined}
                    wanted.append(sum(w * found[p] for p, w in weights.items()) / sum(weights.values()))
                self._spread(row, wanted, found)
        for number, _ in enumerate(self.diagram.groups):
            self._clear(number, found)
        for way in self.ways.values():
            self._straighten(way[1:-1], found)
        return found

    def _spread(self, row: list[str | Via], wanted: list[float], found: dict[str | Via, float]) -> None:
        """The places nearest to those wanted that are far enough apart (least squares, by pooling neighbours)."""
        offsets = [0.0]
        for p, q in pairwise(row):
            offsets.append(offsets[-1] + (self.width(p) + self.width(q)) / 2 + self.gap)
        pools: list[tuple[float, int]] = []
        for target, offset in zip(wanted, offsets, strict=True):
            total, count = target - offset, 1
            while pools and pools[-1][0] / pools[-1][1] > total / count:
                total, count = total + pools[-1][0], count + pools[-1][1]
                pools.pop()
            pools.append((total, count))
        starts = [total / count for total, count in pools for _ in range(count)]
        for place, start, offset in zip(row, starts, offsets, strict=True):
            found[place] = start + offset

    def _clear(self, group: int, found: dict[str | Via, float]) -> None:
        """What does not belong to a frame but passes its layers goes to its right."""
        rows = [row for row in self.layers if any(self._group(p) == group for p in row)]
        edge = max(found[p] + self.width(p) / 2 for row in rows for p in row if self._group(p) == group) + MARGIN
        for row in rows:
            reach = edge
            for place in row:
                if self._group(place) != group:
                    found[place] = max(found[place], reach + self.gap + self.width(place) / 2)
                    reach = found[place] + self.width(place) / 2

    def _straighten(self, way: list[str | Via], found: dict[str | Via, float]) -> None:
        """One long arrow straight down, if there is room for it."""
        for x in sorted({found[p] for p in way}, reverse=True):
            if all(self._has_room(place, x, found) for place in way):
                found.update(dict.fromkeys(way, x))
                return

    def _has_room(self, place: str | Via, x: float, found: dict[str | Via, float]) -> bool:
        row = self.layers[self._depth(place)]
        k = row.index(place)
        apart = [abs(found[p] - x) - self.width(p) / 2 for p in (*row[max(k - 1, 0) : k], *row[k + 1 : k + 2])]
        order = all(found[p] < x for p in row[:k]) and all(x < found[p] for p in row[k + 1 :])
        return order and all(a >= self.gap / 2 for a in apart)

    @property
    def across(self) -> float:
        left = min(x - self.width(p) / 2 for p, x in self.x.items())
        left = min([left, *(frame[0] - DIGIT * self._said(k) for k, frame in enumerate(self.frames))])
        return max(x + self.width(p) / 2 for p, x in self.x.items()) - left + 2 * MARGIN

    def _said(self, group: int) -> int:
        return 1 + width(self.diagram.groups[group].label, self.text)

    @property
    def down(self) -> float:
        return LAYER * len(self.layers)

    @property
    def frames(self) -> list[tuple[float, float, float, float]]:
        """Each frame's left, bottom, right and top."""
        found = []
        for number in range(len(self.diagram.groups)):
            inside = [p for row in self.layers for p in row if self._group(p) == number]
            left = min(self.x[p] - self.width(p) / 2 for p in inside) - MARGIN
            right = max(self.x[p] + self.width(p) / 2 for p in inside) + MARGIN
            top = -LAYER * min(map(self._depth, inside)) + HEIGHT / 2 + MARGIN / 2
            bottom = -LAYER * max(map(self._depth, inside)) - HEIGHT / 2 - MARGIN / 2
            found.append((left, bottom, right, top))
        return found

    def at(self, place: str | Via) -> Point:
        return self.x[place], -LAYER * self._depth(place)

    def bends(self, arrow: tuple[str, str]) -> list[Point]:
        """The corners of an arrow: straight down past every layer between its ends."""
        found = []
        for via in self.ways[arrow][1:-1]:
            x, y = self.at(via)
            found += [(x, y + HEIGHT / 2), (x, y - HEIGHT / 2)]
        return found

    def ports(self, arrow: tuple[str, str]) -> tuple[Point, Point]:
        """Where an arrow leaves and arrives: spread over the sides of the boxes, in the order of where it goes."""
        start, end = arrow
        after = sorted((w for a, w in self.ways.items() if a[0] == start), key=lambda w: self.x[w[1]])
        before = sorted((w for a, w in self.ways.items() if a[1] == end), key=lambda w: self.x[w[-2]])
        way = self.ways[arrow]
        return self._port(start, after.index(way), len(after), -1), self._port(end, before.index(way), len(before), 1)

    def _port(self, place: str, number: int, count: int, side: int) -> Point:
        x, y = self.at(place)
        shift = (number - (count - 1) / 2) * self.width(place) * 0.6 / max(count, 2)
        return x + shift, y + side * HEIGHT / 2


def shorten_label(place: Place) -> Place:
    """A box with the name of its step alone."""
    return replace(place, label=place.label.first(1)) if isinstance(place.label, Chain) else place
