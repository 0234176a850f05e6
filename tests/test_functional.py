"""The transforms beyond gradients: what they take, what they give, and what they refuse."""

import inspect
import pickle

import numba
import numpy as np
import pytest

import srcad

by_target = pytest.mark.parametrize("target", ["python", "cpu"])


def scaled(x, a, n=2):
    return a * x**n


def both(x, k):
    return x * x, k + 1, np.sum(x)


def filled(a, x):
    a[0] = x * x
    return a[0] + a[1], a


def shifted(x):
    return x + 1.0


# ---------------------------------------------------------------- jvp


@by_target
def test_jvp_gives_value_and_tangent(target):
    df = srcad.jvp(scaled, target=target)
    assert df(3.0, 2.0) == (18.0, 12.0)
    assert df(3.0, 2.0, tangents=0.5) == (18.0, 6.0)
    assert str(inspect.signature(df)) == "(x, a, n=2, tangents=1.0)"
    value, tangent = df(np.array([1.0, 2.0]), 2.0, tangents=np.array([1.0, 10.0]))
    np.testing.assert_array_equal(tangent, [4.0, 80.0])
    np.testing.assert_array_equal(df(np.array([1.0, 2.0]), 2.0)[1], [4.0, 8.0])


@by_target
def test_what_stands_for_a_number_may_have_no_axes(target):
    """``np.ones_like(loss)`` of a number is an array without axes."""
    one = np.ones_like(np.float64(3.0))
    assert srcad.grad(scaled, ("x", "a"), target=target)(3.0, 2.0, grad_ys=one) == (12.0, 9.0)
    assert srcad.jvp(scaled, ("x", "a"), target=target)(3.0, 2.0, tangents=(one, 0.0)) == (18.0, 12.0)
    assert srcad.hvp(scaled, target=target)(3.0, 2.0, tangents=one) == 4.0


@by_target
def test_several_arguments_move_each_along_its_own_tangent(target):
    df = srcad.jvp(scaled, wrt=("x", "a"), target=target)
    assert df(3.0, 2.0, tangents=(1.0, 0.0))[1] == 12.0
    assert df(3.0, 2.0, tangents=(None, 10.0))[1] == 90.0
    assert df(3.0, 2.0)[1] == 21.0


@by_target
def test_tangents_of_results_that_do_not_move(target):
    x = np.array([1.0, 2.0])
    value, tangent = srcad.jvp(both, target=target)(x, 3)
    assert value[1] == 4 and tangent[1] is None and tangent[2] == 2.0
    np.testing.assert_array_equal(tangent[0], 2.0 * x)
    zeros = srcad.jvp(both, wrt="k", target=target, unconnected_gradients="zero")(x, 3)[1]
    np.testing.assert_array_equal(zeros[0], [0.0, 0.0])
    assert zeros[1:] == (0.0, 0.0)


@by_target
def test_an_argument_that_is_written_to_moves_too(target):
    a, direction = np.array([5.0, 7.0]), np.array([1.0, 100.0])
    value, (first, whole) = srcad.jvp(filled, wrt=("a", "x"), target=target)(a, 3.0, tangents=(direction, 1.0))
    assert first == 106.0
    np.testing.assert_array_equal(whole, [6.0, 100.0])
    np.testing.assert_array_equal(a, [9.0, 7.0])
    np.testing.assert_array_equal(direction, [1.0, 100.0])


@by_target
def test_a_tangent_is_the_callers_own(target):
    direction = np.ones(2)
    _, tangent = srcad.jvp(shifted, target=target)(np.zeros(2), tangents=direction)
    tangent[0] = 5.0
    np.testing.assert_array_equal(direction, [1.0, 1.0])


@by_target
def test_jvp_with_aux(target):
    df = srcad.jvp(lambda x: (x * x, x + 1.0), has_aux=True, target=target)
    assert df(3.0) == ((9.0, 4.0), 6.0)


def test_jvp_is_a_decorator():
    @srcad.jvp(wrt="x", target="python")
    def f(a, x):
        return a * x

    assert f(2.0, 5.0) == (10.0, 2.0)


def test_jvp_can_be_called_from_compiled_code_and_pickled():
    df = srcad.jvp(scaled)

    @numba.njit
    def slope(x):
        return df(x, 2.0, 2, 1.0)[1]

    assert slope(3.0) == 12.0
    assert pickle.loads(pickle.dumps(df))(3.0, 2.0) == (18.0, 12.0)


