"""Calls of NumPy that are refused, for what is said about them: `tests/golden/messages.txt` shows it."""

# ruff: noqa
# fmt: off

from __future__ import annotations

import ctypes
import math

import numba
import numpy as np
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.special
import scipy.stats
from scipy import ndimage
from scipy.spatial import distance

# ---------------------------------------------------------------- axes


def axis_of_roll(B): return np.sum(np.roll(B, 1, axis=5))
def shifts_of_roll(B): return np.sum(np.roll(B, (1, 2, 3), axis=(0, 1)))
def axis_of_take(B): return np.sum(np.take(B, [0], axis=5))
def axis_of_diff(B): return np.sum(np.diff(B, axis=5))
def axis_of_median(B): return np.sum(np.median(B, axis=-4))
def axis_of_transform(A): return np.sum(np.fft.fft(A, axis=4).real)
def axis_of_two_lengths(A): return np.sum(np.fft.fft2(A, (3, 2), axes=(0, -2)).real)
def axis_of_half_spectra(A): return np.sum(np.fft.rfft2(A, axes=(1, 1)).real)
def axis_of_ufunc(B): return np.sum(np.logaddexp.reduce(B, axis=-4))
def order_of_unravel(v): return v[np.unravel_index(1, (2, 2), order="F")[0]]
def mode_of_ravel(v): return v[np.ravel_multi_index((1, 5), (2, 2), mode="wrap")]
def axis_computed(A, x): return np.sum(np.sum(A, axis=int(x)))
def split_computed(v, x): return np.sum(np.split(v, int(x))[0])
def gradient_axes(C): return np.sum(np.gradient(C)[0])
def fill_diagonal_of_five_axes(x):
    a = np.ones((2, 2, 2, 2, 2))
    np.fill_diagonal(a, x)
    return np.sum(a)
def put_along_four_axes(B):
    np.put_along_axis(B[None], np.zeros((1, 2, 3, 1), int), 2.0, 3)
    return np.sum(B)


# ---------------------------------------------------------------- forms of calls


