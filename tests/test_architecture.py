"""The rooms and their order, no import cycle, owners of heavy dependencies, cheap imports, files of a size to read."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "symattn"
# top to bottom: a line imports only lower lines, and rooms on one line do not know each other
ORDER = """
cli
api
pages
checking
lowering reading
values
program
nodes
writing
errors patterns version
"""
LINES = {room: line for line, rooms in enumerate(ORDER.split("\n")) for room in rooms.split()}
LINES |= {"__main__": 0, "__init__": 0, "runtime": 0}  # these only hand names on
# The doors: what a function imports when it is called, so that starting costs nothing or an extra is not needed.
DOORS = {
    "__init__": {"importlib", "named at run time"},
    "__main__": {"symattn.cli.main"},  # after an interrupt has its answer
    "api": set(),
    "checking": {"named at run time"},  # theorems are wanted without all that reads articles
    "cli": {
        "named at run time",
        "shtab",
        "symattn.cli.check_file",
        "symattn.cli.editing",
        "symattn.cli.language_server",  # needs pygls
        "symattn.cli.weave_file",
        "symattn.cli.workers",  # pickle, JSON, signals: not for --help
        "symattn.pages.pictures.figures",
    },
    "lowering": {
        "array_api_compat",
        "dask.array",
        "symattn.lowering.compiled.attention",  # needs Numba
        "symattn.lowering.function",  # needs SymPy, which what lowered modules call does not
    },
    "nodes": {"symattn.lowering.lambdify"},  # SymPy's lambdify asks a node for its code: the one arrow upwards
    "reading": {"openpyxl"},
    "writing": {"difflib", "quickjs", "symattn.writing.prose.sentences"},
}
OWNERS = {
    "flint": {"values"},
    "mpmath": {"values"},
    "llvmlite": {"lowering"},
    "numba": {"lowering"},
    "numpy": {"nodes", "api", "values", "lowering"},
    "matplotlib": {"pages"},
    "quickjs": {"writing"},
    "pygls": {"cli"},
    "lsprotocol": {"cli"},
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


NAMES = {name_of(path): path for path in MODULES}


def room_of(module):
    return [*module.split("."), "__init__"][1]


def last_of(node):
    """The last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def imports(text, path):
    """(module, inside a function) of each import, those by a string in `import_module` and for type checkers too."""
    found, called = [], "import_module" in text

    def visit(node, inside):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr) and not called:
                continue  # no statement is inside
            if isinstance(child, ast.Import):
                found.extend((alias.name, inside) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}: relative import"
                full = [f"{child.module}.{alias.name}" for alias in child.names]
                found.extend((name if name in NAMES else child.module, inside) for name in full)
            elif isinstance(child, ast.Call) and last_of(child.func) == "import_module":
                constant = isinstance(child.args[0], ast.Constant)
                found.append((child.args[0].value if constant else "named at run time", True))
            visit(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    visit(ast.parse(text), False)
    return found


@cache
def imports_of(path):
    return imports(path.read_text(encoding="utf-8"), path)


def is_door(room, name):
    return name in DOORS.get(room, ()) or name.partition(".")[0] in DOORS.get(room, ())


def test_imports_go_downwards():
    for path in MODULES:
        room = room_of(name_of(path))
        assert room in LINES, f"{room} is a new room: give it its place in ORDER"
        for name, inside in imports_of(path):
            target = room_of(name)
            assert name != "symattn" or room == "__main__", f"{path} imports the package's top, which imports all"
            if not name.startswith("symattn.") or target == room or (inside and name in DOORS.get(room, ())):
                continue
            assert LINES[room] < LINES[target], f"{path}: {room} imports {target}, which is not below it"


def test_no_import_inside_a_function_but_the_doors():
    inner = [(path, name) for path in MODULES for name, inside in imports_of(path) if inside]
    assert [(path, name) for path, name in inner if not is_door(room_of(name_of(path)), name)] == []


def test_few_rooms():
    rooms = {room_of(name) for name in NAMES} - {"__init__", "__main__", "errors", "patterns", "runtime", "version"}
    assert rooms <= set(LINES)
    assert len(rooms) <= 10
    assert len(ORDER.split("\n")) - 2 == 10


def test_no_folder_is_a_long_flat_row():
    """What a folder holds is seen at a glance; `cli` has a file for each command."""
    folders = {path.parent for path in MODULES}
    held = {folder: [f for f in folder.iterdir() if not f.name.startswith("_")] for folder in folders}
    assert [folder for folder, names in held.items() if len(names) > 26] == []


def test_no_two_files_of_tests_have_one_name():
    """pytest imports them by their names alone."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(name for name in {*names} if names.count(name) > 1) == []


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
        targets = {t for t, inside in imports_of(path) if t in NAMES and not inside and t != name}
        graph[name] = {t for t in targets if not name.startswith(f"{t}.")}
    assert cycle_in(graph) is None


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_no_import_cycle_of_folders(depth):
    """Inside a folder, a folder is one thing, and so is a file beside it."""

    def unit(name):
        parts = name.split(".")[1:]
        is_folder = len(parts) > depth or NAMES[name].name == "__init__.py"
        return ".".join(parts[:depth]) if is_folder or len(parts) == depth else ".".join(parts[: depth - 1])

    graph = {}
    for path in MODULES:
        name = name_of(path)
        for target, inside in imports_of(path):
            if target in NAMES and not inside and unit(name) != unit(target):
                if target in {".".join(name.split(".")[:k]) for k in range(1, name.count(".") + 1)}:
                    continue
                graph.setdefault(unit(name), set()).add(unit(target))
    gathering = {unit(name) for name, path in NAMES.items() if path.name == "__init__.py" and name.count(".") < depth}
    assert cycle_in({a: b - gathering for a, b in graph.items() if a not in gathering}) is None


@pytest.mark.parametrize("dependency", OWNERS)
def test_one_owner_for_each_heavy_dependency(dependency):
    users = {room_of(name_of(p)) for p in MODULES for name, _ in imports_of(p) if name.partition(".")[0] == dependency}
    assert users <= OWNERS[dependency]


@pytest.mark.parametrize("module", ["symattn", "symattn.cli.main"])
def test_importing_is_cheap(module):
    code = f"import sys, {module}; print(*({{'sympy', 'numpy', 'mpmath', 'flint'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent, check=True)
    assert done.stdout.split() == []


def test_files_are_of_a_size_to_read_and_named_for_what_they_hold():
    """One idea, one file: 400 lines are plenty, 600 where one idea needs them."""
    assert [path for path in MODULES if len(path.read_text(encoding="utf-8").splitlines()) > 600] == []
    assert [p for p in MODULES if p.stem in {"utils", "util", "common", "helpers", "core", "misc"}] == []


def test_public_names_load():
    import symattn

    for name in symattn.__all__:
        assert getattr(symattn, name).__name__ == name
    assert set(symattn.__all__) <= set(dir(symattn))
    with pytest.raises(AttributeError):
        symattn.nothing  # noqa: B018


def test_one_place_asks_sympy_to_convert():
    asks = ("sympify", "parse_expr")
    assert [path.name for path in MODULES if any(f"{name}(" in path.read_text() for name in asks)] == ["strict.py"]


def test_nothing_is_simplified_by_search_or_evaluated_as_text():
    """What SymPy's simplify finds depends on its version, and eval runs what a user wrote."""
    texts = {path: path.read_text(encoding="utf-8") for path in MODULES}
    for path in (path for path, text in texts.items() if re.search(r"simplify\b|\beval\b", text)):
        for node in ast.walk(ast.parse(texts[path])):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("sympy.simplify", "sympy.nsimplify", "eval"), f"{path.name}:{node.lineno}"
