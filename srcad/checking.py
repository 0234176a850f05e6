"""How a rule is checked: its statements are evaluated, differenced, set against each other, and compiled."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Expr, Function, Let, Param, Return, Slice, Tuple, Var, and_, or_, select
from srcad.lang.promote import type_of
from srcad.lang.types import Array, Scalar, Type
from srcad.rules.parse import Body, Branch, Cotangent, Iteration, Loop, Temporary
from srcad.rules.rule import Rule, find
from srcad.runtime.libraries import enter
from srcad.transforms.infer import typed

STEP = 1e-4
TOLERANCE: dict[str, Any] = {"rtol": 1e-7, "atol": 1e-8}
SINGLE: dict[str, Any] = {"rtol": 2e-3, "atol": 2e-4}
OPERANDS = (tuple, np.ndarray, float, complex)


@dataclass
class Case:
    """A call of a primitive with values for its operands."""

    primitive: Any
    rule: Rule
    call: Call
    values: dict[str, Any]

    @property
    def result(self) -> Any:
        return evaluate(self.call, self.values)

    def at(self, **changed: Any) -> Any:
        return evaluate(self.call, {**self.values, **changed})


def check(primitive: Any, operands: tuple[Any, ...], named: dict[str, Any], compiled: bool) -> None:
    """Check one form of call; see `srcad.testing.check_rule`."""
    rule = find(primitive)
    assert rule is not None, f"{primitive} has no rule"
    case = _case(primitive, rule, operands, named, np.float64)
    if rule.zero:
        return
    seed = _random_like(case.result, np.random.default_rng(1))
    gradients = _reverse(case, seed)
    for name, gradient in gradients.items():
        np.testing.assert_allclose(
            gradient, _differences(case, name, seed), **TOLERANCE, err_msg=f"{rule}: {name}.bar and finite differences"
        )
        alone = _reverse(case, seed, {name})[name]
        np.testing.assert_allclose(alone, gradient, **TOLERANCE, err_msg=f"{rule}: {name}.bar, wanted alone")
    _check_forward(case, seed, gradients)
    _check_single(primitive, rule, operands, named, seed, gradients)
    if compiled:
        _check_compiled(case, seed)


# ---------------------------------------------------------------- building the call


def _case(primitive: Any, rule: Rule, operands: tuple, named: dict[str, Any], dtype: type) -> Case:
    """The call with names for its differentiable operands."""
    rng = np.random.default_rng(0)
    parameters = list(inspect.signature(rule.fn).parameters.values())[1:]
    moving = _moving(rule.body)
    values: dict[str, Any] = {}

    def expression(name: str, given: Any, moves: bool) -> Expr:
        if moves and isinstance(given, tuple) and any(isinstance(g, OPERANDS) for g in given):
            return Tuple(tuple(expression(f"{name}{i}", g, True) for i, g in enumerate(given)))
        if moves and isinstance(given, tuple):
            given = rng.normal(size=given)[()]
        if isinstance(given, (np.ndarray, float, complex)):
            values[name] = _as(dtype, given)
            return Var(name, _type(values[name], name))
        return given if isinstance(given, Const) else Const(given, type_of(given))

    def of(position: int) -> str:
        return parameters[min(position, len(parameters) - 1)].name

    several = parameters[-1].kind is inspect.Parameter.VAR_POSITIONAL
    position = len(operands)
    while not several and position < len(parameters) and parameters[position].name in named.keys() & moving:
        operands = (*operands, named[parameters[position].name])
        position += 1
    named = {k: v for k, v in named.items() if k not in {p.name for p in parameters[:position]}}
    args = tuple(expression(f"{of(i)}{i}" if several else of(i), g, of(i) in moving) for i, g in enumerate(operands))
    kwargs = tuple((k, expression(k, v, k in moving)) for k, v in named.items())
    call = Call(primitive, args, kwargs)
    meant = typed(call)  # of an array, ``np.asarray(x)`` is `x`: the rule is still that of the call
    return Case(primitive, rule, meant if isinstance(meant, Call) else replace(call, type=meant.type), values)


def _as(dtype: type, value: Any) -> Any:
    if np.iscomplexobj(value):
        dtype = np.result_type(dtype, np.complex64).type
    if isinstance(value, np.ndarray):
        return value.astype(dtype) if value.dtype.kind in "fc" else value
    return dtype(value).item() if dtype in (np.float64, np.complex128) else dtype(value)


def _random_like(value: Any, rng: np.random.Generator) -> np.ndarray:
    """Random numbers of a value's shape, complex ones if it is complex."""
    sample = rng.normal(size=np.shape(value))
    return np.asarray(sample + 1j * rng.normal(size=np.shape(value)) if np.iscomplexobj(value) else sample)


