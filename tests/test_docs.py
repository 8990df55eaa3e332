"""The documentation tells what is so: its examples run and print what it shows, its links lead somewhere.

A block with a title is a file; in `console` blocks the lines after `$ symattn ...` are its output, where … stands for
any lines; Python blocks of a page run one after another.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symattn.cli.main import run

ROOT = Path(__file__).parent.parent
ELSEWHERE = {"weave.md"}  # whose examples have a test of their own
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<kind>\w+)(?: title=\"(?P<file>[^\"]+)\")?\n(?P<body>.*?)^(?P=fence)$", re.M | re.S
)
_FORMULAS = re.compile(r"\$\$[^$]+\$\$|\$[^$]+\$|^\w+ = \[\[.*$", re.M)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_NO_COMMANDS = ("$ python", "$ pip", "$ patch", "$ .venv")


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """(kind, file, body) of every fenced block."""
    text = page.read_text(encoding="utf-8")
    return [(m["kind"], m["file"] or "", m["body"]) for m in _BLOCK.finditer(text)]


def fits(shown: str, printed: str) -> bool:
    """Whether a text is the one shown, where a line of … is any lines; blanks at the ends of lines do not count."""
    parts = [part.strip("\n") for part in re.split(r"^…$", "\n".join(map(str.rstrip, shown.splitlines())), flags=re.M)]
    pattern = r"(?:.*\n)?".join(re.escape(part) + (r"\n?" if part else "") for part in parts)
    return re.fullmatch(pattern, "\n".join([*map(str.rstrip, printed.splitlines()), ""]), re.S) is not None


def sessions(body: str) -> list[tuple[str, str]]:
    """The commands of a console block with what is shown after each."""
    commands = re.split(r"^\$ ", body, flags=re.M)
    assert not commands[0].strip()
    return [(c.partition("\n")[0], c.partition("\n")[2].strip("\n")) for c in commands[1:]]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p) and p.name not in ELSEWHERE], ids=lambda p: p.name)
def test_examples_run_and_print_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for kind, file, body in blocks(page):
        if file:
            Path(file).write_text(body, encoding="utf-8")
        elif kind == "python":
            exec(compile(body, f"{page.name}: {body.splitlines()[0]}", "exec"), names)
        elif kind == "console":
            for command, shown in sessions(body):
                name, *arguments = command.split()
                assert name == "symattn", command
                capsys.readouterr()
                assert run(arguments) < 2, command
                printed = capsys.readouterr().out
                assert fits(shown, printed), f"{page.name}: {command}\n{printed}"


def slugs(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {
        re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", t)).strip().lower().replace(" ", "-")
        for t in titles
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in _LINK.findall(text):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or there.suffix != ".md" or anchor in slugs(there), target


def test_both_readmes_have_the_same_code() -> None:
    """Numbers and formulas too; each says its worksheet, its article and what is printed in its own language."""
    english, chinese = (blocks(ROOT / name) for name in ("README.md", "README.zh.md"))
    assert [(kind, file) for kind, file, _ in english] == [(kind, file) for kind, file, _ in chinese]
    for (kind, _, body), (_, _, other) in zip(english, chinese, strict=True):
        if kind in ("toml", "markdown"):
            assert _FORMULAS.findall(body) == _FORMULAS.findall(other)
        elif kind != "console":
            assert re.sub(r"\s*#.*", "", body) == re.sub(r"\s*#.*", "", other)


def test_the_site_has_every_page() -> None:
    site = (ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8")
    assert {page.name for page in (ROOT / "docs").glob("*.md")} == set(re.findall(r'= "([\w-]+\.md)"', site))
