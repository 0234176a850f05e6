"""Marks on values, while derivatives are taken in the middle of a function."""

from srcad.rules.rule import constant, rule
from srcad.runtime.marks import accessed, detached, hold, picked, pin, probe, reassigned, seeded, unrecorded, watched

constant(hold)
constant(detached)


@rule(pin)
def _(y, x):
    y.dot = x.dot
    x.bar += y.bar


@rule(watched)
@rule(accessed)
@rule(unrecorded)
def _(y, x, tape):
    y.dot = x.dot
    x.bar += y.bar


@rule(probe)
def _(y, x, shift):
    y.dot = x.dot + shift.dot
    x.bar += y.bar
    shift.bar += y.bar


@rule(seeded)
def _(y, x, seed):
    y.dot = x.dot
    x.bar += seed


@rule(reassigned)
def _(y, old, new):
    y.dot = old.dot
    old.bar += y.bar


@rule(picked)
def _(y, again, value):
    y.dot = again.dot
    again.bar += y.bar