def _type(value: Any, name: str) -> Type:
    if not np.ndim(value):
        return Scalar(np.asarray(value).dtype.name, weak=type(value) in (float, complex))
    return Array(value.dtype.name, tuple(f"{name}.shape[{k}]" if n != 1 else 1 for k, n in enumerate(value.shape)), "C")


def _moving(body: Body) -> set[str]:
    """The parameters of a rule that have a ``.bar``; of a loop, what it runs over."""
    found: set[str] = set()
    for stmt in reversed(body):
        if isinstance(stmt, Cotangent):
            found |= walk.names(stmt.operand)
        elif isinstance(stmt, Branch):
            found |= _moving(stmt.then) | _moving(stmt.orelse)
        elif isinstance(stmt, Loop):
            found |= _moving(stmt.body) | set(_sources(stmt.over))
        elif isinstance(stmt, Temporary) and found.intersection(stmt.names):
            found |= walk.names(stmt.value)
    return found


def _sources(over: Any) -> Iterator[str]:
    if isinstance(over, Iteration):
        for arg in over.args:
            yield from _sources(arg)
    else:
        yield from walk.names(over)


# ---------------------------------------------------------------- the derivatives


def _terms(case: Case, wanted: set[str]) -> list:
    y, bar = Var("result", _type(case.result, "result")), Var("seed", _type(case.result, "result"))
    counter = iter(range(1000))
    return case.rule.reverse(y, case.call, bar, wanted, lambda hint: f"{hint}.{next(counter)}", typed)


def _reverse(case: Case, seed: np.ndarray, wanted: set[str] | None = None) -> dict[str, Any]:
    """The gradients, by operand."""
    floats = {n for n, v in case.values.items() if np.asarray(v).dtype.kind in "fc"}
    env = {**case.values, "result": case.result, "seed": seed[()] if not np.ndim(seed) else seed}
    gradients = {name: np.zeros_like(_wide(case.values[name])) for name in sorted(wanted or floats)}
    for term in _terms(case, wanted or floats):
        if isinstance(term, Let):
            env[term.target] = evaluate(term.value, env)
        else:
            name, value = term[0].name, evaluate(term[1], env)
            gradients[name] = gradients[name] + _fit(value, gradients[name])
    return gradients


def _wide(value: Any) -> np.ndarray:
    """A value in double precision."""
    return np.asarray(value, complex if np.iscomplexobj(value) else float)


def _fit(value: Any, like: np.ndarray) -> np.ndarray:
    """A value summed over what broadcasting repeated, or repeated to the shape; for a real operand its real part."""
    shape = like.shape
    value = _wide(value if np.iscomplexobj(like) else np.real(value))
    value = value.sum(axis=tuple(range(max(0, value.ndim - len(shape)))))
    axes = tuple(i for i, n in enumerate(value.shape) if shape[len(shape) - value.ndim + i] == 1 != n)
    return np.broadcast_to(value.sum(axis=axes, keepdims=True), shape)


def _differences(case: Case, name: str, seed: np.ndarray) -> np.ndarray:
    """The gradient of ``sum(seed * y).real``, by differences; of a complex operand in both directions."""
    x = _wide(case.values[name])
    result = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        for direction in (1.0, 1j) if np.iscomplexobj(x) else (1.0,):
            for weight, shift in ((8, 1), (-8, -1), (-1, 2), (1, -2)):
                moved = x.copy()
                moved[place] += shift * STEP * direction
                y = case.at(**{name: moved if moved.ndim else moved.item()})
                result[place] += weight / 12 / STEP * np.sum(seed * _wide(y)).real * np.conj(direction)
    return result


