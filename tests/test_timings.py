"""``SRCAD_TIMINGS=1``: where the time of a first call goes."""

import re

import numpy as np
import pytest

import srcad
from srcad.runtime.timings import Timings
from tests.backends.conftest import cache_dir  # noqa: F401


def f(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.sin(x[i]) * x[i]
    return total


def sums_slopes(x):
    return np.sum(srcad.grad(f)(x))


@pytest.fixture
def timed(cache_dir, monkeypatch):  # noqa: F811
    monkeypatch.setenv("SRCAD_TIMINGS", "1")


def table(text):
    head, *rows = text.splitlines()
    found = {row[:-22].strip(): float(re.search(r"([\d.]+) s +\d+%$", row)[1]) for row in rows}
    return head, float(re.search(r"took ([\d.]+) s$", head)[1]), found


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_the_first_call_prints_a_table_to_stderr(target, timed, capsys):
    df = srcad.grad(f, target=target)
    df(np.ones(3))
    out, err = capsys.readouterr()
    head, whole, steps = table(err)
    assert out == "" and "f_grad" in head
    assert sum(steps.values()) == pytest.approx(whole, abs=0.02)
    times = list(steps.values())[:-1]
    assert times == sorted(times, reverse=True)
    assert target == "python" or {"Numba: LLVM", "Numba: types", "Numba: lowering"} <= steps.keys()
    df(np.zeros(3))
    assert capsys.readouterr().err == ""


def test_a_derivative_inside_is_part_of_the_table(timed, capsys):
    srcad.grad(sums_slopes, target="python")(np.ones(3))
    assert capsys.readouterr().err.count("srcad:") == 1


def test_a_refusal_prints_what_has_been_done(timed, capsys):
    with pytest.raises(srcad.SrcadError):
        srcad.grad(lambda x: {x, 2.0 * x}, target="python")(np.ones(3))
    assert "took" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["0", "", None])
def test_without_being_asked_nothing_is_printed(value, cache_dir, monkeypatch, capsys):  # noqa: F811
    monkeypatch.delenv("SRCAD_TIMINGS", raising=False) if value is None else monkeypatch.setenv("SRCAD_TIMINGS", value)
    srcad.grad(f, target="python")(np.ones(3))
    assert capsys.readouterr().err == ""


def test_steps_are_counted_without_those_inside(monkeypatch):
    now = iter([0.0, 1.0, 3.0, 7.0, 8.0, 8.0, 9.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(now))
    made = Timings("f")
    made.start("outer"), made.start("inner"), made.stop(), made.stop()
    assert made.seconds == {"the rest": 1.0, "outer": 3.0, "inner": 4.0}
