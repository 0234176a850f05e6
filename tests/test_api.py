"""The public functions: how they are called, what they take for an answer, what they print."""

import inspect
import io
import sys

import numpy as np
import pytest

import srcad
from srcad import listing
from tests.backends.conftest import cache_dir, writer  # noqa: F401
from tests.backends.written import power, product

TRANSFORMS = pytest.mark.parametrize("transform", [srcad.grad, srcad.value_and_grad])


def options(df):
    return df.maker.options


@TRANSFORMS
def test_function_and_decorator(transform):
    assert options(transform(product)).wrt == (0,) and options(transform(product)).single
    bare, with_arguments, empty = transform(product), transform(wrt="y")(product), transform()(product)
    assert options(with_arguments).wrt == (1,)
    assert options(empty) == options(bare)
    assert options(transform(target="python", has_aux=True)(product)).has_aux


@pytest.mark.parametrize("wrt, positions, single", [
    (0, (0,), True), (-1, (2,), True), ("n", (1,), True), (np.int64(1), (1,), True),
    (("x", "factor"), (0, 2), False), (["factor", 0], (2, 0), False), ((-3,), (0,), False), ((), (), False),
])  # fmt: skip
def test_wrt(wrt, positions, single):
    found = options(srcad.grad(power, wrt=wrt))
    assert (found.wrt, found.single) == (positions, single)


@pytest.mark.parametrize("wrong, error, said", [
    ({"wrt": "z"}, ValueError, "'z'"), ({"wrt": 3}, ValueError, "position 3"), ({"wrt": -4}, ValueError, "-4"),
    ({"wrt": True}, TypeError, "wrt"), ({"wrt": 1.0}, TypeError, "wrt"), ({"wrt": ("x", None)}, TypeError, "wrt"),
    ({"unconnected_gradients": None}, ValueError, "unconnected_gradients"), ({"target": "gpu"}, ValueError, "target"),
    ({"fastmath": ("quick",)}, ValueError, "fastmath"), ({"stop_gradients": (1,)}, TypeError, "stop_gradients"),
])  # fmt: skip
def test_wrong_options_are_named(wrong, error, said):
    with pytest.raises(error, match=said):
        srcad.grad(power, **wrong)


@pytest.mark.parametrize("nothing", [None, 3, "x", int, str.upper, [product], [].append])
def test_what_is_no_function(nothing):
    with pytest.raises(TypeError):
        srcad.grad(nothing)


def test_parameter_of_the_name_of_the_seed():
    def f(x, grad_ys):
        return x * grad_ys

    with pytest.raises(ValueError, match="grad_ys"):
        srcad.grad(f)


def test_fastmath():
    default = options(srcad.grad(product)).fastmath
    assert not {"nnan", "ninf", "fast"} & set(default)
    assert options(srcad.grad(product, fastmath=False)).fastmath is False
    assert options(srcad.grad(product, fastmath={"nsz", "arcp"})).fastmath == ("arcp", "nsz")


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_metadata(target):
    df = srcad.grad(power, wrt=("x", "factor"), target=target)
    assert str(inspect.signature(df)) == "(x, n=3, factor=2.0, grad_ys=1.0, out=None)"
    assert df.__name__ == "power_grad" and df.__module__ == power.__module__
    assert "x, factor" in df.__doc__
    assert repr(df) == f"<grad of {power.__module__}.power with respect to x, factor, target {target!r}>"


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_source(target, writer):  # noqa: F811
    df = srcad.grad(product, target=target)
    with pytest.raises(ValueError, match="arguments"):
        df.source()
    text = df.source(float, float)
    assert text.startswith("def product_grad(x, y, grad_ys=1.0):")
    assert df.source() == text == df.source(1.0, 2.0) == srcad.source(df, "float64", y=2.0)
    assert len(writer.calls) == 1
    assert df.source("float64[:]", 1.0).startswith("# of an array")
    assert df(2.0, 3.0) == 3.0 and srcad.source(df) == text
    assert len(writer.calls) == 2


def test_source_of_no_derivative():
    with pytest.raises(TypeError, match="no derivative"):
        srcad.source(product, 1.0, 2.0)
    with pytest.raises(TypeError):
        srcad.source(srcad.grad(product), 1.0)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream, coloured", [(io.StringIO(), False), (Terminal(), True)])
def test_show(stream, coloured, writer, monkeypatch):  # noqa: F811
    pytest.importorskip("pygments")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", stream)
    srcad.show(srcad.grad(product), 1.0, 2.0)
    text = stream.getvalue()
    assert ("\x1b[" in text) is coloured
    assert "product_grad" in text and "grad_ys" in text


