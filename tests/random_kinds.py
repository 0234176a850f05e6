"""Random programs with numbers of several kinds: whole, complex, single, truth values, and those that change theirs.

``python -m tests.random_kinds --count 1000 --seed 1`` compares all forms of the derivative with finite differences and
prints the smallest program for each failure; ``--only`` prints one program and its derivative. ``--cpu`` compiles.
"""

from __future__ import annotations

import functools

from tests import random_loops, random_mixtures
from tests.random_loops import first_that_runs

# One alternative a line, see `random_states`.

TURNING = """
{new} = 1
{new} = 0
{new} = True
{new} = int(a * 2)
"""
TURNING_STORES = """
{new} = {new} * {e}
{new} += {e}
{new} = {new} + {v}[{i}] if {t} else {new}
{new} = 2 if {t} else {e}
if {t}:|    {new} = {e}|else:|    {new} = 3
if {t}:|    {new} -= {new} // 2
g += {new} ** 2 * {e}
{new} = {new} % 1.7
{new} = max({new}, {e})
{v}[{i}] {op} {new}
{v} = {v} * {new}
g += {new} / (1 + abs({new}))
g *= 0.5 ** ({new} > 0)
"""
WHOLE = """
{new} = 3
{new} = len({v}) - 1
{new} = int(k[{i}])
{new} = np.count_nonzero({v} > 0.1)
"""
WHOLE_STORES = """
{new} = -{new} // 2
{new} = divmod({new} + 5, 3)[1]
{new} = -{new} % 3 + {i} // 2
{new} = ({new} ^ {i}) & 3
{new} += not {new} % 2
{new} = min(max({new}, 0), 3)
g += {e} ** (abs({new}) % 3)
g += {new} / 3 * {e}
g = g * (-1) ** {new} + {e}
{v}[{new} % 4] {op} {e} / (1 + {new} % 4)
{v}[{new} % 4 :] *= 2 ** -({new} % 3)
for _ in range({new}, -1, -2):|    g = 0.7 * g + {e}
while {new} > 0:|    {new} //= 2|    g += {new} * {e}
while {new} % 4:|    {new} += 1|    g += {e}|    if {t}:|        break|else:|    g -= {e}
match {new} % 4:|    case 0 | 3:|        g += {e}|    case int() if {t}:|        g *= 0.3|    case _:|        {v}[0] = g
"""
PAIRS = """
{new} = {e} + 1j * {e}
{new} = complex({e}, a)
{new} = np.exp(1j * {e})
"""
PAIR_STORES = """
{new} *= 0.5 + 0.3j
{new} = {new} * {new} * 0.3
{new} = {new} / (2.0 + 1j)
{new} = {new}.conjugate() + {e}
{new} += 1j * {e}
{new} = -{new} if {t} else {new}
g += {new}.real * {new}.imag
g += abs({new} + 3.0)
{v}[{i}] {op} ({new} * 1j).real
{v} = np.real(np.exp(1j * {v}) * {new})
{v} = {v} * {new}.imag
"""
SPECTRA = """
{new} = {v} * (1.0 + 0.5j)
{new} = {v} + 1j * {u}
{new} = np.zeros(n, dtype=complex)
{new} = np.exp(1j * {v})
"""
SPECTRUM_STORES = """
{new}[{i}] = {e}
{new}[{i}] {op} {e} * 1j
{new}[1:] = {new}[:-1]
{new}[::-1] = {new}
{new}[{v} > 0.1] *= 0.4j
{new} *= np.exp(1j * {e})
{new} += {v}
{new}.real[{i}] {op} {e}
{new}.imag = {v}
{new} = {new}[k]
{new} = np.where({v} > 0, {new}, {new}.conj())
{new} = np.fft.fft({new}) * 0.3
g += np.sum(np.abs({new} + 4.0))
g += np.vdot({new}, {new}).real * 0.1
{v} = {new}.real + {u}
"""
SINGLE = """
{new} = np.array(p[:4], dtype=np.float32)
{new} = np.ones(n, np.float32)
{new} = k.astype(np.float32) * np.float32(0.5)
"""
SINGLE_STORES = """
{new} = {new} * np.float32(0.75)
{new} = {new}[::-1]
{new}[{i}] = 0.25
{v} = {v} * {new}
{v} += {new}
{v}[{i}] {op} {new}[{j}]
g += {new} @ {v}
g += np.float32(0.3) * {e} + {new}[0] * {new}[1]
g += np.mean({new}) * {e}
"""
GUARDS = """
{new} = np.where({v} > 0, np.sqrt(np.abs({v})), 0)
{new} = np.where({v} > 0, np.log(np.where({v} > 0, {v}, 1.0)), {u})
{new} = np.sqrt(np.maximum({v}, 0.0))
{new} = np.abs({v}) ** 1.5
{new} = {v}[{v} > -9.0]
"""
GUARD_STORES = """
{new} = np.where({new} > 0.1, {new}, 0.1 * {v})
{new} = np.where({u} > 0, {u} ** 1.5, {new})
{new}[{v} < 0] = 0.0
{new}[{new} > 0.5] {op} {e}
{new} = np.clip({new}, -0.4, 2.0)
np.divide({new}, {v}, out={new}, where=np.abs({v}) > 0.3)
g += np.sum({new}, where={v} > 0)
g += math.sqrt({new}[{i}]) if {new}[{i}] > 0.05 else {e}
g += np.max({new}) * {e}
{v} = {new} * ({v} > 0)
{v} = np.minimum({v}, {new})
"""
KINDS = {
    "turning": (TURNING, TURNING_STORES, (), (), ()),
    "whole": (WHOLE, WHOLE_STORES, (), (), ()),
    "pair": (PAIRS, PAIR_STORES, (), (), ()),
    "spectrum": (SPECTRA, SPECTRUM_STORES, (), (), ()),
    "single": (SINGLE, SINGLE_STORES, (), (), ()),
    "guard": (GUARDS, GUARD_STORES, ("{0}[0]", "{0}[-1]"), ("{0}",), ()),
}


class Generator(random_mixtures.Generator):
    """Writes one program."""

    all_kinds = KINDS


random_source = first_that_runs(Generator)
outcome = functools.partial(random_loops.outcome, source=random_source)


if __name__ == "__main__":
    random_loops.main(__doc__, random_source)
