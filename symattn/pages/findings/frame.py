"""What stands around the findings of several files: the beginning and the end of an HTML page, the line under them all;
and by it, whether a file is such a report.

Nothing heavy is loaded for it, so that a command can write the beginning while its files are still checked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from symattn.writing.files import begins_with
from symattn.writing.prose import LANGUAGES, Sentence

LEGEND = ("right", "close", "near", "carried", "wrong", "open")
STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --ground: #fff; --soft: #f3f5f7; --line: #cfd6dd;
  --right: #116329; --close: #4a5568; --near: #8a5300; --wrong: #b3261e; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e2e6ea; --ground: #14171b; --soft: #1c2127; --line: #3d444d;
    --right: #6cd38a; --close: #a9b4c0; --near: #e9b15c; --wrong: #ff9189; --link: #79b8ff; }
}
body { margin: 0; background: var(--ground); color: var(--text); line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; overflow-wrap: anywhere; }
h3 { font-size: 1.05rem; }
a { color: var(--link); }
.sum { font-weight: 600; }
.lines { font: 0.9rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace; margin: 0;
  padding: 0.5rem 0.5rem 0.5rem 3.6rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
.lines li { white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 0.4rem; }
.lines li::marker { color: var(--close); }
.lines li.bad { box-shadow: inset 3px 0 var(--wrong); }
.lines li:target { outline: 2px solid var(--link); }
mark, del { background: none; color: inherit; padding: 0 0.08em; text-decoration: none; }
.right { border-bottom: 2px solid var(--right); color: var(--right); }
.close { border-bottom: 2px dotted var(--close); }
.near, .accepted { border-bottom: 2px dashed var(--near); color: var(--near); }
.carried { text-decoration: underline wavy var(--near); color: var(--near); }
.wrong { text-decoration: line-through 2px; color: var(--wrong); font-weight: 700; }
ins { text-decoration: none; font-weight: 700; border: 1px solid currentColor; border-radius: 3px; margin: 0 0.2em;
  padding: 0 0.25em; color: var(--right); }
.wrong-formula { color: var(--wrong); font-weight: 700; }
.open { font-size: 0.75em; vertical-align: super; text-decoration: none; border: 1px solid var(--line);
  border-radius: 50%; padding: 0 0.35em; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.lit { outline: 2px solid var(--link); border-radius: 3px; }
.source, :target:is(del, mark) { outline: 3px solid var(--wrong); border-radius: 3px; }
.follows { outline: 2px dashed var(--near); border-radius: 3px; }
ins a { text-decoration: none; padding: 0 0.2em; }
.readout { position: sticky; bottom: 0; margin: 1rem 0 0; padding: 0.5rem 0.9rem; background: var(--soft);
  border: 1px solid var(--line); border-radius: 6px; overflow-wrap: anywhere; }
html { scroll-padding-bottom: 5rem; }
@media print { .readout { display: none; } }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; font-size: 0.9rem; }
table { border-collapse: collapse; }
td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.8rem; text-align: left; }
"""


def html_opening(language: str) -> str:
    """The head of a page, and what its marks mean."""
    title = escape(Sentence("findings.title").text(language))
    samples = {"near": "<mark class='near'>1.5</mark><ins>1.4</ins>", "wrong": "<del class='wrong'>5</del><ins>6</ins>"}
    samples["carried"] = "<mark class='carried'>5</mark><ins>6</ins>"
    samples["open"] = "<span class='open'>?</span>"
    shown = "".join(
        f"<li>{samples.get(kind, f'<mark class={kind!r}>6</mark>')} "
        f"{escape(Sentence(f'findings.mark.{kind}').text(language))}</li>"
        for kind in LEGEND
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f'<ul class="legend">{shown}</ul>\n'
    )


def html_closing(language: str) -> str:
    """The end of a page: the line in which a number that is pointed at is told, and the script."""
    hint = escape(Sentence("findings.page_hint").text(language))
    script = Path(__file__).with_name("findings.js").read_text(encoding="utf-8")
    return f'<p class="readout" role="status" hidden>{hint}</p>\n</main>\n<script>{script}</script>\n</body>\n</html>\n'


def files_line(verdicts: Sequence[str], failed: int) -> Sentence:
    """The line under the reports of several files; each verdict is "bad", "clean" or "unjudged"."""
    counts = {key: verdicts.count(key) for key in ("bad", "clean", "unjudged")}
    line = Sentence("findings.files", files=len(verdicts) + failed, **counts)
    if not failed:
        return line
    return Sentence("findings.pair", first=line, last=Sentence("findings.files_failed", count=failed))


def is_report(path: str) -> bool:
    """Whether a file is a report on several files, or a page on one, as `symattn check` writes them."""
    heads = [html_opening(language).partition("<style>")[0] for language in LANGUAGES]
    heads += [f"# {Sentence('findings.title').text(language)}\n" for language in LANGUAGES]
    return begins_with(path, heads) or _ends_as_text(path)


def _ends_as_text(path: str) -> bool:
    """Whether the last line of a file is that under the reports of several files in text."""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 1000))
            lines = file.read().decode(errors="replace").splitlines()
    except (OSError, ValueError):
        return False
    said = Sentence("findings.files", **dict.fromkeys(("files", "bad", "clean", "unjudged")))
    under = "|".join(said.text(language, show=lambda _: "[0-9]+", literal=re.escape) for language in LANGUAGES)
    return bool(lines) and re.match(under, lines[-1]) is not None
