"""What a user can choose about a derivative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union


SEED = "grad_ys"  # the own parameter of a derivative in reverse mode
TANGENTS = "tangents"  # and in forward mode
OUT = "out"  # and where gradients are written to
FASTMATH = ("reassoc", "contract", "nsz")  # but for functions that compute with their own rounding errors
FORWARD = ("jvp", "hvp")  # the modes that carry tangents along
WRITING = ("grad", "value_and_grad", "vjp", "jacobian", "hessian")  # those that write into arrays of the caller's
MATRICES = ("jacobian", "hessian")  # the modes that take all tangents or seeds, one by one


@dataclass(frozen=True)
class Options:
    """The options of one derivative; part of the key under which it is cached."""

    mode: str = "grad"  # | "value_and_grad" | "vjp" | "jvp" | "hvp" | "jacobian" | "hessian" | "function"
    sweep: str = "auto"  # of "jacobian": "auto" | "forward" | "reverse"
    wrt: tuple[int, ...] = (0,)
    single: bool = True  # one bare gradient rather than a tuple
    stop_gradients: tuple[str, ...] = ()
    unconnected: str = "none"  # "none" | "zero"
    has_aux: bool = False
    target: str = "cpu"  # "cpu" | "python"
    fastmath: Union[bool, tuple[str, ...]] = FASTMATH
    parallel: bool = False
    debug: bool = False
    nan_check: bool = False
    optimize: bool = True  # with the passes that only make it faster or shorter
    max_tape: int = 0  # bytes that records may take; 0 for any
    aggregation: str = ""  # of what is added to one cotangent: "add_n" | "tree" | "accumulate_n", "" as it comes
    into: bool = False  # the derivative has a parameter `out`
    out: Any = None  # the type of what is passed for it
    alike: bool = True  # lengths that meet in an operation are taken to agree, and compared at the beginning
    marked: bool = False  # values with a custom gradient keep their marks, for the next derivative

    @property
    def direction(self) -> str:
        """Which way derivatives are carried: "reverse" or "forward", one by one in a "matrix", not in a "function"."""
        ways = {"function": "function", **dict.fromkeys(FORWARD, "forward"), **dict.fromkeys(MATRICES, "matrix")}
        return ways.get(self.mode, "reverse")

    @property
    def loops(self) -> bool:
        """Whether array statements become loops: compiled, for one thread, and where no check stands between them."""
        return self.optimize and self.target == "cpu" and not (self.debug or self.nan_check or self.parallel)

    @property
    def agreeing(self) -> bool:
        """Whether lengths that meet are compared at the beginning: for loops over elements, or for threads."""
        shared = self.optimize and self.target == "cpu" and self.parallel and not (self.debug or self.nan_check)
        return self.alike and (self.loops or shared)

    @property
    def blocked(self) -> bool:
        """Whether iterations may go side by side in blocks: as `loops`, and sums may be reordered."""
        return self.loops and bool(self.fastmath)

    @property
    def recalls(self) -> bool:
        """Whether loops may record more than the least: of derivatives that are not differentiated again."""
        return self.optimize and not self.max_tape and not self.marked

    @property
    def extras(self) -> tuple[str, ...]:
        """The seed or the tangents, where the derivative takes any."""
        return () if self.mode == "function" or self.mode in MATRICES else (self.seed,)

    @property
    def added(self) -> tuple[str, ...]:
        """All parameters of the derivative that the function has not."""
        return (*self.extras, OUT) if self.into else self.extras

    @property
    def seed(self) -> str:
        """The name of the derivative's own parameter."""
        return TANGENTS if self.mode in FORWARD else SEED

    def title(self, function: str) -> str:
        """The name of the derivative of a function of this name."""
        if self.mode == "function":
            return function
        return f"{function.removesuffix('_grad') if self.mode in ('hvp', 'hessian') else function}_{self.mode}"
