"""Programs of the corpus with checks, with little room for records, and with loops that threads share."""

import importlib

import numpy as np
import pytest

import srcad
from srcad.runtime import LengthsDiffer
from tests.programs import PROGRAMS, marks

ROOMS = (100, 150, 220, 330, 500, 750, 1100, 1700, 2500, 5000, 10_000, 40_000, 160_000, 1 << 30)


def some(turn: int) -> pytest.MarkDecorator:
    """One program in sixty, and the others where there is time."""
    return pytest.mark.parametrize("program", [
        pytest.param(program, id=name, marks=marks(name, turn, 60)) for name, program in PROGRAMS.items()
    ])  # fmt: skip


def flat(values):
    if isinstance(values, tuple):
        return [number for value in values for number in flat(value)]
    return [np.asarray(values, complex)]


def assert_same(found, expected):
    for one, other in zip(flat(found), flat(expected), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-7, atol=1e-9)


def mode(program):
    return srcad.grad if program.tags & {"array", "tuple"} else srcad.value_and_grad


@some(7)
def test_little_room_for_records(program):
    """With as little as there is room in at all, loops run most of their iterations again."""
    make = mode(program)
    try:
        text = srcad.source(make(program.fn, program.wrt, target="python", max_tape=100), *program.example())
    except srcad.UnsupportedError as refused:
        # The state of a segment has one type, where an iteration that is written out by itself may have its own.
        assert "a number on one path and an array on another" in str(refused)
        return
    expected = make(program.fn, program.wrt, target="python")(*program.example())
    if "some states are kept" not in text:
        return
    for room in ROOMS:
        try:
            found = make(program.fn, program.wrt, target="python", max_tape=room)(*program.example())
        except MemoryError:
            continue
        return assert_same(found, expected)
    raise AssertionError("there is never room")


@some(41)
def test_checks_find_nothing(program):
    make = mode(program)
    try:
        expected = make(program.fn, program.wrt, target="python")(*program.example())
    except srcad.UnsupportedError:
        assert "may_refuse" in program.tags
        return
    checked = make(program.fn, program.wrt, target="python", debug=True)
    assert_same(checked(*program.example()), expected)
    checked = make(program.fn, program.wrt, target="python", nan_check=True)
    try:
        assert_same(checked(*program.example()), expected)
    except FloatingPointError:  # rightly, if the program divides zero by zero and chooses another value
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
            program.fn(*program.example())


def three(iterations, least):
    return max(1, min(3, iterations))


def backwards(parts):
    return range(parts - 1, -1, -1)


@some(23)
def test_parts_of_shared_loops_in_another_order(program, monkeypatch):
    """What threads share is run by the interpreter, in three parts, the last one first."""
    passes = importlib.import_module("srcad.transforms.parallel")
    monkeypatch.setattr(passes, "_LEAST", 1)
    monkeypatch.setattr(passes, "_LEAST_OF_LOOPS", 1)
    df = mode(program)(program.fn, program.wrt, parallel=True)
    try:
        text = srcad.source(df, *program.example())
    except srcad.UnsupportedError as refused:
        return assert_refused_as_well(program, str(refused))
    if "prange(" not in text:
        return
    source = df.maker.latest
    source.function.__globals__.update(prange=backwards, parts=three)
    try:
        found = source.rebuild(source.function(*program.example()))
    except LengthsDiffer:
        return  # a source for lengths of any kind takes its place
    assert_same(found, mode(program)(program.fn, program.wrt, target="python")(*program.example()))


def assert_refused_as_well(program, message):
    with pytest.raises(srcad.UnsupportedError) as alone:
        srcad.source(mode(program)(program.fn, program.wrt), *program.example())
    assert str(alone.value) == message
