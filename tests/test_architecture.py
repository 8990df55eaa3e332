"""No import cycle, cheap imports, files of a size to read. The order of the rooms returns when all files have moved."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "symattn"
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


def imports(tree, path):
    """(module, inside a function) of each import, those by a string in `import_module` too; none for type checkers."""
    found = []

    def visit(node, inside):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                found.extend((alias.name, inside) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}: relative import"
                full = [f"{child.module}.{alias.name}" for alias in child.names]
                found.extend((name if name in NAMES else child.module, inside) for name in full)
            elif isinstance(child, ast.Call) and ast.unparse(child.func).endswith("import_module"):
                constant = isinstance(child.args[0], ast.Constant)
                found.append((child.args[0].value if constant else "the home of a public name", True))
            visit(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    visit(tree, False)
    return found


IMPORTS = {path: imports(ast.parse(path.read_text(encoding="utf-8")), path) for path in MODULES}


def cycle_in(graph):
    """One cycle of a graph, or nothing."""
    done, path = set(), []

    def walk(name):
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return None
        path.append(name)
        found = next((c for target in sorted(graph.get(name, ())) if (c := walk(target))), None)
        path.pop()
        done.add(name)
        return found

    return next((c for name in sorted(graph) if (c := walk(name))), None)


def test_no_import_cycle_of_files():
    graph = {}
    for path in MODULES:
        name = name_of(path)
        # importing a module runs the __init__ of its folders, which gathers names: no edge from a module to its folder
        targets = {t for t, inside in IMPORTS[path] if t in NAMES and not inside and t != name}
        graph[name] = {t for t in targets if not name.startswith(f"{t}.")}
    assert cycle_in(graph) is None


@pytest.mark.parametrize("module", ["symattn", "symattn.cli"])
def test_importing_is_cheap(module):
    code = f"import sys, {module}; print(*({{'sympy', 'numpy', 'mpmath', 'flint'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_are_of_a_size_to_read_and_named_for_what_they_hold(path):
    """One idea, one file: 400 lines are plenty, 600 where one idea needs them."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600
    assert path.stem not in {"utils", "util", "common", "helpers", "core", "misc"}


def test_public_names_load():
    import symattn

    for name in symattn.__all__:
        assert getattr(symattn, name).__name__ == name
    assert set(symattn.__all__) <= set(dir(symattn))
    with pytest.raises(AttributeError):
        symattn.nothing  # noqa: B018
