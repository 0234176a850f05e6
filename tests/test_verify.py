"""The invariants of the IR hold after every pass, for every program of the corpus."""

from __future__ import annotations

from dataclasses import replace

import inspect

import pytest

from srcad.backends.values import type_of
from srcad.lang.errors import SrcadError
from srcad.lang.ir import Const, Let, Return, Var
from srcad.lang.left import leaving_alone
from srcad.lang.verify import InvalidIR, verify
from srcad.options import Options
from srcad.pipeline import stages
from tests.programs import PROGRAMS, marks


def signature(program) -> tuple:
    parameters = inspect.signature(program.fn).parameters
    example = program.example()
    values = [*example, *(p.default for p in list(parameters.values())[len(example) :])]
    return tuple(type_of(value, name) for value, name in zip(values, parameters))


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, 1, 16)) for name in PROGRAMS])
def test_every_pass_keeps_the_invariants(name):
    program = PROGRAMS[name]
    options = Options(mode="value_and_grad", wrt=tuple(program.positions()), single=False, debug=True)
    try:
        leaving_alone(lambda: list(stages(program.fn, options, signature(program))))
    except SrcadError:
        if "may_refuse" not in program.tags:
            raise


def test_verify_finds_a_name_that_is_never_assigned():
    from srcad.lang.ir import Function

    with pytest.raises(InvalidIR, match="never assigned"):
        verify(Function("f", (), (Return(Var("x")),)))


def test_verify_finds_a_second_assignment_after_split():
    from srcad.lang.ir import Function

    twice = (Let("x", Const(1.0)), Let("x", Const(2.0)), Return(Var("x")))
    function = Function("f", (), twice)
    verify(function, "read")
    with pytest.raises(InvalidIR, match="assigned twice"):
        verify(replace(function), "split")
