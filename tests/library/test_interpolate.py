"""Interpolating objects of the surroundings, and what is refused of them."""

import numpy as np
import pytest
from scipy import interpolate

import srcad
from srcad.testing import check_grads

PLACES = np.array([0.0, 0.7, 1.5, 2.0, 3.1])
SPLINE = interpolate.CubicSpline(PLACES, np.sin(PLACES))
STRAIGHT = interpolate.InterpolatedUnivariateSpline(PLACES, np.sin(PLACES), k=1)
OLD = interpolate.InterpolatedUnivariateSpline(PLACES, np.sin(PLACES))
LINE = interpolate.interp1d(PLACES, np.cos(PLACES), fill_value="extrapolate")
ALONG_ROWS = interpolate.CubicSpline(PLACES, np.sin(PLACES)[None], axis=1)


def along_a_spline(t):
    return np.sum(SPLINE(t) * SPLINE.derivative()(t)) + SPLINE(t[0], 1) * SPLINE.integrate(0.3, t[1])


def along_older_ones(t):
    return np.sum(OLD(t) * LINE(t))


@pytest.mark.parametrize("function, order", [(along_a_spline, 2), (along_older_ones, 1)])
def test_of_the_surroundings(function, order):
    t = np.array([0.4, 1.9, 3.5])
    value, _ = srcad.value_and_grad(function, target="python")(t)
    assert value == pytest.approx(function(t), rel=1e-12)
    check_grads(function, (t,), order=order, target="python")


@pytest.mark.parametrize("function, message", [
    (lambda t: np.sum(ALONG_ROWS(t)), "an interpolation along another axis than the first"),
    (lambda t: interpolate.CubicSpline(PLACES, 0.0 * PLACES, bc_type="periodic")(t), "a periodic CubicSpline"),
    (lambda t: STRAIGHT(t), "an InterpolatedUnivariateSpline of another degree"),
    (lambda t: interpolate.interpn((PLACES,), t * PLACES, PLACES, "cubic"), "interpolation on a grid with this method"),
])  # fmt: skip
def test_refused(function, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.grad(function, target="python")(0.4)


@pytest.mark.parametrize("samples, made, message", [
    (3, interpolate.CubicSpline, "a CubicSpline of fewer than 4 samples has no derivative here"),
    (2, interpolate.PchipInterpolator, "a PchipInterpolator of fewer than 3 samples has no derivative here"),
])
def test_too_few_samples(samples, made, message):
    def through(y):
        return made(PLACES[:samples], y)(0.4)

    with pytest.raises(ValueError, match=message):
        srcad.grad(through, target="python")(np.sin(PLACES[:samples]))


def test_beyond_the_samples():
    df = srcad.grad(lambda y, t: interpolate.interp1d(PLACES, y)(t), target="python")
    assert df(np.sin(PLACES), 0.35).tolist() == [0.5, 0.5, 0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="a value is outside the interpolation range"):
        df(np.sin(PLACES), 3.2)
    turned = srcad.grad(lambda y: interpolate.interp1d(PLACES[::-1], y)(0.4), target="python")
    with pytest.raises(ValueError, match="the places of samples must ascend here"):
        turned(np.sin(PLACES))


# ---------------------------------------------------------------- on grids

ON_GRID = interpolate.RegularGridInterpolator((PLACES, PLACES[1:]), np.sin(PLACES[:, None] * PLACES[1:]))


def on_a_grid(p):
    return np.sum(ON_GRID(p) ** 2)


def test_a_grid_of_the_surroundings():
    points = np.array([[0.3, 1.0], [2.6, 1.7], [3.1, 0.7]])
    value, _ = srcad.value_and_grad(on_a_grid, target="python")(points)
    assert value == pytest.approx(on_a_grid(points), rel=1e-12)
    check_grads(on_a_grid, (points[:2],), order=2, target="python")


@pytest.mark.parametrize("places, point, message", [
    (PLACES, 3.5, "one of the requested points is outside the grid; bounds_error=False allows it"),
    (PLACES[::-1], 0.4, "the points of a grid must ascend here"),
])
def test_no_value_on_a_grid(places, point, message):
    def through(y):
        return interpolate.interpn((places,), y, np.array([point]))[0]

    with pytest.raises(ValueError, match=message):
        srcad.grad(through, target="python")(np.sin(places))
