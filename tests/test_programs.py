"""Every program of the corpus: values, gradients, types and effects, interpreted and compiled, in both precisions."""

import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

import srcad
from tests.programs import CORE, PROGRAMS, marks
from tests.reference import complete, difference, reference, richardson, seeded, tolerance

TARGETS = ("python", "cpu")
MODES = ("grad", "value_and_grad")
COMPILED = {name for place, name in enumerate(sorted(CORE)) if place % 4 == 1}
SEEDED = [name for name, program in PROGRAMS.items() if program.tags & {"array", "tuple"}]


def default_mode(name: str) -> str:
    """On the cpu, one program of the core in four is compiled, in one of the modes; the others are slow tests."""
    return MODES[sorted(PROGRAMS).index(name) % 2]


def cases(dtype):
    """Programs in every target and mode that `dtype` is tested in."""
    for name, program in PROGRAMS.items():
        if dtype is np.float32 and ("nof32" in program.tags or not any_array(program)):
            continue
        for target in TARGETS:
            for mode in MODES:
                if dtype is np.float32 and mode == "grad":
                    continue
                chosen = marks(name, 0, 8) if dtype is np.float32 else marks(name, 1, 12) if mode == "grad" else ()
                if target == "cpu":
                    chosen = SLOW if dtype is np.float32 or name not in COMPILED or mode != default_mode(name) else ()
                yield pytest.param(name, target, mode, id=f"{name}-{target}-{mode}", marks=chosen)


def any_array(program) -> bool:
    return any(isinstance(arg, np.ndarray) and arg.dtype.kind == "f" for arg in program.example())


SLOW = pytest.mark.slow


@pytest.mark.parametrize("name, target, mode", list(cases(np.float64)))
def test_gradient(name, target, mode):
    check(PROGRAMS[name], target, mode, np.float64)


@pytest.mark.parametrize("name, target, mode", list(cases(np.float32)))
def test_gradient_in_single_precision(name, target, mode):
    check(PROGRAMS[name], target, mode, np.float32)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, 2, 16)) for name in PROGRAMS])
def test_source_is_the_same_twice(name):
    program = PROGRAMS[name]
    first, second = (allowed(program, source_of, program) for _ in range(2))
    assert first == second
    compile(first, name, "exec")


@pytest.mark.parametrize("names", [
    pytest.param(sorted(COMPILED)[::4], id="some"), pytest.param(sorted(PROGRAMS), marks=SLOW),
])  # fmt: skip
def test_source_is_the_same_in_other_processes(names):
    """Neither the hash seed, nor the order of generation, nor the cache shows in the source."""
    one = sources_in_a_process(names, "1")
    other = sources_in_a_process(names[::-1], "2")
    for name in names:
        assert one[name] == other[name]


@pytest.mark.parametrize("name", SEEDED)
def test_seeds(name):
    """`grad_ys` weighs the results: with random seeds, the gradient is the one of the weighted sum."""
    program = PROGRAMS[name]
    results = program.fn(*program.example())
    seeds = random_seeds(results)
    df = srcad.grad(program.fn, wrt=program.wrt, target="python")
    gradients = allowed(program, df, *program.example(), grad_ys=seeds)
    args = complete(program, program.example())
    for position, gradient in zip(program.positions(), gradients):
        expected, _ = richardson(seeded(program.fn, seeds), args, position)
        assert difference(gradient, expected) < tolerance(program)


# ---------------------------------------------------------------- what is checked


def check(program, target: str, mode: str, dtype) -> None:
    optimized = target == "cpu" or mode == "value_and_grad"  # interpreted, the gradient alone is the plain one
    df = getattr(srcad, mode)(program.fn, wrt=program.wrt, target=target, optimize=optimized)
    alone, args = program.example(dtype), program.example(dtype)
    value = program.fn(*alone)
    result = allowed(program, df, *args)
    gradients = result
    if mode == "value_and_grad":
        check_value(result[0], value, dtype)
        gradients = result[1]
    check_gradients(program, gradients, alone, dtype)
    check_effects(args, alone, dtype)
    again = program.example(dtype)
    check_same(df(*again), result, target)
    check_same(again, args, target)


def allowed(program, function, *args, **kwargs):
    """Call; programs whose aliases cannot be decided may be refused, the others may not."""
    try:
        return function(*args, **kwargs)
    except srcad.SrcadError as error:
        if "may_refuse" not in program.tags:
            raise
        pytest.skip(f"refused: {error}")


def check_value(value, expected, dtype) -> None:
    if isinstance(expected, tuple):
        assert isinstance(value, tuple) and len(value) == len(expected)
        for part, expected_part in zip(value, expected):
            check_value(part, expected_part, dtype)
        return
    assert np.shape(value) == np.shape(expected)
    assert not isinstance(expected, np.ndarray) or value.dtype == expected.dtype
    assert difference(value, expected) < (1e-12 if dtype is np.float64 else 1e-4)


def check_gradients(program, gradients, args, dtype) -> None:
    assert isinstance(gradients, tuple) and len(gradients) == len(program.wrt)
    expected = reference(program, dtype)
    args = complete(program, args)
    for name, position, gradient, exact in zip(program.wrt, program.positions(), gradients, expected):
        if gradient is None:  # unconnected
            assert not np.any(exact), f"the gradient with respect to {name} is None, and should be {exact}"
            continue
        assert np.shape(gradient) == np.shape(exact), name
        if isinstance(args[position], np.ndarray):
            assert isinstance(gradient, np.ndarray) and gradient.dtype == args[position].dtype, name
        apart = difference(gradient, exact)
        assert apart < tolerance(program, dtype), f"{name}: {gradient} differs from {exact} by {apart:.1e}"


def check_effects(args, alone, dtype) -> None:
    """The caller finds each argument as the primal alone would have left it."""
    for arg, expected in zip(args, alone):
        if isinstance(expected, np.ndarray):
            assert arg.dtype == expected.dtype
            assert difference(arg, expected) < (1e-12 if dtype is np.float64 else 1e-4)
        else:
            assert arg is expected or arg == expected


def check_same(one, other, target: str) -> None:
    """Equal to the last bit where Python computes; to rounding in machine code.

    There the addresses of the arrays decide whether a loop is done several elements at a time, and so in which order
    a sum is made.
    """
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)
        for left, right in zip(one, other):
            check_same(left, right, target)
        return
    assert getattr(one, "dtype", None) == getattr(other, "dtype", None)
    if target == "python" or np.asarray(one).dtype.kind not in "fc":
        assert np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f")
        return
    near = 50 * np.finfo(np.asarray(one).dtype).eps
    largest = np.max(np.abs(other), initial=1.0, where=np.isfinite(other))
    np.testing.assert_allclose(one, other, rtol=near, atol=near * largest)


def source_of(program) -> str:
    df = srcad.value_and_grad(program.fn, wrt=program.wrt, target="python")
    return srcad.source(df, *program.example())


def sources_in_a_process(names, hash_seed: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "SRCAD_CACHE_DIR": cache}
        root = os.path.dirname(os.path.dirname(__file__))
        command = [sys.executable, "-m", "tests.print_sources", *names]
        output = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True).stdout
    parts = output.split("\n#### ")[1:]
    return dict(part.split("\n", 1) for part in parts)


def random_seeds(results):
    rng = np.random.default_rng(7)
    if isinstance(results, tuple):
        return (None, *(seed_like(rng, result) for result in results[1:]))
    return seed_like(rng, results)


def seed_like(rng, result):
    return rng.standard_normal(result.shape) if isinstance(result, np.ndarray) else float(rng.standard_normal())
