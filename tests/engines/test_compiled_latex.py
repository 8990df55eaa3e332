"""The LaTeX articles compile, English by pdflatex or xelatex, Chinese by xelatex, and nothing runs off the page."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from symattn import derive
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import parse_worksheet
from symattn.writing.notation import PRESETS
from symattn.writing.prose.sentences import SENTENCES
from tests.engines.typesetting import typeset, words
from tests.samples import SHEETS, derived, qkv, sample
from tests.writing.test_injections import INJECTIONS, sheet

Engine = Callable[[str], str]
WIDEST_OVERRUN = 10.0  # points past the margin that no reader sees


def compiled(article: str, compiler: str, folder: Path) -> Path:
    """The PDF of an article; fails with LaTeX's own words where it does not compile or a line runs off the page."""
    over = [
        line
        for line in typeset(article, compiler, folder).splitlines()
        if (m := re.match(r"Overfull \\hbox \(([\d.]+)pt", line)) and float(m[1]) > WIDEST_OVERRUN
    ]
    assert over == []
    return folder / "article.pdf"


def shipped(name: str) -> str:
    path = library.find(name)
    assert path is not None
    return path.read_text(encoding="utf-8")


def test_the_committed_articles_compile(engine: Engine, tmp_path: Path) -> None:
    """Those of one preamble in one run."""
    bodies: dict[str, list[str]] = {}
    for name in library.names():
        article = Path(str(library.find(name))).with_suffix(".tex").read_text(encoding="utf-8")
        head, _, body = article.removesuffix("\\end{document}\n").partition("\\begin{document}")
        title = re.search(r"\\title\{(?:\\vspace\{-12mm\})?(.*)\}", head)
        assert title is not None
        body = body.replace("\\maketitle", f"\\section*{{{title[1]}}}")  # which can be said once
        bodies.setdefault(head.replace(title[0], ""), []).append(body)
    for head, together in bodies.items():
        joined = "\\clearpage\n".join(together)
        compiled(f"{head}\\begin{{document}}{joined}\\end{{document}}\n", engine("pdflatex"), tmp_path)


def test_pictures_compile_with_any_words(engine: Engine, tmp_path: Path) -> None:
    tokens = json.dumps(["attention", "#3 _x", "<b>$\\\\"])
    article = derived(f"tokens = {tokens}\n{SHEETS['causal']}[show]\nfigures = true\n").to_latex()
    assert article.count("rectangle") == 9 and "\\usepackage{tikz}" in article
    compiled(article, engine("pdflatex"), tmp_path)


@pytest.mark.parametrize("size", [1, 12, 13])  # test_room.py draws 64 by 64
def test_heat_maps_of_any_size_fit_the_page(size: int, engine: Engine, tmp_path: Path) -> None:
    scores = json.dumps([[(i * j) % 5 * 20 for j in range(size)] for i in range(size)])  # some weights are nearly 0
    article = derived(f"[inputs]\nscaled = {scores}\n[show]\nfigures = true\n").to_latex()
    assert article.count("rectangle") == size**2
    compiled(article, engine("pdflatex"), tmp_path)


@pytest.mark.parametrize("size", [2, 6, 12, 13, 40, 64])
def test_names_beside_heat_maps_stand_apart(size: int, engine: Engine, tmp_path: Path) -> None:
    """Boxes of words on the page do not meet, and no letter is lower than five points."""
    names = [("counter-revolutionary" if k % 3 else "committee") + f"{k}" * (k % 3 == 0) for k in range(size)]
    sheet = f"tokens = {json.dumps(names)}\n[inputs]\nscaled = {[[0] * size] * size}\n[show]\nfigures = true\n"
    pdf = compiled(derived(sheet).to_latex(), engine("pdflatex"), tmp_path)
    command = [engine("pdftotext"), "-bbox", str(pdf), "-"]
    placed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    drawn = placed[placed.rindex("<page", 0, placed.index(">query<")) :]
    pattern = r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(?:counter-r|committee\d)'
    boxes = [tuple(map(float, found)) for found in re.findall(pattern, drawn)]
    assert len(boxes) == 2 * size
    assert all(min(right - left, below - above) > 5 for left, above, right, below in boxes)
    for (a, b, c, d), (left, above, right, below) in combinations(boxes, 2):
        assert c <= left or right <= a or d <= above or below <= b


