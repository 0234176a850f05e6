"""The tables of the page on NumPy, made from the rules, the library and the calls that are tested."""

from __future__ import annotations

import inspect
import re

import numpy as np

from srcad import library
from srcad.rules import rule as rules
from srcad.rules.parse import Branch, Cotangent, Loop, Tangent
from srcad.typing.typer import SYNONYMS
from tests.library.written import CASES
from tests.rules.forms import combinations, form
from tests.rules.test_completeness import REFUSED, calls

# Public functions of NumPy that have no derivative, by the reason.
WITHOUT = {
    "of integers, bits, texts, dates and types": """array2string array_repr array_str base_repr binary_repr
    bitwise_count bitwise_left_shift bitwise_right_shift busday_count busday_offset can_cast common_type
    datetime_as_string datetime_data einsum_path format_float_positional format_float_scientific gcd iscomplexobj
    is_busday isdtype isfortran isnat isrealobj issubdtype iterable lcm left_shift may_share_memory
    min_scalar_type mintypecode packbits promote_types result_type right_shift shares_memory typename
    unpackbits broadcast_shapes array_equiv""",
    "constants of integer arguments, which may stand in a function": """bartlett blackman
    hamming hanning mask_indices tril_indices tril_indices_from triu_indices
    triu_indices_from""",
    "of files, settings and foreign objects": """asmatrix bmat from_dlpack frombuffer fromfile fromregex fromstring
    genfromtxt get_include get_printoptions getbufsize geterr geterrcall info load loadtxt nested_iters printoptions
    save savetxt savez savez_compressed set_printoptions setbufsize seterr seterrcall show_config show_runtime test""",
    "with a shorter form: `np.array([...])` of a list, a call of the function itself": "fromiter frompyfunc",
}
# What arrays have and srcad has not, by the reason.
METHODS_WITHOUT = {
    "of bytes in memory": """base byteswap ctypes data flags getfield setfield setflags strides tobytes view""",
    "of files and devices": "device dump dumps to_device tofile",
    "that changes the length of an array": "resize",
}
# What is not a function of the same name.
METHODS = {"T": "np.transpose", "mT": "np.matrix_transpose", "flat": "np.ravel", "fill": "x[...] = v"}
# What the compiler itself takes apart, with the arguments.
TAKEN_APART = {"np.block": "`arrays`", "np.dstack": "`tup`", "np.divmod": "`x1`, `x2`", "np.ix_": "`*args`"}
# What is particular about functions, in few words; the page says more below the table.
NOTES = {
    "kaiser": "in `beta`",
    "max amax min amin nanmax nanmin": "equal elements share the derivative",
    "maximum minimum fmax fmin": "of equal numbers, the first one; real ones",
    "sort partition median nanmedian": "equal elements in their order",
    "percentile quantile nanpercentile nanquantile": "equal elements in their order; `weights` without `axis`",
    "clip": "one at the bounds; real ones",
    "abs absolute linalg.norm linalg.vector_norm": "zero at zero",
    "unstack": "an array of the parts",
    "cross linalg.cross": "three components",
    "histogram histogram2d histogramdd": "piecewise constant in `a`; the derivative is that with respect to `weights`",
    "unique unique_all unique_counts unique_inverse unique_values": "the length is that of the values at the call",
    "intersect1d setdiff1d setxor1d union1d": "the length is that of the values at the call",
    "linalg.eig linalg.eigh linalg.svd": "vectors of equal values: NaN",
    "linalg.eigvals roots": "complex always; NaN where two meet",
    "linalg.cholesky linalg.eigvalsh": "reads one triangle",
    "linalg.lstsq linalg.pinv": "of constant rank",
    "linalg.det": "of any matrix; third derivatives of regular ones",
    "linalg.inv": "of regular matrices; else `LinAlgError`, as in `np.linalg.inv`",
}
MODULES = ((np, "np."), (np.linalg, "np.linalg."), (np.fft, "np.fft."))


def functions() -> dict[str, object]:
    """The public functions of NumPy by name; of two names for one function, the first."""
    rules.find(np.sin)
    library.load()
    found: dict[str, object] = {}
    for module, prefix in MODULES:
        for name in sorted(n for n in dir(module) if not n.startswith("_")):
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type) and not inspect.ismodule(value):
                found[prefix + name] = value
    return found


def rule_of(function: object):
    try:
        found = rules.find(SYNONYMS.get(function, function))
    except TypeError:
        return None
    return found if found is not None and found.fn.__module__.startswith("srcad.") else None


def entry_of(function: object):
    try:
        return library.table.get(function)
    except TypeError:
        return None


def is_constant(function: object) -> bool:
    """Whether the derivative of a function is zero, in every form of its call."""
    rule, entry = rule_of(function), entry_of(function)
    return rule is not None and rule.zero and (entry is None or bool(entry.given))


