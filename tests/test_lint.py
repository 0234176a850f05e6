"""lint: all problems of a function, each with its place; on the command line, too."""

import json
import math
import sys

import numpy as np
import pytest

import srcad
from srcad.__main__ import main
from tests import linted, refused
from tests.programs import CORE
from tests.test_errors import marked_lines

X = np.ones(3)


def check(problems, *fns):
    """The marked lines of the functions are blamed, and the caret stands under the marked words."""
    expected = [marked for fn in fns for marked in marked_lines(fn)]
    assert [problem.line for problem in problems] == sorted(line for line, _ in expected), str(problems)
    for problem, (_, word) in zip(problems, sorted(expected)):
        text = open(problem.filename, encoding="utf-8").read().splitlines()[problem.line - 1]
        assert text[problem.column - 1 :].startswith(word), f"the caret is under {text[problem.column - 1 :]}"
        assert problem.reason and problem.filename == fns[0].__code__.co_filename


def test_frontend():
    found = srcad.lint(linted.frontend)
    check(found, linted.frontend, linted.callee)
    assert found and len(found) == 7 and found.name == "frontend" and not found.typed
    assert [p.function for p in found[-2:]] == ["callee", "callee"]
    assert srcad.lint(srcad.grad(linted.frontend))[:] == found[:]


def test_types_do_not_hide_problems_of_the_frontend():
    assert srcad.lint(linted.frontend, 1.0)[:] == srcad.lint(linted.frontend)[:]


def test_typing():
    assert not srcad.lint(linted.typing)
    check(srcad.lint(linted.typing, X, 2.0), linted.typing)
    check(srcad.lint(linted.typing, "float64[:]", c=float), linted.typing)


@pytest.mark.parametrize("fn, args", [(linted.differentiation, (X, 2.0))])
def test_differentiation(fn, args):
    found = srcad.lint(fn, *args)
    check(found, fn)
    _, word = marked_lines(fn)[0]
    assert f"no derivative rule for scipy.{word}" in str(found)
    assert f"@srcad.rule({word})" in found[0].remedy


def test_aliasing_and_a_missing_rule():
    found = srcad.lint(linted.aliasing, X, 3)
    assert "may be known as" in found[0].reason
    check([problem for problem in found if "may be known as" not in problem.reason], linted.aliasing)


def test_nothing_to_say():
    found = srcad.lint(linted.clean, 1.0, 2)
    assert not found and len(found) == 0 and str(found) == "clean: no problems" and found.typed


def test_report():
    text = str(srcad.lint(linted.callee)).splitlines()
    assert text[0].endswith(": del of an element or attribute is not supported")
    assert text[1].startswith("    del t.item") and text[2] == "        ^"
    assert text[3] == "    instead: an array without the element"


@pytest.mark.parametrize("fn", refused.REFUSED, ids=lambda fn: fn.__name__)
def test_refused_functions_are_listed(fn):
    found = srcad.lint(fn, 0.5)
    with pytest.raises(srcad.UnsupportedError) as caught:
        srcad.grad(fn, target="python")(0.5)
    assert {(p.line, p.reason) for p in caught.value.problems} <= {(p.line, p.reason) for p in found}


@pytest.mark.parametrize("nothing", [3, None, "clean", math.sin, max])
def test_what_is_no_function(nothing):
    with pytest.raises(TypeError, match="lint takes a Python function"):
        srcad.lint(nothing)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        srcad.lint(linted.clean, 1.0)


# ---------------------------------------------------------------- the command line


def run(capsys, *words) -> tuple[int, str, str]:
    status = main(words)
    return status, *capsys.readouterr()


def test_lint_of_a_function(capsys):
    status, out, err = run(capsys, "lint", "tests.linted:frontend")
    assert status == 1 and out.rstrip() == str(srcad.lint(linted.frontend)) and err == "7 problems\n"


def test_lint_of_a_module_says_each_problem_once(capsys):
    status, out, _ = run(capsys, "lint", "tests.linted")
    assert status == 1 and out.count("global is not") == 1 and out.count("del of an element") == 1
    assert run(capsys, "lint", linted.__file__) == (status, out, "7 problems\n")


def test_lint_with_types(capsys):
    status, out, _ = run(capsys, "lint", "tests.linted:typing", "float64[:]", "float", "tests.linted:clean")
    assert status == 1 and out.rstrip() == str(srcad.lint(linted.typing, X, 2.0))
    assert run(capsys, "lint", "tests.linted:clean", "float", "int") == (0, "", "")


def test_lint_as_json(capsys):
    status, out, _ = run(capsys, "lint", "--json", "tests.linted:callee")
    assert status == 1 and json.loads(out) == json.loads(srcad.lint(linted.callee).json())
    assert json.loads(out)[0]["remedy"] == "an array without the element"


def test_source(capsys):
    status, out, err = run(capsys, "source", "tests.linted:clean", "float", "int", "--target", "python")
    assert (status, err) == (0, "")
    assert out == srcad.source(srcad.grad(linted.clean, target="python"), float, int)
    _, out, _ = run(capsys, "source", "tests.linted:clean", "float", "int", "--value-and-grad", "--wrt", "x,n")
    assert out == srcad.source(srcad.value_and_grad(linted.clean, wrt=("x", "n")), float, int)
    _, out, _ = run(capsys, "source", "tests.linted:clean", "float", "int", "--stage", "read")
    assert "def clean(x, n):" in out


