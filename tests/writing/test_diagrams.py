"""The flow as a picture: nothing overlaps, arrows run down and past the boxes, Mermaid stays in its plain subset."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.api.gradient import differentiate
from symattn.pages.pictures.diagram import flow
from symattn.reading.worksheets import library
from symattn.writing.document import Diagram, Group, Place, Symbol
from symattn.writing.notation import PRESETS
from symattn.writing.writers.latex_style import ACCENTS, LatexStyle
from symattn.writing.writers.layout import HEIGHT, Layout
from symattn.writing.writers.mermaid import mermaid
from symattn.writing.writers.text_style import TextStyle
from symattn.writing.writers.tikz import tikz
from tests.samples import SHEETS, derived, sample

pytestmark = pytest.mark.slow

HEADS = (
    '[inputs]\nX = "n x d_model"\nZ = "m x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\n'
    'W_V = "d_model x d_v"\nW_O = "d_v x d_model"\nb_Q = "1 x d_k"\nb_O = "1 x d_model"\n[attention]\nmask = "causal"\n'
)
FLOWS = {
    "self-attention": flow(sample("symbolic, projected").families),
    "all of it": flow(sample("by token, everything").families),
    "in full": flow(sample("by token, everything", "full").families),
    "two heads": flow(derived(HEADS + "heads = 2\n").families),
    "grouped heads": flow(derived(HEADS + "heads = 8\nkv_heads = 2\n", "full").families),
}


def check(diagram: Diagram) -> None:
    layout = Layout(diagram, TextStyle(), frozenset(p.step for p in diagram.nodes))
    boxes = {}
    for place in diagram.nodes:
        (x, y), half = layout.at(place.key), layout.width(place.key) / 2
        boxes[place.key] = (x - half, y - HEIGHT / 2, x + half, y + HEIGHT / 2)
    for a, b in combinations(boxes, 2):
        assert apart(boxes[a], boxes[b]), (a, b)
    for arrow in diagram.arrows:
        start, end = layout.ports(arrow)
        points = [start, *layout.bends(arrow), end]
        assert all(q[1] < p[1] + 1e-6 for p, q in pairwise(points)), arrow  # never up
        for key, box in boxes.items():
            if key not in arrow:
                assert not any(crosses(p, q, box) for p, q in pairwise(points)), (arrow, key)
    for frame, group in zip(layout.frames, diagram.groups, strict=True):
        for key, box in boxes.items():
            inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
            assert inside if key in group.keys else apart(frame, box), key


Rectangle = tuple[float, float, float, float]


def apart(a: Rectangle, b: Rectangle) -> bool:
    return a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


def crosses(p: tuple[float, ...], q: tuple[float, ...], box: Rectangle) -> bool:
    """Whether a line passes through the inside of a box, by sampling it."""
    left, bottom, right, top = box
    steps = [k / 40 for k in range(41)]
    points = [(p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])) for t in steps]
    return any(left < x < right and bottom + 0.02 < y < top - 0.02 for x, y in points)


@pytest.mark.parametrize("name", FLOWS)
def test_nothing_overlaps(name: str) -> None:
    check(FLOWS[name])


@given(st.lists(st.sets(st.integers(0, 30), min_size=1, max_size=3), min_size=1, max_size=12), st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_nothing_overlaps_in_any_flow(needs: list[set[int]], inputs: int) -> None:
    count = inputs + 1
    nodes = [Place(f"n{k}", Symbol("X" * (1 + k % 3))) for k in range(count)]
    arrows = []
    for k, wanted in enumerate(needs):
        key = f"n{count + k}"
        arrows += [(f"n{w}", key) for w in sorted({w % (count + k) for w in wanted})]
        nodes.append(Place(key, Symbol("S" * (3 + 7 * (k % 3))), f"step{k}"))
    used = {key for arrow in arrows for key in arrow}
    check(Diagram(tuple(n for n in nodes if n.key in used), tuple(arrows)))


def test_heads_stand_in_a_frame() -> None:
    (group,) = FLOWS["two heads"].groups
    assert {key.removeprefix("n_").removesuffix("ofi") for key in group.keys} == {
        *("Q", "K", "V", "S", "Sscaled", "Smasked", "A", "head")
    }
    assert group.label.write(TextStyle()) == "i = 1, 2"
    assert [g.label.write(TextStyle()) for g in FLOWS["grouped heads"].groups] == ["j = 1, 2", "i = 1, …, 8"]


NODE = r'n_\w+\["[^"<>`&]*"\]'
LINE = re.compile(rf'    (    {NODE}|{NODE}|subgraph group_\d\["[^"<>`&]*"\]|end|n_\w+ --> n_\w+)')


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", FLOWS)
def test_mermaid_has_quoted_labels_and_plain_arrows_only(name: str, preset: str) -> None:
    first, kind, *lines, last = mermaid(FLOWS[name], TextStyle(PRESETS[preset])).splitlines()
    assert (first, kind, last) == ("```mermaid", "flowchart TD", "```")
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    assert lines.count("    end") == len(FLOWS[name].groups)


def test_what_mermaid_would_read_is_escaped() -> None:
    shown = mermaid(Diagram((Place("n_a", Symbol('<b> & "x" #1 `c`')),), ()), TextStyle())
    assert 'n_a["#lt;b#gt; #amp; #quot;x#quot; #35;1 #96;c#96;"]' in shown


def test_a_diagram_ends_every_page_that_asks_for_it() -> None:
    text = SHEETS["tokens"] + "[show]\ndiagram = true\n"
    for target, mark in (("latex", r"\end{tikzpicture}"), ("markdown", "```mermaid"), ("text", "→")):
        page = derived(text).to(target)
        assert mark in page and ("Data flow" in page)


def test_a_frame_of_several_layers_keeps_other_arrows_out() -> None:
    nodes = tuple(Place(key, Symbol(key)) for key in ("a", "b", "c", "d", "e"))
    arrows = (("a", "b"), ("b", "c"), ("c", "d"), ("a", "e"), ("d", "e"))
    check(Diagram(nodes, arrows, (Group(Symbol("i"), frozenset({"b", "c"})),)))


def test_a_family_that_needs_a_later_one_has_a_second_frame() -> None:
    """The gradient of a shared key needs the scores of its heads, which need the key."""
    back = differentiate(derived(HEADS + "heads = 8\nkv_heads = 2\n"))
    order = {key: k for k, group in enumerate(flow(back.families).groups) for key in group.keys}
    assert all(order.get(a, -1) <= order.get(b, len(order)) for a, b in flow(back.families).arrows)
    assert Layout(flow(back.families), TextStyle(), frozenset()).layer


def legible(article: str) -> bool:
    """Whether letters of 11 points have 7 or more in the picture."""
    found = re.search(r"\\begin\{tikzpicture\}\[scale=([\d.]+)", article)
    assert found is not None
    return float(found[1]) * 11 >= 7


def test_the_flow_of_an_encoder_and_decoder_is_legible() -> None:
    path = library.find("encoder-decoder")
    assert path is not None
    sheet = path.read_text(encoding="utf-8").replace("[show]", "[show]\nfigures = true")
    assert legible(derived(sheet if "[show]" in sheet else f"{sheet}\n[show]\nfigures = true\n").to_latex())


LAYER = "[[layer]]\nheads = 2\n" + "".join(f'W_{x} = "d_model x d_model"\n' for x in ("Q", "K", "V", "O", "1", "2"))
STACK = '[inputs]\nX = "n x d_model"\n[stack]\nnorm = "layer"\n' + 3 * LAYER + "[show]\nfigures = true\n"


def test_a_large_flow_has_a_box_for_each_part() -> None:
    """Three layers of 18 steps each are three boxes."""
    article = derived(STACK).to_latex()
    assert legible(article) and "Each part is drawn as one box" in article
    picture = article.partition(r"\begin{tikzpicture}")[2]
    assert len(re.findall(r"\\node\[box", picture)) < 12
    assert all(f"layer{k}" in picture for k in (1, 2, 3))


def test_a_flow_that_would_be_too_small_is_not_drawn() -> None:
    chain = [Place(f"n{k}", Symbol("Q")) for k in range(40)]
    diagram = Diagram(tuple(chain), tuple((f"n{k}", f"n{k + 1}") for k in range(39)), ())
    assert tikz(diagram, LatexStyle(), {}) == "The flow has too many steps to be legible on one page."


def test_pictures_of_pages_have_the_accents_of_their_formulas() -> None:
    """Q̊ for the rotated queries, not Qʳ as on a terminal."""
    page = derived(SHEETS["rotary"] + "[show]\ndiagram = true\n")
    assert "Q\u030a = RoPE(Q)" in page.to_html() and "Qʳ = RoPE(Q)" in page.to_text()
    accented = TextStyle(accented=True)
    assert {accented.name(f"Q^{done}") for done in ACCENTS} & {
        TextStyle().name(f"Q^{done}") for done in ACCENTS
    } == set()