@by_target
@pytest.mark.parametrize(
    "wrt, tangents, error, words",
    [
        ("x", np.ones(3), ValueError, "shape of x"),
        ("x", np.ones((2, 1, 1)), ValueError, "3 dimensions, and x has 1"),
        ("x", np.ones(2, np.float32), TypeError, "float32, and x of float64"),
        ("x", "north", TypeError, "tangents must be a number"),
        (("x", "a"), (np.ones(2),), ValueError, "1 tangents for 2 parameters, x, a"),
        (("x", "a"), np.ones(2), ValueError, "a tuple with one tangent for each of x, a"),
        (("x", "a"), (np.ones(2), np.ones(2)), ValueError, "the tangent of a has 1 dimensions"),
    ],
)
def test_wrong_tangents(target, wrt, tangents, error, words):
    df = srcad.jvp(scaled, wrt=wrt, target=target)
    with pytest.raises(error, match=words):
        df(np.ones(2), 2.0, tangents=tangents)


def test_wrong_options():
    with pytest.raises(TypeError, match="jvp\\(\\) got an unexpected keyword argument 'wert'"):
        srcad.jvp(scaled, wert=0)
    with pytest.raises(ValueError, match="target"):
        srcad.jvp(scaled, target="gpu")
    with pytest.raises(ValueError, match="'tangents', which is the derivative's own"):
        srcad.jvp(lambda x, tangents: x)
    with pytest.raises(ValueError, match="twice"):
        srcad.jvp(scaled, wrt=("x", 0))


def test_names_of_the_users_stay_apart_from_the_derivatives():
    def f(x, grad_ys):
        tangents = x * grad_ys
        return tangents * tangents

    assert srcad.jvp(f, target="python")(3.0, 2.0) == (36.0, 24.0)


# ---------------------------------------------------------------- seeds in reverse mode


@by_target
def test_a_number_as_seed_weighs_every_result(target):
    square = srcad.grad(lambda x: x * x, target=target)
    np.testing.assert_array_equal(square(np.ones(2), grad_ys=10.0), [20.0, 20.0])
    assert square(3.0, grad_ys=None) == 6.0
    two = srcad.grad(lambda x: (x * x, 3.0 * x), target=target)
    assert two(2.0, grad_ys=10.0) == 70.0
    assert two(2.0, grad_ys=(None, 10.0)) == 34.0


# ---------------------------------------------------------------- vjp, hvp


def energy(q, k):
    e = 0.0
    for i in range(1, q.shape[0]):
        e += k * (q[i] - q[i - 1]) ** 4
    return e


@by_target
def test_vjp_is_value_and_gradient(target):
    x = np.array([1.0, 2.0])
    value, gradient = srcad.vjp(shifted_square, target=target)(x, grad_ys=np.array([1.0, 10.0]))
    np.testing.assert_array_equal(value, [2.0, 5.0])
    np.testing.assert_array_equal(gradient, [2.0, 40.0])


def shifted_square(x):
    return x**2 + 1.0


@by_target
def test_hvp_moves_the_gradient(target):
    q, v, h = np.array([0.3, -0.2, 0.9, 1.1]), np.array([1.0, 0.5, -0.25, 2.0]), 1e-5
    gradient = srcad.grad(energy, wrt=("q", "k"), target=target)
    product = srcad.hvp(energy, wrt=("q", "k"), target=target)(q, 1.5, tangents=(v, 0.5))
    above, below = gradient(q + h * v, 1.5 + h * 0.5), gradient(q - h * v, 1.5 - h * 0.5)
    for found, up, down in zip(product, above, below):
        np.testing.assert_allclose(found, (up - down) / (2 * h), rtol=1e-8)
    np.testing.assert_array_equal(srcad.hvp(energy, target=target)(q, 1.5, tangents=(v)).shape, q.shape)


def test_hvp_is_one_function_without_the_value():
    text = srcad.source(srcad.hvp(energy), np.ones(4), 1.0, tangents=np.ones(4))
    assert text.count("def ") == 1 and "def energy_hvp(q, k, tangents=1.0):" in text
    assert "Product of a vector with the Hessian of energy with respect to q" in text
    assert text.count("for i in range") == 1 and "e_dot" not in text


def test_hvp_options():
    held = srcad.hvp(lambda x: x * x * srcad.stop_gradient(x), target="python")
    assert held(3.0) == 6.0
    named = srcad.hvp(cubed, stop_gradients=("y",), target="python")
    assert named(3.0) == 6.0
    assert srcad.hvp(lambda x: (x**3, x), has_aux=True, target="python")(2.0) == (12.0, 2.0)
    assert srcad.hvp(lambda x, y: x, wrt="y", target="python")(2.0, 3.0) is None
    with pytest.raises(TypeError, match="hvp\\(\\) got an unexpected keyword argument 'order'"):
        srcad.hvp(cubed, order=2)