def einsum_of_one(A): return np.einsum("ij,jk->", A)
def einsum_letter(A): return np.einsum("ii->j", A)
def value_of_a_polynomial(x): return np.polynomial.Polynomial([1.0, 2.0])(x)
def slope_of_a_spline(v): return scipy.interpolate.BSpline(np.arange(8.0), v, 3).derivative()(3.5)
def integral_of_a_spline(v): return scipy.interpolate.BSpline(np.arange(8.0), v, 3).integrate(3.0, 4.0)
def integrated_spline(v): return scipy.interpolate.BSpline(np.arange(8.0), v, 3).antiderivative()(3.5)
def raw_qr(P): return np.sum(np.linalg.qr(P, mode="raw")[1])
def text_in_brackets(v): return np.sum(np.r_["0,2", v])
def linspace_step(x): return np.linspace(0.0, x, 5, retstep=x > 0.0)[1]
def sort_by_field(v): return np.sort(v, order="price")[0]
def partition_by_field(v): return np.partition(v, 1, order="price")[0]
def reshape_without_a_copy(B): return np.sum(np.reshape(B, -1, copy=False))
def min_where(v): return np.min(v, where=v > 0.0)
def arange_step(x): return np.sum(np.arange(5.0, step=x))
def arange_by_name(x): return np.sum(np.arange(stop=5.0, step=x))
def five_brackets(v): return np.sum(np.array([[[[[v, v], [v, v]]]]]))
def order_of_slice(A): return np.sum(A[::2, ::2].ravel(order="A")[:2])
def order_of_number(A): return np.sum(A.ravel(order="B"))
def open_mesh_of_matrix(A): return np.sum(A[np.ix_(np.zeros((2, 2), int), np.zeros(2, int))])
def several_flat(A): return A.flat[0, 1]
def number_concatenated(x): return np.sum(np.concatenate(x))
def sine_of_tuple(t): return math.sin(t)
def too_many_for_numpy(v): return np.sum(np.tile(v, 2, 3, 4))
def keyword_for_numpy(v): return np.sum(np.tile(v, reps=2, foo=3))
def text_of_numpy(x): return x * len(np.array_str(np.array([x])))
def einsum_of_more_letters(v): return np.sum(np.einsum("...ij->...i", v))
def order_of_a_stack(B): return np.linalg.norm(B, 3)
def matrix_times_number(A, x): return np.sum(np.matvec(A, x))
def vector_times_vector(v): return np.sum(np.vecmat(v, v))
def einsum_lost_dots(B): return np.sum(np.einsum("i...->i", B))
def several_axes_of_ufunc(A): return np.hypot.reduce(A, axis=(0, 1))
def weighted_quantile(v): return np.quantile(v, 0.3, weights=v)
def weighted_quantiles(A): return np.sum(np.quantile(A, 0.3, axis=0, weights=A[:, 0], method="inverted_cdf"))
def histogram_text(v): return np.sum(np.histogram(v, bins="auto")[1])
def histogram_of_rows(A): return np.sum(np.histogramdd(A, 3)[0]) * A[0, 0]
def fftshift_of_five_axes(A): return np.sum(np.fft.fftshift(A[None, None, None])[0])
def function_of_places(x): return x * np.sum(np.fromfunction(_of_four, (2, 2, 2, 2)))
def tensors_along_axis(A): return np.sum(np.apply_along_axis(_cube, 0, A))
def transposed_vector(v): return np.sum(v.mT)
def transform_of_complex(v): return np.sum(np.abs(np.fft.rfft(v + 1j)))
def larger_of_complex(v): return np.sum(np.abs(np.maximum(v + 1j, 0.0)))
def clipped_complex(v): return np.sum(np.abs(np.clip(v + 1j, 0.0, 1.0)))
FOREIGN = ctypes.pythonapi.PyOS_string_to_double
def foreign_function(x): return FOREIGN(x)
def one_of_several(A): return np.sum(scipy.linalg.rsf2csf(A, A)[1])
def clipped_to_complex(v, z): return np.sum(np.abs(np.clip(v, 0.1, z)))
def quantile_of_complex_numbers(c): return np.sum(np.abs(np.quantile(c, 0.3)))
def interpolated_at_complex(c): return np.sum(np.interp(c, np.arange(3.0), np.arange(3.0)))
def interpolated_to_complex(v, z): return np.sum(np.abs(np.interp(v, np.arange(3.0), np.arange(3.0), left=z)))
def differences_to_complex(v, z): return np.sum(np.abs(np.ediff1d(v, to_end=z)))
def variance_in_real_dtype(c): return np.var(c, dtype=np.float64)
def variance_in_integers(v): return np.var(v, dtype=int)
def weights_of_what_may_be_nan(v): return np.nanquantile(v[None], 0.5, axis=1, method="inverted_cdf", weights=v[None])
def deviation_from_complex(v, z): return np.std(v, mean=z)
def joined_in_real_dtype(c): return np.sum(np.concatenate((c, c), dtype=np.float64))
def window_of_complex(z): return np.sum(np.abs(np.kaiser(1, z)))
def bessel_of_complex_numbers(c): return np.sum(np.i0(c))
def variation_of_complex(c): return abs(scipy.stats.variation(c))
def error_of_complex(c): return np.sum(scipy.special.erfinv(c))
def dtype_of_two(v, x): return np.sum(np.sum(v, dtype=np.float32 if x > 0.0 else np.float64))
def number_or_row(A, x): return np.sum(A, axis=None if x > 0.0 else 0) * x
def _of_four(i, j, k, m): return i + j + k + m
def _cube(r): return np.zeros((2, 2, 2)) * r[0]
def nested_for_numpy(x, v):
    def inner(a): return a * x
    return np.sum(np.frompyfunc(inner, 1, 1)(v))


