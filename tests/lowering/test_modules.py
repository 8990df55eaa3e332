"""Modules of every kind and of every derivation that ships: each runs alone, is clean, and says what it takes."""

import ast
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from lowering.test_lowered_kinds import ATTENTIONS, LAYERS, SHAPES

from symattn import lower, runtime
from symattn.errors import NotSupportedError
from symattn.lowering.text.names import identifier
from symattn.reading.worksheets import library
from symattn.reading.worksheets.worksheet import read_worksheet

SIZES = {str(s): size for s, size in SHAPES.items()} | {"d_model": 8, "h": 2}
RUN = """
import sys, importlib
import numpy as np
sys.modules["symattn"] = sys.modules["sympy"] = None
sys.path.insert(0, ".")
for name in sys.argv[1:]:
    given = {k: x if x.ndim else int(x) for k, x in np.load(f"{name}.npz").items()}
    made = importlib.import_module(name).attention(**given)
    np.savez(f"{name}_made.npz", **(made if isinstance(made, dict) else {"output": made}))
"""


def expressions():
    for name, expression in (ATTENTIONS | LAYERS).items():
        yield name, expression
    for name in library.names():
        yield name, read_worksheet(library.find(name)).expression


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """The folder of all modules, and their functions by the names of the files."""
    folder, made = tmp_path_factory.mktemp("modules"), {}
    for name, expression in expressions():
        for style in ("fast", "plain", "gradient"):
            try:
                f = lower(expression, gradient=True) if style == "gradient" else lower(expression, style=style)
            except NotSupportedError:
                assert style == "gradient"  # what has no gradient is said by differentiate
                continue
            file = identifier(f"module {name} {style}")
            (folder / f"{file}.py").write_text(f.standalone, encoding="utf-8")
            made[file] = f
    return folder, made


@pytest.mark.slow
def test_ruff_has_nothing_to_say(modules):
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E4,E7,E9,F,I,UP,B,W", "."]
    done = subprocess.run(ruff, cwd=modules[0], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_they_say_what_they_take(modules):
    for file, f in modules[1].items():
        functions = [
            x for x in ast.parse(f.standalone).body if isinstance(x, ast.FunctionDef) and x.name == "attention"
        ]
        said = ast.get_docstring(functions[0])
        arguments = [*functions[0].args.args, *functions[0].args.kwonlyargs]
        assert functions[0].returns and all(x.annotation for x in arguments), file
        for name in f.module.arguments.values():
            assert f"\n    {name} (" in said, (file, name)
        for step in f.program:
            called = f.module.scope.arrays.get(step.symbol)  # by_bias, if that is the gradient by the logits
            names = {identifier(step.name.rpartition(".")[2]), called or "-"}
            assert re.search(rf"^    ({'|'.join(names)})\w* +\S+ = ", said, re.M), (file, step.name)


def drawn(f):
    """Numbers for every argument, and the sizes that no array tells."""
    generator, given = np.random.default_rng(5), {}
    for s in f.program.inputs:
        shape = [int(x.subs({y: SIZES.get(str(y), 4) for y in x.free_symbols})) for x in s.shape]
        given[s.name] = generator.integers(0, 2, shape).astype(bool) if s.name == "M" else generator.normal(size=shape)
    return given | {name: SIZES[name] for name in f.module.options if name != "threads"}


@pytest.mark.slow
def test_they_run_alone(modules):
    folder, made = modules
    files, wanted = [], {}
    for file, f in made.items():
        arrays = drawn(f)
        result = f(**arrays)
        wanted[file] = result if isinstance(result, dict) else {"output": result}
        given = {f.module.arguments.get(name, name): x for name, x in arrays.items()}
        np.savez(folder / f"{file}.npz", **given)
        files.append(file)
    assert len(files) > 100
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    command = [sys.executable, "-I", "-W", "error", "-c", RUN, *files]
    subprocess.run(command, cwd=folder, env=clean, check=True, timeout=120)
    for file in files:
        found = np.load(folder / f"{file}_made.npz")
        assert set(found) == set(wanted[file])
        for name, x in wanted[file].items():
            np.testing.assert_array_equal(found[name], x, err_msg=f"{file} {name}")


@pytest.mark.slow
def test_the_runtime_has_what_they_call(modules):
    for f in modules[1].values():
        for node in ast.walk(ast.parse(f.source)):
            if isinstance(node, ast.ImportFrom) and node.module == "symattn.runtime":
                assert {x.name for x in node.names} <= set(runtime.__all__)
