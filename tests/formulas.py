"""The formulas in what the writers wrote, displayed and inline."""

from __future__ import annotations

import re

ESCAPED = re.compile(r"\\[\\$]")


def markdown_formulas(page: str) -> list[str]:
    """Every $$...$$ and $...$ of a Markdown page; an escaped dollar in the prose is none."""
    page = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    pieces = re.split(r"^\$\$$", page, flags=re.MULTILINE)
    found = pieces[1::2]
    for prose in pieces[::2]:
        found += (
            re.findall(r"\$([^$\n]+)\$", re.sub(r"\\[\\`*_\[\]<>$|#]", "", prose))
            if r"\$" in prose
            else re.findall(r"\$([^$\n]+)\$", prose)
        )
    return found


def latex_formulas(article: str) -> list[str]:
    r"""Every \[...\], equation (without its label) and $...$ of an article; an escaped dollar in the prose is none."""
    body = article.partition(r"\begin{document}")[2] or article
    pieces = re.split(r"^\\\[$|^\\\]$|^\\(?:begin|end){equation}$", body, flags=re.MULTILINE)
    found = [re.sub(r"^\\label{.*}$", "", piece, flags=re.MULTILINE) for piece in pieces[1::2]]
    for prose in pieces[::2]:
        found += re.findall(r"\$([^$\n]+)\$", prose.replace(r"\$", ""))
    return found
