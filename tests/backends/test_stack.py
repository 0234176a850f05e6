"""The frames of compiled derivatives begin where a cache line does."""

import platform

import numpy as np
import pytest
from numba import njit

import srcad
from srcad.backends.dispatchers import dispatcher_of
from srcad.backends.source import Source
from srcad.backends.stack import Aligned
from srcad.options import Options
from tests.backends.written import product

X86 = platform.machine() in ("x86_64", "AMD64")


def waves(t):
    total = 0.0
    for i in range(t.shape[0]):
        total += np.sin(t[i]) * np.cos(3.0 * t[i])
    return total


@pytest.mark.skipif(not X86, reason="what is said to LLVM of x86-64")
def test_frames_are_aligned():
    plain, aligned = njit(waves), njit(pipeline_class=Aligned)(waves)
    t = np.linspace(0.0, 1.0, 9)
    assert plain(t) == aligned(t)
    assert "alignstack=64" not in plain.inspect_llvm(plain.signatures[0])
    assert "alignstack=64" in aligned.inspect_llvm(aligned.signatures[0])


@pytest.mark.skipif(not X86, reason="what is said to LLVM of x86-64")
def test_frames_of_derivatives_are_aligned():
    text = srcad.source(srcad.grad(product), 1.0, 2.0)
    inner = dispatcher_of(Source("product_grad", text, "/nowhere/product_grad.py"), Options(), False)
    assert inner.targetoptions and inner._compiler.pipeline_class is Aligned
