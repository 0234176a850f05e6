"""explain: why names carry a derivative or not, what is recorded and how much that is, and how loops are reversed."""

import numpy as np
import pytest

import srcad
from srcad import explaining, sizes
from srcad.__main__ import main
from srcad.pipeline import helpers
from tests.programs import CORE, PROGRAMS

SLOW = pytest.mark.slow
X = np.linspace(0.1, 0.7, 4)


def explained(fn, *args, wrt=0, **options):
    return srcad.explain(srcad.value_and_grad(fn, wrt=wrt, target="python", **options), args=args)


def reasons(x, n, flag, unused, other, kind="a"):
    k = n + 1
    scale = 0.5 * k
    held = srcad.stop_gradient(x)
    doubled = 2.0 * held
    dead = x * 2  # noqa: F841
    best = np.argmax(x)
    lost = np.sin(x)
    shape = np.zeros(x.shape[0])
    foreign = np.cos(other)
    over = x * 3
    over = np.exp(other)
    limit = np.sum(x)
    none = None  # noqa: F841
    y = np.sum(x * scale) + best
    if limit > 100.0:
        y = y * 2
    return y + np.sum(doubled) + np.argmax(lost) + np.sum(shape) + foreign + over


def test_reasons():
    names = explained(reasons, X, 2, True, 1.0, 2.0).names
    said = {name: facts.why for name, facts in names.items()}
    line = reasons.__code__.co_firstlineno
    assert said == {
        "x": "", "y": "",
        "n": "an integer", "k": "an integer", "best": "an integer",
        "flag": "a truth value",
        "kind": "a constant that is known when the derivative is made",
        "none": "a constant that is known when the derivative is made, or on a path that is not taken",
        "unused": "not asked for: wrt is x",
        "other": "not asked for: wrt is x",
        "scale": "not on a path from x: computed from n",
        "held": f"held by stop_gradient (line {line + 3})",
        "doubled": f"held by stop_gradient (line {line + 3})",
        "dead": "never used",
        "lost": f"not on a path to the result: it only goes into an integer (line {line + 17})",
        "shape": "not on a path from x: only through integers, truth values or shapes",
        "foreign": "computed from other only, and wrt is x",
        "over": "overwritten before it is used; computed from other only, and wrt is x",
        "limit": f"not on a path to the result: it only goes into a condition (line {line + 15})",
    }  # fmt: skip
    assert names["x"].active and not names["n"].active
    assert (names["x"].type, names["n"].type, names["held"].lines) == ("float64[:]", "int64", (line + 3,))


@pytest.mark.parametrize("name, value, why", [
    ("x", X, ""), ("n", 2, "an integer"), ("flag", True, "a truth value"), ("unused", 1.0, "never used"),
    ("other", 2.0, ""),
])  # fmt: skip
def test_why_the_gradient_is_none(name, value, why):
    args = {"x": X, "n": 2, "flag": True, "unused": 1.0, "other": 2.0}
    gradient = srcad.grad(reasons, wrt=name, target="python")(**args)
    assert explained(reasons, *args.values(), wrt=name).gradients == {name: why}
    assert (gradient is None) == bool(why)


def test_stop_gradients():
    found = explained(reasons, X, 2, True, 1.0, 2.0, stop_gradients=("y", "lost"))
    assert found.names["y"].why.startswith("held by stop_gradient")
    assert found.gradients["x"].startswith("not on a path to the result: it only goes into")


def held_alone(x):
    return np.sum(srcad.stop_gradient(x))


@pytest.mark.parametrize("x", [0.5, X])
def test_what_is_held_alone_has_no_gradient(x):
    assert srcad.grad(held_alone, target="python")(x) is None


# ---------------------------------------------------------------- records, replays, loops


