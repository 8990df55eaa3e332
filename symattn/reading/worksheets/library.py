"""The derivations that ship, by name: package data when installed, the folder beside the package in a checkout."""

from __future__ import annotations

import tomllib
from pathlib import Path

_HERE = Path(__file__).resolve().parents[2]


def _folder() -> Path:
    installed = _HERE / "derivations"
    return installed if installed.is_dir() else _HERE.parent / "derivations"


def names() -> list[str]:
    """Their names, in alphabetical order."""
    return sorted(path.stem for path in _folder().glob("*.toml"))


def find(name: str) -> Path | None:
    """The worksheet of that name, if there is one."""
    return _folder() / f"{name}.toml" if name in names() else None


def title(name: str) -> str:
    """What it is about, in a line."""
    said = tomllib.loads((_folder() / f"{name}.toml").read_text(encoding="utf-8"))["title"]
    return str(said if isinstance(said, str) else said["en"])
