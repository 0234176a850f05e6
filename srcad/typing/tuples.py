"""Tuples and objects known at compile time: comparison, membership, concatenation, length."""

from __future__ import annotations

import builtins
import inspect
import operator
from typing import Any

import numpy as np

from srcad.lang.arrays import axis_length
from srcad.lang.forms import can_be_tried, kind_of, of_kind
from srcad.lang.ir import Call, Const, Expr, Tuple, and_, or_
from srcad.lang.promote import COMPARISONS
from srcad.lang.refusals import BEFOREHAND
from srcad.lang.types import BOOL, NONE, TUPLE, UNKNOWN, Array, Form, Scalar, Static, TupleType, Type, is_array
from srcad.typing.elementwise import cast
from srcad.typing.facts import NotStatic
from srcad.typing.table import TEXT, Facts, Refusal, call, constant, describe, is_row, items, kind, returns

_KINDS: dict[Any, tuple[str, ...]] = {
    float: ("float64",), int: ("int64",), bool: ("bool",), complex: ("complex128",),
    np.floating: ("float16", "float32", "float64"), np.integer: ("int8", "int16", "int32", "int64"),
}  # fmt: skip


def binary(facts: Facts, fn: Any, a: Expr, b: Expr) -> Expr | None:
    """An operator on tuples or on objects that are no numbers; None: both are numbers or arrays."""
    pair = (a.type, b.type)
    if all(isinstance(t, (Scalar, Array)) for t in pair):
        return None
    if UNKNOWN in pair:
        raise Refusal("", poisoned=True)
    if isinstance(a.type, Static) and isinstance(a.type.value, str) and fn in (operator.mod, operator.add):
        return _text(facts, fn, a, b)
    if any(isinstance(t, TupleType) for t in pair):
        return _of_tuples(facts, fn, a, b)
    if TEXT in pair:
        raise Refusal("an operation on text", "numbers or arrays")
    if fn in (operator.eq, operator.ne):
        return constant((fn is operator.eq) == _equal(a.type, b.type))
    try:
        return constant(facts.evaluated(fn, [facts.known(a), facts.known(b)]))
    except Exception:
        raise Refusal(f"an operation on {describe(a.type)} and {describe(b.type)}", "numbers or arrays") from None


def _text(facts: Facts, fn: Any, a: Expr, b: Expr) -> Expr:
    """``"..." % x`` and the like."""
    if fn is operator.add and not (isinstance(b.type, Static) and isinstance(b.type.value, str)):
        raise Refusal(f"text and {describe(b.type)} added", "numbers or arrays")
    try:
        return constant(fn(facts.known(a), facts.known(b)))
    except NotStatic:
        return Call(fn, (a, b), (), TEXT)


def _equal(a: Type, b: Type) -> bool:
    """Whether two objects known at compile time are equal; a number is never equal to one that is no number."""
    if not (isinstance(a, Static) and isinstance(b, Static)):
        return False
    if isinstance(a.value, np.dtype) or isinstance(b.value, np.dtype):
        return np.dtype(a.value) == np.dtype(b.value)
    return bool(a.value == b.value)


def _of_tuples(facts: Facts, fn: Any, a: Expr, b: Expr) -> Expr:
    both = isinstance(a.type, TupleType) and isinstance(b.type, TupleType)
    if not both and is_array(a.type if isinstance(b.type, TupleType) else b.type) and is_row(a.type) | is_row(b.type):
        return call(facts, fn, *(call(facts, np.array, e) if isinstance(e.type, TupleType) else e for e in (a, b)))
    if both and fn is operator.add and a.type.form.cls in (tuple, list):
        return pack(items(facts, a) + items(facts, b), a.type.form)
    if both and fn in (operator.eq, operator.ne):
        same = _same(facts, items(facts, a), items(facts, b))
        return same if fn is operator.eq else negated(facts, same)
    if fn in (operator.eq, operator.ne) and _is_single(b.type if isinstance(a.type, TupleType) else a.type):
        return constant(fn is operator.ne)
    if fn is operator.mul:
        sequence, count = (a, b) if isinstance(a.type, TupleType) else (b, a)
        if isinstance(count.type, Scalar) and count.type.dtype.startswith("int"):
            repeated = items(facts, sequence) * facts.static(count, "a number of repetitions")
            return pack(repeated, sequence.type.form)  # type: ignore[union-attr]
    if fn in COMPARISONS:
        raise Refusal("an order of tuples", "a comparison of their elements")
    what = describe(a.type if isinstance(a.type, TupleType) else b.type)
    remedy = "np.array(...) of it" if what in ("a tuple", "a list") else "arithmetic on its items"
    raise Refusal(f"arithmetic on {what}", remedy)