def recurrence(r, x, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def rows(u, steps):
    for _ in range(steps):
        v = np.empty_like(u)
        for i in range(u.shape[0]):
            v[i] = np.sin(u[i]) * u[i - 1]
        u = v
    return np.sum(u)


def until(x):
    while x < 100.0:
        x = x * x
    return x


def joined(w, x):
    s = 0.0
    for i in range(x.shape[0]):
        s += np.exp(w * x[i])
    return s


def joined_not(w, x):
    s = 0.0
    for i in range(x.shape[0]):
        s += np.exp(w * x[i])
    t = s * s
    return np.sin(t)


def branch(w, x):
    s = 0.0
    if w > 0:
        for i in range(x.shape[0]):
            s += np.exp(w * x[i])
    for i in range(x.shape[0]):
        if x[i] > 100.0:
            break
        s += w
    for i in range(3):
        print(i)
    return s


def test_recurrence():
    found = explained(recurrence, 3.5, 0.5, 1000)
    (record,) = found.records
    line = recurrence.__code__.co_firstlineno + 1
    assert (record.name, record.source, record.formula, record.bytes) == ("x_tape", "x", "8*n", 8000)
    assert (record.line, record.readers, found.bytes) == (line, (line + 1,), 8000)
    (loop,) = found.loops
    assert (loop.line, loop.joined, loop.reversed) == (line, False, True)
    assert loop.why == "it records x"
    assert "x_tape = np.empty(max(n, 0))" in srcad.source(srcad.grad(recurrence), 3.5, 0.5, 3)


def test_types_give_formulas():
    found = srcad.explain(srcad.grad(recurrence), args=(float, "float64", int))
    assert found.bytes is None and found.records[0].formula == "8*n" and found.records[0].bytes is None


def test_rows():
    found = explained(rows, X, 10)
    (record,) = found.records
    assert (record.formula, record.bytes) == ("8*steps*u.shape[0]", 8 * 10 * 4)
    single = explained(rows, X.astype(np.float32), 10)
    assert (single.records[0].formula, single.bytes) == ("4*steps*u.shape[0]", 4 * 10 * 4)


def test_the_size_of_what_grows_is_measured():
    found = explained(until, 1.5)
    line = until.__code__.co_firstlineno + 1
    assert found.records[0].formula == f"8*(iterations of line {line})" and found.bytes == 8 * 64
    assert found.loops[0].why == "it records x"


def test_loops():
    line, line_of_not = (fn.__code__.co_firstlineno + 2 for fn in (joined, joined_not))
    (loop,) = explained(joined, 0.5, X).loops
    assert (loop.line, loop.joined, loop.why) == (line, True, "")
    (loop,) = explained(joined_not, 0.5, X).loops
    later = f"s (line {line_of_not}) and t (line {line_of_not + 2})"
    assert not loop.joined and loop.why == f"its reverse needs {later}, known only after it"
    first, second, third = explained(branch, 0.5, X).loops
    assert first.why == "it stands in a branch" and second.why == "it is left early"
    assert not third.reversed and "no derivative goes through it" in str(explained(branch, 0.5, X))


def test_replayed():
    found = explained(recurrence, 3.5, 0.5, 9)
    assert [replay.line for replay in found.replayed] == [recurrence.__code__.co_firstlineno + 2]
    assert not explained(joined, 0.5, X).replayed
    found = explained(joined_not, 0.5, X)
    assert [replay.line for replay in found.replayed] == [joined_not.__code__.co_firstlineno + 3]


def test_text():
    text = str(explained(recurrence, 3.5, 0.5, 1000, wrt=("r", "n")))
    line = recurrence.__code__.co_firstlineno + 1
    assert text == f"""\
recurrence with respect to r, n, for r: float64, x: float64, n: int64
gradients
  r  is returned
  n  None: an integer
names
  r  carries a derivative
  x  carries a derivative
  n  an integer
  _  an integer
recorded: 8000 bytes
  x_tape  8*n bytes, 8000: x at line {line} (the iteration starts from it), read by the derivative of
          line {line + 1}
computed again in the reverse sweep
  line {line + 1}  parts of x = r * x * (1.0 - x)
loops
  line {line}  for _ in range(n):
           reversed by a loop of its own: it records x"""
    assert repr(explained(until, 1.5)) == str(explained(until, 1.5))


def turned(x):
    pair = np.array([x[1], -x[0]])
    return np.sum(pair * pair[::-1])


def test_an_array_whose_elements_have_names_of_their_own():
    assert explained(turned, X).names["pair"].active


def test_one_name():
    df = srcad.grad(recurrence, target="python")
    story = srcad.explain(df, "x", args=(3.5, 0.5, 10))
    first = recurrence.__code__.co_firstlineno
    assert story.facts.active and story.records[0].bytes == 80 and story.gradient == ""
    assert story.lines == {first + 2: "x = r * x * (1.0 - x)", first + 3: "return x"}
    assert str(story).startswith("x (float64) carries a derivative\n")
    assert srcad.explain(df, "r", args=(3.5, 0.5, 10)).gradient == "its gradient is returned"
    assert str(srcad.explain(df, "n", args=(3.5, 0.5, 10))).startswith("n (int64): an integer")


def structured(params, n):
    h = params["w"]
    for _ in range(n):
        h = np.sin(h) * params["b"][0]
    return np.sum(h)


def test_structures():
    found = explained(structured, {"w": np.ones(3), "b": [2.0, 1.0]}, 4)
    assert found.gradients == {"params": ""} and found.names["params"].active
    (record,) = found.records
    assert (record.formula, record.bytes) == ("8*n*h.shape[0]", 8 * 4 * 3)
    assert "params.b" not in str(found) and "params_" not in str(found)


def test_the_last_call():
    for target in ("python", "cpu"):
        df = srcad.grad(recurrence, target=target)
        with pytest.raises(ValueError, match="nothing has been made of recurrence_grad yet"):
            srcad.explain(df)
        df(3.5, 0.5, 3)
        assert srcad.explain(df).records[0].formula == "8*n"


def test_arguments_are_left_alone():
    x = X.copy()

    def overwrites(x):
        while x[0] < 50.0:
            x[0] = x[0] * 2.0
        return x[0] * x[1]

    explained(overwrites, x)
    assert np.array_equal(x, X)


def test_wrong_use():
    df = srcad.grad(recurrence, target="python")
    with pytest.raises(TypeError, match="is no derivative"):
        srcad.explain(recurrence)
    with pytest.raises(TypeError, match="forward mode"):
        srcad.explain(srcad.jvp(recurrence, target="python"), args=(3.5, 0.5, 3))
    with pytest.raises(ValueError, match="recurrence has no name 'z'; it has r, x, n, _"):
        srcad.explain(df, "z", args=(3.5, 0.5, 3))
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        srcad.explain(df, args=(3.5, 0.5))


def test_command_line(capsys):
    words = ["explain", "tests.test_explain:recurrence", "float", "float", "int", "--wrt", "r,x"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert said == f"{srcad.explain(srcad.grad(recurrence, wrt=('r', 'x')), args=(float, float, int))}\n"
    assert main([*words, "--name", "n"]) == 0 and "an integer" in capsys.readouterr().out
    assert main([*words, "--name", "z"]) == 2 and "has no name 'z'" in capsys.readouterr().err


# ---------------------------------------------------------------- the corpus


@pytest.mark.parametrize("name", [n if n in sorted(CORE)[::4] else pytest.param(n, marks=SLOW) for n in PROGRAMS])
def test_every_program(name):
    """Formulas agree with what is measured, what is None has a reason, and the text has no internal names."""
    program = PROGRAMS[name]
    args = tuple(program.example())
    df = srcad.value_and_grad(program.fn, wrt=program.wrt, target="python")
    try:
        found = srcad.explain(df, args=args)
    except (srcad.UnsupportedError, srcad.NoGradientError):
        assert "may_refuse" in program.tags
        return
    stages = explaining._Found.of(df, args, None)
    others = helpers(stages.reached["name"], stages.options)
    run = sizes.measured(stages.reached["name"], others, [record.name for record in found.records], stages.values)
    assert {record.name: record.bytes for record in found.records} == run
    source = srcad.source(df, *args)
    assert all(f"{record.name} = " in source for record in found.records)
    gradients = df(*program.example())[1]
    assert [why == "" for why in found.gradients.values()] == [g is not None for g in gradients]
    text = str(found)
    assert max(map(len, text.splitlines())) <= 100
    assert not {"~", "?", "_t."}.intersection(text) and "_t." not in text


WEIGHT = srcad.Variable(np.array([1.0, 2.0]))


def weighted(x, axis):
    return np.sum(np.sum(WEIGHT * x, axis=axis) ** 2)


def test_functions_that_read_variables():
    df = srcad.grad(weighted, target="python")
    found = srcad.explain(df, args=(np.ones((3, 2)), 0))
    assert found.names["x"].active and found.names["WEIGHT"].why == "not asked for: wrt is x"
    found = srcad.explain(srcad.implicit_gradients(weighted, target="python"), args=(np.ones((3, 2)), 0))
    assert found.names["WEIGHT"].active and found.names["x"].why == "not asked for: wrt is WEIGHT"
    df(np.ones((3, 2)), 1)
    assert srcad.explain(df).names["axis"].why == "an integer"