def row(name: str, function: object) -> str | None:
    """A line of the table; None for a function that has no derivative, or one that is zero."""
    rule, entry = rule_of(function), entry_of(function)
    if name in TAKEN_APART:
        how = "in terms of others | reverse, forward | f4, f8 | yes | yes | |"
        return f"| `{name}` | {TAKEN_APART[name]} | {how} |"
    if is_constant(function) or rule is None and entry is None:
        return None
    given = ", ".join(f"`{argument}=`" for argument in sorted(entry.given)) if entry is not None else ""
    own = rule is None or rule.zero
    how = "in terms of others" if own else "a rule"
    said = [f"with {given} {'only' if own else 'in terms of others'}"] if given else []
    said += [note for names, note in NOTES.items() if name.removeprefix("np.") in names.split()]
    transforms = name.startswith("np.fft.") and not name.endswith(("freq", "shift"))
    compiled = "with `srcad[fft]`" if transforms else "yes"
    lowered = "yes" if own or rules.find_lowering(SYNONYMS.get(function, function)) else ""
    dtypes = "f4, f8, c8, c16" if is_tried_complex(name, function) else "f4, f8"
    return (f"| `{name}` | {arguments(function)} | {how} | {modes(rule)} | {dtypes} | {compiled} | {lowered} | "
            f"{'; '.join(said)} |")  # fmt: skip


def statements(body):
    """The kinds of the statements of a rule."""
    for stmt in body:
        yield type(stmt)
        if isinstance(stmt, Branch):
            yield from statements(stmt.then)
            yield from statements(stmt.orelse)
        elif isinstance(stmt, Loop):
            yield from statements(stmt.body)


def modes(rule) -> str:
    """The modes that a rule has statements for; what is written in terms of others has those of the others."""
    found = {Tangent, Cotangent} if rule is None or rule.zero else set(statements(rule.body))
    return ", ".join(name for kind, name in ((Cotangent, "reverse"), (Tangent, "forward")) if kind in found)


def is_tried_complex(name: str, function: object) -> bool:
    """Whether a test has complex operands: of the rule, or of the function among the calls of the library."""
    primitive, called = SYNONYMS.get(function, function), re.compile(rf"(?<![\w.]){re.escape(name)}\(")
    if rule_of(function) is not None and form(primitive) is not None:
        known, refuses = form(primitive), REFUSED.get(primitive, lambda ranks, kinds: False)
        kinds = "c" * known.count
        tried = (r for r, k in combinations(known.count) if k == kinds and not refuses(r, kinds))
        if any(any(calls(primitive, kinds, known.shapes(*ranks))) for ranks in tried):
            return True
    return any(called.search(call) and ":z" in operands for call, operands in CASES)


def arguments(function: object) -> str:
    """The names of the arguments that are known, of the rule and of the library together."""
    entry, rule = entry_of(function), rule_of(function)
    names: list[str] = []
    if rule is not None and not rule.zero:
        names += [_shown(p) for p in list(rule.signature.parameters.values())[1:]]
    if entry is not None:
        names += [_shown(p) for p in inspect.signature(entry.fn).parameters.values()]
    return ", ".join(f"`{n}`" for n in dict.fromkeys(names) if n != "out")


def _shown(parameter: inspect.Parameter) -> str:
    return "*" + parameter.name if parameter.kind is parameter.VAR_POSITIONAL else parameter.name


def differentiable() -> str:
    """The table of the functions that have a derivative."""
    rows = [line for name, function in functions().items() if (line := row(name, function)) is not None]
    head = "| function | arguments | derivative | modes | dtypes | CPU compiled | lowered by us | notes |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *rows])


def zeros() -> str:
    """The functions whose derivative is zero."""
    return ", ".join(
        f"`{name}`" for name, function in functions().items()
        if is_constant(function)
    )  # fmt: skip


def without() -> str:
    """The functions without a derivative, by the reason."""
    return "\n".join(
        f"* {reason}: {', '.join(f'`{name}`' for name in sorted(names.split()))}" for reason, names in WITHOUT.items()
    )


# ---------------------------------------------------------------- methods


def methods() -> str:
    """The methods and attributes of arrays: those that there are, and those without by the reason."""
    found, missing = [], {name for names in METHODS_WITHOUT.values() for name in names.split()}
    for name in (n for n in dir(np.ndarray) if not n.startswith("_") and n not in missing):
        found.append(f"`{name}`" + (f" (`{METHODS[name]}`)" if name in METHODS else ""))
    rows = [f"* there are: {', '.join(found)}"]
    for reason, names in METHODS_WITHOUT.items():
        rows.append(f"* not there, {reason}: {', '.join(f'`{name}`' for name in names.split())}")
    return "\n".join(rows)


def ufuncs() -> str:
    """The methods of ufuncs."""
    rows = []
    for method in ("reduce", "accumulate", "reduceat", "outer"):
        names = [name for name, f in functions().items() if isinstance(f, np.ufunc) and has_method(f, method)]
        rows.append(f"* `{method}`: {', '.join(f'`{name}`' for name in names)}")
    return "\n".join([*rows, "* `at`: `np.add`, `np.subtract`"])


def has_method(ufunc: np.ufunc, method: str) -> bool:
    return getattr(ufunc, method) in library.table


TABLES = {"functions": differentiable, "zero": zeros, "without": without, "methods": methods, "ufuncs": ufuncs}


def unaccounted() -> list[str]:
    """The functions of which no table says anything."""
    listed = {name for names in WITHOUT.values() for name in names.split()}
    return [
        name for name, function in functions().items()
        if rule_of(function) is None and entry_of(function) is None and name.split(".")[-1] not in listed
        and name not in TAKEN_APART
    ]  # fmt: skip