def cubed(x):
    y = x * 1.0
    return x * x * y


@by_target
def test_third_order(target):
    def f(x, a):
        return a * x**4 + np.sin(x)

    expected = 24 * 2.0 * 0.7 - np.cos(0.7)
    d = srcad.grad(srcad.grad(srcad.grad(f, target=target), target=target), target=target)
    assert d(0.7, 2.0) == pytest.approx(expected, rel=1e-12)
    mixed = srcad.jvp(srcad.grad(srcad.grad(f, target=target), target=target), target=target)
    assert mixed(0.7, 2.0)[1] == pytest.approx(expected, rel=1e-12)

    def first(x, a):
        return srcad.jvp(f)(x, a)[1]

    def second(x, a):
        return srcad.jvp(first)(x, a)[1]

    def slope(x, a):
        return srcad.jvp(srcad.grad(f))(x, a)[1]

    assert srcad.jvp(second, target=target)(0.7, 2.0)[1] == pytest.approx(expected, rel=1e-12)
    assert srcad.grad(second, target=target)(0.7, 2.0) == pytest.approx(expected, rel=1e-12)
    assert srcad.grad(slope, target=target)(0.7, 2.0) == pytest.approx(expected, rel=1e-12)


# ---------------------------------------------------------------- several directions at once


def scaled_softmax(W, x):
    h = np.tanh(W @ x)
    return h / np.sum(h), np.sum(x)


@by_target
def test_several_directions(target):
    rng = np.random.default_rng(0)
    W, x = rng.normal(size=(3, 4)), rng.normal(size=4)
    rows = rng.normal(size=(5, 3, 4)), rng.normal(size=(5, 4))
    df = srcad.jvp(scaled_softmax, wrt=("W", "x"), target=target)
    value, (vectors, numbers) = df(W, x, tangents=rows)
    assert vectors.shape == (5, 3) and numbers.shape == (5,)
    for k in range(5):
        one_value, one = df(W, x, tangents=(rows[0][k], rows[1][k]))
        np.testing.assert_allclose(vectors[k], one[0], rtol=1e-12)
        np.testing.assert_allclose(numbers[k], one[1], rtol=1e-12)
    vectors, numbers = df(W, x, tangents=(rows[0], None))[1]
    np.testing.assert_allclose(vectors[2], df(W, x, tangents=(rows[0][2], None))[1][0], rtol=1e-12)
    assert numbers is None


@by_target
def test_several_directions_of_numbers_and_of_what_is_written(target):
    assert list(srcad.jvp(scaled, target=target)(2.0, 3.0, 2, np.array([1.0, 0.5]))[1]) == [12.0, 6.0]
    a, alone = np.array([5.0, 7.0]), np.array([5.0, 7.0])
    filled(alone, 3.0)
    value, (first, whole) = srcad.jvp(filled, target=target)(a, 3.0, tangents=np.eye(2))
    np.testing.assert_array_equal(a, alone)
    np.testing.assert_array_equal(first, [0.0, 1.0])
    np.testing.assert_array_equal(whole, [[0.0, 0.0], [0.0, 1.0]])
    q = np.array([0.3, -0.2, 0.9, 1.1])
    full = srcad.hessian(energy, target=target)(q, 1.5)
    np.testing.assert_allclose(srcad.hvp(energy, target=target)(q, 1.5, tangents=np.eye(4)), full, rtol=1e-12)


@by_target
def test_wrong_numbers_of_directions(target):
    df = srcad.jvp(scaled_softmax, wrt=("W", "x"), target=target)
    W, x = np.ones((3, 4)), np.ones(4)
    for rows in ((np.ones((5, 3, 3)), np.ones((5, 4))), (np.ones((5, 3, 4)), np.ones((4, 4)))):
        with pytest.raises(ValueError, match="each tangent of . must have its shape, and of all there is one number"):
            df(W, x, tangents=rows)
    with pytest.raises(ValueError, match="the tangent of W has 3 dimensions, and W has 2"):
        df(W, x, tangents=(np.ones((5, 3, 4)), np.ones(4)))
    with pytest.raises(TypeError, match="the tangents of W are of float32"):
        df(W, x, tangents=(np.ones((5, 3, 4), np.float32), np.ones((5, 4))))
