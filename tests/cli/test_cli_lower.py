"""`symattn lower`: a module on stdout or in a file; bad input is one line and exit code 2."""

import subprocess
import sys

import numpy as np

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
    assert run(["lower", str(sheet), "-o", str(tmp_path / "made.py")]) == 0
    code = "import numpy as np, made; print(made.attention(np.eye(2), np.eye(2), np.eye(2)).tolist())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    low = 1 / (1 + np.exp(np.sqrt(0.5)))
    np.testing.assert_allclose(eval(done.stdout), [[1, 0], [low, 1 - low]], rtol=1e-12)
    assert run(["lower", str(sheet), "--style", "plain"]) == 0
    assert "weights = softmax(masked)" in capsys.readouterr().out
    assert run(["lower", str(sheet), "--gradient"]) == 0
    assert '"dQ": dQ,' in capsys.readouterr().out


def test_every_derivation_that_ships_lowers(capsys):
    assert run(["list"]) == 0
    for line in capsys.readouterr().out.splitlines():
        assert run(["lower", line.split()[0]]) == 0, line
        assert "def attention(" in capsys.readouterr().out


def test_what_is_no_worksheet(capsys):
    assert run(["lower", "nothing.toml"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
