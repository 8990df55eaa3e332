"""The order of the rooms, one owner for each heavy dependency, cheap imports, files of a size to read."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "symattn"
# top to bottom: a line imports only lower lines, and rooms on one line do not know each other
ORDER = """
__main__
cli
cli_check cli_saturation
__init__ audit
corrections
copies
differentiation
derivation library findings_document saturation_report array_report
findings_text figures
remarks
report findings_report exposition
studies array_ranking
saturation_words
equations chain_rule proofs
expansion flow tables
checking saturation identities
lowering worksheet
composition
calculation
options
stated arrays
values
unfolding unrolling gradient costs formula readers writers
kept operations
shapes
nodes steps article amounts
document exact_text
notation
errors execution
prose
"""
LINES = {room: line for line, rooms in enumerate(ORDER.split("\n")) for room in rooms.split()}
# these load rooms (and what only these need) when asked for, so that starting costs nothing
DOORS = {"cli": {"symattn", "pathlib", "dataclasses"}, "cli_saturation": {"symattn"}, "__init__": {"importlib"}}
DOORS["writers"] = {"quickjs"}  # an extra, which only HTML needs
OWNERS = {
    "flint": {"values"},
    "mpmath": {"values"},
    "numpy": {"exact_text", "derivation", "values", "arrays", "array_ranking", "lowering"},
    "matplotlib": {"figures"},
    "quickjs": {"writers"},
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree, path):
    """(module, inside a function, for type checkers only) of each import."""
    found = []

    def visit(node, inside, typing):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                found.extend((alias.name, inside, typing) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}: relative import"
                names = [f"{child.module}.{a.name}" for a in child.names]
                found.append((child.module, inside, typing))
                found.extend((name, inside, typing) for name in names if is_module(name))
            guarded = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            visit(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef), typing or guarded)

    visit(tree, False, False)
    return found


def is_module(name):
    path = PACKAGE.parent.joinpath(*name.split("."))
    return name.startswith("symattn.") and (path.with_suffix(".py").exists() or path.is_dir())


IMPORTS = {path: imports(ast.parse(path.read_text(encoding="utf-8")), path) for path in MODULES}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_downwards(path):
    room = room_of(path)
    assert room in LINES, f"{room} is a new room: give it its place in ORDER"
    for name, _, typing in IMPORTS[path]:
        if name.partition(".")[0] != "symattn" or typing:
            continue
        target = [*name.split("."), "__init__"][1]
        if target in ("__init__", room):
            continue
        assert target in LINES, f"{target} is a new room: give it its place in ORDER"
        assert LINES[room] < LINES[target], f"{room} imports {target}, which is not below it"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_import_inside_a_function_but_the_doors(path):
    inside = {name for name, within, _ in IMPORTS[path] if within}
    through = DOORS.get(room_of(path), set())
    assert {name.partition(".")[0] for name in inside} <= through


def test_no_import_cycle():
    name_of = {
        path: ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in MODULES
    }
    known = set(name_of.values())
    graph = {
        name_of[p]: {
            n for n, within, typing in IMPORTS[p] if n in known and not within and not typing and n != name_of[p]
        }
        for p in MODULES
    }
    # a package's __init__ gathers its modules; `from package import module` is an edge to the module
    for name, targets in graph.items():
        targets -= {t for t in targets if name.startswith(f"{t}.") and any(o.startswith(f"{t}.") for o in targets)}
    done, open_ = set(), []

    def walk(name):
        assert name not in open_, "import cycle: " + " -> ".join([*open_[open_.index(name) :], name])
        if name in done:
            return
        open_.append(name)
        for target in sorted(graph[name]):
            walk(target)
        done.add(open_.pop())

    for name in sorted(graph):
        walk(name)
    assert done == known


@pytest.mark.parametrize("dependency", OWNERS)
def test_one_owner_for_each_heavy_dependency(dependency):
    users = {room_of(p) for p in MODULES for name, _, _ in IMPORTS[p] if name.partition(".")[0] == dependency}
    assert users <= OWNERS[dependency]


@pytest.mark.parametrize("module", ["symattn", "symattn.cli"])
def test_importing_is_cheap(module):
    code = f"import sys, {module}; print(*({{'sympy', 'numpy', 'mpmath', 'flint'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE.parent, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_are_of_a_size_to_read_and_named_for_what_they_hold(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
    assert path.stem not in {"utils", "util", "common", "helpers", "core", "misc"}


def test_public_names_load():
    import symattn

    for name in symattn.__all__:
        assert getattr(symattn, name).__name__ == name
    assert set(symattn.__all__) <= set(dir(symattn))
    with pytest.raises(AttributeError):
        symattn.nothing  # noqa: B018
