"""The house is in order: imports point down, files are small, public names are explained, nothing is left undone."""

from __future__ import annotations

import ast
import doctest
import graphlib
import importlib
import inspect
import os
import re
from functools import cache
from pathlib import Path

import pytest

import srcad

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "srcad"
# The floors, from the ground up; what stands on one floor knows nothing of its neighbours. Modules that are not named
# here, like srcad.api, stand on top. `runtime` stands apart: it knows nobody, and everybody may use it.
FLOORS = [{"lang", "options", "library"}, {"rules", "typing"}, {"analysis"}, {"transforms", "backends"}, {"pipeline"}]
LONGEST_FILE = 300
LONGEST_FUNCTION = 50


def files() -> list[Path]:
    """The files of the product, each once: `srcad/transforms` is a link to `transforms`."""
    found = [*PACKAGE.glob("*.py"), *(ROOT / "transforms").rglob("*.py")]
    for folder in PACKAGE.iterdir():
        if folder.is_dir() and not folder.is_symlink():
            found += folder.rglob("*.py")
    return sorted(found)


FILES = files()
by_file = pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def module(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts if parts[0] == "srcad" else ("srcad", *parts))
    return name.removesuffix(".__init__")


def room(name: str) -> str:
    """``srcad.lang.ir`` lies in the room ``lang``."""
    return (name.split(".") + [""])[1]


def floor(name: str) -> int:
    for level, rooms in enumerate(FLOORS):
        if room(name) in rooms:
            return level
    return len(FLOORS)


def imports(file: Path) -> list[str]:
    """Every module that a file imports, at its head or inside a function."""
    found = []
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{file}: a relative import"
            whole = node.module == "srcad"  # from srcad import rules: names may be modules
            found += [f"srcad.{alias.name}" for alias in node.names] if whole else [str(node.module)]
    return found


@by_file
def test_imports_point_down(file):
    own = module(file)
    for name in imports(file):
        assert name.split(".")[0] != "transforms", f"{own} imports a bare {name}"
        if name.split(".")[0] != "srcad" or room(name) == room(own):
            continue
        assert room(own) != "runtime", f"{own} imports {name}"
        on_top = floor(name) == floor(own) == len(FLOORS)
        assert room(name) == "runtime" or on_top or floor(name) < floor(own), f"{own} imports {name}: no lower floor"


def taken_from(file: Path) -> set[str]:
    """The modules of which a file takes names as it is imported, so that they have to be imported before."""
    return {str(node.module) for node in tree(file).body if isinstance(node, ast.ImportFrom)}


def test_no_cycle_of_imports():
    """Every module can be imported before any other."""
    graph = {module(file): taken_from(file) for file in FILES if file.name != "__init__.py"}
    graphlib.TopologicalSorter({name: found & graph.keys() for name, found in graph.items()}).prepare()


def body_start(function: ast.FunctionDef) -> int:
    """The first line of a function after its docstring."""
    first = function.body[0]
    explained = isinstance(first, ast.Expr) and ast.get_docstring(function) is not None
    return first.end_lineno + 1 if explained else first.lineno


@by_file
def test_short_done_and_explained(file):
    check_length(file)
    check_nothing_left_undone(file)
    if tree(file).body:
        assert ast.get_docstring(tree(file)), "no docstring"


def check_length(file):
    lines = file.read_text(encoding="utf-8").count("\n")
    assert lines <= LONGEST_FILE, f"{lines} lines"
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.FunctionDef):
            length = node.end_lineno - body_start(node) + 1
            assert length <= LONGEST_FUNCTION, f"{node.name}: {length} lines"


def check_nothing_left_undone(file):
    # The words are put together here so that this file does not contain them.
    words = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        assert not re.search(rf"\b({'|'.join(words)})\b", line), f"line {number}: {line.strip()}"


def public_names():
    return [name for name in getattr(srcad, "__all__", ()) if not name.startswith("_")]


@pytest.mark.parametrize("name", public_names())
def test_public_names_are_explained_by_an_example(name):
    value = getattr(srcad, name)
    if not (inspect.isfunction(value) or inspect.isclass(value)):
        return
    assert inspect.getdoc(value), "no docstring"
    if not (isinstance(value, type) and issubclass(value, BaseException)):
        examples = doctest.DocTestFinder(recurse=False).find(value, name)
        assert any(test.examples for test in examples), "no example in the docstring"


def test_typed():
    assert (PACKAGE / "py.typed").is_file()


def test_transforms_are_one_folder_under_two_names():
    link = PACKAGE / "transforms"
    assert link.is_symlink() and os.readlink(link) == "../transforms"
    passes = importlib.import_module("srcad.transforms")
    assert Path(passes.__file__).resolve().parent == ROOT / "transforms"


def test_every_folder_is_packaged():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    packaged = set(re.findall(r'^    "(srcad[\w.]*)",$', text, re.M))
    assert packaged == {module(file) for file in FILES if file.name == "__init__.py"}


def test_one_version():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (version,) = re.findall(r'^version = "(.*)"$', text, re.M)
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert getattr(srcad, "__version__", version) == version