def _is_single(type: Type) -> bool:
    """Whether this is no tuple and nothing that is compared with the items of one: text, None, a number of Python's."""
    if isinstance(type, Static):
        return isinstance(type.value, (str, bytes)) or type == NONE
    return type == TEXT or isinstance(type, Scalar) and type.weak


def negated(facts: Facts, test: Expr) -> Expr:
    if isinstance(test, Const):
        return constant(not test.value)
    return call(facts, operator.not_, test)


def pack(parts: tuple[Expr, ...], form: Form = TUPLE) -> Tuple:
    """A structure of typed elements."""
    return Tuple(parts, TupleType(tuple(getattr(p, "type", UNKNOWN) for p in parts), form))


def _same(facts: Facts, left: tuple[Expr, ...], right: tuple[Expr, ...]) -> Expr:
    if len(left) != len(right):
        return constant(False)
    tests = [call(facts, operator.eq, a, b) for a, b in zip(left, right)]
    if any(isinstance(t, Const) and not t.value for t in tests):
        return constant(False)
    tests = [t for t in tests if not isinstance(t, Const)]
    if not tests:
        return constant(True)
    return tests[0] if len(tests) == 1 else Call(and_, tuple(tests), (), BOOL)


def _enter_identity(fn: Any) -> None:
    def rule(facts: Facts, a: Expr, b: Expr) -> Type | Expr:
        if UNKNOWN in (a.type, b.type):
            raise Refusal("", poisoned=True)
        statics = [isinstance(e.type, Static) for e in (a, b)]
        if all(statics):
            return constant(fn(a.type.value, b.type.value))
        if any(statics):
            return constant(fn is operator.is_not)
        of_truth = any(isinstance(e, Const) and isinstance(e.value, bool) for e in (a, b))
        values = "==; for arrays, a flag that is passed: same=True"
        remedy = "the test alone: if flag, or bool(flag)" if of_truth else values
        raise Refusal("`is` of two values", remedy)

    returns(fn)(rule)


_enter_identity(operator.is_)
_enter_identity(operator.is_not)


@returns(operator.contains)
def contains(facts: Facts, container: Expr, item: Expr) -> Type | Expr:
    """``item in container``, for a tuple or a string."""
    if TEXT in (container.type, item.type) and isinstance(container.type, Static):
        return BOOL
    if isinstance(container.type, Static) and isinstance(item.type, Static):
        return constant(item.type.value in container.type.value)
    if isinstance(container.type, Array):
        raise Refusal("`in` an array", "np.any(a == x)")
    tests = [call(facts, operator.eq, item, part) for part in items(facts, container)]
    if any(isinstance(t, Const) and t.value for t in tests):
        return constant(True)
    tests = [t for t in tests if not isinstance(t, Const)]
    return Call(or_, tuple(tests), (), BOOL) if len(tests) > 1 else tests[0] if tests else constant(False)


@returns(len)
def length(facts: Facts, x: Expr) -> Type | Expr:
    """The length of a tuple or of an array's first axis."""
    if isinstance(x.type, TupleType):
        return constant(len(x.type.items))
    if x.type == TEXT:
        return Scalar("int64", True)  # of text that is made at run time nothing is known before
    if isinstance(x.type, Static) and isinstance(x.type.value, str):
        return constant(len(x.type.value))
    if x.type == Static(range):
        return Scalar("int64", True)
    if not isinstance(kind(x), Array):
        raise Refusal("len of a number", "an array or a tuple")
    return axis_length(x, 0)


