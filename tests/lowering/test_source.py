"""The text of lowered modules: it runs alone, is clean, reads as the steps do, and holds nobody's names as code."""

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from lowering.symbols import B, K, M, Q, V, d_k, m, n
from lowering.test_lowered import layer, layer_arrays, numbers
from sympy import MatrixSymbol, Symbol

from symattn import Attention, CausalMask, KeepMask, LinearAttention, Softmax, lower
from symattn.errors import InputError

pytestmark = pytest.mark.slow

EVERYTHING = {"mask": (CausalMask(1), KeepMask(M)), "bias": B, "softcap": 30}
STYLES = ("fast", "plain", "compiled")


@cache
def sources():
    """Functions of every style, lowered once."""
    return tuple(_sources())


def _sources():
    for style in STYLES:
        yield lower(Attention(Q, K, V), style=style)
        yield lower(Attention(Q, K, V, **EVERYTHING), style=style, outputs=("output", "lse"))
        yield lower(layer(4, 2, bias=B), style=style)
        yield lower(layer(1, 1, bias=B, score_mod=Symbol("z") - Symbol("j") / 2), style=style)
    yield lower(layer(1, 1, bias=B, mask=KeepMask(M)), gradient=True)


def test_the_module_runs_where_symattn_is_not_installed(tmp_path):
    arrays = layer_arrays(4, 2, (2,)) | {"B": numbers(9, 11)}
    np.savez(tmp_path / "arrays.npz", **arrays)
    for style in ("fast", "plain"):
        f = lower(layer(4, 2, bias=B), style=style)
        (tmp_path / "module.py").write_text(f.standalone, encoding="utf-8")
        code = "import sys, numpy as np, module; np.save('out.npy', module.attention(**np.load('arrays.npz')))"
        code += "; assert not [x for x in sys.modules if x.startswith(('symattn', 'sympy'))]"
        clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=tmp_path, env=clean, check=True, timeout=60)
        np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), f(**arrays))


def test_ruff_has_nothing_to_say(tmp_path):
    for k, f in enumerate(sources()):
        (tmp_path / f"module_{k}.py").write_text(f.source, encoding="utf-8")
        (tmp_path / f"alone_{k}.py").write_text(f.standalone, encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E4,E7,E9,F,I,UP,B", "."]
    done = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout


def test_only_numpy_and_the_standard_library_are_imported():
    for f in sources():
        for text, known in ((f.standalone, {"numpy"}), (f.source, {"numpy", "symattn.runtime"})):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    name = node.names[0].name if isinstance(node, ast.Import) else node.module
                    loops = f.style == "compiled" and name == "symattn.runtime"
                    assert loops or name in known or name.partition(".")[0] in sys.stdlib_module_names


SINCE_2 = (
    "acos acosh asin asinh astype atan atan2 atanh bitwise_invert bitwise_left_shift bitwise_right_shift bool concat"
)
SINCE_2 += " cumulative_prod cumulative_sum isdtype long matrix_transpose matvec permute_dims pow trapezoid ulong"
SINCE_2 += " unique_all unique_counts unique_inverse unique_values unstack vecdot vecmat"


def test_names_are_those_of_numpy_1_26():
    kernels = (Path(__file__).parents[2] / "symattn" / "lowering" / "kernels").glob("*.py")
    texts = [path.read_text(encoding="utf-8") for path in kernels]
    for text in texts + [f.standalone for f in sources() if f.style != "compiled"]:
        used = {
            x.attr for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Attribute) and ast.unparse(x.value) == "np"
        }
        assert not used & set(SINCE_2)


def test_the_runtime_needs_no_sympy_and_has_what_modules_call(tmp_path):
    for k, f in enumerate(sources()):
        (tmp_path / f"module_{k}.py").write_text(f.source, encoding="utf-8")
    names = ", ".join(f"module_{i}" for i in range(k + 1))
    code = f"import sys; sys.modules['sympy'] = None; sys.path.insert(0, '.'); import {names}"
    home = str(Path(__file__).parents[2])
    subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": home},
        check=True,
        timeout=120,
    )


