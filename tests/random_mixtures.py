"""Random programs that mix what others keep apart: lists that grow, views that are chosen, exits, masks, functions.

``python -m tests.random_mixtures --count 1000 --seed 1`` compares all forms of the derivative with finite differences
and prints the smallest program for each failure; ``--only`` prints one program and its derivative. ``--cpu`` compiles.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from tests import random_loops, random_states
from tests.random_loops import first_that_runs
from tests.random_states import Scope

PRELUDE = random_states.PRELUDE + """
def scaled(v, s):
    v *= s
    return v[1:]


def shifted(v):
    v[1:] = v[:-1]
    v[0] = np.sin(v[-1])
    return v


def chosen(v, w, s):
    if s > 0.3:
        return v
    for t in w:
        if t > 0.5:
            return w
    return v.copy()


def found(v, s):
    for i in range(len(v)):
        if v[i] > s:
            return v[i] * s
        s += 0.1 * v[i]
    return s


def halved(v, s):
    if len(v) < 2:
        return s * v[0]
    half = len(v) // 2
    t = halved(v[:half], s) + 0.3 * halved(v[half:], s * 0.5)
    v[0] += 0.2 * t
    return t


def walked(v, s):
    s = s + 0.1
    while (s := s * 1.5) < 4.0:
        v[int(s) % len(v)] *= 0.8
        if s > 2.5 and v[0] > 0.0:
            break
    else:
        s -= v[1]
    return s, v[::-1]


def some(v):
    for t in v:
        if t > -0.3:
            yield t * t
        elif t < -0.9:
            return