def quantile_method(v): return np.quantile(v, 0.3, method="middle")
def pad_in_another_mode(v): return np.sum(np.pad(v, 1, mode="mirror"))
def minimum_of_complex(c): return abs(np.sum(np.minimum(c, 1.0)))
def fmax_of_complex(c): return abs(np.sum(np.fmax(c, 1.0)))
def fmin_of_complex(c): return abs(np.sum(np.fmin(c, 1.0)))


# ---------------------------------------------------------------- operators and methods


def bits_of_float(x): return x << 2
def inverted_float(x): return ~x
def bits_of_floats(v): return np.sum(v & 2)
def order_of_complex(z): return z.real if z < 1.0 else 2.0
def remainder_of_complex(z): return abs(z % 2.0)
def and_of_comparisons(v, w): return np.sum(v > 0.0 and w > 0.0)
def text_minus(x):
    name = f"{x}"
    return x if name - 1 else 2.0
def computed_text_times(x): return str(x) * 2
def resized(v): return np.sum(v.resize(2))
def filled(v): return np.sum(v.fill(2.0))
def sorted_as_value(v): return np.sum(v.sort())
def state_of_random_numbers(v):
    np.random.seed(2)
    return v[0]
def number_at_computed_index(t, v, x):
    parts = (v, v * 2.0, 3.0)
    return np.sum(parts[int(x)])


# ---------------------------------------------------------------- SciPy


def logsumexp_with_sign(z): return np.sum(scipy.special.logsumexp(z, return_sign=True)[0].real)
def comb_of_integers(x): return x * scipy.special.comb(5, 2, exact=True)
def factorial_of_integers(x): return x * scipy.special.factorial(x, exact=True)
def multigammaln_of_a_number(x, y): return scipy.special.multigammaln(x, y)
def bessel_of_complex(z): return abs(scipy.special.ive(1, z))
def hankel_of_complex(z): return abs(scipy.special.hankel1(1, z))
def airy_of_complex(z): return abs(scipy.special.airye(z)[2])
def slope_of_airy_of_complex(z): return abs(scipy.special.airye(z)[3])
def solve_assuming(A, b): return np.sum(scipy.linalg.solve(A, b, assume_a="pentadiagonal"))
def raw_qr_of_scipy(A): return np.sum(scipy.linalg.qr(A, mode="raw")[1])
def pivoted_qr(A): return np.sum(scipy.linalg.qr(A, pivoting=True)[1])
def eig_of_two(A): return abs(scipy.linalg.eig(A, A)[0][0])
def eigvals_of_two(A): return abs(scipy.linalg.eigvals(A, A)[0])
def left_eigenvectors(A): return abs(scipy.linalg.eig(A, left=True)[0][0])
def ranked_pinv(B): return np.sum(scipy.linalg.pinv(B, return_rank=True)[0])
def least_squares_by_qr(A, b): return scipy.linalg.lstsq(A, b, lapack_driver="gelsy")[0]
def function_of_matrix(A): return np.sum(scipy.linalg.funm(A, np.exp))
def circulants_of_several(A, b): return np.sum(scipy.linalg.solve_circulant(A, b))
def basis_of_stack(B): return np.sum(scipy.linalg.orth(B))
def kernel_of_stack(B): return np.sum(scipy.linalg.null_space(B))
def tolerance_of_stack(B): return np.sum(scipy.linalg.pinv(B, rtol=0.1))
def tridiagonal_of_several(A): return np.sum(scipy.linalg.eigh_tridiagonal(A, A[:, 1:])[0])
def values_in_an_interval(B): return np.sum(scipy.linalg.eigvalsh(B, subset_by_value=[0.0, 1.0]))
def values_chosen_twice(A):
    return np.sum(scipy.linalg.eigvalsh(A, subset_by_index=[0, 1], subset_by_value=[0.0, 1.0]))
