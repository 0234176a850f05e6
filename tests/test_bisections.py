"""Roots that comparisons alone find: a warning, a finding of lint, a line of explain; and what is none of them."""

import math
import warnings

import numpy as np
import pytest

import srcad

INSTEAD = "srcad.implicit.root, or a step of Newton's method behind the loop"


def cubic(t, x):
    return t**3 + t - x


def halves(x):
    low, high = 0.0, 5.0
    for _ in range(50):  # the loop
        middle = (low + high) / 2
        if cubic(middle, x) > 0.0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def halves_until(x):
    a, b = 0.0, 5.0
    for _ in range(100):  # the loop
        c = a + (b - a) / 2.0
        fc = cubic(c, x)
        if fc == 0.0 or b - a < 1e-10:
            return c
        if math.copysign(1.0, fc) == math.copysign(1.0, cubic(a, x)):
            a = c
        else:
            b = c
    raise ValueError("no root")


def implied(s):
    low, high = 1e-4, 5.0
    while True:  # the loop
        v = 0.5 * (low + high)
        d = (math.log(s / 100.0) + 0.5 * v * v) / v
        price = s * math.erf(d) - 100.0 * math.erf(d - v)
        if abs(price - 10.0) < 1e-9:
            break
        if price > 10.0:
            high = v
        else:
            low = v
    return v


def golden(x):
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    a, b = -3.0, 3.0
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    fc, fd = (c - x) ** 2, (d - x) ** 2
    while b - a > 1e-8:  # the loop
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - ratio * (b - a)
            fc = (c - x) ** 2
        else:
            a, c, fc = c, d, fd
            d = a + ratio * (b - a)
            fd = (d - x) ** 2
    return 0.5 * (a + b)


def ternary(x):
    low, high = -3.0, 3.0
    for _ in range(60):  # the loop
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if (left - x) ** 2 < (right - x) ** 2:
            high = right
        else:
            low = left
    return low


def by_truth(x):
    low, high, middle, count = 0.0, 5.0, 1.0, 0
    while count < 60:  # the loop
        y = cubic(middle, x)
        while middle < 0.0:
            middle = middle * middle
        if abs(y) < 1e-10:
            break
        count += 1
        below = y < 0.0
        low = low + (middle - low) * below
        high = high + (middle - high) * (not below)
        middle = (low + high) / 2
    return middle


def steps_that_shrink(x):
    root, width = 0.0, 5.0
    for _ in range(50):  # the loop
        width *= 0.5
        middle = root + width
        root = middle if cubic(middle, x) <= 0.0 else root
    return root


def ends_that_vary(x):
    low, high = 0.0, x
    for _ in range(50):  # the loop
        middle = 0.5 * (low + high)
        low, high = (middle, high) if cubic(middle, x) < 0.0 else (low, middle)
    return middle


def many(x):
    low, high = np.zeros(7), np.full(7, 5.0)
    for _ in range(50):  # the loop
        middle = 0.5 * (low + high)
        above = cubic(middle, x * np.arange(1.0, 8.0)) > 0.0
        high = np.where(above, middle, high)
        low = np.where(~above, middle, low)
    return np.sum(low)


FOUND = [halves, halves_until, implied, golden, ternary, by_truth, steps_that_shrink, ends_that_vary, many]


def polished(x):
    t = halves(x)
    return t - cubic(t, x) / (3 * t * t + 1)


def polished_in_a_loop(x):
    t = halves(x)
    for _ in range(3):
        t -= cubic(t, x) / (3 * t**2 + 1)
    return t


def polished_constant(x):
    t = srcad.stop_gradient(halves(x))
    return t - cubic(t, x) / (3 * t * t + 1)


def start_of_a_solution(x):
    return srcad.implicit.root(cubic, halves(x), x)


def safe_newton(x):
    low, high, t = 0.0, 5.0, 2.5
    for _ in range(60):
        f, slope = cubic(t, x), 3 * t * t + 1
        t = low + 0.5 * (high - low) if ((t - high) * slope - f) * ((t - low) * slope - f) > 0 else t - f / slope
        if cubic(t, x) < 0.0:
            low = t
        else:
            high = t
    return t


def false_position(x):
    a, b = 0.0, 5.0
    fa, fb = cubic(a, x), cubic(b, x)
    for _ in range(200):
        c = (a * fb - b * fa) / (fb - fa)
        fc = cubic(c, x)
        if fa * fc < 0.0:
            b, fb = c, fc
        else:
            a, fa = c, fc
    return c


def in_a_table(x):
    xs, low, high = np.linspace(0.0, 4.0, 20), 0, 19
    while high - low > 1:
        middle = (low + high) // 2
        if xs[middle] > x:
            high = middle
        else:
            low = middle
    return (x - xs[low]) ** 2


