"""Wrong use of the functions of srcad, of rules, and of its command line, for what is said about it."""

# ruff: noqa
# fmt: off

from __future__ import annotations

import ctypes
import collections
import contextlib
import functools
import io
import linecache
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import linalg, signal
from scipy.spatial import distance

import srcad
from srcad.__main__ import main
from srcad.lang.depth import deep
from srcad.lang.locate import function_of
from srcad.rules.rule import table
from srcad.testing import check_grads

FOLDER = Path(tempfile.mkdtemp())
ONES, OTHER = np.ones(3), np.ones(3)
Point = collections.namedtuple("Point", "x y")


class Star:
    def __call__(self, *xs): return xs[0]
    def method(self, y, x): x.bar += y.bar


def square(x): return x * x
def product(x, y): return x * y
def total(v): return np.sum(v * v)
def listed(v, w, n):
    rows = [v]
    for _ in range(n): rows.append(w)
    return sum(np.sum(column) for column in zip(*rows))
def stepped(x, k):
    for _ in srcad.checkpoint(range(0, 9, k), every=3): x = x * x
    return x
def zipped(x):
    for _, k in zip(srcad.checkpoint(range(9), every=3), range(9)): x = x * k
    return x
def over_nothing(x):
    for _ in srcad.checkpoint(every=3): x = x * x
    return x
def first(x, y): return x * x
def of_point(p): return np.sum(p.x * p.y)
def writing(x, g):
    srcad.grad(total)(x, out=g)
    return np.sum(g)
def several(x, y): return x * y, x + y
def of_dict(p): return p["a"] * p["b"]
def of_tuple(t): return t[0] * t[1]
def to_dict(x): return {"a": x * x, "b": x}
def other_method(x): return srcad.gradients(x * x, x, aggregation_method="all")[0]
def seeded(x, grad_ys): return srcad.gradients(x * grad_ys, x)[0]
def held(v):
    a = v * 1.0
    b = srcad.stop_gradient(a)[1:]
    b[0] = v[0]
    return np.sum(a * a)
@srcad.custom_gradient
def clipped(x): return x * x, lambda dy: min(dy, 1.0)
def with_pullback(x): return clipped(x)
def endless(): return endless()
TWICE, HELD = {"a": 1.0, "b": 2.0}, srcad.Variable(2.0)
def changing(p):
    p["a"] = p["a"] * p["b"]
    return p["a"]
def moving(p, q):
    p["a"] = p["a"] * q["b"]
    return p["a"]
def changing_both(p):
    HELD.assign(p["a"])
    return changing(p)
def sometimes(p):
    if p["a"] > 0.0: p["c"] = 2.0
    return p["a"]
def shared_inside(p):
    p["a"] = p["b"]
    return p["a"]["x"]


def _grad(*args, **kwargs): return srcad.grad(*args, target="python", **kwargs)
def _jvp(*args, **kwargs): return srcad.jvp(*args, target="python", **kwargs)
def _debug(f, *args): return srcad.grad(f, target="python", debug=True)(*args)


def _read_only():
    out = np.ones(3)
    out.flags.writeable = False
    return out


def _from_file(name: str, before: str, after: str | None = None) -> Any:
    """A function of a file, which then changes."""
    file, space = FOLDER / f"{name}.py", {"np": np}
    file.write_text(before, encoding="utf-8")
    exec(compile(before, str(file), "exec"), space)
    if after is not None:
        file.write_text(after, encoding="utf-8")
    linecache.checkcache(str(file))
    return space["f"]


def _closed_too_early():
    def f(x): return x * later
    df = _grad(f)
    df(1.0)
    later = 2.0


def _many_branches():
    head = "def f(x, n):\n    y = x\n    for i in range(n):\n"
    tests = "".join(f"{'    ' * (k + 2)}if x < {k + 10}.0:\n" for k in range(96))
    return _from_file("branches", head + tests + "    " * 98 + "y = np.sin(y) * x\n    return y\n")


