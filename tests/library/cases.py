"""Calls of NumPy's functions: what they are given, a shape a name.

``x:3,4`` is a random matrix, ``x:`` a number; ``x:+3`` has positive elements, ``k:i3`` is made of integers below 3,
``b:b3`` of booleans, ``x:s3`` is a symmetric positive definite matrix, ``x:u4`` a vector in ascending order.
"""

CASES = []


def calls(text: str, operands: str) -> None:
    """Enter calls, one a line, of operands that are alike."""
    CASES.extend((line.strip(), operands) for line in text.strip().splitlines())


# ---------------------------------------------------------------- differences

calls("""
np.ptp(x)
np.ptp(x, axis=0)
np.ptp(x, axis=1, keepdims=True)
np.diff(x)
np.diff(x, axis=0)
np.diff(x, n=2)
np.diff(x, n=0)
np.diff(x, prepend=0.0)
np.diff(x, axis=0, append=x[:1])
np.ediff1d(x)
np.ediff1d(x, to_end=1.0, to_begin=x[0])
np.trapezoid(x)
np.trapezoid(x, dx=0.5, axis=0)
np.trapezoid(x, x**2 + 1.0)
np.trapezoid(x, np.arange(3.0)**2, axis=0)
np.gradient(x)
np.gradient(x, 0.5)
np.gradient(x, 0.5, np.arange(4.0)**2)
np.gradient(x, axis=0)
np.gradient(x, x[:, 0]**2 + np.arange(3.0), axis=0, edge_order=2)
np.gradient(x, axis=(0, 1), edge_order=2)
np.unwrap(7.0 * x)
np.unwrap(x, discont=4.0, axis=0, period=1.0)
""", "x:3,4")
calls("""
np.ptp(x)
np.diff(x)
np.diff(x, 3)
np.diff(x, prepend=x[0], append=x[-1])
np.trapezoid(x)
np.trapezoid(x, np.arange(5.0)**2)
np.trapezoid(x, 2.0 * x)
np.gradient(x)
np.gradient(x, 2.0, edge_order=2)
np.gradient(x, np.arange(5.0)**2, edge_order=2)
np.unwrap(9.0 * x)
""", "x:5")
calls("""
np.diff(x, axis=1)
np.trapezoid(x, axis=1)
np.gradient(x)
np.gradient(x, axis=1)
""", "x:3,3,4")