def values_of_several(A): return np.sum(scipy.linalg.eigvalsh_tridiagonal(A, A[:, 1:]))
def factors_of_several_bands(B): return np.sum(scipy.linalg.cholesky_banded(B))
def values_of_several_bands(B): return np.sum(scipy.linalg.eigvals_banded(B))
def blocks_of_stacks(B): return np.sum(scipy.linalg.block_diag(B, B))
def schur_form(A): return scipy.linalg.schur(A)[0][0, 0]
def hessenberg_form(A): return scipy.linalg.hessenberg(A)[0, 0]
def normal_of_a_number(x, v): return np.sum(scipy.stats.multivariate_normal.logpdf(x, v))
def entropy_of_several(v): return scipy.stats.multivariate_normal.entropy(v, v)
def wishart_of_a_number(v): return scipy.stats.wishart.logpdf(v[0], 4.0, v[1])
def matrix_normal_of_variances(A, v): return scipy.stats.matrix_normal.logpdf(A, None, v[0], v[1])
def heavy_tails_of_scales(v): return scipy.stats.multivariate_t.logpdf(v, v, v[0], 3.0)
def _cubic(y, x): return y**3 - x
def bracketed_root(x): return scipy.optimize.toms748(_cubic, 0.0, 5.0, args=(x,))
def minimum_of_square(x): return scipy.optimize.minimize(_cubic, 0.0, args=(x,), bounds=[(0, 1)]).x[0]
def solution_of_initial_value(x): return scipy.integrate.solve_ivp(_cubic, (0.0, 1.0), [x], method="BDF").y[0, -1]
def convolution_of_ranks(v, A): return np.sum(scipy.signal.convolve(A, v))
def convolution_of_four_axes(C): return np.sum(scipy.signal.convolve(C, C))
def convolution_mode(v): return np.sum(scipy.signal.convolve(v, v, "all"))
def equation_of_vectors(v): return np.sum(scipy.linalg.solve_sylvester(v, v, v))
def filter_by_gustafsson(v): return np.sum(scipy.signal.filtfilt([1.0], [1.0, 0.5], v, method="gust"))
def filter_continued_anyhow(v): return np.sum(scipy.signal.filtfilt([1.0], [1.0, 0.5], v, padtype="wrap"))
def spectrum_of_window_with_parameters(v): return np.sum(scipy.signal.welch(v, window=("kaiser", 2.0), nperseg=2)[1])
def spectrum_scaled_anyhow(v): return np.sum(scipy.signal.welch(v, nperseg=2, scaling="power")[1])
def spectrum_averaged_anyhow(v): return np.sum(scipy.signal.welch(v, nperseg=2, average="mode")[1])
def spectrum_continued_anyhow(v): return np.sum(abs(scipy.signal.stft(v, nperseg=2, boundary="wrap")[2]))
def moment_of_unknown_order(v, n): return scipy.stats.moment(v, n)
def cosines_of_complex(c): return abs(np.sum(scipy.fft.dct(c)))
def cosines_of_type_five(v): return np.sum(scipy.fft.dct(v, 5))
def bands_of_stacks(B, v): return np.sum(scipy.linalg.solve_banded((1, 1), B, v))
def toeplitz_of_three_axes(B): return np.sum(scipy.linalg.solve_toeplitz(np.array([2.0, 1.0]), B))
def riccati_of_stacks(B): return np.sum(scipy.linalg.solve_continuous_are(B, B, B, B))
def density_of_complex(c): return abs(np.sum(scipy.stats.norm.logpdf(c)))
def density_of_several_complex(c): return abs(scipy.stats.multivariate_normal.logpdf(c))
def count_of_complex_rate(c): return abs(np.sum(scipy.stats.poisson.logpmf(2, c)))
def quantile_of_complex(c): return abs(np.sum(scipy.stats.cauchy.ppf(c)))
def line_of_complex(c): return abs(scipy.stats.linregress(c, c).slope)
def factorial_of_complex(c): return abs(np.sum(scipy.special.factorial(c)))
def histogram_of_complex(c): return np.sum(np.histogram(c, 3)[1])
def distance_of_complex(c): return distance.braycurtis(c, c + 4.0)
def distances_of_complex(c): return np.sum(distance.cdist(c[:, None], c[:, None]))
def distances_within_complex(c): return np.sum(distance.pdist(c[:, None]))
def weighted_distances(A, v): return np.sum(distance.cdist(A, A, "cosine", w=v[:A.shape[1]]))
def metric_of_counts(A): return np.sum(distance.cdist(A, A, "hamming"))
def diagonal_of_columns(A):
    B = np.array(2.0 * A, order="F")
    np.einsum("ii->i", B)[...] = A[0]
    return np.sum(B**2)