@pytest.mark.parametrize("words, said", [
    (("lint", "tests.linted:nothing"), "tests.linted has no 'nothing'"),
    (("lint", "tests.linted:X"), "has no 'X'"),
    (("lint", "tests.linted:np"), "'np' of tests.linted is no Python function"),
    (("lint", "tests.nothing"), "there is no module 'tests.nothing'"),
    (("lint", "nothing/at/all.py"), "there is no file nothing/at/all.py"),
    (("source", "tests.linted"), "names no function; write tests.linted:name"),
    (("source", "tests.linted:clean"), "the type of each argument: x, n"),
    (("source", "tests.linted:clean", "float"), "missing a required argument: 'n'"),
    (("source", "tests.linted:clean", "float", "int", "--wrt", "z"), "has no parameter 'z'"),
    (("source", "tests.linted:clean", "float", "int", "--stage", "z"), "stage must be one of"),
])  # fmt: skip
def test_wrong_use_of_the_command_line(capsys, words, said):
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "") and err.startswith("srcad: error: ") and said in err and err.count("\n") == 1


def test_source_of_what_is_refused(capsys):
    status, out, _ = run(capsys, "source", "tests.linted:callee", "float")
    assert status == 1 and out.rstrip() == str(srcad.lint(linted.callee))


def test_a_module_that_fails(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "failing_module.py"
    file.write_text("x = 1\ny = x / 0\n")
    status, _, err = run(capsys, "lint", str(file))
    assert status == 2 and "ZeroDivisionError: division by zero" in err and "failing_module.py:2" in err
    other = tmp_path / "broken_module.py"
    other.write_text("def f(:\n")
    status, _, err = run(capsys, "lint", str(other))
    assert status == 2 and "invalid syntax" in err and "broken_module.py:1" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("words, status, said", [
    (("--version",), 0, f"srcad {srcad.__version__}"),
    (("--help",), 0, "lint"),
    ((), 2, "command"),
    (("lint",), 2, "target"),
])  # fmt: skip
def test_habits(capsys, words, status, said):
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == status and said in "".join(capsys.readouterr())


@pytest.mark.parametrize("name", [n for n, program in CORE.items() if "may_refuse" not in program.tags])
def test_nothing_is_said_about_what_is_differentiated(name):
    assert not srcad.lint(CORE[name].fn, *CORE[name].example())


# ---------------------------------------------------------------- what is known at the call alone


SCALE = srcad.Variable(2.0)


def reads_a_variable(x):
    return SCALE * x * x


def updates_a_variable(x):
    SCALE.assign_add(x)
    return SCALE * x


def solves_for_a_variable(x):
    return np.fromiter(np.array([1.0, SCALE * 1.0]), float)[0] + x


def takes_a_gradient(x):
    y = x * x
    return srcad.gradients(y, x)[0]


def sums_along(a, axis):
    return np.sum(np.sum(a, axis=axis) ** 2)


@pytest.mark.parametrize("fn", [reads_a_variable, updates_a_variable])
def test_functions_that_read_variables(fn):
    assert not srcad.lint(fn) and not srcad.lint(fn, 1.0)
    assert not srcad.lint(srcad.grad(fn, target="python"), 1.0)
    assert not srcad.lint(srcad.implicit_gradients(fn, target="python"), 1.0)
    assert not srcad.lint(srcad.function(fn, target="python"), float)


def test_variables_alone_are_differentiated():
    assert not srcad.lint(solves_for_a_variable, 1.0)
    [problem] = srcad.lint(solves_for_a_variable, 1)
    assert problem.line == solves_for_a_variable.__code__.co_firstlineno + 1


def test_functions_that_take_gradients():
    assert not srcad.lint(srcad.function(takes_a_gradient, target="python"), 1.0)


def test_values_that_types_depend_on():
    assert not srcad.lint(sums_along, np.ones((2, 3)), 1)
    [problem] = srcad.lint(sums_along, "float64[:, :]", int)
    assert problem.reason == "an axis that is not known at compile time"
    [problem] = srcad.lint(sums_along, np.ones((2, 3)), 5)
    assert problem.reason == "axis 5 of an array of rank 2 is not supported"


def test_methods_of_a_module(capsys, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "module_with_methods.py"
    file.write_text("class Spring:\n    def energy(self, x):\n        return eval('x')\n\n    def __repr__(self):\n"
                    "        return eval('x')\n")  # fmt: skip
    status, out, _ = run(capsys, "lint", str(file))
    assert status == 1 and "module_with_methods.py:3:16: eval() inside the function" in out and out.count("eval()") == 1


def test_a_module_with_functions_that_nobody_differentiates(capsys, tmp_path, monkeypatch):
    """Of what a function calls in installed modules, one problem is said where a whole module is looked at."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "module_with_main.py"
    file.write_text("import shlex\n\n\ndef square(x):\n    return x * x\n\n\n"
                    "def main(x):\n    return shlex.split('a')\n")  # fmt: skip
    status, out, err = run(capsys, "lint", str(file))
    assert status == 1 and err.strip() == "1 problem"
    status, out, err = run(capsys, "lint", f"{file}:main")
    assert status == 1 and int(err.split()[0]) > 1
