"""More calls of NumPy's functions and of methods of arrays, in the notation of `cases`: every argument, every form."""

import numpy as np

from tests.library.cases import calls

calls("""
np.einsum("ij,jk,ik", x, y, z)
np.einsum("ij,jk,ik->", x, y, z)
np.einsum("ij , jk -> ik", x, y)
np.einsum("ij,jk->ik", x, y, optimize=True)
np.einsum("ij,jk->ik", x, y, optimize="greedy")
np.einsum("ij,jk->ik", x, y, optimize="optimal")
np.einsum(x, [0, 1], y, [1, 2], [0, 2])
np.einsum(x, [0, 1], y, [1, 2])
np.einsum("i...->...", x)
np.einsum("i...,ik->k...", x, z)
np.einsum("...j,jk->...k", x, y)
np.einsum("ij,...->ij...", x, y)
np.einsum("...", x)
np.einsum("...,...->...", x, x)
np.einsum("ij,->ij", x, 2.0)
np.einsum(",ij", 3.0, x)
np.einsum("ij,j,i->", x, x[0], x[:,1])
np.einsum("i,i,i->i", x[0], x[1], x[2])
np.einsum("i,i,i", x[0], x[1], x[2])
np.einsum("i,j,k->ijk", x[0], x[1], z[0])
np.einsum("ab,bc->ac", x, y, dtype=np.float64)
np.tensordot(x, y, axes=((1,), (0,)))
np.tensordot(x, y, axes=[1, 0])
np.tensordot(x, y, axes=([-1], [-2]))
np.tensordot(x, z, axes=(0, 0))
np.einsum(x, [Ellipsis, 0, 1], y, [1, 2], [Ellipsis, 0, 2])
""", "x:3,4 y:4,5 z:3,5")
calls("""
np.einsum("iij->j", x)
np.einsum("iii->i", x)
np.einsum("iii", x)
np.einsum("iij,jk->ik", x, y[0])
np.einsum("i...i->...", x)
np.einsum("...ii->...i", x)
np.einsum("ijk,kji->", x, y)
np.einsum("ijk,ikl,il->j", x, y, x[0])
np.einsum("i...,...i->...", x, y)
np.einsum("aab,b->a", x, y[0,0])
np.tensordot(x, y, axes=3)
np.tensordot(x, y, axes=([0,1,2],[2,1,0]))
np.kron(x, y[0])
np.kron(x[0,0], y)
np.inner(x, y)
np.outer(x, y)
np.vdot(x, y)
np.dot(x, y)
np.matmul(x, y)
np.vecdot(x, y)
np.vecdot(x, y[0])
np.vecdot(x, y, axis=1)
np.matvec(x, y)
np.vecmat(x, y)
np.diagonal(x, axis1=1, axis2=2)
np.trace(x, axis1=1, axis2=2)
np.trace(x, 1, 0, 2)
np.trace(x)
x.trace()
x.diagonal(0, 1, 2)
np.linalg.multi_dot([x[0], y[0], x[1], y[1]])
np.linalg.multi_dot((x[0,0], y[0], x[1], y[1]))
np.linalg.multi_dot([x, y])
np.matrix_transpose(x)
x.mT
x.T
np.transpose(x, (2, 0, 1))
np.permute_dims(x, (2, 0, 1))
x.transpose()
x.transpose(1, 2, 0)
x.transpose((1, 2, 0))
x.swapaxes(0, 2)
np.linalg.matrix_power(x, 2)
np.linalg.cross(np.ones((2, 3)), np.concatenate((x[0], x[1][:, :1]), axis=1))
np.einsum("i...j,j...k->i...k", x, y)
np.einsum("i...j,j...k->ik...", x, y)
np.einsum("i...,i...", x, y)
""", "x:2,2,2 y:2,2,2")
calls("""
np.cross(x, np.ones((2, 3)))
np.cross(x.T, x.T, axis=0)
np.cross(x, x[0], axisc=0)
np.cumprod(x)
np.cumprod(x, axis=1)
np.cumprod(x, 0)
np.multiply.accumulate(x)
np.multiply.accumulate(x, axis=1)
np.add.accumulate(x)
np.add.accumulate(x, axis=1)
np.add.reduce(x)
np.add.reduce(x, axis=1)
np.add.reduce(x, axis=None)
np.add.reduce(x, axis=(0, 1), keepdims=True)
np.multiply.reduce(x, axis=1)
np.maximum.reduce(x)
np.minimum.reduce(x, axis=1)
np.fmax.reduce(x, axis=0)
np.logaddexp.reduce(x, axis=0)
np.subtract.reduce(x, axis=0)
np.hypot.reduce(x, axis=1)
np.maximum.accumulate(x, axis=1)
np.minimum.accumulate(x, axis=0)
np.add.outer(x, x[0])
np.multiply.outer(x[0], x[1])
np.hypot.outer(x[0], x)
np.subtract.outer(x[0], x[1])
np.maximum.outer(x[0], x[1])
np.add.reduceat(x[0], [0, 1])
np.add.reduceat(x, [0, 2], axis=1)
np.add.reduceat(x, [0, 1, 0], axis=0)
np.multiply.reduceat(x, [0, 2], axis=1)
np.sum(x, 0)
np.sum(x, axis=-1, keepdims=True)
np.sum(x, where=x > 0)
np.sum(x, initial=1.0, axis=0)
np.prod(x, axis=0, initial=2.0, where=x > 0)
x.sum()
x.sum(0)
x.sum(axis=1, keepdims=True)
x.prod(1)
x.mean(0)
x.var(0)
x.std(0, ddof=1)
x.std()
x.max()
x.min(axis=1)
x.cumsum()
x.cumsum(axis=0)
x.cumprod(axis=0)
x.dot(x.T)
x.ravel()
x.flatten()
x.flatten("F")
x.ravel("F")
x.reshape(3, 2)
x.reshape(-1)
x.reshape((3, 2), order="F")
np.reshape(x, (3, 2), order="F")
np.ravel(x, "F")
np.ravel(x, order="F")
x.repeat(2)
x.repeat([1, 2], axis=0)
x.round(2) * x
x.clip(0.0, 1.0)
x.copy()
x[None].squeeze(0)
x.take([0, 1])
x.compress([True, False], axis=0)
x.conj()
x.conjugate()
x.real
x.imag + x
x.flat[2] * x
np.sum(x.flat[1:3])
x.item(0)
x.item(1, 2)
x[0, 0].item()
x.item((1, 2))
x.astype(np.float64)
x.astype(float)
x.astype("float64")
x.astype(np.float64, copy=False)
x.argsort() * x
x.argmax() * x
x.argpartition(1).size * x
x.argmin(axis=0) * x
x.nonzero()[0][0] * x
x.all() * x
x.any() * x
x.size * x
x.nbytes * x
x.itemsize * x
x.ndim * x
x.shape[0] * x
x.diagonal()
x.diagonal(1)
x.swapaxes(0, 1)
x.dot(x[0])
x.dot(2.0)
x.view()
x.view(np.ndarray)
np.float64(x[0, 0]) * x
abs(x)
-x
+x
x ** 2
2 ** x
x // 1.0 + x
x % 0.7
divmod(x, 0.7)[1]
np.divmod(x, 0.7)[1]
pow(x, 2)
np.logaddexp.reduce(x, axis=None)
np.logaddexp.reduce(x, axis=1, keepdims=True, initial=0.5)
np.subtract.reduce(x[0])
np.add.outer(x, 2.0)
np.add.outer(x, [2.0, 3.0])
np.maximum.reduceat(x, np.array([0, 2]), axis=1)
np.logical_and.reduce(x > 0) * x
x[0, 0].item() * x
x[0].item(2) * x
np.gradient(x, axis=(0, 1))
x.item(0) * x
x.item(1, 2) * x
x.item((1, 2)) * x
np.apply_along_axis(lambda r: r * 2.0, 0, x)
np.apply_along_axis(lambda r: r[:2] * 2.0, 0, x)
np.apply_along_axis(lambda r: r * 2.0, 0, x[0])
np.apply_along_axis(lambda r: np.outer(r, r), 0, x)
np.apply_along_axis(lambda r: np.outer(r, r), -1, x)
np.apply_along_axis(lambda r, a: np.sum(r ** a), 1, x, 2)
""", "x:2,3")
calls("""
np.cumulative_sum(x)
np.cumulative_sum(x, include_initial=True)
np.cumulative_prod(x)
np.diff(x, n=2, prepend=1.0, append=[1.0, 2.0])
np.diff(x, prepend=y[:2])
np.ediff1d(x, to_begin=[1.0, 2.0], to_end=y)
np.gradient(x)
np.gradient(x, 2.0)
np.gradient(x, np.array([0.0, 1.0, 1.5, 3.0, 4.0]))
np.gradient(x, y[0]**2 + 1.0)
np.gradient(x, edge_order=2)
np.trapezoid(x)
np.trapezoid(x, y)
np.trapezoid(x, dx=y[0])
np.interp(x, np.sort(y), x)
np.interp(0.1, np.sort(y), x)
np.interp(x, [0.0, 1.0, 2.0], [1.0, 3.0, 0.0], period=3.0)
np.convolve(x, y)
np.convolve(x, y, "valid")
np.convolve(x, y[:2], "same")
np.correlate(x, y)
np.correlate(x, y, "full")
np.correlate(x, y[:3], "same")
np.polyval(x, y)
np.polyval(x, 2.0)
np.polyfit(x, y, 2)
np.polyfit(x, y, 1, w=np.abs(y) + 0.1)
np.polymul(x, y)
np.polymul(x, [1.0, 2.0])
np.polyadd(x, y[0])
np.polymul([1.0, 2.0], x[:2])
np.polyder(x)
np.polyder(x, 2)
np.polyint(x)
np.polyint(x, 2)
np.polyint(x, 2, k=[1.0, 2.0])
np.polyint(x, m=3, k=0.5)
np.polyadd(x, y[:3])
np.polysub(x, y[:3])
np.polydiv(x, y[:3])[0]
np.polydiv(x, y[:3])[1]
np.polydiv(x, y[:3])
np.poly(x[:3])
np.vander(x)
np.vander(x, 3)
np.vander(x, 3, True)
np.sort(x)
np.sort(x)[::-1]
np.sort(x, kind="mergesort")
np.partition(x, 2)[:2].sum()
np.median(x)
np.percentile(x, 25)
np.percentile(x, [25, 50])
np.percentile(x, 25, method="nearest")
np.quantile(x, 0.3, method="inverted_cdf")
np.quantile(x, 0.3, method="averaged_inverted_cdf")
np.quantile(x, 0.3, method="closest_observation")
np.quantile(x, [0.1, 0.2], keepdims=True)
np.quantile(x, 0.3, weights=np.abs(y), method="inverted_cdf")
np.quantile(x, 0.2, axis=0, overwrite_input=True)
np.nanquantile(x, [0.1, 0.2])
np.nanquantile(x, [[0.1], [0.2]])
np.nanpercentile(x, [10, 20])
np.nanmedian(x)
np.average(x, weights=y**2)
np.average(x, weights=[1.0, 2.0, 3.0, 4.0, 5.0])
np.ptp(x)
np.cov(x, y)
np.cov(np.stack((x, y)))
np.corrcoef(x, y)
np.roll(x, 2)
np.roll(x, -7)
np.flip(x)
np.rot90(np.stack((x, y)))
np.tile(x, 2)
np.tile(x, (2, 2, 1))
np.repeat(x, 2)
np.repeat(x, [1, 2, 0, 1, 3])
np.repeat(x, [2])
np.repeat(x, np.array([1, 2, 0, 1, 3]))
np.pad(x, 2)
np.pad(x, (1, 2), "edge")
np.pad(x, (1, 2), "reflect")
np.pad(x, (1, 2), "reflect", reflect_type="odd")
np.pad(x, (1, 2), "symmetric", reflect_type="odd")
np.pad(x, (1, 2), "symmetric")
np.pad(x, (1, 2), "wrap")
np.pad(x, (1, 2), "linear_ramp")
np.pad(x, (1, 2), "linear_ramp", end_values=3.0)
np.pad(x, (1, 2), "linear_ramp", end_values=(3.0, -1.0))
np.pad(x, (1, 2), "mean")
np.pad(x, (1, 2), "mean", stat_length=2)
np.pad(x, (1, 2), "maximum")
np.pad(x, (1, 2), "minimum", stat_length=(2, 3))
np.pad(x, (1, 2), "median")
np.pad(x, (1, 2), "constant", constant_values=(x[0], x[1]))
np.pad(x, (1, 2), "empty")[1:-2]
np.pad(x, [(1, 2)])
np.take(x, i)
x.flat[np.ravel_multi_index((i, 0), (5, 1))]
np.sum(x[np.unravel_index(i, x.shape)])
np.take(x, [[0, 1], [2, 3]])
np.take(x, 7, mode="wrap")
np.take(x, [-1, 9], mode="clip")
np.take_along_axis(x, i, 0)
np.take_along_axis(x, np.argsort(x), None)
np.select([x > 0, y > 0], [x, y])
np.select((x > 0, y > 0), (x * 2, y * 3), -1.0)
np.piecewise(x, [x < 0, x >= 0], [lambda t: -t, lambda t: t * t])
np.piecewise(x, [x < 0], [lambda t: -t, 2.0])
np.piecewise(x, x < 0, [lambda t: -t, lambda t: t])
np.piecewise(x, [x < 0], [lambda t, a: -t * a, lambda t, a: t + a], 2.0)
np.where(x > 0, x, y)
np.where(x > 0, x, 0.0)
np.where(x > 0, 1.0, y)
np.where(x > 0)[0].size * x
np.clip(x, y - 1.0, y + 1.0)
np.clip(x, None, y)
np.clip(x, a_max=y, a_min=-0.5)
np.clip(x, -0.5, 0.5)
np.split(x, [2])[0]
np.split(x, 5)[1]
np.array_split(x, 2)[1]
np.unstack(x)[1] * x
np.unstack(np.stack((x, y)))[1]
np.unstack(np.stack((x, y)), axis=1)[1]
np.concat((x, y))
np.concatenate((x, y), axis=None)
np.concatenate([np.stack((x, y)), np.stack((y, x))], axis=None)
np.concatenate([x, y], dtype=np.float64)
np.stack([x, y], axis=1)
np.stack([x, y], -1)
np.hstack([x, y])
np.vstack([x, y])
np.column_stack([x, y])
np.dstack([x, y])
np.block([x, y])
np.block([[x], [y]])
np.append(x, y)
np.append(x, 3.0)
np.insert(x, 2, 5.0)
np.insert(x, [1, 3], 5.0)
np.insert(x, [1, 3], y[:2])
np.insert(x, [1, 1], [1.0, 2.0])
np.insert(x, slice(1, 3), 2.0)
np.delete(x, 2)
np.delete(x, [0, 2])
np.delete(x, slice(1, 3))
np.delete(x, np.array([True, False, True, False, False]))
np.resize(x, (3, 4))
np.trim_zeros(x)
np.unwrap(x)
np.real_if_close(x)
np.sort_complex(x).real
np.nan_to_num(x)
np.frexp(x)[0]
np.frexp(x)[0] * 2.0 ** np.frexp(x)[1]
np.ldexp(x, 3)
np.modf(x)[0]
np.logaddexp2(x, y)
np.float_power(np.abs(x), y)
np.heaviside(x, 0.5) * x
np.i0(x)
np.sinc(x)
np.spacing(x) * x
np.nextafter(x, y)
np.unique(x)
np.sum(np.unique(x))
np.histogram(x)[0][0] * x
np.histogram(x, bins=3, weights=y)[0]
np.apply_along_axis(lambda r: r * 2.0, 0, x)
np.apply_along_axis(lambda r: np.sum(r ** 2), 0, np.stack((x, y)))
np.apply_along_axis(lambda r: np.outer(r, r), 0, np.stack((x, y)))
np.apply_over_axes(np.sum, np.stack((x, y)), [0, 1])
np.apply_over_axes(np.sum, np.stack((x, y)), 1)
np.vectorize(lambda a, b: a * b + 1.0)(x, y)
np.vectorize(lambda a: a * 2.0 if a > 0 else -a)(x)
np.fromfunction(lambda i, j: i + j, (2, 5)) * x
np.require(x) * 2.0
np.require(x, np.float64, "C")
np.meshgrid(x, y)[0]
np.meshgrid(x, y, indexing="ij")[1]
np.meshgrid(x, y)
np.ix_(i, i)[0] * 1.0 + x[0]
x[np.ix_(i)]
np.stack((x, y))[np.ix_([0, 1], [1, 2])]
np.array([[x[0], y[1]], [1.0, 2.0]])
np.array([x, y])
np.array((x[0], x[1]))
np.asarray([[x[0], 2], [3, y[0]]])
np.array([[x, y], [y, x]])
np.array(x, copy=True)
np.array(x, dtype=np.float64, copy=True)
np.array(x, ndmin=2)
np.asarray(x, np.float64)
np.atleast_1d(x, y)[1]
np.atleast_2d(x)
np.atleast_3d(x)
np.atleast_2d(x[0])
np.tri(5) @ x
np.tril(np.outer(x, y), 1)
np.triu(x)
np.diag(x)
np.diag(np.outer(x, y), 1)
np.diagflat(x, -1)
np.diagflat(np.stack((x, y)))
np.eye(5) @ x
np.identity(5) @ x
np.bincount(i, weights=x[:3])
np.digitize(x, np.array([0.0, 1.0])) * x
np.geomspace(np.abs(x[0]) + 1, 5.0, 4)
np.logspace(x[0], x[1], 4)
np.logspace(x[0], x[1], 4, base=2.0)
np.linspace(x, y, 3)
np.linspace(x[0], y[0], 3, dtype=np.float64)
np.linspace(x, y, 3, axis=-1)
np.linspace(x, y, 3, axis=1, endpoint=False)
np.full(3, x[0])
np.full((2, 5), x)
np.full_like(x, y)
np.zeros_like(x) + x
np.broadcast_to(x, (2, 5))
np.broadcast_arrays(x, np.stack((x, y)))[0]
np.moveaxis(np.stack((x, y)), [0], [1])
np.rollaxis(np.stack((x, y)), 1)
np.expand_dims(x, (0, 2))
np.copysign(x, y)
np.fmod(x, y)
np.acos(x / 5.0)
np.acosh(np.abs(x) + 1.5)
np.asin(x / 5.0)
np.asinh(x)
np.atan(x)
np.atan2(x, y)
np.atanh(x / 5.0)
np.pow(np.abs(x), y)
np.permute_dims(np.stack((x, y)))
np.matrix_transpose(np.stack((x, y)))
np.linalg.norm(x)
np.linalg.norm(x, 3)
np.linalg.norm(x, ord=np.inf)
np.linalg.vector_norm(x, ord=1)
np.linalg.outer(x, y)
np.linalg.vecdot(x, y)
np.angle(x) + x
np.angle(x, deg=True) + x
np.around(x, 1) * x
np.fix(x) * x
np.bitwise_count(i)[0] * x
np.lcm(i, 3)[0] * x
np.gcd(i, 3)[0] * x
np.add(x, y, out=None)
np.add(x, y, dtype=np.float64)
np.multiply(x, y, where=True)
np.sin(x, dtype=np.float64)
np.maximum(x, y, casting="same_kind")
np.einsum("i,i", x, y)
""", "x:5 y:5 i:i5,3")
calls("""
np.gradient(x, 0.5, 1.0, 2.0, axis=(0, 1, 2))
np.pad(x, ((1, 2), (0, 1), (2, 1)), "mean")
np.pad(x, ((1, 2), (0, 1), (2, 1)), "linear_ramp", end_values=((1, 2), (3.0, 4.0), (5, 6)))
np.pad(x, ((1, 2), (0, 1), (5, 6)), "reflect", reflect_type="odd")
np.pad(x, ((1, 5), (7, 1), (5, 9)), "symmetric", reflect_type="odd")
np.pad(x, ((1, 5), (7, 1), (5, 9)), "symmetric")
np.pad(x, 3, "reflect")
np.pad(x, 3, "edge")
np.pad(x, 3, "wrap")
np.pad(x, 1, "maximum", stat_length=1)
np.pad(x, 1, "median", stat_length=((1, 1), (2, 2), (3, 2)))
np.quantile(x, [0.1, 0.4], axis=1, keepdims=True)
np.quantile(x, [0.1, 0.4], axis=(0, -1), keepdims=True)
np.quantile(x, [0.1, 0.4], keepdims=True)
np.quantile(x, [[0.1, 0.4], [0.3, 0.2]], axis=-1)
np.nanquantile(x, [0.1, 0.4], axis=(0, -1), keepdims=True)
np.nanquantile(x, [0.1, 0.4], axis=1)
np.linspace(x, 2.0 * x[0], 5, axis=1)
np.linspace(x, 2.0, 5, axis=-1, endpoint=False)
np.linspace(x, 2.0, 5, retstep=True)
np.logspace(x, x[0], 3, axis=1)
np.geomspace(np.abs(x) + 0.1, 2.0, 3, axis=-1)
np.geomspace(-np.abs(x) - 0.1, -2.0, 3)
np.insert(x, [0, 1], 5.0, axis=1)
np.insert(x, [0, 1], x[:, :1] * 2.0, axis=1)
np.insert(x, [-1, 1], x[:, :2] * 2.0, axis=1)
np.apply_over_axes(np.sum, x, [0, 2])
np.apply_over_axes(np.mean, x, (0, -1))
np.unstack(x)[1] * x[0]
np.unstack(x, axis=2)[1]
np.concatenate((x, x * x), axis=None)
np.angle(x, deg=True) + x
np.tril(x)
np.triu(x, 1)
np.array(x, ndmin=4)
np.array(x, copy=True) * x
np.asarray(x, copy=True) * x
np.reshape(x, (-1, 2), copy=True)
np.frexp(x)[0]
np.i0(x)
np.take_along_axis(x, np.array([1, 5, 5]), None)
np.apply_along_axis(lambda r: np.outer(r, r), 1, x)
np.apply_along_axis(lambda r: r * r, 1, x)
np.apply_along_axis(lambda r: np.sum(r * r), 1, x)
np.apply_along_axis(np.sum, 0, x)
np.apply_along_axis(np.cumsum, 2, x)
np.delete(x, slice(0, 2), axis=1)
""", "x:2,3,4")
calls("""
np.diff(x, n=2, prepend=1.0, append=[1.0, 2.0])
np.interp(x, [0.0, 1.0, 2.0], [1.0, 3.0, 0.0], period=3.0)
np.interp(x, x[:3] * 3.0, x[3:], period=3.3)
np.polymul(x, y)
np.polymul(x, [1.0, 2.0])
np.polyadd(x, y[0])
np.polymul([1.0, 2.0], x[:2])
np.polymul([0.0, 2.0], x[:2])
np.polyint(x, 2)
np.polyint(x, 2, k=[1.0, 2.0])
np.polyint(x, m=3, k=0.5)
np.polyint(x, m=2, k=x[0])
np.polydiv(x, y[:3])[0]
np.polydiv(x, y[:3])[1]
np.polydiv(x, y[:3])
np.poly(x[:3])
np.quantile(x, 0.3, method="inverted_cdf")
np.quantile(x, 0.5, method="inverted_cdf")
np.quantile(x, [0.0, 0.5, 1.0], method="inverted_cdf")
np.quantile(x, 0.3, method="averaged_inverted_cdf")
np.quantile(x, 0.5, method="averaged_inverted_cdf")
np.quantile(x, 0.3, method="closest_observation")
np.quantile(x, [0.25, 0.0, 0.75, 1.0], method="closest_observation")
np.quantile(x, 0.3, weights=np.abs(y), method="inverted_cdf")
np.quantile(x, [0.3, 0.9], weights=np.array([0.0, 1.0, 2.0, 0.0, 3.0, 1.0]), method="inverted_cdf")
np.quantile(x, 0.2, axis=0, overwrite_input=True)
np.percentile(x, 20, weights=np.abs(y), method="inverted_cdf")
np.nanquantile(x, [0.3, 1.0], weights=np.abs(y), method="inverted_cdf")
np.nanpercentile(np.where(x > y, np.nan, x), 40.0, weights=np.abs(y), method="inverted_cdf")
np.nanquantile(x, [0.1, 0.2])
np.nanquantile(x, [[0.1], [0.2]])
np.nanpercentile(x, [10, 20])
np.histogram(x, bins=3, weights=y)[0]
np.histogram(x, bins=3, weights=y, density=True)
np.histogram(x, bins=3)[1]
np.histogram(x, bins=3)
np.histogram(x, bins=3, density=True)
np.histogram(x, [-1.0, 0.0, 2.0])[1] * x[0]
np.histogram(x, 4, range=(-1.0, 1.0), weights=y)
np.histogram_bin_edges(x, 4)
np.histogram2d(x, y, 3)
np.histogram2d(x, y, (3, 2), weights=x * y)
np.histogram2d(x, y, 3, density=True)
np.histogram2d(x, y, 3, range=((-1.0, 1.0), (-2.0, 2.0)))
np.histogramdd((x, y, x * y), (3, 2, 4), weights=x + y)
np.histogramdd([x, y], 3, density=True, range=((-1.0, 1.0), (-2.0, 2.0)))
np.piecewise(x, x < 0, [lambda t: -t, lambda t: t])
np.piecewise(x, [x < 0], [lambda t, a: -t * a, lambda t, a: t + a], 2.0)
np.concatenate((x, y), axis=None)
np.concatenate([x, y], dtype=np.float64)
np.stack([x, y], dtype=np.float64, axis=1)
np.insert(x, [1, 3], 5.0)
np.insert(x, [1, 3], y[:2])
np.insert(x, [1, 1], [1.0, 2.0])
np.insert(x, slice(1, 3), 2.0)
np.delete(x, slice(1, 3))
np.real_if_close(x)
np.sort_complex(x).real
np.frexp(x)[0] * 2.0 ** np.frexp(x)[1]
np.i0(7.0 * x)
np.i0(x[0])
np.apply_along_axis(lambda r: r * 2.0, 0, x)
np.fromfunction(lambda i, j: i + j, (2, 6)) * x
np.require(x) * 2.0
np.require(x, np.float64, "C")
np.linspace(x, y, 3)
np.linspace(x, y, 3, endpoint=False)
np.linspace(x, y, 1)
np.linspace(x[0], y[0], 3, dtype=np.float64)
np.linspace([x[0], 1.0], y[0], 3)
np.triu(x)
np.tril(x, 1)
np.delete(x, slice(None, None, 2))
np.add(x, y, out=None)
np.add(x, y, dtype=np.float64)
np.multiply(x, y, where=True)
np.sin(x, dtype=np.float64)
np.maximum(x, y, casting="same_kind")
np.sum(x, None, None, None)
np.cumsum(x, axis=0, out=None)
np.mean(x, out=None)
np.sqrt(x * x, order="C")
np.vecdot(x, y, axis=-1)
np.matmul(x, y, out=None)
""", "x:6 y:6")
calls("""
np.geomspace(np.abs(x[0]) + 1, 5.0, 4)
np.nextafter(x, y)
np.spacing(x) * x
np.unique(x)
np.unique(np.concatenate((x, x[:2])))
np.unique(np.concatenate((x, x[:2], np.array([np.nan, np.nan]))))[:5]
np.unique(i) * x[0]
np.unique(i, return_index=True)[1] * x[0]
np.unique(i, return_inverse=True)[1] * x[0]
np.unique(i, return_counts=True)[1] * x[0]
np.unique(np.stack((x, y)), return_inverse=True, return_counts=True)
x[np.unique(i)]
np.atleast_1d(x, y)[1]
np.atleast_1d(x[0])
np.atleast_2d(x, 2.0 * y)
np.atleast_3d(x)
np.stack((x, y)).mT
x.view() * 2.0
""", "x:5 y:5 i:i5,6")

