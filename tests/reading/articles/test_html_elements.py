"""What of an HTML page is read, by what its elements mean to a browser."""

import pytest

from symattn.reading.articles import read_article

GIVEN = "B = [[3, 4], [5, 6]]"
OTHER = "A = [[1, 2], [7, 8]]"


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (f"<p>x</p>{GIVEN}", [GIVEN]),  # behind the last tag
        (f"{GIVEN}<p>x</p>", [GIVEN]),
        (f"<!-- {OTHER} -->{GIVEN}", [GIVEN]),
        (f"<!-- > {OTHER} --><!-- {OTHER} -->{GIVEN}", [GIVEN]),
        (f"<!DOCTYPE html>{GIVEN}", [GIVEN]),
        (f"<p><!-- is never closed {GIVEN}</p>", [GIVEN]),
        (f"<style>{OTHER}</style>{GIVEN}", [GIVEN]),
        (f"<style>{OTHER}</style><style>{OTHER}</style><p>{GIVEN}</p>", [GIVEN]),
        (f"<script>{OTHER}</script>{GIVEN}", [GIVEN]),
        (f"<style></style>{GIVEN}", [GIVEN]),
        (f'<span class="katex-html"><span>{OTHER}</span></span>{GIVEN}', [GIVEN]),
        (f'<span class="katex-html"><span>x</span>{OTHER}</span>{GIVEN}', [GIVEN]),
        (f'<SPAN CLASS="MathJax_Preview">{OTHER}</SPAN>{GIVEN}', [GIVEN]),
        (f'<code class="katex-html">{OTHER}</code>{GIVEN}', [GIVEN]),
        (f"\n<template><div><p>{GIVEN}</p></div></template>", [GIVEN]),  # the page of a component
        (f"<p>x</p><template><p>{OTHER}</p></template>{GIVEN}", [GIVEN]),
        (f"<pre>{GIVEN}</pre>", [GIVEN]),
        (f"<pre><span>{GIVEN}</span></pre>", [GIVEN]),
        (f"<p>so <code>{GIVEN}</code></p>", [GIVEN]),
        (f"<code>{GIVEN}", [GIVEN]),  # never closed
        (f"<p>{OTHER}</p><p>{GIVEN}</p>", [OTHER, GIVEN]),
        (f"<p>{OTHER}<br>{GIVEN}</p>", [OTHER, GIVEN]),
        (f"<p>{OTHER}<BR/>{GIVEN}</p>", [OTHER, GIVEN]),
        ("<p>Q K<sup>T</sup> = [[3, 4], [5, 6]]</p>", ["Q K^{T} = [[3, 4], [5, 6]]"]),
        ("<p>W<sub>Q</sub> = [[3, 4], [5, 6]]</p>", ["W_{Q} = [[3, 4], [5, 6]]"]),
        ("<p>B = [[3, 4], [5, &#54;]]</p>", [GIVEN]),
        ('<script type="math/tex">d_k = 2</script>', ["d_k = 2"]),
        ('<script type="math/tex; mode=display">d_k = 2</script>', ["d_k = 2"]),
        ("<p>\\(d_k = 2\\)</p>", ["d_k = 2"]),
    ],
)
def test_what_is_read(source: str, read: list[str]) -> None:
    assert [passage.text for passage in read_article("a.html", source).passages] == read


def test_a_place_is_that_in_the_page() -> None:
    source = f"<!-- {OTHER} -->\n<p>x<sup>2</sup></p>\n<p>and {GIVEN}</p>"
    (passage,) = (p for p in read_article("a.html", source).passages if p.text == GIVEN)
    assert (passage.line, passage.column) == (3, 8)


def test_formulas_stand_in_a_line_or_by_themselves() -> None:
    for mode, display in (("", "inline"), ("; mode=display", "display")):
        (passage,) = read_article("a.html", f'<script type="math/tex{mode}">d_k = 2</script>').passages
        assert passage.kind == display


def test_rows_of_tables_end_where_they_end() -> None:
    cells = [["", "I", "you"], ["I", "0.5", "0.5"], ["you", "0.25", "0.75"]]
    kinds = ["th", "td", "td"]
    rows = (f"<tr>{''.join(f'<{k}>{c}</{k}>' for c in row)}</tr>" for k, row in zip(kinds, cells, strict=True))
    html = read_article("a.html", f"<table>{''.join(rows)}</table>")
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    markdown = read_article("a.md", "\n".join([lines[0], "|---|---|---|", *lines[1:]]))
    assert [p.text for p in html.passages] == [p.text for p in markdown.passages]


@pytest.mark.parametrize(
    "hidden",
    [
        "<head><title>T</title><style>mask</style><script>mask</script></head>",
        "<script>mask</script>",
        "<svg><text>mask</text></svg>",
        '<span class="katex-html"><span>mask</span></span>',
        "<math><mi>mask</mi><annotation encoding='application/x-tex'>m</annotation><mi>mask</mi></math>",
        f"<img src='data:image/png;base64,{1000 * 'mask'}'>",
    ],
)
def test_what_nobody_reads_has_no_words(hidden: str) -> None:
    page = f"<p>a</p>{hidden}<p>the mask</p>"
    article = read_article("page.html", page)
    assert article.words.count("mask") == 1 and article.words.index("mask") == page.rindex("mask")
    assert len(article.words) == len(page)