def _check_forward(case: Case, seed: np.ndarray, gradients: dict[str, np.ndarray]) -> None:
    """The dot-product test, of all operands together and of each by itself."""
    rng = np.random.default_rng(2)
    for names in (list(gradients), *([name] for name in gradients)):
        dots = {name: _random_like(gradients[name], rng)[()] for name in names}
        env = {**case.values, "result": case.result, **{f"{name}~dot": dot for name, dot in dots.items()}}
        moving: dict[str, Expr] = {name: Var(f"{name}~dot", _type(np.asarray(dots[name])[()], name)) for name in names}
        y = Var("result", _type(case.result, "result"))
        tangent, before = case.rule.forward(y, case.call, moving, lambda hint: f"{hint}.f", typed)
        for stmt in before:
            env[stmt.target] = evaluate(stmt.value, env)
        found = np.zeros(()) if tangent is None else _wide(evaluate(tangent, env))
        left = np.sum(seed * np.broadcast_to(found, np.shape(seed))).real
        right = sum(np.sum(gradients[name] * dots[name]).real for name in names)
        np.testing.assert_allclose(left, right, **TOLERANCE, err_msg=f"{case.rule}: forward and reverse, {names}")


def _check_single(primitive, rule, operands, named, seed, gradients) -> None:
    """In single precision, the same up to its rounding."""
    single = _case(primitive, rule, operands, named, np.float32)
    known, dtype = getattr(single.call.type, "dtype", None), np.asarray(single.result).dtype.name
    as_it_is = primitive in (min, max)  # which operand they hand out, and so its dtype, is for the values to tell
    assert as_it_is or known in (None, dtype), f"{rule}: {known} is known, and {dtype} comes, in single precision"
    found = _reverse(single, _as(np.float32, np.asarray(seed)))
    for name, gradient in gradients.items():
        np.testing.assert_allclose(found[name], gradient, **SINGLE, err_msg=f"{rule}: {name}.bar in single precision")


# ---------------------------------------------------------------- compiling


def _check_compiled(case: Case, seed: np.ndarray) -> None:
    """The call and the reverse statements, compiled, give what they give in the interpreter."""
    import numba

    env = {**case.values, "result": case.result, "seed": seed if np.ndim(seed) else seed.item()}
    terms = _terms(case, set(case.values))
    values = [case.call, *(typed(term[1]) for term in terms if not isinstance(term, Let))]
    lets = [term for term in terms if isinstance(term, Let)]
    body: tuple[Let | Return, ...] = (*lets, Return(typed(Tuple(tuple(values)))))
    read = sorted(set().union(*(walk.names(e) for s in body for e in walk.stmt_exprs(s))) & env.keys())
    text, compiled = _compile(tuple(Param(n, _type(env[n], n)) for n in read), body)
    for stmt in lets:
        env[stmt.target] = evaluate(stmt.value, env)
    enter("srcad.runtime")
    try:
        found = numba.njit(compiled)(*(env[n] for n in read))
    except numba.core.errors.NumbaError as error:
        raise AssertionError(f"{case.rule}: Numba cannot compile\n{text}\n{error}") from None
    for got, value in zip(found, values):
        expected = evaluate(value, env)
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12, err_msg=f"{case.rule}:\n{text}")
        assert np.shape(got) == np.shape(expected), f"{case.rule}: shape {np.shape(got)}\n{text}"


def _compile(params: tuple[Param, ...], body: tuple) -> tuple[str, Any]:
    """The text of a function, and the function, as the compiler's last passes make it."""
    from srcad.backends.dispatchers import callee
    from srcad.lang.write import write
    from srcad.transforms.lower import lower
    from srcad.transforms.name import name

    written = write(name(lower(Function("compiled", params, body))))
    space = {key: callee(value) for key, value in written.constants.items()}
    exec(written.text, space)
    return written.text, space["compiled"]


# ---------------------------------------------------------------- evaluating


def evaluate(expr: Expr, env: dict[str, Any]) -> Any:
    """The value of an expression, as the interpreter would compute it."""
    match expr:
        case Var(name):
            return env[name]
        case Const(value):
            return value
        case Attr(value, name):
            return getattr(np.asarray(evaluate(value, env)), name)
        case Tuple(items):
            return tuple(evaluate(e, env) for e in items)
        case Slice(lower, upper, step):
            return slice(*(None if e is None else evaluate(e, env) for e in (lower, upper, step)))
        case Call(fn, (test, then, orelse)) if fn is select:
            return evaluate(then if evaluate(test, env) else orelse, env)
        case Call(fn, args) if fn is and_ or fn is or_:
            return fn(*(evaluate(arg, env) for arg in args))
        case Call(operator.getitem, (base, index)):
            return evaluate(base, env)[evaluate(index, env)]
        case Call(fn, args, kwargs):
            with np.errstate(all="ignore"):
                return fn(*(evaluate(a, env) for a in args), **{k: evaluate(v, env) for k, v in kwargs})
    raise TypeError(expr)
