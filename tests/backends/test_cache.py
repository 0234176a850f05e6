"""What is kept on disk: found again by the next process, and never trusted when it is not what it was."""

import os
import stat
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import srcad
from srcad.backends import cache
from tests.backends import written
from tests.backends.written import product, rated, scaled

POSIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and permissions are those of POSIX")


def fresh(fn, *args, **options):
    """What a new derivative object finds, as a new process would."""
    return srcad.grad(fn, **options)(*args)


def files(directory, suffix):
    return sorted(directory.glob(f"*{suffix}"))


def test_warm_cache_asks_no_compiler(writer, cache_dir):
    assert fresh(product, 2.0, 3.0) == 3.0
    kept = {file: file.stat().st_mtime_ns for file in cache_dir.iterdir()}
    assert fresh(product, 2.0, 3.0) == 3.0
    assert len(writer.calls) == 1
    assert {file: file.stat().st_mtime_ns for file in cache_dir.iterdir()} == kept
    assert [len(files(cache_dir, suffix)) for suffix in (".py", ".json", ".bin")] == [1, 1, 1]
    assert len(kept) == 3


def test_directory_is_private(writer, cache_dir):
    fresh(product, 2.0, 3.0)
    assert stat.S_IMODE(cache_dir.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in cache_dir.iterdir())


def test_options_and_signature_are_part_of_the_key(writer):
    for options in ({}, {"fastmath": False}, {"debug": True}, {"wrt": 1}, {"unconnected_gradients": "zero"}):
        fresh(product, 2.0, 3.0, **options)
    fresh(product, np.ones(2), 3.0)
    assert len(writer.calls) == 6


def test_changed_global_is_noticed(writer, monkeypatch):
    assert fresh(rated, 1.0) == 2.0
    monkeypatch.setattr(written, "RATE", 5.0)
    assert fresh(rated, 1.0) == 5.0
    monkeypatch.setattr(written, "RATE", 2.0)
    assert fresh(rated, 1.0) == 2.0
    assert len(writer.calls) == 2


def test_changed_array_constant_is_noticed_by_the_machine_code(writer, monkeypatch, cache_dir):
    np.testing.assert_array_equal(fresh(scaled, np.ones(3)), [1.0, 2.0, 3.0])
    monkeypatch.setattr(written, "SCALE", np.array([4.0, 5.0, 6.0]))
    np.testing.assert_array_equal(fresh(scaled, np.ones(3)), [4.0, 5.0, 6.0])
    assert len(files(cache_dir, ".py")) == 1 and len(files(cache_dir, ".bin")) == 2


def test_changed_callee_is_noticed(writer, monkeypatch):
    fresh(rated, 1.0)
    monkeypatch.setattr(written, "rate_of", lambda x: written.RATE * x * 1.0)
    fresh(rated, 1.0)
    assert len(writer.calls) == 2


def test_rules_of_users_are_part_of_the_key(writer, monkeypatch):
    from srcad.rules import rule

    def doubled(y, x):
        x.bar += 2.0 * y.bar

    def tripled(y, x):
        x.bar += 3.0 * y.bar

    monkeypatch.setattr(rule, "table", {})
    for body in (doubled, doubled, tripled, doubled):
        rule.rule(written.rate_of)(body)
        fresh(rated, 1.0)
    assert len(writer.calls) == 2


def test_closures_are_part_of_the_key(writer):
    def make(rate):
        def product(x, y):
            return x * y * rate

        return product

    for rate in (1.0, 2.0, np.ones(2), np.zeros(2), [1, 2], (1, [2]), {"a": 1}, make(1.0), make(3.0), 1.0):
        fresh(make(rate), 2.0, 3.0)
    assert len(writer.calls) == 9


def test_functions_made_by_exec_are_looked_into(tmp_path):
    """Without a name among their globals they have no module, and are not to be taken for functions of Python's own."""
    path = tmp_path / "made.py"
    path.write_text("def made(x):\n    return inner(x)\n")
    for inner, expected in ((np.sin, np.cos(0.5)), (np.exp, np.exp(0.5))):
        space = {"inner": inner}
        exec(compile(path.read_text(), str(path), "exec"), space)
        assert srcad.grad(space["made"], target="python")(0.5) == expected


def test_what_may_change_unseen_is_not_kept(writer, cache_dir):
    class Settings:
        rate = 1.0

    settings = Settings()

    def product(x, y):
        return x * y * settings.rate

    fresh(product, 2.0, 3.0), fresh(product, 2.0, 3.0)
    assert len(writer.calls) == 2 and not files(cache_dir, ".json")


def empty(data):
    return b""


