"""Transforms of cosines and sines. The transpose of type 2 is type 3, but for the factor of one end.

Orthonormal transforms have none: their transposes are their inverses.
"""

from scipy import fft as transforms

from srcad.rules.rule import rule
from srcad.runtime import scaled_ends


@rule(transforms.dct)
def dct(y, x, type=2, n=None, axis=-1, norm=None):
    y.dot = transforms.dct(x.dot, type, axis=axis, norm=norm)
    if norm == "ortho" or type == 4:
        x.bar += transforms.dct(y.bar, 3 if type == 2 else 2 if type == 3 else type, axis=axis, norm=norm)
    elif type == 1:
        doubled = transforms.dct(scaled_ends(y.bar, axis, 2.0, 2.0), 1, axis=axis, norm=norm)
        x.bar += scaled_ends(doubled, axis, 0.5, 0.5)
    elif type == 2:
        x.bar += transforms.dct(scaled_ends(y.bar, axis, 2.0, 1.0), 3, axis=axis, norm=norm)
    else:
        x.bar += scaled_ends(transforms.dct(y.bar, 2, axis=axis, norm=norm), axis, 0.5, 1.0)


@rule(transforms.dst)
def dst(y, x, type=2, n=None, axis=-1, norm=None):
    y.dot = transforms.dst(x.dot, type, axis=axis, norm=norm)
    if norm == "ortho" or type == 1 or type == 4:
        x.bar += transforms.dst(y.bar, 3 if type == 2 else 2 if type == 3 else type, axis=axis, norm=norm)
    elif type == 2:
        x.bar += transforms.dst(scaled_ends(y.bar, axis, 1.0, 2.0), 3, axis=axis, norm=norm)
    else:
        x.bar += scaled_ends(transforms.dst(y.bar, 2, axis=axis, norm=norm), axis, 1.0, 0.5)
