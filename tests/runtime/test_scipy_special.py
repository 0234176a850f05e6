"""SciPy's functions in compiled code: values, dtypes, shapes, and machine code that another process loads."""

import os
import subprocess
import sys
import textwrap

import numba
import numpy as np
import pytest
from scipy import special

import srcad.runtime.scipy_special
from srcad.rules import rule as rules
from srcad.runtime import (
    cosine_integral, fresnel_cosine, fresnel_sine, hyperbolic_cosine_integral, hyperbolic_sine_integral, sine_integral,
)  # fmt: skip
from srcad.runtime.scipy_special import published
from srcad.runtime.scipy_special_loops import loop_of
from tests.rules.scipy_cases import DOMAINS

FEW = {special.gammaln, special.jv, special.hyp2f1}  # one, two and four operands
ufuncs = [
    pytest.param(function, marks=[] if function in FEW else pytest.mark.slow, id=function.__name__)
    for function in DOMAINS
]  # fmt: skip


def compiled(function):
    names = ", ".join("abcd"[: function.nin])
    space = {"function": function}
    exec(f"def call({names}): return function({names})", space)
    return numba.njit(space["call"])


def operands(function, dtype, shape):
    rng = np.random.default_rng(5)
    domains = DOMAINS[function]
    drawn = (rng.integers(*d, shape) if isinstance(d[0], int) else rng.uniform(*d[:2], shape) for d in domains)
    return [x.astype(dtype) if shape else dtype(x) for x in drawn]


@pytest.mark.parametrize("function", ufuncs)
def test_compiled_as_scipy(function):
    call = compiled(function)
    for dtype, precision in ((np.float64, 1e-13), (np.float32, 1e-5)):
        for shape in ((2, 3), ()):
            args = operands(function, dtype, shape)
            found, expected = call(*args), function(*args)
            np.testing.assert_allclose(found, expected, rtol=precision)
            assert not shape or found.dtype == expected.dtype == dtype


def test_broadcasting_and_integers():
    call = compiled(special.jv)
    orders, x = np.arange(3), np.linspace(0.5, 2.0, 4)[:, None]
    np.testing.assert_allclose(call(orders, x), special.jv(orders, x), rtol=1e-14)
    np.testing.assert_allclose(call(1, 2), special.jv(1, 2), rtol=1e-14)
    np.testing.assert_allclose(call(1.0, x[::2]), special.jv(1.0, x[::2]), rtol=1e-14)


def test_zeta_and_polygamma():
    x = np.array([0.3, 1.0, 2.7, -0.4])

    @numba.njit
    def call(n, x):
        return special.polygamma(n, x), special.zeta(2.5, x), special.zeta(n + 2.0)

    for n in range(4):
        for found, expected in zip(call(n, x), (special.polygamma(n, x), special.zeta(2.5, x), special.zeta(n + 2.0))):
            np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_every_function_with_a_rule_is_compiled():
    rules.find(np.sin)
    ufuncs = {getattr(special, name) for name in special.__all__ if isinstance(getattr(special, name), np.ufunc)}
    with_rule = [function for function in ufuncs if function in rules.table]
    assert len(with_rule) > 80
    known = numba.core.registry.cpu_target.typing_context
    known.refresh()
    for function in with_rule:
        known.resolve_value_type(function)
    assert len(published()) > 150
    assert all(loop_of(special._ufuncs._zeta))
    assert srcad.runtime.scipy_special.PREFIX


PROGRAM = """
    import sys
    import numpy as np
    from scipy import special
    import srcad

    def loss(x):
        return np.sum(special.gammaln(x) + special.polygamma(1, x))

    x = np.linspace(1.0, 2.0, 4)
    derivative = srcad.grad(loss)
    expected = special.digamma(x) + special.polygamma(2, x)
    np.testing.assert_allclose(derivative(x), expected, rtol=1e-13)
    print("srcad.transforms.adjoint" in sys.modules)
"""


def test_machine_code_of_another_process(tmp_path):
    """Addresses differ between processes; the second one writes nothing and differentiates nothing."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    environment = {**os.environ, "SRCAD_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.getcwd()}
    run = lambda: subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    first = run()
    files = sorted((f.name, f.stat().st_mtime_ns) for f in (tmp_path / "cache").iterdir())
    second = run()
    assert first.stdout == "True\n", first.stderr
    assert second.stdout == "False\n", second.stderr
    assert any(name.endswith(".bin") for name, _ in files)
    assert files == sorted((f.name, f.stat().st_mtime_ns) for f in (tmp_path / "cache").iterdir())


def test_without_scipy(tmp_path):
    """Who has no SciPy misses nothing but its functions."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent("""
        import sys
        sys.modules["scipy"] = None
        import numpy as np
        import srcad

        def loss(x):
            return np.sum(np.sin(x) ** 2)

        print(srcad.grad(loss, target="python")(np.zeros(2)).tolist(), srcad.grad(loss)(np.zeros(2)).tolist())
    """))
    environment = {**os.environ, "SRCAD_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.getcwd()}
    ran = subprocess.run([sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=300)
    assert ran.stdout == "[0.0, 0.0] [0.0, 0.0]\n", ran.stderr


@pytest.mark.parametrize("pair, parts", [
    (special.sici, (sine_integral, cosine_integral)),
    (special.shichi, (hyperbolic_sine_integral, hyperbolic_cosine_integral)),
    (special.fresnel, (fresnel_sine, fresnel_cosine)),
])  # fmt: skip
def test_results_in_pairs(pair, parts):
    first, second = parts

    @numba.njit
    def call(x):
        return first(x), second(x)

    x = np.linspace(0.2, 3.0, 5)
    for found, expected in zip(call(x), pair(x)):
        np.testing.assert_allclose(found, expected, rtol=1e-14)
