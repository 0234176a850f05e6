"""infer: types of whole functions, what in-place operators mean, what is decided while typing, what is refused."""

from __future__ import annotations

import math
import operator
import re

import numpy as np
import pytest

from srcad.lang import walk
from srcad.lang.errors import UnsupportedError, ValueNeeded
from srcad.lang.forms import REFUSED as NO_VALUE
from srcad.runtime import LengthsDiffer
from srcad.lang.ir import Accum, Attr, Call, Const, Effect, Function, If, Let, Method, Move, Param, Return, Store, Var
from srcad.lang.left import leaving_alone
from srcad.lang.types import BOOL, FLOAT, INT, Array, Scalar, TupleType
from srcad.lang.verify import verify
from srcad.pipeline import derivative
from srcad.transforms.infer import infer, typed
from srcad.transforms.specialize import specialize
from srcad.transforms.split import split
from srcad.transforms.surface import surface
from srcad.transforms.untuple import untuple
from srcad.typing.typer import IN_PLACE
from tests.programs import PROGRAMS, marks
from tests.reference import complete
from tests.transforms.follow import follow, signature_of

VECTOR, MATRIX = np.array([1.0, 2.0, 3.0]), np.ones((3, 3))


def inferred(fn, *args):
    signature = tuple(map(signature_of, args))
    return leaving_alone(lambda: infer(split(surface(fn, signature)), signature, derivative))


def ready(fn, *args):
    """The function after infer, untuple and specialize."""
    function = inferred(fn, *args)
    verify(function, "infer")
    function = untuple(function)
    verify(function, "untuple")
    function = specialize(function)
    verify(function, "specialize")
    return function


def statements(fn, kind):
    return [s for s in walk.statements(fn.body) if isinstance(s, kind)]


# ---------------------------------------------------------------- the corpus


@pytest.mark.parametrize("name, dtype", [
    pytest.param(name, dtype, marks=marks(name, turn, 8)) for name in sorted(PROGRAMS)
    for turn, dtype in enumerate((np.float64, np.float32))
])  # fmt: skip
def test_every_value_of_the_corpus_has_its_type(name, dtype):
    program = PROGRAMS[name]
    if any(isinstance(arg, tuple) and any(map(callable, arg)) for arg in program.example()):
        pytest.skip("functions in a tuple have no values to follow")
    if name in ("diagonals_are_views", "made_by_columns", "column_into_a_row_of_a_copy",
                "places_of_a_mask_that_changes", "lists_of_what_turns_out_to_be_arrays"):  # fmt: skip
        pytest.skip("an order in memory that stands in the types alone, or a view that NumPy lets nobody write to")
    if name in ("one_choice_under_two_names", "numbers_held_in_arrays_that_are_written_to"):
        pytest.skip("an array without axes, which is a number in the types")
    if dtype is np.float32 and "nof32" in program.tags:
        pytest.skip("too sensitive for single precision")
    try:
        function = ready(program.fn, *complete(program, program.example(dtype)))
    except ValueNeeded:
        pytest.skip("the values of arguments decide the types: a call asks again, with them")
    except UnsupportedError:
        if "may_refuse" not in program.tags:
            raise
        pytest.skip("refused")
    for expr in (e for s in walk.statements(function.body) for x in walk.stmt_exprs(s) for e in walk.subexprs(x)):
        if isinstance(expr, Call):
            assert not isinstance(expr.fn, Method) and expr.fn not in IN_PLACE
    with np.errstate(all="ignore"):
        expected = program.fn(*program.example(dtype))
    try:
        result = follow(function, *program.example(dtype))
    except LengthsDiffer:
        pytest.skip("another text is made where lengths differ")
    pairs = zip(result, expected) if isinstance(expected, tuple) else [(result, expected)]
    for got, want in pairs:
        np.testing.assert_allclose(got, want, rtol=1e-12 if dtype is np.float64 else 2e-4)


# ---------------------------------------------------------------- joins


def integer_then_float(x):
    s = 0
    for i in range(len(x)):
        s += x[i]
    return s


def float_in_one_branch(x, flag):
    if flag > 0:
        y = 1
    else:
        y = x
    return y


def test_numbers_join():
    assert inferred(integer_then_float, VECTOR).body[-1].value.type == Scalar("float64")
    assert inferred(integer_then_float, VECTOR.astype("float32")).body[-1].value.type == Scalar("float32")
    assert inferred(float_in_one_branch, 0.5, 1).body[-1].value.type == FLOAT


