"""What a rule says of an operand in which the primitive has no derivative that could be written down."""

from typing import Any

from srcad.rules.instantiate import Unknown
from srcad.rules.static import static


@static
def unknown(moving: Any, operand: str) -> Any:
    """A term of the derivative that exists and has no formula: refused where the operand moves, absent elsewhere.

    In a rule, `moving` is the tangent or the cotangent that the term would be multiplied with. ::

        y.dot = x.dot * f(v, x) + unknown(v.dot, "its order")
        v.bar += unknown(y.bar, "its order")
    """
    raise Unknown(operand)
