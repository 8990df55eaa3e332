"""`symattn lower`: a module on stdout or in a file; bad input is one line and exit code 2."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from symattn.cli.main import run

SHEET = """
[inputs]
Q = "n x d_k"
K = "m x d_k"
V = "m x d_v"
[attention]
mask = "causal"
"""


def test_a_worksheet_becomes_a_module(tmp_path, capsys):
    sheet = tmp_path / "sheet.toml"
    sheet.write_text(SHEET, encoding="utf-8")
    code = "import numpy as np, made; print(made.attention(np.eye(2), np.eye(2), np.eye(2)).tolist())"
    home = str(Path(__file__).parents[2])
    low = 1 / (1 + np.exp(np.sqrt(0.5)))
    for options, path in (["--standalone"], ""), ([], home):
        assert run(["lower", str(sheet), "-o", str(tmp_path / "made.py"), *options]) == 0
        command = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": path}, "capture_output": True, "text": True}
        done = subprocess.run([sys.executable, "-c", code], check=True, **command)
        np.testing.assert_allclose(eval(done.stdout), [[1, 0], [low, 1 - low]], rtol=1e-12)
    assert "sheet.toml in the style fast" in (tmp_path / "made.py").read_text(encoding="utf-8").splitlines()[0]
    assert run(["lower", str(sheet), "--style", "plain"]) == 0
    assert "weights = softmax(masked)" in capsys.readouterr().out
    assert run(["lower", str(sheet), "--gradient"]) == 0
    assert '"dQ": dQ,' in capsys.readouterr().out


@pytest.mark.slow
def test_every_derivation_that_ships_lowers(capsys):
    assert run(["list"]) == 0
    for line in capsys.readouterr().out.splitlines():
        assert run(["lower", line.split()[0]]) == 0, line
        assert "def attention(" in capsys.readouterr().out


def test_what_is_no_worksheet(capsys):
    assert run(["lower", "nothing.toml"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