# Numbers where an array is expected.
calls("""
np.roll(x, 1)
np.convolve(x, v)
np.convolve(x, x)
np.prod(x)
np.cumsum(x)
np.cumprod(x)
np.column_stack((x, 2.0 * x))
np.column_stack((v, 2.0 * v))[:, 1]
np.expand_dims(x, 0)
np.expand_dims(v[1], (0, 1))
np.median(v, axis=0, keepdims=True)
np.atleast_3d(x)
np.transpose(x)
np.tensordot(x, v, 0)
np.tensordot(v, x, 0)
""", "x: v:3")
calls("np.linalg.solve(x, y)\nnp.linalg.solve(x, y)[1]", "x:2,3,3 y:3")
calls("np.std(x, axis=0)\nnp.std(x)\nnp.std(x[0, 0]) + x[0]\nnp.std(x, axis=1)", "x:1,4")
calls("""
np.hstack(x)
np.vstack(x)
np.column_stack(x)
np.stack(x, axis=1)
np.append([1.0, 2.0], x)
np.triu(x, k=2)
np.tril(x, k=-2)
x[(0, 1, 0), (2, 2, 1)]
""", "x:2,3,4")
calls("""
np.max([x[0], x[1], 0.5])
np.exp((x[0], x[1]))
np.cross([1.0, 2.0, 3.0], x[:3])
np.linalg.det([[x[0], 1.0], [2.0, x[1]]])
np.concatenate(([1.0, 2.0], x))
np.vstack(([x, 2.0 * x], x))
np.where(x > 0.0, [1.0, 2.0, 3.0, 4.0], x)
np.diff([x[0], x[1], 3.0])
np.cov([x, x**2])
[1.0, 2.0, 3.0, 4.0] @ x
x - [1.0, 2.0, 3.0, 4.0]
np.meshgrid([1.0, 2.0], x)[1]
np.r_[x, 1.0, 3:0:-1, [2.0, 3.0]]
np.r_[-1:1:5j, x]
np.c_[x, x**2]
""", "x:4")

