"""Files that outlive the process: generated source under its own hash, what is known about functions, machine code.

Everything lies flat in one directory that only its owner may write to. A file is taken for what it is only after
its content has been compared with the hash in its name or its first line; everything else counts as absent.
"""

from __future__ import annotations

import functools
import hashlib
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress

_DIGITS = 24  # of a hash, in a file name: 96 bits


def directory() -> str:
    """The directory of the cache: ``SRCAD_CACHE_DIR``, or one of the user's own; a temporary one if it is not safe."""
    return _checked(os.environ.get("SRCAD_CACHE_DIR") or _default())


def _default() -> str:
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or home, "srcad", "cache")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "srcad")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "srcad")


@functools.cache
def _checked(path: str) -> str:
    path = os.path.abspath(path)
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        reason = _objection(os.stat(path)) or ("" if os.access(path, os.W_OK) else "cannot be written to")
    except OSError as error:
        reason = f"cannot be made ({error.strerror})"
    if not reason:
        return path
    warnings.warn(f"the cache directory {path} {reason}: derivatives are not kept on disk", stacklevel=2)
    return _private()


@functools.cache
def _temporary() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="srcad-", ignore_cleanup_errors=True)


def _private() -> str:
    return _temporary().name


def _objection(status: os.stat_result) -> str:
    """Why a file or directory cannot be trusted: others own it, or may write to it."""
    if not hasattr(os, "getuid"):
        return ""
    if status.st_uid != os.getuid():
        return "belongs to somebody else"
    return "can be written to by others" if status.st_mode & 0o022 else ""


# ---------------------------------------------------------------- files


def read(name: str) -> bytes | None:
    """The content of a file of the cache that nobody else can have written."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(os.open(os.path.join(directory(), name), flags), "rb") as file:
            status = os.fstat(file.fileno())
            return file.read() if stat.S_ISREG(status.st_mode) and not _objection(status) else None
    except OSError:
        return None


def write(name: str, data: bytes) -> str:
    """Write a file of the cache at once: whoever reads it, now or after a crash, finds all of it or nothing."""
    for root in (directory(), _private()):
        with suppress(OSError):
            return _replace(root, name, data)
    raise OSError(f"neither {directory()} nor the directory of temporary files can be written to")


def _replace(root: str, name: str, data: bytes) -> str:
    path = os.path.join(root, name)
    handle, temporary = tempfile.mkstemp(prefix=".", dir=root)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return path


def digest(*parts: bytes) -> str:
    """A hash of several byte strings, in which each knows its length."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little"))
        total.update(part)
    return total.hexdigest()


# ---------------------------------------------------------------- what is kept in them


def write_source(name: str, text: str) -> str:
    """The path of the file with this text; a valid one is left alone, so that its time stands."""
    data = text.encode()
    file = f"{name}_{hashlib.sha256(data).hexdigest()[:_DIGITS]}.py"
    path = os.path.join(directory(), file)
    return path if read(file) == data else write(file, data)


def read_source(file: str) -> str | None:
    """The text of a source file of the cache, if it is what its name says."""
    data = read(file)
    address = os.path.splitext(file)[0].rpartition("_")[2]
    if data is None or hashlib.sha256(data).hexdigest()[:_DIGITS] != address:
        return None
    return data.decode()


def write_sealed(name: str, data: bytes) -> str:
    """Keep `data` behind its hash."""
    return write(name, hashlib.sha256(data).digest() + data)


def read_sealed(name: str) -> bytes | None:
    """What `write_sealed` has kept under this name, if it is still whole."""
    found = read(name)
    if found is None or hashlib.sha256(found[32:]).digest() != found[:32]:
        return None
    return found[32:]


def files(root: str, suffix: str) -> Iterator[os.DirEntry]:
    """The files below a directory."""
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from files(entry.path, suffix)
            elif entry.name.endswith(suffix):
                yield entry


@functools.cache
def compiler_stamp() -> bytes:
    """What changes whenever the compiler itself does: its files' names, sizes and times."""
    root = os.path.dirname(os.path.dirname(__file__))
    found = ((entry.path, entry.stat()) for entry in files(root, ".py"))
    return repr(sorted((path, status.st_size, status.st_mtime_ns) for path, status in found)).encode()
