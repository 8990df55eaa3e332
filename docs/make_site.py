"""Build the site of the documentation: `python docs/make_site.py [FOLDER]`, with `pip install ".[docs]"`.

The pages are those of this folder; the gallery and the reference are made here by symattn itself, so that nothing goes
stale. `SYMATTN_GALLERY`, names with spaces between, makes a smaller gallery.
"""

from __future__ import annotations

import html
import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import symattn
from symattn.cli.main import run
from symattn.reading.worksheets import library

HERE = Path(__file__).parent
_PICTURE = re.compile(r'<svg class="(?:shades|flow)".*?</svg>', re.DOTALL)
_GROUPS = {  # of the reference, by the room that a name comes from
    "What users hold": "symattn.api",
    "Functions for scripts": "symattn.lowering",
    "Expressions": "symattn.nodes",
    "Errors": "symattn.errors",
}
_ERRORS = {symattn.SymattnError, *symattn.SymattnError.__subclasses__()}


def card(name: str, pages: Path) -> str:
    """A derivation in the gallery: a heading, a line and a picture; its page is written beside."""
    page = pages / "gallery" / f"{name}.html"
    run(["derive", name, "-o", str(page)])
    picture = _PICTURE.search(page.read_text(encoding="utf-8"))
    drawn = f'<div class="symattn" style="overflow-x: auto">{picture.group()}</div>' if picture else ""
    return f"\n## {name}\n\n{library.title(name)}: [the page](gallery/{name}.html)\n\n{drawn}\n"


def reference() -> str:
    """Every public name with its docstring, by rooms."""
    homes = {name: getattr(symattn, name).__module__ for name in symattn.__all__}
    groups = {title: sorted(n for n in homes if homes[n].startswith(room)) for title, room in _GROUPS.items()}
    return "".join(f"\n## {title}\n\n" + "\n".join(map(entry, names)) for title, names in groups.items())


def entry(name: str) -> str:
    """A name with its signature and its docstring, in which doctests are set as code, and what an object of it does."""
    item = getattr(symattn, name)
    text = re.sub(
        r"^>>> .*?(?=\n\n|\Z)", lambda m: f"```pycon\n{m.group()}\n```", inspect.getdoc(item) or "", flags=re.M | re.S
    )
    held = isinstance(item, type) and item.__module__.startswith("symattn.api")
    called = "" if held or item in _ERRORS else f"\n```python\n{name}{signature(item)}\n```\n"
    members = "".join(map(member, public_members(item))) if held else ""
    return f"### {name}\n{called}\n{text}\n\n{members}"


def signature(item: Callable[..., object]) -> str:
    """How it is called, without the quotes that `from __future__ import annotations` leaves."""
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(item)))


def public_members(item: type) -> list[tuple[str, object]]:
    """Methods and properties that symattn defines and documents."""
    found = [(n, m) for n, m in inspect.getmembers(item) if not n.startswith("_") and inspect.getdoc(m)]
    return [(n, m) for n, m in found if isinstance(m, property) or getattr(m, "__module__", "").startswith("symattn")]


def member(named: tuple[str, object]) -> str:
    """A line for a method or property: how it is called and the first paragraph of its docstring."""
    name, item = named
    called = f"{name}{signature(item)}" if inspect.isfunction(item) else name
    called = called.replace("(self, ", "(").replace("(self)", "()")
    first = (inspect.getdoc(item) or "").split("\n\n")[0]
    return f"* `{called}`: {' '.join(first.split())}\n"


def tables(text: str) -> str:
    r"""Bars within code of a table as Python-Markdown wants them, which keeps the stroke that GitHub wants before them.

    >>> tables(r"| `--to a\|b` | c |")
    '| <code>--to a&#124;b</code> | c |'
    """

    def code(found: re.Match[str]) -> str:
        return f"<code>{html.escape(found[1], quote=False)}</code>".replace(r"\|", "&#124;")

    lines = text.split("\n")
    return "\n".join(re.sub(r"`([^`]*\\\|[^`]*)`", code, line) if line.startswith("|") else line for line in lines)


def make(folder: Path) -> int:
    """The site in a folder; what Zensical says of links that lead nowhere makes it fail."""
    pages = folder / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    (pages / "gallery").mkdir(parents=True)
    for page in HERE.glob("*.md"):
        (pages / page.name).write_text(tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    for page in HERE.glob("*.ipynb"):
        shutil.copy(page, pages)
    shutil.copy(HERE / "zensical.toml", folder)
    style = resources.files("symattn.writing.writers").joinpath("page", "page.css").read_text(encoding="utf-8")
    (pages / "page.css").write_text(style, encoding="utf-8")
    names = os.environ.get("SYMATTN_GALLERY", "").split() or library.names()
    with (pages / "gallery.md").open("a", encoding="utf-8") as gallery:
        gallery.writelines(card(name, pages) for name in names)
    with (pages / "reference.md").open("a", encoding="utf-8") as page:
        page.write(reference())
    return subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(make(Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent / "build")))
