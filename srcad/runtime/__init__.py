"""Small functions that generated source calls; with and without Numba, they do the same."""

from srcad.runtime.arrays import add_at, grow, sum_to
from srcad.runtime.products import on_diagonal, product_of_others
from srcad.runtime.special import digamma
from srcad.runtime.stop import stop_gradient

__all__ = ["add_at", "digamma", "grow", "on_diagonal", "product_of_others", "stop_gradient", "sum_to"]