def test_show_in_a_notebook(writer, monkeypatch):  # noqa: F811
    display = pytest.importorskip("IPython.display")
    shown = []
    monkeypatch.setattr(listing, "_in_notebook", lambda: True)
    monkeypatch.setattr(display, "display", shown.append)
    srcad.show(srcad.grad(product), 1.0, 2.0)
    assert "product_grad" in shown[0]._repr_html_() and "<" in shown[0]._repr_html_()


def test_stop_gradient_is_the_identity():
    import numba

    x = np.ones(3)
    assert srcad.stop_gradient(x) is x and srcad.stop_gradient(2) == 2
    assert numba.njit(lambda y: srcad.stop_gradient(y) + 1.0)(2.0) == 3.0


def test_all_names_are_there():
    assert set(srcad.__all__) <= set(dir(srcad))
    for name in ("grad", "value_and_grad", "stop_gradient", "SrcadError", "UnsupportedError", "NoGradientError"):
        assert getattr(srcad, name)
    with pytest.raises(AttributeError):
        srcad.nothing


# ---------------------------------------------------------------- with the compiler

W = np.array([1.0, 2.0, 3.0])


def weighted(x):
    return W * x


def with_aux(x, k=2):
    return x**k, (x, k)


TARGETS = pytest.mark.parametrize("target", ["python", "cpu"])


@TARGETS
def test_gradients_and_values(target, cache_dir):  # noqa: F811
    assert srcad.grad(power, wrt="x", target=target)(2.0) == 24.0
    assert srcad.value_and_grad(power, wrt=("factor", "x"), target=target)(2.0) == (16.0, (8.0, 24.0))
    assert srcad.grad(product, wrt=(1,), target=target)(2.0, 3.0) == (2.0,)
    assert srcad.grad(product, wrt=(), target=target)(2.0, 3.0) == ()


@TARGETS
def test_integers_have_no_gradient(target, cache_dir):  # noqa: F811
    assert srcad.grad(product, wrt=("x", "y"), target=target)(2, 3.0) == (None, 2.0)
    assert srcad.grad(product, unconnected_gradients="zero", target=target)(2, 3.0) == 0.0


@TARGETS
def test_seeds_of_arrays(target, cache_dir):  # noqa: F811
    df = srcad.grad(weighted, target=target)
    np.testing.assert_array_equal(df(np.ones(3)), W)
    np.testing.assert_array_equal(df(np.ones(3), grad_ys=None), W)
    np.testing.assert_array_equal(df(np.ones(3), grad_ys=np.array([1.0, 0.0, 2.0])), [1.0, 0.0, 6.0])
    with pytest.raises(ValueError, match="grad_ys"):
        df(np.ones(3), grad_ys=np.ones(2))
    assert df(2.0) == W.sum()


@TARGETS
def test_aux(target, cache_dir):  # noqa: F811
    assert srcad.grad(with_aux, has_aux=True, target=target)(3.0) == (6.0, (3.0, 2))
    assert srcad.value_and_grad(with_aux, has_aux=True, target=target)(3.0) == ((9.0, (3.0, 2)), 6.0)


@TARGETS
def test_second_derivatives(target, cache_dir):  # noqa: F811
    second = srcad.grad(srcad.grad(power, target=target), target=target)
    for _ in range(2):  # the second time from the cache
        assert second(2.0) == 24.0 and second(2.0, factor=1.0) == 12.0
        second = srcad.grad(srcad.grad(power, target=target), target=target)
    assert second.__name__ == "power_grad_grad"


@TARGETS
def test_stop_gradients(target, cache_dir):  # noqa: F811
    def f(x):
        y = x * x
        return y * srcad.stop_gradient(x) + x

    assert srcad.grad(f, target=target)(3.0) == 19.0
    assert srcad.grad(f, stop_gradients=("y",), target=target)(3.0) == 1.0
    with pytest.raises(ValueError, match="'z'"):
        srcad.grad(f, stop_gradients=("z",), target=target)(3.0)


def scaled_squares(x, n):
    u = x * x
    return u if n == 0 else u * x * scaled_squares(x * 0.5, n - 1)


def squares_beside_a_helper(x, n):
    def halved(u):
        u = u * 0.5 if u > 1.0 else u
        return u

    u = x * x
    return u if n == 0 else halved(u) * squares_beside_a_helper(x * 0.5, n - 1)


@TARGETS
def test_stop_gradients_in_every_activation(target, cache_dir):  # noqa: F811
    value = scaled_squares(1.5, 3)  # 11 factors of x; with u held constant, 3 of them are left
    assert np.isclose(srcad.grad(scaled_squares, stop_gradients="u", target=target)(1.5, 3), 3.0 * value / 1.5)
    assert np.isclose(srcad.grad(scaled_squares, target=target)(1.5, 3), 11.0 * value / 1.5)
    with pytest.raises(srcad.UnsupportedError, match="stop_gradients for 'u'.*calls itself"):
        srcad.grad(squares_beside_a_helper, stop_gradients="u", target=target)(1.5, 3)
