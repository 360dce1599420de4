"""Values that are made for every tracked event: frozen to type checkers, not guarded at run time."""

from functools import partial
from typing import TYPE_CHECKING

# The guard of a frozen class costs its own constructor 40 ns for each attribute: half of what a hit takes to be made.
if TYPE_CHECKING:
    from attrs import frozen as unguarded
else:
    from attrs import define

    unguarded = partial(define, unsafe_hash=True)

__all__ = ["unguarded"]