def growing(x, n):
    y = x
    for _ in range(n):
        y = np.concatenate((y, x))
    return y


def shrinking_views(x, n):
    y = x
    for _ in range(n):
        y = y[1:]
    return y * 1.0


def made_in_the_loop(n):
    total = 0.0
    last = np.zeros(0)
    for i in range(n):
        new = np.ones(i)
        total += np.sum(new) * len(last)
        last = new
    return total


def made_late(x, n):
    total = 0.0
    for i in range(n):
        if i > 0:
            total += np.sum(last)  # noqa: F821
        last = np.ones(i) * x  # noqa: F841
    return total


@pytest.mark.parametrize("fn, args", [(growing, (VECTOR, 3)), (shrinking_views, (VECTOR, 2)), (made_in_the_loop, (4,)),
                                      (made_late, (2.0, 4))])  # fmt: skip
def test_lengths_that_change_from_iteration_to_iteration(fn, args):
    assert follow(ready(fn, *args), *args) is not None


def test_a_carried_array_keeps_its_shape_if_it_surely_has_one():
    def steps(u, n):
        for _ in range(n):
            u = u + u[::-1]
        return u

    function = inferred(steps, VECTOR, 3)
    assert function.body[-1].value.type == function.params[0].type


def wide_in_a_loop(x, n):
    for _ in range(n):
        v = np.empty(len(x))
        for i in range(len(x)):
            v[i] = 2 * x[i]
        x = v
    return np.sum(x)


def wide_and_written(x, n):
    for _ in range(n):
        x[0] = 2.0
        x = x * np.ones(3)
    return np.sum(x)


def test_arrays_of_two_dtypes_become_the_wider_one():
    narrow = VECTOR.astype(np.float32)
    assert follow(ready(wide_in_a_loop, narrow, 2), narrow, 2) == 24.0
    with pytest.raises(UnsupportedError, match="an array of float32 on one path and of float64"):
        ready(wide_and_written, narrow, 2)


# ---------------------------------------------------------------- in place


def in_place(a, x, i):
    a += x
    a -= x
    a *= 2
    a[i] += x[0]
    a[1:] -= x[1:]
    a[i] *= 3
    return a


def test_augmented_assignments():
    function = ready(in_place, VECTOR, VECTOR, 1)
    add, subtract, scale, element, part, product, result = function.body
    assert add == Accum(Var("a", function.params[0].type), Var("x", function.params[1].type))
    assert isinstance(subtract.value, Call) and subtract.value.fn is operator.neg
    assert isinstance(scale, Store) and scale.index.value is Ellipsis and scale.value.fn is operator.mul
    assert isinstance(element, Accum) and element.target.fn is operator.getitem
    assert isinstance(part, Accum) and part.value.fn is operator.neg
    assert isinstance(product, Store) and product.value.fn is operator.mul
    assert result.value == Var("a", function.params[0].type)


def test_integers_and_gathered_elements_are_stored():
    def count(x, index):
        n = np.zeros(3, dtype=np.int64)
        n[0] += 1
        y = x.copy()
        y[index] += 1.0
        return y

    function = ready(count, VECTOR, np.array([0, 0]))
    assert not statements(function, Accum) and len(statements(function, Store)) == 2


def in_branches_and_loops(x, flag, n):
    a = x.copy()
    if flag > 0:
        a += 1.0
    for _ in range(n):
        a += x
    while a[0] < 100:
        a *= 2.0
    return a


def test_an_array_changed_in_place_stays_one_name():
    function = ready(in_branches_and_loops, VECTOR, 1, 2)
    assert not statements(function, Move)
    np.testing.assert_array_equal(follow(function, VECTOR, 1, 2), in_branches_and_loops(VECTOR, 1, 2))


def test_calls_that_write():
    a, index = Var("a"), Var("index")
    calls = [Call(Method("fill"), (a, Const(2.0))), Call(np.add.at, (a, index, Const(1.5)))]
    calls.append(Call(operator.setitem, (a, Const(...), a)))
    function = Function("f", (Param("a"), Param("index")), (*map(Effect, calls), Return(a)))
    values = (np.zeros(4), np.array([0, 0, 1]))
    function = infer(function, tuple(map(signature_of, values)))
    assert [type(s) for s in function.body] == [Store, Accum, Store, Return]
    assert follow(function, *values).tolist() == [5.0, 3.5, 2.0, 2.0]


