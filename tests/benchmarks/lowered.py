"""The compiled speed of NumPy's functions that Numba has not, or not in this form, against NumPy's own.

``python -m tests.benchmarks.lowered [WORD ...]`` prints the ratio of each call on arrays of a million elements, the
slowest last, and that of the gradient of its last element to NumPy's own value. Both sides also look at this element.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import srcad
from tests.benchmarks.timing import by_turns, middle

SIDE = 1000
CALLS = """
np.sum(a, axis=0)
np.sum(a, axis=1)
np.sum(c, axis=1)
np.sum(c, axis=(0, 2))
np.mean(a, axis=0)
np.mean(a, axis=1)
np.max(a, axis=0)
np.max(a, axis=1)
np.min(c, axis=1)
np.prod(a, axis=0)
np.prod(a, axis=1)
np.any(a > 9.0, axis=0)
np.all(a > -9.0, axis=1)
np.var(a, axis=0)
np.var(a, axis=1)
np.std(a, axis=1, keepdims=True)
np.ptp(a, axis=0)
np.argmax(a, axis=0)
np.argmin(a, axis=1)
np.cumsum(a, axis=0)
np.cumsum(a, axis=1)
np.cumprod(a, axis=0)
np.cumprod(v)
np.nansum(a)
np.nanmean(a)
np.nanmean(a, axis=0)
np.nanmax(a, axis=1)
np.nanvar(a)
np.nanmedian(v)
np.median(v)
np.median(a, axis=1)
np.quantile(v, 0.3)
np.percentile(v, [10.0, 90.0])
np.sort(v)
np.sort(a, axis=1)
np.sort(a, axis=0)
np.argsort(v)
np.partition(v, 1000)[1000]
np.unique(v)
np.searchsorted(s, v)
np.interp(v, s, v)
np.take_along_axis(a, k, 1)
np.take(a, j, axis=0)
np.take(a, j, axis=1)
np.roll(v, 3)
np.roll(a, 3, axis=1)
np.flip(a, axis=0).copy()
np.rot90(a).copy()
np.pad(a, 3)
np.pad(a, 3, "edge")
np.pad(a, 3, "reflect")
np.pad(a, 3, "wrap")
np.pad(v, 3, "reflect")
np.tile(a, (2, 1))
np.repeat(v, 2)
np.repeat(a, 2, axis=1)
np.diff(v)
np.diff(a, axis=0)
np.gradient(v)
np.gradient(a, axis=0)
np.gradient(a, axis=1)
np.trapezoid(a, axis=0)
np.unwrap(v)
np.convolve(v, w)
np.correlate(v, w, "same")
np.average(a, axis=0, weights=r)
np.cov(b)
np.histogram(v, 50)[0]
np.bincount(n, v)
np.digitize(v, r)
np.where(a > 0.0, a, 0.0)
np.clip(a, r - 1.0, r + 1.0)
np.select([v > 0.5, v > 0.0], [v, 2.0 * v])
np.piecewise(v, [v < 0.0], [lambda t: -t, lambda t: t])
np.heaviside(v, 0.5)
np.nan_to_num(v)
np.sinc(v)
np.einsum("ij,ij->i", a, a)
np.einsum("ij,j->i", a, r)
np.einsum("ij->ji", a).copy()
np.tensordot(c, c, axes=([1, 2], [1, 2]))
np.kron(r, r)
np.outer(r, r)
np.cross(t, t)
np.vander(w, 1000)
np.meshgrid(r, r)[0]
np.delete(v, 5)
np.insert(v, 5, 1.0)
np.append(v, 1.0)
np.concatenate((a, a), axis=1)
np.stack((a, a), axis=2)
np.tril(a)
np.diagonal(a).copy()
np.linspace(0.0, 1.0, 1000000)
np.polyval(w, v)
np.linalg.norm(a, axis=1)
np.linalg.norm(a, 1)
np.fft.fft(v)
np.fft.rfft(v)
np.fft.fft2(a)
np.maximum.accumulate(a, axis=0)
np.add.reduceat(a, [0, 500], axis=0)
np.nancumsum(v)
np.nanstd(a, axis=0)
np.corrcoef(b)
np.ediff1d(v)
np.inner(a, r)
np.vdot(a, a)
np.vecdot(a, a)
np.matvec(c, c[0])
np.compress(v > 0.0, v)
np.extract(v > 0.0, v)
np.choose(n % 2, [v, s])
np.array_split(v, 3)[1]
np.hsplit(a, 2)[1].copy()
np.resize(v, 2000000)
np.rollaxis(c, 2).copy()
np.block([[a, a], [a, a]])
np.histogram2d(v, s, 10)[0]
np.cumulative_sum(v)
np.logspace(0.0, 1.0, 1000000)
np.geomspace(1.0, 2.0, 1000000)
np.histogramdd(t, 10)[0]
np.hstack((a, a))
np.vstack((a, a))
np.dstack((a, a))
np.split(v, 4)[1].copy()
np.hypot(v, s)
np.frexp(v)[0]
np.modf(v)[1]
np.angle(v + 1j * s)
np.trace(a)
np.triu(a)
np.matrix_transpose(a).copy()
np.multiply.reduce(a, axis=1)
np.logaddexp.reduce(a, axis=1)
np.nancumprod(v)
np.nanprod(a, axis=0)
np.nanquantile(v, 0.3)
np.nanpercentile(a, 30.0, axis=1)
np.polyadd(v, s)
np.polyder(v)
np.polyint(v)
np.polymul(v, w)
np.polyfit(v, s, 2)
np.cumulative_prod(v)
np.atleast_3d(a).copy()
np.broadcast_arrays(a, r)[1].copy()
np.diagflat(r)
np.ix_(r, r)[0]
np.trim_zeros(v)
np.vecmat(c[0], c)
np.fromfunction(lambda i, j: i + j, (1000, 1000))
np.apply_along_axis(np.sum, 1, a)
np.einsum("ijk,ljk->il", c, c)
np.einsum("ijk,ikl->ijl", c, c)
np.einsum("ij,ij->", a, a)
np.einsum("ij,ij->j", a, a)
np.einsum("ii->i", a).copy()
np.einsum("i,j->ij", r, r)
np.full_like(a, r)
np.linalg.qr(a)[1]
np.linalg.cholesky(a @ a.T)
np.linalg.slogdet(a)[1]
np.linalg.multi_dot((a, a, r))
np.linalg.matrix_power(a, 3)
np.linalg.vector_norm(c, axis=1)
np.linalg.matrix_norm(c)
np.linalg.svd(c)[1]
np.linalg.eigh(c)[0]
np.linalg.pinv(c)
np.linalg.inv(c)
np.linalg.solve(c, c)
np.linalg.det(c)
np.linalg.lstsq(a[:, :9], r)[0]
np.linalg.cond(c)
np.fft.ifft(v)
np.fft.irfft(v)
np.fft.hfft(v)
np.fft.rfft2(a)
np.fft.fftn(c)
np.fft.fftshift(a)
"""


def values() -> dict:
    """What the calls are made with: a million elements each, or a side of that."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=(SIDE, SIDE))
    return {
        "a": a, "b": rng.normal(size=(20, 50_000)), "c": rng.normal(size=(100, 100, 100)), "v": a.ravel().copy(),
        "s": np.sort(a.ravel()), "w": rng.normal(size=9), "r": np.sort(rng.normal(size=SIDE)),
        "t": rng.normal(size=(333_333, 3)), "k": np.argsort(a, axis=1), "j": rng.integers(0, SIDE, SIDE),
        "n": rng.integers(0, SIDE, SIDE * SIDE),
    }  # fmt: skip