def truncate(data):
    return data[: len(data) // 2]


def flip(data):
    middle = len(data) * 2 // 3
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def replace(data):
    return b"raise SystemExit('executed')\n"


@pytest.mark.parametrize("suffix", [".py", ".json", ".bin"])
@pytest.mark.parametrize("damage", [empty, truncate, flip, replace])
def test_damaged_entries_are_rewritten(writer, cache_dir, suffix, damage):
    fresh(product, 2.0, 3.0)
    [file] = files(cache_dir, suffix)
    good = file.read_bytes()
    file.write_bytes(damage(good))
    assert fresh(product, 2.0, 3.0) == 3.0
    assert len(files(cache_dir, suffix)) == 1
    if suffix != ".bin":  # two compilations may differ in a byte
        assert file.read_bytes() == good
    calls = len(writer.calls)
    assert fresh(product, 2.0, 3.0) == 3.0
    assert len(writer.calls) == calls


@POSIX
@pytest.mark.parametrize("suffix", [".py", ".json", ".bin"])
def test_entries_that_others_may_write_to_are_rewritten(writer, cache_dir, suffix):
    fresh(product, 2.0, 3.0)
    [file] = files(cache_dir, suffix)
    file.chmod(0o666)
    assert fresh(product, 2.0, 3.0) == 3.0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@POSIX
def test_links_are_not_followed(writer, cache_dir, tmp_path):
    fresh(product, 2.0, 3.0)
    [file] = files(cache_dir, ".py")
    file.rename(tmp_path / "elsewhere.py")
    file.symlink_to(tmp_path / "elsewhere.py")
    assert fresh(product, 2.0, 3.0) == 3.0
    assert not file.is_symlink() and file.is_file()


@POSIX
@pytest.mark.parametrize("suffix", [".py", ".json", ".bin"])
def test_foreign_entries_are_rewritten(writer, cache_dir, suffix, monkeypatch):
    """Every file seems to be somebody else's until it has been written anew."""
    fresh(product, 2.0, 3.0)
    [file] = files(cache_dir, suffix)
    foreign, fstat = file.stat().st_ino, os.fstat

    def stranger(handle):
        found = fstat(handle)
        return os.stat_result([*found[:4], found.st_uid + 1, *found[5:]]) if found.st_ino == foreign else found

    monkeypatch.setattr(cache.os, "fstat", stranger)
    assert fresh(product, 2.0, 3.0) == 3.0
    assert file.stat().st_ino != foreign


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_unsafe_directory_is_not_used(writer, cache_dir, mode):
    cache_dir.mkdir()
    cache_dir.chmod(mode)
    with pytest.warns(UserWarning, match="can be written to by others"):
        assert fresh(product, 2.0, 3.0) == 3.0
    assert not list(cache_dir.iterdir())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        df = srcad.grad(product)
        assert df(2.0, 3.0) == 3.0 and os.path.exists(df.maker.latest.path)


def test_directory_that_cannot_be_made(writer, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SRCAD_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.warns(UserWarning, match="cannot be made"):
        assert fresh(product, 2.0, 3.0) == 3.0


def test_source_files_are_real(writer, cache_dir):
    import inspect

    df = srcad.grad(product, target="python")
    df(2.0, 3.0)
    function = df.maker.latest.function
    assert inspect.getsource(function) == df.source()
    assert os.path.dirname(function.__code__.co_filename) == str(cache_dir)


PROGRAM = """
    import sys
    import srcad, srcad.derivation
    from tests.backends.written import Writer, {names}
    writer = srcad.derivation.generate = Writer()
    if sys.argv[1] == "wait":
        sys.stdin.readline()
    print({expression}, len(writer.calls), "srcad.pipeline" in sys.modules, "gast" in sys.modules)
"""


def process(names: str, expression: str, mode: str = "go", **options) -> subprocess.Popen:
    code = textwrap.dedent(PROGRAM).format(names=names, expression=expression)
    return subprocess.Popen([sys.executable, "-c", code, mode], stdin=-1, stdout=-1, text=True, **options)


def test_fresh_process_asks_no_compiler(cache_dir):
    for expected in ("[1. 2. 3.] 1 False False", "[1. 2. 3.] 0 False False", "[1. 2. 3.] 0 False False"):
        out, _ = process("scaled", "srcad.grad(scaled)(__import__('numpy').ones(3))").communicate()
        assert out.strip() == expected


def test_processes_at_once(cache_dir):
    running = [process("product", "srcad.grad(product)(2.0, 3.0)", "wait") for _ in range(4)]
    for each in running:
        each.stdin.write("go\n")
        each.stdin.flush()
    assert all(each.communicate()[0].startswith("3.0 ") for each in running)
    assert len(list(cache_dir.iterdir())) == 3