# ---------------------------------------------------------------- decided while typing


def by_rank(x, axis=None):
    if x.ndim == 1:
        return x[0]
    elif x.shape[1:] == ():
        return math.sin(x)
    assert x.ndim == 2
    if axis is None:
        return x[0, 0]
    return np.sum(x, axis=axis)[0]


def test_only_the_branch_taken_must_make_sense():
    for args in ((VECTOR, None), (MATRIX, None), (VECTOR,), (MATRIX,)):
        function = ready(by_rank, *args)
        assert not statements(function, If) and not statements(function, Effect)
        assert follow(function, *args) == by_rank(*args)


def with_default(A, axis=1, scale=2.0):
    return np.sum(A, axis=axis) * scale


def test_a_default_that_is_left_out_is_known():
    assert follow(ready(with_default, MATRIX), MATRIX, 1, 2.0).tolist() == [6.0, 6.0, 6.0]
    with pytest.raises(UnsupportedError, match="an axis that is not known at compile time"):
        ready(with_default, MATRIX, 1)


def by_dtype(x):
    eps = 1e-3 if x.dtype == np.float32 else 1e-6
    exact = isinstance(x, np.ndarray) and x.dtype != np.int64
    return x * eps if exact and np.finfo(x.dtype).eps > 0 else x


def test_dtypes_are_decided():
    for dtype in (np.float64, np.float32):
        function = ready(by_dtype, VECTOR.astype(dtype))
        assert [type(s) for s in function.body] == [Let, Let, Return] or not statements(function, If)
        np.testing.assert_array_equal(follow(function, VECTOR.astype(dtype)), by_dtype(VECTOR.astype(dtype)))


def axis_by_name(A):
    axis = A.ndim - 1
    keep = True
    return np.sum(A, axis=axis, keepdims=keep)


def test_an_axis_in_a_name_becomes_a_constant():
    call = [s.value for s in statements(ready(axis_by_name, MATRIX), (Let, Return))][-1]
    assert {k: v.value for k, v in call.kwargs} == {"axis": 1, "keepdims": True}


def test_methods_and_attributes_become_functions():
    def methods(A):
        return A.T.reshape(3, 3).sum(axis=0).mean() + len(A) + A.ndim + A.size

    parts = list(walk.subexprs(inferred(methods, MATRIX).body[-1].value))
    calls = [e.fn for e in parts if isinstance(e, Call)]
    assert {np.transpose, np.reshape, np.sum, np.mean, operator.getitem} <= set(calls)
    assert any(isinstance(e, Attr) and e.name == "size" for e in parts)


def test_shapes_are_compared_element_by_element():
    def check(A, B):
        assert A.shape == B.shape
        assert A.shape == A.T.T.shape
        return A.ndim == B.ndim

    function = ready(check, MATRIX, MATRIX)
    assert len(statements(function, Effect)) <= 2
    assert follow(function, MATRIX, MATRIX) is True


# ---------------------------------------------------------------- typed


def test_typed_takes_the_types_of_names():
    x, s = Var("x", Array("float32", ("n", "m"), "C")), Var("s", FLOAT)
    product = typed(Call(operator.mul, (Call(np.cos, (x,)), Call(operator.add, (s, Const(1))))))
    assert product.type == Array("float32", ("n", "m"), "C") and product.args[1].type == FLOAT
    assert typed(Attr(x, "T")).type == Array("float32", ("m", "n"), "F")
    assert typed(Call(operator.getitem, (Attr(x, "shape"), Const(0)))).type == INT
    assert typed(Call(operator.gt, (s, Const(0)))).type == BOOL
    pair = Var("p", TupleType((FLOAT, INT)))
    assert typed(Call(operator.getitem, (pair, Const(1)))).type == INT


# ---------------------------------------------------------------- refusals


def unknown_method(x):
    return x.frobnicate()


def unknown_attribute(x):
    return x.strides


def method_without_call(x):
    return x.mean + 1


def math_of_array(x):
    return math.sin(x)


def number_and_array(x):
    s = 0.0
    if x[0] > 0:
        s = s + x
    return s


def none_and_number(x):
    best = (None, 1.0)
    for i in range(3):
        if x[i] > 0:
            best = (x[i], 2.0)
    return best[0]