# ---------------------------------------------------------------- what is not a number

calls("""
np.nanmax(np.where(b, np.nan, x), axis=1, keepdims=True, initial=0.3)
np.nanmin(np.where(b, np.nan, x), axis=0, initial=0.3, where=y > 0)
np.nanmean(np.where(b, np.nan, x), axis=1, where=y > -1)
np.nanvar(np.where(b, np.nan, x), axis=0, where=y > -1, ddof=1)
np.nanstd(np.where(b, np.nan, x), axis=1, mean=np.mean(y, axis=1, keepdims=True), correction=1)
np.nanvar(np.where(b, np.nan, x), axis=1, ddof=3)
""", "x:3,5 b:m3,5 y:3,5")
calls("""
np.piecewise(x, [x < 0, x < 1], [lambda t: -t, lambda t: t * t, lambda t: 2.0 * t])
np.piecewise(x, [x < 0.1], [3.0, lambda t, k: k * t * t], 2.0)
np.pad(x, 2)
np.pad(x, 2, "edge")
np.kaiser(6, x)
np.kaiser(1, x) + np.kaiser(5, 2.0)
signal.windows.kaiser(5, x, sym=False)
signal.windows.gaussian(5, x)
signal.windows.general_gaussian(6, x, 2.0, False)
signal.windows.exponential(5, tau=x)
signal.windows.exponential(4, 1.0, x, False)
signal.windows.general_hamming(6, x, False)
signal.windows.general_cosine(7, [x, 0.5 * x, 0.1])
signal.windows.general_cosine(6, np.array([x, x**2]), False)
signal.windows.tukey(7, 0.9 * np.tanh(x), False)
signal.windows.tukey(1, x) + signal.windows.tukey(4, -x)
""", "x:+")
calls("""
np.emath.sqrt(x)
np.emath.log(x)
np.emath.log2(x)
np.emath.log10(x)
np.emath.logn(2.0 + x[0], x)
np.emath.power(x, 2.5)
np.emath.arccos(np.tanh(x))
np.emath.arcsin(np.tanh(x))
np.emath.arctanh(np.tanh(x))
""", "x:+4")
calls("""
np.emath.sqrt(x)
np.emath.arctanh(x)
np.real_if_close(x)
np.cov(np.outer(x, x))
np.interp([0.5, 1.5], np.array([0.0, 1.0, 2.0, 3.0]), x)
""", "x:z4")