@returns(range)
def numbers(facts: Facts, *bounds: Expr) -> Type:
    """What a loop runs over; elsewhere only its length counts."""
    if not all(isinstance(bound.type, Scalar) and bound.type.dtype.startswith(("int", "uint")) for bound in bounds):
        raise Refusal("a range of what is no integer", "int(n)")
    return Static(range)


@returns(isinstance)
def is_instance(facts: Facts, x: Expr, classes: Expr) -> Type | Expr:
    """Decided by the type."""
    wanted = facts.static(classes, "a class")
    return constant(any(_belongs(x.type, c) for c in (wanted if isinstance(wanted, tuple) else (wanted,))))


@returns(hasattr)
def has_attribute(facts: Facts, value: Expr, name: Expr) -> Type | Expr:
    """Decided by the type: what Python's numbers, those of NumPy and arrays have."""
    wanted = facts.static(name, "a name")
    if isinstance(value.type, Static):
        return constant(hasattr(value.type.value, wanted))
    if isinstance(value.type, TupleType) and wanted in value.type.form.keys and value.type.form.cls is not dict:
        return constant(True)  # what its objects have, and not the class
    cls = _class(value.type)
    own = wanted != "__dict__" or any(wanted in vars(each) for each in cls.__mro__)  # every class has one itself
    return constant(hasattr(cls, wanted) and own)


@returns(can_be_tried)
def of_attempt(facts: Facts, known: Expr) -> Type | Expr:
    """Refused where the statements behind it may fail when something is stored already."""
    if not facts.static(known, "a test"):
        raise Refusal("try whose body stores into an array, a list or an object", BEFOREHAND)
    return known


@returns(callable)
def is_callable(facts: Facts, value: Expr) -> Type | Expr:
    """Decided by the type: numbers and arrays are not."""
    if isinstance(value.type, Static):
        return constant(callable(value.type.value))
    return constant(any("__call__" in vars(cls) for cls in _class(value.type).__mro__))


@returns(kind_of)
def class_of(facts: Facts, value: Expr) -> Type | Expr:
    """Decided by the type, too."""
    return constant(_class(value.type))


@returns(of_kind)
def converted(facts: Facts, like: Expr, value: Expr) -> Type | Expr:
    """A number of the type of another one."""
    cls = _class(like.type)
    if not isinstance(like.type, Scalar):
        raise Refusal(f"a call of the class of {describe(like.type)}", "np.array(...), or a display")
    if like.type.weak:
        if isinstance(value, Const) and isinstance(value.value, (bool, int, float)):
            return constant(cls(value.value))
        return call(facts, cls, value)
    found = cast(facts, cls, value)
    return Call(cls, (value,), (), found) if isinstance(found, Type) else found


def _class(type: Type) -> Any:
    if isinstance(type, Array):
        return np.ndarray
    if isinstance(type, TupleType):
        return type.form.cls
    if isinstance(type, Scalar):
        found = np.dtype(type.dtype).type
        return builtins.type(found().item()) if type.weak else found
    raise Refusal("", poisoned=True)


def _belongs(type: Type, cls: Any) -> bool:
    if isinstance(type, Array):
        return cls in (np.ndarray, object)
    if isinstance(type, TupleType):
        return inspect.isclass(cls) and issubclass(type.form.cls, cls)
    if isinstance(type, Static):
        return builtins.isinstance(type.value, cls)
    if isinstance(type, Scalar):
        if cls in (np.floating, np.integer):
            return not type.weak and type.dtype in _KINDS[cls]
        if cls in _KINDS:
            return type.dtype in _KINDS[cls] and (type.weak or cls is float) or (cls is int and type == BOOL)
        return cls is object or (not type.weak and cls in (np.generic, np.number, np.dtype(type.dtype).type))
    raise Refusal("", poisoned=True)
