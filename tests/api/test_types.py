"""What a type checker says of a script with typing errors, and of one without."""

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import symattn

ROOT = Path(__file__).parents[2]
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


def lines_of_mypy(folder: Path, kept: Path) -> dict[int, str]:
    """Where mypy, strict, finds an error in the script of a folder, and what it says."""
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\n[mypy-sympy.*]\nignore_missing_imports = true\n")
    said = output("mypy", "--follow-imports=silent", f"--cache-dir={kept}", "script.py", folder=folder)
    return {int(x.split(":")[1]): x for x in said.splitlines() if ": error:" in x}


def lines_of_pyright(folder: Path, _: Path) -> dict[int, str]:
    """The same of Pyright, by its distribution that needs no Node.js of the system."""
    settings = {"typeCheckingMode": "standard", "pythonVersion": "3.11", "extraPaths": [str(ROOT)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    said = json.loads(output("basedpyright", "--outputjson", "--pythonpath", sys.executable, folder=folder))
    return {
        x["range"]["start"]["line"] + 1: x["message"] for x in said["generalDiagnostics"] if x["severity"] == "error"
    }


def output(module: str, *arguments: str, folder: Path) -> str:
    command = [sys.executable, "-m", module, *arguments]
    environment = os.environ | {"MYPYPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    ).stdout


@pytest.mark.slow
@pytest.mark.parametrize("find", [lines_of_mypy, lines_of_pyright])
def test_typing_errors_are_found(
    find: Callable[[Path, Path], dict[int, str]], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """What mypy makes of the package is kept from one run to the next."""
    lines = GOOD.splitlines()
    (tmp_path / "script.py").write_text("\n".join([*lines, *WRONG]) + "\n", encoding="utf-8")
    cache = getattr(request.config, "cache", None)  # which pytest may be told to do without
    found = find(tmp_path, tmp_path / "kept" if cache is None else cache.mkdir("mypy_script"))
    assert sorted(found) == list(range(len(lines) + 1, len(lines) + 1 + len(WRONG))), found
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