# ---------------------------------------------------------------- series and windows

calls("""
np.polynomial.polynomial.polyval(x, y)
np.polynomial.polynomial.polyval(x[0], [1.0, y[0], 2.0])
np.polynomial.polynomial.polyvalfromroots(x, y)
np.polynomial.polynomial.polyvander(x, 3)
np.polynomial.polynomial.polyadd(x, y)
np.polynomial.polynomial.polysub(y, x)
np.polynomial.polynomial.polymul(x, y)
np.polynomial.polynomial.polyder(x, 2, scl=0.5)
np.polynomial.chebyshev.chebval(x, y)
np.polynomial.chebyshev.chebval(x, y[:1])
np.polynomial.legendre.legval(x, y)
np.polynomial.legendre.legval(x[0], y)
np.polynomial.hermite.hermval(x, y)
np.polynomial.hermite_e.hermeval(x, y)
np.polynomial.laguerre.lagval(x, y)
np.lib.stride_tricks.sliding_window_view(x, 3)
np.lib.stride_tricks.sliding_window_view(x, (2,)) * y[0]
np.linalg.norm(x - x, 3) + np.linalg.norm(x - x, 2.5, axis=0)
np.mean(x, axis=()) * np.prod(x, axis=())
""", "x:6 y:4")
calls("""
np.lib.stride_tricks.sliding_window_view(x, 2, axis=1)
np.lib.stride_tricks.sliding_window_view(x, (2, 3))
np.lib.stride_tricks.sliding_window_view(x, (2, 2), axis=(1, 0))
np.polynomial.legendre.legval(x, x[0])
""", "x:3,4")
calls("""
np.max(x, 1, None, True)
np.amin(x, 0, None, True)
np.amax(x, 1, None, True, 0.3)
np.ptp(x, 0, None)
np.nansum(x, 0, None, None, True)
np.nanmin(x, 0, None)
np.cumsum(x, 0, None, None)
np.cumsum(x, axis=1, dtype=None)
np.concatenate((x, x), dtype=None)
np.trace(x, dtype=None, out=None)
np.cov(x, None, True, False, 0, (1, 2, 3, 1), [1.0, 2.0, 3.0, 4.0])
x.min(0, None, True)
np.sum(x, np.int64(1), None, None, True)
np.std(x, (np.int64(0), -1), None, None, 1)
x.max(axis=np.int32(-1))
""", "x:3,4")
calls("""
np.maximum(np.asarray(x), 1.0) * y
np.max(np.asarray(x)) + np.ptp(np.asarray(y)) + np.asarray(x).min()
np.clip(np.asarray(x), -0.1, y)
np.where(np.asarray(x) > 0, np.asarray(x), y) * x
np.nan_to_num(np.asarray(x)) * np.nanmax(np.asarray(y))
np.power(np.asarray(x) ** 2, y)
np.interp(np.asarray(x), np.array([-3.0, 0.0, 3.0]), np.array([y, 2.0, 1.0]))
np.cumsum(np.asarray(x)) * y
np.asarray(x)[None] * np.asarray(y)[...]
np.asarray(x)[None, ..., None]
""", "x: y:")

