"""Does any file make the checker fail, other than by an error that says what is wrong and where? None does.

    pip install atheris
    python benchmarks/fuzz.py -max_total_time=600 [FOLDER of articles to start from]

A file is a byte for its format and the article's bytes; it is read, parsed and judged. Anything but a SymattnError, or
more than two seconds for less than 100 kB, is a finding; atheris writes the file that led to it beside where it runs.
It starts from the derivations that ship, the articles and formulas of the tests, and whatever is in the folders named.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["symattn"]):
    from symattn.checking import check_article, faults
    from symattn.errors import SymattnError
    from symattn.reading.articles import read_article
    from symattn.reading.formula.spellings import FONTS, MATRICES, MEANINGS

FORMATS = ("md", "txt", "tex", "html", "ipynb")
ROOT = Path(__file__).resolve().parent.parent
LONGEST, SECONDS = 100_000, 2.0
faults.CONTAINED = ()  # every one is to be seen


def check(data: bytes) -> None:
    """Read and judge one file."""
    start = time.process_time()
    with contextlib.suppress(SymattnError):
        report = check_article(read_article(f"a.{FORMATS[sum(data[:1]) % len(FORMATS)]}", data[1:]))
        assert all(entry.exact and entry.decimal for claim in report.findings for entry in claim.entries)
    taken = time.process_time() - start
    if len(data) < LONGEST and taken > SECONDS:
        raise TimeoutError(f"{taken:.1f} s for {len(data)} bytes")


def seeds(folders: list[str]) -> Iterator[bytes]:
    """What to start from, each with the byte of its format in front."""
    held = json.loads((ROOT / "tests/data/clean_articles.json").read_text(encoding="utf-8"))
    texts = json.loads((ROOT / "tests/data/formulas.json").read_text(encoding="utf-8"))
    pages = ["\n\n".join(f"$${formula}$$" for formula in a["formulas"]) for a in texts["articles"]]
    pages += ["\n".join(a["lines"]) for a in texts["articles"]]
    for k, text in enumerate([*held.values(), *pages]):
        yield bytes([k % 4]) + text.encode()
    for folder in [ROOT / "derivations", *map(Path, folders)]:
        for path in sorted(folder.iterdir()):
            if path.suffix[1:] in FORMATS:
                yield bytes([FORMATS.index(path.suffix[1:])]) + path.read_bytes()


def main() -> None:
    options = [a for a in sys.argv[1:] if a.startswith("-")]
    with tempfile.TemporaryDirectory() as corpus:
        for k, seed in enumerate(seeds([a for a in sys.argv[1:] if not a.startswith("-")])):
            Path(corpus, str(k)).write_bytes(seed)
        words = Path(corpus).with_suffix(".dict")
        entries = [*MEANINGS, *FONTS, *(rf"\begin{{{m}}}" for m in MATRICES), "$$", "```", "\\def\\a{", "<td>"]
        escaped = ("".join(rf"\x{byte:02x}" for byte in entry.encode()) for entry in entries)
        words.write_text("".join(f'"{entry}"\n' for entry in escaped))
        atheris.Setup([sys.argv[0], "-timeout=20", "-max_len=20000", f"-dict={words}", *options, corpus], check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