def ranks_differ(x, flag):
    if flag > 0:
        y = x
    else:
        y = x[:, None]
    return y


def truth_of_array(x):
    if x > 0:
        return x
    return -x


def too_many_indices(x):
    return x[0, 0]


def float_index(x):
    return x[0.5]


def float_range(x):
    s = 0.0
    for i in range(x[0]):
        s += i
    return s


def axis_of_other_rank(x):
    return np.sum(x, axis=1)


def axis_unknown(x, k):
    return np.sum(x, axis=k)


def store_in_number(s):
    s[0] = 1.0
    return s


def store_of_array_in_element(x):
    x[0] = x
    return x


def integer_array_in_place(x):
    k = np.arange(3)
    k += x
    return k


def minimum_of_arrays(x):
    return min(x, x)


def unused_method(x):
    x.setfield(1.0, float)
    return x


def random_numbers(x):
    return x * np.random.rand(3)


def wrong_keyword(x):
    return np.sum(x, axes=0)


def perhaps_unset(x, n):
    for i in range(n):
        if i > 1:
            x = x * y  # noqa: F821
    return x


REFUSED = [
    (unknown_method, "the method frobnicate of an array of rank 1", ""),
    (unknown_attribute, "the attribute strides", "shape"),
    (method_without_call, "the method mean without a call", r"x\.mean"),
    (math_of_array, "math.sin of an array", "np.sin"),
    (number_and_array, "s is a number on one path and an array on another", "np.zeros"),
    (none_and_number, "best is .* on one path", "flag"),
    (ranks_differ, "y is an array of rank 1 on one path and of rank 2", ""),
    (truth_of_array, "the truth of an array", "any"),
    (too_many_indices, "2 indices into an array of rank 1", ""),
    (float_index, "an index that is no integer", "int"),
    (float_range, "a range of something that is no integer", "int"),
    (axis_of_other_rank, "axis 1 of an array of rank 1", ""),
    (axis_unknown, "an axis that is not known at compile time", "a constant"),
    (store_in_number, "a store into a number", "np.zeros"),
    (store_of_array_in_element, "a store of an array of rank 1 into an element of x", ""),
    (integer_array_in_place, "makes float64 of an array of int64", "k = k"),
    (minimum_of_arrays, "min or max of several arrays", "np.minimum"),
    (unused_method, "setfield", r"y = x.setfield\(...\)"),
    (random_numbers, "np.random.rand, which gives numbers that depend on draws before it", "passed as an argument"),
    (wrong_keyword, "the argument axes= of np.sum", ""),
]


@pytest.mark.parametrize("fn, reason, remedy", REFUSED, ids=[fn.__name__ for fn, _, _ in REFUSED])
def test_refusals(fn, reason, remedy):
    values = {"x": VECTOR, "s": 1.0, "k": 1, "flag": 1, "n": 3}
    with pytest.raises(UnsupportedError, match=reason) as caught:
        inferred(fn, *(values[p.name] for p in surface(fn).params))
    assert len(caught.value.problems) == 1, caught.value.problems
    (problem,) = caught.value.problems
    assert re.search(remedy, problem.remedy)
    assert problem.origin.filename == __file__ and problem.origin.line > fn.__code__.co_firstlineno


def several(x):
    a = math.exp(x)
    b = x.frobnicate()
    c = a * b + 1
    return c + x[0, 0, 0]


def test_all_problems_are_listed_once():
    with pytest.raises(UnsupportedError) as caught:
        inferred(several, VECTOR)
    assert [p.origin.line - several.__code__.co_firstlineno for p in caught.value.problems] == [1, 2, 4]


def test_nothing_is_left_out_without_a_word():
    """What depends on something without a type, of which nothing has been said, is no statement that may be dropped."""
    body = (Let("y", NO_VALUE), Effect(Call(print, (Var("y"),))), Return(Var("x")))
    with pytest.raises(UnsupportedError, match="what this depends on has no value that is known"):
        infer(Function("f", (Param("x"),), body), (FLOAT,))


def read_where_nothing_is_put(x):
    waiting, s = [], x
    while waiting:
        k = waiting.pop()
        s += k * x
        waiting.append(k)
    return s


def test_what_reads_lists_that_stay_empty_is_left_out():
    assert inferred(read_where_nothing_is_put, 1.0).body
