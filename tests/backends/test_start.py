"""What a fresh process waits for: imports, and the first call of a derivative that the cache holds."""

import os
import statistics
import subprocess
import sys
import textwrap

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = "from time import perf_counter\nstart = perf_counter()\n"
TAIL = "\nprint(perf_counter() - start)\n"
BODY = """
def loss(w, X, y):
    s = 0.0
    for i in range(X.shape[0]):
        s += np.log1p(np.exp(-y[i] * np.dot(X[i], w)))
    return s / X.shape[0]
"""
CALL = "(np.ones(3), np.ones((4, 3)), np.ones(4))"
OWN = f"import numpy as np\nimport srcad\n{BODY}\nsrcad.value_and_grad(loss){CALL}\n"
HAND = f"""
import numpy as np
from numba import njit

@njit(cache=True, error_model="numpy", fastmath={{"reassoc", "contract", "nsz"}})
def loss(w, X, y, grad_ys=1.0):
    w_bar = np.zeros_like(w)
    s_bar = grad_ys / X.shape[0]
    s = 0.0
    for i in range(X.shape[0]):
        e = np.exp(-y[i] * np.dot(X[i], w))
        s += np.log1p(e)
        w_bar += s_bar / (1.0 + e) * e * -y[i] * X[i]
    return s / X.shape[0], w_bar

loss{CALL}
"""


def seconds(*programs, repeat=9) -> list[float]:
    """The median time of each program, run in turns."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")])}
    times = [
        [float(subprocess.run([sys.executable, each], check=True, stdout=-1, env=env).stdout) for each in programs]
        for _ in range(repeat)
    ]
    return [statistics.median(column) for column in zip(*times)]


def program(tmp_path, name, text):
    path = tmp_path / f"{name}.py"
    path.write_text(HEAD + textwrap.dedent(text) + TAIL)
    return path


@pytest.mark.slow
def test_first_call_from_the_cache(cache_dir, tmp_path):
    own, hand = program(tmp_path, "own", OWN), program(tmp_path, "hand", HAND)
    seconds(own, hand, repeat=1)
    own_seconds, hand_seconds = seconds(own, hand)
    assert own_seconds <= 1.3 * hand_seconds, (own_seconds, hand_seconds)


@pytest.mark.slow
def test_import(tmp_path):
    names = "from srcad import grad, value_and_grad, stop_gradient, SrcadError"
    own, numba = program(tmp_path, "own", names), program(tmp_path, "peer", "import numba")
    own_seconds, numba_seconds = seconds(own, numba)
    assert own_seconds <= numba_seconds + 0.05, (own_seconds, numba_seconds)


def test_import_alone_brings_nothing_in():
    listed = "print([name for name in ('numba', 'numpy', 'gast') if name in sys.modules])"
    code = f"import sys; sys.path.insert(0, {ROOT!r}); import srcad; {listed}"
    assert subprocess.run([sys.executable, "-c", code], check=True, stdout=-1, text=True).stdout.strip() == "[]"
