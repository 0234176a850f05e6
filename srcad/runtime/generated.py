"""The module that all generated functions belong to, as Numba sees it.

Machine code of a user's function that calls a derivative, kept by ``njit(cache=True)``, also runs in processes that
have not written any derivative. Numba first imports the modules of all functions in it: this one is always there, and
opens the library that loops over sines and powers call.
"""

import ctypes


def _vector_library() -> "ctypes.CDLL | None":
    try:
        return ctypes.CDLL("libmvec.so.1", mode=ctypes.RTLD_GLOBAL)
    except OSError:
        return None


VECTOR_LIBRARY = _vector_library()
"""The vector functions of glibc, open to all machine code of the process; None on systems without them."""
