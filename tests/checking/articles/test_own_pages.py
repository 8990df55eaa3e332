"""What symattn writes, symattn reads: on no page of its own does the checker find anything wrong, and it judges most.

A sample runs with the suite, every page with EVERY_CASE=1.
"""

import itertools
import re
from pathlib import Path

import pytest

from symattn import check_article, derive, differentiate
from symattn.checking import Findings
from symattn.cli.main import run
from symattn.errors import FormulaError
from symattn.reading import formula as f
from symattn.reading.articles import read_article
from symattn.reading.worksheets.worksheet import parse_worksheet
from tests.checking.own_pages import Way, write_page
from tests.sampling import sampled

pytestmark = pytest.mark.slow

_WORDS_OF_NAMES = """
    causal-mask cost cross-attention encoder-decoder float-softmax gradients grouped-query hand-calculation kv-cache
    mask-by-minus-1e9 multi-head rotary saturation scaled-dot-product scaling shapes temperature thinking-machines
"""
NAMES = _WORDS_OF_NAMES.split()
SUFFIXES = {"markdown": "md", "latex": "tex", "html": "html", "text": "txt"}
NOTATIONS = ("vaswani", "phuong-hutter", "bishop", "jurafsky-martin", "prince", "flash")
PAGES = sampled(itertools.product(NAMES, SUFFIXES, ("en", "zh"), ("matrix", "token", "index"), NOTATIONS), 227)
_RESULT = re.compile(r"(?:[=≈]|\\approx)([^=≈A-Za-z√]*)(?=[=≈]|\\approx|$)")


def written(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run([*arguments]) == 0
    return capsys.readouterr().out


def shares(path: str, source: str, found: Findings | None = None) -> tuple[int, int]:
    """How many results of the page were judged, and how many not: printed sides, save for what is given."""
    found = found or check_article(path, source)
    judged = {e.span for c in found.findings for e in c.entries}
    left = 0
    for passage in read_article(path, source).passages:
        try:
            chains = f.parse(passage.text)
        except FormulaError:
            left += sum(len(re.findall(r"\d+(?:\.\d+)?", result)) for result in _RESULT.findall(passage.text))
            continue
        for chain in chains:
            first, *sides = chain.sides
            given = len(sides) == 1 and sides[0].relation == "=" and isinstance(first.expression, f.Name)
            cells = [c for s in sides if f.is_printed(s.expression) for c in f.walk(s.expression)]
            spans = [passage.source_span(c.start, c.end) for c in cells if isinstance(c, f.Number | f.Infinity)]
            missed = [span for span in spans if span not in judged]
            left += 0 if given else len(missed)
    return len(judged), left


@pytest.mark.parametrize(("name", "target", "language", "level", "notation"), PAGES)
def test_nothing_is_wrong_on_a_page_of_our_own(
    capsys: pytest.CaptureFixture[str], name: str, target: str, language: str, level: str, notation: str
) -> None:
    options = ("--to", target, "--language", language, "--level", level, "--notation", notation)
    found = check_article(f"{name}.{SUFFIXES[target]}", written(capsys, "derive", name, *options))
    assert [(c.line, c.subject, e.printed, e.decimal) for c in found.findings for e in c.bad] == []


@pytest.mark.parametrize("target", ["markdown", "latex", "html"])
def test_most_numbers_of_our_own_pages_are_judged(capsys: pytest.CaptureFixture[str], target: str) -> None:
    # 10^{-434294483} is no number that is read
    names = [name for name in sampled(NAMES, 6) if name != "mask-by-minus-1e9"]
    pages = [(f"{name}.{SUFFIXES[target]}", written(capsys, "derive", name, "--to", target)) for name in names]
    judged, left = (sum(column) for column in zip(*(shares(*page) for page in pages), strict=True))
    assert judged >= 0.95 * (judged + left)


@pytest.mark.parametrize("name", ["hand-calculation", "causal-mask", "multi-head"])
def test_a_backward_pass_is_right(capsys: pytest.CaptureFixture[str], name: str) -> None:
    found = check_article(f"{name}.md", written(capsys, "gradient", name, "--to", "markdown"))
    assert found.clean


_INPUTS = "[inputs]\nQ = [[1, 0], [0, 1]]\nK = [[1, 1], [0, 1]]\nV = [[1, 0], [0, 1]]\n[attention]\n"
_OPTIONS = ('mask = "causal"', "mask = { window = [1, 0] }", 'alibi = true\nmask = "causal"', "softcap = 5",
            'softcap = 5\nmask = "causal"', "sink = 1", 'sink = 1\nmask = "causal"')  # fmt: skip
_LATEX, _TEXT = (("latex", "zh"), ("latex", "en")), (("text", "zh"), ("text", "en"))
_WAYS = sampled((("markdown", "en"), ("markdown", "zh"), *_LATEX, ("html", "en"), ("html", "zh"), *_TEXT), 2)


@pytest.mark.parametrize(
    ("option", "target", "language"),
    [
        *((_OPTIONS[0], *way) for way in _WAYS),
        *itertools.product(_OPTIONS[1:], ("markdown",), ("en",)),
    ],
)
def test_a_backward_pass_behind_masks_caps_and_sinks_is_right(option: str, target: str, language: str) -> None:
    sheet = parse_worksheet(_INPUTS + option)
    page = differentiate(derive(sheet.expression)).to(target, language=language)
    found = check_article(f"page.{SUFFIXES[target]}", page)
    assert found.clean, [(x.line, x.text) for x in found.failing]


# softmax with a sink is printed in a formula that is not read: e^1.45 / (e + e^1.45) = 0.61
SUNK = """[inputs]
Q = [["0.1", 1], [0, 2], ["1/3", 1]]
K = [["0.5", 2], [3, "0.25"], [1, 1]]
V = [[1, 2], [3, 4], [0, "0.1"]]
[attention]
mask = "causal"
sink = 1
"""
SATURATED = """[inputs]
Q = [["1/3", "1/3", "0.02"], [4, 2, "-1.5"], ["12.5", "2.75", "0.333"]]
K = [[2, "0.1", "0.25"], [1, "12.5", "2.75"], ["0.1", 1, "2.75"]]
V = [["12.5", "12.5"], [3, 2], [-1, "2.75"]]
[attention]
mask = "causal"
sink = 0
"""


@pytest.mark.parametrize(("text", "options"), [(SUNK, ("--decimals", "1")), (SATURATED, ())])
def test_weights_behind_a_mask_and_a_sink_are_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, options: tuple[str, ...]
) -> None:
    (tmp_path / "sheet.toml").write_text(text, encoding="utf-8")
    found = check_article("page.md", written(capsys, "derive", str(tmp_path / "sheet.toml"), *options))
    assert [(c.line, e.printed) for c in found.findings for e in c.bad] == []