if "dict" in str(np.pad.__doc__):  # widths for some axes
    calls("""
np.pad(x, {0: 1})
np.pad(x, {-1: (1, 2), 0: 3}, mode="edge")
np.pad(x, {-2: (0, 1)}, "linear_ramp", end_values=1.5)
""", "x:3,4")

calls("""
np.all(x > -1.0, where=b) * x
np.all(x > -1.0, axis=0, where=b) * x
np.any(x > 0.5, axis=1, keepdims=True, where=b) * x
np.logical_and.reduce(x > -1.0, where=b) * x
np.logical_or.reduce(x > 0.5, axis=1, keepdims=True, where=b) * x
""", "x:3,5 b:m3,5")

calls("""
np.cov(x, x + 1j * y, dtype=complex)
np.array([[x, y], [y, x]], dtype=complex)
np.full((2, 3, 5), x, dtype=complex)
np.full_like(x.astype(complex), y)
""", "x:3,5 y:3,5")

# ---------------------------------------------------------------- arguments of the dtype, of the memory, of nothing

calls("""
np.clip(x, -0.3, 0.4, dtype=np.float64)
np.clip(x, y, 3.0, order="F", subok=True)
x.clip(-0.2, x[0, 0], casting="unsafe")
np.clip(x, None, 0.4, dtype=np.float64)
np.trace(x, dtype=np.float64)
x.trace(1, dtype=float)
np.linalg.trace(x, dtype=np.float64)
np.sort(x, 0, None, None)
np.partition(x, 1, order=None)
np.nan_to_num(x * 2.0, copy=False, nan=1.0)
np.vecdot(x, y, keepdims=True)
np.vecdot(x, y, axis=0, keepdims=True)
np.full_like(x, y[0, 0], shape=(2, 2))
np.full_like(x, y[0, 0], subok=False, order="F")
np.full((2, 3), x[0, 0], device="cpu")
np.ones((3, 4), order="F", device="cpu") * x
np.zeros((3, 4), like=x) + x
np.eye(3, M=4, order="F") * x
np.arange(4, like=x) * x
np.arange(1, 5, device="cpu") * x
np.linspace(x[0, 0], 3.0, 5, device="cpu")
np.broadcast_to(x[0], shape=(3, 4), subok=True)
np.array(x, subok=True) * x
np.array(x, like=x) * x
np.copy(x, order="F", subok=True)
np.roll(x, np.array([1, 2]), axis=(0, 1))
np.roll(x, np.array([1, 2]), axis=1)
np.roll(x, (1, 2, 3), axis=(0, 1, 0))
np.quantile(x, 0.4, weights=np.abs(y), method="inverted_cdf", keepdims=True)
np.quantile(x, [0.4, 0.6], weights=np.abs(y), method="inverted_cdf", keepdims=True)
np.unique(x, axis=0)
np.unique(x, axis=1)
np.unique(np.concatenate((x, x[:2])), axis=0)
np.unique(np.concatenate((x, x[:2])), axis=-2, return_inverse=True)[1] * x[0, 0]
np.unique(np.concatenate((x, x[:2])), axis=0, return_index=True, return_counts=True)[2] * x[0, 0]
np.unique(x, sorted=True)
np.unique_values(x)
np.unique_counts(x).values
np.unique_counts(x)[1] * x[0, 0]
np.unique_inverse(x).values
np.unique_inverse(x).inverse_indices * x
np.unique_all(x)[0]
np.unique_all(x).indices * x[0, 0]
np.union1d(x, y)
np.union1d(x, [0.0])
np.intersect1d(x, x[1:])
np.intersect1d(x[0], x[0, 1:], assume_unique=True)
np.intersect1d(x, x[1:], return_indices=True)[0]
np.intersect1d(x[0], x[0, 1:], True, True)[2] * x[0, 0]
np.setdiff1d(x, x[:2])
np.setdiff1d(x[0], x[0, :2], assume_unique=True)
np.setxor1d(x, x[:2])
np.setxor1d(x[0], y[0], assume_unique=True)
np.polyfit(np.arange(4.0), x[0], 1, full=True)[1]
np.polyfit(np.arange(4.0), x[0], 1, full=True)[3]
np.polyfit(np.arange(4.0) + y[0], x[0], 1, cov=True)[1]
np.polyfit(np.arange(4.0), x.T, 1, cov=True)[1]
np.polyfit(np.arange(4.0), x[0], 1, cov="unscaled", w=np.abs(y[0]))[1]
np.polyfit(np.arange(4.0) + y[0], x[0], 2, rcond=0.3)
""", "x:3,4 y:3,4")
