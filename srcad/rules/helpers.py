"""What derivatives call, for derivatives of derivatives."""

import numpy as np

from srcad.rules.rule import rule
from srcad.runtime import grow, on_diagonal, product_of_others, products_of_others_dot, room_for, sum_to


@rule(sum_to)
def _(y, value, like):
    y.dot = sum_to(value.dot, like)
    value.bar += sum_to(y.bar, value)


@rule(grow)
def _(y, tape):
    y.dot = grow(tape.dot)
    tape.bar += y.bar[: tape.shape[0]]


@rule(room_for)
def _(y, tape, count):
    y.dot = room_for(tape.dot, count)
    tape.bar += y.bar[: tape.shape[0]]


@rule(on_diagonal)
def _(y, values, like, k=0):
    y.dot = on_diagonal(values.dot, like, k=k)
    values.bar += np.diag(y.bar, k=k)


@rule(product_of_others)
def _(y, a, axis=None):
    # Its Jacobian is symmetric: both sides leave two elements out of the product.
    y.dot = products_of_others_dot(a, a.dot, axis=axis)
    a.bar += products_of_others_dot(a, y.bar, axis=axis)