def on_a_cubic_grid(A): return scipy.interpolate.interpn((np.arange(2.0), np.arange(3.0)), A, [0.5, 1.5], "cubic")[0]
def krogh_through(v): return np.sum(scipy.interpolate.KroghInterpolator(np.arange(float(len(v))), v)(0.5))
def akima_of_columns(A): return np.sum(scipy.interpolate.Akima1DInterpolator(np.arange(float(len(A))), A)(0.5))
def akima_of_another(v): return scipy.interpolate.Akima1DInterpolator(np.arange(4.0), v, method="wide")(0.5)
def quadratic_between(v): return scipy.interpolate.interp1d(np.arange(4.0), v, "quadratic")(0.5)
def between_at_rows(A): return np.sum(scipy.interpolate.interp1d(np.arange(4.0), A, axis=0)(A))
def slopes_along_rows(A): return np.sum(scipy.interpolate.CubicHermiteSpline(np.arange(4.0), A, A, axis=1)(0.5))
def weighted_univariate(v): return scipy.interpolate.InterpolatedUnivariateSpline(np.arange(4.0), v, w=v)(0.5)
def spline_of_degree_two(v): return scipy.interpolate.make_interp_spline(np.arange(4.0), v, k=2)(0.5)
def smoothed_spline(v): return scipy.interpolate.splrep(np.arange(4.0), v, s=1.0)
def spline_with_knots(v): return scipy.interpolate.splrep(np.arange(4.0), v, t=[1.5])
def spline_with_zeros_beyond(v): return scipy.interpolate.splev(9.0, scipy.interpolate.splrep(np.arange(4.0), v), ext=1)
def integral_with_points(x): return scipy.integrate.quad(lambda t: abs(t - x), 0.0, 1.0, points=[x])[0]
def spline_that_repeats(v): return scipy.interpolate.CubicSpline(np.arange(4.0), v, bc_type="periodic")(0.5)
def spline_with_free_ends(v): return scipy.interpolate.CubicSpline(np.arange(4.0), v, bc_type="free")(0.5)
def spline_of_rows(A): return np.sum(scipy.interpolate.CubicSpline(np.arange(4.0), A, axis=1)(0.5))
def spline_of_planes(C): return np.sum(scipy.interpolate.CubicSpline(np.arange(4.0), C)(0.5))
def spline_at_all_periods(v): return scipy.interpolate.CubicSpline(np.arange(4.0), v)(9.5, extrapolate="periodic")
def spline_integrated_twice(v): return scipy.interpolate.CubicSpline(np.arange(4.0), v).antiderivative(2)(0.5)
def pchip_of_columns(A): return np.sum(scipy.interpolate.PchipInterpolator(np.arange(float(len(A))), A)(0.5))
def weighted_chebyshev(v, w): return distance.chebyshev(v, w, w)
def distances_as_vector(v): return np.sum(distance.squareform(v, force="tovector"))
def filter_in_another_mode(v): return np.sum(ndimage.correlate1d(v, [1.0, 2.0], mode="edge"))
def filter_into(v, w): return np.sum(ndimage.correlate1d(v, [1.0, 2.0], output=w))
def filter_of_complex(c): return abs(np.sum(ndimage.correlate1d(c, [1.0, 2.0])))
def fourth_order_of_gaussian(v): return np.sum(ndimage.gaussian_filter1d(v, 1.0, order=4))
def gaussian_along_axes(A): return np.sum(ndimage.gaussian_filter(A, 1.0, axes=(0,)))
def uniform_along_axes(A): return np.sum(ndimage.uniform_filter(A, 3, axes=(0,)))
def laplace_along_axes(A): return np.sum(ndimage.laplace(A, axes=(0,)))
def sobel_of_four_axes(C): return np.sum(ndimage.sobel(C))
def correlate_into(A): return np.sum(ndimage.correlate(A, A, output=A))
def correlate_four_axes(C): return np.sum(ndimage.correlate(C, C))
def convolve_with_origins(A): return np.sum(ndimage.convolve(A, A, origin=(0, 1)))
def cubic_between(v): return np.sum(ndimage.map_coordinates(v, np.array([[0.5]])))
def between_integers(integers, x): return x * np.sum(ndimage.map_coordinates(integers, np.array([[x]]), order=1))
def between_mirrored(v): return np.sum(ndimage.map_coordinates(v, np.array([[0.5]]), order=1, mode="mirror"))
def between_of_three_axes(B): return np.sum(ndimage.map_coordinates(B, np.ones((3, 1)), order=1))
def bytes_swapped(v): return np.sum(v.byteswap())
def bytes_swapped_in_place(v):
    w = v.byteswap(True)
    return np.sum(w)