def smaller_steps(x):
    t, h, y = 0.0, 0.1, x
    while t < 1.0:
        whole, half = y + h * y, y + 0.5 * h * y
        half = half + 0.5 * h * half
        if abs(whole - half) > 1e-3:
            h = 0.5 * h
        else:
            t, y = t + h, half
    return y


def means_of_sequences(x):
    a, b = 1.0, x
    for _ in range(10):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


def averages(x):
    fast, slow = x, x
    for i in range(20):
        v = math.sin(x * i)
        fast = 0.5 * fast + 0.5 * v
        slow = 0.9 * slow + 0.1 * fast if fast > slow else slow
    return slow


def by_number(x):
    low, high, total = 0.0, 1.0, 0.0
    for i in range(20):
        middle = (low + high) / 2
        total += middle * x
        if i % 2:
            low = middle
        else:
            high = middle
    return total


def of_a_constant(x):
    low, high = 0.0, 5.0
    for _ in range(50):
        middle = (low + high) / 2
        if cubic(middle, 2.0) > 0.0:
            high = middle
        else:
            low = middle
    return low * x


NOT_FOUND = [polished, polished_in_a_loop, polished_constant, start_of_a_solution, safe_newton, false_position,
             in_a_table, smaller_steps, means_of_sequences, averages, by_number, of_a_constant]  # fmt: skip


def line_of(fn):
    code = fn.__code__
    with open(code.co_filename) as file:
        lines = file.read().splitlines()
    return next(k for k in range(code.co_firstlineno, len(lines)) if lines[k].endswith("# the loop")) + 1


def warned(make):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", srcad.BisectionWarning)
        make()
    return [(w.filename, w.lineno, str(w.message)) for w in found if w.category is srcad.BisectionWarning]


def point(fn):
    return 110.0 if fn is implied else 2.3


@pytest.mark.parametrize("fn", FOUND, ids=lambda fn: fn.__name__)
def test_every_derivative_warns_and_lint_finds_the_loop(fn):
    for make in (srcad.grad, srcad.jvp):
        ((filename, line, text),) = warned(lambda: make(fn, target="python")(point(fn)))
        assert (filename, line) == (__file__, line_of(fn))
        assert "comparisons alone" in text and text.endswith(f"instead: {INSTEAD}")
    for problems in (srcad.lint(fn), srcad.lint(fn, float)):
        assert [(p.line, p.column, p.remedy) for p in problems] == [(line_of(fn), 5, INSTEAD)]


@pytest.mark.parametrize("fn", NOT_FOUND, ids=lambda fn: fn.__name__)
def test_nothing_is_said_where_derivatives_are_right(fn):
    df = srcad.grad(fn, target="python")
    assert not warned(lambda: df(2.3))
    assert not srcad.lint(fn) and not srcad.lint(fn, float)
    assert not srcad.explain(df, args=(2.3,)).roots
    assert df(2.3) == pytest.approx((fn(2.3 + 1e-5) - fn(2.3 - 1e-5)) / 2e-5, rel=1e-4)


def test_machine_code_and_the_cache_warn_once_for_each_derivative():
    for target in ("cpu", "python"):
        for _ in range(2):  # the second one finds its source in the cache
            df = srcad.grad(halves, target=target)
            assert len(warned(lambda: [df(2.0), df(3.0), df(3)])) == 1
    assert len(warned(lambda: srcad.jacobian(lambda x: x * halves(x[0]), target="python")(np.ones(2)))) == 1


def test_derivatives_of_derivatives_warn_too():
    second = srcad.grad(srcad.grad(lambda x: halves(x) * x**2, target="python"), target="python")
    assert {(filename, line) for filename, line, _ in warned(lambda: second(2.0))} == {(__file__, line_of(halves))}


def test_derivatives_that_functions_ask_for_warn_too():
    def by_tape(x):
        with srcad.GradientTape() as tape:
            tape.watch(x)
            y = halves(x) * x
        return tape.gradient(y, x)

    for fn in (by_tape, lambda x: srcad.grad(lambda v: halves(v) * v)(x)):
        found = warned(lambda: srcad.function(fn)(2.0))
        assert [(filename, line) for filename, line, _ in found] == [(__file__, line_of(halves))]


def test_the_warning_can_be_an_error_and_functions_alone_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error", srcad.BisectionWarning)
        with pytest.raises(srcad.BisectionWarning, match="comparisons alone"):
            srcad.grad(halves, target="python")(2.0)
        assert srcad.function(halves)(2.0) == halves(2.0)


def test_explain_names_the_loop():
    told = srcad.explain(srcad.grad(halves, target="python"), args=(2.0,))
    assert told.roots == {line_of(halves): INSTEAD}
    assert str(told).endswith(f"which have no derivative\n  line {line_of(halves)}  instead: {INSTEAD}")