@pytest.mark.parametrize("size", [4, 9])
def test_rows_of_floats_fit_the_page(size: int, engine: Engine, tmp_path: Path) -> None:
    """Four rows of four numbers stand two beside each other; nine large numbers have lines in their cell."""
    rows = json.dumps([[(i * j) % 5 for j in range(size)] for i in range(size)])
    bias = json.dumps([[-1000000000] * size for _ in range(size)])
    article = derived(
        f'[inputs]\nscaled = {rows}\n[attention]\nbias = {bias}\n[show]\nstudy = "finite-mask"\n'
    ).to_latex()
    assert article.count("float8\\_e5m2") == 3 + size // 9 * 7
    compiled(article, engine("pdflatex"), tmp_path)


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("tokens", "full"),
        ("by token, everything", "brief"),
        ("bias", "full"),
        ("surds", "full"),
        ("symbolic, projected", "full"),
        ("symbolic, shapes and costs", "full"),
        ("12 by 12", "brief"),
        ("40 by 40", "brief"),
    ],
)
def test_english_articles_compile(name: str, detail: str, engine: Engine, tmp_path: Path) -> None:
    compiled(sample(name, detail).to_latex(), engine("pdflatex"), tmp_path)


@pytest.mark.parametrize("compiler", ["pdflatex", "xelatex"])
def test_either_engine_sets_every_letter_of_english(compiler: str, engine: Engine, tmp_path: Path) -> None:
    article = derived(f'tokens = ["I", "naïve—a–b"]\n{SHEETS["scaled"]}').to_latex()
    text = words(compiled(article, engine(compiler), tmp_path), engine)
    assert "“I”, “naïve—a–b”" in text


def test_what_is_told_in_full_is_shrunk_to_the_page(engine: Engine, tmp_path: Path) -> None:
    derivation = derived(qkv(14) + '[attention]\nmask = "causal"\n')
    article = derivation.to_latex(elide=False)
    assert article.count("MaxMatrixCols") == 1
    compiled(article, engine("pdflatex"), tmp_path)
    assert derivation.to_latex(elide=False, fragment=True).startswith("% needs \\usepackage{graphicx}\n")
    assert "resizebox" not in derivation.to_markdown(elide=False) + derivation.to_latex()  # the one scrolls


def test_chinese_tables_of_costs_fit_the_page(engine: Engine, tmp_path: Path) -> None:
    log = typeset(sample("symbolic, shapes and costs").to_latex(language="zh"), engine("xelatex"), tmp_path)
    assert re.findall(r"Overfull \\hbox .*", log) == []


@pytest.mark.parametrize(("name", "steps"), [("hand-calculation", ("Q", "scores", "scaled", "weights", "output"))])
def test_chinese_articles_compile_and_say_their_headings(
    name: str, steps: tuple[str, ...], engine: Engine, tmp_path: Path
) -> None:
    pdf = compiled(derived(shipped(name)).to_latex(language="zh"), engine("xelatex"), tmp_path)
    packed = "".join(words(pdf, engine).split())
    for step in ("inputs", *steps):
        assert "".join(SENTENCES[f"title.{step}"][1].split()) in packed


def test_english_with_every_special_character_compiles(engine: Engine, tmp_path: Path) -> None:
    # a Chinese token makes it a ctex article
    compiled(sample("awkward words").to_latex(), engine("xelatex"), tmp_path)
    sheet = parse_worksheet(SHEETS["awkward words"].replace(json.dumps("的"), '"B"'))
    derivation = derive(sheet.expression, sheet.values, title=sheet.title, tokens=sheet.tokens)
    compiled(derivation.to_latex(), engine("pdflatex"), tmp_path)


def test_quotation_marks_and_spaces_beside_chinese_names_are_english(engine: Engine, tmp_path: Path) -> None:
    article = derived(f'tokens = ["我", "喜欢"]\n{SHEETS["scores"]}').to_latex()
    text = words(compiled(article, engine("xelatex"), tmp_path), engine)
    assert "is one token: “我”, “喜欢”, in this order." in " ".join(text.split())
    assert "The row of “我” after" in " ".join(text.split())


