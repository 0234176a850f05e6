"""Small functions that generated source calls; with and without Numba, they do the same."""

from srcad.runtime.arrays import add_at, grow, no_records, recorded, sum_to
from srcad.runtime.integers import combinations, factorial, integer_sqrt, permutations
from srcad.runtime.products import on_diagonal, product_of_others
from srcad.runtime.reductions import all_along, any_along, max_along, mean_along, min_along, prod_along, var_along
from srcad.runtime.special import digamma
from srcad.runtime.stacks import integer_matmul, stacked_matmul
from srcad.runtime.stop import stop_gradient

__all__ = [
    "add_at", "all_along", "any_along", "combinations", "digamma", "factorial", "grow", "integer_matmul",
    "integer_sqrt", "max_along", "mean_along", "min_along", "no_records", "on_diagonal", "permutations", "prod_along",
    "product_of_others", "recorded", "stacked_matmul", "stop_gradient", "sum_to", "var_along",
]  # fmt: skip
