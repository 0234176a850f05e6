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


# ---------------------------------------------------------------- of knots and coefficients

RANDOM = np.random.default_rng(3)
ROWS, COLUMNS = np.sort(RANDOM.uniform(0.0, 4.0, 9)), np.sort(RANDOM.uniform(0.0, 3.0, 8))
HEIGHTS = RANDOM.normal(size=(9, 8))
SURFACE = interpolate.RectBivariateSpline(ROWS, COLUMNS, HEIGHTS)
FACETS = interpolate.RectBivariateSpline(ROWS, COLUMNS, HEIGHTS, kx=2, ky=1)
EVERYWHERE = np.repeat(ROWS, 8), np.tile(COLUMNS, 9), HEIGHTS.ravel()
SMOOTH = interpolate.SmoothBivariateSpline(*EVERYWHERE, s=60.0)
TCK = interpolate.bisplrep(*EVERYWHERE, s=60.0)
QUINTIC = interpolate.make_interp_spline(ROWS, HEIGHTS[:, 0], k=5)
OF_COLUMNS = interpolate.make_interp_spline(ROWS, HEIGHTS)
ENDING = interpolate.BSpline(QUINTIC.t, QUINTIC.c, 5, extrapolate=False)
CURVE = interpolate.splrep(ROWS, HEIGHTS[:, 1])
LOOP = interpolate.splprep([np.cos(ROWS), np.sin(ROWS)], s=0)[0]


def at_pairs(x, y):
    rows = SURFACE.ev(x[:, None], y[:4]) + SURFACE.ev(x[0], y[:4], dx=1, dy=2) * FACETS(x[:4], y[1], grid=False)
    return np.sum(rows**2) + SMOOTH(x[0], y[0], grid=False) * np.sum(SURFACE.ev(2.0 * x - 3.0, 2.0 * y))


def on_grids(x, y):
    at_numbers = SURFACE(x[1], y[0])[0, 0] * SMOOTH(x[0], y[0])[0, 0]
    return np.sum(SURFACE(x, y) ** 2) + np.sum(FACETS(x, y, 1) ** 3) + at_numbers


def by_bisplev(x, y):
    tx, ty, c, kx, ky = TCK
    own = interpolate.bisplev(x[0], y[0], (tx, ty, c * y[1], kx, ky)) * np.sum(interpolate.bisplev(x[0], y, TCK) ** 2)
    return np.sum(interpolate.bisplev(x, y, TCK, dx=1, dy=1) ** 2) + own + np.sum(interpolate.bisplev(x, y[2], TCK))


def of_one_variable(x, y):
    made = interpolate.BSpline(QUINTIC.t, QUINTIC.c * y[0], 5)
    ends = np.sum(np.nan_to_num(ENDING(2.0 * x))) + np.sum(interpolate.splev(2.0 * x, ENDING))
    rows = OF_COLUMNS(x.reshape(2, 3), 1) * OF_COLUMNS(y[1])
    return np.sum(made(x) * QUINTIC(y, 5)) + ends + np.sum(rows**2) + np.sum(interpolate.splev(x, CURVE, der=2) * y)


def of_points_and_coefficients(x, y):
    t, c, k = CURVE
    return np.sum(interpolate.splev(x, (t, c * y[0] + y[1], k)) ** 2) + interpolate.splev(y[2], [t, x[0] * c, k])


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("function", [at_pairs, on_grids, by_bisplev, of_one_variable, of_points_and_coefficients])
def test_of_knots(function, target):
    x, y = np.linspace(0.4, 3.3, 6), np.linspace(0.5, 2.6, 6)
    value, _ = srcad.value_and_grad(function, wrt=("x", "y"), target=target)(x, y)
    assert value == pytest.approx(function(x, y), rel=1e-12)
    check_grads(function, (x, y), order=1 if target == "cpu" else 2, target=target)


@pytest.mark.parametrize("function, message", [
    (lambda x: interpolate.RectBivariateSpline(ROWS, COLUMNS, HEIGHTS).ev(x, x),
     "a spline of two variables that the function makes"),
    (lambda x: interpolate.splev(x, LOOP)[0], "splev of the spline of a curve"),
    (lambda x: interpolate.splev(1.0, (CURVE[0] * x, CURVE[1], 3)), "with respect to its knots"),
    (lambda x: np.real(QUINTIC(1j * x)), "a spline at complex points"),
    (lambda x: interpolate.BSpline(QUINTIC.t, QUINTIC.c, 5, "periodic")(x), "a periodic BSpline"),
    (lambda x: interpolate.BSpline(QUINTIC.t, QUINTIC.c, 5, axis=1)(x), "a BSpline along another axis than the first"),
])  # fmt: skip
def test_refused_of_knots(function, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.grad(function, target="python")(0.4)


@pytest.mark.parametrize("function, message", [
    (lambda x: SURFACE.ev(x, x, dx=3)[0],
     "the order of a derivative is at least 0 and less than the degree of the spline"),
    (lambda x: np.sum(SURFACE(x[::-1], x)), "the coordinates must ascend where a spline is evaluated on a grid"),
    (lambda x: interpolate.splev(x[0], CURVE, der=4),
     "the order of a derivative is at least 0 and at most the degree of the spline"),
    (lambda x: np.sum(interpolate.bisplev(x[:1], x, TCK)),
     "bisplev of an array of one element gives an array of fewer axes; take the element for it"),
])  # fmt: skip
def test_errors_of_knots(function, message):
    with pytest.raises(ValueError, match=message):
        srcad.grad(function, target="python")(np.array([0.4, 0.7]))


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