def test_chinese_with_every_special_character_compiles(engine: Engine, tmp_path: Path) -> None:
    compiled(sample("awkward words").to_latex(language="zh"), engine("xelatex"), tmp_path)


def together(derivations: dict[str, str]) -> str:
    """One article of several derivations, each a section with its own labels, and a reference to a step of each."""
    bodies = []
    for name, text in derivations.items():
        body = derived(text).to_latex(fragment=True, label_prefix=name, notation=name.partition(".")[0])
        bodies.append(f"\\section*{{{name}}}\nSee \\eqref{{eq:{name}-projection}}.\n{body}")
    head = derived(next(iter(derivations.values()))).to_latex().partition("\\maketitle")[0]
    return head + "\n\\clearpage\n".join(bodies) + "\n\\end{document}\n"


def test_derivations_in_every_notation_stand_in_one_article_and_references_resolve(
    engine: Engine, tmp_path: Path
) -> None:
    everything = SHEETS["by token, everything"].replace('level = "token"\n', "")
    symbolic = (
        '[inputs]\nX = "n x d_model"\nZ = "m x d_model"\nW_Q = "d_model x d_k"\nW_K = "d_model x d_k"\n'
        'W_V = "d_model x d_v"\nW_O = "d_v x d_model"\nb_Q = "1 x d_k"\n'
        '[attention]\nmask = "causal"\n[show]\ndiagram = true\n'
    )
    index = symbolic.replace("diagram = true", 'level = "index"')
    heads = symbolic.replace("[attention]", "[attention]\nheads = 8\nkv_heads = 2")
    chosen = dict.fromkeys(PRESETS, everything) | {"prince.b": symbolic, "bishop.b": heads}
    article = together(chosen | {"phuong-hutter.c": index, "jurafsky-martin.c": index})
    for _ in range(2):
        pdf = compiled(article, engine("pdflatex"), tmp_path)
    log = (tmp_path / "article.log").read_text(encoding="utf-8", errors="replace")
    assert "multiply defined" not in log and "undefined" not in log
    text = words(pdf, engine)
    assert "??" not in text and len(re.findall(r"See \(\d+\)", text)) == len(chosen) + 2


def test_what_others_wrote_is_typeset_as_text(engine: Callable[[str], str], tmp_path: Path) -> None:
    """Commands, comments, control characters and letters without a font, as titles and tokens, in one article."""
    written = [*INJECTIONS.values(), "кот", "🙂", "عرب", "naïve Größe ŵ"]
    bodies = [derived(sheet(word)).to_latex(fragment=True, label_prefix=f"w{k}") for k, word in enumerate(written)]
    head = derived(sheet(written[6])).to_latex(plain=True).partition("\\maketitle")[0]
    typeset(head + "\\maketitle\n" + "\n".join(bodies) + "\n\\end{document}\n", engine("pdflatex"), tmp_path)
    said = words(tmp_path / "article.pdf", engine)
    assert "alert(1)" in said and r"\write18{id}" in said and "U+1F642" in said and "naïve Größe" in said


@pytest.mark.parametrize(("language", "compiler"), [("en", "pdflatex"), ("zh", "xelatex")])
def test_a_formula_stands_as_close_below_its_heading_in_both_languages(
    language: str, compiler: str, engine: Engine, tmp_path: Path
) -> None:
    """Measured in points on the page: about two lines from one to the other."""
    article = derived(shipped("encoder-decoder")).to_latex(language=language)
    lines = re.search(r"\\subsection\{[^\n]*\}\n(\\vspace[^\n]*\n)\\(?:begin|\[)", article)
    assert lines is not None
    head = article.partition("\\maketitle")[0]
    body = f"\\subsection{{Heading}}\n{lines[1]}\\[ \\mathrm{{formula}} \\]\n"
    pdf = compiled(f"{head}{body}\\end{{document}}\n", engine(compiler), tmp_path)
    command = [engine("pdftotext"), "-bbox", str(pdf), "-"]
    placed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    [(_, below)] = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">Heading', placed)
    [(above, _)] = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">formula', placed)
    assert 14 < float(above) - float(below) < 24
