"""The frontend as a whole: interpreting the surface IR of a function is calling the function."""

import copy
import enum
import inspect
from contextlib import nullcontext, suppress

import numpy as np
import pytest

from srcad.backends.values import type_of
from srcad.lang.errors import UnsupportedError
from srcad.lang.ir import Let, Nested
from srcad.lang.left import leaving_alone
from srcad.lang.types import UNKNOWN
from srcad.lang.verify import verify
from srcad.lang.walk import statements
from srcad.transforms.surface import steps, surface
from tests.interpret import run
from tests.programs import PROGRAMS, marks
from tests.transforms.frontend_programs import CASES


def assert_same(left, right):
    if isinstance(left, tuple):
        assert isinstance(right, tuple) and len(left) == len(right)
        for a, b in zip(left, right):
            assert_same(a, b)
    elif left is None:
        assert right is None
    elif callable(left):
        assert callable(right)
    elif isinstance(left, (str, enum.Enum)):
        assert left == right
    else:
        np.testing.assert_allclose(left, right, rtol=1e-15, atol=0)


def signature(args):
    """The types of arguments: the functions among them take the place of their names, and arrays may become lists."""
    told = (tuple, str, np.ndarray, type(None))
    return tuple(type_of(arg, "x") if callable(arg) or isinstance(arg, told) else UNKNOWN for arg in args)


def with_defaults(fn, args):
    """Arguments, and the defaults of those that are not given: None among them tells what is asked of it."""
    params = inspect.signature(fn).parameters.values()
    by_place = [param for param in params if param.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    return (*args, *(param.default for param in by_place[len(args) :] if param.default is not param.empty))


def check(fn, args):
    args = with_defaults(fn, args)
    function = leaving_alone(lambda: surface(fn, signature(args)))  # what is refused at first is read in other ways
    verify(function)
    if any(isinstance(s, Let) and isinstance(getattr(s.value, "fn", None), Nested) for s in statements(function.body)):
        return  # a derivative is made when the types are known
    before, after = copy.deepcopy(list(args)), copy.deepcopy(list(args))
    try:
        found = run(function, *after)
    except AssertionError as error:
        if "before its type is known" not in str(error):
            raise
        return  # and so is the buffer of a list
    assert_same(getattr(fn, "py_func", fn)(*before), found)
    assert_same(tuple(before), tuple(after))


@pytest.mark.parametrize(("fn", "args"), CASES, ids=[fn.__name__ for fn, _ in CASES])
def test_frontend_programs(fn, args):
    check(fn, args)


# einsum gives NumPy's own view, an array of no elements is no index before it has a type, types tell which lists
# turn out to be arrays, and before it has a type, a number in the place of an array has no dtype
NOT_INTERPRETED = {
    "diagonals_are_views", "stores_at_no_index", "lists_of_what_turns_out_to_be_arrays", "these_are_copies_of_matrices",
}  # fmt: skip


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=marks(name, 1, 4)) for name in sorted(PROGRAMS.keys() - NOT_INTERPRETED)
])  # fmt: skip
def test_corpus(name):
    with suppress(UnsupportedError) if "may_refuse" in PROGRAMS[name].tags else nullcontext():
        check(PROGRAMS[name].fn, PROGRAMS[name].example())


def test_twice_the_same():
    for fn, _ in CASES:
        assert surface(fn) == surface(fn)


def test_steps_have_names():
    assert [name for name, _ in steps(CASES[0][0])] == ["desugar", "exits", "inline"]
