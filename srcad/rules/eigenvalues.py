"""Eigenvalues and eigenvectors of matrices that need not be symmetric.

The vectors are NumPy's: of length one, with a largest component that is real. Where eigenvalues coincide, the vectors
have no derivative: it is NaN, unless nothing hangs on how these vectors turn into each other. A matrix without a basis
of eigenvectors has none of these derivatives.
"""

import numpy as np

from srcad.rules.axes import flipped
from srcad.rules.rule import constant, rule
from srcad.runtime import real_components, spectrum

constant(real_components)


@rule(spectrum)
def eigenvectors(y, a):
    w = y[..., 0, :]
    v = y[..., 1:, :]
    apart = w[..., None, :] - w[..., :, None]
    rates = (1.0 if apart != 0.0 else 0.0) / (apart if apart != 0.0 else 1.0)
    eye = np.eye(w.shape[-1])
    chosen = real_components(v)
    largest = np.sum(chosen * np.real(v), axis=-2, keepdims=True)
    inner = np.linalg.solve(v, a.dot @ v)
    alike = (1.0 if apart == 0.0 else 0.0) - eye
    moved = v @ (inner * rates + (np.nan if alike * np.abs(inner) > 0.0 else 0.0))
    # What keeps the length, and the chosen component real.
    stretched = np.sum(np.real(np.conj(v) * moved), axis=-2, keepdims=True)
    turned = np.sum(chosen * np.imag(moved), axis=-2, keepdims=True) / largest
    w_dot = np.sum(inner * eye, axis=-2, keepdims=True)
    y.dot = np.concatenate((w_dot, moved - v * (stretched + 1j * turned)), axis=-2)
    v_bar = y.bar[..., 1:, :]
    along = np.sum(v * v_bar, axis=-2, keepdims=True)
    pull = 1j * chosen * np.imag(along) / largest
    left = v_bar - np.conj(v) * np.real(along) - pull
    across = flipped(v) @ left
    middle = across * rates + (np.nan if alike * np.abs(across) > 0.0 else 0.0) + eye * y.bar[..., 0:1, :]
    a.bar += np.linalg.solve(flipped(v), middle) @ flipped(v)
