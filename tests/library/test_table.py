"""The page on NumPy says what there is, of every function of NumPy."""

import linecache
import re
from pathlib import Path

import numpy as np
import pytest

import srcad
from srcad.rules.parse import Cotangent, Refusal, Tangent
from tests.benchmarks.lowered_calls import CALLS
from tests.library.table import METHODS_WITHOUT, TABLES, functions, row, rule_of, statements, unaccounted
from tests.library.written import CASES
from tests.pages import check_table

NEWEST = (2, 4)  # the NumPy of which the page tells
version = tuple(int(part) for part in np.__version__.split(".")[:2])
of_this_numpy = pytest.mark.skipif(version != NEWEST, reason="the page tells of another version of NumPy")


@of_this_numpy
@pytest.mark.parametrize("name", TABLES)
def test_table_is_true(name, request):
    check_table("numpy.md", name, TABLES[name](), request.config.getoption("--update"))


@of_this_numpy
def test_every_function_is_accounted_for():
    assert not unaccounted()


def test_every_rule_has_both_modes():
    for name, function in functions().items():
        rule = rule_of(function)
        if rule is not None and not rule.zero:
            found = set(statements(rule.body))
            assert {Tangent, Cotangent} <= found or Refusal in found, name


@of_this_numpy
def test_the_speed_of_every_lowered_function_is_measured():
    """`python -m tests.benchmarks.lowered` has a call of each function in whose row stands that it is lowered."""
    rows = {name: row(name, function) for name, function in functions().items()}
    lowered = {name for name, line in rows.items() if line is not None and line.split("|")[7].strip() == "yes"}
    assert len(lowered) > 150
    assert not {name for name in lowered if not re.search(rf"(?<![\w.]){re.escape(name)}\(", CALLS)}


@of_this_numpy
def test_every_method_is_accounted_for():
    """What the page says that there is, appears in a call or in a program."""
    folder = Path(__file__).parents[1]
    texts = [expression for expression, _ in CASES]
    texts += [path.read_text(encoding="utf-8") for path in (folder / "corpus").glob("*.py")]
    called = set(re.findall(r"\.(\w+)", "\n".join(texts)))
    missing = {name for names in METHODS_WITHOUT.values() for name in names.split()}
    assert not {name for name in dir(np.ndarray) if not name.startswith("_")} - called - missing


@pytest.mark.parametrize("name", " ".join(METHODS_WITHOUT.values()).split())
def test_methods_without_are_refused(name):
    attribute = ("base", "ctypes", "data", "device", "flags", "strides")
    arguments = {"getfield": "float", "setfield": "1.0, float", "resize": "3", "to_device": "'cpu'", "tofile": "'f'",
                 "dump": "'f'", "setflags": "1", "view": "np.int64"}.get(name, "")  # fmt: skip
    call = name if name in attribute else f"{name}({arguments})"
    space = {"np": np}
    text = f"def f(x):\n    x.{call}\n    return np.sum(x.{call} * x)\n"
    linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(True), f"<{name}>")
    exec(compile(text, f"<{name}>", "exec"), space)
    with pytest.raises(srcad.UnsupportedError):
        srcad.grad(space["f"], target="python")(np.ones(3))
