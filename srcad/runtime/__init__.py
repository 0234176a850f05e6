"""Small functions that generated source calls; with and without Numba, they do the same."""

from srcad.runtime.arrays import fitting, grow, no_records, recorded, room_for, sum_to, survives, widen
from srcad.runtime.bounds import other_lengths, out_of_bounds
from srcad.runtime.chains import chained
from srcad.runtime.checks import check_finite, check_index, check_mask, check_nan, check_product, check_shapes
from srcad.runtime.copies import received
from srcad.runtime.determinants import cofactors, cofactors_dot
from srcad.runtime.dots import products_along
from srcad.runtime.eigenvalues import real_components, spectrum
from srcad.runtime.cardinal_sine import sinc_slope
from srcad.runtime.equations import cholesky_bar, factored, solved, solved_transposed
from srcad.runtime.extremes import argmax_along, argmin_along
from srcad.runtime.factors import (
    cholesky_each, complement, det_each, det_sign, eigen, eigenvalues_each, half_lower, inverse_each, log_abs_det,
    orthonormal, pseudo_inverse_each, rest_of_left, rest_of_orthonormal, singular, singular_values, solve_each,
)  # fmt: skip
from srcad.runtime.gaps import nanmax_along, nanmean_along, nanmin_along, nansum_along, numbers_along
from srcad.runtime.integers import bit_counts, combinations, factorial, integer_power, integer_sqrt, permutations
from srcad.runtime.scipy_special_results import (
    airy_a, airy_a_slope, airy_b, airy_b_slope, cosine_integral, fresnel_cosine, fresnel_sine,
    hyperbolic_cosine_integral, hyperbolic_sine_integral, sine_integral,
)  # fmt: skip
from srcad.runtime.iterations import apart, independent
from srcad.runtime.lengths import LengthsDiffer
from srcad.runtime.grids import grid
from srcad.runtime.lanes import (
    added_along, argsort_along, cumsum_along, lower_triangle, rolled, rolled_over, take_along, upper_triangle,
)  # fmt: skip
from srcad.runtime.lookups import first_equal, first_pair
from srcad.runtime.order_statistics import nth_smallest
from srcad.runtime.orders import convolved, correlated, counted, even_bins, order_of, places_in, true_places
from srcad.runtime.overlap import overlaps
from srcad.runtime.parts import with_imag, with_real
from srcad.runtime.products import on_diagonal, product_of_others, products_of_others_dot
from srcad.runtime.reductions import (
    all_along, any_along, max_along, mean_along, min_along, prod_along, sum_along, var_along,
)  # fmt: skip
from srcad.runtime.scattered import add_at
from srcad.runtime.schedule import segment_length, states_kept, stride, with_states
from srcad.runtime.short_products import short_dot
from srcad.runtime.sorts import argpartition_along, partition_along, sort_along
from srcad.runtime.special import bessel_i, digamma, exponents, mantissas, polygamma
from srcad.runtime.spectra import scaled_ends, scaled_pairs
from srcad.runtime.stacks import integer_matmul, stacked_matmul
from srcad.runtime.stop import solution, stop_gradient
from srcad.runtime.strides import in_c_order, reshaped, reshapes_in_place, transposed, zeros_as
from srcad.runtime.threads import parts, prange

__all__ = [
    "add_at", "added_along", "airy_a", "airy_a_slope", "airy_b", "airy_b_slope", "all_along", "any_along",
    "apart", "argmax_along", "argmin_along", "argpartition_along", "argsort_along", "bessel_i", "bit_counts", "chained",
    "check_finite", "check_index", "check_mask", "check_nan", "check_product", "check_shapes", "cholesky_bar",
    "cholesky_each", "cofactors", "cofactors_dot", "combinations", "complement", "convolved", "correlated",
    "cosine_integral", "counted", "cumsum_along",
    "det_each", "det_sign", "digamma", "eigen", "eigenvalues_each", "even_bins", "exponents", "factored", "factorial",
    "first_equal", "first_pair",
    "fitting", "fresnel_cosine", "fresnel_sine", "grid", "grow", "half_lower", "hyperbolic_cosine_integral",
    "hyperbolic_sine_integral", "in_c_order", "independent", "integer_matmul", "integer_power", "integer_sqrt",
    "inverse_each", "LengthsDiffer", "log_abs_det", "lower_triangle", "mantissas", "max_along",
    "mean_along", "min_along", "nanmax_along", "nanmean_along", "nanmin_along", "nansum_along", "no_records",
    "nth_smallest", "numbers_along", "on_diagonal", "order_of", "orthonormal", "other_lengths", "out_of_bounds",
    "overlaps",
    "partition_along", "parts",
    "permutations", "places_in", "polygamma", "prange", "prod_along", "product_of_others", "products_along",
    "products_of_others_dot", "pseudo_inverse_each", "real_components", "received", "recorded", "reshaped",
    "reshapes_in_place", "rest_of_left", "rest_of_orthonormal", "rolled", "rolled_over",
    "room_for", "scaled_ends", "scaled_pairs",
    "segment_length", "short_dot", "sinc_slope", "sine_integral", "singular", "singular_values", "solution",
    "solve_each",
    "solved", "solved_transposed", "sort_along", "spectrum", "stacked_matmul", "states_kept", "stop_gradient",
    "stride", "sum_along", "sum_to", "survives", "take_along", "transposed", "true_places",
    "upper_triangle", "var_along", "widen", "with_imag", "with_real", "with_states", "zeros_as",
]  # fmt: skip
