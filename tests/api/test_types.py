"""What a type checker says of a script with typing errors, and of one without."""

import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import symattn

GOOD = """
from sympy import MatrixSymbol
from symattn import Attention, CausalMask, InputError, derive, differentiate, lower

Q, K, V = (MatrixSymbol(x, 2, 2) for x in "QKV")
d = derive(Attention(Q, K, V, mask=CausalMask()))
try:
    print(d.to_latex(), d["weights"], differentiate(d).to_markdown())
except InputError as wrong:
    print(wrong)
f = lower(d, style="plain", outputs=("output", "weights"))
print(f.source, f.standalone)
"""
WRONG = {
    'lower(d, style="fats")': "fats",
    "d.to_latx()": "to_latx",
    "lower(d, gradeint=True)": "gradeint",
    "Attention(Q, K, V, maks=None)": "maks",
    "f.sourc": "sourc",
    "from symattn import Atention": "Atention",
    'd.to_latex(langage="en")': "langage",
    'd.to_markdown(level="tokens")': "tokens",
    "derive(Attention(Q, K, V), diagramm=True)": "diagramm",
    "f.flopz(n=2)": "flopz",
    "lower(d, chek=True)": "chek",
}


@pytest.mark.slow
def test_typing_errors_are_found(tmp_path):
    lines = GOOD.splitlines()
    (tmp_path / "script.py").write_text("\n".join([*lines, *WRONG]) + "\n", encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n[mypy-sympy.*]\nignore_missing_imports = true\n")
    environment = os.environ | {"MYPYPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "script.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    found = {int(x.split(":")[1]): x for x in done.stdout.splitlines() if ": error:" in x}
    assert sorted(found) == list(range(len(lines) + 1, len(lines) + 1 + len(WRONG))), done.stdout
    assert all(word in found[k] for k, word in enumerate(WRONG.values(), len(lines) + 1))


def test_every_public_name_has_an_example_and_a_first_sentence():
    for name in symattn.__all__:
        said = inspect.getdoc(getattr(symattn, name)) or ""
        assert re.match(r"[^\n]+[.:]( |\n|$)", said), name
        assert ">>>" in said or name == "Weighting", name


def test_the_public_surface():
    assert sorted(dir(symattn)) == sorted({*symattn.__all__, "__version__"})
    errors = [x for x in vars(importlib.import_module("symattn.errors")).values() if isinstance(x, type)]
    assert {x.__name__ for x in errors if issubclass(x, Exception)} <= set(symattn.__all__)
