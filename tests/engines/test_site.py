"""The site of the documentation is built, and Zensical finds no link that leads nowhere."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines.conftest import missing

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_site_is_built_with_a_gallery_and_a_reference(tmp_path: Path) -> None:
    if importlib.util.find_spec("zensical") is None:
        missing("zensical")
    environment = {**os.environ, "SYMATTN_GALLERY": "hand-calculation", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(ROOT / "docs" / "make_site.py"), str(tmp_path / "site")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    made = tmp_path / "site" / "site"
    assert 'class="shades"' in (made / "gallery" / "index.html").read_text(encoding="utf-8")
    reference = (made / "reference" / "index.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in reference for name in ("derive", "attention", "lower", "inputerror"))
    assert (made / "gallery" / "hand-calculation.html").exists()