"""

# One alternative a line, see `random_states`.

GROWN = """
{new} = [{e}]
{new} = [{e}, {e}]
{new} = [{e} for _ in range(2)]
{new} = list({v})
{new} = [t for t in {v} if t > -2.0]
"""
GROWN_STORES = """
{new}.append({e})
{new}.append({new}[-1] * {e})
{new}.append({new}[0])
{new}.extend({v}[{l}])
{new} += [{e}]
{new}.insert(0, {e})
{new}[-1] {op} {e}
{new}[0] = {e}
{new}[len({new}) // 2] {op} {e}
{new} = {new}[-3:]
{new} = [t * {e} for t in {new}]
{new} = sorted({new})
if len({new}) > 1:|    g += {new}.pop()
if len({new}) > 3:|    {new}.pop(0)
while len({new}) > 2:|    g += 0.3 * {new}.pop()
for t in {new}:|    g = 0.5 * g + t
for i, t in enumerate({new}):|    {new}[i] = t * {e}
g += sum({new})
g += {new}[-1] * {new}[0]
{v}[{i}] {op} {new}[-1]
{v} = np.array([0.0] * n + {new})[:n]
g += sum(t * u for t, u in zip({new}, {v}))
"""
ROWS = """
{new} = [{v}]
{new} = [{v}.copy(), {u}]
{new} = [{A}[0], {v}, {A}[:, 1]]
{new} = [row for row in {A}]
{new} = list({A})
{new} = [{v} * t for t in p]
"""
ROW_STORES = """
{new}.append({v})
{new}.append({v}.copy())
{new}.append({A}[{i}])
{new}.append({new}[-1] * {e})
{new}.append({new}[0])
{new}.insert(0, {w})
{new}[-1] = {v}
{new}[0], {new}[-1] = {new}[-1], {new}[0]
{new}[-1][{i}] {op} {e}
{new}[0][1:] {op} {new}[-1][:-1]
{new}[-1][:] = {v}
{new}[0] *= {e}
{new}.reverse()
{new} = {new}[1:] + {new}[:1]
{new} = [t * {e} for t in {new}]
for t in {new}:|    t *= {e}
for t in {new}:|    t[{i}] {op} {e}
for i, t in enumerate({new}):|    {new}[i] = t + {v}
for t, u in zip({new}, p):|    g += t[{i}] * u
if len({new}) > 1:|    {v} = {new}.pop()
if len({new}) > 2:|    {v}[:] = {new}.pop(0)
{v} = {new}[-1]
{v} = {new}[{j} % len({new})]
g += sum(np.sum(t * {v}) for t in {new})
g += np.sum(np.stack({new}) ** 2)
{v} = sum({new})
"""
NESTED = """
{new} = {{"a": [{e}], "v": {v}}}
{new} = {{"a": [{e}, {e}], "v": {v}.copy()}}
"""
NESTED_STORES = """
{new}["a"].append({e})
{new}["a"][-1] {op} {e}
{new}["v"] = {new}["v"] * {e}
{new}["v"][{i}] {op} {e}
{new}["v"][1:] {op} {new}["v"][:-1]
{new}["v"] = {v}
{v} = {new}["v"]
g += sum({new}["a"])
if len({new}["a"]) > 1:|    g += {new}["a"].pop()
for key in ("a", "v"):|    g += np.sum({new}[key])
{new}["a"] = [t * {e} for t in {new}["a"]]
"""
MAYBE = """
{new} = None
{new} = {v} if {t} else None
"""
MAYBE_STORES = """
{new} = {v}
{new} = {v}.copy()
{new} = None
if {new} is not None:|    {new}[{i}] {op} {e}
if {new} is not None:|    {v}[1:] {op} {new}[:-1]
if {new} is not None:|    g += {new}[{i}]|    {new} = None
if {new} is None:|    {new} = {w}
g += 0.0 if {new} is None else np.sum({new})
"""
PARTS = """
{new} = {v}[1:]
{new} = {v}[:-1]
{new} = {A}[{i}, 1:]
{new} = {A}[:-1, {i}]
{new} = {v}[::-1][:-1]
{new} = {A}.T[{i}][1:]
{new} = {A}.ravel()[2:6]
{new} = {v}[1:] if {t} else {v}[:-1]
{new} = {v}[1:] if {t} else {u}[:-1] * 1.0
"""
PART_STORES = """
{new} {op} {e}
{new} += {v}[1:]
{new} *= {v}[:-1]
{new}[:] = {v}[1:]
{new}[...] = {new}[::-1]
{new}[1:] = {new}[:-1]
{new}[1:] {op} {v}[:3]
{new}[0], {new}[-1] = {new}[-1], {v}[{i}]
{new}[{new} > 0.2] {op} {e}
{new} = {v}[1:]
{new} = {u}[:-1]
{new} = {new}[::-1]
{new} = {new} * {e}
{new} = {new} if {t} else {v}[1:]
np.add.at({new}, k[:2], {e})
np.multiply({new}, {e}, out={new})
np.add({new}, {v}[1:], out={v}[:-1])
np.copyto({new}, {v}[1:])
{v}[:-1] {op} {new}
{v}[1:] = {new}
g += {new} @ {v}[1:]
g += scaled({new}, {e})[0]
"""
COUNTS = """
{new} = 0
{new} = int(a * 3)
"""
COUNT_STORES = """
{new} += 1
{new} = ({new} + {i}) % 3
{new} = ({new} * 2 + 1) % 4
{new} += {v}[{i}] > 0.2
if {t}:|    {new} = ({new} + 1) % 4
{v}[{new} % 4] {op} {e}
g += {v}[{new} % 4] * {new}
{v}[{new} % 3:] {op} {e}
{A}[{new} % 4] {op} {v}
{v}[: {new} % 4] = {e}
for _ in range({new} % 4):|    g = 0.6 * g + {e}
"""
FANCY = """
{v}[k] {op} {w}
{v}[k[:3]] = p
{v}[k[1:]] {op} {e}
{v}[k % 3] += {e}
{v}[{v} > 0.1] {op} {e}
{v}[{u} < 0.3] = 0.2
{v}[m := {v} > 0.0] = {u}[m]
np.add.at({v}, k % 3, {w})
np.add.at({A}[{i}], [0, 1, 1], p)
np.subtract.at({v}, k[:2], {e})
np.multiply({v}, {w}, out={v})
np.sin({v}, out={A}[{i}])
np.add({v}, {u}, out={A}[:, {i}])
np.maximum({v}[1:], {v}[:-1], out={v}[1:])
np.copyto({v}, {w}, where={u} > 0.1)
np.cumsum({v}, out={v})
{v}.fill({e})
{v}.sort()
{A}[[0, 1]] = {A}[[1, 0]]
{A}[:, k] {op} {e}
{A}[k, k] {op} {w}
{A}[np.ix_([0, 2], [1, 3])] {op} {e}
{A}.flat[3] {op} {e}
{A}.ravel()[::2] {op} {e}
{v}, {u} = {u}[::-1], {v}
{v} = {A}[{i}] if {t} else {u}
{v} = {v}[k]
{v} = {v} if {t} else {v} * 0.7
{v} = np.where({v} > 0, {v}, {u})
{v} = np.concatenate([{u}[2:], {v}[:2]])
{v} = np.roll({v}, 1)
"""
CALLED = """
g += scaled({v}, {e})[1]
{v} = shifted({v})
shifted({A}[{i}])
g += shifted({v}[::2])[0]
{v} = chosen({v}, {u}, {e})
{v} = chosen({A}[{i}], {u}, {e})
chosen({v}, {u}, {e})[{i}] = {e}
g += found({v}, {e})
g = 0.5 * g + found({v}[1:], a)
g += halved({v}, {e})
g += halved({A}[{i}], 0.4)
a, {v} = walked({v}, 0.2 * a)
g += walked({v}, 0.3)[0]
g += sum(some({v}))
for t in some({v}):|    g = g * 0.8 + t
g += sum(0.5 * t for t in some({v}) if t < 0.8)
"""
EXITS = """
continue
break
break
return {e}
return g + found({v}, a)
"""
KINDS = {
    "grown": (GROWN, GROWN_STORES, ("{0}[0]", "{0}[-1]"), (), ()),
    "rows": (ROWS, ROW_STORES, ("{0}[-1][1]",), ("{0}[0]", "{0}[-1]"), ()),
    "nested": (NESTED, NESTED_STORES, ('{0}["a"][0]',), ('{0}["v"]',), ()),
    "maybe": (MAYBE, MAYBE_STORES, (), (), ()),
    "part": (PARTS, PART_STORES, ("{0}[0]", "{0}[-1]"), (), ()),
    "qcount": (COUNTS, COUNT_STORES, (), (), ()),
    "object": random_states.STATES["object"],
    "dict": random_states.STATES["dict"],
}
COMMON = {"numbers": 2, "elements": 2, "slices": 2, "fancy": 2, "called": 2, "vector": 1, "loop": 4, "branch": 3,
          "change": 8, "forever": 1, "leave": 2, "searched": 1, "cases": 1, "counted": 1, "closure": 1}  # fmt: skip


class Generator(random_states.Generator):
    """Writes one program."""

    prelude, all_kinds, common, exits = PRELUDE, KINDS, COMMON, EXITS
    texts = random_states.Generator.texts | {"fancy": FANCY, "called": CALLED}

    def fits(self, kind: str, scope: Scope) -> bool:
        return scope.depth < 3 if kind in ("searched", "cases", "counted") else super().fits(kind, scope)

    def searched(self, scope: Scope) -> tuple[list[str], Scope]:
        """A loop with an exit in its middle, and with `else`."""
        i = self.name("i")
        inside = replace(scope, indices=(*scope.indices, i), depth=scope.depth + 1, in_for=True)
        lines = [f"for {i} in {self.filled(random_loops.FILLS, scope)}:", *self.inner(inside)]
        exit_lines = [f"    if {self.test(inside)}:", *("    " + line for line in self.inner(inside)), "        break"]
        otherwise = ["else:", *self.inner(replace(scope, depth=scope.depth + 1, in_for=False))]
        return [*lines, *exit_lines, *self.inner(inside), *otherwise], scope

    def counted(self, scope: Scope) -> tuple[list[str], Scope]:
        """A loop that a number ends which it computes itself."""
        i, s = self.name("w"), self.name("s")
        inside = replace(scope, indices=(*scope.indices, i), numbers=(*scope.numbers, s), in_for=False)
        head = [f"{i}, {s} = 0, a", f"while {i} < 4 and ({s} := 0.7 * {s} + {self.filled('{e}', scope, 1)}) < 1.2:"]
        return [*head, *self.inner(inside), f"    {i} += 1"], scope

    def cases(self, scope: Scope) -> tuple[list[str], Scope]:
        subject = self.rng.choice([*(f"{i} % 3" for i in scope.indices), "int(g * 2)", "k[0], k[1]"])
        patterns = ["(1, 0) | (0, 1)", "(_, 0)"] if "," in subject else ["0", "1 | -1"]
        lines = [f"match {subject}:"]
        for pattern in (*patterns, self.rng.choice(["_", f"_ if {self.test(scope)}"])):
            lines += [f"    case {pattern}:", *("    " + line for line in self.inner(scope))]
        return lines, scope


# ---------------------------------------------------------------- checks


random_source = first_that_runs(Generator)
outcome = functools.partial(random_loops.outcome, source=random_source)


if __name__ == "__main__":
    random_loops.main(__doc__, random_source)