def functions(calls: list[str]) -> list:
    """For each call a function of the values that it names and of a number, to which its last element is added."""
    lines = ["import numpy as np", ""]
    for number, call in enumerate(calls):
        head = f"def call_{number}({', '.join([*named(call), 'd'])}):"
        lines += ["", head, f"    return np.ravel({call})[-1] * 1.0 + d"]
    path = Path(tempfile.mkdtemp(prefix="srcad-lowered-")) / "lowered_calls.py"
    path.write_text("\n".join(lines) + "\n")
    spec = importlib.util.spec_from_file_location("lowered_calls", path)
    found = importlib.util.module_from_spec(spec)
    sys.modules["lowered_calls"] = found
    spec.loader.exec_module(found)
    return [getattr(found, f"call_{number}") for number in range(len(calls))]


def named(call: str) -> list[str]:
    """The names of values in a call, once each, in their order."""
    return list(dict.fromkeys(re.findall(r"(?<![\w.\"'])([a-dj-nr-w])(?![\w\"'(=])", re.sub(r"lambda.*", "", call))))


def gradient(fn, args: tuple) -> str:
    """The time of a gradient with respect to the arrays of a call, in units of NumPy's value."""
    moving = tuple(k for k, arg in enumerate(args[:-1]) if arg.dtype.kind == "f")
    if not moving:
        return ""
    try:
        compiled = srcad.grad(fn, wrt=moving, unconnected_gradients="zero")
        compiled(*args)
    except srcad.SrcadError:
        return "refused"
    ours, theirs = by_turns(lambda: compiled(*args), lambda: fn(*args), seconds=0.3, rounds=5)
    return f"{middle(ours, theirs):.2f}"


def main(words: list[str]) -> None:
    calls = [call for call in CALLS.strip().splitlines() if not words or any(word in call for word in words)]
    given, ratios = values(), []
    for call, fn in zip(calls, functions(calls)):
        args = (*(given[name] for name in named(call)), 0.5)
        compiled = srcad.value_and_grad(fn, wrt=len(args) - 1)
        try:
            value = compiled(*args)[0]
        except srcad.SrcadError as error:
            print(f"{'refused':>8}  {call}: {str(error).splitlines()[0][:90]}", flush=True)
            continue
        np.testing.assert_allclose(value, fn(*args), rtol=1e-6)
        ours, theirs = by_turns(lambda: compiled(*args), lambda: fn(*args), seconds=0.3, rounds=7)
        ratios.append((middle(ours, theirs), call))
        print(f"{ratios[-1][0]:8.2f}  {gradient(fn, args):>8}  {call}", flush=True)
    print("\nthe slowest:")
    for ratio, call in sorted(ratios)[-15:]:
        print(f"{ratio:8.2f}  {call}")


if __name__ == "__main__":
    main(sys.argv[1:])
