"""Diagram -> Mermaid, in the subset that every version of it draws: a flowchart of quoted labels and plain arrows."""

from __future__ import annotations

from symattn.writing.document import Box, Diagram
from symattn.writing.writers.text_style import TextStyle

_ESCAPES = str.maketrans({'"': "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "&": "#amp;", "`": "#96;"})


def mermaid(diagram: Diagram, style: TextStyle) -> str:
    """A fenced block. Mermaid draws no LaTeX on GitHub, so labels are plain Unicode mathematics."""
    inside = {key for group in diagram.groups for key in group.keys}
    lines = [_node(p.key, p.label, style) for p in diagram.nodes if p.key not in inside]
    for number, group in enumerate(diagram.groups, 1):
        lines.append(f'subgraph group_{number}["{_label(group.label, style)}"]')
        lines += ["    " + _node(p.key, p.label, style) for p in diagram.nodes if p.key in group.keys]
        lines.append("end")
    lines += [f"{a} --> {b}" for a, b in diagram.arrows]
    return "```mermaid\nflowchart TD\n" + "\n".join(f"    {line}" for line in lines) + "\n```"


def _node(key: str, label: Box, style: TextStyle) -> str:
    return f'{key}["{_label(label, style)}"]'


def _label(box: Box, style: TextStyle) -> str:
    return box.write(style).translate(_ESCAPES)
