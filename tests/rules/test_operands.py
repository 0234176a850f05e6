"""Every rule says something of each operand that may be a number with a derivative."""

import dataclasses
import inspect
import math

import numpy as np
import pytest
from scipy import special

import srcad
from srcad.lang.ir import Attr, Var
from srcad.rules.parse import Cotangent, Loop, Temporary
from srcad.testing import check_grads
from tests.rules.test_completeness import CHECKED, name, rules

# Operands that are whole numbers, truth values, texts or functions, or that hold for shapes and dtypes alone.
WHOLE = frozenset((
    "axis axes axis1 axis2 source destination keepdims dtype out order casting copy mode n k norm shape s like "
    "kind method where size ndim num indices minlength offset shift UPLO uplo ord condition options count first "
    "last factor tape seed new value type lower unit above below i j p"
).split())  # fmt: skip
# Of which the result does not move, or only where it jumps.
STILL = {np.full_like: {"a"}, np.arange: {"stop"}, np.heaviside: {"x"}, np.nextafter: {"towards"}, np.ldexp: {"i"},
         np.copysign: {"b"}, math.copysign: {"b"}, math.ldexp: {"i"}, np.bincount: {"x"},
         special.lambertw: {"tol"}}  # fmt: skip


def inside(node):
    yield node
    if isinstance(node, tuple):
        for part in node:
            yield from inside(part)
    elif dataclasses.is_dataclass(node):
        for field in dataclasses.fields(node):
            yield from inside(getattr(node, field.name))


def named(node):
    return {part.name for part in inside(node) if isinstance(part, Var)}


def spoken_of(rule):
    """The operands that have a tangent or a cotangent in a rule, be it as elements of a tuple."""
    nodes = [*inside(rule.body)]
    said = set().union(*(named(node.operand) for node in nodes if isinstance(node, Cotangent)))
    said |= set().union(*(named(node.value) for node in nodes if isinstance(node, Attr) and node.name == "dot"))
    handed = [(set(node.names), named(node.over if isinstance(node, Loop) else node.value))
              for node in nodes if isinstance(node, (Loop, Temporary))]  # fmt: skip
    while more := set().union(*(given for names, given in handed if names & said)) - said:
        said |= more
    return said


@pytest.mark.parametrize("primitive", CHECKED, ids=name)
def test_a_rule_speaks_of_every_operand(primitive):
    rule = rules.find(primitive)
    if rule.zero:
        pytest.skip("of no operand at all")
    operands = [p.name for p in inspect.signature(rule.fn).parameters.values()][1:]
    assert set(operands) - spoken_of(rule) <= WHOLE | STILL.get(primitive, set())


def filled(x, gap, above, below):
    z = x / np.array([1.0, 0.0, 0.0, 0.0])
    return np.sum(np.nan_to_num(z, nan=gap, posinf=above, neginf=below) * np.array([1.0, 2.0, 3.0, 4.0]))


def spread(x, lost):
    return np.var(x, ddof=lost) + np.std(x, ddof=2.0 * lost)


def spread_of_rows(x, lost):
    return np.sum(np.var(x, axis=1, ddof=lost) * np.std(x, axis=1, ddof=lost, keepdims=True)[:, 0])


@pytest.mark.filterwarnings("ignore:(divide|invalid):RuntimeWarning")
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_what_takes_the_place_of_no_numbers(target):
    values = np.array([2.0, 0.0, 1.0, -1.0]), 0.3, 0.5, 0.7
    assert srcad.grad(filled, wrt=(1, 2, 3), target=target)(*values) == (2.0, 3.0, 4.0)
    moved = srcad.jvp(filled, wrt=(1, 2, 3), target=target)(*values, tangents=(1.0, 10.0, 100.0))[1]
    assert moved == 432.0


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_degrees_of_freedom_that_are_lost(target):
    check_grads(spread, (np.array([1.0, 2.5, 0.3, 0.9]), 0.7), target=target)
    check_grads(spread_of_rows, (np.array([[1.0, 2.5, 0.3, 0.9], [0.1, 0.4, 0.2, 1.9]]), 0.7), target=target)


def test_parts_of_complex_numbers_are_replaced_each_for_itself():
    def filled(z):
        return np.sum(np.abs(np.nan_to_num(z, nan=2.0, posinf=3.0)) ** 2)

    z = np.array([1.0 + 2.0j, np.nan + 1.0j, complex(np.inf, 2.0), complex(3.0, np.nan)])
    found = srcad.grad(filled, target="python")(z)
    np.testing.assert_allclose(found, [2.0 + 4.0j, 2.0j, 4.0j, 6.0])
    tangent = np.array([1.0 + 0.5j, 1.0 + 0.5j, 1.0 + 0.5j, 1.0 + 0.5j])
    moved = srcad.jvp(filled, target="python")(z, tangents=tangent)[1]
    np.testing.assert_allclose(moved, np.sum(np.real(found) * tangent.real + np.imag(found) * tangent.imag))
