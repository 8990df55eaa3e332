"""Whether the commas between the digits of an article are decimal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from symattn.patterns import regex
from symattn.reading.formula import Commas

_INDEX = regex(r"[_^]\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|_\w+(?:,\w+)*")  # S_{1{,}2}, A_{0:2,10}, h_1
_OF_INDICES = regex(r"(?<![A-Za-z\\])[bdhijklmnrt]\s*(?:=|∈|\\in\b)\s*\d+(?:,|\{,\})\d+")  # i = 1,2
_POINT = regex(r"(?<![\w.])\d+\.\d")
_GROUPED = regex(r"(?<![\w.])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])")  # 1.024
_MILLIONS = regex(r"(?<![\w.,\[(])[1-9]\d{0,2}(?:,\d{3}){2,}(?![\d,.\])])")  # 4,194,304
_POINTED_MILLIONS = regex(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.,])")  # 4.194.304
_TIMES = r"(?:[·×*+]|\\cdot|\\times)"
_SIGN = rf"(?:{_TIMES}|/|≈|\\approx)"
_THOUSAND = regex(rf"(?:^|=)[ \t]*\d+(?:\s*{_TIMES}\s*\d+)+\s*=\s*(?!\S*\.000){_GROUPED.pattern}", re.MULTILINE)
_DECIMALS = regex(
    r"(?<![\d.,\[({:])(?:0,\d\d++|\d{1,3},0\d)(?![\d.,])"
    r"|(?<![\d.,])0,\d\d++(?=\s?;)|(?<=;)\s?[-−]?0,\d\d++"
    r"|(?<![\w)\]}])[-−]0,\d"  # nobody writes −0
    r"|(?:σ|sigmoid|\\sigma|tanh|sin|cos)\s?\(\s?[-−]?\d+,\d+\s?\)"  # these are of one number
)
_IN_BRACES = regex(  # 0{,}5, 2 · 1{,}5: no list, and no thousands
    rf"(?<![\d\[(:])(?<!\\\{{)0\{{,\}}\d|\d\{{,\}}\d\d?(?=\s*{_SIGN})|{_SIGN}\s*[-−]?\d+\{{,\}}\d\d?(?!\d)"
)
_RECKONED = regex(rf"(?<![\d.,\[({{:])\d{{1,3}},\d\d?(?=\s*{_SIGN})|{_SIGN}\s*[-−]?\d{{1,3}},\d\d?(?![\d.,])")
_FUNCTION = regex(r"\\[a-zA-Z]+|sqrt|exp|ln|log|(?<![a-zA-Z])e\^")
_SUM = regex(r"[\s.,;:·×*/+\-−()\[\]{}√]*\d[\d\s.,;:·×*/+\-−()\[\]{}√]*")
_RESULT = regex(r"\s*[-−]?\d{1,3},\d\d?\s*(?:[KMGT]i?B\b\s*)?[.,;]?\s*")
_EQUALS = regex(r"=|≈|\\approx\b")
_ITEM = r"\s*[-−]?\d+(?:,\d+)?\s*"
_PARTED = regex(rf"[\[(]{_ITEM}(?:;{_ITEM})+[\])]")


def read_commas(texts: Iterable[str]) -> Commas:
    """What the commas between the digits of an article with these formulas are.

    It writes decimals with a comma where it has 0{,}5 outside of an index or, twice, a number that is no list:
    0,71, 1,05, 0,5 · 4 = 2,0.
    A list of indices, i = 1,2, says nothing. Where 4.194.304 stands twice points part thousands. A point between digits
    speaks against decimal commas, but for one of thousands, and so does 4,194,304.

    >>> read_commas(["0,71 + 0,29 = 1,00"]).name, read_commas(["0.71"]).name, read_commas(["n = 1,024"]).name
    ('DECIMAL', 'GROUPING', 'UNKNOWN')
    >>> read_commas(["2.048 * 2.048 = 4.194.304", "24 * 4.194.304 = 100.663.296"]).name
    'POINTED'
    >>> read_commas(["e^5 = 148,41", "e^1 = 2,72"]).name, read_commas(["e^5 = 148,41", "h = 8,16"]).name
    ('DECIMAL', 'DOUBTFUL')
    """
    written = [_without_indices(text) for text in texts]
    if any(_POINT.search(_GROUPED.sub("", text)) for text in written):
        return Commas.GROUPING
    if sum(len(_POINTED_MILLIONS.findall(text)) for text in written) > 1:
        return Commas.POINTED
    if any(_IN_BRACES.search(text) or _is_ragged(text) for text in written):
        return Commas.DECIMAL
    bare = [text.replace("{,}", ",") for text in written]
    proofs = sum(map(_count_proofs, bare))
    if proofs > 1:
        return Commas.DECIMAL
    if proofs or any(_RECKONED.search(text) or _THOUSAND.search(text) for text in bare):
        return Commas.DOUBTFUL
    listed = any("," in match[0] for text in bare for match in _PARTED.finditer(text))
    if any(_MILLIONS.search(text) for text in bare):
        return Commas.GROUPING
    return Commas.DOUBTFUL if listed and not any(_GROUPED.search(text) for text in bare) else Commas.UNKNOWN


def find_mixed(texts: Iterable[str]) -> frozenset[str]:
    """Those of an article's formulas that have decimal commas though others have points: each has a proof of its own.

    >>> sorted(find_mixed(["0.5 + 1 = 1.5", "-ln 0,7 = 0,36", "-ln 0,1 = 2,30", "n = 1,024"]))
    ['-ln 0,1 = 2,30', '-ln 0,7 = 0,36']
    """
    written = {text: _without_indices(text) for text in texts}
    if any(map(_MILLIONS.search, written)):
        return frozenset()
    proofs = {text: _count_proofs(bare) for text, bare in written.items() if not _POINT.search(bare)}
    found = {text for text, count in proofs.items() if count}
    return frozenset(found if len(found) > 1 else ())


def _without_indices(text: str) -> str:
    return _OF_INDICES.sub(" ", _INDEX.sub(" ", text))


def _count_proofs(text: str) -> int:
    return len(_DECIMALS.findall(text)) + _count_results(text)


def _count_results(text: str) -> int:
    """How often a number with a comma is what numbers come to, 0,5 · 4 = 2,0; a name may be one of a list, h = 8,16."""
    count = 0
    for line in text.splitlines():
        before = ""
        for side in _EQUALS.split(line):
            numbers = bool(_RESULT.fullmatch(side)) and _FUNCTION.sub("√", before).strip()
            count += bool(numbers and not numbers.isdigit() and _SUM.fullmatch(numbers))
            before = side
    return count


def _is_ragged(text: str) -> bool:
    """Whether a list between semicolons would have rows of one number and of two, [1; 1,2; 0,4], with other commas."""
    lists = (match[0][1:-1].split(";") for match in _PARTED.finditer(text))
    return any(len({item.count(",") for item in items} & {0, 1}) == 2 for items in lists)
