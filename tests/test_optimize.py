"""``optimize=False``: derivatives without the passes that only make them faster or shorter.

The plain derivatives of the whole corpus are compared with finite differences in `test_programs`.
"""

import os
import subprocess
import sys

import numpy as np
import pytest

import srcad
from srcad.lang.types import FLOAT
from srcad.options import Options
from srcad.pipeline import OPTIMISATIONS, passes
from srcad.settings import optimized

pytestmark = pytest.mark.skipif(not optimized(), reason="nothing is optimised")
X = np.linspace(0.5, 1.5, 7)


def chain(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s


def rows(x, a):
    s = 0.0
    for i in range(3):
        q = np.zeros(len(x))
        for j in range(len(x)):
            q[j] = np.exp(-a * x[j]) / a + x[j] / a
        s += np.sum(q * q + np.maximum(q, 0.3)) * i
    return s


def smoothed(x, a):
    u = x.copy()
    for _ in range(4):
        v = u.copy()
        v[1:-1] += a * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = v
    return np.sum(u**3)


@pytest.mark.parametrize("fn, args", [(chain, (X,)), (rows, (X, 1.5)), (smoothed, (X, 0.2))])
def test_the_same_to_rounding(fn, args):
    """Compiled and interpreted, in reverse and forward mode."""
    wrt = tuple(range(len(args)))
    value, gradients = srcad.value_and_grad(fn, wrt)(*args)
    for target in ("cpu", "python"):
        plain_value, plain = srcad.value_and_grad(fn, wrt, target=target, optimize=False)(*args)
        assert plain_value == pytest.approx(value, rel=1e-13)
        for one, other in zip(plain, gradients):
            np.testing.assert_allclose(one, other, rtol=1e-12)
    tangents = tuple(np.ones_like(arg) for arg in args)
    _, along = srcad.jvp(fn, wrt, target="python", optimize=False)(*args, tangents=tangents)
    assert along == pytest.approx(sum(np.sum(g) for g in gradients), rel=1e-12)


def test_loops_stay_apart_and_the_explanation_says_why():
    plain, optimized = (srcad.value_and_grad(chain, optimize=optimize) for optimize in (False, True))
    assert srcad.source(plain, X).count("for i in") == 2
    assert srcad.source(optimized, X).count("for i in") == 1
    [loop] = srcad.explain(plain, args=(X,)).loops
    assert not loop.joined and loop.why == "optimize=False says so"


def test_the_passes_left_out_are_passes():
    """A pass that gets another name stays optional."""
    names = {stage for mode in ("grad", "jvp") for stage, _ in passes(Options(mode), (FLOAT,))}
    assert OPTIMISATIONS <= names | {"parallel"}
    assert not OPTIMISATIONS & {stage for stage, _ in passes(Options(optimize=False), (FLOAT,))}


@pytest.mark.parametrize("transform", [srcad.grad, srcad.value_and_grad, srcad.jvp, srcad.hvp, srcad.jacobian])
def test_threads_are_an_optimisation(transform):
    message = "parallel=True is an optimisation: leave out one of parallel=True and optimize=False"
    with pytest.raises(ValueError, match=message):
        transform(chain, parallel=True, optimize=False)


def test_the_environment_decides_for_all():
    program = (
        "import numpy as np, srcad\n"
        "from tests.test_optimize import X, chain\n"
        "print(srcad.source(srcad.value_and_grad(chain), X).count('for i in'))"
    )
    environment = {**os.environ, "SRCAD_OPTIMIZE": "0"}
    root = os.path.dirname(os.path.dirname(__file__))
    command = [sys.executable, "-c", program]
    found = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True).stdout
    assert found.strip() == "2"


def test_functions_that_take_gradients():
    @srcad.function(optimize=False)
    def slope(x):
        y = chain(x)
        return srcad.gradients(y, x)[0]

    np.testing.assert_allclose(slope(X), srcad.grad(chain)(X), rtol=1e-13)