def _many_calls():
    calls = "".join(f"def f{k}(x): return f{k + 1}(x) * 1.0\n" for k in range(130))
    return _from_file("calls", f"{calls}def f130(x): return x\ndef f(x): return f0(x)\n")


# ---------------------------------------------------------------- rules


def ruled(x, n=2): return x ** n
def uses_rule(x): return ruled(x)
def uses_rule_of(x, n): return ruled(x, n)
def uses_rule_of_three(x): return ruled(x, 3)


def only_dot(y, x, n=2): y.dot = x.dot
def only_bar(y, x, n=2): x.bar += y.bar
def no_statement(y, x, n=2): pass
def fewer(y, x): x.bar += y.bar
def tests_number(y, x, n=2):
    if n > 2: x.bar += y.bar
def over_number(y, x, n=2):
    for a in x: a.bar += y.bar
def refuses(y, x, n=2):
    if n != 2: raise NotImplementedError("ruled(x, n) has a rule for n=2; instead: x * x * x")
    x.bar += y.bar
def complex_dot(y, x, n=2):
    y.dot = 1j * x.dot
    x.bar += y.bar
def adds_an_array(y, x, n=2): x.bar += y.bar * np.ones(3)
def with_while(y, x, n=2):
    while True: x.bar += y.bar
def with_lambda(y, x, n=2): x.bar += (lambda t: t)(y.bar)
def with_attribute(y, x, n=2):
    a, x.b = y, y
    x.bar += y.bar
def with_unknown(y, x, n=2): x.bar += y.bar * unknown


def _with_rule(rule: Any, use: Callable[[], Any]) -> Callable[[], Any]:
    def run():
        srcad.rule(ruled)(rule)
        try: return use()
        finally: del table[ruled]
    return run


# ---------------------------------------------------------------- the command line


def _command(*words: str) -> Callable[[], Any]:
    def run():
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            try: status = main(list(words))
            except SystemExit as error: status = error.code
        raise ValueError(f"exit status {status}: {said.getvalue().strip()}")
    return run


def _other_file():
    other = FOLDER / "language.py"  # a module of this name stands for another file already
    other.write_text("def f(x): return x\n", encoding="utf-8")
    import sys
    sys.modules["language"] = __import__("tests.language", fromlist=["_"])
    try: _command("lint", str(other))()
    except ValueError as error:
        text = str(error).replace(str(Path(__file__).parent), "tests")
        raise ValueError(text) from None
    finally: del sys.modules["language"]


# ---------------------------------------------------------------- what functions say when they run


def root_of_negative(A): return np.sum(linalg.sqrtm(A))
def crossed(v): return np.sum(np.cross(v, v))
def convolved(v, w): return np.sum(signal.fftconvolve(v[:, None], np.outer(w, w), mode="same", axes=0))
def split(v): return np.sum(np.split(v, 3)[0])
def searched(v):
    squares = [a * a for a in v]
    return squares.index(7.0) * v[0]
def least_pair(v): return min((a * a, k) for k, a in enumerate(v) if a > 100.0)[0]
def greatest_pair(v): return max((a * a, k) for k, a in enumerate(v) if a > 100.0)[0]
def smallest(v): return np.median(v)
def added(v, w): return np.sum(v + w)
def multiplied(A, v): return np.sum(A @ v)
def banded(A, v): return np.sum(linalg.solve_banded((1, 1), A, v))
def distances(x): return np.sum(distance.squareform(x))
def aged(f, s): return np.sum(linalg.leslie(f, s))
def half_banded(A, v): return np.sum(linalg.solveh_banded(A, v, lower=True))