@pytest.mark.slow
def test_type_checkers_accept_modules(tmp_path, request):
    """What mypy makes of NumPy is kept from one run to the next."""
    for k, f in enumerate(sources()):
        (tmp_path / f"module_{k}.py").write_text(f.source, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    environment = os.environ | {"MYPYPATH": str(Path(__file__).parents[2])}
    cache = getattr(request.config, "cache", None)  # which pytest may be told to do without
    kept = tmp_path / "kept" if cache is None else cache.mkdir("mypy")
    mypy = [
        sys.executable,
        "-m",
        "mypy",
        "--follow-imports=silent",
        f"--cache-dir={kept}",
        *sorted(x.name for x in tmp_path.glob("*.py")),
    ]
    done = subprocess.run(mypy, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout


def test_plain_lines_are_the_steps():
    body = lower(Attention(Q, K, V, mask=CausalMask()), style="plain").source
    lines = [line.strip() for line in body.splitlines()]
    for line in (
        "scores = Q @ np.swapaxes(K, -1, -2)",
        "scaled = scores / d_k**0.5",
        "i = np.arange(n)[:, None]",
        "masked = hide(scaled, j <= i)",
        "weights = softmax(masked)",
        "output: Array = weigh(weights, V)",
        "output   O = A*V",
        "Q (n, d_k)",
    ):
        assert line in lines


@pytest.mark.parametrize(
    "name",
    [
        'Q"""; import os; os.abort() #',
        "__import__('os').abort()",
        "lambda",
        "np",
        "Q\n    boom",
        "查询",
        "softmax",
        "S'",
        *("sizes", "attention", "SHAPES", "kind", "logits", "attend", "Array", "threads", "self", "head"),
        *("range", "float", "min", "print", "True", "__builtins__", "type", "ﬁ", "𝐐", "", "1", "a\\"),
    ],
)
def test_names_are_never_code(name):
    size = Symbol(f"{name}_size", integer=True, positive=True)
    Z = MatrixSymbol(name, size, d_k)
    expression = Attention(Z, K, V, mask=CausalMask(size), bias=MatrixSymbol(f"{name} B", size, m))
    for style in STYLES:
        f = lower(expression, style=style)
        tree = ast.parse(f.source)
        names = {x.arg for x in ast.walk(tree) if isinstance(x, ast.arg)} | {
            x.id for x in ast.walk(tree) if isinstance(x, ast.Name)
        }
        assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", x) for x in names)
        assert "abort" not in {x.attr for x in ast.walk(tree) if isinstance(x, ast.Attribute)}
        arrays = {name: numbers(3, 2), "K": numbers(4, 2), "V": numbers(4, 2), f"{name} B": numbers(3, 4)}
        assert f(**arrays).shape == (3, 2)


@pytest.mark.parametrize(
    "name", ["sizes", "range", "n_2", "t_2", "state", "token_outputs", "i", "j", "K_features", "G"]
)
def test_names_in_loops_and_of_sizes(name):
    size = Symbol(f"{name}", integer=True, positive=True)
    for Z, columns in ((MatrixSymbol(name, n, d_k), d_k), (MatrixSymbol("Z", n, size), size)):
        expression = LinearAttention(Z, MatrixSymbol("K", n, columns), MatrixSymbol("V", n, d_k), causal=True)
        given = {Z.name: numbers(3, 2), "K": numbers(3, 2, seed=1), "V": numbers(3, 2, seed=2)}
        fast, plain = (lower(expression, style=style)(**given) for style in ("fast", "plain"))
        np.testing.assert_allclose(fast, plain, rtol=1e-13)


def test_a_size_that_counts_heads_or_tokens_as_well():
    t = Symbol("t", integer=True, positive=True)
    with pytest.raises(InputError, match="t counts heads or tokens here; give the size of Q another letter"):
        lower(LinearAttention(*(MatrixSymbol(x, t, 2) for x in "QKV"), causal=True))


def test_names_are_arguments_as_they_are():
    S = MatrixSymbol("S", n, m)
    assert lower(Softmax(S))(S=np.zeros((2, 4))).tolist() == [[0.25] * 4] * 2


def test_what_is_no_output_or_style():
    with pytest.raises(InputError, match="wieghts"):
        lower(Attention(Q, K, V), outputs=("wieghts",))
    with pytest.raises(InputError, match="slow"):
        lower(Attention(Q, K, V), style="slow")
