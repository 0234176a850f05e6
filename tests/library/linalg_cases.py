"""Calls of linear algebra in the forms that users give them: spectra, functions of matrices, norms along axes."""

from tests.library.cases import calls

calls("""
np.abs(np.linalg.eig(x)[0])
np.abs(np.linalg.eig(x)[1])
np.abs(np.linalg.eig(x).eigenvectors)
np.real(np.linalg.eigvals(x)) * np.imag(np.linalg.eigvals(x))
np.abs(linalg.eig(x)[1])
np.poly(x)
linalg.signm(x)
""", "x:4,4")
calls("""
np.linalg.eig(x)
linalg.eigvals(x)
np.linalg.svd(x, hermitian=True)[1]
np.linalg.cholesky(x @ np.conj(x.T), upper=True)
linalg.cosm(x)
linalg.solve(x, y[0], assume_a="her", lower=True)
linalg.solve_triangular(x, y[0], trans=2)
linalg.solve_continuous_lyapunov(x, y)
linalg.solve_discrete_lyapunov(x, y)
linalg.cho_solve(linalg.cho_factor(x @ np.conj(x.T)), y)
linalg.lu_solve(linalg.lu_factor(x), y, trans=2)
linalg.toeplitz(x[0])
""", "x:z3,3 y:z3,3")
calls("""
np.abs(np.roots(x))
np.abs(np.roots([x[0], x[1], x[2]]))
linalg.companion(x)
linalg.convolution_matrix(x, 4)
linalg.convolution_matrix(x, 4, mode="same")
linalg.convolution_matrix(x, 4, "valid")
linalg.fiedler(x)
linalg.leslie(x, y)
linalg.eigh_tridiagonal(x, y)[0]
linalg.eigvalsh_tridiagonal(x, y)
linalg.eigvalsh_tridiagonal(x, y, "i", (1, 3))
linalg.eigh_tridiagonal(x, y, select="v", select_range=(-0.5, 90.0))[0]
""", "x:6 y:5")
calls("""
np.linalg.svd(x)[1]
np.linalg.svd(x)[2] ** 2
np.linalg.svd(x.T)[0] ** 2
np.linalg.qr(x.T, mode="complete")[0] ** 2
np.linalg.qr(x, mode="complete")[1]
np.linalg.pinv(x, rcond=1e-10)
np.linalg.pinv(x, rtol=0.9)
linalg.pinv(x, atol=1e-10)
linalg.qr(x)[1]
linalg.qr(x.T, mode="r")[0]
linalg.svd(x)[1]
linalg.orth(x.T) ** 2
linalg.null_space(x) ** 2
linalg.null_space(x[:1]) @ linalg.null_space(x[:1]).T
linalg.polar(x)
linalg.polar(x, side="left")
linalg.orthogonal_procrustes(x.T, y[:, :2])
linalg.khatri_rao(x, y)
linalg.solve_banded((1, 0), x, y)
linalg.matmul_toeplitz((x[0], x[1]), y)
""", "x:2,3 y:3,3")
calls("""
np.linalg.cholesky(s, upper=True)
np.linalg.svd(s - 3.0 * np.eye(3), hermitian=True)[0] ** 2
np.linalg.svd(x, compute_uv=False, hermitian=True)
np.linalg.pinv(s, hermitian=True)
linalg.eigh(x, s, eigvals_only=True)
np.abs(linalg.eigh(s, s @ s)[1])
np.abs(linalg.eigh(x, s, type=2)[1])
np.abs(linalg.eigh(x, s, type=3, lower=False, subset_by_index=[1, 2])[1])
linalg.eigvalsh(x, s)
linalg.eigvalsh(x, subset_by_index=(0, 1))
linalg.pinvh(x)
linalg.sqrtm(s + 0.1 * x)
linalg.logm(s)
linalg.fractional_matrix_power(s, x[0, 0])
linalg.fractional_matrix_power(s, 3)
linalg.expm_frechet(x, s)
linalg.cosm(x)
linalg.sinm(x)
linalg.tanm(0.3 * x)
linalg.coshm(x)
linalg.sinhm(x)
linalg.tanhm(0.3 * x)
linalg.lstsq(x, s, cond=1e-10)[0]
linalg.solve_discrete_lyapunov(x, s)
linalg.solve_toeplitz((s[0], s[1]), x)
linalg.solve_toeplitz(s[0], x[1])
linalg.solve_circulant(s[0], x)
linalg.solve_circulant(s[0], x, baxis=-1, outaxis=1)
linalg.solve_circulant(s[0], x, singular="lstsq", tol=1e-6)
linalg.solve_circulant(np.array([1.0, -1.0, 1.0]) + 0.0 * s[0], x, singular="lstsq")
linalg.pinv(x, rtol=1e-3, return_rank=True)[0]
linalg.eigh(s, subset_by_value=[-90.0, 90.0])[0]
linalg.eigvalsh(s, subset_by_value=(0.0, np.inf))
linalg.solve_banded((1, 1), s, x[:, 0])
linalg.solveh_banded(s[1:] + np.array([[1.0], [9.0]]), x)
linalg.solveh_banded(np.array([[1.0], [1.0], [9.0]]) + s / 9.0, x)
linalg.solveh_banded(np.array([[9.0], [1.0], [1.0]]) + s / 9.0, x, lower=True)
""", "x:3,3 s:s3,3")
calls("""
np.linalg.svd(x)[2][:, -1] ** 2
np.linalg.vector_norm(x, axis=(0, 2), keepdims=True)
np.linalg.vector_norm(x, axis=(0, 2), ord=3)
np.linalg.vector_norm(x, axis=(0, 2), ord=np.inf)
np.linalg.norm(x, "nuc", axis=(2, 0), keepdims=True)
np.linalg.norm(x, -2, axis=(-1, -2))
np.linalg.norm(x)
np.linalg.norm(np.swapaxes(x, 0, 2), None)
np.linalg.solve(np.stack((x[0, :2, :2], x[1, :2, :2])), x[0, 0, :2])
np.take_along_axis(x, np.array([[[0, 2, 1, 1]]]), 1)
""", "x:2,3,4")
calls("""
np.linalg.tensorsolve(x, y, axes=(0,))
""", "x:2,4,2 y:4")
calls("""
linalg.lu(x)
linalg.lu(x.T)
linalg.lu(x.T, permute_l=True)
linalg.lu(np.stack((x, x[::-1])))
linalg.solve_continuous_are(a, x.T, s + s.T, r + r.T)
linalg.solve_continuous_are(a, x.T, s + s.T, r + r.T, np.eye(4) + 0.1 * a, 0.01 * y.T, False)
linalg.solve_discrete_are(a, x.T, s + s.T, r + r.T)
linalg.solve_discrete_are(a, x.T, s + s.T, r + r.T, s=0.1 * y.T)
linalg.solve_discrete_lyapunov(0.1 * a, s, method="bilinear")
""", "x:3,4 y:3,4 a:4,4 s:s4,4 r:s3,3")
calls("""
linalg.lu(x.T)
np.max(x, axis=0) * np.min(x, axis=1)[0]
np.ptp(x)
np.trace(x)
np.sum(x, where=np.real(x) > 0)
special.logsumexp(100.0 * x, axis=0)
special.logsumexp(x)
""", "x:z2,3")
calls("np.linalg.tensorsolve(x, y, axes=(0, 2))", "x:2,4,2 y:4")
calls("np.abs(np.histogram(x, bins=3, weights=z)[0])", "x:5 z:z5")
calls("np.sum(np.squeeze(x[None]).copy() ** 2)", "x:3")
calls("""
linalg.fiedler_companion(x)
linalg.fiedler_companion(x[:5])
linalg.diagsvd(x, 6, 8)
linalg.diagsvd(x, 8, 6)
linalg.cholesky_banded(np.stack((x, y, np.abs(x) + 9.0)))
linalg.cholesky_banded(np.stack((np.abs(x) + 9.0, x, y)), lower=True)
linalg.cho_solve_banded((np.stack((x, y, np.abs(x) + 9.0)), False), y)
linalg.cho_solve_banded((np.stack((np.abs(x) + 9.0, x, y)), True), y)
linalg.eig_banded(np.stack((y, 9.0 * x)))[0]
linalg.eigvals_banded(np.stack((9.0 * x, y)), lower=True)
""", "x:6 y:6")
calls("""
np.abs(linalg.cholesky_banded(np.stack((x, np.abs(x) + 9.0))))
linalg.cho_solve_banded((np.stack((np.abs(x) + 9.0, x)), True), y)
linalg.cho_solve_banded((np.stack((x, np.abs(x) + 9.0)), False), y)
linalg.eigvals_banded(np.stack((x, 9.0 * np.real(y))))
""", "x:z6 y:z6")