def zeta_of_complex(z): return abs(scipy.special.zeta(z))
def bessel_derivative_of_unknown_order(v, n): return np.sum(scipy.special.jvp(1.0, v, n))
def several_series(v, A): return np.sum(np.polynomial.legendre.legval(v, A))
def several_polynomials(v, A): return np.sum(np.polynomial.polynomial.polyvalfromroots(v, A))
def detrended_in_parts(v): return np.sum(scipy.signal.detrend(v, bp=2))
def smoothed_by_unknown_window(v, n): return np.sum(scipy.signal.savgol_filter(v, n, 1))
def window_of_unknown_length(v, n): return np.sum(np.lib.stride_tricks.sliding_window_view(v, n))
def window_of_too_few_axes(A): return np.sum(np.lib.stride_tricks.sliding_window_view(A, (2,)))
def split_at_places_of_an_array(v): return np.split(v, np.cumsum([1, 1]))[0][0]
def extreme_that_is_changed(x):
    z = np.where(x > 0.0, x, 0.0)
    m = max(z, 1.0)
    m += x
    return m * z
def choice_that_is_changed(x):
    z = np.where(x > 0.0, x, 0.0) if x > -1.0 else x
    m = z
    m += x
    return m * z
def squeezed_number_that_is_changed(x):
    z = m = np.squeeze(x)
    m += x
    return m * z


# ---------------------------------------------------------------- what Numba makes of functions


@numba.stencil
def _neighbours(a): return a[-1] + a[1]
@numba.stencil(standard_indexing=("w",))
def _weighted(a, w): return a[-1] * w[0]
@numba.guvectorize([(numba.float64[:], numba.float64[:], numba.float64[:])], "(n)->(),()")
def _ends(a, first, last): first[0], last[0] = a[0], a[-1]


def stencil_with_output(v): return np.sum(_neighbours(v, out=np.zeros(3)))
def stencil_with_standard_indexing(v): return np.sum(_weighted(v, v))
def generalized_without_output(v): return np.sum(_ends(v))


# ---------------------------------------------------------------- arrays without axes


def matrix_stored_by_a_truth_value(x):
    a = np.asarray(x)
    a[a > 0] = np.ones((2, 2)) * x
    return a
