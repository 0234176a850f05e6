"""Tests marked `slow` run under ``pytest --slow`` only; the cache of compiled derivatives is a fresh one a session."""

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest

# Before NumPy and Numba are imported: each brings a BLAS whose threads get in the way of the other's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The processes of pytest-xdist inherit the environment, and with it the session's directory.
CACHE = None if "SRCAD_CACHE_DIR" in os.environ else tempfile.mkdtemp(prefix="srcad-tests-")
os.environ.setdefault("SRCAD_CACHE_DIR", CACHE or "")

LONG = Path(__file__).with_name("slow.txt")  # tests that are slow one by one, by their ids


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the slow tests, too")
    parser.addoption("--update", action="store_true", help="rewrite goldens and the source that the manual shows")


def is_slow_wanted(config):
    return config.getoption("--slow") or os.environ.get("SRCAD_SLOW")


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc):
    """Slow cases are more than half of all: to make their items only to deselect them takes a while."""
    if is_slow_wanted(metafunc.config):
        return
    test = metafunc.definition
    if test.get_closest_marker("slow"):
        test.own_markers[:] = [with_one_case(mark) if mark.name == "parametrize" else mark for mark in test.own_markers]
        return
    for mark in test.iter_markers("parametrize"):
        cases = mark.args[1]
        if isinstance(cases, list):
            cases[:] = [case for case in cases if all(each.name != "slow" for each in getattr(case, "marks", ()))]


def with_one_case(mark):
    """A mark of its own: the list of cases may be that of other tests, too."""
    names, cases, *others = mark.args
    return pytest.mark.parametrize(names, list(cases)[:1], *others, **{**mark.kwargs, "ids": None}).mark


def pytest_collection_modifyitems(config, items):
    long = {line for line in LONG.read_text().splitlines() if not line.startswith("#")}
    if is_slow_wanted(config):
        gone = long.difference(item.nodeid for item in items)
        if gone and config.args_source is config.ArgsSource.TESTPATHS:
            raise pytest.UsageError(f"no tests, but named in {LONG.name}: {', '.join(sorted(gone))}")
        return
    slow = [item for item in items if item.nodeid in long or item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    waiting = set(map(id, slow))
    items[:] = [item for item in items if id(item) not in waiting]


def pytest_collection_finish():
    """Tens of thousands of tests are no garbage: to look through them again and again takes a twelfth of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_unconfigure():
    if CACHE is not None:
        shutil.rmtree(CACHE, ignore_errors=True)