COUNTED = """[inputs]
Q = [["1.25", "0"], ["0", "1.25"], ["1.25", "1.25"]]
K = [["0.101", "0.203"], ["0.502", "0.203"], ["0.3", "1"]]
V = [[1], [2], [3]]
[attention]
mask = { padding = 2 }
[notation]
first_index = 0
"""
ONE_KEY = "[inputs]\nX = [[1, 2], [0, 1]]\nZ = [[1, 1]]\nW_Q = [[1], [1]]\nW_K = [[2], [1]]\nW_V = [[1, 3], [1, 0]]\n"
ZERO = '[notation]\nfirst_index = 0\npreset = "bishop"\n'


@pytest.mark.parametrize("target", ["markdown", "text"])
@pytest.mark.parametrize(
    ("text", "level"),
    [
        (COUNTED, "matrix"),
        (COUNTED, "token"),
        (COUNTED.replace("[notation]", "sink = -2\n[notation]"), "matrix"),
        (ONE_KEY, "matrix"),
        (ONE_KEY + '[notation]\ntokens = "columns"\n', "matrix"),
        (ONE_KEY + ZERO, "index"),
    ],
)
def test_pages_that_count_from_zero_or_have_one_key(text: str, level: str, target: str) -> None:
    page = write_page(text, Way(target=target, level=level))
    found = check_article(f"page.{SUFFIXES[target]}", page)
    assert [(c.line, e.printed) for c in found.findings for e in (*c.bad, *c.misrounded)] == []
    assert not found.failing


_FROM_ZERO = "first_index = 0\n"
_COLUMNS = (("markdown", ""), ("markdown", _FROM_ZERO), ("text", _FROM_ZERO), ("text", ""))


@pytest.mark.parametrize(("target", "notation"), sampled(_COLUMNS, 2))
def test_formulas_with_a_token_in_every_column(target: str, notation: str) -> None:
    sheet = parse_worksheet(
        ONE_KEY.replace("[1, 1]]", "[1, 1], [2, 0]]") + '[notation]\ntokens = "columns"\n' + notation
    )
    page = differentiate(derive(sheet.expression, notation=sheet.notation)).to(target)
    assert not check_article(f"page.{SUFFIXES[target]}", page).failing


def test_what_a_page_says_of_its_inputs() -> None:
    assert "j \\le 1" in write_page(COUNTED, Way())  # the keys 0 and 1
    other = ONE_KEY.replace("W_Q", "U = [[1, 1]]\nW_Q")
    assert "Keys are computed from $Z$ and values from $U$" in write_page(other, Way())