USES = {
    "a text for a switch": lambda: srcad.grad(square, debug="yes"),
    "explain of an array": lambda: srcad.explain(_grad(square), ONES),
    "one dict passed twice": lambda: _grad(moving)(TWICE, TWICE),
    "a derivative of a derivative of what changes a dict": lambda: srcad.hessian(changing)({"a": 1.0, "b": 2.0}),
    "a dict and a Variable changed": lambda: _grad(changing_both)({"a": 1.0, "b": 2.0}),
    "a key on some paths only": lambda: _grad(sometimes)({"a": 1.0}),
    "an object put into a dict twice": lambda: _grad(shared_inside)({"a": {"x": 1.0}, "b": {"x": 2.0}}),
    "attribute of no object": lambda: srcad.grad(product, wrt="self.k"),
    "wrt twice": lambda: _jvp(product, wrt=(0, "x")),
    "a partial of packed parameters": lambda: srcad.function(functools.partial(lambda *a: a[0], 1.0)),
    "an object with packed parameters": lambda: srcad.function(Star()),
    "nothing to check": lambda: check_grads(square, (3,), target="python"),
    "other modes to check": lambda: check_grads(square, (3.0,), modes=("both",), target="python"),
    "no variables": lambda: srcad.implicit_gradients(square, target="python")(1.0),
    "an unknown option of implicit_gradients": lambda: srcad.implicit_gradients(square, order=2),
    "a Variable of text": lambda: srcad.Variable("a"),
    "explain of a derivative in forward mode": lambda: srcad.explain(_jvp(square), args=(1.0,)),
    "tangents in one array": lambda: _jvp(product, wrt=(0, 1))(1.0, 2.0, tangents=np.ones(2)),
    "too few tangents": lambda: _jvp(product, wrt=(0, 1))(1.0, 2.0, tangents=(1.0,)),
    "a tangent that is a tuple": lambda: _jvp(square)(1.0, tangents=(1.0,)),
    "a method of every tuple": lambda: _grad(lambda point: point.index(1.0) * point.y)(Point(1.0, 2.0)),
    "a tangent of another dtype": lambda: _jvp(total)(np.ones(2), tangents=np.ones(2, np.float32)),
    "a tangent of another shape": lambda: _jvp(total)(np.ones(2), tangents=np.ones(3)),
    "tangents of another dtype": lambda: _jvp(total)(np.ones(2), tangents=np.ones((3, 2), np.float32)),
    "tangents of another shape": lambda: _jvp(total)(np.ones(2), tangents=np.ones((3, 4))),
    "tangents with other keys": lambda: _jvp(of_dict)({"a": 1.0, "b": 2.0}, tangents={"a": 1.0, "c": 1.0}),
    "a tuple of tangents for a dict": lambda: _jvp(of_dict)({"a": 1.0, "b": 2.0}, tangents=(1.0, 1.0)),
    "more tangents than elements": lambda: _jvp(of_tuple)((1.0, 2.0), tangents=(1.0, 2.0, 3.0)),
    "seeds with other keys": lambda: _grad(to_dict)(1.0, grad_ys={"a": 1.0, "c": 1.0}),
    "a tuple of seeds for a dict": lambda: _grad(to_dict)(1.0, grad_ys=(1.0, 2.0)),
    "segments of half an iteration": lambda: srcad.checkpoint(range(3), every=0.5),
    "segments of no iteration": lambda: srcad.checkpoint(range(3), every=0),
    "a checkpointed range with any step": lambda: _grad(stepped)(1.0, 2),
    "a checkpointed range beside another": lambda: _grad(zipped)(1.0),
    "a checkpointed nothing": lambda: _grad(over_nothing)(1.0),
    "no room for a record": lambda: _grad(square, max_tape=0.5),
    "much room for a record": lambda: _grad(square, max_tape="much"),
    "arrays of two lengths in one list": lambda: _grad(listed)(np.ones(3), np.ones(2), 1),
    "a gradient into an array of another shape": lambda: _grad(total)(np.ones(3), out=np.ones(2)),
    "a gradient into an array of another rank": lambda: _grad(total)(np.ones(3), out=np.ones((3, 1))),
    "a gradient into an array of another dtype": lambda: _grad(total)(np.ones(3), out=np.ones(3, np.float32)),
    "a gradient into every other element": lambda: _grad(total)(np.ones(3), out=np.ones(6)[::2]),
    "a gradient into the argument": lambda: _grad(total)(ONES, out=ONES),
    "a gradient into an array that is read-only": lambda: srcad.grad(total)(ONES, out=_read_only()),
    "a gradient into a list": lambda: _grad(total)(np.ones(3), out=[1.0]),
    "the gradient of a number into an array": lambda: _grad(square)(2.0, out=np.ones(1)),
    "two gradients into one array": lambda: _grad(product, wrt=(0, 1))(ONES, np.ones(3), out=np.ones(3)),
    "two gradients into the same array twice": lambda: _grad(product, wrt=(0, 1))(ONES, ONES + 1, out=(OTHER, OTHER)),
    "two gradients into a tuple of three": lambda: _grad(product, wrt=(0, 1))(ONES, ONES, out=(None, None, OTHER)),
    "the gradient of a named tuple into a tuple": lambda: _grad(of_point)(Point(ONES, ONES), out=(OTHER, OTHER)),
    "no gradient into an array": lambda: _grad(first, wrt="y")(2.0, np.ones(3), out=np.ones(3)),
    "out= inside a compiled function": lambda: srcad.function(writing, target="python")(ONES, OTHER),
    "a dict of seeds for a tuple": lambda: _grad(several)(1.0, 2.0, grad_ys={"a": 1.0}),
    "the Jacobian by an array without axes": lambda: srcad.jacobian(square, target="python")(np.array(2.0)),
    "the Jacobian of complex numbers": lambda: srcad.jacobian(square, target="python")(1j),
    "a function of a file that has changed": lambda: _grad(_from_file(
        "changed", "def f(x): return x * x\n", "y = 1\ndef g(x, y):\n    return x + y\n"))(1.0),
    "a function of a file that is broken": lambda: _grad(_from_file(
        "broken", "def f(x): return x * x\n", "def f(x): return x *\n"))(1.0),
    "a lambda of a file that has changed": lambda: _grad(_from_file(
        "lambda_", "f = lambda x: x * 7.25\n", "f = 2\n"))(1.0),
    "a lambda of a file that is broken": lambda: _grad(_from_file(
        "broken_lambda", "f = lambda x: x * 7.375\n", "f = lambda x: (x\n"))(1.0),
    "a closure without a value": _closed_too_early,
    "an expression without an end": lambda: deep(endless, square),
    "branches without an end": lambda: _grad(_many_branches())(1.0, 2),
    "calls without an end": lambda: _grad(_many_calls())(1.0),
    "a rule that is no def": lambda: srcad.rule(ruled)(np.sin),
    "a rule for nothing": lambda: srcad.rule()(only_bar),
    "a rule for a foreign function": lambda: srcad.rule(ctypes.pythonapi.PyOS_string_to_double)(only_bar),
    "a rule for a name": lambda: srcad.rule("ruled")(only_bar),
    "a rule that adds an array": _with_rule(adds_an_array, lambda: _grad(uses_rule)(1.0)),
    "a rule of tangents alone": _with_rule(only_dot, lambda: _grad(uses_rule)(1.0)),
    "a rule of cotangents alone": _with_rule(only_bar, lambda: _jvp(uses_rule)(1.0, tangents=1.0)),
    "a rule without a statement": _with_rule(no_statement, lambda: _grad(uses_rule)(1.0)),
    "a rule of fewer arguments": _with_rule(fewer, lambda: _grad(uses_rule_of)(1.0, 3)),
    "a rule that tests a number": _with_rule(tests_number, lambda: _grad(uses_rule_of)(1.0, 3)),
    "a rule that loops over a number": _with_rule(over_number, lambda: _grad(uses_rule)(1.0)),
    "a rule that refuses": _with_rule(refuses, lambda: _grad(uses_rule_of_three)(1.0)),
    "a rule with while": _with_rule(with_while, lambda: _grad(uses_rule)(1.0)),
    "a rule with a lambda": _with_rule(with_lambda, lambda: _grad(uses_rule)(1.0)),
    "a rule that sets an attribute": _with_rule(with_attribute, lambda: _grad(uses_rule)(1.0)),
    "a rule with an unknown name": _with_rule(with_unknown, lambda: _grad(uses_rule)(1.0)),
    "a rule whose tangent is complex": _with_rule(complex_dot, lambda: _jvp(uses_rule)(1.0, tangents=1.0)),
    "stop_gradient of an array that is written to": lambda: _jvp(held)(np.ones(3), tangents=np.ones(3)),
    "another aggregation_method": lambda: srcad.function(other_method, target="python")(1.0),
    "a parameter called grad_ys of a function": lambda: srcad.function(seeded, target="python")(1.0, 1.0),
    "a custom gradient without a pullback": lambda: srcad.custom_gradient(square)(1.0),
    "a custom gradient in forward mode": lambda: _jvp(with_pullback)(1.0, tangents=1.0),
    "the source of a builtin": lambda: function_of(len),
    "the source of a partial": lambda: function_of(functools.partial(square)),
    "source without types": _command("source", "tests.messages_of_use:square"),
    "lint of a module that is not there": _command("lint", "no_such_module.sub"),
    "lint of a file that is not there": _command("lint", "tests/nothing.py"),
    "lint of another file of the name": _other_file,
    "lint of a name that is not there": _command("lint", "tests.messages_of_use:nothing"),
    "lint of a class": _command("lint", "tests.messages_of_use:Star"),
    "lint of a constant": _command("lint", "tests.messages_of_use:USES"),
    "lint of a builtin": _command("lint", "math:sin"),
    "lint of a folder": _command("lint", "tests"),
    "lint of this folder": _command("lint", "."),
    "lint with a wrong type": _command("lint", "tests.messages_of_use:square", "float65"),
    "lint with too many types": _command("lint", "tests.messages_of_use:square", "float", "float"),
    "np.cross of two components": lambda: _grad(crossed)(np.ones(2)),
    "a real matrix whose square root is complex": lambda: _grad(root_of_negative)(-np.eye(2)),
    "fftconvolve with a longer second array": lambda: _grad(convolved)(np.ones(2), np.ones(3)),
    "np.split into unequal parts": lambda: _grad(split)(np.ones(4)),
    "a value that is not in a list": lambda: _grad(searched)(np.ones(2)),
    "the least of no tuples": lambda: _grad(least_pair)(np.ones(2)),
    "the greatest of no tuples": lambda: _grad(greatest_pair)(np.ones(2)),
    "np.median of nothing": lambda: _grad(smallest)(np.ones(0)),
    "a sum of other shapes with debug": lambda: _debug(added, np.ones(2), np.ones(3)),
    "solve_banded of two diagonals of three": lambda: srcad.function(banded)(np.ones((2, 3)), np.ones(3)),
    "solve_banded of a longer right side": lambda: srcad.function(banded)(np.ones((3, 3)), np.ones(4)),
    "solveh_banded of a longer right side": lambda: srcad.function(half_banded)(np.ones((2, 3)), np.ones(4)),
    "squareform of a matrix that is not symmetric": lambda: _grad(distances)(np.arange(9.0).reshape(3, 3)),
    "squareform of four numbers": lambda: _grad(distances)(np.ones(4)),
    "leslie of as many survival coefficients": lambda: srcad.function(aged)(np.ones(3), np.ones(3)),
    "a product of other shapes with debug": lambda: _debug(multiplied, np.ones((2, 3)), np.ones(2)),
}
